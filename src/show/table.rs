//! Tables for people: one type, written as text, Markdown, LaTeX or CSV.
//!
//! What is to be said around the rows is said where the format has a place for it: paragraphs in text
//! and Markdown, comments in LaTeX. CSV has the rows alone, so that every reader takes it as it is.

use crate::model::escape;

/// Where lines of text end.
pub(crate) const WIDTH: usize = 80;

/// No column of words is made narrower than this.
const NARROWEST: usize = 12;

/// What stands for a number that is not known; in CSV nothing does.
pub const UNKNOWN: &str = "-";

/// Between a number and half of its interval.
const PLUS_MINUS: &str = " ± ";

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For a terminal
    #[default]
    Text,
    /// For pages and issues
    Markdown,
    /// For papers: a tabular of booktabs
    Latex,
    /// For programs
    Csv,
}

/// A column: its name, and whether numbers stand in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// What stands above it.
    pub name: String,
    /// Numbers stand at the right, so that digits are below each other.
    pub numbers: bool,
}

/// Rows of texts below the names of their columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What is said before the rows.
    before: Vec<String>,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    /// What is said behind them.
    after: Vec<String>,
}

impl Table {
    /// An empty table; names that begin with `#` are those of columns of numbers, without that sign.
    pub fn new<N: AsRef<str>>(names: &[N]) -> Self {
        let column = |name: &N| Column {
            name: name.as_ref().trim_start_matches('#').to_owned(),
            numbers: name.as_ref().starts_with('#'),
        };
        let columns = names.iter().map(column).collect();
        Table { before: Vec::new(), columns, rows: Vec::new(), after: Vec::new() }
    }

