//! `hustings baseline`: what `check` compares with.

use std::path::PathBuf;

use clap::Args;

use crate::check::Baseline;
use crate::error::{Input, Result};
use crate::escape;

/// A baseline out of a results folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings baseline data/small -o small.baseline

A baseline is a small text file to commit beside the code: one line per cell
with runs, mean, standard deviation, extremes, a hash of all message counts and
the first thousand of them. The bounds of the spec come along.")]
pub struct MakeBaseline {
    /// The results folder
    folder: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file
    #[arg(long)]
    force: bool,
}

impl MakeBaseline {
    pub(super) fn run(&self) -> Result<()> {
        if self.out.exists() && !self.force {
            let problem = "this file is there already";
            let remedy = "name another, or replace it with --force";
            return Err(Input::new("out", self.out.display(), problem, remedy).into());
        }
        let baseline = Baseline::of(&self.folder)?;
        baseline.write(&self.out)?;
        let out = escape::terminal(self.out.display());
        eprintln!("{out} has {} cells", baseline.cells.len());
        Ok(())
    }
}
