//! Every schedule against rounds: how few and how many messages some order of delivery takes, by
//! algorithm.
//!
//! It is no figure of a results folder, so it is not in the gallery: whoever has tried every schedule
//! brings the numbers.

use super::canvas::{Anchor, Area, Canvas};
use super::data::Datum;
use super::drawing::{Figure, NoFigure};
use super::font::{LABEL, SMALL, TINY, width};
use super::panel::Panel;
use super::scale::{Scale, decimal, range};
use super::sheet::{Origin, Sheet, Width, Words};
use super::style::{COLOURS, Colour, FAINT, INK, MARKER, Marker, SOLID};
use crate::experiment::error::Result;
use crate::model::error::Input;

/// What the schedules of one algorithm come to, over all elections of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleRow {
    name: String,
    vary: u64,
    elections: u64,
    /// Messages under some schedule and in rounds, where their ratio is the smallest and the largest.
    extremes: Option<[(u64, u64); 2]>,
}

impl ScheduleRow {
    /// An algorithm whose messages depend on the schedule in `vary` of so many elections.
    pub fn new(name: &str, vary: u64, elections: u64) -> Self {
        ScheduleRow { name: name.to_owned(), vary, elections, extremes: None }
    }

    /// Adds an election: the fewest and the most messages over all schedules, and those in rounds. One
    /// that takes none in rounds has no ratio.
    pub fn add(&mut self, fewest: u64, most: u64, in_rounds: u64) {
        if in_rounds == 0 {
            return;
        }
        let (low, high) = ((fewest, in_rounds), (most, in_rounds));
        let is_below = |a: (u64, u64), b: (u64, u64)| {
            u128::from(a.0) * u128::from(b.1) < u128::from(b.0) * u128::from(a.1)
        };
        let [lowest, highest] = self.extremes.unwrap_or([low, high]);
        self.extremes = Some([
            if is_below(low, lowest) { low } else { lowest },
            if is_below(highest, high) { high } else { highest },
        ]);
    }

    /// The smallest and the largest ratio.
    fn ratios(&self) -> (f64, f64) {
        let ratio = |(messages, in_rounds): (u64, u64)| messages as f64 / in_rounds as f64;
        self.extremes.map_or((1.0, 1.0), |[low, high]| (ratio(low), ratio(high)))
    }

    fn label(&self) -> String {
        format!("{} of {} vary", self.vary, self.elections)
    }
}

const NAME: &str = "schedules";

const RATIO: &str = "messages under a schedule / messages in rounds";

const CAPTION: &str = "The fewest and the most messages over all schedules, over those in rounds of the \
                       same election: the smallest and the largest ratio of all elections, by \
                       algorithm; a dot where no schedule makes a difference.";

const SOURCE: &str =
    "hustings exact --schedules: every order of delivery was tried, none was drawn";

/// The height of a row, and half of that of its bar.
const ROW: f64 = 22.0;
const HALF: f64 = 5.5;
/// The room for the words above the rows.
const HEAD: f64 = 20.0;
/// Free paper between a bar and its numbers, and beside the axes.
const GAP: f64 = 4.0;
const BESIDE: f64 = 12.0;

const FEWER: Colour = COLOURS[0];
const MORE: Colour = COLOURS[1];

/// Draws one row for each algorithm; `setting` says of which elections all schedules were tried.
pub fn draw_schedules(rows: &[ScheduleRow], setting: &str) -> Result<Figure> {
    if rows.is_empty() {
        let problem = "there are no schedules to draw";
        return Err(Input::new("figure", NAME, problem, "name an algorithm").into());
    }
    let words = Words {
        title: title(rows),
        notes: format!(
            "Smallest and largest ratio over all schedules of all elections, with the numbers of an election \
             that has it; {setting}; announcements not counted."
        ),
        source: Origin { line: SOURCE.to_owned(), width: Width::Page },
    };
    let height = rows.len() as f64 * ROW;
    let mut sheet = Sheet::new(words, HEAD + height + Panel::low_room(RATIO));
    let widest = |text: fn(&ScheduleRow) -> String| {
        rows.iter().map(|row| width(&text(row), LABEL)).fold(0.0, f64::max)
    };
    let top = sheet.body.top + HEAD;
    let area = Area {
        left: sheet.body.left + widest(|row| row.name.clone()) + BESIDE,
        top,
        right: sheet.body.right - widest(ScheduleRow::label) - BESIDE,
        bottom: top + height,
    };
    let panel = Panel::of_rows(area, scale(rows));
    let canvas = &mut sheet.canvas;
    draw_axis(canvas, &panel);
    for (place, row) in rows.iter().enumerate() {
        draw_row(canvas, &panel, row, top + (place as f64 + 0.5) * ROW);
    }
    sheet.figure(NAME, CAPTION).map_err(|error| match error {
        NoFigure::Failed(error) => error,
        NoFigure::Skipped(why) => Input::new("figure", NAME, why, "choose others").into(),
    })
}

