//! The same networks, run by run: messages of every algorithm over those of one.

use super::canvas::{Anchor, Area, Canvas};
use super::data::Datum;
use super::drawing::Drawing;
use super::family::{self, Family, families};
use super::font::SMALL;
use super::font::width;
use super::grid::{Grid, Heading};
use super::panel::Panel;
use super::plot::{MESSAGES, Plot};
use super::scale::{Scale, decimal, range};
use super::series::{draw_interval, reach};
use super::sheet::{LINE, Words};
use super::source::{Selection, Source, Subject};
use super::style::{INK, Look, MARKER, SOLID, is_filled};
use crate::experiment::error::Result;
use crate::statistics::CONFIDENCE;
use crate::statistics::paired::Paired;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "network-paired",
    line: "trees and graphs: messages over those of one algorithm",
    about: Subject::Networks,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Messages of every algorithm over those of one on the same networks, one panel \
                       per family, with 95 % intervals (Fieller). Left of the line at 1 an algorithm \
                       needs fewer messages than the one that it is set against.";

/// What is shown: a contest for every family that has two algorithms.
struct Shown<'a> {
    selection: Selection<'a>,
    contests: Vec<Contest<'a>>,
}

/// One family at one size: who is set against whom.
struct Contest<'a> {
    family: String,
    n: u64,
    base: &'a str,
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    cell: &'a CellSummary,
    algorithm: &'a str,
    ratio: f64,
    ends: Option<(f64, f64)>,
    filled: bool,
}

fn draw(source: &Source) -> Drawing {
    let Shown { selection, contests } = &select(source)?;
    let words = Words {
        title: title(contests),
        notes: format!(
            "Messages over those of one algorithm on the same networks, ratios of means of paired runs \
             with 95 % intervals; {}.",
            family::notes(selection)
        ),
        source: source.line_with_markers(),
    };
    let rows = || contests.iter().flat_map(|contest| &contest.rows);
    let widest = rows().map(|row| width(&row.label(), SMALL)).fold(0.0, f64::max);
    let reach = rows().flat_map(|row| reach(row.ratio, row.ends)).filter(|end| *end > 0.0);
    let ends = range(reach.chain([1.0])).unwrap_or((1.0, 1.0));
    let panels = contests.iter().map(|contest| (contest.height(), contest.heading()));
    let (mut sheet, areas) = Grid::with_heights(panels).sheet(words);
    let canvas = &mut sheet.canvas;
    for (area, contest) in areas.into_iter().zip(contests) {
        let panel = contest.draw_axis(canvas, area, widest, ends);
        canvas.axes(("", &format!("messages over those of {}", contest.base)));
        for (number, row) in contest.rows.iter().enumerate() {
            let y = panel.area.top + (number as f64 + 0.5) * LINE;
            row.draw(canvas, &panel, y, ends, source.look(row.algorithm));
        }
    }
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_networks()?;
    let mut contests = Vec::new();
    for family in families(&selection) {
        contests.extend(contest(source, &family)?);
    }
    if contests.is_empty() {
        return Err("no family has two algorithms with runs on the same trees or graphs".into());
    }
    Ok(Shown { selection, contests })
}

/// The algorithms of a family at its largest common size, set against its yardstick or, without one,
/// its first; `None` unless there are two.
fn contest<'a>(source: &Source<'a>, family: &Family<'a>) -> Result<Option<Contest<'a>>> {
    let Some(n) = family.common_size(u64::MAX) else { return Ok(None) };
    let cells: Vec<&CellSummary> = family.at(n).collect();
    let of = |algorithm: &str| cells.iter().find(|cell| cell.key.algorithm == algorithm);
    let yardstick = source.yardsticks().find_map(of);
    let Some(&base) = yardstick.or(cells.first()) else { return Ok(None) };
    let of_base = source.by_run(base)?;
    let mut rows = Vec::new();
    for cell in cells.into_iter().filter(|cell| cell.key.algorithm != base.key.algorithm) {
        let mut paired = Paired::new();
        source.runs(cell, |run, messages| {
            if let Some(&other) = of_base.get(&run) {
                paired.push(messages, other);
            }
        })?;
        rows.extend(paired.ratio().filter(|ratio| *ratio > 0.0).map(|ratio| Row {
            cell,
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

impl Contest<'_> {
    fn heading(&self) -> Heading {
        let title = format!("{}, N = {}", self.family, decimal(self.n as f64, 0));
        Heading { title, lines: vec![(format!("over {}", self.base), INK)] }
    }

    fn rows_height(&self) -> f64 {
        self.rows.len() as f64 * LINE
    }

    fn height(&self) -> f64 {
        self.rows_height() + Panel::low_room("")
    }

    /// Draws the axis below the rows, with room for the widest label, and the line at 1.
    fn draw_axis(
        &self,
        canvas: &mut Canvas,
        outer: Area,
        widest: f64,
        (low, high): (f64, f64),
    ) -> Panel {
        let area = Area {
            left: outer.left + widest + 8.0,
            bottom: outer.top + self.rows_height(),
            // Half of the last number stands beyond the axis.
            right: outer.right - 8.0,
            ..outer
        };
        let panel = Panel::of_rows(area, Scale::log(low, high));
        panel.draw_level_axis(canvas);
        panel.upright(canvas, 1.0, INK, 1.2, SOLID);
        panel
    }
}

impl Row<'_> {
    fn label(&self) -> String {
        format!("{} × {}", self.algorithm, digits(self.ratio))
    }

    /// Draws label, interval and ratio around a y; what is below `low` or above `high` has no place.
    fn draw(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        y: f64,
        (low, high): (f64, f64),
        Look { colour, marker, .. }: Look,
    ) {
        canvas.text((panel.area.left - 8.0, y), &self.label(), SMALL, Anchor::End, INK);
        if let Some((from, to)) = self.ends {
            let [from, to] = [from, to].map(|end| panel.across(end.clamp(low, high)));
            draw_interval(canvas, (from, to), y, colour, 4.0);
        }
        canvas.stands_for(Datum::of(self.cell, None, self.ratio, self.ends));
        canvas.marker((panel.across(self.ratio), y), marker, MARKER, colour, self.filled);
    }
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

/// The ratio that is farthest from 1 on either side.
fn title(contests: &[Contest]) -> String {
    let rows =
        || contests.iter().flat_map(|contest| contest.rows.iter().map(move |row| (contest, row)));
    let sentence = |(contest, row): (&Contest, &Row)| {
        let Contest { family, n, base, .. } = contest;
        let (ratio, size) = (digits(row.ratio), decimal(*n as f64, 0));
        format!(
            "{} needs {ratio} times the messages of {base} on the same networks ({family}, N = {size})",
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
