//! Franklin's election without IDs: everybody draws a new one in every round.
//!
//! R. Bakhshi, W. Fokkink, J. Pang, J. van de Pol, "Leader election in anonymous rings: Franklin goes
//! probabilistic", TCS 2008.
//!
//! | | |
//! |-|-|
//! | Model | bidirectional ring, no IDs, a coin each, n known, FIFO links, any initiators |
//! | Elects | exactly one node, with probability 1 |
//! | Cost | 2n messages a round |
//!
//! ```text
//! active:     draw id from 1..n; send <cand, id, 1> both ways
//!             on <cand, q, n>: lead
//!             on <cand, p, _> and <cand, q, _> from the two sides, one each in a round:
//!                 id ≥ p and id ≥ q: next round;  else: passive, follow
//! passive, or not started: follow; send <cand, q, hop+1> onwards
//! ```
//! A neighbour may be one round ahead; its ID waits until this node knows whether it is still active.
//! The paper's messages carry the round modulo 2, which nobody needs where links keep the order.

use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::message::{Kinds, Message};
use crate::model::process::{Asynchronous, Id, Local, NEXT, Outbox, PREV, Port, Process, opposite};
use crate::model::random::Coins;
use crate::model::theory::{Case, Fact, Facts, Holds};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbabilisticFranklin {
    n: u64,
    coins: Coins,
    active: bool,
    rounds: u32,
    /// What it drew in this round.
    id: Id,
    /// What came from one side in this round, while the other side is awaited.
    heard: Option<(Port, Id)>,
    /// What came from the same side since: of the next round.
    early: Option<Drawn>,
}

/// What an active node drew, for the next active node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// What was drawn.
    pub id: Id,
    /// So many hops, this one included.
    pub hop: u32,
}

impl Message for Drawn {
    // A number up to n has as many bits as a hop count, whatever IDs the nodes may have besides.
    const KINDS: Kinds = Kinds::new(&[("cand", |w| w.hops + w.hops)]);
}

impl Process for ProbabilisticFranklin {
    type Message = Drawn;

    fn new(local: &Local) -> Self {
        ProbabilisticFranklin {
            n: local.n,
            coins: local.coins,
            active: false,
            rounds: 0,
            id: 0,
            heard: None,
            early: None,
        }
    }

    fn rounds(&self) -> Option<u64> {
        Some(u64::from(self.rounds))
    }
}

impl ProbabilisticFranklin {
    fn begin_round(&mut self, out: &mut impl Outbox<Drawn>) {
        self.id = 1 + self.coins.draw(self.rounds, self.n);
        self.rounds += 1;
        for side in [NEXT, PREV] {
            out.send(side, Drawn { id: self.id, hop: 1 });
        }
    }

    /// Ends a round in which `larger` of both neighbours was heard of, the one at `side` first.
    fn end_round(&mut self, larger: Id, side: Port, out: &mut impl Outbox<Drawn>) {
        let early = self.early.take();
        if self.id >= larger {
            self.heard = early.map(|drawn| (side, drawn.id));
            self.begin_round(out);
        } else {
            self.active = false;
            out.follow();
            if let Some(Drawn { id, hop }) = early {
                out.send(opposite(side), Drawn { id, hop: hop + 1 });
            }
        }
    }
}

impl Asynchronous for ProbabilisticFranklin {
    #[inline(always)]
    fn start(&mut self, out: &mut impl Outbox<Drawn>) {
        self.active = true;
        self.begin_round(out);
    }

    #[inline(always)]
    fn receive(&mut self, from: Port, drawn: Drawn, out: &mut impl Outbox<Drawn>) {
        let Drawn { id, hop } = drawn;
        if !self.active {
            out.follow();
            out.send(opposite(from), Drawn { id, hop: hop + 1 });
        } else if u64::from(hop) == self.n {
            out.lead();
        } else {
            match self.heard.take() {
                None => self.heard = Some((from, id)),
                Some((side, other)) if side != from => self.end_round(id.max(other), side, out),
                still => (self.heard, self.early) = (still, Some(drawn)),
            }
        }
    }
}

