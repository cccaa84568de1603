//! Thousands of elections: the chunks of a plan in parallel, into a results folder.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::assemble::Work;
use super::folder::{Folder, is_complete};
use super::part::Part;
use super::progress::{Precision, Progress, Shard};
use super::write::is_same;
use crate::algorithm::count::Scratch;
use crate::engine::{Registry, Simulator};
use crate::experiment::error::{Error, Result};
use crate::experiment::plan::{Method, Plan, PlannedCell};
use crate::experiment::runs::{Kinds, Runs};
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::row::Row;
use crate::model::stop::{NEVER, Stop};

/// How to run a batch.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Do only this share of the work, and leave the tables to `merge`.
    pub shard: Option<Shard>,
    /// How many threads; all cores if not said.
    pub threads: Option<usize>,
    /// Replace the results that are in the folder.
    pub force: bool,
    /// Who may ask to stop.
    pub stop: &'a Stop,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { shard: None, threads: None, force: false, stop: &NEVER }
    }
}

impl Options<'_> {
    /// The threads.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        builder.build().map_err(|error| Error::Threads(error.into()))
    }
}

/// Who is told how a batch goes; from any thread. `()` does not want to know.
pub trait Observer: Sync {
    /// It begins: so many runs in so many cells are to be done, or still to be done if it is resumed.
    fn begin(&self, _cells: usize, _runs: u64, _resumed: bool) {}

    /// A part cannot be trusted: its runs are done again.
    fn damaged(&self, _part: &Path, _problem: &str) {}

    /// So many more runs are done, which sent so many messages.
    fn progress(&self, _runs: u64, _messages: u64) {}

    /// All runs are done, or somebody asked to stop.
    fn end(&self) {}
}

impl Observer for () {}

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

/// Runs a spec into the folder `out`, from where it stopped last time.
pub fn run(
    spec: &Spec,
    out: &Path,
    options: &Options<'_>,
    observer: &dyn Observer,
) -> Result<Ending> {
    let plan = Plan::new(spec)?;
    let pool = options.pool()?;
    if options.force || !is_complete(out) {
        plan.check_memory(pool.current_num_threads(), options.shard.map_or(1, |it| it.count))?;
    }
    let folder = Folder::open(out, spec, options.shard, options.force)?;
    if folder.is_complete() {
        return Ok(Ending::AlreadyComplete);
    }
    let work = Work::begin();
    let paths = [out.to_owned()];
    let progress = Progress::of(&paths, &plan, &spec.hash(), options.shard);
    for (path, problem) in &progress.damaged {
        observer.damaged(path, problem);
    }
    let runs = progress.missing(&plan).map(|(cell, chunk)| runs_to_do(&plan.cells[cell], chunk));
    observer.begin(plan.cells.len(), runs.sum(), progress.done() > 0);
    let chunks = Chunks { folder: &folder, observer };
    let batch = Batch { plan: &plan, chunks: &chunks, stop: options.stop };
    let missing = plan.costliest_first().map(|mut bundle| {
        bundle.retain(|&(cell, chunk)| progress.is_missing(&plan, cell, chunk));
        bundle
    });
    chunks.carry_out(&pool, missing, |bundle| batch.carry_out(&bundle))?;
    if options.shard.is_some() {
        return Ok(Ending::ShardDone);
    }
    pool.install(|| folder.assemble(&paths, &plan, spec, &work, options.stop))?;
    Ok(Ending::Complete)
}

