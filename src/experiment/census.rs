//! All rings of a small size, as a cell asks for them.

use super::cell::{Cell, Setting};
use super::error::{Error, Result};
use super::layout::{Ids, Layout};
use super::timing::Initiators;
use crate::engine::enumerate::{Broken, Census, Rings, Starters};
use crate::model::error::Input;
use crate::model::stop::Stop;
use crate::model::violation::Violation;

/// How many elections there are to hold; refuses what has no end or takes too long.
pub fn elections(cell: &Cell) -> Result<u64, Input> {
    Ok(rings(cell)?.elections())
}

/// Holds the elections on all rings; `done` is told how many, now and then.
pub fn census(cell: &Cell, stop: &Stop, done: &(dyn Fn(u64) + Sync)) -> Result<Census> {
    rings(cell)?.census(stop, done).map_err(|broken| repeatable(cell, broken))
}

fn rings(cell: &Cell) -> Result<Rings<'_>, Input> {
    if cell.timing().delay.is_some() {
        let problem = "all rings are gone through in rounds";
        return Err(Input::new("timing", cell.timing(), problem, "use sync"));
    }
    let starters = match cell.initiators() {
        initiators if initiators.is_all(cell.n()) => Starters::All,
        Initiators::At(places) => Starters::At(places.clone()),
        initiators => match initiators.count(u64::from(cell.n())) {
            Some(count) => Starters::EverySetOf(u32::try_from(count).unwrap_or(u32::MAX)),
            None => {
                let problem = "there is a different number of starters in every election";
                let remedy = "fix their number with count:K, or their positions with at:0,2";
                return Err(Input::new("initiators", initiators, problem, remedy));
            }
        },
    };
    Rings::new(cell.algorithm(), cell.n(), starters)
}

/// What went wrong, with the command that repeats it.
fn repeatable(cell: &Cell, broken: Broken) -> Error {
    let Broken { violation, ring, starts } = broken;
    if violation == Violation::Stopped {
        return Error::Interrupted;
    }
    let initiators = starts.places().map_or(Initiators::All, |it| Initiators::At(it.collect()));
    let setting = Setting {
        layout: Layout::Given(ring),
        ids: Ids::Given,
        initiators,
        timing: cell.timing(),
        ..Setting::default()
    };
    match Cell::new(cell.algorithm(), setting) {
        Ok(cell) => Error::Violation {
            violation,
            command: cell.command(1, 0),
            cell: Box::new(cell.key().clone()),
        },
        Err(error) => error.into(),
    }
}
