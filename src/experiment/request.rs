//! One election in the words of whoever asks for it.

use super::cell::{Cell, Setting, assigned};
use super::layout::{Ids, Layout};
use super::names::Names;
use super::ring_file::parse_ids;
use super::timing::{Initiators, Timing};
use crate::model::error::Input;

/// What the flags of `elect` say, or the fields of a form.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The algorithm.
    pub algorithm: &'a str,
    /// The number of nodes, unless the IDs or the network say it.
    pub n: Option<u64>,
    /// Who is whose neighbour.
    pub topology: &'a str,
    /// Where the IDs stand; at random if nothing else says it.
    pub layout: Option<&'a str>,
    /// Which IDs, or the IDs themselves; dense if nothing is said.
    pub ids: Option<&'a str>,
    /// Who starts.
    pub initiators: &'a str,
    /// How long messages take.
    pub timing: &'a str,
    /// Whether links keep the order of messages.
    pub fifo: bool,
    /// The most messages.
    pub limit: Option<u64>,
}

impl Request<'_> {
    /// What is asked for.
    pub fn cell(&self, names: &Names<'_>) -> Result<Cell, Input> {
        let topology = names.topology(self.topology)?;
        let layout = self.layout.map(|text| names.layout(text)).transpose()?;
        let listed = self.ids.filter(|ids| ids.starts_with(|c: char| c.is_ascii_digit()));
        let (layout, ids) = match (listed, layout) {
            (Some(listed), None) => (Layout::Given(parse_ids("ids", listed)?), Ids::Given),
            (Some(_), Some(layout)) => {
                let problem = "the IDs are given one by one, so they stand where they stand";
                let remedy = "leave --layout out, or use --ids dense";
                return Err(Input::new("layout", layout, problem, remedy));
            }
            (None, layout) => {
                if let (Some(ids), Some(_)) = (self.ids, topology.ids()) {
                    return Err(assigned("ids", ids, &topology));
                }
                let usual = topology.ids().map_or(Layout::Random, |_| Layout::Assigned);
                let ids = self.ids.map_or(Ok(Ids::Dense), str::parse)?;
                (layout.unwrap_or(usual), ids)
            }
        };
        let initiators: Initiators = self.initiators.parse()?;
        let mut timing: Timing = self.timing.parse()?;
        if !self.fifo {
            timing = timing.without_fifo()?;
        }
        let (n, limit) = (self.n, self.limit);
        let setting = Setting { topology, n, layout, ids, initiators, timing, limit };
        Cell::new(names.algorithm(self.algorithm)?, setting)
    }
}
