//! What happened in one election, event by event: a second and plain engine that writes everything
//! down.
//!
//! The engines of the batch keep no log and pay nothing for this. A [`Stage`] holds the same election
//! through the algorithm's [`Machine`], one event after the other; who comes next is the caller's to
//! say, or that of one of the schedules which the engines have: [`Stage::play`] takes the same rounds
//! and the same delays, and ends in the same outcome.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::books::all_equal;
use super::machine::{Machine, Mail, Occasion, Silence, State};
use super::simulator::Entry;
use super::with_delays::DRAWN;
use crate::algorithm::Elects;
use crate::model::election::{Election, Network, Starts};
use crate::model::outcome::{Outcome, Time};
use crate::model::process::{Id, PREV, Port, Status};
use crate::model::topology::{Graph, Ports, Ring};
use crate::model::violation::Violation;

/// Why something happened at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// It started by itself.
    Start,
    /// A message arrived.
    Mail {
        /// The number of the event that sent it.
        event: usize,
        /// Which of the messages that this event sent.
        place: usize,
        /// The port by which it arrived.
        port: Port,
        /// The message.
        mail: Mail,
    },
    /// An alarm rang.
    Alarm {
        /// The number of the event that asked for it.
        event: usize,
        /// The token it asked with.
        token: u64,
    },
}

/// A message that left a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// The port by which it left.
    pub port: Port,
    /// The node it goes to.
    pub to: u32,
    /// The message.
    pub mail: Mail,
}

/// One event: something happened at one node, and that is what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When; `None` under an adversary without a clock.
    pub time: Option<Time>,
    /// Where.
    pub node: u32,
    /// Why.
    pub cause: Cause,
    /// What the node sent, in order.
    pub sent: Vec<Sent>,
    /// The rounds for which it has set an alarm; `None` is beyond the clock.
    pub alarms: Vec<Option<u64>>,
    /// The node's state from now on.
    pub state: State,
    /// What the node says of itself from now on, if that is new.
    pub decided: Option<Status>,
}

/// A message on its way over a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flight {
    /// In the order of sending.
    pub number: usize,
    /// The event that sent it, and which of its messages it is.
    pub event: usize,
    /// Which of that event's messages it is.
    pub place: usize,
    /// The message.
    pub mail: Mail,
}

/// Which network an election is held on.
#[derive(Debug, Clone, Copy)]
pub enum Place<'a> {
    /// A ring of so many nodes.
    Ring(Ring),
    /// A graph.
    Graph(&'a Graph),
}

impl Place<'_> {
    /// The node at the other end, and the port by which the link arrives there.
    pub fn peer(&self, node: u32, port: Port) -> (u32, Port) {
        match self {
            Place::Ring(ring) => ring.peer(node, port),
            Place::Graph(graph) => graph.peer(node, port),
        }
    }

    /// The number of links at a node.
    pub fn degree(&self, node: u32) -> usize {
        match self {
            Place::Ring(ring) => ring.degree(node),
            Place::Graph(graph) => graph.degree(node),
        }
    }

    /// The number of the directed link that leaves `node` by `port`.
    pub fn link(&self, node: u32, port: Port) -> usize {
        match self {
            Place::Ring(ring) => ring.link(node, port),
            Place::Graph(graph) => graph.link(node, port),
        }
    }

    /// The number of directed links.
    pub fn links(&self) -> usize {
        match self {
            Place::Ring(ring) => ring.links(),
            Place::Graph(graph) => graph.links(),
        }
    }
}

/// What is to be done next, as a schedule says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A node starts by itself.
    Start(u32),
    /// A directed link delivers a message: its oldest is number 0.
    Deliver {
        /// The number of the directed link, see [`Ports::link`].
        link: usize,
        /// Which of the messages on it.
        place: usize,
    },
}

/// An election that is held event by event.
pub struct Stage<'a> {
    machine: Box<dyn Machine>,
    /// Whether rounds take the mail of one side before that of the other, as rings do.
    by_side: bool,
    elects: Elects,
    place: Place<'a>,
    /// Where each directed link ends: the node and its port.
    ends: Vec<(u32, Port)>,
    election: &'a Election<'a>,
    states: Vec<State>,
    links: Vec<VecDeque<Flight>>,
    sent: usize,
    /// What no schedule has been told of yet: the numbers of messages, and their links.
    fresh: Vec<(usize, usize)>,
    by_node: Vec<u64>,
    events: Vec<Event>,
    silence: Silence,
    /// Alarms that are set: (round, node, token), and the event that set each.
    alarms: BinaryHeap<Reverse<(u64, u32, u64, usize)>>,
    /// Those beyond the clock: (node, token, event).
    idle_alarms: Vec<(u32, u64, usize)>,
}

