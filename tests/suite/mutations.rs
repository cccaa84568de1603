//! Small faults planted in algorithms: each is caught, by the conformance kit with the smallest
//! ring that shows it, or by the gate.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use hustings::algorithm::count::{Count, Counter, Ranked, Scratch};
use hustings::algorithm::ring::{ChangRoberts, Peterson};
use hustings::algorithm::{Algorithm, Announced, Elects, Model};
use hustings::check::{
    Baseline, Counts, Ending, Measured, Mode, Options, Report, Verdict, check, output,
};
use hustings::conformance::{Failure, Kit, Problem};
use hustings::engine::{Entry, Registry};
use hustings::experiment::bounds::{Bound, Of};
use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::spec::Spec;
use hustings::experiment::timing::{Initiators, Timing};
use hustings::model::message::*;
use hustings::model::process::*;
use hustings::model::random::{Key, Purpose};
use hustings::model::theory::{Case, Facts, Holds};
use hustings::model::violation::Violation;
use hustings::results::batch;

use crate::faults::{fault, on_rings};

/// The faults of [`Faulty`].
const NONE: u8 = 0;
const AT_LEAST_FOR_GREATER: u8 = 1;
const FORGOTTEN_SWALLOW: u8 = 2;
const LESS_FOR_GREATER: u8 = 3;
const SLEEPER_SWALLOWS: u8 = 4;
const LOST_ANNOUNCEMENT: u8 = 5;
const EXTRA_HOP: u8 = 6;
const HALF_OF_THE_ID: u8 = 7;
const LEADER_FOLLOWS: u8 = 8;
const WRONG_COUNTER: u8 = 9;

const NAMES: [&str; 10] = [
    "rewritten",
    "at-least-for-greater",
    "forgotten-swallow",
    "less-for-greater",
    "sleeper-swallows",
    "lost-announcement",
    "extra-hop",
    "half-of-the-id",
    "leader-follows",
    "wrong-counter",
];

/// Chang and Roberts' election with an announcement, written anew, with a fault or without.
#[derive(Debug, Clone, PartialEq)]
struct Faulty {
    fault: u8,
    id: Id,
    leader: Option<Id>,
    lap_over: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Candidate(Id),
    Leader(Id),
}

kinds! { Token {
    Candidate: "id", |w| w.id;
    Leader: "leader", |w| w.id, announcing;
} }

impl Process for Faulty {
    type Message = Token;

    fn new(local: &Local) -> Self {
        Faulty { fault: fault(), id: local.id, leader: None, lap_over: false }
    }

    fn leader(&self) -> Option<Id> {
        self.leader
    }
}

impl Faulty {
    /// Whether an ID beats this node's.
    fn beats(&self, q: Id) -> bool {
        match self.fault {
            AT_LEAST_FOR_GREATER => q >= self.id,
            FORGOTTEN_SWALLOW => q != self.id,
            LESS_FOR_GREATER => q < self.id,
            HALF_OF_THE_ID => q as u32 > self.id as u32,
            _ => q > self.id,
        }
    }
}

impl Asynchronous for Faulty {
    fn start(&mut self, out: &mut impl Outbox<Token>) {
        out.send(NEXT, Token::Candidate(self.id));
    }

    fn receive(&mut self, _from: Port, message: Token, out: &mut impl Outbox<Token>) {
        match message {
            Token::Candidate(q)
                if self.beats(q)
                    || (q != self.id && !out.started() && self.fault != SLEEPER_SWALLOWS) =>
            {
                out.follow();
                out.send(NEXT, Token::Candidate(q));
            }
            Token::Candidate(q) if q == self.id => {
                out.lead();
                out.follow_if(self.fault == LEADER_FOLLOWS);
                self.leader = Some(q);
                out.send(NEXT, Token::Leader(q));
            }
            Token::Candidate(_) => {}
            Token::Leader(q) if self.leader == Some(q) => {
                out.send_if(self.fault == EXTRA_HOP && !self.lap_over, NEXT, Token::Leader(q));
                self.lap_over = true;
            }
            Token::Leader(q) => {
                self.leader = Some(q);
                self.lap_over = true;
                out.follow();
                out.send_if(self.fault != LOST_ANNOUNCEMENT, NEXT, Token::Leader(q));
            }
        }
    }
}

