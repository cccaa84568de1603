//! The event queue of the asynchronous engine: a short sorted list, and a calendar behind it.
//!
//! Events leave in the order of (time, insertion). A binary heap takes O(log k) steps for k pending
//! events, and a processor can predict hardly any of them. Here the next few events are in a list
//! into which a new one is sorted without a branch. If more are pending, the others wait in the
//! buckets of a calendar: an event is appended to the bucket of its time, a bitmap finds the next
//! bucket in use, and its events move into the list. A new calendar is made when the number of
//! pending events has changed much, so that a bucket mostly holds what the list can.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

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

/// The places of the short list: as many as a 64-bit word has hexadecimal digits.
const PLACES: usize = 16;

/// At most [`PLACES`] events in order, the next one last.
#[derive(Debug)]
struct Few<T> {
    /// In descending order; beyond `len` the times of events that have left, which are over.
    times: [f64; PLACES],
    /// The k-th digit is the place of the k-th event; beyond `len` are the free places.
    order: u64,
    len: usize,
    events: [Option<T>; PLACES],
}

impl<T> Few<T> {
    fn new() -> Self {
        Few {
            times: [f64::NEG_INFINITY; PLACES],
            order: 0xfedc_ba98_7654_3210,
            len: 0,
            events: [const { None }; PLACES],
        }
    }

    /// Hands out all events, the next one first, though their time has not come.
    fn drain(&mut self, mut to: impl FnMut(Entry<T>)) {
        while let Some(entry) = self.pop() {
            to(entry);
        }
        *self = Few::new();
    }

    fn is_full(&self) -> bool {
        self.len == PLACES
    }

    #[inline(always)]
    fn place(&self, position: usize) -> usize {
        (self.order >> (4 * position)) as usize % PLACES
    }

    /// Sorts an event in, behind those of the same time. There must be room.
    #[inline(always)]
    fn push(&mut self, time: f64, event: T) {
        let place = self.place(self.len);
        self.events[place] = Some(event);
        // Each time is the larger of itself and what moves there: its left neighbour or the new
        // one, whichever is smaller. What is over is smaller than all and does not matter.
        let mut position = 0;
        let mut left = f64::INFINITY;
        let (groups, _) = self.times.as_chunks_mut::<4>();
        for group in groups.iter_mut().take(self.len / 4 + 1) {
            let [a, b, c, d] = *group;
            for (slot, (left, old)) in group.iter_mut().zip([(left, a), (a, b), (b, c), (c, d)]) {
                let moved = if left < time { left } else { time };
                *slot = if old > moved { old } else { moved };
                position += usize::from(old > time);
            }
            left = d;
        }
        let before = (1 << (4 * position)) - 1;
        let filled = (1 << (4 * self.len)) - 1;
        // The first free place goes to the position, and what is behind it moves up by one digit.
        let rest = self.order & (before | !(filled << 4 | 15));
        let moved = (self.order & filled & !before) << 4;
        self.order = rest | moved | (place as u64) << (4 * position);
        self.len += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Entry<T>> {
        self.len = self.len.checked_sub(1)?;
        let event = self.events[self.place(self.len)].take()?;
        Some(Entry { time: self.times[self.len % PLACES], event })
    }

    fn next_time(&self) -> Option<f64> {
        self.times[..self.len].last().copied()
    }
}

/// So few events need no calendar.
const FEW: usize = 14;
/// A bucket should hold about so many events when its time comes.
const BUCKET_EVENTS: f64 = 6.0;
/// What so many events concern is in the cache without being foreseen.
const CACHED: usize = 4096;
/// So few that the ends of all buckets stay in the cache.
const MOST_BUCKETS: usize = 2048;
/// From here up to its double, floating point knows whole numbers only.
const WHOLE: f64 = (1u64 << 52) as f64;

/// A queue of events that leave in the order of (time, insertion). Time never runs backwards: an
/// event is not pushed before the last one popped.
#[derive(Debug)]
pub struct EventQueue<T> {
    /// The events of the bucket at hand.
    near: Few<T>,
    /// The same if they are too many for the list, the next one last; then the list is empty.
    crowd: VecDeque<Entry<T>>,
    /// The number of the bucket at hand.
    bucket: u64,
    /// Buckets per unit of time; with 0 everything is at hand.
    scale: f64,
    /// The number of buckets less one; a power of two less one.
    mask: u64,
    /// The events of each bucket in the order of insertion, by bucket number modulo their count.
    buckets: Vec<Vec<Entry<T>>>,
    /// Which buckets are in use, 64 to a word.
    used: Vec<u64>,
    /// The number of events in buckets.
    filed: usize,
    /// The number of pending events that the calendar was made for.
    fitted: usize,
    /// The mean delay, and one that is hardly exceeded.
    mean: f64,
    horizon: f64,
    /// What lies beyond the calendar's last bucket.
    far: BinaryHeap<Far<T>>,
    /// The number of events that went there.
    sequence: u64,
    /// Events that move from one calendar to the next.
    moving: Vec<Entry<T>>,
}

impl<T> Default for EventQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> EventQueue<T> {
    /// A queue without a calendar; [`EventQueue::reset`] comes first.
    pub fn new() -> Self {
        EventQueue {
            near: Few::new(),
            crowd: VecDeque::new(),
            bucket: 0,
            scale: 0.0,
            mask: 0,
            buckets: Vec::new(),
            used: Vec::new(),
            filed: 0,
            fitted: 0,
            mean: 1.0,
            horizon: 1.0,
            far: BinaryHeap::new(),
            sequence: 0,
            moving: Vec::new(),
        }
    }

