//! The search itself: depth first for the verdict and the extremes, breadth first for the shortest
//! schedule that fails.

use std::collections::HashMap;

use super::asked::Explore;
use super::commuting;
use super::inert::Inert;
use super::replay::Replay;
use super::store::Store;
use super::tables::{Queues, Steps};
use super::verdict::{Ended, Explored, Extreme, Fault, Wrong};
use super::wires::Wires;
use crate::engine::trace::Step;
use crate::model::violation::Violation;

/// One thing that may happen next.
#[derive(Debug, Clone, Copy)]
struct Move {
    node: u32,
    /// The link that delivers, or [`START`].
    link: u32,
    mail: u32,
    /// What is left on the link.
    left: u32,
}

/// Stands for a link where a node starts by itself.
const START: u32 = u32::MAX;

/// A move, and where it leads.
#[derive(Debug, Clone, Copy)]
struct Next {
    state: u32,
    counted: u16,
    by: Move,
}

/// A state on the path that is followed.
#[derive(Debug, Clone, Copy)]
struct Frame {
    state: u32,
    /// Its moves stand behind this place; those from the cursor on are still to be followed.
    first: usize,
    cursor: usize,
    rest: Rest,
}

/// The fewest and the most messages that are still to come.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rest {
    min: u16,
    max: u16,
}

/// A state whose moves were not looked at yet.
const NEW: Rest = Rest { min: u16::MAX, max: u16::MAX };
/// A state on the path that is followed.
const OPEN: Rest = Rest { min: u16::MAX, max: u16::MAX - 1 };
/// The most messages that are told apart from endless ones.
const MOST_MESSAGES: u64 = OPEN.max as u64 - 1;

/// The search looks up after so many states.
const LOOK: u64 = 1 << 12;

/// After so many states it is asked whether leaving out inert mail is worth its while: one message in so
/// many states.
const TRIAL: u64 = 1 << 12;
const WORTH: u64 = 32;

/// Mail that is followed further than by so many messages is not inert.
const MOST_IDLE: usize = 1 << 8;

/// So many states are searched for something short where messages do not seem to end.
const ENDLESS_STATES: u64 = 1 << 19;

/// Why a part of the search ended.
enum Halt {
    Found(Wrong, Vec<Move>),
    /// The moves to a circle and once around it, and its states.
    Circle(Vec<Move>, Vec<u32>),
    Outgrown,
    Stopped,
    /// A link was used that was taken for one that nobody uses, mail mattered that was taken for inert, a
    /// node asked what it was to forget, or hardly any mail is inert.
    Mistaken,
}

impl Explore<'_> {
    /// Goes through all states; `met` is told how many there are, now and then.
    pub fn run(&self, met: &dyn Fn(u64)) -> Result<Explored, Ended> {
        Search::new(*self, met, true).run()
    }
}

struct Search<'a> {
    asked: Explore<'a>,
    met: &'a dyn Fn(u64),
    wires: Wires<'a>,
    steps: Steps,
    queues: Queues,
    store: Store,
    /// The mail that need not wait, if it is left out.
    inert: Option<Inert>,
    /// Whether nodes forget if they started by themselves or mail woke them.
    forgets: bool,
    /// How many inert messages were left out.
    left_out: u64,
    /// The links and messages that follow from inert mail.
    idle: Vec<(u32, u32)>,
    /// The column of each link that was used, else [`START`].
    columns: Vec<u32>,
    used: usize,
    first: Vec<u32>,
    row: Vec<u32>,
    /// The rows after all moves of a state.
    rows: Vec<u32>,
    moves: Vec<Move>,
    /// What is still to come from each state on.
    rest: Vec<Rest>,
    transitions: u64,
    ended: u64,
    /// The most messages before it is taken for endless.
    limit: u64,
}

