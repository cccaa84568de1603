//! The tables of the page: what stands in their rows, and what they are sorted by.

use serde::Serialize;

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
    /// How to read it.
    about: &'static str,
    columns: Vec<Column>,
    /// The first entry of a row names it.
    pub(super) rows: Vec<Vec<Entry>>,
}

#[derive(Serialize)]
struct Column {
    title: &'static str,
    numeric: bool,
}

fn text_column(title: &'static str) -> Column {
    Column { title, numeric: false }
}

fn number_column(title: &'static str) -> Column {
    Column { title, numeric: true }
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

fn fact(fact: Option<&Fact>) -> Entry {
    real(fact.map(|fact| fact.value.as_f64()), plain)
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

/// The verdicts of several cells: one name if all are alike, else each with its number.
fn together<V: PartialEq + Copy + std::fmt::Display>(
    verdicts: &[V],
    class: fn(V) -> &'static str,
) -> Entry {
    let mut counts: Vec<(V, usize)> = Vec::new();
    for &verdict in verdicts {
        match counts.iter_mut().find(|(known, _)| *known == verdict) {
            Some((_, count)) => *count += 1,
            None => counts.push((verdict, 1)),
        }
    }
    let worst = ["bad", "good", "open"]
        .into_iter()
        .find(|worst| counts.iter().any(|&(verdict, _)| class(verdict) == *worst));
    let text = match counts.as_slice() {
        [(verdict, _)] => verdict.to_string(),
        _ => {
            let words = counts.iter().map(|(verdict, count)| format!("{verdict} {count}"));
            words.collect::<Vec<_>>().join(", ")
        }
    };
    Entry { text, value: None, class: worst.unwrap_or("open") }
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
        columns.extend([number_column("theory"), text_column("known"), number_column("ratio")]);
        columns.extend([number_column("largest |z|"), text_column("means"), text_column("bounds")]);
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
                       the 95 % interval; the verdicts are on all sizes, and |z| is the largest distance \
                       of a mean from its exact expectation in standard errors.";
        let (id, title) = ("verdicts", "Measured and proved");
        Table { id, title, caption, about, columns, rows }
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
        let theory = largest.theory_mean.as_ref();
        row.extend([mean(largest), fact(theory)]);
        row.push(text(theory.map_or("", |fact| known(fact.certainty))));
        row.push(real(largest.measured_over_theory, |ratio| format!("{ratio:.5}")));
        let far = cells.iter().filter_map(|cell| cell.z).map(f64::abs).reduce(f64::max);
        row.push(real(far, |z| format!("{z:.2}")));
        let means: Vec<MeanVerdict> = cells.iter().map(|cell| cell.verdict_mean).collect();
        let bounds: Vec<BoundVerdict> = cells.iter().map(|cell| cell.verdict_bounds).collect();
        row.extend([together(&means, class), together(&bounds, bound_class)]);
        Some(row)
    }

    /// One row for each cell.
    pub(super) fn cells(&self, summary: &Summary) -> Table {
        let mut columns = self.columns();
        let numbers = ["n", "runs", "messages", "sd", "median", "min", "max"];
        columns.extend(numbers.map(number_column));
        columns.extend(["best", "theory", "worst"].map(number_column));
        columns.push(text_column("known"));
        columns.extend(["ratio", "z", "corrected p"].map(number_column));
        columns.extend(["mean", "bounds", "engine"].map(text_column));
        let rows = summary.cells.iter().map(|cell| self.cell(cell)).collect();
        let caption = "One row for each cell: all runs of one algorithm, layout and n";
        let about = "Messages are the \
                       mean of a run with the half-width of its 95 % interval; best, theory and worst are \
                       what is known about a run. Engine says whether every message was delivered \
                       (simulate) or the same number was computed (count).";
        let (id, title) = ("cells", "All cells");
        Table { id, title, caption, about, columns, rows }
    }

    fn cell(&self, cell: &CellSummary) -> Vec<Entry> {
        let mut row = self.entries(&cell.key);
        let mut runs = whole(Some(cell.runs));
        if cell.sequential {
            runs.text.push('*');
        }
        row.extend([whole(Some(cell.n())), runs, mean(cell), real(cell.sd, plain)]);
        row.extend([real(cell.quantiles[0].value, plain), whole(cell.min), whole(cell.max)]);
        let theory = [&cell.theory_best, &cell.theory_mean, &cell.theory_worst];
        row.extend(theory.map(|known| fact(known.as_ref())));
        row.push(text(cell.theory_mean.as_ref().map_or("", |fact| known(fact.certainty))));
        row.push(real(cell.measured_over_theory, |ratio| format!("{ratio:.5}")));
        row.push(real(cell.z, |z| format!("{z:.2}")));
        row.push(real(cell.p_holm, |p| match p {
            p if p < 0.001 => format!("{p:.1e}"),
            p => format!("{p:.3}"),
        }));
        row.extend([
            together(&[cell.verdict_mean], class),
            together(&[cell.verdict_bounds], bound_class),
            text(cell.engine.as_str()),
        ]);
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
        let (id, title, rows) = ("laws", "Growth", rows.collect());
        Table { id, title, caption, about, columns, rows }
    }
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
    let (id, title, rows) = ("theorems", "Theorems", rows.collect());
    Table { id, title, caption, about, columns, rows }
}
