//! What the figures have in common: the sheet with title and source, axes, and labels at the side.

use super::canvas::{Anchor, Area, Canvas, Place};
use super::font::width;
use super::scale::Scale;
use super::style::{Colour, Dash, FAINT, GRID, INK, Look, SOLID};

/// The width of a figure.
pub(super) const WIDTH: f64 = 840.0;
/// Free paper around everything.
pub(super) const MARGIN: f64 = 14.0;

/// Sizes of letters: of titles, of labels and numbers, of what is said in passing.
pub(super) const TITLE: f64 = 16.0;
pub(super) const LABEL: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;
pub(super) const TINY: f64 = 9.5;

/// The height of one line of labels.
pub(super) const LINE: f64 = 16.0;

/// A figure's paper with its title on top and its source at the bottom.
pub(super) struct Sheet {
    pub canvas: Canvas,
    /// What is left for the figure.
    pub body: Area,
}

impl Sheet {
    /// A sheet whose body has this height. Title and notes take as many lines as they need.
    pub fn new(title: &str, notes: &str, source: &str, body: f64) -> Self {
        const LEADING: f64 = 1.35;
        let room = WIDTH - 2.0 * MARGIN;
        let blocks = [(title, TITLE, INK), (notes, SMALL, FAINT)];
        let lines: Vec<(String, f64, Colour)> = blocks
            .into_iter()
            .flat_map(|(text, size, colour)| {
                wrapped(text, size, room).into_iter().map(move |line| (line, size, colour))
            })
            .collect();
        let head: f64 = lines.iter().map(|(_, size, _)| size * LEADING).sum();
        let foot = wrapped(source, TINY, room);
        let foot_height = foot.len() as f64 * TINY * LEADING;
        let height = (MARGIN + head + 8.0 + body + 8.0 + foot_height + MARGIN).ceil();
        let mut canvas = Canvas::new(WIDTH, height);
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
        let body = Area { left: MARGIN, top, right: WIDTH - MARGIN, bottom: top + body };
        Sheet { canvas, body }
    }
}

/// A text on lines no wider than `room`, broken between words.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A pair of axes and what they enclose.
pub(super) struct Panel {
    pub area: Area,
    pub x: Scale,
    pub y: Scale,
}

impl Panel {
    /// The room that numbers and name of the upright axis take to the left of it.
    pub fn left_room(y: &Scale, name: &str) -> f64 {
        let widest = y.ticks().iter().map(|tick| width(&tick.text, SMALL)).fold(0.0, f64::max);
        widest + 10.0 + if name.is_empty() { 0.0 } else { LABEL + 8.0 }
    }

    /// The room that numbers and name of the level axis take below it.
    pub fn low_room(name: &str) -> f64 {
        SMALL + 10.0 + if name.is_empty() { 0.0 } else { LABEL + 6.0 }
    }

    /// Axes in an area from which the room for numbers and names has been taken.
    pub fn within(outer: Area, x: Scale, y: Scale, names: (&str, &str)) -> Self {
        let area = Area {
            left: outer.left + Panel::left_room(&y, names.1),
            bottom: outer.bottom - Panel::low_room(names.0),
            ..outer
        };
        Panel { area, x, y }
    }

    /// Where a point of the data stands on the paper.
    pub fn at(&self, x: f64, y: f64) -> Place {
        (self.across(x), self.up(y))
    }

    /// Where a number of the level axis stands.
    pub fn across(&self, x: f64) -> f64 {
        self.area.left + self.x.share(x) * self.area.width()
    }

    /// Where a number of the upright axis stands.
    pub fn up(&self, y: f64) -> f64 {
        self.area.bottom - self.y.share(y) * self.area.height()
    }

    /// Draws axes, numbers, names and a light grid.
    pub fn draw(&self, canvas: &mut Canvas, names: (&str, &str)) {
        let Area { left, top, right, bottom } = self.area;
        for tick in self.y.ticks_up(self.area.height(), SMALL) {
            let y = self.up(tick.value);
            canvas.line(&[(left, y), (right, y)], GRID, 0.8, SOLID);
            canvas.line(&[(left - 4.0, y), (left, y)], FAINT, 0.8, SOLID);
            canvas.text((left - 7.0, y), &tick.text, SMALL, Anchor::End, INK);
        }
        self.draw_level(canvas);
        canvas.line(&[(left, top), (left, bottom)], FAINT, 1.0, SOLID);
        let middle = (left + right) / 2.0;
        canvas.text((middle, bottom + 12.0 + SMALL + 6.0), names.0, LABEL, Anchor::Middle, INK);
        let beside = left - Panel::left_room(&self.y, names.1) + LABEL / 2.0 + 1.0;
        canvas.text((beside, (top + bottom) / 2.0), names.1, LABEL, Anchor::Upward, INK);
    }

