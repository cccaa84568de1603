//! Messages by kind: what the messages of each algorithm are for.

use super::canvas::{Anchor, Area, Canvas, Place};
use super::data::Datum;
use super::drawing::Drawing;
use super::font::width;
use super::font::{LABEL, SMALL};
use super::plot::{MESSAGES, Plot};
use super::scale::{count, decimal};
use super::sheet::{LINE, Sheet, Words};
use super::source::{Selection, Source, Subject};
use super::style::{COLOURS, FAINT, INK, PAPER, SOLID};
use crate::results::KindMeans;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "kinds",
    line: "what messages are for: shares of their kinds",
    about: Subject::Rings,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "What the messages of each algorithm are for: the mean share of every kind of \
                       message, and how many of it a node sends.";

/// The room of a bar.
const BAR: f64 = 250.0;
/// The square beside the name of a kind.
const SQUARE: f64 = 9.0;

/// What is shown: algorithms at one size, or their largest below.
struct Shown<'a> {
    selection: Selection<'a>,
    n: u64,
    rows: Vec<Row<'a>>,
}

/// An algorithm, and its kinds with their mean numbers.
struct Row<'a> {
    cell: &'a CellSummary,
    kinds: KindMeans,
}

/// A kind in the text beside a bar.
struct Entry {
    /// How far to the right it stands.
    shift: f64,
    kind: usize,
    text: String,
}

fn draw(source: &Source) -> Drawing {
    let Shown { selection, n, rows } = &select(source)?;
    let words = Words {
        title: title(rows),
        notes: format!(
            "Mean shares of all messages on random rings of {}, with messages per node in brackets; {}{}.",
            decimal(*n as f64, 0),
            selection.notes(),
            if selection.sizes().len() > 1 { "; other sizes: --n N" } else { "" }
        ),
        source: source.line(),
    };
    if words.source.width.is_column() {
        return draw_column(words, *n, rows);
    }
    let labels: Vec<String> = rows.iter().map(|row| row.label(*n)).collect();
    let widest = labels.iter().map(|label| width(label, LABEL)).fold(0.0, f64::max);
    let room = words.source.width.room() - widest - BAR - 24.0;
    let texts: Vec<Vec<Vec<Entry>>> = rows.iter().map(|row| row.entries(room)).collect();
    let mut sheet = Sheet::new(words, texts.iter().map(|lines| row_height(lines.len())).sum());
    let canvas = &mut sheet.canvas;
    let left = sheet.body.left + widest + 10.0;
    let mut top = sheet.body.top;
    for ((row, label), lines) in rows.iter().zip(&labels).zip(&texts) {
        let height = row_height(lines.len());
        let middle = top + height / 2.0;
        canvas.text((left - 10.0, middle), label, LABEL, Anchor::End, INK);
        draw_bar(canvas, (left, middle), BAR, row);
        draw_entries(canvas, (left + BAR + 14.0, middle), lines);
        top += height;
    }
    sheet.figure(PLOT.name, CAPTION)
}

/// In a column the name of an algorithm stands above its bar, and those of the kinds below.
fn draw_column(words: Words, n: u64, rows: &[Row]) -> Drawing {
    let room = words.source.width.room();
    let texts: Vec<Vec<Vec<Entry>>> = rows.iter().map(|row| row.entries(room)).collect();
    let height = |lines: &[Vec<Entry>]| (lines.len() + 2) as f64 * LINE + 10.0;
    let mut sheet = Sheet::new(words, texts.iter().map(|lines| height(lines)).sum());
    let (left, mut top) = (sheet.body.left, sheet.body.top);
    let canvas = &mut sheet.canvas;
    for (row, lines) in rows.iter().zip(&texts) {
        canvas.text((left, top + LINE / 2.0), &row.label(n), LABEL, Anchor::Start, INK);
        draw_bar(canvas, (left, top + LINE * 1.5), room, row);
        let middle = top + LINE * (2.0 + lines.len() as f64 / 2.0) + 2.0;
        draw_entries(canvas, (left, middle), lines);
        top += height(lines);
    }
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_rings()?;
    let mut table = source.results.kinds()?;
    let n = selection.common_size();
    let mut rows = Vec::new();
    for group in &selection.groups {
        // An algorithm that has not run at this size shows its largest below.
        let cell = group.cells.iter().rev().copied().find(|cell| cell.n() <= n);
        let row = cell.and_then(|cell| Some(Row { cell, kinds: table.remove(&cell.key)? }));
        rows.extend(row.filter(|row| row.kinds.iter().any(|(_, mean)| *mean > 0.0)));
    }
    if rows.is_empty() {
        return Err(format!("kinds.csv has no messages at n = {n} or below").into());
    }
    Ok(Shown { selection, n, rows })
}

