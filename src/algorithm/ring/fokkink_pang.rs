//! Fokkink and Pang's election: Itai and Rodeh's without round numbers, where links keep the order.
//!
//! W. Fokkink, J. Pang, "Variations on Itai-Rodeh leader election for anonymous rings and their
//! analysis in PRISM", J. UCS 12 (2006), algorithm A.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, no IDs, a coin each, n known, FIFO links, any initiators |
//! | Elects | exactly one node, with probability 1 |
//! | Cost | that of `itai-rodeh`, message by message, with fewer bits |
//!
//! ```text
//! active:     draw id from 1..n; send <tok, id, 1, true>
//! on <tok, i, hop, unique>, active:
//!     hop = n:   unique: lead;  else: draw again
//!     i > id:    passive; follow; send <tok, i, hop+1, unique>
//!     i = id:    send <tok, i, hop+1, false>
//!     i < id:    swallow it
//! passive, or not started:   follow; send <tok, i, hop+1, unique>
//! ```
//! No token overtakes another, so who ties has drawn again before the next token of a tie comes.

use std::cmp::Ordering::{Equal, Greater, Less};

use super::itai_rodeh;
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::{Kinds, Message};
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::random::Coins;
use crate::model::theory::{Case, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct FokkinkPang {
    n: u64,
    coins: Coins,
    active: bool,
    /// What it drew last.
    id: Id,
    /// How often it has drawn.
    draws: u32,
}

/// An ID on its way round the ring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Label {
    /// What was drawn.
    pub id: Id,
    /// So many hops, this one included.
    pub hop: u32,
    /// Whether no active node on the way has the same.
    pub unique: bool,
}

impl Message for Label {
    // A number up to n has as many bits as a hop count, whatever IDs the nodes may have besides.
    const KINDS: Kinds = Kinds::new(&[("tok", |w| w.hops + w.hops + 1)]);
}

impl Process for FokkinkPang {
    type Message = Label;

    fn new(local: &Local) -> Self {
        FokkinkPang { n: local.n, coins: local.coins, active: false, id: 0, draws: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.draws))
    }
}

impl FokkinkPang {
    fn draw(&mut self, out: &mut impl Outbox<Label>) {
        self.id = 1 + self.coins.draw(self.draws, self.n);
        self.draws += 1;
        out.send(NEXT, Label { id: self.id, hop: 1, unique: true });
    }
}

impl Asynchronous for FokkinkPang {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Label>) {
        self.active = true;
        self.draw(out);
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, label: Label, out: &mut impl Outbox<Label>) {
        let onwards = Label { hop: label.hop + 1, ..label };
        if !self.active {
            out.follow();
            out.send(NEXT, onwards);
        } else if u64::from(label.hop) == self.n {
            if label.unique { out.lead() } else { self.draw(out) }
        } else {
            match label.id.cmp(&self.id) {
                Greater => {
                    self.active = false;
                    out.follow();
                    out.send(NEXT, onwards);
                }
                Equal => out.send(NEXT, Label { unique: false, ..onwards }),
                Less => {} // swallowed
            }
        }
    }
}

impl Algorithm for FokkinkPang {
    const NAME: &'static str = "fokkink-pang";
    const SUMMARY: &'static str = "itai-rodeh without round numbers: links keep the order";
    const SOURCE: &'static str = "Fokkink and Pang 2006, algorithm A";
    const FILE: &'static str = include_str!("fokkink_pang.rs");
    const MODEL: Model = Model {
        needs_fifo: true,
        knows_n: true,
        anonymous: true,
        flips_coins: true,
        ..Model::electing(Elects::Somebody).clockwise()
    };

    /// Those of `itai-rodeh`.
    fn facts(case: &Case) -> Facts {
        itai_rodeh::facts(case, case.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    /// The node has drawn 3 on a ring of 5.
    fn receive(active: bool, label: Label) -> (FokkinkPang, Recorded<Label>) {
        let mut node = FokkinkPang { n: 5, coins: Coins::new(1), active, id: 3, draws: 1 };
        let mut out = Recorded::new(true);
        node.receive(PREV, label, &mut out);
        (node, out)
    }

    fn label(id: Id, hop: u32, unique: bool) -> Label {
        Label { id, hop, unique }
    }

    #[test]
    fn labels_pass_up_to_a_larger_one() {
        let (node, out) = receive(true, label(4, 2, true));
        assert_eq!((node.active, out.status), (false, Status::Follower));
        assert_eq!(out.sent, [(NEXT, label(4, 3, true))]);
        assert_eq!(receive(true, label(2, 2, true)).1.sent, []);
        assert_eq!(receive(true, label(3, 2, true)).1.sent, [(NEXT, label(3, 3, false))]);
        assert_eq!(receive(false, label(2, 2, true)).1.sent, [(NEXT, label(2, 3, true))]);
    }

    #[test]
    fn who_is_alone_leads_and_who_is_not_draws_again() {
        assert_eq!(receive(true, label(3, 5, true)).1.status, Status::Leader);
        let (node, out) = receive(true, label(3, 5, false));
        assert_eq!(out.sent, [(NEXT, label(1 + Coins::new(1).draw(1, 5), 1, true))]);
        assert_eq!(node.rounds(), Some(2));
    }
}
