//! Every cell's estimates beside its theorems, and whether they agree.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::per_run::PerRun;
use super::theorem::Theorem;
use crate::experiment::key::CellKey;
use crate::model::theory::{Fact, Value};
use crate::results::{CellRecord, Run};
use crate::statistics::moments::Moments;
use crate::statistics::quantiles::{Counted, quantile, quantile_interval};
use crate::statistics::{CONFIDENCE, sequential, share, student};

/// The probability that any of an experiment's verdicts on means is a false alarm, at most.
pub const FAMILY_ERROR: f64 = 0.001;

/// Fewer runs get no verdict on their mean, since it would lean on the normal distribution of means
/// too early.
pub const FEWEST_RUNS: u64 = 30;

/// Whether the mean is that of the theorem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeanVerdict {
    /// The mean is as near to the exact expectation as chance lets it be.
    Agrees,
    /// It is not.
    Differs,
    /// Every run has exactly the number that theory says.
    ConstantAgrees,
    /// Theory says one number for all runs, and some have another.
    ConstantDiffers,
    /// No exact expectation is known.
    NoTheorem,
    /// There are too few runs to say.
    TooFewRuns,
}

/// Whether all runs lie between best and worst case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundVerdict {
    /// They do.
    Hold,
    /// One does not.
    Violated,
    /// No bound is known.
    NoTheorem,
}

impl std::fmt::Display for MeanVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::ConstantAgrees => "constant-agrees",
            Self::ConstantDiffers => "constant-differs",
            Self::NoTheorem => "no-theorem",
            Self::TooFewRuns => "too-few-runs",
        })
    }
}

impl std::fmt::Display for BoundVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Hold => "hold",
            Self::Violated => "violated",
            Self::NoTheorem => "no-theorem",
        })
    }
}

/// A quantile with its distribution-free interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quantile {
    /// The estimate.
    pub value: Option<f64>,
    /// The interval's ends, where there are runs enough for one.
    pub interval: Option<(u64, u64)>,
}

/// The quantiles of `cells.csv`, by name.
pub const QUANTILES: [(&str, f64); 5] =
    [("median", 0.5), ("q05", 0.05), ("q25", 0.25), ("q75", 0.75), ("q95", 0.95)];

/// How often an algorithm that may fail has failed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Failures {
    /// The runs without a leader, or with more than one.
    pub runs: u64,
    /// Their share of all runs.
    pub share: f64,
    /// The 95 % interval of the probability to fail (Wilson).
    pub interval: (f64, f64),
}

/// What is known about one cell.
#[derive(Debug, Clone, Serialize)]
pub struct CellSummary {
    /// Which cell.
    #[serde(flatten)]
    pub key: CellKey,
    /// How many runs.
    pub runs: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Their standard deviation.
    pub sd: Option<f64>,
    /// The standard error of the mean.
    pub standard_error: Option<f64>,
    /// The 95 % interval of the mean: Student's, or that of [`sequential`] where the runs themselves
    /// decided when to stop.
    pub interval: Option<(f64, f64)>,
    /// The quantiles, in the order of [`QUANTILES`].
    #[serde(serialize_with = "named_quantiles")]
    pub quantiles: [Quantile; 5],
    /// The fewest messages of a run.
    pub min: Option<u64>,
    /// The most.
    pub max: Option<u64>,
    /// How much longer the right tail is.
    pub skewness: Option<f64>,
    /// No run needs fewer messages.
    pub theory_best: Option<Fact>,
    /// The mean over all runs that the cell may have.
    pub theory_mean: Option<Fact>,
    /// No run needs more messages.
    pub theory_worst: Option<Fact>,
    /// The standard deviation of a run.
    pub theory_sd: Option<f64>,
    /// The mean over that of theory.
    pub measured_over_theory: Option<f64>,
    /// The distance of the mean from its exact expectation, in standard errors.
    pub z: Option<f64>,
    /// The probability of a distance at least as large; where the runs themselves decided when to
    /// stop, at any run at all ([`sequential::two_sided_p`]).
    pub p: Option<f64>,
    /// The same, corrected for the number of cells (Holm).
    pub p_holm: Option<f64>,
    /// Whether the mean is that of the theorem.
    pub verdict_mean: MeanVerdict,
    /// Whether all runs lie between best and worst case.
    pub verdict_bounds: BoundVerdict,
    /// The command that repeats a run outside.
    pub offending_command: Option<String>,
    /// Whether the runs themselves decided when to stop.
    pub sequential: bool,
    /// Who carried out the runs.
    pub engine: String,
    /// How often it failed, where the algorithm may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Failures>,
    /// The mean number of edges of its networks; `None` on rings, where it is n.
    pub edges: Option<f64>,
    /// The mean time until the last message arrived, where every run tells.
    #[serde(skip)]
    pub mean_end: Option<f64>,
    /// The mean number of messages that only tell the winner.
    #[serde(skip)]
    pub mean_announcements: f64,
    /// Where in `runs.csv` its runs begin.
    #[serde(skip)]
    pub offset: u64,
    /// The messages of its runs 0, 1, 2, ..., where there was room to keep them: who needs them one by
    /// one reads the file again only where they are missing.
    #[serde(skip)]
    pub(crate) kept: Option<Arc<[u64]>>,
}

