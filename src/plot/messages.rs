//! Messages against n for all algorithms on random rings, beside the curves of theory.

use super::canvas::Area;
use super::frame::{LINE, Label, Panel, Sheet, draw_labels, label_room};
use super::scale::{Scale, count, decimal, range};
use super::source::{Selection, Source};
use super::style::{THEORY, THEORY_DASHES, is_filled};
use super::{Drawing, Figure};
use crate::error::Result;
use crate::summarise::cells::CellSummary;
use crate::theory::{CURVES, Curve};

pub(super) const NAME: &str = "messages";

/// The curves that are shown, by their names in the theory.
const SHOWN: [&str; 4] = ["n²", "2 n log2 n", "n H_n", "0.69 n log2 n"];

const NAMES: (&str, &str) = ("n, the number of nodes", "mean messages of an election");

pub(super) fn draw(source: &Source) -> Result<Drawing> {
    let Some(selection) = source.random_rings() else {
        return Ok(Drawing::Skipped("there is no cell on rings in random order".to_owned()));
    };
    let sizes = selection.sizes();
    let curves: Vec<(&Curve, Vec<(f64, f64)>)> = CURVES
        .iter()
        .filter(|curve| SHOWN.contains(&curve.name))
        .map(|curve| (curve, sampled(curve, &sizes)))
        .collect();
    let means = selection.cells().filter_map(|cell| cell.mean);
    let theory = curves.iter().flat_map(|(_, points)| points.iter().map(|(_, y)| *y));
    let Some((low, high)) = range(means.chain(theory).filter(|value| *value > 0.0)) else {
        return Ok(Drawing::Skipped("no run has sent a message".to_owned()));
    };

    let labels = selection.groups.len() + curves.len();
    let height = f64::max(440.0, labels as f64 * LINE + Panel::low_room(NAMES.0));
    let title = title(&selection);
    let notes = format!("Means over random rings with 95 % bands; {}.", selection.notes());
    let mut sheet = Sheet::new(&title, &notes, &source.line(), height);
    let canvas = &mut sheet.canvas;
    let texts = selection.groups.iter().map(|group| group.algorithm);
    let room = label_room(texts.chain(curves.iter().map(|(curve, _)| curve.name)));
    let outer = Area { right: sheet.body.right - room, ..sheet.body };
    let panel = Panel::within(outer, Scale::sizes(&sizes), Scale::log(low, high), NAMES);
    panel.draw(canvas, NAMES);

    let mut labels = Vec::new();
    for ((curve, points), dash) in curves.iter().zip(THEORY_DASHES) {
        let places: Vec<_> = points.iter().map(|&(n, y)| panel.at(n, y)).collect();
        canvas.line_within(panel.area, &places, THEORY, 1.3, dash);
        if let Some(&end) = places.last() {
            let text = curve.name.to_owned();
            labels.push(Label { text, end, colour: THEORY, dash, marker: None });
        }
    }
    for group in &selection.groups {
        let look = source.look(group.algorithm);
        let cells: Vec<(&CellSummary, f64)> = group
            .cells
            .iter()
            .filter_map(|cell| Some((*cell, cell.mean.filter(|mean| *mean > 0.0)?)))
            .collect();
        let edge = |pick: fn((f64, f64)) -> f64| -> Vec<_> {
            let ends = cells.iter().map(|(cell, mean)| {
                let end = cell.interval.map_or(*mean, pick).max(low);
                panel.at(cell.n() as f64, end)
            });
            ends.collect()
        };
        canvas.band(&edge(|(low, _)| low), &edge(|(_, high)| high), look.colour, 0.25);
        let places: Vec<_> =
            cells.iter().map(|(cell, mean)| panel.at(cell.n() as f64, *mean)).collect();
        canvas.line(&places, look.colour, 1.6, look.dash);
        for (place, (cell, _)) in places.iter().zip(&cells) {
            canvas.marker(*place, look.marker, 4.0, look.colour, is_filled(&cell.engine));
        }
        if let (Some(&end), Some((cell, _))) = (places.last(), cells.last()) {
            labels.push(Label {
                text: group.algorithm.to_owned(),
                end,
                colour: look.colour,
                dash: look.dash,
                marker: Some((look, is_filled(&cell.engine))),
            });
        }
    }
    draw_labels(canvas, panel.area, &labels);
    let caption = "Mean number of messages of an election against the number of nodes, on random \
                   rings; grey curves are theory. On these axes a straight line is a power of n."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Drawing::Figure(Figure { name: NAME, title, caption, svg, tex: None }))
}

/// A curve between the smallest and the largest size.
fn sampled(curve: &Curve, sizes: &[u64]) -> Vec<(f64, f64)> {
    const STEPS: u32 = 60;
    let (Some(&low), Some(&high)) = (sizes.first(), sizes.last()) else { return Vec::new() };
    let factor = high as f64 / low.max(1) as f64;
    let mut sizes: Vec<u64> = (0..=STEPS)
        .map(|step| low as f64 * factor.powf(f64::from(step) / f64::from(STEPS)))
        .map(|n| n.round() as u64)
        .collect();
    sizes.dedup();
    let values = sizes.into_iter().map(|n| (n as f64, (curve.value)(n)));
    values.filter(|(_, y)| *y > 0.0).collect()
}

/// Who needs the fewest and who the most at the largest size.
fn title(selection: &Selection) -> String {
    let n = selection.sizes().last().copied().unwrap_or_default();
    let largest = selection.cells().filter(|cell| cell.n() == n);
    let mut means: Vec<(f64, &str)> =
        largest.filter_map(|cell| Some((cell.mean?, cell.columns[0].as_str()))).collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = decimal(n as f64, 0);
    match means[..] {
        [] => "Messages on random rings".to_owned(),
        [(mean, name)] => {
            format!("{name} needs {} messages on a random ring of {size}", count(mean))
        }
        [(few, least), .., (many, most)] => format!(
            "On random rings of {size}, {least} needs the fewest messages ({}) and {most} the most \
             ({})",
            count(few),
            count(many)
        ),
    }
}
