//! Any text as a spec: it is refused, or means the same after a round trip and can be planned.
#![no_main]

use hustings::experiment::plan::Plan;
use hustings::experiment::spec::Spec;

libfuzzer_sys::fuzz_target!(|text: &str| {
    // Files are none of the parser's business.
    if text.contains("file") {
        return;
    }
    let Ok(spec) = Spec::parse(text, "fuzz.toml", "fuzz") else { return };
    let toml = spec.to_toml();
    let again = Spec::parse(&toml, "fuzz.toml", "fuzz").expect("the complete spec is good");
    assert!(again == spec, "{toml}");
    if spec.grids.iter().all(|grid| grid.n.len() <= 16 && grid.n.iter().all(|&n| n <= 1024)) {
        if let Ok(plan) = Plan::new(&spec) {
            assert!(plan.runs() >= plan.cells.len() as u64);
        }
    }
});
