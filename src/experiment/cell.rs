//! A cell: everything that the runs of one experiment have in common, checked once, and how the
//! ring, the starts and the delays of a run are drawn from it.

use super::error::{Error, Result};
use super::layout::{Ids, Layout, sparse_ids};
use super::memory;
use super::timing::{Initiators, Timing};
use crate::algorithm::On;
use crate::algorithm::count::{self, Ranked, Scratch};
use crate::engine::{Entry, Simulator};
use crate::model::election::{Election, Network, Starts};
use crate::model::error::Input;
use crate::model::escape;
use crate::model::outcome::{Outcome, Row, Time};
use crate::model::process::{Id, Widths};
use crate::model::random::{Key, Purpose, Stream};
use crate::model::stop::{NEVER, Stop};
use crate::model::theory::{Case, Facts};
use crate::model::topology::{Graph, Ports, Shape, Topology};
use crate::model::violation::Violation;

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

    fn has(self, purpose: Purpose) -> bool {
        match purpose {
            Purpose::Ring => self.ring,
            Purpose::Initiators => self.initiators,
            Purpose::Delays => self.delays,
            Purpose::Coins => self.coins,
            Purpose::Graph => self.graph,
        }
    }
}

/// The largest network: node numbers take 32 bits.
pub const LARGEST_N: u64 = u32::MAX as u64 - 1;

/// Everything that the runs of one cell have in common; valid by construction.
#[derive(Clone)]
pub struct Cell {
    /// The algorithm.
    pub algorithm: &'static Entry,
    /// Who is whose neighbour.
    pub topology: Topology,
    /// The number of nodes.
    pub n: u32,
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

impl Cell {
    /// The cell with these parts on a ring, if they fit together. `n` may be left out where the
    /// layout names the IDs.
    pub fn new(
        algorithm: &str,
        n: Option<u64>,
        layout: Layout,
        ids: Ids,
        initiators: Initiators,
        timing: Timing,
    ) -> Result<Self> {
        Cell::on(Topology::Ring, algorithm, n, layout, ids, initiators, timing)
    }

    /// The cell with these parts on any network. `n` may be left out where a file names the nodes.
    pub fn on(
        topology: Topology,
        algorithm: &str,
        n: Option<u64>,
        layout: Layout,
        ids: Ids,
        initiators: Initiators,
        timing: Timing,
    ) -> Result<Self> {
        let algorithm = crate::engine::registry::named(algorithm)?;
        match (topology.ids(), &layout) {
            (Some(_), Layout::Assigned) => {}
            (Some(_), layout) => return Err(assigned("layout", layout, &topology).into()),
            (None, Layout::Assigned) => {
                let problem = format!("{topology} assigns no IDs");
                return Err(Input::new("layout", layout, problem, "use random").into());
            }
            (None, _) => {}
        }
        let nodes = topology.file().map(|file| file.graph.nodes() as u64);
        let own_ids = layout.own_ids().or(topology.ids());
        let ids = if own_ids.is_some() { Ids::Given } else { ids };
        let n = size(n, nodes, own_ids.map(|ids| ids.len() as u64))?;
        topology.check(n)?;
        initiators.check(u64::from(n))?;
        layout.check(n)?;
        let cell = Cell { algorithm, topology, n, layout, ids, initiators, timing, limit: None };
        cell.check_model()?;
        Ok(cell)
    }

    /// What is drawn anew for every run.
    pub fn draws(&self) -> Draws {
        Draws {
            ring: self.layout.is_random() || self.ids == Ids::Sparse,
            initiators: self.initiators.is_random(self.n),
            delays: self.timing.is_random(),
            coins: self.algorithm.model.flips_coins,
            graph: self.is_on_graph() && self.topology.is_random(),
        }
    }

    /// Whether the algorithm runs on a graph; those of rings know left from right.
    pub fn is_on_graph(&self) -> bool {
        self.algorithm.model.on != On::Rings
    }

