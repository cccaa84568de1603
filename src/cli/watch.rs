//! `hustings watch`: one election, or two, as a page to step through.

use std::path::PathBuf;

use clap::Args;

use super::output::{Inputs, Output};
use super::signals::STOP;
use super::single::Single;
use super::terminal::print;
use crate::engine::Registry;
use crate::experiment::cell::{Cell, Setting};
use crate::experiment::error::{Error, Result};
use crate::experiment::layout::{Ids, Layout};
use crate::experiment::runs::Runs;
use crate::experiment::timing::Initiators;
use crate::model::election::Election;
use crate::model::error::Input;
use crate::model::escape;
use crate::model::metric::Metric;
use crate::model::theory::Facts;
use crate::model::topology::Graph;
use crate::model::violation::Violation;
use crate::show::trace::{LONGEST, Trace};
use crate::show::watch::{self, Panel};

/// An election to watch.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings watch --algorithm chang-roberts --n 8 --layout worst
  hustings watch --algorithm echo-election --topology grid --n 16
  hustings watch --algorithm chang-roberts --with peterson --n 12 -o two.html

The page is one HTML file that loads nothing: the network and the space-time
diagram, step by step, forwards and backwards. Beyond 64 nodes or 5000
messages it shows where and when messages arrive.")]
pub struct Watch {
    #[command(flatten)]
    single: Single,
    /// A second algorithm, on the same network with the same IDs, starts and delays
    #[arg(long, value_name = "NAME")]
    with: Option<String>,
    /// The file to write
    #[arg(long, value_name = "FILE.html", default_value = "watch.html")]
    out: PathBuf,
    /// Do not print the name of the file
    #[arg(long)]
    quiet: bool,
}

impl Watch {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let remedy = "choose another file, or move it away";
        let output = Output::new("out", &self.out, Inputs::default())?
            .in_folder()?
            .only_over(watch::is_ours, remedy)?;
        let cell = self.single.cell(registry)?;
        cell.check_memory()?;
        let mut runs = cell.prepare(self.single.seed)?;
        // Its length is known sooner than its events.
        let mut simulator = (cell.algorithm().simulator)();
        match runs.simulate_unless(&STOP, self.single.run, simulator.as_mut()) {
            Ok(outcome) if outcome.messages > LONGEST => return Err(too_long(&cell)),
            Ok(_) | Err(Error::Violation { .. }) => {}
            Err(error) => return Err(error),
        }
        let trace = self.single.trace(&mut runs)?;
        let facts = runs.facts();
        let second = self.with.as_ref().map(|name| self.second(registry, name, &mut runs));
        let second = second.transpose()?;
        for trace in [Some(&trace), second.as_ref().map(|(trace, _)| trace)].into_iter().flatten() {
            refuse_long(trace)?;
        }
        let mut panels = vec![Panel { trace: &trace, facts }];
        panels.extend(second.as_ref().map(|(trace, facts)| Panel { trace, facts: facts.clone() }));
        output.write(watch::page(&panels, &self.command(&cell)).as_bytes())?;
        if !self.quiet && output.is_file() {
            print(&format!("{}\n", escape::terminal(self.out.display())))?;
        }
        // The page shows what went wrong as well; the exit code says that it did.
        runs.judged(self.single.run, trace.outcome.clone())?;
        match second.map(|(trace, _)| (trace.outcome.clone(), trace)) {
            Some((Err(violation), trace)) => Err(Error::Violation {
                violation,
                cell: Box::new(trace.cell.key().clone()),
                command: self.command(&cell),
            }),
            _ => Ok(()),
        }
    }

    /// Another algorithm in the same election, and what theory says of it.
    fn second(&self, registry: &Registry, name: &str, runs: &mut Runs) -> Result<(Trace, Facts)> {
        let (case, _) = runs.theory(self.single.run)?;
        let first = runs.cell().clone();
        let coins = runs.coins(self.single.run);
        let entry =
            registry.named(name).map_err(|error| Input { field: "with".to_owned(), ..error })?;
        let starts = runs.starts().places().map(|places| Initiators::At(places.collect()));
        let dense = first.ids() == Ids::Dense
            && first.algorithm().first_dense_id() == entry.first_dense_id();
        let setting = Setting {
            topology: first.topology().clone(),
            n: Some(u64::from(first.n())),
            layout: if dense { Layout::Random } else { Layout::Given(runs.ids().to_vec()) },
            ids: if dense { Ids::Dense } else { Ids::Given },
            initiators: starts.unwrap_or(Initiators::All),
            timing: first.timing(),
            limit: None,
        };
        let cell = Cell::new(entry, setting)?;
        let trace = runs.hold(&STOP, self.single.run, |graph, election, network| {
            // Algorithms of rings know left from right, those of graphs are told a ring as a graph.
            let ring = Graph::ring(cell.n());
            let graph = cell.is_on_graph().then(|| graph.unwrap_or(&ring));
            let limit = election.limit.min(LONGEST);
            let election = Election { coins, limit, ..election.clone() };
            Trace::of(&cell, graph, &election, network)
        })?;
        let facts = cell.facts_in(Metric::Messages, &case);
        Ok((trace, facts))
    }

    /// The command that makes the page again.
    fn command(&self, cell: &Cell) -> String {
        let mut command = watch::command(cell, self.single.seed, self.single.run);
        if let Some(with) = &self.with {
            command += &format!(" --with {}", escape::shell(with));
        }
        command
    }
}

/// Refuses an election that is too long to be written down; one that does not end is shown.
fn refuse_long(trace: &Trace) -> Result<()> {
    match &trace.outcome {
        Err(Violation::Stopped) => Err(Error::Interrupted),
        Err(Violation::TooManyMessages(limit)) if *limit == LONGEST => Err(too_long(&trace.cell)),
        _ => Ok(()),
    }
}

fn too_long(cell: &Cell) -> Error {
    let problem = format!("{} has more than {LONGEST} messages here", cell.algorithm().name);
    Input::new("n", cell.n(), problem, "use a smaller n").into()
}
