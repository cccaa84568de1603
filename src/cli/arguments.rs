//! How values of flags are read, where several verbs have the same.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::experiment::error::Result;
use crate::model::error::Input;
use crate::show::table::Format;

/// A whole number as an argument.
pub(super) fn whole(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}, as in 12", u64::MAX))
}

/// How many threads a batch may have; none at all is refused.
pub(super) fn threads(threads: Option<u64>) -> Result<Option<usize>> {
    if threads == Some(0) {
        let problem = "somebody must do the work";
        return Err(Input::new("threads", 0, problem, "use 1 or more").into());
    }
    Ok(threads.map(|threads| threads.min(1024) as usize))
}

/// How a table is to be written; JSON is no table.
pub(super) fn table_format(format: Option<Format>, json: bool) -> Result<Format> {
    match format.filter(|_| json) {
        Some(format) => {
            let name =
                format.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned());
            let problem = "with --json one object is printed, and no table";
            Err(Input::new("format", name, problem, "leave one of the two out").into())
        }
        None => Ok(format.unwrap_or_default()),
    }
}

/// How tables are written, as a flag says it.
impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[Format::Text, Format::Markdown, Format::Latex, Format::Csv]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Format::Text => ("text", "For a terminal"),
            Format::Markdown => ("markdown", "For pages and issues"),
            Format::Latex => ("latex", "For papers: a tabular of booktabs"),
            Format::Csv => ("csv", "For programs"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}
