//! The algorithms: one file each.
//!
//! An algorithm's file has all that is its own: citation and pseudocode, the process, the counter,
//! the theory, the rings that are best and worst for it, its exact distribution, its tests. What
//! several share stands beside them: how messages are counted without being delivered ([`count`]),
//! and the announcement of a winner ([`Announced`]). Nothing here runs anything.

mod announce;
pub mod clique;
pub mod count;
pub mod graph;
mod page;
pub mod ring;
pub mod tree;

pub use announce::{Announced, Flood, Lap, Spanning, Tree};
pub use page::Page;

use crate::model::distribution::Distribution;
use crate::model::metric::Metric;
use crate::model::process::Process;
use crate::model::theory::{Case, Facts};
use count::Counter;

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
    /// Complete networks: everybody is everybody's neighbour.
    Cliques,
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
    /// Whoever starts sees the IDs of all who do, and so knows the leader's without being told.
    pub sees_all: bool,
    /// Nothing tells the others that they have lost, unless the winner is announced.
    pub silent_victory: bool,
    /// Participants never look at their IDs.
    pub anonymous: bool,
    /// Participants flip coins.
    pub flips_coins: bool,
    /// On a ring, everything goes one way: a node has one link to read from.
    pub unidirectional: bool,
    /// Participants count up to their IDs, message by message, so these begin at 1 and must be small.
    pub counts_to_ids: bool,
    /// By bad luck nobody leads, or more than one does: that is no fault, but a run without a leader.
    pub may_fail: bool,
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
            sees_all: false,
            silent_victory: false,
            anonymous: false,
            flips_coins: false,
            unidirectional: false,
            counts_to_ids: false,
            may_fail: false,
        }
    }

    /// The same on a ring on which everything goes clockwise.
    #[must_use]
    pub const fn clockwise(self) -> Self {
        Model { unidirectional: true, ..self }
    }
}

/// An exact distribution that can be computed.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// The distribution for n ≥ 1.
    pub at: fn(u64) -> Distribution,
    /// Up to this n it takes no time worth mentioning.
    pub quick: u64,
    /// Up to this n it takes a few seconds.
    pub slow: u64,
    /// The largest n that anybody should wait for.
    pub largest: u64,
}

impl Law {
    /// The distribution at n; `None` for no process, and where it would take too long.
    pub fn distribution(&self, n: u64) -> Option<Distribution> {
        (1..=self.largest).contains(&n).then(|| (self.at)(n))
    }
}

/// The law that the messages of ever larger random rings tend to, once their mean was taken off and
/// the rest divided by n.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// What tends to it, in words.
    pub of: &'static str,
    /// Its skewness.
    pub skewness: f64,
    /// Its excess kurtosis.
    pub kurtosis: f64,
    /// Its probability density.
    pub density: fn(f64) -> f64,
    /// Where it comes from.
    pub source: &'static str,
}

/// What comes to a node, what goes from it, and some words of the line of pseudocode that this is.
///
/// What comes is `start` or the name of a kind of message; with `own` before it the message carries the
/// node's own ID, with `waking` the node was asleep, with `unstarted` it did not start by itself. What goes
/// is the kind of the first message sent (with `own` before it if that carries the node's own ID), nothing
/// if none is, `lead` or `follow` if the node decides to, and `*` whatever it is. The first line that fits
/// is meant; announcements have none.
pub type Line = (&'static str, &'static str, &'static str);

/// How the number of messages depends on the order in which they arrive, found by trying every schedule
/// on every network of up to [`Spread::UP_TO`] nodes with every set of starters, where links are FIFO
/// and whoever starts does so before the first message arrives. Announcements do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// No schedule changes it.
    Never,
    /// Some take fewer messages than rounds do, some more.
    BothWays,
}

impl Spread {
    /// All networks of so many nodes were gone through.
    pub const UP_TO: u32 = 4;

    /// The same in words.
    pub fn words(self) -> &'static str {
        match self {
            Spread::Never => "none changes the count",
            Spread::BothWays => "some take fewer messages than rounds do, some more",
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
    /// The text of its file, whose header has its references and its pseudocode: see [`Page`].
    const FILE: &'static str = "";
    /// Which event is which line of its pseudocode; an algorithm that does not say so has its trace all
    /// the same.
    const LINES: &'static [Line] = &[];
    /// How its messages are counted without delivering them, where that is known.
    const COUNTER: Option<Counter> = None;
    /// How likely every number of messages is on random rings where everybody starts, where that is
    /// known; in rounds, and with dense IDs.
    const LAW: Option<Law> = None;
    /// What the law tends to, where that is known.
    const LIMIT: Option<Limit> = None;
    /// Whether figures that set algorithms against each other set others against this one.
    const YARDSTICK: bool = false;
    /// How its messages depend on the schedule, where all schedules of small networks were tried.
    const SPREAD: Option<Spread> = None;

    /// What theory says about its messages.
    fn facts(_case: &Case) -> Facts {
        Facts::default()
    }

    /// What theory says about a metric other than messages. Of bits it needs to say nothing where all
    /// messages have the same number.
    fn facts_of(_metric: Metric, _case: &Case) -> Facts {
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
