//! The event queue of the asynchronous engine: a short sorted list, a wheel, and a heap behind it.
//!
//! Events leave in the order of (time, insertion). A binary heap takes O(log k) steps for k pending
//! events, and a processor can predict hardly any of them. Here
//!
//! * a few events are in a list into which a new one is sorted without a branch;
//! * more are in a wheel that has so many slots that most events find theirs free, and a bitmap
//!   finds the next one;
//! * if they are too many for a wheel that stays in the cache, those that come later wait in files,
//!   one for each part of a turn, and are put into the wheel when their part comes within its reach;
//! * what is still later, or too much for its slot, waits in a binary heap.
//!
//! When the number of pending events has changed much, another wheel is made for them.

mod entry;
mod few;
mod wheel;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use entry::Entry;
use few::Few;
use wheel::{WORD, Wheel};

/// An entry of the heap, with its place in the order of insertion; the smallest leaves first.
#[derive(Debug)]
struct Far<T> {
    entry: Entry<T>,
    sequence: i64,
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

/// So few events need no wheel.
const FEW: usize = 12;
/// The slots for each event that comes due. They become more as events leave for good.
const SLOTS_PER_EVENT: f64 = 3.0;
/// The wheel is made anew when this share of the events is left.
const SHARE_LEFT: usize = 8;
/// Every part of a turn has a word at least.
const FEWEST_SLOTS: usize = (PARTS * WORD) as usize;
/// So few that they stay in the cache.
const MOST_SLOTS: usize = 1 << 15;
/// A turn of the wheel has so many parts. When one is over, its slots serve another.
const PARTS: u64 = 8;
/// So many parts are within the wheel's reach. In the last one are only events that found no free
/// slot before it.
const NEAR_PARTS: u64 = PARTS - 1;
/// The number of files.
const FILES: u64 = 1024;
/// What so many events concern is in the cache without being foreseen.
const CACHED: usize = 4096;
/// From here up to its double, floating point knows whole numbers only.
const WHOLE: f64 = (1u64 << 52) as f64;

/// A queue of events that leave in the order of (time, insertion). Time never runs backwards: an
/// event is not pushed before the last one popped.
#[derive(Debug)]
pub struct EventQueue<T> {
    /// All events, while they are few.
    few: Few<T>,
    /// The time of the last event that left the list.
    now: f64,
    wheel: Wheel<T>,
    /// The wheel's ticks per unit of time.
    scale: f64,
    /// The first tick that is not for the wheel; 0 while all events are in the list.
    reach: u64,
    /// A tick's part is the tick divided by two to this.
    part_bits: u32,
    /// The part of the word at hand.
    part: u64,
    /// The events of parts beyond the wheel, as they came, by part modulo the number of files.
    files: Vec<Vec<Entry<T>>>,
    /// The number of events in files.
    filed: usize,
    /// Empty files that had events, to be used again: few parts have events at the same time.
    spare: Vec<Vec<Entry<T>>>,
    /// What is beyond the files, or too much for its slot. Of equally early events those that are
    /// here came last.
    far: BinaryHeap<Far<T>>,
    /// The first tick in the heap. From here on all new events go there.
    far_tick: u64,
    /// Sequence numbers in the heap: the next one after all others, and the lowest.
    next_sequence: i64,
    first_sequence: i64,
    /// The number of events that are not in the list.
    len: usize,
    /// The number that the wheel was made for.
    fitted: usize,
    /// The mean delay, and one that is hardly exceeded.
    mean: f64,
    horizon: f64,
    /// Events that move from one wheel to the next.
    moving: Vec<Entry<T>>,
}

impl<T> Default for EventQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> EventQueue<T> {
    /// A queue without a wheel; [`EventQueue::reset`] comes first.
    pub fn new() -> Self {
        EventQueue {
            few: Few::new(),
            now: 0.0,
            wheel: Wheel::new(),
            scale: 0.0,
            reach: 0,
            part_bits: 0,
            part: 0,
            files: Vec::new(),
            filed: 0,
            spare: Vec::new(),
            far: BinaryHeap::new(),
            far_tick: u64::MAX,
            next_sequence: 0,
            first_sequence: 0,
            len: 0,
            fitted: 0,
            mean: 1.0,
            horizon: 1.0,
            moving: Vec::new(),
        }
    }