    /// Refuses what the algorithm's model does not allow.
    fn check_model(&self) -> std::result::Result<(), Input> {
        let name = &self.algorithm.name;
        let is_tree = self.topology.is_tree(self.n);
        let refused = match self.algorithm.model.on {
            On::Rings if self.topology != Topology::Ring => Some(("rings", "ring")),
            On::Trees if !is_tree => Some(("trees", "a tree such as random-tree")),
            _ => None,
        };
        if let Some((home, remedy)) = refused {
            let problem = format!("{name} runs on {home} only");
            return Err(Input::new("topology", &self.topology, problem, format!("use {remedy}")));
        }
        if self.algorithm.model.needs_all && !self.initiators.is_all(self.n) {
            let problem = format!("{name} needs everybody to start at time 0");
            return Err(Input::new("initiators", &self.initiators, problem, "use all"));
        }
        if self.algorithm.synchronous && self.timing.delay.is_some() {
            let problem = format!("{name} needs synchronous rounds");
            return Err(Input::new("timing", self.timing, problem, "use sync"));
        }
        if self.algorithm.model.needs_fifo && !self.timing.fifo {
            let problem = format!("{name} needs links that keep the order of messages");
            return Err(Input::new("fifo", "false", problem, "leave FIFO on"));
        }
        Ok(())
    }

    /// What theory says about this cell's messages on rings in random order. On other networks
    /// the graph of each run has its own: [`Runs::facts`].
    pub fn facts(&self) -> Facts {
        if self.is_on_graph() {
            return Facts::default();
        }
        let n = u64::from(self.n);
        self.facts_in(&Case::ring(n, self.initiators.count(n)))
    }

    /// What theory says about a case that this cell may have, less what timing and IDs do not allow.
    fn facts_in(&self, case: &Case) -> Facts {
        // Who has started is not known before the end if mail can come first.
        if self.initiators.has_late_starts() && !self.is_on_graph() {
            return Facts::default();
        }
        (self.algorithm.facts)(case).map(|fact| {
            let in_time = self.timing.delay.is_none() || fact.holds.with_delays(self.timing.fifo);
            (in_time && (!fact.dense_ids || self.ids == Ids::Dense)).then_some(fact)
        })
    }

    /// The IDs as they are named in tables: the list itself where they were given one by one.
    pub fn ids_text(&self) -> String {
        match &self.layout {
            Layout::Given(ids) => ids.iter().map(Id::to_string).collect::<Vec<_>>().join(","),
            _ => self.ids.to_string(),
        }
    }

    /// The columns that tell it from other cells, in the order of the rows.
    pub fn columns(&self) -> [String; 7] {
        let Cell { algorithm, topology, n, layout, initiators, timing, .. } = self;
        [
            algorithm.name.clone(),
            topology.to_string(),
            layout.to_string(),
            self.ids_text(),
            initiators.to_string(),
            timing.to_string(),
            n.to_string(),
        ]
    }

    /// The command that repeats one run.
    pub fn command(&self, seed: u64, run: u64) -> String {
        let (program, name) =
            (escape::shell(crate::engine::registry::program()), &self.algorithm.name);
        let mut command = format!("{program} elect --algorithm {name}");
        let mut flag = |name: &str, value: &dyn std::fmt::Display, usual: &str| {
            let value = value.to_string();
            if value != usual {
                command += &format!(" --{name} {}", escape::shell(&value));
            }
        };
        flag("topology", &self.topology, "ring");
        match &self.layout {
            Layout::Given(_) => flag("ids", &self.ids_text(), ""),
            Layout::File(_) => flag("layout", &self.layout, ""),
            Layout::Assigned => {}
            _ => {
                if !matches!(self.topology, Topology::File(_)) {
                    flag("n", &self.n, "");
                }
                flag("layout", &self.layout, "random");
                if self.ids != Ids::Given {
                    flag("ids", &self.ids, "dense");
                }
            }
        }
        flag("initiators", &self.initiators, "all");
        flag("timing", &self.timing, "sync");
        if let Some(limit) = self.limit {
            flag("limit", &limit, "");
        }
        flag("seed", &seed, "1");
        flag("run", &run, "0");
        command
    }

