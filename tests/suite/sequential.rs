//! Cells that decide themselves when they have runs enough: how often their interval holds the
//! expectation, and how often they raise an alarm.

use std::sync::LazyLock;

use hustings::experiment::plan::Plan;
use hustings::experiment::spec::Spec;
use hustings::model::metric::Metric;
use hustings::results::batch::run_chunk;
use hustings::results::{Part, Precision};
use hustings::statistics::moments::Moments;
use hustings::statistics::sequential::{FEWEST_RUNS_TO_STOP, two_sided_p};
use hustings::statistics::{CONFIDENCE, student};
use hustings::summarise::theorem::Theorem;

use crate::common::REGISTRY;

/// Experiments with each cell.
const EXPERIMENTS: u64 = 2000;

/// If an interval misses with probability 0.05, more than 138 of 2000 do with probability 0.000086.
const MOST_MISSES: u64 = 138;

/// If a false alarm has probability 0.001, more than 9 of 2000 have probability 0.000046.
const MOST_ALARMS: u64 = 9;

fn plan(algorithm: &str, n: u32, until: &str) -> Plan {
    let text = format!(
        "seed = 2024\nalgorithms = '{algorithm}'\nn = {n}\nuntil = '{until}'\nengine = 'count'\naudit = 0"
    );
    Plan::new(&Spec::parse(&text, "test.toml", "test", &REGISTRY).expect("a good spec"))
        .expect("a good plan")
}

/// The runs of the one cell of a plan, without end, each in a chunk of its own.
fn single_runs(plan: &Plan) -> impl Iterator<Item = Part> + '_ {
    const BLOCK: u64 = 4096;
    (0..).step_by(BLOCK as usize).flat_map(|first| {
        let block = run_chunk(plan, 0, first..first + BLOCK).expect("runs");
        let rows: Vec<String> = block.rows.lines().map(str::to_owned).collect();
        let runs = rows.into_iter().zip(first..);
        runs.map(|(rows, run)| Part { rows, ..Part::new(0, run..run + 1) })
    })
}

fn push(moments: &mut Moments, part: &Part) {
    for (run, messages) in part.runs.clone().zip(part.messages()) {
        moments.push(run, messages);
    }
}

/// [`Moments::interval`], with quantiles that are computed once: they take longer than the runs.
fn student_interval(moments: &Moments) -> Option<(f64, f64)> {
    static QUANTILES: LazyLock<Vec<Option<f64>>> = LazyLock::new(|| {
        (0..2000)
            .map(|freedom| student::two_sided_quantile(f64::from(freedom), CONFIDENCE))
            .collect()
    });
    let quantile = QUANTILES[moments.count() as usize - 1]?;
    let (mean, half) = (moments.mean()?, quantile * moments.standard_error()?);
    Some((mean - half, mean + half))
}

fn misses(interval: Option<(f64, f64)>, expected: f64) -> bool {
    let (low, high) = interval.expect("runs enough");
    // A constant has an interval without width, and a mean that is rounded.
    expected < low * (1.0 - 1e-12) || expected > high * (1.0 + 1e-12)
}

/// What many experiments with one cell came to; each begins where the one before has stopped.
#[derive(Default)]
struct Tally {
    misses: u64,
    alarms: u64,
    runs: u64,
}

impl Tally {
    fn coverage(&self) -> f64 {
        1.0 - self.misses as f64 / EXPERIMENTS as f64
    }

    fn mean_runs(&self) -> u64 {
        self.runs / EXPERIMENTS
    }
}

/// Looks after every run and stops as `hustings run` does.
fn stops(plan: &Plan) -> Tally {
    let theorem = Theorem::of(&plan.cells[0].cell, Metric::Messages);
    let expected = theorem.mean.expect("a theorem").value.as_f64();
    let mut runs = single_runs(plan);
    let mut tally = Tally::default();
    for _ in 0..EXPERIMENTS {
        let mut precision = Precision::new(&plan.cells[0]);
        let mut moments = Moments::new();
        for part in runs.by_ref() {
            push(&mut moments, &part);
            if precision.is_enough_with(&part) {
                break;
            }
        }
        let count = moments.count();
        tally.runs += count;
        tally.misses += u64::from(misses(moments.sequential_interval(CONFIDENCE), expected));
        let known = theorem.sd.map_or(0.0, |sd| sd / (count as f64).sqrt());
        let standard_error = moments.standard_error().expect("runs enough").max(known);
        let z = (moments.mean().expect("runs") - expected) / standard_error;
        tally.alarms += u64::from(two_sided_p(z, count).is_some_and(|p| p <= 0.001));
    }
    tally
}

