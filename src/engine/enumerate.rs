//! All rings of one size: exact means and variances, the rings with the fewest and the most
//! messages, and the whole distribution.
//!
//! Rings that differ by a rotation are one ring, so the winner-to-be is kept at position 0 and the
//! other n-1 IDs are put into every order. Where a random set of nodes starts, every set meets every
//! ring; where fixed positions start, rotations matter and all n! orders are gone through.

use std::collections::BTreeMap;
use std::fmt;

#[cfg(feature = "batch")]
use rayon::prelude::*;
use thiserror::Error;

use super::simulator::{Entry, Simulator};
use crate::algorithm::On;
use crate::algorithm::count::{Counter, Ids, Ranked, Scratch};
use crate::model::election::{Election, Starts};
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::stop::Stop;
use crate::model::violation::Violation;

/// The largest ring whose orders are gone through: 12! = 479 million of them.
pub const LARGEST_N: u32 = 13;

/// The most elections: hours on a few cores.
pub const MOST_ELECTIONS: u64 = 10_000_000_000;

/// A worker looks up after so many orders, whether it is to stop.
const LOOK: u64 = 1 << 10;

/// Elections that one core counts in a second, roughly.
const ELECTIONS_PER_SECOND: f64 = 5e6;

/// A fraction of whole numbers in lowest terms, never below 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    numerator: u128,
    denominator: u128,
}

impl Fraction {
    /// The fraction in lowest terms; `None` if the denominator is 0.
    pub fn new(numerator: u128, denominator: u128) -> Option<Self> {
        let divisor = gcd(numerator, denominator);
        (denominator > 0).then(|| Fraction {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        })
    }

    /// The nearest floating-point number, or a neighbour of it.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => self.numerator.fmt(f),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// How often each value occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    small: Vec<u64>,
    large: BTreeMap<u64, u64>,
}

/// Values below this are counted in an array, which is faster.
const SMALL: u64 = 1 << 12;

impl Tally {
    fn add(&mut self, value: u64, times: u64) {
        if value >= SMALL {
            *self.large.entry(value).or_default() += times;
            return;
        }
        let value = value as usize;
        if value >= self.small.len() {
            self.small.resize(value + 1, 0);
        }
        self.small[value] += times;
    }

    /// The values that occur with their numbers, in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> + '_ {
        let small = self.small.iter().enumerate().map(|(value, &times)| (value as u64, times));
        let large = self.large.iter().map(|(&value, &times)| (value, times));
        small.chain(large).filter(|&(_, times)| times > 0)
    }

    /// How many values there are, equal ones counted one by one.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, times)| times).sum()
    }

    /// How often a value occurs.
    pub fn times(&self, value: u64) -> u64 {
        if value >= SMALL {
            return self.large.get(&value).copied().unwrap_or(0);
        }
        self.small.get(value as usize).copied().unwrap_or(0)
    }

    /// Σ value^power; `None` beyond 128 bits.
    fn sum(&self, power: u32) -> Option<u128> {
        self.iter().try_fold(0u128, |sum, (value, times)| {
            let term = u128::from(value).checked_pow(power)?.checked_mul(u128::from(times))?;
            sum.checked_add(term)
        })
    }

    /// The mean; `None` of nothing, or beyond 128 bits.
    pub fn mean(&self) -> Option<Fraction> {
        Fraction::new(self.sum(1)?, self.sum(0)?)
    }

    /// The variance over all, (N Σx² - (Σx)²) / N²; `None` of nothing, or beyond 128 bits.
    pub fn variance(&self) -> Option<Fraction> {
        let (count, sum) = (self.sum(0)?, self.sum(1)?);
        let squares = count.checked_mul(self.sum(2)?)?;
        Fraction::new(squares.checked_sub(sum.checked_mul(sum)?)?, count.checked_mul(count)?)
    }
}

/// The fewest or the most messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extreme {
    /// So many messages.
    pub messages: u64,
    /// On so many rings.
    pub rings: u64,
    /// The first of them: the IDs in clockwise order.
    pub ring: Vec<Id>,
    /// The positions of those who start there; `None` if everybody does.
    pub initiators: Option<Vec<u32>>,
}

