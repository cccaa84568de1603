//! Itai and Rodeh's election: without IDs, everybody draws one, and who ties draws again.
//!
//! A. Itai, M. Rodeh, "Symmetry breaking in distributed networks", FOCS 1981; Information and
//! Computation 88 (1990). Here as W. Fokkink and J. Pang state it (J. UCS 12, 2006): on top of
//! Chang and Roberts' election.
//!
//! | | |
//! |-|-|
//! | Model | unidirectional ring, no IDs, a coin each, n known, any order of messages, any initiators |
//! | Elects | exactly one node, with probability 1 |
//! | Cost | n (H_n + 1.2196) + 0.574 messages on average, if links keep the order; at least 2n-1 |
//!
//! ```text
//! active:     round := round + 1; draw id from 1..R; send <tok, round, id, 1, true>
//! on <tok, r, i, hop, unique>, active:
//!     hop = n:                 unique: lead;  else: next round
//!     (r, i) > (round, id):    passive; follow; send <tok, r, i, hop+1, unique>
//!     (r, i) = (round, id):    send <tok, r, i, hop+1, false>
//!     (r, i) < (round, id):    swallow it
//! passive, or not started:     follow; send <tok, r, i, hop+1, unique>
//! ```
//! R is n here. A process of R = F n^P is `ItaiRodeh<F, P>`.

use std::cmp::Ordering::{Equal, Greater, Less};

use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::{Kinds, Message};
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, Port, Process};
use crate::model::random::Coins;
use crate::model::theory::{Case, Fact, Facts, Holds, harmonic};

/// The state of one participant; IDs are drawn from 1 to FACTOR · n^POWER.
#[derive(Debug, Clone, PartialEq)]
pub struct ItaiRodeh<const FACTOR: u64 = 1, const POWER: u32 = 1> {
    n: u64,
    coins: Coins,
    active: bool,
    /// The last round that it began.
    round: u32,
    /// What it drew then.
    id: Id,
}

/// An ID on its way round the ring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token {
    /// The round of who drew it.
    pub round: u32,
    /// What was drawn.
    pub id: Id,
    /// So many hops, this one included.
    pub hop: u32,
    /// Whether no active node on the way has the same.
    pub unique: bool,
}

impl Message for Token {
    // A number up to n has as many bits as a hop count, whatever IDs the nodes may have besides.
    const KINDS: Kinds = Kinds::new(&[("tok", |w| w.phase + w.hops + w.hops + 1)]);
}

impl<const FACTOR: u64, const POWER: u32> Process for ItaiRodeh<FACTOR, POWER> {
    type Message = Token;

    fn new(local: &Local) -> Self {
        ItaiRodeh { n: local.n, coins: local.coins, active: false, round: 0, id: 0 }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.round))
    }
}

impl<const FACTOR: u64, const POWER: u32> ItaiRodeh<FACTOR, POWER> {
    /// R: how many IDs there are to draw from.
    fn labels(n: u64) -> u64 {
        FACTOR.saturating_mul(n.saturating_pow(POWER))
    }

    fn begin_round(&mut self, out: &mut impl Outbox<Token>) {
        self.id = 1 + self.coins.draw(self.round, Self::labels(self.n));
        self.round += 1;
        out.send(NEXT, Token { round: self.round, id: self.id, hop: 1, unique: true });
    }
}

impl<const FACTOR: u64, const POWER: u32> Asynchronous for ItaiRodeh<FACTOR, POWER> {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Token>) {
        self.active = true;
        self.begin_round(out);
    }

    #[inline(always)]
    fn receive(&mut self, _from: Port, token: Token, out: &mut impl Outbox<Token>) {
        let onwards = Token { hop: token.hop + 1, ..token };
        if !self.active {
            out.follow();
            out.send(NEXT, onwards);
        } else if u64::from(token.hop) == self.n {
            if token.unique { out.lead() } else { self.begin_round(out) }
        } else {
            match (token.round, token.id).cmp(&(self.round, self.id)) {
                Greater => {
                    self.active = false;
                    out.follow();
                    out.send(NEXT, onwards);
                }
                Equal => out.send(NEXT, Token { unique: false, ..onwards }),
                Less => {} // swallowed
            }
        }
    }
}

