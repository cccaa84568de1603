//! The network of an election: who hears whom, and who starts.

use super::asked::Explore;
use crate::engine::trace::Place;
use crate::model::election::Starts;
use crate::model::process::Port;
use crate::model::topology::Ring;

/// The links between the nodes, by number.
pub(super) struct Wires<'a> {
    pub(super) place: Place<'a>,
    /// Where each directed link ends.
    pub(super) ends: Vec<(u32, Port)>,
    /// The links that end at each node.
    pub(super) into: Vec<Vec<u32>>,
    /// Whether a node starts by itself.
    pub(super) initiates: Vec<bool>,
}

impl<'a> Wires<'a> {
    pub(super) fn new(asked: &Explore<'a>) -> Self {
        let nodes = asked.election.ids.len();
        let place = asked.graph.map_or(Place::Ring(Ring::new(nodes as u32)), Place::Graph);
        let mut ends = vec![(0, 0); place.links()];
        let mut into = vec![Vec::new(); nodes];
        for node in 0..nodes as u32 {
            for port in 0..place.degree(node) {
                let (peer, at) = place.peer(node, port);
                let link = place.link(node, port);
                ends[link] = (peer, at);
                into[peer as usize].push(link as u32);
            }
        }
        let mut initiates = vec![asked.election.starts == &Starts::All; nodes];
        for (node, _) in asked.election.starts.places().into_iter().flatten() {
            initiates[node as usize] = true;
        }
        Wires { place, ends, into, initiates }
    }
}
