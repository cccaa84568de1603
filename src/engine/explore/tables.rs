//! What comes of every local situation, worked out once: steps of nodes, and what may be on a link.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::quiet::quietly;
use crate::engine::machine::{Machine, Mail, Occasion, Silence, State};
use crate::model::election::Election;
use crate::model::message::MAX_KINDS;
use crate::model::process::Port;
use crate::model::violation::Violation;

/// A hash for a few small numbers.
#[derive(Debug, Default)]
struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.write_u32((number >> 32) as u32);
        self.write_u32(number as u32);
    }

    fn write_u32(&mut self, number: u32) {
        let word = (self.0.rotate_left(23) ^ u64::from(number)).wrapping_add(1);
        self.0 = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }
}

/// What is asked for by two or three small numbers, the first two in one word.
type Key = (u64, u32);

/// A number for each key.
#[derive(Debug)]
pub(super) struct Memo {
    all: HashMap<Key, u32, BuildHasherDefault<Folded>>,
    /// The keys that were asked for last with their numbers, each in the one place where it may stand.
    recent: Vec<(u64, u32, u32)>,
}

/// So many are at hand: 2 to the power of this.
const RECENT: u32 = 11;

impl Memo {
    pub(super) fn new() -> Self {
        // No key begins like these.
        Memo { all: HashMap::default(), recent: vec![(u64::MAX, 0, 0); 1 << RECENT] }
    }

    /// Where a key may stand among the recent ones.
    #[inline]
    fn place(key: Key) -> usize {
        let mixed = key.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ u64::from(key.1).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> (u64::BITS - RECENT)) as usize
    }

    #[inline]
    pub(super) fn get(&mut self, key: Key) -> Option<u32> {
        let place = Memo::place(key);
        let (word, rest, number) = self.recent[place];
        if (word, rest) == key {
            return Some(number);
        }
        let number = *self.all.get(&key)?;
        self.recent[place] = (key.0, key.1, number);
        Some(number)
    }

    /// Sets the number of a key.
    pub(super) fn insert(&mut self, key: Key, number: u32) {
        self.recent[Memo::place(key)] = (key.0, key.1, number);
        self.all.insert(key, number);
    }
}

/// What a step at a node comes to.
#[derive(Debug)]
pub(super) struct Effect {
    /// The node's next state.
    pub(super) state: u32,
    /// What it sends: ports and messages.
    pub(super) sent: Vec<(Port, u32)>,
    /// How many of these messages count.
    pub(super) counted: u16,
}

/// The steps of nodes: each handler runs once in each situation.
pub(super) struct Steps {
    machine: Box<dyn Machine>,
    /// By state, port and message; the port after the last stands for a start.
    known: Memo,
    effects: Vec<Effect>,
    /// Whether a node in this state takes part.
    awake: Vec<bool>,
    /// Whether announcements count.
    announcements: bool,
}

/// Stands for the port where a node starts by itself.
const START: u32 = u32::MAX;

impl Steps {
    pub(super) fn new(machine: Box<dyn Machine>, announcements: bool) -> Self {
        let (known, effects, awake) = (Memo::new(), Vec::new(), Vec::new());
        Steps { machine, known, effects, awake, announcements }
    }