    /// Refuses a network that one thread cannot simulate in the memory that is free, before
    /// anything is allocated. A plan does so for all its cells and threads:
    /// [`Plan::check_memory`](crate::experiment::plan::Plan::check_memory).
    pub fn check_memory(&self) -> Result<()> {
        match memory::free() {
            Some(free) => Ok(memory::check(self.n, |n| self.bytes_to_simulate(n), free)?),
            None => Ok(()),
        }
    }

    /// About how many bytes a thread takes that simulates this cell with `n` nodes.
    pub(crate) fn bytes_to_simulate(&self, n: u32) -> u64 {
        let links = match self.is_on_graph() {
            true => 2.0 * self.topology.about_edges(u64::from(n)),
            false => 0.0,
        };
        let node_bytes = self.algorithm.node_bytes + self.id_bytes();
        // A float, because a complete network has too many links for 64 bits of bytes.
        (f64::from(n) * node_bytes as f64 + links * LINK_BYTES) as u64
    }

    /// The same for a thread that counts.
    pub(crate) fn bytes_to_count(&self, n: u32) -> u64 {
        u64::from(n) * (COUNTED_NODE_BYTES + self.id_bytes())
    }

    /// What the list of IDs takes by node, unless they are dense.
    fn id_bytes(&self) -> u64 {
        if self.ids == Ids::Dense { 0 } else { size_of::<Id>() as u64 }
    }

    /// Gets ready to draw runs with a master seed.
    pub fn prepare(&self, seed: u64) -> Result<Runs> {
        let [topology, layout] = [self.topology.to_string(), self.layout.to_string()];
        let ids = self.ids.to_string();
        let mut runs = Runs {
            cell: self.clone(),
            draws: self.draws(),
            seed,
            key: Key::new(seed, &topology, u64::from(self.n), &layout, &ids),
            ranks: Vec::new(),
            values: Vec::new(),
            ids: Vec::new(),
            starts: Starts::All,
            graph: None,
        };
        if let Some(own) = self.layout.own_ids().or(self.topology.ids()) {
            runs.take_ids(own);
        } else if !self.layout.is_random() {
            let mut words = runs.words(0, Purpose::Ring);
            self.layout.ranks(self.n, self.algorithm, &mut words, &mut runs.ranks)?;
        }
        Ok(runs)
    }

    /// The most messages in one run on a network with so many edges; more is taken for an endless
    /// loop. Usually more than any algorithm here can need: 16 n² on rings, 16 n E on graphs with
    /// more edges than nodes, and a few for small ones.
    pub fn message_limit(&self, edges: u64) -> u64 {
        let n = u64::from(self.n);
        let usual = n.saturating_mul(edges.max(n)).saturating_mul(16).saturating_add(1024);
        self.limit.unwrap_or(usual)
    }

