//! Messages per edge against time on trees and graphs: one panel for each family.

use super::drawing::{Drawing, Figure};
use super::family::{
    self, Family, NONE, algorithm_entries, families, first_in_most, panel, per_edge, sheet_with_key,
};
use super::grid::Grid;
use super::plot::Plot;
use super::scale::{Scale, range};
use super::source::{Source, Subject};
use crate::summarise::CellSummary;

pub(super) const PLOT: Plot = Plot {
    name: "network-time",
    line: "trees and graphs: messages per edge against time",
    about: Subject::Networks,
    draw,
};

/// One cell: time, messages per edge, and whether it was simulated.
type Spot = (f64, f64, bool);

/// The paths of a panel: an algorithm, and its cells.
type Paths<'a> = Vec<(&'a str, Vec<Spot>)>;

fn draw(source: &Source) -> Drawing {
    let Some(selection) = source.random_networks() else {
        return Err(NONE.into());
    };
    let families = families(&selection);
    let mut panels: Vec<(&Family, Paths)> = Vec::new();
    for family in &families {
        let mut paths = Paths::new();
        for group in &family.groups {
            let mut spots = Vec::new();
            for cell in &group.cells {
                spots.extend(spot(cell));
            }
            if !spots.is_empty() {
                paths.push((group.algorithm, spots));
            }
        }
        if !paths.is_empty() {
            panels.push((family, paths));
        }
    }
    let spots = || panels.iter().flat_map(|(_, paths)| paths).flat_map(|(_, spots)| spots);
    let (times, messages) = (range(spots().map(|spot| spot.0)), range(spots().map(|spot| spot.1)));
    let (Some(times), Some(messages)) = (times, messages) else {
        let why = "no cell on trees or graphs tells when its last message arrived";
        return Err(why.into());
    };

    let shown: Vec<Family> = panels.iter().map(|(family, _)| (*family).clone()).collect();
    let title = title(&shown);
    let notes = format!(
        "Mean messages over mean edges against mean time until the last message, on random layouts, from the \
         smallest N (small marker) to the largest (large); {}.",
        family::notes(&selection)
    );
    let key = algorithm_entries(source, &shown);
    let headings: Vec<_> = shown.iter().map(|family| (family.name.clone(), vec![])).collect();
    let grid = Grid::new(230.0, &headings);
    let (mut sheet, areas) =
        sheet_with_key((&title, &notes, &source.line_with_markers()), &key, &grid);
    let canvas = &mut sheet.canvas;
    for (area, (_, paths)) in areas.into_iter().zip(&panels) {
        let names = ("time", "");
        let (x, y) = (Scale::log(times.0, times.1), Scale::log(messages.0, messages.1));
        let panel = panel(area, x, y, names);
        panel.draw(canvas, names);
        for (algorithm, spots) in paths {
            let look = source.look(algorithm);
            let places: Vec<_> = spots.iter().map(|&(x, y, _)| panel.at(x, y)).collect();
            canvas.line(&places, look.colour, 1.4, look.dash);
            for (number, (place, (.., filled))) in places.iter().zip(spots).enumerate() {
                let radius = if number + 1 == spots.len() { 5.5 } else { 2.8 };
                canvas.marker(*place, look.marker, radius, look.colour, *filled);
            }
        }
    }
    let caption = "Mean messages per edge against the mean time until the last message, one panel per family of \
                   networks; each path leads from the smallest to the largest N. Lower and further to the \
                   left is better in both."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

fn spot(cell: &CellSummary) -> Option<Spot> {
    let time = cell.mean_end.filter(|time| *time > 0.0);
    time.zip(per_edge(cell)).map(|(time, point)| (time, point.y, point.filled))
}

/// Who is the fastest, and who needs the fewest messages.
fn title(families: &[Family]) -> String {
    let fast = first_in_most(families, |cell| cell.mean_end);
    let cheap = first_in_most(families, |cell| Some(per_edge(cell)?.y));
    match (fast, cheap) {
        (Some((fast, wins, contests)), Some((cheap, saves, _))) => format!(
            "Of {contests} families of networks, {fast} is the fastest in {wins}; {cheap} needs the fewest \
             messages in {saves}"
        ),
        _ => "Messages and time on trees and graphs".to_owned(),
    }
}
