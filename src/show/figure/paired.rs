//! Paired differences: two algorithms on the same rings.

use std::collections::BTreeMap;

use super::canvas::{Anchor, Area, Canvas};
use super::drawing::Drawing;
use super::font::LABEL;
use super::histogram::Histogram;
use super::panel::Panel;
use super::plot::Plot;
use super::scale::{Scale, decimal, range};
use super::series::{Point, draw_series};
use super::sheet::{Sheet, Words};
use super::source::{Group, Selection, Source, Subject};
use super::style::{INK, Look, MEAN_DASH, SOLID, is_filled};
use crate::experiment::error::Result;
use crate::model::metric::Metric;
use crate::summarise::CellSummary;
use crate::summarise::compare::{self, Comparison};

pub(super) const PLOT: Plot = Plot {
    name: "paired",
    line: "two algorithms on the same rings: differences ring by ring",
    about: Subject::Rings,
    metrics: &Metric::ALL,
    draw,
};

/// What is shown: two algorithms, compared at every size that both have.
struct Pair<'a> {
    selection: Selection<'a>,
    first: Group<'a>,
    second: Group<'a>,
    rows: Vec<Comparison>,
    /// The size whose rings are shown one by one.
    largest: Comparison,
    /// The differences on these rings.
    histogram: Histogram,
}

fn draw(source: &Source) -> Drawing {
    let pair = select(source)?;
    let (first, second) = (pair.first.algorithm, pair.second.algorithm);
    let words = Words {
        title: title(&pair.largest, &pair.size()),
        notes: format!(
            "{first} less {second} on the same random rings; {}{}.",
            pair.selection.notes(),
            if pair.selection.groups.len() > 2 { "; other pairs: --algorithm A,B" } else { "" }
        ),
        source: source.line_with_markers(),
    };
    let stacked = words.source.width.is_column();
    let mut sheet = Sheet::new(words, if stacked { 500.0 } else { 360.0 });
    let [left, right] = halves(sheet.body, stacked);
    let look = source.look(first);
    draw_differences(&mut sheet.canvas, left, &pair, look);
    draw_means(&mut sheet.canvas, right, &pair, look);
    sheet.figure(PLOT.name, caption(&pair))
}

fn select<'a>(source: &Source<'a>) -> Drawing<Pair<'a>> {
    let selection = source.random_rings()?;
    let (first, second) = choose(source, &selection)
        .map(|(first, second)| (first.clone(), second.clone()))
        .ok_or("there are no two algorithms with runs on random rings of the same size")?;
    let mut rows: Vec<Comparison> = Vec::new();
    for a in &first.cells {
        if let Some(b) = second.at(a.n()) {
            rows.push(compare::in_one_folder(source.results, a, b)?);
        }
    }
    let no_size = "the two have no common size";
    let largest = rows.iter().max_by_key(|row| row.key.n).ok_or(no_size)?.clone();
    let n = u64::from(largest.key.n);
    let (a, b) = first.at(n).zip(second.at(n)).ok_or(no_size)?;
    let histogram = Histogram::of(&differences(source, a, b)?)
        .ok_or("the two have no runs of the same number with whole numbers")?;
    Ok(Pair { selection, first, second, rows, largest, histogram })
}

/// The pair to show: those asked for, else the first two yardsticks, else the first two that need
/// different numbers of messages.
fn choose<'s, 'a>(
    source: &Source,
    selection: &'s Selection<'a>,
) -> Option<(&'s Group<'a>, &'s Group<'a>)> {
    let named = |name: &str| selection.groups.iter().find(|group| group.algorithm == name);
    if let [first, second, ..] = source.choice.algorithms.as_slice() {
        return named(first).zip(named(second)).filter(|(a, b)| meet(a, b));
    }
    let all: Vec<&Group> = selection.groups.iter().collect();
    let yardsticks: Vec<&Group> = source.yardsticks().filter_map(named).collect();
    let differ = |(a, b): &(&Group, &Group)| {
        a.cells.iter().any(|cell| b.at(cell.n()).is_some_and(|other| other.mean != cell.mean))
    };
    pairs(&yardsticks)
        .next()
        .or_else(|| pairs(&all).filter(differ).find(|(a, b)| a.varies() && b.varies()))
        .or_else(|| pairs(&all).find(differ))
        .or_else(|| pairs(&all).next())
}

/// The pairs that have a size in common.
fn pairs<'s, 'a>(groups: &[&'s Group<'a>]) -> impl Iterator<Item = (&'s Group<'a>, &'s Group<'a>)> {
    let each = groups.iter().enumerate();
    each.flat_map(|(place, &a)| groups[place + 1..].iter().map(move |&b| (a, b)))
        .filter(|(a, b)| meet(a, b))
}

fn meet(a: &Group, b: &Group) -> bool {
    a.algorithm != b.algorithm && a.cells.iter().any(|cell| b.at(cell.n()).is_some())
}

/// How often which difference occurs on the rings of both.
fn differences(source: &Source, a: &CellSummary, b: &CellSummary) -> Result<BTreeMap<i128, u64>> {
    let of_first = source.by_run(a)?;
    let mut counts = BTreeMap::new();
    source.runs(b, |run, messages| {
        if let Some(first) = of_first.get(&run) {
            *counts.entry(i128::from(*first) - i128::from(messages)).or_default() += 1;
        }
    })?;
    Ok(counts)
}

