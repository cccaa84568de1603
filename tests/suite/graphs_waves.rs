//! The waves on trees and graphs against numbers from an independent implementation, and against
//! their formulas on many random networks.

use std::collections::BTreeMap;
use std::io::Write;

use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::layout::Ids;
use hustings::experiment::runs::Runs;
use hustings::experiment::timing::{Initiators, Timing};
use hustings::model::election::Starts;
use hustings::model::outcome::{Outcome, Time};
use hustings::model::process::Id;
use hustings::model::theory::Fact;
use hustings::model::topology::Ports;
use tempfile::NamedTempFile;

use crate::common::{cell, find, words};

const TREES: [&str; 3] = ["tree-wakeup", "tree-waves", "tree-frugal"];
const GRAPHS: [&str; 4] = ["dfs-path", "dfs-colour", "adoption", "waiting"];

/// A file of edges.
fn edges(list: &[(u32, u32)]) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file");
    for (a, b) in list {
        writeln!(file, "{a} {b}").expect("room on the disk");
    }
    file
}

/// The Petersen graph: an outer cycle, spokes, and a star inside.
fn petersen() -> NamedTempFile {
    let outer = (0..5).map(|i| (i, (i + 1) % 5));
    let spokes = (0..5).map(|i| (i, i + 5));
    let inner = [(5, 7), (7, 9), (6, 9), (6, 8), (5, 8)];
    edges(&outer.chain(spokes).chain(inner).collect::<Vec<_>>())
}

fn ids(name: &str, n: u64) -> Vec<Id> {
    match name {
        "asc" => (1..=n).collect(),
        _ => (1..=n).map(|i| 37 * i % 101).collect(),
    }
}

fn at_once(nodes: impl IntoIterator<Item = u32>) -> Initiators {
    Initiators::At(nodes.into_iter().map(|node| (node, 0)).collect())
}

/// Runs an algorithm in rounds on a network with these IDs.
fn in_rounds(algorithm: &str, topology: &str, ids: Vec<Id>, starts: Initiators) -> Outcome {
    let topology = crate::common::topology(topology);
    let cell = cell(algorithm, Setting { topology, initiators: starts, ..Setting::given(ids) });
    let mut simulator = (cell.algorithm().simulator)();
    cell.prepare(1).expect("small").simulate(0, simulator.as_mut()).expect("an election")
}

/// Messages by kind, for the kinds that the algorithm has.
fn kinds<const K: usize>(outcome: &Outcome) -> [u64; K] {
    std::array::from_fn(|kind| outcome.kinds[kind])
}

#[test]
fn trees_take_the_reference_messages_and_times() {
    // Explosions, echoes and informations of tree-waves and tree-frugal; ends.
    let table = [
        ("path", 8, "all", 28, 8, [14, 8, 6], 7, [12, 8, 6], 7),
        ("path", 8, "single", 28, 14, [7, 8, 6], 14, [0, 7, 7], 14),
        ("star", 16, "all", 60, 3, [30, 16, 14], 2, [15, 16, 14], 2),
        ("star", 16, "single", 60, 3, [15, 16, 14], 3, [15, 16, 14], 3),
        ("balanced-tree:2", 15, "all", 56, 7, [28, 15, 13], 6, [20, 15, 13], 6),
        ("balanced-tree:2", 15, "single", 56, 9, [14, 15, 13], 9, [14, 15, 13], 9),
    ];
    for (topology, n, init, wakeup, wakeup_end, waves, waves_end, frugal, frugal_end) in table {
        for order in ["asc", "hash"] {
            let starts = || if init == "all" { Initiators::All } else { at_once([0]) };
            let run = |name| in_rounds(name, topology, ids(order, n), starts());
            let case = format!("{topology}, {order}, {init}");
            let outcome = run("tree-wakeup");
            assert_eq!(kinds(&outcome), [wakeup / 2, wakeup / 2, 0], "{case}");
            assert_eq!(outcome.end, Some(Time::Rounds(wakeup_end)), "{case}");
            let outcome = run("tree-waves");
            assert_eq!(kinds(&outcome), waves, "{case}");
            assert_eq!(outcome.end, Some(Time::Rounds(waves_end)), "{case}");
            let outcome = run("tree-frugal");
            assert_eq!(kinds(&outcome), frugal, "{case}");
            assert_eq!(outcome.end, Some(Time::Rounds(frugal_end)), "{case}");
        }
    }
}

