//! One schedule, step by step, with what is on every link.

use std::collections::VecDeque;

use super::tables::Steps;
use super::wires::Wires;
use crate::engine::trace::Step;
use crate::model::process::Port;

/// A network on its way through a schedule.
pub(super) struct Replay<'a> {
    wires: &'a Wires<'a>,
    /// The states of the nodes.
    pub(super) states: Vec<u32>,
    /// The messages on every link, the first in front.
    pub(super) links: Vec<VecDeque<u32>>,
    /// The steps so far, the one that panicked included.
    pub(super) schedule: Vec<Step>,
    /// How many messages count.
    pub(super) messages: u64,
}

impl<'a> Replay<'a> {
    pub(super) fn new(wires: &'a Wires<'a>, states: Vec<u32>) -> Self {
        let links = vec![VecDeque::new(); wires.ends.len()];
        Replay { wires, states, links, schedule: Vec::new(), messages: 0 }
    }

    /// A node starts; `None` if its handler panics.
    pub(super) fn start(&mut self, steps: &mut Steps, node: u32) -> Option<()> {
        self.schedule.push(Step::Start(node));
        self.take(steps, node, None)
    }

    /// A link delivers the message in this place, which the handler has to be told over its port.
    pub(super) fn deliver(&mut self, steps: &mut Steps, link: usize, place: usize) -> Option<()> {
        let mail = self.links[link].remove(place)?;
        self.schedule.push(Step::Deliver { link, place });
        let (node, port) = self.wires.ends[link];
        self.take(steps, node, Some((port, mail)))
    }

    fn take(&mut self, steps: &mut Steps, node: u32, mail: Option<(Port, u32)>) -> Option<()> {
        let state = &mut self.states[node as usize];
        let number = steps.step_quietly(*state, mail)?;
        let effect = steps.effect(number);
        *state = effect.state;
        self.messages += u64::from(effect.counted);
        for &(port, mail) in &effect.sent {
            self.links[self.wires.place.link(node, port)].push_back(mail);
        }
        Some(())
    }
}
