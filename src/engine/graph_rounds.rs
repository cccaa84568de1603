//! The synchronous engine on graphs: every message takes one round, and those of a round are served
//! in the order in which they were sent, whatever the links.
//!
//! Mail comes before alarms, and alarms before a spontaneous start in the same round. While nothing
//! is on its way the clock jumps to the next alarm or start.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use super::judge::Testimony;
use super::outcome::{Counted, Ended, most_sent};
use super::participants::participants;
use super::records::{Flags, Record};
use crate::algorithm::Algorithm;
use crate::model::election::{Election, Starts};
use crate::model::message::{MAX_KINDS, Message};
use crate::model::outcome::{Outcome, Time};
use crate::model::process::{Clock, Outbox, Port, Synchronous};
use crate::model::topology::{Graph, Ports};
use crate::model::violation::Violation;

/// A message on its way, and where it arrives.
#[derive(Debug)]
struct Flight<M> {
    to: u32,
    port: u32,
    message: M,
}

/// A participant and what the engine keeps beside it, side by side: mail comes in no order of the
/// nodes, so every array more would be a cache miss more. So would be a node that begins in one line of
/// the cache and ends in the next.
#[derive(Debug)]
#[repr(align(64))]
struct Node<A> {
    /// With the number of messages sent.
    record: Record,
    process: A,
}

/// What all handlers share.
#[derive(Debug)]
struct Desk<M> {
    /// The mail of the next round.
    next: Vec<Flight<M>>,
    now: u64,
    kinds: [u64; MAX_KINDS],
    listed_ids: u64,
    leaders: Vec<(u32, Time)>,
    /// (round, node, token)
    alarms: BinaryHeap<Reverse<(u64, u32, u64)>>,
    /// Who asked for an alarm beyond the clock.
    beyond: Option<u32>,
}

/// The engine's outbox for one handler.
struct Post<'a, M> {
    me: u32,
    /// In a register while the handler is at work.
    record: Record,
    graph: &'a Graph,
    desk: &'a mut Desk<M>,
}

impl<M: Message> Post<'_, M> {
    /// Counts a message that is sent over so many links.
    #[inline(always)]
    fn count(&mut self, message: &M, links: usize) {
        // The first kind is what the others leave of the total.
        let kind = message.kind();
        if kind > 0 {
            self.desk.kinds[kind] += links as u64;
        }
        self.desk.listed_ids += (links * message.listed_ids()) as u64;
        self.record.add(links as i64);
    }
}

impl<M: Message> Outbox<M> for Post<'_, M> {
    #[inline(always)]
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            self.count(&message, 1);
            let (to, port) = self.graph.peer(self.me, port);
            self.desk.next.push(Flight { to, port: port as u32, message });
        }
    }

    #[inline(always)]
    fn flood(&mut self, degree: usize, but: Option<Port>, message: M) {
        self.count(&message, degree - usize::from(but.is_some()));
        let flight = |&(to, port): &(u32, u32)| Flight { to, port, message: message.clone() };
        let peers = self.graph.peers(self.me);
        let (before, after) = but.map_or((peers, &[][..]), |but| {
            let (before, rest) = peers.split_at(but);
            (before, &rest[1..])
        });
        self.desk.next.extend(before.iter().map(flight));
        self.desk.next.extend(after.iter().map(flight));
    }

    #[inline(always)]
    fn follow_if(&mut self, condition: bool) {
        self.record.follow_if(condition);
    }

    fn lead(&mut self) {
        if !self.record.flags().has(Flags::LEADS) {
            self.record.set(Flags::LEADS);
            self.desk.leaders.push((self.me, Time::Rounds(self.desk.now)));
        }
    }

    #[inline(always)]
    fn started(&self) -> bool {
        self.record.flags().has(Flags::STARTED)
    }
}

impl<M: Message> Clock<M> for Post<'_, M> {
    fn now(&self) -> u64 {
        self.desk.now
    }

    fn wake(&mut self, time: Option<u64>, token: u64) {
        match time {
            Some(time) => self.desk.alarms.push(Reverse((time, self.me, token))),
            None => self.desk.beyond = Some(self.me),
        }
    }
}

/// So many messages ahead, what a message will need is brought into the cache,
const AHEAD: usize = 8;

/// where the nodes take more bytes than these: fewer are in the nearest cache, or soon will be.
const NEAR: usize = 1 << 18;

/// The last round in which anybody may start: far enough from the end of the clock for all that
/// follows.
const LAST_START: u64 = (1 << 53) - 1;

/// A synchronous network that holds one election after another and keeps its buffers.
#[derive(Debug)]
pub struct GraphRounds<A: Algorithm> {
    nodes: Vec<Node<A>>,
    /// The mail of this round.
    round: Vec<Flight<A::Message>>,
    desk: Desk<A::Message>,
    /// How many messages were sent before this round.
    messages: u64,
    /// What is left in the end, by node.
    records: Vec<Record>,
}

impl<A: Algorithm + Synchronous> Default for GraphRounds<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Algorithm + Synchronous> GraphRounds<A> {
    /// A network without buffers yet.
    pub fn new() -> Self {
        let desk = Desk {
            next: Vec::new(),
            now: 0,
            kinds: [0; MAX_KINDS],
            listed_ids: 0,
            leaders: Vec::new(),
            alarms: BinaryHeap::new(),
            beyond: None,
        };
        GraphRounds { nodes: Vec::new(), round: Vec::new(), desk, messages: 0, records: Vec::new() }
    }

