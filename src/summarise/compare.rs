//! Algorithm against algorithm: on the same rings run by run, or sample against sample.

use std::path::PathBuf;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::cells::CellSummary;
use crate::engine::Registry;
use crate::experiment::error::Result;
use crate::experiment::key::CellKey;
use crate::model::error::Input;
use crate::model::metric::Metric;
use crate::model::theory::Value as Yield;
use crate::model::topology::RING;
use crate::results::{Results, Rows};
use crate::statistics::CONFIDENCE;
use crate::statistics::moments::Moments;
use crate::statistics::paired::Paired;
use crate::statistics::significance::{signed_rank, welch};

/// One side of a comparison: an algorithm in a results folder.
struct Side<'a> {
    label: String,
    algorithm: String,
    results: &'a Results,
    /// Its cells, and where in the file their runs begin.
    cells: Vec<(CellKey, u64)>,
}

/// Whether runs of the same number met the same ring, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// Whether they did.
    pub paired: bool,
    /// Why.
    pub why: String,
}

/// Two algorithms in one kind of cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The first.
    pub first: String,
    /// The second.
    pub second: String,
    /// The cell of the first; that of the second differs in the algorithm.
    #[serde(flatten, serialize_with = "setting")]
    pub key: CellKey,
    /// What of the runs is compared.
    pub metric: Metric,
    /// Whether runs are paired.
    pub basis: Basis,
    /// The runs of the first that count.
    pub first_runs: u64,
    /// Those of the second.
    pub second_runs: u64,
    /// The mean of the first.
    pub first_mean: Option<f64>,
    /// The mean of the second.
    pub second_mean: Option<f64>,
    /// The first mean less the second.
    pub difference: Option<f64>,
    /// Its 95 % interval.
    pub difference_interval: Option<(f64, f64)>,
    /// The first mean over the second.
    pub ratio: Option<f64>,
    /// Its 95 % interval (Fieller).
    pub ratio_interval: Option<(f64, f64)>,
    /// The share of rings on which the first needs fewer messages, or less of another metric; of paired
    /// runs only.
    pub first_fewer: Option<f64>,
    /// The share of rings on which the second does.
    pub second_fewer: Option<f64>,
    /// Which test: signed-rank or welch.
    pub test: &'static str,
    /// Its p-value; unknown where nothing varies.
    pub p: Option<f64>,
}

/// All but the algorithm.
fn setting<S: Serializer>(key: &CellKey, serializer: S) -> Result<S::Ok, S::Error> {
    let CellKey { topology, layout, ids, initiators, timing, n, .. } = key;
    let names = ["topology", "layout", "ids", "initiators", "timing"];
    let parts = [topology, layout, ids, initiators, timing].map(|it| Value::from(it.as_str()));
    serializer.collect_map(names.into_iter().zip(parts).chain([("n", Value::from(*n))]))
}

/// Compares the messages of algorithms, each with each, in all cells that both have. Without names,
/// every folder must hold one algorithm, or there is one folder with two.
pub fn compare(
    registry: &Registry,
    folders: &[PathBuf],
    algorithms: &[String],
) -> Result<Vec<Comparison>> {
    compare_in(Metric::Messages, registry, folders, algorithms)
}

/// The same in any metric.
pub fn compare_in(
    metric: Metric,
    registry: &Registry,
    folders: &[PathBuf],
    algorithms: &[String],
) -> Result<Vec<Comparison>> {
    let open = |path: &PathBuf| Results::open(path, registry);
    let results = folders.iter().map(open).collect::<Result<Vec<_>>>()?;
    let sides = sides(registry, &results, algorithms)?;
    let mut rows = Vec::new();
    for (number, first) in sides.iter().enumerate() {
        for second in &sides[number + 1..] {
            for (key, from) in &first.cells {
                let wanted = CellKey { algorithm: second.algorithm.clone(), ..key.clone() };
                let same = second.cells.iter().find(|(other, _)| *other == wanted);
                if let Some((_, to)) = same {
                    let row = compare_cells(
                        &first.label,
                        &second.label,
                        Cells { results: first.results, metric, key, offset: *from, kept: None },
                        Cells {
                            results: second.results,
                            metric,
                            key: &wanted,
                            offset: *to,
                            kept: None,
                        },
                    )?;
                    rows.push(row);
                }
            }
        }
    }
    if rows.is_empty() {
        let labels: Vec<&str> = sides.iter().map(|side| side.label.as_str()).collect();
        let problem = "these have no common cell: topology, layout, ids, initiators, timing and n";
        let remedy = "run them with the same sizes and layouts";
        return Err(Input::new("algorithm", labels.join(","), problem, remedy).into());
    }
    Ok(rows)
}

