//! An algorithm under test: its elections are held as the command line holds them, and judged.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use super::trial::{Problem, Trial};
use crate::algorithm::count::{self, Ranked, Scratch};
use crate::engine::trace::Stage;
use crate::engine::{Entry, Simulator};
use crate::experiment::bounds::is_above;
use crate::experiment::cell::{Cell, Setting};
use crate::experiment::formula::{Formula, Variables};
use crate::experiment::timing::Timing;
use crate::model::election::{self, Election};
use crate::model::error::Input;
use crate::model::metric::Metric;
use crate::model::process::Id;
use crate::model::random::{Key, Purpose};
use crate::model::stop::NEVER;
use crate::model::theory::{Certainty, Fact};
use crate::model::topology::{Graph, Shape};
use crate::model::violation::Violation;

/// So many steps of an election are shown.
pub(super) const SHOWN: usize = 40;

/// The master seed of all elections, so that their commands need not name it.
const SEED: u64 = 1;

/// What elections can differ in without having other limits or other words: nothing of this.
type Kind = (u32, Option<Shape>, Option<u64>, Timing);

/// What all elections of one kind share.
struct Common {
    kind: Kind,
    /// The key of their random words.
    key: Key,
    /// The fewest and the most messages, with their formulas.
    fewest: Option<(f64, String)>,
    most: Vec<(f64, String)>,
    has_counter: bool,
}

