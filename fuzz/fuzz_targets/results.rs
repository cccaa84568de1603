//! Any bytes as one file of a results folder, with hashes that vouch for them: the folder is refused,
//! or its statistics are made.
//!
//! The first byte says which file: `r` runs.csv, `k` kinds.csv, `m` manifest.json, `s` spec.toml. The
//! others are those of `folder`, which scripts/fuzz has made.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use hustings::engine::Registry;
use hustings::results::Results;
use hustings::show::figure::{Choice, draw_chosen};
use hustings::summarise::Summary;
use sha2::{Digest, Sha256};

/// The standard algorithms.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// The files of the folder as they were written; the manifest is the last.
static FILES: LazyLock<Vec<(&str, Vec<u8>)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("folder");
    let read = |name| (name, std::fs::read(folder.join(name)).expect("scripts/fuzz made it"));
    ["runs.csv", "kinds.csv", "spec.toml", "manifest.json"].into_iter().map(read).collect()
});

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    let edited = match kind {
        b'r' => "runs.csv",
        b'k' => "kinds.csv",
        b'm' => "manifest.json",
        b's' => "spec.toml",
        _ => return,
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/edited").join(edited);
    // A new file is written faster than an old one is replaced.
    let write = |name: &str, bytes: &[u8]| {
        _ = std::fs::remove_file(folder.join(name));
        std::fs::write(folder.join(name), bytes).expect("written");
    };
    if !folder.exists() {
        std::fs::create_dir_all(&folder).expect("made");
        FILES.iter().for_each(|(name, good)| write(name, good));
    }
    write(edited, bytes);
    if let ([.., (_, manifest)], true) = (FILES.as_slice(), edited.ends_with(".csv")) {
        let (_, table) = FILES.iter().find(|(name, _)| *name == edited).expect("a table");
        let manifest = String::from_utf8_lossy(manifest);
        write("manifest.json", manifest.replace(&sha256(table), &sha256(bytes)).as_bytes());
    }
    let Ok(results) = Results::open(&folder, &REGISTRY) else { return };
    let Ok(summary) = Summary::of(&results) else { return };
    // Only a figure reads the kinds.
    if edited == "kinds.csv" {
        _ = draw_chosen(&results, &summary, Some("kinds"), &Choice::default());
    }
});
