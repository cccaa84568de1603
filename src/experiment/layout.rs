//! Where the IDs stand on a ring, and which IDs.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::files::Files;
use super::ring_file::RingFile;
use crate::engine::Entry;
use crate::model::error::Input;
use crate::model::process::Id;
use crate::model::random::Stream;

/// A ring that is the same in every run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Fixed {
    /// Its name.
    pub name: &'static str,
    /// Where the IDs stand.
    pub about: &'static str,
    /// Appends the ranks 0..n, clockwise.
    ranks: fn(u32, &mut Vec<u32>),
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Fixed {}

/// The fixed rings: a new one is an entry here.
const FIXED: [Fixed; 5] = [
    Fixed {
        name: "ascending",
        about: "smallest ID first, clockwise",
        ranks: |n, ranks| ranks.extend(0..n),
    },
    Fixed {
        name: "descending",
        about: "largest ID first, clockwise",
        ranks: |n, ranks| ranks.extend((0..n).rev()),
    },
    Fixed {
        name: "bit-reversal",
        about: "position i holds i with its bits reversed; other n: too large IDs left out",
        // Where n is not a power of two: the ring of the next power of two, without the IDs that
        // are too large.
        ranks: |n, ranks| {
            let bits = u32::BITS - n.saturating_sub(1).leading_zeros();
            let reversed = |i: u64| i.reverse_bits().unbounded_shr(u64::BITS - bits) as u32;
            ranks.extend((0..1u64 << bits).map(reversed).filter(|&rank| rank < n));
        },
    },
    Fixed {
        name: "organ-pipe",
        about: "1, 3, 5, ..., 6, 4, 2",
        ranks: |n, ranks| {
            ranks.extend((0..n).step_by(2));
            ranks.extend((0..n).filter(|rank| rank % 2 == 1).rev());
        },
    },
    Fixed {
        name: "alternating",
        about: "smallest, largest, second smallest, second largest, ...",
        ranks: |n, ranks| {
            ranks.extend((0..n).map(|i| if i % 2 == 0 { i / 2 } else { n - 1 - i / 2 }));
        },
    },
];

/// Where the IDs stand, clockwise.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// Every order equally likely.
    Random,
    /// The same in every run: `ascending`, `organ-pipe`, ....
    Fixed(Fixed),
    /// Ascending, then so many exchanges of two random places.
    NearlySorted(u64),
    /// A ring with the fewest messages for the algorithm at hand.
    Best,
    /// A ring with the most messages for the algorithm at hand.
    Worst,
    /// The IDs in this file, as they stand there.
    File(Arc<RingFile>),
    /// These IDs, as they stand.
    Given(Vec<Id>),
    /// The IDs that the file of the topology assigns to its nodes.
    Assigned,
}

/// How tables name a layout whose IDs stand where somebody put them.
pub(crate) const GIVEN: &str = "given";

/// The layouts that are not among the fixed ones, with a word about each.
const OTHERS: [(&str, &str); 4] = [
    ("nearly-sorted:K", "ascending, then K exchanges of two random places"),
    ("best", "a ring with the fewest messages for the algorithm, where known"),
    ("worst", "a ring with the most messages for the algorithm, where known"),
    ("file:PATH", "the IDs in a file, separated by commas, spaces or newlines"),
];

/// The layouts with a word about each, for lists and for error messages.
pub const LAYOUTS: &[(&str, &str)] = &{
    let mut all = [("random", "every order equally likely"); 1 + FIXED.len() + OTHERS.len()];
    let mut place = 0;
    while place < FIXED.len() {
        all[1 + place] = (FIXED[place].name, FIXED[place].about);
        place += 1;
    }
    let mut place = 0;
    while place < OTHERS.len() {
        all[1 + FIXED.len() + place] = OTHERS[place];
        place += 1;
    }
    all
};

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Random => f.write_str("random"),
            Layout::Fixed(fixed) => f.write_str(fixed.name),
            Layout::NearlySorted(swaps) => write!(f, "nearly-sorted:{swaps}"),
            Layout::Best => f.write_str("best"),
            Layout::Worst => f.write_str("worst"),
            Layout::File(file) => write!(f, "file:{}", file.path),
            Layout::Given(_) | Layout::Assigned => f.write_str(GIVEN),
        }
    }
}

impl FromStr for Layout {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        Layout::parse(text, &Files::on_disk())
    }
}

