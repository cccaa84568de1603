//! The impossibility made visible: without IDs everybody stays alike.
//!
//! D. Angluin, "Local and global properties in networks of processors", STOC 1980.
//!
//! | | |
//! |-|-|
//! | Model | synchronous unidirectional ring, no IDs, everybody starts at 0 |
//! | Elects | nobody: if one led, all would |
//! | Cost | n messages until all have declared themselves |
//!
//! Chang-Roberts, but all IDs are equal. The engine compares all states after every round; that
//! they never differ is the verdict of the run.
//!
//! ```text
//! everybody:      send <id, 0>
//! on <id, 0>:     my own ID has come home, it seems: lead - and so do all others
//! ```

use super::chang_roberts::{Candidate, ChangRoberts};
use crate::algorithm::{Algorithm, Elects, Model};
use crate::model::metric::Metric;
use crate::model::process::{Asynchronous, Clock, Id, Local, Port, Process, Synchronous};
use crate::model::theory::{Case, Facts};

/// The state of one participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Anonymous(ChangRoberts);

/// What everybody is called.
const NOBODY: Id = 0;

impl Process for Anonymous {
    type Message = Candidate;

    fn new(local: &Local) -> Self {
        Anonymous(ChangRoberts::new(&Local { id: NOBODY, ..*local }))
    }
}

impl Synchronous for Anonymous {
    fn start(&mut self, out: &mut impl Clock<Candidate>) {
        Asynchronous::start(&mut self.0, out);
    }

    fn receive(&mut self, from: Port, message: Candidate, out: &mut impl Clock<Candidate>) {
        Asynchronous::receive(&mut self.0, from, message, out);
    }
}

impl Algorithm for Anonymous {
    const NAME: &'static str = "anonymous";
    const SUMMARY: &'static str = "without IDs all stay alike: no election is possible";
    const SOURCE: &'static str = "Angluin 1980";
    const FILE: &'static str = include_str!("anonymous.rs");
    const MODEL: Model =
        Model { anonymous: true, needs_all: true, ..Model::electing(Elects::Nobody).clockwise() };

    fn facts(case: &Case) -> Facts {
        Facts::constant(u128::from(case.n), "n", Self::SOURCE)
    }

    fn facts_of(metric: Metric, _case: &Case) -> Facts {
        match metric {
            Metric::End | Metric::MaxNodeMessages => Facts::constant(1, "1", Self::SOURCE),
            _ => Facts::default(),
        }
    }
}
