//! Many messages as a picture of time and place: the darker, the more arrived.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::engine::trace::Cause;
use crate::model::outcome::Time;
use crate::show::trace::Trace;

/// So many fields the picture has at most, and so many shades.
const COLUMNS: usize = 200;
const ROWS: usize = 120;
const SHADES: usize = 8;

/// The picture, and how many messages had arrived by the end of each column.
pub(super) fn density(trace: &Trace) -> Value {
    let time = |number: usize| match trace.events[number].time {
        Some(Time::Rounds(round)) => round as f64,
        Some(Time::Real(time)) => time,
        None => number as f64,
    };
    let last = (0..trace.events.len()).next_back();
    // Where there are few rounds each has its column.
    let end = last.map_or(1.0, time).max(1e-9);
    let in_rounds = trace.clock() != "time";
    let columns = if in_rounds { COLUMNS.min(end as usize + 1) } else { COLUMNS };
    let rows = ROWS.min(trace.ids.len());
    let scale = columns as f64 / if in_rounds { end + 1.0 } else { end };
    let mut fields = vec![vec![0_u64; rows]; columns];
    let mut sums = vec![0_u64; columns];
    for (number, event) in trace.events.iter().enumerate() {
        if matches!(event.cause, Cause::Mail { .. }) {
            let column = ((time(number) * scale) as usize).min(columns - 1);
            let row = (event.node as usize * rows / trace.ids.len()).min(rows - 1);
            fields[column][row] += 1;
            sums[column] += 1;
        }
    }
    let mut sum = 0;
    for column in &mut sums {
        sum += *column;
        *column = sum;
    }
    let times = (1..=columns).map(|column| match in_rounds {
        true => ((column as f64 / scale).ceil() - 1.0).to_string(),
        false => format!("{:.1}", column as f64 / scale),
    });
    json!({
        "columns": columns,
        "rows": rows,
        "shades": shades(&fields),
        "sums": sums,
        "times": times.collect::<Vec<_>>(),
        "nodes": [trace.ids[0].to_string(), trace.ids[trace.ids.len() - 1].to_string()],
    })
}

/// A path for each shade, by the logarithm of the number: few must be seen beside many.
fn shades(fields: &[Vec<u64>]) -> Vec<String> {
    let most = fields.iter().flatten().copied().max().unwrap_or(0).max(1);
    let step = ((most + 1) as f64).ln() / SHADES as f64;
    let mut paths = vec![String::new(); SHADES];
    for (x, column) in fields.iter().enumerate() {
        for (y, &count) in column.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let shade = ((((count + 1) as f64).ln() / step).ceil() as usize).clamp(1, SHADES) - 1;
            _ = write!(paths[shade], "M{x} {y}h1v1h-1z");
        }
    }
    paths
}
