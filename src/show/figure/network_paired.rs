//! The same networks, run by run: messages of every algorithm over those of one.

use std::collections::BTreeMap;

use super::canvas::{Anchor, Area};
use super::drawing::{Drawing, Figure};
use super::family::{self, Family, NONE, families};
use super::font::width;
use super::frame::{LINE, Panel, SMALL, Sheet};
use super::grid::Grid;
use super::plot::Plot;
use super::scale::{Scale, decimal, range};
use super::source::{Source, Subject};
use super::style::{INK, SOLID, is_filled};
use crate::experiment::error::Result;
use crate::statistics::CONFIDENCE;
use crate::statistics::paired::Paired;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "network-paired",
    line: "trees and graphs: messages over those of one algorithm",
    about: Subject::Networks,
    draw,
};

/// What the others are set against, where a family has it.
const BASE: &str = "echo-election";

/// One family at one size: who is set against whom.
struct Contest<'a> {
    family: String,
    n: u64,
    base: &'a str,
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    algorithm: &'a str,
    ratio: f64,
    ends: Option<(f64, f64)>,
    filled: bool,
}

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_networks() else {
        return Err(NONE.into());
    };
    let mut contests = Vec::new();
    for family in families(&selection) {
        contests.extend(contest(source, &family)?);
    }
    let rows = || contests.iter().flat_map(|contest| &contest.rows);
    let ends = rows().flat_map(|row| {
        let (low, high) = row.ends.unwrap_or((row.ratio, row.ratio));
        [row.ratio, low, high]
    });
    let Some((low, high)) = range(ends.filter(|end| *end > 0.0).chain([1.0])) else {
        return Err(NONE.into());
    };
    if contests.is_empty() {
        let why = "no family has two algorithms with runs on the same trees or graphs";
        return Err(why.into());
    }

    let title = title(&contests);
    let notes = format!(
        "Messages over those of one algorithm on the same networks, ratios of means of paired runs with 95 % \
         intervals; {}.",
        family::notes(&selection)
    );
    let heading = |contest: &Contest| {
        let Contest { family, n, base, .. } = contest;
        (format!("{family}, N = {}", decimal(*n as f64, 0)), vec![(format!("over {base}"), INK)])
    };
    let headings: Vec<_> = contests.iter().map(heading).collect();
    let height = |contest: &Contest| contest.rows.len() as f64 * LINE + Panel::low_room("");
    let heights: Vec<f64> = contests.iter().map(height).collect();
    let grid = Grid::with_heights(&heights, &headings);
    let mut sheet = Sheet::new(&title, &notes, &source.line_with_markers(), grid.height());
    let canvas = &mut sheet.canvas;
    let label = |row: &Row| format!("{} × {}", row.algorithm, digits(row.ratio));
    let widest = rows().map(|row| width(&label(row), SMALL)).fold(0.0, f64::max);
    for (outer, contest) in grid.draw(canvas, sheet.body).into_iter().zip(&contests) {
        let area = Area {
            left: outer.left + widest + 8.0,
            bottom: outer.top + contest.rows.len() as f64 * LINE,
            // Half of the last number stands beyond the axis.
            right: outer.right - 8.0,
            ..outer
        };
        let y = Scale::linear_exactly(0.0, 1.0);
        let panel = Panel { area, x: Scale::log(low, high), y };
        panel.draw_level(canvas);
        let one = panel.across(1.0);
        canvas.line(&[(one, area.top), (one, area.bottom)], INK, 1.2, SOLID);
        for (number, row) in contest.rows.iter().enumerate() {
            let y = area.top + (number as f64 + 0.5) * LINE;
            canvas.text((area.left - 8.0, y), &label(row), SMALL, Anchor::End, INK);
            let look = source.look(row.algorithm);
            if let Some((from, to)) = row.ends {
                let [from, to] = [from, to].map(|end| panel.across(end.clamp(low, high)));
                canvas.line(&[(from, y), (to, y)], look.colour, 2.0, SOLID);
                for end in [from, to] {
                    canvas.line(&[(end, y - 4.0), (end, y + 4.0)], look.colour, 1.4, SOLID);
                }
            }
            canvas.marker((panel.across(row.ratio), y), look.marker, 4.0, look.colour, row.filled);
        }
    }
    let caption = "Messages of every algorithm over those of one on the same networks, one panel per family, with \
                   95 % intervals (Fieller). Left of the line at 1 an algorithm needs fewer messages than \
                   the one that it is set against."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

/// A ratio in three digits.
fn digits(ratio: f64) -> String {
    let places = match ratio {
        large if large >= 100.0 => 0,
        large if large >= 10.0 => 1,
        small if small >= 0.1 => 2,
        _ => 3,
    };
    decimal(ratio, places)
}

/// The algorithms of a family at its largest common size; `None` unless there are two.
fn contest<'a>(source: &Source<'a>, family: &Family<'a>) -> Result<Option<Contest<'a>>> {
    let Some(n) = family.common_size(source.choice.n.unwrap_or(u64::MAX)) else {
        return Ok(None);
    };
    let cells: Vec<&CellSummary> = family.at(n).collect();
    let usual = cells.iter().find(|cell| cell.key.algorithm == BASE);
    let Some(&base) = usual.or(cells.first()) else { return Ok(None) };
    let mut of_base: BTreeMap<u64, u64> = BTreeMap::new();
    source.runs(base, |run, messages| _ = of_base.insert(run, messages))?;
    let mut rows = Vec::new();
    for cell in cells.into_iter().filter(|cell| cell.key.algorithm != base.key.algorithm) {
        let mut paired = Paired::new();
        source.runs(cell, |run, messages| {
            if let Some(&other) = of_base.get(&run) {
                paired.push(messages, other);
            }
        })?;
        rows.extend(paired.ratio().filter(|ratio| *ratio > 0.0).map(|ratio| Row {
            algorithm: &cell.key.algorithm,
            ratio,
            ends: paired.ratio_interval(CONFIDENCE),
            filled: is_filled(&cell.engine),
        }));
    }
    rows.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let (family, base) = (family.name.clone(), base.key.algorithm.as_str());
    Ok((!rows.is_empty()).then_some(Contest { family, n, base, rows }))
}

/// The ratio that is farthest from 1 on either side.
fn title(contests: &[Contest]) -> String {
    let rows =
        || contests.iter().flat_map(|contest| contest.rows.iter().map(move |row| (contest, row)));
    let sentence = |(contest, row): (&Contest, &Row)| {
        let Contest { family, n, base, .. } = contest;
        let (ratio, size) = (digits(row.ratio), decimal(*n as f64, 0));
        format!(
            "{} needs {ratio} times the messages of {base} on the same {family} of {size}",
            row.algorithm
        )
    };
    let least = rows().min_by(|a, b| a.1.ratio.total_cmp(&b.1.ratio));
    let most = rows().max_by(|a, b| a.1.ratio.total_cmp(&b.1.ratio));
    match (least, most) {
        (Some(least), _) if least.1.ratio < 1.0 => sentence(least),
        (_, Some(most)) if most.1.ratio > 1.0 => sentence(most),
        (Some(_), _) => "All need the same messages on the same networks".to_owned(),
        _ => "Messages on the same networks".to_owned(),
    }
}
