//! The engines against bare loops: how much of the possible speed is left when algorithms are
//! written as state machines, counted and judged.

mod bare;
mod ratio;

use hustings::engine::Registry;
use hustings::model::delay::Delay;
use hustings::model::election::{Election, Network, Starts};
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose, Stream};
use hustings::model::stop::NEVER;
use ratio::{measure, wanted};

fn main() {
    println!("simulate, sync: messages/s as a share of a bare loop's");
    for n in [1000, 10_000, 100_000] {
        sync_row("chang-roberts", n, 0.7, bare::chang_roberts);
    }
    for n in [1000, 10_000] {
        sync_row("lelann", n.min(2000), 0.5, bare::lelann);
        sync_row("clockwise", n, 0.5, bare::chang_roberts);
        sync_row("clockwise-join", n, 0.5, bare::chang_roberts);
        sync_row("chang-roberts+announce", n, 0.5, bare::chang_roberts_announced);
        sync_row("hirschberg-sinclair", n, 0.5, bare::hirschberg_sinclair);
        sync_row("k-neighbour", n, 0.5, bare::k_neighbour);
        sync_row("radius-growth", n, 0.5, bare::radius_growth);
        sync_row("peterson", n, 0.5, bare::peterson);
    }
    println!("\nsimulate, random delays: messages/s as a multiple of a binary heap's");
    for n in [100, 1000, 10_000, 100_000] {
        for (name, delay) in
            [("uniform:0..1", Delay::Uniform(0.0, 1.0)), ("exponential:1", Delay::Exponential(1.0))]
        {
            delay_row(name, n, 2.0, delay);
        }
    }
}

/// Rings enough for 300,000 nodes, so that no branch predictor learns them by heart, and the random
/// words for the delays of each.
fn rings(n: u32) -> Vec<(Vec<Id>, Stream)> {
    let key = Key::new(1, "ring", u64::from(n), "random", "dense");
    (0..u64::from((300_000 / n).max(2)))
        .map(|run| {
            let mut ids: Vec<Id> = (1..=Id::from(n)).collect();
            key.stream(run, Purpose::Ring).shuffle(&mut ids);
            (ids, key.stream(run, Purpose::Delays))
        })
        .collect()
}

fn sync_row(name: &str, n: u32, reach: f64, mut bare: impl FnMut(&[Id]) -> u64) {
    if !wanted(name) {
        return;
    }
    let rings: Vec<_> = rings(n).into_iter().map(|(ids, _)| ids).collect();
    let mut simulator = simulator(name);
    print_row(name, n, reach, &rings, |ids| bare(ids), |ids| simulator(ids, None));
}

fn delay_row(name: &str, n: u32, reach: f64, delay: Delay) {
    if !wanted(name) {
        return;
    }
    let network = |(ids, words)| (ids, Network { delay, fifo: true, words });
    let rings: Vec<(Vec<Id>, Network)> = rings(n).into_iter().map(network).collect();
    let mut simulator = simulator("chang-roberts");
    let mut heap = bare::Heap::default();
    let by_heap = |(ids, network): &(Vec<Id>, Network)| heap.chang_roberts(ids, network);
    let simulate = |(ids, network): &(Vec<Id>, Network)| simulator(ids, Some(network));
    print_row(name, n, reach, &rings, by_heap, simulate);
}

/// The messages of an election, delivered by our engine.
fn simulator(name: &str) -> impl FnMut(&[Id], Option<&Network>) -> u64 {
    let mut simulator = (Registry::standard().named(name).expect("registered").simulator)();
    move |ids, network| {
        let election =
            Election { ids, starts: &Starts::All, limit: u64::MAX, coins: 0, stop: &NEVER };
        simulator.run(&election, network).expect("a good election").messages
    }
}

/// Lets both sides hold the same elections, which must take the same number of messages.
fn print_row<R>(
    name: &str,
    n: u32,
    reach: f64,
    rings: &[R],
    mut bare: impl FnMut(&R) -> u64,
    mut simulate: impl FnMut(&R) -> u64,
) {
    let messages: u64 = rings.iter().map(&mut simulate).sum();
    assert_eq!(messages, rings.iter().map(&mut bare).sum::<u64>(), "{name}");
    let messages = messages as f64 / rings.len() as f64;
    let (mut next_bare, mut next_simulated) = (rings.iter().cycle(), rings.iter().cycle());
    let measured = measure(
        || _ = std::hint::black_box(bare(next_bare.next().expect("endless"))),
        || _ = std::hint::black_box(simulate(next_simulated.next().expect("endless"))),
    );
    let [limit, ours] = measured.seconds.map(|seconds| messages / seconds / 1e6);
    println!(
        "  {name:<22} n = {n:<7} {:5.2}  (reach {reach}; {ours:.0} of {limit:.0} million/s)",
        measured.ratio
    );
}
