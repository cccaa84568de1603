//! Tables: every verb that prints one prints the same in every format.

use std::path::Path;

use hustings::model::metric::Metric;
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::command_line::{hustings, refuses, stdout};

/// Results, a baseline and a spec to try verbs on; gone with the folder.
fn place() -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (results, spec, baseline) = (path("results"), path("spec.toml"), path("before"));
    let text = "runs = 40\naudit = 0\n[bounds]\nchang-roberts = 'n*(n+1)/2'
        [[grid]]\nalgorithms = ['chang-roberts', 'hirschberg-sinclair']\nn = [4, 16, 1024, 20_000]
        [[grid]]\nalgorithms = 'chang-roberts'\nn = [4, 16, 1024, 20_000]\nlayouts = 'worst'";
    std::fs::write(&spec, text).expect("written");
    stdout(&format!("run {spec} --out {results} --quiet"));
    let made = hustings(&format!("baseline {results} -o {baseline}"));
    assert_eq!(made.status.code(), Some(0));
    let verbs = vec![
        format!("summarise {results}"),
        format!("summarise {results} --metric bits --curves"),
        format!("compare {results} --layout random"),
        "theory --algorithm hirschberg-sinclair --n 1000".to_owned(),
        "theory --algorithm echo-election --topology torus --n 64".to_owned(),
        "theory --algorithm chang-roberts --n 60 --distribution".to_owned(),
        "exact --algorithm hirschberg-sinclair --n 6".to_owned(),
        "exact --algorithm clockwise-join --n 5 --initiators count:2".to_owned(),
        "exact --schedules --algorithm chang-roberts --n 3".to_owned(),
        format!("check {results} --baseline {baseline}"),
        format!("check {results} --baseline {baseline} --mode statistical --allow-inconclusive"),
        format!("check {results} --mode bounds"),
    ];
    (folder, verbs)
}

/// The rows of the tables of a page in Markdown, heads included, as numbers of cells.
fn rows_of_markdown(page: &str) -> Vec<usize> {
    let (mut rows, mut tables) = (Vec::new(), 0);
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(_)) => tables += 1,
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(0),
            Event::Start(Tag::TableCell) => *rows.last_mut().expect("a row") += 1,
            _ => {}
        }
    }
    assert_eq!(tables, 1, "{page}");
    rows
}

/// The rows of a CSV, head included.
fn rows_of_csv(text: &str) -> Vec<csv::StringRecord> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.expect("rows of one length")).collect()
}

#[test]
#[cfg(not(feature = "parquet"))]
fn without_its_feature_an_export_says_how_to_get_it() {
    let words = ["export = runs.parquet", "feature parquet", "install --path . --features parquet"];
    refuses("summarise nowhere --export runs.parquet", &words);
}

#[test]
fn every_verb_writes_one_table_in_every_format() {
    let (_folder, verbs) = place();
    for verb in &verbs {
        let text = stdout(verb);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{verb}: {line}");
        }
        assert_eq!(stdout(&format!("{verb} --format text")), text);
        let page = stdout(&format!("{verb} --format markdown"));
        let rows = rows_of_markdown(&page);
        assert!(rows.len() > 1 && rows.iter().all(|cells| *cells == rows[0]), "{page}");
        let latex = stdout(&format!("{verb} --format latex"));
        let inside = latex.split("\\begin{tabular}").nth(1).expect("a table");
        let kinds = inside.split(['{', '}']).nth(1).expect("columns");
        assert_eq!(kinds.len(), rows[0], "{latex}");
        assert_eq!(latex.matches(" \\\\\n").count(), rows.len(), "{latex}");
        assert!(latex.matches(" & ").count() >= rows.len() * (rows[0] - 1), "{latex}");
        for rule in ["\\toprule", "\\midrule", "\\bottomrule"] {
            assert_eq!(latex.matches(rule).count(), 1, "{latex}");
        }
        let csv = rows_of_csv(&stdout(&format!("{verb} --format csv")));
        // Programs get every number of a distribution, people ranges.
        match verb.contains("--distribution") {
            true => assert!(csv.len() > rows.len()),
            false => assert_eq!(csv.len(), rows.len(), "{verb}"),
        }
        assert!(csv[0].len() >= rows[0], "{verb}: {:?}", csv[0]);
        assert!(csv.iter().flatten().all(|cell| !cell.contains('±') || cell.ends_with(" ±")));
        refuses(&format!("{verb} --format csv --json"), &["format = csv", "--json"]);
    }
}

