//! Who starts, and how long messages take: how both are written.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::model::delay::Delay;
use crate::model::election::Starts;
use crate::model::error::Input;
use crate::model::random::Stream;
use crate::model::theory::Case;

/// Who starts an election by itself.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Initiators {
    /// Everybody, at time 0.
    All,
    /// One node, drawn at random.
    One,
    /// So many nodes, drawn at random.
    Count(u64),
    /// Each node with this probability; drawn again if nobody starts.
    Share(f64),
    /// These positions, each at its time.
    At(BTreeMap<u32, u64>),
}

/// The initiator choices with a word about each.
pub const INITIATORS: &[(&str, &str)] = &[
    ("all", "everybody, at time 0"),
    ("one", "one node, drawn at random"),
    ("count:K", "K nodes, drawn at random"),
    ("share:P", "each node with probability P; drawn again if nobody starts"),
    ("at:0,3,5", "these positions; at:0,3@7 lets position 3 wake up at time 7"),
];

/// A share below this leaves everybody out in nearly every draw, so that 10 million numbers and more
/// are drawn before somebody starts; that is too long unless there are as many nodes.
const SMALLEST_SHARE: f64 = 1e-7;

impl fmt::Display for Initiators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Initiators::All => f.write_str("all"),
            Initiators::One => f.write_str("one"),
            Initiators::Count(count) => write!(f, "count:{count}"),
            Initiators::Share(share) => write!(f, "share:{share}"),
            Initiators::At(starts) => {
                for (place, (position, time)) in starts.iter().enumerate() {
                    f.write_str(if place == 0 { "at:" } else { "," })?;
                    match time {
                        0 => write!(f, "{position}")?,
                        time => write!(f, "{position}@{time}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Initiators {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        let bad = |problem: &str, remedy: &str| Input::new("initiators", text, problem, remedy);
        match text.split_once(':') {
            None if text == "all" => Ok(Initiators::All),
            None if text == "one" => Ok(Initiators::One),
            Some(("count", count)) => match count.parse() {
                Ok(0) => Err(bad("nobody would start", "let at least one node start: count:1")),
                Ok(count) => Ok(Initiators::Count(count)),
                Err(_) => Err(bad("the count is not a whole number", "write it as count:3")),
            },
            Some(("share", share)) => match share.parse::<f64>() {
                Ok(share) if share > 0.0 && share <= 1.0 => Ok(Initiators::Share(share)),
                Ok(0.0) => Err(bad("nobody would start", "use a share above 0, as in share:0.5")),
                _ => Err(bad("a share lies above 0 and up to 1", "write it as share:0.5")),
            },
            Some(("at", places)) => parse_places(text, places).map(Initiators::At),
            _ => {
                let names = INITIATORS.iter().map(|&(name, _)| name);
                let all = "there are all, one, count:K, share:P and at:0,3,5";
                Err(Input::unknown("initiators", text, names, all))
            }
        }
    }
}

fn parse_places(text: &str, places: &str) -> Result<BTreeMap<u32, u64>, Input> {
    let bad = |problem: String| {
        Input::new("initiators", text, problem, "write positions from 0 on, as in at:0,3@7")
    };
    let mut starts = BTreeMap::new();
    for place in places.split(',') {
        let (position, time) = place.split_once('@').unwrap_or((place, "0"));
        let (Ok(position), Ok(time)) = (position.trim().parse(), time.trim().parse()) else {
            return Err(bad(format!("{place:?} is not a position or position@time")));
        };
        if starts.insert(position, time).is_some() {
            return Err(bad(format!("position {position} is there twice")));
        }
    }
    Ok(starts)
}

impl Initiators {
    /// How many start, where that is fixed.
    pub fn count(&self, n: u64) -> Option<u64> {
        match self {
            Initiators::All => Some(n),
            Initiators::One => Some(1),
            Initiators::Count(count) => Some(*count),
            Initiators::Share(share) => (*share == 1.0).then_some(n),
            Initiators::At(starts) => {
                // A node that mail wakes earlier is no initiator, so late starts leave it open.
                (!self.has_late_starts()).then_some(starts.len() as u64)
            }
        }
    }

    /// What theorems are asked about a ring of n on which these start.
    pub fn case(&self, n: u64) -> Case {
        match self {
            Initiators::At(starts) if !self.has_late_starts() && !starts.is_empty() => {
                Case::starting_at(n, &starts.keys().copied().collect::<Vec<_>>())
            }
            _ => Case::ring(n, self.count(n)),
        }
    }

    /// Whether anybody starts after time 0.
    pub fn has_late_starts(&self) -> bool {
        matches!(self, Initiators::At(starts) if starts.values().any(|&time| time > 0))
    }

    /// Whether everybody starts at time 0, whatever is drawn.
    pub fn is_all(&self, n: u32) -> bool {
        self.count(u64::from(n)) == Some(u64::from(n))
    }

    /// Whether every run has starters of its own.
    pub fn is_random(&self, n: u32) -> bool {
        match self {
            Initiators::All | Initiators::At(_) => false,
            Initiators::One | Initiators::Count(_) | Initiators::Share(_) => !self.is_all(n),
        }
    }

    /// Refuses what does not fit `n` nodes.
    pub fn check(&self, n: u64) -> Result<(), Input> {
        let (problem, remedy) = match self {
            Initiators::Count(count) if *count > n => (
                format!("there are only {n} nodes"),
                format!("use count:{n} or less, or a larger n"),
            ),
            Initiators::At(starts) => match starts.keys().next_back() {
                Some(&last) if u64::from(last) >= n => (
                    format!("there is no position {last} among {n} nodes"),
                    format!("positions run from 0 to {}", n - 1),
                ),
                _ => return Ok(()),
            },
            Initiators::Share(share) if *share < SMALLEST_SHARE && share * (n as f64) < 1.0 => (
                format!("nobody would start in nearly every draw of {n} nodes"),
                format!("use share:{SMALLEST_SHARE} or more, or one"),
            ),
            _ => return Ok(()),
        };
        Err(Input::new("initiators", self, problem, remedy))
    }

    /// Who starts in one run of `n` nodes; `words` gives the random words, if any are needed.
    pub fn draw(&self, n: u32, words: impl FnOnce() -> Stream) -> Starts {
        if self.is_all(n) {
            return Starts::All;
        }
        let mut words = words();
        let at_once = |nodes: Vec<u64>| nodes.into_iter().map(|node| (0, node as u32)).collect();
        Starts::At(match self {
            Initiators::All => return Starts::All,
            Initiators::One => vec![(0, words.below(u64::from(n)) as u32)],
            Initiators::Count(count) => at_once(words.choose(u64::from(n), *count)),
            Initiators::Share(share) => loop {
                let nodes: Vec<u64> = (0..u64::from(n)).filter(|_| words.unit() < *share).collect();
                if !nodes.is_empty() {
                    break at_once(nodes);
                }
            },
            Initiators::At(starts) => {
                return Starts::at(starts.iter().map(|(&position, &time)| (position, time)));
            }
        })
    }
}

/// How long messages take, and whether links keep their order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// `None`: in rounds, every message takes one.
    pub delay: Option<Delay>,
    /// Whether messages on one link keep their order.
    pub fifo: bool,
}

/// The timings with a word about each.
pub const TIMINGS: &[(&str, &str)] = &{
    let mut all = [("sync", "in rounds: every message takes one"); Delay::ALL.len() + 2];
    let mut place = 0;
    while place < Delay::ALL.len() {
        all[place + 1] = Delay::ALL[place];
        place += 1;
    }
    all[place + 1] =
        ("...+no-fifo", "any of these delays: links need not keep the order of messages");
    all
};

const NO_FIFO: &str = "+no-fifo";

impl Timing {
    /// The synchronous network.
    pub const SYNC: Timing = Timing { delay: None, fifo: true };

    /// Whether every run has delays of its own.
    pub fn is_random(&self) -> bool {
        self.delay.is_some_and(|delay| delay.is_random())
    }

    /// The same with links that need not keep their order.
    pub fn without_fifo(self) -> Result<Self, Input> {
        if self.delay.is_none() {
            let problem = "in rounds every link keeps its order";
            let remedy = "use it with a timing such as uniform:0..1";
            return Err(Input::new("fifo", "false", problem, remedy));
        }
        Ok(Timing { fifo: false, ..self })
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.delay {
            None => f.write_str("sync")?,
            Some(delay) => delay.fmt(f)?,
        }
        f.write_str(if self.fifo { "" } else { NO_FIFO })
    }
}

impl FromStr for Timing {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        if let Some(text) = text.strip_suffix(NO_FIFO) {
            return text.parse::<Timing>()?.without_fifo();
        }
        let delay = if text == "sync" { None } else { Some(text.parse()?) };
        Ok(Timing { delay, fifo: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::random::{Key, Purpose};

    #[test]
    fn initiators_read_as_they_are_written() {
        for text in ["all", "one", "count:3", "share:0.25", "at:0,3,5", "at:0,2@7"] {
            assert_eq!(text.parse::<Initiators>().expect("good").to_string(), text);
        }
        for bad in ["", "al", "count:0", "count:x", "share:0", "share:1.5", "share:nan", "at:"] {
            assert!(bad.parse::<Initiators>().is_err(), "{bad}");
        }
        assert!("at:1,1".parse::<Initiators>().is_err());
        assert!("at:1,-2".parse::<Initiators>().is_err());
    }

    #[test]
    fn initiators_outside_the_ring_are_refused() {
        let check = |text: &str, n| text.parse::<Initiators>().expect("good").check(n);
        assert!(check("at:0,4", 4).is_err() && check("at:0,3", 4).is_ok());
        assert!(check("count:5", 4).is_err() && check("count:4", 4).is_ok());
    }

    #[test]
    fn a_share_that_hardly_anybody_meets_is_refused() {
        let check = |text: &str, n| text.parse::<Initiators>().expect("good").check(n);
        for (good, n) in [("share:0.0000001", 2), ("share:1e-9", 1_000_000_000), ("share:0.5", 1)] {
            assert!(check(good, n).is_ok(), "{good}");
        }
        for (bad, n) in [("share:1e-300", 1000), ("share:9e-8", 8), ("share:1e-9", 999_999_999)] {
            let error = check(bad, n).expect_err(bad).to_string();
            assert!(error.contains("nobody would start in nearly every draw"), "{error}");
            assert!(error.contains("use share:0.0000001 or more, or one"), "{error}");
        }
    }

    #[test]
    fn somebody_always_starts() {
        let key = Key::new(1, "ring", 8, "random", "dense");
        for run in 0..200 {
            match Initiators::Share(0.01).draw(8, || key.stream(run, Purpose::Initiators)) {
                Starts::At(starts) => assert!(!starts.is_empty()),
                Starts::All => panic!("not everybody starts here"),
            }
        }
    }

    #[test]
    fn timings_read_as_they_are_written() {
        for text in ["sync", "uniform:0.5..2", "exponential:1", "lifo", "lifo+no-fifo"] {
            assert_eq!(text.parse::<Timing>().expect("good").to_string(), text);
        }
        for bad in [
            "",
            "sinc",
            "uniform:2..1",
            "uniform:-1..1",
            "uniform:0..0",
            "uniform:a..b",
            "uniform:1",
            "exponential:0",
            "exponential:inf",
            "exponential:1e-310",
            "uniform:0..1e-310",
            "exponential:NaN",
            "sync+no-fifo",
        ] {
            assert!(bad.parse::<Timing>().is_err(), "{bad}");
        }
    }
}
