//! A value that cannot be used, in a sentence that names the field, the value and the remedy.

use std::fmt;

use super::escape::terminal;

/// A value that cannot be used: the field, the value, what is wrong with it, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The field, as in flags and specs.
    pub field: String,
    /// What was given.
    pub value: String,
    /// Why it cannot be.
    pub problem: String,
    /// What to do instead.
    pub remedy: String,
    /// Where it stands, if in a file: "specs/small.toml, line 3".
    pub place: Option<String>,
}

impl std::error::Error for Input {}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // All of them may name what a user has named.
        let Input { field, value, problem, remedy, place } = self;
        write!(f, "{} = {}", terminal(field), terminal(value))?;
        if let Some(place) = place {
            write!(f, " in {}", terminal(place))?;
        }
        write!(f, ": {}; {}", terminal(problem), terminal(remedy))
    }
}

impl Input {
    /// The error for a `field` with this `value`.
    pub fn new(
        field: &str,
        value: impl fmt::Display,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Input {
            field: field.to_owned(),
            value: value.to_string(),
            problem: problem.into(),
            remedy: remedy.into(),
            place: None,
        }
    }

    /// The error for a name that is not among the known ones; suggests the nearest.
    pub fn unknown<'a>(
        field: &str,
        value: &str,
        known: impl IntoIterator<Item = &'a str>,
        all: &str,
    ) -> Self {
        let remedy = match nearest(value, known) {
            Some(name) => format!("did you mean {name}? {all}"),
            None => all.to_owned(),
        };
        Input::new(field, value, "there is no such name", remedy)
    }
}

/// The known name nearest to `name`, if any is near: at most a third of the letters differ.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = name.chars().count().max(3) / 3 + 1;
    known
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, deleted or replaced (Levenshtein's distance).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_and_a_far_one_is_not() {
        let known = ["chang-roberts", "peterson", "lelann"];
        assert_eq!(nearest("petersen", known), Some("peterson"));
        assert_eq!(nearest("chang-robert", known), Some("chang-roberts"));
        assert_eq!(nearest("xyzzy", known), None);
    }

    #[test]
    fn an_error_is_one_line_whatever_it_names() {
        for name in crate::model::escape::hostile::names() {
            let input = Input::new("layout", &name, format!("no {name}"), format!("rename {name}"));
            let input = Input { place: Some(format!("{name}, line 1")), ..input };
            let text = input.to_string();
            assert!(text.contains(&terminal(&name)), "{text}");
            assert_eq!(text, terminal(&text));
        }
    }

    #[test]
    fn a_distance_counts_single_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