    pub(super) fn machine(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    /// Whether a node in this state takes part already.
    pub(super) fn is_awake(&mut self, state: u32) -> bool {
        while self.awake.len() <= state as usize {
            let next = State(self.awake.len() as u32);
            self.awake.push(self.machine.fate(next).awake);
        }
        self.awake[state as usize]
    }

    /// The judge's word on nodes that ended in these states.
    pub(super) fn judge(&self, election: &Election<'_>, states: &[u32]) -> Result<(), Violation> {
        let states: Vec<State> = states.iter().map(|&it| State(it)).collect();
        let nodes = (0..).zip(&states);
        let leaders = nodes.filter(|&(_, &state)| self.machine.fate(state).leads);
        let leaders = leaders.map(|(node, _)| (node, None)).collect();
        let silence = Silence { leaders, ..Silence::default() };
        self.machine.outcome(election, &states, &silence).map(|_| ())
    }

    pub(super) fn effect(&self, number: u32) -> &Effect {
        &self.effects[number as usize]
    }

    /// The number of what comes of a start (no mail) or of mail over a port; what the handler said
    /// if it panicked.
    #[inline]
    pub(super) fn step(&mut self, state: u32, mail: Option<(Port, u32)>) -> Result<u32, String> {
        let (port, number) = mail.map_or((START, 0), |(port, mail)| (port as u32, mail));
        let key = (u64::from(state) << 32 | u64::from(port), number);
        if let Some(known) = self.known.get(key) {
            return Ok(known);
        }
        let number = self.carry_out(state, mail)?;
        self.known.insert(key, number);
        Ok(number)
    }

    /// The same in a situation that perhaps no schedule leads to, where a handler may panic without a word.
    pub(super) fn step_quietly(&mut self, state: u32, mail: Option<(Port, u32)>) -> Option<u32> {
        quietly(|| self.step(state, mail)).ok()
    }

    /// Runs a handler for the first time in this situation.
    fn carry_out(&mut self, state: u32, mail: Option<(Port, u32)>) -> Result<u32, String> {
        let occasion =
            mail.map_or(Occasion::Start, |(port, mail)| Occasion::Mail(port, Mail(mail)));
        let machine = &mut self.machine;
        let stepped = catch_unwind(AssertUnwindSafe(|| machine.step(State(state), occasion, 0)));
        let effect = stepped.map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            text.or_else(|| panic.downcast_ref::<&str>().map(|it| it.to_string()))
                .unwrap_or_default()
        })?;
        let mut kinds = [0; MAX_KINDS];
        effect.sent.iter().for_each(|&(_, mail)| kinds[self.machine.kind(mail).0] += 1);
        let announcing = match self.announcements {
            true => 0,
            false => self.machine.kinds().announcements(&kinds) as usize,
        };
        self.effects.push(Effect {
            state: effect.state.0,
            counted: (effect.sent.len() - announcing) as u16,
            sent: effect.sent.into_iter().map(|(port, mail)| (port, mail.0)).collect(),
        });
        Ok(self.effects.len() as u32 - 1)
    }
}

/// What may be on a link, by number; nothing is number 0.
#[derive(Debug)]
pub(super) struct Queues {
    /// Whether links keep the order of messages. If not, only which there are matters.
    fifo: bool,
    numbers: HashMap<Vec<u32>, u32>,
    queues: Vec<Vec<u32>>,
    /// Which messages may leave a queue next, and what each leaves behind: one queue after the other, as
    /// they are asked for.
    leaving: Vec<(u32, u32)>,
    /// Where those of a queue stand; nowhere until they are asked for.
    places: Vec<Range<u32>>,
    /// What a queue becomes with a message more.
    joined: Memo,
}

impl Queues {
    pub(super) fn new(fifo: bool) -> Self {
        let numbers = HashMap::from([(Vec::new(), 0)]);
        let (queues, leaving, places) = (vec![Vec::new()], Vec::new(), Vec::new());
        Queues { fifo, numbers, queues, leaving, places, joined: Memo::new() }
    }

    fn number(&mut self, mails: Vec<u32>) -> u32 {
        let next = self.queues.len() as u32;
        *self.numbers.entry(mails).or_insert_with_key(|mails| {
            self.queues.push(mails.clone());
            next
        })
    }

    /// The queue with one message more.
    pub(super) fn with(&mut self, queue: u32, mail: u32) -> u32 {
        if let Some(joined) = self.joined.get((queue.into(), mail)) {
            return joined;
        }
        let mut mails = self.queues[queue as usize].clone();
        mails.push(mail);
        if !self.fifo {
            mails.sort_unstable();
        }
        let joined = self.number(mails);
        self.joined.insert((queue.into(), mail), joined);
        joined
    }

    /// Which messages may leave a queue next, and what each leaves behind; none if there are none.
    pub(super) fn leaving(&mut self, queue: u32) -> &[(u32, u32)] {
        let place = match self.places.get(queue as usize) {
            Some(place) if !place.is_empty() => place.clone(),
            _ => self.work_out(queue),
        };
        &self.leaving[place.start as usize..place.end as usize]
    }

    /// The messages on a link, the first in front.
    pub(super) fn mails(&self, queue: u32) -> &[u32] {
        &self.queues[queue as usize]
    }

    /// What is left of a queue without the message in this place.
    pub(super) fn without(&mut self, queue: u32, place: usize) -> u32 {
        let mut left = self.queues[queue as usize].clone();
        left.remove(place);
        self.number(left)
    }

    /// Works out what may leave a queue.
    fn work_out(&mut self, queue: u32) -> Range<u32> {
        let mails = self.queues[queue as usize].clone();
        let next = if self.fifo { mails.len().min(1) } else { mails.len() };
        let start = self.leaving.len() as u32;
        for place in 0..next {
            // Of equal messages it does not matter which leaves.
            if place == 0 || mails[place] != mails[place - 1] {
                let mut left = mails.clone();
                let mail = left.remove(place);
                let left = self.number(left);
                self.leaving.push((mail, left));
            }
        }
        let place = start..self.leaving.len() as u32;
        self.places.resize(self.queues.len(), 0..0);
        self.places[queue as usize] = place.clone();
        place
    }
}