/// What all rings come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// How many rings there are; where some start, rings with their starters.
    pub rings: u64,
    /// How many rings take so many messages.
    pub messages: Tally,
    /// How many rings take so many rounds of the algorithm, where it has such.
    pub rounds: Tally,
    /// The mean number of messages.
    pub mean: Fraction,
    /// Its variance.
    pub variance: Fraction,
    /// The fewest messages.
    pub min: Extreme,
    /// The most messages.
    pub max: Extreme,
}

/// Who starts, in every election of a census.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Starters {
    /// Everybody.
    All,
    /// Every set of so many nodes.
    EverySetOf(u32),
    /// These positions, each at its time; here rotations matter.
    At(BTreeMap<u32, u64>),
}

impl fmt::Display for Starters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Starters::All => f.write_str("all"),
            Starters::EverySetOf(size) => write!(f, "count:{size}"),
            Starters::At(_) => f.write_str("at fixed positions"),
        }
    }
}

/// All rings of one size, and who starts on them.
#[derive(Debug, Clone)]
pub struct Rings<'a> {
    entry: &'a Entry,
    n: u32,
    starters: Starters,
    /// How often each meets each.
    elections: u64,
    counts: bool,
}

/// An election that went wrong.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{violation}")]
pub struct Broken {
    /// How.
    #[source]
    pub violation: Violation,
    /// The IDs of its ring, clockwise.
    pub ring: Vec<Id>,
    /// Who started.
    pub starts: Starts,
}

impl<'a> Rings<'a> {
    /// All rings of `n` nodes, in rounds; refuses what has no end or takes too long.
    pub fn new(entry: &'a Entry, n: u32, starters: Starters) -> Result<Self, Input> {
        let elections = elections(entry, n, &starters)?;
        Ok(Rings { entry, n, starters, elections, counts: true })
    }

    /// The same with every message delivered, even where a counter is known.
    #[must_use]
    pub fn simulated(self) -> Self {
        Rings { counts: false, ..self }
    }

    /// How many elections there are to hold.
    pub fn elections(&self) -> u64 {
        self.elections
    }

    /// Holds the elections on all rings, on all threads there are; `done` is told how many, now and
    /// then. One that was stopped ends with [`Violation::Stopped`].
    pub fn census(&self, stop: &Stop, done: &(dyn Fn(u64) + Sync)) -> Result<Census, Broken> {
        let starts = self.all_starts();
        let prefix = self.fixed() + DEPTH;
        let parts = each(
            self.tasks(),
            || Worker::new(self, stop),
            |worker, mut ring| {
                let part = worker.hold_all(&mut ring, prefix, &starts)?;
                done(part.messages.total());
                Ok(part)
            },
        )?;
        let mut all = Part::default();
        for part in parts {
            all.absorb(part);
        }
        let Part { messages, rounds, min: Some(min), max: Some(max) } = all else {
            unreachable!("a ring of at least one node has an order");
        };
        // At most 10^10 elections of at most 16·13² + 1024 messages: N Σx² is far below 2^128.
        let small = "128 bits hold all sums of at most 10^10 elections";
        let ids = self.ids();
        let extreme = |found: Found| Extreme {
            messages: found.messages,
            rings: messages.times(found.messages),
            ring: found.ring.iter().map(|&rank| ids.of(rank)).collect(),
            initiators: starts[found.starts].places().map(|all| all.map(|(it, _)| it).collect()),
        };
        Ok(Census {
            rings: self.elections,
            mean: messages.mean().expect(small),
            variance: messages.variance().expect(small),
            min: extreme(min),
            max: extreme(max),
            rounds,
            messages,
        })
    }

    /// How many places of a ring never change: rotations are one ring, unless positions matter.
    fn fixed(&self) -> usize {
        usize::from(!matches!(self.starters, Starters::At(_)))
    }

