//! Messages against n for all algorithms on random rings, beside the curves of theory.

use super::canvas::Area;
use super::drawing::{Drawing, Figure};
use super::frame::{LINE, Label, Panel, Sheet, draw_labels, label_room};
use super::plot::Plot;
use super::scale::{Scale, count, decimal, range};
use super::series::{Point, draw_series, series_label};
use super::source::{Selection, Source, Subject};
use super::style::{THEORY, THEORY_DASHES};
use super::tex::{Line, Picture, Y};
use crate::model::theory::{CURVES, Curve};
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "messages",
    line: "messages against n on random rings, beside curves of theory",
    about: Subject::Rings,
    draw,
};

/// The curves that are shown, by their names in the theory.
const SHOWN: [&str; 4] = ["n²", "2 n log2 n", "n H_n", "0.69 n log2 n"];

const NAMES: (&str, &str) = ("n, the number of nodes", "mean messages of an election");

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_rings() else {
        return Err("there is no cell on rings in random order".into());
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
        return Err("no run has sent a message".into());
    };

    let labels = selection.groups.len() + curves.len();
    let height = f64::max(440.0, labels as f64 * LINE + Panel::low_room(NAMES.0));
    let title = title(source, &selection);
    let notes = format!("Means over random rings with 95 % bands; {}.", selection.notes());
    let mut sheet = Sheet::new(&title, &notes, &source.line_with_markers(), height);
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
        let points: Vec<Point> = (group.cells.iter())
            .filter_map(|cell| Point::mean(cell, 1.0))
            .filter(|point| point.y > 0.0)
            .collect();
        draw_series(canvas, &panel, look, &points);
        labels.extend(series_label(&panel, group.algorithm, look, &points));
    }
    draw_labels(canvas, panel.area, &labels);
    let caption = "Mean number of messages of an election against the number of nodes, on random \
                   rings; grey curves are theory. On these axes a straight line is a power of n."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    let tex = tex(source, &selection, &title);
    Ok(Figure { name: PLOT.name, title, caption, svg, tex })
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
fn title(source: &Source, selection: &Selection) -> String {
    let n = selection.sizes().last().copied().unwrap_or_default();
    let at_work = |cell: &&CellSummary| cell.n() == n && source.elects(&cell.key.algorithm);
    let largest = selection.cells().filter(at_work);
    let mut means: Vec<(f64, &str)> =
        largest.filter_map(|cell| Some((cell.mean?, cell.key.algorithm.as_str()))).collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = decimal(n as f64, 0);
    match means[..] {
        [] => "Messages on random rings".to_owned(),
        [(mean, name)] => {
            format!("{name} needs {} messages on a random ring of {size}", count(mean))
        }
        [(few, least), .., (many, most)] => format!(
            "On random rings of {size}, {least} needs the fewest messages ({}), {most} the most ({})",
            count(few),
            count(many)
        ),
    }
}

fn tex(source: &Source, selection: &Selection, title: &str) -> Option<String> {
    let mut picture = Picture::begin(source, selection, title)?;
    picture.raw(
        "\\begin{loglogaxis}[width=0.8\\linewidth, height=9cm, xlabel={$n$}, ylabel={messages},\n  \
         legend pos=outer north east, legend cell align=left, legend style={font=\\footnotesize}]",
    );
    for group in &selection.groups {
        picture.line(&Line {
            algorithm: group.algorithm,
            layout: "random",
            y: Y::Column("mean"),
            options: picture.options(group.algorithm),
            legend: Some(group.algorithm.to_owned()),
        });
    }
    let sizes = selection.sizes();
    let (low, high) = (sizes.first()?.max(&2), sizes.last()?.max(&3));
    let curves = [
        ("x^2", "$n^2$"),
        ("2*x*log2(x)", "$2\\,n\\log_2 n$"),
        ("x*(ln(x)+0.5772156649+1/(2*x))", "$n H_n$"),
        ("0.69*x*log2(x)", "$0.69\\,n\\log_2 n$"),
    ];
    for ((curve, legend), dash) in
        curves.iter().zip(["dashed", "dotted", "dash dot", "densely dashed"])
    {
        picture.raw(&format!(
            "\\addplot[gray, {dash}, no marks, domain={low}:{high}, samples=60] {{{curve}}};\n\
             \\addlegendentry{{{legend}}}"
        ));
    }
    picture.raw("\\end{loglogaxis}");
    Some(picture.end())
}
