//! Every order in which messages can arrive: all global states of small elections are visited, and
//! what comes of it is held against a table that an independent search made, against a plain
//! recursion over schedules, and against faults that only some orders show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hustings::algorithm::On;
use hustings::algorithm::Spread;
use hustings::algorithm::graph::{EchoElection, Wave};
use hustings::algorithm::ring::Contender;
use hustings::engine::explore::{Ended, Explore, Explored, Fault, Wrong};
use hustings::engine::trace::{Stage, Step};
use hustings::experiment::schedules::{Instance, Schedules, Sets, Sites};
use hustings::experiment::timing::Initiators;
use hustings::model::election::{Election, Starts};
use hustings::model::stop::NEVER;
use hustings::model::topology::Graph;
use hustings::model::violation::Violation;
use hustings::prelude::*;
use rayon::prelude::*;

use crate::common::{REGISTRY, find};
use crate::faults::{self, on_graphs};

/// Every schedule of an algorithm with FIFO links, everybody started before the first delivery.
fn asked(entry: &Arc<Entry>, sites: Sites, sets: Sets) -> Schedules {
    Schedules {
        algorithm: entry.clone(),
        sites,
        sets,
        fifo: true,
        staggered: false,
        reduced: false,
        memory: 1 << 30,
    }
}

fn ring(ids: &[Id]) -> Sites {
    Sites::Given(Topology::Ring, ids.to_vec())
}

fn all() -> Sets {
    Sets::Named(Initiators::All)
}

/// What every election that is asked for comes to.
fn explored(asked: &Schedules) -> Vec<(Instance, Explored)> {
    let instances = asked.instances().unwrap_or_else(|error| panic!("{error}"));
    let explore = |instance: Instance| match asked.explore(&instance, &NEVER, &|_| {}) {
        Ok(found) => (instance, found),
        Err(ended) => panic!("{} on {instance:?}: {ended:?}", asked.algorithm.name),
    };
    instances.into_par_iter().map(explore).collect()
}

/// The fewest and the most messages.
fn range<'a>(found: impl IntoIterator<Item = &'a (Instance, Explored)>) -> (u64, u64) {
    let ranges = found.into_iter().map(|(_, found)| (found.min.messages, found.max.messages));
    ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).expect("an election")
}

/// In how many elections the messages depend on the schedule.
fn vary(found: &[(Instance, Explored)]) -> usize {
    found.iter().filter(|(_, found)| found.min.messages < found.max.messages).count()
}

/// The fewest and the most messages by number of starters.
fn by_starters(found: Vec<(Instance, Explored)>) -> Vec<(u64, u64)> {
    let mut groups: BTreeMap<usize, Vec<(Instance, Explored)>> = BTreeMap::new();
    for it in found {
        groups.entry(it.0.starters().len()).or_default().push(it);
    }
    groups.values().map(range).collect()
}

fn stage_messages(entry: &Entry, instance: &Instance, schedule: &[Step]) -> u64 {
    instance.hold(&NEVER, |election| {
        let mut stage = Stage::new(entry, instance.graph.as_ref(), election);
        stage.follow(schedule);
        let outcome = stage.outcome().expect("an election");
        outcome.messages - entry.kinds.announcements(&outcome.kinds)
    })
}

/// Following the schedules of both extremes takes as many messages, message by message.
pub fn replay(entry: &Entry, found: &[(Instance, Explored)]) {
    for (instance, found) in found {
        for extreme in [&found.min, &found.max] {
            let replayed = stage_messages(entry, instance, &extreme.schedule);
            assert_eq!(replayed, extreme.messages, "{} on {instance:?}", entry.name);
        }
    }
}

/// What an algorithm's file says about schedules is what all of them say.
#[test]
fn the_spread_of_an_algorithm_is_that_of_all_small_networks() {
    let entries = REGISTRY.entries().iter().filter(|entry| !entry.name.ends_with("+announce"));
    for entry in entries.filter(|entry| !entry.synchronous && !entry.model.flips_coins) {
        let Some(spread) = entry.spread else {
            assert!(entry.is_kahn() || entry.name == "finn", "{}", entry.name);
            continue;
        };
        let (mut fewer, mut more) = (false, false);
        for n in 1..=Spread::UP_TO {
            let asked = asked(entry, Sites::Every(n), Sets::Every);
            for (instance, found) in explored(&Schedules { reduced: true, ..asked }) {
                let rounds = instance.in_rounds(entry, &NEVER).expect("a good election");
                fewer |= found.min.messages < rounds;
                more |= found.max.messages > rounds;
            }
        }
        assert_eq!(
            (fewer, more),
            (spread == Spread::BothWays, spread == Spread::BothWays),
            "{}",
            entry.name
        );
    }
}

#[test]
fn one_way_rings_take_the_same_messages_under_every_schedule() {
    for name in [
        "lelann",
        "chang-roberts",
        "clockwise",
        "ring-extinction",
        "clockwise-join",
        "peterson",
        "peterson-alternating",
        "dolev-klawe-rodeh-b",
        "higham-przytycka",
    ] {
        let sets = |n| if n < 5 { Sets::Every } else { all() };
        for n in 1..=5 {
            let found = explored(&asked(find(name), Sites::Orders(Topology::Ring, n), sets(n)));
            // A node of this one joins when mail wakes it, which the proof does not cover.
            if name != "clockwise-join" || n == 5 {
                assert_eq!(vary(&found), 0, "{name}, n = {n}");
            }
            replay(find(name), &found);
            for (instance, found) in &found {
                let in_rounds = instance.in_rounds(find(name), &NEVER).expect("an election");
                assert!(in_rounds == found.max.messages || name == "clockwise-join");
            }
        }
    }
}

