//! What a run yields.

use std::fmt;

use serde::{Serialize, Serializer};

use super::Election;
use crate::process::{Id, MAX_KINDS, Message, Process, Widths, message_bits};

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

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Time::Rounds(rounds) => serializer.serialize_u64(*rounds),
            Time::Real(time) => serializer.serialize_f64(*time),
        }
    }
}

/// What one election came to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// The winner's ID; `None` where the algorithm shows that nobody can win.
    pub leader: Option<Id>,
    /// Messages sent, one for every hop over one link.
    pub messages: u64,
    /// Messages by kind, in the order of the algorithm's kinds; the rest is 0.
    pub kinds: [u64; MAX_KINDS],
    /// Bits sent: fields of fixed width, and lists as long as they are.
    pub bits: u128,
    /// When the leader decided; `None` under an adversary without a clock.
    pub time: Option<Time>,
    /// When the last message was delivered.
    pub end: Option<Time>,
    /// Rounds or phases of the algorithm, if it has such.
    pub rounds: Option<u64>,
    /// The largest number of messages that any one node sent.
    pub max_node_messages: u64,
}

/// What an engine counts while it delivers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    pub messages: u64,
    pub kinds: [u64; MAX_KINDS],
    /// IDs in the lists of messages that have lists.
    pub listed_ids: u64,
    /// The most messages that one node sent.
    pub max_node_messages: u64,
}

impl Outcome {
    /// Fills in what was counted and what follows from the final states.
    pub(super) fn assemble<'a, P: Process + 'a>(
        election: &Election<'_>,
        processes: impl Iterator<Item = &'a P>,
        counted: &Counted,
        decided: Outcome,
    ) -> Outcome {
        let widths = widths(election.ids);
        let listed = u128::from(counted.listed_ids) * u128::from(widths.id);
        Outcome {
            messages: counted.messages,
            kinds: counted.kinds,
            bits: bits::<P::Message>(&counted.kinds, &widths) + listed,
            rounds: processes.filter_map(Process::rounds).max(),
            max_node_messages: counted.max_node_messages,
            ..decided
        }
    }
}

/// The largest ID takes as many bits as all of them laid over each other, which is faster to find.
fn widths(ids: &[Id]) -> Widths {
    Widths::new(ids.len() as u64, ids.iter().fold(0, |all, id| all | id))
}

/// The bits of so many messages of each kind.
pub(crate) fn bits<M: Message>(kinds: &[u64; MAX_KINDS], widths: &Widths) -> u128 {
    let of_kind = |kind| u128::from(kinds[kind]) * u128::from(message_bits::<M>(kind, widths));
    (0..M::KINDS.count()).map(of_kind).sum()
}
