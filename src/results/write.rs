//! Files that are written as a whole: under a temporary name, synced, then renamed, so that a crash
//! at any moment leaves either the whole file or none; and what such a crash has left is found.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{NamedTempFile, PersistError};

use crate::experiment::error::{Error, Result};

/// How the names of files begin that are still being written; so many letters and digits follow.
const UNFINISHED: &str = ".hustings-writing-";
const RANDOM_LETTERS: usize = 6;

/// What this process is writing right now, files and folders.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Something that goes when the process ends early.
struct Live(PathBuf);

impl Live {
    fn new(path: &Path) -> Self {
        if let Ok(mut live) = LIVE.lock() {
            live.insert(path.to_owned());
        }
        Live(path.to_owned())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Ok(mut live) = LIVE.lock() {
            live.remove(&self.0);
        }
    }
}

/// Removes what this process was writing: for one that ends at once, without cleaning up after
/// itself.
pub fn abandon() {
    if let Ok(live) = LIVE.lock() {
        for path in live.iter() {
            _ = if path.is_dir() {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
        }
    }
}

/// The folder that a file is in; a bare name has the empty path for it, which cannot be opened.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Whether two paths lead to the same file or folder.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // A second name of the same file counts.
        if let (Ok(a), Ok(b)) = (a.metadata(), b.metadata()) {
            return (a.dev(), a.ino()) == (b.dev(), b.ino());
        }
    }
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Writes a file as a whole: `write` fills a temporary one, which then takes the name.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> std::io::Result<()>,
) -> Result<()> {
    write_with(path, Lasts::PowerCut, write, |temporary| temporary.persist(path))
}

/// The same for a file that says itself whether it is whole, and can be made again: a power cut may
/// spoil it.
pub(super) fn write_unsynced(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = |temporary: NamedTempFile| temporary.persist(path);
    write_with(path, Lasts::Process, |file| file.write_all(bytes), name)
}

/// The same, unless there is a file of that name: of several processes one wins.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    let name = |temporary: NamedTempFile| temporary.persist_noclobber(path);
    match write_with(path, Lasts::PowerCut, |file| file.write_all(bytes), name) {
        Err(Error::File { source, .. }) if source.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// What a file is to outlast. Waiting for the disk takes longer than most chunks of runs.
#[derive(PartialEq)]
enum Lasts {
    Process,
    PowerCut,
}

fn write_with(
    path: &Path,
    lasts: Lasts,
    write: impl FnOnce(&mut (dyn Write + Send)) -> std::io::Result<()>,
    name: impl FnOnce(NamedTempFile) -> std::result::Result<File, PersistError>,
) -> Result<()> {
    let folder = folder_of(path);
    let attempt = || {
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED).rand_bytes(RANDOM_LETTERS);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual permissions of a new file: all that the umask allows.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut temporary = ours(|| {
            let temporary = builder.tempfile_in(folder)?;
            Ok((is_locked(temporary.as_file(), temporary.path()), temporary))
        })?;
        let _live = Live::new(temporary.path());
        let mut buffered = std::io::BufWriter::with_capacity(1 << 18, temporary.as_file_mut());
        write(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        if lasts == Lasts::Process {
            return name(temporary).map(|_| ()).map_err(|error| error.error);
        }
        temporary.as_file().sync_all()?;
        name(temporary).map_err(|error| error.error)?;
        sync_folder(folder)
    };
    attempt().map_err(Error::file("write", path))
}

/// Makes something that [`sweep`] leaves alone. Another process may sweep it away before it is locked;
/// then it is made anew.
fn ours<T>(make: impl Fn() -> std::io::Result<(bool, T)>) -> std::io::Result<T> {
    loop {
        if let (true, made) = make()? {
            return Ok(made);
        }
    }
}

/// Locks a file that this process has made, until it is closed; false if somebody was faster to sweep
/// it away. Where files cannot be locked nothing is swept either.
fn is_locked(file: &File, path: &Path) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && path.exists()
}

