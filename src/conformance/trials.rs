//! The elections that an algorithm must pass: all small ones, and larger ones drawn at random.

use std::collections::BTreeMap;

use super::network::{self, Network};
use super::trial::Trial;
use crate::algorithm::On;
use crate::engine::Entry;
use crate::experiment::layout::sparse_ids;
use crate::experiment::small;
use crate::experiment::timing::{Initiators, Timing};
use crate::model::delay::Delay;
use crate::model::process::Id;
use crate::model::random::{Key, Purpose, Stream};
use crate::model::topology::Topology;

/// The largest network that is drawn.
const LARGEST_DRAWN: u32 = 16;

/// Connected graphs of so many nodes are twenty times as many as those with one node less, so each has
/// only a sixth of the schedules.
const MANY: u32 = 5;
const SHARE: u64 = 6;

/// A network and the IDs of its nodes.
type Site = (Network, Vec<Id>);

/// What an algorithm is tried with.
pub(super) struct Trials<'a> {
    pub(super) entry: &'a Entry,
    /// So many schedules for every small election.
    pub(super) schedules: u64,
}

impl Trials<'_> {
    /// The timings that the algorithm claims to cope with, the simplest first.
    pub(super) fn timings(&self) -> Vec<Timing> {
        let mut timings = vec![Timing::SYNC];
        if !self.entry.synchronous {
            let with = |fifo: bool| Delay::SAMPLES.map(|delay| Timing { delay: Some(delay), fifo });
            timings.extend(with(true));
            if !self.entry.model.needs_fifo {
                timings.extend(with(false));
            }
        }
        timings
    }

    /// All elections of `n` nodes.
    pub(super) fn small(&self, n: u32) -> impl Iterator<Item = Trial> + '_ {
        let starters = self.starters(n);
        let schedules = match self.entry.model.on {
            On::Graphs if n >= MANY => self.schedules.div_ceil(SHARE),
            _ => self.schedules,
        };
        (0..schedules).flat_map(move |run| {
            let starters = starters.clone();
            self.sites(n, run).flat_map(move |(network, ids)| {
                let trial = Trial { run, ..Trial::in_rounds(network, ids) };
                self.at_site(&trial, &starters)
            })
        })
    }

    /// A trial with all timings that make it another one in this run, and all starters.
    fn at_site(&self, trial: &Trial, starters: &[BTreeMap<u32, u64>]) -> Vec<Trial> {
        // On a graph every run has other ports, on a ring it only draws anew.
        let draws = |timing: &Timing| timing.is_random() || self.entry.model.flips_coins;
        let is_new = |timing: &Timing| trial.run == 0 || self.is_on_graph() || draws(timing);
        let timings = self.timings().into_iter().filter(is_new);
        let trials = timings.flat_map(|timing| {
            let trial = Trial { timing, ..trial.clone() };
            starters.iter().map(move |places| trial.clone().started_by(places.clone()))
        });
        trials.collect()
    }

    /// All elections of `n` nodes that differ in more than their schedules.
    pub(super) fn to_explore(&self, n: u32) -> impl Iterator<Item = Trial> + '_ {
        let starters = self.starters(n);
        self.sites(n, 0).flat_map(move |(network, ids)| {
            let trial = Trial::in_rounds(network, ids);
            starters.clone().into_iter().map(move |places| trial.clone().started_by(places))
        })
    }

    /// All sets of starters among `n` nodes that the algorithm can do with, the smallest first.
    fn starters(&self, n: u32) -> Vec<BTreeMap<u32, u64>> {
        let mut sets: Vec<u32> = (1..1 << n).collect();
        sets.retain(|set| !self.entry.model.needs_all || set.count_ones() == n);
        sets.sort_by_key(|set| set.count_ones());
        let members = |set: u32| (0..n).filter(move |place| set >> place & 1 == 1);
        sets.into_iter().map(|set| members(set).map(|place| (place, 0)).collect()).collect()
    }

    fn is_on_graph(&self) -> bool {
        self.entry.model.on != On::Rings
    }

    /// All networks of `n` nodes in all orders of the dense IDs.
    ///
    /// Nodes of a graph are numbered by their IDs, backwards and at random, by turns from graph to
    /// graph and from run to run. So are its ports, which follow the numbers.
    fn sites(&self, n: u32, run: u64) -> Box<dyn Iterator<Item = Site> + '_> {
        let trees = match self.entry.model.on {
            On::Rings => {
                let rings = small::rings(n, self.entry.first_dense_id());
                return Box::new(rings.into_iter().map(move |ids| (Network::ring(n), ids)));
            }
            On::Trees => true,
            On::Graphs | On::Cliques => false,
        };
        let mut words = key(n).stream(run, Purpose::Ring);
        let numbered = move |(network, turn): (Network, u64)| {
            let mut order: Vec<u32> = (0..n).collect();
            match turn % 3 {
                0 => {}
                1 => order.reverse(),
                _ => words.shuffle(&mut order),
            }
            let ids = order.iter().map(|&rank| self.entry.first_dense_id() + Id::from(rank));
            (network.renumbered(&order), ids.collect())
        };
        if self.entry.model.on == On::Cliques {
            return Box::new(std::iter::once((Network::complete(n), run)).map(numbered));
        }
        let networks = small::graphs(n, trees).map(move |edges| Network::graph(n, &edges));
        Box::new(networks.zip(run..).map(numbered))
    }

    /// Elections of up to [`LARGEST_DRAWN`] nodes, as many as asked for.
    pub(super) fn drawn(&self, count: u64) -> impl Iterator<Item = Trial> + '_ {
        (0..count).map(move |number| {
            let mut words = key(0).stream(number, Purpose::Ring);
            let n = 2 + words.below(u64::from(LARGEST_DRAWN) - 1) as u32;
            self.draw(n, number, &mut words)
        })
    }

    /// Elections of `n` nodes, as many as asked for.
    pub(super) fn drawn_of(&self, n: u32, count: u64) -> impl Iterator<Item = Trial> + '_ {
        (0..count).map(move |number| {
            let mut words = key(n).stream(number, Purpose::Ring);
            self.draw(n, number, &mut words)
        })
    }

    /// Any network, any IDs, any initiators, some of them late, any timing.
    fn draw(&self, n: u32, run: u64, words: &mut Stream) -> Trial {
        let network = self.draw_network(n, words);
        let mut ids: Vec<Id> = match words.below(2) {
            0 => (self.entry.first_dense_id()..).take(n as usize).collect(),
            // Small enough to be counted to, and not dense.
            _ if self.entry.model.counts_to_ids => {
                let n = u64::from(n);
                words.choose(4 * n, n).into_iter().map(|place| place + 1).collect()
            }
            _ => sparse_ids(n, words),
        };
        words.shuffle(&mut ids);
        let timings = self.timings();
        let timing = timings[words.below(timings.len() as u64) as usize];
        let trial = Trial { network, ids, initiators: Initiators::All, timing, run };
        match self.entry.model.needs_all {
            true => trial,
            false => trial.started_by(draw_places(n, words)),
        }
    }

    fn draw_network(&self, n: u32, words: &mut Stream) -> Network {
        let mut families = Topology::SAMPLES.to_vec();
        match self.entry.model.on {
            On::Rings => return Network::ring(n),
            // Small members of some others are trees, too.
            On::Trees => families.retain(|family| family.is_tree(LARGEST_DRAWN)),
            On::Graphs => {}
            On::Cliques => return Network::complete(n),
        }
        words.shuffle(&mut families);
        let graph = families.iter().find_map(|family| family.graph(n, words).ok());
        let graph = graph.expect("a path has any number of nodes");
        Network::graph(n, &network::edges(&graph))
    }
}

/// The key of all that is drawn for networks of `n` nodes, or of any number.
fn key(n: u32) -> Key {
    Key::new(1, "conformance", u64::from(n), "", "")
}

/// Some places, with times; the first starts at once.
fn draw_places(n: u32, words: &mut Stream) -> BTreeMap<u32, u64> {
    let count = 1 + words.below(u64::from(n));
    let places = words.choose(u64::from(n), count);
    let late = words.below(2) == 1;
    let mut time = || if late { words.below(2 * u64::from(n)) } else { 0 };
    let times: Vec<u64> = places.iter().map(|_| time()).collect();
    let first = times.iter().copied().min().unwrap_or(0);
    places.into_iter().zip(times).map(|(place, time)| (place as u32, time - first)).collect()
}
