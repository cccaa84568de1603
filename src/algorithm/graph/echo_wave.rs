//! The echo algorithm as a wave: a flood, and the echoes of it.
//!
//! E. J. H. Chang, "Echo algorithms: depth parallel operations on general graphs", IEEE TSE 8 (1982).
//!
//! ```text
//! join(p):         parent := p; send <explorer> over all other links; check
//! initiator:       join(none)
//! on <explorer>:   the first: join(sender); else that link is done, check
//! on <echo>:       that link is done, check
//! check:           all links but the parent's are done: send <echo> to the parent, or lead
//! ```
//! It costs exactly 2E messages. With [`super::Extinction`] it is `extinction-echo`, the generic twin
//! of `echo-election`: the same messages on every run, but nobody knows the tree.

use super::Centralised;
use super::echo_election::{echo_facts, wave_facts};
use crate::algorithm::On;
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EchoWave {
    degree: usize,
    joined: bool,
    parent: Option<Port>,
    /// How many links, but the parent's, are not done.
    open: usize,
}

/// A message of the wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Echoing {
    /// Away from the initiator.
    Explorer,
    /// Back to it.
    Echo,
}

kinds! { Echoing {
    Explorer: "explorer", |_| 0;
    Echo: "echo", |_| 0;
} }

impl Process for EchoWave {
    type Message = Echoing;

    fn new(local: &Local) -> Self {
        EchoWave { degree: local.degree, joined: false, parent: None, open: 0 }
    }
}

impl EchoWave {
    fn join(&mut self, parent: Option<Port>, out: &mut impl Outbox<Echoing>) {
        self.joined = true;
        self.parent = parent;
        self.open = self.degree - usize::from(parent.is_some());
        out.flood(self.degree, parent, Echoing::Explorer);
        self.check(out);
    }

    fn check(&mut self, out: &mut impl Outbox<Echoing>) {
        if self.open == 0 {
            match self.parent {
                Some(parent) => out.send(parent, Echoing::Echo),
                None => out.lead(),
            }
        }
    }
}

impl Asynchronous for EchoWave {
    fn start(&mut self, out: &mut impl Outbox<Echoing>) {
        self.join(None, out);
    }

    fn receive(&mut self, from: Port, _message: Echoing, out: &mut impl Outbox<Echoing>) {
        if self.joined {
            self.open -= 1;
            self.check(out);
        } else {
            self.join(Some(from), out);
        }
    }
}

impl Centralised for EchoWave {
    const ELECTION: &'static str = "extinction-echo";
    const SUMMARY: &'static str = "extinction of echo waves: the generic twin of echo-election";
    const SOURCE: &'static str = "Tel 2000; wave: Chang 1982";
    const ON: On = On::Graphs;

    fn forget(&mut self) {
        self.joined = false;
    }

    fn facts(case: &Case) -> Facts {
        wave_facts(case, 2 * u128::from(case.shape.edges), "2E", Self::SOURCE)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        echo_facts(metric, case, Self::SOURCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn node(degree: usize) -> EchoWave {
        EchoWave::new(&Local { id: 5, degree, ..Local::default() })
    }

    #[test]
    fn the_first_explorer_is_passed_on_and_its_sender_gets_the_echo() {
        let (mut process, mut out) = (node(3), Recorded::new(false));
        process.receive(1, Echoing::Explorer, &mut out);
        assert_eq!(out.sent, [0, 2].map(|port| (port, Echoing::Explorer)));
        out.sent.clear();
        process.receive(2, Echoing::Explorer, &mut out);
        assert_eq!(out.sent, []);
        process.receive(0, Echoing::Echo, &mut out);
        assert_eq!(out.sent, [(1, Echoing::Echo)]);
    }

    #[test]
    fn a_leaf_echoes_at_once_and_a_node_alone_leads_at_once() {
        let mut out = Recorded::new(false);
        node(1).receive(0, Echoing::Explorer, &mut out);
        assert_eq!(out.sent, [(0, Echoing::Echo)]);
        let mut out = Recorded::new(true);
        node(0).start(&mut out);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }
}