impl<const FACTOR: u64, const POWER: u32> Algorithm for ItaiRodeh<FACTOR, POWER> {
    const NAME: &'static str = "itai-rodeh";
    const SUMMARY: &'static str = "without IDs: draw one each, and draw again who ties";
    const SOURCE: &'static str = "Itai and Rodeh 1981";
    const FILE: &'static str = include_str!("itai_rodeh.rs");
    const MODEL: Model = Model {
        anonymous: true,
        knows_n: true,
        flips_coins: true,
        ..Model::electing(Elects::Somebody).clockwise()
    };

    /// The mean over all coins, whatever the layout.
    fn facts(case: &Case) -> Facts {
        facts(case, Self::labels(case.n))
    }
}

/// What is known where IDs are drawn from 1 to `labels`.
///
/// A node reads one link only, so no schedule can change what it reads, if links keep the order.
/// All is then as in rounds of n time units: who ties begins the next round n hops later.
pub(super) fn facts(case: &Case, labels: u64) -> Facts {
    let (n, source) = (case.n, "derivation in docs/method.md");
    let Some(initiators) = case.initiators else { return Facts::default() };
    let formula = "n E_k, E_k = m_k + sum_(j=2..k) P(j ties of k) E_j";
    let mean = expected(initiators, labels, |k| messages(k, labels))
        .map(|messages| Fact::real(n as f64 * messages, formula, source));
    let large = || {
        let formula = "n (H_n + 1.21955) + 0.57426";
        let value = n as f64 * (harmonic(n) + CONSTANT) + SECOND_CONSTANT;
        Fact::real(value, formula, source).numerical(LARGEST_ERROR)
    };
    let mean = mean.or_else(|| (case.is_all() && labels == n).then(large));
    // The largest goes once round, and every other one is swallowed by its neighbour.
    let best =
        (case.is_all() && labels >= n).then(|| Fact::whole(2 * u128::from(n) - 1, "2n-1", source));
    Facts { best, mean, ..Facts::default() }.holding(Holds::Fifo)
}

/// Up to so many IDs to draw from the sums are carried out.
const MOST_LABELS: u64 = 1 << 12;

/// More than so many ties of as many IDs as nodes have a probability below 1e-23.
const MOST_TIES: u64 = 24;

/// What lies between the mean and n H_n, by node, as n grows:
/// 1 + ln(1 - 1/e) + Σ_(j≥2) H_j / (j! (e - 1)).
const CONSTANT: f64 = 1.219_550_158_532_969;

/// What is left as n grows; seen at n = 2^10 to 2^14, where it changes by 0.8/n.
const SECOND_CONSTANT: f64 = 0.574_256;

/// Beyond [`MOST_LABELS`] the mean is off by less than this: by about 0.8/n messages, and by the
/// digits that the constants lack.
const LARGEST_ERROR: f64 = 0.001;

