//! Thousands of elections: the chunks of a plan in parallel, into a results folder.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use crate::algorithm::Simulator;
use crate::cell::{Kinds, Runs};
use crate::count::Scratch;
use crate::error::{Error, Result};
use crate::plan::{Method, Plan, PlannedCell};
use crate::record::{Folder, Part, Precision, Row, Shard, Work};
use crate::spec::Spec;

/// How to run a batch.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Do only this share of the work, and leave the tables to `merge`.
    pub shard: Option<Shard>,
    /// How many threads; all cores if not said.
    pub threads: Option<usize>,
    /// No progress.
    pub quiet: bool,
    /// Replace what is in the folder.
    pub force: bool,
    /// How to go on after an interruption.
    pub command: String,
}

/// What came of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The tables are there.
    Complete,
    /// They already were.
    AlreadyComplete,
    /// The shard is done.
    ShardDone,
}

/// A piece of work for one thread: a chunk, or a whole cell that may stop early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Chunk(usize, u64),
    Cell(usize),
}

/// Runs a spec into the folder `out`, from where it stopped last time.
pub fn run(spec: &Spec, out: &std::path::Path, options: &Options) -> Result<Ending> {
    let plan = Plan::new(spec)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?;
    // The manifest is written last: then nothing is left to run.
    if options.force || !out.join("manifest.json").exists() {
        plan.check_memory(pool.current_num_threads(), options.shard.map_or(1, |it| it.count))?;
    }
    let folder = Folder::open(out, spec, options.shard, options.force)?;
    if folder.is_complete() {
        return Ok(Ending::AlreadyComplete);
    }
    let work = Work::begin();
    let paths = [out.to_owned()];
    let progress = Folder::progress(&paths, &plan, &spec.hash()?, options.shard);
    for (path, problem) in &progress.damaged {
        eprintln!("{} is damaged ({problem}): its runs are done again", path.display());
    }
    let tasks = tasks(&plan, &progress.missing);
    let meter = Meter::new(&plan, &progress.missing, progress.done > 0, options.quiet);
    let stop = stop_signal();
    pool.install(|| {
        tasks.par_iter().try_for_each(|task| carry_out(*task, &plan, &folder, &meter, stop))
    })?;
    meter.finish();
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted { command: options.command.clone() });
    }
    if options.shard.is_some() {
        return Ok(Ending::ShardDone);
    }
    folder.assemble(&paths, &plan, spec, &work)?;
    Ok(Ending::Complete)
}

/// Puts the shards in `paths` together into the folder `out`.
pub fn merge(paths: &[PathBuf], out: &std::path::Path, force: bool) -> Result<u64> {
    let specs = paths.iter().map(|path| Folder::read_spec(path)).collect::<Result<Vec<_>>>()?;
    let spec = &specs[0];
    let hash = spec.hash()?;
    for (path, other) in paths.iter().zip(&specs) {
        if other.hash()? != hash {
            return Err(Error::Mixed { first: paths[0].clone(), other: path.clone() });
        }
    }
    let plan = Plan::new(spec)?;
    let work = Work::begin();
    let mut sources = paths.to_vec();
    let target_is_source = paths.iter().any(|path| same_folder(path, out));
    let folder = Folder::open(out, spec, None, force && !target_is_source)?;
    if folder.is_complete() {
        return Ok(plan.runs());
    }
    if !target_is_source {
        sources.push(out.to_owned());
    }
    let progress = Folder::progress(&sources, &plan, &hash, None);
    if !progress.missing.is_empty() {
        return Err(Error::Incomplete {
            missing: progress.missing.len() as u64,
            chunks: plan.chunks(),
            damaged: progress.damaged.into_iter().map(|(path, _)| path).collect(),
        });
    }
    folder.assemble(&sources, &plan, spec, &work)?;
    Ok(plan.runs())
}

