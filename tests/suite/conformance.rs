//! The conformance kit: it finds nothing wrong with the library's own algorithms, and finds every
//! fault that is planted on a graph, on the smallest graph that has it. (Faults on rings:
//! `mutations.rs`.)

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hustings::algorithm::graph::{EchoWave, Extinction, Phase};
use hustings::algorithm::ring::{ChangRoberts, HirschbergSinclair, TimeSlice};
use hustings::algorithm::tree::{TreeFrugal, TreeWaves};
use hustings::conformance::{
    self, Failure, Kit, Problem, assert_bound, assert_bound_on_graphs, assert_mean,
    assert_messages, assert_messages_on,
};
use hustings::experiment::error::Error;
use hustings::model::topology::NetworkFile;
use hustings::model::violation::Violation;
use hustings::prelude::*;

use crate::common::{REGISTRY, find};
use crate::faults::{fault, on_graphs, plant};

/// All algorithms on such networks conform, after so many elections at least.
fn conform(on: On, least: u64) {
    for entry in REGISTRY.entries().iter().filter(|entry| entry.model.on == on) {
        let tested = Kit::registered(entry).run().unwrap_or_else(|failure| panic!("{failure}"));
        let least = if entry.synchronous { 1_000 } else { least };
        assert!(tested.elections > least, "{}: {tested:?}", entry.name);
    }
}

#[test]
fn every_ring_algorithm_of_the_registry_conforms() {
    conform(On::Rings, 10_000);
}

#[test]
fn every_tree_algorithm_of_the_registry_conforms() {
    conform(On::Trees, 100_000);
}

#[test]
fn every_graph_algorithm_of_the_registry_conforms() {
    conform(On::Graphs, 100_000);
}

#[test]
fn every_clique_algorithm_of_the_registry_conforms() {
    conform(On::Cliques, 1_000);
}

#[test]
fn one_line_holds_an_algorithm_to_a_number() {
    assert_bound::<ChangRoberts>([1, 5, 40], "n*(n+1)/2");
    assert_bound::<HirschbergSinclair>(2..=7, "5*n*ceil(log2(n))");
    assert_mean::<ChangRoberts>(6, 6.0 * harmonic(6));
    assert_mean::<TimeSlice>(5, 5.0);
    assert_messages::<ChangRoberts>(&[9, 4, 2], 6);
    // Where some start late, a bound in their number says nothing, and nothing is held against it.
    assert_bound_on_graphs::<Extinction<EchoWave>>([1, 4, 9], "2*edges*initiators");
    assert_bound_on_graphs::<Phase>([3, 12], "2*edges*diameter");
    assert_bound_on_graphs::<TreeFrugal>([2, 5, 16], "4*n - 4 - leaves");
    assert_messages_on::<Phase>(&[(0, 1), (1, 2), (2, 3)], &[5, 9, 1, 7], 18);
    assert_messages_on::<Phase>(&[], &[7], 0);
}

/// What a check says when it fails.
fn message(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(check).expect_err("it must fail");
    panic.downcast_ref::<String>().cloned().expect("a sentence")
}

#[test]
fn a_wrong_number_is_refused_with_the_ring_that_shows_it() {
    let text = message(|| assert_bound::<ChangRoberts>(1..=5, "2*n"));
    assert!(text.contains("ring of 4: 9 messages, above 2*n = 8"), "{text}");
    assert!(text.contains("elect --algorithm chang-roberts --ids 4,"), "{text}");
    let text = message(|| assert_mean::<ChangRoberts>(4, 8.0));
    assert!(text.contains("over all rings of 4 is 25/3, not 8"), "{text}");
    let text = message(|| assert_messages::<ChangRoberts>(&[3, 2, 1], 5));
    assert!(text.contains("6 messages, not 5"), "{text}");
    assert!(text.contains("3 starts: sends Candidate(3) clockwise to 2"), "{text}");
    let text = message(|| assert_bound::<ChangRoberts>(1..=5, "2*m"));
    assert!(text.contains("at position 3: there is no m"), "{text}");
    let text = message(|| assert_bound::<ChangRoberts>(1..=5, "1/(n-1)"));
    assert!(text.contains("no value for n = 1"), "{text}");
}

