//! A batch from a program of your own, with its own progress, that ends when it has seen enough.
//!
//! ```text
//! cargo run --example own_progress
//! ```

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};

use hustings::experiment::spec::Spec;
use hustings::model::stop::Stop;
use hustings::prelude::*;
use hustings::results::Results;
use hustings::results::batch::{self, Observer, Options};
use hustings::summarise::Summary;

/// Counts what is done, and asks to stop after so many runs.
struct Counter<'a> {
    done: AtomicU64,
    most: u64,
    stop: &'a Stop,
}

impl Observer for Counter<'_> {
    fn begin(&self, cells: usize, runs: u64, resumed: bool) {
        let words = if resumed { "still to do" } else { "to do" };
        println!("{runs} runs in {cells} cells {words}");
    }

    fn progress(&self, runs: u64, messages: u64) {
        let done = self.done.fetch_add(runs, Ordering::Relaxed) + runs;
        println!("{done} runs done; the last {runs} sent {messages} messages");
        if done >= self.most {
            self.stop.ask();
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::standard();
    let text = "algorithms = ['chang-roberts', 'peterson']\nn = [64, 256]\nruns = 20_000";
    let spec = Spec::parse(text, "(in the program)", "own-progress", &registry)?;
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("results");

    // Somebody asks to stop: nothing is lost, and the tables are not there yet.
    let stop = Stop::new();
    let options = Options { stop: &stop, threads: Some(1), ..Options::default() };
    let impatient = Counter { done: AtomicU64::new(0), most: 30_000, stop: &stop };
    let stopped = batch::run(&spec, &out, &options, &impatient);
    println!("{}", stopped.expect_err("it was asked to stop"));

    // The same call goes on where it stopped.
    let patient = Counter { done: AtomicU64::new(0), most: u64::MAX, stop: &Stop::new() };
    batch::run(&spec, &out, &Options::default(), &patient)?;
    let summary = Summary::of(&Results::open(&out, &registry)?)?;
    for cell in &summary.cells {
        println!("{}: {:.1} messages", cell.key, cell.mean.unwrap_or_default());
    }
    Ok(())
}
