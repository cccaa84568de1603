//! `hustings` measures leader-election algorithms and sets every number beside its theorem.

pub mod process;
pub mod topology;

pub mod random;

pub mod algorithm;

pub mod count;
pub mod simulate;

pub mod summarise;

pub mod distribution;
pub mod theory;
