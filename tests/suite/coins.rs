//! Algorithms that flip coins, with `rand`: coins are the participant's own, the same in every
//! repetition, and as fair as those of our own samplers.

use hustings::experiment::spec::Spec;
use hustings::model::delay::{Delay, OwnDelay};
use hustings::model::outcome::{Outcome, Time};
use hustings::model::random::RAND_VERSION;
use hustings::prelude::*;
use hustings::rand::distr::{Distribution as _, Uniform};
use hustings::rand::seq::SliceRandom;
use hustings::rand::{Rng, RngExt};
use hustings::results::batch;
use hustings::statistics::moments::Moments;
use hustings::statistics::significance::{goodness_of_fit, welch};

use crate::common::words;

/// Chang and Roberts' election by lot: everybody draws a number, and the largest one wins.
#[derive(Debug, Clone, PartialEq)]
struct ByLot {
    lot: (u64, Id),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Lot(u64, Id);

impl Message for Lot {
    const KINDS: Kinds = Kinds::new(&[("lot", |w| 64 + w.id)]);
}

impl Process for ByLot {
    type Message = Lot;

    fn new(local: &Local) -> Self {
        ByLot { lot: (local.coins.stream().random(), local.id) }
    }
}

impl Asynchronous for ByLot {
    fn start(&mut self, out: &mut impl Outbox<Lot>) {
        out.send(NEXT, Lot(self.lot.0, self.lot.1));
    }

