//! A sheet of paper: lines, areas, markers and text, kept until they are drawn as a file of some kind.
//!
//! Positions are in pixels from the upper left corner, as real numbers. Every kind of file takes the
//! same shapes, one after the other.

use super::data::{Data, Datum};
use super::style::{Colour, Dash, Marker, PAPER};
use crate::model::escape;

/// A place on the paper: right and down from the upper left corner.
pub(super) type Place = (f64, f64);

/// A rectangle on the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// Where a text stands with respect to its place; vertically it is centred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
    /// Centred, and read from below to above.
    Upward,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Line { points: Vec<Place>, colour: Colour, thickness: f64, dash: Dash },
    Fill { points: Vec<Place>, colour: Colour, opacity: f64 },
    Marker { at: Place, marker: Marker, radius: f64, colour: Colour, filled: bool },
    Text { place: Place, text: String, size: f64, anchor: Anchor, colour: Colour },
}

/// How far below the middle of a text its base line is, in its size.
pub(super) const BASE_LINE: f64 = 0.25;

/// The thickness of the rim of a hollow marker.
pub(super) const RIM: f64 = 1.3;

/// Whose a shape is, and what it stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tag {
    /// The number of the series.
    pub series: Option<usize>,
    /// Whether it only tells which series is which.
    pub is_label: bool,
    /// The number of the datum.
    pub datum: Option<usize>,
}

/// What shapes can be put on one by one: a kind of file.
pub(super) trait Paper {
    fn line(&mut self, points: &[Place], colour: Colour, thickness: f64, dash: Dash);
    fn fill(&mut self, points: &[Place], colour: Colour, opacity: f64);
    fn disc(&mut self, centre: Place, radius: f64, colour: Colour);
    fn text(&mut self, place: Place, text: &str, size: f64, anchor: Anchor, colour: Colour);

    /// A marker; a hollow one shows the paper.
    fn marker(&mut self, at: Place, marker: Marker, radius: f64, colour: Colour, filled: bool) {
        let mut layer = |radius: f64, colour: Colour| match marker {
            Marker::Circle => self.disc(at, radius, colour),
            _ => self.fill(&marker.around(at, radius), colour, 1.0),
        };
        layer(radius, colour);
        if !filled {
            // Pointed shapes need a little more for a rim of the same thickness.
            let rim = if marker == Marker::Circle { RIM } else { RIM * 1.25 };
            layer(radius - rim, PAPER);
        }
    }

    /// Whose the next shape is; most kinds of files have no word for it.
    fn next_is(&mut self, _tag: Tag) {}
}

/// A number as short as a file needs it: hundredths, without zeros at the end.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A place or a length as short as a file needs it: tenths of a pixel, without zeros at the ends.
pub(super) fn tenth(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    match text.strip_prefix('-') {
        Some("0") => "0".to_owned(),
        Some(rest) => format!("-{}", rest.strip_prefix('0').unwrap_or(rest)),
        None if text.len() > 1 => text.strip_prefix('0').unwrap_or(text).to_owned(),
        None => text.to_owned(),
    }
}

/// The paper.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Canvas {
    width: f64,
    height: f64,
    shapes: Vec<(Shape, Tag)>,
    /// The tag of what is drawn next.
    tag: Tag,
    /// What the shapes stand for.
    data: Data,
    /// How many shapes are words around the figure, and from where to where it reaches itself.
    around: Option<(usize, f64, f64)>,
}

impl Canvas {
    /// Empty paper.
    pub fn new(width: f64, height: f64) -> Self {
        Canvas {
            width,
            height,
            shapes: Vec::new(),
            tag: Tag::default(),
            data: Data::default(),
            around: None,
        }
    }

    /// What follows belongs to this series, up to [`neutral`](Self::neutral).
    pub fn series(&mut self, name: &str) {
        self.tag = Tag { series: Some(self.data.series(name)), ..Tag::default() };
    }

    /// What follows tells which series this is.
    pub fn label(&mut self, name: &str) {
        self.series(name);
        self.tag.is_label = true;
    }

    /// What follows belongs to no series.
    pub fn neutral(&mut self) {
        self.tag = Tag::default();
    }

    /// What x and y of the data that follow are.
    pub fn axes(&mut self, names: (&str, &str)) {
        self.data.axes(names);
    }

    /// The next shape stands for this.
    pub fn stands_for(&mut self, datum: Datum) {
        self.tag.datum = Some(self.data.push(datum, self.tag.series));
    }

    /// What the shapes stand for.
    pub fn data(&self) -> &Data {
        &self.data
    }

    fn push(&mut self, shape: Shape) {
        self.shapes.push((shape, self.tag));
        self.tag.datum = None;
    }

    /// Lines through points, as one.
    pub fn line(&mut self, points: &[Place], colour: Colour, thickness: f64, dash: Dash) {
        if points.len() < 2 {
            return;
        }
        self.push(Shape::Line { points: points.to_vec(), colour, thickness, dash });
    }

    /// The same, as far as it lies within an area.
    pub fn line_within(
        &mut self,
        area: Area,
        points: &[Place],
        colour: Colour,
        thickness: f64,
        dash: Dash,
    ) {
        for piece in clipped(points, area) {
            self.line(&piece, colour, thickness, dash);
        }
    }

