//! Algorithms on graphs, in rounds. Echo-election against its limit: a bare loop that moves and
//! counts the same messages and nothing else, nodes and messages packed into a word each; and what a
//! message costs beside it in adoption and in GHS, which have more to remember.

mod ratio;

use hustings::engine::{Registry, Simulator};
use hustings::experiment::cell::{Cell, Setting};
use hustings::model::election::{Election, Starts};
use hustings::model::process::Id;
use hustings::model::stop::NEVER;
use hustings::model::topology::{Graph, Ports};
use ratio::{measure, wanted};

const NETWORKS: [(&str, u64); 13] = [
    ("random-regular:4", 1000),
    ("random-regular:4", 10_000),
    ("random-regular:4", 100_000),
    ("random-regular:4", 1_000_000),
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

/// The others, whose messages are compared with echo-election's.
const OTHERS: [&str; 2] = ["adoption", "ghs"];

fn main() {
    println!(
        "in rounds, everybody starts: echo-election's messages/s as a share of a bare loop's;"
    );
    println!("nanoseconds a message of the bare loop, of echo-election and of others");
    print!("  {:<18} {:>8} {:>8} {:>6} {:>6} {:>6}", "", "n", "E", "share", "bare", "echo");
    OTHERS.iter().for_each(|name| print!(" {name:>8}"));
    println!();
    for (family, n) in NETWORKS {
        if wanted(&format!("{family}/{n}/")) {
            row(family, n);
        }
    }
}

fn row(family: &str, n: u64) {
    let [mut echo, mut adoption, mut ghs] =
        ["echo-election", OTHERS[0], OTHERS[1]].map(|name| Case::new(name, family, n));
    let limit = Packed::new(&echo.graph, &echo.ids);
    assert_eq!(limit.echo(), echo.hold(), "{family}");
    let messages = echo.hold() as f64;
    let measured = measure(
        || _ = std::hint::black_box(limit.echo()),
        || _ = std::hint::black_box(echo.hold()),
    );
    let [bare, ours] = measured.seconds.map(|seconds| 1e9 * seconds / messages);
    print!(
        "  {family:<18} {n:>8} {:>8} {:>6.2} {bare:>6.1} {ours:>6.1}",
        echo.graph.edges(),
        measured.ratio
    );
    let counts = [adoption.hold() as f64, ghs.hold() as f64];
    let measured = measure(
        || _ = std::hint::black_box(adoption.hold()),
        || _ = std::hint::black_box(ghs.hold()),
    );
    for (seconds, messages) in measured.seconds.iter().zip(counts) {
        print!(" {:>8.1}", 1e9 * seconds / messages);
    }
    println!();
}

/// An algorithm on a network.
struct Case {
    simulator: Box<dyn Simulator>,
    graph: Graph,
    ids: Vec<Id>,
}

impl Case {
    fn new(name: &str, family: &str, n: u64) -> Self {
        let topology = family.parse().expect("a topology");
        let registry = Registry::standard();
        let entry = registry.named(name).expect("registered");
        let cell = Cell::new(entry, Setting { topology, ..Setting::of(n) }).expect("a good cell");
        let mut runs = cell.prepare(1).expect("memory");
        let mut simulator = (cell.algorithm().simulator)();
        runs.simulate(0, simulator.as_mut()).expect("a good election");
        let graph = runs.graph().expect("drawn").clone();
        Case { simulator, graph, ids: runs.ids().to_vec() }
    }

    /// The messages of one election.
    fn hold(&mut self) -> u64 {
        let election = Election {
            ids: &self.ids,
            starts: &Starts::All,
            limit: u64::MAX,
            coins: 0,
            stop: &NEVER,
        };
        self.simulator.run_on(&self.graph, &election, None).expect("a good election").messages
    }
}

/// A network and its IDs as a bare loop has them that knows how small all numbers are.
struct Packed {
    ids: Vec<u32>,
    /// The links of node v are `first[v]..first[v + 1]`.
    first: Vec<u32>,
    /// By link, where a message over it goes: the node in the upper half of the word, and above
    /// the bits of an ID in the lower half, the port.
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
    fn new(graph: &Graph, ids: &[Id]) -> Self {
        let nodes = 0..ids.len() as u32;
        assert!(ids.iter().all(|id| id >> ID_BITS == 0), "too many nodes");
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
            ids: ids.iter().map(|&id| id as u32).collect(),
            first: std::iter::once(0).chain(ends).collect(),
            peers: links.map(place).collect(),
        }
    }

    /// Explorers, echoes and the announcement, which is not sent; gives the messages.
    fn echo(&self) -> u64 {
        let Packed { ids, first, peers } = self;
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
