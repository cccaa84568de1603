//! The space-time diagram for TeX: a document that compiles, or a picture to put into one's own.

use std::fmt::Write;

use super::diagram::Diagram;
use super::view::Trace;
use crate::model::escape;
use crate::model::process::Status;

/// How lines of each kind look, told apart in grey as well.
const KINDS: [&str; 8] = [
    "solid",
    "dashed",
    "densely dotted",
    "dash dot",
    "loosely dashed",
    "densely dashed",
    "dotted",
    "densely dash dot",
];
/// With more arrows than these, labels would cover them.
const LABELLED: usize = 200;

/// The document.
pub(super) fn tikz(trace: &Trace) -> String {
    let diagram = Diagram::of(trace);
    let entry = trace.cell.algorithm();
    let mut text = String::from(
        "\\documentclass{article}\n\\usepackage{tikz}\n\\pagestyle{empty}\n\\begin{document}\n",
    );
    _ = writeln!(
        text,
        "% {}",
        escape::terminal(format!("{} on {}", entry.name, trace.cell.topology()))
    );
    text += "\\begin{tikzpicture}[x=9mm, y=-7mm, >=latex]\n";
    for (row, name) in diagram.rows.iter().enumerate() {
        let again = trace.is_ring && row + 1 == diagram.rows.len();
        let style = if again { "gray, dashed" } else { "gray" };
        _ = writeln!(
            text,
            "  \\draw[{style}] (0,{row}) node[left, black] {{{name}}} -- ({:.2},{row});",
            diagram.width
        );
    }
    for arrow in &diagram.arrows {
        let ((x1, y1), (x2, y2)) = (arrow.from, arrow.to);
        let label = match diagram.arrows.len() <= LABELLED {
            true => format!(
                " node[pos=0.4, fill=white, inner sep=1pt, font=\\tiny] {{{}}}",
                escape::tex(&arrow.label)
            ),
            false => String::new(),
        };
        _ = writeln!(
            text,
            "  \\draw[->, {}] ({x1:.2},{y1:.0}) --{label} ({x2:.2},{y2:.0});",
            KINDS[arrow.kind]
        );
    }
    for ((column, row), status) in &diagram.events {
        let (radius, style) = match status {
            Some(Status::Leader) => ("3pt", "fill=white, very thick"),
            _ => ("1.2pt", "fill"),
        };
        _ = writeln!(text, "  \\draw[{style}] ({column:.2},{row:.0}) circle[radius={radius}];");
    }
    for (kind, name) in trace.kinds().iter().enumerate() {
        let row = diagram.rows.len() as f64 + 0.8 * kind as f64;
        _ = writeln!(
            text,
            "  \\draw[->, {}] (0,{row:.1}) -- (1,{row:.1}) node[right] {{{}}};",
            KINDS[kind],
            escape::tex(name)
        );
    }
    text + "\\end{tikzpicture}\n\\end{document}\n"
}
