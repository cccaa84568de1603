//! What tells one cell from another, as it is written in tables.

use std::borrow::Cow;
use std::fmt;

use crate::model::escape::terminal;

/// What tells one cell from another: the words that its parts are written with, and its size.
///
/// Keys are in the order of the tables. As text a key is a heading: algorithm, topology and size, and
/// of the other parts those that are not the usual ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellKey {
    /// The name of the algorithm.
    pub algorithm: String,
    /// Who is whose neighbour.
    pub topology: String,
    /// Where the IDs stand.
    pub layout: String,
    /// Which IDs.
    pub ids: String,
    /// Who starts.
    pub initiators: String,
    /// How long messages take.
    pub timing: String,
    /// The number of nodes.
    pub n: u32,
}

/// How many columns a key has.
const COLUMNS: usize = 7;

/// The parts that most theorems are about: layout, ids, initiators, timing.
pub(crate) const USUAL: [&str; 4] = ["random", "dense", "all", "sync"];

impl CellKey {
    /// The names of its columns in tables; those of a series are all but the last.
    pub const COLUMNS: [&'static str; COLUMNS] =
        ["algorithm", "topology", "layout", "ids", "initiators", "timing", "n"];

    /// What stands in its columns.
    pub const ABOUT: [&'static str; COLUMNS] = [
        "the name of the algorithm",
        "who is whose neighbour",
        "where the IDs stand",
        "which IDs",
        "who starts",
        "how long messages take",
        "the number of nodes",
    ];

    /// The columns of a series, whose cells differ in n alone.
    pub const SERIES_COLUMNS: [&'static str; COLUMNS - 1] = {
        let [first @ .., _] = Self::COLUMNS;
        first
    };

    /// What stands in its columns.
    pub fn columns(&self) -> [Cow<'_, str>; COLUMNS] {
        let [algorithm, topology, layout, ids, initiators, timing] =
            self.series_columns().map(Cow::from);
        [algorithm, topology, layout, ids, initiators, timing, Cow::from(self.n.to_string())]
    }

    /// What stands in the columns of its series.
    pub fn series_columns(&self) -> [&str; COLUMNS - 1] {
        let CellKey { algorithm, topology, layout, ids, initiators, timing, n: _ } = self;
        [algorithm, topology, layout, ids, initiators, timing]
    }

    /// The key with these columns; `None` if the last is no size.
    pub fn from_columns(columns: [String; COLUMNS]) -> Option<Self> {
        let [algorithm, topology, layout, ids, initiators, timing, n] = columns;
        // As it was written, so that no two texts are one key.
        let size = n.parse().ok().filter(|size: &u32| size.to_string() == n)?;
        Some(CellKey { algorithm, topology, layout, ids, initiators, timing, n: size })
    }

    /// Whether two cells differ at most in n.
    pub fn is_in_series_of(&self, other: &CellKey) -> bool {
        self.series_columns() == other.series_columns()
    }

    /// What decides about the rings and the starters of its runs.
    #[cfg(feature = "batch")]
    pub(crate) fn ring_columns(&self) -> ([&str; 4], u32) {
        let CellKey { topology, layout, ids, initiators, n, .. } = self;
        ([topology, layout, ids, initiators], *n)
    }

    /// All its columns in a line, for messages about files and for programs.
    pub fn words(&self) -> String {
        self.columns().join(" ")
    }

    /// The heading of its series: everything but n.
    pub fn series(&self) -> SeriesHeading<'_> {
        SeriesHeading { key: self, algorithm: &self.algorithm }
    }
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, n = {}", place(&self.algorithm, self), self.n)?;
        write_unusual(self, f)
    }
}

/// The heading of cells that differ in n alone.
#[derive(Debug, Clone, Copy)]
pub struct SeriesHeading<'a> {
    key: &'a CellKey,
    algorithm: &'a str,
}

impl<'a> SeriesHeading<'a> {
    /// The same with other words for the algorithm: those of a comparison of two, say.
    pub fn of(self, algorithm: &'a str) -> Self {
        SeriesHeading { algorithm, ..self }
    }
}

impl fmt::Display for SeriesHeading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&place(self.algorithm, self.key))?;
        write_unusual(self.key, f)
    }
}

fn place(algorithm: &str, key: &CellKey) -> String {
    terminal(format_args!("{algorithm} on {}", key.topology))
}

/// The parts that differ from the usual ones.
fn write_unusual(key: &CellKey, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let CellKey { layout, ids, initiators, timing, .. } = key;
    let words = [
        format!("{layout} layout"),
        format!("{ids} IDs"),
        format!("initiators {initiators}"),
        timing.clone(),
    ];
    let parts = [layout, ids, initiators, timing].into_iter().zip(USUAL).zip(words);
    for ((part, usual), words) in parts {
        if part != usual {
            write!(f, ", {}", terminal(words))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> CellKey {
        let columns = ["peterson", "ring", "random", "dense", "all", "sync", "64"];
        CellKey::from_columns(columns.map(str::to_owned)).expect("a key")
    }

    #[test]
    fn a_heading_names_the_topology_and_what_is_not_usual() {
        assert_eq!(key().to_string(), "peterson on ring, n = 64");
        assert_eq!(key().series().to_string(), "peterson on ring");
        let other = CellKey {
            topology: "file:a\u{1b}b".to_owned(),
            layout: "worst".to_owned(),
            ids: "sparse".to_owned(),
            initiators: "one".to_owned(),
            timing: "lifo".to_owned(),
            ..key()
        };
        let rest = "worst layout, sparse IDs, initiators one, lifo";
        let place = terminal("file:a\u{1b}b");
        assert_eq!(other.to_string(), format!("peterson on {place}, n = 64, {rest}"));
        let heading = other.series().of("peterson - lelann").to_string();
        assert_eq!(heading, format!("peterson - lelann on {place}, {rest}"));
    }

    #[test]
    fn keys_are_ordered_by_their_columns_and_sizes_as_numbers() {
        let of = |layout: &str, n: u32| CellKey { layout: layout.to_owned(), n, ..key() };
        let sorted = [of("random", 9), of("random", 10), of("worst", 2)];
        assert!(sorted.is_sorted());
        assert!(sorted[0].is_in_series_of(&sorted[1]) && !sorted[1].is_in_series_of(&sorted[2]));
    }

    #[test]
    fn a_key_reads_as_it_is_written_and_no_other_size_does() {
        let columns = key().columns().map(Cow::into_owned);
        assert_eq!(CellKey::from_columns(columns.clone()), Some(key()));
        for bad in ["", "064", "+64", "x", "-1", "4294967296"] {
            let mut columns = columns.clone();
            columns[6] = bad.to_owned();
            assert_eq!(CellKey::from_columns(columns), None, "{bad}");
        }
        assert_eq!(key().words(), "peterson ring random dense all sync 64");
    }
}
