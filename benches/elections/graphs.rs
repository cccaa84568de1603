//! Algorithms on graphs, in rounds. Echo-election against its limit, a bare loop that moves and
//! counts the same messages and nothing else, nodes and messages packed into a word each; adoption
//! and GHS, which have more to remember, against echo-election, message by message.

use std::hint::black_box;

use criterion::Criterion;
use hustings::engine::{Registry, Simulator};
use hustings::experiment::cell::{Cell, Setting};
use hustings::model::election::{Election, Starts};
use hustings::model::process::Id;
use hustings::model::stop::NEVER;
use hustings::model::topology::{Graph, Ports};

use super::limits::{Group, Limits, Reach, Sides};
use super::turns::Turns;

const FAMILIES: [(&str, u64); 9] = [
    ("path", 1000),
    ("star", 1000),
    ("random-tree", 10_000),
    ("ring", 1000),
    ("grid", 10_000),
    ("hypercube", 4096),
    ("complete", 200),
    ("erdos-renyi", 10_000),
    ("barabasi-albert:3", 10_000),
];

pub fn bench(criterion: &mut Criterion<Turns>, limits: &mut Limits) {
    let mut group = limits.group(criterion, "graphs");
    for n in [1000, 10_000, 100_000] {
        row(&mut group, "random-regular:4", n, 0.7);
        for name in ["adoption", "ghs"] {
            row_beside_echo(&mut group, name, n);
        }
    }
    for (family, n) in FAMILIES {
        row(&mut group, family, n, 0.7);
    }
}

fn row(group: &mut Group<'_>, family: &str, n: u64, reach: f64) {
    group.row((&format!("echo-election on {family}"), n), Reach::Speed(reach), || {
        let mut echo = Case::new("echo-election", family, n);
        let limit = Packed::new(&echo.graph, &echo.orders);
        assert_eq!(limit.hold(), echo.hold(), "{family}");
        Sides::new(move || _ = black_box(echo.hold()), move || _ = black_box(limit.hold()))
    });
}

fn row_beside_echo(group: &mut Group<'_>, name: &str, n: u64) {
    group.row((&format!("{name}, against echo-election"), n), Reach::Time(4.0), || {
        let [mut ours, mut echo] =
            [name, "echo-election"].map(|it| Case::new(it, "random-regular:4", n));
        let messages = [ours.hold(), echo.hold()];
        Sides::new(move || _ = black_box(ours.hold()), move || _ = black_box(echo.hold()))
            .by_message(messages)
    });
}

/// An algorithm on a network, with the IDs in several orders: one election over and over would be
/// learnt by heart by the branch predictor.
struct Case {
    simulator: Box<dyn Simulator>,
    graph: Graph,
    orders: Vec<Vec<Id>>,
}

impl Case {
    fn new(name: &str, family: &str, n: u64) -> Self {
        let topology = family.parse().expect("a topology");
        let registry = Registry::standard();
        let entry = registry.named(name).expect("registered");
        let cell = Cell::new(entry, Setting { topology, ..Setting::of(n) }).expect("a good cell");
        let mut runs = cell.prepare(1).expect("memory");
        let mut simulator = (cell.algorithm().simulator)();
        let mut order = |run| {
            runs.simulate(run, simulator.as_mut()).expect("a good election");
            runs.ids().to_vec()
        };
        let orders = (0..(100_000 / n).clamp(1, 100)).map(&mut order).collect();
        let graph = runs.graph().expect("drawn").clone();
        Case { simulator, graph, orders }
    }

    /// The messages of one election with every order of the IDs.
    fn hold(&mut self) -> u64 {
        let Case { simulator, graph, orders } = self;
        let hold = |ids: &Vec<Id>| {
            let starts = &Starts::All;
            let election = Election { ids, starts, limit: u64::MAX, coins: 0, stop: &NEVER };
            simulator.run_on(graph, &election, None).expect("a good election").messages
        };
        orders.iter().map(hold).sum()
    }
}

