//! Measured over theory against n: one panel for each algorithm, 1 is a straight line.

use super::drawing::{Drawing, Figure};
use super::frame::{Panel, Sheet};
use super::grid::Grid;
use super::plot::Plot;
use super::scale::{Scale, count};
use super::series::{MARKER, Point, draw_series};
use super::source::{Group, Selection, Source, Subject};
use super::style::{ALARM, FAINT, INK, Marker, SOLID};
use super::tex::{Line, Picture, Y};
use crate::model::theory::Certainty;
use crate::summarise::{CellSummary, MeanVerdict, certainty};

pub(super) const PLOT: Plot = Plot {
    name: "ratio",
    line: "measured over theory against n; 0.1 % can be seen",
    about: Subject::Rings,
    draw,
};

/// Differences of this size are seen at every scale.
const VISIBLE: f64 = 0.001;

fn draw(source: &Source) -> Drawing {
    let selection = source.random_rings();
    let Some(mut selection) = selection else {
        return Err("there is no cell on rings in random order".into());
    };
    for group in &mut selection.groups {
        group.cells.retain(|cell| cell.measured_over_theory.is_some());
    }
    selection.groups.retain(|group| !group.cells.is_empty());
    if selection.groups.is_empty() {
        let why = "no expectation is known for the cells on random rings";
        return Err(why.into());
    }
    let sizes = selection.sizes();
    let points: Vec<Vec<Point>> = selection
        .groups
        .iter()
        .map(|group| group.cells.iter().filter_map(|cell| ratio(cell)).collect())
        .collect();
    let farthest = points.iter().flatten().fold(0.0f64, |far, point| {
        let (low, high) = point.ends.unwrap_or((point.y, point.y));
        [point.y, low, high].iter().fold(far, |far, y| far.max((y - 1.0).abs()))
    });
    let headings: Vec<_> = selection.groups.iter().map(heading).collect();
    let grid = Grid::new(210.0, &headings);
    let title = title(&selection.cells().collect::<Vec<_>>());
    let notes = format!(
        "Mean messages over their expectation on random rings, with 95 % intervals. The upright axis is even \
         up to about 0.1 % from 1 and logarithmic beyond; {}.",
        selection.notes()
    );
    let mut sheet = Sheet::new(&title, &notes, &source.line_with_markers(), grid.height());
    let canvas = &mut sheet.canvas;
    let areas = grid.draw(canvas, sheet.body);
    for ((area, group), points) in areas.into_iter().zip(&selection.groups).zip(&points) {
        let names = ("n", "");
        let y = Scale::around_one(VISIBLE, farthest);
        let panel = Panel::within(area, Scale::sizes(&sizes), y, names);
        panel.draw(canvas, names);
        let (left, right) = (panel.area.left, panel.area.right);
        let one = panel.up(1.0);
        canvas.line(&[(left, one), (right, one)], INK, 1.2, SOLID);
        draw_series(canvas, &panel, source.look(group.algorithm), points);
        for (_, point) in group.cells.iter().zip(points).filter(|(cell, _)| differs(cell)) {
            let (x, y) = panel.at(point.x, point.y);
            canvas.marker((x, y), Marker::Circle, MARKER + 5.0, ALARM, false);
            canvas.marker((x, y), source.look(group.algorithm).marker, MARKER, ALARM, point.filled);
        }
    }
    let caption =
        "Measured mean over the theorem's expectation against n, one panel per algorithm: the \
                   horizontal line at 1 is exact agreement, the bars are 95 % intervals, and \
                   differences of 0.1 % can be seen."
            .to_owned();
    let svg = sheet.canvas.svg()?;
    let tex = tex(source, &selection, &title);
    Ok(Figure { name: PLOT.name, title, caption, svg, tex })
}

fn ratio(cell: &CellSummary) -> Option<Point> {
    let theory = cell.theory_mean.as_ref()?.value.as_f64();
    Point::mean(cell, theory)
}

fn differs(cell: &CellSummary) -> bool {
    matches!(cell.verdict_mean, MeanVerdict::Differs | MeanVerdict::ConstantDiffers)
}

/// The algorithm, and how its expectation is known.
fn heading(group: &Group) -> (String, Vec<(String, super::style::Colour)>) {
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
    (group.algorithm.to_owned(), lines)
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
        (_, 0) => format!("All {good} means with an exact theorem agree with it"),
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

fn tex(source: &Source, selection: &Selection, title: &str) -> Option<String> {
    let mut picture = Picture::begin(source, selection, title)?;
    picture.raw(
        "\\begin{semilogxaxis}[width=0.8\\linewidth, height=9cm, xlabel={$n$},\n  \
         ylabel={measured / theory}, yticklabel style={/pgf/number format/precision=4},\n  \
         extra y ticks={1}, extra y tick style={grid=major, major grid style={black, thick}},\n  \
         legend pos=outer north east, legend cell align=left, legend style={font=\\footnotesize}]",
    );
    for group in &selection.groups {
        picture.line(&Line {
            algorithm: group.algorithm,
            layout: "random",
            y: Y::Column("measured_over_theory"),
            options: picture.options(group.algorithm),
            legend: Some(group.algorithm.to_owned()),
        });
    }
    picture.raw("\\end{semilogxaxis}");
    Some(picture.end())
}
