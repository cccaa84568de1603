//! Fitted constants of the growth laws, with their intervals, beside those that are known.

use super::canvas::{Anchor, Area};
use super::drawing::{Drawing, Figure};
use super::font::width;
use super::frame::{LABEL, Panel, SMALL, Sheet, TINY, wrapped};
use super::plot::Plot;
use super::scale::{Scale, range};
use super::source::{Setting, Source, Subject};
use super::style::{Colour, DOTTED, FAINT, INK, Look, SOLID, THEORY};
use crate::experiment::key::CellKey;
use crate::model::theory::CURVES;
use crate::model::topology::RING;
use crate::statistics::CONFIDENCE;
use crate::statistics::fit::{Coefficient, Fit, Point, fit};
use crate::statistics::growth::Term;
use crate::summarise::{CellSummary, FEWEST_SIZES, Series};

pub(super) const PLOT: Plot = Plot {
    name: "constants",
    line: "fitted constants with intervals beside the known ones",
    about: Subject::Rings,
    draw,
};

/// The room for the law in words.
const WORDS: f64 = 300.0;
/// The height of a line of these words.
const WORD_LINE: f64 = 14.0;

/// One series with its law.
struct Row<'a> {
    label: String,
    look: Look,
    fit: &'a Fit,
    /// The same law fitted to the expectations at the same sizes, and their formula.
    known: Option<(f64, String)>,
}

impl Row<'_> {
    fn leading(&self) -> Option<&Coefficient> {
        self.fit.coefficients.first()
    }

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
}

fn draw(source: &Source) -> Drawing {
    let wanted = |cell: &CellSummary| {
        cell.key.topology == RING && matches!(cell.key.layout.as_str(), "random" | "best" | "worst")
    };
    let Some(selection) = source.select(wanted) else {
        let why = "there is no cell on random, best or worst rings";
        return Err(why.into());
    };
    let rows = rows(source, &selection.setting);
    if rows.is_empty() {
        let why = format!("no algorithm has been measured at {FEWEST_SIZES} sizes or more");
        return Err(why.into());
    }
    let mut terms: Vec<Term> = Vec::new();
    for term in [Term::N, Term::NHarmonic, Term::NLog2N, Term::NTo11, Term::NTo15, Term::NSquared] {
        if rows.iter().any(|row| row.leading().is_some_and(|leading| leading.term == term)) {
            terms.push(term);
        }
    }
    let of = |term: Term| {
        rows.iter().filter(move |row| row.leading().is_some_and(|leading| leading.term == term))
    };
    let rows_height = |term: Term| of(term).map(Row::height).sum::<f64>();
    let height = |term: Term| 22.0 + rows_height(term) + Panel::low_room("") + 14.0;

    let title = title(&rows);
    let notes = format!(
        "Coefficient of the fastest growing term of the law that the means speak for most, with its 95 % \
         interval; upright bars are what the same law gives for the exact expectations; {}.",
        selection.notes()
    );
    let total = terms.iter().map(|&term| height(term)).sum::<f64>() - 14.0;
    let mut sheet = Sheet::new(&title, &notes, &source.line(), total);
    let canvas = &mut sheet.canvas;
    let widest = rows.iter().map(|row| width(&row.label, LABEL)).fold(0.0, f64::max);
    let mut top = sheet.body.top;
    for &term in &terms {
        let guides = guides(term);
        let values = of(term).filter_map(|row| {
            let leading = row.leading()?;
            Some([
                leading.value,
                leading.interval.0,
                leading.interval.1,
                row.known.as_ref().map_or(leading.value, |known| known.0),
            ])
        });
        let guide_values = guides.iter().map(|(value, _)| *value);
        let ends = range(values.flatten().chain(guide_values).chain([0.0]));
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        let area = Area {
            left: sheet.body.left + widest + 12.0,
            top: top + 22.0,
            right: sheet.body.right - WORDS - 12.0,
            bottom: top + 22.0 + rows_height(term),
        };
        canvas.text(
            (sheet.body.left, top + 8.0),
            &format!("laws that grow like {term}"),
            SMALL,
            Anchor::Start,
            FAINT,
        );
        let panel = Panel { area, x: Scale::linear(low, high), y: Scale::linear_exactly(0.0, 1.0) };
        panel.draw_level(canvas);
        let mut right = f64::NEG_INFINITY;
        for (value, name) in &guides {
            let x = panel.across(*value);
            canvas.line(&[(x, area.top), (x, area.bottom)], THEORY, 1.0, DOTTED);
            let half = width(name, TINY) / 2.0;
            // Names that would run into each other or off the panel stay away.
            if x - half > right && x - half > area.left && x + half < sheet.body.right {
                canvas.text((x, area.top - 7.0), name, TINY, Anchor::Middle, FAINT);
                right = x + half + 6.0;
            }
        }
        let mut below = area.top;
        for row in of(term) {
            let y = below + row.height() / 2.0;
            below += row.height();
            canvas.text((area.left - 10.0, y), &row.label, LABEL, Anchor::End, INK);
            let Some(leading) = row.leading() else { continue };
            if let Some((known, _)) = row.known {
                let x = panel.across(known);
                canvas.line(&[(x, y - 11.0), (x, y + 11.0)], INK, 1.6, SOLID);
            }
            let (low, high) = (panel.across(leading.interval.0), panel.across(leading.interval.1));
            canvas.line(&[(low, y), (high, y)], row.look.colour, 2.0, SOLID);
            for end in [low, high] {
                canvas.line(&[(end, y - 5.0), (end, y + 5.0)], row.look.colour, 1.4, SOLID);
            }
            canvas.marker(
                (panel.across(leading.value), y),
                row.look.marker,
                4.0,
                row.look.colour,
                true,
            );
            let words = row.words();
            for (line, (text, size, colour)) in words.iter().enumerate() {
                let shift = (line as f64 - (words.len() - 1) as f64 / 2.0) * WORD_LINE;
                let place = (sheet.body.right - WORDS, y + shift);
                canvas.text(place, text, *size, Anchor::Start, *colour);
            }
        }
        top += height(term);
    }
    let caption = "Constants fitted to the measured means, with 95 % intervals (markers and whiskers), beside \
                   the constants of theory (upright bars); dotted lines are constants from the literature."
        .to_owned();
    let svg = sheet.canvas.svg()?;
    Ok(Figure { name: PLOT.name, title, caption, svg, tex: None })
}

