//! `runs.csv` row by row.
//!
//! Tables have millions of rows, and neighbours nearly always belong to the same cell: a row that
//! begins as the one before is read without looking at the columns of its cell, and where one begins
//! differently the `csv` crate reads it. The hash of the file is taken on the way.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::columns::{RUN_COLUMNS, header};
use crate::experiment::error::{Error, Result};
use crate::experiment::hash::hex;
use crate::experiment::key::CellKey;
use crate::model::error::Input;
use crate::model::escape::shortened;
use crate::model::metric::Metric;
use crate::model::row::Row;
use crate::model::theory::Value;
use crate::model::topology::Shape;

/// So many bytes are read at once.
const PIECE: usize = 1 << 18;

/// So much of a first line is shown that names other columns.
const SHOWN: usize = 60;

/// How many columns tell one cell from another.
const KEY_COLUMNS: usize = CellKey::COLUMNS.len();

/// The place of a column behind those of the cell.
const fn place(name: &str) -> usize {
    let mut place = 0;
    while place < Row::COLUMNS.len() {
        if equal(Row::COLUMNS[place].name.as_bytes(), name.as_bytes()) {
            return place;
        }
        place += 1;
    }
    panic!("there is no such column");
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

const RUN: usize = place("run");
const MESSAGES: usize = place("messages");
/// The places of all metrics.
const PLACES: [usize; Metric::ALL.len()] = {
    let mut places = [0; Metric::ALL.len()];
    let mut metric = 0;
    while metric < places.len() {
        places[metric] = place(Metric::ALL[metric].name());
        metric += 1;
    }
    places
};
const LEADER: usize = place("leader");
const ANNOUNCEMENTS: usize = place("announcements");
const EDGES: usize = place("edges");
const LEAVES: usize = place("leaves");
const DIAMETER: usize = place("diameter");

/// One run, as far as statistics need it.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// Its number.
    pub run: u64,
    /// Its messages.
    pub messages: u64,
    /// What stands in the columns behind those of the cell.
    fields: &'a [&'a [u8]],
}

impl Run<'_> {
    /// What stands in the columns behind those of the cell.
    #[cfg(feature = "parquet")]
    pub(super) fn fields(&self) -> &[&[u8]] {
        self.fields
    }

    fn whole(&self, place: usize) -> Option<u64> {
        number(self.fields.get(place)?)
    }

    /// What it yielded; `None` where its row does not tell.
    pub fn value(&self, metric: Metric) -> Option<Value> {
        let field = self.fields.get(PLACES[metric as usize])?;
        if let Some(whole) = number(field) {
            return Some(Value::Whole(whole.into()));
        }
        let text = std::str::from_utf8(field).ok()?;
        if let Ok(whole) = text.parse() {
            return Some(Value::Whole(whole));
        }
        text.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Real)
    }

    /// Whether somebody was elected.
    pub fn has_leader(&self) -> bool {
        self.whole(LEADER).is_some()
    }

    /// Those of its messages that only tell the winner.
    pub fn announcements(&self) -> Option<u64> {
        self.whole(ANNOUNCEMENTS)
    }

    /// The shape of its network; `None` on rings.
    pub fn shape(&self) -> Option<Shape> {
        let (edges, leaves) = (self.whole(EDGES)?, self.whole(LEAVES)?);
        let diameter = self.whole(DIAMETER);
        Some(Shape { edges, leaves, diameter })
    }
}

/// Reads `runs.csv` row by row.
pub struct Rows {
    path: PathBuf,
    file: File,
    /// What was read and not yet handed out is `buffer[begin..end]`.
    buffer: Vec<u8>,
    begin: usize,
    end: usize,
    /// Where `buffer` begins in the file.
    position: u64,
    hash: Sha256,
    /// The row at hand: where it is in the buffer, in which line of the file, and how many it has.
    row: std::ops::Range<usize>,
    line: u64,
    lines: u64,
    /// The cell of that row, and how rows of it begin.
    key: CellKey,
    prefix: Vec<u8>,
    is_first: bool,
    run: u64,
    messages: u64,
    /// Where the fields behind those of the cell begin and end in the buffer.
    fields: Vec<std::ops::Range<usize>>,
    /// Whether a row has been read.
    begun: bool,
}

