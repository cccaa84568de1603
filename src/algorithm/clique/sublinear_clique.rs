//! An election with fewer messages than nodes: a few candidates, and referees drawn at random.
//!
//! S. Kutten, G. Pandurangan, D. Peleg, P. Robinson, A. Trehan, "Sublinear bounds for randomized
//! leader election", ICDCN 2013; Theoretical Computer Science 561 (2015). The constants are ours.
//!
//! | | |
//! |-|-|
//! | Model | complete network, rounds, no IDs, a coin each, n known, everybody starts at 0 |
//! | Elects | exactly one node, with high probability: it may fail |
//! | Cost | 2 ln n · s messages from candidates on average, s = ⌈2 √(n ln n)⌉, and at most n answers |
//!
//! It stays below the Ω(E) messages that any election on a network of E edges needs (and these are
//! n(n-1)/2 here), and even below n. It may, for it is none of that theorem's: it is randomised,
//! *implicit* (the others know only that they do not lead) and it may fail. A run in which nobody
//! leads, or more than one does, is no fault: it has no leader.
//!
//! ```text
//! time 0:   with probability 2 ln n / n: draw rank from 1..n^4; send <rank> to s others, at random
//!           else: follow
//! time 1:   send <win> to the sender of the largest rank, if that is one;
//!           a candidate counts its own rank, to which it sends nothing
//! time 2:   s times <win>: lead;  else: follow
//! ```

use std::cmp::Ordering::{Equal, Greater, Less};

use crate::algorithm::{Algorithm, Elects, Model, On};
use crate::model::message::kinds;
use crate::model::process::{Clock, Local, Port, Process, Synchronous};
use crate::model::random::{Coins, natural_logarithm};
use crate::model::theory::{Case, Certainty, Fact, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct SublinearClique {
    n: u64,
    coins: Coins,
    /// How many have told it that it is the largest.
    wins: u64,
    /// The largest rank so far; a candidate's own is the first.
    largest: u64,
    /// Who sent it, if that is one other node.
    sender: Option<Port>,
    /// Whether it has been asked to judge.
    judges: bool,
}

/// What the nodes send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ballot {
    /// A candidate's rank.
    Rank(u64),
    /// It is the largest that I have seen.
    Win,
}

use Ballot::{Rank, Win};

kinds! { Ballot {
    // A rank is a number up to n^4.
    Rank: "rank", |w| 4 * w.hops;
    Win: "win", |_| 0;
} }

/// The alarm of a candidate that counts its wins, and that of a referee.
const COUNT: u64 = 0;
const JUDGE: u64 = 1;

impl Process for SublinearClique {
    type Message = Ballot;

    fn new(local: &Local) -> Self {
        let (n, coins) = (local.n, local.coins);
        SublinearClique { n, coins, wins: 0, largest: 0, sender: None, judges: false }
    }
}

impl Synchronous for SublinearClique {
    fn start(&mut self, out: &mut impl Clock<Ballot>) {
        let mut coins = self.coins.stream();
        if coins.unit() >= probability(self.n) {
            return out.follow();
        }
        self.largest = 1 + coins.below(self.n.saturating_pow(4));
        for port in coins.choose(self.n - 1, referees(self.n)) {
            out.send(port as Port, Rank(self.largest));
        }
        out.wake(Some(2), COUNT);
    }

    fn receive(&mut self, from: Port, ballot: Ballot, out: &mut impl Clock<Ballot>) {
        match ballot {
            Win => self.wins += 1,
            Rank(rank) => {
                if !self.judges {
                    self.judges = true;
                    out.wake(Some(out.now()), JUDGE);
                }
                match rank.cmp(&self.largest) {
                    Greater => (self.largest, self.sender) = (rank, Some(from)),
                    Equal => self.sender = None,
                    Less => {}
                }
            }
        }
    }

    fn alarm(&mut self, token: u64, out: &mut impl Clock<Ballot>) {
        match (token, self.sender) {
            (COUNT, _) if self.wins == referees(self.n) => out.lead(),
            (COUNT, _) => out.follow(),
            (_, Some(sender)) => out.send(sender, Win),
            (_, None) => {}
        }
    }
}

