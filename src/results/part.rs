//! A part: the rows of one chunk, with a checksum.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use super::write::write_unsynced;
use crate::experiment::error::Result;
use crate::experiment::hash::sha256;
use crate::model::message::MAX_KINDS;
use crate::model::row::Row;

/// The rows of one chunk of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The number of the cell in the plan.
    pub cell: usize,
    /// The runs.
    pub runs: Range<u64>,
    /// A line for each run.
    pub rows: String,
    /// Messages by kind, of all runs together.
    pub kinds: [u64; MAX_KINDS],
}

impl Part {
    /// A part without rows yet.
    pub fn new(cell: usize, runs: Range<u64>) -> Self {
        Part { cell, runs, rows: String::new(), kinds: [0; MAX_KINDS] }
    }

    /// Adds a run.
    pub fn add(&mut self, row: &Row, kinds: &[u64; MAX_KINDS]) {
        row.write(&mut self.rows);
        for (sum, count) in self.kinds.iter_mut().zip(kinds) {
            *sum += count;
        }
    }

    /// What comes before the rows: says to which experiment the part belongs.
    fn header(cell: usize, runs: &Range<u64>, hash: &str) -> String {
        format!("hustings part 2,{hash},cell {cell},runs {}..{}\n", runs.start, runs.end)
    }

    /// Writes the part as a file of the experiment with this hash.
    pub fn write(&self, path: &Path, hash: &str) -> Result<()> {
        let mut text = Part::header(self.cell, &self.runs, hash);
        text += &self.rows;
        let kinds: Vec<String> = self.kinds.iter().map(u64::to_string).collect();
        _ = writeln!(text, "kinds,{}", kinds.join(","));
        _ = writeln!(text, "sha256,{}", sha256(text.as_bytes()));
        write_unsynced(path, text.as_bytes())
    }

    /// The messages of each run, in order.
    pub fn messages(&self) -> impl Iterator<Item = u64> + '_ {
        self.rows.lines().filter_map(begin).map(|(_, messages)| messages)
    }

    /// Reads a part back; says what is wrong with it if it cannot be trusted.
    pub fn read(
        path: &Path,
        cell: usize,
        runs: Range<u64>,
        hash: &str,
    ) -> std::result::Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let text = std::str::from_utf8(&bytes).map_err(|_| "it is not text".to_owned())?;
        let body = text.strip_suffix('\n').and_then(|text| text.rsplit_once('\n'));
        let (body, checksum) = body.ok_or("it is cut off")?;
        let signed = &text[..body.len() + 1];
        if checksum != format!("sha256,{}", sha256(signed.as_bytes())) {
            return Err("its checksum does not fit".to_owned());
        }
        let rows = signed
            .strip_prefix(Part::header(cell, &runs, hash).as_str())
            .ok_or("it belongs to another experiment")?;
        let (rows, kind_line) = match body.rsplit_once('\n') {
            Some((_, kind_line)) => (&rows[..rows.len() - kind_line.len() - 1], kind_line),
            None => return Err("it has no rows".to_owned()),
        };
        let mut kinds = [0; MAX_KINDS];
        let counts = kind_line.strip_prefix("kinds,").ok_or("it has no kinds")?;
        for (kind, count) in kinds.iter_mut().zip(counts.split(',')) {
            *kind = count.parse().map_err(|_| "its kinds are not numbers")?;
        }
        if !are_rows_of(&runs, rows) {
            return Err("its rows are not those of its runs".to_owned());
        }
        Ok(Part { cell, runs, rows: rows.to_owned(), kinds })
    }
}

/// Whether there is one row for each of these runs, in order.
fn are_rows_of(runs: &Range<u64>, rows: &str) -> bool {
    let mut numbers = runs.clone();
    let all = rows.lines().all(|row| begin(row).map(|(run, _)| run) == numbers.next());
    all && numbers.next().is_none()
}

/// What a row begins with: the run and its messages.
fn begin(row: &str) -> Option<(u64, u64)> {
    let (run, rest) = row.split_once(',')?;
    let (messages, _) = rest.split_once(',')?;
    Some((run.parse().ok()?, messages.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Time;

    fn part() -> Part {
        let mut part = Part::new(3, 10..12);
        for run in 10..12 {
            let row = Row {
                run,
                messages: 33,
                bits: 132,
                time: Some(Time::Real(2.5)),
                end: None,
                rounds: None,
                max_node_messages: Some(4),
                leader: Some(u64::MAX),
                announcements: 0,
                shape: None,
            };
            let mut kinds = [0; MAX_KINDS];
            kinds[0] = 33;
            part.add(&row, &kinds);
        }
        part
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("part");
        part().write(&path, "abc").expect("written");
        assert_eq!(Part::read(&path, 3, 10..12, "abc"), Ok(part()));
        assert!(Part::read(&path, 3, 10..12, "abd").is_err());
        assert!(Part::read(&path, 4, 10..12, "abc").is_err());
        assert!(Part::read(&path, 3, 10..13, "abc").is_err());
        let good = std::fs::read(&path).expect("read");
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 1;
            std::fs::write(&path, &bad).expect("written");
            assert!(Part::read(&path, 3, 10..12, "abc").is_err(), "byte {place}");
            std::fs::write(&path, &good[..place]).expect("written");
            assert!(Part::read(&path, 3, 10..12, "abc").is_err(), "length {place}");
        }
    }
}
