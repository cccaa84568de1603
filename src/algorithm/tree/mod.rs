//! The algorithms on trees. They elect the largest ID of all, and in the end everybody knows it.

mod awaited;
mod tree_frugal;
mod tree_wakeup;
mod tree_waves;
mod wave;

use crate::model::message::{MAX_KINDS, Message, Widths};
use crate::model::metric::Metric;
use crate::model::theory::{Case, Facts, Holds};

pub use tree_frugal::TreeFrugal;
pub use tree_wakeup::TreeWakeup;
pub use tree_waves::TreeWaves;

/// The bits of so many messages of each kind, for dense IDs; nothing beyond 64 bits.
fn bits_of<M: Message>(case: &Case, counts: &[u128], source: &'static str) -> Facts {
    let mut kinds = [0; MAX_KINDS];
    for (kind, &count) in kinds.iter_mut().zip(counts) {
        let Ok(count) = u64::try_from(count) else { return Facts::default() };
        *kind = count;
    }
    let bits = M::KINDS.bits(&kinds, &Widths::new(case.n, case.n));
    Facts::constant(bits, "messages of each kind times their bits", source).for_dense_ids()
}

/// Waking everybody takes at most D, and what goes from the leaves to the middle and back 2D + 1.
fn time_facts(metric: Metric, case: &Case, source: &'static str) -> Facts {
    match (metric, case.shape.diameter) {
        (Metric::Time | Metric::End, Some(diameter)) => {
            Facts::at_most(3 * u128::from(diameter) + 1, "3D + 1", source)
                .holding(Holds::Synchronous)
        }
        _ => Facts::default(),
    }
}
