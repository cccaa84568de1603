//! Two thousand commands and more that nobody in his right mind would give.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

use hustings::model::random::Stream;

use super::scene::{Attack, Scene, Tree, Wiring, copy, hustings, new_template};
use super::values::{self, bad, good, lines, names, one, per_cent, unescaped};
use super::{Failures, in_parallel, judge, pasted};

const PART: &str = "commands";

/// So many commands are made by chance, beside those that were thought out.
const BY_CHANCE: usize = 1500;

/// So many files of each kind are edited.
const EDITED: usize = 100;

const GOOD: &str = "name = 'good'\nseed = 5\nruns = 12\nalgorithms = ['chang-roberts', 'peterson']\n\
                    n = [4, 6]\n[bounds]\nchang-roberts = 'n*(n+1)/2'\n";

const GRAPHS: &str = "name = 'graphs'\nseed = 5\nruns = 12\nalgorithms = ['echo-election', 'adoption']\n\
                      n = [4, 6]\ntopologies = ['grid', 'erdos-renyi:0.6']\n";

/// Hours of work.
const LONG: &str = "name = 'long'\nseed = 7\nruns = 1_000_000\nengine = 'simulate'\n\
                    algorithms = 'chang-roberts'\nn = [1000, 2000]\n";

const NETWORK: &str = "0 1\n1 2\n2 3\n3 0\n";

/// Everything that a command could destroy, in one folder.
pub fn template() -> &'static Path {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let path = new_template("scene");
        let work = path.join("work");
        for folder in ["folder", "foreign", "figures", "out"] {
            std::fs::create_dir(work.join(folder)).expect("made");
        }
        let write = |name: &str, text: &str| std::fs::write(work.join(name), text).expect(name);
        for (name, text) in [
            ("good.toml", GOOD),
            ("graphs.toml", GRAPHS),
            ("long.toml", LONG),
            ("notes.txt", "years of work\n"),
            ("marked.txt", "my notes on <meta name=\"generator\" content=\"hustings\">\n"),
            ("target.txt", "behind a link\n"),
            ("empty.txt", ""),
            ("unreadable.txt", "nobody may read this\n"),
            ("ring.txt", "4, 1, 3, 2\n"),
            ("net.txt", NETWORK),
            ("net-ids.txt", "0 1\n1 2\nid 0 10\nid 1 20\nid 2 30\n"),
            ("folder/keep.txt", "somebody else's\n"),
            ("foreign/spec.toml", "# of another program\n[package]\n"),
            ("foreign/runs.csv", "a,b\n1,2\n"),
            ("foreign/keep.txt", "somebody else's\n"),
            ("figures/messages.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>\n"),
            ("../beside/keep.txt", "none of your business\n"),
        ] {
            write(name, text);
        }
        write("other.toml", &GOOD.replace("seed = 5", "seed = 6").replace("good", "other"));
        write("tight.toml", &GOOD.replace("n*(n+1)/2", "2*n-1"));
        std::fs::write(work.join("binary.bin"), (0..=255).collect::<Vec<u8>>()).expect("written");
        for line in [
            "run good.toml --out results --quiet",
            "run other.toml --out other --quiet",
            "run graphs.toml --out graphs --quiet",
            "run good.toml --shard 0/2 --out shard0 --quiet",
            "run good.toml --shard 1/2 --out shard1 --quiet",
            "baseline results -o good.baseline",
            "baseline other -o other.baseline",
            "summarise results --quiet",
            "report results --out page.html --quiet",
        ] {
            hustings(&work, line);
        }
        copy(&work.join("shard0"), &work.join("half"));
        for folder in ["results", "half"] {
            write(&format!("{folder}/notes.txt"), "about these results\n");
        }
        for (to, name) in [
            ("target.txt", "link.txt"),
            ("folder", "link-folder"),
            ("nowhere", "dangling"),
            ("loop", "loop"),
        ] {
            std::os::unix::fs::symlink(to, work.join(name)).expect("linked");
        }
        // A device of our own, where we may make one.
        let script = "chmod 000 unreadable.txt && mkfifo pipe && \
                      { mknod device c 1 3 2>/dev/null || mkfifo device; }";
        let made = Command::new("sh").args(["-c", script]).current_dir(&work).status();
        assert!(made.expect("sh runs").success());
        path
    })
}

