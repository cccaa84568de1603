//! Rings without IDs, where coins break the symmetry, and the ring whose messages say nothing.

use hustings::algorithm::ring::ItaiRodeh;
use hustings::engine::enumerate::{Rings, Starters};
use hustings::experiment::error::Error;
use hustings::model::delay::Delay;
use hustings::model::election::{Election, Network, Starts};
use hustings::model::outcome::Outcome;
use hustings::model::stop::NEVER;
use hustings::model::theory::Case;
use hustings::prelude::*;
use hustings::statistics::moments::Moments;

use crate::common::{
    LIMIT, dense, every_order, every_ring, find, mixed_network, starts_of, verdict, words,
};

/// The rings without IDs.
const ANONYMOUS: [&str; 3] = ["itai-rodeh", "fokkink-pang", "probabilistic-franklin"];

/// An election with these coins.
fn toss(
    simulator: &mut dyn Simulator,
    ids: &[Id],
    starts: &Starts,
    coins: u64,
    network: Option<&Network>,
) -> Outcome {
    let election = Election { ids, starts, limit: LIMIT, coins, stop: &NEVER };
    let outcome = simulator.run(&election, network);
    outcome.unwrap_or_else(|violation| panic!("{violation}: {ids:?}, {starts:?}, coins {coins}"))
}

/// The mean messages of so many elections of `n` nodes that all have the same ID, against the exact
/// mean: more than 4.5 standard errors away with probability 7e-6, at a fixed seed.
fn assert_mean(entry: &Entry, n: usize, initiators: u64, runs: u64) {
    let facts = (entry.facts)(&Case::ring(n as u64, Some(initiators)));
    let exact = facts.mean.expect("known").value.as_f64();
    let starts = starts_of((1 << initiators) - 1);
    let (mut simulator, mut moments) = ((entry.simulator)(), Moments::new());
    let mut coins = words(&entry.name, n as u64);
    for run in 0..runs {
        let outcome = toss(simulator.as_mut(), &vec![7; n], &starts, coins.word(), None);
        moments.push(run, outcome.messages);
    }
    let (mean, error) = moments.mean().zip(moments.standard_error()).expect("more runs than one");
    let is_near = (mean - exact).abs() < 4.5 * error + 1e-9;
    assert!(is_near, "{}, n = {n}: {mean} ± {error}, not {exact}", entry.name);
}

/// 26 cells: one of them strays with probability 0.0002.
#[test]
fn measured_means_are_the_exact_ones() {
    (2..=8).for_each(|n| assert_mean(find("itai-rodeh"), n, n as u64, 100_000));
    (2..=6).for_each(|n| assert_mean(find("probabilistic-franklin"), n, n as u64, 50_000));
    for (n, initiators) in [(5, 1), (5, 3), (8, 2)] {
        ANONYMOUS.iter().for_each(|name| assert_mean(find(name), n, initiators, 10_000));
    }
    for n in [3, 8] {
        assert_mean(&Entry::asynchronous::<ItaiRodeh<2, 0>>(), n, n as u64, 20_000);
        assert_mean(&Entry::asynchronous::<ItaiRodeh<2, 1>>(), n, n as u64, 20_000);
    }
    assert_mean(&Entry::asynchronous::<ItaiRodeh<1, 2>>(), 8, 8, 20_000);
}

#[test]
fn nobody_reads_its_id() {
    for name in ANONYMOUS {
        let mut simulator = (find(name).simulator)();
        let mut held = |ids: &[Id], coins: u64| {
            let network = coins.is_multiple_of(3).then(|| mixed_network(true, coins));
            let outcome = toss(simulator.as_mut(), ids, &Starts::All, coins << 8, network.as_ref());
            Outcome { leader: None, ..outcome }
        };
        for coins in 0..200 {
            let expected = held(&[1, 2, 3, 4, 5, 6], coins);
            for other in [[6, 2, 5, 1, 4, 3], [9; 6], [0, u64::MAX, 7, 1 << 40, 3, 2]] {
                assert_eq!(held(&other, coins), expected, "{name}, coins {coins}");
            }
        }
    }
}

/// A node of a ring whose links keep the order reads the same whatever the delays: the counts and
/// the winner are those in rounds.
#[test]
fn no_delay_changes_a_count_if_links_keep_the_order() {
    let ids = [1, 2, 3, 4, 5, 6, 7];
    for name in ANONYMOUS {
        let mut simulator = (find(name).simulator)();
        for run in 0..500 {
            let starts = if run % 2 == 0 { Starts::All } else { starts_of(0b101_1001) };
            let coins = run << 8;
            let in_rounds = toss(simulator.as_mut(), &ids, &starts, coins, None);
            let network = mixed_network(true, run);
            let delayed = toss(simulator.as_mut(), &ids, &starts, coins, Some(&network));
            let of = |it: &Outcome| (it.leader, it.messages, it.rounds, it.max_node_messages);
            assert_eq!(of(&delayed), of(&in_rounds), "{name}, run {run}");
        }
    }
}

