//! The header of an algorithm's file as data: references and pseudocode stand there and nowhere else.

/// The parts of a header: its title, then references, a table, pseudocode, and notes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The first paragraph.
    pub title: String,
    /// What comes between the title and the table: where the algorithm is from. Paragraphs are one line
    /// each.
    pub references: Vec<String>,
    /// What it costs, as the table says.
    pub cost: String,
    /// The pseudocode, line by line.
    pub pseudocode: Vec<String>,
    /// What comes behind the pseudocode.
    pub notes: Vec<String>,
}

impl Page {
    /// The header of a file; empty where it has none.
    pub fn of(file: &str) -> Self {
        let mut page = Page::default();
        let lines = file.lines().map_while(|line| line.strip_prefix("//!"));
        let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
        let (mut in_code, mut behind, mut paragraph) = (false, false, String::new());
        for line in lines.chain([""]) {
            if line.starts_with("```") {
                in_code = !in_code;
                behind = true;
            } else if in_code {
                page.pseudocode.push(line.to_owned());
            } else if line.starts_with('|') {
                behind = true;
                let row = line.strip_prefix("| Cost |").and_then(|row| row.strip_suffix('|'));
                page.cost = row.map_or(page.cost, |cost| cost.trim().to_owned());
            } else if line.is_empty() {
                let whole = std::mem::take(&mut paragraph);
                match whole.is_empty() {
                    true => {}
                    false if page.title.is_empty() => page.title = whole,
                    false if behind => page.notes.push(whole),
                    false => page.references.push(whole),
                }
            } else {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph += line;
            }
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_its_parts() {
        let file = "//! A title\n//! of two lines.\n//!\n//! A. Author, 1999.\n//!\n//! | a | b |\n//! |-|-|\n\
                    //! | Cost | n messages |\n//!\n//! ```text\n//! on <m>:\n//!   lead\n//! ```\n//! A note.\n\nuse this;\n//! not this";
        let page = Page::of(file);
        assert_eq!(page.title, "A title of two lines.");
        assert_eq!(page.references, ["A. Author, 1999."]);
        assert_eq!(page.cost, "n messages");
        assert_eq!(page.pseudocode, ["on <m>:", "  lead"]);
        assert_eq!(page.notes, ["A note."]);
        assert_eq!(Page::of("use this;"), Page::default());
    }
}
