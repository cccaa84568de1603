//! One run, event by event: the rules.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::clock::Moment;
use super::outcome::{Event, Outage, Outcome};
use super::setting::{Losses, Setting, Variant};
use crate::experiment::error::{Error, Result};
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::{Key, Purpose, Stream};
use crate::model::stop::Stop;

/// Who is told what happens: when, at which position, what.
pub type Watch<'a> = &'a mut dyn FnMut(Moment, u32, Event);

/// So many tokens at once are too many: they multiply faster than anybody could count.
const MOST_TOKENS: u64 = 100_000;

/// So many events pass between two looks at whether to stop.
const EVENTS_PER_LOOK: u64 = 1 << 16;

/// Runs the ring; chance has the words of run number `run` under `key`.
pub fn run(
    setting: &Setting,
    key: &Key,
    run: u64,
    stop: &Stop,
    watch: Watch<'_>,
) -> Result<Outcome> {
    setting.check()?;
    let mut ring = Ring::new(setting, Chance::new(key, run), watch);
    let mut events = 0u64;
    while let Some(Reverse((now, step))) = ring.queue.pop() {
        if now > setting.until {
            break;
        }
        ring.go_on_to(now);
        match step {
            Step::Arrive { at, mail: Mail::Token(stamp), .. } => ring.token_arrives(at, stamp),
            Step::Arrive { at, mail: Mail::Vote(candidate), .. } => {
                ring.vote_arrives(at, candidate)
            }
            Step::Forward { at, stamp, .. } => ring.forward(at, stamp),
            Step::Expire { at } => ring.expire(at),
        }
        events += 1;
        if events.is_multiple_of(EVENTS_PER_LOOK) && stop.is_asked() {
            return Err(Error::Interrupted);
        }
        if ring.tokens > MOST_TOKENS {
            let problem = format!("more than {MOST_TOKENS} tokens at time {now}");
            let remedy = "use a longer timer, or end earlier with --until";
            return Err(Input::new("timer", setting.timer, problem, remedy).into());
        }
    }
    Ok(ring.end())
}

/// What tells an older token from a newer one: its generation, then who made it. The first token was
/// made by nobody.
type Stamp = (u64, Option<Id>);

/// What travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mail {
    Token(Stamp),
    Vote(Id),
}

/// What is going to happen. At one time it happens in the order that is derived here: arrivals as they
/// were sent, then forwards by position, then timers by position. So a token that comes in the moment
/// in which the timer runs out comes in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Arrive { sent: u64, at: u32, mail: Mail },
    Forward { at: u32, arrived: u64, stamp: Stamp },
    Expire { at: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Normal,
    Election,
}

struct Node {
    id: Id,
    timeout: Moment,
    mode: Mode,
    electable: bool,
    /// When the timer runs out, unless it is off.
    timer: Option<Moment>,
    /// The newest token seen.
    seen: Stamp,
    /// When the last message over the link to the next node arrives: no other overtakes it.
    last_arrival: Moment,
}

/// What is drawn, each from words of its own.
struct Chance {
    delays: Stream,
    losses: Stream,
    timers: Stream,
}

impl Chance {
    fn new(key: &Key, run: u64) -> Self {
        let [delays, losses, timers] =
            [Purpose::Delays, Purpose::Losses, Purpose::Timers].map(|it| key.stream(run, it));
        Chance { delays, losses, timers }
    }

    fn is_lost(&mut self, losses: &Losses, number: u64) -> bool {
        losses.given.contains(&number) || losses.share > 0.0 && self.losses.unit() < losses.share
    }
}

struct Ring<'a> {
    setting: &'a Setting,
    chance: Chance,
    nodes: Vec<Node>,
    queue: BinaryHeap<Reverse<(Moment, Step)>>,
    now: Moment,
    /// Messages of both kinds, and tokens that arrived: what tells equal steps apart.
    sent: u64,
    arrived: u64,
    /// Tokens that are held or will arrive.
    tokens: u64,
    outcome: Outcome,
    watch: Watch<'a>,
}

impl<'a> Ring<'a> {
    /// Before the first moment: all timers run, and the token arrives at the first node.
    fn new(setting: &'a Setting, mut chance: Chance, watch: Watch<'a>) -> Self {
        let node = |&id: &Id| Node {
            id,
            timeout: setting.timer.draw(&mut chance.timers),
            mode: Mode::Normal,
            electable: false,
            timer: None,
            seen: (0, None),
            last_arrival: Moment::ZERO,
        };
        let nodes: Vec<Node> = setting.ids.iter().map(node).collect();
        let queue = BinaryHeap::new();
        let (now, outcome) = (Moment::ZERO, Outcome::default());
        let mut ring = Ring {
            setting,
            chance,
            nodes,
            queue,
            now,
            sent: 0,
            arrived: 0,
            tokens: 1,
            outcome,
            watch,
        };
        ring.outcome.max_tokens = 1;
        for at in 0..ring.nodes.len() as u32 {
            ring.start_timer(at);
        }
        ring.token_arrives(0, (0, None));
        ring
    }

    // The rules.

