//! What the user asks for: an experiment as a TOML file or as flags, checked once.
//!
//! Both ways go through the same [`Draft`]: keys with values that are only text, numbers or lists
//! of such, each with the line it stands on. After [`Spec::from_drafts`] everything is valid.

mod draft;

mod grid;

mod whole;

mod written;

mod document;

pub use document::SPEC_KEYS;
pub use draft::{Draft, Raw};
#[cfg(feature = "cli")]
pub(crate) use draft::{share, sizes};
pub use grid::{Engine, GRID_KEYS, Grid, NOTHING, OTHER_NUMBERS};
pub use whole::Spec;
