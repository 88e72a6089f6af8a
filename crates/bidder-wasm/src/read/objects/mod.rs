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

use super::key::Key;
use super::walk::Value;

/// The member of that name, if the value is an object: for objects of which no more is read.
fn member<'d, 'a, 'i>(value: Value<'d, 'a, 'i>, wanted: Key) -> Option<Value<'d, 'a, 'i>> {
    value.members().filter(|(key, _)| *key == wanted).last().map(|(_, value)| value)
}
