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
mod echo_wave;
mod extinction;
mod finn;
mod ghs;
mod kkm;
mod phase;
mod ports;
mod traversal;
mod waiting;

pub use adoption::Adoption;
pub use conquest::Conquest;
pub use dfs_colour::DfsColour;
pub use dfs_path::DfsPath;
use echo_election::wave_facts;
pub use echo_election::{EchoElection, Wave};
pub use echo_wave::{EchoWave, Echoing};
pub use extinction::{Centralised, Extinction, Of};
pub use finn::{Finn, Sets};
pub use ghs::{Building, Ghs, Weight};
pub use kkm::{Annexing, Hunt, Kkm};
pub use phase::{Best, Phase};
pub use ports::{MaybePort, PortSet};
pub use traversal::{
    AlongPath, DepthFirst, Extinguishing, Load, Tarry, Token, TokenWave, Traversal,
};
pub use waiting::Waiting;
