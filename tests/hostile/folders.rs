//! Results folders that somebody has edited, and every verb that reads them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hustings::model::random::Stream;
use serde_json::Value;

use super::judge::{self, Fault};
use super::scene::{Attack, Ended, Scene, Tree, copy, hustings, new_template};
use super::values::{self, one};
use super::{Failures, in_parallel};

const PART: &str = "folders";

/// How many folders are edited.
const COUNT: usize = 900;

const SPEC: &str = "name = 'good'\nseed = 5\nruns = 8\nalgorithms = ['chang-roberts', 'peterson']\n\
                    n = [4, 6]\n[bounds]\nchang-roberts = 'n*(n+1)/2'\n";

/// The tables whose bytes the manifest vouches for.
const TABLES: [&str; 2] = ["runs.csv", "kinds.csv"];

/// Files of a finished folder, the tables more often than others.
const FILES: [&str; 11] = [
    "runs.csv",
    "runs.csv",
    "runs.csv",
    "kinds.csv",
    "kinds.csv",
    "manifest.json",
    "manifest.json",
    "spec.toml",
    "cells.csv",
    "fits.csv",
    "datapackage.json",
];

/// A finished folder beside all that a command about it must leave alone.
fn template() -> &'static Path {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let path = new_template("edited");
        let work = path.join("work");
        let write = |name: &str, text: &str| std::fs::write(work.join(name), text).expect(name);
        write("good.toml", SPEC);
        hustings(&work, "run good.toml --out good --quiet");
        hustings(&work, "run good.toml --out other --seed 6 --quiet");
        for shard in 0..2 {
            hustings(&work, &format!("run good.toml --out half --shard {shard}/2 --quiet"));
        }
        hustings(&work, "baseline good -o good.baseline");
        hustings(&work, "summarise good --quiet");
        for folder in ["elsewhere", "out"] {
            std::fs::create_dir(work.join(folder)).expect("made");
        }
        write("elsewhere/keep.csv", "somebody else's\n");
        write("notes.txt", "years of work\n");
        for folder in ["good", "half"] {
            write(&format!("{folder}/notes.txt"), "about these results\n");
            write(&format!("{folder}/.hidden"), "mine\n");
        }
        path
    })
}

/// The folder that is edited.
const EDITED: &str = "edited";

/// What was done to a folder.
struct Edit {
    /// In words.
    words: String,
    /// Whether it can be seen that its tables may not be those that were written.
    tampered: bool,
    /// Whether it is still a folder of ours, so that it can be made anew by force.
    ours: bool,
}

/// Lines of a text, with their ends.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Changes a text; says how.
fn edit_text(bytes: &mut Vec<u8>, words: &mut Stream) -> String {
    let place = words.below(bytes.len().max(1) as u64) as usize;
    let line = words.below(lines(bytes).len().max(1) as u64) as usize;
    match words.below(10) {
        0 | 1 if !bytes.is_empty() => {
            let bit = words.below(8);
            bytes[place] ^= 1 << bit;
            format!("bit {bit} of byte {place} flipped")
        }
        2 => {
            bytes.truncate(place);
            format!("cut off after {place} bytes")
        }
        3 => {
            bytes.clear();
            "emptied".to_owned()
        }
        4 | 5 if !bytes.is_empty() => {
            let mut all = lines(bytes);
            all.remove(line);
            *bytes = all.concat();
            format!("line {} removed", line + 1)
        }
        6 if !bytes.is_empty() => {
            let mut all = lines(bytes);
            all.insert(line, all[line].clone());
            *bytes = all.concat();
            format!("line {} doubled", line + 1)
        }
        7 => {
            *bytes = String::from_utf8_lossy(bytes).replace('\n', "\r\n").into_bytes();
            "ends of lines changed".to_owned()
        }
        8 => {
            let odd = [&b"\0"[..], b"\xff\xfe", b",,,,\n", b"\"", b"0", b"-1", b"1e999", b"NaN"];
            let piece = one(words, &odd);
            bytes.splice(place..place, piece.iter().copied());
            format!("{:?} put in after {place} bytes", String::from_utf8_lossy(piece))
        }
        _ => {
            let digits: Vec<usize> =
                (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            if digits.is_empty() {
                return "left as it is".to_owned();
            }
            let at = *one(words, &digits);
            bytes[at] = if bytes[at] == b'9' { b'3' } else { bytes[at] + 1 };
            format!("digit {at} changed")
        }
    }
}

/// Every place in a JSON value, as a pointer.
fn places(value: &Value, prefix: &str, found: &mut Vec<String>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let path = format!("{prefix}/{}", escaped(key));
                places(inner, &path, found);
                found.push(path);
            }
        }
        Value::Array(list) => {
            for (number, inner) in list.iter().enumerate() {
                let path = format!("{prefix}/{number}");
                places(inner, &path, found);
                found.push(path);
            }
        }
        _ => {}
    }
}

