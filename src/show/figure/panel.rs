//! A panel: a pair of axes, and lines within them.

use super::canvas::{Anchor, Area, Canvas, Place};
use super::font::width;
use super::font::{LABEL, SMALL};
use super::scale::Scale;
use super::style::{Colour, Dash, FAINT, GRID, INK, SOLID};

/// The name of an axis as large as its room allows, or what stands before its comma.
fn fitting(name: &str, room: f64) -> (&str, f64) {
    let short = name.split(',').next().unwrap_or(name);
    let choices = [(name, LABEL), (name, SMALL), (short, LABEL)];
    choices.into_iter().find(|(name, size)| width(name, *size) <= room).unwrap_or((short, SMALL))
}

/// A pair of axes and what they enclose.
pub(super) struct Panel {
    pub area: Area,
    pub x: Scale,
    pub y: Scale,
}

impl Panel {
    /// The room that numbers and name of the upright axis take to the left of it.
    fn left_room(y: &Scale, name: &str) -> f64 {
        let widest = y.ticks().iter().map(|tick| width(&tick.text, SMALL)).fold(0.0, f64::max);
        widest + 10.0 + if name.is_empty() { 0.0 } else { LABEL + 8.0 }
    }

    /// The room that numbers and name of the level axis take below it.
    pub fn low_room(name: &str) -> f64 {
        SMALL + 10.0 + if name.is_empty() { 0.0 } else { LABEL + 6.0 }
    }

    /// Axes in an area from which the room for numbers and names has been taken.
    pub fn within(outer: Area, x: Scale, y: Scale, names: (&str, &str)) -> Self {
        let area = Area {
            left: outer.left + Panel::left_room(&y, names.1),
            bottom: outer.bottom - Panel::low_room(names.0),
            ..outer
        };
        Panel { area, x, y }
    }

    /// The same, with room on the right for the half of the last number that stands beyond.
    pub fn well_within(outer: Area, x: Scale, y: Scale, names: (&str, &str)) -> Self {
        let axes = |right: f64| Panel::within(Area { right, ..outer }, x.clone(), y.clone(), names);
        let beyond = |panel: &Panel| {
            let ends = panel
                .x
                .ticks()
                .iter()
                .map(|tick| panel.across(tick.value) + width(&tick.text, SMALL) / 2.0);
            ends.fold(outer.right, f64::max) - outer.right
        };
        axes(outer.right - beyond(&axes(outer.right)))
    }

    /// A level axis alone, for rows of any kind above it.
    pub fn of_rows(area: Area, x: Scale) -> Self {
        Panel { area, x, y: Scale::linear_exactly(0.0, 1.0) }
    }

    /// Where a point of the data stands on the paper.
    pub fn at(&self, x: f64, y: f64) -> Place {
        (self.across(x), self.up(y))
    }

    /// Where a number of the level axis stands.
    pub fn across(&self, x: f64) -> f64 {
        self.area.left + self.x.share(x) * self.area.width()
    }

    /// Where a number of the upright axis stands.
    pub fn up(&self, y: f64) -> f64 {
        self.area.bottom - self.y.share(y) * self.area.height()
    }

    /// Draws axes, numbers, names and a light grid.
    pub fn draw(&self, canvas: &mut Canvas, names: (&str, &str)) {
        let Area { left, top, right, bottom } = self.area;
        canvas.axes(names);
        let ticks = self.y.ticks_up(self.area.height(), SMALL);
        let places: Vec<f64> = ticks.iter().map(|tick| self.up(tick.value)).collect();
        // What looks alike is drawn together: files are smaller so.
        for &y in &places {
            canvas.line(&[(left, y), (right, y)], GRID, 0.8, SOLID);
        }
        for &y in &places {
            canvas.line(&[(left - 4.0, y), (left, y)], FAINT, 0.8, SOLID);
        }
        for (y, tick) in places.iter().zip(&ticks) {
            canvas.text((left - 7.0, *y), &tick.text, SMALL, Anchor::End, INK);
        }
        self.draw_level_axis(canvas);
        canvas.line(&[(left, top), (left, bottom)], FAINT, 1.0, SOLID);
        let room = Panel::left_room(&self.y, names.1);
        let (name, size) = fitting(names.0, right - left + room);
        let half = width(name, size) / 2.0;
        // A long name stands as far to the left as it must.
        let middle = f64::midpoint(left, right).min(right - half).max(left - room + half);
        canvas.text((middle, bottom + 12.0 + SMALL + 6.0), name, size, Anchor::Middle, INK);
        let beside = left - room + LABEL / 2.0 + 1.0;
        canvas.text((beside, (top + bottom) / 2.0), names.1, LABEL, Anchor::Upward, INK);
    }

    /// Draws only the level axis with its numbers and grid.
    pub fn draw_level_axis(&self, canvas: &mut Canvas) {
        let Area { left, top, right, bottom } = self.area;
        let ticks = self.x.ticks_along(self.area.width(), SMALL);
        let places: Vec<f64> = ticks.iter().map(|tick| self.across(tick.value)).collect();
        for &x in &places {
            canvas.line(&[(x, top), (x, bottom)], GRID, 0.8, SOLID);
        }
        for &x in &places {
            canvas.line(&[(x, bottom), (x, bottom + 4.0)], FAINT, 0.8, SOLID);
        }
        for (x, tick) in places.iter().zip(&ticks) {
            canvas.text((*x, bottom + 12.0), &tick.text, SMALL, Anchor::Middle, INK);
        }
        canvas.line(&[(left, bottom), (right, bottom)], FAINT, 1.0, SOLID);
    }

    /// Draws an upright line through the whole panel.
    pub fn upright(&self, canvas: &mut Canvas, x: f64, colour: Colour, thickness: f64, dash: Dash) {
        let x = self.across(x);
        canvas.line(&[(x, self.area.top), (x, self.area.bottom)], colour, thickness, dash);
    }

    /// Draws a level line through the whole panel, where something is as it should be.
    pub fn level(&self, canvas: &mut Canvas, y: f64) {
        let y = self.up(y);
        canvas.line(&[(self.area.left, y), (self.area.right, y)], INK, 1.2, SOLID);
    }
}
