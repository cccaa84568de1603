//! How late messages arrive, and how that is written: a new kind of delays is a few lines here.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::error::Input;
use super::random::exponential;

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
}

/// The delays that can be: far enough from both ends of floating point for sums and quotients of
/// many.
const POSSIBLE: RangeInclusive<f64> = 1e-100..=1e100;

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
        }
    }

    /// Makes random delays of uniform numbers in [0, 1); an adversary has none.
    pub fn stretch(&self, units: &mut [f64]) {
        match *self {
            Delay::Uniform(from, to) => {
                units.iter_mut().for_each(|unit| *unit = from + (to - from) * *unit);
            }
            Delay::Exponential(mean) => {
                units.iter_mut().for_each(|unit| *unit = mean * exponential(*unit));
            }
            Delay::Lifo => {}
        }
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delay::Uniform(from, to) => write!(f, "uniform:{from}..{to}"),
            Delay::Exponential(mean) => write!(f, "exponential:{mean}"),
            Delay::Lifo => f.write_str("lifo"),
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

fn uniform(range: &str) -> Option<Delay> {
    let (from, to) = range.split_once("..")?;
    let (from, to): (f64, f64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (0.0 <= from && from <= to && POSSIBLE.contains(&to)).then_some(Delay::Uniform(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
