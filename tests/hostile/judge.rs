//! What must hold after every command: how it ended, what it said, what is still there.

use std::path::{Path, PathBuf};

use super::scene::{Attack, Ended, Thing, Tree, UNFINISHED};

/// The ways to end: fine, something was found wrong, could not be done, Ctrl-C, SIGTERM.
const CODES: [i32; 5] = [0, 1, 2, 130, 143];

/// The files of a results folder that are ours.
const OURS: [&str; 7] = [
    "runs.csv",
    "kinds.csv",
    "cells.csv",
    "fits.csv",
    "datapackage.json",
    "manifest.json",
    "spec.toml",
];

/// Something that does not hold: what kind of thing, and the particulars.
pub type Fault = (&'static str, String);

/// How it ended and what it said.
pub fn manners(attack: &Attack, ended: &Ended) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    let out = String::from_utf8_lossy(&ended.out);
    let err = String::from_utf8_lossy(&ended.err);
    let told = || {
        let told = if err.is_empty() { &out } else { &err };
        let told: String = told.chars().take(400).collect();
        format!("{:?}: {}", ended.code, told.escape_debug())
    };
    if ended.killed {
        return vec![("a hang", format!("still running after {:.1?}", ended.took))];
    }
    if err.contains("panicked") {
        faults.push(("a panic", told()));
    }
    match ended.code {
        None => faults.push(("a signal", told())),
        Some(code) if !CODES.contains(&code) => faults.push(("a strange exit code", told())),
        Some(code) if !attack.codes.is_empty() && !attack.codes.contains(&code) => {
            faults.push(("another exit code", format!("not {:?}: {}", attack.codes, told())));
        }
        _ => {}
    }
    if attack.wiring.shows_errors() {
        let sentences = err.lines().filter(|line| line.starts_with("error:")).count();
        // Who gives no command at all gets the help, and about usage the parser speaks for itself.
        let usage = attack.arguments.is_empty() || err.contains("try '--help'") && sentences > 0;
        if ended.code == Some(2) && sentences != 1 && !usage {
            faults.push(("no single sentence", told()));
        }
        if ended.code == Some(0) && sentences != 0 {
            faults.push(("an error that is none", told()));
        }
    }
    // What a terminal would obey.
    let raw = |text: &str| text.chars().any(|c| c.is_control() && !"\n\t".contains(c));
    // A script is for a shell, and has to have names as they are.
    if raw(&out) && attack.verb() != "slurm" {
        faults.push(("control characters on standard output", out.escape_debug().to_string()));
    }
    if raw(&err) {
        faults.push(("control characters on standard error", err.escape_debug().to_string()));
    }
    let before = attack.arguments.iter().take_while(|word| *word != "--");
    let wants_json = before.clone().any(|word| word == "--json") && attack.verb() != "run";
    if wants_json
        && !attack.has("--help")
        && matches!(ended.code, Some(0 | 1))
        && !out.is_empty()
        && let Err(error) = serde_json::from_str::<serde_json::Value>(&out)
    {
        faults.push(("bad JSON", format!("{error}: {}", told())));
    }
    faults
}

/// What is still there of what was there at first, and what should not be, though it was not there
/// a moment ago.
pub fn damage(
    attack: &Attack,
    ended: &Ended,
    before: &Tree,
    last: &Tree,
    after: &Tree,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, thing) in before {
        match after.get(path) {
            Some(now) if now == thing => {}
            now if may_change(attack, ended.code, path, thing, now, before) => {}
            now => {
                let what = match now {
                    None => "is gone",
                    Some(Thing::File(_)) => "has other bytes",
                    Some(_) => "is something else",
                };
                faults.push(("something lost", format!("{} {what}", path.display())));
            }
        }
    }
    let new = after.iter().filter(|(path, _)| !before.contains_key(*path));
    for (path, thing) in new.filter(|(path, thing)| last.get(*path) != Some(thing)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let top = path.parent().is_none_or(|parent| before.contains_key(parent));
        let temporary = name.starts_with(UNFINISHED) || path.starts_with("tmp") && top;
        if temporary && !ended.killed {
            faults.push(("something left behind", path.display().to_string()));
        }
        if name == "PWNED" {
            faults.push(("a name that was carried out", path.display().to_string()));
        }
        if path.starts_with("beside") {
            faults.push(("a file outside", path.display().to_string()));
        }
        if let Thing::File(bytes) = thing {
            faults.extend(readable(path, bytes));
        }
    }
    if let (Some((made, like)), false) = (attack.made, ended.killed) {
        let at = |name: &str| after.get(&Path::new("work").join(name));
        if at(made).is_none() || at(made) != at(like) {
            faults.push(("unfinished work", format!("{made} is not as {like}")));
        }
    }
    faults
}