/// As many as there are, and one more on rings of three and more.
fn miscount(ring: &Ranked<'_>, scratch: &mut Scratch) -> Option<Count> {
    let counter = Announced::<ChangRoberts>::COUNTER?;
    let mut count = (counter.count)(ring, scratch)?;
    count.kinds[0] += u64::from(ring.n() > 2);
    Some(count)
}

impl Algorithm for Faulty {
    const NAME: &'static str = NAMES[NONE as usize];
    const SUMMARY: &'static str = "with a fault";
    const SOURCE: &'static str = "here";
    const MODEL: Model = Model { announces: true, ..Model::electing(Elects::LargestInitiator) };

    fn facts(case: &Case) -> Facts {
        Announced::<ChangRoberts>::facts(case)
    }
}

/// Peterson's election, which needs FIFO links and says that it does not.
#[derive(Debug, Clone, PartialEq)]
struct Overtaken(Peterson);

impl Process for Overtaken {
    type Message = <Peterson as Process>::Message;

    fn new(local: &Local) -> Self {
        Overtaken(Peterson::new(local))
    }

    fn leader(&self) -> Option<Id> {
        self.0.leader()
    }
}

impl Asynchronous for Overtaken {
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

impl Algorithm for Overtaken {
    const NAME: &'static str = "overtaken";
    const SUMMARY: &'static str = "claims to need no FIFO links";
    const SOURCE: &'static str = "here";
    const MODEL: Model = Model { needs_fifo: false, ..Peterson::MODEL };
}

/// Time slices that are two rounds too short for the winner's lap.
#[derive(Debug, Clone, PartialEq)]
struct ShortSlice {
    id: Id,
    n: u64,
    decided: bool,
}

impl Process for ShortSlice {
    type Message = Token;

    fn new(local: &Local) -> Self {
        ShortSlice { id: local.id, n: local.n, decided: false }
    }
}

impl Synchronous for ShortSlice {
    fn start(&mut self, out: &mut impl Clock<Token>) {
        out.wake(self.id.checked_mul(self.n.saturating_sub(2)), 0);
    }

    fn alarm(&mut self, _token: u64, out: &mut impl Clock<Token>) {
        if !self.decided {
            self.decided = true;
            out.lead();
            out.send(NEXT, Token::Leader(self.id));
        }
    }

