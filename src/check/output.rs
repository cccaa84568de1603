//! What the gate found, for programs: JUnit, Markdown, GitHub annotations, and the measured means
//! for services that watch benchmarks.

use std::fmt::Write;

use serde_json::{Value, json};

use super::baseline::{Counts, KEPT_RUNS};
use super::gate::{BoundCheck, CellCheck, Ending, Failure, Mode, Report, Verdict};
use crate::experiment::bounds::Of;
use crate::experiment::key::CellKey;
use crate::model::escape::{self, xml};
use crate::statistics::{CONFIDENCE, student};

/// A number of messages for people.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    let digits = if share.abs() < 0.0995 { 2 } else { 1 };
    format!("{:.digits$} %", share * 100.0)
}

/// A cell without its algorithm, in words that stay the same from version to version.
pub fn place(key: &CellKey) -> String {
    let CellKey { topology, layout, ids, initiators, timing, n, .. } = key;
    format!("{topology} {layout} {ids} {initiators} {timing} n={n}")
}

/// A cell with its algorithm.
pub fn cell_name(key: &CellKey) -> String {
    format!("{} {}", key.algorithm, place(key))
}

/// What is to be said about a cell in one line; nothing if it is equal.
pub fn finding(cell: &CellCheck) -> String {
    let change = cell.estimate.as_ref().map(|estimate| {
        let share = |value: f64| percent(value / cell.mean_before);
        let interval = estimate.interval.map_or_else(String::new, |(low, high)| {
            format!(" (95 %: {} to {})", share(low), share(high))
        });
        format!("the mean changed by {}{interval}", share(estimate.difference))
    });
    match cell.verdict {
        Verdict::Equal => String::new(),
        Verdict::Differs => match cell.differences.first() {
            Some(first) => format!(
                "{} of the first {} runs differ; run {}: {} messages before, {} now",
                cell.differing_runs,
                cell.runs.min(cell.runs_before).min(KEPT_RUNS as u64),
                first.run,
                first.before,
                first.now
            ),
            None if cell.runs != cell.runs_before => {
                format!(
                    "it stopped after {} runs before, after {} now",
                    cell.runs_before, cell.runs
                )
            }
            None => format!("runs after the first {} differ", KEPT_RUNS),
        },
        Verdict::Inconclusive => {
            let settle = match cell.runs_to_settle {
                Some(runs) => format!("{runs} runs on both sides would settle it"),
                None => "it is too near the margin for any number of runs".to_owned(),
            };
            let change = change.unwrap_or_else(|| "too few runs".to_owned());
            format!("{change}; {settle}")
        }
        _ => change.unwrap_or_default(),
    }
}

/// What is to be said about a bound in one line.
pub fn bound_finding(bound: &BoundCheck) -> String {
    let what = match bound.of {
        Of::Run => "a run needs",
        Of::Mean => "the mean is",
    };
    let relation = if bound.holds { "at most" } else { "above" };
    let (messages, value) = (number(bound.messages), number(bound.bound));
    format!("{what} {messages}, {relation} {} = {value}", bound.formula)
}

/// The closing sentence.
pub fn closing(report: &Report) -> String {
    if let Some(failure) = &report.failure {
        return format!("VIOLATION: {}: {}", failure.key.algorithm, failure.problem);
    }
    let count = |verdict| report.with(verdict).count();
    let all = report.cells.len();
    let mut parts = Vec::new();
    match report.options.mode {
        Mode::Exact => match count(Verdict::Differs) {
            0 if all == 1 => parts.push("the cell is equal to the baseline, run by run".to_owned()),
            0 => parts.push(format!("all {all} cells are equal to the baseline, run by run")),
            differ => parts.push(format!("{differ} of {all} cells DIFFER from the baseline")),
        },
        Mode::Statistical => {
            let words = [
                (Verdict::Equivalent, "equivalent"),
                (Verdict::Improved, "improved"),
                (Verdict::Inconclusive, "inconclusive"),
                (Verdict::Regression, "WORSE"),
            ];
            let told = words.map(|(verdict, word)| (count(verdict), word));
            let told = told.iter().filter(|(count, _)| *count > 0);
            let told: Vec<String> = told.map(|(count, word)| format!("{count} {word}")).collect();
            parts.push(format!("cells: {}", told.join(", ")));
        }
        Mode::Bounds => {}
    }
    let (stated, violated) = (report.bounds.len(), report.violated().count());
    match (stated, violated) {
        (0, _) => {}
        (_, 0) => parts.push(format!("bounds hold in {stated} cases")),
        _ => parts.push(format!("bounds are VIOLATED in {violated} of {stated} cases")),
    }
    let ending = match report.ending() {
        Ending::Violation => "VIOLATION",
        Ending::Passed => "passed",
        Ending::Regression => "REGRESSION",
        Ending::Inconclusive => "INCONCLUSIVE",
    };
    format!("{ending}: {}", parts.join("; "))
}

