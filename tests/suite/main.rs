//! Claims by subject, in one program: what they share is compiled and linked once.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/names.rs"]
mod hostile_names;
#[path = "../common/seal.rs"]
mod seal;

mod anonymous_rings;
mod audit;
mod batch;
mod cliques;
mod coins;
mod command_line;
mod commuting;
mod conformance;
mod counters;
mod distribution;
mod engine;
mod exact;
mod exhaustive;
mod faults;
mod gate;
mod graphs_extinction;
mod graphs_waves;
mod inert;
mod interleavings;
mod laws;
mod lower_bounds;
mod metrics;
mod mutations;
mod names;
mod packages;
mod plot;
mod reference;
mod registries;
mod report;
mod sampler;
mod schedules;
mod sequential;
mod specs;
mod summarise;
mod tables;
mod token_ring;
mod trace_formats;
mod trace_lines;
mod traces;
mod trust;