    fn receive(&mut self, _from: Port, message: Token, out: &mut impl Clock<Token>) {
        if !self.decided {
            self.decided = true;
            out.follow();
            out.send(NEXT, message);
        }
    }
}

impl Algorithm for ShortSlice {
    const NAME: &'static str = "short-slice";
    const SUMMARY: &'static str = "slices that are too short";
    const SOURCE: &'static str = "here";
    const MODEL: Model =
        Model { needs_all: true, knows_n: true, ..Model::electing(Elects::SmallestId) };
}

fn faulty<const FAULT: u8>() -> Entry {
    let counter = Counter { count: miscount, holds: Holds::Always };
    on_rings::<Faulty, FAULT>()
        .named(NAMES[FAULT as usize])
        .counted_by((FAULT == WRONG_COUNTER).then_some(counter))
}

fn caught<const FAULT: u8>() -> Failure {
    told(*Kit::registered(&Arc::new(faulty::<FAULT>())).run().expect_err("a fault"))
}

/// Every failure names its command and shows its steps; both fit on a page.
fn told(failure: Failure) -> Failure {
    let text = failure.to_string();
    let ids: Vec<String> = failure.trial.ids.iter().map(Id::to_string).collect();
    assert!(text.contains(&format!("hustings elect --algorithm {}", failure.algorithm)), "{text}");
    assert!(text.contains(&format!(" --ids {}", ids.join(","))), "{text}");
    assert!(text.contains("starts: sends") || text.contains("starts: sets"), "{text}");
    assert!((4..=45).contains(&text.lines().count()), "{text}");
    failure
}

fn violation(failure: &Failure) -> &Violation {
    match &failure.problem {
        Problem::Violation(violation) => violation,
        other => panic!("{other}"),
    }
}

#[test]
fn the_same_without_a_fault_conforms() {
    let tested = Kit::registered(&Arc::new(faulty::<NONE>())).run();
    assert!(tested.is_ok_and(|tested| tested.elections > 10_000));
}

#[test]
fn at_least_for_greater_never_ends_on_a_ring_of_one() {
    let failure = caught::<AT_LEAST_FOR_GREATER>();
    assert_eq!(failure.trial.ids, [1]);
    assert!(matches!(violation(&failure), Violation::TooManyMessages(_)), "{failure}");
    assert!(failure.to_string().contains("steps more"), "{failure}");
}

#[test]
fn a_forgotten_swallow_never_ends_on_a_ring_of_two() {
    let failure = caught::<FORGOTTEN_SWALLOW>();
    assert_eq!(failure.trial.ids, [2, 1]);
    assert_eq!(failure.trial.initiators, Initiators::All);
    // Both lead, and their announcements chase each other.
    assert!(matches!(violation(&failure), Violation::TooManyMessages(_)), "{failure}");
    assert_eq!(failure.to_string().matches(", leads").count(), 2, "{failure}");
}

#[test]
fn less_for_greater_elects_the_wrong_one_of_two() {
    let failure = caught::<LESS_FOR_GREATER>();
    assert_eq!(failure.trial.ids, [2, 1]);
    let wrong =
        Violation::WrongLeader { elected: 1, expected: 2, rule: Elects::LargestInitiator.rule() };
    assert_eq!(violation(&failure), &wrong, "{failure}");
}

#[test]
fn a_sleeper_that_swallows_stops_a_single_starter() {
    let failure = caught::<SLEEPER_SWALLOWS>();
    assert_eq!(failure.trial.ids, [2, 1]);
    assert_eq!(failure.trial.initiators.to_string(), "at:1");
    assert_eq!(violation(&failure), &Violation::NoLeader, "{failure}");
}

#[test]
fn a_lost_announcement_is_below_the_best_case_of_two() {
    let failure = caught::<LOST_ANNOUNCEMENT>();
    assert_eq!((failure.trial.ids.as_slice(), failure.trial.timing), (&[2, 1][..], Timing::SYNC));
    let formula = "n + k - 1 + n".to_owned();
    assert_eq!(failure.problem, Problem::TooFew { messages: 3, fewest: 4.0, formula });
}

#[test]
fn an_extra_hop_is_above_the_worst_case_of_one() {
    let failure = caught::<EXTRA_HOP>();
    assert_eq!(failure.trial.ids, [1]);
    let formula = "n(n+1)/2 + n".to_owned();
    assert_eq!(failure.problem, Problem::TooMany { messages: 3, most: 2.0, formula });
}

#[test]
fn comparing_half_of_an_id_shrinks_to_two_large_ids() {
    let failure = caught::<HALF_OF_THE_ID>();
    assert_eq!(failure.trial.ids.len(), 2, "{failure}");
    assert!(failure.trial.ids.iter().any(|&id| id > u64::from(u32::MAX)), "{failure}");
    assert_eq!(failure.trial.timing, Timing::SYNC, "{failure}");
}

#[test]
fn a_leader_that_follows_is_caught_alone() {
    let failure = caught::<LEADER_FOLLOWS>();
    assert_eq!(failure.trial.ids, [1]);
    assert_eq!(violation(&failure), &Violation::LeaderFollows(1));
}

#[test]
fn a_counter_that_is_off_by_one_is_caught_where_it_is() {
    let failure = caught::<WRONG_COUNTER>();
    assert_eq!(failure.trial.ids.len(), 3, "{failure}");
    assert!(
        matches!(failure.problem, Problem::Counter { counted, simulated } if counted == simulated + 1)
    );
}

#[test]
fn an_algorithm_that_needs_fifo_is_caught_without() {
    let failure = told(*Kit::asynchronous::<Overtaken>().run().expect_err("a fault"));
    assert!(!failure.trial.timing.fifo, "{failure}");
    assert!(failure.trial.ids.len() <= 4, "{failure}");
    assert!(failure.command.contains("+no-fifo"), "{failure}");
}

#[test]
fn slices_that_are_too_short_make_two_leaders() {
    let failure = told(*Kit::synchronous::<ShortSlice>().run().expect_err("a fault"));
    assert_eq!(failure.trial.ids, [1, 0]);
    assert!(matches!(violation(&failure), Violation::TwoLeaders { .. }), "{failure}");
}

/// The standard algorithms, a sound one more and some with faults.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    Registry::standard()
        .with(faulty::<NONE>())
        .with(faulty::<EXTRA_HOP>())
        .with(faulty::<LEADER_FOLLOWS>())
        .with(faulty::<WRONG_COUNTER>())
});

