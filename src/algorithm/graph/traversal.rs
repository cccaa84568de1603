//! Traversals: a single token that visits everybody and comes home. Each is a wave for
//! [`super::Extinction`] and a way to annex for [`super::Kkm`].
//!
//! G. Tarry, "Le problème des labyrinthes" (1895); as traversals of networks in G. Tel,
//! "Introduction to Distributed Algorithms" (2000), chapter 6, and as edge colouring and path
//! method in F. Mattern, "Verteilte Basisalgorithmen" (1989).
//!
//! | | where the token goes next | messages |
//! |-|-|-|
//! | [`Tarry`] | to the lowest port not used yet, to the parent last | 2E |
//! | [`DepthFirst`] | the same, but from a node that has seen it before it goes straight back | 2E |
//! | [`AlongPath`] | to the lowest neighbour that it has not visited, else to the parent | 2(N-1) |

use std::collections::BTreeSet;
use std::fmt::Debug;

use super::echo_election::wave_facts;
use super::{Centralised, PortSet};
use crate::algorithm::On;
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Facts, Holds};

/// What a token carries along.
pub trait Load: Clone + Debug + PartialEq {
    /// Whether it lists IDs at all.
    const LISTS: bool;

    /// How many IDs it lists.
    fn listed_ids(&self) -> usize;
}

impl Load for () {
    const LISTS: bool = false;

    fn listed_ids(&self) -> usize {
        0
    }
}

impl Load for BTreeSet<Id> {
    const LISTS: bool = true;

    fn listed_ids(&self) -> usize {
        self.len()
    }
}

/// A token's way through the network, as one node sees it.
pub trait Traversal: Clone + Debug + PartialEq {
    /// What the token carries along.
    type Load: Load + Default;

    /// A node before the token came.
    fn new(local: &Local) -> Self;

    /// Back to that state.
    fn forget(&mut self);

    /// Where the token goes that came over `from`, or that is made here; `None` if its way ends here,
    /// which is where it began.
    fn next(&mut self, from: Option<Port>, load: &mut Self::Load) -> Option<Port>;

    /// How many messages the way takes, with the formula.
    fn cost(case: &Case) -> (u128, &'static str);
}

/// Two messages over every link, one each way.
fn every_link_twice(case: &Case) -> (u128, &'static str) {
    (2 * u128::from(case.shape.edges), "2E")
}

/// Tarry's rule: over every link once, and to the parent only when nothing else is left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tarry {
    degree: usize,
    visited: bool,
    parent: Option<Port>,
    /// The lowest port that was not used, the parent's aside.
    next: Port,
}

impl Traversal for Tarry {
    type Load = ();

    fn new(local: &Local) -> Self {
        Tarry { degree: local.degree, visited: false, parent: None, next: 0 }
    }

    fn forget(&mut self) {
        self.visited = false;
    }

    #[inline(always)]
    fn next(&mut self, from: Option<Port>, _load: &mut ()) -> Option<Port> {
        if !self.visited {
            (self.visited, self.parent, self.next) = (true, from, 0);
        }
        if Some(self.next) == self.parent {
            self.next += 1;
        }
        if self.next >= self.degree {
            return self.parent;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    fn cost(case: &Case) -> (u128, &'static str) {
        every_link_twice(case)
    }
}

/// Tarry's rule, and a token that comes to a visited node over a link that this node has not used
/// goes straight back: a depth-first search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DepthFirst {
    tarry: Tarry,
    /// The ports over which a token went straight back.
    bounced: PortSet,
}

impl Traversal for DepthFirst {
    type Load = ();

    fn new(local: &Local) -> Self {
        DepthFirst { tarry: Tarry::new(local), bounced: PortSet::none(local.degree) }
    }

    fn forget(&mut self) {
        self.tarry.forget();
        self.bounced.clear();
    }

    fn next(&mut self, from: Option<Port>, load: &mut ()) -> Option<Port> {
        if let Some(port) = from
            && self.tarry.visited
            && port >= self.tarry.next
            && Some(port) != self.tarry.parent
            && self.bounced.insert(port)
        {
            return from;
        }
        loop {
            let port = self.tarry.next(from, load);
            if !port.is_some_and(|port| self.bounced.contains(port)) {
                return port;
            }
        }
    }

    fn cost(case: &Case) -> (u128, &'static str) {
        every_link_twice(case)
    }
}

/// The path method: the token knows whom it has visited, and nodes know their neighbours' IDs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AlongPath {
    id: Id,
    neighbours: Box<[Id]>,
    visited: bool,
    parent: Option<Port>,
    /// All neighbours below this port have been visited.
    next: Port,
}

impl Traversal for AlongPath {
    type Load = BTreeSet<Id>;

    fn new(local: &Local) -> Self {
        let neighbours = local.neighbours.into();
        AlongPath { id: local.id, neighbours, visited: false, parent: None, next: 0 }
    }

    fn forget(&mut self) {
        self.visited = false;
    }

    fn next(&mut self, from: Option<Port>, load: &mut BTreeSet<Id>) -> Option<Port> {
        if !self.visited {
            (self.visited, self.parent, self.next) = (true, from, 0);
            load.insert(self.id);
        }
        let unvisited = |port: &Port| !load.contains(&self.neighbours[*port]);
        let degree = self.neighbours.len();
        self.next = (self.next..degree).find(unvisited).unwrap_or(degree);
        if self.next < degree { Some(self.next) } else { self.parent }
    }

    fn cost(case: &Case) -> (u128, &'static str) {
        (2 * u128::from(case.n - 1), "2(N - 1)")
    }
}

