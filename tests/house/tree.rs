//! All files of a source tree: which module each is, and to which file a path leads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path as FilePath;
use std::slice;

use crate::source::{Path, PathKind, Source};

/// A name is passed on fewer times than this.
const MOST_STEPS: usize = 32;

/// A path from the crate's root, without `crate`.
pub type Place = Vec<String>;

/// A source tree: `src/` and all below.
pub struct Tree {
    /// The files by their paths, which begin with `src/`.
    pub files: BTreeMap<String, File>,
    /// The files by their modules.
    modules: BTreeMap<Place, String>,
    /// The rooms in their order.
    pub rooms: Vec<Room>,
}

/// A file of a tree.
pub struct File {
    pub module: Place,
    pub source: Source,
    /// All of it is there only for tests.
    test: bool,
}

/// A folder of `src/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    pub name: String,
    /// Rooms of equal rank stand beside each other: their lines in `lib.rs` have no blank line between.
    pub rank: usize,
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lead {
    /// To this place of the crate.
    Inside(Place),
    /// To another crate, or to a name of the file itself.
    Outside(Vec<String>),
}

/// A path and where it leads.
pub struct Import<'a> {
    pub path: &'a Path,
    pub lead: Lead,
    /// Where that `use` leads under whose name it begins.
    pub through: Option<Lead>,
    pub test: bool,
}

/// The file to which a place belongs.
struct Home<'a> {
    path: &'a str,
    /// The place is the file as a whole.
    is_module: bool,
}

/// One file needs another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    pub line: usize,
    /// What it needs, written out from the crate.
    pub what: String,
}

impl Tree {
    /// The tree below a folder that has a folder `src`.
    pub fn read(root: &FilePath) -> Self {
        let mut texts = Vec::new();
        gather(root, "src", &mut texts);
        Tree::new(texts)
    }

    /// A tree of these files: path and text.
    pub fn new(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        let file = |text: &str, path: &str| File {
            module: module_of(path),
            source: Source::new(text),
            test: false,
        };
        let files: BTreeMap<_, _> =
            texts.into_iter().map(|(path, text)| (path.clone(), file(&text, &path))).collect();
        // The program is a crate of its own.
        let modules = files.iter().filter(|(path, _)| *path != "src/main.rs");
        let modules = modules.map(|(path, file)| (file.module.clone(), path.clone())).collect();
        let rooms = rooms(&files);
        let mut tree = Tree { files, modules, rooms };
        tree.mark_tests();
        tree
    }

    /// A module that is declared for tests only is a test, with all that is below it.
    fn mark_tests(&mut self) {
        let mut declared = BTreeSet::new();
        for file in self.files.values() {
            for module in file.source.modules.iter().filter(|module| module.test) {
                declared.insert([&file.module[..], slice::from_ref(&module.name)].concat());
            }
        }
        for file in self.files.values_mut() {
            let mut above = (0..=file.module.len()).map(|depth| &file.module[..depth]);
            file.test = above.any(|module| declared.contains(module));
        }
    }

    /// The room of that name.
    pub fn room(&self, name: &str) -> Option<&Room> {
        self.rooms.iter().find(|room| room.name == name)
    }

    /// The room in which a file is; `None` beside all rooms.
    pub fn room_of(&self, path: &str) -> Option<&Room> {
        self.room(self.files[path].module.first()?)
    }

