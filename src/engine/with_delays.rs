//! The asynchronous engine: messages take random time, or an adversary chooses who comes next.

use std::num::NonZeroU64;

use super::judge::Testimony;
use super::outcome::{Counted, Ended, most_sent};
use super::participants::participants;
use super::queue::EventQueue;
use super::records::{Flags, Record};
use crate::algorithm::Algorithm;
use crate::model::delay::Delay;
use crate::model::election::{Election, Network, Starts};
use crate::model::message::{MAX_KINDS, Message};
use crate::model::outcome::{Outcome, Time};
use crate::model::process::{Asynchronous, Outbox, Port};
use crate::model::random::Stream;
use crate::model::topology::Ports;
use crate::model::violation::Violation;

/// A message on its way, and where it arrives.
#[derive(Debug, Clone, Copy)]
struct Flight<M> {
    /// The node and the port in one word; its last bit is 1 so that `None` needs no word.
    place: NonZeroU64,
    message: M,
}

impl<M> Flight<M> {
    #[inline(always)]
    fn new(to: u32, port: Port, message: M) -> Self {
        let place = NonZeroU64::MIN | u64::from(to) << 32 | (port as u64) << 1;
        Flight { place, message }
    }

    #[inline(always)]
    fn to(&self) -> u32 {
        (self.place.get() >> 32) as u32
    }

    #[inline(always)]
    fn port(&self) -> Port {
        (self.place.get() as u32 >> 1) as Port
    }
}

/// Who decides when a message arrives: independent random delays, or the adversary. Which it is, and
/// what kind of delays, is a field and no parameter of the type: delays are drawn many at once, so that
/// asking costs nothing, and an algorithm's loop is compiled once.
struct Schedule<'a, M> {
    queue: &'a mut EventQueue<Flight<M>>,
    words: Stream,
    delay: Delay,
    /// Whether no message overtakes another on its link.
    fifo: bool,
    /// The adversary, if it decides.
    lifo: Option<&'a mut Lifo<M>>,
    /// Delays drawn ahead, many at once because that is faster, and the next one of them.
    drawn: [f64; DRAWN],
    next: usize,
}

/// How many delays are drawn at once.
pub(super) const DRAWN: usize = 32;

impl<'a, M> Schedule<'a, M> {
    fn new(
        queue: &'a mut EventQueue<Flight<M>>,
        lifo: Option<&'a mut Lifo<M>>,
        network: &Network,
    ) -> Self {
        let Network { delay, fifo, words } = network.clone();
        Schedule { queue, words, delay, fifo, lifo, drawn: [0.0; DRAWN], next: DRAWN }
    }

    /// Draws delays ahead and gives the first.
    #[inline(never)]
    fn draw(&mut self) -> f64 {
        self.drawn = self.delay.draw(&mut self.words);
        self.next = 0;
        self.drawn[0]
    }

    /// A message leaves over the directed link `link` at time `now`; the last message on that link
    /// arrives at `last`.
    #[inline(always)]
    fn send(&mut self, now: f64, link: usize, last: &mut f64, flight: Flight<M>) {
        if let Some(lifo) = &mut self.lifo {
            return lifo.send(link, flight);
        }
        let delay = match self.drawn.get(self.next) {
            Some(&delay) => delay,
            None => self.draw(),
        };
        self.next += 1;
        let mut time = now + delay;
        if self.fifo {
            if time < *last {
                time = *last;
            }
            *last = time;
        }
        self.queue.push(time, flight);
    }

    /// When the next message arrives, if any is on its way. Without a clock all mail is due at once: a
    /// later start waits for silence.
    fn next_time(&self) -> Option<f64> {
        match &self.lifo {
            Some(lifo) => {
                if lifo.newest == NONE {
                    None
                } else {
                    Some(0.0)
                }
            }
            None => self.queue.peek_time(),
        }
    }

