//! What the marks of a figure stand for: the numbers behind the drawing.

use crate::experiment::key::CellKey;
use crate::summarise::CellSummary;

/// What one mark stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Datum {
    /// Where it stands on an axis that has numbers.
    pub(super) x: Option<f64>,
    pub(super) y: f64,
    /// The ends of its interval.
    pub(super) ends: Option<(f64, f64)>,
    /// The cell that it is about, if it is one.
    pub(crate) cell: Option<CellKey>,
    /// Whether it is the mean of that cell, in some unit: whoever knows the cell knows it.
    pub(crate) is_mean: bool,
    /// The number of its series.
    series: Option<usize>,
    /// The number of its pair of axes.
    axes: Option<usize>,
}

impl Datum {
    /// A pair of numbers.
    pub(super) fn new(x: impl Into<Option<f64>>, y: f64, ends: Option<(f64, f64)>) -> Self {
        Datum { x: x.into(), y, ends, cell: None, is_mean: false, series: None, axes: None }
    }

    /// A pair of numbers about a cell.
    pub(super) fn of(
        cell: &CellSummary,
        x: impl Into<Option<f64>>,
        y: f64,
        ends: Option<(f64, f64)>,
    ) -> Self {
        Datum { cell: Some(cell.key.clone()), ..Datum::new(x, y, ends) }
    }

    /// The mean of a cell.
    pub(super) fn mean(cell: &CellSummary, x: f64, y: f64, ends: Option<(f64, f64)>) -> Self {
        Datum { is_mean: true, ..Datum::of(cell, x, y, ends) }
    }
}

/// All data of a figure, with the names that they share.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Data {
    series: Vec<String>,
    axes: Vec<(String, String)>,
    /// The pair of axes of what comes next.
    here: Option<usize>,
    pub rows: Vec<Datum>,
}

impl Data {
    /// The number of a series.
    pub fn series(&mut self, name: &str) -> usize {
        number(&mut self.series, |known| known == name, || name.to_owned())
    }

    /// Sets the axes of what comes next.
    pub fn axes(&mut self, (x, y): (&str, &str)) {
        let is_it = |known: &(String, String)| known.0 == x && known.1 == y;
        self.here = Some(number(&mut self.axes, is_it, || (x.to_owned(), y.to_owned())));
    }

    /// Adds a datum, and says its number.
    pub fn push(&mut self, datum: Datum, series: Option<usize>) -> usize {
        self.rows.push(Datum { series, axes: self.here, ..datum });
        self.rows.len() - 1
    }

    /// The name of a series.
    pub fn name(&self, series: usize) -> &str {
        self.series.get(series).map_or("", String::as_str)
    }

    fn axes_of(&self, datum: &Datum) -> (&str, &str) {
        let axes = datum.axes.and_then(|number| self.axes.get(number));
        axes.map_or(("", ""), |(x, y)| (x, y))
    }

    /// What a datum says, in words.
    #[cfg(feature = "report")]
    pub fn words(&self, datum: &Datum) -> String {
        let (x, y) = self.axes_of(datum);
        let ends = datum.ends.map(|(low, high)| format!(" ({} to {})", digits(low), digits(high)));
        let series = datum.series.map(|series| format!("{}: ", self.name(series)));
        let at = datum.x.map(|value| format!("{x} {}, ", digits(value))).unwrap_or_default();
        let (series, ends) = (series.unwrap_or_default(), ends.unwrap_or_default());
        format!("{series}{at}{y} {}{ends}", digits(datum.y))
    }

    /// The table of all: one row for each mark.
    pub fn csv(&self) -> String {
        let mut table = csv::Writer::from_writer(Vec::new());
        let numbers = ["x_axis", "x", "y_axis", "y", "low", "high"];
        // Nothing can go wrong in memory.
        _ = table.write_record(["series"].into_iter().chain(CellKey::COLUMNS).chain(numbers));
        for datum in &self.rows {
            let series = datum.series.map_or("", |series| self.name(series)).to_owned();
            let cell = match &datum.cell {
                Some(key) => key.columns().map(String::from),
                None => [const { String::new() }; 7],
            };
            let (x_axis, y_axis) = self.axes_of(datum);
            let (low, high) = datum.ends.unzip();
            let known = |value: Option<f64>| {
                value
                    .filter(|value| value.is_finite())
                    .map_or_else(String::new, |it| it.to_string())
            };
            let numbers = [
                x_axis.to_owned(),
                known(datum.x),
                y_axis.to_owned(),
                known(Some(datum.y)),
                known(low),
                known(high),
            ];
            _ = table.write_record([series].iter().chain(&cell).chain(&numbers));
        }
        String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// The number of something in a list, to which it is added where it is new.
fn number<T>(list: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    list.iter().position(is_it).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    })
}

/// A number in about five digits.
#[cfg(feature = "report")]
fn digits(value: f64) -> String {
    let places = match value.abs() {
        whole if whole.fract() == 0.0 && whole < 1e15 => 0,
        large if large >= 1000.0 => 1,
        small if small >= 1.0 => 4,
        tiny if tiny >= 1e-6 => 6,
        _ => return format!("{value:e}"),
    };
    format!("{value:.places$}")
}