impl Rows {
    /// Reads the line that names the columns.
    pub(super) fn read_header(&mut self) -> Result<()> {
        let length = self.length_of_line(0)?;
        let line = self.take(length);
        if self.buffer[line.clone()] == *header().as_bytes() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&self.buffer[line]).into_owned();
        let problem = format!("the first line must be {}", header());
        Err(self.refuse("columns", &shortened(&text, SHOWN), &problem))
    }

    /// The rows from the one on that begins at `offset`.
    pub(super) fn open_at(path: &Path, offset: u64) -> Result<Self> {
        let mut rows = Rows::open(path)?;
        rows.file.seek(SeekFrom::Start(offset)).map_err(Error::file("read", path))?;
        rows.position = offset;
        Ok(rows)
    }

    /// The whole table, before its first line.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::file("read", path))?;
        Ok(Rows {
            path: path.to_owned(),
            file,
            buffer: vec![0; PIECE],
            begin: 0,
            end: 0,
            position: 0,
            hash: Sha256::new(),
            row: 0..0,
            line: 1,
            lines: 1,
            key: CellKey {
                algorithm: String::new(),
                topology: String::new(),
                layout: String::new(),
                ids: String::new(),
                initiators: String::new(),
                timing: String::new(),
                n: 0,
            },
            prefix: Vec::new(),
            is_first: false,
            run: 0,
            messages: 0,
            fields: Vec::new(),
            begun: false,
        })
    }

    /// Reads more; `false` at the end of the file.
    fn fill(&mut self) -> Result<bool> {
        if self.end == self.buffer.len() {
            // What is left goes to the front, and a row longer than all of it gets more room.
            self.buffer.copy_within(self.begin..self.end, 0);
            self.position += self.begin as u64;
            self.end -= self.begin;
            self.begin = 0;
            if self.end == self.buffer.len() {
                self.buffer.resize(2 * self.end, 0);
            }
        }
        let read = self.file.read(&mut self.buffer[self.end..]);
        let read = read.map_err(Error::file("read", &self.path))?;
        self.hash.update(&self.buffer[self.end..self.end + read]);
        self.end += read;
        Ok(read > 0)
    }

    /// How many bytes there are up to the next end of a line that is at least `skip` bytes away, or up
    /// to the end of the file.
    fn length_of_line(&mut self, skip: usize) -> Result<usize> {
        let mut searched = skip;
        loop {
            let rest = &self.buffer[self.begin..self.end];
            let found = rest.get(searched..).and_then(|rest| memchr::memchr(b'\n', rest));
            if let Some(length) = found {
                return Ok(searched + length);
            }
            searched = searched.max(rest.len());
            if !self.fill()? {
                return Ok(self.end - self.begin);
            }
        }
    }

    /// Takes the next so many bytes, and the end of the line after them.
    fn take(&mut self, length: usize) -> std::ops::Range<usize> {
        let taken = self.begin..self.begin + length;
        self.begin = (taken.end + 1).min(self.end);
        taken
    }

    /// Goes to the next run; `false` after the last.
    pub fn advance(&mut self) -> Result<bool> {
        while self.end - self.begin < self.prefix.len().max(1) && self.fill()? {}
        if self.begin == self.end {
            return Ok(false);
        }
        self.line += self.lines;
        let rest = &self.buffer[self.begin..self.end];
        self.is_first = !self.begun || !rest.starts_with(&self.prefix);
        let length = match self.is_first {
            true => self.length_of_first_row()?,
            false => self.length_of_line(self.prefix.len())?,
        };
        self.row = self.take(length);
        if self.is_first {
            self.enter_cell()?;
        }
        let before = self.run;
        self.split()?;
        self.run = self.number(RUN, "run")?;
        self.messages = self.number(MESSAGES, "messages")?;
        if !self.is_first && self.run <= before {
            let problem = "run numbers rise within a cell";
            return Err(self.refuse("run", &self.run.to_string(), problem));
        }
        self.begun = true;
        Ok(true)
    }

    /// The length of a row whose cell is not known yet: a name in quotes may hold ends of lines.
    fn length_of_first_row(&mut self) -> Result<usize> {
        let mut length = self.length_of_line(0)?;
        loop {
            let row = &self.buffer[self.begin..self.begin + length];
            let is_open = memchr::memchr_iter(b'"', row).count() % 2 == 1;
            if !is_open || self.begin + length == self.end {
                self.lines = 1 + memchr::memchr_iter(b'\n', row).count() as u64;
                return Ok(length);
            }
            length = self.length_of_line(length + 1)?;
        }
    }

    /// Finds the fields behind those of the cell.
    fn split(&mut self) -> Result<()> {
        self.fields.clear();
        let mut begin = self.row.start + self.prefix.len();
        let rest = &self.buffer[begin..self.row.end];
        for length in memchr::memchr_iter(b',', rest) {
            let end = self.row.start + self.prefix.len() + length;
            self.fields.push(begin..end);
            begin = end + 1;
        }
        self.fields.push(begin..self.row.end);
        if self.fields.len() == Row::COLUMNS.len() {
            return Ok(());
        }
        let value = format!("({} fields)", KEY_COLUMNS + self.fields.len());
        let problem = format!("a row has {} fields", RUN_COLUMNS.len());
        Err(self.refuse("row", &value, &problem))
    }

    /// Reads the columns of a cell, and remembers how they are written.
    fn enter_cell(&mut self) -> Result<()> {
        let bytes = &self.buffer[self.row.clone()];
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let record = reader.records().next();
        let Some(Ok(record)) = record else {
            return Err(self.refuse("row", "(bytes)", "this is not CSV in UTF-8"));
        };
        if record.len() != RUN_COLUMNS.len() {
            let value = format!("({} fields)", record.len());
            let problem = format!("a row has {} fields", RUN_COLUMNS.len());
            return Err(self.refuse("row", &value, &problem));
        }
        let columns: [String; KEY_COLUMNS] = std::array::from_fn(|it| record[it].to_owned());
        let n = columns[KEY_COLUMNS - 1].clone();
        let Some(key) = CellKey::from_columns(columns) else {
            return Err(self.refuse("n", &n, "this is not a number of nodes"));
        };
        // What comes behind the cell holds neither quotes nor commas.
        let rest: usize = record.iter().skip(KEY_COLUMNS).map(|field| field.len() + 1).sum();
        let Some(length) = (self.row.len() + 1).checked_sub(rest) else {
            return Err(self.refuse("row", "(bytes)", "this is not CSV in UTF-8"));
        };
        self.prefix.clear();
        self.prefix.extend_from_slice(&self.buffer[self.row.start..self.row.start + length]);
        self.key = key;
        Ok(())
    }

    fn number(&self, place: usize, name: &str) -> Result<u64> {
        let bytes = &self.buffer[self.fields[place].clone()];
        number(bytes).ok_or_else(|| {
            let value = String::from_utf8_lossy(bytes);
            self.refuse(name, &value, "this is not a whole number from 0 to 2^64 - 1")
        })
    }

    /// Whether the run at hand is the first of its cell.
    pub fn is_first(&self) -> bool {
        self.is_first
    }

    /// The cell of the run at hand.
    pub fn key(&self) -> &CellKey {
        &self.key
    }

    /// The number of the run at hand, and its messages.
    pub fn messages(&self) -> (u64, u64) {
        (self.run, self.messages)
    }

    /// Where in the file the run at hand begins.
    pub fn offset(&self) -> u64 {
        self.position + self.row.start as u64
    }

    /// Shows the run at hand.
    pub(crate) fn with_run<T>(&self, show: impl FnOnce(&Run<'_>) -> T) -> T {
        let fields: [&[u8]; Row::COLUMNS.len()] =
            std::array::from_fn(|place| &self.buffer[self.fields[place].clone()]);
        show(&Run { run: self.run, messages: self.messages, fields: &fields })
    }

    /// The hash of the whole file; reads what is left of it.
    pub(super) fn into_hash(mut self) -> Result<String> {
        loop {
            let read = self.file.read(&mut self.buffer);
            match read.map_err(Error::file("read", &self.path))? {
                0 => return Ok(hex(&self.hash.finalize())),
                size => self.hash.update(&self.buffer[..size]),
            }
        }
    }

    /// What is wrong with the row at hand.
    pub(super) fn refuse(&self, column: &str, value: &str, problem: &str) -> Error {
        let value = if value.is_empty() { "(nothing)" } else { value };
        let remedy = "restore the file, or repeat the experiment with hustings run --force into the \
                      same folder";
        let place = format!("{}, line {}", self.path.display(), self.line);
        Input { place: Some(place), ..Input::new(column, value, problem, remedy) }.into()
    }
}

