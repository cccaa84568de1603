//! `hustings man`: the manual, a page for the program and one for each verb.

use std::path::{Path, PathBuf};

use clap::{Args, Command};

use super::output::{Inputs, Output};
use super::terminal::{note, print};
use crate::experiment::error::Result;
use crate::model::error::Input;

/// The manual: a page for the program and one for each verb.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings man | man -l -
  hustings man run | man -l -
  hustings man --out ~/.local/share/man/man1")]
pub struct Man {
    /// The page of this verb [default: that of the program]
    verb: Option<String>,
    /// Write all pages into this folder, over older ones
    #[arg(long, value_name = "DIR", conflicts_with = "verb")]
    out: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(&self, line: Command, program: &str) -> Result<()> {
        let pages = pages(line.name(program.to_owned()));
        if let Some(folder) = &self.out {
            return write(folder, &pages);
        }
        let wanted = self
            .verb
            .as_ref()
            .map_or_else(|| program.to_owned(), |verb| format!("{program}-{verb}"));
        match pages.iter().find(|(name, _)| *name == wanted) {
            Some((_, page)) => print(page),
            None => {
                let verbs =
                    pages.iter().filter_map(|(name, _)| name.strip_prefix(program)?.get(1..));
                let remedy = format!("the verbs are {}", verbs.collect::<Vec<_>>().join(", "));
                let verb = self.verb.as_deref().unwrap_or_default();
                Err(Input::new("verb", verb, "there is no such verb", &remedy).into())
            }
        }
    }
}

/// The pages by name.
fn pages(line: Command) -> Vec<(String, String)> {
    let whole = line.disable_help_subcommand(true);
    let verbs = whole.get_subcommands().map(|verb| {
        let name = format!("{}-{}", whole.get_name(), verb.get_name());
        // The page shows how it is called; clap knows the whole name only while it parses.
        let called = format!("{} {}", whole.get_name(), verb.get_name());
        verb.clone().name(name).bin_name(called).version(env!("CARGO_PKG_VERSION"))
    });
    let verbs: Vec<Command> = verbs.collect();
    std::iter::once(whole)
        .chain(verbs)
        .map(|command| (command.get_name().to_owned(), page(command)))
        .collect()
}

fn page(command: Command) -> String {
    let mut text = Vec::new();
    // A vector takes everything.
    let _ = clap_mangen::Man::new(command).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes the pages, after all have been checked.
fn write(folder: &Path, pages: &[(String, String)]) -> Result<()> {
    let is_page = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("\n.TH ");
    let mut outputs = Vec::new();
    for (name, page) in pages {
        let path = folder.join(format!("{name}.1"));
        let output = Output::new("out", &path, Inputs::default())?;
        outputs.push((output.only_over(is_page, "name another folder")?, page));
    }
    for (output, page) in &outputs {
        output.write(page.as_bytes())?;
    }
    note(format_args!("{} pages are in {}", outputs.len(), folder.display()));
    Ok(())
}
