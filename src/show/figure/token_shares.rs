//! A token ring: the shares of time with no token, one and more, against the length of the timers.
//!
//! It is no figure of elections, so it is not in the gallery: whoever has a table of token rings brings
//! the numbers.

use super::drawing::{Figure, NoFigure};
use super::grid::{Grid, Heading};
use super::key::Entry;
use super::panel::Panel;
use super::scale::Scale;
use super::series::{Point, draw_series};
use super::sheet::{Origin, Width, Words};
use super::style::look;
use crate::experiment::error::Result;
use crate::model::error::Input;

/// A share, and the ends of its interval if it has one.
pub type ShareWithEnds = (f64, Option<(f64, f64)>);

/// The shares of time at one length of the timers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenShares {
    /// The timer in rotations.
    pub rotations: f64,
    /// Time with no token, one, and more.
    pub shares: [ShareWithEnds; 3],
}

/// What is written beside the drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenWords {
    /// Under what circumstances.
    pub notes: String,
    /// Where the data comes from.
    pub source: String,
}

/// The name of the figure, and of its files.
pub const TOKEN_SHARES: &str = "token-shares";

const PANELS: [&str; 3] = ["no token", "one token", "two or more"];

const NAMES: (&str, &str) = ("timer / rotation", "share of time");

const CAPTION: &str = "Shares of time with no token, with one and with more, against the length of the \
                       timers in rotations, by variant; the bars are 95 % intervals.";

/// So far a key stands above its panels.
const BELOW_KEY: f64 = 6.0;

/// Draws the shares of each variant, by name.
pub fn draw_token_shares(
    variants: &[(String, Vec<TokenShares>)],
    words: TokenWords,
) -> Result<Figure> {
    let points = || variants.iter().flat_map(|(_, points)| points);
    let ends = points()
        .map(|it| it.rotations)
        .fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    if points().next().is_none() {
        let problem = "there are no runs to draw";
        return Err(Input::new("figure", TOKEN_SHARES, problem, "run a sweep first").into());
    }
    let TokenWords { notes, source } = words;
    let source = Origin { line: source, width: Width::Page };
    let words = Words { title: title(variants), notes, source };
    let key: Vec<Entry> = variants
        .iter()
        .enumerate()
        .map(|(place, (name, _))| Entry::series(name, look(place)))
        .collect();
    let grid = Grid::new(250.0, PANELS.iter().map(|name| Heading::plain(name)));
    let (mut sheet, areas) = grid.sheet_with_key(words, &key, BELOW_KEY);
    let canvas = &mut sheet.canvas;
    for (place, area) in areas.into_iter().enumerate() {
        let highest = points().map(|it| top(it.shares[place])).fold(0.01, f64::max);
        let (x, y) = (Scale::linear(ends.0, ends.1), Scale::from_zero(highest));
        let panel = Panel::well_within(area, x, y, NAMES);
        panel.draw(canvas, NAMES);
        for (number, (name, shares)) in variants.iter().enumerate() {
            let point = |it: &TokenShares| {
                let (y, ends) = it.shares[place];
                Point { x: it.rotations, y, ends, filled: true, cell: None }
            };
            let points: Vec<Point> = shares.iter().map(point).collect();
            draw_series(canvas, &panel, name, look(number), &points);
        }
    }
    sheet.figure(TOKEN_SHARES, CAPTION).map_err(|error| match error {
        NoFigure::Failed(error) => error,
        NoFigure::Skipped(why) => {
            Input::new("figure", TOKEN_SHARES, why, "choose other runs").into()
        }
    })
}

/// The highest that must be seen of a share.
fn top((share, ends): ShareWithEnds) -> f64 {
    ends.map_or(share, |(_, high)| high).min(1.0)
}

/// Who has how often more than one token, at the shortest timer.
fn title(variants: &[(String, Vec<TokenShares>)]) -> String {
    let shortest = variants.iter().filter_map(|(name, points)| {
        let first = points.iter().min_by(|a, b| a.rotations.total_cmp(&b.rotations))?;
        Some((name, first.rotations, first.shares[2].0))
    });
    let shortest: Vec<_> = shortest.collect();
    let told: Vec<String> = shortest
        .iter()
        .map(|(name, _, share)| format!("{:.0} % ({name})", 100.0 * share))
        .collect();
    match shortest.first() {
        Some((_, rotations, _)) => format!(
            "With timers of {rotations:.2} rotations there are two tokens or more for {} of the time",
            told.join(", ")
        ),
        None => "Tokens against timers".to_owned(),
    }
}
