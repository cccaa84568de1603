//! Franklin's election: who is larger than its active neighbours on both sides enters the next round.
//!
//! W. R. Franklin, "On an improved algorithm for decentralized extrema finding in circular
//! configurations of processors", CACM 25 (1982).
//!
//! | | |
//! |-|-|
//! | Model | bidirectional ring, unique IDs, n unknown, FIFO links, any initiators |
//! | Elects | the largest initiator |
//! | Cost | 2n messages a round, at most floor(log2 n) + 1 rounds |
//!
//! ```text
//! active:     send <cand, id> both ways
//!             on <cand, q> with q = id: lead
//!             on <cand, p> and <cand, q> from the two sides, one each in a round:
//!                 id > p and id > q: next round;  else: passive, follow
//! passive, or not started: follow; send <cand, q> onwards
//! ```
//! A neighbour may be one round ahead; its ID waits until this node knows whether it is still active.

use super::hirschberg_sinclair::{tabled, tabled_whole};
use super::peterson::{facts_of_local_maxima, facts_of_rounds};
use super::rounds_law::LOCAL_MAXIMA_LAW;
use crate::algorithm::count::{Active, Count, Counter, Initiators, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Law, Line, Model, Spread};
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, PREV, Port, Process, opposite};
use crate::model::theory::{Case, Fact, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Franklin {
    id: Id,
    active: bool,
    rounds: u8,
    /// What came from one side in this round, while the other side is awaited.
    heard: Option<(Port, Id)>,
    /// What came from the same side since: of the next round.
    early: Option<Id>,
}

/// The ID of a node that is still active, for the next active node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contender(pub Id);

impl Message for Contender {
    const KINDS: Kinds = Kinds::new(&[("cand", |w| w.id)]);
}

impl Process for Franklin {
    type Message = Contender;

    fn new(local: &Local) -> Self {
        Franklin { id: local.id, active: false, rounds: 0, heard: None, early: None }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.rounds))
    }
}

impl Franklin {
    fn begin_round(&mut self, out: &mut impl Outbox<Contender>) {
        self.rounds += 1;
        out.send(NEXT, Contender(self.id));
        out.send(PREV, Contender(self.id));
    }

    /// Ends a round in which `larger` of both neighbours was heard of, the one at `side` first.
    fn end_round(&mut self, larger: Id, side: Port, out: &mut impl Outbox<Contender>) {
        let early = self.early.take();
        if self.id > larger {
            self.heard = early.map(|q| (side, q));
            self.begin_round(out);
        } else {
            self.active = false;
            out.follow();
            if let Some(q) = early {
                out.send(opposite(side), Contender(q));
            }
        }
    }
}

impl Asynchronous for Franklin {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Contender>) {
        self.active = true;
        self.begin_round(out);
    }

    #[inline(always)]
    fn receive(&mut self, from: Port, Contender(q): Contender, out: &mut impl Outbox<Contender>) {
        if !self.active {
            out.follow();
            out.send(opposite(from), Contender(q));
        } else if q == self.id {
            out.lead();
        } else {
            match self.heard.take() {
                None => self.heard = Some((from, q)),
                Some((side, p)) if side != from => self.end_round(p.max(q), side, out),
                still => (self.heard, self.early) = (still, Some(q)),
            }
        }
    }
}

/// Local maxima survive; in every round each link carries one message each way.
///
/// A node ends its round when both messages have come. Those of the next round set out then, and
/// wait on their way at every node that has not yet ended the round in which it leaves.
fn count(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let n = ring.n();
    let Scratch { actives, detained, senders: ended, .. } = scratch;
    let mut rounds = 1;
    match ring.initiators()? {
        Initiators::All(2..) => {
            first_round(ring.ranks, actives);
            rounds += 1;
        }
        _ => ring.actives(actives)?,
    }
    // The largest is first from now on: it takes part in every round.
    let largest = (0..actives.len()).max_by_key(|&index| actives[index].rank)?;
    actives.rotate_left(largest);
    for (side, times) in detained.iter_mut().enumerate() {
        times.clear();
        if rounds == 1 {
            times.resize(actives.len(), 0);
        } else {
            times.extend(waits_after_first(actives, side, n));
        }
    }
    while actives.len() > 1 {
        next_round(actives, detained, ended, n);
        rounds += 1;
    }
    let Active { rank: leader, time, .. } = actives[0];
    let [from_behind, from_ahead] =
        [PREV, NEXT].map(|side| u64::from(detained[side][0].max(time + n)));
    let n = u64::from(n);
    Some(Count {
        time: Some(from_behind.min(from_ahead)),
        end: Some(from_behind.max(from_ahead)),
        rounds: Some(rounds),
        max_node_messages: Some(2 * rounds),
        ..Count::new(leader, &[2 * n * rounds])
    })
}

