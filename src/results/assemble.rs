//! From the parts to the tables.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::columns::{header, kind_header};
use super::folder::{Folder, remove_parts};
use super::manifest::{Host, Manifest, ManifestCell};
use super::part::Part;
use super::progress::{Precision, find_part, part_path};
use super::write::write_whole;
use crate::experiment::error::{Error, Result};
use crate::experiment::hash::hex;
use crate::experiment::plan::{Plan, PlannedCell};
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::message::MAX_KINDS;
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
        let mut assembly =
            Assembly { folder: self, paths, plan, stop, cells: Vec::new(), gone: None };
        let runs_sha256 = assembly.write_runs()?;
        let kinds_sha256 = assembly.write_kinds()?;
        let cells = assembly.cells.iter().zip(&plan.cells);
        let manifest = Manifest {
            program: "hustings".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("HUSTINGS_COMMIT").map(str::to_owned),
            seed: plan.seed,
            spec_hash: self.hash().to_owned(),
            spec: spec.to_toml(),
            rows: assembly.cells.iter().map(|cell| cell.runs).sum(),
            runs_sha256,
            kinds_sha256,
            host: Some(Host::this()),
            start: Some(work.start),
            end: Some(now()),
            cells: cells.map(|(assembled, cell)| manifest_cell(cell, assembled.runs)).collect(),
        };
        manifest.write(self.path())?;
        remove_parts(self.path())
    }
}

/// The tables in the making.
struct Assembly<'a> {
    folder: &'a Folder,
    paths: &'a [PathBuf],
    plan: &'a Plan,
    stop: &'a Stop,
    /// The cells whose runs are written.
    cells: Vec<Assembled>,
    /// A part that is not there any more.
    gone: Option<PathBuf>,
}

/// A cell whose runs are written.
struct Assembled {
    /// How its rows begin.
    prefix: String,
    runs: u64,
    /// Messages by kind, of all runs together.
    kinds: [u64; MAX_KINDS],
}

impl Assembly<'_> {
    /// Writes `runs.csv` and gives its hash.
    fn write_runs(&mut self) -> Result<String> {
        let written = write_hashed(&self.folder.path().join("runs.csv"), |file| {
            writeln!(file, "{}", header())?;
            for index in 0..self.plan.cells.len() {
                let assembled = self.write_cell(file, index)?;
                self.cells.push(assembled);
            }
            Ok(())
        });
        written.map_err(|error| match self.gone.take() {
            None => error,
            Some(_) if self.stop.is_asked() => Error::Interrupted,
            Some(path) => {
                let problem = "this part has gone or was damaged while the tables were made";
                Input::new("part", path.display(), problem, "run the same command again").into()
            }
        })
    }

    fn write_cell(&mut self, file: &mut dyn Write, index: usize) -> std::io::Result<Assembled> {
        let cell = &self.plan.cells[index];
        let prefix = csv_fields(&cell.key().columns());
        let mut assembled = Assembled { prefix, runs: 0, kinds: [0; MAX_KINDS] };
        let mut precision = Precision::new(cell);
        for chunk in 0..cell.chunks() {
            let part = self.part(index, chunk)?;
            let mut lines = String::with_capacity(part.rows.len() * 3);
            for row in part.rows.lines() {
                lines.push_str(&assembled.prefix);
                lines.push(',');
                lines.push_str(row);
                lines.push('\n');
                assembled.runs += 1;
            }
            file.write_all(lines.as_bytes())?;
            for (sum, count) in assembled.kinds.iter_mut().zip(part.kinds) {
                *sum += count;
            }
            if precision.is_enough_with(&part) {
                break;
            }
        }
        Ok(assembled)
    }

    /// The part of a chunk, unless it is gone or somebody asks to stop.
    fn part(&mut self, index: usize, chunk: u64) -> std::io::Result<Part> {
        let cell = &self.plan.cells[index];
        let mut damaged = Vec::new();
        let hash = self.folder.hash();
        let found = find_part(self.paths, cell, index, chunk, hash, &mut damaged);
        found.filter(|_| !self.stop.is_asked()).ok_or_else(|| {
            let missing = part_path(self.folder.path(), index, chunk);
            self.gone = Some(damaged.pop().map_or(missing, |(path, _)| path));
            std::io::Error::other("a part is gone")
        })
    }

    /// Writes `kinds.csv` and gives its hash.
    fn write_kinds(&self) -> Result<String> {
        write_hashed(&self.folder.path().join("kinds.csv"), |file| {
            writeln!(file, "{}", kind_header())?;
            for (cell, Assembled { prefix, runs, kinds }) in self.plan.cells.iter().zip(&self.cells)
            {
                for (name, sum) in cell.cell.algorithm().kinds.names().zip(kinds) {
                    writeln!(file, "{prefix},{name},{}", *sum as f64 / *runs as f64)?;
                }
            }
            Ok(())
        })
    }
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
fn write_hashed(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<String> {
    struct Hashed<'a> {
        file: &'a mut dyn Write,
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
