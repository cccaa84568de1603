//! Numbers gathered into bins of equal width.

use std::collections::BTreeMap;

use super::canvas::{Area, Canvas, Place};
use super::data::Datum;
use super::panel::Panel;
use super::style::{Colour, Marker, SOLID};

/// How often numbers fell into each bin.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Histogram {
    /// Where the first bin begins; a bin holds the whole numbers from its begin up to the next.
    pub first: i128,
    pub width: i128,
    pub counts: Vec<u64>,
    /// Single numbers so frequent that a bin would hide them, and how often each occurs.
    atoms: Vec<(i128, u64)>,
}

/// How much of the paper bars cover.
pub(super) const BAR_OPACITY: f64 = 0.45;

/// The most bins, so that each has some pixels.
const MOST: i128 = 80;

/// The share of all numbers from which on a single one is an atom.
const ATOM: f64 = 0.05;

impl Histogram {
    /// Bins by the rule of Freedman and Diaconis 1981, 2·(interquartile range)·r^(-1/3) wide, at
    /// least 1 and at most 80 of them. `None` without numbers.
    pub fn of(values: &BTreeMap<i128, u64>) -> Option<Self> {
        let (&low, &high) = (values.keys().next()?, values.keys().next_back()?);
        let total: u64 = values.values().sum();
        let at = |share: f64| {
            let mut before = (share * (total - 1) as f64) as u64;
            let found = values.iter().find(|(_, count)| {
                let is_here = before < **count;
                before = before.saturating_sub(**count);
                is_here
            });
            found.map_or(high, |(value, _)| *value)
        };
        let spread = (at(0.75) - at(0.25)) as f64;
        let rule = (2.0 * spread / (total as f64).cbrt()).round() as i128;
        let width = rule.max((high - low) / MOST + 1).max(1);
        let mut counts = vec![0; usize::try_from((high - low) / width).ok()? + 1];
        for (value, count) in values {
            counts[usize::try_from((value - low) / width).ok()?] += count;
        }
        let is_atom = |count: u64| width > 1 && count as f64 >= ATOM * total as f64;
        let atoms = values.iter().filter(|(_, count)| is_atom(**count));
        let atoms = atoms.map(|(value, count)| (*value, *count)).collect();
        Some(Histogram { first: low, width, counts, atoms })
    }

    /// How many of a bin's numbers are atoms.
    fn atoms_within(&self, bin: usize) -> u64 {
        let numbers = self.begin(bin)..self.begin(bin + 1);
        self.atoms.iter().filter(|(value, _)| numbers.contains(value)).map(|(_, count)| count).sum()
    }

    /// How many numbers there are.
    fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Where a bin begins.
    fn begin(&self, bin: usize) -> i128 {
        self.first + self.width * bin as i128
    }

    /// The borders of the bins on a level axis. Whole numbers stand in the middle of their place,
    /// so all borders lie half a step lower.
    fn border(&self, bin: usize) -> f64 {
        self.begin(bin) as f64 - 0.5
    }

    /// Where the first bin begins and the last one ends, on a level axis.
    pub fn ends(&self) -> (f64, f64) {
        (self.border(0), self.border(self.counts.len()))
    }

    /// The share of all numbers in each bin.
    pub fn shares(&self) -> Vec<f64> {
        let total = self.total().max(1) as f64;
        self.counts.iter().map(|&count| count as f64 / total).collect()
    }

    /// Draws a bar for each share, a little apart from the next where there is room, and a pin for
    /// each atom.
    pub fn draw(&self, canvas: &mut Canvas, panel: &Panel, colour: Colour) {
        let total = self.total().max(1) as f64;
        for (bin, count) in self.counts.iter().enumerate() {
            let share = (count - self.atoms_within(bin)) as f64 / total;
            if share <= 0.0 {
                continue;
            }
            let [left, right] = [bin, bin + 1].map(|bin| panel.across(self.border(bin)));
            let gap = if right - left > 4.0 { 0.5 } else { 0.0 };
            let bar = Area {
                left: left + gap,
                top: panel.up(share),
                right: right - gap,
                bottom: panel.area.bottom,
            };
            let (first, last) = (self.begin(bin) as f64, self.begin(bin + 1) as f64 - 1.0);
            canvas.stands_for(Datum::new((first + last) / 2.0, share, None));
            canvas.fill_area(bar, colour, BAR_OPACITY);
        }
        for &(value, count) in &self.atoms {
            let top = panel.at(value as f64, count as f64 / total);
            canvas.line(&[(top.0, panel.area.bottom), top], colour, 2.0, SOLID);
            canvas.stands_for(Datum::new(value as f64, count as f64 / total, None));
            canvas.marker(top, Marker::Circle, 3.0, colour, true);
        }
    }

    /// The outline of other shares in the same bins.
    pub fn outline(&self, panel: &Panel, shares: &[f64]) -> Vec<Place> {
        let top = |(bin, &share): (usize, &f64)| {
            [bin, bin + 1].map(|bin| panel.at(self.border(bin), share))
        };
        shares.iter().enumerate().flat_map(top).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_falls_into_the_bin_that_holds_it() {
        let values: BTreeMap<i128, u64> =
            (-100..1000).map(|value| (value, 1 + (value % 3 == 0) as u64)).collect();
        let histogram = Histogram::of(&values).expect("numbers");
        assert_eq!(histogram.total(), values.values().sum::<u64>());
        for (bin, &count) in histogram.counts.iter().enumerate() {
            let within = values.range(histogram.begin(bin)..histogram.begin(bin + 1));
            assert_eq!(count, within.map(|(_, count)| count).sum::<u64>(), "bin {bin}");
        }
        assert!((histogram.shares().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_number_is_one_bin_and_none_is_none() {
        let one = Histogram::of(&BTreeMap::from([(7, 5)])).expect("numbers");
        assert_eq!((one.first, one.width, one.counts), (7, 1, vec![5]));
        assert_eq!(Histogram::of(&BTreeMap::new()), None);
        let far = Histogram::of(&BTreeMap::from([(0, 1), (1 << 70, 1)])).expect("numbers");
        assert!(far.counts.len() <= 81);
    }
}
