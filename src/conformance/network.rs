//! Who is whose neighbour in a trial: all that differs between rings and graphs.

use std::fmt;
use std::sync::Arc;

use crate::model::error::Input;
use crate::model::process::NEXT;
use crate::model::topology::{Graph, NetworkFile, Ports, Ring, Shape, Topology};

/// The file that a command writes its edges to. Its name is part of what fixes the delays.
const FILE: &str = "failing-network.txt";

/// Who is whose neighbour in a trial.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Network {
    /// The ring, whose nodes know left from right.
    Ring(Ring),
    /// Any connected graph, as the file that its edges are read from.
    Graph(Arc<NetworkFile>),
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.nodes();
        match self {
            Network::Ring(_) => write!(f, "a ring of {n}"),
            Network::Graph(file) if file.graph.is_tree() => write!(f, "a tree of {n}"),
            Network::Graph(file) => write!(f, "a graph of {n} with {} edges", file.graph.edges()),
        }
    }
}

impl Network {
    /// The ring of `n` nodes.
    pub(super) fn ring(n: u32) -> Self {
        Network::Ring(Ring::new(n))
    }

    /// The graph with `n` nodes and these edges, which connect them.
    pub(super) fn graph(n: u32, edges: &[(u32, u32)]) -> Self {
        let (path, text, graph) = (FILE.to_owned(), lines(edges), Graph::new(n, edges));
        Network::Graph(Arc::new(NetworkFile { path, text, graph, ids: None }))
    }

    /// The complete graph of `n` nodes.
    pub(super) fn complete(n: u32) -> Self {
        let pairs: Vec<(u32, u32)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
        Network::graph(n, &pairs)
    }

