//! What drawing gives: a figure, or why there is none.

use plotters::prelude::DrawingBackend;

use super::backend::draw_on;
use super::canvas::Canvas;
use super::pdf::pdf;
#[cfg(feature = "png")]
use super::picture::png;
use super::svg::svg;
use super::tex::tex;
use crate::experiment::error::{Error, Result};

/// One figure.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// Its name, and that of its files.
    pub name: &'static str,
    /// What is seen.
    pub title: String,
    /// What stands below the title: how it is drawn, of which setting, and what is left out.
    pub notes: String,
    /// How to read it, in a sentence or two.
    pub caption: String,
    /// The drawing.
    pub(super) canvas: Canvas,
}

impl Figure {
    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        svg(&self.canvas)
    }

    /// The numbers behind the drawing as CSV: one row for each mark.
    pub fn csv(&self) -> String {
        self.canvas.data().csv()
    }

    /// Draws it as large as it fits on a backend of plotters: a window, a canvas, a file of another kind.
    pub fn draw_on<B: DrawingBackend>(&self, backend: B) -> Result<()> {
        draw_on(&self.canvas, backend)
    }

    /// The drawing as PNG, at twice the size.
    #[cfg(feature = "png")]
    pub fn png(&self) -> Result<Vec<u8>> {
        png(&self.canvas)
    }

    /// The drawing as PDF, with its letters as text and their font inside.
    pub fn pdf(&self) -> Vec<u8> {
        pdf(&self.canvas, &self.title)
    }

    /// The drawing for LaTeX: a picture of TikZ in the letters of the document, without the words
    /// around it, which are at the top of the file as comments for a caption.
    pub fn tex(&self) -> String {
        tex(&self.canvas.bare(), &[&self.title, &self.notes, &self.caption])
    }

    /// The same figure without the words around it: no title, notes and source.
    pub fn bare(&self) -> Self {
        Figure { canvas: self.canvas.bare(), ..self.clone() }
    }
}

/// What came of drawing.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Drawn {
    /// The figures.
    pub figures: Vec<Figure>,
    /// Those that the data does not allow, and why.
    pub skipped: Vec<(&'static str, String)>,
}

/// Why there is no figure.
#[derive(Debug)]
pub(super) enum NoFigure {
    /// The data does not allow it.
    Skipped(String),
    /// The results cannot be read, or the figure cannot be written.
    Failed(Error),
}

impl From<&str> for NoFigure {
    fn from(why: &str) -> Self {
        NoFigure::Skipped(why.to_owned())
    }
}

impl From<String> for NoFigure {
    fn from(why: String) -> Self {
        NoFigure::Skipped(why)
    }
}

impl From<Error> for NoFigure {
    fn from(error: Error) -> Self {
        NoFigure::Failed(error)
    }
}

/// A figure, or a part of one, unless there is none: every step of drawing ends so.
pub(super) type Drawing<T = Figure> = std::result::Result<T, NoFigure>;
