//! Figures for LaTeX: pgfplots pictures that read the tables of the results folder themselves, so
//! that a document shows what the folder holds.

use super::mark::MARK;
use super::sheet::wrapped;
use super::source::{Selection, Setting, Source};
use super::style::{COLOURS, Colour};
use crate::model::escape::{self, is_plain_in_tex};
use crate::model::metric::Metric;
use crate::model::topology::RING;

/// What `\hustingsdata` stands for in every picture: the results folder.
pub const FOLDER_MACRO: &str = "\\hustingsdata";

/// The marks of series, told apart in grey print.
const MARKS: [&str; 8] =
    ["*", "square*", "triangle*", "diamond*", "o", "square", "triangle", "diamond"];
const DASHES: [&str; 5] = ["solid", "dashed", "densely dotted", "dash dot", "loosely dashed"];

/// One line through rows of `cells.csv`.
pub(super) struct Line<'a> {
    pub algorithm: &'a str,
    pub layout: &'a str,
    /// What stands at y: the name of a column, or an expression over columns.
    pub y: Y,
    pub options: String,
    pub legend: Option<String>,
}

/// What a line shows.
pub(super) enum Y {
    /// A column.
    Column(&'static str),
    /// A column over n.
    PerNode(&'static str),
}

/// A picture with one axis or several.
pub(super) struct Picture<'a> {
    source: &'a Source<'a>,
    setting: Setting<'a>,
    text: String,
}

impl<'a> Picture<'a> {
    /// Begins a picture; `None` where LaTeX could not read the table: it knows no quoted fields, and
    /// no escapes.
    pub fn begin(source: &'a Source<'a>, selection: &Selection<'a>, title: &str) -> Option<Self> {
        let plain = |text: &str| is_plain_in_tex(text) && !text.contains([',', '"']);
        let cells = &source.summary.cells;
        let readable = |cell: &crate::summarise::CellSummary| {
            cell.key.columns().iter().all(|column| plain(column))
                && cell.offending_command.is_none()
        };
        if !cells.iter().all(readable) {
            return None;
        }
        let mut text = format!("% {MARK}\n");
        for line in wrapped(&escape::terminal(title), 1.0, 60.0) {
            text += &format!("% {}\n", line.replace('\u{2009}', " "));
        }
        text += &format!(
            "% Needs \\usepackage{{pgfplots}}, \\usepgfplotslibrary{{groupplots}} and \
             \\pgfplotsset{{compat=1.17}}.\n\
             % {FOLDER_MACRO} is the results folder; define it before, if it lies elsewhere.\n\
             \\providecommand{{{FOLDER_MACRO}}}{{data/{}}}\n",
            source.name()
        );
        text += "% Leaves out the rows whose column #1 is not #2.\n\
                 \\pgfplotsset{hustings row/.style 2 args={x filter/.append code={%\n  \
                 \\edef\\hustingsfound{\\thisrow{#1}}\\edef\\hustingswanted{#2}%\n  \
                 \\ifx\\hustingsfound\\hustingswanted\\else\\def\\pgfmathresult{nan}\\fi}}}\n";
        for (number, Colour(r, g, b)) in COLOURS.into_iter().enumerate() {
            text += &format!("\\definecolor{{hustings{number}}}{{RGB}}{{{r},{g},{b}}}\n");
        }
        text += "\\begin{tikzpicture}\n";
        Some(Picture { source, setting: selection.setting, text })
    }

    /// Adds what is written as it is.
    pub fn raw(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    /// Adds a line through rows of the table.
    pub fn line(&mut self, line: &Line) {
        let Setting { ids, initiators, timing } = self.setting;
        let rows = [
            ("algorithm", line.algorithm),
            ("topology", RING),
            ("layout", line.layout),
            ("ids", ids),
            ("initiators", initiators),
            ("timing", timing),
            ("metric", Metric::Messages.name()),
        ];
        let rows: String = rows
            .iter()
            .map(|(column, value)| format!("  hustings row={{{column}}}{{{value}}},\n"))
            .collect();
        let y = match line.y {
            Y::Column(name) => format!("y={name}"),
            Y::PerNode(name) => format!("y expr={{\\thisrow{{{name}}}/\\thisrow{{n}}}}"),
        };
        let forget = if line.legend.is_none() { "  forget plot,\n" } else { "" };
        self.text += &format!(
            "\\addplot+[{},\n{forget}{rows}] table[col sep=comma, x=n, {y}] {{{FOLDER_MACRO}/cells.csv}};\n",
            line.options
        );
        if let Some(legend) = &line.legend {
            self.text += &format!("\\addlegendentry{{{}}}\n", escape::tex(legend));
        }
    }

    /// Adds a line for each algorithm on random rings.
    pub fn algorithms(&mut self, selection: &Selection, column: &'static str) {
        for group in &selection.groups {
            self.line(&Line {
                algorithm: group.algorithm,
                layout: "random",
                y: Y::Column(column),
                options: options(self.source.number(group.algorithm)),
                legend: Some(group.algorithm.to_owned()),
            });
        }
    }

    /// Begins a grid of so many panels over n; `axes` are more options for all of them.
    pub fn begin_grid(&mut self, panels: usize, axes: &str) {
        let rows = panels.div_ceil(3);
        self.raw(&format!(
            "\\begin{{groupplot}}[group style={{group size=3 by {rows}, vertical sep=1.5cm, horizontal sep=1.4cm}},\n  \
             width=0.34\\linewidth, height=4.4cm, title style={{font=\\footnotesize}}, xmode=log, {axes}]"
        ));
    }

    /// Goes on to the panel of an algorithm.
    pub fn next_panel(&mut self, algorithm: &str) {
        self.raw(&format!("\\nextgroupplot[title={{{}}}]", escape::tex(algorithm)));
    }

    /// Ends the grid.
    pub fn end_grid(&mut self) {
        self.raw("\\end{groupplot}");
    }

    /// The picture.
    pub fn end(mut self) -> String {
        self.text += "\\end{tikzpicture}\n";
        self.text
    }
}

/// How the series with this number is drawn.
pub(super) fn options(number: usize) -> String {
    format!(
        "hustings{}, mark={}, {}, mark options=solid, mark size=1.6pt",
        number % COLOURS.len(),
        MARKS[number % MARKS.len()],
        DASHES[number % DASHES.len()]
    )
}
