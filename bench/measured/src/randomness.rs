//! The source of random bytes that sonic-rs needs to link. Readers need no random bytes, so it always fails.
#![allow(unsafe_code, reason = "the name by which it is looked for")]

use getrandom::Error;

/// Always returns an error.
#[unsafe(no_mangle)]
extern "Rust" fn __getrandom_v03_custom(_: *mut u8, _: usize) -> Result<(), Error> {
    Err(Error::UNSUPPORTED)
}
