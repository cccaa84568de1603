//! A sheet of paper: lines, areas, markers and text, kept until they are drawn as a file of some kind.
//!
//! Positions are in pixels from the upper left corner, as real numbers. plotters draws on whole
//! numbers, so its paper is ten times as large as the figure and each kind of file scales it back.

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{
    Circle, DrawingArea, DrawingBackend, FontTransform, IntoDrawingArea, IntoFont, PathElement,
    Polygon, RGBColor, ShapeStyle, Text, TextStyle,
};
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::font::FAMILY;
use super::style::{Colour, Dash, Marker, PAPER};
use crate::experiment::error::{Error, Result};
use crate::model::escape;

/// Units of plotters in a pixel.
pub(super) const FINENESS: f64 = 10.0;

/// plotters writes a font size that is smaller by this factor.
pub(super) const SHRINKS: f64 = 1.24;

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
    Disc { centre: Place, radius: f64, colour: Colour },
    Text { place: Place, text: String, size: f64, anchor: Anchor, colour: Colour },
}

/// How far below the middle of a text its base line is, in its size: plotters asks viewers of an SVG
/// for half an "ex", which is half of the size unless they look at the font.
pub(super) const BASE_LINE: f64 = 0.25;

/// What shapes can be put on one by one: a kind of file that draws lines and letters itself.
pub(super) trait Paper {
    fn line(&mut self, points: &[Place], colour: Colour, thickness: f64, dash: Dash);
    fn fill(&mut self, points: &[Place], colour: Colour, opacity: f64);
    fn disc(&mut self, centre: Place, radius: f64, colour: Colour);
    fn text(&mut self, place: Place, text: &str, size: f64, anchor: Anchor, colour: Colour);
}

/// A number as short as a file needs it: hundredths, without zeros at the end.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The paper.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Canvas {
    width: f64,
    height: f64,
    shapes: Vec<Shape>,
    /// How many shapes are words around the figure, and from where to where it reaches itself.
    around: Option<(usize, f64, f64)>,
}

impl Canvas {
    /// Empty paper.
    pub fn new(width: f64, height: f64) -> Self {
        Canvas { width, height, shapes: Vec::new(), around: None }
    }

    /// Lines through points, as one.
    pub fn line(&mut self, points: &[Place], colour: Colour, thickness: f64, dash: Dash) {
        if points.len() < 2 {
            return;
        }
        self.shapes.push(Shape::Line { points: points.to_vec(), colour, thickness, dash });
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
            self.shapes.push(Shape::Fill { points: points.to_vec(), colour, opacity });
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
        const RIM: f64 = 1.3;
        let mut layer = |radius: f64, colour: Colour| match marker {
            Marker::Circle => self.shapes.push(Shape::Disc { centre: at, radius, colour }),
            _ => {
                let corners = marker.corners().into_iter();
                let points = corners.map(|(x, y)| (at.0 + radius * x, at.1 + radius * y)).collect();
                self.shapes.push(Shape::Fill { points, colour, opacity: 1.0 });
            }
        };
        layer(radius, colour);
        if !filled {
            // Pointed shapes need a little more for a rim of the same thickness.
            let rim = if marker == Marker::Circle { RIM } else { RIM * 1.25 };
            layer(radius - rim, PAPER);
        }
    }

