//! Scales: where a number stands on an axis, and which numbers are written there.

use super::font::width;

/// How numbers become places.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Linear,
    Log,
    /// Linear within this distance of 1, logarithmic beyond.
    AroundOne(f64),
}

/// A number written at an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub text: String,
}

/// An axis from its lowest to its highest number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
    ticks: Vec<Tick>,
}

/// The smallest and the largest finite number; `None` without any.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().filter(|value| value.is_finite()).fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

impl Scale {
    /// Evenly spaced, with a little room at both ends.
    pub fn linear(low: f64, high: f64) -> Self {
        let spread = high - low;
        let room = if spread > 0.0 { 0.04 * spread } else { low.abs().max(1.0) * 0.5 };
        Scale::linear_exactly(low - room, high + room)
    }

    /// Evenly spaced from 0, with room above.
    pub fn from_zero(high: f64) -> Self {
        Scale::linear_exactly(0.0, if high > 0.0 { 1.06 * high } else { 1.0 })
    }

    /// Evenly spaced between these ends.
    pub fn linear_exactly(low: f64, high: f64) -> Self {
        // The step of 1, 2 or 5 that gives about six ticks.
        let rough = (high - low) / 6.0;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * decade)
            .into_iter()
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(10.0 * decade);
        let digits = (-(step * 1.001).log10().floor()).max(0.0) as usize;
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        let ticks = (first..=last)
            .map(|number| number as f64 * step)
            .map(|value| Tick { value, text: decimal(value, digits) })
            .collect();
        Scale { kind: Kind::Linear, low, high, ticks }
    }

    /// Equal factors in equal steps; both ends are positive.
    pub fn log(low: f64, high: f64) -> Self {
        let room = (high / low).powf(0.03).max(1.12);
        let (low, high) = (low / room, high * room);
        let decades = (high / low).log10();
        let factors: &[f64] = match decades {
            few if few < 1.2 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
            few if few < 2.5 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let as_powers = high >= 2e5;
        let ticks = (low.log10().floor() as i32..=high.log10().ceil() as i32)
            .flat_map(|power| factors.iter().map(move |factor| (*factor, power)))
            .map(|(factor, power)| {
                let value = factor * 10f64.powi(power);
                let text = match (as_powers, factor) {
                    (true, 1.0) if power >= 4 => format!("10{}", superscript(power)),
                    (true, _) if power >= 4 => format!("{factor}·10{}", superscript(power)),
                    _ => {
                        let finer = i32::from(factor.fract() > 0.0);
                        decimal(value, usize::try_from(finer - power).unwrap_or(0))
                    }
                };
                Tick { value, text }
            })
            .filter(|tick| (low..=high).contains(&tick.value))
            .collect();
        Scale { kind: Kind::Log, low, high, ticks }
    }

    /// For sizes of networks: logarithmic where they span much, and labelled with the sizes
    /// themselves where these are few.
    pub fn sizes(sizes: &[u64]) -> Self {
        let mut sizes = sizes.to_vec();
        sizes.sort_unstable();
        sizes.dedup();
        let low = sizes.first().copied().unwrap_or(1).max(1) as f64;
        let high = sizes.last().copied().unwrap_or(1).max(1) as f64;
        let mut scale = match high / low {
            1.0 => Scale { low: low / 2.0, high: low * 2.0, ..Scale::log(low, high) },
            factor if factor >= 8.0 => Scale::log(low, high),
            _ => Scale::linear(low, high),
        };
        if sizes.len() <= 24 {
            scale.ticks = sizes
                .iter()
                .map(|&n| Tick { value: n as f64, text: decimal(n as f64, 0) })
                .collect();
        }
        scale
    }

    /// The same, always in equal factors.
    pub fn sizes_log(sizes: &[u64]) -> Self {
        let Scale { ticks, .. } = Scale::sizes(sizes);
        let ends = range(sizes.iter().map(|&n| n.max(1) as f64)).unwrap_or((1.0, 1.0));
        let log = Scale::log(ends.0, ends.1);
        if sizes.len() <= 24 { Scale { ticks, ..log } } else { log }
    }

    /// For ratios: near 1 evenly spaced, beyond in equal factors of the distance, so that both
    /// the smallest difference that matters and a large one can be seen.
    pub fn around_one(visible: f64, farthest: f64) -> Self {
        let reach = (1.3 * farthest).max(3.0 * visible);
        // A ratio of counts is never below 0.
        let (low, high) = ((1.0 - reach).max(0.0), 1.0 + reach);
        let mut ticks = vec![Tick { value: 1.0, text: "1".to_owned() }];
        let mut step = visible;
        while step <= reach {
            let digits = (-step.log10()).round().max(0.0) as usize;
            for value in [1.0 - step, 1.0 + step] {
                ticks.push(Tick { value, text: decimal(value, digits) });
            }
            step *= 10.0;
        }
        ticks.retain(|tick| (low..=high).contains(&tick.value));
        ticks.sort_by(|a, b| a.value.total_cmp(&b.value));
        Scale { kind: Kind::AroundOne(visible / 2.0), low, high, ticks }
    }

    fn bend(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Linear => value,
            Kind::Log => value.max(f64::MIN_POSITIVE).ln(),
            Kind::AroundOne(unit) => ((value - 1.0) / unit).asinh(),
        }
    }

    /// Where a number stands: 0 at the low end, 1 at the high one.
    pub fn share(&self, value: f64) -> f64 {
        let (low, high) = (self.bend(self.low), self.bend(self.high));
        (self.bend(value) - low) / (high - low)
    }

    /// The ends.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Whether equal factors take equal room.
    pub fn is_log(&self) -> bool {
        self.kind == Kind::Log
    }

    /// All numbers that may be written.
    pub fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    /// Those that have room side by side on an axis of this length, at this size of letters.
    pub fn ticks_along(&self, length: f64, size: f64) -> Vec<&Tick> {
        let gap = 0.8 * size;
        self.thinned(|a, b| {
            let apart = (self.share(b.value) - self.share(a.value)) * length;
            apart >= (width(&a.text, size) + width(&b.text, size)) / 2.0 + gap
        })
    }

    /// Those that have room one above the other.
    pub fn ticks_up(&self, length: f64, size: f64) -> Vec<&Tick> {
        let apart = |a: &Tick, b: &Tick| (self.share(b.value) - self.share(a.value)) * length;
        self.thinned(|a, b| apart(a, b) >= 1.4 * size)
    }

    /// Every k-th tick for the smallest k that leaves room between them.
    fn thinned(&self, has_room: impl Fn(&Tick, &Tick) -> bool) -> Vec<&Tick> {
        let every = |stride: usize, first: usize| -> Vec<&Tick> {
            self.ticks.iter().skip(first).step_by(stride).collect()
        };
        // Around 1 it is 1 that must stay.
        let middle =
            if self.kind == Kind::Linear || self.is_log() { 0 } else { self.ticks.len() / 2 };
        for stride in 1..self.ticks.len().max(2) {
            let ticks = every(stride, middle % stride);
            if ticks.windows(2).all(|pair| has_room(pair[0], pair[1])) {
                return ticks;
            }
        }
        self.ticks.iter().skip(middle).take(1).collect()
    }
}

