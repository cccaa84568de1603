//! Elections whose mail commutes: one schedule stands for all.
//!
//! Of one schedule it is known what every node takes, from its start to its last message. Where any two
//! of these takings come to the same in either order, at every node and whatever it took before, every
//! schedule makes every node take the same and ends as this one does: docs/schedules.md has the proof.
//! So single nodes are looked at, one after the other, instead of global states.
//!
//! Where that does not hold, or it takes too long to tell, nothing is concluded.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::asked::Explore;
use super::replay::Replay;
use super::tables::Steps;
use super::verdict::{Explored, Extreme};
use super::wires::Wires;
use crate::model::process::Port;

/// Something that a node takes: a message over a port, or its own start.
type Taking = Option<(Port, u32)>;

/// So many takings are tried for one election. Most of those whose mail does not commute show it after
/// a few.
const MOST_TAKINGS: u64 = 1 << 22;

/// All schedules of an election, if mail commutes in it and they elect.
pub(super) fn explored(asked: &Explore<'_>, wires: &Wires<'_>) -> Option<Explored> {
    let model = &asked.entry.model;
    // Handlers are put into situations where they may panic.
    if model.needs_fifo || !cfg!(panic = "unwind") {
        return None;
    }
    let mut machine = (asked.entry.machine)();
    if asked.staggered {
        // Whether a node starts or mail wakes it depends on the schedule.
        if model.elects.only_initiators() {
            return None;
        }
        machine.forget_starts();
    }
    let first = machine.participants(asked.graph, asked.election);
    let first = first.into_iter().map(|state| state.0).collect();
    let mut steps = Steps::new(machine, asked.announcements);
    let run = Run::hold(asked, wires, &mut steps, first)?;
    steps.judge(asked.election, &run.replay.states).ok()?;
    let mut gone = Gone { takings_left: MOST_TAKINGS, situations: 0, steps: 0, bytes: 0 };
    for (&before, taken) in run.before.iter().zip(&run.taken) {
        if asked.staggered && steps.machine().starts_matter() {
            return None;
        }
        Mail::new(&mut steps, taken).commutes(before, asked, &mut gone)?;
    }
    if asked.staggered && steps.machine().starts_matter() {
        return None;
    }
    let Replay { messages, schedule, .. } = run.replay;
    let extreme = Extreme { messages, schedule };
    Some(Explored {
        states: gone.situations,
        transitions: gone.steps,
        ends: 1,
        bytes: gone.bytes,
        commutes: true,
        min: extreme.clone(),
        max: extreme,
    })
}

/// One complete schedule: all start, then links deliver by turns.
struct Run<'a> {
    replay: Replay<'a>,
    /// The states before anything that a schedule may put into another order.
    before: Vec<u32>,
    /// What each node takes from then on, and how often.
    taken: Vec<BTreeMap<Taking, u32>>,
}

impl<'a> Run<'a> {
    fn hold(
        asked: &Explore<'_>,
        wires: &'a Wires<'a>,
        steps: &mut Steps,
        first: Vec<u32>,
    ) -> Option<Self> {
        let mut taken = vec![BTreeMap::new(); first.len()];
        let mut take = |node: u32, taking| *taken[node as usize].entry(taking).or_default() += 1;
        let mut before = first.clone();
        let mut replay = Replay::new(wires, first);
        for node in (0..before.len() as u32).filter(|&node| wires.initiates[node as usize]) {
            replay.start(steps, node)?;
            if asked.staggered {
                take(node, None);
            }
        }
        if !asked.staggered {
            before.clone_from(&replay.states);
        }
        while replay.links.iter().any(|link| !link.is_empty()) {
            for (link, &(node, port)) in wires.ends.iter().enumerate() {
                if let Some(&mail) = replay.links[link].front() {
                    take(node, Some((port, mail)));
                    replay.deliver(steps, link, 0)?;
                }
            }
            if replay.schedule.len() as u64 > asked.election.limit.min(MOST_TAKINGS) {
                return None;
            }
        }
        Some(Run { replay, before, taken })
    }
}

