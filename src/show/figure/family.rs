//! Families of trees and graphs: what the figures about them have in common.

use std::path::Path;

use super::font::LABEL;
use super::font::width;
use super::key::Entry;
use super::series::Point;
use super::source::{Group, Selection, Source};
use crate::model::escape;
use crate::summarise::CellSummary;

/// The longest name of a family that stands over a panel.
const NAME_ROOM: f64 = 200.0;

/// Free paper between the key and the panels of all families.
pub(super) const BELOW_KEY: f64 = 6.0;

/// The cells of one topology, algorithm by algorithm.
#[derive(Debug, Clone)]
pub(super) struct Family<'a> {
    /// What it is called on a figure.
    pub name: String,
    pub groups: Vec<Group<'a>>,
}

impl<'a> Family<'a> {
    /// The largest of the sizes that most of its algorithms have, up to `most`.
    pub fn common_size(&self, most: u64) -> Option<u64> {
        let sizes = self.cells().map(CellSummary::n).filter(|&n| n <= most);
        let having = |n: u64| self.cells().filter(|cell| cell.n() == n).count();
        sizes.max_by_key(|&n| (having(n), n))
    }

    /// The cells of one size.
    pub fn at(&self, n: u64) -> impl Iterator<Item = &'a CellSummary> + '_ {
        self.cells().filter(move |cell| cell.n() == n)
    }

    /// All cells.
    pub fn cells(&self) -> impl Iterator<Item = &'a CellSummary> + '_ {
        self.groups.iter().flat_map(|group| group.cells.iter().copied())
    }
}

/// A selection cut into families, in the order of the folder. Networks without an edge stay away:
/// nothing can be sent there.
pub(super) fn families<'a>(selection: &Selection<'a>) -> Vec<Family<'a>> {
    let mut found: Vec<(&str, Family<'a>)> = Vec::new();
    for group in &selection.groups {
        for &cell in group.cells.iter().filter(|cell| per_edge(cell).is_some()) {
            let topology = cell.key.topology.as_str();
            let place = found.iter().position(|(known, _)| *known == topology);
            let place = place.unwrap_or_else(|| {
                found.push((topology, Family { name: name(topology), groups: Vec::new() }));
                found.len() - 1
            });
            let groups = &mut found[place].1.groups;
            match groups.iter_mut().find(|known| known.algorithm == group.algorithm) {
                Some(known) => known.cells.push(cell),
                None => groups.push(Group { algorithm: group.algorithm, cells: vec![cell] }),
            }
        }
    }
    found.into_iter().map(|(_, family)| family).collect()
}

/// A topology as figures name it: a file without its folder, and nothing too long for a panel.
fn name(topology: &str) -> String {
    let name = match topology.strip_prefix("file:") {
        Some(path) => {
            Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy())
        }
        None => topology.into(),
    };
    let name = escape::terminal(name);
    if width(&name, LABEL) <= NAME_ROOM {
        return name;
    }
    let mut short = String::new();
    for letter in name.chars() {
        if width(&format!("{short}{letter}..."), LABEL) > NAME_ROOM {
            break;
        }
        short.push(letter);
    }
    short + "..."
}

/// The edges of a cell's networks, on average; `None` if there are none, or no messages.
pub(super) fn edges(cell: &CellSummary) -> Option<f64> {
    cell.edges.filter(|edges| *edges > 0.0 && cell.mean > Some(0.0))
}

/// The mean messages of a cell over its mean edges, against N.
pub(super) fn per_edge(cell: &CellSummary) -> Option<Point<'_>> {
    Point::mean(cell, edges(cell)?)
}

/// The entries of all algorithms that some family shows, in the order of the folder.
pub(super) fn algorithm_entries(source: &Source, families: &[Family]) -> Vec<Entry> {
    let mut names: Vec<&str> = Vec::new();
    for group in families.iter().flat_map(|family| &family.groups) {
        if !names.contains(&group.algorithm) {
            names.push(group.algorithm);
        }
    }
    names.sort_by_key(|name| source.number(name));
    names.into_iter().map(|name| Entry::series(name, source.look(name))).collect()
}

/// What a figure says below its title besides how it is drawn: which messages count, and the setting.
pub(super) fn notes(selection: &Selection) -> String {
    let flooding = selection.groups.iter().filter(|group| floods(group));
    let names: Vec<&str> = flooding.map(|group| group.algorithm).collect();
    let whose = match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] if first.len() < 3 => format!("{} and {last}", first.join(", ")),
        many => format!("{} algorithms", many.len()),
    };
    let flood = match whose.as_str() {
        "" => String::new(),
        whose => format!(" (of {whose} 2E − N + 1)"),
    };
    format!("all messages count, also those that announce the winner{flood}; {}", selection.notes())
}

/// Whether an algorithm floods the announcement, as one without a tree must: over all edges but those
/// that the word came over, 2E - N + 1 messages in place of N - 1. On trees these are the same.
fn floods(group: &Group) -> bool {
    let mut graphs = group.cells.iter().filter_map(|cell| {
        let (edges, n) = (cell.edges?, cell.n() as f64);
        (edges > n - 1.0).then_some((2.0 * edges - n + 1.0, cell.mean_announcements))
    });
    // Means over runs have been rounded.
    let is_flood = |(flood, announced): (f64, f64)| (announced - flood).abs() <= 1e-9 * flood;
    graphs.next().is_some_and(is_flood) && graphs.all(is_flood)
}

/// Who is alone first in most families, and in how many: of the cells of a family at the largest size
/// that most have, the one with the least of something. `None` unless some family has two to choose from.
pub(super) fn first_in_most<'a>(
    families: &[Family<'a>],
    least: impl Fn(&CellSummary) -> Option<f64>,
) -> Option<(&'a str, usize, usize)> {
    let mut wins: Vec<(&'a str, usize)> = Vec::new();
    let mut contests = 0;
    for family in families {
        let Some(n) = family.common_size(u64::MAX) else { continue };
        let mut known: Vec<(f64, &'a str)> = family
            .at(n)
            .filter_map(|cell| Some((least(cell)?, cell.key.algorithm.as_str())))
            .collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        let [(least, first), (next, _), ..] = known[..] else { continue };
        contests += 1;
        // Who shares the first place has not won.
        if least == next {
            continue;
        }
        match wins.iter_mut().find(|(name, _)| *name == first) {
            Some((_, count)) => *count += 1,
            None => wins.push((first, 1)),
        }
    }
    // Of equally many the first.
    let (name, count) = wins.into_iter().rev().max_by_key(|(_, count)| *count)?;
    Some((name, count, contests))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_families_fit_and_tell_no_folder() {
        assert_eq!(name("random-regular:4"), "random-regular:4");
        assert_eq!(name("file:some/folder/net.txt"), "net.txt");
        let long = name(&format!("file:{}", "x".repeat(300)));
        assert!(long.ends_with("x...") && width(&long, LABEL) <= NAME_ROOM, "{long}");
    }
}
