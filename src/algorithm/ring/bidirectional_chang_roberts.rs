//! Chang and Roberts' election with a coin: every ID sets out to the left or to the right.
//!
//! E. Korach, D. Rotem, N. Santoro, "Distributed election in a circle without a global sense of
//! orientation", Int. J. Computer Mathematics 16 (1984); H. Bodlaender, J. van Leeuwen, "New upper
//! bounds for decentralized extrema-finding in a ring of processors", STACS 1986; C. Lavault 1990.
//!
//! | | |
//! |-|-|
//! | Model | bidirectional ring, unique IDs, a coin each, n unknown, any order of messages, any initiators |
//! | Elects | the largest initiator |
//! | Cost | about 0.707 n H_n messages on average, between 2n-1 and n(n+1)/2 (everybody starts) |
//!
//! ```text
//! initiator:       max := id; send <id, id> to the left or to the right, by the coin
//! on <id, q>:      q = id:  lead
//!                  q > max: max := q; follow; send <id, q> onwards
//!                  else:    swallow it
//! ```
//! A node that did not start has no max and accepts anything.

use super::chang_roberts::{self, Candidate};
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Id, Local, Outbox, Port, Process, opposite};
use crate::model::theory::{Case, Fact, Facts, Holds, harmonic};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct BidirectionalChangRoberts {
    id: Id,
    /// Where its own ID sets out to.
    way: Port,
    /// The largest ID of an initiator so far.
    max: Option<Id>,
}

impl Process for BidirectionalChangRoberts {
    type Message = Candidate;

    fn new(local: &Local) -> Self {
        let way = local.coins.stream().below(2) as Port;
        BidirectionalChangRoberts { id: local.id, way, max: None }
    }
}

impl Asynchronous for BidirectionalChangRoberts {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Candidate>) {
        self.max = Some(self.id);
        out.send(self.way, Candidate(self.id));
    }

    #[inline(always)]
    fn receive(&mut self, from: Port, Candidate(q): Candidate, out: &mut impl Outbox<Candidate>) {
        if q == self.id {
            return out.lead();
        }
        let forward = Some(q) > self.max;
        self.max = self.max.max(Some(q));
        out.follow_if(forward);
        out.send_if(forward, opposite(from), Candidate(q));
    }
}

impl Algorithm for BidirectionalChangRoberts {
    const NAME: &'static str = "bidirectional-chang-roberts";
    const SUMMARY: &'static str =
        "an ID goes left or right, by a coin, until a larger one was there";
    const SOURCE: &'static str =
        "Korach, Rotem and Santoro 1984; Bodlaender and van Leeuwen 1986; Lavault 1990";
    const FILE: &'static str = include_str!("bidirectional_chang_roberts.rs");
    const MODEL: Model = Model { flips_coins: true, ..Model::electing(Elects::LargestInitiator) };

    /// The fewest and the most over all rings and all coins: those of Chang-Roberts, for all coins
    /// may show the same side. The mean over both, in rounds, if everybody starts.
    fn facts(case: &Case) -> Facts {
        if case.initiators == Some(1) {
            return Facts::constant(u128::from(case.n), "n", Self::SOURCE);
        }
        let mean = case.is_all().then(|| Fact { holds: Holds::Synchronous, ..mean(case.n) });
        let source = "derivation in docs/method.md";
        let extremes = chang_roberts::facts(case).map(|fact| Some(Fact { source, ..fact }));
        Facts { mean, variance: None, ..extremes }
    }

    /// As Chang-Roberts, for all coins may show the same side.
    fn facts_of(metric: Metric, case: &Case) -> Facts {
        chang_roberts::facts_of(metric, case).holding(Holds::Synchronous)
    }
}

/// Up to so many nodes the sum is carried out.
const LARGEST_SUM: u64 = 1 << 20;

/// What lies between the mean and n H_n √½, by node, as n grows.
const CONSTANT: f64 = 0.629_317_273;

/// The digits that it lacks. From 2^10 to 2^20 nodes less than half a message lies between the sum and
/// what the constant gives, and does not grow.
const CONSTANT_ERROR: f64 = 1e-9;

