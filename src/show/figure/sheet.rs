//! The sheet of a figure: its title and notes above, its source below, and the body between them.

use super::canvas::{Anchor, Area, Canvas};
use super::drawing::{Drawing, Figure};
use super::font::{SMALL, TINY, TITLE, wrapped};
use super::style::{Colour, FAINT, INK};

/// How wide a figure is laid out. Letters have the same size in both, so they are larger in print where
/// the figure is narrower.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Width {
    /// For a screen, a slide, or both columns of a page.
    #[default]
    Page,
    /// For one column of a paper: at 3.4 inches no letter is smaller than 6 points.
    Column,
}

impl Width {
    pub(super) fn pixels(self) -> f64 {
        match self {
            Width::Page => 840.0,
            Width::Column => 380.0,
        }
    }

    /// What is left between the margins.
    pub(super) fn room(self) -> f64 {
        self.pixels() - 2.0 * MARGIN
    }

    pub(super) fn is_column(self) -> bool {
        self == Width::Column
    }
}

/// Free paper around everything.
pub(super) const MARGIN: f64 = 14.0;

/// The height of one line of labels.
pub(super) const LINE: f64 = 16.0;

/// What is written above and below a figure.
pub(super) struct Words {
    /// What is seen.
    pub title: String,
    /// How it is drawn, and what is left out.
    pub notes: String,
    /// Where the data comes from, and how wide the figure is.
    pub source: Origin,
}

/// Where the data of a figure comes from, and how wide it is laid out.
pub(super) struct Origin {
    pub line: String,
    pub width: Width,
}

/// A figure's paper.
pub(super) struct Sheet {
    pub canvas: Canvas,
    /// What is left for the figure.
    pub body: Area,
    title: String,
    notes: String,
}

impl Sheet {
    /// A sheet whose body has this height. Title and notes take as many lines as they need.
    pub fn new(words: Words, body: f64) -> Self {
        const LEADING: f64 = 1.35;
        let (width, room) = (words.source.width.pixels(), words.source.width.room());
        let blocks = [(&words.title, TITLE, INK), (&words.notes, SMALL, FAINT)];
        let lines: Vec<(String, f64, Colour)> = blocks
            .into_iter()
            .flat_map(|(text, size, colour)| {
                wrapped(text, size, room).into_iter().map(move |line| (line, size, colour))
            })
            .collect();
        let head: f64 = lines.iter().map(|(_, size, _)| size * LEADING).sum();
        let foot = wrapped(&words.source.line, TINY, room);
        let foot_height = foot.len() as f64 * TINY * LEADING;
        let height = (MARGIN + head + 8.0 + body + 8.0 + foot_height + MARGIN).ceil();
        let mut canvas = Canvas::new(width, height);
        let mut y = MARGIN;
        for (text, size, colour) in &lines {
            y += size * LEADING;
            canvas.text((MARGIN, y - size * LEADING / 2.0), text, *size, Anchor::Start, *colour);
        }
        let mut low = height - MARGIN - foot_height;
        for text in &foot {
            low += TINY * LEADING;
            let place = (MARGIN, low - TINY * LEADING / 2.0);
            canvas.text(place, text, TINY, Anchor::Start, FAINT);
        }
        let top = MARGIN + head + 8.0;
        canvas.end_of_words(top, top + body);
        let body = Area { left: MARGIN, top, right: width - MARGIN, bottom: top + body };
        Sheet { canvas, body, title: words.title, notes: words.notes }
    }

    /// The figure of all that was drawn.
    pub fn figure(self, name: &'static str, caption: impl Into<String>) -> Drawing {
        let Sheet { canvas, title, notes, .. } = self;
        Ok(Figure { name, title, notes, caption: caption.into(), canvas })
    }
}
