//! `hustings run`: a batch of elections.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{threads, whole};
use super::meter::Meter;
use super::signals::STOP;
use super::terminal::{note, print};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::files::Files;
use crate::experiment::layout::Layout;
use crate::experiment::names::Names;
use crate::experiment::plan::{Plan, PlannedCell};
use crate::experiment::spec::{Draft, NOTHING, Raw, Spec};
use crate::model::error::Input;
use crate::model::escape;
use crate::results::Shard;
use crate::results::batch::{self, Ending, Options};

/// A batch: a spec file, or the same as flags.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings run data/specs/average.toml
  hustings run --algorithm chang-roberts,peterson --n 16..65536 --runs 1000
  hustings run data/specs/average.toml --shard 0/4 --out shards/0

The same command goes on where an interrupted one stopped, and ends in the same
bytes. Without --shard, the variables of Slurm arrays, Kubernetes indexed jobs
(with SHARDS) and Open MPI are honoured.")]
pub struct Run {
    /// The spec, a TOML file; flags replace its keys
    spec: Option<PathBuf>,
    #[command(flatten)]
    flags: Flags,
    /// The results folder [default: data/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do only part I of N, counted from 0: I/N; `hustings merge` makes the tables
    #[arg(long)]
    shard: Option<String>,
    /// How many threads [default: all cores]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Replace the results that are in the folder
    #[arg(long)]
    force: bool,
    /// Print what would be run, and run nothing
    #[arg(long)]
    dry_run: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
}

/// The keys of a spec as flags.
#[derive(Debug, Args)]
pub struct Flags {
    /// The name of the results folder [default: that of the spec file, or run]
    #[arg(long)]
    name: Option<String>,
    /// The master seed [default: 1]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Elections per cell, at most 10^10 [default: 1000]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    runs: Option<u64>,
    /// Stop a cell at this relative half-width of its 95 % interval, from 256 runs on: 0.5%
    /// [default: never]
    #[arg(long)]
    until: Option<String>,
    /// Algorithms, separated by commas; `hustings list` shows all
    #[arg(long)]
    algorithm: Option<String>,
    /// Sizes: 64,100 or 16..65536 (doubling) or '10..100 step 10'
    #[arg(long)]
    n: Option<String>,
    /// Who is whose neighbour, separated by commas: ring, grid, ... [default: ring]
    #[arg(long)]
    topology: Option<String>,
    /// Where the IDs stand, separated by commas: random, worst, ... [default: random]
    #[arg(long)]
    layout: Option<String>,
    /// Which IDs, separated by commas: dense, sparse, range:U (U a number, n, n^2, 2^32)
    /// [default: dense]
    #[arg(long)]
    ids: Option<String>,
    /// Who starts: all, one, count:K, share:P or at:0,3,5; may be given again [default: all]
    #[arg(long)]
    initiators: Vec<String>,
    /// How long messages take, separated by commas: sync, uniform:0..1, ... [default: sync]
    #[arg(long)]
    timing: Option<String>,
    /// Links need not keep the order of messages
    #[arg(long)]
    no_fifo: bool,
    /// How: simulate every message, count without, or auto [default: auto]
    #[arg(long)]
    engine: Option<String>,
    /// The share of counted runs that are simulated as well [default: 1%]
    #[arg(long)]
    audit: Option<String>,
}

impl Flags {
    fn draft(&self) -> Draft {
        let mut draft = Draft::default();
        let single = |value: &Option<String>| value.clone().map(Raw::Text);
        let number = |value: &Option<u64>| value.map(|value| Raw::Number(value.to_string()));
        let list = |value: &Option<String>| {
            let words = value.as_ref()?.split(',');
            Some(Raw::List(words.map(|word| Raw::Text(word.trim().to_owned())).collect()))
        };
        let repeated = (!self.initiators.is_empty())
            .then(|| Raw::List(self.initiators.iter().cloned().map(Raw::Text).collect()));
        for (key, value) in [
            ("name", single(&self.name)),
            ("seed", number(&self.seed)),
            ("runs", number(&self.runs)),
            ("until", single(&self.until)),
            ("algorithms", list(&self.algorithm)),
            ("n", list(&self.n)),
            ("topologies", list(&self.topology)),
            ("layouts", list(&self.layout)),
            ("ids", list(&self.ids)),
            ("initiators", repeated),
            ("timing", list(&self.timing)),
            ("fifo", self.no_fifo.then_some(Raw::Truth(false))),
            ("engine", single(&self.engine)),
            ("audit", single(&self.audit)),
        ] {
            if let Some(value) = value {
                draft.set(key, value, None);
            }
        }
        draft
    }
}

