//! What the waves on trees have in common: explosions wake, echoes with the largest ID run from the
//! leaves to the middle, and the middle informs everybody.
//!
//! ```text
//! check:          no echo sent, and one neighbour's missing, p: send <echo, best> to p
//! on <echo, x>:   best := max(best, x)
//!                 own echo sent: learn(best, sender), else: check
//! on <info, x>:   learn(x, sender)
//! learn(x, p):    leader := x; lead if x = id, else follow; send <info, x> to all neighbours but p
//! ```

use super::awaited::Awaited;
use crate::model::message::kinds;
use crate::model::process::{Id, Local, Outbox, Port};

/// What the waves send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TreeWave {
    /// Away from an initiator.
    Explosion,
    /// From the leaves to the middle, with the largest ID behind it.
    Echo(Id),
    /// From the middle to the leaves, with the largest ID of all.
    Info(Id),
}

kinds! { TreeWave {
    Explosion: "explosion", |_| 0;
    Echo: "echo", |w| w.id;
    Info: "info", |w| w.id;
} }

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Node {
    id: Id,
    degree: usize,
    pub(super) awake: bool,
    /// The largest ID heard of.
    best: Id,
    /// Whose echo is missing.
    awaited: Awaited,
    /// Whether the own echo was sent.
    echoed: bool,
    leader: Option<Id>,
}

impl Node {
    pub(super) fn new(local: &Local) -> Self {
        Node {
            id: local.id,
            degree: local.degree,
            awake: false,
            best: local.id,
            awaited: Awaited::all(local.degree),
            echoed: false,
            leader: None,
        }
    }

    pub(super) fn leader(&self) -> Option<Id> {
        self.leader
    }

    /// Whether no echo is missing.
    pub(super) fn has_all_echoes(&self) -> bool {
        self.awaited.is_empty()
    }

    /// Whether the own echo was sent.
    pub(super) fn has_echoed(&self) -> bool {
        self.echoed
    }

    /// Sends the same over all links but one.
    pub(super) fn spread(
        &self,
        message: TreeWave,
        but: Option<Port>,
        out: &mut impl Outbox<TreeWave>,
    ) {
        out.flood(self.degree, but, message);
    }

    /// Sends the own echo when one neighbour's is missing.
    pub(super) fn check(&mut self, out: &mut impl Outbox<TreeWave>) {
        if let (false, Some(last)) = (self.echoed, self.awaited.last()) {
            self.echoed = true;
            out.send(last, TreeWave::Echo(self.best));
        }
    }

    /// Takes an echo without acting on it.
    pub(super) fn hear(&mut self, from: Port, x: Id) {
        self.awaited.heard(from);
        self.best = self.best.max(x);
    }

    /// Knows the largest ID now, as far as all echoes are there.
    pub(super) fn learn_best(&mut self, but: Option<Port>, out: &mut impl Outbox<TreeWave>) {
        self.learn(self.best, but, out);
    }

    fn learn(&mut self, leader: Id, but: Option<Port>, out: &mut impl Outbox<TreeWave>) {
        self.leader = Some(leader);
        if leader == self.id {
            out.lead();
        } else {
            out.follow();
        }
        self.spread(TreeWave::Info(leader), but, out);
    }

    /// An echo at a node that is awake.
    pub(super) fn echo(&mut self, from: Port, x: Id, out: &mut impl Outbox<TreeWave>) {
        self.hear(from, x);
        if self.echoed {
            self.learn_best(Some(from), out);
        } else {
            self.check(out);
        }
    }

    /// The word from the middle.
    pub(super) fn info(&mut self, from: Port, x: Id, out: &mut impl Outbox<TreeWave>) {
        self.learn(x, Some(from), out);
    }
}
