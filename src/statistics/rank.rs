//! Growth laws ranked: which one the points speak for, and whether they would again.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use statrs::distribution::{ContinuousCDF, Normal};

use super::fit::{Fit, FitError, Point, Weighting, check, fit, solve};
use super::growth::{Model, Term};

/// A fit and its place among others.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ranked {
    /// The fit.
    pub fit: Fit,
    /// Akaike's criterion with the small-sample correction; only differences mean anything.
    pub aicc: f64,
    /// How much larger it is than that of the first.
    pub delta: f64,
    /// The Akaike weight e^(−delta/2)/Σe^(−delta/2): the share of evidence for this model.
    pub weight: f64,
}

/// Models in the order in which the points speak for them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ranking {
    /// The fitted models, the best first; at least one.
    pub ranked: Vec<Ranked>,
    /// The share of resamples with the same model in the first place; unknown without resamples.
    pub same_model: Option<f64>,
    /// The share of resamples whose first model grows like the first here; unknown without resamples.
    pub same_growth: Option<f64>,
}

/// A model is called rejected when its criterion is larger than the first by more than this: then it
/// has "essentially no support" (Burnham and Anderson 2002, section 2.6).
pub const REJECTED: f64 = 10.0;

/// Below this p-value a sentence says that the fitted law does not hold to the last digit.
const CLEAR_LACK_OF_FIT: f64 = 0.001;

impl Ranking {
    /// The growth laws no model of which has any support, slowest first.
    pub fn rejected(&self) -> Vec<Term> {
        let growths = [Term::One, Term::N, Term::NLog2N, Term::NTo11, Term::NTo15, Term::NSquared];
        let deltas = |growth: Term| {
            let same = move |ranked: &&Ranked| ranked.fit.model.growth() == growth;
            self.ranked.iter().filter(same).map(|ranked| ranked.delta)
        };
        let rejected = |growth: &Term| {
            deltas(*growth).count() > 0 && deltas(*growth).all(|delta| delta > REJECTED)
        };
        growths.into_iter().filter(rejected).collect()
    }

    /// The first fit in words, with the growth laws that are ruled out, such as
    /// "0.693 ± 0.002 · n log2 n + 0.58 ± 0.03 · n; n² rejected".
    pub fn sentence(&self) -> String {
        self.ranked.first().map_or_else(String::new, |first| self.close(&first.fit))
    }

    /// The same with another of the ranked models in front; `None` if it is not among them.
    pub fn sentence_of(&self, model: Model) -> Option<String> {
        let ranked = self.ranked.iter().find(|ranked| ranked.fit.model == model)?;
        Some(self.close(&ranked.fit))
    }

    fn close(&self, fit: &Fit) -> String {
        let mut sentence = fit.sentence();
        let own = fit.model.growth();
        let rejected = self.rejected();
        if rejected.contains(&own) {
            sentence += ", which is itself rejected";
        } else if fit.lack_of_fit.is_some_and(|p| p < CLEAR_LACK_OF_FIT) {
            sentence += ", which misses points by more than their standard errors";
        }
        let others: Vec<String> =
            rejected.iter().filter(|term| **term != own).map(Term::to_string).collect();
        if !others.is_empty() {
            sentence += &format!("; {} rejected", others.join(", "));
        }
        sentence
    }
}