    /// The next arrival, if any. Some arrivals that are known beforehand are shown to `foresee`.
    #[inline(always)]
    fn next(&mut self, foresee: impl FnMut(&Flight<M>)) -> Option<(f64, Flight<M>)> {
        match &mut self.lifo {
            Some(lifo) => lifo.next().map(|flight| (0.0, flight)),
            None => self.queue.pop(foresee),
        }
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

    #[inline(never)]
    fn send(&mut self, link: usize, flight: Flight<M>) {
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

    #[inline(never)]
    fn next(&mut self) -> Option<Flight<M>> {
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
        flight
    }
}

/// The ports whose state is kept with the node; a ring has no others.
const NEAR_PORTS: usize = 2;

/// All that a delivery needs to know of a node, side by side: deliveries come in no order, so every
/// array more would be a cache miss more.
#[derive(Debug)]
struct Site {
    /// With the number of messages sent.
    record: Record,
    /// When the last message over each of the first ports arrives.
    last: [f64; NEAR_PORTS],
}

/// What all handlers share.
struct World<'a, T, M> {
    messages: u64,
    listed_ids: u64,
    kinds: [u64; MAX_KINDS],
    leaders: &'a mut Vec<(u32, Time)>,
    topology: T,
    schedule: Schedule<'a, M>,
    /// When the last message of each link arrives, for the ports that a site has no room for.
    far_last: &'a mut [f64],
}

/// The engine's outbox for one handler.
struct Post<'a, 'w, T, M> {
    me: u32,
    now: f64,
    /// In a register while the handler is at work.
    record: Record,
    last: &'a mut [f64; NEAR_PORTS],
    world: &'a mut World<'w, T, M>,
}

impl<M: Message, T: Ports> Outbox<M> for Post<'_, '_, T, M> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            let World { messages, listed_ids, kinds, topology, schedule, far_last, .. } =
                &mut *self.world;
            let (to, arrival) = topology.peer(self.me, port);
            let kind = message.kind();
            *listed_ids += message.listed_ids() as u64;
            let flight = Flight::new(to, arrival, message);
            let link = topology.link(self.me, port);
            let last = match self.last.get_mut(port) {
                Some(last) => last,
                None => &mut far_last[link],
            };
            schedule.send(self.now, link, last, flight);
            self.record.add(1);
            *messages += 1;
            // The first kind is what the others leave of the total.
            if kind > 0 {
                kinds[kind] += 1;
            }
        }
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.record.follow_if(condition);
    }

    fn lead(&mut self) {
        if !self.record.flags().has(Flags::LEADS) {
            self.record.set(Flags::LEADS);
            self.world.leaders.push((self.me, Time::Real(self.now)));
        }
    }

    #[inline(always)]
    fn started(&self) -> bool {
        self.record.flags().has(Flags::STARTED)
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

impl<T: Ports, M: Message> World<'_, T, M> {
    /// Whether any message arrives at `time` or before.
    fn has_mail_until(&self, time: f64) -> bool {
        self.schedule.next_time().is_some_and(|mail| mail <= time)
    }

    /// Lets a node start by itself, unless mail has woken it.
    #[inline(always)]
    fn start<A>(&mut self, me: u32, now: f64, node: &mut Node<A>)
    where
        A: Asynchronous<Message = M>,
    {
        let Node { site: Site { record, last }, process } = node;
        if !record.flags().has(Flags::AWAKE) {
            let mut post = Post { me, now, record: *record, last, world: self };
            post.record.set(Flags::INITIATOR);
            process.start(&mut post);
            *record = post.record;
        }
    }

    /// Delivers what is on its way, or as much of it as arrives by the time `until`; says when the last
    /// message arrived.
    #[inline(always)]
    fn deliver_until<A: Asynchronous<Message = M>>(
        &mut self,
        until: Option<f64>,
        election: &Election<'_>,
        nodes: &mut [Node<A>],
    ) -> Result<Option<f64>, Violation> {
        let mut end = None;
        loop {
            let mut pause = election.look(self.messages)?;
            if let Some(until) = until {
                if !self.has_mail_until(until) {
                    return Ok(end);
                }
                // After each message the clock is looked at, and the loop without a clock has no question
                // more.
                pause = 0;
            }
            loop {
                let Some(time) = self.deliver(nodes) else { return Ok(end) };
                end = Some(time);
                if self.messages > pause {
                    break;
                }
            }
        }
    }

    /// Delivers the next message, if one is on its way, and says when.
    #[inline(always)]
    fn deliver<A: Asynchronous<Message = M>>(&mut self, nodes: &mut [Node<A>]) -> Option<f64> {
        // Reading what a message will need brings it into the cache.
        let foresee = |flight: &Flight<M>| {
            std::hint::black_box(nodes[flight.to() as usize].site.record);
        };
        let (now, flight) = self.schedule.next(foresee)?;
        let me = flight.to();
        let Node { site: Site { record, last }, process } = &mut nodes[me as usize];
        let mut post = Post { me, now, record: *record, last, world: self };
        post.record.set(Flags::AWAKE);
        process.receive(flight.port(), flight.message, &mut post);
        *record = post.record;
        Some(now)
    }
}

/// An asynchronous network that holds one election after another and keeps its buffers.
#[derive(Debug)]
pub struct WithDelays<A: Algorithm> {
    stage: Stage<A>,
    queue: EventQueue<Flight<A::Message>>,
    lifo: Lifo<A::Message>,
}

