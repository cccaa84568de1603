//! From the parts to the tables.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::columns::{header, kind_header};
use super::folder::{Experiment, Folder, remove_parts};
use super::manifest::{Host, Manifest, ManifestCell};
use super::package::{Resource, run_resources, write_package};
use super::part::Part;
use super::progress::{Precision, find_part, part_path};
use super::write::write_whole;
use crate::experiment::error::{Error, Result};
use crate::experiment::hash::hex;
use crate::experiment::plan::{Plan, PlannedCell};
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::message::MAX_KINDS;
use crate::model::random::RAND_VERSION;
use crate::model::stop::Stop;

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

impl Folder {
    /// Makes the tables out of the parts in `paths`, all of which must be there.
    pub fn assemble(
        &self,
        paths: &[PathBuf],
        plan: &Plan,
        spec: &Spec,
        work: &Work,
        stop: &Stop,
    ) -> Result<()> {
        let parts = Parts { folder: self, paths, plan, stop };
        let (runs_sha256, assembled) = write_runs(&parts)?;
        let kinds_sha256 = write_kinds(&parts, &assembled)?;
        let cells = assembled.iter().zip(&plan.cells);
        let tables = Tables {
            flips_coins: plan.cells.iter().any(|it| it.cell.algorithm().model.flips_coins),
            rows: assembled.iter().map(|cell| cell.runs).sum(),
            runs_sha256,
            kinds_sha256,
            cells: cells.map(|(assembled, cell)| manifest_cell(cell, assembled.runs)).collect(),
            name: spec.name.clone(),
            resources: run_resources(),
        };
        self.seal(spec, tables, work)
    }

    /// Writes the schema and then the manifest, after which all is done, and removes the parts.
    pub(crate) fn seal(&self, spec: &impl Experiment, tables: Tables, work: &Work) -> Result<()> {
        let Tables { flips_coins, rows, runs_sha256, kinds_sha256, cells, name, resources } =
            tables;
        write_package(self.path(), &name, &resources)?;
        let manifest = Manifest {
            program: "hustings".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("HUSTINGS_COMMIT").map(str::to_owned),
            rand: flips_coins.then(|| RAND_VERSION.to_owned()),
            seed: spec.seed(),
            spec_hash: self.hash().to_owned(),
            spec: spec.text(),
            rows,
            runs_sha256,
            kinds_sha256,
            host: Some(Host::this()),
            start: Some(work.start),
            end: Some(now()),
            cells,
        };
        manifest.write(self.path())?;
        remove_parts(self.path())
    }
}

/// The tables that are written, as the manifest tells of them.
pub(crate) struct Tables {
    /// Whether an algorithm drew with `rand`.
    pub flips_coins: bool,
    /// The rows of `runs.csv`.
    pub rows: u64,
    /// The hash of `runs.csv`.
    pub runs_sha256: String,
    /// The hash of `kinds.csv`.
    pub kinds_sha256: String,
    /// The cells, where they are those of elections.
    pub cells: Vec<ManifestCell>,
    /// The name of the experiment.
    pub name: String,
    /// What stands in their columns.
    pub resources: Vec<Resource>,
}

/// Where the parts are.
struct Parts<'a> {
    folder: &'a Folder,
    paths: &'a [PathBuf],
    plan: &'a Plan,
    stop: &'a Stop,
}

/// A part as it will stand in the table.
struct Lines {
    cell: usize,
    text: String,
    /// The part, or the file that is gone or cannot be trusted.
    part: std::result::Result<Part, PathBuf>,
}

impl Parts<'_> {
    /// The lines of a chunk.
    fn lines(&self, (cell, chunk): (usize, u64)) -> Lines {
        let planned = &self.plan.cells[cell];
        let mut damaged = Vec::new();
        let hash = self.folder.hash();
        let found = find_part(self.paths, planned, cell, chunk, hash, &mut damaged);
        let mut text = String::new();
        if let Some(part) = &found {
            let prefix = csv_fields(&planned.key().columns()) + ",";
            text.reserve(
                part.rows.len() + (part.runs.end - part.runs.start) as usize * prefix.len(),
            );
            for row in part.rows.split_inclusive('\n') {
                text.push_str(&prefix);
                text.push_str(row);
            }
        }
        let missing = || part_path(self.folder.path(), cell, chunk);
        let part = found.ok_or_else(|| damaged.pop().map_or_else(missing, |(path, _)| path));
        Lines { cell, text, part }
    }
}

/// A cell whose runs are written.
struct Assembled {
    runs: u64,
    /// Messages by kind, of all runs together.
    kinds: [u64; MAX_KINDS],
    precision: Precision,
    /// Whether no further chunk is needed.
    settled: bool,
}

impl Assembled {
    fn new(cell: &PlannedCell) -> Self {
        let precision = Precision::new(cell);
        Assembled { runs: 0, kinds: [0; MAX_KINDS], precision, settled: false }
    }

