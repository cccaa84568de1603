//! Figures as PDF: one page, its letters as text that can be searched and copied, and their font inside.
//!
//! What is written is the little of ISO 32000-1 that lines, areas and letters need. Equal drawings give
//! equal bytes: there is no date in it and no identity.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::LazyLock;

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::canvas::{Anchor, BASE_LINE, Canvas, Paper, Place, short, tenth};
use super::font::{FACE, FONT, glyph, width};
use super::mark::MARK;
use super::style::{Colour, Dash};

/// Points of a page in a pixel of the figure.
const POINTS: f64 = 0.75;

/// The font as it stands in every file.
pub(super) static FONT_FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| compress_to_vec_zlib(FONT, SQUEEZE));

/// How hard what is in the file is squeezed: as hard as can be.
const SQUEEZE: u8 = 9;

/// The name of the font in the file. The letters before the plus sign say that it is a part of one.
const FONT_NAME: &str = "HUSTNG+DejaVuSans";

/// The PDF of what is on the paper.
pub(super) fn pdf(canvas: &Canvas, title: &str) -> Vec<u8> {
    let (wide, high) = canvas.size();
    let [wide, high] = [wide, high].map(|pixels| f64::from(pixels) * POINTS);
    let mut page = Page::default();
    // Pixels from the upper left corner, and pointed corners as in the SVG.
    _ = writeln!(page.content, "{POINTS} 0 0 -{POINTS} 0 {} cm 4 M", short(high));
    canvas.put_on(&mut page);
    let opacities: String = (page.opacities.iter())
        .map(|percent| format!("/A{percent} << /ca {} >> ", short(f64::from(*percent) / 100.0)))
        .collect();
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(&format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R /Resources << /Font << /F \
         5 0 R >> /ExtGState << {opacities}>> >> /Group << /S /Transparency /CS /DeviceRGB >> >>",
        short(wide),
        short(high)
    ));
    file.stream("", page.content.as_bytes());
    file.object(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{FONT_NAME} /Encoding /Identity-H \
         /DescendantFonts [6 0 R] /ToUnicode 9 0 R >>"
    ));
    file.object(&format!(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{FONT_NAME} /CIDSystemInfo << /Registry \
         (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /CIDToGIDMap /Identity \
         /DW 0 /W [{}] >>",
        widths(&page.letters)
    ));
    file.object(&descriptor());
    file.squeezed(&format!("/Length1 {} ", FONT.len()), &FONT_FILE);
    file.stream("", meanings(&page.letters).as_bytes());
    file.object(&format!("<< /Producer (hustings) /Title <FEFF{}> >>", utf_16(title)));
    file.end()
}

/// The content of the page, and what it takes from elsewhere.
#[derive(Default)]
struct Page {
    content: String,
    /// The glyphs that occur, and the letters that they stand for.
    letters: BTreeMap<u16, char>,
    /// In per cent, those below 100 and 100 to come back.
    opacities: BTreeSet<u8>,
}

impl Page {
    fn colour(&mut self, Colour(r, g, b): Colour, operator: &str) {
        let [r, g, b] = [r, g, b].map(|part| short3(f64::from(part) / 255.0));
        _ = write!(self.content, "{r} {g} {b} {operator} ");
    }

    fn path(&mut self, points: &[Place], end: &str) {
        for (number, (x, y)) in points.iter().enumerate() {
            let step = if number == 0 { 'm' } else { 'l' };
            _ = write!(self.content, "{} {} {step} ", tenth(*x), tenth(*y));
        }
        _ = writeln!(self.content, "{end}");
    }
}

impl Paper for Page {
    fn line(&mut self, points: &[Place], colour: Colour, thickness: f64, dash: Dash) {
        self.colour(colour, "RG");
        let dash: Vec<String> = dash.iter().map(|length| short(*length)).collect();
        _ = write!(self.content, "{} w [{}] 0 d ", short(thickness), dash.join(" "));
        self.path(points, "S");
    }

    fn fill(&mut self, points: &[Place], colour: Colour, opacity: f64) {
        let percent = (opacity * 100.0).round() as u8;
        self.colour(colour, "rg");
        if percent < 100 {
            self.opacities.extend([percent, 100]);
            _ = write!(self.content, "/A{percent} gs ");
            self.path(points, "f /A100 gs");
        } else {
            self.path(points, "f");
        }
    }