    /// The same for edges that somebody else has written; refuses what connects no `n` nodes.
    pub(super) fn checked(n: u32, edges: &[(u32, u32)]) -> Result<Self, Input> {
        if n == 1 && edges.is_empty() {
            return Ok(Network::graph(n, edges));
        }
        let file = NetworkFile::parse("edges", &lines(edges))?;
        match file.graph.nodes() {
            nodes if nodes == n as usize => Ok(Network::graph(n, edges)),
            nodes => {
                let problem = format!("the edges name {nodes} nodes");
                Err(Input::new("n", n, problem, "give every node an ID, and every node an edge"))
            }
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        match self {
            Network::Ring(ring) => ring.nodes() as u32,
            Network::Graph(file) => file.graph.nodes() as u32,
        }
    }

    /// The edges, each between two nodes; on a ring from every node to the next.
    pub fn edges(&self) -> Vec<(u32, u32)> {
        match self {
            Network::Ring(ring) => {
                (0..self.nodes()).map(|node| (node, ring.peer(node, NEXT).0)).collect()
            }
            Network::Graph(file) => edges(&file.graph),
        }
    }

    /// What theorems say of a graph; they know rings by their size.
    pub(super) fn shape(&self) -> Option<Shape> {
        let Network::Graph(file) = self else { return None };
        let NetworkFile { graph, .. } = &**file;
        let diameter = Some(graph.diameter());
        Some(Shape { edges: graph.edges(), leaves: graph.leaves(), diameter })
    }

    /// As the command line knows it. No file of edges has a single node, but a path has.
    pub(super) fn topology(&self) -> Topology {
        match self {
            Network::Ring(_) => Topology::Ring,
            Network::Graph(_) if self.nodes() == 1 => Topology::Path,
            Network::Graph(file) => Topology::File(file.clone()),
        }
    }

    /// The command that writes the file which [`Network::topology`] names, if it names one.
    pub(super) fn file_command(&self) -> Option<String> {
        let topology = self.topology();
        let NetworkFile { path, text, .. } = topology.file()?;
        Some(format!("printf '{}' >{path}", text.replace('\n', "\\n")))
    }

    /// The graph, unless it is a ring whose nodes know left from right.
    pub(super) fn as_graph(&self) -> Option<&Graph> {
        match self {
            Network::Ring(_) => None,
            Network::Graph(file) => Some(&file.graph),
        }
    }

    /// All networks of the same kind with one node less, and who is missing in each. The nodes after
    /// it move up by one.
    pub(super) fn smaller(&self) -> Vec<(u32, Network)> {
        let nodes = 0..self.nodes();
        let file = match self {
            _ if nodes.len() == 1 => return Vec::new(),
            Network::Ring(_) => {
                return nodes.clone().map(|gone| (gone, Network::ring(nodes.end - 1))).collect();
            }
            Network::Graph(file) => file,
        };
        let removed = nodes.clone().map(|gone| (gone, without(&file.graph, gone, None)));
        // Where a node holds the rest together, one of its neighbours takes its links over.
        let merged = nodes.clone().flat_map(|gone| {
            let heirs = file.graph.neighbours(gone);
            heirs.map(move |heir| (gone, without(&file.graph, gone, Some(heir))))
        });
        let connected = removed.chain(merged).filter(|(_, edges)| {
            let graph = Graph::new(nodes.end - 1, edges);
            graph.is_connected()
        });
        connected.map(|(gone, edges)| (gone, Network::graph(nodes.end - 1, &edges))).collect()
    }

    /// All connected graphs with one edge less.
    pub(super) fn thinner(&self) -> Vec<Network> {
        let Network::Graph(file) = self else { return Vec::new() };
        let all = edges(&file.graph);
        let fewer = all.iter().map(|gone| {
            let left: Vec<(u32, u32)> = all.iter().filter(|edge| *edge != gone).copied().collect();
            left
        });
        let n = self.nodes();
        let connected = fewer.filter(|left| Graph::new(n, left).is_connected());
        connected.map(|left| Network::graph(n, &left)).collect()
    }

    /// The same graph with other numbers: the node `order[i]` becomes node `i`. A ring stays as it
    /// is, for its numbers say who is next.
    pub(super) fn renumbered(&self, order: &[u32]) -> Network {
        let Network::Graph(file) = self else { return self.clone() };
        let mut numbers = vec![0; order.len()];
        for (new, &old) in (0..).zip(order) {
            numbers[old as usize] = new;
        }
        let new = |node: u32| numbers[node as usize];
        let mut edges: Vec<(u32, u32)> = edges(&file.graph)
            .into_iter()
            .map(|(a, b)| (new(a).min(new(b)), new(a).max(new(b))))
            .collect();
        edges.sort_unstable();
        Network::graph(self.nodes(), &edges)
    }
}

/// The edges of a graph, the lower node first, in ascending order.
pub(super) fn edges(graph: &Graph) -> Vec<(u32, u32)> {
    let nodes = 0..graph.nodes() as u32;
    let edges = nodes.flat_map(|node| graph.neighbours(node).map(move |peer| (node, peer)));
    edges.filter(|(node, peer)| node < peer).collect()
}

/// Edges as they stand in a file.
fn lines(edges: &[(u32, u32)]) -> String {
    edges.iter().map(|(a, b)| format!("{a} {b}\n")).collect()
}

/// The edges of a graph without a node, whose links its heir takes over.
fn without(graph: &Graph, gone: u32, heir: Option<u32>) -> Vec<(u32, u32)> {
    let number = |node: u32| node - u32::from(node > gone);
    let owner = |node: u32| if node == gone { heir } else { Some(node) };
    let left = edges(graph).into_iter().filter_map(|(a, b)| {
        let (a, b) = (number(owner(a)?), number(owner(b)?));
        (a != b).then_some((a.min(b), a.max(b)))
    });
    // The heir may have had some of these links itself.
    left.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges of the networks that are left, by who is missing.
    fn left(network: &Network) -> Vec<(u32, Vec<(u32, u32)>)> {
        network.smaller().into_iter().map(|(gone, left)| (gone, left.edges())).collect()
    }

    #[test]
    fn a_node_that_holds_a_path_together_leaves_its_links_to_a_neighbour() {
        let path = Network::graph(3, &[(0, 1), (1, 2)]);
        let expected = [0, 2, 0, 1, 1, 2].map(|gone| (gone, vec![(0, 1)]));
        assert_eq!(left(&path), expected);
        assert_eq!(path.thinner(), []);
    }

    #[test]
    fn a_triangle_with_a_tail_loses_nodes_and_edges_but_never_falls_apart() {
        let network = Network::graph(4, &[(0, 1), (0, 2), (1, 2), (2, 3)]);
        let left = left(&network);
        assert!(left.contains(&(3, vec![(0, 1), (0, 2), (1, 2)])), "{left:?}");
        assert!(left.contains(&(2, vec![(0, 1), (0, 2)])), "{left:?}");
        let thinner: Vec<_> = network.thinner().iter().map(Network::edges).collect();
        assert_eq!(
            thinner,
            [[(0, 2), (1, 2), (2, 3)], [(0, 1), (1, 2), (2, 3)], [(0, 1), (0, 2), (2, 3)]]
        );
    }

    #[test]
    fn other_numbers_are_the_same_graph() {
        let star = Network::graph(4, &[(0, 1), (0, 2), (0, 3)]);
        assert_eq!(star.renumbered(&[3, 2, 0, 1]).edges(), [(0, 2), (1, 2), (2, 3)]);
        assert_eq!(star.renumbered(&[0, 1, 2, 3]), star);
    }

    #[test]
    fn what_connects_no_nodes_is_refused() {
        assert!(Network::checked(1, &[]).is_ok());
        assert!(Network::checked(3, &[(2, 1), (1, 0)]).is_ok());
        for (n, edges) in [
            (2, &[] as &[(u32, u32)]),
            (2, &[(0, 0)]),
            (2, &[(0, 1), (1, 0)]),
            (3, &[(0, 1)]),
            (2, &[(0, 1), (1, 2)]),
        ] {
            assert!(Network::checked(n, edges).is_err(), "{n}: {edges:?}");
        }
    }
}
