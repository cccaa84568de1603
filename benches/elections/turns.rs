//! Ratios of running times that mean something on a noisy machine: the two sides take turns within
//! one sample, so that a busy neighbour slows both.

use std::time::Instant;

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter};

/// Measures our time as a multiple of the limit's; lower is better, as criterion expects.
pub struct Turns;

/// Our time as a multiple of the limit's, `times` calls at a stretch: ours, the limit's, the limit's,
/// ours.
pub fn in_turns(times: u64, mut ours: impl FnMut(), mut limit: impl FnMut()) -> f64 {
    let before = stretch(times, &mut ours);
    let between = stretch(2 * times, &mut limit);
    let after = stretch(times, &mut ours);
    (before + after) / between
}

/// The seconds that so many calls take.
fn stretch(times: u64, side: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..times).for_each(|_| side());
    start.elapsed().as_secs_f64()
}

impl Measurement for Turns {
    type Intermediate = ();
    type Value = f64;

    fn start(&self) {}

    fn end(&self, (): ()) -> f64 {
        unreachable!("a ratio is measured by iter_custom alone")
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Turns {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        "times the limit's time"
    }

    fn scale_throughputs(&self, _: f64, _: &Throughput, values: &mut [f64]) -> &'static str {
        values.iter_mut().for_each(|value| *value = value.recip());
        "of the limit's speed"
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "times"
    }
}
