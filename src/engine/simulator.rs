//! An algorithm made runnable: its engines behind one trait, and its entry in a registry.

use std::fmt;
use std::sync::Arc;

use super::graph_rounds::GraphRounds;
use super::in_rounds::InRounds;
use super::machine::{Machine, MachineOf};
use super::records::node_bytes;
use super::with_delays::WithDelays;
use crate::algorithm::count::Counter;
use crate::algorithm::{Algorithm, Announced, Law, Limit, Line, Model, On, Page, Spread};
use crate::model::election::{Election, Network};
use crate::model::message::{Kinds, Message, Widths};
use crate::model::metric::Metric;
use crate::model::outcome::Outcome;
use crate::model::process::{Asynchronous, Id, Synchronous};
use crate::model::theory::{Case, Facts, Holds};
use crate::model::topology::{Graph, Ring};
use crate::model::violation::Violation;

/// A simulator of one algorithm that can be used again and again.
pub trait Simulator {
    /// Holds one election on a ring: in rounds, or in a network with delays.
    fn run(
        &mut self,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation>;

    /// Holds one election on a graph. Algorithms for rings take its nodes in order as a ring.
    fn run_on(
        &mut self,
        _graph: &Graph,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        self.run(election, network)
    }
}

/// For algorithms that run on any graph.
struct OnGraphs<A: Algorithm> {
    synchronous: GraphRounds<A>,
    asynchronous: WithDelays<A>,
}

impl<A: Algorithm + Asynchronous> Simulator for OnGraphs<A> {
    fn run(
        &mut self,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        let graph = Graph::ring(election.ids.len() as u32);
        self.run_on(&graph, election, network)
    }

    fn run_on(
        &mut self,
        graph: &Graph,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        match network {
            None => self.synchronous.run(graph, election),
            Some(network) => self.asynchronous.run(graph, network, election),
        }
    }
}

/// For algorithms on graphs that need rounds.
struct OnGraphsInLockstep<A: Algorithm>(GraphRounds<A>);

impl<A: Algorithm + Synchronous> Simulator for OnGraphsInLockstep<A> {
    fn run(
        &mut self,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        self.run_on(&Graph::ring(election.ids.len() as u32), election, network)
    }

    /// The registry says that this algorithm is synchronous, and the plan refuses delays for it.
    fn run_on(
        &mut self,
        graph: &Graph,
        election: &Election<'_>,
        _network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        self.0.run(graph, election)
    }
}

struct InBothEngines<A: Algorithm> {
    synchronous: InRounds<A>,
    asynchronous: WithDelays<A>,
}

impl<A: Algorithm + Asynchronous<Message: Copy>> Simulator for InBothEngines<A> {
    fn run(
        &mut self,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        match network {
            None => self.synchronous.run(election),
            Some(network) => {
                let ring = Ring::new(election.ids.len() as u32);
                self.asynchronous.run(ring, network, election)
            }
        }
    }
}

struct InLockstep<A: Algorithm>(InRounds<A>);

impl<A: Algorithm + Synchronous<Message: Copy>> Simulator for InLockstep<A> {
    /// The registry says that this algorithm is synchronous, and the plan refuses delays for it.
    fn run(
        &mut self,
        election: &Election<'_>,
        _network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        self.0.run(election)
    }
}

/// The name of the program in commands that repeat a run, if nobody says another.
pub(super) const PROGRAM: &str = "hustings";

/// An algorithm in the registry, its type forgotten.
#[derive(Clone)]
#[non_exhaustive]
pub struct Entry {
    /// The program that has it, as commands that repeat a run name it.
    pub(super) program: Arc<str>,
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// Where it comes from.
    pub source: &'static str,
    /// What it asks and promises.
    pub model: Model,
    /// See [`Algorithm::FILE`].
    pub file: &'static str,
    /// See [`Algorithm::LINES`].
    pub lines: &'static [Line],
    /// Whether it runs only in synchronous networks.
    pub synchronous: bool,
    /// The kinds of its messages, with their bits.
    pub kinds: Kinds,
    /// What one of its nodes takes in the engines, at most.
    pub node_bytes: u64,
    /// See [`Algorithm::COUNTER`].
    pub counter: Option<Counter>,
    /// See [`Algorithm::LAW`].
    pub law: Option<Law>,
    /// See [`Algorithm::LIMIT`].
    pub limit: Option<Limit>,
    /// See [`Algorithm::YARDSTICK`].
    pub yardstick: bool,
    /// How its messages depend on the schedule, where that was found out.
    pub spread: Option<Spread>,
    /// What theory says about its messages.
    pub facts: fn(&Case) -> Facts,
    /// See [`Algorithm::facts_of`]; [`Entry::theory`] knows more.
    pub facts_of: fn(Metric, &Case) -> Facts,
    /// See [`Algorithm::best_ring`].
    pub best_ring: fn(u32) -> Option<Vec<u32>>,
    /// See [`Algorithm::worst_ring`].
    pub worst_ring: fn(u32) -> Option<Vec<u32>>,
    /// Makes a simulator.
    pub simulator: fn() -> Box<dyn Simulator>,
    /// Makes a machine: the same algorithm one step at a time.
    pub machine: fn() -> Box<dyn Machine>,
    /// Whether its rounds take all mail of one side before that of the other, as on rings.
    pub(super) by_side: bool,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.name).finish()
    }
}