fn named_quantiles<S: Serializer>(
    quantiles: &[Quantile; 5],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(QUANTILES.iter().map(|(name, _)| name).zip(quantiles))
}

impl CellSummary {
    /// The number of nodes.
    pub fn n(&self) -> u64 {
        u64::from(self.key.n)
    }

    /// Whether a theorem is contradicted.
    pub fn is_contradiction(&self) -> bool {
        matches!(self.verdict_mean, MeanVerdict::Differs | MeanVerdict::ConstantDiffers)
            || self.verdict_bounds == BoundVerdict::Violated
    }
}

/// The runs of one cell while they come in.
pub(super) struct Gathered {
    offset: u64,
    moments: Moments,
    values: Counted,
    /// The mean time of the last message so far: no sum that could grow out of hand.
    mean_end: Option<f64>,
    announcements: u128,
    /// Runs without a leader.
    leaderless: u64,
    kept: Option<Vec<u64>>,
    /// On graphs every run has its own theorem.
    per_run: Option<PerRun>,
}

impl Gathered {
    /// Before the first run; there is room to keep so many.
    pub(super) fn new(record: &CellRecord, seed: u64, offset: u64, room: u64) -> Self {
        Gathered {
            kept: (record.runs <= room).then(Vec::new),
            offset,
            moments: Moments::new(),
            values: Counted::new(),
            mean_end: Some(0.0),
            announcements: 0,
            leaderless: 0,
            per_run: PerRun::new(&record.cell, seed),
        }
    }

    pub(super) fn push(&mut self, run: &Run<'_>) {
        match &mut self.kept {
            Some(kept) if run.run == kept.len() as u64 => kept.push(run.messages),
            kept => *kept = None,
        }
        self.moments.push(run.run, run.messages);
        self.values.push(run.messages);
        let runs = self.moments.count() as f64;
        let end = self.mean_end.zip(run.end());
        self.mean_end = end.map(|(mean, end)| mean + (end - mean) / runs);
        self.announcements += u128::from(run.announcements().unwrap_or(0));
        self.leaderless += u64::from(!run.has_leader());
        if let Some(per_run) = &mut self.per_run {
            per_run.push(run);
        }
    }
}

