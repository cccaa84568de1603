//! The improved election of Dolev, Klawe and Rodeh: an ID that wins a phase goes 2^phase nodes far.
//!
//! D. Dolev, M. Klawe, M. Rodeh, "An O(n log n) unidirectional distributed algorithm for extrema
//! finding in a circle", J. Algorithms 3 (1982), algorithm B.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, FIFO links, any initiators |
//! | Elects | the largest initiator |
//! | Cost | at most 1.5 n log2 n + O(n) messages |
//!
//! ```text
//! initiator:          max := id; phase := 0; active; send <m1, max, phase, 2^phase>
//! on <m1, i, p, c>:   i = id: lead
//!   active:           i > max: max := i; phase := p; c = 0: passive, else: waiting
//!                     else: passive; send <m2, max>
//!   waiting, passive: passive; i ≥ max and c ≥ 1: max := i; c > 1: send <m1, i, p, c-1>
//!                                     c = 1: phase := p; waiting; send <m1, i, p, 0>
//!                     else: send <m1, i, p, 0>
//! on <m2, j>:         waiting: phase := phase + 1; active; send <m1, max, phase, 2^phase>
//!                     passive: j < max: swallow it, else: send it on
//! ```
//! A node that did not start is passive and has no max; it and who sees a larger ID follow.

use super::hirschberg_sinclair::AllRings;
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::theory::{Case, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct DolevKlaweRodehB {
    id: Id,
    /// The largest ID that it holds or has let pass.
    max: Option<Id>,
    phase: u8,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Active,
    Waiting,
    Passive,
}

use State::{Active, Passive, Waiting};

/// What the nodes send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    /// Goes ahead of an ID in the race.
    M1 {
        /// The ID.
        id: Id,
        /// Its phase.
        phase: u8,
        /// So many nodes may still stop it.
        hops: u32,
    },
    /// Tells the node that took over an ID that this one has won its phase.
    M2(Id),
}

use Stage::{M1, M2};

kinds! { Stage {
    M1: "m1", |w| w.id + w.phase + w.hops;
    M2: "m2", |w| w.id;
} }

impl Process for DolevKlaweRodehB {
    type Message = Stage;

    fn new(local: &Local) -> Self {
        DolevKlaweRodehB { id: local.id, max: None, phase: 0, state: Passive }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.phase) + 1)
    }
}

impl DolevKlaweRodehB {
    fn begin_phase(&mut self, id: Id, out: &mut impl Outbox<Stage>) {
        self.state = Active;
        out.send(NEXT, M1 { id, phase: self.phase, hops: 1 << self.phase });
    }

    fn relay(&mut self, id: Id, phase: u8, hops: u32, out: &mut impl Outbox<Stage>) {
        self.state = Passive;
        let stops = hops >= 1 && Some(id) >= self.max;
        if stops {
            self.max = Some(id);
        }
        if stops && hops == 1 {
            (self.state, self.phase) = (Waiting, phase);
        }
        out.send(NEXT, M1 { id, phase, hops: if stops { hops - 1 } else { 0 } });
    }
}

impl Asynchronous for DolevKlaweRodehB {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Stage>) {
        self.max = Some(self.id);
        self.begin_phase(self.id, out);
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, message: Stage, out: &mut impl Outbox<Stage>) {
        match (message, self.state) {
            (M1 { id, .. }, _) if id == self.id => out.lead(),
            (M1 { id, phase, hops }, state) => {
                out.follow_if(id > self.id || !out.started());
                match (state, self.max) {
                    (Active, Some(max)) if id < max => {
                        self.state = Passive;
                        out.send(NEXT, M2(max));
                    }
                    (Active, _) => {
                        (self.max, self.phase) = (Some(id), phase);
                        self.state = if hops == 0 { Passive } else { Waiting };
                    }
                    _ => self.relay(id, phase, hops, out),
                }
            }
            (M2(id), Waiting) => {
                debug_assert_eq!(self.max, Some(id), "who waits is told of the ID it holds");
                self.phase += 1;
                self.begin_phase(id, out);
            }
            (M2(id), state) => {
                debug_assert_eq!(state, Passive, "an active node has no ID in its care");
                out.send_if(Some(id) >= self.max, NEXT, message);
            }
        }
    }
}

impl Algorithm for DolevKlaweRodehB {
    const NAME: &'static str = "dolev-klawe-rodeh-b";
    const SUMMARY: &'static str = "as peterson, but the first message goes 2^phase nodes further";
    const SOURCE: &'static str = "Dolev, Klawe and Rodeh 1982, algorithm B";
    const FILE: &'static str = include_str!("dolev_klawe_rodeh_b.rs");
    const MODEL: Model =
        Model { needs_fifo: true, ..Model::electing(Elects::LargestInitiator).clockwise() };

