//! Hirschberg and Sinclair's election: probe both sides as far as 1, 2, 4, … nodes.
//!
//! D. Hirschberg, J. Sinclair, "Decentralized extrema-finding in circular configurations of
//! processors", CACM 23 (1980).
//!
//! | | |
//! |-|-|
//! | Model | bidirectional ring, unique IDs, n unknown, any order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | about 3.14 n log2 n messages on average, at most 5 n ceil(log2 n) |
//!
//! ```text
//! start of phase l:         send <probe, id, l, 1> both ways
//! on <probe, j, l, h>:      j > id: follow; h < 2^l: send <probe, j, l, h+1> onwards
//!                                           else:    send <reply, j, l> back
//!                           j < id: swallow it
//!                           j = id: lead
//! on <reply, j, l>:         j ≠ id: send it onwards
//!                           j = id: the second one starts phase l+1
//! ```
//! A node that mail wakes starts its own phase 0 first.

use super::levels::{self, mean_of_probing};
use crate::algorithm::count::{Count, Counter, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Model, Spread};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, PREV, Port, Process, opposite};
use crate::model::theory::{Case, Certainty, Fact, Facts, Holds, ceil_log2};

/// Probing with doubling radii; the hop counter of a new probe starts at `FIRST_HOP`, so that
/// phase l reaches 2^l + 1 - `FIRST_HOP` nodes far.
#[derive(Debug, Clone, PartialEq)]
pub struct Probing<const FIRST_HOP: u32> {
    id: Id,
    awake: bool,
    phase: u8,
    replies: u8,
}

/// The algorithm with the radius 2^l of the paper.
pub type HirschbergSinclair = Probing<1>;

/// What the nodes send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Probe {
    /// Looks for larger IDs.
    Probe {
        /// Whose probe.
        id: Id,
        /// In which phase.
        phase: u8,
        /// How far it has come.
        hop: u32,
    },
    /// Tells that none was found.
    Reply {
        /// Whose probe is answered.
        id: Id,
        /// In which phase.
        phase: u8,
    },
}

use Probe::{Probe as ProbeOut, Reply};

kinds! { Probe {
    Probe: "probe", |w| w.id + w.phase + w.hops;
    Reply: "reply", |w| w.id + w.phase;
} }

impl<const FIRST_HOP: u32> Process for Probing<FIRST_HOP> {
    type Message = Probe;

    fn new(local: &Local) -> Self {
        Probing { id: local.id, awake: false, phase: 0, replies: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.phase) + 1)
    }
}

impl<const FIRST_HOP: u32> Probing<FIRST_HOP> {
    #[inline(always)]
    fn probe_both_ways(&self, out: &mut impl Outbox<Probe>) {
        let probe = ProbeOut { id: self.id, phase: self.phase, hop: FIRST_HOP };
        out.send(NEXT, probe);
        out.send(PREV, probe);
    }
}

impl<const FIRST_HOP: u32> Asynchronous for Probing<FIRST_HOP> {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Probe>) {
        self.awake = true;
        self.probe_both_ways(out);
    }

    #[inline(always)]
    fn receive(&mut self, from: Port, message: Probe, out: &mut impl Outbox<Probe>) {
        if !self.awake {
            Asynchronous::start(self, out);
        }
        match message {
            ProbeOut { id, phase, hop } => {
                if id > self.id {
                    out.follow();
                    if u64::from(hop) < 1 << phase {
                        out.send(opposite(from), ProbeOut { id, phase, hop: hop + 1 });
                    } else {
                        out.send(from, Reply { id, phase });
                    }
                } else if id == self.id {
                    out.lead();
                }
            }
            Reply { id, .. } if id != self.id => out.send(opposite(from), message),
            Reply { .. } => {
                self.replies += 1;
                if self.replies == 2 {
                    self.replies = 0;
                    self.phase += 1;
                    self.probe_both_ways(out);
                }
            }
        }
    }
}

/// Mail wakes everybody, so that the messages do not depend on the initiators, nor on the schedule:
/// whether a probe meets a larger ID within its radius depends on the ring alone. If everybody
/// starts, all phases are in step. Phase l reaches 2^l + `EXTRA` nodes far.
pub(super) fn count<const EXTRA: u64>(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let initiators = ring.initiators()?;
    let phases = scratch.probe::<EXTRA>(ring.ranks);
    let n = ring.n();
    let messages = phases
        .all()
        .iter()
        .fold([0, 0], |[probes, replies], phase| [probes + phase.probes, replies + phase.replies]);
    let time = initiators.is_all().then_some(phases.time + u64::from(n));
    let rounds = Some(phases.all().len() as u64);
    Some(Count { time, end: time, rounds, ..Count::new(n - 1, &messages) })
}

impl Algorithm for HirschbergSinclair {
    const NAME: &'static str = "hirschberg-sinclair";
    const SUMMARY: &'static str = "probe both sides, 1, 2, 4, ... nodes far";
    const SOURCE: &'static str = "Hirschberg and Sinclair 1980";
    const FILE: &'static str = include_str!("hirschberg_sinclair.rs");
    const SPREAD: Option<Spread> = Some(Spread::Never);
    const MODEL: Model = Model::electing(Elects::LargestId);
    const COUNTER: Option<Counter> = Some(Counter { count: count::<0>, holds: Holds::Always });

