//! Figures as pictures, which carry their labels anywhere.

use std::convert::Infallible;

use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};
use ttf_parser::OutlineBuilder;

use super::backend::{SHRINKS, draw_on};
use super::canvas::{BASE_LINE, Canvas};
use super::font::{FACE, glyph, width};
use crate::experiment::error::{Error, Result};

/// Pixels of a PNG for each of the figure's own.
const SHARPNESS: u32 = 2;

/// Units of plotters in a pixel of the figure, so that places are good to a tenth of it.
const FINENESS: u32 = 10;

/// Pixels of a PNG for each unit of plotters.
const SCALE: f32 = SHARPNESS as f32 / FINENESS as f32;

/// The PNG of what is on the paper, at twice its size.
pub(super) fn png(canvas: &Canvas) -> Result<Vec<u8>> {
    encoded(&picture(canvas)?).map_err(|error| Error::Figure(error.into()))
}

fn picture(canvas: &Canvas) -> Result<Pixmap> {
    let (width, height) = canvas.size();
    let mut pixels = Pixmap::new(width * SHARPNESS, height * SHARPNESS)
        .ok_or_else(|| Error::Figure("it has no extent".into()))?;
    let size = (width * FINENESS, height * FINENESS);
    draw_on(canvas, Picture { size, pixels: &mut pixels })?;
    Ok(pixels)
}

/// The file of a picture, which says who drew it.
fn encoded(picture: &Pixmap) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width(), picture.height());
    // The paper is opaque, so there is no transparency to keep.
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_text_chunk("Software".to_owned(), "hustings".to_owned())?;
    let (pixels, _) = picture.data().as_chunks();
    let colours: Vec<u8> = pixels.iter().flat_map(|&[r, g, b, _opacity]| [r, g, b]).collect();
    encoder.write_header()?.write_image_data(&colours)?;
    Ok(file)
}

/// A picture that plotters draws on, with the line ends, joins and places of text of its SVG.
struct Picture<'p> {
    size: (u32, u32),
    pixels: &'p mut Pixmap,
}

/// Nothing can go wrong between pixels.
type Done = std::result::Result<(), DrawingErrorKind<Infallible>>;

impl Picture<'_> {
    /// Fills a path that lies on the paper as `place` says, in units of plotters.
    fn fill(&mut self, path: &Path, place: Transform, colour: BackendColor) {
        let to_pixels = place.post_scale(SCALE, SCALE);
        self.pixels.fill_path(path, &paint(colour), FillRule::Winding, to_pixels, None);
    }

    /// Fills a path, or draws along it. There is no path, and nothing to see, of no extent.
    fn draw(&mut self, path: Option<Path>, style: &impl BackendStyle, fill: bool) -> Done {
        let Some(path) = path else { return Ok(()) };
        if fill {
            self.fill(&path, Transform::identity(), style.color());
        } else {
            let stroke = Stroke { width: style.stroke_width() as f32, ..Stroke::default() };
            let to_pixels = Transform::from_scale(SCALE, SCALE);
            self.pixels.stroke_path(&path, &paint(style.color()), &stroke, to_pixels, None);
        }
        Ok(())
    }
}

