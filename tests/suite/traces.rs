//! What is written down event by event is what the engines count.

use hustings::engine::trace::{Cause, Stage};
use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::layout::{Ids, Layout};
use hustings::experiment::timing::Timing;
use hustings::model::stop::NEVER;

use crate::common::REGISTRY;

/// The settings that an algorithm allows, of many.
fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for entry in REGISTRY.entries() {
        for topology in ["ring", "path", "grid", "complete"] {
            for timing in ["sync", "uniform:0..1", "exponential:1", "lifo"] {
                for (initiators, n) in [("all", 1), ("all", 2), ("all", 9), ("count:3", 8)] {
                    for fifo in [true, false] {
                        let timing = timing.parse().map(|timing: Timing| {
                            if fifo { Ok(timing) } else { timing.without_fifo() }
                        });
                        let Ok(Ok(timing)) = timing else { continue };
                        let setting = Setting {
                            topology: topology.parse().expect("a topology"),
                            n: Some(n),
                            layout: Layout::Random,
                            ids: Ids::Dense,
                            initiators: initiators.parse().expect("initiators"),
                            timing,
                            limit: None,
                        };
                        cells.extend(Cell::new(entry, setting));
                    }
                }
            }
        }
    }
    cells
}

#[test]
fn a_trace_ends_in_the_outcome_of_the_engines_and_has_every_message_once() {
    let cells = cells();
    let mut shown: Vec<&str> = cells.iter().map(|cell| cell.algorithm().name.as_str()).collect();
    shown.dedup();
    assert_eq!(shown.len(), REGISTRY.entries().len(), "every algorithm");
    for cell in cells {
        let mut runs = cell.prepare(7).expect("rings");
        let mut simulator = (cell.algorithm().simulator)();
        for run in 0..3 {
            let outcome = runs.simulate(run, simulator.as_mut()).expect("an election");
            let hold = runs.hold(&NEVER, run, |graph, election, network| {
                let mut stage = Stage::new(cell.algorithm(), graph, election);
                let played = stage.play(network);
                let mut sent = 0;
                let mut received = 0;
                for (number, event) in stage.events().iter().enumerate() {
                    sent += event.sent.len();
                    if let Cause::Mail { event: cause, place, mail, .. } = event.cause {
                        assert!(cause < number, "a cause comes first");
                        let was = stage.events()[cause].sent[place];
                        assert_eq!((was.to, was.mail), (event.node, mail));
                        received += 1;
                    }
                }
                (played, sent, received)
            });
            let (played, sent, received) = hold.expect("a ring");
            assert_eq!(played.as_ref(), Ok(&outcome), "{:?} run {run}", cell.key());
            assert_eq!((sent as u64, received as u64), (outcome.messages, outcome.messages));
        }
    }
}
