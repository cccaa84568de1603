//! Messages per node against log2 n: laws such as n H_n and 2 n log2 n are straight lines, and their
//! slopes the constants.

use super::canvas::{Canvas, Place};
use super::curve::{Guide, known_curves};
use super::drawing::Drawing;
use super::headline::place;
use super::labels::{Label, draw_labels, sheet_with_labels};
use super::panel::Panel;
use super::plot::{OF_NODES, Plot};
use super::scale::{Scale, decimal, range};
use super::series::Point;
use super::sheet::Words;
use super::source::{Group, Selection, Source, Subject};
use super::style::{Look, MARKER, SOLID, THEORY, THEORY_DASHES};
use crate::model::metric::Metric;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "per-node",
    line: "messages per node against log2 n: constants are slopes",
    about: Subject::Rings,
    metrics: OF_NODES,
    draw,
};

const CAPTION: &str = "Messages per node against the number of nodes, whose axis is even in log2 n: \
                       there n H_n, 0.69 n log2 n and 2 n log2 n are straight lines, and what an \
                       algorithm pays for each doubling of n is its slope (in brackets). Markers: \
                       measured means with 95 % intervals; bands: the middle 90 % of the elections; \
                       lines: expectations of theory.";

const NAMES: (&str, &str) =
    ("n, the number of nodes (even in log2 n)", "messages of an election, per node");

/// Who needs more than this many times log2 n + 1 messages per node grows faster than these axes
/// can show beside the others.
const STEEPEST: f64 = 8.0;

/// An algorithm in this figure.
struct Series<'a> {
    algorithm: &'a str,
    points: Vec<Point<'a>>,
    /// The middle 90 % of the elections: size, low end, high end.
    band: Vec<(f64, f64, f64)>,
    /// What theory expects.
    expected: Vec<(f64, f64)>,
}

struct Shown<'a> {
    selection: Selection<'a>,
    series: Vec<Series<'a>>,
    /// Who grows too fast for these axes.
    left_out: Vec<&'a str>,
    curves: Vec<(Guide, f64)>,
    highest: f64,
}

