//! What a page may ask: which algorithms there are, one election, many, one to watch, and the theory.

use hustings::algorithm::On;
use hustings::engine::Registry;
use hustings::experiment::cell::Cell;
use hustings::experiment::error::Error;
use hustings::experiment::files::Files;
use hustings::experiment::names::Names;
use hustings::experiment::request::Request;
use hustings::experiment::runs::Runs;
use hustings::model::error::Input;
use hustings::model::outcome::{Outcome, Time};
use hustings::model::stop::NEVER;
use hustings::model::violation::Violation;
use hustings::show::trace::{LONGEST, Trace};
use hustings::show::watch::{self, Panel};
use serde_json::{Value, json};

/// Larger networks may take longer than anybody waits for a page.
const MOST_NODES: u32 = 2000;

/// The answer to a question in JSON; what is wrong with it is an answer, too.
pub fn answer(question: &[u8]) -> Value {
    let asked = serde_json::from_slice(question).map_err(|error| error.to_string());
    let answer = asked.and_then(|asked| Asked(asked).answer().map_err(|error| error.to_string()));
    answer.unwrap_or_else(|error| json!({ "error": error }))
}

/// A question.
struct Asked(Value);

impl Asked {
    fn answer(&self) -> Result<Value, Error> {
        let registry = Registry::standard();
        match self.text("ask") {
            Some("list") => Ok(list(&registry)),
            Some("elect") => self.elect(self.cell(&registry)?),
            Some("many") => self.many(self.cell(&registry)?),
            Some("watch") => self.watch(self.cell(&registry)?),
            Some("theory") => self.theory(self.cell(&registry)?),
            other => {
                let names = "ask list, elect, many, watch or theory";
                Err(Input::new("ask", other.unwrap_or_default(), "unknown", names).into())
            }
        }
    }

    /// What a field says; an empty one says nothing.
    fn text(&self, field: &str) -> Option<&str> {
        self.0[field].as_str().filter(|text| !text.is_empty())
    }

    fn number(&self, field: &str, usual: u64) -> u64 {
        self.0[field].as_u64().unwrap_or(usual)
    }

    fn cell(&self, registry: &Registry) -> Result<Cell, Input> {
        let request = Request {
            algorithm: self.text("algorithm").unwrap_or_default(),
            n: self.0["n"].as_u64(),
            topology: self.text("topology").unwrap_or("ring"),
            layout: self.text("layout"),
            ids: self.text("ids"),
            initiators: self.text("initiators").unwrap_or("all"),
            timing: self.text("timing").unwrap_or("sync"),
            fifo: true,
            limit: None,
        };
        // There are no files here.
        let cell = request.cell(&Names { registry, files: &Files::recorded() })?;
        if cell.n() > MOST_NODES {
            let problem = format!("this page holds elections among at most {MOST_NODES}");
            return Err(Input::new("n", cell.n(), problem, "use a smaller n, or the program"));
        }
        Ok(cell)
    }

    fn runs(&self, cell: &Cell) -> Result<Runs, Input> {
        cell.prepare(self.number("seed", 1))
    }

    /// One election, as `elect --json` tells it.
    fn elect(&self, cell: Cell) -> Result<Value, Error> {
        let mut runs = self.runs(&cell)?;
        let mut simulator = (cell.algorithm().simulator)();
        let outcome = runs.simulate(self.number("run", 0), simulator.as_mut())?;
        let Outcome { leader, messages, bits, max_node_messages, .. } = outcome;
        let kinds = cell.algorithm().kinds.names().zip(outcome.kinds);
        let kinds = kinds.map(|(name, count)| (name.to_owned(), count.into()));
        Ok(json!({
            "leader": leader,
            "messages": messages,
            "kinds": Value::Object(kinds.collect()),
            "bits": bits,
            "max_node_messages": max_node_messages,
            "time": time(outcome.time),
            "end": time(outcome.end),
            "ring": runs.ids(),
        }))
    }

    /// The messages of many runs.
    fn many(&self, cell: Cell) -> Result<Value, Error> {
        let mut runs = self.runs(&cell)?;
        let mut simulator = (cell.algorithm().simulator)();
        let from = self.number("from", 0);
        let numbers = from..from + self.number("count", 1);
        let messages = numbers.map(|run| Ok(runs.simulate(run, simulator.as_mut())?.messages));
        Ok(json!({ "messages": messages.collect::<Result<Vec<u64>, Error>>()? }))
    }

    /// What the script of the watch page draws.
    fn watch(&self, cell: Cell) -> Result<Value, Error> {
        let mut runs = self.runs(&cell)?;
        let (seed, run) = (self.number("seed", 1), self.number("run", 0));
        let trace = Trace::of_run(&mut runs, &NEVER, run)?;
        if matches!(trace.outcome, Err(Violation::TooManyMessages(LONGEST))) {
            let problem =
                format!("{} has more than {LONGEST} messages here", cell.algorithm().name);
            return Err(Input::new("n", cell.n(), problem, "use a smaller n").into());
        }
        let panel = Panel { trace: &trace, facts: runs.facts() };
        Ok(watch::data(&[panel], &watch::command(&cell, seed, run)))
    }

    /// What theory says: of one number of messages, and how likely each is where that is known.
    fn theory(&self, cell: Cell) -> Result<Value, Error> {
        let mut runs = self.runs(&cell)?;
        let (_, facts) = runs.theory(self.number("run", 0))?;
        let n = u64::from(cell.n());
        let law = cell.law().filter(|law| n <= law.quick).and_then(|law| law.distribution(n));
        let law = law.map(|law| {
            let probabilities: Vec<f64> = law.iter().map(|(_, probability)| probability).collect();
            json!({ "fewest": law.support().start(), "probabilities": probabilities })
        });
        Ok(json!({ "facts": watch::theory(&facts), "law": law }))
    }
}

/// The algorithms, and where each runs.
fn list(registry: &Registry) -> Value {
    let algorithms = registry.entries().iter().map(|entry| {
        let on = match entry.model.on {
            On::Rings => "rings",
            On::Trees => "trees",
            On::Graphs => "graphs",
            On::Cliques => "complete networks",
        };
        json!({ "name": entry.name, "summary": entry.summary, "source": entry.source, "on": on })
    });
    json!({ "algorithms": algorithms.collect::<Vec<_>>() })
}

fn time(time: Option<Time>) -> Value {
    match time {
        Some(Time::Rounds(rounds)) => json!(rounds),
        Some(Time::Real(time)) => json!(time),
        None => Value::Null,
    }
}
