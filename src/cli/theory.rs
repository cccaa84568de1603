//! `hustings theory`: what is known.

use std::fmt::Write;
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::arguments::{table_format, whole};
use super::columns::paragraph;
use super::terminal::{json_text, print};
use crate::algorithm::{Limit, On};
use crate::engine::{Entry, Registry};
use crate::experiment::cell::{Cell, Setting};
use crate::experiment::error::Result;
use crate::experiment::files::Files;
use crate::experiment::names::Names;
use crate::experiment::timing::Initiators;
use crate::model::distribution::Distribution;
use crate::model::error::Input;
use crate::model::escape;
use crate::model::metric::Metric;
use crate::model::theory::{CURVES, Case, Certainty, Fact, Facts};
use crate::model::topology::{Shape, Topology};
use crate::show::table::{Format, Table};

/// Formulas, bounds and values.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings theory --algorithm chang-roberts --n 1000
  hustings theory --algorithm chang-roberts --n 300 --distribution
  hustings theory --algorithm peterson --n 1000 --format latex")]
pub struct Theory {
    /// The algorithm; `hustings list` shows all
    #[arg(long)]
    algorithm: String,
    /// The number of nodes
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    n: u64,
    /// Who is whose neighbour [default: ring; path for trees, complete for cliques];
    /// one with chance in it is drawn once
    #[arg(long)]
    topology: Option<String>,
    /// Who starts: all, one, count:K, share:P or at:0,3,5
    #[arg(long, default_value = "all")]
    initiators: String,
    /// The exact distribution over all rings, where it is known: that of
    /// chang-roberts and its like, n up to 500, and of peterson, franklin and
    /// peterson-alternating, n up to 4096
    #[arg(long)]
    distribution: bool,
    /// How the table is written [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Theory {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let format = table_format(self.format, self.json)?;
        let entry = registry.named(&self.algorithm)?;
        if self.n == 0 {
            let problem = "an election needs at least one process";
            return Err(Input::new("n", 0, problem, "use 1 or more").into());
        }
        let initiators: Initiators = self.initiators.parse()?;
        initiators.check(self.n)?;
        if self.distribution {
            let law = self.distribution(entry, &initiators)?;
            return print(&match (self.json, format) {
                (true, _) => json_text(&self.distribution_json(&law)),
                (false, Format::Text) => self.distribution_text(&law),
                (false, format) => self.distribution_table(&law, format).to_string(format),
            });
        }
        let topology = self.topology(registry, entry)?;
        let case = self.case(entry, &topology, initiators)?;
        print(&match (self.json, format) {
            (true, _) => json_text(&self.json(entry, &topology, &case)),
            (false, Format::Text) => self.text(entry, &topology, &case),
            (false, format) => self.table(entry, &topology, &case).to_string(format),
        })
    }

    fn topology(&self, registry: &Registry, entry: &Entry) -> Result<Topology> {
        Ok(match &self.topology {
            Some(topology) => Names { registry, files: &Files::on_disk() }.topology(topology)?,
            None if entry.model.on == On::Trees => Topology::Path,
            None if entry.model.on == On::Cliques => Topology::Complete,
            None => Topology::Ring,
        })
    }

    /// What theorems are asked about.
    fn case(
        &self,
        entry: &Arc<Entry>,
        topology: &Topology,
        initiators: Initiators,
    ) -> Result<Case> {
        let count = initiators.count(self.n);
        match (entry.model.on, Shape::of(topology, self.n)) {
            (On::Rings, _) if *topology == Topology::Ring => Ok(initiators.case(self.n)),
            (On::Graphs, Some(shape)) => Ok(Case { shape, ..Case::ring(self.n, count) }),
            (On::Trees, Some(shape)) if *topology == Topology::Path => {
                Ok(Case { shape, ..Case::ring(self.n, count) })
            }
            (On::Cliques, shape) if *topology == Topology::Complete => {
                // Large ones have more edges than 64 bits can count, and theorems ask for n alone.
                let many = Shape { edges: u64::MAX, leaves: 0, diameter: Some(1) };
                let shape = shape.unwrap_or(many);
                Ok(Case { shape, ..Case::ring(self.n, count) })
            }
            _ => {
                let topology = topology.clone();
                let setting = Setting { topology, initiators, ..Setting::of(self.n) };
                let cell = Cell::new(entry, setting)?;
                cell.check_memory()?;
                Ok(cell.prepare(1)?.theory(0)?.0)
            }
        }
    }

    fn json(&self, entry: &Entry, topology: &Topology, case: &Case) -> serde_json::Value {
        let facts = entry.theory(Metric::Messages, case);
        let metrics: serde_json::Map<_, _> =
            others(entry, case).map(|(metric, facts)| (metric.to_string(), json!(facts))).collect();
        let curves: Vec<_> = CURVES
            .iter()
            .map(|curve| {
                json!({
                    "name": curve.name,
                    "value": (curve.value)(self.n),
                    "source": curve.source,
                })
            })
            .collect();
        json!({
            "algorithm": entry.name,
            "topology": topology.to_string(),
            "n": self.n,
            "initiators": self.initiators,
            "best": facts.best,
            "mean": facts.mean,
            "worst": facts.worst,
            "variance": facts.variance,
            "limit": self.limit(entry, case).map(|limit| {
                json!({
                    "of": limit.of,
                    "skewness": limit.skewness,
                    "excess_kurtosis": limit.kurtosis,
                    "certainty": Certainty::Numerical,
                    "source": limit.source,
                })
            }),
            "metrics": metrics,
            "curves": curves,
        })
    }

    fn text(&self, entry: &Entry, topology: &Topology, case: &Case) -> String {
        let mut text = format!("{}: messages on {}\n\n", entry.name, self.place(topology));
        text += &paragraph("  source      ", entry.source);
        text += &paragraph("  initiators  ", &self.initiators);
        for (name, fact) in entry.theory(Metric::Messages, case).named() {
            let label = format!("  {name:<10}  ");
            match fact {
                None => text += &paragraph(&label, "not known"),
                Some(fact) => {
                    text += &paragraph(&label, &format!("{} = {}", value(fact), fact.formula));
                    let sure = certainty(fact.certainty);
                    text += &paragraph(INDENT, &format!("{sure}: {}", fact.source));
                }
            }
        }
        if let Some(limit) = self.limit(entry, case) {
            text += &paragraph("  limit       ", &limit_sentence(&limit));
            text += &paragraph(INDENT, &format!("numerical: {}", limit.source));
        }
        for (metric, facts) in others(entry, case) {
            _ = writeln!(text, "\n{metric}\n");
            let line = |name: &str, fact: &Fact| {
                let Fact { formula, source, .. } = fact;
                let value = match fact.value.to_string() == *formula {
                    true => formula.clone(),
                    false => format!("{} = {formula}", value(fact)),
                };
                let known = format!("{value} ({}: {source})", certainty(fact.certainty));
                paragraph(&format!("  {name:<10}  "), &known)
            };
            if let Some(fact) = facts.best.as_ref().filter(|_| facts.best == facts.worst) {
                text += &line("always", fact);
                continue;
            }
            for (name, fact) in facts.named() {
                text += &fact.map_or_else(String::new, |fact| line(name, fact));
            }
        }
        text += "\nto compare with\n\n";
        for curve in CURVES {
            let value = (curve.value)(self.n);
            text += &paragraph("  ", &format!("{value:.1} = {}", curve.name));
            text += &paragraph(INDENT, curve.source);
        }
        text
    }

    fn place(&self, topology: &Topology) -> String {
        match topology {
            Topology::Ring => format!("a ring of {}", self.n),
            other => format!("{}, {} nodes", escape::terminal(other), self.n),
        }
    }

    /// Every known fact of every metric, and the curves to compare with.
    fn table(&self, entry: &Entry, topology: &Topology, case: &Case) -> Table {
        let mut table = Table::new(&["metric", "case", "#value", "formula", "known", "source"]);
        let place = self.place(topology);
        table.say_before(format!("{} on {place}, initiators: {}", entry.name, self.initiators));
        let messages = (Metric::Messages, entry.theory(Metric::Messages, case));
        for (metric, facts) in std::iter::once(messages).chain(others(entry, case)) {
            for (name, fact) in facts.named() {
                let Some(Fact { value, formula, source, .. }) = fact else { continue };
                let sure = fact.map_or("", |fact| certainty(fact.certainty));
                let words = [metric.name(), name, &format!("{value:.4}"), formula, sure, source];
                table.row(words.map(str::to_owned));
            }
        }
        for curve in CURVES {
            let value = format!("{:.4}", (curve.value)(self.n));
            let words = ["messages", "to compare with", &value, curve.name, "", curve.source];
            table.row(words.map(str::to_owned));
        }
        if let Some(limit) = self.limit(entry, case) {
            table.say_after(format!("{} (numerical: {})", limit_sentence(&limit), limit.source));
        }
        table.say_after(format!("source of the algorithm: {}", entry.source));
        table
    }

    /// What the law tends to, where it is about this case.
    fn limit(&self, entry: &Entry, case: &Case) -> Option<Limit> {
        entry.limit.filter(|_| case.is_all())
    }

    /// The exact distribution; refuses what has no known one.
    fn distribution(&self, entry: &Entry, initiators: &Initiators) -> Result<Distribution, Input> {
        if initiators.count(self.n) != Some(self.n) {
            let problem = "the exact distribution is known where everybody starts";
            return Err(Input::new("initiators", initiators, problem, "use all"));
        }
        let Entry { name, law, .. } = entry;
        let Some(law) = law else {
            let problem = "its exact distribution is known for small rings only";
            let remedy = format!("try hustings exact --algorithm {name} --n 8");
            return Err(Input::new("algorithm", name, problem, remedy));
        };
        law.distribution(self.n).ok_or_else(|| {
            let problem = "the exact distribution of so large a ring takes too long";
            let remedy = format!("use at most {}, or hustings run to measure it", law.largest);
            Input::new("n", self.n, problem, remedy)
        })
    }

    fn distribution_json(&self, law: &Distribution) -> serde_json::Value {
        let (support, pmf): (Vec<u64>, Vec<f64>) = law.iter().unzip();
        let quantiles: serde_json::Map<_, _> = LEVELS
            .iter()
            .filter_map(|(name, p)| Some((name.to_string(), law.quantile(*p)?.into())))
            .collect();
        json!({
            "algorithm": self.algorithm,
            "topology": "ring",
            "n": self.n,
            "initiators": self.initiators,
            "mean": law.mean(),
            "variance": law.variance(),
            "quantiles": quantiles,
            "support": support,
            "pmf": pmf,
        })
    }

    fn distribution_text(&self, law: &Distribution) -> String {
        let mut text = format!(
            "{}: the distribution of messages over all rings of {}\n\n",
            self.algorithm, self.n
        );
        let (first, last) = law.support().into_inner();
        text += &paragraph("  support     ", &format!("{first} to {last}"));
        text += &paragraph("  mean        ", &format!("{:.6}", law.mean()));
        let deviation = law.variance().sqrt();
        text += &paragraph("  deviation   ", &format!("{deviation:.6} (standard)"));
        let mut quantiles = Table::new(&["#share", "messages at most"]);
        for (name, p) in LEVELS {
            if let Some(quantile) = law.quantile(p) {
                quantiles.row([format!("{name} %"), quantile.to_string()]);
            }
        }
        text += &format!("\n{}", quantiles.to_string(Format::Text));
        let rows = ranges(law);
        let most = rows.iter().map(|row| row.2).fold(f64::MIN_POSITIVE, f64::max);
        let mut bars = Table::new(&["#messages", "#probability", ""]);
        for (from, to, p) in rows {
            let range = match from == to {
                true => from.to_string(),
                false => format!("{} to {}", from, to),
            };
            let bar = "#".repeat((p / most * 40.0).round() as usize);
            bars.row([range, format!("{p:.6}"), bar]);
        }
        text + "\n" + &bars.to_string(Format::Text)
    }

    /// The probabilities: programs get that of every number, people those of ranges.
    fn distribution_table(&self, law: &Distribution, format: Format) -> Table {
        let mut table = Table::new(&["#from", "#to", "#probability"]);
        table.say_before(format!(
            "{}: the distribution of messages over all rings of {}; mean {:.6}, standard deviation {:.6}",
            self.algorithm,
            self.n,
            law.mean(),
            law.variance().sqrt()
        ));
        if format == Format::Csv {
            for (messages, p) in law.iter() {
                table.row([messages.to_string(), messages.to_string(), p.to_string()]);
            }
            return table;
        }
        for (from, to, p) in ranges(law) {
            table.row([from.to_string(), to.to_string(), format!("{p:.6}")]);
        }
        let quantiles = LEVELS.iter().filter_map(|(name, p)| {
            let quantile = law.quantile(*p)?;
            Some(format!("{name} %: {quantile}"))
        });
        let quantiles = quantiles.collect::<Vec<_>>().join(", ");
        table.say_after(format!("shares of rings with at most so many messages: {quantiles}"));
        table
    }
}

