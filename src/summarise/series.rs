//! How messages, and the other metrics, grow with n: one ranking of growth laws for each series of cells.

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::cells::CellSummary;
use crate::experiment::key::CellKey;
use crate::model::metric::Metric;
use crate::statistics::CONFIDENCE;
use crate::statistics::fit::{FitError, Point};
use crate::statistics::growth::{Model, Term};
use crate::statistics::rank::{Ranking, rank};

/// The fewest sizes of a series that is fitted.
pub const FEWEST_SIZES: usize = 4;

/// How many resamples tell whether the ranking would be the same again.
pub const RESAMPLES: u32 = 1000;

/// All cells that differ in n alone, and what laws they follow.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// Its first cell, which stands for all.
    #[serde(rename = "columns", serialize_with = "series_columns")]
    pub key: CellKey,
    /// What of the runs.
    pub metric: Metric,
    /// The means that were fitted.
    pub points: Vec<Point>,
    /// The growth laws in the order in which the points speak for them, or why there are none.
    #[serde(serialize_with = "either")]
    pub ranking: Result<Ranking, FitError>,
    /// A law that the points alone would have put first, and that theory refutes: none of its kind is in
    /// the ranking.
    pub refuted: Option<Term>,
}

fn series_columns<S: Serializer>(key: &CellKey, serializer: S) -> Result<S::Ok, S::Error> {
    key.series_columns().serialize(serializer)
}

fn either<S: Serializer>(
    ranking: &Result<Ranking, FitError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match ranking {
        Ok(ranking) => ranking.serialize(serializer),
        Err(error) => serializer.serialize_str(&error.to_string()),
    }
}

impl Series {
    /// What came of it, in a sentence: the law that was fitted, its constant in n log2 n and in n·H_n, and
    /// what is ruled out.
    pub fn sentence(&self) -> String {
        let ranking = match &self.ranking {
            Ok(ranking) => ranking,
            Err(error) => return format!("no fit: {error}"),
        };
        let mut sentence = ranking.sentence();
        let first = ranking.ranked.first().map(|ranked| &ranked.fit);
        if let Some((fit, other)) =
            first.and_then(|fit| Some((fit.sentence(), fit.other_constant()?)))
            && let Some(rest) = sentence.strip_prefix(&fit)
        {
            sentence = format!("{fit} = {other}{rest}");
        }
        match self.refuted {
            Some(law) => sentence + &format!("; theory refutes {law}, which is nearer here"),
            None => sentence,
        }
    }
}

/// The series of these cells that have sizes enough, in their order. `growth` says between which laws
/// theory puts one.
pub fn of(
    cells: &[CellSummary],
    seed: u64,
    growth: impl Fn(&CellSummary) -> (Option<Term>, Option<Term>) + Sync,
) -> Vec<Series> {
    let series: Vec<&[CellSummary]> =
        cells.chunk_by(|a, b| a.key.is_in_series_of(&b.key)).collect();
    let fitted = series.into_par_iter().filter_map(|same| {
        let points: Vec<Point> = same
            .iter()
            .filter_map(|cell| {
                let (n, standard_error) = (cell.n(), cell.standard_error);
                Some(Point { n, mean: cell.mean?, standard_error })
            })
            .collect();
        if points.len() < FEWEST_SIZES {
            return None;
        }
        let CellSummary { key, metric, .. } = &same[0];
        let (ranking, refuted) = rank_allowed(&points, seed, growth(&same[0]));
        Some(Series { key: key.clone(), metric: *metric, points, ranking, refuted })
    });
    fitted.collect()
}

/// All laws in the order in which the points speak for them; but where the first of them is one that
/// theory refutes, those alone that it does not, and the refuted one.
fn rank_allowed(
    points: &[Point],
    seed: u64,
    (slowest, fastest): (Option<Term>, Option<Term>),
) -> (Result<Ranking, FitError>, Option<Term>) {
    let rank = |models: &[Model]| rank(points, models, CONFIDENCE, RESAMPLES, seed);
    let is_allowed = |model: &Model| {
        let growth = model.growth();
        slowest.is_none_or(|slowest| growth >= slowest)
            && fastest.is_none_or(|fastest| growth <= fastest)
    };
    let all = rank(&Model::ALL);
    let first = all.as_ref().ok().and_then(|all| all.ranked.first()).map(|first| first.fit.model);
    let Some(refuted) = first.filter(|first| !is_allowed(first)) else { return (all, None) };
    let allowed: Vec<Model> = Model::ALL.into_iter().filter(is_allowed).collect();
    match rank(&allowed) {
        Ok(ranking) => (Ok(ranking), Some(refuted.growth())),
        Err(error) => (Err(error), None),
    }
}
