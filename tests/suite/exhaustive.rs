//! All small cases: exact values over all rings, all sets of initiators, all wake-up patterns.

use std::collections::BTreeMap;

use hustings::algorithm::Model;
use hustings::engine::{Entry, Simulator};
use hustings::model::delay::Delay;
use hustings::model::election::Starts;
use hustings::model::outcome::{Outcome, Time};
use hustings::model::process::Id;
use hustings::model::theory::{Case, Certainty, Fact, Value, ceil_log2};

use crate::common::{
    dense, elect, elect_all, every_order, every_ring, find, network, on_rings, starts_of,
};

/// The largest ring of which all (n-1)! orders are gone through.
const LARGEST: u32 = if cfg!(debug_assertions) { 9 } else { 10 };

/// A fraction: numerator, denominator.
type Fraction = (u128, u128);

/// What goes through all rings: how often each number of messages occurs.
#[derive(Default)]
struct Census {
    counts: BTreeMap<u64, u64>,
}

impl Census {
    fn add(&mut self, messages: u64) {
        *self.counts.entry(messages).or_default() += 1;
    }

    fn sum(&self, power: u32) -> u128 {
        let term =
            |(&value, &count): (&u64, &u64)| u128::from(value).pow(power) * u128::from(count);
        self.counts.iter().map(term).sum()
    }

    fn mean(&self) -> Fraction {
        (self.sum(1), self.sum(0))
    }

    /// The variance of the whole population: (N Σx² - (Σx)²) / N².
    fn variance(&self) -> Fraction {
        let (count, sum) = (self.sum(0), self.sum(1));
        (count * self.sum(2) - sum * sum, count * count)
    }

    /// The smallest value and how often it occurs.
    fn min(&self) -> (u64, u64) {
        self.counts.first_key_value().map(|(&value, &count)| (value, count)).unwrap()
    }

    /// The largest value and how often it occurs.
    fn max(&self) -> (u64, u64) {
        self.counts.last_key_value().map(|(&value, &count)| (value, count)).unwrap()
    }
}

fn equal(a: Fraction, b: Fraction) -> bool {
    a.0 * b.1 == b.0 * a.1
}

/// Everybody starts at 0, in rounds, on every ring of n dense IDs.
fn every_outcome(entry: &Entry, n: u32, mut visit: impl FnMut(&Outcome)) {
    let mut simulator = (entry.simulator)();
    every_ring(n, |ranks| visit(&elect_all(simulator.as_mut(), &dense(entry, ranks))));
}

fn census(entry: &Entry, n: u32) -> Census {
    let mut census = Census::default();
    every_outcome(entry, n, |outcome| census.add(outcome.messages));
    census
}

fn rounds(time: Option<Time>) -> u64 {
    match time {
        Some(Time::Rounds(rounds)) => rounds,
        other => panic!("{other:?} is not a number of rounds"),
    }
}

/// n; mean; variance; fewest messages and on how many rings; most messages and on how many rings,
/// where 0 rings stands for: not tabled.
type Row = (u32, Fraction, Fraction, (u64, u64), (u64, u64));

/// Exact values over all rings for `chang-roberts`.
const CHANG_ROBERTS: [Row; 10] = [
    (1, (1, 1), (0, 1), (1, 1), (1, 1)),
    (2, (3, 1), (0, 1), (3, 1), (3, 1)),
    (3, (11, 2), (1, 4), (5, 1), (6, 1)),
    (4, (25, 3), (8, 9), (7, 1), (10, 1)),
    (5, (137, 12), (287, 144), (9, 1), (15, 1)),
    (6, (147, 10), (361, 100), (11, 1), (21, 1)),
    (7, (363, 20), (20_779, 3600), (13, 1), (28, 1)),
    (8, (761, 35), (93_736, 11_025), (15, 1), (36, 1)),
    (9, (7129, 280), (926_539, 78_400), (17, 1), (45, 1)),
    (10, (7381, 252), (999_143, 63_504), (19, 1), (55, 1)),
];

