//! What the names in an experiment stand for: its algorithms, and what its files say.

use std::sync::Arc;

use super::files::Files;
use super::layout::Layout;
use crate::engine::{Entry, Registry};
use crate::model::error::Input;
use crate::model::topology::Topology;

/// Where the names in an experiment are looked up.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The algorithms.
    pub registry: &'a Registry,
    /// The files.
    pub files: &'a Files,
}

impl<'a> Names<'a> {
    /// The algorithm of that name.
    pub fn algorithm(&self, name: &str) -> Result<&'a Arc<Entry>, Input> {
        self.registry.named(name)
    }

    /// The topology of this text.
    pub fn topology(&self, text: &str) -> Result<Topology, Input> {
        Topology::parse(text, |path| self.files.network(path))
    }

    /// The layout of this text.
    pub fn layout(&self, text: &str) -> Result<Layout, Input> {
        Layout::parse(text, self.files)
    }
}
