//! How many rounds it takes until neighbours have left one ID: Newton's method and the secant method.
//!
//! Cut a ring at its largest ID. The other IDs are a word w = w₁ M w₂ with M its largest letter, and
//! w₁ and w₂ evolve on their own for as long as M is there. Where local maxima survive, M leaves in
//! the first round in which one of its sides has become empty; where odd rounds compare with the ID
//! behind and even ones with that ahead, in the first odd round after w₁ is empty or the first even
//! one after w₂ is. Since all words are equally likely, the series
//!
//!   y_j(t) = Σ_(n≥1) P(R_n ≤ j+1) t^(n-1),   y_(-1) = 0,   y_0 = 1,   y_j(0) = 1
//!
//! obey y_j' = (p + q) y_j - p q, with p = q = y_(j-1) for local maxima, and p = y_(j-1), q = y_(j-2)
//! for alternating rounds: Newton's and the secant iteration for y' = y², whose solution is 1/(1-t).
//! All coefficients are in [0, 1], and none is a difference of large numbers.

use std::sync::OnceLock;

use crate::algorithm::Law;
use crate::model::distribution::Distribution;
use crate::model::theory::{Fact, Value, ceil_log2};

/// Up to so many nodes the recursion is carried out; it takes O(n² log n).
const LARGEST_EXACT: u64 = 1 << LARGEST_LOG;
const LARGEST_LOG: usize = 12;

/// Beyond, mean and variance of the rounds are off by less than this.
const LARGEST_ERROR: f64 = 0.0005;

/// A way in which IDs leave the race.
pub(super) struct RoundsLaw {
    /// Which earlier series is the second factor: the last one, or the one before it.
    lag: usize,
    /// In the long run a round leaves one ID of so many.
    survival: f64,
    /// Mean and variance of R for n = 1, 2, 4, …: all sizes up to there.
    tables: [OnceLock<Vec<Moments>>; LARGEST_LOG + 1],
}

/// Mean and variance of the number of rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// Those larger than both neighbours survive.
pub(super) static LOCAL_MAXIMA: RoundsLaw = RoundsLaw::new(1, 3.043_827_861_839);

/// Those larger than the one behind survive, and next those larger than the one ahead.
pub(super) static ALTERNATING: RoundsLaw = RoundsLaw::new(2, 2.224_910_446_614);

impl RoundsLaw {
    const fn new(lag: usize, survival: f64) -> Self {
        RoundsLaw { lag, survival, tables: [const { OnceLock::new() }; LARGEST_LOG + 1] }
    }

    /// Mean and variance of the messages of n nodes of which k ≥ 1 compete, at `per_node` messages
    /// for each node in each round. R is distributed as on a ring of the k competitors alone.
    pub(super) fn facts(&self, n: u64, k: u64, per_node: u64) -> [Fact; 2] {
        let messages = per_node as f64 * n as f64;
        let factor = |power: &str, number: u64| match number {
            1 => format!("n{power}"),
            _ => format!("{number} n{power}"),
        };
        let scaled = |fact: Fact, scale: f64, name: String| {
            let value = Value::Real(scale * fact.value.as_f64());
            fact.scaled(value, scale, format!("{name} {}", fact.formula))
        };
        let [mean, variance] = self.rounds(n, k);
        [
            scaled(mean, messages, factor("", per_node)),
            scaled(variance, messages * messages, factor("^2", per_node * per_node)),
        ]
    }

    /// Mean and variance of the rounds themselves.
    pub(super) fn rounds(&self, n: u64, k: u64) -> [Fact; 2] {
        let Moments { mean, variance } = self.moments(k);
        let ring = if n == k { "n" } else { "k" };
        [(mean, format!("E[R_{ring}]")), (variance, format!("Var R_{ring}"))].map(
            |(value, formula)| match k <= LARGEST_EXACT {
                true => Fact::real(value, &formula, "recursion in docs/method.md"),
                false => Fact::real(value, &formula, "self-similarity, docs/method.md")
                    .numerical(LARGEST_ERROR),
            },
        )
    }

    /// Mean and variance of R on a ring of n ≥ 1.
    ///
    /// Beyond the recursion, a ring of n takes one round more than one of n / `survival`: the law
    /// of R moves, but keeps its form. Between whole sizes both are interpolated.
    fn moments(&self, n: u64) -> Moments {
        let (mut size, mut rounds) = (n as f64, 0.0);
        while size > LARGEST_EXACT as f64 {
            size /= self.survival;
            rounds += 1.0;
        }
        let below = size.floor();
        let [low, high] = [below, size.ceil()].map(|size| self.exact(size as u64));
        let between = |low: f64, high: f64| low + (size - below) * (high - low);
        Moments {
            mean: rounds + between(low.mean, high.mean),
            variance: between(low.variance, high.variance),
        }
    }

