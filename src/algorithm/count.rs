//! Counting without delivering: the exact numbers of an election from the order of its IDs alone.
//!
//! A counter sees the ring as ranks (the smallest ID has rank 0) and gives what the simulation of
//! the same ring would give, in O(n). Each algorithm's counter is in the algorithm's file; here is
//! what they share: how they are asked and answer, and the distances to the next larger rank.
//!
//! Distances are found without a monotonic stack, whose unpredictable branches cost more than all
//! the rest: sixteen following ranks are compared with a whole chunk of nodes at once, branch-free,
//! so that the compiler can use vector instructions; the few nodes that are larger than all
//! sixteen look further in a tree of block maxima. In a small ring the larger ranks are the bits of
//! a word.

use crate::model::election::Starts;
use crate::model::message::MAX_KINDS;
use crate::model::process::Id;
use crate::model::theory::Holds;

/// An election as a counter sees it.
#[derive(Debug, Clone, Copy)]
pub struct Ranked<'a> {
    /// The ranks of the IDs in clockwise order: a permutation of 0..n, with 1 ≤ n ≤ 2^30.
    pub ranks: &'a [u32],
    /// The IDs behind the ranks.
    pub ids: Ids<'a>,
    /// Who starts, and when.
    pub starts: &'a Starts,
}

/// The IDs behind the ranks.
#[derive(Debug, Clone, Copy)]
pub enum Ids<'a> {
    /// Rank 0 has this ID, rank 1 the next, and so on.
    Dense(Id),
    /// All IDs in ascending order.
    Sorted(&'a [Id]),
}

impl Ids<'_> {
    /// The ID of a rank.
    pub fn of(&self, rank: u32) -> Id {
        match *self {
            Ids::Dense(first) => first + Id::from(rank),
            Ids::Sorted(ids) => ids[rank as usize],
        }
    }

    /// How many of the first n ranks have IDs below `bound`.
    pub(crate) fn below(&self, bound: Id, n: u32) -> u32 {
        match *self {
            Ids::Dense(first) => bound.saturating_sub(first).min(u64::from(n)) as u32,
            Ids::Sorted(ids) => ids.partition_point(|&id| id < bound) as u32,
        }
    }
}

/// Those who start at time 0, if nobody starts later.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Initiators<'a> {
    /// Everybody.
    All(u32),
    /// Some, in ascending order of their positions; all times are 0.
    Some(&'a [(u64, u32)]),
}

impl Initiators<'_> {
    /// How many there are.
    pub(crate) fn count(self) -> usize {
        match self {
            Initiators::All(n) => n as usize,
            Initiators::Some(starts) => starts.len(),
        }
    }

    /// Whether everybody starts.
    pub(crate) fn is_all(self) -> bool {
        matches!(self, Initiators::All(_))
    }

    /// The position of the initiator number `index`.
    pub(crate) fn position(self, index: usize) -> u32 {
        match self {
            Initiators::All(_) => index as u32,
            Initiators::Some(starts) => starts[index].1,
        }
    }
}

impl<'a> Ranked<'a> {
    /// The number of nodes.
    pub fn n(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Who starts at time 0; `None` if nobody does or somebody starts later, which no counter
    /// covers.
    pub(crate) fn initiators(&self) -> Option<Initiators<'a>> {
        match self.starts {
            Starts::All => Some(Initiators::All(self.n())),
            Starts::At(starts) if starts.is_empty() || starts.iter().any(|&(t, _)| t > 0) => None,
            Starts::At(starts) if starts.len() == self.ranks.len() => {
                Some(Initiators::All(self.n()))
            }
            Starts::At(starts) => Some(Initiators::Some(starts)),
        }
    }

    /// All initiators, still in the race at time 0; `None` as for [`Ranked::initiators`].
    pub(crate) fn actives(&self, actives: &mut Vec<Active>) -> Option<()> {
        let initiators = self.initiators()?;
        actives.clear();
        actives.extend((0..initiators.count()).map(|index| {
            let position = initiators.position(index);
            Active { position, rank: self.ranks[position as usize], time: 0 }
        }));
        Some(())
    }

