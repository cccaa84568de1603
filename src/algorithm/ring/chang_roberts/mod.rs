//! Chang and Roberts' election: an ID travels until it meets a larger one.
//!
//! E. Chang, R. Roberts, "An improved algorithm for decentralized extrema-finding in circular
//! configurations of processes", CACM 22 (1979). With the announcement it is the algorithm that
//! Attiya and Welch call LCR.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | n H_n messages on average, between 2n-1 and n(n+1)/2 (everybody starts) |
//!
//! ```text
//! initiator:       send <id, id>
//! on <id, q>:      q > id: follow; send <id, q>
//!                  q = id: lead
//!                  q < id: swallow it
//! not started:     follow; send <id, q>
//! ```

mod law;
mod limit;

pub(super) use limit::LIMIT;

use crate::algorithm::count::{Count, Counter, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Law, Limit, Line, Model};
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Fact, Facts, Holds, harmonic, harmonic_squares};

/// The exact distribution, for all who send as many messages; the work grows with n⁴, from about two
/// seconds at 300 to a quarter of a minute at the largest.
pub(super) const LAW: Law = Law { at: law::distribution, quick: 128, slow: 300, largest: 500 };

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangRoberts {
    id: Id,
}

/// A candidate's ID on its way round the ring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate(pub Id);

impl Message for Candidate {
    const KINDS: Kinds = Kinds::new(&[("id", |w| w.id)]);
}

impl Process for ChangRoberts {
    type Message = Candidate;

    fn new(local: &Local) -> Self {
        ChangRoberts { id: local.id }
    }
}

impl Asynchronous for ChangRoberts {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Candidate>) {
        out.send(NEXT, Candidate(self.id));
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, Candidate(q): Candidate, out: &mut impl Outbox<Candidate>) {
        if q == self.id {
            return out.lead();
        }
        let forward = q > self.id || !out.started();
        out.follow_if(forward);
        out.send_if(forward, NEXT, Candidate(q));
    }
}

/// An initiator's ID travels to the next larger initiator, whatever the schedule; the largest one's
/// goes all the way round.
pub(super) fn count(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let n = u64::from(ring.n());
    let (leader, messages) = scratch.sum_among(ring.ranks, ring.initiators()?);
    Some(Count { time: Some(n), end: Some(n), ..Count::new(leader, &[messages]) })
}

impl Algorithm for ChangRoberts {
    const NAME: &'static str = "chang-roberts";
    const SUMMARY: &'static str = "an ID travels until it meets a larger initiator";
    const SOURCE: &'static str = "Chang and Roberts 1979";
    const FILE: &'static str = include_str!("mod.rs");
    const LINES: &'static [Line] = &[
        ("start", "id", "initiator:"),
        ("unstarted id", "id", "not started:"),
        ("own id", "lead", "q = id:"),
        ("id", "id", "q > id:"),
        ("id", "", "q < id:"),
    ];
    const MODEL: Model = Model::electing(Elects::LargestInitiator).clockwise();
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Always });
    const LAW: Option<Law> = Some(LAW);
    const LIMIT: Option<Limit> = Some(LIMIT);
    const YARDSTICK: bool = true;

    fn facts(case: &Case) -> Facts {
        facts(case)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        facts_of(metric, case)
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

/// What is known about Chang-Roberts and its relatives.
///
/// With X = Σ (distance to the next larger ID): E X = n H_k for every fixed set of k initiators;
/// n + k - 1 ≤ X ≤ k n - k(k-1)/2; if everybody starts, Var X = n²(2 - H2_n) - n H_n, with H2 the
/// sum of the inverse squares.
pub(super) fn facts(case: &Case) -> Facts {
    let Some(k) = case.initiators else { return Facts::default() };
    let all = case.is_all();
    let (n_wide, k_wide) = (u128::from(case.n), u128::from(k));
    let n = case.n as f64;
    let best = n_wide + k_wide - 1;
    let worst = k_wide * n_wide - k_wide * (k_wide - 1) / 2;
    // The difference is 0 at n = 1 and 2, where rounding must not make it negative.
    let variance = (n * n * (2.0 - harmonic_squares(case.n)) - n * harmonic(case.n)).max(0.0);
    let source = ChangRoberts::SOURCE;
    Facts {
        best: Some(Fact::whole(best, if all { "2n - 1" } else { "n + k - 1" }, source)),
        mean: Some(Fact::real(n * harmonic(k), if all { "n H_n" } else { "n H_k" }, source)),
        worst: Some(Fact::whole(worst, if all { "n(n+1)/2" } else { "k n - k(k-1)/2" }, source)),
        variance: all.then(|| {
            let source = "derivation in docs/method.md";
            Fact::real(variance, "n^2 (2 - H2_n) - n H_n", source)
        }),
    }
}

/// The largest ID alone goes all the way round. A node sends each ID at most once, and every initiator
/// but the largest its own and that one.
pub(super) fn facts_of(metric: Metric, case: &Case) -> Facts {
    let Some(k) = case.initiators else { return Facts::default() };
    let source = ChangRoberts::SOURCE;
    match metric {
        Metric::Time | Metric::End => {
            Facts::constant(case.n.into(), "n", source).holding(Holds::Synchronous)
        }
        Metric::MaxNodeMessages if k == 1 => Facts::constant(1, "1", source),
        Metric::MaxNodeMessages => Facts {
            best: Some(Fact::whole(2, "2", source)),
            worst: Some(Fact::whole(k.into(), if case.is_all() { "n" } else { "k" }, source)),
            ..Facts::default()
        },
        _ => Facts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    fn receive(started: bool, q: Id) -> Recorded<Candidate> {
        let mut out = Recorded::new(started);
        ChangRoberts { id: 5 }.receive(PREV, Candidate(q), &mut out);
        out
    }

    #[test]
    fn a_larger_id_is_forwarded() {
        let out = receive(true, 7);
        assert_eq!((out.sent, out.status), (vec![(NEXT, Candidate(7))], Status::Follower));
    }

    #[test]
    fn a_smaller_id_is_swallowed() {
        let out = receive(true, 3);
        assert_eq!((out.sent, out.status), (vec![], Status::Undecided));
    }

    #[test]
    fn the_own_id_wins() {
        let out = receive(true, 5);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    #[test]
    fn a_sleeper_relays_smaller_ids_too() {
        let out = receive(false, 3);
        assert_eq!((out.sent, out.status), (vec![(NEXT, Candidate(3))], Status::Follower));
    }
}
