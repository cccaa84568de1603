//! The runs of a cell: how the ring, the starts and the delays of each are drawn, and how its
//! election is held or counted.

use super::cell::{Cell, Draws};
use super::error::Error;
use super::key::CellKey;
use super::layout::Ids;
use crate::algorithm::count::{self, Ranked, Scratch};
use crate::engine::Simulator;
use crate::model::election::{Election, Network, Starts};
use crate::model::error::Input;
use crate::model::message::Widths;
use crate::model::metric::Metric;
use crate::model::outcome::{Outcome, Time};
use crate::model::process::Id;
use crate::model::random::{Key, Purpose, Stream};
use crate::model::row::Row;
use crate::model::stop::{NEVER, Stop};
use crate::model::theory::{Case, Facts};
use crate::model::topology::{Graph, Ports, Shape};
use crate::model::violation::Violation;

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

impl Cell {
    /// The key of all that is drawn for its runs with a master seed.
    pub(crate) fn random_key(&self, seed: u64) -> Key {
        let CellKey { topology, layout, .. } = self.key();
        Key::new(seed, topology, u64::from(self.n()), layout, &self.ids().to_string())
    }

    /// Who starts in run number `run`.
    pub(crate) fn draw_starts(&self, key: &Key, run: u64) -> Starts {
        self.initiators().draw(self.n(), || {
            let number = if self.draws().has(Purpose::Initiators) { run } else { 0 };
            key.stream(number, Purpose::Initiators)
        })
    }

    /// Whether its runs have the rings and the starters of the runs of `other`, whatever is made of them.
    #[cfg(feature = "batch")]
    pub(crate) fn draws_rings_of(&self, other: &Cell) -> bool {
        let drawn = |cell: &Cell| !cell.is_on_graph() && cell.layout().is_random();
        drawn(self) && drawn(other) && self.key().ring_columns() == other.key().ring_columns()
    }

    /// Gets ready to draw runs with a master seed.
    pub fn prepare(&self, seed: u64) -> Result<Runs, Input> {
        let mut runs = Runs {
            cell: self.clone(),
            draws: self.draws(),
            seed,
            key: self.random_key(seed),
            ranks: Vec::new(),
            values: Vec::new(),
            ids: Vec::new(),
            starts: Starts::All,
            graph: None,
        };
        if let Some(own) = self.layout().own_ids().or(self.topology().ids()) {
            runs.take_ids(own);
        } else if !self.layout().is_random() {
            let mut words = runs.words(0, Purpose::Ring);
            self.layout().ranks(self.n(), self.algorithm(), &mut words, &mut runs.ranks)?;
        }
        Ok(runs)
    }
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
    pub fn theory(&mut self, run: u64) -> Result<(Case, Facts), Input> {
        self.draw(run)?;
        let case = self.case();
        Ok((case, self.cell.facts_in(Metric::Messages, &case)))
    }

    /// What theory says about the run that was drawn last.
    pub fn facts(&self) -> Facts {
        self.cell.facts_in(Metric::Messages, &self.case())
    }

    /// The row of the run that was simulated last.
    pub fn row(&self, run: u64, outcome: &Outcome) -> Row {
        let announcements = self.cell.algorithm().kinds.announcements(&outcome.kinds);
        Row::simulated(run, outcome, announcements, self.shape())
    }

    /// The shape of the network that was drawn last, for algorithms on graphs.
    fn shape(&self) -> Option<Shape> {
        let graph = self.graph.as_ref()?;
        // Far from cheap, so only where it is known anyway.
        let diameter = self.cell.algorithm().model.knows_diameter.then(|| graph.diameter());
        Some(Shape { edges: graph.edges(), leaves: graph.leaves(), diameter })
    }

    fn case(&self) -> Case {
        self.cell.case(self.shape(), &self.starts)
    }

    /// The random words of a run for one purpose. What is not drawn anew for every run has the same
    /// words in all of them, so [`Cell::draws`] is true whatever is done with them.
    fn words(&self, run: u64, purpose: Purpose) -> Stream {
        self.key.stream(if self.draws.has(purpose) { run } else { 0 }, purpose)
    }

    /// The seed of the coins in run number `run`, for algorithms that flip any.
    pub fn coins(&self, run: u64) -> u64 {
        self.words(run, Purpose::Coins).word()
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
    pub(crate) fn draw(&mut self, run: u64) -> Result<(), Input> {
        let (n, layout) = (self.cell.n(), self.cell.layout());
        if self.draws.graph || (self.cell.is_on_graph() && self.graph.is_none()) {
            self.graph = Some(self.cell.topology().graph(n, &mut self.words(run, Purpose::Graph))?);
        }
        if self.draws.ring {
            let mut words = self.words(run, Purpose::Ring);
            if layout.is_random() {
                layout.ranks(n, self.cell.algorithm(), &mut words, &mut self.ranks)?;
            }
            if self.cell.ids().is_random() {
                self.values = self.cell.ids().draw(n, &mut words);
            }
        }
        self.starts = self.cell.draw_starts(&self.key, run);
        Ok(())
    }

    /// The IDs behind the ranks, as a cell that draws the same rings has them.
    fn ids_by_rank(&self, cell: &Cell) -> count::Ids<'_> {
        match cell.ids() {
            Ids::Dense => count::Ids::Dense(cell.algorithm().first_dense_id()),
            Ids::Sparse | Ids::Range(_) | Ids::Given => count::Ids::Sorted(&self.values),
        }
    }

