//! The open schedule: rings are pasted together at edges over which nothing was delivered.
//!
//! J. Burns, "A formal model for message passing systems", Indiana University TR-91 (1980); H. Attiya,
//! J. Welch, *Distributed Computing*, section 3.3.3. The algorithm must not know n nor its neighbours,
//! and everybody must learn the leader's ID.
//!
//! ```text
//! build({x}):   x starts; its messages wait on the edge from x to itself, which stays open
//! build(S):     build both halves of S, cut both rings at their open edges, paste them:
//!               nobody can notice, for nothing was ever delivered there
//!               deliver over one of the two new edges only, until silence; or over the other only:
//!               keep what received more, the other edge is open now
//! ```
//!
//! Both runs together receive at least as many messages as the smaller half has nodes. Else there would
//! be nodes between the two edges, on either side, that neither run reaches; so the two could be put
//! together into one whole run, in which the half without the leader has nodes that heard of nothing
//! from the other half, and cannot know who leads.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::str::FromStr;

use crate::algorithm::{Elects, On};
use crate::engine::machine::{Effect, Machine, Mail, Occasion, Silence, State};
use crate::engine::{Entry, Registry};
use crate::model::election::{Election, Starts};
use crate::model::error::Input;
use crate::model::message::MAX_KINDS;
use crate::model::process::{Id, NEXT, PREV, opposite};
use crate::model::stop::Stop;
use crate::model::violation::Violation;

/// Which half of the IDs stands where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// The smaller half first.
    Halves,
    /// Every other ID.
    Interleave,
    /// The larger half first.
    Swap,
}

impl Split {
    /// All, with their names.
    pub const ALL: [(Split, &str); 3] =
        [(Split::Halves, "halves"), (Split::Interleave, "interleave"), (Split::Swap, "swap")];

    /// Splits ascending IDs; the first part is never the smaller one.
    fn parts(self, ids: &[Id]) -> [Vec<Id>; 2] {
        let half = ids.len().div_ceil(2);
        let every_other = |first: usize| ids.iter().skip(first).step_by(2).copied().collect();
        match self {
            Split::Halves => [ids[..half].to_vec(), ids[half..].to_vec()],
            Split::Interleave => [every_other(0), every_other(1)],
            Split::Swap => [ids[ids.len() - half..].to_vec(), ids[..ids.len() - half].to_vec()],
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Split::ALL.iter().find(|(split, _)| split == self);
        f.pad(known.map_or("", |(_, name)| name))
    }
}

impl FromStr for Split {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        let names = Split::ALL.map(|(_, name)| name);
        let known = Split::ALL.iter().find(|(_, name)| *name == text);
        let all = format!("there are {}", names.join(", "));
        known.map(|(split, _)| *split).ok_or_else(|| Input::unknown("split", text, names, &all))
    }
}

/// What no algorithm can stay below: M'(1) = 0, M'(n) = M'(⌈n/2⌉) + M'(⌊n/2⌋) + ⌈⌊n/2⌋/2⌉, which is
/// (n/4)(log2 n + 1) for powers of two.
pub fn guarantee(n: u64) -> u64 {
    if n <= 1 {
        return 0;
    }
    let (larger, smaller) = (n.div_ceil(2), n / 2);
    let both = if larger == smaller {
        2 * guarantee(smaller)
    } else {
        guarantee(larger) + guarantee(smaller)
    };
    both + smaller.div_ceil(2)
}

