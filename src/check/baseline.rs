//! A baseline: what an experiment came to, in a small text file that can be committed and compared
//! line by line.
//!
//! ```text
//! hustings baseline 1
//! name      gate
//! seed      1979
//! bound     chang-roberts  run  n*(n+1)/2
//! columns   algorithm  topology  layout  ...  n  runs  mean  sd  min  max  max_run  hash  messages  check
//! cell      ...
//! end       1
//! ```
//!
//! Fields are separated by tabs; in a name `\t`, `\n` and `\r` stand for a tab and the ends of lines,
//! and `\\` for a backslash. A cell's `hash` is that of all its runs, `messages` has the first
//! thousand of them (see `rows`), `check` is the hash of the line itself.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::rows;
use crate::engine::Registry;
use crate::experiment::bounds::{Bound, Of};
use crate::experiment::cell::Cell;
use crate::experiment::error::Result;
use crate::experiment::files::read_text;
use crate::experiment::hash::hex;
use crate::experiment::key::CellKey;
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::escape::{field, read_field, shortened};
use crate::results::Results;
use crate::statistics::moments::Moments;

/// The first line of every baseline; the number is that of the format.
const HEADER: &str = "hustings baseline 1";

/// So many runs of a cell are kept one by one; the hash is about all.
pub const KEPT_RUNS: usize = 1000;

/// Characters of a hash: 128 bits.
const HASH_LENGTH: usize = 32;
/// Characters of a line's own hash: 64 bits.
const CHECK_LENGTH: usize = 16;

/// The columns after those of the cell.
const COLUMNS: [&str; 9] =
    ["runs", "mean", "sd", "min", "max", "max_run", "hash", "messages", "check"];

/// What the runs of one cell came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    /// Which cell.
    pub key: CellKey,
    /// How many runs.
    pub runs: u64,
    /// The mean of their messages.
    pub mean: f64,
    /// Their standard deviation; `None` below two runs.
    pub sd: Option<f64>,
    /// The fewest messages of a run.
    pub min: u64,
    /// The most.
    pub max: u64,
    /// The first run with the most.
    pub max_run: u64,
    /// The hash of all runs.
    pub hash: String,
    /// The messages of the first runs.
    pub first: Vec<u64>,
}

/// What an experiment came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// The name of the experiment.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// Upper bounds.
    pub bounds: Vec<Bound>,
    /// The files that it read, and the hashes of what they said.
    pub files: BTreeMap<String, String>,
    /// The cells, in the order of the results.
    pub cells: Vec<Counts>,
}

/// What an experiment came to, and its cells.
pub struct Measured {
    /// The counts.
    pub counts: Baseline,
    /// The cells that they are of, in the same order.
    pub cells: Vec<Cell>,
    /// Which of them stopped when they were precise enough.
    pub stop_early: Vec<bool>,
}

/// The runs of one cell while they come in.
struct Gathered {
    moments: Moments,
    hash: Sha256,
    first: Vec<u64>,
    /// Whether the runs are numbered from 0 without gaps.
    in_order: bool,
}

impl Measured {
    /// What a results folder came to, with the bounds of its spec.
    pub fn of(folder: &Path, registry: &Registry) -> Result<Self> {
        let results = Results::open(folder, registry)?;
        let mut cells = Vec::new();
        let mut disordered = None;
        results.gather(
            |_, _| Gathered {
                moments: Moments::new(),
                hash: Sha256::new(),
                first: Vec::new(),
                in_order: true,
            },
            |gathered, run| {
                gathered.in_order &= run.run == gathered.moments.count();
                gathered.moments.push(run.run, run.messages);
                gathered.hash.update(format!("{}\n", run.messages));
                if gathered.first.len() < KEPT_RUNS {
                    gathered.first.push(run.messages);
                }
            },
            |gathered, record| {
                if !gathered.in_order {
                    disordered.get_or_insert_with(|| record.key().words());
                }
                cells.extend(Counts::new(record.key(), gathered));
            },
        )?;
        if let Some(cell) = disordered {
            let problem = format!("the runs of {cell} are not numbered 0, 1, 2, ...");
            let remedy = "use a folder that hustings run has written";
            return Err(Input::new("folder", folder.display(), problem, remedy).into());
        }
        if cells.is_empty() {
            let problem = "nothing was measured there";
            let remedy = "run an experiment first";
            return Err(Input::new("folder", folder.display(), problem, remedy).into());
        }
        let Spec { name, seed, bounds, .. } = results.spec.clone();
        let counts = Baseline { name, seed, bounds, files: file_hashes(&results.spec), cells };
        let stop_early = results.cells.iter().map(|record| record.sequential).collect();
        let cells = results.cells.into_iter().map(|record| record.cell).collect();
        Ok(Measured { counts, cells, stop_early })
    }
}

