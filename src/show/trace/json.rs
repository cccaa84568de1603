//! A trace for programs: a line of JSON for the election, one for each event, one for the end.

use serde_json::{Value, json};

use super::view::{Trace, decision};
use crate::engine::trace::{Cause, Event};
use crate::model::escape;
use crate::model::outcome::Time;

/// The form of these lines; a field more is no new form.
const VERSION: u64 = 1;

/// All lines.
pub(super) fn json(trace: &Trace) -> String {
    let mut text = String::new();
    let mut line = |value: Value| {
        text += &escape::json(&value.to_string());
        text.push('\n');
    };
    line(opening(trace));
    for (number, one) in trace.events.iter().enumerate() {
        line(event(trace, number, one));
    }
    line(match &trace.outcome {
        Ok(outcome) => json!({ "leader": outcome.leader, "messages": outcome.messages }),
        Err(violation) => {
            json!({ "violation": violation.to_string(), "messages": trace.letters().len() })
        }
    });
    text
}

fn opening(trace: &Trace) -> Value {
    let key = trace.cell.key();
    json!({
        "trace": VERSION,
        "algorithm": key.algorithm,
        "topology": key.topology,
        "timing": key.timing,
        "n": key.n,
        "ring": trace.ids,
        "starters": trace.starts.iter().map(|&(_, node)| node).collect::<Vec<_>>(),
        "edges": trace.edges,
        "pseudocode": trace.cell.algorithm().page().pseudocode,
        "states": trace.first.iter().map(|&state| trace.words(state)).collect::<Vec<_>>(),
    })
}

fn event(trace: &Trace, number: usize, event: &Event) -> Value {
    let names = trace.kinds();
    let sent: Vec<Value> = event
        .sent
        .iter()
        .enumerate()
        .map(|(place, sent)| {
            let mail = trace.mail(sent.mail);
            json!({
                "message": trace.letter(number, place),
                "to": sent.to,
                "port": sent.port,
                "kind": names[mail.kind],
                "words": mail.words,
            })
        })
        .collect();
    let (cause, message) = match event.cause {
        Cause::Start => ("start", None),
        Cause::Alarm { .. } => ("alarm", None),
        Cause::Mail { event, place, .. } => ("message", Some(trace.letter(event, place))),
    };
    json!({
        "event": number,
        "time": time(event.time),
        "node": event.node,
        "id": trace.id(event.node),
        "cause": cause,
        "message": message,
        "sent": sent,
        "line": trace.lines[number].map(|line| line + 1),
        "state": trace.words(event.state),
        "status": event.decided.map(decision),
    })
}

fn time(time: Option<Time>) -> Value {
    match time {
        Some(Time::Rounds(round)) => json!(round),
        Some(Time::Real(time)) => json!(time),
        None => Value::Null,
    }
}
