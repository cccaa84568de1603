//! Messages by kind: what the messages of each algorithm are for.

use super::canvas::{Anchor, Area};
use super::drawing::{Drawing, Figure};
use super::font::width;
use super::frame::{LABEL, LINE, SMALL, Sheet};
use super::plot::Plot;
use super::scale::{count, decimal};
use super::source::{Source, Subject};
use super::style::{COLOURS, FAINT, INK};
use crate::results::KindMeans as Kinds;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "kinds",
    line: "what messages are for: shares of their kinds",
    about: Subject::Rings,
    draw,
};

/// The room of a bar.
const BAR: f64 = 250.0;
/// The square beside the name of a kind.
const SQUARE: f64 = 9.0;

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_rings() else {
        return Err("there is no cell on rings in random order".into());
    };
    let mut table = source.results.kinds()?;
    let n = source.choice.n.unwrap_or_else(|| selection.common_size());
    let mut rows: Vec<(&CellSummary, Kinds)> = Vec::new();
    for group in &selection.groups {
        // An algorithm that has not run at this size shows its largest below.
        let cell = group.cells.iter().rev().find(|cell| cell.n() <= n);
        let kinds = cell.and_then(|cell| Some((*cell, table.remove(&cell.key)?)));
        rows.extend(kinds.filter(|(_, kinds)| kinds.iter().any(|(_, mean)| *mean > 0.0)));
    }
    if rows.is_empty() {
        return Err(format!("kinds.csv has no messages at n = {n} or below").into());
    }

    let labels: Vec<String> = rows
        .iter()
        .map(|(cell, _)| match cell.n() == n {
            true => cell.key.algorithm.clone(),
            false => format!("{} (n = {})", cell.key.algorithm, decimal(cell.n() as f64, 0)),
        })
        .collect();
    let widest = labels.iter().map(|label| width(label, LABEL)).fold(0.0, f64::max);
    let title = title(&rows);
    let notes = format!(
        "Mean shares of all messages on random rings of {}, with messages per node in brackets; {}.",
        decimal(n as f64, 0),
        selection.notes()
    );
    let room = super::frame::WIDTH - 2.0 * super::frame::MARGIN - widest - BAR - 24.0;
    let entries: Vec<Vec<Vec<(f64, usize, String)>>> =
        rows.iter().map(|(cell, kinds)| entries(cell, kinds, room)).collect();
    let height: f64 = entries.iter().map(|lines| row_height(lines.len())).sum();
    let mut sheet = Sheet::new(&title, &notes, &source.line(), height);
    let canvas = &mut sheet.canvas;
    let left = sheet.body.left + widest + 10.0;
    let mut top = sheet.body.top;
    for ((label, (_, kinds)), lines) in labels.iter().zip(&rows).zip(&entries) {
        let row = row_height(lines.len());
        let middle = top + row / 2.0;
        canvas.text((left - 10.0, middle), label, LABEL, Anchor::End, INK);
        let total: f64 = kinds.iter().map(|(_, mean)| mean).sum();
        let mut x = left;
        for (number, (_, mean)) in kinds.iter().enumerate() {
            let right = x + BAR * mean / total;
            let bar = Area { left: x, top: middle - 8.0, right, bottom: middle + 8.0 };
            canvas.fill_area(bar, COLOURS[number % COLOURS.len()], 0.85);
            if number > 0 {
                // A white line keeps neighbours apart in grey print.
                canvas.line(&[(x, bar.top), (x, bar.bottom)], super::style::PAPER, 1.2, &[]);
            }
            x = right;
        }
        for (number, line) in lines.iter().enumerate() {
            let y = middle + (number as f64 - (lines.len() - 1) as f64 / 2.0) * LINE;
            for (shift, kind, text) in line {
                let x = left + BAR + 14.0 + shift;
                let square = Area {
                    left: x,
                    top: y - SQUARE / 2.0,
                    right: x + SQUARE,
                    bottom: y + SQUARE / 2.0,
                };
                canvas.fill_area(square, COLOURS[kind % COLOURS.len()], 0.85);
                canvas.text((x + SQUARE + 5.0, y), text, SMALL, Anchor::Start, FAINT);
            }
        }
        top += row;
    }
    let caption =
        "What the messages of each algorithm are for: the mean share of every kind of message, \
                   and how many of it a node sends."
            .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

fn row_height(lines: usize) -> f64 {
    (lines as f64 * LINE).max(LINE + 4.0) + 6.0
}

/// The names of a row's kinds in lines of at most this width: shift, number of the kind, text.
fn entries(cell: &CellSummary, kinds: &Kinds, room: f64) -> Vec<Vec<(f64, usize, String)>> {
    let total: f64 = kinds.iter().map(|(_, mean)| mean).sum();
    let mut lines: Vec<Vec<(f64, usize, String)>> = vec![Vec::new()];
    let mut x = 0.0;
    for (number, (kind, mean)) in kinds.iter().enumerate() {
        let (share, per_node) = (100.0 * mean / total, mean / cell.n() as f64);
        let text = format!("{kind} {} % ({})", decimal(share, 1), count(per_node));
        let wide = SQUARE + 5.0 + width(&text, SMALL) + 14.0;
        if x > 0.0 && x + wide > room + 14.0 {
            lines.push(Vec::new());
            x = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, number, text));
        }
        x += wide;
    }
    lines
}

fn title(rows: &[(&CellSummary, Kinds)]) -> String {
    let most = |kinds: &Kinds| {
        let total: f64 = kinds.iter().map(|(_, mean)| mean).sum();
        let largest = kinds.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        largest.map(|(name, mean)| (mean / total, name.clone()))
    };
    // Of algorithms with several kinds, the one whose kinds are the most even.
    let several = rows.iter().filter(|(_, kinds)| kinds.len() > 1);
    let shares = several.filter_map(|(cell, kinds)| Some((most(kinds)?, &cell.key.algorithm)));
    match shares.min_by(|a, b| a.0.0.total_cmp(&b.0.0)) {
        Some(((share, kind), algorithm)) => format!(
            "What messages are for: {} % of those of {algorithm} are of the kind ‘{kind}’",
            decimal(100.0 * share, 0)
        ),
        None => "What messages are for: each of these algorithms has one kind".to_owned(),
    }
}
