//! Messages against time: what an algorithm saves in one, it may pay in the other.

use super::canvas::Area;
use super::drawing::{Drawing, Figure};
use super::frame::{LINE, Label, Panel, Sheet, draw_key_column, label_room};
use super::plot::Plot;
use super::scale::{Scale, count, decimal, range};
use super::source::{Source, Subject};
use super::style::is_filled;

pub(super) const PLOT: Plot =
    Plot { name: "trade-off", line: "messages against time", about: Subject::Rings, draw };

const NAMES: (&str, &str) = ("time until the last message / n", "messages / n");

/// One cell: size, time and messages per node.
struct Spot {
    n: u64,
    time: f64,
    messages: f64,
    filled: bool,
}

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_rings() else {
        return Err("there is no cell on rings in random order".into());
    };
    let mut paths: Vec<(&str, Vec<Spot>)> = Vec::new();
    for group in selection.groups.iter().filter(|group| source.elects(group.algorithm)) {
        let mut spots = Vec::new();
        for cell in &group.cells {
            let n = cell.n() as f64;
            if let (Some(time), Some(mean)) = (cell.mean_end, cell.mean)
                && time > 0.0
                && mean > 0.0
            {
                let (time, messages) = (time / n, mean / n);
                spots.push(Spot { n: cell.n(), time, messages, filled: is_filled(&cell.engine) });
            }
        }
        if !spots.is_empty() {
            paths.push((group.algorithm, spots));
        }
    }
    let spots = || paths.iter().flat_map(|(_, spots)| spots);
    let times = range(spots().map(|spot| spot.time));
    let messages = range(spots().map(|spot| spot.messages));
    let (Some(times), Some(messages)) = (times, messages) else {
        let why = "no cell on random rings tells when its last message arrived";
        return Err(why.into());
    };

    let title = title(&paths, selection.common_size());
    let notes = format!(
        "Means on random rings, from the smallest n (small marker) to the largest (large); {}.",
        selection.notes()
    );
    let height = f64::max(440.0, paths.len() as f64 * LINE + Panel::low_room(NAMES.0));
    let mut sheet = Sheet::new(&title, &notes, &source.line_with_markers(), height);
    let canvas = &mut sheet.canvas;
    let room = label_room(paths.iter().map(|(name, _)| *name));
    let outer = Area { right: sheet.body.right - room, ..sheet.body };
    let (x, y) = (Scale::log(times.0, times.1), Scale::log(messages.0, messages.1));
    let panel = Panel::within(outer, x, y, NAMES);
    panel.draw(canvas, NAMES);
    let mut labels = Vec::new();
    for (algorithm, spots) in &paths {
        let look = source.look(algorithm);
        let places: Vec<_> = spots.iter().map(|spot| panel.at(spot.time, spot.messages)).collect();
        canvas.line(&places, look.colour, 1.4, look.dash);
        for (number, (place, spot)) in places.iter().zip(spots).enumerate() {
            let radius = if number + 1 == spots.len() { 6.0 } else { 3.2 };
            canvas.marker(*place, look.marker, radius, look.colour, spot.filled);
        }
        if let (Some(&end), Some(spot)) = (places.last(), spots.last()) {
            labels.push(Label {
                text: (*algorithm).to_owned(),
                end,
                colour: look.colour,
                dash: look.dash,
                marker: Some((look, spot.filled)),
            });
        }
    }
    draw_key_column(canvas, panel.area, &labels);
    let caption = "Mean messages per node against mean time until the last message, per node, on random \
                   rings; each path leads from the smallest to the largest n. Lower and further to the \
                   left is better in both."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

/// Who needs the fewest messages and who the least time at this size.
fn title(paths: &[(&str, Vec<Spot>)], n: u64) -> String {
    let there: Vec<(&str, &Spot)> = paths
        .iter()
        .filter_map(|(name, spots)| Some((*name, spots.iter().find(|spot| spot.n == n)?)))
        .collect();
    let least = |key: fn(&Spot) -> (f64, f64)| {
        there.iter().min_by(|a, b| {
            let ((a, b), (c, d)) = (key(a.1), key(b.1));
            a.total_cmp(&c).then(b.total_cmp(&d))
        })
    };
    let cost =
        |spot: &Spot| format!("{} n messages in time {} n", count(spot.messages), count(spot.time));
    let size = decimal(n as f64, 0);
    match (least(|spot| (spot.messages, spot.time)), least(|spot| (spot.time, spot.messages))) {
        (Some((few, _)), Some((fast, spot))) if few == fast => {
            format!("At n = {size}, {few} is cheapest in both: {}", cost(spot))
        }
        (Some((few, cheap)), Some((fast, quick))) => {
            format!("At n = {size}, {few} needs {}, {fast} {}", cost(cheap), cost(quick))
        }
        _ => "Messages and time".to_owned(),
    }
}
