//! Which line of the pseudocode each event is, where the algorithm's file says so.

use super::words::Mail;
use crate::engine::Entry;
use crate::engine::machine::{Fate, State};
use crate::engine::trace::{Cause, Event};
use crate::model::process::{Id, Status};

/// An election while it is read again from its beginning.
pub(super) struct Reading<'a> {
    pub(super) entry: &'a Entry,
    pub(super) ids: &'a [Id],
    pub(super) mails: &'a [Mail],
    pub(super) fate: &'a dyn Fn(State) -> Fate,
    /// The states of the nodes, before the next event.
    pub(super) states: Vec<State>,
}

/// The line of each event, counted from 0.
pub(super) fn lines(mut reading: Reading<'_>, events: &[Event]) -> Vec<Option<usize>> {
    let entry = reading.entry;
    if entry.lines.is_empty() {
        return vec![None; events.len()];
    }
    let pseudocode = entry.page().pseudocode;
    let place = |words: &str| pseudocode.iter().position(|line| line.contains(words));
    let places: Vec<_> = entry.lines.iter().map(|(_, _, words)| place(words)).collect();
    let fired = |event| reading.fired(event).and_then(|line| places[line]);
    events.iter().map(fired).collect()
}

impl Reading<'_> {
    /// The first line of the table that fits the next event.
    fn fired(&mut self, event: &Event) -> Option<usize> {
        let node = event.node as usize;
        let before = (self.fate)(std::mem::replace(&mut self.states[node], event.state));
        let (came, own) = match event.cause {
            Cause::Start => ("start", false),
            Cause::Alarm { .. } => return None,
            Cause::Mail { mail, .. } => self.named(node, &self.mails[mail.0 as usize])?,
        };
        let mut sent = event.sent.iter().map(|sent| &self.mails[sent.mail.0 as usize]);
        let went = sent.find_map(|mail| self.named(node, mail));
        let comes = |words: &str| match words.split_once(' ') {
            None => words == came,
            Some(("own", kind)) => own && kind == came,
            Some(("waking", kind)) => !before.awake && kind == came,
            Some(("unstarted", kind)) => !before.started && kind == came,
            Some(_) => false,
        };
        let goes = |words: &str| match (words, words.split_once(' ')) {
            ("*", _) => true,
            ("", _) => went.is_none(),
            ("lead", _) => event.decided == Some(Status::Leader),
            ("follow", _) => event.decided == Some(Status::Follower),
            (_, Some(("own", kind))) => went == Some((kind, true)),
            (kind, _) => went.is_some_and(|(went, _)| went == kind),
        };
        self.entry.lines.iter().position(|&(what, then, _)| comes(what) && goes(then))
    }

    /// The kind of a message and whether it carries the node's own ID, unless it is an announcement.
    fn named(&self, node: usize, mail: &Mail) -> Option<(&'static str, bool)> {
        let kinds = &self.entry.kinds;
        let kind = kinds.names().nth(mail.kind).filter(|_| !kinds.announces(mail.kind))?;
        Some((kind, mail.short.parse() == Ok(self.ids[node])))
    }
}
