//! Gallager, Humblet and Spira's election: fragments of the minimum spanning tree merge over their
//! lightest outgoing edges, level by level.
//!
//! R. G. Gallager, P. A. Humblet, P. M. Spira, "A distributed algorithm for minimum-weight spanning
//! trees", ACM TOPLAS 5 (1983).
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, neighbours' IDs known, FIFO links, any initiators |
//! | Elects | somebody: the larger end of the last core edge |
//! | Cost | at most 2E + 5 N log2 N messages |
//!
//! An edge weighs (smaller ID, larger ID), so all weights differ. An edge is *basic* until it is known
//! to be a *branch* of the tree or *rejected*. A message that comes too early waits; after every one
//! that changed something all waiting ones are tried again in the order of their arrival.
//!
//! ```text
//! wake up:                   send <connect, 0> over the lightest edge, a branch now
//! on <connect, l>:           l < level: a branch; send <initiate, level, core, state> back
//!                            basic: wait; else send <initiate, level + 1, weight, find> back
//! on <initiate, l, c, s>:    take them over; pass it on over all other branches; find: test
//! test:                      send <test, level, core> over the lightest basic edge; none: report
//! on <test, l, c>:           l > level: wait; another core: send <accept> back; else it is rejected:
//!                            if it is the edge under test: test, else send <reject> back
//! on <accept>, <reject>:     accepted: it may be the best; report. rejected: test
//! report:                    all branches below and the test are done: send <report, best> to the core
//! on <report, w>:            from below: it may be the best; report. Over the core: find: wait
//!                            w > best: change root; w = best = none: the end; the larger end leads
//! change root, on <changeroot>:   the best is a branch: send <changeroot> over it
//!                                 else send <connect, level> over it, a branch now
//! ```

use super::{MaybePort, PortSet};
use crate::algorithm::{Algorithm, Elects, Model, On, Spanning, Spread};
use crate::model::message::kinds;
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts, floor_log2};
use std::collections::VecDeque;

/// The weight of an edge: the IDs of its ends, the smaller one first.
pub type Weight = (Id, Id);

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ghs {
    id: Id,
    links: Box<[Link]>,
    /// How many ports, from the one with the lightest edge on, are not basic any more.
    settled: u32,
    branches: PortSet,
    rejected: PortSet,
    awake: bool,
    level: u32,
    /// The weight of the fragment's core edge.
    core: Option<Weight>,
    finds: bool,
    /// The port towards the core.
    inward: u32,
    /// How many branches have not reported.
    unreported: u32,
    /// The edge under test.
    test: MaybePort,
    /// The lightest outgoing edge known.
    best: Option<Weight>,
    /// The port towards it.
    outward: MaybePort,
    waiting: Waiting,
}

/// What stands in one place of a node's list of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Link {
    /// Who is at the other end, by port.
    neighbour: Id,
    /// The ports from the lightest edge to the heaviest.
    by_weight: u32,
}

/// What came too early: messages and their ports, in the order of arrival.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Waiting {
    messages: VecDeque<(Port, Building)>,
    /// Whether anything has changed that one of them may wait for.
    changed: bool,
}

impl Waiting {
    fn push(&mut self, from: Port, message: Building) {
        self.messages.push_back((from, message));
    }

    fn get(&self, place: usize) -> Option<(Port, Building)> {
        self.messages.get(place).copied()
    }

    /// Where to go on after a new message was handled: nowhere, if it has changed nothing.
    fn after_new(&mut self) -> usize {
        self.first_if_changed(self.messages.len())
    }

    /// Where to go on after the message at `place` was handled, which waits no longer.
    fn after(&mut self, place: usize) -> usize {
        self.messages.remove(place);
        self.first_if_changed(place)
    }

    fn first_if_changed(&mut self, place: usize) -> usize {
        if std::mem::take(&mut self.changed) { 0 } else { place }
    }
}

/// A message of the algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Building {
    /// Of a fragment on this level that wants to join over this edge.
    Connect(u32),
    /// The fragment's new level, its core, and whether to find its lightest outgoing edge.
    Initiate(u32, Weight, bool),
    /// Asks whether the other end belongs to another fragment than this one.
    Test(u32, Weight),
    /// It does.
    Accept,
    /// It does not.
    Reject,
    /// The lightest outgoing edge of a part of the fragment, if it has any.
    Report(Option<Weight>),
    /// Word to the end of the lightest outgoing edge.
    ChangeRoot,
}

kinds! { Building {
    Connect: "connect", |w| w.phase;
    Initiate: "initiate", |w| w.phase + 2 * w.id + 1;
    Test: "test", |w| w.phase + 2 * w.id;
    Accept: "accept", |_| 0;
    Reject: "reject", |_| 0;
    // A report of nothing is as wide as one of an edge.
    Report: "report", |w| 2 * w.id;
    ChangeRoot: "changeroot", |_| 0;
} }

