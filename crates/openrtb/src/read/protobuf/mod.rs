//! One pass over a message in protobuf: stores the values of the fields that the catalog needs in slots, as
//! [`super::pass`] does for JSON. Both readers then convert slots in the same way.
//!
//! - [`super::table`] has the field numbers. Fields without a row are skipped, whatever is in them.
//! - A field that comes again replaces its value; a message merges with its former value, as the encoding demands.
//! - Refused: lengths beyond the message around them, varints with more than 64 bits, groups, fields with the number 0,
//!   a field of a row with another wire type than [`ProtobufType`] says, and texts that are not UTF-8.
//! - Kinds of objects do not contain themselves, so nothing nests deeper than the table. Other messages are skipped
//!   without looking inside.
//! - Loads need no bounds check: see [`message`].

mod escaped;
mod fields;
mod message;
#[cfg(any(test, feature = "fuzzing"))]
mod tests;
mod texts;

pub(super) use escaped::escaped;
pub(super) use fields::Fields;
pub(super) use message::Message;
#[cfg(feature = "fuzzing")]
pub use tests::check;
pub(super) use texts::Texts;

use super::rows::{Kind, ProtobufType};
use super::size_limit::SizeLimit;
use super::slot::{JsonType, Slot, Slots};
use fields::Field;

/// The wire types of the encoding.
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const LENGTH: u32 = 2;
const FOUR_BYTES: u32 = 5;

/// The state of a pass over one message.
pub(super) struct Pass<'r, 'a> {
    pub(super) fields: &'r Fields,
    pub(super) slots: &'r mut Slots,
    pub(super) texts: Texts<'a>,
    pub(super) size_limit: &'r SizeLimit,
}

impl Pass<'_, '_> {
    /// Stores the fields of a message of this kind in a block. `None` if the message is malformed.
    pub(super) fn message(&mut self, message: Message<'_>, kind: u8, block: usize) -> Option<()> {
        let fields = self.fields.of(kind)?;
        let mut message = message;
        while let Some(tag) = message.tag() {
            let (number, wire_type) = (tag >> 3, tag & 7);
            let field = fields.get(number as usize).copied().unwrap_or_default();
            let index = block + usize::from(field.slot);
            match (field.takes, wire_type) {
                (Some(ProtobufType::Text), LENGTH) => {
                    let text = self.texts.push(message.with_length()?)?;
                    self.slots.set(index, text);
                }
                (Some(ProtobufType::Integer), VARINT) => self.slots.set(index, Slot::integer(message.varint()?)),
                (Some(ProtobufType::Bool), VARINT) => {
                    let is_set = message.varint()? != 0;
                    self.slots.set(index, Slot::integer(u64::from(is_set)));
                }
                (Some(ProtobufType::Message | ProtobufType::Messages), LENGTH) => {
                    self.inner(message.with_length()?, field, index)?;
                }
                (Some(ProtobufType::Texts), LENGTH) => {
                    let mut list = self.list(index);
                    // Encoders write the items of a list together.
                    loop {
                        let text = self.texts.push(message.with_length()?)?;
                        self.push(&mut list, text);
                        let mut next = message;
                        if next.tag() != Some(tag) {
                            break;
                        }
                        message = next;
                    }
                    self.set_list(index, list);
                }
                (Some(ProtobufType::Integers), LENGTH) => {
                    let (mut packed, mut list) = (message.with_length()?, self.list(index));
                    while !packed.is_empty() {
                        let integer = Slot::integer(packed.varint()?);
                        self.push(&mut list, integer);
                    }
                    self.set_list(index, list);
                }
                (Some(ProtobufType::Integers), VARINT) => {
                    let (integer, mut list) = (Slot::integer(message.varint()?), self.list(index));
                    self.push(&mut list, integer);
                    self.set_list(index, list);
                }
                (Some(ProtobufType::Double), EIGHT_BYTES) => self.double(message.eight_bytes()?, index),
                (None, _) if number == 0 => return None,
                (None, VARINT) => drop(message.varint()?),
                (None, LENGTH) => drop(message.with_length()?),
                (None, EIGHT_BYTES) => message.skip(8)?,
                (None, FOUR_BYTES) => message.skip(4)?,
                _ => return None,
            }
        }
        Some(())
    }

    /// A message inside the message. Above the size limit, it is only skipped.
    fn inner(&mut self, message: Message<'_>, field: Field, index: usize) -> Option<()> {
        let kind = Kind::of(field.kind)?;
        if !self.size_limit.try_take(kind.weight) {
            return Some(());
        }
        let block =
            if field.takes == Some(ProtobufType::Message) { self.only(index, kind) } else { self.next(index, kind) };
        self.message(message, field.kind, block)
    }

    /// A `double`. A slot is too small for it, so it has a second one.
    fn double(&mut self, bits: u64, index: usize) {
        if let Some(former) = self.slots.get(index).as_double() {
            self.slots.set(former, Slot::of_bits(bits));
        } else {
            self.slots.set(index, Slot::double(self.slots.len()));
            self.slots.push(Slot::of_bits(bits));
        }
    }

    /// The block of a message that is not in a list. A message that comes again merges with the former.
    fn only(&mut self, index: usize, kind: &Kind) -> usize {
        self.slots.get(index).block().unwrap_or_else(|| {
            let block = self.slots.add_block(kind.slots());
            self.slots.set(index, Slot::object(block));
            block
        })
    }

    /// A new block at the end of a list of messages. The link of the first block also says where the last block is.
    fn next(&mut self, index: usize, kind: &Kind) -> usize {
        let block = self.slots.add_block(kind.slots());
        let list = self.slots.get(index);
        let (first, count) = match list.json_type() {
            JsonType::List => (list.start(), list.end_or_len()),
            _ => (block, 0),
        };
        if count > 0 {
            let link = self.slots.get(first);
            let second = if count == 1 { block } else { link.start() };
            self.slots.link(link.end_or_len(), block);
            self.slots.set(first, Slot::link(second, block));
        } else {
            self.slots.set(first, Slot::link(0, block));
        }
        self.slots.set(index, Slot::list(first, count + 1));
        block
    }

    /// The list of scalars in a slot. An empty one starts at the next new slot.
    fn list(&self, index: usize) -> List {
        let list = self.slots.get(index);
        match list.json_type() {
            JsonType::List => List { start: list.start(), items: list.end_or_len() },
            _ => List { start: self.slots.len(), items: 0 },
        }
    }

    /// Appends a scalar to a list. Scalars above the size limit are left out.
    #[inline]
    fn push(&mut self, list: &mut List, item: Slot) {
        // The items of a list are in one run. If its fields are apart, the run moves, which counts as new values.
        let is_apart = list.start + list.items != self.slots.len();
        if !self.size_limit.try_take(if is_apart { list.items + 1 } else { 1 }) {
            return;
        }
        if is_apart {
            self.move_to_the_end(list);
        }
        self.slots.push(item);
        list.items += 1;
    }

    #[cold]
    fn move_to_the_end(&mut self, list: &mut List) {
        let moved = self.slots.len();
        for item in list.start..list.start + list.items {
            self.slots.push(self.slots.get(item));
        }
        list.start = moved;
    }

    fn set_list(&mut self, index: usize, list: List) {
        if list.items > 0 {
            self.slots.set(index, Slot::list(list.start, list.items));
        }
    }
}

/// A run of slots.
#[derive(Clone, Copy)]
struct List {
    start: usize,
    items: usize,
}
