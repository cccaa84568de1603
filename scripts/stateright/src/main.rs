//! Every schedule of two elections, by stateright: its own model interface, one thread, breadth first.
//!
//!     cargo run --release -- chang-roberts 7,3,11,1,9,5,12,2,10,6,8,4
//!     cargo run --release -- echo-election 1,2,3,4
//!
//! Links are FIFO, everybody starts before the first message arrives, as in
//! `hustings exact --schedules`; the number of states must be the same.

use std::collections::VecDeque;
use std::time::Instant;

use stateright::{Checker, Model, Property};

type Id = u8;

/// Queues by link and processes by node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Network<P> {
    nodes: Vec<P>,
    links: Vec<VecDeque<Message>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Message {
    Explorer(Id),
    Echo(Id),
}

/// Chang and Roberts' election on a ring; link i goes from node i to the next.
struct ChangRoberts {
    ids: Vec<Id>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    Candidate,
    Follower,
    Leader,
}

impl Model for ChangRoberts {
    type State = Network<Status>;
    type Action = usize;

    fn init_states(&self) -> Vec<Self::State> {
        let links = self.ids.iter().map(|&id| VecDeque::from([Message::Explorer(id)])).collect();
        vec![Network { nodes: vec![Status::Candidate; self.ids.len()], links }]
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<usize>) {
        actions.extend((0..state.links.len()).filter(|&link| !state.links[link].is_empty()));
    }

    fn next_state(&self, state: &Self::State, link: usize) -> Option<Self::State> {
        let mut state = state.clone();
        let (message, to) = (state.links[link].pop_front()?, (link + 1) % self.ids.len());
        let (Message::Explorer(id) | Message::Echo(id)) = message;
        if id > self.ids[to] {
            state.nodes[to] = Status::Follower;
            state.links[to].push_back(message);
        } else if id == self.ids[to] {
            state.nodes[to] = Status::Leader;
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("one leader in the end", |model, state: &Network<Status>| {
            let leaders = state.nodes.iter().filter(|&&status| status == Status::Leader).count();
            let mut actions = Vec::new();
            model.actions(state, &mut actions);
            leaders <= 1 && (leaders == 1 || !actions.is_empty())
        })]
    }
}

/// The echo election on a complete network; link i n + j goes from node i to node j.
struct EchoElection {
    ids: Vec<Id>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    mark: Id,
    parent: Option<u8>,
    open: u8,
    children: u8,
    leads: bool,
}

impl EchoElection {
    fn check(&self, state: &mut Network<Node>, at: usize) {
        let n = self.ids.len();
        let node = &mut state.nodes[at];
        if node.open == 0 {
            match node.parent {
                Some(parent) => {
                    let echo = Message::Echo(node.mark);
                    state.links[at * n + usize::from(parent)].push_back(echo);
                }
                None => node.leads = true,
            }
        }
    }
}

impl Model for EchoElection {
    type State = Network<Node>;
    type Action = usize;

    fn init_states(&self) -> Vec<Self::State> {
        let n = self.ids.len();
        let node = |&mark| Node { mark, parent: None, open: n as u8 - 1, children: 0, leads: false };
        let link = |link: usize| match (link / n, link % n) {
            (from, to) if from != to => VecDeque::from([Message::Explorer(self.ids[from])]),
            _ => VecDeque::new(),
        };
        vec![Network { nodes: self.ids.iter().map(node).collect(), links: (0..n * n).map(link).collect() }]
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<usize>) {
        actions.extend((0..state.links.len()).filter(|&link| !state.links[link].is_empty()));
    }

    fn next_state(&self, state: &Self::State, link: usize) -> Option<Self::State> {
        let n = self.ids.len();
        let mut state = state.clone();
        let (from, to) = (link / n, link % n);
        let message = state.links[link].pop_front()?;
        let node = &mut state.nodes[to];
        match message {
            Message::Explorer(id) if id > node.mark => {
                let (parent, open) = (Some(from as u8), n as u8 - 2);
                *node = Node { mark: id, parent, open, children: 0, leads: false };
                for other in (0..n).filter(|&other| other != to && other != from) {
                    state.links[to * n + other].push_back(message);
                }
                self.check(&mut state, to);
            }
            Message::Explorer(id) if id == node.mark => {
                node.open -= 1;
                self.check(&mut state, to);
            }
            Message::Echo(id) if id == node.mark => {
                node.children |= 1 << from;
                node.open -= 1;
                self.check(&mut state, to);
            }
            Message::Explorer(_) | Message::Echo(_) => {}
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("one leader in the end", |model, state: &Network<Node>| {
            let leaders = state.nodes.iter().filter(|node| node.leads).count();
            let mut actions = Vec::new();
            model.actions(state, &mut actions);
            leaders <= 1 && (leaders == 1 || !actions.is_empty())
        })]
    }
}

fn explore<M>(model: M)
where
    M: Model + Send + Sync + 'static,
    M::State: std::hash::Hash + std::fmt::Debug + Send + Sync + PartialEq + Clone,
    M::Action: std::fmt::Debug + Send + Sync + PartialEq + Clone,
{
    let began = Instant::now();
    let checker = model.checker().threads(1).spawn_bfs().join();
    let seconds = began.elapsed().as_secs_f64();
    checker.assert_properties();
    let states = checker.unique_state_count();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    println!("{states} states, {seconds:.3} s, {:.0} states/s, {peak}", states as f64 / seconds);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let ids = arguments.next().unwrap_or_default();
    let ids = ids.split(',').map(|id| id.parse().expect("IDs are numbers below 256")).collect();
    match name.as_str() {
        "chang-roberts" => explore(ChangRoberts { ids }),
        "echo-election" => explore(EchoElection { ids }),
        _ => eprintln!("use chang-roberts or echo-election, and IDs as in 4,1,3,2"),
    }
}
