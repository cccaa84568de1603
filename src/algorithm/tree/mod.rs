//! The algorithms on trees. They elect the largest ID of all, and in the end everybody knows it.

mod awaited;
mod tree_frugal;
mod tree_wakeup;
mod tree_waves;
mod wave;

pub use tree_frugal::TreeFrugal;
pub use tree_wakeup::TreeWakeup;
pub use tree_waves::TreeWaves;
