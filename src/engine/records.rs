//! What an engine remembers of every node.

use crate::model::process::{Id, Process};

/// What a node takes in the engines, at most: its ID and rank, its process and record, and room for
/// messages. A node has up to four on their way; lanes and queues that grow have more room than
/// they need.
pub(super) const fn node_bytes<P: Process>() -> u64 {
    let notes = size_of::<Id>() + size_of::<u32>() + 3 * size_of::<Record>();
    let message = size_of::<P::Message>() + size_of::<u64>();
    (notes + size_of::<P>() + 12 * message) as u64
}

/// What an engine remembers of a node's fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flags(u8);

impl Flags {
    /// The lowest bit, so that a condition is a flag: see [`Record::follow_if`].
    pub(super) const FOLLOWS: Flags = Flags(1);
    pub(super) const LEADS: Flags = Flags(2);
    pub(super) const STARTED: Flags = Flags(4);
    pub(super) const AWAKE: Flags = Flags(8);
    /// Who started is awake.
    pub(super) const INITIATOR: Flags = Flags(Self::STARTED.0 | Self::AWAKE.0);

    #[inline(always)]
    pub(super) fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }
}

/// A node's flags and a number of messages, in one word because most messages concern both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Record(i64);

impl Record {
    pub(super) const NUMBER: u32 = u8::BITS;

    pub(super) fn new(flags: Flags) -> Self {
        Record(i64::from(flags.0))
    }

    #[inline(always)]
    pub(super) fn flags(self) -> Flags {
        Flags(self.0 as u8)
    }

    #[inline(always)]
    pub(super) fn set(&mut self, flags: Flags) {
        self.0 |= i64::from(flags.0);
    }

    #[inline(always)]
    pub(super) fn follow_if(&mut self, condition: bool) {
        self.0 |= i64::from(condition);
    }

    pub(super) fn number(self) -> i64 {
        self.0 >> Self::NUMBER
    }

    #[inline(always)]
    pub(super) fn add(&mut self, number: i64) {
        self.0 += number << Self::NUMBER;
    }
}
