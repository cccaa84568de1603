//! Where the nodes of a graph stand on the page.

use std::collections::VecDeque;
use std::f64::consts::TAU;

/// So often every node moves; by then nothing moves any more.
const ROUNDS: usize = 200;

/// Places within -1 to 1, such that distances on paper are like those in the network: rows and columns
/// of a grid, else stress majorization (Gansner, Koren, North 2004) from a circle.
pub(super) fn places(n: usize, edges: &[(u32, u32)]) -> Vec<[f64; 2]> {
    let places = grid(n, edges).unwrap_or_else(|| relaxed(n, &distances(n, edges)));
    fitted(places)
}

/// Row by row, if every edge leads to the next node of the row or of the column.
fn grid(n: usize, edges: &[(u32, u32)]) -> Option<Vec<[f64; 2]>> {
    let far = edges.iter().map(|(a, b)| b - a).filter(|&step| step > 1).max()?;
    let is_grid = edges.iter().all(|&(a, b)| b - a == far || (b - a == 1 && b % far != 0));
    let place = |node: u32| [f64::from(node % far), f64::from(node / far)];
    is_grid.then(|| (0..n as u32).map(place).collect())
}

fn distances(n: usize, edges: &[(u32, u32)]) -> Vec<Vec<f64>> {
    let mut near = vec![Vec::new(); n];
    for &(a, b) in edges {
        near[a as usize].push(b as usize);
        near[b as usize].push(a as usize);
    }
    let from = |start: usize| {
        let mut distance = vec![f64::INFINITY; n];
        distance[start] = 0.0;
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            for &next in &near[node] {
                if distance[next].is_infinite() {
                    distance[next] = distance[node] + 1.0;
                    waiting.push_back(next);
                }
            }
        }
        distance
    };
    (0..n).map(from).collect()
}

fn relaxed(n: usize, distances: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let mut places: Vec<[f64; 2]> = (0..n)
        .map(|node| {
            let angle = node as f64 / n as f64 * TAU;
            [n as f64 / TAU * angle.sin(), -(n as f64) / TAU * angle.cos()]
        })
        .collect();
    for _ in 0..ROUNDS {
        for node in 0..n {
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for other in (0..n).filter(|&other| other != node) {
                let wanted = distances[node][other];
                let weight = wanted.powi(-2);
                let apart = [0, 1].map(|axis| places[node][axis] - places[other][axis]);
                let scale = wanted / apart[0].hypot(apart[1]).max(1e-9);
                for axis in [0, 1] {
                    sum[axis] += weight * (places[other][axis] + apart[axis] * scale);
                }
                weights += weight;
            }
            if weights > 0.0 {
                places[node] = sum.map(|sum| sum / weights);
            }
        }
    }
    places
}

/// The same in the middle of the square, as large as it can be, with few digits.
fn fitted(places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let range = |axis: usize| {
        let values = places.iter().map(|place| place[axis]);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        ((low + high) / 2.0, (high - low) / 2.0)
    };
    let ((x, width), (y, height)) = (range(0), range(1));
    let scale = width.max(height).max(1e-9);
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    places
        .iter()
        .map(|place| [round((place[0] - x) / scale), round((place[1] - y) / scale)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_drawn_in_rows() {
        // Two rows of three.
        let edges = [(0, 1), (1, 2), (0, 3), (1, 4), (2, 5), (3, 4), (4, 5)];
        let places = places(6, &edges);
        assert_eq!(places[0], [-1.0, -0.5]);
        assert_eq!(places[5], [1.0, 0.5]);
    }

    #[test]
    fn nobody_stands_upon_another_nor_outside() {
        let star: Vec<(u32, u32)> = (1..12).map(|node| (0, node)).collect();
        let all: Vec<(u32, u32)> = (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b))).collect();
        for (n, edges) in [(1, vec![]), (2, vec![(0, 1)]), (12, star), (7, all)] {
            let places = places(n, &edges);
            for (number, place) in places.iter().enumerate() {
                assert!(place.iter().all(|value| value.abs() <= 1.0), "{place:?}");
                let apart = |other: &[f64; 2]| (place[0] - other[0]).hypot(place[1] - other[1]);
                assert!(places[..number].iter().all(|other| apart(other) > 0.1), "{n}");
            }
        }
    }
}
