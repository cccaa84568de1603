//! The neighbours that a node still waits for.

use crate::model::process::Port;

/// The neighbours whose word is still missing: how many, and the sum of their ports, which names
/// the last of them. Two numbers, however many neighbours there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Awaited {
    count: usize,
    sum: usize,
}

impl Awaited {
    /// All ports of a node with so many.
    pub(super) fn all(degree: usize) -> Self {
        Awaited { count: degree, sum: degree * degree.saturating_sub(1) / 2 }
    }

    /// The word from a port that was awaited is there.
    pub(super) fn heard(&mut self, port: Port) {
        self.count -= 1;
        self.sum -= port;
    }

    /// Whether nobody is awaited any more.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The port of the last one, if only one is left.
    pub(super) fn last(&self) -> Option<Port> {
        (self.count == 1).then_some(self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_names_the_last_port_whichever_it_is() {
        for degree in 1..=20 {
            for last in 0..degree {
                let mut awaited = Awaited::all(degree);
                for port in (0..degree).filter(|&port| port != last) {
                    assert_eq!(awaited.last(), None);
                    awaited.heard(port);
                }
                assert_eq!(awaited.last(), Some(last));
                awaited.heard(last);
                assert!(awaited.is_empty() && awaited.last().is_none());
            }
        }
        assert!(Awaited::all(0).is_empty());
    }
}
