//! The synchronous engine: every message takes one round, and silent time costs nothing.
//!
//! A round handles, in this order: the mail from PREV, the mail from NEXT, the alarms, the
//! spontaneous starts. Within one link the first sent comes first. Between two rounds in which
//! anything happens the clock jumps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::books::{Books, OpenBooks, all_equal};
use super::judge::Testimony;
use super::outcome::{Counted, Ended};
use super::records::{Flags, Record};
use crate::algorithm::{Algorithm, Elects};
use crate::model::election::{Election, Starts};
use crate::model::message::{MAX_KINDS, Message};
use crate::model::outcome::{Outcome, Time};
use crate::model::process::{Clock, NEXT, Outbox, PREV, Port, Synchronous, opposite};
use crate::model::topology::{Ports, Ring};
use crate::model::violation::Violation;

/// A lane is crowded if more than one node in so many gets mail.
const CROWD: usize = 16;

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
}

impl<M: Copy> Lane<M> {
    fn new() -> Self {
        Lane { slots: Vec::new(), len: 0 }
    }

    fn flights(&self) -> &[Flight<M>] {
        &self.slots[..self.len]
    }

    fn free(&mut self) -> Free<'_, M> {
        &mut self.slots[self.len..]
    }

    /// Takes in more messages: what was put into the first of the free slots, of which `free` are
    /// left, and the spill.
    #[inline(always)]
    fn take_in(&mut self, free: usize, spill: &mut Vec<Flight<M>>) {
        self.len = self.slots.len() - free;
        if !spill.is_empty() {
            self.grow(spill);
        }
    }

    /// Takes in a spill, which there is only if all slots are taken. Its memory is given back: the
    /// next one will be larger, or there is none.
    #[cold]
    fn grow(&mut self, spill: &mut Vec<Flight<M>>) {
        self.slots.append(&mut std::mem::take(spill));
        self.len = self.slots.len();
        let filler = self.slots[0];
        self.slots.resize(2 * self.len, filler);
    }
}

/// What the handlers' outbox rarely touches.
#[derive(Debug)]
struct Desk<M> {
    /// What did not fit into the lanes; they grow after the handlers are done.
    spill: [Vec<Flight<M>>; 2],
    now: u64,
    messages: u64,
    /// After so many messages the engine looks up.
    pause: u64,
    /// Whether anything but the mail of the next round is to be looked after.
    busy: bool,
    kinds: [u64; MAX_KINDS],
    leaders: Vec<(u32, Time)>,
    /// (round, node, token)
    alarms: BinaryHeap<Reverse<(u64, u32, u64)>>,
    /// Alarms beyond the clock: (node, token).
    idle_alarms: Vec<(u32, u64)>,
}

/// The free slots of a lane, which are taken one after the other.
type Free<'a, M> = &'a mut [Flight<M>];

/// Writes always and takes the slot if `condition` holds, so that no branch depends on it. False if
/// there is no room.
#[inline(always)]
fn push_if<M>(free: &mut Free<'_, M>, condition: bool, flight: Flight<M>) -> bool {
    let slots = std::mem::take(free);
    let has_room = !slots.is_empty();
    if has_room {
        slots[0] = flight;
        *free = &mut slots[usize::from(condition)..];
    }
    has_room
}

/// The engine's outbox for one handler. `ALL` says that everybody is an initiator. With `CROWDED`
/// conditions are carried out without branches, see [`InRounds::deliver`].
struct Post<'a, M, const ALL: bool, const CROWDED: bool> {
    me: u32,
    /// With `CROWDED` the node's record, which goes into the books when the handler is done;
    /// otherwise the books themselves are changed, seldom.
    record: Record,
    books: OpenBooks<'a>,
    /// What this handler has sent over each port.
    sent: [i64; 2],
    ring: Ring,
    /// The slots for what arrives next round from PREV, and from NEXT.
    free: [Free<'a, M>; 2],
    desk: &'a mut Desk<M>,
}

