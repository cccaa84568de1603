//! `hustings` measures leader-election algorithms and sets every number beside its theorem.

pub mod error;
pub mod process;
pub mod topology;

pub mod random;

pub mod algorithm;

pub mod layout;
pub mod timing;

pub mod cell;
pub mod spec;

pub mod plan;

pub mod count;
pub mod simulate;

pub mod batch;
pub mod record;

pub mod summarise;

pub mod compare;

pub mod distribution;
pub mod theory;

pub mod cmd;
