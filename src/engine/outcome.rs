//! From what an engine counts to what a run yields.

use crate::model::election::Election;
use crate::model::message::{Kinds, MAX_KINDS, Message, Widths};
use crate::model::outcome::Outcome;
use crate::model::process::{Id, Process};

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
        let rounds = processes.filter_map(Process::rounds).max();
        let decided = Outcome { rounds, ..decided };
        Outcome::complete(election, const { &P::Message::KINDS }, counted, decided)
    }

    /// Fills in what was counted of messages of these kinds.
    pub(super) fn complete(
        election: &Election<'_>,
        kinds: &Kinds,
        counted: &Counted,
        decided: Outcome,
    ) -> Outcome {
        let widths = widths(election.ids);
        let listed = u128::from(counted.listed_ids) * u128::from(widths.id);
        Outcome {
            messages: counted.messages,
            kinds: counted.kinds,
            bits: kinds.bits(&counted.kinds, &widths) + listed,
            max_node_messages: counted.max_node_messages,
            ..decided
        }
    }
}

/// The largest ID takes as many bits as all of them laid over each other, which is faster to find.
fn widths(ids: &[Id]) -> Widths {
    Widths::new(ids.len() as u64, ids.iter().fold(0, |all, id| all | id))
}