/// Exact values over all rings for `hirschberg-sinclair`.
const HIRSCHBERG_SINCLAIR: [Row; 10] = [
    (1, (2, 1), (0, 1), (2, 1), (2, 1)),
    (2, (10, 1), (0, 1), (10, 1), (10, 1)),
    (3, (23, 1), (0, 1), (23, 2), (23, 2)),
    (4, (88, 3), (32, 9), (28, 4), (32, 2)),
    (5, (158, 3), (65, 9), (49, 8), (55, 12)),
    (6, (306, 5), (464, 25), (54, 16), (68, 24)),
    (7, (1051, 15), (5549, 225), (59, 32), (78, 80)),
    (8, (8408, 105), (422_596, 11_025), (64, 64), (89, 720)),
    (9, (4273, 35), (53_611, 1225), (101, 128), (134, 2016)),
    (10, (8392, 63), (1_365_352, 19_845), (106, 256), (152, 10_080)),
];

/// Exact values over all rings for `k-neighbour`.
const K_NEIGHBOUR: [Row; 9] = [
    (2, (6, 1), (0, 1), (6, 1), (6, 1)),
    (3, (19, 1), (0, 1), (19, 2), (19, 2)),
    (4, (112, 3), (8, 9), (36, 2), (38, 4)),
    (5, (131, 3), (8, 9), (43, 16), (45, 8)),
    (6, (356, 5), (512, 75), (68, 16), (76, 24)),
    (7, (1196, 15), (4414, 225), (75, 192), (86, 160)),
    (8, (9388, 105), (525_776, 11_025), (80, 192), (104, 320)),
    (9, (13_907, 140), (3_763_433, 58_800), (87, 3072), (112, 2240)),
    (10, (18_443, 126), (1_466_321, 15_876), (128, 3072), (164, 10_752)),
];

/// Exact values over all rings for `radius-growth`.
const RADIUS_GROWTH: [Row; 10] = [
    (1, (2, 1), (0, 1), (2, 1), (2, 1)),
    (2, (12, 1), (0, 1), (12, 1), (12, 1)),
    (3, (26, 1), (0, 1), (26, 2), (26, 2)),
    (4, (104, 3), (128, 9), (32, 4), (40, 2)),
    (5, (178, 3), (128, 9), (54, 8), (62, 16)),
    (6, (356, 5), (4352, 75), (60, 16), (84, 24)),
    (7, (1246, 15), (17_024, 225), (66, 32), (98, 80)),
    (8, (1424, 15), (122_368, 1575), (72, 64), (112, 80)),
    (9, (694, 5), (14_848, 175), (110, 128), (158, 2016)),
    (10, (1388, 9), (553_984, 2835), (116, 256), (188, 17_920)),
];

/// Exact values over all rings for `variable-speeds`.
const VARIABLE_SPEEDS: [Row; 8] = [
    (1, (1, 1), (0, 1), (1, 0), (1, 0)),
    (2, (3, 1), (0, 1), (3, 0), (3, 0)),
    (3, (5, 1), (0, 1), (5, 0), (5, 0)),
    (4, (22, 3), (2, 9), (7, 0), (8, 0)),
    (5, (19, 2), (1, 4), (9, 0), (10, 0)),
    (6, (119, 10), (59, 100), (11, 0), (13, 0)),
    (7, (71, 5), (52, 75), (13, 0), (16, 0)),
    (8, (116, 7), (155, 147), (15, 0), (19, 0)),
];

/// Exact values over all rings for `variable-speeds-listing`.
const VARIABLE_SPEEDS_LISTING: [Row; 8] = [
    (1, (1, 1), (0, 1), (1, 0), (1, 0)),
    (2, (3, 1), (0, 1), (3, 0), (3, 0)),
    (3, (11, 2), (1, 4), (5, 0), (6, 0)),
    (4, (8, 1), (1, 3), (7, 0), (9, 0)),
    (5, (43, 4), (29, 48), (9, 0), (12, 0)),
    (6, (67, 5), (37, 50), (11, 0), (15, 0)),
    (7, (487, 30), (1091, 900), (13, 0), (19, 0)),
    (8, (19, 1), (61, 42), (15, 0), (22, 0)),
];

