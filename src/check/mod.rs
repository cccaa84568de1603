//! The gate: what an experiment came to, against a baseline and against stated bounds.
//!
//! Runs are seeded, so equal programs give equal counts, and [`Mode::Exact`] asks for just that.
//! [`Mode::Statistical`] is for intended changes: of the seed, or of an algorithm that takes other
//! choices of equal cost. Bounds are checked in every mode.

mod baseline;
mod equivalence;
pub mod output;
mod rows;

use std::collections::HashMap;

use serde::Serialize;

pub use baseline::{Baseline, Counts, KEPT_RUNS};
pub use equivalence::{Estimate, POWER, Pair, Sample};

use crate::bounds::{Bound, Of, is_above};
use crate::error::{Input, Result};
use crate::summarise::cells::{FEWEST_RUNS, named_columns};
use crate::summarise::significance::holm;
use crate::summarise::table::{self, Columns};

/// How results are held against a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
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
    /// Its columns.
    #[serde(flatten, serialize_with = "named_columns")]
    pub columns: Columns,
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
    /// The smallest rise, as a share, that would be found with probability [`POWER`].
    pub detectable: Option<f64>,
    /// The runs on both sides that would settle an inconclusive cell.
    pub runs_to_settle: Option<u64>,
}

/// One bound in one cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundCheck {
    /// The cell's columns.
    #[serde(flatten, serialize_with = "named_columns")]
    pub columns: Columns,
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
    /// A cell is worse or not as before, or a bound is violated.
    Regression,
    /// No cell is known to be worse, but not all are settled.
    Inconclusive,
}

impl Report {
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
        if any(Verdict::Differs) || any(Verdict::Regression) || self.violated().next().is_some() {
            Ending::Regression
        } else if any(Verdict::Inconclusive) && !self.options.allow_inconclusive {
            Ending::Inconclusive
        } else {
            Ending::Passed
        }
    }
}

/// Holds what was measured `now` against the baseline, if there is one, and against all bounds.
pub fn check(now: &Baseline, before: Option<&Baseline>, options: Options) -> Result<Report> {
    let mut cells = Vec::new();
    let mut bounds: Vec<&Bound> = now.bounds.iter().collect();
    if let Some(before) = before {
        bounds.extend(before.bounds.iter().filter(|bound| !now.bounds.contains(bound)));
        if options.mode != Mode::Bounds {
            let pairs = matched(now, before, options.mode)?;
            cells = match options.mode {
                Mode::Exact => exact(&pairs, now.seed)?,
                _ => statistical(&pairs, now.seed == before.seed, options)?,
            };
        }
    }
    let bounds = check_bounds(now, &bounds)?;
    if cells.is_empty() && bounds.is_empty() {
        let problem = "no bound is stated, so there is nothing to check";
        let remedy = "state one in the [bounds] table of the spec, or name a --baseline";
        return Err(Input::new("bounds", "(nothing)", problem, remedy).into());
    }
    Ok(Report {
        name: now.name.clone(),
        seed: now.seed,
        options,
        cells,
        bounds,
        measured: now.cells.clone(),
    })
}

/// The same cell before and now.
type Both<'a> = (&'a Counts, &'a Counts);

/// The cells of both, which must be the same.
fn matched<'a>(
    now: &'a Baseline,
    before: &'a Baseline,
    mode: Mode,
) -> std::result::Result<Vec<Both<'a>>, Input> {
    let other = |problem: String| {
        let remedy =
            "name the baseline of this experiment, or make a new one with hustings baseline";
        Input::new("baseline", &before.name, problem, remedy)
    };
    if mode == Mode::Exact && now.seed != before.seed {
        let problem = format!(
            "it is of seed {}, and the results are of seed {}, so runs cannot be equal",
            before.seed, now.seed
        );
        let remedy = "use the same seed, or --mode statistical";
        return Err(Input::new("baseline", &before.name, problem, remedy));
    }
    let index = |cells: &'a [Counts]| -> HashMap<&'a Columns, &'a Counts> {
        cells.iter().map(|cell| (&cell.columns, cell)).collect()
    };
    let (there, here) = (index(&before.cells), index(&now.cells));
    if let Some(missing) = before.cells.iter().find(|cell| !here.contains_key(&cell.columns)) {
        let cell = missing.columns.join(" ");
        return Err(other(format!("it is of another spec: {cell} was not measured now")));
    }
    let mut pairs = Vec::new();
    for cell in &now.cells {
        let Some(&old) = there.get(&cell.columns) else {
            let cell = cell.columns.join(" ");
            return Err(other(format!("it is of another spec: it has no {cell}")));
        };
        pairs.push((old, cell));
    }
    Ok(pairs)
}

/// So many differing runs of a cell are shown.
const SHOWN: usize = 3;

fn exact(pairs: &[Both<'_>], seed: u64) -> Result<Vec<CellCheck>> {
    let mut checks = Vec::new();
    for &(before, now) in pairs {
        let cell = table::cell(&now.columns)?;
        let both = before.first.iter().zip(&now.first).enumerate();
        let differing: Vec<_> = both.filter(|(_, (before, now))| before != now).collect();
        if before.runs != now.runs && differing.is_empty() {
            let problem = format!(
                "it is of another spec: {} has {} runs there and {} now",
                now.columns.join(" "),
                before.runs,
                now.runs
            );
            let remedy = "use as many runs, or make a new baseline with hustings baseline";
            return Err(Input::new("baseline", before.runs, problem, remedy).into());
        }
        let differing_runs = differing.len() as u64;
        let differences = differing.into_iter().take(SHOWN).map(|(run, (&before, &now))| {
            let run = run as u64;
            Difference { run, before, now, command: cell.command(seed, run) }
        });
        let differences: Vec<Difference> = differences.collect();
        let equal = before.hash == now.hash && differences.is_empty();
        let verdict = if equal { Verdict::Equal } else { Verdict::Differs };
        checks.push(CellCheck { differences, differing_runs, ..bare(before, now, verdict) });
    }
    Ok(checks)
}

/// A check that says nothing but its verdict.
fn bare(before: &Counts, now: &Counts, verdict: Verdict) -> CellCheck {
    CellCheck {
        columns: now.columns.clone(),
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

fn statistical(pairs: &[Both<'_>], same_seed: bool, options: Options) -> Result<Vec<CellCheck>> {
    let Options { margin, alpha, .. } = options;
    let mut tested: Vec<Option<(Pair, Estimate)>> = Vec::new();
    for &(before, now) in pairs {
        let fixed = table::cell(&now.columns)?.draws().nothing();
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
    for (place, &(before, now)) in pairs.iter().enumerate() {
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
    Ok(checks)
}

fn check_bounds(now: &Baseline, bounds: &[&Bound]) -> Result<Vec<BoundCheck>> {
    let mut checks = Vec::new();
    for bound in bounds {
        let mut measured =
            now.cells.iter().filter(|cell| cell.columns[0] == bound.algorithm).peekable();
        if measured.peek().is_none() {
            let problem = format!("a bound is stated for {}, and it was not run", bound.algorithm);
            let remedy = "add it to the experiment, or remove its bound";
            return Err(Input::new("bounds", &bound.algorithm, problem, remedy).into());
        }
        for counts in measured {
            let cell = table::cell(&counts.columns)?;
            let value = bound.value(&cell)?;
            let (messages, command) = match bound.of {
                Of::Run => (counts.max as f64, Some(cell.command(now.seed, counts.max_run))),
                Of::Mean => (counts.mean, None),
            };
            checks.push(BoundCheck {
                columns: counts.columns.clone(),
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