impl<'a> Search<'a> {
    fn new(asked: Explore<'a>, met: &'a dyn Fn(u64), may_forget: bool) -> Self {
        let model = &asked.entry.model;
        let mut machine = (asked.entry.machine)();
        let states = machine.participants(asked.graph, asked.election);
        let forgets = may_forget && asked.reduced && !model.elects.only_initiators();
        if forgets {
            machine.forget_starts();
        }
        let steps = Steps::new(machine, asked.announcements);
        // Handlers are put into situations where they may panic.
        let leaves_out_inert = asked.reduced && cfg!(panic = "unwind");
        let nodes = states.len();
        let wires = Wires::new(&asked);
        Search {
            met,
            columns: vec![START; wires.ends.len()],
            used: 0,
            wires,
            steps,
            queues: Queues::new(asked.fifo),
            store: Store::new(nodes),
            inert: leaves_out_inert.then(Inert::new),
            forgets,
            left_out: 0,
            idle: Vec::new(),
            first: states.iter().map(|state| state.0).collect(),
            row: Vec::new(),
            rows: Vec::new(),
            moves: Vec::new(),
            rest: Vec::new(),
            transitions: 0,
            ended: 0,
            limit: asked.election.limit.min(MOST_MESSAGES - 1),
            asked,
        }
    }

    fn run(mut self) -> Result<Explored, Ended> {
        if self.asked.reduced
            && let Some(explored) = commuting::explored(&self.asked, &self.wires)
        {
            return Ok(explored);
        }
        let reduced = self.asked.reduced && self.asked.fifo;
        loop {
            let found = self.depth_first(reduced);
            let is_end = !matches!(found, Err(Halt::Stopped | Halt::Outgrown));
            let Search { inert, steps, .. } = &mut self;
            if is_end && !inert.as_mut().is_none_or(|inert| inert.holds(steps)) {
                continue;
            }
            if is_end && self.forgets && self.steps.machine().starts_matter() {
                self = Search::new(self.asked, self.met, false);
                continue;
            }
            match found {
                Ok((root, counted)) => return self.explored(root, counted, reduced),
                Err(Halt::Mistaken) => {}
                Err(Halt::Stopped) => return Err(Ended::Stopped),
                Err(Halt::Outgrown) => {
                    let (states, bytes) = (self.store.count() as u64, self.bytes() as u64);
                    return Err(Ended::Outgrown { states, bytes });
                }
                Err(Halt::Found(wrong, moves)) => {
                    return Err(self.shortened(wrong, moves, &Circle::default()));
                }
                // Mail that is still on its way, inert or not, tells the states of a circle apart.
                Err(Halt::Circle(..)) if self.inert.is_some() => self.inert = None,
                Err(Halt::Circle(moves, states)) => {
                    let mut circle = Circle::default();
                    let mut row = Vec::new();
                    for (place, &state) in states.iter().enumerate() {
                        self.store.row(state, &mut row);
                        circle.rows.insert(trimmed(&row).to_vec(), place);
                    }
                    circle.moves = moves[moves.len() - states.len()..].to_vec();
                    return Err(self.shortened(Wrong::Endless(states.len()), moves, &circle));
                }
            }
        }
    }

    /// What all schedules come to from the first state on, with the messages on the way to it.
    fn explored(&mut self, root: u32, counted: u64, reduced: bool) -> Result<Explored, Ended> {
        let mut extreme = |most: bool| {
            let moves = self.path(root, reduced, most);
            let messages = u64::from(self.rest[root as usize].of(most)) + counted;
            if messages > self.limit {
                let wrong = Wrong::Violation(Violation::TooManyMessages(self.limit));
                return Err(self.shortened(wrong, moves, &Circle::default()));
            }
            Ok(Extreme { messages, schedule: self.schedule(&moves) })
        };
        let (max, min) = (extreme(true)?, extreme(false)?);
        Ok(Explored {
            states: self.store.count() as u64,
            transitions: self.transitions,
            ends: self.ended,
            bytes: self.bytes() as u64,
            commutes: false,
            min,
            max,
        })
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.rest.capacity() * size_of::<Rest>()
    }

    /// Begins anew; the first state, and the messages on the way to it.
    fn begin(&mut self) -> Result<(u32, u64), (Wrong, Vec<Move>)> {
        self.store = Store::new(self.first.len() + self.used);
        self.rest = Vec::new();
        (self.transitions, self.ended, self.left_out) = (0, 0, 0);
        let mut row = self.first.clone();
        row.resize(self.first.len() + self.used, 0);
        let mut counted = 0;
        if !self.asked.staggered {
            for node in 0..self.first.len() as u32 {
                if self.wires.initiates[node as usize] {
                    let by = Move { node, link: START, mail: 0, left: 0 };
                    let after = self.after(&mut row, by);
                    counted += u64::from(after.map_err(|text| (Wrong::Panic(text), Vec::new()))?);
                }
            }
        }
        Ok((self.store.number(&row), counted))
    }

