//! Every order in which messages can arrive: all states that an election on a small network can
//! reach are visited, with an own explorer that shares nothing with the engines.
//!
//! A state is what every node knows, what is on every link, and who has still to start. From each
//! state every start and every delivery of the first message on a link is taken. Where nothing is
//! left to happen, exactly one node leads, the right one, and everybody knows it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use hustings::algorithm::graph::*;
use hustings::algorithm::tree::*;
use hustings::algorithm::{Algorithm, Announced, Elects, Flood, On, Tree};
use hustings::model::message::Message;
use hustings::model::process::{Asynchronous, Id, Local, Outbox, Port};
use hustings::model::random::Coins;
use hustings::model::topology::{Graph, Ports};
use rayon::prelude::*;

/// A node: its process, and what the world knows of it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node<A> {
    process: A,
    /// Whether it may still start by itself.
    may_start: bool,
    started: bool,
    leads: bool,
    follows: bool,
}

/// The outbox of one step.
struct Post<'a, M> {
    started: bool,
    leads: &'a mut bool,
    follows: &'a mut bool,
    sent: Vec<(Port, M)>,
}

impl<M: Message> Outbox<M> for Post<'_, M> {
    fn send_if(&mut self, condition: bool, port: Port, message: M) {
        if condition {
            self.sent.push((port, message));
        }
    }

    fn follow_if(&mut self, condition: bool) {
        *self.follows |= condition;
    }

    fn lead(&mut self) {
        *self.leads = true;
    }

    fn started(&self) -> bool {
        self.started
    }
}

impl<A: Asynchronous> Node<A> {
    fn step(
        &mut self,
        act: impl FnOnce(&mut A, &mut Post<'_, A::Message>),
    ) -> Vec<(Port, A::Message)> {
        // Whom mail wakes starts no more.
        self.may_start = false;
        let Node { process, started, leads, follows, .. } = self;
        let mut post = Post { started: *started, leads, follows, sent: Vec::new() };
        act(process, &mut post);
        post.sent
    }
}

/// Things by number: what occurs again and again is stored once.
struct Numbered<T> {
    numbers: HashMap<T, u16>,
    things: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Numbered { numbers: HashMap::new(), things: Vec::new() }
    }

    fn number(&mut self, thing: T) -> u16 {
        *self.numbers.entry(thing).or_insert_with_key(|thing| {
            self.things.push(thing.clone());
            u16::try_from(self.things.len() - 1).expect("few enough to number")
        })
    }
}

/// The largest network.
const NODES: usize = 4;
const LINKS: usize = NODES * (NODES - 1);

/// The numbers of the nodes' states and of what is on each directed link.
type State = [u16; NODES + LINKS];

/// What happens to a node: it starts, or a message (by number) comes over a port.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Event {
    Start,
    Mail(Port, u16),
}

/// The next state of a node, and what it sends.
type Effect = (u16, Vec<(Port, u16)>);

struct Explorer<'a, A: Asynchronous> {
    graph: &'a Graph,
    nodes: Numbered<Node<A>>,
    messages: Numbered<A::Message>,
    /// What may be on a link, oldest first, by the numbers of its messages; number 0 is nothing.
    queues: Numbered<Vec<u16>>,
    /// What comes of an event at a node.
    steps: HashMap<(u16, Event), Effect>,
}

