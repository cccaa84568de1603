//! What files say that a user names: each is read once, as a whole, and kept.
//!
//! An experiment may name files (`file:PATH` as topology or layout). Their texts go with it into the
//! results folder, and whoever reads the folder finds them there and nowhere else.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::error::{Error, Result};
use super::ring_file::RingFile;
use crate::model::error::Input;
use crate::model::topology::NetworkFile;

/// The most that all files which an experiment names may say together. Larger ones are surely a
/// mistake, and some files never end.
const MOST_NAMED: u64 = 1 << 26;

/// The most that any file may say: a spec with the texts of all its files, each letter of which may
/// take seven in a manifest.
const LARGEST: u64 = 1 << 29;

/// The text of a file, read once from its beginning to its end, as pipes need it.
pub fn read_text(path: &Path) -> Result<String> {
    read_up_to(LARGEST, path)
}

fn read_up_to(most: u64, path: &Path) -> Result<String> {
    let read = || -> std::io::Result<(u64, Vec<u8>)> {
        let mut bytes = Vec::new();
        let size = File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
        Ok((size as u64, bytes))
    };
    let (size, bytes) = read().map_err(Error::file("read", path))?;
    if size > most {
        let problem = format!("the file is larger than {} MiB", most >> 20);
        return Err(Input::new("file", path.display(), problem, "name a smaller one").into());
    }
    String::from_utf8(bytes).map_err(|_| {
        let problem = "the file is not text in UTF-8";
        Input::new("file", path.display(), problem, "name a text file").into()
    })
}

/// The files that an experiment names, by path, each read at most once.
#[derive(Debug, Default)]
pub struct Files {
    /// What is known already.
    texts: RefCell<BTreeMap<String, Arc<str>>>,
    networks: RefCell<BTreeMap<String, Arc<NetworkFile>>>,
    rings: RefCell<BTreeMap<String, Arc<RingFile>>>,
    /// Whether what is not known may be read from disk.
    sealed: bool,
}

impl Files {
    /// Files on disk.
    pub fn on_disk() -> Self {
        Files::default()
    }

    /// Only what a results folder has kept.
    pub fn recorded() -> Self {
        Files { sealed: true, ..Files::default() }
    }

    /// Takes in a text, instead of what may be on disk.
    pub fn keep(&self, path: &str, text: &str) {
        self.texts.borrow_mut().insert(path.to_owned(), text.into());
    }

    /// The text of the file at `path`; `field` is what it was named for.
    fn text(&self, field: &str, path: &str) -> std::result::Result<Arc<str>, Input> {
        if let Some(text) = self.texts.borrow().get(path) {
            return Ok(text.clone());
        }
        let refuse = |problem: String, remedy: &str| {
            Err(Input::new(field, format!("file:{path}"), problem, remedy))
        };
        if self.sealed {
            let problem = "the results folder does not say what this file said".to_owned();
            return refuse(
                problem,
                "restore spec.toml, or repeat the experiment with hustings run",
            );
        }
        match read_up_to(MOST_NAMED, Path::new(path)) {
            Ok(text) => {
                let others: usize = self.texts.borrow().values().map(|text| text.len()).sum();
                if (others + text.len()) as u64 > MOST_NAMED {
                    let most = MOST_NAMED >> 20;
                    let problem = format!("all files together are larger than {most} MiB");
                    return refuse(problem, "name fewer, or smaller ones");
                }
                let text: Arc<str> = text.into();
                self.texts.borrow_mut().insert(path.to_owned(), text.clone());
                Ok(text)
            }
            Err(Error::File { source, .. }) => {
                refuse(format!("the file cannot be read ({source})"), "name a text file")
            }
            Err(Error::Input(error)) => refuse(error.problem, &error.remedy),
            Err(error) => refuse(error.to_string(), "name a text file"),
        }
    }

    /// The network in the file at `path`.
    pub(crate) fn network(&self, path: &str) -> std::result::Result<Arc<NetworkFile>, Input> {
        if let Some(network) = self.networks.borrow().get(path) {
            return Ok(network.clone());
        }
        let network = Arc::new(NetworkFile::parse(path, &self.text("topology", path)?)?);
        self.networks.borrow_mut().insert(path.to_owned(), network.clone());
        Ok(network)
    }

    /// The IDs in the file at `path`.
    pub(crate) fn ring(&self, path: &str) -> std::result::Result<Arc<RingFile>, Input> {
        if let Some(ring) = self.rings.borrow().get(path) {
            return Ok(ring.clone());
        }
        let ring = Arc::new(RingFile::parse(path, &self.text("layout", path)?)?);
        self.rings.borrow_mut().insert(path.to_owned(), ring.clone());
        Ok(ring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ring.txt");
        std::fs::write(&path, "3 1 2").expect("written");
        let name = path.to_str().expect("a name");
        let files = Files::on_disk();
        assert_eq!(files.ring(name).expect("good").ids, [3, 1, 2]);
        std::fs::write(&path, "1 2").expect("written");
        assert_eq!(files.ring(name).expect("good").ids, [3, 1, 2]);
        assert_eq!(Files::on_disk().ring(name).expect("good").ids, [1, 2]);
    }

    #[test]
    fn what_is_recorded_is_all_there_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ring.txt");
        std::fs::write(&path, "3 1 2").expect("written");
        let name = path.to_str().expect("a name");
        let files = Files::recorded();
        assert!(files.ring(name).is_err());
        files.keep(name, "2 1");
        assert_eq!(files.ring(name).expect("good").ids, [2, 1]);
    }

    #[test]
    fn a_file_without_end_is_refused() {
        if Path::new("/dev/zero").exists() {
            let error = read_text(Path::new("/dev/zero")).expect_err("endless").to_string();
            assert!(error.contains("larger than 512 MiB"), "{error}");
        }
    }
}
