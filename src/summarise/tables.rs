//! The tables of estimates: `cells.csv` and `fits.csv`, column by column.

use std::borrow::Cow;
use std::path::Path;

use super::cells::{CellSummary, QUANTILES};
use super::series::Series;
use super::summary::Summary;
use crate::experiment::error::Result;
use crate::experiment::key::CellKey;
use crate::model::metric::Metric;
use crate::model::theory::{Certainty, Fact, Value};
use crate::results::{
    Field, PACKAGE, Resource, key_fields, refuse_irregular, run_resources, series_fields, sweep,
    write_package, write_whole,
};
use crate::statistics::fit::Weighting;
use crate::statistics::rank::{Ranked, Ranking};

impl Summary {
    /// Writes `cells.csv`, `fits.csv` and the schema of all tables into the folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for name in ["cells.csv", "fits.csv", PACKAGE] {
            refuse_irregular(&folder.join(name))?;
        }
        sweep(folder);
        let write_table = |name: &str, fields: &[Field], rows: &[Vec<String>]| {
            write_whole(&folder.join(name), |file| {
                let mut writer = csv::Writer::from_writer(file);
                writer.write_record(fields.iter().map(|field| &field.name))?;
                for row in rows {
                    writer.write_record(row)?;
                }
                writer.flush()
            })
        };
        let columns = cell_columns();
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
        let resources = estimate_resources();
        write_table("cells.csv", &resources[0].fields, &rows)?;
        let rows: Vec<_> =
            self.series.iter().chain(&self.other_series).flat_map(fit_rows).collect();
        write_table("fits.csv", &resources[1].fields, &rows)?;
        let all: Vec<Resource> = run_resources().into_iter().chain(resources).collect();
        write_package(folder, &self.name, &all)
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

/// The tables of estimates.
fn estimate_resources() -> [Resource; 2] {
    let columns = cell_columns().into_iter().map(|(field, _)| field);
    let cells: Vec<Field> = key_fields().into_iter().chain(columns).collect();
    let (cell, series) = (CellKey::COLUMNS.len(), CellKey::SERIES_COLUMNS.len());
    let mut fits = Resource::new(
        "fits",
        "one row per series (cells that differ in n alone), metric and growth law",
        fit_fields(),
        series + 1,
    );
    fits.key.push("place".to_owned());
    [Resource::new("cells", "one row per cell and metric", cells, cell + 1), fits]
}

/// What a row is about.
fn metric_field() -> Field {
    const NAMES: [&str; Metric::ALL.len()] = {
        let mut names = [""; Metric::ALL.len()];
        let mut place = 0;
        while place < names.len() {
            names[place] = Metric::ALL[place].name();
            place += 1;
        }
        names
    };
    Field::one_of("metric", "what of the runs the numbers are about", &NAMES).always()
}

/// What one column of `cells.csv` says about a cell.
type CellColumn = (Field, Box<dyn Fn(&CellSummary) -> String>);

fn column(field: Field, value: impl Fn(&CellSummary) -> String + 'static) -> CellColumn {
    (field, Box::new(value))
}

/// The columns of `cells.csv` behind those of the cell: a new one is a line here.
fn cell_columns() -> Vec<CellColumn> {
    let whole_field = Field::whole;
    let real = Field::real;
    let mut columns = vec![
        column(metric_field(), |cell| cell.metric.to_string()),
        column(whole_field("runs", "how many runs").always(), |cell| cell.runs.to_string()),
        column(real("mean", "their mean").always(), |cell| number(cell.mean)),
        column(real("sd", "their standard deviation, with r - 1"), |cell| number(cell.sd)),
        column(real("standard_error", "that of the mean"), |cell| number(cell.standard_error)),
        column(real("interval_low", "low end of the 95 % interval of the mean"), |cell| {
            number(cell.interval.map(|(low, _)| low))
        }),
        column(real("interval_high", "high end of the 95 % interval of the mean"), |cell| {
            number(cell.interval.map(|(_, high)| high))
        }),
    ];
    for (place, (name, p)) in QUANTILES.iter().enumerate() {
        let low = move |cell: &CellSummary| cell.quantiles[place].interval.map(|(low, _)| low);
        let high = move |cell: &CellSummary| cell.quantiles[place].interval.map(|(_, high)| high);
        let about = format!("the quantile {p}");
        let end = |end: &str| format!("{end} end of the distribution-free 95 % interval of {name}");
        columns.extend([
            column(real(name, &about), move |cell| number(cell.quantiles[place].value)),
            column(whole_field(&format!("{name}_low"), &end("low")), move |cell| whole(low(cell))),
            column(whole_field(&format!("{name}_high"), &end("high")), move |cell| {
                whole(high(cell))
            }),
        ]);
    }
    columns.extend([
        column(real("min", "the least of a run").always(), |cell| value(cell.min)),
        column(real("max", "the most of a run").always(), |cell| value(cell.max)),
        column(real("skewness", "how much longer the right tail is"), |cell| number(cell.skewness)),
    ]);
    columns.extend(theory_columns());
    columns
}

