//! Randomness for a library that asks for it and does not need it here: there is none.
#![allow(unsafe_code, reason = "the name by which it is looked for")]

use getrandom::Error;

/// Refuses.
#[unsafe(no_mangle)]
extern "Rust" fn __getrandom_v03_custom(_: *mut u8, _: usize) -> Result<(), Error> {
    Err(Error::UNSUPPORTED)
}
