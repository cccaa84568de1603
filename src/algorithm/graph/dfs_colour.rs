//! Depth-first tokens that colour the links they have used: the largest token swallows the others.
//!
//! F. Mattern, "Verteilte Basisalgorithmen" (1989), the edge colouring method.
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, nothing known, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | at most 2Ek messages for k initiators, exactly 2E for one |
//!
//! ```text
//! visit(t, p):      best := t; parent := p; colour that link; step
//! step:             a link is not coloured: colour the first of them and send <forward, t> over it
//!                   else: send <return, t> to the parent, or lead, if there is none
//! initiator:        visit(id, none)
//! on any t:         t > best: visit(t, sender); t < best: swallow it; t = best:
//! on <forward, t>:  colour that link; send <bounce, t> back
//! on <return, t>:   that link leads to a child; step
//! on <bounce, t>:   step
//! ```
//!
//! The text says that every link is used exactly once; it is used once there and back. Bounces are
//! told from returns, because only these make the tree of the announcement.

use super::traversal::token_facts;
use super::wave_facts;
use crate::algorithm::{Algorithm, Elects, Model, On, Spanning, Spread};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DfsColour {
    id: Id,
    /// The largest token so far; `None` while nobody came.
    best: Option<Id>,
    /// Where it came from; `None` at its initiator.
    parent: Option<Port>,
    /// All links before this port have its colour.
    next: Port,
    links: Box<[Link]>,
}

/// The colour of a link is the token that used it last. So nothing has to be wiped off when a larger
/// token comes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Link {
    colour: Option<Id>,
    is_child: bool,
}

/// A token on its way, with the ID of its initiator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// Over a link that it has not used.
    Forward(Id),
    /// Back from a node that it had visited before.
    Bounce(Id),
    /// Back from a child.
    Return(Id),
}

kinds! { Token {
    Forward: "forward", |w| w.id;
    Bounce: "bounce", |w| w.id;
    Return: "return", |w| w.id;
} }

impl Process for DfsColour {
    type Message = Token;

    fn new(local: &Local) -> Self {
        let links = vec![Link::default(); local.degree].into();
        DfsColour { id: local.id, best: None, parent: None, next: 0, links }
    }
}

impl DfsColour {
    fn visit(&mut self, t: Id, parent: Option<Port>, out: &mut impl Outbox<Token>) {
        self.best = Some(t);
        self.parent = parent;
        self.next = 0;
        if let Some(parent) = parent {
            self.colour(parent, t);
        }
        self.step(t, out);
    }

    fn colour(&mut self, port: Port, t: Id) {
        self.links[port] = Link { colour: Some(t), is_child: false };
    }

    fn step(&mut self, t: Id, out: &mut impl Outbox<Token>) {
        let used = |link: &&Link| link.colour == Some(t);
        self.next += self.links[self.next..].iter().take_while(used).count();
        if self.next < self.links.len() {
            self.colour(self.next, t);
            out.send(self.next, Token::Forward(t));
        } else if let Some(parent) = self.parent {
            out.send(parent, Token::Return(t));
        } else {
            out.lead();
        }
    }
}

impl Asynchronous for DfsColour {
    fn start(&mut self, out: &mut impl Outbox<Token>) {
        self.visit(self.id, None, out);
    }

    fn receive(&mut self, from: Port, token: Token, out: &mut impl Outbox<Token>) {
        let (Token::Forward(t) | Token::Bounce(t) | Token::Return(t)) = token;
        match token {
            _ if Some(t) > self.best => self.visit(t, Some(from), out),
            _ if Some(t) < self.best => {}
            Token::Forward(_) => {
                self.colour(from, t);
                out.send(from, Token::Bounce(t));
            }
            Token::Bounce(_) => self.step(t, out),
            Token::Return(_) => {
                self.links[from].is_child = true;
                self.step(t, out);
            }
        }
    }
}

impl Spanning for DfsColour {
    fn children(&self, _from: Option<Port>) -> impl Iterator<Item = Port> {
        let child = Link { colour: self.best, is_child: true };
        (0..self.links.len()).filter(move |&port| self.links[port] == child)
    }
}

impl Algorithm for DfsColour {
    const NAME: &'static str = "dfs-colour";
    const SUMMARY: &'static str = "depth-first tokens that colour links; the largest survives";
    const SOURCE: &'static str = "Mattern 1989";
    const FILE: &'static str = include_str!("dfs_colour.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model { on: On::Graphs, ..Model::electing(Elects::LargestInitiator) };

    fn facts(case: &Case) -> Facts {
        wave_facts(case, 2 * u128::from(case.shape.edges), "2E", Self::SOURCE)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let wave = (2 * u128::from(case.shape.edges), "2E");
        token_facts(metric, case, wave, Self::SOURCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    /// Node 5 with three links, started, after `steps`; what the last one sent.
    fn node(steps: &[(Port, Token)]) -> (DfsColour, Recorded<Token>) {
        Recorded::replay(&Local { id: 5, degree: 3, ..Local::default() }, true, steps)
    }

    #[test]
    fn the_token_goes_forward_over_the_first_link_without_its_colour() {
        assert_eq!(node(&[]).1.sent, [(0, Token::Forward(5))]);
        assert_eq!(node(&[(0, Token::Return(5))]).1.sent, [(1, Token::Forward(5))]);
        assert_eq!(node(&[(0, Token::Bounce(5))]).1.sent, [(1, Token::Forward(5))]);
    }

    #[test]
    fn a_token_that_was_here_is_bounced_and_its_link_is_used() {
        let (_, out) = node(&[(1, Token::Forward(5))]);
        assert_eq!(out.sent, [(1, Token::Bounce(5))]);
        let (process, out) = node(&[(1, Token::Forward(5)), (0, Token::Return(5))]);
        assert_eq!(out.sent, [(2, Token::Forward(5))]);
        assert!(process.children(None).eq([0]));
    }

    #[test]
    fn a_larger_token_takes_over_and_a_smaller_one_is_swallowed() {
        let (process, out) = node(&[(0, Token::Return(5)), (0, Token::Forward(7))]);
        assert_eq!(out.sent, [(1, Token::Forward(7))]);
        assert_eq!((process.best, process.parent), (Some(7), Some(0)));
        assert!(process.children(Some(0)).next().is_none());
        for token in [Token::Forward(3), Token::Bounce(3), Token::Return(3)] {
            assert_eq!(node(&[(0, token)]).1.sent, []);
        }
    }

    #[test]
    fn with_all_links_coloured_the_token_returns_or_its_initiator_leads() {
        let home = [(1, Token::Forward(7)), (0, Token::Bounce(7)), (2, Token::Return(7))];
        let (process, out) = node(&home);
        assert_eq!(out.sent, [(1, Token::Return(7))]);
        assert!(process.children(Some(1)).eq([2]));
        let own = [(0, Token::Return(5)), (1, Token::Return(5)), (2, Token::Bounce(5))];
        let (process, out) = node(&own);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        assert!(process.children(None).eq([0, 1]));
    }
}
