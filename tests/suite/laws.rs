//! Laws that every election obeys: rotation, independence of the schedule, best and worst rings.
//! All random choices come from fixed seeds, and every law but one is exact: no other test here can fail
//! by chance.

use hustings::algorithm::ring::{ChangRoberts, HirschbergSinclair, Peterson, RadiusGrowth};
use hustings::algorithm::{Algorithm, Announced};
use hustings::engine::WithDelays;
use hustings::model::delay::Delay;
use hustings::model::election::{Election, Starts};
use hustings::model::metric::Metric;
use hustings::model::outcome::{Outcome, Time};
use hustings::model::process::{Asynchronous, Id};
use hustings::model::random::Stream;
use hustings::model::stop::NEVER;
use hustings::model::theory::{Case, Certainty, Value, ceil_log2};
use hustings::model::topology::{Graph, Ring};

use crate::common::{
    dense, elect, elect_all, find, mixed_network, network, on_rings, random_ranks, starts_of, words,
};

/// All that does not depend on the clock.
fn counts(outcome: &Outcome) -> Outcome {
    Outcome { time: None, end: None, ..*outcome }
}

fn rounds(time: Option<Time>) -> u64 {
    match time {
        Some(Time::Rounds(rounds)) => rounds,
        other => panic!("{other:?} is not a number of rounds"),
    }
}

fn real(time: Option<Time>) -> f64 {
    match time {
        Some(Time::Real(time)) => time,
        other => panic!("{other:?} is not a real time"),
    }
}

/// A random number of nodes up to 24; small rings are not rare.
fn random_n(words: &mut Stream) -> u32 {
    let most = 1 + words.below(24);
    1 + words.below(most) as u32
}

/// Every node but some starts, at a random time.
fn random_starts(n: u32, words: &mut Stream) -> Vec<(u64, u32)> {
    let sure = words.below(u64::from(n)) as u32;
    (0..n)
        .filter_map(|node| {
            let starts = node == sure || words.below(3) > 0;
            starts.then(|| (words.below(u64::from(n)), node))
        })
        .collect()
}

#[test]
fn rotating_the_ring_changes_nothing() {
    // Coins stay where they are.
    for entry in on_rings().filter(|entry| !entry.model.flips_coins) {
        let mut simulator = (entry.simulator)();
        for run in 0..200 {
            let mut words = words("rotation", run);
            let n = random_n(&mut words);
            let ids = dense(entry, &random_ranks(n, &mut words));
            let spread = random_starts(n, &mut words);
            for shift in [1, words.below(u64::from(n)) as u32, n - 1] {
                let mut rotated = ids.clone();
                rotated.rotate_right(shift as usize % ids.len());
                let name = &entry.name;
                let expected = elect_all(simulator.as_mut(), &ids);
                assert_eq!(elect_all(simulator.as_mut(), &rotated), expected, "{name}: {ids:?}");
                if entry.model.needs_all {
                    continue;
                }
                let starts = |shift: u32| {
                    let moved = spread.iter().map(|&(time, node)| (time, (node + shift) % n));
                    let mut starts: Vec<(u64, u32)> = moved.collect();
                    starts.sort_unstable();
                    Starts::At(starts)
                };
                let expected = elect(simulator.as_mut(), &ids, &starts(0), None);
                let outcome = elect(simulator.as_mut(), &rotated, &starts(shift), None);
                assert_eq!(outcome, expected, "{name}: {ids:?}, {spread:?}");
            }
        }
    }
}

/// Runs `name` on 1000 rings, each in rounds and under a schedule of its own, and gives both
/// outcomes to `compare`.
fn a_thousand_schedules(name: &str, fifo: bool, mut compare: impl FnMut(&Outcome, &Outcome)) {
    let entry = find(name);
    let mut simulator = (entry.simulator)();
    for run in 0..1000 {
        let mut words = words("schedules", run);
        let ids = dense(entry, &random_ranks(random_n(&mut words), &mut words));
        let synchronous = counts(&elect_all(simulator.as_mut(), &ids));
        let network = mixed_network(fifo, run);
        let outcome = elect(simulator.as_mut(), &ids, &Starts::All, Some(&network));
        compare(&synchronous, &counts(&outcome));
    }
}

