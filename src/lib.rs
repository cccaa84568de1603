//! `hustings` measures leader-election algorithms and sets every number beside its theorem.

pub mod distribution;

pub mod summarise;
