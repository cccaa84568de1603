//! The distribution of the messages of one algorithm at one size; over it the exact
//! probabilities, where they are known, or what they tend to.

use std::collections::BTreeMap;

use super::canvas::{Area, Canvas};
use super::drawing::Drawing;
use super::histogram::{BAR_OPACITY, Histogram};
use super::key::{Entry, draw_key, key_height};
use super::panel::Panel;
use super::plot::Plot;
use super::scale::{Scale, count, decimal, range};
use super::sheet::{Sheet, Words};
use super::source::{Selection, Source, Subject, varies};
use super::style::{Colour, DOTTED, Dash, INK, MEAN_DASH, SOLID};
use crate::algorithm::Law;
use crate::experiment::key::CellKey;
use crate::model::metric::Metric;
use crate::statistics::significance::goodness_of_fit;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "distribution",
    line: "messages of one algorithm at one n, and the exact distribution",
    about: Subject::Rings,
    metrics: &Metric::ALL,
    draw,
};

const SHARES: &str = "share of elections";

/// What is shown: one cell, its runs in bins, and what theory expects of the bins.
struct Shown<'a> {
    selection: Selection<'a>,
    cell: &'a CellSummary,
    histogram: Histogram,
    exact: Option<Exact>,
}

fn draw(source: &Source) -> Drawing {
    let shown = select(source)?;
    let noun = source.noun(&shown.selection.setting);
    let words =
        Words { title: title(shown.cell, noun), notes: notes(&shown), source: source.line() };
    let axis = source.axis(&shown.selection.setting);
    let colour = source.look(&shown.cell.key.algorithm).colour;
    let key = key(&shown, colour);
    let above = key_height(&key, words.source.width.room());
    let height = if words.source.width.is_column() { 300.0 } else { 400.0 };
    let mut sheet = Sheet::new(words, height);
    let panel = lay_out(&mut sheet, &shown, &axis, above);
    let canvas = &mut sheet.canvas;
    draw_shares(canvas, &panel, &shown, colour);
    for (mean, _, colour, dash) in means(&shown, colour) {
        panel.upright(canvas, mean, colour, 1.4, dash);
    }
    draw_key(canvas, sheet.body, &key);
    sheet.figure(PLOT.name, caption(&shown, noun))
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_rings()?;
    let cell = choose(source, &selection)
        .ok_or("there is no cell on random rings whose runs differ from each other")?;
    let mut values: BTreeMap<i128, u64> = BTreeMap::new();
    source.runs(cell, |_, messages| *values.entry(i128::from(messages)).or_default() += 1)?;
    let histogram = Histogram::of(&values).ok_or("its numbers are no whole ones")?;
    // Exact laws are about messages.
    let known = source.metric() == Metric::Messages;
    let exact = exact(source, cell, &histogram).filter(|_| known);
    Ok(Shown { selection, cell, histogram, exact })
}

