//! `hustings check`: the gate against regressions.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::arguments::{threads, whole};
use super::columns::paragraph;
use super::meter::Meter;
use super::output::{Inputs, Output, refuse_twice};
use super::signals::STOP;
use super::terminal::{json_text, note, print};
use crate::check::output::{
    annotations, bencher, bound_finding, cell_name, closing, finding, github_action_benchmark,
    json, junit, markdown, number, percent,
};
use crate::check::{
    Baseline, Counts, Ending, Measured, Mode, Options, POWER, Report, Verdict, check,
    check_beforehand,
};
use crate::engine::Registry;
use crate::experiment::error::{Error, Result};
use crate::experiment::plan::Plan;
use crate::experiment::spec::Spec;
use crate::model::error::Input;
use crate::model::escape;
use crate::results::{Scratch, batch};

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
            print(&(text(&report) + &notes))?;
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
        let scratch = Scratch::new()?;
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
        _ = writeln!(text, "{}", same[0].key.series());
        _ = writeln!(text, "  {:>8} {:>9} {:>14} {:>14}  verdict", "n", "runs", "before", "now");
        for cell in same {
            let change = match (cell.mean / cell.mean_before - 1.0) * 100.0 {
                change if change.is_finite() && change != 0.0 => format!(" ({change:+.2} %)"),
                _ => String::new(),
            };
            _ = writeln!(
                text,
                "  {:>8} {:>9} {:>14} {:>14}  {}{change}",
                cell.key.n,
                cell.runs,
                number(cell.mean_before),
                number(cell.mean),
                cell.verdict
            );
        }
        text.push('\n');
    }
    let told: Vec<_> = report
        .cells
        .iter()
        .filter(|cell| !matches!(cell.verdict, Verdict::Equal | Verdict::Equivalent))
        .collect();
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
    if let Some(failure) = &report.failure {
        _ = writeln!(text, "{}:", escape::terminal(cell_name(&failure.key)));
        text += &paragraph("  ", &failure.problem);
        _ = writeln!(text, "    {}\n", failure.command);
    }
    if report.options.mode == Mode::Statistical && report.failure.is_none() {
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
        text += &paragraph("", &promise);
    }
    text + &paragraph("", &closing(report))
}
