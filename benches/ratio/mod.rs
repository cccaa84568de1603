//! Ratios of running times, measured so that they mean something on a noisy machine: the two sides
//! take turns, and what counts is the median over the turns of their ratio. (Criterion measures
//! one side after the other, so a busy neighbour during one of them would shift the ratio.)

use std::time::{Duration, Instant};

/// The shortest stretch that is timed.
const STRETCH: Duration = Duration::from_millis(20);
const TURNS: usize = 15;

/// How one side compares with the other.
pub struct Ratio {
    /// Seconds per call of the first and the second side, medians.
    pub seconds: [f64; 2],
    /// The median of first/second.
    pub ratio: f64,
}

/// Times both sides in turns.
pub fn measure(mut first: impl FnMut(), mut second: impl FnMut()) -> Ratio {
    let calls = [calls_per_stretch(&mut first), calls_per_stretch(&mut second)];
    let mut times: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        times[0].push(time(calls[0], &mut first));
        times[1].push(time(calls[1], &mut second));
    }
    let ratios = times[0].iter().zip(&times[1]).map(|(a, b)| a / b).collect();
    let [first, second] = times;
    Ratio { seconds: [median(first), median(second)], ratio: median(ratios) }
}

fn calls_per_stretch(side: &mut impl FnMut()) -> u32 {
    side(); // warms caches and buffers
    let mut calls = 1;
    while time(calls, side) * f64::from(calls) < STRETCH.as_secs_f64() {
        calls *= 2;
    }
    calls
}

fn time(calls: u32, side: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        side();
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
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
