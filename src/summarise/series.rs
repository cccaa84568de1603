//! How messages grow with n: one ranking of growth laws for each series of cells.

use serde::Serialize;

use super::cells::{CellSummary, number};
use crate::results::RUN_COLUMNS;
use crate::statistics::fit::{FitError, Point, Weighting};
use crate::statistics::growth::Model;
use crate::statistics::rank::{Ranked, Ranking, rank};

/// The fewest sizes of a series that is fitted.
pub const FEWEST_SIZES: usize = 4;

/// How many resamples tell whether the ranking would be the same again.
pub const RESAMPLES: u32 = 1000;

/// All cells that differ in n alone, and what laws they follow.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// algorithm, topology, layout, ids, initiators, timing.
    pub columns: [String; 6],
    /// The means that were fitted.
    pub points: Vec<Point>,
    /// The growth laws in the order in which the points speak for them, or why there are none.
    #[serde(serialize_with = "either")]
    pub ranking: Result<Ranking, FitError>,
}

fn either<S: serde::Serializer>(
    ranking: &Result<Ranking, FitError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match ranking {
        Ok(ranking) => ranking.serialize(serializer),
        Err(error) => serializer.serialize_str(&error.to_string()),
    }
}

impl Series {
    /// What came of it, in a sentence.
    pub fn sentence(&self) -> String {
        match &self.ranking {
            Ok(ranking) => ranking.sentence(),
            Err(error) => format!("no fit: {error}"),
        }
    }
}

/// The series of these cells that have sizes enough, in their order.
pub fn of(cells: &[CellSummary], seed: u64) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for same in cells.chunk_by(|a, b| a.columns[..6] == b.columns[..6]) {
        let points: Vec<Point> = same
            .iter()
            .filter_map(|cell| {
                let (n, standard_error) = (cell.n(), cell.standard_error);
                Some(Point { n, mean: cell.mean?, standard_error })
            })
            .collect();
        if points.len() >= FEWEST_SIZES {
            let columns = std::array::from_fn(|place| same[0].columns[place].clone());
            let ranking = rank(&points, &Model::ALL, super::cells::CONFIDENCE, RESAMPLES, seed);
            series.push(Series { columns, points, ranking });
        }
    }
    series
}

pub(super) fn header() -> Vec<String> {
    let mut header: Vec<&str> = RUN_COLUMNS[..6].to_vec();
    header.extend(["sizes", "n_min", "n_max", "place", "model", "growth"]);
    let mut header: Vec<String> = header.into_iter().map(str::to_owned).collect();
    for number in 1..=2 {
        for name in ["term", "coefficient", "standard_error", "low", "high"] {
            header.push(format!("{name}_{number}"));
        }
    }
    let rest = [
        "weighting",
        "chi_square",
        "degrees_of_freedom",
        "lack_of_fit",
        "relative_error",
        "aicc_delta",
        "weight",
        "same_model",
        "same_growth",
        "sentence",
    ];
    header.extend(rest.map(str::to_owned));
    header
}

/// One row for each law; none where nothing could be fitted.
pub(super) fn rows(series: &Series) -> Vec<Vec<String>> {
    let Ok(ranking) = &series.ranking else { return Vec::new() };
    let places = ranking.ranked.iter().enumerate();
    places.map(|(place, ranked)| row(series, ranking, place, ranked)).collect()
}

fn row(series: &Series, ranking: &Ranking, place: usize, ranked: &Ranked) -> Vec<String> {
    let fit = &ranked.fit;
    let sizes = || series.points.iter().map(|point| point.n);
    let mut row = series.columns.to_vec();
    row.push(series.points.len().to_string());
    row.push(sizes().min().map_or_else(String::new, |n| n.to_string()));
    row.push(sizes().max().map_or_else(String::new, |n| n.to_string()));
    row.push((place + 1).to_string());
    row.extend([fit.model.to_string(), fit.model.growth().to_string()]);
    for index in 0..2 {
        match fit.coefficients.get(index) {
            Some(coefficient) => {
                let (low, high) = coefficient.interval;
                row.push(coefficient.term.to_string());
                row.extend(
                    [coefficient.value, coefficient.standard_error, low, high]
                        .map(|value| number(Some(value))),
                );
            }
            None => row.extend(std::iter::repeat_n(String::new(), 5)),
        }
    }
    let of_first = |share: Option<f64>| number(share.filter(|_| place == 0));
    row.push(match fit.weighting {
        Weighting::StandardErrors => "standard-errors".to_owned(),
        Weighting::Means => "means".to_owned(),
    });
    row.push(number(Some(fit.chi_square)));
    row.push(fit.degrees_of_freedom.to_string());
    row.extend([fit.lack_of_fit, Some(fit.relative_error)].map(number));
    row.extend([Some(ranked.delta), Some(ranked.weight)].map(number));
    row.extend([of_first(ranking.same_model), of_first(ranking.same_growth)]);
    row.push(ranking.sentence_of(fit.model).unwrap_or_default());
    row
}
