//! The clockwise algorithm in which mail wakes competitors.
//!
//! The lecture form of Chang and Roberts 1979 for nodes that wake up at any time.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, any order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | as Chang-Roberts if everybody starts; one starter: n + its distance to the largest |
//!
//! ```text
//! initiator:              send <id, id>
//! asleep, on <id, q>:     q > id: follow; send <id, q>; never send the own ID
//!                         q < id: swallow it; send <id, id>
//! awake, on <id, q>:      as Chang-Roberts
//! ```

use super::chang_roberts::{self, Candidate, ChangRoberts};
use crate::algorithm::count::{Count, Counter, NOBODY, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Law, Limit, Model};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts, Holds, Placed, harmonic};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct ClockwiseJoin {
    id: Id,
    /// Whether an ID has woken it.
    woken: bool,
}

impl Process for ClockwiseJoin {
    type Message = Candidate;

    fn new(local: &Local) -> Self {
        ClockwiseJoin { id: local.id, woken: false }
    }
}

impl Asynchronous for ClockwiseJoin {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Candidate>) {
        out.send(NEXT, Candidate(self.id));
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, Candidate(q): Candidate, out: &mut impl Outbox<Candidate>) {
        if q == self.id {
            return out.lead();
        }
        // Whom the first ID wakes sends the larger of the two.
        let wakes = !out.started() && !self.woken;
        self.woken |= wakes;
        let larger = q > self.id;
        out.follow_if(larger);
        out.send_if(larger || wakes, NEXT, Candidate(q.max(self.id)));
    }
}

/// Who is asleep and not smaller than the first ID to come joins in; a sender's ID travels to the
/// next larger ID of all.
///
/// Without overtaking, the first ID on each link is settled: that of the initiator behind, replaced
/// by every larger sleeper on the way. It moves one node per round.
fn count(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let initiators = ring.initiators()?;
    if initiators.is_all() {
        return chang_roberts::count(ring, scratch);
    }
    let n = ring.ranks.len();
    scratch.senders.clear();
    scratch.senders.resize(n, NOBODY);
    let first = initiators.position(0) as usize;
    let mut number = 0;
    let (mut wakeup, mut delay) = (first, 0);
    let mut foremost = 0;
    for position in (first..n).chain(0..first) {
        let rank = ring.ranks[position];
        let starts =
            number < initiators.count() && initiators.position(number) as usize == position;
        if starts {
            number += 1;
            wakeup = position;
        }
        if starts || rank > foremost {
            foremost = rank;
            scratch.senders[position] = rank;
        }
        if rank as usize == n - 1 {
            delay = (position + n - wakeup) % n;
        }
    }
    let messages = scratch.sum_of_senders(ring.ranks);
    let time = Some((n + delay) as u64);
    Some(Count { time, end: time, ..Count::new(n as u32 - 1, &[messages]) })
}