/// The algorithm to play against: the one of this name, with its announcement if it has none of its
/// own. Refuses algorithms that the proof says nothing about.
pub fn qualifying<'a>(registry: &'a Registry, name: &str) -> Result<&'a Entry, Input> {
    let asked = registry.named(name)?;
    let announced = registry.find(&format!("{name}+announce"));
    let entry = if asked.model.announces { asked } else { announced.unwrap_or(asked) };
    let model = &entry.model;
    let reason = if entry.synchronous {
        "it needs rounds, and the schedule has none"
    } else if model.on == On::Trees {
        "it runs on trees, and the adversary pastes rings"
    } else if model.elects == Elects::Nobody {
        "nobody is elected"
    } else if model.flips_coins {
        "it flips coins, and the proof is about algorithms that do not"
    } else if model.knows_n || model.knows_diameter {
        "its nodes know the size of the ring, which pasting changes"
    } else if model.knows_neighbours {
        "its nodes know their neighbours' IDs, which pasting changes"
    } else if !model.announces && !model.sees_all {
        "nobody but the leader learns the leader's ID"
    } else {
        return Ok(entry);
    };
    let remedy = "take another, such as peterson or chang-roberts+announce";
    Err(Input::new("algorithm", name, reason, remedy))
}

/// What the adversary has made an algorithm do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The ring, clockwise; its last edge joins the last node and the first.
    pub ring: Vec<Id>,
    /// How halves were made.
    pub split: Split,
    /// Messages received before the last edge opened.
    pub received: u64,
    /// What it had to be at least.
    pub guarantee: u64,
    /// Who was elected in the end.
    pub leader: Id,
    /// All messages of the run, announcements included.
    pub messages: u64,
}

/// Why there is no certificate.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The algorithm is wrong, and this shows it.
    Wrong(Box<Contradiction>),
    /// The finished run was no election, or somebody asked to stop.
    Violation(Violation),
}

/// Two runs that do not meet, and the one that they make together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The ring: two pasted ones.
    pub ring: Vec<Id>,
    /// How many of its nodes are of the first ring.
    pub first: usize,
    /// The messages delivered in the two runs, from and to, in order.
    pub runs: [Vec<(Id, Id)>; 2],
    /// Somebody who is fooled in the end, and whom it takes for the leader.
    pub fooled: Option<(Id, Option<Id>)>,
    /// What else is wrong.
    pub why: String,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |ids: &[Id]| ids.iter().map(Id::to_string).collect::<Vec<_>>().join(" ");
        let (one, two) = self.ring.split_at(self.first);
        writeln!(f, "the algorithm is wrong: {}", self.why)?;
        writeln!(f, "  ring: {} | {}, pasted at both bars", list(one), list(two))?;
        let names = ["over the edge in the middle", "over the edge at the ends"];
        for (run, name) in self.runs.iter().zip(names) {
            let hops = run.iter().map(|(from, to)| format!("{from}>{to}")).collect::<Vec<_>>();
            writeln!(f, "  {name}, until silence: {}", hops.join(" "))?;
        }
        match self.fooled {
            Some((id, belief)) => {
                let belief = belief.map_or("nobody".to_owned(), |leader| leader.to_string());
                write!(
                    f,
                    "  one run after the other is a whole run; node {id} takes {belief} for its leader"
                )
            }
            None => f.write_str("  one run after the other is a whole run"),
        }
    }
}

/// Plays against an algorithm with IDs 1 to n.
pub fn play(entry: &Entry, n: u32, split: Split, stop: &Stop) -> Result<Certificate, Failure> {
    let ids: Vec<Id> = (1..=Id::from(n)).collect();
    let mut machine = (entry.machine)();
    let election = Election {
        ids: &ids,
        starts: &Starts::All,
        limit: Election::usual_limit(u64::from(n), u64::from(n)),
        coins: 0,
        stop,
    };
    let asleep = ids.iter().copied().zip(machine.participants(None, &election)).collect();
    let mut adversary = Adversary { machine, known: HashMap::new(), asleep, election, split };
    let mut ring = adversary.build(&ids)?;
    let received = ring.received;
    adversary.deliver(&mut ring, &[], &mut Vec::new())?;
    let order: Vec<Id> = ring.nodes.iter().map(|node| node.id).collect();
    let outcome = adversary.judge(&ring, &order).map_err(Failure::Violation)?;
    Ok(Certificate {
        ring: order,
        split,
        received,
        guarantee: guarantee(u64::from(n)),
        leader: outcome.leader.unwrap_or_default(),
        messages: outcome.messages,
    })
}

