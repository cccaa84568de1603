//! The table of a sweep: its columns, and what it comes to cell by cell.

use std::path::Path;

use super::clock::Moment;
use super::outcome::{Outage, Outcome};
use super::setting::Setting;
use super::sweep::{Cell, Sweep};
use crate::experiment::error::{Error, Result};
use crate::model::error::Input;
use crate::results::{Field, Manifest, Resource};
use crate::statistics::CONFIDENCE;
use crate::statistics::moments::Moments;

/// The columns that all runs of a cell share, each with what stands in it.
pub const CELL_COLUMNS: [(&str, &str); 10] = [
    ("variant", "the rules"),
    ("live", "whether timers call elections during elections"),
    ("n", "the number of nodes"),
    ("delay", "how long a message is on its way"),
    ("hold", "how long a node keeps the token"),
    ("timer", "how long timers are"),
    ("rotations", "the same (its mean, if drawn) over n (delay + hold)"),
    ("loss", "the share of tokens that are lost, by chance"),
    ("election_loss", "the same for messages of elections"),
    ("until", "when runs end"),
];

/// What a run came to, and under which setting.
type Run<'a> = (&'a Setting, &'a Outcome);

/// A column of a run: its name, what stands in it, and how it is written.
type Column = (&'static str, &'static str, fn(&Run<'_>) -> String);

/// The columns behind those of the cell and the number of the run.
pub const COLUMNS: [Column; 20] = [
    ("election_messages", "messages of elections", |(_, it)| it.election_messages.to_string()),
    ("token_messages", "hops of tokens, lost ones included", |(_, it)| {
        it.token_messages.to_string()
    }),
    ("losses", "tokens lost", |(_, it)| it.losses.to_string()),
    ("election_losses", "messages of elections lost", |(_, it)| it.election_losses.to_string()),
    ("elections", "elections that somebody won", |(_, it)| it.elected.len().to_string()),
    ("expiries", "timers that ran out and called an election", |(_, it)| {
        it.expiries.len().to_string()
    }),
    ("spurious", "those of them while there was a token", |(_, it)| it.spurious.to_string()),
    ("discarded", "tokens discarded for being older than others", |(_, it)| {
        it.discarded.to_string()
    }),
    ("outages", "times without a token", |(_, it)| it.outages.len().to_string()),
    ("detected", "those that a timer found out", |(_, it)| times(it, detection).len().to_string()),
    ("detection", "mean time from loss to timer", |(_, it)| mean(&times(it, detection))),
    ("detection_max", "the longest of these", |(_, it)| longest(&times(it, detection))),
    ("recovered", "outages that ended", |(_, it)| times(it, recovery).len().to_string()),
    ("recovery", "mean time from loss to new token", |(_, it)| mean(&times(it, recovery))),
    ("recovery_max", "the longest of these", |(_, it)| longest(&times(it, recovery))),
    ("share_none", "share of time without a token", |run| share(run, 0)),
    ("share_one", "share of time with one", |run| share(run, 1)),
    ("share_more", "share of time with more", |run| share(run, 2)),
    ("max_tokens", "the most tokens at once", |(_, it)| it.max_tokens.to_string()),
    ("tokens_at_end", "tokens in the end", |(_, it)| it.tokens_at_end.to_string()),
];

fn detection(outage: &Outage) -> Option<Moment> {
    outage.detection
}

fn recovery(outage: &Outage) -> Option<Moment> {
    outage.recovery
}

fn times(outcome: &Outcome, of: fn(&Outage) -> Option<Moment>) -> Vec<Moment> {
    outcome.outages.iter().filter_map(of).collect()
}

fn mean(times: &[Moment]) -> String {
    let sum = times.iter().fold(Moment::ZERO, |sum, &time| sum.plus(time)).as_billionths();
    match times.len() as u64 {
        0 => String::new(),
        count => Moment::billionths((sum + count / 2) / count).to_string(),
    }
}

fn longest(times: &[Moment]) -> String {
    times.iter().max().map(Moment::to_string).unwrap_or_default()
}

/// A share of the time, to the nearest billionth.
fn share((setting, outcome): &Run<'_>, place: usize) -> String {
    let (time, all) = (outcome.time_with[place].as_billionths(), setting.until.as_billionths());
    let billionths = u128::from(time) * 1_000_000_000 + u128::from(all / 2);
    match all {
        0 => String::new(),
        _ => Moment::billionths((billionths / u128::from(all)) as u64).to_string(),
    }
}

/// The first line of the table.
pub(super) fn header() -> String {
    let cell = CELL_COLUMNS.iter().map(|(name, _)| *name);
    let run = COLUMNS.iter().map(|(name, ..)| *name);
    cell.chain(["run"]).chain(run).collect::<Vec<_>>().join(",")
}

/// The tables of a sweep: all columns are there in every row but mean and longest times, which have
/// none where nothing was lost.
pub(super) fn resources() -> Vec<Resource> {
    let words = |name: &str| ["variant", "timer", "delay", "hold"].contains(&name);
    let cell = CELL_COLUMNS.map(|(name, about)| match name {
        name if words(name) => Field::text(name, about).always(),
        "live" => Field::truth(name, about).always(),
        "n" => Field::whole(name, about).always(),
        _ => Field::real(name, about).always(),
    });
    let run = [Field::whole("run", "number of the run within its cell, from 0").always()];
    let rest = COLUMNS.map(|(name, about, _)| match name {
        "detection" | "detection_max" | "recovery" | "recovery_max" => Field::real(name, about),
        _ if name.starts_with("share_") => Field::share(name, about),
        _ => Field::whole(name, about).always(),
    });
    let runs: Vec<Field> = cell.into_iter().chain(run).chain(rest).collect();
    let kinds = KIND_COLUMNS.map(|(name, about)| match name {
        "messages_mean" => Field::real(name, about).always(),
        _ => Field::text(name, about).always(),
    });
    vec![
        Resource::new("runs", "one row per run of the token ring", runs, CELL_COLUMNS.len() + 1),
        Resource::new("kinds", "one row per cell and kind of message", kinds.to_vec(), 3),
    ]
}

/// The columns of `kinds.csv`.
const KIND_COLUMNS: [(&str, &str); 4] = [
    ("variant", "the rules"),
    ("timer", "how long timers are"),
    ("kind", "the kind of message"),
    ("messages_mean", "mean number of such messages per run"),
];

/// The first line of `kinds.csv`.
pub(super) fn kind_header() -> String {
    KIND_COLUMNS.map(|(name, _)| name).join(",")
}

/// What all rows of a cell begin with; nothing in it needs quotes.
pub(super) fn prefix(sweep: &Sweep, cell: Cell) -> String {
    let Sweep { live, n, hop, lose, lose_election, until, .. } = sweep;
    let rotations = cell.timer.mean().as_f64() / sweep.rotation().as_f64();
    // Nine digits are those of the timer itself.
    let rotations = Moment::nearest(rotations);
    format!(
        "{},{live},{n},{},{},{},{rotations},{},{},{until}",
        cell.variant, hop.delay, hop.hold, cell.timer, lose.share, lose_election.share
    )
}

/// The row of a run behind its cell, with the end of its line.
pub(super) fn row(number: u64, setting: &Setting, outcome: &Outcome) -> String {
    let fields = COLUMNS.iter().map(|(_, _, write)| write(&(setting, outcome)));
    format!("{number},{}\n", fields.collect::<Vec<_>>().join(","))
}

/// What the runs of a cell come to.
#[derive(Debug, Clone, PartialEq)]
pub struct CellTable {
    /// The rules.
    pub variant: String,
    /// The timer over a rotation.
    pub rotations: f64,
    /// How many runs there are.
    pub runs: u64,
    /// Sums over all runs: tokens lost, elections, messages of them, spurious timers.
    pub losses: u64,
    /// Elections that somebody won.
    pub elections: u64,
    /// Messages of elections.
    pub election_messages: u64,
    /// Timers that ran out while there was a token.
    pub spurious: u64,
    /// Mean time from loss to timer, over all outages that a timer found out.
    pub detection: Option<f64>,
    /// Mean time from loss to new token, over all outages that ended.
    pub recovery: Option<f64>,
    /// The shares of time with no token, one and more, over the runs.
    pub shares: [Share; 3],
}

/// A share of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Its mean over the runs.
    pub mean: f64,
    /// The 95 % interval of the mean, from two runs on.
    pub interval: Option<(f64, f64)>,
}

/// Reads the table of a folder cell by cell, after its hashes have been checked.
pub fn read(folder: &Path) -> Result<Vec<CellTable>> {
    Manifest::read(folder)?.check_tables(folder)?;
    let path = folder.join("runs.csv");
    let bad = |problem: String| -> Error {
        let remedy = "name a folder that hustings token-ring has written";
        Input::new("folder", folder.display(), problem, remedy).into()
    };
    let mut reader = csv::Reader::from_path(&path).map_err(|error| bad(error.to_string()))?;
    let headers = reader.headers().map_err(|error| bad(error.to_string()))?.clone();
    let place = |name: &str| {
        headers.iter().position(|it| it == name).ok_or_else(|| bad(format!("no column {name}")))
    };
    let [variant, timer, rotations] = ["variant", "timer", "rotations"].map(place);
    let (variant, timer, rotations) = (variant?, timer?, rotations?);
    let places = SUMMED.iter().map(|name| place(name)).collect::<Result<Vec<usize>>>()?;
    let mut cells: Vec<(String, Sums)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad(error.to_string()))?;
        let key = format!("{},{}", &record[variant], &record[timer]);
        if cells.last().is_none_or(|(last, _)| *last != key) {
            let over = record[rotations].parse().unwrap_or_default();
            cells.push((key, Sums::new(record[variant].to_owned(), over)));
        }
        let numbers: Vec<Moment> =
            places.iter().map(|&place| record[place].parse().unwrap_or_default()).collect();
        if let Some((_, sums)) = cells.last_mut() {
            sums.add(&numbers);
        }
    }
    Ok(cells.into_iter().map(|(_, sums)| sums.cell()).collect())
}

