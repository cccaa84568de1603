//! What the probing algorithms have in common: nested sets of survivors.
//!
//! Let A_p be the nodes still active in phase p, which probe r = 2^p far. Neighbouring members of
//! A_p are more than 2^(p-1) apart. In Hirschberg-Sinclair a gap g between two of them costs
//! g + 2r in phase p if g ≤ r (the loser's probe dies within the gap) and 4r otherwise; in radius
//! growth every member costs 4r. So the worst ring is the best way to cut a ring of n into gaps,
//! the gaps into smaller gaps, and so on: a dynamic programme over gap lengths,
//!
//!   f_1(g) = g c_0(1),   f_(p+1)(g) = max over cuts of g into parts ≥ 2^(p-1)+1 of
//!                                     Σ f_p(part) + c_p(part),
//!
//! whose value at (n, last phase), plus 2n for the winner's last probes, is exact.

use crate::theory::{Certainty, Fact, Value, ceil_log2, harmonic_between};

/// Beyond this many nodes the dynamic programme takes too long (its cost grows as n² log n).
const LARGEST_RING: u64 = 1 << 14;

/// Beyond this many nodes tables show the bound instead.
const LARGEST_EXACT: u64 = 1 << 12;

/// The costs that tell the two algorithms apart.
pub(super) struct Levels {
    /// Messages of phase p for one gap, given the gap and r = 2^p.
    cost: fn(gap: u64, radius: u64) -> u64,
    /// An upper bound for all n.
    bound: fn(n: u64) -> u128,
    bound_formula: &'static str,
}

impl Levels {
    pub(super) const HIRSCHBERG_SINCLAIR: Levels = Levels {
        cost: |gap, radius| if gap <= radius { gap + 2 * radius } else { 4 * radius },
        bound: |n| 5 * u128::from(n) * u128::from(ceil_log2(n)),
        bound_formula: "5 n ceil(log2 n)",
    };

    pub(super) const RADIUS_GROWTH: Levels = Levels {
        cost: |_, radius| 4 * radius,
        bound: |n| 8 * u128::from(n) * u128::from(ceil_log2(n)) - 2 * u128::from(n),
        bound_formula: "8 n ceil(log2 n) - 2n",
    };

    /// The exact worst case where it is quick to compute, else the bound. n is at least 2.
    pub(super) fn worst_fact(&self, n: u64) -> Fact {
        let source = "derivation in docs/method.md";
        if n > LARGEST_EXACT {
            let bound = (self.bound)(n);
            return Fact::whole(bound, self.bound_formula, source).known(Certainty::Bound);
        }
        let worst = self.solve(n as usize).worst;
        let formula = format!("dynamic programme, at most {}", self.bound_formula);
        Fact { value: Value::Whole(u128::from(worst)), ..Fact::whole(0, &formula, source) }
    }

    /// A ring that attains the worst case, as ranks; `None` where it would take too long.
    pub(super) fn worst_ring(&self, n: u32) -> Option<Vec<u32>> {
        if u64::from(n) > LARGEST_RING {
            return None;
        }
        if n == 1 {
            return Some(vec![0]);
        }
        let levels = self.solve(n as usize).levels;
        // Higher levels get larger ranks; the order within a level is arbitrary.
        let mut positions: Vec<u32> = (0..n).collect();
        positions.sort_by_key(|&position| levels[position as usize]);
        let mut ranks = vec![0; n as usize];
        for (rank, &position) in positions.iter().enumerate() {
            ranks[position as usize] = rank as u32;
        }
        Some(ranks)
    }

    fn solve(&self, n: usize) -> Solution {
        let last_phase = ceil_log2(n as u64) as usize - 1;
        // value[g] = f_p(g), the messages of phases 0..p within a gap g of A_p.
        let mut value: Vec<u64> = (0..=n as u64).map(|gap| gap * (self.cost)(1, 1)).collect();
        // parts[p][g]: the first part when a gap g of A_(p+1) is cut into gaps of A_p.
        let mut parts: Vec<Vec<u32>> = vec![vec![1; n + 1]];
        for phase in 1..=last_phase {
            let radius = 1u64 << phase;
            let shortest = radius as usize / 2 + 1;
            let weight: Vec<u64> =
                (0..=n).map(|gap| value[gap] + (self.cost)(gap as u64, radius)).collect();
            let (best, first) = cut(&weight, shortest);
            value = best;
            parts.push(first);
        }
        let mut levels = vec![0u8; n];
        let mut gaps = vec![(0, n)];
        for phase in (0..=last_phase).rev() {
            let mut finer = Vec::new();
            for (start, gap) in gaps {
                let mut place = 0;
                while place < gap {
                    let part = parts[phase][gap - place] as usize;
                    let position = start + place;
                    levels[position] = levels[position].max(phase as u8);
                    finer.push((position, part));
                    place += part;
                }
            }
            gaps = finer;
        }
        let worst = value[n] + 2 * n as u64;
        Solution { worst, levels }
    }
}

