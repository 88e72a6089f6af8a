//! Which attributes are read, and into what: one line each.
//!
//! A later duplicate of a key overwrites what an earlier one left, so every arm assigns, and an
//! unreadable value assigns the default. `_ => {}` is what skipping costs.

mod channel;
mod imp;
mod media;
mod native;
mod person;
mod regs;
pub(super) mod request;
mod source;
