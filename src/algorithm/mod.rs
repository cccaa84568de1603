//! The algorithms: one file each, and the registry.
//!
//! An algorithm's file is its room: citation and pseudocode, the process, the counter, the theory,
//! the rings that are best and worst for it, its tests. A new one is a new file and a line in
//! `standard`. A program of your own adds its algorithms to the [`Registry`].

mod announce;
pub mod graph;
mod registry;
pub mod ring;
pub mod tree;

pub use announce::{Announced, Flood, Lap, Spanning, Tree};
pub use registry::{Registry, find, named, program, registry};

use crate::count::Counter;
use crate::process::{Asynchronous, Kinds, MAX_KINDS, Message, Process, Synchronous, Widths};
use crate::simulate::{self, Election, Network, Outcome, Violation};
use crate::theory::{Case, Facts};
use crate::topology::{Graph, Ring};

/// Who is to win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elects {
    /// The largest ID of all.
    LargestId,
    /// The largest ID among the initiators.
    LargestInitiator,
    /// The smallest ID of all.
    SmallestId,
    /// The smallest ID among the initiators.
    SmallestInitiator,
    /// Exactly one node, whichever.
    Somebody,
    /// Nobody: the algorithm shows that all stay alike for ever.
    Nobody,
}

impl Elects {
    /// The rule in words.
    pub fn rule(self) -> &'static str {
        match self {
            Elects::LargestId => "the largest ID wins",
            Elects::LargestInitiator => "the largest initiator wins",
            Elects::SmallestId => "the smallest ID wins",
            Elects::SmallestInitiator => "the smallest initiator wins",
            Elects::Somebody => "exactly one wins, not always the largest",
            Elects::Nobody => "nobody can win",
        }
    }

    /// Whether only who started may win.
    pub fn only_initiators(self) -> bool {
        matches!(self, Elects::LargestInitiator | Elects::SmallestInitiator)
    }

    /// Whether small IDs win; their dense IDs begin at 0, all others' at 1.
    pub fn smallest_wins(self) -> bool {
        matches!(self, Elects::SmallestId | Elects::SmallestInitiator)
    }
}

/// On which networks an algorithm runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// Rings whose nodes tell left from right.
    Rings,
    /// Trees.
    Trees,
    /// All connected networks.
    Graphs,
}

/// What an algorithm asks of the world, and what it promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// Where it runs.
    pub on: On,
    /// Who wins.
    pub elects: Elects,
    /// Messages on one link must not overtake each other.
    pub needs_fifo: bool,
    /// Everybody must start, at time 0.
    pub needs_all: bool,
    /// Everybody knows n.
    pub knows_n: bool,
    /// Everybody knows the IDs of its neighbours.
    pub knows_neighbours: bool,
    /// Everybody knows the largest distance between two nodes.
    pub knows_diameter: bool,
    /// In the end everybody knows the leader's ID.
    pub announces: bool,
    /// Participants flip coins.
    pub flips_coins: bool,
}

impl Model {
    /// The common model of a ring: any initiators, any order, n unknown, no announcement.
    pub const fn electing(elects: Elects) -> Self {
        Model {
            on: On::Rings,
            elects,
            needs_fifo: false,
            needs_all: false,
            knows_n: false,
            knows_neighbours: false,
            knows_diameter: false,
            announces: false,
            flips_coins: false,
        }
    }
}

/// An algorithm as a whole: a process, and all that is known about it.
pub trait Algorithm: Process {
    /// Its name in the registry, in tables and on axes.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str;
    /// Where it comes from.
    const SOURCE: &'static str;
    /// What it asks and promises.
    const MODEL: Model;
    /// How its messages are counted without delivering them, where that is known.
    const COUNTER: Option<Counter> = None;

    /// What theory says about its messages.
    fn facts(_case: &Case) -> Facts {
        Facts::default()
    }

    /// A ring with the fewest messages, as ranks 0..n in clockwise order, where one is known.
    fn best_ring(_n: u32) -> Option<Vec<u32>> {
        None
    }

    /// A ring with the most messages, as ranks 0..n in clockwise order, where one is known.
    fn worst_ring(_n: u32) -> Option<Vec<u32>> {
        None
    }
}

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

/// For algorithms that run on any graph: all messages of a round in the order of sending.
struct OnGraphs<A: Algorithm>(simulate::asynchronous::Asynchronous<A>);

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
            None => self.0.run_in_rounds(graph, election),
            Some(network) => self.0.run(graph, network, election),
        }
    }
}

struct InBothEngines<A: Algorithm> {
    synchronous: simulate::synchronous::Synchronous<A>,
    asynchronous: simulate::asynchronous::Asynchronous<A>,
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

struct InLockstep<A: Algorithm>(simulate::synchronous::Synchronous<A>);

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

/// An algorithm in the registry, its type forgotten.
#[derive(Clone)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// Where it comes from.
    pub source: &'static str,
    /// What it asks and promises.
    pub model: Model,
    /// Whether it runs only in synchronous networks.
    pub synchronous: bool,
    /// The kinds of its messages.
    pub kinds: Kinds,
    /// The bits of so many messages of each kind.
    pub bits: fn(&[u64; MAX_KINDS], &Widths) -> u128,
    /// What one of its nodes takes in the engines, at most.
    pub node_bytes: u64,
    /// See [`Algorithm::COUNTER`].
    pub counter: Option<Counter>,
    /// What theory says.
    pub facts: fn(&Case) -> Facts,
    /// See [`Algorithm::best_ring`].
    pub best_ring: fn(u32) -> Option<Vec<u32>>,
    /// See [`Algorithm::worst_ring`].
    pub worst_ring: fn(u32) -> Option<Vec<u32>>,
    /// Makes a simulator.
    pub simulator: fn() -> Box<dyn Simulator>,
}

