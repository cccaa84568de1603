//! One election of the kit, and what can be wrong with it.

use std::collections::BTreeMap;
use std::fmt;

use super::network::Network;
use crate::experiment::timing::{Initiators, Timing};
use crate::model::election::Starts;
use crate::model::process::Id;
use crate::model::violation::Violation;

/// One election to be held.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// Who is whose neighbour.
    pub network: Network,
    /// The IDs by node; on a ring clockwise.
    pub ids: Vec<Id>,
    /// Who starts.
    pub initiators: Initiators,
    /// How long messages take.
    pub timing: Timing,
    /// The number of the run, which fixes the delays.
    pub run: u64,
}

impl Trial {
    /// Everybody starts, in rounds.
    pub(super) fn in_rounds(network: Network, ids: Vec<Id>) -> Self {
        Trial { network, ids, initiators: Initiators::All, timing: Timing::SYNC, run: 0 }
    }

    /// The number of nodes.
    pub fn n(&self) -> u32 {
        self.ids.len() as u32
    }

    /// The places of those who start, with their times.
    pub(super) fn places(&self) -> BTreeMap<u32, u64> {
        match &self.initiators {
            Initiators::At(places) => places.clone(),
            _ => (0..self.n()).map(|place| (place, 0)).collect(),
        }
    }

    /// Who starts, as engines and counters know it.
    pub(super) fn starts(&self) -> Starts {
        match &self.initiators {
            Initiators::At(places) => {
                Starts::at(places.iter().map(|(&place, &time)| (place, time)))
            }
            _ => Starts::All,
        }
    }

    /// The same with these starters.
    pub(super) fn started_by(self, places: BTreeMap<u32, u64>) -> Self {
        let everybody = places.len() == self.ids.len() && places.values().all(|&time| time == 0);
        let initiators = if everybody { Initiators::All } else { Initiators::At(places) };
        Trial { initiators, ..self }
    }
}

/// What is wrong with an election.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// It was none.
    Violation(Violation),
    /// More messages than a bound.
    TooMany {
        /// How many.
        messages: u64,
        /// The bound.
        most: f64,
        /// Where it comes from.
        formula: String,
    },
    /// Fewer messages than the best case.
    TooFew {
        /// How many.
        messages: u64,
        /// The best case.
        fewest: f64,
        /// Its formula.
        formula: String,
    },
    /// The counter says something else.
    Counter {
        /// What it says.
        counted: u64,
        /// What was sent.
        simulated: u64,
    },
    /// It is not what was expected, or all rings together are not what theory says.
    Expected(String),
    /// A handler panicked.
    Panic(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Violation(violation) => violation.fmt(f),
            Problem::TooMany { messages, most, formula } => {
                write!(f, "{messages} messages, above {formula} = {most}")
            }
            Problem::TooFew { messages, fewest, formula } => {
                write!(f, "{messages} messages, below the best case {formula} = {fewest}")
            }
            Problem::Counter { counted, simulated } => {
                write!(f, "the counter says {counted} messages, and {simulated} were sent")
            }
            Problem::Expected(text) => f.write_str(text),
            Problem::Panic(text) => write!(f, "a handler panicked: {text}"),
        }
    }
}