#[test]
fn round_numbers_save_nothing_where_links_keep_the_order() {
    let [mut with, mut without] =
        ["itai-rodeh", "fokkink-pang"].map(|name| (find(name).simulator)());
    for run in 0..500 {
        let ids: Vec<Id> = (1..=1 + run % 9).collect();
        let [with, without] = [&mut with, &mut without]
            .map(|it| toss(it.as_mut(), &ids, &Starts::All, run << 8, None));
        assert!(without.bits < with.bits);
        assert_eq!(Outcome { bits: 0, ..with }, Outcome { bits: 0, ..without }, "run {run}");
    }
}

/// With round numbers a token may overtake another: exactly one leads all the same.
#[test]
fn itai_rodeh_copes_with_any_order() {
    let mut simulator = (find("itai-rodeh").simulator)();
    for run in 0..3000 {
        let starts = if run % 2 == 0 { Starts::All } else { starts_of(0b01011) };
        let network = mixed_network(false, run);
        toss(simulator.as_mut(), &[1, 2, 3, 4, 5], &starts, run << 8, Some(&network));
    }
}

#[test]
fn who_flips_coins_cannot_be_gone_through() {
    for entry in crate::common::REGISTRY.entries().iter().filter(|it| it.model.flips_coins) {
        let error = Rings::new(entry, 4, Starters::All).expect_err("coins").to_string();
        let expected = "its participants flip coins, so the ring does not settle the messages";
        assert!(error.contains(expected) && error.contains("hustings run"), "{error}");
    }
}

/// Every delay of the library, with links that keep the order and without.
fn networks() -> Vec<Option<Network>> {
    let all = Delay::SAMPLES.into_iter().flat_map(|delay| [(delay, true), (delay, false)]);
    let delayed = all.map(|(delay, fifo)| Some(crate::common::network(delay, fifo, 1)));
    std::iter::once(None).chain(delayed).collect()
}

/// That no pulse comes after halting is asserted by the process.
#[test]
fn pulses_are_as_many_as_ids_are_large_whatever_the_schedule() {
    let entry = find("content-oblivious");
    let (mut simulator, networks) = ((entry.simulator)(), networks());
    let mut check = |ids: &[Id], starts: &Starts| {
        let (n, largest) = (ids.len() as u64, ids.iter().copied().max().expect("a ring"));
        for network in &networks {
            let outcome = verdict(simulator.as_mut(), ids, starts, network.as_ref());
            let outcome = outcome.unwrap_or_else(|it| panic!("{it}: {ids:?} {starts:?}"));
            assert_eq!(outcome.leader, Some(largest), "{ids:?} {starts:?}");
            assert_eq!(outcome.kinds[..2], [n * largest, n * (largest + 1)], "{ids:?}");
            assert_eq!(outcome.max_node_messages, 2 * largest + 1, "{ids:?}");
        }
    };
    for n in 1..=5 {
        every_ring(n, |ranks| {
            let ids = dense(entry, ranks);
            check(&ids, &Starts::All);
            (1..1 << n).for_each(|set| check(&ids, &starts_of(set)));
        });
    }
    every_order(3, |ranks| {
        let ids: Vec<Id> = ranks.iter().map(|&rank| [3, 7, 11][rank as usize]).collect();
        check(&ids, &Starts::All);
        check(&ids, &Starts::at([(0, 0), (2, 5)]));
        check(&ids, &Starts::at([(1, 3), (2, 0)]));
    });
}

#[test]
fn theory_counts_the_pulses_of_all_rings() {
    let entry = find("content-oblivious");
    for n in 1..=8 {
        let rings = Rings::new(entry, n, Starters::All).expect("small");
        let census = rings.census(&NEVER, &|_| {}).expect("elections");
        let wide = u64::from(n);
        assert_eq!(
            census.messages.iter().collect::<Vec<_>>(),
            [(wide * (2 * wide + 1), census.rings)]
        );
        let facts = (entry.facts)(&Case::all(wide));
        let named = facts.named();
        let values = named.map(|(_, fact)| fact.expect("known").value.as_f64());
        let pulses = (wide * (2 * wide + 1)) as f64;
        assert_eq!(values, [pulses, pulses, pulses, 0.0]);
    }
}

#[test]
fn ids_that_nobody_can_count_to_are_refused() {
    let entry = find("content-oblivious");
    let refused = |setting: Setting| Cell::new(entry, setting).expect_err("too large").to_string();
    let text = refused(Setting { ids: Ids::Sparse, ..Setting::of(5) });
    assert!(text.contains("ids = sparse: content-oblivious counts up to its IDs"), "{text}");
    assert!(text.contains("use dense"), "{text}");
    let text = refused(Setting::given(vec![0, 1, 2]));
    assert!(text.contains("ids = 0:") && text.contains("use IDs from 1 on"), "{text}");
    // 3 nodes may send 1168 messages: 389 each, so 194 on either side.
    let text = refused(Setting::given(vec![195, 1, 2]));
    assert!(text.contains("exceeds 1168 messages; use IDs up to 194"), "{text}");
    for (largest, limit) in [(194, None), (10_000, Some(60_003))] {
        let setting = Setting { limit, ..Setting::given(vec![largest, 1, 2]) };
        let cell = Cell::new(entry, setting).expect("small enough");
        let mut runs = cell.prepare(1).expect("small");
        let outcome: Result<Outcome, Error> = runs.simulate(0, (entry.simulator)().as_mut());
        assert_eq!(outcome.expect("an election").messages, 3 * (2 * largest + 1));
    }
}
