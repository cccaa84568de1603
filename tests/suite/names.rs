//! Files and folders with hostile names: what is printed about them can be pasted into a shell, and
//! what is written about them can be read.

// Other systems allow few of these names, and have other shells.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use hustings::check::Baseline;
use hustings::model::escape;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::REGISTRY;
use crate::hostile_names::names;

const PROGRAM: &str = env!("CARGO_BIN_EXE_hustings");

/// A folder to work in.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().expect("a folder"))
    }

    /// A folder with a file of every name.
    fn with_files(text: &str) -> Self {
        let place = Place::new();
        names().iter().for_each(|name| place.write(name, text));
        place
    }

    fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.path().join(Path::new(name.as_ref()))
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// All files and folders below.
    fn tree(&self) -> BTreeSet<PathBuf> {
        let mut tree = BTreeSet::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                folders.extend(path.is_dir().then(|| path.clone()));
                tree.insert(path);
            }
        }
        tree
    }

    fn start(&self, program: &str, arguments: &[&OsStr]) -> Output {
        let folder = Path::new(PROGRAM).parent().expect("a folder");
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = [self.path("bin"), folder.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&folders));
        Command::new(program)
            .current_dir(self.0.path())
            .env("PATH", std::env::join_paths(folders).expect("folders"))
            .env_remove("GITHUB_ACTIONS")
            .args(arguments)
            .output()
            .expect("it starts")
    }

    /// Standard output and standard error of our program, which ends with this code and prints
    /// nothing that cannot be seen.
    fn hustings(&self, code: i32, arguments: &[&str]) -> (String, String) {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        let output = self.start(PROGRAM, &arguments);
        let texts =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {texts:?}");
        for text in &texts {
            assert_eq!(*text, escape::lines(text), "{arguments:?}");
        }
        texts.into()
    }

    /// What a shell prints that is given this line.
    fn paste(&self, shell: &str, line: &str) -> String {
        let output = self.start(shell, &[OsStr::new("-c"), OsStr::new(line)]);
        assert!(output.status.success(), "{shell}: {line}: {output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// What follows a word in a line of a text.
fn after<'a>(text: &'a str, word: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.split_once(word));
    line.unwrap_or_else(|| panic!("{word} is not in {text}")).1
}

/// A name in a spec: JSON's strings are TOML's, but for one character.
fn quoted(name: &str) -> String {
    Value::from(name).to_string().replace('\u{7f}', "\\u007f")
}

const TRIANGLE: &str = "0 1\n1 2\n2 0\n";
const RING: &str = "4 1 3 2\n";

#[test]
fn a_printed_command_repeats_the_election_and_does_nothing_else() {
    for (file, algorithm, flag) in
        [(TRIANGLE, "echo-election", "topology"), (RING, "chang-roberts", "layout")]
    {
        let place = Place::with_files(file);
        let before = place.tree();
        for name in names() {
            let value = format!("--{flag}=file:{name}");
            let (out, _) = place.hustings(0, &["elect", "--algorithm", algorithm, &value]);
            assert!(out.contains(&escape::terminal(format!("file:{name}"))), "{out}");
            let again = after(&out, "  again      ");
            for shell in ["sh", "bash"] {
                assert_eq!(place.paste(shell, again), out, "{again}");
            }
        }
        assert_eq!(place.tree(), before);
    }
}

