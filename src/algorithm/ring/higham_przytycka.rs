//! Higham and Przytycka's election: envelopes that are promoted by distance and by witnesses.
//!
//! L. Higham, T. Przytycka, "A simple, efficient algorithm for maximum finding on rings", WDAG 1993;
//! Information Processing Letters 58 (1996).
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, FIFO links, any initiators |
//! | Elects | exactly one node, not always the largest; the others are not told |
//! | Cost | at most 1.271 n log2 n + O(n) messages |
//!
//! ```text
//! start:               last := (id, 1); send <env, id, 1, F_3 - 1>
//! on <env, x, r, c>:   last = (x, r): lead
//!   same round r as last: r odd and x > last, or r even and x < last: swallow it
//!   the same round, or r odd and c = 0 (distance),
//!   or r even, last of round r-1 and x > last (witness):  promote: r := r + 1; c := F_(r+2)
//!   last := (x, r); send <env, x, r, c-1>
//! ```
//! A node that mail wakes starts first. F_1 = F_2 = 1. An even envelope that is promoted by its witness
//! never meets its own round. Without distance and witness every round takes n messages.

use super::hirschberg_sinclair::AllRings;
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::{Kinds, Message};
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Facts};

/// The algorithm as it was published.
pub type HighamPrzytycka = Envelopes<true, true>;

/// The state of one participant, who promotes by distance, by witness, by both or by neither.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelopes<const DISTANCE: bool, const WITNESS: bool> {
    /// The label of the envelope that it sent last; before the first, its own ID.
    label: Id,
    /// The round of that envelope; 0 before the first.
    round: u8,
}

/// A label on its way round the ring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    /// Whose ID it was.
    pub label: Id,
    /// Its round.
    pub round: u8,
    /// In odd rounds it is promoted after so many hops at the latest.
    pub hops: u32,
}

impl Message for Envelope {
    // There may be more rounds than phases, log_φ n, but not twice as many.
    const KINDS: Kinds = Kinds::new(&[("env", |w| w.id + w.phase + 1 + w.hops)]);
}

impl<const DISTANCE: bool, const WITNESS: bool> Process for Envelopes<DISTANCE, WITNESS> {
    type Message = Envelope;

    fn new(local: &Local) -> Self {
        Envelopes { label: local.id, round: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.round))
    }
}

impl<const DISTANCE: bool, const WITNESS: bool> Asynchronous for Envelopes<DISTANCE, WITNESS> {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Envelope>) {
        self.round = 1;
        out.send(NEXT, Envelope { label: self.label, round: 1, hops: distance(1) - 1 });
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, envelope: Envelope, out: &mut impl Outbox<Envelope>) {
        if self.round == 0 {
            Asynchronous::start(self, out);
        }
        let Envelope { label, mut round, mut hops } = envelope;
        let odd = round % 2 == 1;
        let same_round = round == self.round;
        if same_round && label == self.label {
            return out.lead();
        }
        if same_round && odd == (label > self.label) {
            return;
        }
        let far = DISTANCE && odd && hops == 0;
        let witnessed = WITNESS && !odd && self.round + 1 == round && label > self.label;
        if same_round || far || witnessed {
            round += 1;
            hops = distance(round);
        }
        (self.label, self.round) = (label, round);
        out.send(NEXT, Envelope { label, round, hops: hops.saturating_sub(1) });
    }
}

/// The model, by whatever rule envelopes are promoted.
pub(super) const MODEL: Model = Model {
    needs_fifo: true,
    silent_victory: true,
    ..Model::electing(Elects::Somebody).clockwise()
};

/// How far an envelope goes in a round: F_(round+2).
fn distance(round: u8) -> u32 {
    let (mut fibonacci, mut next) = (1u32, 2u32);
    for _ in 0..round {
        (fibonacci, next) = (next, next.saturating_add(fibonacci));
    }
    fibonacci
}

impl Algorithm for HighamPrzytycka {
    const NAME: &'static str = "higham-przytycka";
    const SUMMARY: &'static str = "envelopes promoted by distance and by witnesses";
    const SOURCE: &'static str = "Higham and Przytycka 1993";
    const FILE: &'static str = include_str!("higham_przytycka.rs");
    const MODEL: Model = MODEL;

