//! A cell: everything that the runs of one experiment have in common, checked once, and how the
//! ring, the starts and the delays of a run are drawn from it.

use crate::algorithm::{self, Entry, Simulator};
use crate::error::{Error, Input, Result};
use crate::layout::{Ids, Layout, sparse_ids};
use crate::process::Id;
use crate::random::{Key, Purpose};
use crate::simulate::{Election, Network, Outcome, Starts};
use crate::theory::{Case, Facts};
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
        initiators.check(n)?;
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

    /// What theory says about this cell's messages.
    pub fn facts(&self) -> Facts {
        let n = u64::from(self.n);
        (self.algorithm.facts)(&Case { n, initiators: self.initiators.count(n) })
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
        let mut command = format!("hustings elect --algorithm {}", self.algorithm.name);
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

    /// Gets ready to draw runs with a master seed.
    pub fn prepare(&self, seed: u64) -> Result<Runs> {
        let key = Key::new(
            seed,
            RING,
            u64::from(self.n),
            &self.layout.to_string(),
            &self.ids.to_string(),
        );
        let own_ids = self.layout.own_ids()?;
        let mut runs = Runs {
            cell: self.clone(),
            seed,
            key,
            fixed: false,
            ranks: Vec::new(),
            ids: own_ids.unwrap_or_default(),
            starts: Starts::All,
        };
        // Finds out now whether the layout exists, and draws what does not change.
        runs.draw_ring(0)?;
        runs.fixed = !self.layout.is_random() && self.ids != Ids::Sparse;
        Ok(runs)
    }
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
    /// Whether all runs have the ring that is already there.
    fixed: bool,
    ranks: Vec<u32>,
    ids: Vec<Id>,
    starts: Starts,
}

impl Runs {
    /// The cell that these are runs of.
    pub fn cell(&self) -> &Cell {
        &self.cell
    }

    /// The IDs of the ring that was drawn last, clockwise.
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// Who starts in the run that was drawn last.
    pub fn starts(&self) -> &Starts {
        &self.starts
    }

    fn draw_ring(&mut self, run: u64) -> std::result::Result<(), Input> {
        if self.fixed || self.cell.ids == Ids::Given {
            return Ok(());
        }
        let Cell { n, ref layout, algorithm, .. } = self.cell;
        let mut words = self.key.stream(run, Purpose::Ring);
        layout.ranks(n, algorithm, &mut words, &mut self.ranks)?;
        self.ids.clear();
        match self.cell.ids {
            Ids::Sparse => {
                let values = sparse_ids(n, &mut words);
                self.ids.extend(self.ranks.iter().map(|&rank| values[rank as usize]));
            }
            _ => {
                let first = Id::from(!algorithm.model.elects.smallest_wins());
                self.ids.extend(self.ranks.iter().map(|&rank| Id::from(rank) + first));
            }
        }
        Ok(())
    }

    /// Draws run number `run`.
    pub fn draw(&mut self, run: u64) -> Result<()> {
        self.draw_ring(run)?;
        let mut words = self.key.stream(run, Purpose::Initiators);
        self.starts = self.cell.initiators.draw(self.cell.n, &mut words);
        Ok(())
    }

    /// Draws run number `run` and simulates it, message by message.
    pub fn simulate(&mut self, run: u64, simulator: &mut dyn Simulator) -> Result<Outcome> {
        self.draw(run)?;
        let election = Election {
            ids: &self.ids,
            starts: &self.starts,
            limit: self.cell.limit.unwrap_or_else(|| usual_limit(self.cell.n)),
            coins: self.key.stream(run, Purpose::Coins).word(),
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
}

/// More messages than any algorithm here can need: 16 n² and a few for small rings.
fn usual_limit(n: u32) -> u64 {
    u64::from(n).saturating_mul(u64::from(n)).saturating_mul(16).saturating_add(1024)
}
