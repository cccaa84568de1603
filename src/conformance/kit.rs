//! The kit: how an algorithm is tested, and what comes of it.

use std::sync::Arc;

use super::every_schedule::Way;
use super::failure::Failure;
use super::shrink;
use super::subject::Subject;
use super::theorems;
use super::trial::{Problem, Trial};
use super::trials::Trials;
use crate::algorithm::{Algorithm, On};
use crate::engine::Entry;
use crate::experiment::formula::Formula;
use crate::model::error::Input;
use crate::model::process::{Asynchronous, Synchronous};

/// All networks up to this size meet all sets of initiators and all timings.
pub(super) const LARGEST: u32 = 5;
/// So many larger ones are drawn at random.
pub(super) const DRAWN: u64 = 1000;
/// So many schedules for each small election.
const SCHEDULES: u64 = 6;

/// How an algorithm is tested.
#[derive(Debug, Clone)]
pub struct Kit {
    entry: Arc<Entry>,
    largest: u32,
    schedules: u64,
    explored: u32,
    bound: Option<Formula>,
}

/// What was tested where nothing failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tested {
    /// How many elections were held.
    pub elections: u64,
    /// Up to this size all networks were gone through, in all orders of their IDs.
    pub largest: u32,
    /// Of how many elections every schedule was tried.
    pub explored: u64,
    /// Of how many it would have taken too long.
    pub given_up: u64,
}

impl Kit {
    /// Tests for an algorithm on rings that needs no clock.
    pub fn asynchronous<A: Algorithm + Asynchronous<Message: Copy> + 'static>() -> Self {
        const { assert!(matches!(A::MODEL.on, On::Rings), "trees and graphs have Kit::graph") };
        Kit::registered(&Arc::new(Entry::asynchronous::<A>()))
    }

    /// Tests for an algorithm on rings, in rounds.
    pub fn synchronous<A: Algorithm + Synchronous<Message: Copy> + 'static>() -> Self {
        const { assert!(matches!(A::MODEL.on, On::Rings), "trees and graphs have Kit::graph") };
        Kit::registered(&Arc::new(Entry::synchronous::<A>()))
    }

    /// Tests for an algorithm on trees or graphs.
    pub fn graph<A: Algorithm + Asynchronous + 'static>() -> Self {
        const { assert!(!matches!(A::MODEL.on, On::Rings), "rings have Kit::asynchronous") };
        Kit::registered(&Arc::new(Entry::graph::<A>()))
    }

    /// Tests for an algorithm of the registry.
    pub fn registered(entry: &Arc<Entry>) -> Self {
        let explored = match entry.model.on {
            On::Rings | On::Trees => 4,
            On::Graphs | On::Cliques => 3,
        };
        let (entry, largest, schedules) = (entry.clone(), LARGEST, SCHEDULES);
        Kit { entry, largest, schedules, explored, bound: None }
    }

    /// The same with all networks up to `n` nodes; each node more takes about ten times as long on
    /// rings and trees, and a hundred times on graphs.
    #[must_use]
    pub fn largest(self, n: u32) -> Self {
        Kit { largest: n.max(1), ..self }
    }

    /// The same with so many schedules for every small election: delays where they are random, and on
    /// graphs ports in another order. Graphs of five nodes and more are many: they have a sixth of it.
    #[must_use]
    pub fn schedules(self, schedules: u64) -> Self {
        Kit { schedules: schedules.max(1), ..self }
    }

    /// The same with every schedule of all elections up to `n` nodes, 0 for none: 4 on rings and trees
    /// and 3 on graphs unless something else is said. Of an election with very many schedules a part
    /// is tried, which [`Tested`] says.
    #[must_use]
    pub fn every_schedule_up_to(self, n: u32) -> Self {
        Kit { explored: n, ..self }
    }

    /// The same with an upper bound of the messages of every election. Where some start late, a bound
    /// in the number of initiators says nothing.
    pub fn bound(self, formula: &str) -> Result<Self, Input> {
        Ok(Kit { bound: Some(Formula::parse(formula)?), ..self })
    }

    /// Holds all elections; the smallest that fails, if any does.
    pub fn run(&self) -> Result<Tested, Box<Failure>> {
        let mut subject = self.subject();
        let trials = self.trials();
        let small = (1..=self.largest).flat_map(|n| trials.small(n));
        let held = self.hold(&mut subject, small.chain(trials.drawn(DRAWN)))?;
        let told = |refuted: Box<(Trial, Problem)>| self.told(&mut subject, refuted.0, refuted.1);
        let counted = theorems::check(&self.entry).map_err(told)?;
        let explored = self.explore(&mut subject)?;
        Ok(Tested { elections: held + counted, largest: self.largest, ..explored })
    }

    /// Tries every schedule of small elections; what was tried, or one that fails.
    fn explore(&self, subject: &mut Subject) -> Result<Tested, Box<Failure>> {
        let mut tested = Tested { elections: 0, largest: 0, explored: 0, given_up: 0 };
        let trials = self.trials();
        let largest = if self.entry.synchronous { 0 } else { self.explored };
        for trial in (1..=largest).flat_map(|n| trials.to_explore(n)) {
            for way in Way::all(&self.entry, &trial) {
                match way.explore(subject, &trial) {
                    Ok(true) => tested.explored += 1,
                    Ok(false) => tested.given_up += 1,
                    Err(found) => {
                        let (problem, schedule) = *found;
                        return Err(Box::new(Failure {
                            algorithm: self.entry.name.clone(),
                            command: way.command(subject, &trial),
                            trace: way.trace(subject, &trial, &schedule),
                            schedule: Some(schedule),
                            trial: way.of(trial),
                            problem,
                        }));
                    }
                }
            }
        }
        Ok(tested)
    }

    /// Holds these elections; how many there were, or the smallest that fails.
    pub(super) fn hold(
        &self,
        subject: &mut Subject,
        trials: impl Iterator<Item = Trial>,
    ) -> Result<u64, Box<Failure>> {
        let mut elections = 0;
        for trial in trials {
            elections += 1;
            if let Err(problem) = subject.hold(&trial) {
                let timings = self.trials().timings();
                let (trial, problem) = shrink::smallest(subject, trial, problem, &timings);
                return Err(self.told(subject, trial, problem));
            }
        }
        Ok(elections)
    }

    /// A failure with its command and its steps.
    pub(super) fn told(
        &self,
        subject: &mut Subject,
        trial: Trial,
        problem: Problem,
    ) -> Box<Failure> {
        let trace = subject.trace(&trial);
        Box::new(Failure {
            algorithm: self.entry.name.clone(),
            command: subject.command(&trial),
            trial,
            problem,
            trace,
            schedule: None,
        })
    }

    pub(super) fn entry(&self) -> &Entry {
        &self.entry
    }

    pub(super) fn subject(&self) -> Subject {
        Subject::new(&self.entry, self.bound.clone())
    }

    pub(super) fn trials(&self) -> Trials<'_> {
        Trials { entry: &self.entry, schedules: self.schedules }
    }
}
