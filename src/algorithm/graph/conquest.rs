//! What adoption and waiting have in common: waves that conquer trees without flooding them again. The
//! rules stand in the files of the two.

use super::{MaybePort, Wave};
use crate::algorithm::Spanning;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process, others};
use crate::model::theory::{Case, Certainty, Fact, Facts};

/// The state of one participant. `WAITS`: a conquered node holds back the explorer for its old tree
/// link until the links that were open then are done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Conquest<const WAITS: bool> {
    /// The largest initiator heard of; its own ID while nobody came.
    mark: Id,
    joined: bool,
    /// Where that word came from; none at the initiator itself.
    parent: MaybePort,
    links: Box<[Link]>,
    /// How many links are not done, the parent's among them.
    open: u32,
    /// Whether an echo was sent, or the election won, with this mark.
    echoed: bool,
    /// Old tree links whose explorers are held back.
    held: Vec<Port>,
    /// How many links must be done before these go.
    blocking: u32,
    /// The number of this wait.
    wait: u32,
}

/// The state of a link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Link {
    /// The last explorer sent over it, if any was.
    explored: Id,
    is_explored: bool,
    is_done: bool,
    is_child: bool,
    /// The last wait that does not wait for it.
    excused: u32,
}

impl Link {
    /// The last explorer sent over it.
    #[inline(always)]
    fn explored(&self) -> Option<Id> {
        self.is_explored.then_some(self.explored)
    }
}

impl<const WAITS: bool> Process for Conquest<WAITS> {
    type Message = Wave;

    fn new(local: &Local) -> Self {
        Conquest {
            mark: local.id,
            joined: false,
            parent: MaybePort::NONE,
            links: vec![Link::default(); local.degree].into(),
            open: local.degree as u32,
            echoed: false,
            held: Vec::new(),
            blocking: 0,
            wait: 0,
        }
    }
}

impl<const WAITS: bool> Conquest<WAITS> {
    /// Takes the first mark.
    fn join(&mut self, mark: Id, parent: Option<Port>, out: &mut impl Outbox<Wave>) {
        (self.mark, self.joined, self.parent) = (mark, true, parent.into());
        for port in others(self.links.len(), parent) {
            self.explore(port, mark, out);
        }
        self.check(mark, out);
    }

    fn explore(&mut self, port: Port, mark: Id, out: &mut impl Outbox<Wave>) {
        self.reopen(port);
        (self.links[port].explored, self.links[port].is_explored) = (mark, true);
        out.send(port, Wave::Explorer(mark));
    }

    fn reopen(&mut self, port: Port) {
        let link = &mut self.links[port];
        self.open += u32::from(link.is_done);
        link.is_done = false;
        link.is_child = false;
    }

    fn finish(&mut self, port: Port) {
        self.excuse(port);
        let link = &mut self.links[port];
        self.open -= u32::from(!link.is_done);
        link.is_done = true;
    }

    /// No longer waits for this link.
    fn excuse(&mut self, port: Port) {
        let link = &mut self.links[port];
        if !self.held.is_empty() && !link.is_done && link.excused != self.wait {
            self.blocking -= 1;
        }
        link.excused = self.wait;
    }

    fn conquered(&mut self, mark: Id, from: Port) {
        self.excuse(from);
        self.reopen(from);
        let old = std::mem::replace(&mut self.parent, Some(from).into());
        self.mark = mark;
        self.echoed = false;
        let Some(old) = old.get() else { return };
        if self.held.is_empty() {
            self.wait += 1;
            self.links[from].excused = self.wait;
            self.links[old].excused = self.wait;
            let open_old = u32::from(!self.links[old].is_done);
            self.blocking = if WAITS { self.open - 1 - open_old } else { 0 };
        }
        self.held.push(old);
    }

    fn check(&mut self, mark: Id, out: &mut impl Outbox<Wave>) {
        if !self.held.is_empty() {
            if self.blocking == 0 {
                let mut held = std::mem::take(&mut self.held);
                held.sort_unstable();
                for port in held.drain(..) {
                    self.explore(port, mark, out);
                }
                self.held = held;
            }
            return;
        }
        let parent = self.parent.get();
        let open_parent = parent.is_some_and(|parent| !self.links[parent].is_done);
        if !self.echoed && self.open == u32::from(open_parent) {
            self.echoed = true;
            match parent {
                Some(parent) => out.send(parent, Wave::Echo(mark)),
                None => out.lead(),
            }
        }
    }

    fn explorer(&mut self, j: Id, mark: Id, from: Port, out: &mut impl Outbox<Wave>) {
        let explored = self.links[from].explored();
        if explored > Some(j) {
            return;
        }
        if explored == Some(j) {
            self.finish(from);
        } else if j > mark {
            self.conquered(j, from);
        } else {
            self.excuse(from);
            self.explore(from, mark, out);
            if j == mark {
                self.finish(from);
            }
        }
        self.check(mark.max(j), out);
    }

    /// Whoever gets its first mark explores all links, but for that to its parent: 2E - N + k. Over a
    /// link go larger and larger IDs, so at most 2Ek. Every node but the winner sends one echo.
    pub(super) fn conquest_facts(case: &Case, source: &'static str) -> Facts {
        let wave = 2 * u128::from(case.shape.edges);
        let k = case.initiators.map(u128::from);
        if k == Some(1) {
            return Facts::constant(wave, "2E", source);
        }
        let bound = |value, formula| Fact::whole(value, formula, source).known(Certainty::Bound);
        let best = match k {
            Some(k) => bound(wave + k - 1, "2E + k - 1"),
            None => bound(wave, "2E"),
        };
        let most = |k| {
            bound(wave.saturating_mul(k).saturating_add(u128::from(case.n) - 1), "2E k + N - 1")
        };
        Facts { best: Some(best), worst: k.map(most), ..Facts::default() }
    }
}

impl<const WAITS: bool> Asynchronous for Conquest<WAITS> {
    fn start(&mut self, out: &mut impl Outbox<Wave>) {
        self.join(self.mark, None, out);
    }

    fn receive(&mut self, from: Port, message: Wave, out: &mut impl Outbox<Wave>) {
        match message {
            Wave::Explorer(j) if !self.joined => self.join(j, Some(from), out),
            Wave::Explorer(j) => self.explorer(j, self.mark, from, out),
            Wave::Echo(j) if self.joined && self.links[from].explored() == Some(j) => {
                self.finish(from);
                self.links[from].is_child = true;
                self.check(self.mark, out);
            }
            Wave::Echo(_) => {}
        }
    }
}

impl<const WAITS: bool> Spanning for Conquest<WAITS> {
    fn children(&self, _from: Option<Port>) -> impl Iterator<Item = Port> {
        (0..self.links.len()).filter(|&port| self.links[port].is_child)
    }
}
