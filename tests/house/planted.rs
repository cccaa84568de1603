//! The rules on little houses in which one thing is wrong, or looks so.

use crate::rules;
use crate::tree::Tree;

const LIBRARY: &str = "\
//! A house.
pub mod model;

#[cfg(feature = \"many\")]
pub mod results;

pub mod check;
#[cfg(feature = \"many\")]
pub mod conformance;

pub mod cli;

pub mod prelude;
";

/// A house with these files beside the windows of its rooms.
fn house(files: &[(&str, &str)]) -> Tree {
    let rooms = ["model", "results", "check", "conformance", "cli"];
    let windows = rooms.map(|room| (format!("src/{room}/mod.rs"), "//! A room.\n".to_owned()));
    let library = ("src/lib.rs".to_owned(), LIBRARY.to_owned());
    let prelude = ("src/prelude.rs".to_owned(), "pub use crate::cli::run;".to_owned());
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned()));
    Tree::new(windows.into_iter().chain([library, prelude]).chain(files))
}

#[track_caller]
fn assert_told(found: Vec<String>, expected: &[&str]) {
    assert_eq!(found, expected);
}

#[test]
fn rooms_stand_in_the_order_of_the_library_and_some_beside_each_other() {
    let rooms = house(&[]).rooms;
    let rooms: Vec<_> = rooms.iter().map(|room| (&*room.name, room.rank)).collect();
    let expected = [("model", 1), ("results", 2), ("check", 3), ("conformance", 3), ("cli", 4)];
    assert_eq!(rooms, expected);
}

#[test]
fn an_import_of_a_later_room_is_found_however_it_is_written() {
    let ways = [
        ("use crate::results::Y;", "1 imports crate::results::Y"),
        ("pub use crate::results::Y;", "1 imports crate::results::Y"),
        ("pub(crate) use crate::results::Y as Z;", "1 imports crate::results::Y"),
        ("use crate::results;", "1 imports crate::results"),
        ("use crate::results::*;", "1 imports crate::results::*"),
        ("use crate::results::{self, deep::Y};", "1 imports crate::results"),
        (
            "use crate::{\n    model::a,\n    results::{b::{\n        Y}},\n};",
            "4 imports crate::results::b::Y",
        ),
        ("use super::super::results::Y;", "1 imports crate::results::Y"),
        ("use super::super::{model, results as told};", "1 imports crate::results"),
        ("use self::super::super::results::Y;", "1 imports crate::results::Y"),
        ("mod inner {\n    use super::super::super::results::Y;\n}", "2 imports crate::results::Y"),
        ("fn f() {\n    use crate::results::Y;\n}", "2 imports crate::results::Y"),
        ("fn f() -> u8 {\n    crate::results::y::<u8>()\n}", "2 imports crate::results::y"),
        ("type T = Vec<crate::results::Y>;", "1 imports crate::results::Y"),
        ("#[derive(crate::results::Y)]\nstruct S;", "1 imports crate::results::Y"),
        ("macro_rules! m { () => { $crate::results::Y } }", "1 imports crate::results::Y"),
        ("use crate as house;\ntype T = house::results::Y;", "2 imports crate::results::Y"),
        ("#[cfg(test)]\nmod tests {\n    use crate::results::Y;\n}", "3 imports crate::results::Y"),
        ("use crate::results::Y;\nfn f() { Y::new(); Y::new() }", "1 imports crate::results::Y"),
    ];
    for (text, told) in ways {
        let found = rules::later_rooms(&house(&[("src/model/x.rs", text)]));
        let expected = format!("src/model/x.rs:{told}: model comes before results");
        assert_eq!(found.first(), Some(&expected), "{text}");
        assert!(found.len() == 1 || text.contains("self, deep"), "{found:?}");
    }
}

#[test]
fn rooms_beside_each_other_and_the_prelude_are_not_imported() {
    let found = rules::later_rooms(&house(&[
        ("src/check/x.rs", "use crate::conformance::Y;"),
        ("src/cli/x.rs", "use crate::prelude::*;"),
        ("src/conformance/x.rs", "use crate::check::Y;"),
    ]));
    assert_told(
        found,
        &[
            "src/check/x.rs:1 imports crate::conformance::Y: check and conformance stand beside each other",
            "src/cli/x.rs:1 imports crate::prelude::*: prelude is for users, no room imports it",
            "src/conformance/x.rs:1 imports crate::check::Y: conformance and check stand beside each other",
        ],
    );
}

#[test]
fn what_only_looks_like_an_import_does_not_count() {
    let text = r##"
        //! [`crate::results`]
        // use crate::results::Y;
        /* use crate::results::Y; /* and */ crate::results::Y */
        /// See [`crate::results::Y`].
        const A: &str = "use crate::results::Y;";
        const B: &str = r#"a "crate::results::Y" b"#;
        const C: char = '"'; const D: char = '\''; // "
        pub(in crate::model) fn results(results: u8) { results.results(); }
        use crate::model::results::Y;
        fn f<'results>(x: &'results str) { super::results::y(x) }
    "##;
    let house = house(&[("src/model/x.rs", text), ("src/model/results.rs", "pub struct Y;")]);
    assert_told(rules::later_rooms(&house), &[]);
}

