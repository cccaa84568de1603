//! Many small panels of one kind, side by side.

use super::canvas::{Anchor, Area, Canvas, Place};
use super::font::{LABEL, SMALL, wrapped};
use super::key::{Entry, draw_key, key_height};
use super::sheet::{MARGIN, Sheet, WIDTH, Words};
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

/// The places of panels, and what stands above each.
pub(super) struct Grid {
    columns: usize,
    /// The height of the panels of each row.
    panel_heights: Vec<f64>,
    /// The lines above each panel; the first is its heading.
    headings: Vec<Vec<(String, Colour)>>,
}

impl Grid {
    /// A grid with a heading for each panel; lines too long for it are broken.
    pub fn new(panel_height: f64, headings: impl Iterator<Item = Heading>) -> Self {
        Grid::with_heights(headings.map(|heading| (panel_height, heading)))
    }

    /// The same with panels of different heights; a row is as high as its highest.
    pub fn with_heights(panels: impl Iterator<Item = (f64, Heading)>) -> Self {
        let (heights, headings): (Vec<f64>, Vec<Heading>) = panels.unzip();
        let columns = headings.len().clamp(1, COLUMNS);
        let highest = |row: &[f64]| row.iter().copied().fold(0.0, f64::max);
        let panel_heights = heights.chunks(columns).map(highest).collect();
        let mut grid = Grid { columns, panel_heights, headings: Vec::new() };
        let room = grid.column_width();
        let lines = |Heading { title, lines }: &Heading| {
            let broken = |text: &str, size: f64, colour: Colour| -> Vec<(String, Colour)> {
                wrapped(text, size, room).into_iter().map(|line| (line, colour)).collect()
            };
            let mut all = broken(title, LABEL, INK);
            all.extend(lines.iter().flat_map(|(text, colour)| broken(text, SMALL, *colour)));
            all
        };
        grid.headings = headings.iter().map(lines).collect();
        grid
    }

    fn column_width(&self) -> f64 {
        let gaps = (self.columns - 1) as f64 * GAP;
        (WIDTH - 2.0 * MARGIN - gaps) / self.columns as f64
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

    /// A sheet with what stands above the panels, and the places of these, axes included.
    pub fn sheet(&self, words: Words) -> (Sheet, Vec<Area>) {
        let mut sheet = Sheet::new(words, self.height());
        let areas = self.draw(&mut sheet.canvas, sheet.body);
        (sheet, areas)
    }

    /// The same with one key for all panels, so far above them.
    pub fn sheet_with_key(&self, words: Words, key: &[Entry], apart: f64) -> (Sheet, Vec<Area>) {
        let above = key_height(key) + apart;
        let mut sheet = Sheet::new(words, above + self.height());
        draw_key(&mut sheet.canvas, sheet.body, key);
        let below = Area { top: sheet.body.top + above, ..sheet.body };
        let areas = self.draw(&mut sheet.canvas, below);
        (sheet, areas)
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