    /// The position of a rank.
    pub(crate) fn position(&self, rank: u32) -> u32 {
        let place = self.ranks.iter().position(|&other| other == rank);
        place.expect("the ranks are a permutation of 0..n") as u32
    }
}

/// What one election comes to; the counterpart of an [`Outcome`](crate::model::outcome::Outcome).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The rank of the winner.
    pub leader: u32,
    /// Messages by kind, in the order of the algorithm's kinds; the rest is 0.
    pub kinds: [u64; MAX_KINDS],
    /// The round in which the leader decided; `None` where it was not computed.
    pub time: Option<u64>,
    /// The round of the last delivery; `None` where it was not computed.
    pub end: Option<u64>,
    /// Rounds or phases of the algorithm, if it has such.
    pub rounds: Option<u64>,
    /// The largest number of messages that any one node sent; `None` where it was not computed.
    pub max_node_messages: Option<u64>,
}

impl Count {
    /// The count of messages of these kinds, and nothing else known yet.
    pub fn new(leader: u32, messages: &[u64]) -> Self {
        let mut kinds = [0; MAX_KINDS];
        kinds[..messages.len()].copy_from_slice(messages);
        Count { leader, kinds, time: None, end: None, rounds: None, max_node_messages: None }
    }

    /// All messages.
    pub fn messages(&self) -> u64 {
        self.kinds.iter().sum()
    }
}

/// A way to count the messages of one algorithm.
#[derive(Debug, Clone, Copy)]
pub struct Counter {
    /// Counts one election; `None` where this counter does not cover it.
    pub count: fn(&Ranked<'_>, &mut Scratch) -> Option<Count>,
    /// In which networks the count holds, besides those in which no schedule can change it:
    /// [`Entry::counts_hold`](crate::engine::Entry::counts_hold). `time`, `end` and `max_node_messages` always are those of
    /// a synchronous network; the rest may not depend on the schedule.
    pub holds: Holds,
}

impl Counter {
    /// Whether it covers rings on which not everybody starts: asks it about the smallest.
    pub fn covers_some_starters(&self) -> bool {
        let starts = Starts::At(vec![(0, 0)]);
        let ring = Ranked { ranks: &[0, 1], ids: Ids::Dense(0), starts: &starts };
        (self.count)(&ring, &mut Scratch::default()).is_some()
    }
}

/// The largest ring that can be counted.
pub const LARGEST_N: u64 = 1 << 30;

/// What counters need for their work, kept between runs so that none of them allocates.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    maxima: Maxima,
    /// By port, the times before which nothing arrives.
    pub(crate) detained: [Vec<u32>; 2],
    /// The ranks of those who send, [`NOBODY`] elsewhere.
    pub(crate) senders: Vec<u32>,
    pub(crate) actives: Vec<Active>,
}

/// A node that is still in the race.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Active {
    pub(crate) position: u32,
    pub(crate) rank: u32,
    pub(crate) time: u32,
}

/// No rank at all: smaller than every rank, since ranks are compared as signed numbers.
///
/// The signed comparison is the only one that the oldest vector instructions know.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Rings below this size fit twice into a word; larger ones have all windows shorter than n.
const SMALL: usize = 32;

/// So many nodes are compared with their surroundings at a time.
const CHUNK: usize = 256;

/// So many of them fit into vector registers together with all that is done to them.
const LANES: usize = 8;

/// So far do the windows reach.
const REACH: usize = 17;

/// For each node of a chunk: -1 as long as it is larger than all it was compared with, then 0.
type Flags = [i32; CHUNK];

/// A chunk and what surrounds it: node number `lane` of the chunk stands at `REACH + lane`.
type View = [u32; CHUNK + 2 * REACH];