impl Row<'_> {
    /// The algorithm, with its size where that is not the one of the figure.
    fn label(&self, n: u64) -> String {
        let algorithm = &self.cell.key.algorithm;
        match self.cell.n() == n {
            true => algorithm.clone(),
            false => format!("{algorithm} (n = {})", decimal(self.cell.n() as f64, 0)),
        }
    }

    fn total(&self) -> f64 {
        self.kinds.iter().map(|(_, mean)| mean).sum()
    }

    /// The names of the kinds in lines of at most this width.
    fn entries(&self, room: f64) -> Vec<Vec<Entry>> {
        let (total, n) = (self.total(), self.cell.n() as f64);
        let mut lines: Vec<Vec<Entry>> = vec![Vec::new()];
        let mut shift = 0.0;
        for (kind, (name, mean)) in self.kinds.iter().enumerate() {
            let share = decimal(100.0 * mean / total, 1);
            let text = format!("{name} {share} % ({})", count(mean / n));
            let wide = SQUARE + 5.0 + width(&text, SMALL) + 14.0;
            if shift > 0.0 && shift + wide > room + 14.0 {
                lines.push(Vec::new());
                shift = 0.0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(Entry { shift, kind, text });
            }
            shift += wide;
        }
        lines
    }

    /// The share of the most frequent kind, and its name.
    fn most(&self) -> Option<(f64, &str)> {
        let largest = self.kinds.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        largest.map(|(name, mean)| (mean / self.total(), name.as_str()))
    }
}

fn row_height(lines: usize) -> f64 {
    (lines as f64 * LINE).max(LINE + 4.0) + 6.0
}

/// Draws the shares of a row one after the other, from the middle of their left end.
fn draw_bar(canvas: &mut Canvas, (left, middle): Place, long: f64, row: &Row) {
    let total = row.total();
    let mut x = left;
    canvas.axes(("", "share of its messages"));
    for (kind, (name, mean)) in row.kinds.iter().enumerate() {
        canvas.series(&format!("{}, {name}", row.cell.key.algorithm));
        canvas.stands_for(Datum::of(row.cell, None, mean / total, None));
        let right = x + long * mean / total;
        let bar = Area { left: x, top: middle - 8.0, right, bottom: middle + 8.0 };
        canvas.fill_area(bar, COLOURS[kind % COLOURS.len()], 0.85);
        if kind > 0 {
            // A white line keeps neighbours apart in grey print.
            canvas.line(&[(x, bar.top), (x, bar.bottom)], PAPER, 1.2, SOLID);
        }
        x = right;
    }
    canvas.neutral();
}

/// Draws the names of kinds around the middle of their left end.
fn draw_entries(canvas: &mut Canvas, (left, middle): Place, lines: &[Vec<Entry>]) {
    for (number, line) in lines.iter().enumerate() {
        let y = middle + (number as f64 - (lines.len() - 1) as f64 / 2.0) * LINE;
        for Entry { shift, kind, text } in line {
            let x = left + shift;
            let (top, bottom) = (y - SQUARE / 2.0, y + SQUARE / 2.0);
            let square = Area { left: x, top, right: x + SQUARE, bottom };
            canvas.fill_area(square, COLOURS[kind % COLOURS.len()], 0.85);
            canvas.text((x + SQUARE + 5.0, y), text, SMALL, Anchor::Start, FAINT);
        }
    }
}

fn title(rows: &[Row]) -> String {
    // Of algorithms with several kinds, the one whose kinds are the most even.
    let several = rows.iter().filter(|row| row.kinds.len() > 1);
    let shares =
        several.filter_map(|row| Some((row.most()?, &row.cell.key.algorithm, row.cell.n())));
    match shares.min_by(|a, b| a.0.0.total_cmp(&b.0.0)) {
        Some(((share, kind), algorithm, n)) => format!(
            "What messages are for: {} % of those of {algorithm} at n = {} are of the kind ‘{kind}’",
            decimal(100.0 * share, 0),
            decimal(n as f64, 0)
        ),
        None => "What messages are for: each of these algorithms has one kind".to_owned(),
    }
}
