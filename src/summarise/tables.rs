//! The tables of estimates: `cells.csv` and `fits.csv`, column by column.

use std::borrow::Cow;
use std::path::Path;

use super::cells::{CellSummary, QUANTILES};
use super::series::Series;
use super::summary::Summary;
use crate::experiment::error::Result;
use crate::experiment::key::CellKey;
use crate::model::theory::{Certainty, Fact, Value};
use crate::results::{refuse_irregular, sweep, write_whole};
use crate::statistics::fit::Weighting;
use crate::statistics::rank::{Ranked, Ranking};

impl Summary {
    /// Writes `cells.csv` and `fits.csv` into the folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for name in ["cells.csv", "fits.csv"] {
            refuse_irregular(&folder.join(name))?;
        }
        sweep(folder);
        let write_table = |name: &str, header: &[String], rows: &[Vec<String>]| {
            write_whole(&folder.join(name), |file| {
                let mut writer = csv::Writer::from_writer(file);
                writer.write_record(header)?;
                for row in rows {
                    writer.write_record(row)?;
                }
                writer.flush()
            })
        };
        let columns = cell_columns();
        let names = columns.iter().map(|(name, _)| name.clone());
        let header: Vec<String> =
            CellKey::COLUMNS.into_iter().map(str::to_owned).chain(names).collect();
        let row = |cell: &CellSummary| {
            let fields = columns.iter().map(|(_, field)| field(cell));
            cell.key.columns().map(Cow::into_owned).into_iter().chain(fields).collect()
        };
        // The metrics of a cell stand together.
        let mut others = self.other_cells.iter().peekable();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for cell in &self.cells {
            rows.push(row(cell));
            while let Some(other) = others.next_if(|other| other.key == cell.key) {
                rows.push(row(other));
            }
        }
        write_table("cells.csv", &header, &rows)?;
        let rows: Vec<_> =
            self.series.iter().chain(&self.other_series).flat_map(fit_rows).collect();
        write_table("fits.csv", &fit_header(), &rows)
    }
}

/// A number for a table; unknown is empty.
fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}

fn whole(value: Option<u64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn value(value: Option<Value>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn fact(fact: &Option<Fact>) -> String {
    fact.as_ref().map_or_else(String::new, |fact| fact.value.to_string())
}

/// How a fact is known, in a word.
pub fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Proved => "proved",
        Certainty::Enumerated => "enumerated",
        Certainty::Bound => "bound",
        Certainty::Numerical => "numerical",
        Certainty::Measured => "measured",
    }
}

/// What one column of `cells.csv` says about a cell.
type CellColumn = (String, Box<dyn Fn(&CellSummary) -> String>);

fn column(name: &str, field: impl Fn(&CellSummary) -> String + 'static) -> CellColumn {
    (name.to_owned(), Box::new(field))
}

/// The columns of `cells.csv` behind those of the cell: a new one is a line here.
fn cell_columns() -> Vec<CellColumn> {
    let mut columns = vec![
        column("metric", |cell| cell.metric.to_string()),
        column("runs", |cell| cell.runs.to_string()),
        column("mean", |cell| number(cell.mean)),
        column("sd", |cell| number(cell.sd)),
        column("standard_error", |cell| number(cell.standard_error)),
        column("interval_low", |cell| number(cell.interval.map(|(low, _)| low))),
        column("interval_high", |cell| number(cell.interval.map(|(_, high)| high))),
    ];
    for (place, (name, _)) in QUANTILES.iter().enumerate() {
        let low = move |cell: &CellSummary| cell.quantiles[place].interval.map(|(low, _)| low);
        let high = move |cell: &CellSummary| cell.quantiles[place].interval.map(|(_, high)| high);
        columns.extend([
            column(name, move |cell| number(cell.quantiles[place].value)),
            column(&format!("{name}_low"), move |cell| whole(low(cell))),
            column(&format!("{name}_high"), move |cell| whole(high(cell))),
        ]);
    }
    columns.extend([
        column("min", |cell| value(cell.min)),
        column("max", |cell| value(cell.max)),
        column("skewness", |cell| number(cell.skewness)),
        column("theory_best", |cell| fact(&cell.theory_best)),
        column("theory_mean", |cell| fact(&cell.theory_mean)),
        column("theory_worst", |cell| fact(&cell.theory_worst)),
        column("theory_sd", |cell| number(cell.theory_sd)),
        column("theory_certainty", |cell| {
            cell.theory_mean.as_ref().map_or("", |fact| certainty(fact.certainty)).to_owned()
        }),
        column("theory_error", |cell| {
            number(cell.theory_mean.as_ref().and_then(|fact| fact.error))
        }),
        column("measured_over_theory", |cell| number(cell.measured_over_theory)),
        column("z", |cell| number(cell.z)),
        column("p", |cell| number(cell.p)),
        column("p_holm", |cell| number(cell.p_holm)),
        column("verdict_mean", |cell| cell.verdict_mean.to_string()),
        column("verdict_bounds", |cell| cell.verdict_bounds.to_string()),
        column("offending_command", |cell| cell.offending_command.clone().unwrap_or_default()),
        column("sequential", |cell| cell.sequential.to_string()),
        column("engine", |cell| cell.engine.clone()),
        column("edges", |cell| number(cell.edges)),
    ]);
    columns
}

fn fit_header() -> Vec<String> {
    let mut header: Vec<&str> = CellKey::SERIES_COLUMNS.to_vec();
    header.extend(["metric", "sizes", "n_min", "n_max", "place", "model", "growth"]);
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
fn fit_rows(series: &Series) -> Vec<Vec<String>> {
    let Ok(ranking) = &series.ranking else { return Vec::new() };
    let places = ranking.ranked.iter().enumerate();
    places.map(|(place, ranked)| fit_row(series, ranking, place, ranked)).collect()
}

fn fit_row(series: &Series, ranking: &Ranking, place: usize, ranked: &Ranked) -> Vec<String> {
    let fit = &ranked.fit;
    let sizes = || series.points.iter().map(|point| point.n);
    let mut row: Vec<String> = series.key.series_columns().map(str::to_owned).to_vec();
    row.push(series.metric.to_string());
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