#[test]
fn late_starts_only_save_messages_on_one_way_rings() {
    for name in ["chang-roberts", "clockwise", "clockwise-join"] {
        let zero = asked(find(name), Sites::Orders(Topology::Ring, 5), Sets::Every);
        let late = Schedules { staggered: true, reduced: true, ..zero.clone() };
        let (zero, late) = (explored(&zero), explored(&late));
        assert_eq!(late.len(), 744);
        assert_eq!((name, vary(&late)), (name, 624));
        // On a single ring a starter that is woken may save a small ID from being swallowed, but never
        // beyond the most of all rings.
        let most = |found: Vec<(Instance, Explored)>| -> Vec<u64> {
            by_starters(found).into_iter().map(|(_, most)| most).collect()
        };
        let least: BTreeSet<u64> = late.iter().map(|(_, found)| found.min.messages).collect();
        assert_eq!(least.first(), Some(&5), "{name}");
        assert_eq!(most(late), most(zero), "{name}");
    }
    let most = |name: &str, n: u32| -> Vec<u64> {
        let asked = asked(find(name), Sites::Orders(Topology::Ring, n), Sets::Every);
        let found = explored(&Schedules { staggered: true, reduced: true, ..asked });
        by_starters(found).into_iter().map(|(_, most)| most).collect()
    };
    assert_eq!(most("clockwise-join", 3), [5, 6, 6]);
    assert_eq!(most("clockwise-join", 4), [7, 9, 10, 10]);
    assert_eq!(most("clockwise-join", 5), [9, 12, 14, 15, 15]);
    assert_eq!(most("chang-roberts", 4), [4, 7, 9, 10]);
    assert_eq!(most("chang-roberts", 5), [5, 9, 12, 14, 15]);
}

#[test]
fn overtaking_saves_messages_of_clockwise_and_none_of_chang_roberts() {
    let without = |name: &str, sites: Sites| {
        explored(&Schedules { fifo: false, ..asked(find(name), sites, all()) })
    };
    for (ids, expected) in [
        (&[3, 2, 1][..], (5, 6)),
        (&[4, 3, 2, 1], (7, 10)),
        (&[5, 4, 3, 2, 1], (9, 15)),
        (&[4, 3, 1, 2], (7, 9)),
        (&[4, 1, 3, 2], (7, 8)),
        (&[5, 3, 4, 2, 1], (9, 12)),
        (&[5, 2, 4, 1, 3], (9, 11)),
    ] {
        assert_eq!(range(&without("clockwise", ring(ids))), expected, "{ids:?}");
    }
    for n in 1..=5 {
        let found = without("chang-roberts", Sites::Orders(Topology::Ring, n));
        assert_eq!(vary(&found), 0);
        replay(find("chang-roberts"), &found);
    }
}

#[test]
fn hirschberg_sinclair_and_neighbours_never_depend_on_the_schedule() {
    for name in ["hirschberg-sinclair", "k-neighbour"] {
        let mut configurations = 0;
        for n in 2..=4 {
            let late = asked(find(name), Sites::Orders(Topology::Ring, n), Sets::Every);
            let found = explored(&Schedules { staggered: true, reduced: true, ..late });
            assert!(found.iter().all(|(_, found)| found.commutes), "{name}, n = {n}");
            configurations += found.len();
            // Who is woken is no starter, so one set of starters may become a smaller one; but the
            // messages are those of the starters that there are.
            let zero = asked(find(name), Sites::Orders(Topology::Ring, n), Sets::Every);
            assert_eq!(vary(&explored(&zero)), 0, "{name}, n = {n}");
            println!("{name}, n = {n}: {} of {} vary", vary(&found), found.len());
        }
        assert_eq!(configurations, 107);
        for n in 1..=3 {
            let asked = asked(find(name), Sites::Orders(Topology::Ring, n), all());
            let found = explored(&Schedules { fifo: false, ..asked });
            assert_eq!(vary(&found), 0, "{name}, n = {n}");
        }
    }
}

#[test]
fn radius_growth_can_only_save_messages() {
    let radius = find("radius-growth");
    let found = explored(&asked(radius, Sites::Orders(Topology::Ring, 4), all()));
    assert_eq!(vary(&found), 2);
    for (instance, found) in &found {
        let zigzag = instance.ids == [4, 1, 3, 2] || instance.ids == [4, 2, 3, 1];
        let expected = if zigzag { (32, 40) } else { (32, 32) };
        assert_eq!((found.min.messages, found.max.messages), expected, "{instance:?}");
        let in_rounds = instance.in_rounds(radius, &NEVER).expect("an election");
        assert_eq!(in_rounds, found.max.messages, "{instance:?}");
    }
    replay(radius, &found);
    let five = asked(radius, Sites::Orders(Topology::Ring, 5), all());
    let found = explored(&Schedules { reduced: true, ..five });
    assert_eq!((found.len(), vary(&found)), (24, 16));
    for (instance, found) in &found {
        let expected = if found.min.messages < found.max.messages { (54, 62) } else { (54, 54) };
        assert_eq!((found.min.messages, found.max.messages), expected, "{instance:?}");
        let in_rounds = instance.in_rounds(radius, &NEVER).expect("an election");
        assert_eq!(in_rounds, found.max.messages, "{instance:?}");
    }
    // Whom mail wakes starts its own phase 0 first, so late starts save nothing more.
    for (n, expected) in [(2, (12, 12)), (3, (26, 26)), (4, (32, 40))] {
        let asked = asked(radius, Sites::Orders(Topology::Ring, n), all());
        let found = explored(&Schedules { staggered: true, reduced: true, ..asked });
        assert_eq!(range(&found), expected, "n = {n}");
    }
}

