//! The command line: what it prints, what it refuses and how, and how wide its lines are.

use std::io::Read;
use std::process::{Command, Output, Stdio};

use hustings::algorithm::On;
use serde_json::Value;

use crate::common::{REGISTRY, home};

/// The longest line of a terminal.
const WIDTH: usize = 80;

pub(crate) fn hustings(arguments: &str) -> Output {
    assert_cmd::cargo::cargo_bin_cmd!("hustings")
        .env("COLUMNS", "80")
        .args(arguments.split_whitespace())
        .output()
        .expect("the program runs")
}

/// What it prints where all goes well.
pub(crate) fn stdout(arguments: &str) -> String {
    let output = hustings(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {errors}");
    assert_eq!(errors, "", "{arguments}");
    String::from_utf8(output.stdout).expect("text")
}

pub(crate) fn json(arguments: &str) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("JSON")
}

/// It must exit with 2, print no result, and say all of `words` on the first line of its error.
pub(crate) fn refuses(arguments: &str, words: &[&str]) {
    let output = hustings(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
    assert_eq!(output.stdout, b"", "{arguments}");
    let first = errors.lines().next().unwrap_or_default();
    assert!(first.starts_with("error: "), "{arguments}: {errors}");
    for word in words {
        assert!(first.contains(word), "{arguments}: {word:?} is not in {errors}");
    }
    assert!(!errors.contains("panicked"), "{arguments}: {errors}");
}

fn fits(text: &str, what: &str) {
    for line in text.lines().filter(|line| !line.trim_start().starts_with("again ")) {
        assert!(line.chars().count() <= WIDTH, "{what}: {line}");
    }
}

#[test]
fn a_ring_without_nodes_is_refused() {
    for verb in ["elect", "theory", "exact"] {
        let arguments = format!("{verb} --algorithm chang-roberts --n 0");
        refuses(&arguments, &["n = 0", "at least one process", "use 1 or more"]);
    }
    refuses("theory --algorithm chang-roberts --n 0 --distribution", &["n = 0", "use 1 or more"]);
    refuses("elect --algorithm chang-roberts", &["n = (nothing)", "--n 12"]);
}

#[test]
fn bad_ids_are_refused() {
    for (ids, words) in [
        ("4,1,4", ["ids = 4", "twice", "an ID of its own"]),
        ("4,x", ["ids = x", "a whole number", "correct this one"]),
        ("4,-1", ["ids = -1", "a whole number", "correct this one"]),
        ("3,,2", ["ids = (nothing)", "ID number 2 is missing", "fill it in"]),
        ("4,99999999999999999999", ["ids = 99999999999999999999", "18446744073709551615", "corr"]),
        ("dens", ["ids = dens", "no such name", "did you mean dense?"]),
    ] {
        refuses(&format!("elect --algorithm lelann --n 2 --ids {ids}"), &words);
    }
    refuses("elect --algorithm lelann --n 4 --ids 1,2", &["n = 4", "names 2 IDs", "use 2"]);
}

#[test]
fn elections_that_nobody_starts_are_refused() {
    for verb in ["elect", "theory", "exact"] {
        for (initiators, words) in [
            ("count:0", ["count:0", "nobody would start", "count:1"]),
            ("share:0", ["share:0", "nobody would start", "share:0.5"]),
            ("share:1.5", ["share:1.5", "up to 1", "share:0.5"]),
            ("share:1e-300", ["nobody would start", "draw of 4 nodes", "share:0.0000001 or more"]),
            ("at:", ["at:", "not a position", "write positions"]),
            ("at:0,0", ["at:0,0", "twice", "write positions"]),
            ("at:0,,3", ["at:0,,3", "not a position", "write positions"]),
            ("at:0,4", ["at:0,4", "no position 4", "from 0 to 3"]),
            ("at:x", ["at:x", "not a position", "write positions"]),
            ("count:5", ["count:5", "only 4 nodes", "count:4 or less"]),
            ("count:x", ["count:x", "not a whole number", "count:3"]),
            ("al", ["initiators = al", "no such name", "did you mean all?"]),
        ] {
            let arguments = format!("{verb} --algorithm lelann --n 4 --initiators {initiators}");
            refuses(&arguments, &words);
            refuses(&arguments, &["initiators = "]);
        }
    }
    let arguments = "exact --algorithm lelann --n 4 --initiators share:0.5";
    refuses(arguments, &["initiators = share:0.5", "count:K"]);
    for verb in ["elect", "exact"] {
        let arguments = format!("{verb} --algorithm time-slice --n 4 --initiators one");
        refuses(&arguments, &["initiators = one", "needs everybody", "use all"]);
    }
}

#[test]
fn the_nearest_name_is_suggested() {
    for verb in ["elect", "theory", "exact"] {
        let arguments = format!("{verb} --algorithm petersen --n 4");
        let words = ["algorithm = petersen", "did you mean peterson?", "hustings list"];
        refuses(&arguments, &words);
    }
    for (flag, value, meant) in [
        ("layout", "asending", "ascending"),
        ("timing", "sinc", "sync"),
        ("ids", "spars", "sparse"),
    ] {
        let arguments = format!("elect --algorithm lelann --n 4 --{flag} {value}");
        let (field, meant) = (format!("{flag} = {value}"), format!("did you mean {meant}?"));
        refuses(&arguments, &[&field, &meant]);
    }
    refuses("lst", &["lst"]);
    refuses("list --jsn", &["--jsn"]);
}

#[test]
fn malformed_numbers_and_ranges_are_refused() {
    for number in ["x", "-3", "1.5", "99999999999999999999"] {
        for verb in ["elect", "theory", "exact"] {
            let arguments = format!("{verb} --algorithm lelann --n {number}");
            refuses(&arguments, &["--n", number, "use a whole number"]);
        }
        for flag in ["seed", "run", "limit"] {
            let arguments = format!("elect --algorithm lelann --n 4 --{flag} {number}");
            refuses(&arguments, &[flag, number, "use a whole number"]);
        }
    }
    refuses("elect --algorithm lelann --n 99999999999", &["n = 99999999999", "use at most"]);
    for timing in ["uniform:2..1", "uniform:a..b", "uniform:1", "uniform:-1..1", "uniform:0..0"] {
        let arguments = format!("elect --algorithm lelann --n 4 --timing {timing}");
        refuses(&arguments, &["timing = ", timing, "write it as uniform:0.5..1.5"]);
    }
    for timing in ["exponential:0", "exponential:x", "exponential:inf"] {
        let arguments = format!("elect --algorithm lelann --n 4 --timing {timing}");
        refuses(&arguments, &["timing = ", timing, "write it as exponential:1"]);
    }
    let arguments = "elect --algorithm lelann --n 4 --layout nearly-sorted:x";
    refuses(arguments, &["layout = nearly-sorted:x", "write it as nearly-sorted:10"]);
    let arguments = "elect --algorithm lelann --n 4 --layout nearly-sorted:18446744073709551615";
    refuses(arguments, &["nearly-sorted:18446744073709551615", "4 IDs are in random", "or random"]);
}

#[test]
fn no_threads_at_all_are_refused() {
    let words = ["threads = 0", "somebody must do the work", "use 1 or more"];
    refuses("exact --algorithm lelann --n 4 --threads 0", &words);
    refuses("run --algorithm lelann --n 4 --threads 0", &words);
    refuses("reproduce --quick --threads 0", &words);
    for target in ["data/specs/small.toml", "data/readme"] {
        refuses(&format!("check {target} --mode bounds --threads 0"), &words);
    }
}

/// Only Linux says how much memory is free.
#[cfg(target_os = "linux")]
#[test]
fn networks_beyond_any_memory_are_refused() {
    // 2^32 nodes have 2^63 links, far more than bytes can be counted.
    for network in ["grid", "complete"] {
        let arguments = format!("--algorithm echo-election --n 4294967294 --topology {network}");
        let words = ["n = 4294967294", "GiB of memory", "GiB are free", "use at most"];
        refuses(&format!("elect {arguments}"), &words);
        refuses(&format!("run {arguments} --runs 1 --threads 1 --out nowhere"), &words);
        assert!(!std::path::Path::new("nowhere").exists(), "nothing was written");
    }
}

#[test]
fn a_clock_that_would_overflow_is_refused() {
    let clock = ["64-bit clock", "use smaller IDs"];
    refuses("elect --algorithm variable-speeds --ids 200,201", &clock);
    refuses("elect --algorithm time-slice --ids 18446744073709551615", &clock);
    refuses("elect --algorithm time-slice --ids 18446744073709551615,18446744073709551614", &clock);
    for verb in ["elect", "exact"] {
        for algorithm in ["variable-speeds", "chang-roberts", "hirschberg-sinclair"] {
            let late = "--initiators at:0@18446744073709551615";
            refuses(&format!("{verb} --algorithm {algorithm} --n 4 {late}"), &clock);
        }
    }
    let answered =
        json("elect --algorithm time-slice --ids 9000000000000000000,12345678901 --json");
    assert_eq!(answered["time"], 24_691_357_802u64);
}

#[test]
fn networks_that_an_algorithm_cannot_use_are_refused() {
    for timing in ["uniform:0..1", "exponential:1", "lifo"] {
        let arguments = format!("elect --algorithm time-slice --n 4 --timing {timing}");
        refuses(&arguments, &["timing = ", timing, "synchronous rounds", "use sync"]);
    }
    for algorithm in ["lelann", "peterson"] {
        let arguments =
            format!("elect --algorithm {algorithm} --n 4 --timing uniform:0..1 --no-fifo");
        refuses(&arguments, &["fifo = false", algorithm, "leave FIFO on"]);
    }
    let arguments = "elect --algorithm chang-roberts --n 4 --no-fifo";
    refuses(arguments, &["fifo = false", "in rounds", "uniform:0..1"]);
}

#[test]
fn layouts_that_are_not_known_are_refused() {
    let arguments = "elect --algorithm k-neighbour --n 4 --layout worst";
    refuses(arguments, &["layout = worst", "k-neighbour", "choose another layout"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        format!("elect --algorithm lelann --layout file:{}", path.display())
    };
    refuses(&file("garbage", "4, one, 3"), &["garbage = one", "a whole number", "correct"]);
    refuses(&file("twice", "4\n3\n4"), &["twice = 4", "an ID of its own"]);
    refuses(&file("gap", "4,\n3,,\n2"), &["gap = (nothing)", "ID number 3 is missing"]);
    refuses(&file("empty", ""), &["empty = (nothing)", "at least one ID", "list the IDs"]);
    let missing = format!("elect --algorithm lelann --layout file:{}/no", folder.path().display());
    refuses(&missing, &["layout = file:", "cannot be read", "name a text file"]);
    refuses("elect --algorithm lelann --layout file:", &["layout = file:", "hustings list"]);
}

#[test]
fn rings_too_many_to_go_through_are_refused() {
    for n in ["14", "31", "4000000000"] {
        let arguments = format!("exact --algorithm lelann --n {n}");
        refuses(&arguments, &["n = ", n, "use at most 13"]);
    }
    let arguments = "exact --algorithm lelann --n 13 --initiators count:6";
    refuses(arguments, &["n = 13", "count:6", "use a smaller n"]);
}

#[test]
fn distributions_that_are_not_known_are_refused() {
    let arguments = "theory --algorithm k-neighbour --n 50 --distribution";
    refuses(arguments, &["algorithm = k-neighbour", "hustings exact"]);
    let arguments = "theory --algorithm chang-roberts --n 501 --distribution";
    refuses(arguments, &["n = 501", "use at most 500"]);
    let arguments = "theory --algorithm chang-roberts --n 50 --initiators one --distribution";
    refuses(arguments, &["initiators = one", "use all"]);
}

#[test]
fn the_distribution_is_that_of_all_rings() {
    let law = json("theory --algorithm chang-roberts --n 6 --distribution --json");
    assert_eq!(law["support"], serde_json::json!((11..=21).collect::<Vec<u64>>()));
    let rings = [1, 10, 25, 25, 26, 11, 12, 5, 3, 1, 1];
    for (p, rings) in law["pmf"].as_array().expect("an array").iter().zip(rings) {
        let p = p.as_f64().expect("a number");
        assert!((p - f64::from(rings) / 120.0).abs() < 1e-15, "{p} {rings}");
    }
    let law = json("theory --algorithm chang-roberts --n 100 --distribution --json");
    let quantiles = serde_json::json!({
        "1": 418, "5": 441, "25": 479, "50": 512, "75": 551, "95": 621, "99": 681, "99.9": 758
    });
    assert_eq!(law["quantiles"], quantiles);
    let lap = json("theory --algorithm chang-roberts+announce --n 100 --distribution --json");
    assert_eq!((&lap["quantiles"]["50"], &lap["support"][0]), (&612.into(), &299.into()));
    assert_eq!(lap["pmf"], law["pmf"]);
    let text = stdout("theory --algorithm chang-roberts --n 100 --distribution");
    assert!(text.contains("518.737752") && text.contains("99.9 %  758"), "{text}");
    fits(&text, "theory --distribution");
}

#[test]
fn one_election_as_json_has_exactly_these_fields() {
    let fields = [
        "algorithm",
        "topology",
        "n",
        "layout",
        "ids",
        "initiators",
        "timing",
        "seed",
        "run",
        "leader",
        "messages",
        "kinds",
        "bits",
        "time",
        "end",
        "rounds",
        "max_node_messages",
        "announcements",
        "edges",
        "leaves",
        "diameter",
        "ring",
        "starters",
    ];
    for entry in REGISTRY.entries() {
        let (name, topology) = (&entry.name, home(entry));
        let elect = format!("elect --algorithm {name} --topology {topology} --n 5 --json");
        let object = json(&elect);
        let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
        assert_eq!(keys, fields, "{}", entry.name);
        assert_eq!(object["ring"].as_array().map(Vec::len), Some(5));
        assert_eq!(object["starters"], serde_json::json!([0, 1, 2, 3, 4]));
        let edges = object["edges"].as_array().map(Vec::len);
        let many = match topology {
            "path" => 4,
            "complete" => 10,
            _ => 5,
        };
        assert_eq!(edges, Some(many), "{name}");
        let kinds: u64 = object["kinds"]
            .as_object()
            .expect("an object")
            .values()
            .map(|count| count.as_u64().expect("a number"))
            .sum();
        assert_eq!(object["messages"], kinds, "{}", entry.name);
    }
    let object = json("elect --algorithm peterson --ids 4,1,3,2 --initiators at:0,2 --json");
    assert_eq!((&object["ids"], &object["leader"]), (&"4,1,3,2".into(), &4.into()));
    assert_eq!((&object["initiators"], &object["layout"]), (&"at:0,2".into(), &"given".into()));
}

#[test]
fn all_rings_as_json_have_these_fields() {
    let object = json("exact --algorithm hirschberg-sinclair --n 8 --json");
    let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    let fields = [
        "algorithm",
        "topology",
        "n",
        "initiators",
        "rings",
        "mean",
        "variance",
        "min",
        "max",
        "distribution",
        "rounds",
    ];
    assert_eq!(keys, fields);
    assert_eq!(object["mean"], "8408/105");
    assert_eq!(object["variance"], "422596/11025");
    let min = serde_json::json!({ "messages": 64, "rings": 64, "ring": [8, 1, 2, 3, 4, 5, 6, 7] });
    assert_eq!(object["min"], min);
    let one_thread = stdout("exact --algorithm hirschberg-sinclair --n 8 --json --threads 1");
    assert_eq!(
        one_thread,
        stdout("exact --algorithm hirschberg-sinclair --n 8 --json --threads 3")
    );
    let some = json("exact --algorithm chang-roberts --n 4 --initiators at:1,3 --json");
    assert_eq!((&some["rings"], &some["min"]["initiators"]), (&24.into(), &vec![1, 3].into()));
}

#[test]
fn one_election_reads_like_this() {
    let expected = "\
chang-roberts on a ring of 12

  rule       the largest initiator wins
  layout     random, dense IDs
  timing     sync
  ring       clockwise; everybody starts
             3 7 9 4 8 6 11 2 10 1 5 12
  leader     12, at time 12; the last message at 12
  messages   33
             33 id
  busiest    one node sent 4 of them
  bits       132
  best       23   = 2n - 1
  mean       37.24   = n H_n
  worst      78   = n(n+1)/2
  variance   25.40   = n^2 (2 - H2_n) - n H_n
  again      hustings elect --algorithm chang-roberts --n 12 --seed 7
";
    assert_eq!(stdout("elect --algorithm chang-roberts --n 12 --seed 7"), expected);
}

#[test]
fn help_fits_into_eighty_columns() {
    let help = stdout("--help");
    fits(&help, "--help");
    let mut verbs = 0;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in commands.take_while(|line| !line.is_empty()) {
        // A verb stands two columns in; what is further in continues a description.
        if !line.starts_with("   ") {
            let verb = line.split_whitespace().next().expect("a verb");
            // Which is about the others.
            if verb == "help" {
                continue;
            }
            let whole = stdout(&format!("{verb} --help"));
            fits(&whole, verb);
            // One that is told how begins with it.
            assert!(whole.contains("\nExample"), "{whole}");
            // The same word for the same thing.
            for (word, flag) in
                [(" --n <", "-n, --n <N>"), (" --algorithm <", "--algorithm <NAME>")]
            {
                assert!(!whole.contains(word) || whole.contains(flag), "{verb}: {word}");
            }
            fits(&stdout(&format!("{verb} -h")), verb);
            verbs += 1;
        }
    }
    assert!(verbs >= 4, "{help}");
}

#[test]
fn flags_are_understood_in_the_singular_and_in_the_plural() {
    let plan = |flags: &str| stdout(&format!("run --dry-run {flags}"));
    let singular =
        "--algorithm lelann -n 8 --layout random --topology ring --timing sync --ids dense";
    let plural =
        "--algorithms lelann --n 8 --layouts random --topologies ring --timings sync --id dense";
    assert_eq!(plan(singular), plan(plural));
    assert_eq!(
        stdout("theory --algorithms peterson -n 8"),
        stdout("theory --algorithm peterson --n 8")
    );
}

#[test]
fn a_bare_run_is_told_which_flags_it_lacks() {
    refuses("run", &["--algorithm = (nothing)", "hustings run SPEC"]);
    refuses("run --algorithm lelann", &["--n = (nothing)", "hustings run SPEC"]);
}

#[test]
fn results_fit_into_eighty_columns() {
    fits(&stdout("list"), "list");
    for entry in REGISTRY.entries() {
        let name = &entry.name;
        for n in [12, 300] {
            // The clock cannot hold what waits for 2^299 rounds.
            if name == "variable-speeds-listing" && n == 300 {
                continue;
            }
            let arguments = format!("elect --algorithm {name} --topology {} --n {n}", home(entry));
            fits(&stdout(&arguments), &arguments);
        }
        if !entry.model.needs_all {
            let topology = home(entry);
            let arguments = format!(
                "elect --algorithm {name} --topology {topology} --n 12 --initiators count:4"
            );
            fits(&stdout(&arguments), &arguments);
        }
        // Rings do not settle the messages of those who flip coins.
        if entry.model.on != On::Rings || entry.model.flips_coins {
            continue;
        }
        let arguments = format!("exact --algorithm {name} --n 6");
        fits(&stdout(&arguments), &arguments);
    }
}

#[test]
fn theory_holds_for_every_algorithm_and_every_n() {
    for entry in REGISTRY.entries() {
        let name = &entry.name;
        for n in ["1", "2", "3", "10000000000", "1000000000000000000", "18446744073709551615"] {
            for initiators in ["all", "one", "share:0.5", "at:0", &format!("count:{n}")] {
                let arguments =
                    format!("theory --algorithm {name} --n {n} --initiators {initiators}");
                let text = stdout(&arguments);
                fits(&text, &arguments);
                assert!(!text.contains("NaN") && !text.contains("inf"), "{arguments}: {text}");
            }
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in ["list", "theory --algorithm chang-roberts --n 300 --distribution --json"] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("hustings"))
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut first = [0; 1];
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut first).expect("some output");
        drop(out);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{arguments}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments}");
    }
}

