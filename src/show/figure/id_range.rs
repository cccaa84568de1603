//! What few messages cost in time: algorithms that wait by their IDs, over wider and wider ranges that
//! these are drawn from.

use super::canvas::{Area, Canvas, Place};
use super::curve::Guide;
use super::data::Datum;
use super::drawing::Drawing;
use super::font::LABEL;
use super::headline::names;
use super::labels::{Label, draw_labels, key_lines};
use super::panel::Panel;
use super::plot::{MESSAGES, Plot};
use super::scale::{Scale, count, decimal, range};
use super::sheet::{LINE, Sheet, Words};
use super::source::{Selection, Source, Subject};
use super::style::{Look, MARKER, THEORY, THEORY_DASHES, is_filled};
use crate::experiment::layout::Ids;
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "id-range",
    line: "messages against time where IDs are drawn from 0 to U-1",
    about: Subject::IdRanges,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Messages against time on random rings of one size whose IDs are drawn from 0 to U-1. \
                       Left: each path leads from the smallest U to the largest (large marker); few \
                       messages are paid for with time. Right: the time against U, with the theorems \
                       n (id_min + 1) and n 2^id_min, averaged over the smallest ID of such rings.";

/// Expectations beyond this are of rings that nobody has waited for.
const LONGEST: f64 = 1e15;

/// A theorem: its name, and the time in n by the smallest ID.
type Law = (&'static str, fn(u32) -> f64);

const LAWS: [Law; 2] =
    [("n (id_min + 1)", |id| f64::from(id) + 1.0), ("n 2^id_min", |id| f64::from(id).exp2())];

/// A range of IDs, and what an algorithm needed with it.
struct Spot<'a> {
    cell: &'a CellSummary,
    bound: f64,
    time: f64,
    messages: f64,
    filled: bool,
}

struct Path<'a> {
    algorithm: &'a str,
    spots: Vec<Spot<'a>>,
}

struct Shown<'a> {
    selection: Selection<'a>,
    n: u64,
    paths: Vec<Path<'a>>,
}

fn draw(source: &Source) -> Drawing {
    let Shown { selection, n, paths } = &select(source)?;
    let words = Words {
        title: title(paths, *n),
        notes: format!(
            "Means on random rings of {}, IDs drawn from 0 to U-1, both axes logarithmic; {}{}.",
            decimal(*n as f64, 0),
            selection.other_parts(),
            if selection.sizes().len() > 1 { "; other sizes: --n N" } else { "" }
        ),
        source: source.line_with_markers(),
    };
    if words.source.width.is_column() {
        return draw_column(source, words, *n, paths);
    }
    let mut sheet = Sheet::new(words, 380.0);
    let middle = sheet.body.left + sheet.body.width() * 0.47;
    let left = Area { right: middle, ..sheet.body };
    // The labels of the right panel stand beside it.
    let room =
        paths.iter().map(|path| super::font::width(path.algorithm, LABEL)).fold(90.0, f64::max);
    let right = Area { left: middle + 22.0, right: sheet.body.right - room - 50.0, ..sheet.body };
    let canvas = &mut sheet.canvas;
    draw_messages(canvas, left, source, paths)?;
    draw_times(canvas, right, source, *n, paths)?;
    sheet.figure(PLOT.name, CAPTION)
}

