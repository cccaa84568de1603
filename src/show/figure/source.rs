//! What figures are drawn from: a results folder and its summary, cut into what belongs together.

use std::collections::BTreeMap;

use super::drawing::Drawing;
use super::sheet::{Origin, Width};
use super::style::{Look, look};
use crate::algorithm::Elects;
use crate::engine::Entry;
use crate::experiment::error::Result;
use crate::experiment::key::CellKey;
use crate::model::error::Input;
use crate::model::metric::Metric;
use crate::model::theory::Value;
use crate::model::topology::RING;
use crate::results::{Manifest, Results};
use crate::summarise::{CellSummary, Summary};

/// Which IDs, who starts, and how long messages take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting<'a> {
    pub ids: &'a str,
    pub initiators: &'a str,
    pub timing: &'a str,
}

/// The setting that most theorems are about.
const USUAL: Setting<'static> = Setting { ids: "dense", initiators: "all", timing: "sync" };

impl<'a> Setting<'a> {
    pub fn of(cell: &'a CellSummary) -> Self {
        let CellKey { ids, initiators, timing, .. } = &cell.key;
        Setting { ids, initiators, timing }
    }
}

impl Setting<'_> {
    /// The flags that show this setting where another is shown.
    fn flags(&self, shown: &Setting) -> String {
        let Setting { ids, initiators, timing } = self;
        let parts = [
            ("ids", ids, shown.ids),
            ("initiators", initiators, shown.initiators),
            ("timing", timing, shown.timing),
        ];
        let differ = parts.into_iter().filter(|(_, mine, theirs)| *mine != theirs);
        differ.map(|(name, mine, _)| format!("--{name} {mine}")).collect::<Vec<_>>().join(" ")
    }
}

impl std::fmt::Display for Setting<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Setting { ids, initiators, timing } = self;
        write!(f, "{ids} IDs, initiators: {initiators}, timing: {timing}")
    }
}

/// The cells of one algorithm, by size.
#[derive(Debug, Clone)]
pub(super) struct Group<'a> {
    pub algorithm: &'a str,
    pub cells: Vec<&'a CellSummary>,
}

impl<'a> Group<'a> {
    /// The cell of this size.
    pub fn at(&self, n: u64) -> Option<&'a CellSummary> {
        self.cells.iter().copied().find(|cell| cell.n() == n)
    }

    /// Whether some runs of a cell differ from each other.
    pub fn varies(&self) -> bool {
        self.cells.iter().any(|cell| varies(cell))
    }
}

/// Whether the runs of a cell differ from each other.
pub(super) fn varies(cell: &CellSummary) -> bool {
    cell.sd.is_some_and(|sd| sd > 0.0)
}

/// Cells of one setting, algorithm by algorithm.
#[derive(Debug, Clone)]
pub(super) struct Selection<'a> {
    pub setting: Setting<'a>,
    pub groups: Vec<Group<'a>>,
    /// One of the other settings, and how many there are.
    other: Option<Setting<'a>>,
    others: usize,
}

impl<'a> Selection<'a> {
    /// All cells.
    pub fn cells(&self) -> impl Iterator<Item = &'a CellSummary> + '_ {
        self.groups.iter().flat_map(|group| group.cells.iter().copied())
    }

    /// All sizes, ascending.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<u64> = self.cells().map(CellSummary::n).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The largest size that at least half of the algorithms have.
    pub fn common_size(&self) -> u64 {
        let having = |n: u64| self.cells().filter(|cell| cell.n() == n).count();
        let is_common = |n: &u64| 2 * having(*n) >= self.groups.len();
        self.sizes().into_iter().rev().find(is_common).unwrap_or_default()
    }

    /// What is shown, and what is left out, in a line.
    pub fn notes(&self) -> String {
        let flag = self.other.map(|other| other.flags(&self.setting)).unwrap_or_default();
        let left_out = match self.others {
            0 => String::new(),
            1 => format!("; one other setting of the folder is not shown ({flag})"),
            more => format!("; {more} other settings of the folder are not shown (such as {flag})"),
        };
        format!("{}{left_out}", self.setting)
    }

    /// What is shown besides the IDs.
    pub fn other_parts(&self) -> String {
        let Setting { initiators, timing, .. } = self.setting;
        format!("initiators: {initiators}, timing: {timing}")
    }
}

