//! What elections are for: programs in which an election is a part and not the whole.
//!
//! An application has rules of its own, in which an election takes place when something goes wrong,
//! beside messages that are no election's. Everything that is known about elections may enter; what
//! an application needs of files and threads it takes from [`results`](crate::results) where that is
//! built. It prints nothing.

pub mod token_ring;