/// A number with so many digits after the point and thin gaps between thousands: 65 536.
pub(super) fn decimal(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |(a, b)| (a, b));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 && whole.len() > 4 {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    let is_zero = text.chars().all(|digit| matches!(digit, '0' | '.'));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    match fraction.trim_end_matches('0') {
        _ if is_zero => "0".to_owned(),
        "" => format!("{sign}{grouped}"),
        _ => format!("{sign}{grouped}.{fraction}"),
    }
}

/// A count for people: all its digits up to ten million, beyond three of them.
pub(super) fn count(value: f64) -> String {
    if value.abs() >= 1e7 {
        let power = value.abs().log10().floor() as i32;
        return format!("{:.2}·10{}", value / 10f64.powi(power), superscript(power));
    }
    let digits = match value.abs() {
        _ if value == value.round() => 0,
        size if size >= 1000.0 => 0,
        size if size >= 10.0 => 1,
        _ => 3,
    };
    decimal(value, digits)
}

/// A whole number as an exponent.
pub(super) fn superscript(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |letter: char| match letter.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    };
    power.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[&Tick]) -> Vec<String> {
        ticks.iter().map(|tick| tick.text.clone()).collect()
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(decimal(65_536.0, 0), "65\u{2009}536");
        assert_eq!(decimal(4096.0, 0), "4096");
        assert_eq!(decimal(-0.25, 2), "−0.25");
        assert_eq!(decimal(-0.001, 2), "0");
        assert_eq!(decimal(8.0, 1), "8");
        assert_eq!(superscript(-12), "⁻¹²");
        assert_eq!(count(16_777_216.0), "1.68·10⁷");
        assert_eq!(count(7485.47), "7485");
    }

    #[test]
    fn a_linear_scale_has_round_ticks_within() {
        let scale = Scale::linear(0.0, 97.0);
        let ticks: Vec<f64> = scale.ticks().iter().map(|tick| tick.value).collect();
        assert_eq!(ticks, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert!(scale.share(0.0) > 0.0 && scale.share(97.0) < 1.0);
        let same = Scale::linear(5.0, 5.0);
        assert!((same.share(5.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn sizes_are_labelled_themselves_as_far_as_there_is_room() {
        let sizes: Vec<u64> = (4..=20).map(|power| 1 << power).collect();
        let scale = Scale::sizes(&sizes);
        assert!(scale.is_log());
        let along = scale.ticks_along(400.0, 11.0);
        assert!(along.len() >= 5 && along.len() < 17, "{:?}", texts(&along));
        assert_eq!(along[0].text, "16");
        assert_eq!(scale.ticks_along(4000.0, 11.0).len(), 17);
        let one = Scale::sizes(&[64]);
        assert!((one.share(64.0) - 0.5).abs() < 1e-9);
        assert_eq!(texts(&one.ticks_along(100.0, 11.0)), ["64"]);
    }

    #[test]
    fn around_one_a_thousandth_and_a_half_are_both_visible() {
        let scale = Scale::around_one(0.001, 0.5);
        assert!((scale.share(1.0) - 0.5).abs() < 1e-9);
        assert!(scale.share(1.001) - scale.share(1.0) > 0.04);
        assert!(scale.share(1.5) < 1.0);
        assert_eq!(
            scale.ticks().iter().map(|t| t.text.as_str()).collect::<Vec<_>>(),
            ["0.9", "0.99", "0.999", "1", "1.001", "1.01", "1.1"]
        );
        assert!(texts(&scale.ticks_up(40.0, 11.0)).contains(&"1".to_owned()));
    }

    #[test]
    fn a_logarithmic_scale_has_decades_or_finer_ticks() {
        let wide = Scale::log(30.0, 2e7);
        let ticks: Vec<&str> = wide.ticks().iter().map(|tick| tick.text.as_str()).collect();
        assert_eq!(ticks, ["100", "1000", "10⁴", "10⁵", "10⁶", "10⁷"]);
        assert!(Scale::log(20.0, 70.0).ticks().len() >= 4);
    }
}
