//! The results folder: parts on their way, and the tables when all are there.
//!
//! Everything is written under a temporary name, synced and renamed, so a crash at any moment
//! leaves either a whole file or none.

mod folder;
mod part;

use std::fs::File;
use std::io::Write;
use std::path::Path;

pub use folder::{Folder, Precision, Progress, Shard, Work};
pub use part::{Part, Row};

use crate::error::{Error, Result};
use crate::spec::Spec;

/// The columns of `runs.csv`.
pub const RUN_COLUMNS: [&str; 15] = [
    "algorithm",
    "topology",
    "layout",
    "ids",
    "initiators",
    "timing",
    "n",
    "run",
    "messages",
    "bits",
    "time",
    "end",
    "rounds",
    "max_node_messages",
    "leader",
];

/// The name of the experiment whose results a folder holds: that of its spec, or `results` where
/// there is none to be read.
pub fn experiment_name(folder: &Path) -> String {
    let usual = "results";
    let text = std::fs::read_to_string(folder.join("spec.toml")).unwrap_or_default();
    let spec = Spec::parse(&text, "spec.toml", usual);
    spec.map_or_else(|_| usual.to_owned(), |spec| spec.name)
}

/// How the names of files begin that are still being written.
const UNFINISHED: &str = ".writing-";

/// Writes a file as a whole: `write` fills a temporary one, which then takes the name.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    let attempt = || {
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual permissions of a new file: all that the umask allows.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut temporary = builder.tempfile_in(folder)?;
        let mut buffered = std::io::BufWriter::with_capacity(1 << 18, temporary.as_file_mut());
        write(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        temporary.as_file().sync_all()?;
        temporary.persist(path).map_err(|error| error.error)?;
        sync_folder(folder)
    };
    attempt().map_err(Error::file("write", path))
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
