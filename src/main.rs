//! The program: the standard algorithms on the command line.

use std::process::ExitCode;

use hustings::engine::Registry;

fn main() -> ExitCode {
    hustings::cli::run(Registry::standard())
}
