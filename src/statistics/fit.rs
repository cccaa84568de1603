//! Growth laws fitted to mean messages: the constants and how surely they are known.
//!
//! What is minimised is the *relative* error. Message counts span orders of magnitude, and unweighted
//! squares would hear only the largest n. Two ways, told by [`Weighting`]:
//!
//! - every point has a positive standard error: residuals are measured in standard errors (weight
//!   1/se²), the maximum-likelihood fit. Runs of one cell spread by a share of their mean, so this
//!   too weighs relative errors, each by how well it is known;
//! - otherwise (one run, or a layout that leaves nothing to chance): residuals are measured in means
//!   (weight 1/mean²), so a miss of 1 % counts the same at every n.

use std::f64::consts::LN_2;
use thiserror::Error;

use super::growth::{Model, Term};
use super::student;
use super::tails::chi_square_p;

/// Mean messages measured at one n.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Point {
    /// The number of processes.
    pub n: u64,
    /// The mean over the runs.
    pub mean: f64,
    /// The standard error of that mean, where known.
    pub standard_error: Option<f64>,
}

/// Why there is no fit.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum FitError {
    /// More coefficients than the points can tell, with something left to judge the fit by.
    #[error("{points} points: at least {needed} are needed; measure at more values of n")]
    TooFewPoints {
        /// How many there are.
        points: usize,
        /// How many would do.
        needed: usize,
    },
    /// A point with n = 0, a mean that is no positive number or a standard error below 0.
    #[error(
        "n = {n}, mean {mean}: n and mean have to be positive numbers, a standard error not negative"
    )]
    OddPoint {
        /// Its n.
        n: u64,
        /// Its mean.
        mean: f64,
    },
    /// On these n one term is a multiple of another.
    #[error("the terms of {0} cannot be told apart on these points; measure at more values of n")]
    Indistinct(Model),
    /// A confidence that is no probability.
    #[error("confidence {0}: it has to lie between 0 and 1")]
    Confidence(f64),
}

/// What residuals are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Weighting {
    /// Standard errors: weight 1/se².
    StandardErrors,
    /// Means: weight 1/mean².
    Means,
}

impl Weighting {
    /// Standard errors where every point has a positive one, else means.
    pub(super) fn of(points: &[Point]) -> Self {
        let known = |point: &Point| point.standard_error.is_some_and(|error| error > 0.0);
        if points.iter().all(known) { Self::StandardErrors } else { Self::Means }
    }

    fn unit(self, point: &Point) -> f64 {
        match self {
            Self::StandardErrors => point.standard_error.unwrap_or(point.mean),
            Self::Means => point.mean,
        }
    }
}

/// An estimated coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Coefficient {
    /// What it multiplies.
    pub term: Term,
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Its interval at the confidence asked for.
    pub interval: (f64, f64),
}

/// A model fitted to points.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// Its coefficients, in the order of the model's terms.
    pub coefficients: Vec<Coefficient>,
    /// What residuals were measured in.
    pub weighting: Weighting,
    /// The number of points, N.
    pub points: usize,
    /// Points less coefficients, ν.
    pub degrees_of_freedom: u64,
    /// X² = Σ((mean − fitted)/unit)², the sum that was minimised.
    pub chi_square: f64,
    /// The probability of an X² at least as large if the model is true; only known where residuals
    /// are measured in standard errors. Small: the model does not hold at this precision.
    pub lack_of_fit: Option<f64>,
    /// The root mean square of (fitted − mean)/mean.
    pub relative_error: f64,
}

impl Fit {
    /// The fitted value at n.
    pub fn at(&self, n: u64) -> f64 {
        self.coefficients.iter().map(|coefficient| coefficient.value * coefficient.term.at(n)).sum()
    }

    /// The fit in words, such as "0.693 ± 0.002 · n log2 n + 0.58 ± 0.03 · n": after ± stands half
    /// the width of the interval.
    pub fn sentence(&self) -> String {
        let mut sentence = String::new();
        for (place, coefficient) in self.coefficients.iter().enumerate() {
            let (low, high) = coefficient.interval;
            let number = with_uncertainty(coefficient.value.abs(), (high - low) / 2.0);
            let sign = match (place, coefficient.value < 0.0 && number != "0") {
                (0, false) => "",
                (0, true) => "−",
                (_, false) => " + ",
                (_, true) => " − ",
            };
            sentence += &match coefficient.term {
                Term::One => format!("{sign}{number}"),
                term => format!("{sign}{number} · {term}"),
            };
        }
        sentence
    }

