//! Which election: the flags that every verb about a single one has.

use clap::Args;

use super::arguments::whole;
use super::signals::STOP;
use crate::engine::Registry;
use crate::experiment::cell::Cell;
use crate::experiment::error::Result;
use crate::experiment::files::Files;
use crate::experiment::names::Names;
use crate::experiment::request::Request;
use crate::experiment::runs::Runs;
use crate::show::trace::Trace;

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
        let request = Request {
            algorithm: &self.algorithm,
            n: self.n,
            topology: &self.topology,
            layout: self.layout.as_deref(),
            ids: self.ids.as_deref(),
            initiators: &self.initiators,
            timing: &self.timing,
            fifo: !self.no_fifo,
            limit: self.limit,
        };
        Ok(request.cell(&names)?)
    }

    /// The election event by event, up to its end or to what went wrong, within the longest trace.
    pub(super) fn trace(&self, runs: &mut Runs) -> Result<Trace> {
        Ok(Trace::of_run(runs, &STOP, self.run)?)
    }
}
