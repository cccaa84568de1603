//! Korach, Kutten and Moran's election: tokens annex nodes on any traversal, and two that meet on the
//! same level make one of the next level.
//!
//! E. Korach, S. Kutten, S. Moran, "A modular technique for the design of efficient distributed leader
//! finding algorithms", ACM TOPLAS 12 (1990); rules after G. Tel, "Introduction to Distributed
//! Algorithms" (2000), chapter 7. The paper needs no FIFO links; these rules do.
//!
//! | | |
//! |-|-|
//! | Model | any connected network, unique IDs, FIFO links, any initiators; what the traversal knows |
//! | Elects | somebody: where the last traversal began |
//! | Cost | at most (f + N)(log2 k + 1) messages for k initiators, where one traversal takes f; exactly f for one |
//!
//! ```text
//! begin:                level += 1; cat := id; send <annex, id, level> to last := where a traversal begins
//! initiator:            begin, from level -1
//! on <type, q, l>:
//!   l > level           level, cat, wait := l, q, none; pass it on to last := where it goes next
//!   l < level           drop it
//!   wait is set         wait := none; begin            two tokens have met
//!   last is none        wait := q                      the other one is being chased: wait for it
//!   annex and q = cat   pass it on to last := where it goes next; lead if it is home
//!   chase or q > cat    send <chase, q, l> to last; last := none
//!   else                wait := q
//! ```

use super::Traversal;
use super::traversal::{AlongPath, Load, Tarry, token_facts};
use crate::algorithm::{Algorithm, Elects, Model, On, Spread};
use crate::model::message::{Kinds, Message};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process};
use crate::model::theory::{Case, Certainty, Fact, Facts, floor_log2};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Kkm<T> {
    id: Id,
    /// -1 before the first token.
    level: i32,
    /// Who began the traversal that annexed this node last.
    cat: Id,
    /// Whether a token waits here for another one of its level.
    waits: bool,
    /// Where the annexing token went, until it is chased.
    last: Option<Port>,
    traversal: T,
}

/// A token of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hunt<L> {
    /// Where its traversal began.
    pub cat: Id,
    /// Its level.
    pub level: i32,
    /// The load of an annexing token, on its traversal; one that chases another has none.
    pub load: Option<L>,
}

impl<L: Load> Message for Hunt<L> {
    const KINDS: Kinds = {
        let annex = Kinds::new(&[("annex", |w| w.id + w.phase)]);
        let annex = if L::LISTS { annex.listing() } else { annex };
        annex.and("chase", |w| w.id + w.phase)
    };

    #[inline(always)]
    fn kind(&self) -> usize {
        usize::from(self.load.is_none())
    }

    fn listed_ids(&self) -> usize {
        self.load.as_ref().map_or(0, Load::listed_ids)
    }
}

impl<T: Traversal> Process for Kkm<T> {
    type Message = Hunt<T::Load>;

    fn new(local: &Local) -> Self {
        Kkm {
            id: local.id,
            level: -1,
            cat: local.id,
            waits: false,
            last: None,
            traversal: T::new(local),
        }
    }

    /// The levels that this node has seen, from 0 on.
    fn rounds(&self) -> Option<u64> {
        Some((self.level + 1) as u64)
    }
}

impl<T: Traversal> Kkm<T> {
    fn begin(&mut self, out: &mut impl Outbox<Hunt<T::Load>>) {
        self.level += 1;
        self.cat = self.id;
        self.traversal.forget();
        self.pass_on(None, T::Load::default(), out);
    }

    /// The annexing token, which is the cat's, goes on.
    fn pass_on(
        &mut self,
        from: Option<Port>,
        mut load: T::Load,
        out: &mut impl Outbox<Hunt<T::Load>>,
    ) {
        self.last = self.traversal.next(from, &mut load);
        let (cat, level, load) = (self.cat, self.level, Some(load));
        match self.last {
            Some(port) => out.send(port, Hunt { cat, level, load }),
            None => out.lead(),
        }
    }
}

impl<T: Traversal> Asynchronous for Kkm<T> {
    fn start(&mut self, out: &mut impl Outbox<Self::Message>) {
        self.begin(out);
    }

    fn receive(
        &mut self,
        from: Port,
        Hunt { cat, level, load }: Self::Message,
        out: &mut impl Outbox<Self::Message>,
    ) {
        if level > self.level
            && let Some(load) = load
        {
            (self.level, self.cat, self.waits) = (level, cat, false);
            self.traversal.forget();
            return self.pass_on(Some(from), load, out);
        }
        // On FIFO links a chase is never above the level here: what it chases came before.
        if level != self.level {
            return;
        }
        match (load, self.last) {
            _ if self.waits => {
                self.waits = false;
                self.begin(out);
            }
            (_, None) => self.waits = true,
            (Some(load), _) if cat == self.cat => self.pass_on(Some(from), load, out),
            (load, Some(last)) if load.is_none() || cat > self.cat => {
                out.send(last, Hunt { cat, level, load: None });
                self.last = None;
            }
            _ => self.waits = true,
        }
    }
}