    fn token_arrives(&mut self, at: u32, stamp: Stamp) {
        let setting = self.setting;
        let node = &mut self.nodes[at as usize];
        if setting.variant.has_stamps() {
            if stamp < node.seen {
                self.outcome.discarded += 1;
                self.tell(at, Event::Discarded);
                return self.lose_token();
            }
            node.seen = stamp;
        }
        node.mode = Mode::Normal;
        if setting.variant.is_fixed() {
            node.electable = false;
            node.timer = None;
        }
        self.arrived += 1;
        let forward = Step::Forward { at, arrived: self.arrived, stamp };
        self.queue.push(Reverse((self.now.plus(setting.hop.hold), forward)));
        self.tell(at, Event::TokenArrives);
    }

    fn forward(&mut self, at: u32, stamp: Stamp) {
        self.outcome.token_messages += 1;
        let number = self.outcome.token_messages;
        let lost = self.chance.is_lost(&self.setting.lose, number);
        self.start_timer(at);
        self.tell(at, Event::Forwarded { number, lost });
        if lost {
            self.outcome.losses += 1;
            self.lose_token();
        } else {
            self.send(at, Mail::Token(stamp));
        }
    }

    fn expire(&mut self, at: u32) {
        let is_retry = self.setting.variant == Variant::Retry;
        let node = &mut self.nodes[at as usize];
        if node.timer != Some(self.now) {
            return; // It was switched off, or started anew.
        }
        node.timer = None;
        if node.mode == Mode::Election && !self.setting.live && !is_retry {
            return;
        }
        let spurious = self.tokens > 0;
        self.outcome.expiries.push((self.now, at));
        self.outcome.spurious += u64::from(spurious);
        match self.outcome.outages.last_mut() {
            Some(outage) if !spurious && outage.detection.is_none() => {
                outage.detection = Some(self.now.since(outage.begin));
            }
            _ => {}
        }
        self.tell(at, Event::Expired { spurious });
        self.call_election(at);
    }

    fn vote_arrives(&mut self, at: u32, candidate: Id) {
        let is_fixed = self.setting.variant.is_fixed();
        let node = &mut self.nodes[at as usize];
        if candidate > node.id {
            node.electable = false;
            self.enter_election(at);
            self.vote(at, candidate);
        } else if candidate < node.id {
            if node.mode == Mode::Normal {
                self.call_election(at);
            }
        } else if node.electable {
            node.electable = !is_fixed;
            let stamp = (node.seen.0 + 1, Some(node.id));
            self.outcome.elected.push((self.now, at));
            self.tell(at, Event::Elected);
            self.make_token();
            self.token_arrives(at, stamp);
        } else if !is_fixed {
            self.enter_election(at);
        }
    }

    fn call_election(&mut self, at: u32) {
        self.nodes[at as usize].electable = true;
        // Whoever calls again waits again.
        self.nodes[at as usize].mode = Mode::Normal;
        self.enter_election(at);
        self.vote(at, self.nodes[at as usize].id);
    }

    fn enter_election(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        if self.setting.variant == Variant::Retry && node.mode == Mode::Normal {
            self.set_timer(at, self.setting.patience());
        }
        self.nodes[at as usize].mode = Mode::Election;
    }

    // What the rules need.

    fn start_timer(&mut self, at: u32) {
        self.set_timer(at, self.nodes[at as usize].timeout);
    }

    fn set_timer(&mut self, at: u32, time: Moment) {
        let end = self.now.plus(time);
        self.nodes[at as usize].timer = Some(end);
        self.queue.push(Reverse((end, Step::Expire { at })));
    }

    fn vote(&mut self, at: u32, candidate: Id) {
        self.outcome.election_messages += 1;
        let number = self.outcome.election_messages;
        let lost = self.chance.is_lost(&self.setting.lose_election, number);
        self.tell(at, Event::Sent { candidate, number, lost });
        if lost {
            self.outcome.election_losses += 1;
        } else {
            self.send(at, Mail::Vote(candidate));
        }
    }

    /// Sends a message to the next node.
    fn send(&mut self, at: u32, mail: Mail) {
        self.sent += 1;
        let delay = self.setting.hop.delay.draw(&mut self.chance.delays);
        let next = (at + 1) % self.nodes.len() as u32;
        let node = &mut self.nodes[at as usize];
        node.last_arrival = node.last_arrival.max(self.now.plus(delay));
        let step = Step::Arrive { sent: self.sent, at: next, mail };
        self.queue.push(Reverse((node.last_arrival, step)));
    }

    fn make_token(&mut self) {
        if self.tokens == 0
            && let Some(outage) = self.outcome.outages.last_mut()
        {
            outage.recovery = Some(self.now.since(outage.begin));
        }
        self.tokens += 1;
        self.outcome.max_tokens = self.outcome.max_tokens.max(self.tokens);
    }

    fn lose_token(&mut self) {
        self.tokens -= 1;
        if self.tokens == 0 {
            let outage = Outage { begin: self.now, detection: None, recovery: None };
            self.outcome.outages.push(outage);
        }
    }

    /// Lets time pass.
    fn go_on_to(&mut self, now: Moment) {
        let shared = &mut self.outcome.time_with[self.tokens.min(2) as usize];
        *shared = shared.plus(now.since(self.now));
        self.now = now;
    }

    fn end(mut self) -> Outcome {
        self.go_on_to(self.setting.until);
        self.outcome.tokens_at_end = self.tokens;
        self.outcome
    }

    fn tell(&mut self, at: u32, event: Event) {
        (self.watch)(self.now, at, event);
    }
}
