//! `hustings elect`: one election.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use super::arguments::whole;
use super::signals::STOP;
use super::terminal::{json_text, print};
use crate::engine::Registry;
use crate::experiment::cell::{Cell, Setting, assigned};
use crate::experiment::error::Result;
use crate::experiment::files::Files;
use crate::experiment::layout::{Ids, Layout};
use crate::experiment::names::Names;
use crate::experiment::ring_file::parse_ids;
use crate::experiment::runs::Runs;
use crate::experiment::timing::{Initiators, Timing};
use crate::model::election::Starts;
use crate::model::error::Input;
use crate::model::escape;
use crate::model::outcome::Outcome;
use crate::model::row::{Number, Row};

/// One election, drawn from a seed or given by its IDs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings elect --algorithm chang-roberts --n 12 --seed 7
  hustings elect --algorithm peterson --ids 4,1,3,2 --initiators at:0,2
  hustings elect --algorithm clockwise --n 50 --timing uniform:0..1 --no-fifo")]
pub struct Elect {
    /// The algorithm; `hustings list` shows all
    #[arg(long)]
    algorithm: String,
    /// The number of nodes
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    n: Option<u64>,
    /// Who is whose neighbour: ring, grid, erdos-renyi:0.1, file:PATH, ...
    #[arg(long, default_value = "ring")]
    topology: String,
    /// Where the IDs stand: random, ascending, worst, file:PATH, ...
    /// [default: random, or as the file of the topology assigns them]
    #[arg(long)]
    layout: Option<String>,
    /// Which IDs: dense, sparse, range:U, or the IDs themselves, node by node: 4,1,3,2
    /// [default: dense]
    #[arg(long)]
    ids: Option<String>,
    /// Who starts: all, one, count:K, share:P or at:0,3,5
    #[arg(long, default_value = "all")]
    initiators: String,
    /// How long messages take: sync, uniform:0..1, lifo, ...
    #[arg(long, default_value = "sync")]
    timing: String,
    /// Links need not keep the order of messages
    #[arg(long)]
    no_fifo: bool,
    /// The master seed
    #[arg(long, default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// The run number, to repeat one row of a batch
    #[arg(long, default_value_t = 0, value_parser = whole, allow_negative_numbers = true)]
    run: u64,
    /// The most messages; more is taken for an endless loop [default: 16 n^2]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    limit: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Elect {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let cell = self.cell(registry)?;
        cell.check_memory()?;
        let mut runs = cell.prepare(self.seed)?;
        let mut simulator = (cell.algorithm().simulator)();
        let outcome = runs.simulate_unless(&STOP, self.run, simulator.as_mut())?;
        print(&match self.json {
            true => json_text(&self.json(&runs, &outcome)),
            false => self.text(&runs, &outcome),
        })
    }

    fn cell(&self, registry: &Registry) -> Result<Cell> {
        let names = Names { registry, files: &Files::on_disk() };
        let topology = names.topology(&self.topology)?;
        let layout = self.layout.as_ref().map(|text| names.layout(text)).transpose()?;
        let listed = self.ids.as_ref().filter(|ids| ids.starts_with(|c: char| c.is_ascii_digit()));
        let (layout, ids) = match (listed, layout) {
            (Some(listed), None) => (Layout::Given(parse_ids("ids", listed)?), Ids::Given),
            (Some(_), Some(layout)) => {
                let problem = "the IDs are given one by one, so they stand where they stand";
                let remedy = "leave --layout out, or use --ids dense";
                return Err(Input::new("layout", layout, problem, remedy).into());
            }
            (None, layout) => {
                if let (Some(ids), Some(_)) = (&self.ids, topology.ids()) {
                    return Err(assigned("ids", ids, &topology).into());
                }
                let usual = topology.ids().map_or(Layout::Random, |_| Layout::Assigned);
                let ids = self.ids.as_ref().map_or(Ok(Ids::Dense), |ids| ids.parse())?;
                (layout.unwrap_or(usual), ids)
            }
        };
        let initiators: Initiators = self.initiators.parse()?;
        let mut timing: Timing = self.timing.parse()?;
        if self.no_fifo {
            timing = timing.without_fifo()?;
        }
        let (n, limit) = (self.n, self.limit);
        let setting = Setting { topology, n, layout, ids, initiators, timing, limit };
        Ok(Cell::new(names.algorithm(&self.algorithm)?, setting)?)
    }

    /// What stands in a row of `runs.csv`, and the messages by kind.
    fn json(&self, runs: &Runs, outcome: &Outcome) -> serde_json::Value {
        let (key, kinds) = (runs.cell().key(), runs.cell().algorithm().kinds);
        let kinds: serde_json::Map<_, _> = kinds
            .names()
            .zip(outcome.kinds)
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect();
        let mut object = json!({
            "algorithm": key.algorithm,
            "topology": key.topology,
            "n": key.n,
            "layout": key.layout,
            "ids": key.ids,
            "initiators": key.initiators,
            "timing": key.timing,
            "seed": self.seed,
            "run": self.run,
            "leader": outcome.leader,
            "messages": outcome.messages,
            "kinds": kinds,
        });
        let row = runs.row(self.run, outcome);
        for column in Row::COLUMNS {
            object[column.name] = match (column.value)(&row) {
                Some(Number::Whole(value)) => json!(value),
                Some(Number::Wide(value)) => json!(value),
                Some(Number::Real(value)) => json!(value),
                None => json!(null),
            };
        }
        object
    }

    fn text(&self, runs: &Runs, outcome: &Outcome) -> String {
        let cell = runs.cell();
        let mut text = match runs.graph() {
            None => format!("{} on a ring of {}\n\n", cell.algorithm().name, cell.n()),
            Some(graph) => format!(
                "{} on {}, {} nodes and {} edges\n\n",
                cell.algorithm().name,
                escape::terminal(cell.topology()),
                cell.n(),
                graph.edges()
            ),
        };
        let mut line = |name: &str, value: String| {
            _ = writeln!(text, "  {name:<10} {value}");
        };
        line("rule", cell.algorithm().model.elects.rule().to_owned());
        line(
            "layout",
            match cell.ids() {
                Ids::Given => escape::terminal(cell.layout()),
                ids => format!("{}, {ids} IDs", escape::terminal(cell.layout())),
            },
        );
        line("timing", cell.timing().to_string());
        match runs.graph() {
            None => line("ring", picture("clockwise", runs.ids(), runs.starts())),
            Some(_) => line("nodes", picture("in order", runs.ids(), runs.starts())),
        }
        match outcome.leader {
            Some(leader) => line("leader", format!("{leader}{}", when(outcome))),
            None => line("leader", "nobody: all states were equal after every round".to_owned()),
        }
        line("messages", outcome.messages.to_string());
        for (name, count) in cell.algorithm().kinds.names().zip(outcome.kinds) {
            line("", format!("{count} {name}"));
        }
        line("busiest", format!("one node sent {} of them", outcome.max_node_messages));
        line("bits", outcome.bits.to_string());
        if let Some(rounds) = outcome.rounds {
            line("rounds", format!("{rounds} of the algorithm"));
        }
        for (name, fact) in runs.facts().named() {
            if let Some(fact) = fact {
                line(name, format!("{:.2}   = {}", fact.value, fact.formula));
            }
        }
        line("again", cell.command(self.seed, self.run));
        text
    }
}

