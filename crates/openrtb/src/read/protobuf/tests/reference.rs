//! The pass as a reader of slices: it checks every byte that it takes, and searches the row of each field.

use crate::read::Needs;
use crate::read::rows::{Attribute, Kind, ProtobufType};
use crate::read::size_limit::SizeLimit;
use crate::read::slot::{JsonType, Slot, Slots};

pub(super) struct Reference<'r> {
    pub(super) needs: Needs,
    pub(super) slots: Slots,
    /// All texts so far, each between two quotes.
    pub(super) texts: Vec<u8>,
    pub(super) size_limit: &'r SizeLimit,
}

/// The row of a field, and whether the field has a message as a text.
fn find(kind: &Kind, needs: Needs, number: u64) -> Option<(&'static Attribute, bool)> {
    kind.needed(needs).find_map(|(_, row)| {
        let numbers = row.numbers.get(kind.variant)?;
        let is_text = number == u64::from(numbers.as_text);
        (is_text || number == u64::from(numbers.field)).then_some((row, is_text))
    })
}

fn split_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (position, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * position);
        if byte & 0x80 == 0 {
            let is_too_long = position == 9 && *byte > 1;
            return bytes.get(position + 1..).filter(|_| !is_too_long).map(|rest| (value, rest));
        }
    }
    None
}

impl Reference<'_> {
    /// Stores the fields of a message of this kind in a block. `None` if the message is malformed.
    pub(super) fn message(&mut self, message: &[u8], kind: u8, block: usize) -> Option<()> {
        let fields = Kind::of(kind)?;
        let mut rest = message;
        while !rest.is_empty() {
            let (tag, value) = split_varint(rest)?;
            let number = tag >> 3;
            if number == 0 || number >= 1 << 29 {
                return None;
            }
            let found = find(fields, self.needs, number);
            rest = match tag & 7 {
                0 => {
                    let (value, rest) = split_varint(value)?;
                    if let Some((row, _)) = found {
                        self.integer(value, row, block)?;
                    }
                    rest
                }
                2 => {
                    let (length, behind) = split_varint(value)?;
                    let (value, rest) = behind.split_at_checked(usize::try_from(length).ok()?)?;
                    if let Some((row, is_text)) = found {
                        self.bytes(value, row, is_text, block)?;
                    }
                    rest
                }
                1 => {
                    let (value, rest) = value.split_first_chunk::<8>()?;
                    if let Some((row, _)) = found {
                        self.double(u64::from_le_bytes(*value), row, block)?;
                    }
                    rest
                }
                // No row has a value of four bytes.
                5 if found.is_none() => value.get(4..)?,
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
            _ if is_text => self.text(value, index),
            ProtobufType::Text => self.text(value, index),
            ProtobufType::Texts => {
                let slot = self.push_text(value);
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
    fn text(&mut self, value: &[u8], index: usize) {
        let slot = self.push_text(value);
        self.slots.set(index, slot);
    }

    fn push_text(&mut self, text: &[u8]) -> Slot {
        let start = self.texts.len() - 1;
        self.texts.extend(text);
        self.texts.push(b'"');
        Slot::scalar(b'"', start, self.texts.len())
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
