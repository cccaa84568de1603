//! What a run adds to the columns of its cell: a row of `runs.csv`.

use std::fmt::Write;

use super::outcome::{Outcome, Time};
use super::process::Id;
use super::topology::Shape;

/// What a run adds to the columns of its cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The run number.
    pub run: u64,
    /// Messages sent.
    pub messages: u64,
    /// Bits sent.
    pub bits: u128,
    /// When the leader decided.
    pub time: Option<Time>,
    /// When the last message was delivered.
    pub end: Option<Time>,
    /// Rounds or phases of the algorithm.
    pub rounds: Option<u64>,
    /// The largest number of messages that any one node sent.
    pub max_node_messages: Option<u64>,
    /// The winner's ID.
    pub leader: Option<Id>,
    /// Those of the messages that only tell the winner to everybody.
    pub announcements: u64,
    /// The shape of the network; `None` for algorithms on rings, where n says it all.
    pub shape: Option<Shape>,
}

/// A number in a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Whole(u64),
    /// One that may be too large for that.
    Wide(u128),
    /// Any other.
    Real(f64),
}

/// What numbers stand in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers, in every row.
    Whole,
    /// Whole numbers, where they are known.
    MaybeWhole,
    /// Any numbers, where they are known.
    MaybeReal,
}

/// A column of `runs.csv`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RunColumn {
    /// Its name.
    pub name: &'static str,
    /// What stands in it.
    pub about: &'static str,
    /// What numbers these are.
    pub kind: Kind,
    /// The number; unknown is an empty field.
    pub value: fn(&Row) -> Option<Number>,
}

const fn column(
    name: &'static str,
    about: &'static str,
    kind: Kind,
    value: fn(&Row) -> Option<Number>,
) -> RunColumn {
    RunColumn { name, about, kind, value }
}

fn whole(value: Option<u64>) -> Option<Number> {
    value.map(Number::Whole)
}

fn moment(time: Option<Time>) -> Option<Number> {
    time.map(|time| match time {
        Time::Rounds(rounds) => Number::Whole(rounds),
        Time::Real(time) => Number::Real(time),
    })
}

impl Row {
    /// The columns of `runs.csv` behind those of the cell: a new one is a line here.
    pub const COLUMNS: [RunColumn; 12] = [
        column("run", "number of the run within its cell, from 0", Kind::Whole, |row| {
            whole(Some(row.run))
        }),
        column("messages", "messages sent", Kind::Whole, |row| whole(Some(row.messages))),
        column("bits", "bits sent", Kind::Whole, |row| Some(Number::Wide(row.bits))),
        column("time", "when the leader decided", Kind::MaybeReal, |row| moment(row.time)),
        column("end", "when the last message arrived", Kind::MaybeReal, |row| moment(row.end)),
        column("rounds", "phases of the algorithm", Kind::MaybeWhole, |row| whole(row.rounds)),
        column("max_node_messages", "messages of the busiest node", Kind::MaybeWhole, |row| {
            whole(row.max_node_messages)
        }),
        column("leader", "the ID that won", Kind::MaybeWhole, |row| whole(row.leader)),
        column("announcements", "messages that only tell the winner", Kind::Whole, |row| {
            whole(Some(row.announcements))
        }),
        column("edges", "edges of the network of this run", Kind::MaybeWhole, |row| {
            whole(row.shape.map(|shape| shape.edges))
        }),
        column("leaves", "its nodes with one link", Kind::MaybeWhole, |row| {
            whole(row.shape.map(|shape| shape.leaves))
        }),
        column("diameter", "its diameter, where the nodes know it", Kind::MaybeWhole, |row| {
            whole(row.shape.and_then(|shape| shape.diameter))
        }),
    ];

    /// The row of a simulated run.
    pub fn simulated(
        run: u64,
        outcome: &Outcome,
        announcements: u64,
        shape: Option<Shape>,
    ) -> Self {
        Row {
            run,
            messages: outcome.messages,
            bits: outcome.bits,
            time: outcome.time,
            end: outcome.end,
            rounds: outcome.rounds,
            max_node_messages: Some(outcome.max_node_messages),
            leader: outcome.leader,
            announcements,
            shape,
        }
    }

    /// Appends the row as a line; unknown is empty.
    pub fn write(&self, text: &mut String) {
        let mut digits = itoa::Buffer::new();
        for (place, column) in Row::COLUMNS.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            match (column.value)(self) {
                Some(Number::Whole(value)) => text.push_str(digits.format(value)),
                Some(Number::Wide(value)) => match u64::try_from(value) {
                    Ok(value) => text.push_str(digits.format(value)),
                    Err(_) => text.push_str(digits.format(value)),
                },
                Some(Number::Real(value)) => _ = write!(text, "{value}"),
                None => {}
            }
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_empty() {
        let row = Row {
            run: 10,
            messages: 33,
            bits: 1 << 70,
            time: Some(Time::Real(2.5)),
            end: None,
            rounds: None,
            max_node_messages: Some(4),
            leader: Some(u64::MAX),
            announcements: 0,
            shape: Some(Shape { edges: 7, leaves: 2, diameter: None }),
        };
        let mut text = String::new();
        row.write(&mut text);
        let leader = u64::MAX;
        assert_eq!(text, format!("10,33,1180591620717411303424,2.5,,,4,{leader},0,7,2,\n"));
    }
}
