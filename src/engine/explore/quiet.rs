//! Panics that nobody need hear of.

use std::cell::Cell;
use std::panic::{set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Runs something that catches its panics, without a report of them.
///
/// A node is put into situations that no schedule may lead to, where its handler may panic with good
/// reason. Panics elsewhere are reported as before.
pub(super) fn quietly<T>(run: impl FnOnce() -> T) -> T {
    HOOK.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                report(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let result = run();
    IS_QUIET.set(false);
    result
}
