//! The asynchronous engine: messages take random time, or an adversary chooses who comes next.

use super::judge::judge;
use super::queue::EventQueue;
use super::{Delay, Election, Network, Outcome, Record, Starts, Time, Violation};
use crate::algorithm::Algorithm;
use crate::process::{Asynchronous as EventDriven, Local, MAX_KINDS, Message, Outbox, Port};
use crate::random::Stream;
use crate::topology::Topology;

/// A message on its way, and where it arrives.
#[derive(Debug, Clone, Copy)]
struct Flight<M> {
    to: u32,
    port: u32,
    message: M,
}

/// Who decides when a message arrives.
trait Schedule<M> {
    /// A message leaves over the directed link `link` at time `now`.
    fn send(&mut self, now: f64, link: usize, flight: Flight<M>);

    /// When the next message arrives, if any is on its way.
    fn next_time(&mut self) -> Option<f64>;

    /// The next arrival, if any.
    fn next(&mut self) -> Option<(f64, Flight<M>)>;
}

/// Independent random delays; with `FIFO` no message overtakes another on its link.
struct RandomDelays<'a, M, D, const FIFO: bool> {
    queue: &'a mut EventQueue<Flight<M>>,
    /// When the last message of each link arrives.
    last: &'a mut [f64],
    words: Stream,
    delay: D,
}

impl<M: Copy, D: Fn(&mut Stream) -> f64, const FIFO: bool> Schedule<M>
    for RandomDelays<'_, M, D, FIFO>
{
    #[inline(always)]
    fn send(&mut self, now: f64, link: usize, flight: Flight<M>) {
        let mut time = now + (self.delay)(&mut self.words);
        if FIFO {
            time = time.max(self.last[link]);
            self.last[link] = time;
        }
        self.queue.push(time, flight);
    }

    fn next_time(&mut self) -> Option<f64> {
        self.queue.peek_time()
    }

    #[inline(always)]
    fn next(&mut self) -> Option<(f64, Flight<M>)> {
        self.queue.pop()
    }
}

const NONE: u32 = u32::MAX;

/// The adversary: of all links with mail it serves the one with the newest message, and there the
/// oldest first (with `FIFO`) or the newest.
///
/// Links are kept in the order of their newest message, in a doubly linked list.
#[derive(Debug)]
struct Lifo<M> {
    fifo: bool,
    links: Vec<LinkState>,
    /// The link with the newest message.
    newest: u32,
    /// All waiting messages, each with the next one of its link; and the list of free places.
    pool: Vec<(Flight<M>, u32)>,
    free: u32,
}

#[derive(Debug, Clone, Copy)]
struct LinkState {
    /// The first and the last waiting message.
    first: u32,
    last: u32,
    /// The neighbours in the list of links.
    newer: u32,
    older: u32,
}

impl<M: Copy> Lifo<M> {
    fn new() -> Self {
        Lifo { fifo: true, links: Vec::new(), newest: NONE, pool: Vec::new(), free: NONE }
    }

    fn reset(&mut self, links: usize, fifo: bool) {
        let empty = LinkState { first: NONE, last: NONE, newer: NONE, older: NONE };
        self.fifo = fifo;
        self.links.clear();
        self.links.resize(links, empty);
        self.newest = NONE;
        self.pool.clear();
        self.free = NONE;
    }

    fn unlink(&mut self, link: u32) {
        let LinkState { newer, older, .. } = self.links[link as usize];
        match newer {
            NONE => self.newest = older,
            newer => self.links[newer as usize].older = older,
        }
        if older != NONE {
            self.links[older as usize].newer = newer;
        }
    }

    fn make_newest(&mut self, link: u32) {
        let state = &mut self.links[link as usize];
        state.newer = NONE;
        state.older = self.newest;
        if self.newest != NONE {
            self.links[self.newest as usize].newer = link;
        }
        self.newest = link;
    }

    fn place(&mut self, flight: Flight<M>) -> u32 {
        if self.free == NONE {
            self.pool.push((flight, NONE));
            return self.pool.len() as u32 - 1;
        }
        let place = self.free;
        self.free = self.pool[place as usize].1;
        self.pool[place as usize] = (flight, NONE);
        place
    }
}

