//! Converts slots into the values of attributes, by the rules in [`crate::request`].
//!
//! The methods are the readings of [`super::table`]. `None` means that the attribute counts as absent.
#![allow(clippy::inline_always, reason = "called for each field of each object")]

use core::cell::RefCell;

use bumpalo::Bump;
use bumpalo::collections::{String as BumpString, Vec};

use super::dispatch::Dispatch;
use super::objects::Segment;
use super::pass;
use super::protobuf::escaped;
use super::size_limit::SizeLimit;
use super::slot::{JsonType, Slot, Slots};
use super::{number, text};
use crate::request::{self, Text, UNKNOWN_SECTION, UNKNOWN_TAXONOMY, UNREADABLE};
use base::domain;
use base::limits::{MAX_ID_BYTES, MAX_TEXT_BYTES};
use base::money::{Currency, Micros, Rounding};
use base::placeholder::is_placeholder;

/// A checked text and its slots.
#[derive(Clone, Copy)]
pub(super) struct Values<'r, 'a> {
    pub(super) text: pass::Text<'a>,
    /// Whether the text has what JSON would escape, because it is from a message in protobuf.
    pub(super) is_unescaped: bool,
    pub(super) slots: &'r Slots,
    /// Holds decoded strings and lists.
    pub(super) arena: &'a Bump,
    pub(super) dispatch: &'r Dispatch,
    /// Slots for the JSON text in `native.request`.
    pub(super) native_slots: &'r RefCell<Slots>,
    pub(super) size_limit: &'r SizeLimit,
}