    /// A text. plotters writes tags and quotes as XML needs them, but would let through what XML
    /// cannot hold.
    pub fn text(&mut self, place: Place, text: &str, size: f64, anchor: Anchor, colour: Colour) {
        if !text.is_empty() {
            let text = escape::terminal(text);
            self.shapes.push(Shape::Text { place, text, size, anchor, colour });
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
        for shape in &mut shapes {
            match shape {
                Shape::Line { points, .. } | Shape::Fill { points, .. } => {
                    points.iter_mut().for_each(|point| point.1 -= up);
                }
                Shape::Disc { centre: place, .. } | Shape::Text { place, .. } => place.1 -= up,
            }
        }
        let height = (bottom + MARGIN - up).ceil();
        Canvas { width: self.width, height, shapes, around: None }
    }

    /// Puts all of it on paper of another kind, shape by shape.
    pub fn put_on(&self, paper: &mut impl Paper) {
        for shape in &self.shapes {
            match shape {
                Shape::Line { points, colour, thickness, dash } => {
                    paper.line(points, *colour, *thickness, dash);
                }
                Shape::Fill { points, colour, opacity } => paper.fill(points, *colour, *opacity),
                Shape::Disc { centre, radius, colour } => paper.disc(*centre, *radius, *colour),
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

    /// Width and height in units of plotters.
    pub fn fine_size(&self) -> (u32, u32) {
        (fine(self.width) as u32, fine(self.height) as u32)
    }

    /// Draws all of it on a backend of this [fine size](Self::fine_size).
    pub fn draw_on<B: DrawingBackend>(&self, backend: B) -> Result<()> {
        let area = backend.into_drawing_area();
        let drawn = self.draw(&area).and_then(|()| area.present());
        drawn.map_err(|error| Error::Figure(error.to_string().into()))
    }

    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> std::result::Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        area.fill(&rgb(PAPER))?;
        for shape in &self.shapes {
            match shape {
                Shape::Line { points, colour, thickness, dash } => {
                    let style = ShapeStyle {
                        color: rgb(*colour).mix(1.0),
                        filled: false,
                        stroke_width: fine(*thickness) as u32,
                    };
                    // plotters knows no dashes.
                    let mut pieces = dashed(points, dash).into_iter();
                    pieces
                        .try_for_each(|piece| area.draw(&PathElement::new(all_fine(&piece), style)))
                }
                Shape::Fill { points, colour, opacity } => {
                    area.draw(&Polygon::new(all_fine(points), rgb(*colour).mix(*opacity)))
                }
                Shape::Disc { centre, radius, colour } => {
                    let radius = fine(*radius) as u32;
                    area.draw(&Circle::new(one_fine(*centre), radius, rgb(*colour).filled()))
                }
                Shape::Text { place, text, size, anchor, colour } => {
                    let style = text_style(*size, *anchor, *colour);
                    area.draw(&Text::new(text.as_str(), one_fine(*place), style))
                }
            }?;
        }
        Ok(())
    }
}

fn fine(length: f64) -> i32 {
    (length * FINENESS).round() as i32
}

fn one_fine((x, y): Place) -> (i32, i32) {
    (fine(x), fine(y))
}

fn all_fine(points: &[Place]) -> Vec<(i32, i32)> {
    points.iter().copied().map(one_fine).collect()
}

fn rgb(Colour(r, g, b): Colour) -> RGBColor {
    RGBColor(r, g, b)
}

fn text_style(size: f64, anchor: Anchor, colour: Colour) -> TextStyle<'static> {
    let horizontal = match anchor {
        Anchor::Start => HPos::Left,
        Anchor::End => HPos::Right,
        Anchor::Middle | Anchor::Upward => HPos::Center,
    };
    let transform = match anchor {
        Anchor::Upward => FontTransform::Rotate270,
        _ => FontTransform::None,
    };
    TextStyle {
        font: (FAMILY, size * FINENESS * SHRINKS).into_font().transform(transform),
        color: rgb(colour).to_backend_color(),
        pos: Pos::new(horizontal, VPos::Center),
    }
}

/// The pieces of a line that are inked.
fn dashed(points: &[Place], dash: Dash) -> Vec<Vec<Place>> {
    if dash.is_empty() {
        return vec![points.to_vec()];
    }
    let mut pieces = Vec::new();
    let mut piece = vec![points[0]];
    let (mut turn, mut left) = (0, dash[0]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let inked = turn % 2 == 0;
            if length <= left {
                left -= length;
                if inked {
                    piece.push(to);
                }
                break;
            }
            let share = left / length;
            from = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            if inked {
                piece.push(from);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![from];
            }
            turn += 1;
            left = dash[turn % dash.len()];
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
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
    fn dashes_cover_their_share_of_a_line_around_corners() {
        let corner = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)];
        let pieces = dashed(&corner, &[3.0, 2.0]);
        let length = |piece: &Vec<Place>| -> f64 {
            piece.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum()
        };
        assert_eq!(pieces.len(), 4);
        assert!((pieces.iter().map(length).sum::<f64>() - 12.0).abs() < 1e-9);
        assert_eq!(dashed(&corner, &[]), [corner.to_vec()]);
    }

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
