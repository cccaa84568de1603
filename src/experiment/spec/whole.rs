//! The experiment as a whole: its grids, its seed, and what tells it from others.

use std::collections::BTreeMap;

use super::draft::{Checked, Draft, Raw, bad, text, whole};
use super::grid::{Grid, MOST_CELLS};
use crate::engine::Registry;
use crate::experiment::bounds::Bound;
use crate::experiment::cell::Cell;
use crate::experiment::error::Result;
use crate::experiment::layout::Layout;
use crate::experiment::names::Names;
use crate::model::error::Input;
use crate::model::topology::Topology;

/// An experiment: some grids of cells, with one seed.
#[derive(Debug, Clone)]
pub struct Spec {
    /// The name of the results folder.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// What to run.
    pub grids: Vec<Grid>,
    /// Upper bounds for `check`; no part of what is run.
    pub bounds: Vec<Bound>,
    pub(super) registry: Registry,
}

impl Spec {
    /// The experiment of these drafts: what holds for the whole, and one for each grid, which
    /// inherits from the whole.
    pub fn from_drafts(
        whole_draft: &Draft,
        grids: &[Draft],
        usual_name: &str,
        names: Names<'_>,
    ) -> Result<Self> {
        let usual_name = folder_name(&Raw::Text(usual_name.to_owned()))
            .map_err(|error| Input { field: "name".to_owned(), ..error });
        let name = match whole_draft.get("name") {
            Some(_) => whole_draft.read("name", String::new(), folder_name)?,
            None => usual_name?,
        };
        let seed = whole_draft.read("seed", 1, whole)?;
        let grids = if grids.is_empty() { &[Draft::default()] } else { grids };
        let mut cells = 0u128;
        let grids = grids
            .iter()
            .map(|grid| {
                let mut merged = whole_draft.clone();
                merged.take_over(grid);
                let grid = Grid::from_draft(&merged, names)?;
                cells = cells.saturating_add(grid.size());
                if cells > MOST_CELLS {
                    return Err(grid.too_many(cells, &merged).into());
                }
                grid.with_cells().map_err(|error| merged.locate(error).into())
            })
            .collect::<Result<Vec<Grid>>>()?;
        Ok(Spec { name, seed, grids, bounds: Vec::new(), registry: names.registry.clone() })
    }

    /// The algorithms among which its own are.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Its cells in the order of the tables, each once.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.grids.iter().flat_map(Grid::cells).cloned().collect();
        cells.sort_by(|a, b| a.key().cmp(b.key()));
        cells.dedup_by(|a, b| a.key() == b.key());
        cells
    }

    /// The files that it names, by path, and what they said.
    pub fn files(&self) -> BTreeMap<&str, &str> {
        let topologies = self.grids.iter().flat_map(|grid| &grid.topologies);
        let networks = topologies.filter_map(Topology::file);
        let networks = networks.map(|file| (file.path.as_str(), file.text.as_str()));
        let layouts = self.grids.iter().flat_map(|grid| &grid.layouts);
        let rings = layouts.filter_map(|layout| match layout {
            Layout::File(file) => Some((file.path.as_str(), file.text.as_str())),
            _ => None,
        });
        networks.chain(rings).collect()
    }
}

fn folder_name(raw: &Raw) -> Checked<String> {
    let name = text(raw)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
        let problem = "a name has letters, digits, dots, dashes and underscores only";
        return Err(bad(raw, problem, "name it like average-case"));
    }
    Ok(name)
}