/// The files that a spec names, and the hashes of what they said.
pub(super) fn file_hashes(spec: &Spec) -> BTreeMap<String, String> {
    let hash = |text: &str| short_hash(&Sha256::digest(text.as_bytes()), HASH_LENGTH);
    spec.files().into_iter().map(|(path, text)| (path.to_owned(), hash(text))).collect()
}

impl Baseline {
    /// Reads a baseline file.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self> {
        Ok(Baseline::parse(&read_text(path)?, &path.display().to_string(), registry)?)
    }

    /// It as a text file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\nname\t{}\nseed\t{}\n", field(&self.name), self.seed);
        for Bound { algorithm, of, formula } in &self.bounds {
            // A formula may be written on many lines.
            text += &format!("bound\t{algorithm}\t{of}\t{}\n", field(&formula.to_string()));
        }
        for (path, hash) in &self.files {
            text += &format!("file\t{}\t{hash}\n", field(path));
        }
        let columns = CellKey::COLUMNS.iter().chain(&COLUMNS);
        text += &format!("columns\t{}\n", columns.copied().collect::<Vec<_>>().join("\t"));
        for cell in &self.cells {
            text += &cell.line();
            text += "\n";
        }
        text + &format!("end\t{}\n", self.cells.len())
    }

    /// Reads the text of a baseline; `file` is its name in error messages.
    pub fn parse(text: &str, file: &str, registry: &Registry) -> Result<Self, Input> {
        let place = |line: usize| Some(format!("{file}, line {}", line + 1));
        let bad = |line: usize, value: &str, problem: &str| {
            let value = shortened(&value.replace('\t', " "), SHOWN);
            let remedy = "restore the file, or make it anew with hustings baseline";
            Input { place: place(line), ..Input::new("baseline", value, problem, remedy) }
        };
        let mut lines = text.lines().enumerate();
        match lines.next() {
            None => return Err(bad(0, "(nothing)", "the file is empty")),
            Some((_, HEADER)) => {}
            Some((_, first)) => {
                let problem = format!("a baseline begins with {HEADER:?}");
                return Err(bad(0, first, &problem));
            }
        }
        let mut reader = Reader::default();
        for (number, line) in lines {
            reader.take(line, registry).map_err(|trouble| match trouble {
                Trouble::Line(value, problem) => bad(number, &value, &problem),
                Trouble::Bound(error) => Input { place: place(number), ..error },
            })?;
        }
        if !reader.ended {
            let last = text.lines().count();
            return Err(bad(last, "(nothing)", "the end is missing: the file was cut off"));
        }
        if reader.cells.is_empty() {
            let problem = "the baseline is empty: there is no cell in it";
            return Err(bad(0, "(nothing)", problem));
        }
        let Reader { name, seed, bounds, files, cells, .. } = reader;
        let seed = seed.ok_or_else(|| bad(0, "(nothing)", "the seed is missing"))?;
        Ok(Baseline { name, seed, bounds, files, cells })
    }
}

/// What is wrong with a line: a value and a problem, or the bound that it states.
enum Trouble {
    Line(String, String),
    Bound(Input),
}

impl Trouble {
    fn line(value: &str, problem: &str) -> Self {
        Trouble::Line(value.to_owned(), problem.to_owned())
    }
}

/// A baseline while its lines come in.
#[derive(Default)]
struct Reader {
    name: String,
    seed: Option<u64>,
    bounds: Vec<Bound>,
    files: BTreeMap<String, String>,
    cells: Vec<Counts>,
    keys: HashSet<CellKey>,
    ended: bool,
}

