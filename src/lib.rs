//! `hustings` measures leader-election algorithms and sets every number beside its theorem.
//!
//! # The tour
//!
//! ```text
//! spec ──► plan ──► simulate | count ──► record ──► summarise ──► compare ──► plot │ report │ check
//! ```
//!
//! One direction, one type per arrow. `ls src` shows the rooms that this takes, in the order in which
//! they may know of each other: each imports only from those before it, and a test says so.
//!
//! - [`model`] has the words: identities, ports, messages, processes and their outbox; networks; an
//!   election and its outcome; delays; all randomness; what theorems say.
//! - [`algorithm`] has one file for each algorithm: citation, pseudocode, process, counter, theory,
//!   best and worst ring, exact distribution, tests.
//! - [`engine`] delivers every message of an election through the algorithm's own state machines, in
//!   rounds or with delays, counts, and judges: one leader, the right one, everybody decided. Its
//!   [`Registry`](engine::Registry) has the algorithms of a program by name.
//! - [`experiment`] says what is asked for: layouts, initiators, timings; a
//!   [`Cell`](experiment::cell::Cell), which is what many runs have in common; a spec, and the plan
//!   that follows from it.
//! - [`statistics`] knows nothing of elections: moments, quantiles, intervals, tests, fits.
//! - [`results`] carries out a plan with all cores and keeps what comes of it: the results folder, and
//!   its reader. Everything after this starts from the folder alone.
//! - [`summarise`] sets estimates beside theorems, and algorithms beside each other.
//! - [`show`] has what people look at: figures, and one page of it all.
//! - [`mod@check`] is the gate against regressions; [`conformance`] tests an algorithm of your own.
//! - [`application`] has what elections are for: a token ring that holds one when its token is lost.
//! - [`cli`] is the command line, as one function for programs with algorithms of their own. The only
//!   room that prints, reads the environment or catches signals.
//!
//! [`prelude`] has what an algorithm of your own needs. [`rand`] is the crate whose generator a stream of
//! random words is.
//!
//! # One election
//!
//! ```
//! use hustings::prelude::*;
//!
//! // What is asked for: Chang-Roberts on random rings of 12, everybody starts, in rounds.
//! let registry = Registry::standard();
//! let cell = Cell::new(registry.named("chang-roberts")?, Setting::of(12))?;
//!
//! // Run 0 of the master seed 7, message by message.
//! let mut runs = cell.prepare(7)?;
//! let mut simulator = (cell.algorithm().simulator)();
//! let outcome = runs.simulate(0, simulator.as_mut())?;
//! assert_eq!(runs.ids(), [3, 7, 9, 4, 8, 6, 11, 2, 10, 1, 5, 12]);
//! assert_eq!(outcome.leader, Some(12));
//! assert_eq!(outcome.messages, 33);
//!
//! // The theorem beside it.
//! let facts = cell.facts();
//! let (best, worst) = (facts.best.expect("2n - 1"), facts.worst.expect("n(n+1)/2"));
//! assert!(best.value.as_f64() <= 33.0 && 33.0 <= worst.value.as_f64());
//! assert_eq!(format!("{:.2}", facts.mean.expect("n H_n").value), "37.24");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/your_algorithm.rs` adds an algorithm to the registry. `docs/method.md` defines
//! every number, `docs/bias.md` says what they cannot say.

pub mod model;

pub mod algorithm;

pub mod engine;

pub mod experiment;

pub mod statistics;

#[cfg(feature = "batch")]
pub mod results;

#[cfg(feature = "batch")]
pub mod summarise;

#[cfg(feature = "watch")]
pub mod show;

#[cfg(feature = "batch")]
pub mod check;
pub mod conformance;

pub mod application;

#[cfg(feature = "cli")]
pub mod cli;

pub mod prelude;

pub use rand;
