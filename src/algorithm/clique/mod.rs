//! Elections on complete networks, where everybody is everybody's neighbour.

mod sublinear_clique;

pub use sublinear_clique::{Ballot, SublinearClique};
