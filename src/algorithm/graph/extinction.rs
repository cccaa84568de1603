//! Extinction: an election made of any wave that one node starts and whose end that node notices.
//!
//! G. Tel, "Introduction to Distributed Algorithms" (2000), chapter 7.
//!
//! | | |
//! |-|-|
//! | Model | that of the wave; any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | at most k times the wave's for k initiators, exactly the wave's for one |
//!
//! ```text
//! initiator:          wave := id; start the wave
//! on <x, m>:          x > wave: wave := x; forget the old wave's state; follow; the wave gets m
//!                     x = wave: the wave gets m
//!                     x < wave: drop it
//! the wave decides:   lead
//! ```
//! A decentralised wave, which any set of nodes may start together (`phase`, `finn`, a tree's), needs
//! no extinction: it carries the largest ID along.

use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Facts};

/// A centralised wave: one node starts it, it comes to everybody, and where it started it ends with
/// the decision to lead. Its messages name no ID, for there is only one wave.
pub trait Centralised: Asynchronous {
    /// The name of the election made of it.
    const ELECTION: &'static str;
    /// That election, in one line.
    const SUMMARY: &'static str;
    /// Where it comes from.
    const SOURCE: &'static str;
    /// Where it runs.
    const ON: On;

    /// Back to the state before the wave came.
    fn forget(&mut self);

    /// What is known of the election.
    fn facts(case: &Case) -> Facts;

    /// What is known of it besides its messages.
    fn facts_of(_metric: Metric, _case: &Case) -> Facts {
        Facts::default()
    }
}

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Extinction<W> {
    id: Id,
    /// Whose wave it is in: the largest that came; `None` while none came.
    wave: Option<Id>,
    state: W,
}

/// A message of the wave that `wave` started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Of<M> {
    /// Who started it.
    pub wave: Id,
    /// The message.
    pub message: M,
}

impl<M: Message> Message for Of<M> {
    const KINDS: Kinds = M::KINDS.each_with_id();

    #[inline(always)]
    fn kind(&self) -> usize {
        self.message.kind()
    }

    fn listed_ids(&self) -> usize {
        self.message.listed_ids()
    }
}

/// The wave's outbox: it puts the name of the wave on every message.
struct Named<'a, O> {
    out: &'a mut O,
    wave: Id,
}

impl<M: Message, O: Outbox<Of<M>>> Outbox<M> for Named<'_, O> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        self.out.send_if(condition, port, Of { wave: self.wave, message });
    }

    #[inline(always)]
    fn flood(&mut self, degree: usize, but: Option<Port>, message: M) {
        self.out.flood(degree, but, Of { wave: self.wave, message });
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.out.follow_if(condition);
    }

    #[inline(always)]
    fn lead(&mut self) {
        self.out.lead();
    }

    #[inline(always)]
    fn started(&self) -> bool {
        self.out.started()
    }
}

impl<W: Centralised> Process for Extinction<W> {
    type Message = Of<W::Message>;

    fn new(local: &Local) -> Self {
        Extinction { id: local.id, wave: None, state: W::new(local) }
    }
}

impl<W: Centralised> Asynchronous for Extinction<W> {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Self::Message>) {
        self.wave = Some(self.id);
        self.state.start(&mut Named { out, wave: self.id });
    }

    #[inline(always)]
    fn receive(
        &mut self,
        from: Port,
        Of { wave, message }: Self::Message,
        out: &mut impl Outbox<Self::Message>,
    ) {
        if Some(wave) < self.wave {
            return;
        }
        if Some(wave) > self.wave {
            self.wave = Some(wave);
            self.state.forget();
            out.follow();
        }
        self.state.receive(from, message, &mut Named { out, wave });
    }
}

impl<W: Centralised> Algorithm for Extinction<W> {
    const NAME: &'static str = W::ELECTION;
    const SUMMARY: &'static str = W::SUMMARY;
    const SOURCE: &'static str = W::SOURCE;
    const FILE: &'static str = include_str!("extinction.rs");
    /// On a ring in one direction no schedule matters.
    const SPREAD: Option<Spread> = match Self::MODEL.on {
        On::Rings => None,
        _ => Some(Spread::BothWays),
    };
    // The only wave that knows a ring's direction is its token, which goes round once.
    const MODEL: Model = Model {
        on: W::ON,
        unidirectional: matches!(W::ON, On::Rings),
        ..Model::electing(Elects::LargestInitiator)
    };

    fn facts(case: &Case) -> Facts {
        W::facts(case)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        W::facts_of(metric, case)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::graph::{EchoWave, Echoing};
    use crate::model::process::{Recorded, Status};

    type Sent = Recorded<Of<Echoing>>;

    fn of(wave: Id, message: Echoing) -> Of<Echoing> {
        Of { wave, message }
    }

    /// Initiator 5 with two links, after `steps`; what the last one did.
    fn node(steps: &[(Port, Of<Echoing>)]) -> (Extinction<EchoWave>, Sent) {
        Recorded::replay(&Local { id: 5, degree: 2, ..Local::default() }, true, steps)
    }

    #[test]
    fn an_initiator_starts_a_wave_in_its_name() {
        assert_eq!(node(&[]).1.sent, [0, 1].map(|port| (port, of(5, Echoing::Explorer))));
    }

    #[test]
    fn a_larger_wave_finds_no_trace_of_the_old_one() {
        let (process, out) = node(&[(0, of(5, Echoing::Echo)), (0, of(7, Echoing::Explorer))]);
        assert_eq!(out.sent, [(1, of(7, Echoing::Explorer))]);
        assert_eq!((process.wave, out.status), (Some(7), Status::Follower));
    }

    #[test]
    fn a_smaller_wave_is_dropped() {
        let (process, out) = node(&[(0, of(3, Echoing::Explorer))]);
        assert_eq!((out, process), (Recorded::new(true), node(&[]).0));
    }

    #[test]
    fn the_end_of_the_own_wave_is_victory() {
        let (_, out) = node(&[(0, of(5, Echoing::Echo)), (1, of(5, Echoing::Echo))]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }
}
