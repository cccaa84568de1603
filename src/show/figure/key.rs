//! A key above panels: samples, and what they mean.

use super::canvas::{Anchor, Area, Canvas, Place};
use super::font::SMALL;
use super::font::width;
use super::style::{Colour, Dash, INK, Look, MARKER};

/// Draws a sample around a place.
type Sample = dyn Fn(&mut Canvas, Place);

/// One entry of a key: its sample, and what that means.
pub(super) struct Entry {
    text: String,
    sample: Box<Sample>,
    /// Whether it is about a series.
    of_series: bool,
}

/// The width of a sample.
const SAMPLE: f64 = 26.0;
/// The height of a line of the key.
const KEY_LINE: f64 = 16.0;

impl Entry {
    fn new(text: &str, sample: impl Fn(&mut Canvas, Place) + 'static) -> Self {
        Entry { text: text.to_owned(), sample: Box::new(sample), of_series: false }
    }

    /// A line.
    pub fn line(text: &str, colour: Colour, dash: Dash) -> Self {
        Entry::new(text, move |canvas, (x, y)| {
            canvas.line(&[(x - 12.0, y), (x + 12.0, y)], colour, 1.6, dash);
        })
    }

    /// An area of so many pixels on either side, such as a bar or a band.
    pub fn area(text: &str, half: f64, colour: Colour, opacity: f64) -> Self {
        Entry::new(text, move |canvas, (x, y)| {
            let area = Area { left: x - half, top: y - 5.0, right: x + half, bottom: y + 5.0 };
            canvas.fill_area(area, colour, opacity);
        })
    }

    /// The marker of a series of that name.
    pub fn marker(text: &str, look: Look) -> Self {
        let entry = Entry::new(text, move |canvas, place| {
            canvas.marker(place, look.marker, MARKER, look.colour, true);
        });
        Entry { of_series: true, ..entry }
    }

    /// A line with a marker, of a series of that name.
    pub fn series(text: &str, look: Look) -> Self {
        let entry = Entry::new(text, move |canvas, (x, y)| {
            canvas.line(&[(x - 13.0, y), (x + 13.0, y)], look.colour, 1.6, look.dash);
            canvas.marker((x, y), look.marker, MARKER, look.colour, true);
        });
        Entry { of_series: true, ..entry }
    }
}

/// The lines of a key, broken where the paper ends: for each its entries with their places.
fn key_lines(entries: &[Entry], room: f64) -> Vec<Vec<(f64, &Entry)>> {
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

/// The height of a key on paper of this width.
pub(super) fn key_height(entries: &[Entry], room: f64) -> f64 {
    key_lines(entries, room).len() as f64 * KEY_LINE + 6.0
}

/// Draws a key in the upper left corner of an area.
pub(super) fn draw_key(canvas: &mut Canvas, area: Area, entries: &[Entry]) {
    for (number, line) in key_lines(entries, area.width()).iter().enumerate() {
        let y = area.top + (number as f64 + 0.5) * KEY_LINE;
        for (x, entry) in line {
            let left = area.left + x;
            if entry.of_series {
                canvas.label(&entry.text);
            }
            (entry.sample)(canvas, (left + SAMPLE / 2.0, y));
            canvas.text((left + SAMPLE + 6.0, y), &entry.text, SMALL, Anchor::Start, INK);
            canvas.neutral();
        }
    }
}
