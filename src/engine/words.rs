//! What happened, in words: who was told what, and what it did.

use std::fmt::Write;

use super::trace::{Cause, Event, Place, Stage, Step};
use crate::model::outcome::Time;
use crate::model::process::{NEXT, Port, Status};

impl Stage<'_> {
    /// An event in words: `3 gets Candidate(5) from 5: sends Candidate(5) clockwise to 4`.
    pub fn words(&self, event: &Event) -> String {
        let mut words = self.occasion(event.node, &event.cause, event.time);
        let mut between = ": ";
        for sent in &event.sent {
            let message = self.machine().message(sent.mail);
            let (peer, side) = (self.id(sent.to), self.side(sent.port));
            _ = write!(words, "{between}sends {message:?}{side} to {peer}");
            between = ", ";
        }
        for alarm in &event.alarms {
            _ = match alarm {
                Some(time) => write!(words, "{between}sets an alarm for {time}"),
                None => write!(words, "{between}sets an alarm beyond the clock"),
            };
            between = ", ";
        }
        match event.decided {
            Some(Status::Leader) => _ = write!(words, "{between}leads"),
            Some(Status::Follower) => _ = write!(words, "{between}follows"),
            _ if between == ": " => words += ": nothing",
            _ => {}
        }
        words
    }

    /// What a step is about to do, in words; nothing if it cannot be done.
    pub fn words_before(&self, step: Step) -> String {
        match step {
            Step::Start(node) => self.occasion(node, &Cause::Start, None),
            Step::Deliver { link, place } => {
                let Some(&flight) = self.link(link).get(place) else { return String::new() };
                let (node, port) = self.end(link);
                let (event, place, mail) = (flight.event, flight.place, flight.mail);
                self.occasion(node, &Cause::Mail { event, place, port, mail }, None)
            }
        }
    }

    fn occasion(&self, node: u32, cause: &Cause, time: Option<Time>) -> String {
        let id = self.id(node);
        match *cause {
            Cause::Start => format!("{id} starts"),
            Cause::Mail { port, mail, .. } => {
                let from = self.id(self.place().peer(node, port).0);
                format!("{id} gets {:?} from {from}", self.machine().message(mail))
            }
            Cause::Alarm { .. } => match time {
                Some(time) => format!("{id} has its alarm at {time}"),
                None => format!("{id} has its alarm"),
            },
        }
    }

    /// The side of a ring node that a port is.
    fn side(&self, port: Port) -> &'static str {
        match self.place() {
            Place::Ring(_) if port == NEXT => " clockwise",
            Place::Ring(_) => " anticlockwise",
            Place::Graph(_) => "",
        }
    }
}
