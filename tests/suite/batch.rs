//! Batches with real processes: the same bytes whatever happens, and nothing used that is damaged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use hustings::model::random::{Key, Purpose, Stream};
use tempfile::TempDir;

/// All kinds of cells, in a fraction of a second.
const MIXED: &str = "
seed = 7
runs = 200
[[grid]]
algorithms = ['chang-roberts', 'clockwise', 'peterson']
n = [10, 33]
layouts = ['random', 'worst', 'nearly-sorted:3']
[[grid]]
algorithms = ['hirschberg-sinclair+announce', 'chang-roberts']
n = 20
ids = ['dense', 'sparse']
initiators = ['count:3', 'share:0.5', 'one']
timing = ['sync', 'uniform:0.5..1', 'exponential:2']
[[grid]]
algorithms = 'clockwise'
n = 12
timing = ['lifo', 'uniform:0..1']
fifo = false
";

/// Some two dozen chunks: a second or so.
const CHUNKS: &str = "
seed = 11
runs = 32_768
engine = 'simulate'
algorithms = ['chang-roberts', 'peterson', 'hirschberg-sinclair']
n = [16, 24]
timing = ['sync', 'uniform:0..1']
";

/// Longer than any test waits.
const LONG: &str = "
seed = 3
runs = 1_000_000
engine = 'simulate'
algorithms = 'chang-roberts'
n = [1000, 2000]
";

/// Cells that stop early.
const UNTIL: &str = "
seed = 5
runs = 400_000
until = '0.25%'
engine = 'simulate'
algorithms = ['chang-roberts', 'peterson', 'clockwise']
n = 20
";

/// A folder for one test, with a spec in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(spec: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("spec.toml"), spec).expect("written");
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    /// A command in this folder.
    fn hustings(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hustings"));
        command.current_dir(self.folder.path()).args(line.split_whitespace());
        for variable in [
            "SLURM_ARRAY_TASK_ID",
            "SLURM_ARRAY_TASK_MIN",
            "SLURM_ARRAY_TASK_COUNT",
            "JOB_COMPLETION_INDEX",
            "SHARDS",
            "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_SIZE",
        ] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs a command to its end, which must be this exit code; what it said on standard error.
    fn ends(&self, line: &str, code: i32) -> String {
        said(line, &self.hustings(line).output().expect("started"), code)
    }

    /// Starts a command and leaves it running.
    fn start(&self, line: &str) -> Running {
        let mut command = self.hustings(line);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(Some(command.spawn().expect("started")))
    }

    /// Starts a command and waits until it has written a part into the folder `out`.
    fn start_and_see_a_part(&self, line: &str, out: &str) -> Running {
        let mut running = self.start(line);
        wait_for("a part", || {
            assert!(!running.has_ended(), "{line} ended too soon");
            parts(&self.path(out)).len() > 1
        });
        running
    }

    /// The tables of a results folder that is complete and tidy.
    fn tables(&self, out: &str) -> Tables {
        let folder = self.path(out);
        let mut names: Vec<String> = names(&folder);
        names.sort();
        let tidy = ["datapackage.json", "kinds.csv", "manifest.json", "runs.csv", "spec.toml"];
        assert_eq!(names, tidy, "{out}");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
        Tables { runs: read("runs.csv"), kinds: read("kinds.csv") }
    }

    /// The tables of an undisturbed run.
    fn reference(&self) -> Tables {
        self.ends("run spec.toml --out reference --quiet", 0);
        self.tables("reference")
    }
}

/// A child that does not outlive its test.
struct Running(Option<Child>);

impl Running {
    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it has not been waited for")
    }

    fn has_ended(&mut self) -> bool {
        self.child().try_wait().expect("asked").is_some()
    }

    /// Ends it as a power cut would.
    fn kill(&mut self) {
        self.child().kill().expect("killed");
        self.child().wait().expect("ended");
    }

    fn signal(&mut self, name: &str) {
        let line = format!("kill -{name} {}", self.child().id());
        assert!(Command::new("sh").args(["-c", &line]).status().expect("started").success());
    }

    /// Waits for its end, which must be this exit code; what it said on standard error.
    fn ends(mut self, code: i32) -> String {
        let output = self.0.take().expect("running").wait_with_output().expect("ended");
        said("a started process", &output, code)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            _ = child.kill();
            _ = child.wait();
        }
    }
}

#[derive(PartialEq)]
struct Tables {
    runs: String,
    kinds: String,
}

