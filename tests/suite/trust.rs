//! What users may rely on where they touch files, the gate and the shell: nothing of theirs is lost,
//! nothing stale is believed, and a stopped program says how to go on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::layout::{Ids, LAYOUTS};
use hustings::experiment::timing::{INITIATORS, TIMINGS};
use hustings::model::topology::TOPOLOGIES;
use tempfile::TempDir;

/// A path of three nodes whose file assigns the IDs.
const P3: &str = "0 1\n1 2\nid 0 10\nid 1 20\nid 2 30\n";

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().expect("a folder"))
    }

    /// With a spec, its results in `results`, and their baseline.
    fn with_results() -> Self {
        let place = Place::new();
        place.write(
            "spec.toml",
            "algorithms = ['chang-roberts', 'peterson']\nn = [6, 12]\nruns = 40",
        );
        place.ends("run spec.toml --out results --quiet", 0);
        place.ends("baseline results -o good.baseline", 0);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hustings"));
        command.current_dir(self.0.path()).args(line.split_whitespace());
        command.env_remove("GITHUB_ACTIONS");
        command
    }

    /// Standard output and error of a command that ends with this code.
    fn ends(&self, line: &str, code: i32) -> (String, String) {
        ended(line, &self.command(line).output().expect("it starts"), code)
    }

    /// The same of a line for the shell, where `hustings` is the program.
    fn shell(&self, line: &str, code: i32) -> (String, String) {
        let program = format!("hustings() {{ {} \"$@\"; }}; ", env!("CARGO_BIN_EXE_hustings"));
        let mut command = Command::new("bash");
        command.current_dir(self.0.path()).args(["-c", &(program + line)]);
        ended(line, &command.output().expect("bash"), code)
    }

    /// All files below, with their contents.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files(self.0.path())
    }
}

fn ended(line: &str, output: &Output, code: i32) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{line}:\n{out}{errors}");
    assert!(!errors.contains("panicked"), "{line}: {errors}");
    (out, errors)
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
        }
    }
    found
}

#[test]
fn ids_that_a_file_assigns_stay_for_every_seed() {
    let place = Place::new();
    place.write("p3.txt", P3);
    let elect = "elect --algorithm echo-election --topology file:p3.txt --initiators at:0 --json";
    for seed in 0..50 {
        let (out, _) = place.ends(&format!("{elect} --seed {seed}"), 0);
        let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!((&json["leader"], &json["layout"]), (&10.into(), &"given".into()), "{seed}");
    }
    for more in ["--layout random", "--layout ascending", "--ids sparse", "--ids 1,2,3"] {
        let (_, errors) = place.ends(&format!("{elect} {more}"), 2);
        assert!(errors.contains("assigns IDs to its nodes"), "{more}: {errors}");
    }
    // In a batch as well, and beside other topologies.
    let spec = "algorithms = 'echo-election'\ntopologies = ['file:p3.txt', 'path']\nn = 3\n\
                initiators = 'at:0'\nruns = 20\n";
    place.write("spec.toml", spec);
    place.ends("run spec.toml --out a --quiet", 0);
    let runs = place.read("a/runs.csv");
    let of_file: Vec<&str> = runs.lines().filter(|line| line.contains("file:p3.txt")).collect();
    assert_eq!(of_file.len(), 20);
    let leader = |line: &str| line.split(',').nth(14).map(str::to_owned);
    assert!(of_file.iter().all(|line| line.contains(",given,given,")));
    assert!(of_file.iter().all(|line| leader(line).as_deref() == Some("10")));
    for (key, value) in [("layouts", "random"), ("ids", "sparse")] {
        place.write("bad.toml", &format!("{spec}{key} = '{value}'\n"));
        let (_, errors) = place.ends("run bad.toml --out b", 2);
        assert!(errors.contains(&format!("{key} = {value} in bad.toml, line 6")), "{errors}");
    }
}