/// How likely a node is a candidate. A single node is.
fn probability(n: u64) -> f64 {
    if n == 1 { 1.0 } else { 2.0 * natural_logarithm(n as f64) / n as f64 }
}

/// How many others a candidate asks, s.
fn referees(n: u64) -> u64 {
    let s = (2.0 * (n as f64 * natural_logarithm(n as f64)).sqrt()).ceil();
    (s as u64).min(n - 1)
}

impl Algorithm for SublinearClique {
    const NAME: &'static str = "sublinear-clique";
    const SUMMARY: &'static str = "a few candidates, and referees at random; it may fail";
    const SOURCE: &'static str = "Kutten, Pandurangan, Peleg, Robinson and Trehan 2013";
    const FILE: &'static str = include_str!("sublinear_clique.rs");
    const MODEL: Model = Model {
        on: On::Cliques,
        needs_all: true,
        knows_n: true,
        anonymous: true,
        flips_coins: true,
        may_fail: true,
        ..Model::electing(Elects::Somebody)
    };

    /// Nobody may be a candidate, or everybody; then each node answers once at most.
    fn facts(case: &Case) -> Facts {
        let (n, source) = (case.n, "derivation in docs/method.md");
        if !case.is_all() {
            return Facts::default();
        }
        if n == 1 {
            return Facts::constant(0, "0", source);
        }
        let worst = u128::from(n) * (u128::from(referees(n)) + 1);
        let mean = ranks(n) + wins(n);
        Facts {
            best: Some(Fact::whole(0, "0", source)),
            mean: Some(Fact::real(mean, "2 s ln n + the answers", source)),
            worst: Some(Fact::whole(worst, "n (s + 1)", source).known(Certainty::Bound)),
            variance: None,
        }
    }
}

/// The mean number of ranks sent: n p s.
fn ranks(n: u64) -> f64 {
    n as f64 * probability(n) * referees(n) as f64
}

/// The mean number of answers. A node hears of X others, binomial of n-1 and q = p s/(n-1). It
/// answers if one of the X is the largest alone, or one of X + 1 where it is a candidate itself and
/// not the largest:
///
///   n Σ_x P(X = x) ((1-p) u_x + p u_(x+1) x/(x+1)),
///
/// where u_x is the probability that the largest of x ranks is one alone.
fn wins(n: u64) -> f64 {
    let (p, others) = (probability(n), (n - 1) as f64);
    let q = p * referees(n) as f64 / others;
    let mut probable = (others * (-q).ln_1p()).exp();
    let mut sum = 0.0;
    // The mean of X is below 5 for every n: more than so many are heard of in no life.
    for x in 1..n.min(100) {
        let many = x as f64;
        probable *= (others - many + 1.0) / many * q / (1.0 - q);
        sum += probable * ((1.0 - p) * alone(x, n) + p * alone(x + 1, n) * many / (many + 1.0));
    }
    n as f64 * sum
}

