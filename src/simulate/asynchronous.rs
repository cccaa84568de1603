//! The asynchronous engine: messages take random time, or an adversary chooses who comes next.

use std::collections::VecDeque;

use super::judge::judge;
use super::queue::EventQueue;
use super::{Counted, Delay, Election, Network, Outcome, Record, Starts, Time, Violation};
use crate::algorithm::Algorithm;
use crate::process::{Asynchronous as EventDriven, Local, MAX_KINDS, Message, Outbox, Port};
use crate::random::Stream;
use crate::topology::Ports;

/// A message on its way, and where it arrives.
#[derive(Debug, Clone, Copy)]
struct Flight<M> {
    to: u32,
    port: u32,
    message: M,
}

/// Who decides when a message arrives.
trait Schedule<M> {
    /// A message leaves over the directed link `link` at time `now`; the last message on that link
    /// arrives at `last`.
    fn send(&mut self, now: f64, link: usize, last: &mut f64, flight: Flight<M>);

    /// When the next message arrives, if any is on its way.
    fn next_time(&mut self) -> Option<f64>;

    /// The next arrival, if any.
    fn next(&mut self) -> Option<(f64, Flight<M>)>;
}

/// Independent random delays; with `FIFO` no message overtakes another on its link.
struct RandomDelays<'a, M, D, const FIFO: bool> {
    queue: &'a mut EventQueue<Flight<M>>,
    words: Stream,
    delay: D,
}

impl<M, D: Fn(&mut Stream) -> f64, const FIFO: bool> Schedule<M> for RandomDelays<'_, M, D, FIFO> {
    #[inline(always)]
    fn send(&mut self, now: f64, _link: usize, last: &mut f64, flight: Flight<M>) {
        let mut time = now + (self.delay)(&mut self.words);
        if FIFO {
            time = time.max(*last);
            *last = time;
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

/// The adversary: of all links with mail it serves the one over which something was sent last, and
/// there the oldest message first if links keep their order, else the newest.
///
/// Links are kept in the order of their last message, in a doubly linked list.
#[derive(Debug)]
struct Lifo<M> {
    fifo: bool,
    links: Vec<LinkState>,
    /// The link with the newest message.
    newest: u32,
    /// All waiting messages, each with the next one of its link; and the list of free places.
    pool: Vec<(Option<Flight<M>>, u32)>,
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

impl<M> Lifo<M> {
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
            self.pool.push((Some(flight), NONE));
            return self.pool.len() as u32 - 1;
        }
        let place = self.free;
        self.free = self.pool[place as usize].1;
        self.pool[place as usize] = (Some(flight), NONE);
        place
    }
}

impl<M> Schedule<M> for &mut Lifo<M> {
    fn send(&mut self, _now: f64, link: usize, _last: &mut f64, flight: Flight<M>) {
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
        let (flight, next) = std::mem::replace(&mut self.pool[place as usize], (None, self.free));
        self.free = place;
        self.links[link as usize].first = next;
        if next == NONE {
            self.links[link as usize].last = NONE;
            self.unlink(link);
        }
        flight.map(|flight| (0.0, flight))
    }
}

/// Rounds: every message takes one, and those of a round are served in the order in which they were
/// sent, whatever the links.
#[derive(Debug)]
struct Rounds<M>(VecDeque<(f64, Flight<M>)>);

impl<M> Schedule<M> for &mut Rounds<M> {
    #[inline(always)]
    fn send(&mut self, now: f64, _link: usize, _last: &mut f64, flight: Flight<M>) {
        self.0.push_back((now + 1.0, flight));
    }

    fn next_time(&mut self) -> Option<f64> {
        self.0.front().map(|&(time, _)| time)
    }

    #[inline(always)]
    fn next(&mut self) -> Option<(f64, Flight<M>)> {
        self.0.pop_front()
    }
}

/// The last round that floating point can tell from the next.
const LAST_ROUND: u64 = 1 << 53;

/// The ports whose state is kept with the node; a ring has no others.
const NEAR_PORTS: usize = 2;

/// All that a delivery needs to know of a node, side by side: deliveries come in no order, so every
/// array more would be a cache miss more.
#[derive(Debug)]
struct Site {
    record: Record,
    /// When the last message over each of the first ports arrives.
    last: [f64; NEAR_PORTS],
}

/// What all handlers share.
struct World<'a, T, S> {
    messages: u64,
    listed_ids: u64,
    kinds: [u64; MAX_KINDS],
    leaders: &'a mut Vec<(u32, Time)>,
    topology: &'a T,
    schedule: S,
    /// When the last message of each link arrives, for the ports that a site has no room for.
    far_last: &'a mut [f64],
}

