//! Tests for your own algorithm, in one line each.
//!
//! ```
//! use hustings::algorithm::ring::ChangRoberts; // stands for yours
//! use hustings::conformance;
//!
//! // Every small ring, every set of initiators, many schedules: exactly one leader, the right one,
//! // everybody decided, silence in the end, within its bounds.
//! conformance::check::<ChangRoberts>();
//! conformance::assert_bound::<ChangRoberts>(1..=7, "n*(n+1)/2");
//! conformance::assert_mean::<ChangRoberts>(4, 25.0 / 3.0);
//! conformance::assert_messages::<ChangRoberts>(&[3, 1, 2], 5);
//! ```
//!
//! A failure is shrunk to the smallest ring that fails, and told with the command that repeats it
//! and a trace: who sent what to whom.

mod shrink;
mod trace;
mod trial;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::algorithm::Algorithm;
use crate::engine::Entry;
use crate::engine::enumerate::{Census, Rings, Starters};
use crate::experiment::formula::Formula;
use crate::experiment::timing::{Initiators, Timing};
use crate::model::delay::Delay;
use crate::model::process::{Asynchronous, Id, Synchronous};
use crate::model::random::{Key, Purpose, Stream};
use crate::model::stop::NEVER;
use crate::model::theory::Case;

pub use trial::{Problem, Trial};

use trace::{Watched, WatchedInRounds};
use trial::Subject;

/// All rings up to this size meet all sets of initiators and all timings.
const LARGEST: u32 = 5;
/// All rings up to this size are held against theorems about all rings.
const LARGEST_CENSUS: u32 = 7;
/// Larger rings are drawn at random, up to this size.
const LARGEST_DRAWN: u64 = 16;
/// So many of them.
const DRAWN: u64 = 400;
/// So many schedules of each random kind for each small election.
const SCHEDULES: u64 = 6;

/// The timings, the simplest first; those without FIFO links are for who does not need them.
const DELAYS: [Delay; 4] =
    [Delay::Lifo, Delay::Uniform(0.0, 1.0), Delay::Uniform(0.9, 1.1), Delay::Exponential(1.0)];

/// How an algorithm is tested.
pub struct Kit {
    entry: Arc<Entry>,
    largest: u32,
    schedules: u64,
    bound: Option<Formula>,
}

/// What was tested where nothing failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tested {
    /// How many elections were held.
    pub elections: u64,
    /// The largest ring of which all orders were gone through.
    pub largest: u32,
}

