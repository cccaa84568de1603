//! What the user asks for: an experiment as a TOML file or as flags, checked once.
//!
//! Both ways go through the same [`Draft`]: keys with values that are only text, numbers or lists
//! of such, each with the line it stands on. After [`Spec::from_drafts`] everything is valid.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::bounds::{Bound, TABLES};
use super::cell::{Cell, Setting, assigned};
use super::error::Result;
use super::files::{Files, read_text};
use super::hash::hex;
use super::layout::{Ids, Layout};
use super::names::Names;
use super::timing::{Initiators, Timing};
use crate::engine::{Entry, Registry};
use crate::model::error::{Input, nearest};
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
    ("ids", "which IDs: dense, sparse"),
    ("initiators", "who starts"),
    ("timing", "how long messages take"),
    ("fifo", "whether links keep the order of messages"),
    ("engine", "auto, simulate or count"),
    ("audit", "share of counted runs that are simulated as well: \"1%\""),
];

/// The keys of the whole experiment.
pub const SPEC_KEYS: &[(&str, &str)] = &[
    ("name", "the name of the results folder"),
    ("seed", "the master seed"),
    ("grid", "[[grid]] tables; each inherits the keys above it"),
    ("bounds", "[bounds] table: the most messages of a run, by algorithm: lelann = \"n^2\""),
    ("bounds-mean", "[bounds-mean] table: the same for the mean of a cell"),
    ("files", "[files] table: what the files said that topologies and layouts name, by path"),
];

/// The table that keeps what files said.
const FILES: &str = "files";

/// An experiment: some grids of cells, with one seed.
#[derive(Debug, Clone)]
pub struct Spec {
    /// The name of the results folder.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// What to run.
    pub grids: Vec<Grid>,
    /// Upper bounds for `check`; no part of what is run.
    pub bounds: Vec<Bound>,
    registry: Registry,
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

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Raw {
    /// Text in quotes, or a flag's value.
    Text(String),
    /// A number, as it was written.
    Number(String),
    /// true or false.
    Truth(bool),
    /// Several.
    List(Vec<Raw>),
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Raw::Text(text) | Raw::Number(text) => f.write_str(text),
            Raw::Truth(truth) => truth.fmt(f),
            Raw::List(list) => {
                let words: Vec<String> = list.iter().map(Raw::to_string).collect();
                write!(f, "[{}]", words.join(", "))
            }
        }
    }
}

/// Keys and values as they were written, with their places.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    entries: Vec<(String, Raw, Option<String>)>,
}

impl Draft {
    /// Sets a key; a later value replaces an earlier one.
    pub fn set(&mut self, key: &str, value: Raw, place: Option<String>) {
        self.entries.retain(|(known, ..)| known != key);
        self.entries.push((key.to_owned(), value, place));
    }

    /// Sets everything that `other` sets.
    fn take_over(&mut self, other: &Draft) {
        for (key, value, place) in &other.entries {
            self.set(key, value.clone(), place.clone());
        }
    }

    fn get(&self, key: &str) -> Option<(&Raw, Option<&String>)> {
        let entry = self.entries.iter().find(|(known, ..)| known == key)?;
        Some((&entry.1, entry.2.as_ref()))
    }

    /// Says where the value stands that an error is about.
    fn locate(&self, error: Input) -> Input {
        let keys: &[&str] = match error.field.as_str() {
            "n" => &["n"],
            "initiators" => &["initiators"],
            "timing" => &["timing"],
            "fifo" => &["fifo", "timing"],
            "topology" => &["topologies", "algorithms"],
            field if field.starts_with("layout") => &["layouts"],
            _ => &[],
        };
        let place = keys.iter().find_map(|key| self.get(key)?.1.cloned());
        Input { place: error.place.clone().or(place), ..error }
    }

