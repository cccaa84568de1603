//! The page: one HTML file with the verdicts, figures and tables of a results folder.
//!
//! It loads nothing, and it depends on nothing but the folder: repeated, it is the same bytes. The
//! template escapes every value; only our own style, script and drawings are put in as they are.

mod limits;
mod manifest;
mod rows;
mod svg;

use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, escape_formatter};
use serde::Serialize;

pub use manifest::Manifest;

use crate::error::{Error, Result};
use crate::escape;
use crate::plot::Drawn;
use crate::summarise::cells::Summary;
use crate::summarise::words::{closing, contradiction};
use limits::Limit;
use rows::Table;

/// What tells a page of ours from other files.
pub const MARK: &str = "<meta name=\"generator\" content=\"hustings\">";

/// All that the template shows, in the order of the page.
#[derive(Serialize)]
struct Page<'a> {
    style: &'static str,
    script: &'static str,
    name: &'a str,
    verdict: Verdict,
    common: String,
    verdicts: Table,
    figures: Vec<Shown>,
    skipped: Vec<(&'static str, String)>,
    tables: Vec<Table>,
    limits: Vec<Limit>,
    commands: Vec<(String, String)>,
    manifest: Vec<(&'static str, String)>,
    spec: &'a str,
}

/// What the experiment came to.
#[derive(Serialize)]
struct Verdict {
    /// good, bad or open: its colour.
    class: &'static str,
    heading: &'static str,
    sentences: Vec<String>,
    contradiction: Option<String>,
}

impl Verdict {
    fn of(summary: &Summary, manifest: &Manifest) -> Self {
        let contradiction = contradiction(summary);
        let tested = summary.cells.iter().any(|cell| rows::class(cell.verdict_mean) == "good");
        let (class, heading) = match (&contradiction, tested) {
            (Some(_), _) => ("bad", "Theory is contradicted"),
            (None, true) => ("good", "Theory is confirmed"),
            (None, false) => ("open", "No exact expectation could be tested"),
        };
        let mut sentences: Vec<String> = closing(summary).lines().map(sentence).collect();
        if manifest.altered {
            let altered = "The runs are not those of the experiment: runs.csv has changed since it was \
                           written, its SHA-256 is not that of the manifest.";
            sentences.push(altered.to_owned());
        }
        Verdict { class, heading, sentences, contradiction }
    }
}

/// A figure on the page.
#[derive(Serialize)]
struct Shown {
    name: &'static str,
    title: String,
    caption: String,
    svg: String,
    command: String,
}

/// The page of a results folder with these figures.
pub fn page(manifest: &Manifest, summary: &Summary, drawn: &Drawn) -> Result<String> {
    let folder = escape::path(&Path::new("data").join(&manifest.name));
    let figures = drawn.figures.iter().map(|figure| Shown {
        name: figure.name,
        title: figure.title.clone(),
        caption: figure.caption.clone(),
        svg: svg::inline(&figure.svg, figure.name, &figure.title),
        command: format!("hustings plot {folder} --figure {}", figure.name),
    });
    let varied = rows::Varied::of(summary);
    let mut tables = vec![varied.cells(summary), rows::theorems(summary)];
    tables.extend((!summary.series.is_empty()).then(|| varied.fits(summary)));
    tables.retain(|table| !table.rows.is_empty());
    let page = Page {
        style: include_str!("page.css"),
        script: include_str!("page.js"),
        name: &manifest.name,
        verdict: Verdict::of(summary, manifest),
        common: varied.common(summary),
        verdicts: varied.verdicts(summary),
        figures: figures.collect(),
        skipped: drawn.skipped.clone(),
        tables,
        limits: limits::of(summary),
        commands: commands(manifest, summary, &folder),
        manifest: manifest.facts(),
        spec: &manifest.spec,
    };
    render(&page).map_err(|error| Error::Template(error.to_string()))
}

fn render(page: &Page<'_>) -> std::result::Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    // HTML escapes no control characters.
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => {
            escape_formatter(out, state, &Value::from(escape::lines(text)))
        }
        _ => escape_formatter(out, state, value),
    });
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Lines of the template that hold only a tag leave nothing behind.
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()?;
    environment.set_syntax(syntax);
    environment.add_template("page", include_str!("page.html"))?;
    environment.get_template("page")?.render(Serde(page))
}

/// How to repeat what the page shows, without its figures: what it is, and the command.
fn commands(manifest: &Manifest, summary: &Summary, folder: &str) -> Vec<(String, String)> {
    let mut commands = vec![];
    if let Some(verb) = manifest.built_in() {
        commands.push(("Everything on this page, built in".to_owned(), verb));
    }
    commands.push((
        "The runs, from the spec at the end of this page".to_owned(),
        format!("hustings run {folder}/spec.toml --out {folder}"),
    ));
    commands.push(("The verdicts".to_owned(), format!("hustings summarise {folder}")));
    commands.push(("All figures".to_owned(), format!("hustings plot {folder}")));
    commands.push(("This page".to_owned(), format!("hustings report {folder}")));
    let first = summary.cells.first().and_then(|cell| {
        let parsed = crate::summarise::table::cell(&cell.columns).ok()?;
        Some((cell, parsed.command(summary.seed, 0)))
    });
    if let Some((cell, command)) = first {
        let [algorithm, .., n] = &cell.columns;
        let what = format!("One election: the first run of {algorithm} at n = {n}");
        commands.push((what, command));
    }
    commands
}

/// A sentence of the command line, as it begins and ends on a page.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let end = if text.ends_with(['.', ':', '!']) { "" } else { "." };
    format!("{}{}{end}", first.unwrap_or_default(), letters.as_str())
}
