//! Your own algorithm, measured: Chang and Roberts' election, but anticlockwise.
//!
//! ```text
//! cargo run --example your_algorithm
//! ```

use hustings::algorithm::{Algorithm, Elects, Model};
use hustings::process::*;
use hustings::random::{Key, Purpose};
use hustings::simulate::synchronous::Synchronous as Network;
use hustings::simulate::{Election, Starts, Violation};
use hustings::theory::harmonic;

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
}

const N: u64 = 100;
const RUNS: u64 = 1000;

fn main() -> Result<(), Violation> {
    let mut network = Network::<Anticlockwise>::new();
    // The engine judges every run: exactly one leader, the right one, everybody else decided.
    let mut messages = |ids: &[Id]| {
        let election = Election { ids, starts: &Starts::All, limit: 2 * N * N, coins: 0 };
        network.run(&election).map(|outcome| outcome.messages)
    };

    let mut ids: Vec<Id> = (1..=N).collect();
    assert_eq!(messages(&ids)?, N * (N + 1) / 2, "ascending is the worst ring");
    ids.reverse();
    assert_eq!(messages(&ids)?, 2 * N - 1, "descending is the best ring");

    let key = Key::new(1, "ring", N, "random", "dense");
    let mut total = 0;
    for run in 0..RUNS {
        key.stream(run, Purpose::Ring).shuffle(&mut ids);
        total += messages(&ids)?;
    }
    let (mean, theory) = (total as f64 / RUNS as f64, N as f64 * harmonic(N));
    println!("n = {N}, {RUNS} random rings: {mean:.1} messages on average, n H_n = {theory:.1}");
    // The standard deviation is just below 0.6 n, so this is four standard errors.
    assert!((mean - theory).abs() < 4.0 * 0.6 * N as f64 / (RUNS as f64).sqrt());
    Ok(())
}
