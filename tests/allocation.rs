//! Engines keep their buffers: a repeated election allocates nothing that grows with its messages.

mod common;

use allocation_counter::measure;
use common::{dense, elect, find, network, on_rings, random_ranks, words};
use hustings::algorithm::Announced;
use hustings::algorithm::ring::*;
use hustings::model::delay::Delay;
use hustings::model::election::{Network, Starts};
use hustings::model::process::{Id, Process};

const ALGORITHMS: [&str; 4] =
    ["chang-roberts", "chang-roberts+announce", "hirschberg-sinclair", "peterson"];

const N: u64 = 400;

/// The allocations and the messages of an election that was held before on the same ring. Twice
/// before, since the synchronous engine has two sets of buffers that take turns.
fn repeated_election(
    name: &str,
    ids: &[Id],
    starts: &Starts,
    network: Option<&Network>,
) -> (u64, u64) {
    let mut simulator = (find(name).simulator)();
    let mut messages = 0;
    for _ in 0..2 {
        elect(simulator.as_mut(), ids, starts, network);
    }
    let allocated = measure(|| {
        messages = elect(simulator.as_mut(), ids, starts, network).messages;
    });
    (allocated.count_total, messages)
}

#[test]
fn the_counter_counts() {
    let allocated = measure(|| drop(std::hint::black_box(vec![1u8; 100])));
    assert_eq!(allocated.count_total, 1);
}

#[test]
fn a_repeated_synchronous_election_allocates_nothing() {
    let ascending: Vec<Id> = (1..=N).collect();
    let descending: Vec<Id> = (1..=N).rev().collect();
    let some = Starts::At((0..N as u32).step_by(3).map(|node| (0, node)).collect());
    for name in ALGORITHMS {
        for ids in [&ascending, &descending] {
            for starts in [&Starts::All, &some] {
                let (allocations, _) = repeated_election(name, ids, starts, None);
                assert_eq!(allocations, 0, "{name}, {starts:?}");
            }
        }
    }
}

#[test]
fn a_repeated_asynchronous_election_allocates_nothing() {
    let ascending: Vec<Id> = (1..=N).collect();
    let descending: Vec<Id> = (1..=N).rev().collect();
    let some = Starts::At((0..N as u32).step_by(3).map(|node| (0, node)).collect());
    for name in ALGORITHMS {
        for delay in [Delay::Uniform(0.0, 1.0), Delay::Exponential(1.0), Delay::Lifo] {
            let network = network(delay, true, 0);
            for ids in [&ascending, &descending] {
                for starts in [&Starts::All, &some] {
                    let (allocations, _) = repeated_election(name, ids, starts, Some(&network));
                    assert_eq!(allocations, 0, "{name}, {delay:?}, {starts:?}");
                }
            }
        }
    }
}

#[test]
fn a_hundred_times_the_messages_allocate_no_more() {
    let ascending: Vec<Id> = (1..=N).collect();
    let descending: Vec<Id> = (1..=N).rev().collect();
    let uniform = network(Delay::Uniform(0.0, 1.0), true, 0);
    for network in [None, Some(&uniform)] {
        let (few, best) = repeated_election("chang-roberts", &ascending, &Starts::All, network);
        let (many, worst) = repeated_election("chang-roberts", &descending, &Starts::All, network);
        assert_eq!((best, worst), (2 * N - 1, N * (N + 1) / 2));
        assert!(worst >= 100 * best, "{best} and {worst} messages");
        assert_eq!(few, many, "{network:?}");
    }
}

#[test]
fn no_node_takes_more_memory_than_its_algorithm_says() {
    const NODES: u32 = 50_000;
    // The slots of the asynchronous engine do not depend on the number of nodes.
    const SLOTS: u64 = 2 << 20;
    let delays = [None, Some(Delay::Uniform(0.0, 1.0)), Some(Delay::Exponential(1.0))];
    // Three send n² messages, and of one the clock cannot hold the time.
    let others = ["lelann", "anonymous", "content-oblivious", "variable-speeds-listing"];
    for entry in on_rings().filter(|entry| !others.contains(&entry.name.as_str())) {
        let ids = dense(entry, &random_ranks(NODES, &mut words("memory", 0)));
        for delay in delays.into_iter().take(if entry.synchronous { 1 } else { 3 }) {
            let network = delay.map(|delay| network(delay, true, 0));
            let taken = measure(|| {
                let mut simulator = (entry.simulator)();
                elect(simulator.as_mut(), &ids, &Starts::All, network.as_ref());
            });
            let most = entry.node_bytes * u64::from(NODES) + SLOTS;
            assert!(taken.bytes_max <= most, "{}, {delay:?}: {taken:?}", entry.name);
        }
    }
}

/// The bytes of a message of this algorithm.
fn message_bytes<P: Process>() -> usize {
    size_of::<P::Message>()
}

#[test]
fn messages_take_at_most_sixteen_bytes() {
    let bytes = [
        message_bytes::<LeLann>(),
        message_bytes::<ChangRoberts>(),
        message_bytes::<Announced<ChangRoberts>>(),
        message_bytes::<Clockwise>(),
        message_bytes::<Announced<Clockwise>>(),
        message_bytes::<ClockwiseJoin>(),
        message_bytes::<Announced<ClockwiseJoin>>(),
        message_bytes::<HirschbergSinclair>(),
        message_bytes::<Announced<HirschbergSinclair>>(),
        message_bytes::<KNeighbour>(),
        message_bytes::<Announced<KNeighbour>>(),
        message_bytes::<RadiusGrowth>(),
        message_bytes::<Announced<RadiusGrowth>>(),
        message_bytes::<Peterson>(),
    ];
    assert!(bytes.iter().all(|&bytes| bytes <= 16), "{bytes:?}");
}
