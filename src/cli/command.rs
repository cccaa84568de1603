//! The verbs of the command line, one file each: which there are, and who does them.

use clap::Subcommand;

use super::{
    baseline, check, compare, elect, exact, list, plot, report, reproduce, run, shards, summarise,
    theory,
};
use crate::experiment::error::Result;

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
