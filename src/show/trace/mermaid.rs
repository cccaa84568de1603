//! A trace as a sequence diagram of Mermaid, for pages that draw it: a line for every message when it
//! arrives, a note for every start, alarm and decision.

use std::fmt::Write;

use super::view::{Trace, decision};
use crate::engine::trace::Cause;

/// The diagram.
pub(super) fn mermaid(trace: &Trace) -> String {
    let mut text = String::from("sequenceDiagram\n");
    for (node, id) in trace.ids.iter().enumerate() {
        _ = writeln!(text, "    participant p{node} as {id}");
    }
    for event in &trace.events {
        let node = event.node;
        match event.cause {
            Cause::Start => _ = writeln!(text, "    Note over p{node}: starts"),
            Cause::Alarm { .. } => _ = writeln!(text, "    Note over p{node}: alarm"),
            Cause::Mail { event: sent, mail, .. } => {
                let from = trace.events[sent].node;
                let words = plain(&trace.mail(mail).words);
                _ = writeln!(text, "    p{from}->>p{node}: {words}");
            }
        }
        if let Some(status) = event.decided {
            _ = writeln!(text, "    Note over p{node}: {}", decision(status));
        }
    }
    // Only where it broke off is anything still on its way.
    for letter in trace.letters().iter().filter(|letter| letter.received.is_none()) {
        let (from, sent) = (trace.events[letter.sent].node, trace.sent(letter));
        let words = plain(&trace.mail(sent.mail).words);
        _ = writeln!(text, "    p{from}-xp{}: {words}", sent.to);
    }
    text
}

/// Words that mean nothing to Mermaid: all but letters, digits and a few signs by their numbers.
fn plain(words: &str) -> String {
    let mut plain = String::new();
    for c in words.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || " (),._-".contains(c) => plain.push(c),
            c => _ = write!(plain, "#{};", u32::from(c)),
        }
    }
    plain
}