impl Tables {
    /// Tables are too long to be printed whole.
    fn assert_same(&self, other: &Tables, what: &str) {
        for (a, b) in [(&self.runs, &other.runs), (&self.kinds, &other.kinds)] {
            if a != b {
                let pair = a.lines().zip(b.lines()).find(|(a, b)| a != b);
                panic!("{what}: {} and {} bytes, first difference {pair:?}", a.len(), b.len());
            }
        }
    }

    /// The rows as maps from column to text.
    fn rows(&self) -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_reader(self.runs.as_bytes());
        reader.deserialize().map(|row| row.expect("a row")).collect()
    }
}

fn said(line: &str, output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{line}: {text}");
    assert!(!text.contains("panicked"), "{line}: {text}");
    text
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The finished parts in a results folder, in order.
fn parts(folder: &Path) -> Vec<PathBuf> {
    let parts = folder.join("parts");
    let finished = |name: &String| name.ends_with(".csv") && !name.starts_with('.');
    let mut paths: Vec<PathBuf> =
        names(&parts).iter().filter(|name| finished(name)).map(|name| parts.join(name)).collect();
    paths.sort();
    paths
}

fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < Duration::from_secs(120), "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn words(test: &str) -> Stream {
    Key::new(1, test, 0, "", "").stream(0, Purpose::Ring)
}

/// Runs `line` again and again; kills it `kills` times, at random moments of up to a tenth of the
/// time that it takes undisturbed. Folders that are finished early are followed by new ones.
fn survives_kills(spec: &str, kills: u32, threads: u64) {
    let place = Place::new(spec);
    let start = Instant::now();
    place.ends(&format!("run spec.toml --out reference --quiet --threads {threads}"), 0);
    let longest = start.elapsed().as_micros() as u64 / 10;
    let reference = place.tables("reference");
    let mut words = words("kills");
    let mut killed = 0;
    let mut folder = 0;
    while killed < kills {
        let line = format!("run spec.toml --out again{folder} --quiet --threads {threads}");
        let mut running = place.start(&line);
        std::thread::sleep(Duration::from_micros(words.below(longest)));
        if running.has_ended() {
            running.ends(0);
            place.tables(&format!("again{folder}")).assert_same(&reference, "finished early");
            folder += 1;
        } else {
            running.kill();
            killed += 1;
        }
    }
    place.ends(&format!("run spec.toml --out again{folder} --quiet --threads {threads}"), 0);
    place.tables(&format!("again{folder}")).assert_same(&reference, "after kills");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for spec in [MIXED, CHUNKS, UNTIL] {
        let place = Place::new(spec);
        let reference = place.reference();
        for threads in [1, 2, 5] {
            let out = format!("threads{threads}");
            place.ends(&format!("run spec.toml --out {out} --quiet --threads {threads}"), 0);
            place.tables(&out).assert_same(&reference, &out);
        }
    }
}

#[test]
fn twenty_kills_change_no_byte() {
    survives_kills(CHUNKS, 20, 2);
}

#[test]
fn kills_change_nothing_where_cells_stop_early() {
    survives_kills(UNTIL, 10, 2);
}

#[test]
fn a_kill_while_the_tables_are_written_leaves_no_half_table() {
    let place = Place::new(CHUNKS);
    let reference = place.reference();
    place.ends("run spec.toml --shard 0/1 --out out --quiet", 0);
    for _ in 0..5 {
        let mut running = place.start("run spec.toml --out out --quiet");
        let begun = |name: &String| name.starts_with(".hustings-writing-") || name == "kinds.csv";
        wait_for("a table", || names(&place.path("out")).iter().any(begun));
        running.kill();
    }
    place.ends("run spec.toml --out out --quiet", 0);
    place.tables("out").assert_same(&reference, "after kills");
}

#[test]
fn a_kill_before_the_spec_is_written_leaves_a_usable_folder() {
    let place = Place::new(MIXED);
    std::fs::create_dir_all(place.path("out/parts")).expect("made");
    place.write("out/.hustings-writing-abcDEF", "half a spec");
    place.ends("run spec.toml --out out --quiet", 0);
    place.tables("out").assert_same(&place.reference(), "after a kill");
}

