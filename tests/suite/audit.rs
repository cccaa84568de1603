//! A counter that is wrong is caught by the audit, with the command that shows it.

use std::sync::Arc;

use hustings::algorithm::count::{Count, Counter, Ranked, Scratch};
use hustings::engine::Entry;
use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::error::Error;
use hustings::experiment::plan::{Method, Plan, PlannedCell};
use hustings::results::batch::run_chunk;

use crate::common::find;

/// Right on most rings; one message too many where the smallest ID stands first.
fn broken(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let right = find("chang-roberts").counter.expect("it has a counter");
    let mut count = (right.count)(ring, scratch)?;
    count.kinds[0] += u64::from(ring.ranks[0] == 0);
    Some(count)
}

const SEED: u64 = 42;
const N: u32 = 20;

fn plan(entry: &Arc<Entry>, audit: f64, runs: u64) -> Plan {
    let planned = PlannedCell {
        cell: Cell::new(entry, Setting::of(N.into())).expect("a good cell"),
        runs,
        until: None,
        method: Method::Count,
        audit,
        chunk_runs: runs,
        first_chunk: 0,
        expected_messages: 72.0,
    };
    Plan { seed: SEED, cells: vec![planned] }
}

fn with_broken_counter() -> Arc<Entry> {
    let entry = find("chang-roberts");
    let counter = entry.counter.map(|counter| Counter { count: broken, ..counter });
    Arc::new(Entry::clone(entry).counted_by(counter))
}

/// The first run that the broken counter gets wrong.
fn first_wrong_run(runs: u64) -> u64 {
    let plan = plan(find("chang-roberts"), 0.0, runs);
    let mut drawn = plan.cells[0].cell.prepare(SEED).expect("a small ring");
    let mut simulator = (plan.cells[0].cell.algorithm().simulator)();
    (0..runs)
        .find(|&run| {
            drawn.simulate(run, simulator.as_mut()).expect("an election");
            drawn.ids()[0] == 1
        })
        .expect("one ring in twenty has the smallest ID first")
}

#[test]
fn a_broken_counter_is_caught_and_reported_with_the_command_that_shows_it() {
    let wrong = first_wrong_run(1000);
    let error = run_chunk(&plan(&with_broken_counter(), 1.0, 1000), 0, 0..1000).err();
    let Some(error @ Error::Audit { .. }) = error else { panic!("not an audit: {error:?}") };
    assert_eq!(error.exit_code(), 1);
    let text = error.to_string();
    let command = format!("hustings elect --algorithm chang-roberts --n {N} --seed {SEED} --run");
    assert!(text.contains(&format!("{command} {wrong}")), "{text}");
    assert!(text.contains("the counter is wrong"), "{text}");
}

#[test]
fn the_command_of_an_audit_shows_the_run() {
    let error = run_chunk(&plan(&with_broken_counter(), 1.0, 1000), 0, 0..1000).err();
    let Some(Error::Audit { counted, simulated, command, .. }) = error else { panic!("{error:?}") };
    let arguments: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
    let output = assert_cmd::cargo::cargo_bin_cmd!("hustings").args(arguments).output();
    let output = output.expect("the program runs");
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let messages = |row: &str| -> u64 {
        row.split(',').nth(1).and_then(|field| field.parse().ok()).expect("a number of messages")
    };
    assert_eq!(shown["messages"], messages(&simulated));
    assert_eq!(messages(&counted), messages(&simulated) + 1);
}

#[test]
fn a_right_counter_passes_and_without_an_audit_nothing_is_noticed() {
    assert!(run_chunk(&plan(find("chang-roberts"), 1.0, 200), 0, 0..200).is_ok());
    assert!(run_chunk(&plan(&with_broken_counter(), 0.0, 1000), 0, 0..1000).is_ok());
}

#[test]
fn the_first_run_is_always_audited_and_a_share_of_one_audits_all() {
    for share in [1.0, 0.5, 0.01, 1e-9] {
        let plan = plan(find("chang-roberts"), share, 1000);
        assert!(plan.cells[0].is_audited(0), "{share}");
    }
    let all = plan(find("chang-roberts"), 1.0, 1000);
    assert!((0..1000).all(|run| all.cells[0].is_audited(run)));
    let some = plan(find("chang-roberts"), 0.01, 1000);
    assert_eq!((0..1000).filter(|&run| some.cells[0].is_audited(run)).count(), 10);
    let none = plan(find("chang-roberts"), 0.0, 1000);
    assert!(!(0..1000).any(|run| none.cells[0].is_audited(run)));
}
