//! Tests: how surprising a result is if nothing is going on.

use super::moments::Moments;
use super::student;
use super::tails::{chi_square_p, normal_two_sided_p};

/// Holm's step-down correction (Holm 1979): rejecting where the adjusted value is at most α keeps
/// the probability of any false rejection in the family at most α, whatever the dependence.
///
/// Of m p-values in ascending order the i-th becomes max over j ≤ i of min(1, (m−j+1)·p_j). The
/// answer is in the order of the question; what is unknown, or no probability, stays unknown and is
/// no member of the family.
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut known: Vec<(f64, usize)> = p_values
        .iter()
        .enumerate()
        .filter_map(|(place, p)| p.filter(|p| (0.0..=1.0).contains(p)).map(|p| (p, place)))
        .collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut adjusted = vec![None; p_values.len()];
    let mut largest = 0f64;
    for (smaller, &(p, place)) in known.iter().enumerate() {
        largest = largest.max((p * (known.len() - smaller) as f64).min(1.0));
        adjusted[place] = Some(largest);
    }
    adjusted
}

/// The outcome of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ChiSquare {
    /// Σ(observed − expected)²/expected over the pooled cells.
    pub statistic: f64,
    /// One less than the number of pooled cells.
    pub degrees_of_freedom: u64,
    /// The probability of a statistic at least as large.
    pub p_value: f64,
}

/// The smallest expected count of a cell in [`goodness_of_fit`]: Cochran's rule (1954).
pub const SMALLEST_EXPECTED: f64 = 5.0;