impl Layout {
    /// The layout of this text; a file that it names is one of `files`.
    pub fn parse(text: &str, files: &Files) -> Result<Self, Input> {
        if let Some(fixed) = FIXED.iter().find(|fixed| fixed.name == text) {
            return Ok(Layout::Fixed(*fixed));
        }
        Ok(match text {
            "random" => Layout::Random,
            "best" => Layout::Best,
            "worst" => Layout::Worst,
            _ => match text.split_once(':') {
                Some(("nearly-sorted", swaps)) => {
                    Layout::NearlySorted(swaps.parse().map_err(|_| {
                        let problem = "the number of exchanges is not a whole number";
                        Input::new("layout", text, problem, "write it as nearly-sorted:10")
                    })?)
                }
                Some(("file", path)) if !path.is_empty() => Layout::File(files.ring(path)?),
                _ => {
                    let names = LAYOUTS.iter().map(|&(name, _)| name);
                    let all = "hustings list shows all layouts";
                    return Err(Input::unknown("layout", text, names, all));
                }
            },
        })
    }

    /// Whether every run has a ring of its own.
    pub fn is_random(&self) -> bool {
        matches!(self, Layout::Random | Layout::NearlySorted(_))
    }

    /// Refuses what makes no sense with `n` nodes.
    pub fn check(&self, n: u32) -> Result<(), Input> {
        match *self {
            Layout::NearlySorted(swaps) if swaps > most_swaps(n) => {
                let problem = format!(
                    "{n} IDs are in random order after fewer exchanges than {}",
                    most_swaps(n)
                );
                Err(Input::new("layout", self, problem, "use fewer, or random"))
            }
            _ => Ok(()),
        }
    }

    /// The IDs that this layout itself names, if it does.
    pub fn own_ids(&self) -> Option<&[Id]> {
        match self {
            Layout::File(file) => Some(&file.ids),
            Layout::Given(ids) => Some(ids),
            _ => None,
        }
    }

    /// Writes the ranks 0..n of a run into `ranks`, clockwise. Layouts that name their IDs
    /// themselves have no ranks; those of `best` and `worst` depend on the algorithm.
    pub fn ranks(
        &self,
        n: u32,
        algorithm: &Entry,
        words: &mut Stream,
        ranks: &mut Vec<u32>,
    ) -> Result<(), Input> {
        ranks.clear();
        match self {
            Layout::Random => {
                ranks.extend(0..n);
                words.shuffle(ranks);
            }
            Layout::Fixed(fixed) => (fixed.ranks)(n, ranks),
            Layout::File(_) | Layout::Given(_) | Layout::Assigned => ranks.extend(0..n),
            Layout::NearlySorted(swaps) => {
                ranks.extend(0..n);
                for _ in 0..*swaps {
                    let a = words.below(u64::from(n)) as usize;
                    let b = words.below(u64::from(n)) as usize;
                    ranks.swap(a, b);
                }
            }
            Layout::Best => *ranks = self.known(n, algorithm, algorithm.best_ring)?,
            Layout::Worst => *ranks = self.known(n, algorithm, algorithm.worst_ring)?,
        }
        Ok(())
    }

    fn known(
        &self,
        n: u32,
        algorithm: &Entry,
        ring: fn(u32) -> Option<Vec<u32>>,
    ) -> Result<Vec<u32>, Input> {
        ring(n).ok_or_else(|| {
            let problem = format!("no {self} ring of {n} nodes is known for {}", algorithm.name);
            Input::new("layout", self, problem, "choose another layout, such as random")
        })
    }
}

/// More random exchanges of two places are useless: n ln n / 2 and a few n already make every order
/// about equally likely (Diaconis and Shahshahani 1981), and ln n is below 23 here.
fn most_swaps(n: u32) -> u64 {
    32 * u64::from(n) + 1000
}

/// Which IDs the nodes have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ids {
    /// 1 to n; 0 to n-1 where the smallest wins.
    Dense,
    /// Distinct random 64-bit numbers.
    Sparse,
    /// Distinct random numbers below a bound.
    Range(Bound),
    /// Named by the layout itself.
    Given,
}

/// The ID choices with a word about each.
pub const IDS: &[(&str, &str)] = &[
    ("dense", "1 to n; 0 to n-1 where the smallest wins"),
    ("sparse", "distinct random 64-bit numbers"),
    ("range:U", "distinct random numbers from 0 to U-1; U is a number, n, n^2 or 2^32, say"),
];