/// A verb with its words and flags, each with the kind of its value, if it has one.
struct Verb {
    name: &'static str,
    weight: u64,
    words: Vec<&'static str>,
    needed: Vec<(&'static str, Option<&'static str>)>,
    others: Vec<(&'static str, Option<&'static str>)>,
}

static VERBS: LazyLock<Vec<Verb>> = LazyLock::new(|| {
    lines(include_str!("tables/verbs.txt"))
        .map(|line| {
            let mut columns = line.split('|');
            let mut column = || columns.next().expect("four columns").split_whitespace();
            let flag = |word: &'static str| match word.split_once('=') {
                Some((flag, kind)) => (flag, Some(kind)),
                None => (word, None),
            };
            let mut first = column();
            Verb {
                name: first.next().expect("a verb"),
                weight: first.next().and_then(|weight| weight.parse().ok()).expect("a weight"),
                words: column().collect(),
                needed: column().map(flag).collect(),
                others: column().map(flag).collect(),
            }
        })
        .collect()
});

/// Variables that a program may look at.
const ENVIRONMENT: [(&str, &str); 14] = [
    ("SLURM_ARRAY_TASK_ID", "x"),
    ("SLURM_ARRAY_TASK_ID", "18446744073709551615"),
    ("SLURM_ARRAY_TASK_ID", ""),
    ("JOB_COMPLETION_INDEX", "0"),
    ("JOB_COMPLETION_INDEX", "-1"),
    ("OMPI_COMM_WORLD_RANK", "7"),
    ("GITHUB_ACTIONS", "true"),
    ("RAYON_NUM_THREADS", "x"),
    ("RAYON_NUM_THREADS", "100000"),
    ("COLUMNS", "0"),
    ("COLUMNS", "x"),
    ("TMPDIR", "missing"),
    ("TMPDIR", "notes.txt"),
    ("RUST_BACKTRACE", "1"),
];

/// The value of a flag: good, bad, or a name that somebody chose with care.
fn value(kind: &str, words: &mut Stream) -> OsString {
    match words.below(100) {
        0..50 => one(words, good(kind)).clone(),
        50..55 => one(words, &names()).clone(),
        _ => one(words, bad(kind)).clone(),
    }
}

/// What may be wrong with a command beside its values.
fn twist(arguments: &mut Vec<OsString>, words: &mut Stream) {
    let place = |words: &mut Stream, most: usize| words.below(most as u64 + 1) as usize;
    match words.below(24) {
        0 => arguments.push("--nonsense".into()),
        1 => arguments.push("--".into()),
        2 => arguments.push("nonsense".into()),
        3 => arguments.push(one(words, &names()).clone()),
        4 if arguments.len() > 1 => _ = arguments.pop(),
        5 => arguments.push(one(words, arguments).clone()),
        6 => arguments.insert(place(words, arguments.len()), "".into()),
        7 => arguments.insert(place(words, arguments.len()), "-".into()),
        8 => arguments.push("--help".into()),
        9 => arguments.push("--json=yes".into()),
        10 if arguments.len() > 1 => {
            let at = 1 + place(words, arguments.len() - 2);
            arguments[at] = one(words, &names()).clone();
        }
        _ => {}
    }
}

/// A command made by chance.
fn by_chance(words: &mut Stream) -> Attack {
    let mut place = words.below(VERBS.iter().map(|verb| verb.weight).sum());
    let here = |verb: &&Verb| {
        let here = place < verb.weight;
        place = place.saturating_sub(verb.weight);
        here
    };
    let verb = VERBS.iter().find(here).expect("a verb");
    let mut attack = Attack::new(verb.name);
    let arguments = &mut attack.arguments;
    for (number, kind) in verb.words.iter().enumerate() {
        if per_cent(words, if number == 0 { 97 } else { 40 }) {
            arguments.push(value(kind, words));
        }
    }
    let needed = verb.needed.iter().map(|flag| (flag, 95));
    for ((flag, kind), share) in needed.chain(verb.others.iter().map(|flag| (flag, 18))) {
        if !per_cent(words, share) {
            continue;
        }
        match kind {
            None => arguments.push(flag.into()),
            Some(kind) if per_cent(words, 15) => {
                let mut joined = OsString::from(format!("{flag}="));
                joined.push(value(kind, words));
                arguments.push(joined);
            }
            Some(kind) => arguments.extend([flag.into(), value(kind, words)]),
        }
    }
    twist(arguments, words);
    if per_cent(words, 12) {
        attack.wiring = *one(words, &Wiring::ALL);
    }
    if per_cent(words, 6) {
        let (name, value) = one(words, &ENVIRONMENT);
        attack.variables.push((name, value.into()));
    }
    attack
}