    /// Draws only the level axis with its numbers and grid, for rows of any kind.
    pub fn draw_level(&self, canvas: &mut Canvas) {
        let Area { left, top, right, bottom } = self.area;
        for tick in self.x_ticks() {
            let x = self.across(tick.value);
            canvas.line(&[(x, top), (x, bottom)], GRID, 0.8, SOLID);
            canvas.line(&[(x, bottom), (x, bottom + 4.0)], FAINT, 0.8, SOLID);
            canvas.text((x, bottom + 12.0), &tick.text, SMALL, Anchor::Middle, INK);
        }
        canvas.line(&[(left, bottom), (right, bottom)], FAINT, 1.0, SOLID);
    }

    fn x_ticks(&self) -> Vec<&super::scale::Tick> {
        self.x.ticks_along(self.area.width(), SMALL)
    }
}

/// A label beside a panel: what it names, and where that ends.
pub(super) struct Label {
    pub text: String,
    pub end: Place,
    pub colour: Colour,
    pub dash: Dash,
    /// The marker of a series, and whether it is filled; curves of theory have none.
    pub marker: Option<(Look, bool)>,
}

/// The room between a panel and the text of its labels: a leading line and a sample.
const SAMPLE: f64 = 46.0;

/// The width of a column of labels.
pub(super) fn label_room<'a>(texts: impl IntoIterator<Item = &'a str>) -> f64 {
    SAMPLE + texts.into_iter().map(|text| width(text, LABEL)).fold(0.0, f64::max) + 2.0
}

/// Draws labels to the right of a panel, each as near to the end of what it names as the others
/// allow, with a line that leads there.
pub(super) fn draw_labels(canvas: &mut Canvas, area: Area, labels: &[Label]) {
    for (label, y) in labels.iter().zip(label_places(area, labels)) {
        let lead = [label.end, (area.right + 4.0, label.end.1), (area.right + 16.0, y)];
        canvas.line(&lead, label.colour, 0.5, SOLID);
        draw_label(canvas, area, label, y);
    }
}

/// Draws labels to the right of a panel in the order in which what they name ends, but without
/// leading lines, for ends all over the panel.
pub(super) fn draw_key_column(canvas: &mut Canvas, area: Area, labels: &[Label]) {
    for (label, y) in labels.iter().zip(label_places(area, labels)) {
        draw_label(canvas, area, label, y);
    }
}

fn label_places(area: Area, labels: &[Label]) -> Vec<f64> {
    let wanted: Vec<f64> = labels.iter().map(|label| label.end.1).collect();
    spread(&wanted, LINE, area.top + LINE / 2.0, area.bottom - LINE / 2.0)
}

fn draw_label(canvas: &mut Canvas, area: Area, label: &Label, y: f64) {
    let sample = area.right + 18.0;
    canvas.line(&[(sample, y), (sample + 24.0, y)], label.colour, 1.6, label.dash);
    if let Some((look, filled)) = label.marker {
        canvas.marker((sample + 12.0, y), look.marker, 4.0, look.colour, filled);
    }
    canvas.text((area.right + SAMPLE, y), &label.text, LABEL, Anchor::Start, INK);
}

/// Places at least `apart` from each other between `low` and `high`, as near to the wanted ones as
/// can be in the sense of least squares; all in their wanted order.
///
/// With the gaps taken out the places must not fall, so this is a monotone regression (pool
/// adjacent violators: Ayer et al. 1955).
pub(super) fn spread(wanted: &[f64], apart: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, &index) in order.iter().enumerate() {
        pools.push((wanted[index] - rank as f64 * apart, 1));
        while let [.., (first, a), (second, b)] = pools[..]
            && second < first
        {
            let mean = (first * a as f64 + second * b as f64) / (a + b) as f64;
            pools.truncate(pools.len() - 2);
            pools.push((mean, a + b));
        }
    }
    let last = (high - (wanted.len().max(1) - 1) as f64 * apart).max(low);
    let level = pools.iter().flat_map(|&(value, size)| std::iter::repeat_n(value, size));
    let mut places = vec![0.0; wanted.len()];
    for ((rank, &index), value) in order.iter().enumerate().zip(level) {
        places[index] = value.clamp(low, last) + rank as f64 * apart;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_have_room_stay_and_others_make_way_evenly() {
        assert_eq!(spread(&[10.0, 50.0], 16.0, 0.0, 100.0), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 16.0, 0.0, 100.0), [42.0, 58.0]);
        assert_eq!(spread(&[2.0, 2.0, 2.0], 10.0, 0.0, 100.0), [0.0, 10.0, 20.0]);
        assert_eq!(spread(&[99.0, 98.0], 10.0, 0.0, 100.0), [100.0, 90.0]);
        assert!(spread(&[], 10.0, 0.0, 100.0).is_empty());
    }

    #[test]
    fn long_titles_are_broken() {
        let lines = wrapped("one two three four", LABEL, width("one two ", LABEL));
        assert_eq!(lines, ["one two", "three", "four"]);
        assert!(wrapped("", LABEL, 100.0).is_empty());
    }
}