/// Fits all models that can be fitted and ranks them by AICc (Hurvich and Tsai 1989).
///
/// Residuals in means: N·ln(X²/N) + 2K + 2K(K+1)/(N−K−1), where K counts the coefficients and the
/// unknown variance. Residuals in standard errors: X²/c + 2k + 2k(k+1)/(N−k−1) for k coefficients
/// (QAICc of Burnham and Anderson 2002, section 2.5): c = max(1, least X²/ν of all models) keeps the
/// evidence from looking overwhelming where no model holds to the last digit.
///
/// The bootstrap asks whether another measurement would be judged alike: it moves every mean by its
/// standard error times a normal number; without standard errors, the first model's fitted
/// values by their relative scatter. Equal seeds give equal answers.
///
/// Where nothing is random the scatter is the models' own error, and the weights say which is nearest
/// rather than which is true.
///
/// Models whose terms cannot be told apart on these points are left out. Too few points to compare
/// any two of the others is an error: it would leave only the simplest.
pub fn rank(
    points: &[Point],
    models: &[Model],
    confidence: f64,
    resamples: u32,
    seed: u64,
) -> Result<Ranking, FitError> {
    check(points, confidence)?;
    let weighting = Weighting::of(points);
    let coefficients = models.iter().map(|model| model.terms().len()).max().unwrap_or(0);
    let needed = coefficients + 2 + usize::from(weighting == Weighting::Means);
    if points.len() < needed {
        return Err(FitError::TooFewPoints { points: points.len(), needed });
    }
    let mut fits = vec![];
    let mut left_out = None;
    for &model in models {
        match fit(points, model, confidence) {
            Ok(fit) => fits.push(fit),
            Err(error) => left_out = Some(error),
        }
    }
    if fits.is_empty() {
        return Err(left_out.unwrap_or(FitError::TooFewPoints { points: points.len(), needed }));
    }
    let sums: Vec<(Model, f64)> = fits.iter().map(|fit| (fit.model, fit.chi_square)).collect();
    let criteria = criteria(&sums, points.len(), weighting);
    let mut ranked: Vec<Ranked> = fits
        .into_iter()
        .zip(criteria)
        .map(|(fit, aicc)| Ranked { fit, aicc, delta: 0.0, weight: 0.0 })
        .collect();
    ranked.sort_by(|a, b| a.aicc.total_cmp(&b.aicc));
    let least = ranked[0].aicc;
    let total: f64 = ranked.iter().map(|ranked| ((least - ranked.aicc) / 2.0).exp()).sum();
    for ranked in &mut ranked {
        ranked.delta = ranked.aicc - least;
        ranked.weight = (-ranked.delta / 2.0).exp() / total;
    }
    let (same_model, same_growth) =
        bootstrap(points, &ranked[0].fit, &sums, resamples, seed).unzip();
    Ok(Ranking { ranked, same_model, same_growth })
}

/// The criterion of each model, from its sum of squares.
fn criteria(sums: &[(Model, f64)], points: usize, weighting: Weighting) -> Vec<f64> {
    // A relative error below 2^-50 is rounding: models that hold exactly are equal in it.
    const ROUNDING: f64 = 1.0 / (1u64 << 50) as f64;
    let points = points as f64;
    let size = |model: Model| model.terms().len() as f64;
    let penalty = |k: f64| 2.0 * k + 2.0 * k * (k + 1.0) / (points - k - 1.0);
    let criterion = |&(model, sum): &(Model, f64)| match weighting {
        Weighting::Means => {
            let variance = (sum / points).max(ROUNDING * ROUNDING);
            points * variance.ln() + penalty(size(model) + 1.0)
        }
        Weighting::StandardErrors => {
            let inflation = sums
                .iter()
                .map(|&(model, sum)| sum / (points - size(model)))
                .fold(f64::INFINITY, f64::min)
                .max(1.0);
            sum / inflation + penalty(size(model))
        }
    };
    sums.iter().map(criterion).collect()
}

/// The shares of resamples in which the first model, and its growth, stay the same.
fn bootstrap(
    points: &[Point],
    first: &Fit,
    sums: &[(Model, f64)],
    resamples: u32,
    seed: u64,
) -> Option<(f64, f64)> {
    if resamples == 0 {
        return None;
    }
    let mut normal = normals(seed);
    let scatter = (first.chi_square / first.degrees_of_freedom as f64).sqrt();
    let (mut same_model, mut same_growth) = (0u32, 0u32);
    for _ in 0..resamples {
        let moved: Vec<Point> = points
            .iter()
            .map(|point| {
                let mean = match (first.weighting, point.standard_error) {
                    (Weighting::StandardErrors, Some(error)) => point.mean + error * normal(),
                    _ => first.at(point.n) * (1.0 + scatter * normal()),
                };
                Point { mean, ..*point }
            })
            .collect();
        let Some(winner) = winner(&moved, sums, first.weighting) else { continue };
        same_model += u32::from(winner == first.model);
        same_growth += u32::from(winner.growth() == first.model.growth());
    }
    let share = |count: u32| f64::from(count) / f64::from(resamples);
    Some((share(same_model), share(same_growth)))
}