#[test]
fn coins_that_differ_make_the_schedule_matter() {
    let entry = find("bidirectional-chang-roberts");
    for (n, cases, expected, some) in [(2, 4, (3, 3), 0), (3, 16, (5, 6), 4), (4, 96, (7, 10), 44)]
    {
        // Seeds until every pattern of directions was there.
        let way = |coins: u64| Coins::new(coins).stream().below(2);
        let pattern = |seed: u64| (0..n).map(|node| way(seed + node)).collect::<Vec<_>>();
        let seeds: BTreeMap<Vec<u64>, u64> = (0..400).map(|seed| (pattern(seed), seed)).collect();
        let (mut count, mut vary, mut extremes) = (0, 0, (u64::MAX, 0));
        for instance in asked(find("chang-roberts"), Sites::Orders(Topology::Ring, n as u32), all())
            .instances()
            .expect("rings")
        {
            for &coins in seeds.values() {
                let found = instance.hold(&NEVER, |election| {
                    let election = Election { coins, ..election.clone() };
                    Explore::new(entry, None, &election).run(&|_| {}).expect("elections")
                });
                let (min, max) = (found.min.messages, found.max.messages);
                (count, vary) = (count + 1, vary + usize::from(min < max));
                extremes = (extremes.0.min(min), extremes.1.max(max));
            }
        }
        assert_eq!((count, vary, extremes), (cases, some, expected), "n = {n}");
    }
}

/// The shapes with their edges, and for 2, 3, .. starters the extremes of echo-election, adoption,
/// dfs-colour (and extinction-tarry), dfs-path, kkm, kkm-path, ghs.
type Row = (&'static str, &'static [(u32, u32)], u64, [(u64, u64); 7]);

const PATH3: &[(u32, u32)] = &[(0, 1), (1, 2)];
const RING3: &[(u32, u32)] = &[(0, 1), (1, 2), (0, 2)];
const PATH4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];
const STAR4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
const RING4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
const PAW: &[(u32, u32)] = &[(0, 1), (1, 2), (0, 2), (0, 3)];
const DIAMOND: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)];
const COMPLETE4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

#[rustfmt::skip]
const GRAPHS: &[Row] = &[
    ("path3", PATH3, 3, [(6, 8), (6, 7), (6, 8), (6, 8), (8, 9), (8, 9), (11, 11)]),
    ("ring3", RING3, 3, [(10, 11), (10, 10), (8, 9), (6, 7), (10, 10), (8, 8), (13, 13)]),
    ("path4", PATH4, 2, [(7, 11), (7, 9), (7, 11), (7, 11), (9, 13), (9, 13), (16, 26)]),
    ("path4", PATH4, 3, [(8, 14), (8, 11), (8, 14), (8, 14), (10, 13), (10, 13), (16, 26)]),
    ("path4", PATH4, 4, [(10, 15), (9, 12), (9, 15), (9, 15), (11, 19), (11, 19), (16, 26)]),
    ("star4", STAR4, 2, [(7, 11), (7, 8), (7, 11), (7, 11), (9, 13), (9, 13), (14, 16)]),
    ("star4", STAR4, 3, [(8, 14), (8, 10), (8, 13), (8, 13), (10, 13), (10, 13), (14, 16)]),
    ("star4", STAR4, 4, [(9, 16), (9, 11), (9, 14), (9, 14), (11, 14), (11, 14), (14, 16)]),
    ("ring4", RING4, 2, [(10, 12), (10, 12), (9, 11), (7, 9), (11, 15), (9, 13), (18, 18)]),
    ("ring4", RING4, 3, [(12, 15), (12, 14), (10, 13), (8, 11), (12, 14), (10, 12), (18, 18)]),
    ("ring4", RING4, 4, [(14, 17), (14, 15), (11, 14), (9, 12), (13, 17), (11, 15), (18, 18)]),
    ("paw", PAW, 2, [(9, 15), (9, 12), (9, 15), (7, 11), (11, 18), (9, 13), (16, 30)]),
    ("paw", PAW, 3, [(11, 18), (11, 15), (10, 17), (8, 13), (12, 15), (10, 13), (16, 30)]),
    ("paw", PAW, 4, [(13, 21), (13, 16), (11, 18), (9, 14), (13, 20), (11, 18), (16, 30)]),
    ("diamond", DIAMOND, 2, [(12, 17), (12, 15), (11, 16), (7, 10), (13, 20), (9, 13), (18, 20)]),
    ("diamond", DIAMOND, 3, [(14, 21), (14, 18), (12, 18), (8, 12), (14, 16), (10, 12), (18, 20)]),
    ("diamond", DIAMOND, 4, [(17, 24), (17, 19), (13, 19), (9, 13), (15, 19), (11, 15), (18, 20)]),
    ("complete4", COMPLETE4, 2, [(15, 19), (15, 17), (13, 17), (7, 9), (15, 20), (9, 13), (20, 22)]),
    ("complete4", COMPLETE4, 3, [(18, 24), (18, 21), (14, 19), (8, 11), (16, 18), (10, 12), (20, 22)]),
    ("complete4", COMPLETE4, 4, [(21, 27), (21, 22), (15, 20), (9, 12), (17, 20), (11, 14), (20, 22)]),
];

