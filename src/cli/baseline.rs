//! `hustings baseline`: what `check` compares with.

use std::path::PathBuf;

use clap::Args;

use super::output::{Inputs, Output};
use super::terminal::note;
use crate::check::Measured;
use crate::engine::Registry;
use crate::experiment::error::Result;
use crate::model::escape;

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
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let output = Output::new("out", &self.out, Inputs(&[&self.folder]))?
            .in_folder()?
            .only_over(|_| self.force, "name another, or replace it with --force")?;
        let measured = Measured::of(&self.folder, registry)?;
        output.write(measured.counts.to_text().as_bytes())?;
        let out = escape::terminal(self.out.display());
        note(format_args!("{out} has {} cells", measured.cells.len()));
        Ok(())
    }
}
