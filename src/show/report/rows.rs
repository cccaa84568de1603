//! The tables of the page: what stands in their rows, and what they are sorted by.

use std::borrow::Cow;

use serde::Serialize;

use super::section::Section;
use crate::experiment::key::CellKey;
use crate::model::escape;
use crate::model::theory::{Certainty, Fact};
use crate::model::topology::RING;
use crate::summarise::words::{plain, short};
use crate::summarise::{BoundVerdict, CellSummary, MeanVerdict, Summary};

/// A table that sorts.
#[derive(Serialize)]
pub(super) struct Table {
    id: &'static str,
    title: &'static str,
    /// One line over the table.
    caption: &'static str,
    /// How to read it, if that needs words.
    about: &'static str,
    columns: Vec<Column>,
    /// The first entry of a row names it.
    pub(super) rows: Vec<Vec<Entry>>,
    /// The commands that repeat the rows, where they have one each.
    commands: Vec<String>,
    /// What is said where it is folded.
    folded: String,
}

impl Table {
    fn new(
        (id, title): (&'static str, &'static str),
        (caption, about): (&'static str, &'static str),
        columns: Vec<Column>,
        rows: Vec<Vec<Entry>>,
    ) -> Self {
        let folded = format!("{title}: a table of {} rows", rows.len());
        Table { id, title, caption, about, columns, rows, commands: Vec::new(), folded }
    }
}

#[derive(Serialize)]
struct Column {
    title: Cow<'static, str>,
    numeric: bool,
}

fn text_column(title: impl Into<Cow<'static, str>>) -> Column {
    Column { title: title.into(), numeric: false }
}

fn number_column(title: impl Into<Cow<'static, str>>) -> Column {
    Column { title: title.into(), numeric: true }
}

/// The table of a section: the first column names, the others are numbers.
pub(super) fn of_section(section: &Section) -> Table {
    let column = |(place, title): (usize, &String)| match place {
        0 => text_column(title.clone()),
        _ => number_column(title.clone()),
    };
    let entry = |(place, words): (usize, &String)| {
        let number = words.split_whitespace().next().filter(|it| it.parse::<f64>().is_ok());
        let value = number.filter(|_| place > 0).map(str::to_owned);
        Entry { value, ..text(words.clone()) }
    };
    let columns = section.header.iter().enumerate().map(column).collect();
    let rows = section.rows.iter().map(|row| row.iter().enumerate().map(entry).collect());
    Table::new((section.id, section.title), (section.caption, ""), columns, rows.collect())
}

/// One entry of a table.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Entry {
    text: String,
    /// The number that a numeric column is sorted by; unknown comes last.
    value: Option<String>,
    /// good, bad or open, where it is a verdict.
    class: &'static str,
}

fn text(text: impl Into<String>) -> Entry {
    Entry { text: text.into(), ..Entry::default() }
}

fn whole(value: Option<impl ToString>) -> Entry {
    value.map_or_else(Entry::default, |value| Entry {
        text: value.to_string(),
        value: Some(value.to_string()),
        ..Entry::default()
    })
}

fn real(value: Option<f64>, format: impl FnOnce(f64) -> String) -> Entry {
    value.filter(|value| value.is_finite()).map_or_else(Entry::default, |value| Entry {
        text: format(value),
        value: Some(value.to_string()),
        ..Entry::default()
    })
}

/// The colour of a verdict on a mean.
pub(super) fn class(verdict: MeanVerdict) -> &'static str {
    match verdict {
        MeanVerdict::Agrees | MeanVerdict::ConstantAgrees => "good",
        MeanVerdict::Differs | MeanVerdict::ConstantDiffers => "bad",
        MeanVerdict::NoTheorem | MeanVerdict::TooFewRuns => "open",
    }
}

fn bound_class(verdict: BoundVerdict) -> &'static str {
    match verdict {
        BoundVerdict::Hold => "good",
        BoundVerdict::Violated => "bad",
        BoundVerdict::NoTheorem => "open",
    }
}

/// How a number is known, in a word.
fn known(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Proved => "proved",
        Certainty::Enumerated => "enumerated",
        Certainty::Bound => "bound",
        Certainty::Numerical => "numerical",
        Certainty::Measured => "measured",
    }
}

/// What a cell comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// A theorem is contradicted.
    Attention,
    /// The mean is the expected one.
    Agrees,
    /// No expectation could be tested, and all runs are within the bounds.
    Within,
    /// There is nothing to test.
    Untested,
}