fn same_folder(a: &std::path::Path, b: &std::path::Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// The tasks for what is missing.
fn tasks(plan: &Plan, missing: &[(usize, u64)]) -> Vec<Task> {
    let mut tasks: Vec<Task> = missing
        .iter()
        .map(|&(cell, chunk)| match plan.cells[cell].until {
            Some(_) => Task::Cell(cell),
            None => Task::Chunk(cell, chunk),
        })
        .collect();
    tasks.dedup();
    tasks
}

fn carry_out(
    task: Task,
    plan: &Plan,
    folder: &Folder,
    meter: &Meter,
    stop: &AtomicBool,
) -> Result<()> {
    let do_chunk = |cell: usize, chunk: u64| -> Result<Part> {
        let part = run_chunk(plan, cell, plan.cells[cell].chunk(chunk))?;
        folder.write_part(&part, chunk)?;
        meter.count(&part);
        Ok(part)
    };
    if stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    match task {
        Task::Chunk(cell, chunk) => _ = do_chunk(cell, chunk)?,
        Task::Cell(cell) => {
            let mut precision = Precision::new(&plan.cells[cell]);
            for chunk in 0..plan.cells[cell].chunks() {
                let part = match folder.read_part(plan, cell, chunk) {
                    Some(part) => part,
                    None if stop.load(Ordering::Relaxed) => return Ok(()),
                    None => do_chunk(cell, chunk)?,
                };
                if precision.is_enough_with(&part) {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Carries out some runs of a cell, one after another.
pub fn run_chunk(plan: &Plan, index: usize, runs: std::ops::Range<u64>) -> Result<Part> {
    let cell = &plan.cells[index];
    let mut part = Part::new(index, runs.clone());
    match cell.method {
        Method::Simulate => {
            let mut drawn = cell.cell.prepare(plan.seed)?;
            let mut simulator = (cell.cell.algorithm.simulator)();
            for run in runs {
                let outcome = drawn.simulate(run, simulator.as_mut())?;
                part.add(&Row::simulated(run, &outcome), &outcome.kinds);
            }
        }
        Method::Count => {
            let mut drawn = cell.cell.prepare(plan.seed)?;
            let mut scratch = Scratch::default();
            let mut auditor = None;
            for run in runs {
                let (row, kinds) = drawn.count(run, &mut scratch)?;
                if cell.is_audited(run) {
                    let auditor = match &mut auditor {
                        Some(auditor) => auditor,
                        none => none.insert(Auditor::new(cell, plan.seed)?),
                    };
                    auditor.check(&row, &kinds)?;
                }
                part.add(&row, &kinds);
            }
        }
    }
    Ok(part)
}

/// Simulates counted runs of one cell; any difference is an error.
struct Auditor {
    drawn: Runs,
    simulator: Box<dyn Simulator>,
    seed: u64,
}

impl Auditor {
    fn new(cell: &PlannedCell, seed: u64) -> Result<Self> {
        let simulator = (cell.cell.algorithm.simulator)();
        Ok(Auditor { drawn: cell.cell.prepare(seed)?, simulator, seed })
    }

    fn check(&mut self, counted: &Row, kinds: &Kinds) -> Result<()> {
        let outcome = self.drawn.simulate(counted.run, self.simulator.as_mut())?;
        let simulated = Row::simulated(counted.run, &outcome);
        // What the counter does not know is not compared.
        let comparable = Row {
            time: counted.time.and(simulated.time),
            end: counted.end.and(simulated.end),
            max_node_messages: counted.max_node_messages.and(simulated.max_node_messages),
            ..simulated
        };
        if comparable == *counted && outcome.kinds == *kinds {
            return Ok(());
        }
        let line = |row: &Row| {
            let mut line = String::new();
            row.write(&mut line);
            line.trim_end().to_owned()
        };
        Err(Error::Audit {
            counted: line(counted),
            simulated: line(&comparable),
            command: self.drawn.cell().command(self.seed, counted.run),
        })
    }
}

/// Set by Ctrl-C and by a request to end: the chunks in hand are finished, no new one begins.
fn stop_signal() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    // A second batch in the same process finds the handler in place.
    _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    &STOP
}

/// Shows how far a batch is: a bar on a terminal, a line now and then elsewhere.
struct Meter {
    bar: ProgressBar,
    lines: bool,
    start: Instant,
    runs: AtomicU64,
    messages: AtomicU64,
    all_runs: u64,
    /// Seconds after the start of the last line.
    last_line: AtomicU64,
}

/// Seconds between two lines where there is no terminal.
const LINE_SECONDS: u64 = 5;

impl Meter {
    fn new(plan: &Plan, missing: &[(usize, u64)], resumed: bool, quiet: bool) -> Self {
        let runs_of = |&(cell, chunk): &(usize, u64)| {
            let cell = &plan.cells[cell];
            // A cell that may stop early is listed by its first missing chunk alone.
            let end = if cell.until.is_some() { cell.runs } else { cell.chunk(chunk).end };
            end - cell.chunk(chunk).start
        };
        let all_runs: u64 = missing.iter().map(runs_of).sum();
        let bar = ProgressBar::with_draw_target(
            Some(all_runs),
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() },
        );
        let template = "{bar:24} {pos}/{len} runs  {msg}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let lines = !quiet && bar.is_hidden();
        if lines && !missing.is_empty() {
            let cells = plan.cells.len();
            let go_on = if resumed { " still to do" } else { "" };
            eprintln!("{cells} cells, {all_runs} runs{go_on}");
        }
        Meter {
            bar,
            lines,
            start: Instant::now(),
            runs: AtomicU64::new(0),
            messages: AtomicU64::new(0),
            all_runs,
            last_line: AtomicU64::new(0),
        }
    }

    fn count(&self, part: &Part) {
        let new_runs = part.runs.end - part.runs.start;
        let new_messages = part.kinds.iter().sum();
        let runs = self.runs.fetch_add(new_runs, Ordering::Relaxed) + new_runs;
        let messages = self.messages.fetch_add(new_messages, Ordering::Relaxed) + new_messages;
        let elapsed = self.start.elapsed();
        let rate = messages as f64 / elapsed.as_secs_f64() / 1e6;
        self.bar.set_message(format!("{rate:.0} million messages/s"));
        self.bar.inc(new_runs);
        let last = self.last_line.load(Ordering::Relaxed);
        let now = elapsed.as_secs();
        if self.lines
            && now >= last + LINE_SECONDS
            && self
                .last_line
                .compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            let share = runs as f64 / self.all_runs as f64;
            let left = Duration::from_secs_f64(elapsed.as_secs_f64() * (1.0 / share - 1.0));
            eprintln!(
                "{runs}/{} runs, {rate:.0} million messages/s, about {} s left",
                self.all_runs,
                left.as_secs()
            );
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
