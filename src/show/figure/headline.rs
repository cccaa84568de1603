//! Who is first and who last, in words that stay true: only of those that were measured at the same
//! size, with ties, with what is too close to tell, and with single runs named as such.

use super::scale::decimal;
use crate::summarise::CellSummary;

/// What an algorithm came to.
#[derive(Debug, Clone)]
pub(super) struct Standing<'a> {
    pub name: &'a str,
    pub value: f64,
    /// The ends of its interval.
    ends: Option<(f64, f64)>,
    runs: u64,
    varies: bool,
}

impl<'a> Standing<'a> {
    /// The mean of a cell, with everything divided by `unit`.
    pub fn of(cell: &'a CellSummary, unit: f64) -> Option<Self> {
        Some(Standing {
            name: &cell.key.algorithm,
            value: cell.mean? / unit,
            ends: cell.interval.map(|(low, high)| (low / unit, high / unit)),
            runs: cell.runs,
            // One run has no spread; a theorem may say that there is none.
            varies: cell.sd.or(cell.theory_sd).is_none_or(|sd| sd > 0.0),
        })
    }
}

/// A place where everybody stands who was measured there, the least first.
pub(super) struct Field<'a> {
    standings: Vec<Standing<'a>>,
    n: u64,
    /// How many there would be if all had been measured here.
    all: usize,
}

impl<'a> Field<'a> {
    /// The standings at this size; `all` is the number of algorithms of the figure.
    pub fn new(standings: impl Iterator<Item = Standing<'a>>, n: u64, all: usize) -> Self {
        let mut standings: Vec<Standing> = standings.collect();
        standings.sort_by(|a, b| a.value.total_cmp(&b.value));
        Field { standings, n, all }
    }

    /// Where this is: "At n = 64", or "Of the 5 of 8 algorithms measured at n = 64".
    pub fn place(&self) -> String {
        place(self.n, self.standings.len(), self.all)
    }

    /// Who needs the fewest and who the most; `None` where nobody was measured.
    pub fn sentence(&self, what: &str, number: fn(f64) -> String) -> Option<String> {
        let (place, once) = (self.place(), self.once());
        let all: Vec<&Standing> = self.standings.iter().collect();
        let (first, last) = (all.first()?, all.last()?);
        if all.len() == 1 {
            return Some(match self.all {
                1 => format!(
                    "{} needs {} {what} at n = {}{once}",
                    first.name,
                    number(first.value),
                    size(self.n)
                ),
                _ => format!(
                    "Only {} was measured at n = {}: it needs {} {what}{once}",
                    first.name,
                    size(self.n),
                    number(first.value)
                ),
            });
        }
        if first.value == last.value {
            return Some(format!(
                "{place}, all need the same: {} {what}{once}",
                number(first.value)
            ));
        }
        let least = side(all.iter().copied(), number);
        let most = side(all.iter().rev().copied(), number);
        Some(format!(
            "{place}, {} the fewest {what} {}, {} the most {}{once}",
            least.0, least.1, most.0, most.1
        ))
    }

    /// What is to be added where a single run says it all.
    fn once(&self) -> &'static str {
        let ends = [self.standings.first(), self.standings.last()];
        let mut ends = ends.into_iter().flatten();
        if ends.any(|one| one.runs == 1 && one.varies) { ", in one run each" } else { "" }
    }
}

/// "At n = 64", or "Of the 5 of 8 algorithms measured at n = 64".
pub(super) fn place(n: u64, there: usize, all: usize) -> String {
    match there {
        there if there < all => {
            format!("Of the {there} of {all} algorithms measured at n = {}", size(n))
        }
        _ => format!("At n = {}", size(n)),
    }
}

fn size(n: u64) -> String {
    decimal(n as f64, 0)
}

/// Who stands at this end with what, and who is too close to tell.
fn side<'s>(
    mut all: impl Iterator<Item = &'s Standing<'s>>,
    number: fn(f64) -> String,
) -> (String, String) {
    let Some(first) = all.next() else { return Default::default() };
    let (mut equal, mut close) = (vec![first.name], Vec::new());
    for other in all {
        if other.value == first.value {
            equal.push(other.name);
        } else if overlap(first.ends, other.ends) {
            close.push(other.name);
        }
    }
    let need = if equal.len() > 1 { "need" } else { "needs" };
    let doubt = match close.len() {
        0 => String::new(),
        _ => format!("; {} too close to tell", names(&close)),
    };
    (format!("{} {need}", names(&equal)), format!("({}{doubt})", number(first.value)))
}

fn overlap(a: Option<(f64, f64)>, b: Option<(f64, f64)>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.0 <= b.1 && b.0 <= a.1)
}

/// Names in a sentence; of many the first two.
pub(super) fn names(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first, second] => format!("{first} and {second}"),
        [first, second, third] => format!("{first}, {second} and {third}"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} others", rest.len()),
    }
}
