//! Counters against the simulation, message by message, and against the plain formulas.

use hustings::algorithm::count::{Count, Counter, Ids, Ranked, Scratch};
use hustings::engine::{Entry, Simulator};
use hustings::model::delay::Delay;
use hustings::model::election::{Election, Network, Starts};
use hustings::model::outcome::{Outcome, Time};
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose, Stream};
use hustings::model::stop::NEVER;
use hustings::model::theory::Holds;
use hustings::model::violation::Violation;

use crate::common::{REGISTRY, dense, elect, find, mixed_network, random_ranks, starts_of, words};

/// An algorithm with all that is needed to count and to simulate it again and again.
struct Bench {
    entry: &'static Entry,
    counter: Counter,
    scratch: Scratch,
    simulator: Box<dyn Simulator>,
}

impl Bench {
    fn new(entry: &'static Entry) -> Option<Self> {
        let counter = entry.counter?;
        let simulator = (entry.simulator)();
        Some(Bench { entry, counter, scratch: Scratch::default(), simulator })
    }

    fn all() -> impl Iterator<Item = Bench> {
        REGISTRY.entries().iter().filter_map(|entry| Bench::new(entry))
    }

    fn dense(&self) -> Ids<'static> {
        Ids::Dense(if self.entry.model.elects.smallest_wins() { 0 } else { 1 })
    }

    fn count(&mut self, ranks: &[u32], ids: Ids<'_>, starts: &Starts) -> Option<Count> {
        (self.counter.count)(&Ranked { ranks, ids, starts }, &mut self.scratch)
    }

    fn simulate(
        &mut self,
        ranks: &[u32],
        ids: Ids<'_>,
        starts: &Starts,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        let ids: Vec<Id> = ranks.iter().map(|&rank| ids.of(rank)).collect();
        let election = Election { ids: &ids, starts, limit: u64::MAX, coins: 0, stop: &NEVER };
        self.simulator.run(&election, network)
    }

    /// Whether the counter promises an answer for these starts.
    fn covers(&self, starts: &Starts) -> bool {
        let everybody = self.entry.model.needs_all || self.entry.name.starts_with("radius-growth");
        *starts == Starts::All || !everybody
    }

    /// The counter and the simulation agree in all that the counter knows. `None` comes where the
    /// counter promises nothing, or where the clock overflows.
    fn agrees(&mut self, ranks: &[u32], ids: Ids<'_>, starts: &Starts) {
        let count = self.count(ranks, ids, starts);
        let case = format!("{} {ranks:?} {ids:?} {starts:?}", self.entry.name);
        if !self.covers(starts) {
            assert_eq!(count, None, "{case}");
            return;
        }
        let simulated = self.simulate(ranks, ids, starts, None);
        let Some(count) = count else {
            assert!(matches!(simulated, Err(Violation::ClockOverflow(_))), "{case}: {simulated:?}");
            return;
        };
        let outcome = simulated.unwrap_or_else(|violation| panic!("{case}: {violation}"));
        assert_eq!(Some(ids.of(count.leader)), outcome.leader, "leader, {case}");
        assert_eq!(count.kinds, outcome.kinds, "kinds, {case}");
        assert_eq!(count.messages(), outcome.messages, "messages, {case}");
        assert_eq!(count.rounds, outcome.rounds, "rounds, {case}");
        if count.time.is_some() {
            assert_eq!(count.time.map(Time::Rounds), outcome.time, "time, {case}");
        }
        if count.end.is_some() {
            assert_eq!(count.end.map(Time::Rounds), outcome.end, "end, {case}");
        }
        if let Some(messages) = count.max_node_messages {
            assert_eq!(messages, outcome.max_node_messages, "max_node_messages, {case}");
        }
        assert!(count.time.is_some() || *starts != Starts::All, "a time is missing, {case}");
    }
}

/// Calls `visit` with every order of 0..n.
fn permutations(n: u32, visit: &mut impl FnMut(&[u32])) {
    fn swap_in(ranks: &mut [u32], from: usize, visit: &mut impl FnMut(&[u32])) {
        if from == ranks.len() {
            return visit(ranks);
        }
        for chosen in from..ranks.len() {
            ranks.swap(from, chosen);
            swap_in(ranks, from + 1, visit);
            ranks.swap(from, chosen);
        }
    }
    swap_in(&mut (0..n).collect::<Vec<_>>(), 0, visit);
}