impl Entry {
    fn new<A: Algorithm>(simulator: fn() -> Box<dyn Simulator>, synchronous: bool) -> Self {
        Entry {
            name: A::NAME.to_owned(),
            summary: A::SUMMARY.to_owned(),
            source: A::SOURCE,
            model: A::MODEL,
            synchronous,
            kinds: A::Message::KINDS,
            bits: simulate::bits::<A::Message>,
            node_bytes: simulate::node_bytes::<A>(),
            counter: A::COUNTER,
            facts: A::facts,
            best_ring: A::best_ring,
            worst_ring: A::worst_ring,
            simulator,
        }
    }

    /// The entry of an algorithm for trees or graphs.
    pub fn graph<A: Algorithm + Asynchronous + 'static>() -> Self {
        let simulator = || -> Box<dyn Simulator> {
            Box::new(OnGraphs::<A>(simulate::asynchronous::Asynchronous::new()))
        };
        Entry::new::<A>(simulator, false)
    }

    /// The entry of an algorithm for rings that needs no clock.
    pub fn asynchronous<A: Algorithm + Asynchronous<Message: Copy> + 'static>() -> Self {
        Entry::new::<A>(
            || {
                Box::new(InBothEngines::<A> {
                    synchronous: simulate::synchronous::Synchronous::new(),
                    asynchronous: simulate::asynchronous::Asynchronous::new(),
                })
            },
            false,
        )
    }

    /// The entry of an algorithm for rings that needs synchronous rounds.
    pub fn synchronous<A: Algorithm + Synchronous<Message: Copy> + 'static>() -> Self {
        Entry::new::<A>(
            || Box::new(InLockstep::<A>(simulate::synchronous::Synchronous::new())),
            true,
        )
    }

    /// The entry of the same algorithm with one lap that announces the winner.
    pub fn announced<A: Algorithm + Asynchronous<Message: Copy> + 'static>() -> Self {
        Entry {
            name: format!("{}+announce", A::NAME),
            summary: format!("{}, then one lap that announces the winner", A::NAME),
            ..Entry::asynchronous::<Announced<A>>()
        }
    }
}

/// The algorithms that come with the library, in the order of the tables.
fn standard() -> Vec<Entry> {
    use graph::*;
    use ring::*;
    use tree::*;
    vec![
        Entry::asynchronous::<LeLann>(),
        Entry::asynchronous::<ChangRoberts>(),
        Entry::announced::<ChangRoberts>(),
        Entry::asynchronous::<Extinction<TokenWave<RingToken>>>(),
        Entry::announced::<Extinction<TokenWave<RingToken>>>(),
        Entry::asynchronous::<Clockwise>(),
        Entry::announced::<Clockwise>(),
        Entry::asynchronous::<ClockwiseJoin>(),
        Entry::announced::<ClockwiseJoin>(),
        Entry::asynchronous::<HirschbergSinclair>(),
        Entry::announced::<HirschbergSinclair>(),
        Entry::asynchronous::<KNeighbour>(),
        Entry::announced::<KNeighbour>(),
        Entry::asynchronous::<RadiusGrowth>(),
        Entry::announced::<RadiusGrowth>(),
        Entry::asynchronous::<Peterson>(),
        Entry::synchronous::<TimeSlice>(),
        Entry::synchronous::<VariableSpeeds>(),
        Entry::synchronous::<VariableSpeedsListing>(),
        Entry::synchronous::<Anonymous>(),
        Entry::graph::<TreeWakeup>(),
        Entry::graph::<TreeWaves>(),
        Entry::graph::<TreeFrugal>(),
        Entry::graph::<Announced<DfsPath, Tree>>(),
        Entry::graph::<Announced<DfsColour, Tree>>(),
        Entry::graph::<Announced<EchoElection, Tree>>(),
        Entry::graph::<Announced<Adoption, Tree>>(),
        Entry::graph::<Announced<Waiting, Tree>>(),
        Entry::graph::<Announced<Extinction<EchoWave>, Flood>>(),
        Entry::graph::<Announced<Extinction<TokenWave<Tarry>>, Flood>>(),
        Entry::graph::<Announced<Extinction<TokenWave<DepthFirst>>, Flood>>(),
        Entry::graph::<Phase>(),
        Entry::graph::<Finn>(),
        Entry::graph::<Announced<Ghs, Tree>>(),
        Entry::graph::<Announced<Kkm<Tarry>, Flood>>(),
        Entry::graph::<Announced<Kkm<AlongPath>, Flood>>(),
    ]
}
