//! The file: our own style, frame and script as they are, and the elections as data.

use serde_json::{Value, json};

use super::panel::Panel;
use crate::experiment::cell::Cell;
use crate::model::escape;
use crate::model::outcome::Time;

const STYLE: &str = include_str!("page.css");
const FRAME: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");

/// The script draws what it is given; here it is given what stands in the page.
const START: &str = "watch(JSON.parse(document.getElementById(\"data\").textContent));\n";

/// What tells a page of ours from other files; it stands in the head, before the title.
const MARK: &str = "<meta name=\"generator\" content=\"hustings watch\">";

/// The page may run what is in it and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
     img-src data:";

/// So many nodes and messages can be followed one by one.
const FEW_NODES: usize = 64;
const FEW_MESSAGES: usize = 5000;

/// Whether the contents of a file are a page that was made here.
pub fn is_ours(file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file);
    let head = text.split("<title>").next().unwrap_or_default();
    head.starts_with("<!DOCTYPE html>\n") && head.lines().any(|line| line == MARK)
}

/// The page of these elections, one or two, and the command that makes it again.
pub fn page(panels: &[Panel<'_>], command: &str) -> String {
    let data = escaped(&data(panels, command));
    let title = escape::xml(format!("{}, step by step", title(panels)));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{MARK}\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{FRAME}\
         <noscript><p>This page needs its script, which is in it.</p></noscript>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n{SCRIPT}{START}</script>\n</body>\n</html>\n"
    )
}

/// The command that makes the page of one run.
pub fn command(cell: &Cell, seed: u64, run: u64) -> String {
    cell.command(seed, run).replacen(" elect ", " watch ", 1)
}

/// JSON in which nothing can end the element that it stands in.
fn escaped(value: &Value) -> String {
    let text = escape::json(&value.to_string());
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// The algorithms.
fn title(panels: &[Panel<'_>]) -> String {
    panels.iter().map(Panel::name).collect::<Vec<_>>().join(" and ")
}

/// What the script of the page is given: one election or two, and the command that shows them again.
pub fn data(panels: &[Panel<'_>], command: &str) -> Value {
    let is_few = |panel: &Panel<'_>| {
        let trace = panel.trace;
        trace.ids.len() <= FEW_NODES && trace.letters().len() <= FEW_MESSAGES
    };
    let few = panels.iter().all(is_few);
    let order = (few && panels.len() > 1).then(|| order(panels));
    let first = &panels[0];
    json!({
        "title": title(panels),
        "setting": first.setting(),
        "opening": first.opening(),
        "command": escape::terminal(command),
        "order": order,
        "panels": panels.iter().map(|panel| panel.data(few)).collect::<Vec<_>>(),
    })
}

/// Whose event comes next, on one clock; without a clock by turns.
fn order(panels: &[Panel<'_>]) -> Vec<usize> {
    let mut moments: Vec<(f64, usize, usize)> = Vec::new();
    for (who, panel) in panels.iter().enumerate() {
        let events = panel.trace.events.iter().enumerate();
        moments.extend(events.map(|(number, event)| {
            let time = match event.time {
                Some(Time::Rounds(round)) => round as f64,
                Some(Time::Real(time)) => time,
                None => number as f64,
            };
            (time, who, number)
        }));
    }
    moments.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    moments.into_iter().map(|(_, who, _)| who).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Registry;
    use crate::experiment::cell::Setting;
    use crate::model::stop::NEVER;
    use crate::show::trace::Trace;

    #[test]
    fn a_page_is_known_again_and_nothing_in_it_ends_its_data() {
        let registry = Registry::standard();
        let entry = registry.named("chang-roberts").expect("known");
        let cell = Cell::new(entry, Setting::of(5)).expect("a cell");
        let mut runs = cell.prepare(1).expect("rings");
        let trace = runs
            .hold(&NEVER, 0, |graph, election, network| Trace::of(&cell, graph, election, network));
        let trace = trace.expect("a ring");
        let page = page(
            &[Panel { trace: &trace, facts: runs.facts() }],
            "hustings watch --layout '</script><script>x()'",
        );
        assert!(is_ours(page.as_bytes()) && !is_ours(b"<!DOCTYPE html>\n<title></title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("\\u003c/script\\u003e"));
    }
}
