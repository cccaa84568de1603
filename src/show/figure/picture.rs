//! Pictures of figures, which carry their labels anywhere.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::font::FONT;
use crate::experiment::error::{Error, Result};

/// Pixels of a PNG for each of the figure's own.
const SHARPNESS: f32 = 2.0;

/// The PNG of an SVG, at twice its size. Its text is set in the embedded font: fonts of the
/// machine are never looked at, so a figure is the same everywhere.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| Error::Figure(error.into()))?;
    let size = tree.size().to_int_size();
    let pixels = |length: u32| (length as f32 * SHARPNESS) as u32;
    let mut picture = Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| Error::Figure("it has no extent".into()))?;
    resvg::render(&tree, Transform::from_scale(SHARPNESS, SHARPNESS), &mut picture.as_mut());
    encoded(&picture).map_err(|error| Error::Figure(error.into()))
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
    fn what_is_no_svg_is_an_error() {
        assert!(png("no figure").is_err());
    }
}
