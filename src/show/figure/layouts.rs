//! Best, average and worst rings of each algorithm, with their formulas.

use super::canvas::{Canvas, Place};
use super::data::Datum;
use super::drawing::Drawing;
use super::grid::{Grid, Heading};
use super::key::Entry;
use super::panel::Panel;
use super::plot::{MESSAGES, Plot};
use super::scale::{Scale, decimal, range};
use super::sheet::Words;
use super::source::{Group, Selection, Source, Subject};
use super::style::{Dash, FAINT, Look, MARKER, THEORY, is_filled, look};
use crate::model::theory::{Certainty, Fact};
use crate::model::topology::RING;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "layouts",
    line: "best, random and worst rings of each algorithm, with formulas",
    about: Subject::Rings,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Messages on the best, on random and on the worst rings of each algorithm: \
                       markers are measured, grey curves are the formulas above each panel.";

const NAMES: (&str, &str) = ("n, the number of nodes", "messages");

/// The three formulas with the dashes of their curves.
const FORMULAS: [(&str, Dash); 3] =
    [("worst", &[7.0, 3.0]), ("mean", &[2.0, 2.5]), ("best", &[10.0, 3.0, 2.0, 3.0])];

/// What is shown: the cells, and their layouts with looks.
struct Shown<'a> {
    selection: Selection<'a>,
    layouts: Vec<(&'a str, Look)>,
}

fn draw(source: &Source) -> Drawing {
    let Shown { selection, layouts } = &select(source)?;
    let words = Words {
        title: title(selection),
        notes: format!(
            "Mean messages on each layout, and curves of theory over all rings; every panel has its own scale; {}.",
            selection.notes()
        ),
        source: source.line_with_markers(),
    };
    let grid = Grid::new(210.0, selection.groups.iter().map(heading));
    let (mut sheet, areas) = grid.sheet_with_key(words, &key(layouts), 0.0);
    let canvas = &mut sheet.canvas;
    for (area, group) in areas.into_iter().zip(&selection.groups) {
        // A scale for each: what differs by a few percent would vanish beside n².
        let Some((low, high)) = ends(group.cells.iter().copied()) else { continue };
        let sizes: Vec<u64> = group.cells.iter().map(|cell| cell.n()).collect();
        let panel = Panel::within(area, Scale::sizes(&sizes), Scale::log(low, high), NAMES);
        panel.draw(canvas, NAMES);
        for (place, (_, dash)) in FORMULAS.iter().enumerate() {
            canvas.line_within(panel.area, &curve(&panel, group, place), THEORY, 1.4, dash);
        }
        draw_means(canvas, &panel, group, layouts);
    }
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let on_rings =
        |cell: &CellSummary| cell.key.topology == RING && !cell.key.layout.starts_with("file:");
    let selection = source.select(on_rings).ok_or("there is no cell on rings")?;
    ends(selection.cells()).ok_or("no run has sent a message")?;
    Ok(Shown { layouts: layouts(&selection), selection })
}

/// The fewest and the most messages of these cells, measured or by theory.
fn ends<'a>(cells: impl Iterator<Item = &'a CellSummary>) -> Option<(f64, f64)> {
    let values = cells.flat_map(|cell| {
        let theory = formulas(cell).into_iter().flatten().map(|fact| fact.value.as_f64());
        theory.chain(cell.mean).collect::<Vec<f64>>()
    });
    range(values.filter(|value| *value > 0.0))
}

/// The layouts that occur, with their looks; those that a formula is about come first.
fn layouts<'a>(selection: &Selection<'a>) -> Vec<(&'a str, Look)> {
    let mut names: Vec<&str> = vec!["worst", "random", "best"];
    for cell in selection.cells() {
        if !names.contains(&cell.key.layout.as_str()) {
            names.push(&cell.key.layout);
        }
    }
    let occurs = |name: &str| selection.cells().any(|cell| cell.key.layout == name);
    // The looks of the first three stay theirs whether or not they occur.
    let looks = names.into_iter().enumerate().map(|(number, name)| (name, look(number)));
    looks.filter(|(name, _)| occurs(name)).collect()
}