#[test]
fn a_file_that_is_not_there_is_named_on_one_line() {
    let place = Place::new();
    for name in names() {
        for (algorithm, flag) in [("echo-election", "topology"), ("chang-roberts", "layout")] {
            let value = format!("--{flag}=file:{name}");
            let (_, errors) = place.hustings(2, &["elect", "--algorithm", algorithm, &value]);
            assert_eq!(errors.lines().count(), 1, "{errors}");
        }
        let (_, errors) = place.hustings(2, &["summarise", "--", &name]);
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    assert!(place.tree().is_empty());
}

const SPEC: &str = "name = 'small'\nruns = 3\nalgorithms = 'chang-roberts'\nn = [4, 8]\n";

#[test]
fn a_folder_of_any_name_is_merged_by_the_printed_command() {
    let place = Place::new();
    place.write("spec.toml", SPEC);
    for (number, name) in names().into_iter().enumerate() {
        let out = format!("--out={name}");
        let (_, errors) = place.hustings(0, &["run", "spec.toml", "--shard", "0/1", &out]);
        let next = after(&errors, "; next: ");
        assert!(!place.path(&name).join("runs.csv").exists());
        place.paste(["sh", "bash"][number % 2], next);
        assert!(place.path(&name).join("runs.csv").exists(), "{next}");
        place.hustings(0, &["run", "spec.toml", &out]);
        place.hustings(0, &["status", "--", &name]);
        place.hustings(0, &["merge", "--", &name]);
        place.hustings(0, &["baseline", "-o", "last.baseline", "--force", "--", &name]);
    }
    let expected: BTreeSet<String> = ["spec.toml", "last.baseline"].map(str::to_owned).into();
    let first = |name: &String| name.split('/').next().unwrap_or_default().to_owned();
    let expected = expected.into_iter().chain(names().iter().map(first)).collect::<BTreeSet<_>>();
    let found = std::fs::read_dir(place.0.path()).expect("a folder");
    let found =
        found.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    assert_eq!(found.collect::<BTreeSet<_>>(), expected);
}

#[test]
fn arguments_need_not_be_text() {
    let place = Place::new();
    place.write("spec.toml", SPEC);
    let name = OsStr::from_bytes(b"-\xff\n");
    let arguments = ["run", "spec.toml", "--shard", "0/1", "--out"].map(OsStr::new);
    let folder = Path::new(".").join(name);
    let output = place.start(PROGRAM, &[&arguments[..], &[folder.as_os_str()]].concat());
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{errors}");
    place.paste("sh", after(&errors, "; next: "));
    assert!(place.path(name).join("runs.csv").exists(), "{errors}");
}

#[test]
fn an_interrupted_run_goes_on_with_the_words_that_were_typed() {
    let place = Place::new();
    let long = "name = 'long'\nruns = 100000000\nalgorithms = 'chang-roberts'\nn = 64\nengine = 'simulate'\n";
    place.write("long.toml", long);
    let folder = "it's $(touch PWNED)\t\u{1b}\n";
    let arguments = ["run", "long.toml", "--quiet", "--threads", "1", "--out", folder];
    let mut command = Command::new(PROGRAM);
    command.current_dir(place.0.path()).args(arguments).stderr(Stdio::piped());
    let mut running = command.spawn().expect("it starts");
    // From the first part on it can be interrupted.
    let is_part = |path: &PathBuf| path.extension() == Some(OsStr::new("csv"));
    let begun = || place.tree().iter().any(is_part);
    while !begun() {
        assert_eq!(running.try_wait().expect("a process"), None);
        std::thread::sleep(Duration::from_millis(1));
    }
    // Ctrl-C, where processes of these tests heed it.
    let signals = crate::common::deadly_signals();
    let (signal, _) = signals.last().expect("one at least");
    place.paste("sh", &format!("kill -{signal} {}", running.id()));
    let output = running.wait_with_output().expect("it ends");
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(errors, escape::lines(&errors));
    let go_on = after(&errors, "to go on: ");
    let typed: Vec<&str> = [PROGRAM].into_iter().chain(arguments).chain([""]).collect();
    for shell in ["sh", "bash"] {
        assert_eq!(place.paste(shell, &format!("printf '%s\\0' {go_on}")), typed.join("\0"));
    }
}

/// Runs a job at once, and keeps what it was told.
const SBATCH: &str = "#!/bin/sh\nprintf '%s\\0' \"$@\" >> told\nbash >&2\necho 7\n";

#[test]
fn a_cluster_runs_any_spec_into_any_folder() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("bin/sbatch", SBATCH);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.path("bin/sbatch"), executable).expect("a program");
    // The folder of the logs has a longer name.
    for name in names().into_iter().filter(|name| name.len() < 200) {
        let spec = format!("specs/{name}");
        place.write(&spec, SPEC);
        let out = format!("--out=out/{name}");
        let (script, _) = place.hustings(0, &["slurm", &spec, "--shards", "1", &out]);
        assert_eq!(place.paste("bash", &script), "shards: job 7, merge: job 7\n");
        assert!(place.path(format!("out/{name}/runs.csv")).exists(), "{script}");
        let logs = place.path(format!("out/{name}-logs"));
        assert!(logs.is_dir(), "{script}");
        let told = place.read("told");
        std::fs::remove_file(place.path("told")).expect("removed");
        let logs = logs.to_str().expect("text").replace('%', "%%");
        for file in ["%A_%a.log", "%A_merge.log"] {
            let output = format!("--output={logs}/{file}");
            assert!(told.split('\0').any(|argument| argument == output), "{output}: {told}");
        }
    }
    let found = std::fs::read_dir(place.0.path()).expect("a folder");
    assert_eq!(found.count(), 3, "{:?}", place.tree());
}

