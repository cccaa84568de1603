//! The judge: looks at a finished election from outside and says whether it was one.

use super::records::Flags;
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::election::Election;
use crate::model::outcome::Time;
use crate::model::process::Id;
use crate::model::violation::Violation;

/// What is seen of a node in the end: its flags, and whom it takes for the leader.
pub(super) type Seen = (Flags, Option<Id>);

/// The verdict on an election that fell silent: the leader and when it decided.
pub(super) fn judge<'a, A: Algorithm + 'a>(
    election: &Election<'_>,
    nodes: impl Iterator<Item = (Flags, &'a A)> + Clone,
    leaders: &[(u32, Time)],
) -> Result<(Option<Id>, Option<Time>), Violation> {
    let nodes = nodes.map(|(flags, process)| (flags, process.leader()));
    judge_by(const { &A::MODEL }, election, nodes, leaders)
}

/// The same for an algorithm whose type is forgotten. It is inlined because for the engines the model
/// is a constant.
#[inline(always)]
pub(super) fn judge_by(
    model: &Model,
    election: &Election<'_>,
    nodes: impl Iterator<Item = Seen> + Clone,
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
    // One pass without a branch: an election that is all right is quickly seen to be.
    let mut followers = 0;
    let mut is_wrong = false;
    for (&id, (flags, belief)) in ids.iter().zip(nodes.clone()) {
        followers += usize::from(flags.has(Flags::FOLLOWS));
        is_wrong |= beats(model, id, elected) & is_entitled(model, flags);
        is_wrong |= is_misled(model, belief, elected);
    }
    let is_leader = |flags| is_entitled(model, flags) && !flags.has(Flags::FOLLOWS);
    let leads = nodes.clone().nth(node as usize).is_some_and(|(flags, _)| is_leader(flags));
    let all_know = model.silent_victory || followers + 1 == ids.len();
    let all_right = !is_wrong && leads && all_know;
    if !all_right && let Some(violation) = fault(model, election, nodes, node) {
        return Err(violation);
    }
    Ok((Some(elected), Some(time)))
}

/// Whether `id` should win rather than `elected`.
#[inline(always)]
fn beats(model: &Model, id: Id, elected: Id) -> bool {
    match model.elects {
        Elects::LargestId | Elects::LargestInitiator => id > elected,
        Elects::SmallestId | Elects::SmallestInitiator => id < elected,
        Elects::Somebody | Elects::Nobody => false,
    }
}

/// Whether a node with these flags may win.
#[inline(always)]
fn is_entitled(model: &Model, flags: Flags) -> bool {
    !model.elects.only_initiators() || flags.has(Flags::STARTED)
}

/// Whether a node takes somebody else for the leader, or does not know what it should.
#[inline(always)]
fn is_misled(model: &Model, belief: Option<Id>, leader: Id) -> bool {
    belief != Some(leader) && (belief.is_some() || model.announces)
}

/// What is wrong, if anything, with an election that `leader` won alone.
#[cold]
fn fault(
    model: &Model,
    election: &Election<'_>,
    nodes: impl Iterator<Item = Seen> + Clone,
    leader: u32,
) -> Option<Violation> {
    let ids = election.ids;
    let elected = ids[leader as usize];
    let entitled = ids.iter().zip(nodes.clone());
    let entitled = entitled.filter(|&(_, (flags, _))| is_entitled(model, flags)).map(|(&id, _)| id);
    let expected = match model.elects {
        Elects::Somebody => Some(elected),
        elects if elects.smallest_wins() => entitled.min(),
        _ => entitled.max(),
    }?;
    if expected != elected {
        return Some(Violation::WrongLeader { elected, expected, rule: model.elects.rule() });
    }
    nodes.enumerate().find_map(|(other, (flags, belief))| {
        let node = ids[other];
        match (other == leader as usize, flags.has(Flags::FOLLOWS)) {
            (true, true) => Some(Violation::LeaderFollows(elected)),
            (false, false) if !model.silent_victory => Some(Violation::Undecided(node)),
            _ if is_misled(model, belief, elected) => {
                Some(Violation::WrongBelief { node, belief, leader: elected })
            }
            _ => None,
        }
    })
}
