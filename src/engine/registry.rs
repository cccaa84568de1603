//! Which algorithms a program knows: the standard ones, and its user's own.

use std::sync::OnceLock;

use super::simulator::Entry;
use crate::algorithm::{Announced, Flood, Tree};
use crate::model::error::Input;

/// The name of the program in commands that repeat a run, if nobody says another.
const PROGRAM: &str = "hustings";

/// The algorithms of a program, in the order of its tables.
///
/// A program installs its registry once, before anything asks for an algorithm by name;
/// [`cli::run`](crate::cli::run) does so. Where nobody does, the first question installs the
/// standard one.
pub struct Registry {
    entries: Vec<Entry>,
    program: String,
    /// What is wrong with the first entry that was refused.
    refused: Option<Input>,
}

static INSTALLED: OnceLock<Registry> = OnceLock::new();

impl Registry {
    /// All algorithms that come with the library.
    pub fn standard() -> Self {
        Registry { entries: standard(), program: PROGRAM.to_owned(), refused: None }
    }

    /// The same and one algorithm more. A name that is taken or cannot be typed is refused when
    /// the registry is installed.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || "+-_.".contains(c);
        let problem = if self.entries.iter().any(|known| known.name == entry.name) {
            Some(("another algorithm has this name", "give it a name of its own"))
        } else if entry.name.is_empty() || !entry.name.chars().all(plain) {
            let problem = "a name has letters, digits, dashes, dots, underscores and plus signs";
            Some((problem, "name it like my-algorithm"))
        } else {
            None
        };
        match problem {
            None => self.entries.push(entry),
            Some((problem, remedy)) => {
                let error = Input::new("algorithm", &entry.name, problem, remedy);
                self.refused.get_or_insert(error);
            }
        }
        self
    }

    /// The same in a program of this name, which commands that repeat a run begin with.
    #[must_use]
    pub fn in_program(self, program: &str) -> Self {
        Registry { program: program.to_owned(), ..self }
    }

    /// Its algorithms.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Makes this the registry of the process.
    pub fn install(self) -> Result<(), Input> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        INSTALLED.set(self).map_err(|_| {
            let problem = "the algorithms of this process are settled already";
            Input::new("registry", "(second)", problem, "install one registry, before any election")
        })
    }

    /// The registry of the process.
    fn installed() -> &'static Registry {
        INSTALLED.get_or_init(Registry::standard)
    }
}

/// All algorithms, in the order of the tables.
pub fn registry() -> &'static [Entry] {
    &Registry::installed().entries
}

/// The name of this program, for commands that repeat a run.
pub fn program() -> &'static str {
    &Registry::installed().program
}

/// The algorithm of that name.
pub fn find(name: &str) -> Option<&'static Entry> {
    registry().iter().find(|entry| entry.name == name)
}

/// The algorithm of that name, or an error that suggests the nearest.
pub fn named(name: &str) -> Result<&'static Entry, Input> {
    find(name).ok_or_else(|| {
        let names = registry().iter().map(|entry| entry.name.as_str());
        Input::unknown("algorithm", name, names, "hustings list shows all algorithms")
    })
}

/// The algorithms that come with the library, in the order of the tables.
fn standard() -> Vec<Entry> {
    use crate::algorithm::graph::*;
    use crate::algorithm::ring::*;
    use crate::algorithm::tree::*;
    vec![
        Entry::asynchronous::<LeLann>(),
        Entry::asynchronous::<ChangRoberts>(),
        Entry::announced::<ChangRoberts>(),
        Entry::asynchronous::<Extinction<TokenWave<RingToken>>>(),
        Entry::announced::<Extinction<TokenWave<RingToken>>>(),
        Entry::asynchronous::<Clockwise>(),
        Entry::announced::<Clockwise>(),
        Entry::asynchronous::<ClockwiseJoin>(),
        Entry::announced::<ClockwiseJoin>(),
        Entry::asynchronous::<HirschbergSinclair>(),
        Entry::announced::<HirschbergSinclair>(),
        Entry::asynchronous::<KNeighbour>(),
        Entry::announced::<KNeighbour>(),
        Entry::asynchronous::<RadiusGrowth>(),
        Entry::announced::<RadiusGrowth>(),
        Entry::asynchronous::<Peterson>(),
        Entry::synchronous::<TimeSlice>(),
        Entry::synchronous::<VariableSpeeds>(),
        Entry::synchronous::<VariableSpeedsListing>(),
        Entry::synchronous::<Anonymous>(),
        Entry::graph::<TreeWakeup>(),
        Entry::graph::<TreeWaves>(),
        Entry::graph::<TreeFrugal>(),
        Entry::graph::<Announced<DfsPath, Tree>>(),
        Entry::graph::<Announced<DfsColour, Tree>>(),
        Entry::graph::<Announced<EchoElection, Tree>>(),
        Entry::graph::<Announced<Adoption, Tree>>(),
        Entry::graph::<Announced<Waiting, Tree>>(),
        Entry::graph::<Announced<Extinction<EchoWave>, Flood>>(),
        Entry::graph::<Announced<Extinction<TokenWave<Tarry>>, Flood>>(),
        Entry::graph::<Announced<Extinction<TokenWave<DepthFirst>>, Flood>>(),
        Entry::graph::<Phase>(),
        Entry::graph::<Finn>(),
        Entry::graph::<Announced<Ghs, Tree>>(),
        Entry::graph::<Announced<Kkm<Tarry>, Flood>>(),
        Entry::graph::<Announced<Kkm<AlongPath>, Flood>>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::ring::ChangRoberts;

    fn called(name: &str) -> Entry {
        Entry { name: name.to_owned(), ..Entry::asynchronous::<ChangRoberts>() }
    }

    #[test]
    fn a_name_that_is_taken_is_refused() {
        let registry = Registry::standard().with(called("mine")).with(called("peterson"));
        assert_eq!(registry.entries().last().map(|entry| entry.name.as_str()), Some("mine"));
        let error = registry.install().expect_err("peterson is taken").to_string();
        assert!(error.contains("algorithm = peterson: another algorithm has this name"), "{error}");
    }

    #[test]
    fn a_name_that_cannot_be_typed_is_refused() {
        for bad in ["", "my algorithm", "a,b", "é"] {
            assert!(Registry::standard().with(called(bad)).install().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_first_registry_stays() {
        assert!(find("peterson").is_some());
        let error = Registry::standard().with(called("late")).install().expect_err("too late");
        assert!(error.to_string().contains("settled already"), "{error}");
        assert!(find("late").is_none());
        assert_eq!(program(), "hustings");
    }
}