    fn facts(case: &Case) -> Facts {
        let n = u128::from(case.n);
        if case.initiators == Some(1) {
            return Facts::constant(n, "n", Self::SOURCE);
        }
        if !case.is_all() {
            return Facts::default();
        }
        ALL_RINGS.facts(case.n)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match metric {
            _ if case.initiators != Some(1) => Facts::default(),
            Metric::Time | Metric::End => {
                Facts::constant(case.n.into(), "n", Self::SOURCE).holding(Holds::Synchronous)
            }
            Metric::Rounds | Metric::MaxNodeMessages => Facts::constant(1, "1", Self::SOURCE),
            _ => Facts::default(),
        }
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::descending(n))
    }
}

/// As fractions, for n = 2, 3, ….
const ALL_RINGS: AllRings = AllRings {
    means: &[
        (4, 1),
        (13, 2),
        (31, 3),
        (89, 6),
        (289, 15),
        (703, 30),
        (250, 9),
        (2047, 63),
        (15_779, 420),
    ],
    variances: &[
        (0, 1),
        (1, 4),
        (35, 9),
        (215, 36),
        (2173, 450),
        (2801, 900),
        (17_806, 2835),
        (576_227, 39_690),
        (40_442_491, 1_587_600),
    ],
    worst: &[4, 7, 13, 17, 21, 26, 38, 43, 48],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    fn receive(
        state: State,
        max: Option<Id>,
        message: Stage,
    ) -> (DolevKlaweRodehB, Recorded<Stage>) {
        let mut node = DolevKlaweRodehB { id: 5, max, phase: 1, state };
        let mut out = Recorded::new(max.is_some());
        node.receive(PREV, message, &mut out);
        (node, out)
    }

    fn m1(id: Id, hops: u32) -> Stage {
        M1 { id, phase: 2, hops }
    }

    #[test]
    fn an_active_node_takes_over_a_larger_id_and_waits_for_its_word() {
        let (node, out) = receive(Active, Some(5), m1(7, 3));
        assert_eq!((node.max, node.state), (Some(7), Waiting));
        assert_eq!((out.sent, out.status), (vec![], Status::Follower));
        let (node, out) = receive(Active, Some(5), m1(7, 0));
        assert_eq!((node.max, node.state, out.sent), (Some(7), Passive, vec![]));
    }

    #[test]
    fn an_active_node_that_stops_a_smaller_id_sends_word_ahead() {
        let (node, out) = receive(Active, Some(5), m1(3, 1));
        assert_eq!((node.state, out.sent), (Passive, vec![(NEXT, M2(5))]));
    }

    #[test]
    fn who_waits_for_the_word_of_its_id_begins_the_next_phase() {
        let (node, out) = receive(Waiting, Some(7), M2(7));
        assert_eq!((node.state, node.phase), (Active, 2));
        assert_eq!(out.sent, [(NEXT, m1(7, 4))]);
    }

    #[test]
    fn a_passive_node_keeps_an_id_on_its_last_hop() {
        let (node, out) = receive(Passive, Some(5), m1(7, 3));
        assert_eq!((node.max, node.state, out.sent), (Some(7), Passive, vec![(NEXT, m1(7, 2))]));
        let (node, out) = receive(Passive, None, m1(3, 1));
        assert_eq!((node.max, node.state, node.phase), (Some(3), Waiting, 2));
        assert_eq!((out.sent, out.status), (vec![(NEXT, m1(3, 0))], Status::Follower));
    }

    #[test]
    fn an_id_that_is_beaten_or_has_no_hops_left_only_passes() {
        for message in [m1(3, 3), m1(9, 0)] {
            let M1 { id, .. } = message else { unreachable!("made above") };
            let (node, out) = receive(Waiting, Some(7), message);
            assert_eq!((node.max, node.state), (Some(7), Passive));
            assert_eq!(out.sent, [(NEXT, m1(id, 0))]);
        }
    }

    #[test]
    fn word_of_a_beaten_id_is_swallowed() {
        assert_eq!(receive(Passive, Some(7), M2(6)).1.sent, []);
        assert_eq!(receive(Passive, Some(7), M2(8)).1.sent, [(NEXT, M2(8))]);
    }

    #[test]
    fn the_own_id_wins() {
        let (_, out) = receive(Passive, Some(5), m1(5, 0));
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }
}
