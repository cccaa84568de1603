//! A set of ports.

use crate::model::process::Port;

/// A set of the ports of one node: one word for up to 64 of them, no allocation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PortSet {
    words: Words,
    len: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Words {
    Few(u64),
    Many(Box<[u64]>),
}

impl PortSet {
    /// The empty set, for a node with so many ports.
    pub fn none(degree: usize) -> Self {
        let words = match degree.div_ceil(64) {
            0 | 1 => Words::Few(0),
            many => Words::Many(vec![0; many].into()),
        };
        PortSet { words, len: 0 }
    }

    /// All ports of a node with so many.
    pub fn all(degree: usize) -> Self {
        let mut set = PortSet::none(degree);
        for (index, word) in set.words_mut().iter_mut().enumerate() {
            let left = degree - 64 * index;
            *word = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        set.len = degree as u32;
        set
    }

    fn words(&self) -> &[u64] {
        match &self.words {
            Words::Few(word) => std::slice::from_ref(word),
            Words::Many(words) => words,
        }
    }

    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.words {
            Words::Few(word) => std::slice::from_mut(word),
            Words::Many(words) => words,
        }
    }

    /// Puts a port in; whether it was not there.
    #[inline]
    pub fn insert(&mut self, port: Port) -> bool {
        let word = &mut self.words_mut()[port / 64];
        let new = *word & (1 << (port % 64)) == 0;
        *word |= 1 << (port % 64);
        self.len += u32::from(new);
        new
    }

    /// Takes a port out; whether it was there.
    #[inline]
    pub fn remove(&mut self, port: Port) -> bool {
        let word = &mut self.words_mut()[port / 64];
        let there = *word & (1 << (port % 64)) != 0;
        *word &= !(1 << (port % 64));
        self.len -= u32::from(there);
        there
    }

    /// Takes all ports out.
    pub fn clear(&mut self) {
        if !self.is_empty() {
            self.words_mut().fill(0);
            self.len = 0;
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
        self.len == 0
    }

    /// How many ports are in it.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
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
