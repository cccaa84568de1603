//! Tables for people: one type, written as text, Markdown, LaTeX or CSV.

use crate::model::escape;

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
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table; names that begin with `#` are those of columns of numbers, without that sign.
    pub fn new(names: &[&str]) -> Self {
        let column = |name: &&str| Column {
            name: name.trim_start_matches('#').to_owned(),
            numbers: name.starts_with('#'),
        };
        Table { columns: names.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row; what it has too few is empty.
    pub fn row(&mut self, texts: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = texts.into_iter().collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
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

    /// Columns apart by two spaces.
    fn text(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let lines: Vec<&Vec<String>> = std::iter::once(&names).chain(&self.rows).collect();
        let wide = |place: usize| {
            lines.iter().map(|line| escape::terminal(&line[place]).chars().count()).max()
        };
        let widths: Vec<usize> = (0..names.len()).filter_map(wide).collect();
        let mut text = String::new();
        for line in lines {
            let mut cells = String::new();
            for ((cell, column), wide) in line.iter().zip(&self.columns).zip(&widths) {
                let cell = escape::terminal(cell);
                cells += &match column.numbers {
                    true => format!("  {cell:>wide$}"),
                    false => format!("  {cell:<wide$}"),
                };
            }
            text += cells.trim_end();
            text.push('\n');
        }
        text
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let names = self.columns.iter().map(|column| escape::markdown(&column.name)).collect();
        let rules = self.columns.iter().map(|column| if column.numbers { "--:" } else { "---" });
        let mut text = line(names) + &line(rules.map(str::to_owned).collect());
        for row in &self.rows {
            text += &line(row.iter().map(escape::markdown).collect());
        }
        text
    }

    /// A tabular with the rules of booktabs. Numbers stand as siunitx reads them, too: `1.94 ± 0.01` is
    /// `$1.94 \pm 0.01$`.
    fn latex(&self) -> String {
        let kinds: String =
            self.columns.iter().map(|column| if column.numbers { 'r' } else { 'l' }).collect();
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let names = self.columns.iter().map(|column| escape::tex(&column.name)).collect();
        let mut text =
            format!("\\begin{{tabular}}{{{kinds}}}\n\\toprule\n{}\\midrule\n", line(names));
        for row in &self.rows {
            text += &line(row.iter().map(escape::tex).collect());
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }

    fn csv(&self) -> String {
        let quoted = |text: &String| match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.clone(),
        };
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let mut text = line(self.columns.iter().map(|column| quoted(&column.name)).collect());
        for row in &self.rows {
            text += &line(row.iter().map(quoted).collect());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_says_the_same() {
        let mut table = Table::new(&["who", "#n", "#ratio"]);
        table.row(["a_b".to_owned(), "8".to_owned(), "1.5 ± 0.1".to_owned()]);
        table.row(["c|d, e".to_owned(), "128".to_owned()]);
        assert_eq!(
            table.to_string(Format::Text),
            "  who       n      ratio\n  a_b       8  1.5 ± 0.1\n  c|d, e  128\n"
        );
        assert_eq!(
            table.to_string(Format::Latex),
            "\\begin{tabular}{lrr}\n\\toprule\nwho & n & ratio \\\\\n\\midrule\n\
             a\\_b & 8 & 1.5 $\\pm$ 0.1 \\\\\nc$|$d, e & 128 &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
        assert_eq!(table.to_string(Format::Csv), "who,n,ratio\na_b,8,1.5 ± 0.1\n\"c|d, e\",128,\n");
        let markdown = table.to_string(Format::Markdown);
        assert!(markdown.starts_with("| who | n | ratio |\n| --- | --: | --: |\n"), "{markdown}");
        assert_eq!(markdown.lines().count(), 4);
    }
}