/// Exact values over all rings for `dolev-klawe-rodeh-b`.
const DOLEV_KLAWE_RODEH_B: [Row; 10] = [
    (1, (1, 1), (0, 1), (1, 1), (1, 1)),
    (2, (4, 1), (0, 1), (4, 1), (4, 1)),
    (3, (13, 2), (1, 4), (6, 1), (7, 1)),
    (4, (31, 3), (35, 9), (8, 1), (13, 2)),
    (5, (89, 6), (215, 36), (10, 1), (17, 8)),
    (6, (289, 15), (2173, 450), (12, 1), (21, 30)),
    (7, (703, 30), (2801, 900), (14, 1), (26, 20)),
    (8, (250, 9), (17_806, 2835), (16, 1), (38, 40)),
    (9, (2047, 63), (576_227, 39_690), (18, 1), (43, 390)),
    // By this program's own enumeration, as the last two rows below.
    (10, (15_779, 420), (40_442_491, 1_587_600), (20, 1), (48, 3062)),
];

/// Exact values over all rings for `higham-przytycka`.
const HIGHAM_PRZYTYCKA: [Row; 10] = [
    (1, (1, 1), (0, 1), (1, 1), (1, 1)),
    (2, (4, 1), (0, 1), (4, 1), (4, 1)),
    (3, (7, 1), (1, 1), (6, 1), (8, 1)),
    (4, (31, 3), (11, 9), (8, 1), (11, 4)),
    (5, (337, 24), (1751, 576), (10, 1), (18, 3)),
    (6, (517, 24), (3307, 2880), (12, 1), (22, 82)),
    (7, (6007, 240), (56_191, 57_600), (14, 1), (26, 246)),
    (8, (28_879, 1008), (8_431_819, 5_080_320), (16, 1), (34, 48)),
    (9, (264_673, 8064), (356_865_983, 65_028_096), (18, 1), (39, 2089)),
    (10, (4_499_393, 120_960), (146_479_901_951, 14_631_321_600), (20, 1), (44, 7415)),
];

/// Goes through all rings of a table for an algorithm that needs `lap(n)` messages more.
fn agrees(name: &str, table: &[Row], lap: fn(u32) -> u64) {
    let extreme = |found: (u64, u64), tabled: (u64, u64), lap: u64| {
        found.0 == tabled.0 + lap && (tabled.1 == 0 || found.1 == tabled.1)
    };
    for &(n, (sum, count), variance, min, max) in table.iter().filter(|row| row.0 <= LARGEST) {
        let census = census(find(name), n);
        let lap = lap(n);
        let mean = (sum + u128::from(lap) * count, count);
        assert_eq!(census.sum(0), (1..u128::from(n)).product(), "{name}, n = {n}");
        assert!(equal(census.mean(), mean), "{name}, n = {n}: mean {:?}", census.mean());
        let found = census.variance();
        assert!(equal(found, variance), "{name}, n = {n}: variance {found:?}");
        assert!(extreme(census.min(), min, lap), "{name}, n = {n}: min {:?}", census.min());
        assert!(extreme(census.max(), max, lap), "{name}, n = {n}: max {:?}", census.max());
    }
}

#[test]
fn chang_roberts_and_its_relatives_have_the_exact_values() {
    for name in ["chang-roberts", "clockwise", "clockwise-join"] {
        agrees(name, &CHANG_ROBERTS, |_| 0);
        agrees(&format!("{name}+announce"), &CHANG_ROBERTS, u64::from);
    }
}

#[test]
fn probing_algorithms_have_the_exact_values() {
    for (name, table) in [
        ("hirschberg-sinclair", HIRSCHBERG_SINCLAIR.as_slice()),
        ("k-neighbour", K_NEIGHBOUR.as_slice()),
        ("radius-growth", RADIUS_GROWTH.as_slice()),
    ] {
        agrees(name, table, |_| 0);
        agrees(&format!("{name}+announce"), table, u64::from);
    }
}

#[test]
fn promotion_by_distance_has_the_exact_values() {
    for (name, table) in [
        ("dolev-klawe-rodeh-b", DOLEV_KLAWE_RODEH_B.as_slice()),
        ("higham-przytycka", HIGHAM_PRZYTYCKA.as_slice()),
    ] {
        agrees(name, table, |_| 0);
        agrees(&format!("{name}+announce"), table, u64::from);
    }
}

