//! A figure that can be drawn of many results.

use super::drawing::Drawing;
use super::source::{Source, Subject};

/// A figure that can be drawn: what it is called, what is seen, and how it is made.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    /// Its name.
    pub name: &'static str,
    /// What is seen, in a line.
    pub line: &'static str,
    pub(super) about: Subject,
    pub(super) draw: fn(&Source) -> Drawing,
}
