//! Finn's algorithm: sets of nodes that have been heard of, and of nodes that have heard from all
//! their neighbours; when the two are equal, everybody has been heard of.
//!
//! S. G. Finn, "Resynch procedures and a fail-safe network protocol", IEEE Transactions on
//! Communications 27 (1979); as a wave in G. Tel, "Introduction to Distributed Algorithms" (2000),
//! chapter 6. The wave is decentralised: any nodes may start it, and everybody decides.
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, nothing known, any order of messages, any initiators |
//! | Elects | the largest ID; everybody knows it |
//! | Cost | at most 4NE messages, each with up to 2N IDs |
//!
//! ```text
//! initially:            heard := {id}; complete := {}
//! initiator:            send <heard, complete> to all
//! on <h, c> from q:     heard += h; complete += c; something came from every neighbour: complete += id
//!                       one of the two has grown: send <heard, complete> to all
//!                       heard = complete: max(heard) = id: lead; else follow
//! ```

use std::collections::BTreeSet;
use std::rc::Rc;

use super::PortSet;
use crate::algorithm::{Algorithm, Elects, Model, On};
use crate::model::message::{Kinds, Message};
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finn {
    id: Id,
    degree: usize,
    sets: Sets,
    /// The neighbours that nothing came from.
    silent: PortSet,
    leader: Option<Id>,
}

/// What a node knows; the message of the algorithm. One copy goes to all neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sets {
    /// The nodes that have been heard of.
    pub heard: Rc<BTreeSet<Id>>,
    /// Those that have heard from all their neighbours.
    pub complete: Rc<BTreeSet<Id>>,
}

impl Message for Sets {
    const KINDS: Kinds = Kinds::new(&[("sets", |_| 0)]).listing();

    fn listed_ids(&self) -> usize {
        self.heard.len() + self.complete.len()
    }
}

/// Puts `more` into `set`; whether it has grown.
fn grow(set: &mut Rc<BTreeSet<Id>>, more: &BTreeSet<Id>) -> bool {
    if more.is_subset(set) {
        return false;
    }
    Rc::make_mut(set).extend(more);
    true
}

impl Process for Finn {
    type Message = Sets;

    fn new(local: &Local) -> Self {
        Finn {
            id: local.id,
            degree: local.degree,
            sets: Sets { heard: Rc::new([local.id].into()), complete: Rc::default() },
            silent: PortSet::all(local.degree),
            leader: None,
        }
    }

    fn leader(&self) -> Option<Id> {
        self.leader
    }
}

impl Finn {
    fn tell(&self, out: &mut impl Outbox<Sets>) {
        out.flood(self.degree, None, self.sets.clone());
    }

    /// Once everybody has heard from all neighbours, there is nobody left to hear of.
    fn decide(&mut self, out: &mut impl Outbox<Sets>) {
        let Sets { heard, complete } = &self.sets;
        if self.leader.is_some() || heard != complete {
            return;
        }
        self.leader = heard.last().copied();
        if self.leader == Some(self.id) {
            out.lead();
        } else {
            out.follow();
        }
    }
}

impl Asynchronous for Finn {
    fn start(&mut self, out: &mut impl Outbox<Sets>) {
        if self.degree == 0 {
            grow(&mut self.sets.complete, &[self.id].into());
        }
        self.tell(out);
        self.decide(out);
    }

    fn receive(&mut self, from: Port, sets: Sets, out: &mut impl Outbox<Sets>) {
        let mut grown = grow(&mut self.sets.heard, &sets.heard);
        grown |= grow(&mut self.sets.complete, &sets.complete);
        if self.silent.remove(from) && self.silent.is_empty() {
            grown |= grow(&mut self.sets.complete, &[self.id].into());
        }
        if grown {
            self.tell(out);
            self.decide(out);
        }
    }
}

impl Algorithm for Finn {
    const NAME: &'static str = "finn";
    const SUMMARY: &'static str = "sets of IDs grow until everybody has heard from all neighbours";
    const SOURCE: &'static str = "Finn 1979; Tel 2000";
    const FILE: &'static str = include_str!("finn.rs");
    const MODEL: Model =
        Model { on: On::Graphs, announces: true, ..Model::electing(Elects::LargestId) };

    /// A node sends at most once for itself and once for every growth of its two sets, which have N
    /// members each in the end and one in the beginning: 2N times. Everybody hears from every
    /// neighbour.
    fn facts(case: &Case) -> Facts {
        let links = 2 * u128::from(case.shape.edges);
        let bound = |messages, formula| {
            Some(Fact::whole(messages, formula, Self::SOURCE).known(Certainty::Bound))
        };
        let worst = links.saturating_mul(2 * u128::from(case.n));
        Facts { best: bound(links, "2E"), worst: bound(worst, "4NE"), ..Facts::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn node(degree: usize) -> Finn {
        Finn::new(&Local { id: 5, degree, ..Local::default() })
    }

    fn sets(heard: &[Id], complete: &[Id]) -> Sets {
        let set = |ids: &[Id]| Rc::new(ids.iter().copied().collect());
        Sets { heard: set(heard), complete: set(complete) }
    }

    fn receive(process: &mut Finn, from: Port, message: Sets) -> Recorded<Sets> {
        let mut out = Recorded::new(false);
        process.receive(from, message, &mut out);
        out
    }

    #[test]
    fn what_has_grown_is_told_to_all() {
        let mut process = node(2);
        let out = receive(&mut process, 0, sets(&[3], &[]));
        assert_eq!(out.sent, [0, 1].map(|port| (port, sets(&[3, 5], &[]))));
        let out = receive(&mut process, 0, sets(&[3], &[]));
        assert_eq!(out.sent, []);
    }

    #[test]
    fn who_has_heard_from_every_neighbour_is_complete() {
        let mut process = node(2);
        receive(&mut process, 0, sets(&[3], &[]));
        let out = receive(&mut process, 1, sets(&[3], &[]));
        assert_eq!(out.sent, [0, 1].map(|port| (port, sets(&[3, 5], &[5]))));
        assert_eq!((out.status, process.leader()), (Status::Undecided, None));
        let out = receive(&mut process, 0, sets(&[3], &[3]));
        assert_eq!((out.status, process.leader()), (Status::Leader, Some(5)));
    }

    #[test]
    fn a_larger_id_is_followed() {
        let mut process = node(1);
        let out = receive(&mut process, 0, sets(&[7], &[7]));
        assert_eq!((out.status, process.leader()), (Status::Follower, Some(7)));
        assert_eq!(out.sent, [(0, sets(&[5, 7], &[5, 7]))]);
    }

    #[test]
    fn a_node_alone_leads_at_once() {
        let mut out = Recorded::new(true);
        node(0).start(&mut out);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }
}
