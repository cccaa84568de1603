//! The page of a results folder, and the built-in experiment from the first run to the page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use hustings::experiment::spec::Spec;
use hustings::results::batch::{self, Options};

use crate::common::REGISTRY;
use crate::seal::seal;

/// Runs a spec into the folder `out`.
fn run(text: &str, out: &Path) {
    let spec = Spec::parse(text, "test.toml", "test", &REGISTRY).expect("a good spec");
    let options = Options { threads: Some(1), ..Options::default() };
    batch::run(&spec, out, &options, &()).expect("it runs");
}

/// Exit code, standard output and standard error of the program, started in `place`.
fn hustings(place: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = assert_cmd::cargo::cargo_bin_cmd!("hustings")
        .current_dir(place)
        .args(arguments)
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// The page of the results in `place`/`folder`.
fn page(place: &Path, folder: &str) -> String {
    let (code, stdout, stderr) = hustings(place, &["report", folder, "--out", "page.html"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout, "page.html\n");
    std::fs::read_to_string(place.join("page.html")).expect("a page")
}

/// The page of a spec, in a folder of its own.
fn page_of(spec: &str) -> String {
    let place = tempfile::tempdir().expect("a folder");
    run(spec, &place.path().join("out"));
    page(place.path(), "out")
}

/// A tag of a page: its name (with a slash in front where it closes) and its attributes.
#[derive(Debug)]
struct Tag {
    name: String,
    is_whole: bool,
    attributes: Vec<(String, String)>,
}

impl Tag {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The tags of a page, leaving out what stands in style and script. Values must be in double quotes.
fn tags(page: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let mut quoted = false;
        let end = rest
            .find(|letter| {
                quoted ^= letter == '"';
                letter == '>' && !quoted
            })
            .expect("a tag ends");
        let closed = rest[..end].ends_with('/');
        let inside = rest[..end].trim_end_matches('/').trim();
        rest = &rest[end + 1..];
        let (name, mut attributes_text) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut attributes = Vec::new();
        while let Some((key, value)) = attributes_text.split_once("=\"") {
            let (value, more) = value.split_once('"').expect("a value ends");
            attributes.push((key.trim().to_owned(), value.to_owned()));
            attributes_text = more;
        }
        let name = name.to_lowercase();
        if name == "style" || name == "script" {
            let close = format!("</{name}>");
            rest = &rest[rest.find(&close).expect("it closes") + close.len()..];
        }
        let is_whole = closed || WHOLE.contains(&name.as_str());
        tags.push(Tag { name, is_whole, attributes });
    }
    tags
}

/// Tags that have no end, and those whose end was passed over with what is inside.
const WHOLE: [&str; 4] = ["meta", "link", "style", "script"];

/// Everything that must hold of any page, whatever it shows; gives the names of its figures.
fn check_structure(page: &str) -> Vec<String> {
    let all = tags(page);

    // Tags close in the order in which they were opened.
    let mut open: Vec<&str> = Vec::new();
    for tag in &all {
        match tag.name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "</{name}> closes something else"),
            None if tag.is_whole || tag.name.starts_with('!') => {}
            None => open.push(&tag.name),
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "these are never closed");

    // Every id is there once, and whatever refers to one finds it.
    let ids: Vec<&str> = all.iter().filter_map(|tag| tag.get("id")).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "ids are there twice: {ids:?}");
    for tag in &all {
        for name in ["aria-labelledby", "aria-describedby"] {
            for id in tag.get(name).unwrap_or_default().split_whitespace() {
                assert!(unique.contains(id), "{name}={id} leads nowhere");
            }
        }
        if let Some(link) = tag.get("href") {
            let known = link.strip_prefix('#').is_some_and(|id| unique.contains(id));
            assert!(known || link == "data:,", "{link} leads nowhere");
        }
        // Nothing is loaded.
        assert_eq!(tag.get("src"), None, "{tag:?}");
        for (_, value) in &tag.attributes {
            let namespace = value.starts_with("http://www.w3.org/");
            assert!(namespace || !value.contains("://"), "{tag:?}");
        }
    }

    // Columns of tables have buttons, rows have names.
    let count = |name: &str| all.iter().filter(|tag| tag.name == name).count();
    let columns = all.iter().filter(|tag| tag.get("scope") == Some("col"));
    assert!(columns.clone().all(|tag| tag.get("aria-sort") == Some("none")));
    assert_eq!(count("button"), columns.count());
    assert_eq!(count("caption"), count("table"));
    assert!(count("table") >= 2);
    let row_names = all.iter().filter(|tag| tag.get("scope") == Some("row")).count();
    assert_eq!(row_names + count("table"), count("tr"), "every row but the headings has a name");

    // Every figure is an image with a name, a caption and the command that draws it.
    let drawings = all.iter().filter(|tag| tag.get("role") == Some("img")).count();
    assert_eq!((drawings, count("figcaption")), (count("figure"), count("figure")));
    let mut names = Vec::new();
    for figure in page.split("<figure id=\"figure-").skip(1) {
        let name = figure.split('"').next().expect("a name").to_owned();
        let figure = figure.split("</figure>").next().expect("an end");
        let command = match name.as_str() {
            // No figure of elections.
            "token-shares" => "<code>hustings token-ring ".to_owned(),
            _ => format!("--figure {name}</code>"),
        };
        assert!(figure.contains(&command), "{name} has no command");
        let caption = figure.split(&format!("<p id=\"figure-{name}-caption\">")).nth(1);
        let caption = caption.and_then(|text| text.split("</p>").next()).unwrap_or_default();
        assert!(caption.len() > 20, "{name} has no caption");
        let label = figure.split("role=\"img\" aria-label=\"").nth(1);
        assert!(label.is_some_and(|label| label.find('"') > Some(3)), "{name} has no alternative");
        names.push(name);
    }
    names
}

