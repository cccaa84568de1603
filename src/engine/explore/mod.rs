//! Every schedule: all global states that an election on a small network can reach.
//!
//! A global state is what every node knows, what is on every link, and thereby who has still to start.
//! From each state every start and every delivery that the network allows is taken. Where nothing can
//! happen any more the judge says whether it was an election; the fewest and the most messages up to
//! there are those of the shortest and the longest path through the states. What fails is shown by the
//! shortest schedule that leads there.
//!
//! A handler knows nothing but its node, so it is carried out once in each local situation, and a
//! global step looks its effect up. States are rows of small numbers, compared as they stand: two
//! different ones are never taken for one. No symmetry is used. [`Explore::reduced`] leaves out
//! schedules that only put independent deliveries into another order: it keeps the verdict and both
//! extremes, and not the number of states.

mod search;
mod store;
mod tables;

use std::fmt;

use super::simulator::Entry;
use super::trace::Step;
use crate::model::election::Election;
use crate::model::topology::Graph;
use crate::model::violation::Violation;
use search::Search;

/// An election of which every schedule is to be tried.
#[derive(Clone, Copy)]
pub struct Explore<'a> {
    /// The algorithm; it needs no clock.
    pub entry: &'a Entry,
    /// The network; a ring if there is none.
    pub graph: Option<&'a Graph>,
    /// The IDs, who starts (when does not matter), and who may end it early.
    pub election: &'a Election<'a>,
    /// Whether links keep the order of messages.
    pub fifo: bool,
    /// Whether an initiator starts whenever the schedule says, unless mail wakes it before. If not, all
    /// of them have started before the first message arrives.
    pub staggered: bool,
    /// Whether schedules are left out that only put independent deliveries into another order.
    pub reduced: bool,
    /// Whether messages count that only tell the winner to everybody.
    pub announcements: bool,
    /// The most bytes that the states may take.
    pub memory: u64,
    /// The most states.
    pub most_states: u64,
}

/// The bytes that the states may take, unless somebody says otherwise.
pub const MEMORY: u64 = 2 << 30;

/// What all schedules come to, where each of them elects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// How many states can be reached.
    pub states: u64,
    /// How many steps lead from one to another.
    pub transitions: u64,
    /// In how many of them nothing can happen any more.
    pub ends: u64,
    /// The bytes that it took.
    pub bytes: u64,
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
    /// The schedule, as [`Stage::follow`](super::trace::Stage::follow) takes it.
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

impl<'a> Explore<'a> {
    /// Every schedule of an election with FIFO links whose initiators have all started before the first
    /// message arrives; on a ring if there is no graph.
    pub fn new(entry: &'a Entry, graph: Option<&'a Graph>, election: &'a Election<'a>) -> Self {
        Explore {
            entry,
            graph,
            election,
            fifo: true,
            staggered: false,
            reduced: false,
            announcements: false,
            memory: MEMORY,
            most_states: u64::from(u32::MAX) - 1,
        }
    }

    /// Goes through all states; `met` is told how many there are, now and then.
    pub fn run(&self, met: &dyn Fn(u64)) -> Result<Explored, Ended> {
        Search::new(*self, met).run()
    }
}
