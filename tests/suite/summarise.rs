//! Statistics of whole results folders: verdicts, alarms, bounds, fits, comparisons, odd input.

use std::path::{Path, PathBuf};
use std::time::Instant;

use assert_cmd::Command;
use hustings::experiment::key::CellKey;
use hustings::experiment::spec::Spec;
use hustings::model::metric::Metric;
use hustings::results::Results;
use hustings::results::batch::{self, Options};
use hustings::statistics::growth::{Model, Term};
use hustings::statistics::moments::Moments;
use hustings::statistics::sequential;
use hustings::summarise::compare::compare;
use hustings::summarise::{
    BoundVerdict, CellSummary, FAMILY_ERROR, FEWEST_RUNS, MeanVerdict, Summary,
};

use crate::common::REGISTRY;
use crate::seal::seal;

/// Runs a spec into a new folder.
fn run(text: &str, folder: &Path) -> PathBuf {
    let spec = Spec::parse(text, "test.toml", "test", &REGISTRY).expect("a good spec");
    let options = Options { threads: Some(1), ..Options::default() };
    batch::run(&spec, folder, &options, &()).expect("it runs");
    folder.to_owned()
}

fn summarise(folder: &Path) -> Summary {
    Summary::of(&Results::open(folder, &REGISTRY).expect("a results folder")).expect("good results")
}

/// Runs a spec and summarises it.
fn summary(text: &str) -> Summary {
    let folder = tempfile::tempdir().expect("a folder");
    summarise(&run(text, &folder.path().join("out")))
}

fn hustings(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("hustings")
        .expect("the program")
        .args(arguments)
        .output()
        .expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("an exit code");
    (code, text(output.stdout), text(output.stderr))
}

/// Changes the messages of runs: given algorithm, run and messages, says the new ones.
fn change(folder: &Path, new: impl Fn(&str, u64, u64) -> u64) {
    let path = folder.join("runs.csv");
    let text = std::fs::read_to_string(&path).expect("runs");
    let mut changed = String::with_capacity(text.len() + 1000);
    for (number, line) in text.lines().enumerate() {
        let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        if number > 0 {
            let [run, messages] = [7, 8].map(|place: usize| fields[place].parse().expect("digits"));
            fields[8] = new(&fields[0], run, messages).to_string();
        }
        changed += &(fields.join(",") + "\n");
    }
    std::fs::write(path, changed).expect("written");
    seal(folder);
}

fn verdicts(summary: &Summary) -> Vec<(MeanVerdict, BoundVerdict)> {
    summary.cells.iter().map(|cell| (cell.verdict_mean, cell.verdict_bounds)).collect()
}

#[test]
fn an_honest_experiment_agrees() {
    let text = "n = [2, 7, 10, 60]\nruns = 2000\naudit = 0
        [[grid]]
        algorithms = ['lelann', 'chang-roberts', 'chang-roberts+announce', 'clockwise',
            'clockwise-join', 'hirschberg-sinclair', 'k-neighbour', 'radius-growth', 'peterson']
        [[grid]]
        algorithms = ['chang-roberts', 'hirschberg-sinclair', 'peterson']
        layouts = ['best', 'worst', 'nearly-sorted:2', 'organ-pipe']
        [[grid]]
        algorithms = ['chang-roberts', 'clockwise-join', 'peterson', 'hirschberg-sinclair']
        initiators = ['one', 'share:0.5']
        [[grid]]
        algorithms = ['chang-roberts', 'radius-growth', 'peterson']
        n = [7, 10]
        ids = 'sparse'
        timing = 'uniform:0..1'
        [[grid]]
        algorithms = ['variable-speeds', 'variable-speeds-listing', 'time-slice']
        n = [2, 7, 12]
        ";
    let summary = summary(text);
    let bad: Vec<_> = summary.contradictions().iter().map(|cell| cell.key.words()).collect();
    assert_eq!(bad, Vec::<String>::new());
    let count = |verdict| summary.cells.iter().filter(|cell| cell.verdict_mean == verdict).count();
    assert!(count(MeanVerdict::Agrees) >= 30, "{:?}", verdicts(&summary));
    assert!(count(MeanVerdict::ConstantAgrees) >= 20, "{:?}", verdicts(&summary));
    assert_eq!(count(MeanVerdict::TooFewRuns), 0);
    for cell in &summary.cells {
        let CellKey { algorithm, layout, initiators, timing, .. } = &cell.key;
        let delayed = algorithm == "radius-growth" && timing != "sync";
        let open = delayed || layout == "organ-pipe" && cell.n() > 2;
        if open && cell.n() > 2 {
            assert_eq!(cell.verdict_mean, MeanVerdict::NoTheorem, "{}", cell.key.words());
        }
        if layout == "worst" && initiators == "all" {
            assert_eq!(cell.verdict_mean, MeanVerdict::ConstantAgrees, "{algorithm}");
        }
    }
}

