//! The announcement: the winner of any election tells everybody.
//!
//! | way | where | cost |
//! |-|-|-|
//! | [`Lap`] | once round a ring | exactly n messages and n more time units |
//! | [`Tree`] | down the tree that the winner's own messages made | exactly N-1 messages |
//! | [`Flood`] | over all links, where no tree is known | exactly 2E-N+1 messages |
//!
//! ```text
//! on winning:             leader := id; send <announce, id> on its way
//! on <announce, q>:       leader is known: stop
//!                         else: leader := q; follow; send <announce, q> on its way
//! ```

use std::marker::PhantomData;

use super::count::{Count, Counter, Ranked, Scratch};
use super::{Algorithm, Law, Limit, Line, Model, Spread};
use crate::model::distribution::Distribution;
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process, others};
use crate::model::theory::{Case, Facts};

/// An election algorithm followed by the announcement of its winner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Announced<A, W = Lap> {
    election: A,
    /// The leader; its own ID until it knows.
    leader: Id,
    knows: bool,
    degree: u32,
    way: PhantomData<W>,
}

/// A way that the announcement takes.
pub trait Way: Copy + std::fmt::Debug + PartialEq {
    /// The name of its messages.
    const KIND: &'static str;

    /// How many messages it takes, with the formula.
    fn cost(case: &Case) -> (u128, &'static str);

    /// Whether every node sends one message of it, one after the other.
    const IN_TURN: bool = false;
}

/// A way that is open after the election `A`.
pub trait After<A>: Way {
    /// Over which ports the word goes on that came over `from`, or from the winner itself.
    fn next(election: &A, degree: usize, from: Option<Port>) -> impl Iterator<Item = Port>;
}

/// Once round a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lap;

impl Way for Lap {
    const KIND: &'static str = "leader";
    const IN_TURN: bool = true;

    fn cost(case: &Case) -> (u128, &'static str) {
        (u128::from(case.n), "n")
    }
}

impl<A> After<A> for Lap {
    #[inline(always)]
    fn next(_election: &A, _degree: usize, _from: Option<Port>) -> impl Iterator<Item = Port> {
        std::iter::once(NEXT)
    }
}

/// Down the tree that the election leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tree;

/// An election that leaves behind a tree with the winner as its root.
pub trait Spanning {
    /// The links to its children in that tree, where the word of the winner came over `from`.
    fn children(&self, from: Option<Port>) -> impl Iterator<Item = Port>;
}

impl Way for Tree {
    const KIND: &'static str = "announce";

    fn cost(case: &Case) -> (u128, &'static str) {
        (u128::from(case.n) - 1, "N - 1")
    }
}

impl<A: Spanning> After<A> for Tree {
    fn next(election: &A, _degree: usize, from: Option<Port>) -> impl Iterator<Item = Port> {
        election.children(from)
    }
}

/// Over all links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flood;

impl Way for Flood {
    const KIND: &'static str = "announce";

    fn cost(case: &Case) -> (u128, &'static str) {
        (2 * u128::from(case.shape.edges) + 1 - u128::from(case.n), "2E - N + 1")
    }
}

impl<A> After<A> for Flood {
    fn next(_election: &A, degree: usize, from: Option<Port>) -> impl Iterator<Item = Port> {
        others(degree, from)
    }
}

/// A message of the election, or of the announcement after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnnouncedMessage<M, W> {
    /// Of the election.
    Election(M),
    /// The word about the winner.
    Leader(Id, PhantomData<W>),
}

impl<M: Message, W: Way> Message for AnnouncedMessage<M, W> {
    const KINDS: Kinds = M::KINDS.and(W::KIND, |w| w.id).announcing();

    #[inline(always)]
    fn kind(&self) -> usize {
        match self {
            AnnouncedMessage::Election(message) => message.kind(),
            AnnouncedMessage::Leader(..) => const { M::KINDS.count() },
        }
    }

    fn listed_ids(&self) -> usize {
        match self {
            AnnouncedMessage::Election(message) => message.listed_ids(),
            AnnouncedMessage::Leader(..) => 0,
        }
    }
}

/// The outbox of the election inside: it wraps messages and notices the winner.
struct Inner<'a, O, W> {
    out: &'a mut O,
    won: bool,
    way: PhantomData<W>,
}

impl<M: Message, W: Way, O: Outbox<AnnouncedMessage<M, W>>> Outbox<M> for Inner<'_, O, W> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        self.out.send_if(condition, port, AnnouncedMessage::Election(message));
    }

    #[inline(always)]
    fn flood(&mut self, degree: usize, but: Option<Port>, message: M) {
        self.out.flood(degree, but, AnnouncedMessage::Election(message));
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.out.follow_if(condition);
    }

    #[inline(always)]
    fn lead(&mut self) {
        self.out.lead();
        self.won = true;
    }

    #[inline(always)]
    fn started(&self) -> bool {
        self.out.started()
    }
}

