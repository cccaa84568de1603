//! `hustings compare`: algorithms on the same rings.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::terminal::{json_text, print};
use crate::engine::Registry;
use crate::experiment::error::Result;
use crate::summarise::compare::{Comparison, compare};

/// Paired differences, with intervals.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings compare data/average --algorithm chang-roberts,peterson
  hustings compare data/before data/after --algorithm chang-roberts

Runs of the same number meet the same ring where the seed is the same; their
differences are then taken ring by ring. Otherwise the samples are compared as
independent ones (Welch).")]
pub struct Compare {
    /// Results folders
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The algorithms, separated by commas
    #[arg(long, alias = "algorithms", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let algorithms: Vec<String> =
            self.algorithm.iter().map(|name| name.trim().to_owned()).collect();
        let rows = compare(registry, &self.folders, &algorithms)?;
        print(&match self.json {
            true => json_text(&json!({ "comparisons": rows })),
            false => text(&rows),
        })
    }
}

fn text(rows: &[Comparison]) -> String {
    let group = |row: &Comparison| {
        row.key.series().of(&format!("{} - {}", row.first, row.second)).to_string()
    };
    let mut text = String::new();
    for same in rows.chunk_by(|a, b| group(a) == group(b) && a.basis == b.basis) {
        let basis = &same[0].basis;
        let kind = if basis.paired { "paired" } else { "unpaired" };
        _ = writeln!(text, "{}\n{kind}: {}", group(&same[0]), basis.why);
        _ = writeln!(
            text,
            "  {:>8} {:>11} {:>24} {:>19} {:>12} {:>8}",
            "n", "runs", "difference of means", "ratio of means", "fewer 1 | 2", "p"
        );
        for row in same {
            _ = writeln!(text, "  {}", line(row));
        }
        text.push('\n');
    }
    let test = match rows.iter().any(|row| row.basis.paired) {
        true => "p: Wilcoxon's signed-rank test; Welch's where unpaired",
        false => "p: Welch's test",
    };
    text + "intervals: 95 %, after ±; fewer: share of rings on which the first | the second needs\n\
            fewer messages; "
        + test
        + "\n"
}

fn line(row: &Comparison) -> String {
    let with_half = |value: Option<f64>, interval: Option<(f64, f64)>, digits: usize| {
        let half = interval.map(|(low, high)| (high - low) / 2.0).filter(|half| *half > 0.0);
        match (value, half) {
            (Some(value), Some(half)) => format!("{value:.digits$} ± {half:.digits$}"),
            (Some(value), None) => format!("{value:.digits$}"),
            (None, _) => "-".to_owned(),
        }
    };
    let runs = match row.first_runs == row.second_runs {
        true => row.first_runs.to_string(),
        false => format!("{}|{}", row.first_runs, row.second_runs),
    };
    let fewer = match (row.first_fewer, row.second_fewer) {
        (Some(first), Some(second)) => format!("{:.0}%|{:.0}%", first * 100.0, second * 100.0),
        _ => "-".to_owned(),
    };
    let p = match row.p {
        None => "-".to_owned(),
        Some(p) if p < 1e-99 => "<1e-99".to_owned(),
        Some(p) if p < 0.001 => format!("{p:.0e}"),
        Some(p) => format!("{p:.3}"),
    };
    // Four digits that count, for small ratios too.
    let ratio_digits = match row.ratio {
        Some(ratio) if ratio > 0.0 && ratio < 0.1 => 3 + (-ratio.log10()) as usize,
        _ => 4,
    };
    format!(
        "{:>8} {runs:>11} {:>24} {:>19} {fewer:>12} {p:>8}",
        row.key.n,
        with_half(row.difference, row.difference_interval, 2),
        with_half(row.ratio, row.ratio_interval, ratio_digits),
    )
}