/// What the runs of a cell come to.
pub(super) fn judge(gathered: Gathered, record: &CellRecord, seed: u64) -> CellSummary {
    let (cell, per_run) = (&record.cell, gathered.per_run.as_ref());
    let (moments, values) = (&gathered.moments, &gathered.values);
    let (theorem, tight, (verdict_bounds, offending)) = match per_run {
        None => {
            let theorem = Theorem::of(cell);
            let tight = tight(moments, &theorem, record.sequential);
            let bounds = bounds(moments, &theorem);
            (theorem, tight, bounds)
        }
        Some(per_run) => judge_each(per_run, moments, record.sequential),
    };
    let may_fail = cell.algorithm().model.may_fail;
    let commands: Vec<String> = offending.iter().map(|&run| cell.command(seed, run)).collect();
    let mean = moments.mean();
    let expected = theorem.mean.as_ref().map(|fact| fact.value.as_f64());
    CellSummary {
        key: record.key().clone(),
        runs: moments.count(),
        mean,
        sd: moments.standard_deviation(),
        standard_error: moments.standard_error(),
        interval: match record.sequential {
            true => moments.sequential_interval(CONFIDENCE),
            false => moments.interval(CONFIDENCE),
        },
        quantiles: QUANTILES.map(|(_, p)| Quantile {
            value: quantile(values, p),
            interval: quantile_interval(values, p, CONFIDENCE),
        }),
        min: moments.min().map(|extreme| extreme.value),
        max: moments.max().map(|extreme| extreme.value),
        skewness: moments.skewness(),
        measured_over_theory: mean.zip(expected).map(|(mean, expected)| mean / expected),
        theory_best: theorem.best,
        theory_mean: theorem.mean,
        theory_worst: theorem.worst,
        theory_sd: theorem.sd,
        z: tight.z,
        p: tight.p,
        p_holm: None,
        verdict_mean: tight.verdict,
        verdict_bounds,
        offending_command: (!commands.is_empty()).then(|| commands.join("; ")),
        sequential: record.sequential,
        engine: record.engine.clone(),
        failures: failures(gathered.leaderless, moments.count()).filter(|_| may_fail),
        edges: per_run.map(PerRun::edges),
        mean_end: gathered.mean_end,
        mean_announcements: gathered.announcements as f64 / moments.count() as f64,
        offset: gathered.offset,
        kept: gathered.kept.map(Arc::from),
    }
}

/// How often it failed; `None` without runs.
fn failures(failed: u64, runs: u64) -> Option<Failures> {
    let interval = share::interval(failed, runs, CONFIDENCE)?;
    Some(Failures { runs: failed, share: failed as f64 / runs as f64, interval })
}

/// The verdicts where every run has its own theorem.
fn judge_each(
    per_run: &PerRun,
    moments: &Moments,
    sequential: bool,
) -> (Theorem, Tight, (BoundVerdict, Vec<u64>)) {
    let mut theorem = per_run.theorem();
    let verdict = match theorem.mean {
        _ if per_run.differs() => MeanVerdict::ConstantDiffers,
        Some(_) => MeanVerdict::ConstantAgrees,
        None => MeanVerdict::NoTheorem,
    };
    let outside = per_run.outside().to_vec();
    let bounds = match (outside.is_empty(), theorem.best.is_none() && theorem.worst.is_none()) {
        (false, _) => BoundVerdict::Violated,
        (true, true) => BoundVerdict::NoTheorem,
        (true, false) => BoundVerdict::Hold,
    };
    let mut judged = Tight { z: None, p: None, verdict };
    if theorem.mean.is_none() && !per_run.differs() {
        theorem.mean = per_run.mean_over_coins();
        judged = tight(moments, &theorem, sequential);
    }
    (theorem, judged, (bounds, outside))
}

struct Tight {
    z: Option<f64>,
    p: Option<f64>,
    verdict: MeanVerdict,
}

