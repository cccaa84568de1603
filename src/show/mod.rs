//! What people look at: the figures of a results folder, and the page that holds all of it.

pub mod figure;
#[cfg(feature = "report")]
pub mod report;