fn stream(purpose: &str) -> Stream {
    Key::new(1, "ring", 0, "random", purpose).stream(0, Purpose::Ring)
}

fn random_ring(n: u32, stream: &mut Stream) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..n).collect();
    stream.shuffle(&mut ranks);
    ranks
}

/// All, one, a few, half of them, or all but a few.
fn random_starts(n: u32, stream: &mut Stream) -> Starts {
    let n = u64::from(n);
    let count = match stream.below(8) {
        0..4 => return Starts::All,
        4 => 1,
        5 => 1 + stream.below(n.min(5)),
        6 => 1 + stream.below(n),
        _ => n - stream.below(n.min(3)),
    };
    if count == n {
        return Starts::All;
    }
    Starts::At(stream.choose(n, count).into_iter().map(|node| (0, node as u32)).collect())
}

#[test]
fn all_rings_up_to_seven_agree() {
    for mut bench in Bench::all() {
        let ids = bench.dense();
        for n in 1..=7 {
            permutations(n, &mut |ranks| bench.agrees(ranks, ids, &Starts::All));
        }
    }
}

#[test]
fn all_initiators_of_all_rings_up_to_five_agree() {
    for mut bench in Bench::all() {
        let ids = bench.dense();
        for n in 1..=5 {
            for set in 1..(1u32 << n) - 1 {
                let nodes = (0..n).filter(|node| set >> node & 1 == 1);
                let starts = Starts::At(nodes.map(|node| (0, node)).collect());
                permutations(n, &mut |ranks| bench.agrees(ranks, ids, &starts));
            }
        }
    }
}

#[test]
fn ten_thousand_random_rings_agree() {
    for mut bench in Bench::all() {
        let ids = bench.dense();
        let mut stream = stream("counters");
        for run in 0..10_000 {
            // The square of a uniform number prefers small rings.
            let share = stream.unit();
            let n = 1 + (500.0 * if run % 2 == 0 { share } else { share * share }) as u32;
            let ranks = random_ring(n, &mut stream);
            let starts = random_starts(n, &mut stream);
            bench.agrees(&ranks, ids, &starts);
        }
    }
}

#[test]
fn large_random_rings_agree() {
    for mut bench in Bench::all() {
        // LeLann's n² messages would take minutes.
        let n = if bench.entry.name == "lelann" { 5_000 } else { 200_000 };
        let ids = bench.dense();
        let mut stream = stream("large");
        let ranks = random_ring(n, &mut stream);
        bench.agrees(&ranks, ids, &Starts::All);
        let some = stream.choose(u64::from(n), u64::from(n) / 3);
        let starts = some.into_iter().map(|node| (0, node as u32)).collect();
        bench.agrees(&ranks, ids, &Starts::At(starts));
    }
}

#[test]
fn speeds_and_slices_agree_for_ids_with_gaps_up_to_the_end_of_the_clock() {
    for name in ["variable-speeds", "variable-speeds-listing", "time-slice"] {
        let mut bench = Bench::new(find(name)).expect("counted");
        let mut stream = stream("gaps");
        let mut overflows = 0;
        for _ in 0..10_000 {
            let n = 1 + stream.below(30) as u32;
            let largest = u64::from(n) + stream.below(70);
            let first = stream.below(3) * stream.below(60);
            let mut ids = stream.choose(largest, u64::from(n));
            ids.iter_mut().for_each(|id| *id += first);
            let ranks = random_ring(n, &mut stream);
            let starts = random_starts(n, &mut stream);
            bench.agrees(&ranks, Ids::Sorted(&ids), &starts);
            overflows += u32::from(bench.count(&ranks, Ids::Sorted(&ids), &starts).is_none());
        }
        assert!(overflows < 9_000, "{name}: hardly anything was compared");
    }
}

