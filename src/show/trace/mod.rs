//! One election as something to read: every event with its cause, in words, as lines for programs, or
//! drawn.
//!
//! A [`Trace`] is what the engine wrote down, with words for its numbers. One file for each way to write
//! it; [`Format`] has their names and how much each can show. What enters is a way to show what
//! happened; nothing here holds an election or knows an algorithm.

mod clocks;
mod diagram;
mod dot;
mod format;
mod json;
mod lines;
mod mermaid;
mod shiviz;
mod svg;
mod text;
mod tikz;
mod view;
mod words;

pub use clocks::clocks;
pub use diagram::columns;
pub use format::Format;
pub use svg::is_ours;
pub use text::{ending, sentence};
pub use view::{LONGEST, Letter, Trace, edges};
pub use words::Mail;