    /// Adds a row; what it has too few is empty.
    pub fn row(&mut self, texts: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = texts.into_iter().collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// Says something before the rows; no words are nothing.
    pub fn say_before(&mut self, sentence: impl Into<String>) {
        self.before.extend(Some(sentence.into()).filter(|it| !it.trim().is_empty()));
    }

    /// Says something behind the rows; no words are nothing.
    pub fn say_after(&mut self, sentence: impl Into<String>) {
        self.after.extend(Some(sentence.into()).filter(|it| !it.trim().is_empty()));
    }

    /// Says facts behind the rows, each with its name; those without one go on with the one before.
    pub fn say_facts_after<'n>(&mut self, facts: impl IntoIterator<Item = (&'n str, String)>) {
        let mut sentence = String::new();
        for (name, fact) in facts {
            if !name.is_empty() {
                self.say_after(std::mem::take(&mut sentence));
                sentence = format!("{name}: {fact}");
            } else if !fact.is_empty() {
                sentence += &format!(" {fact}");
            }
        }
        self.say_after(sentence);
    }

    /// The table in this format, with a line feed at its end.
    pub fn to_string(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Latex => self.latex(),
            Format::Csv => self.csv(),
        }
    }

    fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Columns apart by two spaces, within the width of a terminal: columns of words get narrower, and
    /// their words more lines.
    fn text(&self) -> String {
        let said = |sentences: &[String]| -> String {
            let lines = sentences.iter().flat_map(|it| wrapped(&escape::terminal(it), WIDTH));
            lines.map(|line| line + "\n").collect()
        };
        let names = self.names();
        let widths = self.widths(&names);
        let mut text = said(&self.before);
        for line in std::iter::once(&names).chain(&self.rows) {
            let cells: Vec<Vec<String>> = (line.iter().zip(&widths))
                .map(|(cell, &wide)| pieces(&escape::terminal(cell), wide))
                .collect();
            let high = cells.iter().map(Vec::len).max().unwrap_or(1);
            for level in 0..high {
                let mut row = String::new();
                for ((cell, column), wide) in cells.iter().zip(&self.columns).zip(&widths) {
                    let piece = cell.get(level).map_or("", String::as_str);
                    row += &match column.numbers {
                        true => format!("  {piece:>wide$}"),
                        false => format!("  {piece:<wide$}"),
                    };
                }
                text += row.trim_end();
                text.push('\n');
            }
        }
        text + &said(&self.after)
    }

    /// How wide the columns of the text are.
    fn widths(&self, names: &[String]) -> Vec<usize> {
        let width = |text: &String| escape::terminal(text).chars().count();
        let widest = |place: usize| {
            let cells = self.rows.iter().map(|row| width(&row[place]));
            cells.chain([width(&names[place])]).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..names.len()).map(widest).collect();
        loop {
            let all: usize = widths.iter().map(|wide| wide + 2).sum();
            let words = |place: &usize| {
                !self.columns[*place].numbers
                    && widths[*place] > NARROWEST.max(width(&names[*place]))
            };
            let widest = (0..widths.len()).filter(words).max_by_key(|&place| widths[place]);
            let (Some(place), true) = (widest, all > WIDTH) else { return widths };
            let least = NARROWEST.max(width(&names[place]));
            widths[place] = widths[place].saturating_sub(all - WIDTH).max(least);
        }
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let names = self.columns.iter().map(|column| escape::markdown(&column.name)).collect();
        let rules = self.columns.iter().map(|column| if column.numbers { "--:" } else { "---" });
        let mut text: String =
            self.before.iter().map(|it| escape::markdown(it.trim()) + "\n\n").collect();
        text += &(line(names) + &line(rules.map(str::to_owned).collect()));
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns);
            let cells = cells.map(|(cell, column)| match column.numbers && is_number(cell) {
                // A cell begins no list: its signs and points are what they are.
                true => cell.clone(),
                false => escape::markdown(cell),
            });
            text += &line(cells.collect());
        }
        for sentence in &self.after {
            text += &format!("\n{}\n", escape::markdown(sentence.trim()));
        }
        text
    }

    /// A tabular with the rules of booktabs. Numbers stand as siunitx reads them, `\num{1.94 \pm
    /// 0.01}`; where that package is not loaded, they are plain formulas.
    fn latex(&self) -> String {
        let kinds: String =
            self.columns.iter().map(|column| if column.numbers { 'r' } else { 'l' }).collect();
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let comment = |sentence: &String| format!("% {}\n", escape::terminal(sentence.trim()));
        let names = self.columns.iter().map(|column| escape::tex(&column.name)).collect();
        let mut rows = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns);
            let cells = cells.map(|(cell, column)| match column.numbers {
                true => tex_number(cell),
                false => escape::tex(cell),
            });
            rows += &line(cells.collect());
        }
        let mut text: String = self.before.iter().map(comment).collect();
        if rows.contains(NUM) {
            text += "\\providecommand{\\num}[1]{\\ensuremath{#1}}%\n";
        }
        text += &format!("\\begin{{tabular}}{{{kinds}}}\n\\toprule\n{}\\midrule\n", line(names));
        text += &(rows + "\\bottomrule\n\\end{tabular}\n");
        text + &self.after.iter().map(comment).collect::<String>()
    }

    /// The rows alone. A number and half of its interval are two columns, and unknown is empty.
    fn csv(&self) -> String {
        let halves: Vec<bool> = (0..self.columns.len())
            .map(|place| self.rows.iter().any(|row| row[place].contains(PLUS_MINUS)))
            .collect();
        let quoted = |text: &str| match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let mut names = Vec::new();
        for (column, &half) in self.columns.iter().zip(&halves) {
            names.push(quoted(&column.name));
            names.extend(half.then(|| quoted(format!("{}{PLUS_MINUS}", column.name).trim())));
        }
        let mut text = line(names);
        for row in &self.rows {
            let mut cells = Vec::new();
            for ((cell, column), &half) in row.iter().zip(&self.columns).zip(&halves) {
                let (value, spread) = cell.split_once(PLUS_MINUS).unwrap_or((cell, ""));
                let unknown = column.numbers && value == UNKNOWN;
                match half {
                    _ if unknown => cells.push(String::new()),
                    true => cells.push(quoted(value)),
                    false => cells.push(quoted(cell)),
                }
                cells.extend(half.then(|| quoted(spread)));
            }
            text += &line(cells);
        }
        text
    }
}

/// How siunitx is asked to set a number.
const NUM: &str = "\\num{";

/// Whether a text is a number, or two with a sign between them.
fn is_number(text: &str) -> bool {
    text.split(PLUS_MINUS).all(|part| part.parse::<f64>().is_ok_and(f64::is_finite))
}

/// A number for LaTeX, with half of its interval if it has one.
fn tex_number(cell: &str) -> String {
    let is_plain = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        is_digits(whole) && is_digits(part)
    };
    match (cell.split_once(PLUS_MINUS), cell.split_once('e')) {
        (None, None) if is_plain(cell) => format!("{NUM}{cell}}}"),
        (Some((value, half)), _) if is_plain(value) && is_plain(half) => {
            format!("{NUM}{value} \\pm {half}}}")
        }
        (None, Some((value, power))) if is_plain(value) && is_plain(power) => {
            format!("${value} \\times 10^{{{power}}}$")
        }
        _ => escape::tex(cell),
    }
}

/// The words of a text on lines of at most this width; a word that is longer has a line to itself.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let wide = word.chars().count();
        match lines.last_mut().filter(|_| column + 1 + wide <= width) {
            Some(line) => {
                *line += " ";
                *line += word;
                column += 1 + wide;
            }
            None => {
                lines.push(word.to_owned());
                column = wide;
            }
        }
    }
    lines
}

