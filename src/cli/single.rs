//! Which election: the flags that every verb about a single one has.

use clap::Args;

use super::arguments::whole;
use super::signals::STOP;
use crate::engine::Registry;
use crate::experiment::cell::{Cell, Setting, assigned};
use crate::experiment::error::Result;
use crate::experiment::files::Files;
use crate::experiment::layout::{Ids, Layout};
use crate::experiment::names::Names;
use crate::experiment::ring_file::parse_ids;
use crate::experiment::runs::Runs;
use crate::experiment::timing::{Initiators, Timing};
use crate::model::election::Election;
use crate::model::error::Input;
use crate::show::trace::{LONGEST, Trace};

/// A node takes far more memory where every event is written down than in the engines.
const MOST_NODES: u64 = 200_000;

/// One election, drawn from a seed or given by its IDs.
#[derive(Debug, Args)]
pub(super) struct Single {
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
    pub(super) seed: u64,
    /// The run number, to repeat one row of a batch
    #[arg(long, default_value_t = 0, value_parser = whole, allow_negative_numbers = true)]
    pub(super) run: u64,
    /// The most messages; more is taken for an endless loop [default: 16 n^2]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    limit: Option<u64>,
}

impl Single {
    /// What is asked for.
    pub(super) fn cell(&self, registry: &Registry) -> Result<Cell> {
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

    /// The election event by event, up to its end or to what went wrong, within the longest trace.
    pub(super) fn trace(&self, runs: &mut Runs) -> Result<Trace> {
        let cell = runs.cell().clone();
        if u64::from(cell.n()) > MOST_NODES {
            let problem = format!("events are written down for at most {MOST_NODES} nodes");
            return Err(Input::new("n", cell.n(), problem, "use a smaller n").into());
        }
        Ok(runs.hold(&STOP, self.run, |graph, election, network| {
            let limit = election.limit.min(LONGEST);
            let election = Election { limit, ..election.clone() };
            Trace::of(&cell, graph, &election, network)
        })?)
    }
}
