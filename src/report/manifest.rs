//! What the manifest says about an experiment, for people.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::{Error, Input, Result};
use crate::record::experiment_name;
use crate::spec::hex;
use crate::summarise::table::Results;

/// The manifest of a results folder.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The experiment's name.
    pub name: String,
    /// Its complete spec.
    pub spec: String,
    /// Whether `runs.csv` is not the file that the manifest was written for.
    pub altered: bool,
    json: Value,
}

impl Manifest {
    /// Reads the manifest of a results folder.
    pub fn read(results: &Results) -> Result<Self> {
        let path = results.path().join("manifest.json");
        let text = std::fs::read_to_string(&path).map_err(Error::file("read", &path))?;
        let json: Value = serde_json::from_str(&text).map_err(|error| {
            let remedy = "restore the file, or repeat the experiment with hustings run --force";
            Input::new("manifest", path.display(), format!("it is damaged: {error}"), remedy)
        })?;
        let runs_hash = sha256(&results.path().join("runs.csv"))?;
        let spec = json["spec"].as_str().unwrap_or_default().to_owned();
        let hash = json["runs_sha256"].as_str();
        let altered = hash.is_some_and(|hash| hash != runs_hash);
        Ok(Manifest { name: experiment_name(results.path()), spec, altered, json })
    }

    /// The command that makes the experiment if it is one that the program knows by heart.
    pub(super) fn built_in(&self) -> Option<String> {
        let (seed, hash) = (self.json["seed"].as_u64()?, self.json["spec_hash"].as_str()?);
        crate::reproduce::command_of(&self.name, seed, hash)
    }

    /// What it says, line by line; the cells and the spec stand elsewhere.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let host: Vec<String> = ["name", "system", "processor"]
            .iter()
            .filter_map(|field| text(&self.json["host"][field]))
            .chain(text(&self.json["host"]["cores"]).map(|cores| format!("{cores} cores")))
            .collect();
        let moment = |field: &str| self.json[field].as_u64().map(utc);
        let facts = [
            ("program", text(&self.json["program"])),
            ("version", text(&self.json["version"])),
            ("commit", text(&self.json["commit"])),
            ("seed", text(&self.json["seed"])),
            ("spec, SHA-256", text(&self.json["spec_hash"])),
            ("rows of runs.csv", text(&self.json["rows"])),
            ("runs.csv, SHA-256", text(&self.json["runs_sha256"])),
            ("host", (!host.is_empty()).then(|| host.join(", "))),
            ("start", moment("start")),
            ("end", moment("end")),
        ];
        facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// The hash of a file, read piece by piece.
fn sha256(path: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    let mut file = File::open(path).map_err(Error::file("read", path))?;
    loop {
        match file.read(&mut piece).map_err(Error::file("read", path))? {
            0 => return Ok(hex(&hash.finalize())),
            size => hash.update(&piece[..size]),
        }
    }
}

/// Seconds since 1970 as a date: the days are counted from 1 March of the year 0, so that leap days
/// come last (Hinnant, "chrono-compatible low-level date algorithms").
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_dates() {
        // As GNU date says: date -u -d @SECONDS.
        for (seconds, date) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59:59 UTC"),
            (1_735_689_599, "2024-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
