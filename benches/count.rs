//! Layout and count against the layout alone, and count against simulation.
//!
//! The two sides are timed in turn on the same ring.
//!
//! `cargo bench --bench count [-- FILTER]`

mod ratio;

use std::hint::black_box;
use std::time::{Duration, Instant};

use std::sync::Arc;

use hustings::algorithm::count::{Ids, Ranked, Scratch};
use hustings::engine::{Entry, Registry};
use hustings::model::election::{Election, Starts};
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose};
use hustings::model::stop::NEVER;
use ratio::{Ratio, timed, wanted};

/// How long one measurement takes, at least.
const PATIENCE: Duration = Duration::from_millis(500);

/// Turns of one measurement, at least and at most.
const TURNS: std::ops::Range<usize> = 11..2_000;

/// Draws the ring of run number `run`.
fn draw(key: &Key, run: usize, ranks: &mut [u32]) {
    for (rank, place) in (0..).zip(ranks.iter_mut()) {
        *place = rank;
    }
    key.stream(run as u64, Purpose::Ring).shuffle(ranks);
    black_box(ranks);
}

/// The ratio of two pieces of work done in turn.
fn in_turn(mut turn: impl FnMut(usize) -> [f64; 2]) -> Ratio {
    // The first turns warm up caches and buffers.
    turn(0);
    turn(1);
    let start = Instant::now();
    let mut turns = Vec::new();
    while turns.len() < TURNS.start || (turns.len() < TURNS.end && start.elapsed() < PATIENCE) {
        turns.push(turn(turns.len()));
    }
    Ratio::of(&turns)
}

fn ids_of(entry: &Entry) -> Ids<'static> {
    Ids::Dense(if entry.model.elects.smallest_wins() { 0 } else { 1 })
}

fn main() {
    let registry = Registry::standard();
    let wanted = |entry: &&Arc<Entry>| wanted(&entry.name);
    let mut table = Vec::new();

    for n in [1_000usize, 10_000, 100_000, 1_000_000] {
        let key = Key::new(1, "ring", n as u64, "random", "dense");
        let mut ranks = vec![0; n];
        let mut scratch = Scratch::default();
        for entry in registry.entries().iter().filter(wanted) {
            let Some(counter) = entry.counter else { continue };
            let ids = ids_of(entry);
            let mut covered = true;
            let Ratio { seconds: [both, layout], ratio } = in_turn(|run| {
                let layout = timed(|| draw(&key, run, &mut ranks));
                let both = timed(|| {
                    draw(&key, run, &mut ranks);
                    let ring = Ranked { ranks: &ranks, ids, starts: &Starts::All };
                    covered &= black_box((counter.count)(&ring, &mut scratch)).is_some();
                });
                [both, layout]
            });
            let per_node = 1e9 / n as f64;
            let limit = if entry.name.starts_with("chang-roberts") { 2.5 } else { 5.0 };
            println!(
                "{:28} n={n:<8} layout {:6.2} ns/node, layout + count {:6.2} ns/node",
                entry.name,
                layout * per_node,
                both * per_node
            );
            let remark = match (covered, ratio <= limit) {
                (false, _) => "beyond the clock: not counted",
                (true, false) => "ABOVE THE LIMIT",
                (true, true) => "",
            };
            table.push(format!("{:28} n={n:<8} {ratio:5.2}x limit {limit}x {remark}", entry.name));
        }
    }

    let n = 1_000_000;
    let key = Key::new(1, "ring", n as u64, "random", "dense");
    let mut ranks = vec![0; n];
    let mut ids: Vec<Id> = vec![0; n];
    let mut scratch = Scratch::default();
    let compared = ["chang-roberts", "peterson", "hirschberg-sinclair"];
    let compared =
        registry.entries().iter().filter(|entry| compared.contains(&entry.name.as_str()));
    for entry in compared.filter(wanted) {
        let Some(counter) = entry.counter else { continue };
        let mut simulator = (entry.simulator)();
        let dense = ids_of(entry);
        let mut one = |run| {
            draw(&key, run, &mut ranks);
            ids.iter_mut().zip(&ranks).for_each(|(id, &rank)| *id = dense.of(rank));
            let ring = Ranked { ranks: &ranks, ids: dense, starts: &Starts::All };
            let mut counted = None;
            let count = timed(|| counted = (counter.count)(&ring, &mut scratch));
            let election = Election {
                ids: &ids,
                starts: &Starts::All,
                limit: u64::MAX,
                coins: 0,
                stop: &NEVER,
            };
            let mut simulated = None;
            let simulate = timed(|| simulated = simulator.run(&election, None).ok());
            assert_eq!(
                counted.map(|count| count.messages()),
                simulated.map(|outcome| outcome.messages)
            );
            [simulate, count]
        };
        // Minutes are not worth it: the ratio is in the hundreds.
        let turns: Vec<_> = (0..3).map(&mut one).collect();
        let Ratio { seconds: [simulate, count], ratio } = Ratio::of(&turns);
        table.push(format!(
            "{:28} n={n:<8} simulate {:.0} ms, count {:.1} ms: {ratio:.0}x faster",
            entry.name,
            simulate * 1e3,
            count * 1e3
        ));
    }

    println!("\nlayout + count / layout alone");
    table.iter().for_each(|line| println!("{line}"));
}