/// The experiment with all files, as networks and as rings, and bounds that do not hold.
fn all_names() -> Place {
    let place = Place::new();
    let list = |folder: &str, text: &str| {
        let files = names().into_iter().map(|name| {
            let file = format!("{folder}/{name}");
            place.write(&file, text);
            quoted(&format!("file:{file}"))
        });
        files.collect::<Vec<_>>().join(", ")
    };
    let spec = format!(
        "name = 'all'\nruns = 2\n\
         [[grid]]\nalgorithms = ['echo-election', 'ghs']\ntopologies = [{}]\n\
         [[grid]]\nalgorithms = 'chang-roberts'\nlayouts = [{}]\n\
         [bounds]\necho-election = \"1\\t+\\n0\"\nchang-roberts = '1'\n",
        list("nets", TRIANGLE),
        list("rings", RING)
    );
    place.write("spec.toml", &spec);
    place.hustings(0, &["run", "spec.toml", "--out", "results"]);
    place
}

/// The names behind `file:nets/` and `file:rings/` in a text of columns.
fn files() -> BTreeSet<String> {
    let both = |name: String| ["nets", "rings"].map(|folder| format!("file:{folder}/{name}"));
    names().into_iter().flat_map(both).collect()
}

/// The names in a table with columns `topology` and `layout`.
fn files_in(table: &str) -> BTreeSet<String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let columns = rows.iter().flat_map(|row| [&row[1], &row[2]]);
    columns.filter(|name| name.starts_with("file:")).map(str::to_owned).collect()
}

/// What a page of Markdown consists of: its code, and its tags but for paragraphs and breaks.
fn read_markdown(page: &str) -> (Vec<String>, BTreeSet<String>) {
    let (mut code, mut tags, mut inside) = (Vec::new(), BTreeSet::new(), false);
    for event in Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => inside = true,
            Event::Text(text) if inside => code.extend(text.lines().map(str::to_owned)),
            Event::Text(_) => {}
            Event::End(_) => inside = false,
            Event::Start(tag) => {
                _ = tags.insert(
                    format!("{tag:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
                )
            }
            other => _ = tags.insert(format!("{other:?}")),
        }
    }
    (code, tags)
}

