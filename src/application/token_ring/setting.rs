//! What is asked for: a ring, its times, its rules, and what is lost.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::clock::{Moment, Span};
use crate::model::error::Input;
use crate::model::process::Id;

/// The rules of the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// The slide, its gaps filled: two tokens may come of one loss.
    Lecture,
    /// Whoever has the token neither waits for it nor can be elected.
    Fixed,
    /// The same, and tokens are numbered: who has seen a newer one discards the older.
    Stamp,
    /// The same, and an election that does not end is called again.
    Retry,
}

impl Variant {
    /// All, with a word about each.
    pub const ALL: [(Variant, &str, &str); 4] = [
        (Variant::Lecture, "lecture", "the slide, its gaps filled"),
        (Variant::Fixed, "fixed", "no timer and no election for whoever has the token"),
        (Variant::Stamp, "stamp", "the same with numbered tokens, of which older ones go"),
        (Variant::Retry, "retry", "the same, and elections that do not end are called again"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let known = Variant::ALL.iter().find(|(variant, ..)| *variant == self);
        known.map_or("", |(_, name, _)| name)
    }

    /// Whether arriving tokens switch off the timer, and winners can win only once.
    pub(super) fn is_fixed(self) -> bool {
        self != Variant::Lecture
    }

    /// Whether tokens are numbered.
    pub(super) fn has_stamps(self) -> bool {
        matches!(self, Variant::Stamp | Variant::Retry)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        let names = Variant::ALL.map(|(_, name, _)| name);
        let known = Variant::ALL.iter().find(|(_, name, _)| *name == text);
        let all = format!("the variants are {}", names.join(", "));
        known.map(|(it, ..)| *it).ok_or_else(|| Input::unknown("variant", text, names, &all))
    }
}

/// Which messages of a kind get lost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Losses {
    /// These, counted from 1.
    pub given: BTreeSet<u64>,
    /// And of all others this share, by chance.
    pub share: f64,
}

impl Losses {
    /// These and no others.
    pub fn given(numbers: impl IntoIterator<Item = u64>) -> Self {
        Losses { given: numbers.into_iter().collect(), share: 0.0 }
    }

    /// This share by chance.
    pub fn by_chance(share: f64) -> Self {
        Losses { given: BTreeSet::new(), share }
    }

    /// Whether nothing is lost.
    pub fn are_none(&self) -> bool {
        self.given.is_empty() && self.share == 0.0
    }
}

/// One run of the ring.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The IDs clockwise; the token arrives at the first node at time 0.
    pub ids: Vec<Id>,
    /// How long the token takes from node to node.
    pub hop: Hop,
    /// The timers: the same for all, or drawn for each node, once.
    pub timer: Span,
    /// The rules.
    pub variant: Variant,
    /// The slide read to the letter: a timer that runs out during an election calls another.
    pub live: bool,
    /// With [`Variant::Retry`]: how long an election may take. See [`Setting::patience`].
    pub retry_after: Option<Moment>,
    /// Which forwards of the token are lost.
    pub lose: Losses,
    /// Which messages of elections are lost.
    pub lose_election: Losses,
    /// When the run ends; what happens at that moment is part of it.
    pub until: Moment,
}

/// How long the token takes from node to node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hop {
    /// How long a message is on its way.
    pub delay: Span,
    /// How long a node keeps the token.
    pub hold: Moment,
}

impl Hop {
    /// Both together, on average.
    pub fn mean(&self) -> Moment {
        self.delay.mean().plus(self.hold)
    }

    /// How long the token takes round a ring of n, on average: n (delay + hold).
    pub fn rotation(&self, n: u64) -> Moment {
        self.mean().times(n)
    }
}

impl Setting {
    /// A ring of these IDs with the rules of a variant, on which nothing is lost.
    pub fn new(ids: Vec<Id>, hop: Hop, timer: Moment, variant: Variant) -> Self {
        let until = hop.rotation(ids.len() as u64).times(20);
        Setting {
            ids,
            hop,
            timer: Span::Constant(timer),
            variant,
            live: false,
            retry_after: None,
            lose: Losses::default(),
            lose_election: Losses::default(),
            until,
        }
    }

    /// How many nodes there are.
    pub fn n(&self) -> u64 {
        self.ids.len() as u64
    }

    /// How long the token takes for a rotation, on average: n (delay + hold).
    pub fn rotation(&self) -> Moment {
        self.hop.rotation(self.n())
    }

    /// How long a node waits for the end of an election that it takes part in. Unless said
    /// otherwise it is 2 n delay + a rotation: an election takes 2n hops at most, and then the new
    /// token must come.
    pub fn patience(&self) -> Moment {
        let election = self.hop.delay.mean().times(2 * self.n());
        self.retry_after.unwrap_or(election.plus(self.rotation()))
    }

    /// Refuses what cannot be run.
    pub fn check(&self) -> Result<(), Input> {
        let distinct: BTreeSet<&Id> = self.ids.iter().collect();
        if self.ids.is_empty() || distinct.len() != self.ids.len() {
            let list: Vec<String> = self.ids.iter().map(Id::to_string).collect();
            let problem = "a ring has at least one node, and every node an ID of its own";
            return Err(Input::new("ids", list.join(","), problem, "write them as 3,1,2"));
        }
        if self.ids.len() > MOST_NODES {
            let problem = format!("a token ring has at most {MOST_NODES} nodes");
            return Err(Input::new("n", self.ids.len(), problem, "use a smaller one"));
        }
        if self.hop.mean() < SHORTEST_HOP {
            let problem = "the token would go round infinitely often in no time";
            let remedy = format!("let delay and hold together be at least {SHORTEST_HOP}");
            return Err(Input::new("delay", self.hop.delay, problem, remedy));
        }
        for (field, losses) in [("loss", &self.lose), ("election-loss", &self.lose_election)] {
            if !(0.0..=1.0).contains(&losses.share) {
                let problem = "a share is from 0 to 1";
                return Err(Input::new(field, losses.share, problem, "write it as 0.2%"));
            }
            if losses.given.contains(&0) {
                let field = if field == "loss" { "lose" } else { "lose-election" };
                return Err(Input::new(field, 0, "messages count from 1", "use 1 for the first"));
            }
        }
        let hops = self.until.divided_up(self.hop.mean()).unwrap_or(u64::MAX);
        if hops > MOST_HOPS {
            let problem = format!("the token would take {hops} hops, {MOST_HOPS} are the most");
            return Err(Input::new("until", self.until, problem, "end earlier"));
        }
        Ok(())
    }
}

/// The largest ring.
const MOST_NODES: usize = 1_000_000;

/// The most hops of one token.
const MOST_HOPS: u64 = 1_000_000_000_000;

/// A billionth would do for times that are always the same; drawn ones must not all round to 0.
const SHORTEST_HOP: Moment = Moment::billionths(1000);
