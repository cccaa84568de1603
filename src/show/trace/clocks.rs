//! Vector clocks: of all events of every node, how many an event can know of.

use super::view::Trace;
use crate::engine::trace::Cause;

/// Hands every event its vector clock, one number for each node: Fidge 1988, Mattern 1989. An event
/// happened before another if and only if its clock is nowhere ahead of the other's.
pub fn clocks(trace: &Trace, mut each: impl FnMut(usize, &[u32])) {
    let n = trace.ids.len();
    let mut nodes = vec![vec![0; n]; n];
    // A message brings the clock of the event that sent it; who has nothing on its way needs none.
    let mut sent: Vec<Option<(Vec<u32>, usize)>> = vec![None; trace.events.len()];
    for (number, event) in trace.events.iter().enumerate() {
        let node = event.node as usize;
        if let Cause::Mail { event: cause, .. } = event.cause
            && let Some((clock, waiting)) = &mut sent[cause]
        {
            for (own, theirs) in nodes[node].iter_mut().zip(clock.iter()) {
                *own = (*own).max(*theirs);
            }
            *waiting -= 1;
            if *waiting == 0 {
                sent[cause] = None;
            }
        }
        nodes[node][node] += 1;
        each(number, &nodes[node]);
        if !event.sent.is_empty() {
            sent[number] = Some((nodes[node].clone(), event.sent.len()));
        }
    }
}
