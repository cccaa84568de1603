//! Every schedule of what a user asks for: one election, or those on all networks of a small size.

use std::sync::Arc;

use super::small::{self, Edges};
use super::timing::Initiators;
use crate::algorithm::On;
use crate::engine::Entry;
use crate::engine::explore::{Ended, Explore, Explored};
use crate::model::election::{Election, Starts};
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::{Key, Purpose};
use crate::model::stop::Stop;
use crate::model::topology::{Graph, Ports, Topology};
use crate::model::violation::Violation;

/// On which networks every schedule is tried.
#[derive(Debug, Clone, PartialEq)]
pub enum Sites {
    /// These IDs, node by node, on a network that is not drawn.
    Given(Topology, Vec<Id>),
    /// Every order of the IDs 1 to n (0 to n-1 where the smallest wins) on such a network.
    Orders(Topology, u32),
    /// Every connected network of n nodes, in every order of the IDs; for algorithms on trees, every
    /// tree.
    Every(u32),
}

/// Who starts.
#[derive(Debug, Clone, PartialEq)]
pub enum Sets {
    /// Those whom a user names; of a number of nodes every set of so many.
    Named(Initiators),
    /// Every set in its turn.
    Every,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Schedules {
    /// The algorithm.
    pub algorithm: Arc<Entry>,
    /// On which networks.
    pub sites: Sites,
    /// Who starts.
    pub sets: Sets,
    /// Whether links keep the order of messages.
    pub fifo: bool,
    /// Whether initiators start whenever the schedule says.
    pub staggered: bool,
    /// Whether schedules are left out that only put independent deliveries into another order, or mail
    /// that changes nothing any more, and those of elections whose mail commutes.
    pub reduced: bool,
    /// The most bytes that the states of one election may take.
    pub memory: u64,
}

/// One election of which every schedule is tried.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The edges; `None` on a ring whose nodes tell left from right.
    pub edges: Option<Edges>,
    /// The same as a network.
    pub graph: Option<Graph>,
    /// The IDs, node by node.
    pub ids: Vec<Id>,
    /// Who starts.
    pub starts: Starts,
}

/// The largest network of which all orders are gone through.
const LARGEST_N: u32 = 8;

/// The most elections.
const MOST: u128 = 1_000_000;

impl Instance {
    /// The name of its network.
    pub fn network(&self) -> String {
        let n = self.ids.len() as u32;
        match &self.edges {
            None => format!("ring{n}"),
            Some(edges) => small::name(n, edges),
        }
    }

    /// The positions of those who start.
    pub fn starters(&self) -> Vec<u32> {
        match self.starts.places() {
            None => (0..self.ids.len() as u32).collect(),
            Some(places) => places.map(|(place, _)| place).collect(),
        }
    }

    /// Hands its election to `hold`, as engines know it.
    pub fn hold<T>(&self, stop: &Stop, hold: impl FnOnce(&Election<'_>) -> T) -> T {
        let n = self.ids.len() as u64;
        let edges = self.graph.as_ref().map_or(n, Graph::edges);
        let limit = Election::usual_limit(n, edges);
        hold(&Election { ids: &self.ids, starts: &self.starts, limit, coins: 0, stop })
    }

    /// Its messages in rounds, announcements not counted.
    pub fn in_rounds(&self, entry: &Entry, stop: &Stop) -> Result<u64, Violation> {
        let mut simulator = (entry.simulator)();
        let outcome = self.hold(stop, |election| match &self.graph {
            Some(graph) => simulator.run_on(graph, election, None),
            None => simulator.run(election, None),
        })?;
        Ok(outcome.messages - entry.kinds.announcements(&outcome.kinds))
    }
}

impl Schedules {
    /// Refuses what cannot be asked of the algorithm.
    fn check(&self) -> Result<(), Input> {
        let Entry { name, model, synchronous, .. } = &*self.algorithm;
        let refuse = |field: &str, value: &str, problem: String, remedy: &str| {
            Err(Input::new(field, value, problem, remedy))
        };
        if *synchronous {
            let problem = "it needs rounds, so there is one schedule only".to_owned();
            return refuse("algorithm", name, problem, "use hustings elect, or another algorithm");
        }
        if model.flips_coins {
            let problem = "its participants flip coins, so schedules do not settle it".to_owned();
            return refuse("algorithm", name, problem, "use hustings run to measure it");
        }
        let named_all = |n: u32| matches!(&self.sets, Sets::Named(it) if it.is_all(n));
        let n = self.n();
        if model.needs_all && (self.staggered || !named_all(n)) {
            let problem = format!("{name} needs everybody to start at time 0");
            let field = if self.staggered { "staggered" } else { "initiators" };
            return refuse(field, "other", problem, "use --initiators all without --staggered");
        }
        let home = match (&self.sites, model.on) {
            (Sites::Every(_), _) => None,
            (Sites::Given(it, _) | Sites::Orders(it, _), On::Rings) => {
                (*it != Topology::Ring).then_some(("rings", "ring"))
            }
            (Sites::Given(it, _) | Sites::Orders(it, _), On::Trees) => {
                (!it.is_tree(n)).then_some(("trees", "a tree such as path"))
            }
            (Sites::Given(it, _) | Sites::Orders(it, _), On::Cliques) => {
                (*it != Topology::Complete).then_some(("complete networks", "complete"))
            }
            (_, On::Graphs) => None,
        };
        if let (Some((home, remedy)), Sites::Given(it, _) | Sites::Orders(it, _)) =
            (home, &self.sites)
        {
            let problem = format!("{name} runs on {home} only");
            return refuse("topology", &it.to_string(), problem, &format!("use {remedy}"));
        }
        if let Sites::Given(it, _) | Sites::Orders(it, _) = &self.sites
            && it.is_random()
        {
            let problem = "it is drawn anew for every run".to_owned();
            let remedy = "use every for all networks, a family that is not drawn, or file:PATH";
            return refuse("topology", &it.to_string(), problem, remedy);
        }
        if let Sets::Named(initiators) = &self.sets {
            initiators.check(u64::from(n))?;
            let problem = match initiators {
                Initiators::Share(_) => Some("a share is drawn, and here every set is named"),
                it if it.has_late_starts() => Some("times say nothing where every order is tried"),
                _ => None,
            };
            if let Some(problem) = problem {
                let remedy = "use every, count:K or at:0,2, and --staggered for late starts";
                return refuse("initiators", &initiators.to_string(), problem.to_owned(), remedy);
            }
        }
        Ok(())
    }

