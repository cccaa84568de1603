//! A sweep into a results folder: parallel, resumable, the same bytes for any number of threads.
//!
//! The folder, its locks, parts and manifest are those of [`results`](crate::results); only what a row
//! is, and what the plan of chunks looks like, are this application's own.

use std::ops::Range;
use std::path::Path;

use super::setting::{Losses, Variant};
use super::sweep::{Cell, Sweep};
use super::table::{header, kind_header, prefix, resources, row};
use crate::experiment::error::{Error, Result};
use crate::experiment::hash::sha256;
use crate::model::message::MAX_KINDS;
use crate::results::batch::{Chunks, Ending, Observer, Options};
use crate::results::{
    Experiment, Folder, Part, Tables, Work, is_complete, part_path, write_hashed,
};

/// The kinds of messages.
const KINDS: [&str; 2] = ["election", "token"];

/// So many chunks a cell has at most.
const MOST_CHUNKS: u64 = 64;

/// Runs a sweep into the folder `out`, from where it stopped last time. Shards it has none.
pub fn run(
    sweep: &Sweep,
    out: &Path,
    options: &Options<'_>,
    observer: &dyn Observer,
) -> Result<Ending> {
    sweep.check()?;
    let pool = options.pool()?;
    let written = Written::of(sweep);
    let folder = Folder::open(out, &written, None, options.force)?;
    if folder.is_complete() {
        return Ok(Ending::AlreadyComplete);
    }
    let work = Work::begin();
    let batch = Batch { sweep, cells: sweep.cells(), out, hash: written.hash() };
    let chunks: Vec<(usize, u64)> = batch.chunks().collect();
    let missing: Vec<(usize, u64)> =
        chunks.iter().copied().filter(|&chunk| batch.read(chunk).is_none()).collect();
    let runs = missing.iter().map(|&(_, chunk)| batch.runs(chunk)).map(|it| it.end - it.start);
    observer.begin(batch.cells.len(), runs.sum(), missing.len() < chunks.len());
    let chunks = Chunks { folder: &folder, observer };
    chunks.carry_out(&pool, missing.into_iter(), |chunk| {
        chunks.keep(&batch.carry_out(chunk, options)?, chunk.1)
    })?;
    batch.assemble(&folder, &written, &work)?;
    Ok(Ending::Complete)
}

/// Whether a folder holds the results of this sweep.
pub fn holds(folder: &Path, sweep: &Sweep) -> bool {
    let written = Written::of(sweep);
    is_complete(folder) && written.read(folder).is_ok_and(|there| there.hash() == written.hash())
}

/// A sweep at work.
struct Batch<'a> {
    sweep: &'a Sweep,
    cells: Vec<Cell>,
    out: &'a Path,
    hash: String,
}

