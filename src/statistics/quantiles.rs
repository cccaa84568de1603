//! Quantiles of a sample, with intervals that assume nothing about the distribution.

use std::collections::BTreeMap;

/// A sample that can tell its smallest, second smallest, ... value.
pub trait Ordered {
    /// The number of runs, r.
    fn count(&self) -> u64;
    /// The value of the given rank, 1 for the smallest to r for the largest; `None` for other ranks.
    fn ranked(&self, rank: u64) -> Option<u64>;
}

/// A slice in ascending order.
impl Ordered for [u64] {
    fn count(&self) -> u64 {
        self.len() as u64
    }

    fn ranked(&self, rank: u64) -> Option<u64> {
        self.get(usize::try_from(rank.checked_sub(1)?).ok()?).copied()
    }
}

/// A sample as distinct values with their counts: a million runs take as little room as they have
/// different values. The order of pushing and merging does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    counts: BTreeMap<u64, u64>,
    total: u64,
}

impl Counted {
    /// No runs yet.
    pub const fn new() -> Self {
        Counted { counts: BTreeMap::new(), total: 0 }
    }

    /// Adds one value.
    pub fn push(&mut self, value: u64) {
        self.push_times(value, 1);
    }

    /// Adds one value so many times.
    pub fn push_times(&mut self, value: u64, times: u64) {
        *self.counts.entry(value).or_default() += times;
        self.total += times;
    }

    /// Adds the values of another part of the same sample.
    pub fn merge(&mut self, other: &Self) {
        for (&value, &count) in &other.counts {
            *self.counts.entry(value).or_default() += count;
        }
        self.total += other.total;
    }

    /// The distinct values in ascending order, each with how often it occurred.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().map(|(&value, &count)| (value, count))
    }

    /// How often a value occurred.
    pub fn occurrences(&self, value: u64) -> u64 {
        self.counts.get(&value).copied().unwrap_or(0)
    }
}

impl FromIterator<u64> for Counted {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut counted = Self::new();
        values.into_iter().for_each(|value| counted.push(value));
        counted
    }
}

impl Ordered for Counted {
    fn count(&self) -> u64 {
        self.total
    }

    /// Walks over the distinct values from the smallest.
    fn ranked(&self, rank: u64) -> Option<u64> {
        let mut before = rank.checked_sub(1)?;
        for (&value, &count) in &self.counts {
            match before.checked_sub(count) {
                None => return Some(value),
                Some(rest) => before = rest,
            }
        }
        None
    }
}

/// The sample quantile of type 7 (Hyndman and Fan 1996; the default of R and NumPy): with
/// h = (r−1)p, the value at rank 1 + h, linear between neighbouring ranks. `None` without runs or
/// unless 0 ≤ p ≤ 1.
pub fn quantile<S: Ordered + ?Sized>(sample: &S, p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let h = sample.count().checked_sub(1)? as f64 * p;
    let rank = h as u64 + 1;
    let low = sample.ranked(rank)?;
    match sample.ranked(rank + 1) {
        Some(high) => Some(low as f64 + h.fract() * high.saturating_sub(low) as f64),
        None => Some(low as f64),
    }
}

/// An interval of observed values that covers the p-quantile of the distribution with at least the
/// given confidence, whatever the distribution is.
///
/// The number B of runs at or below the quantile is binomial(r, p) when the distribution is
/// continuous, and the interval from rank l to rank u misses on either side with probability
/// P(B < l) and P(B ≥ u); l is the largest and u the smallest rank that keep each at or below
/// (1 − confidence)/2 (David and Nagaraja, *Order Statistics*, 2003, section 7.1). For counts, where
/// equal values occur, the coverage is only larger. `None` when no ranks achieve this: the sample is
/// too small; or unless 0 < p < 1 and 0 < `confidence` < 1.
pub fn quantile_interval<S: Ordered + ?Sized>(
    sample: &S,
    p: f64,
    confidence: f64,
) -> Option<(u64, u64)> {
    let (low, high) = interval_ranks(sample.count(), p, confidence)?;
    Some((sample.ranked(low)?, sample.ranked(high)?))
}

/// The ranks l and u of [`quantile_interval`] in a sample of `count` runs.
pub fn interval_ranks(count: u64, p: f64, confidence: f64) -> Option<(u64, u64)> {
    let inside = |x: f64| x > 0.0 && x < 1.0;
    if count == 0 || !inside(p) || !inside(confidence) {
        return None;
    }
    let tail = (1.0 - confidence) / 2.0;
    let (first, weights) = binomial(count, p);
    let total: f64 = weights.iter().sum();
    // P(B < l) ≤ tail: the lowest ranks that may be left out, counted from below.
    let low = first + leading(weights.iter(), tail * total);
    // P(B ≥ u) ≤ tail: the same from above.
    let last = first + weights.len() as u64 - 1;
    let high = last + 1 - leading(weights.iter().rev(), tail * total);
    (low >= 1 && high <= count).then_some((low, high))
}

