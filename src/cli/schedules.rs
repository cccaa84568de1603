//! `hustings exact --schedules`: every order in which messages can arrive.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::arguments::whole;
use super::columns::paragraph;
use super::figure_file::FigureFile;
use super::output::Inputs;
use super::signals::STOP;
use super::terminal::{json_text, print};
use crate::engine::explore::{Ended, Explored, Extreme, Fault, MEMORY};
use crate::engine::trace::{Cause, Event, Stage, Step};
use crate::engine::{Entry, Registry};
use crate::experiment::error::{Error, Result};
use crate::experiment::files::Files;
use crate::experiment::names::Names;
use crate::experiment::ring_file::parse_ids;
use crate::experiment::schedules::{Instance, Schedules, Sets, Sites};
use crate::model::error::Input;
use crate::model::process::Status;
use crate::model::stop::NEVER;
use crate::model::theory::{Case, Facts};
use crate::model::topology::{Ports, Shape};
use crate::show::figure::{Figure, ScheduleRow, draw_schedules};
use crate::show::table::{Format, Table, UNKNOWN};

/// Which schedules of which elections.
#[derive(Debug, Args)]
pub(super) struct EverySchedule {
    /// Try every order in which messages can arrive, too
    #[arg(long)]
    pub(super) schedules: bool,
    /// One election: the IDs node by node, as in 4,1,3,2
    #[arg(long, requires = "schedules")]
    ids: Option<String>,
    /// Who is whose neighbour: ring, path, complete, file:PATH, ..., or every for
    /// all connected networks of n nodes [default: ring]
    #[arg(long, requires = "schedules")]
    topology: Option<String>,
    /// Initiators start whenever the schedule says, unless mail wakes them before
    #[arg(long, requires = "schedules")]
    staggered: bool,
    /// Links need not keep the order of messages
    #[arg(long, requires = "schedules")]
    no_fifo: bool,
    /// Leave out schedules that only put independent deliveries, or mail that
    /// makes no difference, into another order: same verdict, same extremes
    #[arg(long, requires = "schedules")]
    reduce: bool,
    /// The most MiB that the states of one election may take [default: 2048]
    #[arg(long, requires = "schedules", value_parser = whole, allow_negative_numbers = true)]
    memory: Option<u64>,
    /// Draw how far schedules go below and above rounds into this file: .svg,
    /// .png or .pdf
    #[arg(long, value_name = "FILE", requires = "schedules")]
    figure: Option<PathBuf>,
}

/// What all schedules of one election come to.
struct Told {
    instance: Instance,
    /// In rounds; `None` if it fails there, too.
    in_rounds: Option<u64>,
    end: std::result::Result<Explored, Box<Fault>>,
}

/// All elections of an algorithm.
struct Answer {
    asked: Schedules,
    told: Vec<Told>,
}

impl EverySchedule {
    /// Without a format one JSON object is printed, or a list of them.
    pub(super) fn run(
        &self,
        registry: &Registry,
        algorithms: &[String],
        n: Option<u64>,
        initiators: &str,
        format: Option<Format>,
    ) -> Result<()> {
        let remedy = "move it, or name another file";
        let file = |path| FigureFile::new(path, Inputs::default(), false, remedy);
        let figure = self.figure.as_deref().map(file).transpose()?;
        let mut work = Vec::new();
        for name in algorithms {
            let asked = self.asked(registry, name, n, initiators)?;
            let instances = asked.instances()?;
            work.push((asked, instances));
        }
        let answer = |(asked, instances)| {
            let told = explore_all(&asked, instances)?;
            Ok(Answer { asked, told })
        };
        let answers = work.into_iter().map(answer).collect::<Result<Vec<Answer>>>()?;
        print(&self.shown(&answers, format))?;
        for Answer { asked, told } in &answers {
            match faults(told).count() {
                0 => {}
                bad => {
                    return Err(Error::Contradicted(format!(
                        "{} fails under some schedule, in {bad} of {} elections",
                        asked.algorithm.name,
                        told.len()
                    )));
                }
            }
        }
        match figure {
            Some(figure) => figure.write(&draw(&answers)?),
            None => Ok(()),
        }
    }

