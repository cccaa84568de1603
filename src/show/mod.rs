//! What people look at: tables, the figures of a results folder, and the page that holds all of it.
//!
//! Figures and page start from a folder and its summary, and end in text or pictures in memory; who writes these
//! to disk is the command line. What enters is a way to show what is already known: a number that is
//! new belongs to [`summarise`](crate::summarise), and a word on one algorithm to its own file. Equal
//! results give equal bytes, so nothing here asks for the time, the machine or the folder's place.

pub mod figure;
#[cfg(feature = "report")]
pub mod report;
pub mod table;
