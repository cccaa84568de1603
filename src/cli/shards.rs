//! `hustings status`, `merge` and `slurm`: experiments on more than one machine.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::signals::STOP;
use super::terminal::{json_text, note, print};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::key::CellKey;
use crate::experiment::plan::Plan;
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::escape;
use crate::results::batch::{self, Options};
use crate::results::{Folder, Progress, Results, is_complete};

/// What is done and what is missing.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings status data/average")]
pub struct Status {
    /// Results folders: one, or all shards of one experiment
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How many missing chunks are named one by one.
const NAMED: usize = 20;

impl Status {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let read = |path: &PathBuf| Folder::read_spec(path, registry);
        let specs = self.folders.iter().map(read).collect::<Result<Vec<_>>>()?;
        let (spec, hash) = (&specs[0], specs[0].hash());
        if let Some(other) = specs.iter().position(|other| other.hash() != hash) {
            let [first, other] = [0, other].map(|place| self.folders[place].clone());
            return Err(Error::Mixed { first, other });
        }
        let plan = Plan::new(spec)?;
        if let Some(complete) = self.folders.iter().find(|folder| is_complete(folder)) {
            // Whatever is wrong with it is told.
            Results::open(complete, registry)?.check_runs()?;
            return print(&match self.json {
                true => json_text(&json!({ "complete": true, "missing": [], "damaged": [] })),
                false => "complete\n".to_owned(),
            });
        }
        let progress = Progress::of(&self.folders, &plan, &hash, None);
        print(&match self.json {
            true => json_text(&as_json(&plan, &progress)),
            false => as_text(&plan, &progress),
        })
    }
}

/// The parts that cannot be trusted, each with what is wrong.
fn damaged(progress: &Progress) -> impl Iterator<Item = String> + '_ {
    progress.damaged.iter().map(|(path, problem)| format!("{}: {problem}", path.display()))
}

fn as_json(plan: &Plan, progress: &Progress) -> serde_json::Value {
    let missing: Vec<_> = missing_runs(plan, progress)
        .iter()
        .map(|Missing { chunks, cell, runs }| {
            json!({
                "chunk": chunks.start,
                "chunks": chunks.end - chunks.start,
                "cell": cell.words(),
                "first": runs.start,
                "end": runs.end,
            })
        })
        .collect();
    json!({
        "complete": false,
        "done": progress.done(),
        "chunks": plan.chunks(),
        "missing": missing,
        "damaged": damaged(progress).collect::<Vec<_>>(),
    })
}

fn as_text(plan: &Plan, progress: &Progress) -> String {
    let mut text = format!("{} of {} chunks are done\n", progress.done(), plan.chunks());
    for line in damaged(progress) {
        text += &format!("damaged: {}\n", escape::terminal(line));
    }
    let missing = missing_runs(plan, progress);
    for Missing { chunks, cell, runs } in missing.iter().take(NAMED) {
        let (first, last) = (chunks.start, chunks.end - 1);
        let which = match first == last {
            true => format!("chunk {first}"),
            false => format!("chunks {first} to {last}"),
        };
        text += &format!("missing: {which}, {cell}, runs {}..{}\n", runs.start, runs.end);
    }
    if missing.len() > NAMED {
        text += &format!("... and {} more\n", missing.len() - NAMED);
    }
    if missing.is_empty() {
        text += "nothing is missing; next: hustings merge\n";
    }
    text
}

/// Neighbouring chunks of a cell that are missing.
struct Missing {
    /// Their numbers in the plan.
    chunks: Range<u64>,
    cell: CellKey,
    runs: Range<u64>,
}

/// What is missing, neighbours taken together, so that there are never many more than parts.
fn missing_runs(plan: &Plan, progress: &Progress) -> Vec<Missing> {
    let mut missing: Vec<Missing> = Vec::new();
    for (cell, chunk) in progress.missing(plan) {
        let planned = &plan.cells[cell];
        let (number, runs) = (planned.first_chunk + chunk, planned.chunk(chunk));
        match missing.last_mut() {
            Some(last) if chunk > 0 && last.chunks.end == number => {
                last.chunks.end += 1;
                last.runs.end = runs.end;
            }
            _ => {
                let cell = planned.key().clone();
                missing.push(Missing { chunks: number..number + 1, cell, runs });
            }
        }
    }
    missing
}