/// Commands of known ends, each with standard output and standard error in every sad state.
fn with_streams() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for line in lines(include_str!("tables/streams.txt")) {
        let (code, line) = line.split_once(' ').unwrap_or((line, ""));
        let code = code.parse().expect("an exit code");
        let (prints, line) = match line.strip_prefix("> ") {
            Some(line) => (true, line),
            None => (false, line),
        };
        for wiring in Wiring::ALL {
            let mut attack = Attack::new(line);
            attack.wiring = wiring;
            attack.codes = vec![code];
            if prints && wiring == Wiring::OutFull {
                attack.codes.push(2);
            }
            if code == 0 && line.ends_with("--out out/new") && !prints {
                attack.made = Some(("out/new/runs.csv", "results/runs.csv"));
            }
            attacks.push(attack);
        }
    }
    attacks
}

/// Commands that were thought out, with the only ends that they may have.
fn thought_out() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for line in lines(include_str!("tables/commands.txt")) {
        let (codes, line) = line.split_once(' ').expect("exit codes and a command");
        let codes = codes.split(',').map(|code| code.parse().expect("an exit code")).collect();
        attacks.push(Attack { codes, ..Attack::new(line) });
    }
    // Every output into every place where something stands, with good inputs and with bad ones.
    for output in bad("output") {
        for line in [
            "check results --baseline good.baseline --junit",
            "check good.toml --baseline good.baseline --junit",
            "check missing.toml --baseline good.baseline --junit",
            "check results --baseline missing.baseline --junit",
            "check results --baseline notes.txt --mode statistical --junit",
            "check tight.toml --mode bounds --junit",
            "check good.toml --baseline good.baseline --markdown",
            "check missing.toml --baseline good.baseline --markdown",
            "baseline results -o",
            "baseline results --force -o",
            "baseline missing --force -o",
            "report results --out",
            "report missing --out",
            "plot results --figure messages --format svg --out",
            "plot results --figure messages --format svg --force --out",
            "run good.toml --out",
            "run other.toml --force --out",
            "run missing.toml --force --out",
            "merge shard0 shard1 --out",
            "merge shard0 shard1 --force --out",
            "merge shard0 --force --out",
        ] {
            attacks.push(Attack::new(line).with(output));
        }
    }
    attacks
}

/// Specs that are wrong in many ways.
fn specs() -> Vec<Attack> {
    let base = "runs = 2\nalgorithms = 'lelann'\nn = 4\n";
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for line in lines(include_str!("tables/specs.txt")) {
        let line = unescaped(line);
        let key = line.split(" =").next().unwrap_or_default();
        let others = base.split_inclusive('\n').filter(|other| !other.starts_with(key));
        texts.push((others.collect::<String>() + &line + "\n").into_bytes());
    }
    let deep =
        |open: &str, close: &str| format!("{}1{}", open.repeat(60_000), close.repeat(60_000));
    let bound = |formula: String| format!("{base}[bounds]\nlelann = '{formula}'").into_bytes();
    texts.extend([
        Vec::new(),
        vec![0xff; 40],
        vec![b'['; 100_000],
        vec![b'\n'; 100_000],
        format!("x = {}", deep("[", "]")).into_bytes(),
        format!("x = {}", deep("{a=", "}")).into_bytes(),
        format!("{}[a]\n", "a.".repeat(60_000)).into_bytes(),
        bound(deep("(", ")")),
        bound(deep("sqrt(", ")")),
        bound("-".repeat(100_000) + "n"),
        bound("2^".repeat(100_000) + "n"),
        bound("n+".repeat(100_000) + "n"),
        format!("name = '{}'\n{base}", "x".repeat(300)).into_bytes(),
        format!("name = '{}'\n{base}", "x".repeat(100_000)).into_bytes(),
    ]);
    let commands = [
        "run hostile.toml --dry-run",
        "run hostile.toml --quiet",
        "check hostile.toml --mode bounds",
        "slurm hostile.toml --shards 3",
    ];
    let each =
        |text: Vec<u8>| commands.map(|line| Attack::new(line).file("hostile.toml", text.clone()));
    texts.into_iter().flat_map(each).collect()
}

