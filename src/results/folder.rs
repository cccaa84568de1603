//! The folder of one experiment: its state, its locks, and how parts become tables.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::manifest::{MANIFEST, Manifest, program};
use super::package::PACKAGE;
use super::part::Part;
use super::progress::{PARTS, Shard, part_name, part_path};
use super::write::{folder_of, is_unfinished, sweep, write_new, write_whole};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::files::{Files, read_text};
use crate::experiment::names::Names;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{Draft, Spec};
use crate::model::error::Input;

/// The spec inside it.
const SPEC: &str = "spec.toml";
/// The tables inside it and their schema, those that others are made of first.
const TABLES: [&str; 5] = ["runs.csv", "kinds.csv", "cells.csv", "fits.csv", PACKAGE];

/// Whether a file is one that we keep in a results folder.
pub fn is_our_file(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let is_ours = TABLES.iter().chain(&[SPEC, MANIFEST]).any(|ours| name == *ours);
    let spec = folder_of(path).join(SPEC);
    is_ours && spec.is_file() && read_text(&spec).is_ok_and(|text| is_our_spec(&text))
}

/// What a folder holds the results of: an experiment of elections, or of something else.
pub trait Experiment: Sized {
    /// What tells it from others.
    fn hash(&self) -> String;

    /// Its master seed.
    fn seed(&self) -> u64;

    /// The complete spec.
    fn text(&self) -> String;

    /// The experiment of the same kind that a folder holds the results of.
    fn read(&self, folder: &Path) -> Result<Self>;
}

impl Experiment for Spec {
    fn hash(&self) -> String {
        Spec::hash(self)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn text(&self) -> String {
        self.to_toml()
    }

    fn read(&self, folder: &Path) -> Result<Self> {
        Folder::read_spec(folder, self.registry())
    }
}

/// The folder of an experiment.
pub struct Folder {
    path: PathBuf,
    hash: String,
    /// Held while this process works in the folder.
    _locks: Vec<File>,
}

/// What is in a folder before anything is done to it.
enum Content<E> {
    /// Nothing that would be in the way.
    Nothing,
    /// The results of this experiment, or what there is of them.
    Results(Box<E>),
    /// Results that cannot be used, and why.
    Unusable(Error),
}

impl Folder {
    /// Opens the folder for work; makes it if it is not there. Results of another spec are refused,
    /// unless `force` says that they may go; what we did not write is never touched.
    pub fn open<E: Experiment>(
        path: &Path,
        spec: &E,
        shard: Option<Shard>,
        force: bool,
    ) -> Result<Self> {
        let hash = spec.hash();
        let replaces = match content(path, spec)? {
            Content::Nothing => false,
            // A shard that is done again leaves the others alone.
            Content::Results(there) if shard.is_some() && there.hash() == hash => false,
            _ if force => true,
            Content::Unusable(error) => return Err(error),
            Content::Results(there) => {
                refuse_other_results(path, &*there, spec)?;
                false
            }
        };
        let mut folder = Folder { path: path.to_owned(), hash, _locks: Vec::new() };
        if !replaces && folder.is_complete() {
            folder.check_complete(spec)?;
            // What a process left that was killed when it had nearly finished.
            if shard.is_none() && path.join(PARTS).exists() {
                folder._locks = lock(path, shard)?;
                remove_parts(path)?;
            }
            sweep(path);
            return Ok(folder);
        }
        let parts = path.join(PARTS);
        std::fs::create_dir_all(&parts).map_err(Error::file("make", &parts))?;
        if replaces {
            folder._locks = lock(path, None)?;
            // The manifest first: without it nothing else counts.
            for name in [MANIFEST].iter().chain(&TABLES) {
                remove_file(&path.join(name))?;
            }
            empty_parts(&parts)?;
            let text = spec_text(spec);
            write_whole(&path.join(SPEC), |file| file.write_all(text.as_bytes()))?;
        }
        if !replaces || shard.is_some() {
            folder._locks.clear();
            folder._locks = lock(path, shard)?;
        }
        write_new(&path.join(SPEC), spec_text(spec).as_bytes())?;
        // Another shard may have been faster, with another spec.
        refuse_other_results(path, &spec.read(path)?, spec)?;
        if shard.is_none() {
            // Nobody else is at work here.
            sweep(path);
            sweep(&parts);
        }
        Ok(folder)
    }