/// Pearson's chi-square test of observed against expected counts.
///
/// From the first cell on, neighbours are pooled until at least [`SMALLEST_EXPECTED`] are expected;
/// what is left at the end joins the last pool. `None` when the two differ in length or (by more
/// than 10⁻⁶ of it) in their sum, when an expectation is no number ≥ 0, or when fewer than two cells
/// remain. A value that cannot occur at all is pooled like any other: bounds are checked elsewhere.
pub fn goodness_of_fit(observed: &[u64], expected: &[f64]) -> Option<ChiSquare> {
    let runs = observed.iter().map(|&count| count as f64).sum::<f64>();
    let promised: f64 = expected.iter().sum();
    let sound = observed.len() == expected.len()
        && expected.iter().all(|count| *count >= 0.0)
        && (runs - promised).abs() <= 1e-6 * runs;
    if !sound {
        return None;
    }
    let mut pools: Vec<(f64, f64)> = vec![];
    let mut open = (0.0, 0.0);
    for (&count, &expectation) in observed.iter().zip(expected) {
        open = (open.0 + count as f64, open.1 + expectation);
        if open.1 >= SMALLEST_EXPECTED {
            pools.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = pools.last_mut() {
        *last = (last.0 + open.0, last.1 + open.1);
    }
    let degrees_of_freedom = (pools.len() as u64).checked_sub(1)?;
    let statistic = pools.iter().map(|(seen, due)| (seen - due).powi(2) / due).sum();
    let p_value = chi_square_p(statistic, degrees_of_freedom)?;
    Some(ChiSquare { statistic, degrees_of_freedom, p_value })
}

/// The outcome of Wilcoxon's signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SignedRank {
    /// The number of differences other than 0.
    pub pairs: u64,
    /// The number of differences equal to 0, left out.
    pub zeros: u64,
    /// The sum of the ranks of the positive differences.
    pub positive_ranks: f64,
    /// The sum of the ranks of the negative differences.
    pub negative_ranks: f64,
    /// Whether the p-value was counted out or comes from the normal approximation.
    pub exact: bool,
    /// The probability, both signs being equally likely, of rank sums at least as far apart.
    pub p_value: f64,
}

/// The largest number of pairs whose signs [`signed_rank`] counts out.
pub const MOST_EXACT_PAIRS: usize = 25;

/// Wilcoxon's signed-rank test (1945) of differences that lie evenly about 0.
///
/// Zeros are dropped (Wilcoxon's way); equal sizes share their mean rank. Up to
/// [`MOST_EXACT_PAIRS`] pairs without equal sizes the p-value is exact; otherwise it is
/// normal with mean m(m+1)/4 and variance m(m+1)(2m+1)/24 − Σ(t³−t)/48 over groups of t equal sizes,
/// without a continuity correction. `None` when all differences are 0 or there are none.
pub fn signed_rank(differences: &[i128]) -> Option<SignedRank> {
    let mut sizes: Vec<(u128, bool)> = differences
        .iter()
        .filter(|difference| **difference != 0)
        .map(|difference| (difference.unsigned_abs(), *difference > 0))
        .collect();
    if sizes.is_empty() {
        return None;
    }
    sizes.sort_unstable();
    let pairs = sizes.len();
    let (mut positive_ranks, mut before, mut ties) = (0.0, 0usize, 0.0);
    for group in sizes.chunk_by(|a, b| a.0 == b.0) {
        let equal = group.len() as f64;
        let rank = before as f64 + (equal + 1.0) / 2.0;
        positive_ranks += rank * group.iter().filter(|(_, positive)| *positive).count() as f64;
        ties += equal * (equal * equal - 1.0);
        before += group.len();
    }
    let m = pairs as f64;
    let all_ranks = m * (m + 1.0) / 2.0;
    let exact = ties == 0.0 && pairs <= MOST_EXACT_PAIRS;
    let p_value = if exact {
        exact_signed_rank_p(pairs, positive_ranks.min(all_ranks - positive_ranks) as usize)
    } else {
        let variance = m * (m + 1.0) * (2.0 * m + 1.0) / 24.0 - ties / 48.0;
        normal_two_sided_p((positive_ranks - all_ranks / 2.0) / variance.sqrt())?
    };
    Some(SignedRank {
        pairs: pairs as u64,
        zeros: (differences.len() - pairs) as u64,
        positive_ranks,
        negative_ranks: all_ranks - positive_ranks,
        exact,
        p_value,
    })
}

/// Twice the share of the 2^m choices of signs whose positive ranks sum to at most `smaller`.
fn exact_signed_rank_p(pairs: usize, smaller: usize) -> f64 {
    // ways[s] = number of subsets of the ranks so far that sum to s.
    let mut ways = vec![0u64; smaller + 1];
    ways[0] = 1;
    for rank in 1..=pairs.min(smaller) {
        for sum in (rank..=smaller).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let tail = ways.iter().sum::<u64>() as f64 / 2f64.powi(pairs as i32);
    (2.0 * tail).min(1.0)
}

/// Two independent samples set beside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Welch {
    /// Mean of the first less mean of the second.
    pub difference: f64,
    /// Standard error of the difference, √(s₁²/r₁ + s₂²/r₂).
    pub standard_error: f64,
    /// Satterthwaite's (1946) degrees of freedom.
    pub degrees_of_freedom: f64,
    /// The difference in standard errors.
    pub t: f64,
    /// The probability, the means being equal, of a t at least as far from 0.
    pub p_value: f64,
    /// The interval of the difference.
    pub interval: (f64, f64),
    /// Mean of the first over mean of the second; unknown when the second is 0.
    pub ratio: Option<f64>,
    /// Fieller's interval of the ratio; unknown where the second mean is not clearly above 0.
    pub ratio_interval: Option<(f64, f64)>,
}

/// Welch's t-test (1947) of equal means of two independent samples whose variances may differ.
///
/// `None` when a sample has fewer than two runs, when both are constant (there is nothing random to
/// test) or unless 0 < `confidence` < 1.
pub fn welch(first: &Moments, second: &Moments, confidence: f64) -> Option<Welch> {
    let (mean_1, mean_2) = (first.mean()?, second.mean()?);
    let (count_1, count_2) = (first.count() as f64, second.count() as f64);
    let (variance_1, variance_2) = (first.variance()? / count_1, second.variance()? / count_2);
    let variance = variance_1 + variance_2;
    if variance <= 0.0 {
        return None;
    }
    let degrees_of_freedom = variance * variance
        / (variance_1 * variance_1 / (count_1 - 1.0) + variance_2 * variance_2 / (count_2 - 1.0));
    let difference = mean_1 - mean_2;
    let standard_error = variance.sqrt();
    let t = difference / standard_error;
    let quantile = student::two_sided_quantile(degrees_of_freedom, confidence)?;
    let half = quantile * standard_error;
    let apart = mean_2 * mean_2 * variance_1 + mean_1 * mean_1 * variance_2;
    Some(Welch {
        difference,
        standard_error,
        degrees_of_freedom,
        t,
        p_value: student::two_sided_p(t, degrees_of_freedom)?,
        interval: (difference - half, difference + half),
        ratio: (mean_2 > 0.0).then(|| mean_1 / mean_2),
        ratio_interval: fieller(
            (mean_1, mean_2),
            variance_2,
            0.0,
            apart,
            variance_1 * variance_2,
            quantile,
        ),
    })
}

/// Fieller's interval (1954) for the ratio of two means a/b with variances v_a, v_b and covariance
/// c of the means: all ratios ρ with (a − ρb)² ≤ t²(v_a − 2ρc + ρ²v_b), that is
/// (ab − t²c ± t√(A − t²D)) / (b² − t²v_b) with A = b²v_a − 2abc + a²v_b and D = v_a·v_b − c².
/// `None` when b is within t standard errors of 0: the ratio has no bounded interval.
///
/// A and D are passed in, since callers can form them without cancellation.
pub(super) fn fieller(
    (a, b): (f64, f64),
    variance_b: f64,
    covariance: f64,
    apart: f64,
    determinant: f64,
    t: f64,
) -> Option<(f64, f64)> {
    let divisor = b * b - t * t * variance_b;
    if divisor.is_nan() || divisor <= 0.0 {
        return None;
    }
    let middle = a * b - t * t * covariance;
    let half = t * (apart - t * t * determinant).max(0.0).sqrt();
    Some(((middle - half) / divisor, (middle + half) / divisor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_keeps_order_and_unknowns() {
        let adjusted = holm(&[Some(0.04), None, Some(0.01), Some(0.03), Some(f64::NAN)]);
        assert_eq!(adjusted[1], None);
        assert_eq!(adjusted[4], None);
        let known: Vec<f64> = adjusted.into_iter().flatten().collect();
        for (got, want) in known.iter().zip([0.06, 0.03, 0.06]) {
            assert!((got - want).abs() < 1e-15, "{known:?}");
        }
        assert_eq!(holm(&[]), vec![]);
    }

    #[test]
    fn small_cells_are_pooled_with_their_neighbours() {
        // Pools: {2+3, 8}, {6}, {5 + 1}.
        let got = goodness_of_fit(&[4, 3, 6, 4, 0], &[2.0, 3.0, 6.0, 5.0, 1.0]).unwrap();
        assert_eq!(got.degrees_of_freedom, 2);
        assert!((got.statistic - (4.0 / 5.0 + 0.0 + 4.0 / 6.0)).abs() < 1e-12);
    }

    #[test]
    fn tests_without_substance_are_unknown() {
        assert_eq!(goodness_of_fit(&[], &[]), None);
        assert_eq!(goodness_of_fit(&[10], &[10.0]), None);
        assert_eq!(goodness_of_fit(&[10, 10], &[10.0]), None);
        assert_eq!(goodness_of_fit(&[10, 10], &[10.0, 11.0]), None);
        assert_eq!(goodness_of_fit(&[10, 10], &[f64::NAN, 10.0]), None);
        assert_eq!(goodness_of_fit(&[2, 2], &[2.0, 2.0]), None);
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[0, 0]), None);
        let mut constant = Moments::new();
        constant.push(0, 3);
        assert_eq!(welch(&constant, &constant, 0.95), None);
        constant.push(1, 3);
        assert_eq!(welch(&constant, &constant, 0.95), None);
    }

    #[test]
    fn exact_signed_rank_counts_all_signs() {
        for pairs in 1..=12usize {
            let all = pairs * (pairs + 1) / 2;
            for smaller in 0..=all / 2 {
                let counted = (0u32..1 << pairs)
                    .filter(|signs| {
                        let sum: usize =
                            (0..pairs).filter(|bit| signs >> bit & 1 == 1).map(|bit| bit + 1).sum();
                        sum <= smaller
                    })
                    .count() as f64;
                let want = (2.0 * counted / 2f64.powi(pairs as i32)).min(1.0);
                assert_eq!(exact_signed_rank_p(pairs, smaller), want);
            }
        }
    }
}
