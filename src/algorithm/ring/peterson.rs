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
//!   on <one, q>:  q = ci: that ID has won: q = id: lead, else follow; send <small, q>
//!                 else:   acn := q; send <two, acn>
//!   on <two, q>:  acn > ci and acn > q: ci := acn, next round;  else: passive
//! passive, or not started: relay <one> and <two>
//! on <small, q>:  the last holder ends the lap; all others: q = id: lead, else follow; relay it
//! ```

use super::hirschberg_sinclair::tabled;
use super::rounds_law::{LOCAL_MAXIMA, LOCAL_MAXIMA_LAW};
use crate::algorithm::count::{Active, Count, Counter, Initiators, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Law, Line, Model};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts, Holds, floor_log2};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Peterson {
    id: Id,
    /// The ID in hand: ci; in the end the winner's.
    current: Id,
    /// The ID of the active neighbour behind: acn.
    neighbour: Id,
    knows_winner: bool,
    active: bool,
    rounds: u8,
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

kinds! { Stage {
    One: "one", |w| w.id;
    Two: "two", |w| w.id;
    Small: "small", |w| w.id;
} }

impl Process for Peterson {
    type Message = Stage;

    fn new(local: &Local) -> Self {
        let id = local.id;
        Peterson { id, current: id, neighbour: id, knows_winner: false, active: false, rounds: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.rounds))
    }

    fn leader(&self) -> Option<Id> {
        self.knows_winner.then_some(self.current)
    }
}

impl Peterson {
    #[inline(always)]
    fn begin_round(&mut self, out: &mut impl Outbox<Stage>) {
        self.rounds += 1;
        out.send(NEXT, One(self.current));
    }