    /// The spec that a folder holds the results of.
    pub fn read_spec(path: &Path, registry: &Registry) -> Result<Spec> {
        let text = Folder::read_spec_text(path)?;
        let file = path.join(SPEC).display().to_string();
        // The folder says what its files said: those that are elsewhere now may say something else.
        let names = Names { registry, files: &Files::recorded() };
        Spec::parse_with(&text, &file, "results", &Draft::default(), names)
    }

    /// The same as text, if this version of the program has written it.
    pub(crate) fn read_spec_text(path: &Path) -> Result<String> {
        let spec_path = path.join(SPEC);
        if !spec_path.is_file() {
            let problem = "there is no spec.toml, so this is not a results folder";
            let remedy = "name a folder that hustings run has written";
            return Err(Input::new("folder", path.display(), problem, remedy).into());
        }
        let text = read_text(&spec_path)?;
        if !text.starts_with(&header()) {
            let first = text.lines().next().unwrap_or_default().trim_start_matches("# ");
            let problem = format!("these results are from {first:?}, this is {:?}", program());
            let remedy = "use the same version, or another folder";
            return Err(Input::new("folder", path.display(), problem, remedy).into());
        }
        Ok(text)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether all is done.
    pub fn is_complete(&self) -> bool {
        is_complete(&self.path)
    }

    /// Refuses a complete folder that is not as it was written.
    fn check_complete(&self, spec: &impl Experiment) -> Result<()> {
        let manifest = Manifest::read(&self.path)?;
        check_spec(&self.path, &manifest, spec)?;
        manifest.check_tables(&self.path)
    }

    /// Writes the part of a chunk.
    pub fn write_part(&self, part: &Part, chunk: u64) -> Result<()> {
        part.write(&part_path(&self.path, part.cell, chunk), &self.hash)
    }

    /// The part of a chunk, if it is there and sound.
    pub fn read_part(&self, plan: &Plan, cell: usize, chunk: u64) -> Option<Part> {
        let path = part_path(&self.path, cell, chunk);
        Part::read(&path, cell, plan.cells[cell].chunk(chunk), &self.hash).ok()
    }

    /// The hash of its experiment.
    pub(super) fn hash(&self) -> &str {
        &self.hash
    }
}

/// Whether a folder has all that a run leaves.
pub fn is_complete(folder: &Path) -> bool {
    missing_file(folder).is_none()
}

/// What a folder lacks of all that a run leaves; the manifest is written last.
pub(super) fn missing_file(folder: &Path) -> Option<&'static str> {
    ["runs.csv", "kinds.csv", MANIFEST].into_iter().find(|name| !folder.join(name).is_file())
}

/// Refuses a folder whose spec was exchanged.
pub(super) fn check_spec(folder: &Path, manifest: &Manifest, spec: &impl Experiment) -> Result<()> {
    if manifest.spec_hash == spec.hash() && manifest.seed == spec.seed() {
        return Ok(());
    }
    let problem = "spec.toml is not the one that the results are of: its hash is not that of \
                   manifest.json";
    let remedy = "restore the file, or repeat the experiment with hustings run --force";
    Err(Input::new("spec", folder.join(SPEC).display(), problem, remedy).into())
}

/// What is in a folder. Something that we did not make, and that we would have to write over or
/// through, is an error.
fn content<E: Experiment>(path: &Path, spec: &E) -> Result<Content<E>> {
    let refuse = |path: &Path, problem: &str| -> Error {
        let remedy = "choose another folder with --out or --name, or move it away";
        Input::new("folder", path.display(), problem, remedy).into()
    };
    if !path.exists() {
        return Ok(Content::Nothing);
    }
    if !path.is_dir() {
        return Err(refuse(path, "this is no folder"));
    }
    for name in [SPEC, MANIFEST].iter().chain(&TABLES) {
        refuse_irregular(&path.join(name))?;
    }
    let parts = path.join(PARTS);
    if parts.symlink_metadata().is_ok_and(|there| !there.is_dir()) {
        return Err(refuse(&parts, "this is no folder of its own"));
    }
    let spec_path = path.join(SPEC);
    if !spec_path.exists() {
        let mut entries = path.read_dir().map_err(Error::file("read", path))?.flatten();
        // Another process may have just begun here, or was killed when it had.
        let ours = |name: &std::ffi::OsStr| name == PARTS || is_unfinished(name);
        let foreign = entries.find(|entry| !ours(&entry.file_name()));
        return match foreign {
            Some(_) if !spec_path.exists() => {
                Err(refuse(path, "this folder holds something else, and no spec.toml"))
            }
            Some(_) => content(path, spec),
            None => Ok(Content::Nothing),
        };
    }
    if !is_our_spec(&read_text(&spec_path)?) {
        return Err(refuse(&spec_path, "hustings run has not written this file"));
    }
    Ok(match spec.read(path) {
        Ok(there) => Content::Results(Box::new(there)),
        Err(error) => Content::Unusable(error),
    })
}

/// Refuses to write over a folder, a link or a device.
pub(crate) fn refuse_irregular(file: &Path) -> Result<()> {
    if file.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        let problem = "this is no regular file, and it would be replaced";
        return Err(Input::new("file", file.display(), problem, "move it away").into());
    }
    Ok(())
}

