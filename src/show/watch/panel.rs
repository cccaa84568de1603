//! One election as the page's script reads it.

use serde_json::{Value, json};

use super::density::density;
use super::places::places;
use crate::engine::trace::Cause;
use crate::model::escape;
use crate::model::outcome::Time;
use crate::model::process::Status;
use crate::model::theory::Facts;
use crate::show::trace::{Trace, columns, sentence};

/// A state may list all nodes; so much of it is shown.
const LONGEST_WORDS: usize = 300;

/// An election and what theory says of it.
#[derive(Debug)]
pub struct Panel<'a> {
    /// What happened.
    pub trace: &'a Trace,
    /// The theorems about its messages.
    pub facts: Facts,
}

impl Panel<'_> {
    /// The algorithm.
    pub(super) fn name(&self) -> &str {
        &self.trace.cell.algorithm().name
    }

    /// The network and how the IDs, the starts and the delays were chosen.
    pub(super) fn setting(&self) -> String {
        let (cell, n) = (&self.trace.cell, self.trace.ids.len());
        let place = match self.trace.is_ring {
            true => format!("ring of {n}"),
            false => format!("{}, {n} nodes, {} edges", cell.topology(), self.trace.edges.len()),
        };
        let key = cell.key();
        escape::terminal(format!("{place}; layout {}; timing {}", key.layout, key.timing))
    }

    /// What is to be said before the first event.
    pub(super) fn opening(&self) -> String {
        let (starts, n) = (&self.trace.starts, self.trace.ids.len());
        match starts.len() {
            all if all == n => format!("Before the first event: all {n} nodes are about to start."),
            1 => "Before the first event: one node is about to start.".to_owned(),
            some => format!("Before the first event: {some} of {n} nodes are about to start."),
        }
    }

    /// All that the script needs, event by event or as a picture of many.
    pub(super) fn data(&self, few: bool) -> Value {
        let trace = self.trace;
        let entry = trace.cell.algorithm();
        let outcome = trace.outcome.as_ref();
        let mut data = json!({
            "name": entry.name,
            "summary": entry.summary,
            "source": entry.source,
            "pseudocode": entry.page().pseudocode,
            "rule": entry.model.elects.rule(),
            "kinds": trace.kinds(),
            "facts": theory(&self.facts),
            "clock": trace.clock(),
            "messages": trace.letters().len(),
            "leader": outcome.ok().and_then(|outcome| outcome.leader).map(|id| id.to_string()),
            "violation": outcome.err().map(ToString::to_string),
        });
        match few {
            true => self.add_events(&mut data),
            false => data["density"] = density(trace),
        }
        data
    }

    fn add_events(&self, data: &mut Value) {
        let trace = self.trace;
        let columns = columns(trace);
        // JSON readers keep 53 bits of a number, so IDs are words.
        data["ids"] = trace.ids.iter().map(ToString::to_string).collect();
        data["ring"] = json!(trace.is_ring);
        data["both"] = json!(trace.goes_both_ways);
        if !trace.is_ring {
            data["edges"] = json!(trace.edges);
            data["positions"] = json!(places(trace.ids.len(), &trace.edges));
        }
        data["width"] = json!(columns.iter().copied().fold(0.0, f64::max) + 0.8);
        let states = trace.states().map(|(words, fate)| {
            // Who has given up and only passes messages on says so in most algorithms.
            let passive = words.contains("active: false") || words.contains("Passive");
            let words = escape::terminal(escape::shortened(words, LONGEST_WORDS));
            json!([words, number(fate.status()), u8::from(fate.awake), u8::from(passive)])
        });
        data["states"] = states.collect();
        data["first"] = trace.first.iter().map(|state| state.0).collect();
        let mails = trace.mails().iter();
        let mails = mails.map(|mail| {
            let words = escape::terminal(escape::shortened(&mail.words, LONGEST_WORDS));
            json!([mail.kind, words, mail.short])
        });
        data["mails"] = mails.collect();
        let events = trace.events.iter().zip(columns).zip(&trace.lines);
        let events = events.map(|((event, column), line)| {
            let cause = match event.cause {
                Cause::Start => -1,
                Cause::Alarm { .. } => -2,
                Cause::Mail { event, place, .. } => trace.letter(event, place) as i64,
            };
            let time = match event.time {
                Some(Time::Rounds(round)) => round.to_string(),
                Some(Time::Real(time)) => format!("{time:.2}"),
                None => String::new(),
            };
            let sent: Vec<Value> =
                event.sent.iter().map(|sent| json!([sent.to, sent.port, sent.mail.0])).collect();
            let words = escape::shortened(&sentence(trace, event), LONGEST_WORDS);
            let column = (column * 1000.0).round() / 1000.0;
            let decided = event.decided.map(number);
            json!([column, time, event.node, cause, event.state.0, words, sent, decided, line])
        });
        data["events"] = events.collect();
    }
}

/// Best, mean and worst as the script reads them, where they are known.
pub fn theory(facts: &Facts) -> Value {
    let named = facts.named().into_iter().filter(|(name, _)| *name != "variance");
    let known = named.filter_map(|(name, fact)| fact.map(|fact| (name, fact)));
    let facts = known.map(|(name, fact)| {
        let text = format!("{:.1}", fact.value);
        json!({
            "name": name,
            "value": fact.value.as_f64(),
            "text": text.strip_suffix(".0").unwrap_or(&text),
            "formula": fact.formula,
        })
    });
    facts.collect()
}

fn number(status: Status) -> u8 {
    match status {
        Status::Undecided => 0,
        Status::Follower => 1,
        Status::Leader => 2,
    }
}
