//! The one font of all figures: how wide a text is.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The letters that figures use, of DejaVu Sans; `data/fonts` says how it was made.
pub(super) const FONT: &[u8] = include_bytes!("../../../data/fonts/DejaVuSans-subset.ttf");

/// What a viewer of the SVG is asked for. Verdana has the same widths nearly to the letter.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

static FACE: LazyLock<Option<FontRef<'static>>> = LazyLock::new(|| FontRef::new(FONT).ok());

/// The width of a text in the embedded font, in the unit of `size`.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let Some(face) = &*FACE else { return 0.6 * size * text.chars().count() as f64 };
    let letters = face.charmap();
    let metrics = face.glyph_metrics(Size::unscaled(), LocationRef::default());
    let units = f64::from(face.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
    let advances = text.chars().map(|letter| {
        let glyph = letters.map(letter).unwrap_or_default();
        f64::from(metrics.advance_width(glyph).unwrap_or(0.0))
    });
    advances.sum::<f64>() / units * size
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
        let letters = FACE.as_ref().expect("the font is in the program").charmap();
        let has_letters = |text: &str| text.chars().all(|letter| letters.map(letter).is_some());
        assert!(has_letters("±0.1 · 2n ≤ n² log2 n × 10⁻³ − √π ½ ⌈x⌉ H_n 10⁰¹⁴⁵⁶⁷⁸⁹ é"));
        assert!(!has_letters("漢"));
    }
}
