//! Lower bounds, carried out: adversaries that make any algorithm pay.
//!
//! A proof that something cannot be cheaper is a recipe: schedules to choose, rings to paste, IDs to
//! give. Here the recipe is followed against the algorithm at hand, through its
//! [`Machine`](super::machine::Machine), so that it holds for anybody's algorithm; what comes out is a
//! number that no algorithm of the kind can stay below, or a run that shows it wrong.
//!
//! - [`open_schedule`] is the asynchronous bound: (n/4)(log2 n + 1) messages.
//! - [`comparison`] is the synchronous one for algorithms that only compare IDs: (n/4)(log2 n + 2).
//! - [`symmetry`] shows that equals stay equal: without IDs or coins nobody can be elected.

mod lockstep;

pub mod comparison;
pub mod open_schedule;
pub mod symmetry;