    /// Whether the algorithm's counter gives what a simulation of this cell would give.
    pub fn has_counter(&self) -> bool {
        let Some(counter) = self.algorithm.counter else { return false };
        let holds = match self.timing.delay {
            None => true,
            Some(_) => counter.holds.with_delays(self.timing.fifo),
        };
        holds
            && !self.initiators.has_late_starts()
            && u64::from(self.n) <= count::LARGEST_N
            && (self.initiators.is_all(self.n) || counter.covers_some_starters())
    }
}

/// What a directed link takes: itself, its state in a process and in the engine, a message.
const LINK_BYTES: f64 = 64.0;

/// What a node takes in the counters, at most: its rank and their scratch.
const COUNTED_NODE_BYTES: u64 = 12;

/// The error for a layout or IDs asked for beside those that the file of a topology assigns.
pub(crate) fn assigned(field: &str, value: impl std::fmt::Display, topology: &Topology) -> Input {
    let problem = format!("{topology} assigns IDs to its nodes, and they stay where it puts them");
    Input::new(field, value, problem, format!("leave {field} out, or remove the file's id lines"))
}

/// The number of nodes: what was asked for, what a file of edges names, and how many IDs are given,
/// which must agree.
fn size(
    n: Option<u64>,
    nodes: Option<u64>,
    own_ids: Option<u64>,
) -> std::result::Result<u32, Input> {
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

/// The runs of a cell: draws one after another into the same buffers.
pub struct Runs {
    cell: Cell,
    draws: Draws,
    seed: u64,
    key: Key,
    /// The ranks of the IDs, clockwise.
    ranks: Vec<u32>,
    /// The IDs in ascending order, unless they are dense.
    values: Vec<Id>,
    /// The IDs, clockwise; filled in for simulations only.
    ids: Vec<Id>,
    starts: Starts,
    /// The network, for algorithms on graphs.
    graph: Option<Graph>,
}

impl Runs {
    /// The cell that these are runs of.
    pub fn cell(&self) -> &Cell {
        &self.cell
    }

    /// The IDs of the ring that was simulated last, clockwise.
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// Who starts in the run that was drawn last.
    pub fn starts(&self) -> &Starts {
        &self.starts
    }

    /// The network of the run that was drawn last, for algorithms on graphs.
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_ref()
    }

    /// Draws run number `run` without holding its election, and says what theory knows about it.
    pub fn theory(&mut self, run: u64) -> Result<(Case, Facts)> {
        self.draw(run)?;
        let case = self.case();
        Ok((case, self.cell.facts_in(&case)))
    }

    /// What theory says about the run that was drawn last.
    pub fn facts(&self) -> Facts {
        self.cell.facts_in(&self.case())
    }

    fn case(&self) -> Case {
        let n = u64::from(self.cell.n);
        let Some(graph) = &self.graph else {
            return Case::ring(n, self.cell.initiators.count(n));
        };
        let initiators = match &self.starts {
            Starts::All => Some(n),
            Starts::At(_) if self.cell.initiators.has_late_starts() => None,
            Starts::At(starts) => Some(starts.len() as u64),
        };
        // Far from cheap, so only where it is known anyway.
        let diameter = self.cell.algorithm.model.knows_diameter.then(|| graph.diameter());
        let shape = Shape { edges: graph.edges(), leaves: graph.leaves(), diameter };
        Case { n, initiators, shape }
    }

    /// The random words of a run for one purpose. What is not drawn anew for every run has the same
    /// words in all of them, so [`Cell::draws`] is true whatever is done with them.
    fn words(&self, run: u64, purpose: Purpose) -> Stream {
        self.key.stream(if self.draws.has(purpose) { run } else { 0 }, purpose)
    }

    /// Takes IDs as they stand, clockwise.
    fn take_ids(&mut self, ids: &[Id]) {
        self.values = ids.to_vec();
        self.values.sort_unstable();
        let rank = |id| self.values.binary_search(id).map_or(0, |rank| rank as u32);
        self.ranks = ids.iter().map(rank).collect();
        self.ids = ids.to_vec();
    }

    /// Draws run number `run`: where the IDs stand, which, and who starts.
    fn draw(&mut self, run: u64) -> Result<()> {
        let Cell { n, ref topology, ref layout, ids, ref initiators, algorithm, .. } = self.cell;
        if self.draws.graph || (self.cell.is_on_graph() && self.graph.is_none()) {
            self.graph = Some(topology.graph(n, &mut self.words(run, Purpose::Graph))?);
        }
        if self.draws.ring {
            let mut words = self.words(run, Purpose::Ring);
            if layout.is_random() {
                layout.ranks(n, algorithm, &mut words, &mut self.ranks)?;
            }
            if ids == Ids::Sparse {
                self.values = sparse_ids(n, &mut words);
            }
        }
        self.starts = initiators.draw(n, || self.words(run, Purpose::Initiators));
        Ok(())
    }

    /// The IDs behind the ranks.
    fn ids_by_rank(&self) -> count::Ids<'_> {
        match self.cell.ids {
            Ids::Dense => {
                count::Ids::Dense(Id::from(!self.cell.algorithm.model.elects.smallest_wins()))
            }
            Ids::Sparse | Ids::Given => count::Ids::Sorted(&self.values),
        }
    }

