//! The sampled and the exact distribution of Chang-Roberts are one.

use hustings::algorithm::Algorithm;
use hustings::algorithm::ring::ChangRoberts;
use hustings::statistics::moments::Moments;
use hustings::statistics::quantiles::{Counted, quantile_interval};
use hustings::statistics::significance::{ChiSquare, goodness_of_fit};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

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