const SMALL: &str = "name = 'small'\nseed = 3\nruns = 60
    [[grid]]
    algorithms = ['chang-roberts', 'peterson', 'hirschberg-sinclair']
    n = '8..128'
    [[grid]]
    algorithms = ['chang-roberts', 'hirschberg-sinclair']
    layouts = ['worst', 'best']
    n = '8..128'
    runs = 1
    ";

#[test]
fn a_page_is_well_formed_and_says_how_to_repeat_it() {
    let page = page_of(SMALL);
    let figures = check_structure(&page);
    assert!(figures.contains(&"messages".to_owned()), "{figures:?}");
    assert!(page.contains("Theory is confirmed"));
    assert!(!page.contains("has changed since"));
    // A figure comes before every table, and tables are folded.
    let first = page.find("<figure").expect("a figure");
    assert!(first < page.find("<table").expect("a table"));
    assert!(!page.contains("id=\"attention\"") && page.contains("0 need attention"));
    assert_eq!(page.matches("<details>").count(), page.matches("<table").count());
    // Where no expectation is known, the bounds that hold.
    assert!(!page.contains("no-theorem"));
    // The mean of Chang-Roberts at n = 128 is 128 H_128 = 695.42..., whatever we compute.
    let harmonic: f64 = (1..=128).map(|k| 1.0 / f64::from(k)).sum();
    assert!(page.contains(&format!(">{:.2}</td>", 128.0 * harmonic)));
    for words in [
        "hustings run data&#x2f;small&#x2f;spec.toml",
        "hustings elect --algorithm chang-roberts --n 8",
        "What the numbers cannot say",
        "runs.csv, SHA-256",
        "algorithms = [&quot;chang-roberts&quot;",
    ] {
        assert!(page.contains(words), "{words} is missing");
    }
}

#[test]
fn the_same_results_give_the_same_bytes_wherever_they_are() {
    let place = tempfile::tempdir().expect("a folder");
    run(SMALL, &place.path().join("here"));
    let first = page(place.path(), "here");
    assert_eq!(page(place.path(), "here"), first);
    std::fs::create_dir(place.path().join("elsewhere")).expect("a folder");
    std::fs::rename(place.path().join("here"), place.path().join("elsewhere/there"))
        .expect("moved");
    assert_eq!(page(place.path(), "elsewhere/there"), first);
    let path = place.path().display().to_string();
    assert!(!first.contains(&path), "the page names a folder of this machine");
}

