//! `hustings theory`: what is known.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use crate::algorithm::{self, Entry};
use crate::error::{Input, Result};
use crate::theory::{CURVES, Case, Certainty, Facts};
use crate::timing::Initiators;

/// Formulas, bounds and values.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings theory --algorithm chang-roberts --n 1000")]
pub struct Theory {
    /// The algorithm; `hustings list` shows all
    #[arg(long)]
    algorithm: String,
    /// The number of nodes
    #[arg(long)]
    n: u64,
    /// Who starts: all, one, count:K, share:P or at:0,3,5
    #[arg(long, default_value = "all")]
    initiators: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Theory {
    pub(super) fn run(&self) -> Result<()> {
        let entry = algorithm::named(&self.algorithm)?;
        if self.n == 0 {
            let problem = "a ring needs at least one process";
            return Err(Input::new("n", 0, problem, "use 1 or more").into());
        }
        let initiators: Initiators = self.initiators.parse()?;
        // Positions are small, so a ring too large for them is checked as the largest.
        initiators.check(u32::try_from(self.n).unwrap_or(u32::MAX))?;
        let facts = (entry.facts)(&Case { n: self.n, initiators: initiators.count(self.n) });
        super::print(&match self.json {
            true => super::json(&self.json(entry, &facts)),
            false => self.text(entry, &facts),
        })
    }

    fn json(&self, entry: &Entry, facts: &Facts) -> serde_json::Value {
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
            "topology": crate::cell::RING,
            "n": self.n,
            "initiators": self.initiators,
            "best": facts.best,
            "mean": facts.mean,
            "worst": facts.worst,
            "variance": facts.variance,
            "curves": curves,
        })
    }

    fn text(&self, entry: &Entry, facts: &Facts) -> String {
        let mut text = format!(
            "{}: messages on a ring of {} (initiators {}; {})\n\n",
            entry.name, self.n, self.initiators, entry.source
        );
        for (name, fact) in facts.named() {
            match fact {
                None => _ = writeln!(text, "  {name:<9} not known"),
                Some(fact) => {
                    let sure = match fact.certainty {
                        Certainty::Proved => "proved",
                        Certainty::Enumerated => "found by enumeration",
                        Certainty::Bound => "a bound",
                        Certainty::Measured => "measured",
                    };
                    let value = format!("{:.4}", fact.value);
                    _ = writeln!(text, "  {name:<9} {value:<20} {}", fact.formula);
                    _ = writeln!(text, "  {:<9} {:<20} {sure}: {}", "", "", fact.source);
                }
            }
        }
        text += "\nto compare with\n\n";
        for curve in CURVES {
            let value = (curve.value)(self.n);
            _ = writeln!(text, "  {:<30} {value:.1}", curve.name);
            _ = writeln!(text, "  {:<30} {}", "", curve.source);
        }
        text
    }
}
