//! Peterson's election, found at the same time by Dolev, Klawe and Rodeh.
//!
//! G. Peterson, "An O(n log n) unidirectional algorithm for the circular extrema problem", TOPLAS
//! 4 (1982); D. Dolev, M. Klawe, M. Rodeh, J. Algorithms 3 (1982).
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, FIFO links, any initiators |
//! | Elects | the largest initiator: the owner of the ID that survives, not its last holder |
//! | Cost | 2n messages a round, at most floor(log2 n) + 1 rounds, the announcement included |
//!
//! ```text
//! active, with the ID ci in hand:
//!   send <one, ci>
//!   on <one, q>:  q = ci: that ID has won: send <small, q>
//!                 else:   acn := q; send <two, acn>
//!   on <two, q>:  acn > ci and acn > q: ci := acn, next round;  else: passive
//! passive, or not started: relay <one> and <two>
//! on <small, q>:  q = id: lead, else follow; the last holder ends the lap, all others relay it
//! ```

use super::hirschberg_sinclair::small_variance;
use crate::algorithm::{Algorithm, Elects, Model};
use crate::process::{
    Asynchronous, Id, Kinds, Local, Message, NEXT, Outbox, Port, Process, Widths,
};
use crate::theory::{Case, Certainty, Fact, Facts, floor_log2};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Peterson {
    id: Id,
    /// The ID in hand: ci.
    current: Id,
    /// The ID of the active neighbour behind: acn.
    neighbour: Id,
    winner: Option<Id>,
    active: bool,
    rounds: u32,
}

/// What the nodes send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    /// The ID in hand, for the next active node.
    One(Id),
    /// The ID of the active node behind, for the next active node.
    Two(Id),
    /// The winner.
    Small(Id),
}

use Stage::{One, Small, Two};

impl Message for Stage {
    const KINDS: Kinds = Kinds::new(&["one", "two", "small"]);

    #[inline(always)]
    fn kind(&self) -> usize {
        match self {
            One(_) => 0,
            Two(_) => 1,
            Small(_) => 2,
        }
    }

    fn field_bits(_kind: usize, widths: &Widths) -> u64 {
        widths.id
    }
}

impl Process for Peterson {
    type Message = Stage;

    fn new(local: &Local) -> Self {
        let id = local.id;
        Peterson { id, current: id, neighbour: id, winner: None, active: false, rounds: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.rounds))
    }

    fn leader(&self) -> Option<Id> {
        self.winner
    }
}

impl Peterson {
    #[inline(always)]
    fn begin_round(&mut self, out: &mut impl Outbox<Stage>) {
        self.rounds += 1;
        out.send(NEXT, One(self.current));
    }

    fn learn(&mut self, winner: Id, out: &mut impl Outbox<Stage>) {
        self.winner = Some(winner);
        if winner == self.id {
            out.lead();
        } else {
            out.follow();
        }
    }
}

impl Asynchronous for Peterson {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Stage>) {
        self.active = true;
        self.begin_round(out);
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, message: Stage, out: &mut impl Outbox<Stage>) {
        if !self.active {
            if let Small(q) = message {
                self.learn(q, out);
            }
            out.send(NEXT, message);
            return;
        }
        match message {
            One(q) if q == self.current => {
                self.learn(q, out);
                out.send(NEXT, Small(q));
            }
            One(q) => {
                self.neighbour = q;
                out.send(NEXT, Two(q));
            }
            Two(q) if self.neighbour > self.current && self.neighbour > q => {
                self.current = self.neighbour;
                self.begin_round(out);
            }
            Two(_) => self.active = false,
            Small(_) => {} // the lap is over
        }
    }
}

impl Algorithm for Peterson {
    const NAME: &'static str = "peterson";
    const SUMMARY: &'static str = "local maxima survive each round; ends with an announcement";
    const SOURCE: &'static str = "Peterson 1982; Dolev, Klawe and Rodeh 1982";
    const MODEL: Model =
        Model { needs_fifo: true, announces: true, ..Model::electing(Elects::LargestInitiator) };

