//! Stage 2: values of an indexed text, and what they are worth to an attribute.
//!
//! The index has judged the text, so nothing is checked here: what cannot happen in JSON reads as
//! absent. A value that nobody asks for costs one look at its first byte.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use super::index::Index;
use super::{number, text};
use crate::money::{Currency, Micros, Rounding};
use crate::request::Text;

/// An indexed text.
pub(super) struct Document<'a, 'i> {
    text: &'a str,
    /// See [`Index`]: offsets of the structural characters, partners of opening brackets, and
    /// where backslashes are.
    offsets: &'i [u32],
    partners: &'i [u32],
    backslashes: &'i [u64],
    arena: &'a Bump,
}

/// A value in a [`Document`].
pub(super) struct Value<'d, 'a, 'i> {
    document: &'d Document<'a, 'i>,
    /// Offset of its first byte.
    start: usize,
    /// The first entry at or behind `start`.
    entry: usize,
}

impl Clone for Value<'_, '_, '_> {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for Value<'_, '_, '_> {}

impl<'a, 'i> Document<'a, 'i> {
    /// `index` is that of `text`. Decoded strings and lists go to `arena`.
    pub(super) fn new(text: &'a str, index: &'i Index, arena: &'a Bump) -> Document<'a, 'i> {
        Document { text, offsets: index.offsets(), partners: index.partners(), backslashes: index.backslashes(), arena }
    }

    /// The value that the text is.
    pub(super) fn root(&self) -> Value<'_, 'a, 'i> {
        Value { document: self, start: self.skip_blanks(0), entry: 0 }
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Offset of an entry; the text's end behind the last one.
    #[inline]
    fn offset(&self, entry: usize) -> usize {
        self.offsets.get(entry).map_or(self.text.len(), |offset| *offset as usize)
    }

    /// Offset of the first byte from `at` on that is not white space.
    #[inline]
    fn skip_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t' | b'\n' | b'\r') {
            at += 1;
        }
        at
    }

    /// Offset behind the last byte before `at` that is not white space.
    #[inline]
    fn trim_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at.wrapping_sub(1)), b' ' | b'\t' | b'\n' | b'\r') {
            at -= 1;
        }
        at
    }

    #[inline]
    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Between the quotes of the string that starts at `start`; `next` is the entry behind it.
    #[inline]
    fn literal(&self, start: usize, next: usize) -> &'a str {
        let end = self.trim_blanks(self.offset(next));
        self.slice(start + 1, end.wrapping_sub(1))
    }

    /// What a literal that starts at `start` means.
    #[inline]
    fn decoded(&self, literal: &'a str, start: usize) -> &'a str {
        if self.has_backslash(start, literal.len()) { text::decode(literal, self.arena) } else { literal }
    }

    /// Whether a backslash is among the `count` bytes from `start` on.
    #[inline]
    fn has_backslash(&self, start: usize, count: usize) -> bool {
        let (first, last) = (start / 64, (start + count) / 64);
        let words = self.backslashes.get(first..).unwrap_or_default();
        let mut words = words.iter().take(last - first + 1);
        // Bytes in front of the literal in its first word, and behind it in its last one, are
        // taken for its own only if a closer look confirms it.
        words.any(|word| *word != 0) && self.slice(start, start + count).contains('\\')
    }
}

impl<'d, 'a, 'i> Value<'d, 'a, 'i> {
    /// The entry of the separator or closing bracket behind the value.
    #[inline]
    fn next(self) -> usize {
        match self.first() {
            b'{' | b'[' => self.document.partners.get(self.entry).map_or(usize::MAX, |close| *close as usize + 1),
            _ => self.entry,
        }
    }

    #[inline]
    fn first(self) -> u8 {
        self.document.byte(self.start)
    }

