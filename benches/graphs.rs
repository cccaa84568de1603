//! The engine on graphs, one row for each family: echo-election against a bare loop over arrays
//! that moves and counts the same messages and nothing else.

mod ratio;

use std::collections::VecDeque;

use hustings::engine::Registry;
use hustings::experiment::cell::{Cell, Setting};
use hustings::model::election::{Election, Starts};
use hustings::model::process::Id;
use hustings::model::stop::NEVER;
use hustings::model::topology::{Graph, Ports};
use ratio::{measure, wanted};

const FAMILIES: [(&str, u64); 10] = [
    ("path", 1000),
    ("star", 1000),
    ("random-tree", 10_000),
    ("ring", 1000),
    ("grid", 10_000),
    ("hypercube", 4096),
    ("complete", 200),
    ("erdos-renyi", 10_000),
    ("random-regular:4", 10_000),
    ("barabasi-albert:3", 10_000),
];

fn main() {
    println!("echo-election on graphs, everybody starts: messages/s as a share of a bare loop's");
    for (family, n) in FAMILIES {
        if wanted(family) {
            row(family, n);
        }
    }
}

fn row(family: &str, n: u64) {
    let topology = family.parse().expect("a topology");
    let registry = Registry::standard();
    let entry = registry.named("echo-election").expect("registered");
    let cell = Cell::new(entry, Setting { topology, ..Setting::of(n) }).expect("a good cell");
    let mut runs = cell.prepare(1).expect("memory");
    let mut simulator = (cell.algorithm().simulator)();
    let outcome = runs.simulate(0, simulator.as_mut()).expect("a good election");
    let graph = runs.graph().expect("drawn").clone();
    let ids = runs.ids().to_vec();
    let mut simulate = || {
        let election =
            Election { ids: &ids, starts: &Starts::All, limit: u64::MAX, coins: 0, stop: &NEVER };
        simulator.run_on(&graph, &election, None).expect("a good election").messages
    };
    assert_eq!(bare_echo(&graph, &ids), outcome.messages, "{family}");
    let measured = measure(
        || _ = std::hint::black_box(bare_echo(&graph, &ids)),
        || _ = std::hint::black_box(simulate()),
    );
    let [limit, ours] = measured.seconds.map(|seconds| outcome.messages as f64 / seconds / 1e6);
    println!(
        "  {family:<18} n = {n:<6} E = {:<6} {:5.2}  ({ours:.0} of {limit:.0} million/s)",
        graph.edges(),
        measured.ratio
    );
}

/// Explorers, echoes and the announcement, as arrays and one queue; gives the messages.
fn bare_echo(graph: &Graph, ids: &[Id]) -> u64 {
    const NOBODY: usize = usize::MAX;
    let n = ids.len();
    let mut mark: Vec<Id> = ids.to_vec();
    let mut parent = vec![NOBODY; n];
    let mut open: Vec<usize> = (0..n as u32).map(|node| graph.degree(node)).collect();
    let mut queue: VecDeque<(u32, usize, bool, Id)> = VecDeque::new();
    let mut messages = 0;
    for node in 0..n as u32 {
        for port in 0..graph.degree(node) {
            let (peer, from) = graph.peer(node, port);
            queue.push_back((peer, from, false, ids[node as usize]));
        }
    }
    while let Some((node, from, echo, id)) = queue.pop_front() {
        messages += 1;
        let at = node as usize;
        if id < mark[at] {
            continue;
        }
        if id > mark[at] {
            mark[at] = id;
            parent[at] = from;
            open[at] = graph.degree(node) - 1;
            for port in (0..graph.degree(node)).filter(|&port| port != from) {
                let (peer, from) = graph.peer(node, port);
                queue.push_back((peer, from, false, id));
            }
        } else {
            open[at] -= 1;
        }
        if open[at] == 0 && parent[at] != NOBODY {
            let (peer, from) = graph.peer(node, parent[at]);
            queue.push_back((peer, from, true, id));
        }
        std::hint::black_box(echo);
    }
    messages + n as u64 - 1
}