#[test]
fn a_wrong_number_is_refused_with_the_graph_that_shows_it() {
    let text = message(|| assert_bound_on_graphs::<Phase>(1..=4, "2*edges"));
    assert!(text.contains("fails on a tree of 3: 8 messages, above 2*edges = 4"), "{text}");
    assert!(
        text.contains("IDs of nodes 0 to 2: 1 2 3; edges 0-1 0-2; initiators at:0; sync"),
        "{text}"
    );
    let text = message(|| assert_messages_on::<Phase>(&[(0, 1), (1, 2)], &[3, 2, 1], 7));
    assert!(text.contains("fails on a tree of 3: 8 messages, not 7"), "{text}");
    assert!(text.contains("3 starts: sends Best(3) to 2\n"), "{text}");
    let text = message(|| assert_messages_on::<Phase>(&[(0, 1)], &[3, 2, 1], 7));
    assert!(text.contains("n = 3: the edges name 2 nodes"), "{text}");
    let text =
        message(|| assert_messages_on::<TreeWaves>(&[(0, 1), (1, 2), (0, 2)], &[1, 2, 3], 7));
    assert!(text.contains("tree-waves runs on trees only"), "{text}");
    assert!(!text.contains("to see it again"), "{text}");
}

#[test]
fn the_kit_takes_other_sizes_schedules_and_bounds() {
    let kit = || Kit::asynchronous::<ChangRoberts>().largest(3).schedules(2);
    assert_eq!(kit().run().map(|tested| tested.largest).ok(), Some(3));
    // Rings of 3 need at most 6 messages, so the failure is a drawn one, made as small as can be.
    let failure = kit().bound("2*n").expect("a formula").run().expect_err("too tight");
    assert_eq!(failure.trial.ids.len(), 4, "{failure}");
    conformance::check_in_rounds::<TimeSlice>();
    // The same on graphs: the diameter is 2 on some of three nodes, and 3 on paths of four only.
    let kit = || Kit::graph::<Phase>().largest(3).schedules(1);
    assert_eq!(kit().run().map(|tested| tested.largest).ok(), Some(3));
    let failure = kit().bound("4*edges").expect("a formula").run().expect_err("too tight");
    assert_eq!(failure.trial.network.edges(), [(0, 1), (1, 2), (2, 3)], "{failure}");
}

/// The faults of [`RollCall`].
const NONE: u8 = 0;
const LOCAL_MAXIMUM: u8 = 1;
const LEAVES_WAIT: u8 = 2;
const TWICE_IS_NEVER: u8 = 3;
const NO_MEMORY: u8 = 4;
const THIRD_PORT_TWICE: u8 = 5;
const LAST_PORT_LARGEST: u8 = 6;
const HALF_OF_THE_ID: u8 = 7;

const NAMES: [&str; 8] = [
    "roll-call",
    "local-maximum",
    "leaves-wait",
    "twice-is-never",
    "no-memory",
    "third-port-twice",
    "last-port-largest",
    "half-of-the-id",
];

/// Every ID floods the network, and who has heard all n decides; with a fault or without.
#[derive(Debug, Clone, PartialEq)]
struct RollCall {
    fault: u8,
    id: Id,
    n: u64,
    degree: usize,
    heard: BTreeSet<Id>,
    /// The IDs of those neighbours who have called themselves.
    neighbours: BTreeMap<Port, Id>,
}

/// An ID, from its node itself or passed on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    Own(Id),
    Other(Id),
}

kinds! {
    Call {
        Own: "own", |w| w.id;
        Other: "other", |w| w.id;
    }
}

impl Process for RollCall {
    type Message = Call;

    fn new(local: &Local) -> Self {
        let &Local { id, n, degree, .. } = local;
        let (heard, neighbours) = (BTreeSet::new(), BTreeMap::new());
        RollCall { fault: fault(), id, n, degree, heard, neighbours }
    }
}

impl RollCall {
    fn wake(&mut self, out: &mut impl Outbox<Call>) {
        if self.heard.insert(self.id) {
            self.send(Call::Own(self.id), None, out);
        }
    }

