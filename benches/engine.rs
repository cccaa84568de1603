//! The engines against bare loops: how much of the possible speed is left when algorithms are
//! written as state machines, counted and judged.

mod bare;
mod ratio;

use hustings::algorithm::find;
use hustings::process::Id;
use hustings::random::{Key, Purpose};
use hustings::simulate::{Delay, Election, Network, Starts};
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

/// Rings enough for about a million nodes, so that no branch predictor learns them by heart.
fn rings(n: u32) -> Vec<Vec<Id>> {
    let key = Key::new(1, "ring", u64::from(n), "random", "dense");
    (0..(300_000 / n).clamp(2, 100))
        .map(|run| {
            let mut ids: Vec<Id> = (1..=Id::from(n)).collect();
            key.stream(u64::from(run), Purpose::Ring).shuffle(&mut ids);
            ids
        })
        .collect()
}

fn sync_row(name: &str, n: u32, reach: f64, mut bare: impl FnMut(&[Id]) -> u64) {
    if !wanted(name) {
        return;
    }
    let rings = rings(n);
    let mut simulator = (find(name).expect("registered").simulator)();
    let mut simulate = |ids: &[Id]| {
        let election = Election { ids, starts: &Starts::All, limit: u64::MAX, coins: 0 };
        simulator.run(&election, None).expect("a good election").messages
    };
    let messages: u64 = rings.iter().map(|ids| simulate(ids)).sum();
    assert_eq!(messages, rings.iter().map(|ids| bare(ids)).sum::<u64>(), "{name}");
    let (mut next_bare, mut next_simulated) = (rings.iter().cycle(), rings.iter().cycle());
    let measured = measure(
        || _ = std::hint::black_box(bare(next_bare.next().expect("endless"))),
        || _ = std::hint::black_box(simulate(next_simulated.next().expect("endless"))),
    );
    print_row(name, n, reach, measured, messages as f64 / rings.len() as f64);
}

fn delay_row(name: &str, n: u32, reach: f64, delay: Delay) {
    if !wanted(name) {
        return;
    }
    let rings = rings(n);
    let words = Key::new(1, "delays", 0, "", "").stream(0, Purpose::Delays);
    let network = Network { delay, fifo: true, words };
    let mut simulator = (find("chang-roberts").expect("registered").simulator)();
    let mut simulate = |ids: &[Id]| {
        let election = Election { ids, starts: &Starts::All, limit: u64::MAX, coins: 0 };
        simulator.run(&election, Some(&network)).expect("a good election").messages
    };
    let mut heap = bare::Heap::default();
    let mut by_heap = |ids: &[Id]| heap.chang_roberts(ids, &network);
    let messages: u64 = rings.iter().map(|ids| simulate(ids)).sum();
    assert_eq!(messages, rings.iter().map(|ids| by_heap(ids)).sum::<u64>(), "{name}");
    let (mut next_heap, mut next_simulated) = (rings.iter().cycle(), rings.iter().cycle());
    let measured = measure(
        || _ = std::hint::black_box(by_heap(next_heap.next().expect("endless"))),
        || _ = std::hint::black_box(simulate(next_simulated.next().expect("endless"))),
    );
    print_row(name, n, reach, measured, messages as f64 / rings.len() as f64);
}

fn print_row(name: &str, n: u32, reach: f64, measured: ratio::Ratio, messages: f64) {
    let [limit, ours] = measured.seconds.map(|seconds| messages / seconds / 1e6);
    println!(
        "  {name:<22} n = {n:<7} {:5.2}  (reach {reach}; {ours:.0} of {limit:.0} million/s)",
        measured.ratio
    );
}
