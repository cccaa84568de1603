//! `hustings plot`: the figures of a results folder.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::filter::Filter;
use super::output::{Inputs, Output};
use super::terminal::{note, print};
use crate::engine::Registry;
use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::model::escape;
use crate::model::metric::Metric;
use crate::results::Results;
use crate::show::figure::{FIGURES, Figure, TOKEN_SHARES, Width, draw_chosen, is_ours};
use crate::summarise::Summary;

/// Figures as files.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub struct Plot {
    /// The results folder
    folder: PathBuf,
    /// Only this figure; all that the data allows without it
    #[arg(long, value_name = "NAME")]
    figure: Option<String>,
    /// Only these algorithms, separated by commas; the first two are compared in pairs
    #[arg(long, value_delimiter = ',')]
    algorithm: Vec<String>,
    /// What of the runs to draw: messages, bits, time, end, rounds or
    /// max_node_messages; the names of files then end with it
    #[arg(long, default_value = "messages")]
    metric: String,
    #[command(flatten)]
    filter: Filter,
    /// What kinds of files, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "svg,png")]
    format: Vec<Format>,
    /// How wide figures are laid out, and so how large letters are in print
    #[arg(long, value_enum, default_value = "page")]
    width: Laid,
    /// Without title, notes and source, for a place with a caption of its own
    #[arg(long)]
    bare: bool,
    /// Where the files go [default: plots/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files of the same names that are not figures of hustings
    #[arg(long)]
    force: bool,
    /// Do not print the files written
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Laid {
    /// For a screen, a slide, or both columns of a page
    Page,
    /// For one column of a paper: at 3.4 inches no letter is below 6 points
    Column,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For pages
    Svg,
    /// For slides
    Png,
    /// For papers
    Pdf,
    /// For papers in TeX: a picture of TikZ, always without title
    Tex,
    /// The numbers behind the figure: one row for each mark
    Csv,
}

/// How the names of files end.
const ENDINGS: [(Format, &str); 5] = [
    (Format::Svg, "svg"),
    (Format::Png, "png"),
    (Format::Pdf, "pdf"),
    (Format::Tex, "tex"),
    (Format::Csv, "csv"),
];

fn after_help() -> String {
    let figures: String =
        FIGURES.iter().map(|plot| format!("  {:<14} {}\n", plot.name, plot.line)).collect();
    format!(
        "Figures:\n{figures}\nExamples:\n  hustings plot data/average\n  hustings plot data/average \
         --figure messages --format svg --out slides\n  hustings plot data/average --format pdf,tex \
         --bare --out paper/figures"
    )
}

impl Plot {
    pub(super) fn run(&self, registry: &Registry) -> Result<()> {
        let results = Results::open(&self.folder, registry)?;
        let out = match &self.out {
            Some(out) => out.clone(),
            None => Path::new("plots").join(&results.spec.name),
        };
        let mut choice = self.filter.choice(&self.algorithm);
        choice.width = match self.width {
            Laid::Page => Width::Page,
            Laid::Column => Width::Column,
        };
        let summary = Summary::of(&results)?.of_metric(self.metric.parse()?);
        if summary.cells.is_empty() {
            let problem = "no cell of this folder tells it in every run";
            return Err(Input::new("metric", &self.metric, problem, "use messages").into());
        }
        let drawn = draw_chosen(&results, &summary, self.figure.as_deref(), &choice)?;
        if let (Some(figure), [(_, why)]) = (&self.figure, drawn.skipped.as_slice()) {
            let remedy = "choose other results, or another figure";
            return Err(Input::new("figure", figure, why, remedy).into());
        }
        let files = self.files(&drawn.figures, &out)?;
        let written = write(&files)?;
        for (name, why) in &drawn.skipped {
            note(format_args!("no figure {name}: {why}"));
        }
        if self.quiet { Ok(()) } else { print(&written) }
    }

    /// What `plot FOLDER` does when nothing else is said.
    pub(super) fn usual(folder: &Path) -> Self {
        Plot {
            folder: folder.to_owned(),
            figure: None,
            algorithm: Vec::new(),
            metric: Metric::Messages.to_string(),
            filter: Filter::default(),
            format: vec![Format::Svg, Format::Png],
            width: Laid::Page,
            bare: false,
            out: None,
            force: false,
            quiet: true,
        }
    }

    /// Where a figure goes.
    fn output(&self, out: &Path, name: &str, ending: &str) -> Result<(PathBuf, Output)> {
        let name = match self.metric == Metric::Messages.name() {
            true => name.to_owned(),
            false => format!("{name}-{}", self.metric),
        };
        let path = out.join(name).with_extension(ending);
        let remedy = "move it, choose another folder with --out, or replace it with --force";
        let output = Output::new("out", &path, Inputs(&[&self.folder]))?
            .only_over(|there| self.force || is_ours(there), remedy)?;
        Ok((path, output))
    }

    /// Refuses a folder in which a figure, whichever is drawn, would be written over something else.
    pub(super) fn check_folder(&self, out: &Path) -> Result<()> {
        for name in FIGURES.iter().map(|plot| plot.name).chain([TOKEN_SHARES]) {
            for (_, ending) in ENDINGS.iter().filter(|(format, _)| self.format.contains(format)) {
                self.output(out, name, ending)?;
            }
        }
        Ok(())
    }

    /// What is to be written into the folder `out`, all of it checked and in memory before anything is
    /// on disk. A file that was not drawn here is somebody's work.
    pub(super) fn files<'a>(
        &self,
        figures: impl IntoIterator<Item = &'a Figure>,
        out: &Path,
    ) -> Result<Vec<File>> {
        let figures: Vec<&Figure> = figures.into_iter().collect();
        let wanted = || ENDINGS.iter().filter(|(format, _)| self.format.contains(format));
        let files = figures.into_par_iter().map(|figure| {
            let bare = self.bare.then(|| figure.bare());
            let figure = bare.as_ref().unwrap_or(figure);
            let file = |&(format, ending): &(Format, &str)| {
                let bytes = match format {
                    Format::Svg => figure.svg().into_bytes(),
                    Format::Png => figure.png()?,
                    Format::Pdf => figure.pdf(),
                    Format::Tex => figure.tex().into_bytes(),
                    Format::Csv => figure.csv().into_bytes(),
                };
                let (path, output) = self.output(out, figure.name, ending)?;
                Ok(File { path, output, bytes })
            };
            wanted().map(file).collect::<Result<Vec<File>>>()
        });
        Ok(files.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }
}

/// A file to be written.
pub(super) struct File {
    path: PathBuf,
    output: Output,
    bytes: Vec<u8>,
}

/// Writes files; their names, one on each line.
pub(super) fn write(files: &[File]) -> Result<String> {
    let mut written = String::new();
    for File { path, output, bytes } in files {
        output.write(bytes)?;
        written += &format!("{}\n", escape::terminal(path.display()));
    }
    Ok(written)
}