/// A network, the order of its IDs, and by kind: dfs-path, dfs-colour, adoption, waiting.
type Kinds = (&'static str, u64, &'static str, [u64; 2], [u64; 3], [u64; 2], [u64; 2]);

const ALL: [Kinds; 14] = [
    ("path", 8, "asc", [29, 13], [29, 0, 13], [14, 7], [14, 7]),
    ("path", 8, "hash", [20, 10], [20, 0, 10], [20, 7], [20, 7]),
    ("star", 16, "asc", [44, 28], [44, 0, 28], [44, 15], [44, 15]),
    ("star", 16, "hash", [32, 17], [32, 0, 17], [39, 15], [39, 15]),
    ("balanced-tree:2", 15, "asc", [65, 17], [65, 0, 17], [51, 14], [55, 14]),
    ("balanced-tree:2", 15, "hash", [39, 15], [39, 0, 15], [42, 14], [40, 14]),
    ("ring", 16, "asc", [86, 15], [87, 1, 15], [47, 15], [47, 15]),
    ("ring", 16, "hash", [45, 15], [46, 1, 15], [61, 15], [61, 15]),
    ("grid", 16, "asc", [70, 19], [75, 10, 15], [120, 15], [122, 15]),
    ("grid", 16, "hash", [39, 15], [48, 9, 15], [91, 15], [96, 15]),
    ("complete", 8, "asc", [35, 7], [50, 22, 7], [113, 7], [98, 7]),
    ("complete", 8, "hash", [23, 7], [40, 21, 7], [113, 7], [106, 7]),
    ("petersen", 10, "asc", [30, 9], [36, 6, 9], [60, 9], [56, 9]),
    ("petersen", 10, "hash", [22, 9], [28, 6, 9], [54, 9], [51, 9]),
];

/// The same if node 0 alone starts, whatever the IDs.
const SINGLE: [Kinds; 7] = [
    ("path", 8, "", [7, 7], [7, 0, 7], [7, 7], [7, 7]),
    ("star", 16, "", [15, 15], [15, 0, 15], [15, 15], [15, 15]),
    ("balanced-tree:2", 15, "", [14, 14], [14, 0, 14], [14, 14], [14, 14]),
    ("ring", 16, "", [15, 15], [16, 1, 15], [17, 15], [17, 15]),
    ("grid", 16, "", [15, 15], [24, 9, 15], [33, 15], [33, 15]),
    ("complete", 8, "", [7, 7], [28, 21, 7], [49, 7], [49, 7]),
    ("petersen", 10, "", [9, 9], [15, 6, 9], [21, 9], [21, 9]),
];

/// When the leader decides and when the announcement ends, if all start; in the order of [`ALL`].
const TIMES: [[(u64, u64); 4]; 14] = [
    [(14, 21), (14, 21), (8, 15), (8, 15)],
    [(14, 21), (14, 21), (10, 17), (10, 17)],
    [(30, 32), (30, 32), (4, 6), (4, 6)],
    [(30, 32), (30, 32), (4, 6), (6, 8)],
    [(28, 34), (28, 34), (14, 20), (22, 28)],
    [(28, 34), (28, 34), (15, 21), (15, 21)],
    [(30, 45), (32, 47), (30, 44), (30, 44)],
    [(30, 45), (32, 47), (20, 28), (20, 28)],
    [(30, 45), (48, 63), (20, 27), (37, 44)],
    [(30, 45), (48, 63), (11, 16), (17, 24)],
    [(14, 21), (56, 63), (5, 6), (9, 10)],
    [(14, 21), (56, 63), (5, 6), (7, 8)],
    [(18, 26), (30, 38), (11, 15), (11, 15)],
    [(18, 26), (30, 38), (8, 11), (9, 12)],
];

