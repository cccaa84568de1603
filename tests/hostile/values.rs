//! What is written into commands and files: good values, and those of somebody who means harm. They
//! stand in `tables`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::LazyLock;

use hustings::model::random::{Key, Purpose, Stream};

use super::scene::name;

/// The words of attack number `index` of a part; always the same.
pub fn words(part: &str, index: usize) -> Stream {
    Key::new(1979, part, 0, "", "").stream(index as u64, Purpose::Ring)
}

/// One of several.
pub fn one<'a, T>(words: &mut Stream, of: &'a [T]) -> &'a T {
    &of[words.below(of.len() as u64) as usize]
}

/// True so many times in a hundred.
pub fn per_cent(words: &mut Stream, share: u64) -> bool {
    words.below(100) < share
}

/// The lines of a table without its remarks.
pub fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// What a line of a table stands for.
pub fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        text += before;
        let mut chars = after.chars();
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('e') => text.push('\u{1b}'),
            Some('a') => text.push('\u{7}'),
            Some('u') => {
                let (code, more) = after[2..].split_once('}').expect("\\u{...}");
                let code = u32::from_str_radix(code, 16).expect("a number");
                text.push(char::from_u32(code).expect("a character"));
                rest = more;
                continue;
            }
            Some(other) => text.push(other),
            None => {}
        }
        rest = chars.as_str();
    }
    text + rest
}

/// Good and bad values of a kind.
#[derive(Default)]
struct Values {
    good: Vec<OsString>,
    bad: Vec<OsString>,
}

static VALUES: LazyLock<BTreeMap<&str, Values>> = LazyLock::new(|| {
    let mut all: BTreeMap<&str, Values> = BTreeMap::new();
    let mut kind = "";
    for line in lines(include_str!("tables/values.txt")) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            kind = name;
            continue;
        }
        let (good, value) = (line.starts_with('+'), &line[2..]);
        if let Some(other) = value.strip_prefix('@') {
            let bad = all[other].bad.clone();
            all.entry(kind).or_default().bad.extend(bad);
            continue;
        }
        let value = if value == "\"\"" { OsString::new() } else { unescaped(value).into() };
        let values = all.entry(kind).or_default();
        if good {
            values.good.push(value)
        } else {
            values.bad.push(value)
        };
    }
    all
});

/// Values of a kind that may be given, for work that takes no time.
pub fn good(kind: &str) -> &'static [OsString] {
    &VALUES[kind].good
}

/// Values that may not.
pub fn bad(kind: &str) -> &'static [OsString] {
    &VALUES[kind].bad
}

/// Names of files that somebody chose with care.
pub fn names() -> Vec<OsString> {
    let mut names = bad("names").to_vec();
    names.push("x".repeat(255).into());
    names.push(name(b"not\xff\xfeutf8"));
    names
}
