//! Tests for your own algorithm, in one line each.
//!
//! ```
//! use hustings::algorithm::ring::ChangRoberts; // stands for yours
//! use hustings::conformance;
//!
//! // Every small ring, every set of initiators, many schedules, and on the smallest rings all of them:
//! // exactly one leader, the right one, everybody decided, silence in the end, within its bounds.
//! conformance::check::<ChangRoberts>();
//! conformance::assert_bound::<ChangRoberts>(1..=7, "n*(n+1)/2");
//! conformance::assert_mean::<ChangRoberts>(4, 25.0 / 3.0);
//! conformance::assert_messages::<ChangRoberts>(&[3, 1, 2], 5);
//! ```
//!
//! The same on every small connected graph; for algorithms on trees, on every small tree:
//!
//! ```no_run
//! use hustings::algorithm::graph::Phase; // stands for yours
//! use hustings::conformance;
//!
//! conformance::check_on_graphs::<Phase>();
//! conformance::assert_bound_on_graphs::<Phase>(1..=4, "2*edges*diameter");
//! conformance::assert_messages_on::<Phase>(&[(0, 1), (1, 2)], &[3, 1, 2], 8);
//! ```
//!
//! A failure is shrunk to the smallest network that fails, and told with the command that repeats it
//! and a trace: who sent what to whom.
//!
//! This room holds elections of one algorithm and judges them. It may ask every room that says what
//! an election is and holds one ([`model`](crate::model), [`algorithm`](crate::algorithm),
//! [`engine`](crate::engine), [`experiment`](crate::experiment)); batches, files of results and
//! statistics stay outside, and so does everything that prints.

mod assertions;
mod every_schedule;
mod failure;
mod kit;
mod network;
mod shrink;
mod subject;
mod theorems;
mod trial;
mod trials;

pub use assertions::{
    assert_bound, assert_bound_on_graphs, assert_mean, assert_messages, assert_messages_on, check,
    check_in_rounds, check_on_graphs,
};
pub use failure::Failure;
pub use kit::{Kit, Tested};
pub use network::Network;
pub use trial::{Problem, Trial};
