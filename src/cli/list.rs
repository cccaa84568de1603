//! `hustings list`: what there is.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use super::columns::paragraph;
use super::terminal::{json_text, print};
use crate::algorithm::{On, Spread};
use crate::engine::{Entry, Registry};
use crate::experiment::error::Result;
use crate::experiment::layout::{IDS, LAYOUTS};
use crate::experiment::timing::{INITIATORS, TIMINGS};
use crate::model::metric::Metric;
use crate::model::theory::{Case, Certainty, Fact, Facts};
use crate::model::topology::{Shape, TOPOLOGIES};

/// Everything that has a name, with a few lines each.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings list
  hustings list --algorithm peterson")]
pub struct List {
    /// One algorithm in full, with its pseudocode and references
    #[arg(long)]
    algorithm: Option<String>,
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
        if let Some(name) = &self.algorithm {
            let entry = registry.named(name)?;
            return print(&if self.json { json_text(&card_json(entry)) } else { card(entry) });
        }
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
        (!model.anonymous, "IDs"),
        (model.unidirectional, "direction"),
        (entry.synchronous, "rounds"),
        (model.needs_fifo, "FIFO"),
        (model.knows_n, "n"),
        (model.knows_neighbours, "the neighbours' IDs"),
        (model.knows_diameter, "the diameter"),
        (model.needs_all, "all start"),
        (model.flips_coins, "coins"),
        (model.counts_to_ids, "small IDs"),
    ]
    .into_iter()
    .filter_map(|(needed, name)| needed.then_some(name))
    .collect()
}

/// Formulas are asked for at this size, where no table of small ones says more.
const LARGE: u64 = 1000;

/// What is known of its messages where all start, on a network of some size.
fn facts(entry: &Entry) -> Facts {
    let (edges, leaves) = if entry.model.on == On::Trees { (LARGE - 1, 2) } else { (LARGE, 0) };
    let shape = Shape { edges, leaves, diameter: Some(LARGE / 2) };
    entry.theory(Metric::Messages, &Case { shape, ..Case::all(LARGE) })
}

/// What is known of its messages, as formulas.
fn formulas(facts: &Facts) -> Vec<(&'static str, &str)> {
    let constant = facts.best.is_some() && facts.best == facts.worst;
    let named = match (constant, facts.best.as_ref()) {
        (true, best) => vec![("always", best)],
        _ => [("mean", &facts.mean), ("best", &facts.best), ("worst", &facts.worst)]
            .map(|(name, fact)| (name, fact.as_ref()))
            .to_vec(),
    };
    let mut formulas = Vec::new();
    for (name, fact) in named {
        if let Some(Fact { formula, certainty, .. }) = fact {
            let at_most = name == "worst" && *certainty == Certainty::Bound;
            formulas.push((if at_most { "at most" } else { name }, formula.as_str()));
        }
    }
    formulas
}

/// Whether schedules matter, and how that is known.
fn schedules(entry: &Entry) -> Option<(&'static str, String)> {
    if entry.is_kahn() {
        return Some((Spread::Never.words(), "proved".to_owned()));
    }
    let certainty = format!("enumerated up to n = {}", Spread::UP_TO);
    entry.spread.map(|spread| (spread.words(), certainty))
}

/// An algorithm in full.
fn card(entry: &Entry) -> String {
    let page = entry.page();
    let mut text = format!("{}: {}\n\n", entry.name, entry.summary);
    let mut line = |name: &str, value: &str| text += &paragraph(&format!("  {name:<12}"), value);
    line("source", entry.source);
    line("elects", entry.model.elects.rule());
    line("needs", &needs(entry).join(", "));
    line("kinds", &entry.kinds.names().collect::<Vec<_>>().join(", "));
    let facts = facts(entry);
    for (name, formula) in formulas(&facts) {
        line(name, &format!("{formula} messages"));
    }
    if !page.cost.is_empty() {
        line("cost", &page.cost);
    }
    line("counted", if entry.counter.is_some() { "yes, without delivering" } else { "no" });
    if let Some((words, certainty)) = schedules(entry) {
        line("schedules", &format!("{words} where links are FIFO ({certainty})"));
    }
    let mut part = |title: &str, lines: &str| {
        if !lines.is_empty() {
            text += &format!("\n{title}\n{lines}");
        }
    };
    let paragraphs =
        |lines: &[String]| -> String { lines.iter().map(|line| paragraph("  ", line)).collect() };
    part("references", &paragraphs(&page.references));
    let code = page.pseudocode.iter().map(|line| format!("  {line}\n"));
    part("pseudocode", &code.collect::<String>());
    part("notes", &paragraphs(&page.notes));
    text
}

fn card_json(entry: &Entry) -> serde_json::Value {
    let page = entry.page();
    let facts = facts(entry);
    let formulas: serde_json::Map<_, _> =
        formulas(&facts).into_iter().map(|(name, it)| (name.to_owned(), it.into())).collect();
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "source": entry.source,
        "year": entry.year(),
        "elects": entry.model.elects.rule(),
        "needs": needs(entry),
        "kinds": entry.kinds.names().collect::<Vec<_>>(),
        "formulas": formulas,
        "cost": page.cost,
        "counted": entry.counter.is_some(),
        "schedules": schedules(entry).map(|(words, certainty)| format!("{words} ({certainty})")),
        "references": page.references,
        "pseudocode": page.pseudocode,
        "notes": page.notes,
    })
}

fn as_text(registry: &Registry) -> String {
    let mut text = "algorithms\n".to_owned();
    for entry in registry.entries() {
        let year = entry.year().map_or_else(String::new, |year| format!(" ({year})"));
        _ = writeln!(text, "  {}{year}", entry.name);
        text += &paragraph("      ", &entry.summary);
        let rule = entry.model.elects.rule();
        text += &paragraph("      ", &format!("{rule}; needs {}", needs(entry).join(", ")));
        let facts = facts(entry);
        let known: Vec<String> =
            formulas(&facts).iter().map(|(name, formula)| format!("{name} {formula}")).collect();
        text += &paragraph("      ", &known.join("; "));
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
    let algorithms: Vec<_> = registry.entries().iter().map(|entry| card_json(entry)).collect();
    let mut object = json!({ "algorithms": algorithms });
    for (title, entries) in LISTS {
        object[title] = entries
            .iter()
            .map(|(name, summary)| json!({ "name": name, "summary": summary }))
            .collect();
    }
    object
}