    /// One algorithm in full, or several side by side.
    fn shown(&self, answers: &[Answer], format: Option<Format>) -> String {
        let [Answer { asked, told }] = answers else {
            return match format {
                None => {
                    let object = |it: &Answer| self.json(&it.asked, &it.told);
                    json_text(&answers.iter().map(object).collect())
                }
                Some(format) => side_by_side_text(answers, format),
            };
        };
        match format {
            None => json_text(&self.json(asked, told)),
            Some(Format::Text) => self.text(asked, told),
            Some(format) => self.table(asked, told).to_string(format),
        }
    }

    fn asked(
        &self,
        registry: &Registry,
        algorithm: &str,
        n: Option<u64>,
        initiators: &str,
    ) -> Result<Schedules> {
        let names = Names { registry, files: &Files::on_disk() };
        let algorithm = names.algorithm(algorithm)?.clone();
        let ids = self.ids.as_ref().map(|ids| parse_ids("ids", ids)).transpose()?;
        let size = |count: Option<u64>, who: &str| -> Result<u32, Input> {
            match (n, count) {
                (Some(n), Some(count)) if n != count => {
                    let problem = format!("{who} {count} nodes");
                    Err(Input::new("n", n, problem, format!("leave n out or use {count}")))
                }
                (None, None) => {
                    let problem = "the number of nodes is missing";
                    let remedy = "say how many nodes, as in --n 4, or which IDs, as in --ids 3,1,2";
                    Err(Input::new("n", "(nothing)", problem, remedy))
                }
                (n, count) => Ok(n.or(count).map_or(0, |n| u32::try_from(n).unwrap_or(u32::MAX))),
            }
        };
        let sites = match (self.topology.as_deref().unwrap_or("ring"), ids) {
            ("every", Some(_)) => {
                let problem = "every network has all orders of the IDs";
                let remedy = "leave --ids out, or name one network";
                return Err(Input::new("topology", "every", problem, remedy).into());
            }
            ("every", None) => Sites::Every(size(None, "")?),
            (text, ids) => {
                let topology = names.topology(text)?;
                let nodes = topology.file().map(|file| file.graph.nodes() as u64);
                if let (Some(own), Some(_)) = (topology.ids(), &ids) {
                    let problem = format!("{topology} assigns {} IDs to its nodes", own.len());
                    let remedy = "leave --ids out, or remove the file's id lines";
                    let listed = self.ids.as_deref().unwrap_or_default();
                    return Err(Input::new("ids", listed, problem, remedy).into());
                }
                match ids.or_else(|| topology.ids().map(<[u64]>::to_vec)) {
                    Some(ids) => {
                        size(Some(ids.len() as u64), "the list names")?;
                        Sites::Given(topology, ids)
                    }
                    None => Sites::Orders(topology, size(nodes, "the file names")?),
                }
            }
        };
        let sets = match initiators {
            "every" => Sets::Every,
            text => Sets::Named(text.parse()?),
        };
        let memory = self.bytes()?;
        let EverySchedule { staggered, no_fifo, reduce, .. } = *self;
        let (fifo, reduced) = (!no_fifo, reduce);
        Ok(Schedules { algorithm, sites, sets, fifo, staggered, reduced, memory })
    }

    /// The most bytes that the states of one election may take.
    fn bytes(&self) -> Result<u64, Input> {
        match self.memory {
            Some(0) => {
                let problem = "states take memory";
                Err(Input::new("memory", 0, problem, "use 1 or more, in MiB"))
            }
            Some(memory) => Ok(memory.saturating_mul(1 << 20)),
            None => Ok(MEMORY),
        }
    }