/// The complete spec, as a folder keeps it.
fn spec_text(spec: &impl Experiment) -> String {
    header() + &spec.text()
}

/// Refuses a folder with the results of another spec.
fn refuse_other_results<E: Experiment>(path: &Path, there: &E, spec: &E) -> Result<()> {
    if there.hash() == spec.hash() {
        return Ok(());
    }
    let problem = match there.seed() == spec.seed() {
        true => "this folder holds the results of another spec".to_owned(),
        false => format!("this folder holds the results of seed {}", there.seed()),
    };
    Err(in_the_way(path, problem))
}

/// Whether a `spec.toml` begins as ours of any version do: a line with the version and nothing more.
fn is_our_spec(text: &str) -> bool {
    let first = text.lines().next().and_then(|line| line.strip_prefix("# hustings "));
    first.is_some_and(|version| {
        version.starts_with(|c: char| c.is_ascii_digit())
            && version.chars().all(|c| c.is_ascii_alphanumeric() || ".-+".contains(c))
    })
}

/// The first line of `spec.toml`: results of different versions do not mix.
fn header() -> String {
    format!("# {}\n", program())
}

fn in_the_way(path: &Path, problem: String) -> Error {
    let remedy = "choose another folder with --out or --name, or replace it with --force";
    Input::new("folder", path.display(), problem, remedy).into()
}

/// Locks the folder for this process: a whole run keeps everybody out, a shard only its like.
fn lock(path: &Path, shard: Option<Shard>) -> Result<Vec<File>> {
    let parts = path.join(PARTS);
    let all = parts.join(LOCK);
    let mut locks = vec![take_lock(path, &all, shard.is_none())?];
    if let Some(Shard { index, count }) = shard {
        let own = parts.join(format!("{LOCK}-{index}-of-{count}"));
        locks.push(take_lock(path, &own, true)?);
    }
    Ok(locks)
}

fn take_lock(folder: &Path, path: &Path, exclusive: bool) -> Result<File> {
    refuse_irregular(path)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(Error::file("open", path))?;
    let locked = if exclusive { file.try_lock() } else { file.try_lock_shared() };
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let problem = "another process is working in this folder";
            let remedy = "wait for it to end, or use another --out";
            Err(Input::new("folder", folder.display(), problem, remedy).into())
        }
        Err(TryLockError::Error(error)) => Err(Error::file("lock", path)(error)),
    }
}

fn remove_file(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Removes the parts; a file among them that is not ours stays, and the folder with it.
pub(super) fn remove_parts(path: &Path) -> Result<()> {
    let parts = path.join(PARTS);
    if !parts.exists() {
        return Ok(());
    }
    empty_parts(&parts)?;
    let entries = parts.read_dir().map_err(Error::file("read", &parts))?;
    for entry in entries.flatten().filter(|entry| is_lock(&entry.file_name())) {
        remove_file(&entry.path())?;
    }
    match std::fs::remove_dir(&parts) {
        Err(error) if error.kind() != std::io::ErrorKind::DirectoryNotEmpty => {
            Err(Error::file("remove", &parts)(error))
        }
        _ => Ok(()),
    }
}

/// Removes all parts and what was to become one.
fn empty_parts(parts: &Path) -> Result<()> {
    for entry in parts.read_dir().map_err(Error::file("read", parts))?.flatten() {
        if part_name(&entry.file_name()).is_some() {
            remove_file(&entry.path())?;
        }
    }
    sweep(parts);
    Ok(())
}

fn is_lock(name: &std::ffi::OsStr) -> bool {
    let Some(shard) = name.to_str().and_then(|name| name.strip_prefix(LOCK)) else { return false };
    let numbers = shard.strip_prefix('-').and_then(|shard| shard.split_once("-of-"));
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    shard.is_empty() || numbers.is_some_and(|(index, count)| is_number(index) && is_number(count))
}

/// The lock of a whole run; those of shards are `lock-I-of-N`.
const LOCK: &str = "lock";
