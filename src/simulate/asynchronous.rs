//! The asynchronous engine: messages take random time, or an adversary chooses who comes next.

use super::judge::judge;
use super::queue::EventQueue;
use super::{Delay, Election, Network, Outcome, Record, Starts, Time, Violation};
use crate::algorithm::Algorithm;
use crate::process::{Asynchronous as EventDriven, MAX_KINDS, Message, Outbox, Port};
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

impl<M: Copy, D: Fn(&mut Stream) -> f64, const FIFO: bool> Schedule<M>
    for RandomDelays<'_, M, D, FIFO>
{
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

/// The ports whose state is kept with the node; a ring has no others.
const NEAR_PORTS: usize = 2;

/// All that a delivery needs to know of a node, side by side: deliveries come in no order, so every
/// array more would be a cache miss more.
#[derive(Debug, Clone, Copy)]
struct Site {
    record: Record,
    /// When the last message over each of the first ports arrives.
    last: [f64; NEAR_PORTS],
}

/// What all handlers share.
struct World<'a, T, S> {
    messages: u64,
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

impl<M: Message, T: Topology, S: Schedule<M>> Outbox<M> for Post<'_, '_, T, S> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            let World { messages, kinds, topology, schedule, far_last, .. } = &mut *self.world;
            let (to, arrival) = topology.peer(self.me, port);
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
            if message.kind() > 0 {
                kinds[message.kind()] += 1;
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
    messages: u64,
    kinds: [u64; MAX_KINDS],
    end: f64,
}

/// An asynchronous network that holds one election after another and keeps its buffers.
#[derive(Debug)]
pub struct Asynchronous<A: Algorithm> {
    processes: Vec<A>,
    sites: Vec<Site>,
    records: Vec<Record>,
    leaders: Vec<(u32, Time)>,
    queue: EventQueue<Flight<A::Message>>,
    far_last: Vec<f64>,
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
            sites: Vec::new(),
            records: Vec::new(),
            leaders: Vec::new(),
            queue: EventQueue::new(),
            far_last: Vec::new(),
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
        self.processes.clear();
        self.processes.extend(election.locals().map(|local| A::new(&local)));
        self.sites.clear();
        let asleep = Site { record: Record::default(), last: [0.0; NEAR_PORTS] };
        self.sites.resize(election.ids.len(), asleep);
        self.far_last.clear();
        if topology.links() > NEAR_PORTS * election.ids.len() {
            self.far_last.resize(topology.links(), 0.0);
        }
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
        self.records.clear();
        self.records.extend(self.sites.iter().map(|site| site.record));
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
    fn hold<T: Topology, S: Schedule<A::Message>>(
        &mut self,
        topology: &T,
        election: &Election<'_>,
        schedule: S,
    ) -> Result<Tally, Violation> {
        let Asynchronous { processes, sites, far_last, leaders, .. } = self;
        let mut world =
            World { messages: 0, kinds: [0; MAX_KINDS], leaders, topology, schedule, far_last };
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
                let site = &mut sites[node as usize];
                if !site.record.is(Record::AWAKE) {
                    site.record.set(Record::STARTED | Record::AWAKE);
                    let now = time as f64;
                    let mut post = Post { me: node, now, site, world: &mut world };
                    processes[node as usize].start(&mut post);
                }
                continue;
            }
            let Some((time, flight)) = world.schedule.next() else { break };
            let node = flight.to as usize;
            let site = &mut sites[node];
            site.record.set(Record::AWAKE);
            let mut post = Post { me: flight.to, now: time, site, world: &mut world };
            processes[node].receive(flight.port as Port, flight.message, &mut post);
            end = time;
            if world.messages > election.limit {
                return Err(Violation::TooManyMessages(election.limit));
            }
        }
        let World { messages, mut kinds, .. } = world;
        kinds[0] = messages - kinds[1..].iter().sum::<u64>();
        Ok(Tally { messages, kinds, end })
    }
}
