//! Peterson's second election: odd rounds compare with the ID behind, even ones with that ahead.
//!
//! G. Peterson, "An O(n log n) unidirectional algorithm for the circular extrema problem", TOPLAS
//! 4 (1982): the improved algorithm, as reconstructed from its bound.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, FIFO links, any initiators |
//! | Elects | the largest initiator: the owner of the ID that survives, not its last holder |
//! | Cost | n messages a round, at most log_φ n + O(1) = 1.44 log2 n rounds |
//!
//! ```text
//! active, with the ID ci in hand:
//!   send <cand, ci>
//!   on <cand, q>:  q = ci:                  that ID has won: q = id: lead
//!                  odd round, ci > q:       next round
//!                  even round, q > ci:      ci := q, next round
//!                  else:                    passive
//! passive, or not started: send <cand, q> on; q = id, and no larger one was seen: lead
//! on <cand, q> with q > id, or not started: follow
//! ```
//! IDs do not overtake each other: before one comes back to its owner, all larger ones pass there.

use super::franklin::Contender;
use super::rounds_law::{ALTERNATING, ALTERNATING_LAW};
use crate::algorithm::count::{Active, Count, Counter, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Law, Model};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Fact, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct PetersonAlternating {
    id: Id,
    /// The ID in hand: ci.
    current: Id,
    active: bool,
    /// Whether it has seen a larger ID than its own.
    beaten: bool,
    rounds: u8,
}

impl Process for PetersonAlternating {
    type Message = Contender;

    fn new(local: &Local) -> Self {
        let id = local.id;
        PetersonAlternating { id, current: id, active: false, beaten: false, rounds: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.rounds))
    }
}

impl PetersonAlternating {
    #[inline(always)]
    fn begin_round(&mut self, out: &mut impl Outbox<Contender>) {
        self.rounds += 1;
        out.send(NEXT, Contender(self.current));
    }
}

impl Asynchronous for PetersonAlternating {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Contender>) {
        self.active = true;
        self.begin_round(out);
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, Contender(q): Contender, out: &mut impl Outbox<Contender>) {
        self.beaten |= q > self.id;
        out.follow_if(self.beaten || !out.started());
        let odd = self.rounds % 2 == 1;
        if !self.active {
            out.send(NEXT, Contender(q));
        } else if q == self.current {
            // It has come round: nobody else is left.
        } else if odd == (self.current > q) {
            self.current = self.current.max(q);
            return self.begin_round(out);
        } else {
            self.active = false;
            return;
        }
        if q == self.id && !self.beaten {
            out.lead();
        }
    }
}

/// An odd round keeps the IDs larger than the one behind, an even one those larger than the one
/// ahead, which move on to its holder; every round costs each node one message.
///
/// A node begins its next round when the message has come: T' = max(T, T₁ + d₁), with the time at
/// which the active node behind began the round and its distance.
fn count(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let n = ring.n();
    let actives = &mut scratch.actives;
    ring.actives(actives)?;
    let mut rounds = 1;
    while actives.len() > 1 {
        next_round(actives, n, rounds % 2 == 1);
        rounds += 1;
    }
    let Active { position: holder, rank: leader, time } = actives[0];
    // The last message passes the owner on its lap; one who holds its own ID waits for the end.
    let to_owner = match (ring.position(leader) + n - holder) % n {
        0 => n,
        distance => distance,
    };
    let time = u64::from(time);
    Some(Count {
        time: Some(time + u64::from(to_owner)),
        end: Some(time + u64::from(n)),
        rounds: Some(rounds),
        max_node_messages: Some(rounds),
        ..Count::new(leader, &[u64::from(n) * rounds])
    })
}

/// One more round of at least two active nodes, in place.
fn next_round(actives: &mut Vec<Active>, n: u32, odd: bool) {
    let mut before = actives[actives.len() - 1];
    before.position = before.position.wrapping_sub(n);
    let mut len = 0;
    for index in 0..actives.len() {
        let active = actives[index];
        actives[len] = Active {
            position: active.position,
            rank: active.rank.max(before.rank),
            time: active.time.max(before.time + active.position.wrapping_sub(before.position)),
        };
        len += usize::from(odd == (active.rank > before.rank));
        before = active;
    }
    actives.truncate(len);
}

/// The most rounds of k initiators: the largest r with F_(r+1) ≤ k, where F_1 = F_2 = 1.
fn most_rounds(k: u64) -> u32 {
    let mut rounds = 1;
    // F_(rounds+1) and F_(rounds+2).
    let (mut fibonacci, mut next) = (1, 2);
    while next <= u128::from(k) {
        (fibonacci, next) = (next, fibonacci + next);
        rounds += 1;
    }
    rounds
}

