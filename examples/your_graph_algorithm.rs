//! Your own algorithm for any connected network on the whole command line: a roll call.
//!
//! ```text
//! cargo run --example your_graph_algorithm -- elect --algorithm roll-call --topology grid --n 12
//! ```
//!
//! `docs/your-algorithm.md` goes through it step by step.

use std::collections::BTreeSet;
use std::process::ExitCode;

use hustings::prelude::*;

/// The state of one node.
#[derive(Debug, Clone, PartialEq)]
struct RollCall {
    id: Id,
    n: u64,
    degree: usize,
    heard: BTreeSet<Id>,
}

/// An ID on its way to everybody.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Call(Id);

impl Message for Call {
    const KINDS: Kinds = Kinds::new(&["call"]);

    fn kind(&self) -> usize {
        0
    }

    fn field_bits(_kind: usize, widths: &Widths) -> u64 {
        widths.id
    }
}

impl Process for RollCall {
    type Message = Call;

    fn new(local: &Local) -> Self {
        RollCall { id: local.id, n: local.n, degree: local.degree, heard: BTreeSet::new() }
    }

    /// The largest of all, as soon as all have been heard.
    fn leader(&self) -> Option<Id> {
        if self.heard.len() as u64 == self.n { self.heard.last().copied() } else { None }
    }
}

impl RollCall {
    fn hear(&mut self, q: Id, from: Option<Port>, out: &mut impl Outbox<Call>) {
        if !self.heard.insert(q) {
            return;
        }
        for port in (0..self.degree).filter(|&port| Some(port) != from) {
            out.send(port, Call(q));
        }
        match self.leader() {
            Some(leader) if leader == self.id => out.lead(),
            Some(_) => out.follow(),
            None => {}
        }
    }
}

impl Asynchronous for RollCall {
    fn start(&mut self, out: &mut impl Outbox<Call>) {
        self.hear(self.id, None, out);
    }

    fn receive(&mut self, from: Port, Call(q): Call, out: &mut impl Outbox<Call>) {
        // The first mail wakes a sleeper, who then calls itself.
        self.hear(self.id, None, out);
        self.hear(q, Some(from), out);
    }
}

impl Algorithm for RollCall {
    const NAME: &'static str = "roll-call";
    const SUMMARY: &'static str = "every ID floods the network until everybody has heard all n";
    const SOURCE: &'static str = "LeLann 1977, with floods for laps";
    const MODEL: Model = Model {
        on: On::Graphs,
        knows_n: true,
        announces: true,
        ..Model::electing(Elects::LargestId)
    };

    /// Everybody sends every ID over all its links but the one that it came by first; N - 1 nodes
    /// have such a link.
    fn facts(case: &Case) -> Facts {
        let (n, edges) = (u128::from(case.n), u128::from(case.shape.edges));
        Facts::constant(n * (2 * edges + 1 - n), "N(2E - N + 1)", Self::SOURCE)
    }
}

/// All verbs of `hustings`, and one algorithm more.
fn main() -> ExitCode {
    hustings::cli::run(Registry::standard().with(Entry::graph::<RollCall>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_elects_on_every_small_graph() {
        conformance::check_on_graphs::<RollCall>();
    }

    #[test]
    fn its_floods_are_counted() {
        conformance::assert_bound_on_graphs::<RollCall>([2, 3, 8], "n*(2*edges - n + 1)");
        conformance::assert_messages_on::<RollCall>(&[(0, 1), (1, 2), (2, 0)], &[3, 1, 2], 12);
    }
}
