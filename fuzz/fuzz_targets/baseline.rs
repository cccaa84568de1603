//! Any text as a baseline: it is refused, or reads the same again.
#![no_main]

use std::sync::LazyLock;

use hustings::engine::Registry;
use hustings::check::Baseline;

/// The standard algorithms.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(baseline) = Baseline::parse(text, "fuzz.baseline", &REGISTRY) else { return };
    let written = baseline.to_text();
    let again = Baseline::parse(&written, "fuzz.baseline", &REGISTRY).expect("it reads as it is written");
    assert!(again == baseline, "{written}");
});
