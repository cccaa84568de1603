//! How late messages arrive, and how that is written: a new kind of delays is a few lines here.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::error::Input;
use super::random::{Stream, exponential};

/// In which order and how late messages arrive.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Delay {
    /// Uniform between the two times.
    Uniform(f64, f64),
    /// Exponential with this mean.
    Exponential(f64),
    /// No clock: an adversary who serves the link with the newest message first.
    Lifo,
    /// Drawn by a function of one's own: see [`OwnDelay`].
    Own(&'static OwnDelay),
}

/// Delays of one's own: with `rand` any `Distribution<f64>` will do.
///
/// ```
/// use hustings::model::delay::{Delay, OwnDelay};
/// use hustings::prelude::*;
/// use hustings::rand::distr::{Distribution, Open01};
///
/// /// Most messages are fast, and some are very late: P(delay > x) = 1/x² from 1 on.
/// static PARETO: OwnDelay = OwnDelay {
///     name: "pareto",
///     mean: 2.0,
///     seldom_longer: 50.0,
///     draw: |words| {
///         let unit: f64 = Open01.sample(words);
///         unit.powf(-0.5)
///     },
/// };
///
/// let registry = Registry::standard();
/// let timing = Timing { delay: Some(Delay::Own(&PARETO)), fifo: true };
/// let setting = Setting { timing, ..Setting::of(100) };
/// let cell = Cell::new(registry.named("chang-roberts")?, setting)?;
/// let mut runs = cell.prepare(1)?;
/// let mut simulator = (cell.algorithm().simulator)();
/// assert!(runs.simulate(0, simulator.as_mut())?.messages >= 199);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OwnDelay {
    /// What it is called; one name for one kind of delays.
    pub name: &'static str,
    /// Its mean.
    pub mean: f64,
    /// A time that few delays are longer than. It is a matter of speed alone.
    pub seldom_longer: f64,
    /// Draws one. What is not a number from 1e-100 to 1e100 is taken for the nearest of these.
    pub draw: fn(&mut Stream) -> f64,
}

impl PartialEq for OwnDelay {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The delays that can be: far enough from both ends of floating point for sums and quotients of
/// many.
const POSSIBLE: RangeInclusive<f64> = LEAST..=MOST;
const LEAST: f64 = 1e-100;
const MOST: f64 = 1e100;

impl Delay {
    /// The delays with a word about each.
    pub const ALL: &[(&str, &str)] = &[
        ("uniform:A..B", "delays drawn uniformly between A and B"),
        ("exponential:M", "exponential delays with mean M"),
        ("lifo", "an adversary: newest message first across links; no clock"),
    ];

    /// Some of each kind, the simplest first: what an algorithm is tested with.
    pub const SAMPLES: [Delay; 4] =
        [Delay::Lifo, Delay::Uniform(0.0, 1.0), Delay::Uniform(0.9, 1.1), Delay::Exponential(1.0)];

    /// Whether every message has a delay of its own, and the network a clock.
    pub fn is_random(&self) -> bool {
        self.scale().is_some()
    }

    /// The mean of random delays, and a time that few are longer than.
    pub fn scale(&self) -> Option<(f64, f64)> {
        match *self {
            Delay::Uniform(from, to) => Some((from / 2.0 + to / 2.0, to)),
            // Longer than eight means is one delay in three thousand.
            Delay::Exponential(mean) => Some((mean, 8.0 * mean)),
            Delay::Lifo => None,
            Delay::Own(own) => Some((possible(own.mean), possible(own.seldom_longer))),
        }
    }

    /// Draws so many random delays; an adversary has none.
    pub fn draw<const COUNT: usize>(&self, words: &mut Stream) -> [f64; COUNT] {
        match self {
            Delay::Own(own) => std::array::from_fn(|_| possible((own.draw)(words))),
            _ => {
                let mut delays = words.units();
                self.stretch(&mut delays);
                delays
            }
        }
    }

    /// Makes random delays of uniform numbers in [0, 1).
    fn stretch(&self, units: &mut [f64]) {
        match *self {
            Delay::Uniform(from, to) => {
                units.iter_mut().for_each(|unit| *unit = from + (to - from) * *unit);
            }
            Delay::Exponential(mean) => {
                units.iter_mut().for_each(|unit| *unit = mean * exponential(*unit));
            }
            Delay::Lifo | Delay::Own(_) => {}
        }
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delay::Uniform(from, to) => write!(f, "uniform:{from}..{to}"),
            Delay::Exponential(mean) => write!(f, "exponential:{mean}"),
            Delay::Lifo => f.write_str("lifo"),
            Delay::Own(own) => f.write_str(own.name),
        }
    }
}

impl FromStr for Delay {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        let bad = |problem: &str, remedy: &str| Input::new("timing", text, problem, remedy);
        match text.split_once(':') {
            None if text == "lifo" => Ok(Delay::Lifo),
            Some(("uniform", range)) => uniform(range).ok_or_else(|| {
                let problem = "delays run from A to B with 0 <= A <= B and B from 1e-100 to 1e100";
                bad(problem, "write it as uniform:0.5..1.5")
            }),
            Some(("exponential", mean)) => {
                let mean = mean.trim().parse().ok().filter(|mean| POSSIBLE.contains(mean));
                mean.map(Delay::Exponential).ok_or_else(|| {
                    let problem = "the mean delay is a number above 0, from 1e-100 to 1e100";
                    bad(problem, "write it as exponential:1")
                })
            }
            _ => {
                let names = Delay::ALL.iter().map(|&(name, _)| name).chain(["sync"]);
                let all = "there are sync, uniform:A..B, exponential:M and lifo";
                Err(Input::unknown("timing", text, names, all))
            }
        }
    }
}

/// The nearest delay that can be.
fn possible(delay: f64) -> f64 {
    if delay.is_nan() { LEAST } else { delay.clamp(LEAST, MOST) }
}

fn uniform(range: &str) -> Option<Delay> {
    let (from, to) = range.split_once("..")?;
    let (from, to): (f64, f64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (0.0 <= from && from <= to && POSSIBLE.contains(&to)).then_some(Delay::Uniform(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::{Key, Purpose};

    #[test]
    fn stretched_units_have_the_mean_of_their_delay() {
        for delay in [Delay::Uniform(0.5, 2.0), Delay::Exponential(3.0)] {
            // The midpoints of a fine division: a quadrature of the mean.
            let mut units: Vec<f64> = (0..100_000).map(|k| (k as f64 + 0.5) / 1e5).collect();
            delay.stretch(&mut units);
            let mean = units.iter().sum::<f64>() / units.len() as f64;
            let (expected, horizon) = delay.scale().expect("random");
            assert!((mean / expected - 1.0).abs() < 1e-4, "{delay}: {mean}");
            let longer = units.iter().filter(|unit| **unit > horizon).count();
            assert!(longer < units.len() / 1000, "{delay}: {longer}");
        }
    }

    #[test]
    fn what_is_no_delay_is_taken_for_the_nearest() {
        static BAD: OwnDelay = OwnDelay {
            name: "bad",
            mean: f64::NAN,
            seldom_longer: -1.0,
            draw: |words| [f64::NAN, f64::INFINITY, -1.0, 0.5][words.below(4) as usize],
        };
        let mut words = Key::new(1, "ring", 8, "random", "dense").stream(0, Purpose::Delays);
        let drawn: [f64; 100] = Delay::Own(&BAD).draw(&mut words);
        assert!(drawn.iter().all(|delay| [LEAST, 0.5, MOST].contains(delay)), "{drawn:?}");
    }
}
