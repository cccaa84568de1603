//! Results read back: the runs of a folder one after another, and what its manifest says.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::columns::{kind_columns, kind_header};
use super::folder::{Folder, check_spec, missing_file};
use super::manifest::Manifest;
use super::rows::{Rows, Run};
use crate::engine::Registry;
use crate::experiment::cell::Cell;
use crate::experiment::error::{Error, Result};
use crate::experiment::key::CellKey;
use crate::experiment::spec::Spec;
use crate::model::error::Input;

/// A cell of a results folder.
#[derive(Debug, Clone)]
pub struct CellRecord {
    /// The cell.
    pub cell: Cell,
    /// How many runs it has.
    pub runs: u64,
    /// Who carried them out: simulate or count.
    pub engine: String,
    /// Whether the runs themselves decided when to stop.
    pub sequential: bool,
}

impl CellRecord {
    /// What tells it from other cells.
    pub fn key(&self) -> &CellKey {
        self.cell.key()
    }
}

/// The kinds of a cell's messages, each with its mean number in a run.
pub type KindMeans = Vec<(String, f64)>;

/// A complete results folder of this version.
#[derive(Debug, Clone)]
pub struct Results {
    path: PathBuf,
    /// The experiment, with what its files said.
    pub spec: Spec,
    /// How it came about.
    pub manifest: Manifest,
    /// The master seed.
    pub seed: u64,
    /// The cells, in the order of the rows.
    pub cells: Vec<CellRecord>,
}

