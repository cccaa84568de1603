//! The flags that choose cells.

use clap::Args;

use super::arguments::whole;
use crate::show::figure::Choice;

/// Only some cells.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Only cells of")]
pub struct Filter {
    /// These sizes, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = whole, allow_negative_numbers = true)]
    n: Vec<u64>,
    /// These topologies, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    topology: Vec<String>,
    /// These layouts, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    layout: Vec<String>,
    /// These IDs, separated by commas: dense, sparse, range:U
    #[arg(long, value_delimiter = ',', value_name = "WHICH")]
    ids: Vec<String>,
    /// These initiators, as in cells.csv; may be given again
    #[arg(long, value_name = "WHO")]
    initiators: Vec<String>,
    /// These timings, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    timing: Vec<String>,
}

impl Filter {
    /// The choice of these cells, of these algorithms.
    pub(super) fn choice(&self, algorithms: &[String]) -> Choice {
        Choice {
            algorithms: algorithms.iter().map(|name| name.trim().to_owned()).collect(),
            n: self.n.clone(),
            topologies: self.topology.clone(),
            layouts: self.layout.clone(),
            ids: self.ids.clone(),
            initiators: self.initiators.clone(),
            timings: self.timing.clone(),
        }
    }
}
