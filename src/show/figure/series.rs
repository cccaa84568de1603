//! Measured points with their intervals, and lines through them.

use super::canvas::{Canvas, Place};
use super::data::Datum;
use super::labels::Label;
use super::panel::Panel;
use super::style::{Colour, Look, MARKER, SOLID, is_filled};
use crate::summarise::CellSummary;

/// One measured point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    pub x: f64,
    pub y: f64,
    /// The ends of its interval.
    pub ends: Option<(f64, f64)>,
    pub filled: bool,
    /// The cell that it is about, if it is one.
    pub cell: Option<&'a CellSummary>,
}

impl<'a> Point<'a> {
    /// The mean of a cell over its size, with everything divided by `unit`.
    pub fn mean(cell: &'a CellSummary, unit: f64) -> Option<Self> {
        Some(Point {
            x: cell.n() as f64,
            y: cell.mean? / unit,
            ends: cell.interval.map(|(low, high)| (low / unit, high / unit)),
            filled: is_filled(&cell.engine),
            cell: Some(cell),
        })
    }

    /// What its mark stands for.
    pub fn datum(&self) -> Datum {
        let Point { x, y, ends, cell, .. } = *self;
        match cell {
            Some(cell) => Datum::mean(cell, x, y, ends),
            None => Datum::new(x, y, ends),
        }
    }

    /// What an axis must hold to show it: itself, and its interval.
    pub fn reach(&self) -> [f64; 3] {
        reach(self.y, self.ends)
    }
}

/// What an axis must hold to show a number and its interval.
pub(super) fn reach(value: f64, ends: Option<(f64, f64)>) -> [f64; 3] {
    let (low, high) = ends.unwrap_or((value, value));
    [value, low, high]
}

/// Draws band, line and markers of the series of that name.
pub(super) fn draw_series(
    canvas: &mut Canvas,
    panel: &Panel,
    name: &str,
    look: Look,
    points: &[Point],
) {
    canvas.series(name);
    let (lowest, highest) = panel.y.ends();
    let edge = |pick: fn((f64, f64)) -> f64| -> Vec<Place> {
        let end = |point: &Point| point.ends.map_or(point.y, pick).clamp(lowest, highest);
        points.iter().map(|point| panel.at(point.x, end(point))).collect()
    };
    canvas.band(&edge(|(low, _)| low), &edge(|(_, high)| high), look.colour, 0.25);
    let places: Vec<Place> = points.iter().map(|point| panel.at(point.x, point.y)).collect();
    canvas.line(&places, look.colour, 1.6, look.dash);
    for (place, point) in places.iter().zip(points) {
        if let Some((low, high)) = point.ends {
            let [low, high] = [low, high].map(|end| panel.up(end.clamp(lowest, highest)));
            canvas.line(&[(place.0, low), (place.0, high)], look.colour, 1.2, SOLID);
        }
    }
    for (place, point) in places.iter().zip(points) {
        canvas.stands_for(point.datum());
        canvas.marker(*place, look.marker, MARKER, look.colour, point.filled);
    }
    canvas.neutral();
}

/// The label of a series at the end of its line.
pub(super) fn series_label(
    panel: &Panel,
    name: &str,
    look: Look,
    points: &[Point],
) -> Option<Label> {
    let last = points.last()?;
    Some(Label::of_series(name, look, panel.at(last.x, last.y), last.filled))
}

/// Draws an interval as a level line between two x, with bars of half this height at its ends.
pub(super) fn draw_interval(
    canvas: &mut Canvas,
    (from, to): (f64, f64),
    y: f64,
    colour: Colour,
    half: f64,
) {
    canvas.line(&[(from, y), (to, y)], colour, 2.0, SOLID);
    for end in [from, to] {
        canvas.line(&[(end, y - half), (end, y + half)], colour, 1.4, SOLID);
    }
}
