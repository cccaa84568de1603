//! Higham and Przytycka's election without its rule of the distance.
//!
//! As [`super::HighamPrzytycka`], except that an odd round ends only where the envelope meets its own
//! round. It shows what the distance costs on random rings; its worst case is not known.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, FIFO links, any initiators |
//! | Elects | exactly one node, not always the largest; the others are not told |
//! | Cost | fewer messages than with the rule on random rings |
//!
//! ```text
//! as higham-przytycka, but promoted are: who meets the same round,
//!   or r even, last of round r-1 and x > last (witness)
//! ```

use super::higham_przytycka::{Envelopes, MODEL};
use crate::algorithm::{Algorithm, Model};
use crate::model::theory::{Case, Facts};

/// The variant that promotes by witnesses alone.
pub type HighamPrzytyckaWitness = Envelopes<false, true>;

impl Algorithm for HighamPrzytyckaWitness {
    const NAME: &'static str = "higham-przytycka-witness";
    const SUMMARY: &'static str = "higham-przytycka without its rule of the distance";
    const SOURCE: &'static str = "Higham and Przytycka 1993, without one rule";
    const FILE: &'static str = include_str!("higham_przytycka_witness.rs");
    const MODEL: Model = MODEL;

    fn facts(case: &Case) -> Facts {
        match case.n {
            1 => Facts::constant(1, "1", Self::SOURCE),
            _ => Facts::default(),
        }
    }
}
