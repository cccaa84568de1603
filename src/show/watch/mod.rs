//! The page of one election, or of two on the same network: step by step, forwards and backwards.
//!
//! It is one HTML file that loads nothing. What happened is put in as JSON, in words that the
//! [`trace`](crate::show::trace) has for it; the script draws it and knows no algorithm. Equal elections
//! give equal bytes.

mod density;
mod page;
mod panel;
mod places;

pub use page::{command, data, is_ours, page};
pub use panel::{Panel, theory};
