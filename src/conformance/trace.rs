//! Who sent what to whom: an algorithm that writes down what its nodes do.

use std::cell::RefCell;

use super::network::Network;
use super::trial::Trial;
use crate::algorithm::count::Counter;
use crate::algorithm::{Algorithm, Model};
use crate::model::process::{
    Asynchronous, Clock, Id, Local, Message, NEXT, Outbox, Port, Process, Synchronous,
};
use crate::model::theory::{Case, Facts};

/// So many steps are shown.
const SHOWN: usize = 40;

/// What the nodes of one election did, step by step.
#[derive(Debug, Default)]
struct Log {
    /// The election; nothing is written down while there is none.
    trial: Option<Trial>,
    lines: Vec<String>,
    steps: usize,
}

thread_local! {
    // Handlers know nothing but their node, and engines keep no log.
    static LOG: RefCell<Log> = RefCell::default();
}

/// The steps of the election that `hold` holds on this thread.
pub(super) fn record(trial: &Trial, hold: impl FnOnce()) -> Vec<String> {
    LOG.set(Log { trial: Some(trial.clone()), ..Log::default() });
    hold();
    let Log { mut lines, steps, .. } = LOG.take();
    if steps > lines.len() {
        lines.push(format!("... and {} steps more", steps - lines.len()));
    }
    lines
}

impl Log {
    /// Where a message goes by a port, or comes from: the neighbour's ID, on a ring with the side.
    fn peer(&self, id: Id, port: Port) -> (String, &'static str) {
        let Some(Trial { network, ids, .. }) = &self.trial else { return (String::new(), "") };
        let node = ids.iter().position(|&other| other == id).unwrap_or(0);
        let peer = network.peer(node as u32, port);
        let side = match network {
            Network::Ring(_) if port == NEXT => " clockwise",
            Network::Ring(_) => " anticlockwise",
            Network::Graph(_) => "",
        };
        (ids[peer as usize].to_string(), side)
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
                let (peer, side) = LOG.with_borrow(|log| log.peer(id, port));
                format!("sends {message:?}{side} to {peer}")
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
        let on = log.trial.is_some();
        log.steps += usize::from(on);
        on && log.lines.len() < SHOWN
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
    move |log| format!("gets {message:?} from {}", log.peer(id, from).0)
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
