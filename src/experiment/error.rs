//! What can go wrong with an experiment, in sentences that say what to do.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::key::CellKey;
use crate::model::error::Input;
use crate::model::escape::terminal;
use crate::model::row::Row;
use crate::model::violation::Violation;

/// What somebody else's code said was wrong.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Any error of the library.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The user asked for something that cannot be.
    #[error(transparent)]
    Input(#[from] Input),
    /// An algorithm did not elect as it should.
    #[error("{violation}\n  to see it again: {command}")]
    Violation {
        /// What went wrong.
        violation: Violation,
        /// Its cell.
        cell: Box<CellKey>,
        /// The command that repeats it.
        command: String,
    },
    /// A counter and the simulation of the same run differ.
    #[error(
        "the counter is wrong: it says {counted}, the simulation says {simulated}\n  \
         ({columns})\n  \
         to see it again: {command}",
        columns = Row::COLUMNS.map(|column| column.name).join(",")
    )]
    Audit {
        /// The row that was counted.
        counted: String,
        /// The row that was simulated.
        simulated: String,
        /// Its cell.
        cell: Box<CellKey>,
        /// The command that simulates the run.
        command: String,
    },
    /// A file could not be read or written.
    #[error("could not {action} {}: {source}", terminal(path.display()))]
    File {
        /// What was to be done: "read", "write".
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Work was asked to stop.
    #[error("stopped; nothing is lost")]
    Interrupted,
    /// Shards of different experiments.
    #[error(
        "{} and {} hold shards of different experiments; merge only shards of one spec",
        terminal(first.display()),
        terminal(other.display())
    )]
    Mixed {
        /// The first folder.
        first: PathBuf,
        /// One that does not fit.
        other: PathBuf,
    },
    /// Chunks are missing.
    #[error("{}", incomplete(*missing, *chunks, damaged))]
    Incomplete {
        /// How many.
        missing: u64,
        /// Of how many.
        chunks: u64,
        /// Parts that cannot be trusted.
        damaged: Vec<PathBuf>,
    },
    /// Results contradict a theorem.
    #[error("{0}")]
    Contradicted(String),
    /// A figure could not be drawn.
    #[error("could not draw the figure: {0}")]
    Figure(#[source] Cause),
    /// The page could not be made of its template.
    #[error("could not make the page: {0}")]
    Template(#[source] Cause),
    /// The runs could not be written in another format.
    #[error("could not write the Parquet file: {0}")]
    Export(#[source] Cause),
    /// The gate did not let results pass.
    #[error("{0}")]
    Gate(String),
    /// The threads could not be started.
    #[error("could not start the threads: {0}; use fewer with --threads")]
    Threads(#[source] Cause),
}

fn incomplete(missing: u64, chunks: u64, damaged: &[PathBuf]) -> String {
    let mut text = format!("{missing} of {chunks} chunks are missing");
    for path in damaged {
        text += &format!("\n  {} is damaged", terminal(path.display()));
    }
    text + "\n  hustings status shows which; run their shards again, then merge"
}

/// The result of anything that can go wrong so.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// For `map_err` on a file operation.
    pub fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::File { action, path, source }
    }

    /// The process's exit code: 1 if something was found wrong, 2 if it could not be done.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Violation { violation: Violation::ClockOverflow(_), .. } => 2,
            Error::Violation { .. }
            | Error::Audit { .. }
            | Error::Incomplete { .. }
            | Error::Contradicted(_)
            | Error::Gate(_) => 1,
            _ => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_whatever_it_names() {
        for name in crate::model::escape::hostile::names() {
            let path = PathBuf::from(&name);
            let mixed = Error::Mixed { first: path.clone(), other: path.clone() };
            let source = std::io::Error::from(std::io::ErrorKind::NotFound);
            for text in [Error::file("read", &path)(source).to_string(), mixed.to_string()] {
                assert!(text.contains(&terminal(&name)), "{text}");
                assert_eq!(text, terminal(&text));
            }
        }
    }
}