/// The expected sum of `cost` over all rounds, from one with k active nodes to the last:
/// E_k = cost(k) + Σ_(j=2..k) P(j|k) E_j, where P(j|k) is the probability that j of k nodes draw
/// the largest ID: C(k,j) R^(-j) Σ_v ((v-1)/R)^(k-j). `None` where it takes too long.
fn expected(k: u64, labels: u64, cost: impl Fn(u64) -> f64) -> Option<f64> {
    let ties = if labels >= k { k.min(MOST_TIES) } else { k };
    if labels > MOST_LABELS || ties > 512 || k == 0 {
        return None;
    }
    let r = labels as f64;
    let sum_of_powers = |power: u64| -> f64 {
        (0..labels).map(|below| (below as f64 / r).powi(power as i32)).sum()
    };
    let small: Vec<f64> = (0..=ties).map(sum_of_powers).collect();
    let mut expected = vec![0.0, cost(1)];
    let before = |k: u64, expected: &[f64]| {
        // C(k,j) R^(-j), from one j to the next.
        let mut chosen = k as f64 / r;
        let mut sum = cost(k);
        for j in 2..k.min(expected.len() as u64) {
            chosen *= (k - j + 1) as f64 / (j as f64 * r);
            let power = k - j;
            let powers = small.get(power as usize).copied();
            sum += chosen * powers.unwrap_or_else(|| sum_of_powers(power)) * expected[j as usize];
        }
        sum
    };
    for k in 2..=ties {
        let all_tie = r.powi(1 - k as i32);
        expected.push(before(k, &expected) / (1.0 - all_tie));
    }
    Some(if k <= ties { expected[k as usize] } else { before(k, &expected) })
}