#[test]
fn a_refused_check_deletes_nothing() {
    let place = Place::with_results();
    place.write("notes.md", "mine");
    std::os::unix::fs::symlink(place.path("notes.md"), place.path("link")).expect("linked");
    let before = place.files();
    for line in [
        "check spec.toml --baseline good.baseline --junit good.baseline",
        "check spec.toml --baseline good.baseline --junit ./results/../good.baseline",
        "check spec.toml --baseline good.baseline --junit spec.toml",
        "check results --baseline good.baseline --junit results/runs.csv",
        "check results --baseline good.baseline --markdown results/manifest.json",
        "check results/spec.toml --baseline good.baseline --junit results/runs.csv",
        "check results/spec.toml --baseline good.baseline --markdown results/manifest.json",
        "check results --baseline good.baseline --junit /dev/fd/99",
        "check missing.toml --baseline good.baseline --markdown notes.md",
        "check spec.toml --baseline missing.baseline --markdown notes.md",
        "check spec.toml --markdown notes.md",
        "check spec.toml --baseline good.baseline --junit notes.md --markdown notes.md",
        "check spec.toml --baseline good.baseline --junit /dev/null",
        "check spec.toml --baseline good.baseline --junit link",
        "check spec.toml --baseline good.baseline --junit missing/junit.xml",
        "check spec.toml --baseline good.baseline --junit results",
        "check spec.toml --baseline good.baseline --export notes.md",
        "check spec.toml --baseline good.baseline --markdown notes.md --threads 0",
        "baseline results -o results/runs.csv --force",
        "baseline results -o good.baseline",
        "baseline results -o link --force",
        "report results --out results/runs.csv",
        "report results --out notes.md",
        "plot results --out results/kinds.csv",
    ] {
        place.ends(line, 2);
        assert!(place.files() == before, "{line} changed a file");
    }
    assert!(place.path("link").is_symlink());
}

#[test]
fn outputs_may_be_streams() {
    let place = Place::with_results();
    let check = "check results --baseline good.baseline --quiet";
    for junit in ["-", "/dev/stdout", "/dev/fd/1"] {
        let (out, _) = place.ends(&format!("{check} --junit {junit}"), 0);
        assert!(out.starts_with("<?xml") && out.ends_with("</testsuites>\n"), "{junit}: {out}");
    }
    place.ends(&format!("{check} --junit - --markdown -"), 2);
    place.ends(&format!("{check} --junit - --json"), 2);
    let (page, _) = place.ends("report results --out -", 0);
    assert!(page.ends_with("</html>\n"), "nothing comes after the page");
    let (_, errors) = place.ends(&format!("{check} --markdown /dev/stderr"), 0);
    assert!(errors.starts_with("### passed"), "{errors}");
    let line = format!("hustings {check} --junit >(cat >junit.xml); wait; sleep 0.2");
    place.shell(&line, 0);
    assert!(place.read("junit.xml").ends_with("</testsuites>\n"));
}

#[test]
fn force_replaces_our_files_and_nothing_else() {
    let place = Place::with_results();
    place.write("results/notes.txt", "mine");
    place.ends("run spec.toml --out results --seed 2", 2);
    place.ends("run spec.toml --out results --seed 2 --force --quiet", 0);
    assert_eq!(place.read("results/notes.txt"), "mine");
    assert!(place.read("results/spec.toml").contains("seed = 2"));
    // Somebody else's folder that has a file of the same name.
    std::fs::create_dir(place.path("theirs")).expect("made");
    place.write("theirs/spec.toml", "[package]\n");
    place.write("theirs/runs.csv", "1,2\n");
    let before = place.files();
    place.ends("run spec.toml --out theirs --force", 2);
    place.ends("run spec.toml --out spec.toml --force", 2);
    assert!(place.files() == before);
    place.write("theirs/spec.toml", "# hustings experiment of my course\nn = 3\n");
    let before = place.files();
    place.ends("run spec.toml --out theirs --force", 2);
    assert!(place.files() == before);
    // Their file in a folder that has the name of one of ours.
    std::fs::create_dir_all(place.path("drawing/parts")).expect("made");
    place.write("drawing/parts/lock-v2.step", "mine");
    place.ends("run spec.toml --out drawing --quiet", 0);
    assert_eq!(place.read("drawing/parts/lock-v2.step"), "mine");
    // A link is not followed.
    std::fs::create_dir(place.path("elsewhere")).expect("made");
    std::fs::create_dir(place.path("linked")).expect("made");
    std::os::unix::fs::symlink(place.path("elsewhere"), place.path("linked/parts"))
        .expect("linked");
    place.ends("run spec.toml --out linked", 2);
    assert_eq!(files(&place.path("elsewhere")).len(), 0);
}

