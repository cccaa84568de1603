//! The statistics of a results folder, all of them from one pass over its runs.

use super::cells::{CellSummary, FAMILY_ERROR, Gathered, MeanVerdict, judge};
use super::series::{self, Series};
use crate::experiment::error::Result;
use crate::results::Results;
use crate::statistics::significance::holm;

/// So many runs are kept one by one, of all cells together: 8 MiB, however large the table is.
const KEPT_RUNS: u64 = 1 << 20;

/// The statistics of a results folder.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The master seed.
    pub seed: u64,
    /// One for each cell, in the order of the results.
    pub cells: Vec<CellSummary>,
    /// Growth over n, one for each series that has sizes enough.
    pub series: Vec<Series>,
}

impl Summary {
    /// Reads a results folder and judges it; writes nothing.
    pub fn of(results: &Results) -> Result<Self> {
        let mut cells = Vec::new();
        let mut room = KEPT_RUNS;
        results.gather(
            |record, offset| {
                let gathered = Gathered::new(record, results.seed, offset, room);
                room = room.saturating_sub(record.runs);
                gathered
            },
            Gathered::push,
            |gathered, record| cells.push(judge(gathered, record, results.seed)),
        )?;
        let adjusted = holm(&cells.iter().map(|cell| cell.p).collect::<Vec<_>>());
        for (cell, p_holm) in cells.iter_mut().zip(adjusted) {
            cell.p_holm = p_holm;
            if p_holm.is_some_and(|p| p <= FAMILY_ERROR) {
                cell.verdict_mean = MeanVerdict::Differs;
            }
        }
        let series = series::of(&cells, results.seed);
        Ok(Summary { seed: results.seed, cells, series })
    }

    /// The cells whose theorem is contradicted.
    pub fn contradictions(&self) -> Vec<&CellSummary> {
        self.cells.iter().filter(|cell| cell.is_contradiction()).collect()
    }
}
