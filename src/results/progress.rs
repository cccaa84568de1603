//! How far an experiment is: which of its parts are there, and which cells are precise enough.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::part::Part;
use crate::experiment::plan::{Plan, PlannedCell};
use crate::statistics::CONFIDENCE;
use crate::statistics::moments::Moments;
use crate::statistics::sequential::FEWEST_RUNS_TO_STOP;

/// The folder of parts inside a results folder.
pub(super) const PARTS: &str = "parts";

/// One of several processes that share an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 0.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// Whether a chunk is this shard's. A cell that may stop early is one piece of work, since its
    /// chunks must be seen in order.
    pub fn owns(&self, plan: &Plan, cell: usize, chunk: u64) -> bool {
        let planned = &plan.cells[cell];
        let number =
            if planned.until.is_some() { cell as u64 } else { planned.first_chunk + chunk };
        number % self.count == self.index
    }
}

/// How far an experiment is: which of its parts are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    shard: Option<Shard>,
    /// The chunks that are there and sound, by their number in the plan.
    sound: HashSet<u64>,
    /// The cells that are precise enough before their last chunk.
    settled: HashSet<usize>,
    /// Parts that cannot be trusted, and why.
    pub damaged: Vec<(PathBuf, String)>,
}

impl Progress {
    /// Looks at every part in these folders that belongs to the experiment with this hash, or to one
    /// shard of it.
    pub fn of(paths: &[PathBuf], plan: &Plan, hash: &str, shard: Option<Shard>) -> Self {
        let mut progress =
            Progress { shard, sound: HashSet::new(), settled: HashSet::new(), damaged: Vec::new() };
        let there: BTreeSet<(usize, u64)> =
            paths.iter().flat_map(|folder| part_names(folder)).collect();
        let mut precision: Option<(usize, u64, Precision)> = None;
        for (index, chunk) in there {
            let Some(cell) = plan.cells.get(index).filter(|cell| chunk < cell.chunks()) else {
                continue;
            };
            if shard.is_some_and(|shard| !shard.owns(plan, index, chunk)) {
                continue;
            }
            let find = |damaged: &mut _| find_part(paths, cell, index, chunk, hash, damaged);
            if cell.until.is_none() {
                if find(&mut progress.damaged).is_some() {
                    progress.sound.insert(cell.first_chunk + chunk);
                }
                continue;
            }
            // The chunks of such a cell count in order, without a gap, and up to the last one that it
            // needs.
            if precision.as_ref().is_none_or(|(of, ..)| *of != index) {
                precision = Some((index, 0, Precision::new(cell)));
            }
            if let Some((_, next, precision)) = &mut precision
                && *next == chunk
                && !progress.settled.contains(&index)
                && let Some(part) = find(&mut progress.damaged)
            {
                *next += 1;
                progress.sound.insert(cell.first_chunk + chunk);
                if precision.is_enough_with(&part) {
                    progress.settled.insert(index);
                }
            }
        }
        progress
    }

    /// How many chunks are there and sound.
    pub fn done(&self) -> u64 {
        self.sound.len() as u64
    }

    /// Whether a chunk is still to be done. Of a cell that may stop early only its first missing chunk
    /// is: what comes after it depends on it.
    pub fn is_missing(&self, plan: &Plan, index: usize, chunk: u64) -> bool {
        let cell = &plan.cells[index];
        let number = cell.first_chunk + chunk;
        self.shard.is_none_or(|shard| shard.owns(plan, index, chunk))
            && !self.sound.contains(&number)
            && (cell.until.is_none()
                || !self.settled.contains(&index)
                    && (chunk == 0 || self.sound.contains(&(number - 1))))
    }

    /// The chunks still to be done, (cell, chunk), one after another.
    pub fn missing<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = (usize, u64)> + 'a {
        let cells = plan.cells.iter().enumerate();
        let chunks = cells.flat_map(|(index, cell)| (0..cell.chunks()).map(move |it| (index, it)));
        chunks.filter(|&(index, chunk)| self.is_missing(plan, index, chunk))
    }
}

/// The parts in a folder by their names, (cell, chunk).
fn part_names(folder: &Path) -> Vec<(usize, u64)> {
    let Ok(entries) = folder.join(PARTS).read_dir() else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| part_name(&entry.file_name()));
    names.collect()
}

/// What a part's name says: the cell and the chunk.
pub(super) fn part_name(name: &std::ffi::OsStr) -> Option<(usize, u64)> {
    let name = name.to_str()?;
    let (cell, chunk) = name.strip_suffix(".csv")?.split_once('-')?;
    let (cell, chunk) = (cell.parse().ok()?, chunk.parse().ok()?);
    (part_file(cell, chunk) == name).then_some((cell, chunk))
}

fn part_file(cell: usize, chunk: u64) -> String {
    format!("{cell:05}-{chunk:06}.csv")
}

/// Where the part of a chunk is.
pub(crate) fn part_path(folder: &Path, cell: usize, chunk: u64) -> PathBuf {
    folder.join(PARTS).join(part_file(cell, chunk))
}

/// Watches whether a cell is precise enough to stop; decides by the runs in order alone.
///
/// It looks after every chunk, so the interval must be one that holds however often one looks.
pub struct Precision {
    until: Option<f64>,
    moments: Moments,
}

impl Precision {
    /// Before the first run of a cell.
    pub fn new(cell: &PlannedCell) -> Self {
        Precision { until: cell.until, moments: Moments::new() }
    }

    /// Takes in the next chunk; whether there are [`FEWEST_RUNS_TO_STOP`] runs and the interval of
    /// the mean is narrow enough now.
    pub fn is_enough_with(&mut self, part: &Part) -> bool {
        let Some(until) = self.until else { return false };
        for (run, messages) in part.runs.clone().zip(part.messages()) {
            self.moments.push(run, messages);
        }
        if self.moments.count() < FEWEST_RUNS_TO_STOP {
            return false;
        }
        match (self.moments.sequential_interval(CONFIDENCE), self.moments.mean()) {
            (Some((low, high)), Some(mean)) => (high - low) / 2.0 <= until * mean,
            _ => false,
        }
    }
}

pub(super) fn find_part(
    paths: &[PathBuf],
    cell: &PlannedCell,
    index: usize,
    chunk: u64,
    hash: &str,
    damaged: &mut Vec<(PathBuf, String)>,
) -> Option<Part> {
    for folder in paths {
        let path = part_path(folder, index, chunk);
        if !path.is_file() {
            continue;
        }
        match Part::read(&path, index, cell.chunk(chunk), hash) {
            Ok(part) => return Some(part),
            Err(problem) => damaged.push((path, problem)),
        }
    }
    None
}