impl Algorithm for ClockwiseJoin {
    const NAME: &'static str = "clockwise-join";
    const SUMMARY: &'static str = "as clockwise, but a node woken by a smaller ID joins in";
    const SOURCE: &'static str = ChangRoberts::SOURCE;
    const FILE: &'static str = include_str!("clockwise_join.rs");
    const MODEL: Model = Model::electing(Elects::LargestId).clockwise();
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Synchronous });
    const LAW: Option<Law> = Some(chang_roberts::LAW);
    const LIMIT: Option<Limit> = Some(chang_roberts::LIMIT);

    /// One starter: n + D messages, D the clockwise distance to the largest ID. k < n starters:
    /// between n + k - 1 and (k+1) n - k(k+1)/2.
    fn facts(case: &Case) -> Facts {
        if case.is_all() {
            return chang_roberts::facts(case).holding(Holds::Fifo);
        }
        let Some(k) = case.initiators else { return Facts::default() };
        let (n, k_wide) = (u128::from(case.n), u128::from(k));
        let certainty = if k == 1 { Certainty::Proved } else { Certainty::Enumerated };
        let source = if k == 1 { Self::SOURCE } else { "all rings up to n = 6" };
        let worst = (k_wide + 1) * n - k_wide * (k_wide + 1) / 2;
        Facts {
            best: Some(Fact::whole(n + k_wide - 1, "n + k - 1", source).known(certainty)),
            mean: Some(mean(case, k)),
            worst: Some(Fact::whole(worst, "(k+1) n - k(k+1)/2", source).known(certainty)),
            variance: None,
        }
        .holding(Holds::Fifo)
    }

    /// The largest ID sets out when the first message reaches it, from the starter behind it.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let Some(k) = case.initiators else { return Facts::default() };
        let n = u128::from(case.n);
        match metric {
            Metric::Time | Metric::End if k < case.n => {
                let source = "derivation in docs/method.md";
                Facts {
                    best: Some(Fact::whole(n, "n", source)),
                    mean: Some(mean_time(case, k)),
                    worst: Some(Fact::whole(2 * n - u128::from(k), "2n - k", source)),
                    variance: None,
                }
                .holding(Holds::Synchronous)
            }
            Metric::MaxNodeMessages if k < case.n => Facts::default(),
            Metric::MaxNodeMessages => chang_roberts::facts_of(metric, case).holding(Holds::Fifo),
            _ => chang_roberts::facts_of(metric, case),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

/// The mean over all IDs. A node j places after the starter behind it sends if it is the largest of
/// those j + 1, and its ID makes hop number t + 1 with probability 1/min(j+1+t, n). Summed up, with the
/// gaps g from starter to starter: n (H_n + 1) + Σ (g(g-1)/(2n) - g H_g). Over all sets of k starters
/// E[g H_g] is (n/k)(1 + H_n - H_k), and E[Σ g(g-1)/(2n)] is (n-k)/(k+1).
fn mean(case: &Case, k: u64) -> Fact {
    let n = case.n as f64;
    let (value, formula) = match case.placed {
        _ if k == 1 => ((3.0 * n - 1.0) / 2.0, "(3n - 1)/2"),
        Placed::Anywhere => {
            (n * harmonic(k) + (n - k as f64) / (k as f64 + 1.0), "n H_k + (n - k)/(k + 1)")
        }
        Placed::Apart { pairs, harmonic: between } => (
            n * (harmonic(case.n) + 1.0) + pairs / n - between,
            "n(H_n + 1) + sum_g (g(g-1)/(2n) - g H_g)",
        ),
    };
    Fact::real(value, formula, "derivation in docs/method.md")
}

/// The mean over all IDs of n and the distance from the starter behind the largest ID to it.
fn mean_time(case: &Case, k: u64) -> Fact {
    let n = case.n as f64;
    let (value, formula) = match case.placed {
        _ if k == 1 => ((3.0 * n - 1.0) / 2.0, "(3n - 1)/2"),
        Placed::Anywhere => (n + (n - k as f64) / (k as f64 + 1.0), "n + (n - k)/(k + 1)"),
        Placed::Apart { pairs, .. } => (n + pairs / n, "n + sum_g g(g-1)/(2n)"),
    };
    Fact::real(value, formula, "derivation in docs/method.md")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded};

    #[test]
    fn means_have_the_values_of_another_program() {
        let fraction = |numerator: f64, denominator: f64| numerator / denominator;
        let table = [
            (4, 1, 5.5),
            (4, 2, fraction(20.0, 3.0)),
            (4, 3, fraction(91.0, 12.0)),
            (4, 4, fraction(25.0, 3.0)),
            (6, 1, 8.5),
            (6, 2, fraction(31.0, 3.0)),
            (6, 3, 11.75),
            (6, 4, 12.9),
            (6, 5, fraction(208.0, 15.0)),
            (6, 6, 14.7),
            (8, 2, 14.0),
            (8, 4, 17.466_666_666_666_67),
            (16, 1, 23.5),
            (16, 2, 28.666_666_666_666_67),
            (16, 4, 35.733_333_333_333_33),
            (16, 8, 44.374_603_174_603_17),
        ];
        for (n, k, mean) in table {
            let found = ClockwiseJoin::facts(&Case::ring(n, Some(k))).mean.expect("known");
            assert!((found.value.as_f64() - mean).abs() < 1e-12, "n = {n}, k = {k}: {found:?}");
        }
        // One after another, and spread out: the gaps are 1, 1, 1, 3 and 2, 2, 1, 1.
        let at = |positions: &[u32]| {
            ClockwiseJoin::facts(&Case::starting_at(6, positions))
                .mean
                .expect("known")
                .value
                .as_f64()
        };
        let gaps = |gaps: &[u64]| {
            let sum: f64 = gaps
                .iter()
                .map(|&g| g as f64 * (g as f64 - 1.0) / 12.0 - g as f64 * harmonic(g))
                .sum();
            6.0 * (harmonic(6) + 1.0) + sum
        };
        assert!((at(&[0, 1, 2, 3]) - gaps(&[1, 1, 1, 3])).abs() < 1e-12);
        assert!((at(&[0, 2, 4, 5]) - gaps(&[2, 2, 1, 1])).abs() < 1e-12);
    }

    #[test]
    fn a_sleeper_hit_by_a_smaller_id_sends_its_own_once() {
        let mut node = ClockwiseJoin { id: 5, woken: false };
        let mut out = Recorded::new(false);
        node.receive(PREV, Candidate(3), &mut out);
        node.receive(PREV, Candidate(4), &mut out);
        assert_eq!(out.sent, [(NEXT, Candidate(5))]);
    }

    #[test]
    fn a_sleeper_hit_by_a_larger_id_stays_silent_for_good() {
        let mut node = ClockwiseJoin { id: 5, woken: false };
        let mut out = Recorded::new(false);
        node.receive(PREV, Candidate(9), &mut out);
        node.receive(PREV, Candidate(3), &mut out);
        assert_eq!(out.sent, [(NEXT, Candidate(9))]);
    }
}