impl Process for Ghs {
    type Message = Building;

    fn new(local: &Local) -> Self {
        Ghs {
            id: local.id,
            links: links(local),
            settled: 0,
            branches: PortSet::none(local.degree),
            rejected: PortSet::none(local.degree),
            awake: false,
            level: 0,
            core: None,
            finds: false,
            inward: 0,
            unreported: 0,
            test: MaybePort::NONE,
            best: None,
            outward: MaybePort::NONE,
            waiting: Waiting::default(),
        }
    }

    fn rounds(&self) -> Option<u64> {
        Some(self.level.into())
    }
}

/// The neighbours by port, and beside them the ports by weight.
fn links(local: &Local) -> Box<[Link]> {
    let ports = (0..).zip(local.neighbours);
    let mut links: Box<[Link]> =
        ports.map(|(by_weight, &neighbour)| Link { neighbour, by_weight }).collect();
    links.sort_unstable_by_key(|link| weight(local.id, link.neighbour));
    for (link, &neighbour) in links.iter_mut().zip(local.neighbours) {
        link.neighbour = neighbour;
    }
    links
}

/// The weight of the edge between two nodes.
fn weight(a: Id, b: Id) -> Weight {
    (a.min(b), a.max(b))
}

impl Ghs {
    fn weight(&self, port: Port) -> Weight {
        weight(self.id, self.links[port].neighbour)
    }

    fn is_basic(&self, port: Port) -> bool {
        !self.branches.contains(port) && !self.rejected.contains(port)
    }

    fn lightest_basic(&mut self) -> Option<Port> {
        while let Some(&Link { by_weight, .. }) = self.links.get(self.settled as usize) {
            if self.is_basic(by_weight as Port) {
                return Some(by_weight as Port);
            }
            self.settled += 1;
        }
        None
    }

    fn wake_up(&mut self, out: &mut impl Outbox<Building>) {
        if !self.awake {
            self.awake = true;
            match self.lightest_basic() {
                Some(port) => self.connect(port, out),
                None => out.lead(),
            }
        }
    }

    fn connect(&mut self, port: Port, out: &mut impl Outbox<Building>) {
        self.branches.insert(port);
        self.waiting.changed = true;
        out.send(port, Building::Connect(self.level));
    }

    /// Handles a message, or says that it came too early.
    fn handle(
        &mut self,
        from: Port,
        message: Building,
        out: &mut impl Outbox<Building>,
    ) -> Result<(), TooEarly> {
        match message {
            Building::Connect(level) => self.join(from, level, out)?,
            Building::Initiate(level, core, finds) => {
                (self.level, self.core, self.finds) = (level, Some(core), finds);
                (self.inward, self.waiting.changed) = (from as u32, true);
                (self.best, self.outward) = (None, MaybePort::NONE);
                for port in self.branches.iter().filter(|&port| port != from) {
                    out.send(port, message);
                }
                if finds {
                    self.unreported = self.branches.len() as u32 - 1;
                    self.test(out);
                }
            }
            Building::Test(level, _) if level > self.level => return Err(TooEarly),
            Building::Test(_, core) if self.core != Some(core) => out.send(from, Building::Accept),
            Building::Test(..) => {
                self.reject(from);
                if self.test.get() == Some(from) {
                    self.test(out);
                } else {
                    out.send(from, Building::Reject);
                }
            }
            Building::Accept => {
                self.test = MaybePort::NONE;
                self.learn(self.weight(from), from);
                self.report(out);
            }
            Building::Reject => {
                self.reject(from);
                self.test(out);
            }
            Building::Report(weight) if from != self.inward as Port => {
                self.unreported -= 1;
                if let Some(weight) = weight {
                    self.learn(weight, from);
                }
                self.report(out);
            }
            Building::Report(_) if self.finds => return Err(TooEarly),
            Building::Report(theirs) => self.compare(theirs, out),
            Building::ChangeRoot => self.change_root(out),
        }
        Ok(())
    }

    fn join(
        &mut self,
        from: Port,
        level: u32,
        out: &mut impl Outbox<Building>,
    ) -> Result<(), TooEarly> {
        match self.core {
            Some(core) if level < self.level => {
                self.branches.insert(from);
                out.send(from, Building::Initiate(self.level, core, self.finds));
                self.unreported += u32::from(self.finds);
            }
            _ if self.is_basic(from) => return Err(TooEarly),
            _ => {
                let core = self.weight(from);
                out.send(from, Building::Initiate(self.level + 1, core, true));
            }
        }
        Ok(())
    }

