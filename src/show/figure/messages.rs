//! Messages against n for all algorithms on random rings, beside the curves of theory.

use super::canvas::{Canvas, Place};
use super::curve::{Guide, known_curves};
use super::drawing::Drawing;
use super::headline::{Field, Standing};
use super::labels::{Label, draw_labels, sheet_with_labels};
use super::panel::Panel;
use super::plot::Plot;
use super::scale::{Scale, count, range};
use super::series::{Point, draw_series, series_label};
use super::sheet::Words;
use super::source::{Group, Selection, Source, Subject};
use super::style::{DOTTED, THEORY, THEORY_DASHES};
use crate::model::metric::Metric;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "messages",
    line: "messages against n on random rings, beside curves of theory",
    about: Subject::Rings,
    metrics: &Metric::ALL,
    draw,
};

const CAPTION: &str = "Mean number of messages of an election against the number of nodes, on random \
                       rings; grey curves are theory. On these axes a straight line is a power of n.";

const NAMES: (&str, &str) = ("n, the number of nodes", "mean messages of an election");

/// What is shown: the cells, and curves beside them.
struct Shown<'a> {
    selection: Selection<'a>,
    curves: Vec<Guide>,
    /// What theory expects of the algorithms one by one, where no curve of the literature is about it.
    expected: Vec<Guide>,
    /// The fewest and the most messages of all these.
    ends: (f64, f64),
}

fn draw(source: &Source) -> Drawing {
    let shown = select(source)?;
    let selection = &shown.selection;
    let words = Words {
        title: title(source, selection),
        notes: format!(
            "Means over random rings with 95 % bands; {}{}.",
            if shown.expected.is_empty() { "" } else { "grey dots: what theory expects; " },
            selection.notes()
        ),
        source: source.line_with_markers(),
    };
    let names = selection.groups.iter().map(|group| group.algorithm);
    let texts: Vec<&str> =
        names.chain(shown.curves.iter().map(|curve| curve.name.as_str())).collect();
    let scales = (Scale::sizes(&selection.sizes()), Scale::log(shown.ends.0, shown.ends.1));
    let axis = source.axis(&selection.setting);
    let name = NAMES.1.replace("messages of an election", &axis);
    let (mut sheet, panel) = sheet_with_labels(words, &texts, scales, (NAMES.0, &name));
    let canvas = &mut sheet.canvas;
    let mut ways = Vec::new();
    let mut labels = draw_curves(canvas, &panel, &shown.curves, &mut ways);
    for guide in &shown.expected {
        guide.draw(canvas, &panel);
    }
    labels.extend(draw_means(canvas, &panel, source, selection, &mut ways));
    draw_labels(canvas, panel.area, &labels, &ways);
    let caption = match source.metric() {
        Metric::Messages => CAPTION.to_owned(),
        _ => CAPTION.replace("number of messages of an election", &axis),
    };
    sheet.figure(PLOT.name, caption)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_rings()?;
    let sizes = selection.sizes();
    let is_known = source.metric() == Metric::Messages;
    let curves: Vec<Guide> = known_curves()
        .filter(|_| is_known)
        .zip(THEORY_DASHES)
        .map(|(curve, dash)| Guide::new(curve.name, curve.value, dash, &sizes, 60))
        .collect();
    let means = selection.cells().filter_map(|cell| cell.mean);
    let groups = selection.groups.iter().filter(|_| !is_known);
    let expected = groups.map(expectations).filter(|guide| !guide.points.is_empty());
    let expected: Vec<Guide> = expected.collect();
    let theory = curves.iter().chain(&expected).flat_map(|curve| &curve.points).map(|(_, y)| *y);
    let ends = range(means.chain(theory).filter(|value| *value > 0.0));
    Ok(Shown { ends: ends.ok_or("no run has sent a message")?, selection, curves, expected })
}

/// What theory expects of an algorithm, size by size.
fn expectations(group: &Group) -> Guide {
    let expected = |cell: &&CellSummary| {
        let value = cell.theory_mean.as_ref()?.value.as_f64();
        Some((cell.n() as f64, value)).filter(|_| value > 0.0)
    };
    let points = group.cells.iter().filter_map(expected).collect();
    Guide { name: group.algorithm.to_owned(), points, dash: DOTTED }
}

/// Draws curves, notes the ways they take, and labels their ends.
fn draw_curves(
    canvas: &mut Canvas,
    panel: &Panel,
    curves: &[Guide],
    ways: &mut Vec<Vec<Place>>,
) -> Vec<Label> {
    let label = |curve: &Guide| {
        ways.push(curve.points.iter().map(|&(x, y)| panel.at(x, y)).collect());
        canvas.series(&curve.name);
        let end = curve.draw(canvas, panel);
        canvas.neutral();
        let end = end?;
        let (text, dash) = (curve.name.clone(), curve.dash);
        Some(Label { text, end, colour: THEORY, dash, marker: None })
    };
    curves.iter().filter_map(label).collect()
}

fn draw_means(
    canvas: &mut Canvas,
    panel: &Panel,
    source: &Source,
    selection: &Selection,
    ways: &mut Vec<Vec<Place>>,
) -> Vec<Label> {
    let mut labels = Vec::new();
    for Group { algorithm, cells } in &selection.groups {
        let look = source.look(algorithm);
        let means = cells.iter().filter_map(|cell| Point::mean(cell, 1.0));
        let points: Vec<Point> = means.filter(|point| point.y > 0.0).collect();
        draw_series(canvas, panel, algorithm, look, &points);
        ways.push(points.iter().map(|point| panel.at(point.x, point.y)).collect());
        labels.extend(series_label(panel, algorithm, look, &points));
    }
    labels
}

/// Who needs the fewest and who the most at the largest size, of those measured there.
fn title(source: &Source, selection: &Selection) -> String {
    let n = selection.sizes().last().copied().unwrap_or_default();
    let electing = || selection.groups.iter().filter(|group| source.elects(group.algorithm));
    let there = electing().filter_map(|group| Standing::of(group.at(n)?, 1.0));
    let field = Field::new(there, n, electing().count());
    let noun = source.noun(&selection.setting);
    let sentence = field.sentence(noun, count);
    sentence.unwrap_or_else(|| format!("Mean {noun} on random rings"))
}
