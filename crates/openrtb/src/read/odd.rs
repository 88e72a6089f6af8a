//! Odd forms: lists of scalars in another shape, and restrictions that cannot be read.
//!
//! Some exchanges send `"1,3"`, `{"0": 1, "1": 3}` or `[[1, 3]]` instead of the list `[1, 3]`. The meaning of these is
//! plain. A restriction of any other form may forbid every bid, so it refuses them: `restricts` in [`super::table`].
//! Nearly no request has odd values, so everything here is off the usual path: see [`Slots::note_odd`].
//!
//! [`Slots::note_odd`]: super::slot::Slots::note_odd

use bumpalo::collections::Vec;

use super::rows::{Action, Attribute, Kind, ProtobufType};
use super::slot::{JsonType, SKIPPED, Slot};
use super::values::Values;
use reasons::no_bid::NoBidReason;

impl<'a> Values<'_, 'a> {
    /// The items of a list of scalars, or of what stands instead of it. An item that is no scalar is unreadable.
    #[cold]
    #[inline(never)]
    pub(super) fn odd_items(&self, slot: Slot) -> &'a [Slot] {
        let mut all = Vec::new_in(self.arena);
        match slot.json_type() {
            JsonType::Absent => return &[],
            JsonType::List => {
                for item in self.slots.items(slot) {
                    match self.scalars(*item, b'[') {
                        Some(inner) if !inner.is_empty() => all.extend(inner),
                        _ => all.push(*item),
                    }
                }
            }
            JsonType::String | JsonType::EscapedString => self.add_parts(slot, &mut all),
            _ => match self.scalars(slot, b'{') {
                Some(inner) if !inner.is_empty() => all.extend(inner),
                _ => all.push(slot),
            },
        }
        self.slots.note_odd();
        all.into_bump_slice()
    }

    /// Adds the parts of a text, which commas, semicolons or bars separate.
    fn add_parts(&self, slot: Slot, all: &mut Vec<'a, Slot>) {
        let (begin, end) = (slot.start() + 1, slot.end_or_len() - 1);
        let first = if slot.starts_with(b'"') { b'"' } else { b'\\' };
        let text = self.text.slice(begin, end);
        let mut from = begin;
        for part in text.split([',', ';', '|']) {
            let trimmed = part.trim_ascii_start();
            let start = from + part.len() - trimmed.len();
            let length = trimmed.trim_ascii_end().len();
            if length > 0 && self.size_limit.try_take(1) {
                // A slot has the quotes too.
                all.push(Slot::scalar(first, start - 1, start + length + 1));
            }
            from += part.len() + 1;
        }
    }

    /// The items of a skipped list of scalars, or the values of a skipped object whose names are numbers and whose values
    /// are scalars. `None` for another value, or if it does not begin with `open`.
    fn scalars(&self, slot: Slot, open: u8) -> Option<Vec<'a, Slot>> {
        let json = if slot.starts_with(SKIPPED) { self.number(slot).as_bytes() } else { b"" };
        let mut all = Vec::new_in(self.arena);
        let (mut at, mut is_name) = (1, open == b'{');
        if json.first() != Some(&open) {
            return None;
        }
        loop {
            match *json.get(at)? {
                b']' | b'}' => return Some(all),
                b'[' | b'{' => return None,
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => at += 1,
                first => {
                    let length = scalar_length(json.get(at..)?);
                    let scalar = json.get(at..at + length)?;
                    let first = if first == b'"' && scalar.contains(&b'\\') { b'\\' } else { first };
                    if !is_name && self.size_limit.try_take(1) {
                        all.push(Slot::scalar(first, slot.start() + at, slot.start() + at + length));
                    } else if is_name && !scalar.iter().all(|byte| *byte == b'"' || byte.is_ascii_digit()) {
                        return None;
                    }
                    is_name = open == b'{' && !is_name;
                    at += length;
                }
            }
        }
    }

    /// Notes a scalar instead of an object. The readings of scalars, and the pass over lists and objects, note odd
    /// values themselves.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "called for each object")]
    pub(super) fn note_scalar(&self, slot: Slot) {
        if !matches!(slot.json_type(), JsonType::Absent | JsonType::Null | JsonType::Object | JsonType::List) {
            self.slots.note_odd();
        }
    }

    /// Lowers `reason` to the first reason of the restrictions in an object of this kind that cannot be read.
    #[cold]
    #[inline(never)]
    pub(super) fn restrict(&self, kind: u8, slots: &[Slot], reason: &mut Option<NoBidReason>) {
        let own = Kind::of(kind).and_then(|kind| self.unreadable(kind, |slot| slots.get(slot).copied()));
        *reason = reason.iter().copied().chain(own).min();
    }

    /// The first reason of the restrictions in an object that cannot be read.
    fn unreadable(&self, kind: &Kind, slot: impl Fn(usize) -> Option<Slot>) -> Option<NoBidReason> {
        let unreadable = kind.attributes.iter().filter_map(|row| {
            let slot = slot(usize::from(row.slot))?;
            row.spec.restricts.filter(|_| !self.is_readable(row, slot))
        });
        unreadable.min()
    }

    /// Whether the restrictions in the object in this block can be read.
    pub(super) fn is_readable_object(&self, kind: u8, block: usize) -> bool {
        let slot = |slot| Some(self.slots.get(block + slot));
        !self.slots.is_odd() || Kind::of(kind).is_none_or(|kind| self.unreadable(kind, slot).is_none())
    }

    /// Whether a value can be read as a whole, or is absent.
    fn is_readable(&self, row: &Attribute, slot: Slot) -> bool {
        let is_readable = |slot: &Slot| match row.protobuf {
            ProtobufType::Texts => self.text_or_empty(*slot).is_some(),
            _ => self.integer(*slot).is_some(),
        };
        match row.action {
            Action::Value => !self.is_given(slot) || is_readable(&slot),
            _ if self.says_nothing(slot) => true,
            Action::Values => self.odd_items(slot).iter().all(|item| self.says_nothing(*item) || is_readable(item)),
            Action::Object | Action::Whole | Action::Objects => {
                let mut blocks = self.slots.blocks(slot);
                (slot.block().is_some() || slot.json_type() == JsonType::List && !slot.is_incomplete())
                    && (Kind::of(row.kind).is_some_and(|kind| kind.is_restricted)
                        || blocks.all(|block| self.is_readable_object(row.kind, block)))
            }
        }
    }

    /// Whether a list or object is absent, `null`, or an empty text, list or object.
    fn says_nothing(&self, slot: Slot) -> bool {
        !self.is_given(slot)
            || slot.json_type() == JsonType::List && slot.end_or_len() == 0 && !slot.is_incomplete()
            || [b'[', b'{'].iter().any(|open| self.scalars(slot, *open).is_some_and(|inner| inner.is_empty()))
    }
}

/// The length of the string, number or literal that the JSON begins with.
pub(crate) fn scalar_length(json: &[u8]) -> usize {
    if json.first() != Some(&b'"') {
        let is_behind = |byte: &u8| matches!(byte, b',' | b':' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
        return json.iter().position(is_behind).unwrap_or(json.len());
    }
    let (mut length, mut is_escaped) = (1, false);
    for byte in json.get(1..).unwrap_or_default() {
        length += 1;
        match byte {
            b'"' if !is_escaped => break,
            _ => is_escaped = *byte == b'\\' && !is_escaped,
        }
    }
    length
}