impl<'a> Stage<'a> {
    /// The stage before the first event; on a ring if there is no graph.
    pub fn new(entry: &Entry, graph: Option<&'a Graph>, election: &'a Election<'a>) -> Self {
        let mut machine = (entry.machine)();
        let states = machine.participants(graph, election);
        let place = graph.map_or(Place::Ring(Ring::new(states.len() as u32)), Place::Graph);
        let mut ends = vec![(0, 0); place.links()];
        for node in 0..states.len() as u32 {
            (0..place.degree(node))
                .for_each(|port| ends[place.link(node, port)] = place.peer(node, port));
        }
        Stage {
            machine,
            by_side: graph.is_none() && entry.by_side,
            elects: entry.model.elects,
            place,
            links: vec![VecDeque::new(); ends.len()],
            ends,
            election,
            by_node: vec![0; states.len()],
            states,
            sent: 0,
            fresh: Vec::new(),
            events: Vec::new(),
            silence: Silence::default(),
            alarms: BinaryHeap::new(),
            idle_alarms: Vec::new(),
        }
    }

    /// The machine that knows what states and messages mean.
    pub fn machine(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    /// All events so far; an event's number is its place.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The states of the nodes now.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The network.
    pub fn place(&self) -> Place<'a> {
        self.place
    }

    /// The ID of a node.
    pub fn id(&self, node: u32) -> Id {
        self.election.ids[node as usize]
    }

    /// Where a directed link ends: the node and its port.
    pub fn end(&self, link: usize) -> (u32, Port) {
        self.ends[link]
    }

    /// The messages on a directed link, oldest first.
    pub fn link(&self, link: usize) -> &VecDeque<Flight> {
        &self.links[link]
    }

    /// How many messages were sent.
    pub fn messages(&self) -> u64 {
        self.sent as u64
    }

    /// Lets a node start by itself, unless it is awake.
    pub fn start(&mut self, node: u32, time: Option<Time>) {
        if !self.machine.fate(self.states[node as usize]).awake {
            self.act(node, time, Cause::Start, Occasion::Start);
        }
    }

    /// Delivers a message of a directed link, the oldest is number 0; nothing if it is not there.
    pub fn deliver(&mut self, link: usize, place: usize, time: Option<Time>) {
        let Some(flight) = self.links[link].remove(place) else { return };
        let (node, port) = self.ends[link];
        let Flight { event, place, mail, .. } = flight;
        self.act(node, time, Cause::Mail { event, place, port, mail }, Occasion::Mail(port, mail));
        self.silence.end = time;
    }

    /// Follows a schedule step by step, without a clock.
    pub fn follow(&mut self, steps: &[Step]) {
        for &step in steps {
            self.fresh.clear();
            match step {
                Step::Start(node) => self.start(node, None),
                Step::Deliver { link, place } => self.deliver(link, place, None),
            }
        }
    }

    /// Follows one step; `false` if its handler panics, and then nothing has happened.
    pub fn try_follow(&mut self, step: Step) -> bool {
        let links = match step {
            Step::Start(_) => None,
            Step::Deliver { link, .. } => Some((link, self.links[link].clone())),
        };
        let followed = catch_unwind(AssertUnwindSafe(|| self.follow(&[step]))).is_ok();
        if let (false, Some((link, flights))) = (followed, links) {
            self.links[link] = flights;
        }
        followed
    }

    /// The outcome, once nothing is on its way any more.
    pub fn outcome(&self) -> Result<Outcome, Violation> {
        let max_node_messages = self.by_node.iter().copied().max().unwrap_or(0);
        let silence = Silence { max_node_messages, ..self.silence.clone() };
        self.machine.outcome(self.election, &self.states, &silence)
    }

