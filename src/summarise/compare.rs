//! Algorithm against algorithm: on the same rings run by run, or sample against sample.

use std::path::PathBuf;

use csv::Position;
use serde::Serialize;

use super::cells::CONFIDENCE;
use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::model::topology::RING;
use crate::results::table::{Columns, Results, Rows};
use crate::statistics::moments::Moments;
use crate::statistics::paired::Paired;
use crate::statistics::significance::{signed_rank, welch};

/// One side of a comparison: an algorithm in a results folder.
struct Side {
    label: String,
    algorithm: String,
    /// The number of its folder.
    folder: usize,
    cells: Vec<(Columns, Position)>,
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
    /// The network.
    pub topology: String,
    /// Where the IDs stand.
    pub layout: String,
    /// Which IDs.
    pub ids: String,
    /// Who starts.
    pub initiators: String,
    /// How long messages take.
    pub timing: String,
    /// The number of nodes.
    pub n: u64,
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
    /// The share of rings on which the first needs fewer messages; of paired runs only.
    pub first_fewer: Option<f64>,
    /// The share of rings on which the second does.
    pub second_fewer: Option<f64>,
    /// Which test: signed-rank or welch.
    pub test: &'static str,
    /// Its p-value; unknown where nothing varies.
    pub p: Option<f64>,
}