impl<A: Algorithm + Asynchronous> Default for WithDelays<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Algorithm + Asynchronous> WithDelays<A> {
    /// A network without buffers yet.
    pub fn new() -> Self {
        WithDelays {
            stage: Stage {
                nodes: Vec::new(),
                leaders: Vec::new(),
                far_last: Vec::new(),
                records: Vec::new(),
            },
            queue: EventQueue::new(),
            lifo: Lifo::new(),
        }
    }

    /// Holds one election on `topology` to the end.
    pub fn run(
        &mut self,
        topology: impl Ports,
        network: &Network,
        election: &Election<'_>,
    ) -> Result<Outcome, Violation> {
        self.stage.reset(&topology, election);
        let lifo = match network.delay.scale() {
            Some((mean, horizon)) => {
                self.queue.reset(election.ids.len(), mean, horizon);
                None
            }
            None => {
                self.lifo.reset(topology.links(), network.fifo);
                Some(&mut self.lifo)
            }
        };
        let schedule = Schedule::new(&mut self.queue, lifo, network);
        let tally = self.stage.hold(topology, election, schedule)?;
        self.stage.outcome(election, tally, network.delay.is_random())
    }
}

/// The participants, and what the engine notes about them.
#[derive(Debug)]
struct Stage<A> {
    nodes: Vec<Node<A>>,
    leaders: Vec<(u32, Time)>,
    far_last: Vec<f64>,
    /// What is left in the end, by node.
    records: Vec<Record>,
}

impl<A: Algorithm + Asynchronous> Stage<A> {
    fn reset(&mut self, topology: &impl Ports, election: &Election<'_>) {
        self.nodes.clear();
        participants(topology, election, &mut |process| {
            let site = Site { record: Record::default(), last: [0.0; NEAR_PORTS] };
            self.nodes.push(Node { site, process });
        });
        let degrees = (0..topology.nodes() as u32).map(|node| topology.degree(node));
        self.far_last.clear();
        if degrees.max() > Some(NEAR_PORTS) {
            self.far_last.resize(topology.links(), 0.0);
        }
        self.leaders.clear();
    }

    /// Delivers until nothing is left. A node starts at its time unless mail came earlier.
    ///
    /// It is not inlined: by itself it keeps more of what it needs in registers.
    #[inline(never)]
    fn hold(
        &mut self,
        topology: impl Ports,
        election: &Election<'_>,
        schedule: Schedule<'_, A::Message>,
    ) -> Result<Tally, Violation> {
        let Stage { nodes, far_last, leaders, .. } = self;
        let nodes = nodes.as_mut_slice();
        let mut world = World {
            messages: 0,
            listed_ids: 0,
            kinds: [0; MAX_KINDS],
            leaders,
            topology,
            schedule,
            far_last,
        };
        let number = match election.starts {
            Starts::All => nodes.len(),
            Starts::At(starts) => starts.len(),
        };
        let mut end = 0.0;
        // One loop for all who start and for what comes after the last of them: what handlers do is
        // compiled into it, and would be again into every other.
        for place in 0..=number {
            let start = match election.starts {
                _ if place == number => None,
                Starts::All => Some((0, place as u32)),
                Starts::At(starts) => Some(starts[place]),
            };
            // Mail comes before a spontaneous start at the same time; at time 0 there is none.
            if start.is_none_or(|(time, _)| time > 0) {
                let until = start.map(|(time, _)| time as f64);
                end = world.deliver_until(until, election, nodes)?.unwrap_or(end);
            }
            if let Some((time, node)) = start {
                world.start(node, time as f64, &mut nodes[node as usize]);
            }
        }
        let World { messages, listed_ids, mut kinds, .. } = world;
        kinds[0] = messages - kinds[1..].iter().sum::<u64>();
        let counted = Counted { messages, kinds, listed_ids, max_node_messages: 0 };
        Ok(Tally { counted, end })
    }

    /// The judge's word on an execution; without a clock it has no moments.
    fn outcome(
        &mut self,
        election: &Election<'_>,
        tally: Tally,
        has_clock: bool,
    ) -> Result<Outcome, Violation> {
        let Stage { nodes, leaders, records, .. } = self;
        records.clear();
        records.extend(nodes.iter().map(|node| node.site.record));
        let processes = nodes.iter().map(|node| &node.process);
        let ended = Ended {
            election,
            model: const { &A::MODEL },
            kinds: const { &A::Message::KINDS },
            records,
            testimony: Testimony::of(election, leaders, processes),
            leaders,
            counted: Counted { max_node_messages: most_sent(records), ..tally.counted },
            end: has_clock.then_some(Time::Real(tally.end)),
        };
        let outcome = ended.outcome()?;
        Ok(Outcome { time: outcome.time.filter(|_| has_clock), ..outcome })
    }
}
