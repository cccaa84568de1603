//! What the runs of a cell come to in one metric, gathered in constant memory.

use crate::model::theory::Value;
use crate::statistics::moments::{Extreme, Moments};
use crate::statistics::quantiles::{Counted, quantile, quantile_interval};
use crate::statistics::reals::Reals;

/// The values of one metric.
#[derive(Debug, Clone)]
pub(super) enum Sample {
    /// Whole numbers: exact sums, and every distinct value.
    Whole { moments: Moments, values: Counted },
    /// Real numbers, such as times with random delays: no two are equal, so none is kept.
    Real(Reals),
}

impl Sample {
    pub(super) const fn new() -> Self {
        Sample::Whole { moments: Moments::new(), values: Counted::new() }
    }

    pub(super) fn push(&mut self, run: u64, value: Value, times: u64) {
        if let (Sample::Whole { moments, values }, Value::Whole(value)) = (&mut *self, value)
            && let Ok(value) = u64::try_from(value)
        {
            moments.push_times(run, value, times);
            values.push_times(value, times);
            return;
        }
        if let Sample::Whole { moments, .. } = self {
            let extreme = |it: Extreme| (it.value as f64, it.run);
            *self = Sample::Real(Reals::resumed(
                moments.count(),
                moments.mean().unwrap_or(0.0),
                moments.variance().unwrap_or(0.0),
                moments.min().map(extreme),
                moments.max().map(extreme),
            ));
        }
        if let Sample::Real(reals) = self {
            (0..times).for_each(|more| reals.push(run + more, value.as_f64()));
        }
    }

    /// The same with every value so many times as large.
    pub(super) fn scaled(&self, factor: u64) -> Self {
        let mut scaled = Sample::new();
        if let Sample::Whole { moments, values } = self {
            for (value, times) in values.iter() {
                let run = match (moments.min(), moments.max()) {
                    (Some(min), _) if min.value == value => min.run,
                    (_, Some(max)) if max.value == value => max.run,
                    _ => 0,
                };
                let product = u128::from(value) * u128::from(factor);
                scaled.push(run, Value::Whole(product), times);
            }
        }
        scaled
    }

    pub(super) fn count(&self) -> u64 {
        match self {
            Sample::Whole { moments, .. } => moments.count(),
            Sample::Real(reals) => reals.count(),
        }
    }

    pub(super) fn mean(&self) -> Option<f64> {
        match self {
            Sample::Whole { moments, .. } => moments.mean(),
            Sample::Real(reals) => reals.mean(),
        }
    }

    pub(super) fn standard_deviation(&self) -> Option<f64> {
        match self {
            Sample::Whole { moments, .. } => moments.standard_deviation(),
            Sample::Real(reals) => reals.standard_deviation(),
        }
    }

    pub(super) fn standard_error(&self) -> Option<f64> {
        match self {
            Sample::Whole { moments, .. } => moments.standard_error(),
            Sample::Real(reals) => reals.standard_error(),
        }
    }

    /// The interval of the mean; `sequential` where the runs themselves decided when to stop.
    pub(super) fn interval(&self, confidence: f64, sequential: bool) -> Option<(f64, f64)> {
        match (self, sequential) {
            (Sample::Whole { moments, .. }, false) => moments.interval(confidence),
            (Sample::Whole { moments, .. }, true) => moments.sequential_interval(confidence),
            (Sample::Real(reals), false) => reals.interval(confidence),
            (Sample::Real(reals), true) => reals.sequential_interval(confidence),
        }
    }

    pub(super) fn skewness(&self) -> Option<f64> {
        match self {
            Sample::Whole { moments, .. } => moments.skewness(),
            Sample::Real(_) => None,
        }
    }

    pub(super) fn quantile(&self, p: f64) -> Option<f64> {
        match self {
            Sample::Whole { values, .. } => quantile(values, p),
            Sample::Real(_) => None,
        }
    }

    pub(super) fn quantile_interval(&self, p: f64, confidence: f64) -> Option<(u64, u64)> {
        match self {
            Sample::Whole { values, .. } => quantile_interval(values, p, confidence),
            Sample::Real(_) => None,
        }
    }

    /// The smallest value and the first run that attained it.
    pub(super) fn min(&self) -> Option<(Value, u64)> {
        match self {
            Sample::Whole { moments, .. } => moments.min().map(whole),
            Sample::Real(reals) => reals.min().map(|(value, run)| (Value::Real(value), run)),
        }
    }

    /// The largest value and the first run that attained it.
    pub(super) fn max(&self) -> Option<(Value, u64)> {
        match self {
            Sample::Whole { moments, .. } => moments.max().map(whole),
            Sample::Real(reals) => reals.max().map(|(value, run)| (Value::Real(value), run)),
        }
    }
}

