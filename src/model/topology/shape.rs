//! The shape of a network: what theorems say of it beside its size.

use super::family::Topology;

/// What theorems say of a network beside its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of edges, each between two nodes.
    pub edges: u64,
    /// The number of nodes with one link.
    pub leaves: u64,
    /// The largest distance between two nodes, where somebody asked for it.
    pub diameter: Option<u64>,
}

impl Shape {
    /// The shape of the families that have one formula for every n; the others must be drawn.
    pub fn of(topology: &Topology, n: u64) -> Option<Self> {
        let (edges, leaves, diameter) = match topology {
            Topology::Ring if n > 2 => (u128::from(n), 0, n / 2),
            Topology::Ring | Topology::Path => {
                (u128::from(n) - 1, if n == 1 { 0 } else { 2 }, n - 1)
            }
            Topology::Star if n > 2 => (u128::from(n) - 1, n - 1, 2),
            Topology::Complete if n > 2 => (u128::from(n) * u128::from(n - 1) / 2, 0, 1),
            _ => return None,
        };
        let edges = u64::try_from(edges).ok()?;
        Some(Shape { edges, leaves, diameter: Some(diameter) })
    }
}