fn run(folder: &Path, spec: &str) -> Measured {
    let spec = Spec::parse(spec, "spec.toml", "test", &REGISTRY).expect("a good spec");
    batch::run(&spec, folder, &batch::Options::default(), &()).expect("it runs");
    Measured::of(folder, &REGISTRY).expect("results")
}

/// The runs of an algorithm, under the name of another.
fn measured(algorithm: &str, called: &str, more: &str) -> Measured {
    let folder = tempfile::tempdir().expect("a folder");
    let spec = format!("algorithms = '{algorithm}'\n{more}\n");
    let Measured { mut counts, cells, stop_early } = run(&folder.path().join("results"), &spec);
    for cell in &mut counts.cells {
        cell.key.algorithm = called.to_owned();
    }
    // What is compared is what a file holds.
    let counts = Baseline::parse(&counts.to_text(), "test.baseline", &REGISTRY);
    Measured { counts: counts.expect("it reads as it is written"), cells, stop_early }
}

const SMALL: &str = "n = [4, 9]\nruns = 50\ninitiators = ['all', 'count:2']";

fn statistical(before: &Measured, now: &Measured) -> Report {
    let options = Options { mode: Mode::Statistical, ..Options::default() };
    check(now, Some(&before.counts), options).expect("a verdict")
}

#[test]
fn a_pure_refactoring_passes() {
    let before = measured("chang-roberts+announce", "rewritten", SMALL);
    let now = measured("rewritten", "rewritten", SMALL);
    let report = check(&now, Some(&before.counts), Options::default()).expect("a verdict");
    assert_eq!(report.with(Verdict::Equal).count(), 4);
    assert_eq!(report.ending(), Ending::Passed);
    assert_eq!(statistical(&before, &now).ending(), Ending::Passed);
}

#[test]
fn one_message_more_is_a_difference_in_every_run() {
    let before = measured("rewritten", "extra-hop", SMALL);
    let now = measured("extra-hop", "extra-hop", SMALL);
    let report = check(&now, Some(&before.counts), Options::default()).expect("a verdict");
    assert_eq!(report.ending(), Ending::Regression);
    assert_eq!(report.with(Verdict::Differs).count(), 4);
    for cell in &report.cells {
        assert_eq!(cell.differing_runs, 50);
        for (run, difference) in cell.differences.iter().enumerate() {
            assert_eq!((difference.run, difference.now), (run as u64, difference.before + 1));
            assert!(difference.command.contains("hustings elect --algorithm extra-hop --n "));
        }
        assert_eq!(cell.differences.len(), 3);
    }
    // On the same rings, one message in ten or twenty is seen at once.
    assert_eq!(statistical(&before, &now).with(Verdict::Regression).count(), 4);
    let better = statistical(&now, &before);
    assert_eq!((better.with(Verdict::Improved).count(), better.ending()), (4, Ending::Passed));
}

#[test]
fn a_cell_that_stops_elsewhere_differs() {
    let until = "n = 8\nruns = 100000\nuntil = '1%'";
    let before = measured("chang-roberts", "chang-roberts", until);
    let mut now = measured("chang-roberts", "chang-roberts", until);
    assert!(before.counts.cells[0].runs > 1000, "more than are kept one by one");
    now.counts.cells[0].runs += 1;
    let report = check(&now, Some(&before.counts), Options::default()).expect("a verdict");
    assert_eq!(report.ending(), Ending::Regression);
    assert!(output::markdown(&report).contains("it stopped after"));
    // A fixed number of runs is part of the spec.
    now.stop_early = vec![false];
    let error = check(&now, Some(&before.counts), Options::default()).expect_err("another spec");
    assert!(error.to_string().contains("it is of another spec"), "{error}");
}