#[test]
fn a_shard_that_is_done_again_leaves_the_others_alone() {
    let place = Place::with_results();
    for shard in ["0/2", "1/2", "0/2"] {
        place.ends(&format!("run spec.toml --shard {shard} --out a --force --quiet"), 0);
    }
    place.ends("merge a --quiet", 0);
    assert_eq!(place.read("a/runs.csv"), place.read("results/runs.csv"));
    // What cannot be merged makes no folder.
    place.ends("run spec.toml --shard 0/2 --out b --quiet", 0);
    place.ends("merge b --out c", 1);
    place.ends("merge a --out c", 2);
    assert!(!place.path("c").exists());
}

#[test]
fn a_file_that_may_not_grow_is_an_error_of_writing() {
    let place = Place::with_results();
    let (_, errors) = place.shell("ulimit -f 0; hustings baseline results -o b.baseline", 2);
    assert!(errors.contains("could not write b.baseline"), "{errors}");
    assert!(!place.files().keys().any(|path| path.to_string_lossy().contains("hustings-writing")));
}

#[test]
fn two_experiments_do_not_share_a_folder_even_if_they_begin_at_once() {
    let place = Place::new();
    for attempt in 0..8 {
        let start = |n: u32, shard: u32| {
            let line = format!(
                "run --algorithm chang-roberts --n {n} --runs 9 --shard {shard}/2 --out a{attempt} --quiet"
            );
            let mut command = place.command(&line);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
        };
        let mut both = [start(4, 0), start(5, 1)];
        let codes = both.each_mut().map(|child| child.wait().expect("it ends").code());
        assert!(matches!(codes, [Some(0), Some(2)] | [Some(2), Some(0)]), "{codes:?}");
    }
}

#[test]
fn a_changed_input_file_is_another_experiment() {
    let place = Place::new();
    let run = "run spec.toml --out a --quiet";
    place.write("spec.toml", "algorithms = 'chang-roberts'\nlayouts = 'file:ring.txt'\nruns = 3\n");
    place.write("ring.txt", "3 1 2\n");
    place.ends(run, 0);
    place.write("ring.txt", "1 2 3\n");
    let (_, errors) = place.ends(run, 2);
    assert!(errors.contains("another spec"), "{errors}");
    // The folder itself goes on saying what the file said.
    std::fs::remove_file(place.path("ring.txt")).expect("removed");
    for verb in ["status a", "summarise a", "plot a", "report a", "baseline a -o a.baseline"] {
        place.ends(verb, 0);
    }
    place.ends("run a/spec.toml --out b --quiet", 0);
    assert_eq!(place.read("a/runs.csv"), place.read("b/runs.csv"));
}

#[test]
fn a_folder_without_its_input_files_gives_the_same_bytes() {
    let here = Place::new();
    here.write("p3.txt", P3);
    here.write("net.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n");
    here.write("ring.txt", "3, 1\n2 5 4\n");
    here.write(
        "spec.toml",
        "name = 'copied'\nruns = 60\n
         [[grid]]\nalgorithms = 'echo-election'\ntopologies = ['file:p3.txt', 'file:net.txt']
         initiators = 'share:0.5'\n
         [[grid]]\nalgorithms = 'chang-roberts'\nlayouts = ['file:ring.txt']\n
         [[grid]]\nalgorithms = ['chang-roberts', 'peterson']\nn = '4..64'\n
         [bounds]\necho-election = '4*n*edges + leaves'\n",
    );
    let (_, errors) = here.ends("run spec.toml --quiet", 0);
    assert_eq!(errors, "");
    let there = Place::new();
    let copy = Command::new("cp").arg("-r").arg(here.path("data")).arg(there.path("data")).status();
    assert!(copy.expect("cp").success());
    for place in [&here, &there] {
        place.ends("summarise data/copied", 0);
        place.ends("plot data/copied --format svg,png,pdf,tex", 0);
        place.ends("report data/copied", 0);
        place.ends("baseline data/copied -o copied.baseline", 0);
        place.ends("check data/copied --baseline copied.baseline --markdown check.md", 0);
    }
    let mut made = 0;
    for (path, bytes) in there.files() {
        let name = path.strip_prefix(there.0.path()).expect("below");
        assert!(bytes == here.files()[&here.path("").join(name)], "{}", name.display());
        made += 1;
    }
    assert!(made > 15, "{made} files");
}

