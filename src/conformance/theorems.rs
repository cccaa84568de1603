//! Theorems about all rings, held against all rings.

use std::error::Error;

use super::network::Network;
use super::trial::{Problem, Trial};
use crate::algorithm::On;
use crate::engine::Entry;
use crate::engine::enumerate::{Census, Rings, Starters};
use crate::model::stop::NEVER;
use crate::model::theory::Case;

/// All rings up to this size are held against theorems about all rings.
pub(super) const LARGEST: u32 = 7;

/// All rings of n dense IDs, simulated in rounds, everybody starting.
pub(super) fn census(entry: &Entry, n: u32) -> Result<Census, Box<dyn Error>> {
    let rings = Rings::new(entry, n, Starters::All)?.simulated();
    Ok(rings.census(&NEVER, &|_| {})?)
}

/// How many rings agree with their theorems together, or one that stands for those which do not.
pub(super) fn check(entry: &Entry) -> Result<u64, Box<(Trial, Problem)>> {
    if entry.model.on != On::Rings || entry.model.flips_coins {
        return Ok(0);
    }
    let mut rings = 0;
    for n in 1..=LARGEST {
        let Ok(census) = census(entry, n) else { continue };
        rings += census.rings;
        let facts = (entry.facts)(&Case::all(u64::from(n)));
        let found = [
            ("best", &facts.best, census.min.messages as f64, &census.min.ring),
            ("mean", &facts.mean, census.mean.as_f64(), &census.min.ring),
            ("worst", &facts.worst, census.max.messages as f64, &census.max.ring),
            ("variance", &facts.variance, census.variance.as_f64(), &census.min.ring),
        ];
        for (name, fact, value, ring) in found {
            let Some(fact) = fact.as_ref().filter(|fact| fact.is_exact()) else { continue };
            let expected = fact.value.as_f64();
            if (expected - value).abs() > 1e-9 * value.abs().max(1.0) {
                let problem = Problem::Expected(format!(
                    "the {name} of all rings is {value}, and theory says {expected} = {}",
                    fact.formula
                ));
                let trial = Trial::in_rounds(Network::ring(n), ring.clone());
                return Err(Box::new((trial, problem)));
            }
        }
    }
    Ok(rings)
}
