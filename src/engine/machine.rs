//! An algorithm as a machine whose nodes are taken one step at a time, its type forgotten.
//!
//! The engines are compiled for every algorithm because they must be fast. What looks at single steps
//! (traces, the search through every schedule, adversaries) is written once, on top of this: states of
//! nodes and messages are numbers, equal ones have the same number, and a step gives numbers for a
//! number. What a handler does depends on nothing else, so whoever meets the same step again need not
//! carry it out again.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::{self, Debug, Write};
use std::hash::{DefaultHasher, Hasher};

use super::judge::Testimony;
use super::outcome::{Counted, Ended};
use super::participants::participants;
use super::records::{Flags, Record};
use crate::algorithm::{Algorithm, Model};
use crate::model::election::Election;
use crate::model::message::{Kinds, Message};
use crate::model::outcome::{Outcome, Time};
use crate::model::process::{Clock, Id, Outbox, Port, Status, Synchronous};
use crate::model::topology::{Graph, Ports, Ring};
use crate::model::violation::Violation;

/// The number of a node's state: its process, and what the world knows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

/// The number of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mail(pub u32);

/// What happens to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// It starts by itself.
    Start,
    /// A message comes over a port.
    Mail(Port, Mail),
    /// An alarm that it asked for, with its token.
    Alarm(u64),
}

/// What comes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The node's state from now on.
    pub state: State,
    /// What it sends, in order.
    pub sent: Vec<(Port, Mail)>,
    /// The alarms it asks for: when (`None` is beyond the clock), and their tokens.
    pub alarms: Vec<(Option<u64>, u64)>,
}

/// What the world knows of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fate {
    /// Whether it started by itself.
    pub started: bool,
    /// Whether it takes part: it started, or mail woke it.
    pub awake: bool,
    /// Whether it decided to lead.
    pub leads: bool,
    /// Whether it decided to follow.
    pub follows: bool,
}

impl Fate {
    /// What it says of itself.
    pub fn status(self) -> Status {
        match (self.leads, self.follows) {
            (true, _) => Status::Leader,
            (false, true) => Status::Follower,
            (false, false) => Status::Undecided,
        }
    }
}

/// What was counted until the network fell silent.
#[derive(Debug, Clone, Default)]
pub struct Silence {
    /// Messages by kind.
    pub kinds: [u64; crate::model::message::MAX_KINDS],
    /// IDs in the lists of messages that have lists.
    pub listed_ids: u64,
    /// The most messages that one node sent.
    pub max_node_messages: u64,
    /// Who decided to lead, and when.
    pub leaders: Vec<(u32, Option<Time>)>,
    /// When the last message was delivered.
    pub end: Option<Time>,
}