    /// Holds the whole election as the engines do: in rounds, or in a network with delays. What was
    /// written down up to a violation stays.
    pub fn play(&mut self, network: Option<&Network>) -> Result<Outcome, Violation> {
        match network {
            None => self.in_rounds()?,
            Some(network) if network.delay.is_random() => self.in_order(&mut RandomDelays {
                network: network.clone(),
                drawn: VecDeque::new(),
                last: vec![0.0; self.links.len()],
                flights: BinaryHeap::new(),
            })?,
            Some(network) => self.in_order(&mut NewestFirst {
                fifo: network.fifo,
                links: vec![VecDeque::new(); self.links.len()],
                newest: BTreeMap::new(),
                last: vec![usize::MAX; self.links.len()],
            })?,
        }
        self.outcome()
    }

    fn act(&mut self, node: u32, time: Option<Time>, cause: Cause, occasion: Occasion) {
        let before = self.states[node as usize];
        let now = match time {
            Some(Time::Rounds(now)) => now,
            _ => 0,
        };
        let effect = self.machine.step(before, occasion, now);
        let event = self.events.len();
        let mut sent = Vec::with_capacity(effect.sent.len());
        for (place, &(port, mail)) in effect.sent.iter().enumerate() {
            let (kind, listed) = self.machine.kind(mail);
            self.silence.kinds[kind] += 1;
            self.silence.listed_ids += listed as u64;
            let (to, _) = self.place.peer(node, port);
            let flight = Flight { number: self.sent, event, place, mail };
            let link = self.place.link(node, port);
            self.links[link].push_back(flight);
            self.fresh.push((self.sent, link));
            self.sent += 1;
            sent.push(Sent { port, to, mail });
        }
        self.by_node[node as usize] += sent.len() as u64;
        let alarms = effect.alarms.iter().map(|&(time, _)| time).collect();
        for (time, token) in effect.alarms {
            match time {
                Some(time) => self.alarms.push(Reverse((time, node, token, event))),
                None => self.idle_alarms.push((node, token, event)),
            }
        }
        let (was, is) = (self.machine.fate(before), self.machine.fate(effect.state));
        if is.leads && !was.leads {
            self.silence.leaders.push((node, time));
        }
        let decided = (is.status() != was.status()).then(|| is.status());
        self.states[node as usize] = effect.state;
        self.events.push(Event { time, node, cause, sent, alarms, state: effect.state, decided });
    }

    fn look(&self) -> Result<(), Violation> {
        self.election.look(self.sent as u64).map(|_| ())
    }

    /// Who starts, in order of time.
    fn starts(&self) -> VecDeque<(u64, u32)> {
        match self.election.starts {
            Starts::All => (0..self.states.len() as u32).map(|node| (0, node)).collect(),
            Starts::At(starts) => starts.iter().copied().collect(),
        }
    }

    fn overflow(&self, node: u32) -> Violation {
        Violation::ClockOverflow(self.election.ids[node as usize])
    }

    fn is_symmetric(&self) -> bool {
        all_equal(&self.states) && all_equal(&self.by_node)
    }

    /// Every message takes one round. A round takes the mail, the alarms, the starts; on rings the mail
    /// from PREV comes before that from NEXT.
    fn in_rounds(&mut self) -> Result<(), Violation> {
        let mut starts = self.starts();
        let mut now = 0;
        loop {
            let mut round = std::mem::take(&mut self.fresh);
            if self.by_side {
                round.sort_by_key(|&(_, link)| self.ends[link].1 != PREV);
            }
            if let Some(&(_, link)) = round.first() {
                now = u64::checked_add(now, 1).ok_or_else(|| self.overflow(self.ends[link].0))?;
            } else {
                let alarm = self.alarms.peek().map(|&Reverse((time, ..))| time);
                let start = starts.front().map(|&(time, _)| time);
                match alarm.into_iter().chain(start).min() {
                    Some(time) => now = time,
                    None => break,
                }
            }
            let time = Some(Time::Rounds(now));
            for (_, link) in round {
                self.deliver(link, 0, time);
            }
            while let Some(&Reverse((due, node, token, event))) = self.alarms.peek()
                && due <= now
            {
                self.alarms.pop();
                self.act(node, time, Cause::Alarm { event, token }, Occasion::Alarm(token));
            }
            while let Some(&(due, node)) = starts.front()
                && due <= now
            {
                starts.pop_front();
                self.start(node, time);
            }
            if self.elects == Elects::Nobody && !self.is_symmetric() {
                return Err(Violation::SymmetryBroken(now));
            }
            self.look()?;
        }
        while let Some((node, token, _)) = self.idle_alarms.pop() {
            let before = self.states[node as usize];
            let effect = self.machine.step(before, Occasion::Alarm(token), now);
            if effect.state != before || !effect.sent.is_empty() {
                return Err(self.overflow(node));
            }
        }
        self.silence.end = self.silence.end.or(Some(Time::Rounds(0)));
        Ok(())
    }

