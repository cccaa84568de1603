//! Extinction, phases, Finn's sets, GHS and KKM: reference values, and the theorems on random networks.
//!
//! The reference values come from an independent implementation, with the same order of events: all
//! starts at time 0 by position, mail in the order of sending, lowest ports first.

use std::io::Write;

mod common;
use common::find;

use hustings::engine::Simulator;
use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::layout::Ids;
use hustings::experiment::runs::Runs;
use hustings::experiment::timing::{Initiators, Timing};
use hustings::model::outcome::{Outcome, Time};
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose, Stream};
use hustings::model::theory::Value;
use hustings::model::topology::{Ports, Topology};

fn cell(topology: &str, algorithm: &str, ids: &[Id], initiators: &str, timing: &str) -> Cell {
    let setting = Setting {
        topology: common::topology(topology),
        initiators: initiators.parse().expect("initiators"),
        timing: timing.parse().expect("a timing"),
        ..Setting::given(ids.to_vec())
    };
    common::cell(algorithm, setting)
}

/// Holds run 0 of a cell and checks it against its own theory.
fn hold(cell: &Cell, seed: u64, simulator: &mut dyn Simulator) -> (Outcome, Runs) {
    let mut runs = cell.prepare(seed).expect("a small network");
    let outcome = runs.simulate(0, simulator).unwrap_or_else(|error| panic!("{error}"));
    for (what, fact) in runs.facts().named() {
        let Some(fact) = fact else { continue };
        let allowed = match (what, fact.value) {
            ("best", Value::Whole(best)) => u128::from(outcome.messages) >= best,
            ("best", Value::Real(best)) => outcome.messages as f64 >= best,
            ("worst", Value::Whole(worst)) => u128::from(outcome.messages) <= worst,
            ("worst", Value::Real(worst)) => outcome.messages as f64 <= worst,
            _ => true,
        };
        let command = cell.command(seed, 0);
        assert!(allowed, "{} messages, but {what} is {fact:?}: {command}", outcome.messages);
    }
    (outcome, runs)
}

/// The messages of one kind.
fn of_kind(outcome: &Outcome, algorithm: &str, kind: &str) -> u64 {
    let kinds = find(algorithm).kinds;
    let index = kinds.names().position(|name| name == kind);
    index.map_or(0, |index| outcome.kinds[index])
}

fn without_announcement(outcome: &Outcome, algorithm: &str) -> u64 {
    outcome.messages - of_kind(outcome, algorithm, "announce")
}

/// The IDs i + 1, or 37(i + 1) mod 101.
fn ids(name: &str, n: u64) -> Vec<Id> {
    (1..=n).map(|i| if name == "asc" { i } else { 37 * i % 101 }).collect()
}

/// The Petersen graph: outer cycle 0 to 4, spokes, inner cycle 5-7-9-6-8.
fn petersen() -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    for i in 0..5 {
        writeln!(file, "{} {}", i, (i + 1) % 5).expect("a line");
        writeln!(file, "{} {}", i, i + 5).expect("a line");
    }
    file.write_all(b"5 7\n7 9\n6 9\n6 8\n5 8\n").expect("lines");
    file
}

/// The reference networks: name, topology, number of nodes.
fn networks(petersen: &tempfile::NamedTempFile) -> Vec<(&'static str, String, u64)> {
    vec![
        ("path8", "path".into(), 8),
        ("star16", "star".into(), 16),
        ("bintree15", "balanced-tree:2".into(), 15),
        ("ring16", "ring".into(), 16),
        ("grid4x4", "grid".into(), 16),
        ("complete8", "complete".into(), 8),
        ("petersen", format!("file:{}", petersen.path().display()), 10),
    ]
}

/// Goes through lines of "network ids values..." and calls `check` with each.
fn each_line(table: &str, mut check: impl FnMut(&str, Vec<Id>, &str, Vec<&str>)) {
    let petersen = petersen();
    let networks = networks(&petersen);
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let mut word = || words.next().expect("a word");
        let (name, order) = (word(), word());
        let (_, topology, n) =
            networks.iter().find(|network| network.0 == name).expect("a reference network");
        check(topology, ids(order, *n), line, words.collect());
    }
}

