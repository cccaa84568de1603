//! A folder to be attacked in, and a program that is watched while it runs there.
//!
//! A scene has three folders: `work`, where commands are given, with files that must not be lost;
//! `tmp`, for the program's temporary files, which must be empty in the end; and `beside`, which no
//! command has any business with.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The program under attack.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_hustings");

/// No command of these tests has work for longer.
pub const LIMIT: Duration = Duration::from_secs(5);

/// What a process may take, in KiB, so that an endless appetite ends before the machine does.
const MEMORY: &str = "6000000";

/// How the names of files begin that are still being written.
pub const UNFINISHED: &str = ".hustings-writing-";

/// The variables of clusters and pipelines, which must not come in from outside.
const VARIABLES: [&str; 12] = [
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_TASK_MIN",
    "SLURM_ARRAY_TASK_COUNT",
    "JOB_COMPLETION_INDEX",
    "SHARDS",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "GITHUB_ACTIONS",
    "RAYON_NUM_THREADS",
    "RUST_BACKTRACE",
    "COLUMNS",
    "TMPDIR",
];

/// Where scenes are kept that can be looked at after the test.
pub fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name)
}

/// Makes a new folder for a template, without what an earlier test has left.
pub fn new_template(name: &str) -> PathBuf {
    let path = kept(name);
    _ = std::fs::remove_dir_all(&path);
    for folder in ["work", "tmp", "beside"] {
        std::fs::create_dir_all(path.join(folder)).expect("made");
    }
    path
}

/// A command that prepares a template, and has to go well.
pub fn hustings(work: &Path, line: &str) {
    let ended = Command::new(PROGRAM).args(words(line)).current_dir(work).output();
    let ended = ended.expect("it runs");
    assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    File(Vec<u8>),
    Folder,
    Link(PathBuf),
    Pipe,
    Device,
}

/// All that is in a folder, by its path seen from there.
pub type Tree = BTreeMap<PathBuf, Thing>;

/// What is in a folder, and in its folders.
pub fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inner) = open.pop() {
        let Ok(entries) = folder.join(&inner).read_dir() else { continue };
        for entry in entries.flatten() {
            let path = inner.join(entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            let thing = if kind.is_dir() {
                open.push(path.clone());
                Thing::Folder
            } else if kind.is_symlink() {
                Thing::Link(entry.path().read_link().unwrap_or_default())
            } else if kind.is_fifo() {
                Thing::Pipe
            } else if kind.is_file() {
                Thing::File(std::fs::read(entry.path()).unwrap_or_default())
            } else {
                Thing::Device
            };
            tree.insert(path, thing);
        }
    }
    tree
}

/// A copy of everything in a folder, links and pipes included.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    let copied = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status();
    assert!(copied.expect("cp runs").success(), "{} could not be copied", from.display());
}

/// A copy of a template, to be attacked.
pub struct Scene {
    folder: TempDir,
    template: PathBuf,
}

impl Scene {
    pub fn new(template: &Path) -> Self {
        let folder = tempfile::Builder::new().prefix("hostile-").tempdir().expect("a folder");
        copy(template, folder.path());
        Scene { folder, template: template.to_owned() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    pub fn tree(&self) -> Tree {
        tree(self.path())
    }

    /// Makes everything as it was at first; `now` is what there is.
    pub fn restore(&mut self, first: &Tree, now: &Tree) {
        for path in now.keys().rev().filter(|path| !first.contains_key(*path)) {
            let path = self.path().join(path);
            _ = std::fs::remove_dir(&path).or_else(|_| std::fs::remove_file(&path));
        }
        if first.iter().any(|(path, thing)| now.get(path) != Some(thing)) {
            *self = Scene::new(&self.template.clone());
        }
    }
}

/// Where standard output and standard error go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wiring {
    #[default]
    Plain,
    OutFull,
    OutGone,
    OutClosed,
    ErrFull,
    ErrGone,
    ErrClosed,
    BothGone,
    BothClosed,
}

impl Wiring {
    pub const ALL: [Wiring; 9] = [
        Wiring::Plain,
        Wiring::OutFull,
        Wiring::OutGone,
        Wiring::OutClosed,
        Wiring::ErrFull,
        Wiring::ErrGone,
        Wiring::ErrClosed,
        Wiring::BothGone,
        Wiring::BothClosed,
    ];

    /// As a shell says it.
    fn shell(self) -> &'static str {
        match self {
            Wiring::Plain => "",
            Wiring::OutFull => " >/dev/full",
            Wiring::OutGone => " | true",
            Wiring::OutClosed => " >&-",
            Wiring::ErrFull => " 2>/dev/full",
            Wiring::ErrGone => " 2> >(true)",
            Wiring::ErrClosed => " 2>&-",
            Wiring::BothGone => " 2>&1 | true",
            Wiring::BothClosed => " >&- 2>&-",
        }
    }

    pub fn shows_errors(self) -> bool {
        matches!(self, Wiring::Plain | Wiring::OutFull | Wiring::OutGone | Wiring::OutClosed)
    }
}

/// A pipe whose reader has gone away.
fn gone() -> Stdio {
    let (_, writer) = std::io::pipe().expect("a pipe");
    writer.into()
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").map_or_else(|_| gone(), Stdio::from)
}

/// One command that somebody gives.
#[derive(Debug, Clone, Default)]
pub struct Attack {
    pub arguments: Vec<OsString>,
    pub wiring: Wiring,
    pub variables: Vec<(&'static str, OsString)>,
    /// Files that are written before, seen from `work`.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The exit codes that it may end with, where that is known.
    pub codes: Vec<i32>,
    /// A file that must have been made, and the file whose bytes it must have.
    pub made: Option<(&'static str, &'static str)>,
}

/// The words of a line; single quotes keep some together.
fn words(line: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    for (number, piece) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(piece.split_whitespace().map(OsString::from)),
            _ => words.push(piece.into()),
        }
    }
    words
}

