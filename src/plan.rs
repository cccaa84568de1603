//! From the spec to the exact runs: cells in order, and chunks of runs as the unit of work.

use crate::cell::Cell;
use crate::error::{Input, Result};
use crate::layout::Layout;
use crate::spec::{Engine, Spec};
use crate::theory::harmonic;

/// A chunk of a simulated cell sends about so many messages: a fraction of a second.
const CHUNK_MESSAGES: f64 = (1u64 << 25) as f64;

/// The most runs in a chunk, so that its rows stay a small file.
const MOST_CHUNK_RUNS: u64 = 1 << 14;

/// A run that is expected to send more messages than this is counted without an audit.
const MOST_AUDITED_MESSAGES: f64 = 1e9;

/// Who carries out the runs of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The engines deliver every message.
    Simulate,
    /// The counter computes the same numbers.
    Count,
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Method::Simulate => "simulate",
            Method::Count => "count",
        })
    }
}

fn method(engine: Engine, cell: &Cell) -> std::result::Result<Method, Input> {
    match (engine, cell.has_counter()) {
        (Engine::Simulate, _) | (Engine::Auto, false) => Ok(Method::Simulate),
        (Engine::Auto | Engine::Count, true) => Ok(Method::Count),
        (Engine::Count, false) => {
            let name = &cell.algorithm.name;
            let problem = match cell.algorithm.counter {
                None => format!("{name} has no counter"),
                Some(_) => format!(
                    "the messages of {name} with initiators {} and timing {} depend on the schedule \
                     or are beyond its counter",
                    cell.initiators, cell.timing
                ),
            };
            Err(Input::new("engine", "count", problem, "use simulate or auto"))
        }
    }
}

/// The runs of one cell, and how they are carried out.
#[derive(Clone)]
pub struct PlannedCell {
    /// What the runs have in common.
    pub cell: Cell,
    /// How many runs; the most, if `until` is set.
    pub runs: u64,
    /// Stop at this relative half-width of the 95 % interval of the mean.
    pub until: Option<f64>,
    /// Who carries them out.
    pub method: Method,
    /// The share of counted runs that are simulated as well.
    pub audit: f64,
    /// Runs per chunk.
    pub chunk_runs: u64,
    /// The number of its first chunk.
    pub first_chunk: u64,
    /// About how many messages one run takes.
    pub expected_messages: f64,
}

impl PlannedCell {
    /// Whether run number `run` of a counted cell is simulated as well: every so many, from the
    /// first on. Runs that would take too long are not.
    pub fn is_audited(&self, run: u64) -> bool {
        self.audit > 0.0
            && self.expected_messages <= MOST_AUDITED_MESSAGES
            && run.is_multiple_of((1.0 / self.audit).round() as u64)
    }

    /// How many chunks it has; the most, if `until` is set.
    pub fn chunks(&self) -> u64 {
        self.runs.div_ceil(self.chunk_runs)
    }

    /// The runs of its chunk number `index`.
    pub fn chunk(&self, index: u64) -> std::ops::Range<u64> {
        let first = index * self.chunk_runs;
        first..(first + self.chunk_runs).min(self.runs)
    }

    /// The columns that tell it from other cells, in the order of the rows.
    pub fn columns(&self) -> [String; 7] {
        self.cell.columns()
    }
}

/// All that an experiment runs.
pub struct Plan {
    /// The master seed.
    pub seed: u64,
    /// The cells, sorted as in the results.
    pub cells: Vec<PlannedCell>,
}

impl Plan {
    /// The plan of a spec.
    pub fn new(spec: &Spec) -> Result<Self> {
        let mut cells: Vec<PlannedCell> = Vec::new();
        for grid in &spec.grids {
            for cell in grid.cells()? {
                // Finds out now whether the layout exists, not in the middle of a long run.
                if matches!(cell.layout, Layout::Best | Layout::Worst) {
                    cell.prepare_to_count(spec.seed)?;
                }
                let expected_messages = expected_messages(&cell);
                let method = method(grid.engine, &cell)?;
                // Counting takes about as long as sending a few messages per node.
                let work = match method {
                    Method::Simulate => expected_messages,
                    Method::Count => 4.0 * f64::from(cell.n),
                };
                cells.push(PlannedCell {
                    cell,
                    runs: grid.runs,
                    until: grid.until,
                    method,
                    audit: grid.audit,
                    chunk_runs: chunk_runs(work),
                    first_chunk: 0,
                    expected_messages,
                });
            }
        }
        let key = |cell: &PlannedCell| {
            let [algorithm, topology, layout, ids, initiators, timing, _] = cell.columns();
            (algorithm, topology, layout, ids, initiators, timing, cell.cell.n)
        };
        cells.sort_by_cached_key(key);
        for pair in cells.windows(2) {
            let how = |cell: &PlannedCell| (cell.runs, cell.until, cell.method, cell.audit);
            if key(&pair[0]) == key(&pair[1]) && how(&pair[0]) != how(&pair[1]) {
                let problem =
                    format!("{} is there twice, differently", pair[0].columns().join(" "));
                let remedy = "keep one of the two, or let them agree";
                return Err(Input::new("grid", "(cell)", problem, remedy).into());
            }
        }
        cells.dedup_by_key(|cell| key(cell));
        let mut first_chunk = 0;
        for cell in &mut cells {
            cell.first_chunk = first_chunk;
            first_chunk += cell.chunks();
        }
        Ok(Plan { seed: spec.seed, cells })
    }

