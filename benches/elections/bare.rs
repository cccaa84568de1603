//! The limits: each algorithm as one bare loop over arrays, written for speed and nothing else.
//!
//! Nothing is counted per node, nobody decides anything, nothing is judged: only the messages of
//! the synchronous election are moved and counted.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hustings::model::delay::Delay;
use hustings::model::election::Network;
use hustings::model::process::Id;

fn after(position: u32, n: u32) -> u32 {
    if position + 1 == n { 0 } else { position + 1 }
}

fn before(position: u32, n: u32) -> u32 {
    if position == 0 { n - 1 } else { position - 1 }
}

thread_local! {
    static TOKENS: RefCell<Vec<(u32, Id)>> = const { RefCell::new(Vec::new()) };
}

/// Tokens in one array, compacted without a branch round by round.
pub fn chang_roberts(ids: &[Id]) -> u64 {
    TOKENS.with_borrow_mut(|tokens| {
        let n = ids.len() as u32;
        tokens.clear();
        tokens.extend(ids.iter().enumerate().map(|(i, &id)| (i as u32, id)));
        let mut len = tokens.len();
        let mut messages = 0;
        while len > 0 {
            messages += len as u64;
            let mut kept = 0;
            for i in 0..len {
                let (position, id) = tokens[i];
                let position = after(position, n);
                tokens[kept] = (position, id);
                kept += usize::from(id > ids[position as usize]);
            }
            len = kept;
        }
        messages
    })
}

/// The same, and then the winner's ID goes round once more and everybody writes it down.
pub fn chang_roberts_announced(ids: &[Id]) -> u64 {
    let messages = chang_roberts(ids);
    let n = ids.len() as u32;
    let mut leader = vec![0; ids.len()];
    let (mut position, winner) = (0..n).zip(ids).max_by_key(|&(_, id)| id).expect("a node");
    let mut sent = 0;
    while sent < u64::from(n) {
        position = after(position, n);
        leader[position as usize] = *winner;
        sent += 1;
    }
    std::hint::black_box(&leader);
    messages + sent
}

/// All tokens move once round the ring.
pub fn lelann(ids: &[Id]) -> u64 {
    TOKENS.with_borrow_mut(|tokens| {
        let n = ids.len() as u32;
        tokens.clear();
        tokens.extend(ids.iter().enumerate().map(|(i, &id)| (i as u32, id)));
        let mut largest = ids.to_vec();
        let mut len = tokens.len();
        let mut messages = 0;
        while len > 0 {
            messages += len as u64;
            let mut kept = 0;
            for i in 0..len {
                let (position, id) = tokens[i];
                let position = after(position, n);
                tokens[kept] = (position, id);
                let seen = &mut largest[position as usize];
                *seen = id.max(*seen);
                kept += usize::from(id != ids[position as usize]);
            }
            len = kept;
        }
        messages
    })
}

/// A probe (hop > 0) or a reply (hop = 0) at a position.
#[derive(Clone, Copy)]
struct Probe {
    position: u32,
    hop: u32,
    id: Id,
    phase: u8,
    fit: bool,
}

/// Moves all probes and replies of both directions, one round at a time.
fn probing(
    ids: &[Id],
    mut step: impl FnMut(&mut Nodes, [&mut Vec<Probe>; 2], usize, Probe),
) -> u64 {
    let n = ids.len() as u32;
    let mut nodes =
        Nodes { ids: ids.to_vec(), replies: vec![0; ids.len()], passive: vec![false; ids.len()] };
    let begin = |position: usize| Probe {
        position: position as u32,
        hop: 1,
        id: ids[position],
        phase: 0,
        fit: true,
    };
    let all: Vec<Probe> = (0..ids.len()).map(begin).collect();
    let mut now = [all.clone(), all];
    let mut next = [Vec::with_capacity(ids.len()), Vec::with_capacity(ids.len())];
    let mut messages = 0;
    while !now[0].is_empty() || !now[1].is_empty() {
        messages += (now[0].len() + now[1].len()) as u64;
        for direction in [0, 1] {
            for probe in &now[direction] {
                let position = match direction {
                    0 => after(probe.position, n),
                    _ => before(probe.position, n),
                };
                let [a, b] = &mut next;
                step(&mut nodes, [a, b], direction, Probe { position, ..*probe });
            }
            now[direction].clear();
        }
        std::mem::swap(&mut now, &mut next);
    }
    messages
}

struct Nodes {
    ids: Vec<Id>,
    replies: Vec<u8>,
    passive: Vec<bool>,
}

impl Nodes {
    /// A reply came home: the second one starts the next phase.
    fn come_home(&mut self, next: [&mut Vec<Probe>; 2], probe: Probe, counts: bool) {
        let position = probe.position as usize;
        self.replies[position] += u8::from(counts);
        if self.replies[position] == 2 {
            self.replies[position] = 0;
            let probe = Probe { hop: 1, phase: probe.phase + 1, fit: true, ..probe };
            for lane in next {
                lane.push(probe);
            }
        }
    }
}

