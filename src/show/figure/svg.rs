//! Figures as SVG: shapes of one kind that follow each other share their attributes, and lines a path.

use std::fmt::Write;

use super::canvas::{Anchor, BASE_LINE, Canvas, Paper, Place, RIM, Tag, tenth};
use super::data::Datum;
use super::font::FAMILY;
use super::mark::MARK;
use super::style::{Colour, Dash, Marker, PAPER};
use crate::model::escape;

/// The SVG of what is on the paper.
pub(super) fn svg(canvas: &Canvas) -> String {
    file(canvas, None)
}

/// The same as a part of a page: what belongs to a series stands in a group that has its name as
/// `data-series`, and the shape of a datum has what `of_datum` says of it among its attributes.
#[cfg(feature = "report")]
pub(super) fn svg_of_page(canvas: &Canvas, of_datum: &OfDatum) -> String {
    file(canvas, Some(of_datum))
}

/// The attributes of a datum's shape, each with a space before it.
pub(super) type OfDatum<'a> = dyn Fn(&Datum) -> String + 'a;

fn file(canvas: &Canvas, of_datum: Option<&OfDatum>) -> String {
    let (wide, high) = canvas.size();
    let mut drawing = Drawing { canvas, of_datum, ..Drawing::new(canvas) };
    canvas.put_on(&mut drawing);
    drawing.end_series();
    format!(
        "<svg width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         xmlns=\"http://www.w3.org/2000/svg\" font-family=\"{FAMILY}\">\n<!-- {MARK} -->\n\
         <path fill=\"{PAPER}\" d=\"M0 0H{wide}V{high}H0z\"/>\n{}</svg>\n",
        drawing.content
    )
}

/// What has been written, and what is still open.
struct Drawing<'a> {
    canvas: &'a Canvas,
    of_datum: Option<&'a OfDatum<'a>>,
    content: String,
    tag: Tag,
    /// The attributes of the group that is open, if one is.
    group: Option<String>,
    /// The attributes of the path that is open, and its steps.
    path: Option<(String, String)>,
}

impl<'a> Drawing<'a> {
    fn new(canvas: &'a Canvas) -> Self {
        let (content, tag) = (String::new(), Tag::default());
        Drawing { canvas, of_datum: None, content, tag, group: None, path: None }
    }

    fn end_path(&mut self) {
        if let Some((attributes, steps)) = self.path.take() {
            _ = writeln!(self.content, "<path {attributes} d=\"{steps}\"/>");
        }
    }

    fn end_group(&mut self) {
        self.end_path();
        if self.group.take().is_some() {
            self.content += "</g>\n";
        }
    }

    fn end_series(&mut self) {
        self.end_group();
        if self.of_datum.is_some() && self.tag.series.is_some() {
            self.content += "</g>\n";
        }
        self.tag = Tag::default();
    }

    /// Opens a group with these attributes, unless it is open.
    fn within(&mut self, attributes: String) {
        self.end_path();
        if self.group.as_ref() != Some(&attributes) {
            self.end_group();
            _ = writeln!(self.content, "<g {attributes}>");
            self.group = Some(attributes);
        }
    }

    /// Adds steps to the open path, if it has these attributes, or else to a new one.
    fn along(&mut self, attributes: String, steps: &str) {
        match &mut self.path {
            Some((known, path)) if *known == attributes => *path += steps,
            _ => {
                self.end_group();
                self.path = Some((attributes, steps.to_owned()));
            }
        }
    }

    /// What is said of the datum of the next shape.
    fn datum(&self) -> String {
        let datum = self.tag.datum.and_then(|number| self.canvas.data().rows.get(number));
        self.of_datum.zip(datum).map_or_else(String::new, |(of_datum, datum)| of_datum(datum))
    }
}

