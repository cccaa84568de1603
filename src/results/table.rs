//! Results read back: the runs of a folder one after another, and what its manifest says.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use csv::{ByteRecord, ErrorKind, Position};

use super::{Folder, Manifest, ManifestCell, RUN_COLUMNS, missing_file, other_spec};
use crate::experiment::cell::Cell;
use crate::experiment::error::{Error, Result};
use crate::experiment::files::Files;
use crate::experiment::layout::{GIVEN, Ids, Layout};
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::topology::Topology;

/// The number of columns that tell one cell from another.
pub const CELL_COLUMNS: usize = 7;

/// What one cell's rows have in common, as it is written: algorithm, topology, layout, ids,
/// initiators, timing, n.
pub type Columns = [String; CELL_COLUMNS];

/// A cell of a results folder.
#[derive(Clone)]
pub struct CellRecord {
    /// Its columns.
    pub columns: Columns,
    /// What they say.
    pub cell: Cell,
    /// How many runs it has.
    pub runs: u64,
    /// Who carried them out: simulate or count.
    pub engine: String,
    /// Whether the runs themselves decided when to stop.
    pub sequential: bool,
}

/// A complete results folder, checked to be as it was written.
#[derive(Clone)]
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
    /// Opens a results folder. One that is not complete, is of another version or was changed is
    /// refused: everything that reads results begins here.
    pub fn open(path: &Path) -> Result<Self> {
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
        let spec = Folder::read_spec(path)?;
        let manifest = Manifest::read(path)?;
        if manifest.spec_hash != spec.hash() || manifest.seed != spec.seed {
            return Err(other_spec(path));
        }
        manifest.check_tables(path)?;
        let files = spec.kept_files();
        let cells = manifest.cells.iter().map(|it| CellRecord::new(it, &files));
        let cells = cells.collect::<Result<Vec<_>>>()?;
        Ok(Results { path: path.to_owned(), seed: manifest.seed, spec, manifest, cells })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its runs, from the first.
    pub fn rows(&self) -> Result<Rows> {
        Rows::open(&self.path.join("runs.csv"))
    }

    /// Goes through all runs once. `begin` makes what a cell's runs are gathered in (it is told where
    /// they begin), `take` gathers one, and `end` closes a cell. Only one cell is in memory at a time.
    ///
    /// The cells must be those of the manifest, in its order and with as many runs.
    pub fn gather<T>(
        &self,
        mut begin: impl FnMut(&Cell, &Position) -> T,
        mut take: impl FnMut(&mut T, &Run),
        mut end: impl FnMut(T, &CellRecord),
    ) -> Result<()> {
        let mut rows = self.rows()?;
        let mut records = self.cells.iter();
        let mut open: Option<(T, &CellRecord)> = None;
        let mut seen = 0;
        while let Some(run) = rows.next_run()? {
            if run.is_first {
                let next = records.next().filter(|record| record.columns == *rows.columns());
                let record = next.ok_or_else(|| {
                    let cell = rows.columns().join(" ");
                    rows.refuse("cell", &cell, "manifest.json names no such cell at this place")
                })?;
                if let Some((gathered, record)) = open.take() {
                    self.check_runs(record, seen)?;
                    end(gathered, record);
                }
                seen = 0;
                open = Some((begin(&record.cell, rows.position()), record));
            }
            seen += 1;
            if let Some((gathered, _)) = &mut open {
                take(gathered, &run);
            }
        }
        if let Some((gathered, record)) = open {
            self.check_runs(record, seen)?;
            end(gathered, record);
        }
        match records.next() {
            Some(record) => self.check_runs(record, 0),
            None => Ok(()),
        }
    }

    fn check_runs(&self, record: &CellRecord, seen: u64) -> Result<()> {
        if seen == record.runs {
            return Ok(());
        }
        let problem = format!(
            "{} has {seen} runs of {}, and manifest.json says {}",
            self.path.join("runs.csv").display(),
            record.columns.join(" "),
            record.runs
        );
        let remedy = "the file was cut off or changed: restore it, or repeat the experiment with \
                      hustings run --force";
        Err(Input::new("runs", seen, problem, remedy).into())
    }
}

/// One run, as far as statistics need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Its number.
    pub run: u64,
    /// Its messages.
    pub messages: u64,
    /// Whether it is the first of its cell.
    pub is_first: bool,
}

/// Reads `runs.csv` row by row; the columns may stand in any order.
pub struct Rows {
    path: PathBuf,
    reader: csv::Reader<File>,
    record: ByteRecord,
    /// Where the columns of the cell, the run and the messages stand.
    places: [usize; CELL_COLUMNS],
    run_place: usize,
    messages_place: usize,
    end_place: Option<usize>,
    /// The cell of the last row, and those that are over.
    columns: Columns,
    over: HashSet<Columns>,
    last_run: Option<u64>,
    /// Where the last row began.
    position: Position,
}

