//! Measured over theory against n: one panel for each algorithm, 1 is a straight line.

use super::canvas::Canvas;
use super::drawing::Drawing;
use super::grid::{Grid, Heading};
use super::panel::Panel;
use super::plot::Plot;
use super::scale::{Scale, count};
use super::series::{Point, draw_series};
use super::sheet::Words;
use super::source::{Group, Selection, Source, Subject};
use super::style::{ALARM, FAINT, Look, MARKER, Marker};
use crate::model::metric::Metric;
use crate::model::theory::Certainty;
use crate::summarise::{CellSummary, MeanVerdict, certainty};

pub(super) const PLOT: Plot = Plot {
    name: "ratio",
    line: "measured over theory against n; 0.1 % can be seen",
    about: Subject::Rings,
    metrics: &Metric::ALL,
    draw,
};

const CAPTION: &str = "Measured mean over the theorem's expectation against n, one panel per \
                       algorithm: the horizontal line at 1 is exact agreement, the bars are 95 % \
                       intervals, and differences of 0.1 % can be seen.";

const NAMES: (&str, &str) = ("n, the number of nodes", "measured / theory");

/// Differences of this size are seen at every scale.
const VISIBLE: f64 = 0.001;

/// What is shown: cells whose expectation is known, and their ratios, algorithm by algorithm.
struct Ratios<'a> {
    selection: Selection<'a>,
    points: Vec<Vec<Point<'a>>>,
}

fn draw(source: &Source) -> Drawing {
    let Ratios { selection, points } = &select(source)?;
    let words = Words {
        title: title(&selection.cells().collect::<Vec<_>>()),
        notes: format!(
            "Mean {} over their expectation on random rings, with 95 % intervals. Every upright \
             axis has its own scale: even up to about 0.1 % from 1 and logarithmic beyond; {}.",
            source.noun(&selection.setting),
            selection.notes()
        ),
        source: source.line_with_markers(),
    };
    let grid = Grid::new(210.0, selection.groups.iter().map(heading));
    let (mut sheet, areas) = grid.sheet(words);
    let canvas = &mut sheet.canvas;
    let x = Scale::sizes(&selection.sizes());
    for ((area, group), points) in areas.into_iter().zip(&selection.groups).zip(points) {
        let y = Scale::around_one(VISIBLE, farthest(points));
        let panel = Panel::within(area, x.clone(), y, NAMES);
        panel.draw(canvas, NAMES);
        panel.level(canvas, 1.0);
        let look = source.look(group.algorithm);
        draw_series(canvas, &panel, group.algorithm, look, points);
        draw_alarms(canvas, &panel, look, group, points);
    }
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Ratios<'a>> {
    let mut selection = source.random_rings()?;
    for group in &mut selection.groups {
        group.cells.retain(|cell| cell.measured_over_theory.is_some());
    }
    selection.groups.retain(|group| !group.cells.is_empty());
    if selection.groups.is_empty() {
        return Err("no expectation is known for the cells on random rings".into());
    }
    let ratios = |group: &Group<'a>| group.cells.iter().filter_map(|cell| ratio(cell)).collect();
    let points = selection.groups.iter().map(ratios).collect();
    Ok(Ratios { selection, points })
}

/// How far from 1 the ratios and their intervals reach.
fn farthest(points: &[Point]) -> f64 {
    let reach = points.iter().flat_map(Point::reach);
    reach.map(|y| (y - 1.0).abs()).fold(0.0, f64::max)
}

/// Puts the cells that differ from their theorem in a ring.
fn draw_alarms(canvas: &mut Canvas, panel: &Panel, look: Look, group: &Group, points: &[Point]) {
    for (_, point) in group.cells.iter().zip(points).filter(|(cell, _)| differs(cell)) {
        let place = panel.at(point.x, point.y);
        canvas.marker(place, Marker::Circle, MARKER + 5.0, ALARM, false);
        canvas.stands_for(point.datum());
        canvas.marker(place, look.marker, MARKER, ALARM, point.filled);
    }
}

fn ratio(cell: &CellSummary) -> Option<Point<'_>> {
    let theory = cell.theory_mean.as_ref()?.value.as_f64();
    Point::mean(cell, theory)
}

fn differs(cell: &CellSummary) -> bool {
    matches!(cell.verdict_mean, MeanVerdict::Differs | MeanVerdict::ConstantDiffers)
}

/// The algorithm, and how its expectation is known.
fn heading(group: &Group) -> Heading {
    let facts = group.cells.iter().filter_map(|cell| cell.theory_mean.as_ref());
    let last = facts.clone().next_back();
    let line = last.map(|fact| match fact.certainty {
        Certainty::Proved => fact.formula.clone(),
        // Numbers of single sizes say nothing as a formula.
        Certainty::Enumerated => certainty(fact.certainty).to_owned(),
        other => format!("{} ({})", fact.formula, certainty(other)),
    });
    let mut lines: Vec<_> = line.into_iter().map(|line| (line, FAINT)).collect();
    let bad: Vec<String> = (group.cells.iter().filter(|cell| differs(cell)))
        .map(|cell| count(cell.n() as f64))
        .collect();
    if !bad.is_empty() {
        lines.push((format!("differs at n = {}", bad.join(", ")), ALARM));
    }
    Heading { title: group.algorithm.to_owned(), lines }
}

fn title(cells: &[&CellSummary]) -> String {
    let with = |verdicts: &[MeanVerdict]| {
        cells.iter().filter(|cell| verdicts.contains(&cell.verdict_mean)).count()
    };
    let good = with(&[MeanVerdict::Agrees, MeanVerdict::ConstantAgrees]);
    let bad: Vec<String> = cells
        .iter()
        .filter(|cell| differs(cell))
        .map(|cell| format!("{} at n = {}", cell.key.algorithm, count(cell.n() as f64)))
        .collect();
    match (good, bad.len()) {
        (0, 0) => {
            "Measured over theory; too few runs, or no exact theorem, for a verdict".to_owned()
        }
        (1, 0) => "The measured mean agrees with its theorem".to_owned(),
        (_, 0) => format!("All {good} means agree with what theory expects"),
        (_, 1..=3) => {
            format!(
                "{} of {} means differ from their theorem: {}",
                bad.len(),
                good + bad.len(),
                bad.join(", ")
            )
        }
        _ => format!(
            "{} of {} means differ from their theorem, the first {}",
            bad.len(),
            good + bad.len(),
            bad[0]
        ),
    }
}
