//! The folder of one experiment: its state, its locks, and how parts become tables.

use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Part, RUN_COLUMNS, UNFINISHED, write_whole};
use crate::error::{Error, Input, Result};
use crate::plan::{Plan, PlannedCell};
use crate::process::MAX_KINDS;
use crate::spec::{Spec, hex};
use crate::summarise::cells::CONFIDENCE;
use crate::summarise::moments::Moments;
use crate::summarise::sequential::FEWEST_RUNS_TO_STOP;

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

/// How far an experiment is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The chunks that are there and sound.
    pub done: u64,
    /// Those that are not: (cell, chunk).
    pub missing: Vec<(usize, u64)>,
    /// Parts that cannot be trusted, and why.
    pub damaged: Vec<(PathBuf, String)>,
}

/// The folder of an experiment.
pub struct Folder {
    path: PathBuf,
    hash: String,
    /// Held while this process works in the folder.
    _locks: Vec<File>,
}

impl Folder {
    /// Opens the folder for work; makes it if it is not there. A folder with anything else in it
    /// is refused, unless `force` says that it may go.
    pub fn open(path: &Path, spec: &Spec, shard: Option<Shard>, force: bool) -> Result<Self> {
        let hash = spec.hash()?;
        if force && path.join("spec.toml").exists() {
            let locks = lock(path, None)?;
            for name in ["manifest.json", "runs.csv", "kinds.csv", "cells.csv", "fits.csv"] {
                remove_file(&path.join(name))?;
            }
            remove_parts(path)?;
            remove_file(&path.join("spec.toml"))?;
            drop(locks);
        }
        let spec_path = path.join("spec.toml");
        if spec_path.exists() {
            let there = Folder::read_spec(path)?;
            if there.hash()? != hash {
                let problem = match there.seed == spec.seed {
                    true => "this folder holds the results of another spec".to_owned(),
                    false => format!("this folder holds the results of seed {}", there.seed),
                };
                return Err(in_the_way(path, problem));
            }
        } else {
            std::fs::create_dir_all(path).map_err(Error::file("make", path))?;
            let mut entries = path.read_dir().map_err(Error::file("read", path))?;
            // Another process may have just begun here, or was killed when it had.
            let ours = |name: &OsStr| name == "parts" || is_unfinished(name);
            if entries.any(|entry| entry.is_ok_and(|entry| !ours(&entry.file_name())))
                && !spec_path.exists()
            {
                return Err(in_the_way(path, "this folder holds something else".to_owned()));
            }
        }
        let parts = path.join("parts");
        if !path.join("runs.csv").exists() {
            std::fs::create_dir_all(&parts).map_err(Error::file("make", &parts))?;
        }
        let locks = if parts.exists() { lock(path, shard)? } else { Vec::new() };
        if !spec_path.exists() {
            let toml = spec.to_toml();
            write_whole(&spec_path, |file| {
                file.write_all(header().as_bytes())?;
                file.write_all(toml.as_bytes())
            })?;
        }
        let folder = Folder { path: path.to_owned(), hash, _locks: locks };
        if shard.is_none() && parts.exists() {
            // Nobody else is here: what has no name yet is from a process that was killed.
            remove_unfinished(path)?;
            if folder.is_complete() {
                remove_parts(path)?;
            } else {
                remove_unfinished(&parts)?;
            }
        }
        Ok(folder)
    }

