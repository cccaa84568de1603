//! One file of source: the modules it opens, what it imports and names, what it defines, its functions.

use crate::tokens::{Kind, Token, tokens};

/// A path that stands in a file, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub line: usize,
    /// Its words; a path that begins with `::` begins with an empty one.
    pub words: Vec<String>,
    /// The modules within the file in which it stands.
    pub within: Vec<String>,
    /// It is only there for tests.
    pub test: bool,
    pub kind: PathKind,
}

/// Where a path stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathKind {
    /// In code.
    Code,
    /// In a `use`, under this name. `pub` in any form makes it a re-export.
    Use { name: String, public: bool },
    /// In a `use` of all that is there.
    Glob { public: bool },
}

/// A function with a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub line: usize,
    /// From the line of `fn` to that of its closing brace.
    pub lines: usize,
}

/// `mod name;`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    pub line: usize,
    /// The line of its first attribute.
    pub first_line: usize,
    pub public: bool,
    pub test: bool,
}

/// A word or a string, with the line on which it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub line: usize,
    pub test: bool,
    /// It begins a path or is all of one: no field, no method, no later word of a path.
    pub first: bool,
    /// The name of a macro that is called.
    pub call: bool,
    /// It stands in a `use` or a `mod`.
    pub declared: bool,
}

/// A file, taken apart.
#[derive(Debug, Clone, Default)]
pub struct Source {
    pub modules: Vec<Module>,
    pub paths: Vec<Path>,
    pub functions: Vec<Function>,
    /// The names that are defined outside of all functions and inner modules.
    pub definitions: Vec<String>,
    /// Its words, keywords among them.
    pub words: Vec<Word>,
    /// Its strings, without their quotes.
    pub strings: Vec<Word>,
    /// How it opens: the first paragraph of its `//!`, on one line.
    pub opening: String,
}

impl Source {
    pub fn new(text: &str) -> Self {
        let opening = opening(text);
        let tokens = tokens(text);
        let reader = Reader::new(&tokens);
        let (modules, paths) = (reader.modules(), reader.paths());
        let (functions, definitions) = (reader.functions(), reader.definitions());
        let (words, strings) = (reader.words(), reader.strings());
        Source { modules, paths, functions, definitions, words, strings, opening }
    }
}

fn opening(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The tokens of a file, and what is known about each.
struct Reader<'a> {
    tokens: &'a [Token<'a>],
    /// Only there for tests.
    test: Vec<bool>,
    /// Part of a `use`, of a `mod` or of the brackets of `pub(…)`.
    declared: Vec<bool>,
    /// The modules within the file in which it stands.
    within: Vec<Vec<String>>,
}

