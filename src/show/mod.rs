//! What people look at: tables, the figures of a results folder and the page that holds all of it; and one
//! election event by event, as text, as a drawing, as a page to step through.
//!
//! All start from what others have found, a folder with its summary or a stage with its events, and end
//! in text or pictures in memory; who writes these to disk is the command line. What enters is a way to show
//! what is already known: a number that is
//! new belongs to [`summarise`](crate::summarise), and a word on one algorithm to its own file. Equal
//! results give equal bytes, so nothing here asks for the time, the machine or the folder's place.

#[cfg(feature = "figures")]
pub mod figure;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "figures")]
pub mod table;
pub mod trace;
pub mod watch;
