//! Names as users give them, written so that whoever reads them takes them for names: one function
//! for every kind of reader.
//!
//! A path may hold anything but a NUL: quotes, line breaks, colours of a terminal, tags. What is
//! printed or written goes through here on its way out, and is kept as it is everywhere else.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::Path;

#[cfg(test)]
#[path = "../../tests/common/names.rs"]
pub(crate) mod hostile;

/// Whether a character cannot be seen but changes how others are: control characters, and those
/// that end a line, turn its direction, or are no characters at all.
fn is_hidden(c: char) -> bool {
    let invisible = matches!(c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}');
    c.is_control() || invisible
}

/// A text in which what is hidden can be seen, as in Rust: `\n`, `\u{1b}`. What the text itself is
/// laid out with may stay.
fn visible(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) && !stays(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// A name in a line for people: it can neither end the line nor move the cursor. A backslash stays
/// one, so a name without anything hidden is shown as it is.
pub fn terminal(name: impl Display) -> String {
    visible(&name.to_string(), |_| false)
}

/// A text for people whose lines are its own, such as a table or a page.
pub fn lines(text: impl Display) -> String {
    visible(&text.to_string(), |c| c == '\n')
}

/// The columns of a cell as one line for people.
pub fn heading(columns: &[String]) -> String {
    terminal(columns.join(" "))
}

/// The first letters of a text that may be long.
pub fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A word as sh and bash need it. A command is one line that can be copied from a terminal, so
/// what is hidden, or is no text at all, is written in octal.
pub fn shell(word: impl AsRef<OsStr>) -> String {
    let bytes = word.as_ref().as_encoded_bytes();
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains(is_hidden));
    match text.map(|text| (text, shlex::try_quote(text))) {
        // shlex also quotes commas, which mean something within braces only.
        Some((text, _)) if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        Some((_, Ok(quoted))) => quoted.into_owned(),
        _ => printed(bytes),
    }
}

/// A path as an argument of a command: a dash at its beginning would make it a flag.
pub fn path(path: &Path) -> String {
    let is_flag = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    shell(if is_flag { Path::new(".").join(path) } else { path.to_owned() })
}

/// Whether a character is itself to every shell, wherever it stands.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || ",.:/@+-_".contains(c)
}

/// A word that the shell's own `printf` makes: dash has no `$'...'`.
fn printed(bytes: &[u8]) -> String {
    let line_breaks = bytes.iter().rev().take_while(|&&byte| byte == b'\n').count();
    let mut format = String::new();
    for chunk in bytes[..bytes.len() - line_breaks].utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '%' => format += "%%",
                // At the beginning it would make a flag.
                '-' if format.is_empty() => format += &octal(b"-"),
                c if is_plain(c) || c == ' ' => format.push(c),
                c if !c.is_ascii() && !is_hidden(c) => format.push(c),
                c => format += &octal(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        format += &octal(chunk.invalid());
    }
    let body = if format.is_empty() { format } else { format!("$(printf '{format}')") };
    // Line breaks at its end are lost from $(...). The usual IFS is a space, a tab and a line break.
    format!("\"{body}{}\"", "${IFS#??}".repeat(line_breaks))
}

fn octal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:03o}")).collect()
}

/// JSON that can be shown on a terminal: serde_json leaves what Unicode hides as it is, and JSON
/// means the same with it in numbers. In JSON that is laid out, only line breaks stand between the
/// strings.
pub fn json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        match is_hidden(c) && c != '\n' {
            true => shown += &format!("\\u{:04x}", u32::from(c)),
            false => shown.push(c),
        }
    }
    shown
}

/// A text in a line of Markdown, also in a cell of a table: all of it is text, none of it marks up.
pub fn markdown(text: impl Display) -> String {
    let text = terminal(text);
    let mut escaped = String::new();
    for (place, c) in text.char_indices() {
        let (before, after) = (&text[..place], &text[place + c.len_utf8()..]);
        let marks = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => true,
            // Only where a line begins: headings, lists, rules, tables, numbered lists.
            '#' | '+' | '-' | '=' | ':' => before.is_empty(),
            '.' | ')' => !before.is_empty() && before.bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        };
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            // Spaces around a line are code, or a break, or nothing.
            ' ' if before.trim().is_empty() || after.trim().is_empty() => escaped += "&#32;",
            c if marks => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Commands as a block of code in Markdown. Its fence is longer than any run of backticks inside,
/// so none of them ends it.
pub fn markdown_code(commands: &str) -> String {
    let commands = lines(commands);
    let longest = commands.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}sh\n{commands}\n{fence}")
}

