//! The program in the hands of strangers: commands that make no sense, folders that were tampered
//! with, and the power cut in between. Whatever happens, it says so in a sentence, in time, and
//! nothing is lost or left behind.
//!
//! Everything follows from a fixed seed. What fails is printed with the command that repeats it, in
//! a folder that is laid out for it; all failures are listed in a file beside these folders.
#![cfg(unix)]

mod folders;
mod invocations;
mod judge;
mod kills;
mod pasted;
mod scene;
mod values;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge::Fault;
use scene::{Attack, kept};

/// One part after the other: each takes all cores, and is told off for being slow.
static TURN: Mutex<()> = Mutex::new(());

/// So many failures are printed.
const SHOWN: usize = 12;

/// So many are laid out to be repeated.
const LAID_OUT: usize = 60;

/// What went wrong in one part.
pub struct Failures {
    part: &'static str,
    template: &'static Path,
    laid_out: AtomicUsize,
    /// The kind of each, and what there is to know.
    found: Mutex<Vec<(&'static str, String)>>,
}

impl Failures {
    /// None yet.
    pub fn new(part: &'static str, template: &'static Path) -> Self {
        _ = std::fs::remove_dir_all(kept(part));
        Failures { part, template, laid_out: AtomicUsize::new(0), found: Mutex::default() }
    }

    /// Takes note of what is wrong after some commands, the last of them in a scene that `prepare`
    /// completes.
    pub fn add(&self, name: &str, chain: &[Attack], faults: Vec<Fault>, prepare: impl Fn(&Path)) {
        let Some(last) = chain.last().filter(|_| !faults.is_empty()) else { return };
        let lines: Vec<String> = chain.iter().map(Attack::line).collect();
        let mut again = lines.join("; ");
        if self.laid_out.fetch_add(1, Ordering::Relaxed) < LAID_OUT {
            let path = kept(self.part).join(name);
            scene::copy(self.template, &path);
            let work = path.join("work");
            prepare(&work);
            for attack in chain {
                attack.write_files(&work);
            }
            again = format!("cd {}; export TMPDIR=../tmp; {again}", work.display());
        }
        let files = last.with_files();
        let mut found = self.found.lock().expect("no thread has failed");
        for (kind, detail) in faults {
            found.push((kind, format!("{kind}: {detail}\n    {again}{files}\n")));
        }
    }

    /// Fails if anything did.
    fn assert_none(self, count: usize) {
        let found = self.found.into_inner().expect("no thread has failed");
        let path = kept(&format!("{}.txt", self.part));
        let all: String = found.iter().map(|(_, text)| text.as_str()).collect();
        std::fs::write(&path, all).expect("written");
        println!("{}: {count} attacks", self.part);
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for (kind, _) in &found {
            *kinds.entry(kind).or_default() += 1;
        }
        let shown: String = found.iter().take(SHOWN).map(|(_, text)| text.as_str()).collect();
        assert!(
            found.is_empty(),
            "{} things are wrong after {count} attacks: {kinds:?}\n\n{shown}\nall of them: {}",
            found.len(),
            path.display()
        );
    }
}

/// Does `work` for every number below `count`, with all cores.
pub fn in_parallel<S>(
    count: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut state = begin();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    work(&mut state, number);
                }
            });
        }
    });
}

/// Holds one part when its turn has come.
fn hold(least: usize, part: impl FnOnce() -> (usize, Failures)) {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (count, failures) = part();
    assert!(count >= least, "{count} attacks");
    failures.assert_none(count);
}

#[test]
fn no_command_breaks_anything() {
    hold(2000, invocations::all);
}

#[test]
fn no_folder_that_was_tampered_with_is_believed() {
    hold(800, folders::all);
}

#[test]
fn no_power_cut_loses_a_byte_or_leaves_one() {
    hold(100, kills::all);
}