#[test]
fn a_gate_passes_on_every_name_and_its_outputs_can_be_read() {
    let place = all_names();
    assert_eq!(files_in(&place.read("results/runs.csv")), files());
    place.hustings(0, &["baseline", "results", "-o", "good.baseline"]);
    let good = Baseline::read(&place.path("good.baseline"), &REGISTRY).expect("a baseline");
    assert_eq!(good.to_text(), place.read("good.baseline"));
    let cells = 3 * names().len();
    assert_eq!(good.cells.len(), cells);

    let json = ["check", "results", "--baseline", "good.baseline", "--json"];
    let (out, _) = place.hustings(1, &json);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let checked = report["cells"].as_array().expect("cells");
    assert!(checked.len() == cells && checked.iter().all(|cell| cell["verdict"] == "equal"));

    let mut changed = good.clone();
    changed.cells.iter_mut().for_each(|cell| cell.first[0] += 1);
    std::fs::write(place.path("changed.baseline"), changed.to_text()).expect("written");
    let mut check = vec!["check", "results", "--baseline", "changed.baseline", "--annotate"];
    check.extend(["--junit", "junit.xml", "--markdown", "page.md", "--export", "means.bmf.json"]);
    let (out, _) = place.hustings(1, &check);
    let bounds = 2 * names().len();
    let notes = out.lines().filter(|line| line.starts_with("::error title="));
    assert_eq!(notes.count(), cells + bounds);

    let junit = place.read("junit.xml");
    let document = roxmltree::Document::parse(&junit).expect("XML");
    let failures = document.descendants().filter(|node| node.has_tag_name("failure"));
    assert_eq!(failures.count(), cells + bounds);

    let means: Value = serde_json::from_str(&place.read("means.bmf.json")).expect("JSON");
    assert_eq!(means.as_object().expect("an object").len(), cells);

    let (commands, tags) = read_markdown(&place.read("page.md"));
    let known = [
        "Heading",
        "Table",
        "TableHead",
        "TableRow",
        "TableCell",
        "Strong",
        "Paragraph",
        "List",
        "Item",
    ];
    assert_eq!(tags, known.map(str::to_owned).into());
    assert_eq!(commands.len(), cells + bounds);
    let before = place.tree();
    for (number, command) in commands.iter().enumerate() {
        let out = place.paste(["sh", "bash"][number % 2], command);
        assert!(out.contains("  messages   "), "{command}: {out}");
    }
    assert_eq!(place.tree(), before);
}

#[test]
fn tables_figures_and_page_can_be_read() {
    let place = all_names();
    let (out, _) = place.hustings(0, &["summarise", "results", "--json"]);
    serde_json::from_str::<Value>(&out).expect("JSON");
    place.hustings(0, &["summarise", "results"]);
    for table in ["results/cells.csv", "results/runs.csv"] {
        assert_eq!(files_in(&place.read(table)), files(), "{table}");
    }
    place.hustings(0, &["compare", "results", "--algorithm", "ghs,echo-election"]);

    place.hustings(0, &["plot", "results", "--format", "svg,pdf,tex", "--out", "plots"]);
    let mut figures = 0;
    for path in place.tree().iter().filter(|path| path.starts_with(place.path("plots"))) {
        if path.extension() == Some(OsStr::new("svg")) {
            let svg = std::fs::read_to_string(path).expect("text");
            roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert_eq!(svg, escape::lines(&svg));
            figures += 1;
        }
    }
    assert!(figures > 3, "{figures} figures");

    place.hustings(0, &["report", "results", "--out", "page.html"]);
    let page = place.read("page.html");
    assert_eq!(page, escape::lines(&page));
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("<b>"));
    let mut inlined = 0;
    for svg in page.split("<svg").skip(1) {
        let svg = svg.split_once("</svg>").expect("it ends").0;
        roxmltree::Document::parse(&format!("<svg{svg}</svg>")).expect("XML");
        inlined += 1;
    }
    assert_eq!(inlined, figures);
}

#[test]
fn a_picture_for_latex_names_no_folder() {
    let place = Place::new();
    place.write("spec.toml", SPEC);
    let mut pictures: Vec<String> = Vec::new();
    for name in names().into_iter().take(8) {
        place.hustings(0, &["run", "spec.toml", "--quiet", &format!("--out={name}")]);
        let plot = "plot --figure messages --format tex --out plots --quiet --";
        let arguments: Vec<&str> = plot.split(' ').chain([name.as_str()]).collect();
        place.hustings(0, &arguments);
        pictures.push(place.read("plots/messages.tex"));
    }
    assert!(pictures.windows(2).all(|pair| pair[0] == pair[1]));
}
