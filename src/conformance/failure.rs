//! What is told of an election that fails.

use std::fmt;

use super::network::Network;
use super::trial::{Problem, Trial};
use crate::engine::trace::Step;

/// The smallest election that fails.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Failure {
    /// The name of the algorithm.
    pub algorithm: String,
    /// The election.
    pub trial: Trial,
    /// What is wrong with it.
    pub problem: Problem,
    /// The command that repeats it, with the edges of its graph, if it has one; empty if the election
    /// cannot be held at all.
    pub command: String,
    /// Who sent what to whom.
    pub trace: Vec<String>,
    /// The shortest schedule that fails, where every one was tried; it says more than the timing.
    pub schedule: Option<Vec<Step>>,
}

/// Words with spaces in between.
fn spaced<T: ToString>(words: impl IntoIterator<Item = T>) -> String {
    words.into_iter().map(|word| word.to_string()).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trial { network, ids, initiators, timing, .. } = &self.trial;
        let ids = spaced(ids);
        writeln!(f, "{} fails on {network}: {}", self.algorithm, self.problem)?;
        match network {
            Network::Ring(_) => write!(f, "  ring (clockwise) {ids}")?,
            Network::Graph(_) => {
                let edges = network.edges().into_iter().map(|(a, b)| format!("{a}-{b}"));
                write!(f, "  IDs of nodes 0 to {}: {ids}", network.nodes() - 1)?;
                write!(f, "; edges {}", spaced(edges))?;
            }
        }
        write!(f, "; initiators {initiators}; ")?;
        match &self.schedule {
            None => write!(f, "{timing}")?,
            Some(steps) => {
                let links = if timing.fifo { "FIFO" } else { "no FIFO" };
                write!(f, "under a schedule of {} steps, {links}", steps.len())?;
            }
        }
        if !self.command.is_empty() {
            write!(f, "\n  to see it again: {}", self.command)?;
        }
        for line in &self.trace {
            write!(f, "\n    {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
