//! `hustings report`: the page of a results folder.

use std::path::{Path, PathBuf};

use clap::Args;

use super::beside::Beside;
use super::filter::Filter;
use super::output::{Inputs, Output};
use super::terminal::print;
use crate::engine::Registry;
use crate::experiment::error::Result;
use crate::model::escape;
use crate::results::Results;
use crate::show::{figure as plot, report};
use crate::summarise::Summary;

/// One page that holds all.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings report data/average

The page is one HTML file that loads nothing: verdicts, figures, tables that
sort, what the numbers cannot say, how to repeat them, and the manifest. The
same results give the same bytes.")]
pub struct Report {
    /// The results folder
    folder: PathBuf,
    /// Only these algorithms, separated by commas
    #[arg(long, value_delimiter = ',')]
    algorithm: Vec<String>,
    #[command(flatten)]
    filter: Filter,
    /// The file to write [default: plots/NAME/report.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Do not print the name of the file
    #[arg(long)]
    quiet: bool,
}

impl Report {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let results = Results::open(&self.folder, registry)?;
        let usual = || Path::new("plots").join(&results.spec.name).join("report.html");
        let out = self.out.clone().unwrap_or_else(usual);
        let page = page_output("out", &out, &self.folder)?;
        let choice = self.filter.choice(&self.algorithm);
        let mut summary = Summary::of(&results)?;
        choice.check(summary.cells.iter().map(|cell| &cell.key))?;
        summary.cells.retain(|cell| choice.wants(&cell.key));
        summary.series.retain(|series| choice.wants_series(&series.key));
        let drawn = plot::draw_chosen(&results, &summary, None, &choice)?;
        let sections = match Beside::of(&results, &self.folder, registry)? {
            Some(beside) if self.algorithm.is_empty() => beside.sections()?,
            _ => Vec::new(),
        };
        page.write(report::page(&results, &summary, &drawn, &sections)?.as_bytes())?;
        if self.quiet || !page.is_file() {
            Ok(())
        } else {
            print(&format!("{}\n", escape::terminal(out.display())))
        }
    }
}

/// Where a page goes. Only an earlier page is replaced.
pub(super) fn page_output(field: &'static str, path: &Path, folder: &Path) -> Result<Output> {
    let remedy = "choose another file, or move it away";
    Output::new(field, path, Inputs(&[folder]))?.only_over(report::is_ours, remedy)
}