/// Small cells and few runs, where the normal approximation is worst: values of rare rounds, skewed
/// counts, known and unknown variances.
const SMALL: &str = "audit = 0\nengine = 'count'
    [[grid]]
    algorithms = ['chang-roberts', 'peterson', 'hirschberg-sinclair', 'k-neighbour']
    n = [6, 8]
    [[grid]]
    algorithms = ['chang-roberts', 'radius-growth', 'hirschberg-sinclair', 'k-neighbour']
    n = [24]
    ";

#[test]
fn false_alarms_are_as_rare_as_stated() {
    watch_alarms(200, 1000);
}

#[test]
fn they_are_with_the_fewest_runs_that_get_a_verdict_too() {
    watch_alarms(FEWEST_RUNS, 2000);
}

fn watch_alarms(runs: u64, first_seed: u64) {
    const EXPERIMENTS: u64 = 200;
    let folder = tempfile::tempdir().expect("a folder");
    let (mut alarms, mut small, mut tests) = (0, [0u64; 3], 0);
    for seed in first_seed..first_seed + EXPERIMENTS {
        let out = folder.path().join(seed.to_string());
        let summary = summarise(&run(&format!("seed = {seed}\nruns = {runs}\n{SMALL}"), &out));
        std::fs::remove_dir_all(out).expect("removed");
        assert_eq!(summary.cells.len(), 12);
        alarms += u64::from(!summary.contradictions().is_empty());
        for p in summary.cells.iter().filter_map(|cell| cell.p) {
            tests += 1;
            for (count, level) in small.iter_mut().zip([0.05, 0.01, 0.001]) {
                *count += u64::from(p <= level);
            }
        }
    }
    println!(
        "{runs} runs: {alarms} alarms in {EXPERIMENTS} experiments; \
         p <= 0.05, 0.01, 0.001: {small:?} of {tests}"
    );
    assert_eq!(tests, 12 * EXPERIMENTS);
    // At most 0.001 each, so 0.2 are expected; 4 or more have probability below 0.0001.
    assert!(alarms <= 3 && FAMILY_ERROR <= 0.001, "{alarms}");
    // The algorithms of an experiment meet the same rings. Even if its 12 tests were one and the
    // same, the standard deviation of these shares would be that of 200 tests: 4 of them allowed.
    for (count, level) in small.into_iter().zip([0.05f64, 0.01, 0.001]) {
        let share = count as f64 / tests as f64;
        let sd = (level * (1.0 - level) / EXPERIMENTS as f64).sqrt();
        assert!(share <= level + 4.0 * sd, "{share} at {level}");
    }
}