#[test]
fn a_trace_is_printed_drawn_or_refused() {
    let elect = "elect --algorithm chang-roberts --n 4 --layout worst";
    let text = stdout(&format!("{elect} --trace"));
    assert_eq!(text, stdout(&format!("{elect} --trace text")));
    fits(&text, "--trace");
    assert!(text.contains("4 leads after 10 messages"), "{text}");
    assert_eq!(stdout(&format!("{elect} --trace mermaid")).matches("->>").count(), 10);
    refuses(&format!("{elect} --trace txet"), &["trace = txet", "text"]);
    refuses(&format!("{elect} --json --trace json"), &["trace = json", "--json"]);
    let many = "elect --algorithm lelann --n 11";
    refuses(&format!("{many} --trace mermaid"), &["121 messages", "at most 100"]);
    let long = "elect --algorithm lelann --n 1001";
    refuses(&format!("{long} --trace"), &["1002001 messages", "at most 1000000"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.svg");
    let drawn = stdout(&format!("{elect} --trace {}", file.display()));
    assert_eq!(drawn, stdout(elect), "the drawing is beside the result");
    // A drawing of ours is renewed, somebody else's stays.
    stdout(&format!("{elect} --trace {}", file.display()));
    std::fs::write(&file, "<svg/>").expect("written");
    refuses(&format!("{elect} --trace {}", file.display()), &["a.svg", "written over"]);
}

#[test]
fn an_election_that_goes_wrong_shows_what_led_to_it() {
    let output = hustings("elect --algorithm lelann --n 30 --limit 500");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]), "{errors}");
    assert!(errors.contains(" starts; sends ") && errors.contains("events more"), "{errors}");
    assert!(errors.contains("error: more than 500 messages"), "{errors}");
    assert!(errors.lines().count() < 100, "{errors}");
    let output = hustings("elect --algorithm lelann --n 3 --limit 5 --trace json");
    let last = String::from_utf8_lossy(&output.stdout).lines().last().map(str::to_owned);
    assert!(last.is_some_and(|line| line.contains("\"violation\"")));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_page_to_watch_is_written_where_nobody_elses_file_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.html");
    let watch = format!("watch --algorithm chang-roberts --n 6 --output {}", file.display());
    assert_eq!(stdout(&watch).trim_end(), file.to_string_lossy());
    assert_eq!(stdout(&format!("{watch} --quiet --with peterson")), "");
    let page = std::fs::read_to_string(&file).expect("a page");
    assert!(page.contains("watch --algorithm chang-roberts --n 6 --with peterson"));
    std::fs::write(&file, "mine").expect("written");
    refuses(&watch, &["out = ", "written over"]);
    refuses(&format!("{watch}x --with petersen"), &["with = petersen", "peterson"]);
    refuses(&format!("{watch}x --with tree-waves"), &["tree-waves"]);
    let long = watch.replace("--n 6", "--n 1500 --layout worst").replace("a.html", "b.html");
    refuses(&long, &["n = 1500", "more than 1000000 messages"]);
    let wide = long.replace("--n 1500 --layout worst", "--n 300000 --initiators one");
    refuses(&wide, &["n = 300000", "at most 200000 nodes"]);
    assert_eq!(std::fs::read(&file).expect("the file"), b"mine");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
