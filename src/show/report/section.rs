//! A part of the page that is about something else than the elections of the folder: whoever asks for
//! the page brings it.

use serde::Serialize;

use crate::show::figure::Figure;

/// Such a part: some words, a table, and a figure if it has one.
#[derive(Debug, Serialize)]
pub struct Section {
    /// Its name in the page.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it shows, paragraph by paragraph.
    pub about: Vec<String>,
    /// What its table shows.
    #[serde(skip)]
    pub caption: &'static str,
    /// The columns.
    #[serde(skip)]
    pub header: Vec<String>,
    /// The rows; the first entry names one.
    #[serde(skip)]
    pub rows: Vec<Vec<String>>,
    /// Its figure.
    #[serde(skip)]
    pub figure: Option<Figure>,
    /// How to repeat it.
    pub command: String,
}