#[test]
fn an_error_of_half_a_percent_is_found_at_a_hundred_thousand_runs() {
    let text = "runs = 100000\naudit = 0\nengine = 'count'
        [[grid]]
        algorithms = ['chang-roberts', 'hirschberg-sinclair']
        n = 200
        [[grid]]
        algorithms = 'peterson'
        n = 8
        ";
    let folder = tempfile::tempdir().expect("a folder");
    let out = run(text, &folder.path().join("out"));
    let honest = summarise(&out);
    assert!(honest.contradictions().is_empty(), "{:?}", verdicts(&honest));
    change(&out, |algorithm, run, messages| match algorithm {
        // One round of 16 messages more in one run of 67: 0.5 % of 48.05.
        "peterson" => messages + if run % 67 == 0 { 16 } else { 0 },
        _ => (messages as f64 * 1.005).round() as u64,
    });
    let wrong = summarise(&out);
    for (cell, before) in wrong.cells.iter().zip(&honest.cells) {
        let ratio = cell.mean.expect("a mean") / before.mean.expect("a mean");
        println!("{}: times {ratio:.5}, z = {:.1}", cell.key.algorithm, cell.z.expect("z"));
        assert!((ratio - 1.005).abs() < 2e-4);
        assert_eq!(cell.verdict_mean, MeanVerdict::Differs, "{}", cell.key.algorithm);
    }
    let (code, _, stderr) = hustings(&["summarise", "--quiet", &out.display().to_string()]);
    assert_eq!(code, 1);
    assert!(stderr.contains("contradicted in 3 cells"), "{stderr}");
}

/// Those whose means beyond 4096 nodes come from a law with an error.
const NUMERICAL: &str = "algorithms = ['peterson', 'franklin', 'peterson-alternating']";

/// False with the family error probability, 0.001.
#[test]
fn means_that_are_known_up_to_an_error_agree_with_what_is_measured() {
    let text =
        format!("runs = 400\naudit = 0\nseed = 5\nn = [16, 4096, 4097, 10000, 40000]\n{NUMERICAL}");
    let summary = summary(&text);
    for cell in summary.cells.iter().chain(&summary.other_cells) {
        let words = format!("{}, {}: {:?}", cell.key.words(), cell.metric, cell.z);
        assert!(!cell.is_contradiction(), "{words}");
        if matches!(cell.metric, Metric::Messages | Metric::Rounds) {
            let fact = cell.theory_mean.as_ref().expect("known");
            assert_eq!(fact.error.is_some(), cell.n() > 4096, "{words}");
            assert_eq!(cell.verdict_mean, MeanVerdict::Agrees, "{words}");
        }
    }
}

#[test]
fn a_mean_beyond_its_error_and_five_standard_errors_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let out =
        run(&format!("runs = 200\naudit = 0\nn = 10000\n{NUMERICAL}"), &folder.path().join("out"));
    let honest = summarise(&out);
    let cell = |algorithm: &str| {
        let cell =
            honest.cells.iter().find(|cell| cell.key.algorithm == algorithm).expect("a cell");
        let fact = cell.theory_mean.as_ref().expect("known");
        let known = cell.theory_sd.expect("known") / (cell.runs as f64).sqrt();
        let standard_error = known.max(cell.standard_error.expect("some runs"));
        (
            fact.value.as_f64() - cell.mean.expect("some runs"),
            fact.error.expect("stated"),
            standard_error,
        )
    };
    for (errors, sign) in [(0.9, 1.0), (0.9, -1.0), (1.0, 1.0), (1.0, -1.0)] {
        let planted = folder.path().join(format!("{errors}{sign}"));
        std::fs::create_dir(&planted).expect("a folder");
        for file in std::fs::read_dir(&out).expect("files") {
            let file = file.expect("a file");
            std::fs::copy(file.path(), planted.join(file.file_name())).expect("copied");
        }
        // Off by less than the error alone, or by more than that and five standard errors.
        let is_wrong = errors == 1.0;
        change(&planted, |algorithm, _, messages| {
            let (to_theory, error, standard_error) = cell(algorithm);
            let strays = if is_wrong { 5.1 * standard_error } else { 0.0 };
            (messages as f64 + to_theory + sign * (errors * error + strays)).round() as u64
        });
        for cell in &summarise(&planted).cells {
            let z = cell.z.expect("z");
            match is_wrong {
                true => assert_eq!(cell.verdict_mean, MeanVerdict::Differs, "{z}"),
                false => assert_eq!((cell.verdict_mean, z), (MeanVerdict::Agrees, 0.0)),
            }
        }
    }
}