#[test]
fn an_earlier_room_may_be_imported() {
    let text = "use crate::model::{a, b::*}; fn f() { crate::results::y() }";
    assert_told(rules::later_rooms(&house(&[("src/cli/x.rs", text)])), &[]);
}

#[test]
fn a_circle_of_two_files_is_found() {
    let found = rules::circles(&house(&[
        ("src/model/a.rs", "//! A.\n\nuse super::b::B;\npub struct A(B);"),
        ("src/model/b.rs", "pub struct B;\nfn f() -> crate::model::a::A { todo!() }"),
    ]));
    assert_told(
        found,
        &["2 files of a room need each other in a circle:\n  \
         src/model/a.rs:3 imports crate::model::b::B of src/model/b.rs\n  \
         src/model/b.rs:2 imports crate::model::a::A of src/model/a.rs"],
    );
}

#[test]
fn a_circle_of_three_files_is_found_across_folders() {
    let found = rules::circles(&house(&[
        ("src/model/a.rs", "use super::deep::b::B;"),
        ("src/model/deep/b.rs", "use super::c;\nuse super::super::d::D;"),
        ("src/model/deep/c.rs", "use crate::model::a::{self, A};"),
    ]));
    assert_told(
        found,
        &["3 files of a room need each other in a circle:\n  \
         src/model/a.rs:1 imports crate::model::deep::b::B of src/model/deep/b.rs\n  \
         src/model/deep/b.rs:1 imports crate::model::deep::c of src/model/deep/c.rs\n  \
         src/model/deep/c.rs:1 imports crate::model::a of src/model/a.rs"],
    );
}

#[test]
fn a_circle_is_found_through_windows() {
    let window = ("src/model/mod.rs", "mod a; mod deep;\npub use deep::{B as Bee};\npub use a::*;");
    let deeper = ("src/model/deep/mod.rs", "mod b; mod c;\npub(super) use b::B;");
    let b = ("src/model/deep/b.rs", "use crate::model::A;\npub struct B;");
    let expected = "2 files of a room need each other in a circle:\n  \
         src/model/a.rs:2 imports crate::model::Bee of src/model/deep/b.rs\n  \
         src/model/deep/b.rs:1 imports crate::model::A of src/model/a.rs";
    let a = ("src/model/a.rs", "pub struct A;\nuse super::Bee;");
    assert_told(rules::circles(&house(&[window, deeper, b, a])), &[expected]);
    // A folder's name is no import: what is taken from it is.
    let a = ("src/model/a.rs", "use super::deep;\npub struct A(deep::B);");
    let expected = expected.replace("Bee", "deep::B");
    assert_told(rules::circles(&house(&[window, deeper, b, a])), &[&expected]);
    // So is all that is there, of which only one is used.
    let a = ("src/model/a.rs", "pub struct A(B);\nuse super::deep::*;");
    assert_told(rules::circles(&house(&[window, deeper, b, a])), &[&expected]);
    let a = ("src/model/a.rs", "pub struct A;\nuse super::deep::c;\nuse super::deep;");
    assert_told(rules::circles(&house(&[window, deeper, b, a])), &[]);
}

#[test]
fn a_window_does_not_import_what_it_shows_but_what_it_uses() {
    let child = ("src/model/a.rs", "use super::Shared;\npub struct A;");
    let shows = "mod a;\npub use a::A;\npub(crate) use self::a::A as Other;\npub struct Shared;";
    assert_told(rules::circles(&house(&[child, ("src/model/mod.rs", shows)])), &[]);
    let circle = |line: usize, what: &str| {
        format!(
            "2 files of a room need each other in a circle:\n  \
             src/model/a.rs:1 imports crate::model::Shared of src/model/mod.rs\n  \
             src/model/mod.rs:{line} imports crate::model::{what} of src/model/a.rs"
        )
    };
    for (text, expected) in [
        ("mod a;\nuse a::A;\npub struct Shared;", circle(2, "a::A")),
        ("mod a;\npub struct Shared;\nfn f() { a::g() }", circle(3, "a::g")),
        ("mod a;\npub use a::A;\npub struct Shared(\n A\n);", circle(4, "a::A")),
        ("mod a;\npub use a::A;\npub struct Shared;\nfn f() { A::new() }", circle(4, "a::A")),
    ] {
        assert_told(rules::circles(&house(&[child, ("src/model/mod.rs", text)])), &[&expected]);
    }
}