    /// Empties the queue and fits it for about `events` pending events that are pushed `mean` time
    /// units ahead on average, hardly ever more than `horizon`. Wrong numbers only make it slower.
    pub fn reset(&mut self, events: usize, mean: f64, horizon: f64) {
        self.near = Few::new();
        self.crowd.clear();
        if self.filed > 0 {
            self.buckets.iter_mut().for_each(Vec::clear);
            self.used.fill(0);
            self.filed = 0;
        }
        self.far.clear();
        self.sequence = 0;
        // Beyond these ends the number of a bucket could be none.
        let usual = |time: f64| (1e-200..1e200).contains(&time);
        let is_usual = usual(mean) && usual(horizon);
        (self.mean, self.horizon) = if is_usual { (mean, horizon) } else { (1.0, 1.0) };
        self.fit(events);
        self.bucket = self.bucket_of(0.0);
    }

    /// Lays out the calendar for so many pending events. In the long run as many come due per unit
    /// of time as are pending, divided by the mean delay.
    fn fit(&mut self, events: usize) {
        self.fitted = events;
        if events <= FEW {
            self.scale = 0.0;
            self.mask = 0;
            return;
        }
        let wanted = events as f64 / (BUCKET_EVENTS * self.mean);
        let count = (wanted * self.horizon) as usize + 2;
        let count = count.next_power_of_two().min(MOST_BUCKETS);
        // One bucket less, since the horizon may begin in the middle of a bucket.
        self.scale = wanted.min((count - 1) as f64 / self.horizon);
        self.mask = count as u64 - 1;
        if self.buckets.len() < count {
            self.buckets.resize_with(count, Vec::new);
            self.used.resize(count.div_ceil(64), 0);
        }
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.near.len == 0 && self.crowd.is_empty() && self.pending_later() == 0
    }

    /// The number of events that are not at hand.
    fn pending_later(&self) -> usize {
        self.filed + self.far.len()
    }

    /// Any whole number that never falls with time would do: adding 2^52 rounds to a whole number,
    /// and the bits of positive numbers are ordered as they are.
    #[inline(always)]
    fn bucket_of(&self, time: f64) -> u64 {
        (time * self.scale + WHOLE).to_bits()
    }

