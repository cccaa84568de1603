//! `hustings` measures leader-election algorithms and sets every number beside its theorem.
//!
//! # The tour
//!
//! ```text
//! spec ──► plan ──► simulate | count ──► record ──► summarise ──► compare ──► plot │ report │ check
//! ```
//!
//! One direction, one type per arrow. From left to right:
//!
//! **The words.** [`process`] says what an algorithm is made of: a state, messages of a few kinds, and
//! handlers that put all they do into an outbox. [`topology`] says who is whose neighbour. [`error`]
//! says what went wrong, with field, value and remedy. [`escape`] writes names that users give so that
//! shells, terminals and pages take them for names. [`random`] has all randomness: a seed and what was
//! asked for decide every word. [`stop`] is a wish to end early.
//!
//! **The algorithms.** [`algorithm`] has one file for each: citation, pseudocode, process, theory,
//! best and worst ring, tests. Its registry finds them by name.
//!
//! **What is asked for.** [`layout`] says where the IDs stand and which they are, [`timing`] who starts
//! and how long messages take. [`files`] reads what the user names files for, once. A [`cell::Cell`] puts these together with an algorithm and refuses what
//! does not fit. It is what many runs have in common; [`cell::Runs`] draws them one by one.
//!
//! **Spec and plan.** A [`spec::Spec`] is an experiment as its user wrote it, checked once; a
//! [`plan::Plan`] is what follows from it: cells in order, and chunks of runs as the unit of work.
//! [`reproduce`] has the experiment that the program knows by heart.
//!
//! **Simulate.** [`simulate`] delivers every message through the algorithm's own state machines, in
//! rounds ([`simulate::synchronous`]) or with delays ([`simulate::asynchronous`]). It counts, and it
//! judges: one leader, the right one, everybody decided. A run yields a [`simulate::Outcome`].
//!
//! **Count.** [`count`] gives the same numbers in O(n) for algorithms whose messages follow from the
//! order of the IDs; [`exact`] does so for all rings of a small size.
//!
//! **Record.** [`batch`] carries out a plan with all cores, and [`record`] keeps what comes of it: parts
//! that survive a crash, and tables when all are there. Everything after this starts from these files.
//!
//! **Summarise.** [`summarise`] makes estimates with their uncertainty out of many numbers: moments,
//! quantiles, paired differences, tests, fitted growth laws.
//!
//! **Compare.** [`compare`] sets two algorithms side by side on the same rings. [`theory`] has the
//! theorems as functions of n, each with formula, certainty and source; [`distribution`] has the whole
//! distribution of Chang-Roberts.
//!
//! **Show.** [`plot`] draws the figures of a results folder, [`report`] makes one page of it all.
//!
//! **Check.** [`mod@check`] holds results against a committed baseline and against [`bounds`], which are
//! written as a [`formula`] in n. [`conformance`] tests an algorithm on every small ring.
//!
//! **Say.** [`cmd`] has the verbs of the command line: a few lines of glue around the above. [`cli`] is
//! the whole of it as one function, for programs with algorithms of their own.
//!
//! # One election
//!
//! ```
//! use hustings::cell::Cell;
//! use hustings::layout::{Ids, Layout};
//! use hustings::timing::{Initiators, Timing};
//!
//! // What is asked for: Chang-Roberts on random rings of 12, everybody starts, in rounds.
//! let (layout, ids, initiators) = (Layout::Random, Ids::Dense, Initiators::All);
//! let cell = Cell::new("chang-roberts", Some(12), layout, ids, initiators, Timing::SYNC)?;
//!
//! // Run 0 of the master seed 7, message by message.
//! let mut runs = cell.prepare(7)?;
//! let mut simulator = (cell.algorithm.simulator)();
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
//! # Ok::<(), hustings::error::Error>(())
//! ```
//!
//! `examples/your_algorithm.rs` adds an algorithm to the registry. `docs/method.md` defines
//! every number, `docs/bias.md` says what they cannot say.

pub mod model;

pub mod algorithm;

pub mod engine;

pub mod experiment;

pub mod statistics;

pub mod results;

pub mod summarise;

pub mod show;

pub mod check;
pub mod conformance;

pub mod cli;