    fn reject(&mut self, port: Port) {
        if self.is_basic(port) {
            self.rejected.insert(port);
        }
    }

    fn test(&mut self, out: &mut impl Outbox<Building>) {
        let lightest = self.lightest_basic();
        self.test = lightest.into();
        match (lightest, self.core) {
            (Some(port), Some(core)) => out.send(port, Building::Test(self.level, core)),
            _ => self.report(out),
        }
    }

    fn learn(&mut self, weight: Weight, port: Port) {
        if self.best.is_none_or(|best| weight < best) {
            (self.best, self.outward) = (Some(weight), Some(port).into());
        }
    }

    fn report(&mut self, out: &mut impl Outbox<Building>) {
        if self.unreported == 0 && self.test.is_none() {
            (self.finds, self.waiting.changed) = (false, true);
            out.send(self.inward as Port, Building::Report(self.best));
        }
    }

    /// The other end of the core knows its side's best edge, and this end its own.
    fn compare(&mut self, theirs: Option<Weight>, out: &mut impl Outbox<Building>) {
        match (self.best, theirs) {
            (Some(ours), theirs) if theirs.is_none_or(|theirs| theirs > ours) => {
                self.change_root(out);
            }
            (None, None) if self.id > self.links[self.inward as Port].neighbour => out.lead(),
            _ => {}
        }
    }

    fn change_root(&mut self, out: &mut impl Outbox<Building>) {
        match self.outward.get() {
            Some(port) if self.branches.contains(port) => out.send(port, Building::ChangeRoot),
            Some(port) => self.connect(port, out),
            None => {}
        }
    }

    /// Tries the waiting messages in their order, from the first one on after every change.
    fn try_waiting(&mut self, out: &mut impl Outbox<Building>) {
        let mut place = self.waiting.after_new();
        while let Some((from, message)) = self.waiting.get(place) {
            place = match self.handle(from, message, out) {
                Ok(()) => self.waiting.after(place),
                Err(TooEarly) => place + 1,
            };
        }
    }
}

/// A message came before what it depends on.
struct TooEarly;

impl Asynchronous for Ghs {
    fn start(&mut self, out: &mut impl Outbox<Building>) {
        self.wake_up(out);
    }

    fn receive(&mut self, from: Port, message: Building, out: &mut impl Outbox<Building>) {
        self.wake_up(out);
        match self.handle(from, message, out) {
            Ok(()) => self.try_waiting(out),
            Err(TooEarly) => self.waiting.push(from, message),
        }
    }
}

impl Spanning for Ghs {
    /// The tree has no root of its own: all branches but the one that the word came over.
    fn children(&self, from: Option<Port>) -> impl Iterator<Item = Port> {
        self.branches.iter().filter(move |&port| Some(port) != from)
    }
}