#[test]
fn a_kill_while_the_parts_are_removed_leaves_a_complete_folder() {
    let place = Place::new(MIXED);
    let reference = place.reference();
    std::fs::create_dir(place.path("reference/parts")).expect("made");
    place.write("reference/parts/00000-000000.csv", "left over");
    let said = place.ends("run spec.toml --out reference", 0);
    assert!(said.contains("was complete already"), "{said}");
    place.tables("reference").assert_same(&reference, "as it was");
}

#[test]
fn three_shards_merge_into_the_same_bytes() {
    for spec in [MIXED, CHUNKS, UNTIL] {
        let place = Place::new(spec);
        let reference = place.reference();
        // Separate folders, one after another, then merged in another order.
        for shard in 0..3 {
            let line = format!("run spec.toml --shard {shard}/3 --out shard{shard} --quiet");
            place.ends(&line, 0);
        }
        place.ends("merge shard2 shard0 shard1 --out merged --quiet", 0);
        place.tables("merged").assert_same(&reference, "separate folders");
        assert!(!parts(&place.path("shard0")).is_empty(), "merge keeps its input");
        // One shared folder, all at once.
        let line = |shard| format!("run spec.toml --shard {shard}/3 --out shared --quiet");
        let shards: Vec<Running> = (0..3).map(|shard| place.start(&line(shard))).collect();
        for shard in shards {
            shard.ends(0);
        }
        place.ends("merge shared --quiet", 0);
        place.tables("shared").assert_same(&reference, "a shared folder");
    }
}