/// What to draw of all that could be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// Only these algorithms; all if there are none.
    pub algorithms: Vec<String>,
    /// Only cells of these sizes; all if there are none.
    pub n: Vec<u64>,
    /// Only cells of these topologies, layouts, IDs, initiators and timings; all where there are none.
    pub topologies: Vec<String>,
    /// Where the IDs stand.
    pub layouts: Vec<String>,
    /// Which IDs.
    pub ids: Vec<String>,
    /// Who starts.
    pub initiators: Vec<String>,
    /// How long messages take.
    pub timings: Vec<String>,
    /// How wide figures are.
    pub width: Width,
}

impl Choice {
    /// What is asked of the columns of a key, in their order.
    fn columns(&self) -> [&[String]; 6] {
        let Choice { algorithms, topologies, layouts, ids, initiators, timings, .. } = self;
        [algorithms, topologies, layouts, ids, initiators, timings]
    }

    /// Whether a cell is asked for.
    pub fn wants(&self, key: &CellKey) -> bool {
        let mut parts = self.columns().into_iter().zip(key.series_columns());
        parts.all(|(wanted, part)| wanted.is_empty() || wanted.iter().any(|it| it == part))
            && (self.n.is_empty() || self.n.contains(&u64::from(key.n)))
    }

    /// Whether some cell of a series is asked for.
    pub fn wants_series(&self, key: &CellKey) -> bool {
        Choice { n: Vec::new(), ..self.clone() }.wants(key)
    }

    /// Refuses what no cell has, with what is there.
    pub fn check<'k>(&self, keys: impl Iterator<Item = &'k CellKey>) -> Result<()> {
        let keys: Vec<&CellKey> = keys.collect();
        for (column, wanted) in self.columns().into_iter().enumerate() {
            let field = CellKey::SERIES_COLUMNS[column];
            let mut there: Vec<&str> =
                keys.iter().map(|key| key.series_columns()[column]).collect();
            there.sort_unstable();
            there.dedup();
            for name in wanted {
                if !there.contains(&name.as_str()) {
                    let all = format!("the results have {}", there.join(", "));
                    return Err(Input::unknown(field, name, there, &all).into());
                }
            }
        }
        let has = |n: u64| keys.iter().any(|key| u64::from(key.n) == n);
        if let Some(n) = self.n.iter().find(|n| !has(**n)) {
            let problem = "the results have no cell of this size";
            return Err(Input::new("n", n, problem, "choose a size of runs.csv").into());
        }
        if !keys.is_empty() && !keys.iter().any(|key| self.wants(key)) {
            let mut words: Vec<String> =
                self.columns().iter().map(|wanted| wanted.join(",")).collect();
            words.extend(self.n.iter().map(u64::to_string));
            let words: Vec<&str> =
                words.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
            let problem = "no cell of the results has all of these";
            let remedy = "leave one of them out; cells.csv shows what goes together";
            return Err(Input::new("cells", words.join(" "), problem, remedy).into());
        }
        Ok(())
    }
}

/// What a figure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Rings,
    /// Trees and graphs.
    Networks,
    /// Rings whose IDs are drawn from ranges.
    IdRanges,
}

/// A results folder as figures see it.
pub(super) struct Source<'a> {
    pub results: &'a Results,
    pub summary: &'a Summary,
    pub choice: Choice,
    algorithms: Vec<&'a str>,
    /// The algorithms in the order in which they get their looks; those that run on rings stand
    /// apart from the others, with whom they share no panel.
    looks: [Vec<&'a str>; 2],
}

impl<'a> Source<'a> {
    pub fn new(results: &'a Results, summary: &'a Summary, choice: &Choice) -> Result<Self> {
        let mut algorithms: Vec<&str> = Vec::new();
        for cell in &summary.cells {
            let name = cell.key.algorithm.as_str();
            if !algorithms.contains(&name) {
                algorithms.push(name);
            }
        }
        choice.check(summary.cells.iter().map(|cell| &cell.key))?;
        let chosen = |name: &str| {
            choice.algorithms.is_empty() || choice.algorithms.iter().any(|it| it == name)
        };
        let looks = [true, false].map(|ring| {
            let mut names = by_weight(results, summary, ring);
            // Whoever is not shown needs no colour.
            names.retain(|name| chosen(name));
            names
        });
        Ok(Source { results, summary, choice: choice.clone(), algorithms, looks })
    }

    /// The name of the experiment.
    pub fn name(&self) -> &str {
        &self.results.spec.name
    }

    /// The number of an algorithm in the folder.
    pub fn number(&self, algorithm: &str) -> usize {
        let number = self.algorithms.iter().position(|name| *name == algorithm);
        number.unwrap_or(self.algorithms.len())
    }

