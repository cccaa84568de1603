//! `exact` finds the tabled values: fractions, extremes, distributions, sets of initiators.

use hustings::engine::enumerate::{Census, Fraction};
use hustings::experiment::cell::Setting;
use hustings::experiment::census::census;
use hustings::model::election::Starts;
use hustings::model::stop::NEVER;

use crate::common::{elect, find, on_rings};

/// The largest ring of the tables that is gone through.
const LARGEST: u64 = if cfg!(debug_assertions) { 9 } else { 10 };

fn all_rings(algorithm: &str, n: u64, initiators: &str) -> Census {
    let initiators = initiators.parse().expect("good initiators");
    let cell = crate::common::cell(algorithm, Setting { initiators, ..Setting::of(n) });
    let census = census(&cell, &NEVER, &|_| ()).expect("elections without violations");
    assert_eq!(census.messages.total(), census.rings, "{algorithm}, n = {n}");
    census
}

fn fraction(numerator: u128, denominator: u128) -> Fraction {
    Fraction::new(numerator, denominator).expect("a denominator above 0")
}

/// n; mean; variance; fewest messages and on how many rings; most messages and on how many rings
/// (0 rings: not tabled).
type Row = (u64, &'static str, &'static str, (u64, u64), (u64, u64));

const CHANG_ROBERTS: [Row; 10] = [
    (1, "1", "0", (1, 1), (1, 1)),
    (2, "3", "0", (3, 1), (3, 1)),
    (3, "11/2", "1/4", (5, 1), (6, 1)),
    (4, "25/3", "8/9", (7, 1), (10, 1)),
    (5, "137/12", "287/144", (9, 1), (15, 1)),
    (6, "147/10", "361/100", (11, 1), (21, 1)),
    (7, "363/20", "20779/3600", (13, 1), (28, 1)),
    (8, "761/35", "93736/11025", (15, 1), (36, 1)),
    (9, "7129/280", "926539/78400", (17, 1), (45, 1)),
    (10, "7381/252", "999143/63504", (19, 1), (55, 1)),
];

const CHANG_ROBERTS_ANNOUNCED_MEANS: [&str; 10] =
    ["2", "5", "17/2", "37/3", "197/12", "207/10", "503/20", "1041/35", "9649/280", "9901/252"];

const HIRSCHBERG_SINCLAIR: [Row; 9] = [
    (2, "10", "0", (10, 1), (10, 1)),
    (3, "23", "0", (23, 2), (23, 2)),
    (4, "88/3", "32/9", (28, 4), (32, 2)),
    (5, "158/3", "65/9", (49, 8), (55, 12)),
    (6, "306/5", "464/25", (54, 16), (68, 24)),
    (7, "1051/15", "5549/225", (59, 32), (78, 80)),
    (8, "8408/105", "422596/11025", (64, 64), (89, 720)),
    (9, "4273/35", "53611/1225", (101, 128), (134, 2016)),
    (10, "8392/63", "1365352/19845", (106, 256), (152, 10_080)),
];

const K_NEIGHBOUR: [Row; 9] = [
    (2, "6", "0", (6, 1), (6, 1)),
    (3, "19", "0", (19, 2), (19, 2)),
    (4, "112/3", "8/9", (36, 2), (38, 4)),
    (5, "131/3", "8/9", (43, 16), (45, 8)),
    (6, "356/5", "512/75", (68, 16), (76, 24)),
    (7, "1196/15", "4414/225", (75, 192), (86, 160)),
    (8, "9388/105", "525776/11025", (80, 192), (104, 320)),
    (9, "13907/140", "3763433/58800", (87, 3072), (112, 2240)),
    (10, "18443/126", "1466321/15876", (128, 3072), (164, 10_752)),
];

const RADIUS_GROWTH: [Row; 9] = [
    (2, "12", "0", (12, 1), (12, 1)),
    (3, "26", "0", (26, 2), (26, 2)),
    (4, "104/3", "128/9", (32, 4), (40, 2)),
    (5, "178/3", "128/9", (54, 8), (62, 16)),
    (6, "356/5", "4352/75", (60, 16), (84, 24)),
    (7, "1246/15", "17024/225", (66, 32), (98, 80)),
    (8, "1424/15", "122368/1575", (72, 64), (112, 80)),
    (9, "694/5", "14848/175", (110, 128), (158, 2016)),
    (10, "1388/9", "553984/2835", (116, 256), (188, 17_920)),
];

/// With 2n messages in each of R rounds, and the number of rings with R = 2, 3 and 4.
const PETERSON: [(u64, &str, &str, [u64; 3]); 9] = [
    (2, "8", "0", [1, 0, 0]),
    (3, "12", "0", [2, 0, 0]),
    (4, "56/3", "128/9", [4, 2, 0]),
    (5, "80/3", "200/9", [8, 16, 0]),
    (6, "172/5", "416/25", [16, 104, 0]),
    (7, "1862/45", "16856/2025", [32, 688, 0]),
    (8, "15136/315", "725504/99225", [64, 4896, 80]),
    (9, "3851/70", "94499/4900", [128, 37_792, 2400]),
    (10, "1690/27", "233180/5103", [256, 315_328, 47_296]),
];

