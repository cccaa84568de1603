//! Your own algorithm on the whole command line: Chang and Roberts' election, but anticlockwise.
//!
//! ```text
//! cargo run --example your_algorithm -- elect --algorithm anticlockwise --n 12
//! ```
//!
//! `docs/your-algorithm.md` goes through it step by step.

use std::process::ExitCode;

use hustings::prelude::*;

/// The state of one node.
#[derive(Debug, Clone, PartialEq)]
struct Anticlockwise {
    id: Id,
}

/// An ID on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate(Id);

impl Message for Candidate {
    const KINDS: Kinds = Kinds::new(&["id"]);

    fn kind(&self) -> usize {
        0
    }

    fn field_bits(_kind: usize, widths: &Widths) -> u64 {
        widths.id
    }
}

impl Process for Anticlockwise {
    type Message = Candidate;

    fn new(local: &Local) -> Self {
        Anticlockwise { id: local.id }
    }
}

impl Asynchronous for Anticlockwise {
    fn start(&mut self, out: &mut impl Outbox<Candidate>) {
        out.send(PREV, Candidate(self.id));
    }

    fn receive(&mut self, _from: Port, Candidate(q): Candidate, out: &mut impl Outbox<Candidate>) {
        if q == self.id {
            out.lead();
        } else if q > self.id || !out.started() {
            out.follow();
            out.send(PREV, Candidate(q));
        }
    }
}

impl Algorithm for Anticlockwise {
    const NAME: &'static str = "anticlockwise";
    const SUMMARY: &'static str = "an ID travels anticlockwise until it meets a larger initiator";
    const SOURCE: &'static str = "Chang and Roberts 1979, mirrored";
    const MODEL: Model = Model::electing(Elects::LargestInitiator);

    /// What theory says, so that every table sets it beside the measurement. All of it may be left
    /// out.
    fn facts(case: &Case) -> Facts {
        let Some(k) = case.initiators else { return Facts::default() };
        let n = u128::from(case.n);
        Facts {
            mean: Some(Fact::real(n as f64 * harmonic(k), "n H_k", Self::SOURCE)),
            worst: case.is_all().then(|| Fact::whole(n * (n + 1) / 2, "n(n+1)/2", Self::SOURCE)),
            ..Facts::default()
        }
    }
}

/// All verbs of `hustings`, and one algorithm more.
fn main() -> ExitCode {
    hustings::cli::run(Registry::standard().with(Entry::asynchronous::<Anticlockwise>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_elects_on_every_small_ring() {
        conformance::check::<Anticlockwise>();
    }

    #[test]
    fn it_keeps_its_bounds() {
        conformance::assert_bound::<Anticlockwise>(1..=7, "n*(n+1)/2");
        conformance::assert_mean::<Anticlockwise>(4, 25.0 / 3.0);
        conformance::assert_messages::<Anticlockwise>(&[3, 2, 1], 5);
    }
}
