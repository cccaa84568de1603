//! From an election that fails to the smallest one that does.

use super::trial::{Problem, Subject, Trial};
use crate::experiment::timing::Timing;
use crate::model::process::Id;

/// So many schedules are tried for a smaller election before it is taken for a sound one.
const TRIES: u64 = 30;

/// Makes an election smaller as long as it fails: fewest nodes, then IDs that are ranks, fewest
/// initiators that start at once, simplest timing.
pub(super) fn smallest(
    subject: &mut Subject,
    trial: Trial,
    problem: Problem,
    timings: &[Timing],
) -> (Trial, Problem) {
    let mut found = (trial, problem);
    while let Some(smaller) = candidates(subject, &found.0, timings)
        .into_iter()
        .find_map(|candidate| fails(subject, candidate))
    {
        found = smaller;
    }
    found
}

/// The election, or the same with other delays, if it fails.
fn fails(subject: &mut Subject, trial: Trial) -> Option<(Trial, Problem)> {
    let random = trial.timing.is_random();
    let runs = if random { TRIES } else { 1 };
    (0..runs).find_map(|run| {
        let trial = Trial { run, ..trial.clone() };
        let problem = subject.hold(&trial).err()?;
        Some((trial, problem))
    })
}

/// All elections that are one step smaller, in the order in which they are wanted.
fn candidates(subject: &Subject, trial: &Trial, timings: &[Timing]) -> Vec<Trial> {
    let needs_all = subject.entry.model.needs_all;
    let places = trial.places();
    let mut smaller = Vec::new();
    for gone in 0..trial.n() {
        let mut ids = trial.ids.clone();
        ids.remove(gone as usize);
        let left = places.iter().filter(|&(&place, _)| place != gone);
        let left = left.map(|(&place, &time)| (place - u32::from(place > gone), time));
        let left: std::collections::BTreeMap<u32, u64> = left.collect();
        if !left.is_empty() {
            smaller.push(Trial { ids, ..trial.clone() }.started_by(left));
        }
    }
    let ranks = ranks(subject, &trial.ids);
    if ranks != trial.ids {
        smaller.push(Trial { ids: ranks.clone(), ..trial.clone() });
        for (place, &rank) in ranks.iter().enumerate() {
            if trial.ids[place] > rank && !trial.ids.contains(&rank) {
                let mut ids = trial.ids.clone();
                ids[place] = rank;
                smaller.push(Trial { ids, ..trial.clone() });
            }
        }
    }
    if !needs_all {
        for &gone in places.keys().filter(|_| places.len() > 1) {
            let mut fewer = places.clone();
            fewer.remove(&gone);
            smaller.push(trial.clone().started_by(fewer));
        }
        if places.values().any(|&time| time > 0) {
            smaller.push(trial.clone().started_by(places.keys().map(|&it| (it, 0)).collect()));
        }
    }
    let known = timings.iter().position(|timing| *timing == trial.timing).unwrap_or(0);
    smaller.extend(timings[..known].iter().map(|&timing| Trial { timing, ..trial.clone() }));
    smaller
}

/// The IDs reduced to their ranks.
fn ranks(subject: &Subject, ids: &[Id]) -> Vec<Id> {
    let first = subject.entry.first_dense_id();
    let rank = |id: &Id| first + ids.iter().filter(|other| *other < id).count() as Id;
    ids.iter().map(rank).collect()
}