impl Standing {
    pub(super) fn of(cell: &CellSummary) -> Self {
        match (class(cell.verdict_mean), bound_class(cell.verdict_bounds)) {
            ("bad", _) | (_, "bad") => Standing::Attention,
            ("good", _) => Standing::Agrees,
            (_, "good") => Standing::Within,
            _ => Standing::Untested,
        }
    }
}

/// How many cells agree and how many need attention, in a sentence.
pub(super) fn counts(summary: &Summary) -> String {
    let count = |standing| summary.cells.iter().filter(|it| Standing::of(it) == standing).count();
    let (agree, all) = (count(Standing::Agrees), summary.cells.len());
    let (within, untested) = (count(Standing::Within), count(Standing::Untested));
    let attention = match count(Standing::Attention) {
        1 => "1 needs attention".to_owned(),
        several => format!("{several} need attention"),
    };
    let mut text = format!("{agree} of {all} cells agree with their expectation, {attention}");
    if within > 0 {
        text += &format!("; of {within} only bounds can be tested, and these hold");
    }
    if untested > 0 {
        text += &format!("; of {untested} nothing is known, or too few runs were made");
    }
    text + "."
}

/// The verdict on a cell: that on its mean and that on its bounds; where no expectation is known, the
/// bounds that hold.
fn verdict(cell: &CellSummary) -> Entry {
    let bounds = match cell.verdict_bounds {
        BoundVerdict::Hold => between(cell),
        BoundVerdict::Violated => format!("violated: {}", between(cell)),
        BoundVerdict::NoTheorem => String::new(),
    };
    let text = match (cell.verdict_mean, cell.verdict_bounds) {
        (MeanVerdict::NoTheorem, BoundVerdict::NoTheorem) => "nothing known".to_owned(),
        (MeanVerdict::NoTheorem, _) => bounds,
        (mean, BoundVerdict::Violated) => format!("{mean}, bounds violated"),
        (mean, BoundVerdict::Hold) => format!("{mean}, bounds hold"),
        (mean, BoundVerdict::NoTheorem) => mean.to_string(),
    };
    let class = match Standing::of(cell) {
        Standing::Attention => "bad",
        Standing::Agrees => "good",
        Standing::Within => "good",
        Standing::Untested => "open",
    };
    Entry { text, value: None, class }
}

/// Between which numbers all runs of a cell must lie.
fn between(cell: &CellSummary) -> String {
    let [best, worst] = [&cell.theory_best, &cell.theory_worst]
        .map(|fact| fact.as_ref().map(|fact| plain(fact.value.as_f64())));
    match (best, worst) {
        (Some(best), Some(worst)) => format!("{best} ≤ all runs ≤ {worst}"),
        (Some(best), None) => format!("all runs ≥ {best}"),
        (None, Some(worst)) => format!("all runs ≤ {worst}"),
        (None, None) => String::new(),
    }
}

/// The verdicts on several cells: one if all are alike, else how many of each kind.
fn together(cells: &[CellSummary], largest: &CellSummary) -> Entry {
    let count = |standing| cells.iter().filter(|cell| Standing::of(cell) == standing).count();
    let kinds = [
        (Standing::Attention, "need attention", "bad"),
        (Standing::Agrees, "agree", "good"),
        (Standing::Within, "within bounds", "good"),
        (Standing::Untested, "untested", "open"),
    ];
    let there: Vec<_> =
        kinds.into_iter().map(|(kind, word, class)| (count(kind), word, class)).collect();
    let there: Vec<_> = there.into_iter().filter(|(count, ..)| *count > 0).collect();
    match there.as_slice() {
        [_] => verdict(largest),
        several => Entry {
            text: several
                .iter()
                .map(|(count, word, _)| format!("{count} {word}"))
                .collect::<Vec<_>>()
                .join(", "),
            value: None,
            class: several.first().map_or("open", |(_, _, class)| class),
        },
    }
}

/// The columns in which the cells of an experiment differ; the others are said once.
pub(super) struct Varied {
    /// Places in the columns of a cell, the algorithm always among them.
    places: Vec<usize>,
}

impl Varied {
    pub(super) fn of(summary: &Summary) -> Self {
        let differ = |&place: &usize| {
            let at = |cell: &CellSummary| cell.key.series_columns()[place].to_owned();
            summary.cells.windows(2).any(|pair| at(&pair[0]) != at(&pair[1]))
        };
        Varied { places: [0].into_iter().chain((1..6).filter(differ)).collect() }
    }

    /// What all cells have in common, in a sentence.
    pub(super) fn common(&self, summary: &Summary) -> String {
        let Some(first) = summary.cells.first() else { return String::new() };
        let same: Vec<String> = (1..6)
            .filter(|place| !self.places.contains(place))
            .map(|place| {
                let value = first.key.series_columns()[place];
                format!("{} {}", CellKey::COLUMNS[place], escape::terminal(value))
            })
            .collect();
        if same.is_empty() {
            return String::new();
        }
        format!("In all cells: {}.", same.join(", "))
    }