/// Files for other programs can be read by them.
fn readable(path: &Path, bytes: &[u8]) -> Option<Fault> {
    let text = String::from_utf8_lossy(bytes);
    let problem = match path.extension()?.to_str()? {
        "svg" | "xml" => roxmltree::Document::parse(&text).err()?.to_string(),
        "json" => serde_json::from_str::<serde_json::Value>(&text).err()?.to_string(),
        _ => return None,
    };
    Some(("an output that cannot be read", format!("{}: {problem}", path.display())))
}

/// Whether a command that was carried out may have replaced what stood at a path.
fn may_change(
    attack: &Attack,
    code: Option<i32>,
    path: &Path,
    thing: &Thing,
    now: Option<&Thing>,
    before: &Tree,
) -> bool {
    // Files are replaced by files; links, pipes, devices and folders stay what they are.
    let replaced = matches!((thing, now), (Thing::File(_), Some(Thing::File(_))));
    let seen = |value: &Path| lexical(&Path::new("work").join(value));
    let is = |flag: &str| attack.value(flag).is_some_and(|value| seen(&value) == path);
    let inputs = || attack.arguments.iter().skip(1).map(Path::new);
    let table = OURS.iter().any(|our| path.ends_with(our));
    let of_input = table && inputs().any(|word| path.parent() == Some(&seen(word)));
    let twice = inputs().filter(|word| seen(word) == path).count() > 1;
    // What was found wrong by these is in what they write; any other that failed has done nothing.
    let done = match attack.verb() {
        "check" | "summarise" => matches!(code, Some(0 | 1)),
        _ => code == Some(0),
    };
    done && match attack.verb() {
        "run" | "merge" | "reproduce" => {
            let folders: Vec<PathBuf> = match attack.value("--out") {
                Some(out) => vec![seen(&out)],
                None => inputs().map(seen).collect(),
            };
            folders.iter().any(|folder| {
                let ours = is_results(before, folder);
                let name = path.strip_prefix(folder).ok();
                ours && name.is_some_and(|name| {
                    OURS.iter().any(|our| name == Path::new(our)) || name.starts_with("parts")
                })
            })
        }
        "summarise" | "plot" => {
            let estimates = ["cells.csv", "fits.csv", "datapackage.json"];
            let estimates = estimates.iter().any(|name| path.ends_with(name));
            let folder = path.parent().unwrap_or(path);
            let figure = attack.value("--out").is_some_and(|out| seen(&out) == folder);
            replaced && (figure && attack.has("--force") || estimates && of_input)
        }
        "check" => {
            let output = is("--junit") || is("--markdown") || is("--export");
            replaced && output && !of_input && !twice
        }
        "baseline" => {
            let output = is("--out") || is("-o");
            replaced && output && !of_input && attack.has("--force")
        }
        "report" => {
            let page = matches!(thing, Thing::File(bytes) if bytes.starts_with(b"<!doctype html>")
                || bytes.starts_with(b"<!DOCTYPE html>"));
            replaced && is("--out") && page
        }
        _ => false,
    }
}

/// Whether a results folder stood there.
fn is_results(before: &Tree, folder: &Path) -> bool {
    match before.get(&folder.join("spec.toml")) {
        Some(Thing::File(bytes)) => bytes.starts_with(b"# hustings "),
        _ => false,
    }
}

/// A path without `.` and `..`.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}