impl<'a, A> Explorer<'a, A>
where
    A: Algorithm + Asynchronous<Message: Hash + Eq> + Hash + Eq,
{
    fn new(graph: &'a Graph) -> Self {
        let mut queues = Numbered::new();
        queues.number(Vec::new());
        let (nodes, messages) = (Numbered::new(), Numbered::new());
        Explorer { graph, nodes, messages, queues, steps: HashMap::new() }
    }

    fn first_state(&mut self, starters: &BTreeSet<u32>) -> State {
        let id = |node: u32| Id::from(node) + 1;
        let mut state = [0; NODES + LINKS];
        for node in 0..self.graph.nodes() as u32 {
            let neighbours: Vec<Id> = self.graph.neighbours(node).map(id).collect();
            let process = A::new(&Local {
                id: id(node),
                n: self.graph.nodes() as u64,
                coins: Coins::default(),
                degree: self.graph.degree(node),
                neighbours: &neighbours,
                diameter: self.graph.diameter(),
            });
            let may_start = starters.contains(&node);
            let asleep = Node { process, may_start, started: false, leads: false, follows: false };
            state[node as usize] = self.nodes.number(asleep);
        }
        state
    }

    fn step(&mut self, node: u16, event: Event) -> Effect {
        if let Some(known) = self.steps.get(&(node, event)) {
            return known.clone();
        }
        let mut next = self.nodes.things[node as usize].clone();
        let sent = match event {
            Event::Start => {
                next.started = true;
                next.step(|process, post| process.start(post))
            }
            Event::Mail(from, message) => {
                let message = self.messages.things[message as usize].clone();
                next.step(|process, post| process.receive(from, message, post))
            }
        };
        let sent = sent.into_iter().map(|(port, message)| (port, self.messages.number(message)));
        let result = (self.nodes.number(next), sent.collect());
        self.steps.insert((node, event), result);
        self.steps[&(node, event)].clone()
    }

    fn after(&mut self, mut state: State, node: u32, event: Event) -> State {
        let (next, sent) = self.step(state[node as usize], event);
        state[node as usize] = next;
        for (port, message) in sent {
            let place = NODES + self.graph.link(node, port);
            let mut queue = self.queues.things[state[place] as usize].clone();
            queue.push(message);
            state[place] = self.queues.number(queue);
        }
        state
    }

    /// All states that can come next.
    fn successors(&mut self, state: &State) -> Vec<State> {
        let mut successors = Vec::new();
        for node in 0..self.graph.nodes() as u32 {
            if self.nodes.things[state[node as usize] as usize].may_start {
                successors.push(self.after(*state, node, Event::Start));
            }
            for port in 0..self.graph.degree(node) {
                let place = NODES + self.graph.link(node, port);
                if let Some((&first, rest)) =
                    self.queues.things[state[place] as usize].split_first()
                {
                    let (peer, from) = self.graph.peer(node, port);
                    let rest = rest.to_vec();
                    let mut taken = *state;
                    taken[place] = self.queues.number(rest);
                    successors.push(self.after(taken, peer, Event::Mail(from, first)));
                }
            }
        }
        successors
    }

    /// The verdict on a state in which nothing can happen any more.
    fn judge(&self, state: &State) -> Result<(), String> {
        let nodes = || {
            let state = state[..self.graph.nodes()].iter();
            (1..).zip(state.map(|&node| &self.nodes.things[node as usize]))
        };
        let leaders: Vec<Id> = nodes().filter(|(_, it)| it.leads).map(|(id, _)| id).collect();
        let &[leader] = leaders.as_slice() else { return Err(format!("leaders: {leaders:?}")) };
        let expected = match A::MODEL.elects {
            Elects::LargestId => nodes().map(|(id, _)| id).max(),
            Elects::LargestInitiator => {
                nodes().filter(|(_, it)| it.started).map(|(id, _)| id).max()
            }
            Elects::Somebody => Some(leader),
            other => panic!("{other:?} is not explored here"),
        };
        if expected != Some(leader) {
            return Err(format!("{leader} was elected, not {expected:?}"));
        }
        for (id, node) in nodes().filter(|_| A::MODEL.announces) {
            if node.follows == (id == leader) {
                return Err(format!("{id} has decided wrongly"));
            }
            if node.process.leader() != Some(leader) {
                return Err(format!("{id} takes {:?} for the leader", node.process.leader()));
            }
        }
        Ok(())
    }
}

/// Visits all states; how many there are.
fn explore<A>(graph: &Graph, starters: &BTreeSet<u32>) -> usize
where
    A: Algorithm + Asynchronous<Message: Hash + Eq> + Hash + Eq,
{
    let mut explorer = Explorer::<A>::new(graph);
    let first = explorer.first_state(starters);
    let mut seen = HashSet::from([first]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        let successors = explorer.successors(&state);
        if successors.is_empty()
            && let Err(problem) = explorer.judge(&state)
        {
            panic!("{} on {graph:?}, {starters:?} start: {problem}", A::NAME);
        }
        open.extend(successors.into_iter().filter(|&next| seen.insert(next)));
    }
    seen.len()
}

/// All labelled connected graphs of `n` nodes, or all labelled trees.
fn graphs(n: u32, on: On) -> Vec<Graph> {
    let pairs: Vec<(u32, u32)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    (0u32..1 << pairs.len())
        .map(|chosen| {
            let taken = pairs.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
            Graph::new(n, &taken.map(|(_, &pair)| pair).collect::<Vec<_>>())
        })
        .filter(|graph| graph.is_connected())
        .filter(|graph| on == On::Graphs || graph.edges() + 1 == u64::from(n))
        .collect()
}

fn subsets(n: u32) -> impl Iterator<Item = BTreeSet<u32>> {
    (1u32..1 << n).map(move |chosen| (0..n).filter(|node| chosen >> node & 1 == 1).collect())
}