    /// The leading constant of n·H_n in n log2 n and the other way round: n·H_n = ln 2 · n log2 n + O(n).
    pub fn other_constant(&self) -> Option<String> {
        let first = self.coefficients.first()?;
        let (factor, name) = match first.term {
            Term::NHarmonic => (LN_2, Term::NLog2N),
            Term::NLog2N => (LN_2.recip(), Term::NHarmonic),
            _ => return None,
        };
        let (low, high) = first.interval;
        let number = with_uncertainty(factor * first.value, factor * (high - low) / 2.0);
        Some(format!("{number} · {name} + O(n)"))
    }
}

/// The scatter is called larger than the standard errors allow below this p-value.
const LACK_OF_FIT: f64 = 0.05;

/// Fits a model by weighted least squares (see the module for the weights).
///
/// Standard errors of coefficients come from (XᵀWX)⁻¹. Where the points' standard errors are known
/// and explain the scatter (lack-of-fit p ≥ 0.05) the intervals are normal: nothing about the noise
/// was estimated. Otherwise the noise is known up to a factor only: standard errors are multiplied
/// by √(X²/ν) and the intervals are Student's with ν degrees of freedom.
pub fn fit(points: &[Point], model: Model, confidence: f64) -> Result<Fit, FitError> {
    check(points, confidence)?;
    let needed = model.terms().len() + 1;
    if points.len() < needed {
        return Err(FitError::TooFewPoints { points: points.len(), needed });
    }
    let weighting = Weighting::of(points);
    let solution = solve(points, model, weighting).ok_or(FitError::Indistinct(model))?;
    let freedom = points.len() - model.terms().len();
    let lack_of_fit = match weighting {
        Weighting::StandardErrors => chi_square_p(solution.chi_square, freedom as u64),
        Weighting::Means => None,
    };
    let explained = lack_of_fit.is_some_and(|p| p >= LACK_OF_FIT);
    let (scale, quantile) = if explained {
        (1.0, student::normal_two_sided_quantile(confidence))
    } else {
        let scale = (solution.chi_square / freedom as f64).sqrt();
        (scale, student::two_sided_quantile(freedom as f64, confidence))
    };
    let quantile = quantile.ok_or(FitError::Confidence(confidence))?;
    let coefficients = model
        .terms()
        .iter()
        .zip(solution.values.iter().zip(&solution.standard_errors))
        .map(|(&term, (&value, &error))| {
            let (standard_error, half) = (scale * error, quantile * scale * error);
            Coefficient { term, value, standard_error, interval: (value - half, value + half) }
        })
        .collect();
    let mut fit = Fit {
        model,
        coefficients,
        weighting,
        points: points.len(),
        degrees_of_freedom: freedom as u64,
        chi_square: solution.chi_square,
        lack_of_fit,
        relative_error: 0.0,
    };
    let miss = |point: &Point| (fit.at(point.n) / point.mean - 1.0).powi(2);
    fit.relative_error = (points.iter().map(miss).sum::<f64>() / points.len() as f64).sqrt();
    Ok(fit)
}

pub(super) fn check(points: &[Point], confidence: f64) -> Result<(), FitError> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(FitError::Confidence(confidence));
    }
    let odd = |point: &&Point| {
        let mean_is_sound = point.mean > 0.0 && point.mean.is_finite();
        let error_is_sound =
            point.standard_error.is_none_or(|error| error >= 0.0 && error.is_finite());
        point.n == 0 || !mean_is_sound || !error_is_sound
    };
    match points.iter().find(odd) {
        Some(point) => Err(FitError::OddPoint { n: point.n, mean: point.mean }),
        None => Ok(()),
    }
}

pub(super) struct Solution {
    pub(super) values: Vec<f64>,
    /// Of the values, when the unit of a residual is its standard deviation.
    pub(super) standard_errors: Vec<f64>,
    pub(super) chi_square: f64,
}

/// A term is a multiple of the others when no more than this share of it is left beside them.
const INDISTINCT: f64 = 1e-9;

