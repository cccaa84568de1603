//! The page: one HTML file with the verdicts, figures and tables of a results folder.
//!
//! It loads nothing, and it depends on nothing but the folder: repeated, it is the same bytes. The
//! template escapes every value; only our own style, script and drawings are put in as they are.
//!
//! Here live the template and what fills it: tables, limits of what was measured, the manifest for
//! people, drawings as parts of a page. Figures come drawn, verdicts and sentences come from the
//! summary; what a page says of an algorithm it has from there, so it names none. Nothing here draws,
//! computes a statistic or writes a file.

mod files;
mod limits;
mod manifest;
mod page;
mod rows;
mod section;

pub use page::is_ours;
pub use page::page;
pub use section::Section;