#[test]
fn a_baseline_of_another_network_is_refused() {
    let place = Place::new();
    place.write("net.txt", "0 1\n1 2\n");
    place.write("spec.toml", "algorithms = 'echo-election'\ntopologies = 'file:net.txt'\nruns = 5");
    place.ends("run spec.toml --out a --quiet", 0);
    place.ends("baseline a -o a.baseline", 0);
    place.ends("check spec.toml --baseline a.baseline --quiet", 0);
    place.write("net.txt", "0 1\n0 2\n");
    let (_, errors) = place.ends("check spec.toml --baseline a.baseline", 2);
    assert!(errors.contains("file:net.txt said something else"), "{errors}");
}

#[test]
fn input_files_may_be_pipes() {
    let place = Place::new();
    let (out, _) = place
        .shell("hustings elect --algorithm chang-roberts --layout file:<(echo 3 1 2) --json", 0);
    assert!(out.contains("\"leader\": 3"), "{out}");
    place.shell(
        "hustings run --algorithm echo-election --topology file:<(printf '0 1\\n1 2\\n') --runs 5 \
         --out a --quiet",
        0,
    );
    assert_eq!(place.read("a/runs.csv").lines().count(), 6);
}

#[test]
fn an_altered_table_is_refused_by_every_verb() {
    let verbs = [
        "status results",
        "summarise results",
        "compare results --algorithm chang-roberts,peterson",
        "plot results",
        "report results",
        "baseline results -o other.baseline",
        "check results --baseline good.baseline",
        "run spec.toml --out results",
        "merge results",
    ];
    let place = Place::with_results();
    for (table, text) in
        [("runs.csv", place.read("results/runs.csv")), ("kinds.csv", String::new())]
    {
        let good = place.read(&format!("results/{table}"));
        let last_line = good.trim_end().rfind('\n').expect("lines") + 1;
        let changed = text.replacen(",dense,all,sync,6,0,", ",dense,all,sync,6,0,1", 1);
        for bad in [&good[..last_line], "", &changed, &(good.clone() + "\n")] {
            place.write(&format!("results/{table}"), bad);
            let before = place.files();
            for verb in verbs {
                let (_, errors) = place.ends(verb, 2);
                assert!(
                    errors.contains(table) && errors.contains("has changed"),
                    "{verb}: {errors}"
                );
                assert!(place.files() == before, "{verb}");
            }
        }
        place.write(&format!("results/{table}"), &good);
    }
    let manifest = place.read("results/manifest.json");
    place.write("results/manifest.json", &manifest.replace("\"version\": \"", "\"version\": \"9"));
    for verb in verbs {
        let (_, errors) = place.ends(verb, 2);
        assert!(errors.contains("these results are from"), "{verb}: {errors}");
    }
}

#[test]
fn a_folder_without_its_manifest_is_made_whole_again() {
    let place = Place::with_results();
    let before = place.read("results/runs.csv");
    std::fs::remove_file(place.path("results/manifest.json")).expect("removed");
    let (out, _) = place.ends("status results", 0);
    assert!(out.contains("0 of 4 chunks are done"), "{out}");
    place.ends("run spec.toml --out results --quiet", 0);
    assert_eq!(place.read("results/runs.csv"), before);
    assert_eq!(place.ends("status results", 0).0, "complete\n");
}

#[test]
fn a_status_speaks_of_all_folders() {
    let place = Place::with_results();
    place.ends("status results nope", 2);
    place.ends("run spec.toml --seed 9 --out other --quiet", 0);
    place.ends("status results other", 2);
}

