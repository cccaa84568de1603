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

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::theory::{Certainty, Fact, Value, ceil_log2, harmonic_between};

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
    /// The dynamic programme by phase, from the second on, as far as anybody asked: no gap depends
    /// on a longer one, so that all sizes together take no longer than the largest of them.
    cuts: Mutex<Vec<Cuts>>,
}

pub(super) static HIRSCHBERG_SINCLAIR: Levels = Levels {
    cost: |gap, radius| if gap <= radius { gap + 2 * radius } else { 4 * radius },
    bound: |n| 5 * u128::from(n) * u128::from(ceil_log2(n)),
    bound_formula: "5 n ceil(log2 n)",
    cuts: Mutex::new(Vec::new()),
};

pub(super) static RADIUS_GROWTH: Levels = Levels {
    cost: |_, radius| 4 * radius,
    bound: |n| 8 * u128::from(n) * u128::from(ceil_log2(n)) - 2 * u128::from(n),
    bound_formula: "8 n ceil(log2 n) - 2n",
    cuts: Mutex::new(Vec::new()),
};

impl Levels {
    /// The exact worst case where it is quick to compute, else the bound. n is at least 2.
    pub(super) fn worst_fact(&self, n: u64) -> Fact {
        let source = "derivation in docs/method.md";
        if n > LARGEST_EXACT {
            let bound = (self.bound)(n);
            return Fact::whole(bound, self.bound_formula, source).known(Certainty::Bound);
        }
        let worst = self.worst(n as usize);
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
        let levels = self.levels(n as usize);
        // Higher levels get larger ranks; the order within a level is arbitrary.
        let mut positions: Vec<u32> = (0..n).collect();
        positions.sort_by_key(|&position| levels[position as usize]);
        let mut ranks = vec![0; n as usize];
        for (rank, &position) in positions.iter().enumerate() {
            ranks[position as usize] = rank as u32;
        }
        Some(ranks)
    }

    /// The most messages. n is at least 2.
    fn worst(&self, n: usize) -> u64 {
        let cuts = self.cuts_up_to(n);
        let before_last = match last_phase(n) {
            0 => self.first_phase(n),
            phase => cuts[phase - 1].best[n],
        };
        before_last + 2 * n as u64
    }

    /// The last phase that each position of a worst ring takes part in, the winner's last excepted.
    fn levels(&self, n: usize) -> Vec<u8> {
        let cuts = self.cuts_up_to(n);
        let mut levels = vec![0u8; n];
        let mut gaps = vec![(0, n)];
        for phase in (1..=last_phase(n)).rev() {
            let mut finer = Vec::new();
            for (start, gap) in gaps {
                let mut place = 0;
                while place < gap {
                    let part = cuts[phase - 1].first[gap - place] as usize;
                    let position = start + place;
                    levels[position] = levels[position].max(phase as u8);
                    finer.push((position, part));
                    place += part;
                }
            }
            gaps = finer;
        }
        levels
    }

    /// f_1, the messages of phase 0 within a gap.
    fn first_phase(&self, gap: usize) -> u64 {
        gap as u64 * (self.cost)(1, 1)
    }

    /// The dynamic programme for all gaps up to n at least, in all phases of a ring of n.
    fn cuts_up_to(&self, n: usize) -> MutexGuard<'_, Vec<Cuts>> {
        let mut cuts = self.cuts.lock().unwrap_or_else(PoisonError::into_inner);
        for phase in 1..=last_phase(n) {
            if cuts.len() < phase {
                cuts.push(Cuts::default());
            }
            let (before, rest) = cuts.split_at_mut(phase - 1);
            let radius = 1u64 << phase;
            rest[0].extend(n, radius as usize / 2 + 1, |gap| {
                let value = before.last().map_or(self.first_phase(gap), |cuts| cuts.best[gap]);
                value + (self.cost)(gap as u64, radius)
            });
        }
        cuts
    }
}

/// The last phase that is not the winner's alone, in a ring of n ≥ 2.
fn last_phase(n: usize) -> usize {
    ceil_log2(n as u64) as usize - 1
}

/// Gaps of A_(p+1), cut into gaps of A_p; all by the length of the gap.
#[derive(Default)]
struct Cuts {
    /// f_p + c_p: the messages of phases 0..=p within a gap of A_p.
    weight: Vec<u64>,
    /// f_(p+1): the largest total weight of a cut; 0 where none is allowed.
    best: Vec<u64>,
    /// The first part of such a cut; the whole where none is allowed.
    first: Vec<u32>,
}

impl Cuts {
    /// Goes on up to the gap n, where parts are at least `shortest` long.
    fn extend(&mut self, n: usize, shortest: usize, weight: impl Fn(usize) -> u64) {
        for gap in self.weight.len()..=n {
            self.weight.push(weight(gap));
            let (mut best, mut first) = (0, gap);
            if gap >= shortest {
                best = self.weight[gap];
                for part in shortest..=gap.saturating_sub(shortest) {
                    let total = self.weight[part] + self.best[gap - part];
                    if total > best {
                        (best, first) = (total, part);
                    }
                }
            }
            self.best.push(best);
            self.first.push(first as u32);
        }
    }
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
        let expected = [
            10, 23, 32, 55, 68, 78, 89, 134, 152, 166, 180, 191, 210, 228, 242, 320, 350, 369, 388,
        ];
        for (n, expected) in (2..).zip(expected) {
            assert_eq!(HIRSCHBERG_SINCLAIR.worst(n), expected, "n = {n}");
        }
        for (n, expected) in [(32, 612), (64, 1500), (128, 3576), (256, 8304), (1024, 42616)] {
            assert_eq!(HIRSCHBERG_SINCLAIR.worst(n), expected, "n = {n}");
        }
        let expected = [
            12, 26, 40, 62, 84, 98, 112, 158, 188, 210, 232, 246, 260, 282, 304, 390, 444, 474, 504,
        ];
        for (n, expected) in (2..).zip(expected) {
            assert_eq!(RADIUS_GROWTH.worst(n), expected, "n = {n}");
        }
        for (n, expected) in [(32, 800), (64, 1984), (128, 4832), (256, 11456), (1024, 60160)] {
            assert_eq!(RADIUS_GROWTH.worst(n), expected, "n = {n}");
        }
    }

    #[test]
    fn a_size_gets_the_same_ring_whatever_was_asked_before() {
        let (bound, bound_formula) = (HIRSCHBERG_SINCLAIR.bound, "");
        let fresh = |cost| Levels { cost, bound, bound_formula, cuts: Mutex::new(Vec::new()) };
        for cost in [HIRSCHBERG_SINCLAIR.cost, RADIUS_GROWTH.cost] {
            let shared = fresh(cost);
            for n in [300, 2, 65, 64, 301, 33, 500, 3] {
                let alone = fresh(cost);
                assert_eq!(shared.worst(n), alone.worst(n), "n = {n}");
                assert_eq!(shared.levels(n), alone.levels(n), "n = {n}");
            }
        }
    }

    #[test]
    fn all_sizes_take_no_longer_than_the_largest() {
        // One after another they would take minutes.
        for n in 2..=LARGEST_EXACT {
            assert!(HIRSCHBERG_SINCLAIR.worst_fact(n).value.as_f64() > 0.0);
        }
    }

    #[test]
    fn the_bound_is_never_below_the_worst_case() {
        for levels in [&HIRSCHBERG_SINCLAIR, &RADIUS_GROWTH] {
            for n in 2..200 {
                let worst = u128::from(levels.worst(n));
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