impl<M: Copy> Schedule<M> for &mut Lifo<M> {
    fn send(&mut self, _now: f64, link: usize, flight: Flight<M>) {
        let place = self.place(flight);
        let link = link as u32;
        let LinkState { first, last, .. } = self.links[link as usize];
        if first == NONE {
            self.links[link as usize].first = place;
            self.links[link as usize].last = place;
        } else {
            self.unlink(link);
            if self.fifo {
                self.pool[last as usize].1 = place;
                self.links[link as usize].last = place;
            } else {
                self.pool[place as usize].1 = first;
                self.links[link as usize].first = place;
            }
        }
        self.make_newest(link);
    }

    /// Without a clock all mail is due at once: a later start waits for silence.
    fn next_time(&mut self) -> Option<f64> {
        if self.newest == NONE { None } else { Some(0.0) }
    }

    fn next(&mut self) -> Option<(f64, Flight<M>)> {
        if self.newest == NONE {
            return None;
        }
        let link = self.newest;
        let place = self.links[link as usize].first;
        let (flight, next) = self.pool[place as usize];
        self.pool[place as usize].1 = self.free;
        self.free = place;
        self.links[link as usize].first = next;
        if next == NONE {
            self.links[link as usize].last = NONE;
            self.unlink(link);
        }
        Some((0.0, flight))
    }
}

/// The engine's outbox for one handler.
struct Post<'a, M, T, S> {
    me: u32,
    now: f64,
    record: Record,
    messages: u64,
    kinds: [u64; MAX_KINDS],
    leaders: &'a mut Vec<(u32, Time)>,
    topology: &'a T,
    schedule: S,
    message: std::marker::PhantomData<M>,
}

impl<M: Message, T: Topology, S: Schedule<M>> Outbox<M> for Post<'_, M, T, S> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            let (to, arrival) = self.topology.peer(self.me, port);
            let flight = Flight { to, port: arrival as u32, message };
            self.schedule.send(self.now, self.topology.link(self.me, port), flight);
            self.record.count_if(true);
            self.messages += 1;
            self.kinds[message.kind()] += 1;
        }
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.record.follow_if(condition);
    }

    fn lead(&mut self) {
        if !self.record.is(Record::LEADS) {
            self.record.set(Record::LEADS);
            self.leaders.push((self.me, Time::Real(self.now)));
        }
    }

    #[inline(always)]
    fn started(&self) -> bool {
        self.record.is(Record::STARTED)
    }
}

/// What a finished execution amounts to.
struct Tally {
    messages: u64,
    kinds: [u64; MAX_KINDS],
    end: f64,
}

/// An asynchronous network that holds one election after another and keeps its buffers.
#[derive(Debug)]
pub struct Asynchronous<A: Algorithm> {
    processes: Vec<A>,
    records: Vec<Record>,
    leaders: Vec<(u32, Time)>,
    queue: EventQueue<Flight<A::Message>>,
    last: Vec<f64>,
    lifo: Lifo<A::Message>,
}

impl<A: Algorithm + EventDriven> Default for Asynchronous<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Algorithm + EventDriven> Asynchronous<A> {
    /// A network without buffers yet.
    pub fn new() -> Self {
        Asynchronous {
            processes: Vec::new(),
            records: Vec::new(),
            leaders: Vec::new(),
            queue: EventQueue::new(),
            last: Vec::new(),
            lifo: Lifo::new(),
        }
    }

