//! What is new is written in one place, or in two with the line that makes it known: counted on things
//! that exist, by their names in the code. Tests and comments do not count.
//!
//! `CONTRIBUTING.md` has the same places as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::HOUSE;
use crate::source::Word;

/// How something is called in the code: its words, and the names that strings begin with.
struct Called<'a> {
    words: &'a [&'a str],
    strings: &'a [&'a str],
}

impl Called<'_> {
    /// On how many lines of which files it stands.
    fn places(&self) -> BTreeMap<&'static str, usize> {
        let mut places = BTreeMap::new();
        for (path, file) in &HOUSE.files {
            let is_word = |word: &&Word| self.words.contains(&&*word.text);
            let is_string = |string: &&Word| {
                let separates = |c: char| !c.is_alphanumeric() && !"-_".contains(c);
                string.text.split(separates).next().is_some_and(|name| self.strings.contains(&name))
            };
            let words = file.source.words.iter().filter(is_word);
            let found = words.chain(file.source.strings.iter().filter(is_string));
            let mut lines: Vec<usize> =
                found.filter(|found| !found.test).map(|found| found.line).collect();
            lines.sort_unstable();
            lines.dedup();
            if !lines.is_empty() {
                places.insert(&**path, lines.len());
            }
        }
        places
    }

    /// Claims that it stands on so many lines of these files and nowhere else.
    #[track_caller]
    fn stands_in(&self, expected: &[(&str, usize)]) {
        assert_eq!(self.places(), expected.iter().copied().collect(), "{:?}", self.words);
    }

    /// The same beside a file of its own.
    #[track_caller]
    fn stands_in_its_file_and(&self, own: &str, expected: &[(&str, usize)]) {
        let mut places = self.places();
        assert!(places.remove(own).is_some(), "{:?} is not in {own}", self.words);
        assert_eq!(places, expected.iter().copied().collect(), "{:?}", self.words);
    }
}

#[test]
fn a_ring_algorithm_is_a_file_and_a_line_in_the_registry() {
    // Two lines open the file: `mod` and `pub use`.
    let others = [("src/algorithm/ring/mod.rs", 2), ("src/engine/registry.rs", 1)];
    Called { words: &["LeLann", "lelann"], strings: &["lelann"] }
        .stands_in_its_file_and("src/algorithm/ring/lelann.rs", &others);
    Called { words: &["TimeSlice", "time_slice"], strings: &["time-slice"] }
        .stands_in_its_file_and("src/algorithm/ring/time_slice.rs", &others);
}

#[test]
fn a_tree_algorithm_is_a_file_and_a_line_in_the_registry() {
    let others = [("src/algorithm/tree/mod.rs", 2), ("src/engine/registry.rs", 1)];
    Called { words: &["TreeFrugal", "tree_frugal"], strings: &["tree-frugal"] }
        .stands_in_its_file_and("src/algorithm/tree/tree_frugal.rs", &others);
}

#[test]
fn a_graph_algorithm_is_a_file_and_a_line_in_the_registry() {
    let others = [("src/algorithm/graph/mod.rs", 2), ("src/engine/registry.rs", 1)];
    Called { words: &["Finn", "finn"], strings: &["finn"] }
        .stands_in_its_file_and("src/algorithm/graph/finn.rs", &others);
    Called { words: &["Ghs", "ghs"], strings: &["ghs"] }
        .stands_in_its_file_and("src/algorithm/graph/ghs.rs", &others);
}

#[test]
fn a_layout_is_an_entry_of_a_table() {
    Called { words: &["OrganPipe"], strings: &["organ-pipe"] }
        .stands_in(&[("src/experiment/layout.rs", 1)]);
}

#[test]
fn a_timing_is_in_the_file_of_delays() {
    Called { words: &["Exponential"], strings: &["exponential"] }
        .stands_in_its_file_and("src/model/delay.rs", &[]);
}

#[test]
fn a_topology_is_in_the_file_of_families_and_a_line_of_the_generator() {
    Called { words: &["Hypercube"], strings: &["hypercube"] }.stands_in_its_file_and(
        "src/model/topology/family.rs",
        &[("src/model/topology/generate.rs", 1)],
    );
}

#[test]
fn a_figure_is_a_file_and_a_line_in_the_gallery() {
    // The gallery imports what it lists.
    let others = [("src/show/figure/gallery.rs", 2), ("src/show/figure/mod.rs", 1)];
    Called { words: &["trade_off"], strings: &["trade-off"] }
        .stands_in_its_file_and("src/show/figure/trade_off.rs", &others);
}

#[test]
fn a_column_of_cells_is_a_line_of_its_table() {
    // Beside the column: the field of a cell, its value, and the statistic itself, of a sample and of a
    // law.
    Called { words: &["skewness"], strings: &["skewness"] }.stands_in(&[
        ("src/algorithm/mod.rs", 1),
        ("src/algorithm/ring/chang_roberts/limit.rs", 1),
        ("src/cli/theory.rs", 2),
        ("src/statistics/moments.rs", 1),
        ("src/summarise/cells.rs", 2),
        ("src/summarise/sample.rs", 2),
        ("src/summarise/tables.rs", 1),
    ]);
}

#[test]
fn a_column_of_runs_is_a_line_of_its_table() {
    Called { words: &[], strings: &["max_node_messages"] }.stands_in(&[
        // Its column, and its name as a metric.
        ("src/model/metric.rs", 1),
        ("src/model/row.rs", 1),
    ]);
}

#[test]
fn a_number_that_engines_count_goes_from_them_to_the_row() {
    let places = Called { words: &["max_node_messages"], strings: &[] }.places();
    // An algorithm's own counter gives it where it is known.
    let files: Vec<&str> = places
        .into_keys()
        .filter(|path| {
            !["ring", "tree", "graph"].iter().any(|kind| path.contains(&format!("/{kind}/")))
        })
        .collect();
    let expected = [
        // The engines, and what they count in.
        "src/engine/books.rs",
        "src/engine/graph_rounds.rs",
        "src/engine/in_rounds.rs",
        "src/engine/machine.rs",
        "src/engine/outcome.rs",
        "src/engine/trace.rs",
        "src/engine/with_delays.rs",
        // Counters instead of engines.
        "src/algorithm/announce.rs",
        "src/algorithm/count.rs",
        "src/experiment/runs.rs",
        "src/results/batch.rs",
        // What a run yields, its row, and one election in words.
        "src/model/metric.rs",
        "src/model/outcome.rs",
        "src/model/row.rs",
        "src/cli/elect.rs",
    ];
    assert_eq!(BTreeSet::from_iter(files), BTreeSet::from(expected));
}

#[test]
fn contributors_find_these_places_in_a_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("it is there");
    let (_, section) = text.split_once("## What to touch\n").expect("it has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let quoted: BTreeSet<&str> = section.split('`').skip(1).step_by(2).collect();
    for path in quoted.iter().filter(|name| name.contains('/')) {
        assert!(root.join(path).exists(), "there is no {path}");
    }
    let tests = include_str!("places.rs").split("\n#[test]\nfn ").skip(1);
    let tests: BTreeSet<&str> = tests.filter_map(|test| test.split('(').next()).collect();
    let named: BTreeSet<&str> = quoted.into_iter().filter(|name| name.starts_with("a_")).collect();
    let places: BTreeSet<&str> = tests.into_iter().filter(|test| test.starts_with("a_")).collect();
    assert_eq!(named, places);
}
