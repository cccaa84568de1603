//! Theorems about networks that differ from run to run: every run is set beside the theorem of its
//! own graph, whose shape was recorded.

use super::theorem::Theorem;
use crate::experiment::cell::Cell;
use crate::model::metric::Metric;
use crate::model::random::Key;
use crate::model::theory::{Case, Certainty, Fact, Facts, Value};
use crate::results::Run;

/// How many runs outside their bounds are named.
const NAMED: usize = 2;

/// What the runs of one cell come to, each beside its own theorem.
pub(super) struct PerRun {
    cell: Cell,
    key: Key,
    /// The last case and its theorems; of a fixed network all runs have the same.
    last: Option<(Case, [Facts; Metric::ALL.len()])>,
    count: u64,
    edges: u128,
    beside: [Beside; Metric::ALL.len()],
}

/// One metric of the runs beside its theorems.
#[derive(Default)]
pub(super) struct Beside {
    count: u64,
    best: Average,
    exact: Average,
    worst: Average,
    mean: Average,
    /// Whether a run with an exact theorem has another number.
    differs: bool,
    outside: Vec<u64>,
}

/// The average of a fact over all runs, if all have it.
#[derive(Default)]
struct Average {
    first: Option<Fact>,
    sum: f64,
    /// Whether not all values are the same.
    varies: bool,
    /// Whether some run has no such fact.
    missing: bool,
}

impl Average {
    fn push(&mut self, fact: Option<&Fact>) {
        let Some(fact) = fact else { return self.missing = true };
        self.sum += fact.value.as_f64();
        match &self.first {
            Some(first) => self.varies |= first.value != fact.value,
            None => self.first = Some(fact.clone()),
        }
    }

    fn over(&self, count: u64) -> Option<Fact> {
        let fact = self.first.clone().filter(|_| !self.missing)?;
        match self.varies {
            true => Some(Fact { value: Value::Real(self.sum / count as f64), ..fact }),
            false => Some(fact),
        }
    }
}

impl PerRun {
    /// Before the first run; `None` for rings, whose theorems are the same for all runs.
    pub(super) fn new(cell: &Cell, seed: u64) -> Option<Self> {
        cell.is_on_graph().then(|| PerRun {
            cell: cell.clone(),
            key: cell.random_key(seed),
            last: None,
            count: 0,
            edges: 0,
            beside: Default::default(),
        })
    }

    /// Takes in one run.
    pub(super) fn push(&mut self, run: &Run<'_>) {
        let shape = run.shape();
        let starts = self.cell.draw_starts(&self.key, run.run);
        let case = self.cell.case(shape, &starts);
        let facts = match self.last.take() {
            Some((last, facts)) if last == case => facts,
            _ => Metric::ALL.map(|metric| self.cell.facts_in(metric, &case)),
        };
        self.count += 1;
        self.edges += u128::from(case.shape.edges);
        for ((beside, facts), metric) in self.beside.iter_mut().zip(&facts).zip(Metric::ALL) {
            if let Some(value) = run.value(metric) {
                beside.compare(run.run, value.as_f64(), facts);
            }
        }
        self.last = Some((case, facts));
    }

    /// One metric of all runs.
    pub(super) fn beside(&self, metric: Metric) -> &Beside {
        &self.beside[metric as usize]
    }

    /// The mean over the coins of the participants, where they flip such and all runs have the same.
    pub(super) fn mean_over_coins(&self, metric: Metric) -> Option<Fact> {
        let Beside { mean, count, .. } = self.beside(metric);
        mean.over(*count).filter(|_| self.cell.algorithm().model.flips_coins && !mean.varies)
    }

    /// The mean number of edges.
    pub(super) fn edges(&self) -> f64 {
        self.edges as f64 / self.count as f64
    }
}

impl Beside {
    fn compare(&mut self, run: u64, value: f64, facts: &Facts) {
        let is_bound = |fact: &&Fact| fact.certainty != Certainty::Measured;
        let best = facts.best.as_ref().filter(is_bound);
        let worst = facts.worst.as_ref().filter(is_bound);
        let exact = match (best, worst) {
            (Some(best), Some(worst)) if best.is_exact() && best.value == worst.value => Some(best),
            _ => None,
        };
        self.count += 1;
        self.best.push(best);
        self.worst.push(worst);
        self.exact.push(exact);
        self.mean.push(facts.mean.as_ref());
        self.differs |= exact.is_some_and(|fact| value != fact.value.as_f64());
        let below = best.is_some_and(|fact| value < fact.value.as_f64());
        let above = worst.is_some_and(|fact| value > fact.value.as_f64());
        if (below || above) && self.outside.len() < NAMED {
            self.outside.push(run);
        }
    }

    /// The theorem of the cell: averages over its runs.
    pub(super) fn theorem(&self) -> Theorem {
        let mean = self.exact.over(self.count);
        let sd = mean.is_some().then_some(0.0);
        let (best, worst) = (self.best.over(self.count), self.worst.over(self.count));
        Theorem { best, mean, worst, sd }
    }

    /// Whether some run contradicts its own exact theorem.
    pub(super) fn differs(&self) -> bool {
        self.differs
    }

    /// Runs outside their own bounds.
    pub(super) fn outside(&self) -> &[u64] {
        &self.outside
    }
}
