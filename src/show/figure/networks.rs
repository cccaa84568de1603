//! Messages per edge against N on trees and graphs: families side by side on the same axes.

use super::curve::Guide;
use super::drawing::Drawing;
use super::family::{
    self, BELOW_KEY, Family, algorithm_entries, edges, families, first_in_most, per_edge,
};
use super::grid::{Grid, Heading};
use super::headline::{Field, Standing};
use super::key::Entry;
use super::panel::Panel;
use super::plot::{MESSAGES, Plot};
use super::scale::{Scale, count, range};
use super::series::{Point, draw_series};
use super::sheet::Words;
use super::source::{Selection, Source, Subject};
use super::style::{THEORY, THEORY_DASHES};
use crate::model::theory::{Fact, harmonic};
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "networks",
    line: "trees and graphs: messages per edge against N, by family",
    about: Subject::Networks,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Mean messages per edge against the number of nodes, one panel per family of \
                       networks, all on the same axes. One wave over all edges and back costs 2 \
                       (grey, dashed).";

const NAMES: (&str, &str) = ("N, the number of nodes", "messages per edge");

/// What is shown: families, and curves beside them.
struct Shown<'a> {
    selection: Selection<'a>,
    families: Vec<Family<'a>>,
    /// All sizes, ascending.
    sizes: Vec<u64>,
    curves: Vec<Curve<'a>>,
    /// The fewest and the most messages per edge of all these.
    ends: (f64, f64),
}

/// A curve to compare with, and the algorithm that it is about; all, if it is not one.
struct Curve<'a> {
    guide: Guide,
    about: Option<&'a str>,
}

impl Curve<'_> {
    /// Whether a family has something to compare with it.
    fn is_shown(&self, family: &Family) -> bool {
        let is_it = |about: &str| family.groups.iter().any(|group| group.algorithm == about);
        self.about.is_none_or(is_it)
    }
}

fn draw(source: &Source) -> Drawing {
    let Shown { selection, families, sizes, curves, ends } = &select(source)?;
    let words = Words {
        title: title(families),
        notes: format!(
            "Mean messages over mean edges against N on random layouts, with 95 % bands; {}.",
            family::notes(selection)
        ),
        source: source.line_with_markers(),
    };
    let mut key = algorithm_entries(source, families);
    let guides = curves.iter().map(|curve| &curve.guide);
    key.extend(guides.map(|guide| Entry::line(&guide.name, THEORY, guide.dash)));
    let grid = Grid::new(230.0, families.iter().map(|family| Heading::plain(&family.name)));
    let (mut sheet, areas) = grid.sheet_with_key(words, &key, BELOW_KEY);
    let canvas = &mut sheet.canvas;
    let (x, y) = (Scale::sizes(sizes), Scale::log(ends.0, ends.1));
    for (area, family) in areas.into_iter().zip(families) {
        let panel = Panel::well_within(area, x.clone(), y.clone(), NAMES);
        panel.draw(canvas, NAMES);
        for curve in curves.iter().filter(|curve| curve.is_shown(family)) {
            curve.guide.draw(canvas, &panel);
        }
        for group in &family.groups {
            let points: Vec<Point> = group.cells.iter().filter_map(|cell| per_edge(cell)).collect();
            draw_series(canvas, &panel, group.algorithm, source.look(group.algorithm), &points);
        }
    }
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_networks()?;
    let families = families(&selection);
    let points: Vec<Point> = families.iter().flat_map(Family::cells).filter_map(per_edge).collect();
    let mut sizes: Vec<u64> = points.iter().map(|point| point.x as u64).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut curves = curves(source, &selection, &families, &sizes);
    curves.retain(|curve| families.iter().any(|family| curve.is_shown(family)));
    let theory = curves.iter().flat_map(|curve| &curve.guide.points).map(|(_, y)| *y);
    let ends = range(points.iter().map(|point| point.y).chain(theory))
        .ok_or("no run on trees or graphs has sent a message")?;
    Ok(Shown { selection, families, sizes, curves, ends })
}

/// One wave; and where all start, what a yardstick comes to whose waves extinguish each other.
fn curves<'a>(
    source: &Source<'a>,
    selection: &Selection<'a>,
    families: &[Family<'a>],
    sizes: &[u64],
) -> Vec<Curve<'a>> {
    const STEPS: u32 = 40;
    let [dashed, dotted, ..] = THEORY_DASHES;
    let wave = Guide::new("2, one wave", |_| 2.0, dashed, sizes, STEPS);
    let extinguish = |algorithm: &&str| {
        let mut groups = families.iter().flat_map(|family| &family.groups);
        groups.any(|group| group.algorithm == *algorithm && group.cells.iter().all(has_waves))
    };
    let everybody = selection.setting.initiators == "all";
    let about = source.yardsticks().filter(|_| everybody).find(extinguish);
    let heuristic = about.map(|about| {
        let name = format!("2 H_N (a heuristic for {about})");
        Guide::new(&name, |n| 2.0 * harmonic(n), dotted, sizes, STEPS)
    });
    let heuristic = heuristic.map(|guide| Curve { guide, about });
    [Curve { guide: wave, about: None }].into_iter().chain(heuristic).collect()
}

/// Whether the bounds of a cell are those of N waves that extinguish each other: at least the 2E
/// messages of the winner's wave, at most N times as many. The announcement comes on top.
fn has_waves(cell: &&CellSummary) -> bool {
    let wave = 2.0 * cell.edges.unwrap_or_default();
    let is = |bound: &Option<Fact>, messages: f64| {
        let bound = bound.as_ref().map(|fact| fact.value.as_f64() - cell.mean_announcements);
        // Means over runs have been rounded.
        bound.is_some_and(|bound| (bound - messages).abs() <= 1e-9 * messages)
    };
    is(&cell.theory_best, wave) && is(&cell.theory_worst, wave * cell.n() as f64)
}

/// Who needs the fewest messages in most families; of one family, how many.
fn title(families: &[Family]) -> String {
    if let [family] = families
        && let Some(n) = family.common_size(u64::MAX)
    {
        let there = family.at(n).filter_map(|cell| Standing::of(cell, edges(cell)?));
        let field = Field::new(there, n, family.groups.len());
        if let Some(sentence) = field.sentence("messages per edge", count) {
            return format!("{}: {sentence}", family.name);
        }
    }
    match first_in_most(families, |cell| Some(per_edge(cell)?.y)) {
        Some((name, wins, contests)) => format!(
            "{name} needs the fewest messages per edge in {wins} of {contests} families of networks, at the \
             largest N that most algorithms have"
        ),
        None => "Messages per edge on trees and graphs".to_owned(),
    }
}