    fn send(&mut self, call: Call, from: Option<Port>, out: &mut impl Outbox<Call>) {
        for port in (0..self.degree).filter(|&port| Some(port) != from) {
            out.send(port, call);
            out.send_if(self.fault == THIRD_PORT_TWICE && port == 2, port, call);
        }
        if self.heard.len() as u64 == self.n {
            self.decide(out);
        }
    }

    fn beats(&self, id: Id) -> bool {
        match self.fault {
            HALF_OF_THE_ID => id as u32 > self.id as u32,
            _ => id > self.id,
        }
    }

    fn decide(&mut self, out: &mut impl Outbox<Call>) {
        let is_neighbour = |id: Id| self.neighbours.values().any(|&other| other == id);
        let is_last = |id: Id| self.neighbours.get(&(self.degree - 1)) == Some(&id);
        let counts = |id: Id| match self.fault {
            LOCAL_MAXIMUM => is_neighbour(id),
            LAST_PORT_LARGEST => !is_neighbour(id) || is_last(id),
            _ => true,
        };
        if !self.heard.iter().any(|&id| counts(id) && self.beats(id)) {
            out.lead();
        } else if self.fault != LEAVES_WAIT || self.degree > 1 {
            out.follow();
        }
    }
}

impl Asynchronous for RollCall {
    fn start(&mut self, out: &mut impl Outbox<Call>) {
        self.wake(out);
    }

    fn receive(&mut self, from: Port, call: Call, out: &mut impl Outbox<Call>) {
        self.wake(out);
        let (Call::Own(id) | Call::Other(id)) = call;
        if call == Call::Own(id) {
            self.neighbours.insert(from, id);
        }
        let is_new = self.heard.insert(id);
        if is_new || self.fault == NO_MEMORY {
            self.send(Call::Other(id), Some(from), out);
        } else if self.fault == TWICE_IS_NEVER {
            self.heard.remove(&id);
        }
    }
}

impl Algorithm for RollCall {
    const NAME: &'static str = NAMES[NONE as usize];
    const SUMMARY: &'static str = "every ID floods the network";
    const SOURCE: &'static str = "here";
    const MODEL: Model =
        Model { on: On::Graphs, knows_n: true, ..Model::electing(Elects::LargestId) };

    fn facts(case: &Case) -> Facts {
        let (n, edges) = (u128::from(case.n), u128::from(case.shape.edges));
        Facts::constant(n * (2 * edges + 1 - n), "N(2E - N + 1)", Self::SOURCE)
    }
}

fn roll_call<const FAULT: u8>() -> Entry {
    on_graphs::<RollCall, FAULT>().named(NAMES[FAULT as usize])
}

/// A sound algorithm that claims too much.
macro_rules! claiming {
    ($name:ident, $sound:ty, $called:literal, $model:expr) => {
        #[derive(Debug, Clone, PartialEq)]
        struct $name($sound);

        impl Process for $name {
            type Message = <$sound as Process>::Message;

            fn new(local: &Local) -> Self {
                $name(<$sound>::new(local))
            }

            fn leader(&self) -> Option<Id> {
                self.0.leader()
            }
        }

        impl Asynchronous for $name {
            fn start(&mut self, out: &mut impl Outbox<Self::Message>) {
                Asynchronous::start(&mut self.0, out);
            }

            fn receive(
                &mut self,
                from: Port,
                message: Self::Message,
                out: &mut impl Outbox<Self::Message>,
            ) {
                Asynchronous::receive(&mut self.0, from, message, out);
            }
        }

        impl Algorithm for $name {
            const NAME: &'static str = $called;
            const SUMMARY: &'static str = "claims too much";
            const SOURCE: &'static str = "here";
            const MODEL: Model = $model;
        }
    };
}

claiming!(
    Sleepers,
    Extinction<EchoWave>,
    "sleepers",
    Model { elects: Elects::LargestId, ..Extinction::<EchoWave>::MODEL }
);
claiming!(Overtaken, TreeWaves, "overtaken", Model { needs_fifo: false, ..TreeWaves::MODEL });

