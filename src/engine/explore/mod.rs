//! Every schedule: all global states that an election on a small network can reach.
//!
//! A global state is what every node knows, what is on every link, and thereby who has still to start.
//! From each state every start and every delivery that the network allows is taken. Where nothing can
//! happen any more the judge says whether it was an election; the fewest and the most messages up to
//! there are those of the shortest and the longest path through the states. What fails is shown by the
//! shortest schedule that leads there.
//!
//! A handler knows nothing but its node, so it is carried out once in each local situation, and a
//! global step looks its effect up. States are rows of small numbers, compared as they stand: two
//! different ones are never taken for one. No symmetry is used. [`Explore::reduced`] leaves out
//! schedules that only put independent deliveries into another order, or mail that changes nothing any
//! more: it keeps the verdict and both extremes, and not the number of states. Where mail commutes at every
//! node it needs one schedule only.

mod asked;
mod verdict;

mod quiet;
mod store;
mod tables;
mod wires;

mod replay;

mod commuting;
mod inert;

mod search;

pub use asked::{Explore, MEMORY};
pub use verdict::{Ended, Explored, Extreme, Fault, Wrong};