#[test]
fn variable_speeds_have_the_exact_values() {
    agrees("variable-speeds", &VARIABLE_SPEEDS, |_| 0);
    agrees("variable-speeds-listing", &VARIABLE_SPEEDS_LISTING, |_| 0);
}

#[test]
fn chang_roberts_has_the_exact_distribution() {
    // The first number of messages, and the numbers of rings from there on.
    let tabled: [(u32, u64, &[u64]); 4] = [
        (4, 7, &[1, 3, 1, 1]),
        (5, 9, &[1, 6, 7, 5, 3, 1, 1]),
        (6, 11, &[1, 10, 25, 25, 26, 11, 12, 5, 3, 1, 1]),
        (
            8,
            15,
            &[
                1, 21, 140, 385, 616, 784, 694, 687, 478, 411, 255, 222, 127, 91, 50, 39, 17, 12,
                5, 3, 1, 1,
            ],
        ),
    ];
    for (n, first, rings) in tabled {
        let expected: BTreeMap<u64, u64> = (first..).zip(rings.iter().copied()).collect();
        assert_eq!(census(find("chang-roberts"), n).counts, expected, "n = {n}");
    }
}

/// n; the number of rings with 2, 3 and 4 rounds; E[R]; Var R; mean, smallest and largest end, where
/// the largest end 0 stands for: not tabled.
type RoundsRow = (u32, [u64; 3], Fraction, Fraction, (Fraction, u64, u64));

/// Exact values over all rings for `peterson`.
const PETERSON: [RoundsRow; 9] = [
    (2, [1, 0, 0], (2, 1), (0, 1), ((6, 1), 6, 6)),
    (3, [2, 0, 0], (2, 1), (0, 1), ((8, 1), 8, 8)),
    (4, [4, 2, 0], (7, 3), (2, 9), ((34, 3), 10, 14)),
    (5, [8, 16, 0], (8, 3), (2, 9), ((46, 3), 12, 17)),
    (6, [16, 104, 0], (43, 15), (26, 225), ((284, 15), 14, 20)),
    (7, [32, 688, 0], (133, 45), (86, 2025), ((982, 45), 16, 23)),
    (8, [64, 4896, 80], (946, 315), (2834, 99_225), ((7664, 315), 18, 30)),
    (9, [128, 37_792, 2400], (3851, 1260), (94_499, 1_587_600), ((0, 1), 20, 0)),
    (10, [256, 315_328, 47_296], (169, 54), (11_659, 102_060), ((0, 1), 22, 0)),
];

#[test]
fn peterson_has_the_exact_rounds_kinds_and_times() {
    for (n, rings, mean, variance, (mean_end, first_end, last_end)) in PETERSON {
        if n > LARGEST {
            continue;
        }
        let wide = u64::from(n);
        let (mut rounds_census, mut messages, mut ends) = <(Census, Census, Census)>::default();
        every_outcome(find("peterson"), n, |outcome| {
            let r = outcome.rounds.expect("Peterson's algorithm counts rounds");
            assert_eq!(outcome.kinds[..3], [wide * r, wide * (r - 1), wide]);
            rounds_census.add(r);
            messages.add(outcome.messages);
            ends.add(rounds(outcome.end));
        });
        let found = [2, 3, 4].map(|r| rounds_census.counts.get(&r).copied().unwrap_or(0));
        assert_eq!(found, rings, "n = {n}");
        assert_eq!(rings.iter().sum::<u64>(), (1..wide).product::<u64>(), "n = {n}");
        assert!(equal(rounds_census.mean(), mean), "n = {n}");
        assert!(equal(rounds_census.variance(), variance), "n = {n}");
        let two_n = 2 * u128::from(n);
        assert!(equal(messages.mean(), (two_n * mean.0, mean.1)), "n = {n}");
        assert!(equal(messages.variance(), (two_n * two_n * variance.0, variance.1)), "n = {n}");
        assert_eq!(ends.min().0, first_end, "n = {n}");
        if last_end > 0 {
            assert_eq!(ends.max().0, last_end, "n = {n}");
            assert!(equal(ends.mean(), mean_end), "n = {n}");
        }
        assert!(ends.max().0 <= 4 * wide - 2, "n = {n}");
    }
}