    /// How an algorithm looks: the same in all figures of a folder.
    pub fn look(&self, algorithm: &str) -> Look {
        let mut places = self.looks.iter();
        let place = places.find_map(|names| names.iter().position(|name| *name == algorithm));
        look(place.unwrap_or(self.algorithms.len()))
    }

    /// Where the data comes from: what it takes to make it again, no clock and no path.
    pub fn line(&self) -> Origin {
        self.origin("")
    }

    fn origin(&self, more: &str) -> Origin {
        let Manifest { seed, version, .. } = &self.results.manifest;
        let line = format!("{} · seed {seed} · hustings {version}{more}", self.name());
        Origin { line, width: self.choice.width }
    }

    /// The same for a figure whose markers tell who carried out the runs.
    pub fn line_with_markers(&self) -> Origin {
        let engines = |engine: &str| self.summary.cells.iter().any(|cell| cell.engine == engine);
        let markers = match (engines("simulate"), engines("count")) {
            (true, true) => " · filled markers: simulated message by message; hollow: counted",
            (false, true) => " · hollow markers: counted, not simulated",
            _ => "",
        };
        self.origin(markers)
    }

    /// The cells that `keep` wants, of the usual setting or, without that, of the most frequent.
    pub fn select(&self, keep: impl Fn(&CellSummary) -> bool) -> Option<Selection<'a>> {
        let wanted = |cell: &&CellSummary| cell.runs > 0 && self.wants(cell) && keep(cell);
        let cells = || self.summary.cells.iter().filter(wanted);
        let mut settings: Vec<(Setting<'a>, usize)> = Vec::new();
        for cell in cells() {
            let setting = Setting::of(cell);
            match settings.iter_mut().find(|(known, _)| *known == setting) {
                Some((_, count)) => *count += 1,
                None => settings.push((setting, 1)),
            }
        }
        let usual = settings.iter().find(|(setting, _)| *setting == USUAL);
        // Of equally many the first, so that equal results give equal figures.
        let most = settings.iter().rev().max_by_key(|(_, count)| *count);
        let (setting, _) = *usual.or(most)?;
        let mut groups: Vec<Group<'a>> = Vec::new();
        for cell in cells().filter(|cell| Setting::of(cell) == setting) {
            let algorithm = cell.key.algorithm.as_str();
            match groups.iter_mut().find(|group| group.algorithm == algorithm) {
                Some(group) => group.cells.push(cell),
                None => groups.push(Group { algorithm, cells: vec![cell] }),
            }
        }
        for group in &mut groups {
            group.cells.sort_by_key(|cell| cell.n());
        }
        let mut others = settings.into_iter().filter(|(other, _)| *other != setting);
        let other = others.next().map(|(other, _)| other);
        Some(Selection {
            setting,
            groups,
            other,
            others: others.count() + usize::from(other.is_some()),
        })
    }

    /// What of the runs figures show.
    pub fn metric(&self) -> Metric {
        self.summary.metric
    }

