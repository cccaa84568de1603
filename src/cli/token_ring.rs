//! `hustings token-ring`: what elections are for.

use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use serde_json::json;

use super::arguments::{threads, whole};
use super::columns::paragraph;
use super::figure_file::FigureFile;
use super::meter::Meter;
use super::output::Inputs;
use super::signals::STOP;
use super::terminal::{json_text, note, print};
use crate::application::token_ring::table::{self, CellTable};
use crate::application::token_ring::{
    Event, Hop, Losses, Moment, Outcome, Prediction, Setting, Span, Sweep, Units, Variant, batch,
};
use crate::experiment::error::Result;
use crate::experiment::ring_file::parse_ids;
use crate::experiment::spec::{Raw, share};
use crate::model::error::Input;
use crate::model::escape;
use crate::results::batch::{Ending, Options};
use crate::show::figure::{Figure, TokenShares, TokenWords, draw_token_shares};

/// A token ring: one run to read, or a batch of many into a folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings token-ring --ids 1,2,3,4,5,6 --delay 1 --hold 3 --timer 30 --lose 9
  hustings token-ring --n 16 --delay uniform:0.5..1.5 --hold 0.2 --loss 0.2% \\
    --timer 1rho,1.2rho,2rho --variant lecture,fixed,stamp --until 1500rho \\
    --runs 6 --out data/token-ring --figure shares.svg

Times are decimal numbers; with rho behind, they are rotations of the token,
each n (delay + hold). Variants: lecture is the slide; fixed has neither timer
nor election for whoever has the token; stamp numbers the tokens, too; retry
also calls an election again that does not end.")]
pub struct TokenRing {
    /// The IDs clockwise; the token begins at the first
    #[arg(long, conflicts_with = "n")]
    ids: Option<String>,
    /// The number of nodes, if their IDs are to be drawn
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    n: Option<u64>,
    /// How long a message takes: a number, uniform:0.5..1.5, exponential:1
    #[arg(long, default_value = "1")]
    delay: String,
    /// How long a node keeps the token
    #[arg(long, default_value = "1")]
    hold: String,
    /// How long timers are; several with --out; uniform:20..30 is drawn by node
    #[arg(long, default_value = "1.5rho", value_delimiter = ',')]
    timer: Vec<String>,
    /// The rules: lecture, fixed, stamp, retry; several with --out
    #[arg(long, default_value = "lecture", value_delimiter = ',')]
    variant: Vec<String>,
    /// Timers call elections during elections, too: the slide to the letter
    #[arg(long)]
    live: bool,
    /// With retry: how long an election may take [default: 2 n delay + 1rho]
    #[arg(long)]
    retry_after: Option<String>,
    /// Tokens that are lost, by their forwards counted from 1: 9,25
    #[arg(long, value_delimiter = ',', value_parser = whole)]
    lose: Vec<u64>,
    /// The share of tokens that are lost by chance: 0.2%
    #[arg(long, default_value = "0%")]
    loss: String,
    /// Messages of elections that are lost, counted from 1
    #[arg(long, value_delimiter = ',', value_parser = whole)]
    lose_election: Vec<u64>,
    /// The share of messages of elections that are lost by chance
    #[arg(long, default_value = "0%")]
    election_loss: String,
    /// When the run ends
    #[arg(long, default_value = "20rho")]
    until: String,
    /// The master seed
    #[arg(long, default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// The run number, to repeat one row of a batch
    #[arg(long, default_value_t = 0, value_parser = whole, allow_negative_numbers = true)]
    run: u64,
    /// Show every hop of tokens and messages, too
    #[arg(long)]
    hops: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["out", "hops"])]
    json: bool,
    /// A batch into this results folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Runs for each timer and variant of a batch
    #[arg(long, default_value_t = 100, requires = "out", value_parser = whole,
          allow_negative_numbers = true)]
    runs: u64,
    /// Draw the shares of time of a batch into this file: .svg, .png or .pdf
    #[arg(long, value_name = "FILE", requires = "out")]
    figure: Option<PathBuf>,
    /// How many threads [default: all cores]
    #[arg(long, requires = "out", value_parser = whole, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Replace the results that are in the folder
    #[arg(long, requires = "out")]
    force: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
}

/// A command of its own, for [`sweep_of`].
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Line {
    #[command(flatten)]
    ring: TokenRing,
}

/// What the verb would run with these flags.
pub(super) fn sweep_of(flags: &str) -> Result<Sweep, Input> {
    match Line::try_parse_from(flags.split(' ')) {
        Ok(line) => line.ring.sweep(),
        Err(error) => {
            let remedy = "see hustings token-ring --help";
            Err(Input::new("token ring", flags, error.to_string(), remedy))
        }
    }
}