#[test]
fn franklin_has_the_rounds_of_peterson_and_its_own_times() {
    // Smallest, largest and mean time of election for n = 1, 2, …
    let times = [
        (1, 1, (1, 1)),
        (3, 3, (3, 1)),
        (4, 4, (4, 1)),
        (5, 7, (17, 3)),
        (6, 9, (8, 1)),
        (7, 11, (148, 15)),
        (8, 13, (518, 45)),
        (9, 15, (4013, 315)),
    ];
    for (n, (first, last, mean)) in (1..).zip(times) {
        let (mut by_rounds, mut elected) = <(Census, Census)>::default();
        every_outcome(find("franklin"), n, |outcome| {
            let r = outcome.rounds.expect("Franklin's algorithm counts rounds");
            assert_eq!(outcome.messages, 2 * u64::from(n) * r);
            by_rounds.add(r);
            elected.add(rounds(outcome.time));
            assert_eq!(outcome.end, outcome.time);
        });
        assert_eq!((elected.min().0, elected.max().0), (first, last), "n = {n}");
        assert!(equal(elected.mean(), mean), "n = {n}");
        if let Some((_, rings, ..)) = PETERSON.iter().find(|row| row.0 == n) {
            let found = [2, 3, 4].map(|r| by_rounds.counts.get(&r).copied().unwrap_or(0));
            assert_eq!(found, *rings, "n = {n}");
        }
    }
}

#[test]
fn alternating_rounds_are_the_exact_ones() {
    // The number of rings with 2, 3, … rounds for n = 2, 3, …
    let tabled: [&[u64]; 9] = [
        &[1],
        &[1, 1],
        &[1, 5],
        &[1, 20, 3],
        &[1, 81, 38],
        &[1, 353, 366],
        &[1, 1670, 3324, 45],
        &[1, 8535, 30_371, 1413],
        &[1, 46_813, 286_802, 29_264],
    ];
    for (n, rings) in (2..=LARGEST).zip(tabled) {
        let mut by_rounds = Census::default();
        every_outcome(find("peterson-alternating"), n, |outcome| {
            let r = outcome.rounds.expect("this algorithm counts rounds");
            assert_eq!(outcome.messages, u64::from(n) * r);
            by_rounds.add(r);
        });
        let expected: BTreeMap<u64, u64> = (2..).zip(rings.iter().copied()).collect();
        assert_eq!(by_rounds.counts, expected, "n = {n}");
    }
}

#[test]
fn elections_take_the_exact_times() {
    for n in 1..=LARGEST {
        let wide = u64::from(n);
        let probing = 2 * ((1 << ceil_log2(wide)) - 1) + wide;
        for (name, time, end) in [
            ("lelann", wide, Some(wide)),
            ("chang-roberts", wide, Some(wide)),
            ("chang-roberts+announce", wide, Some(2 * wide)),
            ("clockwise", wide, Some(wide)),
            ("clockwise+announce", wide, Some(2 * wide)),
            ("clockwise-join", wide, Some(wide)),
            ("clockwise-join+announce", wide, Some(2 * wide)),
            ("hirschberg-sinclair", probing, None),
            ("hirschberg-sinclair+announce", probing, Some(probing + wide)),
            ("radius-growth", probing, None),
            ("radius-growth+announce", probing, Some(probing + wide)),
            ("bidirectional-chang-roberts", wide, Some(wide)),
            ("time-slice", 0, Some(wide)),
            ("variable-speeds", wide, Some(wide)),
            ("variable-speeds-listing", wide, None),
        ] {
            every_outcome(find(name), n, |outcome| {
                assert_eq!(rounds(outcome.time), time, "{name}, n = {n}");
                assert!(end.is_none_or(|end| rounds(outcome.end) == end), "{name}, n = {n}");
            });
        }
    }
}

#[test]
fn held_messages_are_silent_when_the_table_says() {
    for (n, last) in (1..=8).zip([1, 2, 3, 5, 9, 17, 33, 65]) {
        let mut latest = 0;
        every_outcome(find("variable-speeds-listing"), n, |outcome| {
            latest = latest.max(rounds(outcome.end));
        });
        assert_eq!(latest, last, "n = {n}");
    }
}

