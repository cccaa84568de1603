//! From the spec to the exact runs: cells in order, and chunks of runs as the unit of work.

use super::cell::Cell;
use super::error::Result;
use super::key::CellKey;
use super::layout::Layout;
use super::memory;
use super::spec::{Engine, Spec};
use crate::model::error::Input;
use crate::model::theory::harmonic;

/// A chunk of a simulated cell sends at most about so many messages: a fraction of a second.
const CHUNK_MESSAGES: f64 = (1u64 << 25) as f64;

/// A smaller cell is cut into so many chunks, so that the cores finish together,
const EVENLY: u64 = 16;

/// as long as each still sends about so many: a hundredth of a second.
const FEWEST_CHUNK_MESSAGES: f64 = (1u64 << 22) as f64;

/// The most runs in a chunk, so that its rows stay a small file.
const MOST_CHUNK_RUNS: u64 = 1 << 14;

/// The most chunks in a plan: each is a file for a while.
const MOST_CHUNKS: u128 = 10_000_000;

/// A run that is expected to send more messages than this is counted without an audit.
const MOST_AUDITED_MESSAGES: f64 = 1e9;

// About how long things take on a core, in seconds; measured, and good to a factor of three.
/// A message on a ring in rounds.
const RING_MESSAGE_SECONDS: f64 = 4e-9;
/// A message with delays, or on a graph.
const MESSAGE_SECONDS: f64 = 2e-8;
/// A unit of [`work`] of who counts.
const COUNT_SECONDS: f64 = 1.5e-9;
/// A run beside its messages.
const RUN_SECONDS: f64 = 5e-7;
/// A chunk beside its runs: its file.
const CHUNK_SECONDS: f64 = 2e-4;

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
            let name = &cell.algorithm().name;
            let problem = match cell.algorithm().counter {
                None => format!("{name} has no counter"),
                Some(_) => format!(
                    "the messages of {name} with initiators {} and timing {} depend on the schedule \
                     or are beyond its counter",
                    cell.initiators(),
                    cell.timing()
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
    /// About how many messages one run takes, or more: what the size of a chunk is made of.
    pub expected_messages: f64,
}

impl PlannedCell {
    /// Whether run number `run` of a counted cell is simulated as well: every so many, from the
    /// first on. Runs that would take too long are not.
    pub fn is_audited(&self, run: u64) -> bool {
        self.audit_step().is_some_and(|step| run.is_multiple_of(step))
    }

    /// Every so many runs one is audited, if any.
    fn audit_step(&self) -> Option<u64> {
        let audits = self.audit > 0.0 && self.expected_messages <= MOST_AUDITED_MESSAGES;
        audits.then(|| (1.0 / self.audit).round() as u64)
    }

    /// About how many messages one run sends. Where no theorem holds, `expected_messages` may be
    /// far too many, but chunks that were begun with it have to stay as they are.
    pub fn likely_messages(&self) -> f64 {
        if self.cell.is_on_graph() {
            return self.expected_messages;
        }
        let n = u64::from(self.cell.n());
        // Whatever the timing: delays change little.
        let facts = (self.cell.algorithm().facts)(&self.cell.initiators().case(n));
        let fact = match self.cell.layout() {
            Layout::Best => facts.best,
            _ if self.cell.layout().is_random() => facts.mean,
            _ => None,
        };
        fact.map_or(self.expected_messages, |fact| fact.value.as_f64().max(1.0))
    }

    /// About how long all its runs take on one core, in seconds; the most, if `until` is set.
    pub fn seconds(&self) -> f64 {
        let in_rounds = self.cell.timing().delay.is_none() && !self.cell.is_on_graph();
        let message_seconds = if in_rounds { RING_MESSAGE_SECONDS } else { MESSAGE_SECONDS };
        let run_seconds = self.likely_messages() * message_seconds;
        let carried_out = match self.method {
            Method::Simulate => self.runs as f64 * run_seconds,
            Method::Count => {
                let audited = self.audit_step().map_or(0, |step| self.runs.div_ceil(step));
                let counted = work(Method::Count, &self.cell, self.expected_messages);
                self.runs as f64 * counted * COUNT_SECONDS + audited as f64 * run_seconds
            }
        };
        carried_out + self.runs as f64 * RUN_SECONDS + self.chunks() as f64 * CHUNK_SECONDS
    }

    /// About how many bytes a thread takes that carries out its runs with `n` nodes.
    fn bytes(&self, n: u32) -> u64 {
        match (self.method, self.audit_step()) {
            (Method::Simulate, _) => self.cell.bytes_to_simulate(n),
            (Method::Count, None) => self.cell.bytes_to_count(n),
            (Method::Count, Some(_)) => {
                self.cell.bytes_to_count(n).saturating_add(self.cell.bytes_to_simulate(n))
            }
        }
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

    /// Whether its chunks count the rings that those of `other` count.
    fn counts_rings_of(&self, other: &PlannedCell) -> bool {
        let whole = |cell: &PlannedCell| cell.method == Method::Count && cell.until.is_none();
        whole(self)
            && whole(other)
            && self.chunk_runs == other.chunk_runs
            && self.cell.draws_rings_of(&other.cell)
    }

    /// What tells it from other cells.
    pub fn key(&self) -> &CellKey {
        self.cell.key()
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
        let free = memory::free().unwrap_or(u64::MAX);
        for grid in &spec.grids {
            for cell in grid.cells() {
                // Finds out now whether the layout exists, not in the middle of a long run.
                if matches!(cell.layout(), Layout::Best | Layout::Worst) {
                    memory::check(cell.n(), |n| cell.bytes_to_count(n), free)?;
                    cell.prepare(spec.seed)?;
                }
                let expected_messages = expected_messages(cell);
                let method = method(grid.engine, cell)?;
                let work = work(method, cell, expected_messages);
                // A cell that may stop early does so between two chunks, so the size of these is part
                // of what its results are, and never to change.
                let shared = grid.until.is_none().then_some(grid.runs);
                let chunk_runs = chunk_runs(work, shared);
                cells.push(PlannedCell {
                    cell: cell.clone(),
                    runs: grid.runs,
                    until: grid.until,
                    method,
                    audit: grid.audit,
                    chunk_runs,
                    first_chunk: 0,
                    expected_messages,
                });
            }
        }
        cells.sort_by(|a, b| a.key().cmp(b.key()));
        for pair in cells.windows(2) {
            let [cell, other] = pair else { continue };
            let how = |cell: &PlannedCell| (cell.runs, cell.until, cell.method, cell.audit);
            if cell.key() == other.key() && how(cell) != how(other) {
                let problem = format!("{} is there twice, differently", cell.key().words());
                let remedy = "keep one of the two, or let them agree";
                return Err(Input::new("grid", "(cell)", problem, remedy).into());
            }
        }
        cells.dedup_by(|a, b| a.key() == b.key());
        check_chunks(&cells)?;
        let mut first_chunk = 0;
        for cell in &mut cells {
            cell.first_chunk = first_chunk;
            first_chunk += cell.chunks();
        }
        Ok(Plan { seed: spec.seed, cells })
    }

    /// Refuses a plan that does not fit into the memory that is free, before anything is allocated.
    /// Each of so many threads works on a chunk of its own, and each of so many shards, on a machine
    /// of its own, has its part of the chunks.
    pub fn check_memory(&self, threads: usize, shards: u64) -> Result<()> {
        match memory::free() {
            Some(free) => Ok(self.check_fit(threads as u64, shards, free)?),
            None => Ok(()),
        }
    }

    fn check_fit(&self, threads: u64, shards: u64, free: u64) -> std::result::Result<(), Input> {
        let mut largest_first: Vec<(u64, &PlannedCell)> =
            self.cells.iter().map(|cell| (cell.bytes(cell.cell.n()), cell)).collect();
        largest_first.sort_by_key(|&(bytes, _)| std::cmp::Reverse(bytes));
        let Some(&(_, largest)) = largest_first.first() else { return Ok(()) };
        // The most that can be at work at the same time.
        let (mut busy, mut needed, mut fit) = (0, 0u64, 0);
        for (bytes, cell) in largest_first {
            // The chunks of a cell that may stop early are worked on one after another.
            let at_once = if cell.until.is_some() { 1 } else { cell.chunks().div_ceil(shards) };
            let at_once = at_once.min(threads - busy);
            busy += at_once;
            let before = needed;
            needed = needed.saturating_add(bytes.saturating_mul(at_once));
            if needed <= free {
                fit = busy;
            } else if before <= free {
                fit += (free - before) / bytes;
            }
        }
        if needed <= free {
            return Ok(());
        }
        if fit == 0 {
            memory::check(largest.cell.n(), |n| largest.bytes(n), free)?;
        }
        let problem = format!(
            "with up to {} nodes on each, {}",
            largest.cell.n(),
            memory::shortage(needed, free)
        );
        Err(Input::new("threads", threads, problem, format!("use --threads {fit}")))
    }

    /// The number of chunks; the most, where cells may stop early.
    pub fn chunks(&self) -> u64 {
        self.cells.last().map_or(0, |cell| cell.first_chunk + cell.chunks())
    }

    /// All chunks, (cell, chunk), those that take longest first, so that what is left in the end is
    /// short. Chunks that count the same rings are together: the rings need to be drawn but once.
    pub fn costliest_first(&self) -> impl Iterator<Item = Vec<(usize, u64)>> + Send + '_ {
        let seconds = |cell: &PlannedCell| match cell.until {
            // Its chunks are worked on one after another.
            Some(_) => cell.seconds(),
            None => cell.seconds() / cell.chunks() as f64,
        };
        let mut bundles: Vec<(f64, Vec<usize>)> = Vec::new();
        for index in self.by_rings() {
            let cell = &self.cells[index];
            match bundles.last_mut() {
                Some((all, cells)) if self.cells[cells[0]].counts_rings_of(cell) => {
                    *all += seconds(cell);
                    cells.push(index);
                }
                _ => bundles.push((seconds(cell), vec![index])),
            }
        }
        bundles.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        bundles.into_iter().flat_map(move |(_, cells)| {
            let chunks = cells.iter().map(|&cell| self.cells[cell].chunks()).max().unwrap_or(0);
            (0..chunks).map(move |chunk| {
                let has_it = |&&cell: &&usize| chunk < self.cells[cell].chunks();
                cells.iter().filter(has_it).map(|&cell| (cell, chunk)).collect()
            })
        })
    }

    /// All cells, those that draw the same rings in chunks of the same length behind each other.
    fn by_rings(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by_key(|&index| {
            let cell = &self.cells[index];
            (cell.key().ring_columns(), cell.method == Method::Count, cell.chunk_runs)
        });
        order
    }

    /// The number of runs; the most, where cells may stop early.
    pub fn runs(&self) -> u64 {
        self.cells.iter().map(|cell| cell.runs).sum()
    }

    /// About how many messages all runs send.
    pub fn likely_messages(&self) -> f64 {
        self.cells.iter().map(|cell| cell.likely_messages() * cell.runs as f64).sum()
    }

    /// About how long all runs take on one core, in seconds.
    pub fn seconds(&self) -> f64 {
        self.cells.iter().map(PlannedCell::seconds).sum()
    }
}

/// Refuses more chunks than a folder can hold.
fn check_chunks(cells: &[PlannedCell]) -> std::result::Result<(), Input> {
    let chunks: u128 = cells.iter().map(|cell| u128::from(cell.chunks())).sum();
    let most = cells.iter().max_by_key(|cell| cell.chunks());
    let Some(cell) = most.filter(|_| chunks > MOST_CHUNKS) else { return Ok(()) };
    let problem = format!(
        "that makes {chunks} chunks of work, {} of them with n = {}, and {MOST_CHUNKS} are the most",
        cell.chunks(),
        cell.cell.n()
    );
    // Every cell may end in a chunk that is not full.
    let runs = u128::from(cell.runs) * MOST_CHUNKS.saturating_sub(cells.len() as u128) / chunks;
    let remedy = format!("use at most {}, or smaller n", runs.max(1));
    Err(Input::new("runs", cell.runs, problem, remedy))
}

/// How much work one run is, in messages: counting takes about as long as sending a few per node.
fn work(method: Method, cell: &Cell, expected_messages: f64) -> f64 {
    match method {
        Method::Simulate => expected_messages,
        Method::Count => 4.0 * f64::from(cell.n()),
    }
}

/// About how many messages one run of a cell takes: the mean where the order is random, else the
/// worst case; a guess where nothing is known.
fn expected_messages(cell: &Cell) -> f64 {
    let n = f64::from(cell.n());
    if cell.is_on_graph() {
        // Each of k waves meets every edge twice, and of k in random order H_k are larger than all before.
        let starters = cell.initiators().count(u64::from(cell.n())).unwrap_or(u64::from(cell.n()));
        let edges = cell.topology().about_edges(u64::from(cell.n()));
        return 2.0 * edges.max(1.0) * harmonic(starters);
    }
    let facts = cell.facts();
    let fact = if cell.layout().is_random() { facts.mean.or(facts.worst) } else { facts.worst };
    fact.map_or(n * n.min(64.0), |fact| fact.value.as_f64()).max(1.0)
}

/// Runs per chunk, `shared` by the cores if all are to be done anyway. A power of two, so that rounding
/// cannot make two machines disagree.
fn chunk_runs(work: f64, shared: Option<u64>) -> u64 {
    let [fewest, most] = [FEWEST_CHUNK_MESSAGES, CHUNK_MESSAGES].map(|it| (it / work) as u64);
    let runs = shared.map_or(most, |runs| (runs / EVENLY).clamp(fewest, most));
    1 << runs.clamp(1, MOST_CHUNK_RUNS).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Registry;

    fn plan(text: &str) -> Plan {
        let spec =
            Spec::parse(text, "test.toml", "test", &Registry::standard()).expect("a good spec");
        Plan::new(&spec).expect("a good plan")
    }

    #[test]
    fn cells_are_sorted_and_chunks_cover_all_runs() {
        let plan = plan("algorithms = ['peterson', 'chang-roberts']\nn = [100, 20]\nruns = 40000");
        let names: Vec<String> = plan.cells.iter().map(|cell| cell.key().words()).collect();
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
        let spec =
            Spec::parse(text, "test.toml", "test", &Registry::standard()).expect("a good spec");
        assert!(Plan::new(&spec).is_err());
    }

    fn refused(text: &str) -> String {
        let spec =
            Spec::parse(text, "test.toml", "test", &Registry::standard()).expect("a good spec");
        Plan::new(&spec).map(|plan| plan.chunks()).expect_err(text).to_string()
    }

    #[test]
    fn ten_thousand_sizes_are_planned_at_once() {
        let text = "algorithms = ['hirschberg-sinclair', 'radius-growth']\nn = '1..10000 step 1'";
        let plan = plan(text);
        assert_eq!(plan.cells.len(), 20_000);
        assert!(plan.cells.is_sorted_by_key(|cell| cell.key().clone()));
    }

    #[test]
    fn more_chunks_than_a_folder_can_hold_are_refused() {
        let all = "algorithms = 'lelann'\nruns = 10000000000\n";
        let error = refused(&format!("{all}n = [4, 65536]"));
        assert!(error.starts_with("runs = 10000000000: that makes 78735352 chunks"), "{error}");
        let runs = error.split("use at most ").nth(1).and_then(|rest| rest.split(',').next());
        let runs = runs.expect("a remedy");
        let text = format!("algorithms = 'lelann'\nn = [4, 65536]\nruns = {runs}");
        assert!(plan(&text).chunks() > 9_900_000);
        assert_eq!(plan(&format!("{all}n = 4")).chunks(), 610_352);
    }

    #[test]
    fn counted_runs_take_the_time_of_counting() {
        // 10^13 messages that nobody sends.
        let counted = plan("algorithms = 'lelann'\nn = 1000000\nruns = 10").seconds();
        assert!((0.01..1.0).contains(&counted), "{counted}");
        let audited = plan("algorithms = 'lelann'\nn = 20000\nruns = 101\naudit = '1%'").seconds();
        assert!((2.0..10.0).contains(&audited), "{audited}");
        let simulated =
            plan("algorithms = 'lelann'\nn = 20000\nruns = 101\nengine = 'simulate'").seconds();
        assert!((100.0..1000.0).contains(&simulated), "{simulated}");
        // Only the worst case is proved without FIFO, and only rings in order are the best.
        let clockwise = "algorithms = 'clockwise'\nn = 1000\nengine = 'simulate'\n";
        for more in ["timing = 'lifo+no-fifo'", "layouts = 'best'"] {
            let simulated = plan(&format!("{clockwise}{more}")).seconds();
            assert!((0.001..1.0).contains(&simulated), "{simulated}");
        }
    }

    #[test]
    fn a_plan_fits_into_memory_if_its_largest_chunks_do_at_the_same_time() {
        let text = "algorithms = 'chang-roberts'\nengine = 'simulate'\nn = [1000, 1000000]\n";
        let one = plan(text).cells[1].bytes(1_000_000);
        let check = |more: &str, threads, shards, free| {
            let error = plan(&format!("{text}{more}")).check_fit(threads, shards, free).err();
            error.map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(check("", 4, 1, 4 * one), "");
        let error = check("", 4, 1, 4 * one - 1);
        assert!(
            error.starts_with("threads = 4: with up to 1000000 nodes on each, that"),
            "{error}"
        );
        assert!(error.ends_with("use --threads 3"), "{error}");
        let error = check("", 4, 1, one - 1);
        assert!(error.starts_with("n = 1000000: that takes"), "{error}");
        assert!(error.contains("use at most 999999, "), "{error}");
        // One chunk of the large ring, or one after another: the other threads have small ones.
        for more in ["runs = 1", "until = '1%'"] {
            assert_eq!(check(more, 4, 1, one + one / 100), "", "{more}");
            assert!(check(more, 4, 1, one).ends_with("use --threads 1"), "{more}");
        }
        // 500 chunks; each of 250 shards has two of them.
        assert_eq!(plan(text).cells[1].chunks(), 500);
        assert_eq!(check("", 64, 250, 2 * one + one / 10), "");
        assert!(check("", 64, 249, 2 * one + one / 10).ends_with("use --threads 2"));
    }

    #[test]
    fn who_counts_takes_less_memory_unless_it_audits() {
        let bytes = |more: &str| {
            plan(&format!("algorithms = 'chang-roberts'\nn = 1000\n{more}")).cells[0].bytes(1000)
        };
        let [simulated, counted] = ["engine = 'simulate'", "audit = 0"].map(bytes);
        assert!(counted < simulated / 10, "{counted} and {simulated}");
        assert_eq!(bytes(""), counted + simulated);
    }

    #[test]
    fn large_runs_make_small_chunks() {
        for shared in [None, Some(1), Some(u64::MAX)] {
            assert_eq!(chunk_runs(1.0, shared), MOST_CHUNK_RUNS);
            assert_eq!(chunk_runs(CHUNK_MESSAGES, shared), 1);
            assert_eq!(chunk_runs(f64::MAX, shared), 1);
        }
        // Frozen: it decides where a cell stops.
        assert_eq!(chunk_runs(262_144.0, None), 128);
    }

    #[test]
    fn small_cells_are_cut_into_chunks_for_all_cores() {
        // 1000 runs of 32768 messages each would be one chunk.
        assert_eq!(chunk_runs(32_768.0, Some(1000)), 128);
        assert_eq!(chunk_runs(32_768.0, Some(10_000)), 512);
        assert_eq!(chunk_runs(32_768.0, Some(1_000_000)), 1024);
    }

    #[test]
    fn the_longest_chunks_come_first_and_none_is_left_out() {
        let plan =
            plan("algorithms = 'peterson'\nn = [8, 4096]\nruns = 20_000\nengine = 'simulate'");
        let order: Vec<(usize, u64)> = plan.costliest_first().flatten().collect();
        assert_eq!(order.len() as u64, plan.chunks());
        assert_eq!(order[0], (1, 0));
        assert_eq!(order.last(), Some(&(0, plan.cells[0].chunks() - 1)));
    }

    #[test]
    fn chunks_that_count_the_same_rings_are_together() {
        let plan = plan(
            "n = 4096\naudit = 0\n\
             [[grid]]\nalgorithms = ['chang-roberts', 'peterson']\nruns = 5000\n\
             [[grid]]\nalgorithms = 'franklin'\nruns = 4200\n\
             [[grid]]\nalgorithms = 'lelann'\nruns = 5000\nids = 'sparse'\n\
             [[grid]]\nalgorithms = 'clockwise'\nruns = 5000\nengine = 'simulate'",
        );
        let bundles: Vec<Vec<(usize, u64)>> = plan.costliest_first().collect();
        assert_eq!(bundles.iter().map(Vec::len).sum::<usize>() as u64, plan.chunks());
        let names = |bundle: &Vec<(usize, u64)>| -> Vec<&str> {
            bundle.iter().map(|&(cell, _)| plan.cells[cell].key().algorithm.as_str()).collect()
        };
        for bundle in &bundles {
            let runs = |&(cell, chunk): &(usize, u64)| plan.cells[cell].chunk(chunk);
            let first = runs(&bundle[0]);
            match names(bundle)[..] {
                ["chang-roberts", "franklin", "peterson"] => assert!(first.start < 4200),
                ["chang-roberts", "peterson"] => assert!(first.start >= 4096),
                ["lelann"] | ["clockwise"] => {}
                _ => panic!("{:?}", names(bundle)),
            }
            assert!(bundle.iter().all(|it| runs(it).start == first.start));
        }
    }
}