#[test]
fn a_run_outside_its_bounds_is_named_with_its_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "algorithms = 'chang-roberts'\nn = 50\nruns = 500\nseed = 7";
    let out = run(text, &folder.path().join("out"));
    change(&out, |_, run, messages| if run == 123 { 98 } else { messages });
    let cell = &summarise(&out).cells[0];
    assert_eq!(cell.verdict_bounds, BoundVerdict::Violated);
    assert_eq!(cell.verdict_mean, MeanVerdict::Agrees);
    let command = "hustings elect --algorithm chang-roberts --n 50 --seed 7 --run 123";
    assert_eq!(cell.offending_command.as_deref(), Some(command));
    let (code, stdout, stderr) = hustings(&["summarise", &out.display().to_string()]);
    assert_eq!(code, 1);
    assert!(stdout.contains("VIOLATED in 1 of 1 cell"), "{stdout}");
    assert!(stderr.contains(command), "{stderr}");
    let csv = std::fs::read_to_string(out.join("cells.csv")).expect("cells.csv");
    assert!(csv.contains(command));
    // The command repeats the run, which of course needs no 98 messages.
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(hustings(&arguments).0, 0);
    // The largest allowed value is allowed.
    change(&out, |_, run, messages| if run == 123 { 50 * 51 / 2 } else { messages });
    assert_eq!(summarise(&out).cells[0].verdict_bounds, BoundVerdict::Hold);
}

/// The rows of a table as (column, value) by name.
fn table(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn what_is_unknown_is_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        "runs = 1\naudit = 0\n[[grid]]\nalgorithms = ['chang-roberts', 'lelann', 'anonymous']
        n = [1, 2, 9]\n[[grid]]\nalgorithms = 'hirschberg-sinclair'\nn = 9\nruns = 2";
    let out = run(text, &folder.path().join("out"));
    let (code, stdout, _) = hustings(&["summarise", "--curves", &out.display().to_string()]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("Bodlaender 1988"), "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 100), "{stdout}");
    let mut rows = table(&out.join("cells.csv"));
    for row in &rows {
        for (name, value) in row {
            assert!(!value.contains("NaN") && !value.contains("inf"), "{name} {value}");
        }
        if row["runs"] == "1" {
            for name in ["sd", "standard_error", "interval_low", "median_low", "skewness", "z", "p"]
            {
                assert_eq!(row[name], "", "{name}");
            }
            assert_ne!(row["mean"], "");
        }
    }
    // Everything says its messages, its bits and its end, and in the same place.
    let of = |metric: &str| rows.iter().filter(|row| row["metric"] == metric).count();
    assert_eq!(["messages", "bits", "end"].map(of), [10; 3]);
    assert_eq!(["rounds", "time", "max_node_messages"].map(of), [1, 10, 6]);
    rows.retain(|row| row["metric"] == "messages");
    let verdict = |algorithm: &str, n: &str| {
        let found = rows.iter().find(|row| row["algorithm"] == algorithm && row["n"] == n);
        found.expect("a row")["verdict_mean"].clone()
    };
    assert_eq!(verdict("chang-roberts", "2"), "constant-agrees");
    assert_eq!(verdict("chang-roberts", "9"), "too-few-runs");
    assert_eq!(verdict("lelann", "9"), "constant-agrees");
    assert_eq!(verdict("hirschberg-sinclair", "9"), "too-few-runs");
    assert_eq!(table(&out.join("fits.csv")).len(), 0);
    let (_, stdout, _) = hustings(&["summarise", "--json", &out.display().to_string()]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(10));
    assert_eq!(json["cells"][0]["n"], 1);
    assert_eq!(json["cells"][0]["sd"], serde_json::Value::Null);
    assert_eq!(json["cells"][0]["quantiles"]["median"]["interval"], serde_json::Value::Null);
    assert_eq!(json["curves"][0]["name"], "n²");
}

#[test]
fn a_cell_that_stops_by_its_precision_says_so_and_has_an_interval_and_a_p_for_any_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "algorithms = 'chang-roberts'\nn = 2000\nruns = 100000\nuntil = '2%'";
    let out = run(text, &folder.path().join("out"));
    let summary = summarise(&out);
    let cell = &summary.cells[0];
    assert!(cell.sequential && (256..10_000).contains(&cell.runs), "{}", cell.runs);
    assert!(summary.contradictions().is_empty());
    let mut moments = Moments::new();
    for row in table(&out.join("runs.csv")) {
        moments.push(row["run"].parse().expect("digits"), row["messages"].parse().expect("digits"));
    }
    assert_eq!(cell.interval, moments.sequential_interval(0.95));
    let (low, high) = cell.interval.expect("an interval");
    assert!((high - low) / 2.0 <= 0.02 * cell.mean.expect("a mean"));
    assert_eq!(cell.p, sequential::two_sided_p(cell.z.expect("z"), cell.runs));
    let (_, stdout, _) = hustings(&["summarise", &out.display().to_string()]);
    assert!(stdout.contains(&format!("{}*", cell.runs)), "{stdout}");
    assert!(stdout.contains("hold at whatever run it stops"), "{stdout}");

    // An error of 10 % is found all the same.
    change(&out, |_, _, messages| messages + messages / 10);
    assert_eq!(summarise(&out).cells[0].verdict_mean, MeanVerdict::Differs);
}