    /// Takes a move at the last row of several; how many of its messages count, or the handler's last
    /// words. The row is longer afterwards if a link is used for the first time.
    fn after(&mut self, rows: &mut Vec<u32>, by: Move) -> Result<u16, String> {
        let Move { node, link, mail, left } = by;
        let begin = rows.len() - self.first.len() - self.used;
        let row = &mut rows[begin..];
        let mut told = None;
        if link != START {
            row[self.columns[link as usize] as usize] = left;
            told = Some((self.wires.ends[link as usize].1, mail));
        }
        let before = row[node as usize];
        let number = self.steps.step(before, told)?;
        let effect = self.steps.effect(number);
        let (state, mut counted) = (effect.state, u64::from(effect.counted));
        row[node as usize] = state;
        if let Some(inert) = &mut self.inert {
            inert.see(before, number, state);
        }
        for place in 0..self.steps.effect(number).sent.len() {
            let (port, mail) = self.steps.effect(number).sent[place];
            let link = self.wires.place.link(node, port) as u32;
            if let Some(more) = self.idles(rows, begin, link, mail) {
                counted += more;
                continue;
            }
            let column = begin + self.column(rows, link);
            rows[column] = self.queues.with(rows[column], mail);
        }
        if self.inert.is_some() && state != before {
            counted += self.settle(rows, begin);
        }
        Ok(u16::try_from(counted).unwrap_or(u16::MAX))
    }

    /// The column of a link; the last row is longer afterwards if it is used for the first time.
    #[inline]
    fn column(&mut self, rows: &mut Vec<u32>, link: u32) -> usize {
        let column = &mut self.columns[link as usize];
        if *column == START {
            *column = (self.first.len() + self.used) as u32;
            self.used += 1;
            rows.push(0);
            self.store.widen(self.first.len() + self.used);
        }
        *column as usize
    }

    /// Takes everything from the links that became inert; how many messages follow from it that count.
    fn settle(&mut self, rows: &mut Vec<u32>, begin: usize) -> u64 {
        let mut counted = 0;
        for link in 0..self.columns.len() as u32 {
            let column = self.columns[link as usize];
            if column == START {
                continue;
            }
            let column = begin + column as usize;
            let (node, port) = self.wires.ends[link as usize];
            let state = rows[begin + node as usize];
            if let Some(inert) = &mut self.inert
                && inert.all_matter(&mut self.steps, state, port, rows[column], &self.queues)
            {
                continue;
            }
            let mut place = 0;
            while let Some(&mail) = self.queues.mails(rows[column]).get(place) {
                if let Some(more) = self.idles(rows, begin, link, mail) {
                    counted += more;
                    rows[column] = self.queues.without(rows[column], place);
                } else {
                    place += 1;
                }
            }
        }
        counted
    }

    /// How many messages that count follow from mail that is inert in the last row; `None` if it matters.
    fn idles(&mut self, rows: &mut Vec<u32>, begin: usize, link: u32, mail: u32) -> Option<u64> {
        let inert = self.inert.as_mut()?;
        self.idle.clear();
        self.idle.push((link, mail));
        let (mut counted, mut followed) = (0, 0);
        while let Some(&(link, mail)) = self.idle.get(followed) {
            followed += 1;
            let (node, port) = self.wires.ends[link as usize];
            let state = rows[begin + node as usize];
            let number = inert.effect(&mut self.steps, state, (port, mail))?;
            let effect = self.steps.effect(number);
            counted += u64::from(effect.counted);
            let link = |port| self.wires.place.link(node, port) as u32;
            self.idle.extend(effect.sent.iter().map(|&(port, mail)| (link(port), mail)));
            if self.idle.len() > MOST_IDLE {
                return None;
            }
        }
        self.left_out += 1;
        for followed in 0..self.idle.len() {
            self.column(rows, self.idle[followed].0);
        }
        Some(counted)
    }

    /// What may happen at a node in this row.
    fn moves_at(&mut self, row: &[u32], node: u32, moves: &mut Vec<Move>) {
        if self.asked.staggered
            && self.wires.initiates[node as usize]
            && !self.steps.is_awake(row[node as usize])
        {
            moves.push(Move { node, link: START, mail: 0, left: 0 });
        }
        for &link in &self.wires.into[node as usize] {
            let column = self.columns[link as usize];
            if column != START && row[column as usize] != 0 {
                for &(mail, left) in self.queues.leaving(row[column as usize]) {
                    moves.push(Move { node, link, mail, left });
                }
            }
        }
    }