/// A whole number of digits alone; `None` if it is none or takes more than 64 bits.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_digits_alone() {
        assert_eq!(number(b"0"), Some(0));
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        for bad in [&b""[..], b"+1", b"-1", b"1.0", b"18446744073709551616", b" 1", b"x"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
    }

    /// A table of rows of these lengths, read with its offsets.
    #[test]
    fn long_and_short_rows_are_read_where_they_begin() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.csv");
        let mut text = header() + "\n";
        let mut expected = Vec::new();
        for cell in 0..40u64 {
            let topology = format!("\"file:{},\n\"\"\"", "x".repeat(1 << (cell % 20)));
            for run in 0..30 {
                expected.push((text.len() as u64, run, run * cell, run == 0));
                text += &format!("a,{topology},random,dense,all,sync,{}", cell + 1);
                text += &format!(",{run},{},5,1.5,2.5,,3,4,0,,,\n", run * cell);
            }
        }
        std::fs::write(&path, &text).expect("written");
        let mut rows = Rows::open(&path).expect("opened");
        rows.read_header().expect("a header");
        let mut seen = Vec::new();
        while rows.advance().expect("a row") {
            let (run, messages) = rows.messages();
            seen.push((rows.offset(), run, messages, rows.is_first()));
            assert_eq!(rows.with_run(|run| run.value(Metric::End)), Some(Value::Real(2.5)));
            assert_eq!(rows.with_run(|run| run.shape()), None);
        }
        assert_eq!(seen, expected);
        assert_eq!(
            rows.into_hash().expect("read"),
            crate::experiment::hash::sha256(text.as_bytes())
        );
        for &(offset, run, messages, _) in &expected {
            let mut rows = Rows::open_at(&path, offset).expect("opened");
            assert!(rows.advance().expect("a row"));
            assert_eq!((rows.messages(), rows.offset()), ((run, messages), offset));
        }
    }
}
