//! A grid: all combinations of some lists, each checked to be possible.

use std::fmt;
use std::sync::Arc;

use super::draft::{Checked, Draft, Raw, bad, list, parsed, share, sizes, text, truth, whole};
use crate::engine::Entry;
use crate::experiment::cell::{Cell, Setting, assigned};
use crate::experiment::layout::{Ids, Layout};
use crate::experiment::names::Names;
use crate::experiment::timing::{Initiators, Timing};
use crate::model::error::Input;
use crate::model::escape::shortened;
use crate::model::topology::Topology;

/// The keys of a grid, with what they mean.
pub const GRID_KEYS: &[(&str, &str)] = &[
    ("algorithms", "registry names"),
    ("topologies", "who is whose neighbour: ring, grid, erdos-renyi:0.1, ..."),
    ("n", "sizes: 64, \"16..65536\" (doubling), \"10..100 step 10\", or a list"),
    ("runs", "elections per cell, the most if until is set"),
    ("until", "stop at this relative half-width of the 95 % interval, from 256 runs on: \"0.5%\""),
    ("layouts", "where the IDs stand"),
    ("ids", "which IDs: dense, sparse, range:U"),
    ("initiators", "who starts"),
    ("timing", "how long messages take"),
    ("fifo", "whether links keep the order of messages"),
    ("engine", "auto, simulate or count"),
    ("audit", "share of counted runs that are simulated as well: \"1%\""),
];

/// The same keys in the other number: how many values a list has is no reason to be refused.
pub const OTHER_NUMBERS: [(&str, &str); 6] = [
    ("algorithm", "algorithms"),
    ("topology", "topologies"),
    ("layout", "layouts"),
    ("id", "ids"),
    ("initiator", "initiators"),
    ("timings", "timing"),
];

/// The key of a grid that is meant by a name, be it singular or plural.
pub(super) fn key_of(name: &str) -> &str {
    OTHER_NUMBERS.iter().find(|(other, _)| *other == name).map_or(name, |&(_, key)| key)
}

/// All combinations of the lists, each checked to be possible.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Grid {
    /// The algorithms.
    pub algorithms: Vec<Arc<Entry>>,
    /// Who is whose neighbour.
    pub topologies: Vec<Topology>,
    /// Sizes.
    pub n: Vec<u64>,
    /// Elections per cell.
    pub runs: u64,
    /// Stop a cell at this relative half-width of the 95 % interval, from 256 runs on.
    pub until: Option<f64>,
    /// Where the IDs stand; empty if a topology assigns them and nothing is said.
    pub layouts: Vec<Layout>,
    /// Which IDs; empty likewise.
    pub ids: Vec<Ids>,
    /// Who starts.
    pub initiators: Vec<Initiators>,
    /// How long messages take.
    pub timing: Vec<Timing>,
    /// How runs are carried out.
    pub engine: Engine,
    /// The share of counted runs that are simulated as well.
    pub audit: f64,
    /// Every combination.
    cells: Vec<Cell>,
}

/// How runs are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Count where a counter exists, simulate elsewhere.
    Auto,
    /// Deliver every message.
    Simulate,
    /// Compute the same numbers in O(n).
    Count,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Auto => "auto",
            Engine::Simulate => "simulate",
            Engine::Count => "count",
        })
    }
}

/// More cells are surely a mistake, and a plan of them is slow and large.
pub(super) const MOST_CELLS: u128 = 1_000_000;
/// Rings up to this size are drawn at once.
const SMALL_RING: u32 = 1024;
/// Runs per cell if nothing is said.
const USUAL_RUNS: u64 = 1000;
/// So many runs are surely a mistake; sums of fewer stay far from overflow.
const MOST_RUNS: u64 = 10_000_000_000;
/// The audit if nothing is said.
const USUAL_AUDIT: f64 = 0.01;

/// The value of a key that is missing, in errors.
pub const NOTHING: &str = "(nothing)";

