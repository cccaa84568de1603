//! Port-numbered networks: the ring, and any graph in compressed sparse rows.

use crate::process::{NEXT, PREV, Port};

/// A network whose nodes know their links by port numbers.
pub trait Topology {
    /// The number of nodes.
    fn nodes(&self) -> usize;

    /// The number of directed links, which [`Topology::link`] numbers from 0.
    fn links(&self) -> usize;

    /// The number of the directed link that leaves `node` by `port`.
    fn link(&self, node: u32, port: Port) -> usize;

    /// The node at the other end, and the port by which the link arrives there.
    fn peer(&self, node: u32, port: Port) -> (u32, Port);
}

/// The ring of n nodes: position i's clockwise neighbour is i + 1 (mod n). A ring of one is its
/// own neighbour; a ring of two has two parallel links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ring {
    n: u32,
}

impl Ring {
    /// The ring of `n` nodes; n is at least 1.
    pub fn new(n: u32) -> Self {
        Ring { n }
    }
}

impl Topology for Ring {
    fn nodes(&self) -> usize {
        self.n as usize
    }

    fn links(&self) -> usize {
        2 * self.n as usize
    }

    #[inline(always)]
    fn link(&self, node: u32, port: Port) -> usize {
        2 * node as usize + port
    }

    #[inline(always)]
    fn peer(&self, node: u32, port: Port) -> (u32, Port) {
        if port == NEXT {
            (if node + 1 == self.n { 0 } else { node + 1 }, PREV)
        } else {
            (if node == 0 { self.n - 1 } else { node - 1 }, NEXT)
        }
    }
}

/// Any network, in compressed sparse rows: the links of node v are `first[v]..first[v + 1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    first: Vec<usize>,
    peers: Vec<(u32, Port)>,
}

impl Graph {
    /// The graph with `n` nodes and these undirected edges. A node's ports are numbered in the
    /// order in which its edges are listed; a loop takes two ports, parallel edges one each.
    pub fn new(n: u32, edges: &[(u32, u32)]) -> Self {
        let mut first = vec![0; n as usize + 1];
        for &(a, b) in edges {
            first[a as usize + 1] += 1;
            first[b as usize + 1] += 1;
        }
        for node in 0..n as usize {
            first[node + 1] += first[node];
        }
        let mut used = vec![0; n as usize];
        let mut take = |node: u32| {
            let port = used[node as usize];
            used[node as usize] += 1;
            port
        };
        let mut peers = vec![(0, 0); 2 * edges.len()];
        for &(a, b) in edges {
            let (port_a, port_b) = (take(a), take(b));
            peers[first[a as usize] + port_a] = (b, port_b);
            peers[first[b as usize] + port_b] = (a, port_a);
        }
        Graph { first, peers }
    }

    /// The number of links at `node`.
    pub fn degree(&self, node: u32) -> usize {
        self.first[node as usize + 1] - self.first[node as usize]
    }
}

impl From<Ring> for Graph {
    /// The same ring, written out: the same ports lead to the same neighbours.
    fn from(ring: Ring) -> Self {
        let n = ring.nodes();
        let peers = (0..ring.n).flat_map(|v| [ring.peer(v, PREV), ring.peer(v, NEXT)]).collect();
        Graph { first: (0..=n).map(|v| 2 * v).collect(), peers }
    }
}

impl Topology for Graph {
    fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    fn links(&self) -> usize {
        self.peers.len()
    }

    fn link(&self, node: u32, port: Port) -> usize {
        self.first[node as usize] + port
    }

    fn peer(&self, node: u32, port: Port) -> (u32, Port) {
        self.peers[self.link(node, port)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_link_leads_back(topology: &impl Topology, degree: impl Fn(u32) -> usize) {
        for node in 0..topology.nodes() as u32 {
            for port in 0..degree(node) {
                let (peer, peer_port) = topology.peer(node, port);
                assert_eq!(topology.peer(peer, peer_port), (node, port));
                assert!(topology.link(node, port) < topology.links());
            }
        }
    }

    #[test]
    fn every_link_of_a_ring_leads_back() {
        for n in 1..6 {
            let ring = Ring::new(n);
            every_link_leads_back(&ring, |_| 2);
            let graph = Graph::from(ring);
            every_link_leads_back(&graph, |node| graph.degree(node));
        }
    }

    #[test]
    fn every_link_of_a_graph_leads_back() {
        let graph = Graph::new(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 2), (3, 3)]);
        assert_eq!((0..4).map(|node| graph.degree(node)).collect::<Vec<_>>(), [3, 3, 3, 3]);
        every_link_leads_back(&graph, |node| graph.degree(node));
    }
}
