//! What the numbers of an experiment cannot say.

use serde::Serialize;

use crate::model::theory::Certainty;
use crate::model::topology::RING;
use crate::summarise::{FEWEST_RUNS, MeanVerdict, Summary};

/// Something to keep in mind.
#[derive(Serialize)]
pub(super) struct Limit {
    title: &'static str,
    text: String,
}

/// What holds for every experiment, and what this one in particular leaves open.
pub(super) fn of(summary: &Summary) -> Vec<Limit> {
    let mut limits = vec![];
    let mut add = |title, text: String| limits.push(Limit { title, text });
    let cells = &summary.cells;
    let all = cells.len();
    let count = |verdict| cells.iter().filter(|cell| cell.verdict_mean == verdict).count();

    let open = count(MeanVerdict::NoTheorem);
    if open > 0 {
        let text = format!(
            "In {open} of {all} cells no exact expectation is known, so their means confirm nothing."
        );
        add("Not every mean has a theorem.", text);
    }
    let measured = |cell: &&crate::summarise::CellSummary| {
        cell.theory_mean.as_ref().is_some_and(|fact| fact.certainty == Certainty::Measured)
    };
    if cells.iter().any(|cell| measured(&cell)) {
        let text = "An expectation called measured comes from simulations like these: agreement with it \
                    is no independent evidence, and no verdict is given.";
        add("Some theory is itself measured.", text.to_owned());
    }
    let few = count(MeanVerdict::TooFewRuns);
    if few > 0 {
        let text = format!(
            "{few} of {all} cells have a theorem and less than {FEWEST_RUNS} runs: too few to test it."
        );
        add("Few runs say little.", text);
    }
    if cells.iter().any(|cell| cell.sequential) {
        let text = "Cells with a star stopped when their interval was narrow enough. Their interval and p \
                    are made for that and hold whenever one stops; they are wider than those of as many \
                    runs whose number was fixed. Medians, laws of growth and comparisons take the number \
                    of runs as fixed.";
        add("Some cells chose when to stop.", text.to_owned());
    }
    let counted = cells.iter().filter(|cell| cell.engine == "count").count();
    if counted > 0 {
        let text = format!(
            "In {counted} of {all} cells the messages were computed and not delivered; a sample of their \
             runs was simulated as well, unless the audit was switched off or one run was too long."
        );
        add("Counted is not simulated.", text);
    }
    let sizes = || cells.iter().map(|cell| cell.n());
    let doubled = sizes().all(u64::is_power_of_two) && sizes().any(|n| n != 1);
    if doubled {
        let text = "The cost of algorithms that probe in doubling distances jumps just above each power \
                    of two, and all sizes here are powers of two.";
        add("Powers of two flatter.", text.to_owned());
    }
    let fixed = |layout: &str| !matches!(layout, "random") && !layout.starts_with("nearly-sorted");
    if cells.iter().any(|cell| fixed(&cell.key.layout)) {
        let text = "A layout other than random is one ring, or a few: its number is exact, and says \
                    nothing about the rings in between.";
        add("A special ring is one ring.", text.to_owned());
    }
    if cells.iter().any(|cell| cell.key.topology != RING) {
        let text = "How many messages an algorithm for graphs needs depends on when they arrive and whom a node \
                    serves first. In rounds, in the order of ports, is one schedule of many; and a family of \
                    random graphs is one distribution of many.";
        add("On graphs the schedule matters.", text.to_owned());
    }
    for (title, text) in ALWAYS {
        add(title, (*text).to_owned());
    }
    limits
}

/// The same of every experiment; `docs/bias.md` has more.
const ALWAYS: &[(&str, &str)] = &[
    (
        "A count of messages is not a running time.",
        "Algorithms differ in how many messages travel at once, how long they wait and what a node \
         computes.",
    ),
    (
        "A random ring is a uniform one.",
        "Means are over all orders of the IDs, each equally likely. IDs given out along a ring may be near \
         the best or the worst case.",
    ),
    (
        "Nothing fails.",
        "No node crashes or lies, no message is lost. The cost of finding out that a leader is gone is not \
         here.",
    ),
    (
        "Agreement is no proof.",
        "A mean that agrees does not differ by more than its interval shows. Where a theorem is true, all \
         verdicts of an experiment together raise a false alarm once in a thousand experiments, at most.",
    ),
];