    /// 2n messages in each of R rounds; R is distributed as on a ring of the k initiators alone.
    fn facts(case: &Case) -> Facts {
        let Some(k) = case.initiators else { return Facts::default() };
        let n = u128::from(case.n);
        if k == 1 {
            return Facts::constant(2 * n, "2n", Self::SOURCE);
        }
        let all = case.is_all();
        let worst = 2 * n * (u128::from(floor_log2(k)) + 1);
        let worst_formula = if all { "2n (floor(log2 n) + 1)" } else { "2n (floor(log2 k) + 1)" };
        Facts {
            best: Some(Fact::whole(4 * n, "4n", Self::SOURCE)),
            mean: Some(mean(case.n, k, all)),
            worst: Some(Fact::whole(worst, worst_formula, Self::SOURCE)),
            variance: small_variance(k, &ROUND_VARIANCES).map(|fact| {
                let scale = 4.0 * case.n as f64 * case.n as f64;
                Fact::real(
                    fact.value.as_f64() * scale,
                    &format!("4 n^2 {}", fact.formula),
                    fact.source,
                )
                .known(Certainty::Enumerated)
            }),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    /// W(1) = [1]; W(n) doubles W(⌊n/2⌋): each x becomes n-⌊n/2⌋+x followed by the next unused low
    /// ID; an odd n gets one more low ID at the end.
    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        if n == 1 {
            return Some(vec![0]);
        }
        let half = n / 2;
        let mut low = 0..;
        let mut ring = Vec::with_capacity(n as usize);
        for rank in Self::worst_ring(half)? {
            ring.push(n - half + rank);
            ring.extend(low.next());
        }
        if n % 2 == 1 {
            ring.extend(low.next());
        }
        Some(ring)
    }
}

fn mean(n: u64, k: u64, all: bool) -> Fact {
    let two_n = 2.0 * n as f64;
    let index = usize::try_from(k).unwrap_or(usize::MAX) - 2;
    if let Some(&(numerator, denominator)) = ROUND_MEANS.get(index) {
        let formula = format!("2n {numerator}/{denominator}");
        let value = two_n * numerator as f64 / denominator as f64;
        return Fact::real(value, &formula, "all (k-1)! rings").known(Certainty::Enumerated);
    }
    let formula = if all { "2n (0.6229 log2 n + 1.13)" } else { "2n (0.6229 log2 k + 1.13)" };
    let value = two_n * (0.6229 * (k as f64).log2() + 1.13);
    Fact::real(value, formula, "fitted to simulations, ±0.1 · 2n").known(Certainty::Measured)
}

/// E[R] for 2, 3, … initiators, over all rings.
const ROUND_MEANS: [(u64, u64); 9] =
    [(2, 1), (2, 1), (7, 3), (8, 3), (43, 15), (133, 45), (946, 315), (3851, 1260), (169, 54)];

/// Var R for 2, 3, … initiators, over all rings.
const ROUND_VARIANCES: [(u64, u64); 9] = [
    (0, 1),
    (0, 1),
    (2, 9),
    (2, 9),
    (26, 225),
    (86, 2025),
    (2834, 99_225),
    (94_499, 1_587_600),
    (11_659, 102_060),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{PREV, Recorded, Status};

    fn active(current: Id, neighbour: Id) -> Peterson {
        Peterson { id: 5, current, neighbour, winner: None, active: true, rounds: 1 }
    }

    #[test]
    fn the_first_message_is_passed_on_as_the_second() {
        let mut out = Recorded::new(true);
        let mut node = active(5, 5);
        node.receive(PREV, One(7), &mut out);
        assert_eq!(out.sent, [(NEXT, Two(7))]);
        assert_eq!(node.neighbour, 7);
    }

    #[test]
    fn a_local_maximum_behind_is_adopted() {
        let mut out = Recorded::new(true);
        let mut node = active(5, 7);
        node.receive(PREV, Two(6), &mut out);
        assert_eq!(out.sent, [(NEXT, One(7))]);
        let mut out = Recorded::new(true);
        let mut node = active(5, 7);
        node.receive(PREV, Two(8), &mut out);
        assert!(out.sent.is_empty() && !node.active);
    }

    #[test]
    fn the_owner_of_the_surviving_id_leads_not_its_holder() {
        let mut out = Recorded::new(true);
        active(9, 9).receive(PREV, One(9), &mut out);
        assert_eq!((out.sent, out.status), (vec![(NEXT, Small(9))], Status::Follower));
        let mut out = Recorded::new(true);
        let mut owner = Peterson { active: false, ..active(5, 5) };
        owner.receive(PREV, Small(5), &mut out);
        assert_eq!((out.sent, out.status), (vec![(NEXT, Small(5))], Status::Leader));
    }
}