/// A network of these edges as a family that `Schedules` goes through in all orders.
fn orders(edges: &[(u32, u32)]) -> Sites {
    let n = edges.iter().map(|&(a, b)| a.max(b)).max().unwrap_or(0) + 1;
    let text: String = edges.iter().map(|(a, b)| format!("{a} {b}\n")).collect();
    let file = hustings::model::topology::NetworkFile::parse("edges", &text).expect("edges");
    Sites::Orders(Topology::File(Arc::new(file)), n)
}

fn graph_column(name: &str, column: usize) {
    for (shape, edges, k, expected) in GRAPHS {
        let sets = Sets::Named(Initiators::Count(*k));
        let asked = asked(find(name), orders(edges), sets);
        let found = explored(&Schedules { reduced: true, ..asked });
        let mut expected = expected[column];
        if name == "waiting" && (*shape, *k) == ("complete4", 3) {
            expected.1 = 20;
        }
        assert_eq!(range(&found), expected, "{name} on {shape}, {k} start");
        replay(find(name), &found[..1]);
    }
}

#[test]
fn echo_election_has_the_extremes_of_the_table() {
    graph_column("echo-election", 0);
    // The plain search visits every state.
    let plain = explored(&asked(find("echo-election"), orders(COMPLETE4), all()));
    assert_eq!(range(&plain), (21, 27));
    replay(find("echo-election"), &plain);
    println!("{} states", plain[0].1.states);
}

#[test]
fn adoption_and_waiting_have_the_extremes_of_the_table() {
    graph_column("adoption", 1);
    graph_column("waiting", 1);
}

#[test]
fn depth_first_tokens_have_the_extremes_of_the_table() {
    graph_column("dfs-colour", 2);
    graph_column("extinction-tarry", 2);
    graph_column("dfs-path", 3);
}

#[test]
fn kkm_has_the_extremes_of_the_table() {
    graph_column("kkm", 4);
    graph_column("kkm-path", 5);
}

#[test]
fn ghs_has_the_extremes_of_the_table() {
    graph_column("ghs", 6);
}

#[test]
fn late_starts_keep_the_most_messages_on_graphs() {
    for (name, expected) in [
        ("adoption", [(6, 12), (6, 11), (8, 15), (8, 16), (10, 19), (12, 22)]),
        ("dfs-colour", [(6, 15), (6, 14), (8, 14), (8, 18), (10, 19), (12, 20)]),
    ] {
        for (edges, expected) in
            [PATH4, STAR4, RING4, PAW, DIAMOND, COMPLETE4].into_iter().zip(expected)
        {
            let asked = asked(find(name), orders(edges), all());
            let found = explored(&Schedules { staggered: true, reduced: true, ..asked });
            assert_eq!(range(&found), expected, "{name} on {edges:?}");
        }
    }
}

#[test]
fn trees_have_the_extremes_of_the_table() {
    let extremes = |name: &str, edges: &[(u32, u32)], k: u64| {
        range(&explored(&asked(find(name), orders(edges), Sets::Named(Initiators::Count(k)))))
    };
    for (edges, expected) in
        [(PATH4, [(6, 10), (8, 10), (10, 10)]), (STAR4, [(8, 9), (8, 9), (9, 9)])]
    {
        for (k, expected) in (2..).zip(expected) {
            assert_eq!(extremes("tree-frugal", edges, k), expected, "{edges:?}, {k} start");
        }
    }
    for name in ["tree-waves", "tree-wakeup"] {
        for edges in [PATH4, STAR4] {
            let found = explored(&asked(find(name), orders(edges), Sets::Every));
            assert_eq!(vary(&found), 0, "{name}");
        }
    }
}

/// The shortest schedule under which an algorithm fails.
fn fault(asked: &Schedules) -> Fault {
    let instances = asked.instances().expect("elections");
    let faults =
        instances.iter().filter_map(|instance| match asked.explore(instance, &NEVER, &|_| {}) {
            Err(Ended::Fault(fault)) => Some(*fault),
            Ok(_) => None,
            Err(other) => panic!("{other:?}"),
        });
    faults.min_by_key(|fault| fault.schedule.len()).expect("a fault")
}

/// Franklin's election by its letter: a node compares what came from its two sides, and wins when both
/// are its own ID.
#[derive(Debug, Clone, PartialEq)]
struct Paired {
    id: Id,
    active: bool,
    sides: [Vec<Id>; 2],
}

impl Process for Paired {
    type Message = Contender;

    fn new(local: &Local) -> Self {
        Paired { id: local.id, active: false, sides: [Vec::new(), Vec::new()] }
    }
}

impl Paired {
    fn begin(&self, out: &mut impl Outbox<Contender>) {
        [NEXT, PREV].into_iter().for_each(|port| out.send(port, Contender(self.id)));
    }
}

impl Asynchronous for Paired {
    fn start(&mut self, out: &mut impl Outbox<Contender>) {
        self.active = true;
        self.begin(out);
    }

    fn receive(&mut self, from: Port, Contender(q): Contender, out: &mut impl Outbox<Contender>) {
        if !self.active {
            out.follow();
            return out.send(1 - from, Contender(q));
        }
        self.sides[from].push(q);
        while self.active && self.sides.iter().all(|side| !side.is_empty()) {
            let [p, q] = [PREV, NEXT].map(|port| self.sides[port].remove(0));
            match p.max(q) {
                _ if p == self.id && q == self.id => out.lead(),
                larger if larger < self.id => self.begin(out),
                _ => {
                    self.active = false;
                    out.follow();
                    for port in [PREV, NEXT] {
                        for id in std::mem::take(&mut self.sides[port]) {
                            out.send(1 - port, Contender(id));
                        }
                    }
                }
            }
        }
    }
}

