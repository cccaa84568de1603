//! How an election can go wrong.

use thiserror::Error;

use super::process::Id;

/// How an election went wrong.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// The network fell silent without a leader.
    #[error("nobody was elected, though no message is in flight any more")]
    NoLeader,
    /// More than one node leads.
    #[error("two leaders: {first} and {second}")]
    TwoLeaders {
        /// The ID of the first to decide.
        first: Id,
        /// The ID of another.
        second: Id,
    },
    /// Somebody else should have won.
    #[error("{elected} was elected, but {expected} should win: {rule}")]
    WrongLeader {
        /// The winner.
        elected: Id,
        /// Who should be.
        expected: Id,
        /// The algorithm's rule.
        rule: &'static str,
    },
    /// The leader also decided to follow.
    #[error("the leader {0} has also decided to follow")]
    LeaderFollows(Id),
    /// A node does not know how it ended.
    #[error("{0} has not decided, though no message is in flight any more")]
    Undecided(Id),
    /// A node takes the wrong one for the leader, or does not know the leader.
    #[error("{node} takes {belief:?} for the leader {leader}")]
    WrongBelief {
        /// Who is wrong.
        node: Id,
        /// Whom it believes in.
        belief: Option<Id>,
        /// The leader.
        leader: Id,
    },
    /// More messages than the limit.
    #[error("more than {0} messages were sent: it does not seem to end")]
    TooManyMessages(u64),
    /// Something would happen beyond the 64-bit clock.
    #[error(
        "the 64-bit clock cannot hold the round in which {0} would act next; \
         use smaller IDs or earlier starts"
    )]
    ClockOverflow(Id),
    /// Somebody asked to end it early: no fault of the algorithm's.
    #[error("it was stopped before its end")]
    Stopped,
    /// Equal nodes went different ways, which no anonymous algorithm can do.
    #[error("the nodes' states differ after round {0}, though all began alike")]
    SymmetryBroken(u64),
}
