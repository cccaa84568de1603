//! What is asked for: layouts, initiators and timings, a cell that puts them together with an
//! algorithm, a spec as its user wrote it, the plan that follows from it, and the experiments that
//! the program knows by heart.
//!
//! A [`cell::Cell`] is what many runs have in common; [`runs::Runs`] draws them one by one and holds
//! their elections. Files that a user names are read here, once; nothing here writes any.

#[cfg(feature = "batch")]
pub(crate) mod hash;
pub mod key;
mod memory;

pub mod error;

pub mod ring_file;

pub mod files;

pub mod layout;
pub mod timing;

pub mod names;

pub mod cell;

pub mod request;

pub mod runs;

pub mod census;

pub mod small;

pub mod schedules;

pub mod worst;

pub mod bounds;
pub mod formula;

#[cfg(feature = "batch")]
pub mod spec;

#[cfg(feature = "batch")]
pub mod plan;

#[cfg(feature = "batch")]
pub mod built_in;