#[test]
fn a_closed_terminal_changes_nothing_but_what_is_seen() {
    let place = Place::with_results();
    place.write("long.toml", "algorithms = 'chang-roberts'\nn = '8..64'\nruns = 3000\n");
    for (number, streams) in
        [">&- 2>&-", "2>/dev/full", ">/dev/full 2>&-", "2>&1 | true"].iter().enumerate()
    {
        let line = format!("set -o pipefail; hustings run long.toml --out out{number} {streams}");
        place.shell(&line, 0);
        assert_eq!(place.read(&format!("out{number}/runs.csv")).lines().count(), 12_001);
    }
    for line in [
        "hustings list 2>&- | head -1",
        "hustings theory --algorithm chang-roberts --n 10 2>&1 | true",
        "hustings summarise results 2>&1 | true",
        "hustings report results 2>/dev/full",
        "hustings baseline results -o x.baseline 2>/dev/full",
    ] {
        place.shell(&format!("set -o pipefail; {line}"), 0);
    }
    // The code is still that of the result: 1 for a regression, 2 for what could not be done.
    place.write("other.toml", "algorithms = ['chang-roberts', 'peterson']\nn = [6, 12]\nruns = 40");
    let bad = place.read("good.baseline").replace("seed\t1\n", "seed\t2\n");
    place.write("bad.baseline", &bad);
    let check = "hustings check other.toml --baseline";
    place.shell(&format!("{check} good.baseline >/dev/full 2>/dev/full"), 2);
    place.shell(&format!("set -o pipefail; {check} bad.baseline 2>&1 | true"), 2);
    place.shell("set -o pipefail; hustings check other.toml --mode bounds 2>&1 | true", 2);
}

#[test]
fn a_baseline_of_another_experiment_is_refused_before_anything_is_run() {
    let place = Place::with_results();
    // It would run for hours.
    let long = "algorithms = ['chang-roberts', 'peterson']\nn = [6, 12]\nruns = 1_000_000_000\n";
    for (mode, more, words) in [
        ("exact", "", "has 40 runs there and 1000000000 now"),
        ("exact", "seed = 2\n", "it is of seed 1"),
        ("statistical", "initiators = 'one'\n", "it is of another spec"),
        ("bounds", "[bounds]\nlelann = 'n'\n", "a bound is stated for lelann"),
        ("bounds", "[bounds]\npeterson = 'n/(n-6)'\n", "formula = n/(n-6)"),
    ] {
        place.write("long.toml", &format!("{long}{more}"));
        let start = Instant::now();
        let line = format!("check long.toml --baseline good.baseline --mode {mode}");
        let (_, errors) = place.ends(&line, 2);
        assert!(errors.contains(words), "{more}: {errors}");
        assert!(start.elapsed() < Duration::from_secs(20), "{more}");
    }
}

#[test]
fn a_signal_ends_any_work_soon_and_says_how_to_go_on() {
    let signals = crate::common::deadly_signals();
    let place = Place::new();
    place.write("one.toml", "algorithms = 'lelann'\nn = 60_000\nruns = 1\nengine = 'simulate'\n");
    for (number, (line, from, go_on)) in [
        // One run of 3.6 billion messages: the engine itself looks up.
        ("run one.toml --out 'my results' --quiet --force", "run", "--out 'my results' --quiet\n"),
        ("elect --algorithm lelann --n 60000 --timing uniform:0..1", "elect", "elect"),
        ("exact --algorithm lelann --n 13", "exact", "exact"),
    ]
    .into_iter()
    .enumerate()
    {
        let (signal, code) = signals[number % signals.len()];
        let mut command = Command::new("bash");
        let program = env!("CARGO_BIN_EXE_hustings");
        command.current_dir(place.path("")).args(["-c", &format!("exec {program} {line}")]);
        let child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(700));
        let id = child.id().to_string();
        let killed = Command::new("kill").args([&format!("-{signal}"), &id]).status();
        assert!(killed.expect("kill").success(), "{from} had ended");
        let start = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        // A second is promised; machines that test are busy.
        assert!(start.elapsed() < Duration::from_secs(3), "{line}: {:?}", start.elapsed());
        let (_, errors) = ended(line, &output, code);
        assert!(errors.contains("stopped; nothing is lost\n  to go on: "), "{errors}");
        assert!(errors.contains(go_on), "{errors}");
    }
    let left: Vec<PathBuf> = files(place.0.path()).into_keys().collect();
    assert!(
        !left.iter().any(|path| path.to_string_lossy().contains(".hustings-writing-")),
        "{left:?}"
    );
}

#[test]
fn a_figure_that_cannot_be_drawn_is_an_error_if_it_was_asked_for() {
    let place = Place::new();
    place.ends("run --algorithm chang-roberts --n 8 --runs 1 --out a --quiet", 0);
    let (_, errors) = place.ends("plot a --figure networks", 2);
    assert!(errors.contains("figure = networks: "), "{errors}");
}