impl TokenRing {
    pub(super) fn run(&self) -> Result<()> {
        let sweep = self.sweep()?;
        match &self.out {
            Some(out) => self.batch(&sweep, out),
            None => self.one(&sweep),
        }
    }

    fn sweep(&self) -> Result<Sweep, Input> {
        let ids = self.ids.as_ref().map(|ids| parse_ids("ids", ids)).transpose()?;
        let n = match (&ids, self.n) {
            (Some(ids), _) => ids.len() as u64,
            (None, Some(n)) => n,
            (None, None) => {
                let problem = "a ring has a size";
                return Err(Input::new("n", "(nothing)", problem, "use --n 16 or --ids 3,1,2"));
            }
        };
        let bad = |field: &str, text: &str, problem: &str| {
            Input::new(field, text, problem, "write it as 1.5, or as 1.5rho for rotations")
        };
        let hold = self.hold.parse().map_err(|problem| bad("hold", &self.hold, problem))?;
        let hop = Hop { delay: Span::parse("delay", &self.delay)?, hold };
        let rotation = hop.rotation(n);
        let time = |field: &str, text: &str| {
            let units: Units = text.parse().map_err(|problem| bad(field, text, problem))?;
            Ok::<Moment, Input>(units.time(rotation))
        };
        let timers = self.timer.iter().map(|text| Span::parse_with("timer", text, rotation));
        let sweep = Sweep {
            seed: self.seed,
            runs: self.runs,
            n,
            ids,
            hop,
            timers: timers.collect::<Result<_, Input>>()?,
            variants: self.variant.iter().map(|it| it.parse()).collect::<Result<_, Input>>()?,
            live: self.live,
            retry_after: self.retry_after.as_ref().map(|it| time("retry-after", it)).transpose()?,
            lose: losses("loss", &self.lose, &self.loss)?,
            lose_election: losses("election-loss", &self.lose_election, &self.election_loss)?,
            until: time("until", &self.until)?,
        };
        sweep.check()?;
        Ok(sweep)
    }

    fn one(&self, sweep: &Sweep) -> Result<()> {
        let cells = sweep.cells();
        let [cell] = cells[..] else {
            let problem = format!("these are {} rings", cells.len());
            let remedy = "name one timer and one variant, or a folder with --out";
            return Err(Input::new("timer", self.timer.join(","), problem, remedy).into());
        };
        let setting = sweep.setting(cell, self.run);
        let mut timeline = String::new();
        let mut lines = 0u64;
        let outcome = sweep.run(cell, self.run, &STOP, &mut |time, at, event| {
            if !self.json && (self.hops || is_told(event)) {
                lines += 1;
                if lines <= MOST_LINES {
                    timeline += &line(&setting, time, at, event);
                }
            }
        })?;
        if lines > MOST_LINES {
            timeline += &format!("  ... and {} lines more\n", lines - MOST_LINES);
        }
        print(&match self.json {
            true => json_text(&as_json(&setting, &outcome)),
            false => as_text(&setting, &outcome, &timeline),
        })
    }

    fn batch(&self, sweep: &Sweep, out: &Path) -> Result<()> {
        let file = |path| FigureFile::new(path, Inputs(&[out]), self.force, REMEDY);
        let figure = self.figure.as_deref().map(file).transpose()?;
        let threads = threads(self.threads)?;
        let options = Options { shard: None, threads, force: self.force, stop: &STOP };
        let ending = batch::run(sweep, out, &options, &Meter::new(self.quiet))?;
        if !self.quiet {
            let was = if ending == Ending::AlreadyComplete {
                "was complete already"
            } else {
                "is complete"
            };
            note(format_args!("{}/runs.csv {was}", escape::terminal(out.display())));
        }
        let cells = table::read(out)?;
        if let Some(file) = figure {
            file.write(&shares_figure(sweep, &cells)?)?;
        }
        print(&batch_text(sweep, &cells))
    }
}

/// What to do about a file that is there and is no figure.
const REMEDY: &str = "move it, name another file, or replace it with --force";

/// So many lines of a timeline are shown.
const MOST_LINES: u64 = 200;

/// Losses as numbers and as a share, "0.2%".
fn losses(field: &str, given: &[u64], chance: &str) -> Result<Losses, Input> {
    let share = share(&Raw::Text(chance.to_owned()), true);
    let share = share.map_err(|error| Input { field: field.to_owned(), ..error })?;
    Ok(Losses { given: given.iter().copied().collect(), share })
}

