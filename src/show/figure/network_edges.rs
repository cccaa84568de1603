//! Messages against edges: one panel for each algorithm, families as lines.

use super::drawing::{Drawing, Figure};
use super::family::{
    self, Family, NONE, edges, families, panel, series_entry, sheet_with_key, theory_entry,
};
use super::grid::Grid;
use super::plot::Plot;
use super::scale::{Scale, count, range};
use super::series::{Point, draw_series};
use super::source::{Source, Subject};
use super::style::{THEORY, THEORY_DASHES, look};
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "network-edges",
    line: "trees and graphs: messages against edges, by algorithm",
    about: Subject::Networks,
    draw,
};

/// The lines of a panel: the number of a family, and its points.
type Lines = Vec<(usize, Vec<Point>)>;

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_networks() else {
        return Err(NONE.into());
    };
    let families = families(&selection);
    // For each algorithm the number of every family that it has run on, with its points.
    let panels: Vec<(&str, Lines)> = selection
        .groups
        .iter()
        .map(|group| (group.algorithm, series(&families, group.algorithm)))
        .filter(|(_, series)| !series.is_empty())
        .collect();
    let points = || panels.iter().flat_map(|(_, series)| series).flat_map(|(_, points)| points);
    let (across, up) = (range(points().map(|point| point.x)), range(points().map(|point| point.y)));
    let (Some(across), Some((low, high))) = (across, up) else {
        return Err("no run on trees or graphs has sent a message".into());
    };
    let wave = [across.0, across.1].map(|edges| (edges, 2.0 * edges));

    let title = title(&families);
    let notes = format!(
        "Mean messages against E, the mean number of edges, on random layouts, with 95 % bands; {}.",
        family::notes(&selection)
    );
    let mut key: Vec<_> = (families.iter().enumerate())
        .map(|(number, family)| series_entry(&family.name, look(number)))
        .collect();
    key.push(theory_entry("2E, one wave", THEORY_DASHES[0]));
    let headings: Vec<_> =
        panels.iter().map(|(algorithm, _)| ((*algorithm).to_owned(), vec![])).collect();
    let grid = Grid::new(200.0, &headings);
    let (mut sheet, areas) =
        sheet_with_key((&title, &notes, &source.line_with_markers()), &key, &grid);
    let canvas = &mut sheet.canvas;
    let (low, high) = (low.min(wave[0].1), high.max(wave[1].1));
    for (area, (_, series)) in areas.into_iter().zip(&panels) {
        let names = ("E", "");
        let (x, y) = (Scale::log(across.0, across.1), Scale::log(low, high));
        let panel = panel(area, x, y, names);
        panel.draw(canvas, names);
        let places = wave.map(|(x, y)| panel.at(x, y));
        canvas.line(&places, THEORY, 1.3, THEORY_DASHES[0]);
        for (number, points) in series {
            draw_series(canvas, &panel, look(*number), points);
        }
    }
    let caption = "Mean messages against the number of edges, one panel per algorithm, all on the same \
                   logarithmic axes. Where the families lie on one line, the edges alone say what an \
                   election costs; the dashed line is one wave, 2E."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

/// The points of an algorithm in every family that has it, by edges.
fn series(families: &[Family], algorithm: &str) -> Lines {
    let point = |cell: &CellSummary| Some(Point { x: edges(cell)?, ..Point::mean(cell, 1.0)? });
    let of = |family: &Family| -> Option<Vec<Point>> {
        let group = family.groups.iter().find(|group| group.algorithm == algorithm)?;
        let mut points: Vec<Point> = group.cells.iter().filter_map(|cell| point(cell)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Some(points)
    };
    let numbered = families.iter().enumerate();
    numbered.filter_map(|(number, family)| Some((number, of(family)?))).collect()
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