/// Σ of the distances from every sender to the next larger rank in the ring, clockwise; n for the
/// largest. A sender stands in `senders` with its rank, everybody else is [`NOBODY`]. `ring` may
/// have nobodies, too. There are `number` senders.
fn sum_of_distances(number: usize, senders: &[u32], ring: &[u32], scratch: &mut Scratch) -> u64 {
    let n = ring.len();
    if n < SMALL {
        let mut sum = 0;
        small_distances(ring, |place, clockwise, _| {
            sum += if senders[place] == NOBODY { 0 } else { clockwise };
        });
        return sum;
    }
    // Whoever is larger than the d-1 following ranks has a d-th hop: the sum counts those, d by d.
    let maxima = &mut scratch.maxima;
    maxima.build(ring);
    let mut sum = number as u64;
    let mut chunk = Chunk::new();
    for base in (0..n).step_by(CHUNK) {
        let (senders, view) = chunk.load(senders, ring, base);
        let mut larger: Flags = [-1; CHUNK];
        sum += outlast::<true, 1, 8>(senders, view, &mut larger);
        sum += outlast::<true, 9, 16>(senders, view, &mut larger);
        let mut lanes = [0; CHUNK];
        for &lane in survivors(&larger, &mut lanes) {
            let distance = maxima.clockwise(ring, base + lane as usize, senders[lane as usize]);
            sum += distance as u64 - 17;
        }
    }
    sum
}

impl Scratch {
    /// Σ over all nodes of the distance to the next larger rank, clockwise; n for the largest.
    fn sum_of_distances(&mut self, ring: &[u32]) -> u64 {
        sum_of_distances(ring.len(), ring, ring, self)
    }

    /// Σ over the initiators of the distance to the next larger initiator, and the largest one.
    pub(crate) fn sum_among(&mut self, ring: &[u32], initiators: Initiators<'_>) -> (u32, u64) {
        if initiators.is_all() {
            return (ring.len() as u32 - 1, self.sum_of_distances(ring));
        }
        let mut senders = std::mem::take(&mut self.senders);
        senders.clear();
        senders.resize(ring.len(), NOBODY);
        let mut leader = 0;
        for index in 0..initiators.count() {
            let position = initiators.position(index) as usize;
            senders[position] = ring[position];
            leader = leader.max(ring[position]);
        }
        let sum = sum_of_distances(initiators.count(), &senders, &senders, self);
        self.senders = senders;
        (leader, sum)
    }

    /// Σ over `self.senders` of the distance to the next larger rank of any node.
    pub(crate) fn sum_of_senders(&mut self, ring: &[u32]) -> u64 {
        let number = self.senders.iter().filter(|&&rank| rank != NOBODY).count();
        let senders = std::mem::take(&mut self.senders);
        let sum = sum_of_distances(number, &senders, ring, self);
        self.senders = senders;
        sum
    }
}

/// One phase of probing both sides up to a radius.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Phase {
    /// How many nodes take part.
    pub(crate) active: u64,
    /// Hops of probes, each of which is swallowed by a larger rank or reaches the radius.
    pub(crate) probes: u64,
    /// Hops of the replies to those that reached the radius.
    pub(crate) replies: u64,
}

/// The most phases: radii double, and n ≤ 2^30.
const MAX_PHASES: usize = 33;

/// All phases of probing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phases {
    phases: [Phase; MAX_PHASES],
    len: usize,
    /// Hops in every phase but the last, twice the radius each: the time before the last phase.
    pub(crate) time: u64,
}

impl Phases {
    /// The phases in order; the last is the first one whose radius is n or more.
    pub(crate) fn all(&self) -> &[Phase] {
        &self.phases[..self.len]
    }

    /// A node whose next larger ranks are `a` and `b` away takes part from phase `first` on, for
    /// as long as both are beyond the radius.
    #[inline(always)]
    fn take_part(&mut self, first: usize, extra: u64, a: u64, b: u64) {
        for (phase, tally) in self.phases.iter_mut().enumerate().skip(first) {
            let radius = (1 << phase) + extra;
            tally.active += 1;
            tally.probes += a.min(radius) + b.min(radius);
            tally.replies += radius * (u64::from(a > radius) + u64::from(b > radius));
            if a <= radius || b <= radius {
                break;
            }
        }
    }
}