    /// Holds one election on `topology` to the end.
    pub fn run(
        &mut self,
        topology: &impl Topology,
        network: &Network,
        election: &Election<'_>,
    ) -> Result<Outcome, Violation> {
        let n = election.ids.len() as u64;
        self.processes.clear();
        self.processes
            .extend(election.ids.iter().map(|&id| A::new(&Local { id, n, seed: election.coins })));
        self.records.clear();
        self.records.resize(election.ids.len(), Record::default());
        self.leaders.clear();
        let tally = match network.delay {
            Delay::Uniform(from, to) => {
                let delay = move |words: &mut Stream| from + (to - from) * words.unit();
                self.with_delays(topology, network, election, to, delay)?
            }
            Delay::Exponential(mean) => {
                let delay = move |words: &mut Stream| mean * words.exponential();
                // Longer than eight means is one delay in three thousand.
                self.with_delays(topology, network, election, 8.0 * mean, delay)?
            }
            Delay::Lifo => {
                let mut lifo = std::mem::replace(&mut self.lifo, Lifo::new());
                lifo.reset(topology.links(), network.fifo);
                let tally = self.hold(topology, election, &mut lifo);
                self.lifo = lifo;
                tally?
            }
        };
        let (leader, time) = judge(election, &self.processes, &self.records, &self.leaders)?;
        let has_clock = network.delay != Delay::Lifo;
        let counted = Outcome {
            leader,
            messages: tally.messages,
            kinds: tally.kinds,
            time: time.filter(|_| has_clock),
            end: Some(Time::Real(tally.end)).filter(|_| has_clock),
            ..Outcome::default()
        };
        Ok(Outcome::assemble(election, &self.processes, &self.records, counted))
    }

    fn with_delays(
        &mut self,
        topology: &impl Topology,
        network: &Network,
        election: &Election<'_>,
        horizon: f64,
        delay: impl Fn(&mut Stream) -> f64,
    ) -> Result<Tally, Violation> {
        let mut queue = std::mem::take(&mut self.queue);
        let mut last = std::mem::take(&mut self.last);
        queue.reset(election.ids.len(), horizon);
        last.clear();
        last.resize(topology.links(), 0.0);
        let words = network.words.clone();
        let (queue_used, last_used) = (&mut queue, last.as_mut_slice());
        let tally = if network.fifo {
            let delays =
                RandomDelays::<_, _, true> { queue: queue_used, last: last_used, words, delay };
            self.hold(topology, election, delays)
        } else {
            let delays =
                RandomDelays::<_, _, false> { queue: queue_used, last: last_used, words, delay };
            self.hold(topology, election, delays)
        };
        self.queue = queue;
        self.last = last;
        tally
    }

    /// Delivers until nothing is left. A node starts at its time unless mail came earlier.
    fn hold<T: Topology, S: Schedule<A::Message>>(
        &mut self,
        topology: &T,
        election: &Election<'_>,
        schedule: S,
    ) -> Result<Tally, Violation> {
        let Asynchronous { processes, records, leaders, .. } = self;
        let mut post = Post {
            me: 0,
            now: 0.0,
            record: Record::default(),
            messages: 0,
            kinds: [0; MAX_KINDS],
            leaders,
            topology,
            schedule,
            message: std::marker::PhantomData,
        };
        let everybody: Vec<(u64, u32)>;
        let mut starts = match election.starts {
            Starts::All => {
                everybody = (0..election.ids.len() as u32).map(|node| (0, node)).collect();
                everybody.as_slice()
            }
            Starts::At(starts) => starts.as_slice(),
        };
        let mut end = 0.0;
        loop {
            // Mail comes before a spontaneous start at the same time; at time 0 there is none.
            if let Some(&(time, node)) = starts.first()
                && (time == 0 || post.schedule.next_time().is_none_or(|mail| (time as f64) < mail))
            {
                starts = &starts[1..];
                let record = &mut records[node as usize];
                if !record.is(Record::AWAKE) {
                    post.me = node;
                    post.now = time as f64;
                    post.record = *record;
                    post.record.set(Record::STARTED | Record::AWAKE);
                    processes[node as usize].start(&mut post);
                    *record = post.record;
                }
                continue;
            }
            let Some((time, flight)) = post.schedule.next() else { break };
            let node = flight.to as usize;
            post.me = flight.to;
            post.now = time;
            post.record = records[node];
            post.record.set(Record::AWAKE);
            processes[node].receive(flight.port as Port, flight.message, &mut post);
            records[node] = post.record;
            end = time;
            if post.messages > election.limit {
                return Err(Violation::TooManyMessages(election.limit));
            }
        }
        Ok(Tally { messages: post.messages, kinds: post.kinds, end })
    }
}