fn rows<'a>(source: &Source<'a>, setting: &Setting) -> Vec<Row<'a>> {
    let shown = |series: &&Series| {
        let CellKey { algorithm, topology, layout, ids, initiators, timing, .. } = &series.key;
        let chosen = &source.choice.algorithms;
        *setting == (Setting { ids, initiators, timing })
            && topology == RING
            && matches!(layout.as_str(), "random" | "best" | "worst")
            && (chosen.is_empty() || chosen.contains(algorithm))
    };
    let row = |series: &'a Series| {
        let first = series.ranking.as_ref().ok()?.ranked.first()?;
        let CellKey { algorithm, layout, .. } = &series.key;
        Some(Row {
            label: format!("{algorithm}, {layout}"),
            look: source.look(algorithm),
            fit: &first.fit,
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
            let mean = cell.theory_mean.as_ref()?.value.as_f64();
            Some(Point { n: cell.n(), mean, standard_error: cell.standard_error })
        })
        .collect();
    let law = fit(&points?, measured.model, CONFIDENCE).ok()?;
    let formula = same.last()?.theory_mean.as_ref()?.formula.clone();
    Some((law.coefficients.first()?.value, formula))
}

/// The constants that the reference curves have before this term.
fn guides(term: Term) -> Vec<(f64, &'static str)> {
    const LARGE: u64 = 1 << 40;
    let named = ["n²", "2 n log2 n", "n H_n", "0.69 n log2 n"];
    let belongs = |name: &str| match term {
        Term::NLog2N => name.ends_with("n log2 n"),
        Term::NHarmonic => name == "n H_n",
        Term::NSquared => name == "n²",
        _ => false,
    };
    let curves =
        CURVES.iter().rev().filter(|curve| named.contains(&curve.name) && belongs(curve.name));
    curves.map(|curve| ((curve.value)(LARGE) / term.at(LARGE), curve.name)).collect()
}

/// How many of the constants hold the known one in their interval.
fn title(rows: &[Row]) -> String {
    let both: Vec<bool> = rows
        .iter()
        .filter_map(|row| {
            let (leading, (known, _)) = (row.leading()?, row.known.as_ref()?);
            let (low, high) = leading.interval;
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