/// What was gone through so far.
struct Gone {
    takings_left: u64,
    situations: u64,
    steps: u64,
    /// The most that the situations of one node took.
    bytes: u64,
}

/// What a node takes in any order.
///
/// Takings of one kind lead from any situation to the same state, so it is enough to know how many of a
/// kind were taken; and not even that, where the second leaves the state as it is. Both only allow for
/// more situations than there are.
struct Mail<'a> {
    steps: &'a mut Steps,
    takings: Vec<Taking>,
    times: Vec<u32>,
    /// The kind of each taking.
    kind: Vec<usize>,
    /// Whether it is counted how many of a kind were taken.
    counted: Vec<bool>,
}

/// A node's state, and how many it took of each kind that is counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Situation {
    state: u32,
    taken: Vec<u32>,
}

/// What comes of a taking.
#[derive(Debug, Clone, Copy)]
struct Taken {
    state: u32,
    /// The number of its effect, if it has one.
    effect: Option<u32>,
}

/// What was learnt about kinds.
enum Learnt {
    /// Takings of one kind lead to different states: the first and those like it stay one kind.
    Differ(Vec<usize>),
    /// It matters how many of this kind are taken.
    Counts(usize),
}

impl<'a> Mail<'a> {
    /// All of one kind until something else is learnt.
    fn new(steps: &'a mut Steps, taken: &BTreeMap<Taking, u32>) -> Self {
        let (takings, times): (Vec<Taking>, Vec<u32>) = taken.iter().map(|(&a, &b)| (a, b)).unzip();
        Mail { steps, kind: vec![0; takings.len()], takings, times, counted: vec![false] }
    }

    /// Goes through all situations of a node that begins in this state; `None` if there is one in which
    /// two takings do not commute.
    fn commutes(&mut self, first: u32, asked: &Explore<'_>, gone: &mut Gone) -> Option<()> {
        loop {
            let begin = Situation { state: first, taken: vec![0; self.counted.len()] };
            let mut known = HashSet::from([begin.clone()]);
            let mut open = VecDeque::from([begin]);
            let mut steps = 0;
            let learnt = loop {
                let Some(situation) = open.pop_front() else { break None };
                let left = self.left(&situation);
                let after = self.after(situation.state, &left, gone)?;
                if let Some(learnt) = self.learn(&after, gone)? {
                    break Some(learnt);
                }
                self.pairs_commute(&left, &after, gone)?;
                for kind in 0..self.counted.len() {
                    let members = self.kind.iter().zip(&after).filter(|&(&other, _)| other == kind);
                    let Some(&taken) = members.filter_map(|(_, taken)| taken.as_ref()).next()
                    else {
                        continue;
                    };
                    let mut next = Situation { state: taken.state, ..situation.clone() };
                    next.taken[kind] += u32::from(self.counted[kind]);
                    steps += 1;
                    if known.insert(next.clone()) {
                        open.push_back(next);
                    }
                }
                let each = size_of::<Situation>() + self.counted.len() * size_of::<u32>();
                gone.bytes = gone.bytes.max((known.len() * each) as u64);
                let many = gone.situations + known.len() as u64 > asked.most_states;
                if many || gone.bytes > asked.memory {
                    return None;
                }
            };
            match learnt {
                Some(Learnt::Differ(others)) => {
                    others.iter().for_each(|&taking| self.kind[taking] = self.counted.len());
                    self.counted = vec![false; self.counted.len() + 1];
                }
                Some(Learnt::Counts(kind)) => self.counted[kind] = true,
                None => {
                    gone.situations += known.len() as u64;
                    gone.steps += steps;
                    return Some(());
                }
            }
        }
    }

