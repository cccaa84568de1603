//! `datapackage.json`: every value of every table is what the schema says, and a wrong one is not.

use std::path::Path;

use serde_json::Value;

use crate::command_line::{hustings, stdout};

/// What does not hold in a folder, by the words of its own schema; this reader knows nothing else.
fn faults(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("datapackage.json")).expect("a package");
    let package: Value = serde_json::from_str(&text).expect("JSON");
    let mut faults = Vec::new();
    for resource in package["resources"].as_array().expect("tables") {
        let path = resource["path"].as_str().expect("a path");
        let fields = resource["schema"]["fields"].as_array().expect("columns");
        let mut table = csv::Reader::from_path(folder.join(path)).expect("a table");
        let names: Vec<&str> = fields.iter().map(|it| it["name"].as_str().expect("text")).collect();
        if table.headers().expect("a head").iter().ne(names.iter().copied()) {
            faults.push(format!("{path}: other columns"));
        }
        assert!(fields.iter().all(|it| it["description"].as_str().is_some_and(|it| it.len() > 3)));
        let key = resource["schema"]["primaryKey"].as_array().expect("a key");
        let place = |name: &Value| names.iter().position(|it| name == it).expect("a column");
        let key: Vec<usize> = key.iter().map(place).collect();
        let mut seen = std::collections::BTreeSet::new();
        for (number, row) in table.records().enumerate() {
            let row = row.expect("a row");
            for (field, cell) in fields.iter().zip(&row) {
                if !fits(field, cell) {
                    faults.push(format!("{path}, row {number}, {}: {cell:?}", field["name"]));
                }
            }
            if !seen.insert(key.iter().map(|&place| row[place].to_owned()).collect::<Vec<_>>()) {
                faults.push(format!("{path}, row {number}: twice"));
            }
        }
        assert!(path == "fits.csv" || !seen.is_empty(), "{path} is empty");
    }
    faults
}

/// Whether a value is what its column says.
fn fits(field: &Value, cell: &str) -> bool {
    let constraints = &field["constraints"];
    if cell.is_empty() {
        return constraints["required"] != true;
    }
    let number = match field["type"].as_str().expect("a type") {
        "string" => None,
        "boolean" => return ["true", "false"].contains(&cell),
        "integer" if cell.parse::<u128>().is_err() => return false,
        "integer" | "number" => match cell.parse::<f64>() {
            Ok(number) if number.is_finite() => Some(number),
            _ => return false,
        },
        other => panic!("{other} is not known here"),
    };
    let within = number.is_none_or(|number| {
        let least = constraints["minimum"].as_f64();
        let most = constraints["maximum"].as_f64();
        least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
    });
    let words = constraints["enum"].as_array();
    within && words.is_none_or(|words| words.iter().any(|word| word == cell))
}

#[test]
fn every_value_is_what_the_schema_says() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let shown = |name: &str| path(name).display().to_string();
    for (name, run) in [
        ("rings", "--algorithm chang-roberts,peterson,lelann --n 4,8,16,32,64 --runs 80"),
        (
            "delays",
            "--algorithm chang-roberts --n 8 --runs 30 --timing uniform:0..1,lifo --ids sparse",
        ),
        ("graphs", "--algorithm echo-election,phase --topology random-tree --n 16 --runs 20"),
        ("cliques", "--algorithm sublinear-clique --topology complete --n 64 --runs 40"),
        ("one", "--algorithm anonymous --n 4 --runs 1"),
    ] {
        stdout(&format!("run {run} --out {} --quiet", shown(name)));
        assert_eq!(faults(&path(name)), Vec::<String>::new(), "{name}");
        let before = std::fs::read(path(name).join("datapackage.json")).expect("a package");
        stdout(&format!("summarise {} --quiet", shown(name)));
        assert_eq!(faults(&path(name)), Vec::<String>::new(), "{name}");
        let after = std::fs::read(path(name).join("datapackage.json")).expect("a package");
        assert!(before.len() < after.len(), "{name}: the estimates are not in the schema");
    }
    let sweep = "--n 6 --timer 20,40 --delay 1 --hold 1 --loss 1% --until 500 --runs 5 --quiet";
    let token = hustings(&format!("token-ring {sweep} --out {}", shown("token")));
    assert_eq!(token.status.code(), Some(0), "{}", String::from_utf8_lossy(&token.stderr));
    assert_eq!(faults(&path("token")), Vec::<String>::new());
    // Wrong values are found: a letter, a missing number, a word that is none, a row that is there twice.
    let runs = std::fs::read_to_string(path("rings").join("runs.csv")).expect("runs");
    let last = runs.lines().last().expect("a row").to_owned();
    let mut wrong: Vec<String> = last.split(',').map(str::to_owned).collect();
    wrong[8] = "1x".to_owned();
    std::fs::write(path("rings").join("runs.csv"), format!("{runs}{}\n", wrong.join(",")))
        .expect("written");
    assert_eq!(faults(&path("rings")).len(), 2);
    wrong[7] = "9999".to_owned();
    wrong[8] = String::new();
    std::fs::write(path("rings").join("runs.csv"), format!("{runs}{}\n", wrong.join(",")))
        .expect("written");
    assert_eq!(faults(&path("rings")).len(), 1);
}

#[test]
fn the_schema_has_equal_bytes_whatever_way_results_came_about() {
    let place = tempfile::tempdir().expect("a folder");
    let shown = |name: &str| place.path().join(name).display().to_string();
    let flags = "--algorithm chang-roberts,peterson --n 4,8 --runs 50 --quiet";
    stdout(&format!("run {flags} --out {}", shown("a/results")));
    for shard in 0..2 {
        stdout(&format!("run {flags} --out {} --shard {shard}/2", shown("b/results")));
    }
    let merged = hustings(&format!("merge {} --quiet", shown("b/results")));
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    let package = |name: &str| {
        std::fs::read(place.path().join(name).join("results/datapackage.json")).expect("a package")
    };
    assert_eq!(package("a"), package("b"));
    // Without it a folder is still complete, and the next summary writes it again.
    stdout(&format!("summarise {} --quiet", shown("a/results")));
    let whole = package("a");
    std::fs::remove_file(place.path().join("a/results/datapackage.json")).expect("removed");
    stdout(&format!("summarise {} --quiet", shown("a/results")));
    assert_eq!(package("a"), whole);
}