impl Algorithm for PetersonAlternating {
    const NAME: &'static str = "peterson-alternating";
    const SUMMARY: &'static str = "compares with the ID behind and the ID ahead by turns";
    const SOURCE: &'static str = "Peterson 1982, second algorithm";
    const FILE: &'static str = include_str!("peterson_alternating.rs");
    const MODEL: Model =
        Model { needs_fifo: true, ..Model::electing(Elects::LargestInitiator).clockwise() };
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Synchronous });
    const LAW: Option<Law> = Some(ALTERNATING_LAW);

    /// n messages in each of R rounds; R is distributed as on a ring of the k initiators alone.
    fn facts(case: &Case) -> Facts {
        let Some(k) = case.initiators else { return Facts::default() };
        let n = u128::from(case.n);
        if k == 1 {
            return Facts::constant(n, "n", Self::SOURCE);
        }
        let worst = n * u128::from(most_rounds(k));
        let worst_formula =
            if case.is_all() { "n max{r: F_(r+1) <= n}" } else { "n max{r: F_(r+1) <= k}" };
        let [mean, variance] = ALTERNATING.facts(case.n, k, 1);
        Facts {
            best: Some(Fact::whole(2 * n, "2n", "derivation in docs/method.md")),
            mean: Some(mean),
            worst: Some(Fact::whole(worst, worst_formula, "derivation in docs/method.md")),
            variance: Some(variance),
        }
    }

    /// In every round each node sends once.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let Some(k) = case.initiators else { return Facts::default() };
        match metric {
            Metric::Time | Metric::End if k == 1 => {
                Facts::constant(case.n.into(), "n", Self::SOURCE).holding(Holds::Synchronous)
            }
            Metric::Rounds | Metric::MaxNodeMessages if k == 1 => {
                Facts::constant(1, "1", Self::SOURCE)
            }
            Metric::Rounds | Metric::MaxNodeMessages => {
                let most = most_rounds(k).into();
                let formula =
                    if case.is_all() { "max{r: F_(r+1) <= n}" } else { "max{r: F_(r+1) <= k}" };
                let [mean, variance] = ALTERNATING.rounds(case.n, k);
                Facts {
                    best: Some(Fact::whole(2, "2", "derivation in docs/method.md")),
                    mean: Some(mean),
                    worst: Some(Fact::whole(most, formula, "derivation in docs/method.md")),
                    variance: Some(variance),
                }
            }
            _ => Facts::default(),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }

    /// Backwards from the last round, in which one is left: whoever must meet a smaller ID in the
    /// round before gets a new smallest one as its neighbour. What is missing then comes behind
    /// the smallest, in descending order.
    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        let mut lowest = n;
        let mut next_lowest = || {
            lowest -= 1;
            lowest
        };
        let mut ring = vec![next_lowest()];
        for round in (1..most_rounds(u64::from(n))).rev() {
            let k = ring.len();
            let mut longer = Vec::with_capacity(2 * k);
            for (index, &rank) in ring.iter().enumerate() {
                if round % 2 == 1 {
                    longer.extend((rank <= ring[(index + k - 1) % k]).then(&mut next_lowest));
                    longer.push(rank);
                } else {
                    longer.push(rank);
                    longer.extend((rank <= ring[(index + 1) % k]).then(&mut next_lowest));
                }
            }
            ring = longer;
        }
        let smallest = ring.iter().min()?;
        let place = ring.iter().position(|rank| rank == smallest)? + 1;
        let missing = n as usize - ring.len();
        ring.splice(place..place, (0..missing).map(|_| next_lowest()));
        Some(ring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    fn receive(current: Id, rounds: u8, q: Id) -> (PetersonAlternating, Recorded<Contender>) {
        let mut node =
            PetersonAlternating { id: 5, current, active: true, beaten: current > 5, rounds };
        let mut out = Recorded::new(true);
        node.receive(PREV, Contender(q), &mut out);
        (node, out)
    }

    #[test]
    fn an_odd_round_keeps_who_is_larger_than_the_one_behind() {
        assert_eq!(receive(5, 1, 3).1.sent, [(NEXT, Contender(5))]);
        let (node, out) = receive(5, 1, 7);
        assert_eq!((out.sent, out.status, node.active), (vec![], Status::Follower, false));
    }

    #[test]
    fn an_even_round_moves_who_is_larger_than_the_one_ahead() {
        assert_eq!(receive(5, 2, 7).1.sent, [(NEXT, Contender(7))]);
        let (node, out) = receive(5, 2, 3);
        assert_eq!((out.sent, out.status, node.active), (vec![], Status::Undecided, false));
    }

    #[test]
    fn the_owner_of_the_surviving_id_leads_not_its_holder() {
        let (_, out) = receive(9, 3, 9);
        assert_eq!((out.sent, out.status), (vec![], Status::Follower));
        let (_, out) = receive(5, 3, 5);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        for (beaten, status) in [(false, Status::Leader), (true, Status::Follower)] {
            let mut out = Recorded::new(true);
            let mut owner =
                PetersonAlternating { id: 5, current: 5, active: false, beaten, rounds: 2 };
            owner.receive(PREV, Contender(5), &mut out);
            assert_eq!((out.sent, out.status), (vec![(NEXT, Contender(5))], status));
        }
    }

    #[test]
    fn the_most_rounds_follow_fibonacci() {
        let rounds: Vec<u32> = (1..=14).map(most_rounds).collect();
        assert_eq!(rounds, [1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6]);
    }
}
