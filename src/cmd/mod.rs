//! The verbs of the command line, one file each.

mod baseline;
mod check;
mod columns;
mod compare;
mod elect;
mod exact;
mod list;
mod meter;
mod output;
mod plot;
mod report;
mod reproduce;
mod run;
mod shards;
pub(crate) mod signals;
mod summarise;
pub(crate) mod terminal;
mod theory;

use clap::Subcommand;

use self::terminal::{note, print};
use crate::error::{Input, Result};
use crate::escape;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the built-in experiment: results, figures, page, verdicts
    Reproduce(reproduce::Reproduce),
    /// Hold one election and show what it came to, beside the theory
    Elect(elect::Elect),
    /// Run a batch of elections into a results folder
    Run(run::Run),
    /// Show what is done and what is missing in a results folder
    Status(shards::Status),
    /// Put the shards of an experiment together
    Merge(shards::Merge),
    /// Print the scripts that run a spec on a Slurm cluster
    Slurm(shards::Slurm),
    /// Go through all rings of a small size: exact mean, variance and distribution
    Exact(exact::Exact),
    /// Set the results of a folder beside their theorems
    Summarise(summarise::Summarise),
    /// Compare algorithms on the same rings
    Compare(compare::Compare),
    /// Draw the figures of a results folder
    Plot(plot::Plot),
    /// Make one self-contained page of a results folder
    Report(report::Report),
    /// Hold results against a baseline and against bounds
    Check(check::Check),
    /// Make a baseline for check out of a results folder
    Baseline(baseline::MakeBaseline),
    /// Show formulas, bounds and values for an algorithm
    Theory(theory::Theory),
    /// List algorithms, layouts, IDs, initiators and timings
    List(list::List),
}

impl Command {
    /// Does it.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Reproduce(reproduce) => reproduce.run(),
            Command::Elect(elect) => elect.run(),
            Command::Run(run) => run.run(),
            Command::Status(status) => status.run(),
            Command::Merge(merge) => merge.run(),
            Command::Slurm(slurm) => slurm.run(),
            Command::Exact(exact) => exact.run(),
            Command::Summarise(summarise) => summarise.run(),
            Command::Compare(compare) => compare.run(),
            Command::Plot(plot) => plot.run(),
            Command::Report(report) => report.run(),
            Command::Check(check) => check.run(),
            Command::Baseline(baseline) => baseline.run(),
            Command::Theory(theory) => theory.run(),
            Command::List(list) => list.run(),
        }
    }
}

/// The JSON of a result, as it is printed.
fn json(value: &serde_json::Value) -> String {
    escape::json(&format!("{value:#}\n"))
}

/// A whole number as an argument.
fn whole(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}, as in 12", u64::MAX))
}

/// How many threads a batch may have; none at all is refused.
fn threads(threads: Option<u64>) -> Result<Option<usize>> {
    if threads == Some(0) {
        let problem = "somebody must do the work";
        return Err(Input::new("threads", 0, problem, "use 1 or more").into());
    }
    Ok(threads.map(|threads| threads.min(1024) as usize))
}

/// What was typed, to be typed again. What had to be replaced has been by then.
fn command_to_go_on() -> String {
    let begun_anew =
        std::env::args_os().nth(1).is_some_and(|verb| verb == "run" || verb == "reproduce");
    // Arguments need not be text.
    let arguments = std::env::args_os().filter(|argument| !(begun_anew && argument == "--force"));
    arguments.map(escape::shell).collect::<Vec<_>>().join(" ")
}