fn elect(topology: &str, algorithm: &str, ids: &[Id], initiators: &str) -> Outcome {
    let cell = cell(topology, algorithm, ids, initiators, "sync");
    hold(&cell, 1, (cell.algorithm().simulator)().as_mut()).0
}

#[test]
fn all_initiators_have_the_reference_values() {
    let algorithms = [
        "extinction-echo",
        "extinction-tarry",
        "extinction-dfs",
        "phase",
        "finn",
        "kkm",
        "kkm-path",
        "ghs",
    ];
    let table = "
        path8     asc   48  42  42  98  174  28  28  36
        path8     hash  35  30  30  98  174  34  34  55
        star16    asc  346  72  72  60  916  50  50  50
        star16    hash 114  49  49  60  916  50  50  50
        bintree15 asc  150  82  82 168  663  53  53  59
        bintree15 hash  98  54  54 168  663  70  70  98
        ring16    asc  118 103 103 256  772  61  59  78
        ring16    hash  77  62  62 256  772 104 102 168
        grid4x4   asc  202 100 100 288 1231  84  68  74
        grid4x4   hash 129  72  72 288 1231  84  66 123
        complete8 asc  231  79  79  56  840  68  26  68
        complete8 hash 183  68  68  56  840  68  26  68
        petersen  asc   93  51  51  60  510  48  36  48
        petersen  hash  83  43  43  60  510  45  33  89";
    let mut wrong = Vec::new();
    each_line(table, |topology, ids, line, values| {
        for (algorithm, value) in algorithms.into_iter().zip(values) {
            let outcome = elect(topology, algorithm, &ids, "all");
            let messages = without_announcement(&outcome, algorithm);
            if messages.to_string() != value {
                wrong.push(format!("{algorithm}: {messages} in {}", line.trim()));
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ring_tokens_have_the_reference_values() {
    for (order, messages) in [("asc", 31), ("hash", 46)] {
        for algorithm in ["ring-extinction", "chang-roberts"] {
            let outcome = elect("ring", algorithm, &ids(order, 16), "all");
            assert_eq!(outcome.messages, messages, "{algorithm}, {order}");
        }
    }
}

#[test]
fn a_single_initiator_of_ghs_has_the_reference_values() {
    let table = "
        path8     asc   36
        path8     hash  55
        star16    asc   76
        star16    hash  76
        bintree15 asc   71
        bintree15 hash 104
        ring16    asc   78
        ring16    hash 168
        grid4x4   asc   94
        grid4x4   hash 127
        complete8 asc   78
        complete8 hash  78
        petersen  asc   58
        petersen  hash  81";
    let mut wrong = Vec::new();
    each_line(table, |topology, ids, line, values| {
        let messages = without_announcement(&elect(topology, "ghs", &ids, "at:0"), "ghs");
        if [messages.to_string()] != *values {
            wrong.push(format!("{messages} in {}", line.trim()));
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ghs_has_the_reference_values_of_every_kind() {
    let table = "
        path8     hash all  10 16  6  2  4 16 1
        path8     hash at:0 10 16  6  2  4 16 1
        star16    hash all  16 16  1  0  1 16 0
        star16    hash at:0 16 16 14  0 14 16 0
        bintree15 hash all  18 30  9  3  6 30 2
        bintree15 hash at:0 18 29 13  3 10 29 2
        ring16    hash all  22 48 22 12  8 48 8
        ring16    hash at:0 22 48 22 12  8 48 8
        grid4x4   hash all  18 32 25  8  7 32 1
        grid4x4   hash at:0 18 32 27  8  9 32 1
        complete8 hash all   8  8 34  0 10  8 0
        complete8 hash at:0  8  8 39  0 15  8 0
        petersen  hash all  12 20 23  9  4 20 1
        petersen  hash at:0 12 17 21  6  7 17 1";
    let mut wrong = Vec::new();
    each_line(table, |topology, ids, line, values| {
        let outcome = elect(topology, "ghs", &ids, values[0]);
        let kinds: Vec<String> = outcome.kinds[..7].iter().map(u64::to_string).collect();
        if kinds != values[1..] {
            wrong.push(format!("{kinds:?} in {}", line.trim()));
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ghs_elects_and_ends_at_the_reference_times() {
    let table = "
        path8     asc  14 20
        path8     hash 16 20
        star16    asc   5  7
        star16    hash  4  5
        bintree15 asc   9 13
        bintree15 hash 20 24
        ring16    asc  28 41
        ring16    hash 45 53
        grid4x4   asc  13 18
        grid4x4   hash 23 27
        complete8 asc  14 16
        complete8 hash 14 16
        petersen  asc   9 12
        petersen  hash 20 24";
    let mut wrong = Vec::new();
    each_line(table, |topology, ids, line, values| {
        let outcome = elect(topology, "ghs", &ids, "all");
        let rounds = |time: Option<Time>| time.map_or(String::new(), |time| time.to_string());
        let times = [rounds(outcome.time), rounds(outcome.end)];
        if times != *values {
            wrong.push(format!("{times:?} in {}", line.trim()));
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Random words that are the same in every run of a test.
fn words(test: &str, run: u64) -> Stream {
    Key::new(1, test, 0, "", "").stream(run, Purpose::Ring)
}

/// A small network, initiators and a timing drawn at random, with overtaking where it is allowed.
fn random_cell(algorithm: &str, topologies: &[&str], overtaking: bool, words: &mut Stream) -> Cell {
    let mut choose = |choices: u64| words.below(choices) as usize;
    let n = 1 + choose(12) as u32;
    let topology = topologies[choose(topologies.len() as u64)];
    let initiators = match choose(4) {
        0 => Initiators::All,
        1 => Initiators::One,
        2 => Initiators::Count(1 + choose(n.into()) as u64),
        _ => {
            let sure = choose(n.into()) as u32;
            let starts = (0..n).filter(|&node| node == sure || choose(2) == 0).collect::<Vec<_>>();
            Initiators::At(starts.into_iter().map(|node| (node, choose(9) as u64)).collect())
        }
    };
    let timings = ["sync", "uniform:0..1", "exponential:1", "lifo", "uniform:0..1000"];
    let mut timing: Timing = timings[choose(5)].parse().expect("a timing");
    if overtaking && choose(2) == 0 {
        timing = timing.without_fifo().unwrap_or(timing);
    }
    let topology: Topology = topology.parse().expect("a topology");
    let ids = if choose(4) == 0 { Ids::Sparse } else { Ids::Dense };
    common::cell(algorithm, Setting { topology, ids, initiators, timing, ..Setting::of(n.into()) })
}

const NETWORKS: [&str; 7] =
    ["random-tree", "erdos-renyi", "erdos-renyi:0.5", "grid", "ring", "complete", "star"];

/// What a run must cost by the book, without the announcement.
fn by_the_book(algorithm: &str, nodes: u64, edges: u64, diameter: u64, alone: bool) -> Option<u64> {
    match algorithm {
        "phase" => Some(2 * edges * diameter),
        "kkm-path" if alone => Some(2 * (nodes - 1)),
        "kkm" | "extinction-echo" | "extinction-tarry" | "extinction-dfs" if alone => {
            Some(2 * edges)
        }
        _ => None,
    }
}

/// Ten thousand elections; the engine judges each, its theory and the book bound its messages.
fn ten_thousand_elections(algorithm: &str, announcement: Option<&str>) {
    let entry = find(algorithm);
    let mut simulator = (entry.simulator)();
    let mut exact = 0;
    for run in 0..10_000 {
        let overtaking = !entry.model.needs_fifo;
        let cell = random_cell(algorithm, &NETWORKS, overtaking, &mut words("elections", run));
        let (outcome, runs) = hold(&cell, run, simulator.as_mut());
        let graph = runs.graph().expect("an algorithm on graphs");
        let (n, edges) = (u64::from(cell.n()), graph.edges());
        let announced = of_kind(&outcome, algorithm, "announce");
        match announcement {
            Some("tree") => assert_eq!(announced, n - 1),
            Some(_) => assert_eq!(announced, 2 * edges + 1 - n),
            None => assert_eq!(announced, 0),
        }
        let alone = cell.initiators().count(n) == Some(1);
        if let Some(messages) = by_the_book(algorithm, n, edges, graph.diameter(), alone) {
            let command = cell.command(run, 0);
            assert_eq!(outcome.messages - announced, messages, "{command}");
            exact += 1;
        }
        if n == 1 {
            assert_eq!((outcome.messages, outcome.bits), (0, 0));
        }
    }
    assert_eq!(exact > 1000, !["finn", "ghs"].contains(&algorithm), "{exact}");
}

#[test]
fn extinction_elects_within_its_bounds() {
    for algorithm in ["extinction-echo", "extinction-tarry", "extinction-dfs"] {
        ten_thousand_elections(algorithm, Some("flood"));
    }
}

#[test]
fn waves_that_need_no_extinction_elect_within_their_bounds() {
    ten_thousand_elections("phase", None);
    ten_thousand_elections("finn", None);
}

#[test]
fn ghs_elects_within_its_bounds() {
    ten_thousand_elections("ghs", Some("tree"));
}

#[test]
fn kkm_elects_within_its_bounds() {
    ten_thousand_elections("kkm", Some("flood"));
    ten_thousand_elections("kkm-path", Some("flood"));
}

/// Runs two algorithms on the same networks with the same delays, and compares their elections.
fn paired(
    algorithms: [&str; 2],
    topologies: &[&str],
    runs: u64,
    mut compare: impl FnMut(&Cell, [Outcome; 2]),
) {
    let mut simulators = algorithms.map(|name| (find(name).simulator)());
    for run in 0..runs {
        let held = [0, 1].map(|which| {
            let words = &mut words(algorithms[0], run);
            let cell = random_cell(algorithms[which], topologies, true, words);
            (hold(&cell, run, simulators[which].as_mut()).0, cell)
        });
        let [(first, cell), (second, _)] = held;
        assert_eq!(first.leader, second.leader);
        compare(&cell, [first, second]);
    }
}

#[test]
fn the_generic_extinction_of_echoes_is_echo_election() {
    let algorithms = ["extinction-echo", "echo-election"];
    paired(algorithms, &NETWORKS, 3000, |cell, [generic, own]| {
        let command = cell.command(0, 0);
        let election = |outcome: &Outcome| (outcome.kinds[0], outcome.kinds[1], outcome.time);
        assert_eq!(election(&generic), election(&own), "{command}");
    });
}

#[test]
fn the_extinction_of_ring_tokens_is_chang_roberts_unless_tokens_overtake() {
    let (mut kept, mut saved) = (0, 0);
    for algorithms in [
        ["ring-extinction", "chang-roberts"],
        ["ring-extinction+announce", "chang-roberts+announce"],
    ] {
        paired(algorithms, &["ring"], 4000, |cell, [extinction, own]| {
            if cell.timing().fifo {
                assert_eq!(extinction, own, "{}", cell.command(0, 0));
                kept += 1;
            } else {
                assert!(extinction.messages <= own.messages, "{}", cell.command(0, 0));
                saved += u64::from(extinction.messages < own.messages);
            }
        });
    }
    assert!(kept > 3000 && saved > 100, "{kept}, {saved}");
}

#[test]
fn who_needs_fifo_links_says_so() {
    for algorithm in ["ghs", "kkm", "kkm-path"] {
        let timing = "uniform:0..1+no-fifo".parse().expect("a timing");
        let setting = Setting { topology: Topology::Path, timing, ..Setting::of(4) };
        let refused = Cell::new(find(algorithm), setting);
        let error = refused.expect_err("no overtaking").to_string();
        assert!(error.contains("links that keep the order of messages"), "{error}");
    }
}
