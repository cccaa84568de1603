//! The rules of the house: what a file may import, who may print, how long a function may be; the
//! picture of its rooms; the places to touch for something new. All are read from the source.

mod picture;
mod places;
mod planted;
mod rules;
mod source;
mod tokens;
mod tree;

use std::path::Path;
use std::sync::LazyLock;

use tree::Tree;

/// Functions above the limit, each with its reason.
const LONG: [(&str, &str, &str); 0] = [];

/// The source of this crate.
static HOUSE: LazyLock<Tree> = LazyLock::new(|| Tree::read(Path::new(env!("CARGO_MANIFEST_DIR"))));

fn assert_none(violations: &[String]) {
    assert!(violations.is_empty(), "{} found:\n{}", violations.len(), violations.join("\n"));
}

#[test]
fn a_room_imports_only_from_those_before_it() {
    assert_none(&rules::later_rooms(&HOUSE));
}

#[test]
fn no_files_of_a_room_import_each_other_in_a_circle() {
    assert_none(&rules::circles(&HOUSE));
}

#[test]
fn only_the_command_line_talks_to_the_world() {
    assert_none(&rules::talkers(&HOUSE));
}

#[test]
fn every_room_says_what_it_is_for() {
    assert_none(&rules::silent_rooms(&HOUSE));
}

#[test]
fn no_function_is_longer_than_a_screen() {
    assert_none(&rules::long_functions(&HOUSE, &LONG));
}