    /// The number of chunks; the most, where cells may stop early.
    pub fn chunks(&self) -> u64 {
        self.cells.last().map_or(0, |cell| cell.first_chunk + cell.chunks())
    }

    /// Which chunk has this number: (cell, chunk).
    pub fn place(&self, number: u64) -> (usize, u64) {
        let cell = self.cells.partition_point(|cell| cell.first_chunk <= number) - 1;
        (cell, number - self.cells[cell].first_chunk)
    }

    /// The number of runs; the most, where cells may stop early.
    pub fn runs(&self) -> u64 {
        self.cells.iter().map(|cell| cell.runs).sum()
    }

    /// About how many messages all runs take.
    pub fn expected_messages(&self) -> f64 {
        self.cells.iter().map(|cell| cell.expected_messages * cell.runs as f64).sum()
    }
}

/// About how many messages one run of a cell takes: the mean where the order is random, else the
/// worst case; a guess where nothing is known.
fn expected_messages(cell: &Cell) -> f64 {
    let n = f64::from(cell.n);
    if cell.is_on_graph() {
        // Each of k waves meets every edge twice, and of k in random order H_k are larger than all before.
        let starters = cell.initiators.count(u64::from(cell.n)).unwrap_or(u64::from(cell.n));
        let edges = cell.topology.about_edges(u64::from(cell.n));
        return 2.0 * edges.max(1.0) * harmonic(starters);
    }
    let facts = cell.facts();
    let fact = if cell.layout.is_random() { facts.mean.or(facts.worst) } else { facts.worst };
    fact.map_or(n * n.min(64.0), |fact| fact.value.as_f64()).max(1.0)
}

/// Runs per chunk: a power of two, so that rounding cannot make two machines disagree.
fn chunk_runs(work: f64) -> u64 {
    let runs = (CHUNK_MESSAGES / work) as u64;
    1 << runs.clamp(1, MOST_CHUNK_RUNS).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Plan {
        let spec = Spec::parse(text, "test.toml", "test").expect("a good spec");
        Plan::new(&spec).expect("a good plan")
    }

    #[test]
    fn cells_are_sorted_and_chunks_cover_all_runs() {
        let plan = plan("algorithms = ['peterson', 'chang-roberts']\nn = [100, 20]\nruns = 40000");
        let names: Vec<String> = plan.cells.iter().map(|cell| cell.columns().join(" ")).collect();
        assert_eq!(names[0], "chang-roberts ring random dense all sync 20");
        assert_eq!(names[3], "peterson ring random dense all sync 100");
        for cell in &plan.cells {
            let runs: u64 =
                (0..cell.chunks()).map(|i| cell.chunk(i)).map(|r| r.end - r.start).sum();
            assert_eq!(runs, 40_000);
        }
        assert_eq!(plan.runs(), 160_000);
    }

    #[test]
    fn the_same_cell_twice_is_one_cell_or_an_error() {
        let text = "algorithms = 'lelann'\nn = 8\n[[grid]]\n[[grid]]\n";
        assert_eq!(plan(text).cells.len(), 1);
        let text = "algorithms = 'lelann'\nn = 8\n[[grid]]\n[[grid]]\nruns = 5";
        let spec = Spec::parse(text, "test.toml", "test").expect("a good spec");
        assert!(Plan::new(&spec).is_err());
    }

    #[test]
    fn large_runs_make_small_chunks() {
        assert_eq!(chunk_runs(1.0), MOST_CHUNK_RUNS);
        assert_eq!(chunk_runs(CHUNK_MESSAGES), 1);
        assert_eq!(chunk_runs(f64::MAX), 1);
    }
}