/// A time as a number; whole if it is.
fn number(time: Moment) -> serde_json::Value {
    time.as_whole().map_or_else(|| json!(time.as_f64()), |whole| json!(whole))
}

fn as_json(setting: &Setting, outcome: &Outcome) -> serde_json::Value {
    let list = |events: &[(Moment, u32)]| -> Vec<serde_json::Value> {
        events.iter().map(|&(time, at)| json!([number(time), at])).collect()
    };
    let prediction = Prediction::of(setting).ok().map(|told| {
        json!({
            "starter": told.starter,
            "distance": told.distance,
            "detection": number(told.detection),
            "recovery": number(told.recovery),
            "election_messages": told.messages,
            "second_token": told.second_token,
            "agrees": told.agrees(setting, outcome),
        })
    });
    let outages = outcome
        .outages
        .iter()
        .map(|it| json!([number(it.begin), it.detection.map(number), it.recovery.map(number)]));
    json!({
        "variant": setting.variant.name(),
        "n": setting.n(),
        "ids": setting.ids,
        "rotation": number(setting.rotation()),
        "until": number(setting.until),
        "election_messages": outcome.election_messages,
        "token_messages": outcome.token_messages,
        "losses": outcome.losses,
        "election_losses": outcome.election_losses,
        "elected": list(&outcome.elected),
        "expiries": list(&outcome.expiries),
        "spurious": outcome.spurious,
        "discarded": outcome.discarded,
        "max_tokens": outcome.max_tokens,
        "tokens_at_end": outcome.tokens_at_end,
        "time_with": outcome.time_with.map(number),
        "outages": outages.collect::<Vec<_>>(),
        "prediction": prediction,
    })
}

/// Whether a timeline tells of it without being asked for every hop.
fn is_told(event: Event) -> bool {
    match event {
        Event::Forwarded { lost, .. } | Event::Sent { lost, .. } => lost,
        Event::TokenArrives => false,
        _ => true,
    }
}

/// A line of the timeline.
fn line(setting: &Setting, time: Moment, at: u32, event: Event) -> String {
    let words = match event {
        Event::TokenArrives => "the token arrives".to_owned(),
        Event::Discarded => "an older token arrives and is discarded".to_owned(),
        Event::Forwarded { number, lost: false } => {
            format!("passes the token on, forward {number}")
        }
        Event::Forwarded { number, lost: true } => {
            format!("passes the token on, forward {number}: lost")
        }
        Event::Expired { spurious: false } => "its timer runs out; calls an election".to_owned(),
        Event::Expired { spurious: true } => {
            "its timer runs out though there is a token; calls an election".to_owned()
        }
        Event::Sent { candidate, number, lost } => {
            let lost = if lost { ": lost" } else { "" };
            format!("votes for {candidate}, message {number}{lost}")
        }
        Event::Elected => "is elected and makes a new token".to_owned(),
    };
    let id = setting.ids[at as usize];
    format!("{time:>10}  {at:>4}  {id:>6}  {words}\n")
}

fn as_text(setting: &Setting, outcome: &Outcome, timeline: &str) -> String {
    let Hop { delay, hold } = setting.hop;
    let live = if setting.live { ", live" } else { "" };
    let mut text = format!(
        "token ring of {}, {}{live}: delay {delay}, hold {hold}, rotation {}, timer {}\n\n",
        setting.n(),
        setting.variant,
        setting.rotation(),
        setting.timer
    );
    if !timeline.is_empty() {
        text += &format!("{:>10}  node  {:>6}\n{timeline}\n", "time", "ID");
    }
    let mut say = |name: &str, value: String| text += &paragraph(&format!("  {name:<12}"), &value);
    say("until", setting.until.to_string());
    say("tokens", format!("{} hops, {} lost", outcome.token_messages, outcome.losses));
    let [none, one, more] = outcome.time_with;
    say(
        "",
        format!("at most {} at once, {} in the end", outcome.max_tokens, outcome.tokens_at_end),
    );
    say("", format!("none for {none}, one for {one}, more for {more}"));
    say(
        "elections",
        format!("{} won, {} messages", outcome.elected.len(), outcome.election_messages),
    );
    say(
        "timers",
        format!("{} ran out, {} of them wrongly", outcome.expiries.len(), outcome.spurious),
    );
    match Prediction::of(setting) {
        Err(why) => say("theory", format!("the formulas say nothing here: {why}")),
        Ok(told) => say_theory(setting, outcome, &told, &mut say),
    }
    text
}

