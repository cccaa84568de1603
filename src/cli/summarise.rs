//! `hustings summarise`: what a results folder says, beside its theorems.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::terminal::{json_text, print};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::model::error::Input;
use crate::model::metric::Metric;
use crate::model::theory::CURVES;
use crate::results::Results;
use crate::summarise::words::{closing, contradiction, short};
use crate::summarise::{BoundVerdict, CellSummary, FAMILY_ERROR, Failures, Series, Summary};

/// Statistics of a results folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings summarise data/average

Writes cells.csv and fits.csv into the folder. The means are held against exact
expectations with Holm's correction over all cells: the probability of any false
alarm is at most 0.001. Exit code 1: a theorem is contradicted.")]
pub struct Summarise {
    /// The results folder
    folder: PathBuf,
    /// What of the runs to print: messages, bits, time, end, rounds or
    /// max_node_messages; the tables have all
    #[arg(long, default_value = "messages")]
    metric: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print the reference curves as well
    #[arg(long)]
    curves: bool,
    /// Print nothing when all is well
    #[arg(long)]
    quiet: bool,
}

impl Summarise {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let metric: Metric = self.metric.parse()?;
        let results = Results::open(&self.folder, registry)?;
        let summary = Summary::of(&results)?;
        summary.write(&self.folder)?;
        let summary = summary.of_metric(metric);
        if summary.cells.is_empty() {
            let problem = "no cell of this folder tells it in every run";
            return Err(Input::new("metric", metric, problem, "use messages").into());
        }
        if self.json {
            print(&json_text(&as_json(&summary)))?;
        } else if !self.quiet {
            let curves = if self.curves { curve_table(&summary) } else { String::new() };
            print(&(table(&summary) + &curves + &closing(&summary)))?;
        }
        match contradiction(&summary) {
            Some(text) => Err(Error::Contradicted(text)),
            None => Ok(()),
        }
    }
}

/// All sizes, in ascending order.
fn sizes(summary: &Summary) -> BTreeSet<u64> {
    summary.cells.iter().map(CellSummary::n).collect()
}

fn as_json(summary: &Summary) -> serde_json::Value {
    let curves: Vec<_> = CURVES
        .iter()
        .map(|curve| {
            let values: Vec<_> = sizes(summary)
                .into_iter()
                .map(|n| json!({ "n": n, "value": (curve.value)(n) }))
                .collect();
            json!({ "name": curve.name, "source": curve.source, "values": values })
        })
        .collect();
    let fits: Vec<_> = summary
        .series
        .iter()
        .map(|series| {
            let mut object = json!(series);
            object["sentence"] = series.sentence().into();
            object
        })
        .collect();
    json!({
        "seed": summary.seed,
        "metric": summary.metric,
        "family_error": FAMILY_ERROR,
        "cells": summary.cells,
        "fits": fits,
        "curves": curves,
        "verdict": closing(summary).trim(),
        "contradicted": !summary.contradictions().is_empty(),
    })
}

fn table(summary: &Summary) -> String {
    let mut text = String::new();
    for same in summary.cells.chunk_by(|a, b| a.key.is_in_series_of(&b.key)) {
        _ = writeln!(text, "{}", same[0].key.series());
        _ = writeln!(
            text,
            "  {:>8} {:>8} {:>22} {:>11} {:>8} {:>6}  verdict",
            "n",
            "runs",
            format!("mean {}", summary.metric),
            "theory",
            "ratio",
            "z"
        );
        for cell in same {
            _ = writeln!(text, "  {}", line(cell));
        }
        for cell in same {
            text += &failure_line(cell);
        }
        let series = summary.series.iter().find(|it| it.key.is_in_series_of(&same[0].key));
        if let Some(series) = series {
            _ = writeln!(text, "  {}", fit_line(series));
        }
        text.push('\n');
    }
    text
}

fn line(cell: &CellSummary) -> String {
    let optional = |value: Option<f64>, format: fn(f64) -> String| {
        value.map_or_else(|| "-".to_owned(), format)
    };
    let mut mean = optional(cell.mean, short);
    if let Some((low, high)) = cell.interval {
        let half = (high - low) / 2.0;
        mean += &if half > 0.0 { format!(" ± {}", short(half)) } else { " (all)".to_owned() };
    }
    let theory = cell.theory_mean.as_ref().map(|fact| fact.value.as_f64());
    let mut verdict = cell.verdict_mean.to_string();
    match cell.verdict_bounds {
        BoundVerdict::Hold => verdict += ", bounds hold",
        BoundVerdict::Violated => verdict += ", BOUND VIOLATED",
        BoundVerdict::NoTheorem => {}
    }
    format!(
        "{:>8} {:>8} {mean:>22} {:>11} {:>8} {:>6}  {verdict}",
        cell.n(),
        format!("{}{}", cell.runs, if cell.sequential { "*" } else { "" }),
        optional(theory, short),
        optional(cell.measured_over_theory, |ratio| format!("{ratio:.5}")),
        optional(cell.z, |z| format!("{z:.2}")),
    )
}

/// How often it failed, where the algorithm may.
fn failure_line(cell: &CellSummary) -> String {
    let Some(Failures { runs, share, interval: (low, high) }) = cell.failures else {
        return String::new();
    };
    let percent = |share: f64| format!("{:.3}", share * 100.0);
    format!(
        "  n = {}: {runs} of {} runs failed, {} %, 95 % interval {} to {} %\n",
        cell.n(),
        cell.runs,
        percent(share),
        percent(low),
        percent(high)
    )
}

fn fit_line(series: &Series) -> String {
    let mut line = format!("fitted: {}", series.sentence().replacen(" = ", "\n       = ", 1));
    if let Ok(ranking) = &series.ranking
        && let Some(share) = ranking.same_growth
    {
        // What is ruled out goes on a line of its own.
        line = line.replacen("; ", "\n       ", 1);
        line += &format!("\n       same growth in {:.1} % of resamples", share * 100.0);
    }
    line
}

fn curve_table(summary: &Summary) -> String {
    let mut text = "to compare with\n".to_owned();
    for curve in CURVES {
        _ = writeln!(text, "  {} ({})", curve.name, curve.source);
        for n in sizes(summary) {
            _ = writeln!(text, "  {n:>8} {:>22}", short((curve.value)(n)));
        }
    }
    text + "\n"
}