#[test]
fn a_page_is_only_written_over_an_earlier_page() {
    let place = Place::with_results();
    place.ends("report results --out page.html", 0);
    let page = place.read("page.html");
    place.ends("report results --out page.html", 0);
    let mark = "<meta name=\"generator\" content=\"hustings\">";
    assert!(page.contains(mark));
    for mine in [format!("notes about {mark}\n"), format!("\n{page}"), format!("<p>{page}")] {
        place.write("mine.html", &mine);
        place.ends("report results --out mine.html", 2);
        assert_eq!(place.read("mine.html"), mine);
    }
}

/// What `Cell::draws` says must be true of the runs themselves: where nothing is drawn all are copies of
/// one, and where something is they are not. All layouts, IDs, initiators, timings and topologies
/// that a user may write take part, so a new one does, too.
#[test]
fn what_is_said_to_be_drawn_is_what_differs_between_runs() {
    let place = Place::new();
    place.write("net.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n4 0\n4 5\n5 6\n6 7\n7 8\n8 0\n");
    place.write("ring.txt", "5 1 4 2 9 8 7 3 6");
    let words = |text: &str| match text {
        "file:PATH" => String::new(),
        "at:0,3,5" | "all" | "one" => text.to_owned(),
        "...+no-fifo" => "exponential:1+no-fifo".to_owned(),
        "uniform:A..B" => "uniform:0..1".to_owned(),
        text => [
            (":K:P", ":2:0.5"),
            (":K", ":3"),
            (":P", ":0.5"),
            (":M", ":2"),
            (":D", ":4"),
            (":R", ":2"),
        ]
        .iter()
        .find(|(from, _)| text.ends_with(from))
        .map_or(text.to_owned(), |(from, to)| text.replace(from, to)),
    };
    let file = |name: &str| format!("file:{}", place.path(name).display());
    let names = |list: &[(&str, &str)], file: String| -> Vec<String> {
        let known = list.iter().map(|(name, _)| words(name));
        known.map(|name| if name.is_empty() { file.clone() } else { name }).collect()
    };
    let topologies = names(TOPOLOGIES, file("net.txt"));
    let layouts = names(LAYOUTS, file("ring.txt"));
    let initiators = names(INITIATORS, String::new());
    let timings = names(TIMINGS, String::new());
    let (mut fixed, mut drawn) = (0, 0);
    for algorithm in ["chang-roberts", "echo-election", "tree-waves"] {
        for topology in &topologies {
            for layout in &layouts {
                for (ids, initiators, timing) in [
                    (Ids::Dense, "all", "sync"),
                    (Ids::Sparse, "all", "sync"),
                    (Ids::Dense, initiators[1].as_str(), "sync"),
                    (Ids::Dense, initiators[2].as_str(), "sync"),
                    (Ids::Dense, initiators[3].as_str(), "sync"),
                    (Ids::Dense, initiators[4].as_str(), timings[3].as_str()),
                    (Ids::Dense, "all", timings[1].as_str()),
                    (Ids::Dense, "all", timings[2].as_str()),
                    (Ids::Dense, "all", timings[4].as_str()),
                ] {
                    let setting = Setting {
                        topology: crate::common::topology(topology),
                        layout: layout.parse().expect("a layout"),
                        ids,
                        initiators: initiators.parse().expect("initiators"),
                        timing: timing.parse().expect("a timing"),
                        ..Setting::of(9)
                    };
                    let cell = Cell::new(crate::common::find(algorithm), setting);
                    // What does not fit together is refused, and some rings are not known.
                    let Ok(cell) = cell else { continue };
                    let Ok(mut runs) = cell.prepare(1) else { continue };
                    let mut simulator = (cell.algorithm().simulator)();
                    let mut seen = Vec::new();
                    for run in 0..6 {
                        let outcome = runs.simulate(run, simulator.as_mut()).expect("elected");
                        let graph = runs.graph().cloned();
                        seen.push((outcome, runs.ids().to_vec(), runs.starts().clone(), graph));
                    }
                    let same = seen.iter().all(|run| *run == seen[0]);
                    assert_eq!(same, cell.draws().nothing(), "{cell:?}");
                    *(if same { &mut fixed } else { &mut drawn }) += 1;
                }
            }
        }
    }
    assert!(fixed > 100 && drawn > 300, "{fixed} {drawn}");
}
