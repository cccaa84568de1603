//! Figures as SVG.

use plotters::prelude::SVGBackend;

use super::canvas::Canvas;
use super::mark::MARK;
use crate::experiment::error::Result;

/// The SVG of what is on the paper.
pub(super) fn svg(canvas: &Canvas) -> Result<String> {
    let mut svg = String::new();
    let fine = canvas.fine_size();
    canvas.draw_on(SVGBackend::with_string(&mut svg, fine))?;
    // Only the size that a viewer sees is reduced; the coordinates stay.
    let attributes = |(width, height)| format!("width=\"{width}\" height=\"{height}\"");
    let svg = svg.replacen(&attributes(fine), &attributes(canvas.size()), 1);
    Ok(svg.replacen(">\n", &format!(">\n<!-- {MARK} -->\n"), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::figure::canvas::Anchor;
    use crate::show::figure::style::INK;

    #[test]
    fn the_paper_keeps_tenths_of_a_pixel() {
        let mut canvas = Canvas::new(100.0, 50.0);
        canvas.text((10.25, 20.0), "n < 5", 12.0, Anchor::Start, INK);
        let svg = svg(&canvas).expect("it can be drawn");
        assert!(svg.starts_with("<svg width=\"100\" height=\"50\" viewBox=\"0 0 1000 500\""));
        assert!(svg.contains("x=\"103\" y=\"200\""), "{svg}");
        assert!(svg.contains("n &lt; 5"));
    }
}
