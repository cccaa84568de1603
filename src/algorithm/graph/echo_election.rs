//! The echo algorithm as an election: every initiator floods the network, the largest flood
//! extinguishes the others, and only its echoes come home.
//!
//! E. J. H. Chang, "Echo algorithms: depth parallel operations on general graphs", IEEE TSE 8 (1982);
//! as an election in F. Mattern, "Verteilte Basisalgorithmen" (1989).
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, nothing known, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | at most 2Ek messages for k initiators, exactly 2E for one; about 2E H_N if all start |
//!
//! ```text
//! join(i, p):       mark := i; parent := p; send <explorer, i> over all other links; check
//! initiator:        join(id, none)
//! on <explorer, j>: j > mark: join(j, sender); j = mark: that link is done, check; j < mark: drop it
//! on <echo, j>:     j = mark: that link is done and leads to a child, check; j < mark: drop it
//! check:            all links but the parent's are done: send <echo, mark> to the parent,
//!                   or lead, if there is none
//! ```

use super::{MaybePort, PortSet};
use crate::algorithm::{Algorithm, Elects, Line, Model, On, Spanning, Spread};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EchoElection {
    /// The largest initiator heard of; its own ID while nobody came.
    mark: Id,
    joined: bool,
    /// Where that word came from; none at the initiator itself.
    parent: MaybePort,
    degree: u32,
    /// How many links, but the parent's, are not done.
    open: u32,
    children: PortSet,
}

/// A wave and its echo, each with the initiator's ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wave {
    /// Away from the initiator.
    Explorer(Id),
    /// Back to it.
    Echo(Id),
}

kinds! { Wave {
    Explorer: "explorer", |w| w.id;
    Echo: "echo", |w| w.id;
} }

impl Process for EchoElection {
    type Message = Wave;

    fn new(local: &Local) -> Self {
        EchoElection {
            mark: local.id,
            joined: false,
            parent: MaybePort::NONE,
            degree: local.degree as u32,
            open: 0,
            children: PortSet::none(local.degree),
        }
    }
}

impl EchoElection {
    #[inline(always)]
    fn join(&mut self, mark: Id, parent: Option<Port>, out: &mut impl Outbox<Wave>) {
        (self.mark, self.joined, self.parent) = (mark, true, parent.into());
        self.children.clear();
        self.open = self.degree - u32::from(parent.is_some());
        out.flood(self.degree as usize, parent, Wave::Explorer(mark));
        self.check(out);
    }

    #[inline(always)]
    fn check(&mut self, out: &mut impl Outbox<Wave>) {
        if self.open == 0 {
            match self.parent.get() {
                Some(parent) => out.send(parent, Wave::Echo(self.mark)),
                None => out.lead(),
            }
        }
    }
}

impl Asynchronous for EchoElection {
    fn start(&mut self, out: &mut impl Outbox<Wave>) {
        self.join(self.mark, None, out);
    }

    #[inline(always)]
    fn receive(&mut self, from: Port, message: Wave, out: &mut impl Outbox<Wave>) {
        // Which of the two it is cannot be predicted, and matters only to who remembers its children.
        let (j, is_echo) = match message {
            Wave::Explorer(j) => (j, false),
            Wave::Echo(j) => (j, true),
        };
        if !self.joined || j > self.mark {
            // An echo of a wave that it never joined is none.
            if !is_echo {
                self.join(j, Some(from), out);
            }
        } else if j == self.mark {
            self.children.insert_if(is_echo, from);
            self.open -= 1;
            self.check(out);
        }
    }
}

impl Spanning for EchoElection {
    fn children(&self, _from: Option<Port>) -> impl Iterator<Item = Port> {
        self.children.iter()
    }
}

