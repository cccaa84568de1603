//! Fitted constants of the growth laws, with their intervals, beside those that are known.

use super::canvas::{Anchor, Area, Canvas};
use super::curve::known_curves;
use super::drawing::Drawing;
use super::font::width;
use super::font::{LABEL, SMALL, TINY, wrapped};
use super::panel::Panel;
use super::plot::{MESSAGES, Plot};
use super::scale::{Scale, range};
use super::series::draw_interval;
use super::sheet::{Sheet, Words};
use super::source::{Selection, Setting, Source, Subject};
use super::style::{Colour, DOTTED, FAINT, INK, Look, MARKER, SOLID, THEORY};
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

const CAPTION: &str = "Constants fitted to the measured means, with 95 % intervals (markers and \
                       whiskers), beside the constants of theory (upright bars); dotted lines are \
                       constants from the literature.";

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

/// The series whose laws grow alike.
struct Section<'s, 'a> {
    term: Term,
    rows: Vec<&'s Row<'a>>,
    /// The constants that the reference curves have before this term.
    guides: Vec<(f64, &'static str)>,
}

fn draw(source: &Source) -> Drawing {
    let Shown { selection, rows } = &select(source)?;
    let words = Words {
        title: title(rows),
        notes: format!(
            "Coefficient of the fastest growing term of the law that the means speak for most, with its 95 % \
             interval; upright bars are what the same law gives for the exact expectations; {}.",
            selection.notes()
        ),
        source: source.line(),
    };
    let sections = sections(rows);
    let height = sections.iter().map(Section::height).sum::<f64>() - GAP;
    let mut sheet = Sheet::new(words, height);
    let widest = rows.iter().map(|row| width(&row.label, LABEL)).fold(0.0, f64::max);
    let mut top = sheet.body.top;
    for section in &sections {
        section.draw(&mut sheet.canvas, Area { top, ..sheet.body }, widest);
        top += section.height();
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
    Some((law.coefficients.first()?.value, formula))
}

fn sections<'s, 'a>(rows: &'s [Row<'a>]) -> Vec<Section<'s, 'a>> {
    let terms = [Term::N, Term::NHarmonic, Term::NLog2N, Term::NTo11, Term::NTo15, Term::NSquared];
    let section = |term: Term| {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.leading.term == term).collect();
        (!rows.is_empty()).then(|| Section { term, rows, guides: guides(term) })
    };
    terms.into_iter().filter_map(section).collect()
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
    fn rows_height(&self) -> f64 {
        self.rows.iter().map(|row| row.height()).sum()
    }

    fn height(&self) -> f64 {
        HEAD + self.rows_height() + Panel::low_room("") + GAP
    }

    /// Draws the section from the top of a body, with room for the widest label.
    fn draw(&self, canvas: &mut Canvas, body: Area, widest: f64) {
        let heading = format!("laws that grow like {}", self.term);
        canvas.text((body.left, body.top + 8.0), &heading, SMALL, Anchor::Start, FAINT);
        let area = Area {
            left: body.left + widest + 12.0,
            top: body.top + HEAD,
            right: body.right - WORDS - 12.0,
            bottom: body.top + HEAD + self.rows_height(),
        };
        let panel = Panel::of_rows(area, self.scale());
        panel.draw_level_axis(canvas);
        self.draw_guides(canvas, &panel, body.right);
        let mut top = area.top;
        for row in &self.rows {
            row.draw(canvas, &panel, top + row.height() / 2.0, body.right - WORDS);
            top += row.height();
        }
    }

    fn scale(&self) -> Scale {
        let values = self.rows.iter().flat_map(|row| {
            let Coefficient { value, interval, .. } = *row.leading;
            let known = row.known.as_ref().map_or(value, |known| known.0);
            [value, interval.0, interval.1, known]
        });
        let guides = self.guides.iter().map(|(value, _)| *value);
        let (low, high) = range(values.chain(guides).chain([0.0])).unwrap_or((0.0, 1.0));
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
    /// The law and what is known, in lines.
    fn words(&self) -> Vec<(String, f64, Colour)> {
        let known = match &self.known {
            Some((known, formula)) => format!("theory {known:.4}: {formula}"),
            None => "no expectation is known".to_owned(),
        };
        let lines = |text: &str, size: f64, colour: Colour| {
            wrapped(text, size, WORDS).into_iter().map(move |line| (line, size, colour))
        };
        lines(&self.fit.sentence(), SMALL, INK).chain(lines(&known, TINY, FAINT)).collect()
    }

    fn height(&self) -> f64 {
        self.words().len() as f64 * WORD_LINE + 6.0
    }

    /// Draws label, known constant, interval and fitted constant around a y, and the law in words
    /// right of an x.
    fn draw(&self, canvas: &mut Canvas, panel: &Panel, y: f64, words_left: f64) {
        let Look { colour, marker, .. } = self.look;
        canvas.text((panel.area.left - 10.0, y), &self.label, LABEL, Anchor::End, INK);
        if let Some((known, _)) = self.known {
            let x = panel.across(known);
            canvas.line(&[(x, y - 11.0), (x, y + 11.0)], INK, 1.6, SOLID);
        }
        let (low, high) = self.leading.interval;
        draw_interval(canvas, (panel.across(low), panel.across(high)), y, colour, 5.0);
        canvas.marker((panel.across(self.leading.value), y), marker, MARKER, colour, true);
        let words = self.words();
        for (line, (text, size, colour)) in words.iter().enumerate() {
            let shift = (line as f64 - (words.len() - 1) as f64 / 2.0) * WORD_LINE;
            canvas.text((words_left, y + shift), text, *size, Anchor::Start, *colour);
        }
    }
}

/// How many of the constants hold the known one in their interval.
fn title(rows: &[Row]) -> String {
    let both: Vec<bool> = rows
        .iter()
        .filter_map(|row| {
            let (known, _) = row.known.as_ref()?;
            let (low, high) = row.leading.interval;
            // Where nothing is random the interval has no width, only rounding.
            let slack = 1e-9 * known.abs();
            Some((low - slack..=high + slack).contains(known))
        })
        .collect();
    let within = both.iter().filter(|within| **within).count();
    match both.len() {
        0 => "Fitted constants; no expectation is known to set beside them".to_owned(),
        all => format!(
            "{within} of {all} fitted constants have the known one within their 95 % interval"
        ),
    }
}
