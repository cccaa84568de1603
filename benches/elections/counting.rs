//! Counting a random ring against drawing it.

use std::hint::black_box;

use criterion::Criterion;
use hustings::algorithm::count::{Ids, Ranked, Scratch};
use hustings::engine::{Entry, Registry};
use hustings::model::election::Starts;
use hustings::model::random::{Key, Purpose};

use super::limits::{Group, Limits, Reach, Sides};
use super::turns::Turns;

pub fn bench(criterion: &mut Criterion<Turns>, limits: &mut Limits) {
    let registry = Registry::standard();
    let mut group = limits.group(criterion, "counting");
    for n in [1000, 10_000, 100_000, 1_000_000] {
        // Announcing costs a counter nothing.
        let published = registry.entries().iter().filter(|entry| !entry.name.contains('+'));
        for entry in published {
            row(&mut group, entry, n);
        }
    }
}

fn row(group: &mut Group<'_>, entry: &Entry, n: usize) {
    let Some(counter) = entry.counter else { return };
    let ids = Ids::Dense(if entry.model.elects.smallest_wins() { 0 } else { 1 });
    let counted = move |ranks: &[u32], scratch: &mut Scratch| {
        let ring = Ranked { ranks, ids, starts: &Starts::All };
        black_box((counter.count)(&ring, scratch)).is_some()
    };
    let ascending: Vec<u32> = (0..n as u32).collect();
    if !counted(&ascending, &mut Scratch::default()) {
        return; // It takes longer than the clock can tell.
    }
    let most = if entry.name == "chang-roberts" { 1.9 } else { 3.0 };
    group.row((&entry.name, n as u64), Reach::Time(most), || {
        let (mut ours, mut limit) = (Drawn::new(n), Drawn::new(n));
        let mut scratch = Scratch::default();
        let count = move || _ = counted(ours.draw(), &mut scratch);
        Sides::new(count, move || _ = black_box(limit.draw()))
    });
}

/// One random ring after the other.
struct Drawn {
    key: Key,
    run: u64,
    ranks: Vec<u32>,
}

impl Drawn {
    fn new(n: usize) -> Self {
        let key = Key::new(1, "ring", n as u64, "random", "dense");
        Drawn { key, run: 0, ranks: vec![0; n] }
    }

    fn draw(&mut self) -> &[u32] {
        for (rank, place) in (0..).zip(self.ranks.iter_mut()) {
            *place = rank;
        }
        self.key.stream(self.run, Purpose::Ring).shuffle(&mut self.ranks);
        self.run += 1;
        &self.ranks
    }
}