impl<A: Process, W: After<A>> Process for Announced<A, W> {
    type Message = AnnouncedMessage<A::Message, W>;

    fn new(local: &Local) -> Self {
        let (election, degree) = (A::new(local), local.degree as u32);
        Announced { election, leader: local.id, knows: false, degree, way: PhantomData }
    }

    fn rounds(&self) -> Option<u64> {
        self.election.rounds()
    }

    fn leader(&self) -> Option<Id> {
        self.knows.then_some(self.leader)
    }
}

impl<A: Asynchronous, W: After<A>> Announced<A, W> {
    /// Lets the election take a step, and begins the announcement if that step won it.
    #[inline(always)]
    fn step<O: Outbox<AnnouncedMessage<A::Message, W>>>(
        &mut self,
        out: &mut O,
        step: impl FnOnce(&mut A, &mut Inner<'_, O, W>),
    ) {
        let mut inner = Inner { out, won: false, way: PhantomData };
        step(&mut self.election, &mut inner);
        // A winner may learn of its victory twice (from both sides): one announcement is enough.
        if inner.won && !self.knows {
            self.announce(self.leader, None, out);
        }
    }

    #[inline(always)]
    fn announce(
        &mut self,
        leader: Id,
        from: Option<Port>,
        out: &mut impl Outbox<AnnouncedMessage<A::Message, W>>,
    ) {
        (self.leader, self.knows) = (leader, true);
        for port in W::next(&self.election, self.degree as usize, from) {
            out.send(port, AnnouncedMessage::Leader(leader, PhantomData));
        }
    }
}

impl<A: Asynchronous, W: After<A>> Asynchronous for Announced<A, W> {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Self::Message>) {
        self.step(out, |election, inner| election.start(inner));
    }

    #[inline(always)]
    fn receive(
        &mut self,
        from: Port,
        message: Self::Message,
        out: &mut impl Outbox<Self::Message>,
    ) {
        match message {
            AnnouncedMessage::Election(message) => {
                self.step(out, |election, inner| election.receive(from, message, inner));
            }
            AnnouncedMessage::Leader(..) if self.knows => {}
            AnnouncedMessage::Leader(id, _) => {
                out.follow();
                self.announce(id, Some(from), out);
            }
        }
    }
}

impl<A: Algorithm, W: After<A>> Algorithm for Announced<A, W> {
    const NAME: &'static str = A::NAME;
    const SUMMARY: &'static str = A::SUMMARY;
    const SOURCE: &'static str = A::SOURCE;
    const SPREAD: Option<Spread> = A::SPREAD;
    const MODEL: Model = Model { announces: true, silent_victory: false, ..A::MODEL };
    const FILE: &'static str = A::FILE;
    const LINES: &'static [Line] = A::LINES;
    const COUNTER: Option<Counter> = match A::COUNTER {
        Some(counter) => Some(Counter { count: count::<A>, ..counter }),
        None => None,
    };

    const LAW: Option<Law> = match A::LAW {
        Some(law) => Some(Law { at: distribution::<A>, ..law }),
        None => None,
    };

    // A lap moves the mean alone.
    const LIMIT: Option<Limit> = A::LIMIT;

    const YARDSTICK: bool = A::YARDSTICK;

    /// Everything costs so much more; the spread stays.
    fn facts(case: &Case) -> Facts {
        let (messages, formula) = W::cost(case);
        A::facts(case).plus(messages, formula)
    }

    /// A lap takes n more time units, and one message more of each node.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match metric {
            Metric::Time | Metric::Rounds => A::facts_of(metric, case),
            Metric::End if W::IN_TURN => {
                let (messages, formula) = W::cost(case);
                A::facts_of(Metric::Time, case).plus(messages, formula)
            }
            Metric::MaxNodeMessages if W::IN_TURN => A::facts_of(metric, case).plus(1, "1"),
            _ => Facts::default(),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        A::best_ring(n)
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        A::worst_ring(n)
    }
}

/// That of the election on a ring, and n messages of the lap more.
fn distribution<A: Algorithm>(n: u64) -> Distribution {
    let law = A::LAW.expect("only who has a law is asked");
    (law.at)(n).shifted(n)
}

/// As the election on a ring, and n messages of the lap more. The election is silent before the lap
/// ends.
fn count<A: Algorithm>(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let mut count = (A::COUNTER?.count)(ring, scratch)?;
    let n = u64::from(ring.n());
    count.kinds[A::Message::KINDS.count()] = n;
    count.end = count.time.and_then(|time| time.checked_add(n));
    count.max_node_messages = count.max_node_messages.map(|messages| messages + 1);
    Some(count)
}