    /// Empties the queue and fits it for about `events` pending events that are pushed `mean` time
    /// units ahead on average, hardly ever more than `horizon`. Wrong numbers only make it slower.
    pub fn reset(&mut self, events: usize, mean: f64, horizon: f64) {
        self.few = Few::new();
        if self.len > 0 {
            self.wheel.clear();
            self.files.iter_mut().for_each(Vec::clear);
            self.filed = 0;
            self.far.clear();
            self.len = 0;
        }
        (self.next_sequence, self.first_sequence) = (0, 0);
        self.now = 0.0;
        // Beyond these ends the number of a tick could be none.
        let usual = |time: f64| (1e-200..1e200).contains(&time);
        let is_usual = usual(mean) && usual(horizon);
        (self.mean, self.horizon) = if is_usual { (mean, horizon) } else { (1.0, 1.0) };
        self.fit(events, 0.0);
    }

    /// Makes a wheel for so many pending events and turns it to `time`; for few, none. In the long
    /// run as many come due per unit of time as are pending, divided by the mean delay. Nothing is
    /// pending but what is about to be pushed.
    fn fit(&mut self, events: usize, time: f64) {
        self.far_tick = u64::MAX;
        if events <= FEW {
            self.reach = 0;
            return;
        }
        self.fitted = events;
        let wanted = SLOTS_PER_EVENT * events as f64 / self.mean;
        // The horizon should be within reach when a part is nearly over.
        let slots = wanted * self.horizon * PARTS as f64 / (NEAR_PARTS - 1) as f64;
        let slots = (slots as usize).clamp(FEWEST_SLOTS, MOST_SLOTS).next_power_of_two();
        self.wheel.resize(slots);
        self.part_bits = (slots as u64 / PARTS).trailing_zeros();
        let most = ((FILES - 1) << self.part_bits) as f64;
        self.scale = wanted.min(most / self.horizon);
        if self.files.is_empty() {
            self.files.resize_with(FILES as usize, Vec::new);
        }
        let tick = self.tick_of(time);
        self.wheel.turn_to(tick);
        self.begin_part(tick >> self.part_bits);
    }

    fn begin_part(&mut self, part: u64) {
        self.part = part;
        self.find_reach();
    }

    /// The wheel reaches up to the files, or to the first event of the heap.
    fn find_reach(&mut self) {
        self.reach = self.far_tick.min((self.part + NEAR_PARTS) << self.part_bits);
    }

    /// Whether there is no wheel.
    fn few_only(&self) -> bool {
        self.reach == 0
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.len == 0 && self.few.is_empty()
    }

    /// Any whole number that never falls with time would do: adding 2^52 rounds to a whole number,
    /// and the bits of positive numbers are ordered as they are.
    #[inline(always)]
    fn tick_of(&self, time: f64) -> u64 {
        (time * self.scale + WHOLE).to_bits()
    }

    /// Adds an event.
    #[inline(always)]
    pub fn push(&mut self, time: f64, event: T) {
        if self.few_only() {
            return self.push_few(time, event);
        }
        self.len += 1;
        let tick = self.tick_of(time);
        if tick >= self.reach {
            self.push_beyond(time, event);
        } else if let Some(event) = self.wheel.push(tick, time, event) {
            self.push_far(time, event);
        }
    }

    /// Adds an event to the list, or makes a wheel if that is full. (It is inlined, though it is
    /// long: a call for every message is a fiftieth of the time of small rings.)
    #[inline(always)]
    fn push_few(&mut self, time: f64, event: T) {
        if self.few.is_full() {
            return self.outgrow(time, event);
        }
        self.few.push(time, event);
    }

    /// Makes a wheel for the events of the list and one more.
    #[cold]
    #[inline(never)]
    fn outgrow(&mut self, time: f64, event: T) {
        self.few.drain(|entry| self.moving.push(entry));
        // Twice as many, since their number is rising. The next one may be earlier than these.
        self.fit(2 * self.moving.len(), self.now);
        self.move_all();
        self.push(time, event);
    }

    /// Adds an event that is out of the wheel's reach.
    #[inline(never)]
    fn push_beyond(&mut self, time: f64, event: T) {
        let tick = self.tick_of(time);
        if tick < self.far_tick && self.is_near(tick) {
            self.file(tick, Entry { time, event });
        } else {
            self.push_far(time, event);
        }
    }

