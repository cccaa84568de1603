//! The sampled and the exact distributions are one: of Chang-Roberts, and of Peterson's rounds.

use hustings::algorithm::Algorithm;
use hustings::algorithm::count::{Ids, Ranked, Scratch};
use hustings::algorithm::ring::ChangRoberts;
use hustings::model::election::Starts;
use hustings::statistics::moments::Moments;
use hustings::statistics::quantiles::{Counted, quantile_interval};
use hustings::statistics::significance::{ChiSquare, goodness_of_fit};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::common::{find, random_ranks, words};

/// Messages of one election on a random ring: how far every ID travels until a larger one.
fn messages(ring: &mut [u32], random: &mut ChaCha8Rng) -> u64 {
    let n = ring.len();
    for place in (1..n).rev() {
        ring.swap(place, (random.next_u64() % (place as u64 + 1)) as usize);
    }
    let travels = |start: usize| {
        (1..n).find(|step| ring[(start + step) % n] > ring[start]).unwrap_or(n) as u64
    };
    (0..n).map(travels).sum()
}

fn sample(n: u32, runs: u32) -> Counted {
    let mut random = ChaCha8Rng::seed_from_u64(100);
    let mut ring: Vec<u32> = (0..n).collect();
    (0..runs).map(|_| messages(&mut ring, &mut random)).collect()
}

fn test_against_a_hundred(sample: &Counted, runs: u32) -> ChiSquare {
    let law = ChangRoberts::LAW.and_then(|law| law.distribution(100)).unwrap();
    let observed: Vec<u64> = law.support().map(|value| sample.occurrences(value)).collect();
    let expected: Vec<f64> = law.iter().map(|(_, p)| p * f64::from(runs)).collect();
    goodness_of_fit(&observed, &expected).unwrap()
}

#[test]
fn a_sample_of_a_hundred_passes_and_one_of_a_hundred_and_one_fails() {
    let runs = 100_000;
    let same = sample(100, runs);
    let test = test_against_a_hundred(&same, runs);
    assert!(test.p_value > 0.001, "{test:?}");
    let other = test_against_a_hundred(&sample(101, runs), runs);
    assert!(other.p_value < 1e-9, "{other:?}");

    let law = ChangRoberts::LAW.and_then(|law| law.distribution(100)).unwrap();
    let mut moments = Moments::new();
    let values = same.iter().flat_map(|(value, count)| (0..count).map(move |_| value));
    values.zip(0..).for_each(|(value, run)| moments.push(run, value));
    let z = (moments.mean().unwrap() - law.mean()) / moments.standard_error().unwrap();
    assert!(z.abs() < 4.0, "{z}");
    for p in [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] {
        let (low, high) = quantile_interval(&same, p, 0.9999).unwrap();
        let exact = law.quantile(p).unwrap();
        assert!(low <= exact && exact <= high, "{p}: {low} {exact} {high}");
    }
}

/// The messages of so many elections, counted on random rings of n.
fn counted(algorithm: &str, n: u32, runs: u64) -> Counted {
    let counter = find(algorithm).counter.expect("it is counted");
    let mut scratch = Scratch::default();
    let messages = |run| {
        let ranks = random_ranks(n, &mut words(algorithm, run));
        let ring = Ranked { ranks: &ranks, ids: Ids::Dense(1), starts: &Starts::All };
        (counter.count)(&ring, &mut scratch).expect("all start").messages()
    };
    (0..runs).map(messages).collect()
}

/// Rounds 1 to 15 of the sample against the law of a ring of `n`.
fn test_rounds(
    algorithm: &str,
    sample: &Counted,
    (per_round, runs): (u64, u64),
    n: u64,
) -> ChiSquare {
    let law = find(algorithm).law.and_then(|law| law.distribution(n)).expect("known");
    let rounds = 1..=15;
    let observed: Vec<u64> =
        rounds.clone().map(|round| sample.occurrences(round * per_round)).collect();
    assert_eq!(observed.iter().sum::<u64>(), runs, "whole rounds");
    // A ring of another size has other messages in a round; what is compared is the rounds.
    let per_round = per_round / 1000 * n;
    let expected: Vec<f64> = rounds.map(|round| law.pmf(round * per_round) * runs as f64).collect();
    goodness_of_fit(&observed, &expected).expect("a test")
}

/// The seeds are fixed; another one would fail with probability 0.001 for each algorithm.
#[test]
fn rounds_on_a_thousand_nodes_follow_the_exact_law_and_not_that_of_1050() {
    let cases =
        [("peterson", 2, 100_000), ("franklin", 2, 10_000), ("peterson-alternating", 1, 20_000)];
    for (algorithm, per_node, runs) in cases {
        let sample = counted(algorithm, 1000, runs);
        let of = (1000 * per_node, runs);
        let same = test_rounds(algorithm, &sample, of, 1000);
        assert!(same.p_value > 0.001, "{algorithm}: {same:?}");
        let other = test_rounds(algorithm, &sample, of, 1050);
        assert!(other.p_value < 1e-9, "{algorithm}: {other:?}");
    }
}