impl Algorithm for ProbabilisticFranklin {
    const NAME: &'static str = "probabilistic-franklin";
    const SUMMARY: &'static str = "franklin without IDs: all that are active draw in each round";
    const SOURCE: &'static str = "Bakhshi, Fokkink, Pang and van de Pol 2008";
    const FILE: &'static str = include_str!("probabilistic_franklin.rs");
    const MODEL: Model = Model {
        needs_fifo: true,
        knows_n: true,
        anonymous: true,
        flips_coins: true,
        ..Model::electing(Elects::Somebody)
    };

    /// The mean over all coins, whatever the layout. A node reads its links by turns, so no schedule
    /// can change what it reads, if links keep the order.
    fn facts(case: &Case) -> Facts {
        let (n, source) = (case.n, "derivation in docs/method.md");
        let Some(k) = case.initiators else { return Facts::default() };
        if k <= 1 {
            return Facts::constant(2 * u128::from(n), "2n", source);
        }
        let mean = rounds(k, n).map(|rounds| {
            let formula = "2n E_k, E_k = 1 + sum_j P(j of k survive) E_j";
            Fact::real(2.0 * n as f64 * rounds, formula, source)
        });
        // One round leaves the largest alone, and in the next one it hears of itself.
        let best = Fact::whole(4 * u128::from(n), "4n", source);
        Facts { best: Some(best), mean, ..Facts::default() }.holding(Holds::Fifo)
    }
}

/// Up to so many nodes the mean takes no time worth mentioning.
const LARGEST: u64 = 64;

/// The mean number of rounds with k active nodes that draw from 1 to `labels`:
/// E_1 = 1, E_k = 1 + Σ_(j=1..k) P(j|k) E_j, where j is the number of survivors.
fn rounds(k: u64, labels: u64) -> Option<f64> {
    if k.max(labels) > LARGEST {
        return None;
    }
    let k = k as usize;
    let survivors = survivors(k, labels as usize);
    let mut expected = vec![0.0, 1.0];
    for k in 2..=k {
        let of = &survivors[k];
        let sum: f64 = (1..k).map(|j| of[j] * expected[j]).sum();
        expected.push((1.0 + sum) / (1.0 - of[k]));
    }
    Some(expected[k])
}