    /// The number of messages does not depend on the initiators: mail wakes everybody.
    fn facts(case: &Case) -> Facts {
        if case.n == 1 {
            return Facts::constant(1, "1", Self::SOURCE);
        }
        ALL_RINGS.facts(case.n)
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

/// As fractions, for n = 2, 3, ….
const ALL_RINGS: AllRings = AllRings {
    means: &[
        (4, 1),
        (7, 1),
        (31, 3),
        (337, 24),
        (517, 24),
        (6007, 240),
        (28_879, 1008),
        (264_673, 8064),
        (4_499_393, 120_960),
    ],
    variances: &[
        (0, 1),
        (1, 1),
        (11, 9),
        (1751, 576),
        (3307, 2880),
        (56_191, 57_600),
        (8_431_819, 5_080_320),
        (356_865_983, 65_028_096),
        (146_479_901_951, 14_631_321_600),
    ],
    worst: &[4, 8, 11, 18, 22, 26, 34, 39, 44],
};

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use super::*;
    use crate::algorithm::ring::every_order;
    use crate::model::process::{PREV, Recorded, Status};

    fn envelope(label: Id, round: u8, hops: u32) -> Envelope {
        Envelope { label, round, hops }
    }

    fn receive(last: (Id, u8), message: Envelope) -> Recorded<Envelope> {
        let mut out = Recorded::new(true);
        HighamPrzytycka { label: last.0, round: last.1 }.receive(PREV, message, &mut out);
        out
    }

    #[test]
    fn without_the_rule_of_the_distance_an_odd_round_ends_at_its_like() {
        let mut out = Recorded::new(true);
        let mut node = Envelopes::<false, true> { label: 5, round: 2 };
        node.receive(PREV, envelope(7, 3, 0), &mut out);
        assert_eq!(out.sent, [(NEXT, envelope(7, 3, 0))]);
    }

    /// Messages, the place of the leader and the label that it sees again, of a ring on which all start. A
    /// node reads one queue, so that any order will do.
    fn elect<const DISTANCE: bool, const WITNESS: bool>(ids: &[Id]) -> (u64, usize, Id) {
        let mut queues = vec![VecDeque::new(); ids.len()];
        let (mut nodes, mut sent, mut leaders) = (Vec::new(), 0, Vec::new());
        for (at, &id) in ids.iter().enumerate() {
            let mut out = Recorded::new(true);
            let mut node = Envelopes::<DISTANCE, WITNESS>::new(&Local { id, ..Local::default() });
            Asynchronous::start(&mut node, &mut out);
            nodes.push(node);
            queues[(at + 1) % ids.len()].extend(out.sent);
        }
        while let Some(at) = queues.iter().position(|queue| !queue.is_empty()) {
            while let Some((_, envelope)) = queues[at].pop_front() {
                sent += 1;
                let mut out = Recorded::new(true);
                nodes[at].receive(PREV, envelope, &mut out);
                leaders.extend((out.status == Status::Leader).then_some((at, envelope.label)));
                queues[(at + 1) % ids.len()].extend(out.sent);
            }
        }
        assert_eq!(leaders.len(), 1, "{ids:?}");
        (sent, leaders[0].0, leaders[0].1)
    }

    #[test]
    fn the_label_that_survives_is_that_of_another_program() {
        let ascending: Vec<Id> = (1..=16).collect();
        let reversed: Vec<Id> = (0..16u8).map(|i| u64::from(i.reverse_bits() >> 4) + 1).collect();
        let rings = [
            (vec![5, 2, 8, 1, 7, 3, 6, 4], (29, 0, 2)),
            (vec![3, 10, 1, 8, 5, 9, 2, 7, 4, 6], (37, 6, 3)),
            (vec![1, 5, 3, 7, 2, 6, 4, 8], (30, 0, 3)),
            (reversed, (85, 1, 6)),
            (ascending, (52, 5, 15)),
        ];
        for (ids, expected) in rings {
            assert_eq!(elect::<true, true>(&ids), expected, "{ids:?}");
        }
    }

    #[test]
    fn without_both_rules_every_round_takes_n_messages() {
        assert_eq!(elect::<false, false>(&[5, 1, 3, 4, 2]).0, 20);
        let mut rings = BTreeMap::new();
        every_order(&mut (1..=8).rev().collect::<Vec<Id>>(), 1, &mut |ids| {
            *rings.entry(elect::<false, false>(ids).0).or_insert(0) += 1;
        });
        assert_eq!(rings, BTreeMap::from([(16, 1), (24, 1670), (32, 3321), (40, 48)]));
    }

    #[test]
    fn odd_rounds_keep_the_smaller_label_and_promote_it() {
        assert_eq!(receive((5, 1), envelope(7, 1, 1)).sent, []);
        assert_eq!(receive((5, 1), envelope(3, 1, 1)).sent, [(NEXT, envelope(3, 2, 2))]);
    }

    #[test]
    fn an_odd_round_ends_with_the_distance() {
        assert_eq!(receive((5, 2), envelope(7, 3, 4)).sent, [(NEXT, envelope(7, 3, 3))]);
        assert_eq!(receive((5, 2), envelope(7, 3, 0)).sent, [(NEXT, envelope(7, 4, 7))]);
    }

    #[test]
    fn an_even_round_needs_a_witness() {
        assert_eq!(receive((5, 2), envelope(3, 2, 1)).sent, []);
        assert_eq!(receive((5, 1), envelope(7, 2, 1)).sent, [(NEXT, envelope(7, 3, 4))]);
        assert_eq!(receive((5, 1), envelope(3, 2, 1)).sent, [(NEXT, envelope(3, 2, 0))]);
        assert_eq!(receive((5, 1), envelope(3, 2, 0)).sent, [(NEXT, envelope(3, 2, 0))]);
    }

    #[test]
    fn who_gets_back_what_it_sent_last_leads() {
        let out = receive((5, 2), envelope(5, 2, 1));
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    #[test]
    fn mail_wakes_a_sleeper_into_its_own_round_1() {
        let local = Local { id: 5, ..Local::default() };
        let (_, out) =
            Recorded::replay::<HighamPrzytycka>(&local, false, &[(PREV, envelope(7, 1, 1))]);
        assert_eq!(out.sent, [(NEXT, envelope(5, 1, 1))]);
    }
}
