//! Many small panels of one kind, side by side.

use super::canvas::{Anchor, Area, Canvas, Place};
use super::font::width;
use super::frame::{LABEL, MARGIN, SMALL, WIDTH, wrapped};
use super::style::{Colour, INK};

/// The most panels in a row.
const COLUMNS: usize = 3;
/// Free paper between panels.
const GAP: f64 = 18.0;
/// The height of a line above a panel.
const HEADING_LINE: f64 = 15.0;

/// The places of panels, and what stands above each.
pub(super) struct Grid {
    columns: usize,
    /// The height of the panels of each row.
    panel_heights: Vec<f64>,
    /// The lines above each panel; the first is its heading.
    headings: Vec<Vec<(String, Colour)>>,
}

impl Grid {
    /// A grid with a heading and some lines for each panel; lines too long for it are broken.
    pub fn new(panel_height: f64, headings: &[(String, Vec<(String, Colour)>)]) -> Self {
        Grid::with_heights(&vec![panel_height; headings.len()], headings)
    }

    /// The same with panels of different heights; a row is as high as its highest.
    pub fn with_heights(heights: &[f64], headings: &[(String, Vec<(String, Colour)>)]) -> Self {
        let columns = headings.len().clamp(1, COLUMNS);
        let highest = |row: &[f64]| row.iter().copied().fold(0.0, f64::max);
        let panel_heights = heights.chunks(columns).map(highest).collect();
        let mut grid = Grid { columns, panel_heights, headings: Vec::new() };
        let room = grid.column_width();
        let lines = |(heading, lines): &(String, Vec<(String, Colour)>)| {
            let broken = |text: &str, size: f64, colour: Colour| -> Vec<(String, Colour)> {
                wrapped(text, size, room).into_iter().map(|line| (line, colour)).collect()
            };
            let mut all = broken(heading, LABEL, INK);
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
    pub fn height(&self) -> f64 {
        let rows = self.heading_heights().into_iter().zip(&self.panel_heights);
        rows.map(|(heading, panel)| heading + panel + GAP).sum::<f64>() - GAP
    }

    /// Draws what stands above the panels and gives their places, axes included.
    pub fn draw(&self, canvas: &mut Canvas, body: Area) -> Vec<Area> {
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

/// Draws a sample around a place.
type Sample = dyn Fn(&mut Canvas, Place);

/// One entry of a key: its sample, and what that means.
pub(super) struct Entry {
    pub text: String,
    pub sample: Box<Sample>,
}

/// The width of a sample.
const SAMPLE: f64 = 26.0;
/// The height of a line of the key.
const KEY_LINE: f64 = 16.0;

/// The lines of a key, broken where the paper ends: for each its entries with their places.
fn key_lines(entries: &[Entry]) -> Vec<Vec<(f64, &Entry)>> {
    let room = WIDTH - 2.0 * MARGIN;
    let mut lines: Vec<Vec<(f64, &Entry)>> = vec![Vec::new()];
    let mut x = 0.0;
    for entry in entries {
        let wide = SAMPLE + 6.0 + width(&entry.text, SMALL) + 20.0;
        if x + wide > room + 20.0 && x > 0.0 {
            lines.push(Vec::new());
            x = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, entry));
        }
        x += wide;
    }
    lines
}

/// The height of a key.
pub(super) fn key_height(entries: &[Entry]) -> f64 {
    key_lines(entries).len() as f64 * KEY_LINE + 6.0
}

/// Draws a key with its upper left corner at a place.
pub(super) fn draw_key(canvas: &mut Canvas, corner: Place, entries: &[Entry]) {
    for (number, line) in key_lines(entries).iter().enumerate() {
        let y = corner.1 + (number as f64 + 0.5) * KEY_LINE;
        for (x, entry) in line {
            let left = corner.0 + x;
            (entry.sample)(canvas, (left + SAMPLE / 2.0, y));
            canvas.text((left + SAMPLE + 6.0, y), &entry.text, SMALL, Anchor::Start, INK);
        }
    }
}
