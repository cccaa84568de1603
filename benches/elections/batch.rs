//! Thousands of runs through `run`, tables included: against a bare loop that draws, elects and
//! writes the same table, against the elections alone, and two threads against one.

use std::path::Path;

use criterion::Criterion;
use hustings::engine::Registry;
use hustings::experiment::plan::Plan;
use hustings::experiment::spec::Spec;
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose};
use hustings::results::batch::{self, Options};

use super::limits::{Group, Limits, Reach, Sides};
use super::turns::Turns;

pub fn bench(criterion: &mut Criterion<Turns>, limits: &mut Limits) {
    small_runs(limits.group(criterion, "one run, its row included"));
    overhead(limits.group(criterion, "batch, against its elections"));
    two_threads(limits.group(criterion, "two threads, against one"));
}

fn small_runs(mut group: Group<'_>) {
    for n in [5, 10, 20, 50] {
        group.row(("chang-roberts", n), Reach::Time(2.0), || {
            let runs = 2_000_000 / (n + 20);
            let batch = Batch::new("chang-roberts", n, runs, "simulate");
            assert_eq!(batch.table(), bare_table(n, runs), "n = {n}");
            let bare = move || {
                let file = tempfile::NamedTempFile::new().expect("a file");
                std::fs::write(file.path(), bare_table(n, runs)).expect("written");
            };
            Sides::new(move || batch.run(1), bare)
        });
    }
}

fn overhead(mut group: Group<'_>) {
    // A quarter of a second each: what a folder costs once is not what a run costs.
    for (n, runs) in [(20, 500_000), (100, 70_000), (1000, 5000)] {
        group.row(("peterson", n), Reach::Time(1.05), || {
            let batch = Batch::new("peterson", n, runs, "simulate");
            let plan = Plan::new(&batch.spec).expect("a plan");
            Sides::new(move || batch.run(1), move || hold_all(&plan))
        });
    }
}

fn two_threads(mut group: Group<'_>) {
    for (name, n, runs, engine) in [
        ("chang-roberts", 10, 300_000, "simulate"),
        ("chang-roberts", 1000, 30_000, "count"),
        ("chang-roberts", 100_000, 300, "count"),
        ("hirschberg-sinclair", 1000, 800, "simulate"),
        ("chang-roberts", 1_000_000, 4, "simulate"),
    ] {
        group.row((&format!("{name}, {engine}"), n), Reach::Time(1.0 / 1.8), || {
            let batch = Batch::new(name, n, runs, engine);
            let alone = Batch::new(name, n, runs, engine);
            Sides::new(move || batch.run(2), move || alone.run(1))
        });
    }
}

/// A batch of one cell, run again and again.
struct Batch {
    spec: Spec,
    folder: tempfile::TempDir,
}

impl Batch {
    fn new(algorithm: &str, n: u64, runs: u64, engine: &str) -> Self {
        let text = format!(
            "algorithms = ['{algorithm}']\nn = [{n}]\nruns = {runs}\nengine = '{engine}'\naudit = 0"
        );
        let spec = Spec::parse(&text, "(bench)", "bench", &Registry::standard()).expect("a spec");
        Batch { spec, folder: tempfile::tempdir().expect("a folder") }
    }

    fn run(&self, threads: usize) {
        let options = Options { threads: Some(threads), force: true, ..Options::default() };
        let out = self.folder.path().join("results");
        batch::run(&self.spec, &out, &options, &()).expect("good runs");
    }

    fn table(&self) -> String {
        self.run(1);
        let table: &Path = &self.folder.path().join("results/runs.csv");
        std::fs::read_to_string(table).expect("a table")
    }
}

/// All elections of a plan, one after another, and nothing else.
fn hold_all(plan: &Plan) {
    for planned in &plan.cells {
        let mut drawn = planned.cell.prepare(plan.seed).expect("memory");
        let mut simulator = (planned.cell.algorithm().simulator)();
        for run in 0..planned.runs {
            let outcome = drawn.simulate(run, simulator.as_mut()).expect("a good election");
            std::hint::black_box(outcome.messages);
        }
    }
}

/// The table of Chang and Roberts' elections, without any of our abstractions.
fn bare_table(n: u64, runs: u64) -> String {
    let key = Key::new(1, "ring", n, "random", "dense");
    let size = n as usize;
    let bits = u64::from((n + 1).next_power_of_two().trailing_zeros());
    let mut table = String::from(
        "algorithm,topology,layout,ids,initiators,timing,n,run,messages,bits,time,end,rounds,\
         max_node_messages,leader,announcements,edges,leaves,diameter\n",
    );
    let mut digits = itoa::Buffer::new();
    let mut ids: Vec<Id> = Vec::new();
    let mut sent = vec![0u64; size];
    let mut tokens: Vec<(u32, Id)> = Vec::new();
    for run in 0..runs {
        ids.clear();
        ids.extend(1..=n);
        key.stream(run, Purpose::Ring).shuffle(&mut ids);
        sent.fill(1);
        tokens.clear();
        tokens.extend((0..).zip(ids.iter().copied()));
        let mut messages = 0;
        while !tokens.is_empty() {
            messages += tokens.len() as u64;
            let mut kept = 0;
            for index in 0..tokens.len() {
                let (position, id) = tokens[index];
                let position = if position + 1 == n as u32 { 0 } else { position + 1 };
                let goes_on = id > ids[position as usize];
                sent[position as usize] += u64::from(goes_on);
                tokens[kept] = (position, id);
                kept += usize::from(goes_on);
            }
            tokens.truncate(kept);
        }
        let most = sent.iter().max().expect("a node");
        table.push_str("chang-roberts,ring,random,dense,all,sync,");
        let numbers = [n, run, messages, messages * bits, n, n];
        for number in numbers {
            table.push_str(digits.format(number));
            table.push(',');
        }
        table.push(',');
        table.push_str(digits.format(*most));
        table.push(',');
        table.push_str(digits.format(n));
        table.push_str(",0,,,\n");
    }
    table
}