/// The messages of a round with k active nodes, by node of the ring. The ID v of an active node
/// passes t others if none of them is larger:
/// m_k = (1/R) Σ_v Σ_(t<k) (v/R)^t = k/R + Σ_(v<R) (1 - (v/R)^k) / (R - v).
fn messages(k: u64, labels: u64) -> f64 {
    let r = labels as f64;
    let term = |v: u64| (1.0 - (v as f64 / r).powi(k as i32)) / (labels - v) as f64;
    k as f64 / r + (1..labels).map(term).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{PREV, Recorded, Status};

    /// The node is in round 2 of a ring of 5, and has drawn 3.
    fn receive(active: bool, token: Token) -> (ItaiRodeh, Recorded<Token>) {
        let mut node: ItaiRodeh = ItaiRodeh { n: 5, coins: Coins::new(1), active, round: 2, id: 3 };
        let mut out = Recorded::new(true);
        node.receive(PREV, token, &mut out);
        (node, out)
    }

    fn token(round: u32, id: Id, hop: u32, unique: bool) -> Token {
        Token { round, id, hop, unique }
    }

    #[test]
    fn who_starts_sends_what_it_draws() {
        let coins = Coins::new(9);
        let local = Local { n: 5, coins, id: 77, ..Local::default() };
        let (node, out) = Recorded::replay::<ItaiRodeh>(&local, true, &[]);
        assert_eq!(out.sent, [(NEXT, token(1, 1 + coins.draw(0, 5), 1, true))]);
        assert_eq!(node.rounds(), Some(1));
    }

    #[test]
    fn a_larger_one_passes_and_defeats() {
        for larger in [token(2, 4, 2, true), token(3, 1, 2, false)] {
            let (node, out) = receive(true, larger);
            assert!(!node.active);
            assert_eq!(out.status, Status::Follower);
            assert_eq!(out.sent, [(NEXT, Token { hop: 3, ..larger })]);
        }
    }

    #[test]
    fn an_equal_one_passes_and_is_told_so() {
        let (node, out) = receive(true, token(2, 3, 2, true));
        assert_eq!((node.active, out.status), (true, Status::Undecided));
        assert_eq!(out.sent, [(NEXT, token(2, 3, 3, false))]);
    }

    #[test]
    fn a_smaller_one_or_one_of_an_earlier_round_is_swallowed() {
        for smaller in [token(2, 2, 2, true), token(1, 5, 2, true)] {
            assert_eq!(receive(true, smaller).1.sent, []);
        }
    }

    #[test]
    fn who_is_alone_leads_and_who_is_not_draws_again() {
        let (_, out) = receive(true, token(2, 3, 5, true));
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        let (node, out) = receive(true, token(2, 3, 5, false));
        assert_eq!(out.sent, [(NEXT, token(3, node.id, 1, true))]);
        assert_eq!(node.id, 1 + Coins::new(1).draw(2, 5));
    }

    #[test]
    fn a_passive_node_only_counts_the_hop() {
        let (_, out) = receive(false, token(1, 1, 2, false));
        assert_eq!(out.sent, [(NEXT, token(1, 1, 3, false))]);
    }

    fn mean<const FACTOR: u64, const POWER: u32>(n: u64) -> f64 {
        let fact = ItaiRodeh::<FACTOR, POWER>::facts(&Case::all(n)).mean.expect("known");
        fact.value.as_f64()
    }

    /// Fractions, or decimals where those are long.
    #[test]
    fn the_mean_is_that_of_the_table() {
        let near = |value: f64, expected: f64, error: f64| {
            assert!((value - expected).abs() < error * expected, "{value}, not {expected}");
        };
        let table = [
            (2, 7.0),
            (3, 163.0 / 16.0),
            (4, 4436.0 / 315.0),
            (5, 59_029.0 / 3224.0),
            (6, 1_971_381_119.0 / 86_590_175.0),
        ];
        table.iter().for_each(|&(n, expected)| near(mean::<1, 1>(n), expected, 1e-14));
        let rounded = [(7, 27.4064, 5e-5), (8, 32.1976, 5e-5), (16, 74.236, 5e-4)];
        for (n, expected, half) in
            rounded.into_iter().chain([(32, 169.499, 5e-4), (64, 382.248, 5e-4)])
        {
            near(mean::<1, 1>(n), expected, half / expected);
        }
        let fractions = [
            (2, [7.0, 13.0 / 3.0, 13.0 / 3.0]),
            (3, [59.0 / 4.0, 1037.0 / 140.0, 67.0 / 10.0]),
            (4, [526.0 / 21.0, 49_880.0 / 4599.0, 662_656.0 / 69_615.0]),
        ];
        for (n, [two, twice, square]) in fractions {
            near(mean::<2, 0>(n), two, 1e-14);
            near(mean::<2, 1>(n), twice, 1e-14);
            near(mean::<1, 2>(n), square, 1e-14);
        }
        near(mean::<2, 0>(8), 89.4351, 5e-5 / 89.4351);
        near(mean::<2, 1>(8), 26.7105, 5e-5 / 26.7105);
        near(mean::<1, 2>(8), 22.9431, 5e-5 / 22.9431);
        assert_eq!(mean::<1, 1>(1), 1.0);
    }

    #[test]
    fn the_same_recursion_gives_the_mean_rounds() {
        let table = [2.0, 27.0 / 16.0, 8.0 / 5.0, 5825.0 / 3744.0, 396.0 / 259.0];
        for (n, rounds) in (2..).zip(table) {
            let expected = expected(n, n, |_| 1.0).expect("small");
            assert!((expected - rounds).abs() < 1e-14, "n = {n}: {expected}");
        }
        assert!((expected(7, 7, |_| 1.0).expect("small") - 1.5109).abs() < 5e-5);
        assert!((expected(8, 8, |_| 1.0).expect("small") - 1.4979).abs() < 5e-5);
    }

    #[test]
    fn the_law_of_large_rings_continues_the_sum() {
        let n = MOST_LABELS;
        let law = n as f64 * (harmonic(n) + CONSTANT) + SECOND_CONSTANT;
        let off = (mean::<1, 1>(n) - law).abs();
        assert!(off < 1.0 / n as f64 && off < LARGEST_ERROR, "{law}");
        let fact = ItaiRodeh::<1, 1>::facts(&Case::all(n + 1)).mean.expect("known");
        assert_eq!(fact.error, Some(LARGEST_ERROR));
    }

    #[test]
    fn the_limit_of_the_mean_by_node_is_a_sum() {
        use std::f64::consts::E;
        let mut factorial = 1.0;
        let mut sum = 0.0;
        for j in 2..30 {
            factorial *= j as f64;
            sum += harmonic(j) / factorial;
        }
        assert!((1.0 + (1.0 - 1.0 / E).ln() + sum / (E - 1.0) - CONSTANT).abs() < 1e-14);
    }
}
