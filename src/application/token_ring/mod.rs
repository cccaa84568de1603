//! A token ring that holds an election when its token is lost.
//!
//! H. P. Reiser, *Verteilte Algorithmen* (lecture, 2002), 4.2.3: whoever has the token may send; it
//! goes round the ring, and every node has a timer that starts anew when the node passes it on. A
//! timer that runs out is taken for a lost token: the node calls an election, and the winner makes a
//! new one. `docs/token-ring.md` has the rules in full, what is wrong with the slide, and why.
//!
//! - [`Moment`]: time in whole billionths, so that equal times are equal.
//! - [`Setting`]: what is asked for; [`Variant`]: the slide, and three repairs.
//! - [`run`]: one run, event by event; [`Outcome`]: what came of it.
//! - [`Prediction`]: what a single lost token costs, by proof.
//! - [`Sweep`]: many runs for each of several timers and variants. Where folders are built, `batch` has
//!   them done into one, and `table` reads them back.

mod clock;

mod setting;

mod outcome;

mod simulate;

mod prediction;

mod sweep;

#[cfg(feature = "batch")]
pub mod table;

#[cfg(feature = "batch")]
pub mod batch;

pub use clock::{Moment, Span, Units};
pub use outcome::{Event, Outage, Outcome};
pub use prediction::Prediction;
pub use setting::{Hop, Losses, Setting, Variant};
pub use simulate::{Watch, run};
pub use sweep::{Cell, Sweep};
