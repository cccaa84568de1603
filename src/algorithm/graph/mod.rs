//! The algorithms on trees and on arbitrary networks.
//!
//! Ports are numbered in the order of the neighbours. In rounds all mail of a round is served in the
//! order in which it was sent; so every number is the same on every machine. The announcement of the
//! winner is a kind of its own, `announce`, in [`crate::algorithm::Announced`].

mod adoption;
mod conquest;
mod dfs_colour;
mod dfs_path;
mod echo_election;
mod ports;
mod waiting;

pub use adoption::Adoption;
pub use conquest::Conquest;
pub use dfs_colour::DfsColour;
pub use dfs_path::DfsPath;
use echo_election::wave_facts;
pub use echo_election::{EchoElection, Wave};
pub use ports::PortSet;
pub use waiting::Waiting;
