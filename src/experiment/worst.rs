//! A search for the worst ring, starters and schedule, or the best: simulated annealing with restarts,
//! and everything there is while that is little.
//!
//! What is found is a lower bound for the maximum (an upper bound for the minimum), unless everything was
//! gone through. A restart depends on the seed, its number and the evaluations that it may make, and on
//! nothing else, so any number of threads finds the same.

use std::sync::Arc;

use super::cell::{Cell, Setting};
use super::error::Error;
use super::small;
use super::timing::{Initiators, Timing};
use crate::algorithm::count::{self, Ranked, Scratch};
use crate::engine::{Entry, Simulator};
use crate::model::delay::Delay;
use crate::model::election::{Election, Network, Starts};
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::{Key, Purpose, Stream};
use crate::model::row::{Number, Row, RunColumn};
use crate::model::stop::Stop;
use crate::model::theory::Fact;
use crate::model::topology::{Graph, Topology};
use crate::model::violation::Violation;

/// The metrics that a search can drive up or down: the columns behind the run number and before who won.
pub fn metrics() -> impl Iterator<Item = RunColumn> {
    Row::COLUMNS.into_iter().skip(1).take_while(|column| column.name != "leader")
}

/// So many searches begin anew, each with its part of the evaluations.
pub const RESTARTS: u64 = 16;

/// Rings up to this size are gone through, if the evaluations are enough.
const LARGEST_EXHAUSTIVE: u32 = 10;

/// What is searched for.
#[derive(Debug, Clone)]
pub struct Worst {
    /// The algorithm.
    pub algorithm: Arc<Entry>,
    /// Who is whose neighbour; not drawn.
    pub topology: Topology,
    /// The number of nodes.
    pub n: u32,
    /// Who starts: of a number of nodes, which is searched for.
    pub initiators: Initiators,
    /// Whether starters may be late.
    pub staggered: bool,
    /// Whether messages may take other times than one round each.
    pub schedules: bool,
    /// Whether links keep the order of messages.
    pub fifo: bool,
    /// What is to be large: one of [`metrics`].
    pub metric: String,
    /// Or small.
    pub minimise: bool,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// So many elections are held.
    pub evaluations: u64,
}

/// An election that the search may hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The ranks of the IDs, node by node.
    ranks: Vec<u32>,
    /// Who starts and when; `None` if everybody does, at time 0.
    starts: Option<Vec<(u32, u64)>>,
    delay: Option<Delay>,
    run: u64,
}

/// The best that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// Its value.
    pub value: f64,
    /// The election.
    pub candidate: Candidate,
    /// How many elections were held.
    pub evaluations: u64,
    /// Whether these were all there are.
    pub exhaustive: bool,
}

/// A search that is ready to begin.
pub struct Search<'a> {
    asked: &'a Worst,
    cell: Cell,
    graph: Option<Graph>,
    key: Key,
    column: RunColumn,
    counts: bool,
    /// What theory says that no election exceeds.
    limit: Option<Fact>,
    rules: Rules,
}

/// What may be changed.
#[derive(Debug, Clone, Copy)]
struct Rules {
    n: u32,
    /// How many start, where which is open.
    open: Option<u64>,
    staggered: bool,
    schedules: bool,
    fifo: bool,
}

/// The schedules that a search knows: each is a timing of `elect`.
const DELAYS: [Delay; 4] = Delay::SAMPLES;

impl Worst {
    /// The column of its metric.
    fn column(&self) -> Result<RunColumn, Input> {
        metrics().find(|column| column.name == self.metric).ok_or_else(|| {
            let names: Vec<&str> = metrics().map(|column| column.name).collect();
            let all = format!("there are {}", names.join(", "));
            Input::unknown("metric", &self.metric, names.iter().copied(), &all)
        })
    }

