//! What an algorithm is made of: the state of one participant, and the effects it may have on the
//! world.
//!
//! An algorithm is event-driven. Its handlers change their own state and put everything else
//! (messages, decisions, alarms) into an [`Outbox`], so the same handler runs in every engine, and
//! a test can look at what it did as plain data ([`Recorded`]).

use std::fmt::Debug;

pub use super::id::Id;
use super::message::Message;
use super::random::Coins;

/// The local name of an incident link: 0 up to the degree.
pub type Port = usize;

/// The ring's link to the anticlockwise neighbour.
pub const PREV: Port = 0;

/// The ring's link to the clockwise neighbour.
pub const NEXT: Port = 1;

/// The ports of a node with so many, but for one.
pub(crate) fn others(degree: usize, but: Option<Port>) -> impl Iterator<Item = Port> {
    (0..degree).filter(move |&port| Some(port) != but)
}

/// The other link of a ring node: where a message goes that only passes through.
pub fn opposite(port: Port) -> Port {
    1 - port
}

/// All that a process knows when it is created. What its model does not say that it knows, it must
/// not read; there the engine puts 0 and nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Local<'a> {
    /// Its own identity.
    pub id: Id,
    /// The number of participants. Only algorithms whose model says that n is known may read it.
    pub n: u64,
    /// This participant's coins; every participant of a run has others.
    pub coins: Coins,
    /// The number of its links; 2 on a ring.
    pub degree: usize,
    /// The IDs at the other end of its links, by port, where the model says that they are known.
    pub neighbours: &'a [Id],
    /// The largest distance between two nodes, where the model says that it is known.
    pub diameter: u64,
}

/// What a participant has decided about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing yet.
    Undecided,
    /// It lost: somebody else leads.
    Follower,
    /// It won.
    Leader,
}

/// Where a handler puts its effects.
pub trait Outbox<M: Message> {
    /// Sends `message` over the link `port`, if `condition` holds.
    ///
    /// A plain `if` around [`Outbox::send`] means the same. Handlers on the hottest paths use this
    /// form because an engine can carry it out without a branch, and whether a message is swallowed
    /// is what a processor cannot predict.
    fn send_if(&mut self, condition: bool, port: Port, message: M);

    /// Decides to follow, if `condition` holds; the companion of [`Outbox::send_if`].
    fn follow_if(&mut self, condition: bool);

    /// Decides to lead.
    fn lead(&mut self);

    /// Whether this participant is an initiator: it started by itself, before any mail came.
    fn started(&self) -> bool;

    /// Sends `message` over the link `port`.
    #[inline(always)]
    fn send(&mut self, port: Port, message: M) {
        self.send_if(true, port, message);
    }

    /// Sends `message` over all links of a node with so many, in order, but for one: what floods a
    /// network does little else.
    #[inline(always)]
    fn flood(&mut self, degree: usize, but: Option<Port>, message: M) {
        others(degree, but).for_each(|port| self.send(port, message.clone()));
    }

    /// Decides to follow.
    #[inline(always)]
    fn follow(&mut self) {
        self.follow_if(true);
    }
}

/// An outbox with a clock, which only synchronous networks have.
pub trait Clock<M: Message>: Outbox<M> {
    /// The current round.
    fn now(&self) -> u64;

    /// Asks for [`Synchronous::alarm`] with `token` in round `time`, after the mail of that round.
    /// `None` is a round beyond the 64-bit clock: that alarm must turn out to be idle.
    fn wake(&mut self, time: Option<u64>, token: u64);
}

/// The state of one participant.
pub trait Process: Clone + Debug + PartialEq {
    /// What it sends.
    type Message: Message;

    /// A participant before the election.
    fn new(local: &Local) -> Self;

    /// How many rounds or phases of the algorithm this participant has taken part in, for
    /// algorithms that have such; the engine reports the largest.
    fn rounds(&self) -> Option<u64> {
        None
    }

    /// Whom this participant takes for the leader, where the algorithm tells.
    fn leader(&self) -> Option<Id> {
        None
    }
}

/// Behaviour that needs no clock: it runs in asynchronous networks and, with every delay one
/// round, in synchronous ones.
pub trait Asynchronous: Process {
    /// Starts by itself, as an initiator.
    fn start(&mut self, out: &mut impl Outbox<Self::Message>);

    /// Handles one message that came over the link `from`.
    fn receive(&mut self, from: Port, message: Self::Message, out: &mut impl Outbox<Self::Message>);
}

/// Behaviour in lock step, with a clock that everybody shares.
pub trait Synchronous: Process {
    /// Starts by itself, as an initiator.
    fn start(&mut self, out: &mut impl Clock<Self::Message>);

    /// Handles one message that came over the link `from`.
    fn receive(&mut self, from: Port, message: Self::Message, out: &mut impl Clock<Self::Message>);

    /// Handles an alarm that it asked for.
    fn alarm(&mut self, _token: u64, _out: &mut impl Clock<Self::Message>) {}
}

impl<P: Asynchronous> Synchronous for P {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Clock<Self::Message>) {
        Asynchronous::start(self, out);
    }

    #[inline(always)]
    fn receive(&mut self, from: Port, message: Self::Message, out: &mut impl Clock<Self::Message>) {
        Asynchronous::receive(self, from, message, out);
    }
}

/// An outbox that only writes down what happened: the test double of the engines'.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded<M> {
    /// What was sent, in order.
    pub sent: Vec<(Port, M)>,
    /// The last decision.
    pub status: Status,
    /// What [`Outbox::started`] answers.
    pub started: bool,
    /// What [`Clock::now`] answers.
    pub now: u64,
    /// The alarms asked for.
    pub alarms: Vec<(Option<u64>, u64)>,
}

impl<M> Recorded<M> {
    /// An empty record for an initiator (`started`) or for a node that sleeps until mail comes.
    pub fn new(started: bool) -> Self {
        Recorded {
            sent: Vec::new(),
            status: Status::Undecided,
            started,
            now: 0,
            alarms: Vec::new(),
        }
    }
}

impl<M: Message> Recorded<M> {
    /// A process that starts, if it is an initiator (`started`), and receives `messages` one after
    /// the other; and what it did on the last of these occasions.
    pub fn replay<P: Asynchronous<Message = M>>(
        local: &Local,
        started: bool,
        messages: &[(Port, M)],
    ) -> (P, Self) {
        let mut process = P::new(local);
        let mut out = Recorded::new(started);
        if started {
            process.start(&mut out);
        }
        for (from, message) in messages {
            out = Recorded::new(started);
            process.receive(*from, message.clone(), &mut out);
        }
        (process, out)
    }
}

impl<M: Message> Outbox<M> for Recorded<M> {
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            self.sent.push((port, message));
        }
    }

    fn follow_if(&mut self, condition: bool) {
        if condition {
            self.status = Status::Follower;
        }
    }

    fn lead(&mut self) {
        self.status = Status::Leader;
    }

    fn started(&self) -> bool {
        self.started
    }
}

impl<M: Message> Clock<M> for Recorded<M> {
    fn now(&self) -> u64 {
        self.now
    }

    fn wake(&mut self, time: Option<u64>, token: u64) {
        self.alarms.push((time, token));
    }
}
