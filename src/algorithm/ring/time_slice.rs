//! Time slices: silence tells that no smaller ID exists.
//!
//! N. Lynch, "Distributed Algorithms", 1996, section 3.5 (TimeSlice); also the non-uniform
//! synchronous algorithm of Attiya and Welch, "Distributed Computing", 2004.
//!
//! | | |
//! |-|-|
//! | Model | synchronous unidirectional ring, unique IDs, n known, everybody starts at 0 |
//! | Elects | the smallest ID |
//! | Cost | exactly n messages; the leader decides at time n · (smallest ID) |
//!
//! ```text
//! at time id · n, still undecided:   lead; send <leader, id>
//! on <leader, q>, still undecided:   follow; send <leader, q>
//! ```

use crate::algorithm::count::{Count, Counter, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Clock, Id, Local, NEXT, Port, Process, Synchronous};
use crate::model::theory::{Case, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSlice {
    id: Id,
    n: u64,
    leader: Option<Id>,
}

/// The winner's lap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leader(Id);

impl Message for Leader {
    const KINDS: Kinds = Kinds::new(&[("leader", |w| w.id)]);
}

impl Process for TimeSlice {
    type Message = Leader;

    fn new(local: &Local) -> Self {
        TimeSlice { id: local.id, n: local.n, leader: None }
    }

    /// The phases, of n time units each, up to the leader's.
    fn rounds(&self) -> Option<u64> {
        self.leader.map(|leader| leader.saturating_add(1))
    }

    fn leader(&self) -> Option<Id> {
        self.leader
    }
}

impl Synchronous for TimeSlice {
    fn start(&mut self, out: &mut impl Clock<Leader>) {
        out.wake(self.id.checked_mul(self.n), 0);
    }

    fn alarm(&mut self, _token: u64, out: &mut impl Clock<Leader>) {
        if self.leader.is_none() {
            self.leader = Some(self.id);
            out.lead();
            out.send(NEXT, Leader(self.id));
        }
    }

    fn receive(&mut self, _from: Port, Leader(q): Leader, out: &mut impl Clock<Leader>) {
        if self.leader.is_none() {
            self.leader = Some(q);
            out.follow();
            out.send(NEXT, Leader(q));
        }
    }
}

/// The smallest ID speaks first, and everybody passes it on once. `None` beyond the clock.
fn count(ring: &Ranked<'_>, _scratch: &mut Scratch) -> Option<Count> {
    if !ring.initiators()?.is_all() {
        return None;
    }
    let (n, smallest) = (u64::from(ring.n()), ring.ids.of(0));
    let time = smallest.checked_mul(n)?;
    Some(Count {
        time: Some(time),
        end: Some(time.checked_add(n)?),
        rounds: Some(smallest.saturating_add(1)),
        max_node_messages: Some(1),
        ..Count::new(0, &[n])
    })
}

impl Algorithm for TimeSlice {
    const NAME: &'static str = "time-slice";
    const SUMMARY: &'static str = "ID i speaks at time i n if nobody has: exactly n messages";
    const SOURCE: &'static str = "Lynch 1996, section 3.5";
    const FILE: &'static str = include_str!("time_slice.rs");
    const MODEL: Model = Model {
        needs_all: true,
        knows_n: true,
        announces: true,
        ..Model::electing(Elects::SmallestId).clockwise()
    };
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Synchronous });

    fn facts(case: &Case) -> Facts {
        Facts::constant(u128::from(case.n), "n", Self::SOURCE)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let dense = |value, formula| Facts::constant(value, formula, Self::SOURCE).for_dense_ids();
        match metric {
            Metric::Time => dense(0, "n id_min"),
            Metric::End => dense(case.n.into(), "n id_min + n"),
            Metric::Rounds => dense(1, "id_min + 1"),
            Metric::MaxNodeMessages => Facts::constant(1, "1", Self::SOURCE),
            _ => Facts::default(),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    #[test]
    fn the_alarm_is_at_id_times_n_and_beyond_the_clock_it_is_none() {
        for (id, alarm) in [(3, Some(30)), (u64::MAX / 2, None)] {
            let mut out = Recorded::new(true);
            TimeSlice { id, n: 10, leader: None }.start(&mut out);
            assert_eq!(out.alarms, [(alarm, 0)]);
        }
    }

    #[test]
    fn whoever_has_decided_keeps_silent() {
        let mut node = TimeSlice { id: 3, n: 10, leader: Some(1) };
        let mut out = Recorded::new(true);
        node.alarm(0, &mut out);
        node.receive(0, Leader(1), &mut out);
        assert_eq!((out.sent, out.status), (vec![], Status::Undecided));
    }
}
