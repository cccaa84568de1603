//! The flags that choose cells.

use clap::Args;

use crate::show::figure::Choice;

/// Only some cells.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Only cells of")]
pub struct Filter {
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
    /// The choice of these cells, with algorithms and a size.
    pub(super) fn choice(&self, algorithms: &[String], n: Option<u64>) -> Choice {
        Choice {
            algorithms: algorithms.iter().map(|name| name.trim().to_owned()).collect(),
            n,
            topologies: self.topology.clone(),
            layouts: self.layout.clone(),
            ids: self.ids.clone(),
            initiators: self.initiators.clone(),
            timings: self.timing.clone(),
        }
    }
}
