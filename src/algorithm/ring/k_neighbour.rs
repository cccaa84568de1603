//! The k-neighbour algorithm: Hirschberg-Sinclair with the hop counter starting at 0.
//!
//! Lecture listings start the counter at 0, so that phase l reaches 2^l + 1 nodes far. Everything
//! else is as in [`super::HirschbergSinclair`]; the numbers differ a lot (n = 8: mean 89.41
//! instead of 80.08).
//!
//! | | |
//! |-|-|
//! | Model | bidirectional ring, unique IDs, n unknown, any order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | about 3.14 n log2 n messages on average |

use super::hirschberg_sinclair::{Probing, count, facts_of_phases, tabled};
use super::levels::mean_of_probing;
use crate::algorithm::count::Counter;
use crate::algorithm::{Algorithm, Elects, Model, Spread};
use crate::model::metric::Metric;
use crate::model::theory::{Case, Fact, Facts, Holds, ceil_log2};

/// Probing with the radius 2^l + 1.
pub type KNeighbour = Probing<0>;

impl Algorithm for KNeighbour {
    const NAME: &'static str = "k-neighbour";
    const SUMMARY: &'static str = "Hirschberg-Sinclair with radius 2^l + 1, as lectures list it";
    const SOURCE: &'static str = "Hirschberg and Sinclair 1980, hops counted from 0";
    const FILE: &'static str = include_str!("k_neighbour.rs");
    const SPREAD: Option<Spread> = Some(Spread::Never);
    const MODEL: Model = Model::electing(Elects::LargestId);
    const COUNTER: Option<Counter> = Some(Counter { count: count::<1>, holds: Holds::Always });

    fn facts(case: &Case) -> Facts {
        if case.n == 1 {
            return Facts::constant(2, "2", Self::SOURCE);
        }
        let mean = mean_of_probing(case.n, |phase| (1 << phase) + 1);
        let source = "derivation in docs/method.md";
        Facts {
            mean: Some(Fact::real(mean, "2n sum_l E_l, about 3.14 n log2 n", source)),
            variance: tabled(case.n, &VARIANCES),
            ..Facts::default()
        }
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        // The first phase L with 2^L + 1 >= n.
        let last = if case.n <= 2 { 0 } else { ceil_log2(case.n - 1) };
        let power = 1u128 << last;
        let time = 2 * (power - 1) + 2 * u128::from(last) + u128::from(case.n);
        let time = (time, "2(2^L - 1) + 2L + n, L = ceil(log2(n-1))");
        facts_of_phases(metric, case, time, (last + 1, "ceil(log2(n-1)) + 1"))
    }
}

/// The variance for n = 2, 3, …, as fractions, over all rings.
const VARIANCES: [(u64, u64); 9] = [
    (0, 1),
    (0, 1),
    (8, 9),
    (8, 9),
    (512, 75),
    (4414, 225),
    (525_776, 11_025),
    (3_763_433, 58_800),
    (1_466_321, 15_876),
];
