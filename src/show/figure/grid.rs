//! Many small panels of one kind, side by side.

use super::canvas::{Anchor, Area, Canvas, Place};
use super::font::{LABEL, SMALL, wrapped};
use super::key::{Entry, draw_key, key_height};
use super::sheet::{Sheet, Width, Words};
use super::style::{Colour, INK};

/// The most panels in a row.
const COLUMNS: usize = 3;
/// Free paper between panels.
const GAP: f64 = 18.0;
/// The height of a line above a panel.
const HEADING_LINE: f64 = 15.0;

/// What stands above a panel.
pub(super) struct Heading {
    pub title: String,
    /// What is said in passing; lines in ink are as large as the title.
    pub lines: Vec<(String, Colour)>,
}

impl Heading {
    /// A title alone.
    pub fn plain(title: &str) -> Self {
        Heading { title: title.to_owned(), lines: Vec::new() }
    }
}

/// Panels, and what stands above each.
pub(super) struct Grid {
    panels: Vec<(f64, Heading)>,
    /// The most panels in a row of a page, and in one of a column.
    columns: (usize, usize),
}

/// The places of panels on paper of some width.
struct Places {
    room: f64,
    columns: usize,
    /// The height of the panels of each row.
    panel_heights: Vec<f64>,
    /// The lines above each panel; the first is its heading.
    headings: Vec<Vec<(String, Colour)>>,
}

impl Grid {
    /// A grid with a heading for each panel; lines too long for it are broken.
    pub fn new(panel_height: f64, headings: impl Iterator<Item = Heading>) -> Self {
        let panels = headings.map(|heading| (panel_height, heading)).collect();
        Grid { panels, columns: (COLUMNS, 2) }
    }

    /// The same with panels of different heights; a row is as high as its highest.
    pub fn with_heights(panels: impl Iterator<Item = (f64, Heading)>) -> Self {
        Grid { panels: panels.collect(), columns: (COLUMNS, 1) }
    }

    fn places(&self, width: Width) -> Places {
        let most = if width.is_column() { self.columns.1 } else { self.columns.0 };
        let columns = self.panels.len().clamp(1, most);
        // Panels that are narrower are lower, too, unless they hold rows.
        let shrink = if width.is_column() && most > 1 { 0.8 } else { 1.0 };
        let highest =
            |row: &[(f64, Heading)]| row.iter().map(|panel| panel.0).fold(0.0, f64::max) * shrink;
        let panel_heights = self.panels.chunks(columns).map(highest).collect();
        let mut places =
            Places { room: width.room(), columns, panel_heights, headings: Vec::new() };
        let room = places.column_width();
        let lines = |Heading { title, lines }: &Heading| {
            let broken = |text: &str, size: f64, colour: Colour| -> Vec<(String, Colour)> {
                wrapped(text, size, room).into_iter().map(|line| (line, colour)).collect()
            };
            let mut all = broken(title, LABEL, INK);
            all.extend(lines.iter().flat_map(|(text, colour)| broken(text, SMALL, *colour)));
            all
        };
        places.headings = self.panels.iter().map(|(_, heading)| lines(heading)).collect();
        places
    }

    /// A sheet with what stands above the panels, and the places of these, axes included.
    pub fn sheet(&self, words: Words) -> (Sheet, Vec<Area>) {
        let places = self.places(words.source.width);
        let mut sheet = Sheet::new(words, places.height());
        let areas = places.draw(&mut sheet.canvas, sheet.body);
        (sheet, areas)
    }

    /// The same with one key for all panels, so far above them.
    pub fn sheet_with_key(&self, words: Words, key: &[Entry], apart: f64) -> (Sheet, Vec<Area>) {
        let places = self.places(words.source.width);
        let above = key_height(key, words.source.width.room()) + apart;
        let mut sheet = Sheet::new(words, above + places.height());
        draw_key(&mut sheet.canvas, sheet.body, key);
        let below = Area { top: sheet.body.top + above, ..sheet.body };
        let areas = places.draw(&mut sheet.canvas, below);
        (sheet, areas)
    }
}

impl Places {
    fn column_width(&self) -> f64 {
        let gaps = (self.columns - 1) as f64 * GAP;
        (self.room - gaps) / self.columns as f64
    }

    /// The height of the lines above the panels of each row.
    fn heading_heights(&self) -> Vec<f64> {
        let tallest = |row: &[Vec<(String, Colour)>]| row.iter().map(Vec::len).max().unwrap_or(0);
        let rows = self.headings.chunks(self.columns);
        rows.map(|row| tallest(row) as f64 * HEADING_LINE + 4.0).collect()
    }

    /// The height of the whole.
    fn height(&self) -> f64 {
        let rows = self.heading_heights().into_iter().zip(&self.panel_heights);
        rows.map(|(heading, panel)| heading + panel + GAP).sum::<f64>() - GAP
    }

    fn draw(&self, canvas: &mut Canvas, body: Area) -> Vec<Area> {
        let mut areas = Vec::new();
        let mut top = body.top;
        let heights = self.heading_heights().into_iter().zip(&self.panel_heights);
        for (row, (heading, panel_height)) in self.headings.chunks(self.columns).zip(heights) {
            for (column, lines) in row.iter().enumerate() {
                let left = body.left + column as f64 * (self.column_width() + GAP);
                for (number, (line, colour)) in lines.iter().enumerate() {
                    let place: Place = (left, top + (number as f64 + 0.5) * HEADING_LINE);
                    let size = if *colour == INK { LABEL } else { SMALL };
                    canvas.text(place, line, size, Anchor::Start, *colour);
                }
                areas.push(Area {
                    left,
                    top: top + heading,
                    right: left + self.column_width(),
                    bottom: top + heading + panel_height,
                });
            }
            top += heading + panel_height + GAP;
        }
        areas
    }
}
