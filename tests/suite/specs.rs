//! Specs: broken ones are refused with field, value, remedy and line; good ones survive a round
//! trip; nothing panics.

use std::path::{Path, PathBuf};
use std::process::Command;

use hustings::experiment::built_in::{Scale, command_of};
use hustings::experiment::plan::Plan;
use hustings::experiment::spec::Spec;
use hustings::model::random::{Key, Purpose, Stream};

use crate::common::REGISTRY;

/// A spec that only lacks the line under test; its own lines follow.
const REST: &str = "\nalgorithms = ['chang-roberts']\nn = [8]\n";

/// (spec, the field and value as they are named, words of problem and remedy, line). Where the
/// spec does not say `algorithms` or `n`, `REST` is appended.
#[rustfmt::skip]
const BROKEN: &[(&str, &str, &[&str], usize)] = &[
    // Not TOML.
    ("runs = ", "spec = (TOML)", &["a line looks like"], 1),
    ("seed = 1\nruns = = 3", "spec = (TOML)", &["a line looks like"], 2),
    ("seed = 1\nname = 'open", "spec = (TOML)", &["a line looks like"], 2),
    ("runs = 1\nruns = 2", "spec = (TOML)", &["duplicate key"], 2),
    ("[grid", "spec = (TOML)", &["a line looks like"], 1),
    ("runs = 1e", "spec = (TOML)", &["a line looks like"], 1),
    ("{}", "spec = (TOML)", &["a line looks like"], 1),
    // Keys.
    ("algoritms = ['lelann']", "key = algoritms", &["no such key", "did you mean algorithms?"], 1),
    ("seed = 1\nRuns = 5", "key = Runs", &["did you mean runs?"], 2),
    ("xyzzyxyzzy = 5", "key = xyzzyxyzzy", &["the keys here are", "layouts"], 1),
    ("[grids]", "key = grids", &["did you mean grid?"], 1),
    ("[[grid]]\nseed = 5", "key = seed", &["no such key", "the keys here are"], 2),
    ("[[grid]]\nname = 'a'", "key = name", &["no such key"], 2),
    ("[[grid]]\nn = 8\nalgorithmic = 'lelann'", "key = algorithmic", &["did you mean algorithms?"], 3),
    ("n = 8\ngrid = 5", "grid = (value)", &["begin each with a line [[grid]]"], 2),
    ("n = 8\n[grid]", "grid = (value)", &["begin each with a line [[grid]]"], 2),
    ("n = 8\ngrid = [1, 2]", "grid = (value)", &["begin each with a line [[grid]]"], 2),
    // Kinds of values.
    ("runs = { a = 1 }", "runs = (", &["no meaning here", "a number"], 1),
    ("runs = 1979-05-27", "runs = (", &["no meaning here"], 1),
    ("runs = 0x10", "runs = (", &["no meaning here"], 1),
    ("runs = [5]", "runs = [5]", &["not a number", "as in 1000"], 1),
    ("runs = true", "runs = true", &["not a number"], 1),
    ("algorithms = 5\nn = 8", "algorithms = 5", &["put it in quotes"], 1),
    ("algorithms = [['lelann']]\nn = 8", "algorithms = [lelann]", &["not text"], 1),
    // Numbers.
    ("runs = 0", "runs = 0", &["at least one run", "use 1 or more"], 1),
    ("runs = -1", "runs = -1", &["not a whole number"], 1),
    ("runs = 1.5", "runs = 1.5", &["not a whole number"], 1),
    ("runs = 'many'", "runs = many", &["not a whole number"], 1),
    ("runs = 18446744073709551615", "runs = 18446744073709551615", &["use at most"], 1),
    ("runs = 99999999999999999999999", "runs = 99999999999999999999999", &["whole number"], 1),
    ("seed = -7", "seed = -7", &["not a whole number"], 1),
    ("seed = 'x'", "seed = x", &["not a whole number"], 1),
    // Names.
    ("name = ''", "name = ", &["letters, digits", "average-case"], 1),
    ("name = '../escape'", "name = ../escape", &["letters, digits"], 1),
    ("name = '.hidden'", "name = .hidden", &["letters, digits"], 1),
    ("name = 5", "name = 5", &["put it in quotes"], 1),
    // Algorithms.
    ("n = 8", "algorithms = (nothing)", &["missing", "add algorithms"], 0),
    ("n = 8\nalgorithms = []", "algorithms = []", &["the list is empty"], 2),
    ("n = 8\nalgorithms = ['petersen']", "algorithms = petersen", &["did you mean peterson?"], 2),
    ("n = 8\nalgorithms = ['']", "algorithms = ", &["no such name"], 2),
    // Sizes.
    ("algorithms = 'lelann'", "n = (nothing)", &["missing", "add n = "], 0),
    ("algorithms = 'lelann'\nn = 0", "n = 0", &["at least one process", "use 1 or more"], 2),
    ("algorithms = 'lelann'\nn = [8,\n 0]", "n = 0", &["at least one process"], 2),
    ("algorithms = 'lelann'\nn = []", "n = []", &["the list is empty"], 2),
    ("algorithms = 'lelann'\nn = '16..'", "n = 16..", &["ends of this range"], 2),
    ("algorithms = 'lelann'\nn = '64..16'", "n = 64..16", &["up to its end"], 2),
    ("algorithms = 'lelann'\nn = '0..16'", "n = 0..16", &["from 1 or more"], 2),
    ("algorithms = 'lelann'\nn = '1..9 step 0'", "n = 1..9 step 0", &["the step"], 2),
    ("algorithms = 'lelann'\nn = '1..9 step'", "n = 1..9 step", &["the step"], 2),
    ("algorithms = 'lelann'\nn = '1..99999999 step 1'", "n = 1..99999999", &["a larger step"], 2),
    ("algorithms = 'lelann'\nn = 4294967295", "n = 4294967295", &["use at most 4294967294"], 2),
    ("algorithms = ['lelann', 'peterson']\nn = '1..100000 step 1'\n\
      initiators = ['all', 'one', 'count:1', 'share:1', 'share:0.5', 'at:0']",
        "n = 1..100000 step 1", &["100000 values", "1200000 cells", "1000000 are the most", "step"], 2),
    // Work without end.
    ("algorithms = 'lelann'\nn = 65536\nruns = 10000000000", "runs = 10000000000",
        &["78125000 chunks", "with n = 65536", "10000000 are the most", "use at most 1279999872"], 0),
    // Shares.
    ("until = '0%'", "until = 0%", &["between 0 and 1", "0.5%"], 1),
    ("until = 2", "until = 2", &["between 0 and 1"], 1),
    ("until = 'nan'", "until = nan", &["between 0 and 1"], 1),
    ("until = true", "until = true", &["not a share"], 1),
    ("audit = '101%'", "audit = 101%", &["between 0 and 1"], 1),
    ("audit = -0.5", "audit = -0.5", &["between 0 and 1"], 1),
    // Layouts and IDs.
    ("layouts = 'randon'", "layouts = randon", &["did you mean random?"], 1),
    ("layouts = 'nearly-sorted:x'", "layouts = nearly-sorted:x", &["nearly-sorted:10"], 1),
    ("layouts = 'nearly-sorted:1257'", "layout = nearly-sorted:1257", &["8 IDs", "or random"], 1),
    ("layouts = 'file:'", "layouts = file:", &["no such name"], 1),
    ("algorithms = 'anonymous'\nn = 8\nlayouts = 'worst'", "layout = worst", &["is known for"], 3),
    ("ids = 'spare'", "ids = spare", &["did you mean sparse?"], 1),
    ("ids = 5", "ids = 5", &["put it in quotes"], 1),
    // Initiators.
    ("initiators = 'count:0'", "initiators = count:0", &["nobody would start", "count:1"], 1),
    ("initiators = 'count:x'", "initiators = count:x", &["count:3"], 1),
    ("initiators = 'share:1.5'", "initiators = share:1.5", &["share:0.5"], 1),
    ("initiators = 'share:1e-300'", "initiators = share:0.0000", &["draw of 8 nodes", "or one"], 1),
    ("initiators = 'at:1,1'", "initiators = at:1,1", &["there twice"], 1),
    ("initiators = 'at:a'", "initiators = at:a", &["not a position"], 1),
    ("initiators = 'al'", "initiators = al", &["did you mean all?"], 1),
    ("initiators = ['all',\n'count:9']", "initiators = count:9", &["only 8 nodes", "larger n"], 1),
    ("initiators = 'at:0,8'", "initiators = at:0,8", &["no position 8", "0 to 7"], 1),
    ("n = 8\nalgorithms = 'time-slice'\ninitiators = 'one'", "initiators = one", &["use all"], 3),
    // Timing.
    ("timing = 'sinc'", "timing = sinc", &["did you mean sync?"], 1),
    ("timing = 'uniform:2..1'", "timing = uniform:2..1", &["uniform:0.5..1.5"], 1),
    ("timing = 'exponential:-1'", "timing = exponential:-1", &["above 0"], 1),
    ("n = 8\nalgorithms = 'time-slice'\ntiming = 'lifo'", "timing = lifo", &["use sync"], 3),
    ("seed = 1\nfifo = 'no'", "fifo = no", &["write true or false"], 2),
    ("seed = 1\nfifo = false", "fifo = false", &["rounds every link", "uniform:0..1"], 2),
    ("n = 8\nalgorithms = 'peterson'\ntiming = 'lifo'\nfifo = false", "fifo = false",
        &["keep the order", "leave FIFO on"], 4),
    ("n = 8\nalgorithms = 'peterson'\ntiming = 'lifo+no-fifo'", "fifo = false", &["FIFO on"], 3),
    // Engines, and grids that contradict each other.
    ("engine = 'coun'", "engine = coun", &["did you mean count?"], 1),
    ("engine = 1", "engine = 1", &["put it in quotes"], 1),
    ("n = 8\nalgorithms = 'lelann'\n[[grid]]\n[[grid]]\nruns = 5", "grid = (cell)",
        &["there twice, differently", "keep one of the two"], 0),
];