impl<'a, M: Message + Copy, const ALL: bool, const CROWDED: bool> Post<'a, M, ALL, CROWDED> {
    fn new(books: OpenBooks<'a>, free: [Free<'a, M>; 2], desk: &'a mut Desk<M>) -> Self {
        let ring = Ring::new(books.records.len() as u32);
        Post { me: 0, record: Record::default(), books, sent: [0; 2], ring, free, desk }
    }

    #[inline(always)]
    fn record(&mut self) -> &mut Record {
        if CROWDED { &mut self.record } else { &mut self.books.records[self.me as usize] }
    }

    /// How many slots of each lane are free. (`map` on an array is many functions, and there are many
    /// of these loops to compile.)
    #[inline(always)]
    fn slots_left(&self) -> [usize; 2] {
        [self.free[PREV].len(), self.free[NEXT].len()]
    }

    /// Makes this the outbox of `node`.
    #[inline(always)]
    fn look_at(&mut self, node: u32) {
        self.me = node;
        self.sent = [0; 2];
        if CROWDED {
            self.record = self.books.records[node as usize];
        }
    }

    /// Lets nodes receive messages, one after the other.
    #[inline(always)]
    fn deliver_all<P>(&mut self, from: Port, flights: &[Flight<M>], processes: &mut [P])
    where
        P: Synchronous<Message = M>,
    {
        for &flight in flights {
            self.deliver(from, flight, processes);
        }
    }

    /// Lets a node receive a message.
    #[inline(always)]
    fn deliver<P>(&mut self, from: Port, Flight { to, message }: Flight<M>, processes: &mut [P])
    where
        P: Synchronous<Message = M>,
    {
        self.look_at(to);
        processes[to as usize].receive(from, message, self);
        // What passes leaves by the other port.
        let mut more = self.sent;
        more[opposite(from)] -= 1;
        if CROWDED {
            self.books.replace(to, self.record, more);
        } else {
            self.books.enter(to, more);
        }
    }
}

impl<M: Message + Copy, const ALL: bool, const CROWDED: bool> Outbox<M>
    for Post<'_, M, ALL, CROWDED>
{
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if !CROWDED && !condition {
            return;
        }
        let (to, arrival) = self.ring.peer(self.me, port);
        let flight = Flight { to, message };
        if !push_if(&mut self.free[arrival], condition, flight) {
            self.desk.busy = true;
            // Not in a function of its own: its argument would lie in memory, also where it is
            // not called, and a message be written piece by piece and read as a whole.
            if condition {
                self.desk.spill[arrival].push(flight);
            }
        }
        self.sent[port] += i64::from(condition);
        if const { M::KINDS.count() > 1 } {
            // The first kind is what the others leave of the total: where a handler sends no other, nothing
            // is written.
            let kind = message.kind();
            self.desk.kinds[kind] += u64::from(condition && kind > 0);
        }
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        if !CROWDED && !condition {
            return;
        }
        self.record().follow_if(condition);
    }

    #[inline(always)]
    fn lead(&mut self) {
        let record = self.record();
        if !record.flags().has(Flags::LEADS) {
            record.set(Flags::LEADS);
            note_leader(self.desk, self.me);
        }
    }

    #[inline(always)]
    fn started(&self) -> bool {
        let record = if CROWDED { self.record } else { self.books.records[self.me as usize] };
        ALL || record.flags().has(Flags::STARTED)
    }
}

impl<M: Message + Copy, const ALL: bool, const CROWDED: bool> Clock<M>
    for Post<'_, M, ALL, CROWDED>
{
    fn now(&self) -> u64 {
        self.desk.now
    }

    fn wake(&mut self, time: Option<u64>, token: u64) {
        self.desk.busy = true;
        match time {
            Some(time) => self.desk.alarms.push(Reverse((time, self.me, token))),
            None => self.desk.idle_alarms.push((self.me, token)),
        }
    }
}

/// No port: the mail of both is delivered.
const BOTH: Port = 2;

/// Whose mail is delivered, in this order.
const fn ports(from: Port) -> &'static [Port] {
    match from {
        PREV => &[PREV],
        NEXT => &[NEXT],
        _ => &[PREV, NEXT],
    }
}