/// Shards into one folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings merge shards/0 shards/1 shards/2 --out data/average

One folder that all shards have shared is merged in place: hustings merge DIR.
Exit code 1: chunks are missing; 2: the folders do not belong together.")]
pub struct Merge {
    /// The folders of all shards
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The results folder [default: the folder itself, if there is but one]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the results that are in the folder
    #[arg(long)]
    force: bool,
    /// Print nothing when all is well
    #[arg(long)]
    quiet: bool,
}

impl Merge {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let out = match (&self.out, self.folders.as_slice()) {
            (Some(out), _) => out.clone(),
            (None, [only]) => only.clone(),
            (None, _) => {
                let problem = "it is not clear where the results should go";
                let remedy = "say it with --out DIR";
                return Err(Input::new("out", "(nothing)", problem, remedy).into());
            }
        };
        let options = Options { force: self.force, stop: &STOP, ..Options::default() };
        let runs = batch::merge(registry, &self.folders, &out, &options)?;
        if !self.quiet {
            let out = escape::terminal(out.display());
            note(format_args!("{out}/runs.csv is complete: up to {runs} runs"));
        }
        Ok(())
    }
}

/// Scripts for a Slurm cluster.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings slurm data/specs/average.toml --shards 16 | bash

The array job runs the shards into one shared folder; the second job merges it
when all have ended well. What they print goes to DIR-logs.")]
pub struct Slurm {
    /// The spec, a TOML file
    spec: PathBuf,
    /// How many shards; clusters allow about 1000
    #[arg(long)]
    shards: u64,
    /// The results folder, on a file system that all nodes share [default: data/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Cores for each shard
    #[arg(long, default_value_t = 1)]
    cores: u64,
}

impl Slurm {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let spec = Spec::read(&self.spec, registry)?;
        Plan::new(&spec)?;
        if self.shards == 0 || self.cores == 0 {
            let field = if self.shards == 0 { "shards" } else { "cores" };
            let problem = "somebody must do the work";
            return Err(Input::new(field, 0, problem, "use 1 or more").into());
        }
        let program =
            std::env::current_exe().map_err(Error::file("find", Path::new("this program")))?;
        let out = self.out.clone().unwrap_or_else(|| Path::new("data").join(&spec.name));
        let absolute = |path: &Path| std::path::absolute(path).map_err(Error::file("find", path));
        print(&self.script(&spec.name, &program, &absolute(&self.spec)?, &absolute(&out)?))
    }

    fn script(&self, name: &str, program: &Path, spec: &Path, out: &Path) -> String {
        let Slurm { shards, cores, .. } = self;
        let last = shards - 1;
        // Beside the results, since a new results folder has to be empty.
        let mut logs = out.as_os_str().to_owned();
        logs.push("-logs");
        let [program, spec, out] = [program, spec, out].map(escape::shell);
        // sbatch fills in its own numbers behind a percent sign.
        let files = escape::shell(&logs).replace('%', "%%");
        let [name, logs] = [escape::shell(name), escape::shell(&logs)];
        format!(
            "#!/bin/bash
# Submits {shards} shards of {spec} and the job that merges them.
set -euo pipefail
mkdir -p {logs}
shards=$(sbatch --parsable --job-name={name} --array=0-{last} --cpus-per-task={cores} \\
  --requeue --open-mode=append --output={files}/%A_%a.log <<'JOB'
#!/bin/bash
exec {program} run {spec} --out {out} --threads {cores} --quiet
JOB
)
merge=$(sbatch --parsable --job-name={name}-merge --dependency=afterok:$shards \\
  --kill-on-invalid-dep=yes --output={files}/%A_merge.log <<'JOB'
#!/bin/bash
exec {program} merge {out}
JOB
)
echo \"shards: job $shards, merge: job $merge\"
"
        )
    }
}
