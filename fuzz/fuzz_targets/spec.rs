//! Any text as a spec: it is refused, or means the same after a round trip and can be planned.
#![no_main]

use std::sync::LazyLock;

use hustings::engine::Registry;
use hustings::experiment::plan::Plan;
use hustings::experiment::spec::Spec;

/// The standard algorithms.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

libfuzzer_sys::fuzz_target!(|text: &str| {
    // Files are none of the parser's business.
    if text.contains("file") {
        return;
    }
    let Ok(spec) = Spec::parse(text, "fuzz.toml", "fuzz", &REGISTRY) else { return };
    let toml = spec.to_toml();
    let again = Spec::parse(&toml, "fuzz.toml", "fuzz", &REGISTRY).expect("the complete spec is good");
    assert!(again.hash() == spec.hash(), "{toml}");
    if spec.grids.iter().all(|grid| grid.n.len() <= 16 && grid.n.iter().all(|&n| n <= 1024)) {
        if let Ok(plan) = Plan::new(&spec) {
            assert!(plan.runs() >= plan.cells.len() as u64);
        }
    }
});
