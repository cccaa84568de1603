//! The clockwise algorithm: forward an ID only if it is the largest seen so far.
//!
//! The lecture form of Chang and Roberts 1979, with a variable for the largest ID seen.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | as Chang-Roberts where links are FIFO; without FIFO never more, often less |
//!
//! ```text
//! initiator:       T := id; send <id, T>
//! on <id, q>:      q = id:                         lead
//!                  q > T, or no T yet (asleep):    T := q; follow; send <id, q>
//!                  else:                           swallow it
//! ```

use super::chang_roberts::{self, Candidate};
use crate::algorithm::count::Counter;
use crate::algorithm::{Algorithm, Elects, Law, Limit, Line, Model};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Clockwise {
    id: Id,
    /// The largest ID seen so far: T in the pseudocode; 0 while asleep.
    largest: Id,
}

impl Process for Clockwise {
    type Message = Candidate;

    fn new(local: &Local) -> Self {
        Clockwise { id: local.id, largest: 0 }
    }
}

impl Asynchronous for Clockwise {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Candidate>) {
        self.largest = self.id;
        out.send(NEXT, Candidate(self.id));
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, Candidate(q): Candidate, out: &mut impl Outbox<Candidate>) {
        // No ID passes a node twice: what equals T is its own, come home; or 0, and it is asleep.
        if q == self.largest && q == self.id {
            return out.lead();
        }
        let forward = q >= self.largest;
        self.largest = self.largest.max(q);
        out.follow_if(forward);
        out.send_if(forward, NEXT, Candidate(q));
    }
}

impl Algorithm for Clockwise {
    const NAME: &'static str = "clockwise";
    const SUMMARY: &'static str = "an ID travels while it is the largest its hosts have seen";
    const SOURCE: &'static str = "Chang and Roberts 1979, with the largest ID seen";
    const FILE: &'static str = include_str!("clockwise.rs");
    const LINES: &'static [Line] = &[
        ("start", "id", "initiator:"),
        ("own id", "lead", "q = id:"),
        ("id", "id", "q > T,"),
        ("id", "", "else:"),
    ];
    const MODEL: Model = Model::electing(Elects::LargestInitiator).clockwise();
    const COUNTER: Option<Counter> =
        Some(Counter { count: chang_roberts::count, holds: Holds::Synchronous });
    const LAW: Option<Law> = Some(chang_roberts::LAW);
    const LIMIT: Option<Limit> = Some(chang_roberts::LIMIT);

    /// If everybody starts, overtaking can only show a larger ID earlier and save messages.
    fn facts(case: &Case) -> Facts {
        let facts = chang_roberts::facts(case);
        if case.is_all() {
            facts.holding_else_fewer(Holds::Fifo)
        } else {
            facts.holding(Holds::Fifo)
        }
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let facts = chang_roberts::facts_of(metric, case);
        if metric == Metric::MaxNodeMessages { facts.holding(Holds::Fifo) } else { facts }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    #[test]
    fn an_id_below_the_largest_seen_is_swallowed() {
        let mut node = Clockwise { id: 5, largest: 9 };
        let mut out = Recorded::new(true);
        node.receive(PREV, Candidate(7), &mut out);
        assert_eq!((out.sent, out.status), (vec![], Status::Undecided));
    }

    #[test]
    fn a_sleeper_accepts_anything() {
        for q in [0, 1] {
            let mut node = Clockwise { id: 5, largest: 0 };
            let mut out = Recorded::new(false);
            node.receive(PREV, Candidate(q), &mut out);
            assert_eq!((out.sent, out.status), (vec![(NEXT, Candidate(q))], Status::Follower));
            assert_eq!(node.largest, q);
        }
    }
}