/// The cell whose distribution says most: of an algorithm whose exact one is known, at the largest
/// size where that is quick; else of the first algorithm that varies, at its largest size.
fn choose<'a>(source: &Source, selection: &Selection<'a>) -> Option<&'a CellSummary> {
    let is_good = |cell: &&CellSummary| varies(cell);
    let groups = || {
        selection.groups.iter().map(|group| {
            let cells: Vec<&'a CellSummary> = group.cells.iter().copied().filter(is_good).collect();
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
    /// Whether it is what the law tends to as n grows, not the law itself.
    limit: bool,
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
    if initiators != "all" {
        return None;
    }
    let law = law(source, algorithm).filter(|law| cell.n() <= law.slow);
    let Some(distribution) = law.and_then(|law| law.distribution(cell.n())) else {
        return limit(source, cell, histogram);
    };
    let mut shares = vec![0.0; histogram.counts.len()];
    for (messages, p) in distribution.iter() {
        let place = (i128::from(messages) - histogram.first).div_euclid(histogram.width);
        if let Some(share) = usize::try_from(place).ok().and_then(|place| shares.get_mut(place)) {
            *share += p;
        }
    }
    let outside = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    Some(Exact { shares, outside, limit: false })
}

/// What the law tends to, over the bins; its mean is that of theory.
fn limit(source: &Source, cell: &CellSummary, histogram: &Histogram) -> Option<Exact> {
    let limit = source.entry(&cell.key.algorithm)?.limit?;
    let mean = cell.theory_mean.as_ref()?.value.as_f64();
    let (n, width) = (cell.n() as f64, histogram.width as f64);
    let middle = |bin: usize| histogram.first as f64 + (bin as f64 + 0.5) * width - 0.5;
    let share = |bin: usize| (limit.density)((middle(bin) - mean) / n) * width / n;
    let shares: Vec<f64> = (0..histogram.counts.len()).map(share).collect();
    Some(Exact { shares, outside: 0.0, limit: true })
}

fn title(cell: &CellSummary, noun: &str) -> String {
    let (algorithm, size) = (&cell.key.algorithm, decimal(cell.n() as f64, 0));
    match (cell.quantiles[1].value, cell.quantiles[4].value) {
        (Some(low), Some(high)) if cell.runs >= 20 => format!(
            "{algorithm} at n = {size}: 90 % of elections need {} to {} {noun}",
            count(low.round()),
            count(high.round())
        ),
        _ => format!("{algorithm} at n = {size}: {noun} of {} elections", cell.runs),
    }
}

fn notes(shown: &Shown) -> String {
    let Shown { selection, cell, histogram, exact } = shown;
    let exact = exact.as_ref().filter(|exact| !exact.limit);
    let expected = exact.map(|exact| exact.counts(cell.runs));
    let fit = expected.and_then(|expected| goodness_of_fit(&histogram.counts, &expected));
    let test = fit.map(|fit| {
        format!(" Chi-square test against the exact distribution: p = {:.3}.", fit.p_value)
    });
    // One cell of many: the flags that show another.
    let others = match selection.cells().count() {
        0 | 1 => String::new(),
        all => format!("; {} other cells: --algorithm and --n", all - 1),
    };
    format!(
        "{} elections on random rings in bins of {}; {}{others}.{}",
        decimal(cell.runs as f64, 0),
        histogram.width,
        selection.notes(),
        test.unwrap_or_default()
    )
}

fn caption(shown: &Shown, noun: &str) -> String {
    let CellKey { algorithm, n, .. } = &shown.cell.key;
    let exact = match &shown.exact {
        Some(Exact { limit: false, .. }) => {
            "; the stepped line is the exact probability of each bin"
        }
        Some(_) => "; the stepped line is what the exact distribution tends to as n grows",
        None => "",
    };
    format!(
        "How often an election of {algorithm} on a random ring of {} needs how many {noun}{exact}.",
        decimal(f64::from(*n), 0)
    )
}

/// The panel, below the key.
fn lay_out(sheet: &mut Sheet, shown: &Shown, axis: &str, above: f64) -> Panel {
    let names = (axis, SHARES);
    let exact = shown.exact.iter().flat_map(|exact| exact.shares.iter().copied());
    let (_, tallest) =
        range(shown.histogram.shares().into_iter().chain(exact)).unwrap_or((0.0, 1.0));
    let (low, high) = shown.histogram.ends();
    let outer = Area { top: sheet.body.top + above, ..sheet.body };
    let panel = Panel::within(outer, Scale::linear(low, high), Scale::from_zero(tallest), names);
    panel.draw(&mut sheet.canvas, names);
    panel
}

/// Draws what was measured and what is expected.
fn draw_shares(canvas: &mut Canvas, panel: &Panel, shown: &Shown, colour: Colour) {
    shown.histogram.draw(canvas, panel, colour);
    if let Some(exact) = &shown.exact {
        let outline = shown.histogram.outline(panel, &exact.shares);
        canvas.line(&outline, INK, 1.4, SOLID);
    }
}

/// The measured mean and the expectation, as far as they are in the panel: what they are called, and
/// how they are drawn.
fn means(shown: &Shown, colour: Colour) -> Vec<(f64, &'static str, Colour, Dash)> {
    let theory = shown.cell.theory_mean.as_ref().map(|fact| fact.value.as_f64());
    let measured = shown.cell.mean.map(|mean| (mean, "measured mean", colour, MEAN_DASH));
    let expected = theory.map(|mean| (mean, "expectation", INK, DOTTED));
    let (low, high) = shown.histogram.ends();
    let seen = |(mean, ..): &(f64, &str, Colour, Dash)| (low..=high).contains(mean);
    measured.into_iter().chain(expected).filter(seen).collect()
}

/// What is what.
fn key(shown: &Shown, colour: Colour) -> Vec<Entry> {
    let mut key = vec![Entry::area("measured", 9.0, colour, BAR_OPACITY)];
    if let Some(exact) = &shown.exact {
        let name = if exact.limit { "limit law" } else { "exact distribution" };
        key.push(Entry::line(name, INK, SOLID));
    }
    key.extend(means(shown, colour).into_iter().map(|(mean, text, colour, dash)| {
        Entry::line(&format!("{text} {}", count(mean)), colour, dash)
    }));
    key
}
