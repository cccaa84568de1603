//! Mail that changes nothing any more and is left out of the states: algorithms drawn from a seed, which
//! mean nothing and take every turn, come to the same with it and without.

use std::sync::Arc;

use hustings::engine::explore::{Ended, Explored, Wrong};
use hustings::experiment::schedules::{Schedules, Sets, Sites};
use hustings::experiment::timing::Initiators;
use hustings::model::stop::NEVER;
use hustings::prelude::*;

use crate::interleavings::replay;

/// A node whose table is drawn from the seed in its ID.
#[derive(Debug, Clone, PartialEq)]
struct Drawn {
    id: Id,
    /// How far it came; it never goes back.
    stage: u8,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Chip {
    colour: u8,
    /// How many more may follow from it, one after the other.
    left: u8,
}

impl Message for Chip {
    const KINDS: Kinds = Kinds::new(&[("chip", |_| 0)]);
}

/// So many IDs have one seed.
const IDS: Id = 8;
/// Seeds from here on have a stage in which one colour makes the handler panic.
const PANICS: Id = 1 << 20;

impl Drawn {
    /// Sixty-four bits for a situation.
    fn bits(&self, from: Port, colour: u8) -> u64 {
        let situation = [u64::from(self.stage), from as u64, u64::from(colour)];
        situation.iter().fold(self.id, |hash, part| {
            let word = (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            word ^ word >> 29
        })
    }
}

impl Process for Drawn {
    type Message = Chip;

    fn new(local: &Local) -> Self {
        Drawn { id: local.id, stage: 0 }
    }
}

impl Asynchronous for Drawn {
    fn start(&mut self, out: &mut impl Outbox<Chip>) {
        self.stage = 1;
        let wins = self.id % IDS == 3;
        if wins {
            out.lead();
        }
        out.follow_if(!wins);
        out.send(NEXT, Chip { colour: 0, left: 2 });
        out.send(PREV, Chip { colour: 1, left: 1 });
    }

    fn receive(&mut self, from: Port, Chip { colour, left }: Chip, out: &mut impl Outbox<Chip>) {
        if self.stage == 0 {
            Asynchronous::start(self, out);
        }
        let bits = self.bits(from, colour);
        assert!(self.id < PANICS || bits >> 40 & 31 != 0, "the drawn panic");
        self.stage += u8::from(self.stage < 3 && bits & 3 == 0);
        for (port, at) in [(NEXT, 8), (PREV, 16)] {
            let colour = (bits >> (at + 3)) as u8 & 3;
            out.send_if(
                left > 0 && bits >> at & 7 < 3,
                port,
                Chip { colour, left: left - left.min(1) },
            );
        }
    }
}

impl Algorithm for Drawn {
    const NAME: &'static str = "drawn";
    const SUMMARY: &'static str = "the third leads; nothing else means anything";
    const SOURCE: &'static str = "here";
    const MODEL: Model = Model::electing(Elects::LargestId);
}

/// What an election of these IDs comes to, as it is and reduced.
fn both(seed: Id, fifo: bool, staggered: bool) -> [Result<Explored, Ended>; 2] {
    [false, true].map(|reduced| {
        let asked = Schedules {
            algorithm: Arc::new(Entry::asynchronous::<Drawn>()),
            sites: Sites::Given(Topology::Ring, (1..=3).map(|rank| seed * IDS + rank).collect()),
            sets: Sets::Named(Initiators::All),
            fifo,
            staggered,
            reduced,
            memory: 1 << 30,
        };
        let instances = asked.instances().expect("an election");
        let found = asked.explore(&instances[0], &NEVER, &|_| {});
        if let Ok(found) = &found {
            replay(&asked.algorithm, &[(instances[0].clone(), found.clone())]);
        }
        found
    })
}

const WAYS: [(bool, bool); 3] = [(true, false), (true, true), (false, false)];

#[test]
fn what_is_inert_changes_no_extreme_of_algorithms_drawn_from_a_seed() {
    let (mut all, mut left, mut varied) = (0, 0, 0);
    for (fifo, staggered) in WAYS {
        for seed in 1..=80 {
            let [plain, reduced] = both(seed, fifo, staggered).map(|it| it.expect("an election"));
            let extremes = |found: &Explored| (found.min.messages, found.max.messages);
            assert_eq!(extremes(&plain), extremes(&reduced), "{seed} {fifo} {staggered}");
            assert!(reduced.states <= plain.states || reduced.commutes);
            varied += usize::from(plain.min.messages < plain.max.messages);
            (all, left) = (all + plain.states, left + reduced.states);
        }
    }
    // It is no test if nothing depends on the schedule or nothing is left out.
    assert!(varied > 60, "{varied}");
    assert!(left * 2 < all, "{left} of {all}");
}

#[test]
fn what_is_inert_hides_no_panic() {
    let (mut panics, mut none) = (0, 0);
    for (fifo, staggered) in WAYS {
        for seed in 1..=50 {
            match both(PANICS / IDS + seed, fifo, staggered) {
                [Err(Ended::Fault(plain)), Err(Ended::Fault(reduced))] => {
                    assert_eq!(plain.wrong, Wrong::Panic("the drawn panic".to_owned()));
                    assert_eq!(plain.wrong, reduced.wrong);
                    assert_eq!(plain.schedule.len(), reduced.schedule.len());
                    panics += 1;
                }
                [Ok(_), Ok(_)] => none += 1,
                found => panic!("{seed} {fifo} {staggered}: {found:?}"),
            }
        }
    }
    assert!(panics > 10 && none > 10, "{panics} {none}");
}
