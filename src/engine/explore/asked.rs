//! What is asked of the search.

use crate::engine::simulator::Entry;
use crate::model::election::Election;
use crate::model::topology::Graph;

/// An election of which every schedule is to be tried.
#[derive(Clone, Copy)]
pub struct Explore<'a> {
    /// The algorithm; it needs no clock.
    pub entry: &'a Entry,
    /// The network; a ring if there is none.
    pub graph: Option<&'a Graph>,
    /// The IDs, who starts (when does not matter), and who may end it early.
    pub election: &'a Election<'a>,
    /// Whether links keep the order of messages.
    pub fifo: bool,
    /// Whether an initiator starts whenever the schedule says, unless mail wakes it before. If not, all
    /// of them have started before the first message arrives.
    pub staggered: bool,
    /// Whether schedules are left out that only put independent deliveries into another order, or mail
    /// that changes nothing any more, and those of elections whose mail commutes.
    pub reduced: bool,
    /// Whether messages count that only tell the winner to everybody.
    pub announcements: bool,
    /// The most bytes that the states may take.
    pub memory: u64,
    /// The most states.
    pub most_states: u64,
}

/// The bytes that the states may take, unless somebody says otherwise.
pub const MEMORY: u64 = 2 << 30;

impl<'a> Explore<'a> {
    /// Every schedule of an election with FIFO links whose initiators have all started before the first
    /// message arrives; on a ring if there is no graph.
    pub fn new(entry: &'a Entry, graph: Option<&'a Graph>, election: &'a Election<'a>) -> Self {
        Explore {
            entry,
            graph,
            election,
            fifo: true,
            staggered: false,
            reduced: false,
            announcements: false,
            memory: MEMORY,
            most_states: u64::from(u32::MAX) - 1,
        }
    }
}
