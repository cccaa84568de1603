//! Figures of a results folder: one file each, all on the same paper.
//!
//! A figure is drawn once and written as SVG, PNG, PDF or TeX. Pictures and pages have a font of their
//! own, so that they look the same on every machine. Equal results give equal bytes.
//!
//! Here live the paper (lines, letters, axes, keys, grids of panels), what figures are drawn from, and
//! the figures. A figure is one file and its line in the gallery; it selects what it shows or says
//! why there is nothing to show, lays out a sheet, draws into it, and adds a caption. It may ask the
//! results, their summary and the registry; what it says of an algorithm it has from these, so it
//! names none. Nothing here writes a file, and no figure knows of another: what two of them need
//! belongs to the paper.

// What drawing gives, and what it starts from.
mod data;
mod drawing;
mod mark;
mod plot;
mod source;

// The paper.
mod backend;
mod canvas;
mod curve;
mod family;
mod font;
mod grid;
mod headline;
mod histogram;
mod key;
mod labels;
#[cfg(feature = "report")]
mod of_page;
mod panel;
mod path;
mod pdf;
#[cfg(feature = "png")]
mod picture;
mod scale;
mod series;
mod sheet;
mod style;
mod svg;
mod tex;

// The figures.
mod constants;
mod distribution;
mod id_range;
mod kinds;
mod layouts;
mod messages;
mod network_edges;
mod network_paired;
mod network_time;
mod networks;
mod paired;
mod per_node;
mod quantiles;
mod ratio;
mod schedules;
mod token_shares;
mod trade_off;

mod gallery;

#[cfg(feature = "report")]
pub(crate) use data::Datum;
pub use drawing::{Drawn, Figure};
pub use gallery::{FIGURES, draw, draw_chosen, draw_one};
pub use mark::is_ours;
#[cfg(feature = "report")]
pub(crate) use of_page::pdf_font;
pub use plot::Plot;
pub use schedules::{ScheduleRow, draw_schedules};
pub use sheet::Width;
pub use source::Choice;
pub use token_shares::{ShareWithEnds, TOKEN_SHARES, TokenShares, TokenWords, draw_token_shares};
