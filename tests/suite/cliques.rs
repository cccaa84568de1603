//! Elections on complete networks, one of which may fail.

use hustings::experiment::spec::Spec;
use hustings::experiment::timing::{Initiators, Timing};
use hustings::model::delay::Delay;
use hustings::model::outcome::Outcome;
use hustings::model::theory::Case;
use hustings::model::topology::{Shape, Topology};
use hustings::prelude::*;
use hustings::results::{Results, batch};
use hustings::statistics::moments::Moments;
use hustings::statistics::share;
use hustings::summarise::{MeanVerdict, Summary};

use crate::common::{REGISTRY, cell, find};

const NAME: &str = "sublinear-clique";

/// The mean number of messages that theory says.
fn theory(n: u64) -> f64 {
    let shape = Shape { edges: n * (n - 1) / 2, leaves: 0, diameter: Some(1) };
    let facts = (find(NAME).facts)(&Case { shape, ..Case::all(n) });
    facts.mean.expect("known").value.as_f64()
}

/// Holds so many elections on a complete network.
fn each(n: u64, count: u64, mut visit: impl FnMut(u64, &Outcome)) {
    let setting = Setting { topology: Topology::Complete, ..Setting::of(n) };
    let cell = cell(NAME, setting);
    let mut runs = cell.prepare(1).expect("small");
    let mut simulator = (find(NAME).simulator)();
    for run in 0..count {
        visit(run, &runs.simulate(run, simulator.as_mut()).expect("no fault"));
    }
}

/// More than 4.5 standard errors away with probability 7e-6 each, at a fixed seed: 0.0001 for all.
#[test]
fn measured_means_are_the_exact_ones() {
    // n, runs, and what another program has measured: ranks, answers.
    let others = [(256, 2_000, [838.0, 243.0]), (1024, 300, [2319.0, 914.0])];
    for (n, count, [ranks, answers]) in others {
        let (mut messages, mut of_kind) = (Moments::new(), [Moments::new(), Moments::new()]);
        each(n, count, |run, outcome| {
            messages.push(run, outcome.messages);
            let kinds = of_kind.iter_mut().zip(outcome.kinds);
            kinds.for_each(|(moments, count)| moments.push(run, count));
            assert!(outcome.kinds[1] < n && outcome.messages < n * 40);
        });
        let near = |moments: &Moments, expected: f64, more: f64| {
            let (mean, error) =
                moments.mean().zip(moments.standard_error()).expect("more runs than one");
            let limit = 4.5 * error + more * expected;
            assert!((mean - expected).abs() < limit, "n = {n}: {mean} ± {error}, not {expected}");
        };
        near(&messages, theory(n), 0.0);
        // Those have an error of their own, which is not told: 2 % at most.
        near(&of_kind[0], ranks, 0.02);
        near(&of_kind[1], answers, 0.02);
    }
    for n in [2, 3, 5, 16, 40] {
        let mut messages = Moments::new();
        each(n, 20_000, |run, outcome| messages.push(run, outcome.messages));
        let (mean, error) =
            messages.mean().zip(messages.standard_error()).expect("more runs than one");
        let exact = theory(n);
        assert!((mean - exact).abs() < 4.5 * error, "n = {n}: {mean} ± {error}, not {exact}");
    }
}

/// Up to 11 nodes everybody hears of every candidate, so that exactly one leads if there is a
/// candidate and the largest rank is one alone.
#[test]
fn it_fails_as_often_as_it_should() {
    for n in [2u64, 4, 8] {
        let p = 2.0 * (n as f64).ln() / n as f64;
        let labels = n.pow(4);
        let alone = |x: i32| -> f64 {
            let below = |rank: u64| (rank as f64 / labels as f64).powi(x - 1);
            f64::from(x) / labels as f64 * (0..labels).map(below).sum::<f64>()
        };
        let mut choose = 1.0;
        let mut success = 0.0;
        for x in 1..=n {
            choose *= (n - x + 1) as f64 / x as f64;
            let x = x as i32;
            success += choose * p.powi(x) * (1.0 - p).powi(n as i32 - x) * alone(x);
        }
        let mut failed = 0;
        each(n, 20_000, |_, outcome| {
            failed += u64::from(outcome.leader.is_none());
            assert_eq!(outcome.leader.is_none(), outcome.time.is_none());
        });
        // The score test errs with probability 7e-6, at a fixed seed.
        let (low, high) = share::interval(failed, 20_000, 1.0 - 7e-6).expect("runs");
        let expected = 1.0 - success;
        assert!(low < expected && expected < high, "n = {n}: {failed}, not {expected}");
    }
}

#[test]
fn it_runs_on_complete_networks_in_rounds_only() {
    let refused = |setting: Setting| Cell::new(find(NAME), setting).expect_err("bad").to_string();
    for topology in [Topology::Ring, Topology::Star, Topology::Hypercube] {
        let name = topology.to_string();
        let text = refused(Setting { topology, ..Setting::of(4) });
        let expected =
            format!("topology = {name}: sublinear-clique runs on complete networks only");
        assert!(text.contains(&expected) && text.contains("use complete"), "{text}");
    }
    let complete = || Setting { topology: Topology::Complete, ..Setting::of(9) };
    let timing = Timing { delay: Some(Delay::Lifo), fifo: true };
    let text = refused(Setting { timing, ..complete() });
    assert!(text.contains("sublinear-clique needs synchronous rounds"), "{text}");
    let text = refused(Setting { initiators: Initiators::Count(3), ..complete() });
    assert!(text.contains("needs everybody to start"), "{text}");
}

#[test]
fn a_failure_is_a_row_without_a_leader_and_a_share_with_an_interval() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "algorithms = 'sublinear-clique'\ntopologies = 'complete'\nn = [5, 64]\nruns = 400";
    let spec = Spec::parse(text, "test.toml", "test", &REGISTRY).expect("a spec");
    let out = folder.path().join("clique");
    batch::run(&spec, &out, &batch::Options::default(), &()).expect("runs");
    let table = std::fs::read_to_string(out.join("runs.csv")).expect("runs");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let place = |name: &str| {
        let header = table.lines().next().expect("a header");
        header.split(',').position(|it| it == name).expect("a column")
    };
    let (leader, time, n) = (place("leader"), place("time"), place("n"));
    let mut empty = 0;
    for row in rows.records().map(|row| row.expect("a row")) {
        assert_eq!(row[leader].is_empty(), row[time].is_empty());
        empty += u64::from(row[leader].is_empty() && &row[n] == "5");
    }
    let summary = Summary::of(&Results::open(&out, &REGISTRY).expect("results")).expect("good");
    let [small, large] = summary.cells.as_slice() else { panic!("two cells") };
    let failures = small.failures.expect("it may fail");
    assert!(empty > 0 && failures.runs == empty, "{failures:?}");
    assert_eq!(Some(failures.interval), share::interval(empty, 400, 0.95));
    assert_eq!(large.failures.map(|failures| failures.runs), Some(0));
    for cell in [small, large] {
        assert_eq!(cell.verdict_mean, MeanVerdict::Agrees, "{cell:?}");
        assert_eq!(cell.theory_mean.as_ref().map(|it| it.value.as_f64()), Some(theory(cell.n())));
    }
}