/// In a column one panel stands above the other, and the labels between them.
fn draw_column(source: &Source, words: Words, n: u64, paths: &[Path]) -> Drawing {
    const PANEL: f64 = 230.0;
    let names: Vec<&str> = LAWS.iter().map(|law| law.0).collect();
    let texts: Vec<&str> =
        names.into_iter().chain(paths.iter().map(|path| path.algorithm)).collect();
    let between = key_lines(&texts, words.source.width.room()).len() as f64 * LINE + 20.0;
    let mut sheet = Sheet::new(words, 2.0 * PANEL + between);
    let above = Area { bottom: sheet.body.top + PANEL, ..sheet.body };
    let below = Area { top: sheet.body.bottom - PANEL, ..sheet.body };
    draw_messages(&mut sheet.canvas, above, source, paths)?;
    draw_times(&mut sheet.canvas, below, source, n, paths)?;
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let selection = source.random_rings_of_any_ids("range:")?;
    let spot = |cell: &'a CellSummary| {
        let bound = bound(cell)?;
        let time = cell.mean_end.filter(|time| *time > 0.0)?;
        let messages = cell.mean.filter(|mean| *mean > 0.0)?;
        Some(Spot { cell, bound, time, messages, filled: is_filled(&cell.engine) })
    };
    // The size with the most cells, of such the largest.
    let having =
        |n: u64| selection.cells().filter(|cell| cell.n() == n && spot(cell).is_some()).count();
    let n = selection.sizes().into_iter().max_by_key(|&n| (having(n), n));
    let n =
        n.filter(|&n| having(n) > 0).ok_or("no cell with a range of IDs tells when it ended")?;
    let path = |algorithm, cells: &[&'a CellSummary]| {
        let mut spots: Vec<Spot> =
            cells.iter().filter(|cell| cell.n() == n).filter_map(|cell| spot(cell)).collect();
        spots.sort_by(|a, b| a.bound.total_cmp(&b.bound));
        Path { algorithm, spots }
    };
    let electing = selection.groups.iter().filter(|group| source.elects(group.algorithm));
    let paths = electing.map(|group| path(group.algorithm, &group.cells));
    let paths: Vec<Path> = paths.filter(|path| !path.spots.is_empty()).collect();
    Ok(Shown { selection, n, paths })
}

/// The bound of a cell's IDs.
fn bound(cell: &CellSummary) -> Option<f64> {
    match cell.key.ids.parse() {
        Ok(Ids::Range(bound)) => Some(bound.at(cell.key.n) as f64),
        _ => None,
    }
}

fn draw_messages(canvas: &mut Canvas, area: Area, source: &Source, paths: &[Path]) -> Drawing<()> {
    let names = ("time until the last message", "messages");
    let spots = || paths.iter().flat_map(|path| &path.spots);
    let nothing = "no cell with a range of IDs has sent a message";
    let times = range(spots().map(|spot| spot.time)).ok_or(nothing)?;
    let messages = range(spots().map(|spot| spot.messages)).ok_or(nothing)?;
    let scales = (Scale::log(times.0, times.1), Scale::log(messages.0, messages.1));
    let panel = Panel::well_within(area, scales.0, scales.1, names);
    panel.draw(canvas, names);
    for path in paths {
        let place = |spot: &Spot| (spot.time, spot.messages);
        draw_path(canvas, &panel, source.look(path.algorithm), path, place);
    }
    Ok(())
}

fn draw_times(
    canvas: &mut Canvas,
    area: Area,
    source: &Source,
    n: u64,
    paths: &[Path],
) -> Drawing<()> {
    let names = ("U, one more than the largest ID possible", "time until the last message");
    let spots = || paths.iter().flat_map(|path| &path.spots);
    let bounds = range(spots().map(|spot| spot.bound)).ok_or("there is no range of IDs")?;
    let times = range(spots().map(|spot| spot.time)).ok_or("no run has ended")?;
    let y = Scale::log(times.0, times.1);
    let panel = Panel::within(area, Scale::log(bounds.0, bounds.1), y, names);
    panel.draw(canvas, names);
    let (mut labels, mut ways) = (Vec::new(), Vec::new());
    for ((name, value), dash) in LAWS.into_iter().zip(THEORY_DASHES) {
        let steps =
            (0..=80).map(|step| bounds.0 * (bounds.1 / bounds.0).powf(f64::from(step) / 80.0));
        let points = steps
            .map(|bound| (bound.round(), n as f64 * over_smallest(n as f64, bound.round(), value)));
        let points: Vec<(f64, f64)> = points.filter(|(_, time)| *time < LONGEST).collect();
        let inside = |place: &Place| place.1 >= panel.area.top;
        let guide = Guide { name: name.to_owned(), points, dash };
        canvas.series(&guide.name);
        guide.draw(canvas, &panel);
        canvas.neutral();
        let way: Vec<Place> =
            guide.points.iter().map(|&(x, y)| panel.at(x, y)).filter(inside).collect();
        if let Some(end) = way.last().copied() {
            labels.push(Label { text: guide.name, end, colour: THEORY, dash, marker: None });
        }
        ways.push(way);
    }
    for path in paths {
        let look = source.look(path.algorithm);
        let places = draw_path(canvas, &panel, look, path, |spot| (spot.bound, spot.time));
        if let (Some(end), Some(last)) = (places.last(), path.spots.last()) {
            labels.push(Label::of_series(path.algorithm, look, *end, last.filled));
        }
        ways.push(places);
    }
    draw_labels(canvas, panel.area, &labels, &ways);
    Ok(())
}

