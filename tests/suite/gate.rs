//! The gate on the command line: exit codes, refusals, and outputs that other programs read.

use std::path::PathBuf;
use std::process::{Command, Output};

use hustings::check::Baseline;
use hustings::experiment::spec::Spec;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::REGISTRY;

const SPEC: &str = "
seed = 5
runs = 40
algorithms = ['chang-roberts', 'peterson']
n = [6, 12]
[bounds]
chang-roberts = 'n*(n+1)/2'
";

/// A folder with a spec, its results and their baseline.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a folder"));
        place.write("spec.toml", SPEC);
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

    fn run(&self, line: &str, variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hustings"));
        command.current_dir(self.0.path()).args(line.split_whitespace());
        command.env_remove("GITHUB_ACTIONS").env("COLUMNS", "80");
        command.envs(variables.iter().copied()).output().expect("it starts")
    }

    /// Standard output and error of a command that ends with this code.
    fn ends(&self, line: &str, code: i32) -> (String, String) {
        let output = self.run(line, &[]);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, errors) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{line}:\n{out}{errors}");
        assert!(!errors.contains("panicked"), "{line}: {errors}");
        (out, errors)
    }

    /// A check that cannot be made: exit code 2, no result, and a sentence with these words.
    fn refuses(&self, line: &str, words: &[&str]) {
        let (out, errors) = self.ends(line, 2);
        assert_eq!(out, "", "{line}");
        let sentence = errors.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        for word in words {
            assert!(sentence.contains(word), "{line}: {word:?} is not in {errors}");
        }
    }

    /// Another experiment, as a spec with these words replaced.
    fn spec(&self, name: &str, from: &str, to: &str) {
        assert!(SPEC.contains(from));
        self.write(name, &SPEC.replace(from, to));
    }
}

#[test]
fn the_same_experiment_passes_as_a_folder_and_as_a_spec() {
    let place = Place::new();
    for target in ["results", "spec.toml"] {
        let (out, _) = place.ends(&format!("check {target} --baseline good.baseline"), 0);
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.ends_with(
            "passed: all 4 cells are equal to the baseline, run by run; bounds hold in 2 cases"
        ));
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    }
    let (out, errors) = place.ends("check spec.toml --baseline good.baseline --quiet", 0);
    assert_eq!((out.as_str(), errors.as_str()), ("", ""));
    let left: Vec<_> = std::fs::read_dir(place.0.path()).expect("there").collect();
    assert_eq!(left.len(), 3, "a check leaves nothing behind: {left:?}");
}

#[test]
fn a_baseline_is_small_and_reads_as_it_is_written() {
    let place = Place::new();
    let text = place.read("good.baseline");
    assert_eq!(text.lines().filter(|line| line.starts_with("cell\t")).count(), 4);
    assert!(text.len() < 2000, "{} bytes", text.len());
    let baseline = Baseline::parse(&text, "good.baseline", &REGISTRY).expect("good");
    assert_eq!(baseline.to_text(), text);
    // The numbers are those of the table itself.
    let runs = place.read("results/runs.csv");
    let mut rows: Vec<Vec<&str>> = runs.lines().map(|line| line.split(',').collect()).collect();
    rows.remove(0);
    for cell in &baseline.cells {
        let same =
            |row: &&Vec<&str>| row[0] == cell.key.algorithm && row[6] == cell.key.n.to_string();
        let counts: Vec<u64> =
            rows.iter().filter(same).map(|row| row[8].parse().expect("a number")).collect();
        assert_eq!(cell.first, counts);
        assert_eq!(
            (cell.min, cell.max),
            (*counts.iter().min().unwrap(), *counts.iter().max().unwrap())
        );
        assert_eq!(counts[cell.max_run as usize], cell.max);
        assert!((cell.mean - counts.iter().sum::<u64>() as f64 / 40.0).abs() < 1e-9);
    }
    place.refuses("baseline results -o good.baseline", &["out = good.baseline", "--force"]);
    place.ends("baseline results -o good.baseline --force", 0);
}

