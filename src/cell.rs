//! A cell: everything that the runs of one experiment have in common, checked once, and how the
//! ring, the starts and the delays of a run are drawn from it.

use crate::algorithm::{self, Entry, Simulator};
use crate::count::{self, Ranked, Scratch};
use crate::error::{Error, Input, Result};
use crate::layout::{Ids, Layout, sparse_ids};
use crate::process::{Id, Widths};
use crate::random::{Key, Purpose};
use crate::record::Row;
use crate::simulate::{Election, Network, Outcome, Starts, Time};
use crate::theory::{Case, Certainty, Fact, Facts};
use crate::timing::{Initiators, Timing};

/// The only topology so far.
pub const RING: &str = "ring";

/// The largest ring: node numbers take 32 bits.
pub const LARGEST_N: u64 = u32::MAX as u64 - 1;

/// Everything that the runs of one cell have in common; valid by construction.
#[derive(Clone)]
pub struct Cell {
    /// The algorithm.
    pub algorithm: &'static Entry,
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
    /// The cell with these parts, if they fit together. `n` may be left out where the layout
    /// names the IDs.
    pub fn new(
        algorithm: &str,
        n: Option<u64>,
        layout: Layout,
        ids: Ids,
        initiators: Initiators,
        timing: Timing,
    ) -> Result<Self> {
        let algorithm = algorithm::named(algorithm)?;
        let own_ids = layout.own_ids()?;
        let ids = if own_ids.is_some() { Ids::Given } else { ids };
        let n = ring_size(n, own_ids.as_deref())?;
        initiators.check(u64::from(n))?;
        let cell = Cell { algorithm, n, layout, ids, initiators, timing, limit: None };
        cell.check_model()?;
        Ok(cell)
    }

