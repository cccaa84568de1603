//! Ctrl-C and requests to end: work is asked to stop, and if it does not within a moment, the process
//! ends anyway. Nothing is lost by that: every file is written as a whole.

use std::process::ExitCode;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::stop::Stop;

/// Asked by the first signal.
pub(crate) static STOP: Stop = Stop::new();

/// The first signal, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Who was killed by a signal ends with this and the signal's number.
const KILLED: i32 = 128;

/// What is said of work that was stopped.
pub(crate) fn stopped() -> String {
    format!("stopped; nothing is lost\n  to go on: {}", super::command_line())
}

/// The exit code of work that was stopped.
pub(crate) fn exit_code() -> ExitCode {
    ExitCode::from(u8::try_from(KILLED + SIGNAL.load(Ordering::Relaxed)).unwrap_or(2))
}

/// Watches for signals from now on.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::time::Duration;

    /// So long work may take to stop by itself.
    const GRACE: Duration = Duration::from_millis(700);
    /// So long it may take to say so.
    const LAST_WORDS: Duration = Duration::from_millis(100);

    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    // Without this thread a signal ends the process as usual.
    _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            SIGNAL.store(signal, Ordering::Relaxed);
            STOP.ask();
            std::thread::sleep(GRACE);
            crate::record::abandon();
            // Nobody may read what is said: that must not keep the process from ending.
            _ = std::thread::Builder::new()
                .spawn(|| super::terminal::note(format_args!("error: {}", stopped())));
            std::thread::sleep(LAST_WORDS);
            std::process::exit(KILLED + signal);
        }
    });
}

/// Other systems end the process as usual.
#[cfg(not(unix))]
pub(crate) fn watch() {}
