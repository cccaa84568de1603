//! `hustings worst`: a search for the worst ring, starters and schedule.

use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use super::arguments::{threads, whole};
use super::columns::paragraph;
use super::output::{Inputs, Output};
use super::signals::STOP;
use super::terminal::{json_text, note, print};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::files::Files;
use crate::experiment::names::Names;
use crate::experiment::worst::{Best, Search, Worst};
use crate::model::error::Input;
use crate::model::topology::Ports;

/// A ring, starters and a schedule with as many messages as can be found.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings worst --algorithm hirschberg-sinclair --n 32
  hustings worst --algorithm dolev-klawe-rodeh-b --n 12 --out worst.txt
  hustings worst --algorithm echo-election --topology complete --n 6 --schedules

All rings while they are few; then annealing, from random rings, reversed bits,
and rings that are self-similar by halves, thirds or golden sections. Equal
seeds and evaluations find the same on any number of threads. Ctrl-C keeps the
best.")]
pub struct FindWorst {
    /// The algorithm; `hustings list` shows all
    #[arg(long)]
    algorithm: String,
    /// The number of nodes
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    n: Option<u64>,
    /// Who is whose neighbour: ring, grid, file:PATH, ...; not drawn
    #[arg(long, default_value = "ring")]
    topology: String,
    /// Who starts: all, one, count:K or at:0,3,5; which of them is searched for
    #[arg(long, default_value = "all")]
    initiators: String,
    /// What is to be large: messages, bits, time, end, rounds, max_node_messages
    #[arg(long, default_value = "messages")]
    metric: String,
    /// Search for the smallest instead
    #[arg(long)]
    minimise: bool,
    /// Search for how long messages take, too
    #[arg(long)]
    schedules: bool,
    /// Search for when starters start, too
    #[arg(long)]
    staggered: bool,
    /// Links need not keep the order of messages
    #[arg(long)]
    no_fifo: bool,
    /// The seed of the search
    #[arg(long, default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// How many elections are held
    #[arg(long, default_value_t = 1_000_000, value_parser = whole, allow_negative_numbers = true)]
    evaluations: u64,
    /// A file for the ring that was found, as --layout file:PATH reads it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many threads [default: all cores]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// No progress
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl FindWorst {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let threads = threads(self.threads)?;
        let output = self.out.as_ref().map(|path| {
            Output::new("out", path, Inputs::default())?
                .in_folder()?
                .only_over(is_ring, "name another file")
        });
        let output = output.transpose()?;
        let asked = self.asked(registry)?;
        let search = asked.prepare()?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()
            .map_err(|error| Error::Threads(error.into()))?;
        let known: Mutex<Option<f64>> = Mutex::new(None);
        let sign = if self.minimise { -1.0 } else { 1.0 };
        let better = |value: f64| {
            let Ok(mut best) = known.lock() else { return };
            if best.is_none_or(|best| sign * value > sign * best) {
                *best = Some(value);
                if !self.quiet {
                    note(format_args!("{} {value}", self.metric));
                }
            }
        };
        let parts = pool.install(|| {
            let part = |part: u64| search.part(part, &STOP, &better);
            (0..search.parts()).into_par_iter().map(part).collect::<Vec<_>>()
        });
        // In the order of the parts, so that threads do not matter.
        let mut best: Option<Best> = None;
        for part in parts {
            let part = match part {
                Err(Error::Interrupted) => None,
                part => part?,
            };
            best = match (best, part) {
                (Some(a), Some(b)) => Some(search.better(a, b)),
                (a, b) => a.or(b),
            };
        }
        let Some(best) = best else { return Err(Error::Interrupted) };
        if let Some(output) = &output {
            let ids: Vec<String> = search.ids(&best.candidate).iter().map(u64::to_string).collect();
            output.write(format!("{}\n", ids.join(" ")).as_bytes())?;
        }
        print(&match self.json {
            true => json_text(&self.as_json(&asked, &search, &best)?),
            false => self.text(&asked, &search, &best)?,
        })?;
        if STOP.is_asked() { Err(Error::Interrupted) } else { Ok(()) }
    }

