//! The results folder: parts on their way, and the tables when all are there.
//!
//! Everything is written under a temporary name, synced and renamed, so a crash at any moment
//! leaves either a whole file or none.

pub mod batch;
mod folder;
mod manifest;
mod part;
pub mod table;
mod write;

pub use folder::{Folder, Precision, Progress, Shard, Work, is_complete, is_our_file};
pub(crate) use folder::{missing_file, other_spec, refuse_irregular};
pub use manifest::{Manifest, ManifestCell};
pub use part::Part;
pub use write::{Scratch, abandon};
pub(crate) use write::{folder_of, is_same, sweep, write_whole};

/// The columns of `runs.csv`.
pub const RUN_COLUMNS: [&str; 15] = [
    "algorithm",
    "topology",
    "layout",
    "ids",
    "initiators",
    "timing",
    "n",
    "run",
    "messages",
    "bits",
    "time",
    "end",
    "rounds",
    "max_node_messages",
    "leader",
];
