//! Tel's election on trees: wake everybody up, then let tokens with the largest ID run from the
//! leaves to the middle and back.
//!
//! G. Tel, "Introduction to Distributed Algorithms" (2nd edition 2000), section 7.1.1 (there the
//! smallest ID wins).
//!
//! | | |
//! |-|-|
//! | Model | a tree, unique IDs, nothing known, any order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | exactly 4N - 4 messages |
//!
//! ```text
//! initiator, or on the first <wakeup>: send <wakeup> to all neighbours
//! wait for <wakeup> from all neighbours
//! wait for <tok, r> from all neighbours but one, p; best := the largest r, or id
//! send <tok, best> to p
//! wait for <tok, r> from p; best := max(best, r)
//! lead if best = id, else follow; send <tok, best> to all neighbours but p
//! ```
//!
//! A token that comes while its line has not been reached waits. The order of early tokens plays no
//! part, so only the last one has to be kept.

use super::awaited::Awaited;
use super::{bits_of, time_facts};
use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TreeWakeup {
    id: Id,
    degree: usize,
    awake: bool,
    /// How many neighbours have not sent their wake-up.
    asleep: usize,
    /// Whose token is missing.
    awaited: Awaited,
    /// The largest ID heard of.
    best: Id,
    /// To whom the own token went.
    asked: Option<Port>,
    /// The token of the last neighbour, if it is there.
    answer: Option<Id>,
    leader: Option<Id>,
}

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Wake up.
    Wakeup,
    /// The largest ID of a part of the tree, and at last of the whole.
    Tok(Id),
}

kinds! { Step {
    Wakeup: "wakeup", |_| 0;
    Tok: "tok", |w| w.id;
} }

impl Process for TreeWakeup {
    type Message = Step;

    fn new(local: &Local) -> Self {
        TreeWakeup {
            id: local.id,
            degree: local.degree,
            awake: false,
            asleep: local.degree,
            awaited: Awaited::all(local.degree),
            best: local.id,
            asked: None,
            answer: None,
            leader: None,
        }
    }

    fn leader(&self) -> Option<Id> {
        self.leader
    }
}

impl TreeWakeup {
    fn wake(&mut self, out: &mut impl Outbox<Step>) {
        if !self.awake {
            self.awake = true;
            out.flood(self.degree, None, Step::Wakeup);
        }
    }

    /// Goes on as far as what has come allows.
    fn proceed(&mut self, out: &mut impl Outbox<Step>) {
        if self.asleep > 0 {
            return;
        }
        if self.asked.is_none() {
            self.asked = self.awaited.last();
            if let Some(port) = self.asked {
                out.send(port, Step::Tok(self.best));
            }
        }
        if let (Some(port), Some(answer)) = (self.asked, self.answer.take()) {
            self.best = self.best.max(answer);
            self.decide(Some(port), out);
        }
    }

    fn decide(&mut self, from: Option<Port>, out: &mut impl Outbox<Step>) {
        self.leader = Some(self.best);
        if self.best == self.id {
            out.lead();
        } else {
            out.follow();
        }
        out.flood(self.degree, from, Step::Tok(self.best));
    }
}

impl Asynchronous for TreeWakeup {
    fn start(&mut self, out: &mut impl Outbox<Step>) {
        self.wake(out);
        if self.awaited.is_empty() {
            self.decide(None, out);
        }
    }

    fn receive(&mut self, from: Port, message: Step, out: &mut impl Outbox<Step>) {
        match message {
            Step::Wakeup => {
                self.asleep -= 1;
                self.wake(out);
            }
            Step::Tok(r) if self.awaited.last().is_some() => self.answer = Some(r),
            Step::Tok(r) => {
                self.awaited.heard(from);
                self.best = self.best.max(r);
            }
        }
        self.proceed(out);
    }
}

