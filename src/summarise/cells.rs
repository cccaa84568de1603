//! Every cell's estimates beside its theorems, and whether they agree.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::per_run::{Beside, PerRun};
use super::sample::{Gathering, Sample};
use super::theorem::Theorem;
use crate::experiment::key::CellKey;
use crate::model::metric::Metric;
use crate::model::theory::{Fact, Value};
use crate::results::{CellRecord, Run};
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
    /// The mean is as near to its expectation as chance lets it be.
    Agrees,
    /// It is not.
    Differs,
    /// Every run has exactly the number that theory says.
    ConstantAgrees,
    /// Theory says one number for all runs, and some have another.
    ConstantDiffers,
    /// No expectation is known, or nobody can say how well.
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
    /// What of its runs.
    pub metric: Metric,
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
    /// The least of a run: the fewest messages.
    pub min: Option<Value>,
    /// The most.
    pub max: Option<Value>,
    /// How much longer the right tail is.
    pub skewness: Option<f64>,
    /// No run has less.
    pub theory_best: Option<Fact>,
    /// The mean over all runs that the cell may have.
    pub theory_mean: Option<Fact>,
    /// No run has more.
    pub theory_worst: Option<Fact>,
    /// The standard deviation of a run.
    pub theory_sd: Option<f64>,
    /// The mean over that of theory.
    pub measured_over_theory: Option<f64>,
    /// The distance of the mean from its expectation, less the error of that, in standard errors.
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

/// The metrics beside messages.
const OTHERS: [Metric; 5] =
    [Metric::Bits, Metric::Time, Metric::End, Metric::Rounds, Metric::MaxNodeMessages];

/// The runs of one cell while they come in.
pub(super) struct Gathered {
    offset: u64,
    messages: Sample,
    others: [Gathering; OTHERS.len()],
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
            messages: Sample::new(),
            others: [const { Gathering::new() }; OTHERS.len()],
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
        if self.messages.count() == 0 {
            self.others[0] = Gathering::of_bits(run.value(Metric::Bits), run.messages);
        }
        for (gathering, metric) in self.others.iter_mut().zip(OTHERS) {
            gathering.push(run.run, run.value(metric), run.messages, &self.messages);
        }
        self.messages.push(run.run, Value::Whole(run.messages.into()), 1);
        self.announcements += u128::from(run.announcements().unwrap_or(0));
        self.leaderless += u64::from(!run.has_leader());
        if let Some(per_run) = &mut self.per_run {
            per_run.push(run);
        }
    }
}

/// What the runs of a cell come to: in messages, and in every other metric that all of them tell.
pub(super) fn judge(
    gathered: Gathered,
    record: &CellRecord,
    seed: u64,
) -> (CellSummary, Vec<CellSummary>) {
    let per_run = gathered.per_run.as_ref();
    let messages = gathered.messages;
    let mut others = Vec::new();
    for (gathering, metric) in gathered.others.into_iter().zip(OTHERS) {
        if let Some(sample) = gathering.finish(&messages) {
            let other = judge_metric(metric, &sample, per_run, record, seed);
            others.push(CellSummary { offset: gathered.offset, ..other });
        }
    }
    let may_fail = record.cell.algorithm().model.may_fail;
    let end = others.iter().find(|other| other.metric == Metric::End);
    let cell = CellSummary {
        mean_end: end.and_then(|end| end.mean),
        mean_announcements: gathered.announcements as f64 / messages.count() as f64,
        failures: failures(gathered.leaderless, messages.count()).filter(|_| may_fail),
        offset: gathered.offset,
        kept: gathered.kept.map(Arc::from),
        ..judge_metric(Metric::Messages, &messages, per_run, record, seed)
    };
    (cell, others)
}

fn judge_metric(
    metric: Metric,
    sample: &Sample,
    per_run: Option<&PerRun>,
    record: &CellRecord,
    seed: u64,
) -> CellSummary {
    let cell = &record.cell;
    let (theorem, tight, (verdict_bounds, offending)) = match per_run {
        None => judge_all(Theorem::of(cell, metric), sample, record),
        Some(per_run) => judge_each(per_run, metric, sample, record),
    };
    let commands: Vec<String> = offending.iter().map(|&run| cell.command(seed, run)).collect();
    let mean = sample.mean();
    let expected = theorem.mean.as_ref().map(|fact| fact.value.as_f64());
    CellSummary {
        key: record.key().clone(),
        metric,
        runs: sample.count(),
        mean,
        sd: sample.standard_deviation(),
        standard_error: sample.standard_error(),
        interval: sample.interval(CONFIDENCE, record.sequential),
        quantiles: QUANTILES.map(|(_, p)| Quantile {
            value: sample.quantile(p),
            interval: sample.quantile_interval(p, CONFIDENCE),
        }),
        min: sample.min().map(|(value, _)| value),
        max: sample.max().map(|(value, _)| value),
        skewness: sample.skewness(),
        // 0 of 0 says nothing.
        measured_over_theory: mean
            .zip(expected.filter(|&expected| expected != 0.0))
            .map(|(mean, expected)| mean / expected),
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
        failures: None,
        edges: per_run.map(PerRun::edges),
        mean_end: None,
        mean_announcements: 0.0,
        offset: 0,
        kept: None,
    }
}

/// How often it failed; `None` without runs.
fn failures(failed: u64, runs: u64) -> Option<Failures> {
    let interval = share::interval(failed, runs, CONFIDENCE)?;
    Some(Failures { runs: failed, share: failed as f64 / runs as f64, interval })
}

/// A theorem, and the verdicts beside it.
type Judged = (Theorem, Tight, (BoundVerdict, Vec<u64>));

