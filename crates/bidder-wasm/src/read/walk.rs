//! Stage 2: values of an indexed text, and what they are worth to an attribute.
//!
//! The index has judged the text, so nothing is checked here: what cannot happen in JSON reads as
//! absent. A value that nobody asks for costs the search for its end.

#![allow(clippy::inline_always, reason = "small steps of the loop over each object or list")]

use core::cell::Cell;

use bumpalo::Bump;
use bumpalo::collections::Vec;

use super::index::Index;
use super::key::Key;
use super::{number, text};
use crate::limits::{MAX_ENTRIES, MAX_TEXT_BYTES};
use crate::money::{Currency, Micros};
use crate::request::Text;

/// An indexed text.
pub(super) struct Document<'a, 'i> {
    text: &'a str,
    index: &'i Index,
    arena: &'a Bump,
    /// How many values of lists may still be read.
    left: &'a Cell<Left>,
    /// Where the container that was last read to its end starts, and the offset behind it: it need
    /// not be searched for again.
    finished: Cell<(usize, usize)>,
}

/// How much of a request may still be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Left {
    /// Entries of lists.
    entries: usize,
    /// Whether something was left out.
    pub(super) is_over: bool,
}

impl Default for Left {
    fn default() -> Self {
        Left { entries: MAX_ENTRIES, is_over: false }
    }
}

/// A value in a [`Document`].
#[derive(Clone, Copy)]
pub(super) struct Value<'d, 'a, 'i> {
    document: &'d Document<'a, 'i>,
    /// Its first byte.
    first: u8,
    /// Offset of its first byte.
    start: usize,
    /// Offset of the first structural character behind `start`: of anything but a container, the
    /// separator or closing bracket behind it.
    mark: usize,
}

impl<'a, 'i> Document<'a, 'i> {
    /// `index` is that of `text`. Decoded strings and lists go to `arena`, as long as something is `left`.
    pub(super) fn new(text: &'a str, index: &'i Index, left: &'a Cell<Left>, arena: &'a Bump) -> Document<'a, 'i> {
        Document { text, index, arena, left, finished: Cell::new((usize::MAX, 0)) }
    }

    /// Whether one more entry of a list may be read.
    #[inline(always)]
    fn takes_entry(&self) -> bool {
        let left = self.left.get();
        let is_over = left.entries == 0;
        self.left.set(Left { entries: left.entries.saturating_sub(1), is_over: left.is_over || is_over });
        !is_over
    }

    /// The value that the text is.
    pub(super) fn root(&self) -> Value<'_, 'a, 'i> {
        self.value(self.skip_blanks(0))
    }

    #[inline(always)]
    fn value(&self, start: usize) -> Value<'_, 'a, 'i> {
        Value { document: self, first: self.byte(start), start, mark: self.index.next_mark(start + 1) }
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The name that starts at `at` and has that length.
    #[inline(always)]
    fn key(&self, at: usize, length: usize) -> Key {
        match self.text.as_bytes().get(at..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => Key::within(*bytes, length),
            None => Key::of(self.slice(at, at + length).as_bytes()),
        }
    }

    /// The name of the member behind the separator or opening bracket at `at`.
    fn name(&self, at: usize) -> &'a str {
        let start = self.skip_blanks(at + 1) + 1;
        let end = self.trim_blanks(self.index.next_mark(start)).wrapping_sub(1);
        let literal = self.slice(start, end);
        if self.index.has_backslash(start, end) { text::decode(literal, self.arena) } else { literal }
    }

    #[inline(always)]
    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Offset of the first byte from `at` on that is not white space.
    #[inline(always)]
    fn skip_blanks(&self, at: usize) -> usize {
        if self.byte(at) > b' ' { at } else { self.skip_all_blanks(at) }
    }

    #[inline(never)]
    fn skip_all_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t' | b'\n' | b'\r') {
            at += 1;
        }
        at
    }

    /// Offset behind the last byte before `at` that is not white space.
    #[inline(always)]
    fn trim_blanks(&self, at: usize) -> usize {
        if self.byte(at.wrapping_sub(1)) > b' ' { at } else { self.trim_all_blanks(at) }
    }

    #[inline(never)]
    fn trim_all_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at.wrapping_sub(1)), b' ' | b'\t' | b'\n' | b'\r') {
            at -= 1;
        }
        at
    }
}

