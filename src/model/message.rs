//! What processes send: messages of a few named kinds, and the bits that they take.

use std::fmt::{self, Debug};

use super::id::Id;

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

/// The bits that all fields of a message of one kind take together.
pub type Bits = fn(&Widths) -> u64;

#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    bits: Bits,
    /// How many IDs it carries besides, as a message inside another algorithm's.
    ids: u64,
    /// Whether it only tells the winner to everybody.
    announces: bool,
    /// Whether it lists IDs besides, as many as it pleases.
    lists: bool,
}

impl Kind {
    const fn new(name: &'static str, bits: Bits) -> Self {
        Kind { name, bits, ids: 0, announces: false, lists: false }
    }

    /// The bits of its fields, without its tag and what it lists.
    fn fields(&self, widths: &Widths) -> u64 {
        (self.bits)(widths) + self.ids * widths.id
    }
}

/// The kinds of an algorithm's messages: their names, as they appear in tables, and the bits of their
/// fields.
#[derive(Clone, Copy)]
pub struct Kinds {
    table: [Kind; MAX_KINDS],
    len: usize,
}

impl Kinds {
    /// The kinds of these names, with the bits of their fields; at most [`MAX_KINDS`].
    pub const fn new(table: &[(&'static str, Bits)]) -> Self {
        let none = Kind::new("", |_| 0);
        let mut kinds = Kinds { table: [none; MAX_KINDS], len: 0 };
        while kinds.len < table.len() {
            let (name, bits) = table[kinds.len];
            kinds = kinds.and(name, bits);
        }
        kinds
    }

    /// These kinds and one more.
    #[must_use]
    pub const fn and(mut self, name: &'static str, bits: Bits) -> Self {
        assert!(self.len < MAX_KINDS, "a message has too many kinds");
        self.table[self.len] = Kind::new(name, bits);
        self.len += 1;
        self
    }

    /// These kinds, and the last of them only tells the winner to everybody, after the election.
    #[must_use]
    pub const fn announcing(mut self) -> Self {
        self.table[self.len - 1].announces = true;
        self
    }

    /// These kinds, and the last of them lists IDs beyond its fields: see [`Message::listed_ids`].
    #[must_use]
    pub const fn listing(mut self) -> Self {
        self.table[self.len - 1].lists = true;
        self
    }

    /// These kinds, and each has a field more: an ID.
    #[must_use]
    pub const fn each_with_id(mut self) -> Self {
        let mut kind = 0;
        while kind < self.len {
            self.table[kind].ids += 1;
            kind += 1;
        }
        self
    }

    /// How many there are.
    pub const fn count(&self) -> usize {
        self.len
    }

    /// Whether messages of this kind only announce the winner.
    pub fn announces(&self, kind: usize) -> bool {
        self.table().get(kind).is_some_and(|kind| kind.announces)
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.table().iter().map(|kind| kind.name)
    }

    /// The bits of so many messages of each kind: of their tags and their fields.
    pub fn bits(&self, counts: &[u64; MAX_KINDS], widths: &Widths) -> u128 {
        let bits = |kind: &Kind| u128::from(self.tag() + kind.fields(widths));
        let of_kind = |(kind, &count)| u128::from(count) * bits(kind);
        self.table().iter().zip(counts).map(of_kind).sum()
    }

    /// The bits of every message, where all have the same number.
    pub fn bits_of_each(&self, widths: &Widths) -> Option<u64> {
        let (first, rest) = self.table().split_first()?;
        let same = |kind: &Kind| kind.fields(widths) == first.fields(widths);
        let fixed = self.table().iter().all(|kind| !kind.lists);
        (fixed && rest.iter().all(same)).then(|| self.tag() + first.fields(widths))
    }

    /// The tag of one of K kinds takes ⌈lg K⌉ bits.
    fn tag(&self) -> u64 {
        u64::from(usize::BITS - self.len.saturating_sub(1).leading_zeros())
    }

    /// Those of so many messages of each kind that only tell the winner to everybody.
    pub fn announcements(&self, counts: &[u64; MAX_KINDS]) -> u64 {
        let lines = self.table().iter().zip(counts);
        lines.filter(|(kind, _)| kind.announces).map(|(_, count)| count).sum()
    }

    fn table(&self) -> &[Kind] {
        &self.table[..self.len]
    }
}

impl Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// A message of one of a few named kinds. Where an algorithm can, it is small and `Copy`; those of
/// ring algorithms must be.
///
/// One of a single kind needs its table only; for an enum with a kind for each variant, [`kinds!`]
/// writes the whole.
///
/// ```
/// use hustings::prelude::*;
///
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// struct Candidate(Id);
///
/// impl Message for Candidate {
///     const KINDS: Kinds = Kinds::new(&[("id", |w| w.id)]);
/// }
/// ```
pub trait Message: Clone + Debug + PartialEq {
    /// The kinds, with the bits of their fields.
    const KINDS: Kinds;

    /// Which kind this message is: its place in [`Message::KINDS`].
    #[inline(always)]
    fn kind(&self) -> usize {
        const { assert!(Self::KINDS.count() == 1, "a message of many kinds says which it is") }
        0
    }

    /// How many IDs this message lists beyond its fields, for messages without a fixed length, whose
    /// kinds say so: [`Kinds::listing`].
    fn listed_ids(&self) -> usize {
        0
    }
}

/// Implements [`Message`](crate::model::message::Message) for an enum, from one table: a line for
/// each variant, with the name of its kind and the bits of its fields.
///
/// ```
/// use hustings::prelude::*;
///
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Probe {
///     Out { id: Id, phase: u8, hops: u32 },
///     Back(Id),
///     Stop,
/// }
///
/// kinds! { Probe {
///     Out: "out", |w| w.id + w.phase + w.hops;
///     Back: "back", |w| w.id;
///     Stop: "stop", |_| 0;
/// } }
///
/// assert!(Probe::KINDS.names().eq(["out", "back", "stop"]));
/// assert_eq!(Probe::Back(7).kind(), 1);
/// ```
///
/// A kind that only tells the winner to everybody, after the election, says so at the end of its line:
/// `Leader: "leader", |w| w.id, announcing;`; and so does one that lists IDs. What follows the table goes into the `impl` as it is:
///
/// ```
/// # use hustings::prelude::*;
/// #[derive(Debug, Clone, PartialEq)]
/// enum Token {
///     Forward(Vec<Id>),
///     Return(Vec<Id>),
/// }
///
/// kinds! {
///     Token {
///         Forward: "forward", |_| 0, listing;
///         Return: "return", |_| 0, listing;
///     }
///
///     fn listed_ids(&self) -> usize {
///         let (Token::Forward(visited) | Token::Return(visited)) = self;
///         visited.len()
///     }
/// }
///
/// assert_eq!(Token::Return(vec![3, 1]).listed_ids(), 2);
/// ```
#[macro_export]
macro_rules! kinds {
    ($message:ident {
        $($variant:ident: $name:literal, $bits:expr $(, $announcing:ident)?;)+
    } $($more:tt)*) => {
        impl $crate::model::message::Message for $message {
            const KINDS: $crate::model::message::Kinds =
                $crate::model::message::Kinds::new(&[])
                    $(.and($name, $bits)$(.$announcing())?)+;

            #[inline(always)]
            fn kind(&self) -> usize {
                // The same variants in the order of the table: each is the number of its line.
                enum Line { $($variant),+ }
                match self { $(Self::$variant { .. } => Line::$variant as usize),+ }
            }

            $($more)*
        }
    };
}

pub use kinds;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq)]
    enum Mail {
        Unit,
        Tuple(Id, u8),
        Struct { list: Vec<Id> },
    }

