//! `hustings check`: the gate against regressions.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::arguments::{table_format, threads, whole};
use super::columns::{common_parts, paragraph, parts_of, shown_columns};
use super::meter::Meter;
use super::output::{Inputs, Output, refuse_twice};
use super::signals::STOP;
use super::terminal::{json_text, note, print};
use crate::check::output::{
    annotations, bencher, bound_finding, cell_name, closing, finding, github_action_benchmark,
    json, junit, markdown, number, percent,
};
use crate::check::{
    Baseline, BoundCheck, CellCheck, Counts, Ending, Failure, Measured, Mode, Options, POWER,
    Report, Verdict, check, check_beforehand,
};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::key::CellKey;
use crate::experiment::plan::Plan;
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::escape;
use crate::results::{Scratch, batch};
use crate::show::table::{Format, Table, UNKNOWN};

/// Results against a baseline and against bounds.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hustings check data/specs/small.toml --baseline small.baseline
  hustings check data/small --baseline small.baseline --mode statistical
  hustings check gate.toml --mode bounds --junit bounds.xml

Exact: every run must need as many messages as before. Statistical: means must
be the same within the margin (two one-sided tests, Holm's correction over the
cells). Bounds of the spec and of the baseline are checked in every mode.

Exit code 0: passed; 1: regression, or inconclusive; 2: could not check.")]
pub struct Check {
    /// A results folder, or a spec that is run first
    #[arg(value_name = "SPEC_OR_FOLDER")]
    target: PathBuf,
    /// The file that `hustings baseline` made
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// How results are held against the baseline
    #[arg(long, value_parser = modes(), default_value = "exact", hide_possible_values = true,
          value_name = "exact|statistical|bounds")]
    mode: Mode,
    /// Means that differ by less than this share are equivalent
    #[arg(long, default_value = "1%", value_parser = share)]
    margin: f64,
    /// The probability of a false verdict in any cell, at most
    #[arg(long, default_value = "1%", value_parser = share)]
    alpha: f64,
    /// Pass although cells are inconclusive
    #[arg(long)]
    allow_inconclusive: bool,
    /// How the table is written [default: text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write JUnit's XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a page in Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the means: NAME.bmf.json for Bencher, NAME.benchmark.json for
    /// github-action-benchmark
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Print GitHub annotations [default: where GITHUB_ACTIONS is set]
    #[arg(long)]
    annotate: bool,
    /// How many threads [default: all cores]
    #[arg(long, value_parser = whole, allow_negative_numbers = true)]
    threads: Option<u64>,
    /// Print nothing when all is well
    #[arg(long)]
    quiet: bool,
}

/// The modes by their names.
fn modes() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(["exact", "statistical", "bounds"]).map(|name| match name.as_str() {
        "exact" => Mode::Exact,
        "statistical" => Mode::Statistical,
        _ => Mode::Bounds,
    })
}

/// A share such as 1% or 0.01.
fn share(text: &str) -> std::result::Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 100.0),
        None => (text, 1.0),
    };
    match number.parse::<f64>() {
        Ok(value) if value > 0.0 && value < scale / 2.0 => Ok(value / scale),
        _ => Err("use a share above 0 and below 50%, as in 1% or 0.01".to_owned()),
    }
}

/// The means in the format of a service.
type Export = fn(&[Counts]) -> serde_json::Value;

/// The formats of `--export`, by the end of the file's name.
const EXPORTS: [(&str, Export); 2] =
    [(".bmf.json", bencher), (".benchmark.json", github_action_benchmark)];

