//! A trace as a log for ShiViz: the regular expression that reads it, an empty line, and two lines for
//! every event: what happened, then where, with the vector clock.

use std::fmt::Write;

use super::clocks::clocks;
use super::text::sentence;
use super::view::Trace;

/// How ShiViz finds an event, its node and its clock.
const EXPRESSION: &str = r"(?<event>.*)\n(?<host>\S*) (?<clock>\{.*\})";

/// The log. A node is called by its place and its ID, since names must differ even where IDs do not.
pub(super) fn shiviz(trace: &Trace) -> String {
    let mut text = format!("{EXPRESSION}\n\n");
    let name = |node: usize| format!("{node}:{}", trace.ids[node]);
    let names: Vec<String> = (0..trace.ids.len()).map(name).collect();
    clocks(trace, |number, clock| {
        let event = &trace.events[number];
        _ = write!(text, "{}\n{} {{", sentence(trace, event), names[event.node as usize]);
        let known = clock.iter().enumerate().filter(|&(_, &count)| count > 0);
        for (place, (node, count)) in known.enumerate() {
            let comma = if place == 0 { "" } else { "," };
            _ = write!(text, "{comma}\"{}\":{count}", names[node]);
        }
        text += "}\n";
    });
    text
}
