//! Figures on any backend of plotters: pictures of our own, and whatever else people draw on with
//! plotters, be it a window or the canvas of a page.
//!
//! plotters draws on whole numbers, so whoever wants fine places needs large paper.

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{
    Circle, DrawingArea, DrawingBackend, FontTransform, IntoDrawingArea, IntoFont, PathElement,
    Polygon, RGBColor, ShapeStyle, Text, TextStyle,
};
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{Anchor, Canvas, Paper, Place};
use super::font::FAMILY;
use super::style::{Colour, Dash, PAPER};
use crate::experiment::error::{Error, Result};

/// Backends of plotters write a font size that is smaller by this factor.
pub(super) const SHRINKS: f64 = 1.24;

/// Draws what is on the paper as large as it fits on a backend.
pub(super) fn draw_on<B: DrawingBackend>(canvas: &Canvas, backend: B) -> Result<()> {
    let area = backend.into_drawing_area();
    let ((wide, high), (width, height)) = (area.dim_in_pixel(), canvas.size());
    let scale = (f64::from(wide) / f64::from(width)).min(f64::from(high) / f64::from(height));
    let mut backed = Backed { area: &area, scale, drawn: area.fill(&rgb(PAPER)) };
    canvas.put_on(&mut backed);
    let drawn = backed.drawn.and_then(|()| area.present());
    drawn.map_err(|error| Error::Figure(error.to_string().into()))
}

/// Paper that is a backend of plotters.
struct Backed<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    /// Units of plotters in a pixel.
    scale: f64,
    /// The first error, after which nothing is drawn any more.
    drawn: std::result::Result<(), DrawingAreaErrorKind<B::ErrorType>>,
}

impl<B: DrawingBackend> Backed<'_, B> {
    fn length(&self, length: f64) -> i32 {
        (length * self.scale).round() as i32
    }

    fn place(&self, (x, y): Place) -> (i32, i32) {
        (self.length(x), self.length(y))
    }

    fn places(&self, points: &[Place]) -> Vec<(i32, i32)> {
        points.iter().map(|&point| self.place(point)).collect()
    }
}

impl<B: DrawingBackend> Paper for Backed<'_, B> {
    fn line(&mut self, points: &[Place], colour: Colour, thickness: f64, dash: Dash) {
        let stroke_width = self.length(thickness).max(1) as u32;
        let style = ShapeStyle { color: rgb(colour).mix(1.0), filled: false, stroke_width };
        // plotters knows no dashes.
        for piece in dashed(points, dash) {
            if self.drawn.is_ok() {
                self.drawn = self.area.draw(&PathElement::new(self.places(&piece), style));
            }
        }
    }

    fn fill(&mut self, points: &[Place], colour: Colour, opacity: f64) {
        if self.drawn.is_ok() {
            let polygon = Polygon::new(self.places(points), rgb(colour).mix(opacity));
            self.drawn = self.area.draw(&polygon);
        }
    }

    fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        if self.drawn.is_ok() {
            let radius = self.length(radius) as u32;
            let circle = Circle::new(self.place(centre), radius, rgb(colour).filled());
            self.drawn = self.area.draw(&circle);
        }
    }

    fn text(&mut self, place: Place, text: &str, size: f64, anchor: Anchor, colour: Colour) {
        if self.drawn.is_ok() {
            let style = text_style(size * self.scale, anchor, colour);
            self.drawn = self.area.draw(&Text::new(text.to_owned(), self.place(place), style));
        }
    }
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
        font: (FAMILY, size * SHRINKS).into_font().transform(transform),
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
