//! Labels to the right of a panel, each beside what it names.

use super::canvas::{Anchor, Area, Canvas, Place, is_through};
use super::font::LABEL;
use super::font::width;
use super::panel::Panel;
use super::scale::Scale;
use super::sheet::{LINE, MARGIN, Sheet, Width, Words};
use super::style::{Colour, Dash, INK, Look, MARKER, SOLID};

/// A label beside a panel: what it names, and where that ends.
pub(super) struct Label {
    pub text: String,
    pub end: Place,
    pub colour: Colour,
    pub dash: Dash,
    /// The marker of a series, and whether it is filled; curves of theory have none.
    pub marker: Option<(Look, bool)>,
}

impl Label {
    /// The label of a series that ends here.
    pub fn of_series(text: &str, look: Look, end: Place, filled: bool) -> Self {
        let Look { colour, dash, .. } = look;
        Label { text: text.to_owned(), end, colour, dash, marker: Some((look, filled)) }
    }
}

/// The room between a panel and the text of its labels: a leading line and a sample.
const SAMPLE: f64 = 46.0;

/// A sheet with one panel, axes drawn, and room at its right for labels with these texts.
pub(super) fn sheet_with_labels(
    words: Words,
    texts: &[&str],
    (x, y): (Scale, Scale),
    names: (&str, &str),
) -> (Sheet, Panel) {
    const LEAST: f64 = 440.0;
    if words.source.width.is_column() {
        let above = key_lines(texts, words.source.width.room()).len() as f64 * LINE + 8.0;
        let mut sheet = Sheet::new(words, above + 300.0);
        let outer = Area { top: sheet.body.top + above, ..sheet.body };
        let panel = Panel::well_within(outer, x, y, names);
        panel.draw(&mut sheet.canvas, names);
        return (sheet, panel);
    }
    let height = f64::max(LEAST, texts.len() as f64 * LINE + Panel::low_room(names.0));
    let mut sheet = Sheet::new(words, height);
    let widest = texts.iter().map(|text| width(text, LABEL)).fold(0.0, f64::max);
    let outer = Area { right: sheet.body.right - (SAMPLE + widest + 2.0), ..sheet.body };
    let panel = Panel::within(outer, x, y, names);
    panel.draw(&mut sheet.canvas, names);
    (sheet, panel)
}

/// How near to the right end of a panel a line must end for its label to stand beside the panel.
const AT_THE_END: f64 = 0.9;

/// Draws the label of each line at its end. A line that ends at the right of the panel has it beside
/// the panel, as near as the others allow, with a line that leads there. One that ends within has it
/// there, where it covers none of the `ways` that lines take; where there is no such place it joins
/// those beside the panel, told by its sample alone: a leading line would run through the data.
///
/// In a column there is no room beside the panel: there all labels stand above it.
pub(super) fn draw_labels(canvas: &mut Canvas, area: Area, labels: &[Label], ways: &[Vec<Place>]) {
    if f64::from(canvas.size().0) == Width::Column.pixels() {
        return draw_above(canvas, area, labels);
    }
    let is_inside = |label: &Label| label.end.0 < area.left + AT_THE_END * area.width();
    let mut beside: Vec<(&Label, bool)> = Vec::new();
    let mut taken: Vec<Area> = Vec::new();
    let markers: Vec<Area> = ways.iter().flatten().map(|&place| around(place)).collect();
    for label in labels {
        if !is_inside(label) {
            beside.push((label, true));
            continue;
        }
        let free = |room: &Area| {
            let is_within = area.left <= room.left
                && room.right <= area.right
                && room.top >= area.top
                && room.bottom <= area.bottom;
            let crossed = ways.iter().any(|way| crosses(way, room));
            is_within && !crossed && !taken.iter().chain(&markers).any(|other| overlap(room, other))
        };
        match inside_places(label).into_iter().find(free) {
            Some(room) => {
                let place = (room.left + 2.0, (room.top + room.bottom) / 2.0);
                canvas.label(&label.text);
                canvas.text(place, &label.text, LABEL, Anchor::Start, INK);
                taken.push(room);
            }
            None => beside.push((label, false)),
        }
    }
    let list: Vec<&Label> = beside.iter().map(|(label, _)| *label).collect();
    for ((label, leads), y) in beside.iter().zip(label_places(area, &list)) {
        canvas.label(&label.text);
        if *leads {
            let lead = [label.end, (area.right + 4.0, label.end.1), (area.right + 16.0, y)];
            canvas.line(&lead, label.colour, 0.5, SOLID);
        }
        draw_label(canvas, area, label, y);
    }
    canvas.neutral();
}

