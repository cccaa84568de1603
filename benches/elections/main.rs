//! How fast, and how far from as fast as can be.
//!
//! *speed* has messages per second as criterion measures them, one after the other. Everything else
//! is a ratio to a limit, both sides timed in turns, and ends in one table: DESIGN by numbers.
//!
//! ```text
//! cargo bench                          all of it, with a report in target/criterion
//! cargo bench -- rounds/peterson       one row
//! cargo bench -- --test                everything once, untimed
//! HUSTINGS_LIMITS=fatal cargo bench    fails where a limit is missed
//! ```

mod bare;
mod batch;
mod counting;
mod delays;
mod graphs;
mod limits;
mod rate;
mod rings;
mod rounds;
mod speed;
mod traces;
mod turns;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use criterion::Criterion;
use criterion::measurement::WallTime;
use limits::Limits;
use rate::Rate;
use turns::Turns;

fn main() -> ExitCode {
    let mut rates = configured().with_measurement(Rate(WallTime));
    speed::bench(&mut rates);
    rates.final_summary();

    let mut turns = configured().with_measurement(Turns);
    let mut limits = Limits::default();
    rounds::bench(&mut turns, &mut limits);
    graphs::bench(&mut turns, &mut limits);
    delays::bench(&mut turns, &mut limits);
    counting::bench(&mut turns, &mut limits);
    batch::bench(&mut turns, &mut limits);
    traces::bench(&mut turns, &mut limits);
    turns.final_summary();
    limits.print()
}

fn configured() -> Criterion {
    Criterion::default()
        .output_directory(&Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("criterion"))
        .sample_size(limits::SAMPLES)
        // Ten times as many took most of the time of a row, and its interval is that of a dozen samples anyway.
        .nresamples(10_000)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}