/// The smallest ratio of all and the largest, and 1 between them.
fn ends(rows: &[ScheduleRow]) -> (f64, f64) {
    let ratios = rows.iter().map(ScheduleRow::ratios);
    range(ratios.flat_map(|(low, high)| [low, 1.0, high])).unwrap_or((1.0, 1.0))
}

/// From the smallest ratio to the largest, with room for the numbers beside the bars.
fn scale(rows: &[ScheduleRow]) -> Scale {
    let (low, high) = ends(rows);
    let room = if high > low { 0.1 * (high - low) } else { 0.5 };
    Scale::linear_exactly((low - room).max(0.0), high + room)
}

fn draw_axis(canvas: &mut Canvas, panel: &Panel) {
    panel.draw_level_axis(canvas);
    canvas.axes(("", RATIO));
    let Area { left, top, right, bottom } = panel.area;
    let below = (f64::midpoint(left, right), bottom + 12.0 + SMALL + 6.0);
    canvas.text(below, RATIO, LABEL, Anchor::Middle, INK);
    panel.upright(canvas, 1.0, INK, 1.2, SOLID);
    // Which side of 1 is which, where there is room for it.
    let one = panel.across(1.0);
    for (text, anchor, shift, room) in [
        ("some schedule takes fewer", Anchor::End, -GAP, one - left),
        ("some takes more", Anchor::Start, GAP, right - one),
    ] {
        if width(text, SMALL) + GAP <= room {
            canvas.text((one + shift, top - 9.0), text, SMALL, anchor, FAINT);
        }
    }
}

fn draw_row(canvas: &mut Canvas, panel: &Panel, row: &ScheduleRow, y: f64) {
    let Area { left, right, .. } = panel.area;
    canvas.text((left - 10.0, y), &row.name, LABEL, Anchor::End, INK);
    canvas.text((right + BESIDE, y), &row.label(), LABEL, Anchor::Start, INK);
    let (low, high) = row.ratios();
    let [from, one, to] = [low, 1.0, high].map(|ratio| panel.across(ratio));
    canvas.series(&row.name);
    canvas.stands_for(Datum::new(None, 1.0, Some((low, high))));
    if low == high {
        canvas.marker((one, y), Marker::Circle, MARKER, INK, true);
    }
    for (left, right, colour) in [(from, one, FEWER), (one, to, MORE)] {
        if left < right {
            canvas.fill_area(Area { left, top: y - HALF, right, bottom: y + HALF }, colour, 1.0);
        }
    }
    canvas.neutral();
    let Some([lowest, highest]) = row.extremes else { return };
    let fraction = |(messages, in_rounds): (u64, u64)| format!("{messages}/{in_rounds}");
    if low < 1.0 {
        canvas.text((from - GAP, y), &fraction(lowest), TINY, Anchor::End, FAINT);
    }
    if high > 1.0 {
        canvas.text((to + GAP, y), &fraction(highest), TINY, Anchor::Start, FAINT);
    }
}

/// Whose messages depend on the schedule, and how far at most.
fn title(rows: &[ScheduleRow]) -> String {
    let vary = rows.iter().filter(|row| row.vary > 0).count();
    let who = match (vary, rows) {
        (0, [row]) => return format!("{}: every schedule takes the messages of rounds", row.name),
        (0, _) => return "Every schedule takes the messages of rounds".to_owned(),
        (_, [row]) => row.name.clone(),
        (vary, _) => format!("{vary} of {} algorithms", rows.len()),
    };
    let (low, high) = ends(rows);
    let times = match (low < 1.0, high > 1.0) {
        (true, true) => format!("{} to {}", decimal(low, 2), decimal(high, 2)),
        (true, false) => format!("down to {}", decimal(low, 2)),
        _ => format!("up to {}", decimal(high, 2)),
    };
    format!("Delivery order changes the messages of {who}: {times} times those in rounds")
}