    /// Reads one value, and puts key, value and place into any error.
    fn read<T>(
        &self,
        key: &str,
        usual: T,
        read: impl FnOnce(&Raw) -> std::result::Result<T, Input>,
    ) -> std::result::Result<T, Input> {
        let Some((raw, place)) = self.get(key) else { return Ok(usual) };
        read(raw).map_err(|error| Input { field: key.to_owned(), place: place.cloned(), ..error })
    }
}

type Checked<T> = std::result::Result<T, Input>;

/// An error about a value; [`Draft::read`] fills in the field.
fn bad(value: &Raw, problem: impl Into<String>, remedy: &str) -> Input {
    Input::new("", value, problem, remedy)
}

fn whole(raw: &Raw) -> Checked<u64> {
    let remedy = "write a whole number, as in 1000";
    match raw {
        Raw::Number(text) | Raw::Text(text) => text.replace('_', "").parse().map_err(|_| {
            bad(raw, format!("this is not a whole number from 0 to {}", u64::MAX), remedy)
        }),
        _ => Err(bad(raw, "this is not a number", remedy)),
    }
}

/// A share such as "0.5%" or 0.005: above 0 (or from 0 on), up to 1.
fn share(raw: &Raw, zero_too: bool) -> Checked<f64> {
    let remedy = "write a share such as \"0.5%\" or 0.005";
    let (Raw::Text(text) | Raw::Number(text)) = raw else {
        return Err(bad(raw, "this is not a share", remedy));
    };
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 100.0),
        None => (text.as_str(), 1.0),
    };
    match number.parse::<f64>() {
        Ok(value) if (0.0..=scale).contains(&value) && (zero_too || value > 0.0) => {
            Ok(value / scale)
        }
        _ => Err(bad(raw, "a share lies between 0 and 1, or 0% and 100%", remedy)),
    }
}

fn truth(raw: &Raw) -> Checked<bool> {
    match raw {
        Raw::Truth(truth) => Ok(*truth),
        _ => Err(bad(raw, "this is neither true nor false", "write true or false")),
    }
}

fn text(raw: &Raw) -> Checked<String> {
    match raw {
        Raw::Text(text) => Ok(text.clone()),
        _ => Err(bad(raw, "this is not text", "put it in quotes")),
    }
}

/// A list, or a single value for a list of one.
fn list<T>(raw: &Raw, read: impl Fn(&Raw) -> Checked<T>) -> Checked<Vec<T>> {
    match raw {
        Raw::List(values) if values.is_empty() => {
            Err(bad(raw, "the list is empty", "list at least one value, or leave the key out"))
        }
        Raw::List(values) => values.iter().map(read).collect(),
        single => Ok(vec![read(single)?]),
    }
}

fn parsed<T: std::str::FromStr<Err = Input>>(raw: &Raw) -> Checked<T> {
    text(raw)?.parse()
}

/// So much of a long list is shown.
const SHOWN: usize = 60;

/// So many sizes are surely a mistake.
const MOST_SIZES: u64 = 100_000;

/// One size, or a range of sizes.
fn sizes(raw: &Raw) -> Checked<Vec<u64>> {
    let remedy = "write 64, \"16..65536\" for doubling, or \"10..100 step 10\"";
    let Raw::Text(written) = raw else { return Ok(vec![positive(raw)?]) };
    let Some((first, rest)) = written.split_once("..") else { return Ok(vec![positive(raw)?]) };
    let (last, step) = match rest.split_once("step") {
        Some((last, step)) => (last, Some(step)),
        None => (rest, None),
    };
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    let (Some(first), Some(last)) = (number(first), number(last)) else {
        return Err(bad(raw, "the ends of this range are not whole numbers", remedy));
    };
    if first == 0 || first > last {
        return Err(bad(raw, "a range goes from 1 or more up to its end", remedy));
    }
    let Some(step) = step else {
        let doubled = std::iter::successors(Some(first), |n| n.checked_mul(2));
        return Ok(doubled.take_while(|&n| n <= last).collect());
    };
    match number(step) {
        Some(step) if step > 0 && (last - first) / step < MOST_SIZES => {
            let stepped = std::iter::successors(Some(first), |n| n.checked_add(step));
            Ok(stepped.take_while(|&n| n <= last).collect())
        }
        Some(step) if step > 0 => Err(bad(raw, "these are too many sizes", "use a larger step")),
        _ => Err(bad(raw, "the step is not a whole number above 0", remedy)),
    }
}