/// The name of a batch that has no spec file.
const UNNAMED: &str = "run";

impl Run {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let spec = match &self.spec {
            Some(path) => Spec::read_with(path, &self.flags.draft(), registry)?,
            None => {
                let names = Names { registry, files: &Files::on_disk() };
                let spec = Spec::from_drafts(&self.flags.draft(), &[], UNNAMED, names);
                spec.map_err(in_flags)?
            }
        };
        if self.dry_run {
            return print(&describe(&Plan::new(&spec)?));
        }
        let threads = threads(self.threads)?;
        let shard = match &self.shard {
            Some(text) => Some(parse_shard(text)?),
            None => shard_of_environment(|name| std::env::var(name).ok())?,
        };
        let out = self.out.clone().unwrap_or_else(|| Path::new("data").join(&spec.name));
        let options = Options { shard, threads, force: self.force, stop: &STOP };
        let ending = batch::run(&spec, &out, &options, &Meter::new(self.quiet))?;
        if !self.quiet {
            let (program, folder) = (escape::shell(registry.program()), escape::path(&out));
            let out = escape::terminal(out.display());
            match ending {
                Ending::Complete => note(format_args!("{out}/runs.csv is complete")),
                Ending::AlreadyComplete => {
                    note(format_args!("{out}/runs.csv was complete already"));
                }
                Ending::ShardDone => {
                    note(format_args!("the shard is done; next: {program} merge {folder}"));
                }
            }
        }
        Ok(())
    }
}

/// A missing key in the words of who wrote flags.
fn in_flags(error: Error) -> Error {
    let Error::Input(input) = error else { return error };
    let (flag, remedy) = match (input.field.as_str(), input.value.as_str()) {
        ("algorithms", NOTHING) => ("--algorithm", "add --algorithm chang-roberts"),
        ("n", NOTHING) => ("--n", "add --n 16..1024"),
        _ => return input.into(),
    };
    let remedy = format!("{remedy}, or name a spec file: hustings run SPEC");
    Input::new(flag, NOTHING, "this is needed to know what to run", remedy).into()
}

fn describe(plan: &Plan) -> String {
    let mut text = String::new();
    for cell in &plan.cells {
        let chunks = match cell.chunks() {
            1 => String::new(),
            chunks => format!(" in {chunks} chunks"),
        };
        let messages = in_short(cell.likely_messages());
        let runs = format!("{} runs{chunks}, {messages} messages each", cell.runs);
        text += &format!("{}\n    {runs}, {}\n", cell.key(), cell.method);
    }
    // Cells may stop early, and of most fixed layouts only the worst case is known.
    let bounded = |cell: &PlannedCell| {
        let layout = cell.cell.layout();
        let known = layout.is_random() || matches!(layout, Layout::Best | Layout::Worst);
        cell.until.is_some() || !known
    };
    text += &format!(
        "\n{} cells, {} runs, {} {} messages, {} on one core\n",
        plan.cells.len(),
        plan.runs(),
        if plan.cells.iter().any(bounded) { "at most about" } else { "about" },
        in_short(plan.likely_messages()),
        duration(plan.seconds())
    );
    text
}

/// A number as people read it: whole, or with a power of ten where it is long.
fn in_short(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.2e}") }
}

/// A time in the unit that fits, for people.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] = [
        (1.0, "seconds"),
        (60.0, "minutes"),
        (3600.0, "hours"),
        (86_400.0, "days"),
        (31_557_600.0, "years"),
    ];
    // Two of a unit are the fewest.
    let fits = |&&(unit, _): &&(f64, &str)| seconds >= 1.5 * unit;
    match UNITS.iter().rev().find(fits) {
        Some((unit, name)) => format!("{:.0} {name}", seconds / unit),
        None if seconds < 1.0 => "less than a second".to_owned(),
        None => "a second".to_owned(),
    }
}