/// The first round of a ring in which all, at least two, take part from time 0 on: leaves the local
/// maxima.
///
/// It has two thirds of all the work, and no branch depends on luck here.
fn first_round(ranks: &[u32], actives: &mut Vec<Active>) {
    let n = ranks.len();
    // No two neighbours survive; one place more for what is written and not counted.
    actives.resize(n / 2 + 1, Active::default());
    let mut len = 0;
    let (mut before, mut rank) = (ranks[n - 1], ranks[0]);
    for position in 0..n {
        let after = ranks[if position + 1 == n { 0 } else { position + 1 }];
        actives[len] = Active { position: position as u32, rank, time: 1 };
        len += usize::from(rank > before && rank > after);
        (before, rank) = (rank, after);
    }
    actives.truncate(len);
}

/// The times before which nothing reaches the survivors of the first round from this side. Nodes that
/// leave stand in between, and let nothing pass before their round ends at time 1: what waits at the
/// first of them arrives when it would have arrived if it had set out from the neighbour at time 0.
fn waits_after_first(actives: &[Active], side: Port, n: u32) -> impl Iterator<Item = u32> {
    let k = actives.len();
    (0..k).map(move |index| match side {
        PREV => gap(actives[if index == 0 { k - 1 } else { index - 1 }], actives[index], n),
        _ => gap(actives[index], actives[if index + 1 == k { 0 } else { index + 1 }], n),
    })
}

/// How far it is from one to the next one clockwise; from the only one round the ring to itself.
fn gap(from: Active, to: Active, n: u32) -> u32 {
    match to.position.wrapping_sub(from.position) {
        0 => n,
        gap if gap < n => gap,
        round => round.wrapping_add(n),
    }
}

/// One more round of at least two active nodes, in place. By side, `detained` has the times before
/// which nothing reaches them, because it waits at a node that leaves; 0 where nothing waits.
fn next_round(
    actives: &mut Vec<Active>,
    detained: &mut [Vec<u32>; 2],
    ended: &mut Vec<u32>,
    n: u32,
) {
    let k = actives.len();
    let before = |index: usize| if index == 0 { k - 1 } else { index - 1 };
    let after = |index: usize| if index + 1 == k { 0 } else { index + 1 };
    let gap = |from: Active, to: Active| gap(from, to, n);
    ended.clear();
    ended.extend(actives.iter().enumerate().map(|(index, &active)| {
        let (behind, ahead) = (actives[before(index)], actives[after(index)]);
        let from_behind = detained[PREV][index].max(behind.time + gap(behind, active));
        let from_ahead = detained[NEXT][index].max(ahead.time + gap(active, ahead));
        active.time.max(from_behind).max(from_ahead)
    }));
    let survives = |index: usize| {
        let rank = actives[index].rank;
        rank > actives[before(index)].rank && rank > actives[after(index)].rank
    };
    // When a message could leave the node before at the earliest.
    let mut detain = |side: Port, waits: u32, index: usize, gap: u32| {
        let waits = if waits == 0 { 0 } else { waits + gap };
        if survives(index) {
            detained[side][index] = waits;
            return 0;
        }
        waits.max(ended[index])
    };
    let mut waits = 0;
    for index in (1..k).chain([0]) {
        waits = detain(PREV, waits, index, gap(actives[before(index)], actives[index]));
    }
    for index in (0..k).rev() {
        waits = detain(NEXT, waits, index, gap(actives[index], actives[after(index)]));
    }
    for index in (0..k).filter(|&index| !survives(index)) {
        ended[index] = 0;
    }
    let mut len = 0;
    for index in 0..k {
        if ended[index] > 0 {
            actives[len] = Active { time: ended[index], ..actives[index] };
            detained.iter_mut().for_each(|times| times[len] = times[index]);
            len += 1;
        }
    }
    actives.truncate(len);
}

