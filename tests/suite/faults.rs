//! Algorithms with any of several faults. The engines are compiled for every type, so an algorithm is one
//! type with all its faults: each participant asks which of them it has when it is made.

use std::cell::Cell;

use hustings::engine::machine::Machine;
use hustings::engine::{Entry, Simulator};
use hustings::model::election::{Election, Network};
use hustings::model::outcome::Outcome;
use hustings::model::topology::Graph;
use hustings::model::violation::Violation;
use hustings::prelude::*;

thread_local! {
    static FAULT: Cell<u8> = const { Cell::new(0) };
}

/// The fault of those who are made now, on this thread.
pub fn fault() -> u8 {
    FAULT.get()
}

/// From now on those who are made on this thread have this fault.
pub fn plant(fault: u8) {
    FAULT.set(fault);
}

/// The entry of an algorithm for rings with this fault.
pub fn on_rings<A, const FAULT: u8>() -> Entry
where
    A: Algorithm + Asynchronous<Message: Copy> + 'static,
{
    let mut entry = Entry::asynchronous::<A>();
    entry.simulator = || Planted::boxed(FAULT, &Entry::asynchronous::<A>());
    entry.machine = || machine(FAULT, &Entry::asynchronous::<A>());
    entry
}

/// The entry of an algorithm for graphs with this fault.
pub fn on_graphs<A: Algorithm + Asynchronous + 'static, const FAULT: u8>() -> Entry {
    let mut entry = Entry::graph::<A>();
    entry.simulator = || Planted::boxed(FAULT, &Entry::graph::<A>());
    entry.machine = || machine(FAULT, &Entry::graph::<A>());
    entry
}

/// Who makes a machine makes its participants at once.
fn machine(fault: u8, entry: &Entry) -> Box<dyn Machine> {
    plant(fault);
    (entry.machine)()
}

/// A simulator whose participants have a fault, on whatever thread each election is held.
struct Planted {
    fault: u8,
    simulator: Box<dyn Simulator>,
}

impl Planted {
    fn boxed(fault: u8, entry: &Entry) -> Box<dyn Simulator> {
        Box::new(Planted { fault, simulator: (entry.simulator)() })
    }
}

impl Simulator for Planted {
    fn run(
        &mut self,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        plant(self.fault);
        self.simulator.run(election, network)
    }

    fn run_on(
        &mut self,
        graph: &Graph,
        election: &Election<'_>,
        network: Option<&Network>,
    ) -> Result<Outcome, Violation> {
        plant(self.fault);
        self.simulator.run_on(graph, election, network)
    }
}