    /// The node whose moves are enough, if there is one: those with the fewest moves first.
    ///
    /// Mail waits at the head of every link into it that anybody uses. Then nothing that happens
    /// elsewhere changes what may happen here, and the other way round, so that every schedule can be
    /// put into an order that begins with one of these moves, without a change in who receives what.
    fn enough(&mut self, row: &[u32]) -> Option<u32> {
        let mut best: Option<(usize, u32)> = None;
        for node in 0..self.first.len() as u32 {
            let mut moves = 0;
            let mut all_wait = true;
            for &link in &self.wires.into[node as usize] {
                let column = self.columns[link as usize];
                if column != START {
                    all_wait &= row[column as usize] != 0;
                    moves += 1;
                }
            }
            if all_wait {
                let starts = self.asked.staggered
                    && self.wires.initiates[node as usize]
                    && !self.steps.is_awake(row[node as usize]);
                moves += usize::from(starts);
                if moves > 0 && best.is_none_or(|(fewest, _)| moves < fewest) {
                    best = Some((moves, node));
                }
            }
        }
        best.map(|(_, node)| node)
    }

    /// All states that may come next; what went wrong, if a handler panicked.
    fn successors(
        &mut self,
        state: u32,
        reduced: bool,
        successors: &mut Vec<Next>,
    ) -> Result<(), (Move, String)> {
        let mut row = std::mem::take(&mut self.row);
        let mut moves = std::mem::take(&mut self.moves);
        self.store.row(state, &mut row);
        moves.clear();
        match if reduced { self.enough(&row) } else { None } {
            Some(node) => self.moves_at(&row, node, &mut moves),
            None => {
                (0..self.first.len() as u32).for_each(|node| self.moves_at(&row, node, &mut moves))
            }
        }
        let mut result = Ok(());
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        let (known, mut place) = (successors.len(), 0);
        while let Some(&by) = moves.get(place) {
            let used = self.used;
            rows.extend_from_slice(&row);
            match self.after(&mut rows, by) {
                // All rows are longer now.
                Ok(_) if self.used > used => {
                    row.resize(self.first.len() + self.used, 0);
                    rows.clear();
                    successors.truncate(known);
                    place = 0;
                }
                Ok(counted) => {
                    successors.push(Next { state: 0, counted, by });
                    place += 1;
                }
                Err(text) => {
                    rows.truncate(rows.len() - row.len());
                    result = Err((by, text));
                    break;
                }
            }
        }
        let mut unnumbered = successors[known..].iter_mut();
        self.store.numbers(&rows, |number| {
            unnumbered.next().expect("one of each").state = number;
        });
        self.rows = rows;
        self.row = row;
        self.moves = moves;
        result
    }

    /// The judge's word on a state in which nothing can happen any more.
    fn judge(&self, state: u32) -> Result<(), Violation> {
        let mut row = Vec::new();
        self.store.row(state, &mut row);
        self.steps.judge(self.asked.election, &row[..self.first.len()])
    }

    /// Whether to go on after so many states were looked at.
    fn look(&mut self, looked: u64) -> Result<(), Halt> {
        if looked.is_multiple_of(LOOK) {
            (self.met)(self.store.count() as u64);
            if self.asked.election.stop.is_asked() {
                return Err(Halt::Stopped);
            }
        }
        if looked.is_power_of_two()
            && let Some(inert) = &mut self.inert
        {
            if looked == TRIAL && self.left_out * WORTH < looked {
                self.inert = None;
                return Err(Halt::Mistaken);
            }
            // The sooner a mistake is seen, the less is gone through for nothing.
            if self.forgets && self.steps.machine().starts_matter() || !inert.holds(&mut self.steps)
            {
                return Err(Halt::Mistaken);
            }
        }
        let outgrown = self.store.count() as u64 > self.asked.most_states
            || self.bytes() as u64 > self.asked.memory;
        if outgrown { Err(Halt::Outgrown) } else { Ok(()) }
    }

