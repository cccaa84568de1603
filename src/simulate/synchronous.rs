//! The synchronous engine: every message takes one round, and silent time costs nothing.
//!
//! A round handles, in this order: the mail from PREV, the mail from NEXT, the alarms, the
//! spontaneous starts. Within one link the first sent comes first. Between two rounds in which
//! anything happens the clock jumps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::judge::judge;
use super::{Election, Outcome, Record, Starts, Time, Violation};
use crate::algorithm::{Algorithm, Elects};
use crate::process::{
    Clock, Local, MAX_KINDS, Message, NEXT, Outbox, PREV, Port, Synchronous as Lockstep,
};
use crate::topology::{Ring, Topology};

/// A message on its way, and the node that it reaches next.
#[derive(Debug, Clone, Copy)]
struct Flight<M> {
    to: u32,
    message: M,
}

/// The messages that arrive over one port in one round: the first `len` slots.
#[derive(Debug)]
struct Lane<M> {
    slots: Vec<Flight<M>>,
    len: usize,
    /// What did not fit into the slots; they grow after the handlers are done.
    spill: Vec<Flight<M>>,
}

impl<M: Copy> Lane<M> {
    fn new() -> Self {
        Lane { slots: Vec::new(), len: 0, spill: Vec::new() }
    }

    fn flights(&self) -> &[Flight<M>] {
        &self.slots[..self.len]
    }

    #[cold]
    fn take_in_spill(&mut self) {
        self.slots.append(&mut self.spill);
        self.len = self.slots.len();
        let filler = self.slots[0];
        self.slots.resize(2 * self.len, filler);
    }
}

/// What the handlers' outbox rarely touches.
#[derive(Debug)]
struct Desk {
    now: u64,
    kinds: [u64; MAX_KINDS],
    leaders: Vec<(u32, Time)>,
    /// (round, node, token)
    alarms: BinaryHeap<Reverse<(u64, u32, u64)>>,
    /// Alarms beyond the clock: (node, token).
    idle_alarms: Vec<(u32, u64)>,
}

/// The end of a lane where messages are added; its parts live in registers during a round.
struct Cursor<'a, M> {
    slots: &'a mut [Flight<M>],
    len: usize,
    spill: &'a mut Vec<Flight<M>>,
}

impl<'a, M: Copy> Cursor<'a, M> {
    fn new(lane: &'a mut Lane<M>) -> Self {
        Cursor { slots: &mut lane.slots, len: lane.len, spill: &mut lane.spill }
    }

    /// Writes always and counts if `condition` holds, so that no branch depends on it.
    #[inline(always)]
    fn push_if(&mut self, condition: bool, flight: Flight<M>) {
        match self.slots.get_mut(self.len) {
            Some(slot) => {
                *slot = flight;
                self.len += usize::from(condition);
            }
            None if condition => spill(self.spill, flight),
            None => {}
        }
    }
}

#[cold]
#[inline(never)]
fn spill<M>(spill: &mut Vec<Flight<M>>, flight: Flight<M>) {
    spill.push(flight);
}

/// The engine's outbox for one handler. `ALL` says that everybody is an initiator.
struct Post<'a, M, const ALL: bool> {
    me: u32,
    record: Record,
    ring: Ring,
    /// What arrives next round from PREV, and from NEXT.
    lanes: [Cursor<'a, M>; 2],
    desk: &'a mut Desk,
}

impl<M: Message, const ALL: bool> Outbox<M> for Post<'_, M, ALL> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        let (to, arrival) = self.ring.peer(self.me, port);
        self.lanes[arrival].push_if(condition, Flight { to, message });
        self.record.count_if(condition);
        // The first kind is what the others leave of the total.
        let kind = message.kind();
        if kind > 0 {
            self.desk.kinds[kind] += u64::from(condition);
        }
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.record.follow_if(condition);
    }

    #[inline(always)]
    fn lead(&mut self) {
        if !self.record.is(Record::LEADS) {
            self.record.set(Record::LEADS);
            note_leader(self.desk, self.me);
        }
    }

    #[inline(always)]
    fn started(&self) -> bool {
        ALL || self.record.is(Record::STARTED)
    }
}

