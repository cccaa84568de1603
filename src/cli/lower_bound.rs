//! `hustings lower-bound`: the proofs of lower bounds, carried out against an algorithm.

use clap::{Args, Subcommand};
use serde_json::json;

use super::arguments::whole;
use super::columns::paragraph;
use super::signals::STOP;
use super::terminal::{json_text, print};
use crate::engine::lower_bound::comparison::{self, Comparison, How};
use crate::engine::lower_bound::open_schedule::{
    Certificate, Failure, Split, play, play_best, qualifying,
};
use crate::engine::lower_bound::symmetry::{self, Ending, Symmetry};
use crate::engine::{Entry, Registry};
use crate::experiment::error::{Error, Result};
use crate::experiment::spec::{Raw, sizes};
use crate::model::error::Input;
use crate::model::theory::Case;
use crate::model::violation::Violation;

/// Lower bounds that can be run.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = false,
    after_help = "\
Examples:
  hustings lower-bound open-schedule --algorithm peterson --n 64
  hustings lower-bound comparison --algorithm peterson --n 64
  hustings lower-bound symmetry --algorithm hirschberg-sinclair --n 6"
)]
pub struct LowerBound {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Any order of delivery: rings are pasted at edges that nothing has crossed
    OpenSchedule(OpenSchedule),
    /// Rounds, and IDs that are only compared: the bit-reversal ring
    Comparison(OnBitReversal),
    /// No IDs and no coins: equals stay equal
    Symmetry(OfEquals),
}

/// The asynchronous bound, (n/4)(log2 n + 1), against any algorithm that knows neither n nor its
/// neighbours and tells everybody the leader's ID.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings lower-bound open-schedule --algorithm peterson --n 64
  hustings lower-bound open-schedule --algorithm chang-roberts --n 2..1024")]
struct OpenSchedule {
    /// The algorithm; without an announcement of its own it gets one
    #[arg(long)]
    algorithm: String,
    /// The number of nodes, or several: 2..1024 (doubling)
    #[arg(long)]
    n: String,
    /// Which IDs stand in which half: halves, interleave or swap [default: the best]
    #[arg(long)]
    split: Option<String>,
    /// Print one JSON object, or a list of them for several n
    #[arg(long)]
    json: bool,
}

/// The synchronous bound, (n/4)(log2 n + 2) messages and n/4 active rounds, for algorithms that do
/// nothing with IDs but compare them. Three rings with IDs in the same order can refute that of an
/// algorithm, never prove it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings lower-bound comparison --algorithm peterson --n 64
  hustings lower-bound comparison --algorithm time-slice --n 64 --json")]