fn positive(raw: &Raw) -> Checked<u64> {
    match whole(raw)? {
        0 => Err(bad(raw, "an election needs at least one process", "use 1 or more")),
        n => Ok(n),
    }
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

fn folder_name(raw: &Raw) -> Checked<String> {
    let name = text(raw)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
        let problem = "a name has letters, digits, dots, dashes and underscores only";
        return Err(bad(raw, problem, "name it like average-case"));
    }
    Ok(name)
}

/// More cells are surely a mistake, and a plan of them is slow and large.
const MOST_CELLS: u128 = 1_000_000;
/// Rings up to this size are drawn at once.
const SMALL_RING: u32 = 1024;
/// Runs per cell if nothing is said.
const USUAL_RUNS: u64 = 1000;
/// So many runs are surely a mistake; sums of fewer stay far from overflow.
const MOST_RUNS: u64 = 10_000_000_000;
/// The audit if nothing is said.
const USUAL_AUDIT: f64 = 0.01;

impl Grid {
    /// The lists of a draft, each value good by itself; the cells come later.
    fn from_draft(draft: &Draft, names: Names<'_>) -> Checked<Self> {
        let missing = |key: &str, example: &str| {
            let problem = "this key is missing";
            Input::new(key, "(nothing)", problem, format!("add {example}"))
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
        let runs = draft.read("runs", USUAL_RUNS, |raw| match whole(raw)? {
            0 => Err(bad(raw, "a cell needs at least one run", "use 1 or more")),
            runs if runs > MOST_RUNS => {
                let remedy = format!("use at most {MOST_RUNS}");
                Err(bad(raw, "nobody can wait for so many runs", &remedy))
            }
            runs => Ok(runs),
        })?;
        let fifo = draft.read("fifo", true, truth)?;
        let timing = draft.read("timing", vec![Timing::SYNC], |raw| list(raw, parsed))?;
        let timing = if fifo {
            timing
        } else {
            draft.read("fifo", Vec::new(), |_| {
                timing.into_iter().map(Timing::without_fifo).collect()
            })?
        };
        Ok(Grid {
            algorithms,
            topologies,
            n,
            runs,
            until: draft.read("until", None, |raw| share(raw, false).map(Some))?,
            layouts,
            ids: draft.read("ids", ids, |raw| list(raw, parsed))?,
            initiators: draft.read("initiators", vec![Initiators::All], |raw| list(raw, parsed))?,
            timing,
            engine: draft.read("engine", Engine::Auto, engine)?,
            audit: draft.read("audit", USUAL_AUDIT, |raw| share(raw, true))?,
            cells: Vec::new(),
        })
    }

    /// The same with its cells; refuses values that do not fit together.
    fn with_cells(mut self) -> Checked<Self> {
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
    fn size(&self) -> u128 {
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
    fn too_many(&self, cells: u128, draft: &Draft) -> Input {
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

/// Every one of the first with every one of the second.
fn pairs<'a, A, B>(first: &'a [A], second: &'a [B]) -> impl Iterator<Item = (&'a A, &'a B)> {
    first.iter().flat_map(move |a| second.iter().map(move |b| (a, b)))
}

impl Spec {
    /// The experiment of these drafts: what holds for the whole, and one for each grid, which
    /// inherits from the whole.
    pub fn from_drafts(
        whole_draft: &Draft,
        grids: &[Draft],
        usual_name: &str,
        names: Names<'_>,
    ) -> Result<Self> {
        let usual_name = folder_name(&Raw::Text(usual_name.to_owned()))
            .map_err(|error| Input { field: "name".to_owned(), ..error });
        let name = match whole_draft.get("name") {
            Some(_) => whole_draft.read("name", String::new(), folder_name)?,
            None => usual_name?,
        };
        let seed = whole_draft.read("seed", 1, whole)?;
        let grids = if grids.is_empty() { &[Draft::default()] } else { grids };
        let mut cells = 0u128;
        let grids = grids
            .iter()
            .map(|grid| {
                let mut merged = whole_draft.clone();
                merged.take_over(grid);
                let grid = Grid::from_draft(&merged, names)?;
                cells = cells.saturating_add(grid.size());
                if cells > MOST_CELLS {
                    return Err(grid.too_many(cells, &merged).into());
                }
                grid.with_cells().map_err(|error| merged.locate(error).into())
            })
            .collect::<Result<Vec<Grid>>>()?;
        Ok(Spec { name, seed, grids, bounds: Vec::new(), registry: names.registry.clone() })
    }

    /// The algorithms among which its own are.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Its cells in the order of the tables, each once.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.grids.iter().flat_map(Grid::cells).cloned().collect();
        cells.sort_by(|a, b| a.key().cmp(b.key()));
        cells.dedup_by(|a, b| a.key() == b.key());
        cells
    }

    /// Reads a spec file.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self> {
        Spec::read_with(path, &Draft::default(), registry)
    }

    /// Reads a spec file; what `flags` say replaces its keys, in every grid.
    pub fn read_with(path: &Path, flags: &Draft, registry: &Registry) -> Result<Self> {
        let text = read_text(path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let names = Names { registry, files: &Files::on_disk() };
        Spec::parse_with(&text, &path.display().to_string(), &stem, flags, names)
    }

    /// Parses a spec; `file` is its name in error messages.
    pub fn parse(text: &str, file: &str, usual_name: &str, registry: &Registry) -> Result<Self> {
        let names = Names { registry, files: &Files::on_disk() };
        Spec::parse_with(text, file, usual_name, &Draft::default(), names)
    }

    /// Parses a spec; what `flags` say replaces its keys, in every grid. A file that it names says
    /// what the spec has kept of it, or is one of those in `names`.
    pub fn parse_with(
        text: &str,
        file: &str,
        usual_name: &str,
        flags: &Draft,
        names: Names<'_>,
    ) -> Result<Self> {
        let line = |offset: usize| {
            let before = text.get(..offset).unwrap_or(text);
            format!("{file}, line {}", before.matches('\n').count() + 1)
        };
        let document = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or(file.to_owned(), |span| line(span.start));
            let message = error.message().replace('\n', ", ");
            let remedy = "correct it; a line looks like runs = 1000";
            Input { place: Some(place), ..Input::new("spec", "(TOML)", message, remedy) }
        })?;
        let mut grids = Vec::new();
        for (key, value) in document.get_ref() {
            if key.get_ref() == "grid" {
                for table in tables(value, &line)? {
                    grids.push(table_draft(table, &line, GRID_KEYS, &[])?);
                }
            }
        }
        let mut whole_draft = table_draft(document.get_ref(), &line, GRID_KEYS, SPEC_KEYS)?;
        for draft in grids.iter_mut().chain([&mut whole_draft]) {
            draft.take_over(flags);
        }
        keep_files(document.get_ref(), &line, names.files)?;
        let bounds = bounds(document.get_ref(), &line, names.registry)?;
        Ok(Spec { bounds, ..Spec::from_drafts(&whole_draft, &grids, usual_name, names)? })
    }

    /// The complete spec as TOML, defaults filled in: the same experiment in the same words.
    pub fn to_toml(&self) -> String {
        let mut toml = format!("name = {}\n{}", quoted(&self.name), self.body());
        for (table, of) in TABLES {
            let mut stated = self.bounds.iter().filter(|bound| bound.of == of).peekable();
            if stated.peek().is_some() {
                _ = writeln!(toml, "\n[{table}]");
            }
            for Bound { algorithm, formula, .. } in stated {
                _ = writeln!(toml, "{} = {}", quoted(algorithm), quoted(&formula.to_string()));
            }
        }
        let files = self.files();
        if !files.is_empty() {
            _ = writeln!(toml, "\n[{FILES}]");
        }
        for (path, text) in files {
            _ = writeln!(toml, "{} = {}", quoted(path), quoted_lines(text));
        }
        toml.truncate(toml.trim_end().len());
        toml + "\n"
    }

    /// Everything but the name.
    fn body(&self) -> String {
        let mut toml = format!("seed = {}\n", self.seed);
        for grid in &self.grids {
            let sizes: Vec<String> = grid.n.iter().map(u64::to_string).collect();
            _ = writeln!(toml, "\n[[grid]]");
            let algorithms: Vec<&str> = grid.algorithms.iter().map(|it| it.name.as_str()).collect();
            _ = writeln!(toml, "algorithms = {}", quoted_list(&algorithms));
            _ = writeln!(toml, "topologies = {}", quoted_list(&grid.topologies));
            _ = writeln!(toml, "n = [{}]", sizes.join(", "));
            _ = writeln!(toml, "runs = {}", grid.runs);
            if let Some(until) = grid.until {
                _ = writeln!(toml, "until = {until:?}");
            }
            if !grid.layouts.is_empty() {
                _ = writeln!(toml, "layouts = {}", quoted_list(&grid.layouts));
            }
            if !grid.ids.is_empty() {
                _ = writeln!(toml, "ids = {}", quoted_list(&grid.ids));
            }
            _ = writeln!(toml, "initiators = {}", quoted_list(&grid.initiators));
            _ = writeln!(toml, "timing = {}", quoted_list(&grid.timing));
            _ = writeln!(toml, "engine = {}", quoted(&grid.engine.to_string()));
            _ = writeln!(toml, "audit = {:?}", grid.audit);
        }
        // An empty list of sizes stands for layouts that name their own.
        toml.replace("n = []\n", "")
    }

    /// The files that it names, by path, and what they said.
    pub fn files(&self) -> BTreeMap<&str, &str> {
        let topologies = self.grids.iter().flat_map(|grid| &grid.topologies);
        let networks = topologies.filter_map(Topology::file);
        let networks = networks.map(|file| (file.path.as_str(), file.text.as_str()));
        let layouts = self.grids.iter().flat_map(|grid| &grid.layouts);
        let rings = layouts.filter_map(|layout| match layout {
            Layout::File(file) => Some((file.path.as_str(), file.text.as_str())),
            _ => None,
        });
        networks.chain(rings).collect()
    }

    /// The same, to read cells with.
    pub fn kept_files(&self) -> Files {
        let files = Files::recorded();
        self.files().iter().for_each(|(path, text)| files.keep(path, text));
        files
    }

    /// The hash that tells one experiment from another: of the spec without its name, and of what
    /// its files said.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.body().as_bytes());
        for (path, text) in self.files() {
            hash.update(format!("{}\n{path}{}\n{text}", path.len(), text.len()));
        }
        hex(&hash.finalize())
    }
}

