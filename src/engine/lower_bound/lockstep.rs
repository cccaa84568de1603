//! A ring in rounds in which everybody starts at once, with rounds beyond the 64-bit clock.
//!
//! An algorithm that waits 2^ID rounds asks for alarms that no clock of ours can hold. They ring all the
//! same, when nothing else is left to happen: those with the smallest token first. That is the true
//! order where whoever has a larger token waits beyond everything that those with smaller ones do,
//! as with IDs so far apart that 2^ID outgrows n times all before.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::engine::Entry;
use crate::engine::machine::{Machine, Mail, Occasion, State};
use crate::model::election::Election;
use crate::model::process::{NEXT, PREV, Port, opposite};
use crate::model::violation::Violation;

/// A round: how often the clock ran over before, and the time since then.
pub(super) type Round = (u64, u64);

/// A ring between two rounds.
pub(super) struct Lockstep<'a> {
    machine: Box<dyn Machine>,
    election: &'a Election<'a>,
    pub(super) states: Vec<State>,
    round: Option<Round>,
    /// What arrives in the next round: where, by which port, what.
    mail: Vec<(u32, Port, Mail)>,
    /// (round, node, token), within the clock.
    alarms: BinaryHeap<Reverse<(Round, u32, u64)>>,
    /// (token, node), beyond it.
    late: BinaryHeap<Reverse<(u64, u32)>>,
    messages: u64,
}

/// What happened in a round.
pub(super) struct Turn {
    pub(super) round: Round,
    /// Who sent by which port, in order.
    pub(super) sent: Vec<(u32, Port)>,
    /// Who decided to lead.
    pub(super) leaders: Vec<u32>,
}

impl<'a> Lockstep<'a> {
    /// Before the first round; each node in its state.
    pub(super) fn new(entry: &Entry, election: &'a Election<'a>) -> Self {
        let mut machine = (entry.machine)();
        let states = machine.participants(None, election);
        Lockstep {
            machine,
            election,
            states,
            round: None,
            mail: Vec::new(),
            alarms: BinaryHeap::new(),
            late: BinaryHeap::new(),
            messages: 0,
        }
    }

    pub(super) fn messages(&self) -> u64 {
        self.messages
    }

    pub(super) fn machine(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    /// The next round in which something happens; `None` if nothing will.
    pub(super) fn turn(&mut self) -> Result<Option<Turn>, Violation> {
        let Some((round, late)) = self.next() else { return Ok(None) };
        let starts = self.round.is_none();
        self.round = Some(round);
        let mut turn = Turn { round, sent: Vec::new(), leaders: Vec::new() };
        let mut mail = std::mem::take(&mut self.mail);
        // What comes from PREV is handled before what comes from NEXT, first sent first.
        mail.sort_by_key(|&(_, port, _)| port != PREV);
        if starts {
            (0..self.states.len() as u32).for_each(|at| self.act(at, Occasion::Start, &mut turn));
        }
        for (at, port, mail) in mail {
            self.act(at, Occasion::Mail(port, mail), &mut turn);
        }
        while let Some(&Reverse((due, at, token))) = self.alarms.peek()
            && due <= round
        {
            self.alarms.pop();
            self.act(at, Occasion::Alarm(token), &mut turn);
        }
        if let Some((at, token)) = late {
            self.act(at, Occasion::Alarm(token), &mut turn);
        }
        self.election.look(self.messages)?;
        Ok(Some(turn))
    }

    /// The next round, and the late alarm that rings in it if nothing else is left.
    fn next(&mut self) -> Option<(Round, Option<(u32, u64)>)> {
        let Some((over, time)) = self.round else { return Some(((0, 0), None)) };
        if !self.mail.is_empty() {
            return Some(((over, time + 1), None));
        }
        if let Some(&Reverse((due, ..))) = self.alarms.peek() {
            return Some((due, None));
        }
        let Reverse((token, at)) = self.late.pop()?;
        Some(((over + 1, 0), Some((at, token))))
    }

    fn act(&mut self, at: u32, occasion: Occasion, turn: &mut Turn) {
        let (over, time) = turn.round;
        // Beyond the clock it stands still; what is asked for then is beyond it, too.
        let now = if over == 0 { time } else { u64::MAX };
        let before = self.states[at as usize];
        let effect = self.machine.step(before, occasion, now);
        let n = self.states.len() as u32;
        for (port, mail) in effect.sent {
            let to = if port == NEXT { (at + 1) % n } else { (at + n - 1) % n };
            self.mail.push((to, opposite(port), mail));
            turn.sent.push((at, port));
            self.messages += 1;
        }
        for (due, token) in effect.alarms {
            match due {
                Some(due) if over == 0 => self.alarms.push(Reverse(((0, due), at, token))),
                _ => self.late.push(Reverse((token, at))),
            }
        }
        let leads = |state| self.machine.fate(state).leads;
        if leads(effect.state) && !leads(before) {
            turn.leaders.push(at);
        }
        self.states[at as usize] = effect.state;
    }
}
