//! A few events in order.

use std::hint::select_unpredictable;

use super::entry::Entry;

/// The places of the short list: as many as a 64-bit word has hexadecimal digits.
const PLACES: usize = 16;

/// At most [`PLACES`] events in order, the next one last.
#[derive(Debug)]
pub(super) struct Few<T> {
    /// In descending order; beyond `len` the times of events that have left, which are over.
    times: [f64; PLACES],
    /// The k-th digit is the place of the k-th event.
    order: u64,
    len: usize,
    /// The time of the next event, or infinity, and its place. They are known without waiting for
    /// the last event to be sorted in, so that handling the one and sorting the other overlap.
    next_time: f64,
    next_place: usize,
    /// The free places, a bit for each.
    free: u32,
    events: [Option<T>; PLACES],
}

impl<T> Few<T> {
    pub fn new() -> Self {
        Few {
            times: [f64::NEG_INFINITY; PLACES],
            order: 0,
            len: 0,
            next_time: f64::INFINITY,
            next_place: 0,
            free: (1 << PLACES) - 1,
            events: [const { None }; PLACES],
        }
    }

    /// Hands out all events, the next one first, though their time has not come.
    pub fn drain(&mut self, mut to: impl FnMut(Entry<T>)) {
        while let Some(entry) = self.pop() {
            to(entry);
        }
        *self = Few::new();
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn is_full(&self) -> bool {
        self.len == PLACES
    }

    /// Sorts an event in, behind those of the same time. There must be room.
    #[inline(always)]
    pub fn push(&mut self, time: f64, event: T) {
        let place = self.free.trailing_zeros() as usize % PLACES;
        self.free &= self.free - 1;
        self.events[place] = Some(event);
        let is_next = time < self.next_time;
        self.next_time = select_unpredictable(is_next, time, self.next_time);
        self.next_place = select_unpredictable(is_next, place, self.next_place);
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
        // What is behind its position moves up by one digit.
        let behind = u64::MAX << (4 * position);
        let moved = (self.order & behind) << 4 | (place as u64) << (4 * position);
        self.order = self.order & !behind | moved;
        self.len += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<Entry<T>> {
        self.len = self.len.checked_sub(1)?;
        let time = self.next_time;
        let place = self.next_place % PLACES;
        let event = self.events[place].take()?;
        self.free |= 1 << place;
        self.next_time = f64::INFINITY;
        if let Some(last) = self.len.checked_sub(1) {
            self.next_time = self.times[last % PLACES];
            self.next_place = (self.order >> (4 * last)) as usize % PLACES;
        }
        Some(Entry { time, event })
    }

    pub fn next_time(&self) -> Option<f64> {
        (!self.is_empty()).then_some(self.next_time)
    }
}
