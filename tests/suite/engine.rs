//! The engines' judge convicts wrong algorithms, clocks do not overflow in silence, and the random
//! words and the bits of messages never change.

use hustings::algorithm::count::Scratch;
use hustings::algorithm::ring::Candidate;
use hustings::algorithm::{Algorithm, Elects, Model};
use hustings::engine::Entry;
use hustings::experiment::cell::Setting;
use hustings::model::delay::Delay;
use hustings::model::election::{Election, Starts};
use hustings::model::message::{MAX_KINDS, Widths};
use hustings::model::outcome::Time;
use hustings::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use hustings::model::random::{Key, Purpose, Stream};
use hustings::model::stop::NEVER;
use hustings::model::violation::Violation;
use sha2::{Digest, Sha256};

use crate::common::{REGISTRY, cell, elect_all, find, network, verdict};
use crate::faults::{fault, on_rings};

/// Chang-Roberts with a fault, of which the constants below are the names, and with a claim.
#[derive(Debug, Clone, PartialEq)]
struct Faulty<const CLAIM: u8> {
    fault: u8,
    id: Id,
    leader: Option<Id>,
}

const NONE: u8 = 0;
const LOCAL_MAXIMA_LEAD: u8 = 1;
const NOBODY_LEADS: u8 = 2;
const SMALLEST_LEADS: u8 = 3;
const NEVER_STOPS: u8 = 4;
const LEADER_FOLLOWS: u8 = 5;
const NOBODY_FOLLOWS: u8 = 6;
const BELIEVES_IN_ITSELF: u8 = 7;

/// What it claims falsely.
const NOTHING: u8 = 0;
const AN_ANNOUNCEMENT: u8 = 1;
const ANONYMITY: u8 = 2;

impl<const CLAIM: u8> Process for Faulty<CLAIM> {
    type Message = Candidate;

    fn new(local: &Local) -> Self {
        let (fault, id) = (fault(), local.id);
        Faulty { fault, id, leader: (fault == BELIEVES_IN_ITSELF).then_some(id) }
    }

    fn leader(&self) -> Option<Id> {
        self.leader
    }
}

impl<const CLAIM: u8> Asynchronous for Faulty<CLAIM> {
    fn start(&mut self, out: &mut impl Outbox<Candidate>) {
        out.send(NEXT, Candidate(self.id));
    }

    fn receive(&mut self, _from: Port, Candidate(q): Candidate, out: &mut impl Outbox<Candidate>) {
        match self.fault {
            LOCAL_MAXIMA_LEAD if q < self.id => out.lead(),
            LOCAL_MAXIMA_LEAD | NOBODY_LEADS => out.follow(),
            NEVER_STOPS => out.send(NEXT, Candidate(q)),
            _ if q == self.id => {
                out.lead();
                out.follow_if(self.fault == LEADER_FOLLOWS);
            }
            _ => {
                let forward = (q > self.id) != (self.fault == SMALLEST_LEADS);
                out.follow_if(forward && self.fault != NOBODY_FOLLOWS);
                out.send_if(forward, NEXT, Candidate(q));
            }
        }
    }
}

impl<const CLAIM: u8> Algorithm for Faulty<CLAIM> {
    const NAME: &'static str = "faulty";
    const SUMMARY: &'static str = "Chang-Roberts with a fault";
    const SOURCE: &'static str = "this test";
    const MODEL: Model = match CLAIM {
        ANONYMITY => Model::electing(Elects::Nobody),
        _ => Model {
            announces: CLAIM == AN_ANNOUNCEMENT,
            ..Model::electing(Elects::LargestInitiator)
        },
    };
}

/// What both engines say about a faulty algorithm on the ring 1, 3, 2, 4.
fn convicts<const FAULT: u8, const CLAIM: u8>(expected: &Violation) {
    let mut simulator = (on_rings::<Faulty<CLAIM>, FAULT>().simulator)();
    let lockstep = network(Delay::Uniform(1.0, 1.0), true, 0);
    for network in [None, Some(&lockstep)] {
        let election = Election {
            ids: &[1, 3, 2, 4],
            starts: &Starts::All,
            limit: 100,
            coins: 0,
            stop: &NEVER,
        };
        assert_eq!(simulator.run(&election, network).as_ref(), Err(expected), "{network:?}");
    }
}