/// The columns of a table in CSV, by name.
fn column(text: &str, name: &str) -> Vec<f64> {
    let rows = rows_of_csv(text);
    let place = rows[0].iter().position(|it| it == name).expect("such a column");
    rows[1..].iter().map(|row| row[place].parse().expect("a number")).collect()
}

#[test]
fn the_numbers_of_tables_are_those_of_results() {
    let (folder, verbs) = place();
    let csv = |verb: &str| stdout(&format!("{verb} --format csv"));
    let means = column(&csv(&verbs[0]), "mean messages");
    let cells = std::fs::read_to_string(folder.path().join("results/cells.csv")).expect("cells");
    let mut cells = csv::Reader::from_reader(cells.as_bytes());
    let head = cells.headers().expect("names").clone();
    let place = |name: &str| head.iter().position(|it| it == name).expect("a column");
    let rows: Vec<csv::StringRecord> = cells.records().map(|row| row.expect("a row")).collect();
    let rows = rows.iter().filter(|row| &row[place("metric")] == "messages");
    let told: Vec<f64> = rows.map(|row| row[place("mean")].parse().expect("digits")).collect();
    assert_eq!(means.len(), told.len());
    for (mean, told) in means.iter().zip(told) {
        assert!((mean - told).abs() <= 0.05, "{mean} {told}");
    }
    // All (6-1)! rings, once for messages and once for rounds.
    let rings = column(&csv(&verbs[6]), "rings");
    assert_eq!(rings.iter().sum::<f64>(), 240.0);
    let law = column(&csv(&verbs[5]), "probability");
    assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let (before, now) = (column(&csv(&verbs[9]), "before"), column(&csv(&verbs[9]), "now"));
    assert_eq!(before, now);
}

#[test]
fn a_table_that_fails_still_exits_with_its_code() {
    let (folder, _) = place();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let spec = Path::new(&path("spec.toml")).to_owned();
    let text = std::fs::read_to_string(&spec).expect("a spec").replace("n*(n+1)/2", "2*n");
    std::fs::write(&spec, text.replace(", 1024, 20_000", "")).expect("written");
    let line = format!("check {} --mode bounds --format markdown", path("spec.toml"));
    let output = hustings(&line);
    assert_eq!(output.status.code(), Some(1));
    let page = String::from_utf8(output.stdout).expect("text");
    assert!(page.contains("VIOLATED") && page.contains("hustings elect"), "{page}");
    assert!(rows_of_markdown(&page).len() > 2);
}

/// The values of a column of `runs.csv`, run by run.
fn runs(folder: &Path, algorithm: &str, metric: &str) -> Vec<f64> {
    let mut table = csv::Reader::from_path(folder.join("runs.csv")).expect("runs");
    let head = table.headers().expect("names").clone();
    let place = |name: &str| head.iter().position(|it| it == name).expect("a column");
    let rows = table.records().map(|row| row.expect("a row"));
    let own = rows.filter(|row| &row[place("algorithm")] == algorithm);
    own.map(|row| row[place(metric)].parse().expect("a number")).collect()
}

