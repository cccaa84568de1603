//! What waits in a queue.

/// An event and its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<T> {
    pub time: f64,
    pub event: T,
}