/// A text in XML, between tags or in quotes. XML 1.0 has no way to write most control characters,
/// not even as numbers, so they are shown as in [`terminal`]; tabs and line breaks are kept.
pub fn xml(text: impl Display) -> String {
    let mut escaped = String::new();
    for c in visible(&text.to_string(), |c| matches!(c, '\t' | '\n' | '\r')).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&apos;",
            // An attribute would take them for spaces.
            '\t' | '\n' | '\r' => escaped += &format!("&#{};", u32::from(c)),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The message of a workflow command of GitHub Actions, which ends with its line.
pub fn github(message: impl Display) -> String {
    lines(message).replace('%', "%25").replace('\n', "%0A")
}

/// A property of a workflow command, such as its title, which ends at a comma or a colon.
pub fn github_property(value: impl Display) -> String {
    github(value).replace(':', "%3A").replace(',', "%2C")
}

/// A field of a line whose fields are separated by tabs. [`read_field`] gives the text back.
pub fn field(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match FIELD.iter().find(|(meant, _)| *meant == c) {
            Some((_, letter)) => escaped.extend(['\\', *letter]),
            None => escaped.push(c),
        }
    }
    escaped
}

/// The text of a field. A backslash before any other letter is one.
pub fn read_field(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut letters = field.chars();
    while let Some(c) = letters.next() {
        let next = letters.as_str().chars().next();
        match FIELD.iter().find(|(_, letter)| c == '\\' && next == Some(*letter)) {
            Some((meant, _)) => {
                text.push(*meant);
                letters.next();
            }
            None => text.push(c),
        }
    }
    text
}

/// What cannot stand in a field, and the letter that stands for it behind a backslash.
const FIELD: [(char, char); 4] = [('\t', 't'), ('\n', 'n'), ('\r', 'r'), ('\\', '\\')];

/// A text that TeX sets as it is, in any of its usual fonts: letters that these have not become
/// formulas, and what TeX cannot set at all a question mark.
pub fn tex(text: impl Display) -> String {
    let mut escaped = String::new();
    for c in terminal(text).chars() {
        match c {
            '%' | '#' | '&' | '_' | '{' | '}' | '$' => escaped.extend(['\\', c]),
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            c if c.is_ascii() && !"<>|".contains(c) => escaped.push(c),
            c => match TEX.iter().find(|(letter, _)| *letter == c) {
                Some((_, formula)) => escaped += formula,
                // What T1 has.
                None if ('\u{c0}'..='\u{ff}').contains(&c) => escaped.push(c),
                None => escaped.push('?'),
            },
        }
    }
    // A number of several raised figures is one formula.
    escaped.replace("}$$^{", "").replace("}$$_{", "")
}