/// The engine's outbox for one handler.
struct Post<'a, 'w, T, S> {
    me: u32,
    now: f64,
    site: &'a mut Site,
    world: &'a mut World<'w, T, S>,
}

impl<M: Message, T: Ports, S: Schedule<M>> Outbox<M> for Post<'_, '_, T, S> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            let World { messages, listed_ids, kinds, topology, schedule, far_last, .. } =
                &mut *self.world;
            let (to, arrival) = topology.peer(self.me, port);
            let kind = message.kind();
            *listed_ids += message.listed_ids() as u64;
            let flight = Flight { to, port: arrival as u32, message };
            let link = topology.link(self.me, port);
            let last = match self.site.last.get_mut(port) {
                Some(last) => last,
                None => &mut far_last[link],
            };
            schedule.send(self.now, link, last, flight);
            self.site.record.count_if(true);
            *messages += 1;
            // The first kind is what the others leave of the total.
            if kind > 0 {
                kinds[kind] += 1;
            }
        }
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.site.record.follow_if(condition);
    }

    fn lead(&mut self) {
        if !self.site.record.is(Record::LEADS) {
            self.site.record.set(Record::LEADS);
            self.world.leaders.push((self.me, Time::Real(self.now)));
        }
    }

    #[inline(always)]
    fn started(&self) -> bool {
        self.site.record.is(Record::STARTED)
    }
}

/// What a finished execution amounts to.
struct Tally {
    counted: Counted,
    end: f64,
}

/// A participant and what the engine keeps beside it.
#[derive(Debug)]
struct Node<A> {
    site: Site,
    process: A,
}

