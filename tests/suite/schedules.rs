//! `exact --schedules` and `worst` on the command line: what programs read, and what is refused.

use std::path::Path;

use hustings::engine::Registry;
use hustings::engine::explore::MEMORY;
use hustings::experiment::schedules::{Schedules, Sets, Sites};
use hustings::model::stop::NEVER;
use serde_json::Value;

use crate::command_line::{hustings, json, refuses, stdout};

#[test]
fn all_schedules_of_one_ring_as_json() {
    let object = json("exact --schedules --algorithm radius-growth --ids 4,1,3,2 --json");
    assert_eq!(object["min"]["messages"], 32);
    assert_eq!(object["max"]["messages"], 40);
    assert_eq!(object["violations"], 0);
    assert!(object["states"].as_u64() > Some(1000));
    // A trace delivers every message that it sends.
    for extreme in ["min", "max"] {
        let trace = object[extreme]["trace"].as_array().expect("steps");
        let sent =
            trace.iter().map(|step| step["sends"].as_array().map_or(0, Vec::len)).sum::<usize>();
        let delivered = trace.iter().filter(|step| step["event"] == "deliver").count();
        assert_eq!(sent, delivered);
        assert_eq!(Some(sent as u64), object[extreme]["messages"].as_u64());
        assert_eq!(trace.iter().filter(|step| step["decides"] == "leader").count(), 1);
    }
}

#[test]
fn announcements_do_not_count() {
    let plain = json("exact --schedules --algorithm chang-roberts --n 4 --json");
    let announced = json("exact --schedules --algorithm chang-roberts+announce --n 4 --json");
    for extreme in ["min", "max"] {
        assert_eq!(plain[extreme]["messages"], announced[extreme]["messages"]);
    }
    assert_eq!(plain["elections"], 6);
}

#[test]
fn threads_and_reduction_change_no_extreme() {
    let arguments =
        "exact --schedules --algorithm adoption --topology every --n 3 --initiators every --json";
    assert_eq!(
        stdout(&format!("{arguments} --threads 1")),
        stdout(&format!("{arguments} --threads 3"))
    );
    let (plain, reduced) = (json(arguments), json(&format!("{arguments} --reduce")));
    assert_eq!(plain["max"]["messages"], reduced["max"]["messages"]);
    assert_eq!(plain["elections"], 28);
}

