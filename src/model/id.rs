//! Who is who.

/// The identity of a participant. Algorithms that elect the largest compare nothing else.
pub type Id = u64;