struct Solution {
    /// The most messages.
    worst: u64,
    /// The last phase that each position of a worst ring takes part in, the winner's last excepted.
    levels: Vec<u8>,
}

/// For every length g the largest total weight of a cut of g into parts of at least `shortest`,
/// and the first part of such a cut. Lengths that cannot be cut so are taken whole, at 0.
fn cut(weight: &[u64], shortest: usize) -> (Vec<u64>, Vec<u32>) {
    let mut best = vec![0; weight.len()];
    let mut first: Vec<u32> = (0..weight.len() as u32).collect();
    for length in shortest..weight.len() {
        best[length] = weight[length];
        for part in shortest..=length.saturating_sub(shortest) {
            let total = weight[part] + best[length - part];
            if total > best[length] {
                best[length] = total;
                first[length] = part as u32;
            }
        }
    }
    (best, first)
}

/// The exact mean of probing with confiscation, if phase l reaches `radius(l)` nodes far.
///
/// With s = r_(l-1) (0 for l = 0) and m = min(r_l, n), a node sends per direction in phase l
///
///   E_l = min(s,m)/min(2s+1,n) + Σ_(t=s..m-1) 1/min(s+t+1,n) + [r_l < n] r_l/min(s+r_l+1,n)
///
/// messages on average, because it is active with no larger ID within t with probability
/// 1/min(s+max(s,t)+1, n); the mean is 2n Σ E_l up to the first phase with r_l ≥ n.
pub(super) fn mean_of_probing(n: u64, radius: fn(u32) -> u128) -> f64 {
    let mut sum = 0.0;
    let wide = u128::from(n);
    let mut previous = 0u128;
    for phase in 0.. {
        let reach = radius(phase);
        let within = reach.min(wide);
        let mut phase_mean = previous.min(within) as f64 / (2 * previous + 1).min(wide) as f64;
        // The sum's denominators run from 2s+1 to s+m, and stay at n from there on.
        let (first, last) = (2 * previous + 1, previous + within);
        if first <= wide {
            // Both are at most n.
            phase_mean += harmonic_between((first - 1) as u64, last.min(wide) as u64);
        }
        let beyond = last.saturating_sub(wide.max(first - 1));
        phase_mean += beyond as f64 / n as f64;
        if reach < wide {
            phase_mean += reach as f64 / (previous + reach + 1).min(wide) as f64;
        }
        sum += phase_mean;
        if reach >= wide {
            break;
        }
        previous = reach;
    }
    2.0 * n as f64 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_cases_are_those_of_the_exhaustive_search() {
        let worst = |levels: &Levels, n| levels.solve(n).worst;
        let expected = [
            10, 23, 32, 55, 68, 78, 89, 134, 152, 166, 180, 191, 210, 228, 242, 320, 350, 369, 388,
        ];
        for (n, expected) in (2..).zip(expected) {
            assert_eq!(worst(&Levels::HIRSCHBERG_SINCLAIR, n), expected, "n = {n}");
        }
        for (n, expected) in [(32, 612), (64, 1500), (128, 3576), (256, 8304), (1024, 42616)] {
            assert_eq!(worst(&Levels::HIRSCHBERG_SINCLAIR, n), expected, "n = {n}");
        }
        let expected = [
            12, 26, 40, 62, 84, 98, 112, 158, 188, 210, 232, 246, 260, 282, 304, 390, 444, 474, 504,
        ];
        for (n, expected) in (2..).zip(expected) {
            assert_eq!(worst(&Levels::RADIUS_GROWTH, n), expected, "n = {n}");
        }
        for (n, expected) in [(32, 800), (64, 1984), (128, 4832), (256, 11456), (1024, 60160)] {
            assert_eq!(worst(&Levels::RADIUS_GROWTH, n), expected, "n = {n}");
        }
    }

    #[test]
    fn the_bound_is_never_below_the_worst_case() {
        for levels in [Levels::HIRSCHBERG_SINCLAIR, Levels::RADIUS_GROWTH] {
            for n in 2..200 {
                let worst = u128::from(levels.solve(n).worst);
                let bound = (levels.bound)(n as u64);
                assert!(worst < bound || (n == 2 && worst == bound), "n = {n}");
            }
        }
    }

    #[test]
    fn the_mean_agrees_with_known_ratios_to_n_log_n() {
        let ratio = |n: u64| mean_of_probing(n, |l| 1 << l) / (n as f64 * (n as f64).log2());
        for (n, expected) in [
            (1 << 10, 3.1500),
            (1 << 13, 3.1484),
            (1 << 16, 3.1476),
            (1025, 3.5492),
            (65537, 3.3976),
        ] {
            assert!((ratio(n) - expected).abs() < 6e-5, "n = {n}: {}", ratio(n));
        }
    }
}