#[test]
fn where_mail_commutes_it_is_said_what_was_counted() {
    let ring = "exact --schedules --algorithm hirschberg-sinclair --n 4 --staggered --reduce";
    let text = stdout(ring);
    assert!(text.contains(" of single nodes (mail commutes: any order will do)"), "{text}");
    assert_eq!(json(&format!("{ring} --json"))["commuting"], 6);
    assert_eq!(json(&format!("{ring} --no-fifo --json"))["commuting"], 6);
    let some = "exact --schedules --algorithm radius-growth --n 4 --reduce";
    let text = stdout(some);
    assert!(text.contains("in 4 of 6 elections"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let plain = json("exact --schedules --algorithm radius-growth --n 4 --json");
    let reduced = json(&format!("{some} --json"));
    assert_eq!((&plain["commuting"], &reduced["commuting"]), (&Value::from(0), &Value::from(4)));
    for extreme in ["min", "max"] {
        assert_eq!(plain[extreme]["messages"], reduced[extreme]["messages"]);
    }
    // Handlers that panic in an order that no schedule has are not heard of.
    let output =
        hustings("exact --schedules --algorithm tree-wakeup --topology path --n 4 --reduce");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

/// The numbers of a row of the figure, from the explorer itself: name, how many vary, and the numbers
/// beside the bar.
fn figure_row(algorithm: &str) -> Vec<String> {
    let asked = Schedules {
        algorithm: Registry::standard().named(algorithm).expect("known").clone(),
        sites: Sites::Every(3),
        sets: Sets::Every,
        fifo: true,
        staggered: false,
        reduced: false,
        memory: MEMORY,
    };
    let instances = asked.instances().expect("elections");
    let found = instances.iter().map(|instance| {
        let found = asked.explore(instance, &NEVER, &|_| {}).expect("correct");
        let in_rounds = instance.in_rounds(&asked.algorithm, &NEVER).expect("correct");
        (found.min.messages, found.max.messages, in_rounds)
    });
    let found: Vec<(u64, u64, u64)> = found.collect();
    let vary = found.iter().filter(|(min, max, _)| min < max).count();
    let ratio = |messages: u64, in_rounds: u64| messages as f64 / in_rounds as f64;
    let low = found.iter().min_by(|a, b| ratio(a.0, a.2).total_cmp(&ratio(b.0, b.2)));
    let high = found.iter().rev().max_by(|a, b| ratio(a.1, a.2).total_cmp(&ratio(b.1, b.2)));
    let (low, high) = (low.expect("some"), high.expect("some"));
    let mut row = vec![algorithm.to_owned(), format!("{vary} of {} vary", found.len())];
    row.extend((low.0 < low.2).then(|| format!("{}/{}", low.0, low.2)));
    row.extend((high.1 > high.2).then(|| format!("{}/{}", high.1, high.2)));
    row
}

fn texts(svg: &Path) -> Vec<String> {
    let svg = std::fs::read_to_string(svg).expect("a figure");
    let svg = roxmltree::Document::parse(&svg).expect("XML");
    let texts = svg.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text().map(str::to_owned)).collect()
}

#[test]
fn the_figure_has_the_numbers_of_the_explorer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("schedules.svg");
    let line = format!(
        "exact --schedules --algorithm dfs-colour,phase --topology every --n 3 --initiators every \
         --reduce --figure {}",
        path.display()
    );
    let table = stdout(&line);
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let shown = texts(&path);
    let rows = [figure_row("dfs-colour"), figure_row("phase")];
    assert_eq!((rows[0].len(), rows[1].len()), (4, 2), "{rows:?}");
    for row in &rows {
        let begin = shown.iter().position(|text| *text == row[0]).expect("a row");
        assert_eq!(shown[begin..begin + row.len()], row[..]);
    }
    assert!(shown[0].contains("1 of 2 algorithms"), "{shown:?}");
    // The same table for programs, one object for each.
    let line = line.split(" --figure").next().expect("a line");
    let list = json(&format!("{line} --json"));
    let names: Vec<&Value> =
        list.as_array().expect("a list").iter().map(|it| &it["algorithm"]).collect();
    assert_eq!(names, ["dfs-colour", "phase"]);
    assert_eq!(stdout(line), table);
    // A file of somebody else stays.
    std::fs::write(&path, "mine").expect("written");
    let line = format!(
        "exact --schedules --algorithm phase --n 3 --topology path --figure {}",
        path.display()
    );
    refuses(&line, &["figure = ", "written over"]);
    refuses(
        "exact --schedules --algorithm phase --n 3 --figure a.gif",
        &["figure = a.gif", ".svg"],
    );
    refuses(
        "exact --algorithm lelann,peterson --n 3",
        &["algorithm = lelann,peterson", "--schedules"],
    );
}

#[test]
fn a_schedule_that_fails_is_shown_step_by_step() {
    let output = hustings("exact --schedules --algorithm peterson --ids 2,1 --no-fifo");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("fails in 1 of 1 elections"), "{text}");
    assert!(text.contains("the shortest schedule that shows it"), "{text}");
    assert!(text.contains("2 starts: sends"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let output = hustings("exact --schedules --algorithm peterson --ids 2,1 --no-fifo --json");
    assert_eq!(output.status.code(), Some(1));
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&object["violations"], &object["min"]), (&Value::from(1), &Value::Null));
    assert!(!object["counterexample"]["trace"].as_array().expect("steps").is_empty());
}

