//! The synchronous bound for algorithms that only compare IDs, on the bit-reversal ring.
//!
//! G. Frederickson, N. Lynch, "Electing a leader in a synchronous ring", JACM 34 (1987). Position i of a
//! ring of n = 2^k holds the IDs in the order of rev(i), its bits reversed. Two nodes are alike up to
//! distance q if the IDs within q of them are in the same order. rev(a) < rev(a+d) says whether bit v of
//! a is 0, where v counts the zeros at the end of d; so the order around i is told by i modulo
//! 2^(⌊log2 q⌋+2), and every node has at least n/(4·2^⌊log2 q⌋) like it, itself included.
//!
//! In an *active* round somebody sends. What an algorithm that only compares does in its (q+1)-st
//! active round depends on what is within q; so those who send are whole classes of such nodes, and
//! while all classes have two members nobody can be elected. Hence n/4 active rounds at least, and
//! Σ n/(4·2^⌊log2 q⌋) = (n/4)(log2 n + 2) messages.

use std::collections::BTreeSet;

use super::lockstep::{Lockstep, Round};
use crate::algorithm::{Elects, On};
use crate::engine::Entry;
use crate::model::election::{Election, Starts};
use crate::model::error::Input;
use crate::model::process::{Id, NEXT, PREV, Port};
use crate::model::random::{Key, Purpose};
use crate::model::stop::Stop;
use crate::model::violation::Violation;

/// What an algorithm did on the bit-reversal ring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The number of nodes.
    pub n: u64,
    /// All messages.
    pub messages: u64,
    /// Messages in each round in which there were any.
    pub active_rounds: Vec<u64>,
    /// What an algorithm that only compares cannot stay below: (n/4)(log2 n + 2).
    pub bound_messages: u64,
    /// The same for active rounds: n/4.
    pub bound_active_rounds: u64,
    /// Why it does not only compare, if it does not.
    pub refuted: Option<Refuted>,
}

/// That an algorithm does not only compare IDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refuted {
    /// In which active round it shows, counted from 1.
    pub active_round: u64,
    /// How it shows.
    pub how: How,
}

/// How it shows that an algorithm does not only compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Some of a class sent, and others did not.
    Senders {
        /// How many sent over links of one direction.
        senders: u64,
        /// How many nodes at least are alike.
        class: u64,
    },
    /// With other IDs in the same order it did something else.
    OtherIds,
}

/// What an algorithm that only compares cannot stay below in messages: (n/4)(log2 n + 2).
pub fn bound_messages(n: u64) -> u64 {
    (0..n / 4).map(|distance| class_size(n, distance)).sum()
}

/// How many nodes at least are like a given one up to this distance.
fn class_size(n: u64, distance: u64) -> u64 {
    n / modulus(distance)
}

/// Nodes whose positions are equal modulo this are alike up to this distance.
fn modulus(distance: u64) -> u64 {
    distance.checked_ilog2().map_or(1, |power| 4 << power)
}

/// Refuses algorithms and sizes that the bound says nothing about.
pub fn check(entry: &Entry, n: u64) -> Result<(), Input> {
    const MOST: u64 = 1 << 14;
    let refuse = |reason: &str| {
        let remedy = "take another, such as chang-roberts or time-slice";
        Err(Input::new("algorithm", &entry.name, reason, remedy))
    };
    if entry.model.on != On::Rings {
        return refuse("it is no algorithm for rings, whose nodes tell left from right");
    }
    if entry.model.flips_coins {
        return refuse("it flips coins, and the bound is about algorithms that do not");
    }
    if entry.model.elects == Elects::Nobody {
        return refuse("nobody is elected");
    }
    if entry.model.counts_to_ids {
        return refuse("its nodes count up to their IDs and so do not only compare them");
    }
    if !n.is_power_of_two() || !(4..=MOST).contains(&n) {
        let problem = format!("the bit-reversal ring has 4, 8, 16, ... up to {MOST} nodes");
        return Err(Input::new("n", n, problem, "use a power of two like 64"));
    }
    Ok(())
}

