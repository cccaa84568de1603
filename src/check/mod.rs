//! The gate: what an experiment came to, against a baseline and against stated bounds.
//!
//! Runs are seeded, so equal programs give equal counts, and [`Mode::Exact`] asks for just that.
//! [`Mode::Statistical`] is for intended changes: of the seed, or of an algorithm that takes other
//! choices of equal cost. Bounds are checked in every mode. What enters is a results folder or a plan;
//! the verdict leaves as data, and [`output`] writes it for other programs.

mod equivalence;
mod rows;

mod baseline;

mod gate;

pub mod output;

pub use baseline::{Baseline, Counts, KEPT_RUNS, Measured};
pub use equivalence::{Estimate, POWER, Pair, Sample};
pub use gate::{
    BoundCheck, CellCheck, Difference, Ending, Failure, Mode, Options, Report, Verdict, check,
    check_beforehand,
};
