//! The engines: they deliver every message of an election through the algorithm's own state
//! machines, count, and judge.
//!
//! [`InRounds`] works in rounds on rings, [`GraphRounds`] on graphs, [`WithDelays`] with delays; all take an
//! [`Election`](crate::model::election::Election) and give an
//! [`Outcome`](crate::model::outcome::Outcome), or the
//! [`Violation`](crate::model::violation::Violation) that the algorithm is guilty of. A
//! [`Simulator`] is all of them behind one trait, an [`Entry`] is an algorithm whose type is forgotten, and a
//! [`Registry`] has the entries of a program. A [`machine`](machine::Machine) is an algorithm
//! whose nodes are taken one step at a time, and a [`Stage`](trace::Stage) writes down what happens event by
//! event. [`enumerate`] goes through all rings of a small size, [`explore`] through all schedules of an
//! election, and [`lower_bound`] has the adversaries.
//!
//! What enters is an algorithm and one election; nothing here knows of experiments, files or
//! statistics.

mod books;
mod judge;
mod outcome;
mod participants;
pub mod queue;
mod records;

mod graph_rounds;
mod in_rounds;
mod with_delays;

pub mod machine;

mod simulator;

pub mod trace;
mod words;

mod registry;

pub mod enumerate;

pub mod explore;

pub mod lower_bound;

pub use graph_rounds::GraphRounds;
pub use in_rounds::InRounds;
pub use registry::Registry;
pub use simulator::{Entry, Simulator};
pub use with_delays::WithDelays;
