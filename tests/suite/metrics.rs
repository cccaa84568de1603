//! Every fact of every algorithm about every metric, held against all small rings and networks.

use std::collections::BTreeMap;

use hustings::algorithm::On;
use hustings::engine::{Entry, Simulator};
use hustings::model::election::{Election, Starts};
use hustings::model::metric::Metric;
use hustings::model::outcome::Outcome;
use hustings::model::stop::NEVER;
use hustings::model::theory::{Case, Certainty, Fact, Facts};
use hustings::model::topology::{Graph, Ports, Shape};

use crate::common::{LIMIT, REGISTRY, dense, elect, every_ring, on_rings, starts_of};

/// What many elections came to, metric by metric.
#[derive(Default)]
struct Found {
    values: BTreeMap<Metric, Vec<f64>>,
}

impl Found {
    fn add(&mut self, outcome: &Outcome) {
        for metric in Metric::ALL {
            self.values.entry(metric).or_default().extend(metric.of(outcome));
        }
    }
}

fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

/// Holds the facts of one case against all of its elections; gives how many facts there were. Those
/// that claim to be attained are, if all rings were gone through.
fn check(entry: &Entry, case: &Case, found: &Found, all_rings: bool) -> usize {
    let mut checked = 0;
    for metric in Metric::ALL {
        let facts = entry.theory(metric, case);
        let values = &found.values[&metric];
        if facts == Facts::default() {
            continue;
        }
        let name = format!("{}, {metric}, {case:?}", entry.name);
        assert!(!values.is_empty(), "{name}: nothing was measured");
        let [least, most] = [f64::min, f64::max]
            .map(|pick| values.iter().copied().reduce(pick).expect("some elections"));
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance =
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        let value = |fact: &Fact| fact.value.as_f64();
        if let Some(best) = &facts.best {
            assert!(value(best) <= least, "{name}: {least} below {best:?}");
            let attained = !all_rings || !best.is_exact() || equal(value(best), least);
            assert!(attained, "{name}: {least}, not {best:?}");
        }
        if let Some(worst) = &facts.worst {
            assert!(value(worst) >= most, "{name}: {most} above {worst:?}");
            let attained = !all_rings || !worst.is_exact() || equal(value(worst), most);
            assert!(attained, "{name}: {most}, not {worst:?}");
        }
        for (fact, value) in [(&facts.mean, mean), (&facts.variance, variance)] {
            let Some(fact) = fact.as_ref().filter(|fact| all_rings && fact.is_exact()) else {
                continue;
            };
            assert!(equal(fact.value.as_f64(), value), "{name}: {value}, not {fact:?}");
        }
        assert!(facts.named().iter().all(|(_, fact)| {
            fact.is_none_or(|fact| !fact.formula.is_empty() && !fact.source.is_empty())
        }));
        checked += 1;
    }
    checked
}

#[test]
fn every_fact_about_rings_on_which_all_start_holds_on_all_of_them() {
    let mut checked = 0;
    for entry in on_rings() {
        let mut simulator = (entry.simulator)();
        for n in 1..=7 {
            let mut found = Found::default();
            every_ring(n, |ranks| {
                let ids = dense(entry, ranks);
                found.add(&elect(simulator.as_mut(), &ids, &Starts::All, None));
            });
            // Where coins are flipped, these are not all elections.
            let all = !entry.model.flips_coins;
            checked += check(entry, &Case::all(n.into()), &found, all);
        }
    }
    assert!(checked > 700, "{checked}");
}

