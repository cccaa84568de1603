//! `hustings summarise`: what a results folder says, beside its theorems.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::arguments::table_format;
use super::columns::{common_parts, paragraph, parts_of, shown_columns};
#[cfg(feature = "parquet")]
use super::output::{Inputs, Output};
use super::terminal::{json_text, print};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::key::CellKey;
use crate::model::error::Input;
use crate::model::metric::Metric;
use crate::model::theory::CURVES;
use crate::results::Results;
#[cfg(feature = "parquet")]
use crate::results::{is_our_parquet, write_parquet};
use crate::show::table::{Format, Table, UNKNOWN};
use crate::summarise::words::{closing, contradiction, short};
use crate::summarise::{BoundVerdict, CellSummary, FAMILY_ERROR, Failures, Series, Summary};

/// Statistics of a results folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings summarise data/average
  hustings summarise data/average --metric time --format markdown
  hustings summarise data/average --export average.parquet

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
    /// How the table is written [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print the reference curves as well
    #[arg(long)]
    curves: bool,
    /// The runs as a Parquet file, too; needs a program built with the feature
    /// parquet
    #[arg(long, value_name = "FILE.parquet")]
    export: Option<PathBuf>,
    /// Print nothing when all is well
    #[arg(long)]
    quiet: bool,
}

impl Summarise {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let metric: Metric = self.metric.parse()?;
        let format = table_format(self.format, self.json)?;
        let export =
            self.export.as_ref().map(|path| Export::new(path, &self.folder)).transpose()?;
        let results = Results::open(&self.folder, registry)?;
        let summary = Summary::of(&results)?;
        summary.write(&self.folder)?;
        if let Some(export) = export {
            export.write(&results)?;
        }
        let summary = summary.of_metric(metric);
        if summary.cells.is_empty() {
            let problem = "no cell of this folder tells it in every run";
            return Err(Input::new("metric", metric, problem, "use messages").into());
        }
        if self.json {
            print(&json_text(&as_json(&summary)))?;
        } else if !self.quiet {
            print(&match format {
                Format::Text => self.text(&summary),
                format => whole_table(&summary, self.curves, format).to_string(format),
            })?;
        }
        match contradiction(&summary) {
            Some(text) => Err(Error::Contradicted(text)),
            None => Ok(()),
        }
    }
}

/// The runs as a Parquet file.
#[cfg(feature = "parquet")]
struct Export(Output);

#[cfg(feature = "parquet")]
impl Export {
    fn new(path: &Path, folder: &Path) -> Result<Self> {
        if path.extension().is_none_or(|it| it != "parquet") {
            let problem = "runs are exported into a file that ends in .parquet";
            let remedy = "name it like runs.parquet";
            return Err(Input::new("export", path.display(), problem, remedy).into());
        }
        let output = Output::new("export", path, Inputs(&[folder]))?;
        Ok(Export(output.only_over_file(is_our_parquet, "move it, or name another file")?))
    }

    fn write(&self, results: &Results) -> Result<()> {
        self.0.write_by(|file| write_parquet(results, file))
    }
}

/// The same in a program that cannot write it.
#[cfg(not(feature = "parquet"))]
enum Export {}

#[cfg(not(feature = "parquet"))]
impl Export {
    fn new(path: &Path, _: &Path) -> Result<Self> {
        let problem = "this program was built without the feature parquet";
        let remedy = "build it with cargo install --path . --features parquet";
        Err(Input::new("export", path.display(), problem, remedy).into())
    }

    fn write(&self, _: &Results) -> Result<()> {
        match *self {}
    }
}