#[test]
fn constant_algorithms_are_constant() {
    for n in 1..=7 {
        let wide = u64::from(n);
        for (name, messages) in [("lelann", wide * wide), ("time-slice", wide), ("anonymous", wide)]
        {
            let counts = census(find(name), n).counts;
            assert_eq!(counts.into_keys().collect::<Vec<_>>(), [messages], "{name}, n = {n}");
        }
    }
}

/// Whether a fact that claims to be exact agrees with the fraction.
fn is_exactly(fact: &Fact, (numerator, denominator): Fraction) -> bool {
    match fact.value {
        Value::Whole(value) => value * denominator == numerator,
        Value::Real(value) => {
            let exact = numerator as f64 / denominator as f64;
            (value - exact).abs() <= 1e-12 * exact.max(1.0)
        }
    }
}

/// Every fact about a case must hold for its census.
fn facts_hold(entry: &Entry, case: Case, census: &Census) {
    let (min, max) = (census.min().0, census.max().0);
    let facts = (entry.facts)(&case);
    for (what, fact) in facts.named() {
        let Some(fact) = fact else { continue };
        let enumerated = match what {
            "best" => (u128::from(min), 1),
            "mean" => census.mean(),
            "worst" => (u128::from(max), 1),
            _ => census.variance(),
        };
        let holds = match fact.certainty {
            Certainty::Proved | Certainty::Enumerated => is_exactly(fact, enumerated),
            Certainty::Bound if what == "best" => fact.value.as_f64() <= min as f64,
            Certainty::Bound => what == "worst" && fact.value.as_f64() >= max as f64,
            Certainty::Numerical | Certainty::Measured => true,
        };
        assert!(holds, "{}, {case:?}: {what} is {enumerated:?}, not {fact:?}", entry.name);
    }
}

#[test]
fn facts_agree_with_all_rings() {
    for entry in on_rings().filter(|entry| !entry.model.flips_coins) {
        for n in 1..=LARGEST {
            facts_hold(entry, Case::all(u64::from(n)), &census(entry, n));
        }
    }
}

#[test]
fn facts_agree_with_all_sets_of_initiators() {
    let fixed = |model: &Model| !model.needs_all && !model.flips_coins;
    for entry in on_rings().filter(|entry| fixed(&entry.model)) {
        let mut simulator = (entry.simulator)();
        for n in 1..=5 {
            let mut by_size: BTreeMap<u32, Census> = BTreeMap::new();
            for set in 1u32..1 << n {
                let starts = starts_of(set);
                let census = by_size.entry(set.count_ones()).or_default();
                every_order(n, |ranks| {
                    let ids = dense(entry, ranks);
                    census.add(elect(simulator.as_mut(), &ids, &starts, None).messages);
                });
            }
            for (k, census) in by_size {
                let case = Case::ring(u64::from(n), Some(u64::from(k)));
                facts_hold(entry, case, &census);
            }
        }
    }
}

#[test]
fn chang_roberts_has_the_same_mean_for_every_set_of_initiators() {
    let entry = find("chang-roberts");
    let mut simulator = (entry.simulator)();
    for n in 1..=5u32 {
        for set in 1u32..1 << n {
            let starts = starts_of(set);
            let mut census = Census::default();
            every_order(n, |ranks| {
                let ids = dense(entry, ranks);
                census.add(elect(simulator.as_mut(), &ids, &starts, None).messages);
            });
            // n H_k over the denominator 60, which all k up to 5 divide.
            let sixtieths: u128 = (1..=u128::from(set.count_ones())).map(|j| 60 / j).sum();
            assert!(equal(census.mean(), (u128::from(n) * sixtieths, 60)), "{n}, {set:b}");
        }
    }
}

/// The clockwise distance from `from` to the first node that satisfies `found`; n if there is none
/// but itself.
fn distance(n: usize, from: usize, found: impl Fn(usize) -> bool) -> u64 {
    (1..n).find(|step| found((from + step) % n)).unwrap_or(n) as u64
}

/// Σ over the initiators of the distance to the next larger initiator.
fn chang_roberts_count(ids: &[Id], set: u32) -> u64 {
    let initiator = |node: usize| set >> node & 1 == 1;
    let travels = |from| distance(ids.len(), from, |to| initiator(to) && ids[to] > ids[from]);
    (0..ids.len()).filter(|&node| initiator(node)).map(travels).sum()
}

