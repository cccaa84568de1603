//! Which algorithms a program knows: the standard ones, and its user's own.

use std::fmt;
use std::sync::Arc;

use super::simulator::{Entry, PROGRAM};
use crate::algorithm::*;
use crate::model::error::Input;

/// The algorithms of a program, in the order of its tables: a value that is passed on to whoever
/// finds algorithms by name.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<Arc<Entry>>,
    program: Arc<str>,
    /// What is wrong with the first entry that was refused.
    refused: Option<Input>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| &entry.name)).finish()
    }
}

impl Registry {
    /// No algorithms yet.
    pub fn empty() -> Self {
        Registry { entries: Vec::new(), program: Arc::from(PROGRAM), refused: None }
    }

    /// All algorithms that come with the library.
    // Their engines are most of what there is to compile. Who uses the bare library for an algorithm
    // of their own never calls this, and `inline` leaves it to the callers to compile it.
    #[cfg_attr(not(feature = "batch"), inline)]
    pub fn standard() -> Self {
        let entries = standard().into_iter().map(Arc::new).collect();
        Registry { entries, ..Registry::empty() }
    }

    /// The same and one algorithm more. A name that is taken or cannot be typed is refused when
    /// somebody asks for an algorithm.
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
            None => {
                let program = self.program.clone();
                self.entries.push(Arc::new(Entry { program, ..entry }));
            }
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
        let program: Arc<str> = Arc::from(program);
        let renamed = |entry: Arc<Entry>| {
            Arc::new(Entry { program: program.clone(), ..Arc::unwrap_or_clone(entry) })
        };
        let entries = self.entries.into_iter().map(renamed).collect();
        Registry { entries, program, ..self }
    }

    /// What is wrong with an algorithm that could not be taken in, if there is one.
    pub fn check(&self) -> Result<(), Input> {
        self.refused.clone().map_or(Ok(()), Err)
    }

    /// Its algorithms.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The name of the program, which commands that repeat a run begin with.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The algorithm of that name.
    pub fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The algorithm of that name, or an error that suggests the nearest.
    pub fn named(&self, name: &str) -> Result<&Arc<Entry>, Input> {
        self.check()?;
        self.find(name).ok_or_else(|| {
            let names = self.entries.iter().map(|entry| entry.name.as_str());
            Input::unknown("algorithm", name, names, "hustings list shows all algorithms")
        })
    }
}

/// The algorithms that come with the library, in the order of the tables.
#[cfg(not(test))]
#[cfg_attr(not(feature = "batch"), inline)]
fn standard() -> Vec<Entry> {
    use crate::algorithm::clique::*;
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
        Entry::asynchronous::<Franklin>(),
        Entry::announced::<Franklin>(),
        Entry::asynchronous::<PetersonAlternating>(),
        Entry::announced::<PetersonAlternating>(),
        Entry::asynchronous::<DolevKlaweRodehB>(),
        Entry::announced::<DolevKlaweRodehB>(),
        Entry::asynchronous::<HighamPrzytycka>(),
        Entry::announced::<HighamPrzytycka>(),
        Entry::asynchronous::<HighamPrzytyckaWitness>(),
        Entry::asynchronous::<BidirectionalChangRoberts>(),
        Entry::asynchronous::<ItaiRodeh>(),
        Entry::asynchronous::<FokkinkPang>(),
        Entry::asynchronous::<ProbabilisticFranklin>(),
        Entry::asynchronous::<ContentOblivious>(),
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
        Entry::graph_in_rounds::<SublinearClique>(),
    ]
}

/// Those that the library's own tests name. With all of them these would take as long to compile as
/// the library itself; what is said of every algorithm is tested from outside.
#[cfg(test)]
fn standard() -> Vec<Entry> {
    use crate::algorithm::graph::EchoElection;
    use crate::algorithm::ring::*;
    vec![
        Entry::asynchronous::<LeLann>(),
        Entry::asynchronous::<ChangRoberts>(),
        Entry::asynchronous::<Clockwise>(),
        Entry::asynchronous::<HirschbergSinclair>(),
        Entry::asynchronous::<RadiusGrowth>(),
        Entry::announced::<RadiusGrowth>(),
        Entry::asynchronous::<Peterson>(),
        Entry::asynchronous::<Franklin>(),
        Entry::asynchronous::<DolevKlaweRodehB>(),
        Entry::synchronous::<TimeSlice>(),
        Entry::synchronous::<VariableSpeeds>(),
        Entry::graph::<Announced<EchoElection, Tree>>(),
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
        for error in [registry.check(), registry.named("mine").map(|_| ())] {
            let error = error.expect_err("peterson is taken").to_string();
            let expected = "algorithm = peterson: another algorithm has this name";
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_name_that_cannot_be_typed_is_refused() {
        for bad in ["", "my algorithm", "a,b", "é"] {
            assert!(Registry::standard().with(called(bad)).check().is_err(), "{bad}");
        }
    }

    #[test]
    fn yardsticks_are_algorithms_as_published() {
        let registry = Registry::standard();
        let yardsticks = registry.entries().iter().filter(|entry| entry.yardstick);
        let names: Vec<&str> = yardsticks.map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["chang-roberts", "peterson", "echo-election"]);
    }

    #[test]
    fn every_entry_knows_the_program_that_it_is_in() {
        let registry = Registry::standard().in_program("mine").with(called("late"));
        assert!(registry.entries().iter().all(|entry| entry.program() == "mine"));
        assert_eq!(Entry::asynchronous::<ChangRoberts>().program(), "hustings");
    }
}