    fn json(&self, asked: &Schedules, told: &[Told]) -> Value {
        let min = extreme(told, |found| &found.min, |a, b| a < b);
        let max = extreme(told, |found| &found.max, |a, b| a > b);
        let object = |found: Option<(&Told, &Extreme)>| match found {
            None => Value::Null,
            Some((told, extreme)) => {
                let mut object = site(&told.instance);
                object["messages"] = json!(extreme.messages);
                object["in_rounds"] = json!(told.in_rounds);
                object["trace"] = trace(asked, &told.instance, &extreme.schedule);
                object
            }
        };
        let groups: Vec<Value> = groups(told).iter().map(Group::json).collect();
        let bad: Vec<(&Told, &Fault)> = faults(told).collect();
        let mut all = json!({
            "algorithm": asked.algorithm.name,
            "n": asked.n(),
            "fifo": asked.fifo,
            "staggered": asked.staggered,
            "reduced": asked.reduced,
            "elections": told.len(),
            "min": object(min),
            "max": object(max),
            "states": states(told),
            "commuting": commuting(told),
            "violations": bad.len(),
            "groups": groups,
        });
        if let Some((told, fault)) = shortest(told) {
            let mut object = site(&told.instance);
            object["problem"] = json!(fault.wrong.to_string());
            object["shortest"] = json!(fault.shortest);
            object["trace"] = trace(asked, &told.instance, &fault.schedule);
            all["counterexample"] = object;
        }
        all
    }

    fn text(&self, asked: &Schedules, told: &[Told]) -> String {
        let mut text = title(asked, told) + "\n\n";
        for (name, value) in self.facts(asked, told) {
            text += &paragraph(&format!("  {name:<12}"), &value);
        }
        if told.len() > 1 {
            text += &format!("\n{}\n", table(&groups(told)).to_string(Format::Text));
            text += &paragraph("  ", &format!("k start; {LEGEND}"));
        }
        text
    }

    /// The elections group by group, and all else around them.
    fn table(&self, asked: &Schedules, told: &[Told]) -> Table {
        let mut table = table(&groups(told));
        table.say_before(title(asked, told));
        table.say_facts_after(self.facts(asked, told));
        table.say_after(format!("k start; {LEGEND}"));
        table
    }

    /// What is known, each with a name; those without go on with the one before.
    fn facts(&self, asked: &Schedules, told: &[Told]) -> Vec<(&'static str, String)> {
        let mut known = Vec::new();
        let mut line = |name: &'static str, value: &str| known.push((name, value.to_owned()));
        line("links", links(asked).trim_end_matches(" links"));
        line("starts", starts(asked));
        line("states", &format!("{}{}", states(told), reduced(asked, told)));
        match shortest(told) {
            None => line("verdict", "correct under every schedule"),
            Some((bad, fault)) => {
                let count = faults(told).count();
                line("verdict", &format!("fails in {count} of {} elections", told.len()));
                line("", &picture(asked, &bad.instance));
                line("", &fault.wrong.to_string());
                let how = if fault.shortest { "the shortest" } else { "a" };
                let steps = fault.schedule.len();
                line("schedule", &format!("{how} schedule that shows it, {steps} steps:"));
                for words in lines(asked, &bad.instance, &fault.schedule) {
                    line("", &words);
                }
                if !asked.fifo && asked.algorithm.model.needs_fifo {
                    line("", "(its model asks for FIFO links)");
                }
            }
        }
        let announces = asked.algorithm.kinds.announcements(&[1; 8]) > 0;
        let facts = one_case(asked, told);
        for (name, found, fact) in [
            ("fewest", extreme(told, |found| &found.min, |a, b| a < b), &facts.best),
            ("most", extreme(told, |found| &found.max, |a, b| a > b), &facts.worst),
        ] {
            let Some((told, extreme)) = found else { continue };
            let rounds = told.in_rounds.map(|it| format!("; in rounds {it}")).unwrap_or_default();
            let on = format!(": {}", picture(asked, &told.instance));
            let note = if announces { " without announcements" } else { "" };
            line(name, &format!("{} messages{note}{on}{rounds}", extreme.messages));
            if let Some(fact) = fact {
                let with = if announces { " with announcements" } else { "" };
                line("", &format!("theory{with}: {} = {}", fact.value, fact.formula));
            }
        }
        known
    }
}