#[test]
fn without_overtaking_every_schedule_costs_the_same() {
    for name in [
        "lelann",
        "chang-roberts",
        "chang-roberts+announce",
        "ring-extinction",
        "ring-extinction+announce",
        "clockwise",
        "clockwise+announce",
        "clockwise-join",
        "clockwise-join+announce",
        "hirschberg-sinclair",
        "hirschberg-sinclair+announce",
        "k-neighbour",
        "k-neighbour+announce",
        "peterson",
        "franklin",
        "franklin+announce",
        "peterson-alternating",
        "peterson-alternating+announce",
        "dolev-klawe-rodeh-b",
        "dolev-klawe-rodeh-b+announce",
        "higham-przytycka",
        "higham-przytycka+announce",
    ] {
        a_thousand_schedules(name, true, |synchronous, outcome| {
            assert_eq!(outcome, synchronous, "{name}");
        });
    }
}

#[test]
fn with_overtaking_the_fate_of_ids_alone_costs_the_same() {
    for name in ["chang-roberts", "chang-roberts+announce", "hirschberg-sinclair", "k-neighbour"] {
        a_thousand_schedules(name, false, |synchronous, outcome| {
            assert_eq!(outcome, synchronous, "{name}");
        });
    }
}

#[test]
fn with_overtaking_who_remembers_the_largest_only_saves() {
    for name in ["clockwise", "clockwise+announce", "ring-extinction", "ring-extinction+announce"] {
        let mut saved = 0;
        a_thousand_schedules(name, false, |synchronous, outcome| {
            assert_eq!(outcome.leader, synchronous.leader);
            assert!(outcome.messages <= synchronous.messages, "{name}");
            saved += u64::from(outcome.messages < synchronous.messages);
        });
        assert!(saved > 100, "{name}: {saved} of 1000 schedules");
    }
}

#[test]
fn giving_up_early_only_saves() {
    for name in ["radius-growth", "radius-growth+announce"] {
        for fifo in [true, false] {
            let mut saved = 0;
            a_thousand_schedules(name, fifo, |synchronous, outcome| {
                assert_eq!(outcome.leader, synchronous.leader);
                assert!(outcome.messages <= synchronous.messages, "{name}");
                saved += u64::from(outcome.messages < synchronous.messages);
            });
            assert!(saved > 100, "{name}: {saved} of 1000 schedules");
        }
    }
}

#[test]
fn best_and_worst_rings_attain_the_best_and_the_worst() {
    let mut attained = 0;
    for entry in on_rings() {
        let mut simulator = (entry.simulator)();
        for n in 1..=300 {
            let facts = (entry.facts)(&Case::all(u64::from(n)));
            let rings = [((entry.best_ring)(n), facts.best), ((entry.worst_ring)(n), facts.worst)];
            for (ring, fact) in rings {
                let (Some(ring), Some(fact)) = (ring, fact) else { continue };
                let ids = dense(entry, &ring);
                let mut sorted = ring.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..n), "{}: {ring:?}", entry.name);
                if matches!(fact.certainty, Certainty::Proved | Certainty::Enumerated) {
                    let messages = elect_all(simulator.as_mut(), &ids).messages;
                    let expected = Value::Whole(u128::from(messages));
                    assert_eq!(fact.value, expected, "{}, n = {n}", entry.name);
                    attained += 1;
                }
            }
        }
    }
    // Best and worst of all but k-neighbour, variable speeds, anonymous and those below; best of the
    // latter two, and of Dolev-Klawe-Rodeh's and Higham-Przytycka's, with announcement and without.
    assert_eq!(attained, 300 * (2 * 18 + 2 + 4));
}

