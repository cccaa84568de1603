//! The way of an algorithm through messages and time, from its smallest networks to its largest.

use super::canvas::{Canvas, Place};
use super::data::Datum;
use super::panel::Panel;
use super::scale::{Scale, range};
use super::style::Look;
use crate::summarise::CellSummary;

/// One size on the way.
pub(super) struct Spot<'a> {
    pub cell: &'a CellSummary,
    pub time: f64,
    pub messages: f64,
    pub filled: bool,
}

/// The sizes of an algorithm, ascending; at least one.
pub(super) struct Path<'a> {
    pub algorithm: &'a str,
    pub spots: Vec<Spot<'a>>,
}

impl<'a> Path<'a> {
    /// The path over these spots, if there are any.
    pub fn over(algorithm: &'a str, spots: impl Iterator<Item = Spot<'a>>) -> Option<Self> {
        let spots: Vec<Spot> = spots.collect();
        (!spots.is_empty()).then_some(Path { algorithm, spots })
    }

    /// Draws the path, with a large marker at its end, and says where that is.
    pub fn draw(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        look: Look,
        radii: Radii,
    ) -> Option<(Place, bool)> {
        canvas.series(self.algorithm);
        let at = |spot: &Spot| panel.at(spot.time, spot.messages);
        let places: Vec<Place> = self.spots.iter().map(at).collect();
        canvas.line(&places, look.colour, 1.4, look.dash);
        for (number, (place, spot)) in places.iter().zip(&self.spots).enumerate() {
            let is_last = number + 1 == places.len();
            let radius = if is_last { radii.last } else { radii.others };
            canvas.stands_for(Datum::of(spot.cell, spot.time, spot.messages, None));
            canvas.marker(*place, look.marker, radius, look.colour, spot.filled);
        }
        canvas.neutral();
        places.last().copied().zip(self.spots.last().map(|spot| spot.filled))
    }
}

/// How large the markers of a path are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Radii {
    pub last: f64,
    pub others: f64,
}

/// Axes for time and messages that hold all these paths; `None` without any.
pub(super) fn scales<'p>(paths: impl Iterator<Item = &'p Path<'p>>) -> Option<(Scale, Scale)> {
    let spots: Vec<&Spot> = paths.flat_map(|path| &path.spots).collect();
    let times = range(spots.iter().map(|spot| spot.time))?;
    let messages = range(spots.iter().map(|spot| spot.messages))?;
    Some((Scale::log(times.0, times.1), Scale::log(messages.0, messages.1)))
}
