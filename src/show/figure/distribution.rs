//! The distribution of the messages of one algorithm at one size; over it the exact
//! probabilities, where they are known.

use std::collections::BTreeMap;

use super::canvas::{Area, Canvas, Place};
use super::drawing::{Drawing, Figure};
use super::frame::{LINE, Panel, Sheet};
use super::grid::{Entry, draw_key};
use super::histogram::Histogram;
use super::plot::Plot;
use super::scale::{Scale, count, decimal, range};
use super::source::{Selection, Source, Subject};
use super::style::{Colour, DOTTED, Dash, INK, SOLID};
use crate::algorithm::Law;
use crate::experiment::key::CellKey;
use crate::statistics::significance::goodness_of_fit;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "distribution",
    line: "messages of one algorithm at one n, and the exact distribution",
    about: Subject::Rings,
    draw,
};

const NAMES: (&str, &str) = ("messages of an election", "share of elections");

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_rings() else {
        return Err("there is no cell on rings in random order".into());
    };
    let Some(cell) = choose(source, &selection) else {
        let why = "there is no cell on random rings whose runs differ from each other";
        return Err(why.into());
    };
    let mut values: BTreeMap<i128, u64> = BTreeMap::new();
    source.runs(cell, |_, messages| *values.entry(i128::from(messages)).or_default() += 1)?;
    let Some(histogram) = Histogram::of(&values) else {
        return Err("the cell has no runs".into());
    };
    let shares = histogram.shares();
    let exact = exact(source, cell, &histogram);

    let (algorithm, n) = (cell.key.algorithm.as_str(), cell.n());
    let size = decimal(n as f64, 0);
    let title = match (cell.quantiles[1].value, cell.quantiles[4].value) {
        (Some(low), Some(high)) if cell.runs >= 20 => format!(
            "{algorithm} at n = {size}: 90 % of elections need {} to {} messages",
            count(low.round()),
            count(high.round())
        ),
        _ => format!("{algorithm} at n = {size}: messages of {} elections", cell.runs),
    };
    let fit = exact
        .as_ref()
        .and_then(|exact| goodness_of_fit(&histogram.counts, &exact.counts(cell.runs)));
    let notes = format!(
        "{} elections on random rings in bins of {}; {}.{}",
        decimal(cell.runs as f64, 0),
        histogram.width,
        selection.notes(),
        fit.map_or_else(String::new, |fit| format!(
            " Chi-square test against the exact distribution: p = {:.3}.",
            fit.p_value
        )),
    );
    let mut sheet = Sheet::new(&title, &notes, &source.line(), 400.0);
    let canvas = &mut sheet.canvas;
    let colour = source.look(algorithm).colour;
    let tallest = shares.iter().chain(exact.iter().flat_map(|exact| &exact.shares));
    let (_, tallest) = range(tallest.copied()).unwrap_or((0.0, 1.0));
    let bins = histogram.counts.len();
    let x = Scale::linear(histogram.border(0), histogram.border(bins));
    let outer = Area { top: sheet.body.top + LINE + 6.0, ..sheet.body };
    let panel = Panel::within(outer, x, Scale::from_zero(tallest), NAMES);
    panel.draw(canvas, NAMES);
    draw_bars(canvas, &panel, &histogram, &shares, colour);
    let mut key = vec![bar_entry("measured", colour)];
    if let Some(exact) = &exact {
        canvas.line(&steps(&panel, &histogram, &exact.shares), INK, 1.4, SOLID);
        key.push(line_entry("exact distribution", INK, SOLID));
    }
    let mut upright = |value: f64, text: String, colour: Colour, dash: Dash| {
        let x = panel.across(value);
        if (panel.area.left..=panel.area.right).contains(&x) {
            canvas.line(&[(x, panel.area.top), (x, panel.area.bottom)], colour, 1.4, dash);
            key.push(line_entry(&text, colour, dash));
        }
    };
    if let Some(mean) = cell.mean {
        upright(mean, format!("measured mean {}", count(mean)), colour, &[8.0, 3.0]);
    }
    if let Some(fact) = &cell.theory_mean {
        let value = fact.value.as_f64();
        upright(value, format!("expectation {}", count(value)), INK, DOTTED);
    }
    draw_key(canvas, (sheet.body.left, sheet.body.top), &key);
    let caption = format!(
        "How often an election of {algorithm} on a random ring of {size} needs how many messages{}.",
        match exact {
            Some(_) => "; the stepped line is the exact probability of each bin",
            None => "",
        }
    );
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