#[test]
fn hostile_names_are_only_text() {
    // The slash makes it a file in a folder.
    const NAME: &str = "<img src=x onerror=alert(1)>\"'&{{ name }}</script>.txt";
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join(NAME);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(&path, "3 1 2 5 4 6 7 9").expect("written");
    let layout = format!("file:{}", path.display());
    let quoted = serde_json::to_string(&layout).expect("JSON's quotes are TOML's");
    let spec =
        format!("runs = 2\nalgorithms = ['chang-roberts']\nlayouts = [{quoted}, 'random']\nn = 8");
    run(&spec, &place.path().join("out"));
    let page = page(place.path(), "out");
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;&amp;{{ name }}"));
    assert!(!page.contains("<img"));
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
    check_structure(&page);
}

#[test]
fn a_name_that_was_changed_by_hand_does_no_harm() {
    let place = tempfile::tempdir().expect("a folder");
    let out = place.path().join("out");
    run("algorithms = ['chang-roberts']\nn = 8\nruns = 3", &out);
    for file in ["spec.toml", "manifest.json"] {
        let text = std::fs::read_to_string(out.join(file)).expect("text");
        let evil = if file == "spec.toml" { "../<b>" } else { "../<b>x</b>" };
        std::fs::write(out.join(file), text.replace("test", evil)).expect("written");
    }
    let (code, stdout, stderr) = hustings(place.path(), &["report", "out"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("name = ../<b> in out/spec.toml, line 2"), "{stderr}");
}

#[test]
fn one_cell_one_size_and_one_run_are_enough_for_a_page() {
    for spec in [
        "algorithms = ['chang-roberts']\nn = 8\nruns = 1",
        "algorithms = ['chang-roberts', 'peterson']\nn = 8\nruns = 40",
        "algorithms = ['chang-roberts']\nn = '8..64'\nruns = 1",
        "algorithms = ['anonymous']\nn = 1\nruns = 1",
        "algorithms = ['variable-speeds']\nn = [9, 10]\nruns = 2\nlayouts = 'ascending'",
        "algorithms = ['echo-election', 'ghs']\nn = 9\nruns = 2\ntopologies = ['torus', 'path']",
    ] {
        let page = page_of(spec);
        check_structure(&page);
        for words in ["NaN", "inf<", "None", "none</td>"] {
            assert!(!page.contains(words), "{spec}: {words}");
        }
    }
}

#[test]
fn a_contradiction_stands_at_the_top_with_its_command() {
    let place = tempfile::tempdir().expect("a folder");
    let out = place.path().join("out");
    run("algorithms = ['chang-roberts']\nn = '8..64'\nruns = 50\nseed = 4", &out);
    let runs = std::fs::read_to_string(out.join("runs.csv")).expect("runs");
    // The first run of n = 8 now has one message, and no ring has fewer than 15.
    let mut lines: Vec<String> = runs.lines().map(str::to_owned).collect();
    let mut fields: Vec<&str> = lines[1].split(',').collect();
    fields[8] = "1";
    lines[1] = fields.join(",");
    std::fs::write(out.join("runs.csv"), lines.join("\n") + "\n").expect("written");
    seal(&out);
    let page = page(place.path(), "out");
    check_structure(&page);
    assert!(page.contains("Theory is contradicted"));
    assert!(page.contains("hustings elect --algorithm chang-roberts --n 8 --seed 4"));
    assert!(page.contains("<span class=\"bad\">"));
    // Only what needs attention is open, after the counts.
    assert!(
        page.contains("3 of 4 cells agree with their expectation, 1 needs attention."),
        "{page}"
    );
    let open = page.split("<table id=\"attention\"").nth(1).expect("a table");
    let open = open.split("</table>").next().expect("an end");
    assert_eq!(open.matches("<th scope=\"row\">").count(), 1);
    assert!(open.contains("violated"), "{open}");
    let heading = page.find("Theory is contradicted").expect("there");
    assert!(heading < page.find("<figure").expect("a figure"));
}

#[test]
fn only_a_page_is_replaced() {
    let place = tempfile::tempdir().expect("a folder");
    run("algorithms = ['chang-roberts']\nn = 8\nruns = 3", &place.path().join("out"));
    let report = |out: &str| hustings(place.path(), &["report", "out", "--out", out]);
    std::fs::write(place.path().join("thesis.html"), "<p>Mine</p>").expect("written");
    let (code, stdout, stderr) = report("thesis.html");
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("out = thesis.html: this file is there already"), "{stderr}");
    let kept = std::fs::read_to_string(place.path().join("thesis.html")).expect("kept");
    assert_eq!(kept, "<p>Mine</p>");
    let (code, _, stderr) = report("out");
    assert_eq!(code, 2);
    assert!(stderr.contains("this is a folder"), "{stderr}");
    assert_eq!(report("new/folder/page.html").0, 0);
    let (code, stdout, _) = hustings(place.path(), &["report", "out", "--quiet"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert!(place.path().join("plots/test/report.html").exists());
    let (code, _, stderr) = hustings(place.path(), &["report", "nowhere"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("there is no such folder"), "{stderr}");
}

#[test]
fn a_thousand_cells_take_seconds() {
    let place = tempfile::tempdir().expect("a folder");
    let spec = "runs = 3\naudit = 0\nn = '4..53 step 1'
        layouts = ['random', 'ascending', 'descending', 'organ-pipe', 'alternating']
        algorithms = ['chang-roberts', 'clockwise', 'peterson', 'hirschberg-sinclair']";
    run(spec, &place.path().join("out"));
    let start = Instant::now();
    let page = page(place.path(), "out");
    let seconds = start.elapsed().as_secs_f64();
    assert!(page.matches("<tr data-command").count() == 1000);
    assert!(seconds < 30.0, "{seconds} s");
}

/// All files below a folder, with their contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder").flatten() {
            match entry.file_type().expect("a type").is_dir() {
                true => folders.push(entry.path()),
                false => {
                    let bytes = std::fs::read(entry.path()).expect("readable");
                    found.push((entry.path(), bytes));
                }
            }
        }
    }
    found.sort();
    found
}