    fn add(&mut self, part: &Part) {
        self.runs += part.runs.end - part.runs.start;
        for (sum, count) in self.kinds.iter_mut().zip(part.kinds) {
            *sum += count;
        }
        self.settled = self.precision.is_enough_with(part);
    }
}

/// Writes `runs.csv`, and gives its hash and what is in it.
///
/// The table is hashed from its first byte to its last, which is work for one thread; meanwhile the
/// others make the lines that come next.
fn write_runs(parts: &Parts<'_>) -> Result<(String, Vec<Assembled>)> {
    let window = 2 * rayon::current_num_threads();
    let mut assembled: Vec<Assembled> = parts.plan.cells.iter().map(Assembled::new).collect();
    let mut gone = None;
    let written = write_hashed(&parts.folder.path().join("runs.csv"), |file| {
        writeln!(file, "{}", header())?;
        let cells = parts.plan.cells.iter().enumerate();
        let mut places =
            cells.flat_map(|(index, cell)| (0..cell.chunks()).map(move |chunk| (index, chunk)));
        let mut made: Vec<Lines> = Vec::new();
        loop {
            // What is not needed is not looked for.
            let needed = places.by_ref().filter(|&(cell, _)| !assembled[cell].settled);
            let next: Vec<(usize, u64)> = needed.take(window).collect();
            if next.is_empty() && made.is_empty() {
                return Ok(());
            }
            let write = || write_lines(file, &made, &mut assembled, &mut gone);
            let make = || next.into_par_iter().map(|place| parts.lines(place)).collect();
            let (written, next) = rayon::join(write, make);
            written?;
            made = next;
            if parts.stop.is_asked() {
                return Err(std::io::Error::other("somebody asked to stop"));
            }
        }
    });
    let hash = written.map_err(|error| match gone.take() {
        _ if parts.stop.is_asked() => Error::Interrupted,
        None => error,
        Some(path) => {
            let path: PathBuf = path;
            let problem = "this part has gone or was damaged while the tables were made";
            Input::new("part", path.display(), problem, "run the same command again").into()
        }
    })?;
    Ok((hash, assembled))
}

/// Writes lines in their order, those that are needed.
fn write_lines(
    file: &mut (dyn Write + Send),
    lines: &[Lines],
    assembled: &mut [Assembled],
    gone: &mut Option<PathBuf>,
) -> std::io::Result<()> {
    for Lines { cell, text, part } in lines {
        let cell = &mut assembled[*cell];
        if cell.settled {
            continue;
        }
        match part {
            Ok(part) => cell.add(part),
            Err(path) => {
                *gone = Some(path.clone());
                return Err(std::io::Error::other("a part is gone"));
            }
        }
        file.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Writes `kinds.csv` and gives its hash.
fn write_kinds(parts: &Parts<'_>, assembled: &[Assembled]) -> Result<String> {
    write_hashed(&parts.folder.path().join("kinds.csv"), |file| {
        writeln!(file, "{}", kind_header())?;
        for (cell, Assembled { runs, kinds, .. }) in parts.plan.cells.iter().zip(assembled) {
            let prefix = csv_fields(&cell.key().columns());
            for (name, sum) in cell.cell.algorithm().kinds.names().zip(kinds) {
                writeln!(file, "{prefix},{name},{}", *sum as f64 / *runs as f64)?;
            }
        }
        Ok(())
    })
}

fn manifest_cell(cell: &PlannedCell, runs: u64) -> ManifestCell {
    ManifestCell {
        key: cell.key().clone(),
        runs,
        engine: cell.method.to_string(),
        sequential: cell.until.is_some(),
    }
}

/// Fields as one line of CSV, without its end.
fn csv_fields(fields: &[Cow<'_, str>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer
        .write_record(fields.iter().map(|it| it.as_bytes()))
        .ok()
        .and_then(|()| writer.into_inner().ok());
    // Writing to memory cannot fail.
    let line = String::from_utf8(written.unwrap_or_default()).unwrap_or_default();
    line.trim_end().to_owned()
}

/// Writes a file as a whole and gives its hash.
pub(crate) fn write_hashed(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> std::io::Result<()>,
) -> Result<String> {
    struct Hashed<'a> {
        file: &'a mut (dyn Write + Send),
        hash: Sha256,
    }
    impl Write for Hashed<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let written = self.file.write(bytes)?;
            self.hash.update(&bytes[..written]);
            Ok(written)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.file.flush()
        }
    }
    let mut digest = String::new();
    write_whole(path, |file| {
        let mut hashed = Hashed { file, hash: Sha256::new() };
        write(&mut hashed)?;
        digest = hex(&hashed.hash.finalize());
        Ok(())
    })?;
    Ok(digest)
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |elapsed| elapsed.as_secs())
}
