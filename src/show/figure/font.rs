//! The one font of all figures: its letters, and how wide a text is.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId};

/// The letters that figures use, of DejaVu Sans; `data/fonts` says how it was made.
pub(super) const FONT: &[u8] = include_bytes!("../../../data/fonts/DejaVuSans-subset.ttf");

/// What a viewer of the SVG is asked for. Verdana has the same widths nearly to the letter.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// The embedded font: fonts of the machine are never looked at, so a figure is the same everywhere.
pub(super) static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(FONT, 0).expect("the file in the program is a font"));

/// The shape of a letter, and how far the next one stands from it in units of the font. A letter that
/// the font has not leaves its room empty.
pub(super) fn glyph(letter: char) -> (GlyphId, u16) {
    let glyph = FACE.glyph_index(letter).unwrap_or_default();
    (glyph, FACE.glyph_hor_advance(glyph).unwrap_or_default())
}

/// The width of a text in the embedded font, in the unit of `size`.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let units: f64 = text.chars().map(|letter| f64::from(glyph(letter).1)).sum();
    units / f64::from(FACE.units_per_em()) * size
}

/// Sizes of letters: of titles, of labels and numbers, of what is said in passing.
pub(super) const TITLE: f64 = 16.0;
pub(super) const LABEL: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;
pub(super) const TINY: f64 = 9.5;

/// A text on lines no wider than `room`, broken between words, and within a word that is wider than
/// the room after its hyphens and before its plus signs.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if width(word, size) > room {
            lines.extend(broken(word, size, room));
            continue;
        }
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The parts of a word that are no wider than `room`, as far as it can be broken.
fn broken(word: &str, size: f64, room: f64) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in word.split_inclusive('-').flat_map(|piece| {
        let (first, more) = piece.split_at(piece.find('+').unwrap_or(piece.len()));
        [first, more]
    }) {
        match parts.last_mut() {
            Some(part) if width(part, size) + width(piece, size) <= room => part.push_str(piece),
            _ => parts.push(piece.to_owned()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // Units of 2048 per em, from the font's own table: n 1298, one 1303, space 651.
        assert!((width("n", 2048.0) - 1298.0).abs() < 1e-9);
        assert!((width("11", 2048.0) - 2606.0).abs() < 1e-9);
        assert!((width("n 1", 20.48) - (12.98 + 6.51 + 13.03)).abs() < 1e-9);
    }

    #[test]
    fn the_letters_of_formulas_are_there() {
        let has_letters =
            |text: &str| text.chars().all(|letter| FACE.glyph_index(letter).is_some());
        assert!(has_letters("±0.1 · 2n ≤ n² log2 n × 10⁻³ − √π ½ ⌈x⌉ H_n 10⁰¹⁴⁵⁶⁷⁸⁹ é"));
        assert!(!has_letters("漢"));
    }

    #[test]
    fn long_titles_are_broken() {
        let lines = wrapped("one two three four", LABEL, width("one two ", LABEL));
        assert_eq!(lines, ["one two", "three", "four"]);
        assert!(wrapped("", LABEL, 100.0).is_empty());
        let room = width("chang-roberts+", LABEL);
        assert_eq!(
            wrapped("a chang-roberts+announce", LABEL, room),
            ["a", "chang-roberts", "+announce"]
        );
    }
}
