//! Messages against edges: one panel for each algorithm, families as lines.

use super::drawing::Drawing;
use super::family::{self, BELOW_KEY, Family, edges, families};
use super::grid::{Grid, Heading};
use super::key::Entry;
use super::panel::Panel;
use super::plot::{MESSAGES, Plot};
use super::scale::{Scale, count, range};
use super::series::{Point, draw_series};
use super::sheet::Words;
use super::source::{Selection, Source, Subject};
use super::style::{THEORY, THEORY_DASHES, look};
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "network-edges",
    line: "trees and graphs: messages against edges, by algorithm",
    about: Subject::Networks,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Mean messages against the number of edges, one panel per algorithm, all on the \
                       same logarithmic axes. Where the families lie on one line, the edges alone say \
                       what an election costs; the dashed line is one wave, 2E.";

const NAMES: (&str, &str) = ("E, the mean number of edges", "messages");

/// What is shown: families, and the lines of each algorithm through those that it has run on.
struct Shown<'a> {
    selection: Selection<'a>,
    families: Vec<Family<'a>>,
    panels: Vec<(&'a str, Vec<Line<'a>>)>,
    /// The fewest and the most edges.
    edges: (f64, f64),
    /// The fewest and the most messages.
    messages: (f64, f64),
}

/// The line of a family in a panel.
struct Line<'a> {
    /// The number of the family.
    number: usize,
    points: Vec<Point<'a>>,
}

fn draw(source: &Source) -> Drawing {
    let shown = select(source)?;
    let words = Words {
        title: title(&shown.families),
        notes: format!(
            "Mean messages against E, the mean number of edges, on random layouts, with 95 % bands; {}.",
            family::notes(&shown.selection)
        ),
        source: source.line_with_markers(),
    };
    let headings = shown.panels.iter().map(|(algorithm, _)| Heading::plain(algorithm));
    let grid = Grid::new(200.0, headings);
    let (mut sheet, areas) = grid.sheet_with_key(words, &key(&shown.families), BELOW_KEY);
    let canvas = &mut sheet.canvas;
    let wave = [shown.edges.0, shown.edges.1].map(|edges| (edges, 2.0 * edges));
    let (low, high) = (shown.messages.0.min(wave[0].1), shown.messages.1.max(wave[1].1));
    let (x, y) = (Scale::log(shown.edges.0, shown.edges.1), Scale::log(low, high));
    for (area, (_, lines)) in areas.into_iter().zip(&shown.panels) {
        let panel = Panel::well_within(area, x.clone(), y.clone(), NAMES);
        panel.draw(canvas, NAMES);
        let places = wave.map(|(x, y)| panel.at(x, y));
        canvas.line(&places, THEORY, 1.3, THEORY_DASHES[0]);
        for Line { number, points } in lines {
            let family = &shown.families[*number].name;
            draw_series(canvas, &panel, family, look(*number), points);
        }
    }
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_networks()?;
    let families = families(&selection);
    let panels: Vec<(&str, Vec<Line<'a>>)> = selection
        .groups
        .iter()
        .map(|group| (group.algorithm, lines(&families, group.algorithm)))
        .filter(|(_, lines)| !lines.is_empty())
        .collect();
    let points = || panels.iter().flat_map(|(_, lines)| lines).flat_map(|line| &line.points);
    let (edges, messages) = range(points().map(|point| point.x))
        .zip(range(points().map(|point| point.y)))
        .ok_or("no run on trees or graphs has sent a message")?;
    Ok(Shown { selection, families, panels, edges, messages })
}

/// The lines of an algorithm, one for every family that has it, by edges.
fn lines<'a>(families: &[Family<'a>], algorithm: &str) -> Vec<Line<'a>> {
    let point = |cell: &'a CellSummary| Some(Point { x: edges(cell)?, ..Point::mean(cell, 1.0)? });
    let line = |(number, family): (usize, &Family<'a>)| {
        let group = family.groups.iter().find(|group| group.algorithm == algorithm)?;
        let mut points: Vec<Point> = group.cells.iter().filter_map(|cell| point(cell)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Some(Line { number, points })
    };
    families.iter().enumerate().filter_map(line).collect()
}

fn key(families: &[Family]) -> Vec<Entry> {
    let numbered = families.iter().enumerate();
    let families = numbered.map(|(number, family)| Entry::series(&family.name, look(number)));
    families.chain([Entry::line("2E, one wave", THEORY, THEORY_DASHES[0])]).collect()
}

/// The cheapest and the dearest, edge by edge.
fn title(families: &[Family]) -> String {
    let mut costs: Vec<(f64, &str, &str)> = Vec::new();
    for family in families {
        let Some(n) = family.common_size(u64::MAX) else { continue };
        let cost = |cell: &CellSummary| Some(cell.mean? / edges(cell)?);
        let cells = family.at(n);
        costs
            .extend(cells.filter_map(|cell| {
                Some((cost(cell)?, cell.key.algorithm.as_str(), &*family.name))
            }));
    }
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    match costs[..] {
        [] => "Messages and edges".to_owned(),
        [(cost, algorithm, family)] => {
            format!("{algorithm} needs {} E messages on {family}", count(cost))
        }
        [(few, least, on), .., (many, most, there)] => format!(
            "From {} E messages ({least} on {on}) to {} E ({most} on {there})",
            count(few),
            count(many)
        ),
    }
}
