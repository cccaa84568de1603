//! What the engine wrote down, with words for its numbers.

use super::lines::{Reading, lines};
use super::words::{Condition, Mail, conditions, mails};
use crate::engine::machine::{self, Fate, State};
use crate::engine::trace::{Event, Sent, Stage};
use crate::experiment::cell::Cell;
use crate::experiment::runs::Runs;
use crate::model::election::{Election, Network, Starts};
use crate::model::error::Input;
use crate::model::outcome::{Outcome, Time};
use crate::model::process::{Id, NEXT, PREV, Port, Status};
use crate::model::stop::Stop;
use crate::model::topology::Graph;
use crate::model::violation::Violation;

/// The most messages that are written down: more than anybody reads, in memory that everybody has.
pub const LONGEST: u64 = 1_000_000;

/// A node takes far more memory where every event is written down than in the engines.
const MOST_NODES: u64 = 200_000;

/// A message on its way, from the event that sent it to the one that it caused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letter {
    /// The event that sent it.
    pub sent: usize,
    /// Which of that event's messages it is.
    pub place: usize,
    /// The event that it caused; none if the election broke off before.
    pub received: Option<usize>,
}

/// One election, event by event.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The cell that it is a run of.
    pub cell: Cell,
    /// The IDs, node by node; on a ring clockwise.
    pub ids: Vec<Id>,
    /// Whether the algorithm knows the network for a ring.
    pub is_ring: bool,
    /// The edges, as pairs of nodes.
    pub edges: Vec<(u32, u32)>,
    /// Who starts: time and node.
    pub starts: Vec<(u64, u32)>,
    /// The states before the first event.
    pub first: Vec<State>,
    /// What happened.
    pub events: Vec<Event>,
    /// How it ended.
    pub outcome: Result<Outcome, Violation>,
    /// Whether messages go both ways round a ring.
    pub goes_both_ways: bool,
    /// Which line of the pseudocode each event is, counted from 0, where the algorithm's file says so.
    pub lines: Vec<Option<usize>>,
    conditions: Vec<Condition>,
    mails: Vec<Mail>,
    letters: Vec<Letter>,
    /// The number of each event's first message.
    first_letter: Vec<usize>,
}

/// The edges of a network, each once; those of a ring in its order.
pub fn edges(graph: Option<&Graph>, n: u32) -> Vec<(u32, u32)> {
    match graph {
        None => (0..n).map(|node| (node, (node + 1) % n)).collect(),
        Some(graph) => (0..n)
            .flat_map(|node| graph.neighbours(node).map(move |other| (node, other)))
            .filter(|(node, other)| node < other)
            .collect(),
    }
}