#[cold]
#[inline(never)]
fn note_leader<M>(desk: &mut Desk<M>, node: u32) {
    desk.leaders.push((node, Time::Rounds(desk.now)));
}

/// Takes into the lanes what was sent; by lane `free` slots are left.
#[inline(always)]
fn take_in<M: Copy>(lanes: &mut [Lane<M>; 2], free: [usize; 2], desk: &mut Desk<M>) {
    for from in [PREV, NEXT] {
        lanes[from].take_in(free[from], &mut desk.spill[from]);
    }
}

/// A synchronous ring network that holds one election after another and keeps its buffers.
#[derive(Debug)]
pub struct InRounds<A: Algorithm> {
    processes: Vec<A>,
    books: Books,
    /// Two sets of lanes, by arrival port, that take turns: one is delivered, one is filled.
    lanes: [[Lane<A::Message>; 2]; 2],
    /// Which set is filled.
    filling: usize,
    desk: Desk<A::Message>,
}

impl<A: Algorithm + Synchronous<Message: Copy>> Default for InRounds<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Algorithm + Synchronous<Message: Copy>> InRounds<A> {
    /// A network without buffers yet.
    pub fn new() -> Self {
        InRounds {
            processes: Vec::new(),
            books: Books::default(),
            lanes: [[Lane::new(), Lane::new()], [Lane::new(), Lane::new()]],
            filling: 0,
            desk: Desk {
                spill: [Vec::new(), Vec::new()],
                now: 0,
                messages: 0,
                pause: 0,
                busy: false,
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
        self.hold(election)?;
        let messages = self.desk.messages;
        let end = Time::Rounds(self.desk.now);
        let mut kinds = self.desk.kinds;
        kinds[0] = messages - kinds[1..].iter().sum::<u64>();
        let max_node_messages = self.books.max_node_messages(messages);
        let leaders = &self.desk.leaders;
        let ended = Ended {
            election,
            model: const { &A::MODEL },
            kinds: const { &A::Message::KINDS },
            records: self.books.records(),
            testimony: Testimony::of(election, leaders, self.processes.iter()),
            leaders,
            counted: Counted { messages, kinds, listed_ids: 0, max_node_messages },
            end: Some(end),
        };
        ended.outcome()
    }

    fn reset(&mut self, election: &Election<'_>) {
        self.processes.clear();
        self.processes.extend(election.participants());
        let flags = match election.starts {
            Starts::All => Flags::INITIATOR,
            Starts::At(_) => Flags::default(),
        };
        self.books.reset(election.ids.len(), flags);
        for lane in self.lanes.iter_mut().flatten() {
            lane.len = 0;
        }
        self.desk.spill.iter_mut().for_each(Vec::clear);
        self.desk.now = 0;
        self.desk.messages = 0;
        self.desk.busy = false;
        self.desk.kinds = [0; MAX_KINDS];
        self.desk.leaders.clear();
        self.desk.alarms.clear();
        self.desk.idle_alarms.clear();
    }

    /// Runs until nothing is left to happen.
    fn hold(&mut self, election: &Election<'_>) -> Result<(), Violation> {
        self.desk.pause = election.look(0)?;
        let (all, mut starts) = match election.starts {
            Starts::All => (true, &[][..]),
            Starts::At(starts) => (false, &starts[..]),
        };
        if all {
            self.start(0..election.ids.len() as u32);
        }
        let mut last_delivery = 0;
        loop {
            let now = self.filling;
            self.filling = 1 - now;
            let mail = self.lanes[now][PREV].len + self.lanes[now][NEXT].len;
            if mail > 0 {
                self.desk.now = self.desk.now.checked_add(1).ok_or_else(|| {
                    let flights = self.lanes[now].iter().flat_map(Lane::flights);
                    let to = flights.map(|flight| flight.to).next().unwrap_or(0);
                    Violation::ClockOverflow(election.ids[to as usize])
                })?;
                self.desk.messages += mail as u64;
                self.desk.busy = !starts.is_empty()
                    || !self.desk.alarms.is_empty()
                    || A::MODEL.elects == Elects::Nobody;
                if !starts.is_empty() {
                    self.wake_receivers();
                }
                self.deliver(all);
                if self.desk.messages > self.desk.pause {
                    self.desk.pause = election.look(self.desk.messages)?;
                }
                last_delivery = self.desk.now;
            } else {
                let alarm = self.desk.alarms.peek().map(|&Reverse((time, ..))| time);
                let start = starts.first().map(|&(time, _)| time);
                match alarm.into_iter().chain(start).min() {
                    Some(time) => self.desk.now = time,
                    None => break,
                }
            }
            self.ring_alarms();
            while let Some((&(time, node), later)) = starts.split_first()
                && time <= self.desk.now
            {
                if !self.books.record(node).flags().has(Flags::AWAKE) {
                    self.start(node..node + 1);
                }
                starts = later;
            }
            if A::MODEL.elects == Elects::Nobody && !self.is_symmetric() {
                return Err(Violation::SymmetryBroken(self.desk.now));
            }
        }
        self.check_idle_alarms(election)?;
        self.desk.now = last_delivery;
        Ok(())
    }

    /// Lets `handle` act for nodes that got no mail; gives whether that had any effect.
    #[inline(always)]
    fn act(
        &mut self,
        nodes: std::ops::Range<u32>,
        handle: impl Fn(&mut A, &mut Post<'_, A::Message, false, false>),
    ) -> bool {
        let InRounds { processes, books, lanes: [even, odd], filling, desk, .. } = self;
        let lanes = if *filling == 0 { even } else { odd };
        let books = books.open(processes.len());
        let [prev, next] = &mut *lanes;
        let mut post = Post::new(books, [prev.free(), next.free()], desk);
        let mut effect = false;
        let handlers = &mut processes[nodes.start as usize..nodes.end as usize];
        for (node, process) in nodes.zip(handlers) {
            post.look_at(node);
            let before = *post.record();
            handle(process, &mut post);
            effect |= *post.record() != before || post.sent != [0; 2];
            post.books.enter(node, post.sent);
        }
        let free = post.slots_left();
        take_in(lanes, free, desk);
        effect
    }

    fn start(&mut self, nodes: std::ops::Range<u32>) {
        self.act(nodes, |process, post| {
            post.record().set(Flags::INITIATOR);
            process.start(post);
        });
    }

    /// Marks who gets mail this round: whom mail wakes is no initiator any more.
    fn wake_receivers(&mut self) {
        for flight in self.lanes[1 - self.filling].iter().flat_map(Lane::flights) {
            self.books.record(flight.to).set(Flags::AWAKE);
        }
    }

    /// Delivers the mail of a round: from both ports at once if there is little of it, for most rounds
    /// of whoever probes both sides are such.
    fn deliver(&mut self, all: bool) {
        let crowd = self.processes.len() / CROWD;
        let [prev, next] = &self.lanes[1 - self.filling];
        let [prev, next] = [prev.len, next.len];
        if prev.min(next) > 0 && prev.max(next) <= crowd {
            self.deliver_over(BOTH, false, all);
            return;
        }
        for (from, mail) in [(PREV, prev), (NEXT, next)] {
            if mail > 0 {
                self.deliver_over(from, mail > crowd, all);
            }
        }
    }

    /// Delivers the mail of one port, or of both.
    ///
    /// Whether a message is swallowed is a matter of luck while many are on their way, and then a
    /// mispredicted branch costs more than doing both; later nearly all are forwarded, and then the
    /// prediction lets the processor run ahead. Hence two copies of the loop; and two for each port,
    /// so that the port is a constant inside; and two more for `all`, who are then known to have started.
    fn deliver_over(&mut self, from: Port, crowded: bool, all: bool) {
        match (from, crowded, all) {
            (PREV, true, true) => self.deliver_from::<true, true, PREV>(),
            (PREV, true, false) => self.deliver_from::<false, true, PREV>(),
            (PREV, false, true) => self.deliver_from::<true, false, PREV>(),
            (PREV, false, false) => self.deliver_from::<false, false, PREV>(),
            (NEXT, true, true) => self.deliver_from::<true, true, NEXT>(),
            (NEXT, true, false) => self.deliver_from::<false, true, NEXT>(),
            (NEXT, false, true) => self.deliver_from::<true, false, NEXT>(),
            (NEXT, false, false) => self.deliver_from::<false, false, NEXT>(),
            (_, _, true) => self.deliver_from::<true, false, BOTH>(),
            (_, _, false) => self.deliver_from::<false, false, BOTH>(),
        }
    }

    /// The hot loop. It is not inlined: by itself it keeps what it needs in registers. As long as
    /// nothing else is to be looked after, it goes on with the next round at once, for on a ring
    /// most rounds have but a few messages.
    #[inline(never)]
    fn deliver_from<const ALL: bool, const CROWDED: bool, const FROM: Port>(&mut self) {
        let InRounds { processes, books, lanes: [even, odd], filling, desk, .. } = self;
        let (now, next) = if *filling == 0 { (odd, even) } else { (even, odd) };
        let n = processes.len();
        let processes = &mut processes[..n];
        let mut books = books.open(n);
        let crowd = n / CROWD;
        let first_round = desk.now;
        let ports = const { ports(FROM) };
        let mut len = [0; 2];
        for &from in ports {
            len[from] = std::mem::take(&mut now[from].len);
        }
        // Mail is left for the other port, or waits for the next round already; and no election
        // lasts so long that the clock could run out of its other half meanwhile.
        desk.busy |= now[PREV].len + now[NEXT].len + next[PREV].len + next[NEXT].len > 0;
        desk.busy |= desk.now >= u64::MAX / 2;
        let [from_prev, from_next] = &mut *now;
        let mut flights = [from_prev.slots.as_mut_slice(), from_next.slots.as_mut_slice()];
        let [from_prev, from_next] = &mut *next;
        let mut free = [from_prev.free(), from_next.free()];
        let free_after = loop {
            let [prev, next] = &mut free;
            let mut post = Post::<_, ALL, CROWDED>::new(books.reborrow(), [prev, next], desk);
            if FROM != NEXT {
                post.deliver_all(PREV, &flights[PREV][..len[PREV]], processes);
            }
            if FROM != PREV {
                post.deliver_all(NEXT, &flights[NEXT][..len[NEXT]], processes);
            }
            let free_after = post.slots_left();
            len = [free[PREV].len() - free_after[PREV], free[NEXT].len() - free_after[NEXT]];
            let stays = len[PREV] + len[NEXT] > 0
                && CROWDED == (len[PREV].max(len[NEXT]) > crowd)
                && (FROM == BOTH || len[opposite(FROM)] == 0);
            if !stays || desk.busy || desk.messages > desk.pause {
                break free_after;
            }
            for &from in ports {
                std::mem::swap(&mut free[from], &mut flights[from]);
            }
            desk.now += 1;
            desk.messages += (len[PREV] + len[NEXT]) as u64;
        };
        if (desk.now - first_round) % 2 == 1 {
            for &from in ports {
                std::mem::swap(&mut now[from].slots, &mut next[from].slots);
            }
        }
        take_in(next, free_after, desk);
    }

    /// Alarms of this round, by node and then by token.
    fn ring_alarms(&mut self) {
        while let Some(&Reverse((time, node, token))) = self.desk.alarms.peek()
            && time <= self.desk.now
        {
            self.desk.alarms.pop();
            self.ring_alarm(node, token);
        }
    }

    fn ring_alarm(&mut self, node: u32, token: u64) -> bool {
        self.act(node..node + 1, |process, post| process.alarm(token, post))
    }

    /// Alarms beyond the clock must not do anything any more.
    fn check_idle_alarms(&mut self, election: &Election<'_>) -> Result<(), Violation> {
        while let Some((node, token)) = self.desk.idle_alarms.pop() {
            if self.ring_alarm(node, token) {
                return Err(Violation::ClockOverflow(election.ids[node as usize]));
            }
        }
        Ok(())
    }

    fn is_symmetric(&self) -> bool {
        all_equal(&self.processes) && self.books.is_symmetric()
    }
}