/// The ring whose rank at position i is i with its bits reversed.
fn bit_reversal(bits: u32) -> Vec<Id> {
    let reversed = |i: u32| if bits == 0 { 0 } else { i.reverse_bits() >> (32 - bits) };
    (0..1 << bits).map(|i| u64::from(reversed(i)) + 1).collect()
}

#[test]
fn bit_reversal_rings_have_their_known_values() {
    for k in 1..=10 {
        let ids = bit_reversal(k);
        let (n, k) = (ids.len() as u64, u64::from(k));
        for (name, messages) in [
            ("chang-roberts", n * k / 2 + n),
            ("peterson", 2 * n * (k + 1)),
            ("franklin", 2 * n * (k + 1)),
            ("peterson-alternating", n * (k + 1)),
            ("dolev-klawe-rodeh-b", 3 * n * k / 2 + 1),
            ("hirschberg-sinclair", 3 * n * k + 2 * n),
            ("radius-growth", 4 * n * k + 2 * n),
        ] {
            let outcome = elect_all((find(name).simulator)().as_mut(), &ids);
            assert_eq!(outcome.messages, messages, "{name}, n = {n}");
            if name == "peterson" {
                assert_eq!(rounds(outcome.end), 4 * n - 2, "n = {n}");
                assert_eq!(outcome.rounds, Some(k + 1), "n = {n}");
            }
        }
    }
}

#[test]
fn promotion_by_distance_has_its_known_values() {
    let messages =
        |name: &str, ids: &[Id]| elect_all((find(name).simulator)().as_mut(), ids).messages;
    let found = [3, 4, 5, 6].map(|k| messages("higham-przytycka", &bit_reversal(k)));
    assert_eq!(found, [30, 85, 189, 442]);
    for n in 6..200 {
        let ascending: Vec<Id> = (1..=n).collect();
        assert_eq!(messages("higham-przytycka", &ascending), 3 * n + 4, "n = {n}");
        assert_eq!(messages("dolev-klawe-rodeh-b", &ascending), 3 * n - 2, "n = {n}");
    }
}

#[test]
fn the_rings_that_are_listed_as_worst_take_the_most() {
    let dolev: [(&[Id], u64); 8] = [
        (&[2, 1], 4),
        (&[3, 1, 2], 7),
        (&[4, 1, 3, 2], 13),
        (&[5, 1, 2, 4, 3], 17),
        (&[6, 1, 2, 3, 5, 4], 21),
        (&[7, 1, 3, 2, 6, 4, 5], 26),
        (&[8, 1, 3, 2, 7, 4, 5, 6], 38),
        (&[9, 1, 2, 4, 3, 8, 5, 6, 7], 43),
    ];
    let higham: [(&[Id], u64); 7] = [
        (&[2, 1], 4),
        (&[3, 1, 2], 8),
        (&[4, 1, 2, 3], 11),
        (&[5, 1, 3, 4, 2], 18),
        (&[6, 1, 2, 3, 4, 5], 22),
        (&[7, 1, 2, 3, 5, 6, 4], 26),
        (&[8, 1, 4, 5, 2, 6, 7, 3], 34),
    ];
    for (name, rings) in [("dolev-klawe-rodeh-b", &dolev[..]), ("higham-przytycka", &higham[..])] {
        for &(ids, most) in rings {
            let found = elect_all((find(name).simulator)().as_mut(), ids);
            assert_eq!(found.messages, most, "{name}, {ids:?}");
            let worst = find(name).theory(Metric::Messages, &Case::all(ids.len() as u64)).worst;
            assert_eq!(worst.expect("known").value, Value::Whole(most.into()), "{name}, {ids:?}");
        }
    }
}

