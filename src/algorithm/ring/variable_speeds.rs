//! Variable speeds: small IDs travel faster and overtake the others.
//!
//! G. Frederickson, N. Lynch, "Electing a leader in a synchronous ring", JACM 34 (1987);
//! P. Vitányi, STOC 1984.
//!
//! | | |
//! |-|-|
//! | Model | synchronous unidirectional ring, unique IDs, n unknown, any wake-up times |
//! | Elects | the smallest initiator |
//! | Cost | fewer than 3.61 n messages; time about n · 2^(smallest ID) |
//!
//! ```text
//! initiator:      min := id; send <wakeup, id>
//! woken by mail:  min := infinity, for it only relays; the message goes on at once
//! on <m> awake:   m = id: lead
//!                 m < min: min := m; follow; hold it for 2^m - 1 rounds, then send <slow, m>
//!                          unless a smaller one has come by then
//!                 else: swallow it
//! ```

use crate::algorithm::count::{Count, Counter, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Clock, Id, Local, NEXT, Port, Process, Synchronous};
use crate::model::theory::{Case, Certainty, Fact, Facts, Holds};

/// The algorithm; with `DISCARD` a held message is dropped once a smaller one has arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Speeds<const DISCARD: bool> {
    id: Id,
    awake: bool,
    /// The smallest ID seen; `None` is infinity.
    smallest: Option<Id>,
}

/// The variant that drops held messages.
pub type VariableSpeeds = Speeds<true>;

/// What the nodes send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// Not yet at a node that was awake: not delayed.
    Wakeup(Id),
    /// Delayed from now on.
    Slow(Id),
}

use Speed::{Slow, Wakeup};

kinds! { Speed {
    Wakeup: "wakeup", |w| w.id;
    Slow: "slow", |w| w.id;
} }

impl<const DISCARD: bool> Process for Speeds<DISCARD> {
    type Message = Speed;

    fn new(local: &Local) -> Self {
        Speeds { id: local.id, awake: false, smallest: None }
    }
}

/// When a message that arrives at `now` leaves again; `None` if the clock cannot hold that.
fn release(now: u64, id: Id) -> Option<u64> {
    let hold = 1u64.checked_shl(u32::try_from(id).ok()?)? - 1;
    now.checked_add(hold)
}

impl<const DISCARD: bool> Synchronous for Speeds<DISCARD> {
    fn start(&mut self, out: &mut impl Clock<Speed>) {
        self.awake = true;
        self.smallest = Some(self.id);
        out.send(NEXT, Wakeup(self.id));
    }

    fn receive(&mut self, _from: Port, message: Speed, out: &mut impl Clock<Speed>) {
        let (Wakeup(m) | Slow(m)) = message;
        if !self.awake {
            self.awake = true;
            self.smallest = Some(m);
            out.follow();
            return out.send(NEXT, message);
        }
        if m == self.id {
            return out.lead();
        }
        if self.smallest.is_none_or(|smallest| m < smallest) {
            self.smallest = Some(m);
            out.follow();
            match release(out.now(), m) {
                // ID 0 is not held at all.
                Some(time) if time == out.now() => out.send(NEXT, Slow(m)),
                time => out.wake(time, m),
            }
        }
    }

    /// The held message `m` is due.
    fn alarm(&mut self, m: u64, out: &mut impl Clock<Speed>) {
        if !DISCARD || self.smallest == Some(m) {
            out.send(NEXT, Slow(m));
        }
    }
}

/// An initiator's message, as far as its fate depends on others.
#[derive(Debug, Clone, Copy)]
struct Runner {
    rank: u32,
    id: u32,
    position: u32,
    /// The distance to the next initiator, which it covers at full speed.
    gap: u32,
}

impl Runner {
    /// The hops that it makes slowly, at most, because of the smaller ID of another.
    ///
    /// It reaches the node j beyond the next initiator at time g + j 2^m, and leaves it 2^m - 1
    /// later, if it is neither there after the other nor, with `DISCARD`, still there when the
    /// other comes. It ends where the other began. That the other may be stopped itself does not
    /// matter: whoever stops it is smaller still, and comes by no later.
    fn hops_before<const DISCARD: bool>(&self, other: &Runner, n: u32) -> u64 {
        let behind = i128::from((self.position + n - other.position) % n);
        let [gap, other_gap] = [self.gap, other.gap].map(i128::from);
        let [hold, other_hold] = [self.id, other.id].map(|id| 1i128 << id);
        // Hop j happens if j · (hold - other_hold) < lead.
        let mut lead = other_gap + (behind + gap - other_gap) * other_hold - gap;
        if DISCARD {
            lead += 1 - hold;
        }
        let difference = hold - other_hold;
        let overtaken = if lead <= 0 { 0 } else { (lead + difference - 1) / difference };
        overtaken.min(i128::from(n) - behind - gap) as u64
    }