/// What is compared, in the order of the question.
fn sides<'a>(
    registry: &Registry,
    results: &'a [Results],
    algorithms: &[String],
) -> Result<Vec<Side<'a>>> {
    let wanted = match algorithms {
        [] => the_only_ones(results)?,
        _ => named_ones(registry, results, algorithms)?,
    };
    if wanted.len() < 2 {
        let named = wanted.first().map_or("(nothing)", |(_, name)| name);
        let problem = "there is nothing to compare with";
        let remedy = "name two algorithms, as in --algorithm A,B, or two folders";
        return Err(Input::new("algorithm", named, problem, remedy).into());
    }
    let located = results.iter().map(locate).collect::<Result<Vec<_>>>()?;
    let twice = |name: &String| wanted.iter().filter(|(_, other)| other == name).count() > 1;
    let side = |(folder, name): &(usize, String)| {
        let results = &results[*folder];
        let own = |(key, _): &&(CellKey, u64)| key.algorithm == *name;
        Side {
            label: match twice(name) {
                true => format!("{name} in {}", results.path().display()),
                false => name.clone(),
            },
            algorithm: name.clone(),
            results,
            cells: located[*folder].iter().filter(own).cloned().collect(),
        }
    };
    Ok(wanted.iter().map(side).collect())
}

/// The algorithms of a folder.
fn algorithms_of(results: &Results) -> Vec<String> {
    let mut names: Vec<String> =
        results.cells.iter().map(|cell| cell.key().algorithm.clone()).collect();
    names.dedup();
    names
}

/// The algorithm of every folder, by the number of its folder; each must have just one. A single
/// folder may have two, which are then compared.
fn the_only_ones(results: &[Results]) -> Result<Vec<(usize, String)>> {
    let mut wanted = Vec::new();
    let alone = results.len() == 1;
    for (folder, results) in results.iter().enumerate() {
        let there = algorithms_of(results);
        if there.len() > 1 && !(there.len() == 2 && alone) {
            let problem = "it is not clear which algorithms to compare";
            let remedy = format!("name them: --algorithm {}", there.join(","));
            return Err(Input::new("algorithm", "(nothing)", problem, remedy).into());
        }
        wanted.extend(there.into_iter().map(|name| (folder, name)));
    }
    Ok(wanted)
}

/// The named algorithms in every folder that has them.
fn named_ones(
    registry: &Registry,
    results: &[Results],
    algorithms: &[String],
) -> Result<Vec<(usize, String)>> {
    let there: Vec<Vec<String>> = results.iter().map(algorithms_of).collect();
    let mut wanted: Vec<(usize, String)> = Vec::new();
    for name in algorithms {
        registry.named(name)?;
        let before = wanted.len();
        for (folder, there) in there.iter().enumerate() {
            if there.contains(name) && !wanted.contains(&(folder, name.clone())) {
                wanted.push((folder, name.clone()));
            }
        }
        if wanted.len() == before {
            let mut all = there.concat();
            all.sort();
            all.dedup();
            let problem = "the results have no such algorithm, or it is named twice";
            let remedy = format!("choose among {}", all.join(", "));
            return Err(Input::new("algorithm", name, problem, remedy).into());
        }
    }
    Ok(wanted)
}

/// The cells of a folder, and where in the file their runs begin.
fn locate(results: &Results) -> Result<Vec<(CellKey, u64)>> {
    let mut cells = Vec::new();
    results.gather(
        |_, offset| offset,
        |_, _| {},
        |offset, record| cells.push((record.key().clone(), offset)),
    )?;
    Ok(cells)
}

/// Compares two algorithms of one folder in one kind of cell and in the metric of their summaries.
pub fn in_one_folder(
    results: &Results,
    first: &CellSummary,
    second: &CellSummary,
) -> Result<Comparison> {
    let [a, b] = [first, second].map(|it| {
        let kept = it.kept.as_deref();
        Cells { results, metric: it.metric, key: &it.key, offset: it.offset, kept }
    });
    compare_cells(&first.key.algorithm, &second.key.algorithm, a, b)
}

/// A cell of a folder, and where in the file its runs begin.
#[derive(Clone, Copy)]
struct Cells<'a> {
    results: &'a Results,
    metric: Metric,
    key: &'a CellKey,
    offset: u64,
    /// Its runs, where they are known already.
    kept: Option<&'a [u64]>,
}

