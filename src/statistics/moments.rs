//! Mean, variance and skewness of integers: streaming, mergeable and exact.

use super::wide::Wide;
use super::{sequential, student};

/// A smallest or largest value and the run that attained it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Extreme {
    /// The value.
    pub value: u64,
    /// The lowest number of a run that attained it.
    pub run: u64,
}

/// What is remembered of a sample: its size, its power sums and its extremes.
///
/// The sums of the values, their squares and their cubes are exact integers. Addition of integers is
/// associative, so [`push`](Self::push) and [`merge`](Self::merge) give the same state in any order
/// and any grouping, and the differences below are taken before anything is rounded: large, nearly
/// equal values lose nothing. Up to 2^64 − 1 runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: u128,
    squares: Wide,
    cubes: Wide,
    min: Option<Extreme>,
    max: Option<Extreme>,
}

impl Moments {
    /// No runs yet.
    pub const fn new() -> Self {
        Moments { count: 0, sum: 0, squares: Wide::ZERO, cubes: Wide::ZERO, min: None, max: None }
    }

    /// Adds the value that a run yielded.
    pub fn push(&mut self, run: u64, value: u64) {
        let square = Wide::from(u128::from(value) * u128::from(value));
        self.count += 1;
        self.sum += u128::from(value);
        self.add_powers(square, square.times(Wide::from(value)), Extreme { value, run });
    }

    /// Adds the value that so many runs yielded, from `run` on.
    pub fn push_times(&mut self, run: u64, value: u64, times: u64) {
        let square = Wide::from(u128::from(value) * u128::from(value)).times(Wide::from(times));
        self.count += times;
        self.sum += u128::from(value) * u128::from(times);
        self.add_powers(square, square.times(Wide::from(value)), Extreme { value, run });
    }

    fn add_powers(&mut self, square: Wide, cube: Wide, extreme: Extreme) {
        self.squares = self.squares.add(square);
        self.cubes = self.cubes.add(cube);
        self.min = lower(self.min, Some(extreme));
        self.max = higher(self.max, Some(extreme));
    }

    /// Adds the runs of another part of the same sample.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares = self.squares.add(other.squares);
        self.cubes = self.cubes.add(other.cubes);
        self.min = lower(self.min, other.min);
        self.max = higher(self.max, other.max);
    }

    /// The number of runs, r.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all values.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// The mean, Σx/r; `None` without runs.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The sample variance s² = Σ(x−x̄)²/(r−1), computed as (rΣx² − (Σx)²) / (r(r−1)) in integers;
    /// `None` below two runs.
    pub fn variance(&self) -> Option<f64> {
        let pairs = u128::from(self.count) * u128::from(self.count.checked_sub(1)?);
        (pairs > 0).then(|| self.square_spread() / pairs as f64)
    }

    /// The sample standard deviation s; `None` below two runs.
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Standard error of the mean, s/√r; `None` below two runs.
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.count as f64).sqrt())
    }

    /// Student's interval for the mean, x̄ ± t·s/√r with r−1 degrees of freedom; `None` below two
    /// runs or unless 0 < `confidence` < 1. A constant sample gives an interval of width 0.
    pub fn interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let freedom = self.count.checked_sub(1)? as f64;
        self.within(student::two_sided_quantile(freedom, confidence)?)
    }

    /// The interval for the mean that holds at whatever run one stops, x̄ ± q·s/√r with the q of
    /// [`sequential::two_sided_quantile`]; `None` as for [`interval`](Self::interval).
    pub fn sequential_interval(&self, confidence: f64) -> Option<(f64, f64)> {
        self.within(sequential::two_sided_quantile(self.count, confidence)?)
    }

    /// All that is at most so many standard errors from the mean.
    fn within(&self, standard_errors: f64) -> Option<(f64, f64)> {
        let (mean, half) = (self.mean()?, standard_errors * self.standard_error()?);
        Some((mean - half, mean + half))
    }

    /// The sample skewness g₁ = m₃/m₂^{3/2} with m_k = Σ(x−x̄)^k/r (Joanes and Gill 1998), positive
    /// when the long tail is on the right; `None` for an empty or constant sample.
    ///
    /// Both moments are polynomials in the power sums S_k = Σx^k: r³m₃ = r²S₃ − 3rS₁S₂ + 2S₁³ and
    /// r²m₂ = rS₂ − S₁², so that r drops out of the ratio; the differences are taken in integers.
    pub fn skewness(&self) -> Option<f64> {
        let spread = self.square_spread();
        (spread > 0.0).then(|| {
            let count = Wide::from(self.count);
            let sum = Wide::from(self.sum);
            let cross = count.times(sum).times(self.squares);
            let cube = sum.times(sum).times(sum);
            let gained = count.times(count).times(self.cubes).add(cube).add(cube);
            gained.minus(cross.add(cross).add(cross)) / (spread * spread.sqrt())
        })
    }

    /// The smallest value; `None` without runs.
    pub fn min(&self) -> Option<Extreme> {
        self.min
    }

    /// The largest value; `None` without runs.
    pub fn max(&self) -> Option<Extreme> {
        self.max
    }

    /// rΣx² − (Σx)² = r Σ(x−x̄)²: never negative, and 0 exactly when all values are equal.
    fn square_spread(&self) -> f64 {
        let sum = Wide::from(self.sum);
        Wide::from(self.count).times(self.squares).minus(sum.times(sum))
    }
}