impl Check {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        if self.baseline.is_none() && self.mode != Mode::Bounds {
            let problem = "there is nothing to compare with";
            let remedy = "name the file that hustings baseline made, or use --mode bounds";
            return Err(Input::new("baseline", "(nothing)", problem, remedy).into());
        }
        let format = table_format(self.format, self.json)?;
        let export = self.export_format()?;
        let threads = threads(self.threads)?;
        let before =
            self.baseline.as_deref().map(|path| Baseline::read(path, registry)).transpose()?;
        let target = self.read_target(registry)?;
        let outputs = self.outputs(&target)?;
        let report = self.report(registry, &target, before.as_ref(), threads)?;
        let export = export.filter(|_| report.failure.is_none());
        let written = [
            outputs.junit.write(|| junit(&report)),
            outputs.markdown.write(|| markdown(&report)),
            export.map_or(Ok(()), |format| {
                outputs.export.write(|| json_text(&format(&report.measured)))
            }),
        ];
        let annotate = self.annotate || std::env::var_os("GITHUB_ACTIONS").is_some();
        let notes = if annotate { annotations(&report) } else { String::new() };
        if self.json {
            print(&json_text(&json(&report)))?;
            if !notes.is_empty() {
                note(notes.trim_end());
            }
        } else if !self.quiet || report.ending() != Ending::Passed {
            print(&match format {
                Format::Text => text(&report) + &notes,
                format => whole_table(&report, format).to_string(format),
            })?;
            // What is not the table goes where it is seen and not read as one.
            if format != Format::Text && !notes.is_empty() {
                note(notes.trim_end());
            }
        }
        // What could not be written does not hide a verdict that is worse.
        match report.ending() {
            Ending::Passed => written.into_iter().collect(),
            _ => {
                let troubles = written.into_iter().filter_map(Result::err);
                troubles.for_each(|trouble| note(format_args!("error: {trouble}")));
                Err(Error::Gate(closing(&report)))
            }
        }
    }

    fn export_format(&self) -> Result<Option<Export>> {
        let Some(path) = &self.export else { return Ok(None) };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let known = EXPORTS.iter().find(|(end, _)| name.ends_with(end));
        known.map(|(_, format)| Some(*format)).ok_or_else(|| {
            let problem = "the end of its name must say for which service it is";
            let remedy = "name it NAME.bmf.json (Bencher) or NAME.benchmark.json \
                          (github-action-benchmark)";
            Input::new("export", path.display(), problem, remedy).into()
        })
    }

    fn read_target(&self, registry: &Registry) -> Result<Target> {
        if self.target.is_dir() {
            return Ok(Target::Folder);
        }
        let spec = Spec::read(&self.target, registry)?;
        let plan = Plan::new(&spec)?;
        Ok(Target::Spec(Box::new(spec), plan))
    }

    /// The files to be written, none of which is one that is read.
    fn outputs(&self, target: &Target) -> Result<Outputs> {
        let mut inputs: Vec<&Path> = vec![&self.target];
        inputs.extend(self.baseline.as_deref());
        if let Target::Spec(spec, _) = target {
            inputs.extend(spec.files().into_keys().map(Path::new));
        }
        let output = |field, path: &Option<PathBuf>| -> Result<Wanted> {
            let path = path.as_deref();
            let new = |path| Output::new(field, path, Inputs(&inputs))?.in_folder();
            Ok(Wanted(path.map(new).transpose()?))
        };
        let outputs = Outputs {
            junit: output("junit", &self.junit)?,
            markdown: output("markdown", &self.markdown)?,
            export: output("export", &self.export)?,
        };
        let Outputs { junit, markdown, export } = &outputs;
        let wanted = [junit, markdown, export].into_iter().filter_map(|wanted| wanted.0.as_ref());
        let json = self.json.then(|| Output::standard("json"));
        refuse_twice(&wanted.chain(&json).collect::<Vec<_>>())?;
        Ok(outputs)
    }

    /// What is to be said of the folder, or of what the spec comes to now.
    fn report(
        &self,
        registry: &Registry,
        target: &Target,
        before: Option<&Baseline>,
        threads: Option<usize>,
    ) -> Result<Report> {
        let options = Options {
            mode: self.mode,
            margin: self.margin,
            alpha: self.alpha,
            allow_inconclusive: self.allow_inconclusive,
        };
        let (spec, plan) = match target {
            Target::Folder => {
                return check(&Measured::of(&self.target, registry)?, before, options);
            }
            Target::Spec(spec, plan) => (spec, plan),
        };
        check_beforehand(spec, plan, before, self.mode)?;
        let scratch = Scratch::new(&std::env::temp_dir())?;
        let folder = scratch.path().join("results");
        let how = batch::Options { threads, stop: &STOP, ..batch::Options::default() };
        match batch::run(spec, &folder, &how, &Meter::new(self.quiet)) {
            Ok(_) => check(&Measured::of(&folder, registry)?, before, options),
            Err(error) => Report::of_failure(spec, options, error),
        }
    }
}

/// What is checked.
enum Target {
    /// A results folder.
    Folder,
    /// A spec that is run first.
    Spec(Box<Spec>, Plan),
}

/// The files to be written.
struct Outputs {
    junit: Wanted,
    markdown: Wanted,
    export: Wanted,
}

/// A file that may have been asked for.
struct Wanted(Option<Output>);

impl Wanted {
    fn write(&self, text: impl FnOnce() -> String) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |output| output.write(text().as_bytes()))
    }
}

/// So many differing cells are shown with their runs.
const SHOWN: usize = 10;

fn text(report: &Report) -> String {
    let mut text = String::new();
    for same in report.cells.chunk_by(|a, b| a.key.is_in_series_of(&b.key)) {
        text += &table(same);
    }
    text += &findings(report);
    if let Some(failure) = &report.failure {
        _ = writeln!(text, "{}:", escape::terminal(cell_name(&failure.key)));
        text += &paragraph("  ", &failure.problem);
        _ = writeln!(text, "    {}\n", failure.command);
    }
    if report.options.mode == Mode::Statistical && report.failure.is_none() {
        text += &paragraph("", &promise(report));
    }
    text + &paragraph("", &closing(report))
}

