//! The engines: they deliver every message of an election through the algorithm's own state
//! machines, count, and judge.
//!
//! [`synchronous`] works in rounds, [`asynchronous`] with delays; both take an [`Election`] and
//! give an [`Outcome`], or the [`Violation`] that the algorithm is guilty of.

pub mod asynchronous;
mod books;
mod judge;
mod outcome;
pub mod queue;
pub mod synchronous;

pub use judge::Violation;
use outcome::Counted;
pub(crate) use outcome::bits;
pub use outcome::{Outcome, Time};

use crate::process::{Id, Local, Process};
use crate::random::Stream;
use crate::stop::Stop;

/// Who starts by itself, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Starts {
    /// Everybody, at time 0.
    All,
    /// These (time, node) pairs, in ascending order, each node at most once.
    At(Vec<(u64, u32)>),
}

/// In which order and how late messages arrive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Delay {
    /// Uniform between the two times.
    Uniform(f64, f64),
    /// Exponential with this mean.
    Exponential(f64),
    /// No clock: an adversary who serves the link with the newest message first.
    Lifo,
}

/// One election to be held.
#[derive(Debug, Clone)]
pub struct Election<'a> {
    /// The IDs by node; on a ring clockwise.
    pub ids: &'a [Id],
    /// Who starts.
    pub starts: &'a Starts,
    /// The most messages that may be sent; more is taken for an endless loop.
    pub limit: u64,
    /// The seed of the participants' coins.
    pub coins: u64,
    /// Who may ask to end it early.
    pub stop: &'a Stop,
}

/// Engines look up after so many messages: well within a second, and too seldom to cost anything.
const LOOK: u64 = 1 << 20;

impl Election<'_> {
    /// After so many messages: whether to go on, and up to how many before the next look.
    #[cold]
    fn look(&self, messages: u64) -> Result<u64, Violation> {
        if messages > self.limit {
            return Err(Violation::TooManyMessages(self.limit));
        }
        if self.stop.is_asked() {
            return Err(Violation::Stopped);
        }
        Ok(self.limit.min(messages.saturating_add(LOOK)))
    }

    /// The participants before the election, on a ring.
    fn participants<P: Process>(&self) -> impl Iterator<Item = P> + '_ {
        self.locals().map(|local| P::new(&local))
    }

    /// What each participant knows by itself.
    fn locals(&self) -> impl Iterator<Item = Local<'static>> + '_ {
        let n = self.ids.len() as u64;
        let coins = (0..).map(|node| self.coins.wrapping_add(node));
        let (degree, neighbours, diameter) = (2, &[] as &[Id], 0);
        let local = move |(&id, seed)| Local { id, n, seed, degree, neighbours, diameter };
        self.ids.iter().zip(coins).map(local)
    }
}

/// What a simulator of some algorithm needs for one run: an election, and for asynchronous
/// networks the delays.
#[derive(Debug, Clone)]
pub struct Network {
    /// The kind of delays.
    pub delay: Delay,
    /// Whether a link keeps the order of its messages.
    pub fifo: bool,
    /// The random words of the delays.
    pub words: Stream,
}

/// What a node takes in the engines, at most: its ID and rank, its process and record, and room for
/// messages. A node has up to four on their way; lanes and queues that grow have more room than
/// they need.
pub(crate) const fn node_bytes<P: Process>() -> u64 {
    let notes = size_of::<Id>() + size_of::<u32>() + 3 * size_of::<Record>();
    let message = size_of::<P::Message>() + size_of::<u64>();
    (notes + size_of::<P>() + 12 * message) as u64
}

/// What an engine remembers of a node's fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags(u8);

impl Flags {
    /// The lowest bit, so that a condition is a flag: see [`Record::follow_if`].
    const FOLLOWS: Flags = Flags(1);
    const LEADS: Flags = Flags(2);
    const STARTED: Flags = Flags(4);
    const AWAKE: Flags = Flags(8);
    /// Who started is awake.
    const INITIATOR: Flags = Flags(Self::STARTED.0 | Self::AWAKE.0);

    #[inline(always)]
    fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }
}

/// A node's flags and a number of messages, in one word because most messages concern both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Record(i64);

impl Record {
    const NUMBER: u32 = u8::BITS;

    fn new(flags: Flags) -> Self {
        Record(i64::from(flags.0))
    }

    #[inline(always)]
    fn flags(self) -> Flags {
        Flags(self.0 as u8)
    }

    #[inline(always)]
    fn set(&mut self, flags: Flags) {
        self.0 |= i64::from(flags.0);
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.0 |= i64::from(condition);
    }

    fn number(self) -> i64 {
        self.0 >> Self::NUMBER
    }

    #[inline(always)]
    fn add(&mut self, number: i64) {
        self.0 += number << Self::NUMBER;
    }
}
