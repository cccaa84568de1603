//! The members of the families: who is linked to whom.
//!
//! Written out here, instead of taken from a graph library, because the graph of a run must never
//! change between versions: it comes from our own frozen samples.

use super::family::{Topology, rows, usual_share};
use super::graph::Graph;
use crate::model::error::Input;
use crate::model::random::{Stream, natural_logarithm};

/// So often a graph is drawn again until it is connected.
const TRIES: usize = 1000;

type Edges = Vec<(u32, u32)>;

impl Topology {
    /// The network of `n` nodes; `words` decide where chance has a say.
    pub fn graph(&self, n: u32, words: &mut Stream) -> Result<Graph, Input> {
        self.check(n)?;
        generate(self, n, words)
    }
}

/// The network of `n` nodes, a size that [`Topology::check`] allows.
fn generate(topology: &Topology, n: u32, words: &mut Stream) -> Result<Graph, Input> {
    let edges: Edges = match *topology {
        Topology::Ring => return Ok(Graph::ring(n)),
        Topology::File(ref file) => return Ok(file.graph.clone()),
        Topology::Path => path(0, n),
        Topology::Star => (1..n).map(|leaf| (0, leaf)).collect(),
        Topology::BalancedTree(children) => {
            (1..n).map(|child| ((child - 1) / children, child)).collect()
        }
        Topology::RandomTree => random_tree(n, words),
        Topology::Caterpillar => {
            let spine = n.div_ceil(2);
            path(0, spine).into_iter().chain((spine..n).map(|leg| (leg - spine, leg))).collect()
        }
        Topology::Grid => grid(n, false),
        Topology::Torus => grid(n, true),
        Topology::Hypercube => (0..n)
            .flat_map(|node| (0..n.ilog2()).map(move |bit| (node, node ^ (1 << bit))))
            .filter(|(a, b)| a < b)
            .collect(),
        Topology::Complete => complete(n),
        Topology::Lollipop => {
            let head = n.div_ceil(2);
            complete(head).into_iter().chain(path(head - 1, n)).collect()
        }
        Topology::BarabasiAlbert(links) => attached(n, links, words),
        Topology::ErdosRenyi(share) => {
            let share = share.unwrap_or_else(|| usual_share(f64::from(n)));
            return until_connected(topology, n, || Some(each_with(n, share, words)));
        }
        Topology::RandomRegular(degree) => {
            return until_connected(topology, n, || regular(n, degree, words));
        }
        Topology::WattsStrogatz(near, moved) => {
            return until_connected(topology, n, || Some(rewired(n, near, moved, words)));
        }
    };
    Ok(Graph::new(n, &edges))
}

/// Draws until the graph is connected, so that it is uniform among the connected ones of its
/// distribution. `None` from `draw` is a draw that came to nothing.
fn until_connected(
    topology: &Topology,
    n: u32,
    mut draw: impl FnMut() -> Option<Edges>,
) -> Result<Graph, Input> {
    let drawn = (0..TRIES).filter_map(|_| draw()).map(|edges| Graph::new(n, &edges));
    drawn.into_iter().find(Graph::is_connected).ok_or_else(|| {
        let problem = format!("none of {TRIES} graphs of {n} nodes was connected");
        let needed = natural_logarithm(f64::from(n)) / f64::from(n);
        let remedy =
            format!("use more edges; Erdos-Renyi graphs need P above ln n / n = {needed:.3}");
        Input::new("topology", topology, problem, remedy)
    })
}

/// The nodes from `first` up to `end`, each linked to the next.
fn path(first: u32, end: u32) -> Edges {
    (first + 1..end).map(|node| (node - 1, node)).collect()
}