/// A network and its IDs as a bare loop has them that knows how small all numbers are.
struct Packed {
    orders: Vec<Vec<u32>>,
    /// The links of node v are `first[v]..first[v + 1]`.
    first: Vec<u32>,
    /// By link, where a message over it goes: the node in the upper half of the word, and in
    /// the lower half, above the bits of an ID, the port.
    peers: Vec<u64>,
}

/// The bits of an ID in a message.
const ID_BITS: u32 = 20;

/// The bit of a node in a message that makes it an echo.
const ECHO: u64 = 1 << 63;

/// The mark of an initiator's parent.
const NOBODY: u16 = u16::MAX;

/// A node of the bare loop, in eight bytes.
#[derive(Clone, Copy)]
struct Node {
    mark: u32,
    parent: u16,
    open: u16,
}

impl Packed {
    fn new(graph: &Graph, orders: &[Vec<Id>]) -> Self {
        let nodes = 0..graph.nodes() as u32;
        assert!(graph.nodes() < 1 << ID_BITS, "too many nodes");
        assert!(nodes.clone().all(|node| graph.degree(node) < 1 << (32 - ID_BITS)));
        let ends = nodes.clone().scan(0, |links, node| {
            *links += graph.degree(node) as u32;
            Some(*links)
        });
        let links = nodes.flat_map(|node| (0..graph.degree(node)).map(move |port| (node, port)));
        let place = |(node, port)| {
            let (peer, from) = graph.peer(node, port);
            u64::from(peer) << 32 | (from as u64) << ID_BITS
        };
        Packed {
            orders: orders.iter().map(|ids| ids.iter().map(|&id| id as u32).collect()).collect(),
            first: std::iter::once(0).chain(ends).collect(),
            peers: links.map(place).collect(),
        }
    }

    /// The messages of one election with every order of the IDs.
    fn hold(&self) -> u64 {
        self.orders.iter().map(|ids| self.echo(ids)).sum()
    }

    /// Explorers, echoes and the announcement, which is not sent; gives the messages.
    fn echo(&self, ids: &[u32]) -> u64 {
        let Packed { first, peers, .. } = self;
        let links = |node: usize| first[node] as usize..first[node + 1] as usize;
        let node = |(node, &mark)| Node { mark, parent: NOBODY, open: links(node).len() as u16 };
        let mut nodes: Vec<Node> = ids.iter().enumerate().map(node).collect();
        let mut round: Vec<u64> = Vec::with_capacity(peers.len());
        let mut next: Vec<u64> = Vec::with_capacity(peers.len());
        for (node, &id) in ids.iter().enumerate() {
            round.extend(peers[links(node)].iter().map(|peer| peer | u64::from(id)));
        }
        let mut messages = 0;
        while !round.is_empty() {
            messages += round.len() as u64;
            for &message in &round {
                let id = message as u32 & ((1 << ID_BITS) - 1);
                let at = (message >> 32) as usize & (u32::MAX >> 1) as usize;
                let node = &mut nodes[at];
                if id < node.mark {
                    continue;
                }
                if id > node.mark {
                    let parent = (message as u32 >> ID_BITS) as usize;
                    let peers = &peers[links(at)];
                    *node = Node { mark: id, parent: parent as u16, open: peers.len() as u16 - 1 };
                    let explorer = |peer: &u64| peer | u64::from(id);
                    next.extend(peers[..parent].iter().map(explorer));
                    next.extend(peers[parent + 1..].iter().map(explorer));
                } else {
                    node.open -= 1;
                }
                if node.open == 0 && node.parent != NOBODY {
                    let parent = peers[first[at] as usize + usize::from(node.parent)];
                    next.push(ECHO | parent | u64::from(id));
                }
            }
            std::mem::swap(&mut round, &mut next);
            next.clear();
        }
        messages + ids.len() as u64 - 1
    }
}
