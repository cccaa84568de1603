//! A figure in a file of its own, whose name says of what kind it is.

use std::path::Path;

use super::output::{Inputs, Output};
use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::show::figure::{Figure, is_ours};

/// A file for a figure.
pub(super) struct FigureFile {
    output: Output,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
    Pdf,
}

impl FigureFile {
    /// The file at `path`, if it may be written: a new one, or a figure of our own, or with `force` any.
    pub(super) fn new(path: &Path, inputs: Inputs<'_>, force: bool, remedy: &str) -> Result<Self> {
        let kind = match path.extension().and_then(|it| it.to_str()) {
            Some("svg") => Kind::Svg,
            Some("png") => Kind::Png,
            Some("pdf") => Kind::Pdf,
            _ => {
                let problem = "a figure is a file that ends in .svg, .png or .pdf";
                let remedy = "name it like figure.svg";
                return Err(Input::new("figure", path.display(), problem, remedy).into());
            }
        };
        let output = Output::new("figure", path, inputs)?
            .only_over(|there| force || is_ours(there), remedy)?;
        Ok(FigureFile { output, kind })
    }

    /// Writes the figure.
    pub(super) fn write(&self, figure: &Figure) -> Result<()> {
        self.output.write(&match self.kind {
            Kind::Svg => figure.svg().into_bytes(),
            Kind::Png => figure.png()?,
            Kind::Pdf => figure.pdf(),
        })
    }
}