/// Means of 100 random rings of 1024 within four standard errors of what another program measured, with
/// its standard error: wrong by chance with probability 0.0002 for all three. The rings are fixed.
#[test]
fn on_random_rings_the_rule_of_the_distance_costs_messages() {
    let rings: Vec<Vec<u32>> =
        (0..100).map(|run| random_ranks(1024, &mut words("distance", run))).collect();
    let messages = |name: &str| -> Vec<f64> {
        let entry = find(name);
        let mut simulator = (entry.simulator)();
        let each = rings.iter().map(|ranks| elect_all(simulator.as_mut(), &dense(entry, ranks)));
        each.map(|outcome| outcome.messages as f64).collect()
    };
    let moments = |values: &[f64]| {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, (squares / (count * (count - 1.0))).sqrt())
    };
    for (name, expected, its_error) in [
        ("higham-przytycka", 10102.0, 51.0),
        ("higham-przytycka-witness", 8771.0, 35.0),
        ("dolev-klawe-rodeh-b", 10930.0, 51.0),
    ] {
        let (mean, error) = moments(&messages(name));
        let z = (mean - expected) / f64::hypot(error, its_error);
        assert!(z.abs() < 4.0, "{name}: {mean} ± {error}, z = {z}");
    }
    let (with, without) = (messages("higham-przytycka"), messages("higham-przytycka-witness"));
    let more: Vec<f64> = with.iter().zip(&without).map(|(with, without)| with - without).collect();
    let (mean, error) = moments(&more);
    assert!(mean > 10.0 * error, "{mean} ± {error}");
}

/// A ring; `m1`, `m2`, phases and time of Dolev, Klawe and Rodeh's; envelopes, rounds, the position of
/// the leader and time of Higham and Przytycka's.
type KnownRing<'a> = (&'a [Id], [u64; 4], [u64; 4]);

#[test]
fn single_rings_have_the_values_of_another_program() {
    let ascending: Vec<Id> = (1..=16).collect();
    let rings: [KnownRing<'_>; 5] = [
        (&[5, 2, 8, 1, 7, 3, 6, 4], [21, 6, 3, 11], [29, 4, 0, 15]),
        (&[3, 10, 1, 8, 5, 9, 2, 7, 4, 6], [33, 13, 4, 19], [37, 4, 6, 16]),
        (&[1, 5, 3, 7, 2, 6, 4, 8], [25, 12, 4, 15], [30, 4, 0, 14]),
        (&bit_reversal(4), [65, 32, 5, 31], [85, 6, 1, 39]),
        (&ascending, [31, 15, 2, 17], [52, 4, 5, 23]),
    ];
    for (ids, dolev, higham) in rings {
        let outcome = elect_all((find("dolev-klawe-rodeh-b").simulator)().as_mut(), ids);
        let [m1, m2, ..] = outcome.kinds;
        assert_eq!([m1, m2, outcome.rounds.unwrap(), rounds(outcome.time)], dolev, "{ids:?}");
        assert_eq!(outcome.end, outcome.time, "{ids:?}");
        let outcome = elect_all((find("higham-przytycka").simulator)().as_mut(), ids);
        let leader = ids.iter().position(|&id| Some(id) == outcome.leader).unwrap() as u64;
        let found = [outcome.messages, outcome.rounds.unwrap(), leader, rounds(outcome.time)];
        assert_eq!(found, higham, "{ids:?}");
    }
    let entry = find("dolev-klawe-rodeh-b");
    let ids = [5, 2, 8, 1, 7, 3, 6, 4];
    for (set, leader, time) in [(0b1_0001, 7, 12), (0b100_0110, 8, 9)] {
        let outcome = elect((entry.simulator)().as_mut(), &ids, &starts_of(set), None);
        assert_eq!((outcome.kinds[0], outcome.kinds[1], outcome.leader), (15, 1, Some(leader)));
        assert_eq!(rounds(outcome.time), time);
    }
}

