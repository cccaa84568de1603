//! Growth laws: the functions of n that message counts may follow.

use std::fmt;

use statrs::function::harmonic::harmonic;

/// One function of n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