impl Paper for Drawing<'_> {
    fn next_is(&mut self, tag: Tag) {
        if (tag.series, tag.is_label) != (self.tag.series, self.tag.is_label) {
            self.end_series();
            if let (Some(series), true) = (tag.series, self.of_datum.is_some()) {
                let name = escape::xml(self.canvas.data().name(series));
                let class = if tag.is_label { " class=\"label\"" } else { "" };
                _ = writeln!(self.content, "<g data-series=\"{name}\"{class}>");
                if !tag.is_label {
                    _ = writeln!(self.content, "<title>{name}</title>");
                }
            }
        }
        self.tag = tag;
    }

    fn line(&mut self, points: &[Place], colour: Colour, thickness: f64, dash: Dash) {
        let mut attributes =
            format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\"", tenth(thickness));
        if !dash.is_empty() {
            let lengths: Vec<String> = dash.iter().map(|length| tenth(*length)).collect();
            _ = write!(attributes, " stroke-dasharray=\"{}\"", lengths.join(" "));
        }
        self.along(attributes, &steps(points));
    }

    fn fill(&mut self, points: &[Place], colour: Colour, opacity: f64) {
        let steps = steps(points) + "z";
        let datum = self.datum();
        if opacity < 1.0 || !datum.is_empty() {
            self.within(format!("fill=\"{colour}\" fill-opacity=\"{opacity}\""));
            _ = writeln!(self.content, "<path{datum} d=\"{steps}\"/>");
        } else {
            self.along(format!("fill=\"{colour}\""), &steps);
        }
    }

    fn disc(&mut self, (x, y): Place, radius: f64, colour: Colour) {
        self.within(format!("fill=\"{colour}\""));
        let (x, y, r, datum) = (tenth(x), tenth(y), tenth(radius), self.datum());
        _ = writeln!(self.content, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{datum}/>");
    }

    fn marker(&mut self, at: Place, marker: Marker, radius: f64, colour: Colour, filled: bool) {
        // A rim is drawn along its middle.
        let radius = if filled { radius } else { radius - RIM / 2.0 };
        match filled {
            true => self.within(format!("fill=\"{colour}\"")),
            false => {
                self.within(format!("fill=\"{PAPER}\" stroke=\"{colour}\" stroke-width=\"{RIM}\""))
            }
        }
        let datum = self.datum();
        match marker {
            Marker::Circle => {
                let (x, y, r) = (tenth(at.0), tenth(at.1), tenth(radius));
                _ = writeln!(self.content, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{datum}/>");
            }
            _ => {
                let steps = steps(&marker.around(at, radius));
                _ = writeln!(self.content, "<path{datum} d=\"{steps}z\"/>");
            }
        }
    }

    fn text(&mut self, (x, y): Place, text: &str, size: f64, anchor: Anchor, colour: Colour) {
        let below = BASE_LINE * size;
        let word = match anchor {
            Anchor::Start => "start",
            Anchor::Middle | Anchor::Upward => "middle",
            Anchor::End => "end",
        };
        let (x, y, turn) = match anchor {
            Anchor::Upward => {
                let (x, y) = (tenth(x + below), tenth(y));
                let turn = format!(" transform=\"rotate(270 {x} {y})\"");
                (x, y, turn)
            }
            _ => (tenth(x), tenth(y + below), String::new()),
        };
        let size = tenth(size);
        self.within(format!("font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{word}\""));
        let text = escape::xml(text);
        _ = writeln!(self.content, "<text x=\"{x}\" y=\"{y}\"{turn}>{text}</text>");
    }
}

/// A path through points: the first as it is, the others by how far they are from the one before.
fn steps(points: &[Place]) -> String {
    let whole = |(x, y): Place| ((x * 10.0).round() as i64, (y * 10.0).round() as i64);
    let mut path = String::new();
    let mut at = (0, 0);
    for (number, point) in points.iter().copied().map(whole).enumerate() {
        let (dx, dy) = (point.0 - at.0, point.1 - at.1);
        at = point;
        let [x, y] = [dx, dy].map(|tenths| tenth(tenths as f64 / 10.0));
        match (number, dx, dy) {
            (0, ..) => _ = write!(path, "M{x} {y}"),
            // What has not moved is kept: a line of no length is a point.
            (_, 0, _) => _ = write!(path, "v{y}"),
            (_, _, 0) => _ = write!(path, "h{x}"),
            _ if y.starts_with('-') => _ = write!(path, "l{x}{y}"),
            _ => _ = write!(path, "l{x} {y}"),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::figure::style::{GRID, INK, SOLID};

    #[test]
    fn the_paper_keeps_tenths_of_a_pixel() {
        let mut canvas = Canvas::new(100.0, 50.0);
        canvas.text((10.25, 20.0), "n < 5", 12.0, Anchor::Start, INK);
        let svg = svg(&canvas);
        assert!(svg.starts_with("<svg width=\"100\" height=\"50\" viewBox=\"0 0 100 50\""));
        assert!(svg.contains("<text x=\"10.2\" y=\"23\">n &lt; 5</text>"), "{svg}");
        for (value, text) in
            [(0.0, "0"), (-0.04, "0"), (0.26, ".3"), (-0.5, "-.5"), (30.0, "30"), (-7.0, "-7")]
        {
            assert_eq!(tenth(value), text);
        }
    }

    #[test]
    fn lines_of_one_kind_are_one_path_and_each_step_leads_where_it_should() {
        let mut canvas = Canvas::new(100.0, 50.0);
        canvas.line(&[(1.0, 2.0), (1.0, 4.0), (3.25, 3.0)], GRID, 0.8, SOLID);
        canvas.line(&[(5.0, 5.0), (9.0, 5.0), (9.5, 6.5)], GRID, 0.8, SOLID);
        let svg = svg(&canvas);
        assert!(svg.contains("d=\"M1 2v2l2.3-1M5 5h4l.5 1.5\""), "{svg}");
    }

    #[test]
    fn on_a_page_marks_tell_their_series_and_what_they_stand_for() {
        let mut canvas = Canvas::new(100.0, 50.0);
        canvas.series("a & b");
        canvas.stands_for(Datum::new(1.0, 2.0, None));
        canvas.marker((5.0, 6.0), Marker::Circle, 4.0, INK, true);
        canvas.marker((7.0, 6.0), Marker::Circle, 4.0, INK, true);
        canvas.neutral();
        let page = svg_of_page(&canvas, &|datum| format!(" data-y=\"{}\"", datum.y));
        assert!(page.contains("<g data-series=\"a &amp; b\">\n<title>a &amp; b</title>"), "{page}");
        assert_eq!(page.matches("data-y=\"2\"").count(), 1);
        let alone = svg(&canvas);
        assert!(!alone.contains("data-") && !alone.contains("title"), "{alone}");
    }
}