    fn exact(&self, n: u64) -> Moments {
        let log = ceil_log2(n) as usize;
        self.tables[log].get_or_init(|| self.table(1 << log))[n as usize - 1]
    }

    /// E R = Σ P(R > i) and E R² = Σ (2i+1) P(R > i) for all sizes up to `largest`.
    fn table(&self, largest: usize) -> Vec<Moments> {
        let mut sums = vec![(1.0, 1.0); largest];
        for (i, level) in (1..).zip(self.levels(largest)) {
            for ((mean, square), within) in sums.iter_mut().zip(&level) {
                *mean += 1.0 - within;
                *square += f64::from(2 * i + 1) * (1.0 - within);
            }
        }
        let moments = |(mean, square): (f64, f64)| {
            // The difference is 0 on the smallest rings, where rounding must not make it negative.
            Moments { mean, variance: (square - mean * mean).max(0.0) }
        };
        sums.into_iter().map(moments).collect()
    }

    /// P(R ≤ 1), P(R ≤ 2), … for all sizes up to `largest`, until the largest ring is done.
    fn levels(&self, largest: usize) -> Vec<Vec<f64>> {
        let mut series = vec![vec![0.0; largest], vec![0.0; largest]];
        series[1][0] = 1.0;
        loop {
            let last = series.len() - 1;
            // The largest ring is done last; what is missing then is squared by the next round.
            if series[last][largest - 1] > 1.0 - 1e-13 {
                series.remove(0);
                return series;
            }
            series.push(next(&series[last], &series[last + 1 - self.lag]));
        }
    }

    /// How likely every number of messages is on a ring of n on which all compete, at `per_node`
    /// messages for each node in each round; n is at most [`LARGEST_EXACT`].
    fn distribution(&self, n: u64, per_node: u64) -> Distribution {
        let within = self.levels(n as usize).into_iter().map(|level| level[n as usize - 1]);
        let (step, mut before) = ((n * per_node) as usize, 0.0);
        let mut probabilities = Vec::new();
        for (rounds, within) in within.enumerate() {
            probabilities.resize(rounds * step + 1, 0.0);
            // Rounding must not make a probability negative.
            probabilities[rounds * step] = (within - before).max(0.0);
            before = within;
        }
        let first = probabilities.iter().position(|&p| p > 0.0).unwrap_or(0);
        Distribution::new(step as u64 + first as u64, probabilities.split_off(first))
    }
}

/// The law of the messages where local maxima survive, two messages for each node in each round.
pub(super) const LOCAL_MAXIMA_LAW: Law = Law {
    at: |n| LOCAL_MAXIMA.distribution(n, 2),
    quick: 1024,
    slow: 4096,
    largest: LARGEST_EXACT,
};

/// The law of the messages where rounds alternate, one message for each node in each round.
pub(super) const ALTERNATING_LAW: Law =
    Law { at: |n| ALTERNATING.distribution(n, 1), quick: 1024, slow: 4096, largest: LARGEST_EXACT };

/// The series after p and q: c_0 = 1, c_(m+1) = Σ_(i≤m) ((p_i + q_i) c_(m-i) - p_i q_(m-i)) / (m+1).
fn next(p: &[f64], q: &[f64]) -> Vec<f64> {
    let n = p.len();
    let mut sum: Vec<f64> = p.iter().zip(q).map(|(p, q)| p + q).collect();
    let mut q = q.to_vec();
    sum.reverse();
    q.reverse();
    let mut c = vec![0.0; n];
    c[0] = 1.0;
    for m in 0..n - 1 {
        let from = n - 1 - m;
        let value = dot(&c[..=m], &sum[from..]) - dot(&p[..=m], &q[from..]);
        c[m + 1] = value / (m + 1) as f64;
    }
    c
}

