//! What a node remembers of its ports, in few bytes: mail comes in no order of the nodes, so in a
//! large network what counts is how many lines of the cache the state of a node takes.

use std::fmt;

use crate::model::process::Port;

/// A port or none, in four bytes; `Option<Port>` takes sixteen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaybePort(u32);

impl MaybePort {
    /// No port.
    pub const NONE: MaybePort = MaybePort(u32::MAX);

    /// The port, if it is one.
    #[inline(always)]
    pub fn get(self) -> Option<Port> {
        (self != Self::NONE).then_some(self.0 as Port)
    }

    /// Whether it is none.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

impl From<Option<Port>> for MaybePort {
    #[inline(always)]
    fn from(port: Option<Port>) -> Self {
        port.map_or(Self::NONE, |port| MaybePort(port as u32))
    }
}

impl fmt::Debug for MaybePort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A set of the ports of one node: one word for up to 64 of them, no allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PortSet(Words);

impl fmt::Debug for PortSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Words {
    Few(u64),
    Many(Box<Many>),
}

/// A set of more ports than a word has bits, behind one pointer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Many {
    words: Box<[u64]>,
    len: usize,
}

impl PortSet {
    /// The empty set, for a node with so many ports.
    pub fn none(degree: usize) -> Self {
        PortSet(match degree.div_ceil(64) {
            0 | 1 => Words::Few(0),
            many => Words::Many(Box::new(Many { words: vec![0; many].into(), len: 0 })),
        })
    }

    /// All ports of a node with so many.
    pub fn all(degree: usize) -> Self {
        let mut set = PortSet::none(degree);
        (0..degree).for_each(|port| _ = set.insert(port));
        set
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        match &self.0 {
            Words::Few(word) => std::slice::from_ref(word),
            Words::Many(many) => &many.words,
        }
    }

    /// Puts a port in; whether it was not there.
    #[inline]
    pub fn insert(&mut self, port: Port) -> bool {
        let new = !self.contains(port);
        match &mut self.0 {
            Words::Few(word) => *word |= 1 << port,
            Words::Many(many) => {
                many.words[port / 64] |= 1 << (port % 64);
                many.len += usize::from(new);
            }
        }
        new
    }

    /// Puts a port in if the condition holds: without a branch where a word is enough.
    #[inline(always)]
    pub fn insert_if(&mut self, condition: bool, port: Port) {
        match &mut self.0 {
            Words::Few(word) => *word |= u64::from(condition) << port,
            Words::Many(_) if condition => _ = self.insert(port),
            Words::Many(_) => {}
        }
    }

    /// Takes a port out; whether it was there.
    #[inline]
    pub fn remove(&mut self, port: Port) -> bool {
        let there = self.contains(port);
        match &mut self.0 {
            Words::Few(word) => *word &= !(1 << port),
            Words::Many(many) => {
                many.words[port / 64] &= !(1 << (port % 64));
                many.len -= usize::from(there);
            }
        }
        there
    }

    /// Takes all ports out.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.0 {
            Words::Few(word) => *word = 0,
            Words::Many(many) if many.len == 0 => {}
            Words::Many(many) => {
                many.words.fill(0);
                many.len = 0;
            }
        }
    }

    /// Whether a port is in it.
    #[inline]
    pub fn contains(&self, port: Port) -> bool {
        self.words()[port / 64] & (1 << (port % 64)) != 0
    }

    /// Whether no port is in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many ports are in it.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Words::Few(word) => word.count_ones() as usize,
            Words::Many(many) => many.len,
        }
    }

    /// The lowest port from `port` on.
    #[inline]
    pub fn first_from(&self, port: Port) -> Option<Port> {
        let words = self.words();
        let mut index = port / 64;
        let mut word = words.get(index)? & (u64::MAX << (port % 64));
        while word == 0 {
            index += 1;
            word = *words.get(index)?;
        }
        Some(64 * index + word.trailing_zeros() as usize)
    }

    /// The ports in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Port> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let port = self.first_from(next)?;
            next = port + 1;
            Some(port)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::{Key, Purpose};
    use std::collections::BTreeSet;

    #[test]
    fn a_port_or_none_is_what_it_was_made_of() {
        for port in [None, Some(0), Some(7), Some(u32::MAX as Port - 1)] {
            let packed = MaybePort::from(port);
            assert_eq!((packed.get(), packed.is_none()), (port, port.is_none()));
            assert_eq!(format!("{packed:?}"), format!("{port:?}"));
        }
        assert_eq!((size_of::<MaybePort>(), size_of::<PortSet>()), (4, 16));
    }

    #[test]
    fn it_is_the_set_that_the_library_has() {
        for degree in [1, 3, 63, 64, 65, 128, 200] {
            let mut words = Key::new(1, "ports", degree as u64, "", "").stream(0, Purpose::Coins);
            let mut set = PortSet::none(degree);
            let mut plain = BTreeSet::new();
            for _ in 0..1000 {
                let port = words.below(degree as u64) as Port;
                match words.below(2) {
                    0 => assert_eq!(set.insert(port), plain.insert(port)),
                    _ => assert_eq!(set.remove(port), plain.remove(&port)),
                }
                assert_eq!(set.contains(port), plain.contains(&port));
                assert_eq!((set.len(), set.is_empty()), (plain.len(), plain.is_empty()));
                assert_eq!(set.first_from(port), plain.range(port..).next().copied());
            }
            assert!(set.iter().eq(plain));
            assert!(PortSet::all(degree).iter().eq(0..degree));
            assert_eq!(PortSet::all(degree).len(), degree);
            set.clear();
            assert_eq!(set, PortSet::none(degree));
        }
        assert_eq!(PortSet::all(0), PortSet::none(0));
        assert_eq!(PortSet::none(0).first_from(0), None);
    }
}
