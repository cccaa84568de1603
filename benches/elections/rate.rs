//! Messages per second.

use std::time::{Duration, Instant};

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// Time on the wall; its throughput is in messages per second.
pub struct Rate(pub WallTime);

impl Measurement for Rate {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        self.0.start()
    }

    fn end(&self, start: Instant) -> Duration {
        self.0.end(start)
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        self.0.add(a, b)
    }

    fn zero(&self) -> Duration {
        self.0.zero()
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        self.0.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Rate {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        self.0.formatter().scale_values(typical, values)
    }

    fn scale_throughputs(
        &self,
        typical: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let Throughput::Elements(messages) = *throughput else {
            return self.0.formatter().scale_throughputs(typical, throughput, values);
        };
        // Times are in nanoseconds.
        values.iter_mut().for_each(|value| *value = messages as f64 * 1e3 / *value);
        "million messages/s"
    }

    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
        self.0.formatter().scale_for_machines(values)
    }
}
