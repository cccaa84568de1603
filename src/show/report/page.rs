//! What stands on the page, and how it becomes HTML.

use std::collections::HashMap;
use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, escape_formatter};
use serde::Serialize;

use super::limits::{self, Limit};
use super::rows::{self, Table};
use super::section::Section;
use super::{files, manifest};
use crate::experiment::error::{Error, Result};
use crate::experiment::key::CellKey;
use crate::model::escape;
use crate::results::Results;
use crate::show::figure::{Datum, Drawn, Figure, pdf_font};
use crate::summarise::Summary;
use crate::summarise::words::{closing, contradiction};

/// What tells a page of ours from other files; it stands in the head, before the title.
const MARK: &str = "<meta name=\"generator\" content=\"hustings\">";

/// Whether the contents of a file are a page that was made here.
pub fn is_ours(file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file);
    let head = text.split("<title>").next().unwrap_or_default();
    head.starts_with("<!DOCTYPE html>\n") && head.lines().any(|line| line == MARK)
}

/// All that the template shows, in the order of the page.
#[derive(Serialize)]
struct Page<'a> {
    style: &'static str,
    script: &'static str,
    name: &'a str,
    verdict: Verdict,
    common: String,
    counts: String,
    attention: Table,
    verdicts: Table,
    /// The font of every PDF.
    font: String,
    /// The figure that the page begins with, and the others.
    first: Option<Shown>,
    figures: Vec<Shown>,
    skipped: Vec<(&'static str, String)>,
    tables: Vec<Table>,
    sections: Vec<(&'a Section, Table, Option<Shown>)>,
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
    fn of(summary: &Summary) -> Self {
        let contradiction = contradiction(summary);
        let tested = summary.cells.iter().any(|cell| rows::class(cell.verdict_mean) == "good");
        let (class, heading) = match (&contradiction, tested) {
            (Some(_), _) => ("bad", "Theory is contradicted"),
            (None, true) => ("good", "Theory is confirmed"),
            (None, false) => ("open", "No exact expectation could be tested"),
        };
        let sentences = closing(summary).lines().map(sentence).collect();
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
    /// The PDF before and after the font, and text of other kinds, as scripts read them.
    pdf: (String, String),
    tex: String,
    csv: String,
}

impl Shown {
    /// A figure that this command draws, whose cells have these `numbers` in the table of all.
    fn of(figure: &Figure, command: String, numbers: &HashMap<&CellKey, usize>) -> Self {
        // What a mark stands for: its cell, and words where it shows something else than its mean.
        let of_datum = |datum: &Datum| {
            let cell = datum.cell.as_ref().and_then(|key| numbers.get(key));
            let mut attributes = cell.map(|it| format!(" data-cell=\"{it}\"")).unwrap_or_default();
            if !datum.is_mean || cell.is_none() {
                let words = escape::xml(figure.words(datum));
                attributes += &format!(" data-words=\"{words}\"");
            }
            attributes
        };
        let (before, after) = figure.pdf_around_font();
        Shown {
            name: figure.name,
            title: figure.title.clone(),
            caption: figure.caption.clone(),
            svg: inline(&figure.svg_of_page(&of_datum), figure.name, &figure.title),
            command,
            pdf: (files::base64(&before), files::base64(&after)),
            tex: files::squeezed(&figure.tex()),
            csv: files::squeezed(&figure.csv()),
        }
    }
}

/// The page of a results folder with these figures, and what stands beside its elections.
pub fn page(
    results: &Results,
    summary: &Summary,
    drawn: &Drawn,
    sections: &[Section],
) -> Result<String> {
    let name = &results.spec.name;
    let folder = escape::path(&Path::new("data").join(name));
    let numbers: HashMap<&CellKey, usize> =
        summary.cells.iter().enumerate().map(|(number, cell)| (&cell.key, number)).collect();
    let shown = |figure: &Figure| {
        let command = format!("hustings plot {folder} --figure {}", figure.name);
        Shown::of(figure, command, &numbers)
    };
    let varied = rows::Varied::of(summary);
    let command: HashMap<CellKey, String> = (results.cells.iter())
        .map(|cell| (cell.key().clone(), cell.cell.command(results.seed, 0)))
        .collect();
    let repeat = |key: &CellKey| command.get(key).cloned().unwrap_or_default();
    let mut tables = vec![varied.cells(summary, repeat), rows::theorems(summary)];
    tables.extend((!summary.series.is_empty()).then(|| varied.fits(summary)));
    tables.retain(|table| !table.rows.is_empty());
    let mut figures = drawn.figures.iter().map(shown);
    let page = Page {
        style: include_str!("page.css"),
        script: include_str!("page.js"),
        name,
        verdict: Verdict::of(summary),
        common: varied.common(summary),
        counts: rows::counts(summary),
        attention: varied.attention(summary),
        verdicts: varied.verdicts(summary),
        font: files::base64(pdf_font()),
        first: figures.next(),
        figures: figures.collect(),
        skipped: drawn.skipped.clone(),
        tables,
        sections: sections
            .iter()
            .map(|section| {
                let figure = section.figure.as_ref();
                let shown = figure.map(|it| Shown::of(it, section.command.clone(), &numbers));
                (section, rows::of_section(section), shown)
            })
            .collect(),
        limits: limits::of(summary),
        commands: commands(results, &folder),
        manifest: manifest::facts(&results.manifest),
        spec: &results.manifest.spec,
    };
    render(&page).map_err(|error| Error::Template(error.into()))
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

/// The `<svg>` element of a drawing with a text alternative; the caption is `figure-NAME-caption`.
fn inline(svg: &str, name: &str, label: &str) -> String {
    let ours = format!(
        "<svg role=\"img\" aria-label=\"{}\" aria-describedby=\"figure-{name}-caption\" ",
        escape::xml(label)
    );
    svg.trim_end().replacen("<svg ", &ours, 1)
}

/// How to repeat what the page shows, without its figures: what it is, and the command.
fn commands(results: &Results, folder: &str) -> Vec<(String, String)> {
    let mut commands = vec![];
    if let Some(verb) = manifest::built_in(&results.spec, &results.manifest) {
        commands.push(("Everything on this page, built in".to_owned(), verb));
    }
    commands.push((
        "The runs, from the spec at the end of this page".to_owned(),
        format!("hustings run {folder}/spec.toml --out {folder}"),
    ));
    commands.push(("The verdicts".to_owned(), format!("hustings summarise {folder}")));
    commands.push(("All figures".to_owned(), format!("hustings plot {folder}")));
    commands.push(("This page".to_owned(), format!("hustings report {folder}")));
    if let Some(first) = results.cells.first() {
        let CellKey { algorithm, n, .. } = first.key();
        let what = format!("One election: the first run of {algorithm} at n = {n}");
        commands.push((what, first.cell.command(results.seed, 0)));
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