/// Puts the shards in `paths` together into the folder `out`.
pub fn merge(
    registry: &Registry,
    paths: &[PathBuf],
    out: &Path,
    options: &Options<'_>,
) -> Result<u64> {
    let specs =
        paths.iter().map(|path| Folder::read_spec(path, registry)).collect::<Result<Vec<_>>>()?;
    let spec = &specs[0];
    let hash = spec.hash();
    for (path, other) in paths.iter().zip(&specs) {
        if other.hash() != hash {
            return Err(Error::Mixed { first: paths[0].clone(), other: path.clone() });
        }
    }
    let plan = Plan::new(spec)?;
    let work = Work::begin();
    let mut sources = paths.to_vec();
    let target_is_source = paths.iter().any(|path| is_same(path, out));
    let force = options.force && !target_is_source;
    if !target_is_source && !force {
        sources.push(out.to_owned());
    }
    let check_sources = || -> Result<()> {
        let progress = Progress::of(&sources, &plan, &hash, None);
        match progress.missing(&plan).count() as u64 {
            0 => Ok(()),
            missing => Err(Error::Incomplete {
                missing,
                chunks: plan.chunks(),
                damaged: progress.damaged.into_iter().map(|(path, _)| path).collect(),
            }),
        }
    };
    if !target_is_source {
        if let Some(complete) = paths.iter().find(|path| is_complete(path)) {
            let problem = "this folder is complete, so its parts are gone";
            let remedy = "use its tables, or run the experiment into a new folder";
            return Err(Input::new("folder", complete.display(), problem, remedy).into());
        }
        // Before the target is made, or emptied.
        if force || !is_complete(out) {
            check_sources()?;
        }
    }
    let folder = Folder::open(out, spec, None, force)?;
    if !folder.is_complete() {
        check_sources()?;
        let assemble = || folder.assemble(&sources, &plan, spec, &work, options.stop);
        options.pool()?.install(assemble)?;
    }
    Ok(plan.runs())
}

/// How many runs a missing chunk stands for, at most: of a cell that may stop early it is the first
/// of all that follow.
fn runs_to_do(cell: &PlannedCell, chunk: u64) -> u64 {
    let end = if cell.until.is_some() { cell.runs } else { cell.chunk(chunk).end };
    end - cell.chunk(chunk).start
}

/// The chunks of any experiment on their way into its folder.
pub(crate) struct Chunks<'a> {
    /// Where they go.
    pub(crate) folder: &'a Folder,
    /// Who is told.
    pub(crate) observer: &'a dyn Observer,
}

impl Chunks<'_> {
    /// Has chunks, or bundles of them, carried out by all threads, until one fails.
    pub(crate) fn carry_out<T: Send>(
        &self,
        pool: &rayon::ThreadPool,
        chunks: impl Iterator<Item = T> + Send,
        carry_out: impl Fn(T) -> Result<()> + Send + Sync,
    ) -> Result<()> {
        // Taken one by one: whoever is free takes the next.
        let done = pool.install(|| chunks.par_bridge().try_for_each(carry_out));
        self.observer.end();
        done
    }

    /// Keeps one that is done.
    pub(crate) fn keep(&self, part: &Part, chunk: u64) -> Result<()> {
        self.folder.write_part(part, chunk)?;
        self.observer.progress(part.runs.end - part.runs.start, part.kinds.iter().sum());
        Ok(())
    }
}

/// A batch at work.
struct Batch<'a> {
    plan: &'a Plan,
    chunks: &'a Chunks<'a>,
    stop: &'a Stop,
}

impl Batch<'_> {
    /// Does missing chunks that go together; of a cell that may stop early also those after it.
    fn carry_out(&self, bundle: &[(usize, u64)]) -> Result<()> {
        match *bundle {
            [(cell, _)] if self.plan.cells[cell].until.is_some() => self.do_until(cell),
            _ => self.do_chunks(bundle).map(|_| ()),
        }
    }

    fn do_until(&self, cell: usize) -> Result<()> {
        let planned = &self.plan.cells[cell];
        let mut precision = Precision::new(planned);
        for chunk in 0..planned.chunks() {
            let part = match self.chunks.folder.read_part(self.plan, cell, chunk) {
                Some(part) => Some(part),
                None => self.do_chunks(&[(cell, chunk)])?.pop(),
            };
            if part.is_some_and(|part| precision.is_enough_with(&part)) {
                break;
            }
        }
        Ok(())
    }

    fn do_chunks(&self, bundle: &[(usize, u64)]) -> Result<Vec<Part>> {
        let part =
            |&(cell, chunk): &(usize, u64)| Part::new(cell, self.plan.cells[cell].chunk(chunk));
        let mut parts: Vec<Part> = bundle.iter().map(part).collect();
        fill(&mut parts, self.plan, self.stop)?;
        for (part, &(_, chunk)) in parts.iter().zip(bundle) {
            self.chunks.keep(part, chunk)?;
        }
        Ok(parts)
    }
}