    /// Refuses what the algorithm's model does not allow.
    fn check_model(&self) -> std::result::Result<(), Input> {
        let name = &self.algorithm.name;
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

    /// What theory says about this cell's messages, for rings in random order.
    pub fn facts(&self) -> Facts {
        let n = u64::from(self.n);
        let facts = (self.algorithm.facts)(&Case { n, initiators: self.initiators.count(n) });
        let schedule_matters = self.timing.delay.is_some()
            && self.algorithm.counter.is_none_or(|it| !it.holds.with_delays(self.timing.fifo));
        // The tables of algorithms that compute with IDs are about dense ones.
        let tabled = |fact: &Option<Fact>| {
            fact.as_ref().is_some_and(|fact| fact.certainty == Certainty::Enumerated)
        };
        let other_ids = self.algorithm.synchronous && self.ids != Ids::Dense && tabled(&facts.best);
        if schedule_matters || other_ids {
            // Only the upper bound holds whatever the schedule and the IDs.
            let bound = |fact: Fact| fact.known(Certainty::Bound);
            return Facts { worst: facts.worst.map(bound), ..Facts::default() };
        }
        facts
    }

    /// The IDs as they are named in tables: the list itself where they were given one by one.
    pub fn ids_text(&self) -> String {
        match &self.layout {
            Layout::Given(ids) => ids.iter().map(Id::to_string).collect::<Vec<_>>().join(","),
            _ => self.ids.to_string(),
        }
    }

    /// The command that repeats one run.
    pub fn command(&self, seed: u64, run: u64) -> String {
        let (program, name) = (algorithm::program(), &self.algorithm.name);
        let mut command = format!("{program} elect --algorithm {name}");
        let mut flag = |name: &str, value: &dyn std::fmt::Display, usual: &str| {
            let value = value.to_string();
            if value != usual {
                command += &format!(" --{name} {}", quoted(&value));
            }
        };
        match &self.layout {
            Layout::Given(_) => flag("ids", &self.ids_text(), ""),
            Layout::File(_) => flag("layout", &self.layout, ""),
            _ => {
                flag("n", &self.n, "");
                flag("layout", &self.layout, "random");
                flag("ids", &self.ids, "dense");
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

    /// Gets ready to draw runs with a master seed and to simulate them.
    pub fn prepare(&self, seed: u64) -> Result<Runs> {
        check_memory(self.n, SIMULATED_NODE_BYTES)?;
        self.prepare_checked(seed)
    }

    /// Gets ready to draw runs with a master seed and to count them, which takes less memory.
    pub fn prepare_to_count(&self, seed: u64) -> Result<Runs> {
        check_memory(self.n, COUNTED_NODE_BYTES)?;
        self.prepare_checked(seed)
    }

    fn prepare_checked(&self, seed: u64) -> Result<Runs> {
        let (layout, ids) = (self.layout.to_string(), self.ids.to_string());
        let mut runs = Runs {
            cell: self.clone(),
            seed,
            key: Key::new(seed, RING, u64::from(self.n), &layout, &ids),
            ranks: Vec::new(),
            values: Vec::new(),
            ids: Vec::new(),
            starts: Starts::All,
        };
        if let Some(own) = self.layout.own_ids()? {
            runs.take_ids(own);
        } else if !self.layout.is_random() {
            let mut words = runs.key.stream(0, Purpose::Ring);
            self.layout.ranks(self.n, self.algorithm, &mut words, &mut runs.ranks)?;
        }
        Ok(runs)
    }

    /// The most messages in one run; more is taken for an endless loop.
    pub fn message_limit(&self) -> u64 {
        self.limit.unwrap_or_else(|| usual_limit(self.n))
    }

    /// Whether the algorithm's counter gives what a simulation of this cell would give.
    pub fn has_counter(&self) -> bool {
        let Some(counter) = self.algorithm.counter else { return false };
        let holds = match self.timing.delay {
            None => true,
            Some(_) => counter.holds.with_delays(self.timing.fifo),
        };
        let late = match &self.initiators {
            Initiators::At(starts) => starts.values().any(|&time| time > 0),
            _ => false,
        };
        holds
            && !late
            && u64::from(self.n) <= count::LARGEST_N
            && (self.initiators.is_all(self.n) || counter.covers_some_starters())
    }
}

/// What a node takes in the engines, at most: its process and record, messages in four lanes or in
/// the calendar of events, its ID and rank.
const SIMULATED_NODE_BYTES: u64 = 160;

/// What a node takes in the counters, at most: its rank and their scratch.
const COUNTED_NODE_BYTES: u64 = 12;

/// Refuses a ring that does not fit into the memory that is free, before anything is allocated.
fn check_memory(n: u32, node_bytes: u64) -> std::result::Result<(), Input> {
    let needed = u64::from(n) * node_bytes;
    match available_memory() {
        Some(available) if needed > available => {
            let gib = |bytes: u64| bytes as f64 / (1u64 << 30) as f64;
            let problem = format!(
                "that takes about {:.1} GiB of memory, and {:.1} GiB are free",
                gib(needed),
                gib(available)
            );
            let remedy = format!("use at most {}, or a larger machine", available / node_bytes);
            Err(Input::new("n", n, problem, remedy))
        }
        _ => Ok(()),
    }
}

/// The memory that is free, in bytes, where the system tells.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// A word as the shell needs it.
fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || ",.:/@+-_".contains(c);
    if value.chars().all(plain) { value.to_owned() } else { format!("'{value}'") }
}

/// The number of nodes, from what was asked for and from the IDs that a layout names.
fn ring_size(n: Option<u64>, own_ids: Option<&[Id]>) -> std::result::Result<u32, Input> {
    let n = match (n, own_ids.map(|ids| ids.len() as u64)) {
        (Some(n), Some(own)) if n != own => {
            let problem = format!("the layout names {own} IDs");
            return Err(Input::new("n", n, problem, format!("leave n out or use {own}")));
        }
        (_, Some(own)) => own,
        (Some(n), None) => n,
        (None, None) => {
            let problem = "the size of the ring is missing";
            return Err(Input::new("n", "(nothing)", problem, "say how many nodes, as in --n 12"));
        }
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
    seed: u64,
    key: Key,
    /// The ranks of the IDs, clockwise.
    ranks: Vec<u32>,
    /// The IDs in ascending order, unless they are dense.
    values: Vec<Id>,
    /// The IDs, clockwise; filled in for simulations only.
    ids: Vec<Id>,
    starts: Starts,
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

    /// Takes IDs as they stand, clockwise.
    fn take_ids(&mut self, ids: Vec<Id>) {
        self.values = ids.clone();
        self.values.sort_unstable();
        let rank = |id| self.values.binary_search(id).map_or(0, |rank| rank as u32);
        self.ranks = ids.iter().map(rank).collect();
        self.ids = ids;
    }

    /// Draws run number `run`: where the IDs stand, which, and who starts.
    fn draw(&mut self, run: u64) -> std::result::Result<(), Input> {
        let Cell { n, ref layout, ids, ref initiators, algorithm, .. } = self.cell;
        if layout.is_random() || ids == Ids::Sparse {
            let mut words = self.key.stream(run, Purpose::Ring);
            if layout.is_random() {
                layout.ranks(n, algorithm, &mut words, &mut self.ranks)?;
            }
            if ids == Ids::Sparse {
                self.values = sparse_ids(n, &mut words);
            }
        }
        self.starts = initiators.draw(n, || self.key.stream(run, Purpose::Initiators));
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
        self.draw(run)?;
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        let by_rank = self.ids_by_rank();
        ids.extend(self.ranks.iter().map(|&rank| by_rank.of(rank)));
        self.ids = ids;
        let election = Election {
            ids: &self.ids,
            starts: &self.starts,
            limit: self.cell.message_limit(),
            coins: if self.cell.algorithm.model.flips_coins {
                self.key.stream(run, Purpose::Coins).word()
            } else {
                0
            },
        };
        let network = self.cell.timing.delay.map(|delay| Network {
            delay,
            fifo: self.cell.timing.fifo,
            words: self.key.stream(run, Purpose::Delays),
        });
        simulator.run(&election, network.as_ref()).map_err(|violation| Error::Violation {
            violation,
            command: self.cell.command(self.seed, run),
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
pub type Kinds = [u64; crate::process::MAX_KINDS];

/// More messages than any algorithm here can need: 16 n² and a few for small rings.
fn usual_limit(n: u32) -> u64 {
    u64::from(n).saturating_mul(u64::from(n)).saturating_mul(16).saturating_add(1024)
}
