//! Estimates beside theorems: what the numbers of many runs say about an experiment.
//!
//! [`theorem`] says what theory knows about the cells of a results folder, [`cells`] and [`series`] set
//! the runs beside it, [`compare`] sets algorithms beside each other. Everything begins with what
//! [`results`](crate::results) reads, and the folder alone is enough.

mod per_run;
pub mod theorem;

pub mod cells;
pub mod series;
pub mod words;

pub mod compare;