impl Summarise {
    fn text(&self, summary: &Summary) -> String {
        let curves = if self.curves { curve_table(summary) } else { String::new() };
        let closing = closing(summary);
        let closing = closing.lines().map(|line| paragraph("", line));
        series_tables(summary) + &curves + &closing.collect::<String>()
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

/// The names of the columns of a cell.
fn columns(summary: &Summary) -> [String; 8] {
    let mean = format!("#mean {}", summary.metric);
    ["#n", "#runs", &mean, "#theory", "#ratio", "#z", "verdict", "bounds"].map(str::to_owned)
}

/// Series by series: its cells in a table, and how they grow.
fn series_tables(summary: &Summary) -> String {
    let mut text = String::new();
    for same in summary.cells.chunk_by(|a, b| a.key.is_in_series_of(&b.key)) {
        _ = writeln!(text, "{}", same[0].key.series());
        let mut table = Table::new(&columns(summary));
        same.iter().for_each(|cell| table.row(fields(cell)));
        text += &table.to_string(Format::Text);
        for cell in same {
            text += &failure_line(cell).map(|line| format!("  {line}\n")).unwrap_or_default();
        }
        let series = summary.series.iter().find(|it| it.key.is_in_series_of(&same[0].key));
        if let Some(series) = series {
            text += &fit_lines(series);
        }
        text.push('\n');
    }
    text
}

/// All cells in one table; how they grow and what they come to are said behind it.
fn whole_table(summary: &Summary, curves: bool, format: Format) -> Table {
    let keys: Vec<&CellKey> = summary.cells.iter().map(|cell| &cell.key).collect();
    let shown = shown_columns(&keys, format);
    let setting = shown.iter().map(|&place| CellKey::SERIES_COLUMNS[place].to_owned());
    let mut names: Vec<String> = setting.chain(columns(summary)).collect();
    if curves {
        names.extend(CURVES.iter().map(|curve| format!("#{}", curve.name)));
    }
    let mut table = Table::new(&names);
    table.say_before(common_parts(&keys, &shown));
    for cell in &summary.cells {
        let values = CURVES.iter().map(|curve| short((curve.value)(cell.n())));
        let values = values.filter(|_| curves);
        table.row(parts_of(&cell.key, &shown).chain(fields(cell)).chain(values));
    }
    for cell in &summary.cells {
        if let Some(line) = failure_line(cell) {
            table.say_after(format!("{}, {line}", cell.key.series()));
        }
    }
    for series in &summary.series {
        table.say_after(format!("{}: {}", series.key.series(), series.sentence()));
    }
    closing(summary).lines().for_each(|line| table.say_after(line));
    table
}

/// What stands in the columns of a cell.
fn fields(cell: &CellSummary) -> [String; 8] {
    let optional = |value: Option<f64>, format: fn(f64) -> String| {
        value.map_or_else(|| UNKNOWN.to_owned(), format)
    };
    let mut mean = optional(cell.mean, short);
    if let Some((low, high)) = cell.interval {
        // All runs alike: no interval, but no doubt either.
        mean += &format!(" ± {}", short((high - low) / 2.0).replace("0.000", "0"));
    }
    let theory = cell.theory_mean.as_ref().map(|fact| fact.value.as_f64());
    let bounds = match cell.verdict_bounds {
        BoundVerdict::Hold => "hold",
        BoundVerdict::Violated => "VIOLATED",
        BoundVerdict::NoTheorem => UNKNOWN,
    };
    [
        cell.n().to_string(),
        format!("{}{}", cell.runs, if cell.sequential { "*" } else { "" }),
        mean,
        optional(theory, short),
        optional(cell.measured_over_theory, |ratio| format!("{ratio:.5}")),
        optional(cell.z, |z| format!("{z:.2}")),
        cell.verdict_mean.to_string(),
        bounds.to_owned(),
    ]
}

/// How often it failed, where the algorithm may.
fn failure_line(cell: &CellSummary) -> Option<String> {
    let Failures { runs, share, interval: (low, high) } = cell.failures?;
    let percent = |share: f64| format!("{:.3}", share * 100.0);
    Some(format!(
        "n = {}: {runs} of {} runs failed, {} %, 95 % interval {} to {} %",
        cell.n(),
        cell.runs,
        percent(share),
        percent(low),
        percent(high)
    ))
}

fn fit_lines(series: &Series) -> String {
    let mut lines = series.sentence().replacen(" = ", "\n= ", 1);
    if let Ok(ranking) = &series.ranking
        && let Some(share) = ranking.same_growth
    {
        // What is ruled out goes on a line of its own.
        lines = lines.replacen("; ", "\n", 1);
        lines += &format!("\nsame growth in {:.1} % of resamples", share * 100.0);
    }
    let labels = std::iter::once("  fitted: ").chain(std::iter::repeat("       "));
    labels.zip(lines.lines()).map(|(label, line)| paragraph(label, line)).collect()
}

fn curve_table(summary: &Summary) -> String {
    let mut text = "to compare with\n".to_owned();
    for curve in CURVES {
        _ = writeln!(text, "  {}", curve.name);
        text += &paragraph("    ", curve.source);
        for n in sizes(summary) {
            _ = writeln!(text, "  {n:>8} {:>22}", short((curve.value)(n)));
        }
    }
    text + "\n"
}
