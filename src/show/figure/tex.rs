//! Figures for LaTeX: pictures of TikZ, drawn by the document itself in its own letters.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::canvas::{Anchor, Canvas, Paper, Place, short, tenth};
use super::font::{LABEL, SMALL, TITLE, wrapped};
use super::mark::MARK;
use super::style::{Colour, Dash};
use crate::model::escape;

/// Points in a pixel of the figure, before it is brought to the width that the document wants: a
/// figure is then as wide as a page of two columns.
const POINTS: f64 = 0.6;

/// The picture, with these words at the top as comments.
pub(super) fn tex(canvas: &Canvas, words: &[&str]) -> String {
    let mut picture = Picture::default();
    canvas.put_on(&mut picture);
    let mut text = format!("% {MARK}\n");
    for line in words.iter().flat_map(|words| wrapped(&escape::terminal(words), 1.0, 60.0)) {
        _ = writeln!(text, "% {}", line.replace('\u{2009}', " "));
    }
    text += "% Needs \\usepackage{tikz} in the preamble, once; pgfplots brings it.\n\
             % It is as wide as the line: \\def\\hustingswidth{8cm} before it makes it narrower.\n\
             \\providecommand{\\hustingswidth}{\\linewidth}%\n";
    for Colour(r, g, b) in &picture.colours {
        _ = writeln!(text, "\\definecolor{{{}}}{{RGB}}{{{r},{g},{b}}}%", name(Colour(*r, *g, *b)));
    }
    let (wide, high) = canvas.size();
    _ = write!(
        text,
        "\\resizebox{{\\hustingswidth}}{{!}}{{%\n\
         \\begin{{tikzpicture}}[x={POINTS}pt, y=-{POINTS}pt, inner sep=0pt, outer sep=0pt, miter limit=4]\n\
         \\path[use as bounding box] (0,0) rectangle ({wide},{high});\n{}\
         \\end{{tikzpicture}}}}%\n",
        picture.content
    );
    text
}

/// What is drawn, and in which colours.
#[derive(Default)]
struct Picture {
    content: String,
    colours: BTreeSet<Colour>,
}

impl Picture {
    fn colour(&mut self, colour: Colour) -> String {
        self.colours.insert(colour);
        name(colour)
    }
}

fn name(Colour(r, g, b): Colour) -> String {
    format!("hustings{r:02x}{g:02x}{b:02x}")
}

fn at((x, y): Place) -> String {
    format!("({},{})", tenth(x), tenth(y))
}

fn points(pixels: f64) -> String {
    format!("{}pt", short(pixels * POINTS))
}

fn through(places: &[Place]) -> String {
    // TeX reads lines up to a limit.
    let pieces = places
        .chunks(6)
        .map(|places| places.iter().copied().map(at).collect::<Vec<_>>().join("--"));
    pieces.collect::<Vec<_>>().join("\n  --")
}

impl Paper for Picture {
    fn line(&mut self, places: &[Place], colour: Colour, thickness: f64, dash: Dash) {
        let colour = self.colour(colour);
        let steps = dash.iter().zip(["on", "off"].into_iter().cycle());
        let steps: String =
            steps.map(|(length, word)| format!(" {word} {}", points(*length))).collect();
        let dash = if steps.is_empty() { steps } else { format!(",dash pattern={}", steps.trim()) };
        let (wide, path) = (points(thickness), through(places));
        _ = writeln!(self.content, "\\draw[{colour},line width={wide}{dash}] {path};");
    }

    fn fill(&mut self, places: &[Place], colour: Colour, opacity: f64) {
        let colour = self.colour(colour);
        let seen =
            if opacity < 1.0 { format!(",opacity={}", short(opacity)) } else { String::new() };
        _ = writeln!(self.content, "\\fill[{colour}{seen}] {}--cycle;", through(places));
    }

    fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        let colour = self.colour(colour);
        _ = writeln!(
            self.content,
            "\\fill[{colour}] {} circle[radius={}];",
            at(centre),
            points(radius)
        );
    }

    fn text(&mut self, (x, y): Place, text: &str, size: f64, anchor: Anchor, colour: Colour) {
        /// How far below the middle of a text its base line is, in its size.
        const BASE_LINE: f64 = 0.3;
        let colour = self.colour(colour);
        let below = BASE_LINE * size;
        let (place, anchor) = match anchor {
            Anchor::Start => ((x, y + below), "base west"),
            Anchor::Middle => ((x, y + below), "base"),
            Anchor::End => ((x, y + below), "base east"),
            Anchor::Upward => ((x + below, y), "base,rotate=90"),
        };
        // Sizes that every font has. Letters of documents are narrower than those of figures.
        let size = match size {
            size if size >= TITLE => "\\normalsize",
            size if size >= LABEL => "\\footnotesize",
            size if size >= SMALL => "\\scriptsize",
            _ => "\\tiny",
        };
        let (place, text) = (at(place), formulas(&escape::tex(text)));
        _ = writeln!(
            self.content,
            "\\node[{colour},anchor={anchor}] at {place} {{{size} {text}}};"
        );
    }
}

/// The names of functions as formulas have them.
fn formulas(text: &str) -> String {
    text.replace("log2 n", "$\\log_2 n$")
        .replace("log2", "$\\log_2$")
        .replace("H\\_n", "$H_n$")
        .replace("H\\_N", "$H_N$")
}