/// The number below which IDs are drawn, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// This number.
    Number(u64),
    /// The number of nodes to this power.
    Nodes(u32),
    /// Two to this power.
    Two(u32),
}

impl Bound {
    /// The bound for so many nodes; what is too large is the largest there is.
    pub fn at(self, n: u32) -> u64 {
        match self {
            Bound::Number(number) => number,
            Bound::Nodes(power) => u64::from(n).saturating_pow(power),
            Bound::Two(power) => 2u64.saturating_pow(power),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Number(number) => write!(f, "{number}"),
            Bound::Nodes(1) => f.write_str("n"),
            Bound::Nodes(power) => write!(f, "n^{power}"),
            Bound::Two(power) => write!(f, "2^{power}"),
        }
    }
}

impl FromStr for Bound {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        let bound = match text.split_once('^') {
            None if text == "n" => Some(Bound::Nodes(1)),
            None => text.parse().ok().map(Bound::Number),
            Some(("n", power)) => power.parse().ok().map(Bound::Nodes),
            Some(("2", power)) => power.parse().ok().map(Bound::Two),
            Some(_) => None,
        };
        // As it is written again, so that no two texts are one choice.
        bound.filter(|bound| bound.to_string() == text).ok_or_else(|| {
            let problem = "the bound is not a number that is known here";
            Input::new(
                "ids",
                format!("range:{text}"),
                problem,
                "write range:1000, range:n^2 or range:2^32",
            )
        })
    }
}

impl fmt::Display for Ids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ids::Dense => f.write_str("dense"),
            Ids::Sparse => f.write_str("sparse"),
            Ids::Range(bound) => write!(f, "range:{bound}"),
            Ids::Given => f.write_str("given"),
        }
    }
}

impl FromStr for Ids {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        match text {
            "dense" => Ok(Ids::Dense),
            "sparse" => Ok(Ids::Sparse),
            _ => match text.strip_prefix("range:") {
                Some(bound) => bound.parse().map(Ids::Range),
                None => {
                    let names = IDS.iter().map(|&(name, _)| name);
                    let all = "there are dense, sparse and range:U";
                    Err(Input::unknown("ids", text, names, all))
                }
            },
        }
    }
}

impl Ids {
    /// Refuses what makes no sense with `n` nodes.
    pub fn check(self, n: u32) -> Result<(), Input> {
        match self {
            Ids::Range(bound) if bound.at(n) < u64::from(n) => {
                let problem = format!(
                    "below {} there are not as many numbers as {n} nodes need",
                    bound.at(n)
                );
                Err(Input::new("ids", self, problem, "use a larger bound, such as range:n^2"))
            }
            _ => Ok(()),
        }
    }

    /// Whether every run draws its IDs anew.
    pub fn is_random(self) -> bool {
        matches!(self, Ids::Sparse | Ids::Range(_))
    }

    /// Draws the IDs of a run in ascending order; none unless they are random.
    pub fn draw(self, n: u32, words: &mut Stream) -> Vec<Id> {
        match self {
            Ids::Sparse => sparse_ids(n, words),
            Ids::Range(bound) => range_ids(n, bound.at(n), words),
            Ids::Dense | Ids::Given => Vec::new(),
        }
    }
}

/// `n` distinct random numbers below `bound` in ascending order, every set equally likely (Floyd's
/// algorithm, in Bentley 1987). The bound is at least n.
fn range_ids(n: u32, bound: u64, words: &mut Stream) -> Vec<Id> {
    let mut chosen = BTreeSet::new();
    for last in bound - u64::from(n)..bound {
        let id = words.below(last + 1);
        if !chosen.insert(id) {
            chosen.insert(last);
        }
    }
    chosen.into_iter().collect()
}

