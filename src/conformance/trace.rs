//! Who sent what to whom: an algorithm that writes down what its nodes do.

use std::cell::RefCell;

use crate::algorithm::count::Counter;
use crate::algorithm::{Algorithm, Model};
use crate::model::message::Message;
use crate::model::process::{
    Asynchronous, Clock, Id, Local, NEXT, Outbox, Port, Process, Synchronous,
};
use crate::model::theory::{Case, Facts};

/// So many steps are shown.
const SHOWN: usize = 40;

/// What the nodes of one election did, step by step.
#[derive(Debug, Default)]
struct Log {
    /// Whether anything is written down.
    on: bool,
    /// The IDs in ring order.
    ids: Vec<Id>,
    lines: Vec<String>,
    steps: usize,
}

thread_local! {
    // Handlers know nothing but their node, and engines keep no log.
    static LOG: RefCell<Log> = RefCell::default();
}

/// The steps of the election that `hold` holds on this thread among nodes of these IDs.
pub(super) fn record(ids: &[Id], hold: impl FnOnce()) -> Vec<String> {
    LOG.with_borrow_mut(|log| *log = Log { on: true, ids: ids.to_vec(), ..Log::default() });
    hold();
    let Log { mut lines, steps, .. } = LOG.take();
    if steps > lines.len() {
        lines.push(format!("... and {} steps more", steps - lines.len()));
    }
    lines
}

impl Log {
    /// The ID of the neighbour behind a port.
    fn peer(&self, id: Id, port: Port) -> String {
        let n = self.ids.len();
        let Some(place) = self.ids.iter().position(|&other| other == id) else {
            return "?".to_owned();
        };
        let step = if port == NEXT { 1 } else { n - 1 };
        self.ids[(place + step) % n].to_string()
    }

    fn direction(port: Port) -> &'static str {
        if port == NEXT { "clockwise" } else { "anticlockwise" }
    }
}

/// One step of one node: what it was told, and what it does.
struct Step<'a, O> {
    out: &'a mut O,
    id: Id,
    /// Whether it is written down.
    shown: bool,
    text: String,
    effects: usize,
}

impl<O> Step<'_, O> {
    fn effect(&mut self, text: impl FnOnce() -> String) {
        if self.shown {
            self.text += if self.effects == 0 { ": " } else { ", " };
            self.text += &text();
            self.effects += 1;
        }
    }
}

impl<M: Message, O: Outbox<M>> Outbox<M> for Step<'_, O> {
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            let id = self.id;
            self.effect(|| {
                let peer = LOG.with_borrow(|log| log.peer(id, port));
                format!("sends {message:?} {} to {peer}", Log::direction(port))
            });
        }
        self.out.send_if(condition, port, message);
    }

    fn follow_if(&mut self, condition: bool) {
        if condition {
            self.effect(|| "follows".to_owned());
        }
        self.out.follow_if(condition);
    }

    fn lead(&mut self) {
        self.effect(|| "leads".to_owned());
        self.out.lead();
    }

    fn started(&self) -> bool {
        self.out.started()
    }
}

impl<M: Message, O: Clock<M>> Clock<M> for Step<'_, O> {
    fn now(&self) -> u64 {
        self.out.now()
    }

    fn wake(&mut self, time: Option<u64>, token: u64) {
        self.effect(|| match time {
            Some(time) => format!("sets an alarm for {time}"),
            None => "sets an alarm beyond the clock".to_owned(),
        });
        self.out.wake(time, token);
    }
}

/// Carries out one step, and writes it down if somebody watches.
fn step<O>(
    id: Id,
    told: impl FnOnce(&Log) -> String,
    out: &mut O,
    act: impl FnOnce(&mut Step<'_, O>),
) {
    let shown = LOG.with_borrow_mut(|log| {
        log.steps += usize::from(log.on);
        log.on && log.lines.len() < SHOWN
    });
    let text = if shown { LOG.with_borrow(told) } else { String::new() };
    let mut step = Step { out, id, shown, text, effects: 0 };
    act(&mut step);
    if shown {
        let Step { mut text, effects, .. } = step;
        if effects == 0 {
            text += ": nothing";
        }
        LOG.with_borrow_mut(|log| log.lines.push(format!("{id} {text}")));
    }
}

fn gets<M: Message>(id: Id, from: Port, message: M) -> impl FnOnce(&Log) -> String {
    move |log| format!("gets {message:?} from {}", log.peer(id, from))
}

/// What both kinds of watched algorithms share; they are two types because an algorithm is
/// synchronous in one way only.
macro_rules! watched {
    ($name:ident) => {
        #[derive(Debug, Clone)]
        pub(super) struct $name<A> {
            inner: A,
            id: Id,
        }

        impl<A: PartialEq> PartialEq for $name<A> {
            /// The ID is ours, not the algorithm's: anonymous nodes must stay alike.
            fn eq(&self, other: &Self) -> bool {
                self.inner == other.inner
            }
        }

        impl<A: Process> Process for $name<A> {
            type Message = A::Message;

            fn new(local: &Local) -> Self {
                $name { inner: A::new(local), id: local.id }
            }

            fn rounds(&self) -> Option<u64> {
                self.inner.rounds()
            }

            fn leader(&self) -> Option<Id> {
                self.inner.leader()
            }
        }

        impl<A: Algorithm> Algorithm for $name<A> {
            const NAME: &'static str = A::NAME;
            const SUMMARY: &'static str = A::SUMMARY;
            const SOURCE: &'static str = A::SOURCE;
            const MODEL: Model = A::MODEL;
            const COUNTER: Option<Counter> = A::COUNTER;

            fn facts(case: &Case) -> Facts {
                A::facts(case)
            }

            fn best_ring(n: u32) -> Option<Vec<u32>> {
                A::best_ring(n)
            }

            fn worst_ring(n: u32) -> Option<Vec<u32>> {
                A::worst_ring(n)
            }
        }
    };
}

watched!(Watched);
watched!(WatchedInRounds);

impl<A: Asynchronous> Asynchronous for Watched<A> {
    fn start(&mut self, out: &mut impl Outbox<A::Message>) {
        step(self.id, |_| "starts".to_owned(), out, |out| self.inner.start(out));
    }

    fn receive(&mut self, from: Port, message: A::Message, out: &mut impl Outbox<A::Message>) {
        let told = gets(self.id, from, message.clone());
        step(self.id, told, out, |out| self.inner.receive(from, message, out));
    }
}

impl<A: Synchronous> Synchronous for WatchedInRounds<A> {
    fn start(&mut self, out: &mut impl Clock<A::Message>) {
        step(self.id, |_| "starts".to_owned(), out, |out| self.inner.start(out));
    }

    fn receive(&mut self, from: Port, message: A::Message, out: &mut impl Clock<A::Message>) {
        let told = gets(self.id, from, message.clone());
        step(self.id, told, out, |out| self.inner.receive(from, message, out));
    }

    fn alarm(&mut self, token: u64, out: &mut impl Clock<A::Message>) {
        let now = out.now();
        let told = move |_: &Log| format!("has its alarm at {now}");
        step(self.id, told, out, |out| self.inner.alarm(token, out));
    }
}
