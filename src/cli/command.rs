//! The verbs of the command line, one file each: which there are, and who does them.

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::{
    baseline, check, compare, completions, elect, exact, list, lower_bound, man, plot, report,
    reproduce, run, shards, summarise, theory, token_ring, watch, worst,
};
use crate::engine::Registry;
use crate::experiment::error::Result;
use crate::experiment::spec::OTHER_NUMBERS;

/// Measures leader-election algorithms and sets every number beside its theorem.
#[derive(Debug, Parser)]
// With the commit where it is known, see build.rs.
#[command(version = env!("HUSTINGS_VERSION"), max_term_width = 80, after_help = "\
Examples:
  hustings reproduce --quick
  hustings elect --algorithm chang-roberts --n 12

hustings COMMAND --help has examples of each.")]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Flags that are no keys of a spec and have a second name, too.
const SECOND_NAMES: [(&str, &str); 4] =
    [("metric", "metrics"), ("figure", "figures"), ("format", "formats"), ("out", "output")];

impl Arguments {
    /// The arguments of the process.
    pub(super) fn of_process() -> Result<Self, clap::Error> {
        let mut matches = Self::line().try_get_matches()?;
        Self::from_arg_matches_mut(&mut matches)
    }

    /// The whole command line, with what all verbs say alike.
    pub(super) fn line() -> clap::Command {
        alike(Self::command())
    }
}

/// Gives flags of the same name the same short form, names of values and second names.
fn alike(command: clap::Command) -> clap::Command {
    command.mut_args(flag).mut_subcommands(alike)
}

fn flag(arg: Arg) -> Arg {
    let Some(long) = arg.get_long().map(str::to_owned) else { return arg };
    let mut pairs = OTHER_NUMBERS.into_iter().chain(SECOND_NAMES);
    let arg = match pairs.find(|(one, other)| [*one, *other].contains(&long.as_str())) {
        Some((one, other)) => arg.alias(if one == long { other } else { one }),
        None => arg,
    };
    match long.as_str() {
        "n" => arg.short('n'),
        "out" => arg.short('o'),
        "algorithm" => arg.value_name("NAME"),
        _ => arg,
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the built-in experiment: results, figures, page, verdicts
    Reproduce(reproduce::Reproduce),
    /// Hold one election and show what it came to, beside the theory
    Elect(elect::Elect),
    /// Make a page of one election to step through
    Watch(watch::Watch),
    /// Run a batch of elections into a results folder
    Run(run::Run),
    /// Show what is done and what is missing in a results folder
    Status(shards::Status),
    /// Put the shards of an experiment together
    Merge(shards::Merge),
    /// Print the scripts that run a spec on a Slurm cluster
    Slurm(shards::Slurm),
    /// Go through all rings of a small size, or all schedules: exact values
    Exact(exact::Exact),
    /// Search for the worst ring, starters and schedule
    Worst(worst::FindWorst),
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
    /// Carry out the proofs of lower bounds against an algorithm
    LowerBound(lower_bound::LowerBound),
    /// Run a token ring that elects when its token is lost
    TokenRing(token_ring::TokenRing),
    /// List algorithms, layouts, IDs, initiators and timings
    List(list::List),
    /// Print what a shell needs to complete verbs and flags
    Completions(completions::Completions),
    /// Print the manual
    Man(man::Man),
}

impl Command {
    /// Does it, with these algorithms.
    pub fn run(self, registry: &Registry) -> Result<()> {
        match self {
            Command::Reproduce(reproduce) => reproduce.run(registry),
            Command::Elect(elect) => elect.run(registry),
            Command::Watch(watch) => watch.run(registry),
            Command::Run(run) => run.run(registry),
            Command::Status(status) => status.run(registry),
            Command::Merge(merge) => merge.run(registry),
            Command::Slurm(slurm) => slurm.run(registry),
            Command::Exact(exact) => exact.run(registry),
            Command::Worst(worst) => worst.run(registry),
            Command::Summarise(summarise) => summarise.run(registry),
            Command::Compare(compare) => compare.run(registry),
            Command::Plot(plot) => plot.run(registry),
            Command::Report(report) => report.run(registry),
            Command::Check(check) => check.run(registry),
            Command::Baseline(baseline) => baseline.run(registry),
            Command::Theory(theory) => theory.run(registry),
            Command::LowerBound(lower_bound) => lower_bound.run(registry),
            Command::TokenRing(token_ring) => token_ring.run(),
            Command::List(list) => list.run(registry),
            Command::Completions(completions) => {
                completions.run(Arguments::line(), registry.program())
            }
            Command::Man(man) => man.run(Arguments::line(), registry.program()),
        }
    }
}
