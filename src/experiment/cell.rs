//! A cell: everything that the runs of one experiment have in common, checked once.

use std::fmt;
use std::sync::Arc;

use super::key::CellKey;
use super::layout::{Ids, Layout};
use super::memory;
use super::timing::{Initiators, Timing};
use crate::algorithm::{Law, On, count};
use crate::engine::Entry;
use crate::model::election::{Election, Starts};
use crate::model::error::Input;
use crate::model::escape;
use crate::model::metric::Metric;
use crate::model::process::Id;
use crate::model::random::Purpose;
use crate::model::theory::{Case, Facts};
use crate::model::topology::{Ports, Shape, Topology};

/// What is drawn anew for every run of a cell; all else is the same in all of its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draws {
    /// Where the IDs stand, or which.
    pub ring: bool,
    /// Who starts.
    pub initiators: bool,
    /// How long messages take.
    pub delays: bool,
    /// The coins of the participants.
    pub coins: bool,
    /// Who is whose neighbour.
    pub graph: bool,
}

impl Draws {
    /// Whether nothing is drawn, so that all runs are copies of one.
    pub fn nothing(self) -> bool {
        let Draws { ring, initiators, delays, coins, graph } = self;
        !(ring || initiators || delays || coins || graph)
    }

    pub(super) fn has(self, purpose: Purpose) -> bool {
        match purpose {
            Purpose::Ring => self.ring,
            Purpose::Initiators => self.initiators,
            Purpose::Delays => self.delays,
            Purpose::Coins => self.coins,
            Purpose::Graph => self.graph,
            // Elections lose nothing and have no timers.
            Purpose::Losses | Purpose::Timers => false,
        }
    }
}

/// The largest network: node numbers take 32 bits.
pub const LARGEST_N: u64 = u32::MAX as u64 - 1;

/// What a cell is made of besides its algorithm: what the user asks for, or the usual.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Who is whose neighbour.
    pub topology: Topology,
    /// The number of nodes; may be left out where a file or a list names them.
    pub n: Option<u64>,
    /// Where the IDs stand.
    pub layout: Layout,
    /// Which IDs.
    pub ids: Ids,
    /// Who starts.
    pub initiators: Initiators,
    /// How long messages take.
    pub timing: Timing,
    /// The most messages in one run; `None` for the usual limit against endless loops.
    pub limit: Option<u64>,
}

impl Default for Setting {
    /// Random rings of dense IDs on which everybody starts, in rounds; the size is still missing.
    fn default() -> Self {
        Setting {
            topology: Topology::Ring,
            n: None,
            layout: Layout::Random,
            ids: Ids::Dense,
            initiators: Initiators::All,
            timing: Timing::SYNC,
            limit: None,
        }
    }
}

impl Setting {
    /// The usual setting with `n` nodes.
    pub fn of(n: u64) -> Self {
        Setting { n: Some(n), ..Setting::default() }
    }

    /// An election on these IDs, node by node.
    pub fn given(ids: Vec<Id>) -> Self {
        Setting { layout: Layout::Given(ids), ids: Ids::Given, ..Setting::default() }
    }
}

/// Everything that the runs of one cell have in common; valid by construction.
#[derive(Clone)]
pub struct Cell {
    algorithm: Arc<Entry>,
    n: u32,
    /// As it was asked for, with the IDs that it has.
    setting: Setting,
    key: Arc<CellKey>,
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cell").field(&self.key.words()).finish()
    }
}

impl Cell {
    /// The cell of an algorithm in a setting, if they fit together.
    pub fn new(algorithm: &Arc<Entry>, setting: Setting) -> Result<Self, Input> {
        let Setting { topology, layout, .. } = &setting;
        match (topology.ids(), layout) {
            (Some(_), Layout::Assigned) => {}
            (Some(_), layout) => return Err(assigned("layout", layout, topology)),
            (None, Layout::Assigned) => {
                let problem = format!("{topology} assigns no IDs");
                return Err(Input::new("layout", layout, problem, "use random"));
            }
            (None, _) => {}
        }
        let nodes = topology.file().map(|file| file.graph.nodes() as u64);
        let own_ids = layout.own_ids().or(topology.ids());
        let ids = if own_ids.is_some() { Ids::Given } else { setting.ids };
        let n = size(setting.n, nodes, own_ids.map(|ids| ids.len() as u64))?;
        topology.check(n)?;
        setting.initiators.check(u64::from(n))?;
        layout.check(n)?;
        ids.check(n)?;
        let setting = Setting { ids, ..setting };
        check_model(algorithm, n, &setting)?;
        let key = Arc::new(key(algorithm, n, &setting));
        Ok(Cell { algorithm: algorithm.clone(), n, setting, key })
    }

