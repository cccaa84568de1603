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

use super::traversal::token_facts;
use super::wave_facts;
use crate::algorithm::{Algorithm, Elects, Model, On, Spanning, Spread};
use crate::model::message::kinds;
use crate::model::metric::Metric;
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
pub enum Token {
    /// To a node that is not on the list.
    Forward(Id, BTreeSet<Id>),
    /// Back from a child.
    Return(Id, BTreeSet<Id>),
}

kinds! {
    Token {
        Forward: "forward", |w| w.id, listing;
        Return: "return", |w| w.id, listing;
    }

    fn listed_ids(&self) -> usize {
        let (Token::Forward(_, visited) | Token::Return(_, visited)) = self;
        visited.len()
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
            out.send(self.next, Token::Forward(id, visited));
        } else if let Some(parent) = self.parent {
            out.send(parent, Token::Return(id, visited));
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
        let (Token::Forward(id, visited) | Token::Return(id, visited)) = token;
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
    const FILE: &'static str = include_str!("dfs_path.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model {
        on: On::Graphs,
        knows_neighbours: true,
        ..Model::electing(Elects::LargestInitiator)
    };

    fn facts(case: &Case) -> Facts {
        wave_facts(case, 2 * u128::from(case.n) - 2, "2(N - 1)", Self::SOURCE)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let wave = (2 * u128::from(case.n) - 2, "2(N - 1)");
        token_facts(metric, case, wave, Self::SOURCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::Message;
    use crate::model::process::{Recorded, Status};

    fn forward(id: Id, visited: &[Id]) -> Token {
        Token::Forward(id, visited.iter().copied().collect())
    }

    fn back(id: Id, visited: &[Id]) -> Token {
        Token::Return(id, visited.iter().copied().collect())
    }

    /// Node 5 with the neighbours 2, 7 and 4, started, after `steps`; what the last one sent.
    fn node(steps: &[(Port, Token)]) -> (DfsPath, Recorded<Token>) {
        let neighbours = &[2, 7, 4];
        Recorded::replay(&Local { id: 5, degree: 3, neighbours, ..Local::default() }, true, steps)
    }

    #[test]
    fn an_initiator_sends_its_token_to_the_first_neighbour() {
        let (_, out) = node(&[]);
        assert_eq!(out.sent, [(0, forward(5, &[5]))]);
        assert_eq!(out.sent[0].1.listed_ids(), 1);
    }

    #[test]
    fn the_token_goes_on_to_the_first_who_is_not_on_the_list() {
        let (process, out) = node(&[(0, back(5, &[2, 5, 7]))]);
        assert_eq!(out.sent, [(2, forward(5, &[2, 5, 7]))]);
        assert!(process.children(None).eq([0, 2]));
    }

    #[test]
    fn a_larger_token_takes_over_and_a_smaller_one_is_swallowed() {
        let (process, out) = node(&[(1, forward(7, &[7]))]);
        assert_eq!(out.sent, [(0, forward(7, &[5, 7]))]);
        assert_eq!((process.best, process.parent), (Some(7), Some(1)));
        let (_, out) = node(&[(1, forward(3, &[3, 7]))]);
        assert_eq!(out.sent, []);
        let (process, _) = node(&[(1, forward(7, &[2, 7]))]);
        assert!(process.children(Some(1)).eq([2]), "the child of the own token is forgotten");
    }

    #[test]
    fn with_everybody_on_the_list_the_token_returns() {
        let (_, out) = node(&[(1, forward(8, &[2, 4, 7, 8]))]);
        assert_eq!(out.sent, [(1, back(8, &[2, 4, 5, 7, 8]))]);
    }

    #[test]
    fn an_initiator_whose_token_has_seen_everybody_leads() {
        let (_, out) = node(&[(0, back(5, &[2, 4, 5, 7]))]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }
}