    /// The members, in the text's order, duplicates included; `None` unless it is an object.
    #[inline]
    pub(super) fn members(self) -> Option<Members<'d, 'a, 'i>> {
        if self.first() != b'{' {
            return None;
        }
        let close = self.next().wrapping_sub(1);
        let empty = close == self.entry + 1;
        Some(Members { document: self.document, separator: if empty { close } else { self.entry }, close })
    }

    /// The items of an array; nothing for `null`; any other value alone.
    #[inline]
    pub(super) fn items(self) -> Items<'d, 'a, 'i> {
        match self.first() {
            b'[' => {
                let close = self.next().wrapping_sub(1);
                let first = Value { start: self.document.skip_blanks(self.start + 1), entry: self.entry + 1, ..self };
                Items { next: (first.first() != b']').then_some(first), close }
            }
            b'n' => Items { next: None, close: 0 },
            _ => Items { next: Some(self), close: self.next() },
        }
    }

    /// A string, or a number's own text.
    #[inline]
    pub(super) fn text(self) -> Option<&'a str> {
        match self.first() {
            b'"' => Some(self.document.decoded(self.quoted(), self.start + 1)),
            b'-' | b'0'..=b'9' => Some(self.scalar()),
            _ => None,
        }
    }

    /// [`Value::text`], and how it is written.
    #[inline]
    pub(super) fn literal(self) -> Option<Text<'a>> {
        let value = self.text()?;
        let literal = if self.first() == b'"' { self.quoted() } else { value };
        Some(Text { literal, value })
    }

    /// [`Value::text`], or nothing.
    #[inline]
    pub(super) fn text_or_empty(self) -> &'a str {
        self.text().unwrap_or_default()
    }

    /// The value of a string; no other value has one.
    pub(super) fn string(self) -> Option<&'a str> {
        if self.first() == b'"' { self.text() } else { None }
    }

    /// See [`crate::request`] on what counts as an integer.
    #[inline]
    pub(super) fn integer(self) -> Option<i64> {
        match self.first() {
            b't' => Some(1),
            b'f' => Some(0),
            b'"' => number::integer(self.text()?.trim_matches(' ')),
            b'-' | b'0'..=b'9' => number::integer(self.scalar()),
            _ => None,
        }
    }

    /// [`Value::integer`], or 0.
    #[inline]
    pub(super) fn integer_or_zero(self) -> i64 {
        self.integer().unwrap_or_default()
    }

    /// Whether the integer is 1.
    #[inline]
    pub(super) fn flag(self) -> bool {
        self.integer() == Some(1)
    }

    /// An amount, rounded up; 0 when negative or unreadable.
    #[inline]
    pub(super) fn floor(self) -> Micros {
        let amount = self.text().and_then(|text| Micros::parse(text, Rounding::Up));
        amount.unwrap_or_default().max(Micros::ZERO)
    }

    /// A currency; dollars when empty or unreadable.
    #[inline]
    pub(super) fn currency(self) -> Currency {
        self.stated_currency().unwrap_or_default()
    }

    /// The readable items of a list.
    #[inline]
    pub(super) fn list<T>(self, read: impl Fn(Value<'d, 'a, 'i>) -> Option<T>) -> &'a [T] {
        let mut list = Vec::new_in(self.document.arena);
        list.extend(self.items().filter_map(read));
        list.into_bump_slice()
    }

    /// A list of text.
    pub(super) fn texts(self) -> &'a [&'a str] {
        self.list(Value::text)
    }

    /// A list of integers.
    pub(super) fn integers(self) -> &'a [i64] {
        self.list(Value::integer)
    }

    /// A list of currencies.
    pub(super) fn currencies(self) -> &'a [Currency] {
        self.list(Value::stated_currency)
    }

    fn stated_currency(self) -> Option<Currency> {
        self.text().filter(|text| !text.is_empty()).map(Currency::parse)
    }

    /// A string's literal.
    #[inline]
    fn quoted(self) -> &'a str {
        self.document.literal(self.start, self.entry)
    }

    /// The text of a number or literal.
    #[inline]
    fn scalar(self) -> &'a str {
        self.document.slice(self.start, self.document.trim_blanks(self.document.offset(self.entry)))
    }
}

/// An object's members. Keys are decoded.
pub(super) struct Members<'d, 'a, 'i> {
    document: &'d Document<'a, 'i>,
    /// The entry in front of the next member, or `close`.
    separator: usize,
    close: usize,
}

impl<'d, 'a, 'i> Iterator for Members<'d, 'a, 'i> {
    type Item = (&'a [u8], Value<'d, 'a, 'i>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.separator >= self.close {
            return None;
        }
        let document = self.document;
        let colon = self.separator + 1;
        let quote = document.skip_blanks(document.offset(self.separator) + 1);
        let key = document.decoded(document.literal(quote, colon), quote + 1);
        let start = document.skip_blanks(document.offset(colon) + 1);
        let value = Value { document, start, entry: colon + 1 };
        self.separator = value.next();
        Some((key.as_bytes(), value))
    }
}

/// The items of a list.
pub(super) struct Items<'d, 'a, 'i> {
    next: Option<Value<'d, 'a, 'i>>,
    /// The entry behind the last item.
    close: usize,
}

impl<'d, 'a, 'i> Iterator for Items<'d, 'a, 'i> {
    type Item = Value<'d, 'a, 'i>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let item = self.next?;
        let separator = item.next();
        self.next = (separator < self.close).then(|| Value {
            start: item.document.skip_blanks(item.document.offset(separator) + 1),
            entry: separator + 1,
            ..item
        });
        Some(item)
    }
}
