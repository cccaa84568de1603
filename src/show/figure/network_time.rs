//! Messages per edge against time on trees and graphs: one panel for each family.

use super::drawing::Drawing;
use super::family::{
    self, BELOW_KEY, Family, algorithm_entries, families, first_in_most, per_edge,
};
use super::grid::{Grid, Heading};
use super::panel::Panel;
use super::path::{Path, Radii, Spot, scales};
use super::plot::{MESSAGES, Plot};
use super::sheet::Words;
use super::source::{Source, Subject};
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "network-time",
    line: "trees and graphs: messages per edge against time",
    about: Subject::Networks,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Mean messages per edge against the mean time until the last message, one panel \
                       per family of networks; each path leads from the smallest to the largest N. \
                       Lower and further to the left is better in both.";

const NAMES: (&str, &str) = ("time until the last message", "messages per edge");

const RADII: Radii = Radii { last: 5.5, others: 2.8 };

fn draw(source: &Source) -> Drawing {
    let selection = source.random_networks()?;
    let (families, paths) = in_time(families(&selection));
    let nothing = "no cell on trees or graphs tells when its last message arrived";
    scales(paths.iter().flatten()).ok_or(nothing)?;
    let words = Words {
        title: title(&families),
        notes: format!(
            "Mean messages over mean edges against mean time until the last message, on random layouts, \
             from the smallest N (small marker) to the largest (large), every panel with its own scale; {}.",
            family::notes(&selection)
        ),
        source: source.line_with_markers(),
    };
    let key = algorithm_entries(source, &families);
    let grid = Grid::new(230.0, families.iter().map(|family| Heading::plain(&family.name)));
    let (mut sheet, areas) = grid.sheet_with_key(words, &key, BELOW_KEY);
    let canvas = &mut sheet.canvas;
    for (area, paths) in areas.into_iter().zip(&paths) {
        // A shared scale would hide what is fast beside what is slow.
        let (x, y) = scales(paths.iter()).ok_or(nothing)?;
        let panel = Panel::well_within(area, x, y, NAMES);
        panel.draw(canvas, NAMES);
        for path in paths {
            path.draw(canvas, &panel, source.look(path.algorithm), RADII);
        }
    }
    sheet.figure(PLOT.name, CAPTION)
}

/// The families some of whose cells tell when they ended, and the paths through each.
fn in_time(families: Vec<Family<'_>>) -> (Vec<Family<'_>>, Vec<Vec<Path<'_>>>) {
    let known = families.into_iter().map(|family| {
        let paths = family.groups.iter().filter_map(|group| {
            Path::over(group.algorithm, group.cells.iter().filter_map(|cell| spot(cell)))
        });
        let paths: Vec<Path> = paths.collect();
        (family, paths)
    });
    known.filter(|(_, paths)| !paths.is_empty()).unzip()
}

fn spot(cell: &CellSummary) -> Option<Spot<'_>> {
    let time = cell.mean_end.filter(|time| *time > 0.0)?;
    let point = per_edge(cell)?;
    Some(Spot { cell, time, messages: point.y, filled: point.filled })
}

/// Who is the fastest, and who needs the fewest messages.
fn title(families: &[Family]) -> String {
    let fast = first_in_most(families, |cell| cell.mean_end);
    let cheap = first_in_most(families, |cell| Some(per_edge(cell)?.y));
    match (fast, cheap) {
        (Some((fast, wins, contests)), Some((cheap, saves, _))) => format!(
            "Of {contests} families of networks, {fast} is the fastest in {wins}; {cheap} needs the fewest \
             messages in {saves}"
        ),
        _ => "Messages and time on trees and graphs".to_owned(),
    }
}
