//! One election: say what is wanted, draw a ring, hold the election, look at what it came to.
//!
//! ```text
//! cargo run --example one_election
//! ```

use hustings::engine::Registry;
use hustings::experiment::cell::{Cell, Setting};
use hustings::experiment::error::Result;

fn main() -> Result<()> {
    let registry = Registry::standard();
    let cell = Cell::new(registry.named("chang-roberts")?, Setting::of(12))?;
    let mut runs = cell.prepare(7)?;
    let mut simulator = (cell.algorithm().simulator)();
    let outcome = runs.simulate(0, simulator.as_mut())?;

    println!("ring      {:?}", runs.ids());
    println!("leader    {:?}", outcome.leader);
    println!("messages  {}", outcome.messages);
    if let Some(mean) = cell.facts().mean {
        println!("mean      {:.2} = {}", mean.value, mean.formula);
    }
    println!("again     {}", cell.command(7, 0));

    assert_eq!(outcome.leader, Some(12));
    assert_eq!(outcome.messages, 33);
    Ok(())
}
