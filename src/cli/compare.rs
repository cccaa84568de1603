//! `hustings compare`: algorithms on the same rings.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::arguments::table_format;
use super::columns::{paragraph, parts_of, shown_columns};
use super::filter::Filter;
use super::terminal::{json_text, print};
use crate::engine::Registry;
use crate::experiment::error::Result;
use crate::experiment::key::CellKey;
use crate::model::escape;
use crate::model::metric::Metric;
use crate::model::topology::RING;
use crate::show::table::{Format, Table};
use crate::summarise::compare::{Comparison, compare_in};

/// Paired differences, with intervals.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings compare data/average --algorithm chang-roberts,peterson
  hustings compare data/before data/after --algorithm chang-roberts
  hustings compare data/average --algorithm chang-roberts,peterson --n 1024 \\
      --format latex

Runs of the same number meet the same ring where the seed is the same; their
differences are then taken ring by ring. Otherwise the samples are compared as
independent ones (Welch). It begins with a sentence to quote, of the largest n.
Of many sizes the text shows some; the other formats show all.")]
pub struct Compare {
    /// Results folders
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The algorithms, separated by commas; a folder with two needs none
    #[arg(long, value_delimiter = ',')]
    algorithm: Vec<String>,
    /// What of the runs to compare: messages, bits, time, end, rounds or
    /// max_node_messages
    #[arg(long, default_value = "messages")]
    metric: String,
    #[command(flatten)]
    filter: Filter,
    /// How the table is written [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The most sizes of a pair that the text shows.
const SIZES: usize = 7;

/// From this probability on a difference is called one.
const LEVEL: f64 = 0.05;

impl Compare {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let format = table_format(self.format, self.json)?;
        let algorithms: Vec<String> =
            self.algorithm.iter().map(|name| name.trim().to_owned()).collect();
        let metric = self.metric.parse()?;
        let mut rows = compare_in(metric, registry, &self.folders, &algorithms)?;
        let choice = self.filter.choice(&[]);
        choice.check(rows.iter().map(|row| &row.key))?;
        rows.retain(|row| choice.wants(&row.key));
        print(&match (self.json, format) {
            (true, _) => json_text(&json!({ "comparisons": rows })),
            (false, Format::Text) => text(&rows),
            (false, format) => whole_table(&rows, format).to_string(format),
        })
    }
}

fn text(rows: &[Comparison]) -> String {
    let mut text = String::new();
    for same in groups(rows) {
        if let Some(largest) = same.iter().max_by_key(|row| row.key.n) {
            text += &paragraph("", &sentence(largest));
        }
        let basis = &same[0].basis;
        let kind = if basis.paired { "paired" } else { "unpaired" };
        text += &format!("\n{}\n{kind}: {}\n", heading(&same[0]), escape::terminal(&basis.why));
        let shown = some_of(same);
        text += &table(&shown).to_string(Format::Text);
        if shown.len() < same.len() {
            let more = same.len() - shown.len();
            text += &format!("  {more} more sizes: --n N shows one, --format csv shows all\n");
        }
        text += &disagreements(same);
        text.push('\n');
    }
    text + &paragraph("", &legend(rows))
}

/// What rows of one pair have in common.
fn heading(row: &Comparison) -> String {
    row.key.series().of(&format!("{} - {}", row.first, row.second)).to_string()
}

/// The rows, pair by pair and setting by setting.
fn groups(rows: &[Comparison]) -> impl Iterator<Item = &[Comparison]> {
    rows.chunk_by(|a, b| heading(a) == heading(b) && a.basis == b.basis)
}

/// What the columns mean.
fn legend(rows: &[Comparison]) -> String {
    let test = match rows.iter().any(|row| row.basis.paired) {
        true => "p: Wilcoxon's signed-rank test; Welch's where unpaired",
        false => "p: Welch's test",
    };
    format!(
        "intervals: 95 %, after ±; fewer: share of rings on which the first | the second needs fewer \
         {}; {test}",
        rows.first().map_or("messages", noun)
    )
}

/// Of many sizes the largest and others at even distances; all of few.
fn some_of(rows: &[Comparison]) -> Vec<&Comparison> {
    let last = rows.len().saturating_sub(1);
    if rows.len() <= SIZES {
        return rows.iter().collect();
    }
    (0..SIZES).map(|place| &rows[place * last / (SIZES - 1)]).collect()
}

/// What a person would quote of a comparison.
fn sentence(row: &Comparison) -> String {
    let Comparison { first, second, key, .. } = row;
    let [first, second] = [first, second].map(escape::terminal);
    let networks = if key.topology == RING {
        "rings".to_owned()
    } else {
        format!("networks ({})", escape::terminal(&key.topology))
    };
    let runs = row.first_runs.min(row.second_runs);
    let on = match (row.basis.paired, runs) {
        (true, 1) => format!("on one of the same {networks}, n = {}", key.n),
        (true, _) => format!("on the same {networks}, n = {}, {runs} {}", key.n, plural(key)),
        (false, _) => format!("on {networks} of their own, n = {}, {runs} runs at least", key.n),
    };
    let (Some(ratio), interval) = (row.ratio, row.ratio_interval) else {
        return format!("{first} and {second} have no ratio {on}.");
    };
    if ratio == 1.0 && row.first_fewer == Some(0.0) && row.second_fewer == Some(0.0) {
        return format!(
            "{first} and {second} need the same number of {} {on}: on every one.",
            noun(row)
        );
    }
    // The one that needs more comes first, so that nobody has to turn a ratio around.
    let turned = ratio < 1.0;
    let (more, less) = if turned { (second, first) } else { (first, second) };
    let (ratio, interval) = match turned {
        true => (1.0 / ratio, interval.map(|(low, high)| (1.0 / high, 1.0 / low))),
        false => (ratio, interval),
    };
    let half = interval.map(|(low, high)| (high - low) / 2.0).filter(|half| *half > 0.0);
    let times = match half {
        Some(half) => {
            let digits = (1.0 - half.log10().floor()).clamp(2.0, 8.0) as usize;
            format!("{ratio:.digits$} ± {half:.digits$}")
        }
        None => format!("{ratio:.2}"),
    };
    let open = interval.is_some_and(|(low, high)| (low..=high).contains(&1.0));
    // Messages need no more words: they are what is meant without any.
    let what = noun(row);
    match (open, half) {
        (true, Some(_)) if row.metric != Metric::Messages => format!(
            "The means of {more} and {less} cannot be told apart in {what} {on}: their ratio is {times} (95 %)."
        ),
        (true, Some(_)) => format!(
            "The means of {more} and {less} cannot be told apart {on}: their ratio is {times} (95 %)."
        ),
        (_, Some(_)) => {
            format!("{more} needs {times} times the {what} of {less} {on} (95 % interval).")
        }
        _ => format!("{more} needs {times} times the {what} of {less} {on}."),
    }
}