/// The four algorithms on the network of one line, checked by kind.
fn graphs_agree(line: &Kinds, order: &str, starts: &Initiators) -> [Outcome; 4] {
    let &(name, n, _, path, colour, adoption, waiting) = line;
    let file = petersen();
    let topology = match name {
        "petersen" => format!("file:{}", file.path().display()),
        _ => name.to_owned(),
    };
    let announce = n - 1;
    let [p, c, a, w] =
        GRAPHS.map(|algorithm| in_rounds(algorithm, &topology, ids(order, n), starts.clone()));
    let two = |[first, second]: [u64; 2]| [first, second, announce, 0];
    assert_eq!(kinds(&p), two(path), "dfs-path: {name}, {order}");
    let [forward, bounce, back] = colour;
    assert_eq!(kinds(&c), [forward, bounce, back, announce], "dfs-colour: {name}, {order}");
    assert_eq!(kinds(&a), two(adoption), "adoption: {name}, {order}");
    assert_eq!(kinds(&w), two(waiting), "waiting: {name}, {order}");
    [p, c, a, w]
}

#[test]
fn graphs_take_the_reference_messages_and_times_if_all_start() {
    for (line, times) in ALL.iter().zip(TIMES) {
        let outcomes = graphs_agree(line, line.2, &Initiators::All);
        for ((outcome, (time, end)), algorithm) in outcomes.iter().zip(times).zip(GRAPHS) {
            let case = format!("{algorithm}: {}, {}", line.0, line.2);
            assert_eq!(outcome.time, Some(Time::Rounds(time)), "{case}");
            assert_eq!(outcome.end, Some(Time::Rounds(end)), "{case}");
        }
    }
}

#[test]
fn graphs_take_the_reference_messages_if_one_starts() {
    for line in &SINGLE {
        for order in ["asc", "hash"] {
            graphs_agree(line, order, &at_once([0]));
        }
    }
}

#[test]
fn the_list_of_the_visited_counts_as_bits() {
    // On the path 1-2-3 the token of the first lists 1, 2, 3 and 3 nodes; IDs take 2 bits, and
    // so does the kind, of which there are three.
    let outcome = in_rounds("dfs-path", "path", vec![1, 2, 3], at_once([0]));
    assert_eq!(kinds(&outcome), [2, 2, 2]);
    assert_eq!(outcome.bits, 6 * (2 + 2) + (1 + 2 + 3 + 3) * 2);
}

