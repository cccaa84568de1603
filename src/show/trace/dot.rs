//! The network of an election for Graphviz: its nodes with what became of them, its edges with the
//! messages that went over them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::view::Trace;
use crate::model::process::Status;

/// The network. Only numbers and our own words are in it, so nothing needs quotes that it has not.
pub(super) fn dot(trace: &Trace) -> String {
    let layout = if trace.is_ring { "circo" } else { "neato" };
    let mut text = String::from("graph election {\n");
    _ = writeln!(text, "    layout={layout}; overlap=false; splines=true;");
    _ = writeln!(text, "    node [shape=circle];");
    let starters: Vec<u32> = trace.starts.iter().map(|&(_, node)| node).collect();
    for (node, state) in trace.last().into_iter().enumerate() {
        let shape = match trace.fate(state).status() {
            Status::Leader => "doublecircle",
            Status::Follower => "box",
            Status::Undecided => "circle",
        };
        let style = if starters.contains(&(node as u32)) { "bold" } else { "dashed" };
        _ = writeln!(
            text,
            "    n{node} [label=\"{}\", shape={shape}, style={style}];",
            trace.ids[node]
        );
    }
    let mut over: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for letter in trace.letters() {
        let (from, to) = (trace.events[letter.sent].node, trace.sent(letter).to);
        *over.entry((from.min(to), from.max(to))).or_default() += 1;
    }
    // On rings of one and two a pair of nodes has one edge or two; the messages stand at the first.
    for &(a, b) in &trace.edges {
        match over.remove(&(a.min(b), a.max(b))) {
            Some(count) => _ = writeln!(text, "    n{a} -- n{b} [label=\"{count}\"];"),
            None => _ = writeln!(text, "    n{a} -- n{b};"),
        }
    }
    text + "}\n"
}
