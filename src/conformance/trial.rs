//! One election of the kit: held, judged, and told as the command that repeats it.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::algorithm::count::{self, Ranked, Scratch};
use crate::engine::{Entry, Simulator};
use crate::experiment::bounds::is_above;
use crate::experiment::cell::{Cell, Setting};
use crate::experiment::formula::{Formula, Variables};
use crate::experiment::timing::{Initiators, Timing};
use crate::model::election::{Election, Network, Starts};
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::{Key, Purpose};
use crate::model::stop::NEVER;
use crate::model::theory::Certainty;
use crate::model::topology::RING;
use crate::model::violation::Violation;

/// The master seed of all elections, so that their commands need not name it.
const SEED: u64 = 1;

/// One election to be held.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The IDs, clockwise.
    pub ids: Vec<Id>,
    /// Who starts.
    pub initiators: Initiators,
    /// How long messages take.
    pub timing: Timing,
    /// The number of the run, which fixes the delays.
    pub run: u64,
}

impl Trial {
    /// The number of nodes.
    pub fn n(&self) -> u32 {
        self.ids.len() as u32
    }

    /// The places of those who start, with their times.
    pub(super) fn places(&self) -> BTreeMap<u32, u64> {
        match &self.initiators {
            Initiators::At(places) => places.clone(),
            _ => (0..self.n()).map(|place| (place, 0)).collect(),
        }
    }

    /// The same with these starters.
    pub(super) fn started_by(self, places: BTreeMap<u32, u64>) -> Self {
        let everybody = places.len() == self.ids.len() && places.values().all(|&time| time == 0);
        let initiators = if everybody { Initiators::All } else { Initiators::At(places) };
        Trial { initiators, ..self }
    }
}

/// What is wrong with an election.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// It was none.
    Violation(Violation),
    /// More messages than a bound.
    TooMany {
        /// How many.
        messages: u64,
        /// The bound.
        most: f64,
        /// Where it comes from.
        formula: String,
    },
    /// Fewer messages than the best case.
    TooFew {
        /// How many.
        messages: u64,
        /// The best case.
        fewest: f64,
        /// Its formula.
        formula: String,
    },
    /// The counter says something else.
    Counter {
        /// What it says.
        counted: u64,
        /// What was sent.
        simulated: u64,
    },
    /// It is not what was expected, or all rings together are not what theory says.
    Expected(String),
    /// A handler panicked.
    Panic(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Violation(violation) => violation.fmt(f),
            Problem::TooMany { messages, most, formula } => {
                write!(f, "{messages} messages, above {formula} = {most}")
            }
            Problem::TooFew { messages, fewest, formula } => {
                write!(f, "{messages} messages, below the best case {formula} = {fewest}")
            }
            Problem::Counter { counted, simulated } => {
                write!(f, "the counter says {counted} messages, and {simulated} were sent")
            }
            Problem::Expected(text) => f.write_str(text),
            Problem::Panic(text) => write!(f, "a handler panicked: {text}"),
        }
    }
}

/// The fewest and the most messages, with their formulas.
#[derive(Debug, Clone, Default)]
struct Limits {
    fewest: Option<(f64, String)>,
    most: Vec<(f64, String)>,
    has_counter: bool,
}

/// An algorithm under test, ready to hold elections.
pub(super) struct Subject {
    pub(super) entry: Arc<Entry>,
    bound: Option<Formula>,
    simulator: Box<dyn Simulator>,
    scratch: Scratch,
    /// The limits of the elections that were asked about last.
    limits: Option<(u32, Option<u64>, Timing, Limits)>,
}

impl Subject {
    pub(super) fn new(entry: &Arc<Entry>, bound: Option<Formula>) -> Self {
        let simulator = (entry.simulator)();
        Subject {
            entry: entry.clone(),
            bound,
            simulator,
            scratch: Scratch::default(),
            limits: None,
        }
    }

    fn cell(&self, trial: &Trial) -> Result<Cell, Input> {
        let (initiators, timing) = (trial.initiators.clone(), trial.timing);
        let setting = Setting { initiators, timing, ..Setting::given(trial.ids.clone()) };
        Cell::new(&self.entry, setting)
    }

    /// The command that repeats an election.
    pub(super) fn command(&self, trial: &Trial) -> String {
        match self.cell(trial) {
            Ok(cell) => cell.command(SEED, trial.run),
            Err(error) => error.to_string(),
        }
    }

