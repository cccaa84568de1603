//! `hustings reproduce`: the built-in experiment from the first run to the page.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::columns::paragraph;
use super::plot::Plot;
use crate::batch::{self, Options};
use crate::error::{Error, Result};
use crate::plot;
use crate::report::{self, Manifest};
use crate::reproduce::Scale;
use crate::summarise::cells::{BoundVerdict, CellSummary, Summary};
use crate::summarise::table::Results;
use crate::summarise::words::{closing, contradiction, plain, short};

/// The experiment that the program knows by heart.
#[derive(Debug, Args)]
#[command(after_help = "\
Writes the results into data/NAME, figures and report.html into plots/NAME.
Exit code 0: theory is confirmed; 1: it is contradicted; 2: could not be done.

The same command goes on where an interrupted one stopped. Where the runs are
complete it only draws again.")]
pub struct Reproduce {
    /// Smaller rings and fewer runs, in seconds
    #[arg(long)]
    quick: bool,
    /// Larger rings and more runs, for the night
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// The name of the folders [default: reproduce, reproduce-quick, ...]
    #[arg(long)]
    name: Option<String>,
    /// The master seed [default: that of the spec]
    #[arg(long, value_parser = super::whole, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// The results folder [default: data/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The folder of figures and page [default: plots/NAME]
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// How many threads [default: all cores]
    #[arg(long, value_parser = super::whole, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Replace the results that are in the folder
    #[arg(long)]
    force: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
}

impl Reproduce {
    pub(super) fn run(&self) -> Result<()> {
        let scale = match (self.quick, self.full) {
            (true, _) => Scale::Quick,
            (_, true) => Scale::Full,
            _ => Scale::Usual,
        };
        let spec = scale.spec(self.name.as_deref(), self.seed)?;
        let usual = |parent: &str| Path::new(parent).join(&spec.name);
        let out = self.out.clone().unwrap_or_else(|| usual("data"));
        let plots = self.plots.clone().unwrap_or_else(|| usual("plots"));
        let options = Options {
            shard: None,
            threads: super::threads(self.threads)?,
            quiet: self.quiet,
            force: self.force,
            command: super::command_line(),
        };
        batch::run(&spec, &out, &options)?;
        if !self.quiet {
            eprintln!("statistics, figures and the page");
        }
        let results = Results::open(&out)?;
        let summary = Summary::of(&results)?;
        summary.write(&out)?;
        let drawn = plot::draw(&results, &summary)?;
        Plot::usual(&out).write(&drawn, &plots)?;
        let page = plots.join("report.html");
        let manifest = Manifest::read(&results)?;
        super::report::write_page(&page, &report::page(&manifest, &summary, &drawn)?)?;
        super::print(&format!(
            "{}\n{}\n\
             report   {}\nfigures  {}, SVG and PNG\ntables   {}\n",
            table(&summary),
            closing(&summary).lines().map(|line| paragraph("", line)).collect::<String>(),
            page.display(),
            plots.display(),
            out.display()
        ))?;
        match contradiction(&summary) {
            Some(text) => Err(Error::Contradicted(text)),
            None => Ok(()),
        }
    }
}

/// Every algorithm on the largest of its random rings.
fn table(summary: &Summary) -> String {
    let mut text = "messages on random rings, each algorithm at its largest n\n\n".to_owned();
    _ = writeln!(
        text,
        "  {:<19} {:>7} {:>21} {:>11}  verdict",
        "algorithm", "n", "measured (95 %)", "theory"
    );
    let random = |cell: &&CellSummary| cell.columns[2] == "random";
    let cells: Vec<&CellSummary> = summary.cells.iter().filter(random).collect();
    for same in cells.chunk_by(|a, b| a.columns[..6] == b.columns[..6]) {
        if let Some(cell) = same.iter().max_by_key(|cell| cell.n()) {
            _ = writeln!(text, "  {}", line(cell));
        }
    }
    text
}

fn line(cell: &CellSummary) -> String {
    let mut mean = cell.mean.map_or_else(|| "-".to_owned(), plain);
    if let Some((low, high)) = cell.interval.filter(|(low, high)| low < high) {
        mean += &format!(" ± {}", short((high - low) / 2.0));
    }
    let theory = cell.theory_mean.as_ref().map(|fact| plain(fact.value.as_f64()));
    let verdict = match cell.verdict_bounds {
        BoundVerdict::Violated => "BOUND VIOLATED".to_owned(),
        _ => cell.verdict_mean.to_string(),
    };
    let [algorithm, .., n] = &cell.columns;
    let theory = theory.unwrap_or_else(|| "-".to_owned());
    format!("{algorithm:<19} {n:>7} {mean:>21} {theory:>11}  {verdict}")
}