impl Common {
    fn check(&self, messages: u64) -> Result<(), Problem> {
        let count = messages as f64;
        if let Some((most, formula)) = self.most.iter().find(|(most, _)| is_above(count, *most)) {
            return Err(Problem::TooMany { messages, most: *most, formula: formula.clone() });
        }
        match &self.fewest {
            Some((fewest, formula)) if is_above(*fewest, count) => {
                Err(Problem::TooFew { messages, fewest: *fewest, formula: formula.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// An algorithm under test, ready to hold elections.
pub(super) struct Subject {
    pub(super) entry: Arc<Entry>,
    bound: Option<Formula>,
    simulator: Box<dyn Simulator>,
    scratch: Scratch,
    /// Of the elections that were asked about last.
    common: Option<Rc<Common>>,
}

impl Subject {
    pub(super) fn new(entry: &Arc<Entry>, bound: Option<Formula>) -> Self {
        Subject {
            entry: entry.clone(),
            bound,
            simulator: (entry.simulator)(),
            scratch: Scratch::default(),
            common: None,
        }
    }

    fn cell(&self, trial: &Trial) -> Result<Cell, Input> {
        let topology = trial.network.topology();
        let (initiators, timing) = (trial.initiators.clone(), trial.timing);
        let setting = Setting { topology, initiators, timing, ..Setting::given(trial.ids.clone()) };
        Cell::new(&self.entry, setting)
    }

    /// The command that repeats an election; empty for one that cannot be held at all.
    pub(super) fn command(&self, trial: &Trial) -> String {
        let Ok(cell) = self.cell(trial) else { return String::new() };
        let elect = cell.command(SEED, trial.run);
        match trial.network.file_command() {
            Some(write) => format!("{write} && {elect}"),
            None => elect,
        }
    }

    /// What an election shares with others of its kind.
    fn common(&mut self, trial: &Trial) -> Result<Rc<Common>, Input> {
        let n = trial.n();
        let shape = trial.network.shape();
        let kind = (n, shape, trial.initiators.count(u64::from(n)), trial.timing);
        let known = self.common.take().filter(|common| common.kind == kind);
        let common = match known {
            Some(common) => common,
            None => Rc::new(self.learn(trial, kind)?),
        };
        Ok(self.common.insert(common).clone())
    }

    fn learn(&self, trial: &Trial, kind: Kind) -> Result<Common, Input> {
        let cell = self.cell(trial)?;
        let (n, shape, initiators, _) = kind;
        let facts = cell.facts_in(Metric::Messages, &cell.case(shape, &trial.starts()));
        let certain = |fact: &Fact| fact.certainty != Certainty::Measured;
        let told = |fact: Fact| (fact.value.as_f64(), fact.formula);
        let worst = facts.worst.filter(certain).map(told);
        let stated = match &self.bound {
            Some(formula) => bound(formula, &variables(n, shape, initiators))?,
            None => None,
        };
        Ok(Common {
            kind,
            key: cell.random_key(SEED),
            fewest: facts.best.filter(certain).map(told),
            most: worst.into_iter().chain(stated).collect(),
            has_counter: cell.has_counter(),
        })
    }

    /// Hands the election of a trial to `hold`, as the command line holds it.
    fn run<T>(
        entry: &Entry,
        trial: &Trial,
        key: &Key,
        hold: impl FnOnce(Option<&Graph>, &Election<'_>, Option<&election::Network>) -> T,
    ) -> T {
        let n = u64::from(trial.n());
        let edges = trial.network.shape().map_or(n, |shape| shape.edges);
        let coins = match entry.model.flips_coins {
            true => key.stream(trial.run, Purpose::Coins).word(),
            false => 0,
        };
        let (starts, limit) = (&trial.starts(), Election::usual_limit(n, edges));
        let election = Election { ids: &trial.ids, starts, limit, coins, stop: &NEVER };
        let delays = trial.timing.delay.map(|delay| election::Network {
            delay,
            fifo: trial.timing.fifo,
            words: key.stream(trial.run, Purpose::Delays),
        });
        hold(trial.network.as_graph(), &election, delays.as_ref())
    }

    /// The same for any other use than to judge it.
    pub(super) fn election<T>(
        &mut self,
        trial: &Trial,
        hold: impl FnOnce(&Entry, Option<&Graph>, &Election<'_>, Option<&election::Network>) -> T,
    ) -> Result<T, Input> {
        let key = self.common(trial)?.key;
        let entry = &*self.entry;
        Ok(Self::run(entry, trial, &key, |graph, election, delays| {
            hold(entry, graph, election, delays)
        }))
    }

    /// Who sent what to whom in an election.
    pub(super) fn trace(&mut self, trial: &Trial) -> Vec<String> {
        let lines = self.election(trial, |entry, graph, election, delays| {
            let mut stage = Stage::new(entry, graph, election);
            let ended = catch_unwind(AssertUnwindSafe(|| _ = stage.play(delays)));
            let mut lines: Vec<String> =
                stage.events().iter().take(SHOWN).map(|event| stage.words(event)).collect();
            match stage.events().len() {
                steps if steps > SHOWN => {
                    lines.push(format!("... and {} steps more", steps - SHOWN));
                }
                _ if ended.is_err() => lines.push("... and the next step panics".to_owned()),
                _ => {}
            }
            lines
        });
        lines.unwrap_or_default()
    }

    /// What is wrong with so many messages in an election, if anything is.
    pub(super) fn check(&mut self, trial: &Trial, messages: u64) -> Result<(), Problem> {
        let common = self.common(trial).map_err(|error| Problem::Expected(error.to_string()))?;
        common.check(messages)
    }

    /// Holds an election; its messages, or what is wrong with it. `None` if no 64-bit clock can
    /// follow it.
    pub(super) fn hold(&mut self, trial: &Trial) -> Result<Option<u64>, Problem> {
        let common = self.common(trial).map_err(|error| Problem::Expected(error.to_string()))?;
        let (entry, simulator) = (&*self.entry, self.simulator.as_mut());
        let held = catch_unwind(AssertUnwindSafe(|| {
            Self::run(entry, trial, &common.key, |graph, election, delays| match graph {
                None => simulator.run(election, delays),
                Some(graph) => simulator.run_on(graph, election, delays),
            })
        }));
        let messages = match held {
            Ok(Ok(outcome)) => outcome.messages,
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
        common.check(messages)?;
        if common.has_counter {
            self.check_counter(trial, messages)?;
        }
        Ok(Some(messages))
    }

    fn check_counter(&mut self, trial: &Trial, simulated: u64) -> Result<(), Problem> {
        let mut values = trial.ids.clone();
        values.sort_unstable();
        let rank = |id: &Id| values.binary_search(id).map_or(0, |rank| rank as u32);
        let ranks: Vec<u32> = trial.ids.iter().map(rank).collect();
        let starts = &trial.starts();
        let ring = Ranked { ranks: &ranks, ids: count::Ids::Sorted(&values), starts };
        let counted =
            self.entry.counter.and_then(|counter| (counter.count)(&ring, &mut self.scratch));
        match counted.map(|count| count.messages()) {
            Some(counted) if counted != simulated => Err(Problem::Counter { counted, simulated }),
            _ => Ok(()),
        }
    }
}

/// What a formula may ask of an election.
fn variables(n: u32, shape: Option<Shape>, initiators: Option<u64>) -> Variables {
    let ring = Variables::ring(u64::from(n), initiators);
    let Some(Shape { edges, leaves, diameter }) = shape else { return ring };
    Variables {
        edges: Some(edges as f64),
        leaves: Some(leaves as f64),
        diameter: diameter.map(|diameter| diameter as f64),
        ..ring
    }
}

/// The value of a bound with its formula; `None` if it depends on how many start, and that is open
/// because mail may come before a late start.
fn bound(formula: &Formula, variables: &Variables) -> Result<Option<(f64, String)>, Input> {
    match formula.value(variables) {
        Ok(value) => Ok(Some((value, formula.to_string()))),
        Err(_) if variables.initiators.is_none() => {
            formula.value(&Variables { initiators: variables.n, ..*variables }).map(|_| None)
        }
        Err(error) => Err(error),
    }
}