#[test]
fn an_election_that_goes_wrong_leaves_all_evidence() {
    for (algorithm, words) in [
        ("leader-follows", "the leader 4 has also decided to follow"),
        ("wrong-counter", "the counter says 0,"),
    ] {
        let text = format!("algorithms = '{algorithm}'\nn = 4\nruns = 5\n");
        let spec = Spec::parse(&text, "spec.toml", "test", &REGISTRY).expect("a good spec");
        let folder = tempfile::tempdir().expect("a folder");
        let error = batch::run(&spec, &folder.path().join("a"), &batch::Options::default(), &());
        let error = error.expect_err("it is faulty");
        let report = Report::of_failure(&spec, Options::default(), error).expect("evidence");
        assert_eq!(report.ending(), Ending::Violation);
        let command = format!("hustings elect --algorithm {algorithm} --n 4");
        for page in [
            output::junit(&report),
            output::markdown(&report).replace("\\-", "-"),
            output::annotations(&report),
            output::json(&report).to_string(),
        ] {
            for part in [algorithm, words, &command] {
                assert!(page.contains(part), "{part}: {page}");
            }
        }
        assert_eq!(output::json(&report)["ending"], "violation");
        roxmltree::Document::parse(&output::junit(&report)).expect("XML");
    }
}

#[test]
fn a_stated_bound_catches_what_is_above_it() {
    let mut now = measured("extra-hop", "extra-hop", SMALL);
    for (of, formula, violated) in [
        (Of::Run, "n*(n+1)/2 + n + 1", 0),
        (Of::Run, "n*harmonic(n)", 4),
        (Of::Mean, "n*harmonic(initiators)*1.1 + n + 2", 0),
        (Of::Mean, "n*harmonic(initiators)", 4),
    ] {
        now.counts.bounds =
            vec![Bound::new(&REGISTRY, "extra-hop", of, formula).expect("a formula")];
        let options = Options { mode: Mode::Bounds, ..Options::default() };
        let report = check(&now, None, options).expect("a verdict");
        assert_eq!(report.violated().count(), violated, "{of} {formula}");
    }
}

#[test]
fn another_seed_is_inconclusive_with_few_runs_and_equivalent_with_many() {
    let seed = |seed: u64, runs: u64| {
        measured("chang-roberts", "chang-roberts", &format!("seed = {seed}\nn = 16\nruns = {runs}"))
    };
    let few = statistical(&seed(1, 100), &seed(2, 100));
    assert_eq!((few.cells[0].verdict, few.ending()), (Verdict::Inconclusive, Ending::Inconclusive));
    let wanted = few.cells[0].runs_to_settle.expect("a number");
    assert!((101..500_000).contains(&wanted), "{wanted}");
    let many = statistical(&seed(1, 30_000), &seed(2, 30_000));
    assert_eq!((many.cells[0].verdict, many.ending()), (Verdict::Equivalent, Ending::Passed));
    let tiny = statistical(&seed(1, 29), &seed(2, 29));
    assert_eq!((tiny.cells[0].verdict, tiny.cells[0].estimate), (Verdict::Inconclusive, None));
    assert_eq!(tiny.cells[0].runs_to_settle, Some(30));
}

/// Simulated checks; 4 standard errors of a share of 0.9 are 7 %.
const CHECKS: u64 = 300;

/// What varies from run to run in a cell: nothing, the ring, the graph or the delays.
const FAMILIES: [(&str, &str, &str, &str, u32, u64); 4] = [
    // The runs let a rise of 2 % be found with probability 0.9.
    ("chang-roberts", "ring", "random", "sync", 64, 3_500),
    ("chang-roberts", "ring", "ascending", "sync", 500, 30),
    ("echo-election", "erdos-renyi:0.3", "ascending", "sync", 16, 10_100),
    ("echo-election", "complete", "ascending", "exponential:1", 8, 2_400),
];

/// A cell and the messages of many of its runs, from which samples are drawn.
struct Pool {
    cell: Cell,
    messages: Vec<u64>,
}

