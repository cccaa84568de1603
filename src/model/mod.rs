//! The words: identities, ports, messages, processes and their outbox; networks; an election and its
//! outcome; time and delays; all randomness; what a theorem says; what can be wrong with a value.
//!
//! Everybody may import from here. Nothing here knows an algorithm, holds an election or opens a
//! file.

mod id;

pub mod error;
pub mod escape;
pub mod stop;

pub mod message;
pub mod process;
pub mod random;
pub mod topology;

pub mod delay;

pub mod election;
pub mod outcome;
pub mod violation;

pub mod metric;
pub mod row;

pub mod distribution;
pub mod theory;
