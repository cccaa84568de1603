//! A trace says the same in every form: as many messages as the engine counts, clocks that know what
//! happened before what, and nothing that a reader takes for more than a word.

use std::collections::{BTreeMap, HashMap};

use hustings::engine::trace::Cause;
use hustings::experiment::cell::{Cell, Setting};
use hustings::model::outcome::Outcome;
use hustings::model::stop::NEVER;
use hustings::show::trace::{Format, Trace, clocks};
use hustings::show::watch::{Panel, page};
use serde_json::Value;

use crate::common::{REGISTRY, cell, home, topology};
use crate::hostile_names;

fn setting(topology: &str, n: u64, timing: &str) -> Setting {
    let topology = topology.parse().expect("a topology");
    Setting { topology, timing: timing.parse().expect("a timing"), ..Setting::of(n) }
}

fn held(cell: &Cell, run: u64) -> (Trace, Outcome) {
    let mut runs = cell.prepare(5).expect("rings");
    let outcome = runs.simulate(run, (cell.algorithm().simulator)().as_mut()).expect("an outcome");
    let trace = runs
        .hold(&NEVER, run, |graph, election, network| Trace::of(cell, graph, election, network));
    (trace.expect("a trace"), outcome)
}

/// Every algorithm on a small network, in rounds.
fn every_algorithm() -> impl Iterator<Item = (Trace, Outcome)> {
    REGISTRY
        .entries()
        .iter()
        .map(|entry| held(&cell(&entry.name, setting(home(entry), 5, "sync")), 0))
}

/// Which events happened before which, by definition: the closure of each node's order and of every
/// message from its sending to its arrival.
fn happened_before(trace: &Trace) -> Vec<Vec<bool>> {
    let count = trace.events.len();
    let mut before = vec![vec![false; count]; count];
    for (number, event) in trace.events.iter().enumerate() {
        before[number][number] = true;
        let mut causes: Vec<usize> =
            (0..number).filter(|&other| trace.events[other].node == event.node).collect();
        if let Cause::Mail { event: cause, .. } = event.cause {
            causes.push(cause);
        }
        for cause in causes {
            let known = before[cause].clone();
            before[number].iter_mut().zip(known).for_each(|(own, known)| *own |= known);
        }
    }
    before
}

#[test]
fn a_vector_clock_is_nowhere_ahead_exactly_if_its_event_happened_before() {
    let settings = [
        ("chang-roberts", "ring", 7, "sync"),
        ("hirschberg-sinclair", "ring", 6, "uniform:0..1"),
        ("peterson", "ring", 1, "sync"),
        ("peterson", "ring", 9, "lifo"),
        ("time-slice", "ring", 4, "sync"),
        ("echo-election", "grid", 9, "exponential:1"),
        ("ghs", "complete", 5, "sync"),
    ];
    for (algorithm, topology, n, timing) in settings {
        let (trace, _) = held(&cell(algorithm, setting(topology, n, timing)), 1);
        let mut all: Vec<Vec<u32>> = Vec::new();
        clocks(&trace, |number, clock| {
            assert_eq!(number, all.len());
            all.push(clock.to_vec());
        });
        let before = happened_before(&trace);
        for (a, one) in all.iter().enumerate() {
            for (b, other) in all.iter().enumerate() {
                let nowhere_ahead = one.iter().zip(other).all(|(one, other)| one <= other);
                assert_eq!(nowhere_ahead, before[b][a], "{algorithm}: {a} and {b}");
            }
        }
    }
}

