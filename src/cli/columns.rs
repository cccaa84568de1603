//! Text that fits into the 80 columns of a terminal.

/// Where lines end.
const WIDTH: usize = 80;

/// The words of `text` behind a label, on as many lines as they need; the lines after the first are
/// indented as far as the label reaches. Nothing at all if there is no text.
pub(super) fn paragraph(label: &str, text: &str) -> String {
    let indent = label.chars().count();
    let mut lines = String::new();
    let mut line = label.to_owned();
    let mut column = indent;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > indent && column + 1 + width > WIDTH {
            lines += &line;
            lines += "\n";
            line = " ".repeat(indent);
            column = indent;
        }
        if column > indent {
            line += " ";
            column += 1;
        }
        line += word;
        column += width;
    }
    if column > indent { lines + &line + "\n" } else { String::new() }
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