fn basis(first: Cells<'_>, second: Cells<'_>) -> Basis {
    let CellKey { topology, layout, .. } = first.key;
    let (a, b) = (first.results, second.results);
    let (paired, why) = if a.seed != b.seed {
        (false, format!("different seeds, {} and {}", a.seed, b.seed))
    } else if let Some(path) = [topology, layout].into_iter().find_map(|name: &String| {
        let path = name.strip_prefix("file:")?;
        (a.spec.files().get(path) != b.spec.files().get(path)).then_some(path)
    }) {
        (false, format!("{path} said different things"))
    } else if matches!(layout.as_str(), "best" | "worst")
        && first.key.algorithm != second.key.algorithm
    {
        (false, format!("each algorithm has its own {layout} ring"))
    } else {
        let networks = if topology == RING { "rings" } else { "networks" };
        (true, format!("same seed, same {networks}"))
    };
    Basis { paired, why }
}

impl Cells<'_> {
    /// Sums are taken of whole numbers, so that nothing is lost: times with delays are counted in such
    /// parts of their unit.
    fn parts(&self) -> f64 {
        let is_time = matches!(self.metric, Metric::Time | Metric::End);
        if is_time && self.key.timing != "sync" { PARTS } else { 1.0 }
    }

    /// A value as a whole number of parts; refuses runs that do not tell it.
    fn whole(&self, value: Option<Yield>) -> Result<u64> {
        let parts = self.parts();
        let whole = match value {
            Some(Yield::Whole(value)) if parts == 1.0 => u64::try_from(value).ok(),
            Some(value) => {
                let value = (value.as_f64() * parts).round();
                (0.0..u64::MAX as f64).contains(&value).then_some(value as u64)
            }
            None => None,
        };
        whole.ok_or_else(|| {
            let problem = match value {
                None => format!("not every run of {} tells it", self.key.words()),
                Some(_) => format!("a run of {} has too much of it", self.key.words()),
            };
            Input::new("metric", self.metric, problem, "use messages, or other cells").into()
        })
    }
}

/// A power of two, so that dividing by it loses nothing.
const PARTS: f64 = (1u64 << 24) as f64;

