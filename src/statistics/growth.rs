//! Growth laws: the functions of n that message counts may follow.

use std::fmt;

use statrs::function::harmonic::harmonic;

/// One function of n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Term {
    /// 1
    One,
    /// n
    N,
    /// n log2 n
    NLog2N,
    /// n·H_n with H_n = 1 + 1/2 + ... + 1/n
    NHarmonic,
    /// n^1.1
    NTo11,
    /// n^1.5
    NTo15,
    /// n²
    NSquared,
}

impl Term {
    /// The value at n.
    pub fn at(self, n: u64) -> f64 {
        let x = n as f64;
        match self {
            Self::One => 1.0,
            Self::N => x,
            Self::NLog2N if n == 0 => 0.0,
            Self::NLog2N => x * x.log2(),
            Self::NHarmonic => x * harmonic(n),
            Self::NTo11 => x.powf(1.1),
            Self::NTo15 => x * x.sqrt(),
            Self::NSquared => x * x,
        }
    }

    /// The law that a known function of n follows: n, n log n or n², by how it grows from 2^20 to 2^40
    /// nodes, where nothing else plays a part. `None` for any other, or where it is not known.
    pub fn of(function: impl Fn(u64) -> Option<f64>) -> Option<Self> {
        let per_node = |log: u32| Some(function(1 << log)? / 2f64.powi(log as i32));
        let (small, large) = (per_node(20)?, per_node(40)?);
        match large / small {
            // By node it stays the same, doubles as the logarithm does, or grows like n.
            ratio if (0.95..1.05).contains(&ratio) => Some(Self::N),
            ratio if (1.4..2.2).contains(&ratio) => Some(Self::NLog2N),
            ratio if (0.9e6..1.2e6).contains(&ratio) => Some(Self::NSquared),
            _ => None,
        }
    }

    /// The term without what does not change its growth: n·H_n grows like n log2 n.
    pub fn growth(self) -> Self {
        if self == Self::NHarmonic { Self::NLog2N } else { self }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::One => "1",
            Self::N => "n",
            Self::NLog2N => "n log2 n",
            Self::NHarmonic => "n H_n",
            Self::NTo11 => "n^1.1",
            Self::NTo15 => "n^1.5",
            Self::NSquared => "n²",
        })
    }
}

/// A sum of terms with unknown coefficients, the fastest growing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Model(&'static [Term]);

impl Model {
    /// a·n log2 n + b·n
    pub const N_LOG_N: Self = Self(&[Term::NLog2N, Term::N]);
    /// a·n·H_n
    pub const N_HARMONIC: Self = Self(&[Term::NHarmonic]);
    /// a·n·H_n + b·n
    pub const N_HARMONIC_AND_N: Self = Self(&[Term::NHarmonic, Term::N]);
    /// a·n
    pub const N: Self = Self(&[Term::N]);
    /// a·n + b
    pub const N_AND_ONE: Self = Self(&[Term::N, Term::One]);
    /// a·n^1.1 + b·n
    pub const N_TO_1_1: Self = Self(&[Term::NTo11, Term::N]);
    /// a·n^1.5
    pub const N_TO_1_5: Self = Self(&[Term::NTo15]);
    /// a·n^1.5 + b·n
    pub const N_TO_1_5_AND_N: Self = Self(&[Term::NTo15, Term::N]);
    /// a·n²
    pub const N_SQUARED: Self = Self(&[Term::NSquared]);
    /// a·n² + b·n
    pub const N_SQUARED_AND_N: Self = Self(&[Term::NSquared, Term::N]);

    /// All models, in ascending order of growth.
    pub const ALL: [Self; 10] = [
        Self::N,
        Self::N_AND_ONE,
        Self::N_HARMONIC,
        Self::N_HARMONIC_AND_N,
        Self::N_LOG_N,
        Self::N_TO_1_1,
        Self::N_TO_1_5,
        Self::N_TO_1_5_AND_N,
        Self::N_SQUARED,
        Self::N_SQUARED_AND_N,
    ];

    /// The terms, the fastest growing first.
    pub fn terms(self) -> &'static [Term] {
        self.0
    }

    /// How the model grows: its fastest growing term, where n·H_n counts as n log2 n.
    pub fn growth(self) -> Term {
        self.0.first().map_or(Term::One, |term| term.growth())
    }
}

impl fmt::Display for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.0.iter().map(Term::to_string).collect();
        out.pad(&terms.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_functions_have_their_laws() {
        let of = |law: fn(f64) -> f64| Term::of(|n| Some(law(n as f64)));
        assert_eq!(of(|n| 4.0 * n - 2.0), Some(Term::N));
        assert_eq!(of(|n| n * n.ln() + 0.577 * n), Some(Term::NLog2N));
        assert_eq!(of(|n| 5.0 * n * n.log2().ceil()), Some(Term::NLog2N));
        assert_eq!(of(|n| 2.0 * n * (n.log2() * 0.6227 + 1.1)), Some(Term::NLog2N));
        assert_eq!(of(|n| n * (n + 1.0) / 2.0), Some(Term::NSquared));
        assert_eq!(of(|n| n.powf(1.1)), None);
        assert_eq!(of(|n| n.log2()), None);
        assert_eq!(Term::of(|_| None), None);
    }
}