#[test]
fn a_circle_through_tests_is_none() {
    let found = rules::circles(&house(&[
        (
            "src/model/a.rs",
            "use super::b::B;\n#[cfg(test)]\npub(crate) mod tests { pub fn f() {} }",
        ),
        (
            "src/model/b.rs",
            "#[cfg(test)]\nmod tests {\n use crate::model::a::A;\n}\n#[cfg(test)]\nmod more;",
        ),
        ("src/model/b/more.rs", "use crate::model::a::A;\nuse crate::model::c::C;"),
        ("src/model/c.rs", "use super::b::more::X;\n#[test]\nfn f() { crate::model::a::A }"),
    ]));
    assert_told(found, &[]);
}

#[test]
fn rooms_are_no_part_of_each_others_circles() {
    let found = rules::circles(&house(&[
        ("src/model/a.rs", "use crate::results::b::B;"),
        ("src/results/b.rs", "use crate::model::a::A;"),
    ]));
    assert_told(found, &[]);
}

#[test]
fn who_talks_to_the_world_outside_of_the_command_line_is_found() {
    let text = "\
fn f() {
    println!(\"a\");
    std::eprint!(\"a\");
    dbg![1];
    std::env::var(\"A\");
    let system = (std::env::consts::OS, env!(\"A\"), option_env!(\"B\"));
    ::std::process::exit(1);
}
use std::{env, fmt, io::{self, Write}};
fn g() {
    env::var(\"A\");
    io::stdout();
    writeln!(f, \"a\");
}
use clap::Parser;
#[derive(indicatif::X)]
struct S;
use signal_hook as hook;
";
    let found = rules::talkers(&house(&[("src/model/x.rs", text), ("src/cli/x.rs", text)]));
    assert_told(
        found,
        &[
            "src/model/x.rs:5 uses std::env::var: only cli reads the environment",
            "src/model/x.rs:7 uses std::process::exit: only cli starts and ends processes",
            "src/model/x.rs:9 uses std::env: only cli reads the environment",
            "src/model/x.rs:12 uses std::io::stdout: only cli prints",
            "src/model/x.rs:15 uses clap::Parser: only cli parses arguments",
            "src/model/x.rs:16 uses indicatif::X: only cli draws progress bars",
            "src/model/x.rs:18 uses signal_hook: only cli catches signals",
            "src/model/x.rs:2 calls println!: only cli prints",
            "src/model/x.rs:3 calls eprint!: only cli prints",
            "src/model/x.rs:4 calls dbg!: only cli prints",
        ],
    );
}

#[test]
fn tests_comments_and_the_program_may_talk() {
    let text = "// println!()\n/// ```\n/// println!(\"{}\", std::env::args())\n/// ```\n\
                const A: &str = \"println!()\";\nfn print(print: bool) -> bool { !print }\n\
                #[cfg(test)]\nmod tests { fn f() { println!(); std::process::id(); } }";
    let program = "use std::process::ExitCode; fn main() { println!() }";
    let found = rules::talkers(&house(&[("src/model/x.rs", text), ("src/main.rs", program)]));
    assert_told(found, &[]);
}

#[test]
fn a_room_that_does_not_say_what_it_is_for_is_found() {
    let silent = |text| rules::silent_rooms(&house(&[("src/model/mod.rs", text)]));
    let told = "src/model/mod.rs:1 opens without `//!` and a sentence: say what the room is for";
    for text in ["mod a;\n", "// A room.\n", "\n//! A room.\n", "//! model\n"] {
        assert_told(silent(text), &[told]);
    }
    assert_told(silent("//! Two lines\n//! and a sentence.\n"), &[]);
}

#[test]
fn a_long_function_is_found_unless_there_is_a_reason() {
    let function =
        |lines: usize| format!("\nimpl A {{\n  fn f()\n  {{\n{}}}\n}}", "\n".repeat(lines - 3));
    let long = |lines: usize, reasons: &[_]| {
        rules::long_functions(&house(&[("src/model/x.rs", &function(lines))]), reasons)
    };
    assert_told(long(60, &[]), &[]);
    assert_told(long(61, &[]), &["src/model/x.rs:3 fn f has 61 lines: at most 60"]);
    let reason = ("src/model/x.rs", "f", "a table");
    assert_told(long(61, &[reason]), &[]);
    assert_told(
        long(60, &[reason]),
        &["src/model/x.rs fn f is no longer above 60 lines: take it off the list"],
    );
}

#[test]
fn arrows_count_files_and_no_tests() {
    let house = house(&[
        ("src/results/a.rs", "use crate::model::{b, c};\nuse crate::results::d;"),
        ("src/results/b.rs", "fn f() { crate::model::f() }"),
        (
            "src/cli/a.rs",
            "use crate::results::R;\n#[cfg(test)]\nmod tests { use crate::model::M; }",
        ),
    ]);
    let arrows = rules::arrows(&house);
    let arrows: Vec<_> =
        arrows.iter().map(|((from, to), files)| (&**from, &**to, *files)).collect();
    assert_eq!(arrows, [("cli", "results", 1), ("results", "model", 2)]);
}
