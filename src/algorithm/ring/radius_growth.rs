//! Radius growth: as Hirschberg-Sinclair, but every probe comes back with a verdict.
//!
//! A lecture form of Hirschberg and Sinclair 1980.
//!
//! | | |
//! |-|-|
//! | Model | bidirectional ring, unique IDs, n unknown, any order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | about 4 n log2 n messages on average, at most 8 n ceil(log2 n) - 2n |
//!
//! ```text
//! start of phase p:          send <probe, id, ttl = 2^p, fit = true> both ways
//! on <probe, j, ttl, fit>:   j = id: lead
//!                            j > id: become passive, follow;    j < id: fit := false
//!                            ttl := ttl - 1;  ttl > 0: send it onwards
//!                                             else:    send <reply, j, fit> back
//! on <reply, j, fit>:        j ≠ id: send it onwards
//!                            j = id: both replies fit and still active: phase p+1
//! ```
//! A node that mail wakes starts its own phase 0 first. Since whoever sees a larger ID gives up at
//! once, some asynchronous schedules need fewer messages than others.

use super::hirschberg_sinclair::tabled;
use super::levels;
use crate::algorithm::count::{Count, Counter, Ranked, Scratch};
use crate::algorithm::{Algorithm, Elects, Model, Spread};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, PREV, Port, Process, opposite};
use crate::model::theory::{Case, Fact, Facts, Holds, ceil_log2};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct RadiusGrowth {
    id: Id,
    state: State,
    phase: u8,
    fit_replies: u8,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Asleep,
    Active,
    Passive,
}

/// What the nodes send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Growth {
    /// Looks for larger IDs.
    Probe {
        /// Whose probe.
        id: Id,
        /// How much further it goes.
        ttl: u32,
        /// Whether its sender can still become the leader.
        fit: bool,
    },
    /// Comes back with the verdict.
    Reply {
        /// Whose probe is answered.
        id: Id,
        /// Whether its sender can still become the leader.
        fit: bool,
    },
}

use Growth::{Probe, Reply};

kinds! { Growth {
    Probe: "probe", |w| w.id + w.hops + 1;
    Reply: "reply", |w| w.id + 1;
} }

impl Process for RadiusGrowth {
    type Message = Growth;

    fn new(local: &Local) -> Self {
        RadiusGrowth { id: local.id, state: State::Asleep, phase: 0, fit_replies: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.phase) + 1)
    }
}

impl RadiusGrowth {
    #[inline(always)]
    fn probe_both_ways(&self, out: &mut impl Outbox<Growth>) {
        // Beyond 32 bits the radius is larger than any ring.
        let ttl = 1u32.checked_shl(self.phase.into()).unwrap_or(u32::MAX);
        let probe = Probe { id: self.id, ttl, fit: true };
        out.send(NEXT, probe);
        out.send(PREV, probe);
    }
}

impl Asynchronous for RadiusGrowth {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Growth>) {
        self.state = State::Active;
        self.probe_both_ways(out);
    }

    #[inline(always)]
    fn receive(&mut self, from: Port, message: Growth, out: &mut impl Outbox<Growth>) {
        if self.state == State::Asleep {
            Asynchronous::start(self, out);
        }
        match message {
            Probe { id, .. } if id == self.id => out.lead(),
            Probe { id, ttl, fit } => {
                let larger = id > self.id;
                if larger {
                    self.state = State::Passive;
                    out.follow();
                }
                let (ttl, fit) = (ttl - 1, fit && larger);
                if ttl > 0 {
                    out.send(opposite(from), Probe { id, ttl, fit });
                } else {
                    out.send(from, Reply { id, fit });
                }
            }
            Reply { id, .. } if id != self.id => out.send(opposite(from), message),
            Reply { fit, .. } => {
                self.fit_replies += u8::from(fit);
                if self.fit_replies == 2 && self.state == State::Active {
                    self.fit_replies = 0;
                    self.phase += 1;
                    self.probe_both_ways(out);
                }
            }
        }
    }
}

/// If everybody starts and all phases are in step, an active node costs 4r messages in a phase of
/// radius r < n, and the largest, which alone is left in the end, 2n in its last.
fn count(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    if !ring.initiators()?.is_all() {
        return None;
    }
    let n = u64::from(ring.n());
    let phases = scratch.probe::<0>(ring.ranks);
    let (_, earlier) = phases.all().split_last()?;
    let replies =
        earlier.iter().enumerate().map(|(phase, tally)| (tally.active << phase) * 2).sum::<u64>();
    let time = Some(phases.time + n);
    let rounds = Some(phases.all().len() as u64);
    let messages = [replies + 2 * n, replies];
    Some(Count { time, end: time, rounds, ..Count::new(ring.n() - 1, &messages) })
}

