//! Messages per edge against N on trees and graphs: families side by side on the same axes.

use super::drawing::{Drawing, Figure};
use super::family::{
    self, Family, NONE, algorithm_entries, families, first_in_most, panel, per_edge,
    sheet_with_key, theory_entry,
};
use super::grid::Grid;
use super::plot::Plot;
use super::scale::{Scale, count, decimal, range};
use super::series::{Point, draw_series};
use super::source::{Source, Subject};
use super::style::{Dash, THEORY, THEORY_DASHES};
use crate::model::theory::harmonic;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "networks",
    line: "trees and graphs: messages per edge against N, by family",
    about: Subject::Networks,
    draw,
};

/// A curve to compare with: its name, and messages per edge.
struct Guide {
    text: &'static str,
    /// The algorithm that it is about; all, if it is not one.
    about: Option<&'static str>,
    value: fn(u64) -> f64,
    dash: Dash,
}

const WAVE: Guide =
    Guide { text: "2, one wave", about: None, value: |_| 2.0, dash: THEORY_DASHES[0] };
const EXTINCTION: Guide = Guide {
    text: "2 H_N (a heuristic for echo-election)",
    about: Some("echo-election"),
    value: |n| 2.0 * harmonic(n),
    dash: THEORY_DASHES[1],
};

impl Guide {
    /// Whether these series have something to compare with it.
    fn is_shown(&self, series: &[(&str, Vec<Point>)]) -> bool {
        self.about.is_none_or(|about| series.iter().any(|(algorithm, _)| *algorithm == about))
    }
}

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_networks() else {
        return Err(NONE.into());
    };
    let families = families(&selection);
    let points: Vec<Vec<(&str, Vec<Point>)>> = families.iter().map(points).collect();
    let all = || points.iter().flatten().flat_map(|(_, points)| points);
    let mut sizes: Vec<u64> = all().map(|point| point.x as u64).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut guides = vec![WAVE];
    guides.extend((selection.setting.initiators == "all").then_some(EXTINCTION));
    guides.retain(|guide| points.iter().any(|series| guide.is_shown(series)));
    let curves: Vec<Vec<(f64, f64)>> = guides.iter().map(|guide| curve(guide, &sizes)).collect();
    let theory = curves.iter().flatten().map(|(_, y)| *y);
    let Some((low, high)) = range(all().map(|point| point.y).chain(theory)) else {
        return Err("no run on trees or graphs has sent a message".into());
    };

    let title = title(&families);
    let notes = format!(
        "Mean messages over mean edges against N on random layouts, with 95 % bands; {}.",
        family::notes(&selection)
    );
    let mut key = algorithm_entries(source, &families);
    key.extend(guides.iter().map(|guide| theory_entry(guide.text, guide.dash)));
    let headings: Vec<_> = families.iter().map(|family| (family.name.clone(), vec![])).collect();
    let grid = Grid::new(230.0, &headings);
    let (mut sheet, areas) =
        sheet_with_key((&title, &notes, &source.line_with_markers()), &key, &grid);
    let canvas = &mut sheet.canvas;
    for (area, series) in areas.into_iter().zip(&points) {
        let names = ("N", "");
        let panel = panel(area, Scale::sizes(&sizes), Scale::log(low, high), names);
        panel.draw(canvas, names);
        for (guide, curve) in guides.iter().zip(&curves).filter(|(guide, _)| guide.is_shown(series))
        {
            let places: Vec<_> = curve.iter().map(|&(n, y)| panel.at(n, y)).collect();
            canvas.line_within(panel.area, &places, THEORY, 1.3, guide.dash);
        }
        for (algorithm, points) in series {
            draw_series(canvas, &panel, source.look(algorithm), points);
        }
    }
    let caption = "Mean messages per edge against the number of nodes, one panel per family of networks, all \
                   on the same axes. One wave over all edges and back costs 2 (grey, dashed)."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

/// The points of every algorithm of a family.
fn points<'a>(family: &Family<'a>) -> Vec<(&'a str, Vec<Point>)> {
    let points = |cells: &[&CellSummary]| cells.iter().filter_map(|cell| per_edge(cell)).collect();
    family.groups.iter().map(|group| (group.algorithm, points(&group.cells))).collect()
}

/// A curve over all sizes, and the sizes in between.
fn curve(guide: &Guide, sizes: &[u64]) -> Vec<(f64, f64)> {
    const STEPS: u32 = 40;
    let (Some(&low), Some(&high)) = (sizes.first(), sizes.last()) else { return Vec::new() };
    let factor = high as f64 / low as f64;
    let mut between: Vec<u64> = (0..=STEPS)
        .map(|step| (low as f64 * factor.powf(f64::from(step) / f64::from(STEPS))).round() as u64)
        .collect();
    between.dedup();
    between.into_iter().map(|n| (n as f64, (guide.value)(n))).collect()
}

/// Who needs the fewest messages in most families; of one family, how many.
fn title(families: &[Family]) -> String {
    if let [family] = families
        && let Some(n) = family.common_size(u64::MAX)
    {
        let mut means: Vec<(f64, &str)> = family
            .at(n)
            .filter_map(|cell| Some((per_edge(cell)?.y, cell.key.algorithm.as_str())))
            .collect();
        means.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (name, size) = (&family.name, decimal(n as f64, 0));
        match means[..] {
            [(mean, only)] => {
                return format!(
                    "{only} needs {} messages per edge on {name} of {size}",
                    count(mean)
                );
            }
            [(few, least), .., (many, most)] => {
                return format!(
                    "On {name} of {size}, {least} needs the fewest messages per edge ({}) and {most} the \
                     most ({})",
                    count(few),
                    count(many)
                );
            }
            [] => {}
        }
    }
    match first_in_most(families, |cell| Some(per_edge(cell)?.y)) {
        Some((name, wins, contests)) => format!(
            "{name} needs the fewest messages per edge in {wins} of {contests} families of networks"
        ),
        None => "Messages per edge on trees and graphs".to_owned(),
    }
}
