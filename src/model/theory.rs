//! The theorems: exact values and bounds as functions of n, each with its formula and source, and
//! the curves that every table and figure may show beside them.

use std::fmt;

use super::topology::Shape;

/// What a theorem is asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// The number of nodes.
    pub n: u64,
    /// The number of initiators, where it is fixed.
    pub initiators: Option<u64>,
    /// Where on a ring they stand.
    pub placed: Placed,
    /// The shape of the network.
    pub shape: Shape,
}

/// Where on a ring the initiators stand, as far as theorems ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Placed {
    /// Every set of as many is equally likely.
    Anywhere,
    /// At fixed positions, with the gap g from each to the next.
    Apart {
        /// Σ g(g-1)/2
        pairs: f64,
        /// Σ g H_g
        harmonic: f64,
    },
}

impl Case {
    /// Everybody starts, on a ring.
    pub fn all(n: u64) -> Self {
        Case::ring(n, Some(n))
    }

    /// So many start, on a ring.
    pub fn ring(n: u64, initiators: Option<u64>) -> Self {
        let shape = Shape { edges: n, leaves: 0, diameter: Some(n / 2) };
        Case { n, initiators, placed: Placed::Anywhere, shape }
    }

    /// Those at these positions start, in ascending order and at least one, on a ring.
    pub fn starting_at(n: u64, positions: &[u32]) -> Self {
        let (mut pairs, mut between) = (0.0, 0.0);
        for (place, &position) in positions.iter().enumerate() {
            let gap = match positions.get(place + 1) {
                Some(&next) => u64::from(next - position),
                None => n + u64::from(positions[0]) - u64::from(position),
            };
            pairs += gap as f64 * (gap as f64 - 1.0) / 2.0;
            between += gap as f64 * harmonic(gap);
        }
        let placed = Placed::Apart { pairs, harmonic: between };
        Case { placed, ..Case::ring(n, Some(positions.len() as u64)) }
    }

    /// Whether everybody starts.
    pub fn is_all(&self) -> bool {
        self.initiators == Some(self.n)
    }
}

/// A number from a theorem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Exact.
    Whole(u128),
    /// Computed in floating point, to about 15 digits.
    Real(f64),
}

impl Value {
    /// The nearest floating-point number.
    pub fn as_f64(self) -> f64 {
        match self {
            Value::Whole(value) => value as f64,
            Value::Real(value) => value,
        }
    }

    fn times(self, factor: u128) -> Self {
        match self {
            Value::Whole(value) => Value::Whole(value.saturating_mul(factor)),
            Value::Real(value) => Value::Real(value * factor as f64),
        }
    }

    fn plus(self, more: u128) -> Self {
        match self {
            Value::Whole(value) => Value::Whole(value.saturating_add(more)),
            Value::Real(value) => Value::Real(value + more as f64),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(value) => value.fmt(f),
            Value::Real(value) => match f.precision() {
                Some(precision) => write!(f, "{value:.precision$}"),
                None => value.fmt(f),
            },
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Whole(value) => match u64::try_from(*value) {
                Ok(value) => serializer.serialize_u64(value),
                // JSON readers keep no more than a floating-point number's digits.
                Err(_) => serializer.serialize_f64(*value as f64),
            },
            Value::Real(value) => serializer.serialize_f64(*value),
        }
    }
}

/// How a number is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Certainty {
    /// Proved for every n.
    Proved,
    /// Found by going through all rings of small n.
    Enumerated,
    /// An upper or lower bound that need not be attained.
    Bound,
    /// Computed from a law that numbers confirm and nobody has proved.
    Numerical,
    /// Measured by simulation.
    Measured,
}

/// In which networks a number holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Whatever the delays.
    Always,
    /// Whatever the delays, where no message overtakes another on its link.
    Fifo,
    /// In synchronous networks only.
    Synchronous,
}

impl Holds {
    /// Whether the number holds in a network with any delays, and FIFO links or not.
    pub fn with_delays(self, fifo: bool) -> bool {
        match self {
            Holds::Always => true,
            Holds::Fifo => fifo,
            Holds::Synchronous => false,
        }
    }
}