    /// The algorithm.
    pub fn algorithm(&self) -> &Arc<Entry> {
        &self.algorithm
    }

    /// Who is whose neighbour.
    pub fn topology(&self) -> &Topology {
        &self.setting.topology
    }

    /// The number of nodes.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Where the IDs stand.
    pub fn layout(&self) -> &Layout {
        &self.setting.layout
    }

    /// Which IDs.
    pub fn ids(&self) -> Ids {
        self.setting.ids
    }

    /// Who starts.
    pub fn initiators(&self) -> &Initiators {
        &self.setting.initiators
    }

    /// How long messages take.
    pub fn timing(&self) -> Timing {
        self.setting.timing
    }

    /// What tells it from other cells.
    pub fn key(&self) -> &CellKey {
        &self.key
    }

    /// What is drawn anew for every run.
    pub fn draws(&self) -> Draws {
        Draws {
            ring: self.setting.layout.is_random() || self.setting.ids.is_random(),
            initiators: self.setting.initiators.is_random(self.n),
            delays: self.setting.timing.is_random(),
            coins: self.algorithm.model.flips_coins,
            graph: self.is_on_graph() && self.setting.topology.is_random(),
        }
    }

    /// Whether the algorithm runs on a graph; those of rings know left from right.
    pub fn is_on_graph(&self) -> bool {
        self.algorithm.model.on != On::Rings
    }

    /// What theory says about this cell's messages on rings in random order. On other networks
    /// the graph of each run has its own: [`Runs::facts`](super::runs::Runs::facts).
    pub fn facts(&self) -> Facts {
        self.facts_of(Metric::Messages)
    }

    /// The same about any metric.
    pub fn facts_of(&self, metric: Metric) -> Facts {
        if self.is_on_graph() {
            return Facts::default();
        }
        self.facts_in(metric, &self.setting.initiators.case(self.n.into()))
    }

    /// What theorems are asked about a run with this network (none on rings) and these starts.
    pub(crate) fn case(&self, shape: Option<Shape>, starts: &Starts) -> Case {
        let n = u64::from(self.n);
        let initiators = &self.setting.initiators;
        let Some(shape) = shape else { return initiators.case(n) };
        let initiators = match starts {
            Starts::All => Some(n),
            Starts::At(_) if initiators.has_late_starts() => None,
            Starts::At(starts) => Some(starts.len() as u64),
        };
        Case { shape, ..Case::ring(n, initiators) }
    }

    /// What theory says about a case that this cell may have, less what timing and IDs do not allow.
    pub(crate) fn facts_in(&self, metric: Metric, case: &Case) -> Facts {
        // Who has started is not known before the end if mail can come first.
        if self.setting.initiators.has_late_starts() && !self.is_on_graph() {
            return Facts::default();
        }
        self.algorithm.theory(metric, case).map(|fact| {
            let Timing { delay, fifo } = self.setting.timing;
            let in_time = delay.is_none() || fact.holds.with_delays(fifo);
            (in_time && (!fact.dense_ids || self.setting.ids == Ids::Dense)).then_some(fact)
        })
    }

    /// The algorithm's exact law of messages, where it is about this cell: everybody starts on random
    /// rings with dense IDs, and the delays, if there are any, change nothing.
    pub fn law(&self) -> Option<Law> {
        let Setting { layout, ids, initiators, timing, .. } = &self.setting;
        let in_time = timing.delay.is_none()
            || self.algorithm.counts_hold().is_some_and(|holds| holds.with_delays(timing.fifo));
        let applies = matches!(layout, Layout::Random)
            && *ids == Ids::Dense
            && initiators.is_all(self.n)
            && !initiators.has_late_starts()
            && in_time;
        self.algorithm.law.filter(|_| applies)
    }

