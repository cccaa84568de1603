//! Whether two samples have the same mean, within a margin: two one-sided tests, and how many runs
//! would settle what is left open.

use serde::Serialize;

use crate::statistics::{CONFIDENCE, student};

/// The probability with which the number of runs that is asked for settles a cell, and with which a
/// regression of the stated size is found.
pub const POWER: f64 = 0.9;

/// More runs than this are not worth asking for.
const MOST_RUNS: f64 = 1e9;

/// One sample: its size, mean and standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// How many runs.
    pub runs: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub sd: f64,
}

/// Two samples of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    before: Sample,
    now: Sample,
    /// The covariance of a run before and now, where they met the same ring.
    covariance: Option<f64>,
}

/// What two samples say about the difference of their means; p-values are those of one cell alone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Whether runs of the same number met the same ring.
    pub paired: bool,
    /// The mean now less the mean before.
    pub difference: f64,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// The probability of so small a difference or a smaller one, if the means are the margin or
    /// more apart.
    pub p_equivalent: f64,
    /// The probability of so large a rise or a larger one, if it is the margin or less.
    pub p_regression: f64,
    /// The probability of so large a fall or a larger one, if it is the margin or less.
    pub p_improvement: f64,
}

impl Pair {
    /// Two samples of different rings.
    pub fn independent(before: Sample, now: Sample) -> Self {
        Pair { before, now, covariance: None }
    }

    /// Runs that met the same rings, one by one; `None` below two runs or for unequal numbers.
    pub fn paired(before: &[u64], now: &[u64]) -> Option<Self> {
        if before.len() != now.len() || before.len() < 2 {
            return None;
        }
        let runs = before.len() as f64;
        let mean = |counts: &[u64]| counts.iter().map(|&count| count as f64).sum::<f64>() / runs;
        let (mean_before, mean_now) = (mean(before), mean(now));
        let spread = |a: &[u64], mean_a: f64, b: &[u64], mean_b: f64| {
            let products =
                a.iter().zip(b).map(|(&a, &b)| (a as f64 - mean_a) * (b as f64 - mean_b));
            products.sum::<f64>() / (runs - 1.0)
        };
        let sample = |counts: &[u64], mean: f64| Sample {
            runs: counts.len() as u64,
            mean,
            sd: spread(counts, mean, counts, mean).sqrt(),
        };
        Some(Pair {
            before: sample(before, mean_before),
            now: sample(now, mean_now),
            covariance: Some(spread(before, mean_before, now, mean_now)),
        })
    }

    /// The variance of now - k · before, for one run of each.
    fn run_variance(&self, k: f64) -> f64 {
        let Sample { sd: before, .. } = self.before;
        let Sample { sd: now, .. } = self.now;
        (now * now + k * k * before * before - 2.0 * k * self.covariance.unwrap_or(0.0)).max(0.0)
    }

    /// The standard error of the mean of now less k times the mean before.
    fn standard_error(&self, k: f64) -> f64 {
        match self.covariance {
            Some(_) => (self.run_variance(k) / self.now.runs as f64).sqrt(),
            None => {
                let part = |sample: Sample| sample.sd * sample.sd / sample.runs as f64;
                (part(self.now) + k * k * part(self.before)).sqrt()
            }
        }
    }

    /// Degrees of freedom: r - 1 for pairs, else Welch's.
    fn freedom(&self) -> f64 {
        if self.covariance.is_some() {
            return self.now.runs as f64 - 1.0;
        }
        let part = |sample: Sample| sample.sd * sample.sd / sample.runs as f64;
        let rest = |sample: Sample| part(sample).powi(2) / (sample.runs as f64 - 1.0);
        let parts = part(self.now) + part(self.before);
        if parts > 0.0 {
            parts * parts / (rest(self.now) + rest(self.before))
        } else {
            f64::INFINITY
        }
    }

    /// The probability of so large a mean of now - k · before, or a larger one, if it is 0 in truth.
    fn p_above(&self, k: f64) -> f64 {
        let (distance, error) = (self.now.mean - k * self.before.mean, self.standard_error(k));
        if error <= 0.0 {
            return if distance > 0.0 { 0.0 } else { 1.0 };
        }
        let t = distance / error;
        let outside = student::two_sided_p(t, self.freedom()).unwrap_or(1.0);
        if t > 0.0 { outside / 2.0 } else { 1.0 - outside / 2.0 }
    }

    /// The same for so small a mean, or a smaller one.
    fn p_below(&self, k: f64) -> f64 {
        let certain = self.standard_error(k) <= 0.0;
        match certain {
            true if self.now.mean < k * self.before.mean => 0.0,
            true => 1.0,
            false => 1.0 - self.p_above(k),
        }
    }

    /// What they say, with a margin that is a share of the mean before.
    pub fn estimate(&self, margin: f64) -> Estimate {
        let (low, high) = (1.0 - margin, 1.0 + margin);
        let difference = self.now.mean - self.before.mean;
        let half = match self.standard_error(1.0) {
            0.0 => Some(0.0),
            error => student::two_sided_quantile(self.freedom(), CONFIDENCE).map(|t| t * error),
        };
        Estimate {
            paired: self.covariance.is_some(),
            difference,
            interval: half.map(|half| (difference - half, difference + half)),
            p_equivalent: self.p_above(low).max(self.p_below(high)),
            p_regression: self.p_above(high),
            p_improvement: self.p_below(low),
        }
    }