impl Pair<'_> {
    /// What is compared, in words.
    fn noun(&self) -> &'static str {
        self.largest.metric.noun(&self.largest.key.timing)
    }

    /// The size whose rings are shown one by one, in words.
    fn size(&self) -> String {
        decimal(f64::from(self.largest.key.n), 0)
    }

    /// The mean difference in per cent of the second.
    fn percent(&self, row: &Comparison) -> Option<Point<'_>> {
        let share = |ratio: f64| 100.0 * (ratio - 1.0);
        let cell = self.first.at(u64::from(row.key.n));
        Some(Point {
            x: f64::from(row.key.n),
            y: share(row.ratio?),
            ends: row.ratio_interval.map(|(low, high)| (share(low), share(high))),
            filled: cell.is_some_and(|cell| is_filled(&cell.engine)),
            cell: None,
        })
    }
}

/// The left and the right half of a body, for one panel each; in a column the upper and the lower.
fn halves(body: Area, stacked: bool) -> [Area; 2] {
    if stacked {
        let middle = f64::midpoint(body.top, body.bottom);
        return [Area { bottom: middle - 8.0, ..body }, Area { top: middle + 8.0, ..body }];
    }
    let middle = (body.left + body.right) / 2.0;
    [Area { right: middle - 12.0, ..body }, Area { left: middle + 12.0, ..body }]
}

/// Draws a heading, and leaves the area below it.
fn draw_heading(canvas: &mut Canvas, half: Area, text: &str) -> Area {
    canvas.text((half.left, half.top + 8.0), text, LABEL, Anchor::Start, INK);
    Area { top: half.top + 22.0, ..half }
}

/// Draws how often which difference occurs, with 0 and the mean.
fn draw_differences(canvas: &mut Canvas, half: Area, pair: &Pair, look: Look) {
    let heading = format!("differences ring by ring, n = {}", pair.size());
    let area = draw_heading(canvas, half, &heading);
    let histogram = &pair.histogram;
    let (begin, end) = histogram.ends();
    let (low, high) = (begin.min(0.0), end.max(0.0));
    let (_, tallest) = range(histogram.shares()).unwrap_or((0.0, 1.0));
    let name = format!("difference in {}", pair.noun());
    let names = (name.as_str(), "share of rings");
    let panel = Panel::within(area, Scale::linear(low, high), Scale::from_zero(tallest), names);
    panel.draw(canvas, names);
    histogram.draw(canvas, &panel, look.colour);
    panel.upright(canvas, 0.0, INK, 1.2, SOLID);
    if let Some(mean) = pair.largest.difference {
        panel.upright(canvas, mean, look.colour, 1.6, MEAN_DASH);
    }
}

/// Draws the mean difference against n, with 0.
fn draw_means(canvas: &mut Canvas, half: Area, pair: &Pair, look: Look) {
    let heading = format!("mean difference, in % of {}", pair.second.algorithm);
    let area = draw_heading(canvas, half, &heading);
    let points: Vec<Point> = pair.rows.iter().filter_map(|row| pair.percent(row)).collect();
    let reach = points.iter().flat_map(Point::reach);
    let (low, high) = range(reach.chain([0.0])).unwrap_or((-1.0, 1.0));
    let sizes: Vec<u64> = pair.rows.iter().map(|row| u64::from(row.key.n)).collect();
    let names = ("n, the number of nodes", "difference in %");
    let panel = Panel::within(area, Scale::sizes(&sizes), Scale::linear(low, high), names);
    panel.draw(canvas, names);
    panel.level(canvas, 0.0);
    draw_series(canvas, &panel, pair.first.algorithm, look, &points);
}

/// What the mean says, and what the rings say one by one: these need not agree.
fn title(row: &Comparison, size: &str) -> String {
    let Comparison { first, second, ratio, ratio_interval, first_fewer, second_fewer, .. } = row;
    let noun = row.metric.noun(&row.key.timing);
    let Some(ratio) = ratio else {
        return format!("{first} and {second} on the same rings of {size}");
    };
    if row.first_runs < 2 {
        let ratio = decimal(*ratio, 2);
        return format!(
            "On the one ring of {size}, {first} needs {ratio} times the {noun} of {second}"
        );
    }
    if *first_fewer == Some(0.0) && *second_fewer == Some(0.0) {
        return format!("{first} and {second} need the same on every ring of {size}");
    }
    let half = ratio_interval.map(|(low, high)| (high - low) / 2.0).filter(|half| *half > 0.0);
    let digits = half.map_or(2, |half| (1.0 - half.log10().floor()).clamp(2.0, 4.0) as usize);
    let about = half.map(|half| format!(" ± {}", decimal(half, digits))).unwrap_or_default();
    let open = ratio_interval.is_some_and(|(low, high)| (low..=high).contains(&1.0));
    let doubt = if open { " (too close to tell)" } else { "" };
    let fewer = decimal(100.0 * first_fewer.unwrap_or_default(), 1);
    format!(
        "{first} needs {}{about} times the {noun} of {second} on the same rings of {size}{doubt}, and fewer \
         on {fewer} % of them",
        decimal(*ratio, digits)
    )
}

fn caption(pair: &Pair) -> String {
    let (first, second) = (pair.first.algorithm, pair.second.algorithm);
    let mut letters = pair.noun().chars();
    let capital = letters.next().map(|first| first.to_ascii_uppercase());
    let what: String = capital.into_iter().chain(letters).collect();
    format!(
        "{what} of {first} less those of {second}, ring by ring: left their distribution at n = {} \
         with its mean (dashed), right the mean difference in per cent of {second} with 95 % intervals. \
         Beyond the black line at 0 the other one wins.",
        pair.size()
    )
}