/// Removes a field of the manifest, or makes it another kind of thing.
fn edit_manifest(path: &Path, words: &mut Stream) -> Edit {
    let text = std::fs::read_to_string(path).expect("a manifest");
    let mut json: Value = serde_json::from_str(&text).expect("JSON");
    let mut found = Vec::new();
    places(&json, "", &mut found);
    let hashes: Vec<String> =
        found.iter().filter(|place| place.contains("sha256")).cloned().collect();
    let place = match words.below(4) {
        0 if !hashes.is_empty() => one(words, &hashes).clone(),
        1 => "/version".to_owned(),
        _ => one(words, &found).clone(),
    };
    let odd = [
        Value::Null,
        Value::from(-1),
        Value::from(u64::MAX),
        Value::from(1e300),
        Value::from(""),
        Value::from("x"),
        Value::from(true),
        Value::from(Vec::<u8>::new()),
        serde_json::json!({}),
    ];
    let new = one(words, &odd).clone();
    let words = if words.below(4) == 0 {
        let (parent, key) = place.rsplit_once('/').expect("a pointer");
        match json.pointer_mut(parent) {
            Some(Value::Object(map)) => _ = map.remove(key),
            Some(Value::Array(list)) => _ = key.parse().map(|number: usize| list.remove(number)),
            _ => {}
        }
        format!("{place} of the manifest removed")
    } else {
        let words = format!("{place} of the manifest is now {new}");
        if let Some(value) = json.pointer_mut(&place) {
            *value = new;
        }
        words
    };
    std::fs::write(path, format!("{json:#}\n")).expect("written");
    let tampered = place == "/version" || place.contains("sha256");
    Edit { words, tampered, ours: true }
}