impl Scratch {
    /// The phases of probing with radius 2^l + `EXTRA` in phase l, everybody taking part.
    ///
    /// For every active node and each of its two distances d to a larger rank: d ≤ r costs d probes
    /// (the largest node's own come home after n), d > r costs r probes and r replies.
    pub(crate) fn probe<const EXTRA: u64>(&mut self, ring: &[u32]) -> Phases {
        let n = ring.len() as u64;
        let radius = |phase: usize| (1u64 << phase) + EXTRA;
        let last = (0..MAX_PHASES).find(|&phase| radius(phase) >= n).expect("n ≤ 2^30");
        let time = (0..last).map(|phase| 2 * radius(phase)).sum();
        let mut phases = Phases { phases: [Phase::default(); MAX_PHASES], len: last + 1, time };
        if ring.len() < SMALL {
            small_distances(ring, |_, a, b| phases.take_part(0, EXTRA, a, b));
            return phases;
        }
        self.maxima.build(ring);
        let mut chunk = Chunk::new();
        for base in (0..ring.len()).step_by(CHUNK) {
            let (nodes, view) = chunk.load(ring, ring, base);
            let mut active = nodes.map(|rank| -i32::from(rank != NOBODY));
            let [p0, p1, p2, p3, p4, ..] = &mut phases.phases;
            // The radii are 1, 2, 4, 8, 16, or one more.
            if EXTRA == 0 {
                probe_chunk::<1, 1>(nodes, view, &mut active, p0);
                probe_chunk::<2, 2>(nodes, view, &mut active, p1);
                probe_chunk::<3, 4>(nodes, view, &mut active, p2);
                probe_chunk::<5, 8>(nodes, view, &mut active, p3);
                probe_chunk::<9, 16>(nodes, view, &mut active, p4);
            } else {
                probe_chunk::<1, 2>(nodes, view, &mut active, p0);
                probe_chunk::<3, 3>(nodes, view, &mut active, p1);
                probe_chunk::<4, 5>(nodes, view, &mut active, p2);
                probe_chunk::<6, 9>(nodes, view, &mut active, p3);
                probe_chunk::<10, 17>(nodes, view, &mut active, p4);
            }
            let mut lanes = [0; CHUNK];
            for &lane in survivors(&active, &mut lanes) {
                let (node, rank) = (base + lane as usize, nodes[lane as usize]);
                let a = self.maxima.clockwise(ring, node, rank);
                let b = self.maxima.anticlockwise(ring, node, rank);
                phases.take_part(5, EXTRA, a as u64, b as u64);
            }
        }
        phases
    }
}

/// One phase for a chunk, with radius `TO`; the active ones were found larger than everybody
/// nearer than `FROM` in the phases before.
fn probe_chunk<const FROM: usize, const TO: usize>(
    nodes: &[u32; CHUNK],
    view: &View,
    active: &mut Flags,
    tally: &mut Phase,
) {
    let (mut after, mut before) = (*active, *active);
    // A probe makes hop d if its sender is larger than the d-1 nodes before: FROM hops at least.
    let further = outlast::<true, FROM, TO>(nodes, view, &mut after)
        + outlast::<false, FROM, TO>(nodes, view, &mut before);
    let replied = raised(&after) + raised(&before);
    let number = raised(active);
    tally.active += number;
    tally.probes += 2 * number * FROM as u64 + further - replied;
    tally.replies += replied * TO as u64;
    for (active, (after, before)) in active.iter_mut().zip(after.iter().zip(&before)) {
        *active = after & before;
    }
}

/// How many flags are up.
fn raised(flags: &Flags) -> u64 {
    -flags.iter().sum::<i32>() as u64
}

/// Compares every node of a chunk with those `FROM` to `TO` places away, and takes the flag from
/// those that are not larger. Gives the number of flags still up after each place, added up.
fn outlast<const CLOCKWISE: bool, const FROM: usize, const TO: usize>(
    nodes: &[u32; CHUNK],
    view: &View,
    flags: &mut Flags,
) -> u64 {
    let (mut from, mut sum) = (FROM, 0);
    // Four places at a time: from more the compiler makes vectors across groups of nodes, which
    // it has to gather number by number.
    while from + 4 <= TO + 1 {
        sum += outlast_next::<CLOCKWISE, 4>(from, nodes, view, flags);
        from += 4;
    }
    if from + 2 <= TO + 1 {
        sum += outlast_next::<CLOCKWISE, 2>(from, nodes, view, flags);
        from += 2;
    }
    if from < TO + 1 {
        sum += outlast_next::<CLOCKWISE, 1>(from, nodes, view, flags);
    }
    sum
}

