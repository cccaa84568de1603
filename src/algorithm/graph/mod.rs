//! The algorithms on trees and on arbitrary networks.
//!
//! Ports are numbered in the order of the neighbours. In rounds all mail of a round is served in the
//! order in which it was sent; so every number is the same on every machine. The announcement of the
//! winner is a kind of its own, `announce`, in [`crate::algorithm::Announced`].

mod echo_election;
mod echo_wave;
mod extinction;
mod finn;
mod ghs;
mod kkm;
mod phase;
mod ports;
mod traversal;

pub use echo_election::{EchoElection, Wave};
pub use echo_wave::{EchoWave, Echoing};
pub use extinction::{Centralised, Extinction, Of};
pub use finn::{Finn, Sets};
pub use ghs::{Building, Ghs, Weight};
pub use kkm::{Annexing, Hunt, Kkm};
pub use phase::{Best, Phase};
pub use ports::PortSet;
pub use traversal::{
    AlongPath, DepthFirst, Extinguishing, Load, Tarry, Token, TokenWave, Traversal,
};