/// Edits a finished folder.
fn edit(work: &Path, words: &mut Stream) -> Edit {
    let folder = work.join(EDITED);
    copy(&work.join("good"), &folder);
    let name = *one(words, &FILES);
    let path = folder.join(name);
    let table = TABLES.contains(&name);
    let link = |to: &str, path: &Path| {
        _ = std::fs::remove_file(path);
        std::os::unix::fs::symlink(to, path).expect("linked");
    };
    match words.below(20) {
        0 => {
            std::fs::remove_file(&path).expect("removed");
            Edit { words: format!("{name} removed"), tampered: table, ours: name != "spec.toml" }
        }
        1 => {
            std::fs::remove_file(&path).expect("removed");
            std::fs::create_dir(&path).expect("made");
            Edit { words: format!("{name} is a folder"), tampered: table, ours: false }
        }
        2 => {
            let to = *one(words, &["nowhere", "/dev/null", "../elsewhere/keep.csv", "."]);
            link(to, &path);
            Edit { words: format!("{name} is a link to {to}"), tampered: table, ours: false }
        }
        3 => {
            // The same bytes, but elsewhere.
            link(&format!("../good/{name}"), &path);
            Edit {
                words: format!("{name} is a link to the true one"),
                tampered: false,
                ours: false,
            }
        }
        4 | 5 => edit_manifest(&folder.join("manifest.json"), words),
        6 => {
            let path = folder.join("spec.toml");
            let text = std::fs::read_to_string(&path).expect("a spec");
            let (_, rest) = text.split_once('\n').expect("a first line");
            let first = *one(words, &["# hustings 9.9.9\n", "# hustings\n", "", "# other 0.1.0\n"]);
            std::fs::write(path, format!("{first}{rest}")).expect("written");
            Edit { words: format!("spec.toml begins with {first:?}"), tampered: true, ours: false }
        }
        7 if table => {
            let text = std::fs::read_to_string(&path).expect("a table");
            let column = *one(words, &["algorithm", "n", "messages", "kind", "run"]);
            let (header, rest) = text.split_once('\n').expect("a header");
            let renamed: Vec<String> = header
                .split(',')
                .map(|it| if it == column { format!("{it}s") } else { it.to_owned() })
                .collect();
            let renamed = renamed.join(",");
            std::fs::write(&path, format!("{renamed}\n{rest}")).expect("written");
            let words = format!("column {column} of {name} renamed");
            Edit { words, tampered: renamed != header, ours: true }
        }
        8 => {
            let to = *one(words, &["../elsewhere", "nowhere", "parts", ".."]);
            std::os::unix::fs::symlink(to, folder.join("parts")).expect("linked");
            Edit { words: format!("parts is a link to {to}"), tampered: false, ours: false }
        }
        9 => {
            copy(&work.join("half/parts"), &folder.join("parts"));
            edit_part(&folder.join("parts"), words)
        }
        10 | 11 => {
            // Unfinished: all parts are there, one of them is not sound.
            std::fs::remove_dir_all(&folder).expect("removed");
            copy(&work.join("half"), &folder);
            match words.below(4) {
                0 => {
                    std::fs::remove_dir_all(folder.join("parts")).expect("removed");
                    let to = *one(words, &["../half/parts", "../elsewhere", "nowhere"]);
                    std::os::unix::fs::symlink(to, folder.join("parts")).expect("linked");
                    let words = format!("unfinished; parts is a link to {to}");
                    Edit { words, tampered: false, ours: false }
                }
                _ => edit_part(&folder.join("parts"), words),
            }
        }
        _ => {
            let good = std::fs::read(&path).expect(name);
            let mut bytes = good.clone();
            let how = edit_text(&mut bytes, words);
            std::fs::write(&path, &bytes).expect("written");
            let tampered = table && bytes != good;
            Edit { words: format!("{name}: {how}"), tampered, ours: name != "spec.toml" }
        }
    }
}

fn edit_part(parts: &Path, words: &mut Stream) -> Edit {
    let mut paths: Vec<PathBuf> =
        parts.read_dir().expect("parts").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let path = one(words, &paths);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let kind = words.below(5);
    let how = match kind {
        0 => {
            std::fs::remove_file(path).expect("removed");
            "removed".to_owned()
        }
        1 => {
            std::fs::remove_file(path).expect("removed");
            std::fs::create_dir(path).expect("made");
            "a folder".to_owned()
        }
        2 => {
            std::fs::remove_file(path).expect("removed");
            std::os::unix::fs::symlink("../../elsewhere/keep.csv", path).expect("linked");
            "a link to somebody else's file".to_owned()
        }
        _ => {
            let mut bytes = std::fs::read(path).expect("a part");
            let how = edit_text(&mut bytes, words);
            std::fs::write(path, bytes).expect("written");
            how
        }
    };
    Edit { words: format!("parts/{name}: {how}"), tampered: false, ours: !matches!(kind, 1 | 2) }
}