impl Algorithm for RadiusGrowth {
    const NAME: &'static str = "radius-growth";
    const SUMMARY: &'static str = "as hirschberg-sinclair, but every probe returns a verdict";
    const SOURCE: &'static str = "Hirschberg and Sinclair 1980, lecture form";
    const FILE: &'static str = include_str!("radius_growth.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model::electing(Elects::LargestId);
    const COUNTER: Option<Counter> = Some(Counter { count, holds: Holds::Synchronous });

    /// With everybody starting at once; other starts and schedules need at most as many as the
    /// worst case.
    fn facts(case: &Case) -> Facts {
        let n = case.n;
        if n == 1 {
            return Facts::constant(2, "2", Self::SOURCE);
        }
        let source = "derivation in docs/method.md";
        if !case.is_all() {
            return Facts::default();
        }
        let power = 1u128 << ceil_log2(n);
        Facts {
            best: Some(Fact::whole(
                6 * u128::from(n) + 4 * (power - 2),
                "6n + 4(2^ceil(log2 n) - 2)",
                source,
            )),
            mean: Some(Fact::real(mean(n), "4n ceil(log2 n) + 2n - 4n sum_p 1/(2^p + 1)", source)),
            worst: Some(levels::RADIUS_GROWTH.worst_fact(n)),
            variance: tabled(n, &VARIANCES),
        }
        .holding_else_fewer(Holds::Synchronous)
    }

    /// As Hirschberg-Sinclair where everybody starts.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        if !case.is_all() {
            return Facts::default();
        }
        super::HirschbergSinclair::facts_of(metric, case).holding(Holds::Synchronous)
    }

    fn best_ring(n: u32) -> Option<Vec<u32>> {
        Some(super::ascending(n))
    }

    fn worst_ring(n: u32) -> Option<Vec<u32>> {
        levels::RADIUS_GROWTH.worst_ring(n)
    }
}

/// 4n⌈log2 n⌉ + 2n - 4n Σ_(p=1..⌈log2 n⌉-1) 1/(2^p + 1): a node is active in phase p, where it
/// costs 4·2^p messages, with probability 1/(2^p + 1); the last phase costs 2n. n is at least 2.
fn mean(n: u64) -> f64 {
    let phases = ceil_log2(n);
    let sum: f64 = (1..phases).map(|p| 1.0 / ((1u64 << p) as f64 + 1.0)).sum();
    let n = n as f64;
    4.0 * n * f64::from(phases) + 2.0 * n - 4.0 * n * sum
}

/// The variance for n = 2, 3, …, as fractions, over all rings.
const VARIANCES: [(u64, u64); 9] = [
    (0, 1),
    (0, 1),
    (128, 9),
    (128, 9),
    (4352, 75),
    (17_024, 225),
    (122_368, 1575),
    (14_848, 175),
    (553_984, 2835),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn receive(state: State, message: Growth) -> (RadiusGrowth, Recorded<Growth>) {
        let mut out = Recorded::new(true);
        let mut node = RadiusGrowth { id: 5, state, phase: 1, fit_replies: 1 };
        node.receive(PREV, message, &mut out);
        (node, out)
    }

    #[test]
    fn a_larger_id_on_the_way_clears_the_bit() {
        let (_, out) = receive(State::Active, Probe { id: 3, ttl: 2, fit: true });
        assert_eq!(out.sent, [(NEXT, Probe { id: 3, ttl: 1, fit: false })]);
        let (_, out) = receive(State::Active, Probe { id: 3, ttl: 1, fit: true });
        assert_eq!(out.sent, [(PREV, Reply { id: 3, fit: false })]);
    }

    #[test]
    fn whoever_sees_a_larger_id_becomes_passive() {
        let (node, out) = receive(State::Active, Probe { id: 9, ttl: 1, fit: true });
        assert_eq!(node.state, State::Passive);
        assert_eq!(
            (out.sent, out.status),
            (vec![(PREV, Reply { id: 9, fit: true })], Status::Follower)
        );
    }

    #[test]
    fn two_good_replies_double_the_radius_of_an_active_node_only() {
        let (_, out) = receive(State::Active, Reply { id: 5, fit: true });
        let probe = Probe { id: 5, ttl: 4, fit: true };
        assert_eq!(out.sent, [(NEXT, probe), (PREV, probe)]);
        let (_, out) = receive(State::Passive, Reply { id: 5, fit: true });
        assert_eq!(out.sent, []);
        let (_, out) = receive(State::Active, Reply { id: 5, fit: false });
        assert_eq!(out.sent, []);
    }
}