fn quoted(text: &str) -> String {
    // JSON's escapes are TOML's, which has one more.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A text with its lines as lines.
fn quoted_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(quoted).collect();
    let inner = lines.iter().map(|line| &line[1..line.len() - 1]);
    // The first line break after the quotes does not count.
    format!("\"\"\"\n{}\"\"\"", inner.collect::<Vec<_>>().join("\n"))
}

fn quoted_list<T: fmt::Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(&item.to_string())).collect();
    format!("[{}]", items.join(", "))
}

/// The tables of `[[grid]]`.
fn tables<'a, 'i>(
    value: &'a Spanned<DeValue<'i>>,
    line: &impl Fn(usize) -> String,
) -> Checked<Vec<&'a DeTable<'i>>> {
    let refuse = |span: std::ops::Range<usize>| {
        let problem = "grids are tables";
        let error = Input::new("grid", "(value)", problem, "begin each with a line [[grid]]");
        Input { place: Some(line(span.start)), ..error }
    };
    match value.get_ref() {
        DeValue::Array(array) => array
            .iter()
            .map(|item| match item.get_ref() {
                DeValue::Table(table) => Ok(table),
                _ => Err(refuse(item.span())),
            })
            .collect(),
        _ => Err(refuse(value.span())),
    }
}

/// Takes in what the spec has kept of its files.
fn keep_files(
    document: &DeTable<'_>,
    line: &impl Fn(usize) -> String,
    files: &Files,
) -> Checked<()> {
    for (key, value) in document.iter().filter(|(key, _)| key.get_ref() == FILES) {
        let refuse = |span: std::ops::Range<usize>, problem: &str| {
            let remedy = "write the text of a file in quotes behind its path";
            let error = Input::new(FILES, "(value)", problem, remedy);
            Input { place: Some(line(span.start)), ..error }
        };
        let DeValue::Table(entries) = value.get_ref() else {
            return Err(refuse(key.span(), "files are a table"));
        };
        for (path, text) in entries {
            match text.get_ref() {
                DeValue::String(text) => files.keep(path.get_ref(), text),
                _ => return Err(refuse(text.span(), "a file is text")),
            }
        }
    }
    Ok(())
}