impl Results {
    /// Opens a results folder. One that is not complete, is of another version or whose files do not
    /// belong together is refused: everything that reads results begins here. The runs themselves
    /// are checked by who reads them: [`Results::gather`].
    pub fn open(path: &Path, registry: &Registry) -> Result<Self> {
        let refuse = |problem: &str, remedy: &str| -> Error {
            Input::new("folder", path.display(), problem, remedy).into()
        };
        if !path.is_dir() {
            let problem = "there is no such folder";
            return Err(refuse(problem, "name a folder that hustings run has written"));
        }
        if let Some(missing) = missing_file(path) {
            return Err(if path.join("spec.toml").exists() {
                let problem = format!("there is no {missing}, so the runs are not complete");
                let remedy = "finish hustings run (the same command goes on where it stopped), or \
                              hustings merge if there are shards";
                refuse(&problem, remedy)
            } else {
                let problem = format!("there is no {missing}, so this is not a results folder");
                refuse(&problem, "name a folder in which hustings run has finished")
            });
        }
        let spec = Folder::read_spec(path, registry)?;
        let manifest = Manifest::read(path)?;
        check_spec(path, &manifest, &spec)?;
        manifest.check_kinds(path)?;
        let cells = cells(path, &spec, &manifest)?;
        Ok(Results { path: path.to_owned(), seed: manifest.seed, spec, manifest, cells })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses a folder whose runs are not those that were written.
    pub fn check_runs(&self) -> Result<()> {
        self.manifest.check_tables(&self.path)
    }

    /// Its runs from one on, which begins at this place of the file. Nothing is checked as a whole:
    /// that was done by who found the place.
    pub fn rows_at(&self, offset: u64) -> Result<Rows> {
        Rows::open_at(&self.path.join("runs.csv"), offset)
    }

    /// Goes through all runs once. `begin` makes what a cell's runs are gathered in (it is told where
    /// in the file they begin), `take` gathers one, and `end` closes a cell. Only one cell is in
    /// memory at a time.
    ///
    /// The cells must be those of the manifest, in its order and with as many runs, and the file must
    /// be as it was written: what was gathered counts only if all was well.
    pub fn gather<T>(
        &self,
        begin: impl FnMut(&CellRecord, u64) -> T,
        take: impl FnMut(&mut T, &Run<'_>),
        end: impl FnMut(T, &CellRecord),
    ) -> Result<()> {
        let mut rows = Rows::open(&self.path.join("runs.csv"))?;
        let gathered = self.gather_from(&mut rows, begin, take, end);
        // A file that was changed may say anything: that it was changed comes first.
        self.manifest.check_runs_hash(&self.path, &rows.into_hash()?)?;
        gathered
    }

    fn gather_from<T>(
        &self,
        rows: &mut Rows,
        mut begin: impl FnMut(&CellRecord, u64) -> T,
        mut take: impl FnMut(&mut T, &Run<'_>),
        mut end: impl FnMut(T, &CellRecord),
    ) -> Result<()> {
        rows.read_header()?;
        let mut records = self.cells.iter();
        let mut open: Option<(T, &CellRecord)> = None;
        let mut seen = 0;
        while rows.advance()? {
            if rows.is_first() {
                let next = records.next().filter(|record| record.key() == rows.key());
                let record = next.ok_or_else(|| {
                    let problem = "manifest.json names no such cell at this place";
                    rows.refuse("cell", &rows.key().words(), problem)
                })?;
                if let Some((gathered, record)) = open.take() {
                    self.check_count(record, seen)?;
                    end(gathered, record);
                }
                seen = 0;
                open = Some((begin(record, rows.offset()), record));
            }
            seen += 1;
            if let Some((gathered, _)) = &mut open {
                rows.with_run(|run| take(gathered, run));
            }
        }
        if let Some((gathered, record)) = open {
            self.check_count(record, seen)?;
            end(gathered, record);
        }
        match records.next() {
            Some(record) => self.check_count(record, 0),
            None => Ok(()),
        }
    }

    fn check_count(&self, record: &CellRecord, seen: u64) -> Result<()> {
        if seen == record.runs {
            return Ok(());
        }
        let problem = format!(
            "{} has {seen} runs of {}, and manifest.json says {}",
            self.path.join("runs.csv").display(),
            record.key().words(),
            record.runs
        );
        let remedy = "the file was cut off or changed: restore it, or repeat the experiment with \
                      hustings run --force";
        Err(Input::new("runs", seen, problem, remedy).into())
    }

    /// What the messages of every cell are for.
    pub fn kinds(&self) -> Result<HashMap<CellKey, KindMeans>> {
        let path = self.path.join("kinds.csv");
        let bad = |problem: String| -> Error {
            let remedy = "restore the file, or repeat the experiment with hustings run --force";
            Input::new("kinds", path.display(), problem, remedy).into()
        };
        let mut reader = csv::Reader::from_path(&path).map_err(|error| bad(error.to_string()))?;
        let header = reader.headers().map_err(|error| bad(error.to_string()))?;
        if !header.iter().eq(kind_columns()) {
            return Err(bad(format!("the first line is not {}", kind_header())));
        }
        let mut table: HashMap<CellKey, KindMeans> = HashMap::new();
        for record in reader.records() {
            let record = record.map_err(|error| bad(error.to_string()))?;
            let mut fields = record.iter().map(str::to_owned);
            let mut field = || fields.next().unwrap_or_default();
            let key = CellKey::from_columns(std::array::from_fn(|_| field()));
            let (kind, mean) = (field(), field());
            let messages = mean.parse::<f64>().ok().filter(|it| it.is_finite() && *it >= 0.0);
            let (Some(key), Some(messages)) = (key, messages) else {
                return Err(bad(format!("{:?} is no row of it", record.as_slice())));
            };
            table.entry(key).or_default().push((kind, messages));
        }
        Ok(table)
    }
}

/// The cells of the spec with what the manifest says about each; the two must agree.
fn cells(path: &Path, spec: &Spec, manifest: &Manifest) -> Result<Vec<CellRecord>> {
    let planned = spec.cells();
    let agree = planned.len() == manifest.cells.len()
        && planned.iter().zip(&manifest.cells).all(|(cell, record)| *cell.key() == record.key);
    if !agree {
        let problem = "its cells are not those of spec.toml";
        let remedy = "restore the file, or repeat the experiment with hustings run --force";
        let manifest = path.join("manifest.json");
        return Err(Input::new("manifest", manifest.display(), problem, remedy).into());
    }
    let pairs = planned.into_iter().zip(&manifest.cells);
    Ok(pairs
        .map(|(cell, record)| CellRecord {
            cell,
            runs: record.runs,
            engine: record.engine.clone(),
            sequential: record.sequential,
        })
        .collect())
}
