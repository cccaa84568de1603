//! The runs that batches draw have the exact distribution of Chang-Roberts.

use hustings::algorithm::Algorithm;
use hustings::algorithm::count::Scratch;
use hustings::algorithm::ring::ChangRoberts;
use hustings::experiment::cell::Setting;
use hustings::statistics::significance::goodness_of_fit;

const RUNS: u64 = 100_000;

/// The p-value of a chi-square test of runs at n against the distribution at 100.
fn p_value(n: u64) -> f64 {
    let cell = crate::common::cell("chang-roberts", Setting::of(n));
    let mut runs = cell.prepare(1).unwrap();
    let mut scratch = Scratch::default();
    let law = ChangRoberts::LAW.and_then(|law| law.distribution(100)).unwrap();
    let fewest = *law.support().start();
    let mut observed = vec![0; law.iter().count()];
    for run in 0..RUNS {
        let (row, _) = runs.count(run, &mut scratch).unwrap();
        // Some rings of 101 need more messages than any of 100, but one would wait for ages for one.
        observed[(row.messages - fewest) as usize] += 1;
    }
    let expected: Vec<f64> = law.iter().map(|(_, p)| p * RUNS as f64).collect();
    goodness_of_fit(&observed, &expected).unwrap().p_value
}

/// A right sampler fails this with probability 0.001 over all seeds; the seed is fixed, so that it
/// either always does or never.
#[test]
fn a_sample_of_a_hundred_passes() {
    let p = p_value(100);
    assert!(p > 0.001, "p = {p}");
}

/// One node more shifts the mean by a tenth of the standard deviation: that cannot be missed.
#[test]
fn a_sample_of_a_hundred_and_one_fails() {
    let p = p_value(101);
    assert!(p < 1e-6, "p = {p}");
}
