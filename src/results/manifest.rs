//! The manifest: what a results folder holds and how it came about, written last and read first.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::write::write_whole;
use crate::experiment::error::{Error, Result};
use crate::experiment::files::read_text;
use crate::experiment::hash::hex;
use crate::experiment::key::CellKey;
use crate::model::error::Input;

/// The tables whose hashes it has.
const RUNS: &str = "runs.csv";
const KINDS: &str = "kinds.csv";

/// The name of its file.
pub(super) const MANIFEST: &str = "manifest.json";

/// This program, as results name it: those of different versions do not mix.
pub(super) fn program() -> String {
    format!("hustings {}", env!("CARGO_PKG_VERSION"))
}

/// What a results folder holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The program that ran the experiment.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The commit that it was built from, where that is known.
    #[serde(default)]
    pub commit: Option<String>,
    /// The version of `rand`, where algorithms flipped coins: it may change what they draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rand: Option<String>,
    /// The master seed.
    pub seed: u64,
    /// The hash of the spec.
    pub spec_hash: String,
    /// The complete spec.
    pub spec: String,
    /// The rows of `runs.csv`.
    pub rows: u64,
    /// The hash of `runs.csv`.
    pub runs_sha256: String,
    /// The hash of `kinds.csv`.
    pub kinds_sha256: String,
    /// The machine, unless it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
    /// When it began, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u64>,
    /// The cells, in the order of the rows.
    pub cells: Vec<ManifestCell>,
}

/// The machine that an experiment ran on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: Option<String>,
    /// Its operating system.
    pub system: String,
    /// Its processor.
    pub processor: String,
    /// How many cores it has.
    pub cores: Option<usize>,
}

impl Host {
    /// This machine.
    pub(super) fn this() -> Self {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
        Host {
            name: name.map(|name| name.trim().to_owned()),
            system: std::env::consts::OS.to_owned(),
            processor: std::env::consts::ARCH.to_owned(),
            cores: std::thread::available_parallelism().ok().map(usize::from),
        }
    }
}

/// What the manifest says about a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestCell {
    /// Which cell.
    #[serde(flatten)]
    pub key: CellKey,
    /// How many runs it has.
    pub runs: u64,
    /// Who carried them out: simulate or count.
    pub engine: String,
    /// Whether the runs themselves decided when to stop.
    pub sequential: bool,
}

impl Manifest {
    /// Reads the manifest of a results folder of this version.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let text = read_text(&path)?;
        let bad = |problem: String, remedy: &str| -> Error {
            Input::new("manifest", path.display(), problem, remedy).into()
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| {
            let remedy = "restore the file, or run the same hustings run again without it";
            bad(format!("it is damaged: {error}"), remedy)
        })?;
        let writer = format!("{} {}", manifest.program, manifest.version);
        if writer != program() {
            let problem = format!("these results are from {writer:?}, this is {:?}", program());
            return Err(bad(problem, "use the same version, or repeat the experiment"));
        }
        Ok(manifest)
    }

    /// Writes it into a results folder.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        // A struct of text and numbers can always be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        write_whole(&folder.join(MANIFEST), |file| file.write_all(text.as_bytes()))
    }

    /// Refuses a folder whose tables are not those that the manifest was written for.
    pub fn check_tables(&self, folder: &Path) -> Result<()> {
        self.check_runs_hash(folder, &sha256(&folder.join(RUNS))?)?;
        self.check_kinds(folder)
    }

    /// The same for `kinds.csv` alone.
    pub(super) fn check_kinds(&self, folder: &Path) -> Result<()> {
        let path = folder.join(KINDS);
        check_hash(&path, &self.kinds_sha256, &sha256(&path)?)
    }

    /// The same for `runs.csv` alone, where its hash is known already.
    pub(super) fn check_runs_hash(&self, folder: &Path, found: &str) -> Result<()> {
        check_hash(&folder.join(RUNS), &self.runs_sha256, found)
    }
}

fn check_hash(path: &Path, expected: &str, found: &str) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    let problem = "it has changed since it was written: its SHA-256 is not that of manifest.json";
    let remedy = "restore the file, or repeat the experiment with hustings run --force";
    Err(Input::new("table", path.display(), problem, remedy).into())
}

/// The hash of a file, read piece by piece.
fn sha256(path: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    let mut file = File::open(path).map_err(Error::file("read", path))?;
    loop {
        match file.read(&mut piece).map_err(Error::file("read", path))? {
            0 => return Ok(hex(&hash.finalize())),
            size => hash.update(&piece[..size]),
        }
    }
}
