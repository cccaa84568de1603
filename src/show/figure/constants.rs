//! Fitted constants of the growth laws, with their intervals, beside those that are known.

use super::canvas::{Anchor, Area, Canvas};
use super::curve::known_curves;
use super::data::Datum;
use super::drawing::Drawing;
use super::font::width;
use super::font::{LABEL, SMALL, TINY, wrapped};
use super::panel::Panel;
use super::plot::{MESSAGES, Plot};
use super::scale::{Scale, range};
use super::series::draw_interval;
use super::sheet::{Sheet, Words};
use super::source::{Selection, Setting, Source, Subject};
use super::style::{ALARM, Colour, DOTTED, FAINT, INK, Look, MARKER, Marker, SOLID, THEORY};
use crate::experiment::key::CellKey;
use crate::model::theory::Certainty;
use crate::model::topology::RING;
use crate::statistics::CONFIDENCE;
use crate::statistics::fit::{Coefficient, Fit, Point, fit};
use crate::statistics::growth::Term;
use crate::summarise::{CellSummary, FEWEST_SIZES, Series};

pub(super) const PLOT: Plot = Plot {
    name: "constants",
    line: "fitted constants with intervals beside the known ones",
    about: Subject::Rings,
    metrics: MESSAGES,
    draw,
};

const CAPTION: &str = "Constants fitted to the measured means over those that the same laws have for the \
                       exact expectations, with 95 % intervals: 1 is the known constant, and an interval \
                       that misses it has a ring. Where no expectation is known the constants stand by \
                       themselves; dotted lines are constants from the literature.";

/// What x of a row is: over the known constant, or itself.
const RATIO: &str = "fitted constant / known constant";
const CONSTANT: &str = "fitted constant";

/// The room for the law in words.
const WORDS: f64 = 300.0;
/// The height of a line of these words.
const WORD_LINE: f64 = 14.0;
/// The room for what stands above a section.
const HEAD: f64 = 22.0;
/// Free paper between sections.
const GAP: f64 = 14.0;

/// What is shown: series with their laws, and the setting that they share.
struct Shown<'a> {
    selection: Selection<'a>,
    rows: Vec<Row<'a>>,
}

/// One series with its law.
struct Row<'a> {
    label: String,
    look: Look,
    fit: &'a Fit,
    leading: &'a Coefficient,
    /// The same law fitted to the expectations at the same sizes, and their formula.
    known: Option<(f64, String)>,
}

/// Series that share an axis.
struct Section<'s, 'a> {
    rows: Vec<&'s Row<'a>>,
    /// The term that the laws grow like where no constant is known; else they are set beside those.
    term: Option<Term>,
    /// The constants that the reference curves have before this term.
    guides: Vec<(f64, &'static str)>,
}

fn draw(source: &Source) -> Drawing {
    let Shown { selection, rows } = &select(source)?;
    let words = Words {
        title: title(rows),
        notes: format!(
            "Coefficient of the fastest growing term of the law that the means speak for most, over what the \
             same law gives for the exact expectations, with 95 % intervals; {}{}.",
            selection.notes(),
            if source.choice.width.is_column() { "; the laws in words: --width page" } else { "" }
        ),
        source: source.line(),
    };
    let sections = sections(rows);
    let room = if words.source.width.is_column() { 0.0 } else { WORDS };
    let height = sections.iter().map(|section| section.height(room)).sum::<f64>() - GAP;
    let mut sheet = Sheet::new(words, height);
    let widest = rows.iter().map(|row| width(&row.label, LABEL)).fold(0.0, f64::max);
    let mut top = sheet.body.top;
    for section in &sections {
        section.draw(&mut sheet.canvas, Area { top, ..sheet.body }, widest, room);
        top += section.height(room);
    }
    sheet.figure(PLOT.name, CAPTION)
}

fn select<'a>(source: &Source<'a>) -> Drawing<Shown<'a>> {
    let wanted = |cell: &CellSummary| is_shown(&cell.key);
    let selection =
        source.select(wanted).ok_or("there is no cell on random, best or worst rings")?;
    let rows = rows(source, &selection.setting);
    if rows.is_empty() {
        let why = format!("no algorithm has been measured at {FEWEST_SIZES} sizes or more");
        return Err(why.into());
    }
    Ok(Shown { selection, rows })
}

fn is_shown(key: &CellKey) -> bool {
    key.topology == RING && matches!(key.layout.as_str(), "random" | "best" | "worst")
}

