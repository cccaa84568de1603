//! Messages against time: what an algorithm saves in one, it may pay in the other.

use super::drawing::Drawing;
use super::headline::place;
use super::labels::{Label, draw_labels, sheet_with_labels};
use super::path::{Path, Radii, Spot, scales};
use super::plot::{MESSAGES, Plot};
use super::scale::count;
use super::sheet::Words;
use super::source::{Group, Selection, Source, Subject};
use super::style::is_filled;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "trade-off",
    line: "messages against time",
    about: Subject::Rings,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Mean messages per node against mean time until the last message, per node, on \
                       random rings; each path leads from the smallest to the largest n. Lower and \
                       further to the left is better in both.";

const NAMES: (&str, &str) =
    ("time until the last message (rounds, or unit delays) / n", "messages / n");

const RADII: Radii = Radii { last: 6.0, others: 3.2 };

fn draw(source: &Source) -> Drawing {
    let selection = source.random_rings()?;
    let paths = paths(source, &selection);
    let scales = scales(paths.iter())
        .ok_or("no cell on random rings tells when its last message arrived")?;
    let words = Words {
        title: title(&paths, selection.common_size()),
        notes: format!(
            "Means on random rings, from the smallest n (small marker) to the largest (large); {}{}.",
            selection.notes(),
            left_out(source, &selection)
        ),
        source: source.line_with_markers(),
    };
    let texts: Vec<&str> = paths.iter().map(|path| path.algorithm).collect();
    let (mut sheet, panel) = sheet_with_labels(words, &texts, scales, NAMES);
    let canvas = &mut sheet.canvas;
    let (mut labels, mut ways) = (Vec::new(), Vec::new());
    for path in &paths {
        let look = source.look(path.algorithm);
        let end = path.draw(canvas, &panel, look, RADII);
        let way = path.spots.iter().map(|spot| panel.at(spot.time, spot.messages));
        ways.push(way.collect::<Vec<_>>());
        labels.extend(end.map(|(end, filled)| Label::of_series(path.algorithm, look, end, filled)));
    }
    draw_labels(canvas, panel.area, &labels, &ways);
    sheet.figure(PLOT.name, CAPTION)
}

/// Who is not shown, and why.
fn left_out(source: &Source, selection: &Selection) -> String {
    let nobody = selection.groups.iter().filter(|group| !source.elects(group.algorithm));
    let nobody: Vec<&str> = nobody.map(|group| group.algorithm).collect();
    match nobody.as_slice() {
        [] => String::new(),
        names => format!("; not shown, as no leader is elected: {}", names.join(", ")),
    }
}

/// The paths of those who elect somebody.
fn paths<'a>(source: &Source, selection: &Selection<'a>) -> Vec<Path<'a>> {
    let elect = selection.groups.iter().filter(|group| source.elects(group.algorithm));
    let path = |group: &Group<'a>| {
        Path::over(group.algorithm, group.cells.iter().filter_map(|cell| spot(cell)))
    };
    elect.filter_map(path).collect()
}

/// Time and messages per node.
fn spot(cell: &CellSummary) -> Option<Spot<'_>> {
    let time = cell.mean_end.filter(|time| *time > 0.0)?;
    let messages = cell.mean.filter(|mean| *mean > 0.0)?;
    let n = cell.n() as f64;
    let filled = is_filled(&cell.engine);
    Some(Spot { cell, time: time / n, messages: messages / n, filled })
}

/// Who needs the fewest messages and who the least time at this size.
fn title(paths: &[Path], n: u64) -> String {
    let there: Vec<(&str, &Spot)> = paths
        .iter()
        .filter_map(|path| {
            Some((path.algorithm, path.spots.iter().find(|spot| spot.cell.n() == n)?))
        })
        .collect();
    let least = |key: fn(&Spot) -> (f64, f64)| {
        there.iter().min_by(|a, b| {
            let ((a, b), (c, d)) = (key(a.1), key(b.1));
            a.total_cmp(&c).then(b.total_cmp(&d))
        })
    };
    let cost =
        |spot: &Spot| format!("{} n messages in time {} n", count(spot.messages), count(spot.time));
    let here = place(n, there.len(), paths.len());
    match (least(|spot| (spot.messages, spot.time)), least(|spot| (spot.time, spot.messages))) {
        (Some((few, _)), Some((fast, spot))) if few == fast => {
            format!("{here}, none needs fewer messages or less time than {few}: {}", cost(spot))
        }
        (Some((few, cheap)), Some((fast, quick))) => {
            format!("{here}, {few} needs {}, {fast} {}", cost(cheap), cost(quick))
        }
        _ => "Messages and time".to_owned(),
    }
}
