//! Figures of a results folder: one file each, all on the same paper.
//!
//! A figure is an SVG; [`png()`] makes a picture of it with a font of its own, so that both look the
//! same on every machine. Equal results give equal bytes.

mod canvas;
mod family;
mod font;
mod frame;
mod grid;
mod histogram;
mod scale;
mod series;
mod source;
mod style;
mod tex;

mod constants;
mod distribution;
mod kinds;
mod layouts;
mod messages;
mod network_edges;
mod network_paired;
mod network_time;
mod networks;
mod paired;
mod quantiles;
mod ratio;
mod trade_off;

pub use font::{has_letters, png, width};

use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::results::Results;
use crate::summarise::Summary;
pub use source::Choice;
use source::{Source, Subject};
pub use tex::FOLDER_MACRO;

/// One figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Its name, and that of its files.
    pub name: &'static str,
    /// What is seen.
    pub title: String,
    /// How to read it, in a sentence or two.
    pub caption: String,
    /// The drawing.
    pub svg: String,
    /// The same for LaTeX, where the tables of the folder are enough to draw it: a pgfplots picture
    /// that reads them.
    pub tex: Option<String>,
}

/// What came of drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The figures.
    pub figures: Vec<Figure>,
    /// Those that the data does not allow, and why.
    pub skipped: Vec<(&'static str, String)>,
}

/// How the SVG and TeX files of figures are marked; a PNG carries the same word as its software.
const MARK: &str = "drawn by hustings";

/// Whether the contents of a file are a figure that was drawn here.
pub fn is_ours(file: &[u8]) -> bool {
    let begin = &file[..file.len().min(1000)];
    let has = |mark: &[u8]| begin.windows(mark.len()).any(|bytes| bytes == mark);
    has(MARK.as_bytes()) || (begin.starts_with(b"\x89PNG") && has(b"Software\0hustings"))
}

/// A figure, or why there is none.
enum Drawing {
    Figure(Figure),
    Skipped(String),
}

/// A figure that can be drawn.
struct Plot {
    name: &'static str,
    line: &'static str,
    about: Subject,
    draw: fn(&Source) -> Result<Drawing>,
}

/// All figures, in the order of a page.
const PLOTS: [Plot; 13] = [
    Plot {
        name: messages::NAME,
        line: "messages against n on random rings, beside curves of theory",
        about: Subject::Rings,
        draw: messages::draw,
    },
    Plot {
        name: ratio::NAME,
        line: "measured over theory against n; 0.1 % can be seen",
        about: Subject::Rings,
        draw: ratio::draw,
    },
    Plot {
        name: distribution::NAME,
        line: "messages of one algorithm at one n, and the exact distribution",
        about: Subject::Rings,
        draw: distribution::draw,
    },
    Plot {
        name: quantiles::NAME,
        line: "quantiles of the messages per node against n",
        about: Subject::Rings,
        draw: quantiles::draw,
    },
    Plot {
        name: layouts::NAME,
        line: "best, random and worst rings of each algorithm, with formulas",
        about: Subject::Rings,
        draw: layouts::draw,
    },
    Plot {
        name: kinds::NAME,
        line: "what messages are for: shares of their kinds",
        about: Subject::Rings,
        draw: kinds::draw,
    },
    Plot {
        name: trade_off::NAME,
        line: "messages against time",
        about: Subject::Rings,
        draw: trade_off::draw,
    },
    Plot {
        name: constants::NAME,
        line: "fitted constants with intervals beside the known ones",
        about: Subject::Rings,
        draw: constants::draw,
    },
    Plot {
        name: paired::NAME,
        line: "two algorithms on the same rings: differences ring by ring",
        about: Subject::Rings,
        draw: paired::draw,
    },
    Plot {
        name: networks::NAME,
        line: "trees and graphs: messages per edge against N, by family",
        about: Subject::Networks,
        draw: networks::draw,
    },
    Plot {
        name: network_edges::NAME,
        line: "trees and graphs: messages against edges, by algorithm",
        about: Subject::Networks,
        draw: network_edges::draw,
    },
    Plot {
        name: network_time::NAME,
        line: "trees and graphs: messages per edge against time",
        about: Subject::Networks,
        draw: network_time::draw,
    },
    Plot {
        name: network_paired::NAME,
        line: "trees and graphs: messages over those of one algorithm",
        about: Subject::Networks,
        draw: network_paired::draw,
    },
];

const LINES: [(&str, &str); PLOTS.len()] = {
    let mut lines = [("", ""); PLOTS.len()];
    let mut place = 0;
    while place < PLOTS.len() {
        lines[place] = (PLOTS[place].name, PLOTS[place].line);
        place += 1;
    }
    lines
};

/// All figures: name, and what is seen in a line.
pub const FIGURES: &[(&str, &str)] = &LINES;

/// Draws all figures that the data allows. Those about rings are passed over where there are no
/// rings, and those about trees and graphs where there are none of these.
pub fn draw(results: &Results, summary: &Summary) -> Result<Drawn> {
    draw_chosen(results, summary, None, &Choice::default())
}

/// Draws the figure of that name.
pub fn draw_one(results: &Results, summary: &Summary, name: &str) -> Result<Drawn> {
    draw_chosen(results, summary, Some(name), &Choice::default())
}

/// Draws one figure or all, with a choice of what they show.
pub fn draw_chosen(
    results: &Results,
    summary: &Summary,
    name: Option<&str>,
    choice: &Choice,
) -> Result<Drawn> {
    if let Some(name) = name
        && !PLOTS.iter().any(|plot| plot.name == name)
    {
        let names = PLOTS.map(|plot| plot.name);
        let all = format!("the figures are {}", names.join(", "));
        return Err(Input::unknown("figure", name, names, &all).into());
    }
    let source = Source::new(results, summary, choice)?;
    let mut drawn = Drawn { figures: Vec::new(), skipped: Vec::new() };
    // Rings say nothing about graphs, nor graphs about rings: that is no gap in the data.
    let wanted = |plot: &&Plot| match name {
        Some(name) => name == plot.name,
        None => source.is_about(plot.about),
    };
    for plot in PLOTS.iter().filter(wanted) {
        match (plot.draw)(&source)? {
            Drawing::Figure(figure) => drawn.figures.push(figure),
            Drawing::Skipped(why) => drawn.skipped.push((plot.name, why)),
        }
    }
    Ok(drawn)
}
