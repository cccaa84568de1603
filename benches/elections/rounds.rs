//! The synchronous engine against bare loops: how much of the possible speed is left when
//! algorithms are written as state machines, counted and judged.

use std::rc::Rc;

use criterion::Criterion;
use hustings::model::process::Id;

use super::bare;
use super::limits::{Group, Limits, Reach, Sides};
use super::rings::{agree, cycle, rings, simulator};
use super::turns::Turns;

pub fn bench(criterion: &mut Criterion<Turns>, limits: &mut Limits) {
    let mut group = limits.group(criterion, "rounds");
    for n in [100, 1000, 10_000, 100_000] {
        row(&mut group, "chang-roberts", n, 0.8, bare::chang_roberts);
    }
    for n in [1_000_000, 10_000_000] {
        row(&mut group, "chang-roberts", n, 0.5, bare::chang_roberts);
    }
    for n in [1000, 10_000] {
        row(&mut group, "lelann", n.min(2000), 0.7, bare::lelann);
        row(&mut group, "clockwise", n, 0.7, bare::chang_roberts);
        row(&mut group, "clockwise-join", n, 0.7, bare::chang_roberts);
        row(&mut group, "chang-roberts+announce", n, 0.7, bare::chang_roberts_announced);
        row(&mut group, "hirschberg-sinclair", n, 0.7, bare::hirschberg_sinclair);
        row(&mut group, "k-neighbour", n, 0.7, bare::k_neighbour);
        row(&mut group, "radius-growth", n, 0.7, bare::radius_growth);
        row(&mut group, "peterson", n, 0.7, bare::peterson);
    }
}

fn row(group: &mut Group<'_>, name: &str, n: u32, reach: f64, bare: fn(&[Id]) -> u64) {
    group.row((name, n.into()), Reach::Speed(reach), || {
        let rings: Rc<[Vec<Id>]> = rings(n).into_iter().map(|(ids, _)| ids).collect();
        let mut simulate = simulator(name);
        agree(name, &rings[..2], |ids| simulate(ids, None), |ids| bare(ids));
        Sides::new(
            cycle(&rings, move |ids| simulate(ids, None)),
            cycle(&rings, move |ids| bare(ids)),
        )
    });
}
