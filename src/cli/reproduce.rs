//! `hustings reproduce`: the built-in experiment from the first run to the page.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{threads, whole};
use super::beside::{self, Beside};
use super::columns::paragraph;
use super::meter::Meter;
use super::plot::Plot;
use super::signals::STOP;
use super::terminal::{note, print};
use crate::engine::Registry;
use crate::experiment::built_in::Scale;
use crate::experiment::error::{Error, Result};
use crate::experiment::key::CellKey;
use crate::model::escape;
use crate::model::topology::RING;
use crate::results::Results;
use crate::results::batch::{self, Options};
use crate::show::{figure as plot, report};
use crate::summarise::words::{closing, contradiction, plain, short};
use crate::summarise::{BoundVerdict, CellSummary, MeanVerdict, Summary};

/// The experiment that the program knows by heart.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings reproduce
  hustings reproduce --quick --out data/mine --plots plots/mine

Writes the results into data/NAME, figures and report.html into plots/NAME.
Exit code 0: theory is confirmed; 1: it is contradicted; 2: could not be done.

The same command goes on where an interrupted one stopped. Where the runs are
complete it only draws again.")]
pub struct Reproduce {
    /// Smaller networks and fewer runs, in seconds
    #[arg(long)]
    quick: bool,
    /// Larger networks and more runs, for the night
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// The name of the folders [default: reproduce, reproduce-quick, ...]
    #[arg(long)]
    name: Option<String>,
    /// The master seed [default: that of the spec]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// The results folder [default: data/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The folder of figures and page [default: plots/NAME]
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// How many threads [default: all cores]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Replace the results that are in the folder
    #[arg(long)]
    force: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
}

impl Reproduce {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let scale = match (self.quick, self.full) {
            (true, _) => Scale::Quick,
            (_, true) => Scale::Full,
            _ => Scale::Usual,
        };
        let spec = scale.spec(registry, self.name.as_deref(), self.seed)?;
        let usual = |parent: &str| Path::new(parent).join(&spec.name);
        let out = self.out.clone().unwrap_or_else(|| usual("data"));
        let plots = self.plots.clone().unwrap_or_else(|| usual("plots"));
        let options = Options {
            shard: None,
            threads: threads(self.threads)?,
            force: self.force,
            stop: &STOP,
        };
        // Known before anything is run: half a minute later it would be too late.
        let page = plots.join("report.html");
        let output = super::report::page_output("plots", &page, &out)?;
        let figures = Plot::usual(&out);
        figures.check_folder(&plots)?;
        batch::run(&spec, &out, &options, &Meter::new(self.quiet))?;
        beside::run(scale, spec.seed, &out, &options, self.quiet)?;
        if !self.quiet {
            note("statistics, figures and the page");
        }
        let results = Results::open(&out, registry)?;
        let summary = Summary::of(&results)?;
        summary.write(&out)?;
        let drawn = plot::draw(&results, &summary)?;
        let beside = Beside::of(&results, &out, registry)?;
        let sections = beside.as_ref().map_or_else(|| Ok(Vec::new()), Beside::sections)?;
        let beside_elections = sections.iter().filter_map(|section| section.figure.as_ref());
        let files = figures.files(drawn.figures.iter().chain(beside_elections), &plots)?;
        super::plot::write(&files)?;
        output.write(report::page(&results, &summary, &drawn, &sections)?.as_bytes())?;
        print(&format!(
            "{}\n{}{}\n\
             report   {}\nfigures  {}, SVG and PNG\ntables   {}\n",
            table(&summary),
            beside.map_or_else(String::new, |beside| beside.text() + "\n"),
            closing(&summary).lines().map(|line| paragraph("", line)).collect::<String>(),
            escape::terminal(page.display()),
            escape::terminal(plots.display()),
            escape::terminal(out.display())
        ))?;
        match contradiction(&summary) {
            Some(text) => Err(Error::Contradicted(text)),
            None => Ok(()),
        }
    }
}

/// Every algorithm on the largest of its random rings, then on that of each family of networks.
fn table(summary: &Summary) -> String {
    let mut text = "messages on random rings, each algorithm at its largest n\n\n".to_owned();
    _ = writeln!(
        text,
        "{:<27} {:>7} {:>20} {:>10}  verdict",
        "algorithm", "n", "measured (95 %)", "theory"
    );
    for cell in largest(summary, |topology| topology == RING) {
        let CellKey { algorithm, n, .. } = &cell.key;
        let (mean, theory, verdict) = (measured(cell), theory(cell), verdict(cell));
        _ = writeln!(text, "{algorithm:<27} {n:>7} {mean:>20} {theory:>10}  {verdict}");
    }
    let mut networks = largest(summary, |topology| topology != RING);
    networks.sort_by(|a, b| a.key.topology.cmp(&b.key.topology));
    if networks.is_empty() {
        return text;
    }
    text += "\nmessages on trees and graphs, each algorithm at its largest n\n\n";
    _ = writeln!(
        text,
        "  {:<12} {:<13} {:>5} {:>18} {:>9}  verdict",
        "topology", "algorithm", "n", "measured (95 %)", "theory"
    );
    for cell in networks {
        let CellKey { algorithm, topology, n, .. } = &cell.key;
        let (mean, theory, verdict) = (measured(cell), theory(cell), verdict(cell));
        _ = writeln!(
            text,
            "  {topology:<12} {algorithm:<13} {n:>5} {mean:>18} {theory:>9}  {verdict}"
        );
    }
    text
}

/// The largest cell of every series in random order on these topologies.
fn largest(summary: &Summary, topology: impl Fn(&str) -> bool) -> Vec<&CellSummary> {
    let wanted = |cell: &&CellSummary| topology(&cell.key.topology) && cell.key.layout == "random";
    let cells: Vec<&CellSummary> = summary.cells.iter().filter(wanted).collect();
    let series = cells.chunk_by(|a, b| a.key.is_in_series_of(&b.key));
    series.filter_map(|same| same.iter().copied().max_by_key(|cell| cell.n())).collect()
}

fn measured(cell: &CellSummary) -> String {
    let mean = cell.mean.map_or_else(|| "-".to_owned(), plain);
    match cell.interval.filter(|(low, high)| low < high) {
        Some((low, high)) => format!("{mean} ± {}", short((high - low) / 2.0)),
        None => mean,
    }
}

fn theory(cell: &CellSummary) -> String {
    let theory = cell.theory_mean.as_ref().map(|fact| plain(fact.value.as_f64()));
    theory.unwrap_or_else(|| "-".to_owned())
}

/// The verdict on the mean; where it has no theorem, that on the bounds.
fn verdict(cell: &CellSummary) -> String {
    match (cell.verdict_bounds, cell.verdict_mean) {
        (BoundVerdict::Violated, _) => "BOUND VIOLATED".to_owned(),
        (BoundVerdict::Hold, MeanVerdict::NoTheorem) => "bounds hold".to_owned(),
        // The names of ring algorithms leave no room for more.
        (_, MeanVerdict::ConstantAgrees) if cell.key.topology == RING => "exactly".to_owned(),
        (_, mean) => mean.to_string(),
    }
}
