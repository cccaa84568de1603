//! Paired differences: two algorithms on the same rings.

use std::collections::BTreeMap;

use super::canvas::{Anchor, Area};
use super::distribution::draw_bars;
use super::drawing::{Drawing, Figure};
use super::frame::{LABEL, Panel, Sheet};
use super::histogram::Histogram;
use super::plot::Plot;
use super::scale::{Scale, decimal, range};
use super::series::{Point, draw_series};
use super::source::{Group, Selection, Source, Subject};
use super::style::{INK, SOLID, is_filled};
use crate::experiment::error::Result;
use crate::summarise::CellSummary;
use crate::summarise::compare::{self, Comparison};

pub(super) const PLOT: Plot = Plot {
    name: "paired",
    line: "two algorithms on the same rings: differences ring by ring",
    about: Subject::Rings,
    draw,
};

/// The two that most is known about.
const USUAL: [&str; 2] = ["chang-roberts", "peterson"];

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_rings() else {
        return Err("there is no cell on rings in random order".into());
    };
    let Some((first, second)) = choose(&selection, &source.choice.algorithms) else {
        let why = "there are no two algorithms with runs on random rings of the same size";
        return Err(why.into());
    };
    let mut rows: Vec<Comparison> = Vec::new();
    for a in &first.cells {
        if let Some(b) = at(second, a.n()) {
            rows.push(compare::in_one_folder(source.results, a, b)?);
        }
    }
    let points: Vec<Point> = rows.iter().filter_map(|row| percent(row, first)).collect();
    let shown = source.choice.n.unwrap_or(u64::MAX);
    let Some(largest) =
        rows.iter().filter(|row| u64::from(row.key.n) <= shown).max_by_key(|row| row.key.n)
    else {
        return Err("the two have no common size".into());
    };
    let [Some(a), Some(b)] = [first, second].map(|group| at(group, u64::from(largest.key.n)))
    else {
        return Err("the two have no common size".into());
    };
    let Some(histogram) = Histogram::of(&differences(source, a, b)?) else {
        return Err("the two have no runs of the same number".into());
    };

    let size = decimal(f64::from(largest.key.n), 0);
    let title = title(largest, &size);
    let notes = format!(
        "{} less {} on the same random rings; {}.",
        first.algorithm,
        second.algorithm,
        selection.notes()
    );
    let mut sheet = Sheet::new(&title, &notes, &source.line_with_markers(), 360.0);
    let canvas = &mut sheet.canvas;
    let middle = (sheet.body.left + sheet.body.right) / 2.0;
    let top = sheet.body.top + 22.0;
    let left = Area { right: middle - 12.0, top, ..sheet.body };
    let right = Area { left: middle + 12.0, top, ..sheet.body };
    let heading = |canvas: &mut super::canvas::Canvas, area: Area, text: &str| {
        canvas.text((area.left, sheet.body.top + 8.0), text, LABEL, Anchor::Start, INK);
    };
    let look = source.look(first.algorithm);

    heading(canvas, left, &format!("differences ring by ring, n = {size}"));
    let shares = histogram.shares();
    let (_, tallest) = range(shares.iter().copied()).unwrap_or((0.0, 1.0));
    let borders = [histogram.border(0), histogram.border(histogram.counts.len())];
    let (low, high) = range(borders.into_iter().chain([0.0])).unwrap_or((0.0, 1.0));
    let names = ("difference in messages", "share of rings");
    let panel = Panel::within(left, Scale::linear(low, high), Scale::from_zero(tallest), names);
    panel.draw(canvas, names);
    draw_bars(canvas, &panel, &histogram, &shares, look.colour);
    let zero = panel.across(0.0);
    canvas.line(&[(zero, panel.area.top), (zero, panel.area.bottom)], INK, 1.2, SOLID);
    if let Some(mean) = largest.difference {
        let x = panel.across(mean);
        let upright = [(x, panel.area.top), (x, panel.area.bottom)];
        canvas.line(&upright, look.colour, 1.6, &[8.0, 3.0]);
    }

    heading(canvas, right, &format!("mean difference, in % of {}", second.algorithm));
    let ends = points.iter().flat_map(|point| {
        let (low, high) = point.ends.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let (low, high) = range(ends.chain([0.0])).unwrap_or((-1.0, 1.0));
    let sizes: Vec<u64> = rows.iter().map(|row| u64::from(row.key.n)).collect();
    let names = ("n", "%");
    let panel = Panel::within(right, Scale::sizes(&sizes), Scale::linear(low, high), names);
    panel.draw(canvas, names);
    let zero = panel.up(0.0);
    canvas.line(&[(panel.area.left, zero), (panel.area.right, zero)], INK, 1.2, SOLID);
    draw_series(canvas, &panel, look, &points);

    let caption = format!(
        "Messages of {} less those of {}, ring by ring: left their distribution at n = {size} with its \
         mean (dashed), right the mean difference in per cent of {} with 95 % intervals. Beyond the \
         black line at 0 the other one wins.",
        first.algorithm, second.algorithm, second.algorithm
    );
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

/// The pair to show: those asked for, else Chang-Roberts and Peterson, else the first two that need
/// different numbers of messages.
fn choose<'s, 'a>(
    selection: &'s Selection<'a>,
    asked: &[String],
) -> Option<(&'s Group<'a>, &'s Group<'a>)> {
    let named = |name: &str| selection.groups.iter().find(|group| group.algorithm == name);
    let meet = |a: &Group, b: &Group| {
        a.algorithm != b.algorithm && a.cells.iter().any(|cell| at(b, cell.n()).is_some())
    };
    if let [first, second, ..] = asked {
        return named(first).zip(named(second)).filter(|(a, b)| meet(a, b));
    }
    let usual = named(USUAL[0]).zip(named(USUAL[1])).filter(|(a, b)| meet(a, b));
    let pairs = || {
        let groups = &selection.groups;
        let all = groups.iter().enumerate();
        all.flat_map(|(place, a)| groups[place + 1..].iter().map(move |b| (a, b)))
            .filter(|(a, b)| meet(a, b))
    };
    let differ = |(a, b): &(&Group, &Group)| {
        a.cells.iter().any(|cell| at(b, cell.n()).is_some_and(|other| other.mean != cell.mean))
    };
    let varies = |group: &Group| group.cells.iter().any(|cell| cell.sd.is_some_and(|sd| sd > 0.0));
    usual
        .or_else(|| pairs().filter(differ).find(|(a, b)| varies(a) && varies(b)))
        .or_else(|| pairs().find(differ))
        .or_else(|| pairs().next())
}

fn at<'a>(group: &Group<'a>, n: u64) -> Option<&'a CellSummary> {
    group.cells.iter().copied().find(|cell| cell.n() == n)
}