/// One of many experiments, drawn from its number: every size from 1 to 12.
fn drawn(algorithm: &str, number: u64) -> Cell {
    let mut words = words(algorithm, number);
    let mut pick = |choices: &[&'static str]| choices[words.below(choices.len() as u64) as usize];
    let mut topology = match TREES.contains(&algorithm) {
        true => pick(&["random-tree", "random-tree", "random-tree", "path", "star"]),
        false => {
            pick(&["random-tree", "erdos-renyi", "erdos-renyi:0.4", "erdos-renyi:0.7", "grid"])
        }
    };
    let mut timings = vec!["sync", "uniform:0..1", "uniform:0..100", "exponential:1", "lifo"];
    if !find(algorithm).model.needs_fifo {
        timings.extend(["uniform:0..1+no-fifo", "exponential:3+no-fifo", "lifo+no-fifo"]);
    }
    let timing: Timing = pick(&timings).parse().expect("a timing");
    let ids = if pick(&["dense", "sparse"]) == "dense" { Ids::Dense } else { Ids::Sparse };
    let who = pick(&["all", "one", "count", "share", "late", "late"]);
    let n = 1 + words.below(12) as u32;
    if n == 1 && topology.starts_with("erdos") {
        topology = "complete";
    }
    let initiators = match who {
        "all" => Initiators::All,
        "one" => Initiators::One,
        "count" => Initiators::Count(1 + words.below(u64::from(n))),
        "share" => Initiators::Share(0.5),
        _ => {
            let sure = words.below(u64::from(n)) as u32;
            let starts = (0..n).filter(|&node| node == sure || words.below(2) == 0);
            let starts: Vec<u32> = starts.collect();
            let latest = 1 + words.below(12);
            let times = starts.into_iter().map(|node| (node, words.below(latest)));
            Initiators::At(times.collect::<BTreeMap<_, _>>())
        }
    };
    let topology = topology.parse().expect("a topology");
    cell(algorithm, Setting { topology, ids, initiators, timing, ..Setting::of(n.into()) })
}

/// What must hold of every run, beyond what the judge looks at.
fn holds(cell: &Cell, runs: &Runs, outcome: &Outcome, case: &str) {
    let name = cell.algorithm().name.as_str();
    let graph = runs.graph().expect("a graph");
    let (n, edges, leaves) = (u64::from(cell.n()), graph.edges(), graph.leaves());
    let late = cell.initiators().has_late_starts();
    let (largest, k) = match runs.starts() {
        Starts::All => (runs.ids().iter().max(), n),
        Starts::At(starts) => {
            let started = starts.iter().map(|&(_, node)| &runs.ids()[node as usize]);
            (started.max(), starts.len() as u64)
        }
    };
    if TREES.contains(&name) {
        assert_eq!(outcome.leader.as_ref(), runs.ids().iter().max(), "{case}");
    } else if !late {
        assert_eq!(outcome.leader.as_ref(), largest, "{case}");
    }

    // The formulas by kind, for at most k initiators if some are late.
    let [a, b, c, d] = kinds(outcome);
    let (pairs, wave) = (2 * n - 2, 2 * edges);
    match name {
        "tree-wakeup" => assert_eq!([a, b], [pairs, pairs], "{case}"),
        "tree-waves" if n == 1 => assert_eq!(outcome.messages, 0, "{case}"),
        "tree-waves" => {
            assert_eq!([b, c], [n, n - 2], "{case}");
            let least = if late { n - 1 } else { n - 2 + k };
            assert!((least..=n - 2 + k).contains(&a), "{case}: {a} explosions");
        }
        "tree-frugal" => {
            assert_eq!(b + c, pairs, "{case}");
            assert!(a + 2 <= n + k, "{case}: {a} explosions");
            if *runs.starts() == Starts::All {
                assert_eq!(a, pairs - leaves, "{case}");
            }
        }
        "dfs-path" => {
            assert_eq!(c, n - 1, "{case}");
            assert!((pairs..=pairs * k).contains(&(a + b)), "{case}: {a} + {b}");
        }
        "dfs-colour" => {
            assert_eq!(d, n - 1, "{case}");
            assert!((wave..=wave * k).contains(&(a + b + c)), "{case}: {a} + {b} + {c}");
        }
        _ => {
            assert_eq!([b, c], [n - 1, n - 1], "{case}");
            let least = wave + if late { 1 } else { k } - n;
            assert!((least..=wave * k).contains(&a), "{case}: {a} explorers");
        }
    }

    // What the tables say.
    let facts = runs.facts();
    let value = |fact: &Option<Fact>| fact.as_ref().map(|fact| fact.value.as_f64());
    let messages = outcome.messages as f64;
    assert!(value(&facts.best).expect("a best case") <= messages, "{case}: {facts:?}");
    match value(&facts.worst) {
        Some(worst) => assert!(messages <= worst, "{case}: {facts:?}"),
        None => assert!(late, "{case}"),
    }
    if let Some(mean) = value(&facts.mean) {
        assert_eq!(mean, messages, "{case}: {facts:?}");
    } else {
        let constant = matches!(name, "tree-wakeup") || (k == 1 && name != "tree-frugal");
        assert!(late || !constant, "{case}: an exact formula is missing");
    }

    // Trees are done after twice the diameter, but for two nodes that wake each other.
    if TREES.contains(&name)
        && !late
        && let Some(Time::Rounds(end)) = outcome.end
    {
        let diameter = graph.diameter();
        let most = if name == "tree-wakeup" && diameter == 1 { 3 } else { 2 * diameter };
        assert!(end <= most, "{case}: {end} rounds");
    }
}

/// Holds 10,000 elections of an algorithm: 2,500 experiments with four runs each.
fn ten_thousand_elections(algorithm: &str) {
    let mut simulator = (find(algorithm).simulator)();
    for number in 0..2_500 {
        let cell = drawn(algorithm, number);
        let mut runs = cell.prepare(number).expect("small");
        for run in 0..4 {
            let case = cell.command(number, run);
            match runs.simulate(run, simulator.as_mut()) {
                Ok(outcome) => holds(&cell, &runs, &outcome, &case),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn random_trees_cost_what_the_formulas_say() {
    TREES.iter().for_each(|algorithm| ten_thousand_elections(algorithm));
}

#[test]
fn depth_first_tokens_cost_what_the_formulas_say() {
    GRAPHS[..2].iter().for_each(|algorithm| ten_thousand_elections(algorithm));
}

#[test]
fn conquests_cost_what_the_formulas_say() {
    GRAPHS[2..].iter().for_each(|algorithm| ten_thousand_elections(algorithm));
}

/// Where rules that look as good as those of adoption and waiting fall silent, or elect another.
#[test]
fn the_networks_that_refute_simpler_rules_elect() {
    let star = edges(&[(0, 1), (0, 2)]);
    let path = edges(&[(0, 1), (1, 2)]);
    let paw = edges(&[(0, 1), (0, 2), (0, 3), (1, 2)]);
    let cases = [
        (&star, vec![1, 2, 3], at_once([0, 1]), 2),
        (&path, vec![2, 1, 3], Initiators::All, 3),
        (&paw, vec![1, 2, 3, 4], at_once([0, 1, 3]), 4),
    ];
    for (file, ids, starts, leader) in cases {
        for algorithm in ["adoption", "waiting"] {
            for timing in ["uniform:0..1", "exponential:1+no-fifo", "lifo"] {
                let topology = crate::common::topology(&format!("file:{}", file.path().display()));
                let timing = timing.parse().expect("a timing");
                let (initiators, given) = (starts.clone(), Setting::given(ids.clone()));
                let cell = cell(algorithm, Setting { topology, initiators, timing, ..given });
                let mut simulator = (cell.algorithm().simulator)();
                let mut runs = cell.prepare(1).expect("small");
                for run in 0..300 {
                    let outcome = runs.simulate(run, simulator.as_mut());
                    let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(outcome.leader, Some(leader));
                }
            }
        }
    }
}

#[test]
fn what_the_models_do_not_allow_is_refused_with_a_remedy() {
    let refusal = |algorithm: &str, topology: &str, timing: &str| {
        let topology = topology.parse().expect("a topology");
        let timing = timing.parse().expect("a timing");
        let setting = Setting { topology, timing, ..Setting::of(5) };
        Cell::new(find(algorithm), setting).err().map(|error| error.to_string())
    };
    let sentence = refusal("tree-waves", "path", "uniform:0..1+no-fifo").expect("refused");
    assert!(sentence.contains("tree-waves needs links that keep the order"), "{sentence}");
    for algorithm in TREES {
        let sentence = refusal(algorithm, "ring", "sync").expect("refused");
        assert!(sentence.contains("runs on trees only"), "{sentence}");
    }
    for algorithm in GRAPHS.iter().chain(&["tree-wakeup", "tree-frugal"]) {
        assert_eq!(refusal(algorithm, "path", "uniform:0..1+no-fifo"), None, "{algorithm}");
    }
}