/// The runs of one cell, in order.
enum CellRows<'a> {
    Kept(std::iter::Zip<std::ops::RangeFrom<u64>, std::slice::Iter<'a, u64>>),
    File { rows: Box<Rows>, cell: Cells<'a>, begun: bool },
}

impl<'a> CellRows<'a> {
    fn of(cell: Cells<'a>) -> Result<Self> {
        Ok(match cell.kept {
            Some(kept) => CellRows::Kept((0..).zip(kept)),
            None => {
                let rows = Box::new(cell.results.rows_at(cell.offset)?);
                CellRows::File { rows, cell, begun: false }
            }
        })
    }

    /// The next run and what it yielded, in parts of its unit.
    fn next(&mut self) -> Result<Option<(u64, u64)>> {
        match self {
            CellRows::Kept(kept) => Ok(kept.next().map(|(run, &messages)| (run, messages))),
            CellRows::File { rows, cell, begun } => {
                let goes_on = rows.advance()? && !(rows.is_first() && *begun);
                *begun = true;
                match (goes_on, cell.metric) {
                    (false, _) => Ok(None),
                    (true, Metric::Messages) => Ok(Some(rows.messages())),
                    (true, metric) => {
                        let (run, _) = rows.messages();
                        let value = rows.with_run(|run| run.value(metric));
                        Ok(Some((run, cell.whole(value)?)))
                    }
                }
            }
        }
    }
}

fn compare_cells(
    first_label: &str,
    second_label: &str,
    first: Cells<'_>,
    second: Cells<'_>,
) -> Result<Comparison> {
    let basis = basis(first, second);
    let estimates = match basis.paired {
        true => run_by_run(first, second)?,
        false => sample_by_sample(first, second)?,
    };
    let Estimates { moments: [a, b], difference, ratio, fewer, test, p } = estimates;
    let parts = first.parts();
    let unit = |value: f64| value / parts;
    Ok(Comparison {
        first: first_label.to_owned(),
        second: second_label.to_owned(),
        key: first.key.clone(),
        metric: first.metric,
        basis,
        first_runs: a.count(),
        second_runs: b.count(),
        first_mean: a.mean().map(unit),
        second_mean: b.mean().map(unit),
        difference: difference.0.map(unit),
        difference_interval: difference.1.map(|(low, high)| (unit(low), unit(high))),
        ratio: ratio.0,
        ratio_interval: ratio.1,
        first_fewer: fewer[0],
        second_fewer: fewer[1],
        test,
        p,
    })
}

/// A number and its interval.
type WithInterval = (Option<f64>, Option<(f64, f64)>);

/// What the runs of two cells come to.
struct Estimates {
    moments: [Moments; 2],
    difference: WithInterval,
    ratio: WithInterval,
    /// The share of rings on which the first, and on which the second needs fewer messages.
    fewer: [Option<f64>; 2],
    test: &'static str,
    p: Option<f64>,
}

/// Runs of the same number against each other.
fn run_by_run(first: Cells<'_>, second: Cells<'_>) -> Result<Estimates> {
    let (mut a, mut b) = (CellRows::of(first)?, CellRows::of(second)?);
    let mut moments = [Moments::new(), Moments::new()];
    let mut paired = Paired::new();
    let mut differences = Vec::new();
    let (mut next_a, mut next_b) = (a.next()?, b.next()?);
    while let (Some((run_a, x)), Some((run_b, y))) = (next_a, next_b) {
        if run_a == run_b {
            moments[0].push(run_a, x);
            moments[1].push(run_b, y);
            paired.push(x, y);
            differences.push(i128::from(x) - i128::from(y));
        }
        if run_a <= run_b {
            next_a = a.next()?;
        }
        if run_b <= run_a {
            next_b = b.next()?;
        }
    }
    let share = |count: u64| (paired.count() > 0).then(|| count as f64 / paired.count() as f64);
    // Copies of one and the same run are no evidence.
    let varies = moments.iter().any(|moments| moments.variance() > Some(0.0));
    let test = if varies { signed_rank(&differences) } else { None };
    Ok(Estimates {
        difference: (paired.difference(), paired.difference_interval(CONFIDENCE)),
        ratio: (paired.ratio(), paired.ratio_interval(CONFIDENCE)),
        fewer: [paired.first_lower(), paired.second_lower()].map(share),
        test: "signed-rank",
        p: test.map(|test| test.p_value),
        moments,
    })
}

/// All runs of the one against all of the other.
fn sample_by_sample(first: Cells<'_>, second: Cells<'_>) -> Result<Estimates> {
    let moments = |cell| -> Result<Moments> {
        let (mut rows, mut moments) = (CellRows::of(cell)?, Moments::new());
        while let Some((run, value)) = rows.next()? {
            moments.push(run, value);
        }
        Ok(moments)
    };
    let (a, b) = (moments(first)?, moments(second)?);
    let test = welch(&a, &b, CONFIDENCE);
    let means = a.mean().zip(b.mean());
    let ratio = means.filter(|(_, b)| *b > 0.0).map(|(a, b)| a / b);
    Ok(Estimates {
        difference: (means.map(|(a, b)| a - b), test.map(|test| test.interval)),
        ratio: (ratio, test.and_then(|test| test.ratio_interval)),
        fewer: [None; 2],
        test: "welch",
        p: test.map(|test| test.p_value),
        moments: [a, b],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec::Spec;
    use crate::results::batch::{self, Options};
    use crate::summarise::Summary;

    #[test]
    fn runs_that_were_kept_are_those_of_the_file() {
        let (registry, folder) = (Registry::standard(), tempfile::tempdir().expect("a folder"));
        let text = "algorithms = ['chang-roberts', 'peterson']\nn = [8, 16]\nruns = 50";
        let spec = Spec::parse(text, "spec", "test", &registry).expect("a spec");
        let out = folder.path().join("results");
        batch::run(&spec, &out, &Options::default(), &()).expect("it runs");
        let results = Results::open(&out, &registry).expect("results");
        let summary = Summary::of(&results).expect("a summary");
        for (a, b) in [(0, 2), (1, 3)] {
            let [a, b] = [a, b].map(|place| summary.cells[place].clone());
            assert_eq!(a.kept.as_ref().map(|kept| kept.len()), Some(50));
            let [read_a, read_b] = [&a, &b].map(|it| CellSummary { kept: None, ..it.clone() });
            let kept = in_one_folder(&results, &a, &b).expect("a comparison");
            assert_eq!(in_one_folder(&results, &read_a, &read_b).expect("a comparison"), kept);
            assert_eq!((kept.first_runs, kept.basis.paired), (50, true));
        }
    }
}