    /// Refuses what has no sense.
    fn check(&self) -> Result<(), Input> {
        if self.topology.is_random() {
            let problem = "it is drawn anew for every run";
            let remedy = "use a family that is not drawn, or file:PATH";
            return Err(Input::new("topology", &self.topology, problem, remedy));
        }
        if self.evaluations == 0 {
            let problem = "nothing would be tried";
            return Err(Input::new("evaluations", 0, problem, "use 1 or more"));
        }
        if matches!(self.initiators, Initiators::Share(_)) {
            let problem = "their number is drawn, and here they are searched for";
            return Err(Input::new(
                "initiators",
                &self.initiators,
                problem,
                "use count:K or at:0,2",
            ));
        }
        if self.algorithm.model.flips_coins {
            let problem = "its participants flip coins, so the ring does not settle the messages";
            let remedy = "use hustings run to measure it";
            return Err(Input::new("algorithm", &self.algorithm.name, problem, remedy));
        }
        if !self.fifo && !self.schedules {
            let problem = "nothing overtakes where every message takes one round";
            return Err(Input::new("no-fifo", "true", problem, "add --schedules"));
        }
        if self.staggered && self.algorithm.model.needs_all {
            let problem = format!("{} needs everybody to start at time 0", self.algorithm.name);
            return Err(Input::new("staggered", "true", problem, "leave --staggered out"));
        }
        Ok(())
    }

    /// Checks what is asked for.
    pub fn prepare(&self) -> Result<Search<'_>, Input> {
        let column = self.column()?;
        self.check()?;
        let cell = self.cell((0..self.n).map(|it| self.id(it)).collect(), None)?;
        let words = &mut Key::new(1, "", 0, "", "").stream(0, Purpose::Graph);
        let graph = cell.is_on_graph().then(|| self.topology.graph(self.n, words)).transpose()?;
        let open = match &self.initiators {
            initiators if initiators.is_all(self.n) => None,
            Initiators::At(_) => None,
            initiators => initiators.count(u64::from(self.n)),
        };
        if self.schedules {
            let timing = Timing { delay: Some(Delay::Lifo), fifo: self.fifo };
            let setting = self.setting((0..self.n).map(|it| self.id(it)).collect(), timing);
            Cell::new(&self.algorithm, setting)?;
        }
        let facts = match &graph {
            None => cell.facts(),
            Some(_) => cell.prepare(1)?.theory(0)?.1,
        };
        let limit = match self.metric == "messages" && !self.staggered {
            true if self.minimise => facts.best,
            true => facts.worst,
            false => None,
        };
        let limit = limit.filter(|fact| !self.schedules || fact.holds.with_delays(self.fifo));
        let has_counter = cell.has_counter() && !self.schedules && !self.staggered;
        Ok(Search {
            asked: self,
            key: cell.random_key(self.seed),
            counts: has_counter && ["messages", "rounds"].contains(&self.metric.as_str()),
            cell,
            graph,
            column,
            limit,
            rules: Rules {
                n: self.n,
                open,
                staggered: self.staggered,
                schedules: self.schedules,
                fifo: self.fifo,
            },
        })
    }

    fn id(&self, rank: u32) -> Id {
        self.algorithm.first_dense_id() + Id::from(rank)
    }

    fn setting(&self, ids: Vec<Id>, timing: Timing) -> Setting {
        let (topology, initiators) = (self.topology.clone(), self.initiators.clone());
        Setting { topology, initiators, timing, ..Setting::given(ids) }
    }

    fn cell(&self, ids: Vec<Id>, delay: Option<Delay>) -> Result<Cell, Input> {
        let fifo = self.fifo || delay.is_none();
        Cell::new(&self.algorithm, self.setting(ids, Timing { delay, fifo }))
    }
}

/// Somebody who can hold elections of a search.
struct Judge<'a> {
    search: &'a Search<'a>,
    simulator: Box<dyn Simulator>,
    scratch: Scratch,
    ids: Vec<Id>,
    stop: &'a Stop,
}

impl Judge<'_> {
    /// The value of a candidate; the larger the better, also where the smallest is wanted.
    fn value(&mut self, candidate: &Candidate) -> Result<f64, Violation> {
        let Search { asked, cell, graph, key, column, counts, rules, .. } = self.search;
        let starts = candidate.as_starts();
        let first = asked.algorithm.first_dense_id();
        let value = if *counts {
            let ids = count::Ids::Dense(first);
            let ring = Ranked { ranks: &candidate.ranks, ids, starts: &starts };
            let counter = asked.algorithm.counter;
            let counted = counter.and_then(|it| (it.count)(&ring, &mut self.scratch));
            counted.and_then(|count| match column.name {
                "messages" => Some(count.messages() as f64),
                _ => count.rounds.map(|rounds| rounds as f64),
            })
        } else {
            self.ids.clear();
            self.ids.extend(candidate.ranks.iter().map(|&rank| first + Id::from(rank)));
            let edges = graph.as_ref().map_or(u64::from(rules.n), Graph::edges);
            let limit = cell.message_limit(edges);
            let election =
                Election { ids: &self.ids, starts: &starts, limit, coins: 0, stop: self.stop };
            let network = candidate.delay.map(|delay| Network {
                delay,
                fifo: rules.fifo,
                words: key.stream(candidate.drawn(), Purpose::Delays),
            });
            let outcome = match graph {
                Some(graph) => self.simulator.run_on(graph, &election, network.as_ref())?,
                None => self.simulator.run(&election, network.as_ref())?,
            };
            let row = Row::simulated(candidate.run, &outcome, 0, None);
            (column.value)(&row).map(|number| match number {
                Number::Whole(value) => value as f64,
                Number::Wide(value) => value as f64,
                Number::Real(value) => value,
            })
        };
        let value = value.unwrap_or(0.0);
        Ok(if asked.minimise { -value } else { value })
    }
}