/// Where the text of a label could stand near the end of its line.
fn inside_places(label: &Label) -> Vec<Area> {
    let (wide, (x, y)) = (width(&label.text, LABEL) + 4.0, label.end);
    let high = LABEL * 1.1;
    let starts = [
        (x + 7.0, y),
        (x + 5.0, y + 13.0),
        (x + 5.0, y - 13.0),
        (x - wide / 2.0, y + 16.0),
        (x - wide / 2.0, y - 16.0),
        (x - wide - 5.0, y - 13.0),
        (x - wide - 5.0, y + 13.0),
    ];
    let room = |(left, middle): Place| Area {
        left,
        top: middle - high / 2.0,
        right: left + wide,
        bottom: middle + high / 2.0,
    };
    starts.into_iter().map(room).collect()
}

/// The room that a marker takes.
fn around((x, y): Place) -> Area {
    const HALF: f64 = MARKER + 1.0;
    Area { left: x - HALF, top: y - HALF, right: x + HALF, bottom: y + HALF }
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/// Whether a way leads through a room.
fn crosses(way: &[Place], room: &Area) -> bool {
    way.windows(2).any(|pair| is_through(pair[0], pair[1], *room))
}

fn label_places(area: Area, labels: &[&Label]) -> Vec<f64> {
    let wanted: Vec<f64> = labels.iter().map(|label| label.end.1).collect();
    spread(&wanted, LINE, area.top + LINE / 2.0, area.bottom - LINE / 2.0)
}

/// The lines of labels above a panel: for each its labels by number, with their places.
pub(super) fn key_lines(texts: &[&str], room: f64) -> Vec<Vec<(f64, usize)>> {
    let mut lines: Vec<Vec<(f64, usize)>> = vec![Vec::new()];
    let mut x = 0.0;
    for (number, text) in texts.iter().enumerate() {
        let wide = SAMPLE - 16.0 + width(text, LABEL);
        if x > 0.0 && x + wide > room {
            lines.push(Vec::new());
            x = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, number));
        }
        x += wide + 12.0;
    }
    lines
}

/// Draws labels in lines above a panel.
fn draw_above(canvas: &mut Canvas, area: Area, labels: &[Label]) {
    let texts: Vec<&str> = labels.iter().map(|label| label.text.as_str()).collect();
    let lines = key_lines(&texts, Width::Column.room());
    for (number, line) in lines.iter().rev().enumerate() {
        let y = area.top - 8.0 - (number as f64 + 0.5) * LINE;
        for &(x, label) in line {
            canvas.label(&labels[label].text);
            draw_sample(canvas, MARGIN + x, &labels[label], y);
        }
    }
    canvas.neutral();
}

fn draw_label(canvas: &mut Canvas, area: Area, label: &Label, y: f64) {
    draw_sample(canvas, area.right + 18.0, label, y);
}

/// Draws the sample of a label from an x on, and its text.
fn draw_sample(canvas: &mut Canvas, sample: f64, label: &Label, y: f64) {
    canvas.line(&[(sample, y), (sample + 24.0, y)], label.colour, 1.6, label.dash);
    if let Some((look, filled)) = label.marker {
        canvas.marker((sample + 12.0, y), look.marker, MARKER, look.colour, filled);
    }
    canvas.text((sample + SAMPLE - 18.0, y), &label.text, LABEL, Anchor::Start, INK);
}

/// Places at least `apart` from each other between `low` and `high`, as near to the wanted ones as
/// can be in the sense of least squares; all in their wanted order.
///
/// With the gaps taken out the places must not fall, so this is a monotone regression (pool
/// adjacent violators: Ayer et al. 1955).
fn spread(wanted: &[f64], apart: f64, low: f64, high: f64) -> Vec<f64> {
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
}