#[test]
fn without_a_fault_the_election_is_one() {
    let mut simulator = (on_rings::<Faulty<NOTHING>, NONE>().simulator)();
    let outcome = elect_all(simulator.as_mut(), &[1, 3, 2, 4]);
    // 1 travels one hop, 3 two, 2 one, and 4 all round.
    assert_eq!((outcome.leader, outcome.messages), (Some(4), 8));
}

#[test]
fn two_leaders_are_found() {
    convicts::<LOCAL_MAXIMA_LEAD, NOTHING>(&Violation::TwoLeaders { first: 3, second: 4 });
}

#[test]
fn a_silence_without_a_leader_is_found() {
    convicts::<NOBODY_LEADS, NOTHING>(&Violation::NoLeader);
}

#[test]
fn a_wrong_leader_is_found() {
    let rule = "the largest initiator wins";
    convicts::<SMALLEST_LEADS, NOTHING>(&Violation::WrongLeader { elected: 1, expected: 4, rule });
}

#[test]
fn an_endless_election_ends_at_the_limit() {
    convicts::<NEVER_STOPS, NOTHING>(&Violation::TooManyMessages(100));
}

#[test]
fn a_leader_that_follows_is_found() {
    convicts::<LEADER_FOLLOWS, NOTHING>(&Violation::LeaderFollows(4));
}

#[test]
fn an_undecided_node_is_found() {
    convicts::<NOBODY_FOLLOWS, NOTHING>(&Violation::Undecided(1));
}

#[test]
fn a_wrong_belief_is_found() {
    convicts::<BELIEVES_IN_ITSELF, NOTHING>(&Violation::WrongBelief {
        node: 1,
        belief: Some(1),
        leader: 4,
    });
}

#[test]
fn a_missing_announcement_is_found() {
    convicts::<NONE, AN_ANNOUNCEMENT>(&Violation::WrongBelief { node: 1, belief: None, leader: 4 });
}

#[test]
fn broken_symmetry_is_found_in_the_round_in_which_it_breaks() {
    let mut simulator = (on_rings::<Faulty<ANONYMITY>, NONE>().simulator)();
    // Different IDs are different states from the start; equal ones stay alike.
    let broken = verdict(simulator.as_mut(), &[1, 3, 2, 4], &Starts::All, None);
    assert_eq!(broken, Err(Violation::SymmetryBroken(1)));
    let alike = verdict(simulator.as_mut(), &[5, 5, 5], &Starts::All, None);
    assert_eq!(alike.map(|outcome| (outcome.leader, outcome.messages)), Ok((None, 3)));
}

#[test]
fn the_limit_is_the_last_number_that_is_allowed() {
    let mut simulator = (find("lelann").simulator)();
    for network in [None, Some(network(Delay::Exponential(1.0), true, 0))] {
        for (limit, expected) in [(16, Ok(16)), (15, Err(Violation::TooManyMessages(15)))] {
            let ids = &[1, 3, 2, 4];
            let election = Election { ids, starts: &Starts::All, limit, coins: 0, stop: &NEVER };
            let outcome = simulator.run(&election, network.as_ref());
            assert_eq!(outcome.map(|outcome| outcome.messages), expected, "{network:?}");
        }
    }
}

#[test]
fn time_slices_of_enormous_ids_answer_at_once() {
    let mut simulator = (find("time-slice").simulator)();
    let outcome = elect_all(simulator.as_mut(), &[9_000_000_000_000_000_000, 12_345_678_901]);
    assert_eq!((outcome.leader, outcome.messages), (Some(12_345_678_901), 2));
    assert_eq!(outcome.time, Some(Time::Rounds(24_691_357_802)));
    assert_eq!(outcome.end, Some(Time::Rounds(24_691_357_804)));
}

#[test]
fn a_time_slice_beyond_the_clock_is_a_violation() {
    let mut simulator = (find("time-slice").simulator)();
    let verdict = verdict(simulator.as_mut(), &[u64::MAX, u64::MAX - 1], &Starts::All, None);
    assert!(matches!(verdict, Err(Violation::ClockOverflow(_))), "{verdict:?}");
}