/// The smallest election that fails.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The name of the algorithm.
    pub algorithm: String,
    /// The election.
    pub trial: Trial,
    /// What is wrong with it.
    pub problem: Problem,
    /// The command that repeats it.
    pub command: String,
    /// Who sent what to whom.
    pub trace: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trial { ids, initiators, timing, .. } = &self.trial;
        let ring: Vec<String> = ids.iter().map(Id::to_string).collect();
        writeln!(f, "{} fails on a ring of {}: {}", self.algorithm, ids.len(), self.problem)?;
        writeln!(f, "  ring (clockwise) {}; initiators {initiators}; {timing}", ring.join(" "))?;
        write!(f, "  to see it again: {}", self.command)?;
        for line in &self.trace {
            write!(f, "\n    {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

impl Kit {
    /// Tests for an algorithm that needs no clock.
    pub fn asynchronous<A: Algorithm + Asynchronous<Message: Copy> + 'static>() -> Self {
        Kit::registered(&Arc::new(Entry::asynchronous::<Watched<A>>()))
    }

    /// Tests for an algorithm in rounds.
    pub fn synchronous<A: Algorithm + Synchronous<Message: Copy> + 'static>() -> Self {
        Kit::registered(&Arc::new(Entry::synchronous::<WatchedInRounds<A>>()))
    }

    /// Tests for an algorithm of the registry; failures come without a trace.
    pub fn registered(entry: &Arc<Entry>) -> Self {
        Kit { entry: entry.clone(), largest: LARGEST, schedules: SCHEDULES, bound: None }
    }

    /// The same with all rings up to `n` nodes; each node more takes about ten times as long.
    #[must_use]
    pub fn largest(self, n: u32) -> Self {
        Kit { largest: n.max(1), ..self }
    }

    /// The same with so many random schedules for every small election.
    #[must_use]
    pub fn schedules(self, schedules: u64) -> Self {
        Kit { schedules: schedules.max(1), ..self }
    }

    /// The same with an upper bound of the messages of every election.
    pub fn bound(self, formula: &str) -> Result<Self, crate::model::error::Input> {
        Ok(Kit { bound: Some(Formula::parse(formula)?), ..self })
    }

    /// Holds all elections; the smallest that fails, if any does.
    pub fn run(&self) -> Result<Tested, Box<Failure>> {
        let mut subject = Subject::new(&self.entry, self.bound.clone());
        let mut elections = 0;
        let small = (1..=self.largest).flat_map(|n| self.small_trials(n));
        for trial in small.chain(self.drawn_trials()) {
            elections += 1;
            if let Err(problem) = subject.hold(&trial) {
                return Err(Box::new(self.failure(&mut subject, trial, problem)));
            }
        }
        elections += self.check_facts(&mut subject)?;
        Ok(Tested { elections, largest: self.largest })
    }

    /// The timings that the algorithm claims to cope with, the simplest first.
    fn timings(&self) -> Vec<Timing> {
        let mut timings = vec![Timing::SYNC];
        if !self.entry.synchronous {
            let with = |fifo: bool| DELAYS.map(|delay| Timing { delay: Some(delay), fifo });
            timings.extend(with(true));
            if !self.entry.model.needs_fifo {
                timings.extend(with(false));
            }
        }
        timings
    }

    /// All elections of `n` nodes: fewest initiators first, then simplest timing.
    fn small_trials(&self, n: u32) -> Vec<Trial> {
        let mut sets: Vec<u32> = (1..1 << n).collect();
        sets.retain(|set| !self.entry.model.needs_all || set.count_ones() == n);
        sets.sort_by_key(|set| set.count_ones());
        let rings = rings(n, self.first_id());
        let mut trials = Vec::new();
        for sets in sets.chunk_by(|a, b| a.count_ones() == b.count_ones()) {
            for timing in self.timings() {
                let random = timing.is_random();
                let runs = if random { self.schedules } else { 1 };
                for (set, ids) in sets.iter().flat_map(|set| rings.iter().map(move |it| (set, it)))
                {
                    let members = (0..n).filter(|place| set >> place & 1 == 1);
                    let places = members.map(|place| (place, 0)).collect();
                    let initiators = Initiators::All;
                    let trial = Trial { ids: ids.clone(), initiators, timing, run: 0 };
                    let trial = trial.started_by(places);
                    trials.extend((0..runs).map(|run| Trial { run, ..trial.clone() }));
                }
            }
        }
        trials
    }

    /// The smallest of the dense IDs.
    fn first_id(&self) -> Id {
        self.entry.first_dense_id()
    }

    /// Larger rings, drawn at random: any IDs, any initiators, some of them late, any timing.
    fn drawn_trials(&self) -> impl Iterator<Item = Trial> + '_ {
        let key = Key::new(1, "conformance", 0, "", "");
        let timings = self.timings();
        (0..DRAWN).map(move |number| {
            let mut words = key.stream(number, Purpose::Ring);
            let n = 2 + words.below(LARGEST_DRAWN - 1) as u32;
            let mut ids: Vec<Id> = match words.below(2) {
                0 => (self.first_id()..).take(n as usize).collect(),
                _ => crate::experiment::layout::sparse_ids(n, &mut words),
            };
            words.shuffle(&mut ids);
            let timing = timings[words.below(timings.len() as u64) as usize];
            let trial = Trial { ids, initiators: Initiators::All, timing, run: number };
            match self.entry.model.needs_all {
                true => trial,
                false => trial.started_by(drawn_places(n, &mut words)),
            }
        })
    }

    /// Shrinks a failure, and watches it once more.
    fn failure(&self, subject: &mut Subject, trial: Trial, problem: Problem) -> Failure {
        let (trial, problem) = shrink::smallest(subject, trial, problem, &self.timings());
        self.told(subject, trial, problem)
    }

    /// A failure with its command and its steps.
    fn told(&self, subject: &mut Subject, trial: Trial, problem: Problem) -> Failure {
        let trace = trace::record(&trial.ids, || _ = subject.hold(&trial));
        Failure {
            algorithm: self.entry.name.clone(),
            command: subject.command(&trial),
            trial,
            problem,
            trace,
        }
    }

    /// Holds theorems about all rings against all rings; how many there were.
    fn check_facts(&self, subject: &mut Subject) -> Result<u64, Box<Failure>> {
        if self.entry.model.flips_coins {
            return Ok(0);
        }
        let mut elections = 0;
        for n in 1..=LARGEST_CENSUS {
            let Ok(census) = census(&self.entry, n) else { continue };
            elections += census.rings;
            let facts = (self.entry.facts)(&Case::all(u64::from(n)));
            let found = [
                ("best", &facts.best, census.min.messages as f64, &census.min.ring),
                ("mean", &facts.mean, census.mean.as_f64(), &census.min.ring),
                ("worst", &facts.worst, census.max.messages as f64, &census.max.ring),
                ("variance", &facts.variance, census.variance.as_f64(), &census.min.ring),
            ];
            for (name, fact, value, ring) in found {
                let Some(fact) = fact.as_ref().filter(|fact| fact.is_exact()) else { continue };
                let expected = fact.value.as_f64();
                if (expected - value).abs() > 1e-9 * value.abs().max(1.0) {
                    let trial = Trial {
                        ids: ring.clone(),
                        initiators: Initiators::All,
                        timing: Timing::SYNC,
                        run: 0,
                    };
                    let problem = Problem::Expected(format!(
                        "the {name} of all rings is {value}, and theory says {expected} = {}",
                        fact.formula
                    ));
                    return Err(Box::new(self.told(subject, trial, problem)));
                }
            }
        }
        Ok(elections)
    }
}