    /// The same in words, with its unit in this setting.
    pub fn noun(&self, setting: &Setting) -> &'static str {
        self.metric().noun(setting.timing)
    }

    /// The name of an axis that shows it: an election has messages and bits, times say it themselves.
    pub fn axis(&self, setting: &Setting) -> String {
        let noun = self.noun(setting);
        match self.metric() {
            Metric::Messages | Metric::Bits => format!("{noun} of an election"),
            _ => noun.to_owned(),
        }
    }

    /// Visits the runs of a cell: number and messages, or another metric in whole numbers; who does
    /// not tell such is passed over.
    pub fn runs(&self, cell: &CellSummary, mut visit: impl FnMut(u64, u64)) -> Result<()> {
        if let Some(kept) = &cell.kept {
            (0..).zip(kept.iter()).for_each(|(run, &messages)| visit(run, messages));
            return Ok(());
        }
        let mut rows = self.results.rows_at(cell.offset)?;
        let mut left = cell.runs;
        while left > 0 && rows.advance()? {
            let (run, messages) = rows.messages();
            let value = match cell.metric {
                Metric::Messages => Some(messages),
                metric => match rows.with_run(|run| run.value(metric)) {
                    Some(Value::Whole(value)) => u64::try_from(value).ok(),
                    _ => None,
                },
            };
            if let Some(value) = value {
                visit(run, value);
            }
            left -= 1;
        }
        Ok(())
    }

    /// The messages of the runs of a cell, by number.
    pub fn by_run(&self, cell: &CellSummary) -> Result<BTreeMap<u64, u64>> {
        let mut messages_of = BTreeMap::new();
        self.runs(cell, |run, messages| _ = messages_of.insert(run, messages))?;
        Ok(messages_of)
    }

    /// The entry of an algorithm, if this program knows it.
    pub fn entry(&self, algorithm: &str) -> Option<&'a Entry> {
        self.results.spec.registry().find(algorithm).map(|entry| &**entry)
    }

    /// The algorithms that others are set against, in the order of the registry.
    pub fn yardsticks(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let entries = self.results.spec.registry().entries().iter();
        entries.filter(|entry| entry.yardstick).map(|entry| entry.name.as_str())
    }

    /// Whether an algorithm elects anybody at all.
    pub fn elects(&self, algorithm: &str) -> bool {
        self.entry(algorithm).is_none_or(|entry| entry.model.elects != Elects::Nobody)
    }

    /// The cells on rings whose IDs stand in random order.
    pub fn random_rings(&self) -> Drawing<Selection<'a>> {
        let on_ring = |cell: &CellSummary| cell.key.topology == RING && is_random(cell);
        Ok(self.select(on_ring).ok_or("there is no cell on rings in random order")?)
    }

    /// The cells on trees and graphs whose IDs stand in random order.
    pub fn random_networks(&self) -> Drawing<Selection<'a>> {
        let elsewhere = |cell: &CellSummary| cell.key.topology != RING && is_random(cell);
        let why = "there is no cell on trees or graphs in random order";
        Ok(self.select(elsewhere).ok_or(why)?)
    }

    /// The cells on rings in random order whose IDs begin so, whatever follows; of the setting of who
    /// starts and of timing that most have.
    pub fn random_rings_of_any_ids(&self, ids: &str) -> Drawing<Selection<'a>> {
        let one = |cell: &CellSummary| {
            cell.key.topology == RING && is_random(cell) && cell.key.ids.starts_with(ids)
        };
        let first = self.select(one).ok_or("no cell on rings in random order has such IDs")?;
        let Setting { initiators, timing, .. } = first.setting;
        let mut all = Selection { groups: Vec::new(), ..first };
        let same = |cell: &&CellSummary| {
            cell.runs > 0 && one(cell) && self.wants(cell) && {
                let other = Setting::of(cell);
                (other.initiators, other.timing) == (initiators, timing)
            }
        };
        for cell in self.summary.cells.iter().filter(same) {
            let algorithm = cell.key.algorithm.as_str();
            match all.groups.iter_mut().find(|group| group.algorithm == algorithm) {
                Some(group) => group.cells.push(cell),
                None => all.groups.push(Group { algorithm, cells: vec![cell] }),
            }
        }
        Ok(all)
    }

    /// Whether a cell was asked for.
    fn wants(&self, cell: &CellSummary) -> bool {
        self.choice.wants(&cell.key)
    }

    /// Whether the folder has something that a figure could be about.
    pub fn is_about(&self, subject: Subject) -> bool {
        let mut topologies = self.summary.cells.iter().map(|cell| cell.key.topology.as_str());
        match subject {
            // A folder without cells is told what is missing for figures of rings.
            Subject::Rings => topologies.len() == 0 || topologies.any(|name| name == RING),
            Subject::Networks => topologies.any(|name| name != RING),
            Subject::IdRanges => {
                self.summary.cells.iter().any(|cell| cell.key.ids.starts_with("range:"))
            }
        }
    }
}

/// The algorithms that run on rings, or those that do not: yardsticks first, then who has the most
/// cells, so that colours go to those that a folder is about. Of equals the first.
fn by_weight<'a>(results: &Results, summary: &'a Summary, ring: bool) -> Vec<&'a str> {
    let mut cells: Vec<(&str, usize, bool)> = Vec::new();
    for cell in &summary.cells {
        let (name, here) = (cell.key.algorithm.as_str(), cell.key.topology == RING);
        match cells.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, count, on_rings)) => (*count, *on_rings) = (*count + 1, *on_rings || here),
            None => cells.push((name, 1, here)),
        }
    }
    cells.retain(|(_, _, on_rings)| *on_rings == ring);
    let registry = results.spec.registry();
    let is_yardstick = |name: &str| registry.find(name).is_some_and(|entry| entry.yardstick);
    cells.sort_by_key(|&(name, count, _)| (!is_yardstick(name), std::cmp::Reverse(count)));
    cells.into_iter().map(|(name, ..)| name).collect()
}

fn is_random(cell: &CellSummary) -> bool {
    cell.key.layout == "random"
}
