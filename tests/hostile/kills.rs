//! The power cut: every verb that writes is ended at any moment, and then given again.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;

use super::judge::{self, Fault};
use super::scene::{
    Attack, Ended, LIMIT, Scene, Thing, Tree, UNFINISHED, hustings, new_template, tree,
};
use super::{Failures, in_parallel, values};

const PART: &str = "kills";

/// Work for a tenth of a second or a few.
const SPEC: &str = "name = 'work'\nseed = 11\nruns = 4000\nengine = 'simulate'\n\
                    algorithms = ['chang-roberts', 'peterson']\nn = [12, 16]\n\
                    timing = ['sync', 'uniform:0..1']\n";

/// The commands that are killed, and how often each.
const COMMANDS: [(&str, usize); 9] = [
    ("run work.toml --out out/new --quiet", 24),
    ("run work.toml --out other --force --quiet", 10),
    ("merge shard0 shard1 --out out/new --quiet", 16),
    ("summarise results --quiet", 14),
    ("plot results --format svg --out out/figures --quiet", 12),
    ("report results --out out/page.html --quiet", 12),
    ("baseline results -o out/new.baseline --force", 14),
    ("check work.toml --baseline work.baseline --junit out/new.xml --markdown out/new.md", 16),
    ("check results --baseline work.baseline --junit out/new.xml --markdown out/new.md", 12),
];

fn template() -> &'static Path {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let path = new_template("killed");
        let work = path.join("work");
        std::fs::write(work.join("work.toml"), SPEC).expect("written");
        std::fs::create_dir(work.join("out")).expect("made");
        for line in [
            "run work.toml --out results --quiet",
            "run work.toml --seed 12 --runs 20 --out other --quiet",
            "run work.toml --shard 0/2 --out shard0 --quiet",
            "run work.toml --shard 1/2 --out shard1 --quiet",
            "baseline results -o work.baseline",
        ] {
            hustings(&work, line);
        }
        path
    })
}

/// When the power is cut.
enum Moment {
    /// So long after the start.
    After(Duration),
    /// As soon as a file is being written.
    Writing,
}

/// A tree without the clock of its manifests.
fn without_clock(tree: Tree) -> Tree {
    let plain = |(path, thing): (PathBuf, Thing)| match thing {
        Thing::File(bytes) if path.ends_with("manifest.json") => {
            let mut json: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            for field in ["start", "end"] {
                if let Some(value) = json.get_mut(field) {
                    *value = Value::Null;
                }
            }
            (path, Thing::File(json.to_string().into_bytes()))
        }
        thing => (path, thing),
    };
    tree.into_iter().map(plain).collect()
}

/// Carries out a command to its end, however long that takes.
fn to_the_end(attack: &Attack, scene: &Scene) -> Ended {
    attack.run_until(scene, 6 * LIMIT, || false)
}

/// What an undisturbed command leaves, and how long it takes.
fn undisturbed(attack: &Attack) -> (Tree, Duration) {
    let scene = Scene::new(template());
    let ended = to_the_end(attack, &scene);
    let told = String::from_utf8_lossy(&ended.err);
    assert_eq!(ended.code, Some(0), "{}: {told}", attack.line());
    (without_clock(scene.tree()), ended.took)
}

/// Whether something in a folder is being written.
fn is_writing(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(UNFINISHED)
            || entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_writing(&entry.path())
    })
}

/// How two trees differ.
fn differences(expected: &Tree, found: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, thing) in expected {
        match found.get(path) {
            None => faults.push(("something lost", format!("{} is gone", path.display()))),
            Some(now) if now != thing => {
                faults.push(("other bytes", format!("{} is another", path.display())));
            }
            _ => {}
        }
    }
    for path in found.keys().filter(|path| !expected.contains_key(*path)) {
        // What is in a folder that was left behind goes without saying.
        if path.parent().is_none_or(|parent| expected.contains_key(parent)) {
            faults.push(("something left behind", path.display().to_string()));
        }
    }
    faults
}

/// What a killed command must not leave: half a file under the name of a whole one, and less than
/// there was before, unless that was to be replaced.
fn half_done(attack: &Attack, first: &Tree, last: &Tree, killed: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, thing) in killed {
        let known = [first.get(path), last.get(path)].contains(&Some(thing));
        if matches!(thing, Thing::File(_)) && last.contains_key(path) && !known {
            faults.push(("half a file", path.display().to_string()));
        }
    }
    for path in first.keys().filter(|path| !killed.contains_key(*path)) {
        if !attack.has("--force") {
            faults.push(("something lost", format!("{} is gone", path.display())));
        }
    }
    faults
}

/// Carries out a command in a new scene and kills it; sooner, if it was faster.
fn killed(attack: &Attack, mut moment: Moment, took: Duration) -> (Scene, Moment) {
    loop {
        let scene = Scene::new(template());
        let ended = match moment {
            Moment::After(moment) => attack.run_until(&scene, moment, || false),
            Moment::Writing => attack.run_until(&scene, LIMIT, || is_writing(scene.path())),
        };
        if ended.killed {
            return (scene, moment);
        }
        moment = match moment {
            Moment::After(moment) => Moment::After(moment / 2),
            Moment::Writing => Moment::After(took / 2),
        };
    }
}

/// Carries out a command, kills it, and carries it out again.
fn kill(number: usize, line: &str, expected: &Tree, took: Duration, failures: &Failures) {
    let attack = Attack::new(line);
    let moment = match number % 3 {
        0 => Moment::Writing,
        _ => {
            let most = took.as_micros() as u64 + 1;
            Moment::After(Duration::from_micros(values::words(PART, number).below(most)))
        }
    };
    let first = without_clock(tree(template()));
    let (scene, moment) = killed(&attack, moment, took);
    let mut faults = half_done(&attack, &first, expected, &without_clock(scene.tree()));
    let ended = to_the_end(&attack, &scene);
    faults.extend(judge::manners(&attack, &ended));
    if ended.code != Some(0) {
        let told = String::from_utf8_lossy(&ended.err).escape_debug().to_string();
        faults.push(("no way on", format!("{:?}: {told}", ended.code)));
    }
    faults.extend(differences(expected, &without_clock(scene.tree())));
    let when = match moment {
        Moment::After(moment) => format!("after timeout -s KILL {}", moment.as_secs_f64()),
        Moment::Writing => "killed while a file was written".to_owned(),
    };
    for (_, detail) in &mut faults {
        *detail = format!("{when}: {detail}");
    }
    failures.add(&number.to_string(), &[attack], faults, |_| {});
}

/// All kills; how many there were, and what was wrong.
pub fn all() -> (usize, Failures) {
    let failures = Failures::new(PART, template());
    let known: Vec<(Tree, Duration)> =
        COMMANDS.iter().map(|(line, _)| undisturbed(&Attack::new(line))).collect();
    let times = |(command, (_, kills))| std::iter::repeat_n(command, kills);
    let kills: Vec<usize> = COMMANDS.into_iter().enumerate().flat_map(times).collect();
    let work = |_: &mut (), number: usize| {
        let (expected, took) = &known[kills[number]];
        kill(number, COMMANDS[kills[number]].0, expected, *took, &failures);
    };
    in_parallel(kills.len(), || (), work);
    (kills.len(), failures)
}
