//! The columns of the tables that a run leaves.

use crate::experiment::key::CellKey;
use crate::model::row::Row;

/// How many columns `runs.csv` has.
const COUNT: usize = CellKey::COLUMNS.len() + Row::COLUMNS.len();

/// The columns of `runs.csv`.
pub const RUN_COLUMNS: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let mut place = 0;
    while place < COUNT {
        names[place] = match place.checked_sub(CellKey::COLUMNS.len()) {
            None => CellKey::COLUMNS[place],
            Some(behind) => Row::COLUMNS[behind].name,
        };
        place += 1;
    }
    names
};

/// The first line of `runs.csv`.
pub(super) fn header() -> String {
    RUN_COLUMNS.join(",")
}

/// The columns of `kinds.csv`.
pub(super) fn kind_columns() -> impl Iterator<Item = &'static str> {
    CellKey::COLUMNS.into_iter().chain(["kind", "messages_mean"])
}

/// The first line of `kinds.csv`.
pub(super) fn kind_header() -> String {
    kind_columns().collect::<Vec<_>>().join(",")
}