    /// Whether a tick is for the wheel or a file. (The wheel may have turned past the first event of
    /// the heap, if others before it found no free slots.)
    fn is_near(&self, tick: u64) -> bool {
        (self.part..self.part + FILES).contains(&(tick >> self.part_bits))
    }

    fn file(&mut self, tick: u64, entry: Entry<T>) {
        let file = &mut self.files[file_of(tick >> self.part_bits)];
        if file.capacity() == 0
            && let Some(spare) = self.spare.pop()
        {
            *file = spare;
        }
        file.push(entry);
        self.filed += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_far(&mut self, time: f64, event: T) {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        self.keep_far(Far { entry: Entry { time, event }, sequence });
    }

    fn keep_far(&mut self, far: Far<T>) {
        self.far_tick = self.far_tick.min(self.tick_of(far.entry.time));
        self.far.push(far);
        self.find_reach();
    }

    /// Takes the first event of the heap.
    #[cold]
    fn pop_far(&mut self) -> Option<Entry<T>> {
        let far = self.far.pop()?;
        self.find_far_tick();
        Some(far.entry)
    }

    /// Whether the heap has an event before this time of another. Of equally early events those of
    /// the heap came last.
    fn is_far_first(&self, time: Option<f64>) -> bool {
        let is_later = |time: f64| self.far.peek().is_some_and(|far| far.entry.time < time);
        time.is_none_or(is_later)
    }

    fn find_far_tick(&mut self) {
        self.far_tick = self.far.peek().map_or(u64::MAX, |far| self.tick_of(far.entry.time));
        self.find_reach();
    }

    /// The time of the earliest event. Looking changes nothing: an event that is earlier than all
    /// others may still be pushed.
    pub fn peek_time(&self) -> Option<f64> {
        if self.few_only() {
            return self.few.next_time();
        }
        let near = self.wheel.next_time().or_else(|| {
            let file = &self.files[file_of(self.first_filed()?)];
            file.iter().map(|entry| entry.time).min_by(f64::total_cmp)
        });
        let far = self.far.peek().map(|far| far.entry.time);
        near.into_iter().chain(far).min_by(f64::total_cmp)
    }

    /// The first part that has a file with events.
    fn first_filed(&self) -> Option<u64> {
        let mut parts = self.part..self.part + FILES;
        parts.find(|&part| !self.files[file_of(part)].is_empty())
    }

    /// Takes the earliest event; of equally early ones the first inserted. Where so many are
    /// pending that what they concern may not be in the cache, `foresee` sees some of the next.
    #[inline(always)]
    pub fn pop(&mut self, foresee: impl FnMut(&T)) -> Option<(f64, T)> {
        let entry = match self.wheel.next_tick() {
            Some(tick) if tick < self.reach => {
                self.len -= 1;
                self.wheel.pop(tick)?
            }
            _ => match self.pop_few() {
                Some(entry) => entry,
                None => self.pop_late(foresee)?,
            },
        };
        Some((entry.time, entry.event))
    }

    #[inline(always)]
    fn pop_few(&mut self) -> Option<Entry<T>> {
        let entry = self.few.pop()?;
        self.now = entry.time;
        Some(entry)
    }

    /// Takes the earliest event when the list and the word at hand are empty, or when it may be in
    /// the heap.
    #[inline(never)]
    fn pop_late(&mut self, mut foresee: impl FnMut(&T)) -> Option<Entry<T>> {
        while self.len > 0 {
            if let Some(tick) = self.wheel.next_tick() {
                self.len -= 1;
                return if tick >= self.reach && self.is_far_first(self.wheel.next_time()) {
                    self.pop_far()
                } else {
                    self.wheel.pop(tick)
                };
            }
            if self.far_tick <= self.wheel.last_tick() {
                // An event of this word may have found no free slot before the next one.
                if self.is_far_first(self.wheel.time_in_next_word()) {
                    self.len -= 1;
                    return self.pop_far();
                }
                self.turn();
                continue;
            }
            let fitted = self.fitted / SHARE_LEFT..=2 * self.fitted;
            if self.len <= FEW || !fitted.contains(&self.len) {
                self.refit();
                if self.few_only() {
                    return self.pop_few();
                }
            } else {
                self.open_next_word();
            }
            if self.fitted > CACHED {
                self.wheel.look_ahead(&mut foresee);
            }
        }
        None
    }

    /// Goes on to the next word that has events, but not past the first event of the heap.
    fn open_next_word(&mut self) {
        if self.len == self.filed + self.far.len() {
            return self.skip();
        }
        // A new part may bring an event of the heap into the word at hand.
        while self.wheel.next_tick().is_none() && self.wheel.last_tick() < self.far_tick {
            self.turn();
        }
    }

    /// Turns the wheel by a word.
    fn turn(&mut self) {
        self.wheel.turn();
        let part = self.wheel.first_tick() >> self.part_bits;
        if part > self.part {
            self.begin_part(part);
            self.load(part + NEAR_PARTS - 1);
            self.bring_near();
        }
    }

    /// Turns an empty wheel to the next event.
    #[cold]
    fn skip(&mut self) {
        let filed = self.first_filed().map_or(u64::MAX, |part| part << self.part_bits);
        let tick = filed.min(self.far_tick);
        self.wheel.turn_to(tick);
        self.begin_part(tick >> self.part_bits);
        for ahead in 0..NEAR_PARTS {
            self.load(self.part + ahead);
        }
        self.bring_near();
    }

    /// Takes out the file of a part. When it is empty, it is to be kept for another part.
    fn take_file(&mut self, part: u64) -> Vec<Entry<T>> {
        let file = std::mem::take(&mut self.files[file_of(part)]);
        self.filed -= file.len();
        file
    }

    /// Moves the events of a part from their file into the wheel.
    fn load(&mut self, part: u64) {
        if self.files[file_of(part)].is_empty() {
            return;
        }
        let mut file = self.take_file(part);
        // Whoever has to go to the heap came before all who are there.
        self.first_sequence -= file.len() as i64;
        for (sequence, Entry { time, event }) in (self.first_sequence..).zip(file.drain(..)) {
            if let Some(event) = self.wheel.push(self.tick_of(time), time, event) {
                self.keep_far(Far { entry: Entry { time, event }, sequence });
            }
        }
        self.spare.push(file);
    }

    /// Moves what has come near from the heap into the wheel or a file, as long as there is room.
    fn bring_near(&mut self) {
        while self.is_near(self.far_tick)
            && let Some(Far { entry: Entry { time, event }, sequence }) = self.far.pop()
        {
            let tick = self.tick_of(time);
            if (tick >> self.part_bits) - self.part >= NEAR_PARTS {
                self.file(tick, Entry { time, event });
            } else if let Some(event) = self.wheel.push(tick, time, event) {
                return self.keep_far(Far { entry: Entry { time, event }, sequence });
            }
            self.find_far_tick();
        }
    }

    /// Makes another wheel when the number of pending events has changed much. The word at hand is
    /// empty.
    #[cold]
    #[inline(never)]
    fn refit(&mut self) {
        self.wheel.drain(|entry| self.moving.push(entry));
        while self.filed > 0
            && let Some(part) = self.first_filed()
        {
            let mut file = self.take_file(part);
            self.moving.append(&mut file);
            self.spare.push(file);
        }
        // Last, since of equally early events these came last.
        while let Some(Far { entry, .. }) = self.far.pop() {
            self.moving.push(entry);
        }
        self.len = 0;
        let first = self.moving.iter().map(|entry| entry.time).min_by(f64::total_cmp);
        self.fit(self.moving.len(), first.unwrap_or(0.0));
        self.move_all();
    }

    /// Moves events into a wheel, or list, that was just made.
    fn move_all(&mut self) {
        let mut moving = std::mem::take(&mut self.moving);
        for Entry { time, event } in moving.drain(..) {
            self.push(time, event);
        }
        self.moving = moving;
    }
}

/// Which file belongs to a part.
fn file_of(part: u64) -> usize {
    (part % FILES) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::{Key, Purpose};

    /// Runs the queue and a binary heap side by side through `pushes` pushes and as many pops,
    /// drawn at random; `rising` says how likely a push is while so many are done.
    fn agrees_with_a_heap(
        queue: EventQueue<u64>,
        pushes: u64,
        rising: impl Fn(u64) -> f64,
        mut delay: impl FnMut(f64, u64) -> f64,
    ) {
        let arrival = |now, unit, sequence| now + delay(unit, sequence);
        agrees_on_arrivals(queue, pushes, rising, arrival);
    }

    /// The same, with times of arrival that depend on the time of sending in any way.
    fn agrees_on_arrivals(
        mut queue: EventQueue<u64>,
        pushes: u64,
        rising: impl Fn(u64) -> f64,
        mut arrival: impl FnMut(f64, f64, u64) -> f64,
    ) {
        let mut words = Key::new(1, "queue", pushes, "", "").stream(0, Purpose::Delays);
        let mut heap = BinaryHeap::new();
        let mut now = 0.0;
        let mut sequence = 0;
        while sequence < pushes {
            if words.unit() < rising(sequence) {
                let time = arrival(now, words.unit(), sequence);
                queue.push(time, sequence);
                heap.push(Far {
                    entry: Entry { time, event: sequence },
                    sequence: sequence as i64,
                });
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
    fn a_few_events_stay_in_order_without_a_wheel() {
        // Pops and pushes are equally likely: the number of pending events wanders near 0.
        agrees_with_a_heap(fitted(1, 0.5, 1.0), PUSHES, |_| 0.5, |unit, _| unit);
    }

    #[test]
    fn the_wheel_follows_the_number_of_events() {
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
    fn a_crowd_within_one_slot_is_only_slower() {
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
    fn crowds_ties_and_events_far_ahead_keep_the_order_together() {
        // Few different delays, so that many events meet at the same time by different ways: by a
        // slot, by a file, by the heap.
        let delays = [0.0, 0.0, 1e-9, 0.25, 0.25, 0.5, 0.75, 1.0, 40.0, 41.0, 3000.0, 1e7];
        for kinds in [2, 5, 8, 10, 12] {
            for (events, rising) in [(1, 0.5), (20, 0.6), (300, 0.7), (20_000, 0.8)] {
                let delay = |unit: f64, _| delays[(unit * kinds as f64) as usize];
                agrees_with_a_heap(fitted(events, 0.5, 1.0), PUSHES, |_| rising, delay);
                let waves = |sequence| if sequence % 5000 < 2500 { 0.9 } else { 0.1 };
                agrees_with_a_heap(fitted(events, 0.5, 1.0), PUSHES, waves, delay);
            }
        }
    }

    #[test]
    fn events_that_queue_up_on_links_keep_the_order() {
        // On links that keep their order, one late message holds up all that follow: they arrive at
        // the same time, often more than a slot takes.
        for links in [1, 7, 40, 1000] {
            for events in [20, 300, 5000] {
                let mut last = vec![0.0; links];
                let arrival = |now: f64, unit: f64, sequence: u64| {
                    let link = &mut last[sequence as usize * 7919 % links];
                    *link = f64::max(*link, now - (1.0 - unit).ln());
                    *link
                };
                let rising = |sequence| if sequence < events { 1.0 } else { 0.5 };
                let queue = fitted(events as usize, 1.0, 8.0);
                agrees_on_arrivals(queue, 10 * events, rising, arrival);
            }
        }
    }

    #[test]
    fn the_wheel_does_not_turn_past_an_event_in_the_heap() {
        let mut queue = fitted(300, 0.5, 1.0);
        let later = 0..60;
        let crowd = 60..160;
        later.clone().for_each(|event| queue.push(0.5, event));
        crowd.clone().for_each(|event| queue.push(0.1, event));
        // Behind a crowd that is in the heap everything goes there.
        queue.push(0.3, 160);
        assert!(queue.far.len() > 1);
        for event in crowd {
            assert_eq!(queue.pop(|_| {}), Some((0.1, event)));
        }
        assert_eq!(queue.pop(|_| {}), Some((0.3, 160)));
        queue.push(0.31, 161);
        assert_eq!(queue.pop(|_| {}), Some((0.31, 161)));
        for event in later {
            assert_eq!(queue.pop(|_| {}), Some((0.5, event)));
        }
    }

    #[test]
    fn more_events_than_the_wheel_can_hold_wait_in_files() {
        let rising = |sequence| if sequence < 60_000 { 1.0 } else { 0.5 };
        let mut queue = fitted(60_000, 0.5, 1.0);
        for event in 0..1000 {
            queue.push(event as f64 / 1000.0, event);
        }
        assert!(queue.filed > 0);
        agrees_with_a_heap(fitted(60_000, 0.5, 1.0), 150_000, rising, |unit, _| unit);
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
