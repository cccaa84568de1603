//! Files that a user asks for, whatever the verb: checked before anything is done, written as a whole
//! when all is done.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::terminal::{note, print};
use crate::experiment::error::{Error, Result};
use crate::model::error::Input;
use crate::results::{folder_of, is_our_file, is_same, sweep, write_whole};

/// A file that may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Output {
    /// The flag that names it.
    field: &'static str,
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// `-`, or the same by its name.
    Standard,
    /// Standard error.
    Error,
    /// Another stream that is open already.
    Stream(PathBuf),
    File(PathBuf),
}

/// What must not be written over: the files that a verb reads.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Inputs<'a>(pub(super) &'a [&'a Path]);

impl Inputs<'_> {
    /// Whether a file is one of them.
    fn contain(&self, path: &Path) -> bool {
        self.0.iter().any(|input| is_same(path, input))
    }
}

impl Output {
    /// The file at `path`, if it may be written: no input, no folder, link or device. The name `-`
    /// and those of open streams stand for these streams.
    pub(super) fn new(field: &'static str, path: &Path, inputs: Inputs<'_>) -> Result<Self> {
        let refuse = |problem: &str| -> Error {
            Input::new(field, path.display(), problem, "name another file").into()
        };
        if let Some(place) = stream(path) {
            if matches!(place, Place::Stream(_)) && !path.exists() {
                return Err(refuse("this stream is not open"));
            }
            if matches!(place, Place::Stream(_)) && inputs.contain(path) {
                return Err(refuse("this file is read, so it cannot be written"));
            }
            return Ok(Output { field, place });
        }
        if path.file_name().is_none() || path.to_string_lossy().ends_with('/') {
            return Err(refuse("this is not the name of a file"));
        }
        let nearest = path.ancestors().skip(1).find(|folder| folder.exists());
        if nearest.is_some_and(|folder| !folder.is_dir()) {
            return Err(refuse("something that is no folder stands on its way"));
        }
        match path.symlink_metadata() {
            Ok(there) if there.is_dir() => return Err(refuse("this is a folder")),
            Ok(there) if there.is_symlink() => {
                return Err(refuse("this is a link, and it would be replaced"));
            }
            Ok(there) if !there.is_file() => return Err(refuse("this is no regular file")),
            Ok(_) if inputs.contain(path) => {
                return Err(refuse("this file is read, so it cannot be written"));
            }
            Ok(_) if is_our_file(path) => return Err(refuse("this file is part of results")),
            _ => {}
        }
        Ok(Output { field, place: Place::File(path.to_owned()) })
    }

    /// Standard output itself.
    pub(super) fn standard(field: &'static str) -> Self {
        Output { field, place: Place::Standard }
    }

    /// Whether it is a file with a name, and no stream.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.place, Place::File(_))
    }

    /// The same if its folder is there: for verbs that make none.
    pub(super) fn in_folder(self) -> Result<Self> {
        if let Place::File(path) = &self.place
            && !folder_of(path).is_dir()
        {
            let problem = "there is no folder for it";
            let remedy = "make the folder first, or name another file";
            return Err(Input::new(self.field, path.display(), problem, remedy).into());
        }
        Ok(self)
    }

    /// Refuses files that are there unless `ours` knows their contents for its own, so that somebody's
    /// work is not written over by mistake.
    pub(super) fn only_over(self, ours: impl Fn(&[u8]) -> bool, remedy: &str) -> Result<Self> {
        self.only_over_file(|path| Ok(ours(&std::fs::read(path)?)), remedy)
    }

    /// The same for files that need not be read as a whole to be known.
    pub(super) fn only_over_file(
        self,
        ours: impl Fn(&Path) -> std::io::Result<bool>,
        remedy: &str,
    ) -> Result<Self> {
        if let Place::File(path) = &self.place
            && path.exists()
            && !ours(path).map_err(Error::file("read", path))?
        {
            let problem = "this file is there already, and it would be written over";
            return Err(Input::new(self.field, path.display(), problem, remedy).into());
        }
        Ok(self)
    }

    /// Writes it.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<()> {
        match &self.place {
            Place::Standard => print(&String::from_utf8_lossy(bytes)),
            Place::Error => {
                note(String::from_utf8_lossy(bytes).trim_end());
                Ok(())
            }
            Place::Stream(path) => {
                let stream = OpenOptions::new().append(true).open(path);
                match stream.and_then(|mut stream| stream.write_all(bytes)) {
                    // Whoever does not read it does not want it.
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                    other => other.map_err(Error::file("write", path)),
                }
            }
            Place::File(path) => write_file(path, |file| file.write_all(bytes)),
        }
    }

    /// Lets `write` write it bit by bit; if that fails, nothing is left of it.
    #[cfg(feature = "parquet")]
    pub(super) fn write_by(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
    ) -> Result<()> {
        let Place::File(path) = &self.place else {
            let mut bytes = Vec::new();
            write(&mut bytes)?;
            return self.write(&bytes);
        };
        let mut told = Ok(());
        let written = write_file(path, |file| {
            told = write(file);
            told.as_ref().map(|_| ()).map_err(|error| std::io::Error::other(error.to_string()))
        });
        // Why it failed says more than that it did.
        told.and(written)
    }
}

