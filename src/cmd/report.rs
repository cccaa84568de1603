//! `hustings report`: the page of a results folder.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::{Error, Input, Result};
use crate::escape;
use crate::plot;
use crate::record::write_whole;
use crate::report::{self, MARK, Manifest};
use crate::summarise::cells::Summary;
use crate::summarise::table::Results;

/// One page that holds all.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hustings report data/average

The page is one HTML file that loads nothing: verdicts, figures, tables that
sort, what the numbers cannot say, how to repeat them, and the manifest. The
same results give the same bytes.")]
pub struct Report {
    /// The results folder
    folder: PathBuf,
    /// The file to write [default: plots/NAME/report.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Do not print the name of the file
    #[arg(long)]
    quiet: bool,
}

impl Report {
    pub(super) fn run(&self) -> Result<()> {
        let results = Results::open(&self.folder)?;
        let manifest = Manifest::read(&results)?;
        let summary = Summary::of(&results)?;
        let drawn = plot::draw(&results, &summary)?;
        let usual = || Path::new("plots").join(&manifest.name).join("report.html");
        let out = self.out.clone().unwrap_or_else(usual);
        write_page(&out, &report::page(&manifest, &summary, &drawn)?)?;
        let file = format!("{}\n", escape::terminal(out.display()));
        if self.quiet { Ok(()) } else { super::print(&file) }
    }
}

/// Writes a page. Only an earlier page is replaced.
pub(super) fn write_page(path: &Path, page: &str) -> Result<()> {
    let refuse = |problem: &str| -> Error {
        let remedy = "choose another file with --out, or move it away";
        Input::new("out", path.display(), problem, remedy).into()
    };
    if path.is_dir() {
        return Err(refuse("this is a folder"));
    }
    if path.exists() {
        let there = std::fs::read(path).map_err(Error::file("read", path))?;
        if !String::from_utf8_lossy(&there).contains(MARK) {
            return Err(refuse("this file is no report of hustings"));
        }
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(Error::file("make", folder))?;
    }
    write_whole(path, |file| file.write_all(page.as_bytes()))
}
