//! How values of flags are read, where several verbs have the same.

use crate::experiment::error::Result;
use crate::model::error::Input;

/// A whole number as an argument.
pub(super) fn whole(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}, as in 12", u64::MAX))
}

/// How many threads a batch may have; none at all is refused.
pub(super) fn threads(threads: Option<u64>) -> Result<Option<usize>> {
    if threads == Some(0) {
        let problem = "somebody must do the work";
        return Err(Input::new("threads", 0, problem, "use 1 or more").into());
    }
    Ok(threads.map(|threads| threads.min(1024) as usize))
}
