//! The engines: they deliver every message of an election through the algorithm's own state
//! machines, count, and judge.
//!
//! [`InRounds`] works in rounds, [`WithDelays`] with delays; both take an
//! [`Election`](crate::model::election::Election) and give an
//! [`Outcome`](crate::model::outcome::Outcome), or the
//! [`Violation`](crate::model::violation::Violation) that the algorithm is guilty of. A
//! [`Simulator`] is both behind one trait, an [`Entry`] is an algorithm whose type is forgotten, and a
//! [`Registry`] has the entries of a program. [`enumerate`] goes through all rings of a small size.
//!
//! What enters is an algorithm and one election; nothing here knows of experiments, files or
//! statistics.

mod books;
mod judge;
mod outcome;
pub mod queue;
mod records;

mod in_rounds;
mod with_delays;

mod simulator;

mod registry;

pub mod enumerate;

pub use in_rounds::InRounds;
pub use registry::Registry;
pub use simulator::{Entry, Simulator};
pub use with_delays::WithDelays;
