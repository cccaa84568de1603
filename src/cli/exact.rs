//! `hustings exact`: all rings of one size, or all schedules.

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::arguments::{table_format, threads, whole};
use super::columns::paragraph;
use super::schedules::EverySchedule;
use super::signals::STOP;
use super::terminal::{json_text, print};
use crate::engine::Registry;
use crate::engine::enumerate::{Census, Extreme, Tally};
use crate::experiment::cell::{Cell, Setting};
use crate::experiment::census;
use crate::experiment::error::{Error, Result};
use crate::model::error::Input;
use crate::model::metric::Metric;
use crate::show::table::{Format, Table};

/// All (n-1)! rings: exact mean and variance, extremes, the whole distribution.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings exact --algorithm hirschberg-sinclair --n 8
  hustings exact --algorithm peterson --n 7 --format latex
  hustings exact --algorithm chang-roberts --n 7 --initiators count:3 --json
  hustings exact --schedules --algorithm franklin --no-fifo --ids 3,1,2
  hustings exact --schedules --algorithm echo-election --n 3 --topology every
  hustings exact --schedules --algorithm ghs,kkm --n 3 --topology every \\
    --figure schedules.svg

one and count:K: every set of so many starters meets every ring; at:0,2: all n!
orders of the IDs on numbered positions. n = 11 takes seconds, 13 is the most.
With --schedules: every order in which messages can arrive, every state visited;
messages without announcements. Rings of 5 and networks of 4 take seconds.")]
pub struct Exact {
    /// The algorithm; `hustings list` shows all; with --schedules several,
    /// separated by commas
    #[arg(long, required = true, value_delimiter = ',')]
    algorithm: Vec<String>,
    /// The number of nodes
    #[arg(
        long,
        value_parser = whole,
        allow_negative_numbers = true,
        required_unless_present = "schedules"
    )]
    n: Option<u64>,
    #[command(flatten)]
    schedules: EverySchedule,
    /// Who starts: all, one, count:K or at:0,3,5; with --schedules also every
    #[arg(long, default_value = "all")]
    initiators: String,
    /// How many threads [default: all cores]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// How the table is written [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Exact {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let format = table_format(self.format, self.json)?;
        let threads = threads(self.threads)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()
            .map_err(|error| Error::Threads(error.into()))?;
        let Exact { algorithm, n, initiators, json, .. } = self;
        if self.schedules.schedules {
            let how = if *json { None } else { Some(format) };
            return pool.install(|| self.schedules.run(registry, algorithm, *n, initiators, how));
        }
        let [algorithm] = &algorithm[..] else {
            let problem = "all rings are tried with one algorithm";
            let remedy = "name one, or add --schedules to set several side by side";
            return Err(Input::new("algorithm", algorithm.join(","), problem, remedy).into());
        };
        let initiators = initiators.parse()?;
        let setting = Setting { initiators, ..Setting::of(n.unwrap_or(0)) };
        let cell = Cell::new(registry.named(algorithm)?, setting)?;
        let bar = ProgressBar::new(census::elections(&cell)?);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent} %  {eta} left") {
            bar.set_style(style);
        }
        let census = pool.install(|| census::census(&cell, &STOP, &|done| bar.inc(done)));
        bar.finish_and_clear();
        let census = census?;
        print(&match (self.json, format) {
            (true, _) => json_text(&as_json(&cell, &census)),
            (false, Format::Text) => as_text(&cell, &census),
            (false, format) => as_table(&cell, &census).to_string(format),
        })
    }
}

fn as_json(cell: &Cell, census: &Census) -> serde_json::Value {
    let tally = |tally: &Tally| -> serde_json::Map<_, _> {
        tally.iter().map(|(value, rings)| (value.to_string(), rings.into())).collect()
    };
    let extreme = |extreme: &Extreme| {
        let mut object = json!({
            "messages": extreme.messages,
            "rings": extreme.rings,
            "ring": extreme.ring,
        });
        if let Some(initiators) = &extreme.initiators {
            object["initiators"] = json!(initiators);
        }
        object
    };
    let mut object = json!({
        "algorithm": cell.algorithm().name,
        "topology": "ring",
        "n": cell.n(),
        "initiators": cell.initiators().to_string(),
        "rings": census.rings,
        "mean": census.mean.to_string(),
        "variance": census.variance.to_string(),
        "min": extreme(&census.min),
        "max": extreme(&census.max),
        "distribution": tally(&census.messages),
    });
    if census.rounds.total() > 0 {
        object["rounds"] = tally(&census.rounds).into();
    }
    object
}