impl<'a> Reader<'a> {
    fn new(tokens: &'a [Token<'a>]) -> Self {
        let mut reader = Reader {
            tokens,
            test: vec![false; tokens.len()],
            declared: vec![false; tokens.len()],
            within: vec![Vec::new(); tokens.len()],
        };
        for at in 0..tokens.len() {
            if let Some(end) = reader.test_item(at) {
                reader.test[at..=end].fill(true);
            }
            if let Some(end) = reader.declaration(at) {
                reader.declared[at..=end].fill(true);
            }
            if reader.is_word(at, "mod") && reader.is_sign(at + 2, "{") {
                let name = tokens[at + 1].text;
                for within in &mut reader.within[at + 2..=matching(tokens, at + 2)] {
                    within.push(name.to_owned());
                }
            }
        }
        reader
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(word))
    }

    fn is_sign(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_sign(sign))
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// Where an item ends whose first attribute begins here, if it is only there for tests.
    fn test_item(&self, at: usize) -> Option<usize> {
        let (open, whole_file) = match () {
            () if !self.is_sign(at, "#") => return None,
            () if self.is_sign(at + 1, "[") => (at + 1, false),
            () if self.is_sign(at + 1, "!") && self.is_sign(at + 2, "[") => (at + 2, true),
            () => return None,
        };
        let close = matching(self.tokens, open);
        let inside = &self.tokens[open + 1..close];
        let words: Vec<&str> = inside
            .iter()
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text)
            .collect();
        let for_tests = match words[..] {
            ["test"] | ["cfg", "test"] => true,
            ["cfg", "all", ..] => words.contains(&"test") && !words.contains(&"not"),
            _ => false,
        };
        let end = if whole_file { self.tokens.len() - 1 } else { self.item_end(close + 1) };
        for_tests.then_some(end)
    }

    /// Where the item that begins here ends: at its `;`, or at the end of its block. A field, a variant
    /// or an arm ends at its comma.
    fn item_end(&self, mut at: usize) -> usize {
        while self.is_sign(at, "#") && self.is_sign(at + 1, "[") {
            at = matching(self.tokens, at + 1) + 1;
        }
        const WITH_BLOCK: [&str; 7] = ["mod", "fn", "impl", "trait", "struct", "enum", "union"];
        const WITHOUT: [&str; 5] = ["use", "static", "type", "let", "const"];
        let mut keyword = "";
        while at < self.tokens.len() {
            let token = self.tokens[at];
            let known = || WITH_BLOCK.iter().chain(&WITHOUT).any(|&word| word == token.text);
            if keyword.is_empty() && token.kind == Kind::Word && known() {
                // `const fn` has a block.
                let is_function = token.text == "const"
                    && ["fn", "unsafe", "extern", "async"]
                        .iter()
                        .any(|next| self.is_word(at + 1, next));
                keyword = if is_function { "fn" } else { token.text };
            }
            match token.text {
                _ if token.kind != Kind::Sign => {}
                ";" => return at,
                "," if keyword.is_empty() => return at,
                "{" if !WITHOUT.contains(&keyword) => return matching(self.tokens, at),
                "(" | "[" | "{" => at = matching(self.tokens, at),
                ")" | "]" | "}" => return at - 1,
                _ => {}
            }
            at += 1;
        }
        self.tokens.len() - 1
    }

    /// Where the `use`, the `mod` or the `pub(…)` that begins here ends.
    fn declaration(&self, at: usize) -> Option<usize> {
        if self.is_word(at, "pub") && self.is_sign(at + 1, "(") {
            Some(matching(self.tokens, at + 1))
        } else if self.begins_use(at) {
            Some(self.item_end(at))
        } else if self.is_word(at, "mod") && self.is_name(at + 1) {
            Some(at + 2)
        } else {
            None
        }
    }

    /// `use<'a>` says which lifetimes a type takes, and is no import.
    fn begins_use(&self, at: usize) -> bool {
        self.is_word(at, "use") && !self.is_sign(at + 1, "<")
    }

    /// Whether the item whose keyword is here is public in any way.
    fn is_public(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        before.is_some_and(|before| {
            self.is_word(before, "pub") || (self.is_sign(before, ")") && self.declared[before])
        })
    }

    /// Where the item whose keyword is here begins, with its attributes.
    fn item_start(&self, keyword: usize) -> usize {
        let ends_before = |at: &usize| {
            let token = self.tokens[*at];
            [";", "}"].iter().any(|sign| token.is_sign(sign))
        };
        (0..keyword).rev().find(ends_before).map_or(0, |end| end + 1)
    }

    fn modules(&self) -> Vec<Module> {
        let places = (0..self.tokens.len()).filter(|&at| {
            self.is_word(at, "mod") && self.is_name(at + 1) && self.is_sign(at + 2, ";")
        });
        let module = |at: usize| Module {
            name: self.tokens[at + 1].text.to_owned(),
            line: self.tokens[at].line,
            first_line: self.tokens[self.item_start(at)].line,
            public: self.is_public(at),
            test: self.test[at],
        };
        places.map(module).collect()
    }

    fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        for at in 0..self.tokens.len() {
            if self.begins_use(at) {
                let end = self.item_end(at);
                self.branches(&mut paths, at + 1, end, &[], self.is_public(at));
            } else if !self.declared[at] && self.begins_path(at) {
                let (words, _) = self.path(at);
                paths.push(self.found(at, words, PathKind::Code));
            }
        }
        paths
    }

    fn found(&self, at: usize, words: Vec<String>, kind: PathKind) -> Path {
        let within = self.within[at].clone();
        Path { line: self.tokens[at].line, words, within, test: self.test[at], kind }
    }

    /// Whether a path of several words begins here.
    fn begins_path(&self, at: usize) -> bool {
        self.is_name(at) && self.is_sign(at + 1, "::") && self.is_name(at + 2) && self.is_first(at)
    }

    /// Whether the word is not a later one of a path, and no field and no method.
    fn is_first(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        // `0..n` has two points.
        let field = self.is_sign(before, ".") && !(before > 0 && self.is_sign(before - 1, "."));
        let later = self.is_sign(before, "::") && self.is_inner(before);
        !(field || later)
    }

    /// Whether a `::` has something before it, and is not the first sign of a path from the very root.
    fn is_inner(&self, colons: usize) -> bool {
        let Some(before) = colons.checked_sub(1) else { return false };
        const NO_PATH: [&str; 9] =
            ["use", "in", "return", "as", "dyn", "impl", "mut", "match", "if"];
        let word = self.is_name(before) && !NO_PATH.contains(&self.tokens[before].text);
        word || self.is_sign(before, ">")
    }

    /// The words of the path that begins here, and the place after it.
    fn path(&self, at: usize) -> (Vec<String>, usize) {
        let from_root = at > 0 && self.is_sign(at - 1, "::") && !self.is_inner(at - 1);
        let mut words = if from_root { vec![String::new()] } else { Vec::new() };
        words.push(self.tokens[at].text.to_owned());
        let mut next = at + 1;
        while self.is_sign(next, "::") && self.is_name(next + 1) {
            words.push(self.tokens[next + 1].text.to_owned());
            next += 2;
        }
        (words, next)
    }

    /// The paths of a `use` between two places, each with the words before its braces.
    fn branches(
        &self,
        paths: &mut Vec<Path>,
        mut at: usize,
        end: usize,
        before: &[String],
        public: bool,
    ) {
        while at < end {
            let start = at;
            let mut words = before.to_vec();
            if self.is_sign(at, "::") {
                words.push(String::new());
                at += 1;
            }
            while self.is_name(at) {
                words.push(self.tokens[at].text.to_owned());
                at += if self.is_sign(at + 1, "::") { 2 } else { 1 };
                if !self.is_sign(at - 1, "::") {
                    break;
                }
            }
            if self.is_sign(at, "{") {
                let close = matching(self.tokens, at);
                self.branches(paths, at + 1, close, &words, public);
                at = close + 1;
            } else if self.is_sign(at, "*") {
                paths.push(self.found(at, words, PathKind::Glob { public }));
                at += 1;
            } else if let Some(mut name) = words.last().cloned() {
                if words.len() > 1 && name == "self" {
                    words.pop();
                    name = words.last().cloned().unwrap_or_default();
                }
                if self.is_word(at, "as") {
                    name = self.tokens[at + 1].text.to_owned();
                    at += 2;
                }
                paths.push(self.found(start, words, PathKind::Use { name, public }));
            }
            // The comma.
            at += 1;
        }
    }

    fn functions(&self) -> Vec<Function> {
        let places = (0..self.tokens.len()).filter(|&at| self.is_word(at, "fn"));
        places.filter_map(|at| self.function(at)).collect()
    }

    /// The function whose `fn` is here; `None` for a type, and for one without a body.
    fn function(&self, at: usize) -> Option<Function> {
        let name = self.tokens.get(at + 1).filter(|token| token.kind == Kind::Word)?;
        let end = self.item_end(at);
        let (first, last) = (self.tokens[at].line, self.tokens[end].line);
        self.is_sign(end, "}").then(|| Function {
            name: name.text.to_owned(),
            line: first,
            lines: last - first + 1,
        })
    }

    fn definitions(&self) -> Vec<String> {
        const KEYWORDS: [&str; 8] =
            ["struct", "enum", "union", "fn", "const", "static", "type", "trait"];
        let (mut names, mut at) = (Vec::new(), 0);
        while at < self.tokens.len() {
            let token = self.tokens[at];
            if token.kind == Kind::Word && KEYWORDS.contains(&token.text) {
                // `const fn` is found at its `fn`.
                let modifier =
                    |name: &Token| ["fn", "unsafe", "extern", "async"].contains(&name.text);
                let name = self.tokens.get(at + 1);
                let name = name.filter(|name| name.kind == Kind::Word && !modifier(name));
                names.extend(name.map(|name| name.text.to_owned()));
            } else if token.is_sign("{") {
                at = matching(self.tokens, at);
            }
            at += 1;
        }
        names
    }

    fn words(&self) -> Vec<Word> {
        let places = (0..self.tokens.len()).filter(|&at| self.is_name(at));
        let open = |at| ["(", "[", "{"].iter().any(|sign| self.is_sign(at, sign));
        let word = |at: usize| Word {
            text: self.tokens[at].text.to_owned(),
            line: self.tokens[at].line,
            test: self.test[at],
            first: self.is_first(at),
            call: self.is_sign(at + 1, "!") && open(at + 2),
            declared: self.declared[at],
        };
        places.map(word).collect()
    }

    fn strings(&self) -> Vec<Word> {
        let places = self
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| token.kind == Kind::Literal && token.text.contains('"'));
        let string = |(at, token): (usize, &Token)| Word {
            text: token
                .text
                .trim_start_matches(['b', 'c', 'r', '#'])
                .trim_matches(['"', '#'])
                .to_owned(),
            line: token.line,
            test: self.test[at],
            first: false,
            call: false,
            declared: false,
        };
        places.map(string).collect()
    }
}