    fn learn(&mut self, winner: Id, out: &mut impl Outbox<Stage>) {
        self.current = winner;
        self.knows_winner = true;
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

/// The IDs that survive a round are the local maxima in the ring of those in hand; every round
/// costs each node two messages.
///
/// An ID moves on to the node behind which it is the larger neighbour, which begins its next round
/// when both messages have come: T' = max(T, T₁ + d₁, T₂ + d₂), with the times at which the two
/// active nodes behind began the round and their distances.
fn count(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let n = ring.n();
    let actives = &mut scratch.actives;
    let mut rounds = 1;
    let mut len = match ring.initiators()? {
        Initiators::All(2..) => {
            rounds += 1;
            first_round(ring.ranks, actives)
        }
        _ => {
            ring.actives(actives)?;
            actives.len()
        }
    };
    while len > 1 {
        len = next_round(&mut actives[..len], n);
        rounds += 1;
    }
    let Active { position: holder, rank: leader, time } = actives[0];
    let to_owner = (ring.position(leader) + n - holder) % n;
    let (n, time) = (u64::from(n), u64::from(time));
    Some(Count {
        time: Some(time + n + u64::from(to_owner)),
        end: Some(time + 2 * n),
        rounds: Some(rounds),
        max_node_messages: Some(2 * rounds),
        ..Count::new(leader, &[n * rounds, n * (rounds - 1), n])
    })
}

/// The first round of a ring in which all, at least two, take part from time 0 on.
fn first_round(ranks: &[u32], actives: &mut Vec<Active>) -> usize {
    let n = ranks.len();
    // No two neighbours survive; one place more for what is written and not counted.
    if actives.len() < n / 2 + 1 {
        actives.resize(n / 2 + 1, Active::default());
    }
    let mut len = 0;
    let (mut second, mut first) = (ranks[n - 2], ranks[n - 1]);
    for (position, &rank) in ranks.iter().enumerate() {
        actives[len] = Active { position: position as u32, rank: first, time: 2 };
        len += usize::from(first > rank && first > second);
        (second, first) = (first, rank);
    }
    len
}

/// One more round of at least two active nodes, in place; gives the number of those left.
fn next_round(actives: &mut [Active], n: u32) -> usize {
    let back = |active: Active| Active { position: active.position.wrapping_sub(n), ..active };
    let k = actives.len();
    let (mut second, mut first) = (back(actives[k - 2]), back(actives[k - 1]));
    let mut len = 0;
    for index in 0..k {
        let active = actives[index];
        let arrival = |from: Active| from.time + active.position.wrapping_sub(from.position);
        actives[len] = Active {
            position: active.position,
            rank: first.rank,
            time: active.time.max(arrival(first)).max(arrival(second)),
        };
        len += usize::from(first.rank > active.rank && first.rank > second.rank);
        (second, first) = (first, active);
    }
    len
}

/// Where local maxima survive: 2n messages in each of R rounds; R is distributed as on a ring of the k
/// initiators alone.
pub(super) fn facts_of_local_maxima(case: &Case, source: &'static str) -> Facts {
    let Some(k) = case.initiators else { return Facts::default() };
    let n = u128::from(case.n);
    if k == 1 {
        return Facts::constant(2 * n, "2n", source);
    }
    let worst = 2 * n * (u128::from(floor_log2(k)) + 1);
    let worst_formula =
        if case.is_all() { "2n (floor(log2 n) + 1)" } else { "2n (floor(log2 k) + 1)" };
    let [mean, variance] = LOCAL_MAXIMA.facts(case.n, k, 2);
    Facts {
        best: Some(Fact::whole(4 * n, "4n", source)),
        mean: Some(mean),
        worst: Some(Fact::whole(worst, worst_formula, source)),
        variance: Some(variance),
    }
}

/// Where local maxima survive: the rounds, in each of which every node sends twice.
pub(super) fn facts_of_rounds(metric: Metric, case: &Case, source: &'static str) -> Facts {
    let Some(k) = case.initiators else { return Facts::default() };
    let rounds = || {
        if k == 1 {
            return Facts::constant(1, "1", source);
        }
        let most = u128::from(floor_log2(k)) + 1;
        let formula = if case.is_all() { "floor(log2 n) + 1" } else { "floor(log2 k) + 1" };
        let [mean, variance] = LOCAL_MAXIMA.rounds(case.n, k);
        Facts {
            best: Some(Fact::whole(2, "2", source)),
            mean: Some(mean),
            worst: Some(Fact::whole(most, formula, source)),
            variance: Some(variance),
        }
    };
    match metric {
        Metric::Rounds => rounds(),
        Metric::MaxNodeMessages => rounds().times(2, "2"),
        _ => Facts::default(),
    }
}

/// The mean time of the last delivery for n = 2, 3, …, as fractions, over all rings.
const MEAN_ENDS: [(u64, u64); 7] =
    [(6, 1), (8, 1), (34, 3), (46, 3), (284, 15), (982, 45), (7664, 315)];

impl Algorithm for Peterson {
    const NAME: &'static str = "peterson";
    const SUMMARY: &'static str = "local maxima survive each round; ends with an announcement";
    const SOURCE: &'static str = "Peterson 1982; Dolev, Klawe and Rodeh 1982";
    const FILE: &'static str = include_str!("peterson.rs");
    const LINES: &'static [Line] = &[
        ("start", "one", "send <one, ci>"),
        ("one", "small", "q = ci:"),
        ("one", "two", "acn := q;"),
        ("one", "one", "passive, or not started:"),
        ("two", "one", "on <two, q>:"),
        ("two", "", "on <two, q>:"),
        ("two", "two", "passive, or not started:"),
        ("small", "*", "on <small, q>:"),
    ];
    const MODEL: Model = Model {
        needs_fifo: true,
        announces: true,
        ..Model::electing(Elects::LargestInitiator).clockwise()
    };
    const YARDSTICK: bool = true;
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Synchronous });
    const LAW: Option<Law> = Some(LOCAL_MAXIMA_LAW);

    fn facts(case: &Case) -> Facts {
        facts_of_local_maxima(case, Self::SOURCE)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let n = u128::from(case.n);
        let source = "derivation in docs/method.md";
        match metric {
            Metric::Time | Metric::End if case.initiators == Some(1) => {
                // The starter is the owner and the last holder.
                let (laps, formula) = if metric == Metric::Time { (n, "n") } else { (2 * n, "2n") };
                Facts::constant(laps, formula, source).holding(Holds::Synchronous)
            }
            Metric::Time if case.is_all() => {
                Facts::at_most(4 * n - 2, "4n - 2", source).holding(Holds::Synchronous)
            }
            Metric::End if case.is_all() => {
                let attained = case.n.is_power_of_two();
                let known = if attained { Certainty::Proved } else { Certainty::Bound };
                Facts {
                    best: Some(Fact::whole(2 * n + 2, "2n + 2", source)),
                    mean: tabled(case.n, &MEAN_ENDS),
                    worst: Some(Fact::whole(4 * n - 2, "4n - 2", source).known(known)),
                    variance: None,
                }
                .holding(Holds::Synchronous)
            }
            _ => facts_of_rounds(metric, case, Self::SOURCE),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    /// W(1) is the ring of one; W(n) doubles W(⌊n/2⌋): each x becomes n-⌊n/2⌋+x followed by the next unused low
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    fn active(current: Id, neighbour: Id) -> Peterson {
        Peterson { id: 5, current, neighbour, knows_winner: false, active: true, rounds: 1 }
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
