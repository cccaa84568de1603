//! Any text as a baseline: it is refused, or reads the same again.
#![no_main]

use hustings::check::Baseline;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(baseline) = Baseline::parse(text, "fuzz.baseline") else { return };
    let written = baseline.to_text();
    let again = Baseline::parse(&written, "fuzz.baseline").expect("it reads as it is written");
    assert!(again == baseline, "{written}");
});