fn complete(n: u32) -> Edges {
    (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()
}

fn grid(n: u32, wraps: bool) -> Edges {
    let rows = rows(n);
    let columns = n / rows;
    let at = |row: u32, column: u32| row * columns + column;
    let mut edges = Edges::new();
    for row in 0..rows {
        for column in 0..columns {
            if column + 1 < columns || wraps {
                edges.push((at(row, column), at(row, (column + 1) % columns)));
            }
            if row + 1 < rows || wraps {
                edges.push((at(row, column), at((row + 1) % rows, column)));
            }
        }
    }
    edges
}

/// The tree of a random Prüfer sequence: each of the n^(n-2) labelled trees has exactly one
/// (H. Prüfer, "Neuer Beweis eines Satzes über Permutationen", 1918).
fn random_tree(n: u32, words: &mut Stream) -> Edges {
    if n <= 2 {
        return path(0, n);
    }
    let sequence: Vec<u32> = (2..n).map(|_| words.below(u64::from(n)) as u32).collect();
    let mut degree = vec![1u32; n as usize];
    for &node in &sequence {
        degree[node as usize] += 1;
    }
    let mut edges = Edges::with_capacity(n as usize - 1);
    let leaf_from = |degree: &[u32], from: u32| {
        (from..n).find(|&node| degree[node as usize] == 1).unwrap_or(from)
    };
    // The smallest leaf; all leaves below `seen` are used up, but for new ones that come at once.
    let mut seen = leaf_from(&degree, 0);
    let mut leaf = seen;
    for &node in &sequence {
        edges.push((leaf, node));
        degree[node as usize] -= 1;
        if degree[node as usize] == 1 && node < seen {
            leaf = node;
        } else {
            seen = leaf_from(&degree, seen + 1);
            leaf = seen;
        }
    }
    edges.push((leaf, n - 1));
    edges
}

/// Every pair with probability `share`: jumps from edge to edge by geometric steps
/// (V. Batagelj, U. Brandes, "Efficient generation of large random networks", 2005).
fn each_with(n: u32, share: f64, words: &mut Stream) -> Edges {
    if share >= 1.0 {
        return complete(n);
    }
    let rate = -natural_logarithm(1.0 - share);
    let mut edges = Edges::new();
    let (mut low, mut high) = (0u64, 1u64);
    let mut first = true;
    loop {
        // Casting saturates, which is beyond the last pair all the same.
        let skipped = (words.exponential() / rate) as u64;
        low = low.saturating_add(skipped).saturating_add(u64::from(!first));
        first = false;
        while low >= high && high < u64::from(n) {
            low -= high;
            high += 1;
        }
        if high >= u64::from(n) {
            return edges;
        }
        edges.push((low as u32, high as u32));
    }
}

/// Pairs free ends at random, without loops and doubles, until none is left; `None` if that gets
/// stuck (A. Steger, N. Wormald, "Generating random regular graphs quickly", 1999).
fn regular(n: u32, degree: u32, words: &mut Stream) -> Option<Edges> {
    let mut neighbours = vec![Vec::with_capacity(degree as usize); n as usize];
    let mut ends: Vec<u32> = (0..n).flat_map(|node| (0..degree).map(move |_| node)).collect();
    let mut edges = Edges::with_capacity(ends.len() / 2);
    while !ends.is_empty() {
        words.shuffle(&mut ends);
        let mut left = Vec::new();
        for pair in ends.chunks_exact(2) {
            let (a, b) = (pair[0], pair[1]);
            if a == b || neighbours[a as usize].contains(&b) {
                left.extend([a, b]);
            } else {
                neighbours[a as usize].push(b);
                neighbours[b as usize].push(a);
                edges.push((a, b));
            }
        }
        let fits = |a: u32, b: u32| a != b && !neighbours[a as usize].contains(&b);
        let any_fits = || {
            let mut pairs = left
                .iter()
                .enumerate()
                .flat_map(|(i, &a)| left[i + 1..].iter().map(move |&b| (a, b)));
            pairs.any(|(a, b)| fits(a, b))
        };
        if left.len() == ends.len() && !any_fits() {
            return None;
        }
        ends = left;
    }
    Some(edges)
}

/// A complete graph of M + 1 nodes; every further node links to M different ones, each drawn with
/// probability proportional to its degree (A.-L. Barabási, R. Albert, Science 286, 1999).
fn attached(n: u32, links: u32, words: &mut Stream) -> Edges {
    let mut edges = complete(links + 1);
    // Every node as often as it has links.
    let mut ends: Vec<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    for node in links + 1..n {
        let mut chosen: Vec<u32> = Vec::with_capacity(links as usize);
        while chosen.len() < links as usize {
            let peer = ends[words.below(ends.len() as u64) as usize];
            if !chosen.contains(&peer) {
                chosen.push(peer);
            }
        }
        for peer in chosen {
            edges.push((peer, node));
            ends.extend([peer, node]);
        }
    }
    edges
}

/// A ring with links to the K/2 next nodes on either side; each link keeps its first end and moves
/// its second with probability `moved` (D. Watts, S. Strogatz, Nature 393, 1998).
fn rewired(n: u32, near: u32, moved: f64, words: &mut Stream) -> Edges {
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
    let mut edges = Edges::new();
    for step in 1..=near / 2 {
        for node in 0..n {
            let peer = (node + step) % n;
            neighbours[node as usize].push(peer);
            neighbours[peer as usize].push(node);
            edges.push((node, peer));
        }
    }
    for (node, peer) in &mut edges {
        // Somebody linked to all others has nowhere to move a link to.
        if words.unit() >= moved || neighbours[*node as usize].len() as u32 + 1 >= n {
            continue;
        }
        let goal = loop {
            let goal = words.below(u64::from(n)) as u32;
            if goal != *node && !neighbours[*node as usize].contains(&goal) {
                break goal;
            }
        };
        neighbours[*node as usize].retain(|other| other != peer);
        neighbours[*peer as usize].retain(|other| other != node);
        neighbours[*node as usize].push(goal);
        neighbours[goal as usize].push(*node);
        *peer = goal;
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::{Key, Purpose};
    use crate::model::topology::Ports;
    use std::collections::BTreeMap;

    /// The chi-square statistic of `counts` against equal shares.
    fn chi_square(counts: impl ExactSizeIterator<Item = u64> + Clone, draws: u64) -> f64 {
        let expected = draws as f64 / counts.len() as f64;
        counts.map(|count| (count as f64 - expected).powi(2) / expected).sum()
    }

    #[test]
    fn every_labelled_tree_of_four_is_equally_likely() {
        let mut counts = BTreeMap::new();
        for run in 0..16_000 {
            let words = &mut Key::new(1, "tree", 4, "", "").stream(run, Purpose::Graph);
            let mut edges = random_tree(4, words);
            edges.iter_mut().for_each(|edge| *edge = (edge.0.min(edge.1), edge.0.max(edge.1)));
            edges.sort_unstable();
            *counts.entry(edges).or_insert(0u64) += 1;
        }
        // Cayley: 4^2 trees. 15 degrees of freedom exceed 44.26 with probability 1e-4.
        assert_eq!(counts.len(), 16);
        assert!(chi_square(counts.values().copied(), 16_000) < 44.26);
    }

    #[test]
    fn every_pair_has_its_probability() {
        let mut counts = [0u64; 10];
        let draws = 20_000;
        for run in 0..draws {
            let words = &mut Key::new(1, "pairs", 5, "", "").stream(run, Purpose::Graph);
            for (a, b) in each_with(5, 0.3, words) {
                assert!(a < b && b < 5);
                counts[(b * (b - 1) / 2 + a) as usize] += 1;
            }
        }
        // Each count is binomial: five standard deviations, 10 pairs, error below 1e-5.
        let (mean, sd) = (0.3 * draws as f64, (0.21 * draws as f64).sqrt());
        assert!(counts.iter().all(|&count| (count as f64 - mean).abs() < 5.0 * sd), "{counts:?}");
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
