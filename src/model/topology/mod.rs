//! Who is whose neighbour: the families of networks, how they are written, and the networks
//! themselves with their numbered ports.

mod file;
mod generate;
mod graph;
mod shape;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

pub use file::NetworkFile;
pub use graph::{Graph, Ports, Ring};
pub use shape::Shape;

use crate::experiment::files::Files;
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::Stream;

/// The name of the ring in tables.
pub const RING: &str = "ring";

/// A family of networks, with one member for every number of nodes or many.
#[derive(Debug, Clone, PartialEq)]
pub enum Topology {
    /// Every node has two neighbours: node i is beside i + 1 (mod n).
    Ring,
    /// A ring without the link from the last node to the first.
    Path,
    /// Node 0 is everybody's neighbour.
    Star,
    /// Every inner node has so many children; node i's parent is (i - 1) / R.
    BalancedTree(u32),
    /// Every labelled tree equally likely.
    RandomTree,
    /// A path with a leaf at every node of it.
    Caterpillar,
    /// Rows and columns, as square as n allows, numbered row by row.
    Grid,
    /// A grid whose rows and columns are rings.
    Torus,
    /// Neighbours differ in one bit of their number.
    Hypercube,
    /// Everybody is everybody's neighbour.
    Complete,
    /// Every edge with this probability, or with 2 ln n / n; drawn again until connected.
    ErdosRenyi(Option<f64>),
    /// Every node has so many neighbours; drawn again until connected.
    RandomRegular(u32),
    /// Every new node links to so many others, with probability proportional to their degrees.
    BarabasiAlbert(u32),
    /// A ring with links to so many nearest nodes, each moved with this probability; drawn again
    /// until connected.
    WattsStrogatz(u32, f64),
    /// A complete graph of half the nodes, with the others as a path.
    Lollipop,
    /// The edges in this file.
    File(Arc<NetworkFile>),
}

/// The topologies with a word about each, for lists and for error messages.
pub const TOPOLOGIES: &[(&str, &str)] = &[
    ("ring", "node i is beside i + 1 (mod n)"),
    ("path", "a ring without its last link"),
    ("star", "node 0 is everybody's neighbour"),
    ("balanced-tree:R", "every inner node has R children, heap order"),
    ("random-tree", "every labelled tree equally likely (Pruefer)"),
    ("caterpillar", "a path with a leaf at every node of it"),
    ("grid", "rows and columns, as square as n allows"),
    ("torus", "a grid whose rows and columns are rings"),
    ("hypercube", "neighbours differ in one bit; n a power of two"),
    ("complete", "everybody is everybody's neighbour"),
    ("erdos-renyi", "every edge with probability 2 ln n / n; drawn again until connected"),
    ("erdos-renyi:P", "every edge with probability P; drawn again until connected"),
    ("random-regular:D", "every node has D neighbours; drawn again until connected"),
    ("barabasi-albert:M", "every new node links to M others, by their degrees"),
    ("watts-strogatz:K:P", "K nearest on a ring, each link moved with probability P; connected"),
    ("lollipop", "a complete graph of half the nodes, and a path"),
    ("file:PATH", "edges 'u v' and IDs 'id u ID', one a line, nodes from 0"),
];

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Topology::Ring => f.write_str(RING),
            Topology::Path => f.write_str("path"),
            Topology::Star => f.write_str("star"),
            Topology::BalancedTree(children) => write!(f, "balanced-tree:{children}"),
            Topology::RandomTree => f.write_str("random-tree"),
            Topology::Caterpillar => f.write_str("caterpillar"),
            Topology::Grid => f.write_str("grid"),
            Topology::Torus => f.write_str("torus"),
            Topology::Hypercube => f.write_str("hypercube"),
            Topology::Complete => f.write_str("complete"),
            Topology::ErdosRenyi(None) => f.write_str("erdos-renyi"),
            Topology::ErdosRenyi(Some(probability)) => write!(f, "erdos-renyi:{probability}"),
            Topology::RandomRegular(degree) => write!(f, "random-regular:{degree}"),
            Topology::BarabasiAlbert(links) => write!(f, "barabasi-albert:{links}"),
            Topology::WattsStrogatz(near, moved) => write!(f, "watts-strogatz:{near}:{moved}"),
            Topology::Lollipop => f.write_str("lollipop"),
            Topology::File(file) => write!(f, "file:{}", file.path),
        }
    }
}