    fn disc(&mut self, (x, y): Place, radius: f64, colour: Colour) {
        // A quarter of a circle as a cubic curve, good to 0.03 %.
        let handle = 4.0 / 3.0 * (2f64.sqrt() - 1.0) * radius;
        self.colour(colour, "rg");
        _ = write!(self.content, "{} {} m ", tenth(x + radius), tenth(y));
        for (cos, sin) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
            let (from, to) =
                ((x + radius * cos, y + radius * sin), (x - radius * sin, y + radius * cos));
            let places = [
                (from.0 - handle * sin, from.1 + handle * cos),
                (to.0 + handle * cos, to.1 + handle * sin),
                to,
            ];
            for (x, y) in places {
                _ = write!(self.content, "{} {} ", tenth(x), tenth(y));
            }
            self.content += "c ";
        }
        self.content += "f\n";
    }

    fn text(&mut self, (x, y): Place, text: &str, size: f64, anchor: Anchor, colour: Colour) {
        let before = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle | Anchor::Upward => width(text, size) / 2.0,
            Anchor::End => width(text, size),
        };
        let below = BASE_LINE * size;
        // The page counts downwards, letters upwards.
        let place = match anchor {
            Anchor::Upward => format!("0 -1 -1 0 {} {}", tenth(x + below), tenth(y + before)),
            _ => format!("1 0 0 -1 {} {}", tenth(x - before), tenth(y + below)),
        };
        self.colour(colour, "rg");
        _ = write!(self.content, "BT /F {} Tf {place} Tm <", short(size));
        for letter in text.chars() {
            let (glyph, _) = glyph(letter);
            // What the font has not is a letter nobody knows.
            let known = if glyph.0 == 0 { '\u{fffd}' } else { letter };
            self.letters.entry(glyph.0).or_insert(known);
            _ = write!(self.content, "{:04x}", glyph.0);
        }
        self.content += "> Tj ET\n";
    }
}

/// Thousandths, for parts of colours.
fn short3(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Units of the font in thousandths of its size.
fn thousandths(units: i32) -> i32 {
    (f64::from(units) * 1000.0 / f64::from(FACE.units_per_em())).round() as i32
}

/// How wide each glyph is.
fn widths(letters: &BTreeMap<u16, char>) -> String {
    let width = |number: &u16| {
        let advance = FACE.glyph_hor_advance(ttf_parser::GlyphId(*number)).unwrap_or_default();
        format!("{number} [{}]", thousandths(advance.into()))
    };
    letters.keys().map(width).collect::<Vec<_>>().join(" ")
}

fn descriptor() -> String {
    let bounds = FACE.global_bounding_box();
    let bounds = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max]
        .map(|units| thousandths(units.into()).to_string());
    let capital = FACE.capital_height().unwrap_or_else(|| FACE.ascender());
    // 32: not a font of symbols. The thickness of stems is only looked at where a font is missing.
    format!(
        "<< /Type /FontDescriptor /FontName /{FONT_NAME} /Flags 32 /FontBBox [{}] /ItalicAngle 0 \
         /Ascent {} /Descent {} /CapHeight {} /StemV 80 /FontFile2 8 0 R >>",
        bounds.join(" "),
        thousandths(FACE.ascender().into()),
        thousandths(FACE.descender().into()),
        thousandths(capital.into())
    )
}

/// Which letter each glyph stands for: what is copied and searched.
fn meanings(letters: &BTreeMap<u16, char>) -> String {
    let mut map = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
                   /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
                   /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n\
                   1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        .to_owned();
    let letters: Vec<(&u16, &char)> = letters.iter().collect();
    // A block may have a hundred.
    for block in letters.chunks(100) {
        _ = writeln!(map, "{} beginbfchar", block.len());
        for (number, letter) in block {
            _ = writeln!(map, "<{number:04x}> <{}>", utf_16(&letter.to_string()));
        }
        map += "endbfchar\n";
    }
    map + "endcmap CMapName currentdict /CMap defineresource pop end end\n"
}

fn utf_16(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("{unit:04x}")).collect()
}

/// The file: objects one after the other, and where each begins.
struct File {
    bytes: Vec<u8>,
    begins: Vec<usize>,
}

impl File {
    fn new() -> Self {
        // Four bytes that are no letters tell mail and copy programs so.
        let mut bytes = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n".to_vec();
        bytes.extend(format!("% {MARK}\n").bytes());
        File { bytes, begins: Vec::new() }
    }

    fn begin(&mut self) {
        self.begins.push(self.bytes.len());
        self.bytes.extend(format!("{} 0 obj\n", self.begins.len()).bytes());
    }

    fn object(&mut self, text: &str) {
        self.begin();
        self.bytes.extend(text.bytes().chain(*b"\nendobj\n"));
    }

    fn stream(&mut self, entries: &str, data: &[u8]) {
        self.squeezed(entries, &compress_to_vec_zlib(data, SQUEEZE));
    }

    fn squeezed(&mut self, entries: &str, squeezed: &[u8]) {
        self.begin();
        let length = squeezed.len();
        let head = format!("<< {entries}/Filter /FlateDecode /Length {length} >>\nstream\n");
        self.bytes
            .extend(head.bytes().chain(squeezed.iter().copied()).chain(*b"\nendstream\nendobj\n"));
    }

    /// The table of objects; the last one says who made the file.
    fn end(mut self) -> Vec<u8> {
        let (table, count) = (self.bytes.len(), self.begins.len());
        let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", count + 1);
        for begin in &self.begins {
            _ = writeln!(end, "{begin:010} 00000 n ");
        }
        _ = writeln!(
            end,
            "trailer\n<< /Size {} /Root 1 0 R /Info {count} 0 R >>\nstartxref\n{table}\n%%EOF",
            count + 1
        );
        self.bytes.extend(end.bytes());
        self.bytes
    }
}