const COLUMNS: [&str; 6] = ["#n", "#runs", "#before", "#now", "#change in %", "verdict"];

/// Cells that differ in n alone.
fn table(same: &[CellCheck]) -> String {
    let mut table = Table::new(&COLUMNS);
    same.iter().for_each(|cell| table.row(fields(cell)));
    format!("{}\n{}\n", same[0].key.series(), table.to_string(Format::Text))
}

fn fields(cell: &CellCheck) -> [String; 6] {
    let change = match (cell.mean / cell.mean_before - 1.0) * 100.0 {
        change if change.is_finite() => format!("{change:.2}"),
        _ => UNKNOWN.to_owned(),
    };
    [
        cell.key.n.to_string(),
        cell.runs.to_string(),
        number(cell.mean_before),
        number(cell.mean),
        change,
        cell.verdict.to_string(),
    ]
}

/// All cells, or all bounds where nothing else is checked; what it comes to before, what was found
/// behind.
fn whole_table(report: &Report, format: Format) -> Table {
    let bounds = report.options.mode == Mode::Bounds;
    let keys: Vec<&CellKey> = match bounds {
        true => report.bounds.iter().map(|bound| &bound.key).collect(),
        false => report.cells.iter().map(|cell| &cell.key).collect(),
    };
    let shown = shown_columns(&keys, format);
    let setting = shown.iter().map(|&place| CellKey::SERIES_COLUMNS[place]);
    let mut table = match bounds {
        true => {
            let columns = ["#n", "of", "#messages", "formula", "#bound", "verdict"];
            let mut table = Table::new(&setting.chain(columns).collect::<Vec<_>>());
            for bound in &report.bounds {
                let BoundCheck { key, of, messages, formula, bound, holds, .. } = bound;
                let verdict = if *holds { "holds" } else { "VIOLATED" };
                let fields = [
                    key.n.to_string(),
                    of.to_string(),
                    number(*messages),
                    formula.clone(),
                    number(*bound),
                    verdict.to_owned(),
                ];
                table.row(parts_of(key, &shown).chain(fields));
            }
            table
        }
        false => {
            let mut table = Table::new(&setting.chain(COLUMNS).collect::<Vec<_>>());
            for cell in &report.cells {
                table.row(parts_of(&cell.key, &shown).chain(fields(cell)));
            }
            table
        }
    };
    table.say_before(closing(report));
    table.say_before(common_parts(&keys, &shown));
    findings(report).lines().for_each(|line| table.say_after(line));
    if let Some(failure) = &report.failure {
        let Failure { key, problem, command } = failure;
        table.say_after(format!("{}: {problem}; to see it again: {command}", cell_name(key)));
    }
    if report.options.mode == Mode::Statistical && report.failure.is_none() {
        table.say_after(promise(report));
    }
    table
}

/// What is to be said about single cells and bounds.
fn findings(report: &Report) -> String {
    let mut text = String::new();
    let is_told = |cell: &&CellCheck| !matches!(cell.verdict, Verdict::Equal | Verdict::Equivalent);
    let told: Vec<&CellCheck> = report.cells.iter().filter(is_told).collect();
    for cell in told.iter().take(SHOWN) {
        _ = writeln!(text, "{}:", escape::terminal(cell_name(&cell.key)));
        text += &paragraph("  ", &finding(cell));
        for it in &cell.differences {
            _ = writeln!(text, "  run {}: {} before, {} now", it.run, it.before, it.now);
            _ = writeln!(text, "    {}", it.command);
        }
        text.push('\n');
    }
    if told.len() > SHOWN {
        _ = writeln!(text, "... and {} cells more\n", told.len() - SHOWN);
    }
    for bound in report.violated() {
        _ = writeln!(text, "{}:", escape::terminal(cell_name(&bound.key)));
        text += &paragraph("  ", &bound_finding(bound));
        if let Some(command) = &bound.command {
            _ = writeln!(text, "    {command}");
        }
        text.push('\n');
    }
    text
}

/// How sure statistical verdicts are.
fn promise(report: &Report) -> String {
    let Options { margin, alpha, .. } = report.options;
    let mut promise = format!(
        "margin {}, probability of a false verdict in any cell {}",
        percent(margin),
        percent(alpha)
    );
    let detectable = report.cells.iter().filter_map(|cell| cell.detectable).reduce(f64::max);
    if let Some(share) = detectable {
        let (share, power) = (percent(share), percent(POWER));
        promise += &format!("; a rise of {share} is found with probability {power} anywhere");
    }
    promise
}