#[test]
fn damaged_and_missing_files_are_named_with_place_and_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let refused = |path: &str, words: &[&str]| {
        let (code, stdout, stderr) = hustings(&["summarise", path]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        for word in words {
            assert!(stderr.contains(word), "{word}: {stderr}");
        }
    };
    refused(&path("nothing"), &["no such folder"]);
    std::fs::create_dir(path("empty")).expect("made");
    refused(&path("empty"), &["not a results folder", "hustings run"]);
    let out = run("algorithms = 'chang-roberts'\nn = 9\nruns = 40", &folder.path().join("out"));
    let runs = out.join("runs.csv");
    let good = std::fs::read_to_string(&runs).expect("runs");
    let out = out.display().to_string();
    let try_with = |bytes: &[u8], words: &[&str]| {
        std::fs::write(&runs, bytes).expect("written");
        refused(&out, &["runs.csv", "has changed since it was written"]);
        // Whoever changes the manifest, too, is told by the reader.
        seal(Path::new(&out));
        refused(&out, words);
    };
    let lines: Vec<&str> = good.lines().collect();
    let cut = good.len() - lines[40].len() - 1 + 40;
    try_with(&good.as_bytes()[..cut], &["runs.csv, line 41", "a row has 19 fields", "--force"]);
    let all_but_one = good.len() - lines[40].len() - 1;
    try_with(&good.as_bytes()[..all_but_one], &["has 39 runs", "manifest.json says 40"]);
    try_with(b"", &["columns = (nothing)", "line 1", "must be algorithm,topology"]);
    try_with(&good.as_bytes()[..lines[0].len() + 1], &["has 0 runs", "cut off"]);
    try_with(b"\xff\xfe\x00garbage,\n1,2\n3", &["runs.csv, line 1", "must be algorithm,topology"]);
    for (value, problem) in [("-3", "whole number"), ("", "(nothing)"), ("1e3", "1e3")] {
        let mut fields: Vec<&str> = lines[5].split(',').collect();
        fields[8] = value;
        let changed = good.replacen(lines[5], &fields.join(","), 1);
        try_with(changed.as_bytes(), &["messages = ", "runs.csv, line 6", problem]);
    }
    let other = good.replacen(",all,sync,9,4,", ",all,sync,0,4,", 1);
    try_with(other.as_bytes(), &["line 6", "no such cell"]);
    let twice = good.replacen(",sync,9,5,", ",sync,9,4,", 1);
    try_with(twice.as_bytes(), &["run = 4", "line 7", "rise"]);
    std::fs::write(&runs, &good).expect("written");
    seal(Path::new(&out));
    let manifest = folder.path().join("out/manifest.json");
    std::fs::write(&manifest, "{").expect("written");
    refused(&out, &["manifest.json", "damaged"]);
    std::fs::remove_file(&manifest).expect("removed");
    refused(&out, &["manifest.json", "finish hustings run"]);
}