impl Algorithm for Paired {
    const NAME: &'static str = "paired";
    const SUMMARY: &'static str = "Franklin's election by its letter";
    const SOURCE: &'static str = "here";
    const MODEL: Model = Model { needs_fifo: true, ..Model::electing(Elects::LargestInitiator) };
}

#[test]
fn franklin_by_its_letter_fails_where_messages_overtake_each_other() {
    let entry = Arc::new(Entry::asynchronous::<Paired>());
    let on_three = asked(&entry, ring(&[3, 1, 2]), all());
    assert_eq!(vary(&explored(&on_three)), 0);
    let without = Schedules { fifo: false, ..on_three };
    let fault = fault(&without);
    assert!(fault.shortest);
    // No shorter schedule fails.
    let (_, shortest) = by_words(&without, &without.instances().expect("one")[0]);
    assert_eq!(shortest, Some(fault.schedule.len()));
    let (mut bad, mut elections) = (0, 0);
    for n in 2..=4 {
        let asked = asked(&entry, Sites::Orders(Topology::Ring, n), Sets::Every);
        let asked = Schedules { fifo: false, ..asked };
        for instance in asked.instances().expect("rings") {
            elections += 1;
            bad += usize::from(asked.explore(&instance, &NEVER, &|_| {}).is_err());
        }
    }
    assert_eq!((bad, elections), (32, 107));
}

#[test]
fn franklin_that_knows_its_own_id_elects_without_fifo_but_takes_more_messages() {
    let asked = asked(find("franklin"), ring(&[4, 3, 2, 1]), all());
    assert_eq!(range(&explored(&asked)), (16, 16));
    assert_eq!(range(&explored(&Schedules { fifo: false, ..asked })), (16, 24));
}

/// All steps that a schedule may take next.
fn possible(stage: &Stage<'_>, started: &[u32], fifo: bool) -> Vec<Step> {
    let links = (0..stage.place().links()).flat_map(|link| {
        let waiting = stage.link(link).len();
        let places = if fifo { waiting.min(1) } else { waiting };
        (0..places).map(move |place| Step::Deliver { link, place })
    });
    let asleep = |&node: &u32| !stage.machine().fate(stage.states()[node as usize]).awake;
    started.iter().copied().filter(asleep).map(Step::Start).chain(links).collect()
}

/// Follows every schedule from its beginning; hands each that has come to its end to `end`.
fn recurse(
    asked: &Schedules,
    instance: &Instance,
    steps: &mut Vec<Step>,
    longest: usize,
    end: &mut impl FnMut(&Stage<'_>, usize),
) {
    let next = instance.hold(&NEVER, |election| {
        let mut stage = Stage::new(&asked.algorithm, instance.graph.as_ref(), election);
        stage.follow(steps);
        let starters = if asked.staggered { instance.starters() } else { Vec::new() };
        let next = possible(&stage, &starters, asked.fifo);
        if next.is_empty() {
            end(&stage, steps.len());
        }
        next
    });
    if steps.len() < longest {
        for step in next {
            steps.push(step);
            recurse(asked, instance, steps, longest, end);
            steps.pop();
        }
    }
}

/// The steps that come before any delivery.
fn first_steps(asked: &Schedules, instance: &Instance) -> Vec<Step> {
    match asked.staggered {
        true => Vec::new(),
        false => instance.starters().into_iter().map(Step::Start).collect(),
    }
}

/// All states in words, nearest first, by replaying a schedule for each: how many there are, and how
/// long the shortest schedule is that fails.
fn by_words(asked: &Schedules, instance: &Instance) -> (usize, Option<usize>) {
    let mut known = BTreeSet::new();
    let mut open = std::collections::VecDeque::from([first_steps(asked, instance)]);
    let mut shortest = None;
    while let Some(steps) = open.pop_front() {
        instance.hold(&NEVER, |election| {
            let mut stage = Stage::new(&asked.algorithm, instance.graph.as_ref(), election);
            stage.follow(&steps);
            if !known.insert(words(&stage, asked.fifo)) {
                return;
            }
            let starters = if asked.staggered { instance.starters() } else { Vec::new() };
            let next = possible(&stage, &starters, asked.fifo);
            if next.is_empty() && stage.outcome().is_err() && shortest.is_none() {
                shortest = Some(steps.len());
            }
            for step in next {
                open.push_back([&steps[..], &[step]].concat());
            }
        });
    }
    (known.len(), shortest)
}

/// A global state in words.
fn words(stage: &Stage<'_>, fifo: bool) -> Vec<String> {
    let machine = stage.machine();
    let nodes = stage.states().iter();
    let nodes = nodes.map(|&it| format!("{:?} {:?}", machine.words(it), machine.fate(it)));
    let links = (0..stage.place().links()).map(|link| {
        let mails = stage.link(link).iter();
        let mut mails: Vec<String> =
            mails.map(|it| format!("{:?}", machine.message(it.mail))).collect();
        if !fifo {
            mails.sort();
        }
        format!("{link} {mails:?}")
    });
    nodes.chain(links).collect()
}

#[test]
fn as_many_states_are_visited_as_there_are_in_words() {
    let cases = [
        asked(find("chang-roberts"), ring(&[4, 2, 3, 1]), all()),
        asked(find("hirschberg-sinclair"), ring(&[3, 1, 2]), all()),
        asked(find("franklin"), ring(&[3, 1, 2]), Sets::Every),
        asked(find("echo-election"), orders(PATH3), Sets::Every),
        asked(find("adoption"), orders(RING3), Sets::Named(Initiators::Count(2))),
        asked(find("kkm"), orders(PATH3), Sets::Named(Initiators::Count(2))),
    ];
    for asked in cases {
        for staggered in [false, true] {
            for fifo in [true, false] {
                if !fifo && asked.algorithm.name == "kkm" {
                    continue;
                }
                let asked = Schedules { staggered, fifo, ..asked.clone() };
                for (instance, found) in explored(&asked) {
                    let (states, shortest) = by_words(&asked, &instance);
                    assert_eq!(found.states, states as u64, "{}", asked.algorithm.name);
                    assert_eq!(shortest, None);
                }
            }
        }
    }
}

#[test]
fn a_plain_recursion_over_schedules_finds_the_same_extremes() {
    let mut cases: Vec<Schedules> = Vec::new();
    for name in ["chang-roberts", "clockwise", "clockwise-join", "peterson-alternating"] {
        for staggered in [false, true] {
            for n in 1..=3 {
                let asked = asked(find(name), Sites::Orders(Topology::Ring, n), Sets::Every);
                cases.push(Schedules { staggered, ..asked });
            }
        }
    }
    let clockwise = asked(find("clockwise"), ring(&[3, 2, 1]), all());
    cases.push(Schedules { fifo: false, ..clockwise });
    for name in ["echo-election", "adoption", "dfs-colour"] {
        for k in 1..=2 {
            let sets = Sets::Named(Initiators::Count(k));
            cases.push(asked(find(name), orders(PATH3), sets));
        }
        cases.push(Schedules { staggered: true, ..asked(find(name), orders(&[(0, 1)]), all()) });
    }
    for asked in cases {
        for (instance, found) in explored(&asked) {
            let mut extremes = (u64::MAX, 0);
            let mut steps = first_steps(&asked, &instance);
            recurse(&asked, &instance, &mut steps, usize::MAX, &mut |stage, _| {
                let outcome = stage.outcome().expect("an election");
                let announced = asked.algorithm.kinds.announcements(&outcome.kinds);
                let messages = outcome.messages - announced;
                extremes = (extremes.0.min(messages), extremes.1.max(messages));
            });
            let expected = (found.min.messages, found.max.messages);
            assert_eq!(extremes, expected, "{} on {instance:?}", asked.algorithm.name);
        }
    }
}

/// All asynchronous algorithms without coins.
fn deterministic() -> impl Iterator<Item = &'static Arc<Entry>> {
    let entries = REGISTRY.entries().iter();
    entries.filter(|entry| !entry.synchronous && !entry.model.flips_coins)
}