/// The first model on moved points; `None` when a mean moved to where it cannot be.
fn winner(points: &[Point], models: &[(Model, f64)], weighting: Weighting) -> Option<Model> {
    if points.iter().any(|point| point.mean.is_nan() || point.mean <= 0.0) {
        return None;
    }
    let sums: Option<Vec<(Model, f64)>> = models
        .iter()
        .map(|&(model, _)| Some((model, solve(points, model, weighting)?.chi_square)))
        .collect();
    let sums = sums?;
    let criteria = criteria(&sums, points.len(), weighting);
    let places = sums.iter().zip(criteria);
    places.min_by(|a, b| a.1.total_cmp(&b.1)).map(|((model, _), _)| *model)
}

/// Standard normal numbers from a seed.
pub(super) fn normals(seed: u64) -> impl FnMut() -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    move || {
        // The middle of one of 2^53 equal parts of (0, 1): never 0 or 1.
        let uniform = ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        Normal::standard().inverse_cdf(uniform)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fit::tests::{exactly, measured};

    #[test]
    fn an_exact_law_is_found_exactly() {
        let points = exactly(|n| n * (n + 1.0) / 2.0);
        let ranking = rank(&points, &Model::ALL, 0.95, 50, 1).unwrap();
        assert_eq!(ranking.ranked[0].fit.model, Model::N_SQUARED_AND_N);
        assert_eq!(ranking.sentence(), "0.5 · n² + 0.5 · n; n, n log2 n, n^1.1, n^1.5 rejected");
        let points = exactly(|n| n * n);
        let ranking = rank(&points, &Model::ALL, 0.95, 50, 1).unwrap();
        assert_eq!(ranking.ranked[0].fit.model, Model::N_SQUARED);
        assert_eq!(ranking.same_model, Some(1.0));
        let points = exactly(|n| 3.0 * n);
        let first = &rank(&points, &Model::ALL, 0.95, 0, 1).unwrap().ranked[0];
        assert_eq!(first.fit.model, Model::N);
        assert_eq!(first.fit.sentence(), "3 · n");
    }

    #[test]
    fn chang_roberts_is_recognised_and_stays_so() {
        let points = measured(|n| Term::NHarmonic.at(n), 1000.0, 7);
        let ranking = rank(&points, &Model::ALL, 0.95, 200, 7).unwrap();
        assert_eq!(ranking.ranked[0].fit.model.growth(), Term::NLog2N);
        assert!(ranking.same_growth.unwrap() > 0.99, "{:?}", ranking.same_growth);
        assert!(ranking.same_model.unwrap() <= ranking.same_growth.unwrap());
        let weights: f64 = ranking.ranked.iter().map(|ranked| ranked.weight).sum();
        assert!((weights - 1.0).abs() < 1e-12);
        for growth in [Term::N, Term::NTo15, Term::NSquared] {
            assert!(ranking.rejected().contains(&growth), "{}", ranking.sentence());
        }
        assert_eq!(rank(&points, &Model::ALL, 0.95, 200, 7), Ok(ranking.clone()));
        let other = ranking.sentence_of(Model::N_SQUARED).unwrap();
        assert!(other.contains("which is itself rejected"), "{other}");
        assert!(ranking.sentence_of(Model::N_LOG_N).unwrap().starts_with("0.69"));
    }

    #[test]
    fn constant_means_are_no_growth() {
        let points = exactly(|_| 5.0);
        let ranking = rank(&points, &Model::ALL, 0.95, 20, 0).unwrap();
        assert_eq!(ranking.ranked[0].fit.model, Model::N_AND_ONE);
    }

    #[test]
    fn small_and_odd_input_is_refused_with_a_reason() {
        let points = exactly(|n| n);
        let one = Point { n: 1, mean: 1.0, standard_error: None };
        let few = rank(&points[..4], &Model::ALL, 0.95, 0, 0).unwrap_err();
        assert_eq!(few, FitError::TooFewPoints { points: 4, needed: 5 });
        assert!(rank(&points, &[], 0.95, 0, 0).is_err());
        assert!(rank(&[one; 9], &[Model::N_LOG_N], 0.95, 0, 0).is_err());
        assert_eq!(rank(&[one; 9], &Model::ALL, 0.95, 9, 0).unwrap().ranked[0].fit.points, 9);
    }
}
