//! One pass over a message in protobuf: stores the values of the fields that the catalog needs in slots, as
//! [`super::pass`] does for JSON. Both readers then convert slots in the same way.
//!
//! - [`super::table`] has the field numbers. Fields without a row are skipped, whatever is in them.
//! - A field that comes again replaces its value; a message merges with its former value, as the encoding demands.
//! - Refused: lengths beyond the message around them, varints with more than 64 bits, groups, fields with the number 0,
//!   a field of a row with another wire type than [`ProtobufType`](super::rows::ProtobufType) says, and texts that are not UTF-8.
//! - Kinds of objects do not contain themselves, so nothing nests deeper than the table. Other messages are skipped
//!   without looking inside.

mod fields;
mod scalars;
mod texts;

pub(super) use fields::Fields;
pub(super) use scalars::escaped;
use scalars::split_varint;
pub(super) use texts::Texts;

use super::rows::{Attribute, Kind, ProtobufType};
use super::size_limit::SizeLimit;
use super::slot::{JsonType, Slot, Slots};

/// The wire types of the encoding.
const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// The greatest field number of the encoding.
const MAX_NUMBER: u64 = (1 << 29) - 1;

/// The state of a pass over one message.
pub(super) struct Pass<'r, 'a> {
    pub(super) fields: &'r Fields,
    pub(super) slots: &'r mut Slots,
    pub(super) texts: Texts<'a>,
    pub(super) size_limit: &'r SizeLimit,
}

impl Pass<'_, '_> {
    /// Stores the fields of a message of this kind in a block. `None` if the message is malformed.
    pub(super) fn message(&mut self, message: &[u8], kind: u8, block: usize) -> Option<()> {
        let fields = self.fields.of(kind)?;
        let mut rest = message;
        while !rest.is_empty() {
            let (tag, value) = split_varint(rest)?;
            let number = tag >> 3;
            if number == 0 || number > MAX_NUMBER {
                return None;
            }
            let found = fields.find(number);
            rest = match tag & 7 {
                VARINT => {
                    let (value, rest) = split_varint(value)?;
                    if let Some((row, _)) = found {
                        self.integer(value, row, block)?;
                    }
                    rest
                }
                LENGTH => {
                    let (length, behind) = split_varint(value)?;
                    let (value, rest) = behind.split_at_checked(usize::try_from(length).ok()?)?;
                    if let Some((row, is_text)) = found {
                        self.bytes(value, row, is_text, block)?;
                    }
                    rest
                }
                EIGHT_BYTES => {
                    let (value, rest) = value.split_first_chunk::<8>()?;
                    if let Some((row, _)) = found {
                        self.double(u64::from_le_bytes(*value), row, block)?;
                    }
                    rest
                }
                // No row has a value of four bytes.
                FOUR_BYTES if found.is_none() => value.get(4..)?,
                _ => return None,
            };
        }
        Some(())
    }

    /// An `int32` or `bool`.
    fn integer(&mut self, value: u64, row: &Attribute, block: usize) -> Option<()> {
        let (slot, index) = (Slot::integer(value), block + usize::from(row.slot));
        match row.protobuf {
            ProtobufType::Integer => self.slots.set(index, slot),
            ProtobufType::Bool => self.slots.set(index, Slot::integer(u64::from(value != 0))),
            ProtobufType::Integers => self.push(index, slot),
            _ => return None,
        }
        Some(())
    }

    /// A `double`. A slot is too small for it, so it has a second one.
    fn double(&mut self, bits: u64, row: &Attribute, block: usize) -> Option<()> {
        if row.protobuf != ProtobufType::Double {
            return None;
        }
        let index = block + usize::from(row.slot);
        if let Some(former) = self.slots.get(index).as_double() {
            self.slots.set(former, Slot::of_bits(bits));
        } else {
            self.slots.set(index, Slot::double(self.slots.len()));
            self.slots.push(Slot::of_bits(bits));
        }
        Some(())
    }

    /// A value with a length. `is_text`: it is the text of a message.
    fn bytes(&mut self, value: &[u8], row: &Attribute, is_text: bool, block: usize) -> Option<()> {
        let index = block + usize::from(row.slot);
        match row.protobuf {
            _ if is_text => self.text(value, index)?,
            ProtobufType::Text => self.text(value, index)?,
            ProtobufType::Texts => {
                let slot = self.texts.push(value)?;
                self.push(index, slot);
            }
            ProtobufType::Message | ProtobufType::Messages => {
                let kind = Kind::of(row.kind)?;
                // Above the limit, the message is only skipped.
                if self.size_limit.try_take(kind.weight) {
                    let block = if row.protobuf == ProtobufType::Message {
                        self.only(index, kind)
                    } else {
                        self.next(index, kind)
                    };
                    self.message(value, row.kind, block)?;
                }
            }
            ProtobufType::Integers => {
                let mut rest = value;
                while !rest.is_empty() {
                    let (value, behind) = split_varint(rest)?;
                    self.push(index, Slot::integer(value));
                    rest = behind;
                }
            }
            ProtobufType::Integer | ProtobufType::Bool | ProtobufType::Double => return None,
        }
        Some(())
    }

    /// A `string` that is not in a list.
    fn text(&mut self, value: &[u8], index: usize) -> Option<()> {
        let slot = self.texts.push(value)?;
        self.slots.set(index, slot);
        Some(())
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

    /// Appends a scalar to a list. Scalars above the size limit are left out.
    fn push(&mut self, index: usize, item: Slot) {
        let list = self.slots.get(index);
        let (mut start, items) = match list.json_type() {
            JsonType::List => (list.start(), list.end_or_len()),
            _ => (self.slots.len(), 0),
        };
        // The items of a list are in one run. Encoders write them together; if not, the run moves, which counts as
        // new values.
        let is_apart = start + items != self.slots.len();
        if !self.size_limit.try_take(if is_apart { items + 1 } else { 1 }) {
            return;
        }
        if is_apart {
            let moved = self.slots.len();
            for item in start..start + items {
                self.slots.push(self.slots.get(item));
            }
            start = moved;
        }
        self.slots.push(item);
        self.slots.set(index, Slot::list(start, items + 1));
    }
}
