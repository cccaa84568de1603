//! The proofs of lower bounds against the algorithms, beside values that were worked out elsewhere.

use hustings::engine::lower_bound::comparison::{How, bound_messages, check, compare};
use hustings::engine::lower_bound::open_schedule::{
    Failure, Split, guarantee, play, play_best, qualifying,
};
use hustings::engine::lower_bound::symmetry::{Ending, watch};
use hustings::model::stop::NEVER;
use hustings::prelude::*;

use crate::command_line::json;
use crate::common::{REGISTRY, find, on_rings};

/// Received in the open schedule at n = 4, 8, 16, 32, 64: halves, interleave, swap.
const RECEIVED: [(&str, [[u64; 3]; 5]); 10] = [
    ("lelann", [[6; 3], [28; 3], [120; 3], [496; 3], [2016; 3]]),
    ("chang-roberts", [[4, 4, 6], [16, 12, 28], [64, 32, 120], [256, 80, 496], [1024, 192, 2016]]),
    ("clockwise-join", [[4, 4, 6], [16, 12, 28], [64, 32, 120], [256, 80, 496], [1024, 192, 2016]]),
    ("peterson", [[6, 6, 5], [21, 22, 15], [56, 68, 45], [147, 190, 119], [358, 496, 305]]),
    (
        "peterson-alternating",
        [[5, 5, 4], [15, 15, 13], [41, 45, 38], [107, 115, 103], [269, 297, 264]],
    ),
    (
        "hirschberg-sinclair",
        [[14, 14, 14], [44, 48, 44], [125, 141, 125], [321, 375, 321], [788, 940, 788]],
    ),
    (
        "radius-growth",
        [[17, 17, 17], [51, 60, 51], [136, 179, 136], [338, 482, 338], [807, 1217, 807]],
    ),
    ("franklin", [[9, 9, 9], [25, 29, 25], [69, 85, 69], [165, 229, 165], [405, 581, 405]]),
    (
        "dolev-klawe-rodeh-b",
        [[5, 5, 4], [15, 18, 15], [41, 55, 43], [110, 152, 111], [274, 393, 280]],
    ),
    ("higham-przytycka", [[5, 5, 4], [15, 15, 13], [41, 44, 38], [105, 111, 99], [270, 279, 258]]),
];

#[test]
fn open_schedules_receive_what_was_found_elsewhere() {
    for (name, table) in RECEIVED {
        let entry = qualifying(&REGISTRY, name).expect("it qualifies");
        for (power, row) in (2..).zip(table) {
            let n = 1u32 << power;
            let received = Split::ALL.map(|(split, _)| {
                let certificate = play(entry, n, split, &NEVER).expect("a correct algorithm");
                if entry.model.elects != hustings::algorithm::Elects::Somebody {
                    assert_eq!(certificate.leader, u64::from(n));
                }
                assert!(certificate.messages > certificate.received);
                certificate.received
            });
            assert_eq!(received, row, "{name} {n}");
            assert!(received.iter().all(|&it| it >= guarantee(u64::from(n))));
        }
    }
}

#[test]
fn every_algorithm_pays_the_guarantee_at_every_size() {
    let mut played = 0;
    for entry in REGISTRY.entries() {
        let Ok(entry) = qualifying(&REGISTRY, &entry.name) else { continue };
        played += 1;
        for n in 2..=17 {
            let certificate = play_best(entry, n, &NEVER)
                .unwrap_or_else(|failure| panic!("{} {n}: {failure:?}", entry.name));
            assert!(certificate.received >= guarantee(u64::from(n)), "{} {n}", entry.name);
        }
    }
    assert!(played >= 25, "{played}");
}

