//! Elections whose mail commutes, of which one schedule says everything: whoever is taken for one must
//! be one, and whoever elects wrongly is found as before.

use std::collections::BTreeSet;
use std::sync::Arc;

use hustings::algorithm::On;
use hustings::engine::explore::{Ended, Explored, Fault, Wrong};
use hustings::engine::trace::Stage;
use hustings::experiment::schedules::{Instance, Schedules, Sets, Sites};
use hustings::experiment::timing::Initiators;
use hustings::model::stop::NEVER;
use hustings::model::violation::Violation;
use hustings::prelude::*;

use crate::common::find;
use crate::faults::{self, on_graphs};

/// Links that keep the order of messages or not, and starts before the first delivery or whenever.
const WAYS: [(bool, bool); 4] = [(true, false), (true, true), (false, false), (false, true)];

/// Every schedule where everybody starts, by one of them if mail commutes.
fn reduced(entry: &Arc<Entry>, sites: Sites, (fifo, staggered): (bool, bool)) -> Schedules {
    let (algorithm, sets) = (entry.clone(), Sets::Named(Initiators::All));
    Schedules { algorithm, sites, sets, fifo, staggered, reduced: true, memory: 1 << 30 }
}

fn explore(asked: &Schedules) -> Vec<(Instance, Result<Explored, Ended>)> {
    let instances = asked.instances().expect("elections").into_iter();
    instances.map(|it| (it.clone(), asked.explore(&it, &NEVER, &|_| {}))).collect()
}

/// Everybody tells its ID to everybody and leads if it hears of none larger; with a twist or without.
#[derive(Debug, Clone, PartialEq)]
struct Poll {
    twist: u8,
    id: Id,
    n: u64,
    degree: usize,
    heard: BTreeSet<Id>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Word {
    Mine(Id),
    Thanks,
}

kinds! {
    Word {
        Mine: "mine", |w| w.id;
        Thanks: "thanks", |_| 0;
    }
}

const PLAIN: u8 = 0;
/// The second largest leads.
const WRONG: u8 = 1;
/// Everybody is thanked.
const THANKS_ALL: u8 = 2;
/// Who is heard first is thanked: the number of messages does not show it, but who gets them does.
const THANKS_THE_FIRST: u8 = 3;
/// As if thanks could not come before one's own word, which is so in every schedule.
const SURE_OF_ITSELF: u8 = 4;
/// Who did not start by itself is thankful.
const THANKS_IF_WOKEN: u8 = 5;
/// Asks how it began, and does nothing with the answer.
const CURIOUS: u8 = 6;
/// Follows the last that it heard, and leads only after the smallest.
const LAST_WORD: u8 = 7;

impl Process for Poll {
    type Message = Word;

    fn new(local: &Local) -> Self {
        let &Local { id, n, degree, .. } = local;
        Poll { twist: faults::fault(), id, n, degree, heard: BTreeSet::new() }
    }
}

impl Asynchronous for Poll {
    fn start(&mut self, out: &mut impl Outbox<Word>) {
        self.heard.insert(self.id);
        (0..self.degree).for_each(|port| out.send(port, Word::Mine(self.id)));
    }

