//! `hustings plot`: the figures of a results folder.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::error::{Error, Input, Result};
use crate::escape::{self, is_plain_in_tex};
use crate::plot::{Choice, Drawn, FIGURES, FOLDER_MACRO, Figure, draw_chosen, is_ours, png};
use crate::record::{experiment_name, write_whole};
use crate::summarise::cells::Summary;
use crate::summarise::table::Results;

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
    #[arg(long, alias = "algorithms", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// The size of figures that show only one [default: they choose]
    #[arg(long, value_parser = super::whole)]
    n: Option<u64>,
    /// What kinds of files, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "svg,png")]
    format: Vec<Format>,
    /// Also write what LaTeX needs: a pgfplots picture that reads the tables
    #[arg(long)]
    export_tex: bool,
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
enum Format {
    Svg,
    Png,
}

fn after_help() -> String {
    let figures: String =
        FIGURES.iter().map(|(name, line)| format!("  {name:<14} {line}\n")).collect();
    format!(
        "Figures:\n{figures}\nExamples:\n  hustings plot data/average\n  hustings plot data/average \
         --figure messages --format svg --out slides"
    )
}

impl Plot {
    pub(super) fn run(&self) -> Result<()> {
        let results = Results::open(&self.folder)?;
        let summary = Summary::of(&results)?;
        let choice = Choice { algorithms: self.algorithm.clone(), n: self.n };
        let drawn = draw_chosen(&results, &summary, self.figure.as_deref(), &choice)?;
        let out = match &self.out {
            Some(out) => out.clone(),
            None => Path::new("plots").join(experiment_name(&self.folder)),
        };
        if self.export_tex {
            // The pictures read these tables.
            summary.write(&self.folder)?;
        }
        let written = self.write(&drawn, &out)?;
        for (name, why) in &drawn.skipped {
            eprintln!("no figure {name}: {why}");
        }
        if self.quiet { Ok(()) } else { super::print(&written) }
    }

    /// What `plot FOLDER` does when nothing else is said.
    pub(super) fn usual(folder: &Path) -> Self {
        Plot {
            folder: folder.to_owned(),
            figure: None,
            algorithm: Vec::new(),
            n: None,
            format: vec![Format::Svg, Format::Png],
            export_tex: false,
            out: None,
            force: false,
            quiet: true,
        }
    }

    /// Writes figures into the folder `out`; the files' names, one on each line.
    pub(super) fn write(&self, drawn: &Drawn, out: &Path) -> Result<String> {
        let files = self.files(drawn, out)?;
        self.refuse_others(&files)?;
        std::fs::create_dir_all(out).map_err(Error::file("make", out))?;
        let mut written = String::new();
        for (path, bytes) in &files {
            write_whole(path, |file| file.write_all(bytes))?;
            written += &format!("{}\n", escape::terminal(path.display()));
        }
        Ok(written)
    }

    /// What is to be written, all of it in memory before anything is on disk.
    fn files(&self, drawn: &Drawn, out: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let mut files = Vec::new();
        let file = |figure: &Figure, ending: &str| out.join(figure.name).with_extension(ending);
        for figure in &drawn.figures {
            if self.format.contains(&Format::Svg) {
                files.push((file(figure, "svg"), figure.svg.clone().into_bytes()));
            }
            if self.format.contains(&Format::Png) {
                files.push((file(figure, "png"), png(&figure.svg)?));
            }
            if let (true, Some(tex)) = (self.export_tex, &figure.tex) {
                // The tables are where the command found them, unless the document knows better.
                let given = self.folder.to_str().filter(|path| is_plain_in_tex(path));
                let folder = match given {
                    Some(path) => format!("\\providecommand{{{FOLDER_MACRO}}}{{{path}}}\n"),
                    None => "% TeX cannot read the path of the results folder.\n".to_owned(),
                };
                let (mark, rest) = tex.split_once('\n').unwrap_or((tex, ""));
                files.push((file(figure, "tex"), format!("{mark}\n{folder}{rest}").into_bytes()));
            }
        }
        Ok(files)
    }

    /// A file that was not drawn here is somebody's work.
    fn refuse_others(&self, files: &[(PathBuf, Vec<u8>)]) -> Result<()> {
        for (path, _) in files.iter().filter(|(path, _)| !self.force && path.exists()) {
            let there = std::fs::read(path).map_err(Error::file("read", path))?;
            if !is_ours(&there) {
                let problem = "this file is there, and hustings plot has not drawn it";
                let remedy =
                    "move it, choose another folder with --out, or replace it with --force";
                return Err(Input::new("out", path.display(), problem, remedy).into());
            }
        }
        Ok(())
    }
}