#[test]
fn who_does_not_qualify_is_told_why() {
    for (name, words) in [
        ("time-slice", "needs rounds"),
        ("variable-speeds", "needs rounds"),
        ("phase", "know the size"),
        ("dfs-path", "know their neighbours"),
        ("ghs", "know their neighbours"),
        ("kkm-path", "know their neighbours"),
        ("bidirectional-chang-roberts", "flips coins"),
        ("tree-waves", "runs on trees"),
        ("anonymous", "needs rounds"),
    ] {
        let error = qualifying(&REGISTRY, name).expect_err(name).to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
    for (asked, played) in [("franklin", "franklin+announce"), ("peterson", "peterson")] {
        assert_eq!(qualifying(&REGISTRY, asked).expect("it qualifies").name, played);
    }
}

/// Wrong: it forgets to pass on what it hears, so everybody knows the larger neighbour at most.
#[derive(Debug, Clone, PartialEq)]
struct Forgetful {
    id: Id,
    leader: Option<Id>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Word {
    Candidate(Id),
}

hustings::kinds! { Word { Candidate: "candidate", |w| w.id; } }

impl Process for Forgetful {
    type Message = Word;

    fn new(local: &Local) -> Self {
        Forgetful { id: local.id, leader: None }
    }

    fn leader(&self) -> Option<Id> {
        self.leader
    }
}

impl Asynchronous for Forgetful {
    fn start(&mut self, out: &mut impl Outbox<Word>) {
        out.send(PREV, Word::Candidate(self.id));
        out.send(NEXT, Word::Candidate(self.id));
    }

    fn receive(&mut self, _from: Port, Word::Candidate(q): Word, out: &mut impl Outbox<Word>) {
        if q == self.id {
            self.leader = Some(q);
            out.lead();
        } else if q > self.id {
            self.leader = Some(q);
            out.follow();
        }
    }
}

impl Algorithm for Forgetful {
    const NAME: &'static str = "forgetful";
    const SUMMARY: &'static str = "wrong";
    const SOURCE: &'static str = "a test";
    const MODEL: Model = Model { announces: true, ..Model::electing(Elects::LargestId) };
}

#[test]
fn a_wrong_algorithm_is_shown_two_runs_that_make_one() {
    let registry = Registry::standard().with(Entry::asynchronous::<Forgetful>());
    let entry = qualifying(&registry, "forgetful").expect("it says that it qualifies");
    let failures = Split::ALL.map(|(split, _)| play(entry, 64, split, &NEVER));
    let contradiction = failures.into_iter().find_map(|played| match played {
        Err(Failure::Wrong(contradiction)) => Some(contradiction),
        _ => None,
    });
    let contradiction = contradiction.expect("it is wrong");
    let [one, two] = &contradiction.runs;
    let reached = |run: &[(Id, Id)]| run.iter().map(|(_, to)| *to).collect::<Vec<Id>>();
    // The two runs do not meet, so that they can be put together.
    assert!(reached(one).iter().all(|node| !reached(two).contains(node)), "{contradiction}");
    let half = contradiction.first.min(contradiction.ring.len() - contradiction.first);
    assert!(one.len() + two.len() < half);
    let (fooled, belief) = contradiction.fooled.expect("somebody is fooled");
    assert_ne!(belief, contradiction.ring.iter().copied().max(), "{fooled}");
    assert!(contradiction.to_string().contains("the algorithm is wrong"));
}

/// At n = 64: messages, active rounds, messages in the first of them, and where it is refuted.
type Row = (&'static str, u64, usize, [u64; 8], Option<u64>);

const COMPARED: [Row; 16] = [
    ("lelann", 4096, 64, [64; 8], None),
    ("chang-roberts", 256, 64, [64, 32, 16, 16, 8, 8, 8, 8], None),
    ("clockwise", 256, 64, [64, 32, 16, 16, 8, 8, 8, 8], None),
    ("clockwise-join", 256, 64, [64, 32, 16, 16, 8, 8, 8, 8], None),
    ("chang-roberts+announce", 320, 128, [64, 32, 16, 16, 8, 8, 8, 8], None),
    ("hirschberg-sinclair", 1280, 190, [128, 64, 64, 64, 32, 32, 32, 32], None),
    ("k-neighbour", 1404, 202, [128, 64, 32, 32, 32, 32, 32, 32], None),
    ("radius-growth", 1664, 190, [128, 128, 64, 64, 64, 64, 32, 32], None),
    ("peterson", 896, 254, [64, 64, 32, 32, 32, 32, 16, 16], None),
    ("franklin", 896, 127, [128, 64, 64, 32, 32, 32, 32, 16], None),
    ("peterson-alternating", 448, 127, [64, 32, 32, 16, 16, 16, 16, 8], None),
    ("dolev-klawe-rodeh-b", 577, 127, [64, 32, 32, 32, 16, 16, 16, 16], None),
    ("higham-przytycka", 442, 122, [64, 32, 32, 16, 16, 16, 8, 8], None),
    ("time-slice", 64, 64, [1; 8], Some(1)),
    ("variable-speeds", 127, 64, [64, 1, 1, 1, 1, 1, 1, 1], Some(2)),
    ("variable-speeds-listing", 158, 95, [64, 1, 1, 1, 1, 1, 1, 1], Some(2)),
];

#[test]
fn comparisons_on_the_bit_reversal_ring_are_as_found_elsewhere() {
    for (name, messages, rounds, first, refuted) in COMPARED {
        let compared = compare(find(name), 64, &NEVER).expect("an election");
        assert_eq!((compared.bound_messages, compared.bound_active_rounds), (128, 16));
        assert_eq!(compared.messages, messages, "{name}");
        assert_eq!(compared.active_rounds.len(), rounds, "{name}");
        assert_eq!(compared.active_rounds[..8], first, "{name}");
        assert_eq!(compared.refuted.map(|it| it.active_round), refuted, "{name}");
    }
    for (name, senders, class) in [("time-slice", 1, 64), ("variable-speeds", 1, 16)] {
        let refuted = compare(find(name), 64, &NEVER).expect("an election").refuted;
        assert_eq!(refuted.map(|it| it.how), Some(How::Senders { senders, class }), "{name}");
    }
    for (name, totals) in [
        ("higham-przytycka", [30, 85, 189]),
        ("dolev-klawe-rodeh-b", [37, 97, 241]),
        ("k-neighbour", [100, 252, 604]),
    ] {
        let found = [8, 16, 32].map(|n| compare(find(name), n, &NEVER).expect("good").messages);
        assert_eq!(found, totals, "{name}");
    }
}

/// Whoever only compares stays above both bounds; who waits for IDs undercuts them, time-slice from 8
/// and variable-speeds from 64 on.
#[test]
fn only_who_does_more_than_compare_undercuts_the_bound() {
    for entry in on_rings().filter(|entry| check(entry, 8).is_ok()) {
        for n in [4, 8, 16, 32, 64, 128] {
            let compared = compare(entry, n, &NEVER).expect("an election");
            let holds = compared.messages >= bound_messages(n)
                && compared.active_rounds.len() as u64 >= n / 4;
            assert!(holds || compared.refuted.is_some(), "{} {n}", entry.name);
            match entry.name.as_str() {
                "time-slice" => assert_eq!(holds, n < 8),
                "variable-speeds" => {
                    assert_eq!(compared.messages < compared.bound_messages, n >= 64)
                }
                _ => {}
            }
        }
    }
}

#[test]
fn equals_stay_equal_after_every_round() {
    for entry in on_rings() {
        for n in [1, 2, 6] {
            let watched = watch(entry, n, 300, &NEVER).expect("nobody stops it");
            assert_eq!(watched.broken_after, None, "{} {n}", entry.name);
            assert!(watched.leaders.is_multiple_of(n), "{} {n}", entry.name);
        }
    }
    let watched = watch(find("chang-roberts"), 6, 300, &NEVER).expect("nobody stops it");
    assert_eq!((watched.leaders, watched.messages, watched.ending), (6, 6, Ending::Silent));
}

#[test]
fn programs_read_certificates() {
    let open = json("lower-bound open-schedule --algorithm peterson --n 16 --json");
    assert_eq!((&open["received"], &open["guarantee"]), (&68.into(), &20.into()));
    assert_eq!((&open["split"], &open["leader"]), (&"interleave".into(), &16.into()));
    assert_eq!(open["ring"].as_array().map(Vec::len), Some(16));
    let compared = json("lower-bound comparison --algorithm time-slice --n 64 --json");
    assert_eq!((&compared["messages"], &compared["refuted_at"]), (&64.into(), &1.into()));
    assert_eq!(compared["comparison_based"], false);
    assert_eq!(compared["active_round_messages"].as_array().map(Vec::len), Some(64));
    let equal = json("lower-bound symmetry --algorithm chang-roberts --n 6 --json");
    assert_eq!((&equal["symmetric"], &equal["leaders"]), (&true.into(), &6.into()));
}