    fn columns(&self) -> Vec<Column> {
        self.places.iter().map(|&place| text_column(CellKey::COLUMNS[place])).collect()
    }

    fn entries(&self, key: &CellKey) -> Vec<Entry> {
        let columns = key.series_columns();
        self.places.iter().map(|&place| text(escape::terminal(columns[place]))).collect()
    }

    /// One row for each series: its largest n, and the verdicts of all its sizes.
    pub(super) fn verdicts(&self, summary: &Summary) -> Table {
        let mut columns = self.columns();
        columns.extend([number_column("n"), number_column("runs"), number_column("messages")]);
        columns.extend([number_column("theory"), number_column("ratio")]);
        columns.extend([number_column("largest |z|"), text_column("verdict")]);
        let series = summary.cells.chunk_by(|a, b| a.key.is_in_series_of(&b.key));
        let mut series: Vec<&[CellSummary]> = series.collect();
        // What is contradicted comes first, then the random rings.
        series.sort_by_key(|cells| {
            let contradicted = cells.iter().any(CellSummary::is_contradiction);
            (!contradicted, cells[0].key.layout != "random")
        });
        let rows = series.into_iter().filter_map(|cells| self.verdict(cells)).collect();
        let caption = "One row for each series of cells that differ in n alone";
        let about = "Messages, theory and \
                       ratio (measured over theory) are those of the largest n, with the half-width of \
                       the 95 % interval; the verdict is on all sizes, and |z| is the largest distance \
                       of a mean from its exact expectation in standard errors. Where no expectation is \
                       known the bounds stand there that hold for every run of the largest n.";
        Table::new(("verdicts", "Measured and proved"), (caption, about), columns, rows)
    }

    fn verdict(&self, cells: &[CellSummary]) -> Option<Vec<Entry>> {
        let smallest = cells.iter().map(CellSummary::n).min()?;
        let largest = cells.iter().max_by_key(|cell| cell.n())?;
        let mut sizes = whole(Some(largest.n()));
        if smallest < largest.n() {
            sizes.text = format!("{smallest} to {}", largest.n());
        }
        let mut row = self.entries(&largest.key);
        row.extend([sizes, whole(Some(cells.iter().map(|cell| cell.runs).sum::<u64>()))]);
        row.extend([mean(largest), theory(largest)]);
        row.push(real(largest.measured_over_theory, |ratio| format!("{ratio:.5}")));
        let far = cells.iter().filter_map(|cell| cell.z).map(f64::abs).reduce(f64::max);
        row.push(real(far, |z| format!("{z:.2}")));
        row.push(together(cells, largest));
        Some(row)
    }

    /// One row for each cell that needs attention, in the form of [`cells`](Self::cells).
    pub(super) fn attention(&self, summary: &Summary) -> Table {
        let needs = |cell: &&CellSummary| Standing::of(cell) == Standing::Attention;
        let rows = summary.cells.iter().filter(needs).map(|cell| self.cell(cell)).collect();
        let caption = "Cells in which a theorem is contradicted";
        let name = ("attention", "What needs attention");
        Table::new(name, (caption, CELL), self.cell_columns(), rows)
    }

    fn cell_columns(&self) -> Vec<Column> {
        let mut columns = self.columns();
        columns.extend(["n", "runs", "messages", "sd", "least to most"].map(number_column));
        columns.extend(["theory", "ratio", "z"].map(number_column));
        columns.push(text_column("verdict"));
        columns
    }

    /// One row for each cell, with the command that `repeat` gives it.
    pub(super) fn cells(&self, summary: &Summary, repeat: impl Fn(&CellKey) -> String) -> Table {
        let rows = summary.cells.iter().map(|cell| self.cell(cell)).collect();
        let commands = summary.cells.iter().map(|cell| repeat(&cell.key)).collect();
        let caption = "One row for each cell: all runs of one algorithm, layout and n";
        let name = ("cells", "All cells");
        Table { commands, ..Table::new(name, (caption, CELL), self.cell_columns(), rows) }
    }

    fn cell(&self, cell: &CellSummary) -> Vec<Entry> {
        let mut row = self.entries(&cell.key);
        let mut runs = whole(Some(cell.runs));
        if cell.sequential {
            runs.text.push('*');
        }
        if cell.engine == "count" {
            runs.text += " counted";
        }
        row.extend([whole(Some(cell.n())), runs, mean(cell), real(cell.sd, plain)]);
        let mut extremes = whole(cell.max);
        if let Some(least) = cell.min.filter(|least| Some(*least) != cell.max) {
            extremes.text = format!("{least} to {}", extremes.text);
        }
        row.extend([extremes, theory(cell)]);
        row.push(real(cell.measured_over_theory, |ratio| format!("{ratio:.5}")));
        row.push(real(cell.z, |z| format!("{z:.2}")));
        row.push(verdict(cell));
        row
    }