impl DrawingBackend for Picture<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Done {
        Ok(())
    }

    fn present(&mut self) -> Done {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Done {
        self.draw_rect((x, y), (x + 1, y + 1), &colour, true)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Done {
        let rect = Rect::from_ltrb(left as f32, top as f32, right as f32, bottom as f32);
        self.draw(rect.map(PathBuilder::from_rect), style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Done {
        self.draw(path(points), style, false)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Done {
        self.draw(PathBuilder::from_circle(x as f32, y as f32, radius as f32), style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Done {
        self.draw(path(points), style, true)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Done {
        let Some(letters) = outline(text) else { return Ok(()) };
        let size = style.size() / SHRINKS;
        let before = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => width(text, size) / 2.0,
            HPos::Right => width(text, size),
        };
        let units = size as f32 / f32::from(FACE.units_per_em());
        let turned = style.transform();
        let ((ax, ay), (bx, by)) = (turned.transform(1, 0), turned.transform(0, 1));
        let turn = Transform::from_row(ax as f32, ay as f32, bx as f32, by as f32, 0.0, 0.0);
        // A font counts upwards.
        let place = Transform::from_scale(units, -units)
            .post_translate(-before as f32, (BASE_LINE * size) as f32)
            .post_concat(turn)
            .post_translate(x as f32, y as f32);
        self.fill(&letters, place, style.color());
        Ok(())
    }
}

fn paint(BackendColor { alpha, rgb: (r, g, b) }: BackendColor) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (alpha * 255.0).round() as u8);
    paint
}

/// The path through points.
fn path(points: impl IntoIterator<Item = BackendCoord>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (x, y) in points {
        let (x, y) = (x as f32, y as f32);
        if path.is_empty() { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.finish()
}

/// The outline of a text that begins at the origin, in units of the font; spaces have none.
fn outline(text: &str) -> Option<Path> {
    let mut outline = Outline { path: PathBuilder::new(), left: 0.0 };
    for letter in text.chars() {
        let (glyph, advance) = glyph(letter);
        FACE.outline_glyph(glyph, &mut outline);
        outline.left += f32::from(advance);
    }
    outline.path.finish()
}

struct Outline {
    path: PathBuilder,
    /// Where the letter begins.
    left: f32,
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.left + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.left + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.left + x1, y1, self.left + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.left + x1, y1, self.left + x2, y2, self.left + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::figure::canvas::{Anchor, Area, Place};
    use crate::show::figure::style::{Colour, DOTTED, INK, Marker, SOLID};

    const PAPER: [u8; 3] = [255; 3];

    /// What a picture of 60 by 40 shows at a pixel.
    fn seen(draw: impl FnOnce(&mut Canvas)) -> impl Fn(u32, u32) -> [u8; 3] {
        let mut canvas = Canvas::new(60.0, 40.0);
        draw(&mut canvas);
        let picture = picture(&canvas).expect("it has an extent");
        assert_eq!((picture.width(), picture.height()), (120, 80));
        move |x, y| {
            let pixel = picture.pixel(x, y).expect("within the picture");
            assert_eq!(pixel.alpha(), 255);
            [pixel.red(), pixel.green(), pixel.blue()]
        }
    }

    /// The pixels that are not as white as the paper.
    fn inked(draw: impl FnOnce(&mut Canvas)) -> Vec<(u32, u32)> {
        let seen = seen(draw);
        let all = (0..80).flat_map(|y| (0..120).map(move |x| (x, y)));
        all.filter(|&(x, y)| seen(x, y) != PAPER).collect()
    }

    /// The pixels of an area.
    fn pixels(area: Area) -> (std::ops::Range<u32>, std::ops::Range<u32>) {
        let range = |low: f64, high: f64| {
            let pixels = |length: f64| length * f64::from(SHARPNESS);
            pixels(low).floor() as u32..pixels(high).ceil() as u32
        };
        (range(area.left, area.right), range(area.top, area.bottom))
    }

    /// The ink of a text is within this area, and reaches near its ends.
    fn assert_fills(place: Place, text: &str, anchor: Anchor, area: Area) {
        let inked = inked(|canvas| canvas.text(place, text, 12.0, anchor, INK));
        let (across, down) = pixels(area);
        for (x, y) in &inked {
            assert!(across.contains(x) && down.contains(y), "{text}: {x}, {y} beside {area:?}");
        }
        let reaches = |along: Vec<u32>, range: std::ops::Range<u32>| {
            let (low, high) = (along.iter().min(), along.iter().max());
            low.is_some_and(|low| low - range.start <= 4)
                && high.is_some_and(|high| range.end - high <= 4)
        };
        assert!(reaches(inked.iter().map(|pixel| pixel.0).collect(), across), "{text}: {inked:?}");
        assert!(reaches(inked.iter().map(|pixel| pixel.1).collect(), down), "{text}: {inked:?}");
    }

    /// A capital letter is 1493 units of 2048 high.
    #[test]
    fn texts_stand_in_their_measured_boxes() {
        let (size, long) = (12.0, width("HEH", 12.0));
        let (top, bottom) = ((0.25 - 1493.0 / 2048.0) * size, 0.25 * size);
        for (anchor, left) in
            [(Anchor::Start, 0.0), (Anchor::Middle, -long / 2.0), (Anchor::End, -long)]
        {
            let (left, right) = (30.0 + left, 30.0 + left + long);
            let area = Area { left, right, top: 20.0 + top, bottom: 20.0 + bottom };
            assert_fills((30.0, 20.0), "HEH", anchor, area);
        }
        // Upwards, what is above stands on the left.
        let (top_to, bottom_to) = (20.0 - long / 2.0, 20.0 + long / 2.0);
        let area = Area { left: 30.0 + top, right: 30.0 + bottom, top: top_to, bottom: bottom_to };
        assert_fills((30.0, 20.0), "HEH", Anchor::Upward, area);
    }

    #[test]
    fn an_upward_text_is_read_from_below() {
        let text = |anchor: Anchor| {
            inked(move |canvas| {
                canvas.text((30.0, 20.0), "L", 20.0, anchor, INK);
            })
        };
        // The foot of an L reaches to the right of its stem, and upwards when it is turned.
        let lowest = text(Anchor::Middle).into_iter().map(|(_, y)| y).max().expect("ink");
        let rightmost = text(Anchor::Upward).into_iter().map(|(x, _)| x).max().expect("ink");
        let foot = text(Anchor::Middle).into_iter().filter(|pixel| pixel.1 + 1 == lowest).count();
        let turned = text(Anchor::Upward).into_iter().filter(|pixel| pixel.0 + 1 == rightmost);
        assert!(foot > 10 && turned.count().abs_diff(foot) <= 1);
        let ends = text(Anchor::Upward).into_iter().filter(|pixel| pixel.0 < rightmost - 10);
        assert!(ends.min_by_key(|pixel| pixel.1).expect("a stem").1 > 40);
    }

    #[test]
    fn letters_that_the_font_has_not_leave_their_room_empty() {
        let text = |text: &'static str| {
            inked(move |canvas| canvas.text((10.0, 20.0), text, 12.0, Anchor::Start, INK))
        };
        assert_eq!(text("漢 "), []);
        let beside = (width("漢", 12.0) + 10.0) * f64::from(SHARPNESS);
        let begin = text("漢H").into_iter().map(|(x, _)| x).min().expect("ink");
        assert!((beside as u32..beside as u32 + 4).contains(&begin));
    }

    #[test]
    fn lines_cover_their_thickness_and_end_with_their_points() {
        let red = Colour(0xff, 0x00, 0x00);
        let line = |thickness: f64| {
            inked(move |canvas| {
                canvas.line(&[(10.0, 20.0), (15.0, 20.0)], red, thickness, SOLID);
            })
        };
        let block = |rows: std::ops::Range<u32>| -> Vec<(u32, u32)> {
            rows.flat_map(|y| (20..30).map(move |x| (x, y))).collect()
        };
        assert_eq!(line(1.0), block(39..41));
        assert_eq!(line(3.0), block(37..43));
        let corner = seen(|canvas| {
            canvas.line(&[(10.0, 30.0), (10.0, 10.0), (30.0, 10.0)], red, 4.0, SOLID);
        });
        // The corner is pointed.
        assert_eq!((corner(16, 16), corner(15, 15)), ([255, 0, 0], PAPER));
    }

    #[test]
    fn dashes_leave_gaps() {
        let dotted = inked(|canvas| {
            canvas.line(&[(10.0, 20.0), (28.0, 20.0)], INK, 1.0, DOTTED);
        });
        // Four times 1.5 of 4.5 pixels.
        assert_eq!(dotted.len(), 4 * 3 * 2);
    }

    #[test]
    fn areas_and_discs_cover_what_is_below_as_far_as_they_are_opaque() {
        let black = Colour(0, 0, 0);
        let area = Area { left: 10.0, top: 10.0, right: 20.0, bottom: 20.0 };
        let half = seen(|canvas| canvas.fill_area(area, black, 0.5));
        assert!((126..=128).contains(&half(20, 20)[0]) && half(19, 20) == PAPER);
        assert!(half(39, 39) == half(20, 20) && half(40, 39) == PAPER);
        let ring = seen(|canvas| canvas.marker((30.0, 20.0), Marker::Circle, 8.0, black, false));
        // The rim of 1.3 pixels, within and without.
        assert_eq!((ring(60, 40), ring(74, 40), ring(77, 40)), (PAPER, [0; 3], PAPER));
        assert_eq!((ring(60, 25), ring(60, 22), ring(47, 27)), ([0; 3], PAPER, PAPER));
    }
}
