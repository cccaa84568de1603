//! From what an engine counts to what a run yields.

use super::judge::{Testimony, judge};
use super::records::Record;
use crate::algorithm::Model;
use crate::model::election::Election;
use crate::model::message::{Kinds, MAX_KINDS, Widths};
use crate::model::outcome::{Outcome, Time};
use crate::model::process::Id;
use crate::model::violation::Violation;

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

/// An election that has fallen silent, as an engine sees it: of nodes of any type.
pub(super) struct Ended<'a> {
    pub election: &'a Election<'a>,
    pub model: &'a Model,
    pub kinds: &'a Kinds,
    /// By node.
    pub records: &'a [Record],
    pub testimony: Testimony,
    /// Who decided to lead, and when.
    pub leaders: &'a [(u32, Time)],
    pub counted: Counted,
    /// When the last message was delivered.
    pub end: Option<Time>,
}

impl Ended<'_> {
    /// The judge's word, and what was counted.
    pub fn outcome(&self) -> Result<Outcome, Violation> {
        let Ended { election, testimony, counted, .. } = self;
        let (leader, time) = judge(self.model, election, self.records, *testimony, self.leaders)?;
        let widths = widths(election.ids);
        let listed = u128::from(counted.listed_ids) * u128::from(widths.id);
        Ok(Outcome {
            leader,
            time,
            end: self.end,
            rounds: testimony.rounds,
            messages: counted.messages,
            kinds: counted.kinds,
            bits: self.kinds.bits(&counted.kinds, &widths) + listed,
            max_node_messages: counted.max_node_messages,
        })
    }
}

/// The most messages that one node sent, where its record has their number.
pub(super) fn most_sent(records: &[Record]) -> u64 {
    records.iter().map(|record| record.number() as u64).max().unwrap_or(0)
}

/// The largest ID takes as many bits as all of them laid over each other, which is faster to find.
fn widths(ids: &[Id]) -> Widths {
    Widths::new(ids.len() as u64, ids.iter().fold(0, |all, id| all | id))
}
