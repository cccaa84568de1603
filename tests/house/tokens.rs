//! Source text as words, signs and literals. Comments are left out, and a literal is one token, so that
//! nothing that stands in a string is taken for code.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// One character, or one of `::`, `->` and `=>`.
    Sign,
    /// A string, a character or a number, as it is written.
    Literal,
    /// A lifetime or a label.
    Lifetime,
}

/// A piece of source text and the line on which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub line: usize,
}

impl Token<'_> {
    /// Whether it is this name or keyword.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// Whether it is this sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}

/// The tokens of a source text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first);
        let (taken, left) = rest.split_at(length);
        if let Some(kind) = kind {
            // A raw name is the same name.
            let text = if kind == Kind::Word { taken.trim_start_matches("r#") } else { taken };
            tokens.push(Token { kind, text, line });
        }
        line += taken.matches('\n').count();
        rest = left;
    }
    tokens
}

/// What the text begins with, and its length in bytes; no kind for space and comments.
fn next(rest: &str, first: char) -> (Option<Kind>, usize) {
    if first.is_whitespace() {
        (None, first.len_utf8())
    } else if rest.starts_with("//") {
        (None, rest.find('\n').unwrap_or(rest.len()))
    } else if rest.starts_with("/*") {
        (None, block_comment(rest))
    } else if let Some(length) = raw_string(rest) {
        (Some(Kind::Literal), length)
    } else if let Some(length) = quoted(rest) {
        (Some(Kind::Literal), length)
    } else if first == '\'' {
        (Some(Kind::Lifetime), 1 + word_length(&rest[1..]))
    } else if first.is_ascii_digit() {
        (Some(Kind::Literal), number(rest))
    } else if is_letter(first) {
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        (Some(Kind::Word), raw + word_length(&rest[raw..]))
    } else if ["::", "->", "=>"].iter().any(|sign| rest.starts_with(sign)) {
        (Some(Kind::Sign), 2)
    } else {
        (Some(Kind::Sign), first.len_utf8())
    }
}

fn is_letter(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_letter(c)).unwrap_or(text.len())
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// `r"…"` and `r#"…"#` with any number of hashes, also of bytes and for C.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        let after = text.strip_prefix(prefix).unwrap_or_default();
        after.trim_start_matches('#').starts_with('"')
    })?;
    let after = &text[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let begin = prefix.len() + hashes + 1;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = text[begin..].find(&end).map_or(text.len(), |at| begin + at + end.len());
    Some(length)
}

/// A string or a character, also of bytes and for C. A quote that no other follows at once or after an
/// escape is a lifetime's.
fn quoted(text: &str) -> Option<usize> {
    let prefix = text.len() - text.trim_start_matches(['b', 'c']).len();
    let quote = text[prefix..].chars().next().filter(|&c| prefix <= 1 && "\"'".contains(c))?;
    let inside = &text[prefix + 1..];
    let is_lifetime = quote == '\''
        && !inside.starts_with('\\')
        && inside.chars().nth(1).is_none_or(|second| second != '\'');
    if is_lifetime {
        return None;
    }
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if c == quote && !escaped {
            return Some(prefix + 1 + at + 1);
        }
        escaped = c == '\\' && !escaped;
    }
    Some(text.len())
}

/// Digits, letters for base and type, and a point if a digit follows: `0..n` is no number with a point.
fn number(text: &str) -> usize {
    let whole = word_length(text);
    let fraction = text[whole..].strip_prefix('.').unwrap_or_default();
    if fraction.starts_with(|c: char| c.is_ascii_digit()) {
        whole + 1 + word_length(fraction)
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).iter().map(|token| token.kind).collect()
    }

    #[test]
    fn a_path_is_words_and_signs() {
        assert_eq!(texts("a::b<C> -> d.e"), ["a", "::", "b", "<", "C", ">", "->", "d", ".", "e"]);
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(texts("a // b\n/// c\n//! d\ne"), ["a", "e"]);
        assert_eq!(texts("a /* b /* c */ d */ e /**/ f"), ["a", "e", "f"]);
        assert_eq!(texts("a /* é */ b /* never closed"), ["a", "b"]);
        assert_eq!(texts("a // the end"), ["a"]);
    }

    #[test]
    fn a_string_is_one_token() {
        assert_eq!(texts(r#"a "b // c" d"#), ["a", r#""b // c""#, "d"]);
        assert_eq!(texts(r#"a "b \" c \\" d"#), ["a", r#""b \" c \\""#, "d"]);
        assert_eq!(texts(r#"b"x" c"y" b'z' bc"#), [r#"b"x""#, r#"c"y""#, "b'z'", "bc"]);
    }

    #[test]
    fn a_raw_string_ends_at_as_many_hashes() {
        assert_eq!(texts(r###"r"a\" b"###), [r#"r"a\""#, "b"]);
        assert_eq!(texts(r###"r#"a " b"# c"###), [r###"r#"a " b"#"###, "c"]);
        assert_eq!(texts(r####"br##"a "# b"## c"####), [r####"br##"a "# b"##"####, "c"]);
    }

    #[test]
    fn a_raw_name_is_a_word() {
        assert_eq!(texts("r#type raw"), ["type", "raw"]);
        assert_eq!(kinds("r#type"), [Kind::Word]);
    }

    #[test]
    fn a_lifetime_is_no_character() {
        use Kind::*;
        assert_eq!(
            texts("&'a str '\"' '\\'' 'b' '_"),
            ["&", "'a", "str", "'\"'", "'\\''", "'b'", "'_"]
        );
        assert_eq!(kinds("'a 'b' '\\u{1F600}' 'é'"), [Lifetime, Literal, Literal, Literal]);
        assert_eq!(texts("'outer: loop"), ["'outer", ":", "loop"]);
    }

    #[test]
    fn a_range_is_no_number_with_a_point() {
        assert_eq!(
            texts("0..n 1.5e3 0x_ff 1.max(2)"),
            ["0", ".", ".", "n", "1.5e3", "0x_ff", "1", ".", "max", "(", "2", ")"]
        );
    }

    #[test]
    fn lines_are_counted_through_comments_and_strings() {
        let text = "a\n/* \n */ b \"c\nd\" e\n// f\ng";
        let lines: Vec<_> = tokens(text).iter().map(|token| (token.text, token.line)).collect();
        assert_eq!(lines, [("a", 1), ("b", 3), ("\"c\nd\"", 3), ("e", 4), ("g", 6)]);
    }
}
