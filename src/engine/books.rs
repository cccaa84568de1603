//! What the synchronous engine writes down about the nodes of a ring.

use super::records::{Flags, Record};
use crate::model::process::{NEXT, PREV};

/// Flags and numbers of messages, by node.
///
/// On a ring, what a node sends over one port is what its neighbour receives over the other. So it
/// is enough to know how many more messages left a node than came in in the same direction, and
/// nothing needs to be counted of a message that only passes.
#[derive(Debug, Default)]
pub(super) struct Books {
    /// With how many more messages a node sent over NEXT than it received over PREV.
    records: Vec<Record>,
    /// How many more messages a node sent over PREV than it received over NEXT.
    surplus: Vec<i64>,
}

impl Books {
    /// Starts afresh with `n` nodes of these flags.
    pub fn reset(&mut self, n: usize, flags: Flags) {
        self.records.clear();
        self.records.resize(n, Record::new(flags));
        self.surplus.clear();
        self.surplus.resize(n, 0);
    }

    /// The records by node; their numbers are surpluses.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    pub fn record(&mut self, node: u32) -> &mut Record {
        &mut self.records[node as usize]
    }

    /// The books of `n` nodes, to be written.
    pub fn open(&mut self, n: usize) -> OpenBooks<'_> {
        OpenBooks { records: &mut self.records[..n], surplus: &mut self.surplus[..n] }
    }

    /// The most messages that any one node sent, if `messages` were sent in all and all arrived.
    pub fn max_node_messages(&self, messages: u64) -> u64 {
        // Clockwise a node sends what the one before it sent and its surplus; anticlockwise it is
        // that one which sends what this one sent and its own surplus.
        let next = self.records.iter().map(|record| record.number());
        let steps = next.skip(1).zip(&self.surplus).map(|(next, prev)| next - prev);
        let more_than_the_first = steps.scan(0, |more, step| {
            *more += step;
            Some(*more)
        });
        let (sum, largest) = more_than_the_first
            .fold((0, 0), |(sum, largest), more| (sum + i128::from(more), i64::max(largest, more)));
        let first = (i128::from(messages) - sum) / self.records.len() as i128;
        (first + i128::from(largest)) as u64
    }

    /// Whether all nodes have done the same.
    pub fn is_symmetric(&self) -> bool {
        all_equal(&self.records) && all_equal(&self.surplus)
    }
}

pub(super) fn all_equal<T: PartialEq>(items: &[T]) -> bool {
    items.windows(2).all(|pair| pair[0] == pair[1])
}

/// The books while they are written: slices of one length, so that the compiler knows that a node
/// is in all of them if it is in one.
pub(super) struct OpenBooks<'a> {
    pub records: &'a mut [Record],
    surplus: &'a mut [i64],
}

impl OpenBooks<'_> {
    /// The same books for a while.
    #[inline(always)]
    pub fn reborrow(&mut self) -> OpenBooks<'_> {
        OpenBooks { records: self.records, surplus: self.surplus }
    }

    /// Enters, by port, how many more messages a node sent than it received over the other one.
    #[inline(always)]
    pub fn enter(&mut self, node: u32, more: [i64; 2]) {
        if more[NEXT] != 0 {
            self.records[node as usize].add(more[NEXT]);
        }
        if more[PREV] != 0 {
            self.surplus[node as usize] += more[PREV];
        }
    }

    /// The same together with the rest of a new record, and no branch depends on what there is to
    /// enter.
    #[inline(always)]
    pub fn replace(&mut self, node: u32, mut record: Record, more: [i64; 2]) {
        record.add(more[NEXT]);
        self.records[node as usize] = record;
        self.surplus[node as usize] += more[PREV];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Port, opposite};
    use crate::model::random::{Key, Purpose};
    use crate::model::topology::{Ports, Ring};

    /// Messages that start, pass and end at random, counted plainly beside the books.
    #[test]
    fn the_largest_count_follows_from_the_surpluses() {
        for n in [1, 2, 3, 10, 100] {
            let mut words = Key::new(1, "books", n.into(), "", "").stream(0, Purpose::Coins);
            let mut books = Books::default();
            books.reset(n as usize, Flags::default());
            let mut sent = vec![0; n as usize];
            for _ in 0..50 {
                let mut node = words.below(n.into()) as u32;
                let port = words.below(2) as Port;
                let mut more = [0; 2];
                more[port] = 1;
                books.open(n as usize).enter(node, more);
                let mut arrival = port;
                for _ in 0..=words.below(3 * u64::from(n)) {
                    sent[node as usize] += 1;
                    (node, arrival) = Ring::new(n).peer(node, port);
                    let record = *books.record(node);
                    books.open(n as usize).replace(node, record, [0; 2]);
                }
                more = [0; 2];
                more[opposite(arrival)] = -1;
                let mut record = *books.record(node);
                record.follow_if(true);
                books.open(n as usize).replace(node, record, more);
                assert_eq!(books.record(node).flags(), Flags::FOLLOWS);
            }
            let largest = sent.iter().copied().max().unwrap_or(0);
            assert_eq!(books.max_node_messages(sent.iter().sum()), largest, "n = {n}");
        }
    }
}