    /// When its last hop ends, if it makes so many slow ones; `None` beyond the clock.
    fn end(&self, hops: u64) -> Option<u64> {
        let end = u128::from(self.gap) + (u128::from(hops) << self.id);
        u64::try_from(end).ok()
    }
}

/// IDs from here on cannot be held on a 64-bit clock.
const HOLDABLE: u64 = 64;

/// Every link carries one wake-up, and every message its slow hops, which only smaller IDs can end.
/// `None` if something happens beyond the clock.
///
/// Whoever has an ID that cannot be held does not hop at all, or lets the clock overflow; so there
/// are at most 64 to look at. With `DISCARD` all that wait when the winner passes are gone: whoever
/// would hop for the first time after that is not looked at either.
pub(super) fn count<const DISCARD: bool>(
    ring: &Ranked<'_>,
    _scratch: &mut Scratch,
) -> Option<Count> {
    let initiators = ring.initiators()?;
    let (n, k) = (ring.n(), initiators.count());
    let gap = |index: usize| {
        let next = initiators.position(if index + 1 == k { 0 } else { index + 1 });
        (next + n - initiators.position(index) - 1) % n + 1
    };
    let rank = |index: usize| ring.ranks[initiators.position(index) as usize];
    if k == 1 {
        let time = Some(u64::from(n));
        return Some(Count { time, end: time, ..Count::new(rank(0), &[u64::from(n), 0]) });
    }

    let holdable = ring.ids.below(HOLDABLE, n);
    let mut runners = [const { None }; HOLDABLE as usize];
    for index in 0..k {
        let rank = rank(index);
        if rank < holdable {
            let (id, position) = (ring.ids.of(rank) as u32, initiators.position(index));
            runners[id as usize] = Some(Runner { rank, id, position, gap: gap(index) });
        }
    }
    if !DISCARD {
        // Without dropping, whoever is smaller than the next initiator hops at least once.
        let beyond = (0..k).any(|index| {
            let next = rank(if index + 1 == k { 0 } else { index + 1 });
            rank(index) >= holdable && rank(index) < next
        });
        if beyond {
            return None;
        }
    }

    let winner = runners.iter().flatten().next()?;
    let laps = u64::from(n - winner.gap);
    let time = winner.end(laps)?;
    let (mut slow, mut end) = (laps, time);
    for (index, runner) in runners.iter().flatten().enumerate().skip(1) {
        if DISCARD && runner.end(1).is_none_or(|first| first > time) {
            continue;
        }
        let smaller = runners.iter().flatten().take(index);
        let hops = smaller.map(|other| runner.hops_before::<DISCARD>(other, n)).min()?;
        slow += hops;
        end = end.max(runner.end(hops)?);
    }
    let count = Count::new(winner.rank, &[u64::from(n), slow]);
    Some(Count { time: Some(time), end: Some(end), ..count })
}

impl Algorithm for VariableSpeeds {
    const NAME: &'static str = "variable-speeds";
    const SUMMARY: &'static str = "ID i moves once in 2^i rounds: O(n) messages, n unknown";
    const SOURCE: &'static str = "Frederickson and Lynch 1987";
    const FILE: &'static str = include_str!("variable_speeds.rs");
    const MODEL: Model = Model::electing(Elects::SmallestInitiator).clockwise();
    const COUNTER: Option<Counter> =
        Some(Counter { count: count::<true>, holds: Holds::Synchronous });

    fn facts(case: &Case) -> Facts {
        let bound = (3.606_695_152_415_292 * case.n as f64, "(2 + E) n, E = sum 1/(2^q - 1)");
        facts(case, bound, &MEANS, &VARIANCES)
    }

