//! The elections that both sides hold.

use std::rc::Rc;

use hustings::engine::{Registry, Simulator};
use hustings::model::election::{Election, Network, Starts};
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose, Stream};
use hustings::model::stop::NEVER;

/// Rings enough for 300,000 nodes, so that no branch predictor learns them by heart, and the random
/// words for the delays of each.
pub fn rings(n: u32) -> Vec<(Vec<Id>, Stream)> {
    let key = Key::new(1, "ring", u64::from(n), "random", "dense");
    (0..u64::from((300_000 / n).max(2)))
        .map(|run| {
            let mut ids: Vec<Id> = (1..=Id::from(n)).collect();
            key.stream(run, Purpose::Ring).shuffle(&mut ids);
            (ids, key.stream(run, Purpose::Delays))
        })
        .collect()
}

/// The messages of an election, delivered by our engine.
pub fn simulator(name: &str) -> impl FnMut(&[Id], Option<&Network>) -> u64 + use<> {
    let mut simulator = named(name);
    move |ids, network| {
        let election =
            Election { ids, starts: &Starts::All, limit: u64::MAX, coins: 0, stop: &NEVER };
        simulator.run(&election, network).expect("a good election").messages
    }
}

fn named(name: &str) -> Box<dyn Simulator> {
    (Registry::standard().named(name).expect("registered").simulator)()
}

/// A side that holds one election after the other, and begins again after the last.
pub fn cycle<R: 'static>(
    elections: &Rc<[R]>,
    mut hold: impl FnMut(&R) -> u64 + 'static,
) -> Box<dyn FnMut()> {
    let (elections, mut next) = (Rc::clone(elections), 0);
    Box::new(move || {
        std::hint::black_box(hold(&elections[next]));
        next = (next + 1) % elections.len();
    })
}

/// Both sides must send the same number of messages.
pub fn agree<R>(
    name: &str,
    rings: &[R],
    ours: impl FnMut(&R) -> u64,
    limit: impl FnMut(&R) -> u64,
) {
    let messages: u64 = rings.iter().map(ours).sum();
    assert_eq!(messages, rings.iter().map(limit).sum::<u64>(), "{name}");
}