impl Trace {
    /// Holds an election and writes everything down, up to its end or to what went wrong.
    pub fn of(
        cell: &Cell,
        graph: Option<&Graph>,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Self {
        let mut stage = Stage::new(cell.algorithm(), graph, election);
        let first = stage.states().to_vec();
        let outcome = stage.play(network);
        let events = stage.events().to_vec();
        let machine = stage.machine();
        let (letters, first_letter) = letters(&events);
        let ids = election.ids.to_vec();
        let starts = match election.starts {
            Starts::All => (0..ids.len() as u32).map(|node| (0, node)).collect(),
            Starts::At(starts) => starts.clone(),
        };
        let by = |port| events.iter().flat_map(|event| &event.sent).any(|sent| sent.port == port);
        let mails = mails(machine);
        let reading = Reading {
            entry: cell.algorithm(),
            ids: &ids,
            mails: &mails,
            fate: &|state| machine.fate(state),
            states: first.clone(),
        };
        Trace {
            lines: lines(reading, &events),
            goes_both_ways: graph.is_none() && by(PREV) && by(NEXT),
            cell: cell.clone(),
            is_ring: graph.is_none(),
            edges: edges(graph, ids.len() as u32),
            ids,
            starts,
            first,
            conditions: conditions(machine),
            mails,
            events,
            outcome,
            letters,
            first_letter,
        }
    }

    /// The election of run number `run`, up to its end or to what went wrong, within [`LONGEST`].
    pub fn of_run(runs: &mut Runs, stop: &Stop, run: u64) -> Result<Self, Input> {
        let cell = runs.cell().clone();
        if u64::from(cell.n()) > MOST_NODES {
            let problem = format!("events are written down for at most {MOST_NODES} nodes");
            return Err(Input::new("n", cell.n(), problem, "use a smaller n"));
        }
        runs.hold(stop, run, |graph, election, network| {
            let limit = election.limit.min(LONGEST);
            let election = Election { limit, ..election.clone() };
            Trace::of(&cell, graph, &election, network)
        })
    }

    /// A node's state in the algorithm's own words.
    pub fn words(&self, state: State) -> &str {
        &self.conditions[state.0 as usize].words
    }

    /// What the world knows of a node in this state.
    pub fn fate(&self, state: State) -> Fate {
        self.conditions[state.0 as usize].fate
    }

    /// How many states nodes were in.
    pub fn states(&self) -> impl Iterator<Item = (&str, Fate)> {
        self.conditions.iter().map(|condition| (&*condition.words, condition.fate))
    }

    /// A message by its number in the engine.
    pub fn mail(&self, mail: machine::Mail) -> &Mail {
        &self.mails[mail.0 as usize]
    }

    /// All different messages, by their numbers in the engine.
    pub fn mails(&self) -> &[Mail] {
        &self.mails
    }

    /// All messages in the order of sending.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// What was sent with a message.
    pub fn sent(&self, letter: &Letter) -> Sent {
        self.events[letter.sent].sent[letter.place]
    }

    /// The number of a message: of the event that sent it and its place there.
    pub fn letter(&self, event: usize, place: usize) -> usize {
        self.first_letter[event] + place
    }

    /// The pseudocode, if events are known to be lines of it.
    pub fn pseudocode(&self) -> Vec<String> {
        let entry = self.cell.algorithm();
        if entry.lines.is_empty() { Vec::new() } else { entry.page().pseudocode }
    }

    /// The names of the kinds of messages.
    pub fn kinds(&self) -> Vec<&'static str> {
        self.cell.algorithm().kinds.names().collect()
    }

    /// The ID of a node.
    pub fn id(&self, node: u32) -> Id {
        self.ids[node as usize]
    }

    /// The states at the end.
    pub fn last(&self) -> Vec<State> {
        let mut states = self.first.clone();
        for event in &self.events {
            states[event.node as usize] = event.state;
        }
        states
    }

    /// What the time of events is called: rounds, time, or nothing but their order.
    pub fn clock(&self) -> &'static str {
        match self.events.first().and_then(|event| event.time) {
            Some(Time::Rounds(_)) => "round",
            Some(Time::Real(_)) => "time",
            None => "step",
        }
    }
}

/// The other word for a decision.
pub(super) fn decision(status: Status) -> &'static str {
    match status {
        Status::Undecided => "undecided",
        Status::Follower => "follower",
        Status::Leader => "leader",
    }
}

/// A moment where digits behind the third say nothing.
pub(super) fn moment(time: Option<Time>) -> String {
    match time {
        Some(Time::Rounds(round)) => round.to_string(),
        Some(Time::Real(time)) => format!("{time:.3}"),
        None => String::new(),
    }
}

/// Which way round a ring a port leads.
pub(super) fn way(port: Port) -> &'static str {
    if port == NEXT { "clockwise" } else { "anticlockwise" }
}

fn letters(events: &[Event]) -> (Vec<Letter>, Vec<usize>) {
    use crate::engine::trace::Cause;
    let mut letters: Vec<Letter> = Vec::new();
    let mut first = Vec::with_capacity(events.len());
    for (number, event) in events.iter().enumerate() {
        first.push(letters.len());
        if let Cause::Mail { event: sent, place, .. } = event.cause {
            letters[first[sent] + place].received = Some(number);
        }
        let new = (0..event.sent.len()).map(|place| Letter { sent: number, place, received: None });
        letters.extend(new);
    }
    (letters, first)
}