#[test]
fn probing_elects_at_its_known_time_on_every_ring() {
    for name in ["hirschberg-sinclair", "radius-growth"] {
        let entry = find(name);
        let mut simulator = (entry.simulator)();
        for n in 1..=300u32 {
            let ids = dense(entry, &random_ranks(n, &mut words("times", u64::from(n))));
            let outcome = elect_all(simulator.as_mut(), &ids);
            let expected = 2 * ((1 << ceil_log2(u64::from(n))) - 1) + u64::from(n);
            assert_eq!(rounds(outcome.time), expected, "{name}, n = {n}");
        }
    }
}

#[test]
fn peterson_never_ends_later_than_its_bound() {
    let entry = find("peterson");
    let mut simulator = (entry.simulator)();
    for run in 0..1000 {
        let mut words = words("peterson", run);
        let n = 2 + words.below(199) as u32;
        let ids = dense(entry, &random_ranks(n, &mut words));
        let end = rounds(elect_all(simulator.as_mut(), &ids).end);
        let wide = u64::from(n);
        assert!((2 * wide + 2..=4 * wide - 2).contains(&end), "{end}: {ids:?}");
    }
}

fn a_graph_that_is_a_ring_gives_the_same<A: Algorithm + Asynchronous>() {
    let mut engine = WithDelays::<A>::new();
    for run in 0..200 {
        let mut words = words("graph", run);
        let n = random_n(&mut words);
        let ids: Vec<Id> = random_ranks(n, &mut words).into_iter().map(Id::from).collect();
        let some = starts_of(1 + words.below((1 << n) - 1) as u32);
        for starts in [&Starts::All, &some] {
            let election =
                Election { ids: &ids, starts, limit: crate::common::LIMIT, coins: 0, stop: &NEVER };
            let network = mixed_network(true, run);
            let ring = Ring::new(n);
            let expected = engine.run(ring, &network, &election);
            assert!(expected.is_ok(), "{expected:?}: {ids:?}");
            let outcome = engine.run(Graph::from(ring), &network, &election);
            assert_eq!(outcome, expected, "{}: {ids:?}", A::NAME);
        }
    }
}

#[test]
fn a_ring_written_out_as_a_graph_is_the_same_ring() {
    a_graph_that_is_a_ring_gives_the_same::<ChangRoberts>();
    a_graph_that_is_a_ring_gives_the_same::<Announced<ChangRoberts>>();
    a_graph_that_is_a_ring_gives_the_same::<HirschbergSinclair>();
    a_graph_that_is_a_ring_gives_the_same::<RadiusGrowth>();
    a_graph_that_is_a_ring_gives_the_same::<Peterson>();
}

#[test]
fn delays_of_at_most_one_keep_the_time_bounds() {
    for (name, laps) in [("lelann", 1), ("chang-roberts", 1), ("chang-roberts+announce", 2)] {
        let entry = find(name);
        let mut simulator = (entry.simulator)();
        for run in 0..1000 {
            let mut words = words("bounds", run);
            let n = random_n(&mut words);
            let ids = dense(entry, &random_ranks(n, &mut words));
            let network = network(Delay::Uniform(0.0, 1.0), true, run);
            // No ID and no announcement makes more than n hops.
            let outcome = elect(simulator.as_mut(), &ids, &Starts::All, Some(&network));
            let (time, end) = (real(outcome.time), real(outcome.end));
            assert!(time <= end && time <= f64::from(n), "{name}: {outcome:?}");
            assert!(end <= f64::from(laps * n), "{name}: {outcome:?}");
            // Whoever starts does so before the first starter's wave is there, n - 1 later at most.
            let mut starts = random_starts(n, &mut words);
            starts.sort_unstable();
            let first = starts[0].0 as f64;
            let outcome = elect(simulator.as_mut(), &ids, &Starts::At(starts), Some(&network));
            let bound = first + f64::from((laps + 1) * n - 1);
            assert!(real(outcome.end) <= bound, "{name}: {outcome:?}");
        }
    }
}