impl Reader {
    fn take(&mut self, line: &str, registry: &Registry) -> Result<(), Trouble> {
        if self.ended {
            return Err(Trouble::line(line, "nothing comes after the end"));
        }
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["name", name] => self.name = read_field(name.trim()),
            ["seed", value] => {
                let seed = value.parse().map_err(|_| Trouble::line(value, "this is no seed"))?;
                self.seed = Some(seed);
            }
            ["bound", algorithm, of, formula] => {
                let of = match of {
                    "run" => Of::Run,
                    "mean" => Of::Mean,
                    _ => return Err(Trouble::line(of, "a bound is one of run or of mean")),
                };
                let bound = Bound::new(registry, algorithm, of, &read_field(formula));
                self.bounds.push(bound.map_err(Trouble::Bound)?);
            }
            ["file", path, hash] => _ = self.files.insert(read_field(path), hash.to_owned()),
            ["columns", ..] => {}
            ["cell", ..] => {
                let cell = Counts::parse(line);
                let cell = cell.ok_or_else(|| Trouble::line(line, "this line is damaged"))?;
                if !self.keys.insert(cell.key.clone()) {
                    return Err(Trouble::line(line, "this cell is there twice"));
                }
                self.cells.push(cell);
            }
            ["end", count] => {
                let there = self.cells.len();
                if count != there.to_string() {
                    let problem = format!("there are {there} cells above it");
                    return Err(Trouble::line(count, &problem));
                }
                self.ended = true;
            }
            _ => return Err(Trouble::line(line, "this line means nothing in a baseline")),
        }
        Ok(())
    }
}

/// So much of a damaged line is shown.
const SHOWN: usize = 40;

fn short_hash(bytes: &[u8], length: usize) -> String {
    let mut hash = hex(bytes);
    hash.truncate(length);
    hash
}

impl Counts {
    fn new(key: &CellKey, gathered: Gathered) -> Option<Self> {
        let Gathered { moments, hash, first, .. } = gathered;
        let (min, max) = (moments.min()?, moments.max()?);
        Some(Counts {
            key: key.clone(),
            runs: moments.count(),
            mean: moments.mean()?,
            sd: moments.standard_deviation(),
            min: min.value,
            max: max.value,
            max_run: max.run,
            hash: short_hash(&hash.finalize(), HASH_LENGTH),
            first,
        })
    }

    /// Whether all runs are kept one by one.
    pub fn is_whole(&self) -> bool {
        self.first.len() as u64 == self.runs
    }

    fn line(&self) -> String {
        let mut fields = vec!["cell".to_owned()];
        fields.extend(self.key.columns().iter().map(|column| field(column)));
        let sd = self.sd.map_or_else(String::new, |sd| sd.to_string());
        fields.extend([self.runs.to_string(), self.mean.to_string(), sd]);
        fields.extend([self.min, self.max, self.max_run].map(|number| number.to_string()));
        fields.extend([self.hash.clone(), rows::encode(&self.first, self.min)]);
        let line = fields.join("\t");
        let check = short_hash(&Sha256::digest(line.as_bytes()), CHECK_LENGTH);
        format!("{line}\t{check}")
    }

    fn parse(line: &str) -> Option<Self> {
        let (body, check) = line.rsplit_once('\t')?;
        if short_hash(&Sha256::digest(body.as_bytes()), CHECK_LENGTH) != check {
            return None;
        }
        let fields: Vec<&str> = body.split('\t').skip(1).collect();
        let (columns, numbers) = fields.split_at_checked(CellKey::COLUMNS.len())?;
        let [runs, mean, sd, min, max, max_run, hash, messages] = numbers[..] else { return None };
        let (runs, min): (u64, u64) = (runs.parse().ok()?, min.parse().ok()?);
        let most = usize::try_from(runs).ok()?.min(KEPT_RUNS);
        let finite = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let counts = Counts {
            key: CellKey::from_columns(std::array::from_fn(|place| read_field(columns[place])))?,
            runs,
            mean: finite(mean)?,
            sd: if sd.is_empty() { None } else { Some(finite(sd)?) },
            min,
            max: max.parse().ok()?,
            max_run: max_run.parse().ok()?,
            hash: hash.to_owned(),
            first: rows::decode(messages, min, most)?,
        };
        (counts.runs > 0 && counts.first.len() == most).then_some(counts)
    }
}