/// What is compared, in words.
fn noun(row: &Comparison) -> &'static str {
    row.metric.noun(&row.key.timing)
}

fn plural(key: &CellKey) -> &'static str {
    if key.topology == RING { "rings" } else { "networks" }
}

/// Where interval and p-value say different things, and why they may.
fn disagreements(rows: &[Comparison]) -> String {
    let mut sizes: [Vec<String>; 2] = Default::default();
    for row in rows.iter().filter(|row| row.basis.paired) {
        let (Some((low, high)), Some(p)) = (row.difference_interval, row.p) else { continue };
        let apart = !(low..=high).contains(&0.0);
        match (apart, p < LEVEL) {
            (true, false) => sizes[0].push(row.key.n.to_string()),
            (false, true) => sizes[1].push(row.key.n.to_string()),
            _ => {}
        }
    }
    let [means, ranks] = sizes.map(|sizes| sizes.join(", "));
    let mut text = String::new();
    if !means.is_empty() {
        text += &paragraph(
            "  ",
            &format!(
                "At n = {means} the interval of the difference leaves out 0, but p is not below {LEVEL}: the \
                 interval is about the means, p about how often and how clearly one is ahead. Few large \
                 differences make a mean, not a majority."
            ),
        );
    }
    if !ranks.is_empty() {
        text += &paragraph(
            "  ",
            &format!(
                "At n = {ranks} p is below {LEVEL}, but the interval of the difference holds 0: one is ahead on \
                 most rings, but by so little, or the other by so much on the rest, that the means are not told \
                 apart."
            ),
        );
    }
    text
}

const COLUMNS: [&str; 6] =
    ["#n", "#runs", "#difference of means", "#ratio of means", "#fewer 1 | 2", "#p"];

/// The rows of one pair in one setting.
fn table(rows: &[&Comparison]) -> Table {
    let mut table = Table::new(&COLUMNS);
    rows.iter().for_each(|row| table.row(numbers(row)));
    table
}

/// All rows with who and where, and the sentences about the largest sizes.
fn whole_table(rows: &[Comparison], format: Format) -> Table {
    let keys: Vec<&CellKey> = rows.iter().map(|row| &row.key).collect();
    // Both names stand in place of the algorithm of the key.
    let shown: Vec<usize> = shown_columns(&keys, format).into_iter().skip(1).collect();
    let setting = shown.iter().map(|&place| CellKey::SERIES_COLUMNS[place]);
    let names: Vec<&str> = ["first", "second"].into_iter().chain(setting).chain(COLUMNS).collect();
    let mut table = Table::new(&names);
    for same in groups(rows) {
        table.say_before(same.iter().max_by_key(|row| row.key.n).map_or(String::new(), sentence));
    }
    for row in rows {
        let who = [row.first.clone(), row.second.clone()];
        table.row(who.into_iter().chain(parts_of(&row.key, &shown)).chain(numbers(row)));
    }
    table.say_after(legend(rows));
    table
}

fn numbers(row: &Comparison) -> [String; 6] {
    let with_half = |value: Option<f64>, interval: Option<(f64, f64)>, digits: usize| {
        let half = interval.map(|(low, high)| (high - low) / 2.0).filter(|half| *half > 0.0);
        match (value, half) {
            (Some(value), Some(half)) => format!("{value:.digits$} ± {half:.digits$}"),
            (Some(value), None) => format!("{value:.digits$}"),
            (None, _) => "-".to_owned(),
        }
    };
    let runs = match row.first_runs == row.second_runs {
        true => row.first_runs.to_string(),
        false => format!("{}|{}", row.first_runs, row.second_runs),
    };
    let fewer = match (row.first_fewer, row.second_fewer) {
        (Some(first), Some(second)) => format!("{:.0}%|{:.0}%", first * 100.0, second * 100.0),
        _ => "-".to_owned(),
    };
    let p = match row.p {
        None => "-".to_owned(),
        Some(p) if p < 1e-99 => "<1e-99".to_owned(),
        Some(p) if p < 0.001 => format!("{p:.0e}"),
        Some(p) => format!("{p:.3}"),
    };
    // Four digits that count, for small ratios too.
    let ratio_digits = match row.ratio {
        Some(ratio) if ratio > 0.0 && ratio < 0.1 => 3 + (-ratio.log10()) as usize,
        _ => 4,
    };
    [
        row.key.n.to_string(),
        runs,
        with_half(row.difference, row.difference_interval, 2),
        with_half(row.ratio, row.ratio_interval, ratio_digits),
        fewer,
        p,
    ]
}