    /// The command that repeats one run.
    pub fn command(&self, seed: u64, run: u64) -> String {
        let (program, name) = (escape::shell(self.algorithm.program()), &self.algorithm.name);
        let mut command = format!("{program} elect --algorithm {name}");
        let mut flag = |name: &str, value: &dyn fmt::Display, usual: &str| {
            let value = value.to_string();
            if value != usual {
                command += &format!(" --{name} {}", escape::shell(&value));
            }
        };
        flag("topology", &self.setting.topology, "ring");
        match &self.setting.layout {
            Layout::Given(_) => flag("ids", &self.key.ids, ""),
            Layout::File(_) => flag("layout", &self.setting.layout, ""),
            Layout::Assigned => {}
            _ => {
                if !matches!(self.setting.topology, Topology::File(_)) {
                    flag("n", &self.n, "");
                }
                flag("layout", &self.setting.layout, "random");
                if self.setting.ids != Ids::Given {
                    flag("ids", &self.setting.ids, "dense");
                }
            }
        }
        flag("initiators", &self.setting.initiators, "all");
        flag("timing", &self.setting.timing, "sync");
        if let Some(limit) = self.setting.limit {
            flag("limit", &limit, "");
        }
        flag("seed", &seed, "1");
        flag("run", &run, "0");
        command
    }

    /// Refuses a network that one thread cannot simulate in the memory that is free, before
    /// anything is allocated. A plan does so for all its cells and threads:
    /// [`Plan::check_memory`](crate::experiment::plan::Plan::check_memory).
    pub fn check_memory(&self) -> Result<(), Input> {
        match memory::free() {
            Some(free) => memory::check(self.n, |n| self.bytes_to_simulate(n), free),
            None => Ok(()),
        }
    }

    /// About how many bytes a thread takes that simulates this cell with `n` nodes.
    pub(crate) fn bytes_to_simulate(&self, n: u32) -> u64 {
        let links = match self.is_on_graph() {
            true => 2.0 * self.setting.topology.about_edges(u64::from(n)),
            false => 0.0,
        };
        let node_bytes = self.algorithm.node_bytes + self.id_bytes();
        // A float, because a complete network has too many links for 64 bits of bytes.
        (f64::from(n) * node_bytes as f64 + links * LINK_BYTES) as u64
    }

    /// The same for a thread that counts.
    #[cfg(feature = "batch")]
    pub(crate) fn bytes_to_count(&self, n: u32) -> u64 {
        u64::from(n) * (COUNTED_NODE_BYTES + self.id_bytes())
    }

    /// What the list of IDs takes by node, unless they are dense.
    fn id_bytes(&self) -> u64 {
        if self.setting.ids == Ids::Dense { 0 } else { size_of::<Id>() as u64 }
    }

    /// The most messages in one run on a network with so many edges; more is taken for an endless
    /// loop.
    pub fn message_limit(&self, edges: u64) -> u64 {
        self.setting.limit.unwrap_or_else(|| Election::usual_limit(u64::from(self.n), edges))
    }

    /// Whether the algorithm's counter gives what a simulation of this cell would give.
    pub fn has_counter(&self) -> bool {
        let Some(counter) = self.algorithm.counter else { return false };
        let Some(holds) = self.algorithm.counts_hold() else { return false };
        let Setting { initiators, timing, .. } = &self.setting;
        (timing.delay.is_none() || holds.with_delays(timing.fifo))
            && !initiators.has_late_starts()
            && u64::from(self.n) <= count::LARGEST_N
            && (initiators.is_all(self.n) || counter.covers_some_starters())
    }
}

/// What a directed link takes: itself, its state in a process and in the engine, a message.
const LINK_BYTES: f64 = 64.0;

/// What a node takes in the counters, at most: its rank and their scratch.
#[cfg(feature = "batch")]
const COUNTED_NODE_BYTES: u64 = 12;