/// An ID makes its hop number t+1 in rounds if it is the largest of the t+1 that it knows then, and if
/// no larger one s nodes ahead, t < s < 2t, has come towards it and was there before; of two that come
/// in one round the clockwise one is handled first, so that s = 2t is too far to stop it, and is not
/// to stop the anticlockwise one. The ID s nodes ahead is the largest of s+1 with probability
/// 1/(s+1), comes towards it with 1/2, and all these are independent:
///
///   n Σ_(t=0..n-1) 1/(t+1) · (Q(2t-1) + Q(2t))/2,   Q(u) = Π_(s=t+1..min(u,n-1)) (1 - 1/(2(s+1))).
fn mean(n: u64) -> Fact {
    let formula = "n sum_t (Q(2t-1) + Q(2t))/(2t+2), about 0.707 n H_n";
    let source = "derivation in docs/method.md";
    if n > LARGEST_SUM {
        let n = n as f64;
        let value = n * (harmonic(n as u64) * 0.5f64.sqrt() + CONSTANT);
        return Fact::real(value, formula, source).numerical(1.0 + n * CONSTANT_ERROR);
    }
    let spared = |s: u64| if s < n { 1.0 - 0.5 / (s + 1) as f64 } else { 1.0 };
    // Q(2t-1), from t to t+1: one factor leaves, two come.
    let mut before = 1.0;
    let mut sum = 1.0;
    for t in 1..n {
        if t > 1 {
            before *= spared(2 * t - 2) * spared(2 * t - 1) / spared(t);
        }
        sum += before * (1.0 + spared(2 * t)) / (2 * t + 2) as f64;
    }
    Fact::real(n as f64 * sum, formula, source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::ring::every_order;
    use crate::model::process::{NEXT, PREV, Recorded, Status};

    fn receive(started: bool, q: Id) -> Recorded<Candidate> {
        let mut out = Recorded::new(started);
        let max = started.then_some(5);
        let mut node = BidirectionalChangRoberts { id: 5, way: PREV, max };
        node.receive(NEXT, Candidate(q), &mut out);
        out
    }

    #[test]
    fn a_larger_id_goes_on_the_way_it_came() {
        let out = receive(true, 7);
        assert_eq!((out.sent, out.status), (vec![(PREV, Candidate(7))], Status::Follower));
        let out = receive(false, 3);
        assert_eq!((out.sent, out.status), (vec![(PREV, Candidate(3))], Status::Follower));
    }

    #[test]
    fn a_smaller_id_is_swallowed_also_after_one_from_the_other_side() {
        assert_eq!(receive(true, 3).sent, []);
        let mut out = Recorded::new(true);
        let mut node = BidirectionalChangRoberts { id: 5, way: PREV, max: Some(5) };
        node.receive(NEXT, Candidate(9), &mut out);
        node.receive(PREV, Candidate(7), &mut out);
        assert_eq!(out.sent, [(PREV, Candidate(9))]);
    }

    #[test]
    fn the_own_id_wins() {
        let out = receive(true, 5);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    /// The messages of an election in rounds, in which everybody starts.
    fn messages(ids: &[Id], coins: u32) -> u64 {
        let n = ids.len();
        let way = |node: usize| (coins >> node & 1) as Port;
        let node = |(node, &id)| BidirectionalChangRoberts { id, way: way(node), max: Some(id) };
        let mut nodes: Vec<_> = ids.iter().enumerate().map(node).collect();
        let mut mail: Vec<_> = (0..n).map(|node| (node, way(node), Candidate(ids[node]))).collect();
        let (mut sent, mut leaders) = (0, Vec::new());
        while !mail.is_empty() {
            sent += mail.len() as u64;
            // What goes clockwise comes from PREV, and is handled first.
            mail.sort_by_key(|&(_, port, _)| opposite(port));
            for (from, port, message) in std::mem::take(&mut mail) {
                let to = if port == NEXT { (from + 1) % n } else { (from + n - 1) % n };
                let mut out = Recorded::new(true);
                nodes[to].receive(opposite(port), message, &mut out);
                mail.extend(out.sent.into_iter().map(|(port, message)| (to, port, message)));
                leaders.extend((out.status == Status::Leader).then_some(ids[to]));
            }
        }
        assert_eq!(leaders, [n as Id], "{ids:?} {coins:b}");
        sent
    }

    #[test]
    fn over_all_rings_and_coins_the_facts_are_exact() {
        for n in 1..=7 {
            let (mut least, mut most, mut sum, mut cases) = (u64::MAX, 0, 0, 0);
            every_order(&mut (1..=n).rev().collect::<Vec<Id>>(), 1, &mut |ids| {
                for coins in 0..1 << n {
                    let messages = messages(ids, coins);
                    (least, most) = (least.min(messages), most.max(messages));
                    (sum, cases) = (sum + messages, cases + 1);
                }
            });
            let facts = BidirectionalChangRoberts::facts(&Case::all(n));
            let [best, mean, worst] = [facts.best, facts.mean, facts.worst]
                .map(|fact| fact.expect("known").value.as_f64());
            assert_eq!((best, worst), (least as f64, most as f64), "n = {n}");
            let exact = sum as f64 / f64::from(cases);
            assert!((mean - exact).abs() < 1e-12 * exact, "n = {n}: {mean}, not {exact}");
        }
    }

    #[test]
    fn the_constant_continues_the_sum() {
        let n = LARGEST_SUM;
        let law = mean(n + 1);
        // (n+1) H_(n+1) - n H_n = H_n + 1
        let step = (harmonic(n) + 1.0) * 0.5f64.sqrt() + CONSTANT;
        let off = mean(n).value.as_f64() + step - law.value.as_f64();
        assert!(off.abs() < law.error.expect("stated"), "{law:?}: {off}");
    }
}
