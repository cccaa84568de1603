//! A wheel of slots, each for a short stretch of time; a bitmap says which are in use.

use super::entry::Entry;

/// The slots that one word of the bitmap tells about. A new event passes by fewer taken ones.
pub(super) const WORD: u64 = u64::BITS as u64;

/// Which ticks have their slot in use.
///
/// The marks of the word at hand are not among those of the other words. Otherwise the processor
/// would find that a new event is sometimes marked where the next one is looked for, and from then
/// on wait for every new event before it goes on with the next: twice as slow.
#[derive(Debug)]
struct Marks {
    /// The number of the word at hand: its ticks divided by [`WORD`].
    word: u64,
    at_hand: u64,
    /// The other words, by their number modulo a power of two.
    others: Vec<u64>,
    /// The number of words less one.
    mask: u64,
}

impl Marks {
    fn place(&self, word: u64) -> usize {
        (word & self.mask) as usize
    }

    /// The marks of a word, to be changed.
    #[inline(always)]
    fn of(&mut self, word: u64) -> &mut u64 {
        let place = self.place(word);
        if word == self.word { &mut self.at_hand } else { &mut self.others[place] }
    }

    /// The first tick of a word that is marked.
    #[inline(always)]
    fn first_in(&self, word: u64) -> Option<u64> {
        let marks = if word == self.word { self.at_hand } else { self.others[self.place(word)] };
        (marks != 0).then(|| word * WORD + u64::from(marks.trailing_zeros()))
    }

    /// Goes on to the next word when the one at hand is empty.
    fn turn(&mut self) {
        self.word += 1;
        let place = self.place(self.word);
        self.at_hand = std::mem::take(&mut self.others[place]);
    }
}

/// A slot: an event, or none, and its time or that of the last one that was here.
#[derive(Debug)]
struct Slot<T> {
    time: f64,
    event: Option<T>,
}

/// Events by tick, a whole number that never falls with time.
///
/// An event whose slot is taken goes to the next free one, and those in between that are later move
/// up by one. So the slots in use are in the order of (time, insertion). Most have to move nothing,
/// not even those that are held up on their link: these have the same time as the one before them.
#[derive(Debug)]
pub(super) struct Wheel<T> {
    marks: Marks,
    /// The slots, by tick modulo a power of two.
    slots: Vec<Slot<T>>,
    /// The number of slots less one.
    mask: u64,
    /// The tick behind the slot that was emptied last. An event before it would overtake those that
    /// are behind their ticks.
    open: u64,
}

impl<T> Wheel<T> {
    pub fn new() -> Self {
        let marks = Marks { word: 0, at_hand: 0, others: Vec::new(), mask: 0 };
        Wheel { marks, slots: Vec::new(), mask: 0, open: 0 }
    }

    /// Forgets all events.
    pub fn clear(&mut self) {
        self.marks.at_hand = 0;
        self.marks.others.fill(0);
    }

    /// Gives an empty wheel so many slots, a power of two and at least one word.
    pub fn resize(&mut self, slots: usize) {
        let words = slots / WORD as usize;
        self.mask = slots as u64 - 1;
        self.marks.mask = words as u64 - 1;
        if self.slots.len() < slots {
            self.slots.resize_with(slots, || Slot { time: 0.0, event: None });
            self.marks.others.resize(words, 0);
        }
    }

    /// Turns an empty wheel to the word of `tick`.
    pub fn turn_to(&mut self, tick: u64) {
        self.marks.word = tick / WORD;
        self.open = self.first_tick();
    }

    /// Goes on to the next word when the one at hand is empty.
    pub fn turn(&mut self) {
        self.marks.turn();
    }

    /// The first tick of the word at hand.
    pub fn first_tick(&self) -> u64 {
        self.marks.word * WORD
    }

    /// The last one.
    pub fn last_tick(&self) -> u64 {
        self.first_tick() + (WORD - 1)
    }

    fn slot(&self, tick: u64) -> usize {
        (tick & self.mask) as usize
    }

    /// Puts an event into the first free slot from its tick on, behind those that are not later.
    /// Where that is too far, it is given back. Its tick or the slot that was emptied last is not
    /// before the word at hand, and its tick is a word less than a turn ahead at most.
    #[inline(always)]
    pub fn push(&mut self, tick: u64, time: f64, event: T) -> Option<T> {
        let start = tick.max(self.open);
        let marks = self.marks.of(start / WORD);
        let taken = u64::from((!(*marks >> (start % WORD))).trailing_zeros());
        let tick = start + taken;
        let before = self.slots[((tick - 1) & self.mask) as usize].time;
        // One branch for both, and hardly ever taken.
        if (tick ^ start >= WORD) | ((taken > 0) & (before > time)) {
            return self.make_room(start, time, event);
        }
        *marks |= 1 << (tick % WORD);
        let slot = self.slot(tick);
        self.slots[slot] = Slot { time, event: Some(event) };
        None
    }

    /// The same where others must move up, or where the first free slot is in the next word. (Time
    /// and event are arguments of their own, so that they stay in registers also where this is not
    /// called.)
    #[inline(never)]
    fn make_room(&mut self, start: u64, time: f64, event: T) -> Option<T> {
        let mut tick = start;
        while *self.marks.of(tick / WORD) & 1 << (tick % WORD) != 0 {
            tick += 1;
            if tick - start == WORD {
                return Some(event);
            }
        }
        *self.marks.of(tick / WORD) |= 1 << (tick % WORD);
        while tick > start && self.slots[self.slot(tick - 1)].time > time {
            let (free, later) = (self.slot(tick), self.slot(tick - 1));
            self.slots.swap(free, later);
            tick -= 1;
        }
        let slot = self.slot(tick);
        self.slots[slot] = Slot { time, event: Some(event) };
        None
    }

    /// The tick of the first event of the word at hand.
    #[inline(always)]
    pub fn next_tick(&self) -> Option<u64> {
        self.marks.first_in(self.marks.word)
    }

    /// Takes the first event of the word at hand, whose tick is [`Wheel::next_tick`].
    #[inline(always)]
    pub fn pop(&mut self, tick: u64) -> Option<Entry<T>> {
        let slot = self.slot(tick);
        let Slot { time, event } = &mut self.slots[slot];
        let event = event.take()?;
        self.marks.at_hand &= self.marks.at_hand.wrapping_sub(1);
        self.open = tick + 1;
        Some(Entry { time: *time, event })
    }

    /// Takes out all events, in order.
    pub fn drain(&mut self, mut to: impl FnMut(Entry<T>)) {
        for _ in 0..=self.marks.mask {
            while let Some(tick) = self.next_tick()
                && let Some(entry) = self.pop(tick)
            {
                to(entry);
            }
            self.turn();
        }
    }

    /// Shows the events of the word at hand.
    pub fn look_ahead(&self, mut foresee: impl FnMut(&T)) {
        let mut marks = self.marks.at_hand;
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
        let word = self.marks.word;
        (word..=word + self.marks.mask).find_map(|word| self.time_in(word))
    }

    /// The time of the first event of the word after the one at hand.
    pub fn time_in_next_word(&self) -> Option<f64> {
        self.time_in(self.marks.word + 1)
    }

    fn time_in(&self, word: u64) -> Option<f64> {
        self.marks.first_in(word).map(|tick| self.slots[self.slot(tick)].time)
    }
}