impl Candidate {
    fn as_starts(&self) -> Starts {
        match &self.starts {
            None => Starts::All,
            Some(places) => Starts::at(places.iter().copied()),
        }
    }

    /// The run whose words make its delays.
    fn drawn(&self) -> u64 {
        if self.delay.is_some_and(|delay| delay.is_random()) { self.run } else { 0 }
    }

    /// A first one, as restart number `restart` begins: by turns at random, with bits reversed, and
    /// self-similar in two ways.
    fn first(asked: &Worst, rules: &Rules, restart: u64, words: &mut Stream) -> Self {
        let n = rules.n;
        let ranks = match restart % 4 {
            0 => shuffled(n, words),
            1 => reversed_bits(n),
            2 => in_parts(n, words),
            _ => in_golden_sections(n, words),
        };
        let starts = match (&asked.initiators, rules.open) {
            (Initiators::At(places), _) => {
                Some(places.iter().map(|(&place, &time)| (place, time)).collect())
            }
            (_, Some(count)) => {
                let chosen = words.choose(u64::from(n), count);
                Some(chosen.into_iter().map(|place| (place as u32, 0)).collect())
            }
            _ if rules.staggered => Some((0..n).map(|place| (place, 0)).collect()),
            _ => None,
        };
        Candidate { ranks, starts, delay: None, run: 0 }
    }

    /// Changes one thing.
    fn change(&mut self, rules: &Rules, words: &mut Stream) {
        let n = u64::from(rules.n);
        let movable = rules.open.is_some() && rules.open < Some(n);
        let mut others = u64::from(movable) + u64::from(rules.staggered);
        others += u64::from(rules.schedules);
        // Half of all changes are about the layout.
        if others == 0 || words.below(2) == 0 {
            return shake(&mut self.ranks, words);
        }
        let mut choice = words.below(others);
        if movable {
            if choice == 0 {
                return self.move_starter(n, words);
            }
            choice -= 1;
        }
        if rules.staggered && choice == 0 {
            return self.change_time(n, words);
        }
        // A policy of its own for the whole election, or the same with other delays.
        if words.below(2) == 0 {
            let which = words.below(DELAYS.len() as u64 + 1) as usize;
            self.delay = DELAYS.get(which).copied();
        }
        self.run = words.below(1 << 32);
    }

    fn move_starter(&mut self, n: u64, words: &mut Stream) {
        let Some(starts) = &mut self.starts else { return };
        let place = words.below(n) as u32;
        let who = words.below(starts.len() as u64) as usize;
        if starts.iter().all(|&(other, _)| other != place) {
            starts[who].0 = place;
        }
    }

    fn change_time(&mut self, n: u64, words: &mut Stream) {
        let Some(starts) = &mut self.starts else { return };
        let who = words.below(starts.len() as u64) as usize;
        starts[who].1 = if words.below(3) == 0 { 0 } else { words.below(2 * n) };
        let first = starts.iter().map(|&(_, time)| time).min().unwrap_or(0);
        starts.iter_mut().for_each(|(_, time)| *time -= first);
    }
}

/// Position i holds i with its bits reversed; of the next power of two, without what is too large.
fn reversed_bits(n: u32) -> Vec<u32> {
    let bits = u32::BITS - n.saturating_sub(1).leading_zeros();
    let reversed = |i: u32| if bits == 0 { 0 } else { i.reverse_bits() >> (u32::BITS - bits) };
    (0..1u32 << bits).map(reversed).filter(|&rank| rank < n).collect()
}