/// The columns that are summed up, in the order of [`Sums::add`]. All are decimal numbers, as times are.
const SUMMED: [&str; 11] = [
    "losses",
    "elections",
    "election_messages",
    "spurious",
    "detected",
    "detection",
    "recovered",
    "recovery",
    "share_none",
    "share_one",
    "share_more",
];

/// A cell while its rows are read.
struct Sums {
    variant: String,
    rotations: f64,
    runs: u64,
    counts: [u64; 4],
    /// How many, and the sum of their times.
    detected: (u64, f64),
    recovered: (u64, f64),
    /// In billionths.
    shares: [Moments; 3],
}

impl Sums {
    fn new(variant: String, rotations: f64) -> Self {
        let shares = std::array::from_fn(|_| Moments::new());
        let none = (0, 0.0);
        Sums {
            variant,
            rotations,
            runs: 0,
            counts: [0; 4],
            detected: none,
            recovered: none,
            shares,
        }
    }

    fn add(&mut self, numbers: &[Moment]) {
        let whole = |place: usize| numbers[place].as_whole().unwrap_or_default();
        for (place, sum) in self.counts.iter_mut().enumerate() {
            *sum += whole(place);
        }
        for (place, (count, sum)) in [(4, &mut self.detected), (6, &mut self.recovered)] {
            *count += whole(place);
            *sum += whole(place) as f64 * numbers[place + 1].as_f64();
        }
        for (share, moments) in numbers[8..].iter().zip(&mut self.shares) {
            moments.push(self.runs, share.as_billionths());
        }
        self.runs += 1;
    }

    fn cell(self) -> CellTable {
        let [losses, elections, election_messages, spurious] = self.counts;
        let mean = |(count, sum): (u64, f64)| (count > 0).then_some(sum / count as f64);
        let unit = |billionths: f64| billionths / 1e9;
        let share = |moments: &Moments| Share {
            mean: unit(moments.mean().unwrap_or_default()),
            interval: moments.interval(CONFIDENCE).map(|(low, high)| (unit(low), unit(high))),
        };
        CellTable {
            shares: [0, 1, 2].map(|place: usize| share(&self.shares[place])),
            variant: self.variant,
            rotations: self.rotations,
            runs: self.runs,
            losses,
            elections,
            election_messages,
            spurious,
            detection: mean(self.detected),
            recovery: mean(self.recovered),
        }
    }
}
