//! The limits: what is measured against what, and how near we are to be.

use std::fmt;
use std::process::ExitCode;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode};
use hustings::statistics::quantiles::interval_ranks;

use super::turns::{Turns, in_turns};

/// Pairs of times for each row.
pub const SAMPLES: usize = 12;

/// How near to the limit is near enough.
#[derive(Clone, Copy)]
pub enum Reach {
    /// At least so much of its speed.
    Speed(f64),
    /// At most so many times its time.
    Time(f64),
}

impl Reach {
    /// The measured ratio in the words of the goal.
    fn of(self, ratio: f64) -> f64 {
        match self {
            Reach::Speed(_) => ratio.recip(),
            Reach::Time(_) => ratio,
        }
    }

    fn is_met_by(self, value: f64) -> bool {
        match self {
            Reach::Speed(least) => value >= least,
            Reach::Time(most) => value <= most,
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reach::Speed(least) => write!(f, "at least {least:.2}"),
            Reach::Time(most) => write!(f, "at most {most:.2}"),
        }
    }
}

/// All rows that were measured.
#[derive(Default)]
pub struct Limits {
    rows: Vec<Row>,
}

struct Row {
    name: String,
    reach: Reach,
    /// The ratios of our time to the limit's, in ascending order.
    ratios: Vec<f64>,
}

impl Limits {
    /// A group of rows.
    pub fn group<'a>(&'a mut self, criterion: &'a mut Criterion<Turns>, name: &str) -> Group<'a> {
        let mut group = criterion.benchmark_group(name);
        // A ratio does not grow with the number of calls.
        group.sampling_mode(SamplingMode::Flat);
        Group { name: name.to_owned(), group, limits: self }
    }

    /// Prints the table; fails if a limit is missed and that is to be fatal.
    pub fn print(&self) -> ExitCode {
        if self.rows.is_empty() {
            return ExitCode::SUCCESS;
        }
        println!("{:<58} {:>6}  {:<15} {:<14}", "limit", "median", "95 % interval", "reach");
        let mut missed = 0;
        for row in &self.rows {
            let (median, interval) = row.estimate();
            let verdict = match interval.map(|value| row.reach.is_met_by(value)) {
                [true, true] => "reached",
                [false, false] => "MISSED",
                _ => "unclear",
            };
            missed += usize::from(verdict == "MISSED");
            let interval = format!("[{:.2}, {:.2}]", interval[0], interval[1]);
            let reach = row.reach.to_string();
            println!("{:<58} {median:>6.2}  {interval:<15} {reach:<14} {verdict}", row.name);
        }
        let fatal = std::env::var("HUSTINGS_LIMITS").is_ok_and(|value| value == "fatal");
        if fatal && missed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

impl Row {
    /// The median, and the interval that has it with a probability of 95 %, by order statistics.
    fn estimate(&self) -> (f64, [f64; 2]) {
        let count = self.ratios.len();
        let at = |rank: u64| self.reach.of(self.ratios[rank as usize - 1]);
        let middle = (at(count.div_ceil(2) as u64) + at((count / 2 + 1) as u64)) / 2.0;
        let (low, high) = interval_ranks(count as u64, 0.5, 0.95).unwrap_or((1, count as u64));
        let mut interval = [at(low), at(high)];
        interval.sort_by(f64::total_cmp);
        (middle, interval)
    }
}

/// Our side and the limit's.
pub struct Sides {
    ours: Box<dyn FnMut()>,
    limit: Box<dyn FnMut()>,
    /// What the ratio of their times is multiplied by.
    weight: f64,
}

impl Sides {
    /// Two sides that do the same.
    pub fn new(ours: impl FnMut() + 'static, limit: impl FnMut() + 'static) -> Self {
        Sides { ours: Box::new(ours), limit: Box::new(limit), weight: 1.0 }
    }

    /// Sides that send different numbers of messages, compared by the message.
    pub fn by_message(self, [ours, limit]: [u64; 2]) -> Self {
        Sides { weight: limit as f64 / ours as f64, ..self }
    }
}

/// Rows of one kind.
pub struct Group<'a> {
    name: String,
    group: BenchmarkGroup<'a, Turns>,
    limits: &'a mut Limits,
}

impl Group<'_> {
    /// Measures a row: our side and the limit's in turns. They are made only if the row is asked for.
    pub fn row(&mut self, (name, size): (&str, u64), reach: Reach, make: impl FnOnce() -> Sides) {
        let mut ratios = Vec::new();
        let (mut make, mut sides) = (Some(make), None);
        self.group.bench_function(BenchmarkId::new(name, size), |bencher| {
            let make = || make.take().expect("made once")();
            let Sides { ours, limit, weight } = sides.get_or_insert_with(make);
            bencher.iter_custom(|times| {
                let ratio = *weight * in_turns(times, &mut *ours, &mut *limit);
                ratios.push(ratio);
                times as f64 * ratio
            });
        });
        // The first ones are for warming up; a trial has no more.
        let Some(warm) = ratios.len().checked_sub(SAMPLES) else { return };
        let mut ratios = ratios.split_off(warm);
        ratios.sort_by(f64::total_cmp);
        let name = format!("{}/{name}/{size}", self.name);
        self.limits.rows.push(Row { name, reach, ratios });
    }
}
