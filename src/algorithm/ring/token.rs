//! The ring's wave, one token once round, and the election that extinction makes of it.
//!
//! G. Tel, "Introduction to Distributed Algorithms" (2000), chapters 6 and 7: extinction on the
//! ring gives the algorithm of Chang and Roberts, but that every node compares with the largest ID
//! that it has seen, and not an initiator with its own alone.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, unique IDs, n unknown, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | that of `chang-roberts` message for message on FIFO links, else at most that |
//!
//! ```text
//! initiator:     send <token>
//! on <token>:    the first here: send <token>; back at the initiator: lead
//! ```
//! On FIFO links a token x that finds a larger y was already at y's initiator, or behind y where x
//! began: nobody but an initiator with a larger ID ever stops it.

use super::chang_roberts;
use crate::algorithm::On;
use crate::algorithm::graph::{Extinguishing, Traversal};
use crate::model::metric::Metric;
use crate::model::process::{Local, NEXT, Port};
use crate::model::theory::{Case, Facts, Holds};

/// The token's way, as one node sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RingToken {
    /// Whether it began here.
    initiator: bool,
}

impl Traversal for RingToken {
    type Load = ();

    fn new(_local: &Local) -> Self {
        RingToken { initiator: false }
    }

    fn forget(&mut self) {
        self.initiator = false;
    }

    #[inline(always)]
    fn next(&mut self, from: Option<Port>, _load: &mut ()) -> Option<Port> {
        self.initiator |= from.is_none();
        if self.initiator && from.is_some() { None } else { Some(NEXT) }
    }

    fn cost(case: &Case) -> (u128, &'static str) {
        (case.n.into(), "n")
    }
}

impl Extinguishing for RingToken {
    const ELECTION: &'static str = "ring-extinction";
    const SUMMARY: &'static str = "extinction of ring tokens: chang-roberts that remembers";
    const SOURCE: &'static str = "Tel 2000; counts: Chang and Roberts 1979";
    const ON: On = On::Rings;

    fn facts(case: &Case) -> Facts {
        chang_roberts::facts(case).holding_else_fewer(Holds::Fifo)
    }

    fn facts_of(metric: Metric, case: &Case) -> Facts {
        let facts = chang_roberts::facts_of(metric, case);
        if metric == Metric::MaxNodeMessages { facts.holding(Holds::Fifo) } else { facts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::PREV;

    #[test]
    fn the_token_goes_once_round_and_ends_where_it_began() {
        let local = Local { id: 5, degree: 2, ..Local::default() };
        let mut node = RingToken::new(&local);
        assert_eq!(node.next(Some(PREV), &mut ()), Some(NEXT));
        assert_eq!(node.next(None, &mut ()), Some(NEXT));
        assert_eq!(node.next(Some(PREV), &mut ()), None);
        node.forget();
        assert_eq!(node.next(Some(PREV), &mut ()), Some(NEXT));
    }
}
