//! Time in whole billionths.
//!
//! Delays, holds and timers are decimals, and the rules ask whether two moments are the same: 0.1 +
//! 0.2 must be 0.3. So a time is a whole number, and only drawn delays are rounded.

use std::fmt;
use std::str::FromStr;

use crate::model::delay::Delay;
use crate::model::error::Input;
use crate::model::random::Stream;

/// A moment, or a time between two, in billionths of a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

/// Billionths in a unit.
const UNIT: u64 = 1_000_000_000;

/// The longest time that can be given, in units; twice as much can be reached.
const MOST_UNITS: u64 = 1_000_000_000;

impl Moment {
    /// The beginning.
    pub const ZERO: Moment = Moment(0);

    /// So many whole units.
    pub const fn units(units: u64) -> Self {
        Moment(units.saturating_mul(UNIT))
    }

    /// So many billionths.
    pub const fn billionths(billionths: u64) -> Self {
        Moment(billionths)
    }

    /// The nearest to a number of units; the longest if it is too long.
    pub fn nearest(units: f64) -> Self {
        // A conversion of what is too large, negative or no number at all gives the nearest end.
        Moment(((units * UNIT as f64).round() as u64).min(MOST_UNITS * UNIT))
    }

    /// In billionths.
    pub const fn as_billionths(self) -> u64 {
        self.0
    }

    /// In units.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / UNIT as f64
    }

    /// In units, if it is whole.
    pub fn as_whole(self) -> Option<u64> {
        self.0.is_multiple_of(UNIT).then_some(self.0 / UNIT)
    }

    /// So much later; what is too late for us is as late as can be.
    pub const fn plus(self, time: Moment) -> Self {
        Moment(self.0.saturating_add(time.0))
    }

    /// The time since an earlier moment; nothing since a later one.
    pub const fn since(self, earlier: Moment) -> Self {
        Moment(self.0.saturating_sub(earlier.0))
    }

    /// So many times as long.
    pub const fn times(self, factor: u64) -> Self {
        Moment(self.0.saturating_mul(factor))
    }

    /// So many times as long for a decimal number, to the nearest billionth.
    fn times_decimal(self, factor: Moment) -> Self {
        let product = u128::from(self.0) * u128::from(factor.0);
        let nearest = (product + u128::from(UNIT / 2)) / u128::from(UNIT);
        Moment(u64::try_from(nearest).unwrap_or(u64::MAX))
    }

    /// How often another time must be taken to reach this one; `None` if it is no time at all.
    pub const fn divided_up(self, part: Moment) -> Option<u64> {
        if part.0 == 0 { None } else { Some(self.0.div_ceil(part.0)) }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / UNIT, self.0 % UNIT);
        if rest == 0 {
            return f.pad(&whole.to_string());
        }
        f.pad(format!("{whole}.{rest:09}").trim_end_matches('0'))
    }
}

impl FromStr for Moment {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const PROBLEM: &str = "a time is a decimal number from 0 to 1000000000 with at most 9 digits \
                               after the point";
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(rest) || rest.len() > 9 {
            return Err(PROBLEM);
        }
        let whole: u64 = whole.parse().map_err(|_| PROBLEM)?;
        let rest: u64 = format!("{rest:0<9}").parse().map_err(|_| PROBLEM)?;
        let moment = whole.checked_mul(UNIT).and_then(|whole| whole.checked_add(rest));
        moment.filter(|&moment| moment <= MOST_UNITS * UNIT).map(Moment).ok_or(PROBLEM)
    }
}

/// A time in units or in rotations of the token: `30`, `1.5rho`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// So long.
    Time(Moment),
    /// So many rotations; a decimal number, as times are.
    Rotations(Moment),
}

impl Units {
    /// How long that is, if a rotation takes so long.
    pub fn time(self, rotation: Moment) -> Moment {
        match self {
            Units::Time(time) => time,
            Units::Rotations(factor) => rotation.times_decimal(factor),
        }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Units::Time(time) => time.fmt(f),
            Units::Rotations(factor) => write!(f, "{factor}rho"),
        }
    }
}

