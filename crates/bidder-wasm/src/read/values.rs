//! What the slots of a text are worth to an attribute: the rules of [`crate::request`], each once.
//!
//! `None` says that the attribute is as if it were not there. The names are those of the readings in [`super::table`].
#![allow(clippy::inline_always, reason = "called for each field of each object")]

use core::cell::RefCell;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use super::dispatch::Dispatch;
use super::left::Left;
use super::pass;
use super::slot::{Slot, Slots, Sort};
use super::table::{Dsa, Geo, Regs, RegsExt, Segment, Video};
use super::{number, text};
use crate::limits::{MAX_ID_BYTES, MAX_TEXT_BYTES};
use crate::money::{Currency, Micros, Rounding};
use crate::request::{self, Point, Text};

/// The slots of a text that has been passed over.
#[derive(Clone, Copy)]
pub(super) struct Values<'r, 'a> {
    /// The text.
    pub(super) text: pass::Text<'a>,
    pub(super) slots: &'r Slots,
    /// Where decoded texts and lists go.
    pub(super) arena: &'a Bump,
    pub(super) dispatch: &'r Dispatch,
    /// For the JSON text in `native.request`.
    pub(super) inner: &'r RefCell<Slots>,
    pub(super) left: &'r Left,
}

impl<'a> Values<'_, 'a> {
    /// The attributes of an object.
    #[inline(always)]
    pub(super) fn attributes<const SLOTS: usize>(&self, block: usize) -> &[Slot; SLOTS] {
        self.slots.attributes(block)
    }

    /// An object of which nothing required is missing, in the arena.
    #[inline(always)]
    pub(super) fn kept<T: Default>(
        &self,
        block: usize,
        fill: impl Fn(&Self, usize, &mut T) -> Option<()>,
    ) -> Option<&'a T> {
        let object = self.arena.alloc_with(T::default);
        fill(self, block, object)?;
        Some(object)
    }

    /// The objects of a list of which nothing required is missing.
    #[inline(always)]
    pub(super) fn list<T: Default>(
        &self,
        slot: Slot,
        fill: impl Fn(&Self, usize, &mut T) -> Option<()>,
    ) -> Option<&'a [T]> {
        let mut blocks = self.slots.blocks(slot);
        let mut block = blocks.next()?;
        let mut list = Vec::with_capacity_in(slot.end().max(1), self.arena);
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

    /// The text between the quotes.
    #[inline(always)]
    fn quoted(&self, slot: Slot) -> &'a str {
        self.text.slice(slot.place() + 1, slot.end().wrapping_sub(1))
    }

    /// A number's own text.
    #[inline(always)]
    fn number(&self, slot: Slot) -> &'a str {
        self.text.slice(slot.place(), slot.end())
    }

    /// A string, or a number's own text, of at most [`MAX_TEXT_BYTES`].
    #[inline(always)]
    pub(super) fn any_text(&self, slot: Slot) -> Option<&'a str> {
        if slot.end().saturating_sub(slot.place()) > MAX_TEXT_BYTES && slot.is_text() {
            self.left.give_up();
            return None;
        }
        self.whole_text(slot)
    }

    /// The same of any length.
    #[inline(always)]
    fn whole_text(&self, slot: Slot) -> Option<&'a str> {
        // In the order of how often they come.
        if slot.is(b'"') {
            Some(self.quoted(slot))
        } else if slot.is_number() {
            Some(self.number(slot))
        } else if slot.is(b'\\') {
            Some(self.unescaped(slot))
        } else {
            None
        }
    }

    #[inline(never)]
    fn unescaped(&self, slot: Slot) -> &'a str {
        text::decode(self.quoted(slot), self.arena)
    }

    /// The same, unless it is empty.
    #[inline(never)]
    pub(super) fn text(&self, slot: Slot) -> Option<&'a str> {
        self.any_text(slot).filter(|text| !text.is_empty())
    }

    /// The value of a string of any length; no other value has one.
    pub(super) fn string(&self, slot: Slot) -> Option<&'a str> {
        if slot.is_number() { None } else { self.whole_text(slot) }
    }

    /// A text, and how it is written.
    #[inline(never)]
    pub(super) fn literal(&self, slot: Slot) -> Option<Text<'a>> {
        let value = self.whole_text(slot)?;
        Some(Text { literal: if slot.is(b'\\') { self.quoted(slot) } else { value }, value })
    }

    /// The same of an id that an answer may repeat; `None` for one that is too long for that.
    pub(super) fn short_literal(&self, slot: Slot) -> Option<Text<'a>> {
        self.literal(slot).filter(|id| id.value.len() <= MAX_ID_BYTES)
    }

    /// See [`crate::request`] on what counts as an integer.
    #[inline(never)]
    pub(super) fn integer(&self, slot: Slot) -> Option<i64> {
        if !slot.is_number() {
            return self.other_integer(slot);
        }
        match number::plain(self.text.bytes(slot.place(), slot.end())) {
            Some(value) => Some(value),
            None => number::integer(self.number(slot)),
        }
    }

    #[inline(never)]
    fn other_integer(&self, slot: Slot) -> Option<i64> {
        match slot.sort() {
            Sort::True => Some(1),
            Sort::False => Some(0),
            _ => number::integer(self.any_text(slot)?.trim_matches(' ')),
        }
    }

    /// Whether the integer is 1.
    pub(super) fn flag(&self, slot: Slot) -> Option<bool> {
        self.integer(slot).map(|integer| integer == 1)
    }

    /// 1 and 0; anything else says nothing.
    pub(super) fn zero_or_one(&self, slot: Slot) -> Option<bool> {
        match self.integer(slot)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// The integer part of a number, whatever its fraction.
    pub(super) fn whole(&self, slot: Slot) -> Option<i64> {
        self.any_text(slot).and_then(number::whole)
    }

    /// An amount, rounded up.
    pub(super) fn amount(&self, slot: Slot) -> Option<Micros> {
        Micros::parse(self.any_text(slot)?, Rounding::Up)
    }

    /// See [`Micros::floor`]; nothing for `null`.
    pub(super) fn floor(&self, slot: Slot) -> Option<Micros> {
        if slot.is(b'n') { None } else { Some(Micros::floor(self.any_text(slot))) }
    }

    /// The currency of a floor; nothing for `null` and the empty text, [`Currency::UNKNOWN`] for what is no text.
    pub(super) fn currency(&self, slot: Slot) -> Option<Currency> {
        match self.any_text(slot) {
            Some("") => None,
            None if slot.is(b'n') => None,
            text => Some(text.map_or(Currency::UNKNOWN, Currency::parse)),
        }
    }

    /// A currency among others.
    fn listed_currency(&self, slot: Slot) -> Option<Currency> {
        self.text(slot).map(Currency::parse)
    }

    /// The readable items of a list of scalars; a scalar counts as a list of one.
    #[inline(always)]
    fn items<T>(&self, slot: Slot, read: impl Fn(&Self, Slot) -> Option<T>) -> Option<&'a [T]> {
        let one = [slot];
        let items = match slot.sort() {
            Sort::List => self.slots.run(slot),
            _ => &one[..],
        };
        let mut list = Vec::with_capacity_in(items.len(), self.arena);
        for item in items {
            if let Some(value) = read(self, *item) {
                list.push(value);
            }
        }
        let list = list.into_bump_slice();
        if list.is_empty() { None } else { Some(list) }
    }

    /// A list of texts.
    #[inline(never)]
    pub(super) fn texts(&self, slot: Slot) -> Option<&'a [&'a str]> {
        self.items(slot, Self::any_text)
    }

    /// The same of an array only.
    pub(super) fn array(&self, slot: Slot) -> Option<&'a [&'a str]> {
        if slot.sort() == Sort::List { self.texts(slot) } else { None }
    }

    /// A list of integers.
    #[inline(never)]
    pub(super) fn integers(&self, slot: Slot) -> Option<&'a [i64]> {
        self.items(slot, Self::integer)
    }

    /// A list of currencies.
    pub(super) fn currencies(&self, slot: Slot) -> Option<&'a [Currency]> {
        self.items(slot, Self::listed_currency)
    }

    /// The ids of a list of objects.
    pub(super) fn ids(&self, slot: Slot) -> Option<&'a [&'a str]> {
        let mut list = Vec::with_capacity_in(slot.end().max(1), self.arena);
        let blocks = self.slots.blocks(slot);
        list.extend(blocks.filter_map(|block| self.any_text(self.slots.get(block + Segment::id))));
        let list = list.into_bump_slice();
        if list.is_empty() { None } else { Some(list) }
    }
}