fn title(asked: &Schedules, told: &[Told]) -> String {
    let what = match told {
        [one] => picture(asked, &one.instance),
        _ => format!("{} elections of {} nodes", told.len(), asked.n()),
    };
    format!("{}: every schedule of {what}", asked.algorithm.name)
}

fn explore_all(asked: &Schedules, instances: Vec<Instance>) -> Result<Vec<Told>> {
    let bar = ProgressBar::new(instances.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} elections  {msg}") {
        bar.set_style(style);
    }
    let states = AtomicU64::new(0);
    let told = instances.into_par_iter().map(|instance| {
        let last = AtomicU64::new(0);
        let met = |met: u64| {
            let new = met.saturating_sub(last.swap(met, Ordering::Relaxed));
            let sum = states.fetch_add(new, Ordering::Relaxed) + new;
            bar.set_message(format!("{sum} states"));
        };
        let told = explore(asked, instance, &met);
        bar.inc(1);
        told
    });
    let told = told.collect();
    bar.finish_and_clear();
    told
}

fn explore(asked: &Schedules, instance: Instance, met: &dyn Fn(u64)) -> Result<Told> {
    let end = match asked.explore(&instance, &STOP, met) {
        Ok(found) => Ok(found),
        Err(Ended::Fault(fault)) => Err(fault),
        Err(Ended::Stopped) => return Err(Error::Interrupted),
        Err(Ended::Outgrown { states, .. }) => {
            let problem = format!(
                "nothing is proved: {states} states of {} fill it, and there are more",
                picture(asked, &instance)
            );
            let remedy = "use more with --memory, fewer states with --reduce, or a smaller network";
            return Err(Input::new("memory", asked.memory >> 20, problem, remedy).into());
        }
    };
    let in_rounds = match end.is_ok() {
        true => instance.in_rounds(&asked.algorithm, &STOP).ok(),
        false => None,
    };
    Ok(Told { instance, in_rounds, end })
}

fn states(told: &[Told]) -> u64 {
    let states = |told: &Told| match &told.end {
        Ok(found) => found.states,
        Err(fault) => fault.states,
    };
    told.iter().map(states).sum()
}

/// The first election with an extreme.
fn extreme(
    told: &[Told],
    of: impl Fn(&Explored) -> &Extreme,
    beats: impl Fn(u64, u64) -> bool,
) -> Option<(&Told, &Extreme)> {
    let mut best: Option<(&Told, &Extreme)> = None;
    for told in told {
        let Ok(found) = &told.end else { continue };
        let extreme = of(found);
        if best.is_none_or(|(_, best)| beats(extreme.messages, best.messages)) {
            best = Some((told, extreme));
        }
    }
    best
}

/// In how many elections mail commutes.
fn commuting(told: &[Told]) -> usize {
    told.iter().filter(|told| told.end.as_ref().is_ok_and(|found| found.commutes)).count()
}

/// What was left out of the states, if anything.
fn reduced(asked: &Schedules, told: &[Told]) -> String {
    let left_out = "reduced: orders that make no difference are left out";
    match commuting(told) {
        0 if asked.reduced => format!(" ({left_out})"),
        0 => String::new(),
        all if all == told.len() => {
            " of single nodes (mail commutes: any order will do)".to_owned()
        }
        some => {
            let of = told.len();
            format!(
                " ({left_out}; of single nodes in {some} of {of} elections, where mail commutes)"
            )
        }
    }
}

fn faults(told: &[Told]) -> impl Iterator<Item = (&Told, &Fault)> {
    told.iter().filter_map(|told| Some((told, &**told.end.as_ref().err()?)))
}

/// The fault with the fewest steps.
fn shortest(told: &[Told]) -> Option<(&Told, &Fault)> {
    faults(told).min_by_key(|(_, fault)| (!fault.shortest, fault.schedule.len()))
}