    /// Draws run number `run` and simulates it, message by message.
    pub fn simulate(&mut self, run: u64, simulator: &mut dyn Simulator) -> Result<Outcome, Error> {
        self.simulate_unless(&NEVER, run, simulator)
    }

    /// The same, unless somebody asks to stop.
    pub fn simulate_unless(
        &mut self,
        stop: &Stop,
        run: u64,
        simulator: &mut dyn Simulator,
    ) -> Result<Outcome, Error> {
        let outcome = self.hold(stop, run, |graph, election, network| match graph {
            Some(graph) => simulator.run_on(graph, election, network),
            None => simulator.run(election, network),
        })?;
        self.judged(run, outcome)
    }

    /// Draws run number `run` and hands its election to `hold`: the graph (a ring has none), the
    /// election, and the network where there are delays.
    pub fn hold<T>(
        &mut self,
        stop: &Stop,
        run: u64,
        hold: impl FnOnce(Option<&Graph>, &Election<'_>, Option<&Network>) -> T,
    ) -> Result<T, Input> {
        self.draw(run)?;
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        let by_rank = self.ids_by_rank(&self.cell);
        ids.extend(self.ranks.iter().map(|&rank| by_rank.of(rank)));
        self.ids = ids;
        let edges = self.graph.as_ref().map_or(u64::from(self.cell.n()), Graph::edges);
        let election = Election {
            ids: &self.ids,
            starts: &self.starts,
            limit: self.cell.message_limit(edges),
            coins: if self.cell.algorithm().model.flips_coins { self.coins(run) } else { 0 },
            stop,
        };
        let network = self.cell.timing().delay.map(|delay| Network {
            delay,
            fifo: self.cell.timing().fifo,
            words: self.words(run, Purpose::Delays),
        });
        Ok(hold(self.graph.as_ref(), &election, network.as_ref()))
    }

    /// The outcome of run number `run`, or the error that names its violation and the command that
    /// shows it.
    pub fn judged(&self, run: u64, outcome: Result<Outcome, Violation>) -> Result<Outcome, Error> {
        outcome.map_err(|violation| match violation {
            Violation::Stopped => Error::Interrupted,
            violation => {
                let command = self.cell.command(self.seed, run);
                Error::Violation { violation, cell: Box::new(self.cell.key().clone()), command }
            }
        })
    }

    /// Draws run number `run` and counts it; gives its row and its messages by kind.
    pub fn count(&mut self, run: u64, scratch: &mut Scratch) -> Result<(Row, Kinds), Error> {
        self.draw(run)?;
        self.count_as(&self.cell, run, scratch)
    }

    /// Counts the run that was drawn last as one of `cell`, which draws the same rings.
    pub(crate) fn count_as(
        &self,
        cell: &Cell,
        run: u64,
        scratch: &mut Scratch,
    ) -> Result<(Row, Kinds), Error> {
        let entry = cell.algorithm();
        let ids = self.ids_by_rank(cell);
        let ring = Ranked { ranks: &self.ranks, ids, starts: &self.starts };
        let counted = entry.counter.and_then(|counter| (counter.count)(&ring, scratch));
        let Some(count) = counted else {
            // The only case that a plan cannot foresee: the clock overflows.
            let problem = "the clock of this run cannot be held, so it cannot be counted";
            let remedy = "use smaller IDs, or engine = simulate to see where it ends";
            return Err(Input::new("engine", "count", problem, remedy).into());
        };
        // Under delays a counter knows the numbers that no schedule can change, not the times.
        let in_rounds = cell.timing().delay.is_none();
        let time = |rounds: Option<u64>| rounds.filter(|_| in_rounds).map(Time::Rounds);
        let widths = Widths::new(u64::from(cell.n()), ids.of(cell.n() - 1));
        let row = Row {
            run,
            messages: count.messages(),
            bits: entry.kinds.bits(&count.kinds, &widths),
            time: time(count.time),
            end: time(count.end),
            rounds: count.rounds,
            max_node_messages: count.max_node_messages.filter(|_| in_rounds),
            leader: Some(ids.of(count.leader)),
            announcements: entry.kinds.announcements(&count.kinds),
            shape: None,
        };
        Ok((row, count.kinds))
    }
}

/// Messages by kind.
pub type Kinds = [u64; crate::model::message::MAX_KINDS];
