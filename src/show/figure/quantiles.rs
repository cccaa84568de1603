//! Quantiles against n: how much the messages of one ring differ from those of another.

use super::canvas::{Canvas, Place};
use super::data::Datum;
use super::drawing::Drawing;
use super::grid::{Grid, Heading};
use super::headline::place;
use super::key::Entry;
use super::panel::Panel;
use super::plot::{OF_NODES, Plot};
use super::scale::{Scale, decimal, range};
use super::sheet::Words;
use super::source::{Group, Selection, Source, Subject};
use super::style::{Colour, DOTTED, INK, Marker, SOLID, is_filled};
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "quantiles",
    line: "quantiles of the messages per node against n",
    about: Subject::Rings,
    metrics: OF_NODES,
    draw,
};

const CAPTION: &str = "Messages per node against n: median, the middle half, the middle 90 % and the \
                       extremes of the measured elections, one panel per algorithm with its own scale.";

const NAMES: (&str, &str) = ("n, the number of nodes", "messages / n");

/// Messages per node: fewest, 5 %, 25 %, median, 75 %, 95 %, most.
struct Fan<'a> {
    cell: &'a CellSummary,
    n: f64,
    values: [f64; 7],
    filled: bool,
}

impl<'a> Fan<'a> {
    fn of(cell: &'a CellSummary) -> Option<Self> {
        let n = cell.n() as f64;
        let [median, q05, q25, q75, q95] = cell.quantiles.map(|quantile| quantile.value);
        let values = [cell.min?.as_f64(), q05?, q25?, median?, q75?, q95?, cell.max?.as_f64()];
        Some(Fan {
            cell,
            n,
            values: values.map(|value| value / n),
            filled: is_filled(&cell.engine),
        })
    }
}

fn draw(source: &Source) -> Drawing {
    let selection = select(source)?;
    let noun = source.noun(&selection.setting);
    let name = NAMES.1.replace("messages", noun);
    let names = (NAMES.0, name.as_str());
    let words = Words {
        title: title(source, &selection),
        notes: match noun {
            "messages" => format!("Messages per node on random rings; {}.", selection.notes()),
            _ => format!("On random rings, {noun} over n; {}.", selection.notes()),
        },
        source: source.line_with_markers(),
    };
    let headings = selection.groups.iter().map(|group| Heading::plain(group.algorithm));
    let key = key(source.look(selection.groups[0].algorithm).colour);
    let (mut sheet, areas) = Grid::new(210.0, headings).sheet_with_key(words, &key, 0.0);
    let canvas = &mut sheet.canvas;
    let x = Scale::sizes(&selection.sizes());
    for (area, group) in areas.into_iter().zip(&selection.groups) {
        let fans: Vec<Fan> = group.cells.iter().filter_map(|cell| Fan::of(cell)).collect();
        let Some((low, high)) = range(fans.iter().flat_map(|fan| fan.values)) else { continue };
        let panel = Panel::within(area, x.clone(), Scale::linear(low, high), names);
        panel.draw(canvas, names);
        draw_fans(canvas, &panel, source.look(group.algorithm).colour, &fans);
    }
    let caption = match noun {
        "messages" => CAPTION.to_owned(),
        _ => CAPTION.replacen("Messages per node", &format!("Per node, {noun}"), 1),
    };
    sheet.figure(PLOT.name, caption)
}

/// The algorithms whose runs differ.
fn select<'a>(source: &Source<'a>) -> Drawing<Selection<'a>> {
    let mut selection = source.random_rings()?;
    selection.groups.retain(Group::varies);
    if selection.groups.is_empty() {
        return Err("no cell on random rings has runs that differ from each other".into());
    }
    if !selection.cells().any(|cell| Fan::of(cell).is_some()) {
        return Err("its numbers are no whole ones, and no quantiles are kept of such".into());
    }
    Ok(selection)
}

fn draw_fans(canvas: &mut Canvas, panel: &Panel, colour: Colour, fans: &[Fan]) {
    let places = |place: usize| -> Vec<Place> {
        fans.iter().map(|fan| panel.at(fan.n, fan.values[place])).collect()
    };
    for (low, high, opacity) in [(1, 5, 0.22), (2, 4, 0.4)] {
        canvas.band(&places(low), &places(high), colour, opacity);
    }
    for extreme in [0, 6] {
        canvas.line(&places(extreme), colour, 1.2, DOTTED);
    }
    canvas.line(&places(3), INK, 1.6, SOLID);
    for fan in fans {
        let at = |place: usize| panel.at(fan.n, fan.values[place]);
        // A single size has no band: bars say the same.
        if let [_] = fans {
            canvas.line(&[at(0), at(6)], colour, 1.2, DOTTED);
            canvas.line(&[at(1), at(5)], colour, 2.0, SOLID);
            canvas.line(&[at(2), at(4)], colour, 8.0, SOLID);
        }
        let [_, low, _, median, _, high, _] = fan.values;
        canvas.stands_for(Datum::of(fan.cell, fan.n, median, Some((low, high))));
        canvas.marker(at(3), Marker::Circle, 2.6, INK, fan.filled);
    }
}

fn key(colour: Colour) -> Vec<Entry> {
    vec![
        Entry::line("median", INK, SOLID),
        Entry::area("middle half", 12.0, colour, 0.55),
        Entry::area("5 % to 95 %", 12.0, colour, 0.22),
        Entry::line("fewest and most", colour, DOTTED),
    ]
}

/// Whose runs differ most from each other at the largest size that half of them have; of equals the
/// first.
fn title(source: &Source, selection: &Selection) -> String {
    let n = selection.common_size();
    let spread = |group: &Group| {
        let cell = group.at(n)?;
        let [median, q05, _, _, q95] = cell.quantiles.map(|quantile| quantile.value);
        let median = median.filter(|median| *median > 0.0)?;
        Some((group.algorithm.to_owned(), q05? / median - 1.0, q95? / median - 1.0, cell.runs))
    };
    let spreads: Vec<_> = selection.groups.iter().rev().filter_map(spread).collect();
    let widest = spreads.iter().max_by(|a, b| (a.2 - a.1).total_cmp(&(b.2 - b.1)));
    // The quantiles of a few runs are these runs.
    let Some((algorithm, low, high, 20..)) = widest else {
        return match source.noun(&selection.setting) {
            "messages" => "Messages per node: how much rings differ".to_owned(),
            noun => format!("How much rings differ: {noun}"),
        };
    };
    let percent = |share: f64| {
        let sign = if share > 0.0 { "+" } else { "" };
        format!("{sign}{} %", decimal(100.0 * share, 1))
    };
    let here = place(n, spreads.len(), selection.groups.len());
    let whose = if spreads.len() > 1 { " varies most:" } else { ":" };
    format!(
        "{here}, {algorithm}{whose} 90 % of its elections lie within {} and {} of the median",
        percent(*low),
        percent(*high)
    )
}