/// An algorithm's nodes, one step at a time.
pub trait Machine {
    /// The participants before the election, in order, on a graph or else on a ring; each knows what
    /// its model says.
    fn participants(&mut self, graph: Option<&Graph>, election: &Election<'_>) -> Vec<State>;

    /// What comes of an occasion at a node in this state, in round `now`; only algorithms that need
    /// rounds look at the clock.
    fn step(&mut self, state: State, occasion: Occasion, now: u64) -> Effect;

    /// From now on a node that starts by itself is like one that mail wakes, as far as the world knows:
    /// states that differ in nothing else are one.
    fn forget_starts(&mut self);

    /// Whether a handler ever asked if its node had started by itself, so that this matters.
    fn starts_matter(&self) -> bool;

    /// What the world knows of a node in this state.
    fn fate(&self, state: State) -> Fate;

    /// Whom a node in this state takes for the leader, where the algorithm tells.
    fn belief(&self, state: State) -> Option<Id>;

    /// The node's state in the algorithm's own words.
    fn words(&self, state: State) -> &dyn Debug;

    /// A message in the algorithm's own words.
    fn message(&self, mail: Mail) -> &dyn Debug;

    /// The kind of a message, and how many IDs it lists beyond its fields.
    fn kind(&self, mail: Mail) -> (usize, usize);

    /// The kinds of the messages.
    fn kinds(&self) -> Kinds;

    /// The judge's word on nodes that ended in these states.
    fn outcome(
        &self,
        election: &Election<'_>,
        states: &[State],
        silence: &Silence,
    ) -> Result<Outcome, Violation>;

    /// How many states of nodes were met so far.
    fn states(&self) -> usize;

    /// How many messages were met so far.
    fn messages(&self) -> usize;
}

/// Things by number: equal ones are kept once.
///
/// Processes can be compared and printed, not hashed. What is printed alike is compared.
#[derive(Debug)]
struct Numbered<T> {
    things: Vec<T>,
    alike: Alike,
}

/// The numbers of things that are printed alike, by the hash of their words.
#[derive(Debug)]
struct Alike(HashMap<u64, Vec<u32>>);

impl Alike {
    /// The numbers of those that are printed like this one.
    // Compiled once and not for every type.
    #[inline(never)]
    fn like(&mut self, thing: &dyn Debug) -> &mut Vec<u32> {
        let mut hashed = Hashed(DefaultHasher::new());
        // Printing into a hash cannot fail; a `Debug` that fails all the same only makes it longer
        // to compare.
        let _ = write!(hashed, "{thing:?}");
        self.0.entry(hashed.0.finish()).or_default()
    }
}

/// A hash as something to print into.
struct Hashed(DefaultHasher);

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

impl<T: Debug + PartialEq> Numbered<T> {
    fn new() -> Self {
        Numbered { things: Vec::new(), alike: Alike(HashMap::new()) }
    }

    fn number(&mut self, thing: T) -> u32 {
        let alike = self.alike.like(&thing);
        if let Some(&number) = alike.iter().find(|&&other| self.things[other as usize] == thing) {
            return number;
        }
        let number = self.things.len() as u32;
        alike.push(number);
        self.things.push(thing);
        number
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Node<A> {
    process: A,
    record: Record,
}

/// The outbox of one step.
struct Post<'a, M> {
    record: Record,
    now: u64,
    /// Whether the handler asked if its node had started by itself.
    asked: Cell<bool>,
    messages: &'a mut Numbered<M>,
    sent: Vec<(Port, Mail)>,
    alarms: Vec<(Option<u64>, u64)>,
}

impl<M: Message> Outbox<M> for Post<'_, M> {
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            self.sent.push((port, Mail(self.messages.number(message))));
        }
    }

    fn follow_if(&mut self, condition: bool) {
        self.record.follow_if(condition);
    }

    fn lead(&mut self) {
        self.record.set(Flags::LEADS);
    }

    fn started(&self) -> bool {
        self.asked.set(true);
        self.record.flags().has(Flags::STARTED)
    }
}

impl<M: Message> Clock<M> for Post<'_, M> {
    fn now(&self) -> u64 {
        self.now
    }

    fn wake(&mut self, time: Option<u64>, token: u64) {
        self.alarms.push((time, token));
    }
}

/// The machine of one algorithm.
#[derive(Debug)]
pub(super) struct MachineOf<A: Algorithm> {
    nodes: Numbered<Node<A>>,
    messages: Numbered<A::Message>,
    /// What a node becomes that starts by itself.
    starter: Flags,
    starts_matter: bool,
}

impl<A: Algorithm> MachineOf<A> {
    pub(super) fn new() -> Self {
        MachineOf {
            nodes: Numbered::new(),
            messages: Numbered::new(),
            starter: Flags::INITIATOR,
            starts_matter: false,
        }
    }

    fn node(&self, state: State) -> &Node<A> {
        &self.nodes.things[state.0 as usize]
    }

    fn all(&mut self, topology: &dyn Ports, election: &Election<'_>) -> Vec<State> {
        let mut states = Vec::new();
        participants(topology, election, &mut |process| {
            let node = Node { process, record: Record::default() };
            states.push(State(self.nodes.number(node)));
        });
        states
    }
}

