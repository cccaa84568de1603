//! The elections of a spec one after another, without threads, tables or progress: what a batch is
//! measured against.
//!
//!     cargo run --release --example bare_loop -- data/specs/small.toml

use hustings::engine::Registry;
use hustings::experiment::error::Result;
use hustings::experiment::plan::Plan;
use hustings::experiment::spec::Spec;

fn main() -> Result<()> {
    let path = std::env::args().nth(1).unwrap_or("data/specs/small.toml".to_owned());
    let plan = Plan::new(&Spec::read(path.as_ref(), &Registry::standard())?)?;
    let mut messages = 0;
    for planned in &plan.cells {
        let mut drawn = planned.cell.prepare(plan.seed)?;
        let mut simulator = (planned.cell.algorithm().simulator)();
        for run in 0..planned.runs {
            messages += drawn.simulate(run, simulator.as_mut())?.messages;
        }
    }
    println!("{} elections, {messages} messages", plan.runs());
    Ok(())
}
