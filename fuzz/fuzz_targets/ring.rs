//! Any text as a ring: it is refused, or has different IDs and reads the same again.
#![no_main]

use std::collections::BTreeSet;

use hustings::experiment::ring_file::RingFile;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(ring) = RingFile::parse("fuzz", text) else { return };
    let different: BTreeSet<_> = ring.ids.iter().collect();
    assert!(!ring.ids.is_empty() && different.len() == ring.ids.len(), "{text}");
    let written: Vec<String> = ring.ids.iter().map(u64::to_string).collect();
    let again = RingFile::parse("fuzz", &written.join(",")).expect("it reads as it is written");
    assert_eq!(again.ids, ring.ids, "{text}");
});
