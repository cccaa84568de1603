//! The one font of all figures: how wide a text is, and pictures that carry their labels anywhere.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

use crate::experiment::error::{Error, Result};

/// The letters that figures use, of DejaVu Sans; `data/fonts` says how it was made.
const FONT: &[u8] = include_bytes!("../../../data/fonts/DejaVuSans-subset.ttf");

/// What a viewer of the SVG is asked for. Verdana has the same widths nearly to the letter.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Pixels of a PNG for each of the figure's own.
const SHARPNESS: f32 = 2.0;

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

/// The PNG of an SVG, at twice its size. Its text is set in the embedded font: fonts of the
/// machine are never looked at, so a figure is the same everywhere.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let bad = |problem: String| Error::Figure(problem);
    let tree = Tree::from_str(svg, &options).map_err(|error| bad(error.to_string()))?;
    let size = tree.size().to_int_size();
    let pixels = |length: u32| (length as f32 * SHARPNESS) as u32;
    let mut picture = Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| bad("it has no extent".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(SHARPNESS, SHARPNESS), &mut picture.as_mut());
    encoded(&picture).map_err(|error| bad(error.to_string()))
}

/// The file of a picture, which says who drew it.
fn encoded(picture: &Pixmap) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width(), picture.height());
    // The paper is opaque, so there is no transparency to keep.
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_text_chunk("Software".to_owned(), "hustings".to_owned())?;
    let colours: Vec<u8> =
        picture.data().chunks_exact(4).flat_map(|pixel| pixel[..3].iter().copied()).collect();
    encoder.write_header()?.write_image_data(&colours)?;
    Ok(file)
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

    #[test]
    fn what_is_no_svg_is_an_error() {
        assert!(png("no figure").is_err());
    }
}
