//! The rules of the house, and who breaks them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::source::PathKind;
use crate::tree::{Import, Lead, Need, Tree};

/// The room that talks to the world.
const TALKER: &str = "cli";

/// Macros that only the talker calls, and what they do.
const MACROS: [(&str, &str); 5] = [
    ("println", PRINTS),
    ("eprintln", PRINTS),
    ("print", PRINTS),
    ("eprint", PRINTS),
    ("dbg", PRINTS),
];

/// Paths that only the talker takes, and what lies there.
const PATHS: [(&[&str], &str); 8] = [
    (&["std", "env"], "reads the environment"),
    (&["std", "process"], "starts and ends processes"),
    (&["std", "io", "stdin"], "reads what is typed"),
    (&["std", "io", "stdout"], PRINTS),
    (&["std", "io", "stderr"], PRINTS),
    (&["clap"], "parses arguments"),
    (&["indicatif"], "draws progress bars"),
    (&["signal_hook"], "catches signals"),
];

const PRINTS: &str = "prints";

/// For what system a program was built is no part of its environment.
const CONSTANTS: [&str; 3] = ["std", "env", "consts"];

/// So many lines fit on a screen.
pub const MOST_LINES: usize = 60;

/// Imports that point to a later room, to one beside, or to a module that stands before all rooms.
pub fn later_rooms(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for path in tree.files.keys() {
        let Some(room) = tree.room_of(path) else { continue };
        let problem = |lead: &Lead| {
            let Lead::Inside(place) = lead else { return None };
            let first = place.first()?;
            let Some(other) = tree.room(first) else {
                let beside_rooms = tree.files.contains_key(&format!("src/{first}.rs"));
                return beside_rooms.then(|| format!("{first} is for users, no room imports it"));
            };
            if other.name == room.name || other.rank < room.rank {
                None
            } else if other.rank == room.rank {
                Some(format!("{} and {} stand beside each other", room.name, other.name))
            } else {
                Some(format!("{} comes before {}", room.name, other.name))
            }
        };
        for import in tree.imports(path) {
            // A name that a `use` brought in is told there.
            let told = import.through.as_ref().is_some_and(|through| problem(through).is_some());
            if let Some(problem) = problem(&import.lead).filter(|_| !told) {
                found.push(format!(
                    "{} imports {}: {problem}",
                    at(path, &import),
                    written(&import)
                ));
            }
        }
    }
    found
}

/// Who prints, reads the environment or does anything else that only the talker does; tests may.
pub fn talkers(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, file) in &tree.files {
        if path == "src/main.rs" || file.module.first().is_some_and(|room| room == TALKER) {
            continue;
        }
        let problem = |lead: &Lead| {
            let Lead::Outside(words) = lead else { return None };
            let words: Vec<&str> = words.iter().map(|word| &**word).collect();
            let taken = PATHS.iter().find(|(path, _)| words.starts_with(path));
            taken.filter(|_| !words.starts_with(&CONSTANTS)).map(|(_, does)| does)
        };
        for import in tree.imports(path).iter().filter(|import| !import.test) {
            let told = import.through.as_ref().is_some_and(|through| problem(through).is_some());
            if let Some(does) = problem(&import.lead).filter(|_| !told) {
                let what = written(import);
                found.push(format!("{} uses {what}: only {TALKER} {does}", at(path, import)));
            }
        }
        for word in file.source.words.iter().filter(|word| word.call && !word.test) {
            if let Some((name, does)) = MACROS.iter().find(|(name, _)| word.text == *name) {
                let line = word.line;
                found.push(format!("{path}:{line} calls {name}!: only {TALKER} {does}"));
            }
        }
    }
    found
}

/// Files of one room that need each other in a circle: for every file the shortest circle through it.
pub fn circles(tree: &Tree) -> Vec<String> {
    let needs: BTreeMap<&str, BTreeMap<&str, Need>> =
        tree.files.keys().map(|path| (&**path, tree.needs(path))).collect();
    let circles: BTreeSet<Vec<&str>> =
        needs.keys().filter_map(|path| shortest_circle(&needs, path)).collect();
    circles.iter().map(|circle| told(&needs, circle)).collect()
}