/// The bounds of a spec, by table and algorithm.
fn bounds(
    document: &DeTable<'_>,
    line: &impl Fn(usize) -> String,
    registry: &Registry,
) -> Checked<Vec<Bound>> {
    let mut bounds = Vec::new();
    for (table, of) in TABLES {
        let stated = document.iter().filter(|(key, _)| key.get_ref() == table);
        for (key, value) in stated {
            let DeValue::Table(entries) = value.get_ref() else {
                let remedy = "begin a table with a line [bounds]";
                let error = Input::new(table, "(value)", "bounds are a table", remedy);
                return Err(Input { place: Some(line(key.span().start)), ..error });
            };
            for (algorithm, formula) in entries {
                let text = raw(formula.get_ref()).map_or(String::new(), |raw| raw.to_string());
                let bound = Bound::new(registry, algorithm.get_ref(), of, &text);
                let place = || Some(line(algorithm.span().start));
                bounds.push(bound.map_err(|error| Input { place: place(), ..error })?);
            }
        }
    }
    Ok(bounds)
}

/// The draft of a table, all of whose keys must be known.
fn table_draft(
    table: &DeTable<'_>,
    line: &impl Fn(usize) -> String,
    grid_keys: &[(&str, &str)],
    more_keys: &[(&str, &str)],
) -> Checked<Draft> {
    let mut draft = Draft::default();
    for (key, value) in table {
        let place = line(key.span().start);
        let name: &str = key.get_ref();
        let keys = || grid_keys.iter().chain(more_keys).map(|&(known, _)| known);
        if !keys().any(|known| known == name) {
            let all = format!("the keys here are {}", keys().collect::<Vec<_>>().join(", "));
            let remedy = match nearest(name, keys()) {
                Some(known) => format!("did you mean {known}? {all}"),
                None => all,
            };
            let error = Input::new("key", name, "there is no such key", remedy);
            return Err(Input { place: Some(place), ..error });
        }
        if ["grid", FILES].contains(&name) || TABLES.iter().any(|(table, _)| *table == name) {
            continue;
        }
        let raw = raw(value.get_ref()).ok_or_else(|| {
            let kind = value.get_ref().type_str();
            let error = Input::new(
                name,
                format!("({kind})"),
                "this kind of value has no meaning here",
                "write text in quotes, a number, true or false, or a list of these",
            );
            Input { place: Some(place.clone()), ..error }
        })?;
        draft.set(name, raw, Some(place));
    }
    Ok(draft)
}

