//! How messages, and the other metrics, grow with n: one ranking of growth laws for each series of cells.

use serde::{Serialize, Serializer};

use super::cells::CellSummary;
use crate::experiment::key::CellKey;
use crate::model::metric::Metric;
use crate::statistics::CONFIDENCE;
use crate::statistics::fit::{FitError, Point};
use crate::statistics::growth::Model;
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
    for same in cells.chunk_by(|a, b| a.key.is_in_series_of(&b.key)) {
        let points: Vec<Point> = same
            .iter()
            .filter_map(|cell| {
                let (n, standard_error) = (cell.n(), cell.standard_error);
                Some(Point { n, mean: cell.mean?, standard_error })
            })
            .collect();
        if points.len() >= FEWEST_SIZES {
            let ranking = rank(&points, &Model::ALL, CONFIDENCE, RESAMPLES, seed);
            let CellSummary { key, metric, .. } = &same[0];
            series.push(Series { key: key.clone(), metric: *metric, points, ranking });
        }
    }
    series
}
