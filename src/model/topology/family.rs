//! The families of networks, and how they are written.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::file::NetworkFile;
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::natural_logarithm;

/// The name of the ring in tables.
pub const RING: &str = "ring";

/// A family of networks, with one member for every number of nodes or many.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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

impl Topology {
    /// One of each family that can have any shape, trees first: what an algorithm is tested with.
    pub const SAMPLES: [Topology; 16] = [
        Topology::RandomTree,
        Topology::Path,
        Topology::Star,
        Topology::BalancedTree(2),
        Topology::Caterpillar,
        Topology::Ring,
        Topology::Grid,
        Topology::Torus,
        Topology::Hypercube,
        Topology::Complete,
        Topology::Lollipop,
        Topology::ErdosRenyi(None),
        Topology::ErdosRenyi(Some(0.5)),
        Topology::RandomRegular(3),
        Topology::BarabasiAlbert(2),
        Topology::WattsStrogatz(4, 0.3),
    ];
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

    /// A topology that needs no file; [`Topology::parse`] also reads those that do.
    fn from_str(text: &str) -> Result<Self, Input> {
        Topology::parse(text, |_| {
            let problem = "nobody has said what this file says";
            Err(Input::new("topology", text, problem, "name a family of networks"))
        })
    }
}

impl Topology {
    /// The topology of this text; `network` says what is in a file that it names.
    pub fn parse(
        text: &str,
        network: impl FnOnce(&str) -> Result<Arc<NetworkFile>, Input>,
    ) -> Result<Self, Input> {
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
            (_, Some(("file", path))) if !path.is_empty() => Topology::File(network(path)?),
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

    /// Whether it is the family of complete networks, or a file that has one; one node alone is.
    pub fn is_complete(&self, n: u32) -> bool {
        let pairs = u64::from(n) * u64::from(n.saturating_sub(1)) / 2;
        match self {
            Topology::File(file) => file.graph.edges() == pairs,
            topology => n == 1 || *topology == Topology::Complete,
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
            Topology::Torus if rows(n) < 3 => {
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
}

/// The probability of an edge if none is said: twice the threshold above which nearly all graphs
/// are connected (Erdős and Rényi 1959).
pub(super) fn usual_share(n: f64) -> f64 {
    (2.0 * natural_logarithm(n) / n).min(1.0)
}

/// The number of rows of the most square grid: the largest divisor of n up to its root.
pub(super) fn rows(n: u32) -> u32 {
    (1..=n.isqrt()).rev().find(|rows| n.is_multiple_of(*rows)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