    /// The number of messages does not depend on the initiators: mail wakes everybody.
    fn facts(case: &Case) -> Facts {
        let n = case.n;
        if n == 1 {
            return Facts::constant(2, "2", Self::SOURCE);
        }
        let source = "derivation in docs/method.md";
        let power = 1u128 << ceil_log2(n);
        Facts {
            best: Some(Fact::whole(
                5 * u128::from(n) + 4 * (power - 2),
                "5n + 4(2^ceil(log2 n) - 2)",
                source,
            )),
            mean: Some(Fact::real(
                mean_of_probing(n, |phase| 1 << phase),
                "2n sum_l E_l, about 3.14 n log2 n",
                source,
            )),
            worst: Some(levels::HIRSCHBERG_SINCLAIR.worst_fact(n)),
            variance: tabled(n, &VARIANCES),
        }
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let power = 1u128 << ceil_log2(case.n);
        let time = (2 * (power - 1) + u128::from(case.n), "2(2^ceil(log2 n) - 1) + n");
        facts_of_phases(metric, case, time, (ceil_log2(case.n) + 1, "ceil(log2 n) + 1"))
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        levels::HIRSCHBERG_SINCLAIR.worst_ring(n)
    }
}

/// The phases go up to the first whose radius reaches round the ring, whoever starts. If everybody
/// does, each takes twice its radius, and the last n.
pub(super) fn facts_of_phases(
    metric: Metric,
    case: &Case,
    (time, time_formula): (u128, &str),
    (phases, phases_formula): (u32, &str),
) -> Facts {
    let source = "derivation in docs/method.md";
    match metric {
        Metric::Time | Metric::End if case.is_all() => {
            Facts::constant(time, time_formula, source).holding(Holds::Synchronous)
        }
        Metric::Rounds => Facts::constant(phases.into(), phases_formula, source),
        _ => Facts::default(),
    }
}

/// The variance for n = 2, 3, …, as fractions, over all rings.
const VARIANCES: [(u64, u64); 9] = [
    (0, 1),
    (0, 1),
    (32, 9),
    (65, 9),
    (464, 25),
    (5549, 225),
    (422_596, 11_025),
    (53_611, 1225),
    (1_365_352, 19_845),
];

/// A mean or a variance from a table that begins at n = 2.
pub(super) fn tabled(n: u64, table: &[(u64, u64)]) -> Option<Fact> {
    let &(numerator, denominator) = table.get(usize::try_from(n).ok()?.checked_sub(2)?)?;
    let formula = format!("{numerator}/{denominator}");
    let fact = Fact::real(numerator as f64 / denominator as f64, &formula, "all (n-1)! rings");
    Some(fact.known(Certainty::Enumerated))
}

/// What going through all rings of n = 2, 3, … has found, where descending IDs need the fewest messages, 2n.
pub(super) struct AllRings {
    pub(super) means: &'static [(u64, u64)],
    pub(super) variances: &'static [(u64, u64)],
    pub(super) worst: &'static [u128],
}

impl AllRings {
    /// The facts of rings of n, all of which start.
    pub(super) fn facts(&self, n: u64) -> Facts {
        let best = Fact::whole(2 * u128::from(n), "2n", "all rings up to n = 10");
        Facts {
            best: Some(best.known(Certainty::Enumerated)),
            mean: tabled(n, self.means),
            worst: tabled_whole(n, self.worst),
            variance: tabled(n, self.variances),
        }
    }
}

/// A number of messages from a table that begins at n = 2.
pub(super) fn tabled_whole(n: u64, table: &[u128]) -> Option<Fact> {
    let &messages = table.get(usize::try_from(n).ok()?.checked_sub(2)?)?;
    let fact = Fact::whole(messages, "by enumeration", "all (n-1)! rings");
    Some(fact.known(Certainty::Enumerated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn receive(message: Probe) -> Recorded<Probe> {
        let mut out = Recorded::new(true);
        let mut node = HirschbergSinclair { id: 5, awake: true, phase: 1, replies: 1 };
        node.receive(PREV, message, &mut out);
        out
    }

    #[test]
    fn a_larger_probe_goes_on_until_its_radius() {
        let out = receive(ProbeOut { id: 7, phase: 1, hop: 1 });
        assert_eq!(out.sent, [(NEXT, ProbeOut { id: 7, phase: 1, hop: 2 })]);
        let out = receive(ProbeOut { id: 7, phase: 1, hop: 2 });
        assert_eq!(out.sent, [(PREV, Reply { id: 7, phase: 1 })]);
        assert_eq!(out.status, Status::Follower);
    }

    #[test]
    fn a_smaller_probe_is_swallowed_and_the_own_wins() {
        let out = receive(ProbeOut { id: 3, phase: 1, hop: 1 });
        assert_eq!((out.sent, out.status), (vec![], Status::Undecided));
        let out = receive(ProbeOut { id: 5, phase: 1, hop: 2 });
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    #[test]
    fn the_second_reply_starts_the_next_phase() {
        let out = receive(Reply { id: 5, phase: 1 });
        let probe = ProbeOut { id: 5, phase: 2, hop: 1 };
        assert_eq!(out.sent, [(NEXT, probe), (PREV, probe)]);
        let out = receive(Reply { id: 9, phase: 1 });
        assert_eq!(out.sent, [(NEXT, Reply { id: 9, phase: 1 })]);
    }

    #[test]
    fn mail_wakes_a_sleeper_into_its_own_phase_0() {
        let mut out = Recorded::new(false);
        let mut node = HirschbergSinclair { id: 5, awake: false, phase: 0, replies: 0 };
        node.receive(PREV, ProbeOut { id: 3, phase: 0, hop: 1 }, &mut out);
        let probe = ProbeOut { id: 5, phase: 0, hop: 1 };
        assert_eq!(out.sent, [(NEXT, probe), (PREV, probe)]);
    }
}
