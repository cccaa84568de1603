//! Numbers only: moments, quantiles, intervals, tests, fits. Nothing here knows of elections.
//!
//! Counts of messages are integers, so sums are kept as integers too: an estimate is the same however
//! the runs were split over threads or files. What a sample is too small to tell is `None`, never 0 or
//! NaN.

pub mod fit;
pub mod growth;
pub mod moments;
pub mod paired;
pub mod quantiles;
pub mod rank;
pub mod reals;
pub mod sequential;
pub mod share;
pub mod significance;
pub mod student;
pub mod tails;
mod wide;

/// The confidence of all intervals.
pub const CONFIDENCE: f64 = 0.95;