/// How many of the first weights fit into the room.
fn leading<'a>(weights: impl Iterator<Item = &'a f64>, room: f64) -> u64 {
    let mut sum = 0.0;
    weights
        .take_while(|&&weight| {
            sum += weight;
            sum <= room
        })
        .count() as u64
}

/// The probabilities of binomial(r, p) up to a common factor, from the first value on that has any
/// weight beside the mode.
// Ratios of neighbours from the mode outwards: no factorials, so nothing is lost for large r, where
// the incomplete beta function of `statrs` 0.19 is off by 2 in a thousand (r = 10^6). O(√r) terms.
fn binomial(count: u64, p: f64) -> (u64, Vec<f64>) {
    const NEGLIGIBLE: f64 = 1e-25;
    let odds = p / (1.0 - p);
    let mode = (((count as f64 + 1.0) * p) as u64).min(count);
    let mut below = vec![];
    let (mut k, mut weight) = (mode, 1.0);
    while k > 0 && weight > NEGLIGIBLE {
        weight *= k as f64 / ((count - k + 1) as f64 * odds);
        k -= 1;
        below.push(weight);
    }
    let first = k;
    let mut weights: Vec<f64> = below.into_iter().rev().chain([1.0]).collect();
    (k, weight) = (mode, 1.0);
    while k < count && weight > NEGLIGIBLE {
        weight *= (count - k) as f64 * odds / (k + 1) as f64;
        k += 1;
        weights.push(weight);
    }
    (first, weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slice_and_counted_form_agree(
            mut values in prop::collection::vec(0u64..20, 0..60),
            p in 0.0f64..=1.0,
        ) {
            let counted: Counted = values.iter().copied().collect();
            values.sort_unstable();
            let slice = values.as_slice();
            prop_assert_eq!(quantile(slice, p), quantile(&counted, p));
            prop_assert_eq!(quantile_interval(slice, p, 0.9), quantile_interval(&counted, p, 0.9));
            for rank in 0..=values.len() as u64 + 1 {
                prop_assert_eq!(slice.ranked(rank), counted.ranked(rank));
            }
        }
    }

    #[test]
    fn the_ranks_cover_as_promised_and_no_narrower_ones_do() {
        for count in [6u64, 7, 10, 50, 101] {
            for p in [0.1, 0.25, 0.5, 0.9] {
                let Some((low, high)) = interval_ranks(count, p, 0.95) else { continue };
                let below =
                    |rank: u64| -> f64 { (0..rank).map(|k| probability(count, p, k)).sum() };
                let above =
                    |rank: u64| -> f64 { (rank..=count).map(|k| probability(count, p, k)).sum() };
                assert!(below(low) <= 0.025 && below(low + 1) > 0.025, "{count} {p}");
                assert!(above(high) <= 0.025 && above(high - 1) > 0.025, "{count} {p}");
            }
        }
    }

    fn probability(count: u64, p: f64, k: u64) -> f64 {
        let ways = (1..=k).fold(1.0, |ways, i| ways * (count - k + i) as f64 / i as f64);
        ways * p.powi(k as i32) * (1.0 - p).powi((count - k) as i32)
    }

    #[test]
    fn too_small_samples_have_no_interval() {
        // 2 · 2^-5 > 0.05 ≥ 2 · 2^-6: six runs are the fewest for a median at 95 %.
        assert_eq!(quantile_interval([1, 2, 3, 4, 5].as_slice(), 0.5, 0.95), None);
        assert_eq!(quantile_interval([1, 2, 3, 4, 5, 6].as_slice(), 0.5, 0.95), Some((1, 6)));
        assert_eq!(quantile_interval([7; 100].as_slice(), 0.999, 0.95), None);
        assert_eq!(quantile_interval([7; 100].as_slice(), 0.5, 0.95), Some((7, 7)));
    }

    #[test]
    fn odd_input_is_unknown() {
        let empty: &[u64] = &[];
        assert_eq!(quantile(empty, 0.5), None);
        assert_eq!(quantile_interval(empty, 0.5, 0.95), None);
        for p in [-0.1, 1.1, f64::NAN] {
            assert_eq!(quantile([1, 2].as_slice(), p), None);
            assert_eq!(interval_ranks(100, p, 0.95), None);
            assert_eq!(interval_ranks(100, 0.5, p), None);
        }
        assert_eq!(quantile([3].as_slice(), 0.7), Some(3.0));
        assert_eq!(quantile([3, u64::MAX].as_slice(), 1.0), Some(u64::MAX as f64));
    }
}
