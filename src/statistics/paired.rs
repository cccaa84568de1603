//! Two algorithms on the same rings: differences and ratios of paired runs.
//!
//! What one ring costs both algorithms is alike, so the difference run by run varies less than
//! either cost, and its interval is narrower than that of two independent samples.

use std::cmp::Ordering;

use super::significance::fieller;
use super::student;
use super::wide::Wide;

/// What is remembered of paired runs (a, b): their number, power sums and who was lower how often.
///
/// All sums are exact integers, so any split and order of the runs gives the same state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paired {
    count: u64,
    sum_a: u128,
    sum_b: u128,
    squares_a: Wide,
    squares_b: Wide,
    products: Wide,
    a_lower: u64,
    b_lower: u64,
}

impl Paired {
    /// No runs yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what one run yielded for the first and the second.
    pub fn push(&mut self, a: u64, b: u64) {
        let product = |x: u64, y: u64| Wide::from(u128::from(x) * u128::from(y));
        self.count += 1;
        self.sum_a += u128::from(a);
        self.sum_b += u128::from(b);
        self.squares_a = self.squares_a.add(product(a, a));
        self.squares_b = self.squares_b.add(product(b, b));
        self.products = self.products.add(product(a, b));
        match a.cmp(&b) {
            Ordering::Less => self.a_lower += 1,
            Ordering::Greater => self.b_lower += 1,
            Ordering::Equal => {}
        }
    }