/// The cell whose distribution says most: of an algorithm whose exact one is known, at the largest
/// size where that is quick; else of the first algorithm that varies, at its largest size.
fn choose<'a>(source: &Source, selection: &Selection<'a>) -> Option<&'a CellSummary> {
    let n = source.choice.n;
    let varies =
        |cell: &&CellSummary| cell.sd.is_some_and(|sd| sd > 0.0) && n.is_none_or(|n| n == cell.n());
    let groups = || {
        selection.groups.iter().map(|group| {
            let cells: Vec<&'a CellSummary> = group.cells.iter().copied().filter(varies).collect();
            (group.algorithm, cells)
        })
    };
    let known = groups().find_map(|(algorithm, cells)| {
        let law = law(source, algorithm)?;
        let quick = cells.iter().rev().find(|cell| cell.n() <= law.quick);
        quick.or(cells.first()).copied()
    });
    known.or_else(|| groups().find_map(|(_, cells)| cells.last().copied()))
}

fn law(source: &Source, algorithm: &str) -> Option<Law> {
    source.entry(algorithm)?.law
}

/// What theory expects of the bins.
struct Exact {
    shares: Vec<f64>,
    outside: f64,
}

impl Exact {
    /// How many of so many runs fall into each bin; what lies outside of all is added to the ends.
    fn counts(&self, runs: u64) -> Vec<f64> {
        let mut counts: Vec<f64> = self.shares.iter().map(|share| share * runs as f64).collect();
        if let Some(last) = counts.last_mut() {
            *last += self.outside * runs as f64;
        }
        counts
    }
}

fn exact(source: &Source, cell: &CellSummary, histogram: &Histogram) -> Option<Exact> {
    let CellKey { algorithm, initiators, .. } = &cell.key;
    let law = law(source, algorithm).filter(|law| initiators == "all" && cell.n() <= law.slow)?;
    let distribution = law.distribution(cell.n())?;
    let mut shares = vec![0.0; histogram.counts.len()];
    for (messages, p) in distribution.iter() {
        let place = (i128::from(messages) - histogram.first).div_euclid(histogram.width);
        if let Some(share) = usize::try_from(place).ok().and_then(|place| shares.get_mut(place)) {
            *share += p;
        }
    }
    let outside = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    Some(Exact { shares, outside })
}

/// Draws the bars of a histogram, a little apart where there is room.
pub(super) fn draw_bars(
    canvas: &mut Canvas,
    panel: &Panel,
    histogram: &Histogram,
    heights: &[f64],
    colour: Colour,
) {
    for (bin, &height) in heights.iter().enumerate().filter(|(_, height)| **height > 0.0) {
        let (left, right) =
            (panel.across(histogram.border(bin)), panel.across(histogram.border(bin + 1)));
        let gap = if right - left > 4.0 { 0.5 } else { 0.0 };
        let bar = Area {
            left: left + gap,
            top: panel.up(height),
            right: right - gap,
            bottom: panel.area.bottom,
        };
        canvas.fill_area(bar, colour, 0.45);
    }
}

/// The outline of bars of these heights.
fn steps(panel: &Panel, histogram: &Histogram, heights: &[f64]) -> Vec<Place> {
    let mut places = Vec::new();
    for (bin, &height) in heights.iter().enumerate() {
        places.push(panel.at(histogram.border(bin), height));
        places.push(panel.at(histogram.border(bin + 1), height));
    }
    places
}

/// A line in the key.
pub(super) fn line_entry(text: &str, colour: Colour, dash: Dash) -> Entry {
    let sample = move |canvas: &mut Canvas, (x, y): Place| {
        canvas.line(&[(x - 12.0, y), (x + 12.0, y)], colour, 1.6, dash);
    };
    Entry { text: text.to_owned(), sample: Box::new(sample) }
}

/// A bar in the key.
pub(super) fn bar_entry(text: &str, colour: Colour) -> Entry {
    let sample = move |canvas: &mut Canvas, (x, y): Place| {
        let area = Area { left: x - 9.0, top: y - 5.0, right: x + 9.0, bottom: y + 5.0 };
        canvas.fill_area(area, colour, 0.45);
    };
    Entry { text: text.to_owned(), sample: Box::new(sample) }
}