/// A shard as "I/N".
fn parse_shard(text: &str) -> std::result::Result<Shard, Input> {
    let numbers = text.split_once('/').and_then(|(index, count)| {
        Some((index.trim().parse::<u64>().ok()?, count.trim().parse::<u64>().ok()?))
    });
    match numbers {
        Some((index, count)) if index < count => Ok(Shard { index, count }),
        _ => {
            let problem = "a shard is I/N with I from 0 to N - 1";
            Err(Input::new("shard", text, problem, "write it as 0/4"))
        }
    }
}

/// The shard that a cluster's own variables name, if any.
fn shard_of_environment(
    variable: impl Fn(&str) -> Option<String>,
) -> std::result::Result<Option<Shard>, Input> {
    let number = |name: &str| -> std::result::Result<Option<u64>, Input> {
        let Some(value) = variable(name) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| {
            let problem = "this variable should hold a whole number";
            Input::new(name, value, problem, "unset it, or use --shard I/N")
        })
    };
    let within = |index_name: &str, index: u64, count_name: &str, count: Option<u64>| match count {
        Some(count) if index < count => Ok(Some(Shard { index, count })),
        Some(count) => {
            let problem = format!("{count_name} is {count}, so it should be below that");
            Err(Input::new(index_name, index, problem, "use --shard I/N"))
        }
        None => {
            let problem = format!("{count_name} is not set, so the number of shards is unknown");
            Err(Input::new(
                index_name,
                index,
                problem,
                format!("set {count_name}, or use --shard I/N"),
            ))
        }
    };
    if let Some(task) = number("SLURM_ARRAY_TASK_ID")? {
        let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
        let index = task.saturating_sub(first);
        let count = number("SLURM_ARRAY_TASK_COUNT")?;
        return within("SLURM_ARRAY_TASK_ID", index, "SLURM_ARRAY_TASK_COUNT", count);
    }
    if let Some(index) = number("JOB_COMPLETION_INDEX")? {
        return within("JOB_COMPLETION_INDEX", index, "SHARDS", number("SHARDS")?);
    }
    if let Some(index) = number("OMPI_COMM_WORLD_RANK")? {
        let count = number("OMPI_COMM_WORLD_SIZE")?;
        return within("OMPI_COMM_WORLD_RANK", index, "OMPI_COMM_WORLD_SIZE", count);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(variables: &[(&str, &str)]) -> std::result::Result<Option<Shard>, Input> {
        shard_of_environment(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
        })
    }

    #[test]
    fn clusters_name_the_shard() {
        assert_eq!(shard(&[]), Ok(None));
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "5"),
            ("SLURM_ARRAY_TASK_MIN", "3"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
        ];
        assert_eq!(shard(&slurm), Ok(Some(Shard { index: 2, count: 4 })));
        let kubernetes = [("JOB_COMPLETION_INDEX", "0"), ("SHARDS", "3")];
        assert_eq!(shard(&kubernetes), Ok(Some(Shard { index: 0, count: 3 })));
        let mpi = [("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "2")];
        assert_eq!(shard(&mpi), Ok(Some(Shard { index: 1, count: 2 })));
        assert!(shard(&[("JOB_COMPLETION_INDEX", "0")]).is_err());
        assert!(shard(&[("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "2")]).is_err());
        assert!(shard(&[("SLURM_ARRAY_TASK_ID", "x")]).is_err());
    }

    #[test]
    fn a_time_is_told_in_the_unit_that_fits() {
        for (seconds, words) in [
            (0.0, "less than a second"),
            (0.99, "less than a second"),
            (1.2, "a second"),
            (1.6, "2 seconds"),
            (89.0, "89 seconds"),
            (91.0, "2 minutes"),
            (7200.0, "2 hours"),
            (1e6, "12 days"),
            (1e12, "31688 years"),
        ] {
            assert_eq!(duration(seconds), words);
        }
    }

    #[test]
    fn a_shard_is_below_the_number_of_shards() {
        assert_eq!(parse_shard("1/4"), Ok(Shard { index: 1, count: 4 }));
        for bad in ["4/4", "1", "a/4", "-1/4", "0/0", ""] {
            assert!(parse_shard(bad).is_err(), "{bad}");
        }
    }
}