/// Σ over all who send their own ID of the distance to the next larger ID. Who did not start sends
/// iff its ID is larger than all since the last initiator, that one included.
fn clockwise_join_count(ids: &[Id], set: u32) -> u64 {
    let n = ids.len();
    let initiator = |node: usize| set >> node & 1 == 1;
    let sends = |node: usize| {
        let back = (0..n).find(|back| initiator((node + n - back) % n)).unwrap();
        (1..=back).all(|back| ids[(node + n - back) % n] < ids[node])
    };
    let travels = |from: usize| distance(n, from, |to| ids[to] > ids[from]);
    (0..n).filter(|&node| sends(node)).map(travels).sum()
}

/// 2n in every round; the local maxima among the initiators' IDs enter the next one.
fn peterson_count(ids: &[Id], set: u32) -> u64 {
    let mut alive: Vec<Id> =
        (0..ids.len()).filter(|node| set >> node & 1 == 1).map(|node| ids[node]).collect();
    let mut rounds = 1;
    while alive.len() > 1 {
        let k = alive.len();
        let survives =
            |i: &usize| alive[*i] > alive[(i + 1) % k] && alive[*i] > alive[(i + k - 1) % k];
        alive = (0..k).filter(survives).map(|i| alive[i]).collect();
        rounds += 1;
    }
    2 * ids.len() as u64 * rounds
}

/// n in every round; an odd one keeps the IDs larger than that behind, an even one those larger than
/// that ahead.
fn alternating_count(ids: &[Id], set: u32) -> u64 {
    let mut alive: Vec<Id> =
        (0..ids.len()).filter(|node| set >> node & 1 == 1).map(|node| ids[node]).collect();
    let mut rounds = 1;
    while alive.len() > 1 {
        let k = alive.len();
        let other = |i: usize| alive[(if rounds % 2 == 1 { i + k - 1 } else { i + 1 }) % k];
        alive = (0..k).filter(|&i| alive[i] > other(i)).map(|i| alive[i]).collect();
        rounds += 1;
    }
    ids.len() as u64 * rounds
}

/// What an algorithm must cost with these initiators under every schedule, or under those without
/// overtaking if `fifo`; `None` where the count may depend on the schedule.
fn expected_count(name: &str, ids: &[Id], set: u32, fifo: bool, all_start: u64) -> Option<u64> {
    let n = ids.len() as u64;
    let (base, lap) = match name.strip_suffix("+announce") {
        Some(base) => (base, n),
        None => (name, 0),
    };
    match base {
        "lelann" => Some(u64::from(set.count_ones()) * n),
        "chang-roberts" => Some(chang_roberts_count(ids, set) + lap),
        "ring-extinction" | "clockwise" if fifo => Some(chang_roberts_count(ids, set) + lap),
        "clockwise-join" if fifo => Some(clockwise_join_count(ids, set) + lap),
        "hirschberg-sinclair" | "k-neighbour" | "higham-przytycka" => Some(all_start),
        "content-oblivious" => Some(n * (2 * n + 1)),
        "peterson" => Some(peterson_count(ids, set)),
        "franklin" => Some(peterson_count(ids, set) + lap),
        "peterson-alternating" => Some(alternating_count(ids, set) + lap),
        _ => None,
    }
}

/// Goes through every ring up to n = 5 with every set of initiators, for every algorithm that
/// allows any: the algorithm, its simulator, the IDs, the set, and the messages if all start.
fn every_initiator_set(mut visit: impl FnMut(&Entry, &mut dyn Simulator, &[Id], u32, u64)) {
    for entry in on_rings().filter(|entry| !entry.model.needs_all) {
        let mut simulator = (entry.simulator)();
        for n in 1..=5 {
            every_order(n, |ranks| {
                let ids = dense(entry, ranks);
                let all_start = elect_all(simulator.as_mut(), &ids).messages;
                for set in 1u32..1 << n {
                    visit(entry, simulator.as_mut(), &ids, set, all_start);
                }
            });
        }
    }
}

/// 1·1 + 2·3 + 6·7 + 24·15 + 120·31: the rings up to n = 5 with their sets of initiators.
const INITIATOR_CASES: u64 = 4129;

