//! Names that a user may give to a file, each with something in it that some reader takes for more
//! than a letter. The unit tests of `escape` use them too.

/// The names. None is empty, and none has a NUL: no file is called so.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = SHORT.iter().map(|&name| name.to_owned()).collect();
    // As long as a name of a file can be, with a quote at its end.
    names.push("x".repeat(254) + "'");
    names
}

const SHORT: &[&str] = &[
    // Shells.
    "'",
    "\"",
    "net-it's;touch PWNED;'",
    "$(touch PWNED)",
    "`touch PWNED`",
    "a && touch PWNED || b > PWNED",
    "${IFS}$HOME",
    "  spaces  inside  ",
    "~",
    "~root",
    "!",
    "it's!!",
    "#",
    "*",
    "?[a-z]{a,b}",
    "-dash",
    "--force",
    "=",
    "back\\slash",
    "ends in one\\",
    "\\n\\t\\",
    "%s%n%0A%%",
    // What cannot be seen.
    "new\nline",
    "trailing newline\n",
    "-50% it's!\n\n",
    "\n",
    "\ttab\tand\r\n return",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{7f}",
    "\u{85}next \u{9b}31m C1 \u{81}\u{88}",
    "\u{202e}gpj.exe\u{2069}",
    "\u{2028}\u{feff}",
    "\u{fffe}\u{ffff}",
    "é漢\u{a0}字\u{1}",
    // Pages.
    "</script><b>",
    "</text></svg>",
    "<!-- -->",
    "]]>",
    "&amp;&#10;",
    "url(#a) id=\"b\" href=\"#c\"",
    // Markdown.
    "```",
    "`` ` ``",
    "| a | b |",
    "*a* _b_ **c** ~~d~~",
    "[a](b) ![c](d)",
    "1. one",
    "12) twelve",
    "> quoted",
    "    indented",
    "$a$",
    "---",
    // TeX.
    "a_b^c&d{e}f",
    "\\input{x}}",
    "^^M",
    // Tables and workflow commands.
    "a\tb",
    "a,b;c",
    "::error::",
];