/// A text with a few changes: of a byte, a line, a number, the end.
fn edited(text: &[u8], words: &mut Stream) -> Vec<u8> {
    let mut bytes = text.to_vec();
    let at = |words: &mut Stream, bytes: &[u8]| words.below(bytes.len().max(1) as u64) as usize;
    for _ in 0..=words.below(3) {
        let place = at(words, &bytes);
        match words.below(8) {
            0 if !bytes.is_empty() => bytes[place] ^= 1 << words.below(8),
            1 => bytes.truncate(place),
            2 => {
                let odd = ["\n", "\t", "\0", "-", "99999999999999999999", " ", "\u{1b}"];
                bytes.splice(place..place, one(words, &odd).bytes());
            }
            3 | 4 => {
                let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
                let (from, to) = (place % lines.len(), at(words, &bytes) % lines.len());
                match words.below(3) {
                    0 => _ = lines.remove(from),
                    1 => lines.insert(to, lines[from]),
                    _ => lines.swap(from, to),
                }
                bytes = lines.join(&b'\n');
            }
            5 => {
                let digit = |place: &usize| bytes[*place].is_ascii_digit();
                let digits: Vec<usize> = (0..bytes.len()).filter(digit).collect();
                let numbers = ["0", "-1", "4294967295", "18446744073709551615", "x", ""];
                if !digits.is_empty() {
                    let place = *one(words, &digits);
                    bytes.splice(place..=place, one(words, &numbers).bytes());
                }
            }
            6 => bytes.extend_from_within(..place.min(bytes.len())),
            _ => bytes = String::from_utf8_lossy(&bytes).replace('\n', "\r\n").into_bytes(),
        }
    }
    bytes
}

/// Baselines, rings, networks and specs, each a little wrong.
fn files() -> Vec<Attack> {
    let baseline = std::fs::read(template().join("work/good.baseline")).expect("a baseline");
    let net = "# a net\n0 1\n1 2\nid 0 10\nid 1 20\nid 2 30\n";
    let subjects: [(&[u8], &str); 10] = [
        (&baseline, "check results --baseline hostile --mode exact"),
        (&baseline, "check results --baseline hostile --mode statistical"),
        (&baseline, "check results --baseline hostile --mode bounds"),
        (b"4, 1, 3, 2\n", "elect --algorithm lelann --layout file:hostile"),
        (b"4\n1\n3\n2\n", "run --algorithm lelann --runs 2 --out out/new --layout file:hostile"),
        (NETWORK.as_bytes(), "elect --algorithm echo-election --topology file:hostile"),
        (NETWORK.as_bytes(), "theory --algorithm echo-election --n 4 --topology file:hostile"),
        (net.as_bytes(), "run --algorithm ghs --runs 2 --out out/new --topology file:hostile"),
        (GOOD.as_bytes(), "run hostile --dry-run"),
        (GRAPHS.as_bytes(), "slurm hostile --shards 2"),
    ];
    let mut attacks = Vec::new();
    for (subject, (text, line)) in subjects.into_iter().enumerate() {
        for number in 0..EDITED / 2 {
            let words = &mut values::words("file", EDITED * subject + number);
            attacks.push(Attack::new(line).file("hostile", edited(text, words)));
        }
    }
    attacks
}

/// Hostile names for every file that a command reads or writes. Each list is carried out in order.
fn named() -> Vec<Vec<Attack>> {
    names().into_iter().flat_map(named_so).collect()
}