#[test]
fn leaving_out_orders_of_independent_deliveries_changes_no_verdict_and_no_extreme() {
    for entry in deterministic() {
        let largest = match entry.model.on {
            On::Graphs => 3,
            _ => 4,
        };
        for n in 1..=largest {
            for (fifo, staggered) in [(true, false), (true, true), (false, false), (false, true)] {
                let not_its_model =
                    !fifo && entry.model.needs_fifo || staggered && entry.model.needs_all;
                // Messages that overtake each other, and announcements besides, make very many states.
                let announces = entry.kinds.announcements(&[1; 8]) > 0;
                let too_many = !fifo && (announces || entry.name == "radius-growth");
                // So do lists of everybody.
                let far_too_many = !fifo && entry.name == "finn" && n > 2;
                if not_its_model || too_many && n > 3 || far_too_many {
                    continue;
                }
                let plain = asked(
                    entry,
                    Sites::Every(n),
                    if entry.model.needs_all { all() } else { Sets::Every },
                );
                let plain = Schedules { fifo, staggered, ..plain };
                let reduced = Schedules { reduced: true, ..plain.clone() };
                let (plain, reduced) = (explored(&plain), explored(&reduced));
                for ((instance, plain), (_, reduced)) in plain.iter().zip(&reduced) {
                    let extremes = |found: &Explored| (found.min.messages, found.max.messages);
                    assert_eq!(
                        extremes(plain),
                        extremes(reduced),
                        "{} on {instance:?}",
                        entry.name
                    );
                    if reduced.commutes {
                        // Nodes know whether they started, which is all that may differ at the end.
                        assert!(plain.ends == 1 || staggered, "{} on {instance:?}", entry.name);
                    } else {
                        assert!(reduced.states <= plain.states);
                    }
                }
                replay(entry, &reduced);
            }
        }
    }
}

#[test]
fn every_schedule_of_every_algorithm_elects_on_small_networks() {
    for entry in deterministic() {
        let needs_all = entry.model.needs_all;
        let sets = || if needs_all { all() } else { Sets::Every };
        let on_graphs = entry.model.on == On::Graphs;
        // Lists of everybody make Finn's states too many.
        let largest = if entry.name == "finn" { 3 } else { 4 };
        for n in 1..=largest {
            let asked = asked(entry, Sites::Every(n), sets());
            // Late starts on all graphs of four take longer than everything else together.
            let staggered = !(needs_all || on_graphs && n == 4);
            explored(&Schedules { staggered, reduced: true, ..asked });
        }
    }
}

#[test]
fn memory_that_is_outgrown_is_no_verdict() {
    let asked = asked(find("echo-election"), orders(COMPLETE4), all());
    let asked = Schedules { memory: 1 << 20, ..asked };
    let instance = &asked.instances().expect("one")[0];
    match asked.explore(instance, &NEVER, &|_| {}) {
        Err(Ended::Outgrown { states, bytes }) => {
            assert!(states > 1000 && bytes > 1 << 20, "{states} states, {bytes} bytes");
        }
        other => panic!("{other:?}"),
    }
}

