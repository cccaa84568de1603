//! A trace for people: a line or two for every event, in 80 columns.

use std::fmt::Write;

use super::view::{Trace, moment, way};
use crate::engine::machine::State;
use crate::engine::trace::{Cause, Event};
use crate::model::escape;
use crate::model::process::Status;

/// Where a line ends.
const WIDTH: usize = 80;

/// So many events at the beginning, and as many at the end, of what led to a violation.
const SHOWN: usize = 20;

/// What happened, as one sentence without its end.
pub fn sentence(trace: &Trace, event: &Event) -> String {
    let mut text = match event.cause {
        Cause::Start => format!("{} starts", trace.id(event.node)),
        Cause::Alarm { .. } => format!("{} has its alarm", trace.id(event.node)),
        Cause::Mail { event: sent, mail, .. } => {
            let from = trace.id(trace.events[sent].node);
            format!("{} gets {} from {from}", trace.id(event.node), trace.mail(mail).words)
        }
    };
    match event.decided {
        Some(Status::Leader) => text += "; leads",
        Some(Status::Follower) => text += "; follows",
        Some(Status::Undecided) | None => {}
    }
    for (place, sent) in event.sent.iter().enumerate() {
        text += if place == 0 { "; sends " } else { ", " };
        text += &trace.mail(sent.mail).words;
        if trace.goes_both_ways {
            _ = write!(text, " {}", way(sent.port));
        }
        _ = write!(text, " to {}", trace.id(sent.to));
    }
    escape::terminal(text)
}

/// The whole trace.
pub(super) fn text(trace: &Trace) -> String {
    let mut text = heading(trace);
    let mut states = trace.first.clone();
    for number in 0..trace.events.len() {
        line(&mut text, trace, number, &mut states);
    }
    text + &end(trace)
}

/// What led to a violation: the first events and the last ones.
pub fn ending(trace: &Trace) -> String {
    let mut text = heading(trace);
    let mut states = trace.first.clone();
    let mut left_out = 0;
    for number in 0..trace.events.len() {
        let mut one = String::new();
        line(&mut one, trace, number, &mut states);
        if number < SHOWN || number + SHOWN >= trace.events.len() {
            if left_out > 0 {
                _ = writeln!(text, "  ...         ({left_out} events more)");
                left_out = 0;
            }
            text += &one;
        } else {
            left_out += 1;
        }
    }
    text + &end(trace)
}

fn heading(trace: &Trace) -> String {
    let entry = trace.cell.algorithm();
    let ids: Vec<String> = trace.ids.iter().map(ToString::to_string).collect();
    let (place, order) = match trace.is_ring {
        true => (format!("a ring of {}", trace.ids.len()), "clockwise"),
        false => (escape::terminal(trace.cell.topology()), "node by node"),
    };
    let mut text = String::new();
    wrapped(&mut text, "", &format!("{} on {place}: {}", entry.name, entry.summary));
    text.push('\n');
    wrapped(&mut text, "  ", &format!("IDs, {order}: {}", ids.join(" ")));
    let pseudocode = trace.pseudocode();
    if !pseudocode.is_empty() {
        text.push('\n');
    }
    for (number, line) in pseudocode.iter().enumerate() {
        wrapped(&mut text, &format!("  {:>2}  ", number + 1), line);
    }
    let line = if pseudocode.is_empty() { "" } else { "line  " };
    _ = writeln!(text, "\n{:>5}  {:>8}  {line}what happens", "event", trace.clock());
    text
}

/// The column of the lines of the pseudocode, where there is one.
fn column(trace: &Trace, number: usize) -> String {
    match (trace.lines[number], trace.cell.algorithm().lines.is_empty()) {
        (_, true) => String::new(),
        (Some(line), false) => format!("{:>4}  ", line + 1),
        (None, false) => " ".repeat(6),
    }
}

fn line(text: &mut String, trace: &Trace, number: usize, states: &mut [State]) {
    let event = &trace.events[number];
    let (time, line) = (moment(event.time), column(trace, number));
    let margin = format!("{:>5}  {time:>8}  {line}", number + 1);
    wrapped(text, &margin, &sentence(trace, event));
    let state = &mut states[event.node as usize];
    let words = trace.words(event.state);
    if *state != event.state && words != trace.words(*state) {
        wrapped(text, &" ".repeat(margin.len()), &escape::terminal(format!("  now {words}")));
    }
    *state = event.state;
}

fn end(trace: &Trace) -> String {
    let mut text = String::from("\n");
    match &trace.outcome {
        Ok(outcome) => {
            let leader = match outcome.leader {
                Some(leader) => format!("{leader} leads"),
                None => "nobody leads".to_owned(),
            };
            _ = writeln!(text, "  {leader} after {} messages", outcome.messages);
        }
        Err(violation) => {
            let sent = trace.letters().len();
            wrapped(&mut text, "  ", &format!("after {sent} messages: {violation}"));
        }
    }
    text
}

/// Puts words behind a margin, line by line; a word that is longer than a line is cut.
fn wrapped(text: &mut String, margin: &str, words: &str) {
    let indent = margin.chars().count();
    let hanging = indent + words.len() - words.trim_start().len();
    text.push_str(margin);
    let mut column = indent;
    let mut first = true;
    for word in words.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        if !first {
            if column + 1 + rest.len() > WIDTH && column > hanging {
                _ = write!(text, "\n{:hanging$}  ", "");
                column = hanging + 2;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        first = false;
        while column + rest.len() > WIDTH {
            let room = WIDTH.saturating_sub(column).max(1).min(rest.len());
            text.extend(rest.drain(..room));
            _ = write!(text, "\n{:hanging$}  ", "");
            column = hanging + 2;
        }
        column += rest.len();
        text.extend(rest);
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_80_columns_and_lose_nothing() {
        let words = format!("short words and {} {}", "x".repeat(200), "some more ".repeat(20));
        let mut text = String::new();
        wrapped(&mut text, "    1  ", &words);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        let letters = |text: &str| text.replace(char::is_whitespace, "");
        assert_eq!(letters(&text), letters(&format!("1{words}")));
    }
}