    /// Adds an event.
    #[inline(always)]
    pub fn push(&mut self, time: f64, event: T) {
        let bucket = self.bucket_of(time);
        if bucket <= self.bucket {
            self.push_near(time, event);
        } else if bucket - self.bucket <= self.mask {
            self.append(bucket, Entry { time, event });
        } else {
            self.push_far(time, event);
        }
    }

    #[inline(never)]
    fn push_near(&mut self, time: f64, event: T) {
        if self.near.is_full() || !self.crowd.is_empty() {
            return self.push_to_crowd(time, event);
        }
        self.near.push(time, event);
    }

    #[inline(always)]
    fn append(&mut self, bucket: u64, entry: Entry<T>) {
        let slot = (bucket & self.mask) as usize;
        self.buckets[slot].push(entry);
        self.used[slot / 64] |= 1 << (slot % 64);
        self.filed += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_far(&mut self, time: f64, event: T) {
        self.sequence += 1;
        self.far.push(Far { entry: Entry { time, event }, sequence: self.sequence });
    }

    /// Adds an event to the bucket at hand when the list is full: makes a calendar if there is
    /// none, else leaves the list for a queue without a limit.
    #[cold]
    #[inline(never)]
    fn push_to_crowd(&mut self, time: f64, event: T) {
        if self.scale == 0.0 {
            self.near.drain(|entry| self.moving.push(entry));
            self.fit(2 * PLACES);
            self.move_all();
            return self.push(time, event);
        }
        self.near.drain(|entry| self.crowd.push_front(entry));
        let later = self.crowd.partition_point(|other| time < other.time);
        self.crowd.insert(later, Entry { time, event });
    }

    /// The time of the earliest event.
    pub fn peek_time(&mut self) -> Option<f64> {
        let at_hand = self.near.next_time().or(self.crowd.back().map(|entry| entry.time));
        if at_hand.is_none() && self.open_next_bucket(|_| {}) {
            return self.peek_time();
        }
        at_hand
    }

    /// Takes the earliest event; of equally early ones the first inserted. Where so many are
    /// pending that what they concern may not be in the cache, `foresee` sees some of the next.
    #[inline(always)]
    pub fn pop(&mut self, foresee: impl FnMut(&T)) -> Option<(f64, T)> {
        let Entry { time, event } = match self.near.pop() {
            Some(entry) => entry,
            None => self.pop_late(foresee)?,
        };
        Some((time, event))
    }

    /// Takes the earliest event when the list is empty.
    #[inline(never)]
    fn pop_late(&mut self, foresee: impl FnMut(&T)) -> Option<Entry<T>> {
        if self.crowd.is_empty() {
            self.open_next_bucket(foresee);
        }
        self.near.pop().or_else(|| self.crowd.pop_back())
    }

    /// Brings the events of the next bucket in use to hand; false if there are none.
    fn open_next_bucket(&mut self, mut foresee: impl FnMut(&T)) -> bool {
        let pending = self.pending_later();
        if pending == 0 {
            return false;
        }
        if pending <= FEW || pending < self.fitted / 4 || pending > 2 * self.fitted {
            self.refit(pending);
            return true;
        }
        let filed = self.next_used(self.bucket + 1);
        let far = self.far.peek().map(|far| self.bucket_of(far.entry.time));
        let Some(bucket) = filed.into_iter().chain(far).min() else { return false };
        self.bucket = bucket;
        if filed == Some(bucket) {
            let slot = (bucket & self.mask) as usize;
            self.used[slot / 64] &= !(1 << (slot % 64));
            self.filed -= self.buckets[slot].len();
            if self.fitted > CACHED {
                self.buckets[slot].iter().for_each(|entry| foresee(&entry.event));
            }
            if self.buckets[slot].len() <= PLACES {
                for Entry { time, event } in self.buckets[slot].drain(..) {
                    self.near.push(time, event);
                }
            } else {
                self.crowd.extend(self.buckets[slot].drain(..).rev());
                // Stable: of equally early events the first inserted stays last.
                self.crowd.make_contiguous().sort_by(|a, b| b.time.total_cmp(&a.time));
            }
        }
        if far.is_some() {
            self.bring_near();
        }
        true
    }

    /// Makes another calendar when the number of pending events has changed much. Nothing is at
    /// hand.
    #[cold]
    fn refit(&mut self, pending: usize) {
        while let Some(bucket) = self.next_used(self.bucket) {
            let slot = (bucket & self.mask) as usize;
            self.used[slot / 64] &= !(1 << (slot % 64));
            self.moving.append(&mut self.buckets[slot]);
        }
        self.filed = 0;
        self.fit(pending);
        self.move_all();
    }

    /// Moves events into a calendar that was just made.
    fn move_all(&mut self) {
        let mut moving = std::mem::take(&mut self.moving);
        let far = self.far.peek().map(|far| &far.entry);
        let first = moving.iter().chain(far).map(|entry| self.bucket_of(entry.time)).min();
        self.bucket = first.unwrap_or(self.bucket);
        for Entry { time, event } in moving.drain(..) {
            self.push(time, event);
        }
        self.moving = moving;
        self.bring_near();
    }

    /// Moves what has come within the calendar into its buckets. It was beyond it until now, so
    /// nothing was inserted there since, and the order of insertion is kept.
    fn bring_near(&mut self) {
        while let Some(far) = self.far.peek()
            && self.bucket_of(far.entry.time) - self.bucket <= self.mask
        {
            if let Some(Far { entry: Entry { time, event }, .. }) = self.far.pop() {
                self.push(time, event);
            }
        }
    }

    /// The first bucket in use from `bucket` on.
    #[inline(always)]
    fn next_used(&self, bucket: u64) -> Option<u64> {
        let slot = (bucket & self.mask) as usize;
        let word = slot / 64;
        let here = *self.used.get(word)? >> (slot % 64);
        if here != 0 {
            return Some(bucket + u64::from(here.trailing_zeros()));
        }
        let words = self.mask as usize / 64 + 1;
        let found = (1..=words).map(|ahead| (word + ahead) % words);
        let word = found.into_iter().find(|&word| self.used[word] != 0)?;
        let found = word * 64 + self.used[word].trailing_zeros() as usize;
        Some(bucket + (found.wrapping_sub(slot) as u64 & self.mask))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Key, Purpose};

    /// Runs the queue and a binary heap side by side through `pushes` pushes and as many pops,
    /// drawn at random; `rising` says how likely a push is while so many are done.
    fn agrees_with_a_heap(
        mut queue: EventQueue<u64>,
        pushes: u64,
        rising: impl Fn(u64) -> f64,
        mut delay: impl FnMut(f64, u64) -> f64,
    ) {
        let mut words = Key::new(1, "queue", pushes, "", "").stream(0, Purpose::Delays);
        let mut heap = BinaryHeap::new();
        let mut now = 0.0;
        let mut sequence = 0;
        while sequence < pushes {
            if words.unit() < rising(sequence) {
                let time = now + delay(words.unit(), sequence);
                queue.push(time, sequence);
                heap.push(Far { entry: Entry { time, event: sequence }, sequence });
                sequence += 1;
            } else if let Some(Far { entry: expected, .. }) = heap.pop() {
                // Looking must not change anything; sometimes nobody looks.
                if sequence % 3 == 0 {
                    assert_eq!(queue.peek_time(), Some(expected.time));
                }
                assert_eq!(queue.pop(|_| {}), Some((expected.time, expected.event)));
                now = expected.time;
            }
        }
        while let Some(Far { entry: expected, .. }) = heap.pop() {
            assert!(!queue.is_empty());
            assert_eq!(queue.pop(|_| {}), Some((expected.time, expected.event)));
        }
        assert!(queue.is_empty());
        assert_eq!(queue.peek_time(), None);
        assert_eq!(queue.pop(|_| {}), None);
    }

    fn fitted(events: usize, mean: f64, horizon: f64) -> EventQueue<u64> {
        let mut queue = EventQueue::new();
        queue.reset(events, mean, horizon);
        queue
    }

    const PUSHES: u64 = 20_000;

    #[test]
    fn it_leaves_in_the_order_of_a_heap() {
        for events in [1, 64, 1000, 20_000] {
            let uniform = fitted(events, 0.5, 1.0);
            agrees_with_a_heap(uniform, PUSHES, |_| 2.0 / 3.0, |unit, _| unit);
            let exponential = |unit: f64, _| -(1.0 - unit).ln();
            agrees_with_a_heap(fitted(events, 1.0, 8.0), PUSHES, |_| 2.0 / 3.0, exponential);
        }
    }

    #[test]
    fn a_few_events_stay_in_order_without_a_calendar() {
        // Pops and pushes are equally likely: the number of pending events wanders near 0.
        agrees_with_a_heap(fitted(1, 0.5, 1.0), PUSHES, |_| 0.5, |unit, _| unit);
    }

    #[test]
    fn the_calendar_follows_the_number_of_events() {
        // Thousands of events come, go and come again.
        let waves = |sequence| if sequence % 8000 < 6000 { 0.9 } else { 0.2 };
        agrees_with_a_heap(fitted(1, 0.5, 1.0), 40_000, waves, |unit, _| unit);
        agrees_with_a_heap(fitted(5000, 1.0, 8.0), 40_000, waves, |unit, _| -(1.0 - unit).ln());
    }

    #[test]
    fn equal_times_leave_in_insertion_order() {
        let often = |_| 2.0 / 3.0;
        agrees_with_a_heap(fitted(100, 1.0, 1.0), PUSHES, often, |_, _| 1.0);
        agrees_with_a_heap(fitted(100, 0.0, 0.0), PUSHES, often, |_, _| 0.0);
        agrees_with_a_heap(fitted(100, 0.5, 1.0), PUSHES, often, |unit, _| (unit * 4.0).floor());
        agrees_with_a_heap(fitted(4, 0.5, 1.0), PUSHES, |_| 0.52, |unit, _| (unit * 4.0).floor());
    }

    #[test]
    fn a_crowd_within_one_bucket_is_only_slower() {
        let narrow = |unit: f64, _| 1.0 + unit * 1e-9;
        agrees_with_a_heap(fitted(1000, 1.0, 1.0), PUSHES, |_| 2.0 / 3.0, narrow);
    }

    #[test]
    fn a_horizon_far_too_short_is_only_slower() {
        let often = |_| 2.0 / 3.0;
        agrees_with_a_heap(fitted(64, 1e-6, 1e-6), PUSHES, often, |unit, _| unit);
        agrees_with_a_heap(fitted(64, 1e-310, 1e-310), PUSHES, often, |unit, _| unit * 1e-310);
        let seldom_far = |unit, sequence| if sequence % 7 == 0 { 1e15 } else { unit };
        agrees_with_a_heap(fitted(64, 0.5, 1.0), PUSHES, often, seldom_far);
    }

    #[test]
    fn a_queue_that_was_not_emptied_starts_afresh() {
        let mut queue = fitted(1000, 0.5, 1.0);
        let mut words = Key::new(1, "afresh", 0, "", "").stream(0, Purpose::Delays);
        (0..3000).for_each(|event| queue.push(2.0 * words.unit(), event));
        for _ in 0..1000 {
            queue.pop(|_| {});
        }
        for events in [1, 1000] {
            queue.reset(events, 0.5, 1.0);
            assert!(queue.is_empty());
            queue.push(0.75, 1);
            queue.push(0.25, 2);
            assert_eq!(queue.pop(|_| {}), Some((0.25, 2)));
        }
    }
}
