//! The conformance kit on the library's own algorithms: it must find nothing wrong with them.

use hustings::algorithm::On;
use hustings::algorithm::ring::{ChangRoberts, HirschbergSinclair, TimeSlice};
use hustings::conformance::{self, Kit, assert_bound, assert_mean, assert_messages};
use hustings::model::theory::harmonic;

use crate::common::REGISTRY;

#[test]
fn every_ring_algorithm_of_the_registry_conforms() {
    for entry in REGISTRY.entries().iter().filter(|entry| entry.model.on == On::Rings) {
        let tested = Kit::registered(entry).run().unwrap_or_else(|failure| panic!("{failure}"));
        let least = if entry.synchronous { 1_000 } else { 10_000 };
        assert!(tested.elections > least, "{}: {tested:?}", entry.name);
    }
}

#[test]
fn one_line_holds_an_algorithm_to_a_number() {
    assert_bound::<ChangRoberts>([1, 5, 40], "n*(n+1)/2");
    assert_bound::<HirschbergSinclair>(2..=7, "5*n*ceil(log2(n))");
    assert_mean::<ChangRoberts>(6, 6.0 * harmonic(6));
    assert_mean::<TimeSlice>(5, 5.0);
    assert_messages::<ChangRoberts>(&[9, 4, 2], 6);
}

/// What a check says when it fails.
fn message(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(check).expect_err("it must fail");
    panic.downcast_ref::<String>().cloned().expect("a sentence")
}

#[test]
fn a_wrong_number_is_refused_with_the_ring_that_shows_it() {
    let text = message(|| assert_bound::<ChangRoberts>(1..=5, "2*n"));
    assert!(text.contains("ring of 4: 9 messages, above 2*n = 8"), "{text}");
    assert!(text.contains("elect --algorithm chang-roberts --ids 4,"), "{text}");
    let text = message(|| assert_mean::<ChangRoberts>(4, 8.0));
    assert!(text.contains("over all rings of 4 is 25/3, not 8"), "{text}");
    let text = message(|| assert_messages::<ChangRoberts>(&[3, 2, 1], 5));
    assert!(text.contains("6 messages, not 5"), "{text}");
    assert!(text.contains("3 starts: sends Candidate(3) clockwise to 2"), "{text}");
    let text = message(|| assert_bound::<ChangRoberts>(1..=5, "2*m"));
    assert!(text.contains("at position 3: there is no m"), "{text}");
    let text = message(|| assert_bound::<ChangRoberts>(1..=5, "1/(n-1)"));
    assert!(text.contains("no value for n = 1"), "{text}");
}

#[test]
fn the_kit_takes_other_sizes_schedules_and_bounds() {
    let kit = || Kit::asynchronous::<ChangRoberts>().largest(3).schedules(2);
    assert_eq!(kit().run().map(|tested| tested.largest).ok(), Some(3));
    // Rings of 3 need at most 6 messages, so the failure is a drawn one, made as small as can be.
    let failure = kit().bound("2*n").expect("a formula").run().expect_err("too tight");
    assert_eq!(failure.trial.ids.len(), 4, "{failure}");
    conformance::check_in_rounds::<TimeSlice>();
}
