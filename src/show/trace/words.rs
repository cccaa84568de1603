//! States and messages in the algorithm's own words.

use crate::engine::machine::{self, Fate, Machine, State};

/// What a node can say of itself: its state in the algorithm's own words.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) words: String,
    pub(super) fate: Fate,
}

/// A message as it is written.
#[derive(Debug, Clone)]
pub struct Mail {
    /// Which of the algorithm's kinds.
    pub kind: usize,
    /// In the algorithm's own words.
    pub words: String,
    /// The same where there is little room: its first number, which is the ID that it carries.
    pub short: String,
}

pub(super) fn conditions(machine: &dyn Machine) -> Vec<Condition> {
    let states = (0..machine.states() as u32).map(State);
    let condition = |state| Condition {
        words: plain(&format!("{:?}", machine.words(state))),
        fate: machine.fate(state),
    };
    states.map(condition).collect()
}

pub(super) fn mails(machine: &dyn Machine) -> Vec<Mail> {
    let mails = (0..machine.messages() as u32).map(machine::Mail);
    let names: Vec<&str> = machine.kinds().names().collect();
    mails
        .map(|mail| {
            let words = plain(&format!("{:?}", machine.message(mail)));
            let (kind, _) = machine.kind(mail);
            Mail { kind, short: short(&words).unwrap_or(names[kind]).to_owned(), words }
        })
        .collect()
}

/// What Rust prints, without the fields that only speak to the compiler.
fn plain(words: &str) -> String {
    const NOTHING: &str = "PhantomData<";
    let mut plain = words.to_owned();
    while let Some(start) = plain.find(NOTHING) {
        let mut depth = 0;
        let length = plain[start..].char_indices().find_map(|(place, c)| {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            (c == '>' && depth == 0).then_some(place + 1)
        });
        let Some(length) = length else { break };
        // With its name and the comma before it.
        let before = plain[..start].rfind([',', '(', '{']).unwrap_or(0);
        let before = if plain[before..].starts_with(',') { before } else { start };
        plain.replace_range(before..start + length, "");
    }
    plain
}

/// The first number in a text.
fn short(words: &str) -> Option<&str> {
    let inside = words.find(['(', '{', ' ']).map_or("", |place| &words[place..]);
    let start = inside.find(|c: char| c.is_ascii_digit())?;
    let digits = &inside[start..];
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    Some(&digits[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_leave_out_what_speaks_to_the_compiler_alone() {
        let words = "Announced { election: Peterson { id: 4 }, way: PhantomData<a::Lap<b>> }";
        assert_eq!(plain(words), "Announced { election: Peterson { id: 4 } }");
        assert_eq!(plain("Leader(12, PhantomData<a::Lap>)"), "Leader(12)");
        assert_eq!(plain("PhantomData<"), "PhantomData<");
    }

    #[test]
    fn little_room_is_for_the_first_number() {
        assert_eq!(short("M1 { id: 31, phase: 2 }"), Some("31"));
        assert_eq!(short("Candidate(7)"), Some("7"));
        assert_eq!(short("Wakeup"), None);
    }
}
