//! What `hustings reproduce` has beside its elections: lower bounds that are carried out, and the token
//! ring.
//!
//! The token ring has a results folder of its own inside that of the elections. The other numbers leave
//! nothing to chance or take no time, so that whoever shows them computes them anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::lower_bound::{closed_form, played};
use super::meter::Meter;
use super::signals::STOP;
use super::token_ring::{shares_figure, sweep_of};
use crate::algorithm::On;
use crate::application::token_ring::table::{self, CellTable};
use crate::application::token_ring::{Prediction, Sweep, batch};
use crate::engine::Registry;
use crate::engine::lower_bound::open_schedule::{guarantee, qualifying};
use crate::experiment::built_in::{Scale, scale_of};
use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::results::Results;
use crate::results::batch::Options;
use crate::show::report::Section;

/// Lower bounds and the token ring of one built-in experiment.
pub(super) struct Beside {
    /// The sizes, and what each algorithm received before its last edge opened.
    sizes: Vec<u32>,
    received: Vec<(String, Vec<u64>)>,
    one_loss: OneLoss,
    /// The token ring, if it has been run.
    tokens: Option<(Sweep, Vec<CellTable>)>,
    flags: String,
}

/// Many rings that lose one token each.
struct OneLoss {
    sweep: Sweep,
    /// How many runs came to what is proved.
    agree: u64,
    messages: f64,
    recovery: f64,
}

/// The rings that lose one token each, of which every run has its theorem.
const ONE_LOSS: &str = "--n 16 --delay 1 --hold 0.2 --timer 1.5rho --variant fixed --lose 40";

/// Where the token ring is, inside the folder of the elections.
fn token_folder(folder: &Path) -> PathBuf {
    folder.join("token-ring")
}

/// The token rings of a scale, as flags of the verb.
fn token_flags(scale: Scale, seed: u64) -> String {
    let runs = match scale {
        Scale::Quick => 3,
        Scale::Usual => 20,
        Scale::Full => 1000,
    };
    format!(
        "--n 16 --delay uniform:0.5..1.5 --hold 0.2 --loss 0.2% --timer \
         1rho,1.1rho,1.2rho,1.3rho,1.5rho,2rho --variant lecture,fixed,stamp --until 300rho \
         --seed {seed} --out data/token-ring --runs {runs}"
    )
}

/// Runs what has to be run, into the folder of the elections.
pub(super) fn run(
    scale: Scale,
    seed: u64,
    folder: &Path,
    options: &Options<'_>,
    quiet: bool,
) -> Result<()> {
    let sweep = sweep_of(&token_flags(scale, seed))?;
    batch::run(&sweep, &token_folder(folder), options, &Meter::new(quiet))?;
    Ok(())
}

impl Beside {
    /// What stands beside the elections of a results folder; `None` if they are no built-in experiment.
    pub(super) fn of(
        results: &Results,
        folder: &Path,
        registry: &Registry,
    ) -> Result<Option<Self>> {
        let Some(scale) = scale_of(registry, results.seed, &results.spec.hash()) else {
            return Ok(None);
        };
        let flags = token_flags(scale, results.seed);
        let sweep = sweep_of(&flags)?;
        let folder = token_folder(folder);
        let tokens = match batch::holds(&folder, &sweep) {
            true => Some((sweep, table::read(&folder)?)),
            false => None,
        };
        let last = if scale == Scale::Quick { 6 } else { 8 };
        let sizes: Vec<u32> = (1..=last).map(|log| 1 << log).collect();
        let received = received(registry, &sizes)?;
        Ok(Some(Beside { sizes, received, one_loss: OneLoss::run(results.seed)?, tokens, flags }))
    }

    /// In a few lines.
    pub(super) fn text(&self) -> String {
        let mut text =
            "messages received in open schedules, each at least the guarantee\n\n".to_owned();
        for row in self.bounds() {
            let [name, numbers @ ..] = &row[..] else { continue };
            _ = write!(text, "{name:<22}");
            for number in numbers {
                _ = write!(text, " {number:>6}");
            }
            text += "\n";
        }
        let OneLoss { sweep, agree, messages, recovery } = &self.one_loss;
        let (expected_messages, expected_recovery) = self.one_loss.expected();
        _ = writeln!(
            text,
            "\ntoken rings of {} that lose one token: {agree} of {} runs as proved;\n\
             {messages:.1} messages (mean of all rings {expected_messages}), a token again after \
             {recovery:.1} ({expected_recovery:.1})",
            sweep.n, sweep.runs
        );
        text
    }