    /// A filled polygon.
    pub fn fill(&mut self, points: &[Place], colour: Colour, opacity: f64) {
        if points.len() >= 3 {
            self.push(Shape::Fill { points: points.to_vec(), colour, opacity });
        }
    }

    /// A filled rectangle.
    pub fn fill_area(&mut self, area: Area, colour: Colour, opacity: f64) {
        let Area { left, top, right, bottom } = area;
        self.fill(&[(left, top), (right, top), (right, bottom), (left, bottom)], colour, opacity);
    }

    /// The band between two lines over the same x.
    pub fn band(&mut self, low: &[Place], high: &[Place], colour: Colour, opacity: f64) {
        let around: Vec<Place> = low.iter().chain(high.iter().rev()).copied().collect();
        self.fill(&around, colour, opacity);
    }

    /// A marker; a hollow one shows the paper.
    pub fn marker(&mut self, at: Place, marker: Marker, radius: f64, colour: Colour, filled: bool) {
        self.push(Shape::Marker { at, marker, radius, colour, filled });
    }

    /// A text, without what no file of text can hold.
    pub fn text(&mut self, place: Place, text: &str, size: f64, anchor: Anchor, colour: Colour) {
        if !text.is_empty() {
            let text = escape::terminal(text);
            self.push(Shape::Text { place, text, size, anchor, colour });
        }
    }

    /// All that is there so far are words around the figure, which reaches from `top` to `bottom`.
    pub fn end_of_words(&mut self, top: f64, bottom: f64) {
        self.around = Some((self.shapes.len(), top, bottom));
    }

    /// The figure without the words around it, for a place that has a caption of its own.
    pub fn bare(&self) -> Self {
        const MARGIN: f64 = 6.0;
        let Some((words, top, bottom)) = self.around else { return self.clone() };
        let up = top - MARGIN;
        let mut shapes = self.shapes[words..].to_vec();
        for (shape, _) in &mut shapes {
            match shape {
                Shape::Line { points, .. } | Shape::Fill { points, .. } => {
                    points.iter_mut().for_each(|point| point.1 -= up);
                }
                Shape::Marker { at: place, .. } | Shape::Text { place, .. } => place.1 -= up,
            }
        }
        let height = (bottom + MARGIN - up).ceil();
        Canvas { height, shapes, around: None, ..self.clone() }
    }

    /// Puts all of it on paper of another kind, shape by shape.
    pub fn put_on(&self, paper: &mut impl Paper) {
        for (shape, tag) in &self.shapes {
            paper.next_is(*tag);
            match shape {
                Shape::Line { points, colour, thickness, dash } => {
                    paper.line(points, *colour, *thickness, dash);
                }
                Shape::Fill { points, colour, opacity } => paper.fill(points, *colour, *opacity),
                Shape::Marker { at, marker, radius, colour, filled } => {
                    paper.marker(*at, *marker, *radius, *colour, *filled);
                }
                Shape::Text { place, text, size, anchor, colour } => {
                    paper.text(*place, text, *size, *anchor, *colour);
                }
            }
        }
    }

    /// Width and height in whole pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width.round() as u32, self.height.round() as u32)
    }
}

/// The pieces of a line that lie within an area (Liang and Barsky 1984, segment by segment).
fn clipped(points: &[Place], area: Area) -> Vec<Vec<Place>> {
    let mut pieces: Vec<Vec<Place>> = Vec::new();
    let mut open = false;
    for pair in points.windows(2) {
        let Some((from, to, leaves)) = clip(pair[0], pair[1], area) else {
            open = false;
            continue;
        };
        match pieces.last_mut().filter(|_| open) {
            Some(piece) => piece.push(to),
            None => pieces.push(vec![from, to]),
        }
        open = !leaves;
    }
    pieces
}

/// Whether a segment has a part within an area.
pub(super) fn is_through(from: Place, to: Place, area: Area) -> bool {
    clip(from, to, area).is_some()
}

/// The part of a segment within an area, and whether it ends at the border.
fn clip(from: Place, to: Place, area: Area) -> Option<(Place, Place, bool)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    let sides = [
        (-dx, from.0 - area.left),
        (dx, area.right - from.0),
        (-dy, from.1 - area.top),
        (dy, area.bottom - from.1),
    ];
    for (step, room) in sides {
        if step == 0.0 && room < 0.0 {
            return None;
        }
        if step < 0.0 {
            enter = enter.max(room / step);
        } else if step > 0.0 {
            leave = leave.min(room / step);
        }
    }
    if enter > leave {
        return None;
    }
    let at = |share: f64| (from.0 + share * dx, from.1 + share * dy);
    Some((at(enter), at(leave), leave < 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_border() {
        let area = Area { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };
        let through = [(-5.0, 5.0), (5.0, 5.0), (5.0, 20.0), (8.0, 20.0), (8.0, 5.0)];
        let pieces = clipped(&through, area);
        assert_eq!(pieces[0], [(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)]);
        assert_eq!(pieces[1], [(8.0, 10.0), (8.0, 5.0)]);
        assert!(clipped(&[(-1.0, -1.0), (-1.0, 20.0)], area).is_empty());
    }
}