/// Makes a new name in a folder last through a power cut.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems do not let a folder be opened.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Whether a file is being written, or was when its process ended.
pub(super) fn is_unfinished(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(UNFINISHED));
    random.is_some_and(|random| {
        random.len() == RANDOM_LETTERS && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Removes from a folder what processes were writing that are no more: nobody holds its lock.
/// What cannot be removed stays.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten().filter(|entry| is_unfinished(&entry.file_name())) {
        if is_abandoned(&entry.path()) {
            _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether nobody holds the lock of a file; opening anything else might take for ever.
fn is_abandoned(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|there| there.is_file())
        && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// How the names of temporary folders begin.
const SCRATCH: &str = "hustings-scratch-";

/// How the name of the file ends that says of a folder beside it whose it is: its process holds it
/// locked.
const SCRATCH_LOCK: &str = ".lock";

/// A temporary folder, gone when it is dropped, or when the next one is made if its process was
/// killed.
pub struct Scratch {
    folder: PathBuf,
    _live: [Live; 2],
    /// Made before the folder and removed after it, so that no moment leaves a folder without.
    _lock: NamedTempFile,
}

impl Scratch {
    /// A new one in the folder `parent`, where the system keeps such.
    pub fn new(parent: &Path) -> Result<Self> {
        sweep_scratch(parent);
        let make = || {
            let mut builder = tempfile::Builder::new();
            let lock = builder.prefix(SCRATCH).suffix(SCRATCH_LOCK).tempfile_in(parent)?;
            let folder = lock.path().with_extension("");
            let live = [Live::new(&folder), Live::new(lock.path())];
            if !is_locked(lock.as_file(), lock.path()) {
                return Ok((false, None));
            }
            make_private(&folder)?;
            Ok((true, Some(Scratch { folder, _live: live, _lock: lock })))
        };
        let made = ours(make).map_err(Error::file("make a temporary folder in", parent))?;
        Ok(made.expect("it is ours"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Makes a folder that only its owner may enter.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Removes the temporary folders of processes that are no more.
fn sweep_scratch(parent: &Path) {
    let Ok(entries) = parent.read_dir() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(SCRATCH) && name.ends_with(SCRATCH_LOCK) && is_abandoned(&entry.path())
        {
            _ = std::fs::remove_dir_all(entry.path().with_extension(""));
            _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_writes_any_more_is_swept_and_what_somebody_writes_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let [dead, alive_name, made] =
            ["dEad00", "aLive0", "fOlder"].map(|letters| format!("{UNFINISHED}{letters}"));
        let mine = [".writing-diary", ".hustings-writing-notes.md", "notes.txt"];
        for name in mine.iter().chain([&dead.as_str()]) {
            std::fs::write(path(name), "x").expect("written");
        }
        std::fs::create_dir(path(&made)).expect("made");
        let alive = File::create(path(&alive_name)).expect("made");
        alive.lock().expect("locked");
        sweep(folder.path());
        assert!(!path(&dead).exists());
        assert!(
            mine.iter().chain([&alive_name.as_str(), &made.as_str()]).all(|it| path(it).exists())
        );
        drop(alive);
        sweep(folder.path());
        assert!(!path(&alive_name).exists());
    }

    #[test]
    fn a_temporary_folder_of_a_killed_process_is_swept() {
        let parent = tempfile::tempdir().expect("a folder");
        let make = |name: &str| {
            let folder = parent.path().join(name);
            std::fs::create_dir(&folder).expect("made");
            std::fs::write(folder.join("file"), "x").expect("written");
            (File::create(folder.with_extension("lock")).expect("made"), folder)
        };
        let (lock, alive) = make("hustings-scratch-alive");
        lock.lock().expect("locked");
        let (_, dead) = make("hustings-scratch-dead");
        let (_, foreign) = make("other");
        // Killed before there was a folder.
        let early = parent.path().join("hustings-scratch-early.lock");
        std::fs::write(&early, "").expect("written");
        sweep_scratch(parent.path());
        assert!(alive.exists() && foreign.exists() && !dead.exists());
        assert!(!early.exists() && !dead.with_extension("lock").exists());
    }

    #[test]
    fn a_temporary_folder_goes_with_its_lock() {
        let parent = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new(parent.path()).expect("made");
        std::fs::write(scratch.path().join("file"), "x").expect("written");
        assert_eq!(parent.path().read_dir().expect("there").count(), 2);
        drop(scratch);
        assert_eq!(parent.path().read_dir().expect("there").count(), 0);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_whole(&path, |_| Err(std::io::Error::other("no"))).expect_err("refused");
        assert_eq!(folder.path().read_dir().expect("there").count(), 0);
        write_whole(&path, |file| file.write_all(b"x")).expect("written");
        assert_eq!(folder.path().read_dir().expect("there").count(), 1);
    }
}