impl<'d, 'a, 'i> Value<'d, 'a, 'i> {
    /// Offset of the separator or closing bracket behind the value.
    #[inline(always)]
    fn end(self) -> usize {
        if !matches!(self.first, b'{' | b'[') {
            return self.mark;
        }
        let (start, end) = self.document.finished.get();
        let end = if start == self.start { end } else { self.document.index.close_of(self.start) + 1 };
        self.document.skip_blanks(end)
    }

    /// Where what was read of it can stay.
    pub(super) fn arena(self) -> &'a Bump {
        self.document.arena
    }

    /// Whether it is an object.
    pub(super) fn is_object(self) -> bool {
        self.first == b'{'
    }

    /// The members, in the text's order, duplicates included; none unless it is an object.
    #[inline(always)]
    pub(super) fn members(self) -> Members<'d, 'a, 'i> {
        if self.is_object() { Members { start: self.start, last: self.bracket() } } else { self.no_members() }
    }

    /// The value of an object's only member, if that has this name, is no container and stands without
    /// white space and escapes: what most objects of long lists are. `None` says nothing.
    #[inline(always)]
    pub(super) fn only_member(self, name: Key) -> Option<Value<'d, 'a, 'i>> {
        let document = self.document;
        let key = self.start + 2;
        let (marks, escapes) = document.index.near(key);
        let more = marks & marks.wrapping_sub(1);
        let (colon, mark) = (key + marks.trailing_zeros() as usize, key + more.trailing_zeros() as usize);
        let first = document.byte(colon + 1);
        let quoted = document.byte(self.start + 1) == b'"' && document.byte(colon.wrapping_sub(1)) == b'"';
        let usual = self.is_object() && quoted && more != 0 && !escapes && first > b' ' && document.byte(mark) == b'}';
        if !usual || document.key(key, (colon - 1).wrapping_sub(key)) != name {
            return None;
        }
        document.finished.set((self.start, mark + 1));
        Some(Value { document, first, start: colon + 1, mark })
    }

    /// The member of a name that is longer than a [`Key`], if the value is an object.
    #[cold]
    pub(super) fn member_called(self, name: &str) -> Option<Value<'d, 'a, 'i>> {
        let (mut members, mut found) = (self.members(), None);
        loop {
            let before = members.last.end();
            let Some((key, value)) = members.next() else { return found };
            if key == Key::OTHER && self.document.name(before) == name {
                found = Some(value);
            }
        }
    }

    /// As if it had no members.
    #[inline(always)]
    pub(super) fn no_members(self) -> Members<'d, 'a, 'i> {
        let nothing = Value { first: 0, mark: self.document.text.len(), ..self };
        Members { start: self.start, last: nothing }
    }

    /// Its opening bracket as if that were a value, which ends where the first separator would be.
    #[inline(always)]
    fn bracket(self) -> Value<'d, 'a, 'i> {
        Value { first: 0, mark: self.start, ..self }
    }

    /// [`Value::members`] of an object; `None` for anything else.
    #[inline(always)]
    pub(super) fn object(self) -> Option<Members<'d, 'a, 'i>> {
        if self.is_object() { Some(self.members()) } else { None }
    }

    /// The items of an array; nothing for `null`; any other value alone.
    #[inline(always)]
    pub(super) fn items(self) -> Items<'d, 'a, 'i> {
        let last = match self.first {
            b'[' => Some(self.bracket()),
            b'n' => None,
            _ => Some(self),
        };
        Items { list: self, last }
    }

    /// A string, or a number's own text, of at most [`MAX_TEXT_BYTES`].
    #[inline(always)]
    pub(super) fn text(self) -> Option<&'a str> {
        if self.mark - self.start > MAX_TEXT_BYTES && matches!(self.first, b'"' | b'-' | b'0'..=b'9') {
            self.document.left.set(Left { is_over: true, ..self.document.left.get() });
            return None;
        }
        self.whole_text()
    }

    /// The same of any length.
    #[inline(always)]
    pub(super) fn whole_text(self) -> Option<&'a str> {
        match self.first {
            b'"' => {
                let literal = self.quoted();
                let escaped = self.document.index.has_backslash(self.start, self.mark);
                Some(if escaped { text::decode(literal, self.document.arena) } else { literal })
            }
            b'-' | b'0'..=b'9' => Some(self.scalar()),
            _ => None,
        }
    }

    /// [`Value::text`], and how it is written.
    #[inline]
    pub(super) fn literal(self) -> Option<Text<'a>> {
        let value = self.whole_text()?;
        let literal = if self.first == b'"' { self.quoted() } else { value };
        Some(Text { literal, value })
    }

    /// [`Value::text`], or nothing.
    #[inline(never)]
    pub(super) fn text_or_empty(self) -> &'a str {
        self.text().unwrap_or_default()
    }

    /// The value of a string of any length; no other value has one.
    pub(super) fn string(self) -> Option<&'a str> {
        if self.first == b'"' { self.whole_text() } else { None }
    }

    /// See [`crate::request`] on what counts as an integer.
    #[inline(always)]
    pub(super) fn integer(self) -> Option<i64> {
        match self.first {
            b'0'..=b'9' => match self.digits() {
                Some(value) => Some(value),
                None => number::integer(self.scalar()),
            },
            b'-' => number::integer(self.scalar()),
            b'"' => number::integer(self.text()?.trim_matches(' ')),
            b't' => Some(1),
            b'f' => Some(0),
            _ => None,
        }
    }

    /// [`Value::integer`], or 0.
    #[inline(never)]
    pub(super) fn integer_or_zero(self) -> i64 {
        self.integer().unwrap_or_default()
    }

    /// Whether the integer is 1.
    #[inline]
    pub(super) fn flag(self) -> bool {
        self.integer() == Some(1)
    }

    /// Whether the integer is 1; `None` when there is none.
    pub(super) fn known_flag(self) -> Option<bool> {
        self.integer().map(|number| number == 1)
    }

    /// See [`Micros::floor`]; 0 for `null`.
    pub(super) fn floor(self) -> Micros {
        if self.is_null() { Micros::ZERO } else { Micros::floor(self.text()) }
    }

    /// A currency; dollars for `null` and the empty text, [`Currency::UNKNOWN`] for what is no text.
    pub(super) fn currency(self) -> Currency {
        match self.text() {
            Some("") => Currency::USD,
            Some(text) => Currency::parse(text),
            None if self.is_null() => Currency::USD,
            None => Currency::UNKNOWN,
        }
    }

    fn is_null(self) -> bool {
        self.first == b'n'
    }

    /// The readable items of a list.
    #[inline(always)]
    pub(super) fn list<T>(self, read: impl Fn(Value<'d, 'a, 'i>) -> Option<T>) -> &'a [T] {
        let mut items = self.items();
        let Some(first) = items.next() else { return &[] };
        let mut list = Vec::with_capacity_in(self.count_hint(), self.document.arena);
        list.extend(read(first));
        for item in items.take_while(|_| self.document.takes_entry()) {
            list.extend(read(item));
        }
        list.into_bump_slice()
    }

    /// What the objects of a list hold.
    #[inline(always)]
    pub(super) fn objects<T, L: IntoIterator<Item = T>>(self, read: impl Fn(Value<'d, 'a, 'i>) -> L) -> &'a [T] {
        let mut objects = self.items().take_while(|_| self.document.takes_entry()).filter(|item| item.is_object());
        let Some(first) = objects.next() else { return &[] };
        let mut list = Vec::with_capacity_in(self.count_hint(), self.document.arena);
        list.extend(read(first));
        for object in objects {
            list.extend(read(object));
        }
        list.into_bump_slice()
    }

    /// Whether it is an array.
    pub(super) fn is_array(self) -> bool {
        self.first == b'['
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

    /// How many items a list has: exact for the usual short list of scalars.
    #[inline(always)]
    fn count_hint(self) -> usize {
        if self.first != b'[' {
            return 1;
        }
        let close = self.document.index.closes_from(self.start + 1);
        if close == 0 {
            return 8;
        }
        let before = self.document.index.marks_from(self.start + 1) & (close ^ close.wrapping_sub(1));
        before.count_ones() as usize
    }

    /// The value of a number of few digits and nothing else, as nearly all integers are.
    #[inline(always)]
    fn digits(self) -> Option<i64> {
        let bytes = self.document.text.as_bytes().get(self.start..self.mark)?;
        if bytes.len() > 15 {
            return None;
        }
        let mut value = 0;
        for byte in bytes {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            value = value * 10 + i64::from(digit);
        }
        Some(value)
    }

    /// A string's literal.
    #[inline(always)]
    fn quoted(self) -> &'a str {
        self.document.slice(self.start + 1, self.document.trim_blanks(self.mark).wrapping_sub(1))
    }

    /// The text of a number or literal.
    #[inline(always)]
    fn scalar(self) -> &'a str {
        self.document.slice(self.start, self.document.trim_blanks(self.mark))
    }
}

/// An object's members.
pub(super) struct Members<'d, 'a, 'i> {
    /// Offset of the object.
    start: usize,
    /// The value yielded last, at first the opening bracket. Its end is searched for as late as
    /// possible: it may have been found by then.
    last: Value<'d, 'a, 'i>,
}

impl<'d, 'a, 'i> Iterator for Members<'d, 'a, 'i> {
    type Item = (Key, Value<'d, 'a, 'i>);

    /// The usual case: no white space, no escape in the key, all near each other. Not inlined into the
    /// loop of each object, which would be 30 KB of code more and not faster.
    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let document = self.last.document;
        let at = self.last.end();
        if document.byte(at) == b'}' {
            document.finished.set((self.start, at + 1));
            return None;
        }
        let key = at + 2;
        let (marks, escapes) = document.index.near(key);
        let colon = key + marks.trailing_zeros() as usize;
        let start = colon + 1;
        let first = document.byte(start);
        let (lead, closing) = (document.byte(at + 1), document.byte(colon.wrapping_sub(1)));
        if marks == 0 || escapes || lead != b'"' || closing != b'"' || first <= b' ' {
            return self.next_at(at);
        }
        let more = marks & marks.wrapping_sub(1);
        let mark = if more == 0 { document.index.next_mark(start + 1) } else { key + more.trailing_zeros() as usize };
        let value = Value { document, first, start, mark };
        self.last = value;
        Some((document.key(key, colon - 1 - key), value))
    }
}

impl<'d, 'a, 'i> Members<'d, 'a, 'i> {
    /// The member behind the separator or opening bracket at `at`, if there is one.
    #[cold]
    #[inline(never)]
    fn next_at(&mut self, at: usize) -> Option<(Key, Value<'d, 'a, 'i>)> {
        let document = self.last.document;
        let opening = document.skip_blanks(at + 1);
        if document.byte(opening) != b'"' {
            if document.byte(opening) == b'}' {
                document.finished.set((self.start, opening + 1));
            }
            return None;
        }
        let key = opening + 1;
        let colon = document.index.next_mark(key);
        let closing = document.trim_blanks(colon).wrapping_sub(1);
        let name = if document.index.has_backslash(key, closing) {
            Key::of(text::decode(document.slice(key, closing), document.arena).as_bytes())
        } else {
            document.key(key, closing.wrapping_sub(key))
        };
        let value = document.value(document.skip_blanks(colon + 1));
        self.last = value;
        Some((name, value))
    }
}

/// The items of a list.
pub(super) struct Items<'d, 'a, 'i> {
    list: Value<'d, 'a, 'i>,
    /// The value yielded last, at first the opening bracket; what is no array, until it is yielded.
    last: Option<Value<'d, 'a, 'i>>,
}

impl<'d, 'a, 'i> Iterator for Items<'d, 'a, 'i> {
    type Item = Value<'d, 'a, 'i>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let document = self.list.document;
        if self.list.first != b'[' {
            return self.last.take();
        }
        let at = self.last?.end();
        let next = if document.byte(at) == b']' { at } else { document.skip_blanks(at + 1) };
        if document.byte(next) == b']' {
            document.finished.set((self.list.start, next + 1));
            return None;
        }
        let value = document.value(next);
        self.last = Some(value);
        Some(value)
    }
}