    /// The number of nodes.
    pub fn n(&self) -> u32 {
        match &self.sites {
            Sites::Given(_, ids) => ids.len() as u32,
            &Sites::Orders(_, n) | &Sites::Every(n) => n,
        }
    }

    /// All elections of which every schedule is to be tried.
    pub fn instances(&self) -> Result<Vec<Instance>, Input> {
        let n = self.n();
        if n == 0 {
            let problem = "a network needs at least one process";
            return Err(Input::new("n", n, problem, "use 1 or more"));
        }
        let all_orders = !matches!(self.sites, Sites::Given(..));
        if n > LARGEST_N && all_orders || n > 32 {
            let problem = "there are far too many schedules";
            let remedy = format!("use at most {LARGEST_N}, and --reduce above 5");
            return Err(Input::new("n", n, problem, remedy));
        }
        self.check()?;
        let first = self.algorithm.first_dense_id();
        let dense: Vec<Id> = (first..).take(n as usize).collect();
        let on_rings = self.algorithm.model.on == On::Rings;
        let sites: Vec<(Option<Edges>, Vec<Id>)> = match &self.sites {
            Sites::Given(_, ids) if on_rings => vec![(None, ids.clone())],
            Sites::Given(topology, ids) => vec![(Some(edges(topology, n)?), ids.clone())],
            Sites::Orders(..) | Sites::Every(_) if on_rings => {
                small::rings(n, first).into_iter().map(|ids| (None, ids)).collect()
            }
            Sites::Orders(topology, _) => {
                let all = small::relabelled(n, &edges(topology, n)?);
                all.into_iter().map(|edges| (Some(edges), dense.clone())).collect()
            }
            Sites::Every(_) if n > 6 => {
                let problem = "there are more than a million networks";
                return Err(Input::new("n", n, problem, "use at most 5"));
            }
            Sites::Every(_) => {
                let trees = self.algorithm.model.on == On::Trees;
                small::graphs(n, trees).map(|edges| (Some(edges), dense.clone())).collect()
            }
        };
        let sets = self.starts(n);
        let count = sites.len() as u128 * sets.len() as u128;
        if count > MOST {
            let problem = format!("there are {count} elections, each with all its schedules");
            return Err(Input::new("n", n, problem, "use a smaller n, or all initiators"));
        }
        let with = |(edges, ids): &(Option<Edges>, Vec<Id>)| {
            let graph = edges.as_ref().map(|edges| Graph::new(n, edges));
            let instance =
                Instance { edges: edges.clone(), graph, ids: ids.clone(), starts: Starts::All };
            sets.iter().map(move |starts| Instance { starts: starts.clone(), ..instance.clone() })
        };
        Ok(sites.iter().flat_map(with).collect())
    }

    /// All sets of starters among n nodes that are asked for, the smallest first.
    fn starts(&self, n: u32) -> Vec<Starts> {
        let size = match &self.sets {
            Sets::Named(Initiators::At(places)) => {
                return vec![Starts::at(places.keys().map(|&place| (place, 0)))];
            }
            Sets::Named(initiators) => initiators.count(u64::from(n)),
            Sets::Every => None,
        };
        let mut sets: Vec<u64> = match size {
            Some(size) if size == u64::from(n) => return vec![Starts::All],
            size => (1..1u64 << n)
                .filter(|set| size.is_none_or(|size| u64::from(set.count_ones()) == size))
                .collect(),
        };
        sets.sort_by_key(|set| set.count_ones());
        let members = |set: u64| (0..n).filter(move |place| set >> place & 1 == 1);
        let starts = |set: u64| match set.count_ones() == n {
            true => Starts::All,
            false => Starts::at(members(set).map(|place| (place, 0))),
        };
        sets.into_iter().map(starts).collect()
    }

    /// Tries every schedule of one of them.
    pub fn explore(
        &self,
        instance: &Instance,
        stop: &Stop,
        met: &dyn Fn(u64),
    ) -> Result<Explored, Ended> {
        instance.hold(stop, |election| {
            let asked = Explore::new(&self.algorithm, instance.graph.as_ref(), election);
            let Schedules { fifo, staggered, reduced, memory, .. } = *self;
            Explore { fifo, staggered, reduced, memory, ..asked }.run(met)
        })
    }
}

/// The edges of a network that is not drawn.
fn edges(topology: &Topology, n: u32) -> Result<Edges, Input> {
    topology.check(n)?;
    let words = &mut Key::new(1, "", 0, "", "").stream(0, Purpose::Graph);
    let graph = topology.graph(n, words)?;
    if graph.nodes() != n as usize {
        let problem = format!("the file names {} nodes", graph.nodes());
        return Err(Input::new("n", n, problem, "give every node an ID, and every node an edge"));
    }
    let nodes = 0..n;
    let edges = nodes.flat_map(|node| graph.neighbours(node).map(move |peer| (node, peer)));
    Ok(edges.filter(|(node, peer)| node < peer).collect())
}