    /// The spec that a folder holds the results of.
    pub fn read_spec(path: &Path) -> Result<Spec> {
        let spec_path = path.join("spec.toml");
        if !spec_path.exists() {
            let problem = "there is no spec.toml, so this is not a results folder";
            let remedy = "name a folder that hustings run has written";
            return Err(Input::new("folder", path.display(), problem, remedy).into());
        }
        let text = std::fs::read_to_string(&spec_path).map_err(Error::file("read", &spec_path))?;
        if !text.starts_with(&header()) {
            let first = text.lines().next().unwrap_or_default().trim_start_matches("# ");
            let problem = format!("these results are from {first:?}, this is {:?}", program());
            let remedy = "use the same version, or another folder";
            return Err(Input::new("folder", path.display(), problem, remedy).into());
        }
        Spec::parse(&text, &spec_path.display().to_string(), "results")
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether all is done.
    pub fn is_complete(&self) -> bool {
        self.path.join("runs.csv").exists() && self.path.join("manifest.json").exists()
    }

    fn part_path(folder: &Path, cell: usize, chunk: u64) -> PathBuf {
        folder.join("parts").join(format!("{cell:05}-{chunk:06}.csv"))
    }

    /// Writes the part of a chunk.
    pub fn write_part(&self, part: &Part, chunk: u64) -> Result<()> {
        part.write(&Folder::part_path(&self.path, part.cell, chunk), &self.hash)
    }

    /// The part of a chunk, if it is there and sound.
    pub fn read_part(&self, plan: &Plan, cell: usize, chunk: u64) -> Option<Part> {
        let path = Folder::part_path(&self.path, cell, chunk);
        Part::read(&path, cell, plan.cells[cell].chunk(chunk), &self.hash).ok()
    }

    /// Looks at every part, in this folder and in `others`.
    pub fn progress(paths: &[PathBuf], plan: &Plan, hash: &str, shard: Option<Shard>) -> Progress {
        let mut progress = Progress { done: 0, missing: Vec::new(), damaged: Vec::new() };
        for (index, cell) in plan.cells.iter().enumerate() {
            let mut precision = Precision::new(cell);
            for chunk in 0..cell.chunks() {
                if shard.is_some_and(|shard| !shard.owns(plan, index, chunk)) {
                    continue;
                }
                let found = find_part(paths, cell, index, chunk, hash, &mut progress.damaged);
                let Some(part) = found else {
                    progress.missing.push((index, chunk));
                    if cell.until.is_some() {
                        break;
                    }
                    continue;
                };
                progress.done += 1;
                if precision.is_enough_with(&part) {
                    break;
                }
            }
        }
        progress
    }

    /// Makes the tables out of the parts in `paths`, all of which must be there.
    pub fn assemble(&self, paths: &[PathBuf], plan: &Plan, spec: &Spec, work: &Work) -> Result<()> {
        let mut rows = 0u64;
        let mut cells = Vec::new();
        let mut kinds = Vec::new();
        let mut trouble = None;
        let mut hash = Sha256::new();
        write_whole(&self.path.join("runs.csv"), |file| {
            let mut emit = |text: &str, hash: &mut Sha256| {
                hash.update(text.as_bytes());
                file.write_all(text.as_bytes())
            };
            emit(&(RUN_COLUMNS.join(",") + "\n"), &mut hash)?;
            for (index, cell) in plan.cells.iter().enumerate() {
                let prefix = csv_fields(&cell.columns());
                let mut runs = 0;
                let mut sums = [0u64; MAX_KINDS];
                let mut precision = Precision::new(cell);
                for chunk in 0..cell.chunks() {
                    let mut damaged = Vec::new();
                    let Some(part) = find_part(paths, cell, index, chunk, &self.hash, &mut damaged)
                    else {
                        let gone = Folder::part_path(&self.path, index, chunk);
                        trouble = Some(damaged.pop().map_or(gone, |(path, _)| path));
                        return Err(std::io::Error::other("a part is gone"));
                    };
                    let mut lines = String::with_capacity(part.rows.len() * 3);
                    for row in part.rows.lines() {
                        lines.push_str(&prefix);
                        lines.push(',');
                        lines.push_str(row);
                        lines.push('\n');
                        runs += 1;
                    }
                    emit(&lines, &mut hash)?;
                    for (sum, count) in sums.iter_mut().zip(part.kinds) {
                        *sum += count;
                    }
                    if precision.is_enough_with(&part) {
                        break;
                    }
                }
                rows += runs;
                kinds.push((prefix, runs, sums));
                cells.push(manifest_cell(cell, runs));
            }
            Ok(())
        })
        .map_err(|error| match trouble {
            None => error,
            Some(path) => {
                let problem = "this part has gone or was damaged while the tables were made";
                Input::new("part", path.display(), problem, "run the same command again").into()
            }
        })?;
        self.write_kinds(plan, &kinds)?;
        let manifest = json!({
            "program": "hustings",
            "version": env!("CARGO_PKG_VERSION"),
            "commit": option_env!("HUSTINGS_COMMIT"),
            "seed": plan.seed,
            "spec_hash": self.hash,
            "spec": spec.to_toml(),
            "rows": rows,
            "runs_sha256": hex(&hash.finalize()),
            "host": host(),
            "start": work.start,
            "end": now(),
            "cells": cells,
        });
        let text = format!("{manifest:#}\n");
        write_whole(&self.path.join("manifest.json"), |file| file.write_all(text.as_bytes()))?;
        remove_parts(&self.path)
    }

    fn write_kinds(&self, plan: &Plan, kinds: &[(String, u64, [u64; MAX_KINDS])]) -> Result<()> {
        write_whole(&self.path.join("kinds.csv"), |file| {
            writeln!(file, "{},kind,messages_mean", RUN_COLUMNS[..7].join(","))?;
            for (cell, (prefix, runs, sums)) in plan.cells.iter().zip(kinds) {
                for (name, sum) in cell.cell.algorithm.kinds.names().iter().zip(sums) {
                    writeln!(file, "{prefix},{name},{}", *sum as f64 / *runs as f64)?;
                }
            }
            Ok(())
        })
    }
}

/// What the manifest says about the work itself.
pub struct Work {
    /// When it began, in seconds since 1970.
    pub start: u64,
}

impl Work {
    /// Begins now.
    pub fn begin() -> Self {
        Work { start: now() }
    }
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
        for (run, messages) in part.messages() {
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

fn find_part(
    paths: &[PathBuf],
    cell: &PlannedCell,
    index: usize,
    chunk: u64,
    hash: &str,
    damaged: &mut Vec<(PathBuf, String)>,
) -> Option<Part> {
    for folder in paths {
        let path = Folder::part_path(folder, index, chunk);
        if !path.exists() {
            continue;
        }
        match Part::read(&path, index, cell.chunk(chunk), hash) {
            Ok(part) => return Some(part),
            Err(problem) => damaged.push((path, problem)),
        }
    }
    None
}

fn manifest_cell(cell: &PlannedCell, runs: u64) -> serde_json::Value {
    let [algorithm, topology, layout, ids, initiators, timing, _] = cell.columns();
    json!({
        "algorithm": algorithm,
        "topology": topology,
        "layout": layout,
        "ids": ids,
        "initiators": initiators,
        "timing": timing,
        "n": cell.cell.n,
        "runs": runs,
        "engine": cell.method.to_string(),
        // An interval that decides when to stop must be another than that of a fixed number of runs.
        "sequential": cell.until.is_some(),
    })
}

/// Fields as one line of CSV, without its end.
fn csv_fields(fields: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok());
    // Writing to memory cannot fail.
    let line = String::from_utf8(written.unwrap_or_default()).unwrap_or_default();
    line.trim_end().to_owned()
}

fn program() -> String {
    format!("hustings {}", env!("CARGO_PKG_VERSION"))
}

/// The first line of `spec.toml`: results of different versions do not mix.
fn header() -> String {
    format!("# {}\n", program())
}

fn in_the_way(path: &Path, problem: String) -> Error {
    let remedy = "choose another folder with --out or name, or replace it with --force";
    Input::new("folder", path.display(), problem, remedy).into()
}

/// Locks the folder for this process: a whole run keeps everybody out, a shard only its like.
fn lock(path: &Path, shard: Option<Shard>) -> Result<Vec<File>> {
    let parts = path.join("parts");
    if !parts.exists() {
        return Ok(Vec::new());
    }
    let all = parts.join("lock");
    let mut locks = vec![take_lock(path, &all, shard.is_none())?];
    if let Some(Shard { index, count }) = shard {
        let own = parts.join(format!("lock-{index}-of-{count}"));
        locks.push(take_lock(path, &own, true)?);
    }
    Ok(locks)
}

fn take_lock(folder: &Path, path: &Path, exclusive: bool) -> Result<File> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(Error::file("open", path))?;
    let locked = if exclusive { file.try_lock() } else { file.try_lock_shared() };
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let problem = "another process is working in this folder";
            let remedy = "wait for it to end, or use another --out";
            Err(Input::new("folder", folder.display(), problem, remedy).into())
        }
        Err(TryLockError::Error(error)) => Err(Error::file("lock", path)(error)),
    }
}

/// Whether a file was being written when its process ended.
fn is_unfinished(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(UNFINISHED)
}

fn remove_unfinished(folder: &Path) -> Result<()> {
    for entry in folder.read_dir().map_err(Error::file("read", folder))?.flatten() {
        if is_unfinished(&entry.file_name()) {
            remove_file(&entry.path())?;
        }
    }
    Ok(())
}

fn remove_file(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", path)(error))
        }
        _ => Ok(()),
    }
}

fn remove_parts(path: &Path) -> Result<()> {
    let parts = path.join("parts");
    match std::fs::remove_dir_all(&parts) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", &parts)(error))
        }
        _ => Ok(()),
    }
}

fn host() -> serde_json::Value {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    json!({
        "name": name.as_deref().map(str::trim),
        "system": std::env::consts::OS,
        "processor": std::env::consts::ARCH,
        "cores": std::thread::available_parallelism().ok(),
    })
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |elapsed| elapsed.as_secs())
}