impl<A: Algorithm + Synchronous> Machine for MachineOf<A> {
    fn participants(&mut self, graph: Option<&Graph>, election: &Election<'_>) -> Vec<State> {
        match graph {
            Some(graph) => self.all(graph, election),
            None => self.all(&Ring::new(election.ids.len() as u32), election),
        }
    }

    fn step(&mut self, state: State, occasion: Occasion, now: u64) -> Effect {
        let Node { mut process, record } = self.node(state).clone();
        let mail = match occasion {
            Occasion::Mail(_, mail) => Some(self.messages.things[mail.0 as usize].clone()),
            _ => None,
        };
        let (sent, alarms, asked) = (Vec::new(), Vec::new(), Cell::new(false));
        let mut post = Post { record, now, asked, messages: &mut self.messages, sent, alarms };
        match (occasion, mail) {
            (Occasion::Mail(from, _), Some(message)) => {
                post.record.set(Flags::AWAKE);
                process.receive(from, message, &mut post);
            }
            (Occasion::Alarm(token), _) => process.alarm(token, &mut post),
            _ => {
                post.record.set(self.starter);
                process.start(&mut post);
            }
        }
        let Post { record, sent, alarms, asked, .. } = post;
        self.starts_matter |= asked.get();
        Effect { state: State(self.nodes.number(Node { process, record })), sent, alarms }
    }

    fn forget_starts(&mut self) {
        self.starter = Flags::AWAKE;
    }

    fn starts_matter(&self) -> bool {
        self.starts_matter
    }

    fn fate(&self, state: State) -> Fate {
        let flags = self.node(state).record.flags();
        Fate {
            started: flags.has(Flags::STARTED),
            awake: flags.has(Flags::AWAKE),
            leads: flags.has(Flags::LEADS),
            follows: flags.has(Flags::FOLLOWS),
        }
    }

    fn belief(&self, state: State) -> Option<Id> {
        self.node(state).process.leader()
    }

    fn words(&self, state: State) -> &dyn Debug {
        &self.node(state).process
    }

    fn message(&self, mail: Mail) -> &dyn Debug {
        &self.messages.things[mail.0 as usize]
    }

    fn kind(&self, mail: Mail) -> (usize, usize) {
        let message = &self.messages.things[mail.0 as usize];
        (message.kind(), message.listed_ids())
    }

    fn kinds(&self) -> Kinds {
        A::Message::KINDS
    }

    fn outcome(
        &self,
        election: &Election<'_>,
        states: &[State],
        silence: &Silence,
    ) -> Result<Outcome, Violation> {
        let nodes = states.iter().map(|&state| self.node(state));
        let records: Vec<Record> = nodes.clone().map(|node| node.record).collect();
        // Without a clock the judge is told no time, and the outcome has none.
        let none = Time::Rounds(0);
        let leaders: Vec<(u32, Time)> =
            silence.leaders.iter().map(|&(node, time)| (node, time.unwrap_or(none))).collect();
        let testimony = Testimony::of(election, &leaders, nodes.map(|node| &node.process));
        let (model, kinds) = (const { &A::MODEL }, const { &A::Message::KINDS });
        outcome(model, kinds, election, &records, testimony, &leaders, silence)
    }

    fn states(&self) -> usize {
        self.nodes.things.len()
    }

    fn messages(&self) -> usize {
        self.messages.things.len()
    }
}

/// The judge's word, and what was counted, on nodes with these records that say this.
fn outcome(
    model: &Model,
    kinds: &Kinds,
    election: &Election<'_>,
    records: &[Record],
    testimony: Testimony,
    leaders: &[(u32, Time)],
    silence: &Silence,
) -> Result<Outcome, Violation> {
    let counted = Counted {
        messages: silence.kinds.iter().sum(),
        kinds: silence.kinds,
        listed_ids: silence.listed_ids,
        max_node_messages: silence.max_node_messages,
    };
    let end = silence.end;
    let ended = Ended { election, model, kinds, records, testimony, leaders, counted, end };
    let time = silence.leaders.first().and_then(|&(_, time)| time);
    Ok(Outcome { time, ..ended.outcome()? })
}
