//! The judge: looks at a finished election from outside and says whether it was one.

use thiserror::Error;

use super::{Election, Record, Time};
use crate::algorithm::{Algorithm, Elects};
use crate::process::Id;

/// How an election went wrong.
#[derive(Debug, Clone, PartialEq, Error)]
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
    /// Equal nodes went different ways, which no anonymous algorithm can do.
    #[error("the nodes' states differ after round {0}, though all began alike")]
    SymmetryBroken(u64),
}

/// The verdict on an election that fell silent: the leader and when it decided.
pub(super) fn judge<'a, A: Algorithm + 'a>(
    election: &Election<'_>,
    nodes: impl Iterator<Item = (Record, &'a A)> + Clone,
    leaders: &[(u32, Time)],
) -> Result<(Option<Id>, Option<Time>), Violation> {
    let ids = election.ids;
    if A::MODEL.elects == Elects::Nobody {
        // Symmetry was watched round by round; a single node is a leader all the same.
        let alone = if ids.len() == 1 { Some(ids[0]) } else { None };
        return Ok((alone, leaders.first().map(|&(_, time)| time)));
    }
    let (node, time) = match *leaders {
        [] => return Err(Violation::NoLeader),
        [only] => only,
        [(first, _), (second, _), ..] => {
            let (first, second) = (ids[first as usize], ids[second as usize]);
            return Err(Violation::TwoLeaders { first, second });
        }
    };
    let elected = ids[node as usize];
    let records = nodes.clone().map(|(record, _)| record);
    let expected = expected::<A>(ids, records, elected);
    if expected != Some(elected) {
        let expected = expected.unwrap_or(elected);
        return Err(Violation::WrongLeader { elected, expected, rule: A::MODEL.elects.rule() });
    }
    for (other, (record, process)) in nodes.enumerate() {
        match (other == node as usize, record.is(Record::FOLLOWS)) {
            (true, true) => return Err(Violation::LeaderFollows(elected)),
            (false, false) => return Err(Violation::Undecided(ids[other])),
            _ => {}
        }
        let belief = process.leader();
        if belief != Some(elected) && (belief.is_some() || A::MODEL.announces) {
            return Err(Violation::WrongBelief { node: ids[other], belief, leader: elected });
        }
    }
    Ok((Some(elected), Some(time)))
}

/// Who should win, where `elected` did.
fn expected<A: Algorithm>(
    ids: &[Id],
    records: impl Iterator<Item = Record>,
    elected: Id,
) -> Option<Id> {
    let started =
        || ids.iter().zip(records).filter(|(_, r)| r.is(Record::STARTED)).map(|(id, _)| id);
    match A::MODEL.elects {
        Elects::Somebody => Some(&elected),
        Elects::LargestId => ids.iter().max(),
        Elects::SmallestId => ids.iter().min(),
        Elects::LargestInitiator => started().max(),
        Elects::SmallestInitiator => started().min(),
        Elects::Nobody => None,
    }
    .copied()
}
