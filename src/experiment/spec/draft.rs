//! Values as they were written, each with the line that it stands on, and how they are read.

use std::fmt;

use crate::model::error::Input;

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Raw {
    /// Text in quotes, or a flag's value.
    Text(String),
    /// A number, as it was written.
    Number(String),
    /// true or false.
    Truth(bool),
    /// Several.
    List(Vec<Raw>),
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Raw::Text(text) | Raw::Number(text) => f.write_str(text),
            Raw::Truth(truth) => truth.fmt(f),
            Raw::List(list) => {
                let words: Vec<String> = list.iter().map(Raw::to_string).collect();
                write!(f, "[{}]", words.join(", "))
            }
        }
    }
}

/// Keys and values as they were written, with their places.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    entries: Vec<(String, Raw, Option<String>)>,
}

impl Draft {
    /// Sets a key; a later value replaces an earlier one.
    pub fn set(&mut self, key: &str, value: Raw, place: Option<String>) {
        self.entries.retain(|(known, ..)| known != key);
        self.entries.push((key.to_owned(), value, place));
    }

    /// Sets everything that `other` sets.
    pub(super) fn take_over(&mut self, other: &Draft) {
        for (key, value, place) in &other.entries {
            self.set(key, value.clone(), place.clone());
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<(&Raw, Option<&String>)> {
        let entry = self.entries.iter().find(|(known, ..)| known == key)?;
        Some((&entry.1, entry.2.as_ref()))
    }

    /// Says where the value stands that an error is about.
    pub(super) fn locate(&self, error: Input) -> Input {
        let keys: &[&str] = match error.field.as_str() {
            "n" => &["n"],
            "initiators" => &["initiators"],
            "timing" => &["timing"],
            "fifo" => &["fifo", "timing"],
            "topology" => &["topologies", "algorithms"],
            field if field.starts_with("layout") => &["layouts"],
            _ => &[],
        };
        let place = keys.iter().find_map(|key| self.get(key)?.1.cloned());
        Input { place: error.place.clone().or(place), ..error }
    }

    /// Reads one value, and puts key, value and place into any error.
    pub(super) fn read<T>(
        &self,
        key: &str,
        usual: T,
        read: impl FnOnce(&Raw) -> std::result::Result<T, Input>,
    ) -> std::result::Result<T, Input> {
        let Some((raw, place)) = self.get(key) else { return Ok(usual) };
        read(raw).map_err(|error| Input { field: key.to_owned(), place: place.cloned(), ..error })
    }
}

pub(crate) type Checked<T> = std::result::Result<T, Input>;

/// An error about a value; [`Draft::read`] fills in the field.
pub(super) fn bad(value: &Raw, problem: impl Into<String>, remedy: &str) -> Input {
    Input::new("", value, problem, remedy)
}

pub(super) fn whole(raw: &Raw) -> Checked<u64> {
    let remedy = "write a whole number, as in 1000";
    match raw {
        Raw::Number(text) | Raw::Text(text) => text.replace('_', "").parse().map_err(|_| {
            bad(raw, format!("this is not a whole number from 0 to {}", u64::MAX), remedy)
        }),
        _ => Err(bad(raw, "this is not a number", remedy)),
    }
}

/// A share such as "0.5%" or 0.005: above 0 (or from 0 on), up to 1.
pub(crate) fn share(raw: &Raw, zero_too: bool) -> Checked<f64> {
    let remedy = "write a share such as \"0.5%\" or 0.005";
    let (Raw::Text(text) | Raw::Number(text)) = raw else {
        return Err(bad(raw, "this is not a share", remedy));
    };
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 100.0),
        None => (text.as_str(), 1.0),
    };
    match number.parse::<f64>() {
        Ok(value) if (0.0..=scale).contains(&value) && (zero_too || value > 0.0) => {
            Ok(value / scale)
        }
        _ => Err(bad(raw, "a share lies between 0 and 1, or 0% and 100%", remedy)),
    }
}

pub(super) fn truth(raw: &Raw) -> Checked<bool> {
    match raw {
        Raw::Truth(truth) => Ok(*truth),
        _ => Err(bad(raw, "this is neither true nor false", "write true or false")),
    }
}

pub(super) fn text(raw: &Raw) -> Checked<String> {
    match raw {
        Raw::Text(text) => Ok(text.clone()),
        _ => Err(bad(raw, "this is not text", "put it in quotes")),
    }
}

/// A list, or a single value for a list of one.
pub(super) fn list<T>(raw: &Raw, read: impl Fn(&Raw) -> Checked<T>) -> Checked<Vec<T>> {
    match raw {
        Raw::List(values) if values.is_empty() => {
            Err(bad(raw, "the list is empty", "list at least one value, or leave the key out"))
        }
        Raw::List(values) => values.iter().map(read).collect(),
        single => Ok(vec![read(single)?]),
    }
}

pub(super) fn parsed<T: std::str::FromStr<Err = Input>>(raw: &Raw) -> Checked<T> {
    text(raw)?.parse()
}

/// So many sizes are surely a mistake.
const MOST_SIZES: u64 = 100_000;

/// One size, or a range of sizes.
pub(crate) fn sizes(raw: &Raw) -> Checked<Vec<u64>> {
    let remedy = "write 64, \"16..65536\" for doubling, or \"10..100 step 10\"";
    let Raw::Text(written) = raw else { return Ok(vec![positive(raw)?]) };
    let Some((first, rest)) = written.split_once("..") else { return Ok(vec![positive(raw)?]) };
    let (last, step) = match rest.split_once("step") {
        Some((last, step)) => (last, Some(step)),
        None => (rest, None),
    };
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    let (Some(first), Some(last)) = (number(first), number(last)) else {
        return Err(bad(raw, "the ends of this range are not whole numbers", remedy));
    };
    if first == 0 || first > last {
        return Err(bad(raw, "a range goes from 1 or more up to its end", remedy));
    }
    let Some(step) = step else {
        let doubled = std::iter::successors(Some(first), |n| n.checked_mul(2));
        return Ok(doubled.take_while(|&n| n <= last).collect());
    };
    match number(step) {
        Some(step) if step > 0 && (last - first) / step < MOST_SIZES => {
            let stepped = std::iter::successors(Some(first), |n| n.checked_add(step));
            Ok(stepped.take_while(|&n| n <= last).collect())
        }
        Some(step) if step > 0 => Err(bad(raw, "these are too many sizes", "use a larger step")),
        _ => Err(bad(raw, "the step is not a whole number above 0", remedy)),
    }
}

pub(super) fn positive(raw: &Raw) -> Checked<u64> {
    match whole(raw)? {
        0 => Err(bad(raw, "an election needs at least one process", "use 1 or more")),
        n => Ok(n),
    }
}
