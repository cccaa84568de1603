//! The line of pseudocode that a trace shows is one that its file has, and what it says is true there.

use std::collections::BTreeSet;

use hustings::engine::Entry;
use hustings::engine::trace::Cause;
use hustings::experiment::cell::Setting;
use hustings::experiment::timing::Initiators;
use hustings::model::process::Id;
use hustings::model::stop::NEVER;
use hustings::show::trace::Trace;

use crate::common::{REGISTRY, cell, every_ring};

/// Those whose events are told by their lines, without the announcement.
fn tabled() -> impl Iterator<Item = &'static Entry> {
    let entries = REGISTRY.entries().iter().map(AsRef::as_ref);
    entries.filter(|entry: &&Entry| !entry.lines.is_empty())
}

/// Every ring of n with these starters.
fn every_trace(
    entry: &Entry,
    n: u32,
    initiators: &Initiators,
    timing: &str,
    see: &mut dyn FnMut(&Trace),
) {
    every_ring(n, |ranks| {
        let ids = ranks.iter().map(|&rank| Id::from(rank) + 1).collect();
        let timing = timing.parse().expect("a timing");
        let setting = Setting { initiators: initiators.clone(), timing, ..Setting::given(ids) };
        let mut runs = cell(&entry.name, setting).prepare(1).expect("a ring");
        see(&Trace::of_run(&mut runs, &NEVER, 0).expect("a trace"));
    });
}

/// All rings up to 5 where everybody starts, and up to 4 with every set of starters.
fn every_small_trace(entry: &Entry, see: &mut dyn FnMut(&Trace)) {
    for timing in ["sync", "exponential:1", "lifo"] {
        every_trace(entry, 5, &Initiators::All, timing, see);
        for n in 1..=4_u32 {
            for set in 1..1_u32 << n {
                let starters = (0..n).filter(|node| set >> node & 1 == 1).map(|node| (node, 0));
                every_trace(entry, n, &Initiators::At(starters.collect()), timing, see);
            }
        }
    }
}

#[test]
fn every_line_of_a_table_is_one_of_the_pseudocode() {
    assert!(tabled().count() >= 7);
    for entry in tabled() {
        let pseudocode = entry.page().pseudocode;
        let kinds: Vec<&str> = entry.kinds.names().chain(["start"]).collect();
        for (comes, _, words) in entry.lines {
            let found = pseudocode.iter().filter(|line| line.contains(words)).count();
            assert_eq!(found, 1, "{}: {words}", entry.name);
            let kind = comes.rsplit(' ').next().expect("a word");
            assert!(kinds.contains(&kind), "{}: {comes}", entry.name);
        }
    }
}

#[test]
fn every_event_of_small_rings_has_its_line_and_every_line_its_event() {
    for entry in tabled() {
        let mut seen = BTreeSet::new();
        every_small_trace(entry, &mut |trace| {
            for (event, line) in trace.events.iter().zip(&trace.lines) {
                let announced = match event.cause {
                    Cause::Mail { mail, .. } => entry.kinds.announces(trace.mail(mail).kind),
                    _ => false,
                };
                assert_eq!(line.is_none(), announced, "{}: {:?} {event:?}", entry.name, trace.ids);
                seen.extend(*line);
            }
        });
        let page = entry.page().pseudocode;
        let place = |words: &str| page.iter().position(|line| line.contains(words));
        for (comes, goes, words) in entry.lines {
            let line = place(words).expect("in the page");
            assert!(seen.contains(&line), "{}: no event is ({comes}, {goes})", entry.name);
        }
    }
}

/// What a line says of the ID that came and the node's own is true: `q > id:` is told where it was larger.
#[test]
fn what_a_line_says_is_true() {
    let simple = ["chang-roberts", "lelann", "clockwise", "hirschberg-sinclair", "franklin"];
    for entry in tabled().filter(|entry| simple.contains(&&*entry.name)) {
        let page = entry.page().pseudocode;
        let mut judged = 0;
        every_small_trace(entry, &mut |trace| {
            for (event, line) in trace.events.iter().zip(&trace.lines) {
                let line = &page[line.expect("a line")];
                let says = |sign: &str| {
                    line.contains(&format!("q {sign} id:"))
                        || line.contains(&format!("j {sign} id:"))
                };
                let Cause::Mail { mail, .. } = event.cause else {
                    assert!(
                        line.contains("initiator")
                            || line.contains("start")
                            || line.contains("active")
                    );
                    continue;
                };
                let (came, own): (Id, Id) =
                    (trace.mail(mail).short.parse().expect("an ID"), trace.id(event.node));
                let started = trace.starts.iter().any(|&(_, node)| node == event.node);
                assert!(!line.starts_with("not started") || !started, "{}: {line}", entry.name);
                for (sign, holds) in
                    [(">", came > own), ("<", came < own), ("=", came == own), ("≠", came != own)]
                {
                    assert!(holds || !says(sign), "{}: {came} at {own}: {line}", entry.name);
                    judged += u32::from(says(sign));
                }
            }
        });
        assert!(judged > 100, "{}", entry.name);
    }
}