fn raw(value: &DeValue<'_>) -> Option<Raw> {
    Some(match value {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Raw::Number(number.as_str().to_owned()),
        DeValue::Float(number) => Raw::Number(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Raw::Truth(*truth),
        DeValue::Array(array) => {
            Raw::List(array.iter().map(|item| raw(item.get_ref())).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Spec> {
        Spec::parse(text, "small.toml", "small", &Registry::standard())
    }

    const SMALL: &str = "algorithms = ['chang-roberts']\nn = '16..64'\n";

    #[test]
    fn defaults_are_filled_in_and_the_complete_spec_means_the_same() {
        let spec = parse(SMALL).expect("a good spec");
        assert_eq!((spec.name.as_str(), spec.seed), ("small", 1));
        assert_eq!(spec.grids[0].n, [16, 32, 64]);
        assert_eq!(spec.grids[0].runs, 1000);
        let again = parse(&spec.to_toml()).expect("a good spec");
        assert_eq!(again.to_toml(), spec.to_toml());
        assert_eq!(again.hash(), spec.hash());
    }

    #[test]
    fn grids_inherit_from_the_whole() {
        let text = "n = [8, '10..30 step 10']\nruns = 5\n[[grid]]\nalgorithms = 'lelann'\n\
                    [[grid]]\nalgorithms = ['peterson', 'clockwise']\nruns = 7\nuntil = '0.5%'\n";
        let spec = parse(text).expect("a good spec");
        assert_eq!(spec.grids[0].n, [8, 10, 20, 30]);
        assert_eq!((spec.grids[0].runs, spec.grids[1].runs), (5, 7));
        assert_eq!((spec.grids[0].until, spec.grids[1].until), (None, Some(0.005)));
        assert_eq!(parse(&spec.to_toml()).expect("a good spec").to_toml(), spec.to_toml());
    }

    #[test]
    fn bounds_are_kept_and_do_not_change_the_hash() {
        let stated = "[bounds]\n'chang-roberts' = 'n*(n+1)/2'\nlelann = 'n^2'\n\
                      [bounds-mean]\n'chang-roberts' = \"n*harmonic(n)*1.01\"\n";
        let spec = parse(&format!("{SMALL}{stated}")).expect("a good spec");
        assert_eq!(spec.bounds.len(), 3);
        assert_eq!(parse(&spec.to_toml()).expect("a good spec").to_toml(), spec.to_toml());
        assert_eq!(spec.hash(), parse(SMALL).expect("good").hash());
        for (bad, words) in [
            ("bounds = 3", "bounds = (value) in small.toml, line 3"),
            ("[bounds]\nlelan = 'n'", "lelan in small.toml, line 4"),
            ("[bounds]\nlelann = 'm'", "in small.toml, line 4: at position 1: there is no m"),
        ] {
            let error = parse(&format!("{SMALL}{bad}\n")).expect_err(bad).to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn the_name_does_not_change_the_hash_and_the_seed_does() {
        let hash = |more: &str| parse(&format!("{more}\n{SMALL}")).expect("good").hash();
        assert_eq!(hash(""), hash("name = 'other'"));
        assert_ne!(hash(""), hash("seed = 2"));
    }

    #[test]
    fn an_unknown_key_names_its_line_and_the_nearest() {
        let error = parse("runs = 3\nalgoritms = ['lelann']\n").expect_err("unknown").to_string();
        assert!(error.contains("algoritms in small.toml, line 2"), "{error}");
        assert!(error.contains("did you mean algorithms?"), "{error}");
    }
}
