//! The participants of an election on any network.

use crate::algorithm::Algorithm;
use crate::model::election::Election;
use crate::model::process::Local;
use crate::model::topology::Ports;

/// Hands out the participants before the election, node by node; each knows what its model says.
///
/// It is compiled once for an algorithm, whatever the network and whoever takes them.
pub(super) fn participants<A: Algorithm>(
    topology: &dyn Ports,
    election: &Election<'_>,
    take: &mut dyn FnMut(A),
) {
    let diameter = if A::MODEL.knows_diameter { topology.diameter() } else { 0 };
    let mut neighbours = Vec::new();
    for (node, local) in (0..).zip(election.locals()) {
        let degree = topology.degree(node);
        if A::MODEL.knows_neighbours {
            let peer = |port| election.ids[topology.peer(node, port).0 as usize];
            neighbours.clear();
            neighbours.extend((0..degree).map(peer));
        }
        take(A::new(&Local { degree, neighbours: &neighbours, diameter, ..local }));
    }
}
