//! What processes send: messages of a few named kinds, and the bits that they take.

use std::fmt::Debug;

use super::process::Id;

/// The bits that the fields of a message take; see `docs/method.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Widths {
    /// Bits of the largest ID in this ring.
    pub id: u64,
    /// Bits of a hop count: enough for any number up to 2n, the largest radius anyone probes.
    pub hops: u64,
    /// Bits of a phase number: enough for any phase up to log2(2n).
    pub phase: u64,
}

impl Widths {
    /// The widths for a network of `n` nodes whose largest ID is `largest`.
    pub fn new(n: u64, largest: Id) -> Self {
        let bits = |value: u64| u64::from(u64::BITS - value.leading_zeros()).max(1);
        let hops = bits(n.saturating_mul(2));
        Widths { id: bits(largest), hops, phase: bits(hops) }
    }
}

/// The most kinds that one algorithm may have.
pub const MAX_KINDS: usize = 8;

/// The names of the kinds of an algorithm's messages, as they appear in tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds {
    names: [&'static str; MAX_KINDS],
    len: usize,
}

impl Kinds {
    /// The kinds of these names; at most [`MAX_KINDS`].
    pub const fn new(names: &[&'static str]) -> Self {
        let mut kinds = Kinds { names: [""; MAX_KINDS], len: 0 };
        while kinds.len < names.len() {
            kinds = kinds.and(names[kinds.len]);
        }
        kinds
    }

    /// These kinds and one more.
    pub const fn and(mut self, name: &'static str) -> Self {
        self.names[self.len] = name;
        self.len += 1;
        self
    }

    /// The names.
    pub fn names(&self) -> &[&'static str] {
        &self.names[..self.len]
    }

    /// How many there are.
    pub const fn count(&self) -> usize {
        self.len
    }
}

/// A message of one of a few named kinds. Where an algorithm can, it is small and `Copy`; those of
/// ring algorithms must be.
pub trait Message: Clone + Debug + PartialEq {
    /// The kinds.
    const KINDS: Kinds;

    /// Which kind this message is: an index into [`Message::KINDS`].
    fn kind(&self) -> usize;

    /// The bits that the fields of a message of this kind take, without the kind tag.
    fn field_bits(kind: usize, widths: &Widths) -> u64;

    /// How many IDs this message lists beyond its fields, for messages without a fixed length.
    fn listed_ids(&self) -> usize {
        0
    }
}

/// The bits of one message of `kind`: its tag and its fields.
pub fn message_bits<M: Message>(kind: usize, widths: &Widths) -> u64 {
    let tag = u64::from(usize::BITS - (M::KINDS.count() - 1).leading_zeros());
    tag + M::field_bits(kind, widths)
}