    /// The dense IDs of the algorithm.
    fn ids(&self) -> Ids<'static> {
        Ids::Dense(self.entry.first_dense_id())
    }

    /// Every way to start: everybody, the named positions, or all sets of so many nodes.
    fn all_starts(&self) -> Vec<Starts> {
        match &self.starters {
            Starters::All => vec![Starts::All],
            Starters::At(places) => {
                vec![Starts::at(places.iter().map(|(&place, &time)| (place, time)))]
            }
            &Starters::EverySetOf(size) => (0u32..1 << self.n)
                .filter(|set| set.count_ones() == size)
                .map(|set| {
                    let members = (0..self.n).filter(|position| set >> position & 1 == 1);
                    Starts::at(members.map(|position| (position, 0)))
                })
                .collect(),
        }
    }

    /// The counter, if there is one and it knows these starters.
    fn counter(&self) -> Option<Counter> {
        let counter = self.entry.counter.filter(|_| self.counts)?;
        let late =
            matches!(&self.starters, Starters::At(places) if places.values().any(|&it| it > 0));
        let covered = self.starters == Starters::All || counter.covers_some_starters();
        (covered && !late).then_some(counter)
    }

    /// The first ring of each task, in lexicographic order.
    fn tasks(&self) -> Vec<Vec<u32>> {
        let (n, fixed) = (self.n, self.fixed());
        let mut ring: Vec<u32> = match self.entry.model.elects.smallest_wins() || fixed == 0 {
            true => (0..n).collect(),
            false => std::iter::once(n - 1).chain(0..n - 1).collect(),
        };
        let prefix = (fixed + DEPTH).min(ring.len());
        let mut tasks = Vec::new();
        loop {
            tasks.push(ring.clone());
            // With the rest in its last order, the next order is the first of the next task.
            ring[prefix..].reverse();
            if !next_order(&mut ring[fixed..]) {
                return tasks;
            }
        }
    }
}

/// How many elections there are to hold; refuses what has no end or takes too long.
fn elections(entry: &Entry, n: u32, starters: &Starters) -> Result<u64, Input> {
    if entry.model.flips_coins {
        let problem = "its participants flip coins, so the ring does not settle the messages";
        let remedy = "use hustings run to measure it";
        return Err(Input::new("algorithm", &entry.name, problem, remedy));
    }
    if entry.model.on != On::Rings {
        let problem = "all rings are gone through, and it is no algorithm for rings";
        let remedy = "use hustings run to measure it";
        return Err(Input::new("algorithm", &entry.name, problem, remedy));
    }
    let number = |value: u64| (1..=u128::from(value)).product::<u128>();
    if n > LARGEST_N {
        let problem = match n {
            14..=30 => {
                let rings = number(u64::from(n) - 1) as f64;
                let seconds = rings / ELECTIONS_PER_SECOND;
                format!("there are {rings:.1e} rings, about {}", duration(seconds))
            }
            _ => "there are more rings than a life has seconds".to_owned(),
        };
        let remedy = format!("use at most {LARGEST_N}, or hustings run to measure it");
        return Err(Input::new("n", n, problem, remedy));
    }
    let wide = u64::from(n);
    let rings = number(wide - 1);
    let elections = match *starters {
        Starters::All => rings,
        Starters::At(_) => number(wide),
        Starters::EverySetOf(size) => {
            let size = u64::from(size.min(n));
            rings * number(wide) / number(size) / number(wide - size)
        }
    };
    match u64::try_from(elections) {
        Ok(elections) if elections <= MOST_ELECTIONS => Ok(elections),
        _ => {
            let seconds = elections as f64 / ELECTIONS_PER_SECOND;
            let problem = format!(
                "with initiators {starters} there are {:.1e} elections, about {}",
                elections as f64,
                duration(seconds)
            );
            Err(Input::new("n", n, problem, "use a smaller n, or all initiators"))
        }
    }
}

/// So many seconds of work for one core, for people.
fn duration(seconds: f64) -> String {
    let (amount, unit) = match seconds {
        s if s < 7200.0 => (s / 60.0, "minutes"),
        s if s < 2.0 * 86_400.0 => (s / 3600.0, "hours"),
        s if s < 2.0 * 31_557_600.0 => (s / 86_400.0, "days"),
        s => (s / 31_557_600.0, "years"),
    };
    format!("{amount:.0} {unit} on one core")
}