#[test]
fn the_growth_of_n_log_n_is_told_from_that_of_powers() {
    let summary = summary(
        "algorithms = ['chang-roberts', 'peterson', 'hirschberg-sinclair']\nn = '16..4096'
        runs = 1000\naudit = 0\nengine = 'count'",
    );
    assert_eq!(summary.series.len(), 3);
    for series in &summary.series {
        let ranking = series.ranking.as_ref().expect("a ranking");
        let share = ranking.same_growth.expect("resamples");
        println!("{}: {}; same growth {share}", series.key.algorithm, series.sentence());
        assert_eq!(ranking.ranked[0].fit.model.growth(), Term::NLog2N);
        assert!(share >= 0.95, "{share}");
        let power = ranking.ranked.iter().find(|ranked| ranked.fit.model == Model::N_TO_1_1);
        assert!(power.expect("ranked").delta > 0.0);
    }
    let first = &summary.series[0].ranking.as_ref().expect("a ranking").ranked[0].fit;
    let (low, high) = first.coefficients[0].interval;
    // n H_n itself; another seed would miss it with probability 0.05.
    assert!(low < 1.0 && 1.0 < high, "{low} to {high}");
}

#[test]
fn two_hundred_cells_of_a_thousand_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "algorithms = ['chang-roberts', 'peterson', 'hirschberg-sinclair', 'k-neighbour']
        n = '10..500 step 10'\nruns = 1000\naudit = 0\nengine = 'count'";
    let out = run(text, &folder.path().join("out"));
    let start = Instant::now();
    let summary = summarise(&out);
    summary.write(&out).expect("written");
    println!("200 cells of 1000 runs: {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!(summary.cells.len(), 200);
    let bad = |cell: &&CellSummary| cell.is_contradiction();
    assert_eq!(summary.cells.iter().filter(bad).count(), 0);
    // The same bytes again.
    let before = std::fs::read(out.join("cells.csv")).expect("cells");
    summarise(&out).write(&out).expect("written");
    assert_eq!(std::fs::read(out.join("cells.csv")).expect("cells"), before);
}