    /// The ID 0 is never held, and nothing is left where it has passed.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match metric {
            Metric::End if case.is_all() => {
                Facts::constant(case.n.into(), "n", Self::SOURCE).for_dense_ids()
            }
            _ => facts_of(metric, case),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

/// One starter: n messages. Everybody at 0 with the IDs 0, 1, …: at least 2n-1, and the exact means
/// and variances of small n.
pub(super) fn facts(
    case: &Case,
    (bound, bound_formula): (f64, &str),
    means: &[(u64, u64)],
    variances: &[(u64, u64)],
) -> Facts {
    let source = VariableSpeeds::SOURCE;
    if case.initiators == Some(1) {
        return Facts::constant(u128::from(case.n), "n", source);
    }
    let bound = Fact::real(bound, bound_formula, source).known(Certainty::Bound);
    if !case.is_all() {
        let best = Fact::whole(u128::from(case.n), "n", source).known(Certainty::Bound);
        return Facts { best: Some(best), worst: Some(bound), ..Facts::default() };
    }
    let index = usize::try_from(case.n - 1).unwrap_or(usize::MAX);
    let tabled = |table: &[(u64, u64)]| {
        let &(numerator, denominator) = table.get(index)?;
        let formula = format!("{numerator}/{denominator}");
        let fact = Fact::real(numerator as f64 / denominator as f64, &formula, "all (n-1)! rings");
        Some(fact.known(Certainty::Enumerated).for_dense_ids())
    };
    let best = Fact::whole(2 * u128::from(case.n) - 1, "2n - 1", "all rings up to n = 8");
    Facts {
        best: Some(best.known(Certainty::Enumerated).for_dense_ids()),
        mean: tabled(means),
        worst: Some(bound),
        variance: tabled(variances),
    }
}

/// One starter's message wakes everybody and comes home. Everybody at 0: the leader decides at
/// 1 + (n-1) 2^(smallest ID).
pub(super) fn facts_of(metric: Metric, case: &Case) -> Facts {
    let (n, source) = (u128::from(case.n), VariableSpeeds::SOURCE);
    match metric {
        Metric::Time | Metric::End if case.initiators == Some(1) => Facts::constant(n, "n", source),
        Metric::MaxNodeMessages if case.initiators == Some(1) => Facts::constant(1, "1", source),
        Metric::Time if case.is_all() => {
            Facts::constant(n, "1 + (n-1) 2^id_min", source).for_dense_ids()
        }
        _ => Facts::default(),
    }
}

/// The mean for n = 1, 2, …, everybody at 0, IDs 0..n.
const MEANS: [(u64, u64); 8] =
    [(1, 1), (3, 1), (5, 1), (22, 3), (19, 2), (119, 10), (71, 5), (116, 7)];

/// The variance for n = 1, 2, ….
const VARIANCES: [(u64, u64); 8] =
    [(0, 1), (0, 1), (0, 1), (2, 9), (1, 4), (59, 100), (52, 75), (155, 147)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    fn awake(smallest: Option<Id>) -> VariableSpeeds {
        Speeds { id: 5, awake: true, smallest }
    }

    #[test]
    fn a_smaller_id_is_held_two_to_its_id_minus_one_rounds() {
        let mut out = Recorded { now: 10, ..Recorded::new(true) };
        let mut node = awake(Some(5));
        node.receive(PREV, Wakeup(3), &mut out);
        assert_eq!(
            (out.alarms.as_slice(), out.status),
            ([(Some(17), 3)].as_slice(), Status::Follower)
        );
        node.alarm(3, &mut out);
        assert_eq!(out.sent, [(NEXT, Slow(3))]);
    }

    #[test]
    fn a_held_message_is_dropped_once_a_smaller_one_came() {
        let mut out = Recorded::new(true);
        awake(Some(2)).alarm(3, &mut out);
        assert_eq!(out.sent, []);
        Speeds::<false> { id: 5, awake: true, smallest: Some(2) }.alarm(3, &mut out);
        assert_eq!(out.sent, [(NEXT, Slow(3))]);
    }

    #[test]
    fn a_sleeper_passes_the_wake_up_on_at_once() {
        let mut out = Recorded::new(false);
        let mut node = Speeds::<true> { id: 1, awake: false, smallest: None };
        node.receive(PREV, Wakeup(9), &mut out);
        assert_eq!(out.sent, [(NEXT, Wakeup(9))]);
    }

    #[test]
    fn a_hold_beyond_the_clock_is_none() {
        assert_eq!(release(5, 3), Some(12));
        assert_eq!(release(0, 63), Some((1 << 63) - 1));
        assert_eq!(release(u64::MAX, 1), None);
        assert_eq!(release(0, 64), None);
        assert_eq!(release(0, u64::MAX), None);
    }
}
