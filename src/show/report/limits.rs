//! What the numbers of an experiment cannot say.

use serde::Serialize;

use crate::model::theory::Certainty;
use crate::model::topology::RING;
use crate::summarise::{CellSummary, FEWEST_RUNS, MeanVerdict, Summary};

/// Something to keep in mind.
#[derive(Serialize)]
pub(super) struct Limit {
    title: &'static str,
    text: String,
}

impl Limit {
    fn new(title: &'static str, text: impl Into<String>) -> Self {
        Limit { title, text: text.into() }
    }
}

/// What this experiment in particular leaves open, and what every one does.
pub(super) fn of(summary: &Summary) -> Vec<Limit> {
    let particular = [
        not_every_mean_has_a_theorem,
        some_theory_is_measured,
        few_runs,
        some_chose_when_to_stop,
        counted_is_not_simulated,
        powers_of_two,
        special_rings,
        schedules_of_graphs,
    ];
    let here = particular.iter().filter_map(|limit| limit(&summary.cells));
    here.chain(ALWAYS.iter().map(|&(title, text)| Limit::new(title, text))).collect()
}

/// How many cells are such, of all; `None` if there are none.
fn share(cells: &[CellSummary], is_such: impl Fn(&CellSummary) -> bool) -> Option<String> {
    let such = cells.iter().filter(|cell| is_such(cell)).count();
    (such > 0).then(|| format!("{such} of {} cells", cells.len()))
}

fn not_every_mean_has_a_theorem(cells: &[CellSummary]) -> Option<Limit> {
    let open = share(cells, |cell| cell.verdict_mean == MeanVerdict::NoTheorem)?;
    let text = format!("In {open} no exact expectation is known, so their means confirm nothing.");
    Some(Limit::new("Not every mean has a theorem.", text))
}

fn some_theory_is_measured(cells: &[CellSummary]) -> Option<Limit> {
    let text = "An expectation called measured comes from simulations like these: agreement with it \
                is no independent evidence, and no verdict is given.";
    let mut theory = cells.iter().filter_map(|cell| cell.theory_mean.as_ref());
    let measured = theory.any(|fact| fact.certainty == Certainty::Measured);
    measured.then(|| Limit::new("Some theory is itself measured.", text))
}

fn few_runs(cells: &[CellSummary]) -> Option<Limit> {
    let few = share(cells, |cell| cell.verdict_mean == MeanVerdict::TooFewRuns)?;
    let text =
        format!("{few} have a theorem and less than {FEWEST_RUNS} runs: too few to test it.");
    Some(Limit::new("Few runs say little.", text))
}

fn some_chose_when_to_stop(cells: &[CellSummary]) -> Option<Limit> {
    let text = "Cells with a star stopped when their interval was narrow enough. Their interval and p \
                are made for that and hold whenever one stops; they are wider than those of as many \
                runs whose number was fixed. Medians, laws of growth and comparisons take the number \
                of runs as fixed.";
    let chose = cells.iter().any(|cell| cell.sequential);
    chose.then(|| Limit::new("Some cells chose when to stop.", text))
}

fn counted_is_not_simulated(cells: &[CellSummary]) -> Option<Limit> {
    let counted = share(cells, |cell| cell.engine == "count")?;
    let text = format!(
        "In {counted} the messages were computed and not delivered; a sample of their runs was \
         simulated as well, unless the audit was switched off or one run was too long."
    );
    Some(Limit::new("Counted is not simulated.", text))
}

fn powers_of_two(cells: &[CellSummary]) -> Option<Limit> {
    let text = "The cost of algorithms that probe in doubling distances jumps just above each power \
                of two, and all sizes here are powers of two.";
    let sizes = || cells.iter().map(CellSummary::n);
    let doubled = sizes().all(u64::is_power_of_two) && sizes().any(|n| n != 1);
    doubled.then(|| Limit::new("Powers of two flatter.", text))
}

fn special_rings(cells: &[CellSummary]) -> Option<Limit> {
    let text = "A layout other than random is one ring, or a few: its number is exact, and says \
                nothing about the rings in between.";
    let is_special = |layout: &str| layout != "random" && !layout.starts_with("nearly-sorted");
    let special = cells.iter().any(|cell| is_special(&cell.key.layout));
    special.then(|| Limit::new("A special ring is one ring.", text))
}

fn schedules_of_graphs(cells: &[CellSummary]) -> Option<Limit> {
    let text = "How many messages an algorithm for graphs needs depends on when they arrive and whom a \
                node serves first. In rounds, in the order of ports, is one schedule of many; and a \
                family of random graphs is one distribution of many.";
    let graphs = cells.iter().any(|cell| cell.key.topology != RING);
    graphs.then(|| Limit::new("On graphs the schedule matters.", text))
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
