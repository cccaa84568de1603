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
            let rings = rings(1000).into_iter().take(20).map(|(ids, _)| ids);
            let rings: Rc<[Vec<Id>]> = rings.collect();
            let ours = || {
                let mut hold = simulator(name);
                move |ids: &Vec<Id>| hold(ids, None)
            };
            agree(name, &rings, ours(), traced(name));
            Sides::new(cycle(&rings, ours()), cycle(&rings, traced(name)))
        });
    }
}

/// The messages of an election of which everything is written down.
fn traced(name: &str) -> impl Fn(&Vec<Id>) -> u64 + use<> {
    let entry = Registry::standard().named(name).expect("registered").clone();
    move |ids| {
        let election =
            Election { ids, starts: &Starts::All, limit: u64::MAX, coins: 0, stop: &NEVER };
        let outcome = Stage::new(&entry, None, &election).play(None);
        outcome.expect("a good election").messages
    }
}