    /// Follows every path to its end; the first state, and the messages on the way to it.
    fn depth_first(&mut self, reduced: bool) -> Result<(u32, u64), Halt> {
        let (root, counted) = self.begin().map_err(|(wrong, moves)| Halt::Found(wrong, moves))?;
        let links = self.used;
        let (mut nexts, mut path): (Vec<Next>, Vec<Frame>) = (Vec::new(), Vec::new());
        let mut enter = Some(root);
        let mut looked = 0;
        loop {
            if let Some(state) = enter.take() {
                looked += 1;
                self.look(looked)?;
                let frame = self.enter(state, reduced, &path, &mut nexts)?;
                if reduced && self.used > links {
                    return Err(Halt::Mistaken);
                }
                path.push(frame);
            }
            let Some(frame) = path.last_mut() else { return Ok((root, counted)) };
            let Some(&next) = nexts.get(frame.cursor) else {
                // All moves are followed.
                let Frame { state, first, rest, .. } = *frame;
                self.rest[state as usize] = rest;
                nexts.truncate(first);
                path.pop();
                if let Some(before) = path.last_mut() {
                    let Next { counted, .. } = nexts[before.cursor - 1];
                    before.rest.take(rest, counted);
                }
                continue;
            };
            frame.cursor += 1;
            match self.rest[next.state as usize] {
                NEW => enter = Some(next.state),
                OPEN => {
                    let begin = path.iter().position(|it| it.state == next.state).unwrap_or(0);
                    let states = path[begin..].iter().map(|frame| frame.state).collect();
                    return Err(Halt::Circle(so_far(&path, &nexts), states));
                }
                rest => frame.rest.take(rest, next.counted),
            }
        }
    }

    /// The next state on a path, with its moves behind those of the path.
    fn enter(
        &mut self,
        state: u32,
        reduced: bool,
        path: &[Frame],
        nexts: &mut Vec<Next>,
    ) -> Result<Frame, Halt> {
        let first = nexts.len();
        if let Err((by, text)) = self.successors(state, reduced, nexts) {
            let mut moves = so_far(path, nexts);
            moves.push(by);
            return Err(Halt::Found(Wrong::Panic(text), moves));
        }
        self.transitions += (nexts.len() - first) as u64;
        self.rest.resize(self.store.count(), NEW);
        let mut rest = Rest { min: u16::MAX, max: 0 };
        if nexts.len() == first {
            self.ended += 1;
            rest.min = 0;
            let judged = self.judge(state);
            judged.map_err(|it| Halt::Found(Wrong::Violation(it), so_far(path, nexts)))?;
        }
        if path.len() as u64 > self.limit + self.first.len() as u64 {
            let wrong = Wrong::Violation(Violation::TooManyMessages(self.limit));
            return Err(Halt::Found(wrong, so_far(path, nexts)));
        }
        self.rest[state as usize] = OPEN;
        Ok(Frame { state, first, cursor: first, rest })
    }

    /// A path from the first state to an end with the fewest or the most messages.
    fn path(&mut self, root: u32, reduced: bool, most: bool) -> Vec<Move> {
        let (mut state, mut moves, mut nexts) = (root, Vec::new(), Vec::new());
        loop {
            nexts.clear();
            if self.successors(state, reduced, &mut nexts).is_err() {
                return moves;
            }
            let rest = |state: u32| self.rest[state as usize].of(most);
            let is_on_it =
                |next: &&Next| rest(next.state).saturating_add(next.counted) == rest(state);
            let Some(next) = nexts.iter().find(is_on_it) else { return moves };
            moves.push(next.by);
            state = next.state;
        }
    }

    /// The schedule of these moves, with the place of each message on its link.
    fn schedule(&mut self, moves: &[Move]) -> Vec<Step> {
        let Search { wires, steps, first, inert, asked, .. } = self;
        let mut replay = Replay::new(wires, first.clone());
        let all_start = (0..first.len() as u32)
            .filter(|&node| !asked.staggered && wires.initiates[node as usize])
            .map(|node| Move { node, link: START, mail: 0, left: 0 });
        let moves = all_start.chain(moves.iter().copied());
        // Only the last step of a schedule can panic.
        let _ = follow(&mut replay, steps, moves, asked.fifo, inert.is_some());
        replay.schedule
    }

    /// The shortest schedule that fails, or the one that was found if no more can be said.
    fn shortened(&mut self, wrong: Wrong, moves: Vec<Move>, circle: &Circle) -> Ended {
        let states = self.store.count() as u64;
        if let Wrong::Violation(Violation::TooManyMessages(_)) = wrong {
            self.asked.most_states = self.asked.most_states.min(ENDLESS_STATES);
        }
        let inert = self.inert.take();
        let (wrong, moves, shortest) = match self.breadth_first(circle) {
            Ok(Some((wrong, moves))) => (wrong, moves, true),
            Ok(None) | Err(Halt::Outgrown) => {
                self.inert = inert;
                (wrong, moves, false)
            }
            Err(_) => return Ended::Stopped,
        };
        let schedule = self.schedule(&moves);
        Ended::Fault(Box::new(Fault { wrong, schedule, shortest, states }))
    }