    /// What comes of a taking; a start leaves a node alone that is awake already. `None` if the handler
    /// panics, or too much was tried.
    fn take(&mut self, state: u32, taking: usize, gone: &mut Gone) -> Option<Taken> {
        gone.takings_left = gone.takings_left.checked_sub(1)?;
        let taking = self.takings[taking];
        if taking.is_none() && self.steps.is_awake(state) {
            return Some(Taken { state, effect: None });
        }
        let effect = self.steps.step_quietly(state, taking)?;
        Some(Taken { state: self.steps.effect(effect).state, effect: Some(effect) })
    }

    /// How many of each kind may still be taken.
    fn left(&self, situation: &Situation) -> Vec<u32> {
        let mut left = vec![0; self.counted.len()];
        self.kind.iter().zip(&self.times).for_each(|(&kind, times)| left[kind] += times);
        for (kind, left) in left.iter_mut().enumerate() {
            *left = if self.counted[kind] { *left - situation.taken[kind] } else { u32::MAX };
        }
        left
    }

    /// What comes of each taking that may be next.
    fn after(&mut self, state: u32, left: &[u32], gone: &mut Gone) -> Option<Vec<Option<Taken>>> {
        let mut after = vec![None; self.takings.len()];
        for (taking, after) in after.iter_mut().enumerate() {
            if left[self.kind[taking]] > 0 {
                *after = Some(self.take(state, taking, gone)?);
            }
        }
        Some(after)
    }

    /// What a situation says about kinds that was not known.
    fn learn(&mut self, after: &[Option<Taken>], gone: &mut Gone) -> Option<Option<Learnt>> {
        for kind in 0..self.counted.len() {
            let members = (0..after.len()).filter(|&taking| self.kind[taking] == kind);
            let members: Vec<(usize, u32)> =
                members.filter_map(|taking| Some((taking, after[taking]?.state))).collect();
            let Some(&(_, state)) = members.first() else { continue };
            let others = members.iter().filter(|&&(_, other)| other != state);
            let others: Vec<usize> = others.map(|&(taking, _)| taking).collect();
            if !others.is_empty() {
                return Some(Some(Learnt::Differ(others)));
            }
            for (taking, _) in members {
                if !self.counted[kind] && self.take(state, taking, gone)?.state != state {
                    return Some(Some(Learnt::Counts(kind)));
                }
            }
        }
        Some(None)
    }

    /// Whether any two takings come to the same in either order: `None` if not.
    fn pairs_commute(
        &mut self,
        left: &[u32],
        after: &[Option<Taken>],
        gone: &mut Gone,
    ) -> Option<()> {
        for (a, after_a) in after.iter().enumerate() {
            let Some(after_a) = after_a else { continue };
            for (b, after_b) in after.iter().enumerate().skip(a + 1) {
                let Some(after_b) = after_b else { continue };
                if self.kind[a] == self.kind[b] && left[self.kind[a]] < 2 {
                    continue;
                }
                let after_a_b = self.take(after_a.state, b, gone)?;
                let after_b_a = self.take(after_b.state, a, gone)?;
                let same = after_a_b.state == after_b_a.state
                    && self.send_the_same([*after_a, after_a_b], [*after_b, after_b_a]);
                if !same {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Whether the same messages leave by the same ports, in whatever order.
    fn send_the_same(&self, one: [Taken; 2], other: [Taken; 2]) -> bool {
        let sent = |taken: Taken| -> &[(Port, u32)] {
            taken.effect.map_or(&[], |number| &self.steps.effect(number).sent)
        };
        // Mostly each sends what it sends anyway.
        if sent(one[0]) == sent(other[1]) && sent(one[1]) == sent(other[0]) {
            return true;
        }
        let all = |taken: [Taken; 2]| {
            let mut all = [sent(taken[0]), sent(taken[1])].concat();
            all.sort_unstable();
            all
        };
        all(one) == all(other)
    }
}