impl Algorithm for TreeWakeup {
    const NAME: &'static str = "tree-wakeup";
    const SUMMARY: &'static str = "wakes everybody, then tokens run from the leaves and back";
    const SOURCE: &'static str = "Tel 2000";
    const FILE: &'static str = include_str!("tree_wakeup.rs");
    const SPREAD: Option<Spread> = Some(Spread::Never);
    const MODEL: Model =
        Model { on: On::Trees, announces: true, ..Model::electing(Elects::LargestId) };

    fn facts(case: &Case) -> Facts {
        Facts::constant(4 * u128::from(case.n) - 4, "4N - 4", Self::SOURCE)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let half = 2 * u128::from(case.n) - 2;
        match metric {
            Metric::Bits => bits_of::<Step>(case, &[half, half], Self::SOURCE),
            _ => time_facts(metric, case, Self::SOURCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    const WAKEUP: Step = Step::Wakeup;

    /// Node 5 with so many links, started, after `steps`; what the last one sent.
    fn node(degree: usize, steps: &[(Port, Step)]) -> (TreeWakeup, Recorded<Step>) {
        Recorded::replay(&Local { id: 5, degree, ..Local::default() }, true, steps)
    }

    #[test]
    fn the_first_wakeup_is_passed_on_to_all_the_sender_too() {
        let (mut process, out) = node(3, &[]);
        assert_eq!(out.sent, [0, 1, 2].map(|port| (port, WAKEUP)));
        process = TreeWakeup { awake: false, ..process };
        let mut out = Recorded::new(false);
        process.receive(1, WAKEUP, &mut out);
        assert_eq!(out.sent, [0, 1, 2].map(|port| (port, WAKEUP)));
        out.sent.clear();
        process.receive(2, WAKEUP, &mut out);
        assert_eq!(out.sent, []);
    }

    #[test]
    fn tokens_wait_for_all_wakeups_and_then_the_largest_goes_to_the_last_neighbour() {
        let early = [(0, WAKEUP), (0, Step::Tok(9)), (2, WAKEUP), (2, Step::Tok(7))];
        let (_, out) = node(3, &early);
        assert_eq!(out.sent, []);
        let (_, out) = node(3, &[&early[..], &[(1, WAKEUP)]].concat());
        assert_eq!(out.sent, [(1, Step::Tok(9))]);
        assert_eq!(out.status, Status::Undecided);
    }

    #[test]
    fn a_leaf_sends_its_token_when_its_neighbour_is_awake() {
        let (_, out) = node(1, &[(0, WAKEUP)]);
        assert_eq!(out.sent, [(0, Step::Tok(5))]);
    }

    #[test]
    fn the_answer_decides_and_goes_to_all_others() {
        let steps = [(0, WAKEUP), (1, WAKEUP), (1, Step::Tok(3)), (0, Step::Tok(4))];
        let (process, out) = node(2, &steps);
        assert_eq!((out.sent, out.status), (vec![(1, Step::Tok(5))], Status::Leader));
        assert_eq!(process.leader(), Some(5));
        let steps = [(0, WAKEUP), (1, WAKEUP), (1, Step::Tok(3)), (0, Step::Tok(8))];
        let (process, out) = node(2, &steps);
        assert_eq!((out.sent, out.status), (vec![(1, Step::Tok(8))], Status::Follower));
        assert_eq!(process.leader(), Some(8));
    }

    #[test]
    fn tokens_of_all_neighbours_may_overtake_a_wakeup() {
        let steps = [(1, Step::Tok(8)), (0, Step::Tok(9)), (1, WAKEUP), (0, WAKEUP)];
        let (process, out) = node(2, &steps);
        assert_eq!(out.sent, [(0, Step::Tok(8)), (1, Step::Tok(9))]);
        assert_eq!(process.leader(), Some(9));
    }

    #[test]
    fn a_node_alone_leads_at_once() {
        let (process, out) = node(0, &[]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        assert_eq!(process.leader(), Some(5));
    }
}