/// What theory says where all elections are of one kind: on rings, or if there is only one.
fn one_case(asked: &Schedules, told: &[Told]) -> Facts {
    let (Some(first), Entry { facts, .. }) = (told.first(), &*asked.algorithm) else {
        return Facts::default();
    };
    let k = first.instance.starters().len() as u64;
    let same = told.iter().all(|it| it.instance.starters().len() as u64 == k);
    let initiators = (same && !asked.staggered).then_some(k);
    let n = u64::from(asked.n());
    let all = match &first.instance.graph {
        None => facts(&Case::ring(n, initiators)),
        Some(graph) if told.len() == 1 => {
            let (edges, leaves) = (graph.edges(), graph.leaves());
            let shape = Shape { edges, leaves, diameter: Some(graph.diameter()) };
            facts(&Case { shape, ..Case::ring(n, initiators) })
        }
        Some(_) => Facts::default(),
    };
    all.map(|fact| fact.holds.with_delays(asked.fifo).then_some(fact))
}

/// The elections on networks of one kind with so many starters.
struct Group {
    network: String,
    starters: usize,
    elections: u64,
    violations: u64,
    /// In how many the messages depend on the schedule, and in how many some schedule takes fewer or
    /// more than rounds do.
    vary: u64,
    below: u64,
    above: u64,
    /// The fewest and the most messages, over all schedules and in rounds.
    all: Option<(u64, u64)>,
    in_rounds: Option<(u64, u64)>,
    states: u64,
}

fn groups(told: &[Told]) -> Vec<Group> {
    let mut groups: BTreeMap<(usize, String, usize), Group> = BTreeMap::new();
    for told in told {
        let (network, starters) = (told.instance.network(), told.instance.starters().len());
        let edges = told.instance.edges.as_ref().map_or(0, Vec::len);
        let key = (edges, network.clone(), starters);
        groups.entry(key).or_insert_with(|| Group::new(network, starters)).add(told);
    }
    groups.into_values().collect()
}

impl Group {
    fn new(network: String, starters: usize) -> Self {
        Group {
            network,
            starters,
            elections: 0,
            violations: 0,
            vary: 0,
            below: 0,
            above: 0,
            all: None,
            in_rounds: None,
            states: 0,
        }
    }

    fn add(&mut self, told: &Told) {
        self.elections += 1;
        self.states += states(std::slice::from_ref(told));
        let Ok(found) = &told.end else {
            self.violations += 1;
            return;
        };
        let (min, max) = (found.min.messages, found.max.messages);
        let wider = |known: Option<(u64, u64)>, min: u64, max: u64| {
            Some(known.map_or((min, max), |(a, b)| (a.min(min), b.max(max))))
        };
        self.all = wider(self.all, min, max);
        self.vary += u64::from(min < max);
        if let Some(in_rounds) = told.in_rounds {
            self.in_rounds = wider(self.in_rounds, in_rounds, in_rounds);
            self.below += u64::from(min < in_rounds);
            self.above += u64::from(max > in_rounds);
        }
    }

    /// All elections as one group.
    fn whole(told: &[Told]) -> Self {
        let mut whole = Group::new(String::new(), 0);
        told.iter().for_each(|told| whole.add(told));
        whole
    }

    /// Its columns in a table, behind those that name it.
    fn cells(&self) -> [String; 7] {
        let range = |range: Option<(u64, u64)>| match range {
            Some((min, max)) => format!("{min}..{max}"),
            None => UNKNOWN.to_owned(),
        };
        let [elections, vary, below, above, states] =
            [self.elections, self.vary, self.below, self.above, self.states]
                .map(|number| number.to_string());
        let [all, in_rounds] = [self.all, self.in_rounds].map(range);
        [elections, vary, below, above, all, in_rounds, states]
    }