    /// Draws run number `run` and simulates it, message by message.
    pub fn simulate(&mut self, run: u64, simulator: &mut dyn Simulator) -> Result<Outcome> {
        self.simulate_unless(&NEVER, run, simulator)
    }

    /// The same, unless somebody asks to stop.
    pub fn simulate_unless(
        &mut self,
        stop: &Stop,
        run: u64,
        simulator: &mut dyn Simulator,
    ) -> Result<Outcome> {
        self.draw(run)?;
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        let by_rank = self.ids_by_rank();
        ids.extend(self.ranks.iter().map(|&rank| by_rank.of(rank)));
        self.ids = ids;
        let edges = self.graph.as_ref().map_or(u64::from(self.cell.n), Graph::edges);
        let election = Election {
            ids: &self.ids,
            starts: &self.starts,
            limit: self.cell.message_limit(edges),
            coins: if self.cell.algorithm.model.flips_coins {
                self.words(run, Purpose::Coins).word()
            } else {
                0
            },
            stop,
        };
        let network = self.cell.timing.delay.map(|delay| Network {
            delay,
            fifo: self.cell.timing.fifo,
            words: self.words(run, Purpose::Delays),
        });
        let outcome = match &self.graph {
            Some(graph) => simulator.run_on(graph, &election, network.as_ref()),
            None => simulator.run(&election, network.as_ref()),
        };
        outcome.map_err(|violation| match violation {
            Violation::Stopped => Error::Interrupted,
            violation => {
                let command = self.cell.command(self.seed, run);
                Error::Violation { violation, cell: Box::new(self.cell.columns()), command }
            }
        })
    }

    /// Draws run number `run` and counts it; gives its row and its messages by kind.
    pub fn count(&mut self, run: u64, scratch: &mut Scratch) -> Result<(Row, Kinds)> {
        self.draw(run)?;
        let entry = self.cell.algorithm;
        let ids = self.ids_by_rank();
        let ring = Ranked { ranks: &self.ranks, ids, starts: &self.starts };
        let counted = entry.counter.and_then(|counter| (counter.count)(&ring, scratch));
        let Some(count) = counted else {
            // The only case that a plan cannot foresee: the clock overflows.
            let problem = "the clock of this run cannot be held, so it cannot be counted";
            let remedy = "use smaller IDs, or engine = simulate to see where it ends";
            return Err(Input::new("engine", "count", problem, remedy).into());
        };
        // Under delays a counter knows the numbers that no schedule can change, not the times.
        let in_rounds = self.cell.timing.delay.is_none();
        let time = |rounds: Option<u64>| rounds.filter(|_| in_rounds).map(Time::Rounds);
        let widths = Widths::new(u64::from(self.cell.n), ids.of(self.cell.n - 1));
        let row = Row {
            run,
            messages: count.messages(),
            bits: (entry.bits)(&count.kinds, &widths),
            time: time(count.time),
            end: time(count.end),
            rounds: count.rounds,
            max_node_messages: count.max_node_messages.filter(|_| in_rounds),
            leader: Some(ids.of(count.leader)),
        };
        Ok((row, count.kinds))
    }
}

/// Messages by kind.
pub type Kinds = [u64; crate::model::process::MAX_KINDS];