struct OnBitReversal {
    /// The algorithm
    #[arg(long)]
    algorithm: String,
    /// The number of nodes, a power of two
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    n: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A ring whose nodes all have the same ID and the same coins, round by round.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings lower-bound symmetry --algorithm hirschberg-sinclair --n 6")]
struct OfEquals {
    /// The algorithm
    #[arg(long)]
    algorithm: String,
    /// The number of nodes
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    n: u64,
    /// The most rounds
    #[arg(long, default_value_t = 1000, value_parser = whole, allow_negative_numbers = true)]
    rounds: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl LowerBound {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        match &self.which {
            Which::OpenSchedule(it) => it.run(registry),
            Which::Comparison(it) => it.run(registry),
            Which::Symmetry(it) => it.run(registry),
        }
    }
}

/// What went wrong in a run, as an error of the command.
fn wrong(violation: Violation) -> Error {
    match violation {
        Violation::Stopped => Error::Interrupted,
        violation => Error::Contradicted(violation.to_string()),
    }
}

/// The largest ring to paste.
const MOST_PASTED: u64 = 1 << 14;

impl OpenSchedule {
    fn run(&self, registry: &Registry) -> Result<()> {
        let entry = qualifying(registry, &self.algorithm)?;
        let split = self.split.as_ref().map(|text| text.parse::<Split>()).transpose()?;
        let sizes = sizes(&Raw::Text(self.n.clone()))
            .map_err(|error| Input { field: "n".to_owned(), ..error })?;
        if let Some(large) = sizes.iter().find(|&&n| n > MOST_PASTED) {
            let problem = format!("rings of at most {MOST_PASTED} nodes are pasted");
            return Err(Input::new("n", large, problem, "use a smaller one").into());
        }
        let mut certificates = Vec::new();
        for &n in &sizes {
            certificates.push(played(entry, n as u32, split)?);
        }
        let objects = || certificates.iter().map(|it| certificate_json(entry, it));
        print(&match (&certificates[..], self.json) {
            ([one], true) => json_text(&certificate_json(entry, one)),
            (_, true) => json_text(&objects().collect()),
            ([one], false) => certificate_text(entry, one),
            (all, false) => certificate_table(entry, all),
        })
    }
}

/// What the adversary makes an algorithm do, by the best split if none is named.
pub(super) fn played(entry: &Entry, n: u32, split: Option<Split>) -> Result<Certificate> {
    let played = match split {
        Some(split) => play(entry, n, split, &STOP),
        None => play_best(entry, n, &STOP),
    };
    played.map_err(|failure| match failure {
        Failure::Wrong(contradiction) => Error::Contradicted(contradiction.to_string()),
        Failure::Violation(violation) => wrong(violation),
    })
}

/// (n/4)(log2 n + 1).
pub(super) fn closed_form(n: u64) -> f64 {
    n as f64 / 4.0 * ((n as f64).log2() + 1.0)
}

fn certificate_json(entry: &Entry, it: &Certificate) -> serde_json::Value {
    json!({
        "algorithm": entry.name,
        "n": it.ring.len(),
        "received": it.received,
        "guarantee": it.guarantee,
        "closed_form": closed_form(it.ring.len() as u64),
        "worst": (entry.facts)(&Case::all(it.ring.len() as u64)).worst.map(|fact| fact.value.as_f64()),
        "ring": it.ring,
        "split": it.split.to_string(),
        "leader": it.leader,
        "messages": it.messages,
    })
}

fn certificate_text(entry: &Entry, it: &Certificate) -> String {
    let n = it.ring.len() as u64;
    let mut text = format!("{}: the open schedule on a ring of {n}\n\n", entry.name);
    let mut say = |name: &str, value: String| text += &paragraph(&format!("  {name:<12}"), &value);
    let ring: Vec<String> = it.ring.iter().map(u64::to_string).collect();
    say("ring", ring.join(" "));
    say("split", it.split.to_string());
    say("received", format!("{} messages before the last edge opened", it.received));
    say("guarantee", format!("M'({n}) = {}, for any algorithm of the kind", it.guarantee));
    say("", format!("(n/4)(log2 n + 1) = {:.1}", closed_form(n)));
    if let Some(worst) = (entry.facts)(&Case::all(n)).worst {
        say("at most", format!("{:.1} = {}", worst.value, worst.formula));
    }
    say("in the end", format!("{} is elected after {} messages", it.leader, it.messages));
    say("verdict", "it pays at least what it must".to_owned());
    text
}

fn certificate_table(entry: &Entry, all: &[Certificate]) -> String {
    let mut text = format!("{}: the open schedule\n\n", entry.name);
    text += &format!(
        "{:>6} {:<11} {:>9} {:>9} {:>17} {:>10} {:>7}\n",
        "n", "split", "received", "guarantee", "(n/4)(log2 n + 1)", "messages", "leader"
    );
    for it in all {
        let n = it.ring.len() as u64;
        text += &format!(
            "{n:>6} {:<11} {:>9} {:>9} {:>17.1} {:>10} {:>7}\n",
            it.split,
            it.received,
            it.guarantee,
            closed_form(n),
            it.messages,
            it.leader
        );
    }
    text
}

impl OnBitReversal {
    fn run(&self, registry: &Registry) -> Result<()> {
        let entry = registry.named(&self.algorithm)?;
        comparison::check(entry, self.n)?;
        let compared = comparison::compare(entry, self.n, &STOP).map_err(wrong)?;
        print(&match self.json {
            true => json_text(&comparison_json(entry, &compared)),
            false => comparison_text(entry, &compared),
        })
    }
}

fn comparison_json(entry: &Entry, it: &Comparison) -> serde_json::Value {
    json!({
        "algorithm": entry.name,
        "n": it.n,
        "messages": it.messages,
        "active_rounds": it.active_rounds.len(),
        "active_round_messages": it.active_rounds,
        "bound_messages": it.bound_messages,
        "bound_active_rounds": it.bound_active_rounds,
        "comparison_based": it.refuted.is_none(),
        "refuted_at": it.refuted.map(|refuted| refuted.active_round),
    })
}

fn comparison_text(entry: &Entry, it: &Comparison) -> String {
    const SHOWN: usize = 16;
    let n = it.n;
    let mut text = format!("{}: the bit-reversal ring of {n}, in rounds\n\n", entry.name);
    let mut say = |name: &str, value: String| text += &paragraph(&format!("  {name:<12}"), &value);
    let rounds: Vec<String> = it.active_rounds.iter().take(SHOWN).map(u64::to_string).collect();
    let more = if it.active_rounds.len() > SHOWN { " ..." } else { "" };
    say("messages", it.messages.to_string());
    say("bound", format!("{} = (n/4)(log2 n + 2), if IDs are only compared", it.bound_messages));
    say("active", format!("{} rounds in which anybody sends", it.active_rounds.len()));
    say("bound", format!("{} = n/4", it.bound_active_rounds));
    say("", format!("messages in them: {}{more}", rounds.join(" ")));
    match it.refuted {
        None => {
            let holds = it.messages >= it.bound_messages
                && it.active_rounds.len() as u64 >= it.bound_active_rounds;
            say("compares", "nothing says that it does more than compare".to_owned());
            say(
                "verdict",
                if holds { "the bound holds" } else { "the bound is broken" }.to_owned(),
            );
        }
        Some(refuted) => {
            let round = refuted.active_round;
            say(
                "compares",
                match refuted.how {
                    How::Senders { senders, class } => format!(
                        "no: active round {round} has {senders} senders, though at least {class} nodes \
                         see the same and do the same"
                    ),
                    How::OtherIds => format!(
                        "no: from active round {round} on it does something else with other IDs in \
                         the same order"
                    ),
                },
            );
            say("verdict", "the bound is not about it".to_owned());
        }
    }
    say(
        "note",
        "Within a bounded time nobody can do more than compare, if there are IDs enough to choose \
         from: Ramsey's theorem has n of them in which the algorithm only compares (Frederickson \
         and Lynch 1987). How many that takes no machine can hold."
            .to_owned(),
    );
    text
}

impl OfEquals {
    fn run(&self, registry: &Registry) -> Result<()> {
        let entry = registry.named(&self.algorithm)?;
        symmetry::check(entry, self.n)?;
        let watched = symmetry::watch(entry, self.n, self.rounds, &STOP).map_err(wrong)?;
        print(&match self.json {
            true => json_text(&json!({
                "algorithm": entry.name,
                "n": self.n,
                "symmetric": watched.broken_after.is_none(),
                "broken_after": watched.broken_after,
                "rounds": watched.rounds,
                "messages": watched.messages,
                "leaders": watched.leaders,
                "silent": watched.ending == Ending::Silent,
                "state": watched.state,
            })),
            false => symmetry_text(entry, self.n, &watched),
        })
    }
}

fn symmetry_text(entry: &Entry, n: u64, it: &Symmetry) -> String {
    let mut text = format!("{}: {n} equals on a ring, in rounds\n\n", entry.name);
    let mut say = |name: &str, value: String| text += &paragraph(&format!("  {name:<12}"), &value);
    say("IDs", "all 1, and the same coins".to_owned());
    say(
        "rounds",
        match it.ending {
            Ending::Silent => format!("{}, then silence", it.rounds),
            Ending::GoesOn => format!("{}, and no end", it.rounds),
        },
    );
    say("messages", it.messages.to_string());
    say("state", format!("of all in the end: {}", it.state));
    say(
        "verdict",
        match (it.broken_after, it.leaders) {
            (Some(round), _) => format!("states differ after round {round}"),
            (None, 0) => "after every round all states are equal: nobody leads".to_owned(),
            (None, all) => {
                format!("after every round all states are equal: all {all} lead at once")
            }
        },
    );
    text
}
