//! The statistics of a results folder, all of them from one pass over its runs.

use super::cells::{CellSummary, FAMILY_ERROR, Gathered, MeanVerdict, judge};
use super::series::{self, Series};
use super::theorem::Theorem;
use crate::experiment::error::Result;
use crate::model::metric::Metric;
use crate::results::Results;
use crate::statistics::significance::holm;

/// So many runs are kept one by one, of all cells together: 8 MiB, however large the table is.
const KEPT_RUNS: u64 = 1 << 20;

/// The statistics of a results folder.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The name of the experiment.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// What of the runs `cells` and `series` are about; messages unless [`Summary::of_metric`] was
    /// asked for another.
    pub metric: Metric,
    /// One for each cell, in the order of the results.
    pub cells: Vec<CellSummary>,
    /// Growth over n, one for each series that has sizes enough.
    pub series: Vec<Series>,
    /// The same about the other metrics, cell by cell.
    pub other_cells: Vec<CellSummary>,
    /// The same about the other metrics, metric by metric.
    pub other_series: Vec<Series>,
}

impl Summary {
    /// Reads a results folder and judges it; writes nothing.
    ///
    /// All verdicts on means, whatever their metric, are one family.
    pub fn of(results: &Results) -> Result<Self> {
        let (mut cells, mut other_cells) = (Vec::new(), Vec::new());
        let mut room = KEPT_RUNS;
        results.gather(
            |record, offset| {
                let gathered = Gathered::new(record, results.seed, offset, room);
                room = room.saturating_sub(record.runs);
                gathered
            },
            Gathered::push,
            |gathered, record| {
                let (cell, others) = judge(gathered, record, results.seed);
                cells.push(cell);
                other_cells.extend(others);
            },
        )?;
        let all = || cells.iter().chain(&other_cells);
        let adjusted = holm(&all().map(|cell| cell.p).collect::<Vec<_>>());
        for (cell, p_holm) in cells.iter_mut().chain(&mut other_cells).zip(adjusted) {
            cell.p_holm = p_holm;
            if p_holm.is_some_and(|p| p <= FAMILY_ERROR) {
                cell.verdict_mean = MeanVerdict::Differs;
            }
        }
        let growth = |cell: &CellSummary| {
            let record = results.cells.iter().find(|record| *record.key() == cell.key);
            record.map_or((None, None), |record| Theorem::growth(&record.cell, cell.metric))
        };
        let series = series::of(&cells, results.seed, growth);
        let mut other_series = Vec::new();
        for metric in Metric::ALL {
            let same = other_cells.iter().filter(|cell| cell.metric == metric);
            let same: Vec<CellSummary> = same.cloned().collect();
            other_series.extend(series::of(&same, results.seed, growth));
        }
        let (seed, metric) = (results.seed, Metric::Messages);
        let name = results.spec.name.clone();
        Ok(Summary { name, seed, metric, cells, series, other_cells, other_series })
    }

    /// The same with another metric in front.
    #[must_use]
    pub fn of_metric(self, metric: Metric) -> Self {
        if metric == self.metric {
            return self;
        }
        let (cells, other_cells) = self
            .cells
            .into_iter()
            .chain(self.other_cells)
            .partition(|cell: &CellSummary| cell.metric == metric);
        let (series, other_series) = self
            .series
            .into_iter()
            .chain(self.other_series)
            .partition(|series: &Series| series.metric == metric);
        Summary {
            name: self.name,
            seed: self.seed,
            metric,
            cells,
            series,
            other_cells,
            other_series,
        }
    }

    /// The cells whose theorem is contradicted, in any metric.
    pub fn contradictions(&self) -> Vec<&CellSummary> {
        let all = self.cells.iter().chain(&self.other_cells);
        all.filter(|cell| cell.is_contradiction()).collect()
    }
}