#[test]
fn lines_of_json_have_every_message_once_sent_and_once_received() {
    for (trace, outcome) in every_algorithm() {
        let text = Format::Json.write(&trace);
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let (opening, rest) = lines.split_first().expect("a first line");
        let (end, events) = rest.split_last().expect("a last line");
        assert_eq!(opening["trace"], 1);
        assert_eq!(opening["ring"].as_array().map(Vec::len), Some(5));
        assert_eq!(end["messages"], outcome.messages);
        assert_eq!(end["leader"], serde_json::json!(outcome.leader));
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        let mut status = HashMap::new();
        for (number, event) in events.iter().enumerate() {
            assert_eq!(event["event"], number);
            for message in event["sent"].as_array().expect("a list") {
                sent.push(message["message"].as_u64().expect("a number"));
                *kinds.entry(message["kind"].as_str().expect("a word")).or_default() += 1;
            }
            assert_eq!(event["cause"] == "message", event["message"].is_u64());
            received.extend(event["message"].as_u64());
            if let Some(decided) = event["status"].as_str() {
                status.insert(event["id"].as_u64().expect("an ID"), decided);
            }
        }
        received.sort_unstable();
        let all: Vec<u64> = (0..outcome.messages).collect();
        assert_eq!((&sent, &received), (&all, &all));
        for (name, count) in trace.kinds().into_iter().zip(outcome.kinds) {
            assert_eq!(kinds.get(name).copied().unwrap_or(0), count, "{name}");
        }
        if let Some(leader) = outcome.leader {
            assert_eq!(status.get(&leader), Some(&"leader"));
        }
    }
}

#[test]
fn text_fits_a_terminal_and_has_a_line_for_every_event() {
    for (trace, _) in every_algorithm() {
        let text = Format::Text.write(&trace);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let is_event = |line: &&str| line.get(..5).is_some_and(|n| n.trim().parse::<u64>().is_ok());
        // Above this heading may stand the pseudocode, with its own numbers.
        let (_, events) = text.split_once("what happens\n").expect("a heading");
        assert_eq!(events.lines().filter(is_event).count(), trace.events.len());
    }
}

/// What Mermaid's manual says of sequence diagrams, as far as we use it.
#[test]
fn mermaid_has_an_arrow_for_every_message_between_participants_that_were_named() {
    for (trace, outcome) in every_algorithm() {
        let text = Format::Mermaid.write(&trace);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("sequenceDiagram"));
        let mut named = Vec::new();
        let mut arrows = 0;
        for line in lines.map(str::trim_start) {
            if let Some(participant) = line.strip_prefix("participant ") {
                let (name, _) = participant.split_once(" as ").expect("an alias");
                named.push(name.to_owned());
                continue;
            }
            let (head, words) = line.split_once(": ").expect("words");
            // A hash begins the number of a character, a semicolon ends it; elsewhere it ends a line.
            let pieces: Vec<&str> = words.split('#').collect();
            assert!(!pieces[0].contains(';'), "{line}");
            for piece in &pieces[1..] {
                let (number, rest) = piece.split_once(';').expect("an end");
                assert!(number.parse::<u32>().is_ok() && !rest.contains(';'), "{line}");
            }
            let ends: Vec<&str> = match head.strip_prefix("Note over ") {
                Some(node) => vec![node],
                None => {
                    arrows += 1;
                    let (from, to) = head.split_once("->>").expect("an arrow");
                    vec![from, to]
                }
            };
            assert!(ends.iter().all(|end| named.iter().any(|name| name == end)), "{line}");
        }
        assert_eq!(arrows, outcome.messages);
    }
}

/// The rules of ShiViz: the expression in the first line finds every event; the host is in its own
/// clock; its events are numbered 1, 2, 3, ...; no entry of a host's clock ever falls.
#[test]
fn a_log_for_shiviz_obeys_its_rules() {
    for (trace, _) in every_algorithm() {
        let text = Format::Shiviz.write(&trace);
        let (expression, log) = text.split_once("\n\n").expect("an empty line");
        assert_eq!(expression, r"(?<event>.*)\n(?<host>\S*) (?<clock>\{.*\})");
        let lines: Vec<&str> = log.lines().collect();
        assert_eq!(lines.len(), 2 * trace.events.len());
        let mut hosts: HashMap<String, HashMap<String, u64>> = HashMap::new();
        for pair in lines.chunks(2) {
            let (host, clock) = pair[1].split_once(' ').expect("a host and a clock");
            let clock: HashMap<String, u64> = serde_json::from_str(clock).expect("JSON");
            let last = hosts.entry(host.to_owned()).or_default();
            assert_eq!(clock[host], last.get(host).copied().unwrap_or(0) + 1);
            assert!(last.iter().all(|(other, count)| clock[other] >= *count), "{}", pair[1]);
            *last = clock;
        }
    }
}