#[test]
fn shards_are_chosen_by_the_variables_of_a_cluster() {
    let place = Place::new(MIXED);
    let reference = place.reference();
    let slurm = |task: u32| {
        vec![
            ("SLURM_ARRAY_TASK_ID", (task + 1).to_string()),
            ("SLURM_ARRAY_TASK_MIN", "1".to_owned()),
            ("SLURM_ARRAY_TASK_COUNT", "2".to_owned()),
        ]
    };
    let kubernetes =
        |task: u32| vec![("JOB_COMPLETION_INDEX", task.to_string()), ("SHARDS", "2".to_owned())];
    let mpi = |task: u32| {
        let (rank, size) = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
        vec![(rank, task.to_string()), (size, "2".to_owned())]
    };
    type Variables = Vec<(&'static str, String)>;
    let clusters: [(&str, &dyn Fn(u32) -> Variables); 3] =
        [("slurm", &slurm), ("kubernetes", &kubernetes), ("mpi", &mpi)];
    for (name, variables) in clusters {
        for task in 0..2 {
            let line = format!("run spec.toml --out {name}");
            let output = place.hustings(&line).envs(variables(task)).output().expect("started");
            assert!(said(&line, &output, 0).contains("the shard is done"), "{name}");
            let missing = place.ends(&format!("merge {name}"), if task == 0 { 1 } else { 0 });
            assert_eq!(missing.contains("chunks are missing"), task == 0, "{missing}");
        }
        place.tables(name).assert_same(&reference, name);
    }
    let line = "run spec.toml --out other";
    let output = place.hustings(line).env("JOB_COMPLETION_INDEX", "0").output().expect("started");
    assert!(said(line, &output, 2).contains("SHARDS is not set"));
    assert!(!place.path("other").exists());
}

#[test]
fn more_algorithms_and_sizes_change_no_other_row() {
    let base = "algorithms = ['chang-roberts', 'peterson']\nn = [10, 30]\nruns = 300\n\
                initiators = ['all', 'count:2']\ntiming = ['sync', 'uniform:0..1']\n";
    let more = base
        .replace("['chang-roberts'", "['chang-roberts', 'clockwise', 'lelann'")
        .replace("[10, 30]", "[5, 10, 11, 30]")
        .replace("runs = 300", "runs = 400");
    let place = Place::new(base);
    let reference = place.reference();
    place.write("more.toml", &more);
    place.ends("run more.toml --out more --quiet", 0);
    let more = place.tables("more");
    let there: std::collections::BTreeSet<&str> = more.runs.lines().collect();
    for row in reference.runs.lines() {
        assert!(there.contains(row), "{row} has changed");
    }
    assert!(more.runs.lines().count() > 2 * reference.runs.lines().count());
}

#[test]
fn algorithms_meet_the_same_rings() {
    // When all start, chang-roberts and clockwise send the same messages on every ring.
    let spec = "algorithms = ['chang-roberts', 'clockwise']\nn = [7, 50]\nruns = 500\n\
                ids = ['dense', 'sparse']\nlayouts = ['random', 'nearly-sorted:5']\n";
    let rows = Place::new(spec).reference().rows();
    let of = |algorithm: &str| -> Vec<_> {
        rows.iter()
            .filter(|row| row["algorithm"] == algorithm)
            .map(|row| {
                ["layout", "ids", "n", "run", "messages", "leader"]
                    .map(|column| row[column].clone())
            })
            .collect()
    };
    assert_eq!(of("chang-roberts").len(), 8 * 500);
    assert!(of("chang-roberts") == of("clockwise"));
}

#[test]
fn elect_repeats_every_row() {
    for engine in ["simulate", "auto"] {
        let place = Place::new(&format!("engine = '{engine}'\n{MIXED}"));
        let rows = place.reference().rows();
        let mut cells = 0;
        for (index, row) in rows.iter().enumerate() {
            // Two rows of every cell.
            if !matches!(index % 200, 0 | 137) {
                continue;
            }
            cells += 1;
            let mut line = format!("elect --seed 7 --run {} --json", row["run"]);
            for flag in ["algorithm", "n", "layout", "ids", "initiators", "timing"] {
                line += &format!(" --{flag} {}", row[flag]);
            }
            let output = place.hustings(&line).output().expect("started");
            said(&line, &output, 0);
            let json = String::from_utf8_lossy(&output.stdout).into_owned();
            for (column, text) in row {
                // There the edges themselves are listed.
                if *column == "edges" {
                    continue;
                }
                // As it is printed: reading a number could round it.
                let start = format!("  \"{column}\": ");
                let value = json.lines().find_map(|line| line.strip_prefix(&start));
                let value = value.expect("a value").trim_end_matches(',').trim_matches('"');
                let value = if value == "null" { "" } else { value };
                let same = *text == value
                    || text.parse::<f64>().is_ok_and(|a| value.parse::<f64>() == Ok(a));
                // A counter may leave a column open.
                let open = engine == "auto" && text.is_empty();
                assert!(same || open, "{line}: {column} is {value}, not {text}");
            }
        }
        assert_eq!(cells, rows.len() / 100);
    }
}

#[test]
fn damaged_parts_are_named_and_done_again() {
    let place = Place::new(CHUNKS);
    let reference = place.reference();
    place.ends("run spec.toml --shard 0/1 --out whole --quiet", 0);
    let whole = parts(&place.path("whole"));
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 5] = [
        ("truncated", |bytes| bytes.truncate(bytes.len() / 2)),
        ("cut by one", |bytes| _ = bytes.pop()),
        ("flipped", |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
        }),
        ("emptied", Vec::clear),
        ("longer", |bytes| bytes.extend(b"1,2,3\n")),
    ];
    let mut victims = Vec::new();
    for ((_, damage), path) in damages.iter().zip(whole.iter().step_by(3)) {
        let mut bytes = std::fs::read(path).expect("read");
        damage(&mut bytes);
        std::fs::write(path, bytes).expect("written");
        victims.push(path.clone());
    }
    // The sound part of another chunk, and one that is gone.
    let (stranger, gone) = (whole[1].clone(), whole[4].clone());
    std::fs::copy(&whole[2], &stranger).expect("copied");
    std::fs::remove_file(&gone).expect("removed");
    victims.push(stranger);

    let named =
        |text: &str, path: &Path| text.contains(&*path.file_name().unwrap().to_string_lossy());
    let refused = place.ends("merge whole", 1);
    assert!(refused.contains("7 of "), "{refused}");
    let output = place.hustings("status whole").output().expect("started");
    let status = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(missing_chunks(&place, "status whole --json"), 7, "{status}");
    let repaired = place.ends("run spec.toml --out whole", 0);
    for victim in &victims {
        for text in [&refused, &status, &repaired] {
            assert!(named(text, victim), "{} in {text}", victim.display());
        }
    }
    assert_eq!(repaired.matches("is damaged").count(), victims.len(), "{repaired}");
    place.tables("whole").assert_same(&reference, "repaired");
}

