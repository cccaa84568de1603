//! What is written down costs only whom it is written for.
//!
//! Tracing cannot be switched on in the engines, so there is nothing in them whose cost could be measured:
//! a trace is held by a second engine. How far the two are apart is what a row shows.

use std::rc::Rc;

use criterion::Criterion;
use hustings::engine::Registry;
use hustings::engine::trace::Stage;
use hustings::model::election::{Election, Starts};
use hustings::model::process::Id;
use hustings::model::stop::NEVER;

use super::limits::{Limits, Reach, Sides};
use super::rings::{agree, cycle, rings, simulator};
use super::turns::Turns;

/// The engine against the one that writes every event down, in rounds.
pub fn bench(criterion: &mut Criterion<Turns>, limits: &mut Limits) {
    let mut group = limits.group(criterion, "without a trace, against with one");
    for name in ["chang-roberts", "peterson"] {
        group.row((name, 1000), Reach::Speed(10.0), move || {
            let rings: Rc<[Vec<Id>]> =
                rings(1000).into_iter().take(20).map(|(ids, _)| ids).collect();
            let held =
                move |mut engine: Box<dyn FnMut(&[Id]) -> u64>| move |ids: &Vec<Id>| engine(ids);
            let ours = |name| {
                let mut hold = simulator(name);
                held(Box::new(move |ids: &[Id]| hold(ids, None)))
            };
            agree(name, &rings, ours(name), |ids| traced(name, ids));
            let limit = move |ids: &Vec<Id>| traced(name, ids);
            Sides::new(cycle(&rings, ours(name)), cycle(&rings, limit))
        });
    }
}

/// The messages of an election of which everything was written down.
fn traced(name: &str, ids: &[Id]) -> u64 {
    let registry = Registry::standard();
    let entry = registry.named(name).expect("registered");
    let election = Election { ids, starts: &Starts::All, limit: u64::MAX, coins: 0, stop: &NEVER };
    let mut stage = Stage::new(entry, None, &election);
    stage.play(None).expect("a good election").messages
}
