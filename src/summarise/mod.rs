//! Estimates beside theorems: what the numbers of many runs say about an experiment.
//!
//! [`theorem`] says what theory knows about the cells of a results folder, a [`Summary`] sets the runs
//! beside it, [`compare`] sets algorithms beside each other. Everything begins with what
//! [`results`](crate::results) reads, and the folder alone is enough.

pub mod theorem;

mod per_run;

mod sample;

mod cells;

mod series;

mod summary;

mod tables;

pub mod words;

pub mod compare;

pub use cells::{
    BoundVerdict, CellSummary, FAMILY_ERROR, FEWEST_RUNS, Failures, MeanVerdict, QUANTILES,
    Quantile,
};
pub use series::{FEWEST_SIZES, RESAMPLES, Series};
pub use summary::Summary;
pub use tables::certainty;