/// All but the rarest numbers of messages, in about [`ROWS`] ranges: first, last, probability.
fn ranges(law: &Distribution) -> Vec<(u64, u64, f64)> {
    let (Some(low), Some(high)) = (law.quantile(0.0001), law.quantile(0.9999)) else {
        return Vec::new();
    };
    let step = ((high - low) / ROWS + 1) as usize;
    let range = |from: u64| {
        let to = (from + step as u64 - 1).min(high);
        (from, to, (from..=to).map(|x| law.pmf(x)).sum())
    };
    (low..=high).step_by(step).map(range).collect()
}

fn limit_sentence(Limit { of, skewness, kurtosis, .. }: &Limit) -> String {
    format!("{of} tends to a law with skewness {skewness} and excess kurtosis {kurtosis}")
}

/// What is known besides messages, metric by metric.
fn others(entry: &Entry, case: &Case) -> impl Iterator<Item = (Metric, Facts)> {
    let facts = |metric: Metric| (metric, entry.theory(metric, case));
    let others = Metric::ALL.into_iter().filter(|&metric| metric != Metric::Messages);
    others.map(facts).filter(|(_, facts)| *facts != Facts::default())
}

/// The number, and how exact it is.
fn value(fact: &Fact) -> String {
    let Fact { value, error, .. } = fact;
    // The error by its first three digits.
    let error = error.and_then(|error| format!("{error:.2e}").parse::<f64>().ok());
    error.map_or_else(|| format!("{value:.4}"), |error| format!("{value:.4} ± {error}"))
}

/// How a fact is known.
fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Proved => "proved",
        Certainty::Enumerated => "found by enumeration",
        Certainty::Bound => "a bound",
        Certainty::Numerical => "numerical",
        Certainty::Measured => "measured",
    }
}

/// Where the second line of an entry begins.
const INDENT: &str = "              ";

/// The quantiles that are shown, by their names in per cent.
const LEVELS: [(&str, f64); 8] = [
    ("1", 0.01),
    ("5", 0.05),
    ("25", 0.25),
    ("50", 0.5),
    ("75", 0.75),
    ("95", 0.95),
    ("99", 0.99),
    ("99.9", 0.999),
];

/// About how many rows the table of probabilities has.
const ROWS: u64 = 24;