fn when(outcome: &Outcome) -> String {
    match (outcome.time, outcome.end) {
        (Some(time), Some(end)) => format!(", at time {time:.3}; the last message at {end:.3}"),
        _ => String::new(),
    }
}

/// How many nodes a picture shows.
const SHOWN: usize = 200;
/// Where its lines end.
const WIDTH: usize = 65;

/// The nodes as a line of IDs, with a star at those who start.
fn picture(order: &str, ids: &[u64], starts: &Starts) -> String {
    let mut words: Vec<String> = ids.iter().take(SHOWN).map(u64::to_string).collect();
    let legend = match starts {
        Starts::All => "everybody starts",
        Starts::At(starts) => {
            for &(time, node) in starts {
                if let Some(word) = words.get_mut(node as usize) {
                    *word += &if time == 0 { "*".to_owned() } else { format!("*{time}") };
                }
            }
            "* starts, *t at time t"
        }
    };
    if ids.len() > SHOWN {
        words.push(format!("... ({} more)", ids.len() - SHOWN));
    }
    let mut picture = format!("{order}; {legend}\n{:13}", "");
    let mut column = 0;
    for word in words {
        if column > 0 && column + word.len() > WIDTH {
            picture += &format!("\n{:13}", "");
            column = 0;
        }
        column += word.len() + 1;
        picture += &word;
        picture += " ";
    }
    picture.truncate(picture.trim_end().len());
    picture
}
