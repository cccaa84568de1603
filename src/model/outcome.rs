//! What a run yields.

use std::fmt;

use super::message::MAX_KINDS;
use super::process::Id;

/// A moment of an election, from its start at 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Time {
    /// Rounds of a synchronous network.
    Rounds(u64),
    /// Real time of an asynchronous network.
    Real(f64),
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Time::Rounds(rounds) => rounds.fmt(f),
            Time::Real(time) => time.fmt(f),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Time::Rounds(rounds) => serializer.serialize_u64(*rounds),
            Time::Real(time) => serializer.serialize_f64(*time),
        }
    }
}

/// What one election came to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// The winner's ID; `None` where the algorithm shows that nobody can win, and where it may fail and
    /// has.
    pub leader: Option<Id>,
    /// Messages sent, one for every hop over one link.
    pub messages: u64,
    /// Messages by kind, in the order of the algorithm's kinds; the rest is 0.
    pub kinds: [u64; MAX_KINDS],
    /// Bits sent: fields of fixed width, and lists as long as they are.
    pub bits: u128,
    /// When the leader decided; `None` without one, and under an adversary without a clock.
    pub time: Option<Time>,
    /// When the last message was delivered.
    pub end: Option<Time>,
    /// Rounds or phases of the algorithm, if it has such.
    pub rounds: Option<u64>,
    /// The largest number of messages that any one node sent.
    pub max_node_messages: u64,
}