impl<M: Message, const ALL: bool> Clock<M> for Post<'_, M, ALL> {
    fn now(&self) -> u64 {
        self.desk.now
    }

    fn wake(&mut self, time: Option<u64>, token: u64) {
        match time {
            Some(time) => self.desk.alarms.push(Reverse((time, self.me, token))),
            None => self.desk.idle_alarms.push((self.me, token)),
        }
    }
}

#[cold]
#[inline(never)]
fn note_leader(desk: &mut Desk, node: u32) {
    desk.leaders.push((node, Time::Rounds(desk.now)));
}

/// A synchronous ring network that holds one election after another and keeps its buffers.
#[derive(Debug)]
pub struct Synchronous<A: Algorithm> {
    processes: Vec<A>,
    records: Vec<Record>,
    now: [Lane<A::Message>; 2],
    next: [Lane<A::Message>; 2],
    desk: Desk,
}

impl<A: Algorithm + Lockstep> Default for Synchronous<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Algorithm + Lockstep> Synchronous<A> {
    /// A network without buffers yet.
    pub fn new() -> Self {
        Synchronous {
            processes: Vec::new(),
            records: Vec::new(),
            now: [Lane::new(), Lane::new()],
            next: [Lane::new(), Lane::new()],
            desk: Desk {
                now: 0,
                kinds: [0; MAX_KINDS],
                leaders: Vec::new(),
                alarms: BinaryHeap::new(),
                idle_alarms: Vec::new(),
            },
        }
    }

    /// Holds one election to the end.
    pub fn run(&mut self, election: &Election<'_>) -> Result<Outcome, Violation> {
        self.reset(election);
        let messages = match election.starts {
            Starts::All => self.hold::<true>(election, &[])?,
            Starts::At(starts) => self.hold::<false>(election, starts)?,
        };
        let end = Time::Rounds(self.desk.now);
        let (leader, time) = judge(election, &self.processes, &self.records, &self.desk.leaders)?;
        let mut kinds = self.desk.kinds;
        kinds[0] = messages - kinds[1..].iter().sum::<u64>();
        Ok(Outcome::assemble::<A>(
            election,
            &self.processes,
            &self.records,
            Outcome { leader, messages, kinds, time, end: Some(end), ..Outcome::default() },
        ))
    }

    fn reset(&mut self, election: &Election<'_>) {
        let n = election.ids.len() as u64;
        self.processes.clear();
        self.processes
            .extend(election.ids.iter().map(|&id| A::new(&Local { id, n, seed: election.coins })));
        self.records.clear();
        self.records.resize(election.ids.len(), Record::default());
        for lane in self.now.iter_mut().chain(&mut self.next) {
            lane.len = 0;
            lane.spill.clear();
        }
        self.desk.now = 0;
        self.desk.kinds = [0; MAX_KINDS];
        self.desk.leaders.clear();
        self.desk.alarms.clear();
        self.desk.idle_alarms.clear();
    }

    /// Runs until nothing is left to happen; gives the number of messages.
    fn hold<const ALL: bool>(
        &mut self,
        election: &Election<'_>,
        starts: &[(u64, u32)],
    ) -> Result<u64, Violation> {
        if ALL {
            self.start::<ALL>(0..election.ids.len() as u32);
        }
        let mut starts = starts;
        let mut messages = 0u64;
        let mut last_delivery = 0;
        loop {
            std::mem::swap(&mut self.now, &mut self.next);
            let mail = self.now[PREV].len + self.now[NEXT].len;
            if mail > 0 {
                self.desk.now += 1;
                last_delivery = self.desk.now;
                messages += mail as u64;
                if messages > election.limit {
                    return Err(Violation::TooManyMessages(election.limit));
                }
                if !ALL && !starts.is_empty() {
                    self.wake_receivers();
                }
                for from in [PREV, NEXT] {
                    if self.now[from].len > 0 {
                        self.deliver::<ALL>(from);
                        self.now[from].len = 0;
                    }
                }
            } else {
                let alarm = self.desk.alarms.peek().map(|&Reverse((time, ..))| time);
                let start = starts.first().map(|&(time, _)| time);
                match alarm.into_iter().chain(start).min() {
                    Some(time) => self.desk.now = time,
                    None => break,
                }
            }
            self.ring_alarms::<ALL>();
            if !ALL {
                let due = starts.iter().take_while(|&&(time, _)| time <= self.desk.now).count();
                for &(_, node) in &starts[..due] {
                    if !self.records[node as usize].is(Record::AWAKE) {
                        self.start::<ALL>(node..node + 1);
                    }
                }
                starts = &starts[due..];
            }
            if A::MODEL.elects == Elects::Nobody && !self.is_symmetric() {
                return Err(Violation::SymmetryBroken(self.desk.now));
            }
        }
        self.check_idle_alarms::<ALL>(election)?;
        self.desk.now = last_delivery;
        Ok(messages)
    }