impl Algorithm for EchoElection {
    const NAME: &'static str = "echo-election";
    const SUMMARY: &'static str =
        "floods and echoes; the largest initiator's extinguish the others";
    const SOURCE: &'static str = "Chang 1982; Mattern 1989";
    const FILE: &'static str = include_str!("echo_election.rs");
    const LINES: &'static [Line] = &[
        ("start", "*", "initiator:"),
        ("explorer", "*", "on <explorer, j>:"),
        ("echo", "lead", "or lead,"),
        ("echo", "*", "on <echo, j>:"),
    ];
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model { on: On::Graphs, ..Model::electing(Elects::LargestInitiator) };
    const YARDSTICK: bool = true;

    fn facts(case: &Case) -> Facts {
        wave_facts(case, 2 * u128::from(case.shape.edges), "2E", Self::SOURCE)
    }

    /// One flood alone: everybody is reached after its distance, has heard of all neighbours a time unit
    /// later at the latest, and the echoes take as long again.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        echo_facts(metric, case, Self::SOURCE)
    }
}

/// What is known of k waves that extinguish each other: one alone costs exactly `wave` messages, k
/// at most k times as many; and the winner's is complete.
pub(super) fn wave_facts(case: &Case, wave: u128, formula: &str, source: &'static str) -> Facts {
    if case.initiators == Some(1) {
        return Facts::constant(wave, formula, source);
    }
    let best = Fact::whole(wave, formula, source).known(Certainty::Bound);
    let most = |k: u64| {
        let formula = format!("{formula} k");
        Fact::whole(wave.saturating_mul(u128::from(k)), &formula, source).known(Certainty::Bound)
    };
    Facts { best: Some(best), worst: case.initiators.map(most), ..Facts::default() }
}

/// The time of one flood and its echoes.
pub(super) fn echo_facts(metric: Metric, case: &Case, source: &'static str) -> Facts {
    match (metric, case.initiators, case.shape.diameter) {
        (Metric::Time | Metric::End, Some(1), Some(diameter)) => {
            Facts::at_most(2 * u128::from(diameter) + 1, "2D + 1", source)
                .holding(Holds::Synchronous)
        }
        _ => Facts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    /// Node 5 with three links, after `steps`; what the last one sent.
    fn node(steps: &[(Port, Wave)]) -> (EchoElection, Recorded<Wave>) {
        Recorded::replay(&Local { id: 5, degree: 3, ..Local::default() }, true, steps)
    }

    #[test]
    fn an_initiator_floods_all_links() {
        let (_, out) = node(&[]);
        assert_eq!(out.sent, [0, 1, 2].map(|port| (port, Wave::Explorer(5))));
    }

    #[test]
    fn a_larger_wave_takes_over_and_a_smaller_one_is_dropped() {
        let (process, out) = node(&[(1, Wave::Explorer(7))]);
        assert_eq!(out.sent, [0, 2].map(|port| (port, Wave::Explorer(7))));
        assert_eq!((process.joined, process.mark, process.parent.get()), (true, 7, Some(1)));
        let (process, out) = node(&[(1, Wave::Explorer(3))]);
        assert_eq!((out.sent, process.open), (vec![], 3));
        let (_, out) = node(&[(1, Wave::Explorer(7)), (0, Wave::Echo(5))]);
        assert_eq!(out.sent, []);
    }

    #[test]
    fn when_all_links_are_done_the_echo_goes_to_the_parent() {
        let steps = [(1, Wave::Explorer(7)), (0, Wave::Echo(7)), (2, Wave::Explorer(7))];
        let (process, out) = node(&steps);
        assert_eq!(out.sent, [(1, Wave::Echo(7))]);
        assert!(process.children(Some(1)).eq([0]));
    }

    #[test]
    fn an_initiator_whose_links_are_all_done_leads() {
        let steps = [(0, Wave::Echo(5)), (1, Wave::Explorer(5)), (2, Wave::Echo(5))];
        let (process, out) = node(&steps);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        assert!(process.children(None).eq([0, 2]));
    }
}
