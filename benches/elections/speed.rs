//! Messages per second, algorithm by algorithm.

use std::rc::Rc;

use criterion::{BenchmarkId, Criterion, Throughput};
use hustings::model::delay::Delay;
use hustings::model::election::Network;
use hustings::model::process::Id;

use super::rate::Rate;
use super::rings::{cycle, rings, simulator};

pub fn bench(criterion: &mut Criterion<Rate>) {
    let mut group = criterion.benchmark_group("speed");
    let algorithms = ["chang-roberts+announce", "hirschberg-sinclair", "peterson"];
    let delays = [("rounds", None), ("uniform:0..1", Some(Delay::Uniform(0.0, 1.0)))];
    for name in algorithms {
        for (timing, delay) in delays {
            for n in [10, 100, 1000, 10_000] {
                let network = |words| delay.map(|delay| Network { delay, fifo: true, words });
                let elections: Rc<[(Vec<Id>, Option<Network>)]> =
                    rings(n).into_iter().map(|(ids, words)| (ids, network(words))).collect();
                let mut simulate = simulator(name);
                let few = &elections[..elections.len().min(100)];
                let messages: u64 = few.iter().map(|(ids, it)| simulate(ids, it.as_ref())).sum();
                group.throughput(Throughput::Elements(messages / few.len() as u64));
                let mut one = cycle(&elections, move |(ids, it)| simulate(ids, it.as_ref()));
                let id = BenchmarkId::new(format!("{name} {timing}"), n);
                group.bench_function(id, |bencher| bencher.iter(&mut one));
            }
        }
    }
}