impl FromStr for Topology {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        Topology::parse(text, &Files::on_disk())
    }
}

impl Topology {
    /// The topology of this text; a file that it names is one of `files`.
    pub fn parse(text: &str, files: &Files) -> Result<Self, Input> {
        let bad = |problem: &str, remedy: &str| Input::new("topology", text, problem, remedy);
        let count = |number: &str, least: u32, remedy: &str| match number.parse::<u32>() {
            Ok(count) if count >= least => Ok(count),
            _ => Err(bad(&format!("its number is a whole number from {least} on"), remedy)),
        };
        let probability = |number: &str, remedy: &str| match number.parse::<f64>() {
            Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
            _ => Err(bad("a probability lies above 0 and up to 1", remedy)),
        };
        Ok(match (text, text.split_once(':')) {
            ("ring", _) => Topology::Ring,
            ("path", _) => Topology::Path,
            ("star", _) => Topology::Star,
            ("random-tree", _) => Topology::RandomTree,
            ("caterpillar", _) => Topology::Caterpillar,
            ("grid", _) => Topology::Grid,
            ("torus", _) => Topology::Torus,
            ("hypercube", _) => Topology::Hypercube,
            ("complete", _) => Topology::Complete,
            ("erdos-renyi", _) => Topology::ErdosRenyi(None),
            ("lollipop", _) => Topology::Lollipop,
            (_, Some(("balanced-tree", children))) => {
                Topology::BalancedTree(count(children, 1, "write it as balanced-tree:2")?)
            }
            (_, Some(("erdos-renyi", share))) => {
                Topology::ErdosRenyi(Some(probability(share, "write it as erdos-renyi:0.1")?))
            }
            (_, Some(("random-regular", degree))) => {
                Topology::RandomRegular(count(degree, 3, "write it as random-regular:3")?)
            }
            (_, Some(("barabasi-albert", links))) => {
                Topology::BarabasiAlbert(count(links, 1, "write it as barabasi-albert:2")?)
            }
            (_, Some(("watts-strogatz", rest))) => {
                let remedy = "write it as watts-strogatz:4:0.1, the first number even";
                let (near, moved) = rest.split_once(':').ok_or_else(|| {
                    bad("it needs two numbers: nearest nodes, and a probability", remedy)
                })?;
                let near = count(near, 2, remedy)?;
                if near % 2 == 1 {
                    return Err(bad("half of the nearest nodes are on either side", remedy));
                }
                Topology::WattsStrogatz(near, probability(moved, remedy)?)
            }
            (_, Some(("file", path))) if !path.is_empty() => Topology::File(files.network(path)?),
            _ => {
                let names = TOPOLOGIES.iter().map(|&(name, _)| name);
                return Err(Input::unknown(
                    "topology",
                    text,
                    names,
                    "hustings list shows all topologies",
                ));
            }
        })
    }
}

impl Topology {
    /// Whether every run has a network of its own.
    pub fn is_random(&self) -> bool {
        matches!(
            self,
            Topology::RandomTree
                | Topology::ErdosRenyi(_)
                | Topology::RandomRegular(_)
                | Topology::BarabasiAlbert(_)
                | Topology::WattsStrogatz(..)
        )
    }

    /// Whether all networks of `n` nodes of this family are trees.
    pub fn is_tree(&self, n: u32) -> bool {
        match self {
            Topology::File(file) => file.graph.is_tree(),
            Topology::Path
            | Topology::Star
            | Topology::BalancedTree(_)
            | Topology::RandomTree
            | Topology::Caterpillar => true,
            Topology::Ring | Topology::Complete => n <= 2,
            _ => n == 1,
        }
    }