#[test]
fn what_cannot_be_explored_is_refused() {
    let exact = "exact --schedules --algorithm";
    refuses(&format!("{exact} time-slice --n 3"), &["it needs rounds"]);
    refuses(&format!("{exact} bidirectional-chang-roberts --n 3"), &["flip coins"]);
    refuses(&format!("{exact} lelann"), &["the number of nodes is missing"]);
    refuses(&format!("{exact} lelann --n 40"), &["n = 40"]);
    refuses(&format!("{exact} lelann --n 0"), &["n = 0"]);
    refuses(&format!("{exact} lelann --n 4 --ids 1,2"), &["n = 4", "2 nodes"]);
    refuses(&format!("{exact} lelann --topology path --n 3"), &["runs on rings only"]);
    refuses(&format!("{exact} tree-waves --topology ring --n 3"), &["runs on trees only"]);
    refuses(&format!("{exact} adoption --topology erdos-renyi --n 3"), &["drawn anew"]);
    refuses(&format!("{exact} lelann --n 3 --initiators share:0.5"), &["initiators = share:0.5"]);
    refuses(&format!("{exact} lelann --n 3 --initiators at:0@3"), &["initiators = at:0@3"]);
    refuses(
        &format!("{exact} echo-election --topology complete --n 4 --memory 1"),
        &["memory = 1", "nothing is proved", "states"],
    );
    // This one is clap's, who names the flag on a line of its own.
    let output = hustings("exact --algorithm lelann --n 3 --staggered");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--schedules"));
}

#[test]
fn a_search_for_the_worst_is_repeatable_on_any_number_of_threads() {
    let worst =
        "worst --quiet --algorithm higham-przytycka --n 13 --evaluations 4000 --seed 5 --json";
    let one = stdout(&format!("{worst} --threads 1"));
    assert_eq!(one, stdout(&format!("{worst} --threads 2")));
    let object: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(object["standing"], "lower bound for the maximum");
    // The command holds the same election.
    let command = object["command"].as_str().expect("a command");
    let again = json(&format!("{} --json", command.strip_prefix("hustings ").expect("ours")));
    assert_eq!(again["messages"].as_f64(), object["value"].as_f64());
    for more in ["--schedules", "--schedules --staggered --initiators count:4", "--metric time"] {
        let object = json(&format!("{worst} {more}"));
        let command = object["command"].as_str().expect("a command");
        let again = json(&format!("{} --json", command.strip_prefix("hustings ").expect("ours")));
        let metric = object["metric"].as_str().expect("a metric");
        assert_eq!(again[metric].as_f64(), object["value"].as_f64(), "{command}");
    }
}

#[test]
fn a_search_reaches_what_is_proved_and_writes_its_ring() {
    let object = json("worst --quiet --algorithm hirschberg-sinclair --n 8 --json");
    assert_eq!((&object["value"], &object["exhaustive"]), (&Value::from(89.0), &Value::from(true)));
    let object = json("worst --quiet --algorithm chang-roberts --n 16 --evaluations 100000 --json");
    assert_eq!(object["value"], 136.0);
    assert_eq!(object["standing"], "the maximum, as proved");
    let object = json(
        "worst --quiet --algorithm chang-roberts --n 16 --minimise --evaluations 100000 --json",
    );
    assert_eq!(object["value"], 31.0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ring.txt");
    let path = path.to_str().expect("a name");
    let text = stdout(&format!(
        "worst --quiet --algorithm peterson --n 12 --evaluations 2000 --output {path}"
    ));
    assert!(text.contains("  again       "), "{text}");
    let again = json(&format!("elect --algorithm peterson --layout file:{path} --json"));
    let value =
        text.lines().find_map(|line| line.trim().strip_prefix("messages")).expect("a value");
    let value: f64 = value.split_whitespace().next().expect("a number").parse().expect("a number");
    assert_eq!(again["messages"].as_f64(), Some(value));
}

#[test]
fn a_search_for_nothing_is_refused() {
    let worst = "worst --algorithm";
    refuses(&format!("{worst} lelann"), &["the number of nodes is missing"]);
    refuses(&format!("{worst} lelann --n 0"), &["n = 0"]);
    refuses(&format!("{worst} lelann --n 5 --metric weight"), &["metric = weight", "messages"]);
    refuses(&format!("{worst} lelann --n 5 --evaluations 0"), &["evaluations = 0"]);
    refuses(&format!("{worst} lelann --n 5 --no-fifo"), &["add --schedules"]);
    refuses(&format!("{worst} bidirectional-chang-roberts --n 5"), &["flip coins"]);
    refuses(&format!("{worst} adoption --topology random-tree --n 5"), &["drawn anew"]);
    refuses(&format!("{worst} time-slice --n 5 --schedules"), &["synchronous rounds"]);
}
