//! All small networks: rings, trees and connected graphs.

use super::network::Network;
use crate::model::process::Id;
use crate::model::topology::Graph;

/// All (n-1)! rings of the dense IDs from `first` on; the largest stands first.
pub(super) fn rings(n: u32, first: Id) -> Vec<Vec<Id>> {
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
pub(super) fn graphs(n: u32, trees: bool) -> impl Iterator<Item = Network> {
    let pairs: Vec<(u32, u32)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let fewest = n - 1;
    let most = if trees { fewest } else { pairs.len() as u32 };
    let sets = 0..1u64 << pairs.len();
    let by_edges = (fewest..=most)
        .flat_map(move |edges| sets.clone().filter(move |set| set.count_ones() == edges));
    by_edges.filter_map(move |set| {
        let chosen = (0..pairs.len()).filter(|place| set >> place & 1 == 1);
        let edges: Vec<(u32, u32)> = chosen.map(|place| pairs[place]).collect();
        Graph::new(n, &edges).is_connected().then(|| Network::graph(n, &edges))
    })
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
    }

    #[test]
    fn the_fewest_edges_come_first() {
        assert!(graphs(5, false).map(|network| network.edges().len()).is_sorted());
    }
}
