//! The event queue of the asynchronous engine: a calendar of buckets with a bitmap over it.
//!
//! Events leave in the order of (time, insertion). A binary heap takes O(log k) unpredictable steps
//! for k pending events, all over the memory. Here an event is appended to the bucket of its time,
//! the bitmap finds the next bucket in use, and only the events of the bucket at hand are sorted:
//! memory is written and read in sequence, and a stable sort needs no insertion numbers.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// An event and its time.
#[derive(Debug, Clone, Copy)]
struct Entry<T> {
    time: f64,
    event: T,
}

/// An entry far ahead, with its insertion number; leaves a heap with the smallest first.
#[derive(Debug)]
struct Far<T> {
    entry: Entry<T>,
    sequence: u64,
}

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
        let key = |far: &Self| far.sequence;
        other.entry.time.total_cmp(&self.entry.time).then(key(other).cmp(&key(self)))
    }
}

/// A bucket should hold about so many events at first: few enough to sort quickly, and so few
/// buckets that the ends of all of them stay in the cache.
const BUCKET_EVENTS: usize = 32;
const MOST_BUCKETS: usize = 1024;

/// A queue of events that leave in the order of (time, insertion). Time never runs backwards: an
/// event is not pushed before the last one popped.
#[derive(Debug)]
pub struct EventQueue<T> {
    /// The events of each bucket in the order of insertion, by bucket number modulo their count.
    buckets: Vec<Vec<Entry<T>>>,
    /// Which buckets are in use, 64 to a word.
    occupied: Vec<u64>,
    /// The events of the bucket at hand, the next one last.
    current: Vec<Entry<T>>,
    /// The number of the bucket at hand.
    bucket: u64,
    /// Buckets per unit of time.
    scale: f64,
    /// What lies beyond the calendar's last bucket.
    far: BinaryHeap<Far<T>>,
    /// The number of events that went there.
    sequence: u64,
}

impl<T> Default for EventQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> EventQueue<T> {
    /// A queue without buckets; [`EventQueue::reset`] comes first.
    pub fn new() -> Self {
        EventQueue {
            buckets: Vec::new(),
            occupied: Vec::new(),
            current: Vec::new(),
            bucket: 0,
            scale: 1.0,
            far: BinaryHeap::new(),
            sequence: 0,
        }
    }

    /// Empties the queue and fits it for about `events` pending events within `horizon` time units
    /// of each other. More events or a longer horizon are only slower.
    pub fn reset(&mut self, events: usize, horizon: f64) {
        let buckets = (events / BUCKET_EVENTS).next_power_of_two().clamp(64, MOST_BUCKETS);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.buckets.resize_with(buckets, Vec::new);
        self.occupied.clear();
        self.occupied.resize(buckets / 64, 0);
        self.current.clear();
        self.bucket = 0;
        // One bucket less, since the horizon may begin in the middle of a bucket.
        self.scale = if horizon > 0.0 { (buckets - 1) as f64 / horizon } else { 1.0 };
        self.far.clear();
        self.sequence = 0;
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.current.is_empty()
            && self.far.is_empty()
            && self.occupied.iter().all(|&word| word == 0)
    }

    fn bucket_of(&self, time: f64) -> u64 {
        // Casting saturates: a time too far for a bucket number is far all the same.
        (time * self.scale) as u64
    }

    /// Adds an event.
    #[inline(always)]
    pub fn push(&mut self, time: f64, event: T) {
        let bucket = self.bucket_of(time);
        let ahead = bucket.wrapping_sub(self.bucket);
        if bucket > self.bucket && ahead < self.buckets.len() as u64 {
            self.append(bucket, Entry { time, event });
        } else {
            // In parts, for a whole entry would go through memory on the common way too.
            self.push_aside(bucket, time, event);
        }
    }

    #[inline(always)]
    fn append(&mut self, bucket: u64, entry: Entry<T>) {
        let slot = bucket as usize & (self.buckets.len() - 1);
        self.buckets[slot].push(entry);
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    /// Adds an event to the bucket at hand, or beyond the calendar.
    #[inline(never)]
    fn push_aside(&mut self, bucket: u64, time: f64, event: T) {
        let entry = Entry { time, event };
        if bucket > self.bucket {
            self.sequence += 1;
            return self.far.push(Far { entry, sequence: self.sequence });
        }
        // The newest event is mostly the last of its bucket: look from there.
        let later = self.current.iter().take_while(|other| entry.time < other.time).count();
        self.current.insert(later, entry);
    }

    /// The time of the earliest event.
    pub fn peek_time(&mut self) -> Option<f64> {
        if self.current.is_empty() && !self.open_next_bucket() {
            return None;
        }
        self.current.last().map(|entry| entry.time)
    }

    /// Takes the earliest event; of equally early ones the first inserted.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<(f64, T)> {
        if self.current.is_empty() && !self.open_next_bucket() {
            return None;
        }
        let Entry { time, event } = self.current.pop()?;
        Some((time, event))
    }

    /// Makes the next bucket in use the one at hand; false if there is none.
    #[inline(never)]
    fn open_next_bucket(&mut self) -> bool {
        let mask = self.buckets.len() as u64 - 1;
        let near = self.next_occupied((self.bucket & mask) as usize).map(|slot| {
            let distance = (slot as u64).wrapping_sub(self.bucket) & mask;
            self.bucket + distance
        });
        let far = self.far.peek().map(|far| self.bucket_of(far.entry.time));
        let Some(bucket) = near.into_iter().chain(far).min() else {
            return false;
        };
        self.bucket = bucket;
        if far.is_some_and(|far| far - bucket <= mask) {
            self.bring_near();
        }
        if near == Some(bucket) || far == Some(bucket) {
            let slot = (bucket & mask) as usize;
            // Moved, not swapped: every buffer stays as large as its place has ever needed.
            self.current.extend(self.buckets[slot].drain(..).rev());
            self.occupied[slot / 64] &= !(1 << (slot % 64));
        }
        if self.current.len() > 1 {
            // Stable: of equally early events the first inserted stays last.
            self.current.sort_by(|a, b| b.time.total_cmp(&a.time));
        }
        true
    }

    /// Moves what has come within the calendar into its buckets. They were beyond it until now, so
    /// nothing was inserted there since, and the order of insertion is kept.
    fn bring_near(&mut self) {
        while let Some(far) = self.far.peek() {
            let bucket = self.bucket_of(far.entry.time);
            if bucket - self.bucket >= self.buckets.len() as u64 {
                break;
            }
            if let Some(Far { entry, .. }) = self.far.pop() {
                self.append(bucket, entry);
            }
        }
    }

    /// The first bucket in use from `slot` on, cyclically.
    #[inline(always)]
    fn next_occupied(&self, slot: usize) -> Option<usize> {
        let word = slot / 64;
        let here = self.occupied[word] & (!0 << (slot % 64));
        if here != 0 {
            return Some(word * 64 + here.trailing_zeros() as usize);
        }
        let words = self.occupied.len();
        let found = (1..=words).map(|ahead| (word + ahead) % words);
        let word = found.into_iter().find(|&word| self.occupied[word] != 0)?;
        Some(word * 64 + self.occupied[word].trailing_zeros() as usize)
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
            heap.push(Far { entry: Entry { time, event: sequence }, sequence });
            while words.below(3) == 0 && !heap.is_empty() {
                let Far { entry: expected, .. } = heap.pop().expect("the heap is not empty");
                assert_eq!(queue.pop(), Some((expected.time, expected.event)));
                now = expected.time;
            }
        }
        while let Some(Far { entry: expected, .. }) = heap.pop() {
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
