//! What a page needs of a figure beside its files.

use super::data::Datum;
use super::drawing::Figure;
use super::pdf::FONT_FILE;
use super::svg::svg_of_page;

impl Figure {
    /// The drawing as a part of a page, where marks have the attributes that `of_datum` gives them.
    pub(crate) fn svg_of_page(&self, of_datum: &dyn Fn(&Datum) -> String) -> String {
        svg_of_page(&self.canvas, of_datum)
    }

    /// What a datum of the figure says, in words.
    pub(crate) fn words(&self, datum: &Datum) -> String {
        self.canvas.data().words(datum)
    }

    /// The PDF before and after the font that all of them have in common.
    pub(crate) fn pdf_around_font(&self) -> (Vec<u8>, Vec<u8>) {
        let (pdf, font) = (self.pdf(), pdf_font());
        let begin = pdf.windows(font.len()).position(|bytes| bytes == font).unwrap_or(pdf.len());
        let end = (begin + font.len()).min(pdf.len());
        (pdf[..begin].to_vec(), pdf[end..].to_vec())
    }
}

/// The font in the PDF of every figure.
pub(crate) fn pdf_font() -> &'static [u8] {
    &FONT_FILE
}