    fn json(&self) -> Value {
        let range = |range: Option<(u64, u64)>| match range {
            Some((min, max)) => json!([min, max]),
            None => Value::Null,
        };
        json!({
            "network": self.network,
            "starters": self.starters,
            "elections": self.elections,
            "violations": self.violations,
            "vary": self.vary,
            "below_rounds": self.below,
            "above_rounds": self.above,
            "messages": range(self.all),
            "in_rounds": range(self.in_rounds),
            "states": self.states,
        })
    }
}

/// What the columns of a table mean.
const LEGEND: &str = "vary: messages depend on the schedule; below, above: some schedule takes \
                      fewer or more than rounds do";

/// The columns of a group.
const COLUMNS: [&str; 7] =
    ["#elections", "#vary", "#below", "#above", "#messages", "#in rounds", "#states"];

fn table(groups: &[Group]) -> Table {
    let names: Vec<&str> = ["network", "#k"].into_iter().chain(COLUMNS).collect();
    let mut table = Table::new(&names);
    for group in groups {
        let name = [group.network.clone(), group.starters.to_string()];
        table.row(name.into_iter().chain(group.cells()));
    }
    table
}

/// Several algorithms, one row each.
fn side_by_side(answers: &[Answer]) -> Table {
    let columns = ["#elections", "#vary", "#below", "#above", "#messages", "#states", "#fail"];
    let names: Vec<&str> = ["algorithm"].into_iter().chain(columns).collect();
    let mut table = Table::new(&names);
    for Answer { asked, told } in answers {
        let whole = Group::whole(told);
        let [elections, vary, below, above, all, _, states] = whole.cells();
        let (name, fail) = (asked.algorithm.name.to_string(), whole.violations.to_string());
        table.row([name, elections, vary, below, above, all, states, fail]);
    }
    table
}

/// The same with what stands around it.
fn side_by_side_text(answers: &[Answer], format: Format) -> String {
    let setting = answers.first().map(|it| setting(&it.asked)).unwrap_or_default();
    let (before, after) = (format!("Every schedule: {setting}"), LEGEND);
    let mut table = side_by_side(answers);
    if format == Format::Text {
        let rows = table.to_string(format);
        return format!("{}\n{rows}\n{}", paragraph("", &before), paragraph("", after));
    }
    table.say_before(before);
    table.say_after(after);
    table.to_string(format)
}

/// Of which elections all schedules are tried, whatever the algorithm.
fn setting(asked: &Schedules) -> String {
    let n = asked.n();
    let sites = match &asked.sites {
        Sites::Given(topology, ids) => {
            let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
            format!("{topology} with the IDs {}", ids.join(" "))
        }
        Sites::Orders(topology, _) => format!("{topology} of {n} nodes, every order of the IDs"),
        Sites::Every(_) => {
            format!("every connected network of {n} nodes that it runs on, every order of the IDs")
        }
    };
    let sets = match &asked.sets {
        Sets::Named(initiators) => format!("initiators {initiators}"),
        Sets::Every => "every set of starters".to_owned(),
    };
    format!("{sites}, {sets}; {}; starts {}", links(asked), starts(asked))
}

fn links(asked: &Schedules) -> &'static str {
    if asked.fifo { "FIFO links" } else { "messages may overtake each other" }
}

fn starts(asked: &Schedules) -> &'static str {
    match asked.staggered {
        true => "whenever the schedule says, unless mail comes first",
        false => "before the first message arrives",
    }
}

/// The figure of all algorithms.
fn draw(answers: &[Answer]) -> Result<Figure> {
    let rows: Vec<ScheduleRow> = answers.iter().map(row).collect();
    let setting = answers.first().map(|it| setting(&it.asked)).unwrap_or_default();
    draw_schedules(&rows, &setting)
}

/// How far the schedules of an algorithm go below and above rounds, each in the first of the elections
/// that go farthest.
fn row(Answer { asked, told }: &Answer) -> ScheduleRow {
    let Group { elections, vary, .. } = Group::whole(told);
    let mut row = ScheduleRow::new(&asked.algorithm.name, vary, elections);
    for told in told {
        if let (Ok(found), Some(in_rounds)) = (&told.end, told.in_rounds) {
            row.add(found.min.messages, found.max.messages, in_rounds);
        }
    }
    row
}

