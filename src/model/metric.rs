//! What a run yields: the metrics, by the names of their columns.

use std::fmt;
use std::str::FromStr;

use super::error::Input;
use super::outcome::{Outcome, Time};

/// What is measured of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Metric {
    /// Messages sent.
    Messages,
    /// Bits sent.
    Bits,
    /// When the leader decided.
    Time,
    /// When the last message was delivered.
    End,
    /// Rounds or phases of the algorithm.
    Rounds,
    /// The largest number of messages that any one node sent.
    MaxNodeMessages,
}

impl Metric {
    /// All of them, in the order of the tables.
    pub const ALL: [Metric; 6] = [
        Metric::Messages,
        Metric::Bits,
        Metric::Time,
        Metric::End,
        Metric::Rounds,
        Metric::MaxNodeMessages,
    ];

    /// Its name: that of its column.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Messages => "messages",
            Metric::Bits => "bits",
            Metric::Time => "time",
            Metric::End => "end",
            Metric::Rounds => "rounds",
            Metric::MaxNodeMessages => "max_node_messages",
        }
    }

    /// What an election needs so many of, with the unit, in words. Times are rounds where all
    /// messages take one, and else in the unit of the delays.
    pub fn noun(self, timing: &str) -> &'static str {
        match (self, timing == "sync") {
            (Metric::Messages, _) => "messages",
            (Metric::Bits, _) => "bits",
            (Metric::Time, true) => "rounds until the leader decides",
            (Metric::Time, false) => "units of time until the leader decides",
            (Metric::End, true) => "rounds until the last message",
            (Metric::End, false) => "units of time until the last message",
            (Metric::Rounds, _) => "phases of the algorithm",
            (Metric::MaxNodeMessages, _) => "messages of the busiest node",
        }
    }

    /// What an election came to; `None` where it does not say.
    pub fn of(self, outcome: &Outcome) -> Option<f64> {
        let moment = |time: Option<Time>| {
            time.map(|time| match time {
                Time::Rounds(rounds) => rounds as f64,
                Time::Real(time) => time,
            })
        };
        match self {
            Metric::Messages => Some(outcome.messages as f64),
            Metric::Bits => Some(outcome.bits as f64),
            Metric::Time => moment(outcome.time),
            Metric::End => moment(outcome.end),
            Metric::Rounds => outcome.rounds.map(|rounds| rounds as f64),
            Metric::MaxNodeMessages => Some(outcome.max_node_messages as f64),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Metric {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        let names = Metric::ALL.map(Metric::name);
        let found = Metric::ALL.into_iter().find(|metric| metric.name() == text);
        found.ok_or_else(|| {
            Input::unknown("metric", text, names, "a metric is a column of runs.csv")
        })
    }
}