/// A smaller ring of the same kind, a half or a third as large, with the largest ranks; the others
/// stand evenly in between.
fn in_parts(n: u32, words: &mut Stream) -> Vec<u32> {
    if n <= 3 {
        return shuffled(n, words);
    }
    let inner = n / (2 + words.below(2) as u32);
    let core = in_parts(inner, words);
    let share = |place: u32| u64::from(place) * u64::from(n - inner) / u64::from(inner);
    let gaps: Vec<u64> = (0..inner).map(|place| share(place + 1) - share(place)).collect();
    filled(&core, &gaps, words)
}

/// The same with the golden section, and the smaller ring mirrored: the others stand first where it
/// descends. Who looks back and ahead by turns leaves such a ring behind.
fn in_golden_sections(n: u32, words: &mut Stream) -> Vec<u32> {
    if n <= 3 {
        return shuffled(n, words);
    }
    let inner = (f64::from(n) * GOLDEN).round() as u32;
    let mut core = in_golden_sections(inner, words);
    core.reverse();
    let before = |place: usize| core[(place + core.len() - 1) % core.len()];
    let mut places: Vec<usize> = (0..core.len()).collect();
    words.shuffle(&mut places);
    places.sort_by_key(|&place| core[place] > before(place));
    let mut gaps = vec![0; core.len()];
    for number in 0..(n - inner) as usize {
        gaps[places[number % places.len()]] += 1;
    }
    filled(&core, &gaps, words)
}

/// The share of a whole that the golden section leaves.
const GOLDEN: f64 = 0.618_033_988_749_895;

fn shuffled(n: u32, words: &mut Stream) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..n).collect();
    words.shuffle(&mut ranks);
    ranks
}

/// A ring with so many smaller ranks before each of its places: in ascending or descending order, or
/// at random.
fn filled(core: &[u32], gaps: &[u64], words: &mut Stream) -> Vec<u32> {
    let rest = gaps.iter().sum::<u64>() as u32;
    let mut small: Vec<u32> = (0..rest).collect();
    match words.below(3) {
        0 => small.reverse(),
        1 => words.shuffle(&mut small),
        _ => {}
    }
    let mut small = small.into_iter();
    let mut ranks = Vec::with_capacity(core.len() + rest as usize);
    for (&rank, &gap) in core.iter().zip(gaps) {
        ranks.extend(small.by_ref().take(gap as usize));
        ranks.push(rest + rank);
    }
    ranks
}

/// Puts the ring into another order: two change places, one or a block moves elsewhere, a block is
/// turned round, or one ID becomes larger or smaller than others.
fn shake(ranks: &mut [u32], words: &mut Stream) {
    let n = ranks.len() as u64;
    if n < 2 {
        return;
    }
    let (a, b) = (words.below(n) as usize, words.below(n) as usize);
    let (low, high) = (a.min(b), a.max(b));
    match words.below(8) {
        0 | 1 => ranks.swap(a, b),
        2 => {
            if a < b {
                ranks[a..=b].rotate_left(1);
            } else {
                ranks[b..=a].rotate_right(1);
            }
        }
        3 => ranks[low..=high].reverse(),
        4 => {
            let by = words.below((high - low) as u64 + 1) as usize;
            ranks[low..=high].rotate_left(by);
        }
        5 => {
            let near = (a + 1 + words.below(3) as usize) % ranks.len();
            ranks.swap(a, near);
        }
        6 => revalue(ranks, a, words.below(n) as u32),
        _ => {
            let near = i64::from(ranks[a]) + words.below(7) as i64 - 3;
            revalue(ranks, a, near.clamp(0, n as i64 - 1) as u32);
        }
    }
}

/// Gives the ID at a place another rank; those in between move up or down by one.
fn revalue(ranks: &mut [u32], place: usize, rank: u32) {
    let old = ranks[place];
    for other in ranks.iter_mut() {
        if old < rank && *other > old && *other <= rank {
            *other -= 1;
        } else if rank < old && *other >= rank && *other < old {
            *other += 1;
        }
    }
    ranks[place] = rank;
}