    fn receive(&mut self, from: Port, word: Word, out: &mut impl Outbox<Word>) {
        assert!(self.twist != SURE_OF_ITSELF || word != Word::Thanks || !self.heard.is_empty());
        if self.heard.is_empty() {
            Asynchronous::start(self, out);
        }
        let Word::Mine(id) = word else { return };
        let thanks = match self.twist {
            THANKS_ALL | SURE_OF_ITSELF => true,
            THANKS_THE_FIRST => self.heard.len() == 1,
            THANKS_IF_WOKEN => !out.started(),
            CURIOUS => {
                let _ = out.started();
                false
            }
            _ => false,
        };
        out.send_if(thanks, from, Word::Thanks);
        self.heard.insert(id);
        if self.heard.len() as u64 == self.n {
            let winner = self.heard.iter().rev().nth(usize::from(self.twist == WRONG));
            let leads = winner == Some(&self.id) && (self.twist != LAST_WORD || id == 1);
            if leads {
                out.lead();
            }
            out.follow_if(!leads);
        }
    }
}

impl Algorithm for Poll {
    const NAME: &'static str = "poll";
    const SUMMARY: &'static str = "everybody tells its ID to everybody";
    const SOURCE: &'static str = "here";
    const MODEL: Model =
        Model { on: On::Graphs, knows_n: true, ..Model::electing(Elects::LargestId) };
}

fn poll<const TWIST: u8>(way: (bool, bool)) -> Schedules {
    let entry = Arc::new(on_graphs::<Poll, TWIST>());
    reduced(&entry, Sites::Orders(Topology::Complete, 3), way)
}

/// In how many elections mail commutes, of how many; all schedules elect, and leaving some out changes
/// no extreme.
fn commuting<const TWIST: u8>(way: (bool, bool)) -> (usize, usize) {
    let asked = poll::<TWIST>(way);
    let plain = explore(&Schedules { reduced: false, ..asked.clone() });
    let reduced = explore(&asked);
    let mut commuting = 0;
    for ((instance, plain), (_, reduced)) in plain.iter().zip(&reduced) {
        let (Ok(plain), Ok(reduced)) = (plain, reduced) else { panic!("{instance:?}: {plain:?}") };
        let extremes = |found: &Explored| (found.min.messages, found.max.messages);
        assert_eq!(extremes(plain), extremes(reduced), "{instance:?}");
        commuting += usize::from(reduced.commutes);
    }
    (commuting, reduced.len())
}

#[test]
fn who_hears_of_everybody_need_not_care_in_which_order() {
    for way in WAYS {
        assert_eq!(commuting::<PLAIN>(way), (1, 1));
        assert_eq!(commuting::<THANKS_ALL>(way), (1, 1));
    }
}

#[test]
fn what_is_sent_must_not_depend_on_the_order_nor_what_is_known() {
    for (fifo, staggered) in WAYS {
        let way = (fifo, staggered);
        assert_eq!(commuting::<THANKS_THE_FIRST>(way), (0, 1));
        // Asleep it panics in an order that no schedule has, and nobody hears of it.
        assert_eq!(commuting::<SURE_OF_ITSELF>(way), (usize::from(!staggered), 1));
    }
}

#[test]
fn who_asks_how_it_began_is_no_case_for_it_where_that_depends_on_the_schedule() {
    for (fifo, staggered) in WAYS {
        let expected = (usize::from(!staggered), 1);
        assert_eq!(commuting::<THANKS_IF_WOKEN>((fifo, staggered)), expected);
        assert_eq!(commuting::<CURIOUS>((fifo, staggered)), expected);
    }
    let late = explore(&poll::<THANKS_IF_WOKEN>((true, true)));
    let late = late[0].1.as_ref().expect("an election");
    assert!(late.min.messages < late.max.messages);
    // Only who starts may win here, and who starts depends on the schedule.
    for (_, found) in
        explore(&reduced(find("chang-roberts"), Sites::Orders(Topology::Ring, 4), (true, true)))
    {
        assert!(!found.expect("an election").commutes);
    }
}

fn fault(asked: &Schedules) -> Fault {
    match explore(asked).remove(0).1 {
        Err(Ended::Fault(fault)) => *fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_elects_wrongly_is_shown_by_the_shortest_schedule_as_before() {
    for way in WAYS {
        for asked in [poll::<WRONG>(way), poll::<LAST_WORD>(way)] {
            let (plain, reduced) =
                (fault(&Schedules { reduced: false, ..asked.clone() }), fault(&asked));
            assert!(reduced.shortest);
            assert_eq!(reduced.wrong, plain.wrong);
            assert_eq!(reduced.schedule.len(), plain.schedule.len());
        }
        let wrong = fault(&poll::<WRONG>(way)).wrong;
        assert!(
            matches!(wrong, Wrong::Violation(Violation::WrongLeader { elected: 2, .. })),
            "{wrong}"
        );
    }
}

#[test]
fn probing_commutes_on_large_rings_and_takes_the_messages_of_rounds() {
    for name in ["hirschberg-sinclair", "k-neighbour"] {
        for n in [5, 6, 16, 32] {
            // A ring without a pattern: the powers of 3 after each other, as far as they differ.
            let mut ids: Vec<Id> = Vec::new();
            let powers = std::iter::successors(Some(1), |power| Some(power * 3 % 101));
            powers.take(n).for_each(|id| ids.push(id));
            for way in WAYS {
                let asked = reduced(find(name), Sites::Given(Topology::Ring, ids.clone()), way);
                let sets = Sets::Named(Initiators::At([(1, 0), (3, 0)].into()));
                for asked in [Schedules { sets, ..asked.clone() }, asked] {
                    let (instance, found) = explore(&asked).remove(0);
                    let found = found.expect("an election");
                    assert!(found.commutes, "{name}, n = {n}");
                    let in_rounds = instance.in_rounds(find(name), &NEVER).expect("an election");
                    assert_eq!(found.min, found.max);
                    assert_eq!(found.min.messages, in_rounds, "{name}, n = {n}");
                    instance.hold(&NEVER, |election| {
                        let mut stage = Stage::new(&asked.algorithm, None, election);
                        stage.follow(&found.min.schedule);
                        assert_eq!(stage.outcome().expect("an election").messages, in_rounds);
                    });
                }
            }
        }
    }
}