/// Does the work of each task with somebody who can be used again, on all threads there are; the
/// results stay in order.
#[cfg(feature = "batch")]
fn each<T: Send, W, R: Send, E: Send>(
    tasks: Vec<T>,
    worker: impl Fn() -> W + Sync + Send,
    work: impl Fn(&mut W, T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    tasks.into_par_iter().map_init(worker, work).collect()
}

/// The same one after another, where there are no threads.
#[cfg(not(feature = "batch"))]
fn each<T, W, R, E>(
    tasks: Vec<T>,
    worker: impl Fn() -> W,
    work: impl Fn(&mut W, T) -> Result<R, E>,
) -> Result<Vec<R>, E> {
    let mut worker = worker();
    tasks.into_iter().map(|task| work(&mut worker, task)).collect()
}

/// A task fixes so many places of the ring, and goes through all orders of the rest.
const DEPTH: usize = 3;

/// Makes the next order in lexicographic order; `false` after the last.
fn next_order(ranks: &mut [u32]) -> bool {
    let Some(pivot) = ranks.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let rest = ranks[pivot + 1..].iter().rposition(|&rank| rank > ranks[pivot]);
    let successor = pivot + 1 + rest.expect("the one after the pivot is larger");
    ranks.swap(pivot, successor);
    ranks[pivot + 1..].reverse();
    true
}

/// The first ring with the fewest or the most messages so far.
struct Found {
    messages: u64,
    ring: Vec<u32>,
    /// The number of its set of initiators.
    starts: usize,
}

/// What some of the rings come to.
#[derive(Default)]
struct Part {
    messages: Tally,
    rounds: Tally,
    min: Option<Found>,
    max: Option<Found>,
}

impl Part {
    fn add(&mut self, messages: u64, rounds: Option<u64>, ring: &[u32], starts: usize) {
        self.messages.add(messages, 1);
        if let Some(rounds) = rounds {
            self.rounds.add(rounds, 1);
        }
        keep(&mut self.min, messages, ring, starts, |new, old| new < old);
        keep(&mut self.max, messages, ring, starts, |new, old| new > old);
    }

    /// Adds rings that come later in lexicographic order.
    fn absorb(&mut self, later: Part) {
        later.messages.iter().for_each(|(value, times)| self.messages.add(value, times));
        later.rounds.iter().for_each(|(value, times)| self.rounds.add(value, times));
        if let Some(Found { messages, ring, starts }) = later.min {
            keep(&mut self.min, messages, &ring, starts, |new, old| new < old);
        }
        if let Some(Found { messages, ring, starts }) = later.max {
            keep(&mut self.max, messages, &ring, starts, |new, old| new > old);
        }
    }
}

/// Keeps a ring if it is better than the one found before.
fn keep(
    found: &mut Option<Found>,
    messages: u64,
    ring: &[u32],
    starts: usize,
    is_better: impl Fn(u64, u64) -> bool,
) {
    match found {
        None => *found = Some(Found { messages, ring: ring.to_vec(), starts }),
        Some(old) if is_better(messages, old.messages) => {
            (old.messages, old.starts) = (messages, starts);
            old.ring.copy_from_slice(ring);
        }
        Some(_) => {}
    }
}

/// Holds elections one after another, without allocating.
struct Worker<'a> {
    rings: &'a Rings<'a>,
    stop: &'a Stop,
    counter: Option<Counter>,
    scratch: Scratch,
    simulator: Box<dyn Simulator>,
    ids: Vec<Id>,
}

impl<'a> Worker<'a> {
    fn new(rings: &'a Rings<'a>, stop: &'a Stop) -> Self {
        Worker {
            rings,
            stop,
            counter: rings.counter(),
            scratch: Scratch::default(),
            simulator: (rings.entry.simulator)(),
            ids: Vec::with_capacity(rings.n as usize),
        }
    }

    /// Goes through all orders of the places from `prefix` on, which are in their first order.
    fn hold_all(
        &mut self,
        ring: &mut [u32],
        prefix: usize,
        starts: &[Starts],
    ) -> Result<Part, Broken> {
        let prefix = prefix.min(ring.len());
        let mut part = Part::default();
        for order in 0u64.. {
            if order.is_multiple_of(LOOK) && self.stop.is_asked() {
                return Err(self.broken(Violation::Stopped, ring, &starts[0]));
            }
            for (number, starts) in starts.iter().enumerate() {
                let (messages, rounds) = self
                    .hold(ring, starts)
                    .map_err(|violation| self.broken(violation, ring, starts))?;
                part.add(messages, rounds, ring, number);
            }
            if !next_order(&mut ring[prefix..]) {
                break;
            }
        }
        Ok(part)
    }

