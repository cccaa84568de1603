//! The space-time diagram: a line for every node, time to the right, an arrow for every message.

use std::collections::HashMap;

use super::view::{Letter, Trace};
use crate::model::outcome::Time;
use crate::model::process::{NEXT, PREV, Status};

/// A point of a diagram: columns to the right, rows down.
pub(super) type Point = (f64, f64);

/// One arrow.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arrow {
    pub from: Point,
    pub to: Point,
    pub kind: usize,
    pub label: String,
}

/// What is drawn.
#[derive(Debug, Clone)]
pub(super) struct Diagram {
    /// One for each node; on a ring the first once more below the last, so that no arrow crosses all.
    pub rows: Vec<String>,
    pub width: f64,
    pub arrows: Vec<Arrow>,
    /// Every event, and what it decided.
    pub events: Vec<(Point, Option<Status>)>,
}

/// How much of a round the events of one node may take.
const SPREAD: f64 = 0.6;

/// Where events stand in time, in columns: rounds without those in which nothing happens, time in
/// proportion, or one after the other where there is no clock.
pub fn columns(trace: &Trace) -> Vec<f64> {
    let events = &trace.events;
    match events.last().and_then(|event| event.time) {
        None => (0..events.len()).map(|number| number as f64 * 0.5).collect(),
        Some(Time::Real(end)) => {
            let width = (1.5 * events.len() as f64 / trace.ids.len() as f64).max(6.0);
            let scale = if end > 0.0 { width / end } else { 0.0 };
            let time = |time: Option<Time>| match time {
                Some(Time::Real(time)) => time * scale,
                _ => 0.0,
            };
            events.iter().map(|event| time(event.time)).collect()
        }
        Some(Time::Rounds(_)) => {
            let mut together: HashMap<(u32, usize), (usize, usize)> = HashMap::new();
            let mut round = 0;
            let rounds: Vec<usize> = (0..events.len())
                .map(|number| {
                    let is_new = number > 0 && events[number].time != events[number - 1].time;
                    round += usize::from(is_new);
                    together.entry((events[number].node, round)).or_default().0 += 1;
                    round
                })
                .collect();
            let column = |(number, &round): (usize, &usize)| {
                let (all, before) = together.entry((events[number].node, round)).or_default();
                *before += 1;
                round as f64 + (*before - 1) as f64 / *all as f64 * SPREAD
            };
            rounds.iter().enumerate().map(column).collect()
        }
    }
}

impl Diagram {
    pub(super) fn of(trace: &Trace) -> Self {
        let columns = columns(trace);
        let width = columns.last().copied().unwrap_or(0.0) + 1.0;
        let mut rows: Vec<String> = trace.ids.iter().map(ToString::to_string).collect();
        if trace.is_ring {
            rows.push(rows[0].clone());
        }
        let arrows = trace.letters().iter().map(|letter| arrow(trace, &columns, letter, width));
        let arrows = arrows.collect();
        let mut points = Vec::new();
        for (event, &column) in trace.events.iter().zip(&columns) {
            points.push(((column, f64::from(event.node)), event.decided));
            if trace.is_ring && event.node == 0 {
                points.push(((column, trace.ids.len() as f64), event.decided));
            }
        }
        Diagram { rows, width, arrows, events: points }
    }
}

fn arrow(trace: &Trace, columns: &[f64], letter: &Letter, width: f64) -> Arrow {
    let (sent, from) = (trace.sent(letter), trace.events[letter.sent].node);
    let last = trace.ids.len() as u32 - 1;
    // Over the link that closes a ring it goes to the first node's second line, or comes from there.
    let again = |node: u32, closes: bool| f64::from(if closes { last + 1 } else { node });
    let start = again(from, trace.is_ring && sent.port == PREV && from == 0);
    let end = again(sent.to, trace.is_ring && sent.port == NEXT && from == last);
    let mail = trace.mail(sent.mail);
    Arrow {
        from: (columns[letter.sent], start),
        to: (letter.received.map_or(width, |event| columns[event]), end),
        kind: mail.kind,
        label: mail.short.clone(),
    }
}