/// Echo election in which a node with one link never echoes.
#[derive(Debug, Clone, PartialEq)]
struct Forgetful(EchoElection, usize);

struct Mute<'a, O>(&'a mut O, bool);

impl<O: Outbox<Wave>> Outbox<Wave> for Mute<'_, O> {
    fn send_if(&mut self, condition: bool, port: Port, message: Wave) {
        let muted = self.1 && matches!(message, Wave::Echo(_));
        self.0.send_if(condition && !muted, port, message);
    }
    fn follow_if(&mut self, condition: bool) {
        self.0.follow_if(condition);
    }
    fn lead(&mut self) {
        self.0.lead();
    }
    fn started(&self) -> bool {
        self.0.started()
    }
}

impl Process for Forgetful {
    type Message = Wave;
    fn new(local: &Local) -> Self {
        Forgetful(EchoElection::new(local), local.degree)
    }
}

impl Asynchronous for Forgetful {
    fn start(&mut self, out: &mut impl Outbox<Wave>) {
        Asynchronous::start(&mut self.0, &mut Mute(out, self.1 == 1));
    }
    fn receive(&mut self, from: Port, message: Wave, out: &mut impl Outbox<Wave>) {
        Asynchronous::receive(&mut self.0, from, message, &mut Mute(out, self.1 == 1));
    }
}

impl Algorithm for Forgetful {
    const NAME: &'static str = "forgetful";
    const SUMMARY: &'static str = "";
    const SOURCE: &'static str = "";
    const MODEL: Model = EchoElection::MODEL;
}

#[test]
fn a_node_that_forgets_its_echo_is_found() {
    let entry = Arc::new(Entry::graph::<Forgetful>());
    let fault = fault(&asked(&entry, Sites::Every(3), all()));
    assert_eq!(fault.wrong, Wrong::Violation(Violation::NoLeader));
}

/// Every ID floods the network, and who has heard all n decides; with a fault or without.
#[derive(Debug, Clone, PartialEq)]
struct Roll {
    fault: u8,
    id: Id,
    n: u64,
    degree: usize,
    heard: BTreeSet<Id>,
    /// The ports over which mail came, in order.
    ports: Vec<Port>,
    decided: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    Own(Id),
    Other(Id),
    Ball,
}

kinds! {
    Call {
        Own: "own", |w| w.id;
        Other: "other", |w| w.id;
        Ball: "ball", |_| 0;
    }
}

const SOUND: u8 = 0;
const DECIDES_EARLY: u8 = 1;
const TWICE_IS_NEVER: u8 = 2;
const WOKEN_IS_MUTE: u8 = 3;
const PANICS_LATE: u8 = 4;
const LAST_PORT_FOLLOWS: u8 = 5;
const SAME_PORT_TWICE_IS_LOST: u8 = 6;
const OTHERS_FIRST_ARE_LOST: u8 = 7;
const PLAYS_BALL: u8 = 8;
const NO_MEMORY: u8 = 9;
const TWO_LEADERS_IN_ONE_ORDER: u8 = 10;

impl Process for Roll {
    type Message = Call;

    fn new(local: &Local) -> Self {
        let &Local { id, n, degree, .. } = local;
        let (heard, ports) = (BTreeSet::new(), Vec::new());
        Roll { fault: faults::fault(), id, n, degree, heard, ports, decided: false }
    }
}

impl Roll {
    fn wake(&mut self, out: &mut impl Outbox<Call>) {
        if self.heard.insert(self.id) {
            (0..self.degree).for_each(|port| out.send(port, Call::Own(self.id)));
        }
    }

    fn decide(&mut self, out: &mut impl Outbox<Call>) {
        let enough = self.n - u64::from(self.fault == DECIDES_EARLY && self.n > 2);
        if self.decided || (self.heard.len() as u64) < enough {
            return;
        }
        self.decided = true;
        let is_largest = self.heard.last() == Some(&self.id);
        let in_order = self.ports.is_sorted();
        match self.fault {
            // Only if the ports came in descending order, and it is the second largest.
            TWO_LEADERS_IN_ONE_ORDER
                if !in_order && self.heard.iter().rev().nth(1) == Some(&self.id) =>
            {
                out.lead();
            }
            LAST_PORT_FOLLOWS if is_largest && self.ports.last() == Some(&PREV) => {
                out.lead();
                out.follow();
            }
            _ if is_largest => out.lead(),
            _ => out.follow(),
        }
    }
}

impl Asynchronous for Roll {
    fn start(&mut self, out: &mut impl Outbox<Call>) {
        self.wake(out);
        self.decide(out);
    }