    /// The file of a topology from a file.
    pub fn file(&self) -> Option<&NetworkFile> {
        match self {
            Topology::File(file) => Some(file),
            _ => None,
        }
    }

    /// The IDs by node, where the file assigns them.
    pub fn ids(&self) -> Option<&[Id]> {
        self.file()?.ids.as_deref()
    }

    /// About how many edges a network of `n` nodes has: enough to know whether it fits.
    pub fn about_edges(&self, n: u64) -> f64 {
        let n = n as f64;
        match self {
            Topology::Complete => n * n / 2.0,
            Topology::Lollipop => n * n / 8.0 + n,
            Topology::ErdosRenyi(share) => n * n / 2.0 * share.unwrap_or_else(|| usual_share(n)),
            Topology::Hypercube => n * n.log2() / 2.0,
            Topology::RandomRegular(degree) => n * f64::from(*degree) / 2.0,
            Topology::BarabasiAlbert(links) => n * f64::from(*links),
            Topology::WattsStrogatz(near, _) => n * f64::from(*near) / 2.0,
            Topology::File(file) => file.graph.edges() as f64,
            Topology::Grid | Topology::Torus => 2.0 * n,
            _ => n,
        }
    }

    /// Refuses a number of nodes that this family has no member for.
    pub fn check(&self, n: u32) -> Result<(), Input> {
        let refuse = |problem: String, remedy: String| Err(Input::new("n", n, problem, remedy));
        match *self {
            Topology::Hypercube if !n.is_power_of_two() => {
                let below = 1u64 << n.ilog2();
                let remedy = format!("use {below} or {}", 2 * below);
                refuse("a hypercube has a power of two of nodes".to_owned(), remedy)
            }
            Topology::Torus if generate::rows(n) < 3 => {
                let problem = "a torus has at least 3 rows and 3 columns".to_owned();
                refuse(
                    problem,
                    "use a product of two numbers from 3 on, such as 9 or 16".to_owned(),
                )
            }
            Topology::RandomRegular(degree) if degree >= n || (degree % 2 == 1 && n % 2 == 1) => {
                let problem = format!("no network of {n} nodes gives each {degree} neighbours");
                refuse(
                    problem,
                    "use more nodes, and an even number if the degree is odd".to_owned(),
                )
            }
            Topology::BarabasiAlbert(links) if n <= links => {
                let problem = format!("the first {links} nodes have nobody to link to");
                refuse(problem, format!("use at least {}", u64::from(links) + 1))
            }
            Topology::WattsStrogatz(near, _) if n <= near => {
                let problem = format!("a node cannot have {near} neighbours");
                refuse(problem, format!("use at least {}", u64::from(near) + 1))
            }
            _ => Ok(()),
        }
    }

    /// The network of `n` nodes; `words` decide where chance has a say.
    pub fn graph(&self, n: u32, words: &mut Stream) -> Result<Graph, Input> {
        self.check(n)?;
        generate::generate(self, n, words)
    }
}