/// The mean against its exact expectation; the correction for many cells comes later.
///
/// The standard error is the larger of the theorem's and the sample's: where a sample of skewed
/// counts strays far, one of the two is too small by chance, and the larger keeps false alarms as
/// rare as promised.
fn tight(moments: &Moments, theorem: &Theorem, sequential: bool) -> Tight {
    let only = |verdict| Tight { z: None, p: None, verdict };
    let Some(expected) = theorem.mean.as_ref().filter(|fact| fact.is_exact()) else {
        return only(MeanVerdict::NoTheorem);
    };
    let (Some(mean), Some(min), Some(max)) = (moments.mean(), moments.min(), moments.max()) else {
        return only(MeanVerdict::TooFewRuns);
    };
    if theorem.sd == Some(0.0) {
        return only(match is(min.value, expected.value) && is(max.value, expected.value) {
            true => MeanVerdict::ConstantAgrees,
            false => MeanVerdict::ConstantDiffers,
        });
    }
    let runs = moments.count();
    let sampled = moments.standard_error().unwrap_or(0.0);
    let known = theorem.sd.map_or(0.0, |sd| sd / (runs as f64).sqrt());
    let standard_error = sampled.max(known);
    if runs < FEWEST_RUNS {
        return only(MeanVerdict::TooFewRuns);
    }
    if standard_error <= 0.0 {
        // Equal runs stop a cell at its first look: their number was fixed beforehand even then.
        return match chernoff_p(min.value, runs, theorem) {
            Some(p) => Tight { z: None, p: Some(p), verdict: MeanVerdict::Agrees },
            None => only(MeanVerdict::TooFewRuns),
        };
    }
    let z = (mean - expected.value.as_f64()) / standard_error;
    let p = match sequential {
        true => sequential::two_sided_p(z, runs),
        false => student::two_sided_p(z, runs as f64 - 1.0),
    };
    Tight { z: Some(z), p, verdict: MeanVerdict::Agrees }
}

/// For runs that all have the same `value` though theory does not say so: the probability that the
/// mean of any distribution between best and worst case strays so far is at most
/// 2 exp(-r D), D = x ln(x/m) + (1-x) ln((1-x)/(1-m)), with x the mean and m its expectation, both as
/// shares of the way from best to worst (Hoeffding 1963, theorem 1). `None` without such bounds.
fn chernoff_p(value: u64, runs: u64, theorem: &Theorem) -> Option<f64> {
    let best = theorem.best.as_ref()?.value.as_f64();
    let worst = theorem.worst.as_ref()?.value.as_f64();
    let share = |x: f64| (x - best) / (worst - best);
    let x = share(value as f64);
    let m = share(theorem.mean.as_ref()?.value.as_f64());
    if !((0.0..=1.0).contains(&x) && m > 0.0 && m < 1.0) {
        return None;
    }
    let part = |x: f64, m: f64| if x > 0.0 { x * (x / m).ln() } else { 0.0 };
    let divergence = part(x, m) + part(1.0 - x, 1.0 - m);
    Some((2.0 * (-(runs as f64) * divergence).exp()).min(1.0))
}

fn is(messages: u64, value: Value) -> bool {
    match value {
        Value::Whole(value) => u128::from(messages) == value,
        Value::Real(value) => (messages as f64 - value).abs() <= 1e-9 * value.abs(),
    }
}

/// Best and worst against the extremes; the runs outside, if any.
fn bounds(moments: &Moments, theorem: &Theorem) -> (BoundVerdict, Vec<u64>) {
    if theorem.best.is_none() && theorem.worst.is_none() {
        return (BoundVerdict::NoTheorem, Vec::new());
    }
    let below = theorem.best.as_ref().zip(moments.min()).filter(|(best, min)| match best.value {
        Value::Whole(best) => u128::from(min.value) < best,
        Value::Real(best) => (min.value as f64) < best * (1.0 - 1e-12),
    });
    let above =
        theorem.worst.as_ref().zip(moments.max()).filter(|(worst, max)| match worst.value {
            Value::Whole(worst) => u128::from(max.value) > worst,
            Value::Real(worst) => max.value as f64 > worst * (1.0 + 1e-12),
        });
    let runs: Vec<u64> = below.into_iter().chain(above).map(|(_, extreme)| extreme.run).collect();
    let verdict = if runs.is_empty() { BoundVerdict::Hold } else { BoundVerdict::Violated };
    (verdict, runs)
}