#[test]
fn folders_of_something_else_are_refused() {
    let place = Place::new(MIXED);
    let reference = place.reference();
    let refused = place.ends("run spec.toml --out reference --seed 8", 2);
    assert!(refused.contains("seed 7") && refused.contains("--force"), "{refused}");
    let refused = place.ends("run spec.toml --out reference --runs 201", 2);
    assert!(refused.contains("another spec"), "{refused}");
    std::fs::create_dir(place.path("mine")).expect("made");
    place.write("mine/thesis.tex", "all I have");
    for force in ["", "--force"] {
        let refused = place.ends(&format!("run spec.toml --out mine {force}"), 2);
        assert!(refused.contains("holds something else"), "{refused}");
    }
    assert_eq!(names(&place.path("mine")), ["thesis.tex"]);
    place.tables("reference").assert_same(&reference, "untouched");
    // Another version's results are not mixed with ours.
    let spec = std::fs::read_to_string(place.path("reference/spec.toml")).expect("read");
    place.write("reference/spec.toml", &spec.replacen("# hustings ", "# hustings 9", 1));
    let refused = place.ends("run spec.toml --out reference", 2);
    assert!(refused.contains("use the same version"), "{refused}");
    place.write("reference/spec.toml", &spec);
    // Unless it is asked for.
    place.ends("run spec.toml --out reference --seed 8 --force --quiet", 0);
    assert!(place.tables("reference") != reference);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let place = Place::new(MIXED);
    place.write("file", "");
    let refused = place.ends("run spec.toml --out file/out", 2);
    assert!(refused.contains("could not make file/out"), "{refused}");
    let folder = place.path("read-only");
    std::fs::create_dir(&folder).expect("made");
    let mut permissions = folder.metadata().expect("there").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&folder, permissions).expect("set");
    // Root may write everywhere.
    if std::fs::write(folder.join("probe"), "").is_err() {
        let refused = place.ends("run spec.toml --out read-only", 2);
        assert!(refused.contains("read-only"), "{refused}");
    }
}

#[test]
fn one_process_at_a_time() {
    let place = Place::new(LONG);
    let mut first = place.start_and_see_a_part("run spec.toml --out out --quiet", "out");
    for line in ["run spec.toml --out out", "run spec.toml --out out --shard 0/2", "merge out"] {
        let refused = place.ends(line, 2);
        assert!(refused.contains("another process is working"), "{line}: {refused}");
    }
    let refused = place.ends("run spec.toml --out out --force", 2);
    assert!(refused.contains("another process is working"), "{refused}");
    assert!(!first.has_ended());
    first.kill();
    // Two different shards may share a folder, one shard twice may not.
    let line = "run spec.toml --out shards --quiet --threads 1 --shard";
    let _one = place.start_and_see_a_part(&format!("{line} 0/2"), "shards");
    let refused = place.ends(&format!("{line} 0/2"), 2);
    assert!(refused.contains("another process is working"), "{refused}");
    let mut two = place.start(&format!("{line} 1/2"));
    let before = parts(&place.path("shards")).len();
    wait_for("more parts", || parts(&place.path("shards")).len() > before + 2);
    assert!(!two.has_ended());
}

#[test]
fn a_vanished_folder_is_an_error_that_names_it() {
    let place = Place::new(LONG);
    let running = place.start_and_see_a_part("run spec.toml --out out --quiet", "out");
    // It may be writing just now.
    wait_for("the folder to go", || std::fs::remove_dir_all(place.path("out")).is_ok());
    let said = running.ends(2);
    assert!(said.contains("could not write out/parts/"), "{said}");
}

#[test]
fn signals_end_with_the_command_that_goes_on() {
    let place = Place::new(CHUNKS);
    let reference = place.reference();
    for (signal, code) in crate::common::deadly_signals() {
        let line = format!("run spec.toml --out {signal} --threads 1");
        let mut running = place.start_and_see_a_part(&line, signal);
        running.signal(signal);
        let said = running.ends(code);
        assert!(said.contains("nothing is lost") && said.contains("to go on: "), "{said}");
        assert!(said.contains(&line), "{said}");
        let there = parts(&place.path(signal)).len();
        assert!(there > 1);
        let said = place.ends(&line, 0);
        assert!(said.contains("still to do"), "{said}");
        place.tables(signal).assert_same(&reference, signal);
    }
}

