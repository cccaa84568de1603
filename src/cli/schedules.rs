//! `hustings exact --schedules`: every order in which messages can arrive.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::arguments::whole;
use super::columns::paragraph;
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
    /// Leave out schedules that only put independent deliveries into another
    /// order: same verdict, same extremes, fewer states
    #[arg(long, requires = "schedules")]
    reduce: bool,
    /// The most MiB that the states of one election may take [default: 2048]
    #[arg(long, requires = "schedules", value_parser = whole, allow_negative_numbers = true)]
    memory: Option<u64>,
}

/// What all schedules of one election come to.
struct Told {
    instance: Instance,
    /// In rounds; `None` if it fails there, too.
    in_rounds: Option<u64>,
    end: std::result::Result<Explored, Box<Fault>>,
}

impl EverySchedule {
    /// Without a format one JSON object is printed.
    pub(super) fn run(
        &self,
        registry: &Registry,
        algorithm: &str,
        n: Option<u64>,
        initiators: &str,
        format: Option<Format>,
    ) -> Result<()> {
        let asked = self.asked(registry, algorithm, n, initiators)?;
        let instances = asked.instances()?;
        let all = instances.len();
        let bar = ProgressBar::new(all as u64);
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
            let told = explore(&asked, instance, &met);
            bar.inc(1);
            told
        });
        let told = told.collect::<Result<Vec<Told>>>();
        bar.finish_and_clear();
        let told = told?;
        print(&match format {
            None => json_text(&self.json(&asked, &told)),
            Some(Format::Text) => self.text(&asked, &told),
            Some(format) => self.table(&asked, &told).to_string(format),
        })?;
        match told.iter().filter(|told| told.end.is_err()).count() {
            0 => Ok(()),
            bad => Err(Error::Contradicted(format!(
                "{} fails under some schedule, in {bad} of {all} elections",
                asked.algorithm.name
            ))),
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
            text += &paragraph("  ", LEGEND);
        }
        text
    }

    /// The elections group by group, and all else around them.
    fn table(&self, asked: &Schedules, told: &[Told]) -> Table {
        let mut table = table(&groups(told));
        table.say_before(title(asked, told));
        table.say_facts_after(self.facts(asked, told));
        table.say_after(LEGEND);
        table
    }

    /// What is known, each with a name; those without go on with the one before.
    fn facts(&self, asked: &Schedules, told: &[Told]) -> Vec<(&'static str, String)> {
        let mut known = Vec::new();
        let mut line = |name: &'static str, value: &str| known.push((name, value.to_owned()));
        line("links", if asked.fifo { "FIFO" } else { "messages may overtake each other" });
        line(
            "starts",
            match asked.staggered {
                true => "whenever the schedule says, unless mail comes first",
                false => "before the first message arrives",
            },
        );
        let reduced = match asked.reduced && asked.fifo {
            true => " (reduced: orders of independent deliveries are left out)",
            false => "",
        };
        line("states", &format!("{}{reduced}", states(told)));
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
        let group = groups.entry(key).or_insert(Group {
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
        });
        group.elections += 1;
        group.states += states(std::slice::from_ref(told));
        let Ok(found) = &told.end else {
            group.violations += 1;
            continue;
        };
        let (min, max) = (found.min.messages, found.max.messages);
        let wider = |known: Option<(u64, u64)>, min: u64, max: u64| {
            Some(known.map_or((min, max), |(a, b)| (a.min(min), b.max(max))))
        };
        group.all = wider(group.all, min, max);
        group.vary += u64::from(min < max);
        if let Some(in_rounds) = told.in_rounds {
            group.in_rounds = wider(group.in_rounds, in_rounds, in_rounds);
            group.below += u64::from(min < in_rounds);
            group.above += u64::from(max > in_rounds);
        }
    }
    groups.into_values().collect()
}

impl Group {
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

/// What the columns of the table mean.
const LEGEND: &str = "k start; vary: messages depend on the schedule; below, above: some schedule takes \
                      fewer or more than rounds do";

fn table(groups: &[Group]) -> Table {
    let mut table = Table::new(&[
        "network",
        "#k",
        "#elections",
        "#vary",
        "#below",
        "#above",
        "#messages",
        "#in rounds",
        "#states",
    ]);
    let range = |range: Option<(u64, u64)>| match range {
        Some((min, max)) => format!("{min}..{max}"),
        None => UNKNOWN.to_owned(),
    };
    for group in groups {
        let [k, elections, vary, below, above, states] = [
            group.starters as u64,
            group.elections,
            group.vary,
            group.below,
            group.above,
            group.states,
        ]
        .map(|number| number.to_string());
        let [all, in_rounds] = [group.all, group.in_rounds].map(range);
        let network = group.network.clone();
        table.row([network, k, elections, vary, below, above, all, in_rounds, states]);
    }
    table
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
