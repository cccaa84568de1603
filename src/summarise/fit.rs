//! Growth laws fitted to mean messages.
