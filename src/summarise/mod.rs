//! Estimates with their uncertainty: what the numbers of many runs say about one quantity.
//!
//! [`table`] reads a results folder, [`theorem`] says what theory knows about its cells, [`cells`] and
//! [`series`] set the two side by side. Everything else is a function of numbers alone. Counts of
//! messages are integers, so sums are kept as integers too: an estimate is the same however the runs
//! were split over threads or files. What a sample is too small to tell is `None`, never 0 or NaN.

pub mod cells;
pub mod fit;
pub mod growth;
pub mod moments;
pub mod paired;
pub mod quantiles;
pub mod rank;
pub mod sequential;
pub mod series;
pub mod significance;
pub mod student;
pub mod table;
pub mod theorem;
pub mod words;

mod per_run;
mod wide;
