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

/// A test of JUnit's: its line, and how it ended.
struct Case {
    xml: String,
    failed: bool,
    skipped: bool,
}

/// What a test has to say if it did not pass.
enum Remark {
    Skipped(String),
    /// The kind of failure, what is wrong, and the commands that show it.
    Failed(&'static str, String, String),
}

impl Case {
    fn new(algorithm: &str, name: &str, remark: Option<Remark>) -> Self {
        let (algorithm, name) = (xml(algorithm), xml(name));
        let head = format!("    <testcase classname=\"{algorithm}\" name=\"{name}\" time=\"0\"");
        let failed = matches!(remark, Some(Remark::Failed(..)));
        let skipped = matches!(remark, Some(Remark::Skipped(_)));
        let xml = match remark {
            None => format!("{head}/>\n"),
            Some(Remark::Skipped(message)) => {
                let message = xml(&message);
                format!("{head}>\n      <skipped message=\"{message}\"/>\n    </testcase>\n")
            }
            Some(Remark::Failed(kind, message, more)) => format!(
                "{head}>\n      <failure type=\"{kind}\" message=\"{}\">{}</failure>\n    \
                 </testcase>\n",
                xml(&message),
                xml(&more)
            ),
        };
        Case { xml, failed, skipped }
    }

    fn of_cell(report: &Report, cell: &CellCheck) -> Self {
        let kind = match cell.verdict {
            Verdict::Inconclusive => "inconclusive",
            Verdict::Differs => "differs",
            _ => "regression",
        };
        let remark = match (fails(report, cell.verdict), cell.verdict) {
            (true, _) => {
                let lines = cell.differences.iter().map(|it| {
                    format!("run {}: {} before, {} now: {}", it.run, it.before, it.now, it.command)
                });
                let commands = lines.collect::<Vec<_>>().join("\n");
                Some(Remark::Failed(kind, finding(cell), commands))
            }
            (false, Verdict::Inconclusive) => Some(Remark::Skipped(finding(cell))),
            _ => None,
        };
        Case::new(&cell.key.algorithm, &place(&cell.key), remark)
    }

    fn of_bound(bound: &BoundCheck) -> Self {
        let name = format!("{} {} <= {}", place(&bound.key), bound.of, bound.formula);
        let remark = (!bound.holds).then(|| {
            let command = bound.command.clone().unwrap_or_default();
            Remark::Failed("bound", bound_finding(bound), command)
        });
        Case::new(&bound.key.algorithm, &name, remark)
    }

    fn of_failure(Failure { key, problem, command }: &Failure) -> Self {
        let remark = Remark::Failed("violation", problem.clone(), command.clone());
        Case::new(&key.algorithm, &place(key), Some(remark))
    }
}

/// The report as JUnit's XML: one suite for the cells, one for the bounds, and one for an election
/// that went wrong.
pub fn junit(report: &Report) -> String {
    let suites: [(&str, Vec<Case>); 3] = [
        ("elections", report.failure.iter().map(Case::of_failure).collect()),
        ("cells", report.cells.iter().map(|cell| Case::of_cell(report, cell)).collect()),
        ("bounds", report.bounds.iter().map(Case::of_bound).collect()),
    ];
    let counts = |cases: &[&Case]| {
        let failed = cases.iter().filter(|case| case.failed).count();
        let skipped = cases.iter().filter(|case| case.skipped).count();
        format!(
            "tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"",
            cases.len()
        )
    };
    let all: Vec<&Case> = suites.iter().flat_map(|(_, cases)| cases).collect();
    let mut page = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    _ = writeln!(page, "<testsuites name=\"{}\" {} time=\"0\">", xml(&report.name), counts(&all));
    for (name, cases) in suites.iter().filter(|(_, cases)| !cases.is_empty()) {
        let counts = counts(&cases.iter().collect::<Vec<_>>());
        _ = writeln!(page, "  <testsuite name=\"{name}\" {counts} time=\"0\">");
        cases.iter().for_each(|case| page += &case.xml);
        page += "  </testsuite>\n";
    }
    page + "</testsuites>\n"
}

/// The report as a page for a pull request: what fails first, the rest folded away.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("### {}\n\n", escape::markdown(closing(report)));
    let (bad, good): (Vec<&CellCheck>, Vec<&CellCheck>) =
        report.cells.iter().partition(|cell| fails(report, cell.verdict));
    if !bad.is_empty() {
        text += &markdown_table(&bad);
        let first = bad.iter().filter_map(|cell| cell.differences.first());
        let commands: Vec<&str> = first.map(|difference| difference.command.as_str()).collect();
        if !commands.is_empty() {
            let commands = escape::markdown_code(&commands.join("\n"));
            _ = writeln!(text, "\nTo see them again:\n\n{commands}");
        }
        text += "\n";
    }
    if let Some(Failure { key, problem, command }) = &report.failure {
        let [cell, problem] = [cell_name(key), problem.clone()].map(escape::markdown);
        let command = indented_code(command);
        _ = writeln!(text, "- **{cell}**: {problem}\n\n  {command}\n");
    }
    let violated: Vec<&BoundCheck> = report.violated().collect();
    for bound in &violated {
        let [cell, finding] = [cell_name(&bound.key), bound_finding(bound)].map(escape::markdown);
        _ = writeln!(text, "- **{cell}**: {finding}");
        if let Some(command) = &bound.command {
            _ = writeln!(text, "\n  {}", indented_code(command));
        }
    }
    if !violated.is_empty() {
        text += "\n";
    }
    if !good.is_empty() {
        let summary = format!("{} cells are as they should be", good.len());
        let table = markdown_table(&good);
        _ = writeln!(text, "<details><summary>{summary}</summary>\n\n{table}\n</details>");
    }
    text
}

/// A command in a list.
fn indented_code(command: &str) -> String {
    escape::markdown_code(command).replace('\n', "\n  ")
}

/// Cells as a table in Markdown.
fn markdown_table(cells: &[&CellCheck]) -> String {
    let mut table = "| algorithm | cell | runs | before | now | verdict |\n\
                     |---|---|--:|--:|--:|---|\n"
        .to_owned();
    for cell in cells {
        let verdict = match finding(cell).as_str() {
            "" => cell.verdict.to_string(),
            finding => format!("**{}**: {}", cell.verdict, escape::markdown(finding)),
        };
        _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {verdict} |",
            escape::markdown(&cell.key.algorithm),
            escape::markdown(place(&cell.key)),
            cell.runs,
            number(cell.mean_before),
            number(cell.mean),
        );
    }
    table
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