#[test]
fn every_set_of_initiators_elects_by_the_rule_in_rounds() {
    let mut checked: BTreeMap<String, u64> = BTreeMap::new();
    every_initiator_set(|entry, simulator, ids, set, all_start| {
        let outcome = elect(simulator, ids, &starts_of(set), None);
        if let Some(expected) = expected_count(&entry.name, ids, set, true, all_start) {
            assert_eq!(outcome.messages, expected, "{}: {ids:?}, {set:b}", entry.name);
            *checked.entry(entry.name.clone()).or_default() += 1;
        }
    });
    // All but radius growth and Dolev-Klawe-Rodeh's, with and without announcement, the two variable
    // speeds, and who flips coins.
    assert_eq!(checked.len(), 21);
    assert!(checked.values().all(|&cases| cases == INITIATOR_CASES), "{checked:?}");
}

#[test]
fn every_set_of_initiators_elects_by_the_rule_under_every_timing() {
    const DELAYS: [Delay; 4] = [
        Delay::Uniform(0.0, 1.0),
        Delay::Uniform(0.0, 100.0),
        Delay::Exponential(1.0),
        Delay::Lifo,
    ];
    let mut run = 0;
    every_initiator_set(|entry, simulator, ids, set, all_start| {
        if entry.synchronous {
            return;
        }
        run += 1;
        for delay in DELAYS {
            for fifo in [true, false] {
                if entry.model.needs_fifo && !fifo {
                    continue;
                }
                let network = network(delay, fifo, run);
                let outcome = elect(simulator, ids, &starts_of(set), Some(&network));
                if let Some(expected) = expected_count(&entry.name, ids, set, fifo, all_start) {
                    let name = &entry.name;
                    assert_eq!(outcome.messages, expected, "{name}: {ids:?}, {set:b}, {network:?}");
                }
            }
        }
    });
    assert_eq!(run, 30 * INITIATOR_CASES);
}

/// Calls `visit` with every way to wake n nodes at the times 0..=n or never, somebody at least.
fn every_wake_up(n: u32, mut visit: impl FnMut(&Starts)) {
    let choices = n + 2;
    for code in 0..choices.pow(n) {
        let choice = |node: u32| code / choices.pow(node) % choices;
        let mut starts: Vec<(u64, u32)> = (0..n)
            .map(|node| (u64::from(choice(node)), node))
            .filter(|&(time, _)| time <= u64::from(n))
            .collect();
        if !starts.is_empty() {
            starts.sort_unstable();
            visit(&Starts::At(starts));
        }
    }
}

#[test]
fn variable_speeds_have_the_exact_maxima_over_all_wake_up_patterns() {
    for (name, maxima) in
        [("variable-speeds", [3, 5, 8, 11]), ("variable-speeds-listing", [3, 6, 9, 12])]
    {
        let entry = find(name);
        let mut simulator = (entry.simulator)();
        for (n, expected) in (2..=5).zip(maxima) {
            let mut rings = Vec::new();
            every_ring(n, |ranks| rings.push(dense(entry, ranks)));
            let mut most = 0;
            every_wake_up(n, |starts| {
                for ids in &rings {
                    let outcome = elect(simulator.as_mut(), ids, starts, None);
                    // Wake-up messages: exactly one over every link.
                    assert_eq!(outcome.kinds[0], u64::from(n), "{name}: {ids:?}, {starts:?}");
                    most = most.max(outcome.messages);
                }
            });
            assert_eq!(most, expected, "{name}, n = {n}");
        }
    }
}

#[test]
fn a_single_starter_of_variable_speeds_needs_n_messages() {
    for name in ["variable-speeds", "variable-speeds-listing"] {
        let entry = find(name);
        let mut simulator = (entry.simulator)();
        for n in 1..=6 {
            every_ring(n, |ranks| {
                let ids = dense(entry, ranks);
                for node in 0..n {
                    let starts = Starts::At(vec![(3, node)]);
                    let outcome = elect(simulator.as_mut(), &ids, &starts, None);
                    assert_eq!(outcome.leader, Some(ids[node as usize]));
                    assert_eq!(outcome.messages, u64::from(n));
                    assert_eq!(rounds(outcome.time), 3 + u64::from(n));
                }
            });
        }
    }
}