    /// The runs on both sides that would show, with probability [`POWER`], on which side of the
    /// margin the truth lies, if it is where it seems to be; `None` if that is too near the margin.
    pub fn runs_to_settle(&self, margin: f64, alpha: f64) -> Option<u64> {
        let ratio = self.now.mean / self.before.mean;
        let inside = (1.0 - margin..=1.0 + margin).contains(&ratio);
        let nearest = if ratio >= 1.0 { 1.0 + margin } else { 1.0 - margin };
        // Inside, both margins may be missed by chance.
        let power = if inside { (1.0 + POWER) / 2.0 } else { POWER };
        let distance = (self.now.mean - nearest * self.before.mean).abs();
        let deviations = normal_quantile(1.0 - alpha)? + normal_quantile(power)?;
        let runs = deviations * deviations * self.run_variance(nearest) / (distance * distance);
        let more = self.now.runs.max(self.before.runs) + 1;
        (runs <= MOST_RUNS).then(|| (runs.ceil() as u64).max(more))
    }

    /// The smallest rise, as a share of the mean before, that is found with probability [`POWER`].
    pub fn detectable(&self, margin: f64, alpha: f64) -> Option<f64> {
        let deviations = normal_quantile(1.0 - alpha)? + normal_quantile(POWER)?;
        Some(margin + deviations * self.standard_error(1.0 + margin) / self.before.mean)
    }
}

/// The number that a standard normal variable stays below with probability `p`, for p above 1/2.
fn normal_quantile(p: f64) -> Option<f64> {
    student::normal_two_sided_quantile(2.0 * p - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(runs: u64, mean: f64, sd: f64) -> Sample {
        Sample { runs, mean, sd }
    }

    #[test]
    fn the_tests_are_those_of_welch_and_student() {
        // 100 runs with mean 103 and sd 5 after 50 runs with mean 100 and sd 4, by hand: the degrees
        // of freedom are (0.25 + 0.32)² / (0.25²/99 + 0.32²/49), t = 2 / sqrt(0.25 + 1.01² · 0.32); p
        // is the tail of Student's density by Simpson's rule with 20 000 steps, in Python.
        let pair = Pair::independent(sample(50, 100.0, 4.0), sample(100, 103.0, 5.0));
        let estimate = pair.estimate(0.01);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b;
        assert!(near(pair.freedom(), 119.399_845_455_716_26), "{}", pair.freedom());
        assert!(near(pair.standard_error(1.01), 0.759_231_190_086_392_6));
        assert!(near(estimate.p_regression, 0.004_774_832_372_862_692), "{estimate:?}");
        assert!((estimate.p_equivalent + estimate.p_regression - 1.0).abs() < 1e-12);
        assert_eq!(estimate.difference, 3.0);
    }

    #[test]
    fn equal_runs_are_equivalent_beyond_doubt() {
        let constant = sample(30, 64.0, 0.0);
        let estimate = Pair::independent(constant, constant).estimate(0.01);
        assert_eq!((estimate.p_equivalent, estimate.p_regression), (0.0, 1.0));
        let more = Pair::independent(constant, sample(30, 65.0, 0.0)).estimate(0.01);
        assert_eq!((more.p_equivalent, more.p_regression, more.p_improvement), (1.0, 0.0, 1.0));
        let fewer = Pair::independent(constant, sample(30, 63.0, 0.0)).estimate(0.01);
        assert_eq!((fewer.p_equivalent, fewer.p_regression, fewer.p_improvement), (1.0, 1.0, 0.0));
    }

    #[test]
    fn pairs_see_what_samples_do_not() {
        let before: Vec<u64> = (0..100).map(|run| 1000 + run * 37 % 400).collect();
        let now: Vec<u64> = before.iter().map(|count| count + count / 50).collect();
        let paired = Pair::paired(&before, &now).expect("as many");
        assert!(paired.estimate(0.01).p_regression < 1e-9);
        let apart = Pair::independent(paired.before, paired.now);
        assert!(apart.estimate(0.01).p_regression > 0.05);
        assert!(Pair::paired(&before, &now[1..]).is_none());
    }

    #[test]
    fn the_runs_to_settle_are_those_of_the_textbook() {
        // 2 (z_0.99 + z_0.95)^2 (sd / (margin - difference))^2 with sd 10 %, 1 % and no difference.
        let pair = Pair::independent(sample(30, 100.0, 10.0), sample(30, 100.0, 10.0));
        let textbook = (1.0 + 1.01 * 1.01) * (2.326_348 + 1.644_854f64).powi(2) * 100.0;
        let runs = pair.runs_to_settle(0.01, 0.01).expect("settled");
        assert_eq!(runs, textbook.ceil() as u64);
        let at_the_margin = Pair::independent(sample(30, 100.0, 10.0), sample(30, 101.0, 10.0));
        assert_eq!(at_the_margin.runs_to_settle(0.01, 0.01), None);
    }
}