pub fn hirschberg_sinclair(ids: &[Id]) -> u64 {
    doubling(ids, 0)
}

pub fn k_neighbour(ids: &[Id]) -> u64 {
    doubling(ids, 1)
}

/// Probes of phase l reach 2^l + `extra` nodes far.
fn doubling(ids: &[Id], extra: u32) -> u64 {
    probing(ids, |nodes, next, direction, probe| {
        let own = nodes.ids[probe.position as usize];
        if probe.hop == 0 {
            match probe.id == own {
                true => nodes.come_home(next, probe, true),
                false => next[direction].push(probe),
            }
        } else if probe.id > own {
            match probe.hop < (1 << probe.phase) + extra {
                true => next[direction].push(Probe { hop: probe.hop + 1, ..probe }),
                false => next[1 - direction].push(Probe { hop: 0, ..probe }),
            }
        }
    })
}

pub fn radius_growth(ids: &[Id]) -> u64 {
    probing(ids, |nodes, next, direction, probe| {
        let position = probe.position as usize;
        let own = nodes.ids[position];
        if probe.hop == 0 {
            match probe.id == own {
                true => nodes.come_home(next, probe, probe.fit && !nodes.passive[position]),
                false => next[direction].push(probe),
            }
        } else if probe.id != own {
            nodes.passive[position] |= probe.id > own;
            let fit = probe.fit && probe.id > own;
            match probe.hop < 1 << probe.phase {
                true => next[direction].push(Probe { hop: probe.hop + 1, fit, ..probe }),
                false => next[1 - direction].push(Probe { hop: 0, fit, ..probe }),
            }
        }
    })
}

/// Kinds 0 and 1 are the two messages of a round, 2 is the announcement.
pub fn peterson(ids: &[Id]) -> u64 {
    let n = ids.len() as u32;
    let mut current = ids.to_vec();
    let mut neighbour = ids.to_vec();
    let mut active = vec![true; ids.len()];
    let mut tokens: Vec<(u32, u8, Id)> =
        ids.iter().enumerate().map(|(i, &id)| (i as u32, 0, id)).collect();
    let mut messages = 0;
    while !tokens.is_empty() {
        messages += tokens.len() as u64;
        let mut kept = 0;
        for i in 0..tokens.len() {
            let (position, kind, id) = tokens[i];
            let position = after(position, n);
            let here = position as usize;
            let sent = if !active[here] {
                Some((kind, id))
            } else {
                match kind {
                    0 if id == current[here] => Some((2, id)),
                    0 => {
                        neighbour[here] = id;
                        Some((1, id))
                    }
                    1 if neighbour[here] > current[here] && neighbour[here] > id => {
                        current[here] = neighbour[here];
                        Some((0, current[here]))
                    }
                    1 => {
                        active[here] = false;
                        None
                    }
                    _ => None,
                }
            };
            if let Some((kind, id)) = sent {
                tokens[kept] = (position, kind, id);
                kept += 1;
            }
        }
        tokens.truncate(kept);
    }
    messages
}

/// An event in the order of (time, insertion number); times are positive, so their bits compare as
/// they do.
type Event = Reverse<(u64, u64, u32, Id)>;

/// Chang-Roberts with delays, its events in a binary heap.
#[derive(Default)]
pub struct Heap {
    events: BinaryHeap<Event>,
    last: Vec<f64>,
}

impl Heap {
    pub fn chang_roberts(&mut self, ids: &[Id], network: &Network) -> u64 {
        let mut words = network.words.clone();
        match network.delay {
            Delay::Uniform(from, to) => self.run(ids, || from + (to - from) * words.unit()),
            Delay::Exponential(mean) => self.run(ids, || mean * words.exponential()),
            _ => unreachable!("the heap is for random delays"),
        }
    }

    fn run(&mut self, ids: &[Id], mut delay: impl FnMut() -> f64) -> u64 {
        let n = ids.len() as u32;
        let mut messages = 0;
        self.events.clear();
        self.last.clear();
        self.last.resize(ids.len(), 0.0);
        let Heap { events, last } = self;
        let mut send = |events: &mut BinaryHeap<Event>, now: f64, from: u32, id: Id| {
            let link = &mut last[from as usize];
            *link = link.max(now + delay());
            events.push(Reverse((link.to_bits(), messages, after(from, n), id)));
            messages += 1;
        };
        for (position, &id) in ids.iter().enumerate() {
            send(events, 0.0, position as u32, id);
        }
        while let Some(Reverse((time, _, position, id))) = events.pop() {
            if id > ids[position as usize] {
                send(events, f64::from_bits(time), position, id);
            }
        }
        messages
    }
}