/// Compares algorithms, each with each, in all cells that both have. Without names, every folder
/// must hold one algorithm.
pub fn compare(folders: &[PathBuf], algorithms: &[String]) -> Result<Vec<Comparison>> {
    let results = folders.iter().map(|path| Results::open(path)).collect::<Result<Vec<_>>>()?;
    let sides = sides(&results, algorithms)?;
    let mut rows = Vec::new();
    for (number, first) in sides.iter().enumerate() {
        for second in &sides[number + 1..] {
            for (columns, from) in &first.cells {
                let same = second.cells.iter().find(|(other, _)| other[1..] == columns[1..]);
                if let Some((_, to)) = same {
                    rows.push(compare_cells(&results, (first, from), (second, to), columns)?);
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
fn sides(results: &[Results], algorithms: &[String]) -> Result<Vec<Side>> {
    let there = |results: &Results| {
        let mut names: Vec<String> =
            results.cells.iter().map(|cell| cell.columns[0].clone()).collect();
        names.dedup();
        names
    };
    let mut wanted: Vec<(usize, String)> = Vec::new();
    if algorithms.is_empty() {
        for (folder, results) in results.iter().enumerate() {
            wanted.extend(there(results).into_iter().map(|name| (folder, name)));
            if wanted.len() > folder + 1 {
                let problem = "it is not clear which algorithms to compare";
                let remedy = format!("name them: --algorithm {}", there(results).join(","));
                return Err(Input::new("algorithm", "(nothing)", problem, remedy).into());
            }
        }
    }
    for name in algorithms {
        crate::engine::registry::named(name)?;
        let before = wanted.len();
        for (folder, results) in results.iter().enumerate() {
            if there(results).contains(name) && !wanted.contains(&(folder, name.clone())) {
                wanted.push((folder, name.clone()));
            }
        }
        if wanted.len() == before {
            let mut all = results.iter().flat_map(there).collect::<Vec<_>>();
            all.sort();
            all.dedup();
            let problem = "the results have no such algorithm, or it is named twice";
            let remedy = format!("choose among {}", all.join(", "));
            return Err(Input::new("algorithm", name, problem, remedy).into());
        }
    }
    if wanted.len() < 2 {
        let named = wanted.first().map_or("(nothing)", |(_, name)| name);
        let remedy = "name two algorithms, as in --algorithm A,B, or two folders";
        return Err(
            Input::new("algorithm", named, "there is nothing to compare with", remedy).into()
        );
    }
    let mut located: Vec<Vec<(Columns, Position)>> = Vec::new();
    for results in results {
        let mut cells = Vec::new();
        results.gather(
            |_, position| position.clone(),
            |_, _| {},
            |position, record| cells.push((record.columns.clone(), position)),
        )?;
        located.push(cells);
    }
    let twice = |name: &String| wanted.iter().filter(|(_, other)| other == name).count() > 1;
    Ok(wanted
        .iter()
        .map(|(folder, name)| Side {
            label: match twice(name) {
                true => format!("{name} in {}", results[*folder].path().display()),
                false => name.clone(),
            },
            algorithm: name.clone(),
            folder: *folder,
            cells: located[*folder]
                .iter()
                .filter(|(columns, _)| columns[0] == *name)
                .cloned()
                .collect(),
        })
        .collect())
}

fn basis(results: &[Results], first: &Side, second: &Side, topology: &str, layout: &str) -> Basis {
    let (a, b) = (&results[first.folder], &results[second.folder]);
    let (paired, why) = if a.seed != b.seed {
        (false, format!("different seeds, {} and {}", a.seed, b.seed))
    } else if let Some(path) = [topology, layout].into_iter().find_map(|name| {
        let path = name.strip_prefix("file:")?;
        (a.spec.files().get(path) != b.spec.files().get(path)).then_some(path)
    }) {
        (false, format!("{path} said different things"))
    } else if matches!(layout, "best" | "worst") && first.algorithm != second.algorithm {
        (false, format!("each algorithm has its own {layout} ring"))
    } else {
        let networks = if topology == RING { "rings" } else { "networks" };
        (true, format!("same seed, same {networks}"))
    };
    Basis { paired, why }
}

/// The runs of one cell, in order.
struct CellRows {
    rows: Rows,
    begun: bool,
}

impl CellRows {
    fn at(results: &Results, position: &Position) -> Result<Self> {
        let mut rows = results.rows()?;
        rows.seek(position)?;
        Ok(CellRows { rows, begun: false })
    }

    /// The next run and its messages.
    fn next(&mut self) -> Result<Option<(u64, u64)>> {
        let run = self.rows.next_run()?.filter(|run| !(run.is_first && self.begun));
        self.begun = true;
        Ok(run.map(|run| (run.run, run.messages)))
    }
}

fn compare_cells(
    results: &[Results],
    (first, from): (&Side, &Position),
    (second, to): (&Side, &Position),
    columns: &Columns,
) -> Result<Comparison> {
    let [_, topology, layout, ids, initiators, timing, n] = columns;
    let basis = basis(results, first, second, topology, layout);
    let mut a = CellRows::at(&results[first.folder], from)?;
    let mut b = CellRows::at(&results[second.folder], to)?;
    let (mut moments_a, mut moments_b) = (Moments::new(), Moments::new());
    let mut row = Comparison {
        first: first.label.clone(),
        second: second.label.clone(),
        topology: topology.clone(),
        layout: layout.clone(),
        ids: ids.clone(),
        initiators: initiators.clone(),
        timing: timing.clone(),
        n: n.parse().unwrap_or_default(),
        basis,
        first_runs: 0,
        second_runs: 0,
        first_mean: None,
        second_mean: None,
        difference: None,
        difference_interval: None,
        ratio: None,
        ratio_interval: None,
        first_fewer: None,
        second_fewer: None,
        test: "welch",
        p: None,
    };
    if row.basis.paired {
        let mut paired = Paired::new();
        let mut differences = Vec::new();
        let (mut next_a, mut next_b) = (a.next()?, b.next()?);
        while let (Some((run_a, x)), Some((run_b, y))) = (next_a, next_b) {
            if run_a == run_b {
                moments_a.push(run_a, x);
                moments_b.push(run_b, y);
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
        row.difference = paired.difference();
        row.difference_interval = paired.difference_interval(CONFIDENCE);
        row.ratio = paired.ratio();
        row.ratio_interval = paired.ratio_interval(CONFIDENCE);
        row.first_fewer = share(paired.first_lower());
        row.second_fewer = share(paired.second_lower());
        row.test = "signed-rank";
        // Copies of one and the same run are no evidence.
        let varies = moments_a.variance() > Some(0.0) || moments_b.variance() > Some(0.0);
        let test = if varies { signed_rank(&differences) } else { None };
        row.p = test.map(|test| test.p_value);
    } else {
        for (rows, moments) in [(&mut a, &mut moments_a), (&mut b, &mut moments_b)] {
            while let Some((run, messages)) = rows.next()? {
                moments.push(run, messages);
            }
        }
        let test = welch(&moments_a, &moments_b, CONFIDENCE);
        let means = moments_a.mean().zip(moments_b.mean());
        row.difference = means.map(|(a, b)| a - b);
        row.ratio = means.filter(|(_, b)| *b > 0.0).map(|(a, b)| a / b);
        row.difference_interval = test.map(|test| test.interval);
        row.ratio_interval = test.and_then(|test| test.ratio_interval);
        row.p = test.map(|test| test.p_value);
    }
    row.first_runs = moments_a.count();
    row.second_runs = moments_b.count();
    row.first_mean = moments_a.mean();
    row.second_mean = moments_b.mean();
    Ok(row)
}