#[test]
fn any_change_of_a_count_is_a_regression_with_the_command_that_repeats_it() {
    let place = Place::new();
    let mut baseline = Baseline::read(&place.path("good.baseline"), &REGISTRY).expect("good");
    let old = baseline.cells[0].first[7];
    baseline.cells[0].first[7] -= 1;
    std::fs::write(place.path("other.baseline"), baseline.to_text()).expect("written");
    let (out, errors) = place.ends("check spec.toml --baseline other.baseline", 1);
    assert!(out.contains(&format!("run 7: {} before, {old} now", old - 1)), "{out}");
    let command = out.lines().find(|line| line.trim().starts_with("hustings elect")).expect("one");
    let (again, _) = place.ends(command.trim().strip_prefix("hustings ").expect("ours"), 0);
    assert!(again.contains(&format!("messages   {old}\n")), "{again}");
    assert!(errors.contains("error: REGRESSION: 1 of 4 cells DIFFER"), "{errors}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    // A difference beyond the runs that are kept shows in the hash alone.
    let mut baseline = Baseline::read(&place.path("good.baseline"), &REGISTRY).expect("good");
    baseline.cells[1].hash = "0".repeat(32);
    std::fs::write(place.path("other.baseline"), baseline.to_text()).expect("written");
    let (out, _) = place.ends("check results --baseline other.baseline", 1);
    assert!(out.contains("runs after the first 1000 differ"), "{out}");
}

#[test]
fn bounds_fail_the_gate_in_every_mode() {
    let place = Place::new();
    place.spec("tight.toml", "n*(n+1)/2", "2*n");
    for more in
        ["--baseline good.baseline", "--mode bounds", "--baseline good.baseline --mode bounds"]
    {
        let (out, _) = place.ends(&format!("check tight.toml {more}"), 1);
        assert!(out.contains("above 2*n = 12\n    hustings elect"), "{out}");
    }
    place.ends("check spec.toml --mode bounds", 0);
    // The bounds of a baseline count as well.
    let text = place.read("good.baseline").replace("run\tn*(n+1)/2", "mean\tn");
    place.write("tight.baseline", &text);
    place.ends("check spec.toml --baseline tight.baseline", 1);
    place.spec("mean.toml", "[bounds]", "[bounds-mean]");
    let (out, _) = place.ends("check mean.toml --mode bounds", 0);
    assert!(out.starts_with("passed: bounds hold in 2 cases"), "{out}");
}

#[test]
fn intended_changes_have_words_of_their_own() {
    let place = Place::new();
    place.spec("seed.toml", "seed = 5", "seed = 6");
    let line = "check seed.toml --baseline good.baseline";
    place.refuses(line, &["it is of seed 5", "seed 6", "--mode statistical"]);
    let (out, errors) = place.ends(&format!("{line} --mode statistical"), 1);
    assert!(out.contains("would settle it"), "{out}");
    assert!(errors.contains("error: INCONCLUSIVE: cells: 4 inconclusive"), "{errors}");
    let (out, _) = place.ends(&format!("{line} --mode statistical --allow-inconclusive"), 0);
    assert!(out.contains("passed: cells: 4 inconclusive"), "{out}");
    let (out, _) = place.ends(&format!("{line} --mode statistical --margin 45%"), 0);
    assert!(out.contains("passed: cells: 4 equivalent"), "{out}");
    for bad in ["0", "1", "-1%", "50%", "x", "NaN"] {
        place.ends(&format!("{line} --mode statistical --margin={bad}"), 2);
        place.ends(&format!("{line} --mode statistical --alpha={bad}"), 2);
    }
}

#[test]
fn what_cannot_be_checked_is_never_green() {
    let place = Place::new();
    let good = place.read("good.baseline");
    place.refuses("check results", &["baseline = (nothing)", "hustings baseline"]);
    place.refuses("check results --baseline none", &["could not read none"]);
    place.refuses("check none --baseline good.baseline", &["could not read none"]);
    std::fs::create_dir(place.path("empty")).expect("made");
    place.refuses("check empty --baseline good.baseline", &["empty", "runs.csv"]);
    place.refuses("baseline empty -o other", &["empty", "runs.csv"]);
    // Other experiments.
    for (from, to, words) in [
        ("[6, 12]", "[6, 13]", "all sync 12 was not measured now"),
        ("[6, 12]", "[6, 12, 13]", "it has no chang-roberts ring random dense all sync 13"),
        ("runs = 40", "runs = 39", "has 40 runs there and 39 now"),
        ("'peterson'", "'lelann'", "peterson ring random dense all sync 6 was not measured now"),
    ] {
        place.spec("other.toml", from, to);
        place.refuses("check other.toml --baseline good.baseline", &["another spec", words]);
    }
    // Files that are no baselines, or were one.
    let cell = good.lines().find(|line| line.starts_with("cell")).expect("a cell");
    let without_cells: String = good
        .lines()
        .filter(|line| !line.starts_with("cell"))
        .map(|line| format!("{line}\n"))
        .collect();
    for (text, words) in [
        (String::new(), "the file is empty"),
        ("hustings baseline 2\n".to_owned(), "begins with \"hustings baseline 1\""),
        (good.replace("end\t4\n", ""), "the file was cut off"),
        (good.replace(&format!("{cell}\n"), ""), "there are 3 cells above it"),
        (without_cells.replace("end\t4", "end\t0"), "the baseline is empty"),
        (good.replacen("\t40\t", "\t41\t", 1), "this line is damaged"),
        (good.replacen("cell\tchang", "cell\tchanG", 1), "this line is damaged"),
        (good.replace("seed\t5\n", ""), "the seed is missing"),
        (good.replace("seed\t5", "seed\tfive"), "this is no seed"),
        (good.replace("n*(n+1)/2", "n*(n+1/2"), "closing parenthesis"),
        (
            good.replace("bound\tchang-roberts", "bound\tchang-robert"),
            "did you mean chang-roberts?",
        ),
        (good.replace("end\t4\n", &format!("{cell}\nend\t5\n")), "this cell is there twice"),
        (format!("{good}more\n"), "nothing comes after the end"),
        (good.replace("name\ts", "nam\ts"), "means nothing"),
        (good[..good.len() / 2].to_owned(), "bad.baseline, line"),
    ] {
        place.write("bad.baseline", &text);
        place.refuses("check results --baseline bad.baseline", &[words]);
    }
    std::fs::write(place.path("bad.baseline"), [0xff, 0x00, 0x7f]).expect("written");
    place.refuses("check results --baseline bad.baseline", &["bad.baseline", "not text"]);
    // Bounds that say nothing.
    place.write("none.toml", &SPEC.replace("[bounds]\nchang-roberts = 'n*(n+1)/2'", ""));
    place.refuses("check none.toml --mode bounds", &["nothing to check"]);
    place.spec("absent.toml", "chang-roberts = 'n", "lelann = 'n");
    place.refuses("check absent.toml --mode bounds", &["stated for lelann, and it was not run"]);
    place.spec("nan.toml", "n*(n+1)/2", "log2(n-7)");
    place.refuses("check nan.toml --mode bounds", &["at position 1", "no value for n = 6"]);
    place.refuses("check results --baseline good.baseline --export means.txt", &[".bmf.json"]);
}

#[test]
fn every_single_damage_of_a_cell_line_is_noticed() {
    let place = Place::new();
    let good = place.read("good.baseline");
    let start = good.find("cell\t").expect("a cell");
    let end = start + good[start..].find('\n').expect("a line");
    for at in start + 5..end {
        let mut bytes = good.clone().into_bytes();
        bytes[at] = if bytes[at] == b'7' { b'3' } else { b'7' };
        let text = String::from_utf8(bytes).expect("text");
        assert!(Baseline::parse(&text, "bad", &REGISTRY).is_err(), "byte {at}");
    }
}

/// A passing, a failing and an inconclusive check.
fn checks() -> [(&'static str, i32, usize, usize); 4] {
    [
        ("check results --baseline good.baseline", 0, 6, 0),
        ("check tight.toml --baseline good.baseline", 1, 8, 2),
        ("check seed.toml --baseline good.baseline --mode statistical", 1, 6, 4),
        (
            "check seed.toml --baseline good.baseline --mode statistical --allow-inconclusive",
            0,
            6,
            0,
        ),
    ]
}

fn with_other_specs() -> Place {
    let place = Place::new();
    place.spec("tight.toml", "n*(n+1)/2", "2*n");
    place.spec("seed.toml", "seed = 5", "seed = 6");
    place
}

#[test]
fn junit_is_xml_whose_counts_are_right() {
    let place = with_other_specs();
    for (line, code, tests, failures) in checks() {
        place.ends(&format!("{line} --junit out.xml"), code);
        let text = place.read("out.xml");
        let document = roxmltree::Document::parse(&text).expect("XML");
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "testsuites");
        let number = |node: roxmltree::Node, name: &str| {
            node.attribute(name).expect(name).parse::<usize>().expect("a number")
        };
        let named = |name: &str| document.descendants().filter(|it| it.has_tag_name(name)).count();
        assert_eq!((number(root, "tests"), number(root, "failures")), (tests, failures), "{line}");
        assert_eq!((named("testcase"), named("failure")), (tests, failures));
        assert_eq!(named("skipped"), number(root, "skipped"));
        let suites = root.children().filter(|it| it.has_tag_name("testsuite"));
        assert_eq!(suites.map(|it| number(it, "tests")).sum::<usize>(), tests);
        for failure in document.descendants().filter(|it| it.has_tag_name("failure")) {
            assert!(failure.attribute("message").is_some_and(|message| !message.is_empty()));
        }
    }
}

#[test]
fn json_is_one_object_with_the_verdict() {
    let place = with_other_specs();
    for (line, code, ..) in checks() {
        let (out, _) = place.ends(&format!("{line} --json"), code);
        let json: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(json["passed"], code == 0, "{line}");
        assert_eq!(json["cells"].as_array().expect("a list").len(), 4);
        assert_eq!(json["cells"][0]["algorithm"], "chang-roberts");
        assert_eq!(json["cells"][0]["n"], 6);
        let ending = json["ending"].as_str().expect("a word");
        assert!(["passed", "regression", "inconclusive"].contains(&ending));
    }
}

#[test]
fn markdown_tables_have_as_many_fields_in_every_row() {
    let place = with_other_specs();
    for (line, code, ..) in checks() {
        place.ends(&format!("{line} --markdown out.md"), code);
        let text = place.read("out.md");
        assert!(text.starts_with("### "), "{text}");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(rows.len() >= 6, "{text}");
        for row in rows {
            assert_eq!(row.matches('|').count() - row.matches("\\|").count(), 7, "{row}");
        }
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
        assert_eq!(text.matches("```").count() % 2, 0);
    }
}

#[test]
fn annotations_are_workflow_commands_of_one_line() {
    let place = with_other_specs();
    let line = "check tight.toml --baseline good.baseline";
    let plain = place.run(line, &[]);
    assert!(!String::from_utf8_lossy(&plain.stdout).contains("::error"));
    for output in [
        place.run(line, &[("GITHUB_ACTIONS", "true")]),
        place.run(&format!("{line} --annotate"), &[]),
    ] {
        let text = String::from_utf8(output.stdout).expect("text");
        let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
        assert_eq!(notes.len(), 2, "{text}");
        for note in notes {
            assert!(note.starts_with("::error title=chang-roberts ring random"), "{note}");
            assert!(note.contains("%0Ato see it again: hustings elect"), "{note}");
        }
    }
    // JSON stays one object.
    let output = place.run(&format!("{line} --annotate --json"), &[]);
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert!(String::from_utf8_lossy(&output.stderr).contains("::error"));
}

#[test]
fn means_are_exported_for_services_that_watch_benchmarks() {
    let place = Place::new();
    let line = "check results --baseline good.baseline --quiet --export";
    place.ends(&format!("{line} means.bmf.json"), 0);
    place.ends(&format!("{line} means.benchmark.json"), 0);
    let read = |name: &str| -> Value { serde_json::from_str(&place.read(name)).expect("JSON") };
    let bencher = read("means.bmf.json");
    let bencher = bencher.as_object().expect("an object");
    let github = read("means.benchmark.json");
    let github = github.as_array().expect("a list");
    let baseline = Baseline::read(&place.path("good.baseline"), &REGISTRY).expect("good");
    assert_eq!((bencher.len(), github.len()), (4, 4));
    for ((cell, (name, measures)), entry) in baseline.cells.iter().zip(bencher).zip(github) {
        let number = |name: &str| measures["messages"][name].as_f64().expect(name);
        assert_eq!(number("value"), cell.mean);
        assert!(number("lower_value") <= cell.mean && cell.mean <= number("upper_value"));
        assert_eq!(
            (&entry["name"], entry["value"].as_f64()),
            (&Value::from(name.as_str()), Some(cell.mean))
        );
        assert_eq!(entry["unit"], "messages");
        assert!(entry["range"].as_str().is_some_and(|range| range.starts_with("± ")));
    }
}

#[test]
fn our_own_gate_has_every_algorithm() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/baselines");
    let spec = Spec::read(&path.join("gate.toml"), &REGISTRY).expect("a good spec");
    let baseline = Baseline::read(&path.join("gate.baseline"), &REGISTRY).expect("a good baseline");
    for entry in REGISTRY.entries() {
        let planned =
            spec.grids.iter().any(|grid| grid.algorithms.iter().any(|it| it.name == entry.name));
        let kept = baseline.cells.iter().any(|cell| cell.key.algorithm == entry.name);
        assert!(planned && kept, "{} is not in the gate", entry.name);
    }
}
