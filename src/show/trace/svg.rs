//! The space-time diagram as an SVG of its own.

use std::fmt::Write;

use super::diagram::{Arrow, Diagram};
use super::view::Trace;
use crate::model::escape;
use crate::model::process::Status;

/// What tells a drawing of ours from other files.
const MARK: &str = "<!-- hustings trace -->";
const COLUMN: f64 = 64.0;
const ROW: f64 = 44.0;
const MARGIN: f64 = 24.0;
/// Above the diagram: two lines and the kinds.
const TOP: f64 = 104.0;
/// With more arrows than these, labels would cover them.
const LABELLED: usize = 200;

/// The colours of Okabe and Ito, told apart by colour-blind eyes; the dashes tell them apart in grey.
const KINDS: [(&str, &str); 8] = [
    ("#0072b2", ""),
    ("#d55e00", "7 4"),
    ("#009e73", "2 4"),
    ("#cc79a7", "10 3 2 3"),
    ("#56b4e9", "12 5"),
    ("#e69f00", "4 2"),
    ("#222222", "1 3"),
    ("#7f7f7f", "6 2 1 2"),
];

/// Whether the contents of a file are a drawing that was made here.
pub fn is_ours(file: &[u8]) -> bool {
    let start = &file[..file.len().min(400)];
    String::from_utf8_lossy(start).lines().any(|line| line == MARK)
}

/// The drawing.
pub(super) fn svg(trace: &Trace) -> String {
    let diagram = Diagram::of(trace);
    let longest = diagram.rows.iter().map(String::len).max().unwrap_or(0);
    let left = MARGIN + 10.0 * longest as f64 + 12.0;
    let width = (left + diagram.width * COLUMN + MARGIN).max(560.0);
    let height = TOP + (diagram.rows.len() as f64 - 1.0) * ROW + 48.0;
    let entry = trace.cell.algorithm();
    let title = format!("{} on {}", entry.name, trace.cell.topology());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"16\">\n\
         {MARK}\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escape::xml(escape::terminal(&title))
    );
    let title = escape::shortened(&escape::terminal(&title), (width / 12.0) as usize);
    _ = writeln!(
        text,
        "<text x=\"{MARGIN}\" y=\"32\" font-size=\"20\">{}</text>",
        escape::xml(title)
    );
    let count = trace.letters().len();
    let end = match &trace.outcome {
        Ok(outcome) => outcome.leader.map_or("nobody leads".to_owned(), |id| format!("{id} leads")),
        Err(violation) => violation.to_string(),
    };
    let line = escape::xml(format!("{count} messages; {end}"));
    _ = writeln!(text, "<text x=\"{MARGIN}\" y=\"56\" fill=\"#555\">{line}</text>");
    legend(&mut text, trace);
    rows(&mut text, &diagram, left, trace.is_ring);
    for arrow in &diagram.arrows {
        draw(&mut text, arrow, left, diagram.arrows.len() <= LABELLED);
    }
    for ((column, row), status) in &diagram.events {
        let (x, y) = (left + column * COLUMN, TOP + row * ROW);
        text += &match status {
            Some(Status::Leader) => format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"16\" height=\"16\" fill=\"#fff\" \
                 stroke=\"#009e73\" stroke-width=\"5\"/>\n",
                x - 8.0,
                y - 8.0
            ),
            _ => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#222\"/>\n"),
        };
    }
    text + "</svg>\n"
}

/// The kinds of messages, each as it is drawn.
fn legend(text: &mut String, trace: &Trace) {
    let mut x = MARGIN;
    for (kind, name) in trace.kinds().iter().enumerate() {
        let (colour, dash) = KINDS[kind];
        _ = writeln!(
            text,
            "<path d=\"M{x:.0} 76h36\" stroke=\"{colour}\" stroke-width=\"3\" \
             stroke-dasharray=\"{dash}\"/><text x=\"{:.0}\" y=\"81\">{}</text>",
            x + 42.0,
            escape::xml(name)
        );
        x += 66.0 + 9.5 * name.len() as f64;
    }
}

fn rows(text: &mut String, diagram: &Diagram, left: f64, is_ring: bool) {
    for (row, name) in diagram.rows.iter().enumerate() {
        let y = TOP + row as f64 * ROW;
        let again = is_ring && row + 1 == diagram.rows.len();
        let dash = if again { "4 4" } else { "" };
        _ = writeln!(
            text,
            "<path d=\"M{left:.0} {y:.0}h{:.0}\" stroke=\"#aaa\" stroke-dasharray=\"{dash}\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\" fill=\"{}\">{name}</text>",
            diagram.width * COLUMN,
            left - 10.0,
            y + 5.5,
            if again { "#888" } else { "#222" }
        );
    }
}

fn draw(text: &mut String, arrow: &Arrow, left: f64, is_labelled: bool) {
    let place = |(column, row): (f64, f64)| (left + column * COLUMN, TOP + row * ROW);
    let ((x1, y1), (x2, y2)) = (place(arrow.from), place(arrow.to));
    let (colour, dash) = KINDS[arrow.kind];
    _ = writeln!(
        text,
        "<path class=\"message\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{colour}\" \
         stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>"
    );
    // The head stands a little before the end, where the dot of the event is.
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(1e-9);
    let (ux, uy) = (dx / length, dy / length);
    let (tip, back) = ((x2 - 4.0 * ux, y2 - 4.0 * uy), (x2 - 13.0 * ux, y2 - 13.0 * uy));
    _ = writeln!(
        text,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\" fill=\"{colour}\"/>",
        tip.0,
        tip.1,
        back.0 - 4.0 * uy,
        back.1 + 4.0 * ux,
        back.0 + 4.0 * uy,
        back.1 - 4.0 * ux
    );
    if is_labelled {
        _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"{colour}\" stroke=\"#fff\" \
             stroke-width=\"4\" paint-order=\"stroke\">{}</text>",
            x1 + dx * 0.4 + 4.0,
            y1 + dy * 0.4 - 2.0,
            escape::xml(&arrow.label)
        );
    }
}
