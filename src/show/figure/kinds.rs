//! Messages by kind: what the messages of each algorithm are for.

use std::collections::HashMap;

use super::canvas::{Anchor, Area};
use super::font::width;
use super::frame::{LABEL, LINE, SMALL, Sheet};
use super::scale::{count, decimal};
use super::source::Source;
use super::style::{COLOURS, FAINT, INK};
use super::{Drawing, Figure};
use crate::experiment::error::{Error, Result};
use crate::model::error::Input;
use crate::results::RUN_COLUMNS;
use crate::results::table::{CELL_COLUMNS, Columns};
use crate::summarise::cells::CellSummary;

pub(super) const NAME: &str = "kinds";

/// The room of a bar.
const BAR: f64 = 250.0;
/// The square beside the name of a kind.
const SQUARE: f64 = 9.0;

/// The kinds of a cell with their mean messages.
type Kinds = Vec<(String, f64)>;

pub(super) fn draw(source: &Source) -> Result<Drawing> {
    let Some(selection) = source.random_rings() else {
        return Ok(Drawing::Skipped("there is no cell on rings in random order".to_owned()));
    };
    let path = source.results.path().join("kinds.csv");
    if !path.exists() {
        return Ok(Drawing::Skipped("the folder has no kinds.csv".to_owned()));
    }
    let mut table = read(source)?;
    let n = source.choice.n.unwrap_or_else(|| selection.common_size());
    let mut rows: Vec<(&CellSummary, Kinds)> = Vec::new();
    for group in &selection.groups {
        // An algorithm that has not run at this size shows its largest below.
        let cell = group.cells.iter().rev().find(|cell| cell.n() <= n);
        let kinds = cell.and_then(|cell| Some((*cell, table.remove(&cell.columns)?)));
        rows.extend(kinds.filter(|(_, kinds)| kinds.iter().any(|(_, mean)| *mean > 0.0)));
    }
    if rows.is_empty() {
        return Ok(Drawing::Skipped(format!("kinds.csv has no messages at n = {n} or below")));
    }

    let labels: Vec<String> = rows
        .iter()
        .map(|(cell, _)| match cell.n() == n {
            true => cell.columns[0].clone(),
            false => format!("{} (n = {})", cell.columns[0], decimal(cell.n() as f64, 0)),
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
    Ok(Drawing::Figure(Figure { name: NAME, title, caption, svg, tex: None }))
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
    let shares = several.filter_map(|(cell, kinds)| Some((most(kinds)?, &cell.columns[0])));
    match shares.min_by(|a, b| a.0.0.total_cmp(&b.0.0)) {
        Some(((share, kind), algorithm)) => format!(
            "What messages are for: {} % of those of {algorithm} are of the kind ‘{kind}’",
            decimal(100.0 * share, 0)
        ),
        None => "What messages are for: each of these algorithms has one kind".to_owned(),
    }
}

/// Reads `kinds.csv`.
fn read(source: &Source) -> Result<HashMap<Columns, Kinds>> {
    let path = source.results.path().join("kinds.csv");
    let bad = |problem: String| -> Error {
        let remedy = "restore the file, or repeat the experiment with hustings run --force";
        Input::new("kinds", path.display(), problem, remedy).into()
    };
    let mut reader = csv::Reader::from_path(&path).map_err(|error| bad(error.to_string()))?;
    let header = reader.headers().map_err(|error| bad(error.to_string()))?.clone();
    let place = |name: &str| {
        let place = header.iter().position(|column| column == name);
        place.ok_or_else(|| bad(format!("the column {name} is missing")))
    };
    let mut places = [0; CELL_COLUMNS];
    for (number, name) in places.iter_mut().zip(RUN_COLUMNS) {
        *number = place(name)?;
    }
    let (kind, mean) = (place("kind")?, place("messages_mean")?);
    let mut table: HashMap<Columns, Kinds> = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad(error.to_string()))?;
        let field = |place: usize| record.get(place).unwrap_or_default().to_owned();
        let number = field(mean);
        let messages = number.parse::<f64>().ok().filter(|mean| mean.is_finite() && *mean >= 0.0);
        let messages = messages.ok_or_else(|| {
            bad(format!("messages_mean has {number:?}, which is no number from 0 on"))
        })?;
        table.entry(places.map(field)).or_default().push((field(kind), messages));
    }
    Ok(table)
}