    /// As parts of a page.
    pub(super) fn sections(&self) -> Result<Vec<Section>> {
        let [header, rows @ ..] = &self.bounds()[..] else { return Ok(Vec::new()) };
        let mut sections = vec![Section {
            id: "lower-bounds",
            title: "Lower bounds, carried out",
            about: vec![
                "An adversary pastes rings together at edges over which nothing was delivered, and \
                 keeps the dearer side. What every algorithm that knows neither n nor its neighbours \
                 received before the last edge opened, by the best of three splits, beside what no \
                 such algorithm can stay below."
                    .to_owned(),
            ],
            caption: "Messages received in open schedules, by n",
            header: header.clone(),
            rows: rows.to_vec(),
            figure: None,
            command: "hustings lower-bound open-schedule --algorithm peterson --n 2..256".to_owned(),
        }];
        let Some((sweep, cells)) = &self.tokens else { return Ok(sections) };
        let OneLoss { sweep: one, agree, messages, recovery } = &self.one_loss;
        let (expected_messages, expected_recovery) = self.one_loss.expected();
        sections.push(Section {
            id: "token-ring",
            title: "What elections are for: a token ring",
            about: vec![
                format!(
                    "Whoever misses the token for too long calls an election, and the winner makes a \
                     new one. {} rings of {} nodes with constant delays lost one token each: {agree} of \
                     them came to what is proved, n + D messages and a token again after T - \
                     (n-1)(delay + hold) + (n + D) delay, where D is the distance to the largest ID. \
                     Their means: {messages:.1} messages, where all rings have (3n-1)/2 = \
                     {expected_messages}, and {recovery:.1}, where all rings have \
                     {expected_recovery:.1}.",
                    one.runs, one.n
                ),
                "With random delays and losses, shares of time with no token, one and more against the \
                 timer: a timer that is long enough keeps all variants at one token, a shorter one \
                 makes the lecture's ring end up with two."
                    .to_owned(),
            ],
            caption: "Token rings with random delays and losses, by variant and timer",
            header: TOKEN_COLUMNS.map(str::to_owned).to_vec(),
            rows: cells.iter().map(token_row).collect(),
            figure: Some(shares_figure(sweep, cells)?),
            command: format!("hustings token-ring {}", self.flags),
        });
        Ok(sections)
    }

    /// The table of received messages: its header, the bounds, then each algorithm.
    fn bounds(&self) -> Vec<Vec<String>> {
        let row = |name: &str, numbers: &mut dyn Iterator<Item = String>| -> Vec<String> {
            std::iter::once(name.to_owned()).chain(numbers).collect()
        };
        let of_sizes = |value: &dyn Fn(u32) -> String| {
            self.sizes.iter().map(|&n| value(n)).collect::<Vec<_>>().into_iter()
        };
        let mut rows = vec![
            row("n", &mut of_sizes(&|n| n.to_string())),
            row("(n/4)(log2 n + 1)", &mut of_sizes(&|n| closed_form(n.into()).to_string())),
            row("guarantee", &mut of_sizes(&|n| guarantee(n.into()).to_string())),
        ];
        for (name, received) in &self.received {
            rows.push(row(name, &mut received.iter().map(u64::to_string)));
        }
        rows
    }
}

/// What the adversary makes each ring algorithm receive that it can play against.
fn received(registry: &Registry, sizes: &[u32]) -> Result<Vec<(String, Vec<u64>)>> {
    let mut all: Vec<(String, Vec<u64>)> = Vec::new();
    for asked in registry.entries().iter().filter(|entry| entry.model.on == On::Rings) {
        let name = asked.name.trim_end_matches("+announce");
        let Ok(entry) = qualifying(registry, name) else { continue };
        if all.last().is_some_and(|(last, _)| last == name) {
            continue;
        }
        let each = sizes.iter().map(|&n| Ok(played(entry, n, None)?.received));
        all.push((name.to_owned(), each.collect::<Result<_>>()?));
    }
    Ok(all)
}

impl OneLoss {
    fn run(seed: u64) -> Result<Self> {
        let flags =
            format!("{ONE_LOSS} --until 20rho --seed {seed} --out data/one-loss --runs 200");
        let sweep = sweep_of(&flags)?;
        let [cell] = sweep.cells()[..] else {
            return Err(Input::new("timer", ONE_LOSS, "these are several rings", "name one").into());
        };
        let (mut agree, mut messages, mut recovery) = (0, 0.0, 0.0);
        for number in 0..sweep.runs {
            let setting = sweep.setting(cell, number);
            let outcome = sweep.run(cell, number, &STOP, &mut |_, _, _| {})?;
            let told = Prediction::of(&setting).ok().and_then(|it| it.agrees(&setting, &outcome));
            agree += u64::from(told == Some(true));
            messages += outcome.election_messages as f64;
            let outage = outcome.outages.first().and_then(|outage| outage.recovery);
            recovery += outage.map_or(0.0, |time| time.as_f64());
        }
        let runs = sweep.runs as f64;
        Ok(OneLoss { agree, messages: messages / runs, recovery: recovery / runs, sweep })
    }

    /// Messages, and the time until there is a token again, over all rings.
    fn expected(&self) -> (f64, f64) {
        let (n, delay) = (self.sweep.n as f64, self.sweep.hop.delay.mean().as_f64());
        let messages = (3.0 * n - 1.0) / 2.0;
        let timer = self.sweep.timers.first().map_or(0.0, |timer| timer.mean().as_f64());
        let hop = self.sweep.hop.mean().as_f64();
        (messages, timer - (n - 1.0) * hop + messages * delay)
    }
}

const TOKEN_COLUMNS: [&str; 9] = [
    "variant",
    "timer / rotation",
    "lost",
    "elections",
    "wrong timers",
    "messages an election",
    "no token",
    "one",
    "more",
];

fn token_row(cell: &CellTable) -> Vec<String> {
    let per_election = match cell.elections {
        0 => String::new(),
        elections => format!("{:.1}", cell.election_messages as f64 / elections as f64),
    };
    let [none, one, more] = cell.shares.map(|share| format!("{:.3}", share.mean));
    vec![
        cell.variant.clone(),
        format!("{:.2}", cell.rotations),
        cell.losses.to_string(),
        cell.elections.to_string(),
        cell.spurious.to_string(),
        per_election,
        none,
        one,
        more,
    ]
}