/// What stands in a cell of this width, line by line; here words that are longer are cut.
fn pieces(text: &str, width: usize) -> Vec<String> {
    if text.chars().count() <= width {
        return vec![text.to_owned()];
    }
    let mut pieces = Vec::new();
    for line in wrapped(text, width) {
        let letters: Vec<char> = line.chars().collect();
        pieces.extend(letters.chunks(width.max(1)).map(|piece| piece.iter().collect::<String>()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["who", "#n", "#ratio"]);
        table.row(["a_b".to_owned(), "8".to_owned(), "1.5 ± 0.1".to_owned()]);
        table.row(["c|d, e".to_owned(), "128".to_owned()]);
        table
    }

    #[test]
    fn numbers_stay_as_they_are_in_markdown_and_words_are_escaped() {
        let mut table = Table::new(&["#x", "y"]);
        table.row(["-1.5 ± 0.1".to_owned(), "-1.5".to_owned()]);
        table.row(["*".to_owned(), "1.5".to_owned()]);
        let rows = "| -1.5 ± 0.1 | \\-1.5 |\n| \\* | 1\\.5 |\n";
        assert!(table.to_string(Format::Markdown).ends_with(rows));
    }

    #[test]
    fn every_format_says_the_same() {
        let table = table();
        assert_eq!(
            table.to_string(Format::Text),
            "  who       n      ratio\n  a_b       8  1.5 ± 0.1\n  c|d, e  128\n"
        );
        assert_eq!(
            table.to_string(Format::Latex),
            "\\providecommand{\\num}[1]{\\ensuremath{#1}}%\n\
             \\begin{tabular}{lrr}\n\\toprule\nwho & n & ratio \\\\\n\\midrule\n\
             a\\_b & \\num{8} & \\num{1.5 \\pm 0.1} \\\\\nc$|$d, e & \\num{128} &  \\\\\n\
             \\bottomrule\n\\end{tabular}\n"
        );
        let csv = "who,n,ratio,ratio ±\na_b,8,1.5,0.1\n\"c|d, e\",128,,\n";
        assert_eq!(table.to_string(Format::Csv), csv);
        let markdown = table.to_string(Format::Markdown);
        assert!(markdown.starts_with("| who | n | ratio |\n| --- | --: | --: |\n"), "{markdown}");
        assert_eq!(markdown.lines().count(), 4);
    }

    #[test]
    fn what_is_said_around_the_rows_is_a_comment_in_latex_and_left_out_of_csv() {
        let (mut said, bare) = (table(), table());
        said.say_before("50 % of *all*\n");
        said.say_before(" ");
        said.say_after("a note");
        assert_eq!(said.to_string(Format::Csv), bare.to_string(Format::Csv));
        let around = |format: Format, before: &str, after: &str| {
            assert_eq!(
                said.to_string(format),
                format!("{before}{}{after}", bare.to_string(format))
            );
        };
        around(Format::Text, "50 % of *all*\\n\n", "a note\n");
        around(Format::Markdown, "50 % of \\*all\\*\n\n", "\na note\n");
        around(Format::Latex, "% 50 % of *all*\n", "% a note\n");
    }

    #[test]
    fn numbers_are_set_by_latex_and_what_is_none_is_text() {
        for (cell, expected) in [
            ("-1.5", "\\num{-1.5}"),
            ("3e-15", "$3 \\times 10^{-15}$"),
            ("<1e-99", "$<$1e-99"),
            ("-", "-"),
            ("80%|20%", "80\\%$|$20\\%"),
            ("1.", "1."),
        ] {
            assert_eq!(tex_number(cell), expected);
        }
        let mut unknown = Table::new(&["#a", "b"]);
        unknown.row([UNKNOWN, UNKNOWN].map(str::to_owned));
        assert_eq!(unknown.to_string(Format::Csv), "a,b\n,-\n");
    }

    #[test]
    fn a_table_of_many_words_stays_within_the_width_and_loses_none() {
        let mut table = Table::new(&["name", "#n", "formula", "source"]);
        let long = ["x".repeat(90), "1 2 ".repeat(30), "some words of a paper ".repeat(5)];
        table.row([long[0].clone(), "7".to_owned(), long[1].clone(), long[2].clone()]);
        let text = table.to_string(Format::Text);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        let all = long.iter().map(|text| letters(text)).sum::<usize>() + 1;
        assert_eq!(letters(&text) - letters("namenformulasource"), all, "{text}");
        assert!(text.contains("  7  "), "{text}");
    }
}
