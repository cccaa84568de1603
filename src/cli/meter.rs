//! How far a batch is: a bar on a terminal, a line now and then elsewhere.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::terminal::note;
use crate::model::escape;
use crate::results::batch::Observer;

/// Seconds between two lines where there is no terminal.
const LINE_SECONDS: u64 = 5;

/// Shows how far a batch is.
pub(super) struct Meter {
    bar: ProgressBar,
    /// Whether lines are written instead.
    lines: bool,
    start: Instant,
    runs: AtomicU64,
    messages: AtomicU64,
    all_runs: AtomicU64,
    /// Seconds after the start of the last line.
    last_line: AtomicU64,
}

impl Meter {
    pub(super) fn new(quiet: bool) -> Self {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let template = "{bar:24} {pos}/{len} runs  {msg}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Meter {
            lines: !quiet && bar.is_hidden(),
            bar,
            start: Instant::now(),
            runs: AtomicU64::new(0),
            messages: AtomicU64::new(0),
            all_runs: AtomicU64::new(0),
            last_line: AtomicU64::new(0),
        }
    }
}

impl Observer for Meter {
    fn begin(&self, cells: usize, runs: u64, resumed: bool) {
        self.all_runs.store(runs, Ordering::Relaxed);
        self.bar.set_length(runs);
        if self.lines && runs > 0 {
            let go_on = if resumed { " still to do" } else { "" };
            note(format_args!("{cells} cells, {runs} runs{go_on}"));
        }
    }

    fn damaged(&self, part: &Path, problem: &str) {
        let part = escape::terminal(part.display());
        note(format_args!("{part} is damaged ({problem}): its runs are done again"));
    }

    fn progress(&self, new_runs: u64, new_messages: u64) {
        let runs = self.runs.fetch_add(new_runs, Ordering::Relaxed) + new_runs;
        let messages = self.messages.fetch_add(new_messages, Ordering::Relaxed) + new_messages;
        let elapsed = self.start.elapsed();
        let rate = messages as f64 / elapsed.as_secs_f64() / 1e6;
        self.bar.set_message(format!("{rate:.0} million messages/s"));
        self.bar.inc(new_runs);
        let (last, now) = (self.last_line.load(Ordering::Relaxed), elapsed.as_secs());
        let is_due = self.lines && now >= last + LINE_SECONDS;
        let claim =
            || self.last_line.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed);
        if is_due && claim().is_ok() {
            let all_runs = self.all_runs.load(Ordering::Relaxed);
            let share = runs as f64 / all_runs as f64;
            let left =
                Duration::from_secs_f64(elapsed.as_secs_f64() * (1.0 / share - 1.0).max(0.0));
            let left = left.as_secs();
            note(format_args!(
                "{runs}/{all_runs} runs, {rate:.0} million messages/s, about {left} s left"
            ));
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