/// The same for `PLACES` places, the nearest `from` places away.
#[inline(never)]
fn outlast_next<const CLOCKWISE: bool, const PLACES: usize>(
    from: usize,
    nodes: &[u32; CHUNK],
    view: &View,
    flags: &mut Flags,
) -> u64 {
    let nearest = if CLOCKWISE { REACH + from } else { REACH + 1 - from - PLACES };
    let view = &view[nearest..][..CHUNK + PLACES - 1];
    let mut sums = [0; LANES];
    let (nodes, _) = nodes.as_chunks::<LANES>();
    let (flags, _) = flags.as_chunks_mut::<LANES>();
    for (group, (nodes, flags)) in nodes.iter().zip(flags).enumerate() {
        let mut up = *flags;
        for place in 0..PLACES {
            let place = if CLOCKWISE { place } else { PLACES - 1 - place };
            let others: &[u32; LANES] =
                view[group * LANES + place..].first_chunk().expect("within reach");
            for lane in 0..LANES {
                up[lane] &= -i32::from(nodes[lane] as i32 > others[lane] as i32);
            }
            for lane in 0..LANES {
                sums[lane] -= up[lane];
            }
        }
        *flags = up;
    }
    sums.iter().sum::<i32>() as u64
}

/// The lanes whose flags are up.
#[inline(never)]
fn survivors<'a>(flags: &Flags, lanes: &'a mut [u32; CHUNK]) -> &'a [u32] {
    let mut len = 0;
    for (lane, flag) in flags.iter().enumerate() {
        // Written always and counted if the flag is up, so that no branch depends on it.
        lanes[len % CHUNK] = lane as u32;
        len += (flag & 1) as usize;
    }
    &lanes[..len]
}

/// Copies of chunks at the ends of the ring, where the surroundings go round.
struct Chunk {
    nodes: [u32; CHUNK],
    view: View,
}

impl Chunk {
    fn new() -> Self {
        Chunk { nodes: [NOBODY; CHUNK], view: [NOBODY; CHUNK + 2 * REACH] }
    }

    /// The nodes from `base` on, filled up with nobodies, and the ring around them.
    fn load<'a>(
        &'a mut self,
        nodes: &'a [u32],
        ring: &'a [u32],
        base: usize,
    ) -> (&'a [u32; CHUNK], &'a View) {
        let n = ring.len();
        let inside = nodes[base..].first_chunk();
        let nodes = inside.unwrap_or_else(|| {
            self.nodes.fill(NOBODY);
            self.nodes[..n - base].copy_from_slice(&nodes[base..]);
            &self.nodes
        });
        let inside = base.checked_sub(REACH).and_then(|start| ring[start..].first_chunk());
        let view = inside.unwrap_or_else(|| {
            let mut from = (base + n - REACH) % n;
            let mut rest = self.view.as_mut_slice();
            while !rest.is_empty() {
                let (part, others) = rest.split_at_mut((n - from).min(rest.len()));
                part.copy_from_slice(&ring[from..from + part.len()]);
                rest = others;
                from = 0;
            }
            &self.view
        });
        (nodes, view)
    }
}

/// So many values have one maximum in the next level of the tree.
const BLOCK: usize = 16;

/// A tree of block maxima, to find the next larger value far away.
#[derive(Debug, Clone, Default)]
struct Maxima {
    /// `levels[0]` has the maximum of every block of the ring, and so on; the last has one block.
    levels: Vec<Vec<u32>>,
    height: usize,
}

impl Maxima {
    fn build(&mut self, ring: &[u32]) {
        self.height = 0;
        loop {
            if self.levels.len() == self.height {
                self.levels.push(Vec::new());
            }
            let (lower, upper) = self.levels.split_at_mut(self.height);
            let values = lower.last().map_or(ring, Vec::as_slice);
            let (blocks, rest) = values.as_chunks::<BLOCK>();
            let level = &mut upper[0];
            level.clear();
            level.extend(blocks.iter().map(|block| largest(block)));
            if !rest.is_empty() {
                level.push(largest(rest));
            }
            self.height += 1;
            if level.len() <= BLOCK {
                break;
            }
        }
    }

    fn level<'a>(&'a self, ring: &'a [u32], level: usize) -> &'a [u32] {
        if level == 0 { ring } else { &self.levels[level - 1] }
    }