/// `n` distinct random 64-bit numbers in ascending order.
pub fn sparse_ids(n: u32, words: &mut Stream) -> Vec<Id> {
    loop {
        let mut ids: Vec<Id> = (0..n).map(|_| words.word()).collect();
        ids.sort_unstable();
        // Equal numbers are so rare that drawing all anew costs nothing.
        if ids.windows(2).all(|pair| pair[0] < pair[1]) {
            return ids;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Registry;
    use crate::model::random::{Key, Purpose};

    fn ranks(layout: &str, n: u32) -> Vec<u32> {
        let layout: Layout = layout.parse().expect("a layout");
        let mut words = Key::new(1, "ring", 8, "", "").stream(0, Purpose::Ring);
        let mut ranks = Vec::new();
        let registry = Registry::standard();
        let algorithm = registry.named("chang-roberts").expect("registered");
        layout.ranks(n, algorithm, &mut words, &mut ranks).expect("known");
        ranks
    }

    #[test]
    fn every_layout_is_a_permutation() {
        for (name, _) in &LAYOUTS[..9] {
            let name = name.replace(":K", ":3");
            for n in 1..40 {
                let mut sorted = ranks(&name, n);
                sorted.sort_unstable();
                assert_eq!(sorted, (0..n).collect::<Vec<_>>(), "{name} {n}");
            }
        }
    }

    #[test]
    fn the_fixed_layouts_are_as_described() {
        assert_eq!(ranks("bit-reversal", 8), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(ranks("bit-reversal", 6), [0, 4, 2, 1, 5, 3]);
        assert_eq!(ranks("organ-pipe", 6), [0, 2, 4, 5, 3, 1]);
        assert_eq!(ranks("organ-pipe", 5), [0, 2, 4, 3, 1]);
        assert_eq!(ranks("alternating", 5), [0, 4, 1, 3, 2]);
        assert_eq!(ranks("nearly-sorted:0", 4), [0, 1, 2, 3]);
    }

    #[test]
    fn ids_of_a_range_are_distinct_and_every_set_is_equally_likely() {
        let key = Key::new(1, "ring", 3, "random", "range:5");
        let mut counts = std::collections::BTreeMap::new();
        for run in 0..10_000 {
            let mut words = key.stream(run, Purpose::Ring);
            *counts.entry(range_ids(3, 5, &mut words)).or_insert(0) += 1;
        }
        // Ten sets, each 1000 times on average with a standard deviation of 30; five of these are
        // left by one of ten in 170 000 seeds.
        assert_eq!(counts.len(), 10);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
        let all = range_ids(7, 7, &mut key.stream(0, Purpose::Ring));
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6]);
        let large = range_ids(3, u64::MAX, &mut key.stream(0, Purpose::Ring));
        assert!(large.windows(2).all(|pair| pair[0] < pair[1]) && large.len() == 3);
    }

    #[test]
    fn bounds_of_ids_read_as_they_are_written() {
        for (text, n, bound) in [
            ("range:n", 9, 9),
            ("range:n^2", 9, 81),
            ("range:2^32", 9, 1 << 32),
            ("range:77", 9, 77),
        ] {
            let ids: Ids = text.parse().expect("a range");
            assert_eq!(ids.to_string(), text);
            assert!(matches!(ids, Ids::Range(it) if it.at(n) == bound), "{text}");
        }
        for text in
            ["range:", "range:n^", "range:m", "range:3^2", "range:007", "range:n^1", "range:-1"]
        {
            let error = text.parse::<Ids>().expect_err("no range").to_string();
            assert!(error.contains("range:n^2"), "{error}");
        }
        let few: Ids = "range:8".parse().expect("a range");
        assert!(few.check(8).is_ok());
        let error = few.check(9).expect_err("too few").to_string();
        assert!(
            error.contains("range:8: below 8 there are not as many numbers as 9 nodes"),
            "{error}"
        );
    }

    #[test]
    fn layouts_read_as_they_are_written() {
        for text in ["random", "nearly-sorted:7", "bit-reversal", "worst"] {
            assert_eq!(text.parse::<Layout>().expect("a layout").to_string(), text);
        }
        let error = "asending".parse::<Layout>().expect_err("no such layout");
        assert!(error.remedy.contains("did you mean ascending?"), "{error}");
    }

    #[test]
    fn exchanges_beyond_a_random_order_are_refused() {
        let check = |text: &str, n| text.parse::<Layout>().expect("a layout").check(n);
        assert!(check("nearly-sorted:1256", 8).is_ok());
        let error = check("nearly-sorted:1257", 8).expect_err("too many").to_string();
        assert!(error.contains("nearly-sorted:1257: 8 IDs are in random order"), "{error}");
        assert!(check("nearly-sorted:18446744073709551615", u32::MAX).is_err());
    }
}