    /// All paths of a file and where they lead.
    pub fn imports(&self, path: &str) -> Vec<Import<'_>> {
        let file = &self.files[path];
        let import = |path| {
            let (lead, through) = self.lead(file, path);
            Import { path, lead, through, test: path.test || file.test }
        };
        file.source.paths.iter().map(import).collect()
    }

    /// Where a path of a file leads, and where the `use` leads under whose name it begins.
    fn lead(&self, file: &File, path: &Path) -> (Lead, Option<Lead>) {
        self.lead_after(file, path, 0)
    }

    fn lead_after(&self, file: &File, path: &Path, steps: usize) -> (Lead, Option<Lead>) {
        let here = [&file.module[..], &path.within].concat();
        let (first, rest) = path.words.split_first().expect("a path has a word");
        match &**first {
            "crate" => (Lead::Inside(rest.to_vec()), None),
            "self" | "super" => (from_here(here, &path.words), None),
            "" => (Lead::Outside(rest.to_vec()), None),
            _ if self.modules.contains_key(&[&here[..], slice::from_ref(first)].concat()) => {
                (Lead::Inside([here, path.words.clone()].concat()), None)
            }
            _ => {
                let binds = |other: &&Path| {
                    let same = matches!(&other.kind, PathKind::Use { name, .. } if name == first);
                    same && other.within == path.within && other.words[0] != *first
                };
                let bound = file.source.paths.iter().find(binds).filter(|_| steps < MOST_STEPS);
                let through = bound.map(|bound| self.lead_after(file, bound, steps + 1).0);
                let lead = match &through {
                    Some(Lead::Inside(place)) => Lead::Inside([place, rest].concat()),
                    Some(Lead::Outside(words)) => Lead::Outside([words, rest].concat()),
                    None => Lead::Outside(path.words.clone()),
                };
                (lead, through)
            }
        }
    }

    /// The file that has what a place names. What a file only passes on is in the file that it comes
    /// from.
    fn home(&self, place: &[String]) -> Option<Home<'_>> {
        self.home_after(place, 0)
    }

    fn home_after(&self, place: &[String], steps: usize) -> Option<Home<'_>> {
        // A name that is passed on in a circle has no home.
        if steps > MOST_STEPS {
            return None;
        }
        let is_module = |words: &usize| self.modules.contains_key(&place[..*words]);
        let words = (0..=place.len()).rev().find(is_module)?;
        let path = &*self.modules[&place[..words]];
        let Some((name, rest)) = place[words..].split_first() else {
            return Some(Home { path, is_module: true });
        };
        let file = &self.files[path];
        for other in file.source.paths.iter().filter(|path| path.within.is_empty()) {
            let (named, is_glob) = match &other.kind {
                PathKind::Use { name: bound, .. } => (bound == name, false),
                PathKind::Glob { .. } => (
                    !file.source.definitions.contains(name) && self.glob_has(file, other, name),
                    true,
                ),
                PathKind::Code => (false, false),
            };
            if named && let Lead::Inside(mut from) = self.lead(file, other).0 {
                from.extend(is_glob.then(|| name.clone()));
                from.extend_from_slice(rest);
                return self.home_after(&from, steps + 1);
            }
        }
        Some(Home { path, is_module: false })
    }

    /// Whether a `use` of everything brings that name.
    fn glob_has(&self, file: &File, glob: &Path, name: &str) -> bool {
        let Lead::Inside(place) = self.lead(file, glob).0 else { return false };
        self.offered(&place).contains(name)
    }

    /// The names that a module offers: what it defines, what it passes on, its modules.
    fn offered(&self, place: &[String]) -> BTreeSet<&str> {
        let Some(path) = self.modules.get(place) else { return BTreeSet::new() };
        let source = &self.files[path].source;
        let passed_on = source.paths.iter().filter_map(|path| match &path.kind {
            PathKind::Use { name, public: true } if path.within.is_empty() => Some(&**name),
            _ => None,
        });
        let modules = source.modules.iter().map(|module| &*module.name);
        source.definitions.iter().map(|name| &**name).chain(passed_on).chain(modules).collect()
    }

    /// Which files of its room a file needs, and the first line on which it does; tests do not count.
    pub fn needs(&self, path: &str) -> BTreeMap<&str, Need> {
        let file = &self.files[path];
        let mut needs: BTreeMap<&str, Need> = BTreeMap::new();
        let mut add = |place: &[String], line: usize| {
            let Some(home) = self.home(place) else { return };
            // A folder's name alone leads to no file: what is needed is what it is put before.
            let is_folder = home.is_module && is_window(home.path);
            if is_folder || home.path == path || place.first() != file.module.first() {
                return;
            }
            let need = Need { line, what: format!("crate::{}", place.join("::")) };
            needs
                .entry(home.path)
                .and_modify(|first| *first = need.clone().min(first.clone()))
                .or_insert(need);
        };
        for import in self.imports(path).iter().filter(|import| !import.test) {
            let Lead::Inside(place) = &import.lead else { continue };
            match &import.path.kind {
                PathKind::Use { name, public: true } if is_window(path) => {
                    // A shop window; but what stands in it may be used inside too.
                    file.uses(name).for_each(|line| add(place, line));
                }
                PathKind::Glob { public } => {
                    for name in self.offered(place) {
                        let whole = [&place[..], &[name.to_owned()]].concat();
                        let line = if *public { None } else { Some(import.path.line) };
                        file.uses(name).for_each(|used| add(&whole, line.unwrap_or(used)));
                    }
                }
                PathKind::Use { .. } | PathKind::Code => add(place, import.path.line),
            }
        }
        needs
    }
}

impl File {
    /// The lines on which a name begins a path or is one, outside of tests.
    fn uses<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let words = self.source.words.iter();
        let used = words
            .filter(move |word| word.first && !word.test && !word.declared && word.text == name);
        used.map(|word| word.line)
    }
}

/// Whether a file is a `mod.rs`, whose re-exports are what its folder offers.
fn is_window(path: &str) -> bool {
    path.ends_with("/mod.rs")
}

/// A path that begins with `self` or `super`, from the module in which it stands.
fn from_here(mut here: Place, words: &[String]) -> Lead {
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        match &**first {
            "self" => {}
            "super" => drop(here.pop()),
            _ => break,
        }
        rest = after;
    }
    here.extend_from_slice(rest);
    Lead::Inside(here)
}

/// The module that a file is.
fn module_of(path: &str) -> Place {
    let path = path.strip_prefix("src/").unwrap_or(path);
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let names = path.split('/').map(str::to_owned).collect();
    if path == "lib" || path == "main" { Vec::new() } else { names }
}

/// The folders that `lib.rs` opens, in its order.
fn rooms(files: &BTreeMap<String, File>) -> Vec<Room> {
    let Some(library) = files.get("src/lib.rs") else { return Vec::new() };
    let mut rooms: Vec<Room> = Vec::new();
    let mut line_before = 0;
    for module in library.source.modules.iter().filter(|module| module.public) {
        if files.contains_key(&format!("src/{}/mod.rs", module.name)) {
            let last = rooms.last().map_or(0, |room| room.rank);
            let beside = !rooms.is_empty() && module.first_line == line_before + 1;
            rooms.push(Room {
                name: module.name.clone(),
                rank: if beside { last } else { last + 1 },
            });
        }
        line_before = module.line;
    }
    rooms
}

/// All files of source below a folder, with their texts.
fn gather(root: &FilePath, folder: &str, texts: &mut Vec<(String, String)>) {
    let entries = fs::read_dir(root.join(folder)).expect("a folder of source");
    for entry in entries {
        let entry = entry.expect("an entry");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a type").is_dir() {
            gather(root, &path, texts);
        } else if path.ends_with(".rs") {
            let text = fs::read_to_string(root.join(&path)).expect("source is text");
            texts.push((path, text));
        }
    }
}