fn named_so(name: OsString) -> Vec<Vec<Attack>> {
    let path = Path::new("named").join(&name);
    let mut from_file = OsString::from("file:");
    from_file.push(&path);
    let attack = Attack::new;
    let at = |line: &str| Attack::new(line).with(&path);
    let from = |line: &str| Attack::new(line).with(&from_file);
    let mut chains = Vec::new();
    // A file of that name as a network or a ring, and everything that is made of its results. What
    // TOML cannot hold is not given in a spec.
    let escaped: String =
        name.to_str().unwrap_or("x").chars().map(|c| format!("\\U{:08X}", c as u32)).collect();
    for (key, text, algorithms) in [
        ("topologies", NETWORK, "['echo-election', 'adoption']"),
        ("layouts", "4 1 3 2\n", "['chang-roberts', 'lelann']"),
    ] {
        let spec = format!(
            "runs = 3\nn = 4\n{key} = [\"file:named/{escaped}\"]\nalgorithms = {algorithms}\n"
        );
        chains.push(vec![
            attack("run named.toml --out out/named").file(&path, text).file("named.toml", spec),
            attack("summarise out/named"),
            attack("summarise out/named --json"),
            attack("plot out/named --format svg,pdf,tex --out out/figures"),
            attack("report out/named --out out/named.html"),
            attack("compare out/named --json"),
            attack("baseline out/named -o out/named.baseline"),
            attack(
                "check out/named --baseline out/named.baseline --junit out/a.xml --markdown \
                 out/a.md --export out/a.bmf.json --annotate",
            ),
            attack("check named.toml --baseline out/named.baseline --mode statistical --json"),
            attack("status out/named"),
            attack("run named.toml --out out/named --force"),
        ]);
    }
    // By flags, and for one election.
    chains.push(vec![
        from("elect --algorithm echo-election --topology").file(&path, NETWORK),
        from("elect --algorithm echo-election --json --topology"),
        from("run --algorithm echo-election --runs 2 --out out/x --topology"),
        from("theory --algorithm echo-election --n 4 --topology"),
    ]);
    chains.push(vec![
        from("elect --algorithm lelann --layout").file(&path, "4 1 3 2"),
        from("run --algorithm lelann --runs 2 --out out/x --layout"),
    ]);
    // As a spec, as a baseline, as folders and outputs.
    chains.push(vec![
        at("run --out out/x --quiet").file(&path, GOOD),
        at("run --dry-run"),
        at("slurm --shards 2"),
        at("check --baseline good.baseline"),
    ]);
    chains.push(vec![
        at("baseline results -o").file("named/keep", ""),
        at("check results --baseline"),
        at("check results --baseline good.baseline --junit"),
    ]);
    chains.push(vec![
        at("run good.toml --out").file("named/keep", ""),
        at("summarise"),
        at("status"),
        at("plot --format svg,pdf,tex --figure messages --out out/figures"),
        at("report --out out/x.html"),
        at("compare --algorithm chang-roberts,peterson"),
        at("baseline -o out/x.baseline"),
        at("check --baseline good.baseline"),
        at("slurm good.toml --shards 2 --out"),
        at("merge"),
    ]);
    let report = at("report results --out");
    chains.push(vec![report.clone().file("named/keep", ""), report]);
    chains.push(vec![at("plot results --figure messages --format svg --out")]);
    // In the folder itself, where it may look like a flag.
    chains.push(vec![
        attack("run --dry-run").with(&name).file(&name, GOOD),
        attack("run --dry-run --").with(&name),
        attack("check results --baseline good.baseline --markdown").with(&name),
    ]);
    // As anything else.
    for line in
        ["run good.toml --dry-run --name", "run good.toml --name", "elect --n 4 --algorithm", ""]
    {
        chains.push(vec![attack(line).with(OsStr::new(&name))]);
    }
    chains
}

/// All attacks, in chains of commands that build on each other.
fn attacks() -> Vec<Vec<Attack>> {
    let mut chains = named();
    let by_chance = (0..BY_CHANCE).map(|number| by_chance(&mut values::words(PART, number)));
    let single = thought_out().into_iter().chain(with_streams()).chain(specs()).chain(files());
    chains.extend(single.chain(by_chance).map(|attack| vec![attack]));
    chains
}

/// What is wrong after each of the commands of a chain.
fn carry_out(
    number: usize,
    chain: &[Attack],
    scene: &mut Scene,
    first: &Tree,
    failures: &Failures,
) {
    let mut last = first.clone();
    for (step, attack) in chain.iter().enumerate() {
        let ended = attack.run(scene);
        let after = scene.tree();
        let mut faults = judge::manners(attack, &ended);
        faults.extend(judge::damage(attack, &ended, first, &last, &after));
        faults.extend(pasted::faults(attack, &ended, scene));
        failures.add(&format!("{number}-{step}"), &chain[..=step], faults, |_| {});
        last = after;
    }
    scene.restore(first, &scene.tree());
}

/// Carries out all of them; how many there were, and what was wrong.
pub fn all() -> (usize, Failures) {
    let chains = attacks();
    let failures = Failures::new(PART, template());
    let begin = || {
        let scene = Scene::new(template());
        let first = scene.tree();
        (scene, first)
    };
    in_parallel(chains.len(), begin, |(scene, first), number| {
        carry_out(number, &chains[number], scene, first, &failures);
    });
    (chains.iter().map(Vec::len).sum(), failures)
}