impl Attack {
    pub fn new(line: &str) -> Self {
        Attack { arguments: words(line), ..Attack::default() }
    }

    pub fn with(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub fn file(mut self, name: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), bytes.into()));
        self
    }

    /// The value of a flag, however it was written.
    pub fn value(&self, flag: &str) -> Option<PathBuf> {
        let joined = format!("{flag}=");
        self.arguments.iter().enumerate().find_map(|(place, word)| {
            if word == flag {
                return self.arguments.get(place + 1).map(PathBuf::from);
            }
            let bytes = word.as_bytes().strip_prefix(joined.as_bytes())?;
            Some(PathBuf::from(OsStr::from_bytes(bytes)))
        })
    }

    pub fn has(&self, flag: &str) -> bool {
        self.arguments.iter().any(|word| word == flag)
    }

    pub fn verb(&self) -> &str {
        self.arguments.first().and_then(|word| word.to_str()).unwrap_or_default()
    }

    pub fn write_files(&self, work: &Path) {
        for (name, bytes) in &self.files {
            if let Some(folder) = name.parent() {
                std::fs::create_dir_all(work.join(folder)).expect("made");
            }
            // A name that the file system does not take cannot be attacked with.
            _ = std::fs::write(work.join(name), bytes);
        }
    }

    /// Starts it in a scene, with what it says going to these two files.
    fn start(&self, scene: &Path, out: &File, err: &File) -> Child {
        let close = match self.wiring {
            Wiring::OutClosed => ">&-",
            Wiring::ErrClosed => "2>&-",
            Wiring::BothClosed => ">&- 2>&-",
            _ => "",
        };
        let script = format!("ulimit -c 0; ulimit -v {MEMORY} 2>/dev/null; exec \"$@\" {close}");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", PROGRAM]).args(&self.arguments);
        command.current_dir(scene.join("work")).stdin(Stdio::null());
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.env("TMPDIR", scene.join("tmp"));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let into = |file: &File| Stdio::from(file.try_clone().expect("a handle"));
        command.stdout(match self.wiring {
            Wiring::OutFull => full(),
            Wiring::OutGone | Wiring::BothGone => gone(),
            _ => into(out),
        });
        command.stderr(match self.wiring {
            Wiring::ErrFull => full(),
            Wiring::ErrGone | Wiring::BothGone => gone(),
            _ => into(err),
        });
        command.spawn().expect("sh runs")
    }

    /// Runs it in a scene to its end, or to that of our patience.
    pub fn run(&self, scene: &Scene) -> Ended {
        self.run_until(scene, LIMIT, || false)
    }

    /// Runs it in a scene, for so long at most or until `cut` says so; then ends it as a power cut
    /// would.
    pub fn run_until(
        &self,
        scene: &Scene,
        limit: Duration,
        mut cut: impl FnMut() -> bool,
    ) -> Ended {
        self.write_files(&scene.work());
        let (out, err) = (tempfile::tempfile(), tempfile::tempfile());
        let (mut out, mut err) = (out.expect("a file"), err.expect("a file"));
        let start = Instant::now();
        let mut child = self.start(scene.path(), &out, &err);
        let pause = Duration::from_micros(500);
        let status = loop {
            if let Some(status) = child.try_wait().expect("asked") {
                break Some(status);
            }
            let elapsed = start.elapsed();
            if elapsed >= limit || cut() {
                break None;
            }
            std::thread::sleep(pause.min(limit - elapsed));
        };
        if status.is_none() {
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
        let said = |file: &mut File| {
            let mut bytes = Vec::new();
            file.rewind().expect("from the start");
            file.read_to_end(&mut bytes).expect("read");
            bytes
        };
        Ended {
            killed: status.is_none(),
            code: status.and_then(|status| status.code()),
            out: said(&mut out),
            err: said(&mut err),
            took: start.elapsed(),
        }
    }

    /// The command for a shell.
    pub fn line(&self) -> String {
        let mut line = String::new();
        for (name, value) in &self.variables {
            line += &format!("{name}={} ", quoted(value));
        }
        line += PROGRAM;
        for word in &self.arguments {
            line += " ";
            line += &quoted(word);
        }
        line + self.wiring.shell()
    }

    /// The files that it needs, in words.
    pub fn with_files(&self) -> String {
        let told = |(name, bytes): &(PathBuf, Vec<u8>)| {
            let text: String = String::from_utf8_lossy(bytes).chars().take(200).collect();
            format!("  # with {} = {text:?}", name.display())
        };
        self.files.iter().map(told).collect()
    }
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// Whether it had to be killed.
    pub killed: bool,
    /// Its exit code, unless a signal ended it.
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    pub took: Duration,
}

/// A word as a shell (bash, where there are bytes that cannot be typed) needs it.
pub fn quoted(word: &OsStr) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b",.:/@+-_=%".contains(byte);
    let bytes = word.as_bytes();
    match word.to_str() {
        Some(text) if !text.is_empty() && bytes.iter().all(plain) => text.to_owned(),
        Some(text) if !text.chars().any(|c| c.is_control() || c == '\u{fffe}') => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => {
            let escaped: String = bytes
                .iter()
                .map(|byte| match byte {
                    b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
                    b' '..=b'~' => char::from(*byte).to_string(),
                    byte => format!("\\x{byte:02x}"),
                })
                .collect();
            format!("$'{escaped}'")
        }
    }
}

/// Bytes as a name.
pub fn name(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}
