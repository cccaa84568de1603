//! What the synchronous engine writes down about the nodes of a ring.

use super::Flags;
use crate::process::{NEXT, PREV};

/// Flags and numbers of messages, by node.
///
/// On a ring, what a node sends over one port is what its neighbour receives over the other. So it
/// is enough to know how many more messages left a node than came in in the same direction, and
/// nothing needs to be written about a message that only passes.
#[derive(Debug, Default)]
pub(super) struct Books {
    flags: Vec<Flags>,
    /// By port and node: the messages sent over the port less those received over the other one.
    surplus: [Vec<i64>; 2],
}

impl Books {
    /// Starts afresh with `n` nodes of these flags.
    pub fn reset(&mut self, n: usize, flags: Flags) {
        self.flags.clear();
        self.flags.resize(n, flags);
        for surplus in &mut self.surplus {
            surplus.clear();
            surplus.resize(n, 0);
        }
    }

    pub fn flags(&self) -> &[Flags] {
        &self.flags
    }

    pub fn set(&mut self, node: u32, flag: Flags) {
        self.flags[node as usize].set(flag);
    }

    /// The books of `n` nodes, to be written.
    pub fn open(&mut self, n: usize) -> OpenBooks<'_> {
        let [prev, next] = &mut self.surplus;
        OpenBooks { flags: &mut self.flags[..n], surplus: [&mut prev[..n], &mut next[..n]] }
    }

    /// The most messages that any one node sent, if `messages` were sent in all and all arrived.
    pub fn max_node_messages(&self, messages: u64) -> u64 {
        let [prev, next] = &self.surplus;
        // Clockwise a node sends what the one before it sent and its surplus; anticlockwise it is
        // that one which sends what this one sent and its own surplus.
        let steps = next.iter().skip(1).zip(prev).map(|(next, prev)| next - prev);
        let more_than_the_first = steps.scan(0, |more, step| {
            *more += step;
            Some(*more)
        });
        let (sum, largest) = more_than_the_first
            .fold((0, 0), |(sum, largest), more| (sum + i128::from(more), i64::max(largest, more)));
        let first = (i128::from(messages) - sum) / self.flags.len() as i128;
        (first + i128::from(largest)) as u64
    }

    /// Whether all nodes have done the same.
    pub fn is_symmetric(&self) -> bool {
        let [prev, next] = &self.surplus;
        all_equal(&self.flags) && all_equal(prev) && all_equal(next)
    }
}

pub(super) fn all_equal<T: PartialEq>(items: &[T]) -> bool {
    items.windows(2).all(|pair| pair[0] == pair[1])
}

/// The books while they are written: slices of one length, so that the compiler knows that a node
/// is in all of them if it is in one.
pub(super) struct OpenBooks<'a> {
    flags: &'a mut [Flags],
    surplus: [&'a mut [i64]; 2],
}

impl OpenBooks<'_> {
    #[inline(always)]
    pub fn flags(&self, node: u32) -> Flags {
        self.flags[node as usize]
    }

    /// Enters new flags, and by port how many more messages were sent than received over the other
    /// one. With `ALWAYS` no branch depends on whether that changes anything.
    #[inline(always)]
    pub fn enter<const ALWAYS: bool>(
        &mut self,
        node: u32,
        [before, now]: [Flags; 2],
        more: [i64; 2],
    ) {
        let node = node as usize;
        if ALWAYS || now != before {
            self.flags[node] = now;
        }
        for port in [PREV, NEXT] {
            if ALWAYS || more[port] != 0 {
                self.surplus[port][node] += more[port];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{Port, opposite};
    use crate::random::{Key, Purpose};
    use crate::topology::{Ports, Ring};

    /// Messages that start, pass and end at random, counted plainly beside the books.
    #[test]
    fn the_largest_count_follows_from_the_surpluses() {
        for n in [1, 2, 3, 10, 100] {
            let mut words = Key::new(1, "books", n.into(), "", "").stream(0, Purpose::Coins);
            let mut books = Books::default();
            books.reset(n as usize, Flags::default());
            let mut sent = vec![0; n as usize];
            for _ in 0..50 {
                let flags = [Flags::default(); 2];
                let mut node = words.below(n.into()) as u32;
                let port = words.below(2) as Port;
                let mut more = [0; 2];
                more[port] = 1;
                books.open(n as usize).enter::<false>(node, flags, more);
                let mut arrival = port;
                for _ in 0..=words.below(3 * u64::from(n)) {
                    sent[node as usize] += 1;
                    (node, arrival) = Ring::new(n).peer(node, port);
                    books.open(n as usize).enter::<true>(node, flags, [0; 2]);
                }
                more = [0; 2];
                more[opposite(arrival)] = -1;
                books.open(n as usize).enter::<true>(node, flags, more);
            }
            let largest = sent.iter().copied().max().unwrap_or(0);
            assert_eq!(books.max_node_messages(sent.iter().sum()), largest, "n = {n}");
        }
    }
}