    /// Holds one election to the end.
    pub fn run(&mut self, graph: &Graph, election: &Election<'_>) -> Result<Outcome, Violation> {
        self.reset(graph, election);
        let end = self.hold(graph, election)?;
        self.records.clear();
        self.records.extend(self.nodes.iter().map(|node| node.record));
        let leaders = &self.desk.leaders;
        let processes = self.nodes.iter().map(|node| &node.process);
        let Desk { mut kinds, listed_ids, .. } = self.desk;
        kinds[0] = self.messages - kinds[1..].iter().sum::<u64>();
        let max_node_messages = most_sent(&self.records);
        let ended = Ended {
            election,
            model: const { &A::MODEL },
            kinds: const { &A::Message::KINDS },
            records: &self.records,
            testimony: Testimony::of(election, leaders, processes),
            leaders,
            counted: Counted { messages: self.messages, kinds, listed_ids, max_node_messages },
            end: Some(Time::Rounds(end)),
        };
        ended.outcome()
    }

    fn reset(&mut self, graph: &Graph, election: &Election<'_>) {
        self.nodes.clear();
        let nodes = &mut self.nodes;
        participants(graph, election, &mut |process| {
            nodes.push(Node { record: Record::default(), process });
        });
        self.round.clear();
        self.desk.next.clear();
        self.desk.now = 0;
        self.desk.kinds = [0; MAX_KINDS];
        self.desk.listed_ids = 0;
        self.desk.leaders.clear();
        self.desk.alarms.clear();
        self.desk.beyond = None;
        self.messages = 0;
    }

    /// Runs until nothing is left to happen; gives the round of the last delivery. A node starts at
    /// its time unless mail came earlier.
    fn hold(&mut self, graph: &Graph, election: &Election<'_>) -> Result<u64, Violation> {
        let mut end = 0;
        match election.starts {
            Starts::All => {
                (0..election.ids.len() as u32).for_each(|node| self.start(graph, node));
            }
            Starts::At(starts) => {
                if let Some(&(_, node)) = starts.iter().find(|&&(time, _)| time > LAST_START) {
                    return Err(Violation::ClockOverflow(election.ids[node as usize]));
                }
                for &(time, node) in starts {
                    end = self.deliver_until(time, graph, election)?.unwrap_or(end);
                    self.desk.now = time;
                    self.start(graph, node);
                }
            }
        }
        Ok(self.deliver_until(u64::MAX, graph, election)?.unwrap_or(end))
    }

    /// Lets a node start by itself, unless mail has woken it.
    fn start(&mut self, graph: &Graph, me: u32) {
        let Node { record, process } = &mut self.nodes[me as usize];
        if !record.flags().has(Flags::AWAKE) {
            let mut post = Post { me, record: *record, graph, desk: &mut self.desk };
            post.record.set(Flags::INITIATOR);
            process.start(&mut post);
            *record = post.record;
        }
    }

    /// Goes through the rounds up to `last` that have mail or alarms; gives the number of the last one
    /// that had mail.
    fn deliver_until(
        &mut self,
        last: u64,
        graph: &Graph,
        election: &Election<'_>,
    ) -> Result<Option<u64>, Violation> {
        // Who is asked to stop does so though nothing is on its way.
        election.look(self.messages + self.desk.next.len() as u64)?;
        let mut end = None;
        while self.desk.now < last {
            if !self.desk.next.is_empty() {
                self.desk.now += 1;
                end = Some(self.desk.now);
                std::mem::swap(&mut self.round, &mut self.desk.next);
                self.messages += self.round.len() as u64;
                self.deliver(graph, election)?;
            } else {
                match self.desk.alarms.peek() {
                    Some(&Reverse((time, ..))) if time <= last => {
                        self.desk.now = self.desk.now.max(time);
                    }
                    _ => break,
                }
            }
            self.ring_alarms(graph);
        }
        match self.desk.beyond {
            Some(node) => Err(Violation::ClockOverflow(election.ids[node as usize])),
            None => Ok(end),
        }
    }

    /// Lets those act whose alarm is due, after the mail of the round.
    fn ring_alarms(&mut self, graph: &Graph) {
        while let Some(&Reverse((time, me, token))) = self.desk.alarms.peek()
            && time <= self.desk.now
        {
            self.desk.alarms.pop();
            let Node { record, process } = &mut self.nodes[me as usize];
            let mut post = Post { me, record: *record, graph, desk: &mut self.desk };
            process.alarm(token, &mut post);
            *record = post.record;
        }
    }

    /// Delivers the mail of this round.
    ///
    /// It is not inlined: by itself it keeps more of what it needs in registers.
    #[inline(never)]
    fn deliver(&mut self, graph: &Graph, election: &Election<'_>) -> Result<(), Violation> {
        let GraphRounds { nodes, round, desk, messages, .. } = self;
        let nodes = nodes.as_mut_slice();
        let mut room = election.look(*messages)? - *messages;
        let is_far = size_of_val(nodes) > NEAR;
        let mut flights = round.drain(..);
        while let Some(Flight { to: me, port, message }) = flights.next() {
            // Reading what a message will need brings it into the cache.
            if is_far && let Some(later) = flights.as_slice().get(AHEAD) {
                black_box(nodes[later.to as usize].record);
                black_box(graph.peer(later.to, 0));
            }
            let Node { record, process } = &mut nodes[me as usize];
            let mut post = Post { me, record: *record, graph, desk };
            post.record.set(Flags::AWAKE);
            process.receive(port as Port, message, &mut post);
            *record = post.record;
            if desk.next.len() as u64 > room {
                let sent = *messages + desk.next.len() as u64;
                room = election.look(sent)? - *messages;
            }
        }
        Ok(())
    }
}
