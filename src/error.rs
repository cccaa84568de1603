//! What can go wrong, in sentences that name the field, the value and the remedy.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::escape::terminal;
use crate::simulate::Violation;

/// Any error of the library.
#[derive(Debug, Error)]
pub enum Error {
    /// The user asked for something that cannot be.
    #[error(transparent)]
    Input(#[from] Input),
    /// An algorithm did not elect as it should.
    #[error("{violation}\n  to see it again: {command}")]
    Violation {
        /// What went wrong.
        violation: Violation,
        /// The columns of its cell.
        cell: Box<[String; 7]>,
        /// The command that repeats it.
        command: String,
    },
    /// A counter and the simulation of the same run differ.
    #[error(
        "the counter is wrong: it says {counted}, the simulation says {simulated}\n  \
         (run,messages,bits,time,end,rounds,max_node_messages,leader)\n  \
         to see it again: {command}"
    )]
    Audit {
        /// The row that was counted.
        counted: String,
        /// The row that was simulated.
        simulated: String,
        /// The columns of its cell.
        cell: Box<[String; 7]>,
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
    Figure(String),
    /// The page could not be made of its template.
    #[error("could not make the page: {0}")]
    Template(String),
    /// The gate did not let results pass.
    #[error("{0}")]
    Gate(String),
    /// The threads could not be started.
    #[error("could not start the threads: {0}; use fewer with --threads")]
    Threads(String),
}

fn incomplete(missing: u64, chunks: u64, damaged: &[PathBuf]) -> String {
    let mut text = format!("{missing} of {chunks} chunks are missing");
    for path in damaged {
        text += &format!("\n  {} is damaged", terminal(path.display()));
    }
    text + "\n  hustings status shows which; run their shards again, then merge"
}

/// The result of anything that can go wrong so.
pub type Result<T> = std::result::Result<T, Error>;

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

/// A value that cannot be used: the field, the value, what is wrong with it, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The field, as in flags and specs.
    pub field: String,
    /// What was given.
    pub value: String,
    /// Why it cannot be.
    pub problem: String,
    /// What to do instead.
    pub remedy: String,
    /// Where it stands, if in a file: "specs/small.toml, line 3".
    pub place: Option<String>,
}

impl std::error::Error for Input {}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // All of them may name what a user has named.
        let Input { field, value, problem, remedy, place } = self;
        write!(f, "{} = {}", terminal(field), terminal(value))?;
        if let Some(place) = place {
            write!(f, " in {}", terminal(place))?;
        }
        write!(f, ": {}; {}", terminal(problem), terminal(remedy))
    }
}

impl Input {
    /// The error for a `field` with this `value`.
    pub fn new(
        field: &str,
        value: impl fmt::Display,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Input {
            field: field.to_owned(),
            value: value.to_string(),
            problem: problem.into(),
            remedy: remedy.into(),
            place: None,
        }
    }

    /// The error for a name that is not among the known ones; suggests the nearest.
    pub fn unknown<'a>(
        field: &str,
        value: &str,
        known: impl IntoIterator<Item = &'a str>,
        all: &str,
    ) -> Self {
        let remedy = match nearest(value, known) {
            Some(name) => format!("did you mean {name}? {all}"),
            None => all.to_owned(),
        };
        Input::new(field, value, "there is no such name", remedy)
    }
}

/// The known name nearest to `name`, if any is near: at most a third of the letters differ.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = name.chars().count().max(3) / 3 + 1;
    known
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, deleted or replaced (Levenshtein's distance).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_and_a_far_one_is_not() {
        let known = ["chang-roberts", "peterson", "lelann"];
        assert_eq!(nearest("petersen", known), Some("peterson"));
        assert_eq!(nearest("chang-robert", known), Some("chang-roberts"));
        assert_eq!(nearest("xyzzy", known), None);
    }

    #[test]
    fn an_error_is_one_line_whatever_it_names() {
        for name in crate::escape::hostile::names() {
            let input = Input::new("layout", &name, format!("no {name}"), format!("rename {name}"));
            let input = Input { place: Some(format!("{name}, line 1")), ..input };
            let source = || std::io::Error::from(std::io::ErrorKind::NotFound);
            let path = PathBuf::from(&name);
            let mixed = Error::Mixed { first: path.clone(), other: path.clone() };
            let file = Error::file("read", &path)(source());
            for text in [input.to_string(), file.to_string(), mixed.to_string()] {
                assert!(text.contains(&terminal(&name)), "{text}");
                assert_eq!(text, terminal(&text));
            }
        }
    }

    #[test]
    fn a_distance_counts_single_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