#[test]
fn variable_speeds_overflow_only_if_a_hold_beyond_the_clock_matters() {
    let run = |name, ids: &[Id]| {
        let outcome = verdict((find(name).simulator)().as_mut(), ids, &Starts::All, None);
        outcome.map(|outcome| outcome.leader)
    };
    // 200 is held at the node 201 for 2^200 rounds, and nothing else happens.
    assert_eq!(run("variable-speeds", &[200, 201]), Err(Violation::ClockOverflow(201)));
    // 100 is held at the node 200, but 0 comes by: whoever discards need not wait.
    assert_eq!(run("variable-speeds", &[0, 100, 200]), Ok(Some(0)));
    assert_eq!(run("variable-speeds-listing", &[0, 100, 200]), Err(Violation::ClockOverflow(200)));
    // Here nobody holds 200, for it is the largest.
    assert_eq!(run("variable-speeds-listing", &[0, 1, 200]), Ok(Some(0)));
    let ascending: Vec<Id> = (0..200).collect();
    assert_eq!(run("variable-speeds", &ascending), Ok(Some(0)));
    let descending: Vec<Id> = (0..200).rev().collect();
    assert_eq!(run("variable-speeds", &descending), Ok(Some(0)));
}

#[test]
fn without_ids_nobody_can_win_except_alone() {
    let mut simulator = (find("anonymous").simulator)();
    for n in 1..=20u64 {
        let outcome = elect_all(simulator.as_mut(), &(1..=n).collect::<Vec<_>>());
        assert_eq!(outcome.leader, (n == 1).then_some(1));
        assert_eq!(outcome.messages, n);
        assert_eq!(outcome.max_node_messages, 1);
    }
}

/// One block of ChaCha with 8 rounds (D. Bernstein, "ChaCha, a variant of Salsa20", 2008): a
/// 64-bit block counter, and the number of the stream as the nonce.
fn chacha8_block(key: &[u8; 32], counter: u64, stream: u64) -> [u32; 16] {
    let mut state = [0u32; 16];
    state[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    for (word, bytes) in state[4..12].iter_mut().zip(key.chunks(4)) {
        *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    }
    for (place, value) in [(12, counter), (14, stream)] {
        state[place] = value as u32;
        state[place + 1] = (value >> 32) as u32;
    }
    let mut mixed = state;
    let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
        for (to, from, target, left) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            mixed[to] = mixed[to].wrapping_add(mixed[from]);
            mixed[target] = (mixed[target] ^ mixed[to]).rotate_left(left);
        }
    };
    for _ in 0..4 {
        (0..4).for_each(|i| quarter(i, 4 + i, 8 + i, 12 + i));
        (0..4).for_each(|i| quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4));
    }
    std::array::from_fn(|place| mixed[place].wrapping_add(state[place]))
}

/// The 32-bit words of a stream, from the written rule alone.
fn words_by_the_rule(text: &str, run: u64, purpose: u64) -> impl Iterator<Item = u32> {
    let key: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let stream = run.wrapping_mul(8).wrapping_add(purpose);
    (0..).flat_map(move |counter| chacha8_block(&key, counter, stream))
}

#[test]
fn the_words_follow_the_written_seed_rule() {
    let text = "hustings 1\nseed=7\ntopology=ring\nn=1000\nlayout=random\nids=dense\n";
    let key = Key::new(7, "ring", 1000, "random", "dense");
    let purposes = [Purpose::Ring, Purpose::Initiators, Purpose::Delays, Purpose::Coins];
    for (number, purpose) in (0..).zip(purposes) {
        for run in [0, 1, 123_456_789_012, u64::MAX] {
            let mut expected = words_by_the_rule(text, run, number);
            let mut stream = key.stream(run, purpose);
            for place in 0..100 {
                let (low, high) = (expected.next().unwrap(), expected.next().unwrap());
                let word = u64::from(low) | u64::from(high) << 32;
                assert_eq!(stream.word(), word, "word {place} of run {run}, {purpose:?}");
            }
        }
    }
}