fn draw(source: &Source) -> Drawing {
    let shown = select(source)?;
    let words = Words {
        title: title(source, &shown),
        notes: notes(&shown),
        source: source.line_with_markers(),
    };
    let texts: Vec<String> = (shown.series.iter())
        .map(|series| with_slope(series.algorithm, slope(larger_half(&series.points))))
        .chain(shown.curves.iter().map(|(guide, slope)| with_slope(&guide.name, Some(*slope))))
        .collect();
    let text_list: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scales = (Scale::sizes_log(&shown.selection.sizes()), Scale::from_zero(shown.highest));
    let noun = source.noun(&shown.selection.setting);
    let name = match source.metric() {
        Metric::Messages => NAMES.1.to_owned(),
        _ => format!("{noun}, per node"),
    };
    let (mut sheet, panel) = sheet_with_labels(words, &text_list, scales, (NAMES.0, &name));
    let canvas = &mut sheet.canvas;
    let mut labels = Vec::new();
    let mut ways: Vec<Vec<Place>> = Vec::new();
    for ((guide, _), text) in shown.curves.iter().zip(&texts[shown.series.len()..]) {
        canvas.series(text);
        let end = guide.draw(canvas, &panel);
        canvas.neutral();
        let Some(end) = end else { continue };
        let (colour, dash) = (THEORY, guide.dash);
        labels.push(Label { text: text.clone(), end, colour, dash, marker: None });
        ways.push(guide.points.iter().map(|&(x, y)| panel.at(x, y)).collect());
    }
    for (series, text) in shown.series.iter().zip(&texts) {
        let look = source.look(series.algorithm);
        canvas.series(text);
        let way = draw_one(canvas, &panel, look, series);
        canvas.neutral();
        if let (Some(last), Some(end)) = (series.points.last(), way.last()) {
            // Between the markers is only what theory expects.
            let dash = if series.expected.is_empty() { look.dash } else { SOLID };
            labels.push(Label::of_series(text, Look { dash, ..look }, *end, last.filled));
        }
        ways.push(way);
    }
    draw_labels(canvas, panel.area, &labels, &ways);
    sheet.figure(PLOT.name, caption(source, noun))
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_rings()?;
    let mut series: Vec<Series> = selection.groups.iter().map(series).collect();
    series.retain(|series| !series.points.is_empty());
    let is_steep = |series: &Series| {
        series.points.last().is_some_and(|last| last.y > STEEPEST * (last.x.log2() + 1.0))
    };
    // Where all are steep there is nothing to make room for.
    let left_out: Vec<&str> = match series.iter().all(is_steep) {
        true => Vec::new(),
        false => series.iter().filter(|one| is_steep(one)).map(|one| one.algorithm).collect(),
    };
    series.retain(|series| !left_out.contains(&series.algorithm));
    let sizes = selection.sizes();
    let (low, high) = (sizes.first().copied(), sizes.last().copied());
    let is_known = source.metric() == Metric::Messages;
    let curves =
        known_curves().zip(THEORY_DASHES).filter(|(curve, _)| is_known && curve.name != "n²");
    let curves = curves.map(|(curve, dash)| {
        let mut guide = Guide::new(curve.name, curve.value, dash, &sizes, 60);
        guide.points.iter_mut().for_each(|(n, y)| *y /= *n);
        let ends = guide.points.first().zip(guide.points.last());
        let slope = ends
            .filter(|(from, to)| from.0 < to.0)
            .map_or(f64::NAN, |(from, to)| (to.1 - from.1) / (to.0.log2() - from.0.log2()));
        (guide, slope)
    });
    let curves: Vec<(Guide, f64)> = curves.collect();
    if low == high {
        return Err("there is only one size, and a slope needs two".into());
    }
    let seen = series.iter().flat_map(|series| {
        let bands = series.band.iter().map(|band| band.2);
        series.points.iter().flat_map(Point::reach).chain(bands).collect::<Vec<f64>>()
    });
    let curve_ends = curves.iter().filter_map(|(guide, _)| guide.points.last()).map(|last| last.1);
    let (_, highest) = range(seen.chain(curve_ends)).ok_or("no run has sent a message")?;
    Ok(Shown { selection, series, left_out, curves, highest })
}

fn series<'a>(group: &Group<'a>) -> Series<'a> {
    let per_node = |cell: &CellSummary| cell.n() as f64;
    let band = |cell: &&CellSummary| {
        let [_, low, _, _, high] = cell.quantiles.map(|quantile| quantile.value);
        let n = per_node(cell);
        Some((n, low? / n, high? / n))
    };
    let expected = |cell: &&CellSummary| {
        let fact = cell.theory_mean.as_ref()?;
        Some((per_node(cell), fact.value.as_f64() / per_node(cell)))
    };
    Series {
        algorithm: group.algorithm,
        points: group.cells.iter().filter_map(|cell| Point::mean(cell, per_node(cell))).collect(),
        band: group.cells.iter().filter_map(band).collect(),
        expected: group.cells.iter().filter_map(expected).collect(),
    }
}

/// Draws band, line and markers, and says which way they lead.
fn draw_one(canvas: &mut Canvas, panel: &Panel, look: Look, series: &Series) -> Vec<Place> {
    let edge = |pick: fn(&(f64, f64, f64)) -> f64| -> Vec<Place> {
        series.band.iter().map(|band| panel.at(band.0, pick(band))).collect()
    };
    canvas.band(&edge(|band| band.1), &edge(|band| band.2), look.colour, 0.18);
    let way: Vec<Place> = series.points.iter().map(|point| panel.at(point.x, point.y)).collect();
    let expected: Vec<Place> = series.expected.iter().map(|&(x, y)| panel.at(x, y)).collect();
    match expected.len() {
        0 => canvas.line_within(panel.area, &way, look.colour, 0.9, look.dash),
        _ => canvas.line_within(panel.area, &expected, look.colour, 1.3, SOLID),
    }
    for (place, point) in way.iter().zip(&series.points) {
        if let Some((low, high)) = point.ends {
            let ends = [low, high].map(|end| (place.0, panel.up(end)));
            canvas.line(&ends, look.colour, 1.2, SOLID);
        }
    }
    for (place, point) in way.iter().zip(&series.points) {
        canvas.stands_for(point.datum());
        canvas.marker(*place, look.marker, MARKER, look.colour, point.filled);
    }
    way
}

