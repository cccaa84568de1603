//! What an experiment came to, against a baseline and against stated bounds.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::baseline::{Baseline, Counts, Measured, file_hashes};
use super::equivalence::{Estimate, Pair, Sample};
use crate::experiment::bounds::{Bound, Of, is_above};
use crate::experiment::cell::Cell;
use crate::experiment::error::{Error, Result};
use crate::experiment::key::CellKey;
use crate::experiment::plan::{Plan, PlannedCell};
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::statistics::significance::holm;
use crate::summarise::FEWEST_RUNS;

/// How results are held against a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Every run must need as many messages as before.
    Exact,
    /// Means must be the same within a margin.
    Statistical,
    /// Only bounds are checked.
    Bounds,
}

/// How strict the gate is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Options {
    /// How results are held against the baseline.
    pub mode: Mode,
    /// Means that differ by less than this share of the one before are equivalent.
    pub margin: f64,
    /// The probability of a false verdict in any cell, at most; for each kind of verdict.
    pub alpha: f64,
    /// Whether a cell that is not settled lets the gate pass.
    pub allow_inconclusive: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { mode: Mode::Exact, margin: 0.01, alpha: 0.01, allow_inconclusive: false }
    }
}

/// What is said about one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every run needs as many messages as before.
    Equal,
    /// Some run does not.
    Differs,
    /// The means are the same within the margin.
    Equivalent,
    /// The mean fell by more than the margin.
    Improved,
    /// The runs do not tell.
    Inconclusive,
    /// The mean rose by more than the margin.
    Regression,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Verdict::Equal => "equal",
            Verdict::Differs => "DIFFERS",
            Verdict::Equivalent => "equivalent",
            Verdict::Improved => "improved",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Regression => "REGRESSION",
        })
    }
}

/// One run that is not as before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Its number.
    pub run: u64,
    /// Its messages in the baseline.
    pub before: u64,
    /// Its messages now.
    pub now: u64,
    /// The command that repeats it.
    pub command: String,
}

/// One cell against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellCheck {
    /// Which cell.
    #[serde(flatten)]
    pub key: CellKey,
    /// How many runs it had before.
    pub runs_before: u64,
    /// How many it has now.
    pub runs: u64,
    /// The mean before.
    pub mean_before: f64,
    /// The mean now.
    pub mean: f64,
    /// What is said about it.
    pub verdict: Verdict,
    /// The first runs that differ, in exact mode.
    pub differences: Vec<Difference>,
    /// The runs among those kept in the baseline that differ, in exact mode.
    pub differing_runs: u64,
    /// The difference of the means, in statistical mode, where there are runs enough.
    pub estimate: Option<Estimate>,
    /// The smallest rise, as a share, that would be found with probability
    /// [`POWER`](super::POWER).
    pub detectable: Option<f64>,
    /// The runs on both sides that would settle an inconclusive cell.
    pub runs_to_settle: Option<u64>,
}

/// One bound in one cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundCheck {
    /// Which cell.
    #[serde(flatten)]
    pub key: CellKey,
    /// What is held against the bound.
    pub of: Of,
    /// The bound as it was written.
    pub formula: String,
    /// Its value.
    pub bound: f64,
    /// The most messages of a run, or the mean.
    pub messages: f64,
    /// Whether it holds.
    pub holds: bool,
    /// The command that repeats the run with the most messages.
    pub command: Option<String>,
}

/// An election that went wrong, so that there is nothing to compare.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// Its cell.
    #[serde(flatten)]
    pub key: CellKey,
    /// What went wrong.
    pub problem: String,
    /// The command that repeats it.
    pub command: String,
}

/// What the gate found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The name of the experiment.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// How strict the gate was.
    pub options: Options,
    /// The cells against the baseline.
    pub cells: Vec<CellCheck>,
    /// The bounds, cell by cell.
    pub bounds: Vec<BoundCheck>,
    /// The election that went wrong, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What was measured.
    #[serde(skip)]
    pub measured: Vec<Counts>,
}

/// How the gate ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// All is well.
    Passed,
    /// An election went wrong: two leaders, say.
    Violation,
    /// A cell is worse or not as before, or a bound is violated.
    Regression,
    /// No cell is known to be worse, but not all are settled.
    Inconclusive,
}