#[test]
fn comparisons_are_paired_where_the_rings_are_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let spec = |algorithms: &str, seed: u64| {
        format!(
            "algorithms = [{algorithms}]\nn = [20, 40]\nruns = 300\nseed = {seed}\nlayouts = ['random', 'worst']"
        )
    };
    let both =
        run(&spec("'chang-roberts', 'chang-roberts+announce', 'peterson'", 3), &path("both"));
    let one = run(&spec("'chang-roberts'", 3), &path("one"));
    let two = run(&spec("'peterson'", 3), &path("two"));
    let other = run(&spec("'peterson'", 4), &path("other"));
    let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect::<Vec<_>>();

    let rows = compare(
        &REGISTRY,
        std::slice::from_ref(&both),
        &names(&["chang-roberts", "chang-roberts+announce"]),
    )
    .expect("rows");
    assert_eq!(rows.len(), 4);
    let random: Vec<_> = rows.iter().filter(|row| row.key.layout == "random").collect();
    for row in random {
        // The announcement costs n on every ring.
        assert!(row.basis.paired && row.basis.why.contains("same rings"));
        assert_eq!(row.difference, Some(-(row.key.n as f64)));
        let (low, high) = row.difference_interval.expect("an interval");
        assert!((low - high).abs() < 1e-12);
        assert_eq!((row.first_fewer, row.second_fewer), (Some(1.0), Some(0.0)));
        assert!(row.p.expect("p") < 1e-20);
    }
    let worst = rows.iter().find(|row| row.key.layout == "worst").expect("worst");
    assert!(!worst.basis.paired && worst.basis.why.contains("own worst ring"));

    let same = compare(&REGISTRY, &[one.clone(), two.clone()], &[]).expect("rows");
    let within =
        compare(&REGISTRY, std::slice::from_ref(&both), &names(&["chang-roberts", "peterson"]))
            .expect("rows");
    assert_eq!(same, within);
    let unpaired =
        compare(&REGISTRY, &[one.clone(), other], &names(&["chang-roberts", "peterson"]))
            .expect("rows");
    assert!(
        unpaired.iter().all(|row| !row.basis.paired && row.basis.why.contains("seeds, 3 and 4"))
    );
    let width =
        |interval: Option<(f64, f64)>| interval.map(|(low, high)| high - low).expect("known");
    assert!(width(unpaired[0].difference_interval) > 0.0);
    let three = compare(
        &REGISTRY,
        std::slice::from_ref(&both),
        &names(&["peterson", "chang-roberts", "chang-roberts+announce"]),
    );
    assert_eq!(three.expect("rows").len(), 12);

    let both = both.display().to_string();
    let fails = |arguments: &[&str], words: &[&str]| {
        let (code, _, stderr) = hustings(&[&["compare"], arguments].concat());
        assert_eq!(code, 2, "{stderr}");
        for word in words {
            assert!(stderr.contains(word), "{word}: {stderr}");
        }
    };
    fails(&[&both, "--algorithm", "chang-roberts,petersen"], &["did you mean peterson"]);
    fails(&[&both, "--algorithm", "chang-roberts,lelann"], &["lelann", "choose among"]);
    fails(&[&both, "--algorithm", "peterson"], &["nothing to compare with"]);
    fails(&[&both], &["--algorithm chang-roberts,"]);
    let fixed = "algorithms = ['lelann', 'chang-roberts']\nn = 9\nruns = 50\nlayouts = 'ascending'";
    let copies =
        compare(&REGISTRY, &[run(fixed, &path("fixed"))], &names(&["lelann", "chang-roberts"]));
    assert_eq!(copies.expect("rows")[0].p, None);
    let small = run("algorithms = 'lelann'\nn = 5\nruns = 3", &path("small")).display().to_string();
    fails(&[&both, &small, "--algorithm", "lelann,peterson"], &["no common cell"]);
    let (code, stdout, _) = hustings(&["compare", &both, "--algorithm", "chang-roberts,peterson"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("paired: same seed, same rings"), "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 100), "{stdout}");
    // One sentence first.
    let quoted = stdout.lines().take(2).collect::<Vec<_>>().join(" ");
    assert!(
        quoted.starts_with("peterson needs ")
            && quoted.contains(" times the messages of chang-roberts on the same rings, n = "),
        "{quoted}"
    );
    let (_, stdout, _) =
        hustings(&["compare", &both, "--algorithm", "chang-roberts,peterson", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(json["comparisons"][0]["basis"]["paired"], true);
}

/// A tree costs `tree-wakeup` 4(N - 1) messages and a star `tree-frugal` 3(N - 1).
#[test]
fn comparisons_keep_topologies_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "algorithms = ['tree-wakeup', 'tree-frugal']\ntopologies = ['star', 'path']\nn = 11\nruns = 5";
    let out = run(text, &folder.path().join("out"));
    let names = ["tree-wakeup", "tree-frugal"].map(str::to_owned);
    let rows = compare(&REGISTRY, std::slice::from_ref(&out), &names).expect("rows");
    let means: Vec<_> = rows
        .iter()
        .map(|row| (row.key.topology.as_str(), row.first_mean, row.second_mean))
        .collect();
    assert_eq!(means, [("path", Some(40.0), Some(38.0)), ("star", Some(40.0), Some(30.0))]);
    let out = out.display().to_string();
    let (code, stdout, _) = hustings(&["compare", &out, "--algorithm", "tree-wakeup,tree-frugal"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("tree-wakeup - tree-frugal on star\n"), "{stdout}");
    assert!(stdout.contains("paired: same seed, same networks"), "{stdout}");
}
