//! The results folder: a batch that fills it, parts on their way, the tables when all are there, and
//! their reader. The only room that writes files of results.
//!
//! Everything is written under a temporary name, synced and renamed, so a crash at any moment leaves
//! either a whole file or none. Whatever comes after this room starts from the folder alone.

mod columns;
mod write;

mod manifest;
mod part;

mod progress;

mod package;

mod folder;

mod assemble;

pub mod batch;

mod rows;

mod table;

#[cfg(feature = "parquet")]
mod export;

pub use assemble::Work;
pub(crate) use assemble::{Tables, write_hashed};
pub use columns::RUN_COLUMNS;
#[cfg(feature = "parquet")]
pub use export::{is_our_parquet, write_parquet};
pub(crate) use folder::refuse_irregular;
pub use folder::{Experiment, Folder, is_complete, is_our_file};
pub use manifest::{Manifest, ManifestCell};
pub(crate) use package::{
    Field, PACKAGE, Resource, key_fields, run_resources, series_fields, write_package,
};
pub use part::Part;
pub(crate) use progress::part_path;
pub use progress::{Precision, Progress, Shard};
pub use rows::{Rows, Run};
pub use table::{CellRecord, KindMeans, Results};
pub use write::{Scratch, abandon};
#[cfg(feature = "cli")]
pub(crate) use write::{folder_of, is_same};
pub(crate) use write::{sweep, write_whole};