/// The smaller value; of equal ones the lower run.
fn lower(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).min_by_key(|extreme| (extreme.value, extreme.run))
}

/// The larger value; of equal ones the lower run.
fn higher(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).min_by_key(|extreme| (std::cmp::Reverse(extreme.value), extreme.run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moments(values: &[u64]) -> Moments {
        let mut moments = Moments::new();
        for (run, &value) in values.iter().enumerate() {
            moments.push(run as u64, value);
        }
        moments
    }

    proptest! {
        #[test]
        fn any_split_in_any_order_gives_the_same_state(
            values in prop::collection::vec(any::<u64>(), 0..40),
            cut in 0usize..40,
        ) {
            let whole = moments(&values);
            let cut = cut.min(values.len());
            let mut right = Moments::new();
            for (run, &value) in values.iter().enumerate().skip(cut).rev() {
                right.push(run as u64, value);
            }
            right.merge(&moments(&values[..cut]));
            prop_assert_eq!(right, whole);
        }
    }

    #[test]
    fn a_shift_changes_neither_variance_nor_skewness() {
        let near = moments(&[0, 1, 5, 9, 9]);
        let far = moments(&[0, 1, 5, 9, 9].map(|value| value + (u64::MAX - 9)));
        assert_eq!(near.variance(), far.variance());
        assert_eq!(near.skewness(), far.skewness());
    }

    #[test]
    fn huge_equal_values_have_variance_zero_and_no_skewness() {
        let moments = moments(&[u64::MAX; 1000]);
        assert_eq!(moments.variance(), Some(0.0));
        assert_eq!(moments.skewness(), None);
        let all = Some((u64::MAX as f64, u64::MAX as f64));
        assert_eq!((moments.interval(0.95), moments.sequential_interval(0.95)), (all, all));
    }

    #[test]
    fn small_samples_leave_open_what_they_cannot_tell() {
        let empty = Moments::new();
        assert_eq!((empty.mean(), empty.variance(), empty.min()), (None, None, None));
        assert_eq!((empty.skewness(), empty.interval(0.95)), (None, None));
        assert_eq!(empty.sequential_interval(0.95), None);
        let one = moments(&[7]);
        assert_eq!((one.mean(), one.variance(), one.skewness()), (Some(7.0), None, None));
        assert_eq!((one.standard_error(), one.interval(0.95)), (None, None));
        assert_eq!(one.sequential_interval(0.95), None);
        let two = moments(&[1, 2]);
        assert_eq!((two.interval(1.0), two.sequential_interval(1.0)), (None, None));
    }

    #[test]
    fn extremes_name_the_first_run() {
        let mut late = Moments::new();
        late.push(9, 1);
        late.push(8, 5);
        late.push(4, 5);
        let mut early = Moments::new();
        early.push(7, 1);
        late.merge(&early);
        assert_eq!(late.min(), Some(Extreme { value: 1, run: 7 }));
        assert_eq!(late.max(), Some(Extreme { value: 5, run: 4 }));
    }
}
