//! What the tests of whole elections share: rings, initiators, networks, and running to a verdict.

// Every test file is a crate of its own and uses its part of this one.
#![allow(dead_code)]

use std::sync::{Arc, LazyLock};

use hustings::algorithm::On;
use hustings::engine::{Entry, Registry, Simulator};
use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::files::Files;
use hustings::experiment::names::Names;
use hustings::model::delay::Delay;
use hustings::model::election::{Election, Network, Starts};
use hustings::model::outcome::Outcome;
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose, Stream};
use hustings::model::stop::NEVER;
use hustings::model::topology::Topology;
use hustings::model::violation::Violation;

/// The standard algorithms.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// More messages than any election of these tests may send.
pub const LIMIT: u64 = 10_000_000;

/// The signals that end a process, with its exit code: without that of Ctrl-C where whoever started
/// the tests has it ignored, as shells do in the background, for then our processes ignore it, too.
pub fn deadly_signals() -> Vec<(&'static str, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let signals = [("TERM", 15), ("INT", 2)].into_iter();
    let heeded = signals.filter(|(_, number)| ignored >> (number - 1) & 1 == 0);
    heeded.map(|(name, number)| (name, 128 + number)).collect()
}

/// The algorithms on rings.
pub fn on_rings() -> impl Iterator<Item = &'static Arc<Entry>> {
    REGISTRY.entries().iter().filter(|entry| entry.model.on == On::Rings)
}

/// A topology on which an algorithm runs.
pub fn home(entry: &Entry) -> &'static str {
    match entry.model.on {
        On::Trees => "path",
        On::Cliques => "complete",
        On::Rings | On::Graphs => "ring",
    }
}

/// The algorithm of that name.
pub fn find(name: &str) -> &'static Arc<Entry> {
    REGISTRY.named(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The cell of an algorithm in a setting that suits it.
pub fn cell(algorithm: &str, setting: Setting) -> Cell {
    Cell::new(find(algorithm), setting).expect("a good cell")
}

/// The topology of this text, files included.
pub fn topology(text: &str) -> Topology {
    let names = Names { registry: &REGISTRY, files: &Files::on_disk() };
    names.topology(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Random words that are the same in every run of a test.
pub fn words(test: &str, run: u64) -> Stream {
    Key::new(1, test, 0, "", "").stream(run, Purpose::Ring)
}

/// The dense IDs of these ranks: from 0 where the smallest wins, else from 1.
pub fn dense(entry: &Entry, ranks: &[u32]) -> Vec<Id> {
    let first = u64::from(!entry.model.elects.smallest_wins());
    ranks.iter().map(|&rank| u64::from(rank) + first).collect()
}

/// A random ring of `n` ranks.
pub fn random_ranks(n: u32, words: &mut Stream) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..n).collect();
    words.shuffle(&mut ranks);
    ranks
}

/// Calls `visit` for every order of 0..n.
pub fn every_order(n: u32, mut visit: impl FnMut(&[u32])) {
    let mut ranks: Vec<u32> = (0..n).collect();
    every_order_from(0, &mut ranks, &mut visit);
}

/// Calls `visit` for each of the (n-1)! rings of n ranks; the last rank stands at position 0.
pub fn every_ring(n: u32, mut visit: impl FnMut(&[u32])) {
    let mut ranks: Vec<u32> = (0..n).rev().collect();
    every_order_from(1, &mut ranks, &mut visit);
}

fn every_order_from(place: usize, ranks: &mut [u32], visit: &mut impl FnMut(&[u32])) {
    if place >= ranks.len() {
        return visit(ranks);
    }
    for other in place..ranks.len() {
        ranks.swap(place, other);
        every_order_from(place + 1, ranks, visit);
        ranks.swap(place, other);
    }
}

/// The nodes in the bits of `set` start at time 0.
pub fn starts_of(set: u32) -> Starts {
    Starts::At((0..32).filter(|node| set >> node & 1 == 1).map(|node| (0, node)).collect())
}

/// A network of these delays with words of its own.
pub fn network(delay: Delay, fifo: bool, run: u64) -> Network {
    let words = Key::new(2, "network", 0, "", "").stream(run, Purpose::Delays);
    Network { delay, fifo, words }
}

/// One of several kinds of delays, by turns.
pub fn mixed_network(fifo: bool, run: u64) -> Network {
    const DELAYS: [Delay; 5] = [
        Delay::Uniform(0.0, 1.0),
        Delay::Exponential(1.0),
        Delay::Uniform(0.9, 1.1),
        Delay::Lifo,
        Delay::Uniform(0.0, 1000.0),
    ];
    network(DELAYS[(run % DELAYS.len() as u64) as usize], fifo, run)
}

/// Holds an election and gives the engine's verdict.
pub fn verdict(
    simulator: &mut dyn Simulator,
    ids: &[Id],
    starts: &Starts,
    network: Option<&Network>,
) -> Result<Outcome, Violation> {
    simulator.run(&Election { ids, starts, limit: LIMIT, coins: 1, stop: &NEVER }, network)
}

/// Holds an election that must be a correct one.
pub fn elect(
    simulator: &mut dyn Simulator,
    ids: &[Id],
    starts: &Starts,
    network: Option<&Network>,
) -> Outcome {
    verdict(simulator, ids, starts, network)
        .unwrap_or_else(|violation| panic!("{violation}: {ids:?}, {starts:?}, {network:?}"))
}

/// Holds an election in rounds where everybody starts.
pub fn elect_all(simulator: &mut dyn Simulator, ids: &[Id]) -> Outcome {
    elect(simulator, ids, &Starts::All, None)
}