/// The shortest way from a file to itself, from its first file in the order of names.
fn shortest_circle<'a>(
    needs: &BTreeMap<&'a str, BTreeMap<&'a str, Need>>,
    start: &'a str,
) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(path) = waiting.pop_front() {
        for &next in needs[path].keys() {
            if next == start {
                let mut circle = vec![path];
                while circle[circle.len() - 1] != start {
                    circle.push(before[circle[circle.len() - 1]]);
                }
                circle.reverse();
                let first = (0..circle.len()).min_by_key(|&place| circle[place]).unwrap_or(0);
                circle.rotate_left(first);
                return Some(circle);
            }
            if !before.contains_key(next) {
                before.insert(next, path);
                waiting.push_back(next);
            }
        }
    }
    None
}

fn told(needs: &BTreeMap<&str, BTreeMap<&str, Need>>, circle: &[&str]) -> String {
    let mut text = format!("{} files of a room need each other in a circle:", circle.len());
    for (place, path) in circle.iter().enumerate() {
        let next = circle[(place + 1) % circle.len()];
        let Need { line, what } = &needs[path][next];
        text += &format!("\n  {path}:{line} imports {what} of {next}");
    }
    text
}

/// Rooms that do not say what they are for.
pub fn silent_rooms(tree: &Tree) -> Vec<String> {
    let windows = tree.rooms.iter().map(|room| format!("src/{}/mod.rs", room.name));
    let silent = windows.filter(|path| !tree.files[path].source.opening.contains('.'));
    silent
        .map(|path| {
            format!("{path}:1 opens without `//!` and a sentence: say what the room is for")
        })
        .collect()
}

/// Functions that are longer than a screen, but for those that are named with their file and a reason;
/// and names that need no longer stand there.
pub fn long_functions(tree: &Tree, reasons: &[(&str, &str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    let mut excused = BTreeSet::new();
    for (path, file) in &tree.files {
        for function in file.source.functions.iter().filter(|function| function.lines > MOST_LINES)
        {
            let reason =
                reasons.iter().find(|(file, name, _)| file == path && *name == function.name);
            if let Some((file, name, _)) = reason {
                excused.insert((file, name));
            } else {
                let (line, name, lines) = (function.line, &function.name, function.lines);
                found.push(format!(
                    "{path}:{line} fn {name} has {lines} lines: at most {MOST_LINES}"
                ));
            }
        }
    }
    for (file, name, _) in reasons {
        if !excused.contains(&(file, name)) {
            found.push(format!(
                "{file} fn {name} is no longer above {MOST_LINES} lines: take it off the list"
            ));
        }
    }
    found
}

/// How many files of a room import from another, tests aside: by importer and imported.
pub fn arrows(tree: &Tree) -> BTreeMap<(String, String), usize> {
    let mut arrows = BTreeMap::new();
    for path in tree.files.keys() {
        let Some(room) = tree.room_of(path) else { continue };
        let imports = tree.imports(path);
        let places =
            imports.iter().filter(|import| !import.test).filter_map(|import| match &import.lead {
                Lead::Inside(place) => place.first(),
                Lead::Outside(_) => None,
            });
        let others: BTreeSet<_> =
            places.filter(|first| **first != room.name && tree.room(first).is_some()).collect();
        for other in others {
            *arrows.entry((room.name.clone(), other.clone())).or_insert(0) += 1;
        }
    }
    arrows
}

fn at(path: &str, import: &Import) -> String {
    format!("{path}:{}", import.path.line)
}

/// The import, written out.
fn written(import: &Import) -> String {
    let star = if matches!(import.path.kind, PathKind::Glob { .. }) { "::*" } else { "" };
    match &import.lead {
        Lead::Inside(place) => format!("crate::{}{star}", place.join("::")),
        Lead::Outside(words) => format!("{}{star}", words.join("::")),
    }
}