#[test]
fn counts_that_hold_with_delays_do() {
    let delays = [Delay::Uniform(0.1, 2.0), Delay::Exponential(1.0), Delay::Lifo];
    for mut bench in
        Bench::all().filter(|bench| bench.entry.counts_hold() != Some(Holds::Synchronous))
    {
        let ids = bench.dense();
        let mut stream = stream("delays");
        for run in 0..600 {
            let n = 1 + stream.below(60) as u32;
            let ranks = random_ring(n, &mut stream);
            let starts = random_starts(n, &mut stream);
            let count = bench.count(&ranks, ids, &starts).expect("covered");
            let fifo = bench.entry.counts_hold() == Some(Holds::Fifo) || run % 2 == 0;
            let words = Key::new(run, "ring", 0, "random", "dense").stream(0, Purpose::Delays);
            let network = Network { delay: delays[run as usize % 3], fifo, words };
            let outcome = bench.simulate(&ranks, ids, &starts, Some(&network));
            let outcome = outcome.unwrap_or_else(|v| panic!("{}: {v}", bench.entry.name));
            assert_eq!(
                (Some(ids.of(count.leader)), count.kinds, count.rounds),
                (outcome.leader, outcome.kinds, outcome.rounds),
                "{} {ranks:?} {starts:?} {network:?}",
                bench.entry.name
            );
        }
    }
}

#[test]
fn late_and_missing_starts_are_not_counted() {
    for mut bench in Bench::all() {
        let ids = bench.dense();
        for starts in [vec![], vec![(0, 1), (2, 0)]] {
            assert_eq!(bench.count(&[0, 2, 1], ids, &Starts::At(starts)), None);
        }
    }
}

/// The distances to the next larger rank, or n: the monotonic stack of the textbook.
fn distances(ranks: &[u32]) -> Vec<usize> {
    let n = ranks.len();
    let mut distances = vec![n; n];
    let mut waiting: Vec<usize> = Vec::new();
    for place in 0..2 * n {
        while let Some(&last) = waiting.last()
            && ranks[last] < ranks[place % n]
        {
            distances[last] = place - last;
            waiting.pop();
        }
        if place < n {
            waiting.push(place);
        }
    }
    distances
}

/// The rings that windows and blocks may stumble over.
fn adversarial_rings(n: u32) -> Vec<Vec<u32>> {
    let ascending: Vec<u32> = (0..n).collect();
    let descending: Vec<u32> = (0..n).rev().collect();
    let organ_pipe: Vec<u32> =
        (0..n).step_by(2).chain((0..n).filter(|rank| rank % 2 == 1).rev()).collect();
    let mut stream = stream("adversarial");
    let random = random_ring(n, &mut stream);
    // Descending, the largest in the last place: every distance but one goes up to there.
    let mut cliff = descending.clone();
    cliff.rotate_left(1);
    // Descending runs of 16 and 17, as long as a block and a window.
    let runs = |length: usize| {
        let mut ring = ascending.clone();
        ring.chunks_mut(length).for_each(<[u32]>::reverse);
        ring
    };
    let mut rings = vec![ascending.clone(), descending, organ_pipe, random, cliff];
    rings.extend([runs(16), runs(17), runs(256)]);
    let rotated: Vec<_> = rings
        .iter()
        .map(|ring| {
            let mut ring = ring.clone();
            ring.rotate_left(n as usize / 3);
            ring
        })
        .collect();
    rings.extend(rotated);
    rings
}

/// Sizes around windows, blocks and chunks.
const SIZES: [u32; 22] = [
    1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 63, 64, 65, 255, 256, 257, 272, 273, 289, 1000, 4096, 5003,
];

#[test]
fn windows_and_blocks_find_the_distances_of_the_stack() {
    let entry = find("chang-roberts");
    let mut bench = Bench::new(entry).expect("counted");
    for n in SIZES {
        for ranks in adversarial_rings(n) {
            let expected: usize = distances(&ranks).iter().sum();
            let count = bench.count(&ranks, Ids::Dense(1), &Starts::All).expect("covered");
            assert_eq!(count.messages(), expected as u64, "{ranks:?}");
            // Among every third node only.
            let nodes: Vec<u32> = (0..n).step_by(3).collect();
            let chosen: Vec<u32> = nodes.iter().map(|&node| ranks[node as usize]).collect();
            let last = nodes.len() - 1;
            let expected: usize = distances(&chosen)
                .iter()
                .enumerate()
                .map(|(index, &steps)| match index + steps {
                    _ if steps == nodes.len() => n as usize,
                    place if place > last => (nodes[place - last - 1] + n - nodes[index]) as usize,
                    place => (nodes[place] - nodes[index]) as usize,
                })
                .sum();
            let starts = Starts::At(nodes.iter().map(|&node| (0, node)).collect());
            let count = bench.count(&ranks, Ids::Dense(1), &starts).expect("covered");
            assert_eq!(count.messages(), expected as u64, "every third of {ranks:?}");
        }
    }
}

