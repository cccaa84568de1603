//! Curves of theory, to compare with.

use super::canvas::{Canvas, Place};
use super::panel::Panel;
use super::style::{Dash, THEORY};
use crate::model::theory::{CURVES, Curve};

/// The curves of the literature that figures show, from the largest to the smallest.
pub(super) fn known_curves() -> impl DoubleEndedIterator<Item = &'static Curve> {
    const SHOWN: [&str; 4] = ["n²", "2 n log2 n", "n H_n", "0.69 n log2 n"];
    CURVES.iter().filter(|curve| SHOWN.contains(&curve.name))
}

/// A curve over the sizes of a figure.
pub(super) struct Guide {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub dash: Dash,
}

impl Guide {
    /// The positive values of a function of n from the smallest to the largest of some sizes, in so
    /// many steps of equal factors.
    pub fn new(name: &str, value: fn(u64) -> f64, dash: Dash, sizes: &[u64], steps: u32) -> Self {
        let ends = sizes.first().zip(sizes.last());
        let (low, high) = ends.map_or((1.0, 1.0), |(&low, &high)| (low as f64, high as f64));
        let factor = high / low.max(1.0);
        let between = (0..=steps).map(|step| f64::from(step) / f64::from(steps));
        let mut between: Vec<u64> =
            between.map(|share| (low * factor.powf(share)).round() as u64).collect();
        between.dedup();
        let values = between.into_iter().map(|n| (n as f64, value(n)));
        let points = values.filter(|(_, y)| *y > 0.0).collect();
        Guide { name: name.to_owned(), points, dash }
    }

    /// Draws the curve as far as it lies within a panel, and says where it ends.
    pub fn draw(&self, canvas: &mut Canvas, panel: &Panel) -> Option<Place> {
        let places: Vec<Place> = self.points.iter().map(|&(x, y)| panel.at(x, y)).collect();
        canvas.line_within(panel.area, &places, THEORY, 1.3, self.dash);
        places.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::figure::style::SOLID;

    #[test]
    fn a_curve_leads_from_the_smallest_to_the_largest_size_over_whole_ones() {
        let points = |value: fn(u64) -> f64, sizes: &[u64]| {
            Guide::new("twice", value, SOLID, sizes, 60).points
        };
        let twice = |n: u64| 2.0 * n as f64;
        let many = points(twice, &[16, 100, 4096]);
        assert_eq!((many[0], many[many.len() - 1]), ((16.0, 32.0), (4096.0, 8192.0)));
        assert!(many.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(points(twice, &[3]), [(3.0, 6.0)]);
        assert!(points(|_| 0.0, &[2, 3]).is_empty());
    }

    #[test]
    fn the_curves_that_figures_show_are_known_to_theory() {
        assert_eq!(known_curves().count(), 4);
    }
}