impl<'a> Values<'_, 'a> {
    /// The slots of an object.
    #[inline(always)]
    pub(super) fn attributes<const SLOTS: usize>(&self, block: usize) -> &[Slot; SLOTS] {
        self.slots.attributes(block)
    }

    /// An object in the arena. `None` if a required attribute is missing.
    #[inline(always)]
    pub(super) fn object_ref<T: Default>(
        &self,
        block: usize,
        fill: impl Fn(&Self, usize, &mut T) -> Option<()>,
    ) -> Option<&'a T> {
        let object = self.arena.alloc_with(T::default);
        fill(self, block, object)?;
        Some(object)
    }

    /// The objects of a list, without those that miss a required attribute. `None` if there are none.
    #[inline(always)]
    pub(super) fn list<T: Default>(
        &self,
        slot: Slot,
        fill: impl Fn(&Self, usize, &mut T) -> Option<()>,
    ) -> Option<&'a [T]> {
        let mut blocks = self.slots.blocks(slot);
        let mut block = blocks.next()?;
        let mut list = Vec::with_capacity_in(slot.end_or_len().max(1), self.arena);
        loop {
            list.push(T::default());
            if fill(self, block, list.last_mut()?).is_none() {
                list.pop();
            }
            match blocks.next() {
                Some(next) => block = next,
                None => break,
            }
        }
        let list = list.into_bump_slice();
        if list.is_empty() { None } else { Some(list) }
    }

    /// The text between the quotes of a string.
    #[inline(always)]
    fn quoted(&self, slot: Slot) -> &'a str {
        self.text.slice(slot.start() + 1, slot.end_or_len().wrapping_sub(1))
    }

    /// The text of a number, or of a skipped object or list.
    #[inline(always)]
    pub(super) fn number(&self, slot: Slot) -> &'a str {
        self.text.slice(slot.start(), slot.end_or_len())
    }

    /// A string or the text of a number, with at most [`MAX_TEXT_BYTES`].
    #[inline(always)]
    pub(super) fn text_or_empty(&self, slot: Slot) -> Option<&'a str> {
        if slot.end_or_len().saturating_sub(slot.start()) > MAX_TEXT_BYTES && slot.is_text() {
            self.size_limit.exceed();
            return None;
        }
        self.text_of_any_length(slot)
    }

    /// A string or the text of a number.
    #[inline(always)]
    fn text_of_any_length(&self, slot: Slot) -> Option<&'a str> {
        // The most frequent type first.
        if slot.starts_with(b'"') {
            Some(self.quoted(slot))
        } else if slot.is_number() {
            Some(self.number(slot))
        } else if slot.starts_with(b'\\') {
            Some(self.unescaped(slot))
        } else {
            None
        }
    }

    /// The bits of a double of protobuf; `None` for other values.
    #[inline(always)]
    fn double(&self, slot: Slot) -> Option<u64> {
        slot.as_double().map(|bits| self.slots.get(bits).bits())
    }

    #[inline(never)]
    fn unescaped(&self, slot: Slot) -> &'a str {
        text::decode(self.quoted(slot), self.arena)
    }

    /// The JSON text of an object, behind those of the objects that are merged over it.
    #[inline(never)]
    pub(super) fn whole(&self, slot: Slot) -> Option<&'a [&'a str]> {
        let texts = self.slots.texts(slot.block()?).map(|index| self.number(self.slots.get(index)));
        Some(Vec::from_iter_in(texts, self.arena).into_bump_slice())
    }

    /// A text that is not empty.
    #[inline(never)]
    pub(super) fn text(&self, slot: Slot) -> Option<&'a str> {
        self.text_or_empty(slot).filter(|text| !text.is_empty())
    }

    /// The id of a person. `None` for a placeholder too.
    pub(super) fn person_id(&self, slot: Slot) -> Option<&'a str> {
        self.text(slot).filter(|id| !is_placeholder(id))
    }

    /// A string of any length. `None` for other values, also numbers.
    pub(super) fn string(&self, slot: Slot) -> Option<&'a str> {
        if slot.is_number() { None } else { self.text_of_any_length(slot) }
    }

    /// A text with its literal, for an echo in the response.
    #[inline(never)]
    pub(super) fn literal(&self, slot: Slot) -> Option<Text<'a>> {
        let value = self.text_of_any_length(slot)?;
        let literal = if self.is_unescaped {
            escaped(value, self.arena)
        } else if slot.starts_with(b'\\') {
            self.quoted(slot)
        } else {
            value
        };
        Some(Text { literal, value })
    }

    /// The text of an id with its literal, for an echo in the response. `None` above [`MAX_ID_BYTES`], because the
    /// response cannot echo a longer id.
    pub(super) fn short_literal(&self, slot: Slot) -> Option<Text<'a>> {
        self.literal(slot).filter(|id| id.value.len() <= MAX_ID_BYTES)
    }

    /// An integer by the rule in [`crate::request`].
    #[inline(never)]
    pub(super) fn integer(&self, slot: Slot) -> Option<i64> {
        if !slot.is_number() {
            return slot.as_integer().or_else(|| self.other_integer(slot));
        }
        match number::short_digits(self.text.bytes(slot.start(), slot.end_or_len())) {
            Some(value) => Some(value),
            None => self.noted(number::integer(self.number(slot))),
        }
    }

    /// The value; notes that it is [odd](super::odd) if it could not be read.
    fn noted<T>(&self, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.slots.note_odd();
        }
        value
    }

    #[inline(never)]
    fn other_integer(&self, slot: Slot) -> Option<i64> {
        match slot.json_type() {
            JsonType::True => Some(1),
            JsonType::False => Some(0),
            JsonType::Absent | JsonType::Null => None,
            _ => self.noted(self.text_or_empty(slot).and_then(|text| number::integer(text.trim_matches(' ')))),
        }
    }

    /// A taxonomy of categories, [`UNKNOWN_TAXONOMY`] for a value that is there and no number.
    pub(super) fn taxonomy(&self, slot: Slot) -> Option<i64> {
        self.integer(slot).or_else(|| self.is_given(slot).then_some(UNKNOWN_TAXONOMY))
    }

    /// Whether an integer is 1.
    pub(super) fn flag(&self, slot: Slot) -> Option<bool> {
        self.integer(slot).map(|integer| integer == 1)
    }

    /// A flag that protobuf has as an `int32`.
    pub(super) fn int32_flag(&self, slot: Slot) -> Option<bool> {
        self.flag(slot)
    }

    /// Whether a signal of privacy or safety is set: only 0 is not. A value that cannot be read is a signal too, because
    /// somebody wanted to say something. `None` for `null` and the empty text.
    pub(super) fn signal(&self, slot: Slot) -> Option<bool> {
        match self.integer(slot) {
            Some(integer) => Some(integer != 0),
            None => self.is_given(slot).then_some(true),
        }
    }

    /// The text of a privacy signal; [`UNREADABLE`] for a value that is there and no text. `None` as for
    /// [`Values::signal`].
    pub(super) fn signal_text(&self, slot: Slot) -> Option<&'a str> {
        self.text(slot).or_else(|| self.is_given(slot).then_some(UNREADABLE))
    }

    /// Whether the status of App Tracking Transparency forbids tracking: only 3, authorized, does not. `None` as for
    /// [`Values::signal`].
    pub(super) fn untracked(&self, slot: Slot) -> Option<bool> {
        self.is_given(slot).then(|| self.integer(slot) != Some(3))
    }

    /// A list of privacy sections, with [`UNKNOWN_SECTION`] for each item that is there and no number, as a list in the
    /// list.
    pub(super) fn sections(&self, slot: Slot) -> Option<&'a [i64]> {
        let read = |_: &Self, item| self.integer(item).or_else(|| self.is_given(item).then_some(UNKNOWN_SECTION));
        if slot.json_type() == JsonType::List {
            return Some(self.converted(self.slots.items(slot), &read)).filter(|list| !list.is_empty());
        }
        self.items(slot, read)
    }

    /// Whether there is a value, and it is neither `null` nor the empty text.
    pub(super) fn is_given(&self, slot: Slot) -> bool {
        !slot.is_absent() && !slot.starts_with(b'n') && self.text_of_any_length(slot) != Some("")
    }

    /// The integer part of a number. A fraction is dropped.
    pub(super) fn truncated(&self, slot: Slot) -> Option<i64> {
        match self.double(slot) {
            Some(bits) => number::truncated_double(bits),
            None => self.text_or_empty(slot).and_then(number::truncated),
        }
    }

    /// A number in millionths.
    pub(super) fn millionths(&self, slot: Slot, rounding: Rounding) -> Option<Micros> {
        match self.double(slot) {
            Some(bits) => Micros::of_double(bits, rounding),
            None => Micros::parse(self.text_or_empty(slot)?, rounding),
        }
    }

    /// An amount, rounded up.
    pub(super) fn amount(&self, slot: Slot) -> Option<Micros> {
        self.millionths(slot, Rounding::Up)
    }

    /// A bid floor: see [`Micros::floor_of`]. `None` for `null` and for no value.
    pub(super) fn floor(&self, slot: Slot) -> Option<Micros> {
        if slot.is_absent() || slot.starts_with(b'n') { None } else { Some(Micros::floor_of(self.amount(slot))) }
    }

    /// The currency of a floor. `None` for `null` and the empty text, [`Currency::UNKNOWN`] for values that are not
    /// text.
    pub(super) fn currency(&self, slot: Slot) -> Option<Currency> {
        match self.text_or_empty(slot) {
            Some("") => None,
            None if slot.starts_with(b'n') => None,
            text => Some(text.map_or(Currency::UNKNOWN, Currency::parse)),
        }
    }

    /// The readable items of a list of scalars, also of an [odd](super::odd) one. `None` if there are no readable items.
    #[inline(always)]
    fn items<T>(&self, slot: Slot, read: impl Fn(&Self, Slot) -> Option<T>) -> Option<&'a [T]> {
        if slot.json_type() == JsonType::List {
            let items = self.slots.items(slot);
            let list = self.converted(items, &read);
            if list.len() == items.len() {
                return if list.is_empty() { None } else { Some(list) };
            }
        } else if slot.is_absent() {
            return None;
        }
        let list = self.converted(self.odd_items(slot), &read);
        if list.is_empty() { None } else { Some(list) }
    }

    /// The values of the items that can be read. A function of its own, so that its loop is small: it runs for each list.
    #[inline(never)]
    fn converted<T>(&self, items: &[Slot], read: &impl Fn(&Self, Slot) -> Option<T>) -> &'a [T] {
        let mut list = Vec::with_capacity_in(items.len(), self.arena);
        for item in items {
            if let Some(value) = read(self, *item) {
                list.push(value);
            }
        }
        list.into_bump_slice()
    }

    /// A list of texts. A single text counts as a list of one.
    #[inline(never)]
    pub(super) fn texts(&self, slot: Slot) -> Option<&'a [&'a str]> {
        self.items(slot, Self::text_or_empty)
    }

    /// A list of domains, or of texts with several: see [`domain::to_ascii`].
    pub(super) fn domains(&self, slot: Slot) -> Option<&'a [&'a str]> {
        self.items(slot, |_, item| {
            let text = self.text_or_empty(item)?;
            if text.is_ascii() {
                return Some(text);
            }
            let mut ascii = BumpString::new_in(self.arena);
            // The form of a label takes time for each pair of its characters.
            let is_small = self.size_limit.try_take(text.len());
            domain::to_ascii(text, |c| {
                if is_small {
                    ascii.push(c);
                }
            });
            Some(ascii.into_bump_str())
        })
    }

    /// A list of names or codes: see [`request::codes_in`].
    pub(super) fn codes(&self, slot: Slot) -> Option<&'a [&'a str]> {
        let texts = self.texts(slot)?;
        let is_plain = self.is_plain(slot);
        let is_code = |text: &&str| !text.is_empty() && (is_plain || !text.bytes().any(request::is_between_codes));
        if texts.iter().all(is_code) {
            return Some(texts);
        }
        let mut list = Vec::new_in(self.arena);
        list.extend(texts.iter().flat_map(|text| request::codes_in(text)).take_while(|_| self.size_limit.try_take(1)));
        let list = list.into_bump_slice();
        if list.is_empty() { None } else { Some(list) }
    }

    /// Whether no string of a list has several codes or a space, by its bytes as a whole: nearly every list has no spaces,
    /// no escapes, and commas only between quotes. False if that does not tell.
    #[allow(clippy::needless_bitwise_bool, reason = "without branches the compiler tests sixteen bytes at a time")]
    fn is_plain(&self, slot: Slot) -> bool {
        let JsonType::List = slot.json_type() else { return false };
        let items @ [first, .., last] = self.slots.items(slot) else { return false };
        if !first.starts_with(b'"') || !last.starts_with(b'"') {
            return false;
        }
        let json = self.text.slice(first.start(), last.end_or_len()).as_bytes();
        let is_odd = |byte: u8| (byte <= b' ') | (byte == b';') | (byte == b'|') | (byte == b'\\');
        let has_odd = json.iter().fold(false, |has, byte| has | is_odd(*byte));
        if self.is_unescaped {
            // The texts of protobuf have one quote between them, and no comma.
            return !has_odd && !json.contains(&b',');
        }
        let (next, after) = (json.get(1..).unwrap_or_default(), json.get(2..).unwrap_or_default());
        let around = json.iter().zip(next).zip(after);
        let is_inside =
            |((before, byte), behind): ((&u8, &u8), &u8)| (*byte == b',') & ((*before != b'"') | (*behind != b'"'));
        // A text that is only a comma looks like the end of one text and the beginning of the next.
        let commas = json.iter().fold(0, |count, byte| count + usize::from(*byte == b','));
        !has_odd && commas + 1 == items.len() && !around.fold(false, |has, bytes| has | is_inside(bytes))
    }

    /// A list of texts. Unlike [`Values::texts`], a single text gives `None`.
    pub(super) fn text_array(&self, slot: Slot) -> Option<&'a [&'a str]> {
        if slot.json_type() == JsonType::List { self.texts(slot) } else { None }
    }

    /// A list of integers.
    #[inline(never)]
    pub(super) fn integers(&self, slot: Slot) -> Option<&'a [i64]> {
        self.items(slot, Self::integer)
    }

    /// A list of the settings of `poddedupe`.
    pub(super) fn dedupe(&self, slot: Slot) -> Option<u8> {
        self.integers(slot).map(request::dedupe)
    }

    /// A list of currencies.
    pub(super) fn currencies(&self, slot: Slot) -> Option<&'a [Currency]> {
        self.items(slot, |_, item| self.text(item).map(Currency::parse))
    }

    /// The ids of a list of segments.
    pub(super) fn segment_ids(&self, slot: Slot) -> Option<&'a [&'a str]> {
        let mut list = Vec::with_capacity_in(slot.end_or_len().max(1), self.arena);
        let blocks = self.slots.blocks(slot);
        list.extend(blocks.filter_map(|block| self.text_or_empty(self.slots.get(block + Segment::id))));
        let list = list.into_bump_slice();
        if list.is_empty() { None } else { Some(list) }
    }
}
