//! Three waves on a tree: explosions wake everybody, echoes meet in the middle, and from there the
//! largest ID is told to all.
//!
//! F. Mattern, "Verteilte Basisalgorithmen" (1989).
//!
//! | | |
//! |-|-|
//! | Model | a tree, unique IDs, nothing known, links keep the order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | exactly 3N + k - 4 messages for k initiators |
//!
//! ```text
//! initiator:       send <explosion> to all neighbours; check
//! on <explosion>:  asleep: send <explosion> to all other neighbours; check; awake: nothing
//! check:           no echo sent, and one neighbour's missing, p: send <echo, best> to p
//! on <echo, x>:    best := max(best, x)
//!                  own echo sent: learn(best, sender), else: check
//! on <info, x>:    learn(x, sender)
//! learn(x, p):     leader := x; lead if x = id, else follow; send <info, x> to all neighbours but p
//! ```
//!
//! The text lets only those leaves send an echo at once that an explosion reaches. A leaf that is an
//! initiator must do so too, else nobody is elected on a path of two.

use super::wave::{Node, TreeWave};
use super::{bits_of, time_facts};
use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TreeWaves(Node);

impl Process for TreeWaves {
    type Message = TreeWave;

    fn new(local: &Local) -> Self {
        TreeWaves(Node::new(local))
    }

    fn leader(&self) -> Option<Id> {
        self.0.leader()
    }
}

impl TreeWaves {
    fn wake(&mut self, from: Option<Port>, out: &mut impl Outbox<TreeWave>) {
        let TreeWaves(node) = self;
        node.awake = true;
        node.spread(TreeWave::Explosion, from, out);
        node.check(out);
    }
}

impl Asynchronous for TreeWaves {
    fn start(&mut self, out: &mut impl Outbox<TreeWave>) {
        self.wake(None, out);
        if self.0.has_all_echoes() {
            self.0.learn_best(None, out);
        }
    }

    fn receive(&mut self, from: Port, message: TreeWave, out: &mut impl Outbox<TreeWave>) {
        match message {
            TreeWave::Explosion if self.0.awake => {}
            TreeWave::Explosion => self.wake(Some(from), out),
            TreeWave::Echo(x) => self.0.echo(from, x, out),
            TreeWave::Info(x) => self.0.info(from, x, out),
        }
    }
}

impl Algorithm for TreeWaves {
    const NAME: &'static str = "tree-waves";
    const SUMMARY: &'static str =
        "explosions wake, echoes meet in the middle, which tells everybody";
    const SOURCE: &'static str = "Mattern 1989";
    const FILE: &'static str = include_str!("tree_waves.rs");
    const SPREAD: Option<Spread> = Some(Spread::Never);
    const MODEL: Model = Model {
        on: On::Trees,
        needs_fifo: true,
        announces: true,
        ..Model::electing(Elects::LargestId)
    };

    /// N - 2 + k explosions, N echoes, N - 2 informations.
    fn facts(case: &Case) -> Facts {
        let n = u128::from(case.n);
        match case.initiators {
            Some(k) => Facts::constant(3 * n + u128::from(k) - 4, "3N + k - 4", Self::SOURCE),
            None => {
                let bound = |value, formula| {
                    Some(Fact::whole(value, formula, Self::SOURCE).known(Certainty::Bound))
                };
                let (best, worst) = (bound(3 * n - 3, "3N - 3"), bound(4 * n - 4, "4N - 4"));
                Facts { best, worst, ..Facts::default() }
            }
        }
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match (metric, case.initiators) {
            (Metric::Bits, Some(k)) if case.n > 1 => {
                let n = u128::from(case.n);
                let counts = [n + u128::from(k) - 2, n, n - 2];
                bits_of::<TreeWave>(case, &counts, Self::SOURCE)
            }
            _ => time_facts(metric, case, Self::SOURCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    /// Node 5 with so many links, as [`Recorded::replay`] shows it.
    fn node(
        degree: usize,
        started: bool,
        messages: &[(Port, TreeWave)],
    ) -> (TreeWaves, Recorded<TreeWave>) {
        Recorded::replay(&Local { id: 5, degree, ..Local::default() }, started, messages)
    }

    #[test]
    fn explosions_go_on_to_all_others_once() {
        let (_, out) = node(3, true, &[]);
        assert_eq!(out.sent, [0, 1, 2].map(|port| (port, TreeWave::Explosion)));
        let (_, out) = node(3, false, &[(1, TreeWave::Explosion)]);
        assert_eq!(out.sent, [0, 2].map(|port| (port, TreeWave::Explosion)));
        let (_, out) = node(3, true, &[(1, TreeWave::Explosion)]);
        assert_eq!(out.sent, []);
    }

    #[test]
    fn a_leaf_echoes_at_once_and_a_leaf_that_starts_explodes_too() {
        let (_, out) = node(1, false, &[(0, TreeWave::Explosion)]);
        assert_eq!(out.sent, [(0, TreeWave::Echo(5))]);
        let (_, out) = node(1, true, &[]);
        assert_eq!(out.sent, [(0, TreeWave::Explosion), (0, TreeWave::Echo(5))]);
    }

    #[test]
    fn the_largest_goes_to_the_last_neighbour() {
        let (_, out) = node(3, true, &[(2, TreeWave::Echo(9))]);
        assert_eq!(out.sent, []);
        let (_, out) = node(3, true, &[(2, TreeWave::Echo(9)), (0, TreeWave::Echo(7))]);
        assert_eq!(out.sent, [(1, TreeWave::Echo(9))]);
    }

    #[test]
    fn where_two_echoes_meet_everybody_else_is_informed() {
        let (process, out) = node(2, true, &[(0, TreeWave::Echo(3)), (1, TreeWave::Echo(4))]);
        assert_eq!((out.sent, out.status), (vec![(0, TreeWave::Info(5))], Status::Leader));
        assert_eq!(process.leader(), Some(5));
    }

    #[test]
    fn informations_are_believed_and_go_on() {
        let (process, out) = node(3, true, &[(1, TreeWave::Info(8))]);
        assert_eq!(out.sent, [0, 2].map(|port| (port, TreeWave::Info(8))));
        assert_eq!((process.leader(), out.status), (Some(8), Status::Follower));
    }

    #[test]
    fn a_node_alone_leads_at_once() {
        let (process, out) = node(0, true, &[]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        assert_eq!(process.leader(), Some(5));
    }
}
