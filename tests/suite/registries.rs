//! A registry is a value: two programs in one process may each have an algorithm of their own under
//! one name, from the election to the results folder.

use std::path::Path;

use hustings::algorithm::ring::{LeLann, Peterson};
use hustings::experiment::error::Result;
use hustings::experiment::spec::Spec;
use hustings::prelude::*;
use hustings::results::Results;
use hustings::results::batch::{self, Options};
use hustings::summarise::Summary;

/// A registry in which `mine` is some algorithm.
fn with(entry: Entry) -> Registry {
    Registry::standard().with(entry.named("mine"))
}

/// The mean messages of `mine` in a batch.
fn mean(registry: &Registry, folder: &Path) -> Result<f64> {
    let spec = Spec::parse("algorithms = 'mine'\nn = 8\nruns = 50", "spec", "test", registry)?;
    batch::run(&spec, folder, &Options::default(), &())?;
    let summary = Summary::of(&Results::open(folder, registry)?)?;
    Ok(summary.cells[0].mean.expect("runs"))
}

#[test]
fn two_registries_have_different_algorithms_of_one_name() {
    let lelann = with(Entry::asynchronous::<LeLann>()).in_program("first");
    let peterson = with(Entry::asynchronous::<Peterson>()).in_program("second");
    let folder = tempfile::tempdir().expect("a folder");
    // At the same time, so that anything they shared would show.
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| mean(&lelann, &folder.path().join("first")));
        let second = scope.spawn(|| mean(&peterson, &folder.path().join("second")));
        (first.join().expect("no panic"), second.join().expect("no panic"))
    });
    assert_eq!(first.expect("results"), 64.0);
    let second = second.expect("results");
    assert!((32.0..=48.0).contains(&second), "{second}");
    for (registry, program) in [(&lelann, "first"), (&peterson, "second")] {
        let entry = registry.named("mine").expect("it is there");
        let cell = Cell::new(entry, Setting::of(8)).expect("a cell");
        let command = format!("{program} elect --algorithm mine --n 8 --run 3");
        assert_eq!(cell.command(1, 3), command);
    }
    assert!(Registry::standard().named("mine").is_err());
    assert!(Registry::empty().named("lelann").is_err());
}