/// Lets an algorithm run on three rings whose IDs are in the same order: far apart, dense, and random.
pub fn compare(entry: &Entry, n: u64, stop: &Stop) -> Result<Comparison, Violation> {
    let ranks = bit_reversal(n);
    let spaced = ranks.iter().map(|rank| (n + 1) * rank + n).collect::<Vec<Id>>();
    let mut words = Key::new(1, "comparison", n, "bit-reversal", "").stream(0, Purpose::Ring);
    // As far apart as those that are spaced evenly.
    let mut next = 0;
    let rising: Vec<Id> = (0..n)
        .map(|_| {
            next += n + 1 + words.below(n + 1);
            next
        })
        .collect();
    let random: Vec<Id> = ranks.iter().map(|&rank| rising[rank as usize]).collect();
    let run = |ids: &[Id]| run(entry, ids, stop);
    let (first, others) = (run(&spaced)?, [run(&ranks)?, run(&random)?]);
    let open = open_round(n, &first);
    let other = others.iter().filter_map(|other| differs(&first, other)).min();
    let other = other.map(|active_round| Refuted { active_round, how: How::OtherIds });
    let refuted = open.into_iter().chain(other).min_by_key(|it| it.active_round);
    Ok(Comparison {
        n,
        messages: first.messages,
        active_rounds: first.active.iter().map(|active| active.sent.len() as u64).collect(),
        bound_messages: bound_messages(n),
        bound_active_rounds: n / 4,
        refuted,
    })
}

/// 0..n, each at the position whose bits are its own reversed.
fn bit_reversal(n: u64) -> Vec<u64> {
    let bits = n.ilog2();
    (0..n).map(|place| if bits == 0 { 0 } else { place.reverse_bits() >> (64 - bits) }).collect()
}

/// A round in which somebody sent.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Active {
    round: Round,
    /// Who sent by which port; some more than once.
    sent: Vec<(u32, Port)>,
}

/// A whole run.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    active: Vec<Active>,
    /// Who decided to lead, and when.
    decided: Vec<(Round, u32)>,
    messages: u64,
}

fn run(entry: &Entry, ids: &[Id], stop: &Stop) -> Result<Run, Violation> {
    let n = ids.len() as u64;
    let limit = Election::usual_limit(n, n);
    let election = Election { ids, starts: &Starts::All, limit, coins: 0, stop };
    let mut ring = Lockstep::new(entry, &election);
    let (mut active, mut decided) = (Vec::new(), Vec::new());
    while let Some(turn) = ring.turn()? {
        decided.extend(turn.leaders.iter().map(|&node| (turn.round, node)));
        if !turn.sent.is_empty() {
            let mut sent = turn.sent;
            sent.sort_unstable();
            active.push(Active { round: turn.round, sent });
        }
    }
    Ok(Run { active, decided, messages: ring.messages() })
}

/// The first active round whose senders, over links of one direction, are not whole classes.
fn open_round(n: u64, run: &Run) -> Option<Refuted> {
    for (distance, active) in (0..n / 4).zip(&run.active) {
        let modulus = modulus(distance);
        for direction in [PREV, NEXT] {
            let here = active.sent.iter().filter(|(_, port)| *port == direction);
            let senders: BTreeSet<u64> = here.map(|&(node, _)| u64::from(node)).collect();
            let classes: BTreeSet<u64> = senders.iter().map(|node| node % modulus).collect();
            if classes.len() as u64 * (n / modulus) != senders.len() as u64 {
                let (senders, class) = (senders.len() as u64, class_size(n, distance));
                let how = How::Senders { senders, class };
                return Some(Refuted { active_round: distance + 1, how });
            }
        }
    }
    None
}

/// The first active round in which two runs differ, the one after the last if only who decides when
/// does; `None` if they do not.
fn differs(one: &Run, two: &Run) -> Option<u64> {
    let common = one.active.iter().zip(&two.active).take_while(|(one, two)| one == two).count();
    let all = common == one.active.len() && common == two.active.len();
    (!all || one.decided != two.decided).then_some(common as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The windows themselves, compared pair by pair.
    #[test]
    fn classes_are_what_the_order_of_windows_says() {
        for n in [8u64, 16, 32, 64] {
            let ring = bit_reversal(n);
            for distance in 0..n / 4 {
                let window = |at: u64| -> Vec<bool> {
                    let ids: Vec<u64> = (0..=2 * distance)
                        .map(|it| ring[((at + n - distance + it) % n) as usize])
                        .collect();
                    let pairs = ids.iter().flat_map(|a| ids.iter().map(move |b| a < b));
                    pairs.collect()
                };
                let windows: Vec<Vec<bool>> = (0..n).map(window).collect();
                for at in 0..n {
                    let alike = (0..n).filter(|&it| windows[it as usize] == windows[at as usize]);
                    let alike: Vec<u64> = alike.collect();
                    assert_eq!(alike.len() as u64, class_size(n, distance), "{n} {distance} {at}");
                    assert!(
                        alike.iter().all(|it| it % modulus(distance) == at % modulus(distance))
                    );
                }
            }
        }
    }

    #[test]
    fn the_sum_of_all_classes_is_the_closed_form() {
        let bounds: Vec<u64> = (3..=8).map(|power| bound_messages(1 << power)).collect();
        assert_eq!(bounds, [10, 24, 56, 128, 288, 640]);
        for power in 2..14u64 {
            assert_eq!(4 * bound_messages(1 << power), (1 << power) * (power + 2));
        }
    }
}