/// Carries out some runs of a cell, one after another.
pub fn run_chunk(plan: &Plan, index: usize, runs: std::ops::Range<u64>) -> Result<Part> {
    let mut part = Part::new(index, runs);
    fill(std::slice::from_mut(&mut part), plan, &NEVER)?;
    Ok(part)
}

/// Carries out the runs of a part, or of several that count the same rings.
fn fill(parts: &mut [Part], plan: &Plan, stop: &Stop) -> Result<()> {
    match parts {
        [] => Ok(()),
        [part] if plan.cells[part.cell].method == Method::Simulate => simulate(part, plan, stop),
        parts => count(parts, plan, stop),
    }
}

fn go_on(stop: &Stop) -> Result<()> {
    if stop.is_asked() { Err(Error::Interrupted) } else { Ok(()) }
}

fn simulate(part: &mut Part, plan: &Plan, stop: &Stop) -> Result<()> {
    let cell = &plan.cells[part.cell].cell;
    let mut drawn = cell.prepare(plan.seed)?;
    let mut simulator = (cell.algorithm().simulator)();
    for run in part.runs.clone() {
        go_on(stop)?;
        let outcome = drawn.simulate_unless(stop, run, simulator.as_mut())?;
        part.add(&drawn.row(run, &outcome), &outcome.kinds);
    }
    Ok(())
}

/// Counts the runs of parts that begin with the same one: each ring is drawn once for all of them.
fn count(parts: &mut [Part], plan: &Plan, stop: &Stop) -> Result<()> {
    let Some(longest) = parts.iter().map(|part| part.runs.clone()).max_by_key(|runs| runs.end)
    else {
        return Ok(());
    };
    let mut drawn = plan.cells[parts[0].cell].cell.prepare(plan.seed)?;
    let mut scratch = Scratch::default();
    let mut audits: Vec<Vec<(Row, Kinds)>> = vec![Vec::new(); parts.len()];
    for run in longest {
        drawn.draw(run)?;
        for (part, audits) in parts.iter_mut().zip(&mut audits) {
            if part.runs.contains(&run) {
                go_on(stop)?;
                let planned = &plan.cells[part.cell];
                let (row, kinds) = drawn.count_as(&planned.cell, run, &mut scratch)?;
                part.add(&row, &kinds);
                if planned.is_audited(run) {
                    audits.push((row, kinds));
                }
            }
        }
    }
    // Whoever draws and counts makes room for who simulates.
    drop((drawn, scratch));
    for (part, audits) in parts.iter().zip(&audits).filter(|(_, audits)| !audits.is_empty()) {
        let mut auditor = Auditor::new(&plan.cells[part.cell], plan.seed)?;
        for (row, kinds) in audits {
            go_on(stop)?;
            auditor.check(stop, row, kinds)?;
        }
    }
    Ok(())
}

/// Simulates counted runs of one cell; any difference is an error.
struct Auditor {
    drawn: Runs,
    simulator: Box<dyn Simulator>,
    seed: u64,
}

impl Auditor {
    fn new(cell: &PlannedCell, seed: u64) -> Result<Self> {
        let simulator = (cell.cell.algorithm().simulator)();
        Ok(Auditor { drawn: cell.cell.prepare(seed)?, simulator, seed })
    }

    fn check(&mut self, stop: &Stop, counted: &Row, kinds: &Kinds) -> Result<()> {
        let simulator = self.simulator.as_mut();
        let outcome = self.drawn.simulate_unless(stop, counted.run, simulator)?;
        let simulated = self.drawn.row(counted.run, &outcome);
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
            cell: Box::new(self.drawn.cell().key().clone()),
            command: self.drawn.cell().command(self.seed, counted.run),
        })
    }
}
