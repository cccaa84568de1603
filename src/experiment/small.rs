//! All small networks: rings, trees and connected graphs.

use std::collections::BTreeSet;

use crate::model::process::Id;
use crate::model::topology::Graph;

/// The edges of a graph.
pub type Edges = Vec<(u32, u32)>;

/// All (n-1)! rings of the dense IDs from `first` on; the largest stands first.
pub fn rings(n: u32, first: Id) -> Vec<Vec<Id>> {
    let mut rings = vec![vec![first + Id::from(n) - 1]];
    for id in first..first + Id::from(n) - 1 {
        rings = rings
            .into_iter()
            .flat_map(|ring| {
                (1..=ring.len()).map(move |place| {
                    let mut ring = ring.clone();
                    ring.insert(place, id);
                    ring
                })
            })
            .collect();
    }
    rings
}

/// All connected graphs of n nodes, or all trees, that differ in who is whose neighbour; fewest
/// edges first. With IDs in the order of the nodes these are all graphs of n nodes in all orders of
/// the IDs: 1, 1, 4, 38, 728 and 26704 graphs, or n^(n-2) trees.
pub fn graphs(n: u32, trees: bool) -> impl Iterator<Item = Edges> {
    let pairs: Edges = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let fewest = n - 1;
    let most = if trees { fewest } else { pairs.len() as u32 };
    let sets = 0..1u64 << pairs.len();
    let by_edges = (fewest..=most)
        .flat_map(move |edges| sets.clone().filter(move |set| set.count_ones() == edges));
    by_edges.filter_map(move |set| {
        let chosen = (0..pairs.len()).filter(|place| set >> place & 1 == 1);
        let edges: Edges = chosen.map(|place| pairs[place]).collect();
        Graph::new(n, &edges).is_connected().then_some(edges)
    })
}

/// All graphs that are this one with its nodes in another order, each once.
pub fn relabelled(n: u32, edges: &[(u32, u32)]) -> BTreeSet<Edges> {
    orders(n).iter().map(|order| in_order(edges, order)).collect()
}

/// What graphs have in common that differ in the order of their nodes only: the first of them.
pub fn shape(n: u32, edges: &[(u32, u32)]) -> Edges {
    relabelled(n, edges).pop_first().unwrap_or_default()
}

fn in_order(edges: &[(u32, u32)], order: &[u32]) -> Edges {
    let mut edges: Edges = edges
        .iter()
        .map(|&(a, b)| (order[a as usize], order[b as usize]))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    edges.sort_unstable();
    edges
}

/// All orders of n nodes.
pub fn orders(n: u32) -> Vec<Vec<u32>> {
    let with = |order: Vec<u32>, last: u32| {
        (0..=order.len()).map(move |place| {
            let mut order = order.clone();
            order.insert(place, last);
            order
        })
    };
    (0..n).fold(vec![Vec::new()], |orders, last| {
        orders.into_iter().flat_map(|order| with(order, last)).collect()
    })
}

/// The name of a graph of up to four nodes; others are named by their size.
pub fn name(n: u32, edges: &[(u32, u32)]) -> String {
    let mut degrees = vec![0; n as usize];
    for &(a, b) in edges {
        degrees[a as usize] += 1;
        degrees[b as usize] += 1;
    }
    degrees.sort_unstable();
    let name = match degrees[..] {
        [0] | [1, 1] | [1, 1, 2] | [1, 1, 2, 2] => "path",
        [2, 2, 2] | [2, 2, 2, 2] => "ring",
        [1, 1, 1, 3] => "star",
        [1, 2, 2, 3] => return "paw".to_owned(),
        [2, 2, 3, 3] => return "diamond".to_owned(),
        [3, 3, 3, 3] => "complete",
        _ => return format!("graph{n}e{}", edges.len()),
    };
    format!("{name}{n}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_networks_as_the_encyclopedia_says() {
        let rings = (1..=5).map(|n| rings(n, 1).len());
        assert!(rings.eq([1, 1, 2, 6, 24]));
        // OEIS A001187 and A000272.
        let connected = (1..=6).map(|n| graphs(n, false).count());
        assert!(connected.eq([1, 1, 4, 38, 728, 26704]));
        let trees = (1..=6).map(|n| graphs(n, true).count());
        assert!(trees.eq([1, 1, 3, 16, 125, 1296]));
        // OEIS A001349.
        let shapes = (1..=5).map(|n| {
            let shapes: BTreeSet<Edges> = graphs(n, false).map(|edges| shape(n, &edges)).collect();
            shapes.len()
        });
        assert!(shapes.eq([1, 1, 2, 6, 21]));
    }

    #[test]
    fn the_fewest_edges_come_first() {
        assert!(graphs(5, false).map(|edges| edges.len()).is_sorted());
    }

    #[test]
    fn a_graph_has_as_many_labellings_as_its_symmetries_leave() {
        for (edges, name_of_it, labellings) in [
            (vec![(0, 1), (1, 2), (2, 3)], "path4", 12),
            (vec![(0, 1), (0, 2), (0, 3)], "star4", 4),
            (vec![(0, 1), (1, 2), (2, 3), (0, 3)], "ring4", 3),
            (vec![(0, 1), (1, 2), (0, 2), (0, 3)], "paw", 12),
            (vec![(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], "diamond", 6),
            (vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], "complete4", 1),
        ] {
            assert_eq!(relabelled(4, &edges).len(), labellings, "{name_of_it}");
            assert_eq!(name(4, &edges), name_of_it);
        }
    }
}