/// One value with its formula and where it comes from.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fact {
    /// The value for the case asked about.
    pub value: Value,
    /// The formula, for people.
    pub formula: String,
    /// How it is known.
    pub certainty: Certainty,
    /// By how much the value may be off where it is not exact, if anybody can say.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub error: Option<f64>,
    /// Where it comes from.
    pub source: &'static str,
    /// In which networks it holds.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub holds: Holds,
    /// Whether it is about the IDs 1 to n alone.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub dense_ids: bool,
}

impl Fact {
    /// A proved whole number.
    pub fn whole(value: u128, formula: &str, source: &'static str) -> Self {
        Fact::proved(Value::Whole(value), formula, source)
    }

    /// A proved real number.
    pub fn real(value: f64, formula: &str, source: &'static str) -> Self {
        Fact::proved(Value::Real(value), formula, source)
    }

    fn proved(value: Value, formula: &str, source: &'static str) -> Self {
        Fact {
            value,
            formula: formula.to_owned(),
            certainty: Certainty::Proved,
            error: None,
            source,
            holds: Holds::Always,
            dense_ids: false,
        }
    }

    /// The same, about the IDs 1 to n alone.
    pub fn for_dense_ids(self) -> Self {
        Fact { dense_ids: true, ..self }
    }

    /// Whether it is exact: proved, or found by going through all rings.
    pub fn is_exact(&self) -> bool {
        matches!(self.certainty, Certainty::Proved | Certainty::Enumerated)
    }

    /// The same with another certainty.
    pub fn known(self, certainty: Certainty) -> Self {
        Fact { certainty, ..self }
    }

    /// The same, computed from a law that nobody has proved: off by at most `error`.
    pub fn numerical(self, error: f64) -> Self {
        Fact { certainty: Certainty::Numerical, error: Some(error), ..self }
    }

    /// By how much the value may be off: not at all where it is exact; `None` where nobody can say.
    pub fn within(&self) -> Option<f64> {
        if self.is_exact() { Some(0.0) } else { self.error }
    }

    /// The fact of a number that is always `factor` times this one, its `value`.
    pub(crate) fn scaled(&self, value: Value, factor: f64, formula: String) -> Self {
        let error = self.error.map(|error| error * factor);
        Fact { value, error, formula, ..self.clone() }
    }
}

/// What is known about an algorithm's messages, or about another metric, in one case.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Facts {
    /// The least over all rings: the fewest messages.
    pub best: Option<Fact>,
    /// The mean over all rings, each equally likely.
    pub mean: Option<Fact>,
    /// The most over all rings.
    pub worst: Option<Fact>,
    /// The variance over all rings.
    pub variance: Option<Fact>,
}

impl Facts {
    /// The facts of an algorithm that always needs the same number of messages.
    pub fn constant(messages: u128, formula: &str, source: &'static str) -> Self {
        let fact = Fact::whole(messages, formula, source);
        Facts {
            best: Some(fact.clone()),
            mean: Some(fact.clone()),
            worst: Some(fact),
            variance: Some(Fact::whole(0, "0", source)),
        }
    }

    /// The facts with so many messages on top, always the same number.
    pub fn plus(self, messages: u128, formula: &str) -> Self {
        let variance = self.variance.clone();
        let more = self.map(|fact| {
            let (value, formula) =
                (fact.value.plus(messages), format!("{} + {formula}", fact.formula));
            Some(Fact { value, formula, ..fact })
        });
        Facts { variance, ..more }
    }

    /// The facts of a number that is always `factor` times this one.
    pub fn times(self, factor: u128, name: &str) -> Self {
        let scaled = |fact: Fact, factor: u128, name: String| {
            let sum = [" + ", " - "].iter().any(|sign| fact.formula.contains(sign));
            let formula = if sum {
                format!("{name} · ({})", fact.formula)
            } else {
                format!("{name} · {}", fact.formula)
            };
            fact.scaled(fact.value.times(factor), factor as f64, formula)
        };
        let square = |fact: Fact| match fact.value.as_f64() == 0.0 {
            true => fact,
            false => scaled(fact, factor.saturating_mul(factor), format!("{name}^2")),
        };
        let variance = self.variance.clone().map(square);
        let more = self.map(|fact| Some(scaled(fact, factor, name.to_owned())));
        Facts { variance, ..more }
    }