/// The larger half of the sizes, two at least.
fn larger_half<T>(sizes: &[T]) -> &[T] {
    &sizes[(sizes.len() / 2).min(sizes.len().saturating_sub(2))..]
}

/// What each doubling of n adds: least squares over log2 n.
fn slope(points: &[Point]) -> Option<f64> {
    let count = points.len() as f64;
    let [x, y] = [|point: &Point| point.x.log2(), |point: &Point| point.y]
        .map(|part| points.iter().map(part).sum::<f64>() / count);
    let spread: f64 = points.iter().map(|point| (point.x.log2() - x).powi(2)).sum();
    let both: f64 = points.iter().map(|point| (point.x.log2() - x) * (point.y - y)).sum();
    (spread > 0.0).then_some(both / spread)
}

fn with_slope(name: &str, slope: Option<f64>) -> String {
    match slope.filter(|slope| slope.is_finite()) {
        Some(slope) => format!("{name} ({})", digits(slope)),
        None => name.to_owned(),
    }
}

fn digits(slope: f64) -> String {
    // A slope that is none has no sign.
    let slope = if slope.abs() < 0.005 { 0.0 } else { slope };
    decimal(slope, 2)
}

/// The caption; the curves of the literature are about messages.
fn caption(source: &Source, noun: &str) -> String {
    match source.metric() {
        Metric::Messages => CAPTION.to_owned(),
        _ => {
            let (_, rest) = CAPTION.split_once("what an algorithm").unwrap_or(("", ""));
            format!(
                "{noun} per node against the number of nodes, whose axis is even in log2 n: what an \
                 algorithm{rest}"
            )
        }
    }
}

fn notes(shown: &Shown) -> String {
    let left_out = match shown.left_out.as_slice() {
        [] => String::new(),
        names => format!(
            "; not shown, too steep for these axes (the figure ‘messages’ has them): {}",
            names.join(", ")
        ),
    };
    format!(
        "Lines: theory; markers: measured means with 95 % intervals; bands: the middle 90 % of elections; in \
         brackets the slope over the larger half of the sizes; {}{left_out}.",
        shown.selection.notes()
    )
}

/// Who pays least and who most for a doubling, over the same sizes.
fn title(source: &Source, shown: &Shown) -> String {
    let sizes = shown.selection.sizes();
    let half = larger_half(&sizes);
    let electing = || shown.series.iter().filter(|series| source.elects(series.algorithm));
    let mut slopes: Vec<(f64, &str)> = Vec::new();
    for series in electing() {
        let there: Vec<Point> = half
            .iter()
            .filter_map(|&n| series.points.iter().find(|point| point.x == n as f64).copied())
            .collect();
        if there.len() == half.len()
            && let Some(slope) = slope(&there)
        {
            slopes.push((slope, series.algorithm));
        }
    }
    slopes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all = electing().count();
    let (low, high) = (half.first().copied().unwrap_or(1), half.last().copied().unwrap_or(1));
    let span = format!("{} to {}", decimal(low as f64, 0), decimal(high as f64, 0));
    let more = |(slope, name): (f64, &str)| format!("{name} {}", digits(slope));
    let noun = source.noun(&shown.selection.setting);
    match slopes[..] {
        [] if noun == "messages" => "Messages per node: constants are slopes".to_owned(),
        [] => format!("Constants are slopes: {noun}, per node"),
        [only] => format!("From n = {span}, each doubling costs {noun} per node: {}", more(only)),
        [least, .., most] => {
            let who = match slopes.len() < all {
                true => place(high, slopes.len(), all).replace("At n", "at n") + ", ",
                false => String::new(),
            };
            let sentence = format!(
                "{who}from n = {span}, each doubling costs {} {noun} per node more, {}",
                more(least),
                more(most)
            );
            let mut letters = sentence.chars();
            letters.next().map_or(String::new(), |first| {
                first.to_uppercase().collect::<String>() + letters.as_str()
            })
        }
    }
}
