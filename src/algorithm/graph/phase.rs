//! The phase algorithm: who knows the diameter D counts D messages from every neighbour.
//!
//! G. Tel, "Introduction to Distributed Algorithms" (2000), chapter 6. The wave is decentralised: any
//! nodes may start it, it carries the largest ID, and everybody decides.
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, the diameter known, any order of messages, any initiators |
//! | Elects | the largest ID; everybody knows it |
//! | Cost | exactly 2ED messages |
//!
//! ```text
//! initiator, or first mail:   send <best> to all
//! on <q>:                     best := max(best, q)
//!                             so many came from every neighbour as were sent to each:
//!                                 fewer than D: send <best> to all
//!                                 D: best = id: lead; else follow
//! ```
//! After i messages from each neighbour `best` is the largest ID within i links, whatever their order:
//! of any i messages of a neighbour one is its i-th or a later one.

use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phase {
    id: Id,
    diameter: u64,
    best: Id,
    /// How many messages were sent to each neighbour.
    sent: u64,
    /// How many came over each link.
    came: Box<[u64]>,
    /// Over how many links fewer came than were sent.
    behind: usize,
    decided: bool,
}

/// The largest ID that the sender knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Best(pub Id);

impl Message for Best {
    const KINDS: Kinds = Kinds::new(&[("best", |w| w.id)]);
}

impl Process for Phase {
    type Message = Best;

    fn new(local: &Local) -> Self {
        Phase {
            id: local.id,
            diameter: local.diameter,
            best: local.id,
            sent: 0,
            came: vec![0; local.degree].into(),
            behind: 0,
            decided: false,
        }
    }

    fn rounds(&self) -> Option<u64> {
        Some(self.sent)
    }

    fn leader(&self) -> Option<Id> {
        self.decided.then_some(self.best)
    }
}

impl Phase {
    /// Sends, as long as nobody is behind, and decides after the last time.
    fn go_on(&mut self, out: &mut impl Outbox<Best>) {
        while self.behind == 0 && !self.decided {
            if self.sent == self.diameter {
                return self.decide(out);
            }
            self.sent += 1;
            self.behind = self.came.iter().filter(|&&came| came < self.sent).count();
            out.flood(self.came.len(), None, Best(self.best));
        }
    }

    fn decide(&mut self, out: &mut impl Outbox<Best>) {
        self.decided = true;
        if self.best == self.id {
            out.lead();
        } else {
            out.follow();
        }
    }
}

impl Asynchronous for Phase {
    fn start(&mut self, out: &mut impl Outbox<Best>) {
        self.go_on(out);
    }

    fn receive(&mut self, from: Port, Best(q): Best, out: &mut impl Outbox<Best>) {
        self.best = self.best.max(q);
        self.came[from] += 1;
        self.behind -= usize::from(self.came[from] == self.sent);
        self.go_on(out);
    }
}

impl Algorithm for Phase {
    const NAME: &'static str = "phase";
    const SUMMARY: &'static str = "everybody sends the largest ID it knows, D times";
    const SOURCE: &'static str = "Tel 2000, phase algorithm";
    const FILE: &'static str = include_str!("phase.rs");
    const SPREAD: Option<Spread> = Some(Spread::Never);
    const MODEL: Model = Model {
        on: On::Graphs,
        knows_diameter: true,
        announces: true,
        ..Model::electing(Elects::LargestId)
    };

    fn facts(case: &Case) -> Facts {
        let Some(diameter) = case.shape.diameter else { return Facts::default() };
        let messages = (2 * u128::from(case.shape.edges)).saturating_mul(diameter.into());
        Facts::constant(messages, "2ED", Self::SOURCE)
    }

    /// If everybody starts, everybody is always in the same phase; who starts alone wakes the last
    /// after D, and that one is done D later.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let Some(diameter) = case.shape.diameter.map(u128::from) else { return Facts::default() };
        match metric {
            Metric::Rounds => Facts::constant(diameter, "D", Self::SOURCE),
            Metric::Time | Metric::End if case.is_all() => {
                Facts::constant(diameter, "D", Self::SOURCE).holding(Holds::Synchronous)
            }
            Metric::Time | Metric::End => {
                Facts::at_most(2 * diameter, "2D", Self::SOURCE).holding(Holds::Synchronous)
            }
            _ => Facts::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    /// Node 5 with two links in a network of this diameter.
    fn node(diameter: u64, degree: usize) -> Phase {
        Phase::new(&Local { id: 5, degree, diameter, ..Local::default() })
    }

    fn receive(process: &mut Phase, from: Port, q: Id) -> Recorded<Best> {
        let mut out = Recorded::new(true);
        process.receive(from, Best(q), &mut out);
        out
    }

    #[test]
    fn the_next_phase_waits_for_every_neighbour() {
        let mut process = node(2, 2);
        let mut out = Recorded::new(true);
        process.start(&mut out);
        assert_eq!(out.sent, [0, 1].map(|port| (port, Best(5))));
        assert_eq!(receive(&mut process, 0, 7).sent, []);
        // This neighbour is one phase ahead: its second message counts later.
        assert_eq!(receive(&mut process, 0, 8).sent, []);
        assert_eq!(receive(&mut process, 1, 6).sent, [0, 1].map(|port| (port, Best(8))));
        let out = receive(&mut process, 1, 8);
        assert_eq!((out.sent, out.status), (vec![], Status::Follower));
        assert_eq!(process.leader(), Some(8));
    }

    #[test]
    fn mail_wakes_a_sleeper() {
        let mut process = node(1, 2);
        assert_eq!(receive(&mut process, 1, 3).sent, [0, 1].map(|port| (port, Best(5))));
        assert_eq!(receive(&mut process, 0, 4).status, Status::Leader);
    }

    #[test]
    fn a_node_alone_leads_at_once() {
        let mut out = Recorded::new(true);
        node(0, 0).start(&mut out);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }
}
