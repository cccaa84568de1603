//! The engine with random delays against a binary heap of (time, number) events.

use std::rc::Rc;

use criterion::Criterion;
use hustings::model::delay::Delay;
use hustings::model::election::Network;
use hustings::model::process::Id;

use super::bare::Heap;
use super::limits::{Group, Limits, Reach, Sides};
use super::rings::{agree, cycle, rings, simulator};
use super::turns::Turns;

pub fn bench(criterion: &mut Criterion<Turns>, limits: &mut Limits) {
    let mut group = limits.group(criterion, "delays");
    for n in [100, 1000, 10_000, 100_000] {
        row(&mut group, "uniform:0..1", n, Delay::Uniform(0.0, 1.0));
        row(&mut group, "exponential:1", n, Delay::Exponential(1.0));
    }
}

fn row(group: &mut Group<'_>, name: &str, n: u32, delay: Delay) {
    group.row((name, n.into()), Reach::Speed(2.2), || {
        let network = |(ids, words)| (ids, Network { delay, fifo: true, words });
        let elections: Rc<[(Vec<Id>, Network)]> = rings(n).into_iter().map(network).collect();
        let mut simulate = simulator("chang-roberts");
        let mut simulate = move |(ids, network): &(Vec<Id>, Network)| simulate(ids, Some(network));
        let mut heap = Heap::default();
        let mut by_heap = move |(ids, network): &(Vec<Id>, _)| heap.chang_roberts(ids, network);
        agree(name, &elections[..2], &mut simulate, &mut by_heap);
        Sides::new(cycle(&elections, simulate), cycle(&elections, by_heap))
    });
}