/// How TeX says what its fonts have only in formulas, or under a name.
const TEX: &[(char, &str)] = &[
    ('<', "$<$"),
    ('>', "$>$"),
    ('|', "$|$"),
    ('\u{a0}', "~"),
    ('\u{2009}', "\\,"),
    ('\u{200a}', "\\,"),
    ('±', "$\\pm$"),
    ('×', "$\\times$"),
    ('·', "$\\cdot$"),
    ('µ', "$\\mu$"),
    ('½', "$\\frac12$"),
    ('«', "\\guillemotleft{}"),
    ('»', "\\guillemotright{}"),
    ('–', "--"),
    ('—', "---"),
    ('‘', "`"),
    ('’', "'"),
    ('…', "\\dots{}"),
    ('−', "$-$"),
    ('√', "$\\surd$"),
    ('∞', "$\\infty$"),
    ('∑', "$\\sum$"),
    ('Σ', "$\\Sigma$"),
    ('≈', "$\\approx$"),
    ('≠', "$\\ne$"),
    ('≤', "$\\le$"),
    ('≥', "$\\ge$"),
    ('⌈', "$\\lceil$"),
    ('⌉', "$\\rceil$"),
    ('⌊', "$\\lfloor$"),
    ('⌋', "$\\rfloor$"),
    ('π', "$\\pi$"),
    ('χ', "$\\chi$"),
    ('⁻', "$^{-}$"),
    ('⁰', "$^{0}$"),
    ('¹', "$^{1}$"),
    ('²', "$^{2}$"),
    ('³', "$^{3}$"),
    ('⁴', "$^{4}$"),
    ('⁵', "$^{5}$"),
    ('⁶', "$^{6}$"),
    ('⁷', "$^{7}$"),
    ('⁸', "$^{8}$"),
    ('⁹', "$^{9}$"),
    ('₀', "$_{0}$"),
    ('₁', "$_{1}$"),
    ('₂', "$_{2}$"),
    ('₃', "$_{3}$"),
    ('₄', "$_{4}$"),
    ('₅', "$_{5}$"),
    ('₆', "$_{6}$"),
    ('₇', "$_{7}$"),
    ('₈', "$_{8}$"),
    ('₉', "$_{9}$"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use hostile::names;

    /// What both shells make of the words behind `printf '%s\0'`.
    #[cfg(unix)]
    fn read_by_shells(words: &str) -> [Vec<u8>; 2] {
        ["sh", "bash"].map(|shell| {
            let line = format!("printf '%s\\0' {words}");
            let shell = std::process::Command::new(shell).args(["-c", &line]).output();
            let output = shell.expect("a shell");
            assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
            output.stdout
        })
    }

    #[test]
    #[cfg(unix)]
    fn shells_read_a_word_as_it_was() {
        for name in names() {
            for word in [format!("file:{name}"), format!("{name}{name}"), name] {
                let quoted = shell(&word);
                assert!(!quoted.contains(is_hidden), "{quoted:?}");
                let expected = format!("{word}\0").into_bytes();
                assert_eq!(read_by_shells(&quoted), [expected.clone(), expected], "{quoted}");
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn shells_read_any_bytes_as_they_were() {
        use std::os::unix::ffi::OsStrExt;
        let every: Vec<u8> = (1..=255).collect();
        for bytes in [b"a\xffb\n".as_slice(), b"\xe2\x82", &every] {
            let quoted = shell(OsStr::from_bytes(bytes));
            assert!(quoted.is_ascii() && !quoted.contains(is_hidden), "{quoted:?}");
            let expected = [bytes, b"\0"].concat();
            assert_eq!(read_by_shells(&quoted), [expected.clone(), expected], "{quoted}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn the_words_of_a_command_stay_apart() {
        let words: Vec<String> = names().iter().map(shell).collect();
        let expected: Vec<u8> = names().join("\0").into_bytes().into_iter().chain([0]).collect();
        assert_eq!(read_by_shells(&words.join(" ")), [expected.clone(), expected]);
    }

    #[test]
    fn ordinary_words_need_no_quotes() {
        for word in ["chang-roberts+announce", "4,1,3,2", "at:0,2", "uniform:0..1", "a/b_c@d"] {
            assert_eq!(shell(word), word);
        }
        assert_eq!(shell(""), "''");
        assert_eq!(shell("10..100 step 10"), "'10..100 step 10'");
        assert_eq!(shell("file:a\u{1b}b\n"), "\"$(printf 'file:a\\033b')${IFS#??}\"");
    }

    #[test]
    fn a_path_is_no_flag() {
        assert_eq!(path(Path::new("--force")), "./--force");
        assert_eq!(path(Path::new("-\n")), "\"$(printf './-')${IFS#??}\"");
        assert_eq!(path(Path::new("data/-x")), "data/-x");
    }

    #[test]
    fn nothing_hidden_reaches_a_terminal_and_all_else_does() {
        for name in names() {
            let shown = terminal(&name);
            assert!(!shown.contains(is_hidden), "{shown:?}");
            assert_eq!(terminal(&shown), shown);
            assert_eq!(shown == name, !name.contains(is_hidden), "{shown}");
            let shown: Vec<String> = name.split('\n').map(terminal).collect();
            assert_eq!(lines(&name), shown.join("\n"));
        }
        assert_eq!(terminal("\u{1b}[1m\n\t\u{85}\u{202e}é\\"), r"\u{1b}[1m\n\t\u{85}\u{202e}é\");
        assert_eq!(heading(&["a".to_owned(), "b\nc".to_owned()]), r"a b\nc");
    }

    #[test]
    fn json_means_the_same_and_shows_all() {
        for name in names() {
            let value = serde_json::json!({ "name": name });
            let shown = json(&format!("{value:#}"));
            assert!(!shown.contains(|c| is_hidden(c) && c != '\n'), "{shown:?}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).expect("JSON"), value);
        }
    }

    /// The text of a page of Markdown, and its tags, as GitHub reads it.
    fn read_markdown(page: &str) -> (String, Vec<String>) {
        use pulldown_cmark::{Event, Options, Parser};
        let (mut text, mut others) = (String::new(), Vec::new());
        let github = Options::ENABLE_GFM
            | Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_MATH;
        for event in Parser::new_ext(page, github) {
            match event {
                Event::Text(piece) => text += &piece,
                Event::End(_) => {}
                other => others.push(format!("{other:?}")),
            }
        }
        (text, others)
    }

    #[test]
    fn names_are_text_in_markdown() {
        let table = |text: &str| format!("| a |\n|---|\n| {text} |\n");
        let page = |text: &str| text.to_owned();
        let pages: [&dyn Fn(&str) -> String; 5] = [
            &page,
            &|text| format!("a\n{text}"),
            &|text| format!("### {text}"),
            &|text| format!("- **{text}**: a"),
            &|text| table(&format!("{text} | {text}")),
        ];
        for page in pages {
            let (around, tags) = read_markdown(&page("NAME"));
            for name in names() {
                let (text, found) = read_markdown(&page(&markdown(&name)));
                assert_eq!(text, around.replace("NAME", &terminal(&name)), "{name:?}");
                assert_eq!(found, tags, "{name:?}");
            }
        }
        let ordinary = "ring random dense all sync n=64, a run needs 9 (95 %: 1.5 to 2)";
        assert_eq!(markdown(ordinary), ordinary);
    }

    #[test]
    fn no_command_ends_its_block_of_code() {
        for name in names() {
            let commands = format!("one {name}\n{name}");
            let (text, tags) = read_markdown(&(markdown_code(&commands) + "\n"));
            assert_eq!(text, lines(&commands) + "\n", "{name:?}");
            assert_eq!(tags.len(), 1, "{tags:?}");
        }
        assert_eq!(markdown_code("ls"), "```sh\nls\n```");
        assert_eq!(markdown_code("ls '````'"), "`````sh\nls '````'\n`````");
    }

    #[test]
    fn names_are_text_in_xml() {
        for name in names() {
            let text = xml(&name);
            let page = format!("<?xml version=\"1.0\"?><a b=\"{text}\" c='{text}'>{text}</a>");
            let document = roxmltree::Document::parse(&page).expect("XML");
            let root = document.root_element();
            let expected = visible(&name, |c| matches!(c, '\t' | '\n' | '\r'));
            for read in [root.attribute("b"), root.attribute("c"), root.text()] {
                assert_eq!(read, Some(expected.as_str()));
            }
        }
    }

    #[test]
    fn a_workflow_command_is_one_line() {
        for name in names() {
            let (message, property) = (github(&name), github_property(&name));
            assert!(!format!("{message}{property}").contains(is_hidden), "{message:?}");
            assert!(!property.contains([':', ',']), "{property}");
            let read = property.replace("%3A", ":").replace("%2C", ",");
            assert_eq!(read, message);
            assert_eq!(read.replace("%0A", "\n").replace("%25", "%"), lines(&name));
        }
    }

    #[test]
    fn fields_read_as_they_are_written() {
        for name in names() {
            let written = field(&name);
            assert!(!written.contains(['\t', '\n', '\r']), "{written:?}");
            assert_eq!(read_field(&written), name);
            assert_eq!(written == name, !name.contains(['\t', '\n', '\r', '\\']), "{name:?}");
        }
        assert_eq!(read_field(r"a\b\"), r"a\b\");
    }

    #[test]
    fn names_are_text_in_tex() {
        for name in names() {
            let mut rest = tex(&name);
            for (_, formula) in TEX {
                rest = rest.replace(formula, "");
            }
            for letter in ["textbackslash{}", "textasciitilde{}", "textasciicircum{}"] {
                rest = rest.replace(&format!("\\{letter}"), "");
            }
            for letter in "%#&_{}$".chars() {
                rest = rest.replace(&format!("\\{letter}"), "");
            }
            let bare = |c: char| !c.is_ascii_control() && !"%#&_{}\\~^$".contains(c);
            assert!(rest.chars().all(bare), "{name:?}: {rest}");
        }
        assert_eq!(
            tex("50% of {a_b}\\x^2~"),
            r"50\% of \{a\_b\}\textbackslash{}x\textasciicircum{}2\textasciitilde{}"
        );
        assert_eq!(tex("n² ≤ 10¹² 漢 < é"), r"n$^{2}$ $\le$ 10$^{12}$ ? $<$ é");
    }
}