/// An asynchronous network that holds one election after another and keeps its buffers.
#[derive(Debug)]
pub struct Asynchronous<A: Algorithm> {
    nodes: Vec<Node<A>>,
    leaders: Vec<(u32, Time)>,
    queue: EventQueue<Flight<A::Message>>,
    far_last: Vec<f64>,
    lifo: Lifo<A::Message>,
    rounds: Rounds<A::Message>,
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
            nodes: Vec::new(),
            leaders: Vec::new(),
            queue: EventQueue::new(),
            far_last: Vec::new(),
            lifo: Lifo::new(),
            rounds: Rounds(VecDeque::new()),
        }
    }

    /// Holds one election on `topology` to the end, with delays.
    pub fn run(
        &mut self,
        topology: &impl Ports,
        network: &Network,
        election: &Election<'_>,
    ) -> Result<Outcome, Violation> {
        self.reset(topology, election);
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
        let has_clock = network.delay != Delay::Lifo;
        self.outcome(election, &tally, |time| has_clock.then_some(Time::Real(time)))
    }

    /// Holds one election on `topology` to the end, in rounds. Mail of one round is served in the
    /// order in which it was sent, and before spontaneous starts.
    pub fn run_in_rounds(
        &mut self,
        topology: &impl Ports,
        election: &Election<'_>,
    ) -> Result<Outcome, Violation> {
        if let Starts::At(starts) = election.starts
            && let Some(&(_, node)) = starts.iter().find(|&&(time, _)| time >= LAST_ROUND)
        {
            return Err(Violation::ClockOverflow(election.ids[node as usize]));
        }
        self.reset(topology, election);
        let mut rounds = std::mem::replace(&mut self.rounds, Rounds(VecDeque::new()));
        rounds.0.clear();
        let tally = self.hold(topology, election, &mut rounds);
        self.rounds = rounds;
        self.outcome(election, &tally?, |time| Some(Time::Rounds(time as u64)))
    }

    fn reset(&mut self, topology: &impl Ports, election: &Election<'_>) {
        self.nodes.clear();
        let diameter = if A::MODEL.knows_diameter { topology.diameter() } else { 0 };
        let mut neighbours = Vec::new();
        let mut largest_degree = 0;
        for (node, local) in (0..).zip(election.locals()) {
            let degree = topology.degree(node);
            largest_degree = largest_degree.max(degree);
            neighbours.clear();
            if A::MODEL.knows_neighbours {
                let peer = |port| election.ids[topology.peer(node, port).0 as usize];
                neighbours.extend((0..degree).map(peer));
            }
            let local = Local { degree, neighbours: &neighbours, diameter, ..local };
            let site = Site { record: Record::default(), last: [0.0; NEAR_PORTS] };
            self.nodes.push(Node { site, process: A::new(&local) });
        }
        self.far_last.clear();
        if largest_degree > NEAR_PORTS {
            self.far_last.resize(topology.links(), 0.0);
        }
        self.leaders.clear();
    }

    /// The judge's word on an execution, its moments written as `moment` says.
    fn outcome(
        &self,
        election: &Election<'_>,
        tally: &Tally,
        moment: impl Fn(f64) -> Option<Time>,
    ) -> Result<Outcome, Violation> {
        let nodes = self.nodes.iter().map(|node| (node.site.record, &node.process));
        let (leader, time) = judge(election, nodes.clone(), &self.leaders)?;
        let time = match time {
            Some(Time::Real(time)) => moment(time),
            other => other,
        };
        let decided = Outcome { leader, time, end: moment(tally.end), ..Outcome::default() };
        Ok(Outcome::assemble(election, nodes, &tally.counted, decided))
    }

    fn with_delays(
        &mut self,
        topology: &impl Ports,
        network: &Network,
        election: &Election<'_>,
        horizon: f64,
        delay: impl Fn(&mut Stream) -> f64,
    ) -> Result<Tally, Violation> {
        let mut queue = std::mem::take(&mut self.queue);
        queue.reset(election.ids.len(), horizon);
        let words = network.words.clone();
        let queue_used = &mut queue;
        let tally = if network.fifo {
            let delays = RandomDelays::<_, _, true> { queue: queue_used, words, delay };
            self.hold(topology, election, delays)
        } else {
            let delays = RandomDelays::<_, _, false> { queue: queue_used, words, delay };
            self.hold(topology, election, delays)
        };
        self.queue = queue;
        tally
    }

    /// Delivers until nothing is left. A node starts at its time unless mail came earlier.
    fn hold<T: Ports, S: Schedule<A::Message>>(
        &mut self,
        topology: &T,
        election: &Election<'_>,
        schedule: S,
    ) -> Result<Tally, Violation> {
        let Asynchronous { nodes, far_last, leaders, .. } = self;
        let mut world = World {
            messages: 0,
            listed_ids: 0,
            kinds: [0; MAX_KINDS],
            leaders,
            topology,
            schedule,
            far_last,
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
                && (time == 0 || world.schedule.next_time().is_none_or(|mail| (time as f64) < mail))
            {
                starts = &starts[1..];
                let Node { site, process } = &mut nodes[node as usize];
                if !site.record.is(Record::AWAKE) {
                    site.record.set(Record::STARTED | Record::AWAKE);
                    let now = time as f64;
                    let mut post = Post { me: node, now, site, world: &mut world };
                    process.start(&mut post);
                }
                continue;
            }
            let Some((time, flight)) = world.schedule.next() else { break };
            let Node { site, process } = &mut nodes[flight.to as usize];
            site.record.set(Record::AWAKE);
            let mut post = Post { me: flight.to, now: time, site, world: &mut world };
            process.receive(flight.port as Port, flight.message, &mut post);
            end = time;
            if world.messages > election.limit {
                return Err(Violation::TooManyMessages(election.limit));
            }
        }
        let World { messages, listed_ids, mut kinds, .. } = world;
        kinds[0] = messages - kinds[1..].iter().sum::<u64>();
        Ok(Tally { counted: Counted { messages, kinds, listed_ids }, end })
    }
}
