//! The statistics in words: numbers of a few digits, what all verdicts come to, what is wrong.

use std::fmt::Write;

use super::cells::{BoundVerdict, CellSummary, FAMILY_ERROR, FEWEST_RUNS, MeanVerdict};
use super::summary::Summary;
use crate::model::metric::Metric;
use crate::model::theory::Certainty;

/// A number in at most about ten characters.
pub fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1e9 => format!("{value:.4e}"),
        size if size >= 1000.0 => format!("{value:.1}"),
        size if size >= 100.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// The same, but a whole number as it is: 4096, not 4096.0.
pub fn plain(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.0}") } else { short(value) }
}

/// What all verdicts come to, in a sentence or a few.
pub fn closing(summary: &Summary) -> String {
    let count = |verdict: MeanVerdict| {
        summary.cells.iter().filter(|cell| cell.verdict_mean == verdict).count()
    };
    let bounds = |verdict: BoundVerdict| {
        summary.cells.iter().filter(|cell| cell.verdict_bounds == verdict).count()
    };
    let good = count(MeanVerdict::Agrees) + count(MeanVerdict::ConstantAgrees);
    let bad = count(MeanVerdict::Differs) + count(MeanVerdict::ConstantDiffers);
    let mut text = match (good, bad) {
        (0, 0) => "no cell has both a tight theorem and runs enough to test it".to_owned(),
        (1, 0) => "the one tight theorem agrees".to_owned(),
        (_, 0) => format!("all {good} tight theorems agree"),
        _ => format!("{bad} of {} tight theorems DIFFER", good + bad),
    };
    let is_numerical = |cell: &&CellSummary| {
        let tested = [MeanVerdict::Agrees, MeanVerdict::Differs].contains(&cell.verdict_mean);
        let known = cell.theory_mean.as_ref().map(|fact| fact.certainty);
        tested && known == Some(Certainty::Numerical)
    };
    match summary.cells.iter().filter(is_numerical).count() {
        0 => {}
        // Nobody shall take it for a proof.
        count => _ = write!(text, ", {count} of them numerical within their errors"),
    }
    _ = write!(text, " (family error probability {FAMILY_ERROR}); bounds ");
    match bounds(BoundVerdict::Violated) {
        0 => _ = write!(text, "hold in {}", cells(bounds(BoundVerdict::Hold))),
        violated => {
            let all = violated + bounds(BoundVerdict::Hold);
            _ = write!(text, "are VIOLATED in {violated} of {}", cells(all));
        }
    }
    let few = count(MeanVerdict::TooFewRuns);
    if few > 0 {
        _ = write!(
            text,
            "\ntoo few runs for a verdict on the mean in {} (less than {FEWEST_RUNS})",
            cells(few)
        );
    }
    if summary.cells.iter().any(|cell| cell.sequential) {
        text += "\n* stopped by its own precision: interval and p hold at whatever run it stops";
    }
    text + "\n"
}

/// So many cells, in words.
fn cells(count: usize) -> String {
    format!("{count} cell{}", if count == 1 { "" } else { "s" })
}

/// What is wrong, cell by cell; `None` if nothing is.
pub fn contradiction(summary: &Summary) -> Option<String> {
    const NAMED: usize = 20;
    let found = summary.contradictions();
    if found.is_empty() {
        return None;
    }
    let mut text = format!("theorems are contradicted in {}", cells(found.len()));
    for cell in found.iter().take(NAMED) {
        _ = write!(text, "\n  {}:", cell.key);
        if cell.metric != Metric::Messages {
            _ = write!(text, " {}:", cell.metric);
        }
        let (mean, theory) = (cell.mean, cell.theory_mean.as_ref());
        let differs =
            matches!(cell.verdict_mean, MeanVerdict::Differs | MeanVerdict::ConstantDiffers);
        if let (true, Some(mean), Some(theory)) = (differs, mean, theory) {
            _ = write!(text, " mean {}, expected {}", short(mean), short(theory.value.as_f64()));
            _ = write!(text, " = {}", theory.formula);
            if let Some(p) = cell.p_holm {
                _ = write!(text, " (corrected p = {p:.1e})");
            }
        }
        if let Some(command) = &cell.offending_command {
            let best = cell.theory_best.as_ref().map(|fact| fact.value.to_string());
            let worst = cell.theory_worst.as_ref().map(|fact| fact.value.to_string());
            let or_open = |bound: Option<String>| bound.unwrap_or_else(|| "?".to_owned());
            _ = write!(
                text,
                " runs from {} to {}, bounds {} to {}\n    to see it again: {command}",
                or_open(cell.min.map(|value| value.to_string())),
                or_open(cell.max.map(|value| value.to_string())),
                or_open(best),
                or_open(worst)
            );
        }
    }
    if found.len() > NAMED {
        _ = write!(text, "\n  ... and {} more", found.len() - NAMED);
    }
    Some(text)
}