/// Verbs that read the tables of a finished folder.
const READERS: [&str; 11] = [
    "summarise edited",
    "summarise edited --json",
    "plot edited --format svg --out out/figures",
    "plot edited --figure kinds --format svg --out out/figures",
    "report edited --out out/page.html",
    "compare edited --algorithm chang-roberts,peterson",
    "compare edited other --algorithm chang-roberts",
    "baseline edited -o out/new.baseline",
    "check edited --baseline good.baseline",
    "check edited --baseline good.baseline --mode statistical --json",
    "check edited --baseline good.baseline --mode bounds --junit out/new.xml",
];

/// Verbs that see to the folder itself.
const OTHERS: [&str; 6] = [
    "status edited",
    "status edited --json",
    "run good.toml --out edited --quiet",
    "run good.toml --out edited --force --quiet",
    "merge edited",
    "merge edited --out out/merged",
];

/// Whether the tables that a command should have made are as they should be.
fn is_true(attack: &Attack, first: &Tree, after: &Tree) -> bool {
    let folder = attack.value("--out").unwrap_or_else(|| EDITED.into());
    TABLES.iter().all(|name| {
        let made = after.get(&Path::new("work").join(&folder).join(name));
        made.is_some() && made == first.get(&Path::new("work/good").join(name))
    })
}

/// What must hold for a folder whose tables were tampered with.
fn believed(attack: &Attack, ended: &Ended, first: &Tree, after: &Tree) -> Option<Fault> {
    let out = String::from_utf8_lossy(&ended.out);
    let fine = match attack.verb() {
        "status" => {
            let complete = out.starts_with("complete") || out.contains("\"complete\": true");
            ended.code == Some(2) || !complete
        }
        // It may be made anew as well, if it becomes what it was.
        "run" | "merge" => ended.code != Some(0) || is_true(attack, first, after),
        _ => ended.code == Some(2),
    };
    let told: String = out.chars().take(100).collect();
    let told = format!("exit code {:?}, {}", ended.code, told.escape_debug());
    (!fine).then_some(("a folder that was believed", told))
}

/// Edits folder number `number` and lets a verb loose on it.
fn attack(number: usize, scene: &mut Scene, first: &Tree, failures: &Failures) {
    let words = &mut values::words(PART, number);
    let edit = self::edit(&scene.work(), words);
    let line = if words.below(10) < 7 { one(words, &READERS) } else { one(words, &OTHERS) };
    let attack = Attack::new(line);
    let before = scene.tree();
    let ended = attack.run(scene);
    let after = scene.tree();
    let mut faults = judge::manners(&attack, &ended);
    // Everything outside of the folder, and what somebody has put into it.
    let edited = Path::new("work").join(EDITED);
    let precious: Tree = before
        .iter()
        .filter(|(path, _)| {
            !path.starts_with(&edited) || path.ends_with("notes.txt") || path.ends_with(".hidden")
        })
        .map(|(path, thing)| (path.clone(), thing.clone()))
        .collect();
    faults.extend(judge::damage(&attack, &ended, &precious, &before, &after));
    if edit.tampered {
        faults.extend(believed(&attack, &ended, first, &after));
    }
    if edit.ours
        && attack.has("--force")
        && !(ended.code == Some(0) && is_true(&attack, first, &after))
    {
        let told = String::from_utf8_lossy(&ended.err).escape_debug().to_string();
        faults.push(("no way on", format!("{:?}: {told}", ended.code)));
    }
    for (_, detail) in &mut faults {
        *detail = format!("{}; {detail}", edit.words);
    }
    failures.add(&number.to_string(), &[attack], faults, |work| {
        self::edit(work, &mut values::words(PART, number));
    });
    scene.restore(first, &after);
}

/// Edits all of them; how many there were, and what was wrong.
pub fn all() -> (usize, Failures) {
    let failures = Failures::new(PART, template());
    let begin = || {
        let scene = Scene::new(template());
        let first = scene.tree();
        (scene, first)
    };
    in_parallel(COUNT, begin, |(scene, first), number| attack(number, scene, first, &failures));
    (COUNT, failures)
}
