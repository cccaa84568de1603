//! Ratios of running times, measured so that they mean something on a noisy machine: the two sides
//! take turns, and what counts is the median over the turns of their ratio. (Criterion measures
//! one side after the other, so a busy neighbour during one of them would shift the ratio.)

use std::time::{Duration, Instant};

/// The shortest stretch that is timed.
const STRETCH: Duration = Duration::from_millis(20);
const TURNS: usize = 15;

/// No new turn after so long, but for the first three.
const PATIENCE: Duration = Duration::from_secs(8);

/// How one side compares with the other.
pub struct Ratio {
    /// Seconds per call of the first and the second side, medians.
    pub seconds: [f64; 2],
    /// The median of first/second.
    pub ratio: f64,
}

impl Ratio {
    /// The ratio over turns in which both sides were timed.
    pub fn of(turns: &[[f64; 2]]) -> Self {
        let seconds = [0, 1].map(|side| median(turns.iter().map(|turn| turn[side]).collect()));
        let ratio = median(turns.iter().map(|[first, second]| first / second).collect());
        Ratio { seconds, ratio }
    }
}

/// Times both sides in turns, each for a stretch of many calls.
#[allow(dead_code, reason = "not every bench calls all of this")]
pub fn measure(mut first: impl FnMut(), mut second: impl FnMut()) -> Ratio {
    let calls = [calls_per_stretch(&mut first), calls_per_stretch(&mut second)];
    let start = Instant::now();
    let turns: Vec<_> = (0..TURNS)
        .take_while(|&turn| turn < 3 || start.elapsed() < PATIENCE)
        .map(|_| [time_per_call(calls[0], &mut first), time_per_call(calls[1], &mut second)])
        .collect();
    Ratio::of(&turns)
}

fn calls_per_stretch(side: &mut impl FnMut()) -> u32 {
    side(); // warms caches and buffers
    let mut calls = 1;
    while time_per_call(calls, side) * f64::from(calls) < STRETCH.as_secs_f64() {
        calls *= 2;
    }
    calls
}

fn time_per_call(calls: u32, side: &mut impl FnMut()) -> f64 {
    timed(|| (0..calls).for_each(|_| side())) / f64::from(calls)
}

/// The seconds that `work` takes.
pub fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Whether `cargo bench -- FILTER` asks for a row.
pub fn wanted(name: &str) -> bool {
    let filters: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()))
}