fn say_theory(
    setting: &Setting,
    outcome: &Outcome,
    told: &Prediction,
    say: &mut dyn FnMut(&str, String),
) {
    let outage = outcome.outages.first();
    let measured = |time: Option<Moment>| time.map_or("-".to_owned(), |time| time.to_string());
    let (detection, recovery) =
        (outage.and_then(|it| it.detection), outage.and_then(|it| it.recovery));
    let distance = told.distance;
    say(
        "theory",
        format!("node {} starts alone; D = {distance} places to the largest ID", told.starter),
    );
    let detected = measured(detection);
    say(
        "",
        format!("T - (n-1)(delay+hold) = {} until its timer; measured {detected}", told.detection),
    );
    let recovered = measured(recovery);
    say("", format!("+ (n+D) delay = {} until a token; measured {recovered}", told.recovery));
    if told.second_token {
        let why = "D = ceil(n delay/hold), so the winner's own timer makes a second token";
        say("", format!("{why}; at most {} at once", outcome.max_tokens));
    } else {
        let messages = outcome.election_messages;
        say("", format!("n + D = {} messages; measured {messages}", told.messages));
        if setting.variant == Variant::Lecture {
            say("", "D is not ceil(n delay/hold), so there is no second token".to_owned());
        }
    }
    let verdict = match told.agrees(setting, outcome) {
        Some(true) => "agrees",
        Some(false) => "differs",
        None => "the run ended too early to tell",
    };
    say("verdict", verdict.to_owned());
}

/// The cells of each variant.
fn by_variant(cells: &[CellTable]) -> Vec<(String, Vec<TokenShares>)> {
    let mut variants: Vec<(String, Vec<TokenShares>)> = Vec::new();
    for cell in cells {
        let shares = cell.shares.map(|share| (share.mean, share.interval));
        let point = TokenShares { rotations: cell.rotations, shares };
        match variants.last_mut() {
            Some((name, points)) if *name == cell.variant => points.push(point),
            _ => variants.push((cell.variant.clone(), vec![point])),
        }
    }
    for (_, points) in &mut variants {
        points.sort_by(|a, b| a.rotations.total_cmp(&b.rotations));
    }
    variants
}

fn words(sweep: &Sweep) -> TokenWords {
    let Hop { delay, hold } = sweep.hop;
    TokenWords {
        notes: format!(
            "n = {}, delay {delay}, hold {hold}, {} of all tokens lost by chance, {} runs until {} for each \
             point; 95 % intervals.",
            sweep.n, sweep.lose.share, sweep.runs, sweep.until
        ),
        source: format!("hustings token-ring, seed {}", sweep.seed),
    }
}

/// The shares of time of a sweep.
pub(super) fn shares_figure(sweep: &Sweep, cells: &[CellTable]) -> Result<Figure> {
    draw_token_shares(&by_variant(cells), words(sweep))
}

fn batch_text(sweep: &Sweep, cells: &[CellTable]) -> String {
    let (n, delay) = (sweep.n as f64, sweep.hop.delay.mean().as_f64());
    let mut text = format!(
        "{:<8} {:>5} {:>6} {:>6} {:>6} {:>8} {:>6} {:>7} {:>5} {:>5} {:>5}\n",
        "variant",
        "T/rho",
        "losses",
        "won",
        "wrong",
        "messages",
        "detect",
        "recover",
        "none",
        "one",
        "more"
    );
    let real = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
    for cell in cells {
        let per_election = cell.election_messages as f64 / cell.elections as f64;
        let per_election = (cell.elections > 0).then_some(per_election);
        let [none, one, more] = cell.shares.map(|share| format!("{:.3}", share.mean));
        text += &format!(
            "{:<8} {:>5.2} {:>6} {:>6} {:>6} {:>8} {:>6} {:>7} {none:>5} {one:>5} {more:>5}\n",
            cell.variant,
            cell.rotations,
            cell.losses,
            cell.elections,
            cell.spurious,
            real(per_election),
            real(cell.detection),
            real(cell.recovery)
        );
    }
    text += "\n";
    text += &paragraph(
        "",
        "Tokens lost, elections won, timers that ran out wrongly, of all runs; messages per \
         election; mean time from loss to timer and to new token; shares of time with no token, \
         one and more.",
    );
    let messages = (3.0 * n - 1.0) / 2.0;
    text += &paragraph(
        "",
        &format!(
            "With one starter and random IDs: {messages} messages, and a token {:.1} after the timer.",
            messages * delay
        ),
    );
    text
}