/// So much of a long list is shown.
const SHOWN: usize = 60;

impl Grid {
    /// The lists of a draft, each value good by itself; the cells come later.
    pub(super) fn from_draft(draft: &Draft, names: Names<'_>) -> Checked<Self> {
        let missing = |key: &str, example: &str| {
            let problem = "this key is missing";
            Input::new(key, NOTHING, problem, format!("add {example}"))
        };
        let algorithms = draft.read("algorithms", Vec::new(), |raw| {
            list(raw, |raw| Ok(names.algorithm(&text(raw)?)?.clone()))
        })?;
        if algorithms.is_empty() {
            return Err(missing("algorithms", "algorithms = [\"chang-roberts\"]"));
        }
        let n = draft.read("n", Vec::new(), |raw| Ok(list(raw, sizes)?.concat()))?;
        let topologies = draft.read("topologies", vec![Topology::Ring], |raw| {
            list(raw, |raw| names.topology(&text(raw)?))
        })?;
        let assigning = topologies.iter().find(|topology| topology.ids().is_some());
        if let Some(topology) = assigning {
            for key in ["layouts", "ids"] {
                draft.read(key, (), |raw| Err(assigned(key, raw, topology)))?;
            }
        }
        let (layouts, ids) = match assigning {
            Some(_) => (Vec::new(), Vec::new()),
            None => (vec![Layout::Random], vec![Ids::Dense]),
        };
        let layouts =
            draft.read("layouts", layouts, |raw| list(raw, |raw| names.layout(&text(raw)?)))?;
        let named_by_layout =
            !layouts.is_empty() && layouts.iter().all(|layout| matches!(layout, Layout::File(_)));
        let named_by_edges = topologies.iter().all(|it| matches!(it, Topology::File(_)));
        if n.is_empty() && !named_by_layout && !named_by_edges {
            return Err(missing("n", "n = [16, 64, 256]"));
        }
        Ok(Grid {
            algorithms,
            topologies,
            n,
            runs: draft.read("runs", USUAL_RUNS, runs)?,
            until: draft.read("until", None, |raw| share(raw, false).map(Some))?,
            layouts,
            ids: draft.read("ids", ids, |raw| list(raw, parsed))?,
            initiators: draft.read("initiators", vec![Initiators::All], |raw| list(raw, parsed))?,
            timing: timings(draft)?,
            engine: draft.read("engine", Engine::Auto, engine)?,
            audit: draft.read("audit", USUAL_AUDIT, |raw| share(raw, true))?,
            cells: Vec::new(),
        })
    }

    /// The same with its cells; refuses values that do not fit together.
    pub(super) fn with_cells(mut self) -> Checked<Self> {
        self.cells = self.build_cells()?;
        for cell in &self.cells {
            // Large ones are left to the plan, so that they are drawn only once.
            let by_algorithm = matches!(cell.layout(), Layout::Best | Layout::Worst);
            if by_algorithm && cell.n() <= SMALL_RING {
                cell.prepare(0)?;
            }
        }
        Ok(self)
    }

    /// How many cells it has: every combination of the lists, where a file names its own size.
    pub(super) fn size(&self) -> u128 {
        let networks = self.topologies.iter().map(|topology| {
            let (layouts, ids) = self.places_of(topology);
            let sizes = |layout: &Layout| match layout {
                Layout::File(_) => 1,
                _ if topology.file().is_some() => 1,
                _ => self.n.len() as u128,
            };
            layouts.iter().map(sizes).sum::<u128>() * ids.len() as u128
        });
        let lists = [self.algorithms.len(), self.initiators.len(), self.timing.len()];
        let product = |product: u128, &length: &usize| product.saturating_mul(length as u128);
        lists.iter().fold(networks.sum(), product)
    }