    /// The distance from `node` clockwise to a larger rank, n if there is none. What is in the
    /// node's own block must be known to be smaller, or to come before it.
    fn clockwise(&self, ring: &[u32], node: usize, rank: u32) -> usize {
        let mut place = node / BLOCK;
        for level in 1..=self.height {
            let later = !1 << (place % BLOCK);
            let larger = larger(self.level(ring, level), place / BLOCK, rank) & later;
            if larger != 0 {
                let place = place / BLOCK * BLOCK + larger.trailing_zeros() as usize;
                return self.descend(ring, level, place, rank, u32::trailing_zeros) - node;
            }
            place /= BLOCK;
        }
        match larger(self.level(ring, self.height), 0, rank) {
            0 => ring.len(),
            larger => {
                let place = larger.trailing_zeros() as usize;
                let found = self.descend(ring, self.height, place, rank, u32::trailing_zeros);
                // The largest node itself is not larger; whatever else is found comes before it.
                found + ring.len() - node
            }
        }
    }

    /// The distance from `node` anticlockwise to a larger rank, n if there is none. What is in the
    /// node's own block must be known to be smaller, or to come after it.
    fn anticlockwise(&self, ring: &[u32], node: usize, rank: u32) -> usize {
        let last = |larger: u32| larger.ilog2();
        let mut place = node / BLOCK;
        for level in 1..=self.height {
            let earlier = (1 << (place % BLOCK)) - 1;
            let larger = larger(self.level(ring, level), place / BLOCK, rank) & earlier;
            if larger != 0 {
                let place = place / BLOCK * BLOCK + last(larger) as usize;
                return node - self.descend(ring, level, place, rank, last);
            }
            place /= BLOCK;
        }
        match larger(self.level(ring, self.height), 0, rank) {
            0 => ring.len(),
            larger => {
                let place = last(larger) as usize;
                node + ring.len() - self.descend(ring, self.height, place, rank, last)
            }
        }
    }

    /// From a block with a larger rank down to that rank's position: the first or the last one.
    #[inline(always)]
    fn descend(
        &self,
        ring: &[u32],
        level: usize,
        place: usize,
        rank: u32,
        choose: impl Fn(u32) -> u32,
    ) -> usize {
        let (mut level, mut place) = (level, place);
        while level > 0 {
            level -= 1;
            let larger = larger(self.level(ring, level), place, rank);
            place = place * BLOCK + choose(larger) as usize;
        }
        place
    }
}

fn largest(values: &[u32]) -> u32 {
    values.iter().map(|&value| value as i32).max().unwrap_or(-1) as u32
}

/// Which values of a block are larger than `rank`, as a set of bits.
#[inline(always)]
fn larger(values: &[u32], block: usize, rank: u32) -> u32 {
    let values = &values[block * BLOCK..];
    let bits = |values: &[u32]| {
        let bit = |(place, &value)| i32::from(value as i32 > rank as i32) << place;
        values.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit) as u32
    };
    match values.first_chunk::<BLOCK>() {
        Some(values) => bits(values),
        None => bits(values),
    }
}

/// Tells `node` the place of every rank of a small ring, and its distances clockwise and
/// anticlockwise to the next larger rank: n for the largest.
///
/// Ranks come in descending order, so the larger ones are known: bits of a word that has the ring
/// twice, in order that nobody has to look round its end.
#[inline(always)]
fn small_distances(ring: &[u32], mut node: impl FnMut(usize, u64, u64)) {
    let n = ring.len();
    let mut places = [SMALL as u8; SMALL];
    for (place, &rank) in ring.iter().enumerate() {
        if rank != NOBODY {
            places[rank as usize] = place as u8;
        }
    }
    let mut larger = 0u64;
    for &place in places[..n].iter().rev() {
        let place = usize::from(place);
        if place < SMALL {
            // Who has nobody larger meets itself after a whole turn.
            larger |= (1 | 1 << n) << place;
            let clockwise = (larger >> place >> 1).trailing_zeros() + 1;
            let anticlockwise = (larger << (64 - n - place)).leading_zeros() + 1;
            node(place, clockwise.into(), anticlockwise.into());
        }
    }
}