    fn limits(&mut self, trial: &Trial) -> Result<Limits, Input> {
        let count = trial.initiators.count(u64::from(trial.n()));
        if let Some((n, initiators, timing, limits)) = &self.limits
            && (*n, *initiators, *timing) == (trial.n(), count, trial.timing)
        {
            return Ok(limits.clone());
        }
        let cell = self.cell(trial)?;
        let facts = cell.facts();
        let certain = |fact: &crate::model::theory::Fact| fact.certainty != Certainty::Measured;
        let told = |fact: crate::model::theory::Fact| (fact.value.as_f64(), fact.formula);
        let mut most: Vec<_> = facts.worst.filter(certain).map(told).into_iter().collect();
        if let Some(formula) = &self.bound {
            let variables = Variables::ring(u64::from(trial.n()), count);
            most.push((formula.value(&variables)?, formula.to_string()));
        }
        let limits = Limits {
            fewest: facts.best.filter(certain).map(told),
            most,
            has_counter: cell.has_counter(),
        };
        self.limits = Some((trial.n(), count, trial.timing, limits.clone()));
        Ok(limits)
    }

    /// Holds an election with any simulator of the algorithm, as the command line does.
    fn run(
        entry: &Entry,
        simulator: &mut dyn Simulator,
        trial: &Trial,
        limit: u64,
    ) -> Result<crate::model::outcome::Outcome, Violation> {
        let n = trial.n();
        let key = Key::new(SEED, RING, u64::from(n), "given", "given");
        let starts = trial.initiators.draw(n, || key.stream(trial.run, Purpose::Initiators));
        let coins = match entry.model.flips_coins {
            true => key.stream(trial.run, Purpose::Coins).word(),
            false => 0,
        };
        let election = Election { ids: &trial.ids, starts: &starts, limit, coins, stop: &NEVER };
        let network = trial.timing.delay.map(|delay| Network {
            delay,
            fifo: trial.timing.fifo,
            words: key.stream(trial.run, Purpose::Delays),
        });
        simulator.run(&election, network.as_ref())
    }

    /// Holds an election; its messages, or what is wrong with it. `None` if no 64-bit clock can
    /// follow it.
    pub(super) fn hold(&mut self, trial: &Trial) -> Result<Option<u64>, Problem> {
        let n = trial.ids.len() as u64;
        let limit = Election::usual_limit(n, n);
        let (entry, simulator) = (&*self.entry, &mut self.simulator);
        let held =
            catch_unwind(AssertUnwindSafe(|| Self::run(entry, simulator.as_mut(), trial, limit)));
        let outcome = match held {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(Violation::ClockOverflow(_))) => return Ok(None),
            Ok(Err(violation)) => return Err(Problem::Violation(violation)),
            Err(panic) => {
                // What is left of its buffers is not to be trusted.
                self.simulator = (self.entry.simulator)();
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|it| it.to_string()));
                return Err(Problem::Panic(text.unwrap_or_default()));
            }
        };
        let messages = outcome.messages;
        let limits = self.limits(trial).map_err(|error| Problem::Expected(error.to_string()))?;
        if let Some((most, formula)) =
            limits.most.into_iter().find(|(most, _)| is_above(messages as f64, *most))
        {
            return Err(Problem::TooMany { messages, most, formula });
        }
        if let Some((fewest, formula)) =
            limits.fewest.filter(|(fewest, _)| is_above(*fewest, messages as f64))
        {
            return Err(Problem::TooFew { messages, fewest, formula });
        }
        if limits.has_counter {
            self.check_counter(trial, messages)?;
        }
        Ok(Some(messages))
    }

    fn check_counter(&mut self, trial: &Trial, simulated: u64) -> Result<(), Problem> {
        let mut values = trial.ids.clone();
        values.sort_unstable();
        let rank = |id: &Id| values.binary_search(id).map_or(0, |rank| rank as u32);
        let ranks: Vec<u32> = trial.ids.iter().map(rank).collect();
        let starts = match &trial.initiators {
            Initiators::At(places) => {
                Starts::at(places.iter().map(|(&place, &time)| (place, time)))
            }
            _ => Starts::All,
        };
        let ring = Ranked { ranks: &ranks, ids: count::Ids::Sorted(&values), starts: &starts };
        let counted =
            self.entry.counter.and_then(|counter| (counter.count)(&ring, &mut self.scratch));
        match counted.map(|count| count.messages()) {
            Some(counted) if counted != simulated => Err(Problem::Counter { counted, simulated }),
            _ => Ok(()),
        }
    }
}