const VARIABLE_SPEEDS: [Row; 8] = [
    (1, "1", "0", (1, 0), (1, 0)),
    (2, "3", "0", (3, 0), (3, 0)),
    (3, "5", "0", (5, 0), (5, 0)),
    (4, "22/3", "2/9", (7, 0), (8, 0)),
    (5, "19/2", "1/4", (9, 0), (10, 0)),
    (6, "119/10", "59/100", (11, 0), (13, 0)),
    (7, "71/5", "52/75", (13, 0), (16, 0)),
    (8, "116/7", "155/147", (15, 0), (19, 0)),
];

const VARIABLE_SPEEDS_LISTING: [Row; 8] = [
    (1, "1", "0", (1, 0), (1, 0)),
    (2, "3", "0", (3, 0), (3, 0)),
    (3, "11/2", "1/4", (5, 0), (6, 0)),
    (4, "8", "1/3", (7, 0), (9, 0)),
    (5, "43/4", "29/48", (9, 0), (12, 0)),
    (6, "67/5", "37/50", (11, 0), (15, 0)),
    (7, "487/30", "1091/900", (13, 0), (19, 0)),
    (8, "19", "61/42", (15, 0), (22, 0)),
];

fn agrees(name: &str, table: &[Row]) {
    for &(n, mean, variance, min, max) in table.iter().filter(|row| row.0 <= LARGEST) {
        let census = all_rings(name, n, "all");
        assert_eq!(census.rings, (1..n).product::<u64>(), "{name}, n = {n}");
        assert_eq!(census.mean.to_string(), mean, "{name}, n = {n}");
        assert_eq!(census.variance.to_string(), variance, "{name}, n = {n}");
        for (found, tabled) in [(&census.min, min), (&census.max, max)] {
            assert_eq!(found.messages, tabled.0, "{name}, n = {n}");
            assert!(tabled.1 == 0 || found.rings == tabled.1, "{name}, n = {n}: {found:?}");
            let top = if find(name).model.elects.smallest_wins() { 0 } else { n };
            assert_eq!((found.ring[0], found.ring.len()), (top, n as usize));
        }
    }
}

#[test]
fn chang_roberts_and_its_relatives_have_the_tabled_values() {
    for name in ["chang-roberts", "clockwise", "clockwise-join"] {
        agrees(name, &CHANG_ROBERTS);
        let announced = format!("{name}+announce");
        for (n, mean) in (1..=LARGEST).zip(CHANG_ROBERTS_ANNOUNCED_MEANS) {
            let census = all_rings(&announced, n, "all");
            let (_, _, variance, min, max) = CHANG_ROBERTS[n as usize - 1];
            assert_eq!(census.mean.to_string(), mean, "{announced}, n = {n}");
            assert_eq!(census.variance.to_string(), variance, "{announced}, n = {n}");
            let extremes = (census.min.messages, census.max.messages);
            assert_eq!(extremes, (min.0 + n, max.0 + n), "{announced}, n = {n}");
        }
    }
}

#[test]
fn probing_algorithms_have_the_tabled_values() {
    agrees("hirschberg-sinclair", &HIRSCHBERG_SINCLAIR);
    agrees("k-neighbour", &K_NEIGHBOUR);
    agrees("radius-growth", &RADIUS_GROWTH);
}

#[test]
fn variable_speeds_have_the_tabled_values() {
    agrees("variable-speeds", &VARIABLE_SPEEDS);
    agrees("variable-speeds-listing", &VARIABLE_SPEEDS_LISTING);
}

#[test]
fn peterson_has_the_tabled_values_and_rounds() {
    for &(n, mean, variance, rings) in PETERSON.iter().filter(|row| row.0 <= LARGEST) {
        let census = all_rings("peterson", n, "all");
        assert_eq!(census.mean.to_string(), mean, "n = {n}");
        assert_eq!(census.variance.to_string(), variance, "n = {n}");
        assert_eq!([2, 3, 4].map(|r| census.rounds.times(r)), rings, "n = {n}");
        assert_eq!([2, 3, 4].map(|r| census.messages.times(2 * n * r)), rings, "n = {n}");
        assert_eq!(census.min.rings, rings[0], "n = {n}");
    }
}

#[test]
fn constant_algorithms_are_constant() {
    for n in 1..=7 {
        for (name, messages) in [("lelann", n * n), ("time-slice", n), ("anonymous", n)] {
            let census = all_rings(name, n, "all");
            let distribution: Vec<_> = census.messages.iter().collect();
            assert_eq!(distribution, [(messages, census.rings)], "{name}, n = {n}");
            assert_eq!(census.variance.to_string(), "0");
        }
    }
}