/// A traversal on which tokens annex.
pub trait Annexing: Traversal {
    /// The name of the election.
    const ELECTION: &'static str;
    /// The election in one line.
    const SUMMARY: &'static str;
    /// Whether nodes must know their neighbours' IDs.
    const KNOWS_NEIGHBOURS: bool;
}

impl Annexing for Tarry {
    const ELECTION: &'static str = "kkm";
    const SUMMARY: &'static str = "annexing tokens merge level by level; traversal: Tarry's";
    const KNOWS_NEIGHBOURS: bool = false;
}

impl Annexing for AlongPath {
    const ELECTION: &'static str = "kkm-path";
    const SUMMARY: &'static str =
        "annexing tokens merge level by level; they list whom they visited";
    const KNOWS_NEIGHBOURS: bool = true;
}

impl<T: Annexing> Algorithm for Kkm<T> {
    const NAME: &'static str = T::ELECTION;
    const SUMMARY: &'static str = T::SUMMARY;
    const SOURCE: &'static str = "Korach, Kutten and Moran 1990; Tel 2000";
    const FILE: &'static str = include_str!("kkm.rs");
    const SPREAD: Option<Spread> = Some(Spread::BothWays);
    const MODEL: Model = Model {
        on: On::Graphs,
        needs_fifo: true,
        knows_neighbours: T::KNOWS_NEIGHBOURS,
        ..Model::electing(Elects::Somebody)
    };

    /// The winner's traversal is complete. Where the initiators cannot be counted there are at most N.
    fn facts(case: &Case) -> Facts {
        let (once, formula) = T::cost(case);
        if case.initiators == Some(1) || case.n == 1 {
            return Facts::constant(once, formula, Self::SOURCE);
        }
        let k = case.initiators.unwrap_or(case.n);
        let most = (once as f64 + case.n as f64) * ((k as f64).log2() + 1.0);
        let k = if case.initiators.is_some() { "k" } else { "N" };
        let most = Fact::real(most, &format!("({formula} + N)(log2 {k} + 1)"), Self::SOURCE);
        Facts {
            best: Some(Fact::whole(once, formula, Self::SOURCE).known(Certainty::Bound)),
            worst: Some(most.known(Certainty::Bound)),
            ..Facts::default()
        }
    }

    /// A token that meets another makes one of the next level, so that levels halve the tokens.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        match (metric, case.initiators) {
            (Metric::Rounds, Some(k)) => {
                let most = u128::from(floor_log2(k)) + 1;
                let best = Fact::whole(1, "1", Self::SOURCE).known(Certainty::Bound);
                let most = Facts::at_most(most, "floor(log2 k) + 1", Self::SOURCE);
                Facts { best: Some(best), ..most }
            }
            _ => token_facts(metric, case, T::cost(case), Self::SOURCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn annex(cat: Id, level: i32) -> Hunt<()> {
        Hunt { cat, level, load: Some(()) }
    }

    fn chase(cat: Id, level: i32) -> Hunt<()> {
        Hunt { cat, level, load: None }
    }

    /// Initiator 5 with two links, after `steps`; what the last one did.
    fn node(steps: &[(Port, Hunt<()>)]) -> (Kkm<Tarry>, Recorded<Hunt<()>>) {
        Recorded::replay(&Local { id: 5, degree: 2, ..Local::default() }, true, steps)
    }

    #[test]
    fn an_initiator_begins_on_level_0() {
        assert_eq!(node(&[]).1.sent, [(0, annex(5, 0))]);
    }

    #[test]
    fn a_higher_level_annexes_and_a_lower_one_is_dropped() {
        let (process, out) = node(&[(1, annex(3, 1))]);
        assert_eq!(out.sent, [(0, annex(3, 1))]);
        assert_eq!((process.cat, process.level), (3, 1));
        assert_eq!(node(&[(1, annex(3, 1)), (0, annex(9, 0))]).1.sent, []);
    }

    #[test]
    fn the_own_traversal_goes_on_and_ends_at_home() {
        assert_eq!(node(&[(0, annex(5, 0))]).1.sent, [(1, annex(5, 0))]);
        let (_, out) = node(&[(0, annex(5, 0)), (1, annex(5, 0))]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    #[test]
    fn a_larger_cat_or_a_chase_follows_the_last_token() {
        assert_eq!(node(&[(1, annex(7, 0))]).1.sent, [(0, chase(7, 0))]);
        assert_eq!(node(&[(1, chase(3, 0))]).1.sent, [(0, chase(3, 0))]);
    }

    #[test]
    fn where_a_token_was_chased_the_next_one_waits() {
        let (process, out) = node(&[(1, annex(7, 0)), (1, annex(9, 0))]);
        assert_eq!((out.sent, process.waits), (vec![], true));
    }

    #[test]
    fn a_smaller_cat_waits_and_the_next_token_makes_a_new_level() {
        let (process, out) = node(&[(1, annex(3, 0))]);
        assert_eq!((out.sent, process.waits), (vec![], true));
        let (process, out) = node(&[(1, annex(3, 0)), (0, annex(5, 0))]);
        assert_eq!((out.sent, process.waits), (vec![(0, annex(5, 1))], false));
    }
}