/// The best of all splits: the first that makes the algorithm receive the most.
pub fn play_best(entry: &Entry, n: u32, stop: &Stop) -> Result<Certificate, Failure> {
    let [first, others @ ..] = Split::ALL.map(|(split, _)| split);
    let mut best = play(entry, n, first, stop)?;
    for split in others {
        let other = play(entry, n, split, stop)?;
        if other.received > best.received {
            best = other;
        }
    }
    Ok(best)
}

/// A node of a ring that is being built.
#[derive(Debug, Clone)]
struct Node {
    id: Id,
    state: State,
    /// What it has sent by each port and nobody has received yet, oldest first.
    waiting: [VecDeque<Mail>; 2],
}

/// A ring whose open edge joins the last node and the first: nothing was delivered there.
#[derive(Debug, Clone)]
struct Ring {
    nodes: Vec<Node>,
    received: u64,
    kinds: [u64; MAX_KINDS],
}

struct Adversary<'a> {
    machine: Box<dyn Machine>,
    /// What came of steps that were taken before.
    known: HashMap<(State, Occasion), Effect>,
    asleep: HashMap<Id, State>,
    election: Election<'a>,
    split: Split,
}

impl Adversary<'_> {
    /// The ring of these ascending IDs, silent but for its open edge.
    fn build(&mut self, ids: &[Id]) -> Result<Ring, Failure> {
        if let &[id] = ids {
            let node = Node { id, state: self.asleep[&id], waiting: Default::default() };
            let mut ring = Ring { nodes: vec![node], received: 0, kinds: [0; MAX_KINDS] };
            self.act(&mut ring, 0, Occasion::Start);
            return Ok(ring);
        }
        let [one, two] = self.split.parts(ids);
        let (one, two) = (self.build(&one)?, self.build(&two)?);
        let sizes = [one.nodes.len(), two.nodes.len()];
        let pasted = paste(one, two);
        // The new edges, each by the place of the node before it.
        let (middle, ends) = (sizes[0] - 1, sizes[0] + sizes[1] - 1);
        let (mut first, mut second) = (pasted.clone(), pasted.clone());
        let mut runs = [Vec::new(), Vec::new()];
        let counts = [
            self.deliver(&mut first, &[ends], &mut runs[0])?,
            self.deliver(&mut second, &[middle], &mut runs[1])?,
        ];
        let decided = |ring: &Ring, machine: &dyn Machine| {
            ring.nodes.iter().find(|node| machine.fate(node.state).leads).map(|node| node.id)
        };
        for ring in [&first, &second] {
            if let Some(id) = decided(ring, self.machine.as_ref()) {
                let why = format!(
                    "node {id} leads although an edge is open, behind which anybody may be"
                );
                return Err(self.contradiction(pasted, sizes[0], runs, why));
            }
        }
        let least = sizes[0].min(sizes[1]) as u64;
        if counts[0] + counts[1] < least {
            let why = format!(
                "{} and {} messages do not reach all of either half of {least}",
                counts[0], counts[1]
            );
            return Err(self.contradiction(pasted, sizes[0], runs, why));
        }
        if counts[0] >= counts[1] {
            return Ok(first);
        }
        // The open edge is the one in the middle now.
        second.nodes.rotate_left(sizes[0]);
        Ok(second)
    }

    /// Delivers until silence, over all edges but the blocked ones: in sweeps over the links, of each
    /// the oldest message. Gives the number of messages, and adds from whom to whom they went.
    fn deliver(
        &mut self,
        ring: &mut Ring,
        blocked: &[usize],
        log: &mut Vec<(Id, Id)>,
    ) -> Result<u64, Failure> {
        let n = ring.nodes.len();
        let before = ring.received;
        loop {
            let swept = ring.received;
            for place in 0..n {
                for port in [PREV, NEXT] {
                    let (edge, to) = match port {
                        PREV => ((place + n - 1) % n, (place + n - 1) % n),
                        _ => (place, (place + 1) % n),
                    };
                    if blocked.contains(&edge) {
                        continue;
                    }
                    if let Some(mail) = ring.nodes[place].waiting[port].pop_front() {
                        log.push((ring.nodes[place].id, ring.nodes[to].id));
                        ring.received += 1;
                        self.act(ring, to, Occasion::Mail(opposite(port), mail));
                    }
                }
            }
            self.election.look(ring.received).map_err(Failure::Violation)?;
            if ring.received == swept {
                return Ok(ring.received - before);
            }
        }
    }

    fn act(&mut self, ring: &mut Ring, place: usize, occasion: Occasion) {
        let node = &mut ring.nodes[place];
        let effect = self
            .known
            .entry((node.state, occasion))
            .or_insert_with(|| self.machine.step(node.state, occasion, 0));
        node.state = effect.state;
        for &(port, mail) in &effect.sent {
            ring.kinds[self.machine.kind(mail).0] += 1;
            node.waiting[port].push_back(mail);
        }
    }

    /// The judge's word on a ring that has fallen silent.
    fn judge(
        &self,
        ring: &Ring,
        order: &[Id],
    ) -> Result<crate::model::outcome::Outcome, Violation> {
        let states: Vec<State> = ring.nodes.iter().map(|node| node.state).collect();
        let leads = |place: &u32| self.machine.fate(states[*place as usize]).leads;
        let leaders = (0..states.len() as u32).filter(leads).map(|place| (place, None)).collect();
        let silence = Silence { kinds: ring.kinds, leaders, ..Silence::default() };
        let election = Election { ids: order, ..self.election.clone() };
        self.machine.outcome(&election, &states, &silence)
    }

    /// Puts the two runs together and looks who is fooled.
    fn contradiction(
        &mut self,
        pasted: Ring,
        first: usize,
        runs: [Vec<(Id, Id)>; 2],
        why: String,
    ) -> Failure {
        let mut whole = pasted;
        let (ends, middle) = (whole.nodes.len() - 1, first - 1);
        let mut log = Vec::new();
        for blocked in [ends, middle] {
            if let Err(failure) = self.deliver(&mut whole, &[blocked], &mut log) {
                return failure;
            }
        }
        let ring: Vec<Id> = whole.nodes.iter().map(|node| node.id).collect();
        let leader = whole.nodes.iter().find(|node| self.machine.fate(node.state).leads);
        // If nobody leads, the largest ID is whom they should know.
        let leader = leader.map(|node| node.id).or(ring.iter().copied().max());
        let belief = |node: &Node| self.machine.belief(node.state);
        let fooled = whole.nodes.iter().find(|node| belief(node) != leader);
        let fooled = fooled.map(|node| (node.id, belief(node)));
        Failure::Wrong(Box::new(Contradiction { ring, first, runs, fooled, why }))
    }
}

/// One ring of two, each cut at its open edge.
fn paste(one: Ring, two: Ring) -> Ring {
    let nodes = [one.nodes, two.nodes].concat();
    let received = one.received + two.received;
    let mut kinds = one.kinds;
    for (sum, count) in kinds.iter_mut().zip(two.kinds) {
        *sum += count;
    }
    Ring { nodes, received, kinds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guarantee_is_the_closed_form_at_powers_of_two() {
        let values: Vec<u64> = (1..=7).map(|power| guarantee(1 << power)).collect();
        assert_eq!(values, [1, 3, 8, 20, 48, 112, 256]);
        for power in 1..40u64 {
            let n = 1u64 << power;
            assert_eq!(4 * guarantee(n), n * (power + 1));
        }
    }

    #[test]
    fn a_split_keeps_all_ids() {
        for n in 2..20 {
            let ids: Vec<Id> = (1..=n).collect();
            for (split, _) in Split::ALL {
                let [one, two] = split.parts(&ids);
                assert_eq!(one.len(), ids.len().div_ceil(2));
                let mut all = [one, two].concat();
                all.sort_unstable();
                assert_eq!(all, ids);
            }
        }
    }
}