#[test]
fn windows_and_blocks_find_the_phases_of_the_stack() {
    for (name, extra) in [("hirschberg-sinclair", 0), ("k-neighbour", 1)] {
        let mut bench = Bench::new(find(name)).expect("counted");
        for n in SIZES {
            for ranks in adversarial_rings(n) {
                let after = distances(&ranks);
                let mirrored: Vec<u32> = ranks.iter().rev().copied().collect();
                let before = distances(&mirrored).into_iter().rev();
                let (mut probes, mut replies) = (0, 0);
                for (a, b) in after.into_iter().zip(before) {
                    let radii = (0..).map(|phase| (1 << phase) + extra);
                    for radius in radii {
                        for distance in [a, b] {
                            probes += distance.min(radius) as u64;
                            replies += if distance > radius { radius as u64 } else { 0 };
                        }
                        if a <= radius || b <= radius {
                            break;
                        }
                    }
                }
                let count = bench.count(&ranks, Ids::Dense(1), &Starts::All).expect("covered");
                assert_eq!(count.kinds[..2], [probes, replies], "{name} {ranks:?}");
            }
        }
    }
}

#[test]
fn a_million_nodes_are_counted_exactly_at_known_extremes() {
    let n = 1_000_000;
    let wide = u64::from(n);
    for (name, expected) in [
        ("chang-roberts", [2 * wide - 1, wide * (wide + 1) / 2]),
        ("peterson", [4 * wide, 2 * wide * 20]),
    ] {
        let entry = find(name);
        let mut bench = Bench::new(entry).expect("counted");
        for (ring, expected) in [entry.best_ring, entry.worst_ring].into_iter().zip(expected) {
            let ranks = ring(n).expect("known");
            let count = bench.count(&ranks, Ids::Dense(1), &Starts::All).expect("covered");
            assert_eq!(count.messages(), expected, "{name}");
        }
    }
}

/// What the model says must be what every schedule shows: of all that go one way, counted or not.
#[test]
fn on_unidirectional_fifo_rings_no_schedule_changes_a_count() {
    let mut names = Vec::new();
    for entry in REGISTRY.entries().iter().filter(|entry| entry.is_kahn()) {
        let mut simulator = (entry.simulator)();
        for run in 0..60 {
            let mut stream = words(&entry.name, run);
            let n = 1 + stream.below(24) as u32;
            let ids = dense(entry, &random_ranks(n, &mut stream));
            let starts = match run % 3 {
                0 => Starts::All,
                _ => starts_of(1 + stream.below((1 << n) - 1) as u32),
            };
            let expected = elect(simulator.as_mut(), &ids, &starts, None);
            let network = mixed_network(true, run);
            let found = elect(simulator.as_mut(), &ids, &starts, Some(&network));
            let case = format!("{}, {ids:?}, {starts:?}, {network:?}", entry.name);
            assert_eq!(found.kinds, expected.kinds, "{case}");
            assert_eq!(found.leader, expected.leader, "{case}");
            let busiest = [&found, &expected].map(|it| (it.rounds, it.max_node_messages, it.bits));
            assert_eq!(busiest[0], busiest[1], "{case}");
        }
        names.push(entry.name.trim_end_matches("+announce"));
    }
    names.dedup();
    let proved = [
        "lelann",
        "chang-roberts",
        "ring-extinction",
        "clockwise",
        "clockwise-join",
        "peterson",
        "peterson-alternating",
        "dolev-klawe-rodeh-b",
        "higham-przytycka",
    ];
    assert!(proved.iter().all(|name| names.contains(name)), "{names:?}");
}
