//! The judge: looks at a finished election from outside and says whether it was one.

use super::records::{Flags, Record};
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::election::Election;
use crate::model::outcome::Time;
use crate::model::process::Id;
use crate::model::violation::Violation;

/// What the participants say when all is silent, their type forgotten: whoever hears it is compiled
/// once and not for every algorithm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Testimony {
    /// How many rounds the longest was in the race, where the algorithm tells.
    pub rounds: Option<u64>,
    /// The first who takes somebody else for the leader, or does not know what it should; and whom it
    /// takes for it.
    misled: Option<(usize, Option<Id>)>,
}

impl Testimony {
    /// What all participants say, in order, when the first of `leaders` is taken for the winner.
    #[inline(always)]
    pub fn of<'a, A: Algorithm + 'a>(
        election: &Election<'_>,
        leaders: &[(u32, Time)],
        processes: impl Iterator<Item = &'a A> + Clone,
    ) -> Self {
        let rounds = processes.clone().filter_map(A::rounds).max();
        let misled = leaders.first().and_then(|&(node, _)| {
            let leader = election.ids[node as usize];
            // Most algorithms never say, and for them the compiler leaves this out.
            let is_misled = |belief: Option<Id>| {
                belief != Some(leader) && (belief.is_some() || A::MODEL.announces)
            };
            processes.map(A::leader).enumerate().find(|&(_, belief)| is_misled(belief))
        });
        Testimony { rounds, misled }
    }
}

/// The verdict on an election that fell silent: the leader and when it decided.
pub(super) fn judge(
    model: &Model,
    election: &Election<'_>,
    records: &[Record],
    testimony: Testimony,
    leaders: &[(u32, Time)],
) -> Result<(Option<Id>, Option<Time>), Violation> {
    let ids = election.ids;
    if model.elects == Elects::Nobody {
        // Symmetry was watched round by round; a single node is a leader all the same.
        let alone = if ids.len() == 1 { Some(ids[0]) } else { None };
        return Ok((alone, leaders.first().map(|&(_, time)| time)));
    }
    if model.may_fail && leaders.len() != 1 {
        return Ok((None, None));
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
    // No branch depends on a node: an election that is all right is quickly seen to be.
    let followers = records.iter().filter(|record| record.flags().has(Flags::FOLLOWS)).count();
    let lead = records[node as usize].flags();
    let leads = is_entitled(model, lead) && !lead.has(Flags::FOLLOWS);
    let all_know = model.silent_victory || followers + 1 == ids.len();
    let none_misled = testimony.misled.is_none();
    let all_right = leads && all_know && none_misled && !is_beaten(model, ids, records, elected);
    if !all_right && let Some(violation) = fault(model, election, records, testimony, node) {
        return Err(violation);
    }
    Ok((Some(elected), Some(time)))
}

/// Whether somebody who may win should have won rather than `elected`.
fn is_beaten(model: &Model, ids: &[Id], records: &[Record], elected: Id) -> bool {
    let nodes = ids.iter().zip(records);
    let entitled = |record: &Record| is_entitled(model, record.flags());
    match model.elects {
        Elects::LargestId | Elects::LargestInitiator => {
            nodes.fold(false, |beaten, (&id, record)| beaten | ((id > elected) & entitled(record)))
        }
        Elects::SmallestId | Elects::SmallestInitiator => {
            nodes.fold(false, |beaten, (&id, record)| beaten | ((id < elected) & entitled(record)))
        }
        Elects::Somebody | Elects::Nobody => false,
    }
}

/// Whether a node with these flags may win.
#[inline(always)]
fn is_entitled(model: &Model, flags: Flags) -> bool {
    !model.elects.only_initiators() | flags.has(Flags::STARTED)
}

/// What is wrong, if anything, with an election that `leader` won alone.
#[cold]
fn fault(
    model: &Model,
    election: &Election<'_>,
    records: &[Record],
    testimony: Testimony,
    leader: u32,
) -> Option<Violation> {
    let ids = election.ids;
    let elected = ids[leader as usize];
    let entitled = ids.iter().zip(records);
    let entitled = entitled.filter(|(_, record)| is_entitled(model, record.flags()));
    let entitled = entitled.map(|(&id, _)| id);
    let expected = match model.elects {
        Elects::Somebody => Some(elected),
        elects if elects.smallest_wins() => entitled.min(),
        _ => entitled.max(),
    }?;
    if expected != elected {
        return Some(Violation::WrongLeader { elected, expected, rule: model.elects.rule() });
    }
    records.iter().enumerate().find_map(|(other, record)| {
        let node = ids[other];
        match (other == leader as usize, record.flags().has(Flags::FOLLOWS)) {
            (true, true) => Some(Violation::LeaderFollows(elected)),
            (false, false) if !model.silent_victory => Some(Violation::Undecided(node)),
            _ => {
                let misled = testimony.misled.filter(|&(misled, _)| misled == other);
                misled.map(|(_, belief)| Violation::WrongBelief { node, belief, leader: elected })
            }
        }
    })
}
