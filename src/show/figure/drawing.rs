//! What drawing gives: a figure, or why there is none.

use super::canvas::Canvas;
#[cfg(feature = "png")]
use super::picture::png;
use super::svg::svg;
use crate::experiment::error::{Error, Result};

/// One figure.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// Its name, and that of its files.
    pub name: &'static str,
    /// What is seen.
    pub title: String,
    /// How to read it, in a sentence or two.
    pub caption: String,
    /// The drawing.
    pub(super) canvas: Canvas,
    /// The same for LaTeX, where the tables of the folder are enough to draw it: a pgfplots picture
    /// that reads them from the folder `\hustingsdata`.
    pub tex: Option<String>,
}

impl Figure {
    /// The drawing as SVG.
    pub fn svg(&self) -> Result<String> {
        svg(&self.canvas)
    }

    /// The drawing as PNG, at twice the size.
    #[cfg(feature = "png")]
    pub fn png(&self) -> Result<Vec<u8>> {
        png(&self.canvas)
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