    /// Mail in the order of `schedule`, each start before later mail.
    fn in_order(&mut self, schedule: &mut dyn Schedule) -> Result<(), Violation> {
        let mut starts = self.starts();
        self.silence.end = schedule.moment(0.0);
        let mut now = 0.0;
        loop {
            for (number, link) in std::mem::take(&mut self.fresh) {
                schedule.send(now, number, link);
            }
            let mail = schedule.next_time();
            match starts.front() {
                // Mail comes before a spontaneous start at the same time; at time 0 there is none.
                Some(&(due, node)) if due == 0 || mail.is_none_or(|mail| mail > due as f64) => {
                    starts.pop_front();
                    now = due as f64;
                    self.start(node, schedule.moment(now));
                }
                _ => {
                    let Some((time, number, link)) = schedule.next() else { return Ok(()) };
                    now = time;
                    let flights = &self.links[link];
                    let place = flights.iter().position(|flight| flight.number == number);
                    self.deliver(link, place.unwrap_or(0), schedule.moment(now));
                }
            }
            self.look()?;
        }
    }
}

/// Who decides when a message arrives, as the asynchronous engine has it.
trait Schedule {
    /// A message leaves over a directed link at time `now`.
    fn send(&mut self, now: f64, number: usize, link: usize);

    /// When the next message arrives, if any is on its way.
    fn next_time(&self) -> Option<f64>;

    /// The next arrival: its time, the number of the message, and the link.
    fn next(&mut self) -> Option<(f64, usize, usize)>;

    /// A time as it is written down.
    fn moment(&self, time: f64) -> Option<Time>;
}

/// A time that can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moment(f64);

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Random delays; who would overtake waits where links keep their order.
struct RandomDelays {
    network: Network,
    /// Delays drawn ahead, in blocks of the engine's size.
    drawn: VecDeque<f64>,
    /// When the last message of each link arrives.
    last: Vec<f64>,
    /// (arrival, number, link)
    flights: BinaryHeap<Reverse<(Moment, usize, usize)>>,
}

impl Schedule for RandomDelays {
    fn send(&mut self, now: f64, number: usize, link: usize) {
        if self.drawn.is_empty() {
            self.drawn.extend(self.network.delay.draw::<DRAWN>(&mut self.network.words));
        }
        let mut time = now + self.drawn.pop_front().unwrap_or(0.0);
        if self.network.fifo {
            time = f64::max(time, self.last[link]);
            self.last[link] = time;
        }
        self.flights.push(Reverse((Moment(time), number, link)));
    }

    fn next_time(&self) -> Option<f64> {
        self.flights.peek().map(|Reverse((Moment(time), ..))| *time)
    }

    fn next(&mut self) -> Option<(f64, usize, usize)> {
        self.flights.pop().map(|Reverse((Moment(time), number, link))| (time, number, link))
    }

    fn moment(&self, time: f64) -> Option<Time> {
        Some(Time::Real(time))
    }
}

/// The adversary without a clock: of all links with mail the one over which something was sent last, and
/// there the oldest message first if links keep their order, else the newest.
struct NewestFirst {
    fifo: bool,
    /// The messages on each link, oldest first.
    links: Vec<VecDeque<usize>>,
    /// The links with mail, by the last message that was sent over them.
    newest: BTreeMap<usize, usize>,
    /// The last message that was sent over each link.
    last: Vec<usize>,
}

impl Schedule for NewestFirst {
    fn send(&mut self, _now: f64, number: usize, link: usize) {
        self.newest.remove(&self.last[link]);
        self.last[link] = number;
        self.newest.insert(number, link);
        self.links[link].push_back(number);
    }

    fn next_time(&self) -> Option<f64> {
        self.newest.first_key_value().map(|_| 0.0)
    }

    fn next(&mut self) -> Option<(f64, usize, usize)> {
        let (&key, &link) = self.newest.last_key_value()?;
        let flights = &mut self.links[link];
        let number = if self.fifo { flights.pop_front() } else { flights.pop_back() }?;
        if flights.is_empty() {
            self.newest.remove(&key);
        }
        Some((0.0, number, link))
    }

    fn moment(&self, _time: f64) -> Option<Time> {
        None
    }
}