impl Rows {
    fn open(path: &Path) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new()
            .buffer_capacity(1 << 18)
            .from_path(path)
            .map_err(|error| csv_error(path, error))?;
        let header = reader.byte_headers().map_err(|error| csv_error(path, error))?.clone();
        let place = |name: &str| {
            header.iter().position(|column| column == name.as_bytes()).ok_or_else(|| {
                let problem = "this column is missing";
                let remedy = "use the runs.csv that hustings run has written";
                let error = Input::new("column", name, problem, remedy);
                Input { place: Some(format!("{}, line 1", path.display())), ..error }
            })
        };
        let mut places = [0; CELL_COLUMNS];
        for (number, name) in places.iter_mut().zip(RUN_COLUMNS) {
            *number = place(name)?;
        }
        Ok(Rows {
            path: path.to_owned(),
            run_place: place("run")?,
            messages_place: place("messages")?,
            end_place: place("end").ok(),
            places,
            reader,
            record: ByteRecord::new(),
            columns: Columns::default(),
            over: HashSet::new(),
            last_run: None,
            position: Position::new(),
        })
    }

    /// Goes to where a row begins.
    pub fn seek(&mut self, position: &Position) -> Result<()> {
        self.reader.seek(position.clone()).map_err(|error| csv_error(&self.path, error))?;
        self.last_run = None;
        self.over.clear();
        self.columns = Columns::default();
        Ok(())
    }

    /// Where the last row began.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// When the last message of the last row's run arrived, where that is known.
    pub fn end(&self) -> Option<f64> {
        let bytes = self.record.get(self.end_place?)?;
        std::str::from_utf8(bytes).ok()?.parse().ok().filter(|end: &f64| end.is_finite())
    }

    /// The columns of the cell that the last row belongs to.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The next run; `None` after the last.
    pub fn next_run(&mut self) -> Result<Option<Run>> {
        self.position = self.reader.position().clone();
        let more = self.reader.read_byte_record(&mut self.record);
        if !more.map_err(|error| csv_error(&self.path, error))? {
            return Ok(None);
        }
        let run = self.number(self.run_place, "run")?;
        let messages = self.number(self.messages_place, "messages")?;
        let same = self.last_run.is_some()
            && (self.places.iter().zip(&self.columns))
                .all(|(&place, column)| self.record.get(place) == Some(column.as_bytes()));
        if !same {
            self.enter_cell()?;
        } else if self.last_run >= Some(run) {
            let problem = "run numbers rise within a cell";
            return Err(self.refuse("run", &run.to_string(), problem));
        }
        self.last_run = Some(run);
        Ok(Some(Run { run, messages, is_first: !same }))
    }

    fn enter_cell(&mut self) -> Result<()> {
        let mut columns = Columns::default();
        for ((column, &place), name) in columns.iter_mut().zip(&self.places).zip(RUN_COLUMNS) {
            let bytes = self.record.get(place).unwrap_or_default();
            *column = String::from_utf8(bytes.to_vec()).map_err(|_| {
                self.refuse(name, &String::from_utf8_lossy(bytes), "this is not text in UTF-8")
            })?;
        }
        let before = std::mem::replace(&mut self.columns, columns);
        if self.last_run.is_some() {
            self.over.insert(before);
        }
        if self.over.contains(&self.columns) {
            let cell = self.columns.join(" ");
            return Err(self.refuse("cell", &cell, "the rows of a cell stand together"));
        }
        Ok(())
    }

    fn number(&self, place: usize, name: &str) -> Result<u64> {
        let bytes = self.record.get(place).unwrap_or_default();
        let digits = std::str::from_utf8(bytes).ok().filter(|text| !text.starts_with('+'));
        digits.and_then(|text| text.parse().ok()).ok_or_else(|| {
            let value = String::from_utf8_lossy(bytes);
            self.refuse(name, &value, "this is not a whole number from 0 to 2^64 - 1")
        })
    }

    fn place(&self) -> String {
        let line = self.record.position().map_or(0, Position::line);
        format!("{}, line {line}", self.path.display())
    }

    fn refuse(&self, column: &str, value: &str, problem: &str) -> Error {
        let value = if value.is_empty() { "(nothing)" } else { value };
        let error = Input::new(column, value, problem, RESTORE);
        Input { place: Some(self.place()), ..error }.into()
    }
}

const RESTORE: &str =
    "restore the file, or repeat the experiment with hustings run --force into the same folder";

/// What the csv reader found, in our words.
fn csv_error(path: &Path, error: csv::Error) -> Error {
    let line = error.position().map_or(1, Position::line);
    let (value, problem) = match error.into_kind() {
        ErrorKind::Io(error) => return Error::file("read", path)(error),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            (format!("({len} fields)"), format!("a row has {expected_len} fields"))
        }
        _ => ("(bytes)".to_owned(), "this is not CSV in UTF-8".to_owned()),
    };
    let error = Input::new("row", value, problem, RESTORE);
    Input { place: Some(format!("{}, line {line}", path.display())), ..error }.into()
}

impl CellRecord {
    fn new(record: &ManifestCell, files: &Files) -> Result<Self> {
        let columns = record.columns();
        Ok(CellRecord {
            cell: cell(&columns, files)?,
            columns,
            runs: record.runs,
            engine: record.engine.clone(),
            sequential: record.sequential,
        })
    }
}

/// The cell with these columns; what it reads from files is among `files`.
pub fn cell(columns: &Columns, files: &Files) -> Result<Cell> {
    let [algorithm, topology, layout, ids, initiators, timing, n] = columns;
    let n = n.parse::<u64>().map_err(|_| {
        Input::new("n", n, "this is not a number of nodes", "use a whole number from 1 on")
    })?;
    Cell::on(
        Topology::parse(topology, files)?,
        algorithm,
        Some(n),
        if layout == GIVEN { Layout::Assigned } else { Layout::parse(layout, files)? },
        if ids == GIVEN { Ids::Given } else { ids.parse()? },
        initiators.parse()?,
        timing.parse()?,
    )
}