    /// Looks at all states in the order of their distance, up to the first that fails or lies on the
    /// circle; what is wrong, and the moves that show it.
    fn breadth_first(&mut self, circle: &Circle) -> Result<Option<(Wrong, Vec<Move>)>, Halt> {
        // Who panics before the first delivery has no shorter way.
        let Ok((root, _)) = self.begin() else { return Ok(None) };
        let (mut parents, mut nexts) = (vec![root], Vec::new());
        let mut state = root;
        while (state as usize) < self.store.count() {
            self.look(u64::from(state) + 1)?;
            self.store.row(state, &mut self.row);
            if let Some(begin) = circle.rows.get(trimmed(&self.row)) {
                let mut moves = self.way(&parents, state);
                moves.extend(&circle.moves[*begin..]);
                moves.extend(&circle.moves[..*begin]);
                return Ok(Some((Wrong::Endless(circle.moves.len()), moves)));
            }
            nexts.clear();
            if let Err((by, text)) = self.successors(state, false, &mut nexts) {
                let mut moves = self.way(&parents, state);
                moves.push(by);
                return Ok(Some((Wrong::Panic(text), moves)));
            }
            parents.resize(self.store.count(), state);
            if nexts.is_empty()
                && let Err(violation) = self.judge(state)
            {
                return Ok(Some((Wrong::Violation(violation), self.way(&parents, state))));
            }
            state += 1;
        }
        Ok(None)
    }

    /// The moves from the first state to this one.
    fn way(&mut self, parents: &[u32], state: u32) -> Vec<Move> {
        let (mut state, mut moves, mut nexts) = (state, Vec::new(), Vec::new());
        while state != parents[state as usize] {
            let parent = parents[state as usize];
            nexts.clear();
            // What it leads to is known, so that no handler runs any more.
            let _ = self.successors(parent, false, &mut nexts);
            moves.extend(nexts.iter().find(|next| next.state == state).map(|next| next.by));
            state = parent;
        }
        moves.reverse();
        moves
    }
}

impl Rest {
    /// Takes what comes after a move into account.
    fn take(&mut self, after: Rest, counted: u16) {
        let most = MOST_MESSAGES as u16;
        self.min = self.min.min(after.min.saturating_add(counted).min(most));
        self.max = self.max.max(after.max.saturating_add(counted).min(most));
    }

    fn of(self, most: bool) -> u16 {
        if most { self.max } else { self.min }
    }
}

/// Takes these moves and, in between and at the end, what was left out of them because it is inert; `None`
/// if a handler panics.
fn follow(
    replay: &mut Replay<'_>,
    steps: &mut Steps,
    moves: impl Iterator<Item = Move>,
    fifo: bool,
    leaves_out_inert: bool,
) -> Option<()> {
    for Move { node, link, mail, .. } in moves {
        if link == START {
            replay.start(steps, node)?;
            continue;
        }
        let link = link as usize;
        let waits = |replay: &Replay<'_>| replay.links[link].iter().position(|&it| it == mail);
        // With FIFO links all that is ahead of it is inert.
        while fifo && waits(replay)? > 0 {
            replay.deliver(steps, link, 0)?;
        }
        replay.deliver(steps, link, waits(replay)?)?;
    }
    while leaves_out_inert && let Some(link) = replay.links.iter().position(|link| !link.is_empty())
    {
        replay.deliver(steps, link, 0)?;
    }
    Some(())
}

/// The moves that were followed up to here.
fn so_far(path: &[Frame], nexts: &[Next]) -> Vec<Move> {
    path.iter().map(|frame| nexts[frame.cursor - 1].by).collect()
}

/// States that follow each other in a circle.
#[derive(Debug, Default)]
struct Circle {
    /// The rows of the states, and the place of each in the circle.
    rows: HashMap<Vec<u32>, usize>,
    /// The moves from each to the next.
    moves: Vec<Move>,
}

/// A row without what columns that were not known yet would add.
fn trimmed(row: &[u32]) -> &[u32] {
    &row[..row.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1)]
}
