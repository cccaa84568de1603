//! Depth-first tokens that carry the list of the nodes they have visited: the largest token swallows
//! the others.
//!
//! F. Mattern, "Verteilte Basisalgorithmen" (1989), the path method.
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, neighbours' IDs known, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | at most 2(N - 1)k messages for k initiators, exactly 2(N - 1) for one; each lists up to N IDs |
//!
//! ```text
//! visit(t, p):   best := t; parent := p; put id on the list; step
//! step:          a neighbour is not on the list: send <forward, t, list> to the first of them
//!                else: send <return, t, list> to the parent, or lead, if there is none
//! initiator:     visit(id, none), with an empty list
//! on a token t:  t > best: visit(t, sender); t = best: step; t < best: swallow it
//! ```

use std::collections::BTreeSet;

use super::wave_facts;
use crate::algorithm::{Algorithm, Elects, Model, On, Spanning};
use crate::model::message::{Kinds, Message, Widths};
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DfsPath {
    id: Id,
    neighbours: Box<[Id]>,
    /// The largest token so far; `None` while nobody came.
    best: Option<Id>,
    /// Where it came from; `None` at its initiator.
    parent: Option<Port>,
    /// All neighbours before this port are on its list.
    next: Port,
    /// The last token that went forward over each link. So children need not be forgotten one by one
    /// when a larger token comes.
    forwarded: Box<[Option<Id>]>,
}

/// A token: the ID of its initiator and the list of the visited.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token {
    /// Whether it comes back from a child.
    returns: bool,
    id: Id,
    visited: BTreeSet<Id>,
}

impl Message for Token {
    const KINDS: Kinds = Kinds::new(&["forward", "return"]);

    #[inline(always)]
    fn kind(&self) -> usize {
        usize::from(self.returns)
    }

    fn field_bits(_kind: usize, widths: &Widths) -> u64 {
        widths.id
    }

    fn listed_ids(&self) -> usize {
        self.visited.len()
    }
}

impl Process for DfsPath {
    type Message = Token;

    fn new(local: &Local) -> Self {
        DfsPath {
            id: local.id,
            neighbours: local.neighbours.into(),
            best: None,
            parent: None,
            next: 0,
            forwarded: vec![None; local.degree].into(),
        }
    }
}

impl DfsPath {
    fn visit(
        &mut self,
        id: Id,
        parent: Option<Port>,
        mut visited: BTreeSet<Id>,
        out: &mut impl Outbox<Token>,
    ) {
        self.best = Some(id);
        self.parent = parent;
        self.next = 0;
        visited.insert(self.id);
        self.step(id, visited, out);
    }

    fn step(&mut self, id: Id, visited: BTreeSet<Id>, out: &mut impl Outbox<Token>) {
        let known = |neighbour: &&Id| visited.contains(neighbour);
        self.next += self.neighbours[self.next..].iter().take_while(known).count();
        if let Some(forwarded) = self.forwarded.get_mut(self.next) {
            *forwarded = Some(id);
            out.send(self.next, Token { returns: false, id, visited });
        } else if let Some(parent) = self.parent {
            out.send(parent, Token { returns: true, id, visited });
        } else {
            out.lead();
        }
    }
}

impl Asynchronous for DfsPath {
    fn start(&mut self, out: &mut impl Outbox<Token>) {
        self.visit(self.id, None, BTreeSet::new(), out);
    }

    fn receive(&mut self, from: Port, token: Token, out: &mut impl Outbox<Token>) {
        let Token { id, visited, .. } = token;
        if Some(id) > self.best {
            self.visit(id, Some(from), visited, out);
        } else if Some(id) == self.best {
            self.step(id, visited, out);
        }
    }
}

impl Spanning for DfsPath {
    fn children(&self, _from: Option<Port>) -> impl Iterator<Item = Port> {
        let is_child = |&port: &Port| self.forwarded[port] == self.best;
        (0..self.forwarded.len()).filter(is_child)
    }
}

impl Algorithm for DfsPath {
    const NAME: &'static str = "dfs-path";
    const SUMMARY: &'static str =
        "depth-first tokens with a list of the visited; the largest survives";
    const SOURCE: &'static str = "Mattern 1989";
    const MODEL: Model = Model {
        on: On::Graphs,
        knows_neighbours: true,
        ..Model::electing(Elects::LargestInitiator)
    };

    fn facts(case: &Case) -> Facts {
        wave_facts(case, 2 * u128::from(case.n) - 2, "2(N - 1)", Self::SOURCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn token(returns: bool, id: Id, visited: &[Id]) -> Token {
        Token { returns, id, visited: visited.iter().copied().collect() }
    }

    /// Node 5 with the neighbours 2, 7 and 4, started, after `steps`; what the last one sent.
    fn node(steps: &[(Port, Token)]) -> (DfsPath, Recorded<Token>) {
        let neighbours = &[2, 7, 4];
        Recorded::replay(&Local { id: 5, degree: 3, neighbours, ..Local::default() }, true, steps)
    }

    #[test]
    fn an_initiator_sends_its_token_to_the_first_neighbour() {
        let (_, out) = node(&[]);
        assert_eq!(out.sent, [(0, token(false, 5, &[5]))]);
        assert_eq!(out.sent[0].1.listed_ids(), 1);
    }

    #[test]
    fn the_token_goes_on_to_the_first_who_is_not_on_the_list() {
        let (process, out) = node(&[(0, token(true, 5, &[2, 5, 7]))]);
        assert_eq!(out.sent, [(2, token(false, 5, &[2, 5, 7]))]);
        assert!(process.children(None).eq([0, 2]));
    }

    #[test]
    fn a_larger_token_takes_over_and_a_smaller_one_is_swallowed() {
        let (process, out) = node(&[(1, token(false, 7, &[7]))]);
        assert_eq!(out.sent, [(0, token(false, 7, &[5, 7]))]);
        assert_eq!((process.best, process.parent), (Some(7), Some(1)));
        let (_, out) = node(&[(1, token(false, 3, &[3, 7]))]);
        assert_eq!(out.sent, []);
        let (process, _) = node(&[(1, token(false, 7, &[2, 7]))]);
        assert!(process.children(Some(1)).eq([2]), "the child of the own token is forgotten");
    }

    #[test]
    fn with_everybody_on_the_list_the_token_returns() {
        let (_, out) = node(&[(1, token(false, 8, &[2, 4, 7, 8]))]);
        assert_eq!(out.sent, [(1, token(true, 8, &[2, 4, 5, 7, 8]))]);
    }

    #[test]
    fn an_initiator_whose_token_has_seen_everybody_leads() {
        let (_, out) = node(&[(0, token(true, 5, &[2, 4, 5, 7]))]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }
}