    /// One row for each series that was fitted.
    pub(super) fn fits(&self, summary: &Summary) -> Table {
        let mut columns = self.columns();
        columns.extend([number_column("sizes"), text_column("growth"), text_column("law")]);
        columns.push(number_column("same growth in resamples"));
        let rows = summary.series.iter().map(|series| {
            let mut row = self.entries(&series.key);
            let first = series.ranking.as_ref().ok().and_then(|ranking| ranking.ranked.first());
            let same = series.ranking.as_ref().ok().and_then(|ranking| ranking.same_growth);
            row.push(whole(Some(series.points.len() as u64)));
            row.push(text(first.map_or_else(String::new, |it| it.fit.model.growth().to_string())));
            row.push(text(series.sentence()));
            row.push(real(same, |share| format!("{:.1} %", share * 100.0)));
            row
        });
        let caption = "How the means grow with n";
        let about = "The law that the points speak for most, with 95 % \
                       intervals of its constants, and the laws that have no support (AICc). Resamples \
                       tell whether another measurement would be judged alike.";
        Table::new(("laws", "Growth"), (caption, about), columns, rows.collect())
    }
}

/// What a row of a cell says.
const CELL: &str = "Messages are the mean of a run with the half-width of its 95 % interval; theory is the \
                    exact expectation, or what is said in brackets; z is the distance between the two in \
                    standard errors. The verdict is on mean and bounds; where no expectation is known the \
                    bounds stand there that hold for every run. Runs are simulated message by message \
                    unless they are counted. cells.csv has more columns and all digits.";

/// The expectation of a cell, and how it is known unless it is proved.
fn theory(cell: &CellSummary) -> Entry {
    let Some(fact) = &cell.theory_mean else { return Entry::default() };
    let mut entry = real(Some(fact.value.as_f64()), plain);
    if fact.certainty != Certainty::Proved && !entry.text.is_empty() {
        entry.text += &format!(" ({})", known(fact.certainty));
    }
    entry
}

/// The mean of a cell with the half-width of its interval.
fn mean(cell: &CellSummary) -> Entry {
    let mut entry = real(cell.mean, plain);
    if let Some((low, high)) = cell.interval {
        let half = (high - low) / 2.0;
        entry.text +=
            &if half > 0.0 { format!(" ± {}", short(half)) } else { " (all)".to_owned() };
    }
    entry
}

/// The theorems that the experiment is set against, each once: formula, certainty and source.
pub(super) fn theorems(summary: &Summary) -> Table {
    let columns = ["algorithm", "of", "formula", "known", "source"].map(text_column).into();
    let mut named: Vec<(&str, &str, &Fact)> = Vec::new();
    for cell in &summary.cells {
        let expected = match cell.key.layout.as_str() {
            // There the expectation is the extreme itself.
            "best" | "worst" => None,
            _ => cell.theory_mean.as_ref(),
        };
        let facts = [
            ("best", cell.theory_best.as_ref()),
            ("mean", expected),
            ("worst", cell.theory_worst.as_ref()),
        ];
        for (of, fact) in facts {
            let Some(fact) = fact else { continue };
            let same = |other: &(&str, &str, &Fact)| {
                (other.0, other.1) == (cell.key.algorithm.as_str(), of)
                    && other.2.formula == fact.formula
            };
            if !named.iter().rev().any(same) {
                named.push((&cell.key.algorithm, of, fact));
            }
        }
    }
    // The cells of an algorithm meet best, mean and worst in turn.
    named.sort_by_key(|&(algorithm, of, _)| (algorithm, of));
    let rows = named.into_iter().map(|(algorithm, of, fact)| {
        let certainty = known(fact.certainty);
        [algorithm, of, &fact.formula, certainty, fact.source].map(text).to_vec()
    });
    let caption = "What is known about the messages of a run";
    let about = match summary.cells.iter().all(|cell| cell.key.topology == RING) {
        true => {
            "The fewest, the mean over random rings, and the most. Measured expectations are never \
             tested."
        }
        false => {
            "The fewest, the mean over random rings, and the most; on trees and graphs N nodes and E edges \
             are those of every run's own network. Measured expectations are never tested."
        }
    };
    Table::new(("theorems", "Theorems"), (caption, about), columns, rows.collect())
}
