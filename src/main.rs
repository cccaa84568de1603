//! The command line: parse, dispatch, exit code.

use std::process::ExitCode;

use clap::Parser;
use hustings::cmd::Command;

/// Measures leader-election algorithms and sets every number beside its theorem.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 80, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