/// Worst, mean and best of a cell; the mean only where it is that of random rings.
fn formulas(cell: &CellSummary) -> [Option<&Fact>; 3] {
    let mean = cell.theory_mean.as_ref().filter(|_| cell.key.layout == "random");
    [cell.theory_worst.as_ref(), mean, cell.theory_best.as_ref()]
}

/// The curve of a formula through the sizes of an algorithm's cells.
fn curve(panel: &Panel, group: &Group, formula: usize) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut last = 0;
    for cell in &group.cells {
        if let (true, Some(fact)) = (cell.n() > last, formulas(cell)[formula]) {
            last = cell.n();
            places.push(panel.at(cell.n() as f64, fact.value.as_f64().max(f64::MIN_POSITIVE)));
        }
    }
    places
}

fn draw_means(canvas: &mut Canvas, panel: &Panel, group: &Group, layouts: &[(&str, Look)]) {
    for (layout, look) in layouts {
        canvas.series(layout);
        for cell in group.cells.iter().filter(|cell| cell.key.layout == *layout) {
            if let Some(mean) = cell.mean.filter(|mean| *mean > 0.0) {
                let place = panel.at(cell.n() as f64, mean);
                canvas.stands_for(Datum::mean(cell, cell.n() as f64, mean, cell.interval));
                canvas.marker(place, look.marker, MARKER, look.colour, is_filled(&cell.engine));
            }
        }
    }
    canvas.neutral();
}

/// The algorithm and its formulas.
fn heading(group: &Group) -> Heading {
    let mut lines = Vec::new();
    for (place, (name, _)) in FORMULAS.iter().enumerate() {
        let facts: Vec<&Fact> =
            group.cells.iter().filter_map(|cell| formulas(cell)[place]).collect();
        // The number of one size is no formula.
        let fact = facts.iter().rev().find(|fact| fact.certainty != Certainty::Enumerated);
        let text = match (fact, facts.last()) {
            (Some(fact), _) => {
                let relation = match (fact.certainty, *name) {
                    (Certainty::Bound, "best") => "≥",
                    (Certainty::Bound, _) => "≤",
                    (Certainty::Numerical | Certainty::Measured, _) => "≈",
                    _ => "=",
                };
                format!("{name} {relation} {}", fact.formula)
            }
            (None, Some(_)) => format!("{name}: all rings of small n"),
            (None, None) => format!("{name}: not known"),
        };
        lines.push((text, FAINT));
    }
    Heading { title: group.algorithm.to_owned(), lines }
}

fn key(layouts: &[(&str, Look)]) -> Vec<Entry> {
    let layouts = layouts.iter().map(|&(name, look)| Entry::marker(name, look));
    let theory = |(name, dash)| Entry::line(&format!("{name}, theory"), THEORY, dash);
    layouts.chain(FORMULAS.map(theory)).collect()
}

/// Who has the widest span between its worst and its best ring, of those that have both at one size.
fn title(selection: &Selection) -> String {
    let span = |group: &Group, n: u64| {
        let mean = |layout: &str| {
            let at = |cell: &&&CellSummary| cell.key.layout == layout && cell.n() == n;
            group.cells.iter().find(at).and_then(|cell| cell.mean)
        };
        Some(mean("worst")? / mean("best")?).filter(|factor| factor.is_finite())
    };
    let spans = |n: u64| -> Vec<(f64, &str)> {
        let known = selection.groups.iter().rev();
        known.filter_map(|group| Some((span(group, n)?, group.algorithm))).collect()
    };
    // The size at which the most have both, of such the largest.
    let size = selection.sizes().into_iter().max_by_key(|&n| (spans(n).len(), n));
    let known = size.map(spans).unwrap_or_default();
    match (size, known.iter().max_by(|a, b| a.0.total_cmp(&b.0))) {
        (Some(n), Some((factor, algorithm))) => {
            let among = match known.len() {
                1 => String::new(),
                more => format!(", the most of {more} algorithms"),
            };
            format!(
                "The worst ring of {algorithm} costs {} times its best at n = {}{among}",
                decimal(*factor, if *factor < 10.0 { 1 } else { 0 }),
                decimal(n as f64, 0)
            )
        }
        _ => "Messages by layout, between the best and the worst that theory allows".to_owned(),
    }
}