impl Entry {
    fn new<A>(simulator: fn() -> Box<dyn Simulator>) -> Self
    where
        A: Algorithm + Synchronous + 'static,
    {
        Entry {
            program: Arc::from(PROGRAM),
            name: A::NAME.to_owned(),
            summary: A::SUMMARY.to_owned(),
            source: A::SOURCE,
            model: A::MODEL,
            file: A::FILE,
            lines: A::LINES,
            synchronous: false,
            kinds: A::Message::KINDS,
            node_bytes: node_bytes::<A>(),
            counter: A::COUNTER,
            law: A::LAW,
            limit: A::LIMIT,
            yardstick: A::YARDSTICK,
            spread: A::SPREAD,
            facts: A::facts,
            facts_of: A::facts_of,
            best_ring: A::best_ring,
            worst_ring: A::worst_ring,
            simulator,
            machine: || Box::new(MachineOf::<A>::new()),
            by_side: true,
        }
    }

    /// The entry of an algorithm for trees or graphs.
    pub fn graph<A: Algorithm + Asynchronous + 'static>() -> Self {
        let entry = Entry::new::<A>(|| {
            Box::new(OnGraphs::<A> {
                synchronous: GraphRounds::new(),
                asynchronous: WithDelays::new(),
            })
        });
        Entry { by_side: false, ..entry }
    }

    /// The entry of an algorithm for trees, graphs or complete networks that needs synchronous rounds.
    pub fn graph_in_rounds<A: Algorithm + Synchronous + 'static>() -> Self {
        let entry = Entry::new::<A>(|| Box::new(OnGraphsInLockstep::<A>(GraphRounds::new())));
        Entry { synchronous: true, by_side: false, ..entry }
    }

    /// The entry of an algorithm for rings that needs no clock.
    pub fn asynchronous<A>() -> Self
    where
        A: Algorithm + Asynchronous<Message: Copy> + 'static,
    {
        Entry::new::<A>(|| {
            Box::new(InBothEngines::<A> {
                synchronous: InRounds::new(),
                asynchronous: WithDelays::new(),
            })
        })
    }

    /// The entry of an algorithm for rings that needs synchronous rounds.
    pub fn synchronous<A>() -> Self
    where
        A: Algorithm + Synchronous<Message: Copy> + 'static,
    {
        let entry = Entry::new::<A>(|| Box::new(InLockstep::<A>(InRounds::new())));
        Entry { synchronous: true, ..entry }
    }

    /// The same algorithm under another name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Entry { name: name.to_owned(), ..self }
    }

    /// The same algorithm with another counter, or none.
    #[must_use]
    pub fn counted_by(self, counter: Option<Counter>) -> Self {
        Entry { counter, ..self }
    }

    /// The program that has it, as commands that repeat a run name it.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Whether no schedule can change what is sent, where links are FIFO and whoever starts does so
    /// before it is sent anything.
    ///
    /// A node of a unidirectional ring has one queue to read from, and what it does depends on what it
    /// has read so far and on nothing else: the ring is a Kahn network (G. Kahn, "The semantics of a
    /// simple language for parallel programming", 1974), in which the sequence of messages on every
    /// link is the same in every schedule. A sleeper that mail wakes is no exception, but one that may
    /// start later by itself is.
    pub fn is_kahn(&self) -> bool {
        self.model.on == On::Rings && self.model.unidirectional && !self.synchronous
    }

    /// In which networks the counter's numbers hold; `None` without a counter.
    pub fn counts_hold(&self) -> Option<Holds> {
        match self.counter?.holds {
            Holds::Synchronous if self.is_kahn() => Some(Holds::Fifo),
            holds => Some(holds),
        }
    }

    /// What theory says about a metric.
    ///
    /// Where all messages have the same number of bits, their bits follow from their number, for dense
    /// IDs, whose width is known.
    pub fn theory(&self, metric: Metric, case: &Case) -> Facts {
        if metric == Metric::Messages {
            return (self.facts)(case);
        }
        let known = (self.facts_of)(metric, case);
        if metric != Metric::Bits || known != Facts::default() {
            return known;
        }
        let widths = Widths::new(case.n, self.first_dense_id() + (case.n - 1));
        match self.kinds.bits_of_each(&widths) {
            Some(bits) => (self.facts)(case).times(bits.into(), &bits.to_string()).for_dense_ids(),
            None => Facts::default(),
        }
    }

    /// References and pseudocode: the header of its file.
    pub fn page(&self) -> Page {
        Page::of(self.file)
    }

    /// The year in which it was published, if its source names one.
    pub fn year(&self) -> Option<u32> {
        let mut words = self.source.split(|c: char| !c.is_ascii_digit());
        words.find(|word| word.len() == 4)?.parse().ok()
    }

    /// The smallest of the dense IDs: 0 where the smallest wins, else 1.
    pub fn first_dense_id(&self) -> Id {
        Id::from(!self.model.elects.smallest_wins())
    }

    /// The entry of the same algorithm with one lap that announces the winner.
    pub fn announced<A>() -> Self
    where
        A: Algorithm + Asynchronous<Message: Copy> + 'static,
    {
        Entry {
            name: format!("{}+announce", A::NAME),
            summary: format!("{}, then one lap that announces the winner", A::NAME),
            // The algorithm itself is one, and a lap more says nothing new of others.
            yardstick: false,
            ..Entry::asynchronous::<Announced<A>>()
        }
    }
}