/// Σ a_i b_i in eight sums, which fit into vector registers.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, digits: i32) -> bool {
        (found - expected).abs() < 0.6 * 10f64.powi(-digits)
    }

    #[test]
    fn small_rings_have_the_fractions_of_all_rings() {
        // E[R] and Var R by going through all rings of 2, 3, …
        let maxima: [(f64, f64); 9] = [
            (2.0, 0.0),
            (2.0, 0.0),
            (7.0 / 3.0, 2.0 / 9.0),
            (8.0 / 3.0, 2.0 / 9.0),
            (43.0 / 15.0, 26.0 / 225.0),
            (133.0 / 45.0, 86.0 / 2025.0),
            (946.0 / 315.0, 2834.0 / 99_225.0),
            (3851.0 / 1260.0, 94_499.0 / 1_587_600.0),
            (169.0 / 54.0, 11_659.0 / 102_060.0),
        ];
        let alternating: [(f64, f64); 9] = [
            (2.0, 0.0),
            (5.0 / 2.0, 1.0 / 4.0),
            (17.0 / 6.0, 5.0 / 36.0),
            (37.0 / 12.0, 23.0 / 144.0),
            (397.0 / 120.0, 3311.0 / 14_400.0),
            (505.0 / 144.0, 26_203.0 / 103_680.0),
            (18_533.0 / 5040.0, 6_016_631.0 / 25_401_600.0),
            (38_539.0 / 10_080.0, 21_907_079.0 / 101_606_400.0),
            (1_433_969.0 / 362_880.0, 27_300_235_679.0 / 131_681_894_400.0),
        ];
        for (law, table) in [(&LOCAL_MAXIMA, maxima), (&ALTERNATING, alternating)] {
            assert_eq!(law.moments(1), Moments { mean: 1.0, variance: 0.0 });
            for (n, (mean, variance)) in (2..).zip(table) {
                let found = law.moments(n);
                assert!(close(found.mean, mean, 14), "n = {n}: {found:?}");
                assert!(close(found.variance, variance, 13), "n = {n}: {found:?}");
            }
        }
    }

    #[test]
    fn larger_rings_have_the_values_of_another_program() {
        let maxima = [
            (12, 517_739.0 / 155_925.0, 5_295_482_804.0 / 24_312_605_625.0),
            (16, 3.688_795_559, 0.214_389_856),
            (64, 4.921_174_760, 0.089_184_315),
            (100, 5.210_696_478, 0.168_994_259),
            (256, 6.074_607_268, 0.090_269_642),
            (1000, 7.290_116_123, 0.207_040_862),
            (1024, 7.316_542_669, 0.217_113_603),
            (4096, 8.648_629_869, 0.228_265_571),
        ];
        let alternating = [
            (12, 1_983_691.0 / 475_200.0, 362_337_933_233.0 / 1_580_705_280_000.0),
            (16, 4.536_605_600, 0.264_780_948),
            (64, 6.259_153_196, 0.261_552_956),
            (100, 6.820_988_900, 0.253_013_035),
            (256, 7.993_204_519, 0.247_193_372),
            (1000, 9.699_363_213, 0.267_810_990),
            (1024, 9.729_039_149, 0.264_985_792),
            (4096, 11.459_902_789, 0.279_201_973),
        ];
        for (law, table) in [(&LOCAL_MAXIMA, maxima), (&ALTERNATING, alternating)] {
            for (n, mean, variance) in table {
                let found = law.moments(n);
                assert!(close(found.mean, mean, 9), "n = {n}: {found:?}");
                assert!(close(found.variance, variance, 9), "n = {n}: {found:?}");
            }
        }
    }

    #[test]
    fn the_whole_law_has_the_values_of_another_program() {
        // P(R ≤ j), and all rings of 12 by R.
        let laws = [
            (16, 3, 0.311_221),
            (16, 4, 0.999_983),
            (64, 4, 0.087_111),
            (64, 5, 0.991_714),
            (100, 4, 0.001_345),
            (100, 5, 0.787_958),
            (256, 5, 0.010_614),
            (256, 6, 0.914_778),
            (1000, 6, 0.000_546),
            (1000, 7, 0.709_338),
            (1024, 6, 0.000_385),
            (1024, 7, 0.683_073),
            (4096, 8, 0.351_543),
            (4096, 9, 0.999_824),
        ];
        for (n, rounds, p) in laws {
            let law = LOCAL_MAXIMA.distribution(n, 2);
            assert!(close(law.cdf(2 * n * rounds), p, 6), "n = {n}");
        }
        let rings = [(2, 1024.0), (3, 27_123_968.0), (4, 12_791_808.0)];
        let law = LOCAL_MAXIMA.distribution(12, 2);
        for (rounds, number) in rings {
            let p = law.pmf(24 * rounds);
            assert!((p * 39_916_800.0 - number).abs() < 1e-3, "{rounds} rounds: {p}");
        }
        assert_eq!(law.support(), 48..=96);
        let eight = [(2, 1.0), (3, 1670.0), (4, 3324.0), (5, 45.0)];
        let law = ALTERNATING.distribution(8, 1);
        for (rounds, number) in eight {
            assert!((law.pmf(8 * rounds) * 5040.0 - number).abs() < 1e-9, "{rounds} rounds");
        }
        assert_eq!(LOCAL_MAXIMA.distribution(1, 2).support(), 2..=2);
    }

    #[test]
    fn beyond_the_recursion_the_error_is_below_the_stated_one() {
        let found = LOCAL_MAXIMA.moments(16_384);
        assert!(close(found.mean, 9.904_510, 6), "{found:?}");
        assert!((found.mean - 9.904_396_770).abs() < LARGEST_ERROR, "{found:?}");
        assert!((found.variance - 0.101_612_429).abs() < LARGEST_ERROR, "{found:?}");
        // The sizes that larger rings are reduced to, each against a smaller one.
        for law in [&LOCAL_MAXIMA, &ALTERNATING] {
            for n in (LARGEST_EXACT / 2..=LARGEST_EXACT).step_by(64) {
                let size = n as f64 / law.survival;
                let (low, high) = (law.moments(size as u64), law.moments(size as u64 + 1));
                let smaller = low.mean + (size - size.floor()) * (high.mean - low.mean);
                let error = law.moments(n).mean - (1.0 + smaller);
                assert!(error.abs() < LARGEST_ERROR, "n = {n}: {error}");
            }
        }
        for n in [u64::MAX, 1 << 40, 1_000_000] {
            assert!(LOCAL_MAXIMA.moments(n).mean.is_finite());
        }
    }
    /// The share p_j of IDs that are left after j rounds of a large ring. With s = -ln(1-t) and
    /// e_j = 1 - (1-t) y_j: e_j' = e_j (1-a-b) + ab and p_j = ∫ ab e^(-s) ds, a = e_(j-1), b = a or e_(j-2).
    fn shares(lag: usize, rounds: usize) -> Vec<f64> {
        const STEP: f64 = 1.0 / 256.0;
        let slope = |s: f64, at: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let before = |j: usize, back: usize| j.checked_sub(back).map_or(1.0, |j| at[j].0);
            let of = |j: usize| {
                let (a, b) = (before(j, 1), before(j, lag));
                (at[j].0 * (1.0 - a - b) + a * b, a * b * (-s).exp())
            };
            (0..at.len()).map(of).collect()
        };
        let moved = |at: &[(f64, f64)], by: &[(f64, f64)], step: f64| -> Vec<(f64, f64)> {
            at.iter().zip(by).map(|(x, y)| (x.0 + step * y.0, x.1 + step * y.1)).collect()
        };
        let mut at = vec![(0.0, 0.0); rounds];
        for step in 0..256 * 60 {
            let s = f64::from(step) * STEP;
            let first = slope(s, &at);
            let second = slope(s + STEP / 2.0, &moved(&at, &first, STEP / 2.0));
            let third = slope(s + STEP / 2.0, &moved(&at, &second, STEP / 2.0));
            let fourth = slope(s + STEP, &moved(&at, &third, STEP));
            for (slopes, weight) in [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)] {
                at = moved(&at, &slopes, STEP * weight / 6.0);
            }
        }
        at.into_iter().map(|(_, share)| share).collect()
    }

    #[test]
    fn a_round_leaves_one_id_of_as_many_as_the_series_tend_to() {
        let e = std::f64::consts::E;
        let maxima = [
            1.0,
            1.0 / 3.0,
            e.powi(4) / 128.0 - e * e / 8.0 + 233.0 / 384.0,
            0.036_042_311_7,
            0.011_841_348_7,
            0.003_890_290_4,
        ];
        let alternating = [1.0, 0.5, e - 2.5, 0.098_988_172_6, 0.044_396_574_0, 0.019_966_925_5];
        for (law, table) in [(&LOCAL_MAXIMA, maxima), (&ALTERNATING, alternating)] {
            let shares = shares(law.lag, 24);
            for (j, (found, expected)) in shares.iter().zip(table).enumerate() {
                assert!(close(*found, expected, 10), "p_{j} = {found}");
            }
            let ratio = shares[22] / shares[23];
            assert!((ratio - law.survival).abs() < 1e-7, "{ratio}");
        }
    }

    #[test]
    fn the_mean_goes_up_and_down_beside_its_logarithm() {
        let off = |law: &RoundsLaw, slope: f64, log: i32| {
            law.moments(1 << log).mean - slope * f64::from(log)
        };
        for log in 5..=14 {
            assert!((1.07..1.20).contains(&off(&LOCAL_MAXIMA, 0.622_708_9, log)), "2^{log}");
        }
        for log in 6..=13 {
            // From 1.0573 to 1.0616, to four digits.
            assert!((1.05725..1.06165).contains(&off(&ALTERNATING, 0.866_740_9, log)), "2^{log}");
        }
    }
}