impl Report {
    /// What there is to say where an election went wrong; any other error is given back.
    pub fn of_failure(spec: &Spec, options: Options, error: Error) -> Result<Self> {
        let is_wrong = error.exit_code() == 1;
        let (problem, key, command) = match error {
            Error::Violation { violation, cell, command } if is_wrong => {
                (violation.to_string(), cell, command)
            }
            Error::Audit { counted, simulated, cell, command } => {
                let problem = format!("the counter says {counted}, the simulation {simulated}");
                (problem, cell, command)
            }
            error => return Err(error),
        };
        Ok(Report {
            name: spec.name.clone(),
            seed: spec.seed,
            options,
            cells: Vec::new(),
            bounds: Vec::new(),
            failure: Some(Failure { key: *key, problem, command }),
            measured: Vec::new(),
        })
    }

    /// The cells with this verdict.
    pub fn with(&self, verdict: Verdict) -> impl Iterator<Item = &CellCheck> {
        self.cells.iter().filter(move |cell| cell.verdict == verdict)
    }

    /// The bounds that do not hold.
    pub fn violated(&self) -> impl Iterator<Item = &BoundCheck> {
        self.bounds.iter().filter(|bound| !bound.holds)
    }

    /// How the gate ends.
    pub fn ending(&self) -> Ending {
        let any = |verdict| self.with(verdict).next().is_some();
        if self.failure.is_some() {
            Ending::Violation
        } else if any(Verdict::Differs)
            || any(Verdict::Regression)
            || self.violated().next().is_some()
        {
            Ending::Regression
        } else if any(Verdict::Inconclusive) && !self.options.allow_inconclusive {
            Ending::Inconclusive
        } else {
            Ending::Passed
        }
    }
}

/// Holds what was measured `now` against the baseline, if there is one, and against all bounds.
pub fn check(now: &Measured, before: Option<&Baseline>, options: Options) -> Result<Report> {
    let Measured { counts, cells, stop_early } = now;
    let runs = counts.cells.iter().zip(stop_early);
    let runs = runs.map(|(cell, early)| (&cell.key, (!early).then_some(cell.runs)));
    let experiment = Experiment { seed: counts.seed, cells: runs.collect(), files: &counts.files };
    let bounds = all_bounds(&counts.bounds, before);
    experiment.refuse_other(before, &bounds, options.mode)?;
    let checks = match before {
        Some(before) if options.mode != Mode::Bounds => {
            let there: HashMap<&CellKey, &Counts> =
                before.cells.iter().map(|cell| (&cell.key, cell)).collect();
            let here = counts.cells.iter().zip(cells);
            let pairs: Vec<Both<'_>> =
                here.filter_map(|(now, cell)| Some((*there.get(&now.key)?, now, cell))).collect();
            match options.mode {
                Mode::Exact => exact(&pairs, counts.seed),
                _ => statistical(&pairs, counts.seed == before.seed, options),
            }
        }
        _ => Vec::new(),
    };
    Ok(Report {
        name: counts.name.clone(),
        seed: counts.seed,
        options,
        cells: checks,
        bounds: check_bounds(now, &bounds)?,
        failure: None,
        measured: counts.cells.clone(),
    })
}

/// Refuses what can be refused before a spec is run: a baseline of another experiment, a bound
/// that has no cell or no value.
pub fn check_beforehand(
    spec: &Spec,
    plan: &Plan,
    before: Option<&Baseline>,
    mode: Mode,
) -> Result<()> {
    let runs = |cell: &PlannedCell| cell.until.is_none().then_some(cell.runs);
    let cells = plan.cells.iter().map(|cell| (cell.key(), runs(cell)));
    let files = file_hashes(spec);
    let experiment = Experiment { seed: spec.seed, cells: cells.collect(), files: &files };
    let bounds = all_bounds(&spec.bounds, before);
    experiment.refuse_other(before, &bounds, mode)?;
    for bound in bounds {
        for planned in plan.cells.iter().filter(|it| it.key().algorithm == bound.algorithm) {
            bound.value(&planned.cell)?;
        }
    }
    Ok(())
}