#[test]
fn merge_refuses_missing_and_mixed_shards() {
    let place = Place::new(CHUNKS);
    place.write("other.toml", &CHUNKS.replace("seed = 11", "seed = 12"));
    place.ends("run spec.toml --shard 0/2 --out a --quiet", 0);
    place.ends("run other.toml --shard 1/2 --out b --quiet", 0);
    let refused = place.ends("merge a --out merged", 1);
    assert!(refused.contains("of 28 chunks are missing"), "{refused}");
    let refused = place.ends("merge a b --out merged2", 2);
    assert!(refused.contains("different experiments"), "{refused}");
    let refused = place.ends("merge a a", 2);
    assert!(refused.contains("--out"), "{refused}");
    place.write("empty", "");
    assert!(place.ends("merge empty", 2).contains("not a results folder"));
    for out in ["merged", "merged2"] {
        assert!(!place.path(out).join("runs.csv").exists());
    }
    // With the missing shard the same merge succeeds.
    place.ends("run spec.toml --shard 1/2 --out c --quiet", 0);
    place.ends("merge a c --out merged --quiet", 0);
    place.tables("merged").assert_same(&place.reference(), "merged at last");
}

/// How many chunks are missing, as a status in JSON says.
fn missing_chunks(place: &Place, line: &str) -> u64 {
    let output = place.hustings(line).output().expect("started");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let missing = json["missing"].as_array().expect("a list");
    missing.iter().map(|entry| entry["chunks"].as_u64().expect("a number")).sum()
}

#[test]
fn status_says_what_is_missing() {
    let place = Place::new(CHUNKS);
    let status = |line: &str| {
        let output = place.hustings(line).output().expect("started");
        said(line, &output, 0);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    place.ends("run spec.toml --shard 1/28 --out out --quiet", 0);
    let text = status("status out");
    assert!(text.contains("1 of 28 chunks are done"), "{text}");
    assert!(
        text.contains("missing: chunk 0, chang-roberts on ring, n = 16, runs 0..16384"),
        "{text}"
    );
    // Neighbours of one cell are told together.
    assert!(text.contains("missing: chunks 2 to 3, chang-roberts on ring, n = 24, runs 0.."));
    assert_eq!(missing_chunks(&place, "status out --json"), 27);
    let json: serde_json::Value = serde_json::from_str(&status("status out --json")).expect("JSON");
    assert_eq!((&json["complete"], &json["done"]), (&false.into(), &1.into()));
    place.ends("run spec.toml --shard 0/1 --out other --quiet", 0);
    assert!(status("status out other").contains("nothing is missing"));
    place.ends("merge out other --out out --quiet", 0);
    assert_eq!(status("status out"), "complete\n");
    let json: serde_json::Value = serde_json::from_str(&status("status out --json")).expect("JSON");
    assert_eq!(json["complete"], true);
    assert!(place.ends("status nowhere", 2).contains("not a results folder"));
}

#[test]
fn cells_stop_when_they_are_precise_enough() {
    let place = Place::new(UNTIL);
    place.reference();
    let text = std::fs::read_to_string(place.path("reference/manifest.json")).expect("read");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let cells = manifest["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 3);
    for cell in cells {
        assert_eq!(cell["sequential"], true);
        let runs = cell["runs"].as_u64().expect("a number");
        assert!((256..400_000).contains(&runs), "{cell}");
    }
    let runs = place.tables("reference").runs;
    assert_eq!(manifest["rows"], runs.lines().count() - 1);
    for cell in cells {
        let name = cell["algorithm"].as_str().expect("a name");
        let messages: Vec<f64> = runs
            .lines()
            .map(|row| row.split(',').collect::<Vec<_>>())
            .filter(|fields| fields[0] == name)
            .map(|fields| fields[8].parse().expect("a number"))
            .collect();
        let count = messages.len() as f64;
        let mean = messages.iter().sum::<f64>() / count;
        let variance = messages.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
        assert_eq!(cell["runs"], messages.len());
        // The interval that holds whenever one stops: docs/statistics.md.
        let x = 0.007_936_154_6 * count;
        let deviations = (2.0 * (x + 1.0) / x * ((x + 1.0).sqrt() / 0.05).ln()).sqrt();
        assert!(deviations * (variance / count).sqrt() <= 0.002501 * mean, "{cell}");
    }
}

#[test]
fn a_dry_run_writes_nothing_and_quiet_says_nothing() {
    let place = Place::new(MIXED);
    let output = place.hustings("run spec.toml --dry-run").output().expect("started");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("cells") && text.contains("runs"), "{text}");
    assert_eq!(names(place.folder.path()), ["spec.toml"]);
    let output = place.hustings("run spec.toml --quiet").output().expect("started");
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    // The folder is named after the spec, below data/.
    place.tables("data/spec");
    let output = place.hustings("run spec.toml").output().expect("started");
    assert!(String::from_utf8_lossy(&output.stderr).contains("data/spec/runs.csv was complete"));
}

#[test]
fn the_manifest_is_enough_to_repeat_the_whole() {
    let place = Place::new(MIXED);
    let reference = place.reference();
    let text = std::fs::read_to_string(place.path("reference/manifest.json")).expect("read");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    place.write("again.toml", manifest["spec"].as_str().expect("the spec"));
    place.ends("run again.toml --out again --quiet", 0);
    place.tables("again").assert_same(&reference, "from the manifest");
    // Flags say the same as a file.
    place.write(
        "small.toml",
        "algorithms = ['peterson', 'lelann']\nn = '8..32'\nruns = 50\nseed = 4\n",
    );
    place.ends("run small.toml --out file --quiet", 0);
    let flags = "run --algorithm peterson,lelann --n 8..32 --runs 50 --seed 4 --out flags --quiet";
    place.ends(flags, 0);
    place.tables("flags").assert_same(&place.tables("file"), "flags");
}

#[test]
fn a_full_disk_loses_nothing() {
    let place = Place::new(CHUNKS);
    let reference = place.reference();
    std::fs::create_dir(place.path("disk")).expect("made");
    // A file system of its own, which only this process and its children see.
    let script = "
        mount -t tmpfs -o size=3m none disk || exit 77
        \"$0\" run spec.toml --out disk/out --quiet && exit 78
        ls disk/out/runs.csv 2>/dev/null && exit 79
        mount -o remount,size=200m none disk || exit 77
        \"$0\" run spec.toml --out disk/out && cp -r disk/out out";
    let program = env!("CARGO_BIN_EXE_hustings");
    let unshared = |script: &str| {
        let mut command = Command::new("unshare");
        command.current_dir(place.folder.path());
        command.args(["--map-root-user", "--mount", "sh", "-c", script, program]).output()
    };
    match unshared(script) {
        Ok(output) if !matches!(output.status.code(), Some(77 | 1)) => {
            let text = said("a small disk", &output, 0);
            assert!(text.contains("No space left on device"), "{text}");
            assert!(text.contains("still to do"), "{text}");
        }
        // Not everywhere may one mount a file system: then no file may be larger than 64 KiB.
        _ => {
            let script = "trap '' XFSZ; ulimit -f 128; exec \"$0\" run spec.toml --out out";
            let mut command = Command::new("sh");
            command.current_dir(place.folder.path()).args(["-c", script, program]);
            let text = said("small files", &command.output().expect("started"), 2);
            assert!(text.contains("File too large"), "{text}");
            assert!(!place.path("out/runs.csv").exists());
            place.ends("run spec.toml --out out --quiet", 0);
        }
    }
    place.tables("out").assert_same(&reference, "after a full disk");
}

/// Does at once what Slurm's `sbatch` puts into a queue.
const SBATCH: &str = r#"#!/bin/bash
set -e
script=$(cat)
for argument; do
    case $argument in
        --array=0-*) last=${argument#--array=0-} ;;
        --output=*) logs=$(dirname "${argument#--output=}") ;;
    esac