/// Refuses what the algorithm's model does not allow.
fn check_model(algorithm: &Entry, n: u32, setting: &Setting) -> Result<(), Input> {
    let Entry { name, model, .. } = algorithm;
    let Setting { topology, initiators, timing, .. } = setting;
    let is_tree = topology.is_tree(n);
    let refused = match model.on {
        On::Rings if *topology != Topology::Ring => Some(("rings", "ring")),
        On::Trees if !is_tree => Some(("trees", "a tree such as random-tree")),
        On::Cliques if !topology.is_complete(n) => Some(("complete networks", "complete")),
        _ => None,
    };
    if let Some((home, remedy)) = refused {
        let problem = format!("{name} runs on {home} only");
        return Err(Input::new("topology", topology, problem, format!("use {remedy}")));
    }
    if model.counts_to_ids {
        check_countable(name, n, setting)?;
    }
    if model.needs_all && !initiators.is_all(n) {
        let problem = format!("{name} needs everybody to start at time 0");
        return Err(Input::new("initiators", initiators, problem, "use all"));
    }
    if algorithm.synchronous && timing.delay.is_some() {
        let problem = format!("{name} needs synchronous rounds");
        return Err(Input::new("timing", *timing, problem, "use sync"));
    }
    if model.needs_fifo && !timing.fifo {
        let problem = format!("{name} needs links that keep the order of messages");
        return Err(Input::new("fifo", "false", problem, "leave FIFO on"));
    }
    Ok(())
}

/// Refuses IDs that nobody can count to, one message after the other.
fn check_countable(name: &str, n: u32, setting: &Setting) -> Result<(), Input> {
    if setting.ids == Ids::Sparse {
        let problem = format!("{name} counts up to its IDs, and sparse ones have 64 bits");
        return Err(Input::new("ids", setting.ids, problem, "use dense"));
    }
    let ids = setting.layout.own_ids().or(setting.topology.ids()).unwrap_or_default();
    if ids.contains(&0) {
        let problem = format!("{name} counts up to its IDs, and nobody counts to 0");
        return Err(Input::new("ids", 0, problem, "use IDs from 1 on"));
    }
    // Everybody counts to the largest ID on either side, and passes on one message more.
    let n = u64::from(n);
    let limit = setting.limit.unwrap_or_else(|| Election::usual_limit(n, n));
    let largest = (limit / n).saturating_sub(1) / 2;
    match ids.iter().max() {
        Some(&id) if id > largest => {
            let problem = format!("{name} counts up to its IDs, and that exceeds {limit} messages");
            let remedy = format!("use IDs up to {largest}, or a larger limit");
            Err(Input::new("ids", id, problem, remedy))
        }
        _ => Ok(()),
    }
}

/// What tells a cell from others.
fn key(algorithm: &Entry, n: u32, setting: &Setting) -> CellKey {
    let Setting { topology, layout, ids, initiators, timing, .. } = setting;
    CellKey {
        algorithm: algorithm.name.clone(),
        topology: topology.to_string(),
        layout: layout.to_string(),
        // The list itself where they were given one by one.
        ids: match layout {
            Layout::Given(ids) => ids.iter().map(Id::to_string).collect::<Vec<_>>().join(","),
            _ => ids.to_string(),
        },
        initiators: initiators.to_string(),
        timing: timing.to_string(),
        n,
    }
}

/// The error for a layout or IDs asked for beside those that the file of a topology assigns.
pub(crate) fn assigned(field: &str, value: impl fmt::Display, topology: &Topology) -> Input {
    let problem = format!("{topology} assigns IDs to its nodes, and they stay where it puts them");
    Input::new(field, value, problem, format!("leave {field} out, or remove the file's id lines"))
}

/// The number of nodes: what was asked for, what a file of edges names, and how many IDs are given,
/// which must agree.
fn size(n: Option<u64>, nodes: Option<u64>, own_ids: Option<u64>) -> Result<u32, Input> {
    let named = [(own_ids, "the layout names", "IDs"), (nodes, "the file names", "nodes")];
    let known = n.or(nodes).or(own_ids);
    for (count, who, what) in named {
        if let (Some(n), Some(count)) = (known, count)
            && n != count
        {
            let problem = format!("{who} {count} {what}");
            return Err(Input::new("n", n, problem, format!("leave n out or use {count}")));
        }
    }
    let Some(n) = known else {
        let problem = "the number of nodes is missing";
        return Err(Input::new("n", "(nothing)", problem, "say how many nodes, as in --n 12"));
    };
    match u32::try_from(n) {
        Ok(0) => {
            let problem = "a ring needs at least one process";
            Err(Input::new("n", n, problem, "use 1 or more"))
        }
        Ok(n) if u64::from(n) <= LARGEST_N => Ok(n),
        _ => {
            let problem = "that is more nodes than can be numbered";
            Err(Input::new("n", n, problem, format!("use at most {LARGEST_N}")))
        }
    }
}