impl Algorithm for Ghs {
    const NAME: &'static str = "ghs";
    const SUMMARY: &'static str = "fragments of the minimum spanning tree merge level by level";
    const SOURCE: &'static str = "Gallager, Humblet and Spira 1983";
    const FILE: &'static str = include_str!("ghs.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model {
        on: On::Graphs,
        needs_fifo: true,
        knows_neighbours: true,
        ..Model::electing(Elects::Somebody)
    };

    /// The least: everybody sends a connect and a report and gets an initiate, and every edge outside
    /// the tree takes a test and a reject, or two tests.
    fn facts(case: &Case) -> Facts {
        if case.n == 1 {
            return Facts::constant(0, "0", Self::SOURCE);
        }
        let (n, links) = (u128::from(case.n), 2 * u128::from(case.shape.edges));
        let most = links as f64 + 5.0 * n as f64 * (n as f64).log2();
        let (least, source) = (links + n + 2, "derivation in docs/method.md");
        Facts {
            best: Some(Fact::whole(least, "2E + N + 2", source).known(Certainty::Bound)),
            worst: Some(Fact::real(most, "2E + 5 N log2 N", Self::SOURCE).known(Certainty::Bound)),
            ..Facts::default()
        }
    }

    /// A fragment of level l has at least 2^l nodes.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match metric {
            Metric::Rounds => {
                let most = u128::from(floor_log2(case.n));
                let best = Fact::whole(most.min(1), "1", Self::SOURCE).known(Certainty::Bound);
                Facts { best: Some(best), ..Facts::at_most(most, "floor(log2 N)", Self::SOURCE) }
            }
            _ => Facts::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Building::{Accept, ChangeRoot, Connect, Initiate, Reject, Report, Test};
    use super::*;
    use crate::model::process::{Recorded, Status};

    /// Node 5 with the neighbours 7, 3 and 4, after `steps`; what the last one did. The edge to 3 is
    /// the lightest, then that to 4.
    fn node(steps: &[(Port, Building)]) -> (Ghs, Recorded<Building>) {
        Recorded::replay(
            &Local { id: 5, degree: 3, neighbours: &[7, 3, 4], ..Local::default() },
            true,
            steps,
        )
    }

    /// What the last of these steps sent.
    fn sent(steps: &[(Port, Building)]) -> Vec<(Port, Building)> {
        node(steps).1.sent
    }

    const CORE: Weight = (3, 5);
    const MERGED: (Port, Building) = (1, Initiate(1, CORE, true));

    #[test]
    fn a_node_wakes_up_over_its_lightest_edge() {
        assert_eq!(sent(&[]), [(1, Connect(0))]);
    }

    #[test]
    fn two_connects_over_one_edge_make_a_core() {
        assert_eq!(sent(&[(1, Connect(0))]), [(1, Initiate(1, CORE, true))]);
    }

    #[test]
    fn a_connect_over_a_basic_edge_waits_for_a_higher_level() {
        assert_eq!(sent(&[(0, Connect(0))]), []);
        let steps = [(0, Connect(0)), MERGED];
        // Tested is what was basic when the initiate came; then the other fragment is absorbed.
        assert_eq!(sent(&steps), [(2, Test(1, CORE)), (0, Initiate(1, CORE, true))]);
    }

    #[test]
    fn an_initiate_goes_to_all_branches_and_begins_the_test() {
        let again = (1, Initiate(2, (1, 2), true));
        let steps = [MERGED, (0, Connect(0)), again];
        assert_eq!(sent(&steps), [(0, again.1), (2, Test(2, (1, 2)))]);
        assert_eq!(node(&steps).0.unreported, 1);
    }

    #[test]
    fn a_test_waits_for_its_level_and_is_answered_by_the_core() {
        assert_eq!(sent(&[(0, Test(1, (1, 2)))]), []);
        assert_eq!(sent(&[MERGED, (0, Test(1, (1, 2)))]), [(0, Accept)]);
        assert_eq!(sent(&[MERGED, (0, Test(1, CORE))]), [(0, Reject)]);
        // Over the edge under test the other's test is the answer.
        assert_eq!(sent(&[MERGED, (2, Test(1, CORE))]), [(0, Test(1, CORE))]);
    }

    #[test]
    fn an_accepted_edge_is_reported_and_a_rejected_one_is_followed_by_the_next() {
        assert_eq!(sent(&[MERGED, (2, Accept)]), [(1, Report(Some((4, 5))))]);
        assert_eq!(sent(&[MERGED, (2, Reject)]), [(0, Test(1, CORE))]);
        assert_eq!(sent(&[MERGED, (2, Reject), (0, Reject)]), [(1, Report(None))]);
    }

    #[test]
    fn a_report_from_below_may_be_the_best() {
        let steps = [MERGED, (0, Connect(0)), (2, Accept)];
        assert_eq!(sent(&steps), []);
        let better = [&steps[..], &[(0, Report(Some((1, 7))))]].concat();
        assert_eq!(sent(&better), [(1, Report(Some((1, 7))))]);
        assert_eq!(sent(&[&better[..], &[(1, ChangeRoot)]].concat()), [(0, ChangeRoot)]);
    }

    #[test]
    fn the_core_s_end_with_the_lighter_edge_changes_the_root() {
        let found = [MERGED, (2, Accept)];
        let after = |report| sent(&[&found[..], &[(1, Report(report))]].concat());
        assert_eq!(after(Some((3, 9))), []);
        assert_eq!(after(Some((4, 9))), [(2, Connect(1))]);
        assert_eq!(after(None), [(2, Connect(1))]);
        // A report over the core waits until this side has found its own.
        assert_eq!(sent(&[MERGED, (1, Report(None))]), []);
        let late = [MERGED, (1, Report(None)), (2, Accept)];
        assert_eq!(sent(&late), [(1, Report(Some((4, 5)))), (2, Connect(1))]);
    }

    #[test]
    fn the_larger_end_of_the_last_core_leads() {
        let end = [MERGED, (2, Reject), (0, Reject), (1, Report(None))];
        let (process, out) = node(&end);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        assert!(process.children(None).eq([1]));
        assert_eq!(process.children(Some(1)).count(), 0);
        // The next core is the edge to 7, which is larger.
        let merged = (0, Initiate(2, (5, 7), true));
        let found = [MERGED, (2, Reject), (0, Accept), (1, Report(None)), (0, Connect(1))];
        let end = [&found[..], &[merged, (1, Report(None)), (0, Report(None))]].concat();
        assert_eq!(sent(&found), [merged]);
        assert_eq!(sent(&end[..end.len() - 1]), [(0, Report(None))]);
        assert_eq!(node(&end).1.status, Status::Undecided);
    }
}
