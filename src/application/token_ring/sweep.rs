//! Many runs for each of several timers and variants.

use super::clock::{Moment, Span};
use super::outcome::Outcome;
use super::setting::{Hop, Losses, Setting, Variant};
use super::simulate::{Watch, run};
use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::{Key, Purpose};
use crate::model::stop::Stop;

/// What many runs have in common, and what differs between cells: variant and timer.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The master seed.
    pub seed: u64,
    /// How many runs each cell has.
    pub runs: u64,
    /// How many nodes there are.
    pub n: u64,
    /// The IDs clockwise; drawn for each run if they are not given.
    pub ids: Option<Vec<Id>>,
    /// How long the token takes from node to node.
    pub hop: Hop,
    /// The timers.
    pub timers: Vec<Span>,
    /// The rules.
    pub variants: Vec<Variant>,
    /// As in [`Setting`].
    pub live: bool,
    /// As in [`Setting`].
    pub retry_after: Option<Moment>,
    /// As in [`Setting`].
    pub lose: Losses,
    /// As in [`Setting`].
    pub lose_election: Losses,
    /// When every run ends.
    pub until: Moment,
}

/// A variant with a timer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The rules.
    pub variant: Variant,
    /// The timer.
    pub timer: Span,
}

impl Sweep {
    /// Its cells, variant by variant, timers as they were given.
    pub fn cells(&self) -> Vec<Cell> {
        let timers = |&variant: &Variant| {
            self.timers.iter().map(move |&timer| Cell { variant, timer }).collect::<Vec<_>>()
        };
        self.variants.iter().flat_map(timers).collect()
    }

    /// How long the token takes for a rotation, on average.
    pub fn rotation(&self) -> Moment {
        self.hop.rotation(self.n)
    }

    /// What chance has its words from. All cells of a sweep meet the same rings.
    pub fn key(&self) -> Key {
        Key::new(self.seed, "token-ring", self.n, "random", "dense")
    }

    /// A run of a cell, with its IDs.
    pub fn setting(&self, cell: Cell, run: u64) -> Setting {
        let drawn = || {
            let mut ids: Vec<Id> = (1..=self.n).collect();
            self.key().stream(run, Purpose::Ring).shuffle(&mut ids);
            ids
        };
        Setting {
            ids: self.ids.clone().unwrap_or_else(drawn),
            hop: self.hop,
            timer: cell.timer,
            variant: cell.variant,
            live: self.live,
            retry_after: self.retry_after,
            lose: self.lose.clone(),
            lose_election: self.lose_election.clone(),
            until: self.until,
        }
    }

    /// Does a run of a cell.
    pub fn run(&self, cell: Cell, number: u64, stop: &Stop, watch: Watch<'_>) -> Result<Outcome> {
        run(&self.setting(cell, number), &self.key(), number, stop, watch)
    }

    /// Refuses what cannot be run.
    pub fn check(&self) -> Result<(), Input> {
        const MOST_NODES: u64 = 1_000_000;
        let cells = self.cells();
        let refuse = |field: &str, value: u64, problem: &str, remedy: &str| {
            Err(Input::new(field, value, problem, remedy))
        };
        if self.n == 0 || self.n > MOST_NODES {
            let problem = "a token ring has from 1 to 1000000 nodes";
            return refuse("n", self.n, problem, "use a size like 16");
        }
        if self.runs == 0 {
            return refuse("runs", 0, "nothing would be run", "use 1 or more");
        }
        let twice = (1..cells.len()).find(|&place| cells[..place].contains(&cells[place]));
        if let Some(place) = twice {
            let Cell { variant, timer } = cells[place];
            let problem = format!("{variant} has this timer twice");
            return Err(Input::new("timer", timer, problem, "leave it out once"));
        }
        cells.iter().try_for_each(|&cell| self.setting(cell, 0).check())
    }
}
