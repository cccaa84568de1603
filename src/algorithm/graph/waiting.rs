//! The waiting method, reconstructed: as [`Adoption`](super::Adoption), but a conquered node waits until
//! its own subtree has finished before it passes the conqueror on to its old parent.
//!
//! Only the name ("Warteverfahren") and the place in a list after adoption have come down from
//! F. Mattern, "Verteilte Basisalgorithmen" (1989). These rules are our reading of it.
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, nothing known, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | exactly 2E messages for one initiator, 2E + k - 1 to 2Ek + N - 1 for k |
//!
//! ```text
//! as in adoption, but
//! conquered over q: old, if there is one, is not explored: it is held back. If nothing was held
//!                   back before: wait for all links that are not done, but q and old.
//!                   Do not wait for q any longer.
//! explore q as an answer to j <= mark:
//!                   do not wait for q any longer
//! check:            something is held back: if all that is waited for are done, explore
//!                   what is held back, with the mark of now; else: as in adoption
//! ```
//!
//! Several conquerors that come one after another then walk up the old tree as one. The waiting is for
//! the links that are open when the first one comes, and never for more: to wait for all open links
//! is a deadlock, for instance on the links 0-1, 0-2, 0-3, 1-2, because an answer may lead back into
//! the tree that waits for us. That these rules always end is checked by running them, not proved.

use super::conquest::Conquest;
use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::theory::{Case, Facts};

/// The state of one participant: a conquered node waits before it explores its old tree link.
pub type Waiting = Conquest<true>;

impl Algorithm for Waiting {
    const NAME: &'static str = "waiting";
    const SUMMARY: &'static str =
        "reconstructed: as adoption, but waits before it passes conquerors on";
    const SOURCE: &'static str = "reconstructed; its name is in Mattern 1989";
    const FILE: &'static str = include_str!("waiting.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model { on: On::Graphs, ..Model::electing(Elects::LargestInitiator) };

    fn facts(case: &Case) -> Facts {
        Waiting::conquest_facts(case, Self::SOURCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::graph::Wave::{self, Echo, Explorer};
    use crate::model::process::{Local, Port, Recorded};

    /// What node 5 with four links sends in the last of `steps`, after 4 took it over link 0 and 7
    /// conquered it over link 1, while the links 2 and 3 are open.
    fn sent_after_conquest(steps: &[(Port, Wave)]) -> Vec<(Port, Wave)> {
        let steps = [&[(0, Explorer(4)), (1, Explorer(7))], steps].concat();
        let local = Local { id: 5, degree: 4, ..Local::default() };
        Recorded::replay::<Waiting>(&local, false, &steps).1.sent
    }

    #[test]
    fn the_old_tree_link_is_explored_when_the_open_links_are_done() {
        assert_eq!(sent_after_conquest(&[]), []);
        assert_eq!(sent_after_conquest(&[(3, Echo(4))]), []);
        let both = [(3, Echo(4)), (2, Explorer(4))];
        assert_eq!(sent_after_conquest(&both), [(0, Explorer(7))]);
    }

    #[test]
    fn a_second_conqueror_goes_up_in_place_of_the_first() {
        let steps = [(2, Explorer(9)), (3, Echo(4))];
        assert_eq!(sent_after_conquest(&steps[..1]), []);
        assert_eq!(sent_after_conquest(&steps), [(0, Explorer(9)), (1, Explorer(9))]);
    }

    #[test]
    fn a_link_that_was_answered_is_not_waited_for() {
        let steps = [(3, Echo(4)), (2, Explorer(6))];
        assert_eq!(sent_after_conquest(&steps), [(2, Explorer(7)), (0, Explorer(7))]);
        let steps = [(2, Explorer(6)), (2, Echo(7)), (3, Echo(4))];
        assert_eq!(sent_after_conquest(&steps[..2]), [], "and not counted twice");
        assert_eq!(sent_after_conquest(&steps), [(0, Explorer(7))]);
    }

    #[test]
    fn the_echo_goes_to_the_last_conqueror_when_all_is_done() {
        let steps = [(3, Echo(4)), (2, Echo(4)), (0, Echo(7))];
        assert_eq!(sent_after_conquest(&steps), [(1, Echo(7))]);
    }
}
