//! Variable speeds as lecture listings have it: a held message is never dropped.
//!
//! As [`super::VariableSpeeds`], except that a message that waits goes on even after a smaller one
//! has passed, so that some hops happen long after the election.
//!
//! | | |
//! |-|-|
//! | Model | synchronous unidirectional ring, unique IDs, n unknown, any wake-up times |
//! | Elects | the smallest initiator |
//! | Cost | at most 4n messages; it is silent only after about 2^(largest ID) rounds |

use super::hirschberg_sinclair::tabled_whole;
use super::variable_speeds::{Speeds, count, facts, facts_of};
use crate::algorithm::count::Counter;
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::metric::Metric;
use crate::model::theory::{Case, Facts, Holds};

/// The variant that never drops a message.
pub type VariableSpeedsListing = Speeds<false>;

impl Algorithm for VariableSpeedsListing {
    const NAME: &'static str = "variable-speeds-listing";
    const SUMMARY: &'static str = "variable-speeds without dropping what waits: up to 4n messages";
    const SOURCE: &'static str = "Frederickson and Lynch 1987, lecture form";
    const FILE: &'static str = include_str!("variable_speeds_listing.rs");
    const MODEL: Model = Model::electing(Elects::SmallestInitiator).clockwise();
    const COUNTER: Option<Counter> =
        Some(Counter { count: count::<false>, holds: Holds::Synchronous });

    fn facts(case: &Case) -> Facts {
        facts(case, (4.0 * case.n as f64, "4n"), &MEANS, &VARIANCES)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match metric {
            Metric::End if case.is_all() && case.n > 1 => {
                let worst = tabled_whole(case.n, &WORST_ENDS);
                Facts { worst, ..Facts::default() }.for_dense_ids()
            }
            _ => facts_of(metric, case),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

/// The latest delivery for n = 2, 3, …, over all rings.
const WORST_ENDS: [u128; 7] = [2, 3, 5, 9, 17, 33, 65];

/// The mean for n = 1, 2, …, everybody at 0, IDs 0..n.
const MEANS: [(u64, u64); 8] =
    [(1, 1), (3, 1), (11, 2), (8, 1), (43, 4), (67, 5), (487, 30), (19, 1)];

/// The variance for n = 1, 2, ….
const VARIANCES: [(u64, u64); 8] =
    [(0, 1), (0, 1), (1, 4), (1, 3), (29, 48), (37, 50), (1091, 900), (61, 42)];