/// By k from 2 to `most`: how likely so many of k nodes on a ring survive a round.
///
/// A word is read letter by letter, from its first on. All that matters of what was read is the
/// first letter a, whether the second is at most as large, the last letter b, whether that one is
/// at least as large as the letter before (*up*), and how many have survived. Then a letter c comes:
/// b survives if it is up and c ≤ b. In the end the word is closed: c = a.
fn survivors(most: usize, labels: usize) -> Vec<Vec<f64>> {
    let mut all = vec![vec![0.0; most + 1]; most + 1];
    let width = most + 1;
    let each = 1.0 / labels as f64;
    // By last letter and number of survivors, flat.
    let [mut down, mut up, mut next_down, mut next_up] =
        [(); 4].map(|()| vec![0.0; labels * width]);
    for (first, first_is_larger) in (0..labels).flat_map(|a| [(a, true), (a, false)]) {
        down.fill(0.0);
        up.fill(0.0);
        let seconds = if first_is_larger { 0..first + 1 } else { first + 1..labels };
        for second in seconds {
            let list = if first <= second { &mut up } else { &mut down };
            list[second * width] = each * each;
        }
        for (k, closed) in all.iter_mut().enumerate().skip(2) {
            for last in 0..labels {
                let first_survives = usize::from(first_is_larger && last <= first);
                let last_survives = usize::from(first <= last);
                for j in 0..k {
                    let (down, up) = (down[last * width + j], up[last * width + j]);
                    // Who is counted twice there is nobody: the first and the last are two nodes.
                    if down > 0.0 {
                        closed[j + first_survives] += down;
                    }
                    if up > 0.0 {
                        closed[j + first_survives + last_survives] += up;
                    }
                }
            }
            // What comes from smaller letters to this one, and from larger ones.
            for j in 0..width {
                let mut smaller = 0.0;
                for c in 0..labels {
                    let at = c * width + j;
                    let survived = if j > 0 { up[at - 1] } else { 0.0 };
                    next_up[at] = each * (smaller + down[at] + survived);
                    smaller += down[at] + up[at];
                }
                let mut larger = 0.0;
                for c in (0..labels).rev() {
                    let at = c * width + j;
                    next_down[at] = each * larger;
                    larger += down[at] + if j > 0 { up[at - 1] } else { 0.0 };
                }
            }
            std::mem::swap(&mut down, &mut next_down);
            std::mem::swap(&mut up, &mut next_up);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::process::{Recorded, Status};

    fn drawn(id: Id, hop: u32) -> Drawn {
        Drawn { id, hop }
    }

    /// A node of a ring of 5 that has drawn 3 hears this.
    fn receive(
        active: bool,
        messages: &[(Port, Drawn)],
    ) -> (ProbabilisticFranklin, Recorded<Drawn>) {
        let local = Local { n: 5, coins: Coins::new(1), ..Local::default() };
        let new = ProbabilisticFranklin::new(&local);
        let mut node = ProbabilisticFranklin { active, rounds: 1, id: 3, ..new };
        let mut out = Recorded::new(true);
        for &(from, message) in messages {
            out = Recorded::new(true);
            node.receive(from, message, &mut out);
        }
        (node, out)
    }

    #[test]
    fn who_is_not_smaller_than_both_draws_again() {
        let (node, out) = receive(true, &[(PREV, drawn(3, 2)), (NEXT, drawn(1, 1))]);
        let id = 1 + Coins::new(1).draw(1, 5);
        assert_eq!(node.rounds(), Some(2));
        assert_eq!(out.sent, [(NEXT, drawn(id, 1)), (PREV, drawn(id, 1))]);
        let (node, out) = receive(true, &[(PREV, drawn(4, 2)), (NEXT, drawn(1, 1))]);
        assert!(!node.active);
        assert_eq!((out.sent, out.status), (vec![], Status::Follower));
    }

    #[test]
    fn what_comes_early_waits_and_passes_if_the_node_leaves() {
        let early = (PREV, drawn(2, 1));
        let (node, out) = receive(true, &[(PREV, drawn(3, 2)), early, (NEXT, drawn(4, 1))]);
        assert!(!node.active);
        assert_eq!(out.sent, [(NEXT, drawn(2, 2))]);
        let (node, _) = receive(true, &[(PREV, drawn(3, 2)), early, (NEXT, drawn(1, 1))]);
        assert_eq!(node.heard, Some((PREV, 2)));
    }

    #[test]
    fn who_hears_of_itself_leads_and_a_passive_node_counts_the_hop() {
        let (_, out) = receive(true, &[(PREV, drawn(3, 5))]);
        assert_eq!((out.sent, out.status), (vec![], Status::Leader));
        assert_eq!(receive(false, &[(NEXT, drawn(1, 2))]).1.sent, [(PREV, drawn(1, 3))]);
    }

    #[test]
    fn survivors_are_those_of_all_words() {
        for (k, labels) in [(2, 2usize), (2, 5), (3, 3), (4, 3), (5, 2), (5, 5), (6, 4)] {
            let words = labels.pow(k as u32);
            let mut counts = vec![0u64; k + 1];
            for word in 0..words {
                let letter = |place: usize| word / labels.pow((place % k) as u32) % labels;
                let survives = |place: usize| {
                    let own = letter(place);
                    own >= letter(place + 1) && own >= letter(place + k - 1)
                };
                counts[(0..k).filter(|&place| survives(place)).count()] += 1;
            }
            let exact = counts.iter().map(|&count| count as f64 / words as f64);
            for (j, (computed, exact)) in survivors(k, labels)[k].iter().zip(exact).enumerate() {
                assert!((computed - exact).abs() < 1e-14, "{j} of {k}, {labels} labels");
            }
        }
    }

    #[test]
    fn the_mean_is_that_of_the_table() {
        let table = [
            (1, 2.0, 1e-14),
            (2, 12.0, 1e-14),
            (3, 129.0 / 8.0, 1e-14),
            (4, 22_856.0 / 945.0, 1e-14),
            (5, 1_227_155.0 / 38_688.0, 1e-14),
            (6, 38.868_313, 2e-8),
        ];
        for (n, expected, error) in table {
            let mean = ProbabilisticFranklin::facts(&Case::all(n)).mean.expect("small");
            let mean = mean.value.as_f64();
            assert!((mean - expected).abs() < error * expected, "n = {n}: {mean}");
        }
    }
}