/// The verdicts where all runs have the same theorem.
fn judge_all(theorem: Theorem, sample: &Sample, record: &CellRecord) -> Judged {
    let tight = tight(sample, &theorem, record.sequential);
    let bounds = bounds(sample, &theorem);
    (theorem, tight, bounds)
}

/// The verdicts where every run has its own theorem; a mean over coins is that of all.
fn judge_each(per_run: &PerRun, metric: Metric, sample: &Sample, record: &CellRecord) -> Judged {
    match (judge_beside(per_run.beside(metric)), per_run.mean_over_coins(metric)) {
        ((theorem @ Theorem { mean: None, .. }, _, bounds), mean @ Some(_)) => {
            let theorem = Theorem { mean, ..theorem };
            let tight = tight(sample, &theorem, record.sequential);
            (theorem, tight, bounds)
        }
        (judged, _) => judged,
    }
}

fn judge_beside(per_run: &Beside) -> Judged {
    let theorem = per_run.theorem();
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
    (theorem, Tight { z: None, p: None, verdict }, (bounds, outside))
}

struct Tight {
    z: Option<f64>,
    p: Option<f64>,
    verdict: MeanVerdict,
}

/// The mean against its expectation; the correction for many cells comes later.
///
/// Where the expectation is known up to an error, the one nearest to the mean that it leaves counts.
///
/// The standard error is the larger of the theorem's and the sample's: where a sample of skewed
/// counts strays far, one of the two is too small by chance, and the larger keeps false alarms as
/// rare as promised.
fn tight(sample: &Sample, theorem: &Theorem, sequential: bool) -> Tight {
    let only = |verdict| Tight { z: None, p: None, verdict };
    let known = theorem.mean.as_ref().and_then(|fact| Some((fact.value, fact.within()?)));
    let Some((value, error)) = known else { return only(MeanVerdict::NoTheorem) };
    let (Some(mean), Some((min, _)), Some((max, _))) = (sample.mean(), sample.min(), sample.max())
    else {
        return only(MeanVerdict::TooFewRuns);
    };
    if theorem.sd == Some(0.0) {
        return only(match is(min, value) && is(max, value) {
            true => MeanVerdict::ConstantAgrees,
            false => MeanVerdict::ConstantDiffers,
        });
    }
    let runs = sample.count();
    let sampled = sample.standard_error().unwrap_or(0.0);
    let known = theorem.sd.map_or(0.0, |sd| sd / (runs as f64).sqrt());
    let standard_error = sampled.max(known);
    if runs < FEWEST_RUNS {
        return only(MeanVerdict::TooFewRuns);
    }
    let expected = mean.max(value.as_f64() - error).min(value.as_f64() + error);
    if standard_error <= 0.0 {
        // Equal runs stop a cell at its first look: their number was fixed beforehand even then.
        return match chernoff_p(min.as_f64(), expected, runs, theorem) {
            Some(p) => Tight { z: None, p: Some(p), verdict: MeanVerdict::Agrees },
            None => only(MeanVerdict::TooFewRuns),
        };
    }
    let z = (mean - expected) / standard_error;
    let p = match sequential {
        true => sequential::two_sided_p(z, runs),
        false => student::two_sided_p(z, runs as f64 - 1.0),
    };
    Tight { z: Some(z), p, verdict: MeanVerdict::Agrees }
}

/// For runs that all have the same `value` though theory does not say so: the probability that the
/// mean of any distribution between best and worst case strays so far from what is expected is at most
/// 2 exp(-r D), D = x ln(x/m) + (1-x) ln((1-x)/(1-m)), with x the mean and m its expectation, both as
/// shares of the way from best to worst (Hoeffding 1963, theorem 1). `None` without such bounds.
fn chernoff_p(value: f64, expected: f64, runs: u64, theorem: &Theorem) -> Option<f64> {
    let best = theorem.best.as_ref()?.value.as_f64();
    let worst = theorem.worst.as_ref()?.value.as_f64();
    let share = |x: f64| (x - best) / (worst - best);
    let (x, m) = (share(value), share(expected));
    if !((0.0..=1.0).contains(&x) && m > 0.0 && m < 1.0) {
        return None;
    }
    let part = |x: f64, m: f64| if x > 0.0 { x * (x / m).ln() } else { 0.0 };
    let divergence = part(x, m) + part(1.0 - x, 1.0 - m);
    Some((2.0 * (-(runs as f64) * divergence).exp()).min(1.0))
}

fn is(found: Value, value: Value) -> bool {
    match (found, value) {
        (Value::Whole(found), Value::Whole(value)) => found == value,
        _ => (found.as_f64() - value.as_f64()).abs() <= 1e-9 * value.as_f64().abs(),
    }
}

/// Best and worst against the extremes; the runs outside, if any.
fn bounds(sample: &Sample, theorem: &Theorem) -> (BoundVerdict, Vec<u64>) {
    if theorem.best.is_none() && theorem.worst.is_none() {
        return (BoundVerdict::NoTheorem, Vec::new());
    }
    let (best, worst) = (theorem.best.as_ref(), theorem.worst.as_ref());
    let below = best.zip(sample.min()).filter(|(best, (min, _))| is_below(*min, best.value));
    let above = worst.zip(sample.max()).filter(|(worst, (max, _))| is_below(worst.value, *max));
    let runs: Vec<u64> = below.into_iter().chain(above).map(|(_, (_, run))| run).collect();
    let verdict = if runs.is_empty() { BoundVerdict::Hold } else { BoundVerdict::Violated };
    (verdict, runs)
}

/// Whether one number is smaller than another by more than rounding.
fn is_below(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Whole(a), Value::Whole(b)) => a < b,
        _ => a.as_f64() < b.as_f64() * (1.0 - 1e-12),
    }
}
