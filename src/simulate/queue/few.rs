//! A few events in order.

use super::Entry;

/// The places of the short list: as many as a 64-bit word has hexadecimal digits.
const PLACES: usize = 16;

/// At most [`PLACES`] events in order, the next one last.
#[derive(Debug)]
pub(super) struct Few<T> {
    /// In descending order; beyond `len` the times of events that have left, which are over.
    times: [f64; PLACES],
    /// The k-th digit is the place of the k-th event; beyond `len` are the free places.
    order: u64,
    len: usize,
    events: [Option<T>; PLACES],
}

impl<T> Few<T> {
    pub fn new() -> Self {
        Few {
            times: [f64::NEG_INFINITY; PLACES],
            order: 0xfedc_ba98_7654_3210,
            len: 0,
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

    #[inline(always)]
    fn place(&self, position: usize) -> usize {
        (self.order >> (4 * position)) as usize % PLACES
    }

    /// Sorts an event in, behind those of the same time. There must be room.
    #[inline(always)]
    pub fn push(&mut self, time: f64, event: T) {
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
    pub fn pop(&mut self) -> Option<Entry<T>> {
        self.len = self.len.checked_sub(1)?;
        let event = self.events[self.place(self.len)].take()?;
        Some(Entry { time: self.times[self.len % PLACES], event })
    }

    pub fn next_time(&self) -> Option<f64> {
        self.times[..self.len].last().copied()
    }
}