/// The report as one JSON object.
pub fn json(report: &Report) -> Value {
    let mut object = json!(report);
    object["ending"] = json!(report.ending());
    object["passed"] = json!(report.ending() == Ending::Passed);
    object["verdict"] = closing(report).into();
    object
}

/// Whether a verdict fails the gate.
fn fails(report: &Report, verdict: Verdict) -> bool {
    match verdict {
        Verdict::Differs | Verdict::Regression => true,
        Verdict::Inconclusive => !report.options.allow_inconclusive,
        Verdict::Equal | Verdict::Equivalent | Verdict::Improved => false,
    }
}

/// The report as JUnit's XML: one suite for the cells, one for the bounds, and one for an election
/// that went wrong.
pub fn junit(report: &Report) -> String {
    let case = |algorithm: &str, name: &str, trouble: Option<(&str, String, String)>| {
        let (algorithm, name) = (xml(algorithm), xml(name));
        let head = format!("    <testcase classname=\"{algorithm}\" name=\"{name}\" time=\"0\"");
        match trouble {
            None => format!("{head}/>\n"),
            Some(("skipped", message, _)) => {
                format!(
                    "{head}>\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                    xml(&message)
                )
            }
            Some((kind, message, more)) => format!(
                "{head}>\n      <failure type=\"{kind}\" message=\"{}\">{}</failure>\n    \
                 </testcase>\n",
                xml(&message),
                xml(&more)
            ),
        }
    };
    let commands = |cell: &CellCheck| {
        let lines = cell.differences.iter().map(|it| {
            format!("run {}: {} before, {} now: {}", it.run, it.before, it.now, it.command)
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let cells: Vec<(String, bool, bool)> = report
        .cells
        .iter()
        .map(|cell| {
            let failed = fails(report, cell.verdict);
            let skipped = cell.verdict == Verdict::Inconclusive && !failed;
            let kind = match cell.verdict {
                _ if skipped => "skipped",
                Verdict::Inconclusive => "inconclusive",
                Verdict::Differs => "differs",
                _ => "regression",
            };
            let trouble = (failed || skipped).then(|| (kind, finding(cell), commands(cell)));
            (case(&cell.key.algorithm, &place(&cell.key), trouble), failed, skipped)
        })
        .collect();
    let bounds: Vec<(String, bool, bool)> = report
        .bounds
        .iter()
        .map(|bound| {
            let name = format!("{} {} <= {}", place(&bound.key), bound.of, bound.formula);
            let command = bound.command.clone().unwrap_or_default();
            let trouble = (!bound.holds).then(|| ("bound", bound_finding(bound), command));
            (case(&bound.key.algorithm, &name, trouble), !bound.holds, false)
        })
        .collect();
    let elections: Vec<(String, bool, bool)> = report
        .failure
        .iter()
        .map(|Failure { key, problem, command }| {
            let trouble = ("violation", problem.clone(), command.clone());
            (case(&key.algorithm, &place(key), Some(trouble)), true, false)
        })
        .collect();
    let counts = |cases: &[(String, bool, bool)]| {
        let failed = cases.iter().filter(|(_, failed, _)| *failed).count();
        let skipped = cases.iter().filter(|(.., skipped)| *skipped).count();
        format!(
            "tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"",
            cases.len()
        )
    };
    let all: Vec<_> = elections.iter().chain(&cells).chain(&bounds).cloned().collect();
    let mut page = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    _ = writeln!(page, "<testsuites name=\"{}\" {} time=\"0\">", xml(&report.name), counts(&all));
    for (name, cases) in [("elections", &elections), ("cells", &cells), ("bounds", &bounds)] {
        if cases.is_empty() {
            continue;
        }
        _ = writeln!(page, "  <testsuite name=\"{name}\" {} time=\"0\">", counts(cases));
        cases.iter().for_each(|(case, ..)| page += case);
        page += "  </testsuite>\n";
    }
    page + "</testsuites>\n"
}

/// The report as a page for a pull request: what fails first, the rest folded away.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("### {}\n\n", escape::markdown(closing(report)));
    let header =
        "| algorithm | cell | runs | before | now | verdict |\n|---|---|--:|--:|--:|---|\n";
    let row = |cell: &CellCheck| {
        format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            escape::markdown(&cell.key.algorithm),
            escape::markdown(place(&cell.key)),
            cell.runs,
            number(cell.mean_before),
            number(cell.mean),
            match finding(cell).as_str() {
                "" => cell.verdict.to_string(),
                finding => format!("**{}**: {}", cell.verdict, escape::markdown(finding)),
            },
        )
    };
    let (bad, good): (Vec<&CellCheck>, Vec<&CellCheck>) =
        report.cells.iter().partition(|cell| fails(report, cell.verdict));
    if !bad.is_empty() {
        text += header;
        bad.iter().for_each(|cell| text += &row(cell));
        let commands: Vec<&str> = bad
            .iter()
            .filter_map(|cell| cell.differences.first())
            .map(|difference| difference.command.as_str())
            .collect();
        if !commands.is_empty() {
            let commands = escape::markdown_code(&commands.join("\n"));
            _ = writeln!(text, "\nTo see them again:\n\n{commands}");
        }
        text += "\n";
    }
    if let Some(Failure { key, problem, command }) = &report.failure {
        let [cell, problem] = [cell_name(key), problem.clone()].map(escape::markdown);
        let command = escape::markdown_code(command).replace('\n', "\n  ");
        _ = writeln!(text, "- **{cell}**: {problem}\n\n  {command}\n");
    }
    let violated: Vec<&BoundCheck> = report.violated().collect();
    for bound in &violated {
        let [cell, finding] = [cell_name(&bound.key), bound_finding(bound)];
        let [cell, finding] = [cell, finding].map(escape::markdown);
        _ = writeln!(text, "- **{cell}**: {finding}");
        if let Some(command) = &bound.command {
            let command = escape::markdown_code(command).replace('\n', "\n  ");
            _ = writeln!(text, "\n  {command}");
        }
    }
    if !violated.is_empty() {
        text += "\n";
    }
    if !good.is_empty() {
        let summary = format!("{} cells are as they should be", good.len());
        _ = writeln!(text, "<details><summary>{summary}</summary>\n\n{header}{}\n</details>", {
            good.iter().map(|cell| row(cell)).collect::<String>()
        });
    }
    text
}

/// The failures as workflow commands of GitHub Actions.
pub fn annotations(report: &Report) -> String {
    let mut text = String::new();
    let mut line = |level: &str, key: &CellKey, message: String| {
        let title = escape::github_property(escape::terminal(cell_name(key)));
        _ = writeln!(text, "::{level} title={title}::{}", escape::github(message));
    };
    if let Some(Failure { key, problem, command }) = &report.failure {
        line("error", key, format!("{problem}\nto see it again: {command}"));
    }
    for cell in &report.cells {
        let level = match cell.verdict {
            verdict if fails(report, verdict) => "error",
            Verdict::Inconclusive => "warning",
            Verdict::Improved => "notice",
            _ => continue,
        };
        let mut message = finding(cell);
        if let Some(first) = cell.differences.first() {
            _ = write!(message, "\nto see it again: {}", first.command);
        }
        line(level, &cell.key, message);
    }
    for bound in report.violated() {
        let mut message = bound_finding(bound);
        if let Some(command) = &bound.command {
            _ = write!(message, "\nto see it again: {command}");
        }
        line("error", &bound.key, message);
    }
    text
}

/// Student's 95 % interval of a cell's mean; the mean alone where there is none.
fn interval(counts: &Counts) -> (f64, f64) {
    let t = student::two_sided_quantile(counts.runs as f64 - 1.0, CONFIDENCE);
    let half = t.zip(counts.sd).map_or(0.0, |(t, sd)| t * sd / (counts.runs as f64).sqrt());
    (counts.mean - half, counts.mean + half)
}

/// The means in Bencher's metric format.
pub fn bencher(measured: &[Counts]) -> Value {
    let benchmarks = measured.iter().map(|counts| {
        let (low, high) = interval(counts);
        let messages = json!({ "value": counts.mean, "lower_value": low, "upper_value": high });
        (cell_name(&counts.key), json!({ "messages": messages }))
    });
    Value::Object(benchmarks.collect())
}

/// The means in the format of github-action-benchmark (customSmallerIsBetter).
pub fn github_action_benchmark(measured: &[Counts]) -> Value {
    let benchmarks = measured.iter().map(|counts| {
        let (_, high) = interval(counts);
        json!({
            "name": cell_name(&counts.key),
            "unit": "messages",
            "value": counts.mean,
            "range": format!("± {}", number(high - counts.mean)),
            "extra": format!("{} runs, {} to {} messages", counts.runs, counts.min, counts.max),
        })
    });
    Value::Array(benchmarks.collect())
}
