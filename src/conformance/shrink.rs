//! From an election that fails to the smallest one that does.

use std::collections::BTreeMap;

use super::network::Network;
use super::subject::Subject;
use super::trial::{Problem, Trial};
use crate::experiment::timing::Timing;
use crate::model::process::Id;

/// So many schedules are tried for a smaller election before it is taken for a sound one.
const TRIES: u64 = 30;

/// Makes an election smaller as long as it fails: fewest nodes, then fewest edges, IDs that are
/// ranks and stand in the order of the nodes, fewest initiators that start at once, simplest timing.
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

/// Whether every run of an election draws something of its own.
fn draws(subject: &Subject, trial: &Trial) -> bool {
    trial.timing.is_random() || subject.entry.model.flips_coins
}

/// The election, or the same with other delays, if it fails.
fn fails(subject: &mut Subject, trial: Trial) -> Option<(Trial, Problem)> {
    let runs = if draws(subject, &trial) { TRIES } else { 1 };
    (0..runs).find_map(|run| {
        let trial = Trial { run, ..trial.clone() };
        let problem = subject.hold(&trial).err()?;
        Some((trial, problem))
    })
}

/// All elections that are one step smaller, in the order in which they are wanted.
fn candidates(subject: &Subject, trial: &Trial, timings: &[Timing]) -> Vec<Trial> {
    let mut smaller = with_fewer_nodes(trial);
    let thinner = trial.network.thinner().into_iter();
    smaller.extend(thinner.map(|network| Trial { network, ..trial.clone() }));
    smaller.extend(with_plainer_ids(trial, subject.entry.first_dense_id()));
    if !subject.entry.model.needs_all {
        smaller.extend(with_plainer_starts(trial));
    }
    let known = timings.iter().position(|timing| *timing == trial.timing).unwrap_or(0);
    smaller.extend(timings[..known].iter().map(|&timing| Trial { timing, ..trial.clone() }));
    if trial.run > 0 && !draws(subject, trial) {
        smaller.push(Trial { run: 0, ..trial.clone() });
    }
    smaller
}

/// One node less; somebody must be left who starts.
fn with_fewer_nodes(trial: &Trial) -> Vec<Trial> {
    let places = trial.places();
    let without = |(gone, network)| {
        let mut ids = trial.ids.clone();
        ids.remove(gone as usize);
        let left = places.iter().filter(|&(&place, _)| place != gone);
        let left = left.map(|(&place, &time)| (place - u32::from(place > gone), time));
        let left: BTreeMap<u32, u64> = left.collect();
        let starts = !left.is_empty();
        starts.then(|| Trial { network, ids, ..trial.clone() }.started_by(left))
    };
    trial.network.smaller().into_iter().filter_map(without).collect()
}

/// The IDs reduced to their ranks, all or one by one; then, on a graph, nodes in the order of IDs.
fn with_plainer_ids(trial: &Trial, first: Id) -> Vec<Trial> {
    let Trial { ids, .. } = trial;
    let rank = |id: &Id| first + ids.iter().filter(|other| *other < id).count() as Id;
    let ranks: Vec<Id> = ids.iter().map(rank).collect();
    let mut plainer = Vec::new();
    if ranks != *ids {
        plainer.push(Trial { ids: ranks.clone(), ..trial.clone() });
        for (place, &rank) in ranks.iter().enumerate() {
            if ids[place] > rank && !ids.contains(&rank) {
                let mut ids = ids.clone();
                ids[place] = rank;
                plainer.push(Trial { ids, ..trial.clone() });
            }
        }
    }
    plainer.extend(in_order_of_ids(trial));
    plainer
}

/// The same graph with its nodes numbered by their IDs, if they are not.
fn in_order_of_ids(trial: &Trial) -> Option<Trial> {
    if trial.ids.is_sorted() || matches!(trial.network, Network::Ring(_)) {
        return None;
    }
    let mut order: Vec<u32> = (0..trial.n()).collect();
    order.sort_by_key(|&node| trial.ids[node as usize]);
    let network = trial.network.renumbered(&order);
    let ids = order.iter().map(|&node| trial.ids[node as usize]).collect();
    let places = trial.places();
    let starters = (0..).zip(&order).filter_map(|(new, old)| Some((new, *places.get(old)?)));
    let starters = starters.collect();
    Some(Trial { network, ids, ..trial.clone() }.started_by(starters))
}

/// One initiator less, or all at once.
fn with_plainer_starts(trial: &Trial) -> Vec<Trial> {
    let places = trial.places();
    let mut plainer = Vec::new();
    for &gone in places.keys().filter(|_| places.len() > 1) {
        let mut fewer = places.clone();
        fewer.remove(&gone);
        plainer.push(trial.clone().started_by(fewer));
    }
    if places.values().any(|&time| time > 0) {
        plainer.push(trial.clone().started_by(places.keys().map(|&it| (it, 0)).collect()));
    }
    plainer
}
