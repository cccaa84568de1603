//! A wish to end early: whoever works for long looks at it now and then.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work is asked to stop; shared by who asks and who works.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

/// Nobody ever asks.
pub static NEVER: Stop = Stop::new();

impl Stop {
    /// Nobody has asked yet.
    pub const fn new() -> Self {
        Stop(AtomicBool::new(false))
    }

    /// Asks to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
