//! Mean and variance of real numbers, streaming.

use super::{sequential, student};

/// A sample of real numbers: its size, mean, spread and extremes (Welford 1962).
///
/// The state depends on the order of the values in its last digits; the runs of a cell have one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reals {
    count: u64,
    mean: f64,
    /// Σ (x - mean)²
    squares: f64,
    min: Option<(f64, u64)>,
    max: Option<(f64, u64)>,
}

impl Reals {
    /// A sample of which only this much is remembered.
    pub fn resumed(
        count: u64,
        mean: f64,
        variance: f64,
        min: Option<(f64, u64)>,
        max: Option<(f64, u64)>,
    ) -> Self {
        Reals { count, mean, squares: variance * count.saturating_sub(1) as f64, min, max }
    }

    /// Adds the value that a run yielded.
    pub fn push(&mut self, run: u64, value: f64) {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
        if self.min.is_none_or(|(min, _)| value < min) {
            self.min = Some((value, run));
        }
        if self.max.is_none_or(|(max, _)| value > max) {
            self.max = Some((value, run));
        }
    }

    /// The number of runs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; `None` without runs.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The sample standard deviation; `None` below two runs.
    pub fn standard_deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// Standard error of the mean; `None` below two runs.
    pub fn standard_error(&self) -> Option<f64> {
        Some(self.standard_deviation()? / (self.count as f64).sqrt())
    }

    /// Student's interval for the mean, as [`Moments::interval`](super::moments::Moments::interval).
    pub fn interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let freedom = self.count.checked_sub(1)? as f64;
        self.within(student::two_sided_quantile(freedom, confidence)?)
    }

    /// The interval for the mean that holds at whatever run one stops.
    pub fn sequential_interval(&self, confidence: f64) -> Option<(f64, f64)> {
        self.within(sequential::two_sided_quantile(self.count, confidence)?)
    }

    fn within(&self, standard_errors: f64) -> Option<(f64, f64)> {
        let half = standard_errors * self.standard_error()?;
        Some((self.mean - half, self.mean + half))
    }

    /// The smallest value and the first run that attained it.
    pub fn min(&self) -> Option<(f64, u64)> {
        self.min
    }

    /// The largest value and the first run that attained it.
    pub fn max(&self) -> Option<(f64, u64)> {
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::moments::Moments;

    #[test]
    fn whole_numbers_give_what_the_exact_sums_give() {
        let values: [u64; 6] = [1_000_000_007, 1_000_000_009, 1_000_000_033, 1_000_000_007, 3, 12];
        let (mut exact, mut reals) = (Moments::new(), Reals::default());
        for (run, &value) in (0..).zip(&values) {
            exact.push(run, value);
            reals.push(run, value as f64);
        }
        let close = |a: Option<f64>, b: Option<f64>| {
            let (a, b) = (a.expect("known"), b.expect("known"));
            (a - b).abs() <= 1e-12 * b.abs()
        };
        assert!(close(reals.mean(), exact.mean()));
        assert!(close(reals.standard_deviation(), exact.standard_deviation()));
        assert!(close(reals.interval(0.95).map(|it| it.1), exact.interval(0.95).map(|it| it.1)));
        assert_eq!((reals.min(), reals.max()), (Some((3.0, 4)), Some((1_000_000_033.0, 2))));
    }
}