#[test]
fn bounded_integers_and_shuffles_follow_from_the_words() {
    let text = "hustings 1\nseed=1\ntopology=ring\nn=8\nlayout=random\nids=dense\n";
    // Lemire's rule: the upper half of word · bound, refused if the lower half is below
    // 2^32 mod bound.
    let below = |words: &mut dyn Iterator<Item = u32>, bound: u64| {
        words
            .map(|word| u64::from(word) * bound)
            .find(|product| product % (1 << 32) >= (1 << 32) % bound)
            .map(|product| product >> 32)
    };
    let mut words = words_by_the_rule(text, 5, 0);
    let mut stream = Key::new(1, "ring", 8, "random", "dense").stream(5, Purpose::Ring);
    for bound in (1..200).chain([3 << 30, (1 << 31) + 1, u64::from(u32::MAX)]) {
        for _ in 0..10 {
            assert_eq!(Some(stream.below(bound)), below(&mut words, bound), "below {bound}");
        }
    }
    let mut expected: Vec<u32> = (0..50).collect();
    for last in (1..50).rev() {
        expected.swap(last, below(&mut words, last as u64 + 1).unwrap() as usize);
    }
    let mut shuffled: Vec<u32> = (0..50).collect();
    stream.shuffle(&mut shuffled);
    assert_eq!(shuffled, expected);
}

/// The stream of the frozen values below.
fn frozen() -> Stream {
    Key::new(1, "ring", 8, "random", "dense").stream(0, Purpose::Ring)
}

#[test]
fn frozen_values_never_change() {
    let mut stream = frozen();
    let words = [0; 4].map(|_| stream.word());
    assert_eq!(
        words,
        [
            0x7324_a270_194b_902c,
            0x6a88_b015_1fbf_b06c,
            0xeadc_a70c_8732_f6f4,
            0xa664_e189_54f7_12f4
        ]
    );

    let mut stream = frozen();
    let bounds = [6, 7, 100, 1 << 20, (1 << 32) - 1, 1 << 32, 1 << 62, 3 << 62];
    assert_eq!(
        bounds.map(|bound| stream.below(bound)),
        [
            0,
            3,
            12,
            436_363,
            2_268_264_179,
            1_425_478_388,
            2_667_769_572_401_690_722,
            735_114_812_508_304_923
        ]
    );

    let mut stream = frozen();
    let units = [0; 4].map(|_| stream.unit().to_bits());
    assert_eq!(
        units,
        [
            0x3fdc_c928_9c06_52e4,
            0x3fda_a22c_0547_efec,
            0x3fed_5b94_e190_e65e,
            0x3fe4_cc9c_312a_9ee2
        ]
    );

    let mut stream = frozen();
    let exponentials = [0; 4].map(|_| stream.exponential().to_bits());
    assert_eq!(
        exponentials,
        [
            0x3fe3_1e2b_c97c_31f9,
            0x3fe1_382e_6f60_65b8,
            0x4003_f3eb_79e2_c88c,
            0x3ff0_cbcc_d8ad_8f92
        ]
    );

    let mut shuffled: Vec<u32> = (0..10).collect();
    frozen().shuffle(&mut shuffled);
    assert_eq!(shuffled, [7, 6, 5, 1, 8, 3, 2, 9, 4, 0]);

    assert_eq!(frozen().choose(100, 8), [9, 11, 32, 39, 42, 51, 64, 89]);
}

