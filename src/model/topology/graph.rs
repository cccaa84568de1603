//! Networks with numbered ports: the ring, and any graph in compressed sparse rows.

use std::sync::OnceLock;

use crate::model::process::{NEXT, PREV, Port};

/// A network whose nodes know their links by port numbers.
pub trait Ports {
    /// The number of nodes.
    fn nodes(&self) -> usize;

    /// The number of links at `node`: its ports are 0 up to this.
    fn degree(&self, node: u32) -> usize;

    /// The largest distance between two nodes.
    fn diameter(&self) -> u64;

    /// The number of directed links, which [`Ports::link`] numbers from 0.
    fn links(&self) -> usize;

    /// The number of the directed link that leaves `node` by `port`.
    fn link(&self, node: u32, port: Port) -> usize;

    /// The node at the other end, and the port by which the link arrives there.
    fn peer(&self, node: u32, port: Port) -> (u32, Port);
}

impl<T: Ports> Ports for &T {
    fn nodes(&self) -> usize {
        (**self).nodes()
    }

    fn degree(&self, node: u32) -> usize {
        (**self).degree(node)
    }

    fn diameter(&self) -> u64 {
        (**self).diameter()
    }

    fn links(&self) -> usize {
        (**self).links()
    }

    #[inline(always)]
    fn link(&self, node: u32, port: Port) -> usize {
        (**self).link(node, port)
    }

    #[inline(always)]
    fn peer(&self, node: u32, port: Port) -> (u32, Port) {
        (**self).peer(node, port)
    }
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

impl Ports for Ring {
    fn nodes(&self) -> usize {
        self.n as usize
    }

    fn degree(&self, _node: u32) -> usize {
        2
    }

    fn diameter(&self) -> u64 {
        u64::from(self.n) / 2
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
#[derive(Debug, Clone)]
pub struct Graph {
    first: Vec<usize>,
    /// The node at the other end of each link, and the port by which the link arrives there.
    peers: Vec<(u32, u32)>,
    /// Computed when it is needed.
    diameter: OnceLock<u64>,
}

impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first && self.peers == other.peers
    }
}

impl Graph {
    /// By port of this node: see [`Ports::peer`].
    #[inline(always)]
    pub(crate) fn peers(&self, node: u32) -> &[(u32, u32)] {
        let node = node as usize;
        &self.peers[self.first[node]..self.first[node + 1]]
    }