/// Some places of a ring, with times; the first starts at once.
fn drawn_places(n: u32, words: &mut Stream) -> std::collections::BTreeMap<u32, u64> {
    let count = 1 + words.below(u64::from(n));
    let places = words.choose(u64::from(n), count);
    let late = words.below(2) == 1;
    let mut times = places.iter().map(|_| if late { words.below(2 * u64::from(n)) } else { 0 });
    let times: Vec<u64> = times.by_ref().collect();
    let first = times.iter().copied().min().unwrap_or(0);
    places.into_iter().zip(times).map(|(place, time)| (place as u32, time - first)).collect()
}

/// All (n-1)! rings of the dense IDs from `first` on; the largest stands first.
fn rings(n: u32, first: Id) -> Vec<Vec<Id>> {
    let mut rings = vec![vec![first + Id::from(n) - 1]];
    for id in first..first + Id::from(n) - 1 {
        rings = rings
            .into_iter()
            .flat_map(|ring| {
                (1..=ring.len()).map(move |place| {
                    let mut ring = ring.clone();
                    ring.insert(place, id);
                    ring
                })
            })
            .collect();
    }
    rings
}

/// All rings of n dense IDs, simulated in rounds, everybody starting.
fn census(entry: &Entry, n: u32) -> Result<Census, Box<dyn Error>> {
    let rings = Rings::new(entry, n, Starters::All)?.simulated();
    Ok(rings.census(&NEVER, &|_| {})?)
}

/// Tests an algorithm that needs no clock; panics with the smallest election that fails.
#[track_caller]
pub fn check<A: Algorithm + Asynchronous<Message: Copy> + 'static>() {
    Kit::asynchronous::<A>().run().unwrap_or_else(|failure| panic!("{failure}"));
}

/// Tests an algorithm in rounds; panics with the smallest election that fails.
#[track_caller]
pub fn check_in_rounds<A: Algorithm + Synchronous<Message: Copy> + 'static>() {
    Kit::synchronous::<A>().run().unwrap_or_else(|failure| panic!("{failure}"));
}

/// No ring of these sizes may need more messages than the formula says, in rounds and with everybody
/// starting: all rings up to 7 nodes, a thousand random ones and the worst known beyond.
#[track_caller]
pub fn assert_bound<A: Algorithm + Synchronous<Message: Copy> + 'static>(
    sizes: impl IntoIterator<Item = u32>,
    formula: &str,
) {
    let kit = Kit::synchronous::<A>().bound(formula).unwrap_or_else(|error| panic!("{error}"));
    let mut subject = Subject::new(&kit.entry, kit.bound.clone());
    for n in sizes {
        for ids in sample_rings(&kit, n) {
            let trial = Trial { ids, initiators: Initiators::All, timing: Timing::SYNC, run: 0 };
            if let Err(problem) = subject.hold(&trial) {
                panic!("{}", kit.failure(&mut subject, trial, problem));
            }
        }
    }
}

/// All small rings; many large ones.
fn sample_rings(kit: &Kit, n: u32) -> Vec<Vec<Id>> {
    if n <= LARGEST_CENSUS {
        return rings(n, kit.first_id());
    }
    let key = Key::new(1, "conformance", u64::from(n), "", "");
    let dense: Vec<Id> = (kit.first_id()..).take(n as usize).collect();
    let drawn = (0..1000).map(|run| {
        let mut ids = dense.clone();
        key.stream(run, Purpose::Ring).shuffle(&mut ids);
        ids
    });
    let worst = (kit.entry.worst_ring)(n);
    let worst = worst.map(|ranks| ranks.iter().map(|&rank| dense[rank as usize]).collect());
    drawn.chain(worst).collect()
}

/// The mean over all rings of `n` nodes, in rounds and with everybody starting, must be this.
#[track_caller]
pub fn assert_mean<A: Algorithm + Synchronous<Message: Copy> + 'static>(n: u32, expected: f64) {
    let kit = Kit::synchronous::<A>();
    let mean = census(&kit.entry, n).unwrap_or_else(|error| panic!("{error}")).mean;
    let near = (mean.as_f64() - expected).abs() <= 1e-9 * expected.abs();
    assert!(near, "{}: the mean over all rings of {n} is {mean}, not {expected}", kit.entry.name);
}

/// An election on this ring, in rounds and with everybody starting, must take so many messages.
#[track_caller]
pub fn assert_messages<A: Algorithm + Synchronous<Message: Copy> + 'static>(
    ids: &[Id],
    expected: u64,
) {
    let kit = Kit::synchronous::<A>();
    let mut subject = Subject::new(&kit.entry, None);
    let initiators = Initiators::All;
    let trial = Trial { ids: ids.to_vec(), initiators, timing: Timing::SYNC, run: 0 };
    let problem = match subject.hold(&trial) {
        Ok(Some(messages)) if messages == expected => return,
        Ok(Some(messages)) => Problem::Expected(format!("{messages} messages, not {expected}")),
        Ok(None) => Problem::Expected("no 64-bit clock can follow it".to_owned()),
        Err(problem) => problem,
    };
    panic!("{}", kit.told(&mut subject, trial, problem));
}
