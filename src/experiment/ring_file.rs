//! IDs that a user lists, in a file or on the command line.

use crate::model::error::Input;
use crate::model::process::Id;

/// IDs from a file, as they stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingFile {
    /// The name of the file.
    pub path: String,
    /// What it says.
    pub text: String,
    /// The IDs.
    pub ids: Vec<Id>,
}

impl RingFile {
    /// The IDs of a file with this name and text.
    pub fn parse(path: &str, text: &str) -> Result<Self, Input> {
        let ids = parse_ids(&format!("layout file:{path}"), text)?;
        Ok(RingFile { path: path.to_owned(), text: text.to_owned(), ids })
    }
}

/// IDs separated by commas, spaces or newlines: at least one, all different.
pub fn parse_ids(field: &str, text: &str) -> Result<Vec<Id>, Input> {
    let mut number = 1;
    let mut between_commas = text.split(',').peekable();
    while let Some(words) = between_commas.next() {
        // A list may end with a comma.
        if words.trim().is_empty() && between_commas.peek().is_some() {
            let problem = format!("ID number {number} is missing before its comma");
            return Err(Input::new(field, "(nothing)", problem, "fill it in, as in 4,1,3,2"));
        }
        number += words.split_whitespace().count();
    }
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let ids = words
        .map(|word| {
            word.parse().map_err(|_| {
                let problem = format!("an ID is a whole number from 0 to {}", Id::MAX);
                Input::new(field, word, problem, "correct this one, as in 4,1,3,2")
            })
        })
        .collect::<Result<Vec<Id>, Input>>()?;
    if ids.is_empty() {
        let problem = "a ring needs at least one ID";
        return Err(Input::new(field, "(nothing)", problem, "list the IDs, as in 4,1,3,2"));
    }
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let problem = "this ID stands there twice, and IDs must be unique";
        return Err(Input::new(field, pair[0], problem, "give every node an ID of its own"));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_must_be_numbers_and_unique() {
        assert_eq!(parse_ids("ids", "4,1\n 3").expect("good"), [4, 1, 3]);
        for bad in ["", "4,x", "4,-1", "4,1,4", "99999999999999999999"] {
            assert!(parse_ids("ids", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_id_that_is_missing_between_two_commas_is_noticed() {
        for good in ["3, 2", "3,\n2", "3 ,2,", "3\n\n2\n", "3,2,\n"] {
            assert_eq!(parse_ids("ids", good).expect(good), [3, 2]);
        }
        for (bad, number) in
            [("3,,2", 2), ("3, ,2", 2), ("3 7,\n,2", 3), (",3,2", 1), ("3,2,,", 3), (",", 1)]
        {
            let error = parse_ids("ids", bad).expect_err(bad).to_string();
            let words = format!("ids = (nothing): ID number {number} is missing before its comma");
            assert!(error.starts_with(&words), "{error}");
        }
    }
}
