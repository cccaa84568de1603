//! Upper bounds that a user states for algorithms: formulas, held against every run or the mean.

use std::fmt;

use super::cell::Cell;
use super::formula::{Formula, Variables};
use crate::engine::Registry;
use crate::model::error::Input;

/// What a bound is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Of {
    /// The messages of every run.
    Run,
    /// The mean of a cell.
    Mean,
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Of::Run => "run",
            Of::Mean => "mean",
        })
    }
}

/// The tables of a spec that state bounds.
pub const TABLES: [(&str, Of); 2] = [("bounds", Of::Run), ("bounds-mean", Of::Mean)];

/// One bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// Whose messages.
    pub algorithm: String,
    /// What is held against it.
    pub of: Of,
    /// The most messages.
    pub formula: Formula,
}

impl Bound {
    /// The bound of an algorithm that exists.
    pub fn new(registry: &Registry, algorithm: &str, of: Of, formula: &str) -> Result<Self, Input> {
        registry.named(algorithm)?;
        Ok(Bound { algorithm: algorithm.to_owned(), of, formula: Formula::parse(formula)? })
    }

    /// The most messages in a cell of its algorithm.
    pub fn value(&self, cell: &Cell) -> Result<f64, Input> {
        self.formula.value(&variables(cell)?)
    }
}

/// What a formula may ask of a cell. Where every run has a graph of its own, edges, leaves and
/// diameter are not known.
fn variables(cell: &Cell) -> Result<Variables, Input> {
    let n = u64::from(cell.n());
    let ring = Variables::ring(n, cell.initiators().count(n));
    if !cell.is_on_graph() {
        return Ok(ring);
    }
    if cell.draws().graph {
        return Ok(Variables { edges: None, leaves: None, diameter: None, ..ring });
    }
    cell.check_memory()?;
    let (case, _) = cell.prepare(0)?.theory(0)?;
    let number = |value: u64| value as f64;
    Ok(Variables {
        edges: Some(number(case.shape.edges)),
        leaves: Some(number(case.shape.leaves)),
        diameter: case.shape.diameter.map(number),
        ..ring
    })
}

/// Formulas are computed in floating point: what is above a bound by less than this share is not.
const ROUNDING: f64 = 1e-12;

/// Whether a number of messages is above a bound.
pub fn is_above(messages: f64, bound: f64) -> bool {
    messages > bound + bound.abs() * ROUNDING
}
