//! The flags that choose cells.

use clap::Args;

use super::arguments::whole;
use crate::show::figure::Choice;

/// Where these flags stand in the help; set for each, since the flags that follow have their own place.
const HEADING: &str = "Only cells of";

/// Only some cells.
#[derive(Debug, Clone, Default, Args)]
pub struct Filter {
    /// These sizes, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = whole, allow_negative_numbers = true)]
    n: Vec<u64>,
    /// These topologies, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME", help_heading = HEADING)]
    topology: Vec<String>,
    /// These layouts, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME", help_heading = HEADING)]
    layout: Vec<String>,
    /// These IDs, separated by commas: dense, sparse, range:U
    #[arg(long, value_delimiter = ',', value_name = "WHICH", help_heading = HEADING)]
    ids: Vec<String>,
    /// These initiators, as in cells.csv; may be given again
    #[arg(long, value_name = "WHO", help_heading = HEADING)]
    initiators: Vec<String>,
    /// These timings, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME", help_heading = HEADING)]
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
            ..Choice::default()
        }
    }
}