#[test]
fn every_metric_is_compared_ring_by_ring() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("results");
    let [first, second] = ["franklin", "peterson"];
    stdout(&format!(
        "run --engine simulate --algorithm {first},{second} --n 24 --runs 60 --timing uniform:0..1 \
         --out {} --quiet",
        results.display()
    ));
    for metric in ["messages", "bits", "time", "end", "rounds", "max_node_messages"] {
        let line = format!("compare {} --metric {metric}", results.display());
        let told = crate::command_line::json(&format!("{line} --json"));
        let row = &told["comparisons"][0];
        assert_eq!(row["metric"], metric);
        let [a, b] = [first, second].map(|name| runs(&results, name, metric));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let near = |told: &serde_json::Value, value: f64| {
            let told = told.as_f64().expect("a number");
            assert!(
                (told - value).abs() <= 1e-6 * value.abs().max(1.0),
                "{metric}: {told} {value}"
            );
        };
        near(&row["first_mean"], mean(&a));
        near(&row["second_mean"], mean(&b));
        near(&row["ratio"], mean(&a) / mean(&b));
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        near(&row["difference"], mean(&differences));
        let fewer = differences.iter().filter(|difference| **difference < 0.0).count();
        near(&row["first_fewer"], fewer as f64 / 60.0);
        let text = stdout(&line);
        let noun = metric.parse::<Metric>().expect("a metric").noun("uniform:0..1");
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(noun), "{text}");
    }
    refuses(&format!("compare {} --metric cost", results.display()), &["metric = cost"]);
}

#[test]
fn two_algorithms_need_no_names_and_three_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let run = |algorithms: &str, out: &str| {
        stdout(&format!(
            "run --algorithm {algorithms} --n 8 --runs 40 --out {} --quiet",
            path(out)
        ));
    };
    run("chang-roberts,peterson", "two");
    run("chang-roberts,peterson,lelann", "three");
    run("lelann", "one");
    let unnamed = stdout(&format!("compare {}", path("two")));
    assert_eq!(
        stdout(&format!("compare {} --algorithm chang-roberts,peterson", path("two"))),
        unnamed
    );
    assert!(unnamed.starts_with("peterson needs "), "{unnamed}");
    refuses(
        &format!("compare {}", path("three")),
        &["algorithm = (nothing)", "chang-roberts,lelann,peterson"],
    );
    refuses(&format!("compare {}", path("one")), &["nothing to compare with"]);
}

#[test]
fn figures_draw_the_metric_that_is_asked_for_and_others_say_why_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    stdout(&format!(
        "run --engine simulate --algorithm chang-roberts,peterson,franklin --n 8,16,32,64 --runs 40 \
         --out {} --quiet",
        path("results")
    ));
    for (metric, drawn) in [
        ("bits", &["messages", "per-node", "ratio", "distribution", "quantiles", "paired"][..]),
        ("time", &["messages", "per-node", "ratio", "distribution"]),
        ("rounds", &["messages", "distribution", "paired"]),
        ("max_node_messages", &["messages", "distribution", "paired"]),
    ] {
        let line = format!(
            "plot {} --metric {metric} --format svg --out {}",
            path("results"),
            path(metric)
        );
        let output = hustings(&line);
        assert_eq!(output.status.code(), Some(0), "{line}");
        let (written, notes) = (
            String::from_utf8(output.stdout).expect("text"),
            String::from_utf8(output.stderr).expect("text"),
        );
        for figure in drawn {
            let name = format!("{figure}-{metric}.svg");
            assert!(written.contains(&name), "{name}: {written}{notes}");
            let svg = std::fs::read_to_string(Path::new(&path(metric)).join(&name)).expect("drawn");
            let noun = metric.parse::<Metric>().expect("a metric").noun("sync");
            let words = noun.split(' ').next().expect("a word");
            assert!(svg.contains(words) || *figure == "ratio", "{name}: {noun}");
        }
        for figure in ["kinds", "trade-off", "layouts", "constants"] {
            let why = format!("no figure {figure}: it is about messages, not {metric}");
            assert!(notes.contains(&why), "{notes}");
        }
    }
    let one = format!("plot {} --figure kinds --metric bits --out {}", path("results"), path("x"));
    refuses(&one, &["figure = kinds", "about messages"]);
    refuses(&format!("plot {} --metric cost", path("results")), &["metric = cost"]);
    refuses(&format!("plot {} --n 9", path("results")), &["n = 9"]);
    // One size is one size in every figure, and sizes are a list.
    let sizes = format!(
        "plot {} --figure messages --n 8,32 --format svg --out {} --quiet",
        path("results"),
        path("sizes")
    );
    stdout(&sizes);
    let svg =
        std::fs::read_to_string(Path::new(&path("sizes")).join("messages.svg")).expect("drawn");
    assert!(svg.contains("At n = 32, "), "{svg}");
}