    kinds! {
        Mail {
            Struct: "struct", |w| w.hops;
            Unit: "unit", |_| 0;
            Tuple: "tuple", |w| w.id + w.phase, announcing;
        }

        fn listed_ids(&self) -> usize {
            if let Mail::Struct { list } = self { list.len() } else { 0 }
        }
    }

    const WIDTHS: Widths = Widths { id: 10, hops: 100, phase: 1000 };

    fn bits(kinds: Kinds) -> Vec<u128> {
        let one = |kind| std::array::from_fn(|place| u64::from(place == kind));
        (0..kinds.count()).map(|kind| kinds.bits(&one(kind), &WIDTHS)).collect()
    }

    #[test]
    fn a_kind_is_a_line_of_the_table_in_any_order_of_the_variants() {
        let mail = [Mail::Struct { list: vec![5, 6] }, Mail::Unit, Mail::Tuple(1, 2)];
        assert_eq!(mail.each_ref().map(Message::kind), [0, 1, 2]);
        assert_eq!(mail.each_ref().map(Message::listed_ids), [2, 0, 0]);
        assert!(Mail::KINDS.names().eq(["struct", "unit", "tuple"]));
    }

    #[test]
    fn announcements_are_the_kinds_that_say_so() {
        assert_eq!(Mail::KINDS.announcements(&[1, 20, 300, 4000, 0, 0, 0, 0]), 300);
        let more = Mail::KINDS.each_with_id().and("leader", |_| 0);
        assert_eq!(more.announcements(&[1, 20, 300, 4000, 0, 0, 0, 0]), 300);
        assert_eq!(more.announcing().announcements(&[1, 20, 300, 4000, 0, 0, 0, 0]), 4300);
    }

    #[test]
    fn a_message_takes_its_tag_and_its_fields() {
        assert_eq!(bits(Mail::KINDS), [102, 2, 1012]);
        assert_eq!(bits(Mail::KINDS.each_with_id()), [112, 12, 1022]);
        assert_eq!(bits(Mail::KINDS.each_with_id().and("more", |w| w.id)), [112, 12, 1022, 12]);
        assert_eq!(bits(Kinds::new(&[("only", |w| w.id)])), [10]);
        assert_eq!(Mail::KINDS.bits(&[3, 1, 0, 0, 0, 0, 0, 0], &WIDTHS), 308);
    }

    #[test]
    fn all_messages_have_the_same_bits_only_if_all_fields_have_and_none_lists() {
        let same = Kinds::new(&[("one", |w| w.id), ("two", |w| w.id)]);
        assert_eq!(same.bits_of_each(&WIDTHS), Some(11));
        assert_eq!(same.and("three", |_| 0).bits_of_each(&WIDTHS), None);
        assert_eq!(same.listing().bits_of_each(&WIDTHS), None);
    }
}