#[test]
fn drawings_have_an_arrow_for_every_message() {
    for (trace, outcome) in every_algorithm() {
        let svg = Format::Svg.write(&trace);
        let document = roxmltree::Document::parse(&svg).expect("XML");
        let drawn =
            document.descendants().filter(|node| node.attribute("class") == Some("message"));
        assert_eq!(drawn.count() as u64, outcome.messages);
        let tikz = Format::Tikz.write(&trace);
        let legend = trace.kinds().len();
        assert_eq!(tikz.matches("\\draw[->").count(), outcome.messages as usize + legend);
        let dot = Format::Dot.write(&trace);
        assert_eq!(dot.matches(" -- ").count(), trace.edges.len());
        let counts = dot
            .lines()
            .filter(|line| line.contains(" -- "))
            .filter_map(|line| line.split('"').nth(1).and_then(|count| count.parse::<u64>().ok()));
        assert_eq!(counts.sum::<u64>(), outcome.messages);
    }
}

#[test]
fn a_trace_is_the_same_whatever_its_network_is_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "0 1\n1 2\n2 0\n").expect("written");
        let topology = topology(&format!("file:{}", path.display()));
        let (trace, _) =
            held(&cell("echo-election", Setting { topology, ..Setting::given(vec![1, 3, 2]) }), 0);
        trace
    };
    let plain = made("plain");
    for name in hostile_names::names() {
        if name.contains('/') {
            continue;
        }
        let trace = made(&name);
        for format in [Format::Mermaid, Format::Shiviz, Format::Dot] {
            assert_eq!(format.write(&trace), format.write(&plain), "{name:?}");
        }
        for format in [Format::Text, Format::Tikz] {
            let (text, other) = (format.write(&trace), format.write(&plain));
            let end =
                |text: &str| text.lines().rev().take(20).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(end(&text), end(&other), "{name:?}");
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{name:?}");
        }
        for line in Format::Json.write(&trace).lines() {
            serde_json::from_str::<Value>(line).expect("JSON");
        }
        roxmltree::Document::parse(&Format::Svg.write(&trace)).expect("XML");
        let panel = Panel { trace: &trace, facts: Default::default() };
        let page = page(&[panel], &name);
        assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
        let data = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script").next());
        serde_json::from_str::<Value>(data.expect("data")).expect("JSON");
    }
}

#[test]
fn a_page_of_many_messages_shows_where_and_when_they_arrive() {
    for (algorithm, topology, n, timing) in [
        ("chang-roberts", "ring", 65, "sync"),
        ("peterson", "ring", 100, "uniform:0..1"),
        ("lelann", "ring", 64, "sync"),
        ("lelann", "ring", 72, "lifo"),
        ("echo-election", "torus", 400, "sync"),
    ] {
        let (trace, outcome) = held(&cell(algorithm, setting(topology, n, timing)), 0);
        let page = page(&[Panel { trace: &trace, facts: Default::default() }], "");
        assert!(page.len() < 500_000, "{} bytes", page.len());
        let data = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script").next());
        let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
        let few = n <= 64 && outcome.messages <= 5000;
        let panel = &data["panels"][0];
        assert_eq!(panel["density"].is_null(), few);
        if !few {
            let sums = panel["density"]["sums"].as_array().expect("a list");
            assert_eq!(sums.last().and_then(Value::as_u64), Some(outcome.messages));
            let fields: usize = panel["density"]["shades"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|path| path.as_str().expect("a path").matches('M').count())
                .sum();
            assert!(fields > 0 && fields <= 200 * 120);
        }
    }
}
