//! A distribution of whole numbers, probability by probability.

use std::ops::RangeInclusive;

/// How likely every number of messages is.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    fewest: u64,
    probabilities: Vec<f64>,
}

impl Distribution {
    /// The distribution with these probabilities of `fewest` messages, one more, and so on; there is
    /// at least one.
    pub fn new(fewest: u64, probabilities: Vec<f64>) -> Self {
        Distribution { fewest, probabilities }
    }

    /// The same with so many messages more.
    #[must_use]
    pub fn shifted(self, more: u64) -> Self {
        Distribution { fewest: self.fewest + more, ..self }
    }

    /// The possible numbers of messages.
    pub fn support(&self) -> RangeInclusive<u64> {
        self.fewest..=self.fewest + self.probabilities.len() as u64 - 1
    }

    /// The probability of exactly so many messages; 0 outside the support.
    pub fn pmf(&self, messages: u64) -> f64 {
        messages
            .checked_sub(self.fewest)
            .and_then(|place| self.probabilities.get(usize::try_from(place).ok()?))
            .copied()
            .unwrap_or(0.0)
    }

    /// The numbers of messages with their probabilities, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, f64)> + '_ {
        self.support().zip(self.probabilities.iter().copied())
    }

    /// The probability of at most so many messages.
    pub fn cdf(&self, messages: u64) -> f64 {
        if messages >= *self.support().end() {
            return 1.0;
        }
        self.iter()
            .take_while(|(value, _)| *value <= messages)
            .map(|(_, p)| p)
            .sum::<f64>()
            .min(1.0)
    }

    /// The smallest number of messages x with P(X ≤ x) ≥ p; `None` unless 0 ≤ p ≤ 1.
    pub fn quantile(&self, p: f64) -> Option<u64> {
        if !(0.0..=1.0).contains(&p) {
            return None;
        }
        let mut sum = 0.0;
        let found = self.iter().find(|(_, probability)| {
            sum += probability;
            sum >= p
        });
        // Rounding may leave the whole sum a little below 1.
        Some(found.map_or(*self.support().end(), |(value, _)| value))
    }

    /// The mean, Σx·P(x).
    pub fn mean(&self) -> f64 {
        // Counted from the fewest messages, to lose less when adding.
        let excess: f64 =
            self.probabilities.iter().zip(0u32..).map(|(p, k)| p * f64::from(k)).sum();
        self.fewest as f64 + excess
    }

    /// The variance, Σ(x−mean)²·P(x).
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.iter().map(|(value, p)| p * (value as f64 - mean).powi(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_has_no_probability_and_no_quantile() {
        let distribution = Distribution::new(5, vec![0.25, 0.5, 0.25]).shifted(2);
        assert_eq!(distribution.support(), 7..=9);
        assert_eq!([6, 7, 8, 10, 0].map(|x| distribution.pmf(x)), [0.0, 0.25, 0.5, 0.0, 0.0]);
        assert_eq!([6, 7, 9, 99].map(|x| distribution.cdf(x)), [0.0, 0.25, 1.0, 1.0]);
        let quantiles = [0.0, 0.25, 0.3, 1.0, 1.5, f64::NAN].map(|p| distribution.quantile(p));
        assert_eq!(quantiles, [Some(7), Some(7), Some(8), Some(9), None, None]);
        assert_eq!((distribution.mean(), distribution.variance()), (8.0, 0.5));
    }
}