/// Where the quick experiment was run, once for all tests; and what it said.
static REPRODUCED: LazyLock<(PathBuf, String)> = LazyLock::new(|| {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reproduced");
    if place.exists() {
        std::fs::remove_dir_all(&place).expect("what an earlier test left");
    }
    std::fs::create_dir(&place).expect("a folder");
    let (code, stdout, stderr) = hustings(&place, &["reproduce", "--quick"]);
    assert_eq!(code, 0, "{stderr}");
    (place, stdout)
});

/// Its results.
fn reproduced() -> PathBuf {
    REPRODUCED.0.join("data/reproduce-quick")
}

#[test]
fn reproduce_goes_from_nothing_to_a_page_and_then_only_draws_again() {
    let (place, stdout) = &*REPRODUCED;
    assert!(stdout.contains("tight theorems agree"), "{stdout}");
    assert!(stdout.contains("plots/reproduce-quick/report.html"), "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
    for algorithm in ["chang-roberts", "hirschberg-sinclair", "peterson", "variable-speeds"] {
        assert!(stdout.lines().any(|line| line.trim_start().starts_with(algorithm)), "{stdout}");
    }
    let tables = ["runs.csv", "kinds.csv", "cells.csv", "fits.csv", "datapackage.json"];
    for file in ["spec.toml", "manifest.json"].iter().chain(&tables) {
        assert!(place.join("data/reproduce-quick").join(file).exists(), "{file}");
    }
    let (rings, networks) =
        stdout.split_once("messages on trees and graphs").expect("a table of each");
    let (networks, beside) =
        networks.split_once("messages received in open schedules").expect("lower bounds");
    assert!(beside.contains("peterson") && beside.contains("token rings"), "{stdout}");
    assert!(!rings.contains("torus") && !networks.contains("chang-roberts"), "{stdout}");
    // On every tree of 64 nodes, whatever we compute: 4(N - 1) messages.
    for topology in ["path", "random-tree"] {
        let row = networks.lines().find(|line| {
            line.split_whitespace().take(4).eq([topology, "tree-wakeup", "64", "252"])
        });
        assert!(row.is_some_and(|row| row.ends_with("252  constant-agrees")), "{stdout}");
    }
    for (topology, algorithm) in [("torus", "echo-election"), ("erdos-renyi", "ghs")] {
        let words = [topology, algorithm, "64"];
        let is_row = |line: &str| line.split_whitespace().take(3).eq(words);
        assert!(networks.lines().any(is_row), "{stdout}");
    }
    let plots = place.join("plots/reproduce-quick");
    let html = std::fs::read_to_string(plots.join("report.html")).expect("a page");
    let figures = check_structure(&html);
    assert!(html.contains("<code>hustings reproduce --quick</code>"));
    for name in ["messages", "networks", "network-edges", "network-time", "network-paired"] {
        assert!(figures.iter().any(|figure| figure == name), "{name}: {figures:?}");
    }
    assert!(html.contains("On graphs the schedule matters"));
    // A page can be mailed: this one has less than 1 MB, that of the whole experiment less than 1.5.
    assert!(html.len() < 1_100_000, "{} bytes", html.len());
    for figure in figures {
        for ending in ["svg", "png"] {
            assert!(plots.join(&figure).with_extension(ending).exists(), "{figure}.{ending}");
        }
    }

    let before = files(place);
    let (code, again, stderr) = hustings(place, &["reproduce", "--quick"]);
    assert_eq!((code, &again), (0, stdout));
    assert!(!stderr.contains("runs still"), "{stderr}");
    assert!(files(place) == before, "something has changed");

    // Another seed does not mix with these results.
    let (code, stdout, stderr) = hustings(place, &["reproduce", "--quick", "--seed", "2"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("results of seed 1979"), "{stderr}");
    assert!(files(place) == before, "something has changed");
}

#[test]
fn reproduce_goes_on_where_somebody_stopped() {
    let place = tempfile::tempdir().expect("a folder");
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/specs/reproduce-quick.toml");
    let spec = spec.to_str().expect("text");
    // Half of the chunks, and no tables yet.
    let half = ["run", spec, "--shard", "0/2", "--out", "data/reproduce-quick", "--quiet"];
    assert_eq!(hustings(place.path(), &half).0, 0);
    assert!(!place.path().join("data/reproduce-quick/runs.csv").exists());
    let (code, _, stderr) = hustings(place.path(), &["reproduce", "--quick"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("runs still to do"), "{stderr}");
    let runs = |folder: PathBuf| std::fs::read(folder.join("runs.csv")).expect("runs");
    assert!(runs(place.path().join("data/reproduce-quick")) == runs(reproduced()));
}

#[test]
fn reproduce_says_by_its_exit_code_that_theory_is_contradicted() {
    let place = tempfile::tempdir().expect("a folder");
    let arguments = ["reproduce", "--quick", "--quiet", "--threads", "1"];
    let results = place.path().join("data/reproduce-quick");
    std::fs::create_dir_all(&results).expect("a folder");
    for file in ["spec.toml", "manifest.json", "runs.csv", "kinds.csv", "datapackage.json"] {
        std::fs::copy(reproduced().join(file), results.join(file)).expect(file);
    }
    let path = results.join("runs.csv");
    let runs = std::fs::read_to_string(&path).expect("runs");
    // Everybody's first message is lost: Chang-Roberts takes n messages less.
    let changed: Vec<String> = runs
        .lines()
        .map(|line| {
            let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
            if fields[0] == "chang-roberts" && fields[2] == "random" {
                let [n, messages] = [6, 8].map(|place: usize| fields[place].parse::<u64>());
                fields[8] = (messages.expect("digits") - n.expect("digits") / 2).to_string();
            }
            fields.join(",")
        })
        .collect();
    std::fs::write(&path, changed.join("\n") + "\n").expect("written");
    seal(&results);
    let (code, stdout, stderr) = hustings(place.path(), &arguments);
    assert_eq!(code, 1);
    assert!(stdout.contains("DIFFER"), "{stdout}");
    assert!(stderr.contains("error: theorems are contradicted"), "{stderr}");
    let page = place.path().join("plots/reproduce-quick/report.html");
    let html = std::fs::read_to_string(page).expect("a page");
    assert!(html.contains("Theory is contradicted"));
}

#[test]
fn reproduce_refuses_what_cannot_be() {
    let place = tempfile::tempdir().expect("a folder");
    for (arguments, words) in
        [(["--name", "../up"], "name = ../up"), (["--threads", "0"], "threads = 0")]
    {
        let (code, stdout, stderr) =
            hustings(place.path(), &[&["reproduce", "--quick"], &arguments[..]].concat());
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.contains(words), "{stderr}");
    }
    assert_eq!(hustings(place.path(), &["reproduce", "--quick", "--full"]).0, 2);
    assert_eq!(files(place.path()), vec![]);
}