    /// The graph with `n` nodes and these undirected edges, none of them a loop and none there
    /// twice. A node's ports are numbered in the order of its neighbours.
    pub fn new(n: u32, edges: &[(u32, u32)]) -> Self {
        let mut first = vec![0; n as usize + 1];
        for &(a, b) in edges {
            first[a as usize + 1] += 1;
            first[b as usize + 1] += 1;
        }
        for node in 0..n as usize {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut peers = vec![(0, 0); 2 * edges.len()];
        for &(a, b) in edges {
            for (from, to) in [(a, b), (b, a)] {
                peers[next[from as usize]] = (to, 0);
                next[from as usize] += 1;
            }
        }
        for node in 0..n as usize {
            peers[first[node]..first[node + 1]].sort_unstable();
        }
        // Going through the nodes in order meets every node's neighbours in order.
        next.copy_from_slice(&first);
        for node in 0..n as usize {
            for link in first[node]..first[node + 1] {
                let peer = peers[link].0 as usize;
                peers[next[peer]].1 = (link - first[node]) as u32;
                next[peer] += 1;
            }
        }
        Graph { first, peers, diameter: OnceLock::new() }
    }

    /// The ring of `n` nodes without a direction: two nodes share one edge, one node has none.
    pub fn ring(n: u32) -> Self {
        let path = (1..n).map(|node| (node - 1, node));
        let closing = (n > 2).then_some((0, n - 1));
        Graph::new(n, &path.chain(closing).collect::<Vec<_>>())
    }

    /// The neighbours of `node` in the order of its ports.
    pub fn neighbours(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let links = self.first[node as usize]..self.first[node as usize + 1];
        self.peers[links].iter().map(|&(peer, _)| peer)
    }

    /// The number of undirected edges.
    pub fn edges(&self) -> u64 {
        self.peers.len() as u64 / 2
    }

    /// The number of nodes with one link.
    pub fn leaves(&self) -> u64 {
        (0..self.nodes() as u32).filter(|&node| self.degree(node) == 1).count() as u64
    }

    /// Whether this connected graph is a tree.
    pub fn is_tree(&self) -> bool {
        self.edges() + 1 == self.nodes() as u64
    }

    /// Whether every node can be reached from every other.
    pub fn is_connected(&self) -> bool {
        self.distances(0, &mut Vec::new(), &mut Vec::new()).1 == self.nodes()
    }

    /// How far the farthest node is that can be reached from `start`, and how many can.
    fn distances(&self, start: u32, distance: &mut Vec<u64>, queue: &mut Vec<u32>) -> (u64, usize) {
        distance.clear();
        distance.resize(self.nodes(), u64::MAX);
        queue.clear();
        queue.push(start);
        distance[start as usize] = 0;
        let mut farthest = 0;
        let mut served = 0;
        while let Some(&node) = queue.get(served) {
            served += 1;
            farthest = distance[node as usize];
            for peer in self.neighbours(node) {
                if distance[peer as usize] == u64::MAX {
                    distance[peer as usize] = farthest + 1;
                    queue.push(peer);
                }
            }
        }
        (farthest, served)
    }
}

impl From<Ring> for Graph {
    /// The same ring, written out: the same ports lead to the same neighbours.
    fn from(ring: Ring) -> Self {
        let n = ring.nodes();
        let both = |node| [ring.peer(node, PREV), ring.peer(node, NEXT)];
        let short = |(peer, port): (u32, Port)| (peer, port as u32);
        let peers = (0..ring.n).flat_map(both).map(short).collect();
        Graph { first: (0..=n).map(|v| 2 * v).collect(), peers, diameter: OnceLock::new() }
    }
}

impl Ports for Graph {
    fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    fn degree(&self, node: u32) -> usize {
        self.first[node as usize + 1] - self.first[node as usize]
    }

    /// Takes time nodes x links when it is asked for the first time.
    fn diameter(&self) -> u64 {
        *self.diameter.get_or_init(|| {
            let (mut distance, mut queue) = (Vec::new(), Vec::new());
            let nodes = 0..self.nodes() as u32;
            nodes.map(|node| self.distances(node, &mut distance, &mut queue).0).max().unwrap_or(0)
        })
    }

    fn links(&self) -> usize {
        self.peers.len()
    }

    #[inline(always)]
    fn link(&self, node: u32, port: Port) -> usize {
        self.first[node as usize] + port
    }

    #[inline(always)]
    fn peer(&self, node: u32, port: Port) -> (u32, Port) {
        let (peer, port) = self.peers[self.link(node, port)];
        (peer, port as Port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_link_leads_back(topology: &impl Ports, degree: impl Fn(u32) -> usize) {
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
        let graph = Graph::new(5, &[(3, 0), (0, 1), (0, 2), (2, 1), (4, 0)]);
        assert_eq!((0..5).map(|node| graph.degree(node)).collect::<Vec<_>>(), [4, 2, 2, 1, 1]);
        assert_eq!(graph.neighbours(0).collect::<Vec<_>>(), [1, 2, 3, 4]);
        every_link_leads_back(&graph, |node| graph.degree(node));
        assert_eq!((graph.edges(), graph.leaves(), graph.diameter()), (5, 2, 2));
    }

    #[test]
    fn a_graph_in_two_pieces_is_not_connected() {
        assert!(Graph::new(3, &[(0, 1), (1, 2)]).is_connected());
        assert!(!Graph::new(4, &[(0, 1), (2, 3)]).is_connected());
        assert!(Graph::new(1, &[]).is_connected());
    }
}