/// u_x: how likely the largest of x numbers from 1..M, M = n^4, is one alone. That is
/// x M^(-x) Σ_(i<M) i^(x-1) = Σ_(l<x) C(x,l) B_l M^(-l) with Bernoulli's numbers (Faulhaber); terms
/// beyond l = 4 are below 1e-16.
fn alone(x: u64, n: u64) -> f64 {
    let (many, inverse) = (x as f64, (n as f64).powi(-4));
    let mut sum = 1.0;
    if x >= 2 {
        sum -= many / 2.0 * inverse;
    }
    if x >= 3 {
        sum += many * (many - 1.0) / 12.0 * inverse * inverse;
    }
    if x >= 5 {
        let chosen = many * (many - 1.0) * (many - 2.0) * (many - 3.0) / 24.0;
        sum -= chosen / 30.0 * inverse.powi(4);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn node(n: u64, coins: u64) -> SublinearClique {
        SublinearClique::new(&Local { n, coins: Coins::new(coins), ..Local::default() })
    }

    /// A node that has started as a candidate, with its rank and what it sent.
    fn candidate(n: u64) -> (SublinearClique, Recorded<Ballot>) {
        let started = (0..).map(|coins| {
            let (mut node, mut out) = (node(n, coins), Recorded::new(true));
            node.start(&mut out);
            (node, out)
        });
        started.into_iter().find(|(_, out)| !out.sent.is_empty()).expect("one of many")
    }

    #[test]
    fn a_candidate_asks_as_many_others_as_the_formula_says() {
        for (n, s) in [(2, 1), (8, 7), (11, 10), (12, 11), (256, 76), (1024, 169), (4096, 370)] {
            let (node, out) = candidate(n);
            let ports: std::collections::BTreeSet<_> =
                out.sent.iter().map(|&(port, _)| port).collect();
            assert_eq!((referees(n), ports.len() as u64), (s, s), "n = {n}");
            assert!(
                out.sent.iter().all(|&(port, ballot)| {
                    (port as u64) < n - 1 && ballot == Rank(node.largest)
                })
            );
            assert_eq!(out.alarms, [(Some(2), COUNT)]);
        }
    }

    #[test]
    fn who_is_no_candidate_follows_and_a_single_node_leads() {
        let mut out = Recorded::new(true);
        let starts = |coins| {
            out = Recorded::new(true);
            node(1000, coins).start(&mut out);
            out.status == Status::Follower
        };
        assert!((0..10).map(starts).filter(|&follows| follows).count() > 5);
        let (mut node, mut out) = (node(1, 7), Recorded::new(true));
        node.start(&mut out);
        node.alarm(COUNT, &mut out);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
    }

    fn judged(node: &mut SublinearClique, ranks: &[(Port, u64)]) -> Vec<(Port, Ballot)> {
        let mut out = Recorded::new(true);
        out.now = 1;
        ranks.iter().for_each(|&(port, rank)| node.receive(port, Rank(rank), &mut out));
        assert_eq!(out.alarms, [(Some(1), JUDGE)]);
        node.alarm(JUDGE, &mut out);
        out.sent
    }

    #[test]
    fn a_referee_answers_the_largest_if_it_is_alone() {
        assert_eq!(judged(&mut node(9, 1), &[(3, 10), (1, 20), (4, 15)]), [(1, Win)]);
        assert_eq!(judged(&mut node(9, 1), &[(3, 20), (1, 20), (4, 15)]), []);
        let mut own = SublinearClique { largest: 20, ..node(9, 1) };
        assert_eq!(judged(&mut own.clone(), &[(3, 10)]), []);
        assert_eq!(judged(&mut own.clone(), &[(3, 20)]), []);
        assert_eq!(judged(&mut own, &[(3, 20), (5, 21)]), [(5, Win)]);
    }

    #[test]
    fn a_candidate_leads_if_all_referees_say_so() {
        for (wins, status) in [(7, Status::Leader), (6, Status::Follower)] {
            let (mut node, mut out) = candidate(8);
            (0..wins).for_each(|port| node.receive(port, Win, &mut out));
            node.alarm(COUNT, &mut out);
            assert_eq!(out.status, status);
        }
    }

    /// Simulated elsewhere: 838 + 243, 2319 + 914 and 6130 + 3187.
    #[test]
    fn the_means_are_near_those_that_others_have_measured() {
        for (n, expected) in
            [(256, (838.0, 243.0)), (1024, (2319.0, 914.0)), (4096, (6130.0, 3187.0))]
        {
            let (ranks, wins) = (ranks(n), wins(n));
            assert!((ranks / expected.0 - 1.0f64).abs() < 0.02, "n = {n}: {ranks}");
            assert!((wins / expected.1 - 1.0f64).abs() < 0.02, "n = {n}: {wins}");
        }
    }

    #[test]
    fn the_largest_is_alone_as_often_as_all_tuples_say() {
        for (x, n) in [(1u32, 2u64), (2, 2), (3, 2), (4, 2), (5, 2)] {
            let labels = n.pow(4);
            let tuples = labels.pow(x);
            let is_alone = |tuple: u64| {
                let ranks: Vec<u64> = (0..x).map(|it| tuple / labels.pow(it) % labels).collect();
                let largest = ranks.iter().max();
                ranks.iter().filter(|&rank| Some(rank) == largest).count() == 1
            };
            let count = (0..tuples).filter(|&tuple| is_alone(tuple)).count();
            let exact = count as f64 / tuples as f64;
            assert!((alone(u64::from(x), n) - exact).abs() < 1e-15, "{x}: {exact}");
        }
    }
}
