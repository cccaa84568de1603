//! `hustings theory`: what is known.

use std::fmt::Write;
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::arguments::whole;
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

/// Formulas, bounds and values.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings theory --algorithm chang-roberts --n 1000
  hustings theory --algorithm chang-roberts --n 300 --distribution")]
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
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Theory {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let entry = registry.named(&self.algorithm)?;
        if self.n == 0 {
            let problem = "an election needs at least one process";
            return Err(Input::new("n", 0, problem, "use 1 or more").into());
        }
        let initiators: Initiators = self.initiators.parse()?;
        initiators.check(self.n)?;
        if self.distribution {
            let law = self.distribution(entry, &initiators)?;
            return print(&match self.json {
                true => json_text(&self.distribution_json(&law)),
                false => self.distribution_text(&law),
            });
        }
        let topology = self.topology(registry, entry)?;
        let case = self.case(entry, &topology, initiators)?;
        print(&match self.json {
            true => json_text(&self.json(entry, &topology, &case)),
            false => self.text(entry, &topology, &case),
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
        let place = match topology {
            Topology::Ring => format!("a ring of {}", self.n),
            other => format!("{}, {} nodes", escape::terminal(other), self.n),
        };
        let mut text = format!("{}: messages on {place}\n\n", entry.name);
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
            let Limit { of, skewness, kurtosis, source, .. } = limit;
            let law = format!(
                "{of} tends to a law with skewness {skewness} and excess kurtosis {kurtosis}"
            );
            text += &paragraph("  limit       ", &law);
            text += &paragraph(INDENT, &format!("numerical: {source}"));
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
        text += "\n     share  messages at most\n";
        for (name, p) in LEVELS {
            if let Some(quantile) = law.quantile(p) {
                _ = writeln!(text, "  {:>6} %  {}", name, quantile);
            }
        }
        let (Some(low), Some(high)) = (law.quantile(0.0001), law.quantile(0.9999)) else {
            return text;
        };
        let step = ((high - low) / ROWS + 1) as usize;
        let rows: Vec<(u64, u64, f64)> = (low..=high)
            .step_by(step)
            .map(|from| {
                let to = (from + step as u64 - 1).min(high);
                (from, to, (from..=to).map(|x| law.pmf(x)).sum())
            })
            .collect();
        let most = rows.iter().map(|row| row.2).fold(f64::MIN_POSITIVE, f64::max);
        text += "\n              messages  probability\n";
        for (from, to, p) in rows {
            let range = match from == to {
                true => from.to_string(),
                false => format!("{} to {}", from, to),
            };
            let bar = "#".repeat((p / most * 40.0).round() as usize);
            _ = writeln!(text, "{}", format!("  {range:>20}  {p:<11.6}  {bar}").trim_end());
        }
        text
    }
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
