//! Results that a test has changed on purpose, made to look as if they had been written so.

use std::path::Path;

use sha2::{Digest, Sha256};

/// Puts the hashes of the tables into the manifest.
pub fn seal(folder: &Path) {
    let path = folder.join("manifest.json");
    let text = std::fs::read_to_string(&path).expect("a manifest");
    let mut manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for (table, key) in [("runs.csv", "runs_sha256"), ("kinds.csv", "kinds_sha256")] {
        let bytes = std::fs::read(folder.join(table)).expect(table);
        let hash = Sha256::digest(&bytes);
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        manifest[key] = hash.into();
    }
    std::fs::write(path, format!("{manifest:#}\n")).expect("written");
}