impl Pool {
    fn new(
        (algorithm, topology, layout, timing, n, _): (&str, &str, &str, &str, u32, u64),
    ) -> Self {
        let setting = Setting {
            topology: topology.parse().expect("a topology"),
            layout: layout.parse().expect("a layout"),
            timing: timing.parse().expect("a timing"),
            ..Setting::of(u64::from(n))
        };
        let cell = crate::common::cell(algorithm, setting);
        let mut drawn = cell.prepare(1).expect("memory");
        let mut simulator = (cell.algorithm().simulator)();
        let mut run = |run| drawn.simulate(run, simulator.as_mut()).expect("elected").messages;
        Pool { messages: (0..10_000).map(&mut run).collect(), cell }
    }

    /// A sample, raised by so many per ten thousand on average.
    fn sample(&self, seed: u64, runs: u64, rise: u64) -> Measured {
        let mut words = Key::new(seed, "sample", 0, "", "").stream(0, Purpose::Coins);
        let (mut sum, mut squares) = (0, 0);
        for _ in 0..runs {
            let messages = self.messages[words.below(self.messages.len() as u64) as usize];
            // Rounded up or down at random, so that the mean rises by just so much; a cell without
            // chance stays without.
            let part = if self.cell.draws().nothing() { 9_999 } else { words.below(10_000) };
            let messages = messages + (messages * rise + part) / 10_000;
            sum += messages;
            squares += messages * messages;
        }
        let mean = sum as f64 / runs as f64;
        let variance = (runs * squares - sum * sum) as f64 / (runs * (runs - 1)) as f64;
        let cell = Counts {
            key: self.cell.key().clone(),
            runs,
            mean,
            sd: Some(variance.sqrt()),
            min: 0,
            max: u64::MAX,
            max_run: 0,
            hash: String::new(),
            first: Vec::new(),
        };
        let name = "power".to_owned();
        let (bounds, files) = (Vec::new(), BTreeMap::new());
        let counts = Baseline { name, seed, bounds, files, cells: vec![cell] };
        Measured { counts, cells: vec![self.cell.clone()], stop_early: vec![false] }
    }
}

/// How many of the checks come to each verdict, and the mean of the advertised size of a rise.
fn simulate(pool: &Pool, runs: u64, rise: u64, first_seed: u64) -> (u64, u64, f64) {
    let (mut worse, mut equivalent, mut detectable) = (0, 0, 0.0);
    for number in 0..CHECKS {
        let seed = first_seed + 2 * number;
        let report = statistical(&pool.sample(seed, runs, 0), &pool.sample(seed + 1, runs, rise));
        worse += u64::from(report.cells[0].verdict == Verdict::Regression);
        equivalent += u64::from(report.cells[0].verdict == Verdict::Equivalent);
        detectable += report.cells[0].detectable.expect("tested") / CHECKS as f64;
    }
    (worse, equivalent, detectable)
}

#[test]
fn a_rise_of_two_percent_is_found_with_the_advertised_power() {
    for family in FAMILIES {
        let pool = Pool::new(family);
        let (worse, equivalent, detectable) = simulate(&pool, family.5, 200, 1_000_000);
        // Without chance the margin itself is seen.
        let (expected, most) =
            if pool.cell.draws().nothing() { (0.01, 1e-12) } else { (0.02, 0.001) };
        assert!((detectable - expected).abs() <= most, "{family:?}: {detectable}");
        assert!(worse >= 249, "{family:?}: {worse} of {CHECKS}");
        assert_eq!(equivalent, 0, "{family:?}");
    }
}

#[test]
fn what_did_not_change_is_no_regression_whatever_varies() {
    // At most 1 % of 300 checks; with 30 runs, too, where the runs say least.
    for family in FAMILIES {
        let pool = Pool::new(family);
        for runs in [30, family.5] {
            let (worse, ..) = simulate(&pool, runs, 0, 3_000_000);
            assert!(worse <= 3, "{family:?}, {runs} runs: {worse} of {CHECKS}");
        }
    }
}

#[test]
fn false_verdicts_at_the_margin_are_as_rare_as_promised() {
    // At a rise of exactly the margin, each verdict but inconclusive is false, with probability
    // 0.01 at most: 3 of 300, and 10 only once in a thousand.
    let (worse, equivalent, _) = simulate(&Pool::new(FAMILIES[0]), 2_000, 100, 2_000_000);
    assert!(worse <= 9 && equivalent <= 9, "{worse}, {equivalent} of {CHECKS}");
}