/// The probability of an edge if none is said: twice the threshold above which nearly all graphs
/// are connected (Erdős and Rényi 1959).
fn usual_share(n: f64) -> f64 {
    (2.0 * crate::model::random::natural_logarithm(n) / n).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::{Key, Purpose};

    #[test]
    fn topologies_read_as_they_are_written() {
        for text in [
            "ring",
            "path",
            "balanced-tree:3",
            "erdos-renyi",
            "erdos-renyi:0.25",
            "random-regular:4",
            "barabasi-albert:2",
            "watts-strogatz:4:0.1",
        ] {
            assert_eq!(text.parse::<Topology>().expect("a topology").to_string(), text);
        }
        for bad in [
            "",
            "rong",
            "balanced-tree:0",
            "balanced-tree",
            "erdos-renyi:0",
            "erdos-renyi:1.5",
            "erdos-renyi:nan",
            "random-regular:2",
            "barabasi-albert:0",
            "watts-strogatz:3:0.1",
            "watts-strogatz:4",
            "file:",
        ] {
            assert!(bad.parse::<Topology>().is_err(), "{bad}");
        }
        let error = "hypercub".parse::<Topology>().expect_err("no such topology");
        assert!(error.remedy.contains("did you mean hypercube?"), "{error}");
    }

    /// The graph of a family, after checking that it is what `Graph` promises to be.
    fn graph(topology: &str, n: u32) -> Graph {
        let topology: Topology = topology.parse().expect("a topology");
        let words = &mut Key::new(1, "test", u64::from(n), "", "").stream(0, Purpose::Graph);
        let graph = topology.graph(n, words).expect("a member of this size");
        assert_eq!(graph.nodes(), n as usize, "{topology}");
        assert!(graph.is_connected(), "{topology} {n}");
        for node in 0..n {
            let peers: Vec<u32> = graph.neighbours(node).collect();
            assert!(peers.windows(2).all(|pair| pair[0] < pair[1]), "{topology} {n}: {peers:?}");
            assert!(!peers.contains(&node), "{topology} {n}: a loop");
        }
        graph
    }

    fn shape(topology: &str, n: u32) -> (u64, u64, u64) {
        let graph = graph(topology, n);
        (graph.edges(), graph.leaves(), graph.diameter())
    }

    #[test]
    fn fixed_families_have_the_edges_leaves_and_diameter_of_the_textbook() {
        assert_eq!(shape("ring", 1), (0, 0, 0));
        assert_eq!(shape("ring", 2), (1, 2, 1));
        assert_eq!(shape("ring", 9), (9, 0, 4));
        assert_eq!(shape("path", 8), (7, 2, 7));
        assert_eq!(shape("star", 16), (15, 15, 2));
        assert_eq!(shape("balanced-tree:2", 15), (14, 8, 6));
        assert_eq!(shape("balanced-tree:3", 13), (12, 9, 4));
        assert_eq!(shape("caterpillar", 8), (7, 4, 5));
        assert_eq!(shape("caterpillar", 7), (6, 4, 4));
        assert_eq!(shape("grid", 16), (24, 0, 6));
        assert_eq!(shape("grid", 12), (17, 0, 5));
        assert_eq!(shape("grid", 7), (6, 2, 6));
        assert_eq!(shape("torus", 16), (32, 0, 4));
        assert_eq!(shape("hypercube", 16), (32, 0, 4));
        assert_eq!(shape("complete", 8), (28, 0, 1));
        assert_eq!(shape("lollipop", 8), (6 + 4, 1, 5));
    }

    #[test]
    fn random_families_have_the_edges_that_their_rule_says() {
        for n in [5, 16, 40] {
            assert_eq!(graph("random-tree", n).edges(), u64::from(n) - 1);
            let attached = graph("barabasi-albert:2", n);
            assert_eq!(attached.edges(), 3 + 2 * (u64::from(n) - 3));
            assert_eq!(graph("watts-strogatz:4:0.3", n).edges(), 2 * u64::from(n));
        }
        for n in [6, 16, 40] {
            let regular = graph("random-regular:3", n);
            assert!((0..n).all(|node| regular.degree(node) == 3));
            graph("erdos-renyi:0.4", n);
            graph("erdos-renyi", n);
        }
        graph("random-tree", 1);
        graph("random-tree", 2);
        graph("erdos-renyi", 1);
        assert_eq!(graph("erdos-renyi:1", 6).edges(), 15);
    }

    #[test]
    fn sizes_without_a_member_are_refused() {
        for (topology, n) in [
            ("hypercube", 12),
            ("torus", 14),
            ("random-regular:3", 7),
            ("random-regular:4", 4),
            ("barabasi-albert:3", 3),
            ("watts-strogatz:4:0.5", 4),
        ] {
            let topology: Topology = topology.parse().expect("a topology");
            assert!(topology.check(n).is_err(), "{topology} {n}");
        }
        // Almost surely never connected: p is far below ln n / n.
        let words = &mut Key::new(1, "test", 0, "", "").stream(0, Purpose::Graph);
        let error = Topology::ErdosRenyi(Some(0.001)).graph(200, words).expect_err("in pieces");
        assert!(error.to_string().contains("connected"), "{error}");
    }
}
