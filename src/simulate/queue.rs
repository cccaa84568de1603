//! The event queue of the asynchronous engine: a calendar of buckets with a bitmap over it.
//!
//! Events leave in the order of (time, insertion number). A binary heap takes O(log k) unpredictable
//! steps for k pending events; here an event goes straight into the bucket of its time, the bitmap
//! finds the next bucket in use, and only the few events of the bucket at hand are sorted.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

/// An event with its place in the order.
#[derive(Debug, Clone, Copy)]
struct Entry<T> {
    time: f64,
    sequence: u64,
    event: T,
}

impl<T> Entry<T> {
    fn order(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.sequence.cmp(&other.sequence))
    }
}

/// Entries in a heap leave with the smallest first.
#[derive(Debug)]
struct Far<T>(Entry<T>);

impl<T> PartialEq for Far<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl<T> Eq for Far<T> {}
impl<T> PartialOrd for Far<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Far<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.order(&self.0)
    }
}

/// A queue of events that leave in the order of (time, insertion number). Time never runs
/// backwards: an event is not pushed before the last one popped.
#[derive(Debug)]
pub struct EventQueue<T> {
    /// The first entry of each bucket, by bucket number modulo their count; a list through `next`.
    heads: Vec<u32>,
    /// Which buckets are in use, 64 to a word, and which of these words are not 0.
    occupied: Vec<u64>,
    occupied_words: Vec<u64>,
    /// The entries of all buckets, and the list of free places.
    pool: Vec<(Entry<T>, u32)>,
    free: u32,
    /// The events of the bucket at hand from `cursor` on, in order.
    current: Vec<Entry<T>>,
    cursor: usize,
    /// The number of the bucket at hand.
    bucket: u64,
    /// Buckets per unit of time.
    scale: f64,
    /// What lies beyond the calendar's last bucket.
    far: BinaryHeap<Far<T>>,
    sequence: u64,
}

impl<T: Copy> Default for EventQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> EventQueue<T> {
    /// A queue without buckets; [`EventQueue::reset`] comes first.
    pub fn new() -> Self {
        EventQueue {
            heads: Vec::new(),
            occupied: Vec::new(),
            occupied_words: Vec::new(),
            pool: Vec::new(),
            free: NONE,
            current: Vec::new(),
            cursor: 0,
            bucket: 0,
            scale: 1.0,
            far: BinaryHeap::new(),
            sequence: 0,
        }
    }

    /// Empties the queue and fits it for about `events` pending events within `horizon` time units
    /// of each other. More events or a longer horizon are only slower.
    pub fn reset(&mut self, events: usize, horizon: f64) {
        let buckets = events.clamp(64, 1 << 22).next_power_of_two();
        self.heads.clear();
        self.heads.resize(buckets, NONE);
        self.occupied.clear();
        self.occupied.resize(buckets / 64, 0);
        self.occupied_words.clear();
        self.occupied_words.resize((buckets / 64).div_ceil(64), 0);
        self.pool.clear();
        self.free = NONE;
        self.current.clear();
        self.cursor = 0;
        self.bucket = 0;
        // One bucket less, since the horizon may begin in the middle of a bucket.
        self.scale = if horizon > 0.0 { (buckets - 1) as f64 / horizon } else { 1.0 };
        self.far.clear();
        self.sequence = 0;
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.cursor == self.current.len()
            && self.far.is_empty()
            && self.occupied_words.iter().all(|&word| word == 0)
    }

    fn bucket_of(&self, time: f64) -> u64 {
        // Casting saturates: a time too far for a bucket number is far all the same.
        (time * self.scale) as u64
    }

    /// Adds an event.
    #[inline]
    pub fn push(&mut self, time: f64, event: T) {
        let entry = Entry { time, sequence: self.sequence, event };
        self.sequence += 1;
        let bucket = self.bucket_of(time);
        if bucket <= self.bucket {
            self.insert_current(entry);
        } else if bucket - self.bucket < self.heads.len() as u64 {
            self.insert_bucket(bucket as usize & (self.heads.len() - 1), entry);
        } else {
            self.far.push(Far(entry));
        }
    }

    fn insert_current(&mut self, entry: Entry<T>) {
        // The newest event is mostly the last of its bucket: look from the end.
        let later = self.current[self.cursor..]
            .iter()
            .rev()
            .take_while(|other| entry.order(other).is_lt())
            .count();
        self.current.insert(self.current.len() - later, entry);
    }

    #[inline]
    fn insert_bucket(&mut self, slot: usize, entry: Entry<T>) {
        let next = self.heads[slot];
        let place = if self.free == NONE {
            self.pool.push((entry, next));
            self.pool.len() as u32 - 1
        } else {
            let place = self.free;
            let node = &mut self.pool[place as usize];
            self.free = node.1;
            *node = (entry, next);
            place
        };
        self.heads[slot] = place;
        let word = slot / 64;
        self.occupied[word] |= 1 << (slot % 64);
        self.occupied_words[word / 64] |= 1 << (word % 64);
    }