impl Batch<'_> {
    /// All chunks, (cell, chunk), in the order of the table.
    fn chunks(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let count = self.sweep.runs.div_ceil(self.chunk_size());
        (0..self.cells.len()).flat_map(move |cell| (0..count).map(move |chunk| (cell, chunk)))
    }

    fn chunk_size(&self) -> u64 {
        self.sweep.runs.div_ceil(MOST_CHUNKS)
    }

    fn runs(&self, chunk: u64) -> Range<u64> {
        let first = chunk * self.chunk_size();
        first..(first + self.chunk_size()).min(self.sweep.runs)
    }

    fn read(&self, (cell, chunk): (usize, u64)) -> Option<Part> {
        let path = part_path(self.out, cell, chunk);
        Part::read(&path, cell, self.runs(chunk), &self.hash).ok()
    }

    fn carry_out(&self, (cell, chunk): (usize, u64), options: &Options<'_>) -> Result<Part> {
        let runs = self.runs(chunk);
        let mut part = Part::new(cell, runs.clone());
        for number in runs {
            if options.stop.is_asked() {
                return Err(Error::Interrupted);
            }
            let setting = self.sweep.setting(self.cells[cell], number);
            let outcome =
                self.sweep.run(self.cells[cell], number, options.stop, &mut |_, _, _| {})?;
            part.rows += &row(number, &setting, &outcome);
            part.kinds[0] += outcome.election_messages;
            part.kinds[1] += outcome.token_messages;
        }
        Ok(part)
    }

    /// Makes the tables out of the parts.
    fn assemble(&self, folder: &Folder, written: &Written, work: &Work) -> Result<()> {
        let gone = || std::io::Error::other("a part has gone; run the same command again");
        let mut kinds = vec![[0; MAX_KINDS]; self.cells.len()];
        let runs_sha256 = write_hashed(&self.out.join("runs.csv"), |file| {
            writeln!(file, "{}", header())?;
            for chunk in self.chunks() {
                let part = self.read(chunk).ok_or_else(gone)?;
                let prefix = prefix(self.sweep, self.cells[chunk.0]);
                for row in part.rows.lines() {
                    writeln!(file, "{prefix},{row}")?;
                }
                for (sum, count) in kinds[chunk.0].iter_mut().zip(part.kinds) {
                    *sum += count;
                }
            }
            Ok(())
        })?;
        let kinds_sha256 = write_hashed(&self.out.join("kinds.csv"), |file| {
            writeln!(file, "{}", kind_header())?;
            for (Cell { variant, timer }, kinds) in self.cells.iter().zip(&kinds) {
                for (name, sum) in KINDS.iter().zip(kinds) {
                    let mean = *sum as f64 / self.sweep.runs as f64;
                    writeln!(file, "{variant},{timer},{name},{mean}")?;
                }
            }
            Ok(())
        })?;
        let rows = self.sweep.runs * self.cells.len() as u64;
        let tables = Tables {
            flips_coins: false,
            rows,
            runs_sha256,
            kinds_sha256,
            cells: Vec::new(),
            name: "token-ring".to_owned(),
            resources: resources(),
        };
        folder.seal(written, tables, work)
    }
}

/// A sweep as its folder keeps it.
struct Written {
    seed: u64,
    text: String,
}

impl Written {
    fn of(sweep: &Sweep) -> Self {
        let Sweep { seed, runs, n, ids, hop, live, retry_after, .. } = sweep;
        let quoted = |items: Vec<String>| {
            let words: Vec<String> = items.iter().map(|item| format!("\"{item}\"")).collect();
            words.join(", ")
        };
        let numbers = |items: &mut dyn Iterator<Item = &u64>| {
            items.map(u64::to_string).collect::<Vec<_>>().join(", ")
        };
        let mut text = format!("application = \"token-ring\"\nseed = {seed}\nruns = {runs}\n");
        text += &match ids {
            Some(ids) => format!("ids = [{}]\n", numbers(&mut ids.iter())),
            None => format!("n = {n}\n"),
        };
        text += &format!("delay = \"{}\"\nhold = \"{}\"\n", hop.delay, hop.hold);
        text += &format!(
            "timer = [{}]\n",
            quoted(sweep.timers.iter().map(|it| it.to_string()).collect())
        );
        let variants = sweep.variants.iter().map(Variant::to_string).collect();
        text += &format!("variant = [{}]\nlive = {live}\n", quoted(variants));
        if let Some(time) = retry_after {
            text += &format!("retry-after = \"{time}\"\n");
        }
        for (list, share, losses) in [
            ("lose", "loss", &sweep.lose),
            ("lose-election", "election-loss", &sweep.lose_election),
        ] {
            let Losses { given, share: chance } = losses;
            text += &format!("{list} = [{}]\n{share} = {chance}\n", numbers(&mut given.iter()));
        }
        Written { seed: *seed, text: text + &format!("until = \"{}\"\n", sweep.until) }
    }
}

impl Experiment for Written {
    fn hash(&self) -> String {
        sha256(self.text.as_bytes())
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn read(&self, folder: &Path) -> Result<Self> {
        let text = Folder::read_spec_text(folder)?;
        let text = text.split_once('\n').map_or("", |(_, rest)| rest).to_owned();
        let seed = text.lines().find_map(|line| line.strip_prefix("seed = ")?.parse().ok());
        Ok(Written { seed: seed.unwrap_or_default(), text })
    }
}