fn whole(extreme: Extreme) -> (Value, u64) {
    (Value::Whole(extreme.value.into()), extreme.run)
}

/// One metric of a cell while its runs come in: a few of them at a time, whatever their size.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant)]
pub(super) enum Gathering {
    /// Some run does not tell.
    Unknown,
    /// So far every run has so many times its messages: nothing else is kept.
    PerMessage(u64),
    /// The values, with the last one not yet counted: many metrics are the same run after run.
    Values { sample: Sample, last: Option<(u64, Value)>, times: u64 },
}

impl Gathering {
    pub(super) const fn new() -> Self {
        Gathering::Values { sample: Sample::new(), last: None, times: 0 }
    }

    /// Takes in a run: its value, its messages, and all messages before.
    pub(super) fn push(&mut self, run: u64, value: Option<Value>, messages: u64, before: &Sample) {
        let Some(value) = value else { return *self = Gathering::Unknown };
        match self {
            Gathering::Unknown => {}
            Gathering::PerMessage(factor) => {
                if value == Value::Whole(u128::from(*factor) * u128::from(messages)) {
                    return;
                }
                let sample = before.scaled(*factor);
                *self = Gathering::Values { sample, last: Some((run, value)), times: 1 };
            }
            Gathering::Values { sample, last, times } => match last {
                Some((_, same)) if *same == value => *times += 1,
                _ => {
                    if let Some((first, value)) = last.replace((run, value)) {
                        sample.push(first, value, *times);
                    }
                    *times = 1;
                }
            },
        }
    }

    /// Begins with the bits of the first run, which are often as many for each message.
    pub(super) fn of_bits(bits: Option<Value>, messages: u64) -> Self {
        match bits {
            Some(Value::Whole(bits)) if messages > 0 && bits % u128::from(messages) == 0 => {
                let factor = u64::try_from(bits / u128::from(messages));
                factor.map_or_else(|_| Gathering::new(), Gathering::PerMessage)
            }
            _ => Gathering::new(),
        }
    }

    /// All values; `None` if some run does not tell.
    pub(super) fn finish(self, messages: &Sample) -> Option<Sample> {
        match self {
            Gathering::Unknown => None,
            Gathering::PerMessage(factor) => Some(messages.scaled(factor)),
            Gathering::Values { mut sample, last, times } => {
                if let Some((run, value)) = last {
                    sample.push(run, value, times);
                }
                (sample.count() > 0).then_some(sample)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(runs: &[(u64, Option<f64>)]) -> Option<Sample> {
        let mut messages = Sample::new();
        let value = |value: f64| match value.fract() == 0.0 {
            true => Value::Whole(value as u128),
            false => Value::Real(value),
        };
        let mut bits = Gathering::of_bits(runs[0].1.map(value), runs[0].0);
        for (run, &(sent, own)) in (0..).zip(runs) {
            bits.push(run, own.map(value), sent, &messages);
            messages.push(run, Value::Whole(sent.into()), 1);
        }
        bits.finish(&messages)
    }

    #[test]
    fn what_is_proportional_to_messages_is_as_if_it_were_gathered() {
        let sample = gathered(&[(3, Some(33.0)), (5, Some(55.0)), (3, Some(33.0))]).expect("known");
        assert_eq!(sample.mean(), Some(121.0 / 3.0));
        assert_eq!(sample.min(), Some((Value::Whole(33), 0)));
        assert_eq!(sample.max(), Some((Value::Whole(55), 1)));
        let other = gathered(&[(3, Some(33.0)), (5, Some(54.0)), (3, Some(33.0))]).expect("known");
        assert_eq!((other.mean(), other.count()), (Some(40.0), 3));
        assert_eq!(other.max(), Some((Value::Whole(54), 1)));
    }

    #[test]
    fn one_run_that_does_not_tell_leaves_all_unknown() {
        assert!(gathered(&[(3, Some(4.0)), (5, None)]).is_none());
    }

    #[test]
    fn a_real_number_makes_all_of_them_real() {
        let sample = gathered(&[(3, Some(4.0)), (5, Some(4.0)), (1, Some(5.5))]).expect("known");
        assert!((sample.mean().expect("three runs") - 4.5).abs() < 1e-12);
        assert!((sample.standard_deviation().expect("three runs") - 0.75f64.sqrt()).abs() < 1e-12);
        assert_eq!(sample.max(), Some((Value::Real(5.5), 2)));
        assert_eq!(sample.quantile(0.5), None);
    }
}