/// The bounds of an experiment and those that only its baseline states.
fn all_bounds<'a>(now: &'a [Bound], before: Option<&'a Baseline>) -> Vec<&'a Bound> {
    let stated = before.iter().flat_map(|before| &before.bounds);
    now.iter().chain(stated.filter(|bound| !now.contains(bound))).collect()
}

/// What tells an experiment from others.
struct Experiment<'a> {
    seed: u64,
    /// Its cells, with their runs where they are known beforehand.
    cells: Vec<(&'a CellKey, Option<u64>)>,
    /// The hashes of its files.
    files: &'a BTreeMap<String, String>,
}

impl Experiment<'_> {
    /// Refuses a baseline of another experiment, bounds of algorithms that are not run, and a check
    /// of nothing.
    fn refuse_other(&self, before: Option<&Baseline>, bounds: &[&Bound], mode: Mode) -> Result<()> {
        for bound in bounds {
            let is_run = |(key, _): &(&CellKey, _)| key.algorithm == bound.algorithm;
            if !self.cells.iter().any(is_run) {
                let problem =
                    format!("a bound is stated for {}, and it was not run", bound.algorithm);
                let remedy = "add it to the experiment, or remove its bound";
                return Err(Input::new("bounds", &bound.algorithm, problem, remedy).into());
            }
        }
        match before {
            Some(before) if mode != Mode::Bounds => Ok(self.refuse_baseline(before, mode)?),
            _ if bounds.is_empty() => {
                let problem = "no bound is stated, so there is nothing to check";
                let remedy = "state one in the [bounds] table of the spec, or name a --baseline";
                Err(Input::new("bounds", "(nothing)", problem, remedy).into())
            }
            _ => Ok(()),
        }
    }

    fn refuse_baseline(&self, before: &Baseline, mode: Mode) -> std::result::Result<(), Input> {
        let other = |problem: String| {
            let remedy =
                "name the baseline of this experiment, or make a new one with hustings baseline";
            Err(Input::new("baseline", &before.name, problem, remedy))
        };
        if mode == Mode::Exact && self.seed != before.seed {
            let problem = format!(
                "it is of seed {}, and the results are of seed {}, so runs cannot be equal",
                before.seed, self.seed
            );
            let remedy = "use the same seed, or --mode statistical";
            return Err(Input::new("baseline", &before.name, problem, remedy));
        }
        for (path, hash) in &before.files {
            if self.files.get(path).is_some_and(|now| now != hash) {
                return other(format!(
                    "it is of another experiment: file:{path} said something else"
                ));
            }
        }
        let here: HashMap<&CellKey, Option<u64>> = self.cells.iter().copied().collect();
        let there: HashMap<&CellKey, u64> =
            before.cells.iter().map(|cell| (&cell.key, cell.runs)).collect();
        if let Some(missing) = before.cells.iter().find(|cell| !here.contains_key(&cell.key)) {
            let cell = missing.key.words();
            return other(format!("it is of another spec: {cell} was not measured now"));
        }
        for (key, runs) in &self.cells {
            let cell = key.words();
            match (there.get(key), runs) {
                (None, _) => return other(format!("it is of another spec: it has no {cell}")),
                (Some(before), Some(now)) if mode == Mode::Exact && before != now => {
                    return other(format!(
                        "it is of another spec: {cell} has {before} runs there and {now} now"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The same cell before and now, and what it is.
type Both<'a> = (&'a Counts, &'a Counts, &'a Cell);

/// So many differing runs of a cell are shown.
const SHOWN: usize = 3;

fn exact(pairs: &[Both<'_>], seed: u64) -> Vec<CellCheck> {
    let mut checks = Vec::new();
    for &(before, now, cell) in pairs {
        let both = before.first.iter().zip(&now.first).enumerate();
        let differing: Vec<_> = both.filter(|(_, (before, now))| before != now).collect();
        let differing_runs = differing.len() as u64;
        let differences = differing.into_iter().take(SHOWN).map(|(run, (&before, &now))| {
            let run = run as u64;
            Difference { run, before, now, command: cell.command(seed, run) }
        });
        let differences: Vec<Difference> = differences.collect();
        // A cell that may stop early stops elsewhere if its runs change.
        let equal = before.runs == now.runs && before.hash == now.hash && differences.is_empty();
        let verdict = if equal { Verdict::Equal } else { Verdict::Differs };
        checks.push(CellCheck { differences, differing_runs, ..bare(before, now, verdict) });
    }
    checks
}

/// A check that says nothing but its verdict.
fn bare(before: &Counts, now: &Counts, verdict: Verdict) -> CellCheck {
    CellCheck {
        key: now.key.clone(),
        runs_before: before.runs,
        runs: now.runs,
        mean_before: before.mean,
        mean: now.mean,
        verdict,
        differences: Vec::new(),
        differing_runs: 0,
        estimate: None,
        detectable: None,
        runs_to_settle: None,
    }
}

fn statistical(pairs: &[Both<'_>], same_seed: bool, options: Options) -> Vec<CellCheck> {
    let Options { margin, alpha, .. } = options;
    let mut tested: Vec<Option<(Pair, Estimate)>> = Vec::new();
    for &(before, now, cell) in pairs {
        let fixed = cell.draws().nothing();
        let enough = before.runs.min(now.runs) >= FEWEST_RUNS || fixed;
        let sample = |counts: &Counts| Sample {
            runs: counts.runs,
            mean: counts.mean,
            sd: if fixed { 0.0 } else { counts.sd.unwrap_or(0.0) },
        };
        let all_kept = before.is_whole() && now.is_whole() && same_seed;
        let paired = if all_kept { Pair::paired(&before.first, &now.first) } else { None };
        let pair = paired.unwrap_or_else(|| Pair::independent(sample(before), sample(now)));
        tested.push(enough.then(|| (pair, pair.estimate(margin))));
    }
    let adjusted = |p: fn(&Estimate) -> f64| {
        let ps: Vec<Option<f64>> =
            tested.iter().map(|it| it.as_ref().map(|(_, estimate)| p(estimate))).collect();
        holm(&ps)
    };
    let equivalent = adjusted(|estimate| estimate.p_equivalent);
    let worse = adjusted(|estimate| estimate.p_regression);
    let better = adjusted(|estimate| estimate.p_improvement);
    // What one cell has left of the error probability, at worst.
    let share = alpha / tested.iter().flatten().count().max(1) as f64;
    let is_small = |p: Option<f64>| p.is_some_and(|p| p <= alpha);
    let mut checks = Vec::new();
    for (place, &(before, now, _)) in pairs.iter().enumerate() {
        let verdict = if is_small(worse[place]) {
            Verdict::Regression
        } else if is_small(better[place]) {
            Verdict::Improved
        } else if is_small(equivalent[place]) {
            Verdict::Equivalent
        } else {
            Verdict::Inconclusive
        };
        let check = bare(before, now, verdict);
        checks.push(match &tested[place] {
            None => CellCheck { runs_to_settle: Some(FEWEST_RUNS), ..check },
            Some((pair, estimate)) => CellCheck {
                estimate: Some(*estimate),
                detectable: pair.detectable(margin, share),
                runs_to_settle: match verdict {
                    Verdict::Inconclusive => pair.runs_to_settle(margin, share),
                    _ => None,
                },
                ..check
            },
        });
    }
    checks
}

fn check_bounds(now: &Measured, bounds: &[&Bound]) -> Result<Vec<BoundCheck>> {
    let mut checks = Vec::new();
    let measured = || now.counts.cells.iter().zip(&now.cells);
    for bound in bounds {
        for (counts, cell) in measured().filter(|(it, _)| it.key.algorithm == bound.algorithm) {
            let value = bound.value(cell)?;
            let (messages, command) = match bound.of {
                Of::Run => (counts.max as f64, Some(cell.command(now.counts.seed, counts.max_run))),
                Of::Mean => (counts.mean, None),
            };
            checks.push(BoundCheck {
                key: counts.key.clone(),
                of: bound.of,
                formula: bound.formula.to_string(),
                bound: value,
                messages,
                holds: !is_above(messages, value),
                command,
            });
        }
    }
    Ok(checks)
}