    /// The time of the earliest event.
    pub fn peek_time(&mut self) -> Option<f64> {
        if self.cursor == self.current.len() && !self.open_next_bucket() {
            return None;
        }
        Some(self.current[self.cursor].time)
    }

    /// Takes the earliest event; of equally early ones the first inserted.
    #[inline]
    pub fn pop(&mut self) -> Option<(f64, T)> {
        if self.cursor == self.current.len() && !self.open_next_bucket() {
            return None;
        }
        let Entry { time, event, .. } = self.current[self.cursor];
        self.cursor += 1;
        Some((time, event))
    }

    /// Moves the next bucket in use to `current`; false if there is none.
    #[inline]
    fn open_next_bucket(&mut self) -> bool {
        self.current.clear();
        self.cursor = 0;
        let mask = self.heads.len() as u64 - 1;
        let near = self.next_occupied((self.bucket & mask) as usize).map(|slot| {
            let distance = (slot as u64).wrapping_sub(self.bucket) & mask;
            self.bucket + distance
        });
        let far = self.far.peek().map(|Far(entry)| self.bucket_of(entry.time));
        let Some(bucket) = near.into_iter().chain(far).min() else {
            return false;
        };
        self.bucket = bucket;
        if near == Some(bucket) {
            self.empty_bucket((bucket & mask) as usize);
        }
        if far == Some(bucket) {
            while let Some(Far(entry)) = self.far.peek()
                && self.bucket_of(entry.time) == bucket
            {
                self.current.extend(self.far.pop().map(|Far(entry)| entry));
            }
        }
        if self.current.len() > 1 {
            self.current.sort_unstable_by(Entry::order);
        }
        true
    }

    fn empty_bucket(&mut self, slot: usize) {
        let mut place = self.heads[slot];
        self.heads[slot] = NONE;
        while place != NONE {
            let (entry, next) = self.pool[place as usize];
            self.current.push(entry);
            self.pool[place as usize].1 = self.free;
            self.free = place;
            place = next;
        }
        let word = slot / 64;
        self.occupied[word] &= !(1 << (slot % 64));
        if self.occupied[word] == 0 {
            self.occupied_words[word / 64] &= !(1 << (word % 64));
        }
    }

    /// The first bucket in use from `slot` on, cyclically.
    #[inline]
    fn next_occupied(&self, slot: usize) -> Option<usize> {
        let word = slot / 64;
        let here = self.occupied[word] & (!0 << (slot % 64));
        if here != 0 {
            return Some(word * 64 + here.trailing_zeros() as usize);
        }
        let word = self.next_word(word + 1).or_else(|| self.next_word(0))?;
        Some(word * 64 + self.occupied[word].trailing_zeros() as usize)
    }

    /// The first word in use from `word` on.
    fn next_word(&self, word: usize) -> Option<usize> {
        let first = word / 64;
        let here = self.occupied_words.get(first)? & (!0 << (word % 64));
        if here != 0 {
            return Some(first * 64 + here.trailing_zeros() as usize);
        }
        let rest = &self.occupied_words[first + 1..];
        let further = rest.iter().position(|&bits| bits != 0)?;
        let index = first + 1 + further;
        Some(index * 64 + self.occupied_words[index].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Key, Purpose};

    /// Runs the queue and a binary heap side by side through pushes and pops drawn at random.
    fn agrees_with_a_heap(events: usize, horizon: f64, mut delay: impl FnMut(f64, u64) -> f64) {
        let mut words = Key::new(1, "queue", events as u64, "", "").stream(0, Purpose::Delays);
        let mut queue = EventQueue::new();
        queue.reset(events, horizon);
        let mut heap = BinaryHeap::new();
        let mut now = 0.0;
        for sequence in 0..20_000u64 {
            let time = now + delay(words.unit(), sequence);
            queue.push(time, sequence);
            heap.push(Far(Entry { time, sequence, event: sequence }));
            while words.below(3) == 0 && !heap.is_empty() {
                let Far(expected) = heap.pop().expect("the heap is not empty");
                assert_eq!(queue.pop(), Some((expected.time, expected.event)));
                now = expected.time;
            }
        }
        while let Some(Far(expected)) = heap.pop() {
            assert!(!queue.is_empty());
            assert_eq!(queue.pop(), Some((expected.time, expected.event)));
        }
        assert!(queue.is_empty());
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn it_leaves_in_the_order_of_a_heap() {
        for events in [1, 64, 1000, 20_000] {
            agrees_with_a_heap(events, 1.0, |unit, _| unit);
            agrees_with_a_heap(events, 8.0, |unit, _| -(1.0 - unit).ln());
        }
    }

    #[test]
    fn equal_times_leave_in_insertion_order() {
        agrees_with_a_heap(100, 1.0, |_, _| 1.0);
        agrees_with_a_heap(100, 0.0, |_, _| 0.0);
        agrees_with_a_heap(100, 1.0, |unit, _| (unit * 4.0).floor());
    }

    #[test]
    fn a_horizon_far_too_short_is_only_slower() {
        agrees_with_a_heap(64, 1e-6, |unit, _| unit);
        agrees_with_a_heap(64, 1.0, |unit, sequence| if sequence % 7 == 0 { 1e15 } else { unit });
    }
}
