//! The announcement: one lap of `leader` messages, started by the winner of any ring election.
//!
//! | | |
//! |-|-|
//! | Cost | exactly n messages and n more time units |
//! | Promise | everybody knows the leader's ID |
//!
//! ```text
//! on winning:           send <leader, id> to NEXT
//! on <leader, q>:       q = id: the lap is over
//!                       else:   leader := q; follow; send <leader, q> to NEXT
//! ```

use super::{Algorithm, Model};
use crate::count::{Count, Counter, Ranked, Scratch};
use crate::process::{
    Asynchronous, Id, Kinds, Local, Message, NEXT, Outbox, Port, Process, Widths,
};
use crate::theory::{Case, Facts};

/// An election algorithm followed by the announcement of its winner.
#[derive(Debug, Clone, PartialEq)]
pub struct Announced<A> {
    election: A,
    id: Id,
    leader: Option<Id>,
}

/// A message of the election, or of the lap after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnnouncedMessage<M> {
    /// Of the election.
    Election(M),
    /// The lap.
    Leader(Id),
}

impl<M: Message> Message for AnnouncedMessage<M> {
    const KINDS: Kinds = M::KINDS.and("leader");

    #[inline(always)]
    fn kind(&self) -> usize {
        match self {
            AnnouncedMessage::Election(message) => message.kind(),
            AnnouncedMessage::Leader(_) => M::KINDS.count(),
        }
    }

    fn field_bits(kind: usize, widths: &Widths) -> u64 {
        if kind < M::KINDS.count() { M::field_bits(kind, widths) } else { widths.id }
    }
}

/// The outbox of the election inside: it wraps messages and notices the winner.
struct Inner<'a, O> {
    out: &'a mut O,
    won: bool,
}

impl<M: Message, O: Outbox<AnnouncedMessage<M>>> Outbox<M> for Inner<'_, O> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        self.out.send_if(condition, port, AnnouncedMessage::Election(message));
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

impl<A: Process> Process for Announced<A> {
    type Message = AnnouncedMessage<A::Message>;

    fn new(local: &Local) -> Self {
        Announced { election: A::new(local), id: local.id, leader: None }
    }

    fn rounds(&self) -> Option<u64> {
        self.election.rounds()
    }

    fn leader(&self) -> Option<Id> {
        self.leader
    }
}

impl<A: Asynchronous> Announced<A> {
    /// Lets the election take a step, and begins the lap if that step won it.
    #[inline(always)]
    fn step<O: Outbox<AnnouncedMessage<A::Message>>>(
        &mut self,
        out: &mut O,
        step: impl FnOnce(&mut A, &mut Inner<'_, O>),
    ) {
        let mut inner = Inner { out, won: false };
        step(&mut self.election, &mut inner);
        // A winner may learn of its victory twice (from both sides): one lap is enough.
        if inner.won && self.leader.is_none() {
            self.leader = Some(self.id);
            out.send(NEXT, AnnouncedMessage::Leader(self.id));
        }
    }
}

impl<A: Asynchronous> Asynchronous for Announced<A> {
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
            AnnouncedMessage::Leader(id) if id == self.id => {}
            AnnouncedMessage::Leader(id) => {
                self.leader = Some(id);
                out.follow();
                out.send(NEXT, AnnouncedMessage::Leader(id));
            }
        }
    }
}

impl<A: Algorithm> Algorithm for Announced<A> {
    const NAME: &'static str = A::NAME;
    const SUMMARY: &'static str = A::SUMMARY;
    const SOURCE: &'static str = A::SOURCE;
    const MODEL: Model = Model { announces: true, ..A::MODEL };
    const COUNTER: Option<Counter> = match A::COUNTER {
        Some(counter) => Some(Counter { count: count::<A>, ..counter }),
        None => None,
    };

    /// Everything costs n more; the spread stays.
    fn facts(case: &Case) -> Facts {
        A::facts(case).plus_lap(case.n)
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        A::best_ring(n)
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        A::worst_ring(n)
    }
}

/// As the election, and n messages of the lap more. The election is silent before the lap ends.
fn count<A: Algorithm>(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let mut count = (A::COUNTER?.count)(ring, scratch)?;
    let n = u64::from(ring.n());
    count.kinds[A::Message::KINDS.count()] = n;
    count.end = count.time.and_then(|time| time.checked_add(n));
    count.max_node_messages = count.max_node_messages.map(|messages| messages + 1);
    Some(count)
}
