//! The elections of `hustings` for a page: WebAssembly without imports, called by `page.js`.
//!
//! A question and its answer are JSON in one piece of memory. The page asks for [`room`], writes its
//! question there, has it [`answer`]ed, and reads so many bytes at [`place`]. What is asked and answered
//! is in [`mod@questions`].

mod questions;

use std::cell::RefCell;

thread_local! {
    /// The question, then its answer. A page has one thread.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

// A browser finds a function by its name, and names that the linker keeps are the one thing here that
// Rust calls unsafe: another function of the same name would be taken for it.

/// Makes room for a question of so many bytes, and says where.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *const u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_ptr()
    })
}

/// Answers the question that was written there, and says how long the answer is.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = questions::answer(buffer).to_string().into_bytes();
        buffer.len()
    })
}

/// Where the answer stands.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn place() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}
