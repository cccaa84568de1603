//! The adoption method: a stronger wave does not flood a conquered tree again. It only walks along the
//! old tree links to the old root and turns them round; finished subtrees are adopted.
//!
//! F. Mattern, "Verteilte Basisalgorithmen" (1989), after lecture notes of which the drawings are lost.
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, nothing known, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | exactly 2E messages for one initiator, 2E + k - 1 to 2Ek + N - 1 for k |
//!
//! ```text
//! explore q:        k[q] := mark; q is not done and leads to no child; send <explorer, mark> over q
//! initiator:        mark := id; parent := none; explore all links; check
//! on <explorer, j> over q, free:
//!                   mark := j; parent := q; explore all other links; check
//! else, the first that fits:
//!       j = k[q]:   the two explorers met: q is done; check
//!       j < k[q]:   nothing
//!       j > mark:   conquered: old := parent; mark := j; parent := q; q is not done; explore old; check
//!       j <= mark:  explore q; if j = mark, q is done; check
//! on <echo, j> over q, j = k[q]:
//!                   q is done and leads to a child; check
//! check:            all links but the parent's are done, and no echo sent since mark was set:
//!                   send <echo, mark> to the parent, or lead, if there is none
//! ```
//!
//! The notes had to be corrected in two places. An echo is compared with the ID that was sent over its
//! link, not with the node's mark; else the star 0-{1,2} with the IDs 1, 2, 3 and the first two as
//! initiators can fall silent without a leader. And an initiator that is conquered checks, instead of
//! sending an echo at once; else on the path with the IDs 2, 1, 3 the node 2 can win. The corrected
//! rules are checked by running them, not proved.

use super::conquest::Conquest;
use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::theory::{Case, Facts};

/// The state of one participant: a conquered node explores its old tree link at once.
pub type Adoption = Conquest<false>;

impl Algorithm for Adoption {
    const NAME: &'static str = "adoption";
    const SUMMARY: &'static str = "as echo-election, but a conquered tree keeps its finished parts";
    const SOURCE: &'static str = "Mattern 1989, rules corrected";
    const FILE: &'static str = include_str!("adoption.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model { on: On::Graphs, ..Model::electing(Elects::LargestInitiator) };

    fn facts(case: &Case) -> Facts {
        Adoption::conquest_facts(case, Self::SOURCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Spanning;
    use crate::algorithm::graph::Wave::{self, Echo, Explorer};
    use crate::model::process::{Local, Port, Recorded, Status};

    /// Node 5 with three links after `steps`, an initiator or not; what the last step sent.
    fn node(starts: bool, steps: &[(Port, Wave)]) -> (Adoption, Recorded<Wave>) {
        Recorded::replay(&Local { id: 5, degree: 3, ..Local::default() }, starts, steps)
    }

    /// Conquered by 4 over link 0, then by 7 over link 1.
    const CONQUERED: [(Port, Wave); 2] = [(0, Explorer(4)), (1, Explorer(7))];

    fn after_conquest(steps: &[(Port, Wave)]) -> (Adoption, Recorded<Wave>) {
        node(false, &[&CONQUERED[..], steps].concat())
    }

    #[test]
    fn the_first_mark_explores_all_links_but_the_parents() {
        assert_eq!(node(true, &[]).1.sent, [0, 1, 2].map(|port| (port, Explorer(5))));
        let (_, out) = node(false, &[(0, Explorer(4))]);
        assert_eq!(out.sent, [1, 2].map(|port| (port, Explorer(4))));
    }

    #[test]
    fn explorers_that_meet_finish_their_link_and_smaller_ones_are_dropped() {
        let met = [(0, Explorer(5)), (1, Explorer(3)), (1, Explorer(5)), (2, Explorer(5))];
        assert_eq!(node(true, &met[..3]).1.status, Status::Undecided);
        let (process, out) = node(true, &met);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        assert!(process.children(None).next().is_none());
    }

    #[test]
    fn a_conquered_node_explores_its_old_tree_link_only() {
        assert_eq!(after_conquest(&[]).1.sent, [(0, Explorer(7))]);
        assert_eq!(node(true, &[(1, Explorer(7))]).1.sent, []);
    }

    #[test]
    fn a_conquered_initiator_sends_an_echo_only_when_all_is_done() {
        let steps = [(1, Explorer(7)), (0, Echo(5)), (2, Echo(5))];
        assert_eq!(node(true, &steps[..2]).1.sent, []);
        assert_eq!(node(true, &steps).1.sent, [(1, Echo(7))]);
        let steps = [(0, Echo(5)), (2, Echo(5)), (1, Explorer(7))];
        assert_eq!(node(true, &steps).1.sent, [(1, Echo(7))]);
    }

    #[test]
    fn weaker_explorers_are_answered_with_the_mark() {
        assert_eq!(after_conquest(&[(2, Explorer(6))]).1.sent, [(2, Explorer(7))]);
        let (_, out) = after_conquest(&[(2, Explorer(7))]);
        assert_eq!(out.sent, [(2, Explorer(7))]);
        let (_, out) = after_conquest(&[(2, Explorer(7)), (0, Echo(7))]);
        assert_eq!(out.sent, [(1, Echo(7))], "an equal one finishes its link");
        let (_, out) = after_conquest(&[(2, Explorer(6)), (0, Echo(7))]);
        assert_eq!(out.sent, []);
    }

    #[test]
    fn an_echo_counts_if_it_answers_the_last_explorer_of_its_link() {
        let (process, out) = after_conquest(&[(2, Echo(4)), (0, Echo(7))]);
        assert_eq!(out.sent, [(1, Echo(7))]);
        assert!(process.children(Some(1)).eq([0, 2]));
        let (_, out) = after_conquest(&[(2, Explorer(6)), (2, Echo(4)), (0, Echo(7))]);
        assert_eq!(out.sent, []);
    }
}