    /// The facts about the IDs 1 to n alone.
    pub fn for_dense_ids(self) -> Self {
        self.map(|fact| Some(fact.for_dense_ids()))
    }

    /// A number that is never larger than this one.
    pub fn at_most(value: u128, formula: &str, source: &'static str) -> Self {
        let worst = Fact::whole(value, formula, source).known(Certainty::Bound);
        Facts { worst: Some(worst), ..Facts::default() }
    }

    /// The facts that hold in such networks only.
    pub fn holding(self, holds: Holds) -> Self {
        self.map(|fact| Some(Fact { holds, ..fact }))
    }

    /// As [`Facts::holding`], but the worst case bounds the messages in every network: elsewhere
    /// they can only be fewer.
    pub fn holding_else_fewer(self, holds: Holds) -> Self {
        let worst = self.worst.clone();
        Facts { worst, ..self.holding(holds) }
    }

    /// Every fact as `change` says; `None` leaves it out.
    pub fn map(self, change: impl Fn(Fact) -> Option<Fact>) -> Self {
        Facts {
            best: self.best.and_then(&change),
            mean: self.mean.and_then(&change),
            worst: self.worst.and_then(&change),
            variance: self.variance.and_then(&change),
        }
    }

    /// The facts by name, in the order of the tables.
    pub fn named(&self) -> [(&'static str, Option<&Fact>); 4] {
        [
            ("best", self.best.as_ref()),
            ("mean", self.mean.as_ref()),
            ("worst", self.worst.as_ref()),
            ("variance", self.variance.as_ref()),
        ]
    }
}

/// Above this the harmonic numbers come from their asymptotic series, whose error is below 1e-16.
const SUM_UP_TO: u64 = 256;

/// The harmonic number H_n = 1 + 1/2 + … + 1/n; H_0 = 0.
///
/// Beyond n = 256: ln n + γ + 1/(2n) - 1/(12n²) + 1/(120n⁴) - 1/(252n⁶) (Euler and Maclaurin).
pub fn harmonic(n: u64) -> f64 {
    if n <= SUM_UP_TO {
        return (1..=n).rev().map(|k| 1.0 / k as f64).sum();
    }
    let x = 1.0 / n as f64;
    let square = x * x;
    let series = x / 2.0 - square * (1.0 / 12.0 - square * (1.0 / 120.0 - square / 252.0));
    (n as f64).ln() + EULER_MASCHERONI + series
}

/// The harmonic number of the second order, H2_n = 1 + 1/4 + … + 1/n².
///
/// Beyond n = 256: π²/6 - 1/n + 1/(2n²) - 1/(6n³) + 1/(30n⁵) - 1/(42n⁷) (Euler and Maclaurin).
pub fn harmonic_squares(n: u64) -> f64 {
    if n <= SUM_UP_TO {
        return (1..=n).rev().map(|k| 1.0 / (k as f64 * k as f64)).sum();
    }
    let x = 1.0 / n as f64;
    let square = x * x;
    let series = 1.0 / 6.0 - square * (1.0 / 30.0 - square / 42.0);
    std::f64::consts::PI * std::f64::consts::PI / 6.0 - x + square / 2.0 - x * square * series
}

const EULER_MASCHERONI: f64 = 0.577_215_664_901_532_9;

/// H_b - H_a for a ≤ b: the sum of 1/k over a < k ≤ b, accurate also where both are large.
pub fn harmonic_between(a: u64, b: u64) -> f64 {
    if b - a <= SUM_UP_TO {
        return (a + 1..=b).rev().map(|k| 1.0 / k as f64).sum();
    }
    harmonic(b) - harmonic(a)
}

/// ⌈log2 n⌉ for n ≥ 1.
pub fn ceil_log2(n: u64) -> u32 {
    u64::BITS - (n - 1).leading_zeros()
}

/// ⌊log2 n⌋ for n ≥ 1.
pub fn floor_log2(n: u64) -> u32 {
    n.ilog2()
}

/// A curve to compare with.
#[derive(Debug, Clone, Copy)]
pub struct Curve {
    /// Its name in tables and legends.
    pub name: &'static str,
    /// Its value.
    pub value: fn(u64) -> f64,
    /// Where it comes from.
    pub source: &'static str,
}

/// The reference curves, from the largest to the smallest at large n; lower bounds last.
pub const CURVES: &[Curve] = &[
    Curve {
        name: "n²",
        value: |n| n as f64 * n as f64,
        source: "LeLann 1977; the usual bound for Chang-Roberts",
    },
    Curve {
        name: "n(n+1)/2",
        value: |n| n as f64 * (n as f64 + 1.0) / 2.0,
        source: "worst case of Chang and Roberts 1979",
    },
    Curve {
        name: "5 n ceil(log2 n)",
        value: |n| 5.0 * n as f64 * f64::from(ceil_log2(n)),
        source: "upper bound of Hirschberg-Sinclair, attained at n = 2",
    },
    Curve {
        name: "2 n log2 n",
        value: |n| 2.0 * n as f64 * (n as f64).log2(),
        source: "worst case of Peterson 1982 and of Dolev, Klawe and Rodeh 1982, without O(n)",
    },
    Curve {
        name: "n H_n",
        value: |n| n as f64 * harmonic(n),
        source: "mean of Chang and Roberts 1979; optimal: Pachl, Korach and Rotem 1984",
    },
    Curve {
        name: "0.69 n log2 n",
        value: |n| 0.69 * n as f64 * (n as f64).log2(),
        source: "n H_n without O(n), since ln 2 = 0.693",
    },
    Curve {
        name: "lower bound 0.5 n H_n",
        value: |n| 0.5 * n as f64 * harmonic(n),
        source: "average, bidirectional rings, n unknown: Bodlaender 1988",
    },
    Curve {
        name: "lower bound (n/4)(log2 n + 1)",
        value: |n| n as f64 / 4.0 * ((n as f64).log2() + 1.0),
        source: "worst case, open schedules, n a power of two: Burns 1980",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmonic_numbers_by_series_and_by_sum_agree() {
        for n in [257u64, 1000, 100_000] {
            let sum: f64 = (1..=n).rev().map(|k| 1.0 / k as f64).sum();
            assert!((harmonic(n) - sum).abs() < 1e-12, "H_{n}");
            let squares: f64 = (1..=n).rev().map(|k| 1.0 / (k as f64).powi(2)).sum();
            assert!((harmonic_squares(n) - squares).abs() < 1e-14, "H2_{n}");
        }
        assert_eq!(harmonic(0), 0.0);
        assert_eq!(harmonic(1), 1.0);
        assert!((harmonic(10_000_000_000) - 23.603_066_594_891_99).abs() < 1e-12);
    }

    #[test]
    fn differences_of_harmonic_numbers_agree_with_their_sum() {
        for (a, b) in [(0, 0), (0, 5), (10, 200), (100, 5000), (4096, 8192)] {
            let sum: f64 = (a + 1..=b).rev().map(|k| 1.0 / k as f64).sum();
            assert!((harmonic_between(a, b) - sum).abs() < 1e-12, "{a}..{b}");
        }
    }

    #[test]
    fn logarithms_are_exact_at_powers_of_two() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9].map(ceil_log2), [0, 1, 2, 2, 3, 3, 4]);
        assert_eq!([1, 2, 3, 4, 7, 8].map(floor_log2), [0, 1, 1, 2, 2, 3]);
    }

    #[test]
    fn curves_are_finite_at_ten_thousand_million() {
        for curve in CURVES {
            assert!((curve.value)(10_000_000_000).is_finite(), "{}", curve.name);
        }
    }
}