done
echo "begins" >>"$logs/log"
if [ -n "$last" ]; then
    for task in $(seq 0 "$last"); do
        SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=$((last + 1)) \
            bash -c "$script" >>"$logs/log" 2>&1
    done
else
    bash -c "$script" >>"$logs/log" 2>&1
fi
echo 42
"#;

#[test]
fn the_slurm_script_does_the_whole_experiment() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new(MIXED);
    let reference = place.reference();
    place.write("sbatch", SBATCH);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.path("sbatch"), executable).expect("set");
    let mut printed = place.hustings("slurm spec.toml --shards 3 --out");
    let output = printed.arg("my results").output().expect("started");
    said("slurm", &output, 0);
    place.write("submit", &String::from_utf8_lossy(&output.stdout));
    // From somewhere else: the script names everything by its full path.
    let mut submit = Command::new("bash");
    let path = format!("{}:{}", place.folder.path().display(), std::env::var("PATH").expect("set"));
    submit.arg(place.path("submit")).current_dir("/").env("PATH", path);
    let output = submit.output().expect("started");
    let log = std::fs::read_to_string(place.path("my results-logs/log")).unwrap_or_default();
    assert!(output.status.success(), "{log}{}", said("submit", &output, 0));
    let jobs = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(jobs, "shards: job 42, merge: job 42\n");
    place.tables("my results").assert_same(&reference, "by a queue");
}
