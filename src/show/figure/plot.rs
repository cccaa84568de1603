//! A figure that can be drawn of many results.

use super::drawing::Drawing;
use super::source::{Source, Subject};
use crate::model::metric::Metric;

/// What figures about messages alone can be drawn of.
pub(super) const MESSAGES: &[Metric] = &[Metric::Messages];

/// What is there for every node, so that it can be divided among them.
pub(super) const OF_NODES: &[Metric] = &[Metric::Messages, Metric::Bits, Metric::Time, Metric::End];

/// A figure that can be drawn: what it is called, what is seen, and how it is made.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    /// Its name.
    pub name: &'static str,
    /// What is seen, in a line.
    pub line: &'static str,
    pub(super) about: Subject,
    /// Of what it can be drawn.
    pub(super) metrics: &'static [Metric],
    pub(super) draw: fn(&Source) -> Drawing,
}
