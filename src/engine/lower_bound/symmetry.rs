//! Equals stay equal: why a ring without IDs and without coins elects nobody.
//!
//! D. Angluin, "Local and global properties in networks of processors", STOC 1980. If all nodes of a ring
//! begin in the same state and all start at once, then in every round all send the same, receive the
//! same and go to the same state. So in the round in which one decides to lead all do.

use super::lockstep::Lockstep;
use crate::algorithm::On;
use crate::engine::Entry;
use crate::model::election::{Election, Starts};
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::stop::Stop;
use crate::model::violation::Violation;

/// What came of a ring whose nodes are all alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// Rounds in which something happened.
    pub rounds: u64,
    /// The first round after which states were not all equal; there should be none.
    pub broken_after: Option<u64>,
    /// Messages sent.
    pub messages: u64,
    /// How many decided to lead.
    pub leaders: u64,
    /// How it ended.
    pub ending: Ending,
    /// The state of all in the end, in the algorithm's own words.
    pub state: String,
}

/// How a ring of equals ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing happens any more.
    Silent,
    /// It was stopped after so many rounds or messages; it may go on for ever.
    GoesOn,
}

/// Refuses algorithms that the theorem says nothing about.
pub fn check(entry: &Entry, n: u64) -> Result<(), Input> {
    const MOST: u64 = 10_000;
    if entry.model.on != On::Rings {
        let problem = "it is no algorithm for rings, whose nodes tell left from right";
        let remedy = "take another, such as chang-roberts";
        return Err(Input::new("algorithm", &entry.name, problem, remedy));
    }
    if !(1..=MOST).contains(&n) {
        let problem = format!("the ring has from 1 to {MOST} nodes");
        return Err(Input::new("n", n, problem, "use a small size like 6"));
    }
    Ok(())
}

/// Lets equals run for at most so many rounds: the same ID for all, and the same coins.
pub fn watch(entry: &Entry, n: u64, rounds: u64, stop: &Stop) -> Result<Symmetry, Violation> {
    let ids: Vec<Id> = vec![1; n as usize];
    let limit = Election::usual_limit(n, n);
    let election = Election { ids: &ids, starts: &Starts::All, limit, coins: 0, stop };
    let mut ring = Lockstep::new(entry, &election);
    // Whoever has other coins is no equal.
    let first = ring.states[0];
    ring.states.fill(first);
    let mut symmetry = Symmetry {
        rounds: 0,
        broken_after: None,
        messages: 0,
        leaders: 0,
        ending: Ending::GoesOn,
        state: String::new(),
    };
    while symmetry.rounds < rounds {
        match ring.turn() {
            Ok(Some(turn)) => symmetry.leaders += turn.leaders.len() as u64,
            Ok(None) => {
                symmetry.ending = Ending::Silent;
                break;
            }
            Err(Violation::TooManyMessages(_)) => break,
            Err(violation) => return Err(violation),
        }
        symmetry.rounds += 1;
        if symmetry.broken_after.is_none() && ring.states.iter().any(|it| *it != ring.states[0]) {
            symmetry.broken_after = Some(symmetry.rounds);
        }
    }
    symmetry.messages = ring.messages();
    symmetry.state = format!("{:?}", ring.machine().words(ring.states[0]));
    Ok(symmetry)
}