/// What theory says about a cell, and whether its runs agree.
fn theory_columns() -> Vec<CellColumn> {
    let real = Field::real;
    vec![
        column(real("theory_best", "no run has less"), |cell| fact(&cell.theory_best)),
        column(real("theory_mean", "the expectation of a run"), |cell| fact(&cell.theory_mean)),
        column(real("theory_worst", "no run has more"), |cell| fact(&cell.theory_worst)),
        column(real("theory_sd", "the standard deviation of a run"), |cell| number(cell.theory_sd)),
        column(
            Field::one_of("theory_certainty", "how theory_mean is known", &CERTAINTIES),
            |cell| cell.theory_mean.as_ref().map_or("", |it| certainty(it.certainty)).to_owned(),
        ),
        column(
            real("theory_error", "by how much theory_mean may be wrong, if numerical"),
            |cell| number(cell.theory_mean.as_ref().and_then(|fact| fact.error)),
        ),
        column(real("measured_over_theory", "mean over theory_mean"), |cell| {
            number(cell.measured_over_theory)
        }),
        column(
            real("z", "distance of the mean from theory_mean, less its error, in standard errors"),
            |cell| number(cell.z),
        ),
        column(Field::share("p", "probability of a distance at least as large"), |cell| {
            number(cell.p)
        }),
        column(Field::share("p_holm", "the same, corrected for all rows (Holm)"), |cell| {
            number(cell.p_holm)
        }),
        column(
            Field::one_of("verdict_mean", "whether the mean is that of the theorem", &MEANS)
                .always(),
            |cell| cell.verdict_mean.to_string(),
        ),
        column(
            Field::one_of("verdict_bounds", "whether all runs are between best and worst", &BOUNDS)
                .always(),
            |cell| cell.verdict_bounds.to_string(),
        ),
        column(Field::text("offending_command", "repeats a run outside its bounds"), |cell| {
            cell.offending_command.clone().unwrap_or_default()
        }),
        column(
            Field::truth("sequential", "whether the runs decided when to stop").always(),
            |cell| cell.sequential.to_string(),
        ),
        column(
            Field::one_of("engine", "who carried out the runs", &["simulate", "count"]).always(),
            |cell| cell.engine.clone(),
        ),
        column(real("edges", "mean number of edges; empty on rings, where it is n"), |cell| {
            number(cell.edges)
        }),
    ]
}

/// How facts are known; the verdicts on means and on bounds.
const CERTAINTIES: [&str; 5] = ["proved", "enumerated", "bound", "numerical", "measured"];
const MEANS: [&str; 6] =
    ["agrees", "differs", "constant-agrees", "constant-differs", "no-theorem", "too-few-runs"];
const BOUNDS: [&str; 3] = ["hold", "violated", "no-theorem"];

/// The columns of `fits.csv`, in the order of [`fit_row`].
fn fit_fields() -> Vec<Field> {
    let mut fields = series_fields();
    fields.extend([
        metric_field(),
        Field::whole("sizes", "how many sizes").always(),
        Field::whole("n_min", "the smallest").always(),
        Field::whole("n_max", "the largest").always(),
        Field::whole("place", "1 for the law that the points speak for most").always(),
        Field::text("model", "the law").always(),
        Field::text("growth", "its class").always(),
    ]);
    for term in 1..=2 {
        let of = |name: &str| format!("{name}_{term}");
        let field = |name: &str, about: &str| Field::real(&of(name), about);
        let own = [
            Field::text(&of("term"), "a term of the law"),
            field("coefficient", "its coefficient"),
            field("standard_error", "the standard error of that"),
            field("low", "low end of its 95 % interval"),
            field("high", "high end of its 95 % interval"),
        ];
        // A law may have one term.
        fields.extend(own.map(|field| if term == 1 { field.always() } else { field }));
    }
    let weighting = "what residuals are measured in";
    fields.extend([
        Field::one_of("weighting", weighting, &["standard-errors", "means"]).always(),
        Field::real("chi_square", "the sum of squares that was minimised").always(),
        Field::whole("degrees_of_freedom", "sizes less coefficients").always(),
        Field::share("lack_of_fit", "probability of such a sum if the law is true"),
        Field::real("relative_error", "root mean square of (fitted - mean) / mean").always(),
        Field::real("aicc_delta", "how much larger its AICc is than that of the first").always(),
        Field::share("weight", "its Akaike weight").always(),
        Field::share("same_model", "share of resamples with the same law first"),
        Field::share("same_growth", "share of resamples with the same class first"),
        Field::text("sentence", "the law with its constants, and what is rejected").always(),
    ]);
    fields
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