/// The smallest election that fails, which its command repeats.
fn caught(entry: Entry) -> Failure {
    let entry = Arc::new(entry);
    caught_by(&Kit::registered(&entry), &entry)
}

fn caught_by(kit: &Kit, entry: &Arc<Entry>) -> Failure {
    let failure = *kit.run().expect_err("a fault");
    let text = failure.to_string();
    assert!(text.contains(" starts: "), "{text}");
    assert!((4..=45).contains(&text.lines().count()), "{text}");
    let (cell, run) = understood(&failure.command, entry);
    let mut simulator = (cell.algorithm().simulator)();
    let again = cell.prepare(1).expect("small").simulate(run, simulator.as_mut());
    match (&failure.problem, again) {
        (Problem::Violation(expected), Err(Error::Violation { violation, .. })) => {
            assert_eq!(violation, *expected, "{text}");
        }
        (Problem::TooMany { messages, .. }, Ok(outcome)) => {
            assert_eq!(outcome.messages, *messages, "{text}");
        }
        (_, again) => panic!("{text}\n{again:?}"),
    }
    failure
}

/// What the command of a failure says: the cell with the network that it writes to a file, and the
/// run.
fn understood(command: &str, entry: &Arc<Entry>) -> (Cell, u64) {
    let (write, elect) = command.split_once(" && ").expect("two commands");
    let [printf, text, to] = &shlex::split(write).expect("a command")[..] else {
        panic!("{write}");
    };
    let path = to.strip_prefix('>').expect("a file");
    let file = NetworkFile::parse(path, &text.replace("\\n", "\n")).expect("a network");
    let words = shlex::split(elect).expect("a command");
    assert_eq!([printf, &words[0], &words[1]], ["printf", "hustings", "elect"]);
    let flags: BTreeMap<&str, &str> =
        words[2..].chunks(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    let flag = |name: &str, usual: &'static str| flags.get(name).map_or(usual, |value| *value);
    assert_eq!(flag("--algorithm", ""), entry.name);
    assert_eq!(flag("--topology", ""), format!("file:{path}"));
    let ids = flag("--ids", "").split(',').map(|id| id.parse().expect("an ID")).collect();
    let setting = Setting {
        topology: Topology::File(Arc::new(file)),
        initiators: flag("--initiators", "all").parse().expect("initiators"),
        timing: flag("--timing", "sync").parse().expect("a timing"),
        ..Setting::given(ids)
    };
    let run = flag("--run", "0").parse().expect("a number");
    (Cell::new(entry, setting).expect("a cell"), run)
}

/// The IDs by node and the edges of the network of a failure.
fn network(failure: &Failure) -> (&[Id], Vec<(u32, u32)>) {
    (&failure.trial.ids, failure.trial.network.edges())
}

#[test]
fn the_same_without_a_fault_conforms() {
    plant(NONE);
    conformance::check_on_graphs::<RollCall>();
}

#[test]
fn local_maxima_are_two_leaders_on_a_path_of_three() {
    let failure = caught(roll_call::<LOCAL_MAXIMUM>());
    assert_eq!(network(&failure), (&[1, 2, 3][..], vec![(0, 1), (0, 2)]), "{failure}");
    assert!(
        matches!(failure.problem, Problem::Violation(Violation::TwoLeaders { .. })),
        "{failure}"
    );
    assert_eq!(failure.trial.timing, Timing::SYNC, "{failure}");
    assert!(failure.to_string().contains("local-maximum fails on a tree of 3: two leaders"));
}

#[test]
fn a_leaf_that_waits_stays_undecided_on_one_edge() {
    let failure = caught(roll_call::<LEAVES_WAIT>());
    assert_eq!(network(&failure), (&[1, 2][..], vec![(0, 1)]), "{failure}");
    assert_eq!(failure.problem, Problem::Violation(Violation::Undecided(1)), "{failure}");
    assert_eq!(failure.trial.initiators.to_string(), "at:0", "{failure}");
}

#[test]
fn a_sleeping_node_with_the_largest_id_does_not_win_on_one_edge() {
    let failure = caught(Entry::graph::<Sleepers>());
    assert_eq!(network(&failure), (&[1, 2][..], vec![(0, 1)]), "{failure}");
    assert_eq!(failure.trial.initiators.to_string(), "at:0", "{failure}");
    let (elected, expected, rule) = (1, 2, Elects::LargestId.rule());
    let wrong = Violation::WrongLeader { elected, expected, rule };
    assert_eq!(failure.problem, Problem::Violation(wrong), "{failure}");
}

#[test]
fn calls_that_nobody_remembers_go_round_a_triangle_for_ever() {
    let failure = caught(roll_call::<NO_MEMORY>());
    assert_eq!(network(&failure), (&[1, 2, 3][..], vec![(0, 1), (0, 2), (1, 2)]), "{failure}");
    assert!(
        matches!(failure.problem, Problem::Violation(Violation::TooManyMessages(_))),
        "{failure}"
    );
    assert!(failure.to_string().contains("fails on a graph of 3 with 3 edges"), "{failure}");
    assert!(failure.to_string().contains("steps more"), "{failure}");
}

#[test]
fn a_message_too_many_needs_a_star_of_four() {
    let failure = caught(roll_call::<THIRD_PORT_TWICE>());
    assert_eq!(network(&failure), (&[1, 2, 3, 4][..], vec![(0, 1), (0, 2), (0, 3)]), "{failure}");
    let Problem::TooMany { most, formula, .. } = &failure.problem else { panic!("{failure}") };
    assert_eq!((*most, formula.as_str()), (12.0, "N(2E - N + 1)"), "{failure}");
}

#[test]
fn what_is_heard_twice_and_forgotten_needs_a_triangle_and_late_messages() {
    let failure = caught(roll_call::<TWICE_IS_NEVER>());
    assert_eq!(network(&failure), (&[1, 2, 3][..], vec![(0, 1), (0, 2), (1, 2)]), "{failure}");
    assert_eq!(failure.trial.timing.to_string(), "lifo", "{failure}");
}

#[test]
fn an_algorithm_that_needs_fifo_is_caught_without_on_one_edge() {
    let failure = caught(Entry::graph::<Overtaken>());
    assert_eq!(network(&failure), (&[1, 2][..], vec![(0, 1)]), "{failure}");
    assert_eq!(failure.trial.timing.to_string(), "lifo+no-fifo", "{failure}");
}

#[test]
fn ports_that_are_not_in_the_order_of_ids_are_tried_too() {
    let failure = caught(roll_call::<LAST_PORT_LARGEST>());
    assert_eq!(network(&failure), (&[3, 2, 1][..], vec![(0, 1), (1, 2)]), "{failure}");
    assert_eq!((failure.trial.timing, failure.trial.run), (Timing::SYNC, 0), "{failure}");
}

#[test]
fn comparing_half_of_an_id_shrinks_to_one_edge_and_a_large_id() {
    // Small elections have small IDs, so a drawn one finds it.
    let entry = Arc::new(roll_call::<HALF_OF_THE_ID>());
    let failure = caught_by(&Kit::registered(&entry).largest(2), &entry);
    assert_eq!(network(&failure).1, [(0, 1)], "{failure}");
    assert!(failure.trial.ids.iter().any(|&id| id > u64::from(u32::MAX)), "{failure}");
}

#[test]
fn a_command_can_be_pasted_into_a_shell() {
    let kit = Kit::registered(find("echo-election"));
    let failure = kit.bound("2*edges + n").expect("a formula").run().expect_err("too tight");
    let Problem::TooMany { messages, .. } = failure.problem else { panic!("{failure}") };
    let program = Path::new(env!("CARGO_BIN_EXE_hustings"));
    let path = std::env::var("PATH").expect("a path");
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new("sh")
        .args(["-c", &failure.command])
        .current_dir(&folder)
        .env("PATH", format!("{}:{path}", program.parent().expect("a folder").display()))
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let told = text.lines().find_map(|line| line.trim().strip_prefix("messages "));
    assert_eq!(told.map(str::trim), Some(messages.to_string().as_str()), "{text}");
}
