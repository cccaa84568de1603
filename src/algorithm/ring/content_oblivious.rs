//! Content-oblivious election: messages say nothing, and everybody counts them.
//!
//! F. Frei, R. Gelles, A. Ghazy, A. Nolin, "Content-oblivious leader election on rings", DISC 2024.
//!
//! | | |
//! |-|-|
//! | Model | bidirectional ring, unique IDs from 1 on, n unknown, any order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | exactly n (2m + 1) pulses, where m is the largest ID |
//!
//! ```text
//! start:              r := s := 0; send a pulse clockwise
//! on a pulse from PREV:   r := r + 1; r = id: keep it, else: send it on;  r > id: follow
//!     the first time that r ≥ id: send a pulse anticlockwise
//! on a pulse from NEXT:   wait until r ≥ id; then s := s + 1
//!     s ≤ r: s = id: keep it, else: send it on;  r = s = id: lead; send one pulse more
//!     s > r: halt, the leader when it is home again, all others when they have sent it on
//! ```
//! A node that mail wakes starts first. The counts go up to the IDs, so these must be small. That
//! tables count one bit for the kind of a pulse says only which way it goes, and the link says so too.

use crate::algorithm::{Algorithm, Elects, Model, Spread};
use crate::model::message::kinds;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, PREV, Port, Process};
use crate::model::theory::{Case, Fact, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentOblivious {
    id: Id,
    awake: bool,
    /// Pulses that came clockwise.
    clockwise: u64,
    /// Pulses that came anticlockwise and were handled.
    anticlockwise: u64,
    /// Pulses that came anticlockwise and wait.
    waiting: u64,
    /// Whether it has sent its own pulse anticlockwise.
    turned: bool,
    leads: bool,
    halted: bool,
}

/// A message without content, by the way it goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pulse {
    /// To the next node.
    Clockwise,
    /// To the node before.
    Anticlockwise,
}

use Pulse::{Anticlockwise, Clockwise};

kinds! { Pulse {
    Clockwise: "cw", |_| 0;
    Anticlockwise: "ccw", |_| 0;
} }

impl Process for ContentOblivious {
    type Message = Pulse;

    fn new(local: &Local) -> Self {
        ContentOblivious {
            id: local.id,
            awake: false,
            clockwise: 0,
            anticlockwise: 0,
            waiting: 0,
            turned: false,
            leads: false,
            halted: false,
        }
    }
}

impl ContentOblivious {
    /// Handles the pulses that came anticlockwise, once the others have come up to its ID.
    fn handle_waiting(&mut self, out: &mut impl Outbox<Pulse>) {
        if self.clockwise < self.id {
            return;
        }
        if !self.turned {
            self.turned = true;
            out.send(PREV, Anticlockwise);
        }
        for _ in 0..std::mem::take(&mut self.waiting) {
            self.anticlockwise += 1;
            let is_last = self.anticlockwise > self.clockwise;
            self.halted = is_last;
            out.send_if(self.anticlockwise != self.id && !self.leads, PREV, Anticlockwise);
            if self.clockwise == self.id && self.anticlockwise == self.id {
                self.leads = true;
                out.lead();
                out.send(PREV, Anticlockwise);
            }
        }
    }
}

impl Asynchronous for ContentOblivious {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Pulse>) {
        self.awake = true;
        out.send(NEXT, Clockwise);
    }

    /// Only the port tells pulses apart.
    #[inline(always)]
    fn receive(&mut self, from: Port, _pulse: Pulse, out: &mut impl Outbox<Pulse>) {
        debug_assert!(!self.halted, "a pulse came to {} after it halted", self.id);
        if !self.awake {
            Asynchronous::start(self, out);
        }
        if from == PREV {
            self.clockwise += 1;
            out.send_if(self.clockwise != self.id, NEXT, Clockwise);
            out.follow_if(self.clockwise > self.id);
        } else {
            self.waiting += 1;
        }
        self.handle_waiting(out);
    }
}

impl Algorithm for ContentOblivious {
    const NAME: &'static str = "content-oblivious";
    const SUMMARY: &'static str = "messages without content: the largest ID counts the longest";
    const SOURCE: &'static str = "Frei, Gelles, Ghazy and Nolin 2024";
    const FILE: &'static str = include_str!("content_oblivious.rs");
    const SPREAD: Option<Spread> = Some(Spread::Never);
    const MODEL: Model = Model { counts_to_ids: true, ..Model::electing(Elects::LargestId) };

    /// Mail wakes everybody, so it does not matter who starts.
    fn facts(case: &Case) -> Facts {
        let n = u128::from(case.n);
        Facts::constant(n.saturating_mul(2 * n + 1), "n (2n + 1)", Self::SOURCE)
            .map(|fact: Fact| Some(fact.for_dense_ids()))
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

    fn replay(id: Id, from: &[Port]) -> (ContentOblivious, Recorded<Pulse>) {
        let messages: Vec<_> = from.iter().map(|&port| (port, Clockwise)).collect();
        Recorded::replay(&Local { id, ..Local::default() }, true, &messages)
    }

    #[test]
    fn a_node_keeps_one_pulse_of_each_kind_and_then_turns() {
        assert_eq!(replay(2, &[PREV]).1.sent, [(NEXT, Clockwise)]);
        assert_eq!(replay(2, &[PREV; 2]).1.sent, [(PREV, Anticlockwise)]);
        let out = replay(2, &[PREV; 3]).1;
        assert_eq!((out.sent, out.status), (vec![(NEXT, Clockwise)], Status::Follower));
    }

    #[test]
    fn pulses_of_the_other_kind_wait() {
        let (node, out) = replay(2, &[PREV, NEXT]);
        assert_eq!((node.waiting, out.sent), (1, vec![]));
        let (node, out) = replay(2, &[PREV, NEXT, PREV]);
        assert_eq!((node.waiting, out.sent), (0, vec![(PREV, Anticlockwise); 2]));
    }

    #[test]
    fn who_has_counted_both_kinds_to_its_id_leads_and_ends_it() {
        let (node, out) = replay(2, &[PREV, PREV, NEXT, NEXT]);
        assert_eq!((out.sent, out.status), (vec![(PREV, Anticlockwise)], Status::Leader));
        assert!(!node.halted);
        let (node, out) = replay(2, &[PREV, PREV, NEXT, NEXT, NEXT]);
        assert_eq!((out.sent, node.halted), (vec![], true));
    }

    #[test]
    fn a_follower_sends_the_last_pulse_on_and_halts() {
        let (node, out) = replay(1, &[PREV, PREV, NEXT, NEXT]);
        assert_eq!((out.sent, node.halted), (vec![(PREV, Anticlockwise)], false));
        let (node, out) = replay(1, &[PREV, PREV, NEXT, NEXT, NEXT]);
        assert_eq!((out.sent, node.halted), (vec![(PREV, Anticlockwise)], true));
    }

    #[test]
    fn mail_wakes_a_sleeper_first() {
        let local = Local { id: 3, ..Local::default() };
        let (_, out) = Recorded::replay::<ContentOblivious>(&local, false, &[(PREV, Clockwise)]);
        assert_eq!(out.sent, [(NEXT, Clockwise); 2]);
    }
}