fn rows<'a>(source: &Source<'a>, setting: &Setting) -> Vec<Row<'a>> {
    let shown = |series: &&Series| {
        let CellKey { algorithm, ids, initiators, timing, .. } = &series.key;
        let chosen = &source.choice.algorithms;
        *setting == (Setting { ids, initiators, timing })
            && is_shown(&series.key)
            && (chosen.is_empty() || chosen.contains(algorithm))
    };
    let row = |series: &'a Series| {
        let first = series.ranking.as_ref().ok()?.ranked.first()?;
        let CellKey { algorithm, layout, .. } = &series.key;
        Some(Row {
            label: format!("{algorithm}, {layout}"),
            look: source.look(algorithm),
            fit: &first.fit,
            leading: first.fit.coefficients.first()?,
            known: known(source, series, &first.fit),
        })
    };
    source.summary.series.iter().filter(shown).filter_map(row).collect()
}

/// The law of a fit for the exact expectations at the same sizes.
fn known(source: &Source, series: &Series, measured: &Fit) -> Option<(f64, String)> {
    let cells = source.summary.cells.iter();
    let same: Vec<&CellSummary> =
        cells.filter(|cell| cell.key.is_in_series_of(&series.key)).collect();
    let points: Option<Vec<Point>> = same
        .iter()
        .map(|cell| {
            // A law that was itself fitted to simulations is nothing to be confirmed by.
            let fact = cell.theory_mean.as_ref();
            let mean = fact.filter(|fact| fact.certainty != Certainty::Measured)?.value.as_f64();
            Some(Point { n: cell.n(), mean, standard_error: cell.standard_error })
        })
        .collect();
    let law = fit(&points?, measured.model, CONFIDENCE).ok()?;
    let formula = same.last()?.theory_mean.as_ref()?.formula.clone();
    Some((law.coefficients.first()?.value, formula)).filter(|(known, _)| *known > 0.0)
}

fn sections<'s, 'a>(rows: &'s [Row<'a>]) -> Vec<Section<'s, 'a>> {
    let terms = [Term::N, Term::NHarmonic, Term::NLog2N, Term::NTo11, Term::NTo15, Term::NSquared];
    let known = Section {
        rows: rows.iter().filter(|row| row.known.is_some()).collect(),
        term: None,
        guides: Vec::new(),
    };
    let unknown = terms.into_iter().map(|term| {
        let alone = |row: &&Row| row.known.is_none() && row.leading.term == term;
        let rows = rows.iter().filter(alone).collect();
        Section { rows, term: Some(term), guides: guides(term) }
    });
    [known].into_iter().chain(unknown).filter(|section| !section.rows.is_empty()).collect()
}

fn guides(term: Term) -> Vec<(f64, &'static str)> {
    const LARGE: u64 = 1 << 40;
    let belongs = |name: &str| match term {
        Term::NLog2N => name.ends_with("n log2 n"),
        Term::NHarmonic => name == "n H_n",
        Term::NSquared => name == "n²",
        _ => false,
    };
    let curves = known_curves().rev().filter(|curve| belongs(curve.name));
    curves.map(|curve| ((curve.value)(LARGE) / term.at(LARGE), curve.name)).collect()
}

impl Section<'_, '_> {
    fn rows_height(&self, room: f64) -> f64 {
        self.rows.iter().map(|row| row.height(room)).sum()
    }

    fn height(&self, room: f64) -> f64 {
        HEAD + self.rows_height(room) + Panel::low_room(CONSTANT) + GAP
    }

    /// Draws the section from the top of a body, with room for the widest label.
    fn draw(&self, canvas: &mut Canvas, body: Area, widest: f64, room: f64) {
        let heading = match self.term {
            None => "beside the constants of the exact expectations".to_owned(),
            Some(term) => format!("no expectation is known; laws that grow like {term}"),
        };
        canvas.text((body.left, body.top + 8.0), &heading, SMALL, Anchor::Start, FAINT);
        let area = Area {
            left: body.left + widest + 12.0,
            top: body.top + HEAD,
            right: body.right - room - 12.0,
            bottom: body.top + HEAD + self.rows_height(room),
        };
        let panel = Panel::of_rows(area, self.scale());
        panel.draw_level_axis(canvas);
        let name = if self.term.is_some() { CONSTANT } else { RATIO };
        canvas.axes(("", name));
        let half = width(name, LABEL) / 2.0;
        let middle = f64::midpoint(area.left, area.right).min(body.right - half);
        let below = (middle, area.bottom + 12.0 + SMALL + 6.0);
        canvas.text(below, name, LABEL, Anchor::Middle, INK);
        match self.term {
            None => panel.upright(canvas, 1.0, INK, 1.2, SOLID),
            Some(_) => self.draw_guides(canvas, &panel, body.right),
        }
        let mut top = area.top;
        for row in &self.rows {
            row.draw(canvas, &panel, top + row.height(room) / 2.0, body.right, room);
            top += row.height(room);
        }
    }