    fn receive(&mut self, from: Port, call: Call, out: &mut impl Outbox<Call>) {
        let woken = self.heard.is_empty();
        if woken && self.fault == WOKEN_IS_MUTE {
            self.heard.insert(self.id);
        }
        self.wake(out);
        let id = match call {
            Call::Own(id) | Call::Other(id) => id,
            // Back and forth for ever.
            Call::Ball => return out.send(from, Call::Ball),
        };
        let again = self.ports.last() == Some(&from);
        let first_here = !self.ports.contains(&from);
        if self.fault >= SAME_PORT_TWICE_IS_LOST || self.fault == LAST_PORT_FOLLOWS {
            self.ports.push(from);
            // So that equal futures are equal states.
            if self.fault != TWO_LEADERS_IN_ONE_ORDER && self.ports.len() > 4 {
                self.ports.remove(0);
            }
        }
        match self.fault {
            SAME_PORT_TWICE_IS_LOST if again && self.heard.len() == 2 => return,
            OTHERS_FIRST_ARE_LOST if first_here && matches!(call, Call::Other(_)) => return,
            PANICS_LATE => assert!(!self.decided || id > 1, "heard of 1 after the decision"),
            PLAYS_BALL if self.decided && id == 1 => out.send(from, Call::Ball),
            _ => {}
        }
        if self.heard.insert(id) || self.fault == NO_MEMORY {
            (0..self.degree)
                .filter(|&port| port != from)
                .for_each(|port| out.send(port, Call::Other(id)));
        } else if self.fault == TWICE_IS_NEVER {
            self.heard.remove(&id);
        }
        self.decide(out);
    }
}

impl Algorithm for Roll {
    const NAME: &'static str = "roll";
    const SUMMARY: &'static str = "every ID floods the network";
    const SOURCE: &'static str = "here";
    const MODEL: Model =
        Model { on: On::Graphs, knows_n: true, ..Model::electing(Elects::LargestId) };
}

/// The fault on all graphs of three, as the shortest schedule shows it; the schedule leads there.
fn planted<const FAULT: u8>(fifo: bool, staggered: bool) -> Wrong {
    let entry = Arc::new(on_graphs::<Roll, FAULT>());
    let asked = Schedules { fifo, staggered, ..asked(&entry, Sites::Every(3), all()) };
    let mut found = None;
    for instance in asked.instances().expect("graphs") {
        let Err(Ended::Fault(fault)) = asked.explore(&instance, &NEVER, &|_| {}) else { continue };
        instance.hold(&NEVER, |election| {
            let mut stage = Stage::new(&entry, instance.graph.as_ref(), election);
            let followed = fault.schedule.iter().filter(|&&step| stage.try_follow(step)).count();
            match &fault.wrong {
                Wrong::Panic(_) => assert_eq!(followed, fault.schedule.len() - 1),
                Wrong::Violation(Violation::TooManyMessages(limit)) => {
                    assert!(stage.messages() > *limit);
                }
                Wrong::Violation(violation) => {
                    assert!(fault.shortest);
                    assert!(possible(&stage, &[], fifo).is_empty());
                    assert_eq!(stage.outcome().as_ref(), Err(violation));
                }
                Wrong::Endless(steps) => {
                    assert!(fault.shortest);
                    let before = &fault.schedule[..fault.schedule.len() - steps];
                    let mut earlier = Stage::new(&entry, instance.graph.as_ref(), election);
                    earlier.follow(before);
                    assert_eq!(words(&earlier, fifo), words(&stage, fifo));
                }
            }
        });
        found = found.or(Some(fault.wrong));
    }
    found.unwrap_or_else(|| panic!("fault {FAULT} was not found"))
}

#[test]
fn every_planted_fault_is_found_and_shown() {
    let entry = Arc::new(on_graphs::<Roll, SOUND>());
    for (fifo, staggered) in [(true, false), (true, true), (false, false), (false, true)] {
        explored(&Schedules { fifo, staggered, ..asked(&entry, Sites::Every(3), all()) });
    }
    let violation = |wrong: Wrong| match wrong {
        Wrong::Violation(violation) => violation,
        other => panic!("{other}"),
    };
    violation(planted::<DECIDES_EARLY>(true, false));
    violation(planted::<TWICE_IS_NEVER>(false, false));
    violation(planted::<WOKEN_IS_MUTE>(true, true));
    assert!(
        matches!(planted::<PANICS_LATE>(true, false), Wrong::Panic(text) if text.contains("heard of 1"))
    );
    assert!(matches!(
        violation(planted::<LAST_PORT_FOLLOWS>(true, false)),
        Violation::LeaderFollows(_)
    ));
    violation(planted::<SAME_PORT_TWICE_IS_LOST>(true, false));
    violation(planted::<OTHERS_FIRST_ARE_LOST>(false, false));
    assert!(matches!(planted::<PLAYS_BALL>(true, false), Wrong::Endless(_)));
    // It goes round and round, or grows without end.
    planted::<NO_MEMORY>(true, false);
    assert!(matches!(
        violation(planted::<TWO_LEADERS_IN_ONE_ORDER>(true, false)),
        Violation::TwoLeaders { .. }
    ));
}

#[test]
fn a_fault_that_needs_overtaking_is_none_with_fifo_links() {
    let entry = Arc::new(on_graphs::<Roll, OTHERS_FIRST_ARE_LOST>());
    let path = asked(&entry, orders(PATH3), all());
    explored(&path);
}

#[test]
fn a_stop_ends_the_search() {
    let stop = hustings::model::stop::Stop::new();
    stop.ask();
    let asked = asked(find("echo-election"), orders(COMPLETE4), all());
    let instance = &asked.instances().expect("one")[0];
    assert_eq!(asked.explore(instance, &stop, &|_| {}), Err(Ended::Stopped));
}

#[test]
fn graphs_and_starts_are_what_they_are_called() {
    let asked = asked(find("echo-election"), Sites::Every(4), Sets::Every);
    let instances = asked.instances().expect("graphs");
    assert_eq!(instances.len(), 38 * 15);
    assert!(instances.iter().all(|it| it.graph.as_ref().is_some_and(Graph::is_connected)));
    let all = instances.iter().filter(|it| it.starts == Starts::All).count();
    assert_eq!(all, 38);
}
