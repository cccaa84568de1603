//! One election to be held: who starts, who may end it, and how late messages arrive.

use super::delay::Delay;
use super::process::{Id, Local, Process};
use super::random::{Coins, Stream};
use super::stop::Stop;
use super::violation::Violation;

/// Who starts by itself, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Starts {
    /// Everybody, at time 0.
    All,
    /// These (time, node) pairs, in ascending order, each node at most once.
    At(Vec<(u64, u32)>),
}

impl Starts {
    /// Each of these nodes at its time; (node, time) in any order.
    pub fn at(places: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let mut starts: Vec<(u64, u32)> =
            places.into_iter().map(|(node, time)| (time, node)).collect();
        starts.sort_unstable();
        Starts::At(starts)
    }

    /// The nodes that start, each with its time; `None` if everybody does, at once.
    pub fn places(&self) -> Option<impl Iterator<Item = (u32, u64)> + '_> {
        match self {
            Starts::All => None,
            Starts::At(starts) => Some(starts.iter().map(|&(time, node)| (node, time))),
        }
    }
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
    /// More messages than any algorithm here can need on a network of `n` nodes and so many edges:
    /// 16 n² on rings, 16 n E on graphs with more edges than nodes, and a few for small ones.
    pub fn usual_limit(n: u64, edges: u64) -> u64 {
        n.saturating_mul(edges.max(n)).saturating_mul(16).saturating_add(1024)
    }

    /// After so many messages: whether to go on, and up to how many before the next look.
    #[cold]
    pub(crate) fn look(&self, messages: u64) -> Result<u64, Violation> {
        if messages > self.limit {
            return Err(Violation::TooManyMessages(self.limit));
        }
        if self.stop.is_asked() {
            return Err(Violation::Stopped);
        }
        Ok(self.limit.min(messages.saturating_add(LOOK)))
    }

    /// The participants before the election, on a ring.
    pub(crate) fn participants<P: Process>(&self) -> impl Iterator<Item = P> + '_ {
        self.locals().map(|local| P::new(&local))
    }

    /// What each participant knows by itself.
    pub(crate) fn locals(&self) -> impl Iterator<Item = Local<'static>> + '_ {
        let n = self.ids.len() as u64;
        let coins = (0..).map(|node| Coins::new(self.coins.wrapping_add(node)));
        let (degree, neighbours, diameter) = (2, &[] as &[Id], 0);
        let local = move |(&id, coins)| Local { id, n, coins, degree, neighbours, diameter };
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
