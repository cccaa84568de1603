//! LeLann's election: every initiator collects the tokens of all others.
//!
//! G. Le Lann, "Distributed systems: towards a formal approach", IFIP Congress 1977.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, FIFO links, any initiators |
//! | Elects | the largest initiator |
//! | Cost | exactly k n messages for k initiators |
//!
//! ```text
//! initiator:      largest := id; send <tok, id>
//! on <tok, q>:    q = id: my own token comes home last: lead iff largest = id, else follow
//!                 else:   largest := max(largest, q); send <tok, q>
//! not started:    follow; send <tok, q>
//! ```

use crate::algorithm::count::{Count, Counter, Initiators, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Line, Model};
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct LeLann {
    id: Id,
    largest: Id,
}

/// A token carries the ID of the initiator that sent it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token(Id);

impl Message for Token {
    const KINDS: Kinds = Kinds::new(&[("tok", |w| w.id)]);
}

impl Process for LeLann {
    type Message = Token;

    fn new(local: &Local) -> Self {
        LeLann { id: local.id, largest: local.id }
    }
}

impl Asynchronous for LeLann {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Token>) {
        out.send(NEXT, Token(self.id));
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, Token(q): Token, out: &mut impl Outbox<Token>) {
        if !out.started() {
            out.follow();
            out.send(NEXT, Token(q));
        } else if q != self.id {
            self.largest = self.largest.max(q);
            out.send(NEXT, Token(q));
        } else if self.largest == self.id {
            out.lead();
        } else {
            out.follow();
        }
    }
}

/// Every node sends every token once.
fn count(ring: &Ranked<'_>, _scratch: &mut Scratch) -> Option<Count> {
    let initiators = ring.initiators()?;
    let (n, k) = (u64::from(ring.n()), initiators.count() as u64);
    let ranks = (0..initiators.count()).map(|index| initiators.position(index));
    let leader = match initiators {
        Initiators::All(n) => n - 1,
        Initiators::Some(_) => ranks.map(|position| ring.ranks[position as usize]).max()?,
    };
    Some(Count {
        time: Some(n),
        end: Some(n),
        max_node_messages: Some(k),
        ..Count::new(leader, &[k * n])
    })
}

impl Algorithm for LeLann {
    const NAME: &'static str = "lelann";
    const SUMMARY: &'static str = "everybody collects all tokens; the largest wins";
    const SOURCE: &'static str = "Le Lann 1977";
    const FILE: &'static str = include_str!("lelann.rs");
    const LINES: &'static [Line] = &[
        ("start", "tok", "initiator:"),
        ("unstarted tok", "tok", "not started:"),
        ("own tok", "*", "q = id:"),
        ("tok", "tok", "else:"),
    ];
    const MODEL: Model = Model {
        needs_fifo: true,
        sees_all: true,
        ..Model::electing(Elects::LargestInitiator).clockwise()
    };
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Synchronous });

    fn facts(case: &Case) -> Facts {
        let Some(k) = case.initiators else { return Facts::default() };
        let messages = u128::from(k) * u128::from(case.n);
        let formula = if case.is_all() { "n^2" } else { "k n" };
        Facts::constant(messages, formula, Self::SOURCE).holding(Holds::Fifo)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let n = u128::from(case.n);
        match (metric, case.initiators) {
            (Metric::Time | Metric::End, Some(_)) => {
                Facts::constant(n, "n", Self::SOURCE).holding(Holds::Synchronous)
            }
            (Metric::MaxNodeMessages, Some(k)) => {
                let formula = if case.is_all() { "n" } else { "k" };
                Facts::constant(k.into(), formula, Self::SOURCE).holding(Holds::Fifo)
            }
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
    use crate::model::process::{PREV, Recorded, Status};

    #[test]
    fn a_foreign_token_is_forwarded_whatever_its_id() {
        for q in [3, 9] {
            let mut node = LeLann { id: 5, largest: 5 };
            let mut out = Recorded::new(true);
            node.receive(PREV, Token(q), &mut out);
            assert_eq!(out.sent, [(NEXT, Token(q))]);
            assert_eq!(out.status, Status::Undecided);
        }
    }

    #[test]
    fn the_own_token_decides_by_the_largest_seen() {
        for (largest, status) in [(5, Status::Leader), (9, Status::Follower)] {
            let mut out = Recorded::new(true);
            LeLann { id: 5, largest }.receive(PREV, Token(5), &mut out);
            assert_eq!((out.sent, out.status), (vec![], status));
        }
    }
}
