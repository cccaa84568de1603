//! What the manifest says about an experiment, for people.

use crate::experiment::built_in::command_of;
use crate::experiment::spec::Spec;
use crate::results::Manifest;

/// The command that makes the experiment if it is one that the program knows by heart.
pub(super) fn built_in(spec: &Spec, manifest: &Manifest) -> Option<String> {
    command_of(spec.registry(), &spec.name, manifest.seed, &manifest.spec_hash)
}

/// What it says, line by line; the cells and the spec stand elsewhere.
pub(super) fn facts(manifest: &Manifest) -> Vec<(&'static str, String)> {
    let host = manifest.host.as_ref().map(|host| {
        let name = host.name.iter().cloned();
        let known = name.chain([host.system.clone(), host.processor.clone()]);
        let cores = host.cores.iter().map(|cores| format!("{cores} cores"));
        known.chain(cores).collect::<Vec<_>>().join(", ")
    });
    let facts = [
        ("program", Some(manifest.program.clone())),
        ("version", Some(manifest.version.clone())),
        ("commit", manifest.commit.clone()),
        ("seed", Some(manifest.seed.to_string())),
        ("spec, SHA-256", Some(manifest.spec_hash.clone())),
        ("rows of runs.csv", Some(manifest.rows.to_string())),
        ("runs.csv, SHA-256", Some(manifest.runs_sha256.clone())),
        ("kinds.csv, SHA-256", Some(manifest.kinds_sha256.clone())),
        ("host", host),
        ("start", manifest.start.map(utc)),
        ("end", manifest.end.map(utc)),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
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