/// What `Regs` has at both places: Global Privacy Control counts at either, of the Digital Services Act's the one that is an
/// object, the 2.6 place first.
#[allow(clippy::unnecessary_wraps, reason = "as all functions behind `then`")]
pub(super) fn signals(
    values: &Values<'_, '_>,
    slots: &[Slot; Regs::SLOTS],
    into: &mut request::Regs<'_>,
) -> Option<()> {
    let none = &[Slot::default(); RegsExt::SLOTS];
    let ext = slots[Regs::ext].block().map_or(none, |block| values.attributes::<{ RegsExt::SLOTS }>(block));
    let is_set = |slot| values.flag(slot) == Some(true);
    into.gpc = is_set(slots[Regs::gpc]) || is_set(ext[RegsExt::gpc]);
    match slots[Regs::dsa].block().or(ext[RegsExt::dsa].block()) {
        Some(block) => Dsa::fill(values, block, &mut into.dsa),
        None => Some(()),
    }
}

/// The removed `protocol` of a video counts where `protocols` says nothing.
#[allow(clippy::unnecessary_wraps, reason = "as all functions behind `then`")]
pub(super) fn removed_protocol<'a>(
    values: &Values<'_, 'a>,
    slots: &[Slot; Video::SLOTS],
    into: &mut request::Linear<'a>,
) -> Option<()> {
    if let (Some(protocol), []) = (values.integer(slots[Video::protocol]), into.protocols) {
        into.protocols = values.arena.alloc([protocol]);
    }
    Some(())
}

/// Millionths of a degree, which are cut like those of an offered amount; `None` beyond `most` degrees.
fn degrees(values: &Values<'_, '_>, slot: Slot, most: i64) -> Option<i64> {
    let Micros(millionths) = Micros::parse(values.any_text(slot)?, Rounding::Down)?;
    (millionths.abs() <= most * 1_000_000).then_some(millionths)
}

/// The point of a `Geo`, if both its halves are there.
#[allow(clippy::unnecessary_wraps, reason = "as all functions behind `then`")]
pub(super) fn point(values: &Values<'_, '_>, slots: &[Slot; Geo::SLOTS], into: &mut request::Geo<'_>) -> Option<()> {
    let (lat, lon) = (degrees(values, slots[Geo::lat], 90), degrees(values, slots[Geo::lon], 180));
    into.point = lat.zip(lon).map(|(lat, lon)| Point { lat, lon });
    Some(())
}