/// The network, its IDs and who starts, in one line.
fn picture(asked: &Schedules, instance: &Instance) -> String {
    let starters = instance.starters();
    let all = starters.len() == instance.ids.len();
    let ids: Vec<String> = (0..)
        .zip(&instance.ids)
        .map(|(node, id)| {
            let star = if !all && starters.contains(&node) { "*" } else { "" };
            format!("{id}{star}")
        })
        .collect();
    let who = if all { "all start" } else { "* starts" };
    let network = match &instance.edges {
        None => "ring".to_owned(),
        Some(edges) => {
            let edges: Vec<String> = edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
            format!("{} {}, IDs", instance.network(), edges.join(" "))
        }
    };
    let late = if asked.staggered { ", or mail comes first" } else { "" };
    format!("{network} {} ({who}{late})", ids.join(" "))
}

fn site(instance: &Instance) -> Value {
    let mut object = json!({
        "network": instance.network(),
        "ids": instance.ids,
        "initiators": instance.starters(),
    });
    if let Some(edges) = &instance.edges {
        object["edges"] = json!(edges);
    }
    object
}

/// Follows a schedule and hands each event to `tell`; a step in which a handler panics has none.
fn follow(
    asked: &Schedules,
    instance: &Instance,
    schedule: &[Step],
    mut tell: impl FnMut(&Stage<'_>, Step, Option<&Event>),
) {
    instance.hold(&NEVER, |election| {
        let mut stage = Stage::new(&asked.algorithm, instance.graph.as_ref(), election);
        for &step in schedule {
            match stage.try_follow(step) {
                true => tell(&stage, step, stage.events().last()),
                false => tell(&stage, step, None),
            }
        }
    });
}

/// A schedule step by step, in words.
fn lines(asked: &Schedules, instance: &Instance, schedule: &[Step]) -> Vec<String> {
    /// So many steps are shown.
    const SHOWN: usize = 100;
    let mut lines = Vec::new();
    follow(asked, instance, schedule, |stage, step, event| {
        lines.push(match event {
            Some(event) => stage.words(event),
            None => format!("{}: panics", stage.words_before(step)),
        });
    });
    let steps = lines.len();
    lines.truncate(SHOWN);
    if steps > SHOWN {
        lines.push(format!("... and {} steps more", steps - SHOWN));
    }
    lines
}

/// A schedule step by step, for programs.
fn trace(asked: &Schedules, instance: &Instance, schedule: &[Step]) -> Value {
    let mut steps = Vec::new();
    follow(asked, instance, schedule, |stage, step, event| {
        let mut object = json!({});
        match step {
            Step::Start(node) => {
                object["event"] = json!("start");
                object["node"] = json!(node);
                object["id"] = json!(stage.id(node));
            }
            Step::Deliver { link, place } => {
                let (node, port) = stage.end(link);
                let from = stage.place().peer(node, port).0;
                object["event"] = json!("deliver");
                object["node"] = json!(node);
                object["id"] = json!(stage.id(node));
                object["from"] = json!(from);
                object["port"] = json!(port);
                object["place"] = json!(place);
            }
        }
        let Some(event) = event else {
            object["panics"] = json!(true);
            steps.push(object);
            return;
        };
        if let Cause::Mail { mail, .. } = event.cause {
            object["message"] = json!(format!("{:?}", stage.machine().message(mail)));
        }
        let sent = event.sent.iter().map(|sent| {
            let message = format!("{:?}", stage.machine().message(sent.mail));
            json!({ "port": sent.port, "to": sent.to, "message": message })
        });
        object["sends"] = sent.collect();
        object["decides"] = match event.decided {
            Some(Status::Leader) => json!("leader"),
            Some(Status::Follower) => json!("follower"),
            _ => Value::Null,
        };
        steps.push(object);
    });
    steps.into()
}