    fn receive(&mut self, _from: Port, Lot(lot, id): Lot, out: &mut impl Outbox<Lot>) {
        if (lot, id) == self.lot {
            out.lead();
        } else if (lot, id) > self.lot || !out.started() {
            out.follow();
            out.send(NEXT, Lot(lot, id));
        }
    }
}

impl Algorithm for ByLot {
    const NAME: &'static str = "by-lot";
    const SUMMARY: &'static str = "the largest lot wins";
    const SOURCE: &'static str = "a test";
    const MODEL: Model = Model { flips_coins: true, ..Model::electing(Elects::Somebody) };
}

#[test]
fn an_election_by_lot_conforms_and_is_fair() {
    conformance::check::<ByLot>();
    let registry = Registry::standard().with(Entry::asynchronous::<ByLot>());
    let entry = registry.named("by-lot").expect("it is there");
    let cell = Cell::new(entry, Setting::given(vec![1, 2, 3, 4, 5, 6, 7])).expect("a cell");
    assert!(!cell.draws().nothing());
    let (mut runs, mut again) = (cell.prepare(1).expect("small"), cell.prepare(1).expect("small"));
    let mut simulator = (entry.simulator)();
    let mut won = vec![0u64; 7];
    for run in 0..7_000 {
        let outcome = runs.simulate(run, simulator.as_mut()).expect("an election");
        won[outcome.leader.expect("somebody") as usize - 1] += 1;
        if run % 100 == 0 {
            let repeated = again.simulate(run, simulator.as_mut()).expect("an election");
            assert_eq!(repeated, outcome, "run {run}");
        }
    }
    // A fixed seed; a fair lottery fails with probability 0.001.
    let fit = goodness_of_fit(&won, &[1000.0; 7]).expect("enough runs");
    assert!(fit.p_value > 0.001, "{won:?}");
}

#[test]
fn a_stream_is_a_generator_of_the_same_words() {
    let (mut ours, mut theirs) = (words("rand", 0), words("rand", 0));
    for _ in 0..1000 {
        assert_eq!(ours.word(), theirs.next_u64());
    }
}

/// The coins of a participant never change: raw ChaCha8 under its number as the key. The first is the
/// test vector of ChaCha8 for the key and the nonce 0, 3e00ef2f895f40d6 as bytes.
#[test]
fn the_first_words_of_coins_are_frozen() {
    let first = |number| Coins::new(number).stream().word();
    let frozen =
        [0xd640_5f89_2fef_003e, 7037237572835827407, 18012057309059418233, 12992469554959567047];
    assert_eq!([0, 1, 2, u64::MAX].map(first), frozen);
}

/// Our frozen samplers and those of `rand` draw from the same distributions: the chi-square of both
/// against the exact shares exceeds its limit with probability 0.001 each, at a fixed seed.
#[test]
fn our_samples_have_the_distributions_of_rand() {
    const RUNS: usize = 60_000;
    let mut stream = words("samples", 0);
    let mut check = |name: &str, cells: usize, draw: &mut dyn FnMut(&mut Stream) -> usize| {
        let mut counts = vec![0u64; cells];
        (0..RUNS).for_each(|_| counts[draw(&mut stream)] += 1);
        let expected = vec![RUNS as f64 / cells as f64; cells];
        let fit = goodness_of_fit(&counts, &expected).expect("enough draws");
        assert!(fit.p_value > 0.001, "{name}: {counts:?}");
    };
    check("below", 10, &mut |words| words.below(10) as usize);
    check("random_range", 10, &mut |words| words.random_range(0..10));
    check("unit", 8, &mut |words| (words.unit() * 8.0) as usize);
    check("random", 8, &mut |words| (words.random::<f64>() * 8.0) as usize);
    // All orders of three, by where they stand among the six.
    let order = |items: &[u32; 3]| match items {
        [0, 1, 2] => 0,
        [0, 2, 1] => 1,
        [1, 0, 2] => 2,
        [1, 2, 0] => 3,
        [2, 0, 1] => 4,
        _ => 5,
    };
    check("our shuffle", 6, &mut |words| {
        let mut items = [0, 1, 2];
        words.shuffle(&mut items);
        order(&items)
    });
    check("rand's shuffle", 6, &mut |words| {
        let mut items = [0u32, 1, 2];
        SliceRandom::shuffle(&mut items[..], words);
        order(&items)
    });
}

#[test]
fn the_manifest_names_the_rand_that_coins_were_drawn_with() {
    let lock = include_str!("../../Cargo.lock");
    let direct = lock.split("[[package]]").filter(|it| it.contains("name = \"rand\"\n"));
    let version = format!("version = \"{RAND_VERSION}.");
    assert!(direct.into_iter().any(|package| package.contains(&version)), "{version}");

    let registry = Registry::standard().with(Entry::asynchronous::<ByLot>());
    let folder = tempfile::tempdir().expect("a folder");
    for (algorithm, expected) in [("by-lot", Some(RAND_VERSION)), ("peterson", None)] {
        let text = format!("algorithms = '{algorithm}'\nn = 5\nruns = 10");
        let spec = Spec::parse(&text, "test.toml", "test", &registry).expect("a spec");
        let out = folder.path().join(algorithm);
        batch::run(&spec, &out, &batch::Options::default(), &()).expect("runs");
        let manifest = std::fs::read_to_string(out.join("manifest.json")).expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
        assert_eq!(manifest.get("rand").and_then(|it| it.as_str()), expected, "{algorithm}");
    }
}

/// Our uniform delays, drawn one by one, and those of `rand`.
static OURS: OwnDelay =
    OwnDelay { name: "ours", mean: 0.5, seldom_longer: 1.0, draw: |words| words.unit() };
static RANDS: OwnDelay = OwnDelay {
    name: "rand's",
    mean: 0.5,
    seldom_longer: 1.0,
    draw: |words| Uniform::new(0.0, 1.0).expect("a range").sample(words),
};

#[test]
fn delays_of_ones_own_are_delays_like_any_other() {
    let registry = Registry::standard();
    let entry = registry.named("chang-roberts").expect("it is there");
    let outcomes = |delay: Delay| -> Vec<Outcome> {
        let timing = Timing { delay: Some(delay), fifo: true };
        let cell = Cell::new(entry, Setting { timing, ..Setting::of(40) }).expect("a cell");
        let mut runs = cell.prepare(1).expect("small");
        let mut simulator = (entry.simulator)();
        (0..400).map(|run| runs.simulate(run, simulator.as_mut()).expect("elected")).collect()
    };
    let [built_in, ours, rands] =
        [Delay::Uniform(0.0, 1.0), Delay::Own(&OURS), Delay::Own(&RANDS)].map(outcomes);
    assert_eq!(built_in, ours);
    // The same rings, so the same messages; other times, but of the same law: Welch's test of
    // their means fails with probability 0.001, at a fixed seed.
    let messages = |outcomes: &[Outcome]| outcomes.iter().map(|it| it.messages).collect::<Vec<_>>();
    assert_eq!(messages(&built_in), messages(&rands));
    let times = |outcomes: &[Outcome]| {
        let mut moments = Moments::new();
        for (run, outcome) in (0..).zip(outcomes) {
            let Some(Time::Real(time)) = outcome.time else { panic!("no clock") };
            moments.push(run, (time * 1e6) as u64);
        }
        moments
    };
    let p_value = welch(&times(&built_in), &times(&rands), 0.95).expect("enough runs").p_value;
    assert!(p_value > 0.001, "{p_value}");
}
