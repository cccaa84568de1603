//! What an algorithm of your own needs: `use hustings::prelude::*;`.

pub use crate::algorithm::graph::{Centralised, Extinction};
pub use crate::algorithm::{
    Algorithm, Announced, Elects, Flood, Lap, Law, Model, On, Spanning, Tree,
};
pub use crate::conformance;
pub use crate::engine::{Entry, Registry, Simulator};
pub use crate::experiment::cell::{Cell, Setting};
pub use crate::experiment::layout::{Ids, Layout};
pub use crate::experiment::timing::{Initiators, Timing};
pub use crate::model::message::{Kinds, Message, Widths, kinds};
pub use crate::model::metric::Metric;
pub use crate::model::process::{
    Asynchronous, Clock, Id, Local, NEXT, Outbox, PREV, Port, Process, Recorded, Status,
    Synchronous, opposite,
};
pub use crate::model::random::{Coins, Stream};
pub use crate::model::theory::{Case, Certainty, Fact, Facts, Holds, Value, harmonic};
pub use crate::model::topology::{Graph, Ports, Topology};