    /// Adds the runs of another part of the same sample.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum_a += other.sum_a;
        self.sum_b += other.sum_b;
        self.squares_a = self.squares_a.add(other.squares_a);
        self.squares_b = self.squares_b.add(other.squares_b);
        self.products = self.products.add(other.products);
        self.a_lower += other.a_lower;
        self.b_lower += other.b_lower;
    }

    /// The number of paired runs, r.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// In how many runs the first was lower than the second.
    pub fn first_lower(&self) -> u64 {
        self.a_lower
    }

    /// In how many runs the second was lower than the first.
    pub fn second_lower(&self) -> u64 {
        self.b_lower
    }

    /// In how many runs the two were equal.
    pub fn equal(&self) -> u64 {
        self.count - self.a_lower - self.b_lower
    }

    /// The mean difference Σ(a−b)/r; `None` without runs.
    pub fn difference(&self) -> Option<f64> {
        let difference = Wide::from(self.sum_a).minus(Wide::from(self.sum_b));
        (self.count > 0).then(|| difference / self.count as f64)
    }

    /// Standard error of the mean difference, s/√r with s² the sample variance of a − b:
    /// rΣ(a−b)² − (Σa−Σb)² in integers; `None` below two runs.
    pub fn difference_standard_error(&self) -> Option<f64> {
        let pairs = self.pairs()?;
        let (_, gap) = Wide::from(self.sum_a).distance(Wide::from(self.sum_b));
        let squares = self.squares_a.add(self.squares_b);
        let (_, differences) = squares.distance(self.products.add(self.products));
        let spread = Wide::from(self.count).times(differences).minus(gap.times(gap));
        Some((spread / pairs / self.count as f64).sqrt())
    }

    /// Student's interval of the mean difference, with r−1 degrees of freedom; `None` below two runs
    /// or unless 0 < `confidence` < 1.
    pub fn difference_interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let (difference, standard_error) = (self.difference()?, self.difference_standard_error()?);
        let half = self.t(confidence)? * standard_error;
        Some((difference - half, difference + half))
    }

    /// The p-value of the paired t-test of mean difference 0; `None` below two runs and when all
    /// differences are equal.
    pub fn difference_p(&self) -> Option<f64> {
        let standard_error = self.difference_standard_error().filter(|error| *error > 0.0)?;
        student::two_sided_p(self.difference()? / standard_error, self.count as f64 - 1.0)
    }

    /// The ratio of the means, ρ = Σa/Σb; `None` when the second sum is 0.
    pub fn ratio(&self) -> Option<f64> {
        (self.sum_b > 0).then(|| self.sum_a as f64 / self.sum_b as f64)
    }

    /// Standard error of the ratio by the delta method (Cochran, *Sampling Techniques*, 1977,
    /// section 2.11): that of the mean of a − ρb over the mean of b. With A = Σa and B = Σb it is
    /// r·√(Σ(aB − bA)² / (r(r−1))) / B²; `None` below two runs or when B is 0.
    pub fn ratio_standard_error(&self) -> Option<f64> {
        let pairs = self.pairs()?;
        let sum_b = self.sum_b as f64;
        (self.sum_b > 0)
            .then(|| self.count as f64 * (self.ratio_spread() / pairs).sqrt() / (sum_b * sum_b))
    }

    /// Fieller's interval (1954) of the ratio of the means, with r−1 degrees of freedom; `None` below
    /// two runs, unless 0 < `confidence` < 1, or when the second mean is not clearly above 0.
    pub fn ratio_interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let pairs = self.pairs()?;
        let count = self.count as f64;
        let (sum_a, sum_b) = (Wide::from(self.sum_a), Wide::from(self.sum_b));
        let runs = Wide::from(self.count);
        // r Σxy − Σx Σy over r·r(r−1): the covariance of two means.
        let scale = pairs * count;
        let variance_a = runs.times(self.squares_a).minus(sum_a.times(sum_a)) / scale;
        let variance_b = runs.times(self.squares_b).minus(sum_b.times(sum_b)) / scale;
        let covariance = runs.times(self.products).minus(sum_a.times(sum_b)) / scale;
        fieller(
            (self.sum_a as f64 / count, self.sum_b as f64 / count),
            variance_b,
            covariance,
            self.ratio_spread() / pairs / (count * count),
            (variance_a * variance_b - covariance * covariance).max(0.0),
            self.t(confidence)?,
        )
    }

    /// Σ(aB − bA)² = B²Σa² − 2ABΣab + A²Σb², an integer below 2^449; 0 exactly when a : b is the
    /// same in all runs.
    fn ratio_spread(&self) -> f64 {
        let (sum_a, sum_b) = (Wide::from(self.sum_a), Wide::from(self.sum_b));
        let cross = sum_a.times(sum_b).times(self.products);
        let squares =
            sum_b.times(sum_b).times(self.squares_a).add(sum_a.times(sum_a).times(self.squares_b));
        squares.minus(cross.add(cross))
    }

    fn t(&self, confidence: f64) -> Option<f64> {
        student::two_sided_quantile(self.count.checked_sub(1)? as f64, confidence)
    }

    /// r(r−1), for two runs and more.
    fn pairs(&self) -> Option<f64> {
        let pairs = u128::from(self.count) * u128::from(self.count.checked_sub(1)?);
        (pairs > 0).then_some(pairs as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn paired(runs: &[(u64, u64)]) -> Paired {
        let mut paired = Paired::new();
        runs.iter().for_each(|&(a, b)| paired.push(a, b));
        paired
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_state(
            runs in prop::collection::vec(any::<(u64, u64)>(), 0..30),
            cut in 0usize..30,
        ) {
            let cut = cut.min(runs.len());
            let mut right = paired(&runs[cut..]);
            right.merge(&paired(&runs[..cut]));
            prop_assert_eq!(right, paired(&runs));
        }
    }

    #[test]
    fn proportional_runs_have_an_exact_ratio() {
        let runs: Vec<(u64, u64)> = (1..50u64).map(|k| (k * k, 3 * k * k)).collect();
        let paired = paired(&runs);
        assert_eq!(paired.ratio_standard_error(), Some(0.0));
        let (low, high) = paired.ratio_interval(0.95).unwrap();
        assert!((low - 1.0 / 3.0).abs() < 1e-14 && (high - 1.0 / 3.0).abs() < 1e-14);
        assert_eq!((paired.first_lower(), paired.second_lower(), paired.equal()), (49, 0, 0));
    }

    #[test]
    fn a_constant_gap_is_certain() {
        let huge = u64::MAX - 10;
        let paired = paired(&[(huge, 3), (huge + 5, 8), (huge + 1, 4)]);
        assert_eq!(paired.difference_standard_error(), Some(0.0));
        assert_eq!(paired.difference(), Some((huge - 3) as f64));
        assert_eq!(paired.difference_p(), None);
    }

    #[test]
    fn small_samples_leave_open_what_they_cannot_tell() {
        let empty = Paired::new();
        assert_eq!((empty.difference(), empty.ratio()), (None, None));
        assert_eq!((empty.difference_interval(0.95), empty.ratio_interval(0.95)), (None, None));
        let one = paired(&[(3, 4)]);
        assert_eq!((one.difference(), one.ratio()), (Some(-1.0), Some(0.75)));
        assert_eq!((one.difference_standard_error(), one.ratio_interval(0.95)), (None, None));
        assert_eq!(paired(&[(3, 0), (4, 0)]).ratio_interval(0.95), None);
        assert_eq!(paired(&[(3, 0), (4, 9)]).ratio_interval(0.95), None);
    }
}
