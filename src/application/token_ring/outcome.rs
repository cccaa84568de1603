//! What came of a run.

use super::clock::Moment;
use crate::model::process::Id;

/// Something that happened at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The token came.
    TokenArrives,
    /// A token came that is older than one seen before, and was discarded.
    Discarded,
    /// The token was passed on: the so-manieth time that any was, and whether it got lost.
    Forwarded {
        /// Counted from 1.
        number: u64,
        /// Whether it never arrives.
        lost: bool,
    },
    /// The timer ran out, and an election was called.
    Expired {
        /// Whether there was a token after all.
        spurious: bool,
    },
    /// A message of an election was sent.
    Sent {
        /// For whom.
        candidate: Id,
        /// Counted from 1.
        number: u64,
        /// Whether it never arrives.
        lost: bool,
    },
    /// The node won, and made a new token.
    Elected,
}

/// A time without a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// When the last token was lost.
    pub begin: Moment,
    /// How long it took until a timer ran out; `None` if an election was under way already.
    pub detection: Option<Moment>,
    /// How long it took until there was a token again; `None` if there was none in the end.
    pub recovery: Option<Moment>,
}

/// What came of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Messages of elections.
    pub election_messages: u64,
    /// Hops of tokens, lost ones included.
    pub token_messages: u64,
    /// Tokens lost.
    pub losses: u64,
    /// Messages of elections lost.
    pub election_losses: u64,
    /// Who was elected when, by position.
    pub elected: Vec<(Moment, u32)>,
    /// Timers that ran out and called an election; those that are ignored are not among them.
    pub expiries: Vec<(Moment, u32)>,
    /// Those of them that ran out although there was a token.
    pub spurious: u64,
    /// Tokens discarded for being older than others.
    pub discarded: u64,
    /// The most tokens at one time.
    pub max_tokens: u64,
    /// Tokens in the end.
    pub tokens_at_end: u64,
    /// How long there was no token, exactly one, and more.
    pub time_with: [Moment; 3],
    /// The times without a token, one after another.
    pub outages: Vec<Outage>,
}