    fn asked(&self, registry: &Registry) -> Result<Worst> {
        let names = Names { registry, files: &Files::on_disk() };
        let topology = names.topology(&self.topology)?;
        let nodes = topology.file().map(|file| file.graph.nodes() as u64);
        let Some(n) = self.n.or(nodes) else {
            let problem = "the number of nodes is missing";
            let remedy = "say how many nodes, as in --n 12";
            return Err(Input::new("n", "(nothing)", problem, remedy).into());
        };
        if n == 0 || n > LARGEST {
            let problem = format!("a search has 1 to {LARGEST} nodes");
            return Err(Input::new("n", n, problem, "use fewer").into());
        }
        if topology.ids().is_some() {
            let problem = "it assigns IDs to its nodes, and here they are searched for";
            let remedy = "remove the file's id lines";
            return Err(Input::new("topology", &topology, problem, remedy).into());
        }
        Ok(Worst {
            algorithm: names.algorithm(&self.algorithm)?.clone(),
            topology,
            n: n as u32,
            initiators: self.initiators.parse()?,
            staggered: self.staggered,
            schedules: self.schedules,
            fifo: !self.no_fifo,
            metric: self.metric.clone(),
            minimise: self.minimise,
            seed: self.seed,
            evaluations: self.evaluations,
        })
    }

    /// What the value is: all there is, or what was found.
    fn standing(&self, search: &Search<'_>, best: &Best) -> &'static str {
        let reached =
            search.limit().is_some_and(|fact| fact.is_exact() && fact.value.as_f64() == best.value);
        match (best.exhaustive && !STOP.is_asked(), reached, self.minimise) {
            (true, _, false) => "the maximum: all rings were tried",
            (true, _, true) => "the minimum: all rings were tried",
            (_, true, false) => "the maximum, as proved",
            (_, true, true) => "the minimum, as proved",
            (_, _, false) => "lower bound for the maximum",
            (_, _, true) => "upper bound for the minimum",
        }
    }

    fn as_json(
        &self,
        asked: &Worst,
        search: &Search<'_>,
        best: &Best,
    ) -> Result<serde_json::Value> {
        let cell = search.cell_of(&best.candidate)?;
        let limit = search.limit().map(|fact| json!(fact));
        Ok(json!({
            "algorithm": asked.algorithm.name,
            "topology": asked.topology.to_string(),
            "n": asked.n,
            "metric": asked.metric,
            "minimise": asked.minimise,
            "value": best.value,
            "standing": self.standing(search, best),
            "theory": limit,
            "ids": search.ids(&best.candidate),
            "initiators": cell.initiators().to_string(),
            "timing": cell.timing().to_string(),
            "seed": asked.seed,
            "evaluations": best.evaluations,
            "exhaustive": best.exhaustive,
            "command": search.command(&best.candidate)?,
        }))
    }

    fn text(&self, asked: &Worst, search: &Search<'_>, best: &Best) -> Result<String> {
        let cell = search.cell_of(&best.candidate)?;
        let which = if self.minimise { "fewest" } else { "most" };
        let mut text = format!(
            "{}: the {which} {} on {} with {} nodes\n\n",
            asked.algorithm.name, asked.metric, asked.topology, asked.n
        );
        let mut line =
            |name: &str, value: &str| text += &paragraph(&format!("  {name:<12}"), value);
        line(&asked.metric, &format!("{} ({})", best.value, self.standing(search, best)));
        if let Some(fact) = search.limit() {
            let certainty = format!("{:?}", fact.certainty).to_lowercase();
            line("theory", &format!("{} = {} ({certainty})", fact.value, fact.formula));
        }
        let ids: Vec<String> = search.ids(&best.candidate).iter().map(u64::to_string).collect();
        line(if cell.is_on_graph() { "nodes" } else { "ring" }, &ids.join(" "));
        line("initiators", &cell.initiators().to_string());
        line("timing", &cell.timing().to_string());
        let how = if search.counts() { "counted" } else { "simulated" };
        line("tried", &format!("{} elections, {how}, seed {}", best.evaluations, asked.seed));
        text += &format!("  {:<12}{}\n", "again", search.command(&best.candidate)?);
        Ok(text)
    }
}

/// The largest network that is searched.
const LARGEST: u64 = 100_000;

/// Whether a file is a list of IDs, as this verb writes it.
fn is_ring(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.is_ascii_digit() || b" \n".contains(byte))
}