/// Writes a file as a whole, and makes its folder if there is none.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> std::io::Result<()>,
) -> Result<()> {
    let folder = folder_of(path);
    std::fs::create_dir_all(folder).map_err(Error::file("make", folder))?;
    sweep(folder);
    write_whole(path, write)
}

/// The open stream that a path stands for, if it does.
fn stream(path: &Path) -> Option<Place> {
    let text = path.to_str()?;
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    match text {
        "-" | "/dev/stdout" => Some(Place::Standard),
        "/dev/stderr" => Some(Place::Error),
        _ if text.strip_prefix("/dev/fd/").is_some_and(is_number) => {
            Some(Place::Stream(path.to_owned()))
        }
        _ => None,
    }
}

/// Refuses two outputs in one place.
pub(super) fn refuse_twice(outputs: &[&Output]) -> Result<()> {
    for (number, output) in outputs.iter().enumerate() {
        if let Some(twin) = outputs[..number].iter().find(|other| other.place.is(&output.place)) {
            let problem = format!("--{} goes to the same place", twin.field);
            let remedy = "name another file";
            return Err(Input::new(output.field, &output.place, problem, remedy).into());
        }
    }
    Ok(())
}

impl Place {
    fn is(&self, other: &Place) -> bool {
        match (self, other) {
            (Place::File(a), Place::File(b)) => {
                a.file_name() == b.file_name() && is_same(folder_of(a), folder_of(b))
            }
            (a, b) => a == b,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Standard => f.write_str("-"),
            Place::Error => f.write_str("/dev/stderr"),
            Place::Stream(path) | Place::File(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_or_no_regular_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["input", "runs.csv", "notes"] {
            std::fs::write(path(name), "x").expect("written");
        }
        std::fs::write(path("spec.toml"), "# hustings 0.1.0\n").expect("written");
        std::fs::hard_link(path("input"), path("second-name")).expect("linked");
        let inputs = [path("input")];
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let output = |path: &Path| Output::new("junit", path, Inputs(&inputs));
        for name in
            ["input", "second-name", "runs.csv", "spec.toml", "", "..", "notes/new", "notes/a/b"]
        {
            assert!(output(&path(name)).is_err(), "{name}");
        }
        for name in ["notes", "new"] {
            assert!(output(&path(name)).is_ok(), "{name}");
        }
        assert!(output(&path("missing/new")).expect("a name").in_folder().is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("notes"), path("link")).expect("linked");
            std::os::unix::fs::symlink(path("nothing"), path("dangling")).expect("linked");
            assert!(output(&path("link")).is_err() && output(&path("dangling")).is_err());
            assert!(output(Path::new("/dev/null")).is_err());
            assert!(output(Path::new("/dev/stdout")).is_ok() && output(Path::new("-")).is_ok());
        }
    }

    #[test]
    fn one_file_cannot_be_two_outputs() {
        let output = |name: &str| Output::new("junit", Path::new(name), Inputs::default());
        let (a, b) = (output("a").expect("new"), output("./a").expect("new"));
        assert!(refuse_twice(&[&a, &b]).is_err());
        assert!(refuse_twice(&[&a, &output("b").expect("new")]).is_ok());
    }
}