    /// Hands an outbox to `handle` for one node after another; takes in what did not fit.
    #[inline(always)]
    fn with_post<const ALL: bool>(
        &mut self,
        handle: impl FnOnce(
            &mut [A],
            &mut [Record],
            &[Lane<A::Message>; 2],
            &mut Post<'_, A::Message, ALL>,
        ),
    ) {
        let Synchronous { processes, records, now, next, desk } = self;
        let [prev, next] = next;
        let mut post = Post {
            me: 0,
            record: Record::default(),
            ring: Ring::new(processes.len() as u32),
            lanes: [Cursor::new(prev), Cursor::new(next)],
            desk,
        };
        let n = processes.len();
        handle(processes, &mut records[..n], now, &mut post);
        let [prev_len, next_len] = [post.lanes[PREV].len, post.lanes[NEXT].len];
        for (lane, len) in [(prev, prev_len), (next, next_len)] {
            lane.len = len;
            if !lane.spill.is_empty() {
                lane.take_in_spill();
            }
        }
    }

    fn start<const ALL: bool>(&mut self, nodes: std::ops::Range<u32>) {
        self.with_post::<ALL>(|processes, records, _, post| {
            for node in nodes {
                post.me = node;
                post.record = records[node as usize];
                post.record.set(Record::STARTED | Record::AWAKE);
                processes[node as usize].start(post);
                records[node as usize] = post.record;
            }
        });
    }

    /// Marks who gets mail this round: whom mail wakes is no initiator any more.
    fn wake_receivers(&mut self) {
        for flight in self.now.iter().flat_map(Lane::flights) {
            self.records[flight.to as usize].set(Record::AWAKE);
        }
    }

    fn deliver<const ALL: bool>(&mut self, from: Port) {
        // Two copies, so that the port is a constant inside the hot loop.
        match from {
            PREV => self.deliver_from::<ALL, PREV>(),
            _ => self.deliver_from::<ALL, NEXT>(),
        }
    }

    /// The hot loop. Not inlined: by itself it keeps everything it needs in registers.
    #[inline(never)]
    fn deliver_from<const ALL: bool, const FROM: Port>(&mut self) {
        self.with_post::<ALL>(|processes, records, now, post| {
            for flight in now[FROM].flights() {
                let node = flight.to as usize;
                post.me = flight.to;
                post.record = records[node];
                processes[node].receive(FROM, flight.message, post);
                records[node] = post.record;
            }
        });
    }

    /// Alarms of this round, by node and then by token.
    fn ring_alarms<const ALL: bool>(&mut self) {
        while let Some(&Reverse((time, node, token))) = self.desk.alarms.peek()
            && time <= self.desk.now
        {
            self.desk.alarms.pop();
            self.ring_alarm::<ALL>(node, token);
        }
    }

    fn ring_alarm<const ALL: bool>(&mut self, node: u32, token: u64) {
        self.with_post::<ALL>(|processes, records, _, post| {
            post.me = node;
            post.record = records[node as usize];
            processes[node as usize].alarm(token, post);
            records[node as usize] = post.record;
        });
    }

    /// Alarms beyond the clock must not do anything any more.
    fn check_idle_alarms<const ALL: bool>(
        &mut self,
        election: &Election<'_>,
    ) -> Result<(), Violation> {
        while let Some((node, token)) = self.desk.idle_alarms.pop() {
            let before = self.records[node as usize];
            self.ring_alarm::<ALL>(node, token);
            if self.records[node as usize] != before {
                return Err(Violation::ClockOverflow(election.ids[node as usize]));
            }
        }
        Ok(())
    }

    fn is_symmetric(&self) -> bool {
        self.processes.windows(2).all(|pair| pair[0] == pair[1])
            && self.records.windows(2).all(|pair| pair[0] == pair[1])
    }
}