/// The widest bar of the table.
const BAR: f64 = 40.0;

/// What is known about all rings, each with a name; those without go on with the one before.
fn facts(cell: &Cell, census: &Census) -> Vec<(&'static str, String)> {
    let Census { rings, mean, variance, .. } = census;
    let some = !cell.initiators().is_all(cell.n());
    let each = if some { "ring and its starters" } else { "ring" };
    let facts = cell.facts();
    let theory = |fact: &Option<crate::model::theory::Fact>| match fact {
        Some(fact) => format!("theory: {:.6} = {}", fact.value, fact.formula),
        None => String::new(),
    };
    let deviation = variance.as_f64().sqrt();
    let spread =
        format!("{variance} = {:.6}; standard deviation {deviation:.6}", variance.as_f64());
    let mut known = vec![
        ("initiators", cell.initiators().to_string()),
        ("rings", format!("{rings}, each {each} equally likely")),
        ("mean", format!("{mean} = {:.6}", mean.as_f64())),
        ("", theory(&facts.mean)),
        ("variance", spread),
        ("", theory(&facts.variance)),
    ];
    for (name, extreme, fact) in
        [("fewest", &census.min, &facts.best), ("most", &census.max, &facts.worst)]
    {
        let Extreme { messages, rings, .. } = extreme;
        known.extend([
            (name, format!("{messages} messages on {rings} of them, the first:")),
            ("", picture(extreme)),
            ("", theory(fact)),
        ]);
    }
    if some {
        known.push(("", "(* starts)".to_owned()));
    }
    known
}

fn as_text(cell: &Cell, census: &Census) -> String {
    let mut text = title(cell) + "\n\n";
    for (name, value) in facts(cell, census) {
        text += &paragraph(&format!("  {name:<12}"), &value);
    }
    text += &bars("messages", &census.messages);
    if census.rounds.total() > 0 {
        text += &bars("rounds", &census.rounds);
    }
    text
}

/// Both distributions below each other, and all else around them.
fn as_table(cell: &Cell, census: &Census) -> Table {
    let mut table = Table::new(&["metric", "#value", "#rings", "#share"]);
    table.say_before(title(cell));
    for (metric, tally) in [(Metric::Messages, &census.messages), (Metric::Rounds, &census.rounds)]
    {
        let all = tally.total() as f64;
        for (value, rings) in tally.iter() {
            let share = format!("{:.6}", rings as f64 / all);
            table.row([metric.to_string(), value.to_string(), rings.to_string(), share]);
        }
    }
    table.say_facts_after(facts(cell, census));
    table
}

fn title(cell: &Cell) -> String {
    format!("{}: messages on all rings of {}", cell.algorithm().name, cell.n())
}

/// The IDs clockwise, with a star at those who start.
fn picture(extreme: &Extreme) -> String {
    let starts = |position: usize| match &extreme.initiators {
        Some(initiators) => initiators.iter().any(|&other| other as usize == position),
        None => false,
    };
    let words = extreme.ring.iter().enumerate();
    let words = words.map(|(place, id)| format!("{id}{}", if starts(place) { "*" } else { "" }));
    words.collect::<Vec<_>>().join(" ")
}

/// A distribution as a table with bars.
fn bars(name: &str, tally: &Tally) -> String {
    let most = tally.iter().map(|(_, rings)| rings).max().unwrap_or(1) as f64;
    let mut table = Table::new(&[&format!("#{name}"), "#rings", ""]);
    for (value, rings) in tally.iter() {
        let bar = "#".repeat((rings as f64 / most * BAR).round() as usize);
        table.row([value.to_string(), rings.to_string(), bar]);
    }
    format!("\n{}", table.to_string(Format::Text))
}