    /// What is wrong with a grid that brings a spec to so many cells.
    pub(super) fn too_many(&self, cells: u128, draft: &Draft) -> Input {
        let lists = [
            ("algorithms", self.algorithms.len()),
            ("topologies", self.topologies.len()),
            ("layouts", self.layouts.len()),
            ("ids", self.ids.len()),
            ("initiators", self.initiators.len()),
            ("timing", self.timing.len()),
            ("n", self.n.len()),
        ];
        // The last of the longest: sizes, as a rule.
        let (key, length) = lists.into_iter().max_by_key(|&(_, length)| length).unwrap_or(lists[6]);
        let (written, place) = draft.get(key).unzip();
        let value =
            written.map_or_else(|| "(usual)".to_owned(), |raw| shortened(&raw.to_string(), SHOWN));
        let problem = format!(
            "these are {length} values, which bring the spec to {cells} cells, and \
             {MOST_CELLS} are the most"
        );
        let remedy = "use fewer, or a larger step, or several specs";
        Input { place: place.flatten().cloned(), ..Input::new(key, value, problem, remedy) }
    }

    /// The cells of the grid.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    fn build_cells(&self) -> Checked<Vec<Cell>> {
        let mut cells = Vec::new();
        let given: Vec<Option<u64>> = self.n.iter().copied().map(Some).collect();
        for algorithm in &self.algorithms {
            for topology in &self.topologies {
                let (layouts, ids) = self.places_of(topology);
                for (layout, &ids) in pairs(layouts, ids) {
                    let file = matches!(layout, Layout::File(_)) || topology.file().is_some();
                    for &n in if file { &[None] } else { given.as_slice() } {
                        for (initiators, &timing) in pairs(&self.initiators, &self.timing) {
                            let setting = Setting {
                                topology: topology.clone(),
                                n,
                                layout: layout.clone(),
                                ids,
                                initiators: initiators.clone(),
                                timing,
                                limit: None,
                            };
                            cells.push(Cell::new(algorithm, setting)?);
                        }
                    }
                }
            }
        }
        Ok(cells)
    }

    /// Where the IDs stand on a topology, and which.
    fn places_of(&self, topology: &Topology) -> (&[Layout], &[Ids]) {
        match topology.ids() {
            Some(_) => (&[Layout::Assigned], &[Ids::Given]),
            None if self.layouts.is_empty() => (&[Layout::Random], &[Ids::Dense]),
            None => (&self.layouts, &self.ids),
        }
    }
}

/// How many elections a cell has.
fn runs(raw: &Raw) -> Checked<u64> {
    match whole(raw)? {
        0 => Err(bad(raw, "a cell needs at least one run", "use 1 or more")),
        runs if runs > MOST_RUNS => {
            let remedy = format!("use at most {MOST_RUNS}");
            Err(bad(raw, "nobody can wait for so many runs", &remedy))
        }
        runs => Ok(runs),
    }
}

/// How long messages take, without FIFO links if that is said.
fn timings(draft: &Draft) -> Checked<Vec<Timing>> {
    let timings: Vec<Timing> = draft.read("timing", vec![Timing::SYNC], |raw| list(raw, parsed))?;
    if draft.read("fifo", true, truth)? {
        return Ok(timings);
    }
    let without = |_: &Raw| timings.into_iter().map(Timing::without_fifo).collect();
    draft.read("fifo", Vec::new(), without)
}

/// Every one of the first with every one of the second.
fn pairs<'a, A, B>(first: &'a [A], second: &'a [B]) -> impl Iterator<Item = (&'a A, &'a B)> {
    first.iter().flat_map(move |a| second.iter().map(move |b| (a, b)))
}

fn engine(raw: &Raw) -> Checked<Engine> {
    match text(raw)?.as_str() {
        "auto" => Ok(Engine::Auto),
        "simulate" => Ok(Engine::Simulate),
        "count" => Ok(Engine::Count),
        other => {
            let all = "there are auto, simulate and count";
            Err(Input::unknown("", other, ["auto", "simulate", "count"], all))
        }
    }
}