impl Search<'_> {
    /// What theory says that no election exceeds.
    pub fn limit(&self) -> Option<&Fact> {
        self.limit.as_ref()
    }

    /// Whether counters are asked instead of elections held.
    pub fn counts(&self) -> bool {
        self.counts
    }

    /// In how many independent parts the search is done.
    pub fn parts(&self) -> u64 {
        if self.exhaustive().is_some() { 1 } else { RESTARTS.min(self.asked.evaluations) }
    }

    /// All elections there are, if the evaluations are enough for them.
    fn exhaustive(&self) -> Option<u64> {
        let Rules { n, staggered, schedules, .. } = self.rules;
        if staggered || schedules || n > LARGEST_EXHAUSTIVE {
            return None;
        }
        let number = |value: u64| (1..=value).product::<u64>();
        let fixed = self.graph.is_none() && !matches!(self.asked.initiators, Initiators::At(_));
        let layouts = number(u64::from(n) - u64::from(fixed));
        let elections = layouts * self.sets().len() as u64;
        (elections <= self.asked.evaluations).then_some(elections)
    }

    /// All sets of starters there are.
    fn sets(&self) -> Vec<Option<Vec<(u32, u64)>>> {
        let n = self.rules.n;
        match (&self.asked.initiators, self.rules.open) {
            (Initiators::At(places), _) => {
                vec![Some(places.iter().map(|(&place, &time)| (place, time)).collect())]
            }
            (_, None) => vec![None],
            (_, Some(count)) => (1u32..1 << n)
                .filter(|set| u64::from(set.count_ones()) == count)
                .map(|set| {
                    let members = (0..n).filter(|place| set >> place & 1 == 1);
                    Some(members.map(|place| (place, 0)).collect())
                })
                .collect(),
        }
    }

    fn judge<'s>(&'s self, stop: &'s Stop) -> Judge<'s> {
        let simulator = (self.asked.algorithm.simulator)();
        Judge { search: self, simulator, scratch: Scratch::default(), ids: Vec::new(), stop }
    }

    /// Does part number `part`; `better` is told of every value that is better than those before.
    /// Ends early, with what it has, if somebody asks.
    pub fn part(
        &self,
        part: u64,
        stop: &Stop,
        better: &dyn Fn(f64),
    ) -> Result<Option<Best>, Error> {
        match self.exhaustive() {
            Some(_) => self.everything(stop, better),
            None => self.anneal(part, stop, better),
        }
    }

    /// The better of two, the first if they are equal.
    pub fn better(&self, a: Best, b: Best) -> Best {
        let evaluations = a.evaluations + b.evaluations;
        let sign = if self.asked.minimise { -1.0 } else { 1.0 };
        let best = if sign * b.value > sign * a.value { b } else { a };
        Best { evaluations, ..best }
    }

    fn everything(&self, stop: &Stop, better: &dyn Fn(f64)) -> Result<Option<Best>, Error> {
        let n = self.rules.n;
        let fixed = self.graph.is_none() && !matches!(self.asked.initiators, Initiators::At(_));
        let sign = if self.asked.minimise { -1.0 } else { 1.0 };
        let mut judge = self.judge(stop);
        let mut best: Option<Best> = None;
        let mut evaluations = 0;
        let sets = self.sets();
        let rings = match fixed {
            true => small::rings(n, 0),
            false => small::orders(n)
                .into_iter()
                .map(|it| it.iter().map(|&it| it.into()).collect())
                .collect(),
        };
        for ring in rings {
            for starts in &sets {
                if stop.is_asked() {
                    return Ok(best.map(|best| Best { evaluations, ..best }));
                }
                let ranks = ring.iter().map(|&rank: &Id| rank as u32).collect();
                let starts = starts.clone();
                let candidate = Candidate { ranks, starts, delay: None, run: 0 };
                let value = self.judged(judge.value(&candidate), &candidate)?;
                evaluations += 1;
                if best.as_ref().is_none_or(|best| value > sign * best.value) {
                    better(sign * value);
                    let value = sign * value;
                    best = Some(Best { value, candidate, evaluations, exhaustive: true });
                }
            }
        }
        Ok(best.map(|best| Best { evaluations, ..best }))
    }

    fn anneal(&self, part: u64, stop: &Stop, better: &dyn Fn(f64)) -> Result<Option<Best>, Error> {
        let Worst { seed, evaluations, minimise, .. } = *self.asked;
        let parts = self.parts();
        // The first parts take what cannot be divided.
        let mut left = evaluations / parts + u64::from(part < evaluations % parts);
        let sign = if minimise { -1.0 } else { 1.0 };
        let enough = self.limit.as_ref().filter(|fact| fact.is_exact());
        let enough = enough.map_or(f64::INFINITY, |fact| sign * fact.value.as_f64());
        let mut words =
            Key::new(seed, "worst", self.rules.n.into(), "", "").stream(part, Purpose::Ring);
        let mut judge = self.judge(stop);
        let mut current = Candidate::first(self.asked, &self.rules, part, &mut words);
        let mut value = self.judged(judge.value(&current), &current)?;
        let (mut best, mut best_value) = (current.clone(), value);
        let mut held = 1;
        left -= 1;
        better(sign * value);
        let mut next = current.clone();
        // How much one change does, to begin with.
        let mut sum = 0.0;
        let tries = left.min(TRIES);
        for _ in 0..tries {
            next.clone_from(&current);
            next.change(&self.rules, &mut words);
            sum += (self.judged(judge.value(&next), &next)? - value).abs();
            held += 1;
        }
        left -= tries;
        let hot = (sum / tries.max(1) as f64).max(f64::MIN_POSITIVE);
        let all = left.max(1) as f64;
        while left > 0 && best_value < enough {
            if held % LOOK == 0 && stop.is_asked() {
                break;
            }
            left -= 1;
            held += 1;
            next.clone_from(&current);
            next.change(&self.rules, &mut words);
            let found = self.judged(judge.value(&next), &next)?;
            let heat = hot * COOLING.powf(1.0 - left as f64 / all);
            if found >= value || words.unit() < ((found - value) / heat).exp() {
                std::mem::swap(&mut current, &mut next);
                value = found;
                if value > best_value {
                    best_value = value;
                    best.clone_from(&current);
                    better(sign * value);
                }
            }
        }
        let value = sign * best_value;
        Ok(Some(Best { value, candidate: best, evaluations: held, exhaustive: false }))
    }

    fn judged(&self, value: Result<f64, Violation>, candidate: &Candidate) -> Result<f64, Error> {
        value.map_err(|violation| match violation {
            Violation::Stopped => Error::Interrupted,
            violation => match self.cell_of(candidate) {
                Ok(cell) => Error::Violation {
                    violation,
                    command: cell.command(self.asked.seed, candidate.run),
                    cell: Box::new(cell.key().clone()),
                },
                Err(error) => error.into(),
            },
        })
    }

    /// The cell in which a candidate is run number `Candidate::run`.
    pub fn cell_of(&self, candidate: &Candidate) -> Result<Cell, Input> {
        let ids = self.ids(candidate);
        let initiators = match &candidate.starts {
            None => Initiators::All,
            Some(places) => Initiators::At(places.iter().copied().collect()),
        };
        let fifo = self.asked.fifo || candidate.delay.is_none();
        let timing = Timing { delay: candidate.delay, fifo };
        let setting = Setting { initiators, ..self.asked.setting(ids, timing) };
        Cell::new(&self.asked.algorithm, setting)
    }

    /// The IDs of a candidate, node by node.
    pub fn ids(&self, candidate: &Candidate) -> Vec<Id> {
        candidate.ranks.iter().map(|&rank| self.asked.id(rank)).collect()
    }

    /// The command that holds this election again.
    pub fn command(&self, candidate: &Candidate) -> Result<String, Input> {
        Ok(self.cell_of(candidate)?.command(self.asked.seed, candidate.drawn()))
    }
}

/// So many changes are tried to see how much they do.
const TRIES: u64 = 100;
/// The search looks up after so many elections.
const LOOK: u64 = 256;
/// At the end a change for the worse is as unlikely as one so many times as bad at the beginning.
const COOLING: f64 = 0.01;

#[cfg(test)]
mod tests {
    use super::*;

    fn is_permutation(ranks: &[u32]) -> bool {
        let mut sorted = ranks.to_vec();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..ranks.len() as u32)
    }

    #[test]
    fn every_start_and_every_change_is_a_ring() {
        let mut words = Key::new(1, "worst", 0, "", "").stream(0, Purpose::Ring);
        for n in 1..40 {
            assert!(is_permutation(&reversed_bits(n)), "{n}");
            assert!(is_permutation(&in_parts(n, &mut words)), "{n}");
            let mut ranks = in_golden_sections(n, &mut words);
            assert!(is_permutation(&ranks), "{n}");
            for _ in 0..200 {
                shake(&mut ranks, &mut words);
                assert!(is_permutation(&ranks), "{n}");
            }
        }
    }
}