/// All networks up to `largest` nodes x all initiator sets x all orders.
fn every_order_elects<A>(largest: u32)
where
    A: Algorithm + Asynchronous<Message: Hash + Eq> + Hash + Eq,
{
    for n in 1..=largest {
        let graphs = graphs(n, A::MODEL.on);
        let cases: Vec<_> =
            graphs.iter().flat_map(|graph| subsets(n).map(move |set| (graph, set))).collect();
        let states: usize = cases.par_iter().map(|(graph, set)| explore::<A>(graph, set)).sum();
        println!("{}: n = {n}, {} cases, {states} states", A::NAME, cases.len());
    }
}

#[test]
fn there_are_as_many_labelled_graphs_and_trees_as_the_textbook_says() {
    // OEIS A001187 and Cayley's n^(n-2).
    assert_eq!([1, 2, 3, 4].map(|n| graphs(n, On::Graphs).len()), [1, 1, 4, 38]);
    assert_eq!([1, 2, 3, 4].map(|n| graphs(n, On::Trees).len()), [1, 1, 3, 16]);
}

/// A fault that only some orders show must be found, or the explorer finds nothing.
#[test]
#[should_panic(expected = "leaders: []")]
fn a_node_that_forgets_its_echo_is_found() {
    every_order_elects::<forgetful::Forgetful>(3);
}

/// Echo election in which a node with one link never echoes.
mod forgetful {
    use super::*;
    use hustings::algorithm::Model;
    use hustings::model::process::Process;

    #[derive(Debug, Clone, PartialEq, Eq, Hash)]
    pub struct Forgetful(EchoElection, usize);

    struct Mute<'a, O>(&'a mut O, bool);

    impl<O: Outbox<Wave>> Outbox<Wave> for Mute<'_, O> {
        fn send_if(&mut self, condition: bool, port: Port, message: Wave) {
            let muted = self.1 && matches!(message, Wave::Echo(_));
            self.0.send_if(condition && !muted, port, message);
        }
        fn follow_if(&mut self, condition: bool) {
            self.0.follow_if(condition);
        }
        fn lead(&mut self) {
            self.0.lead();
        }
        fn started(&self) -> bool {
            self.0.started()
        }
    }

    impl Process for Forgetful {
        type Message = Wave;
        fn new(local: &Local) -> Self {
            Forgetful(EchoElection::new(local), local.degree)
        }
    }

    impl Asynchronous for Forgetful {
        fn start(&mut self, out: &mut impl Outbox<Wave>) {
            self.0.start(&mut Mute(out, self.1 == 1));
        }
        fn receive(&mut self, from: Port, message: Wave, out: &mut impl Outbox<Wave>) {
            self.0.receive(from, message, &mut Mute(out, self.1 == 1));
        }
    }

    impl Algorithm for Forgetful {
        const NAME: &'static str = "forgetful";
        const SUMMARY: &'static str = "";
        const SOURCE: &'static str = "";
        const MODEL: Model = EchoElection::MODEL;
    }
}

#[test]
fn every_order_of_echo_election_elects() {
    every_order_elects::<EchoElection>(4);
    every_order_elects::<Announced<EchoElection, Tree>>(3);
}

#[test]
fn every_order_of_tree_elections_elects() {
    every_order_elects::<TreeWakeup>(4);
    every_order_elects::<TreeWaves>(4);
    every_order_elects::<TreeFrugal>(4);
}

#[test]
fn every_order_of_depth_first_tokens_elects() {
    every_order_elects::<Announced<DfsPath, Tree>>(4);
    every_order_elects::<Announced<DfsColour, Tree>>(4);
}

#[test]
fn every_order_of_conquests_elects() {
    every_order_elects::<Adoption>(4);
    every_order_elects::<Waiting>(4);
    every_order_elects::<Announced<Adoption, Tree>>(3);
    every_order_elects::<Announced<Waiting, Tree>>(3);
}

#[test]
fn every_order_of_extinguished_waves_elects() {
    every_order_elects::<Extinction<EchoWave>>(4);
    every_order_elects::<Extinction<TokenWave<Tarry>>>(4);
    every_order_elects::<Extinction<TokenWave<DepthFirst>>>(4);
    every_order_elects::<Announced<Extinction<EchoWave>, Flood>>(3);
}

#[test]
fn every_order_of_waves_that_carry_the_largest_elects() {
    every_order_elects::<Phase>(4);
    every_order_elects::<Finn>(3);
}

#[test]
fn every_order_of_ghs_elects() {
    every_order_elects::<Ghs>(4);
    every_order_elects::<Announced<Ghs, Tree>>(3);
}

#[test]
fn every_order_of_kkm_elects() {
    every_order_elects::<Kkm<Tarry>>(4);
    every_order_elects::<Kkm<AlongPath>>(4);
    every_order_elects::<Announced<Kkm<Tarry>, Flood>>(3);
}