/// Draws a path over what x and y of a spot are, and says which way it leads.
fn draw_path(
    canvas: &mut Canvas,
    panel: &Panel,
    look: Look,
    path: &Path,
    place: fn(&Spot) -> (f64, f64),
) -> Vec<Place> {
    let numbers: Vec<(f64, f64)> = path.spots.iter().map(place).collect();
    let places: Vec<Place> = numbers.iter().map(|&(x, y)| panel.at(x, y)).collect();
    canvas.series(path.algorithm);
    canvas.line(&places, look.colour, 1.4, look.dash);
    for (number, (place, spot)) in places.iter().zip(&path.spots).enumerate() {
        let radius = if number + 1 == places.len() { MARKER + 1.5 } else { MARKER - 0.5 };
        let (x, y) = numbers[number];
        canvas.stands_for(Datum::of(spot.cell, x, y, None));
        canvas.marker(*place, look.marker, radius, look.colour, spot.filled);
    }
    canvas.neutral();
    places
}

/// The expectation of a function of the smallest of n distinct numbers that are drawn from 0 to U-1:
/// it is k with probability C(U-1-k, n-1) / C(U, n).
fn over_smallest(n: f64, bound: f64, value: fn(u32) -> f64) -> f64 {
    let (mut probability, mut left, mut sum) = (n / bound, 1.0, 0.0);
    for smallest in 0..1_000_000u32 {
        sum += probability * value(smallest);
        left -= probability;
        let step = (bound - f64::from(smallest) - n) / (bound - 1.0 - f64::from(smallest));
        probability *= step.max(0.0);
        if probability <= 0.0 || left < 1e-12 && probability * value(smallest) < 1e-9 * sum {
            break;
        }
    }
    sum
}

/// What the fewest messages cost in time, at the widest range that all have.
fn title(paths: &[Path], n: u64) -> String {
    let has = |path: &&Path, bound: f64| path.spots.iter().any(|spot| spot.bound == bound);
    let bounds = paths.iter().flat_map(|path| path.spots.iter().map(|spot| spot.bound));
    let common =
        bounds.filter(|&bound| paths.iter().all(|path| has(&path, bound))).reduce(f64::max);
    let usual = "What few messages cost in time, by the range of the IDs".to_owned();
    let Some(bound) = common else { return usual };
    let at = |path: &'_ Path| path.spots.iter().position(|spot| spot.bound == bound);
    let mut there: Vec<(&Path, &Spot)> =
        paths.iter().filter_map(|path| Some((path, &path.spots[at(path)?]))).collect();
    there.sort_by(|a, b| a.1.messages.total_cmp(&b.1.messages));
    let [(_, few), .., (_, many)] = there[..] else { return usual };
    // All that tie are named, with the times of all of them.
    let side = |messages: f64| {
        let tied = || there.iter().filter(|one| one.1.messages == messages);
        let least: Vec<&str> = tied().map(|one| one.0.algorithm).collect();
        let (low, high) = range(tied().map(|one| one.1.time)).unwrap_or_default();
        let time = match low == high {
            true => count(low),
            false => format!("{} to {}", count(low), count(high)),
        };
        let need = if least.len() > 1 { "need" } else { "needs" };
        format!("{} {need} {} messages in time {time}", names(&least), count(messages))
    };
    let place = format!("At n = {} with IDs below {}", decimal(n as f64, 0), count(bound));
    match few.messages == many.messages {
        true => format!("{place}, {}", side(few.messages)),
        false => format!("{place}, {}, {}", side(few.messages), side(many.messages)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets of three out of five: the smallest is 0 in six of ten, 1 in three, 2 in one.
    #[test]
    fn the_smallest_of_a_range_is_as_counted() {
        let mean = |value: fn(u32) -> f64| over_smallest(3.0, 5.0, value);
        assert!((mean(|_| 1.0) - 1.0).abs() < 1e-12);
        assert!((mean(f64::from) - 0.5).abs() < 1e-12);
        assert!((mean(|id| f64::from(id).exp2()) - 1.6).abs() < 1e-12);
    }
}
