//! The algorithms on trees and on arbitrary networks.
//!
//! Ports are numbered in the order of the neighbours. In rounds all mail of a round is served in the
//! order in which it was sent; so every number is the same on every machine. The announcement of the
//! winner is a kind of its own, `announce`, in [`crate::algorithm::Announced`].

mod echo_election;
mod ports;

pub use echo_election::{EchoElection, Wave};
pub use ports::PortSet;