    /// The messages and rounds of one election.
    fn hold(&mut self, ranks: &[u32], starts: &Starts) -> Result<(u64, Option<u64>), Violation> {
        let ids = self.rings.ids();
        if let Some(counter) = self.counter
            && let Some(count) = (counter.count)(&Ranked { ranks, ids, starts }, &mut self.scratch)
        {
            return Ok((count.messages(), count.rounds));
        }
        self.ids.clear();
        self.ids.extend(ranks.iter().map(|&rank| ids.of(rank)));
        let n = ranks.len() as u64;
        let limit = Election::usual_limit(n, n);
        let election = Election { ids: &self.ids, starts, limit, coins: 0, stop: self.stop };
        let outcome = self.simulator.run(&election, None)?;
        Ok((outcome.messages, outcome.rounds))
    }

    fn broken(&self, violation: Violation, ranks: &[u32], starts: &Starts) -> Broken {
        let ids = self.rings.ids();
        let ring = ranks.iter().map(|&rank| ids.of(rank)).collect();
        Broken { violation, ring, starts: starts.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Registry;

    #[test]
    fn fractions_are_reduced() {
        assert_eq!(Fraction::new(6, 4).expect("good").to_string(), "3/2");
        assert_eq!(Fraction::new(0, 7).expect("good").to_string(), "0");
        assert_eq!(Fraction::new(8, 4).expect("good").to_string(), "2");
        assert_eq!(Fraction::new(1, 0), None);
    }

    #[test]
    fn tallies_know_their_moments() {
        let mut tally = Tally::default();
        assert_eq!((tally.mean(), tally.variance()), (None, None));
        for value in [1, 2, 2, 100_000] {
            tally.add(value, 1);
        }
        assert_eq!(tally.iter().collect::<Vec<_>>(), [(1, 1), (2, 2), (100_000, 1)]);
        assert_eq!((tally.times(2), tally.times(100_000), tally.times(7)), (2, 1, 0));
        assert_eq!(tally.mean(), Fraction::new(100_005, 4));
        tally.add(u64::MAX, u64::MAX);
        assert_eq!(tally.variance(), None);
    }

    #[test]
    fn tasks_cover_every_order_once_and_in_order() {
        for (n, fixed, orders) in [(1, 1, 1), (2, 1, 1), (5, 1, 24), (6, 0, 720), (7, 1, 720)] {
            for name in ["chang-roberts", "time-slice"] {
                let registry = Registry::standard();
                let starters = match fixed {
                    0 => Starters::At(BTreeMap::from([(0, 0)])),
                    _ => Starters::All,
                };
                let entry = registry.named(name).expect("known");
                let mut seen = Vec::new();
                for mut ring in Rings::new(entry, n, starters).expect("small").tasks() {
                    loop {
                        seen.push(ring.clone());
                        let prefix = (fixed + DEPTH).min(ring.len());
                        if !next_order(&mut ring[prefix..]) {
                            break;
                        }
                    }
                }
                assert_eq!(seen.len(), orders);
                assert!(seen.is_sorted_by(|a, b| a < b), "{name} {n}");
                assert!(seen.iter().all(|ring| fixed == 0 || ring[0] == seen[0][0]));
            }
        }
    }

    #[test]
    fn elections_are_numbered_before_they_are_held() {
        let registry = Registry::standard();
        let entry = registry.named("chang-roberts").expect("known");
        let number = |n, starters| elections(entry, n, &starters);
        assert_eq!(number(8, Starters::All), Ok(5040));
        assert_eq!(number(8, Starters::EverySetOf(3)), Ok(56 * 5040));
        assert_eq!(number(8, Starters::EverySetOf(1)), Ok(8 * 5040));
        assert_eq!(number(8, Starters::At(BTreeMap::from([(0, 0), (2, 0)]))), Ok(40_320));
        assert_eq!(number(13, Starters::All), Ok(479_001_600));
        for (n, starters) in
            [(14, Starters::All), (13, Starters::EverySetOf(6)), (1_000_000, Starters::All)]
        {
            assert!(number(n, starters.clone()).is_err(), "{n} {starters:?}");
        }
    }

    #[test]
    fn a_census_that_is_stopped_ends() {
        let registry = Registry::standard();
        let stop = Stop::new();
        stop.ask();
        let entry = registry.named("chang-roberts").expect("known");
        let rings = Rings::new(entry, 13, Starters::All).expect("not too many");
        let broken = rings.census(&stop, &|_| {}).expect_err("stopped");
        assert_eq!(broken.violation, Violation::Stopped);
    }
}
