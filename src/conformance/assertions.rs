//! The tests in one line each: they panic with what is wrong.

use super::kit::{DRAWN, Kit, LARGEST};
use super::network::Network;
use super::theorems::{self, census};
use super::trial::{Problem, Trial};
use crate::algorithm::Algorithm;
use crate::experiment::small;
use crate::model::process::{Asynchronous, Id, Synchronous};
use crate::model::random::{Key, Purpose};

/// Tests an algorithm on rings that needs no clock; panics with the smallest election that fails.
#[track_caller]
pub fn check<A: Algorithm + Asynchronous<Message: Copy> + 'static>() {
    Kit::asynchronous::<A>().run().unwrap_or_else(|failure| panic!("{failure}"));
}

/// Tests an algorithm on rings, in rounds; panics with the smallest election that fails.
#[track_caller]
pub fn check_in_rounds<A: Algorithm + Synchronous<Message: Copy> + 'static>() {
    Kit::synchronous::<A>().run().unwrap_or_else(|failure| panic!("{failure}"));
}

/// Tests an algorithm on trees or graphs, as its model says; panics with the smallest election that
/// fails.
#[track_caller]
pub fn check_on_graphs<A: Algorithm + Asynchronous + 'static>() {
    Kit::graph::<A>().run().unwrap_or_else(|failure| panic!("{failure}"));
}

/// No ring of these sizes may need more messages than the formula says, in rounds and with everybody
/// starting: all rings up to 7 nodes, a thousand random ones and the worst known beyond.
#[track_caller]
pub fn assert_bound<A: Algorithm + Synchronous<Message: Copy> + 'static>(
    sizes: impl IntoIterator<Item = u32>,
    formula: &str,
) {
    let kit = Kit::synchronous::<A>().bound(formula).unwrap_or_else(|error| panic!("{error}"));
    let in_rounds = |(n, ids)| Trial::in_rounds(Network::ring(n), ids);
    let rings = |n| sample_rings(&kit, n).into_iter().map(move |ids| (n, ids));
    let trials = sizes.into_iter().flat_map(rings).map(in_rounds);
    kit.hold(&mut kit.subject(), trials).unwrap_or_else(|failure| panic!("{failure}"));
}

/// All small rings; many large ones.
fn sample_rings(kit: &Kit, n: u32) -> Vec<Vec<Id>> {
    let first = kit.entry().first_dense_id();
    if n <= theorems::LARGEST {
        return small::rings(n, first);
    }
    let key = Key::new(1, "conformance", u64::from(n), "", "");
    let dense: Vec<Id> = (first..).take(n as usize).collect();
    let drawn = (0..DRAWN).map(|run| {
        let mut ids = dense.clone();
        key.stream(run, Purpose::Ring).shuffle(&mut ids);
        ids
    });
    let worst = (kit.entry().worst_ring)(n);
    let worst = worst.map(|ranks| ranks.iter().map(|&rank| dense[rank as usize]).collect());
    drawn.chain(worst).collect()
}

/// No tree or graph of these sizes may need more messages than the formula in `n`, `edges`, `leaves`,
/// `diameter` and `initiators` says, whoever starts and however late messages arrive: all networks up
/// to 5 nodes, a thousand drawn ones of each size beyond.
#[track_caller]
pub fn assert_bound_on_graphs<A: Algorithm + Asynchronous + 'static>(
    sizes: impl IntoIterator<Item = u32>,
    formula: &str,
) {
    let kit = Kit::graph::<A>().bound(formula).unwrap_or_else(|error| panic!("{error}"));
    let (mut subject, trials) = (kit.subject(), kit.trials());
    for n in sizes {
        let held = match n <= LARGEST {
            true => kit.hold(&mut subject, trials.small(n)),
            false => kit.hold(&mut subject, trials.drawn_of(n, DRAWN)),
        };
        held.unwrap_or_else(|failure| panic!("{failure}"));
    }
}

/// The mean over all rings of `n` nodes, in rounds and with everybody starting, must be this.
#[track_caller]
pub fn assert_mean<A: Algorithm + Synchronous<Message: Copy> + 'static>(n: u32, expected: f64) {
    let kit = Kit::synchronous::<A>();
    let mean = census(kit.entry(), n).unwrap_or_else(|error| panic!("{error}")).mean;
    let near = (mean.as_f64() - expected).abs() <= 1e-9 * expected.abs();
    assert!(near, "{}: the mean over all rings of {n} is {mean}, not {expected}", A::NAME);
}

/// An election on this ring, in rounds and with everybody starting, must take so many messages.
#[track_caller]
pub fn assert_messages<A: Algorithm + Synchronous<Message: Copy> + 'static>(
    ids: &[Id],
    expected: u64,
) {
    let network = Network::ring(ids.len() as u32);
    takes(&Kit::synchronous::<A>(), network, ids, expected);
}

/// An election on the tree or graph of these edges, in rounds and with everybody starting, must take
/// so many messages. Nodes are numbered from 0, as the IDs stand.
#[track_caller]
pub fn assert_messages_on<A: Algorithm + Asynchronous + 'static>(
    edges: &[(u32, u32)],
    ids: &[Id],
    expected: u64,
) {
    let network = Network::checked(ids.len() as u32, edges);
    let network = network.unwrap_or_else(|error| panic!("{error}"));
    takes(&Kit::graph::<A>(), network, ids, expected);
}

#[track_caller]
fn takes(kit: &Kit, network: Network, ids: &[Id], expected: u64) {
    let mut subject = kit.subject();
    let trial = Trial::in_rounds(network, ids.to_vec());
    let problem = match subject.hold(&trial) {
        Ok(Some(messages)) if messages == expected => return,
        Ok(Some(messages)) => Problem::Expected(format!("{messages} messages, not {expected}")),
        Ok(None) => Problem::Expected("no 64-bit clock can follow it".to_owned()),
        Err(problem) => problem,
    };
    panic!("{}", kit.told(&mut subject, trial, problem));
}