    fn scale(&self) -> Scale {
        let ends = || self.rows.iter().map(|row| row.place());
        if self.term.is_none() {
            // The narrowest interval can still be seen: the axis is even over about its width.
            let widths = ends().map(|(_, (low, high))| (high - low) / 2.0);
            let narrow = widths.filter(|width| *width > 1e-6).reduce(f64::min).unwrap_or(0.001);
            let far = ends().flat_map(|(value, (low, high))| [value, low, high]);
            let far = far.map(|end| (end - 1.0).abs()).fold(0.0, f64::max);
            return Scale::around_one(10f64.powf(narrow.log10().round()), far);
        }
        let values = ends().flat_map(|(value, (low, high))| [value, low, high]);
        let guides = self.guides.iter().map(|(value, _)| *value);
        let (low, high) = range(values.chain(guides)).unwrap_or((0.0, 1.0));
        Scale::linear(low, high)
    }

    /// Draws the constants of the literature, which may be named up to the right end of the paper.
    fn draw_guides(&self, canvas: &mut Canvas, panel: &Panel, end: f64) {
        let mut right = f64::NEG_INFINITY;
        for (value, name) in &self.guides {
            panel.upright(canvas, *value, THEORY, 1.0, DOTTED);
            let (x, half) = (panel.across(*value), width(name, TINY) / 2.0);
            // Names that would run into each other or off the panel stay away.
            if x - half > right && x - half > panel.area.left && x + half < end {
                canvas.text((x, panel.area.top - 7.0), name, TINY, Anchor::Middle, FAINT);
                right = x + half + 6.0;
            }
        }
    }
}

impl Row<'_> {
    /// The law and what is known, in lines no wider than `room`; none where there is no room.
    fn words(&self, room: f64) -> Vec<(String, f64, Colour)> {
        if room == 0.0 {
            return Vec::new();
        }
        let known = match &self.known {
            Some((known, formula)) => {
                let misses = if self.holds() == Some(false) { "missed, " } else { "" };
                format!("{misses}theory {known:.4}: {formula}")
            }
            None => "no expectation is known".to_owned(),
        };
        let lines = |text: &str, size: f64, colour: Colour| {
            wrapped(text, size, room).into_iter().map(move |line| (line, size, colour))
        };
        lines(&self.fit.sentence(), SMALL, INK).chain(lines(&known, TINY, FAINT)).collect()
    }

    fn height(&self, room: f64) -> f64 {
        self.words(room).len().max(1) as f64 * WORD_LINE + 6.0
    }

    /// Where it stands on its axis, with its interval: over the known constant where there is one.
    fn place(&self) -> (f64, (f64, f64)) {
        let Coefficient { value, interval: (low, high), .. } = *self.leading;
        let unit = self.known.as_ref().map_or(1.0, |(known, _)| *known);
        (value / unit, (low / unit, high / unit))
    }

    /// Whether the interval has the known constant; `None` where none is known.
    fn holds(&self) -> Option<bool> {
        let (known, _) = self.known.as_ref()?;
        let (low, high) = self.leading.interval;
        // Where nothing is random the interval has no width, only rounding.
        let slack = 1e-9 * known.abs();
        Some((low - slack..=high + slack).contains(known))
    }

    /// Draws label, interval and fitted constant around a y, and the law in words up to the right end.
    fn draw(&self, canvas: &mut Canvas, panel: &Panel, y: f64, right: f64, room: f64) {
        let Look { colour, marker, .. } = self.look;
        canvas.text((panel.area.left - 10.0, y), &self.label, LABEL, Anchor::End, INK);
        let (value, (low, high)) = self.place();
        let misses = self.holds() == Some(false);
        let x = panel.across(value);
        if misses {
            canvas.marker((x, y), Marker::Circle, MARKER + 4.0, ALARM, false);
        }
        draw_interval(canvas, (panel.across(low), panel.across(high)), y, colour, 5.0);
        canvas.series(&self.label);
        canvas.stands_for(Datum::new(None, value, Some((low, high))));
        canvas.marker((x, y), marker, MARKER, colour, true);
        canvas.neutral();
        let words = self.words(room);
        for (line, (text, size, colour)) in words.iter().enumerate() {
            let shift = (line as f64 - (words.len() - 1) as f64 / 2.0) * WORD_LINE;
            canvas.text((right - room, y + shift), text, *size, Anchor::Start, *colour);
        }
    }
}

/// How many of the constants hold the known one in their interval.
fn title(rows: &[Row]) -> String {
    let both: Vec<bool> = rows.iter().filter_map(Row::holds).collect();
    let within = both.iter().filter(|within| **within).count();
    match both.len() {
        0 => "Fitted constants; no expectation is known to set beside them".to_owned(),
        all => format!(
            "{within} of {all} fitted constants have the known one within their 95 % interval"
        ),
    }
}
