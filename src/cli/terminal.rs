//! The only place that writes to standard output and standard error.
//!
//! A reader who has gone away is no error: a closed standard output ends quietly, a closed standard
//! error is ignored, and the exit code is still that of the result.

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::experiment::error::{Error, Result};
use crate::model::escape;

/// Writes a result to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::file("write", Path::new("standard output"))(error))
        }
        _ => Ok(()),
    }
}

/// Says what clap says instead of a command: the help that was asked for, or what was wrong, in which
/// an argument may hold anything.
pub(crate) fn say_instead(error: &clap::Error) {
    match error.use_stderr() {
        true => note(error.render().to_string().trim_end()),
        false => _ = error.print(),
    }
}

/// Writes a remark to standard error, with an end of line. Whatever is in the names that it has, it
/// neither moves the cursor nor changes colours.
pub(crate) fn note(text: impl std::fmt::Display) {
    let text = escape::lines(text) + "\n";
    // In one piece, so that remarks of several threads do not mix.
    _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The JSON of a result, as it is printed.
pub(super) fn json_text(value: &serde_json::Value) -> String {
    escape::json(&format!("{value:#}\n"))
}