/// A traversal as a wave.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TokenWave<T>(T);

/// The only message of a traversal: the token with its load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token<L>(pub L);

impl<L: Load> Message for Token<L> {
    const KINDS: Kinds = {
        let kinds = Kinds::new(&[("token", |_| 0)]);
        if L::LISTS { kinds.listing() } else { kinds }
    };

    fn listed_ids(&self) -> usize {
        self.0.listed_ids()
    }
}

impl<T: Traversal> Process for TokenWave<T> {
    type Message = Token<T::Load>;

    fn new(local: &Local) -> Self {
        TokenWave(T::new(local))
    }
}

impl<T: Traversal> TokenWave<T> {
    #[inline(always)]
    fn pass(
        &mut self,
        from: Option<Port>,
        mut load: T::Load,
        out: &mut impl Outbox<Token<T::Load>>,
    ) {
        match self.0.next(from, &mut load) {
            Some(port) => out.send(port, Token(load)),
            None => out.lead(),
        }
    }
}

impl<T: Traversal> Asynchronous for TokenWave<T> {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Self::Message>) {
        self.pass(None, T::Load::default(), out);
    }

    #[inline(always)]
    fn receive(
        &mut self,
        from: Port,
        Token(load): Self::Message,
        out: &mut impl Outbox<Self::Message>,
    ) {
        self.pass(Some(from), load, out);
    }
}

/// A traversal that makes an election by extinction.
pub trait Extinguishing: Traversal {
    /// See [`Centralised::ELECTION`].
    const ELECTION: &'static str;
    /// See [`Centralised::SUMMARY`].
    const SUMMARY: &'static str;
    /// See [`Centralised::SOURCE`].
    const SOURCE: &'static str;
    /// See [`Centralised::ON`].
    const ON: On = On::Graphs;

    /// See [`Centralised::facts`].
    fn facts(case: &Case) -> Facts {
        let (wave, formula) = Self::cost(case);
        wave_facts(case, wave, formula, Self::SOURCE)
    }

    /// See [`Centralised::facts_of`].
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let (wave, formula) = Self::cost(case);
        token_facts(metric, case, (wave, formula), Self::SOURCE)
    }
}

/// A token alone takes as much time as messages.
pub(super) fn token_facts(
    metric: Metric,
    case: &Case,
    (wave, formula): (u128, &str),
    source: &'static str,
) -> Facts {
    match metric {
        Metric::Time | Metric::End if case.initiators == Some(1) => {
            Facts::constant(wave, formula, source).holding(Holds::Synchronous)
        }
        _ => Facts::default(),
    }
}

impl Extinguishing for Tarry {
    const ELECTION: &'static str = "extinction-tarry";
    const SUMMARY: &'static str = "extinction of tokens that take every link once each way";
    const SOURCE: &'static str = "Tel 2000; wave: Tarry 1895";
}

impl Extinguishing for DepthFirst {
    const ELECTION: &'static str = "extinction-dfs";
    const SUMMARY: &'static str = "extinction of tokens that search depth first";
    const SOURCE: &'static str = "Tel 2000; wave: depth-first search";
}

impl<T: Extinguishing> Centralised for TokenWave<T> {
    const ELECTION: &'static str = T::ELECTION;
    const SUMMARY: &'static str = T::SUMMARY;
    const SOURCE: &'static str = T::SOURCE;
    const ON: On = T::ON;

    fn forget(&mut self) {
        self.0.forget();
    }

    fn facts(case: &Case) -> Facts {
        T::facts(case)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        T::facts_of(metric, case)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(degree: usize, neighbours: &[Id]) -> Local<'_> {
        Local { id: 5, degree, neighbours, ..Local::default() }
    }

    /// Where a token without load goes from a node of this degree, step by step.
    fn way<T: Traversal<Load = ()>>(degree: usize, arrivals: &[Option<Port>]) -> Vec<Option<Port>> {
        let mut node = T::new(&local(degree, &[]));
        arrivals.iter().map(|&from| node.next(from, &mut ())).collect()
    }

    #[test]
    fn tarry_takes_the_ports_in_order_and_the_parent_last() {
        let arrivals = [1, 3, 0, 2].map(Some);
        assert_eq!(way::<Tarry>(4, &arrivals), [0, 2, 3, 1].map(Some));
        let home = [None, Some(0), Some(1)];
        assert_eq!(way::<Tarry>(2, &home), [Some(0), Some(1), None]);
        assert_eq!(way::<Tarry>(0, &[None]), [None]);
    }

    #[test]
    fn depth_first_goes_straight_back_where_it_has_been() {
        // Over port 3, not used yet, it bounces; over port 0, which it took itself, it goes on.
        let arrivals = [1, 3, 0, 2].map(Some);
        assert_eq!(way::<DepthFirst>(4, &arrivals), [0, 3, 2, 1].map(Some));
        let home = [None, Some(1), Some(0)];
        assert_eq!(way::<DepthFirst>(2, &home), [Some(0), Some(1), None]);
    }

    #[test]
    fn the_path_method_skips_whom_the_token_has_visited() {
        let mut node = AlongPath::new(&local(3, &[7, 8, 9]));
        let mut load = BTreeSet::from([7, 8]);
        assert_eq!(node.next(Some(1), &mut load), Some(2));
        assert!(load.contains(&5));
        load.insert(9);
        assert_eq!(node.next(Some(2), &mut load), Some(1));
        node.forget();
        assert_eq!(node.next(None, &mut BTreeSet::new()), Some(0));
    }
}