/// The same with Student's interval, from the second run on.
fn stops_by_student(plan: &Plan) -> Tally {
    let cell = &plan.cells[0];
    let expected =
        Theorem::of(&cell.cell, Metric::Messages).mean.expect("a theorem").value.as_f64();
    let until = cell.until.expect("a precision");
    let mut runs = single_runs(plan);
    let mut tally = Tally::default();
    for _ in 0..EXPERIMENTS {
        let mut moments = Moments::new();
        let mut interval = None;
        for part in runs.by_ref() {
            push(&mut moments, &part);
            interval = student_interval(&moments);
            if interval.is_some_and(|(low, high)| high - low <= until * (high + low)) {
                break;
            }
        }
        tally.runs += moments.count();
        tally.misses += u64::from(misses(interval, expected));
    }
    tally
}

fn covers(algorithm: &str, n: u32, until: &str) {
    let plan = plan(algorithm, n, until);
    let (ours, student) = (stops(&plan), stops_by_student(&plan));
    println!(
        "{algorithm}, n = {n}, {until}: Student's {:.3} in {} runs, ours {:.3} in {}, {} alarms at 0.001",
        student.coverage(),
        student.mean_runs(),
        ours.coverage(),
        ours.mean_runs(),
        ours.alarms
    );
    assert!(ours.misses <= MOST_MISSES, "{algorithm} {n}: {} misses", ours.misses);
    assert!(ours.alarms <= MOST_ALARMS, "{algorithm} {n}: {} alarms", ours.alarms);
    // It would not be needed if Student's interval did as well.
    assert!(student.misses > MOST_MISSES, "{algorithm} {n}: {} misses", student.misses);
}

#[test]
fn small_rings_of_chang_and_roberts_are_covered() {
    covers("chang-roberts", 8, "2%");
    covers("chang-roberts", 16, "2%");
}

#[test]
fn larger_rings_of_chang_and_roberts_are_covered() {
    covers("chang-roberts", 64, "3%");
}

#[test]
fn rare_values_are_covered() {
    // One number of messages on 95.6 % and on 97.1 % of all rings.
    covers("peterson", 7, "1%");
    covers("peterson", 8, "1%");
}

#[test]
fn equal_runs_stop_a_cell_as_soon_as_it_may_stop() {
    let tally = stops(&plan("lelann", 8, "0.5%"));
    assert_eq!((tally.misses, tally.mean_runs()), (0, FEWEST_RUNS_TO_STOP));
}

#[test]
fn the_interval_seldom_misses_at_any_run_at_all() {
    const LAST: usize = 1000;
    let plan = plan("chang-roberts", 8, "1%");
    let expected =
        Theorem::of(&plan.cells[0].cell, Metric::Messages).mean.expect("a theorem").value.as_f64();
    let mut runs = single_runs(&plan);
    let (mut ours, mut student) = (0, 0);
    for _ in 0..EXPERIMENTS {
        let mut moments = Moments::new();
        let (mut missed, mut student_missed) = (false, false);
        for part in runs.by_ref().take(LAST) {
            push(&mut moments, &part);
            if moments.count() >= FEWEST_RUNS_TO_STOP {
                missed |= misses(moments.sequential_interval(CONFIDENCE), expected);
                student_missed |= misses(student_interval(&moments), expected);
            }
        }
        ours += u64::from(missed);
        student += u64::from(student_missed);
    }
    println!(
        "missed at any of the runs 256 to {LAST}: {ours}, Student's {student} of {EXPERIMENTS}"
    );
    assert!(ours <= MOST_MISSES && student > 2 * MOST_MISSES, "{ours} {student}");
}