/// The kinds of every algorithm's messages, each with the bits of one message twice: where an ID
/// takes 10 bits, hops 100 and a phase 1000, so that the digits count the fields; and among a million
/// nodes with the widest IDs.
const BITS: &str = "\
lelann: tok 10 64
chang-roberts: id 10 64
chang-roberts+announce: id 11 65, leader 11 65
ring-extinction: token 10 64
ring-extinction+announce: token 11 65, leader 11 65
clockwise: id 10 64
clockwise+announce: id 11 65, leader 11 65
clockwise-join: id 10 64
clockwise-join+announce: id 11 65, leader 11 65
hirschberg-sinclair: probe 1111 91, reply 1011 70
hirschberg-sinclair+announce: probe 1112 92, reply 1012 71, leader 12 66
k-neighbour: probe 1111 91, reply 1011 70
k-neighbour+announce: probe 1112 92, reply 1012 71, leader 12 66
radius-growth: probe 112 87, reply 12 66
radius-growth+announce: probe 113 88, reply 13 67, leader 12 66
peterson: one 12 66, two 12 66, small 12 66
franklin: cand 10 64
franklin+announce: cand 11 65, leader 11 65
peterson-alternating: cand 10 64
peterson-alternating+announce: cand 11 65, leader 11 65
dolev-klawe-rodeh-b: m1 1111 91, m2 11 65
dolev-klawe-rodeh-b+announce: m1 1112 92, m2 12 66, leader 12 66
higham-przytycka: env 1111 91
higham-przytycka+announce: env 1112 92, leader 11 65
higham-przytycka-witness: env 1111 91
bidirectional-chang-roberts: id 10 64
itai-rodeh: tok 1201 48
fokkink-pang: tok 201 43
probabilistic-franklin: cand 200 42
content-oblivious: cw 1 1, ccw 1 1
time-slice: leader 10 64
variable-speeds: wakeup 11 65, slow 11 65
variable-speeds-listing: wakeup 11 65, slow 11 65
anonymous: id 10 64
tree-wakeup: wakeup 1 1, tok 11 65
tree-waves: explosion 2 2, echo 12 66, info 12 66
tree-frugal: explosion 2 2, echo 12 66, info 12 66
dfs-path: forward 12 66, return 12 66, announce 12 66
dfs-colour: forward 12 66, bounce 12 66, return 12 66, announce 12 66
echo-election: explorer 12 66, echo 12 66, announce 12 66
adoption: explorer 12 66, echo 12 66, announce 12 66
waiting: explorer 12 66, echo 12 66, announce 12 66
extinction-echo: explorer 12 66, echo 12 66, announce 12 66
extinction-tarry: token 11 65, announce 11 65
extinction-dfs: token 11 65, announce 11 65
phase: best 10 64
finn: sets 0 0
ghs: connect 1003 8, initiate 1024 137, test 1023 136, accept 3 3, reject 3 3, report 23 131, changeroot 3 3, announce 13 67
kkm: annex 1012 71, chase 1012 71, announce 12 66
kkm-path: annex 1012 71, chase 1012 71, announce 12 66
sublinear-clique: rank 401 85, win 1 1
";

#[test]
fn the_bits_of_every_kind_never_change() {
    let widths = [Widths { id: 10, hops: 100, phase: 1000 }, Widths::new(1_000_000, Id::MAX)];
    let bits = |entry: &Entry, kind: usize| {
        let mut one = [0; MAX_KINDS];
        one[kind] = 1;
        widths.map(|widths| entry.kinds.bits(&one, &widths))
    };
    let lines = REGISTRY.entries().iter().map(|entry| {
        let kinds = entry.kinds.names().enumerate().map(|(kind, name)| {
            let [digits, wide] = bits(entry, kind);
            format!("{name} {digits} {wide}")
        });
        format!("{}: {}", entry.name, kinds.collect::<Vec<_>>().join(", "))
    });
    assert_eq!(lines.collect::<Vec<_>>(), BITS.lines().collect::<Vec<_>>());
}

/// The word about the winner: a lap of n, down a tree of N - 1 edges, or over all links. The only
/// messages of `time-slice` are called leader, too, but they are its election.
#[test]
fn announcements_are_what_is_sent_after_the_election() {
    let expected = [
        ("time-slice", 0),
        ("chang-roberts", 0),
        ("chang-roberts+announce", 12),
        ("ghs", 11),
        ("kkm", 13),
    ];
    for (name, announcements) in expected {
        let cell = cell(name, Setting::of(12));
        let mut runs = cell.prepare(7).expect("a good cell");
        let outcome = runs.simulate(0, (find(name).simulator)().as_mut()).expect("an election");
        assert_eq!(runs.row(0, &outcome).announcements, announcements, "{name}");
        if find(name).counter.is_some() {
            let (row, _) = runs.count(0, &mut Scratch::default()).expect("counted");
            assert_eq!(row.announcements, announcements, "{name}, counted");
        }
    }
}