/// The place of the bracket that closes the one here, or the last place.
fn matching(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind == Kind::Sign {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of a text: line, words, name.
    fn paths(text: &str) -> Vec<String> {
        let told = |path: &Path| {
            let within: String = path.within.iter().map(|name| format!("{name}: ")).collect();
            let (test, words) = (if path.test { "test " } else { "" }, path.words.join("::"));
            let kind = match &path.kind {
                PathKind::Code => String::new(),
                PathKind::Use { name, public: false } => format!(" as {name}"),
                PathKind::Use { name, public: true } => format!(" as pub {name}"),
                PathKind::Glob { public: false } => "::*".to_owned(),
                PathKind::Glob { public: true } => "::* as pub".to_owned(),
            };
            format!("{} {test}{within}{words}{kind}", path.line)
        };
        Source::new(text).paths.iter().map(told).collect()
    }

    #[test]
    fn every_form_of_use_is_read() {
        assert_eq!(paths("use a::b;"), ["1 a::b as b"]);
        assert_eq!(paths("use a::b as c;"), ["1 a::b as c"]);
        assert_eq!(paths("use a::b::*;"), ["1 a::b::*"]);
        assert_eq!(paths("pub use a::b;"), ["1 a::b as pub b"]);
        assert_eq!(paths("pub(crate) use a::b::*;"), ["1 a::b::* as pub"]);
        assert_eq!(paths("pub(in crate::x) use a;"), ["1 a as pub a"]);
        assert_eq!(paths("use ::a::b;"), ["1 ::a::b as b"]);
        assert_eq!(paths("use a::T as _;"), ["1 a::T as _"]);
        let nested = "use a::{\n  b::{self, c as d, e::*},\n  f,\n};\nuse g;";
        let expected = ["2 a::b as b", "2 a::b::c as d", "2 a::b::e::*", "3 a::f as f", "5 g as g"];
        assert_eq!(paths(nested), expected);
        assert_eq!(paths("use {a::b, c};"), ["1 a::b as b", "1 c as c"]);
        assert_eq!(
            paths("use crate::{self as house, x};"),
            ["1 crate as house", "1 crate::x as x"]
        );
    }

    #[test]
    fn paths_in_code_are_read() {
        assert_eq!(paths("fn f() { a::b::<C>(d.e) }"), ["1 a::b"]);
        assert_eq!(paths("type T = Vec<a::B>; let x = -> ::c::d;"), ["1 a::B", "1 ::c::d"]);
        assert_eq!(paths("x.collect::<a::B>(); <T as a::C>::D; A::<B>::c()"), ["1 a::B", "1 a::C"]);
        assert_eq!(paths("for i in 0..a::b {}"), ["1 a::b"]);
        assert_eq!(paths("#[derive(a::B)] struct S;"), ["1 a::B"]);
        assert_eq!(paths("pub(in crate::a) fn f() -> impl T + use<'_> {}"), [""; 0]);
        assert_eq!(paths("// a::b\nconst C: &str = \"a::b\"; /// a::b\n"), [""; 0]);
    }

    #[test]
    fn tests_and_inner_modules_are_told() {
        let text =
            "use a::b;\n#[cfg(test)]\nmod tests {\n use super::*;\n fn f() { c::d }\n}\nuse e::f;";
        let expected =
            ["1 a::b as b", "4 test tests: super::*", "5 test tests: c::d", "7 e::f as f"];
        assert_eq!(paths(text), expected);
        let text = "#[cfg(all(test, unix))]\n#[doc(hidden)]\npub(crate) use a::{b, c};\nuse d::e;";
        assert_eq!(paths(text), ["3 test a::b as pub b", "3 test a::c as pub c", "4 d::e as e"]);
        let text = "#[test]\nfn f<A, B>() -> [u8; 2] { a::b }\n#[cfg(not(test))]\nfn g() { c::d }";
        assert_eq!(paths(text), ["2 test a::b", "4 c::d"]);
        let text = "S { #[cfg(test)] x: a::b, y: c::d }\nconst X: [u8; 2] = e::f;";
        assert_eq!(paths(text), ["1 test a::b", "1 c::d", "2 e::f"]);
        assert_eq!(paths("#![cfg(test)]\nuse a::b;"), ["2 test a::b as b"]);
        assert_eq!(
            paths("mod a { mod b { use super::c; } d::e }"),
            ["1 a: b: super::c as c", "1 a: d::e"]
        );
    }

    #[test]
    fn modules_functions_and_definitions_are_found() {
        let source = Source::new(
            "//! First line,\n//! second.\n//!\n//! Third.\npub mod a;\nmod b;\n\nmod inner { fn f() {} }\n\
             pub const fn g(x: fn(u8) -> u8) -> [u8; 2] {\n  h()\n}\ntrait T { fn i(&self); }\n\
             struct S { fn_x: u8 }\n",
        );
        assert_eq!(source.opening, "First line, second.");
        let modules: Vec<_> = source
            .modules
            .iter()
            .map(|module| (&*module.name, module.line, module.public))
            .collect();
        assert_eq!(modules, [("a", 5, true), ("b", 6, false)]);
        let functions: Vec<_> = source
            .functions
            .iter()
            .map(|function| (&*function.name, function.line, function.lines))
            .collect();
        assert_eq!(functions, [("f", 8, 1), ("g", 9, 3)]);
        assert_eq!(source.definitions, ["g", "T", "S"]);
    }

    #[test]
    fn calls_of_macros_are_told_from_comparisons() {
        let source = Source::new("print!(\"a\"); if print != b { vec![print] }");
        let calls: Vec<_> =
            source.words.iter().filter(|word| word.call).map(|word| &*word.text).collect();
        assert_eq!(calls, ["print", "vec"]);
        assert_eq!(source.strings[0].text, "a");
    }
}
