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
//!   r odd and (c = 0 or the same round),
//!   or r even, last of round r-1 and x > last:  promote: r := r + 1; c := F_(r+2)
//!   last := (x, r); send <env, x, r, c-1>
//! ```
//! A node that mail wakes starts first. F_1 = F_2 = 1.

use super::hirschberg_sinclair::{tabled, tabled_whole};
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::{Kinds, Message};
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct HighamPrzytycka {
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

impl Process for HighamPrzytycka {
    type Message = Envelope;

    fn new(local: &Local) -> Self {
        HighamPrzytycka { label: local.id, round: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.round))
    }
}

impl Asynchronous for HighamPrzytycka {
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
        let witnessed = self.round + 1 == round && label > self.label;
        if if odd { hops == 0 || same_round } else { witnessed } {
            round += 1;
            hops = distance(round);
        }
        (self.label, self.round) = (label, round);
        out.send(NEXT, Envelope { label, round, hops: hops.saturating_sub(1) });
    }
}

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
    const MODEL: Model = Model {
        needs_fifo: true,
        silent_victory: true,
        ..Model::electing(Elects::Somebody).clockwise()
    };

    /// The number of messages does not depend on the initiators: mail wakes everybody.
    fn facts(case: &Case) -> Facts {
        if case.n == 1 {
            return Facts::constant(1, "1", Self::SOURCE);
        }
        let best = Fact::whole(2 * u128::from(case.n), "2n", "all rings up to n = 8");
        Facts {
            best: Some(best.known(Certainty::Enumerated)),
            mean: tabled(case.n, &MEANS),
            worst: tabled_whole(case.n, &WORST),
            variance: tabled(case.n, &VARIANCES),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

/// The mean for n = 2, 3, …, as fractions, over all rings.
const MEANS: [(u64, u64); 7] =
    [(4, 1), (7, 1), (31, 3), (337, 24), (517, 24), (6007, 240), (28_879, 1008)];

/// The variance for n = 2, 3, …, as fractions, over all rings.
const VARIANCES: [(u64, u64); 7] =
    [(0, 1), (1, 1), (11, 9), (1751, 576), (3307, 2880), (56_191, 57_600), (8_431_819, 5_080_320)];

/// The most messages for n = 2, 3, …, over all rings.
const WORST: [u128; 7] = [4, 8, 11, 18, 22, 26, 34];

#[cfg(test)]
mod tests {
    use super::*;
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
