//! `hustings elect`: one election.

use std::fmt::Write;
use std::path::Path;

use clap::Args;
use serde_json::json;

use super::output::{Inputs, Output};
use super::signals::STOP;
use super::single::Single;
use super::terminal::{json_text, note, print};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::layout::Ids;
use crate::experiment::runs::Runs;
use crate::model::election::Starts;
use crate::model::error::Input;
use crate::model::escape;
use crate::model::outcome::Outcome;
use crate::model::row::{Number, Row};
use crate::show::trace::{self, Format, LONGEST, Trace, edges};

/// One election, drawn from a seed or given by its IDs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings elect --algorithm chang-roberts --n 12 --seed 7
  hustings elect --algorithm peterson --ids 4,1,3,2 --initiators at:0,2
  hustings elect --algorithm clockwise --n 50 --timing uniform:0..1 --no-fifo
  hustings elect --algorithm peterson --n 8 --trace
  hustings elect --algorithm peterson --n 8 --trace space-time.svg")]
pub struct Elect {
    #[command(flatten)]
    single: Single,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Every event instead of the result: text, json, mermaid, shiviz, dot or tikz; or a FILE.svg to
    /// draw beside it
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "text")]
    trace: Option<String>,
}

/// How a trace is written, and where to, if it is a drawing.
enum Wanted {
    Printed(Format),
    Drawn(Output),
}

impl Elect {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let wanted = self.wanted()?;
        let cell = self.single.cell(registry)?;
        cell.check_memory()?;
        let mut runs = cell.prepare(self.single.seed)?;
        let mut simulator = (cell.algorithm().simulator)();
        let outcome = match runs.simulate_unless(&STOP, self.single.run, simulator.as_mut()) {
            Ok(outcome) => outcome,
            Err(error) => return Err(self.explained(&mut runs, wanted, error)),
        };
        if let Some(wanted) = &wanted {
            wanted.format().check(outcome.messages, u64::from(cell.n()))?;
            let trace = self.single.trace(&mut runs)?;
            wanted.write(&trace)?;
        }
        match (wanted, self.json) {
            (Some(Wanted::Printed(_)), _) => Ok(()),
            (_, true) => print(&json_text(&self.json(&runs, &outcome))),
            (_, false) => print(&self.text(&runs, &outcome)),
        }
    }

    fn wanted(&self) -> Result<Option<Wanted>> {
        let Some(text) = &self.trace else { return Ok(None) };
        if text.ends_with(".svg") {
            let remedy = "choose another file, or move it away";
            let output = Output::new("trace", Path::new(text), Inputs::default())?.in_folder()?;
            return Ok(Some(Wanted::Drawn(output.only_over(trace::is_ours, remedy)?)));
        }
        if self.json {
            let problem = "a trace is printed in place of the result that --json asks for";
            let remedy = "use --trace json for a trace, or leave --trace out";
            return Err(Input::new("trace", text, problem, remedy).into());
        }
        Ok(Some(Wanted::Printed(text.parse()?)))
    }

    /// What led to an election that went wrong, before the error that says so.
    fn explained(&self, runs: &mut Runs, wanted: Option<Wanted>, error: Error) -> Error {
        // At the end of the clock the algorithm did nothing wrong.
        if !matches!(error, Error::Violation { .. }) || error.exit_code() != 1 {
            return error;
        }
        let shown = self.single.trace(runs).and_then(|trace| match wanted {
            Some(wanted) => {
                let (messages, n) = (trace.letters().len() as u64, trace.ids.len() as u64);
                wanted.format().check(messages.min(LONGEST), n)?;
                wanted.write(&trace)
            }
            None => {
                note(trace::ending(&trace));
                Ok(())
            }
        });
        shown.err().unwrap_or(error)
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
            "seed": self.single.seed,
            "run": self.single.run,
            "leader": outcome.leader,
            "messages": outcome.messages,
            "kinds": kinds,
        });
        let row = runs.row(self.single.run, outcome);
        for column in Row::COLUMNS {
            object[column.name] = match (column.value)(&row) {
                Some(Number::Whole(value)) => json!(value),
                Some(Number::Wide(value)) => json!(value),
                Some(Number::Real(value)) => json!(value),
                None => json!(null),
            };
        }
        let (n, graph) = (runs.ids().len() as u32, runs.graph());
        let edges = edges(graph, n);
        let listed = (edges.len() <= LISTED).then_some(edges);
        object["edges"] = json!(listed);
        object["ring"] = json!(listed.as_ref().map(|_| runs.ids()));
        object["starters"] = json!(listed.map(|_| starters(runs.starts(), n)));
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
            None if cell.algorithm().model.may_fail => {
                line("leader", "nobody, or more than one: this run has failed".to_owned());
            }
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
        line("again", cell.command(self.single.seed, self.single.run));
        text
    }
}

impl Wanted {
    fn format(&self) -> Format {
        match self {
            Wanted::Printed(format) => *format,
            Wanted::Drawn(_) => Format::Svg,
        }
    }

    fn write(&self, trace: &Trace) -> Result<()> {
        let text = self.format().write(trace);
        match self {
            Wanted::Printed(_) => print(&text),
            Wanted::Drawn(output) => output.write(text.as_bytes()),
        }
    }
}

/// The most edges that are listed: a program that wants more has the seed.
const LISTED: usize = 100_000;

/// The nodes that start by themselves, in order.
fn starters(starts: &Starts, n: u32) -> Vec<u32> {
    let mut nodes: Vec<u32> = match starts.places() {
        None => (0..n).collect(),
        Some(places) => places.map(|(node, _)| node).collect(),
    };
    nodes.sort_unstable();
    nodes
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
