//! The command line as a whole: parse, dispatch, exit code.
//!
//! The program `hustings` is [`run`] with the standard registry. A program of your own is the same
//! with your algorithms in it, and all verbs know them:
//!
//! ```no_run
//! use hustings::prelude::*;
//! # type Mine = hustings::algorithm::ring::ChangRoberts;
//!
//! fn main() -> std::process::ExitCode {
//!     hustings::cli::run(Registry::standard().with(Entry::asynchronous::<Mine>()))
//! }
//! ```

mod arguments;
mod beside;
mod columns;
mod figure_file;
mod meter;
mod output;
mod signals;
mod single;
mod terminal;

mod baseline;
mod check;
mod compare;
mod completions;
mod elect;
mod exact;
mod filter;
mod list;
mod lower_bound;
mod man;
mod plot;
mod report;
mod reproduce;
mod run;
mod schedules;
mod shards;
mod summarise;
mod theory;
mod token_ring;
mod watch;
mod worst;

mod command;

use std::path::Path;
use std::process::ExitCode;

use crate::engine::Registry;
use crate::experiment::error::Error;
use command::Arguments;
use terminal::{note, say_instead};

/// Does what the arguments of the process say, with these algorithms: 0 if all is well, 1 if
/// something was found wrong, 2 if it could not be done.
pub fn run(registry: Registry) -> ExitCode {
    let command = match Arguments::of_process() {
        Ok(arguments) => arguments.command,
        Err(error) => {
            say_instead(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    signals::watch();
    let registry = registry.in_program(&program());
    match registry.check().map_err(Error::from).and_then(|()| command.run(&registry)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Interrupted) => {
            note(format_args!("error: {}", signals::stopped()));
            signals::exit_code()
        }
        Err(error) => {
            note(format_args!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

/// The name by which this program was called.
fn program() -> String {
    let path = std::env::args_os().next().unwrap_or_default();
    let stem = Path::new(&path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "hustings".to_owned())
}
