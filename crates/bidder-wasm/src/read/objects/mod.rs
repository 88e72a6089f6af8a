//! Which attributes are read, and into what: one line each.
//!
//! A later duplicate of a key overwrites what an earlier one left, so every arm assigns, and an
//! unreadable value assigns the default. `_ => {}` is what skipping costs.

mod channel;
mod deal;
mod device;
mod first_party;
mod imp;
mod media;
mod native;
mod person;
mod regs;
pub(super) mod request;
mod source;

use super::walk::Value;

/// The member of that name, if the value is an object: for objects of which no more is read.
fn member<'d, 'a, 'i>(value: Value<'d, 'a, 'i>, name: &[u8]) -> Option<Value<'d, 'a, 'i>> {
    value.members().filter(|(key, _)| *key == name).last().map(|(_, value)| value)
}