#[test]
fn every_fact_about_some_starters_holds_for_every_set_of_them_on_all_rings() {
    for entry in on_rings().filter(|entry| !entry.model.needs_all) {
        let mut simulator = (entry.simulator)();
        for n in 2..=5u32 {
            let mut by_number: BTreeMap<u32, Found> = BTreeMap::new();
            for set in 1..(1u32 << n) - 1 {
                // Every ring in all its rotations: the positions of the starters are fixed.
                let mut found = Found::default();
                every_ring(n, |ranks| {
                    let mut ids = dense(entry, ranks);
                    for _ in 0..n {
                        ids.rotate_right(1);
                        let outcome = elect(simulator.as_mut(), &ids, &starts_of(set), None);
                        found.add(&outcome);
                        by_number.entry(set.count_ones()).or_default().add(&outcome);
                    }
                });
                let positions: Vec<u32> = (0..n).filter(|node| set >> node & 1 == 1).collect();
                let case = Case::starting_at(n.into(), &positions);
                // The extremes are those over all sets of as many, the means those of this one.
                for metric in Metric::ALL.into_iter().filter(|_| !entry.model.flips_coins) {
                    let facts = entry.theory(metric, &case);
                    let Some(mean) = facts.mean.filter(Fact::is_exact) else { continue };
                    let values = &found.values[&metric];
                    let value = values.iter().sum::<f64>() / values.len() as f64;
                    let name = format!("{}, {metric}, {positions:?} of {n}", entry.name);
                    assert!(equal(value, mean.value.as_f64()), "{name}: {value}, not {mean:?}");
                }
            }
            for (k, found) in by_number {
                let case = Case::ring(n.into(), Some(k.into()));
                check(entry, &case, &found, !entry.model.flips_coins);
            }
        }
    }
}

/// Some small networks: all trees of four nodes among them, up to symmetry.
fn networks() -> Vec<Graph> {
    let edges: [(u32, &[(u32, u32)]); 9] = [
        (1, &[]),
        (2, &[(0, 1)]),
        (3, &[(0, 1), (1, 2)]),
        (4, &[(0, 1), (1, 2), (2, 3)]),
        (4, &[(0, 1), (0, 2), (0, 3)]),
        (6, &[(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)]),
        (4, &[(0, 1), (1, 2), (2, 3), (3, 0)]),
        (4, &[(0, 1), (0, 2), (0, 3), (1, 2)]),
        (5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2), (1, 3)]),
    ];
    edges.into_iter().map(|(n, edges)| Graph::new(n, edges)).collect()
}

#[test]
fn every_fact_about_trees_and_graphs_holds_on_small_ones() {
    let mut checked = 0;
    for entry in
        REGISTRY.entries().iter().filter(|entry| matches!(entry.model.on, On::Trees | On::Graphs))
    {
        let mut simulator = (entry.simulator)();
        for graph in networks() {
            let n = graph.nodes() as u32;
            let (edges, leaves) = (graph.edges(), graph.leaves());
            if entry.model.on == On::Trees && edges + 1 != u64::from(n) {
                continue;
            }
            let shape = Shape { edges, leaves, diameter: Some(graph.diameter()) };
            for set in 1..1u32 << n {
                let mut found = Found::default();
                every_ring(n, |ranks| {
                    let (ids, starts) = (dense(entry, ranks), starts_of(set));
                    found.add(&on(simulator.as_mut(), &graph, &ids, &starts));
                });
                let case = Case { shape, ..Case::ring(n.into(), Some(set.count_ones().into())) };
                checked += check(entry, &case, &found, false);
                for metric in Metric::ALL {
                    // What is always the same is so on every network.
                    let facts = entry.theory(metric, &case);
                    let Some(mean) = facts.mean.filter(|fact| fact.certainty == Certainty::Proved)
                    else {
                        continue;
                    };
                    let same = |value: &f64| equal(*value, mean.value.as_f64());
                    assert!(found.values[&metric].iter().all(same), "{}, {metric}", entry.name);
                }
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

fn on(simulator: &mut dyn Simulator, graph: &Graph, ids: &[u64], starts: &Starts) -> Outcome {
    let election = Election { ids, starts, limit: LIMIT, coins: 1, stop: &NEVER };
    simulator.run_on(graph, &election, None).expect("a correct election")
}
