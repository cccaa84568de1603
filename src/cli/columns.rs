//! Text that fits into the 80 columns of a terminal, and the columns that tables of cells share.

use std::borrow::Cow;

use crate::experiment::key::CellKey;
use crate::show::table::{Format, WIDTH, wrapped};

/// The words of `text` behind a label, on as many lines as they need; the lines after the first are
/// indented as far as the label reaches. Nothing at all if there is no text.
pub(super) fn paragraph(label: &str, text: &str) -> String {
    let indent = label.chars().count();
    let mut lines = String::new();
    for (number, line) in wrapped(text, WIDTH.saturating_sub(indent)).into_iter().enumerate() {
        lines += &match number {
            0 => label.to_owned(),
            _ => " ".repeat(indent),
        };
        lines += &line;
        lines.push('\n');
    }
    lines
}

/// Which columns of their keys the rows of a table show: programs get all, people those that differ
/// from row to row, and the algorithm.
pub(super) fn shown_columns(keys: &[&CellKey], format: Format) -> Vec<usize> {
    let differs = |place: &usize| {
        let part = |key: &CellKey| key.series_columns()[*place].to_owned();
        keys.windows(2).any(|pair| part(pair[0]) != part(pair[1]))
    };
    let all = 0..CellKey::SERIES_COLUMNS.len();
    all.filter(|place| format == Format::Csv || *place == 0 || differs(place)).collect()
}

/// What stands in these columns.
pub(super) fn parts_of<'k>(
    key: &'k CellKey,
    shown: &'k [usize],
) -> impl Iterator<Item = String> + 'k {
    shown.iter().map(|&place| key.series_columns()[place].to_owned())
}

/// What is the same in all rows and not shown, in words; nothing if all is.
pub(super) fn common_parts(keys: &[&CellKey], shown: &[usize]) -> String {
    let Some(first) = keys.first() else { return String::new() };
    let hidden = (0..CellKey::SERIES_COLUMNS.len()).filter(|place| !shown.contains(place));
    let words: Vec<String> = hidden
        .map(|place| {
            let (name, part) = (CellKey::SERIES_COLUMNS[place], &first.columns()[place]);
            let part: &Cow<'_, str> = part;
            format!("{name} {part}")
        })
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_broken_between_words() {
        assert_eq!(paragraph("  mean  ", "n H_n"), "  mean  n H_n\n");
        assert_eq!(paragraph("  mean  ", ""), "");
        let text = paragraph("  ring  ", &"1234567 ".repeat(30));
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.lines().count(), 4);
        assert!(text.lines().skip(1).all(|line| line.starts_with("        1234567")));
    }

    #[test]
    fn a_word_that_is_too_long_stays_whole() {
        let word = "x".repeat(100);
        assert_eq!(paragraph("a ", &word), format!("a {word}\n"));
    }
}
