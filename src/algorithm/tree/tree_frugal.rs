//! The waves on a tree with fewer messages: an echo wakes too, and nobody explodes where an echo does
//! as well.
//!
//! After F. Mattern, "Verteilte Basisalgorithmen" (1989); the savings are an answer to the exercise
//! there, to find fewer messages.
//!
//! | | |
//! |-|-|
//! | Model | a tree, unique IDs, nothing known, any order of messages, any initiators |
//! | Elects | the largest ID of all |
//! | Cost | 2N - 2 to 3N + k - 4 messages for k initiators; 4N - 4 - L if all start, on L leaves |
//!
//! ```text
//! wake, when p's word came, if any:
//!                  all echoes are there: learn(best, none)
//!                  one is missing: check
//!                  else: send <explosion> to all neighbours but p
//! initiator:       wake
//! on <explosion>:  asleep: wake; awake: nothing
//! on <echo, x>:    asleep: best := max(best, x); wake; awake: as in tree-waves
//! on <info, x>:    as in tree-waves
//! ```

use super::wave::{Node, TreeWave};
use super::{bits_of, time_facts};
use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TreeFrugal(Node);

impl Process for TreeFrugal {
    type Message = TreeWave;

    fn new(local: &Local) -> Self {
        TreeFrugal(Node::new(local))
    }

    fn leader(&self) -> Option<Id> {
        self.0.leader()
    }
}

impl TreeFrugal {
    fn wake(&mut self, from: Option<Port>, out: &mut impl Outbox<TreeWave>) {
        let TreeFrugal(node) = self;
        node.awake = true;
        if node.has_all_echoes() {
            node.learn_best(None, out);
            return;
        }
        node.check(out);
        if !node.has_echoed() {
            node.spread(TreeWave::Explosion, from, out);
        }
    }
}

impl Asynchronous for TreeFrugal {
    fn start(&mut self, out: &mut impl Outbox<TreeWave>) {
        self.wake(None, out);
    }

    fn receive(&mut self, from: Port, message: TreeWave, out: &mut impl Outbox<TreeWave>) {
        match message {
            TreeWave::Explosion if self.0.awake => {}
            TreeWave::Explosion => self.wake(Some(from), out),
            TreeWave::Echo(x) if self.0.awake => self.0.echo(from, x, out),
            TreeWave::Echo(x) => {
                self.0.hear(from, x);
                self.wake(Some(from), out);
            }
            TreeWave::Info(x) => self.0.info(from, x, out),
        }
    }
}

impl Algorithm for TreeFrugal {
    const NAME: &'static str = "tree-frugal";
    const SUMMARY: &'static str = "as tree-waves, but echoes wake too and save explosions";
    const SOURCE: &'static str = "after Mattern 1989, whose exercise it answers";
    const FILE: &'static str = include_str!("tree_frugal.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model =
        Model { on: On::Trees, announces: true, ..Model::electing(Elects::LargestId) };

    /// Echoes and informations are 2N - 2. If all start, all but the leaves send explosions to all
    /// their neighbours. Else at most as many nodes send them as in tree-waves.
    fn facts(case: &Case) -> Facts {
        let n = u128::from(case.n);
        if case.is_all() {
            let messages = 4 * n - 4 - u128::from(case.shape.leaves);
            return Facts::constant(messages, "4N - 4 - L", Self::SOURCE);
        }
        let bound = |value, formula| {
            Some(Fact::whole(value, formula, Self::SOURCE).known(Certainty::Bound))
        };
        let worst = match case.initiators {
            Some(k) => bound(3 * n + u128::from(k) - 4, "3N + k - 4"),
            None => bound(4 * n - 4, "4N - 4"),
        };
        Facts { best: bound(2 * n - 2, "2N - 2"), worst, ..Facts::default() }
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match metric {
            Metric::Bits if case.is_all() && case.n > 1 => {
                // Echoes and informations have the same fields.
                let telling = 2 * u128::from(case.n) - 2;
                let counts = [telling - u128::from(case.shape.leaves), telling];
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
    ) -> (TreeFrugal, Recorded<TreeWave>) {
        Recorded::replay(&Local { id: 5, degree, ..Local::default() }, started, messages)
    }

    #[test]
    fn a_leaf_that_wakes_sends_an_echo_only() {
        assert_eq!(node(1, true, &[]).1.sent, [(0, TreeWave::Echo(5))]);
        let explosion = [(0, TreeWave::Explosion)];
        assert_eq!(node(1, false, &explosion).1.sent, [(0, TreeWave::Echo(5))]);
    }

    #[test]
    fn an_echo_wakes_and_saves_the_explosion_where_one_is_missing() {
        let (_, out) = node(2, false, &[(1, TreeWave::Echo(9))]);
        assert_eq!(out.sent, [(0, TreeWave::Echo(9))]);
        let (_, out) = node(3, false, &[(1, TreeWave::Echo(9))]);
        assert_eq!(out.sent, [0, 2].map(|port| (port, TreeWave::Explosion)));
        let (_, out) = node(2, false, &[(1, TreeWave::Explosion)]);
        assert_eq!(out.sent, [(0, TreeWave::Explosion)]);
    }

    #[test]
    fn who_wakes_with_all_echoes_informs_all() {
        let (process, out) = node(1, false, &[(0, TreeWave::Echo(9))]);
        assert_eq!((out.sent, out.status), (vec![(0, TreeWave::Info(9))], Status::Follower));
        assert_eq!(process.leader(), Some(9));
        let (_, out) = node(0, true, &[]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    #[test]
    fn the_awake_do_as_in_the_three_waves() {
        let (_, out) = node(3, true, &[(1, TreeWave::Explosion)]);
        assert_eq!(out.sent, []);
        let echoes = [(1, 3), (0, 4), (2, 2)].map(|(port, id)| (port, TreeWave::Echo(id)));
        assert_eq!(node(3, true, &echoes[..2]).1.sent, [(2, TreeWave::Echo(5))]);
        let (_, out) = node(3, true, &echoes);
        assert_eq!(out.sent, [0, 1].map(|port| (port, TreeWave::Info(5))));
        assert_eq!(out.status, Status::Leader);
    }
}