/// Least squares in the given unit by the QR decomposition (Gram-Schmidt, every step done twice):
/// the normal equations would square the closeness of n log2 n and n. `None` when terms are
/// multiples of each other.
pub(super) fn solve(points: &[Point], model: Model, weighting: Weighting) -> Option<Solution> {
    let units: Vec<f64> = points.iter().map(|point| weighting.unit(point)).collect();
    let scaled = |values: Vec<f64>| -> Vec<f64> {
        values.into_iter().zip(&units).map(|(value, unit)| value / unit).collect()
    };
    let size = model.terms().len();
    let mut orthonormal: Vec<Vec<f64>> = vec![];
    let mut r = vec![vec![0.0; size]; size];
    for (place, term) in model.terms().iter().enumerate() {
        let mut column = scaled(points.iter().map(|point| term.at(point.n)).collect());
        let length = dot(&column, &column).sqrt();
        for _ in 0..2 {
            for (row, q) in orthonormal.iter().enumerate() {
                r[row][place] += remove(&mut column, q);
            }
        }
        let rest = dot(&column, &column).sqrt();
        if rest.is_nan() || rest <= INDISTINCT * length {
            return None;
        }
        r[place][place] = rest;
        column.iter_mut().for_each(|value| *value /= rest);
        orthonormal.push(column);
    }
    let mut residual = scaled(points.iter().map(|point| point.mean).collect());
    let mut projected = vec![0.0; size];
    for _ in 0..2 {
        for (share, q) in projected.iter_mut().zip(&orthonormal) {
            *share += remove(&mut residual, q);
        }
    }
    let values = back_substituted(&r, &projected);
    // The length of row i of R⁻¹ is the standard error of coefficient i.
    let unit = |one: usize| -> Vec<f64> { (0..size).map(|row| f64::from(row == one)).collect() };
    let columns: Vec<Vec<f64>> = (0..size).map(|one| back_substituted(&r, &unit(one))).collect();
    let standard_errors = (0..size)
        .map(|row| columns.iter().map(|column| column[row] * column[row]).sum::<f64>().sqrt())
        .collect();
    Some(Solution { values, standard_errors, chi_square: dot(&residual, &residual) })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Takes out of a vector its part along a unit vector, and returns how long that part was.
fn remove(vector: &mut [f64], unit: &[f64]) -> f64 {
    let share = dot(vector, unit);
    vector.iter_mut().zip(unit).for_each(|(value, along)| *value -= share * along);
    share
}

/// The x with R·x = right for an upper triangular R.
fn back_substituted(r: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut x = right.to_vec();
    for row in (0..x.len()).rev() {
        let known = dot(&r[row][row + 1..], &x[row + 1..]);
        x[row] = (x[row] - known) / r[row][row];
    }
    x
}

/// "0.693 ± 0.002": the uncertainty with one digit (two if the first is 1), the value to the same
/// place. An uncertainty of no more than rounding is left out.
fn with_uncertainty(value: f64, half: f64) -> String {
    if half <= 1e-11 * value.abs().max(0.1) {
        let digits = format!("{value:.9}");
        return digits.trim_end_matches('0').trim_end_matches('.').to_string();
    }
    let magnitude = half.log10().floor();
    let leading = half / 10f64.powf(magnitude);
    // 9.5 and more is rounded up to 10, which has a first digit 1.
    let place = if leading < 1.95 { 1.0 - magnitude } else { -magnitude };
    let decimals = place.clamp(0.0, 15.0) as usize;
    format!("{value:.decimals$} ± {half:.decimals$}")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::statistics::rank::normals;
    use statrs::function::harmonic::harmonic;

    const SIZES: [u64; 13] =
        [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

    pub(in crate::statistics) fn exactly(law: impl Fn(f64) -> f64) -> Vec<Point> {
        let point = |&n: &u64| Point { n, mean: law(n as f64), standard_error: None };
        SIZES.iter().map(point).collect()
    }

    /// Points about a law, 0.6 n / √runs off, as for Chang-Roberts.
    pub(in crate::statistics) fn measured(
        law: impl Fn(u64) -> f64,
        runs: f64,
        seed: u64,
    ) -> Vec<Point> {
        let mut normal = normals(seed);
        let point = |&n: &u64| {
            let error = 0.6 * n as f64 / runs.sqrt();
            let mean = law(n) + error * normal();
            Point { n, mean, standard_error: Some(error) }
        };
        SIZES.iter().map(point).collect()
    }

    #[test]
    fn intervals_cover_at_the_stated_rate() {
        let trials = 4000;
        let mut covered = [0; 2];
        for seed in 0..trials {
            let points = measured(|n| 0.693 * Term::NLog2N.at(n) + 0.58 * n as f64, 1000.0, seed);
            let fit = fit(&points, Model::N_LOG_N, 0.95).unwrap();
            for (place, truth) in [0.693, 0.58].into_iter().enumerate() {
                let (low, high) = fit.coefficients[place].interval;
                covered[place] += u32::from(low <= truth && truth <= high);
            }
        }
        for count in covered {
            let rate = f64::from(count) / trials as f64;
            // 95 % and a little more, since scatter that looks too large widens the interval.
            assert!((0.945..0.968).contains(&rate), "{rate}");
        }
    }

    #[test]
    fn the_lack_of_fit_test_raises_false_alarms_at_the_stated_rate() {
        let alarms = (0..4000)
            .filter(|&seed| {
                let points = measured(|n| Term::NHarmonic.at(n), 1000.0, seed);
                fit(&points, Model::N_HARMONIC, 0.95).unwrap().lack_of_fit.unwrap() < 0.05
            })
            .count();
        assert!((150..250).contains(&alarms), "{alarms}");
    }

    #[test]
    fn scatter_beyond_the_standard_errors_widens_the_intervals() {
        let mut points = measured(|n| Term::NHarmonic.at(n), 1000.0, 3);
        let narrow = fit(&points, Model::N_HARMONIC, 0.95).unwrap();
        for (place, point) in points.iter_mut().enumerate() {
            point.mean *= if place % 2 == 0 { 1.1 } else { 0.9 };
        }
        let wide = fit(&points, Model::N_HARMONIC, 0.95).unwrap();
        assert!(wide.lack_of_fit.unwrap() < 1e-6);
        assert!(wide.coefficients[0].standard_error > 3.0 * narrow.coefficients[0].standard_error);
    }

    #[test]
    fn small_and_odd_input_is_refused_with_a_reason() {
        let points = exactly(|n| n);
        let refused = |points: &[Point]| fit(points, Model::N_LOG_N, 0.95).unwrap_err();
        assert_eq!(refused(&points[..2]), FitError::TooFewPoints { points: 2, needed: 3 });
        assert_eq!(refused(&[]), FitError::TooFewPoints { points: 0, needed: 3 });
        assert_eq!(refused(&[points[0]; 5]), FitError::Indistinct(Model::N_LOG_N));
        let one = Point { n: 1, mean: 1.0, standard_error: None };
        assert_eq!(refused(&[one; 5]), FitError::Indistinct(Model::N_LOG_N));
        for odd in [
            Point { n: 0, ..one },
            Point { mean: 0.0, ..one },
            Point { mean: f64::NAN, ..one },
            Point { standard_error: Some(-1.0), ..one },
        ] {
            assert!(matches!(refused(&[odd; 5]), FitError::OddPoint { .. }));
        }
        assert_eq!(fit(&points, Model::N, 1.0).unwrap_err(), FitError::Confidence(1.0));
    }

    #[test]
    fn a_ring_of_one_is_a_point_like_any_other() {
        let mut points = exactly(|n| 2.0 * n * n.log2() + 3.0 * n);
        points.push(Point { n: 1, mean: 3.0, standard_error: None });
        let fit = fit(&points, Model::N_LOG_N, 0.95).unwrap();
        assert_eq!(fit.sentence(), "2 · n log2 n + 3 · n");
    }

    #[test]
    fn the_constant_of_one_law_is_told_in_the_other() {
        let points = exactly(|n| n * harmonic(n as u64));
        let told = fit(&points, Model::N_HARMONIC, 0.95).unwrap().other_constant();
        assert_eq!(told.as_deref(), Some("0.693147181 · n log2 n + O(n)"));
        let points = exactly(|n| 2.0 * n * n.log2() + 3.0 * n);
        let told = fit(&points, Model::N_LOG_N, 0.95).unwrap().other_constant();
        assert_eq!(told.as_deref(), Some("2.885390082 · n H_n + O(n)"));
    }

    #[test]
    fn a_constant_stands_alone_in_a_sentence() {
        let points = exactly(|n| 3.0 * n - 1.0);
        let fit = fit(&points, Model::N_AND_ONE, 0.95).unwrap();
        assert_eq!(fit.sentence(), "3 · n − 1");
    }

    #[test]
    fn uncertainties_set_the_digits() {
        assert_eq!(with_uncertainty(0.6934, 0.0021), "0.693 ± 0.002");
        assert_eq!(with_uncertainty(0.6934, 0.0149), "0.693 ± 0.015");
        assert_eq!(with_uncertainty(0.5812, 0.0314), "0.58 ± 0.03");
        assert_eq!(with_uncertainty(123.4, 21.0), "123 ± 21");
        assert_eq!(with_uncertainty(0.5, 1e-17), "0.5");
        assert_eq!(with_uncertainty(0.0, 0.0), "0");
        assert_eq!(with_uncertainty(1e-17, 1e-16), "0");
    }
}
