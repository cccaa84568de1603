//! A wheel of slots, each for a short stretch of time; a bitmap says which are in use.

use super::Entry;

/// The slots that one word of the bitmap tells about.
const WORD: u64 = u64::BITS as u64;
/// The end of a chain.
const LAST: u32 = u32::MAX;
/// A new event walks past at most so many others of its slot.
const LONGEST_WALK: usize = 32;

/// An event in its slot, and the next one of the same slot.
#[derive(Debug)]
struct Held<T> {
    time: f64,
    event: Option<T>,
    next: u32,
}

impl<T> Held<T> {
    /// No event, and a link to another place without one.
    fn free(next: u32) -> Self {
        Held { time: 0.0, event: None, next }
    }
}

/// Events by tick, a whole number that never falls with time. Most slots have one event or none;
/// where there are more, they are chained in order.
///
/// The marks of the word at hand are not among those of the other words. Otherwise the processor
/// would find that a new event is sometimes marked where the next one is looked for, and from then
/// on wait for every new event before it goes on with the next: twice as slow.
#[derive(Debug)]
pub(super) struct Wheel<T> {
    /// The number of the word at hand: its ticks divided by [`WORD`].
    word: u64,
    /// Which of its slots are in use.
    at_hand: u64,
    /// Which slots of the other words are in use.
    used: Vec<u64>,
    /// The number of slots less one; a power of two less one.
    mask: u64,
    slots: Vec<Held<T>>,
    /// The events behind the first one of a slot.
    chained: Vec<Held<T>>,
    /// The first free place among them; free places are chained, too.
    free: u32,
}

impl<T> Wheel<T> {
    pub fn new() -> Self {
        let (used, slots, chained) = (Vec::new(), Vec::new(), Vec::new());
        Wheel { word: 0, at_hand: 0, used, mask: 0, slots, chained, free: LAST }
    }

    /// Forgets all events.
    pub fn clear(&mut self) {
        self.at_hand = 0;
        self.used.fill(0);
        self.chained.clear();
        self.free = LAST;
    }

    /// Gives an empty wheel so many slots, a power of two and at least one word.
    pub fn resize(&mut self, slots: usize) {
        self.mask = slots as u64 - 1;
        if self.slots.len() < slots {
            self.slots.resize_with(slots, || Held::free(LAST));
            self.used.resize(slots / WORD as usize, 0);
        }
    }

    /// Turns an empty wheel to the word of `tick`.
    pub fn turn_to(&mut self, tick: u64) {
        self.word = tick / WORD;
    }

    /// Goes on to the next word when the one at hand is empty.
    pub fn turn(&mut self) {
        self.word += 1;
        let place = self.place(self.word);
        self.at_hand = std::mem::take(&mut self.used[place]);
    }

    /// The first tick of the word at hand.
    pub fn first_tick(&self) -> u64 {
        self.word * WORD
    }

    /// The last one.
    pub fn last_tick(&self) -> u64 {
        self.first_tick() + (WORD - 1)
    }

    /// Where the marks of a word are.
    fn place(&self, word: u64) -> usize {
        (word & (self.mask / WORD)) as usize
    }

    fn slot(&self, tick: u64) -> usize {
        (tick & self.mask) as usize
    }

    /// Puts an event into its slot, behind those that are not later. Where these are too many, it
    /// is given back. Its tick is not before the word at hand, and less than a turn ahead of it.
    #[inline(always)]
    pub fn push(&mut self, tick: u64, time: f64, event: T) -> Option<T> {
        let slot = self.slot(tick);
        let mark = 1 << (tick % WORD);
        let word = tick / WORD;
        let marks = if word == self.word {
            &mut self.at_hand
        } else {
            let place = self.place(word);
            &mut self.used[place]
        };
        if *marks & mark != 0 {
            return self.chain(slot, time, event);
        }
        *marks |= mark;
        self.slots[slot] = Held { time, event: Some(event), next: LAST };
        None
    }

    /// Puts an event into a slot that is in use. (Its time and itself are arguments of their own, so
    /// that they stay in registers also where this is not called.)
    #[inline(never)]
    fn chain(&mut self, slot: usize, time: f64, event: T) -> Option<T> {
        let head = &mut self.slots[slot];
        let is_first = time < head.time;
        let mut before = LAST;
        let mut next = head.next;
        let mut walked = 0;
        while !is_first && next != LAST && self.chained[next as usize].time <= time {
            before = next;
            next = self.chained[next as usize].next;
            walked += 1;
            if walked == LONGEST_WALK {
                return Some(event);
            }
        }
        let mut held = Held { time, event: Some(event), next };
        if is_first {
            // The old head goes first among the chained ones.
            std::mem::swap(head, &mut held);
            head.next = held.next;
            held.next = next;
        }
        let place = self.keep(held);
        if before == LAST {
            self.slots[slot].next = place;
        } else {
            self.chained[before as usize].next = place;
        }
        None
    }

    /// Finds a place for a chained event.
    fn keep(&mut self, held: Held<T>) -> u32 {
        if self.free == LAST {
            self.chained.push(held);
            return self.chained.len() as u32 - 1;
        }
        let place = self.free;
        self.free = std::mem::replace(&mut self.chained[place as usize], held).next;
        place
    }

    /// The tick of the first event of the word at hand.
    #[inline(always)]
    pub fn next_tick(&self) -> Option<u64> {
        let ahead = u64::from(self.at_hand.trailing_zeros());
        (self.at_hand != 0).then_some(self.first_tick() + ahead)
    }

    /// Takes the first event of the word at hand, whose tick is [`Wheel::next_tick`].
    #[inline(always)]
    pub fn pop(&mut self, tick: u64) -> Option<Entry<T>> {
        let slot = self.slot(tick);
        let head = &mut self.slots[slot];
        let time = head.time;
        let event = head.event.take()?;
        if head.next == LAST {
            self.at_hand &= self.at_hand.wrapping_sub(1);
        } else {
            self.unchain(slot);
        }
        Some(Entry { time, event })
    }

    /// Moves the second event of a slot into it.
    #[inline(never)]
    fn unchain(&mut self, slot: usize) {
        let place = self.slots[slot].next;
        let free = Held::free(self.free);
        self.slots[slot] = std::mem::replace(&mut self.chained[place as usize], free);
        self.free = place;
    }

    /// Takes out all events, in order.
    pub fn drain(&mut self, mut to: impl FnMut(Entry<T>)) {
        for _ in 0..=self.mask / WORD {
            while let Some(tick) = self.next_tick()
                && let Some(entry) = self.pop(tick)
            {
                to(entry);
            }
            self.turn();
        }
    }

    /// Shows the first events of the slots of the word at hand.
    pub fn look_ahead(&self, mut foresee: impl FnMut(&T)) {
        let mut marks = self.at_hand;
        while marks != 0 {
            let tick = self.first_tick() + u64::from(marks.trailing_zeros());
            if let Some(event) = &self.slots[self.slot(tick)].event {
                foresee(event);
            }
            marks &= marks - 1;
        }
    }

    /// The time of the first event.
    pub fn next_time(&self) -> Option<f64> {
        let mut words = self.word..=self.word + self.mask / WORD;
        words.find_map(|word| {
            let marks = match word == self.word {
                true => self.at_hand,
                false => self.used[self.place(word)],
            };
            let tick = word * WORD + u64::from(marks.trailing_zeros());
            (marks != 0).then(|| self.slots[self.slot(tick)].time)
        })
    }
}
