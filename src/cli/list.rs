//! `hustings list`: what there is.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use super::columns::paragraph;
use super::terminal::{json_text, print};
use crate::algorithm::On;
use crate::engine::{Entry, Registry};
use crate::experiment::error::Result;
use crate::experiment::layout::{IDS, LAYOUTS};
use crate::experiment::timing::{INITIATORS, TIMINGS};
use crate::model::topology::TOPOLOGIES;

/// Everything that has a name, with one line each.
#[derive(Debug, Args)]
pub struct List {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The lists beside the algorithms.
const LISTS: [(&str, &[(&str, &str)]); 5] = [
    ("topologies", TOPOLOGIES),
    ("layouts", LAYOUTS),
    ("ids", IDS),
    ("initiators", INITIATORS),
    ("timings", TIMINGS),
];

impl List {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        print(&if self.json { json_text(&as_json(registry)) } else { as_text(registry) })
    }
}

/// What an algorithm needs, in a few words.
fn needs(entry: &Entry) -> Vec<&'static str> {
    let model = entry.model;
    [
        (model.on == On::Rings, "a ring"),
        (model.on == On::Trees, "a tree"),
        (model.on == On::Cliques, "a complete network"),
        (entry.synchronous, "rounds"),
        (model.needs_fifo, "FIFO"),
        (model.knows_n, "n"),
        (model.knows_neighbours, "the neighbours' IDs"),
        (model.knows_diameter, "the diameter"),
        (model.needs_all, "all start"),
        (model.counts_to_ids, "small IDs"),
    ]
    .into_iter()
    .filter_map(|(needed, name)| needed.then_some(name))
    .collect()
}

fn as_text(registry: &Registry) -> String {
    let mut text = "algorithms\n".to_owned();
    for entry in registry.entries() {
        _ = writeln!(text, "  {}", entry.name);
        _ = writeln!(text, "      {}", entry.summary);
        let mut model = entry.model.elects.rule().to_owned();
        if !needs(entry).is_empty() {
            model += &format!("; needs {}", needs(entry).join(", "));
        }
        text += &paragraph("      ", &model);
    }
    for (title, entries) in LISTS {
        _ = writeln!(text, "\n{title}");
        for (name, summary) in entries {
            _ = writeln!(text, "  {name}\n      {summary}");
        }
    }
    text
}

fn as_json(registry: &Registry) -> serde_json::Value {
    let algorithms: Vec<_> = registry
        .entries()
        .iter()
        .map(|entry| {
            json!({
                "name": entry.name,
                "summary": entry.summary,
                "source": entry.source,
                "elects": entry.model.elects.rule(),
                "needs": needs(entry),
                "kinds": entry.kinds.names().collect::<Vec<_>>(),
            })
        })
        .collect();
    let mut object = json!({ "algorithms": algorithms });
    for (title, entries) in LISTS {
        object[title] = entries
            .iter()
            .map(|(name, summary)| json!({ "name": name, "summary": summary }))
            .collect();
    }
    object
}
