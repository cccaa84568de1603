//! Any text as a formula: it is refused, or reads the same again, and its values are numbers.
#![no_main]

use hustings::experiment::formula::{Formula, Variables};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(formula) = Formula::parse(text) else { return };
    let again = Formula::parse(&formula.to_string()).expect("it reads as it is written");
    assert!(again == formula, "{formula}");
    for (n, initiators) in [(1, None), (2, Some(1)), (1000, Some(1000)), (u64::MAX, Some(7))] {
        if let Ok(value) = formula.value(&Variables::ring(n, initiators)) {
            assert!(value.is_finite(), "{formula}: {value}");
        }
    }
});
