//! What the search says: what all schedules come to, or which of them fails.

use std::fmt;

use crate::engine::trace::Step;
use crate::model::violation::Violation;

/// What all schedules come to, where each of them elects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// How many states can be reached; if mail commutes, how many situations of single nodes were looked
    /// at in their place.
    pub states: u64,
    /// How many steps lead from one to another.
    pub transitions: u64,
    /// In how many of them nothing can happen any more.
    pub ends: u64,
    /// The bytes that it took.
    pub bytes: u64,
    /// Whether it was enough that mail commutes: the order in which a node takes it makes no difference,
    /// so all schedules end as one of them does.
    pub commutes: bool,
    /// A schedule with the fewest messages.
    pub min: Extreme,
    /// A schedule with the most messages.
    pub max: Extreme,
}

/// The fewest or the most messages, and a schedule that takes so many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extreme {
    /// How many messages.
    pub messages: u64,
    /// The schedule, as [`Stage::follow`](crate::engine::trace::Stage::follow) takes it.
    pub schedule: Vec<Step>,
}

/// What a schedule can lead to that is no election.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrong {
    /// The judge's word on what fell silent, or too many messages.
    Violation(Violation),
    /// The last so many steps lead back to the same state, and so on for ever.
    Endless(usize),
    /// A handler panicked in the last step.
    Panic(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Violation(violation) => violation.fmt(f),
            Wrong::Endless(1) => f.write_str("the last step leads back to where it was, for ever"),
            Wrong::Endless(steps) => {
                write!(f, "the last {steps} steps lead back to where they began, for ever")
            }
            Wrong::Panic(text) => write!(f, "a handler panicked: {text}"),
        }
    }
}

/// A schedule under which the algorithm fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub wrong: Wrong,
    /// The schedule.
    pub schedule: Vec<Step>,
    /// Whether no schedule with fewer steps fails.
    pub shortest: bool,
    /// How many states were met until it was found.
    pub states: u64,
}

/// Why not all schedules were tried.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// One of them fails.
    Fault(Box<Fault>),
    /// The states took more memory than they may, or were more than they may be: nothing is known.
    Outgrown {
        /// So many states were met.
        states: u64,
        /// So many bytes they took.
        bytes: u64,
    },
    /// Somebody asked to end it early.
    Stopped,
}
