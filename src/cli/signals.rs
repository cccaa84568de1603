//! Ctrl-C and requests to end: work is asked to stop, and if it does not within a moment, the process
//! ends anyway. Nothing is lost by that: every file is written as a whole.

use std::process::ExitCode;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::model::escape;
use crate::model::stop::Stop;

/// Asked by the first signal.
pub(crate) static STOP: Stop = Stop::new();

/// The first signal, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Who was killed by a signal ends with this and the signal's number.
const KILLED: i32 = 128;

/// What is said of work that was stopped.
pub(crate) fn stopped() -> String {
    format!("stopped; nothing is lost\n  to go on: {}", command_to_go_on())
}

/// The exit code of work that was stopped.
pub(crate) fn exit_code() -> ExitCode {
    ExitCode::from(u8::try_from(KILLED + SIGNAL.load(Ordering::Relaxed)).unwrap_or(2))
}

/// Watches for signals from now on.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::time::Duration;

    /// So long work may take to stop by itself.
    const GRACE: Duration = Duration::from_millis(700);
    /// So long it may take to say so.
    const LAST_WORDS: Duration = Duration::from_millis(100);

    // Who was started with a signal ignored, as by nohup, goes on ignoring it.
    let mut watched = vec![SIGINT, SIGTERM, SIGHUP];
    watched.retain(|&signal| !is_ignored(signal));
    // A file that may not grow is an error of writing, and no reason to be killed.
    watched.push(SIGXFSZ);
    let Ok(mut signals) = Signals::new(watched) else { return };
    // Without this thread a signal ends the process as usual.
    _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().find(|&signal| signal != SIGXFSZ) {
            SIGNAL.store(signal, Ordering::Relaxed);
            STOP.ask();
            std::thread::sleep(GRACE);
            crate::results::abandon();
            // Nobody may read what is said: that must not keep the process from ending.
            _ = std::thread::Builder::new()
                .spawn(|| super::terminal::note(format_args!("error: {}", stopped())));
            std::thread::sleep(LAST_WORDS);
            std::process::exit(KILLED + signal);
        }
    });
}

/// Whether this process was started with a signal ignored, where the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Other systems end the process as usual.
#[cfg(not(unix))]
pub(crate) fn watch() {}

/// What was typed, to be typed again. What had to be replaced has been by then.
fn command_to_go_on() -> String {
    let begun_anew =
        std::env::args_os().nth(1).is_some_and(|verb| verb == "run" || verb == "reproduce");
    // Arguments need not be text.
    let arguments = std::env::args_os().filter(|argument| !(begun_anew && argument == "--force"));
    arguments.map(escape::shell).collect::<Vec<_>>().join(" ")
}