impl FromStr for Units {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_suffix("rho") {
            Some(factor) => Ok(Units::Rotations(factor.trim().parse()?)),
            None => Ok(Units::Time(text.parse()?)),
        }
    }
}

/// A time that is always the same, or drawn: of a hop, of a node's timer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Span {
    /// Always the same.
    Constant(Moment),
    /// Drawn, to the nearest billionth.
    Drawn(Delay),
}

impl Span {
    /// Reads one: a number, `uniform:A..B` or `exponential:M`.
    pub fn parse(field: &str, text: &str) -> Result<Self, Input> {
        let remedy = "write a number, uniform:0.5..1.5 or exponential:1";
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let constant = text.parse().map(Span::Constant);
            return constant.map_err(|problem| Input::new(field, text, problem, remedy));
        }
        let delay: Delay =
            text.parse().map_err(|error| Input { field: field.to_owned(), ..error })?;
        match delay.scale() {
            Some((mean, _)) if (1e-6..=1e9).contains(&mean) => Ok(Span::Drawn(delay)),
            Some(_) => {
                let problem = "the mean of drawn times is from 0.000001 to 1000000000";
                Err(Input::new(field, text, problem, remedy))
            }
            None => Err(Input::new(field, text, "an adversary has no clock", remedy)),
        }
    }

    /// The same, or so many rotations: `1.5rho`.
    pub fn parse_with(field: &str, text: &str, rotation: Moment) -> Result<Self, Input> {
        match text.parse::<Units>() {
            Ok(units @ Units::Rotations(_)) => Ok(Span::Constant(units.time(rotation))),
            _ => Span::parse(field, text),
        }
    }

    /// Its mean.
    pub fn mean(&self) -> Moment {
        match self {
            Span::Constant(time) => *time,
            Span::Drawn(delay) => Moment::nearest(delay.scale().map_or(0.0, |(mean, _)| mean)),
        }
    }

    /// The time itself, if it is always the same.
    pub fn constant(&self) -> Option<Moment> {
        match self {
            Span::Constant(time) => Some(*time),
            Span::Drawn(_) => None,
        }
    }

    /// The next one.
    pub(super) fn draw(&self, words: &mut Stream) -> Moment {
        match self {
            Span::Constant(time) => *time,
            Span::Drawn(delay) => {
                let [drawn] = delay.draw(words);
                Moment::nearest(drawn)
            }
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Span::Constant(time) => time.fmt(f),
            Span::Drawn(delay) => delay.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().expect("a time")
    }

    #[test]
    fn sums_of_decimals_are_exact() {
        assert_eq!(moment("0.1").plus(moment("0.2")), moment("0.3"));
        assert_eq!(moment("0.1").times(3), moment("0.30"));
        assert_eq!(moment("2.50").to_string(), "2.5");
        assert_eq!(moment("1000000000").to_string(), "1000000000");
        assert_eq!(moment("0.000000001").as_billionths(), 1);
        for bad in ["", ".5", "-1", "1e3", "0.0000000001", "1000000000.1", "x", "1.2.3", "+1"] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }

    #[test]
    fn rotations_are_times() {
        let rotation = moment("19.2");
        let time = |text: &str| text.parse::<Units>().expect("a time").time(rotation);
        assert_eq!(time("1.5rho"), moment("28.8"));
        assert_eq!(time("1.5 rho"), moment("28.8"));
        assert_eq!(time("7"), moment("7"));
        assert_eq!(moment("7").divided_up(moment("2")), Some(4));
        assert_eq!(moment("7").divided_up(Moment::ZERO), None);
    }

    #[test]
    fn drawn_times_need_a_clock() {
        assert!(Span::parse("delay", "lifo").is_err());
        assert!(Span::parse("delay", "uniform:0..1e-50").is_err());
        let error = Span::parse("delay", "unform:0..1").expect_err("unknown");
        assert_eq!(error.field, "delay");
        assert_eq!(Span::parse("delay", "uniform:0.5..1.5").expect("good").mean(), moment("1"));
    }
}