fn complete(text: &str) -> String {
    let says = |key: &str| text.lines().any(|line| line.starts_with(key));
    if says("algorithms") || says("n =") || says("[") {
        return text.to_owned();
    }
    text.to_owned() + REST
}

fn hustings(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hustings"));
    let output = command.current_dir(folder).args(arguments).output().expect("started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn broken_specs_are_refused_with_field_value_remedy_and_line() {
    const { assert!(BROKEN.len() >= 50) };
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for &(text, field, words, line) in BROKEN {
        std::fs::write(folder.path().join("bad.toml"), complete(text)).expect("written");
        let (code, out, error) = hustings(folder.path(), &["run", "bad.toml", "--dry-run"]);
        let place = format!(" in bad.toml, line {line}: ");
        let good = code == Some(2)
            && out.is_empty()
            && error.starts_with(&format!("error: {field}"))
            && words.iter().all(|word| error.contains(word))
            && error.contains(&place) == (line > 0)
            && error.contains("; ")
            && !error.contains("panicked");
        if !good {
            wrong.push(format!("{text:?} (line {line}) ended with {code:?}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(folder.path().read_dir().expect("read").count(), 1, "nothing was written");
}

#[test]
fn broken_flags_are_refused_too() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, words) in [
        ("run", "--algorithm = (nothing)"),
        ("run --algorithm lelan --n 8", "did you mean lelann?"),
        ("run --algorithm lelann --n 8,x", "n = x"),
        ("run --algorithm lelann --n 8 --runs 0", "runs = 0"),
        ("run --algorithm lelann --n 8 --name a/b", "name = a/b"),
        ("run --algorithm lelann --n 8 --threads 0", "threads = 0"),
        ("run --algorithm lelann --n 8 --shard 4/4", "shard = 4/4"),
        ("run --algorithm lelann --n 8 --initiators count:9", "initiators = count:9"),
        ("run nowhere.toml", "could not read nowhere.toml"),
        (
            "run --algorithm lelann --layout file:nowhere",
            "layouts = file:nowhere: the file cannot be read",
        ),
        ("slurm nowhere.toml --shards 4", "could not read nowhere.toml"),
    ] {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let (code, _, error) = hustings(folder.path(), &arguments);
        assert_eq!(code, Some(2), "{line}: {error}");
        assert!(error.contains(words) && !error.contains("panicked"), "{line}: {error}");
    }
    assert_eq!(folder.path().read_dir().expect("read").count(), 0, "nothing was written");
}

/// Specs that are good.
const GOOD: &[&str] = &[
    "algorithms = 'chang-roberts'\nn = 8\n",
    "name = 'a-b_c.d'\nseed = 18446744073709551615\nalgorithms = ['lelann', 'peterson']\nn = [1, 8]",
    "algorithms = 'clockwise'\nn = ['4..64', 7, '10..30 step 10']\nruns = 1_000\nuntil = 0.01\n",
    "algorithms = 'clockwise'\nn = 9\ntiming = ['uniform:0..1', 'lifo']\nfifo = false\naudit = 0\n",
    "n = 8\n[[grid]]\nalgorithms = 'lelann'\ninitiators = ['one', 'count:3', 'share:0.25', 'at:0,3@7']\n\
     [[grid]]\nalgorithms = 'time-slice'\nengine = 'simulate'\nids = ['dense', 'sparse']\nuntil = '5%'\n",
    "algorithms = 'chang-roberts'\nn = 16\nlayouts = ['random', 'ascending', 'descending', \
     'bit-reversal', 'organ-pipe', 'alternating', 'nearly-sorted:4', 'best', 'worst']\naudit = '1e-7%'\n",
];

fn parse(text: &str) -> hustings::experiment::error::Result<Spec> {
    Spec::parse(text, "test.toml", "test", &REGISTRY)
}

/// The complete spec means the same.
fn check_round_trip(spec: &Spec) {
    let toml = spec.to_toml();
    let again = parse(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
    assert_eq!(again.hash(), spec.hash());
    assert_eq!(again.to_toml(), toml);
}

#[test]
fn good_specs_survive_a_round_trip() {
    for text in GOOD {
        let spec = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        check_round_trip(&spec);
        assert!(!Plan::new(&spec).expect("a plan").cells.is_empty());
    }
}

/// The committed specs.
fn committed() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/specs");
    let paths = folder.read_dir().expect("data/specs").map(|entry| entry.expect("a file").path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect()
}

#[test]
fn every_committed_spec_is_good_and_explained() {
    let paths = committed();
    assert!(paths.len() >= 5);
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/specs/README.md");
    let readme = std::fs::read_to_string(readme).expect("read");
    let folder = tempfile::tempdir().expect("a folder");
    for path in paths {
        check_round_trip(&Spec::read(&path, &REGISTRY).unwrap_or_else(|error| panic!("{error}")));
        let path_text = path.to_str().expect("text");
        let (code, out, error) = hustings(folder.path(), &["run", path_text, "--dry-run"]);
        assert_eq!(code, Some(0), "{path_text}: {error}");
        assert!(out.contains("cells, "), "{out}");
        assert!(std::fs::read_to_string(&path).expect("read").starts_with("# "), "{path_text}");
        let name = path.file_name().expect("a name").to_string_lossy();
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in the README");
    }
}

/// Changes a text here and there: lines, digits, pieces, single bytes.
#[rustfmt::skip]
fn mutate(text: &str, words: &mut Stream) -> String {
    const PIECES: [&str; 28] = [
        "[", "]", "=", "\"", "'", "\n", ",", "..", "0", "-1", "9999999999999999999", "1e308", "nan",
        "true", "[[grid]]\n", "n", "runs", "%", ":", "step", "#", "\u{7f}", "\u{0}", "é", "file:",
        "count:", "{", "_",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=words.below(3) {
        let place = words.below(bytes.len() as u64 + 1) as usize;
        let end = (place + words.below(12) as usize).min(bytes.len());
        match words.below(8) {
            0 => _ = bytes.drain(place..end),
            1 => {
                let piece = PIECES[words.below(PIECES.len() as u64) as usize];
                _ = bytes.splice(place..place, piece.bytes());
            }
            2 if place < bytes.len() => bytes[place] = words.below(128) as u8,
            3 => {
                let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
                lines.remove(words.below(lines.len() as u64) as usize);
                bytes = lines.join(&b'\n');
            }
            4 => {
                let other = GOOD[words.below(GOOD.len() as u64) as usize];
                let lines: Vec<&str> = other.lines().collect();
                let line = lines[words.below(lines.len() as u64) as usize];
                bytes.extend(format!("\n{line}\n").bytes());
            }
            _ => {
                let digits: Vec<usize> =
                    (0..bytes.len()).filter(|&place| bytes[place].is_ascii_digit()).collect();
                if let Some(&place) = digits.get(words.below(digits.len() as u64 + 1) as usize) {
                    bytes[place] = b'0' + words.below(10) as u8;
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a plan of it fits into a test.
fn is_small(spec: &Spec) -> bool {
    spec.grids.iter().all(|grid| grid.n.len() <= 64 && grid.n.iter().all(|&n| n <= 4096))
}

#[test]
fn twenty_thousand_mutations_do_no_harm() {
    let (mut good, mut bad) = (0, 0);
    for round in 0..20_000 {
        let mut words = Key::new(1, "mutations", 0, "", "").stream(round, Purpose::Ring);
        let broken = BROKEN[words.below(BROKEN.len() as u64) as usize].0;
        let start = match words.below(5) {
            0 => complete(broken),
            _ => GOOD[words.below(GOOD.len() as u64) as usize].to_owned(),
        };
        match parse(&mutate(&start, &mut words)) {
            Ok(spec) => {
                good += 1;
                if is_small(&spec) {
                    check_round_trip(&spec);
                    _ = Plan::new(&spec).map(|plan| (plan.chunks(), plan.runs()));
                }
            }
            Err(error) => {
                bad += 1;
                assert!(error.to_string().len() > 20, "{error}");
            }
        }
    }
    assert!(good > 1000 && bad > 5000, "{good} good, {bad} bad");
}

#[test]
fn every_scale_has_a_plan_and_is_recognised_by_its_hash() {
    let mut runs = 0;
    for (scale, command) in Scale::ALL.into_iter().zip([" --quick", "", " --full"]) {
        let spec = scale.spec(&REGISTRY, None, Some(7)).expect("a good spec");
        assert_eq!((spec.name.as_str(), spec.seed), (scale.name(), 7));
        let planned = Plan::new(&spec).expect("a good plan").runs();
        assert!(planned > runs, "{}: {planned} runs", scale.name());
        runs = planned;
        let expected = format!("hustings reproduce{command} --seed 7 --name mine");
        assert_eq!(command_of(&REGISTRY, "mine", 7, &spec.hash()), Some(expected));
    }
    let usual = Scale::Usual.spec(&REGISTRY, None, None).expect("a good spec");
    let hash = usual.hash();
    let command = command_of(&REGISTRY, &usual.name, usual.seed, &hash);
    assert_eq!(command.as_deref(), Some("hustings reproduce"));
    assert_eq!(command_of(&REGISTRY, "reproduce", 8, &hash), None);
}