/// The mean time until the leader decides for n = 2, 3, …, as fractions, over all rings.
const MEAN_TIMES: [(u64, u64); 7] =
    [(3, 1), (4, 1), (17, 3), (8, 1), (148, 15), (518, 45), (4013, 315)];

/// The longest time until the leader decides for n = 2, 3, …, over all rings.
const WORST_TIMES: [u128; 7] = [3, 4, 7, 9, 11, 13, 15];

impl Algorithm for Franklin {
    const NAME: &'static str = "franklin";
    const SUMMARY: &'static str = "local maxima survive each round, compared on both sides";
    const SOURCE: &'static str = "Franklin 1982";
    const FILE: &'static str = include_str!("franklin.rs");
    const LINES: &'static [Line] = &[
        ("start", "cand", "active:"),
        ("unstarted cand", "cand", "passive, or not started:"),
        ("own cand", "*", "q = id: lead"),
        ("cand", "follow", "id > p and id > q:"),
        ("cand", "own cand", "id > p and id > q:"),
        ("cand", "cand", "passive, or not started:"),
        ("cand", "", "on <cand, p>"),
    ];
    const SPREAD: Option<Spread> = Some(Spread::Never);
    const MODEL: Model = Model { needs_fifo: true, ..Model::electing(Elects::LargestInitiator) };
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Fifo });
    const LAW: Option<Law> = Some(LOCAL_MAXIMA_LAW);

    fn facts(case: &Case) -> Facts {
        facts_of_local_maxima(case, Self::SOURCE)
    }

    /// The last lap takes n, and no round less than 1; on an ascending ring one round comes before it.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let n = u128::from(case.n);
        match metric {
            Metric::Time if case.initiators == Some(1) => {
                Facts::constant(n, "n", Self::SOURCE).holding(Holds::Synchronous)
            }
            Metric::Time if case.is_all() => Facts {
                best: Some(Fact::whole(n + 1, "n + 1", "derivation in docs/method.md")),
                mean: tabled(case.n, &MEAN_TIMES),
                worst: tabled_whole(case.n, &WORST_TIMES),
                variance: None,
            }
            .holding(Holds::Synchronous),
            _ => facts_of_rounds(metric, case, Self::SOURCE),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    /// That of Peterson's algorithm, whose rounds are the same.
    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        super::Peterson::worst_ring(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn receive(messages: &[(Port, Contender)]) -> (Franklin, Recorded<Contender>) {
        Recorded::replay(&Local { id: 5, ..Local::default() }, true, messages)
    }

    #[test]
    fn who_is_larger_than_both_neighbours_sends_again_both_ways() {
        let (node, out) = receive(&[(PREV, Contender(3)), (NEXT, Contender(4))]);
        assert_eq!(out.sent, [(NEXT, Contender(5)), (PREV, Contender(5))]);
        assert_eq!((node.rounds(), out.status), (Some(2), Status::Undecided));
    }

    #[test]
    fn who_is_not_becomes_passive_and_passes_on() {
        let (node, out) = receive(&[(NEXT, Contender(3)), (PREV, Contender(7))]);
        assert_eq!((out.sent, out.status, node.active), (vec![], Status::Follower, false));
        let (_, out) = receive(&[(NEXT, Contender(3)), (PREV, Contender(7)), (PREV, Contender(8))]);
        assert_eq!(out.sent, [(NEXT, Contender(8))]);
    }

    #[test]
    fn what_comes_a_round_early_is_passed_on_or_counts_in_the_next() {
        let early = [(PREV, Contender(7)), (PREV, Contender(7)), (NEXT, Contender(3))];
        assert_eq!(receive(&early).1.sent, [(NEXT, Contender(7))]);
        let early = [(PREV, Contender(3)), (PREV, Contender(2)), (NEXT, Contender(4))];
        assert_eq!(receive(&early).0.heard, Some((PREV, 2)));
    }

    #[test]
    fn the_own_id_wins() {
        let (_, out) = receive(&[(PREV, Contender(5))]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    #[test]
    fn a_sleeper_passes_on() {
        let (_, out): (Franklin, _) =
            Recorded::replay(&Local { id: 5, ..Local::default() }, false, &[(NEXT, Contender(3))]);
        assert_eq!((out.sent, out.status), (vec![(PREV, Contender(3))], Status::Follower));
    }
}