#[test]
fn chang_roberts_has_the_tabled_distribution() {
    let tabled: [(u64, &[u64]); 4] = [
        (4, &[1, 3, 1, 1]),
        (5, &[1, 6, 7, 5, 3, 1, 1]),
        (6, &[1, 10, 25, 25, 26, 11, 12, 5, 3, 1, 1]),
        (
            8,
            &[
                1, 21, 140, 385, 616, 784, 694, 687, 478, 411, 255, 222, 127, 91, 50, 39, 17, 12,
                5, 3, 1, 1,
            ],
        ),
    ];
    for (n, rings) in tabled {
        let census = all_rings("chang-roberts", n, "all");
        let expected: Vec<(u64, u64)> = (2 * n - 1..).zip(rings.iter().copied()).collect();
        assert_eq!(census.messages.iter().collect::<Vec<_>>(), expected, "n = {n}");
    }
}

#[test]
fn the_first_best_and_worst_rings_are_shown() {
    let census = all_rings("chang-roberts", 6, "all");
    assert_eq!(census.min.ring, [6, 1, 2, 3, 4, 5]);
    assert_eq!(census.max.ring, [6, 5, 4, 3, 2, 1]);
    assert_eq!(census.max.initiators, None);
    let census = all_rings("variable-speeds", 5, "all");
    assert_eq!(census.min.ring[0], 0);
}

#[test]
fn a_simulation_of_the_shown_ring_takes_its_messages() {
    for entry in on_rings().filter(|entry| !entry.model.flips_coins) {
        let mut simulator = (entry.simulator)();
        for initiators in ["all", "count:2", "at:1,3"] {
            if initiators != "all" && entry.model.needs_all {
                continue;
            }
            let census = all_rings(&entry.name, 6, initiators);
            for extreme in [&census.min, &census.max] {
                let starts = match &extreme.initiators {
                    None => Starts::All,
                    Some(places) => Starts::At(places.iter().map(|&place| (0, place)).collect()),
                };
                let outcome = elect(simulator.as_mut(), &extreme.ring, &starts, None);
                assert_eq!(outcome.messages, extreme.messages, "{}, {extreme:?}", entry.name);
            }
        }
    }
}

#[test]
fn chang_roberts_with_k_starters_has_the_mean_n_h_k() {
    // Over the denominator 840, which all k up to 8 divide.
    let n_h = |n: u64, k: u64| fraction(u128::from((1..=k).map(|j| n * 840 / j).sum::<u64>()), 840);
    for n in 1..=6 {
        for k in 1..=n {
            let census = all_rings("chang-roberts", n, &format!("count:{k}"));
            assert_eq!(census.mean, n_h(n, k), "n = {n}, k = {k}");
            let extremes = (census.min.messages, census.max.messages);
            assert_eq!(extremes, (n + k - 1, k * n - k * (k - 1) / 2), "n = {n}, k = {k}");
        }
    }
    for (places, k) in [("at:0", 1), ("at:0,1", 2), ("at:0,3", 2), ("at:1,2,5", 3)] {
        let census = all_rings("chang-roberts", 6, places);
        assert_eq!((census.mean, census.rings), (n_h(6, k), 720), "{places}");
    }
}

#[test]
fn one_starter_of_clockwise_join_needs_three_halves_of_n() {
    for n in 1..=7 {
        let census = all_rings("clockwise-join", n, "one");
        assert_eq!(census.mean, fraction(u128::from(3 * n - 1), 2), "n = {n}");
        assert_eq!((census.min.messages, census.max.messages), (n, 2 * n - 1), "n = {n}");
        assert_eq!(census.rings, (1..=n).product::<u64>());
    }
}

#[test]
fn peterson_with_k_starters_has_the_rounds_of_k_nodes() {
    let n = 6;
    for k in 1..=n {
        let some = all_rings("peterson", n, &format!("count:{k}"));
        let alone = all_rings("peterson", k, "all");
        for (rounds, rings) in alone.rounds.iter() {
            let expected = fraction(rings.into(), alone.rings.into());
            let found = fraction(some.rounds.times(rounds).into(), some.rings.into());
            assert_eq!(found, expected, "k = {k}, {rounds} rounds");
            assert_eq!(some.messages.times(2 * n * rounds), some.rounds.times(rounds));
        }
    }
}

#[test]
fn late_starts_are_simulated() {
    // Position 0 wakes up long after the election that position 1 won.
    let late = all_rings("chang-roberts", 5, "at:0@1000,1");
    let alone = all_rings("chang-roberts", 5, "at:1");
    assert_eq!(late.messages, alone.messages);
}

#[test]
fn every_algorithm_has_a_census() {
    for entry in on_rings().filter(|entry| !entry.model.flips_coins) {
        assert_eq!(all_rings(&entry.name, 5, "all").rings, 24, "{}", entry.name);
        if !entry.model.needs_all {
            assert_eq!(all_rings(&entry.name, 4, "count:2").rings, 36, "{}", entry.name);
        }
    }
}
