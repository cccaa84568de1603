//! `hustings completions`: what a shell needs to complete verbs and flags.

use clap::Args;
use clap_complete::Shell;

use super::terminal::print;
use crate::experiment::error::Result;

/// What a shell needs to complete verbs and flags.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings completions bash > /etc/bash_completion.d/hustings
  hustings completions zsh > ~/.zfunc/_hustings
  hustings completions fish > ~/.config/fish/completions/hustings.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, mut line: clap::Command, program: &str) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut line, program, &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
