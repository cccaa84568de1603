//! Mail that changes nothing any more, wherever and whenever it arrives.
//!
//! A message is *inert* if its receiver stays as it is whenever it takes it, now or in any state that it can
//! still get into, always sends the same on account of it, and all that it sends is inert in its turn.
//! When such a message arrives makes no difference to anybody, so it need not wait on its link among the
//! others: docs/schedules.md has the proof.
//!
//! Which states a node can still get into is known when the search is through. Until then what was seen so
//! far is taken for all; if that was too little, the search begins anew and knows more.

use super::tables::{Memo, Queues, Steps};
use crate::model::process::Port;

/// What is known of single nodes and of the mail that leaves them as they are.
pub(super) struct Inert {
    /// The states that steps led to from each state, itself left out.
    next: Vec<Vec<u32>>,
    /// How many steps from one state to another were seen.
    seen: usize,
    /// The effects that were seen already, by number.
    effects: Vec<bool>,
    /// By state, port and message: the number of the effect that is always the same, or [`MATTERS`].
    known: Memo,
    /// By state, port and queue: whether all messages in it matter, as far as it was known.
    queues: Memo,
    /// What was taken for inert.
    taken: Vec<Idle>,
    /// The states that were met on the way through a node's future.
    met: Vec<u32>,
    /// By state, the last look that met it.
    marks: Vec<u32>,
    looks: u32,
}

/// Mail that leaves a node as it is, from a state on.
struct Idle {
    state: u32,
    mail: (Port, u32),
    effect: u32,
    /// How many steps had been seen when it was last looked at.
    seen: usize,
}

/// Stands for the effect of mail that is not always the same.
const MATTERS: u32 = u32::MAX;

impl Inert {
    pub(super) fn new() -> Self {
        Inert {
            next: Vec::new(),
            seen: 0,
            effects: Vec::new(),
            known: Memo::new(),
            queues: Memo::new(),
            taken: Vec::new(),
            met: Vec::new(),
            marks: Vec::new(),
            looks: 0,
        }
    }

    /// Takes note of a step of a node.
    #[inline]
    pub(super) fn see(&mut self, state: u32, effect: u32, after: u32) {
        if self.effects.get(effect as usize) == Some(&true) {
            return;
        }
        if self.effects.len() <= effect as usize {
            self.effects.resize(effect as usize + 1, false);
        }
        self.effects[effect as usize] = true;
        if self.next.len() <= state as usize {
            self.next.resize(state as usize + 1, Vec::new());
        }
        let next = &mut self.next[state as usize];
        if after != state && !next.contains(&after) {
            next.push(after);
            self.seen += 1;
        }
    }

    /// The number of the effect of mail at a node in this state, if it leaves the node as it is and stays
    /// the same in all states that follow.
    #[inline]
    pub(super) fn effect(
        &mut self,
        steps: &mut Steps,
        state: u32,
        (port, mail): (Port, u32),
    ) -> Option<u32> {
        let key = (u64::from(state) << 32 | port as u64, mail);
        if let Some(known) = self.known.get(key) {
            return (known != MATTERS).then_some(known);
        }
        let effect = self.look(steps, state, (port, mail));
        self.known.insert(key, effect.unwrap_or(MATTERS));
        if let Some(effect) = effect {
            self.taken.push(Idle { state, mail: (port, mail), effect, seen: self.seen });
        }
        effect
    }

    /// Whether a node in this state is to be told everything that waits on a link, by its own lights.
    #[inline]
    pub(super) fn all_matter(
        &mut self,
        steps: &mut Steps,
        state: u32,
        port: Port,
        queue: u32,
        queues: &Queues,
    ) -> bool {
        let key = (u64::from(state) << 32 | port as u64, queue);
        if let Some(known) = self.queues.get(key) {
            return known != 0;
        }
        let mut mails = queues.mails(queue).iter();
        let all_matter = mails.all(|&mail| self.effect(steps, state, (port, mail)).is_none());
        self.queues.insert(key, u32::from(all_matter));
        all_matter
    }

    /// Looks at a node's future.
    fn look(&mut self, steps: &mut Steps, state: u32, mail: (Port, u32)) -> Option<u32> {
        let first = steps.step_quietly(state, Some(mail))?;
        let Inert { next, met, marks, looks, .. } = self;
        *looks += 1;
        let mut meet = |state: u32, met: &mut Vec<u32>| {
            if marks.len() <= state as usize {
                marks.resize(state as usize + 1, 0);
            }
            if std::mem::replace(&mut marks[state as usize], *looks) != *looks {
                met.push(state);
            }
        };
        met.clear();
        meet(state, met);
        let mut looked = 0;
        while let Some(&state) = met.get(looked) {
            looked += 1;
            let number = steps.step_quietly(state, Some(mail))?;
            let effect = steps.effect(number);
            if effect.state != state || effect.sent != steps.effect(first).sent {
                return None;
            }
            next.get(state as usize).into_iter().flatten().for_each(|&after| meet(after, met));
        }
        Some(first)
    }

    /// Whether all that was taken for inert is, by all that is known now; what is not will not be taken
    /// for it again.
    pub(super) fn holds(&mut self, steps: &mut Steps) -> bool {
        let mut taken = std::mem::take(&mut self.taken);
        let before = taken.len();
        taken.retain_mut(|idle| {
            let Idle { state, mail: (port, mail), effect, seen } = idle;
            if *seen == self.seen || self.look(steps, *state, (*port, *mail)) == Some(*effect) {
                *seen = self.seen;
                return true;
            }
            let key = (u64::from(*state) << 32 | *port as u64, *mail);
            self.known.insert(key, MATTERS);
            false
        });
        let all_hold = taken.len() == before;
        self.taken = taken;
        all_hold
    }
}