/// The mean difference in per cent of the second.
fn percent(row: &Comparison, first: &Group) -> Option<Point> {
    let share = |ratio: f64| 100.0 * (ratio - 1.0);
    Some(Point {
        x: f64::from(row.key.n),
        y: share(row.ratio?),
        ends: row.ratio_interval.map(|(low, high)| (share(low), share(high))),
        filled: at(first, u64::from(row.key.n)).is_some_and(|cell| is_filled(&cell.engine)),
    })
}

/// How often which difference occurs on the rings of both.
fn differences(source: &Source, a: &CellSummary, b: &CellSummary) -> Result<BTreeMap<i128, u64>> {
    let mut of_first: BTreeMap<u64, u64> = BTreeMap::new();
    source.runs(a, |run, messages| _ = of_first.insert(run, messages))?;
    let mut counts = BTreeMap::new();
    source.runs(b, |run, messages| {
        if let Some(first) = of_first.get(&run) {
            *counts.entry(i128::from(*first) - i128::from(messages)).or_default() += 1;
        }
    })?;
    Ok(counts)
}

fn title(row: &Comparison, size: &str) -> String {
    let Comparison { first, second, first_fewer, second_fewer, ratio, .. } = row;
    let share = |share: Option<f64>| decimal(100.0 * share.unwrap_or_default(), 1);
    match ratio {
        Some(ratio) if first_fewer >= second_fewer && first_fewer > &Some(0.0) => format!(
            "{first} beats {second} on {} % of the same rings of {size}, by {} % on average",
            share(*first_fewer),
            decimal(100.0 * (1.0 - ratio), 1)
        ),
        Some(ratio) if second_fewer > &Some(0.0) => format!(
            "{second} beats {first} on {} % of the same rings of {size}; {first} needs {} % more",
            share(*second_fewer),
            decimal(100.0 * (ratio - 1.0), 1)
        ),
        _ => format!("{first} and {second} need the same on every ring of {size}"),
    }
}
